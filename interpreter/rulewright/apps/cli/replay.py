"""``rulewright replay``: shows a recorded game step by step, with why."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.apps.cli.frame import FormatOption, OutputFormat, new_app
from rulewright.apps.cli.game_log import log_lines, step_lines
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.errors import UsageError

if TYPE_CHECKING:
    from rulewright.engine import Game, LogRecord
    from rulewright.rules import RulesDatabase

app = new_app()


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded game.")],
    why: Annotated[
        int | None,
        typer.Option("--why", metavar="N", help="Explain line N of the log: the rules and the card's words."),
    ] = None,
    steps: Annotated[
        bool, typer.Option("--steps", help="Every step as a line of its own, numbered.")
    ] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Play a recorded game again and show its log, each line with the rules that it happened by.

    \b
    Example: rulewright replay duel.json --why 40
    """
    from rulewright.play.replay import load
    from rulewright.play.table import load_table

    recorded = load(file)
    table = load_table(recorded.game)
    *_, game = recorded.games(table)
    if output is OutputFormat.JSON:
        json.dump([_plain(record) for record in game.log], sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    elif why is not None:
        print_lines(_explained(game, table.rules, why))
    elif steps:
        print_lines(step_lines(game.log))
    else:
        print_lines(log_lines(game.log, table.ruleset))


def _explained(game: "Game", rules: "RulesDatabase", number: int) -> list[Line]:
    from rulewright.play.words import words_behind

    if not 0 <= number < len(game.log):
        raise UsageError(f"the log has no line {number}; its lines are 0 to {len(game.log) - 1}")
    record = game.log[number]
    lines = [line((record.text, "bold"))]
    cause = record.cause
    while cause is not None:
        lines.append(line(("because   ", "dim"), game.log[cause].text, indent=2))
        cause = game.log[cause].cause
    if words := words_behind(record, game.ruleset):
        lines.append(line(("words     ", "dim"), (f"{record.card}: {words}", "green"), indent=2))
    for rule in record.rules:
        gist = rules.entry(rule).gist if rule in rules else ""
        lines.append(line((f"{rule:<10}", "cyan"), gist, indent=2))
    effects = [each for each in game.log if each.cause == number]
    lines += [line(("then      ", "dim"), each.text, indent=2) for each in effects]
    return lines


def _plain(record: "LogRecord") -> dict[str, Any]:
    return {
        "index": record.index,
        "turn": record.turn,
        "phase": record.phase,
        "player": record.player,
        "verb": record.verb,
        "text": record.text,
        "rules": list(record.rules),
        "card": record.card or None,
        "span": None if record.span is None else list(record.span),
        "cause": record.cause,
    }
