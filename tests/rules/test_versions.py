"""Every number of every known version leads to its rule of today, and back."""

import csv
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from rulewright.errors import UsageError
from rulewright.rules import RulesDatabase, UnknownRuleError
from rulewright.rules.lookup import look_up

DATES = ("2025-06-02", "2025-10", "2025-12-01", "2026-03-30", "2026-07-16")

MOST_CORRECTIONS = 25
"""So many rows of a machine-made map were found to be wrong, at most: a rule taken for one removed and one added."""


def test_the_known_versions_are_told_in_order(rules: RulesDatabase) -> None:
    assert [version.date for version in rules.history.versions] == [*DATES, "2026-10-09"]
    assert rules.version is not None
    assert rules.version.date == "2026-07-16"


@pytest.mark.parametrize("date", DATES)
def test_each_version_has_the_numbers_that_its_document_prints(
    rules: RulesDatabase, shared: Path, date: str
) -> None:
    path = shared / "rules-source" / f"core-rules-{date}.jsonl"
    printed = {json.loads(line)["number"] for line in path.read_text(encoding="utf-8").splitlines()}
    known = set(rules.history.numbers(rules.history.as_of(date)))
    # The document of 2025-10 prints 143 twice, and one of the two was 142 before.
    assert printed ^ known == ({"142"} if date == "2025-06-02" else set())


@pytest.mark.parametrize(("before", "after"), list(pairwise(DATES)))
def test_the_steps_are_those_of_the_number_maps_but_for_corrections(
    rules: RulesDatabase, shared: Path, before: str, after: str
) -> None:
    path = shared / "rules-source" / f"number-map-{before}-to-{after}.tsv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    version = rules.history.as_of(after)
    differing = [
        row for row in rows if row["new"] and version.number_before(row["new"]) != (row["old"] or None)
    ]
    corrected = [row for row in differing if row["kind"] == "added"]
    # Where one old number is printed for two rules, the map has the new number twice.
    twice = [row for row in differing if row not in corrected]
    assert len(corrected) <= MOST_CORRECTIONS
    assert len(twice) <= 1


def test_a_number_of_an_earlier_version_leads_to_its_heir(rules: RulesDatabase) -> None:
    (found,) = look_up(rules, "316.2", rules.history.as_of("2026-03-30"))
    assert [entry.number for entry in found.entries] == ["316.5"]
    assert found.notes == ("316.2 of 2026-03-30 is 316.5 in 2026-07-16",)


def test_a_range_of_an_earlier_version_leads_to_its_heirs(rules: RulesDatabase) -> None:
    (found,) = look_up(rules, "316.2-316.6", rules.history.as_of("2026-03-30"))
    assert (found.entries[0].number, found.entries[-1].number) == ("316.5", "316.9.b")


def test_a_keyword_tells_the_number_it_had(rules: RulesDatabase) -> None:
    (found,) = look_up(rules, "Legion", rules.history.as_of("2025-12-01"))
    assert found.notes[0] == "812 was 738 in 2025-12-01"


def test_a_reference_is_spelled_alike_whatever_the_version(rules: RulesDatabase) -> None:
    march = rules.history.as_of("2026-03-30")
    for reference in ("316.2", "CR 316.2", "rule 316.2."):
        assert [entry.number for entry in next(look_up(rules, reference, march)).entries] == ["316.5"]
    with pytest.raises(UnknownRuleError, match="a range runs upwards"):
        next(look_up(rules, "316.6-316.2", march))


def test_a_removed_rule_is_told_with_the_version_that_removed_it(rules: RulesDatabase) -> None:
    with pytest.raises(UnknownRuleError) as refused:
        list(look_up(rules, "347.2", rules.history.as_of("2026-03-30")))
    assert refused.value.message == "347.2 of 2026-03-30 was removed in 2026-07-16"
    assert refused.value.help == "347, which it stood under, is 347"


