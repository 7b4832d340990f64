"""Meanings as trees: walked, changed at a path, turned into JSON and back, hashed, and described by a JSON Schema.

Everything here is read from the dataclass fields of :mod:`rulewright.language.ast`, so that a new kind of node
needs no line in this module. A path is written as field names and positions joined by dots
(``abilities.0.body.steps.1``); the empty path is the tree itself.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any, cast

from rulewright.errors import RulewrightError
from rulewright.language import ast
from rulewright.language.ast import Node

AST_VERSION = 1
"""The version of the tree's shape: raised when a kind or field is renamed, removed or given another meaning."""

SCHEMA_FILE = "ast.schema.json"
"""The name of the JSON Schema in the folder ``grammar``."""

DEEPEST = 200
"""How deep a tree given as JSON may be nested; no card comes near it."""

Json = dict[str, Any]
"""A node as JSON: its ``kind``, and its fields that differ from their defaults."""


class MalformedTreeError(RulewrightError):
    """A tree that is not one: an unknown kind, a field missing, unknown or of the wrong type, a path to nothing."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A field of a kind of node: its name, its type, its default (``MISSING`` where it must be given).

    ``key`` is its name in JSON. ``surface`` fields say how a text was written (its span, "here" or "this
    battlefield"); they are no part of the meaning.
    """

    name: str
    key: str
    type: Any
    default: Any
    surface: bool


# ------------------------------------------------------------------------------------- kinds and their slots


@cache
def kinds() -> Mapping[str, type[Node]]:
    """Give every kind of node by its name, in the order of :mod:`rulewright.language.ast`."""
    found = {
        name: kind
        for name, kind in vars(ast).items()
        if isinstance(kind, type) and issubclass(kind, Node) and kind is not Node
    }
    return types.MappingProxyType(found)


def slots(kind: type[Node]) -> tuple[Slot, ...]:
    """Give the fields of a kind in reading order, the span last."""
    return _slots_of(kind.__name__)


@cache
def _slots_of(name: str) -> tuple[Slot, ...]:
    kind = kinds().get(name)
    if kind is None:
        raise MalformedTreeError("this is no kind of node", place=name)
    hints = typing.get_type_hints(kind, vars(ast))
    made = [
        # In JSON "kind" is the kind of the node itself.
        Slot(
            name=field.name,
            key="of_kind" if field.name == "kind" else field.name,
            type=hints[field.name],
            default=field.default,
            surface=not field.compare,
        )
        for field in dataclasses.fields(kind)
    ]
    return tuple(sorted(made, key=lambda slot: slot.name == "span"))


@cache
def unions() -> Mapping[str, tuple[type[Node], ...]]:
    """Give the named unions (``Amount``, ``Filter``, ``Instruction`` ...) with the kinds that belong to each."""
    found = {
        name: tuple(typing.get_args(union))
        for name, union in vars(ast).items()
        if isinstance(union, types.UnionType) and all(_is_kind(arm) for arm in typing.get_args(union))
    }
    return types.MappingProxyType(found)


def _is_kind(candidate: Any) -> bool:
    return isinstance(candidate, type) and issubclass(candidate, Node)


# --------------------------------------------------------------------------------------------- walking


def children(node: Node) -> Iterator[tuple[str, Node]]:
    """Give the nodes directly inside a node, each with its path from there, in reading order.

    >>> [path for path, _ in children(ast.Sequence((ast.Action("draw"), ast.Action("channel"))))]
    ['steps.0', 'steps.1']
    """
    for slot in slots(type(node)):
        value = getattr(node, slot.name)
        if isinstance(value, Node):
            yield slot.name, value
        elif isinstance(value, tuple):
            for index, part in enumerate(value):
                if isinstance(part, Node):
                    yield f"{slot.name}.{index}", part


def walk(node: Node, path: str = "") -> Iterator[tuple[str, Node]]:
    """Give a node and every node inside it, outermost first, each with its path.

    >>> [path for path, _ in walk(ast.Times(ast.Number(2), ast.CountOf(ast.Self())))]
    ['', 'amount', 'times', 'times.what']
    """
    yield path, node
    for step, child in children(node):
        yield from walk(child, f"{path}.{step}" if path else step)


def at(tree: Node, path: str) -> Node:
    """Give the node at a path; raises :class:`MalformedTreeError` where the path leads to none."""
    here: Any = tree
    for step in path.split(".") if path else ():
        here = _child(here, step, path)
    if not isinstance(here, Node):
        raise MalformedTreeError("the path ends at something that is not a node", place=path)
    return here


