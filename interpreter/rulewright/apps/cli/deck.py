"""``rulewright deck``: checks decks, reads and writes deck codes."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.apps.cli.at_hand import SetsOption, deck_rules_of, pool_at_hand
from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.days import checked_day
from rulewright.errors import RulewrightError

if TYPE_CHECKING:
    from rulewright.cards import Breach, Deck, DeckRules

app = new_app(no_args_is_help=True)


@app.callback()
def deck() -> None:
    """Check decks against the rules of construction, and read and write deck codes.

    \b
    Examples:
      rulewright deck check my-deck.txt
      rulewright deck decode CMAAAAAAAAAQCAAAA4AAAAAAAAAAAAAAAA
    """


@app.command()
def check(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Deck files (.yaml), or lists as players paste them."),
    ],
    mode: Annotated[str | None, typer.Option("--mode", help="The mode of play.")] = "duel",
    on: Annotated[
        str | None, typer.Option("--on", metavar="DATE", help="The day whose bans hold; by default today.")
    ] = None,
    team: Annotated[
        bool, typer.Option("--team", help="The decks are those of one team: what may they not share?")
    ] = False,
    no_bans: Annotated[bool, typer.Option("--no-bans", help="Do not look at bans.")] = False,
    sets: SetsOption = None,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Tell every way in which decks are not legal, each with its rule; exit code 1 where one is not.

    \b
    Example: rulewright deck check my-deck.txt --mode match
    """
    from rulewright.cards import check_deck, check_team, load_deck
    from rulewright.cards.bans import load_bans
    from rulewright.cards.reading import has_keyword

    pool, rules = pool_at_hand(game, sets), deck_rules_of(game)
    known = [name for name, _ in rules.modes]
    if mode is not None and mode not in known:
        raise RulewrightError(f"there is no mode {mode!r}", help=f"the modes are {', '.join(known)}")
    day = datetime.now(UTC).date().isoformat() if on is None else checked_day(on)
    banned = [] if no_bans else [ban.card for ban in load_bans(game) if ban.holds(day)]
    checked: list[tuple[Deck, Sequence[Breach]]] = []
    for file in files:
        loaded = load_deck(file, pool, rules.layout)
        breaches = check_deck(
            loaded, pool, rules, has_keyword=partial(has_keyword, words=pool.words), mode=mode, banned=banned
        )
        checked.append((loaded, breaches))
    shared = check_team([loaded for loaded, _ in checked], rules) if team else ()
    if output is OutputFormat.JSON:
        told = {"team": [asdict(breach) for breach in shared]} if team else {}
        _print_json({"mode": mode, "decks": [_checked_json(*one) for one in checked], **told})
    else:
        lines = [one for loaded, breaches in checked for one in _checked_lines(loaded, breaches, rules)]
        print_lines([*lines, *(line((breach.rule, "cyan"), "  ", breach.message) for breach in shared)])
    if shared or any(breaches for _, breaches in checked):
        raise typer.Exit(1)


@app.command()
def encode(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A deck file (.yaml), or a list as players paste it.")
    ],
    sets: SetsOption = None,
    game: GameOption = DEFAULT_GAME,
) -> None:
    """Write a deck's code, as Piltover Archive has them.

    \b
    Example: rulewright deck encode my-deck.txt
    """
    from rulewright.cards import load_deck
    from rulewright.cards.deck_codes import deck_code, load_code_numbers

    pool, rules = pool_at_hand(game, sets), deck_rules_of(game)
    typer.echo(deck_code(load_deck(file, pool, rules.layout), pool, load_code_numbers(game)))


@app.command()
def decode(
    code: Annotated[str, typer.Argument(metavar="CODE", help="A deck code.")],
    codes_only: Annotated[
        bool, typer.Option("--codes-only", help="Tell the codes of the cards; they need not be at hand.")
    ] = False,
    sets: SetsOption = None,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Read a deck code and write the deck as a list.

    \b
    Example: rulewright deck decode CMAAAAAAAAAQCAAAA4AAAAAAAAAAAAAAAA --codes-only
    """
    from rulewright.cards.deck_codes import deck_from_code, load_code_numbers
    from rulewright.cards.deck_codes import decode as decoded

    numbers = load_code_numbers(game)
    if codes_only:
        coded = decoded(code, numbers)
        if output is OutputFormat.JSON:
            plain = {"main": dict(coded.main), "sideboard": dict(coded.sideboard), "champion": coded.champion}
            _print_json(plain)
        else:
            _print_codes(coded.main, coded.sideboard, coded.champion)
        return
    rules = deck_rules_of(game)
    read = deck_from_code(code, pool_at_hand(game, sets), rules.layout, numbers)
    _print_deck(read, rules, output)


def _print_codes(
    main: Sequence[tuple[str, int]], sideboard: Sequence[tuple[str, int]], champion: str | None
) -> None:
    lines = [f"{count} {card}" for card, count in main]
    lines += ["", "Sideboard:", *(f"{count} {card}" for card, count in sideboard)] if sideboard else []
    lines += ["", f"# the chosen champion is {champion}"] if champion else []
    typer.echo("\n".join(lines))


def _print_deck(read: "Deck", rules: "DeckRules", output: OutputFormat) -> None:
    from rulewright.cards import deck_list

    if output is OutputFormat.JSON:
        _print_json(read.to_plain())
    else:
        typer.echo(deck_list(read, rules.titles()), nl=False)


def _checked_lines(loaded: "Deck", breaches: Sequence["Breach"], rules: "DeckRules") -> list[Line]:
    counts = ", ".join(
        f"{sum(count for _, count in cards)} {rules.titles()[part]}" for part, cards in loaded.parts
    )
    verdict = ("legal", "green") if not breaches else (f"{len(breaches)} breaches", "red")
    if len(breaches) == 1:
        verdict = ("1 breach", "red")
    lines = [line((loaded.name, "bold"), ": ", verdict), line((counts, "dim"), indent=2)]
    return lines + [line((breach.rule, "cyan"), "  ", breach.message, indent=2) for breach in breaches]


def _checked_json(loaded: "Deck", breaches: Sequence["Breach"]) -> dict[str, object]:
    return {
        **loaded.to_plain(),
        "file": loaded.file,
        "legal": not breaches,
        "breaches": [
            {"rule": breach.rule, "message": breach.message, "cards": list(breach.cards)}
            for breach in breaches
        ],
    }


def _print_json(plain: object) -> None:
    json.dump(plain, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