def test_a_number_that_a_version_did_not_have_is_told(rules: RulesDatabase) -> None:
    with pytest.raises(UnknownRuleError) as refused:
        list(look_up(rules, "829", rules.history.as_of("2026-03-30")))
    assert refused.value.message == "the rules of 2026-03-30 have no 829"
    assert refused.value.help == "829 is a number of today"


@pytest.mark.parametrize(
    ("day", "version"),
    [
        ("2026-07-16", "2026-07-16"),
        ("2026-07-20", "2026-03-30"),
        ("2026-07-24", "2026-07-16"),
        ("2025-12-05", "2025-10"),
        ("2027-01-01", "2026-10-09"),
    ],
)
def test_a_day_means_the_version_in_force(rules: RulesDatabase, day: str, version: str) -> None:
    assert rules.history.as_of(day).date == version


@pytest.mark.parametrize("day", ["yesterday", "2024-01-01", "2026-3-30", "2026-13-01", "2026-02-30"])
def test_a_day_without_rules_is_refused_with_the_versions(rules: RulesDatabase, day: str) -> None:
    with pytest.raises(UsageError) as refused:
        rules.history.as_of(day)
    assert refused.value.help is not None
    assert "2026-03-30" in refused.value.help


def test_the_history_of_a_rule_has_each_version(rules: RulesDatabase) -> None:
    stages = rules.history.stages("316.5")
    assert [stage.number for stage in stages] == ["516.2", "316.2", "316.2", "316.2", "316.5", "316.5"]
    assert [stage.version.date for stage in stages if stage.renumbered] == ["2025-10", "2026-07-16"]


def test_a_rule_of_a_later_version_is_not_in_the_base(rules: RulesDatabase) -> None:
    assert rules.entry("381.1").since == "2026-10-09"
    assert "381.1" not in {entry.number for entry in rules.base_entries}
    assert [stage.number for stage in rules.history.stages("381.1")] == [
        None,
        None,
        None,
        None,
        None,
        "381.1",
    ]


def test_the_difference_of_two_versions_counts_what_the_maps_count(rules: RulesDatabase) -> None:
    history = rules.history
    difference = history.diff(history.as_of("2026-03-30"), history.as_of("2026-07-16"))
    assert ("316.2", "316.5") in difference.renumbered
    assert "829" in difference.added
    assert "347.2" in difference.removed
    assert len(difference.changes) == 12


def test_versions_far_apart_are_compared_rule_by_rule(rules: RulesDatabase) -> None:
    history = rules.history
    difference = history.diff(history.as_of("2025-06-02"), history.as_of("2026-07-16"))
    assert ("516.2", "316.5") in difference.renumbered


def test_a_version_is_compared_with_a_later_one_only(rules: RulesDatabase) -> None:
    history = rules.history
    with pytest.raises(UsageError, match="2025-10 is not later than 2026-03-30"):
        history.diff(history.as_of("2026-03-30"), history.as_of("2025-10"))


def test_sub_rules_follow_their_parent_unless_listed(game: Callable[..., RulesDatabase]) -> None:
    entries = "\n".join(
        f"- {{rule: '{n}', gist: x, status: definition}}" for n in ("1", "2", "2.1", "2.2", "2.3")
    )
    one = game(
        **{
            "a.yaml": entries,
            "versions/2020-01-01.yaml": "version: 2020-01-01\nname: First\n",
            "versions/2021-01-01.yaml": "version: 2021-01-01\nname: Second\nbase: true\n"
            "renumbered: {'2': '5', '2.2': '5.9'}\nadded: ['2.3']\nremoved: ['5.2']\n",
        }
    )
    first = one.history.as_of("2020-01-01")
    assert one.history.numbers(first) == ["1", "5", "5.1", "5.2", "5.9"]
    assert [heir.number for heir in one.history.heirs(first, "5.9")] == ["2.2"]
    assert [heir.number for heir in one.history.heirs(first, "5.2")] == [None]
