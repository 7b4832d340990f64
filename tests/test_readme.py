"""What the README shows is what happens: each ``console`` block is run, in a folder of its own, and compared.

Below a line ``$ command`` stands what the command prints; a line ``...`` stands for any lines. The folder has the
files of the checkout that the commands name. The Python of the README is a doctest.
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
NAMED_FOLDERS = ("docs", "cardtexts")
BLOCKS = re.findall(
    r"^```console\n(.*?)^```", (CHECKOUT / "README.md").read_text(encoding="utf-8"), re.M | re.S
)


def steps(block: str) -> list[tuple[str, list[str]]]:
    """The commands of a block, each with the lines that it is said to print."""
    commands: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        else:
            commands[-1][1].append(line.rstrip())
    return commands


def as_pattern(lines: list[str]) -> str:
    return "".join(r"(?:.*\n)*" if line.strip() == "..." else re.escape(line) + r"\n" for line in lines)


def run(command: str, folder: Path) -> str:
    # The README is read at the root of a checkout with its own .venv; here the same command is on the path.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        ["bash", "-c", command.replace(".venv/bin/", "")],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "110", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return "".join(f"{line.rstrip()}\n" for line in result.stdout.splitlines())


@pytest.mark.parametrize("block", BLOCKS, ids=[steps(block)[0][0] for block in BLOCKS])
def test_the_readme_shows_what_is_printed(block: str, tmp_path: Path) -> None:
    for name in NAMED_FOLDERS:
        (tmp_path / name).symlink_to(CHECKOUT / name)
    for command, lines in steps(block):
        printed = run(command, tmp_path)
        if not re.fullmatch(as_pattern(lines), printed):
            assert printed.splitlines() == lines, command


def test_the_python_of_the_readme_runs() -> None:
    result = doctest.testfile(str(CHECKOUT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
