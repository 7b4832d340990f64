"""Reads data files: YAML as plain data with the line of every part, so that an error can point at it, and JSON.

YAML and JSON read some things silently that would lose something: a key written twice, a rule number that was meant
as text (``355.10``), a date, a word (``no``), ``1:30`` as ninety, ``010`` as eight. Here the first is an error, the
others stay text, and so do numbers with a point where a file's reader asks for it.
"""

import difflib
import json
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from rulewright.errors import RulewrightError, UsageError

if TYPE_CHECKING:
    import yaml
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

Plain: TypeAlias = Any
"""Plain data as YAML gives it: text, numbers, truth values, and lists and mappings of these."""

KINDS = (
    "too-large",
    "encoding",
    "syntax",
    "anchor",
    "deep",
    "key-type",
    "key-twice",
    "unknown-key",
    "missing-key",
    "value",
)
"""What can be wrong in a data file: with the file, with the YAML, or with what the schema asks for."""

PATIENCE = 20
"""How many problems an error message tells in full; the rest are counted."""

MOST_KEYS = 8
"""How many unknown keys of one part are named."""

LARGEST_FILE = 20_000_000
"""Bytes of the largest data file that is read; more is a mistake, or is meant to do harm."""

DEEPEST = 40
"""How deep the parts of a data file may lie in one another."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a data file: ``place`` is ``file:line``, or the file, or what the problem is about.

    ``kind`` is one of :data:`KINDS`; ``position`` is the line and the column, each from 1, where they are known.
    """

    place: str
    message: str
    help: str | None = None
    kind: str = field(default="value", compare=False)
    position: tuple[int, int] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        hint = f" ({self.help})" if self.help else ""
        return f"{self.place}: {self.message}{hint}"


