"""Mutants change one thing, the scenarios that prove it notice, and what nothing proves is told."""

from pathlib import Path

import pytest

from rulewright.language import ast, tree
from rulewright.play.mutation import Change, Mutant, Trial, broken, choose, mutants
from rulewright.play.scenario import Scenario, load
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


def test_a_field_is_misread_wherever_it_stands(table: Table) -> None:
    ruleset = broken(table, Mutant("field", "Number", Change(("value",), "a number", "one more")))
    words = "Draw 1. Deal 2 to a unit."
    assert numbers(ruleset.parse(words, None)) == [
        value + 1 for value in numbers(table.ruleset.parse(words, None))
    ]


def test_scenarios_notice_a_keyword_that_means_something_else(table: Table, checkout: Path) -> None:
    trial = Trial(table, scenarios(checkout, "rules_807_assault.yaml"))
    means = next(
        one
        for one in mutants(table)
        if one.target == "keyword:assault/0" and "condition" in one.change.path[-1:] and one.change.drop
    )
    assert trial.verdict(means).noticed_by is not None


def test_a_change_that_makes_no_difference_is_noticed_by_none(table: Table, checkout: Path) -> None:
    trial = Trial(table, scenarios(checkout, "rules_807_assault.yaml"))
    verdict = trial.verdict(Mutant("table", "484", Change((0, "goal"), "8", 9)))
    assert verdict.noticed_by is None
    assert verdict.tried == len(trial.scenarios)
