"""A game is a value: it ends, cites rules, repeats itself, and can be copied, hashed, saved and resumed anywhere."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from engine.conftest import Sections, play_out, random_answers
from rulewright.cards import CardDefinition
from rulewright.engine import Game, IllegalChoice, Position, Ruleset, SavedGameError
from rulewright.engine.run import EngineError, Run
from rulewright.engine.state.objects import dumps, loads
from rulewright.errors import RulewrightError

NewGame = Callable[..., Game]


def test_two_random_players_finish_a_duel_and_somebody_wins(new_game: NewGame) -> None:
    game = new_game(seed=3)
    play_out(game, 3)
    assert game.winners is not None
    assert len(game.winners) == 1
    goal = dict(game.state.facts["mode"])["goal"]
    assert game.state.players[game.winners[0]].resources["points"] >= goal


def test_every_line_of_a_log_cites_a_rule_that_exists(new_game: NewGame, ruleset: Ruleset) -> None:
    game = new_game(seed=4)
    play_out(game, 4)
    assert len(game.log) > 100
    for record in game.log:
        assert record.rules, record
        for number in record.rules:
            assert number in ruleset.rules, record


def test_the_same_seed_and_answers_give_the_same_game(new_game: NewGame) -> None:
    first, second = new_game(seed=5), new_game(seed=5)
    answers = play_out(first, 9)
    for answer in answers:
        second.apply(answer)
    assert first.digest() == second.digest()
    assert [record.text for record in first.log] == [record.text for record in second.log]


def test_another_seed_gives_another_game(new_game: NewGame) -> None:
    assert new_game(seed=5).digest() != new_game(seed=6).digest()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_copy_goes_its_own_way_and_leaves_the_original_as_it_was(new_game: NewGame, seed: int) -> None:
    game = new_game(seed=seed, log=False)
    for step, answer in enumerate(random_answers(game, seed)):
        if step % 5 == 0 and game.decision is not None:
            before = game.digest()
            for option in game.decision.options:
                game.copy().apply(option.id)
                assert game.digest() == before, option
        game.apply(answer)


@pytest.mark.parametrize("seed", [3, 4])
def test_a_game_saved_and_loaded_at_any_decision_goes_on_as_if_nothing_had_happened(
    new_game: NewGame, ruleset: Ruleset, seed: int
) -> None:
    game = new_game(seed=seed, log=False)
    for step, answer in enumerate(random_answers(game, seed)):
        if step % 4 == 0:
            other = Game.from_json(ruleset, game.to_json())
            assert other == game
            other.apply(answer)
            game.apply(answer)
            assert other.digest() == game.digest()
        else:
            game.apply(answer)


def test_a_game_saved_in_the_middle_of_an_effect_is_the_same_game_in_another_process(
    new_game: NewGame, tmp_path: object
) -> None:
    game = new_game(seed=8, log=False)
    inside = None
    for answer in random_answers(game, 8):
        if any(">resolve" in frame.program for frame in game.state.frames):
            inside = game.to_json()
            break
        game.apply(answer)
    assert inside is not None, "no decision fell into a resolving effect"
    assert game.decision is not None
    answer = game.decision.options[-1].id
    game.apply(answer)
    script = (
        "import sys\n"
        "from rulewright import rules\n"
        "from rulewright.cards import load_pool\n"
        "from rulewright.engine import Game, Ruleset\n"
        "game = Game.from_json(Ruleset(rules.load(), load_pool()), sys.stdin.read())\n"
        f"game.apply({answer!r})\n"
        "print(game.digest())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=inside, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == game.digest()


def test_characteristics_kept_between_changes_are_those_computed_anew(
    new_game: NewGame, ruleset: Ruleset
) -> None:
    game = new_game(seed=7, log=False)
    for step, answer in enumerate(random_answers(game, 7)):
        if step % 3 == 0:
            fresh = Run(ruleset, loads(dumps(game.state)))
            for ref in fresh.board():
                assert game.traits(ref).to_data() == fresh.traits(ref).to_data(), game.name(ref)
        game.apply(answer)


def test_zones_kept_from_an_earlier_look_are_as_they_look_anew(new_game: NewGame, ruleset: Ruleset) -> None:
    def seen(game: Game) -> list[tuple[object, ...]]:
        return [
            (zone.name, zone.at, zone.title, zone.words, [(face.ref, face.owner) for face in zone.objects])
            for player in (0, 1)
            for zone in game.view(player).zones
        ]

    game = new_game(seed=5, log=False)
    kept = 0
    for answer in random_answers(game, 5):
        assert seen(game) == seen(game.copy())
        before = game.view(0).zones
        game.apply(answer)
        kept += len(set(map(id, before)) & set(map(id, game.view(0).zones)))
    assert kept > 1_000


def test_an_answer_that_is_no_option_is_refused_with_the_legal_ones(new_game: NewGame) -> None:
    game = new_game()
    before = game.digest()
    with pytest.raises(IllegalChoice) as refusal:
        game.apply("fly to the moon")
    assert game.decision is not None
    assert game.decision.options[0].id in (refusal.value.help or "")
    assert game.digest() == before


def test_a_game_saved_under_other_rules_or_in_another_form_is_refused(
    new_game: NewGame, ruleset: Ruleset
) -> None:
    saved = json.loads(new_game().to_json())
    with pytest.raises(SavedGameError):
        Game.from_json(ruleset, "no game")
    with pytest.raises(SavedGameError):
        Game.from_json(ruleset, json.dumps({**saved, "rules": "others"}))
    saved["state"][0] = 999
    with pytest.raises(SavedGameError):
        Game.from_json(ruleset, json.dumps(saved))


def test_a_player_who_concedes_loses(new_game: NewGame) -> None:
    game = new_game()
    game.concede(0)
    assert game.winners == (1,)
    assert game.decision is None


def test_what_sets_itself_off_for_ever_is_stopped_and_named(ruleset: Ruleset) -> None:
    spring = CardDefinition("Spring", ("unit",), text="When you gain XP, gain 1 XP.", figures=(("might", 1),))
    learn = CardDefinition("Learn", ("spell",), text="Gain 1 XP.")
    position = Position(ruleset.with_cards([spring, learn]))
    position.put("Spring", 0, ruleset.home)
    position.put("Learn", 0, "hand")
    game = position.start()
    assert game.decision is not None
    with pytest.raises(EngineError, match="goes on for ever"):
        game.apply(next(option.id for option in game.decision.options if option.kind == "play"))


def test_a_mode_is_played_by_as_many_players_as_it_says(ruleset: Ruleset) -> None:
    with pytest.raises(RulewrightError, match="duel is a game of 2 players, not of 3"):
        Position(ruleset, names=("A", "B", "C"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"names": ("Ana",)}, "is a game of 2 players, not of 1"),
        ({"names": ("Ana", "Ana")}, "each player has a name of their own, not 'Ana', 'Ana'"),
        ({"names": ("Ana", " ")}, "each player has a name of their own"),
        ({"seed": "7"}, "a seed is a whole number, not '7'"),
        ({"mode": "chess"}, "there is no mode of play 'chess'"),
    ],
)
def test_a_game_that_cannot_be_begun_says_why(
    ruleset: Ruleset, starter_decks: list[Sections], wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises(RulewrightError, match=said):
        Game.new(ruleset, starter_decks[:2], **wrong)


def test_every_player_of_a_game_has_a_deck(ruleset: Ruleset, starter_decks: list[Sections]) -> None:
    with pytest.raises(RulewrightError, match="2 players do not have 1 decks"):
        Game.new(ruleset, starter_decks[:1], names=("Ana", "Bo"))


@pytest.mark.parametrize("player", [-1, 2])
def test_nobody_sees_a_game_or_concedes_it_who_does_not_play(new_game: NewGame, player: int) -> None:
    game = new_game(seed=1)
    for act in (game.view, game.concede):
        with pytest.raises(RulewrightError, match=f"there is no player {player}"):
            act(player)


def test_a_game_that_is_over_is_not_conceded(new_game: NewGame) -> None:
    game = new_game(seed=1)
    game.concede(0)
    with pytest.raises(RulewrightError, match="the game is over"):
        game.concede(1)
    assert game.winners == (1,)


def test_a_saved_game_with_a_key_that_nothing_reads_is_refused(new_game: NewGame, ruleset: Ruleset) -> None:
    saved = json.loads(new_game(seed=1).to_json()) | {"cheat": True}
    with pytest.raises(SavedGameError, match="has no key 'cheat'"):
        Game.from_json(ruleset, json.dumps(saved))
