"""Every command that reads a file is given broken ones: it tells what is wrong where, ends badly, writes nothing."""

import io
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from rulewright.apps.cli import main

HEAD = b"set: TST\nname: Test\ncards:\n"
ROW = b'[{"name": "A", "set": "TST", "type": "unit", "might": 1, "text": "Draw 1.", "energy": %s}]'
CARD = b"- {name: A, type: spell, energy: %s}\n"
ALIASES = b"".join(
    b"- &%c [%s]\n" % (97 + n, b", ".join([b"*%c" % (96 + n)] * 9 if n else [b"x"] * 9)) for n in range(20)
)

BROKEN: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "blanks": lambda: b"  \n\n\t",
    "a byte order mark": lambda: b"\xef\xbb\xbf",
    "NUL bytes": lambda: b"\0\0\x01abc\0",
    "UTF-16": lambda: (HEAD + CARD % b"1").decode().encode("utf-16"),
    "Latin-1": lambda: HEAD + "- {name: Ä, type: spell, energy: 1}\n".encode("latin-1"),
    "any bytes": lambda: bytes(range(256)) * 50,
    "JSON cut off in an object": lambda: b'{"items": [{"name": "A", "classification": {"type": "Un',
    "JSON cut off in a list": lambda: b'[{"name": "A", "number": 1}, {"name"',
    "YAML cut off": lambda: HEAD + b'- {name: A, type: spell, text: "Dra',
    "NaN in JSON": lambda: ROW % b"NaN",
    "a number of 5,000 digits in JSON": lambda: ROW % (b"9" * 5_000),
    "a number below nothing in JSON": lambda: ROW % b"-3",
    "half of a letter in JSON": lambda: (ROW % b"1").replace(b"Draw", b"\\ud800"),
    "a key twice in JSON": lambda: (ROW % b"1").replace(b'"type"', b'"name": "B", "type"'),
    "NaN in YAML": lambda: HEAD + CARD % b".nan",
    "a number of 5,000 digits in YAML": lambda: HEAD + CARD % (b"9" * 5_000),
    "a number below nothing in YAML": lambda: HEAD + CARD % b"-1",
    "part of a number in YAML": lambda: HEAD + CARD % b"1.5",
    "hours and minutes for a number": lambda: HEAD + CARD % b"1:30",
    "an octal number": lambda: HEAD + CARD % b"010",
    "a key twice in YAML": lambda: HEAD + b"- {name: A, name: B, type: spell}\n",
    "half of a letter in YAML": lambda: HEAD + b'- {name: "\\ud800", type: spell}\n',
    "a name that steers a terminal": lambda: HEAD + b'- {name: "A\\e[31m", type: spell}\n',
    "two documents": lambda: HEAD + CARD % b"1" + b"---\nset: X\n",
    "an object of Python": lambda: b"!!python/object/apply:os.system ['true']\n",
    "a tag that does not fit": lambda: HEAD + CARD % b"!!int abc",
    "aliases of aliases": lambda: HEAD + ALIASES,
    "a list in itself": lambda: b"a: &a [*a]\n",
    "brackets, very deep": lambda: b"[" * 200_000,
    "closed brackets, very deep": lambda: b"[" * 3_000 + b"]" * 3_000,
    "objects, very deep": lambda: b'{"a":' * 100_000,
    "lists of YAML, very deep": lambda: HEAD + b"- " * 5_000,
    "a page with scripts": lambda: b"<!doctype html><html><script>alert(1)</script></html>",
    "a page whose data is cut off": lambda: b'<html><script id="__NEXT_DATA__">{"a": </script></html>',
    "a list of numbers": lambda: b"[1, 2, 3]",
    "a list of lists": lambda: b"[[], [[]], [null]]",
    "a number": lambda: b"42",
    "a word": lambda: b'"hello"',
    "null": lambda: b"null",
    "an empty object": lambda: b"{}",
    "cards that are a mapping": lambda: b"set: TST\nname: T\ncards: {a: 1}\n",
    "cards that are words": lambda: b"set: TST\nname: T\ncards: [a, 1, null, [x]]\n",
    "a card with no name": lambda: HEAD + b"- {type: spell, energy: 1}\n",
    "a card named null": lambda: HEAD + b"- {name: null, type: spell, energy: 1}\n",
    "two cards of one name": lambda: HEAD + CARD % b"1" + CARD % b"2",
    "two cards of one number": lambda: (
        HEAD + b"- {name: A, type: rune, number: '1'}\n- {name: B, type: rune, number: '1'}\n"
    ),
    "one line of 3 MB": lambda: b"a" * 3_000_000,
    "quotes": lambda: b'"' * 99_999,
    "50 MB": lambda: b"#" * 50_000_000,
    "50 MB of JSON": lambda: b"[" + b'{"a":1},' * 6_000_000,
}
"""Contents that no command can use, whatever it reads."""

