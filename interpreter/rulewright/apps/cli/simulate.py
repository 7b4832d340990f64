"""``rulewright simulate``: plays many games and counts."""

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.progress import with_progress
from rulewright.errors import FindingError, UsageError

if TYPE_CHECKING:
    from rulewright.play.simulation import Series, Summary

app = new_app()


@app.command()
def simulate(
    games: Annotated[int, typer.Option("-n", "--games", min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Where the random numbers begin.")] = 1,
    decks: Annotated[
        list[Path] | None,
        typer.Option(
            "--decks", metavar="FILE...", help="Deck files, or folders of them; else those of the game."
        ),
    ] = None,
    more: Annotated[list[Path] | None, typer.Argument(metavar="[DECK...]", help="More deck files.")] = None,
    mode: Annotated[str, typer.Option("--mode", help="The mode of play.")] = "duel",
    workers: Annotated[int, typer.Option("--workers", min=1, help="How many processes play.")] = 1,
    check: Annotated[bool, typer.Option("--check", help="Check invariants at every decision.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Keep results there; go on where it broke off."),
    ] = None,
    replays: Annotated[
        Path | None, typer.Option("--replays", metavar="FOLDER", help="Keep each game there, to be replayed.")
    ] = None,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Play games between decks with random agents and count; the same seed gives the same figures.

    \b
    Examples:
      rulewright simulate -n 200 --seed 1
      rulewright simulate -n 100000 --workers 8 --out games.jsonl
    """
    from rulewright.play.simulation import Series, Summary, play_series

    files = _deck_files(game, [*(decks or []), *(more or [])])
    names = _checked_names(game, files)
    series = Series(
        game,
        tuple(str(file) for file in files),
        games,
        seed,
        mode,
        check,
        None if replays is None else str(replays),
    )
    if replays is not None:
        replays.mkdir(parents=True, exist_ok=True)
    summary = Summary()
    started = time.perf_counter()
    digests: dict[int, str] = {}
    for result in with_progress(play_series(series, workers, out), "games", games):
        summary.add(result)
        digests[result.number] = result.digest
    seconds = time.perf_counter() - started
    if output is OutputFormat.JSON:
        json.dump(_plain(series, summary, names, digests, seconds), sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        _print(series, summary, names, digests, seconds)
    if summary.errors:
        raise FindingError(f"{len(summary.errors)} of {games} games did not come to a result")


def _deck_files(game: str, named: list[Path]) -> list[Path]:
    from rulewright.play.table import starter_decks

    files = [file for path in named for file in (sorted(path.glob("*.yaml")) if path.is_dir() else [path])]
    if named and not files:
        raise UsageError("there are no decks (*.yaml) there", place=str(named[0]))
    return files or starter_decks(game)


def _checked_names(game: str, files: list[Path]) -> list[str]:
    """The decks' names; a deck that cannot be played ends the command before the first game."""
    from rulewright.play.table import load_table

    table = load_table(game)
    return [table.deck(file).name for file in files]


def _digest(digests: dict[int, str]) -> str:
    import hashlib

    joined = "".join(digests[number] for number in sorted(digests))
    return hashlib.blake2b(joined.encode(), digest_size=8).hexdigest()


def _plain(
    series: "Series", summary: "Summary", names: list[str], digests: dict[int, str], seconds: float
) -> dict[str, Any]:
    finished = summary.finished or 1
    return {
        "game": series.game,
        "mode": series.mode,
        "seed": series.seed,
        "games": series.games,
        "finished": summary.finished,
        "draws": summary.draws,
        "won_by_first_seat": summary.won_first,
        "turns_per_game": round(summary.turns / finished, 2),
        "decisions_per_game": round(summary.decisions / finished, 2),
        "decks": [
            {"name": name, "file": file, "games": summary.played[number], "won": summary.won[number]}
            for number, (name, file) in enumerate(zip(names, series.decks, strict=True))
        ],
        "errors": [
            {"game": each.number, "seed": each.seed, "decks": list(each.decks), "error": each.error}
            for each in sorted(summary.errors, key=lambda each: each.number)
        ],
        "digest": _digest(digests),
        "elapsed_seconds": round(seconds, 3),
        "games_per_second": round(series.games / seconds, 2),
    }


def _print(
    series: "Series", summary: "Summary", names: list[str], digests: dict[int, str], seconds: float
) -> None:
    from rich.console import Console
    from rich.table import Table

    plain = _plain(series, summary, names, digests, seconds)
    table = Table(box=None, pad_edge=False)
    for title, side in (("deck", "left"), ("games", "right"), ("won", "right"), ("of its games", "right")):
        table.add_column(title, justify=side)  # type: ignore[arg-type]
    for deck in plain["decks"]:
        share = f"{100 * deck['won'] / deck['games']:.1f} %" if deck["games"] else ""
        table.add_row(deck["name"], str(deck["games"]), str(deck["won"]), share)
    console = Console(highlight=False)
    console.print(table)
    first = f"{100 * summary.won_first / (summary.finished or 1):.1f} %"
    console.print(
        f"\n{summary.finished} of {series.games} games finished, {summary.draws} drawn; the first seat won {first}"
    )
    console.print(f"{plain['turns_per_game']} turns and {plain['decisions_per_game']} decisions a game")
    console.print(f"seed {series.seed}, digest {plain['digest']}; {plain['games_per_second']} games a second")
    for each in plain["errors"][:10]:
        console.print(
            f"game {each['game']} (seed {each['seed']}): {each['error']}", style="red", markup=False
        )
