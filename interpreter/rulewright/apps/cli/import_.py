"""``rulewright import``: turns a public export of cards into set files."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.cards.formats import load_imports
from rulewright.cards.importing import Import, LeftOut, read_export
from rulewright.cards.keep import keep_sets
from rulewright.cards.pool import Pool
from rulewright.cards.sets import load_sets
from rulewright.data_files import content_of

app = new_app()

SHOWN = 12
"""How many lines tell what was left out, unless all is asked for."""

TOGETHER = 3
"""From how many rows on those with one reason share a line."""


@app.command(name="import")
def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The export: JSON, JSON lines, CSV, a saved page.")
    ],
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where the set files go.")],
    only_set: Annotated[
        str | None,
        typer.Option("--set", metavar="CODE", help="Only this set; it names the set of rows that name none."),
    ] = None,
    facts: Annotated[
        list[Path] | None,
        typer.Option(
            "--facts", metavar="FILE", help="Set files with the facts that the export does not have."
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace set files also where cards would be lost.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Tell everything that was left out.")] = False,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Turn a public export of cards into set files, and tell what was left out and why.

    The set files hold the export's own texts: they are yours to use, and no part of Rulewright.

    \b
    Example: rulewright import cards.json --set OGN --to my-sets
    """
    imports = load_imports(game)
    known = Pool(load_sets(facts), game=game) if facts else None
    wanted = only_set.upper() if only_set else None
    made = read_export(content_of(file), str(file), imports, only_set=wanted, facts=known)
    written = keep_sets(made, to, imports.released, replace=replace)
    if output is OutputFormat.JSON:
        json.dump(_as_json(made, written), sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        print_lines(_lines(made, written, None if everything else SHOWN))


def _lines(made: Import, written: dict[Path, int], shown: int | None) -> list[Line]:
    out = len(made.left_out)
    total = f"{made.cards} cards, {made.printings} other printings of them, {out} left out"
    lines = [line(f"{made.rows} rows of {made.format}: ", (total, "bold"))]
    lines += [line(f"{path}  ", (f"{count} cards", "dim"), indent=2) for path, count in written.items()]
    for title, parts in (("left out", made.left_out), ("to know", made.remarks)):
        lines += [line((title, "yellow"))] if parts else []
        lines += _told(parts, shown)
    return lines


def _told(parts: tuple[LeftOut, ...], shown: int | None) -> list[Line]:
    # Many rows with one reason are told together.
    counts = Counter(part.reason for part in parts)
    lines: list[Line] = []
    for reason, count in counts.items():
        named = [part.what for part in parts if part.reason == reason]
        if shown is None or count <= TOGETHER:
            lines += [line(f"{what}: {reason}", indent=2) for what in named]
        else:
            first = "; ".join(named[:TOGETHER])
            lines.append(line(f"{count} times: {reason} ({first} ...)", indent=2))
    if shown is not None and len(lines) > shown:
        return [*lines[:shown], line(f"... and {len(lines) - shown} lines more (--all tells them)", indent=2)]
    return lines


def _as_json(made: Import, written: dict[Path, int]) -> dict[str, object]:
    def plain(parts: tuple[LeftOut, ...]) -> list[dict[str, str]]:
        return [{"what": part.what, "reason": part.reason} for part in parts]

    return {
        "format": made.format,
        "rows": made.rows,
        "cards": made.cards,
        "printings": made.printings,
        "files": {str(path): count for path, count in written.items()},
        "left_out": plain(made.left_out),
        "remarks": plain(made.remarks),
    }
