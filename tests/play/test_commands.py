"""The commands around whole games: demo, simulate, replay, scenario run, play."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Rulewright = Callable[..., CompletedProcess[str]]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, rulewright: Rulewright) -> Path:
    """A folder with two recorded games, and what the series of them printed."""
    folder = tmp_path_factory.mktemp("kept")
    played = rulewright("simulate", "-n", "2", "--seed", "5", "--format", "json", "--replays", str(folder))
    assert played.returncode == 0, played.stderr
    (folder / "series.txt").write_text(played.stdout, encoding="utf-8")
    return folder


def without_timings(plain: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in plain.items() if not key.endswith(("_seconds", "_per_second"))}


def test_a_series_is_the_same_twice_but_for_its_timings(rulewright: Rulewright, kept: Path) -> None:
    again = rulewright("simulate", "-n", "2", "--seed", "5", "--format", "json", "--workers", "2")
    first = json.loads((kept / "series.txt").read_text(encoding="utf-8"))
    assert without_timings(json.loads(again.stdout)) == without_timings(first)
    assert first["finished"] == 2
    assert first["errors"] == []


def test_a_recorded_game_is_shown_with_its_rules_and_explained(rulewright: Rulewright, kept: Path) -> None:
    file = str(kept / "game-000001.json")
    shown = rulewright("replay", file)
    assert shown.returncode == 0, shown.stderr
    assert ", Main Phase" in shown.stdout
    records = json.loads(rulewright("replay", file, "--format", "json").stdout)
    assert all(record["rules"] for record in records)
    number = next(record["index"] for record in records if record["verb"] == "resolve")
    why = rulewright("replay", file, "--why", str(number)).stdout
    assert records[number]["text"] in why
    assert all(rule in why for rule in records[number]["rules"])
    assert "words" in why


def test_a_replay_of_another_version_is_refused(rulewright: Rulewright, kept: Path, tmp_path: Path) -> None:
    plain = json.loads((kept / "game-000000.json").read_text(encoding="utf-8"))
    old = tmp_path / "old.json"
    old.write_text(json.dumps({**plain, "version": "0.0.1"}), encoding="utf-8")
    refused = rulewright("replay", str(old))
    assert refused.returncode == 2
    assert "recorded by rulewright 0.0.1" in refused.stderr
    assert str(old) in refused.stderr
    assert refused.stdout == ""


def test_a_deck_that_is_not_legal_is_refused_before_the_first_game(
    rulewright: Rulewright, checkout: Path, tmp_path: Path
) -> None:
    deck = checkout / "cardtexts" / "riftbound" / "decks" / "ember-company.yaml"
    short = tmp_path / "short.yaml"
    short.write_text(
        deck.read_text(encoding="utf-8").replace("Ember Pup: 3", "Ember Pup: 2"), encoding="utf-8"
    )
    out = tmp_path / "games.jsonl"
    refused = rulewright("simulate", "--decks", str(short), str(deck), "--out", str(out))
    assert refused.returncode == 1
    assert "103.2" in refused.stderr
    assert not out.exists()


def test_a_series_of_games_is_of_no_mode_whose_games_hang_together(rulewright: Rulewright) -> None:
    refused = rulewright("simulate", "-n", "2", "--mode", "match")
    assert refused.returncode == 2
    assert "a match is several games" in refused.stderr


def test_a_scenario_that_does_not_hold_shows_expected_was_and_log(
    rulewright: Rulewright, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(
        "- name: A bolt hits\n"
        "  rules: [417.1]\n"
        '  cards: {Bolt: {type: spell, text: "Deal 3 to a unit."}}\n'
        "  given: {P1: {hand: [Bolt]}, P2: {base: [Wall 5]}}\n"
        "  when:\n"
        "  - P1: {play: Bolt, choosing: Wall}\n"
        "  - all: resolve\n"
        "  then:\n"
        "  - {the: Wall, damage: 4}\n",
        encoding="utf-8",
    )
    ran = rulewright("scenario", "run", str(file))
    assert ran.returncode == 1
    assert "expected  Wall: damage 4" in ran.stdout
    assert "was       3" in ran.stdout
    assert f"at        {file}:9" in ran.stdout
    assert "Wall is dealt 3 damage" in ran.stdout
    assert "417.1" in ran.stdout
    held = file.read_text(encoding="utf-8").replace("damage: 4", "damage: 3")
    file.write_text(held, encoding="utf-8")
    assert rulewright("scenario", "run", str(file), "--format", "json").returncode == 0


def test_the_demo_reads_a_card_looks_a_rule_up_and_plays(rulewright: Rulewright) -> None:
    shown = rulewright("demo")
    assert shown.returncode == 0, shown.stderr
    assert "1. A card's text is read as a program" in shown.stdout
    assert "2. Its words are rules" in shown.stdout
    assert "won in turn" in shown.stdout


def test_a_duel_is_played_in_the_terminal_and_recorded(rulewright: Rulewright, tmp_path: Path) -> None:
    file = tmp_path / "duel.json"
    played = rulewright("play", "--seed", "2", "--record", str(file), input="1\n?\nhello\n1\n1\nq\n")
    assert played.returncode == 0, played.stderr
    assert "answer with a number" in played.stdout
    assert "won." in played.stdout
    assert json.loads(file.read_text(encoding="utf-8"))["players"] == ["Ana", "Bo"]
    again = rulewright("replay", str(file))
    assert again.returncode == 0, again.stderr
    assert "concedes" in again.stdout