FOLDER = "a folder"
MISSING = "no file"


class Command(NamedTuple):
    """A command, and the name of the file that it is given (``FILE`` in its words).

    ``fine`` is what it may accept, and is not tried with.
    """

    words: str
    file: str
    fine: tuple[str, ...] = ()


EMPTY = ("nothing", "blanks", "a byte order mark")
COMMANDS = [
    Command("check FILE", "a.yaml"),
    Command("check FILE --fix", "a.yaml"),
    Command("check FILE", "decks/a.yaml"),
    Command("check FILE", "errata.yaml"),
    Command("check FILE", "bans.yaml"),
    Command("check FILE", "imports.yaml"),
    Command("check good.yaml --config FILE", "a.toml", EMPTY),
    Command("check good.yaml", "rulewright.toml", (*EMPTY, FOLDER, MISSING)),
    Command("fmt FILE", "a.yaml"),
    Command("fmt --check FILE", "a.yaml"),
    Command("card --sets FILE --where Action", "a.yaml"),
    Command("sets list --sets FILE", "a.yaml"),
    Command("diff FILE now", "a.yaml"),
    Command("diff FILE now", "a.json"),
    Command("import FILE --to out", "a.json"),
    Command("import texts.csv --to out --facts FILE", "a.yaml"),
    Command("sets regenerate FILE --to out", "a.json"),
    Command("sets errata FILE --to out/errata.yaml", "a.jsonl"),
    Command("deck check FILE", "a.yaml"),
    Command("deck check FILE", "a.txt"),
    Command("deck encode FILE", "a.txt"),
    Command("scenario run FILE", "a.yaml"),
    Command("replay FILE", "a.json"),
    Command("simulate --games 1 FILE", "a.yaml"),
    Command("simulate --games 1 --out FILE", "a.jsonl", ("nothing", MISSING)),
    Command("play --deck FILE", "a.yaml"),
    Command("grammar usage FILE", "a.jsonl"),
    Command("sets variants FILE --cards cards.jsonl", "a.jsonl"),
    Command("sets variants variants.jsonl --cards FILE", "a.jsonl"),
    Command("rules coverage --scenarios FILE", "a", (FOLDER,)),
    Command("coverage --scenarios FILE", "a", (*BROKEN, FOLDER)),
    Command("parse --jsonl", "standard input", ("nothing", "blanks", MISSING, FOLDER)),
]

PATIENCE = 5
"""Seconds of work that a command may take to refuse a file; a fifth of it is enough where this was written."""


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: f"{command.words} ({command.file})")
def test_a_broken_file_is_refused_with_its_place_and_nothing_is_written(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.yaml").write_bytes(HEAD + b"- {name: Ember Fox, type: unit, energy: 2, might: 2}\n")
    Path("cards.jsonl").write_text('{"name": "A", "text": "Draw 1."}\n', "utf-8")
    Path("variants.jsonl").write_text('{"name": "A", "format": "plain", "text": "Draw 1."}\n', "utf-8")
    Path("texts.csv").write_text("name,number,set,rarity,description\nA,001/1,TST,C,Draw 1.\n", "utf-8")
    Path("out").mkdir()
    file = Path(command.file)
    file.parent.mkdir(exist_ok=True)
    wrong: dict[str, str] = {}
    for what in (*BROKEN, FOLDER, MISSING):
        if what in command.fine:
            continue
        content = BROKEN[what]() if what in BROKEN else None
        if what == FOLDER:
            file.mkdir()
        elif content is not None:
            file.write_bytes(content)
        before = time.process_time()
        fault = _fault(command, file, content or b"", monkeypatch, capsys)
        if fault:
            wrong[what] = fault
        elif time.process_time() - before > PATIENCE:
            wrong[what] = "took too long"
        elif content is not None and file.read_bytes() != content:
            wrong[what] = "changed the file"
        elif any(Path("out").iterdir()) or list(Path.cwd().rglob("*.part")):
            wrong[what] = "wrote something"
        if what == FOLDER:
            file.rmdir()
        else:
            file.unlink(missing_ok=True)
    assert wrong == {}


def _fault(
    command: Command,
    file: Path,
    content: bytes,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    """Run a command on a broken file and give what is wrong with its answer."""
    monkeypatch.setattr("sys.argv", ["rulewright", *command.words.replace("FILE", str(file)).split()])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
    code = 0
    try:
        main()
    except SystemExit as end:
        code = int(end.code or 0)
    except Exception as error:  # what a user would see as a traceback
        return f"{type(error).__name__}: {error}"[:200]
    said = capsys.readouterr()
    told = said.err + said.out
    if code not in (1, 2):
        return f"ended with {code}"
    if command.file not in told.replace(os.sep, "/"):
        return f"did not name the file: {told[:200]}"
    return f"told {len(told)} characters" if len(told) > 6_000 else ""
