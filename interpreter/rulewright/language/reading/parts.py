"""The builder's intermediate values: what a phrase is before its clause says what it means.

A clause is kept as subject, verbs and complements until it is known whether it is an instruction, an event, a
condition, a cost or a continuous effect. None of these values may be left in a finished meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.language.ast import Filter, Node, Selector


@dataclass(frozen=True, slots=True)
class Det(Node):
    """A determiner: ``a``, ``the next``, ``up to two``, ``your second``. value is its number or owner."""

    kind: str
    value: Any = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Adj(Node):
    """An adjective before a noun."""

    kind: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Noun(Node):
    """One noun, which may be compound (``Recruit unit token``). kind is the class of its last word."""

    kind: str
    lemma: str
    form: str
    before: tuple[tuple[str, str], ...] = ()
    adjectives: tuple[Adj, ...] = ()


@dataclass(frozen=True, slots=True)
class Head(Node):
    """The nouns of a noun phrase, with the word that joins them."""

    nouns: tuple[Noun, ...]
    conjunction: str | None = None


@dataclass(frozen=True, slots=True)
class Post(Node):
    """What stands behind a noun: a place, a relative clause, ``with ...``."""

    kind: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Placed(Node):
    """Something with phrases behind it that only a verb can take: tokens to be made ``here``."""

    what: Any
    posts: tuple[Post, ...]


@dataclass(frozen=True, slots=True)
class BareStat(Node):
    """A figure without an owner: ``ignoring Energy costs``."""

    stat: str


@dataclass(frozen=True, slots=True)
class Nth(Node):
    """``your second card``, ``the first gear``: the object of an event that is counted."""

    what: Any
    ordinal: int


@dataclass(frozen=True, slots=True)
class Next(Node):
    """``the next spell you play``: whatever comes first."""

    what: Any


@dataclass(frozen=True, slots=True)
class OnlyOne(Node):
    """``the only unit you control there``."""

    what: Any


@dataclass(frozen=True, slots=True)
class Limit(Node):
    """A bound on a figure: op and value (an amount, the parts of a cost, or a thing that has such a figure).

    by: how much more than that, or less (minus).
    """

    op: str
    value: Any
    by: Any = None
    minus: bool = False


@dataclass(frozen=True, slots=True)
class MightFigure(Node):
    """A number with the symbol of Might behind it: ``3 [M]``."""

    amount: Any


@dataclass(frozen=True, slots=True)
class Possessor(Node):
    """Whose: a player, a selector, or ``their``, which the noun decides."""

    of: Any


@dataclass(frozen=True, slots=True)
class They(Node):
    """``they`` and ``them`` before it is known whether players or objects are meant."""


@dataclass(frozen=True, slots=True)
class VerbForm(Node):
    """A verb as it stands: its lemma and form."""

    lemma: str
    form: str


@dataclass(frozen=True, slots=True)
class Comp(Node):
    """A complement of a verb."""

    kind: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """A clause as it stands.

    mood: imperative, finite, gapped, rel. voice: active, passive, progressive, perfect, perfect-passive, is, there,
    ellipsis. aux: may, can, must ... negated: "not" is said.
    """

    subject: Any
    verbs: tuple[VerbForm, ...]
    comps: tuple[Comp, ...] = ()
    mood: str = "finite"
    voice: str = "active"
    aux: str | None = None
    negated: bool = False
    past: bool = False
    predicate: Any = None
    purpose: Any = None


@dataclass(frozen=True, slots=True)
class Seq(Node):
    """Clauses in a row, each with the separator before it (None for the first)."""

    clauses: tuple[Clause, ...]
    separators: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Core(Node):
    """A sentence without what leads in and what trails: ``doing``, and what that pays for, if "to" is said."""

    doing: Seq
    purpose: Seq | None = None


@dataclass(frozen=True, slots=True)
class Lead(Node):
    """What stands before a sentence: ``If ...,``, ``When ...,``, ``Then``."""

    kind: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Tail(Node):
    """What stands behind it: ``if ...``, ``unless ...``."""

    kind: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Item(Node):
    """One entry of a list: its sentences, and the case that it stands for."""

    sentences: tuple[Any, ...]
    case: str | None = None


@dataclass(frozen=True, slots=True)
class Sentence(Node):
    """A whole sentence: leads, core, tails, and a list that hangs on it."""

    leads: tuple[Lead, ...]
    core: Core | None
    tails: tuple[Tail, ...] = ()
    items: tuple[Item, ...] = ()


SelectorLike = Selector | Placed | Nth | Next
Filters = tuple[Filter, ...]
