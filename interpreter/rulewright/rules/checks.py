"""Checks the files of a rules database: each by the schema, then all together.

The schema (``rulesdb/rules.schema.json``) says what a file may hold; the rest is what one file cannot show: no
number twice, every reference leads somewhere, numbers in order, names of keywords, tables and procedures used once.
"""

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from rulewright.rules.entries import Plain
from rulewright.rules.numbers import is_number, sort_key
from rulewright.rules.sources import Problem, Source

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator


def schema_problems(source: Source, schema: Plain, kind: str | None = None) -> Iterator[Problem]:
    """Yield what the schema has against a file; ``kind`` names the definition where it is not a list of entries."""
    yield from source.problems
    if source.problems:
        return
    for error in _validator(json.dumps(schema), kind).iter_errors(source.plain):
        yield _schema_problem(source, error)


_validators: dict[tuple[str, str | None], "Validator"] = {}


def _validator(schema: str, kind: str | None) -> "Validator":
    if (schema, kind) not in _validators:
        from jsonschema import Draft202012Validator

        whole = json.loads(schema)
        part = whole if kind is None else {"$ref": f"#/$defs/{kind}", "$defs": whole["$defs"]}
        _validators[schema, kind] = Draft202012Validator(part)
    return _validators[schema, kind]


def _schema_problem(source: Source, error: "ValidationError") -> Problem:
    path = list(error.absolute_path)
    where = source.place(path)
    rule = _rule_at(source.plain, path)
    about = f"rule {rule}: " if rule else ""
    part = error.schema if isinstance(error.schema, dict) else {}
    if error.validator == "additionalProperties":
        allowed = sorted(part.get("properties", {}))
        unknown = sorted(set(cast(dict[str, Plain], error.instance)) - set(allowed))
        close = difflib.get_close_matches(unknown[0], allowed, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"the keys are {', '.join(allowed)}"
        where = source.place([*path, unknown[0]])
        return Problem(where, f"{about}unknown key {', '.join(map(repr, unknown))}", hint)
    if error.validator == "type" and isinstance(error.instance, int | float):
        return Problem(where, f"{about}{error.instance!r} is not text", "put it in quotes")
    if error.validator == "pattern":
        expected = part.get("description", f"a text like {error.validator_value}")
        return Problem(where, f"{about}{error.instance!r} is not right here; expected: {expected}")
    key = f"{path[-1]}: " if path and isinstance(path[-1], str) else ""
    return Problem(where, f"{about}{key}{error.message}")


def _rule_at(plain: Plain, path: Sequence[str | int]) -> str | None:
    for step in path:
        plain = plain[step]
        if isinstance(plain, dict) and isinstance(plain.get("rule"), str):
            return str(plain["rule"])
    return None


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
        yield from _repeated(placed, lambda entry, key=key: _name(entry, key), key)  # type: ignore[misc]
    yield from _out_of_order(placed)
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
    """Yield the terms of the search words that lead to a rule that is not there."""
    numbers = {entry["rule"] for _, _, entry in placed}
    for term, targets in source.plain.get("terms", {}).items():
        for position, target in enumerate(targets):
            if target not in numbers:
                place = source.place(["terms", term, position])
                yield Problem(place, f"{term!r} leads to {target}, which is no rule", _near(target, numbers))


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
