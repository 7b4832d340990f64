"""What a player's words mean where a card is to be named (761)."""

import pytest

from rulewright.cards.card import CardDefinition
from rulewright.cards.naming import cards_meant

DOMAINS = {"mind": ["blue"], "fury": ["red"]}
FIGURES = {"energy": ["Energy"], "might": ["[M]", "Might"]}


def card(name: str, kind: str, domains: str, energy: int, might: int | None = None) -> CardDefinition:
    figures = (("energy", energy), *((("might", might),) if might is not None else ()))
    return CardDefinition(name, (kind,), domains=tuple(domains.split()), figures=figures)


CARDS = (
    card("Mira, Keen", "unit", "mind", 6, 6),
    card("Mira, Wild", "unit", "fury", 4, 4),
    card("Mira, Twice Born", "legend", "fury mind", 0),
    card("Oddo the Arm", "unit", "mind", 3, 2),
    card("Arm", "spell", "fury", 3),
    card("Red Tide", "spell", "mind", 3),
)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("Mira, Keen", ["Mira, Keen"]),
        ("mira, keen", ["Mira, Keen"]),
        ("the blue Mira", ["Mira, Keen", "Mira, Twice Born"]),
        ("the blue unit Mira", ["Mira, Keen"]),
        ("the 6 [M] Mira", ["Mira, Keen"]),
        ("the 4 Might Mira", ["Mira, Wild"]),
        ("the [6] Energy Mira", ["Mira, Keen"]),
        ("the red 6 [M] Mira", []),
        ("Oddo", ["Oddo the Arm"]),
        ("Arm", ["Arm"]),
        ("the Arm", ["Oddo the Arm", "Arm"]),
        ("red tide", ["Red Tide"]),
        ("the red Tide", ["Red Tide"]),
        ("Mir", []),
        ("Mira Keen", ["Mira, Keen"]),
        ("", []),
        ("the", []),
    ],
)
def test_words_mean_every_card_that_they_fit(words: str, names: list[str]) -> None:
    assert [found.name for found in cards_meant(words, CARDS, DOMAINS, FIGURES)] == names
