"""A match of several games between the same players, and the battlefields that they may bring to each (486)."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rulewright.cards.deck import Deck
from rulewright.engine import Game, Ruleset
from rulewright.errors import UsageError
from rulewright.play.agents import Agent
from rulewright.play.playthrough import play_out, random_agents
from rulewright.play.seeds import derived
from rulewright.play.table import Table


class Match:
    """A match in progress: who has won how often, and which battlefields each player has presented.

    ``wins`` counts the games that each player has won, ``presented`` how often each player has brought which
    battlefield, ``removed`` what was brought to a game that somebody won, and is out for the match.
    """

    def __init__(
        self, ruleset: Ruleset, decks: Sequence[Deck], mode: str = "match", best_of: int | None = None
    ) -> None:
        """Begin a match. Raises :class:`UsageError` where the mode has no matches of so many games."""
        lengths = lengths_of(ruleset, mode)
        self.best_of = lengths[0] if best_of is None else best_of
        if self.best_of not in lengths:
            told = ", ".join(map(str, lengths))
            raise UsageError(f"there is no match of {self.best_of} games", help=f"it is best of {told}")
        self.ruleset, self.decks, self.mode = ruleset, tuple(decks), mode
        self.section = brought_section(ruleset)
        self.played = 0
        self.wins = [0] * len(self.decks)
        self.presented: list[Counter[str]] = [Counter() for _ in self.decks]
        self.removed: list[set[str]] = [set() for _ in self.decks]

    @property
    def winner(self) -> int | None:
        """The player who has won the match; nothing while it goes on."""
        return self.won_by(self.wins)

    def won_by(self, wins: Sequence[int]) -> int | None:
        """Give who has won the match with so many games each has won; nothing while it goes on."""
        needed = self.best_of // 2 + 1
        return next((player for player, won in enumerate(wins) if won >= needed), None)

    def wins_with(self, game: Game) -> tuple[int, ...]:
        """Give how many games each player has won, with one that is not taken down yet."""
        won = game.winners or ()
        return tuple(wins + (player in won) for player, wins in enumerate(self.wins))

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

    def next_game(self, seed: int, ask_passes: bool = False) -> Game:
        """Set the next game up, with the battlefields that each player may still bring."""
        return Game.new(
            self.ruleset,
            [self._deck(player) for player in range(len(self.decks))],
            derived(seed, "game", self.played),
            self.mode,
            [f"P{player + 1}" for player in range(len(self.decks))],
            ask_passes=ask_passes,
        )

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
        self.wins = list(self.wins_with(game))
        for player, card in game.brought.items():
            self.presented[player][card] += 1
            if game.winners:
                self.removed[player].add(card)


def lengths_of(ruleset: Ruleset, mode: str) -> tuple[int, ...]:
    """Give how many games there may be in a match of a mode, the usual number first; one where it has no matches."""
    return tuple(ruleset.mode(mode).get("best-of", (1,)))


def brought_section(ruleset: Ruleset) -> str:
    """Give the part of a deck whose cards are brought as battlefields, as the rules of setup name it."""
    for entry in ruleset.rules.procedures.values():
        for step in entry.procedure.steps if entry.procedure is not None else ():
            if step.get("do") == "bring-locations":
                return str(step["with"]["section"])
    raise UsageError(f"nothing is brought to a game of {ruleset.rules.game}")


def play_match(
    table: Table,
    decks: Sequence[Deck],
    seed: int,
    best_of: int | None = None,
    agents_of: Callable[[int, int], Sequence[Agent]] = random_agents,
    watch: Callable[[Game], Any] | None = None,
) -> Match:
    """Play a match to its end, by default with random agents, and give it."""
    match = Match(table.ruleset, decks, best_of=best_of)
    while match.winner is None and match.played < 2 * match.best_of:
        game = match.next_game(seed)
        play_out(game, agents_of(derived(seed, "agents", match.played), len(decks)), watch=watch)
        match.record(game)
    return match
