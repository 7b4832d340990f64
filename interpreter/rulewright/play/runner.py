"""Runs scenarios: sets the position up, makes the choices, judges what must be true."""

import traceback
from dataclasses import dataclass
from pathlib import Path

from rulewright.engine import Ruleset
from rulewright.errors import RulewrightError
from rulewright.play.choices import carry_out, check_assigned
from rulewright.play.expectations import Finding, judge
from rulewright.play.position import Board, set_up
from rulewright.play.scenario import Line, Scenario


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one scenario: the findings, the error that stopped it if one did, and the log of the game.

    ``ruleset`` is what was played with, the cards made for the scenario among it; nothing where it was not set up.
    """

    scenario: Scenario
    findings: tuple[Finding, ...]
    error: RulewrightError | None
    log: tuple[tuple[int, str, tuple[str, ...]], ...]
    ruleset: Ruleset | None = None

    @property
    def passed(self) -> bool:
        """Whether it ran to its end and all that was expected was so."""
        return self.error is None and all(finding.holds for finding in self.findings)

    def report(self) -> str:
        """Give what did not hold, with what was instead; empty where all did."""
        lines = [
            f"{finding.place}: expected {finding.expected}; was: {finding.was}"
            for finding in self.findings
            if not finding.holds
        ]
        if self.error is not None:
            lines.append(str(self.error))
            lines += [f"  = help: {self.error.help}"] if self.error.help else []
        return "\n".join(lines)


def run(scenario: Scenario, ruleset: Ruleset) -> Outcome:
    """Run one scenario on a game of its own, with the cards of ``ruleset``.

    Never raises for what the scenario or the game does wrong: the outcome tells it.
    """
    findings: list[Finding] = []
    board: Board | None = None
    try:
        board = set_up(scenario, ruleset)
        for line in scenario.when:
            findings += _taken(board, line)
        check_assigned(board)
        for line in scenario.then:
            findings += judge(board, line)
    except RulewrightError as error:
        return Outcome(scenario, tuple(findings), _placed(error, scenario), _log(board))
    except Exception as fault:  # a fault of the engine fails the scenario that met it, and no other
        return Outcome(scenario, tuple(findings), _fault(fault, scenario), _log(board))
    return Outcome(scenario, tuple(findings), None, _log(board), board.ruleset)


def _taken(board: Board, line: Line) -> list[Finding]:
    if "then" in line.said:
        return [finding for said in line.said["then"] for finding in judge(board, Line(said, line.place))]
    carry_out(board, line)
    return []


def _placed(error: RulewrightError, scenario: Scenario) -> RulewrightError:
    if error.place is None or ":" not in error.place:
        about = f"{error.place}: " if error.place else ""
        return RulewrightError(f"{about}{error.message}", place=scenario.place, help=error.help)
    return error


def _fault(fault: Exception, scenario: Scenario) -> RulewrightError:
    where = traceback.extract_tb(fault.__traceback__)[-1]
    place = f"{Path(where.filename).name}:{where.lineno}"
    return RulewrightError(
        f"the engine fails at {place}: {type(fault).__name__}: {fault}", place=scenario.place
    )


def _log(board: Board | None) -> tuple[tuple[int, str, tuple[str, ...]], ...]:
    if board is None:
        return ()
    return tuple((record.depth, record.text, record.rules) for record in board.game.log)