def replace(tree: Node, path: str, node: Node) -> Node:
    """Give the tree with another node at a path; all else is shared with the old tree.

    >>> replace(ast.Plus(ast.Number(1), ast.Number(2)), "right", ast.ThatMuch())
    Plus(left=Number(value=1), right=ThatMuch(antecedent=None), minus=False)
    """
    at(tree, path)
    return cast(Node, _replaced(tree, path.split(".") if path else [], node))


def _replaced(here: Any, steps: list[str], node: Node) -> Any:
    if not steps:
        return node
    step, *rest = steps
    if isinstance(here, tuple):
        index = int(step)
        return (*here[:index], _replaced(here[index], rest, node), *here[index + 1 :])
    return dataclasses.replace(here, **{step: _replaced(getattr(here, step), rest, node)})


def _child(here: Any, step: str, path: str) -> Any:
    if isinstance(here, tuple) and step.isdecimal() and int(step) < len(here):
        return here[int(step)]
    if isinstance(here, Node) and any(slot.name == step for slot in slots(type(here))):
        return getattr(here, step)
    raise MalformedTreeError(f"the tree has nothing under {step!r}", place=path)


def without_spans(node: Node) -> Node:
    """Give the same meaning with its default surface: no spans, "here" for "this battlefield"."""
    changed = {}
    for slot in slots(type(node)):
        value = getattr(node, slot.name)
        if slot.surface:
            changed[slot.name] = slot.default
        elif isinstance(value, Node):
            changed[slot.name] = without_spans(value)
        elif isinstance(value, tuple):
            changed[slot.name] = tuple(
                without_spans(part) if isinstance(part, Node) else part for part in value
            )
        else:
            changed[slot.name] = value
    return type(node)(**changed)


# ------------------------------------------------------------------------------------------ JSON and hash


def to_json(node: Node, *, spans: bool = False) -> Json:
    """Give a node as JSON: its kind, and its fields where they differ from their defaults.

    With ``spans`` every node also tells the characters it was read from and its surface form.

    >>> to_json(ast.Action("draw", ast.Player("you"), amount=ast.Number(2)))["amount"]
    {'kind': 'Number', 'value': 2}
    """
    written: Json = {"kind": type(node).__name__}
    for slot in slots(type(node)):
        value = getattr(node, slot.name)
        if value != slot.default and (spans or not slot.surface):
            written[slot.key] = _value_to_json(value, spans)
    return written


def _value_to_json(value: Any, spans: bool) -> Any:
    if isinstance(value, Node):
        return to_json(value, spans=spans)
    if isinstance(value, tuple):
        return [_value_to_json(part, spans) for part in value]
    return value


def from_json(tree: Any, path: str = "") -> Node:
    """Read a node from JSON as :func:`to_json` writes it; every kind, field and type is checked.

    Raises :class:`MalformedTreeError` with the path of the first fault.

    >>> from_json({"kind": "Number", "value": "3"})
    Traceback (most recent call last):
    rulewright.language.tree.MalformedTreeError: value: expected a whole number, found '3'
    """
    if path.count(".") > DEEPEST:
        raise MalformedTreeError(f"nested deeper than {DEEPEST} nodes", place=path[:60])
    name = tree.get("kind") if isinstance(tree, dict) else None
    if not isinstance(name, str) or name not in kinds():
        raise MalformedTreeError(
            f"expected a node with a known kind, found {tree!r:.60}", place=path or "tree"
        )
    kind = kinds()[name]
    known = {slot.key: slot for slot in slots(kind)}
    for key in tree:
        if key != "kind" and key not in known:
            raise MalformedTreeError(f"{name} has no field {key!r}", place=path or "tree")
    given = {}
    for slot in known.values():
        place = f"{path}.{slot.key}" if path else slot.key
        if slot.key in tree:
            given[slot.name] = _value_from_json(tree[slot.key], slot.type, place)
        elif slot.default is MISSING:
            raise MalformedTreeError(f"{name} needs a field {slot.key!r}", place=path or "tree")
    return kind(**given)


_PLAIN_TYPES = {str: "a text", int: "a whole number", bool: "true or false", type(None): "nothing"}


