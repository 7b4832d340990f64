"""Scenarios as they are written: a game position, some choices, and what must then be true.

The format is closed and published (``rulesdb/scenario.schema.json``); ``docs/scenarios.md`` explains it to a judge.
Here files become values, each with the place it came from; :mod:`rulewright.play.position` sets the pieces up and
:mod:`rulewright.play.runner` makes the choices and looks at what came of them.
"""

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.data_files import DataFileError, Problem, Source, read
from rulewright.errors import RulewrightError, UsageError
from rulewright.paths import data_dir

if TYPE_CHECKING:
    from jsonschema import ValidationError

SCHEMA = "scenario.schema.json"
"""The schema of scenario files, in the folder ``rulesdb``."""

Plain = Any
"""A part of a scenario as YAML gives it."""


class ScenarioError(RulewrightError):
    """A scenario cannot be run as it is written; ``place`` is ``file:line``."""


@dataclass(frozen=True, slots=True)
class Line:
    """One step or one expectation: what is written, and where."""

    said: Plain
    place: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """One run: a scenario, or one variant of it.

    ``cards`` are the cards made for it, ``given`` the position, ``when`` the choices in order, ``then`` what must be
    true after them; ``rules`` are shown by it, ``ruling`` is the judged question that it answers.
    """

    name: str
    rules: tuple[str, ...]
    game: str
    cards: Mapping[str, Mapping[str, Plain]]
    given: Mapping[str, Plain]
    when: tuple[Line, ...]
    then: tuple[Line, ...]
    place: str
    ruling: str | None = None
    note: str | None = None
    variant: str | None = None

    @property
    def title(self) -> str:
        """The name, with that of the variant."""
        return self.name if self.variant is None else f"{self.name} ({self.variant})"


@dataclass(frozen=True, slots=True)
class Piece:
    """One object of a position: the card it is, what it is called here, and its condition.

    ``might`` and ``keywords`` are those of a unit made on the spot (``Guard 3 [Tank]``); ``count`` is that of cards
    that do nothing (``4 cards``).
    """

    name: str
    card: str
    might: int | None = None
    keywords: str = ""
    states: tuple[str, ...] = ()
    damage: int = 0
    buffs: int = 0
    wearing: tuple["Piece", ...] = ()
    owner: str | None = None
    controller: str | None = None
    copy_of: str | None = None
    count: int = field(default=1)


def load(path: Path) -> list[Scenario]:
    """Read the scenarios of one file, or of all ``*.yaml`` files below a folder, with their variants.

    Raises :class:`UsageError` where nothing is there, :class:`ScenarioError` with file, line and reason where the
    file is not a list of scenarios.
    """
    if path.is_dir():
        files = sorted(path.rglob("*.yaml"))
        if not files:
            raise UsageError("there are no scenarios (*.yaml) in this folder", place=str(path))
        return [scenario for file in files for scenario in load(file)]
    if not path.is_file():
        raise UsageError("there is no such scenario file", place=str(path))
    source = _checked(path)
    return [run for position in range(len(source.plain or ())) for run in _runs(source, position)]


def piece(written: Plain, place: str) -> Piece:
    """Read one object of a position, in short or at length.

    >>> piece("Guard 3 [Tank] (exhausted, damage 1)", "duel.yaml:3")
    Piece(name='Guard', card='Guard', might=3, keywords='[Tank]', states=('exhausted',), damage=1, buffs=0, \
wearing=(), owner=None, controller=None, copy_of=None, count=1)
    >>> piece("4 cards", "duel.yaml:3").count
    4
    """
    if isinstance(written, str):
        return _short(written, place)
    short = _short(written["name"], place)
    return Piece(
        name=short.name,
        card=written.get("card", short.card),
        might=short.might,
        keywords=short.keywords,
        states=(*short.states, *written.get("states", ())),
        damage=written.get("damage", short.damage),
        buffs=written.get("buffs", short.buffs),
        wearing=tuple(piece(item, place) for item in written.get("wearing", ())),
        owner=written.get("owner"),
        controller=written.get("controller"),
        copy_of=written.get("copy of"),
    )


def resources(written: str, place: str) -> dict[str, int]:
    """Read a pool: ``2 energy 1 fury 1 any``, ``0``.

    >>> resources("2 energy 1 fury", "duel.yaml:3")
    {'energy': 2, 'fury': 1}
    """
    found: dict[str, int] = {}
    if written.strip() in ("0", "empty", ""):
        return found
    if re.fullmatch(r"(\s*\d+ [a-z]+,?)+", written) is None:
        raise ScenarioError(
            f"the pool {written!r} is not read; write it as 2 energy 1 fury 1 any", place=place
        )
    for amount, kind in re.findall(r"(\d+) ([a-z]+)", written):
        found[kind] = found.get(kind, 0) + int(amount)
    return found


_FILLER = re.compile(r"(?P<count>\d+) cards?")
_SHORT = re.compile(
    r"(?P<name>[^\[\]()]*?)(?: (?P<might>\d+))?(?P<keywords>(?: ?\[[^\]]+\],?)*)(?: ?\((?P<states>[^)]*)\))?"
)
_COUNTED = re.compile(r"(?P<what>damage|buffs) (?P<amount>\d+)")


