"""A match of several games between the same players, and the battlefields that they may bring to each (486)."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rulewright.cards.deck import Deck
from rulewright.engine import Game
from rulewright.errors import UsageError
from rulewright.play.agents import Agent
from rulewright.play.match import play_out, random_agents
from rulewright.play.seeds import derived
from rulewright.play.table import Table


class Series:
    """A match in progress: who has won how often, and which battlefields each player has presented.

    ``wins`` counts the games that each player has won, ``presented`` how often each player has brought which
    battlefield, ``removed`` what was brought to a game that somebody won, and is out for the match.
    """

    def __init__(
        self, table: Table, decks: Sequence[Deck], mode: str = "match", best_of: int | None = None
    ) -> None:
        """Begin a match. Raises :class:`UsageError` where the mode has no matches of so many games."""
        lengths = tuple(table.ruleset.mode(mode).get("best-of", (1,)))
        self.best_of = lengths[0] if best_of is None else best_of
        if self.best_of not in lengths:
            told = ", ".join(map(str, lengths))
            raise UsageError(f"there is no match of {self.best_of} games", help=f"it is best of {told}")
        self.table, self.decks, self.mode = table, tuple(decks), mode
        self.section = brought_section(table)
        self.played = 0
        self.wins = [0] * len(self.decks)
        self.presented: list[Counter[str]] = [Counter() for _ in self.decks]
        self.removed: list[set[str]] = [set() for _ in self.decks]

    @property
    def winner(self) -> int | None:
        """The player who has won the match; nothing while it goes on."""
        needed = self.best_of // 2 + 1
        return next((player for player, wins in enumerate(self.wins) if wins >= needed), None)

    def available(self, player: int) -> tuple[str, ...]:
        """Give the battlefields that a player may bring to the next game.

        Those that a game was won with are out (486.5). Once all have been presented, each may be brought again, but
        none more than twice in a match (486.6.a).
        """
        cards = self.decks[player].cards(self.section)
        fresh = tuple(card for card in cards if card not in self.removed[player])
        if fresh:
            return fresh
        return tuple(card for card in cards if self.presented[player][card] < 2)

    def next_game(self, seed: int) -> Game:
        """Set the next game up, with the battlefields that each player may still bring."""
        decks = [self._deck(player) for player in range(len(self.decks))]
        return self.table.new_game(decks, derived(seed, "game", self.played), self.mode)

    def _deck(self, player: int) -> Deck:
        deck, allowed = self.decks[player], self.available(player)
        parts = tuple(
            (part, tuple((card, 1) for card in allowed) if part == self.section else cards)
            for part, cards in deck.parts
        )
        return replace(deck, parts=parts)

    def record(self, game: Game) -> None:
        """Take down how a game ended: who won it, if anybody did, and what was brought to it (486.5.a)."""
        self.played += 1
        for player in game.winners or ():
            self.wins[player] += 1
        for player, card in game.brought.items():
            self.presented[player][card] += 1
            if game.winners:
                self.removed[player].add(card)


def brought_section(table: Table) -> str:
    """Give the part of a deck whose cards are brought as battlefields, as the rules of setup name it."""
    for entry in table.ruleset.rules.procedures.values():
        for step in entry.procedure.steps if entry.procedure is not None else ():
            if step.get("do") == "bring-locations":
                return str(step["with"]["section"])
    raise UsageError(f"nothing is brought to a game of {table.game}")


def play_series(
    table: Table,
    decks: Sequence[Deck],
    seed: int,
    best_of: int | None = None,
    agents_of: Callable[[int, int], Sequence[Agent]] = random_agents,
    watch: Callable[[Game], Any] | None = None,
) -> Series:
    """Play a match to its end, by default with random agents, and give it."""
    series = Series(table, decks, best_of=best_of)
    while series.winner is None and series.played < 2 * series.best_of:
        game = series.next_game(seed)
        play_out(game, agents_of(derived(seed, "agents", series.played), len(decks)), watch=watch)
        series.record(game)
    return series
