"""Loads card sets: ``cardtexts/<game>/<set>.yaml``, held to a closed schema, kept under a hash of their content.

Beside the sets lie the folder ``decks`` and the files of :data:`NO_SETS`: what a card said before a day, which cards
may not be in a deck from a day on, how public exports are read.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright import cache
from rulewright.cards.card import CardDefinition, card_from
from rulewright.data_files import DataFileError, Plain, Problem, content_of, parse, schema_problems
from rulewright.errors import UsageError
from rulewright.paths import data_dir, shared_data

SCHEMA = "cards.schema.json"
"""The schema of all files, in the folder ``cardtexts``."""

NO_SETS = ("bans.yaml", "deck-codes.yaml", "errata.yaml", "imports.yaml")
"""Files beside the sets that are not sets."""


@dataclass(frozen=True, slots=True)
class CardSet:
    """One set: its code, its name, the day or month of its release where that is known, its cards, its file."""

    code: str
    name: str
    released: str
    cards: tuple[CardDefinition, ...]
    file: str


def load_set(path: Path, root: Path | None = None) -> CardSet:
    """Load one set file; ``root`` is the data root whose schema it is held to.

    Raises :class:`DataFileError` with file, line, card and reason of everything that is wrong in it, and
    :class:`UsageError` where there is no such file.
    """
    return load_sets([path], root)[0]


def load_sets(paths: Iterable[Path], root: Path | None = None) -> tuple[CardSet, ...]:
    """Load several set files; see :func:`load_set`. The problems of all of them are told together."""
    sets: list[CardSet] = []
    problems: list[Problem] = []
    schema = schema_of(root)
    for path in paths:
        try:
            sets.append(_set_from(content_of(path), str(path), schema))
        except DataFileError as error:
            problems += error.problems
    if problems:
        raise DataFileError(problems)
    return tuple(sets)


def parse_set(content: bytes, file: str, root: Path | None = None) -> CardSet:
    """Make a set from the bytes of its file; ``file`` is the name that errors call it by."""
    return _set_from(content, file, schema_of(root))


def set_files(game: str = "riftbound", root: Path | None = None) -> list[Path]:
    """Give the set files of a game in the data root, in the order of the alphabet."""
    folder = game_folder(game, root)
    return sorted(path for path in folder.glob("*.yaml") if path.name not in NO_SETS)


def game_folder(game: str = "riftbound", root: Path | None = None) -> Path:
    """Give the folder with a game's sets. Raises :class:`UsageError` where there is no such game."""
    folder = (data_dir() if root is None else root) / "cardtexts"
    here = folder / game
    if not game or not here.is_dir() or here.parent != folder:
        known = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
        raise UsageError(
            f"there are no card sets of a game {game!r}",
            place=str(folder),
            help=f"the games are {', '.join(known)}" if known else None,
        )
    return here


def read_definition(path: Path, definition: str, root: Path | None = None) -> Plain:
    """Read a file that holds a definition of the schema other than a set: ``deck``, ``errata`` or ``bans``."""
    source = parse(content_of(path), str(path))
    if problems := list(schema_problems(source, json.loads(schema_of(root)), definition)):
        raise DataFileError(problems)
    return source.plain


def schema_of(root: Path | None = None) -> bytes:
    """Give the schema of a data root's files: its own, or ours where it has none."""
    return shared_data(f"cardtexts/{SCHEMA}", root).read_bytes()


def _set_from(content: bytes, file: str, schema: bytes) -> CardSet:
    key = cache.content_key(schema, file, content)
    stored = cache.load("sets", key)
    if stored is None:
        checked = _checked(content, file, schema)
        cache.store("sets", key, json.dumps(checked, ensure_ascii=False, separators=(",", ":")).encode())
    else:
        checked = json.loads(stored)
    plain, lines = checked
    places = (f"{file}:{line}" for line in lines)
    cards = (card_from(card, plain["set"], place) for card, place in zip(plain["cards"], places, strict=True))
    return CardSet(plain["set"], plain["name"], plain.get("released", ""), tuple(cards), file)


def _checked(content: bytes, file: str, schema: bytes) -> tuple[Plain, list[int]]:
    source = parse(content, file)
    if problems := list(schema_problems(source, json.loads(schema))):
        raise DataFileError(problems)
    lines = [source.line(["cards", position]) for position in range(len(source.plain["cards"]))]
    if problems := list(_clashes(source.plain["cards"], [f"{file}:{line}" for line in lines])):
        raise DataFileError(problems)
    return source.plain, lines


def _clashes(cards: Sequence[Mapping[str, Plain]], places: Sequence[str]) -> Iterator[Problem]:
    for what in ("name", "number"):
        first: dict[str, str] = {}
        for card, place in zip(cards, places, strict=True):
            said = card.get(what)
            if said is None:
                continue
            if said.casefold() in first:
                yield Problem(
                    place,
                    f"{card['name']}: the {what} {said} is here a second time",
                    f"first {first[said.casefold()]}",
                )
            first.setdefault(said.casefold(), place)
