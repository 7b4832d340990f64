"""Reads the files that are checked: what is wrong with the YAML or against the schema, and the cards that they hold."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import cast

from rulewright import cache, data_files
from rulewright.cards.card import CardDefinition, card_from
from rulewright.cards.checks.findings import (
    Finding,
    Place,
    diagnostic_from_plain,
    diagnostic_to_plain,
    made,
)
from rulewright.cards.checks.places import Layout
from rulewright.cards.sets import NO_SETS, schema_of
from rulewright.cards.texts import TEXT_KEYS
from rulewright.data_files import (
    LARGEST_FILE,
    DataFileError,
    Plain,
    Problem,
    Scalar,
    Source,
    parse,
    schema_problems,
)
from rulewright.errors import UsageError

CODES = {
    "too-large": "RW401",
    "encoding": "RW402",
    "syntax": "RW403",
    "anchor": "RW404",
    "deep": "RW405",
    "key-twice": "RW406",
    "unknown-key": "RW407",
    "missing-key": "RW408",
    "value": "RW409",
    "key-type": "RW410",
}
"""The code of each kind of problem with a data file."""


@dataclass(frozen=True, slots=True)
class TextOfCard:
    """A text of a card: under which key it stands, what it says, and where it stands in the file."""

    key: str
    text: str
    scalar: Scalar


@dataclass(frozen=True, slots=True)
class CheckedCard:
    """A card of a file that the schema has nothing against, with the places of its name, keys and texts."""

    card: CardDefinition
    places: Mapping[str, Place]
    texts: tuple[TextOfCard, ...]

    def place(self, key: str) -> Place:
        """Give where a key's value stands, or the name where the card has no such key."""
        return self.places.get(key, self.places["name"])


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file as a check sees it: what it is, what is wrong with it as a file, and its cards or the cards it names.

    ``kind`` is ``set`` or a definition of the schema. ``named`` are the cards that it names, with their places.
    """

    file: str
    kind: str
    layout: Layout
    findings: tuple[Finding, ...] = ()
    cards: tuple[CheckedCard, ...] = ()
    named: tuple[tuple[str, Place], ...] = ()
    set_code: str = ""


def kind_of(path: Path) -> str:
    """Give what a file of a game's folder holds, by its name: ``set``, ``deck``, ``errata``, ``bans`` ..."""
    if path.name in NO_SETS:
        return path.stem
    return "deck" if "decks" in path.parts[:-1] else "set"


def files_in(path: Path) -> list[Path]:
    """Give the YAML files that a path names. Raises :class:`UsageError` where there is none."""
    if path.is_dir():
        inside = [file for suffix in ("*.yaml", "*.yml") for file in path.rglob(suffix)]
        files = sorted(file for file in inside if not any(part.startswith(".") for part in file.parts[1:]))
        if not files:
            raise UsageError("there is no YAML file in this folder", place=str(path))
        return files
    if not path.exists():
        raise UsageError("there is no such file or folder", place=str(path))
    return [path]


def read_file(content: bytes, file: str, kind: str) -> CheckedFile:
    """Read one file; what is wrong with it is among its findings. What was found in equal content is remembered."""
    text = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    layout = Layout(text)
    schema = schema_of()
    key = cache.content_key(_CODE, schema, content, file, kind)
    stored = cache.load("checked-files", key)
    if stored is not None:
        return _from_plain(json.loads(stored), file, kind, layout)
    made_now = _read(content, file, kind, layout, schema)
    plain = json.dumps(_to_plain(made_now), ensure_ascii=False, separators=(",", ":"))
    cache.store("checked-files", key, plain.encode())
    return made_now


_CODE = Path(__file__).read_bytes() + Path(data_files.__file__).read_bytes()
"""What read the files that are remembered."""


def _read(content: bytes, file: str, kind: str, layout: Layout, schema: bytes) -> CheckedFile:
    try:
        source = parse(layout.source.encode() if _is_utf8(content) else content, file)
    except DataFileError as error:
        return CheckedFile(file, kind, layout, tuple(_finding(one, file) for one in error.problems))
    if not isinstance(source.plain, dict | list):
        empty = made("RW417", "the file holds nothing that could be checked")
        return CheckedFile(file, kind, layout, (Finding(file, Place(1, 1, 1, 1), empty),))
    problems = list(schema_problems(source, json.loads(schema), None if kind == "set" else kind))
    findings = tuple(_finding(one, file) for one in problems)
    if kind != "set":
        named = tuple(_named(source, kind, layout)) if not problems else ()
        return CheckedFile(file, kind, layout, findings, named=named)
    if not isinstance(source.plain, dict):
        return CheckedFile(file, kind, layout, findings)
    code = source.plain.get("set")
    set_code = code if isinstance(code, str) else ""
    return CheckedFile(file, kind, layout, findings, tuple(_cards(source, layout, problems)), (), set_code)


