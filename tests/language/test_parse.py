"""Reading a text: whole or not at all, in one way, with the places of its parts; and kept for the next time."""

import json
import time
from pathlib import Path

import pytest

from rulewright.language import Reading, ast, parse, remember
from rulewright.language.parse import reader_for
from rulewright.language.tree import walk
from rulewright.language.vocabulary import Vocabulary, default_lexicon


def meaning(text: str) -> ast.CardText:
    reading = parse(text)
    assert reading.text is not None, reading.diagnostics
    return reading.text


def test_a_text_without_words_means_nothing() -> None:
    assert meaning("(Only a reminder.)") == ast.CardText(())


def test_every_part_knows_the_characters_it_was_read_from() -> None:
    text = "When I attack, deal 3 to an enemy unit here."
    (amount,) = [node for _, node in walk(meaning(text)) if isinstance(node, ast.Number) and node.value == 3]
    assert amount.span is not None
    assert text[slice(*amount.span)] == "3"


@pytest.mark.parametrize(
    "text",
    [
        "Draw.",
        "Draw 1 unit.",
        "Kill a units.",
        "Kill friendly units.",
        "Deal 3.",
        "Give a unit this turn.",
        "Return a unit from your trash.",
        "Return a unit to a hand.",
        "Play a unit. It enters buffed.",
        "Kill a unit that costs less than me.",
        "Kill a unit that costs more than [2].",
        "Kill a unit with cost no more than your points.",
        "I attacks.",
        "When I attack.",
        "If I would die, draw 1.",
        "You may draw 1 to.",
        "Otherwise, draw 1.",
        "[Legion]",
        "[Equip]",
        "[Tank 3]",
        "Gear use abilities.",
        "Discard 1, discard 1.",
        "Stun a battlefield.",
        "Counter a unit.",
        "Units here here have [Tank].",
    ],
)
def test_what_lacks_a_part_or_has_one_too_many_is_refused(text: str) -> None:
    reading = parse(text)
    assert not reading.ok
    assert reading.diagnostics


def test_a_refused_text_has_no_meaning_with_a_hole() -> None:
    reading = parse("Draw 1. Frobnicate a unit.")
    assert reading.text is None
    assert reading.diagnostics[0].code == "RW103"


def test_instructions_of_several_paragraphs_are_one_spell() -> None:
    (ability,) = meaning("Deal 2 to a unit.\nDraw 1.").abilities
    assert isinstance(ability, ast.SpellAbility)
    assert isinstance(ability.body, ast.Sequence)
    assert len(ability.body.steps) == 2


def test_official_texts_have_one_meaning_each(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "corpus" / "cards.jsonl").read_text("utf-8").splitlines()]
    texts = [row[field] for row in rows for field in ("text", "effect_text") if row.get(field)]
    readings = {text: parse(text) for text in texts}
    assert [text for text, reading in readings.items() if not reading.ok] == []
    assert [text for text, reading in readings.items() if len(reading.readings) > 1] == []


def test_hostile_text_is_answered_at_once() -> None:
    for text in ("[" * 10_000, "Draw 1. " * 12_000, "\x00" * 500, "when " * 240, "a unit at " * 80):
        begun = time.process_time()
        assert not parse(text).ok
        assert time.process_time() - begun < 2


def test_a_word_that_is_given_is_read() -> None:
    words = Vocabulary.from_lexicon(default_lexicon("riftbound"), tags=["Gnome"], keywords={"Brave": {}})
    text = "Your Gnomes have [Brave]."
    assert not parse(text).ok
    assert parse(text, words).ok


def test_a_kept_meaning_is_the_one_that_was_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    text = "When I hold, you may pay [1] to return me to my owner's hand."
    key = remember.key_of(text, None, "riftbound")
    assert remember.recalled(key) is None
    read = reader_for(None, "riftbound").read(text).text
    assert read is not None
    remember.kept(key, read)
    kept = remember.recalled(key)
    assert kept == read
    assert [node.span for _, node in walk(kept)] == [node.span for _, node in walk(read)]


def test_the_key_of_a_kept_meaning_depends_on_the_words() -> None:
    words = Vocabulary.from_lexicon(default_lexicon("riftbound"), tags=["Gnome"])
    assert remember.key_of("Draw 1.", words, "riftbound") != remember.key_of("Draw 1.", None, "riftbound")


def test_a_reading_is_ok_where_it_has_a_meaning() -> None:
    assert not Reading(None).ok
    assert Reading(ast.CardText(())).ok
