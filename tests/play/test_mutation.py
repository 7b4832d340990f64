"""Mutants change one thing, the scenarios that prove it notice, and what nothing proves is told."""

from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.cards import CardDefinition
from rulewright.engine import Position
from rulewright.engine.run import EngineError
from rulewright.errors import RulewrightError, UsageError
from rulewright.language import ast, tree
from rulewright.paths import data_dir
from rulewright.play.mutation import Change, Mutant, Trial, broken, choose, mutants, verdicts
from rulewright.play.scenario import Line, Scenario, load
from rulewright.play.table import Table, load_table


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table()


@pytest.fixture(scope="module")
def every(table: Table) -> list[Mutant]:
    return list(mutants(table))


def scenarios(checkout: Path, *names: str) -> list[Scenario]:
    return [one for name in names for one in load(checkout / "tests" / "scenarios" / name)]


def numbers(text: ast.CardText) -> list[int]:
    return [node.value for _, node in tree.walk(text) if isinstance(node, ast.Number)]


def test_there_are_mutants_of_every_sort_and_none_twice(every: list[Mutant]) -> None:
    assert {one.sort for one in every} == {"table", "procedure", "keyword", "field"}
    assert len(set(map(str, every))) == len(every) > 500


def test_a_choice_of_mutants_is_the_same_for_the_same_seed(every: list[Mutant]) -> None:
    assert choose(every, 50, 3) == choose(every, 50, 3)
    assert choose(every, 50, 3) != choose(every, 50, 4)
    assert len(choose(every, 10_000, 3)) == len(every)


def test_a_value_of_a_table_is_changed_and_nothing_else(table: Table) -> None:
    ruleset = broken(table, Mutant("table", "484", Change((0, "goal"), "8", 9)))
    assert ruleset.mode("duel")["goal"] == 9
    assert ruleset.mode("duel")["players"] == table.ruleset.mode("duel")["players"]
    assert table.ruleset.mode("duel")["goal"] == 8


def test_a_procedure_that_goes_round_without_doing_anything_is_stopped(
    table: Table, every: list[Mutant]
) -> None:
    """334: without the step that gives priority, nothing is done while there is a chain."""
    (mutant,) = [one for one in every if str(one) == "procedure 334, 6: without step 'do priority'"]
    learn = CardDefinition("Learn", ("spell",), text="Draw 1.")
    position = Position(broken(table, mutant).with_cards([learn]))
    position.put("Learn", 0, "hand")
    game = position.start()
    assert game.decision is not None
    with pytest.raises(EngineError, match="goes round for ever"):
        game.apply(next(option.id for option in game.decision.options if option.kind == "play"))


def test_a_field_is_misread_wherever_it_stands(table: Table) -> None:
    ruleset = broken(table, Mutant("field", "Number", Change(("value",), how="raised")))
    bolt = CardDefinition("Bolt", ("spell",), text="Draw 1. Deal 2 to a unit.")
    right, wrong = (each.with_cards([bolt]).text("card:Bolt") for each in (table.ruleset, ruleset))
    assert numbers(wrong) == [value + 1 for value in numbers(right)]


def test_a_word_is_read_as_another_that_stands_there_on_cards(table: Table, every: list[Mutant]) -> None:
    (mutant,) = [one for one in every if str(one) == "field Side, side: read as the next word"]
    hex_ = CardDefinition("Hex", ("spell",), text="Kill an enemy unit. Ready a friendly unit.")
    text = broken(table, mutant).with_cards([hex_]).text("card:Hex")
    assert [node.side for _, node in tree.walk(text) if isinstance(node, ast.Side)] == ["friendly", "enemy"]


def test_scenarios_notice_a_keyword_that_means_something_else(table: Table, checkout: Path) -> None:
    trial = Trial(table, scenarios(checkout, "rules_807_assault.yaml"))
    means = next(
        one
        for one in mutants(table)
        if one.target == "keyword:assault/0" and "condition" in one.change.path[-1:]
    )
    assert trial.verdict(means).noticed_by is not None


def test_a_change_that_makes_no_difference_is_noticed_by_none(table: Table, checkout: Path) -> None:
    trial = Trial(table, scenarios(checkout, "rules_807_assault.yaml"))
    verdict = trial.verdict(Mutant("table", "484", Change((0, "goal"), "8", 9)))
    assert verdict.noticed_by is None
    assert verdict.tried == len(trial.scenarios)


def test_what_says_the_same_in_other_words_is_no_mutant(every: list[Mutant]) -> None:
    keywords = {str(one) for one in every if one.sort == "keyword"}
    assert not any("deathknell" in one and ".body" in one for one in keywords)
    assert not any(one.endswith("quantity.amount: without Number") for one in keywords)
    assert any("equip" in one and "without ControlledBy" in one for one in keywords)


def test_the_words_of_a_scenario_s_own_cards_are_misread_too(table: Table, checkout: Path) -> None:
    (words,) = [one for one in scenarios(checkout, "words_that_matter.yaml") if one.cards][:1]
    trial = Trial(table, [words])
    assert trial.verdict(Mutant("field", "CardText", Change(("abilities",), how="shortened"))).noticed_by


def test_a_scenario_that_does_not_hold_notices_nothing(table: Table, checkout: Path) -> None:
    (one, *_) = scenarios(checkout, "rules_807_assault.yaml")
    with pytest.raises(RulewrightError, match="does not hold before anything is broken"):
        Trial(table, [replace(one, then=(Line({"winner": "P2"}, one.place),))])


def test_verdicts_that_are_kept_are_not_found_again(
    every: list[Mutant], tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [checkout / "tests" / "scenarios" / "rules_807_assault.yaml"]
    tried = [one for one in every if one.target == "keyword:assault/0"]
    kept = tmp_path / "verdicts.jsonl"
    found = list(verdicts("riftbound", data_dir(), paths, tried, kept=kept))
    monkeypatch.setattr("rulewright.play.mutation._job", None)
    assert list(verdicts("riftbound", data_dir(), paths, tried, kept=kept)) == found
    with pytest.raises(UsageError, match="about other rules"):
        list(verdicts("riftbound", data_dir(), [*paths, paths[0].with_name("stun.yaml")], tried, kept=kept))


@pytest.mark.parametrize("content", [None, b"\xe0\x00", b"", b"[1]", b'{"about": 1}', b"{"])
def test_a_file_that_holds_no_verdicts_is_refused(
    tmp_path: Path, checkout: Path, content: bytes | None
) -> None:
    paths, kept = [checkout / "tests" / "scenarios" / "rules_807_assault.yaml"], tmp_path / "kept"
    if content is None:
        kept.mkdir()
    else:
        kept.write_bytes(content)
    with pytest.raises(RulewrightError):
        list(verdicts("riftbound", data_dir(), paths, [], kept=kept))


def test_a_token_of_the_rules_is_made_of_the_changed_row(table: Table) -> None:
    rows = table.rules.table("tokens")
    position = next(at for at, row in enumerate(rows) if row["name"] == "Sand Soldier")
    ruleset = broken(table, Mutant("table", "187", Change((position, "might"), "2", 3)))
    assert ruleset.cards["Sand Soldier"].figure("might") == 3
    assert table.ruleset.cards["Sand Soldier"].figure("might") == 2
