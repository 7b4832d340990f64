"""``rulewright check``: every text is read whole and in one way, every card can be one, the set holds together."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, GameOption, new_app
from rulewright.errors import UsageError

if TYPE_CHECKING:
    from rulewright.cards.checks import Report, Settings

app = new_app()


class CheckFormat(StrEnum):
    """For whom findings are written."""

    FULL = "full"
    CONCISE = "concise"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


@app.command()
def check(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Set files, or folders of them.")],
    fix: Annotated[bool, typer.Option("--fix", help="Put right what is safe, in the files.")] = False,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="CODE", help="Only these codes, or codes that begin so."),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="CODE", help="Not these codes, or codes that begin so."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="End with 1 on warnings too.")] = False,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="The settings, instead of the nearest file's."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes that read.")] = 2,
    output: Annotated[
        CheckFormat, typer.Option("--format", help="How findings are written.")
    ] = CheckFormat.FULL,
    game: GameOption = DEFAULT_GAME,
) -> None:
    """Check card sets, and the decks, errata and bans beside them.

    Exit codes: 0 where there are no errors, 1 where there are (with --strict, warnings too), 2 for wrong use.
    `rulewright explain CODE` says what a code means.

    \b
    Example: rulewright check cardtexts/riftbound --ignore RW202
             rulewright check my-sets --format sarif > findings.sarif
             rulewright check my-sets/abc.yaml --fix
    """
    from rulewright.apps.check_game import checked_game
    from rulewright.cards.checks import check_paths, fix_paths

    settings = _settings(paths, config).with_codes(select or (), ignore or ())
    known = checked_game(game)
    with _progress() as told:
        if fix:
            report = fix_paths(paths, known, settings, progress=told)
        else:
            report = check_paths(paths, known, settings, jobs=jobs, progress=told)
    _write(report, output)
    if report.errors or (report.warnings and (strict or settings.strict)):
        raise typer.Exit(1)


def _settings(paths: list[Path], config: Path | None) -> "Settings":
    from rulewright.cards.checks.settings import find_settings, read_settings

    if config is None:
        return find_settings(paths[0])
    settings = read_settings(config)
    if settings is None:
        raise UsageError("there is no [tool.rulewright] in this file", place=str(config))
    return settings


def _write(report: "Report", output: CheckFormat) -> None:
    from rulewright.cards.checks import formats

    match output:
        case CheckFormat.FULL:
            sys.stdout.write("\n".join(formats.full(report)) + "\n")
        case CheckFormat.CONCISE:
            sys.stdout.writelines(line + "\n" for line in formats.concise(report))
        case CheckFormat.GITHUB:
            sys.stdout.writelines(line + "\n" for line in formats.github(report))
        case CheckFormat.JSON:
            sys.stdout.write(formats.as_json(report))
        case CheckFormat.SARIF:
            sys.stdout.write(formats.sarif(report))


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading texts", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
