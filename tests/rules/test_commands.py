"""``rulewright rule`` and ``rulewright rules``: what they print, for people and for programs, and how they end."""

import json
import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_rule_is_shown_with_its_surroundings(rulewright: Run) -> None:
    result = rulewright("rule", "809.1.c")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("809.1.c  ")
    assert any(line.startswith("  in        809.1  ") for line in lines)
    assert any(line.startswith("  under it  809.1.c.1  ") for line in lines)
    assert "  see       356.2.a.2, 355.7" in lines


def test_a_range_is_a_list(rulewright: Run) -> None:
    lines = rulewright("rule", "805-829").stdout.splitlines()
    assert (lines[0].split()[0], lines[1].split()[0]) == ("805", "805.1")
    assert lines[1].startswith("  805.1  ")


def test_a_number_of_an_earlier_version_leads_to_its_heir_and_says_so(rulewright: Run) -> None:
    lines = rulewright("rule", "316.2", "--as-of", "2026-03-30").stdout.splitlines()
    assert lines[0] == "316.2 of 2026-03-30 is 316.5 in 2026-07-16"
    assert lines[1].startswith("316.5  ")


def test_rules_are_told_to_programs(rulewright: Run) -> None:
    told = json.loads(rulewright("rule", "Deflect", "316.5", "--format", "json").stdout)
    assert (told["game"], told["version"], told["as_of"]) == ("riftbound", "2026-07-16", None)
    deflect, main = told["found"]
    assert [rule["number"] for rule in deflect["rules"]] == ["809", "809.1.c"]
    assert deflect["rules"][1]["keyword"]["value"] == {"default": 1, "stacks": "sum"}
    assert main["rules"][0]["was"]["2026-03-30"] == "316.2"
    assert [parent["number"] for parent in main["rules"][0]["parents"]] == ["316", "314", "300"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["rule", "999.9"], "error: there is no rule 999.9\n  = help: the rules run from 000 to 829.2\n"),
        (["rule", "316.2.z"], "error: there is no rule 316.2.z\n  = help: 316.2 has no sub-rules\n"),
        (["rule", "Deflekt"], "error: no rule is called 'Deflekt'\n  = help: did you mean Deflect?\n"),
        (["rule", "316", "--game", "chess"], "there are no rules of a game 'chess'"),
        (["rule", "316", "--as-of", "soon"], "error: 'soon' is not a date like 2026-03-30"),
        (["rule", ""], "error: nothing is named to look up"),
        (["rule", "829-805"], "error: a range runs upwards, and 829 stands after 805"),
        (["rules", "history", "999.9"], "error: there is no rule 999.9"),
        (["rules", "diff", "2026-07-16", "2026-03-30"], "error: 2026-03-30 is not later than 2026-07-16"),
    ],
)
def test_wrong_use_ends_with_a_reason_and_code_two(rulewright: Run, arguments: list[str], told: str) -> None:
    result = rulewright(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert told in result.stderr


def test_a_search_shows_the_rules_with_what_they_stand_under(rulewright: Run) -> None:
    result = rulewright("rules", "search", "can I play an action on my opponent's turn", "--limit", "3")
    lines = result.stdout.splitlines()
    assert (result.returncode, len(lines)) == (0, 6)
    assert lines[0].startswith("806.1")


def test_a_search_is_told_to_programs(rulewright: Run) -> None:
    told = json.loads(rulewright("rules", "search", "empty main deck", "--format", "json").stdout)
    assert told["question"] == "empty main deck"
    assert told["found"][0].keys() == {"number", "score", "gist"}


def test_a_search_without_an_answer_is_a_finding(rulewright: Run) -> None:
    result = rulewright("rules", "search", "xyzzy")
    assert (result.returncode, result.stderr.splitlines()[0]) == (1, "error: no rule has any of these words")


def test_the_history_of_a_rule_is_shown(rulewright: Run) -> None:
    lines = rulewright("rules", "history", "316.5").stdout.splitlines()
    assert lines[1].split()[:2] == ["2025-06-02", "516.2"]
    assert lines[5].split()[:3] == ["2026-07-16", "316.5", "renumbered"]


def test_two_versions_are_compared(rulewright: Run) -> None:
    told = json.loads(rulewright("rules", "diff", "2026-03-30", "2026-07-16", "--format", "json").stdout)
    assert {"earlier": "316.2", "later": "316.5"} in told["renumbered"]
    assert "  added       829  " in rulewright("rules", "diff", "2026-03-30", "2026-07-16").stdout


def test_a_rule_is_told_in_todays_words_whatever_its_number_was(rulewright: Run) -> None:
    lines = rulewright("rules", "diff", "2025-06-02", "2025-10").stdout.splitlines()
    assert any(
        line.startswith("  renumbered  516.2 -> 316.2  (316.5 today) Apart from its two") for line in lines
    )


def test_coverage_counts_every_rule(rulewright: Run) -> None:
    told = json.loads(rulewright("rules", "coverage", "--format", "json").stdout)
    assert (told["total"]["entries"], told["later_entries"]) == (2381, 1)
    assert sum(told["total"]["statuses"].values()) == 2381
    assert rulewright("rules", "coverage").stdout.splitlines()[0].split()[:2] == ["section", "rules"]


@pytest.mark.slow
def test_a_rule_is_shown_with_the_cards_that_touch_it_and_the_scenarios_that_show_it(rulewright: Run) -> None:
    (deflect,) = json.loads(rulewright("rule", "809.1.c", "--shown", "--format", "json").stdout)["found"]
    (rule,) = deflect["rules"]
    assert "Bird" in rule["cards"]
    assert "Deflect is paid once for each time the unit is chosen" in rule["scenarios"]
    lines = rulewright("rule", "809.1.c", "--shown").stdout.splitlines()
    assert any(line.startswith("  cards     ") for line in lines)
    assert any(line.startswith("  shown in  ") for line in lines)


def test_the_primitives_of_the_kernel_are_listed_and_counted(rulewright: Run) -> None:
    told = json.loads(rulewright("rules", "primitives", "--format", "json").stdout)
    assert told["count"] == len(told["primitives"])
    assert {"name", "kinds", "rules", "about"} == told["primitives"][0].keys()
    assert (
        rulewright("rules", "primitives").stdout.splitlines()[-1].startswith(f"{told['count']} primitives: ")
    )
