"""Habits from other games: each is known by an example, told in a line, and proposes what this game says."""

from pathlib import Path

import pytest

from rulewright.language import parse
from rulewright.language.habits import habits_of
from rulewright.language.vocabulary import default_lexicon

LINES = Path(__file__).with_name("habits.txt").read_text("utf-8").splitlines()
CASES = [tuple(part.strip() for part in f"{line} ".split(" => ")) for line in LINES if line[:1] != "#"]


@pytest.mark.parametrize(("wrote", "proposed"), CASES)
def test_what_is_written_by_habit_is_told_and_what_this_game_says_is_proposed(
    wrote: str, proposed: str
) -> None:
    text = wrote.replace("\\n", "\n")
    reading = parse(text)
    if reading.ok:
        pytest.skip("it is read as it stands: the habit can go")
    assert any("this game" in note for one in reading.diagnostics for note in one.notes)
    fixes = {one.help: one.fix for one in reading.diagnostics}
    if not proposed:
        assert list(fixes.values()) == [None]
        return
    fix = fixes[f"did you mean “{proposed}”?"]
    assert fix is not None
    assert not fix.safe
    assert parse(fix.applied(text)).ok


def test_every_habit_has_an_example_and_is_no_way_of_this_game() -> None:
    texts = [wrote.replace("\\n", "\n") for wrote, _ in CASES]
    for habit in habits_of(default_lexicon()["habits"]):
        assert any(habit.wrote.search(text) for text in texts), habit.wrote.pattern
