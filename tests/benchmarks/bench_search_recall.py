"""Print how often a question finds its rule: the recall of ``rulewright rules search`` at 5 and at 10.

The questions are judged ones with the rules that answer them. They are not part of the project: they are read from
the folder that RULEWRIGHT_SHARED names, by default ``shared`` beside the checkout. A hash of a question's name puts
it into one of two halves. Weights and synonyms are chosen on one half; the other is only measured.

A hit is a rule under the same second-level number as a right one (811.1 for 811.1.b). Two figures are given: how
many questions have a hit, and which share of all right rules is hit. The bars are 0.75 at 5 and 0.85 at 10.
"""

import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.rules import RulesDatabase, load
from rulewright.rules.search import group

CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Question:
    name: str
    text: str
    answers: frozenset[str]

    @property
    def tuned_on(self) -> bool:
        """Whether it is of the half that weights and synonyms are chosen on."""
        return hashlib.sha256(self.name.encode()).digest()[0] % 2 == 0

    def hit_by(self, groups: Sequence[str]) -> set[str]:
        """Give the right answers among the groups; one without a second level is hit by any rule of it."""
        return {
            answer for answer in self.answers if any(f"{name}.".startswith(f"{answer}.") for name in groups)
        }


def questions(shared: Path) -> list[Question]:
    """Give all judged questions below a folder."""
    found = list(_rulings(shared / "rulings" / "given.jsonl"))
    for page in sorted((shared / "seeds").glob("00[13]_*.txt")):
        found += _page(page)
    return found


def _rulings(path: Path) -> Iterator[Question]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["rules_cr14"]:
            yield _question(row["id"], row["question"], row["rules_cr14"])


def _page(path: Path) -> Iterator[Question]:
    """Read the answered questions of a page: a question, its answer, and a line with the numbers."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for position in range(len(lines) - 2):
        cited = re.match(r"- Regole |Core Rules (?=\d)", lines[position + 2])
        if lines[position].endswith("?") and cited:
            numbers = re.findall(r"\d{3}(?:\.\w+)*", lines[position + 2])
            yield _question(f"{path.name[:3]}:{lines[position]}", lines[position].removeprefix("- "), numbers)


def _question(name: str, text: str, numbers: Sequence[str]) -> Question:
    return Question(name, text, frozenset(group(number) for number in numbers))


def ranked(rules: RulesDatabase, text: str, limit: int = 10) -> list[str]:
    """Give the groups of the rules that a question finds, the best first."""
    return [group(hit.number) for hit in rules.search(text, limit)]


def recall(rules: RulesDatabase, asked: Sequence[Question], at: int) -> tuple[float, float]:
    """Give the share of questions with a hit among the first rules, and the share of right rules that are hit."""
    hits = [question.hit_by(ranked(rules, question.text)[:at]) for question in asked]
    found = sum(map(len, hits)) / sum(len(question.answers) for question in asked)
    return sum(map(bool, hits)) / len(hits), found


def main() -> None:
    """Print the recall on both halves, and how long an answer takes; with ``--misses``, what the tuned half misses."""
    shared = Path(os.environ.get("RULEWRIGHT_SHARED", CHECKOUT.parent / "shared"))
    if not (shared / "rulings" / "given.jsonl").is_file():
        print(f"search recall  left out: the questions are not part of the project, and not under {shared}")
        return
    rules = load("riftbound")
    asked = questions(shared)
    rules.search("warm up", 1)
    began = time.perf_counter()
    for question in asked:
        rules.search(question.text)
    each = (time.perf_counter() - began) / len(asked)
    for name, half in (
        ("tuned on", [question for question in asked if question.tuned_on]),
        ("untouched", [question for question in asked if not question.tuned_on]),
    ):
        for at in (5, 10):
            with_hit, found = recall(rules, half, at)
            print(
                f"search recall  {name:9}  {len(half)} questions  at {at:2}: {with_hit:.3f} with a hit, "
                f"{found:.3f} of all right rules"
            )
    print(f"search time    {each * 1000:.1f} ms a question")
    if "--misses" in sys.argv:
        for question in asked:
            if question.tuned_on and not question.hit_by(ranked(rules, question.text)):
                print(
                    f"  {question.text}\n      right: {sorted(question.answers)}  got: {ranked(rules, question.text)}"
                )


if __name__ == "__main__":
    main()
