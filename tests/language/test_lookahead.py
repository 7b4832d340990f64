"""Looking one token ahead leaves the meanings as they are: the filter is compared with Lark's own parser."""

from pathlib import Path
from typing import Any

import pytest
from lark.exceptions import UnexpectedInput

from benchmarks.mutants import texts_of
from language.test_unseen import SETS, UNREAD, texts_of_set
from rulewright.language.forest import ForestReader
from rulewright.language.grammar import load_grammar
from rulewright.language.lex import Lexer, Limits, Token
from rulewright.language.parse import parse
from rulewright.language.reader import Reader
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


def same_meanings(text: str) -> bool:
    """Tell whether each paragraph of a text has the same meanings with and without looking ahead."""
    grammar = load_grammar("riftbound")
    callbacks = grammar.callbacks(ParagraphBuilder(default_vocabulary()))
    limits = Limits.of_lexicon(default_lexicon("riftbound"))

    def readings(parser: Any, tokens: list[Token]) -> set[Any] | None:
        try:
            forest = parser.forest(tokens)
        except UnexpectedInput:
            return None
        return set(ForestReader(callbacks, tokens).readings(forest))

    whole, filtered = grammar.unfiltered(), grammar.parser
    return all(
        readings(filtered, tokens) == readings(whole, tokens)
        for tokens in Lexer(default_vocabulary(), grammar.literals, limits).paragraphs(text)
    )


@pytest.mark.parametrize("text", TEXTS)
def test_the_filtered_forest_has_the_meanings_of_the_whole_one(text: str) -> None:
    assert same_meanings(text)


def test_what_a_wrong_filter_leaves_out_is_read_without_it_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = Reader(default_vocabulary())
    monkeypatch.setattr(reader.grammar.parser, "_predicted", lambda *_: [])
    assert reader.read("Draw 1.").text == parse("Draw 1.").text
    assert reader.beyond_the_filter == 1
    assert not reader.read("Draw 1.", explain=False).ok


def test_the_filter_leaves_nothing_out_of_texts_that_are_not_read() -> None:
    reader = Reader(default_vocabulary())
    for text in TEXTS:
        reader.read(text)
    assert reader.beyond_the_filter == 0


@pytest.mark.slow
def test_nor_of_texts_in_new_wording() -> None:
    reader = Reader(default_vocabulary())
    for text in UNREAD:
        reader.read(text)
    assert reader.beyond_the_filter == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", SETS, ids=[path.stem for path in SETS])
def test_so_it_has_for_texts_in_new_wording(path: Path) -> None:
    assert [text for text in texts_of_set(path)[::4] if not same_meanings(text)] == []


@pytest.mark.slow
def test_so_it_has_for_official_texts(shared: Path) -> None:
    texts = texts_of(shared / "corpus" / "cards.jsonl")
    # All of them take four minutes of a core; the last time all were compared none differed.
    assert [text for text in texts[::25] if not same_meanings(text)] == []
