"""The frame of the command line: what it lists, what it imports, how it ends."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module

import pytest
import typer

from rulewright import __version__
from rulewright.apps import cli
from rulewright.errors import FindingError, RulewrightError, UsageError

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_version_names_the_package_and_its_version(rulewright: Run) -> None:
    result = rulewright("--version")
    assert (result.returncode, result.stdout) == (0, f"rulewright {__version__}\n")


def test_help_lists_every_command_with_what_it_does(rulewright: Run) -> None:
    result = rulewright("--help")
    assert result.returncode == 0
    listed = {line.strip() for line in result.stdout.splitlines()}
    for name in cli.COMMANDS:
        _, purpose = cli.COMMANDS[name]
        assert any(line.split()[:1] == [name] and line.endswith(purpose) for line in listed), name


def test_help_imports_no_command_and_nothing_heavy() -> None:
    code = "import sys; sys.argv = ['rulewright', '--help']\nfrom rulewright.apps.cli import main\nmain()"
    listing = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True
    ).stderr
    imported = {
        line.rsplit("|", 1)[1].strip() for line in listing.splitlines() if line.startswith("import time:")
    }
    commands = {f"rulewright.apps.cli.{module}" for module, _ in cli.COMMANDS.values()}
    assert imported & (commands | {"lark", "yaml", "jsonschema", "rich.console", "sqlite3"}) == set()


def test_a_command_that_is_not_there_is_wrong_use(rulewright: Run) -> None:
    result = rulewright("prase")
    assert result.returncode == 2
    assert "No such command 'prase'" in result.stderr


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help_with_an_example(name: str, rulewright: Run) -> None:
    result = rulewright(name, "--help")
    assert result.returncode == 0, result.stderr
    assert f"rulewright {name}" in result.stdout
    assert "Example" in result.stdout


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_is_a_typer_application(name: str) -> None:
    module = import_module(f"rulewright.apps.cli.{cli.COMMANDS[name][0]}")
    assert isinstance(module.app, typer.Typer)


@pytest.mark.parametrize(
    ("error", "code", "shown"),
    [
        (
            RulewrightError("there is no rule 999.9", place="duel.yaml:3", help="look near 999"),
            2,
            "error: duel.yaml:3: there is no rule 999.9\n  = help: look near 999\n",
        ),
        (UsageError("there is no such file"), 2, "error: there is no such file\n"),
        (
            FindingError("a deck has 40 cards, this one 39", place="my.deck"),
            1,
            "error: my.deck: a deck has 40 cards, this one 39\n",
        ),
    ],
)
def test_an_error_ends_with_place_reason_and_help(
    error: RulewrightError,
    code: int,
    shown: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == code
    assert capsys.readouterr() == ("", shown)


def test_what_fails_around_the_program_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "games.svg")

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr() == ("", f"error: games.svg: {os.strerror(errno.ENOSPC)}\n")


WRONG_USE: dict[tuple[str, ...], str] = {
    ("parse", "Draw 1.", "--game", "chess"): "there is no grammar of a game 'chess'",
    ("parse", "--jsonl", "Draw 1."): "with --jsonl the texts are read from standard input",
    ("parse", "Draw 1.", "--jobs", "0"): "greater than or equal to 1",
    ("parse",): "there is no text to read",
    ("card", "Kiln Drake", "--type", "spell"): "a card is named, and cards are looked for",
    ("coverage", "--attempts", "3"): "nothing is tried without --execute",
    ("play", "--record", "docs"): "docs: cannot be written: this is a folder",
    ("play", "--record", "no/such/duel.json"): "no/such: cannot be written: there is no such folder",
    ("simulate", "-n", "1", "--workers", "0"): "greater than or equal to 1",
    ("simulate", "-n", "1", "--plot", "no/such/games.svg"): "no/such/games.svg: No such file or directory",
    ("simulate", "-n", "1", "--replays", "README.md"): "README.md: File exists",
    ("schema", "cadrs"): "there is no schema 'cadrs'",
}


@pytest.mark.parametrize("arguments", WRONG_USE, ids=" ".join)
def test_wrong_use_is_told_and_ends_with_2(arguments: tuple[str, ...], rulewright: Run) -> None:
    result = rulewright(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert WRONG_USE[arguments] in result.stderr
    assert "Traceback" not in result.stderr


def test_letters_that_a_terminal_does_not_have_are_told_by_their_numbers(rulewright: Run) -> None:
    result = rulewright("parse", "Drаw 1.", PYTHONIOENCODING="latin-1")
    assert result.returncode == 1
    assert "\\u0430" in result.stdout
    assert "U+0430" in result.stdout
    assert result.stderr == ""


def test_bytes_that_are_no_text_are_no_meaning() -> None:
    result = subprocess.run(
        [os.fsencode(sys.executable), b"-m", b"rulewright", b"parse", b"Draw \xff."],
        capture_output=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (1, b"")
    assert b"U+DCFF" in result.stdout


def test_a_text_is_read_from_standard_input(rulewright: Run) -> None:
    said, read = rulewright("parse", "Draw 1."), rulewright("parse", "-", input="Draw 1.\n")
    assert (read.returncode, read.stdout) == (0, said.stdout)


def test_a_long_line_is_shown_around_its_fault_and_steers_no_terminal(rulewright: Run) -> None:
    result = rulewright("parse", "Draw 1. " * 40 + "Draw \x1b[31m1.")
    assert result.returncode == 1
    assert "\x1b" not in result.stdout
    _, shown, marks, *_ = result.stdout.splitlines()
    assert len(shown) < 160
    assert shown[marks.index("^")] == "�"


def test_a_word_for_facts_that_no_card_has_is_told(rulewright: Run) -> None:
    result = rulewright("card", "--type", "unti", "--tag", "drago", "--set", "ZZZ")
    assert result.stdout.splitlines() == [
        "0 cards",
        "no card has the type unti; did you mean unit?",
        "no card has the tag drago; did you mean Dragon?",
        "no card has the set ZZZ",
    ]
