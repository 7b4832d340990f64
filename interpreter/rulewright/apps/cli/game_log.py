"""Writes the log of a game: what happened in lines, and beside each the rules that it happened by."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rulewright.apps.cli.lines import Line, line

if TYPE_CHECKING:
    from rulewright.engine import LogRecord

COLUMN = 72
"""Where the rules stand, in characters from the left."""


def log_lines(records: "Iterable[LogRecord]", reader: int | None = None) -> Iterator[Line]:
    """Give the lines of a log; ``reader`` is the player who reads it, nothing for one who may know all."""
    for record in records:
        yield record_line(record, reader)


def record_line(record: "LogRecord", reader: int | None = None) -> Line:
    """Give one line of a log, indented as deep as its cause."""
    hidden = reader is not None and reader in record.secret_to
    text = record.public_text if hidden else record.text
    indent = 2 * record.depth
    gap = max(2, COLUMN - indent - len(text))
    style = "bold" if record.depth == 0 else ""
    return line((text, style), " " * gap, ("  ".join(record.rules), "cyan"), indent=indent)
