"""``rulewright check`` and ``rulewright explain``: what they print in each format, and how they end."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest
import yaml

from rulewright.apps.cli import main
from rulewright.cards.checks import pages

Run = Callable[..., subprocess.CompletedProcess[str]]


class Ended(NamedTuple):
    """How a command ended, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


InFolder = Callable[..., Ended]

FOX = """set: TST
name: Test
cards:
- name: Ember Fox
  type: unit
  energy: 2
  might: 2
  text: When I attack, move an enemy unit here to another battlefeild.
"""

TOLD = """error[RW103] unknown-word: “battlefeild” is not a word of this game
  --> fox.yaml:8:59  Ember Fox
  |
8 |   text: When I attack, move an enemy unit here to another battlefeild.
  |                                                           ^^^^^^^^^^^ expected: a noun, such as “unit” or “card”
  = did you mean “battlefield”?  (rulewright check --fix)

1 file, 1 card, 1 text (1 read anew), 1 error, 0 warnings
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "fox.yaml").write_text(FOX, encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path
) -> Callable[..., Ended]:
    """Run the command line here, in a folder of its own: a process for each would take most of the time."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(folder / ".cache"))

    def ended(*arguments: str) -> Ended:
        monkeypatch.setattr("sys.argv", ["rulewright", *arguments])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        said = capsys.readouterr()
        return Ended(code, said.out, said.err)

    return ended


def test_a_finding_is_told_in_full(run: InFolder) -> None:
    result = run("check", "fox.yaml")
    assert (result.returncode, result.stdout, result.stderr) == (1, TOLD, "")


def test_the_other_formats_tell_the_same(run: InFolder) -> None:
    concise = run("check", "fox.yaml", "--format", "concise").stdout
    assert concise == "fox.yaml:8:59: RW103 error: “battlefeild” is not a word of this game [Ember Fox]\n"
    github = run("check", "fox.yaml", "--format", "github").stdout
    assert github.startswith(
        "::error file=fox.yaml,line=8,col=59,endLine=8,endColumn=70,title=RW103 unknown-word::Ember"
    )
    assert github.count("\n") == 1
    (found,) = json.loads(run("check", "fox.yaml", "--format", "json").stdout)["findings"]
    assert (found["code"], found["line"], found["column"], found["span"]) == ("RW103", 8, 59, [50, 61])
    assert found["fix"] == {"span": [50, 61], "text": "battlefield", "safe": True}


def test_sarif_is_valid(run: InFolder, checkout: Path) -> None:
    result = run("check", str(checkout / "tests/cards/broken"), "--format", "sarif")
    assert result.returncode == 1
    made = json.loads(result.stdout)
    expected = yaml.load(
        (checkout / "tests/cards/broken_expected.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    assert len(made["runs"][0]["results"]) >= sum(map(len, expected.values()))
    schema = json.loads((checkout / "tests/cards/sarif_subset.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(made)
    named = os.environ.get("RULEWRIGHT_SARIF_SCHEMA")
    if named:
        # The standard's own schema is not ours to ship.
        official = json.loads(Path(named).read_text("utf-8"))
        jsonschema.validators.validator_for(official)(official).validate(made)


def test_warnings_end_well_and_with_strict_do_not(run: InFolder, folder: Path) -> None:
    (folder / "fox.yaml").write_text(
        FOX.replace("battlefeild.", "battlefield.\n    [Tank]\n    [Tank]").replace(
            "text: ", "text: |-\n    "
        ),
        "utf-8",
    )
    assert run("check", ".").returncode == 0
    assert run("check", ".", "--strict").returncode == 1
    (folder / "rulewright.toml").write_text("strict = true\n", "utf-8")
    assert run("check", ".").returncode == 1
    assert run("check", ".", "--ignore", "RW205").returncode == 0


def test_fix_puts_it_right(run: InFolder, folder: Path) -> None:
    result = run("check", "fox.yaml", "--fix")
    assert (result.returncode, result.stdout) == (
        0,
        "1 file, 1 card, 1 text (0 read anew), 0 errors, 0 warnings; 1 text put right\n".replace("(0", "(1"),
    )
    assert "another battlefield." in (folder / "fox.yaml").read_text("utf-8")


def test_wrong_use_ends_with_two(run: InFolder, folder: Path) -> None:
    for arguments in (["nowhere.yaml"], [".cache-that-is-not"], ["fox.yaml", "--select", "RW999"]):
        result = run("check", *arguments)
        assert (result.returncode, result.stdout) == (2, ""), arguments
        assert result.stderr.startswith("error: ")


def test_explain_tells_a_page_and_lists_all(rulewright: Run, run: InFolder) -> None:
    told = rulewright("explain", "RW103")
    assert told.returncode == 0
    assert told.stdout.startswith("RW103 unknown-word (error)\n")
    assert "battlefeild" in told.stdout
    assert run("explain", "unknown-word").stdout == told.stdout
    listed = run("explain").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(pages())
    assert json.loads(run("explain", "RW103", "--format", "json").stdout)[0]["name"] == "unknown-word"


def test_explain_of_no_code_is_told_what_is_near(run: InFolder) -> None:
    result = run("explain", "RW1033")
    assert (result.returncode, "did you mean RW103" in result.stderr) == (2, True)