def _short(written: str, place: str) -> Piece:
    filler = _FILLER.fullmatch(written)
    if filler is not None:
        return Piece(name="", card="", count=int(filler["count"]))
    match = _SHORT.fullmatch(written.strip())
    if match is None or not match["name"].strip():
        raise ScenarioError(
            f"{written!r} is not read as an object",
            place=place,
            help='write it as "Guard 3 [Tank] (exhausted, damage 1)"',
        )
    counted = {"damage": 0, "buffs": 0}
    states: list[str] = []
    for state in filter(None, (part.strip() for part in (match["states"] or "").split(","))):
        number = _COUNTED.fullmatch(state)
        if number is not None:
            counted[number["what"]] = int(number["amount"])
        elif state == "buffed":
            counted["buffs"] = 1
        elif state != "ready":
            states.append(state)
    return Piece(
        name=match["name"].strip(),
        card=match["name"].strip(),
        might=None if match["might"] is None else int(match["might"]),
        keywords=match["keywords"].strip(),
        states=tuple(states),
        damage=counted["damage"],
        buffs=counted["buffs"],
    )


def _checked(path: Path) -> Source:
    try:
        source = read(path, str(path), decimals_are_text=True)
    except DataFileError as error:
        raise ScenarioError(error.message, place=error.place) from error
    problems = list(_problems(source))
    if problems:
        first, *rest = problems
        message = "\n".join([first.message, *map(str, rest[:20])])
        raise ScenarioError(message, place=first.place, help=first.help)
    return source


def _problems(source: Source) -> Iterator[Problem]:
    from jsonschema import Draft202012Validator

    for error in Draft202012Validator(_schema()).iter_errors(source.plain):
        yield _problem(source, _sharpest(error))


@cache
def _schema() -> Plain:
    return json.loads((data_dir() / "rulesdb" / SCHEMA).read_bytes())


def _sharpest(error: "ValidationError") -> "ValidationError":
    """Where several forms would do and none fits, the fault of the form that its keys point at."""
    while error.context:
        branches: dict[Any, list[ValidationError]] = {}
        for each in error.context:
            branches.setdefault(each.schema_path[0], []).append(each)
        meant = max(branches.values(), key=_closeness)
        error = max(meant, key=lambda each: len(each.path))
    return error


def _closeness(branch: "list[ValidationError]") -> tuple[bool, bool, int]:
    top = {each.validator for each in branch if not each.path}
    return not top & {"type", "enum", "const"}, "required" not in top, max(len(each.path) for each in branch)


def _problem(source: Source, error: "ValidationError") -> Problem:
    path = list(error.absolute_path)
    if error.validator != "additionalProperties":
        message = (
            error.message if len(error.message) < 200 else "this is not one of the forms that may stand here"
        )
        return Problem(source.place(path), message, "docs/scenarios.md has the forms")
    part = error.schema if isinstance(error.schema, dict) else {}
    known = sorted(part.get("properties", {}))
    patterns = part.get("patternProperties", {})
    written: Mapping[str, Plain] = error.instance if isinstance(error.instance, dict) else {}
    unknown = next(
        key
        for key in written
        if key not in known and not any(re.search(pattern, key) for pattern in patterns)
    )
    close = difflib.get_close_matches(unknown, known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"the keys are {', '.join([*known, *patterns])}"
    return Problem(source.place([*path, unknown]), f"unknown key {unknown!r}", hint)


def _runs(source: Source, position: int) -> Iterator[Scenario]:
    written = source.plain[position]
    variants: Sequence[Mapping[str, Plain]] = written.get("variants", ({},))
    for number, variant in enumerate(variants):
        at: list[str | int] = [position, "variants", number] if "variants" in written else [position]
        yield Scenario(
            name=written["name"],
            rules=tuple(written["rules"]),
            game=written.get("game", "riftbound"),
            cards={**written.get("cards", {}), **variant.get("cards", {})},
            given=_merged(written["given"], variant.get("given", {})),
            when=(*_lines(source, [position, "when"]), *_lines(source, [*at, "when"], variant)),
            then=(*_lines(source, [position, "then"]), *_lines(source, [*at, "then"], variant)),
            place=source.place(at),
            ruling=written.get("ruling"),
            note=written.get("note"),
            variant=variant.get("name"),
        )


def _merged(common: Mapping[str, Plain], own: Mapping[str, Plain]) -> dict[str, Plain]:
    """A variant's position: mappings are merged, whatever else it names takes the place of the common part."""
    merged = dict(common)
    for key, value in own.items():
        before = merged.get(key)
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        merged[key] = _merged(before, value) if both else value  # type: ignore[arg-type]
    return merged


def _lines(source: Source, path: list[str | int], owner: Mapping[str, Plain] | None = None) -> Iterator[Line]:
    """The steps or expectations below a path; for a variant only where it is one."""
    if owner is not None and path[-1] not in owner:
        return
    said = source.plain
    for key in path:
        if isinstance(said, Mapping) and key not in said:
            return
        said = said[key]
    for number, line in enumerate(said):
        yield Line(line, source.place([*path, number]))
