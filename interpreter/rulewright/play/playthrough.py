"""Plays a game to its end with agents, and records it."""

from collections.abc import Callable, Sequence

from rulewright.cards.deck import Deck
from rulewright.engine import Game
from rulewright.errors import RulewrightError
from rulewright.play.agents import Agent, EagerAgent, RandomAgent
from rulewright.play.replay import Replay
from rulewright.play.seeds import derived
from rulewright.play.table import Table

LONGEST_GAME = 20_000
"""How many decisions a game may take before it counts as one that does not end."""


class UnfinishedGameError(RulewrightError):
    """A game that does not come to an end."""


def play_out(
    game: Game,
    agents: Sequence[Agent],
    longest: int = LONGEST_GAME,
    watch: Callable[[Game], None] | None = None,
) -> list[str]:
    """Play a game to its end and give the answers; ``watch`` is called at every decision, before it is answered.

    Raises :class:`UnfinishedGameError` after ``longest`` decisions.
    """
    answers: list[str] = []
    while (decision := game.decision) is not None:
        if len(answers) >= longest:
            raise UnfinishedGameError(f"the game has not ended after {longest} decisions")
        if watch is not None:
            watch(game)
        answer = agents[decision.player].choose(game.view(decision.player), decision)
        game.apply(answer)
        answers.append(answer)
    return answers


def random_agents(seed: int, players: int) -> list[Agent]:
    """Give an agent for each player, each with random numbers of its own."""
    return [RandomAgent(derived(seed, "agent", player)) for player in range(players)]


def eager_agents(seed: int, players: int) -> list[Agent]:
    """Give an agent for each player that leans to what is worth seeing, each with random numbers of its own."""
    return [EagerAgent(derived(seed, "agent", player)) for player in range(players)]


def recorded_game(
    table: Table,
    decks: Sequence[Deck],
    seed: int,
    mode: str = "duel",
    players: Sequence[str] = (),
    agents: Sequence[Agent] | None = None,
) -> tuple[Game, Replay]:
    """Play a game of these decks to its end, by default with random agents; give it and its record."""
    names = tuple(players) or tuple(f"P{number + 1}" for number in range(len(decks)))
    game = table.new_game(decks, seed, mode, names)
    answers = play_out(game, random_agents(seed, len(decks)) if agents is None else agents)
    return game, record(table, game, decks, seed, mode, names, answers)


def record(
    table: Table,
    game: Game,
    decks: Sequence[Deck],
    seed: int,
    mode: str,
    players: Sequence[str],
    answers: Sequence[str],
) -> Replay:
    """Give the record of a game that was played with these answers."""
    return Replay(
        game=table.game,
        mode=mode,
        seed=seed,
        players=tuple(players),
        decks=tuple(decks),
        answers=tuple(answers),
        digest=game.digest(),
        rules=table.digest(decks),
    )
