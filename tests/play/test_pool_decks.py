"""Decks over the whole pool: legal, the same for a seed, and every card in one of them."""

import pytest

from rulewright.cards.construction import check_deck
from rulewright.play.pool_decks import PoolDecks
from rulewright.play.table import Table, load_table


@pytest.fixture(scope="module")
def table() -> Table:
    return load_table()


@pytest.fixture(scope="module")
def decks(table: Table) -> PoolDecks:
    return PoolDecks(table, seed=3)


def test_every_deck_is_legal(table: Table, decks: PoolDecks) -> None:
    for number in (0, 41, 97, 500, 1234):
        breaches = check_deck(decks[number], table.pool, table.deck_rules, has_keyword=table.has_keyword)
        assert list(breaches) == []


def test_a_deck_depends_only_on_the_seed_and_its_number(table: Table, decks: PoolDecks) -> None:
    assert PoolDecks(table, seed=3)[77] == decks[77]
    assert PoolDecks(table, seed=4)[77] != decks[77]


def test_each_card_that_can_be_played_comes_into_a_deck_soon(decks: PoolDecks) -> None:
    missing = {card.name for card in decks.cards}
    for number in range(4 * len(decks.leaders)):
        missing -= {name for part, _ in decks[number].parts for name in decks[number].cards(part)}
    assert missing == set()


def test_a_card_that_only_one_leader_may_have_is_in_each_of_its_decks(table: Table, decks: PoolDecks) -> None:
    for number in (7, 7 + len(decks.leaders)):
        main = decks[number].cards("main")
        assert any(table.pool[name].has_type("signature") for name in main)


def test_decks_are_the_same_in_whatever_order_they_are_asked_for(table: Table, decks: PoolDecks) -> None:
    other = PoolDecks(table, seed=3)
    assert [other[number] for number in (130, 2)] == [decks[130], decks[2]]


def test_each_deck_sits_first_once_and_second_once(decks: PoolDecks) -> None:
    count = 3 * len(decks.leaders)
    first, second = zip(*(decks.pairing(number) for number in range(count)), strict=True)
    assert sorted(first) == sorted(second) == list(range(count))
    assert all(one != other for one, other in zip(first, second, strict=True))
    assert len({decks.pairing(number)[1] % len(decks.leaders) for number in (0, 42, 84)}) == 3
