"""Prints lines of styled pieces: with colours and wrapped on a terminal, plain and unwrapped otherwise."""

import sys
from collections.abc import Iterable
from typing import TypeAlias

Piece: TypeAlias = str | tuple[str, str]
"""A text, or a text and the Rich style it is drawn in."""

Line: TypeAlias = tuple[int, tuple[Piece, ...]]
"""How far a line is indented, and its pieces."""


def line(*pieces: Piece, indent: int = 0) -> Line:
    """Make a line."""
    return indent, pieces


def print_lines(lines: Iterable[Line]) -> None:
    """Print lines to standard output."""
    if sys.stdout.isatty():
        _print_styled(lines)
        return
    sys.stdout.write("".join(" " * indent + _plain(pieces) + "\n" for indent, pieces in lines))


def _plain(pieces: Iterable[Piece]) -> str:
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in pieces)


def _print_styled(lines: Iterable[Line]) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    for indent, pieces in lines:
        console.print(Padding(Text.assemble(*pieces), (0, 0, 0, indent), expand=False))
