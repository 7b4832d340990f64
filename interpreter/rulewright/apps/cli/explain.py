"""``rulewright explain``: the page of a diagnostic code, or the list of all codes."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.apps.cli.frame import FormatOption, OutputFormat, new_app
from rulewright.apps.cli.lines import Line, line, print_lines

if TYPE_CHECKING:
    from rulewright.cards.checks import Page

app = new_app()

FIXED = {
    "always": "rulewright check --fix puts it right.",
    "sometimes": "rulewright check --fix puts it right where that is safe.",
    "never": "It is put right by hand.",
}
"""What is said of each kind of fix."""


@app.command()
def explain(
    code: Annotated[
        str | None,
        typer.Argument(metavar="CODE", help="A code, such as RW103, or a name, such as unknown-word."),
    ] = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Say what a diagnostic code means, with a bad and a good example, and how to put it right.

    Without a code, all codes are listed.

    \b
    Example: rulewright explain RW103
             rulewright explain two-readings
    """
    from rulewright.cards.checks import page, pages

    wanted = [page(code)] if code is not None else list(pages().values())
    if output is OutputFormat.JSON:
        json.dump([asdict(one) for one in wanted], sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    elif code is None:
        print_lines(_listed(one) for one in wanted)
    else:
        print_lines(_told(wanted[0]))


def _listed(one: "Page") -> Line:
    style = "red" if one.severity == "error" else "yellow"
    return line((one.code, "cyan"), "  ", (f"{one.severity:<8}", style), f"{one.name:<24}{one.title}")


def _told(one: "Page") -> Iterator[Line]:
    style = "red" if one.severity == "error" else "yellow"
    yield line((f"{one.code} {one.name}", "bold"), " (", (one.severity, style), ")")
    yield line(one.title)
    yield line()
    yield line(one.about.strip())
    for what, example in (("Bad:", one.bad), ("Good:", one.good)):
        if example:
            yield line()
            yield line((what, "bold"))
            yield from (line(row[:400], indent=4) for row in example.rstrip("\n").split("\n"))
    yield line()
    yield line(("What to do: ", "bold"), f"{one.repair.strip()} {FIXED[one.fixable]}")
    if one.rule:
        yield line((f"Rule {one.rule}", "dim"))
