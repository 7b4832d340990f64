"""Counts what becomes of the rules: their statuses, what carries the executable ones out, which scenarios show them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.data_files import DataFileError, Plain, Problem, read
from rulewright.rules.database import RulesDatabase
from rulewright.rules.entries import CARRIER_KINDS, STATUSES, Entry
from rulewright.rules.numbers import is_number


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a section, or of all: a leaf is a rule with none under it.

    ``statuses`` counts all entries, ``leaf_statuses`` the leaves. ``carried_by`` counts the executable leaves by what
    carries them out; one leaf may count more than once there. ``bare`` are executable leaves that nothing carries
    out, ``unshown`` those that no scenario shows.
    """

    section: str
    entries: int
    leaves: int
    statuses: Mapping[str, int]
    leaf_statuses: Mapping[str, int]
    carried_by: Mapping[str, int]
    bare: tuple[str, ...]
    unshown: tuple[str, ...]

    @property
    def executable_leaves(self) -> int:
        """The number of executable leaves."""
        return self.leaf_statuses["executable"]

    @property
    def carried_out(self) -> int:
        """The number of executable leaves that something carries out."""
        return self.executable_leaves - len(self.bare)

    @property
    def shown(self) -> int:
        """The number of executable leaves that a scenario shows."""
        return self.executable_leaves - len(self.unshown)


def count(rules: RulesDatabase, shown_by: Mapping[str, list[str]]) -> tuple[Counts, list[Counts]]:
    """Count all rules of the base version, and those of each section.

    ``shown_by`` has, for each number, the scenarios that show it; see :func:`scenarios_by_rule`.
    """
    sections: dict[str, list[Entry]] = {}
    for entry in rules.base_entries:
        sections.setdefault(rules.section(entry.number), []).append(entry)
    each = [_count(rules, section, entries, shown_by) for section, entries in sections.items()]
    return _count(rules, "all", list(rules.base_entries), shown_by), each


def _count(
    rules: RulesDatabase, section: str, entries: list[Entry], shown_by: Mapping[str, list[str]]
) -> Counts:
    leaves = [entry for entry in entries if rules.is_leaf(entry.number)]
    executable = [entry for entry in leaves if entry.status == "executable"]
    carriers = {entry.number: rules.carriers(entry.number) for entry in executable}
    carried = Counter(kind for found in carriers.values() for kind in {carrier.kind for carrier in found})
    return Counts(
        section=section,
        entries=len(entries),
        leaves=len(leaves),
        statuses=_by_status(entries),
        leaf_statuses=_by_status(leaves),
        carried_by={kind: carried[kind] for kind in CARRIER_KINDS},
        bare=tuple(entry.number for entry in executable if not carriers[entry.number]),
        unshown=tuple(entry.number for entry in executable if entry.number not in shown_by),
    )


def _by_status(entries: list[Entry]) -> dict[str, int]:
    found = Counter(entry.status for entry in entries)
    return {status: found[status] for status in STATUSES}


def scenarios_by_rule(folder: Path) -> dict[str, list[str]]:
    """Give, for each number that a scenario under a folder lists under ``rules``, the names of those scenarios.

    Raises :class:`DataFileError` where a file is not YAML, or a scenario's ``rules`` is not a list of numbers.
    """
    shown: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.yaml")) if folder.is_dir() else ():
        source = read(path, path.relative_to(folder).as_posix(), decimals_are_text=True)
        for position, scenario in enumerate(_scenarios(source.plain)):
            numbers = scenario.get("rules", [])
            if not isinstance(numbers, list) or not all(isinstance(n, str) and is_number(n) for n in numbers):
                place = source.place([position, "rules"])
                raise DataFileError(
                    [Problem(place, f"{numbers!r} is not a list of rule numbers", "quote each: '355.10'")]
                )
            for number in numbers:
                shown.setdefault(number, []).append(str(scenario.get("name", source.file)))
    return shown


def _scenarios(plain: Plain) -> Iterator[Mapping[str, Plain]]:
    for scenario in plain if isinstance(plain, list) else [plain]:
        if isinstance(scenario, Mapping):
            yield scenario
