"""Whole games with random agents: they end, they are the same from the same seed, and their log has its rules."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.cards.deck import Deck
from rulewright.engine import Game
from rulewright.play.checks import Oracle
from rulewright.play.playthrough import UnfinishedGameError, play_out, random_agents, recorded_game
from rulewright.play.table import Table

SEEDS = range(1, 5)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_comes_to_its_end_with_all_invariants_holding(
    table: Table, decks: list[Deck], seed: int
) -> None:
    game = table.new_game(decks, seed)
    play_out(game, random_agents(seed, 2), watch=Oracle())
    assert game.winners is not None


def test_the_same_seed_gives_the_same_game(table: Table, decks: list[Deck]) -> None:
    first, first_record = recorded_game(table, decks, 3)
    second, second_record = recorded_game(table, decks, 3)
    assert first_record == second_record
    assert first.log == second.log
    assert recorded_game(table, decks, 4)[1].answers != first_record.answers


@pytest.mark.parametrize("seed", SEEDS)
def test_every_line_of_a_log_cites_a_rule_that_exists(table: Table, decks: list[Deck], seed: int) -> None:
    game, _ = recorded_game(table, decks, seed)
    assert len(game.log) > 50
    assert [record.text for record in game.log if not record.rules] == []
    cited = {rule for record in game.log for rule in record.rules}
    assert sorted(rule for rule in cited if rule not in table.rules) == []


def test_a_game_that_does_not_end_is_told(table: Table, decks: list[Deck]) -> None:
    game = table.new_game(decks, 1)
    with pytest.raises(UnfinishedGameError, match="after 5 decisions"):
        play_out(game, random_agents(1, 2), longest=5)


GO_ON = """
import json, sys
from rulewright.engine import Game
from rulewright.play.table import load_table
given = json.load(sys.stdin)
ruleset = load_table("riftbound").ruleset
for text, answers in given:
    game = Game.from_json(ruleset, text)
    for answer in answers:
        game.apply(answer)
    print(game.digest())
"""


def decisions_in_the_middle(game: Game, answers: tuple[str, ...]) -> list[int]:
    """The numbers of the answers that are given while some effect is being carried out."""
    found = []
    for number, answer in enumerate(answers):
        decision = game.decision
        assert decision is not None
        if decision.kind not in ("action", "priority", "focus", "mulligan") and game.state.chain:
            found.append(number)
        game.apply(answer)
    return found


def test_a_game_saved_in_the_middle_of_an_effect_goes_on_alike_in_a_new_process(
    table: Table, decks: list[Deck]
) -> None:
    saved = []
    ends = []
    for seed in SEEDS:
        end, record = recorded_game(table, decks, seed)
        middle = decisions_in_the_middle(table.new_game(decks, seed), record.answers)
        for stop in {middle[len(middle) // 3], middle[-1], len(record.answers) // 2}:
            game = table.new_game(decks, seed)
            for answer in record.answers[:stop]:
                game.apply(answer)
            saved.append((game.to_json(), record.answers[stop:]))
            ends.append(end.digest())
    run = subprocess.run(
        [sys.executable, "-c", GO_ON],
        input=json.dumps(saved),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
        cwd=Path(__file__).parent,
    )
    assert run.stdout.split() == ends


def test_a_copy_goes_on_alike_and_leaves_the_original_as_it_was(table: Table, decks: list[Deck]) -> None:
    _, record = recorded_game(table, decks, 2)
    game = table.new_game(decks, 2)
    for number, answer in enumerate(record.answers[:200]):
        if number % 10 == 0:
            before = game.digest()
            other = game.copy()
            for later in record.answers[number : number + 5]:
                other.apply(later)
            assert game.digest() == before
        game.apply(answer)
