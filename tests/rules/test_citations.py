"""A citation holds while its rule is there and says what it said when somebody last read it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.data_files import DataFileError
from rulewright.errors import UsageError
from rulewright.rules import RulesDatabase
from rulewright.rules.citations import Citation, check, find, fingerprint, read_lock, write_lock

Game = Callable[..., RulesDatabase]

ENTRIES = """
- {rule: '100', gist: Drawing., status: heading}
- {rule: '100.1', gist: A player draws., status: executable, by: [move-object]}
- {rule: '100.2', gist: Nobody draws., status: executable}
"""

CODE = '''"""Draws cards (100.1, and rule 100)."""

# 100.2: nobody draws. Took 0.5 s on 127.0.0.1, version 3.11, 100 times, 101.5 is none.
CITED = ("100.2", "100", "5", "see 100.1.")


def draw() -> None:
    """Draw.

    >>> look_up("100.9")
    'none'
    """
'''


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    package = tmp_path / "interpreter"
    package.mkdir()
    (package / "draw.py").write_text(CODE, encoding="utf-8")
    scenarios = tmp_path / "tests" / "scenarios"
    scenarios.mkdir(parents=True)
    (scenarios / "draw.yaml").write_text(
        "- name: Draws 100.9\n  rules: ['100.1']\n  then: [{cited: 100.2}]\n"
    )
    return tmp_path


def test_citations_are_found_in_code_and_scenarios(game: Game, checkout: Path) -> None:
    found = find(game(**{"a.yaml": ENTRIES}), checkout)
    assert found == [
        Citation("100", "interpreter/draw.py:1"),
        Citation("100", "interpreter/draw.py:4"),
        Citation("100.1", "interpreter/draw.py:1"),
        Citation("100.1", "interpreter/draw.py:4"),
        Citation("100.1", "tests/scenarios/draw.yaml:2"),
        Citation("100.2", "interpreter/draw.py:3"),
        Citation("100.2", "interpreter/draw.py:4"),
        Citation("100.2", "tests/scenarios/draw.yaml:3"),
        Citation("101.5", "interpreter/draw.py:3"),
    ]


def test_tables_and_procedures_cite_too(game: Game, checkout: Path) -> None:
    table = "- {rule: '101', gist: Hands., status: table, table: {name: hands, rows: [{size: 5, rule: '100.1'}]}}\n"
    found = find(game(**{"a.yaml": ENTRIES, "b.yaml": table}), checkout)
    assert Citation("100.1", "b.yaml 101") in found


def test_a_lock_holds_until_a_rule_says_something_else(game: Game, tmp_path: Path) -> None:
    before = game(**{"a.yaml": ENTRIES})
    cited = [Citation("100.1", "draw.py:1"), Citation("100.1", "draw.py:9"), Citation("100.2", "draw.py:2")]
    lock = tmp_path / "citations.lock"
    assert write_lock(lock, before, cited) == 2
    assert check(before, cited, read_lock(lock)) == []
    after = game(**{"a.yaml": ENTRIES.replace("Nobody draws.", "Everybody draws.")})
    assert [str(problem) for problem in check(after, cited, read_lock(lock))] == [
        "draw.py:2: rule 100.2 says something else since it was last read"
    ]


def test_cross_references_and_primitives_are_not_what_a_rule_says(game: Game) -> None:
    before = game(**{"a.yaml": ENTRIES}).entry("100.1")
    after = game(**{"a.yaml": ENTRIES.replace("[move-object]", "[put]")}).entry("100.1")
    assert fingerprint(before) == fingerprint(after)


def test_missing_new_and_unused_citations_are_told(game: Game) -> None:
    one = game(**{"a.yaml": ENTRIES})
    cited = [Citation("100.1.a", "draw.py:1"), Citation("100.2", "draw.py:2")]
    locked = {"100": fingerprint(one.entry("100"))}
    assert [str(problem) for problem in check(one, cited, locked)] == [
        "draw.py:1: there is no rule 100.1.a (look at 100.1 and its sub-rules)",
        "draw.py:2: rule 100.2 is cited, and not in the lock",
        "citations.lock: rule 100 is in the lock, and cited nowhere",
    ]


def test_nothing_is_locked_while_a_citation_is_wrong(game: Game, tmp_path: Path) -> None:
    lock = tmp_path / "citations.lock"
    with pytest.raises(DataFileError, match=r"there is no rule 100\.9"):
        write_lock(lock, game(**{"a.yaml": ENTRIES}), [Citation("100.9", "draw.py:1")])
    assert not lock.exists()


def test_a_torn_lock_is_refused(tmp_path: Path) -> None:
    lock = tmp_path / "citations.lock"
    lock.write_text("# head\n100.1 abc\n")
    with pytest.raises(DataFileError, match=r"citations\.lock:2|expected a rule number and a hash"):
        read_lock(lock)


def test_outside_a_checkout_there_is_nothing_to_look_in(game: Game, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="looked for in a checkout"):
        find(game(**{"a.yaml": ENTRIES}), tmp_path)


def test_every_rule_that_the_project_cites_is_there(rules: RulesDatabase, checkout_root: Path) -> None:
    gone = [citation for citation in find(rules, checkout_root) if citation.number not in rules]
    assert gone == []


@pytest.fixture
def checkout_root() -> Path:
    return Path(__file__).resolve().parents[2]
