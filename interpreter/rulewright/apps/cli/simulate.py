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
    from rulewright.play.chart import Bars
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
    pool: Annotated[
        bool,
        typer.Option("--pool", help="Play decks made over all cards, and count the abilities that are used."),
    ] = False,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on with the series of this file.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the figures: an .svg or a .png.")
    ] = None,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Play games between decks with random agents and count; the same seed gives the same figures.

    What is finished is kept in the file of --out, so that nothing is lost where a series is interrupted.

    \b
    Examples:
      rulewright simulate -n 200 --seed 1
      rulewright simulate -n 20000 --pool --check --workers 2 --out games.jsonl
      rulewright simulate -n 20000 --resume games.jsonl --plot games.svg
    """
    from rulewright.play.chart import draw
    from rulewright.play.simulation import Series, Summary, collect_seldom, play_series, series_in

    if resume is not None:
        series, out = series_in(resume, games), resume
    else:
        named = [*(decks or []), *(more or [])]
        if pool and named:
            raise UsageError("decks over all cards are made, not named", help="leave out --pool or the decks")
        files = () if pool else tuple(str(file) for file in _deck_files(game, named))
        kept = None if replays is None else str(replays)
        series = Series(game, files, games, seed, mode, check, kept, pool)
    if plot is not None:
        draw([], plot)
    names = _names(series)
    if replays is not None:
        replays.mkdir(parents=True, exist_ok=True)
    summary = Summary(len(names) if series.pool else None)
    started = time.perf_counter()
    digests: dict[int, str] = {}
    interrupted = False
    try:
        collect_seldom()
        for result in with_progress(play_series(series, workers, out), "games", games):
            summary.add(result)
            digests[result.number] = result.digest
    except KeyboardInterrupt:
        interrupted = True
    plain = _plain(series, summary, names, digests, time.perf_counter() - started)
    if output is OutputFormat.JSON:
        json.dump(plain, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        _print(plain)
    if plot is not None:
        draw(_charts(plain), plot)
    if interrupted:
        told = f"rulewright simulate -n {games} --resume {out}" if out is not None else None
        raise FindingError(f"interrupted after {len(digests)} of {games} games", help=told)
    if summary.errors:
        raise FindingError(f"{len(summary.errors)} of {games} games did not come to a result")


def _deck_files(game: str, named: list[Path]) -> list[Path]:
    from rulewright.play.table import starter_decks

    files = [file for path in named for file in (sorted(path.glob("*.yaml")) if path.is_dir() else [path])]
    if named and not files:
        raise UsageError("there are no decks (*.yaml) there", place=str(named[0]))
    return files or starter_decks(game)


def _names(series: "Series") -> list[str]:
    """The decks' names; a deck that cannot be played ends the command before the first game."""
    from rulewright.play.match import lengths_of
    from rulewright.play.pool_decks import PoolDecks
    from rulewright.play.table import load_table

    table = load_table(series.game)
    if max(lengths_of(table.ruleset, series.mode)) > 1:
        raise UsageError(
            f"a {series.mode} is several games that hang together, and games of a series do not",
            help="leave out --mode: each of its games is a duel, with fewer battlefields to choose from",
        )
    if series.pool:
        return [card.name for card in PoolDecks(table, series.seed).leaders]
    return [table.deck(Path(deck)).name for deck in series.decks]


def _digest(digests: dict[int, str]) -> str:
    import hashlib

    joined = "".join(digests[number] for number in sorted(digests))
    return hashlib.blake2b(joined.encode(), digest_size=8).hexdigest()


def _plain(
    series: "Series", summary: "Summary", names: list[str], digests: dict[int, str], seconds: float
) -> dict[str, Any]:
    finished = summary.finished or 1
    files = series.decks if series.decks else (None,) * len(names)
    plain: dict[str, Any] = {
        "game": series.game,
        "mode": series.mode,
        "seed": series.seed,
        "pool": series.pool,
        "checked": series.check,
        "games": series.games,
        "finished": summary.finished,
        "draws": summary.draws,
        "won_by_first_seat": summary.won_first,
        "turns_per_game": round(summary.turns / finished, 2),
        "decisions_per_game": round(summary.decisions / finished, 2),
        "lengths": {str(turns): summary.lengths[turns] for turns in sorted(summary.lengths)},
        "points": dict(summary.sources),
        "decks": [
            {"name": name, "file": file, "games": summary.played[number], "won": summary.won[number]}
            for number, (name, file) in enumerate(zip(names, files, strict=True))
        ],
        "errors": [
            {"game": each.number, "seed": each.seed, "decks": list(each.decks), "error": each.error}
            for each in sorted(summary.errors, key=lambda each: each.number)
        ],
        "digest": _digest(digests),
        "elapsed_seconds": round(seconds, 3),
        "games_per_second": round(len(digests) / seconds, 2),
    }
    if series.pool:
        plain["abilities"] = _abilities(series, summary)
    return plain


def _abilities(series: "Series", summary: "Summary") -> dict[str, Any]:
    from rulewright.play.simulation import watched_abilities

    keys = watched_abilities(series.game)
    unused = [key for place, key in enumerate(keys) if place not in summary.fired]
    return {"watched": len(keys), "used": len(keys) - len(unused), "unused": unused}


def _charts(plain: dict[str, Any]) -> "list[Bars]":
    from rulewright.play.chart import Bars

    return [
        Bars("Games won", tuple((deck["name"], deck["won"]) for deck in plain["decks"])),
        Bars("Games by turns", tuple(plain["lengths"].items())),
        Bars("Points", tuple(plain["points"].items())),
    ]


def _print(plain: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title, side in (("deck", "left"), ("games", "right"), ("won", "right"), ("of its games", "right")):
        table.add_column(title, justify=side)  # type: ignore[arg-type]
    for deck in plain["decks"]:
        table.add_row(deck["name"], str(deck["games"]), str(deck["won"]), _share(deck["won"], deck["games"]))
    console = Console(highlight=False)
    console.print(table)
    first = _share(plain["won_by_first_seat"], plain["finished"]) or "none"
    console.print(
        f"\n{plain['finished']} of {plain['games']} games finished, {plain['draws']} drawn; "
        f"the first seat won {first}"
    )
    console.print(f"{plain['turns_per_game']} turns and {plain['decisions_per_game']} decisions a game")
    points = sum(plain["points"].values())
    told = ", ".join(f"{_share(count, points)} {_SOURCES[name]}" for name, count in plain["points"].items())
    console.print(f"points: {told}" if points else "no points")
    if "abilities" in plain:
        used, watched = plain["abilities"]["used"], plain["abilities"]["watched"]
        console.print(f"{used} of {watched} abilities with instructions used, {_share(used, watched)}")
    console.print(
        f"seed {plain['seed']}, digest {plain['digest']}; {plain['games_per_second']} games a second"
    )
    for each in plain["errors"][:10]:
        console.print(
            f"game {each['game']} (seed {each['seed']}): {each['error']}", style="red", markup=False
        )


_SOURCES = {"conquer": "by conquering", "hold": "by holding", "other": "otherwise"}


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""
