"""Compares two pools of cards by meaning: a rewording is silent, a changed fact or effect is told."""

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.cards.card import CardDefinition
from rulewright.cards.pool import Pool
from rulewright.cards.reading import read_on
from rulewright.errors import RulewrightError
from rulewright.language.ast import CardText

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
    """What two pools differ in; ``reworded`` counts cards that say the same in other words, ``same`` equal cards."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[CardDiff, ...]
    reworded: tuple[str, ...]
    same: int

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def diff_pools(old: Pool, new: Pool) -> PoolDiff:
    """Compare two pools card by card, found by name."""
    changed: list[CardDiff] = []
    reworded: list[str] = []
    same = 0
    for card in old:
        if card.name not in new:
            continue
        other = new[card.name]
        changes = tuple(card_changes(card, other))
        if changes:
            changed.append(CardDiff(card.name, changes))
        elif card == other:
            same += 1
        else:
            reworded.append(card.name)
    return PoolDiff(
        added=tuple(card.name for card in new if card.name not in old),
        removed=tuple(card.name for card in old if card.name not in new),
        changed=tuple(changed),
        reworded=tuple(reworded),
        same=same,
    )


def card_changes(old: CardDefinition, new: CardDefinition) -> Iterator[Change]:
    """Yield what differs between two cards, in facts and in meaning."""
    for fact in FACTS:
        before, after = getattr(old, fact), getattr(new, fact)
        if before != after and sorted(map(str, _listed(before))) != sorted(map(str, _listed(after))):
            yield Change(fact, "fact", _words(before), _words(after))
    figures = sorted({name for name, _ in (*old.figures, *new.figures)})
    for name in figures:
        if old.figure(name) != new.figure(name):
            yield Change(name, "fact", _words(old.figure(name)), _words(new.figure(name)))
    for what in ("text", "effect_text"):
        yield from _text_changes(what, old, new)


def _text_changes(what: str, old: CardDefinition, new: CardDefinition) -> Iterator[Change]:
    said, says = getattr(old, what), getattr(new, what)
    if said == says:
        return
    before, after = _read(old, said), _read(new, says)
    if before is None or after is None:
        yield Change(what, "unread", said, says)
    elif before != after:
        yield Change(what, "meaning", _printed(before, said), _printed(after, says))


def _read(card: CardDefinition, text: str) -> CardText | None:
    try:
        return read_on(card, text)
    except RulewrightError:
        return None


def _printed(meaning: CardText, text: str) -> str:
    from rulewright.language.print import UnprintableError, print_text

    try:
        return print_text(meaning) if meaning.abilities else ""
    except UnprintableError:
        return text


def _listed(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
