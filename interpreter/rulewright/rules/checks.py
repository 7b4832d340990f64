"""Checks the entries of a rules database together.

The schema (``rulesdb/rules.schema.json``) says what a file may hold. Here is what one file cannot show: no number
twice, every reference leads somewhere, numbers in order, names of keywords, tables and procedures used once.
"""

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence

from rulewright.data_files import Plain, Problem, Source
from rulewright.rules.entries import more_rows
from rulewright.rules.numbers import is_number, sort_key

Placed = tuple[Source, Sequence[str | int], dict[str, Plain]]
"""An entry as plain data, with where it stands: the file, and the keys that lead to it."""


def placed_entries(source: Source, path: Sequence[str | int] = ()) -> Iterator[Placed]:
    """Yield the entries of a file that has passed the schema, or those below a key of it."""
    entries = source.plain
    for step in path:
        entries = entries.get(step)
    for position, entry in enumerate(entries or ()):
        yield source, [*path, position], entry


def joint_problems(placed: Sequence[Placed]) -> Iterator[Problem]:
    """Yield what only all entries together show."""
    numbers = {entry["rule"] for _, _, entry in placed}
    yield from _repeated(placed, lambda entry: entry["rule"], "rule")
    for key in ("keyword", "table", "procedure"):
        yield from _repeated(
            placed,
            lambda entry, key=key: None if _adds(entry) else _name(entry, key),  # type: ignore[misc]
            key,
        )
    yield from _wrong_additions(placed)
    yield from _out_of_order(placed)
    yield from _unknown_carriers(placed)
    for source, path, entry in placed:
        for position, target in enumerate(entry.get("see", ())):
            if target not in numbers:
                place = source.place([*path, "see", position])
                yield Problem(
                    place,
                    f"rule {entry['rule']} refers to {target}, which is no rule",
                    _near(target, numbers),
                )


def word_problems(source: Source, placed: Sequence[Placed]) -> Iterator[Problem]:
    """Yield the search words that lead to a rule that is not there."""
    numbers = {entry["rule"] for _, _, entry in placed}
    for term, targets in source.plain.get("terms", {}).items():
        for position, target in enumerate(targets):
            if target not in numbers:
                place = source.place(["terms", term, position])
                yield Problem(place, f"{term!r} leads to {target}, which is no rule", _near(target, numbers))
    for number in source.plain.get("asked", {}):
        if number not in numbers:
            yield Problem(
                source.place(["asked", number]), f"there is no rule {number}", _near(number, numbers)
            )


def _unknown_carriers(placed: Sequence[Placed]) -> Iterator[Problem]:
    """Yield what a ``by`` names that is data and is not there; the primitives are the kernel's to know."""
    known = {
        kind: {name for _, _, entry in placed if (name := _name(entry, kind)) is not None}
        for kind in ("keyword", "table", "procedure")
    }
    known["means"] = {entry["rule"] for _, _, entry in placed if "means" in entry}
    for source, path, entry in placed:
        for position, text in enumerate(entry.get("by", ())):
            kind, _, name = text.partition(" ")
            if name and name.casefold() not in known[kind]:
                close = difflib.get_close_matches(name.casefold(), known[kind], n=1, cutoff=0.7)
                yield Problem(
                    source.place([*path, "by", position]),
                    f"rule {entry['rule']} is carried out by the {kind} {name}, which is not there",
                    f"did you mean {kind} {close[0]}?" if close else None,
                )


def _wrong_additions(placed: Sequence[Placed]) -> Iterator[Problem]:
    """Yield the rows that are added to a table that is not there, or that has them."""
    rows: dict[str, Plain] = {
        name: entry["table"]["rows"]
        for _, _, entry in placed
        if (name := _name(entry, "table")) is not None and not _adds(entry)
    }
    for source, path, entry in placed:
        if not _adds(entry):
            continue
        name = str(entry["table"]["name"]).casefold()
        place = source.place([*path, "table"])
        if name not in rows:
            close = difflib.get_close_matches(name, rows, n=1)
            message = f"rule {entry['rule']} adds to the table {name}, which is not there"
            yield Problem(place, message, f"did you mean {close[0]}?" if close else None)
            continue
        try:
            rows[name] = more_rows(rows[name], entry["table"]["rows"])
        except ValueError as error:
            what = f"the row {error} to" if str(error) else "a list to a mapping in"
            yield Problem(place, f"rule {entry['rule']} adds {what} the table {name}, which has it otherwise")


def _adds(entry: dict[str, Plain]) -> bool:
    return "table" in entry and entry["table"].get("adds") is True


def _name(entry: dict[str, Plain], key: str) -> str | None:
    return str(entry[key]["name"]).casefold() if key in entry else None


def _repeated(
    placed: Iterable[Placed], name_of: Callable[[dict[str, Plain]], str | None], what: str
) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for source, path, entry in placed:
        name = name_of(entry)
        if name is None:
            continue
        place = source.place(path)
        if name in first:
            yield Problem(place, f"the {what} {name} is here a second time; the first is {first[name]}")
        first.setdefault(name, place)


def _out_of_order(placed: Iterable[Placed]) -> Iterator[Problem]:
    before: tuple[Source, str] | None = None
    for source, path, entry in placed:
        number = entry["rule"]
        if before is not None and before[0] is source and sort_key(number) < sort_key(before[1]):
            yield Problem(
                source.place(path), f"rule {number} stands after {before[1]}", "sort the entries by number"
            )
        before = source, number


def _near(number: str, numbers: Iterable[str]) -> str | None:
    close = difflib.get_close_matches(number, [n for n in numbers if is_number(n)], n=1, cutoff=0.8)
    return f"did you mean {close[0]}?" if close else None
