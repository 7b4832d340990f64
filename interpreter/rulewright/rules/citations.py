"""Finds which rules the code, the scenarios and the procedures cite, and holds them to what was read when they were.

A lock file, kept beside the entries, has each cited number with a hash of what its entry says. A citation of a rule
that is gone, or that says something else than when it was last read, is a finding until somebody has looked and
locked it anew.
"""

import ast
import hashlib
import io
import json
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from rulewright.data_files import DataFileError, Plain, Problem, read
from rulewright.errors import UsageError
from rulewright.paths import write_atomically
from rulewright.rules.database import RulesDatabase
from rulewright.rules.entries import Entry
from rulewright.rules.numbers import NUMBER, ancestors, is_number, root, sort_key

LOCK = "citations.lock"
"""The name of the lock file, in the game's folder of ``rulesdb``."""

_CITED_KEYS = frozenset({"rule", "rules", "cited", "because", "cites"})
_DOTTED = re.compile(rf"(?<![\w.]){NUMBER.pattern}(?!\w|\.\w)")
_NAMED = re.compile(r"\b[Rr]ules?\s+((?:[0-9][\w.]*(?:\s*(?:,|-|\u2013|and|to)\s*)?)+)")


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """A rule number that stands somewhere: ``place`` is ``file:line``."""

    number: str
    place: str


def find(rules: RulesDatabase, root_folder: Path) -> list[Citation]:
    """Find the citations in a checkout: in the code, the scenarios, the game's tables and procedures.

    In code a number counts where it has a full stop in it and begins as the game's numbers do, or follows the word
    "rule"; a text that is nothing but a number counts as well. Raises :class:`UsageError` outside a checkout.
    """
    if not (root_folder / "interpreter").is_dir():
        raise UsageError("citations are looked for in a checkout, and this is none", place=str(root_folder))
    found: set[Citation] = set()
    width = min((len(root(entry.number)) for entry in rules.entries), default=1)
    for path in sorted((root_folder / "interpreter").rglob("*.py")):
        found.update(_in_python(path, path.relative_to(root_folder).as_posix(), rules, width))
    for path in sorted((root_folder / "tests" / "scenarios").rglob("*.yaml")):
        found.update(_in_scenarios(path, path.relative_to(root_folder).as_posix(), rules))
    for entry in rules.entries:
        found.update(_in_entry(entry))
    return sorted(found, key=lambda citation: (sort_key(citation.number), citation.place))


def _in_python(path: Path, name: str, rules: RulesDatabase, width: int) -> Iterator[Citation]:
    text = path.read_text(encoding="utf-8")
    for line, words in _prose(text):
        for number in _numbers(words, rules, width):
            yield Citation(number, f"{name}:{line}")


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the comments and the texts of a Python file, line by line with the line's number."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
        elif token.type == tokenize.STRING:
            try:
                value = ast.literal_eval(token.string)
            except (SyntaxError, ValueError):
                continue
            if isinstance(value, str):
                yield from _without_doctests(token.start[0], value)


def _without_doctests(first: int, text: str) -> Iterator[tuple[int, str]]:
    # The examples in docstrings are tests: they show wrong numbers too.
    example = False
    for line, words in enumerate(text.splitlines(), start=first):
        example = bool(words.strip()) and (example or words.strip().startswith(">>>"))
        if not example:
            yield line, words


def _numbers(words: str, rules: RulesDatabase, width: int) -> Iterator[str]:
    if is_number(words) and ("." in words or words in rules) and len(root(words)) >= width:
        yield words
        return
    for match in _DOTTED.finditer(words):
        number = match.group()
        # Short numbers (0.5, 3.11) look like everything else; those of a game with long ones cannot be mistaken,
        # but for addresses (127.0.0.1), which have a part 0.
        if "." in number and width >= 3 and len(root(number)) >= width and "0" not in number.split("."):
            yield number
    for match in _NAMED.finditer(words):
        yield from (number.rstrip(".") for number in re.findall(r"[0-9][\w.]*", match[1]))