class DataFileError(RulewrightError):
    """Data files that do not hold together; ``problems`` has each of them."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        first, *rest = problems
        lines = [first.message, *(str(problem) for problem in rest[:PATIENCE])]
        if len(rest) > PATIENCE:
            lines.append(f"... and {len(rest) - PATIENCE} more")
        super().__init__("\n".join(lines), place=first.place, help=first.help)
        self.problems = tuple(problems)


_YAML = "tag:yaml.org,2002:"


@cache
def _loader(decimals_are_text: bool) -> "type[yaml.CSafeLoader]":
    """Give safe YAML: dates are text, only ``true`` and ``false`` truth values, whole numbers decimal digits.

    With ``decimals_are_text`` a number with a point, or of three digits, is text too: a rule number need not be quoted.
    """
    # Imported here because what is kept in the cache is read without it, and start-up counts.
    import yaml

    class Loader(yaml.CSafeLoader):
        yaml_implicit_resolvers = _without({"timestamp", "bool", "int"}, yaml.CSafeLoader)

    Loader.add_implicit_resolver(f"{_YAML}bool", re.compile(r"(true|false)\Z"), list("tf"))
    if decimals_are_text:
        Loader.yaml_implicit_resolvers = _without({"float"}, Loader)
    digits = r"-?(0|[1-9][0-9]?)\Z" if decimals_are_text else r"[-+]?(0|[1-9][0-9]*)\Z"
    Loader.add_implicit_resolver(f"{_YAML}int", re.compile(digits), list("-+0123456789"))
    return Loader


def _without(
    tags: Set[str], loader: "type[yaml.CSafeLoader]"
) -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    resolvers = cast(dict[str, list[tuple[str, re.Pattern[str]]]], loader.yaml_implicit_resolvers)
    return {
        first: [(tag, pattern) for tag, pattern in known if tag.removeprefix(_YAML) not in tags]
        for first, known in resolvers.items()
    }


@dataclass(frozen=True, slots=True)
class Scalar:
    """Where a text stands in a file: its first character and the one behind its last, counted from 0.

    ``style`` is what it is written in: ``'`` or ``"``, ``|`` or ``>``, or nothing for plain words.
    """

    start: int
    end: int
    style: str


@dataclass(frozen=True, slots=True)
class Source:
    """One file as it was read: what it holds, and the YAML nodes that know the lines."""

    file: str
    plain: Plain
    _node: Any = field(repr=False)

    def line(self, path: Sequence[str | int] = ()) -> int:
        """Give the line of a part, found by the keys and positions that lead to it."""
        return self.position(path)[0]

    def position(self, path: Sequence[str | int] = ()) -> tuple[int, int]:
        """Give the line and the column of a part, each from 1; see :meth:`line`."""
        node, position = self._node, (1, 1)
        for step in (None, *path):
            node = node if step is None else _child(node, step)
            if node is None:
                break
            position = _position(node)
        return position

    def scalar(self, path: Sequence[str | int]) -> Scalar | None:
        """Give where the text that a path leads to stands; nothing where it leads to no text."""
        node = self._node
        for step in path:
            node = _child(node, step)
        if not _is("scalar", node):
            return None
        return Scalar(node.start_mark.index, node.end_mark.index, node.style or "")

    def key_position(self, path: Sequence[str | int], key: str) -> tuple[int, int]:
        """Give the line and the column of a key itself, in the mapping that a path leads to."""
        node = self._node
        for step in path:
            node = _child(node, step)
        if _is("mapping", node):
            return next((_position(name) for name, _ in node.value if name.value == key), _position(node))
        return self.position(path)

    def place(self, path: Sequence[str | int] = ()) -> str:
        """Give ``file:line`` of a part; see :meth:`line`."""
        return f"{self.file}:{self.line(path)}"


def content_of(path: Path) -> bytes:
    """Give the bytes of a file, and no more than show that it is too large. Raises :class:`UsageError`."""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", place=str(path)) from error


def text_of(path: Path) -> str:
    """Give the text of a file with its line ends as they are.

    Raises :class:`UsageError` where it cannot be read, :class:`DataFileError` where it is too large or not UTF-8.
    """
    return text_from(content_of(path), str(path))


def text_from(content: bytes, file: str) -> str:
    """Give the text that bytes are, without a mark of the byte order; see :func:`text_of`."""
    if len(content) > LARGEST_FILE:
        message = f"this is larger than {LARGEST_FILE // 1_000_000} MB"
        raise DataFileError([Problem(file, message, kind="too-large")])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"this is not text in UTF-8: byte {content[error.start]:#04x} is none of its letters"
        help_text = "save the file as UTF-8"
        raise DataFileError([Problem(f"{file}:{line}", message, help_text, "encoding", (line, 1))]) from error


def plain_json(text: str, file: str, *, first_line: int = 1) -> Plain:
    """Read JSON from a text that begins on a line of a file. Raises :class:`DataFileError`.

    A key that stands twice in one object is an error, and so are numbers that no file means: ``NaN``, ``Infinity``,
    or one of thousands of digits.

    >>> plain_json('{"a": [1, 2]}', "a.json")
    {'a': [1, 2]}
    """
    place = f"{file}:{first_line}"
    try:
        plain = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
        if re.search(r"\\u[dD][89a-fA-F]", text):
            _check_letters(plain)
        return plain
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        message = f"this is not whole JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        problem = Problem(
            f"{file}:{line}:{error.colno}", message, kind="syntax", position=(line, error.colno)
        )
        raise DataFileError([problem]) from error
    except RecursionError as error:
        message = "this is JSON with parts too deep in one another"
        raise DataFileError([Problem(place, message, kind="deep")]) from error
    except ValueError as error:
        reason = str(error) if isinstance(error, _JsonError) else "a number has too many digits"
        raise DataFileError([Problem(place, f"this JSON cannot be used: {reason}", kind="value")]) from error


def json_rows(
    text: str, file: str, *, needed: Sequence[str] = (), optional: Sequence[str] = ()
) -> list[dict[str, Plain]]:
    """Read JSON lines, each an object: the keys ``needed`` hold text, those that are ``optional`` text or nothing.

    Raises :class:`DataFileError` where a line is something else, or where there is none.

    >>> json_rows('{"name": "Ember Fox"}', "cards.jsonl", needed=["name"])
    [{'name': 'Ember Fox'}]
    """
    rows = []
    for number, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        row = plain_json(written, file, first_line=number)
        whole = isinstance(row, dict) and all(isinstance(row.get(key), str) for key in needed)
        if not whole or any(not isinstance(row.get(key), str | None) for key in optional):
            message = f"this is no row with {', '.join((*needed, *optional))}, each a text"
            raise DataFileError([Problem(f"{file}:{number}", message)])
        rows.append(row)
    if not rows:
        raise DataFileError([Problem(file, "there are no rows here")])
    return rows


class _JsonError(ValueError):
    """What JSON allows and no file means."""


def _object(pairs: list[tuple[str, Plain]]) -> dict[str, Plain]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for position, key in enumerate(keys) if key in keys[:position])
        raise _JsonError(f"the key {twice[:40]!r} stands twice in one object")
    return made


def _check_letters(plain: Plain) -> None:
    try:
        json.dumps(plain, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise _JsonError(f"{error.object[error.start]!r} is half of a letter") from error


def _no_number(word: str) -> Plain:
    raise _JsonError(f"{word} is no number")


def read(path: Path, file: str, *, decimals_are_text: bool = False) -> Source:
    """Read one YAML file; see :func:`parse`."""
    return parse(content_of(path), file, decimals_are_text=decimals_are_text)


def parse(content: bytes, file: str, *, decimals_are_text: bool = False) -> Source:
    """Read YAML from bytes; ``file`` is the name that errors call it by. Raises :class:`DataFileError`.

    With ``decimals_are_text`` what can be a rule number is text: ``355.10``, ``355``, ``054``.
    """
    import yaml

    text = text_from(content, file)
    try:
        loader = _loader(decimals_are_text)(text)
        try:
            node = loader.get_single_node()
            if problems := tuple(_node_problems(node, file)) if node is not None else ():
                raise DataFileError(problems)
            plain = loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        message = f"this is not YAML: {error.problem}"
        # What people write in texts most, and YAML takes for a key.
        colon = "mapping values" in str(error.problem)
        help_text = "text with a colon and a space in it stands in quotes" if colon else None
        problem = Problem(f"{file}:{line}", message, help_text, "syntax", (line, column))
        raise DataFileError([problem]) from error
    except (yaml.YAMLError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise DataFileError([Problem(file, f"this is not YAML: {reason:.200}", kind="syntax")]) from error
    return Source(file, plain, node)


def _node_problems(root: "yaml.Node", file: str) -> Iterator[Problem]:
    # An alias is the same node met again: a few lines of YAML can stand for more data than memory holds.
    seen: set[int] = set()
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        place = f"{file}:{node.start_mark.line + 1}"
        if depth > DEEPEST:
            message = f"parts lie more than {DEEPEST} deep in one another here"
            yield Problem(place, message, kind="deep", position=_position(node))
            return
        if not _is("scalar", node):
            if id(node) in seen:
                yield Problem(
                    place, "an anchor is used again here", "write the part out", "anchor", _position(node)
                )
                return
            seen.add(id(node))
        if _is("sequence", node):
            waiting += [(item, depth + 1) for item in node.value]
        elif _is("mapping", node):
            yield from _key_problems(node, file)
            waiting += [(value, depth + 1) for _, value in node.value]


def _key_problems(node: Any, file: str) -> Iterator[Problem]:
    seen: set[str] = set()
    for key, _ in node.value:
        place = f"{file}:{key.start_mark.line + 1}"
        if key.tag != "tag:yaml.org,2002:str":
            message = f"the key {key.value!r} is not text"
            yield Problem(place, message, "put it in quotes", "key-type", _position(key))
        elif key.value in seen:
            message = f"the key {key.value!r} stands here twice"
            yield Problem(place, message, kind="key-twice", position=_position(key))
        seen.add(str(key.value))


def _is(kind: str, node: Any) -> bool:
    """Tell whether a YAML node is a scalar, a sequence or a mapping; by its name, which needs no import of YAML."""
    return node is not None and node.id == kind


def _position(node: "yaml.Node") -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


def _child(node: Any, step: str | int) -> Any:
    if _is("sequence", node) and isinstance(step, int):
        return node.value[step]
    if _is("mapping", node):
        return next((value for key, value in node.value if key.value == step), None)
    return None


def schema_problems(source: Source, schema: Plain, definition: str | None = None) -> Iterator[Problem]:
    """Yield what a closed JSON Schema has against a file; ``definition`` names the part of it that is meant.

    A problem inside an entry that has a ``name``, a ``card`` or a ``rule`` tells which.
    """
    for error in _validator(json.dumps(schema), definition).iter_errors(source.plain):
        yield _problem(source, error)


_validators: dict[tuple[str, str | None], "Validator"] = {}


def _validator(schema: str, definition: str | None) -> "Validator":
    if (schema, definition) not in _validators:
        from jsonschema import Draft202012Validator

        whole = json.loads(schema)
        part = (
            whole
            if definition is None
            else {"$ref": f"#/$defs/{definition}", "$defs": whole.get("$defs", {})}
        )
        _validators[schema, definition] = Draft202012Validator(part)
    return _validators[schema, definition]


def _problem(source: Source, error: "ValidationError") -> Problem:
    # Where a part may be one of several things, what is wrong with the one that is of its type says most.
    near = [other for other in error.context or () if other.validator != "type"]
    if near:
        return _problem(source, near[0])
    path = list(error.absolute_path)
    where = source.place(path)
    named = _named_at(source.plain, path)
    about = f"{named}: " if named else ""
    if error.validator == "additionalProperties" and isinstance(error.schema, dict):
        allowed = sorted(error.schema.get("properties", {}))
        unknown = sorted(set(cast(dict[str, Plain], error.instance)) - set(allowed))
        close = difflib.get_close_matches(unknown[0], allowed, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"the keys are {', '.join(allowed)}"
        at = source.key_position(path, unknown[0])
        shown = ", ".join(map(repr, unknown[:MOST_KEYS])) + (" ..." if len(unknown) > MOST_KEYS else "")
        message = f"{about}unknown key {shown}"
        return Problem(f"{source.file}:{at[0]}", message, hint, "unknown-key", at)
    if error.validator == "required":
        present = cast(dict[str, Plain], error.instance)
        missing = [key for key in cast(list[str], error.validator_value) if key not in present]
        message = f"{about}the key {missing[0]!r} is missing"
        return Problem(where, message, kind="missing-key", position=source.position(path))
    keys = [step for step in path if isinstance(step, str)]
    key = f"{keys[-1]}: " if keys else ""
    message, help_text = _misfit(error)
    return Problem(where, f"{about}{key}{message}", help_text, position=source.position(path))


PLAIN_NAMES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list",
    "object": "a mapping of keys",
    "boolean": "true or false",
    "null": "nothing",
}
"""What a schema's types are called."""


