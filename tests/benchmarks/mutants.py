"""How much nonsense is read: one word of every text is deleted, doubled, inserted or swapped, and read again.

    python tests/benchmarks/mutants.py CARDS.jsonl [--each 3] [--most 0.10] [--show 40]

A mutant that is read is *another card* where its meaning differs from the original's just as its words do: the words
by which the canonical wordings differ are the words by which the texts differ, in the order in which the mutant has
them. Any other mutant that is read was read by losing a word, or makes no sense to a person; their share of all mutants
is what is measured. The choice of words is seeded by the text: the figure is the same on every machine.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rulewright.language.ast import CardText
from rulewright.language.print import UnprintableError

Read = Callable[[str], CardText | None]

_WORD = re.compile(r"\[[^\]]*\]|[A-Za-z][A-Za-z'’-]*|\d+")
_REMINDER = re.compile(r"\s*\([^()]*\)")
KINDS = ("delete", "double", "insert", "swap")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A text with one word changed, and how."""

    kind: str
    original: str
    text: str


def mutants(text: str, vocabulary: list[str], each: int) -> Iterator[Mutant]:
    """Give ``each`` mutants of each kind; inserted words come from the vocabulary of all texts."""
    chance = random.Random(text)
    words = list(_WORD.finditer(text))
    if len(words) < 2:
        return
    for kind in KINDS:
        seen = set()
        for _ in range(each):
            changed = _mutated(kind, text, words, vocabulary, chance)
            if changed != text and changed not in seen:
                seen.add(changed)
                yield Mutant(kind, text, changed)


def _mutated(
    kind: str, text: str, words: list[re.Match[str]], vocabulary: list[str], chance: random.Random
) -> str:
    here = chance.randrange(len(words) - (kind == "swap"))
    word = words[here]
    match kind:
        case "delete":
            return text[: word.start()].rstrip(" ") + text[word.end() :]
        case "double":
            return f"{text[: word.end()]} {text[word.start() :]}"
        case "insert":
            return f"{text[: word.end()]} {chance.choice(vocabulary)}{text[word.end() :]}"
    after = words[here + 1]
    between = text[word.end() : after.start()]
    return text[: word.start()] + after.group() + between + word.group() + text[after.end() :]


def is_another_card(mutant: Mutant, original: str, changed: str | None) -> bool:
    """Tell whether two canonical wordings differ as the texts do; what cannot be worded is no card."""
    if changed is None or original == changed or mutant.kind == "double":
        # A word said twice is a slip, whatever it is taken for.
        return False
    if mutant.kind == "swap":
        return _in_order(mutant.text, changed)
    return _difference(mutant.original, mutant.text) == _difference(original, changed)


def _difference(before: str, after: str) -> tuple[Counter[str], Counter[str]]:
    old, new = _content(before), _content(after)
    return new - old, old - new


def _content(text: str) -> Counter[str]:
    return Counter(_words(text))


_FILLERS = frozenset(["a", "an", "the", "one"])


def _words(text: str) -> list[str]:
    return [word for word in (found.lower() for found in _WORD.findall(text)) if word not in _FILLERS]


def _in_order(text: str, canonical: str) -> bool:
    """Whether each pair of neighbours of the mutant that are words of the wording stand in that order there too."""
    wanted, there = _words(text), _words(canonical)
    places = {word: there.index(word) for word in set(wanted) & set(there) if there.count(word) == 1}
    known = [places[word] for word in wanted if word in places and wanted.count(word) == 1]
    return known == sorted(known)


def texts_of(path: Path) -> list[str]:
    """Give the distinct texts of a corpus without reminder text, in the order of the file."""
    rows = [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]
    found = [row.get(key) or "" for row in rows for key in ("text", "effect_text")]
    return [text for text in dict.fromkeys(_REMINDER.sub("", text).strip() for text in found) if text]


def measure(texts: list[str], read: Read, write: Callable[[CardText], str], each: int) -> Report:
    """Mutate every text that is read, and sort the mutants."""
    vocabulary = sorted({word.lower() for text in texts for word in _WORD.findall(text)})
    report = Report(Counter(), Counter(), Counter(), [])
    for text in texts:
        meaning = read(text)
        if meaning is None:
            continue
        wording = write(meaning)
        for mutant in mutants(text, vocabulary, each):
            report.made[mutant.kind] += 1
            changed = read(mutant.text)
            if changed is None:
                continue
            if is_another_card(mutant, wording, _written(changed, write)):
                report.other[mutant.kind] += 1
            else:
                report.nonsense[mutant.kind] += 1
                report.examples.append(mutant)
    return report


def _written(meaning: CardText, write: Callable[[CardText], str]) -> str | None:
    try:
        return write(meaning)
    except UnprintableError:
        # There is no sane way to say it.
        return None


@dataclass(slots=True)
class Report:
    """Counts of mutants by kind: made, read as another card, read as nonsense; and the nonsense itself."""

    made: Counter[str]
    other: Counter[str]
    nonsense: Counter[str]
    examples: list[Mutant]

    @property
    def share(self) -> float:
        """The share of all mutants that were read though they make no sense."""
        return self.nonsense.total() / max(1, self.made.total())

    def table(self) -> str:
        """Give the counts as lines of text."""
        rows = [f"{'':8} {'mutants':>8} {'refused':>8} {'another':>8} {'nonsense':>8}"]
        for kind in (*KINDS, "all"):
            made, other, nonsense = (
                counts.total() if kind == "all" else counts[kind]
                for counts in (self.made, self.other, self.nonsense)
            )
            rows.append(f"{kind:8} {made:8} {made - other - nonsense:8} {other:8} {nonsense:8}")
        return "\n".join([*rows, f"nonsense that was read: {self.share:.1%}"])


def reading() -> Read:
    """Give how texts are read: their meaning alone, with no reasons for what is refused."""
    from rulewright.language import default_vocabulary
    from rulewright.language.reader import Reader

    reader = Reader(default_vocabulary())
    return lambda text: reader.read(text, explain=False, spans=False).text


def main() -> int:
    """Run from the command line; 1 where more nonsense is read than ``--most`` allows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cards", type=Path)
    parser.add_argument("--each", type=int, default=3, help="mutants of each kind for a text")
    parser.add_argument("--most", type=float, default=0.10, help="the largest share of nonsense that passes")
    parser.add_argument("--show", type=int, default=0, help="how many examples of nonsense to print")
    wanted = parser.parse_args()

    from rulewright.language.print import print_text

    report = measure(texts_of(wanted.cards), reading(), print_text, wanted.each)
    print(report.table())
    for mutant in random.Random(0).sample(report.examples, min(wanted.show, len(report.examples))):
        print(f"- {mutant.kind}: {mutant.text!r}")
    return int(report.share > wanted.most)


if __name__ == "__main__":
    sys.exit(main())
