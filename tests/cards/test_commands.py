"""The commands about cards: what they print, what they leave alone, and how they end."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

SHORT = """
Legend:
1 Sella, Ember Captain
Champion:
1 Sella, First Over the Wall
Main Deck:
38 Ember Pup
Runes:
12 Fury Rune
Battlefields:
1 Old Forge
1 Cinder Field
1 Muster Ground
"""


def test_a_legal_deck_ends_well(rulewright: Run, checkout: Path) -> None:
    decks = sorted((checkout / "cardtexts/riftbound/decks").glob("*.yaml"))
    result = rulewright("deck", "check", *map(str, decks))
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(": legal") == len(decks) > 1


def test_a_deck_with_39_cards_is_told_its_breaches(rulewright: Run, tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text(SHORT, encoding="utf-8")
    result = rulewright("deck", "check", str(tmp_path / "short.txt"), "--format", "json")
    assert result.returncode == 1
    (deck,) = json.loads(result.stdout)["decks"]
    assert [breach["rule"] for breach in deck["breaches"]] == ["103.2", "103.2.b"]
    assert "has 39 cards, not at least 40" in deck["breaches"][0]["message"]


def test_a_list_with_an_unknown_card_is_told_its_line(rulewright: Run, tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text("Legend:\n1 Sella, Ember Captian\n", encoding="utf-8")
    result = rulewright("deck", "check", str(tmp_path / "deck.txt"))
    assert result.returncode == 2
    assert "deck.txt:2: there is no card 'Sella, Ember Captian'" in result.stderr
    assert "did you mean 'Sella, Ember Captain'?" in result.stderr


def test_an_unknown_mode_is_wrong_use(rulewright: Run, checkout: Path) -> None:
    deck = checkout / "cardtexts/riftbound/decks/ember-company.yaml"
    result = rulewright("deck", "check", str(deck), "--mode", "duell")
    assert (result.returncode, "there is no mode 'duell'" in result.stderr) == (2, True)


def test_a_code_is_read_without_the_cards(rulewright: Run) -> None:
    result = rulewright("deck", "decode", "CMAAAAAAAAAQCAAAA4AAAAAAAAAAAAAAAA", "--codes-only")
    assert (result.returncode, result.stdout) == (0, "7 OGN-007\n")


def test_a_set_without_a_number_has_no_code(rulewright: Run, checkout: Path) -> None:
    result = rulewright("deck", "encode", str(checkout / "cardtexts/riftbound/decks/ember-company.yaml"))
    assert result.returncode == 2
    assert "deck codes have no number for the set RWS" in result.stderr


def test_sets_are_listed(rulewright: Run) -> None:
    result = rulewright("sets", "list", "--format", "json")
    assert result.returncode == 0
    assert {"set": "RWS", "name": "Starter", "released": "2026-12-01", "cards": 42} in json.loads(
        result.stdout
    )["sets"]


def test_cards_are_found_by_facts(rulewright: Run) -> None:
    result = rulewright("card", "--type", "spell", "--domain", "chaos", "--set", "RWS", "--format", "json")
    assert [card["name"] for card in json.loads(result.stdout)["cards"]] == [
        "Song Below the Waves",
        "Undertow",
        "Swept Out",
    ]


def test_a_wrong_selector_is_told_its_place(rulewright: Run) -> None:
    result = rulewright("card", "--where", "Acton[verb=draw]")
    assert result.returncode == 2
    assert "selector:1: there is no kind Acton" in result.stderr
    assert "did you mean Action?" in result.stderr


@pytest.mark.parametrize("arguments", [["card"], ["card", "No Such Card"]])
def test_a_card_must_be_named_and_known(arguments: list[str], rulewright: Run) -> None:
    assert rulewright(*arguments).returncode == 2


def test_a_card_is_shown_with_its_reading_and_the_rules_it_touches(rulewright: Run) -> None:
    result = rulewright("card", "glass heron", "RWS-006", "--format", "json")
    assert result.returncode == 0, result.stderr
    heron, courier = json.loads(result.stdout)
    assert heron["abilities"] == [{"where": "text", "wording": "[Deflect]", "rules": ["809", "809.1.c"]}]
    assert courier["abilities"][0]["wording"] == "[Deathknell][>] Draw 1."
    assert {"808", "413"} <= set(courier["abilities"][0]["rules"])


def test_cards_are_found_by_what_they_mean_and_by_rule(rulewright: Run) -> None:
    where = "Gated[gate.name=Deathknell] Action[verb=draw]"
    found = rulewright("card", "--set", "RWS", "--where", where, "--format", "json")
    assert [card["name"] for card in json.loads(found.stdout)["cards"]] == ["Ash Courier"]
    touching = rulewright("card", "--set", "RWS", "--rule", "811", "--format", "json")
    assert [card["name"] for card in json.loads(touching.stdout)["cards"]] == ["Mist Lurker", "Undertow"]


SET = """
set: TST
name: Test
cards:
- {name: A, type: unit, might: 2, text: '[Deathknell][>] Draw 1.'}
- {name: B, type: unit}
"""


def test_two_sets_are_compared_by_meaning(rulewright: Run, tmp_path: Path) -> None:
    old, reworded, new = tmp_path / "old.yaml", tmp_path / "reworded.yaml", tmp_path / "new.yaml"
    old.write_text(SET, encoding="utf-8")
    reworded.write_text(SET.replace("[>]", " —").replace("1.", "1. (A card.)"), encoding="utf-8")
    new.write_text(SET.replace("Draw 1.", "Draw 2.").replace("might: 2", "might: 3"), encoding="utf-8")
    silent = rulewright("diff", str(old), str(reworded))
    assert (silent.returncode, silent.stdout.strip()) == (0, "0 changed, 1 reworded, 1 the same")
    told = rulewright("diff", str(old), str(new))
    assert told.returncode == 1
    assert told.stdout.splitlines()[:5] == [
        "A",
        "  might: 2 -> 3",
        "  text",
        "    - [Deathknell][>] Draw 1.",
        "    + [Deathknell][>] Draw 2.",
    ]


def test_a_set_is_written_again_in_the_canonical_wording(rulewright: Run, tmp_path: Path) -> None:
    export = tmp_path / "export.csv"
    export.write_text(
        "Set,Card Number,Card Name,Energy,Might,Domain,Card Type,Tags,Ability,Rarity\n"
        'TST,001,Fox,2,2,Fury,Unit,,"[Tank] (Hit me first.)\nWhen I conquer, draw 1. (A card.)",Common\n'
        "TST,002,Hen,2,2,Fury,Unit,,Draw 1 and flibber.,Common\n",
        encoding="utf-8",
    )
    made = rulewright("sets", "regenerate", str(export), "--to", str(tmp_path / "sets"))
    assert made.returncode == 0, made.stderr
    assert "2 cards, 1 written" in made.stdout
    assert "Hen (TST-002)" in made.stdout
    written = (tmp_path / "sets" / "tst.yaml").read_text("utf-8")
    assert "    [Tank]\n    When I conquer, draw 1.\n" in written
    assert (
        rulewright("sets", "regenerate", str(export), "--to", str(tmp_path / "sets"), "--check").returncode
        == 0
    )
    (tmp_path / "sets" / "tst.yaml").write_text(written.replace("draw 1", "draw 2"), encoding="utf-8")
    changed = rulewright("sets", "regenerate", str(export), "--to", str(tmp_path / "sets"), "--check")
    assert (changed.returncode, "tst.yaml would change" in changed.stderr) == (1, True)


@pytest.mark.parametrize("day", ["2026-13-45", "2026-02-30", "yesterday", "2026", ""])
def test_what_is_no_day_is_refused(rulewright: Run, checkout: Path, day: str) -> None:
    deck = str(checkout / "cardtexts/riftbound/decks/ember-company.yaml")
    for command in (("card", "Ember Pup", "--as-of", day), ("deck", "check", deck, "--on", day)):
        done = rulewright(*command)
        assert (done.returncode, "is no day of the calendar" in done.stderr) == (2, True), command
