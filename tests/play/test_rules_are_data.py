"""The rules are data: without a keyword's meaning its scenarios fail, and another table is another game."""

import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from rulewright.cards import CardDefinition, Pool, load_pool
from rulewright.engine import CompileError, Game, LogRecord, Position, Ruleset
from rulewright.errors import RulewrightError
from rulewright.language import parse
from rulewright.paths import data_dir
from rulewright.play.playthrough import play_out, random_agents
from rulewright.play.position import prepared
from rulewright.play.runner import run
from rulewright.play.scenario import Scenario
from rulewright.play.scenario import load as load_scenarios
from rulewright.play.table import Table, load_table, starter_decks
from rulewright.rules import Entry, load
from rulewright.rules.numbers import root as head_of

pytestmark = pytest.mark.slow

SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"
KEYWORDS = load().keywords


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A data folder whose rules are a copy, to be changed at will; cards and words are the project's own."""
    shutil.copytree(data_dir() / "rulesdb", tmp_path / "rulesdb")
    for name in ("cardtexts", "grammar"):
        (tmp_path / name).symlink_to(data_dir() / name)
    return tmp_path


Change = Callable[[str, str, str], None]


@pytest.fixture
def change(copied: Path) -> Change:
    """Change what one entry of the copied rules says: ``change("315.4", "amount: 1", "amount: 2")``."""

    def changed(number: str, old: str, new: str) -> None:
        path = copied / "rulesdb" / "riftbound" / load().entry(number).file
        text = path.read_text(encoding="utf-8")
        start = re.search(rf"^- rule: '?{re.escape(number)}'?$", text, re.MULTILINE)
        assert start is not None
        end = text.find("\n- rule:", start.end())
        entry = text[start.start() : end + 1 if end >= 0 else len(text)]
        assert entry.count(old) == 1, f"{number} does not say {old!r} once"
        path.write_text(text.replace(entry, entry.replace(old, new)), encoding="utf-8")

    return changed


@cache
def all_scenarios() -> tuple[Scenario, ...]:
    return tuple(one for path in sorted(SCENARIOS.rglob("*.yaml")) for one in load_scenarios(path))


def shown_by(entry: Entry) -> list[Scenario]:
    head = head_of(entry.number)
    return [one for one in all_scenarios() if head in map(head_of, one.rules)]


def fails(scenario: Scenario, ruleset: Ruleset) -> bool:
    try:
        return not run(scenario, ruleset).passed
    except RulewrightError:
        return True


@cache
def pool() -> Pool:
    return load_pool()


