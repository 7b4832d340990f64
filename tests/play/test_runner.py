"""Running scenarios: what cannot be run says where and why, and what is expected is judged."""

from pathlib import Path

import pytest

from rulewright.engine import Ruleset
from rulewright.play.position import prepared
from rulewright.play.runner import Outcome, run
from rulewright.play.scenario import load
from rulewright.play.table import load_table


@pytest.fixture(scope="module")
def ruleset() -> Ruleset:
    return prepared(load_table().ruleset)


def outcome(text: str, folder: Path, ruleset: Ruleset) -> Outcome:
    path = folder / "some.yaml"
    path.write_text(f"- name: It is so\n  rules: [417.1]\n{text}", encoding="utf-8")
    (scenario,) = load(path)
    return run(scenario, ruleset)


@pytest.mark.parametrize(
    ("text", "line", "name"),
    [
        ("  given: {}\n  then:\n  - {P1: {points: 0}}\n  - {P3: {points: 0}}\n", 6, "P3"),
        ("  given: {}\n  then:\n  - {asks: P4}\n", 5, "P4"),
        ("  given: {}\n  then:\n  - {the: Blank, at: P3's base}\n", 5, "P3"),
        ("  given: {}\n  when:\n  - P3: pass\n", 5, "P3"),
        ("  given: {turn: P3}\n", 1, "P3"),
        ("  given: {battlefields: {A: {P3: [Guard 3]}}}\n", 1, "P3"),
        ("  given: {P1: {base: [{name: Guard 3, owner: P4}]}}\n", 1, "P4"),
    ],
)
def test_a_player_who_does_not_take_part_is_refused_where_they_are_named(
    text: str, line: int, name: str, tmp_path: Path, ruleset: Ruleset
) -> None:
    error = outcome(text, tmp_path, ruleset).error
    assert error is not None
    assert f"there is no player {name} in this game" in error.message
    assert error.place is not None
    assert error.place.endswith(f"some.yaml:{line}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("  given: {}\n  then:\n  - {battlefield: D, controller: P1}\n", "there is no battlefield 'D'"),
        ("  given: {}\n  then:\n  - {deck: P1, breaks: []}\n", "no decks are given"),
        ("  given: {}\n  then:\n  - {team: [P1, P2], breaks: []}\n", "no decks are given"),
        ("  given: {}\n  then:\n  - {match: nobody}\n", "this is no match of several games"),
        ("  given: {}\n  when:\n  - all: next game\n", "this is no match of several games"),
        ("  given: {best of: 3}\n", "a match begins with decks"),
        ("  given: {best of: 4, mode: match, decks: {P1: {}}}\n", "there is no match of 4 games"),
        ("  given: {decks: {P1: {mian: [Spark]}}}\n", "a deck has no part 'mian'"),
        ("  given: {decks: {P1: {main: [3 Nothing]}}}\n", "there is no card 'Nothing'"),
        (
            "  given: {P1: {base: [Guard 3]}}\n  then:\n  - {the: Guard, seen by: P2, wearing: []}\n",
            "nothing tells whether 'wearing' is seen",
        ),
        ("  given: {}\n  then:\n  - {event: look, times: 0}\n", "no line of a log tells of 'look'"),
        ("  given: {P1: {chosen champion: Nobody}}\n", "P1 has no card 'Nobody'"),
        ("  given: {P1: {base: [Guard 3 (sleepy)]}}\n", "nothing is ever 'sleepy'"),
        ("  given: {P1: {pool: 2 gravel}}\n", "there is no 'gravel' in a pool"),
        ("  given: {}\n  then:\n  - {P1: {pool: 2 gravel}}\n", "there is no 'gravel' in a pool"),
        ("  given: {}\n  then:\n  - {P1: {pearls: 0}}\n", "there is no zone 'pearls'"),
        (
            "  given: {P1: {base: [Guard 3]}}\n  then:\n  - {the: Guard, lacks: [Wings]}\n",
            "there is no keyword 'Wings'",
        ),
    ],
)
def test_what_a_game_does_not_have_is_refused_with_the_reason(
    text: str, reason: str, tmp_path: Path, ruleset: Ruleset
) -> None:
    error = outcome(text, tmp_path, ruleset).error
    assert error is not None
    assert reason in error.message


