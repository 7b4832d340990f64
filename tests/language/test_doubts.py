"""What a text leaves open: places where a reader may take it otherwise, each shown with both readings."""

import json
from pathlib import Path

from rulewright.language.doubts import doubts, settled
from rulewright.language.parse import reader_for
from rulewright.language.print import describe

READER = reader_for(None, "riftbound")


def found(text: str) -> list[tuple[str, str, str]]:
    meaning = READER.read(text).text
    assert meaning is not None
    return [(one.kind, describe(one.taken), describe(one.other)) for one in doubts(meaning, text)]


def test_a_pronoun_with_two_things_before_it_is_shown_with_both() -> None:
    assert found("Choose a friendly unit. Choose an enemy unit. Ready it.") == [
        ("antecedent", "an enemy unit", "a friendly unit")
    ]
    assert found("Choose a friendly unit. Ready it.") == []


def test_the_reach_of_may_is_shown_where_the_steps_do_not_hang_together() -> None:
    assert found("When I attack, you may discard 1, then draw 1.") == [
        ("may", "you may (discard 1, then draw 1)", "(you may discard 1, then draw 1)")
    ]
    assert found("When I attack, you may discard 1 and draw 1.") == []
    assert found("You may kill a gear, then return it to its owner's hand.") == []


def test_the_reach_of_this_turn_is_shown_where_it_stands_behind_a_description() -> None:
    ((kind, taken, other),) = found("Units you play this turn have [Tank].")
    assert (kind, taken) == ("time", "give all units you play [Tank] this turn")
    assert "units you played this turn" in other
    assert found("This turn, units you play have [Tank].") == []


def test_a_cost_with_a_figure_for_one_of_its_parts_is_shown_as_that_part_too() -> None:
    assert found("Kill a unit with cost [3] or less.") == [
        ("cost", "a unit with cost no more than [3]", "a unit with Energy cost [3] or less")
    ]
    assert found("Kill a unit with Energy cost [3] or less and Power cost 0.") == []
    assert found("Kill a unit that costs no more than [3] and no more than [A].") == []


def test_two_questions_ask_of_the_same_thing() -> None:
    text = "Kill a unit. If it was an enemy unit, play a Gold gear token exhausted. If it was a friendly unit, draw 1."
    assert found(text) == []


def test_every_official_text_with_a_doubt_is_declared(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "corpus" / "cards.jsonl").read_text("utf-8").splitlines()]
    undeclared = []
    for row in rows:
        for key in ("text", "effect_text"):
            meaning = READER.read(row[key]).text if row.get(key) else None
            if meaning is None:
                continue
            undeclared += [
                (one.kind, row["name"])
                for one in doubts(meaning, row[key])
                if row["name"] not in settled(one.kind)
            ]
    assert undeclared == []
