"""A new set needs no code: a file of cards and a file of rules are read, written, found, checked and played."""

import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from rulewright.apps.check_game import checked_game
from rulewright.cards import check_deck, load_deck
from rulewright.cards.canonical import canonical_text
from rulewright.cards.checks import check_paths
from rulewright.paths import data_dir
from rulewright.play.playthrough import play_out, random_agents
from rulewright.play.position import prepared
from rulewright.play.runner import run as run_scenario
from rulewright.play.scenario import load as load_scenarios
from rulewright.play.table import Table, load_table

SET = Path(__file__).with_name("new_set.yaml")

RULES = SET.with_name("new_set_rules.yaml")

DECK = """
name: Kilnfolk
parts:
  legend: {"Maro, Kiln Keeper": 1}
  champion: {"Maro, Glowing": 1}
  main: {Kiln Sentry: 3, Kiln Wall: 2, Kiln Tower: 2, Spark Reader: 3, Ash Oracle: 2, Kiln Mother: 2, Coal Bearer: 2,
    Bellows Boy: 2, Red Runner: 2, Slag Hound: 2, Quiet Potter: 2, Last Ember: 2, Clay Giant: 1, Shard Thrower: 2,
    Fire Dancer: 1, Flare Up: 2, Cast to the Coals: 2, Raise the Kiln: 3, Ember Jar: 2}
  runes: {Fury Rune: 6, Calm Rune: 6}
  battlefields: {Kiln Gate: 1, Ash Flats: 1, Glazing Hall: 1}
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """The rules of the game with those of the set, the runes, and the set: data, in a folder."""
    root = tmp_path_factory.mktemp("data")
    shutil.copytree(data_dir() / "rulesdb" / "riftbound", root / "rulesdb" / "riftbound")
    shutil.copy(RULES, root / "rulesdb" / "riftbound" / "800-keywords" / "830-new.yaml")
    cards = root / "cardtexts" / "riftbound"
    cards.mkdir(parents=True)
    shutil.copy(data_dir() / "cardtexts" / "riftbound" / "starter.yaml", cards / "starter.yaml")
    shutil.copy(SET, cards / "new.yaml")
    (cards / "decks").mkdir()
    (cards / "decks" / "kilnfolk.yaml").write_text(DECK, encoding="utf-8")
    return load_table("riftbound", root)


def test_every_card_of_it_is_read_and_written_back(table: Table) -> None:
    new = [card for card in table.pool if card.set == "NEW"]
    assert len(new) == 30
    assert [card.name for card in new if canonical_text(card.text, table.words) != card.text] == []


def test_a_check_has_nothing_against_it(table: Table) -> None:
    path = table.root / "cardtexts" / "riftbound" / "new.yaml"
    found = check_paths([path], checked_game("riftbound", table.root)).findings
    assert [(one.card, one.code, one.diagnostic.message) for one in found] == []


def test_its_keywords_do_what_their_rules_say(table: Table) -> None:
    assert [name for name in ("Bulwark", "Foresee") if name.casefold() not in table.rules.keywords] == []
    assert table.ruleset.script("Kiln Tower").traits.keywords["bulwark"] == 3
    assert table.ruleset.script("Kiln Sentry").traits.keywords["bulwark"] == 1


SCENARIO = """
- name: A unit is glazed once, has 2 more Might, and its own ability is triggered once
  rules: ['832.1', '832.2']
  given:
    P1:
      base: [Rim Guard, Kiln Sentry, {name: W1, card: "Potter's Wheel"}, {name: W2, card: "Potter's Wheel"}]
      deck: [Clay Giant, Clay Giant]
  when:
  - P1: {activate: W1, choosing: Rim Guard}
  - all: resolve
  - P1: {activate: W2, choosing: Rim Guard}
  - all: resolve
  then:
  - {the: Rim Guard, might: 4}
  - {the: Kiln Sentry, might: 2}
  - P1: {drew: 1}
"""


COUNTERS = """
- name: A counter of any sort pays for what names none, and its player says which where there are two
  rules: ['745.1.a', '746']
  cards:
    Melter: {type: gear, text: "Spend a counter: Draw 1."}
    Shift: {type: spell, text: "Move a counter from a friendly unit to another friendly unit."}
  given:
    P1:
      hand: [Shift]
      base: ["Rim Guard (buffed)", Kiln Sentry, {name: W1, card: "Potter's Wheel"}, Melter]
  when:
  - P1: {activate: W1, choosing: Rim Guard}
  - all: resolve
  - then:
    - {the: Rim Guard, might: 5, buffs: 1}
  - P1: {play: Shift, choosing: [Rim Guard, Kiln Sentry]}
  - all: pass
  - P1: {do: glaze}
  - then:
    - {the: Rim Guard, might: 3, buffs: 1}
    - {the: Kiln Sentry, might: 4}
  - P1: {activate: Melter, choosing: Kiln Sentry}
  - all: resolve
  then:
  - {the: Rim Guard, might: 3, buffs: 1}
  - {the: Kiln Sentry, might: 2}
"""


@pytest.mark.parametrize("text", [SCENARIO, COUNTERS], ids=["put", "spent and moved"])
def test_its_counter_is_put_on_a_unit_once_and_adds_to_its_might(
    text: str, table: Table, tmp_path: Path
) -> None:
    path = tmp_path / "glaze.yaml"
    path.write_text(text, encoding="utf-8")
    (scenario,) = load_scenarios(path)
    outcome = run_scenario(scenario, prepared(table.ruleset))
    assert (outcome.error, [one for one in outcome.findings if not one.holds]) == (None, [])


def test_every_card_of_it_can_be_played(table: Table) -> None:
    refused = {card.name: table.ruleset.refused(card.name) for card in table.pool if card.set == "NEW"}
    assert {name: why for name, why in refused.items() if why is not None} == {}


def test_a_deck_of_it_is_legal_and_plays_to_the_end(table: Table) -> None:
    path = table.root / "cardtexts" / "riftbound" / "decks" / "kilnfolk.yaml"
    deck = load_deck(path, table.pool, table.deck_rules.layout, table.root)
    assert (
        check_deck(deck, table.pool, table.deck_rules, has_keyword=lambda card, word: False, mode="duel")
        == ()
    )
    said: set[str] = set()
    for seed in range(3):
        game = table.new_game([deck, deck], seed)
        play_out(game, random_agents(seed, 2))
        assert game.decision is None
        said |= {record.verb for record in game.log}
    assert "glaze" in said


@pytest.mark.slow
def test_the_commands_of_the_page_work_on_it(
    rulewright: Callable[..., CompletedProcess[str]], tmp_path: Path
) -> None:
    for name in ("grammar", "rulesdb", "cardtexts"):
        shutil.copytree(data_dir() / name, tmp_path / name)
    sets = tmp_path / "cardtexts" / "riftbound"
    shutil.copy(SET, sets / "new.yaml")
    shutil.copy(RULES, tmp_path / "rulesdb" / "riftbound" / "new.yaml")
    deck = sets / "decks" / "kilnfolk.yaml"
    deck.write_text(DECK, encoding="utf-8")
    for command in (
        ("check", str(sets / "new.yaml")),
        ("fmt", "--check", str(sets / "new.yaml")),
        ("card", "Rim Guard"),
        ("deck", "check", str(deck)),
        ("simulate", "-n", "2", str(deck), "--check"),
    ):
        done = rulewright(*command, RULEWRIGHT_DATA=str(tmp_path))
        assert (done.returncode, done.stderr) == (0, ""), (command, done.stdout, done.stderr)
