"""``rulewright diff``: compares two sets, exports or dates by meaning."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.apps.cli.at_hand import named_set_files
from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.data_files import content_of
from rulewright.days import FORM

if TYPE_CHECKING:
    from rulewright.cards import Pool
    from rulewright.cards.diff import Change, PoolDiff

app = new_app()

SHOWN = 8
"""How many names of added and removed cards are told."""


@app.command()
def diff(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="A set file, a folder of sets, an export, or a date.")
    ],
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="The same; `now` is the game's sets as they are.")
    ],
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Compare cards by what they mean: a rewording is silent, a changed fact or effect is told. Exit code 1 if any.

    \b
    Examples:
      rulewright diff old-set.yaml new-set.yaml
      rulewright diff 2025-10-01 now
      rulewright diff export-of-june.json export-of-july.json
    """
    from rulewright.cards.diff import diff_pools

    found = diff_pools(_pool(old, game), _pool(new, game))
    if output is OutputFormat.JSON:
        json.dump(asdict(found), sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        print_lines(_lines(found))
    if found:
        raise typer.Exit(1)


def _pool(said: str, game: str) -> "Pool":
    from rulewright.cards import CardSet, Pool, load_pool, load_sets
    from rulewright.cards.formats import load_imports
    from rulewright.cards.importing import read_export

    if said == "now":
        return load_pool(game)
    if FORM.fullmatch(said):
        return load_pool(game, as_of=said)
    path = Path(said)
    if path.is_dir() or path.suffix in (".yaml", ".yml"):
        return Pool(load_sets(named_set_files([path])), game=game)
    made = read_export(content_of(path), said, load_imports(game))
    sets = (CardSet(code, made.set_names[code], "", cards, said) for code, cards in made.sets.items())
    return Pool(sets, game=game)


def _lines(found: "PoolDiff") -> list[Line]:
    lines: list[Line] = []
    for card in found.changed:
        lines.append(line((card.name, "bold")))
        for change in card.changes:
            lines += _change_lines(change)
    for title, names in (("added", found.added), ("removed", found.removed)):
        if names:
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            lines.append(line((f"{len(names)} {title}: ", "yellow"), ", ".join(names[:SHOWN]) + more))
    if found.unknown:
        said = f"{len(found.unknown)} cards whose text of then is not known: "
        lines.append(line((said, "yellow"), ", ".join(found.unknown)))
    counts = f"{len(found.changed)} changed, {len(found.reworded)} reworded, {found.same} the same"
    return [*lines, line((counts, "dim"))]


def _change_lines(change: "Change") -> list[Line]:
    if change.kind == "fact":
        return [line(f"{change.what}: ", (change.old, "red"), " -> ", (change.new, "green"), indent=2)]
    note = " (one of them cannot be read)" if change.kind == "unread" else ""
    lines = [line(f"{change.what}{note}", indent=2)]
    before, after = change.old.splitlines(), change.new.splitlines()
    lines += [line(("- " + one, "red"), indent=4) for one in before if one not in after]
    return lines + [line(("+ " + one, "green"), indent=4) for one in after if one not in before]
