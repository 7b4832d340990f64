"""``rulewright fmt``: canonical wording on the command line."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

SET = """\
# made up
set: TST
name: Test
cards:
- name: One
  type: unit
  text: When I attack, [Stun] an enemy unit here.  # stays
- name: Two
  type: spell
  text: Draw 1.
"""

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def set_file(tmp_path: Path) -> Path:
    path = tmp_path / "set.yaml"
    path.write_text(SET, encoding="utf-8")
    return path


def test_one_text_is_written_in_the_canonical_wording(rulewright: Run) -> None:
    done = rulewright("fmt", "--text", "I have +1 [M] while I'm buffed.")
    assert done.stdout == "While I'm buffed, I have +1 [M].\n"
    assert done.returncode == 0


def test_a_set_file_is_changed_in_its_texts_only(rulewright: Run, set_file: Path) -> None:
    done = rulewright("fmt", str(set_file))
    assert done.returncode == 0
    assert set_file.read_text(encoding="utf-8") == SET.replace("[Stun]", "stun")
    assert "1 file: 1 text changed, 0 cannot be read" in done.stdout
    assert rulewright("fmt", "--check", str(set_file)).returncode == 0


def test_check_and_diff_change_nothing_and_end_with_findings(rulewright: Run, set_file: Path) -> None:
    checked = rulewright("fmt", "--check", str(set_file))
    shown = rulewright("fmt", "--diff", str(set_file))
    assert (checked.returncode, shown.returncode) == (1, 1)
    assert "-  text: When I attack, [Stun]" in shown.stdout
    assert "+  text: When I attack, stun" in shown.stdout
    assert set_file.read_text(encoding="utf-8") == SET


def test_a_text_that_cannot_be_read_is_named_and_left(rulewright: Run, set_file: Path) -> None:
    wrong = SET.replace("Draw 1.", "Draw one battlefeild.")
    set_file.write_text(wrong, encoding="utf-8")
    done = rulewright("fmt", str(set_file))
    assert done.returncode == 1
    assert f"{set_file}:10: Two: " in done.stderr
    assert set_file.read_text(encoding="utf-8") == wrong.replace("[Stun]", "stun")


@pytest.mark.parametrize("arguments", [[], ["--text", "Draw 1.", "somewhere.yaml"], ["nowhere.yaml"]])
def test_wrong_use_is_told(rulewright: Run, arguments: list[str]) -> None:
    done = rulewright("fmt", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")


def test_words_of_the_sets_are_known_and_what_is_no_set_is_left_alone(
    rulewright: Run, tmp_path: Path
) -> None:
    (tmp_path / "set.yaml").write_bytes(
        b"\xef\xbb\xbfset: TST\r\nname: T\r\ncards:\r\n- {name: A, type: unit, tags: [Zorblax]}\r\n"
        b"- name: B\r\n  type: spell\r\n  text: give a Zorblax +1 Might this turn.\r\n"
    )
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "d.yaml").write_text("name: D\nparts:\n  main: {A: 1}\n", encoding="utf-8")
    done = rulewright("fmt", str(tmp_path))
    assert (done.stderr, done.stdout) == ("", "1 file: 1 text changed, 0 cannot be read\n")
    assert (tmp_path / "set.yaml").read_bytes() == (
        b"\xef\xbb\xbfset: TST\r\nname: T\r\ncards:\r\n- {name: A, type: unit, tags: [Zorblax]}\r\n"
        b"- name: B\r\n  type: spell\r\n  text: Give a Zorblax +1 [M] this turn.\r\n"
    )


def test_no_file_is_changed_where_one_is_no_set(rulewright: Run, set_file: Path) -> None:
    (set_file.parent / "other.yaml").write_text("cards: 3\n", encoding="utf-8")
    done = rulewright("fmt", str(set_file.parent))
    assert done.returncode == 2
    assert "other.yaml:1" in done.stderr
    assert set_file.read_text(encoding="utf-8") == SET
