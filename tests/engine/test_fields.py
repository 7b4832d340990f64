"""Every field of a meaning is read by the engine: one that nothing reads is a restriction that is silently lost.

The source of the engine is looked at: a field counts as read where a function that names the kind of node (in an
annotation, a test of its type, or as a key of a table of handlers) reads an attribute of that name.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

from rulewright.language import tree

ENGINE = Path(__file__).resolve().parents[2] / "interpreter" / "rulewright" / "engine"

ELSEWHERE = {
    ("TextOf", "part"): "read where an Equipment copies a text: only an Equipment has another part",
    ("Is", "past"): "what has left is known as it was when it was last there, for every question",
    ("MightChange", "additional"): "it says that the change is one more, which every change is",
    ("CostChange", "minimum"): "read through the effect that is in force",
    ("ChooseMode", "count"): "read through the step that chooses modes",
    ("ChooseMode", "memory"): "read through the step that chooses modes",
    ("ChooseMode", "who"): "read through the step that chooses modes",
    ("AsLongAs", "condition"): "read through its path, which the effect keeps",
    ("Permit", "instead_of"): "read through the effect that is in force",
    ("TriggerAgain", "what"): "read through the effect that is in force",
    ("LethalAmount", "to"): "read through the effect that is in force",
    ("ReplacementAbility", "condition"): "read through the replacement that is asked for",
    ("ReplacementAbility", "keep"): "read through the replacement that is asked for",
    ("Case", "value"): "read where the cases of its BranchOn are compiled",
    ("Case", "body"): "read where the cases of its BranchOn are compiled",
}
"""Fields that are read in a way that the search does not see, or that change nothing in a game; each with why."""


def _names(node: ast.AST) -> set[str]:
    return {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "ast"
    } & set(tree.kinds())


def _reads(function: ast.FunctionDef) -> set[str]:
    parts = list(ast.walk(function))
    found = {p.attr for p in parts if isinstance(p, ast.Attribute) and isinstance(p.ctx, ast.Load)}
    if any(
        isinstance(p, ast.Call) and isinstance(p.func, ast.Name) and p.func.id == "getattr" for p in parts
    ):
        found |= {p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)}
    return found


def _handled(module: ast.Module) -> dict[str, set[str]]:
    """The kinds of node that tables of handlers give to each function of a module."""
    found: dict[str, set[str]] = {}
    for table in ast.walk(module):
        if isinstance(table, ast.Dict):
            for key, value in zip(table.keys, table.values, strict=True):
                name = getattr(value, "attr", getattr(value, "id", None))
                if key is not None and isinstance(name, str):
                    found.setdefault(name, set()).update(_names(key))
    return found


@cache
def fields_read() -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for path in sorted(ENGINE.rglob("*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        handled = _handled(module)
        for function in ast.walk(module):
            if isinstance(function, ast.FunctionDef):
                kinds = _names(function) | handled.get(function.name, set())
                found |= {(kind, field) for kind in kinds for field in _reads(function)}
    return frozenset(found)


FIELDS = [
    (kind, slot.name) for kind, node in tree.kinds().items() for slot in tree.slots(node) if not slot.surface
]


@pytest.mark.parametrize(("kind", "field"), FIELDS, ids=[f"{kind}.{field}" for kind, field in FIELDS])
def test_the_engine_reads_every_field_of_a_meaning(kind: str, field: str) -> None:
    assert (kind, field) in fields_read() or (kind, field) in ELSEWHERE


def test_what_is_read_elsewhere_is_not_found_by_the_search() -> None:
    assert set(ELSEWHERE) <= set(FIELDS)
    assert {pair for pair in ELSEWHERE if pair in fields_read()} == set()
