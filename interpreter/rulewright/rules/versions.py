"""The versions of a rules document: which number a rule had when, and what each update changed.

Each version's file says what it changed against the version before it. One version is the *base*: the entries carry
its numbers. From there the steps are walked back, so that every number of every version is known, also the numbers
of rules that are gone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from rulewright.data_files import Plain
from rulewright.days import is_day
from rulewright.errors import UsageError
from rulewright.rules.numbers import ancestors, sort_key


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the rules document, and what it changed against the one before.

    ``date`` is the date printed in it, ``in_force`` its first day where that is known. ``renumbered`` maps its
    numbers to those of the version before; sub-rules follow their parent unless they are listed themselves.
    """

    date: str
    name: str
    in_force: str | None
    base: bool
    partial: bool
    changes: tuple[str, ...] = field(repr=False)
    renumbered: Mapping[str, str] = field(repr=False)
    reworded: frozenset[str] = field(repr=False)
    added: frozenset[str] = field(repr=False)
    removed: frozenset[str] = field(repr=False)

    def number_before(self, number: str) -> str | None:
        """Give the number that a rule of this version had in the version before it, or nothing where it is new."""
        if number in self.added:
            return None
        for known in (number, *ancestors(number)):
            if known in self.renumbered:
                return self.renumbered[known] + number[len(known) :]
        return number


def version_from(plain: Mapping[str, Plain]) -> Version:
    """Make a version from the mapping that its file holds; the mapping has passed the schema."""
    return Version(
        date=plain["version"],
        name=plain["name"],
        in_force=plain.get("in_force"),
        base=plain.get("base", False),
        partial=plain.get("partial", False),
        changes=tuple(plain.get("changes", ())),
        renumbered=dict(plain.get("renumbered", {})),
        reworded=frozenset(plain.get("reworded", ())),
        added=frozenset(plain.get("added", ())),
        removed=frozenset(plain.get("removed", ())),
    )


@dataclass(frozen=True, slots=True)
class Heir:
    """What became of a number of an earlier version: the rule it is today, or the version that removed it."""

    number: str | None
    removed_in: Version | None


@dataclass(frozen=True, slots=True)
class Stage:
    """A rule in one version: its number there, or nothing where the version does not have it."""

    version: Version
    number: str | None
    added: bool
    renumbered: bool
    reworded: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """What lies between two versions: facts, and the numbers that came, went, moved or were reworded.

    ``renumbered`` has pairs of the earlier and the later number; so has ``reworded``.
    """

    earlier: Version
    later: Version
    changes: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    renumbered: tuple[tuple[str, str], ...]
    reworded: tuple[tuple[str, str], ...]


