"""Texts become programs whole, or are refused with the reason; every card of the sets can enter a game."""

import pytest

from rulewright.cards import CardDefinition, Pool, load_pool
from rulewright.engine import CompileError, Ruleset


@pytest.fixture(scope="module")
def pool() -> Pool:
    return load_pool()


@pytest.mark.slow
def test_every_card_of_the_sets_can_enter_a_game(ruleset: Ruleset, pool: Pool) -> None:
    refused = {card.name: ruleset.refused(card.name) for card in pool}
    assert {name: why for name, why in refused.items() if why is not None} == {}


def test_a_text_that_is_not_read_keeps_its_card_out_of_any_game(ruleset: Ruleset) -> None:
    card = CardDefinition("Gibberish", ("spell",), text="Wibble the wobble.")
    with pytest.raises(CompileError):
        ruleset.with_cards([card]).script("Gibberish")


@pytest.mark.parametrize("kind", ["unit", "gear", "battlefield", "legend", "rune"])
def test_an_instruction_that_nothing_would_carry_out_keeps_its_card_out_of_any_game(
    ruleset: Ruleset, kind: str
) -> None:
    # 135.2.b.1: instructions appear on spells and within abilities.
    card = CardDefinition("Restless", (kind,), text="Draw 1.")
    with pytest.raises(CompileError, match="an instruction stands by itself"):
        ruleset.with_cards([card]).script("Restless")


def test_a_card_that_is_not_in_the_pool_is_named(ruleset: Ruleset) -> None:
    with pytest.raises(CompileError, match="Nobody"):
        ruleset.script("Nobody")


def test_a_program_prints_as_operations_with_their_paths(ruleset: Ruleset) -> None:
    card = CardDefinition("Bolt", ("spell",), text="Deal 3 to a unit. Draw 1.")
    program = ruleset.with_cards([card])
    script = program.script("Bolt")
    assert script.spell is not None
    assert [op.code for op in program.program(f"{script.spell.key}>prepare").ops] == ["target"]
    assert [op.name for op in program.program(f"{script.spell.key}>resolve").ops] == ["deal", "draw"]


@pytest.mark.parametrize(
    "text",
    [
        "Deal 3 to a unit. If this doesn't kill it, draw 1.",
        "Deal 3 to a unit. If this kills it, draw 1. Otherwise, channel 1 rune exhausted.",
    ],
)
def test_what_a_text_does_not_kill_is_not_asked_before_the_cleanup(ruleset: Ruleset, text: str) -> None:
    # 323.5: units with lethal damage are killed in the cleanup, when the text is over.
    card = CardDefinition("Doubt", ("spell",), text=text)
    with pytest.raises(CompileError, match="not known before its text is over"):
        ruleset.with_cards([card]).script("Doubt")
