"""Plays many games and counts: in several processes, with the same figures however many there are.

Game ``i`` of a series depends only on the seed, ``i`` and the decks, so the series may be cut anywhere: with a file,
each finished game is written to it at once, and a series that was broken off goes on from there.
"""

import gc
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from rulewright import __version__
from rulewright.cards.deck import Deck
from rulewright.data_files import LARGEST_FILE, plain_json, text_from
from rulewright.engine import Game
from rulewright.errors import RulewrightError, UsageError
from rulewright.play.checks import Oracle
from rulewright.play.firing import ADDS, Firing, instructed
from rulewright.play.playthrough import eager_agents, play_out, random_agents, record
from rulewright.play.pool_decks import PoolDecks
from rulewright.play.replay import save
from rulewright.play.seeds import derived
from rulewright.play.table import Table, load_table

FORMAT = "rulewright-series-1"
"""The form of a file of results."""

SOURCES = ("conquer", "hold", "other")
"""Where points come from."""

GAINED = "gain"
"""What a line of a point is about."""

SCORED = "471.1"
"""The rule by which a point is gained for a battlefield."""

CHUNK = 5
"""How many games a worker plays before it reports."""


@dataclass(frozen=True, slots=True)
class Series:
    """What games are played: how many, from which seed, with which decks, in which mode.

    ``check`` checks invariants at every decision; ``replays`` is a folder where each game is kept, if any. With
    ``pool`` each game is played by two fresh decks over all cards, by agents that lean to what is worth seeing, and
    the abilities that are used are noted.
    """

    game: str
    decks: tuple[str, ...]
    games: int
    seed: int
    mode: str = "duel"
    check: bool = False
    replays: str | None = None
    pool: bool = False

    def pairing(self, number: int) -> tuple[int, ...]:
        """Give the decks, by their place in the list, that play game ``number``, in the order of the seats.

        Every two decks meet as often as the others, and each sits first as often as the other.
        """
        pairs = list(combinations(range(len(self.decks)), 2)) or [(0, 0)]
        first, second = pairs[number % len(pairs)]
        return (first, second) if number // len(pairs) % 2 == 0 else (second, first)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one game: ``winner`` is the place of the winning deck in the list, or nothing for a draw.

    ``error`` says why a game has no result: it did not end, it broke off, or an invariant did not hold.
    ``sources`` tells how many points came from conquering, holding and anything else, ``fired`` which abilities were
    used, by their places among all (see :mod:`rulewright.play.firing`); it is only noted over a pool.
    """

    number: int
    seed: int
    decks: tuple[int, ...]
    winner: int | None
    turns: int
    decisions: int
    points: tuple[int, ...]
    digest: str
    error: str | None = None
    sources: tuple[int, ...] = (0, 0, 0)
    fired: tuple[int, ...] = ()


@dataclass(slots=True)
class Summary:
    """The figures of a series so far; over a pool, decks are counted by the ``leaders`` that take turns."""

    leaders: int | None = None
    finished: int = 0
    draws: int = 0
    turns: int = 0
    decisions: int = 0
    played: Counter[int] = field(default_factory=Counter)
    won: Counter[int] = field(default_factory=Counter)
    won_first: int = 0
    errors: list[Result] = field(default_factory=list)
    lengths: Counter[int] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    fired: set[int] = field(default_factory=set)

    def add(self, result: Result) -> None:
        """Count one more game."""
        self.fired.update(result.fired)
        if result.error is not None:
            self.errors.append(result)
            return
        self.finished += 1
        self.turns += result.turns
        self.decisions += result.decisions
        self.lengths[result.turns] += 1
        self.sources.update(dict(zip(SOURCES, result.sources, strict=True)))
        self.played.update({self._kind(deck) for deck in result.decks})
        if result.winner is None:
            self.draws += 1
            return
        self.won[self._kind(result.winner)] += 1
        self.won_first += result.winner == result.decks[0]

    def _kind(self, deck: int) -> int:
        return deck if self.leaders is None else deck % self.leaders


def play_series(series: Series, workers: int = 1, file: Path | None = None) -> Iterator[Result]:
    """Play the games of a series and give each result as it comes; those that ``file`` has already come first.

    With ``file`` each result is written at once. Raises :class:`RulewrightError` where the file is of another series.
    """
    done = _done(series, file)
    yield from done.values()
    missing = [number for number in range(series.games) if number not in done]
    results = _played_here(series, missing) if workers <= 1 else _played_by_workers(series, missing, workers)
    if file is None:
        yield from results
        return
    with file.open("a", encoding="utf-8") as out:
        for result in results:
            out.write(json.dumps(asdict(result), separators=(",", ":")) + "\n")
            out.flush()
            yield result


def watched_abilities(game: str) -> tuple[str, ...]:
    """Give the keys of the abilities that games over a pool watch, in the order of their places."""
    return instructed(load_table(game).ruleset)


def play_game(series: Series, number: int, table: Table, decks: Sequence[Deck]) -> Result:
    """Play one game of a series."""
    seats = decks.pairing(number) if isinstance(decks, PoolDecks) else series.pairing(number)
    seed = derived(series.seed, "game", number)
    game = table.new_game([decks[seat] for seat in seats], seed, series.mode, log=(*SOURCES, GAINED, ADDS))
    error: str | None = None
    answers: list[str] = []
    firing = Firing(table.ruleset) if series.pool else None
    game.watch(firing)
    agents = (eager_agents if series.pool else random_agents)(seed, len(seats))
    try:
        answers = play_out(game, agents, watch=Oracle() if series.check else None)
    except RulewrightError as problem:
        error = str(problem)
    except (
        Exception
    ) as problem:  # a fault of the engine: the series goes on, and the game is told with its seed
        error = f"{type(problem).__name__}: {problem}"
    if series.replays is not None:
        names = tuple(f"P{number + 1}" for number in range(len(seats)))
        seated = [decks[seat] for seat in seats]
        kept = record(table, game, seated, seed, series.mode, names, answers)
        save(kept, Path(series.replays) / f"game-{number:06}.json")
    winners = game.winners
    points = tuple(player.resources.get("points", 0) for player in game.state.players)
    winner = seats[winners[0]] if winners and len(winners) == 1 else None
    return Result(
        number,
        seed,
        seats,
        winner,
        game.state.turn,
        len(answers),
        points,
        game.digest(),
        error,
        _sources(game),
        firing.places(game.log) if firing is not None else (),
    )


def _sources(game: Game) -> tuple[int, ...]:
    """Count where the points of a game came from, by its log: a point for scoring is told right after that."""
    found = dict.fromkeys(SOURCES, 0)
    source = SOURCES[-1]
    for line in game.log:
        if line.verb in SOURCES:
            source = line.verb
        elif line.verb == GAINED and "point" in line.text:
            found[source if SCORED in line.rules else SOURCES[-1]] += 1
    return tuple(found.values())


def series_in(file: Path, games: int) -> Series:
    """Give the series that a file of results was begun with, to go on with it up to a number of games."""
    try:
        with file.open("rb") as kept:
            head = plain_json(text_from(kept.readline(LARGEST_FILE), str(file)), str(file))
    except OSError as error:
        raise UsageError(f"there are no results here: {error.strerror or error}", place=str(file)) from error
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise RulewrightError("this is no file of results", place=str(file))
    said = {key: part for key, part in head.items() if key not in ("format", "version")}
    try:
        return Series(**{**said, "decks": tuple(head["decks"]), "games": games})
    except (TypeError, KeyError) as error:
        raise RulewrightError("this is no file of results", place=str(file)) from error


def _played_here(series: Series, numbers: Sequence[int]) -> Iterator[Result]:
    table, decks = _loaded(series)
    for number in numbers:
        yield play_game(series, number, table, decks)


def _played_by_workers(series: Series, numbers: Sequence[int], workers: int) -> Iterator[Result]:
    chunks = [numbers[start : start + CHUNK] for start in range(0, len(numbers), CHUNK)]
    with ProcessPoolExecutor(
        workers, initializer=_prepare, initargs=(series, os.environ.get("RULEWRIGHT_DATA"))
    ) as pool:
        waiting: set[Future[list[Result]]] = set()
        for chunk in chunks:
            # Few are waiting at a time, so that a long series does not lie in memory.
            if len(waiting) >= 4 * workers:
                finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (result for each in finished for result in each.result())
            waiting.add(pool.submit(_play_chunk, chunk))
        for each in waiting:
            yield from each.result()


_worker: dict[str, Any] = {}
"""What a worker process has loaded once: its series, table and decks."""


def _prepare(series: Series, data: str | None) -> None:
    if data is not None:
        os.environ["RULEWRIGHT_DATA"] = data
    _worker["series"] = series
    _worker["table"], _worker["decks"] = _loaded(series)
    collect_seldom()


def _play_chunk(numbers: Sequence[int]) -> list[Result]:
    return [play_game(_worker["series"], number, _worker["table"], _worker["decks"]) for number in numbers]


def _loaded(series: Series) -> tuple[Table, Sequence[Deck]]:
    table = load_table(series.game)
    if series.pool:
        return table, PoolDecks(table, series.seed)
    return table, [table.deck(Path(deck)) for deck in series.decks]


def collect_seldom() -> None:
    """Let Python look for circular garbage seldom, and never among what is loaded: games make hardly any.

    This is for processes that do nothing but play; a process that somebody else runs is left as it is.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def _done(series: Series, file: Path | None) -> dict[int, Result]:
    """The results that a file has; a file that is not there is begun. A line that was cut off is played again.

    A file that holds anything else is left as it is.
    """
    if file is None:
        return {}
    head = {"format": FORMAT, "version": __version__, **asdict(series), "games": 0, "replays": None}
    try:
        if not file.exists() or not file.stat().st_size:
            file.write_text(json.dumps(head) + "\n", encoding="utf-8")
            return {}
        with file.open("rb") as kept:
            first = kept.readline(LARGEST_FILE)
            _check_head(first, head, str(file))
            lines = kept.readlines()
        whole = [line for line in lines if line.endswith(b"\n")]
        results = [_result_from(line, f"{file}:{number}") for number, line in enumerate(whole, start=2)]
        if len(whole) < len(lines):
            file.write_bytes(first + b"".join(whole))
    except OSError as error:
        raise UsageError(
            f"results cannot be kept here: {error.strerror or error}", place=str(file)
        ) from error
    return {result.number: result for result in results if result.number < series.games}


def _check_head(line: bytes, head: dict[str, Any], file: str) -> None:
    found = plain_json(text_from(line, file), file)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise RulewrightError(
            "this is no file of results", place=file, help="name a new file, or one that a series was kept in"
        )
    if found != json.loads(json.dumps(head)):
        raise RulewrightError(
            "this file holds the results of another series",
            place=file,
            help="name a new file, or the seed, decks, mode and version that it was begun with",
        )


def _result_from(line: bytes, place: str) -> Result:
    row = plain_json(text_from(line, place), place)
    try:
        fields: dict[str, Any] = {
            key: tuple(part) if isinstance(part, list) else part for key, part in row.items()
        }
        return Result(**fields)
    except (TypeError, AttributeError) as error:
        raise RulewrightError("this line is no result of a game", place=place) from error
