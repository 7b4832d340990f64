"""A match is won by games, and a battlefield that a game was won with is out (486)."""

import pytest

from rulewright.cards.deck import Deck
from rulewright.engine import Game
from rulewright.errors import UsageError
from rulewright.play.match import Match, play_match
from rulewright.play.playthrough import play_out, random_agents
from rulewright.play.table import Table


def ended(match: Match, seed: int) -> Game:
    game = match.next_game(seed)
    play_out(game, random_agents(seed, 2))
    return game


def test_a_match_is_won_by_two_games_of_three(table: Table, decks: list[Deck]) -> None:
    match = play_match(table, decks, 5)
    assert match.winner is not None
    assert match.wins[match.winner] == 2
    assert sum(match.wins) == match.played


def test_a_battlefield_that_a_game_was_won_with_is_out(table: Table, decks: list[Deck]) -> None:
    match = Match(table.ruleset, decks)
    before = match.available(0)
    game = ended(match, 1)
    match.record(game)
    assert game.winners is not None
    assert set(match.available(0)) == set(before) - {game.brought[0]}


def test_a_battlefield_of_a_game_that_nobody_won_may_be_brought_again(
    table: Table, decks: list[Deck]
) -> None:
    match = Match(table.ruleset, decks)
    before = match.available(0)
    unfinished = match.next_game(1)
    while unfinished.brought.keys() != {0, 1}:
        assert unfinished.decision is not None
        unfinished.apply(unfinished.decision.options[0].id)
    match.record(unfinished)
    assert (match.wins, match.available(0)) == ([0, 0], before)


def test_each_battlefield_comes_once_before_any_comes_twice(table: Table, decks: list[Deck]) -> None:
    match = Match(table.ruleset, decks, best_of=5)
    for number in range(3):
        assert len(match.available(0)) == 3 - number
        match.record(ended(match, number))
    assert len(match.available(0)) == 3
    for card in match.presented[0]:
        match.presented[0][card] = 2
    assert match.available(0) == ()


def test_a_match_has_three_games_or_five(table: Table, decks: list[Deck]) -> None:
    with pytest.raises(UsageError, match="no match of 4 games"):
        Match(table.ruleset, decks, best_of=4)
