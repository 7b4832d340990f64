"""The page ``docs/ast.md``: every kind of node with its fields and an example, made from the docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from dataclasses import MISSING

from rulewright.language.ast import Node
from rulewright.language.tree import AST_VERSION, MalformedTreeError, kinds, unions

PAGE = "ast.md"
"""The name of the page in the folder ``docs``."""

_HEAD = f"""\
# The meaning of card text

Version {AST_VERSION}. Card text is read into a tree of the kinds below; `rulewright parse TEXT --format json`
writes it as JSON: an object with its `kind` and the fields that differ from their defaults (a field named `kind`
is written `of_kind`). The JSON Schema is `grammar/ast.schema.json`. Two texts mean the same when their trees are
equal; the place in the text (`span`) and fields marked *surface* take no part in that.

This page is made from the docstrings by `rulewright schema ast --write`.
"""

_EXAMPLE = re.compile(r"``(.+?)``")


def page() -> str:
    """Give the whole page as Markdown."""
    groups = [_group(name, [arm.__name__ for arm in arms]) for name, arms in unions().items()]
    entries = [_entry(kind) for kind in kinds().values()]
    return "\n".join([_HEAD, "## Groups", "", *groups, "## Kinds", "", *entries]).rstrip() + "\n"


def example(kind: type[Node]) -> str:
    """Give the first example of a kind's docstring; raises :class:`MalformedTreeError` where it has none."""
    found = _EXAMPLE.search(inspect.getdoc(kind) or "")
    if found is None:
        raise MalformedTreeError("the docstring has no example in ``double backticks``", place=kind.__name__)
    return found.group(1)


def _group(name: str, members: list[str]) -> str:
    return f"**{name}**: {', '.join(_link(member) for member in members)}\n"


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def _entry(kind: type[Node]) -> str:
    told = (inspect.getdoc(kind) or "").replace("``", "`")
    fields = [field for field in dataclasses.fields(kind) if field.name != "span"]
    rows = [_row(field) for field in fields]
    table = ["", "| field | type | default |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"### {kind.__name__}", "", f"> {example(kind)}", "", told, *table, ""])


def _row(field: dataclasses.Field[object]) -> str:
    name = f"`{field.name}`{'' if field.compare else ' *(surface)*'}"
    default = "must be given" if field.default is MISSING else f"`{field.default!r}`"
    written = str(field.type).replace("|", "\\|")
    return f"| {name} | {written} | {default} |"
