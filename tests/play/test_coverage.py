"""How far each card is carried, held to the committed ledger; and the runner that uses each ability of a card."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.cards import CardDefinition
from rulewright.errors import RulewrightError
from rulewright.play.coverage import (
    ATTEMPTS,
    Coverage,
    blessed,
    coverage,
    ledger_changes,
    ledger_line,
    read_ledger,
)
from rulewright.play.exercise import exercise
from rulewright.play.table import Table, load_table

LEDGER = Path(__file__).resolve().parents[1] / "ledger" / "cards.txt"

SAMPLE = 12
"""How many of the cards that the ledger calls executed are tried again here; the command tries all."""


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table()


def test_every_card_is_carried_as_far_as_the_ledger_says(table: Table) -> None:
    changes = list(ledger_changes(coverage(table, list(table.pool)), read_ledger(LEDGER)))
    told = "\n".join(f"- {before}\n+ {now}" for before, now in changes)
    assert not changes, f"rulewright coverage --execute --bless accepts these on purpose:\n{told}"


def _sample() -> list[str]:
    executed = [card for card, line in read_ledger(LEDGER).items() if line.endswith("executed")]
    return sorted(executed, key=lambda card: hashlib.blake2b(card.encode()).hexdigest())[:SAMPLE]


@pytest.mark.parametrize("card", _sample())
def test_a_card_that_the_ledger_calls_executed_is_executed(table: Table, card: str) -> None:
    tried = exercise(table.ruleset, card, ATTEMPTS)
    assert tried.missing == {}
    assert tried.faults == []


def made(table: Table, text: str, kind: str = "unit") -> Table:
    card = CardDefinition("Trial", (kind,), figures=(("energy", 1), ("might", 2)), text=text)
    ruleset = table.ruleset.with_cards([card])
    other = replace(table)
    object.__setattr__(other, "ruleset", ruleset)
    return other


def test_both_ways_of_a_choice_and_every_mode_are_steps(table: Table) -> None:
    text = "When you play me, choose one —\n• Draw 1.\n• Channel 1 rune exhausted."
    tried = exercise(made(table, text).ruleset, "Trial", attempts=8, thorough=True)
    assert tried.executed
    assert tried.steps - tried.reached == set()


@pytest.mark.parametrize(
    "text",
    [
        "When you hide a card, draw 1.",
        "When you play a card from face down, draw 1.",
        "When you play a unit during a showdown, draw 1.",
        "When you play a gear during a showdown, draw 1.",
        "[Hidden]\nWhen you play me to a battlefield, deal 2 to an enemy unit here.",
    ],
)
def test_hiding_and_what_is_played_in_a_showdown_are_brought_about(table: Table, text: str) -> None:
    tried = exercise(made(table, text).ruleset, "Trial", attempts=12)
    assert tried.missing == {}
    assert tried.faults == []


@pytest.mark.parametrize(
    "text",
    [
        "When I attack, kill all damaged enemy units here.",
        "When I hold, activate the conquer effects of units here.",
        "When you play me, you may play a spell from your trash, ignoring its Energy cost. Recycle it.",
    ],
)
def test_a_stage_gives_each_instruction_something_to_do(table: Table, text: str) -> None:
    tried = exercise(made(table, text).ruleset, "Trial", attempts=ATTEMPTS)
    assert tried.missing == {}
    assert tried.idle == set()


def test_what_never_does_anything_is_named(table: Table) -> None:
    # What has died is nowhere to be readied.
    tried = exercise(made(table, "[Deathknell][>] Ready me.").ruleset, "Trial", attempts=4)
    assert tried.idle == {"card:Trial#abilities.0>resolve:0"}


def test_an_ability_that_cannot_fire_is_named_with_what_it_waits_for(table: Table) -> None:
    text = "While you have 900 or more XP, I have +1 [M]."
    tried = exercise(made(table, text).ruleset, "Trial", attempts=2)
    assert tried.missing == {"card:Trial#abilities.0": "passive: Modify"}


def test_a_card_is_tried_the_same_way_each_time(table: Table) -> None:
    rules = made(table, "When I move, you may draw 1.").ruleset
    one, other = (exercise(rules, "Trial", attempts=3) for _ in range(2))
    assert one == other


def test_what_was_executed_stays_so_until_the_meaning_changes() -> None:
    tried = Coverage("Spark", ("RWS",), "0a1b", read=True, printed=True, compiled=True, executed=True)
    known = {"Spark": ledger_line(tried)}
    assert (
        blessed([replace(tried, executed=None)], known) == "Spark | 0a1b | read printed compiled executed\n"
    )
    changed = replace(tried, meaning="ffff", executed=None)
    assert blessed([changed], known) == "Spark | ffff | read printed compiled\n"


def test_a_card_that_is_gone_is_a_change() -> None:
    assert list(ledger_changes([], {"Spark": "Spark | 0a1b | read"})) == [("Spark | 0a1b | read", "")]


def test_a_ledger_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cards.txt").write_bytes(b"\xe0\x00")
    for path in (tmp_path, tmp_path / "cards.txt"):
        with pytest.raises(RulewrightError):
            read_ledger(path)
    assert read_ledger(tmp_path / "none.txt") == {}
