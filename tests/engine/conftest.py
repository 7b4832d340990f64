"""What the tests of the engine share: the rules of Riftbound, the pool of cards, and decks of our own cards."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulewright import rules
from rulewright.cards import load_pool
from rulewright.cards.sets import read_definition
from rulewright.engine import Game, Ruleset

DECKS = Path(__file__).resolve().parents[2] / "cardtexts" / "riftbound" / "decks"
Sections = dict[str, tuple[str, ...]]


def deck(path: Path) -> Sections:
    plain = read_definition(path, "deck", None)
    return {
        part: tuple(name for name, count in cards.items() for _ in range(count))
        for part, cards in plain["parts"].items()
    }


@pytest.fixture(scope="session")
def ruleset() -> Ruleset:
    return Ruleset(rules.load(), load_pool())


@pytest.fixture(scope="session")
def starter_decks() -> list[Sections]:
    return [deck(path) for path in sorted(DECKS.glob("*.yaml"))]


@pytest.fixture
def new_game(ruleset: Ruleset, starter_decks: list[Sections]) -> Callable[..., Game]:
    def make(seed: int = 1, log: bool = True) -> Game:
        return Game.new(ruleset, starter_decks[:2], seed=seed, names=("Ana", "Bo"), log=log)

    return make


def random_answers(game: Game, seed: int) -> Iterator[str]:
    """Give options at random until the game is over; whoever asks must apply each before the next."""
    source = random.Random(seed)
    while game.decision is not None:
        options = [
            option for option in game.decision.options if option.kind != "add"
        ] or game.decision.options
        yield source.choice(options).id


def play_out(game: Game, seed: int) -> list[str]:
    answers = []
    for answer in random_answers(game, seed):
        game.apply(answer)
        answers.append(answer)
    return answers
