"""Deck codes: a hundred decks and their codes as the reference package (1.1.0) writes them, both ways; and errors.

``deck_codes.jsonl`` was made with the npm package ``@piltoverarchive/riftbound-deck-codes`` from random lists.
"""

import json
from pathlib import Path

import pytest

from rulewright.cards import Pool, deck_rules
from rulewright.cards.deck import deck_of
from rulewright.cards.deck_codes import (
    CodedDeck,
    DeckCodeError,
    deck_code,
    deck_from_code,
    decode,
    encode,
    load_code_numbers,
)
from rulewright.cards.sets import parse_set
from rulewright.rules.load import load as load_rules

NUMBERS = load_code_numbers()
SAMPLES = [
    json.loads(line)
    for line in (Path(__file__).with_name("deck_codes.jsonl")).read_text("utf-8").splitlines()
]

SECOND = (
    "CIAAAAAAAAAQCAAAA4AACAIAABMQAAILAAAAICIMDMOVOX3AM5UHIAIDAAACO6XYAEAQKA",
    "AABX3QDGACUABKIAQAAEBQAAAWDBOQCAQAABMHE",
)
"""A code of the second version, the example of the reference's description."""


def copies(said: list[str]) -> tuple[tuple[str, int], ...]:
    return tuple((card, int(count)) for count, card in (one.split() for one in said))


def test_a_hundred_decks_have_the_codes_of_the_reference() -> None:
    assert len(SAMPLES) == 100
    for sample in SAMPLES:
        deck = CodedDeck(copies(sample["main"]), copies(sample["sideboard"]), sample["champion"])
        assert encode(deck, NUMBERS) == sample["code"]


def test_a_hundred_codes_of_the_reference_are_read() -> None:
    for sample in SAMPLES:
        deck = decode(sample["code"], NUMBERS)
        assert sorted(deck.main) == sorted(copies(sample["main"]))
        assert sorted(deck.sideboard) == sorted(copies(sample["sideboard"]))
        assert deck.champion == sample["champion"]


def test_codes_of_the_first_two_versions_are_read() -> None:
    second = SECOND[0] + SECOND[1]
    deck = decode(second.lower(), NUMBERS)
    assert (deck.main[0], len(deck.main), deck.sideboard[-1], deck.champion) == (
        ("OGN-007", 7),
        21,
        ("OGN-114", 1),
        None,
    )
    first = decode("CEAAAAAAAAAQCAAAA4AAAAAAAAAA", NUMBERS)
    assert (first.main, first.sideboard) == ((("OGN-007", 7),), ())


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("", "a deck code is of the letters A to Z"),
        ("hello world", "hello world: a deck code is of the letters"),
        ("CMAA", "this deck code ends too early"),
        ("AAAA", "format 0, version 0 is not known"),
        ("CQAAAAAA", "format 1, version 4 is not known"),
        ("C", "this deck code has lost some of its letters"),
        ("CMAAAAAAAAAAAAAAAAAACAL7AADQAAAAAA", "a card of set 127, which is not known"),
        ("CMAAAAAAAAAQCAAAA4AAAAAAAAAAAAAAAACAQCAQ", "this deck code goes on after its end"),
        ("CM" + "7" * 5000, "a number that is too large"),
    ],
)
def test_a_broken_code_is_told(code: str, said: str) -> None:
    with pytest.raises(DeckCodeError) as caught:
        decode(code, NUMBERS)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("card", "count", "said"),
    [
        ("UNL-001", 1, "no number for the set UNL of UNL-001"),
        ("OGN-001c", 1, "no number for the variant 'c'"),
        ("OGN-T03", 1, "OGN-T03 has no form in a deck code"),
        ("OGN-001", 13, "cannot hold 13 of OGN-001, at most 12"),
    ],
)
def test_what_has_no_form_in_a_code_is_told(card: str, count: int, said: str) -> None:
    with pytest.raises(DeckCodeError) as caught:
        encode(CodedDeck(((card, count),)), NUMBERS)
    assert said in str(caught.value)


CARDS = """
set: OGN
name: Test
cards:
- {name: Ana, number: '001', type: legend, tags: [Ana]}
- {name: 'Ana, First', number: '002', type: unit, supertypes: [champion], tags: [Ana]}
- {name: Wall, number: 002b, type: unit, printings: [OGN-300s]}
- {name: Reprint, number: '9', type: spell, printings: [SFD-009]}
- {name: Fury Pebble, number: '007', type: rune}
- {name: Hill, number: '280', type: battlefield}
"""


def test_a_deck_survives_its_code() -> None:
    pool = Pool([parse_set(CARDS.encode(), "test.yaml")])
    layout = deck_rules(load_rules().table("deck-construction")).layout
    deck = deck_of(
        "deck",
        {
            "legend": {"Ana": 1},
            "champion": {"Ana, First": 1},
            "main": {"Wall": 3, "Ana, First": 2},
            "runes": {"Fury Pebble": 12},
            "battlefields": {"Hill": 1},
        },
    )
    back = deck_from_code(deck_code(deck, pool, NUMBERS), pool, layout, NUMBERS)
    assert {part: dict(cards) for part, cards in back.parts} == {
        part: dict(cards) for part, cards in deck.parts
    }


def test_every_card_of_a_set_without_a_number_is_named() -> None:
    more = """
set: ZZZ
name: More
cards:
- {name: Fox, number: '001', type: unit}
- {name: 'Owl, Old', number: '002', type: unit}
"""
    pool = Pool([parse_set(CARDS.encode(), "test.yaml"), parse_set(more.encode(), "more.yaml")])
    deck = deck_of("deck", {"main": {"Fox": 3, "Wall": 3, "Owl, Old": 1}})
    with pytest.raises(DeckCodeError) as caught:
        deck_code(deck, pool, NUMBERS)
    assert "no number for the set ZZZ of Fox (ZZZ-001); Owl, Old (ZZZ-002)" in str(caught.value)
    assert "Wall" not in str(caught.value)


def test_a_code_with_a_card_that_is_not_at_hand_is_told() -> None:
    pool = Pool([parse_set(CARDS.encode(), "test.yaml")])
    layout = deck_rules(load_rules().table("deck-construction")).layout
    with pytest.raises(DeckCodeError, match="no card with the code OGN-111 is in the sets at hand"):
        deck_from_code(encode(CodedDeck((("OGN-111", 1),)), NUMBERS), pool, layout, NUMBERS)
