"""Searches the rules with a question in plain words: SQLite's full-text index, stemmed, with synonyms as data.

A question is cut into *concepts*: a word, or a phrase that the synonym list knows, with everything it may be called
in the rules. Each concept is looked for by itself, and a rule scores what its best spelling scores, so that a
concept with many synonyms weighs no more than one with none. The scores of a rule's concepts are added up, and those
of the rules around it lend it a part of theirs.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rulewright import cache
from rulewright.rules.entries import Plain
from rulewright.rules.numbers import ancestors, sort_key

_FORMAT = "search-1"


@dataclass(frozen=True, slots=True)
class Words:
    """What look-up and search know about words; read from a game's ``search.yaml``."""

    terms: Mapping[str, Sequence[str]]
    stop_words: frozenset[str]
    synonyms: Mapping[str, Sequence[str]]

    @classmethod
    def from_plain(cls, plain: Mapping[str, Plain]) -> "Words":
        """Make it from the mapping that the file holds; the mapping has passed the schema."""
        return cls(
            terms=plain.get("terms", {}),
            stop_words=frozenset(word.casefold() for word in plain.get("stop_words", ())),
            synonyms={key.casefold(): tuple(value) for key, value in plain.get("synonyms", {}).items()},
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
    """How much each part of a rule counts; chosen on one half of the question set, measured on the other."""

    gist: float = 1.0
    context: float = 0.5
    headings: float = 0.4
    below: float = 0.25
    synonym: float = 0.8
    family: float = 0.3


WEIGHTS = Weights()
"""The weights that are used."""


class Index:
    """The full-text index of one rules database."""

    def __init__(self, connection: sqlite3.Connection, words: Words, weights: Weights = WEIGHTS) -> None:
        self._connection = connection
        self._words = words
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
        scores: dict[str, float] = {}
        for concept in concepts(question, self._words):
            for number, score in self._concept_scores(concept).items():
                scores[number] = scores.get(number, 0.0) + score
        return self._grouped(scores)[:limit]

    def _concept_scores(self, spellings: Sequence[str]) -> dict[str, float]:
        best: dict[str, float] = {}
        for position, spelling in enumerate(spellings):
            factor = 1.0 if position == 0 else self.weights.synonym
            for number, score in self._matches(spelling):
                best[number] = max(best.get(number, 0.0), factor * score)
        return best

    def _matches(self, spelling: str) -> list[tuple[str, float]]:
        weights = self.weights
        rows = self._connection.execute(
            "SELECT number, -bm25(rules, 0, ?, ?, ?, ?) FROM rules WHERE rules MATCH ?",
            (weights.gist, weights.context, weights.headings, weights.below, f'"{spelling}"'),
        )
        return rows.fetchall()

    def _grouped(self, scores: Mapping[str, float]) -> list[Hit]:
        groups: dict[str, list[Hit]] = {}
        for number, score in scores.items():
            groups.setdefault(group(number), []).append(Hit(number, score))
        hits = []
        for members in groups.values():
            members.sort(key=lambda hit: (-hit.score, sort_key(hit.number)))
            rest = sum(hit.score / (place + 1) for place, hit in enumerate(members[1:], start=1))
            total = members[0].score + self.weights.family * rest
            hits.append(Hit(members[0].number, round(total, 6)))
        return sorted(hits, key=lambda hit: (-hit.score, sort_key(hit.number)))


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
        if others or spelling not in words.stop_words:
            found.setdefault(spelling, [spelling, *others])
        position += length
    return list(found.values())


def _build(connection: sqlite3.Connection, documents: Iterable[Document]) -> None:
    connection.execute(
        "CREATE VIRTUAL TABLE rules USING fts5"
        "(number UNINDEXED, gist, context, headings, below, tokenize='porter unicode61')"
    )
    connection.executemany(
        "INSERT INTO rules VALUES (?, ?, ?, ?, ?)",
        ((doc.number, doc.gist, doc.context, doc.headings, doc.below) for doc in documents),
    )
    connection.execute("INSERT INTO rules(rules) VALUES ('optimize')")
    connection.commit()
