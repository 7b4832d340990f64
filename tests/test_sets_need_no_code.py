"""A new set is data: since this rule stands, no change that adds a set has touched Python."""

import re
import subprocess
from pathlib import Path

import pytest

from rulewright.cards.sets import NO_SETS

SET_FILE = re.compile(r"cardtexts/[^/]+/([^/]+\.yaml)")
HERE = "tests/test_sets_need_no_code.py"


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"needs the history: {done.stderr.strip()}")
    return done.stdout


def sets_added_with_code(repository: Path, since: str) -> list[str]:
    """Give the changes after a commit that add a set and touch Python, each with the files that it touches."""
    log = git(repository, "log", "--no-renames", "--name-status", "--format=%x00%h %s", f"{since}..HEAD")
    wrong = []
    for change in log.split("\0")[1:]:
        title, *rows = [line for line in change.splitlines() if line]
        files = [row.split("\t") for row in rows]
        added = [path for status, path in files if status == "A" and is_set(path)]
        code = [path for _, path in files if path.endswith(".py")]
        if added and code:
            wrong.append(f"{title}: adds {', '.join(added)} and touches {', '.join(code)}")
    return wrong


def is_set(path: str) -> bool:
    found = SET_FILE.fullmatch(path)
    return found is not None and found[1] not in NO_SETS


def test_no_change_that_adds_a_set_touches_python(checkout: Path) -> None:
    began = git(checkout, "log", "--diff-filter=A", "--format=%H", "-1", "--", HERE).strip()
    if not began:
        pytest.skip("the change that brings this rule is not in the history yet")
    assert sets_added_with_code(checkout, began) == []


def test_a_change_that_adds_a_set_and_touches_python_is_found(tmp_path: Path) -> None:
    def commit(title: str, **files: str) -> None:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        git(tmp_path, "add", "-A")
        who = ("-c", "user.name=T", "-c", "user.email=t@example.org")
        git(tmp_path, *who, "commit", "-q", "-m", title)

    git(tmp_path, "init", "-q")
    commit("Begin", **{"a.py": "1"})
    commit("A set", **{"cardtexts/riftbound/abc.yaml": "1", "rulesdb/riftbound/abc.yaml": "1"})
    commit("A deck", **{"cardtexts/riftbound/decks/d.yaml": "1", "a.py": "2"})
    commit("A change of a set", **{"cardtexts/riftbound/abc.yaml": "2", "a.py": "3"})
    assert sets_added_with_code(tmp_path, "HEAD~3") == []
    commit("Another set", **{"cardtexts/riftbound/xyz.yaml": "1", "a.py": "4"})
    (told,) = sets_added_with_code(tmp_path, "HEAD~4")
    assert told.endswith("Another set: adds cardtexts/riftbound/xyz.yaml and touches a.py")
