"""The cards that come with Rulewright: read whole, in the canonical wording, with the keywords that a duel meets."""

import pytest

from rulewright.cards import load_deck, load_pool
from rulewright.cards.canonical import canonical_text
from rulewright.cards.construction import deck_rules
from rulewright.cards.reading import meanings
from rulewright.cards.sets import game_folder
from rulewright.language.ast import Keyword
from rulewright.language.tree import walk
from rulewright.rules.load import load as load_rules

POOL = load_pool()
OURS = [card for one in POOL.sets if one.code in ("RWS", "TOK") for card in one.cards]
TEXTS = sorted({text for card in OURS for text in (card.text, card.effect_text) if text})
FIRST_KEYWORDS = {
    "Accelerate",
    "Action",
    "Assault",
    "Deathknell",
    "Deflect",
    "Ganking",
    "Hidden",
    "Legion",
    "Reaction",
    "Shield",
    "Tank",
    "Temporary",
    "Vision",
}


@pytest.mark.parametrize("text", TEXTS)
def test_every_text_is_in_the_canonical_wording(text: str) -> None:
    assert canonical_text(text) == text


def test_the_decks_to_begin_with_have_every_keyword_of_a_first_duel() -> None:
    layout = deck_rules(load_rules().table("deck-construction")).layout
    decks = [load_deck(path, POOL, layout) for path in sorted(game_folder().glob("decks/*.yaml"))]
    names = {name for deck in decks for part, cards in deck.parts for name, _ in cards}
    found = {
        node.name
        for name in names
        for meaning in meanings(POOL[name])
        for _, node in walk(meaning)
        if isinstance(node, Keyword)
    }
    assert found >= FIRST_KEYWORDS


def test_every_token_of_the_rules_is_there() -> None:
    tokens = {
        entry.gist.partition(" token")[0] for entry in load_rules().subtree("187") if entry.number != "187"
    }
    assert tokens == {card.name for card in POOL if card.token}
