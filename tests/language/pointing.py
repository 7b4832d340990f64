"""What the pointing words of a meaning point to, in words: for ``points.yaml``."""

from __future__ import annotations

from rulewright.language import ast
from rulewright.language.print import UnprintableError, describe
from rulewright.language.tree import MalformedTreeError, at, walk


def pointers(text: ast.CardText) -> list[str]:
    """Give each pointing word with the words that it points to, in the order of the text."""
    return [
        f"{describe(node)}: {_target(node, path, ability)}"
        for ability in text.abilities
        for path, node in walk(ability)
        if isinstance(node, ast.Reference | ast.There)
        or (isinstance(node, ast.Player) and node.which in {"they", "that-player"})
    ]


def _target(node: ast.Reference | ast.There | ast.Player, path: str, ability: ast.Node) -> str:
    if node.antecedent is None:
        return "nothing"
    if node.antecedent.startswith("event."):
        return _of_event(node.antecedent.removeprefix("event."), path, ability)
    try:
        return _said(at(ability, node.antecedent))
    except MalformedTreeError:
        return node.antecedent


def _of_event(role: str, path: str, ability: ast.Node) -> str:
    """The words in the event of the innermost ability around a path."""
    around = [
        node
        for above, node in walk(ability)
        if isinstance(node, ast.TriggeredAbility | ast.ReplacementAbility) and f"{path}.".startswith(above)
    ][-1]
    event = around.events[0] if isinstance(around, ast.TriggeredAbility) else around.event
    assert isinstance(event.action, ast.Action)
    return _said(getattr(event.action, {"agent": "subject"}.get(role, role)))


def _said(node: ast.Node) -> str:
    try:
        return describe(node).strip("()")
    except UnprintableError:
        return type(node).__name__
