"""The command line: ``rulewright COMMAND``.

Each command is a module of this package with a Typer application named ``app``, made by
:func:`rulewright.apps.cli.frame.new_app`. The table below names them, so that listing the commands, or running
one of them, imports no other.
"""

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from rulewright import __version__
from rulewright.apps.cli.frame import new_app
from rulewright.errors import RulewrightError, UsageError

COMMANDS: dict[str, tuple[str, str]] = {
    "parse": ("parse", "Read card text and show its meaning."),
    "check": ("check", "Check card sets: every text is read whole, in one way."),
    "fmt": ("fmt", "Write card text in the canonical wording."),
    "diff": ("diff", "Compare two sets by meaning."),
    "explain": ("explain", "Say what a diagnostic code means."),
    "card": ("card", "Show a card: its facts, its abilities, the rules it touches."),
    "rule": ("rule", "Look up a rule, a range, a keyword or a term."),
    "rules": ("rules", "Search, compare and check the rules database."),
    "sets": ("sets", "List sets, and write set files in the canonical wording."),
    "import": ("import_", "Turn a public export into a set file."),
    "deck": ("deck", "Check decks, read and write deck codes."),
    "scenario": ("scenario", "Run scenarios: a position, some choices, what must then be true."),
    "play": ("play", "Play a duel in the terminal."),
    "replay": ("replay", "Show a recorded game step by step, with why."),
    "simulate": ("simulate", "Play many games and count."),
    "coverage": ("coverage", "Count what is read, printed, executed and proved, for each set."),
    "grammar": ("grammar", "Tell how large the grammar is, and what of it few cards use."),
    "schema": ("schema", "Print the JSON Schema of a card's meaning or of a data file."),
    "demo": ("demo", "Take the guided tour."),
}
"""Each command's name, with its module in this package and what it does."""


class LazyCommands(TyperGroup):
    """A group of commands that imports a command's module when the command is run, and not before."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Give the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import one command; nothing where there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"{__name__}.{COMMANDS[cmd_name][0]}")
        return typer.main.get_command(module.app)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands from the table, so that ``--help`` imports none of them."""
        rows = [(name, COMMANDS[name][1]) for name in self.list_commands(ctx)]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


app = new_app(cls=LazyCommands, no_args_is_help=True)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rulewright {__version__}")
        raise typer.Exit


@app.callback()
def rulewright(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end."),
    ] = False,
) -> None:
    """Read card text as a program, look rules up, and play games under them.

    \b
    Example: rulewright parse "Draw 1."

    Exit codes: 0 fine, 1 findings, 2 wrong use.
    """


def main() -> None:
    """Run the command line; what is wrong around it or with what it was given ends it with a message."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A card's text has letters that some terminals have not, and an argument may hold bytes that are none.
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="rulewright")
    except RulewrightError as error:
        typer.echo(f"error: {error}", err=True)
        if error.help is not None:
            typer.echo(f"  = help: {error.help}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        # A full disk, a folder that cannot be made: no fault of the program, and nothing that it could mend.
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        typer.echo(f"error: {place}{error.strerror or error}", err=True)
        _let_go_of_output()
        sys.exit(UsageError.exit_code)


def _let_go_of_output() -> None:
    """What could not be written is not tried again at the end, where it would end in a traceback after all."""
    try:
        sys.stdout.flush()
    except OSError:
        with Path(os.devnull).open("w") as nothing:
            os.dup2(nothing.fileno(), sys.stdout.fileno())
