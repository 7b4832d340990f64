"""What does not hold together is refused, with the file, the line and the reason."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.data_files import DataFileError
from rulewright.errors import UsageError
from rulewright.rules import RulesDatabase, games, load

Game = Callable[..., RulesDatabase]
ONE = "- {rule: '1', gist: One., status: definition}\n"


def problems(game: Game, **files: str) -> list[str]:
    with pytest.raises(DataFileError) as refused:
        game(**files)
    return [str(problem) for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (
            "- rule: '2'\n  gist: Two.\n  statsu: definition\n  status: definition\n",
            "b.yaml:3: rule 2: unknown key 'statsu' (did you mean 'status'?)",
        ),
        (
            "- rule: 2.10\n  gist: Two.\n  status: definition\n",
            "b.yaml:1: rule: 2.1 is not text (put it in quotes)",
        ),
        ("- rule: '2'\n  gist: Two.\n", "b.yaml:1: rule 2: the key 'status' is missing"),
        (
            "- rule: '2'\n  gist: Two.\n  gist: Too.\n  status: definition\n",
            "b.yaml:3: the key 'gist' stands here twice",
        ),
        (
            "- {rule: '1', gist: Two., status: definition}\n",
            "b.yaml:1: the rule 1 is here a second time; the first is a.yaml:1",
        ),
        (
            "- rule: '2'\n  gist: Two.\n  status: definition\n  see: ['1', '1.1']\n",
            "b.yaml:4: rule 2 refers to 1.1, which is no rule",
        ),
        (
            "- {rule: '3', gist: Three., status: definition}\n- {rule: '2', gist: Two., status: definition}\n",
            "b.yaml:2: rule 2 stands after 3 (sort the entries by number)",
        ),
        ("- rule: '2'\n  gist: [\n", "b.yaml:3: this is not YAML: did not find expected node content"),
    ],
)
def test_a_wrong_entry_is_refused_where_it_stands(game: Game, entry: str, expected: str) -> None:
    assert problems(game, **{"a.yaml": ONE, "b.yaml": entry}) == [expected]


def test_a_status_that_is_none_is_refused(game: Game) -> None:
    (told,) = problems(game, **{"a.yaml": "- {rule: '1', gist: One., status: done}\n"})
    assert told.startswith("a.yaml:1: rule 1: status: 'done' is not one of ['executable', 'definition'")


def test_two_keywords_of_one_name_are_refused(game: Game) -> None:
    entries = "".join(
        f"- {{rule: '{number}', gist: G., status: definition, keyword: {{name: {name}, kind: [passive]}}}}\n"
        for number, name in ((1, "Leap"), (2, "leap"))
    )
    assert problems(game, **{"a.yaml": entries}) == [
        "a.yaml:2: the keyword leap is here a second time; the first is a.yaml:1"
    ]


def test_a_step_holds_only_what_the_engine_reads(game: Game) -> None:
    entry = "- {rule: '1', gist: G., status: executable, procedure: {name: p, steps: [{doo: draw}]}}\n"
    assert problems(game, **{"a.yaml": entry}) == ["a.yaml:1: rule 1: unknown key 'doo' (did you mean 'do'?)"]


def test_all_problems_are_told_at_once(game: Game) -> None:
    told = problems(game, **{"a.yaml": "- {rule: '1', gist: One.}\n", "b.yaml": "- {rule: '2'}\n"})
    assert [one.partition(":")[0] for one in told] == ["a.yaml", "b.yaml", "b.yaml"]


def test_search_words_must_lead_to_rules(game: Game) -> None:
    words = "terms:\n  leap: ['7']\nasked:\n  '8': [how far]\n"
    assert problems(game, **{"a.yaml": ONE, "search.yaml": words}) == [
        "search.yaml:2: 'leap' leads to 7, which is no rule",
        "search.yaml:4: there is no rule 8",
    ]


def test_dates_and_words_stay_text(game: Game) -> None:
    one = game(**{"a.yaml": "- {rule: '1', gist: no, status: definition, since: 2026-10-09}\n"})
    assert (one.entry("1").gist, one.entry("1").since) == ("no", "2026-10-09")


def test_a_game_without_rules_is_told_with_those_that_have_some(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        load("chess")
    assert refused.value.message == "there are no rules of a game 'chess'"
    assert refused.value.help is not None
    assert "riftbound" in refused.value.help
    assert games(tmp_path) == []


def test_a_changed_file_is_read_anew(game: Game) -> None:
    assert game(**{"a.yaml": ONE}).entry("1").gist == "One."
    assert game(**{"a.yaml": ONE.replace("One.", "First.")}).entry("1").gist == "First."


def test_the_same_files_give_the_same_rules(game: Game) -> None:
    first, again = game(**{"a.yaml": ONE}), game(**{"a.yaml": ONE})
    assert (first.entries, first.digest) == (again.entries, again.digest)


def test_what_carries_a_rule_out_is_there(game: Game) -> None:
    entries = """
- {rule: '1', gist: One., status: executable, by: [table zones, draw]}
- {rule: '2', gist: Two., status: definition, table: {name: zone, rows: {a: b}}}
"""
    assert problems(game, **{"a.yaml": entries}) == [
        "a.yaml:2: rule 1 is carried out by the table zones, which is not there (did you mean table zone?)"
    ]


TABLE = "- rule: '%s'\n  gist: Some.\n  status: table\n  table: {name: %s, %srows: %s}\n"


def test_rows_may_be_added_to_a_table_by_other_entries(game: Game) -> None:
    rules = game(
        **{
            "a.yaml": TABLE % ("1", "things", "", "{a: [1], b: {c: 1}}"),
            "b.yaml": TABLE % ("2", "Things", "adds: true, ", "{a: [2], b: {d: 2}, e: 3}"),
        }
    )
    assert rules.table("things") == {"a": (1, 2), "b": {"c": 1, "d": 2}, "e": 3}
    assert rules.table_entry("things").number == "1"


@pytest.mark.parametrize(
    ("added", "told"),
    [
        (("thigns", "{a: [1]}"), "adds to the table thigns, which is not there (did you mean things?)"),
        (("things", "{b: {c: 2}}"), "adds the row b.c to the table things, which has it otherwise"),
        (("things", "[1]"), "adds a list to a mapping in the table things, which has it otherwise"),
    ],
)
def test_rows_that_do_not_fit_a_table_are_refused(game: Game, added: tuple[str, str], told: str) -> None:
    files = {
        "a.yaml": TABLE % ("1", "things", "", "{b: {c: 1}}"),
        "b.yaml": TABLE % ("2", added[0], "adds: true, ", added[1]),
    }
    assert problems(game, **files) == [f"b.yaml:4: rule 2 {told}"]
