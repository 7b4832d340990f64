"""Searches the rules with a question in plain words: SQLite's full-text index, stemmed, with synonyms as data.

A question is cut into *concepts*: a word, or a phrase that the synonym list knows, with everything it may be called
in the rules. Each concept is looked for by itself, and a rule scores what its best spelling scores, so that a
concept with many synonyms weighs no more than one with none. A rule's scores for all concepts are added up, and so
are those of its group of sub-rules and of its chapter, where a question's words may be spread over several rules.
"""

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rulewright import cache
from rulewright.data_files import Plain
from rulewright.rules.numbers import ancestors, root, sort_key

_FORMAT = "search-2"


@dataclass(frozen=True, slots=True)
class Words:
    """What look-up and search know about words; read from a game's ``search.yaml``."""

    terms: Mapping[str, Sequence[str]]
    stop_words: frozenset[str]
    synonyms: Mapping[str, Sequence[str]]
    asked: Mapping[str, str]

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
    """A rule as it is indexed.

    That is its gist, what players ask that it answers, the gists of its parents, the titles above it, and the gists
    under it.
    """

    number: str
    gist: str
    asked: str
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

    ``gist``, ``asked``, ``context``, ``headings`` and ``below`` weigh the parts of a document; ``synonym`` a spelling
    that is not the question's own; ``group`` and ``chapter`` what is found anywhere in a rule's group, and anywhere under its
    first number, next to what is found in the rule itself; ``breadth`` how many rules the group has, for what takes
    many rules to say is asked about most.
    """

    gist: float = 1.0
    asked: float = 2.0
    context: float = 0.25
    headings: float = 0.1
    below: float = 0.25
    synonym: float = 1.0
    group: float = 0.6
    chapter: float = 0.2
    breadth: float = 1.0


WEIGHTS = Weights()
"""The weights that are used."""


class Index:
    """The full-text index of one rules database."""

    def __init__(self, connection: sqlite3.Connection, words: Words, weights: Weights = WEIGHTS) -> None:
        self._connection = connection
        self._words = words
        numbers = [number for (number,) in connection.execute("SELECT number FROM rules")]
        self._size = len(numbers)
        self._breadth = Counter(map(group, numbers))
        self.weights = weights

    @classmethod
    def of(cls, documents: Callable[[], Iterable[Document]], words: Words, digest: str) -> "Index":
        """Open the index from the cache, where it lies under the hash of the rules, or build it."""
        connection = sqlite3.connect(":memory:")
        key = cache.content_key(_FORMAT, digest)
        stored = cache.load("rules-search", key)
        if stored is not None:
            connection.deserialize(stored)
        else:
            _build(connection, documents())
            cache.store("rules-search", key, connection.serialize())
        return cls(connection, words)

    def search(self, question: str, limit: int) -> list[Hit]:
        """Give the best rules, one for each group of sub-rules (``811.1`` for all under it), the best first."""
        rules: dict[str, float] = {}
        groups: dict[str, float] = {}
        chapters: dict[str, float] = {}
        for concept in concepts(question, self._words):
            found = self._concept_scores(concept)
            _add(rules, found)
            _add(groups, _best_by(found, group))
            _add(chapters, _best_by(found, root))
        best: dict[str, str] = {}
        for number in sorted(rules, key=lambda number: (-rules[number], sort_key(number))):
            best.setdefault(group(number), number)
        hits = [
            Hit(
                number,
                rules[number]
                + self.weights.group * groups[name]
                + self.weights.chapter * chapters[root(number)]
                + self.weights.breadth * math.log(1 + self._breadth[name]),
            )
            for name, number in best.items()
        ]
        return sorted(hits, key=lambda hit: (-hit.score, sort_key(hit.number)))[:limit]

    def _concept_scores(self, spellings: Sequence[str]) -> dict[str, float]:
        found = [self._matches(spelling) for spelling in spellings]
        # A spelling counts as rare as the whole concept is, not as rare as itself.
        rarity = self._rarity({number for rows in found for number, _ in rows})
        best: dict[str, float] = {}
        for position, rows in enumerate(found):
            factor = rarity / self._rarity(rows) * (1.0 if position == 0 else self.weights.synonym)
            for number, score in rows:
                best[number] = max(best.get(number, 0.0), factor * score)
        return best

    def _rarity(self, rows: Collection[object]) -> float:
        """What bm25 multiplies by for this many rows: SQLite's own formula, with its least value."""
        return max(math.log((self._size - len(rows) + 0.5) / (len(rows) + 0.5)), 1e-6)

    def _matches(self, spelling: str) -> list[tuple[str, float]]:
        weights = self.weights
        rows = self._connection.execute(
            "SELECT number, -bm25(rules, 0, ?, ?, ?, ?, ?) FROM rules WHERE rules MATCH ?",
            (weights.gist, weights.asked, weights.context, weights.headings, weights.below, f'"{spelling}"'),
        )
        return rows.fetchall()


def _add(scores: dict[str, float], more: Mapping[str, float]) -> None:
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
    """Cut a question into concepts, each with its spellings, the question's own first."""
    tokens = re.findall(r"[\w]+(?:['-][\w]+)*|\[[^\]]*\]", question.casefold())
    tokens = [part for token in tokens for part in re.findall(r"\w+", token)]
    longest = max((len(key.split()) for key in words.synonyms), default=1)
    found: dict[str, list[str]] = {}
    position = 0
    while position < len(tokens):
        length = next(
            (n for n in range(longest, 0, -1) if " ".join(tokens[position : position + n]) in words.synonyms),
            1,
        )
        spelling = " ".join(tokens[position : position + length])
        others = words.synonyms.get(spelling, ())
        if others or not (spelling in words.stop_words or spelling.isdigit()):
            found.setdefault(spelling, [spelling, *others])
        position += length
    return list(found.values())


def _build(connection: sqlite3.Connection, documents: Iterable[Document]) -> None:
    connection.execute(
        "CREATE VIRTUAL TABLE rules USING fts5"
        "(number UNINDEXED, gist, asked, context, headings, below, tokenize='porter unicode61')"
    )
    connection.executemany(
        "INSERT INTO rules VALUES (?, ?, ?, ?, ?, ?)",
        ((doc.number, doc.gist, doc.asked, doc.context, doc.headings, doc.below) for doc in documents),
    )
    connection.execute("INSERT INTO rules(rules) VALUES ('optimize')")
    connection.commit()
