"""Writes cards in the canonical wording: each text is read, and written again from its meaning alone.

Set files that come with Rulewright hold no publisher's sentence: what a card does is a fact, how it is said is ours.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulewright.cards.card import CardDefinition
from rulewright.cards.importing import LeftOut
from rulewright.cards.reading import meanings, read, words_of
from rulewright.errors import RulewrightError
from rulewright.language.ast import CardText

if TYPE_CHECKING:
    from rulewright.language import Vocabulary


class WordingError(RulewrightError):
    """A text whose canonical wording does not read to the same meaning."""


@dataclass(frozen=True, slots=True)
class Canonical:
    """Cards in the canonical wording, and those that cannot be written so, each with the reason."""

    cards: tuple[CardDefinition, ...]
    left_out: tuple[LeftOut, ...]


def canonical_text(text: str, words: "Vocabulary | None" = None) -> str:
    """Give the canonical wording of a text.

    Raises :class:`UnreadTextError` where the text is not read whole, and :class:`WordingError` where the wording does
    not read back to the same meaning.
    """
    return canonical_wording(read(text, words), words) if text else ""


def canonical_wording(meaning: CardText, words: "Vocabulary | None" = None) -> str:
    """Give the canonical wording of a meaning, nothing for no meaning; see :func:`canonical_text`."""
    from rulewright.language.print import print_text

    if not meaning.abilities:
        return ""
    written = print_text(meaning, words)
    if read(written, words) != meaning:
        raise WordingError(f"the canonical wording reads otherwise: {written!r}")
    return written


def canonical_card(card: CardDefinition, words: "Vocabulary | None" = None) -> CardDefinition:
    """Give a card with both its texts in the canonical wording; see :func:`canonical_text`."""
    text, effect = meanings(card, words)
    return replace(card, text=canonical_wording(text, words), effect_text=canonical_wording(effect, words))


def canonical_cards(cards: Iterable[CardDefinition], game: str = "riftbound") -> Canonical:
    """Give cards in the canonical wording. A card that cannot be written so is left out whole, never in part."""
    cards = tuple(cards)
    words = words_of(cards, game=game)
    written: list[CardDefinition] = []
    left_out: list[LeftOut] = []
    for card in cards:
        try:
            written.append(canonical_card(card, words))
        except RulewrightError as error:
            left_out.append(LeftOut(f"{card.name} ({card.code})", str(error)))
    return Canonical(tuple(written), tuple(left_out))
