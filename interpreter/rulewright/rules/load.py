"""Loads the rules database of a game: reads the files, checks them, keeps the result under a hash of their content.

The folder ``rulesdb/<game>`` holds entry files (``*.yaml``, in any folders), ``versions/*.yaml`` with one version
of the rules document each, and ``search.yaml`` with what look-up knows about words. Another game is another folder.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from rulewright import cache
from rulewright.data_files import DataFileError, Plain, Problem, Source, parse, schema_problems
from rulewright.errors import UsageError
from rulewright.paths import data_dir
from rulewright.rules.checks import joint_problems, placed_entries, word_problems
from rulewright.rules.database import RulesDatabase
from rulewright.rules.entries import entry_from
from rulewright.rules.search import Words
from rulewright.rules.versions import Version, version_from

SCHEMA = "rules.schema.json"
"""The schema of all files, in the folder ``rulesdb``."""

_VERSIONS, _SEARCH = "versions/", "search.yaml"


def load(game: str = "riftbound", root: Path | None = None) -> RulesDatabase:
    """Load the rules of a game from ``root``/rulesdb (by default the data folder's).

    Raises :class:`DataFileError` with file, line and reason of everything that is wrong in the files, and
    :class:`UsageError` where there is no such game.
    """
    folder = (data_dir() if root is None else root) / "rulesdb"
    contents = _contents(folder, game)
    schema = (folder / SCHEMA).read_bytes() if (folder / SCHEMA).is_file() else _own_schema()
    key = cache.content_key(schema, *(part for name in contents for part in (name, contents[name])))
    stored = cache.load("rules", key)
    if stored is None:
        checked = _checked(contents, json.loads(schema))
        stored = json.dumps(checked, ensure_ascii=False, separators=(",", ":")).encode()
        cache.store("rules", key, stored)
    return _database(game, json.loads(stored), key)


def games(root: Path | None = None) -> list[str]:
    """Give the games that have rules, in the order of the alphabet."""
    folder = (data_dir() if root is None else root) / "rulesdb"
    return sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def _own_schema() -> bytes:
    # A game that lives in a folder of its own, with no schema beside it, is held to ours.
    return (data_dir() / "rulesdb" / SCHEMA).read_bytes()


def _contents(folder: Path, game: str) -> dict[str, bytes]:
    here = folder / game
    if not game or not here.is_dir() or here.parent != folder:
        known = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
        raise UsageError(
            f"there are no rules of a game {game!r}",
            place=str(folder),
            help=f"the games are {', '.join(known)}" if known else None,
        )
    files = {path.relative_to(here).as_posix(): path for path in here.rglob("*.yaml")}
    return {name: files[name].read_bytes() for name in sorted(files)}


def _checked(contents: Mapping[str, bytes], schema: Plain) -> Plain:
    sources: list[Source] = []
    problems: list[Problem] = []
    for name, content in contents.items():
        try:
            source = parse(content, name)
        except DataFileError as error:
            problems += error.problems
            continue
        found = list(schema_problems(source, schema, _kind(name)))
        problems += found
        if not found:
            sources.append(source)
    if problems:
        raise DataFileError(problems)
    placed = [entry for source in sources for entry in placed_entries(source, _entries_at(source.file))]
    problems += joint_problems(placed)
    for source in sources:
        if source.file == _SEARCH:
            problems += word_problems(source, placed)
    if problems:
        raise DataFileError(problems)
    versions = [source.plain for source in sources if _kind(source.file) == "version"]
    return {
        "entries": [[source.file, entry] for source, _, entry in placed],
        "versions": versions,
        "search": next((source.plain for source in sources if source.file == _SEARCH), None) or {},
    }


def _kind(name: str) -> str | None:
    if name == _SEARCH:
        return "search"
    return "version" if name.startswith(_VERSIONS) else None


def _entries_at(name: str) -> tuple[str, ...]:
    # The search words hold no entries: nothing is found below a key that the schema does not have.
    return {None: (), "version": ("entries",), "search": ("entries",)}[_kind(name)]


def _database(game: str, plain: Plain, digest: str) -> RulesDatabase:
    versions: list[Version] = [version_from(version) for version in plain["versions"]]
    entries = [entry_from(entry, file) for file, entry in plain["entries"]]
    return RulesDatabase(game, entries, versions, Words.from_plain(plain["search"]), digest)
