"""A match is won by games, and a battlefield that a game was won with is out (486)."""

import pytest

from rulewright.cards.deck import Deck
from rulewright.engine import Game
from rulewright.errors import UsageError
from rulewright.play.match import play_out, random_agents
from rulewright.play.series import Series, play_series
from rulewright.play.table import Table


def ended(series: Series, seed: int) -> Game:
    game = series.next_game(seed)
    play_out(game, random_agents(seed, 2))
    return game


def test_a_match_is_won_by_two_games_of_three(table: Table, decks: list[Deck]) -> None:
    series = play_series(table, decks, 5)
    assert series.winner is not None
    assert series.wins[series.winner] == 2
    assert sum(series.wins) == series.played


def test_a_battlefield_that_a_game_was_won_with_is_out(table: Table, decks: list[Deck]) -> None:
    series = Series(table.ruleset, decks)
    before = series.available(0)
    game = ended(series, 1)
    series.record(game)
    assert game.winners is not None
    assert set(series.available(0)) == set(before) - {game.brought[0]}


def test_a_battlefield_of_a_game_that_nobody_won_may_be_brought_again(
    table: Table, decks: list[Deck]
) -> None:
    series = Series(table.ruleset, decks)
    before = series.available(0)
    unfinished = series.next_game(1)
    while unfinished.brought.keys() != {0, 1}:
        assert unfinished.decision is not None
        unfinished.apply(unfinished.decision.options[0].id)
    series.record(unfinished)
    assert (series.wins, series.available(0)) == ([0, 0], before)


def test_each_battlefield_comes_once_before_any_comes_twice(table: Table, decks: list[Deck]) -> None:
    series = Series(table.ruleset, decks, best_of=5)
    for number in range(3):
        assert len(series.available(0)) == 3 - number
        series.record(ended(series, number))
    assert len(series.available(0)) == 3
    for card in series.presented[0]:
        series.presented[0][card] = 2
    assert series.available(0) == ()


def test_a_match_has_three_games_or_five(table: Table, decks: list[Deck]) -> None:
    with pytest.raises(UsageError, match="no match of 4 games"):
        Series(table.ruleset, decks, best_of=4)
