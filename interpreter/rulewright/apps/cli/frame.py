"""What every command shares: how its Typer application is made, and the options that mean the same in all."""

from enum import StrEnum
from typing import Annotated, Any

import typer


def new_app(**settings: Any) -> typer.Typer:
    """Make the Typer application of a command; ``settings`` are those of :class:`typer.Typer`.

    With one function under ``@app.command()`` it is a plain command. For a group of subcommands add
    ``@app.callback()``, whose docstring is the group's help. Help is plain text: Rich is imported by the commands
    that draw with it, because start-up counts. A line ``\\b`` before an example keeps the example's line breaks.
    """
    return typer.Typer(
        rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, **settings
    )


class OutputFormat(StrEnum):
    """For whom a command writes."""

    TEXT = "text"
    JSON = "json"


GameOption = Annotated[str, typer.Option("--game", metavar="GAME", help="The game whose data is used.")]
"""The option ``--game``; give the parameter the default :data:`DEFAULT_GAME`."""

DEFAULT_GAME = "riftbound"
"""The game that a command is about where none is named."""

FormatOption = Annotated[OutputFormat, typer.Option("--format", help="Text to read, or JSON for a program.")]
"""The option ``--format``; give the parameter the default :attr:`OutputFormat.TEXT`."""
