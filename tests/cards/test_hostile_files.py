"""Files that are meant to do harm, or were harmed: answered at once, with a diagnostic, and left alone."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.apps.check_game import checked_game
from rulewright.cards.checks import Game, check_paths, fix_paths

HEAD = b"set: TST\nname: Test\ncards:\n"
CARD = b"- {name: A, type: spell, energy: 1, text: '%s'}\n"
BOMB = b"".join(
    b"- &%c [%s]\n" % (97 + n, b", ".join([b"*%c" % (96 + n)] * 9 if n else [b"x"] * 9)) for n in range(20)
)

HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "a text of 100 kB": (lambda: HEAD + CARD % (b"Draw 1. " * 12_500), "RW409"),
    "ten thousand brackets in a text": (lambda: HEAD + CARD % (b"[" * 3_900), "RW112"),
    "ten thousand parentheses in a text": (lambda: HEAD + CARD % (b"(" * 3_900), "RW112"),
    "ten thousand brackets in YAML": (lambda: HEAD + b"[" * 10_000, "RW403"),
    "closed brackets, very deep": (lambda: HEAD + b"[" * 100 + b"]" * 100, "RW403"),
    "nested quotes": (lambda: HEAD + CARD % (b'"' * 3_900), "RW101"),
    "one long word": (lambda: HEAD + CARD % (b"a" * 3_900), "RW103"),
    "a hundred unknown words": (
        lambda: HEAD + CARD % b" ".join(b"flib%c%c" % (97 + n % 26, 97 + n // 26) for n in range(100)),
        "RW103",
    ),
    "and and and": (lambda: HEAD + CARD % (b"Kill a unit" + b" and a unit" * 60 + b"."), ""),
    "or or or": (lambda: HEAD + CARD % (b"Kill " + b"a unit or gear and " * 40 + b"a unit."), ""),
    "control characters": (lambda: HEAD + b"- name: \x00\x01\x02\n", "RW403"),
    "an escape that cannot be seen": (
        lambda: HEAD + b'- {name: A, type: spell, energy: 1, text: "Draw \\x1b[31m1."}\n',
        "RW102",
    ),
    "a YAML bomb": (lambda: HEAD + BOMB, "RW404"),
    "an object of Python": (lambda: HEAD + b"- !!python/object/apply:os.system ['true']\n", "RW403"),
    "another encoding": (
        lambda: (HEAD + CARD % b"Draw 1.").decode().replace("A", "\xc4").encode("latin-1"),
        "RW402",
    ),
    "UTF-16": (lambda: (HEAD + CARD % b"Draw 1.").decode().encode("utf-16"), "RW402"),
    "cut in the middle": (lambda: (HEAD + CARD % b"Draw 1.")[:60], "RW403"),
    "cut in the middle of a letter": (lambda: HEAD + "- {name: \xe9".encode()[:-1], "RW402"),
    "50 MB": (lambda: HEAD + b"#" * 50_000_000, "RW401"),
    "a page of HTML": (lambda: b"<!doctype html><script>alert(1)</script>\n<p>cards: [1, 2]", "RW403"),
    "twenty thousand keys": (lambda: b"".join(b"k%d: 1\n" % n for n in range(20_000)), "RW407"),
    "nothing": (lambda: b"", "RW417"),
    "JSON that is cut": (lambda: b'{"set": "TST", "cards": [{"name": "A", ', "RW403"),
}


@pytest.fixture(scope="module")
def game() -> Game:
    game = checked_game()
    # The first text of all makes the grammar.
    from rulewright.language import parse

    parse("Draw 1.")
    return game


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_answered_at_once_and_left_alone(what: str, game: Game, tmp_path: Path) -> None:
    make, code = HOSTILE[what]
    content = make()
    path = tmp_path / "a.yaml"
    path.write_bytes(content)
    start = time.process_time()
    found = [finding.code for finding in check_paths([path], game).findings]
    # A second on the machine this was written on; more is allowed for a slow one.
    assert time.process_time() - start < 5
    assert code in found if code else found
    if len(content) < 1_000_000:
        fix_paths([path], game)
        assert path.read_bytes() == content or found == ["RW102"]
    assert [one.name for one in tmp_path.iterdir()] == ["a.yaml"]
