import pytest

from rulewright.cards.texts import placed_texts, replace_texts

SET = """\
# A set with everything that a person writes into one.
set: TST
name: Test
cards:
# the first card
- name: One
  type: unit
  text: draw 1   # a comment that stays
- name: Two
  type: spell
  text: |-
    [Action]
    draw 2
  tags: [Cat]
- {name: Three, type: gear, text: 'draw 3', effect_text: "draw 4"}
- name: Four
  type: unit
"""


def test_every_text_is_found_with_its_card_and_line() -> None:
    found = [(text.card, text.key, text.text, text.line) for text in placed_texts(SET)]
    assert found == [
        ("One", "text", "draw 1", 8),
        ("Two", "text", "[Action]\ndraw 2", 11),
        ("Three", "text", "draw 3", 15),
        ("Three", "effect_text", "draw 4", 15),
    ]


def test_a_file_whose_texts_stay_is_left_as_it_is() -> None:
    assert replace_texts(SET, lambda found: found.text) == SET


def test_only_the_texts_change() -> None:
    changed = replace_texts(SET, lambda found: found.text.capitalize() + ".")
    assert changed.replace("Draw", "draw").replace(".\n  tags", "\n  tags") != SET
    lines = changed.splitlines()
    assert lines[7] == "  text: Draw 1.   # a comment that stays"
    assert lines[10:14] == ["  text: |-", "    [action]", "    draw 2.", "  tags: [Cat]"]
    assert lines[14] == '- {name: Three, type: gear, text: "Draw 3.", effect_text: "Draw 4."}'


@pytest.mark.parametrize(
    "new", ["[E]: Draw 1.", "one\ntwo", "it's 'so'", "# no comment", "a: b", "ünïcode —"]
)
def test_what_was_written_is_what_is_read(new: str) -> None:
    changed = replace_texts(SET, lambda found: new)
    assert [found.text for found in placed_texts(changed)] == [new] * 4


def test_a_file_without_cards_has_no_texts() -> None:
    assert placed_texts("- a\n- b\n") == []
