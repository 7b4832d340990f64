"""Texts as people paste them: other keyboards, word processors, pages and spreadsheets write the same characters."""

import pytest

from rulewright.language import parse
from rulewright.language.print import print_text

ATTACK = "When I attack, draw 1."


@pytest.mark.parametrize(
    ("pasted", "read"),
    [
        ("While I\u2019m buffed, I have +1 [M].", "While I'm buffed, I have +1 [M]."),
        ("While I\u00b4m buffed, I have +1 [M].", "While I'm buffed, I have +1 [M]."),
        ("Give a unit \u201cWhen I attack, draw 1.\u201d this turn.", f'This turn, a unit has "{ATTACK}"'),
        ("When I attack,\u00a0draw\u00a01.", ATTACK),
        ("When\u202fI attack,\u2009draw\u30001.", ATTACK),
        ("  When I attack,\tdraw  1. ", ATTACK),
        ("[Assault]\r\nWhen I attack, draw 1.\r\n", f"[Assault]\n{ATTACK}"),
        ("[Assault]\n\nWhen I attack, draw 1.", f"[Assault]\n{ATTACK}"),
        ("[Assault]\u2028When I attack, draw 1.", f"[Assault]\n{ATTACK}"),
        ("<p>When I attack, <b>draw 1</b>.</p>", ATTACK),
        ("**When I attack**, draw 1.", ATTACK),
        ("WHEN I ATTACK, DRAW 1.", ATTACK),
        ("\uff37\uff48\uff45\uff4e \uff29 attack\uff0c draw \uff11\uff0e", ATTACK),
        ("\uff3bAssault 2\uff3d", "[Assault 2]"),
        ("\u3010Assault 2\u3011", "[Assault 2]"),
        (
            ":rb_energy_1:, :rb_exhaust:: Give a unit +2 :rb_might: this turn.",
            "[1], [E]: Give a unit +2 [M] this turn.",
        ),
        ("Give a unit \u22122 [M] this turn.", "Give a unit -2 [M] this turn."),
        ("Give a unit \u20132 [M] this turn.", "Give a unit -2 [M] this turn."),
        ("Draw 1 for each non\u2011unit card in your hand.", "Draw 1 for each non-unit card in your hand."),
        (
            "Choose one \u2014\n\u00b7 Draw 1.\n\u25e6 Deal 2 to a unit.",
            "Choose one —\n• Draw 1.\n• Deal 2 to a unit.",
        ),
    ],
)
def test_what_is_pasted_is_read_as_what_it_shows(pasted: str, read: str) -> None:
    reading = parse(pasted)
    assert reading.text is not None, reading.diagnostics
    assert print_text(reading.text) == read


@pytest.mark.parametrize("char", ["\u200b", "\ufeff", "\u00ad", "\u200e", "\u2060"])
def test_what_cannot_be_seen_is_named_and_taken_out(char: str) -> None:
    (found,) = parse(f"When I at{char}tack, draw 1.").diagnostics
    assert (found.code, found.message) == ("RW102", f"an invisible character, U+{ord(char):04X}")
    assert found.fix is not None
    assert found.fix.safe
    assert found.fix.applied(f"When I at{char}tack, draw 1.") == ATTACK


def test_a_ligature_is_its_letters() -> None:
    (found,) = parse("Move a unit here to another battle\ufb01eld.").diagnostics
    assert (found.help, found.fix is not None and found.fix.safe) == ("did you mean “fi”?", True)
