"""Print how fast and how small games are: duels, decisions and copies a second, memory, and other engines beside them.

Duels are of decks over the whole pool, answered by random agents, with no log and no oracle. Time is that of the
processor, in one process. python-chess and open_spiel are installed with ``pip install '.[bench]'``; where one of them
is not there its line says so. Their random games show what the figures of this machine are worth.

    .venv/bin/python tests/benchmarks/bench_play.py [GAMES]
"""

import importlib
import random
import resource
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from rulewright.engine import Game
from rulewright.play.playthrough import random_agents
from rulewright.play.pool_decks import PoolDecks
from rulewright.play.seeds import derived
from rulewright.play.simulation import collect_seldom
from rulewright.play.table import Table, load_table, sections

GAMES = 30
COPIES = 2_000
SECONDS = 3.0
"""How long other engines play, so that their games are many."""

Row = tuple[str, str, str]
"""What was measured, the figure, and the bar or what it is compared with."""


def new_duel(table: Table, decks: PoolDecks, number: int) -> Game:
    seats = decks.pairing(number)
    named = [sections(decks[seat]) for seat in seats]
    return Game.new(table.ruleset, named, seed=derived(1, "game", number), log=False)


def play(game: Game, number: int, until: Callable[[int], bool] = lambda taken: False) -> int:
    """Answer decisions at random to the end, or until so many are taken as is said; give how many were."""
    agents = random_agents(derived(1, "game", number), len(game.state.players))
    taken = 0
    while (decision := game.decision) is not None and not until(taken):
        game.apply(agents[decision.player].choose(game.view(decision.player), decision))
        taken += 1
    return taken


def duels(table: Table, decks: PoolDecks, games: int) -> Iterator[Row]:
    for number in range(games):
        play(new_duel(table, decks, number), number)  # what these duels need is read and compiled by then
    collect_seldom()  # as a series does
    began, decisions = time.process_time(), 0
    for number in range(games):
        decisions += play(new_duel(table, decks, number), number)
    seconds = time.process_time() - began
    yield "duels over the pool", f"{games / seconds:.1f} a second", "bar 20"
    yield "decisions", f"{decisions / seconds:,.0f} a second", f"{decisions / games:.0f} a duel"
    rates = [("python-chess", _chess), ("open_spiel gin_rummy", _gin_rummy)]
    for name, game in rates:
        rate = _rate(game)
        if rate is None:
            yield f"{name}, random games", "left out", "not installed: pip install '.[bench]'"
        else:
            yield f"{name}, random games", f"{rate:.1f} a second", f"{rate * seconds / games:.1f} to a duel"


def copies(table: Table, decks: PoolDecks) -> Iterator[Row]:
    game = new_duel(table, decks, 0)
    play(game, 0, until=lambda taken: taken == 80)
    began = time.process_time()
    for _ in range(COPIES):
        game.copy()
    yield "copies of a running duel", f"{COPIES / (time.process_time() - began):,.0f} a second", ""


def memory(table: Table, decks: PoolDecks) -> Iterator[Row]:
    play(new_duel(table, decks, 0), 0)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    play(new_duel(table, decks, 0), 0)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    yield "a running duel, at most", f"{(most - before) / 2**20:.2f} MB", "bar 2 MB"
    command = [sys.executable, __file__, "--compile-the-pool"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    yield "the whole pool compiled, resident", f"{int(told) / 2**20:.0f} MB", "bar 200 MB"


def _compile_the_pool() -> None:
    table = load_table()
    for card in table.pool:
        table.ruleset.refused(card.name)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def _rate(game_of: Callable[[], Callable[[], None] | None]) -> float | None:
    """Give how many games a second another engine plays; nothing where it is not installed."""
    game = game_of()
    if game is None:
        return None
    began = time.process_time()
    for played in count(1):
        game()
        if time.process_time() - began > SECONDS:
            return played / (time.process_time() - began)
    return None


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _chess() -> Callable[[], None] | None:
    chess, source = _module("chess"), random.Random(1)

    def game() -> None:
        board = chess.Board()
        while not board.is_game_over():
            board.push(source.choice(list(board.legal_moves)))

    return game if chess is not None else None


def _gin_rummy() -> Callable[[], None] | None:
    spiel, source = _module("pyspiel"), random.Random(1)
    rules = spiel.load_game("gin_rummy") if spiel is not None else None

    def game() -> None:
        state = rules.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(source.choices(actions, weights)[0])
            else:
                state.apply_action(source.choice(state.legal_actions()))

    return game if rules is not None else None


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    table = load_table()
    decks = PoolDecks(table, 1)
    for measured in (duels(table, decks, games), copies(table, decks), memory(table, decks)):
        for what, figure, beside in measured:
            print(f"{what:36}  {figure:>18}   {beside}".rstrip())


if __name__ == "__main__":
    if "--compile-the-pool" in sys.argv:
        _compile_the_pool()
    else:
        main()
