"""What becomes of the rules is counted: statuses, what carries them out, which scenarios show them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.data_files import DataFileError
from rulewright.rules import RulesDatabase
from rulewright.rules.coverage import count, scenarios_by_rule

Game = Callable[..., RulesDatabase]

ENTRIES = """
- {rule: '1', gist: Drawing., status: heading}
- {rule: '1.1', gist: A player draws., status: executable, by: [move-object]}
- {rule: '1.2', gist: Drawing nothing is nothing., status: executable}
- {rule: '1.3', gist: Draw and draw., status: executable, means: "Draw 2.", by: [move-object]}
- {rule: '1.4', gist: To draw is to take., status: definition}
"""


def test_executable_leaves_are_counted_by_what_carries_and_shows_them(game: Game) -> None:
    total, (section,) = count(game(**{"draw.yaml": ENTRIES}), {"1.1": ["One"], "1.4": ["Two"]})
    assert (total.entries, total.leaves, total.executable_leaves) == (5, 4, 3)
    assert (total.carried_out, total.bare) == (2, ("1.2",))
    assert (total.shown, total.unshown) == (1, ("1.2", "1.3"))
    assert total.carried_by == {"keyword": 0, "means": 1, "table": 0, "procedure": 0, "primitive": 2}
    assert total.statuses["heading"] == 1
    assert total.leaf_statuses["heading"] == 0
    assert section.section == "draw"


def test_all_rules_of_the_game_are_counted(rules: RulesDatabase) -> None:
    total, sections = count(rules, {})
    assert total.entries == 2381
    assert sum(section.entries for section in sections) == total.entries
    assert sum(total.leaf_statuses.values()) == total.leaves


def test_scenarios_are_found_by_the_rules_they_show(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(
        "- {name: Draws, rules: ['1.1', '1.2']}\n- {name: More, rules: ['1.1']}\n"
    )
    assert scenarios_by_rule(tmp_path) == {"1.1": ["Draws", "More"], "1.2": ["Draws"]}
    assert scenarios_by_rule(tmp_path / "absent") == {}


def test_scenario_rules_need_not_be_quoted(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("- {name: Draws, rules: [355.10]}\n")
    assert scenarios_by_rule(tmp_path) == {"355.10": ["Draws"]}


def test_a_scenario_with_something_else_for_rules_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("- name: Draws\n  rules: [drawing]\n")
    with pytest.raises(DataFileError, match=r"\['drawing'\] is not a list of rule numbers"):
        scenarios_by_rule(tmp_path)


def test_a_rule_is_carried_out_by_what_cites_it_and_by_what_it_names(game: Game) -> None:
    entries = """
- {rule: '1', gist: A turn., status: heading, procedure: {name: turn, steps: [{do: draw, rule: ['1.1', '1.2']}]}}
- {rule: '1.1', gist: A player draws., status: executable}
- {rule: '1.2', gist: One card., status: executable, by: [procedure turn, draw]}
- {rule: '1.3', gist: Nothing more., status: executable}
"""
    rules = game(**{"turn.yaml": entries})
    assert [str(carrier) for carrier in rules.carriers("1.1")] == ["procedure turn"]
    assert [str(carrier) for carrier in rules.carriers("1.2")] == ["procedure turn", "draw"]
    assert rules.carriers("1.3") == ()
    total, _ = count(rules, {})
    assert total.carried_by == {"keyword": 0, "means": 0, "table": 0, "procedure": 2, "primitive": 1}
    assert total.bare == ("1.3",)
