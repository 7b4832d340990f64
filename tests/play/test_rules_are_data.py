"""The rules are data: without a keyword's meaning its scenarios fail, and another table is another game."""

import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.errors import RulewrightError
from rulewright.paths import data_dir
from rulewright.play.position import prepared
from rulewright.play.runner import run
from rulewright.play.scenario import Scenario
from rulewright.play.scenario import load as load_scenarios
from rulewright.play.table import Table, load_table
from rulewright.rules import Entry, load
from rulewright.rules.numbers import root as head_of

SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"
KEYWORDS = load().keywords


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A data folder whose rules are a copy, to be changed at will; cards and words are the project's own."""
    shutil.copytree(data_dir() / "rulesdb", tmp_path / "rulesdb")
    for name in ("cardtexts", "grammar"):
        (tmp_path / name).symlink_to(data_dir() / name)
    return tmp_path


Change = Callable[[str, str, str], None]


@pytest.fixture
def change(copied: Path) -> Change:
    """Change what one entry of the copied rules says: ``change("315.4", "amount: 1", "amount: 2")``."""

    def changed(number: str, old: str, new: str) -> None:
        path = copied / "rulesdb" / "riftbound" / load().entry(number).file
        text = path.read_text(encoding="utf-8")
        start = re.search(rf"^- rule: '?{re.escape(number)}'?$", text, re.MULTILINE)
        assert start is not None
        end = text.find("\n- rule:", start.end())
        entry = text[start.start() : end if end >= 0 else len(text)]
        assert entry.count(old) == 1, f"{number} does not say {old!r} once"
        path.write_text(text.replace(entry, entry.replace(old, new)), encoding="utf-8")

    return changed


@cache
def all_scenarios() -> tuple[Scenario, ...]:
    return tuple(one for path in sorted(SCENARIOS.rglob("*.yaml")) for one in load_scenarios(path))


def shown_by(entry: Entry) -> list[Scenario]:
    head = head_of(entry.number)
    return [one for one in all_scenarios() if head in map(head_of, one.rules)]


def failing(table: Table, scenarios: list[Scenario]) -> Iterator[str]:
    ruleset = prepared(table.ruleset)
    for scenario in scenarios:
        try:
            if not run(scenario, ruleset).passed:
                yield scenario.title
        except RulewrightError:
            yield scenario.title


def definition(entry: Entry) -> str:
    """The lines that define a keyword: its meaning, or all of its block where the kernel knows what it permits."""
    path = data_dir() / "rulesdb" / "riftbound" / entry.file
    assert entry.keyword is not None
    block = re.search(r"^  keyword:\n(?:    .*\n)*", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert block is not None
    means = re.search(r"^    means:.*\n(?:      .*\n|    - .*\n)*", block.group(), re.MULTILINE)
    return means.group() if means is not None else block.group()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(KEYWORDS))
def test_without_what_a_keyword_means_a_scenario_of_it_fails(name: str, copied: Path, change: Change) -> None:
    entry = KEYWORDS[name]
    change(entry.number, definition(entry), "")
    without = load_table("riftbound", copied)
    assert next(failing(without, shown_by(entry)), None) is not None
