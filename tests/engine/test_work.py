"""How much the engine does for five games: counted, not timed, so that the figures are the same on every machine.

`work.yaml` holds the figures. A change that makes the engine work 5 % harder for a decision fails here. New rules or
texts change the games and with them the figures: look at them, and write them anew with

    WORK=write .venv/bin/python -m pytest tests/engine/test_work.py
"""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import yaml

from engine.conftest import play_out
from rulewright.engine import Game

FIGURES = Path(__file__).with_name("work.yaml")
SEEDS = (11, 12, 13, 14, 15)
SLACK = 1.05

NewGame = Callable[..., Game]


def test_five_games_take_no_more_work_than_was_written_down(new_game: NewGame) -> None:
    now: dict[int, dict[str, int]] = {}
    for seed in SEEDS:
        game = new_game(seed=seed, log=False)
        before = dict(game.counters)
        answers = play_out(game, seed)
        done = {name: count - before.get(name, 0) for name, count in game.counters.items()}
        now[seed] = {"decisions": len(answers), **done}
    if os.environ.get("WORK") == "write":
        FIGURES.write_text(yaml.safe_dump(now, sort_keys=True), encoding="utf-8")
    known = yaml.safe_load(FIGURES.read_text(encoding="utf-8"))
    have, had = _total(now), _total(known)
    assert have.keys() == had.keys()
    harder = {
        name: (round(have[name] / have["decisions"], 2), round(had[name] / had["decisions"], 2))
        for name in had
        if have[name] / have["decisions"] > SLACK * had[name] / had["decisions"]
    }
    assert not harder, f"more work for each decision (now, before): {harder}"


def _total(games: dict[int, dict[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for figures in games.values():
        found.update(figures)
    return found
