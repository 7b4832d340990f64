"""``rulewright sets``: lists the sets of a game, and writes set files from an export in the canonical wording."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.apps.cli.at_hand import SetsOption, pool_at_hand
from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.data_files import content_of, json_rows, text_of
from rulewright.errors import FindingError

if TYPE_CHECKING:
    from rulewright.cards import CardDefinition
    from rulewright.cards.importing import Import, LeftOut

app = new_app(no_args_is_help=True)

SCHEMA_LINE = "../cards.schema.json"
"""Where the schema lies, seen from a set file of the data folder."""

SHOWN = 10
"""How many cards that were left out are told, unless all are asked for."""


@app.callback()
def sets() -> None:
    """List card sets, and write set files in the canonical wording.

    \b
    Example: rulewright sets list
    """


@app.command(name="list")
def list_(
    sets: SetsOption = None, game: GameOption = DEFAULT_GAME, output: FormatOption = OutputFormat.TEXT
) -> None:
    """List the sets of a game with the number of their cards.

    \b
    Example: rulewright sets list --game riftbound
    """
    pool = pool_at_hand(game, sets)
    rows = [
        {"set": one.code, "name": one.name, "released": one.released or None, "cards": len(one.cards)}
        for one in pool.sets
    ]
    if output is OutputFormat.JSON:
        json.dump({"sets": rows, "cards": len(pool)}, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
        return
    lines = [
        line(
            (f"{row['set']:<5}", "cyan"), f"{row['cards']:>5} cards  {row['released'] or '':<11}{row['name']}"
        )
        for row in rows
    ]
    print_lines([*lines, line((f"{len(pool)} different cards", "dim"))])


@app.command()
def regenerate(
    export: Annotated[Path, typer.Argument(metavar="EXPORT", help="A public export of the cards.")],
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where the set files go, or lie.")],
    only: Annotated[list[str] | None, typer.Option("--set", metavar="CODE", help="Only these sets.")] = None,
    compare: Annotated[
        bool, typer.Option("--check", help="Write nothing; tell which files would change.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace set files also where cards would be lost.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Tell every card that was left out.")] = False,
    game: GameOption = DEFAULT_GAME,
) -> None:
    """Write the sets of an export as set files with facts and texts in the canonical wording.

    Each text is read and written from its meaning; a card whose text is not read whole is left out and told. With
    `--check` the files that lie there are compared, and the exit code is 1 where one would change.

    \b
    Example: rulewright sets regenerate cards.json --set OGN --to my-sets
    """
    from rulewright.cards.canonical import canonical_cards
    from rulewright.cards.formats import load_imports
    from rulewright.cards.importing import read_export

    imports = load_imports(game)
    made = read_export(content_of(export), str(export), imports)
    files: dict[Path, str] = {}
    lines: list[Line] = []
    for code, cards in made.sets.items():
        if only and code not in {one.upper() for one in only}:
            continue
        canonical = canonical_cards(cards, game)
        path = to / f"{code.lower()}.yaml"
        if canonical.cards:
            files[path] = _content(made, code, canonical.cards, imports.released.get(code, ""))
        lines.append(line((f"{code:<5}", "cyan"), f"{len(cards)} cards, {len(canonical.cards)} written"))
        lines += _left_out_lines(canonical.left_out, None if everything else SHOWN)
    changed = [path for path, text in files.items() if _differs(path, text)]
    print_lines(lines)
    if compare and changed:
        raise FindingError(f"{', '.join(path.name for path in changed)} would change", place=str(to))
    if not compare:
        _write(files, to, replace)


@app.command()
def errata(
    file: Annotated[
        Path, typer.Argument(metavar="LIST", help="Rows with card, post, old text and new text.")
    ],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="The file of dated changes.")],
    compare: Annotated[
        bool, typer.Option("--check", help="Write nothing; tell whether it would change.")
    ] = False,
    sets: SetsOption = None,
    game: GameOption = DEFAULT_GAME,
) -> None:
    """Write a list of errata as dated changes of meaning, what each card said before in the canonical wording.

    \b
    Example: rulewright sets errata errata.jsonl --to my-sets/errata.yaml
    """
    from rulewright.cards.errata_import import read_errata
    from rulewright.cards.formats import load_imports
    from rulewright.cards.write import errata_text
    from rulewright.paths import write_atomically

    made = read_errata(content_of(file), str(file), load_imports(game), pool_at_hand(game, sets))
    about = ["What cards meant before an erratum; the set files hold what they mean now. In our own wording."]
    text = errata_text(made.errata, about=about, schema=SCHEMA_LINE)
    lines = [line(f"{len(made.errata)} changes, {len(made.left_out)} left out")]
    print_lines([*lines, *(line(f"{one.what}: {one.reason}", indent=2) for one in made.left_out)])
    if compare and _differs(to, text):
        raise FindingError("this would change", place=str(to))
    if not compare:
        write_atomically(to, text)


@app.command()
def variants(
    file: Annotated[
        Path, typer.Argument(metavar="LIST", help="Renderings: JSON lines of name, format, text.")
    ],
    cards: Annotated[
        Path, typer.Option("--cards", metavar="FILE", help="The cards: JSON lines of name, text.")
    ],
    everything: Annotated[
        bool, typer.Option("--all", help="Tell each rendering that is not the card's text, with the reason.")
    ] = False,
    least: Annotated[
        float, typer.Option("--least", help="The share that must be read and mean the same, 0 to 1.")
    ] = 0.0,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Compare renderings of card texts by several exports with the cards' texts, by meaning, format by format.

    Each rendering means the same as the card's text, or is listed with its reason. `domain` counts those of formats
    that do not tell of which domain a Power is: for them the domain is uncertain and not guessed.

    \b
    Example: rulewright sets variants renderings.jsonl --cards cards.jsonl --all
    """
    from rulewright.cards.variants import CARD_TEXTS, OUTCOMES, SAME, counted, renderings

    rows = json_rows(text_of(file), str(file), needed=["name", "format", "text"])
    of_cards = json_rows(text_of(cards), str(cards), needed=["name"], optional=CARD_TEXTS)
    found = list(renderings(rows, of_cards, game))
    formats = counted(found)
    same = sum(one.outcome == SAME for one in found)
    if output is OutputFormat.JSON:
        json.dump(
            {
                "formats": {
                    one.format: {"rows": one.rows, "read": one.read, **one.outcomes} for one in formats
                },
                "rest": [
                    {"card": one.card, "format": one.format, "outcome": one.outcome, "reason": one.reason}
                    for one in found
                    if one.outcome != SAME
                ],
            },
            sys.stdout,
            ensure_ascii=False,
            indent=2,
        )
        sys.stdout.write("\n")
    else:
        head = "".join(f"{word:>9}" for word in ("rows", "read", *OUTCOMES))
        lines = [line((f"{'format':<30}{head}", "dim"))]
        for one in formats:
            figures = (one.rows, one.read, *(one.outcomes.get(word, 0) for word in OUTCOMES))
            lines.append(line((f"{one.format:<30}", "cyan"), "".join(f"{number:>9}" for number in figures)))
        read = sum(one.read for one in formats)
        lines.append(line(f"{len(found)} renderings: {read} are read, {same} mean the same as their card"))
        if everything:
            lines += [
                line((f"{one.format}: ", "cyan"), f"{one.card}: {one.outcome}: {one.reason}", indent=2)
                for one in found
                if one.outcome != SAME
            ]
        print_lines(lines)
    if found and same / len(found) < least:
        raise FindingError(f"{same} of {len(found)} mean the same as their card", place=str(file))


