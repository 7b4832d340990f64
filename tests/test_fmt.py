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
    assert "1 files: 1 texts changed, 0 cannot be read" in done.stdout
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
