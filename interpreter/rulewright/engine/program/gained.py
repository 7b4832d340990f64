"""Points that would be scored: what replaces that replaces the gain of the point (471.1).

That a battlefield is scored is told when its point has been gained, or something else in its place. "When you score a
point" waits for that. What would be scored and is replaced or skipped is the point: the event is its gain.
"""

from dataclasses import replace
from typing import cast

from rulewright.language import ast
from rulewright.language.tree import replace as with_node
from rulewright.language.tree import walk


def with_points_gained(text: ast.CardText) -> ast.CardText:
    """Give a text whose replacements of a scored point wait for the gain of the point."""
    for path, node in walk(text):
        if not isinstance(node, ast.ReplacementAbility):
            continue
        action = node.event.action
        if (
            isinstance(action, ast.Action)
            and action.verb == "score"
            and isinstance(action.object, ast.Resource)
            and action.object.kind == "point"
        ):
            gained = replace(node.event, action=replace(action, verb="gain"))
            text = cast(ast.CardText, with_node(text, path, replace(node, event=gained)))
    return text