def _differs(path: Path, text: str) -> bool:
    """Tell whether a file would change if a text were written to it; a folder in its place is an error."""
    return not path.exists() or content_of(path) != text.encode()


def _content(made: "Import", code: str, cards: "tuple[CardDefinition, ...]", released: str) -> str:
    from rulewright.cards.write import set_text

    name = made.set_names[code]
    about = [f"{name}: facts, and what each card does in our own wording, written from its meaning."]
    return set_text(code, name, cards, released=released, about=about, schema=SCHEMA_LINE)


def _write(files: dict[Path, str], to: Path, replace: bool) -> None:
    from rulewright.cards.keep import check_kept
    from rulewright.cards.sets import parse_set
    from rulewright.paths import write_atomically

    for path, text in files.items():
        fresh = parse_set(text.encode(), str(path))
        if path.exists() and not replace:
            check_kept(path, {card.name for card in fresh.cards})
    to.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        write_atomically(path, text)


def _left_out_lines(left_out: "tuple[LeftOut, ...]", shown: int | None) -> list[Line]:
    lines = [line(f"{one.what}: {one.reason}", indent=2) for one in left_out[:shown]]
    if shown is not None and len(left_out) > shown:
        lines.append(line(f"... and {len(left_out) - shown} more (--all tells them)", indent=2))
    return lines
