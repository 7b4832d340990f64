"""Why something happened: each line of a log knows what it follows from, and a line can be explained."""

from pathlib import Path

import pytest

from rulewright.engine import Game, LogRecord
from rulewright.errors import UsageError
from rulewright.play.choices import carry_out
from rulewright.play.position import prepared, set_up
from rulewright.play.scenario import load
from rulewright.play.table import load_table
from rulewright.play.why import explain

SCENARIO = """
- name: A bolt, a save, a death
  rules: ["370"]
  cards:
    Bolt: {type: spell, text: "[Action]\\nDeal 3 to a unit."}
    Sandglass:
      type: gear
      text: "If a unit you control would die, kill this instead. Then heal that unit, exhaust it, and
        recall it."
    Mourner: {type: unit, might: 2, text: "When a gear you control dies, draw 1."}
    Banner: {type: unit, might: 4, text: "When I conquer, draw 1."}
  given:
    P1: {base: [Banner, Second 2], hand: [Bolt]}
    P2: {base: [Sandglass, Mourner, Victim 3]}
    battlefields:
      A: {P2: [Guard 2]}
  when:
  - P1: {play: Bolt, choosing: Victim}
  - all: resolve
  - P1: {move: [Banner], to: A}
  - all: settle
  then:
  - {battlefield: A, controller: P1}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    file = tmp_path_factory.mktemp("why") / "why.yaml"
    file.write_text(SCENARIO, encoding="utf-8")
    (scenario,) = load(Path(file))
    board = set_up(scenario, prepared(load_table("riftbound").ruleset))
    for line in scenario.when:
        carry_out(board, line)
    return board.game


def line(game: Game, text: str) -> LogRecord:
    (found,) = [record for record in game.log if record.text == text]
    return found


def causes(game: Game, text: str) -> list[str]:
    return [record.text for record in explain(game, line(game, text).index).because]


def test_what_a_player_chose_to_do_follows_from_nothing(game: Game) -> None:
    assert causes(game, "P1 plays Bolt from hand") == []
    assert causes(game, "Banner moves to Plain Field") == []


def test_damage_follows_from_the_spell_and_the_spell_from_its_play(game: Game) -> None:
    assert causes(game, "Victim is dealt 3 damage") == [
        "Bolt resolves",
        "Bolt is finalized, choosing Victim",
        "P1 plays Bolt from hand",
    ]


def test_a_replacement_follows_from_what_made_the_death_due(game: Game) -> None:
    why = explain(game, line(game, "Sandglass replaces: Victim is killed").index)
    assert why.because[0].text == "Victim is dealt 3 damage"
    assert [record.text for record in why.then] == [
        "Sandglass is killed",
        "Victim is healed",
        "Victim is exhausted",
    ]
    assert why.words.startswith("If a unit you control would die")


def test_what_would_have_happened_is_told_as_replaced(game: Game) -> None:
    why = explain(game, line(game, "Victim is dealt 3 damage").index)
    assert [record.text for record in why.replaced] == ["Sandglass replaces: Victim is killed"]


def test_a_trigger_follows_from_its_event(game: Game) -> None:
    why = explain(game, line(game, "Sandglass is killed").index)
    assert [record.text for record in why.triggered] == ["Mourner triggers"]
    assert causes(game, "P2 draws Plain Unit")[2:4] == ["Mourner triggers", "Sandglass is killed"]


def test_a_kill_in_combat_goes_back_to_the_move(game: Game) -> None:
    assert causes(game, "Guard is killed") == [
        "Guard is dealt 4 damage",
        "the showdown at Plain Field closes",
        "combat begins at Plain Field",
        "a showdown begins at Plain Field",
        "Banner moves to Plain Field",
    ]


def test_a_point_follows_from_the_conquest_and_the_conquest_from_control(game: Game) -> None:
    assert causes(game, "P1 gains 1 point")[:2] == [
        "P1 conquers Plain Field",
        "P1 takes control of Plain Field",
    ]
    assert [
        record.text for record in explain(game, line(game, "P1 conquers Plain Field").index).triggered
    ] == ["Banner triggers"]


def test_a_cause_is_always_an_earlier_line(game: Game) -> None:
    assert all(record.cause is None or record.cause < record.index for record in game.log)


def test_a_line_that_is_not_there_is_refused(game: Game) -> None:
    with pytest.raises(UsageError, match="the log has no line 999"):
        explain(game, 999)


def test_a_game_without_a_log_is_the_same_game(game: Game) -> None:
    copy = game.copy()
    assert copy.digest() == game.digest()
    assert [record.cause for record in copy.log] == [record.cause for record in game.log]