class History:
    """All versions of a rules document, over the numbers of its base version."""

    def __init__(self, versions: Iterable[Version], base_numbers: Sequence[str]) -> None:
        self.versions = tuple(sorted(versions, key=lambda version: version.date))
        self._base_numbers = base_numbers

    @property
    def base(self) -> Version | None:
        """The version whose numbers the entries carry; nothing where the game has no versions."""
        return next((version for version in self.versions if version.base), None)

    def as_of(self, day: str) -> Version:
        """Give the version with this printed date, or else the one in force on that day.

        Raises :class:`UsageError` where the text is no date, or lies before the first version.
        """
        for version in self.versions:
            if version.date == day:
                return version
        if not is_day(day):
            raise UsageError(f"{day!r} is not a date like 2026-03-30", help=self._known())
        in_force = [version for version in self.versions if (version.in_force or version.date) <= day]
        if not in_force:
            raise UsageError(f"no version of the rules was in force on {day}", help=self._known())
        return in_force[-1]

    def _known(self) -> str | None:
        dates = ", ".join(version.date for version in self.versions)
        return f"the versions are {dates}" if dates else None

    def number_in(self, version: Version, number: str) -> str | None:
        """Give the number that today's rule had in a version, or nothing where that version had no such rule."""
        return self._numbers[version.date].get(number)

    def heirs(self, version: Version, number: str) -> list[Heir]:
        """Give what became of a version's number.

        The list is empty where the version has no such number. It has more than one where a document printed one
        number twice.
        """
        return [self._heir(identity) for identity in self._identities[version.date].get(number, ())]

    def _heir(self, identity: str) -> Heir:
        number, _, last = identity.partition("@")
        if not last:
            return Heir(number, None)
        after = next(later for before, later in pairwise(self.versions) if before.date == last)
        return Heir(None, after)

    def numbers(self, version: Version) -> list[str]:
        """Give every number of a version, in order."""
        return sorted(self._identities[version.date], key=sort_key)

    def stages(self, number: str) -> list[Stage]:
        """Give what a rule of today was in each version, from the first to the last."""
        numbers = [self._numbers[version.date].get(number) for version in self.versions]
        return [
            Stage(
                version,
                now,
                added=now is not None and position > 0 and numbers[position - 1] is None,
                renumbered=now is not None and position > 0 and numbers[position - 1] not in (None, now),
                reworded=now in version.reworded,
            )
            for position, (version, now) in enumerate(zip(self.versions, numbers, strict=True))
        ]

    def diff(self, earlier: Version, later: Version) -> Difference:
        """Give what changed from one version to a later one. Raises :class:`UsageError` where it is not later."""
        first, last = self.versions.index(earlier), self.versions.index(later)
        if first >= last:
            raise UsageError(
                f"{later.date} is not later than {earlier.date}",
                help=f"write the earlier one first: {later.date} {earlier.date}" if first > last else None,
            )
        steps = self.versions[first + 1 : last + 1]
        old, new = self._numbers[earlier.date], self._numbers[later.date]
        both = sorted(((old[rule], new[rule]) for rule in old.keys() & new.keys()), key=_by_later)
        touched = {
            identity
            for step in steps
            for number in step.reworded
            for identity in self._identities[step.date].get(number, ())
        }
        reworded = sorted(
            ((old[rule], new[rule]) for rule in touched & old.keys() & new.keys()), key=_by_later
        )
        return Difference(
            earlier,
            later,
            changes=tuple(fact for step in steps for fact in step.changes),
            added=tuple(sorted((new[rule] for rule in new.keys() - old.keys()), key=sort_key)),
            removed=tuple(sorted((old[rule] for rule in old.keys() - new.keys()), key=sort_key)),
            renumbered=tuple(pair for pair in both if pair[0] != pair[1]),
            reworded=tuple(reworded),
        )

    @cached_property
    def _numbers(self) -> dict[str, dict[str, str]]:
        """For each version, each rule's number there. A rule is known by its number in the base version.

        A rule that was removed before is known by its last number and the date of its last version (``103.2@2025-10``).
        """
        base = self.base
        if base is None:
            return {}
        at = self.versions.index(base)
        numbers = {base.date: {number: number for number in self._base_numbers}}
        for before, version in reversed(list(pairwise(self.versions[: at + 1]))):
            earlier = {rule: version.number_before(now) for rule, now in numbers[version.date].items()}
            gone = {f"{number}@{before.date}": number for number in version.removed}
            numbers[before.date] = {
                rule: number for rule, number in earlier.items() if number is not None
            } | gone
        for before, version in pairwise(self.versions[at:]):
            numbers[version.date] = _forward(numbers[before.date], version)
        return numbers

    @cached_property
    def _identities(self) -> dict[str, dict[str, list[str]]]:
        identities: dict[str, dict[str, list[str]]] = {}
        for date, numbers in self._numbers.items():
            there = identities.setdefault(date, {})
            for rule, number in numbers.items():
                there.setdefault(number, []).append(rule)
        return identities


def _forward(numbers: Mapping[str, str], version: Version) -> dict[str, str]:
    """Carry the numbers of the version before a version over to it; what it adds is known by its number in it."""
    later = {old: new for new, old in version.renumbered.items()}
    carried = {}
    for rule, number in numbers.items():
        if number not in version.removed:
            known = next((known for known in (number, *ancestors(number)) if known in later), None)
            carried[rule] = number if known is None else later[known] + number[len(known) :]
    return carried | {number: number for number in version.added}


def _by_later(pair: tuple[str, str]) -> tuple[tuple[int, int, str], ...]:
    return sort_key(pair[1])
