"""A deck: which cards lie in which of its parts. Decks are read from YAML files or from lists that players paste.

The parts of a deck (legend, champion, main, runes, battlefields ...) are those of the game's ``deck-construction``
table; nothing here knows them by name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.cards.card import CardDefinition
from rulewright.cards.pool import Pool
from rulewright.cards.sets import read_definition
from rulewright.data_files import DataFileError, Problem, text_of
from rulewright.errors import UsageError

Copies = tuple[tuple[str, int], ...]
"""Names of cards, each with how many of it."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck by the names of its cards. ``parts`` maps each part to its cards; ``file`` is where it was read."""

    name: str
    parts: tuple[tuple[str, Copies], ...]
    about: str = ""
    file: str = ""

    def part(self, name: str) -> Copies:
        """Give the cards of a part, none where the deck has no such part."""
        return next((cards for part, cards in self.parts if part == name), ())

    def cards(self, part: str) -> tuple[str, ...]:
        """Give the names in a part, each as often as it is there.

        >>> Deck("D", (("runes", (("Pebble", 2),)),)).cards("runes")
        ('Pebble', 'Pebble')
        """
        return tuple(name for name, count in self.part(part) for _ in range(count))

    def to_plain(self) -> dict[str, object]:
        """Give the mapping that a deck file holds."""
        about = {"about": self.about} if self.about else {}
        return {"name": self.name, **about, "parts": {part: dict(cards) for part, cards in self.parts}}


def deck_of(name: str, parts: Mapping[str, Mapping[str, int]], about: str = "", file: str = "") -> Deck:
    """Make a deck from mappings of names to counts."""
    return Deck(name, tuple((part, tuple(cards.items())) for part, cards in parts.items()), about, file)


def load_deck(path: Path, pool: Pool, layout: "Layout", root: Path | None = None) -> Deck:
    """Load a deck from a file: YAML (``.yaml``), or else a list as players paste it.

    Names are found as :meth:`Pool.find` finds them. Raises :class:`DataFileError` with file, line and reason.
    """
    if path.suffix in (".yaml", ".yml"):
        plain = read_definition(path, "deck", root)
        deck = deck_of(plain["name"], plain["parts"], plain.get("about", ""), str(path))
        return _with_known_cards(deck, pool, layout)
    return parse_deck_list(text_of(path), pool, layout, name=path.stem, file=str(path))


@dataclass(frozen=True, slots=True)
class Layout:
    """What parts a deck of a game has, for reading lists: each part's name, headings and what lies in it.

    ``headings`` maps a heading, lower case and without spaces, to a part, or to nothing for cards that are no part
    of the deck (a sideboard). ``kinds`` gives the part of a card that stands under no heading.
    """

    parts: tuple[str, ...]
    headings: tuple[tuple[str, str | None], ...]
    kinds: tuple[tuple[str, str], ...]

    def heading(self, line: str) -> tuple[bool, str | None]:
        """Tell whether a line is a heading, and of which part."""
        said = re.sub(r"[^a-z]", "", re.sub(r"\(\d+\)|\d+", "", line.lower()))
        return next(((True, part) for heading, part in self.headings if heading == said), (False, None))

    def part_for(self, card: CardDefinition) -> str | None:
        """Give the part for a card by its type."""
        return next((part for kind, part in self.kinds if kind in card.types), None)


def _with_known_cards(deck: Deck, pool: Pool, layout: Layout) -> Deck:
    problems: list[Problem] = []
    parts: dict[str, dict[str, int]] = {}
    for part, cards in deck.parts:
        if part not in layout.parts:
            known = ", ".join(layout.parts)
            problems.append(
                Problem(deck.file, f"{deck.name}: a deck has no part {part!r}", f"the parts are {known}")
            )
        for said, count in cards:
            try:
                name = pool.find(said).name
            except UsageError as error:
                problems.append(Problem(deck.file, f"{deck.name}: {error.message}", error.help))
                continue
            into = parts.setdefault(part, {})
            into[name] = into.get(name, 0) + count
    if problems:
        raise DataFileError(problems)
    return deck_of(deck.name, parts, deck.about, deck.file)


