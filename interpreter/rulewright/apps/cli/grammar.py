"""``rulewright grammar``: how large a game's language is, and which of its alternatives texts use."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.lines import line, print_lines
from rulewright.data_files import json_rows, text_of
from rulewright.errors import FindingError

app = new_app(no_args_is_help=True)


@app.callback()
def grammar() -> None:
    """Look at a game's ability language.

    \b
    Example: rulewright grammar usage cards.jsonl
    """


@app.command()
def usage(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Cards: JSON lines of name and text.")],
    at_most: Annotated[int, typer.Option("--at-most", help="Tell alternatives that so few cards use.")] = 1,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Tell which alternatives of the grammar few cards use, each with why it is there; and how large the grammar is.

    An alternative that only one card uses must have a reason in `grammar/single_use.yaml`: one without is a finding.

    \b
    Example: rulewright grammar usage cards.jsonl --at-most 1
    """
    from rulewright.language.usage import justified, size
    from rulewright.language.usage import usage as usage_of

    large = size(game)
    found = usage_of(_texts(file), game)
    reasons = justified(game)
    few = found.used_by_at_most(at_most)
    bare = [name for name, cards in few.items() if len(cards) == 1 and name not in reasons]
    if output is OutputFormat.JSON:
        json.dump(
            {
                "symbols": large.symbols,
                "alternatives": large.alternatives,
                "forms": large.forms,
                "frames": large.frames,
                "kinds": large.kinds,
                "unread": found.unread,
                "few": {name: {"cards": cards, "why": reasons.get(name)} for name, cards in few.items()},
            },
            sys.stdout,
            ensure_ascii=False,
            indent=2,
        )
        sys.stdout.write("\n")
    else:
        lines = [
            line(
                f"{large.symbols} symbols, {large.alternatives} alternatives ({large.forms} with their optional parts"
                f" spelled out), {large.frames} verb frames, {large.kinds} kinds of node"
            )
        ]
        for name, cards in sorted(few.items(), key=lambda one: (len(one[1]), one[0])):
            who = ", ".join(cards) or "no card"
            lines.append(line((f"{name:<26}", "cyan"), f"{who}: {reasons.get(name, '-')}", indent=2))
        once = sum(len(cards) == 1 for cards in few.values())
        never = sum(not cards for cards in few.values())
        lines.append(
            line(f"{once} alternatives are used by one card, {never} by none (other texts use them)")
        )
        print_lines(lines)
    if bare:
        raise FindingError(
            f"used by one card and not justified: {', '.join(bare)}",
            help="make it general, or say why it is there in grammar/single_use.yaml",
        )


def _texts(file: Path) -> list[tuple[str, str]]:
    parts = ("text", "effect_text")
    rows = json_rows(text_of(file), str(file), needed=["name"], optional=parts)
    return [(row["name"], row[key]) for row in rows for key in parts if row.get(key)]
