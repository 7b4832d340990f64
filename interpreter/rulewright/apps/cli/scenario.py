"""``rulewright scenario``: runs scenarios and shows what was expected, what was, and why."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.apps.cli.progress import with_progress
from rulewright.errors import FindingError, UsageError

if TYPE_CHECKING:
    from rulewright.play.mutation import Verdict
    from rulewright.play.runner import Outcome

app = new_app(no_args_is_help=True)


@app.callback()
def scenario() -> None:
    """Run scenarios: a position, some choices, what must then be true.

    \b
    Example: rulewright scenario run tests/scenarios/first_duel.yaml
    """


@app.command()
def run(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Scenario files, or folders of them.")
    ],
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="WORDS", help="Only those whose name or ruling has these words."),
    ] = None,
    show_log: Annotated[bool, typer.Option("--log", help="Show the log of those that pass, too.")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Run scenarios and show, for each that fails, what was expected, what was, and the log with its rules.

    \b
    Example: rulewright scenario run tests/scenarios/first_duel.yaml
    """
    from rulewright.play.position import prepared
    from rulewright.play.runner import run as run_one
    from rulewright.play.scenario import load
    from rulewright.play.table import load_table

    scenarios = [each for path in paths for each in load(path)]
    if only is not None:
        words = only.casefold()
        scenarios = [each for each in scenarios if words in f"{each.title} {each.ruling}".casefold()]
    if not scenarios:
        has = "" if only is None else f" whose name or ruling has {only!r}"
        raise UsageError(f"there is no scenario{has}", place=", ".join(map(str, paths)))
    played_with = {game: prepared(load_table(game).ruleset) for game in {each.game for each in scenarios}}
    outcomes = []
    for each in scenarios:
        outcome = run_one(each, played_with[each.game])
        outcomes.append(outcome)
        if output is OutputFormat.TEXT:
            print_lines(_lines(outcome, show_log or not outcome.passed))
    failed = sum(not outcome.passed for outcome in outcomes)
    if output is OutputFormat.JSON:
        shown = {"passed": len(outcomes) - failed, "failed": failed, "scenarios": [*map(_plain, outcomes)]}
        json.dump(shown, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        print_lines([line(f"{len(outcomes) - failed} passed, {failed} failed")])
    if failed:
        raise FindingError(f"{failed} of {len(outcomes)} scenarios do not hold")


@app.command()
def mutate(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Scenario files, or folders of them.")
    ],
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="How many mutants are tried.")] = 500,
    seed: Annotated[int, typer.Option("--seed", help="Chooses among all mutants.")] = 1,
    workers: Annotated[int, typer.Option("--workers", min=1, help="How many processes work.")] = 1,
    least: Annotated[
        float, typer.Option("--least", min=0, max=1, help="The share that must be noticed.")
    ] = 0.9,
    kept: Annotated[
        Path | None,
        typer.Option("--keep", help="A file of the verdicts so far: a run that was stopped goes on from it."),
    ] = None,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Break one thing of the rules at a time, and tell how many of these mutants the scenarios notice.

    A mutant changes a value of a table, leaves out a step of a procedure, alters what a keyword means, or misreads one
    field of a kind of meaning in every card. Those that no scenario notices are told as they are found.

    \b
    Example: rulewright scenario mutate tests/scenarios -n 500 --workers 2
    """
    from rulewright.paths import data_dir
    from rulewright.play.mutation import SORTS, choose, mutants, verdicts
    from rulewright.play.table import load_table

    tried = choose(list(mutants(load_table(game))), count, seed)
    done: list[Verdict] = []
    for one in with_progress(verdicts(game, data_dir(), paths, tried, workers, kept), "mutants", len(tried)):
        done.append(one)
        if one.noticed_by is None and output is OutputFormat.TEXT:
            print_lines([line(("not noticed  ", "bold red"), str(one.mutant))])
        if len(done) % 10 == 0 and not sys.stderr.isatty():
            sys.stderr.write(f"{len(done)} of {len(tried)} mutants tried, {_noticed(done)} noticed\n")
    survivors = [one for one in done if one.noticed_by is None]
    share = 1 - len(survivors) / len(done)
    sorts = {sort: [one for one in done if one.mutant.sort == sort] for sort in SORTS}
    if output is OutputFormat.JSON:
        shown = {
            "seed": seed,
            "mutants": len(done),
            "noticed": len(done) - len(survivors),
            "share": round(share, 4),
            "sorts": {
                sort: {"mutants": len(all_), "noticed": _noticed(all_)} for sort, all_ in sorts.items()
            },
            "survivors": [str(one.mutant) for one in survivors],
        }
        json.dump(shown, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        for sort, all_ in sorts.items():
            print_lines([line(f"{sort:<10}{len(all_):>6} mutants{_noticed(all_):>6} noticed")])
        print_lines([line((f"{share:.1%}", "bold"), f" of {len(done)} mutants noticed, seed {seed}")])
    if share < least:
        raise FindingError(f"{len(survivors)} of {len(done)} mutants are not noticed")


def _noticed(verdicts: "list[Verdict]") -> int:
    return sum(one.noticed_by is not None for one in verdicts)


def _lines(outcome: "Outcome", with_log: bool) -> list[Line]:
    mark = ("passed", "green") if outcome.passed else ("FAILED", "bold red")
    rules = ", ".join(outcome.scenario.rules)
    lines = [line(mark, "  ", (outcome.scenario.title, "bold"), "  ", (rules, "cyan"))]
    if not with_log:
        return lines
    for finding in outcome.findings:
        lines.append(
            line(("holds     " if finding.holds else "expected  ", "dim"), finding.expected, indent=2)
        )
        if not finding.holds:
            lines.append(line(("was       ", "dim"), (finding.was, "red"), indent=2))
            lines.append(line(("at        ", "dim"), finding.place, indent=2))
    if outcome.error is not None:
        lines.append(line(("stopped   ", "dim"), (str(outcome.error), "red"), indent=2))
        if outcome.error.help:
            lines.append(line(("help      ", "dim"), outcome.error.help, indent=2))
    lines += [line(("log", "dim"), indent=2)] if outcome.log else []
    for depth, text, rules_cited in outcome.log:
        lines.append(line(text, "  ", (" ".join(rules_cited), "cyan"), indent=4 + 2 * depth))
    return lines


def _plain(outcome: "Outcome") -> dict[str, Any]:
    return {
        "name": outcome.scenario.title,
        "place": outcome.scenario.place,
        "ruling": outcome.scenario.ruling,
        "rules": list(outcome.scenario.rules),
        "passed": outcome.passed,
        "error": None if outcome.error is None else str(outcome.error),
        "findings": [
            {"place": each.place, "expected": each.expected, "was": each.was, "holds": each.holds}
            for each in outcome.findings
        ],
        "log": [{"depth": depth, "text": text, "rules": list(rules)} for depth, text, rules in outcome.log],
    }
