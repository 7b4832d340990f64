"""A record of a game gives the same game again, and is refused where it does not fit."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulewright.cards.deck import Deck
from rulewright.play.playthrough import recorded_game
from rulewright.play.replay import Replay, ReplayError, load, save
from rulewright.play.table import Table


@pytest.fixture(scope="module")
def record(table: Table, decks: list[Deck]) -> Replay:
    return recorded_game(table, decks, 11)[1]


def test_a_saved_record_is_read_as_it_was_and_plays_to_the_same_end(
    table: Table, record: Replay, tmp_path: Path
) -> None:
    save(record, tmp_path / "game.json")
    read = load(tmp_path / "game.json")
    assert read.to_plain() == record.to_plain()
    *_, end = read.games(table)
    assert end.digest() == record.digest


def spoilt(record: Replay, tmp_path: Path, **changes: Any) -> Path:
    path = tmp_path / "game.json"
    plain = {**record.to_plain(), **changes}
    path.write_text(
        json.dumps({key: value for key, value in plain.items() if value is not None}), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": "0.0.9"}, "recorded by rulewright 0.0.9, and this is"),
        ({"format": "rulewright-replay-0"}, "not a replay of the form"),
        ({"seed": "one"}, "the key 'seed' does not hold what it must"),
        ({"answers": None}, "the key 'answers' is missing"),
        ({"extra": 1}, "unknown key 'extra'"),
        ({"decks": [{"name": "x"}]}, "a deck in it is damaged"),
    ],
)
def test_a_damaged_record_is_refused_with_the_reason(
    record: Replay, tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    path = spoilt(record, tmp_path, **changes)
    with pytest.raises(ReplayError, match=reason) as found:
        load(path)
    assert found.value.place == str(path)


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(ReplayError, match="not whole JSON"):
        load(path)
    with pytest.raises(ReplayError, match="cannot be read"):
        load(tmp_path / "absent.json")


def test_a_record_under_other_rules_is_refused(table: Table, record: Replay) -> None:
    with pytest.raises(ReplayError, match="other rules or cards"):
        list(replace(record, rules="0" * 32).games(table))


def test_an_answer_that_is_not_offered_is_refused_with_its_number(table: Table, record: Replay) -> None:
    wrong = replace(record, answers=(*record.answers[:4], "dance", *record.answers[5:]))
    with pytest.raises(ReplayError, match=r"answer 5: .*'dance', is not offered"):
        list(wrong.games(table))


def test_a_record_that_ends_otherwise_is_refused(table: Table, record: Replay) -> None:
    with pytest.raises(ReplayError, match="another state"):
        list(replace(record, digest="0" * 32).games(table))
