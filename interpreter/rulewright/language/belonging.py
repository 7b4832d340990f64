"""Sentences behind a delayed ability that speak of what it waits for: they are part of it (369.1, 389-390).

"The next time an enemy unit would die this turn, banish it instead. Its controller draws 1": when the text is carried
out there is no such unit yet, so nothing outside of the delayed ability can be meant. The reader gives each sentence
as a step of its own; here a step whose pointing words point to nothing where it stands, and to something inside the
delayed ability before it, is moved there, with whatever stands between.
"""

from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.references import with_antecedents
from rulewright.language.tree import at, walk
from rulewright.language.tree import replace as with_node

_ROLES = ("it", "them", "that", "those", "both")
_PEOPLE = ("they", "that-player")


def with_belongings(text: ast.CardText) -> ast.CardText:
    """Give a text whose delayed abilities hold all sentences that are theirs."""
    if not any(isinstance(node, ast.CreateAbility) for _, node in walk(text)):
        return text
    while (moved := _moved(text)) is not None:
        text = moved
    return text


def _moved(text: ast.CardText) -> ast.CardText | None:
    """Give the text with the steps behind one delayed ability moved into it, or nothing where all is in place."""
    resolved = with_antecedents(text)
    for path, node in walk(resolved):
        if not isinstance(node, ast.Sequence):
            continue
        for position, step in enumerate(node.steps):
            if not isinstance(step, ast.CreateAbility):
                continue
            behind = range(position + 1, len(node.steps))
            last = max((each for each in behind if _points_nowhere(node.steps[each])), default=None)
            if last is None:
                continue
            made: ast.CardText = _with_steps_inside(text, path, position, last)
            inside = at(with_antecedents(made), path)
            if not _points_nowhere(inside):
                return made
    return None


def _with_steps_inside(text: ast.CardText, path: str, position: int, last: int) -> Any:
    sequence: Any = at(text, path)
    create: Any = sequence.steps[position]
    body = create.ability.body
    first = body.steps if isinstance(body, ast.Sequence) else (body,)
    inner = ast.Sequence((*first, *sequence.steps[position + 1 : last + 1]))
    create = replace(create, ability=replace(create.ability, body=inner))
    if create.span and sequence.steps[last].span:
        create = replace(create, span=(create.span[0], sequence.steps[last].span[1]))
    steps = (*sequence.steps[:position], create, *sequence.steps[last + 1 :])
    return with_node(text, path, steps[0] if len(steps) == 1 else replace(sequence, steps=steps))


def _points_nowhere(node: Any) -> bool:
    """Tell whether something has a word that points at nothing."""
    for _, part in walk(node):
        if isinstance(part, ast.Reference):
            points = part.role in _ROLES and part.participle is None
        elif isinstance(part, ast.Player):
            points = part.which in _PEOPLE
        else:
            continue
        if points and not part.antecedent:
            return True
    return False
