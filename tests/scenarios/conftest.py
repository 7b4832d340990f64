"""Each scenario of the files here is a test; what does not hold is shown with what was instead, and the log."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.engine import Ruleset
from rulewright.play.position import prepared
from rulewright.play.runner import Outcome, run
from rulewright.play.scenario import Scenario, load
from rulewright.play.table import load_table


@cache
def played_with(game: str) -> Ruleset:
    return prepared(load_table(game).ruleset)


class DoesNotHoldError(Exception):
    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.report())
        self.outcome = outcome


class ScenarioItem(pytest.Item):
    def __init__(self, *, scenario: Scenario, **kwargs: object) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.scenario = scenario

    def runtest(self) -> None:
        ruleset = played_with(self.scenario.game)
        unknown = [number for number in self.scenario.rules if number not in ruleset.rules]
        assert unknown == [], "the scenario cites rules that do not exist"
        outcome = run(self.scenario, ruleset)
        if not outcome.passed:
            raise DoesNotHoldError(outcome)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:  # type: ignore[override]
        if not isinstance(excinfo.value, DoesNotHoldError):
            return str(super().repr_failure(excinfo))
        log = [
            f"{'  ' * depth}{text}  [{' '.join(rules)}]" for depth, text, rules in excinfo.value.outcome.log
        ]
        return "\n".join([str(excinfo.value), "the log:", *log])

    def reportinfo(self) -> tuple[Path, int, str]:
        line = int(self.scenario.place.rpartition(":")[2])
        return self.path, line - 1, self.scenario.title


class ScenarioFile(pytest.File):
    def collect(self) -> Iterator[ScenarioItem]:
        for scenario in load(self.path):
            yield ScenarioItem.from_parent(self, name=scenario.title, scenario=scenario)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    if file_path.suffix == ".yaml":
        return ScenarioFile.from_parent(parent, path=file_path)
    return None
