"""Searches the rules with a question in plain words: SQLite's full-text index, stemmed, with synonyms as data.

A question is cut into *concepts*: a word, or a phrase that the synonym list knows, with everything it may be called
in the rules. Each concept is looked for by itself, and a rule scores what its best spelling scores, so that a
concept with many synonyms weighs no more than one with none. A rule's scores for all concepts are added up, and so
are those of its group of sub-rules and of its chapter, where a question's words may be spread over several rules; and
of what players ask, line by line, as ``search.yaml`` has it for the rule.
"""

import difflib
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from rulewright import cache
from rulewright.data_files import Plain
from rulewright.rules.numbers import ancestors, root, sort_key

if TYPE_CHECKING:
    import sqlite3

_FORMAT = "search-3"


@dataclass(frozen=True, slots=True)
class Words:
    """What look-up and search know about words; read from a game's ``search.yaml``."""

    terms: Mapping[str, Sequence[str]]
    stop_words: frozenset[str]
    synonyms: Mapping[str, Sequence[str]]
    asked: Mapping[str, Sequence[str]]

    @classmethod
    def from_plain(cls, plain: Mapping[str, Plain]) -> "Words":
        """Make it from the mapping that the file holds; the mapping has passed the schema."""
        return cls(
            terms=plain.get("terms", {}),
            stop_words=frozenset(word.casefold() for word in plain.get("stop_words", ())),
            synonyms={key.casefold(): tuple(value) for key, value in plain.get("synonyms", {}).items()},
            asked=plain.get("asked", {}),
        )


@dataclass(frozen=True, slots=True)
class Document:
    """A rule as it is indexed: its gist, those of its parents, the titles above it, and the gists under it."""

    number: str
    gist: str
    context: str
    headings: str
    below: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that a question found, and how well: higher is better, and only comparable within one answer."""

    number: str
    score: float


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts; chosen on one half of the question set, measured on the other.

    ``gist``, ``context``, ``headings`` and ``below`` weigh the parts of a document; ``synonym`` a spelling that is
    not the question's own; ``group`` and ``chapter`` what is found anywhere in a rule's group, and anywhere under its
    first number, next to what is found in the rule itself; ``asked`` the line of what players ask that fits best, and
    ``asked_more`` the next two; ``breadth`` how many rules the group has, for what takes many rules to say is asked
    about most.
    """

    gist: float = 1.0
    context: float = 0.5
    headings: float = 0.2
    below: float = 0.1
    synonym: float = 0.9
    group: float = 0.6
    chapter: float = 0.4
    asked: float = 2.0
    asked_more: float = 0.6
    breadth: float = 1.0


LEAST_LIKENESS = 0.8
"""How like a word has to be to one that is not in the rules, to be taken for what was meant."""

WEIGHTS = Weights()
"""The weights that are used."""


class Index:
    """The full-text index of one rules database: its rules, and what players ask, one line a row."""

    def __init__(self, connection: "sqlite3.Connection", words: Words, weights: Weights = WEIGHTS) -> None:
        self._words = words
        self._weights = weights
        parts = (weights.gist, weights.context, weights.headings, weights.below)
        self._rules = _Table(connection, "rules", parts, weights.synonym)
        self._asked = _Table(connection, "asked", (1.0,), weights.synonym)
        self.breadth = Counter(map(group, self._rules.numbers.values()))

    @classmethod
    def of(cls, documents: Callable[[], Iterable[Document]], words: Words, digest: str) -> "Index":
        """Open the index from the cache, where it lies under the hash of the rules, or build it."""
        # Imported here because looking a number up needs no index, and start-up counts.
        import sqlite3

        connection = sqlite3.connect(":memory:")
        key = cache.content_key(_FORMAT, digest)
        stored = cache.load("rules-search", key)
        if stored is not None:
            connection.deserialize(stored)
        else:
            _build(connection, documents(), words)
            cache.store("rules-search", key, connection.serialize())
        return cls(connection, words)

    def search(self, question: str, limit: int) -> list[Hit]:
        """Give the best rules, one for each group of sub-rules (``811.1`` for all under it), the best first."""
        rules: dict[str, float] = {}
        groups: dict[str, float] = {}
        chapters: dict[str, float] = {}
        lines: dict[int, float] = {}
        for concept in map(self._meant, concepts(question, self._words)):
            found = {self._rules.numbers[row]: score for row, score in self._rules.scores(concept).items()}
            _add(rules, found)
            _add(groups, _best_by(found, group))
            _add(chapters, _best_by(found, root))
            _add(lines, self._asked.scores(concept))
        asked = self._asked_by_group(lines)
        best: dict[str, str] = {}
        for number in sorted(rules, key=lambda number: (-rules[number], sort_key(number))):
            best.setdefault(group(number), number)
        weights = self._weights
        hits = [
            Hit(
                best.get(name, name),
                rules.get(best.get(name, name), 0.0)
                + weights.group * groups.get(name, 0.0)
                + weights.chapter * chapters.get(root(name), 0.0)
                + asked.get(name, 0.0)
                + weights.breadth * math.log(1 + self.breadth[name]),
            )
            for name in best.keys() | asked.keys()
        ]
        return sorted(hits, key=lambda hit: (-hit.score, sort_key(hit.number)))[:limit]

    def _meant(self, concept: Sequence[str]) -> Sequence[str]:
        """Give a concept as it was probably meant: a word that no rule has is taken for the nearest that one has."""
        if any(self._rules.has(spelling) or self._asked.has(spelling) for spelling in concept):
            return concept
        near = difflib.get_close_matches(concept[0], self._rules.stems(), n=1, cutoff=LEAST_LIKENESS)
        return [*concept, *near]

    def _asked_by_group(self, lines: Mapping[int, float]) -> dict[str, float]:
        scores: dict[str, list[float]] = {}
        for row, score in lines.items():
            scores.setdefault(group(self._asked.numbers[row]), []).append(score)
        weights = self._weights
        asked = {}
        for name, found in scores.items():
            first, *more = sorted(found, reverse=True)[:3]
            asked[name] = weights.asked * first + weights.asked_more * sum(more)
        return asked