def _value_from_json(value: Any, wanted: Any, path: str) -> Any:
    arms = _arms(wanted)
    if isinstance(value, list):
        return _tuple_from_json(value, arms, path)
    if isinstance(value, dict):
        node = from_json(value, path)
        if type(node) not in arms:
            raise MalformedTreeError(f"{type(node).__name__} has no place here", place=path)
        return node
    if type(value) not in arms:
        plain = " or ".join(_PLAIN_TYPES.get(arm, "a node") for arm in arms if arm is not type(None))
        raise MalformedTreeError(f"expected {plain}, found {value!r:.60}", place=path)
    return value


def _tuple_from_json(value: list[Any], arms: tuple[Any, ...], path: str) -> tuple[Any, ...]:
    for arm in arms:
        if typing.get_origin(arm) is tuple:
            inner = typing.get_args(arm)
            each = [inner[0]] * len(value) if inner[-1] is Ellipsis else list(inner)
            if len(each) != len(value):
                raise MalformedTreeError(f"expected {len(each)} values, found {len(value)}", place=path)
            pairs = enumerate(zip(value, each, strict=True))
            return tuple(_value_from_json(part, kind, f"{path}.{index}") for index, (part, kind) in pairs)
    raise MalformedTreeError("a list has no place here", place=path)


def _arms(wanted: Any) -> tuple[Any, ...]:
    """The alternatives of a type, nested unions opened: ``Amount | None`` has eleven."""
    if isinstance(wanted, types.UnionType) or typing.get_origin(wanted) is typing.Union:
        return tuple(arm for part in typing.get_args(wanted) for arm in _arms(part))
    return (wanted,)


def meaning_hash(node: Node) -> str:
    """Give 16 bytes of BLAKE2b over a meaning, in hexadecimal: equal for equal trees, on every machine.

    Fields at their defaults take no part, so that a field added to a kind changes no hash of an older meaning.

    >>> meaning_hash(ast.Number(3, span=(0, 1))) == meaning_hash(ast.Number(3))
    True
    """
    canonical = json.dumps(to_json(node), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()


# -------------------------------------------------------------------------------------------- JSON Schema


def json_schema() -> Json:
    """Give the JSON Schema (2020-12) of a card's meaning, made from the dataclasses."""
    named = {name: {"anyOf": [_ref(arm) for arm in arms]} for name, arms in unions().items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The meaning of card text",
        "version": AST_VERSION,
        "$ref": "#/$defs/CardText",
        "$defs": {**{name: _kind_schema(kind) for name, kind in kinds().items()}, **named},
    }


def schema_text() -> str:
    """Give the JSON Schema as the text of its file."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


def _kind_schema(kind: type[Node]) -> Json:
    return {
        "description": (kind.__doc__ or "").split("\n\n")[0].replace("``", "`"),
        "type": "object",
        "properties": {
            "kind": {"const": kind.__name__},
            **{slot.key: _type_schema(slot.type) for slot in slots(kind)},
        },
        "required": ["kind", *(slot.key for slot in slots(kind) if slot.default is MISSING)],
        "additionalProperties": False,
    }


def _type_schema(wanted: Any) -> Json:
    # A field at None is left out, so that "or nothing" never shows in the schema.
    arms = [arm for arm in _arms(wanted) if arm is not type(None)]
    made = _whole_unions(arms) + [_arm_schema(arm) for arm in arms if not _is_kind(arm)]
    return made[0] if len(made) == 1 else {"anyOf": made}


def _whole_unions(arms: list[Any]) -> list[Json]:
    """Refer to a named union where all its kinds are allowed, to single kinds otherwise."""
    left = [arm for arm in arms if _is_kind(arm)]
    refs = []
    for name, members in sorted(unions().items(), key=lambda item: -len(item[1])):
        if set(members) <= set(left):
            refs.append({"$ref": f"#/$defs/{name}"})
            left = [arm for arm in left if arm not in members]
    return refs + [_ref(arm) for arm in left]


_PLAIN_SCHEMAS: dict[Any, Json] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
}


def _arm_schema(arm: Any) -> Json:
    if typing.get_origin(arm) is not tuple:
        return dict(_PLAIN_SCHEMAS[arm])
    inner = typing.get_args(arm)
    if inner[-1] is Ellipsis:
        return {"type": "array", "items": _type_schema(inner[0])}
    return {"type": "array", "prefixItems": [_type_schema(part) for part in inner], "items": False}


def _ref(kind: type[Node]) -> Json:
    return {"$ref": f"#/$defs/{kind.__name__}"}
