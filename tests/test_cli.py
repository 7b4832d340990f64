"""The frame of the command line: what it lists, what it imports, how it ends."""

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
    for name in cli.available_commands():
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


@pytest.mark.parametrize("name", cli.available_commands())
def test_every_command_has_help_with_an_example(name: str, rulewright: Run) -> None:
    result = rulewright(name, "--help")
    assert result.returncode == 0, result.stderr
    assert f"rulewright {name}" in result.stdout
    assert "Example" in result.stdout


@pytest.mark.parametrize("name", cli.available_commands())
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
