"""Recorded games: what a game was set up with, and the answers given; that is all a game depends on.

A replay is JSON text. It carries the version of Rulewright and a hash of the rules and cards it was played under, and
is refused, not guessed, where they are others than now: an answer means nothing under other rules.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright import __version__
from rulewright.cards.deck import Deck, deck_of
from rulewright.data_files import DataFileError, plain_json, text_of
from rulewright.engine import Game
from rulewright.errors import RulewrightError, UsageError
from rulewright.paths import write_atomically
from rulewright.play.table import Table

FORMAT = "rulewright-replay-1"
"""The form of the file."""

CONCEDES = "concede:"
"""Before a player's number: the answer of one who gives the game up (650)."""


class ReplayError(RulewrightError):
    """A replay cannot be played: the file is damaged, or it is of another version of the engine, rules or cards."""


@dataclass(frozen=True, slots=True)
class Replay:
    """One recorded game: ``seed`` is that of the game, ``answers`` the ids of the options chosen, in order.

    ``players`` are the names shown in the log, ``digest`` is the hash of the state that the game ended in.
    """

    game: str
    mode: str
    seed: int
    players: tuple[str, ...]
    decks: tuple[Deck, ...]
    answers: tuple[str, ...]
    digest: str
    rules: str
    version: str = __version__

    def to_plain(self) -> dict[str, Any]:
        """Give the replay as the mapping that its file holds."""
        return {
            "format": FORMAT,
            "version": self.version,
            "game": self.game,
            "rules": self.rules,
            "mode": self.mode,
            "seed": self.seed,
            "players": list(self.players),
            "decks": [deck.to_plain() for deck in self.decks],
            "answers": list(self.answers),
            "digest": self.digest,
        }

    def start(self, table: Table) -> Game:
        """Set the game up as it was, before its first answer. Raises :class:`ReplayError` for other rules."""
        if self.rules != table.digest(self.decks):
            raise ReplayError(
                "this game was played under other rules or cards than are here",
                help="play it with the data folders of that time; RULEWRIGHT_DATA names them",
            )
        return table.new_game(self.decks, self.seed, self.mode, self.players)

    def games(self, table: Table) -> Iterator[Game]:
        """Play the game again: the game itself, after each answer. Raises :class:`ReplayError` where it departs."""
        game = self.start(table)
        yield game
        for number, answer in enumerate(self.answers, 1):
            if answer.startswith(CONCEDES):
                game.concede(int(answer.removeprefix(CONCEDES)))
                yield game
                continue
            offered = () if game.decision is None else game.decision.options
            if all(option.id != answer for option in offered):
                raise ReplayError(
                    f"answer {number}, {answer!r}, is not offered there", place=f"answer {number}"
                )
            game.apply(answer)
            yield game
        if game.digest() != self.digest:
            raise ReplayError("the game ends in another state than it did when it was recorded")


def save(replay: Replay, path: Path) -> None:
    """Write a replay, whole or not at all."""
    write_atomically(path, json.dumps(replay.to_plain(), ensure_ascii=False, indent=1) + "\n")


def load(path: Path) -> Replay:
    """Read a replay. Raises :class:`ReplayError` with the place and the reason where it cannot be played here."""
    try:
        plain = plain_json(text_of(path), str(path))
    except (DataFileError, UsageError) as error:
        raise ReplayError(error.message, place=error.place, help=error.help) from error
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise ReplayError(f"this is not a replay of the form {FORMAT}", place=str(path))
    if plain.get("version") != __version__:
        raise ReplayError(
            f"this game was recorded by rulewright {plain.get('version')}, and this is {__version__}",
            place=str(path),
            help="play it with the version that recorded it",
        )
    return _from_plain(plain, str(path))


_FIELDS: dict[str, Callable[[Any], bool]] = {
    "game": lambda value: isinstance(value, str),
    "rules": lambda value: isinstance(value, str),
    "mode": lambda value: isinstance(value, str),
    "seed": lambda value: type(value) is int,
    "digest": lambda value: isinstance(value, str),
    "players": lambda value: _all_text(value),
    "answers": lambda value: _all_text(value),
    "decks": lambda value: isinstance(value, list) and all(isinstance(deck, dict) for deck in value),
}


def _all_text(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _from_plain(plain: dict[str, Any], place: str) -> Replay:
    for key, fits in _FIELDS.items():
        if key not in plain:
            raise ReplayError(f"the key {key!r} is missing", place=place)
        if not fits(plain[key]):
            raise ReplayError(f"the key {key!r} does not hold what it must", place=place)
    unknown = sorted(set(plain) - set(_FIELDS) - {"format", "version"})
    if unknown:
        raise ReplayError(f"unknown key {unknown[0]!r}", place=place)
    return Replay(
        game=plain["game"],
        mode=plain["mode"],
        seed=plain["seed"],
        players=tuple(plain["players"]),
        decks=tuple(_deck(deck, place) for deck in plain["decks"]),
        answers=tuple(plain["answers"]),
        digest=plain["digest"],
        rules=plain["rules"],
    )


def _deck(plain: dict[str, Any], place: str) -> Deck:
    try:
        return deck_of(plain["name"], plain["parts"], plain.get("about", ""), place)
    except (KeyError, AttributeError) as error:
        raise ReplayError("a deck in it is damaged", place=place) from error
