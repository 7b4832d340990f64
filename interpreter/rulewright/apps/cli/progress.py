"""Shows how far long work has come, on a terminal only."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Row = TypeVar("Row")


def with_progress(rows: Iterable[Row], what: str, total: int) -> Iterator[Row]:
    """Give the rows as they come, with a bar on the error stream that counts them; no bar away from a terminal."""
    if not sys.stderr.isatty():
        yield from rows
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        for row in rows:
            yield row
            progress.advance(task)
