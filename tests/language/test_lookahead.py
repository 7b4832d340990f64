"""Looking one token ahead leaves the meanings as they are: the filter is compared with Lark's own parser."""

from typing import Any

import pytest
from lark.exceptions import UnexpectedInput

from rulewright.language.forest import ForestReader
from rulewright.language.grammar import load_grammar
from rulewright.language.lex import Lexer, Limits
from rulewright.language.reading.paragraphs import ParagraphBuilder
from rulewright.language.vocabulary import default_lexicon, default_vocabulary

TEXTS = [
    "Draw 1.",
    "[Assault 2], [Shield 2]",
    "[Legion] — When you play me, give a unit +2 [M] this turn.",
    "When I attack or defend, you may pay [1] to deal 2 to an enemy unit here.",
    "Give a unit +2 [M] this turn and another unit -2 [M] this turn.",
    "Move a unit you control to a battlefield where you have units.",
    "Choose a unit. The next time it would die this turn, heal it, exhaust it, and recall it instead.",
    "[Reaction][>] Kill this, [E]: [Add] [A]. Use only to play spells.",
    "Choose one —\n• Draw 1.\n• Kill all gear.",
    "While I'm at a battlefield, opponents can't gain points.",
    "Draw draw.",
    "When I attack, enemy.",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_filtered_forest_has_the_meanings_of_the_whole_one(text: str) -> None:
    grammar = load_grammar("riftbound")
    callbacks = grammar.callbacks(ParagraphBuilder(default_vocabulary()))
    limits = Limits.of_lexicon(default_lexicon("riftbound"))
    (tokens,) = Lexer(default_vocabulary(), grammar.literals, limits).paragraphs(text)

    def readings(parser: Any) -> list[Any] | None:
        try:
            forest = parser.forest(tokens)
        except UnexpectedInput:
            return None
        return ForestReader(callbacks, tokens).readings(forest)

    filtered, whole = readings(grammar.parser), readings(grammar.unfiltered())
    if whole is None:
        assert filtered is None
    else:
        assert filtered is not None
        assert set(filtered) == set(whole)