def _to_plain(one: CheckedFile) -> Plain:
    return {
        "findings": [
            [astuple(found.place), diagnostic_to_plain(found.diagnostic), found.card]
            for found in one.findings
        ],
        "cards": [
            [
                card.card.to_plain(),
                card.card.place,
                {key: astuple(place) for key, place in card.places.items()},
                [[text.key, astuple(text.scalar)] for text in card.texts],
            ]
            for card in one.cards
        ],
        "named": [[name, astuple(place)] for name, place in one.named],
        "set": one.set_code,
    }


def _from_plain(plain: Plain, file: str, kind: str, layout: Layout) -> CheckedFile:
    findings = tuple(
        Finding(file, Place(*place), diagnostic_from_plain(diagnostic), card)
        for place, diagnostic, card in plain["findings"]
    )
    cards = tuple(
        CheckedCard(
            card_from(card, plain["set"], place),
            {key: Place(*where) for key, where in places.items()},
            tuple(TextOfCard(key, card.get(key, ""), Scalar(*scalar)) for key, scalar in texts),
        )
        for card, place, places, texts in plain["cards"]
    )
    named = tuple((name, Place(*place)) for name, place in plain["named"])
    return CheckedFile(file, kind, layout, findings, cards, named, plain["set"])


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return len(content) <= LARGEST_FILE


def _finding(problem: Problem, file: str) -> Finding:
    line, column = problem.position or (1, 1)
    card, _, said = (
        problem.message.rpartition(": ") if problem.kind in ("unknown-key", "missing-key") else ("",) * 3
    )
    message = said or problem.message
    diagnostic = made(CODES[problem.kind], message, help=problem.help)
    return Finding(file, Place(line, column, line, column), diagnostic, card=card)


def _cards(source: Source, layout: Layout, problems: list[Problem]) -> Iterator[CheckedCard]:
    plain = source.plain.get("cards")
    if not isinstance(plain, list):
        return
    wrong = {problem.position[0] for problem in problems if problem.position}
    lines = [source.line(["cards", position]) for position in range(len(plain))]
    ends = [*lines, len(layout.source) + 1][1:]
    code = source.plain.get("set")
    for position, (card, first, end) in enumerate(zip(plain, lines, ends, strict=True)):
        if isinstance(card, dict) and not any(first <= line < end for line in wrong):
            yield _card(source, layout, position, code if isinstance(code, str) else "")


def _card(source: Source, layout: Layout, position: int, code: str) -> CheckedCard:
    path: list[str | int] = ["cards", position]
    plain = source.plain["cards"][position]
    places = {key: _place(source, layout, [*path, key]) for key in plain}
    line = source.line(path)
    texts = []
    for key in TEXT_KEYS:
        scalar = source.scalar([*path, key]) if key in plain else None
        if scalar is not None:
            said = plain[key].rstrip("\n")
            texts.append(TextOfCard(key, said, scalar))
    return CheckedCard(card_from(plain, code, f"{source.file}:{line}"), places, tuple(texts))


def _place(source: Source, layout: Layout, path: list[str | int]) -> Place:
    scalar = source.scalar(path)
    if scalar is not None and scalar.style not in ("|", ">"):
        return layout.place(scalar.start, scalar.end)
    line, column = source.position(path)
    return Place(line, column, line, column)


def _named(source: Source, kind: str, layout: Layout) -> Iterator[tuple[str, Place]]:
    """Yield the cards that a file of another kind names: a deck its cards, a list of errata or bans its entries'."""
    if kind == "deck":
        for part, cards in source.plain["parts"].items():
            for name in cards:
                line, column = source.key_position(["parts", part], name)
                yield name, Place(line, column, line, column + len(name))
    elif kind in ("errata", "bans"):
        for position, entry in enumerate(cast(list[dict[str, str]], source.plain)):
            yield entry["card"], _place(source, layout, [position, "card"])
