"""How a folder wants to be checked: ``[tool.rulewright]`` in ``pyproject.toml``, or ``rulewright.toml`` by itself."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulewright.cards.checks.findings import Finding, pages
from rulewright.data_files import text_of
from rulewright.errors import UsageError

OWN_FILE, SHARED_FILE, SECTION = "rulewright.toml", "pyproject.toml", "rulewright"


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that is known and meant: the card, the code, and why."""

    card: str
    code: str
    because: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What is looked for and where cards are known from.

    ``select`` and ``ignore`` are codes or their beginnings; the longer one decides where both fit. ``sets`` are files
    or folders with cards that are known and not checked. ``strict`` makes warnings end with 1, ``accept`` has findings
    that are meant. ``file`` is where it was read, empty for the defaults.
    """

    select: tuple[str, ...] = ("RW",)
    ignore: tuple[str, ...] = ()
    sets: tuple[Path, ...] = ()
    strict: bool = False
    accept: tuple[Accepted, ...] = ()
    file: str = ""

    def wants(self, code: str) -> bool:
        """Tell whether findings with a code are asked for.

        >>> Settings(select=("RW1", "RW201"), ignore=("RW103",)).wants("RW103")
        False
        """
        return _longest(self.select, code) > _longest(self.ignore, code)

    def accepts(self, finding: Finding) -> bool:
        """Tell whether a finding is known and meant."""
        return any(one.code == finding.code and one.card == finding.card for one in self.accept)

    def filtered(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Give the findings that are asked for and not accepted, in the order of files and places."""
        wanted = (one for one in findings if self.wants(one.code) and not self.accepts(one))
        return tuple(
            sorted(
                dict.fromkeys(wanted), key=lambda one: (one.file, one.place.line, one.place.column, one.code)
            )
        )

    def with_codes(self, select: Iterable[str], ignore: Iterable[str]) -> "Settings":
        """Give the settings with codes from the command line, which go before those of the file."""
        select, ignore = tuple(map(_code, select)), tuple(map(_code, ignore))
        return replace(self, select=select or self.select, ignore=(*self.ignore, *ignore))


def _longest(prefixes: Iterable[str], code: str) -> int:
    return max((len(one) for one in prefixes if code.startswith(one)), default=0)


def find_settings(start: Path) -> Settings:
    """Give the settings of a folder: its own file's, or those of the nearest folder above that has any."""
    here = (start if start.is_dir() else start.parent).absolute()
    for folder in (here, *here.parents):
        for name in (OWN_FILE, SHARED_FILE):
            path = folder / name
            if path.is_file() and (settings := read_settings(path)) is not None:
                return settings
    return Settings()


def read_settings(path: Path) -> Settings | None:
    """Read the settings of a file; nothing where it is a ``pyproject.toml`` without any.

    Raises :class:`UsageError` for what is no TOML, for an unknown key, and for a code that there is not.
    """
    try:
        plain: dict[str, Any] = tomllib.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"this is no TOML: {error}", place=str(path)) from error
    if path.name == SHARED_FILE:
        tool = plain.get("tool")
        if not isinstance(tool, dict) or SECTION not in tool:
            return None
        plain = tool[SECTION]
    known = {"select", "ignore", "sets", "strict", "accept"}
    for key in plain:
        if key not in known:
            raise UsageError(
                f"unknown key {key!r}", place=str(path), help=f"the keys are {', '.join(sorted(known))}"
            )
    return Settings(
        select=_codes(plain, "select", path) or ("RW",),
        ignore=_codes(plain, "ignore", path),
        sets=tuple(path.parent / one for one in _texts(plain, "sets", path)),
        strict=_truth(plain, "strict", path),
        accept=tuple(_accepted(one, path) for one in _listed(plain, "accept", path)),
        file=str(path),
    )


def _accepted(plain: Mapping[str, Any], path: Path) -> Accepted:
    if not isinstance(plain, dict) or set(plain) != {"card", "code", "because"}:
        raise UsageError("what is accepted has a card, a code and a reason (because)", place=str(path))
    return Accepted(str(plain["card"]), _code(str(plain["code"])), str(plain["because"]))


def _truth(plain: Mapping[str, Any], key: str, path: Path) -> bool:
    said = plain.get(key, False)
    if not isinstance(said, bool):
        raise UsageError(f"{key} is true or false", place=str(path))
    return said


def _listed(plain: Mapping[str, Any], key: str, path: Path) -> tuple[Any, ...]:
    said = plain.get(key, [])
    if not isinstance(said, list):
        raise UsageError(f"{key} is a list", place=str(path))
    return tuple(said)


def _texts(plain: Mapping[str, Any], key: str, path: Path) -> tuple[str, ...]:
    said = plain.get(key, [])
    if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
        raise UsageError(f"{key} is a list of texts", place=str(path))
    return tuple(said)


def _codes(plain: Mapping[str, Any], key: str, path: Path) -> tuple[str, ...]:
    return tuple(_code(one) for one in _texts(plain, key, path))


def _code(said: str) -> str:
    code = said.strip().upper()
    by_name = {page.name.upper(): page.code for page in pages().values()}
    code = by_name.get(code, code)
    if not code or not any(known.startswith(code) for known in pages()):
        raise UsageError(f"there is no diagnostic {said!r}", help="rulewright explain lists them all")
    return code
