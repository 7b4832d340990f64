"""The sets of real cards: facts and meanings are those of the source, and their decks are legal."""

from pathlib import Path

import pytest

from rulewright.cards import CardDefinition, check_deck, deck_rules, load_deck, load_pool
from rulewright.cards.formats import load_imports
from rulewright.cards.importing import read_export
from rulewright.cards.reading import has_keyword, meanings
from rulewright.cards.sets import game_folder
from rulewright.rules.load import load as load_rules

POOL = load_pool()
REAL = [card for one in POOL.sets if one.code in ("OGN", "OGS", "SFD", "UNL") for card in one.cards]
DECKS = sorted(game_folder().glob("decks/real/*.yaml"))


@pytest.fixture(scope="module")
def source(shared: Path) -> dict[str, CardDefinition]:
    path = shared / "corpus" / "cards.jsonl"
    made = read_export(path.read_bytes(), path.name, load_imports())
    return {card.name: card for cards in made.sets.values() for card in cards}


def facts(card: CardDefinition) -> dict[str, object]:
    plain = {**card.to_plain(), "set": card.set}
    return {key: value for key, value in plain.items() if key not in ("text", "effect_text")}


def test_every_fact_is_the_source_s(source: dict[str, CardDefinition]) -> None:
    assert len(REAL) == 765
    assert [facts(card) for card in REAL] == [facts(source[card.name]) for card in REAL]


def same_meaning(cards: list[CardDefinition], source: dict[str, CardDefinition]) -> None:
    assert [card.name for card in cards if meanings(card) != meanings(source[card.name])] == []


def test_some_texts_mean_what_the_source_s_mean(source: dict[str, CardDefinition]) -> None:
    same_meaning(REAL[::20], source)


@pytest.mark.slow
def test_every_text_means_what_the_source_s_means(source: dict[str, CardDefinition]) -> None:
    same_meaning(REAL, source)


def test_no_reminder_text_and_no_export_s_markup_is_in_a_set_file() -> None:
    marks = (":rb_", "<", "(", "&")
    assert [card.name for card in REAL if any(mark in card.text + card.effect_text for mark in marks)] == []


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)
def test_every_deck_of_real_cards_is_legal_and_read_whole(path: Path) -> None:
    rules = deck_rules(load_rules().table("deck-construction"))
    deck = load_deck(path, POOL, rules.layout)
    assert check_deck(deck, POOL, rules, has_keyword=has_keyword, mode="duel") == ()
    for part, cards in deck.parts:
        for name, _ in cards:
            assert meanings(POOL[name]) is not None, (part, name)


def test_decks_of_real_cards_have_different_legends_from_every_set() -> None:
    layout = deck_rules(load_rules().table("deck-construction")).layout
    legends = [load_deck(path, POOL, layout).cards("legend")[0] for path in DECKS]
    assert len(set(legends)) == len(legends) >= 4
    assert {POOL[name].set for name in legends} == {"OGN", "OGS", "SFD", "UNL"}
