"""What all parts of the printer share: one table from kinds of node to the functions that write them.

The functions are in :mod:`phrases` (amounts, places, objects, costs), :mod:`clauses` (actions, conditions),
:mod:`effects` and :mod:`abilities`; :mod:`rulewright.language.print` is the door.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from rulewright.errors import RulewrightError
from rulewright.language.ast import (
    AbilityText,
    Action,
    Group,
    Node,
    Number,
    Objects,
    Player,
    Quantity,
    Reference,
    Self,
    TokenSpec,
    TopOf,
)
from rulewright.language.wording import english


class UnprintableError(RulewrightError):
    """A meaning that no words exist for: a kind of node without a writer, or a value that a kind does not know."""


@dataclass(frozen=True, slots=True)
class VerbWords:
    """How a verb is written: its forms; a verb of several words ("look at") is one.

    ergative verbs are said of what undergoes them in the active voice ("when I move", not "when I am moved").
    place_is_goal: with this verb a place is where the object comes to ("play it here").
    counted: the noun that a figure after the verb counts, where it counts any ("discard 2": cards).
    """

    base: str
    third: str
    past: str
    participle: str
    gerund: str
    ergative: bool = False
    counted: str = ""
    place_is_goal: bool = False


class Words(Protocol):
    """The words that the printer asks a vocabulary for."""

    def verb_words(self, lemma: str) -> VerbWords:
        """Give the forms of a verb."""
        ...

    def plural(self, noun: str) -> str:
        """Give the plural of a noun, a tag or a type, as it is displayed."""
        ...

    def symbol(self, token: str, value: object = "") -> str:
        """Give the house's spelling of a symbol: ``[M]``, ``[2]``, ``[fury]``."""
        ...

    def adverb(self, lemma: str) -> str:
        """Give how an adverb is written ("one on one")."""
        ...

    def displayed(self, lemma: str) -> str:
        """Give a noun, a zone, a phase, a figure, a token or a state as a card shows it ("Main Deck")."""
        ...


Write = Callable[["Writer", Any], str]

WRITERS: dict[type[Node], Write] = {}
"""The one table: how each kind of node is written. It is filled when the printer's modules are imported."""

_W = TypeVar("_W", bound=Write)


def writes(kind: type[Node]) -> Callable[[_W], _W]:
    """Register the function that writes a kind of node."""

    def register(function: _W) -> _W:
        WRITERS[kind] = function
        return function

    return register


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes nodes with the words of a vocabulary."""

    words: Words
    self_word: str = "me"
    """How the card speaks of itself where its meaning does not say: ``me`` or ``this``."""
    says_all: bool = True
    """Whether what is done to everything says "all": instructions do, events and permissions need not."""

    explicit: bool = False
    """Whether the reach of each word is shown, where English leaves it to the reader (to tell readings apart)."""

    def __call__(self, node: Node) -> str:
        """Write a node; raises :class:`UnprintableError` where no writer knows its kind."""
        try:
            write = WRITERS[type(node)]
        except KeyError:
            raise UnprintableError(f"no words are known for a {type(node).__name__}") from None
        return write(self, node)

    def subject(self, node: Node) -> str:
        """Write a node as the subject of a clause: ``I``, ``they``, ``a unit``."""
        if node == _WE:
            return "we"
        text = self(node)
        return _SUBJECTS.get(text, text)

    def possessive(self, node: Node) -> str:
        """Write whose something is: ``my``, ``its``, ``an opponent's``."""
        if node == _WE:
            return "our"
        text = self(node)
        return _POSSESSIVES.get(text) or english.possessive(text)

    def describing(self) -> Writer:
        """Give the writer for what is not an instruction: "when you kill units", "opponents can't play cards"."""
        return replace(self, says_all=False)

    def verb(self, lemma: str, subject: Node | None, *, negated: bool = False) -> str:
        """Write a verb in the present tense as it agrees with its subject (``None``: an order)."""
        verb = self.words.verb_words(lemma)
        person = agreement(subject) if subject is not None else "they"
        if negated:
            return f"{'does' if person == 'it' else 'do'}n't {verb.base}"
        return verb.third if person == "it" else verb.base


_WE = Group((Self(), Reference("it")))
_SUBJECTS = {"me": "I", "them": "they", "us": "we"}
_POSSESSIVES = {
    "me": "my", "you": "your", "it": "its", "them": "their", "they": "their", "us": "our",
    "this": "this card's",
}  # fmt: skip

_PLURAL_PLAYERS = frozenset({"opponents", "players", "they", "allies"})
_PLURAL_ROLES = frozenset({"them", "those", "both", "rest", "each-other", "any"})


def agreement(node: Node) -> str:
    """Tell which pronoun a verb agrees with as with its subject: ``I``, ``it`` or ``they``."""
    if isinstance(node, Self):
        return "it" if node.form.startswith("this") else "I"
    if isinstance(node, Player):
        many = node.which == "you" or node.which in _PLURAL_PLAYERS or node.of == Reference("them")
        return "they" if many else "it"
    return "they" if is_plural(node) else "it"


def is_plural(node: Node) -> bool:
    """Tell whether a phrase is written in the plural."""
    match node:
        case Objects(nouns=("any",), quantity=Quantity(rule="at-least", amount=Number(value=1))):
            return False
        case Objects() | TokenSpec():
            return quantity_is_plural(node.quantity)
        case Group():
            return node.conjunction == "and" or is_plural(node.parts[-1])
        case Reference():
            return node.role in _PLURAL_ROLES
        case TopOf():
            return not _is_one(node.amount)
        case Player():
            return node.which in _PLURAL_PLAYERS
        case AbilityText():
            return node.quantity is None or quantity_is_plural(node.quantity)
    return False


def quantity_is_plural(quantity: Quantity) -> bool:
    """Tell whether so many objects are written in the plural."""
    if quantity.rule in {"all", "any-number", "none", "both"}:
        return True
    if quantity.rule in {"each", "any"}:
        return False
    if quantity.rule in {"at-least", "at-most"}:
        return True
    return not _is_one(quantity.amount)


def _is_one(amount: Node | None) -> bool:
    return amount is None or getattr(amount, "value", None) == 1


def is_imperative(action: Action) -> bool:
    """Tell whether an action is an order: what its controller is told to do."""
    return isinstance(action.subject, Player) and action.subject.which == "you"
