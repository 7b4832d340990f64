"""Why a text is not read: where it stops, what was expected, what may have been meant, an edit that repairs it."""

import pytest

from rulewright.language import parse
from rulewright.language.diagnose import MOST_EXPECTED, closest
from rulewright.language.outcome import Fix


@pytest.mark.parametrize(
    ("text", "code", "repaired", "safe"),
    [
        ("Deal 3 to a unit", "RW104", "Deal 3 to a unit.", True),
        ("Kill kill a unit.", "RW104", "Kill a unit.", True),
        ("When I attack draw 1.", "RW104", "When I attack, draw 1.", False),
        ("Kills a unit.", "RW105", "Kill a unit.", False),
        ("Recycle two card.", "RW105", "Recycle two cards.", False),
        ("Move a unit its base.", "RW105", "Move a unit to its base.", False),
        (
            "Return a unit form your trash to your hand.",
            "RW103",
            "Return a unit from your trash to your hand.",
            True,
        ),
        ("Return a unit to its ownre's hand.", "RW103", "Return a unit to its owner's hand.", True),
        ("[Asault 2]", "RW107", "[Assault 2]", True),
        ("Draw 1. discard 1.", "RW106", "Draw 1. Discard 1.", True),
    ],
)
def test_one_edit_makes_it_readable(text: str, code: str, repaired: str, safe: bool) -> None:
    (found,) = parse(text).diagnostics
    assert (found.code, found.severity) == (code, "error")
    assert found.fix is not None
    assert (found.fix.applied(text), found.fix.safe) == (repaired, safe)
    assert parse(repaired).ok


def test_every_paragraph_is_told_and_several_slips_of_one_are() -> None:
    found = parse("[Asault 2]\nRetrun a unit to its ownre's hand.\n[Tank 3]").diagnostics
    assert [one.code for one in found] == ["RW107", "RW103", "RW103", "RW302"]


def test_what_was_expected_is_told_in_a_few_plain_names() -> None:
    (found,) = parse("Deal 3 to a unit").diagnostics
    assert found.expected[0] == "a full stop"
    assert len(found.expected) == MOST_EXPECTED
    assert found.span == (16, 16)


def test_a_text_that_means_nothing_is_told_so() -> None:
    (found,) = parse("Stun a card in your hand.").diagnostics
    assert found.message.startswith("the words are known, but nothing in the game means this")
    assert found.fix is None


def test_a_word_that_is_near_to_none_has_no_suggestion() -> None:
    (found,) = parse("Flibber two units.").diagnostics
    assert (found.code, found.help, found.fix) == ("RW103", None, None)


def test_near_words_are_found_in_any_case_and_keep_their_ending() -> None:
    assert closest("Batlefield", ["battlefield", "base"]) == ["battlefield"]
    assert closest("ownre's", ["owner"]) == ["owner's"]


def test_a_fix_changes_its_characters_and_no_others() -> None:
    assert Fix((5, 6), "2").applied("Draw 1. Draw 1.") == "Draw 2. Draw 1."
