"""``rulewright replay``: shows a recorded game step by step, with why."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.apps.cli.frame import FormatOption, OutputFormat, new_app
from rulewright.apps.cli.game_log import log_lines, step_lines
from rulewright.apps.cli.lines import Line, line, print_lines

if TYPE_CHECKING:
    from rulewright.engine import Game, LogRecord
    from rulewright.play.why import Explanation
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
    from rulewright.play.why import explain

    recorded = load(file)
    table = load_table(recorded.game)
    *_, game = recorded.games(table)
    explanation = explain(game, why) if why is not None else None
    if output is OutputFormat.JSON:
        shown = (
            [_plain(record) for record in game.log]
            if explanation is None
            else _plain_explanation(explanation, table.rules)
        )
        json.dump(shown, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    elif explanation is not None:
        print_lines(_explained(explanation, game, table.rules))
    elif steps:
        print_lines(step_lines(game.log))
    else:
        print_lines(log_lines(game.log, table.ruleset))


def _explained(why: "Explanation", game: "Game", rules: "RulesDatabase") -> list[Line]:
    from rulewright.play.words import words_behind

    lines = [_step("", why.record, "bold", indent=0)]
    lines += [_step("because", each, indent=2) for each in why.because]
    if why.words:
        lines.append(line(("words      ", "dim"), (f"{why.record.card}: {why.words}", "green"), indent=2))
    for rule in why.record.rules:
        lines.append(line((f"{rule:<11}", "cyan"), rules.entry(rule).gist if rule in rules else "", indent=2))
    for label, followed in (("triggers", why.triggered), ("replaced", why.replaced), ("then", why.then)):
        for each in followed:
            lines.append(_step(label, each, indent=2))
            words = words_behind(each, game.ruleset) if label != "then" else ""
            if words:
                lines.append(line(("           ", "dim"), (f"{each.card}: {words}", "green"), indent=2))
    return lines


def _step(label: str, record: "LogRecord", style: str = "", indent: int = 0) -> Line:
    shown = (f"{label:<11}", "dim") if label else ""
    return line(shown, (record.text, style), ("  ".join(("", f"line {record.index}")), "dim"), indent=indent)


def _plain_explanation(why: "Explanation", rules: "RulesDatabase") -> dict[str, Any]:
    return {
        **_plain(why.record),
        "words": why.words or None,
        "gists": {rule: rules.entry(rule).gist for rule in why.record.rules if rule in rules},
        "because": [_plain(each) for each in why.because],
        "triggered": [_plain(each) for each in why.triggered],
        "replaced": [_plain(each) for each in why.replaced],
        "then": [_plain(each) for each in why.then],
    }


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
