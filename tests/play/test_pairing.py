"""Cards go together where one asks for what the other is or does."""

import pytest

from rulewright.cards import CardDefinition
from rulewright.engine import Ruleset
from rulewright.play.pairing import Pairing
from rulewright.play.table import load_table


def unit(name: str, text: str = "", **more: object) -> CardDefinition:
    figures = (("energy", more.pop("energy", 2)), ("might", 2))
    return CardDefinition(name, ("unit",), domains=("order",), figures=figures, text=text, **more)  # type: ignore[arg-type]


CARDS = [
    unit("Stunned By It", "When you stun an enemy unit, draw 1."),
    unit("Stunner", "When you play me, stun a unit."),
    unit("Poro Friend", "Other Poros you control have +1 [M]."),
    unit("Poro", tags=("Poro",)),
    unit("Buff Eater", "Spend a buff: Draw 1."),
    unit("Buffer", "When you play me, buff a friendly unit."),
    unit("Dear One", "When you play a unit with Energy cost [5] or more, draw 1."),
    unit("Giant", energy=7),
    unit("Learner", "[Level 6][>] When you play me, draw 1."),
    unit("Teacher", "When you play me, gain 2 XP."),
    unit("Plain"),
]


@pytest.fixture(scope="module")
def pairing() -> Pairing:
    ruleset: Ruleset = load_table().ruleset.with_cards(CARDS)
    return Pairing(ruleset, CARDS)


@pytest.mark.parametrize(
    ("asking", "giving"),
    [
        ("Stunned By It", "Stunner"),
        ("Poro Friend", "Poro"),
        ("Buff Eater", "Buffer"),
        ("Dear One", "Giant"),
        ("Learner", "Teacher"),
    ],
)
def test_what_asks_goes_with_what_gives_and_both_know_it(pairing: Pairing, asking: str, giving: str) -> None:
    assert pairing.strength(asking, giving) > 0
    assert pairing.strength(giving, asking) == pairing.strength(asking, giving)
    assert pairing.strength(asking, "Plain") == 0


def test_what_few_cards_give_binds_more(pairing: Pairing) -> None:
    more = [unit(f"Poro {number}", tags=("Poro",)) for number in range(9)]
    crowded = Pairing(load_table().ruleset.with_cards([*CARDS, *more]), [*CARDS, *more])
    assert crowded.strength("Poro Friend", "Poro") < pairing.strength("Poro Friend", "Poro")


def test_a_card_does_not_go_with_itself(pairing: Pairing) -> None:
    assert pairing.strength("Buffer", "Buffer") == 0