def _in_scenarios(path: Path, name: str, rules: RulesDatabase) -> Iterator[Citation]:
    source = read(path, name, decimals_are_text=True)
    game = source.plain.get("game") if isinstance(source.plain, Mapping) else None
    if game in (None, rules.game):
        yield from (Citation(number, source.place(at)) for number, at in _cited_in(source.plain))


def _in_entry(entry: Entry) -> Iterator[Citation]:
    """Yield what an entry's own table and procedure cite."""
    table, procedure = entry.table, entry.procedure
    for plain in (table.rows if table else (), procedure.steps if procedure else ()):
        yield from (Citation(number, f"{entry.file} {entry.number}") for number, _ in _cited_in(plain))


def _cited_in(
    plain: Plain, at: tuple[str | int, ...] = (), cited: bool = False
) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """Yield the numbers that stand under a key that cites, with the way there."""
    if isinstance(plain, Mapping):
        for key, value in plain.items():
            yield from _cited_in(value, (*at, key), key in _CITED_KEYS)
    elif isinstance(plain, list | tuple):
        for position, value in enumerate(plain):
            yield from _cited_in(value, (*at, position), cited)
    elif cited and isinstance(plain, str) and is_number(plain):
        yield plain, at


def fingerprint(entry: Entry) -> str:
    """Hash what an entry says: all but its cross-references, what carries it out, and the file it is in."""
    says = {key: value for key, value in asdict(entry).items() if key not in ("see", "by", "file")}
    canonical = json.dumps(says, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def read_lock(path: Path) -> dict[str, str]:
    """Read a lock file: the hash of each cited number. Raises :class:`DataFileError`; no file is an empty lock."""
    if not path.is_file():
        return {}
    locked: dict[str, str] = {}
    for line, content in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not content or content.startswith("#"):
            continue
        number, _, digest = content.partition(" ")
        if not is_number(number) or re.fullmatch(r"[0-9a-f]{16}", digest) is None:
            raise DataFileError(
                [
                    Problem(
                        f"{path.name}:{line}", "expected a rule number and a hash", "bless the citations anew"
                    )
                ]
            )
        locked[number] = digest
    return locked


def write_lock(path: Path, rules: RulesDatabase, citations: Iterable[Citation]) -> int:
    """Lock every cited number at what its entry says now, and give how many there are.

    Raises :class:`DataFileError`, and writes nothing, where a citation names a rule that is not there.
    """
    citations = list(citations)
    if gone := [_gone(citation, rules) for citation in citations if citation.number not in rules]:
        raise DataFileError(gone)
    numbers = sorted({citation.number for citation in citations}, key=sort_key)
    lines = [f"{number} {fingerprint(rules.entry(number))}\n" for number in numbers]
    head = "# Each rule that is cited, with a hash of what it said when its citations were last read.\n"
    write_atomically(path, head + "".join(lines))
    return len(numbers)


def check(rules: RulesDatabase, citations: Iterable[Citation], locked: Mapping[str, str]) -> list[Problem]:
    """Give what is wrong with the citations: rules that are gone, changed, or not locked, and locks nobody needs."""
    problems = []
    cited: set[str] = set()
    for citation in citations:
        cited.add(citation.number)
        if citation.number not in rules:
            problems.append(_gone(citation, rules))
        elif citation.number not in locked:
            problems.append(Problem(citation.place, f"rule {citation.number} is cited, and not in the lock"))
        elif locked[citation.number] != fingerprint(rules.entry(citation.number)):
            problems.append(
                Problem(citation.place, f"rule {citation.number} says something else since it was last read")
            )
    unused = sorted(locked.keys() - cited, key=sort_key)
    problems += [Problem(LOCK, f"rule {number} is in the lock, and cited nowhere") for number in unused]
    return problems


def _gone(citation: Citation, rules: RulesDatabase) -> Problem:
    above = next((number for number in ancestors(citation.number) if number in rules), None)
    return Problem(
        citation.place,
        f"there is no rule {citation.number}",
        f"look at {above} and its sub-rules" if above else None,
    )
