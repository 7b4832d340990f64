"""Looks references up as a person gives them, also with the numbers of an earlier version."""

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.rules.database import RulesDatabase, UnknownRuleError, ascending, named_numbers
from rulewright.rules.entries import Entry
from rulewright.rules.numbers import ancestors, sort_key
from rulewright.rules.versions import Version


@dataclass(frozen=True, slots=True)
class Found:
    """What a reference led to; ``notes`` say how it got there, where that is not plain."""

    reference: str
    entries: tuple[Entry, ...]
    notes: tuple[str, ...]


def look_up(rules: RulesDatabase, reference: str, version: Version | None = None) -> Iterator[Found]:
    """Yield what each part of a reference leads to; the parts are those between commas.

    With a version, numbers are that version's, and a note says what they are today. Raises :class:`UnknownRuleError`.
    """
    parts = [part.strip() for part in reference.split(",")]
    for text in [part for part in parts if part] or [""]:
        yield _of_today(rules, text) if version is None else _as_of(rules, text, version)


def _of_today(rules: RulesDatabase, text: str) -> Found:
    return Found(text, tuple(rules.resolve(text)), ())


def _as_of(rules: RulesDatabase, text: str, version: Version) -> Found:
    match named_numbers(text):
        case (number,):
            return _number_as_of(rules, number, version)
        case (first, last):
            return _range_as_of(rules, text, first, last, version)
    entries = rules.resolve(text)
    notes = tuple(_then(rules, entry, version) for entry in entries)
    return Found(text, tuple(entries), notes)


def _number_as_of(rules: RulesDatabase, number: str, version: Version) -> Found:
    heirs = rules.history.heirs(version, number)
    if not heirs:
        raise UnknownRuleError(
            f"the rules of {version.date} have no {number}", help=_near(rules, number, version)
        )
    entries, notes = [], []
    for heir in heirs:
        if heir.number is None:
            assert heir.removed_in is not None
            notes.append(f"{number} of {version.date} was removed in {heir.removed_in.date}")
            continue
        entries.append(rules.entry(heir.number))
        notes.append(f"{number} of {version.date} is {heir.number}{_since(rules, heir.number, version)}")
    if not entries:
        raise UnknownRuleError("; ".join(notes), help=_heir_above(rules, number, version))
    return Found(number, tuple(entries), tuple(notes))


def _range_as_of(rules: RulesDatabase, text: str, first: str, last: str, version: Version) -> Found:
    low, high = ascending(first, last)
    below = last + "."
    numbers = [
        number
        for number in rules.history.numbers(version)
        if low <= sort_key(number) <= high or number.startswith(below)
    ]
    heirs = {number: heir for number in numbers for heir in rules.history.heirs(version, number)}
    entries = [rules.entry(heir.number) for heir in heirs.values() if heir.number is not None]
    if not entries:
        raise UnknownRuleError(
            f"the rules of {version.date} have nothing from {first} to {last} that is left"
        )
    ordered = sorted(entries, key=lambda entry: sort_key(entry.number))
    notes = [f"{text} of {version.date} is {ordered[0].number} to {ordered[-1].number}"]
    if gone := [number for number, heir in heirs.items() if heir.number is None]:
        notes.append(f"removed since: {', '.join(gone)}")
    return Found(text, tuple(ordered), tuple(notes))


def _since(rules: RulesDatabase, number: str, version: Version) -> str:
    base = rules.version
    today = f" in {base.date}" if base else ""
    reworded = [
        stage.version.date
        for stage in rules.history.stages(number)
        if stage.reworded and stage.version.date > version.date
    ]
    return today + (f"; reworded in {', '.join(reworded)}" if reworded else "")


def _then(rules: RulesDatabase, entry: Entry, version: Version) -> str:
    number = rules.history.number_in(version, entry.number)
    if number is None:
        return f"{entry.number} was not in the rules of {version.date}"
    return f"{entry.number} was {number} in {version.date}"


def _near(rules: RulesDatabase, number: str, version: Version) -> str | None:
    known = set(rules.history.numbers(version))
    above = next((there for there in ancestors(number) if there in known), None)
    if above is not None:
        return f"it has {above}"
    return f"{number} is a number of today" if number in rules else None


def _heir_above(rules: RulesDatabase, number: str, version: Version) -> str | None:
    for above in ancestors(number):
        for heir in rules.history.heirs(version, above):
            if heir.number is not None:
                return f"{above}, which it stood under, is {heir.number}"
    return None