class _Table:
    """One table of the index, whose rows are rules or lines about rules; ``numbers`` has the rule of each row."""

    def __init__(
        self, connection: "sqlite3.Connection", name: str, parts: Sequence[float], synonym: float
    ) -> None:
        self._connection = connection
        self._name = name
        self._query = (
            f"SELECT rowid, -bm25({name}, 0, {', '.join(map(str, parts))}) FROM {name} WHERE {name} MATCH ?"
        )
        self._synonym = synonym
        rows = connection.execute(f"SELECT rowid, number FROM {name}")
        self.numbers: dict[int, str] = dict(rows.fetchall())

    def has(self, spelling: str) -> bool:
        """Tell whether any row has a spelling."""
        return bool(self._matches(spelling))

    def stems(self) -> list[str]:
        """Give every word of the rows, as the index stems it."""
        self._connection.execute(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{self._name}_words USING fts5vocab(main, {self._name}, row)"
        )
        return [row[0] for row in self._connection.execute(f"SELECT term FROM temp.{self._name}_words")]

    def scores(self, spellings: Sequence[str]) -> dict[int, float]:
        """Give each row that has a spelling of a concept, with the score of its best one."""
        found = [self._matches(spelling) for spelling in spellings]
        # A spelling counts as rare as the whole concept is, not as rare as itself.
        rarity = self._rarity({row for rows in found for row, _ in rows})
        best: dict[int, float] = {}
        for position, rows in enumerate(found):
            factor = rarity / self._rarity(rows) * (1.0 if position == 0 else self._synonym)
            for row, score in rows:
                best[row] = max(best.get(row, 0.0), factor * score)
        return best

    def _matches(self, spelling: str) -> list[tuple[int, float]]:
        return self._connection.execute(self._query, (f'"{spelling}"',)).fetchall()

    def _rarity(self, rows: Collection[object]) -> float:
        """What bm25 multiplies by for this many rows: SQLite's own formula, with its least value."""
        return max(math.log((len(self.numbers) - len(rows) + 0.5) / (len(rows) + 0.5)), 1e-6)


_Name = TypeVar("_Name", str, int)


def _add(scores: dict[_Name, float], more: Mapping[_Name, float]) -> None:
    for name, score in more.items():
        scores[name] = scores.get(name, 0.0) + score


def _best_by(scores: Mapping[str, float], name_of: Callable[[str], str]) -> dict[str, float]:
    best: dict[str, float] = {}
    for number, score in scores.items():
        name = name_of(number)
        best[name] = max(best.get(name, 0.0), score)
    return best


def group(number: str) -> str:
    """Give the number whose sub-rules count as one answer: the second level, or the number itself above that.

    >>> group("811.1.d.2"), group("811")
    ('811.1', '811')
    """
    above = ancestors(number)
    return above[-2] if len(above) >= 2 else number


def concepts(question: str, words: Words) -> list[list[str]]:
    """Cut a question into concepts, each with its spellings, the question's own first.

    A phrase that is a term of the game, or that the synonyms know, is one concept; the longest is taken.
    """
    tokens = re.findall(r"\w+", question.casefold())
    phrases = words.synonyms.keys() | words.terms.keys()
    tokens = _as_spelled(tokens, phrases)
    longest = max((len(phrase.split()) for phrase in phrases), default=1)
    found: dict[str, list[str]] = {}
    position = 0
    while position < len(tokens):
        lengths = range(longest, 1, -1)
        length = next((n for n in lengths if " ".join(tokens[position : position + n]) in phrases), 1)
        spelling = " ".join(tokens[position : position + length])
        others = words.synonyms.get(spelling, ())
        if length > 1 or others or not (spelling in words.stop_words or spelling.isdigit()):
            found.setdefault(spelling, [spelling, *others])
        position += length
    return list(found.values())


def _as_spelled(tokens: Sequence[str], phrases: Iterable[str]) -> list[str]:
    """Give words as a phrase of the rules spells them: together or apart ("quickdraw", "weapon master")."""
    known = {"".join(phrase.split()): phrase.split() for phrase in phrases}
    spelled: list[str] = []
    position = 0
    while position < len(tokens):
        joined = "".join(tokens[position : position + 2])
        if tokens[position] in known:
            spelled += known[tokens[position]]
        elif position + 1 < len(tokens) and joined in known:
            spelled += known[joined]
            position += 1
        else:
            spelled.append(tokens[position])
        position += 1
    return spelled


def _build(connection: "sqlite3.Connection", documents: Iterable[Document], words: Words) -> None:
    connection.executescript(
        """
        CREATE VIRTUAL TABLE rules USING fts5
            (number UNINDEXED, gist, context, headings, below, tokenize='porter unicode61');
        CREATE VIRTUAL TABLE asked USING fts5 (number UNINDEXED, line, tokenize='porter unicode61');
        """
    )
    connection.executemany(
        "INSERT INTO rules VALUES (?, ?, ?, ?, ?)",
        ((doc.number, doc.gist, doc.context, doc.headings, doc.below) for doc in documents),
    )
    connection.executemany(
        "INSERT INTO asked VALUES (?, ?)",
        ((number, line) for number, lines in words.asked.items() for line in lines),
    )
    connection.commit()