_COUNT_FIRST = re.compile(r"^(?:(\d{1,3})\s*[xX×]?\s+|(\d{1,3})[xX×]\s*)(.+)$")
_COUNT_LAST = re.compile(r"^(.+?)\s+(?:[xX×]\s*(\d{1,3})|\((\d{1,3})\))$")
_ROW = re.compile(r'^"?(\d{1,3})"?\s*[,;]\s*"?([^"]+?)"?$')
_CODE = re.compile(r"\s*[\[(]?\b([A-Z0-9]{2,6}-[A-Z]{0,3}\d+[a-z]?\*?)(?:[/-]\d+)?[\])]?\s*$")
LONGEST_LINE = 200
"""Characters of the longest line of a list: more is no name of a card."""

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_COMMENT = re.compile(r"^(#|//|```|(?:count|quantity|qty)\s*[,;])", re.IGNORECASE)
_BULLET = re.compile(r"^[-–•*·]\s+(?=\S)")
_ASIDE = re.compile(r"^(?:SB|Sideboard)\s*:\s*(?=\d)", re.IGNORECASE)


def parse_deck_list(text: str, pool: Pool, layout: Layout, name: str = "deck", file: str = "deck") -> Deck:
    """Read a deck from a list as deck builders export it and players paste it.

    A line is a heading (``Main Deck:``), a comment (``#``, ``//``) or a card with its count: ``3 Spark``,
    ``3x Spark``, ``Spark x3``, ``Spark (3)``, ``3,"Spark"``, ``3 Spark (RWS-012)``, ``3 RWS-012``, ``Spark``, behind a
    bullet or not; ``SB: 2 Spark`` is of a sideboard. Where no heading says so, a card goes
    where its type belongs. Raises :class:`DataFileError` with the line of each card that is not known.
    """
    parts: dict[str, dict[str, int]] = {part: {} for part in layout.parts}
    problems: list[Problem] = []
    for number, said, part, counted in _listed(text, layout, file):
        count, words = _counted(said)
        try:
            card = _card_meant(words, pool)
        except UsageError as error:
            problems.append(Problem(f"{file}:{number}", error.message, error.help))
            continue
        goes = part if part is not None else layout.part_for(card)
        if not counted:
            continue
        if goes is None:
            problems.append(
                Problem(f"{file}:{number}", f"{card.name} is a {' '.join(card.types)}, which is in no deck")
            )
            continue
        parts[goes][card.name] = parts[goes].get(card.name, 0) + count
    if problems:
        raise DataFileError(problems)
    if not any(parts.values()):
        raise DataFileError([Problem(file, "there is no card in this list")])
    return deck_of(name, {part: cards for part, cards in parts.items() if cards}, file=file)


def _listed(text: str, layout: Layout, file: str) -> Iterator[tuple[int, str, str | None, bool]]:
    # A sideboard's cards must be known too, but are no part of the deck (counted is false).
    part: str | None = None
    counted = True
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.strip()
        if not said or _COMMENT.match(said):
            continue
        if len(said) > LONGEST_LINE or _CONTROL.search(said):
            message = f"this is no line of a list of cards: {said[:40]!r}"
            raise DataFileError([Problem(f"{file}:{number}", message)])
        said = _BULLET.sub("", said)
        if aside := _ASIDE.match(said):
            yield number, said[aside.end() :], None, False
            continue
        is_heading, under = layout.heading(said)
        if is_heading:
            part, counted = under, under is not None
            continue
        yield number, said, part, counted


def _counted(said: str) -> tuple[int, str]:
    if first := _COUNT_FIRST.match(said):
        return int(first[1] or first[2]), first[3]
    if row := _ROW.match(said):
        return int(row[1]), row[2]
    if last := _COUNT_LAST.match(said):
        return int(last[2] or last[3]), last[1]
    return 1, said


def _card_meant(words: str, pool: Pool) -> CardDefinition:
    try:
        return pool.find(words)
    except UsageError:
        code = _CODE.search(words)
        if code is None:
            raise
    if before := words[: code.start()].strip():
        return pool.find(before)
    return pool.find(code[1])


def deck_list(deck: Deck, titles: Mapping[str, str]) -> str:
    """Write a deck as a list that players paste: for each part its title, then its cards with their counts."""
    return "\n\n".join(_part_text(titles.get(part, part), cards) for part, cards in deck.parts) + "\n"


def _part_text(title: str, cards: Iterable[tuple[str, int]]) -> str:
    return "\n".join([f"{title}:", *(f"{count} {name}" for name, count in cards)])
