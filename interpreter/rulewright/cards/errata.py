"""Changes of what cards say, as a layer with dates: a set file holds each card as it is now, this what it was."""

from dataclasses import dataclass, replace
from pathlib import Path

from rulewright.cards.card import CardDefinition
from rulewright.cards.sets import game_folder, read_definition
from rulewright.data_files import Plain


@dataclass(frozen=True, slots=True)
class Erratum:
    """One card's change: announced on a day by a document; the texts that were other until then.

    ``text`` and ``effect_text`` are what the card said before, empty for nothing, ``None`` where it did not change.
    Both are ``None`` where what it said is not known: it has words that are not read.
    """

    card: str
    date: str
    document: str
    text: str | None = None
    effect_text: str | None = None

    @property
    def is_known(self) -> bool:
        """Whether it is known what the card said before."""
        return self.text is not None or self.effect_text is not None

    def taken_back(self, card: CardDefinition) -> CardDefinition:
        """Give the card as it was before this change."""
        return replace(
            card,
            text=card.text if self.text is None else self.text,
            effect_text=card.effect_text if self.effect_text is None else self.effect_text,
        )


def load_errata(game: str = "riftbound", root: Path | None = None) -> tuple[Erratum, ...]:
    """Load the errata of a game, none where it has none. Raises :class:`DataFileError`."""
    path = game_folder(game, root) / "errata.yaml"
    if not path.is_file():
        return ()
    return tuple(
        Erratum(
            card=plain["card"],
            date=plain["date"],
            document=plain["document"],
            text=_before(plain, "text"),
            effect_text=_before(plain, "effect_text"),
        )
        for plain in read_definition(path, "errata", root) or ()
    )


def _before(plain: Plain, what: str) -> str | None:
    before = plain.get("before", {})
    return (before[what] or "").rstrip("\n") if what in before else None
