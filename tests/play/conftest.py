"""What the tests of whole games share: the game's rules and cards, and its two starter decks."""

import pytest

from rulewright.cards.deck import Deck
from rulewright.play.table import Table, load_table, starter_decks


@pytest.fixture(scope="session")
def table() -> Table:
    return load_table("riftbound")


@pytest.fixture(scope="session")
def decks(table: Table) -> list[Deck]:
    return [table.deck(file) for file in starter_decks("riftbound")[:2]]
