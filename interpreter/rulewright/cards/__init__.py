"""Card sets and decks: load them, import public exports, check decks, read and write deck codes."""

from rulewright.cards.card import CardDefinition
from rulewright.cards.construction import Breach, DeckRules, check_deck, check_team, deck_rules
from rulewright.cards.deck import Deck, deck_list, load_deck, parse_deck_list
from rulewright.cards.errata import Erratum, load_errata
from rulewright.cards.pool import Pool, load_pool
from rulewright.cards.sets import CardSet, load_set, load_sets, set_files

__all__ = [
    "Breach",
    "CardDefinition",
    "CardSet",
    "Deck",
    "DeckRules",
    "Erratum",
    "Pool",
    "check_deck",
    "check_team",
    "deck_list",
    "deck_rules",
    "load_deck",
    "load_errata",
    "load_pool",
    "load_set",
    "load_sets",
    "parse_deck_list",
    "set_files",
]
