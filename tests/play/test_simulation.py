"""Series of games: the same figures however they are played, and nothing lost where one breaks off."""

from pathlib import Path

import pytest

from rulewright.errors import RulewrightError
from rulewright.play.simulation import (
    Result,
    Series,
    Summary,
    play_series,
    series_in,
    watched_abilities,
)
from rulewright.play.table import starter_decks

DECKS = tuple(str(file) for file in starter_decks("riftbound")[:2])
SERIES = Series("riftbound", DECKS, 6, 5)


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return list(play_series(SERIES))


def test_every_game_has_a_result(results: list[Result]) -> None:
    assert [result.number for result in results] == list(range(6))
    assert [result.error for result in results] == [None] * 6


def test_workers_give_the_same_results(results: list[Result]) -> None:
    by_workers = sorted(play_series(SERIES, workers=2), key=lambda result: result.number)
    assert by_workers == results


def test_a_series_that_broke_off_goes_on_without_loss(results: list[Result], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    running = play_series(SERIES, file=file)
    begun = [next(running) for _ in range(3)]
    running.close()
    # A line that was being written when the power went away is played again.
    file.write_text(file.read_text(encoding="utf-8") + '{"number": 3, "se', encoding="utf-8")
    again = list(play_series(SERIES, file=file))
    assert again[:3] == begun
    assert again == results
    assert list(play_series(SERIES, file=file)) == results


def test_results_of_another_series_are_not_mixed_in(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    running = play_series(SERIES, file=file)
    next(running)
    running.close()
    with pytest.raises(RulewrightError, match="another series"):
        list(play_series(Series("riftbound", DECKS, 6, 6), file=file))


def test_every_two_decks_meet_as_often_and_sit_first_as_often() -> None:
    series = Series("riftbound", ("a", "b", "c"), 12, 1)
    pairings = [series.pairing(number) for number in range(12)]
    assert {pairing: pairings.count(pairing) for pairing in pairings} == {
        (0, 1): 2,
        (1, 0): 2,
        (0, 2): 2,
        (2, 0): 2,
        (1, 2): 2,
        (2, 1): 2,
    }


def test_figures_are_counted_by_deck() -> None:
    summary = Summary()
    summary.add(Result(0, 1, (0, 1), 0, 10, 100, (8, 3), "x"))
    summary.add(Result(1, 2, (1, 0), 0, 12, 120, (2, 8), "y"))
    summary.add(Result(2, 3, (0, 1), None, 5, 50, (0, 0), "z", "broke"))
    assert (summary.finished, summary.won[0], summary.won_first, len(summary.errors)) == (2, 2, 1, 1)


POOL = Series("riftbound", (), 4, 7, check=True, pool=True)


def test_a_series_over_the_pool_notes_the_abilities_that_are_used(tmp_path: Path) -> None:
    file = tmp_path / "pool.jsonl"
    results = list(play_series(POOL, file=file))
    keys = watched_abilities("riftbound")
    assert [result.error for result in results] == [None] * 4
    assert all(result.fired and set(result.fired) <= set(range(len(keys))) for result in results)
    assert list(play_series(POOL, file=file)) == results
    assert series_in(file, 9) == Series("riftbound", (), 9, 7, check=True, pool=True)


def test_what_adds_resources_within_a_payment_is_used_too() -> None:
    keys = watched_abilities("riftbound")
    used = {keys[place] for result in play_series(POOL) for place in result.fired}
    # Whoever plays a card has exhausted a basic rune for its Energy (164.2.a).
    assert any(key.startswith("rule:164.2.a/0#") for key in used)


def test_points_are_told_by_where_they_came_from() -> None:
    for result in play_series(POOL):
        # Points can be lost, so what was gained is at least what there is at the end.
        assert sum(result.sources) >= sum(result.points)
        assert result.sources[0] > 0


def test_decks_over_the_pool_are_counted_by_who_leads_them() -> None:
    summary = Summary(leaders=3)
    summary.add(Result(0, 1, (3, 4), 3, 10, 100, (8, 3), "x", fired=(1, 5)))
    summary.add(Result(1, 2, (4, 6), 6, 12, 100, (2, 8), "y", fired=(5,)))
    assert summary.won == {0: 2}
    assert summary.played == {0: 2, 1: 2}
    assert summary.fired == {1, 5}


def test_only_a_file_of_results_is_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text('{"format": "something"}\n', encoding="utf-8")
    with pytest.raises(RulewrightError, match="no file of results"):
        series_in(file, 4)