def _misfit(error: "ValidationError") -> tuple[str, str | None]:
    """Say why a value does not fit, and what to write instead where that is plain."""
    found, wanted = error.instance, error.validator_value
    shown = f"{found!r:.80}"
    match error.validator:
        case "type" if found is None:
            return "nothing stands here", "leave the key out where there is nothing to say"
        case "type" if wanted == "string":
            return f"{shown} is not text", "put it in quotes"
        case "type" if isinstance(wanted, str):
            return f"{shown} is not {PLAIN_NAMES[wanted]}", _as_type(found, wanted)
        case "pattern" if isinstance(error.schema, dict):
            expected = error.schema.get("description", f"a text like {wanted}")
            meant = _as_pattern(str(found), str(wanted))
            help_text = f"did you mean {meant!r}?" if meant else None
            return f"{shown} is not right here; expected: {expected}", help_text
        case "minimum" | "maximum":
            return f"{shown} is {'less' if error.validator == 'minimum' else 'more'} than {wanted}", None
        case "const":
            return f"{shown} is not {json.dumps(wanted)}", "leave the key out where it is not so"
        case _:
            return f"{error.message:.200}", None


def _as_type(found: Plain, wanted: str) -> str | None:
    if wanted == "array" and isinstance(found, str | int):
        return f"write [{found}]"
    if wanted == "integer" and isinstance(found, str) and re.fullmatch(r"[0-9]{1,4}", found):
        return f"write {int(found)}, without quotes"
    return None


def _as_pattern(found: str, pattern: str) -> str | None:
    """Give a text that differs in capitals, or in what stands around it, and fits."""
    tries = (
        found.lower(),
        found.strip(),
        found.upper(),
        "-".join(found.lower().split()),
        found.split("/")[0],
    )
    return next((one for one in tries if one != found and re.search(pattern, one)), None)


def _named_at(plain: Plain, path: Sequence[str | int]) -> str | None:
    named: str | None = None
    for step in path:
        plain = plain[step]
        if isinstance(step, int) and isinstance(plain, dict):
            found = plain.get("name", plain.get("card"))
            rule = plain.get("rule")
            if isinstance(found, str):
                named = found
            elif isinstance(rule, str):
                named = f"rule {rule}"
    return named