@pytest.mark.parametrize("name", sorted(name for name in KEYWORDS if KEYWORDS[name].keyword.means))  # type: ignore[union-attr]
def test_without_what_a_keyword_means_a_scenario_of_it_fails(name: str, copied: Path, change: Change) -> None:
    entry = KEYWORDS[name]
    path = data_dir() / "rulesdb" / "riftbound" / entry.file
    means = re.search(
        r"^    means:.*\n(?:      .*\n|    - .*\n)*", path.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert means is not None
    change(entry.number, means.group(), "")
    without = prepared(Ruleset(load("riftbound", copied), pool()))
    assert any(fails(scenario, without) for scenario in shown_by(entry))


@pytest.mark.parametrize("name", sorted(name for name in KEYWORDS if not KEYWORDS[name].keyword.means))  # type: ignore[union-attr]
def test_without_its_entry_a_keyword_is_no_word(name: str, copied: Path, change: Change) -> None:
    entry = KEYWORDS[name]
    assert entry.keyword is not None
    path = data_dir() / "rulesdb" / "riftbound" / entry.file
    block = re.search(r"^  keyword:\n(?:    .*\n)*", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert block is not None
    change(entry.number, block.group(), "")
    words = load_table("riftbound", copied).words
    assert words is not None
    assert parse(f"[{entry.keyword.name}]").text is not None
    assert parse(f"[{entry.keyword.name}]", words).text is None


@pytest.mark.parametrize(
    ("keyword", "old", "new"),
    [
        ("action", "showdown: [action, reaction]", "showdown: [reaction]"),
        ("reaction", "closed: [reaction]", "closed: [action]"),
        ("ambush", "placed: [ambush]", "placed: [hidden]"),
    ],
)
def test_what_a_keyword_permits_is_told_by_the_table_of_timing(
    keyword: str, old: str, new: str, copied: Path, change: Change
) -> None:
    change(load().table_entry("timing").number, old, new)
    without = prepared(Ruleset(load("riftbound", copied), pool()))
    assert any(fails(scenario, without) for scenario in shown_by(KEYWORDS[keyword]))


def game_of(table: Table, seed: int = 1) -> Game:
    decks = [table.deck(path) for path in starter_decks()[:2]]
    return table.new_game(decks, seed)


def test_another_victory_score_ends_the_game_sooner(copied: Path, change: Change) -> None:
    change("484", "name: duel, players: 2, goal: 8", "name: duel, players: 2, goal: 2")
    game = game_of(load_table("riftbound", copied))
    play_out(game, random_agents(1, 2))
    assert game.winners is not None
    assert max(player.resources.get("points", 0) for player in game.state.players) in (2, 3)


def test_another_number_of_cards_is_drawn_in_the_draw_phase(copied: Path, change: Change) -> None:
    change("315.4", "amount: 1", "amount: 3")
    assert drawn_in_the_first_draw_phase(load_table("riftbound", copied)) == 3
    assert drawn_in_the_first_draw_phase(load_table()) == 1


def drawn_in_the_first_draw_phase(table: Table) -> int:
    lines = log_of_a_game(table)
    start = next(index for index, line in enumerate(lines) if line.text == "Draw Phase")
    end = next(index for index, line in enumerate(lines) if line.text == "Main Phase")
    return sum(line.verb == "draw" for line in lines[start:end])


def log_of_a_game(table: Table) -> list[LogRecord]:
    game = game_of(table)
    agents = random_agents(1, 2)
    while not any(line.text == "Main Phase" for line in game.log):
        assert game.decision is not None
        game.apply(agents[game.decision.player].choose(game.view(game.decision.player), game.decision))
    return list(game.log)


def test_the_phases_of_a_turn_come_in_the_order_of_its_procedure(copied: Path, change: Change) -> None:
    channel, draw = "{procedure: channel-phase, rule: '315.3'}", "{procedure: draw-phase, rule: '315.4'}"
    change("303", f"{channel}\n    - {draw}", f"{draw}\n    - {channel}")
    assert phases_of(load_table()) == [
        "Awaken Phase",
        "Beginning Phase",
        "Channel Phase",
        "Draw Phase",
        "Main Phase",
    ]
    assert phases_of(load_table("riftbound", copied)) == [
        "Awaken Phase",
        "Beginning Phase",
        "Draw Phase",
        "Channel Phase",
        "Main Phase",
    ]


SHRINKING = """
- name: Might is increased before it is decreased
  rules: [477.3.e]
  cards:
    Gloom: {type: unit, might: 3, text: "Enemy units have -4 [M], to a minimum of 1 [M]."}
  given:
    P1: {base: ["Small 2 (buffed)"]}
    P2: {base: [Gloom]}
  when: []
  then:
  - {the: Small, might: 1}
"""

TAXED = """
- name: A cost is increased before it is reduced
  rules: ["356"]
  cards:
    Toll: {type: unit, might: 3, text: "Enemy spells cost [2] more."}
    Sale: {type: unit, might: 3, text: "Spells you play cost [2] less, to a minimum of [1]."}
    Song: {type: spell, energy: 1, text: "Draw 1."}
  given:
    P1: {base: [Sale], hand: [Song], pool: 1 energy}
    P2: {base: [Toll]}
  when: []
  then:
  - {legal: {P1: {play: Song}}}
"""


@pytest.mark.parametrize(
    ("number", "rows", "scenario"),
    [
        ("477", ("name: increases", "name: decreases"), SHRINKING),
        ("356", ("step: increases", "step: discounts"), TAXED),
    ],
)
def test_the_steps_of_a_table_are_gone_through_in_its_order(
    number: str, rows: tuple[str, str], scenario: str, copied: Path, change: Change, tmp_path: Path
) -> None:
    (tmp_path / "one.yaml").write_text(scenario, encoding="utf-8")
    (one,) = load_scenarios(tmp_path / "one.yaml")
    assert not fails(one, prepared(Ruleset(load(), pool())))
    swap(copied, number, *rows)
    assert fails(one, prepared(Ruleset(load("riftbound", copied), pool())))


def swap(copied: Path, number: str, first: str, second: str) -> None:
    """Swap two rows of the table of one entry, found by how they begin."""
    path = copied / "rulesdb" / "riftbound" / load().entry(number).file
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    one, other = (
        next(at for at, line in enumerate(lines) if line.startswith(f"    - {{{row},"))
        for row in (first, second)
    )
    lines[one], lines[other] = lines[other], lines[one]
    path.write_text("".join(lines), encoding="utf-8")


def test_a_table_that_names_what_the_kernel_does_not_know_is_refused(copied: Path, change: Change) -> None:
    change("477", "might-bonus", "might-bonsu")
    with pytest.raises(CompileError, match="'layers' names might-bonsu and leaves out might-bonus"):
        Ruleset(load("riftbound", copied), pool())


def phases_of(table: Table) -> list[str]:
    return [line.text for line in log_of_a_game(table) if line.verb == "phase"]


def test_a_keyword_that_the_rules_did_not_have_is_a_word_and_does_what_it_means(copied: Path) -> None:
    (copied / "rulesdb" / "riftbound" / "800-keywords" / "830-valiant.yaml").write_text(
        VALIANT, encoding="utf-8"
    )
    table = load_table("riftbound", copied)
    card = CardDefinition(
        "Paladin", ("unit",), figures=(("energy", 1), ("might", 2), ("power", 0)), text="[Valiant 3]"
    )
    assert table.words is not None
    ruleset = table.ruleset.with_cards([card])
    position = Position(ruleset)
    field = position.battlefield(controller=0)
    there = position.put("Paladin", 0, ruleset.field, at=field)
    home = position.put("Paladin", 0, ruleset.home)
    game = position.start()
    assert game.traits(there).figures["might"] == 5
    assert game.traits(home).figures["might"] == 2


VALIANT = """
- {rule: '830', gist: Valiant., status: heading}
- rule: '830.1'
  gist: A valiant unit has more Might while it is at a battlefield.
  status: executable
  keyword:
    name: Valiant
    kind: [passive]
    value: {default: 1, stacks: sum}
    means: While I'm at a battlefield, I have +X [M].
"""