@pytest.mark.parametrize(
    ("expectation", "holds"),
    [
        ("{not: {the: Guard, at: A}}", True),
        ("{not: {the: Guard, at: base}}", False),
        ("{not: {the: Guard, at: base, damage: 1}}", True),
        ("{the: Guard, seen by: P2, known: true, might: 3, exhausted: false}", True),
        ("{the: Guard, seen by: P2, damage: 1}", False),
    ],
)
def test_an_expectation_is_judged(expectation: str, holds: bool, tmp_path: Path, ruleset: Ruleset) -> None:
    text = f"  given: {{P1: {{base: [Guard 3]}}}}\n  then:\n  - {expectation}\n"
    found = outcome(text, tmp_path, ruleset)
    assert found.error is None
    assert found.passed is holds


def test_what_is_attached_keeps_all_that_is_said_of_it(tmp_path: Path, ruleset: Ruleset) -> None:
    text = (
        "  cards: {Blade: {type: gear, tags: [Equipment], might_bonus: 2}}\n"
        "  given: {P1: {base: [{name: Host 1, wearing: [{name: Own, card: Blade, owner: P2}]}]}}\n"
        "  then:\n  - {the: Own, owner: P2}\n  - {the: Host, might: 3}\n"
    )
    assert outcome(text, tmp_path, ruleset).report() == ""


BOLT = """  cards: {Bolt: {type: spell, text: "Deal 1 to a unit."}, Rain: {type: spell, text: "Deal 1 to all units."}}
  given: {P1: {hand: [Bolt, Rain]}, P2: {base: [Guard 3, Wall 3]}}
"""


def test_what_only_happens_to_be_told_of_was_not_chosen(tmp_path: Path, ruleset: Ruleset) -> None:
    text = f"{BOLT}  when:\n  - P1: {{play: Rain, choosing: Guard}}\n"
    error = outcome(text, tmp_path, ruleset).error
    assert error is not None
    assert "Guard was never asked for" in error.message


@pytest.mark.parametrize(
    ("names", "holds"),
    [("Pal", True), ("[Guard, Imp]", False), ("[Guard, Wall]", True), ("[Pal, Wall]", False)],
)
def test_an_answer_is_illegal_by_the_last_of_its_names(
    names: str, holds: bool, tmp_path: Path, ruleset: Ruleset
) -> None:
    text = f"""  cards:
    Duo: {{type: spell, text: "Choose up to two enemy units with total Might 4 or less. Stun them."}}
  given: {{P1: {{hand: [Duo], base: [Pal 1]}}, P2: {{base: [Guard 3, Wall 3, Imp 1]}}}}
  when:
  - P1: {{play: Duo}}
  then:
  - {{illegal: {{P1: {{choose: {names}}}}}}}
"""
    made = outcome(text, tmp_path, ruleset)
    assert made.error is None
    assert all(finding.holds for finding in made.findings) is holds


def test_no_answer_is_illegal_where_none_is_asked_for(tmp_path: Path, ruleset: Ruleset) -> None:
    made = outcome(f"{BOLT}  then:\n  - {{illegal: {{P1: {{choose: Guard}}}}}}\n", tmp_path, ruleset)
    assert [finding.holds for finding in made.findings] == [False, True]


def test_a_match_that_is_won_has_no_further_game(tmp_path: Path, ruleset: Ruleset) -> None:
    choices = "  - P1: {do: P1 battlefields 1}\n  - P2: {do: P2 battlefields 1}\n  - P1: concede\n"
    again = choices.replace("battlefields 1", "battlefields 2")
    text = f"  given: {{mode: match, decks: {{P1: {{}}}}}}\n  when:\n{choices}  - all: next game\n{again}"
    won = outcome(text + "  then:\n  - {match: P2, P2: 2}\n", tmp_path, ruleset)
    assert won.passed, won.report()
    error = outcome(text + "  - all: next game\n", tmp_path, ruleset).error
    assert error is not None
    assert "P2 has won the match" in error.message


def test_a_choice_of_any_number_that_a_line_does_not_speak_of_stays_open(
    tmp_path: Path, ruleset: Ruleset
) -> None:
    text = """  cards: {Herald: {type: unit, might: 2, text: "When I move, ready any number of other friendly units."}}
  given: {P1: {base: [Herald, "Pal 1 (exhausted)"]}}
  when:
  - P1: {move: Herald, to: A}
  then:
  - {asks: P1, offers: [Pal]}
"""
    made = outcome(text, tmp_path, ruleset)
    assert made.passed, made.report()
