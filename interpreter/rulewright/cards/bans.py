"""Which cards may not be in a deck, with the days: a format's list of bans as dated data."""

from dataclasses import dataclass
from pathlib import Path

from rulewright.cards.sets import game_folder, read_definition


@dataclass(frozen=True, slots=True)
class Ban:
    """One card's ban: from a day on, and until another where it was lifted."""

    card: str
    from_day: str
    until: str | None = None
    document: str = ""

    def holds(self, day: str) -> bool:
        """Tell whether the card is banned on a day.

        >>> Ban("Spark", "2026-07-24").holds("2026-07-23")
        False
        """
        return self.from_day <= day and (self.until is None or day < self.until)


def load_bans(game: str = "riftbound", root: Path | None = None) -> tuple[Ban, ...]:
    """Load the bans of a game, none where it has none. Raises :class:`DataFileError`."""
    path = game_folder(game, root) / "bans.yaml"
    if not path.is_file():
        return ()
    return tuple(
        Ban(plain["card"], plain["from"], plain.get("until"), plain.get("document", ""))
        for plain in read_definition(path, "bans", root) or ()
    )
