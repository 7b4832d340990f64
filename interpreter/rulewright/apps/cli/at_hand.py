"""The cards and the rules of construction that the commands about cards work with."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.errors import UsageError

if TYPE_CHECKING:
    from rulewright.cards import DeckRules, Pool

SetsOption = Annotated[
    list[Path] | None,
    typer.Option("--sets", metavar="PATH", help="Set files, or folders of them, instead of the game's own."),
]
"""The option ``--sets``."""


def pool_at_hand(game: str, sets: list[Path] | None = None, as_of: str | None = None) -> "Pool":
    """Give the cards of the named set files and folders, or else all sets of the game."""
    from rulewright.cards import Pool, load_pool, load_sets

    if not sets:
        return load_pool(game, as_of=as_of)
    return Pool(load_sets(named_set_files(sets)), game=game)


def named_set_files(paths: list[Path]) -> list[Path]:
    """Give the set files that some paths name: files as they are, of a folder all its sets."""
    from rulewright.cards.sets import NO_SETS

    files: list[Path] = []
    for path in paths:
        inside = (
            sorted(file for file in path.glob("*.yaml") if file.name not in NO_SETS)
            if path.is_dir()
            else [path]
        )
        if not inside:
            raise UsageError("there is no set file in this folder", place=str(path))
        files += inside
    return files


def deck_rules_of(game: str) -> "DeckRules":
    """Give the rules of deck construction of a game."""
    from rulewright.cards.construction import TABLE, deck_rules
    from rulewright.rules import load

    return deck_rules(load(game).table(TABLE))
