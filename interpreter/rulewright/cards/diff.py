"""Compares two pools of cards by meaning: a rewording is silent, a changed fact or effect is told."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.cards.card import CardDefinition
from rulewright.cards.pool import Pool
from rulewright.cards.reading import read_on
from rulewright.errors import RulewrightError
from rulewright.language.ast import CardText

if TYPE_CHECKING:
    from rulewright.language import Vocabulary

FACTS = ("types", "supertypes", "domains", "tags", "token")
"""What is compared besides figures and texts."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs in a card: what (a fact, ``text``, ``effect_text``), and how it is on each side.

    ``kind``: ``fact``, ``meaning`` where the texts mean different things, ``unread`` where the texts differ and one
    of them cannot be read, so that nothing can be said.
    """

    what: str
    kind: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class CardDiff:
    """A card that differs, with all that differs in it."""

    name: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class PoolDiff:
    """What two pools differ in.

    ``reworded`` are cards that say the same in other words, ``same`` counts equal cards, ``unknown`` are cards of which
    it is not known what one of the sides said; they are in none of the others.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[CardDiff, ...]
    reworded: tuple[str, ...]
    same: int
    unknown: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def diff_pools(old: Pool, new: Pool) -> PoolDiff:
    """Compare two pools card by card, found by name."""
    changed: list[CardDiff] = []
    reworded: list[str] = []
    same = 0
    unknown = {*old.unknown, *new.unknown}
    for card in old:
        if card.name not in new or card.name in unknown:
            continue
        other = new[card.name]
        changes = tuple(card_changes(card, other, old.words, new.words))
        if changes:
            changed.append(CardDiff(card.name, changes))
        elif card == other:
            same += 1
        else:
            reworded.append(card.name)
    return PoolDiff(
        added=tuple(card.name for card in new if card.name not in old and card.name not in unknown),
        removed=tuple(card.name for card in old if card.name not in new and card.name not in unknown),
        changed=tuple(changed),
        reworded=tuple(reworded),
        same=same,
        unknown=tuple(sorted(unknown)),
    )


def card_changes(
    old: CardDefinition,
    new: CardDefinition,
    old_words: "Vocabulary | None" = None,
    new_words: "Vocabulary | None" = None,
) -> Iterator[Change]:
    """Yield what differs between two cards, in facts and in meaning; each text is read with the words of its side."""
    for fact in FACTS:
        before, after = getattr(old, fact), getattr(new, fact)
        if before != after and sorted(map(str, _listed(before))) != sorted(map(str, _listed(after))):
            yield Change(fact, "fact", _words(before), _words(after))
    figures = sorted({name for name, _ in (*old.figures, *new.figures)})
    for name in figures:
        if old.figure(name) != new.figure(name):
            yield Change(name, "fact", _words(old.figure(name)), _words(new.figure(name)))
    for what in ("text", "effect_text"):
        said, says = getattr(old, what), getattr(new, what)
        if said != says:
            before, after = _Said.of(old, said, old_words), _Said.of(new, says, new_words)
            if before.meaning is None or after.meaning is None:
                yield Change(what, "unread", said, says)
            elif before.meaning != after.meaning:
                yield Change(what, "meaning", before.printed(), after.printed())


@dataclass(frozen=True, slots=True)
class _Said:
    """A text of one side, with its meaning where it is read."""

    text: str
    meaning: CardText | None
    words: "Vocabulary | None"

    @classmethod
    def of(cls, card: CardDefinition, text: str, words: "Vocabulary | None") -> "_Said":
        """Read a text."""
        try:
            return cls(text, read_on(card, text, words), words)
        except RulewrightError:
            return cls(text, None, words)

    def printed(self) -> str:
        """Give the canonical wording, or the text itself where there is none."""
        from rulewright.language.print import UnprintableError, print_text

        if self.meaning is None or not self.meaning.abilities:
            return ""
        try:
            return print_text(self.meaning, self.words)
        except UnprintableError:
            return self.text


def _listed(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
