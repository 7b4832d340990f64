"""The lexer: one type for each surface form, places in the raw text, nothing lost."""

import pytest

from rulewright.language.grammar import load_grammar
from rulewright.language.lex import Lexer, LexicalError, Limits, Token
from rulewright.language.vocabulary import default_lexicon, default_vocabulary

LIMITS = Limits.of_lexicon(default_lexicon("riftbound"))


def lexer(limits: Limits | None = None) -> Lexer:
    return Lexer(default_vocabulary(), load_grammar("riftbound").literals, limits or LIMITS)


def tokens(text: str) -> list[Token]:
    return [token for paragraph in lexer().paragraphs(text) for token in paragraph]


def types(text: str) -> list[str]:
    return [token.type for token in tokens(text)]


def test_reminder_text_is_left_out_also_where_it_is_nested_or_in_italics() -> None:
    assert types("Stun a unit. (It (really) deals none.)") == types("Stun a unit.")
    assert types("Stun a unit. _(It deals none.)_") == types("Stun a unit.")


def test_a_place_in_the_raw_text_is_kept() -> None:
    text = "(Reminder.) Draw :rb_energy_2:"
    draw, energy = tokens(text)
    assert text[draw.start : draw.end] == "Draw"
    assert text[energy.start : energy.end] == ":rb_energy_2:"
    assert energy.value == 2


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        ("I'm", "I am"),
        ("can't", "can not"),
        ("you've", "you have"),
        ("doesn’t", "does not"),
        ("there's", "there is"),
    ],
)
def test_a_contraction_is_two_words(short: str, whole: str) -> None:
    assert types(short) == types(whole)


def test_its_owner_and_it_is_are_told_apart() -> None:
    assert types("it's") == types("it is")
    assert types("unit's")[1] == "_POSS"
    assert types("opponents'")[1] == "_POSS"


def test_a_name_of_several_words_is_one_token() -> None:
    assert [token.text for token in tokens("two Sand Soldiers")] == ["two", "Sand Soldiers"]
    assert types("Main Deck") == ["ZONE"]


def test_a_keyword_brings_its_number_and_is_known_without_brackets_at_the_start_of_a_line() -> None:
    (keyword,) = tokens("[assault 3]")
    assert (keyword.type, keyword.text, keyword.value) == ("KEYWORD", "Assault", 3)
    assert types("Hidden (Hide now.)") == ["KEYWORD"]


def test_an_unknown_word_is_a_token_of_its_own_kind() -> None:
    assert types("move an enemy battlefeild")[-1] == "UNKNOWN"


def test_list_items_belong_to_the_paragraph_before_them() -> None:
    assert len(lexer().paragraphs("Choose one —\n• Draw 1.\n• Draw 2.\nDraw 3.")) == 2


def test_a_full_stop_inside_a_closing_quote_ends_the_sentence_around_it() -> None:
    assert types('Units here have "Draw 1."')[-1] == "_STOP"
    assert types('Give it "Draw 1." this turn.').count("_STOP") == 2


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Draw 1. (never closed", "RW102"),
        ("Draw \x07 1.", "RW102"),
        ("[", "RW102"),
        ("Draw 1000000.", "RW102"),
        ("Draw 1. then draw 1.", "RW106"),
        ("Draw 1. " * 1000, "RW101"),
    ],
)
def test_what_cannot_be_taken_apart_says_why(text: str, code: str) -> None:
    with pytest.raises(LexicalError) as caught:
        lexer().paragraphs(text)
    assert caught.value.code == code


def test_a_paragraph_has_a_limit_of_its_own() -> None:
    with pytest.raises(LexicalError) as caught:
        lexer(Limits(4000, 3)).paragraphs("Draw 1. Draw 2.")
    assert caught.value.code == "RW101"


@pytest.mark.parametrize(
    "text",
    [
        "<p>[Tank] <em>(Always first.)</em><br />When you play me, draw 1.</p>",
        "[Tank] (Always first.)When you play me, draw 1.",
        "[TANK]\n\nWhen you play me, draw 1.",
        "[Tank]_ (Always first.)_\nWhen you play me, draw 1.",
    ],
)
def test_markup_and_lost_line_breaks_are_read_through(text: str) -> None:
    assert [[t.type for t in p] for p in lexer().paragraphs(text)] == [
        [t.type for t in p] for p in lexer().paragraphs("[Tank]\nWhen you play me, draw 1.")
    ]


@pytest.mark.parametrize(
    "cost", ["[2][fury]", ":rb_energy_2::rb_rune_fury:", "[E2][RUNE:fury]", "{2 energy}{Fury rune}"]
)
def test_a_cost_is_two_tokens_in_every_export(cost: str) -> None:
    assert [(token.type, token.value) for token in tokens(cost)] == [("ENERGY", 2), ("POWER", 0)]


def test_an_amount_of_power_in_words_has_its_number() -> None:
    (power,) = tokens("3 chaos runes")
    assert (power.type, power.value) == ("POWER", 3)
