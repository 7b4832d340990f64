"""What a text leaves open though it has one meaning: the readings that people may prefer.

The grammar settles each of these in one way. Here the places are found where English does not: a pointing word with
two things before it that fit, "may" before several steps, "this turn" behind a clause that describes, "cost" with a
figure of Energy alone. Which way each is settled, and by which rule, stands in ``grammar/doubts.yaml``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import yaml

from rulewright.language import ast
from rulewright.language.references import candidates
from rulewright.language.tree import at, walk
from rulewright.paths import data_dir

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place with two readings: its kind (as ``grammar/doubts.yaml`` names it), the one taken, and the other."""

    kind: str
    span: Span
    taken: ast.Node
    other: ast.Node


@cache
def settled(kind: str) -> Mapping[str, str]:
    """Give the cards whose doubt of a kind is settled, each with how (``grammar/doubts.yaml``)."""
    written = yaml.load((data_dir() / "grammar" / "doubts.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)
    return {str(card): str(how) for card, how in (written[kind].get("cards") or {}).items()}


def doubts(text: ast.CardText, source: str) -> Iterator[Doubt]:
    """Yield the places where a reader may take a text otherwise; ``source`` is what was read."""
    for ability in text.abilities:
        yield from _antecedents(ability)
        for _, node in walk(ability):
            if isinstance(node, ast.May):
                yield from _reach_of_may(node, source)
            elif isinstance(node, ast.Apply):
                yield from _reach_of_time(node, source)
            elif isinstance(node, ast.Objects):
                yield from _parts_of_cost(node, source)


def _antecedents(ability: ast.Ability) -> Iterator[Doubt]:
    for path, node in walk(ability):
        if not isinstance(node, ast.Reference) or node.role not in ("it", "them") or node.nouns:
            continue
        if node.antecedent is None or node.antecedent.startswith("event.") or node.span is None:
            continue
        fitting = [name for name in candidates(ability, path) if name != node.antecedent]
        for name in fitting[-1:]:
            yield Doubt("antecedent", node.span, _spoken(ability, node.antecedent), _spoken(ability, name))


def _spoken(ability: ast.Ability, path: str) -> ast.Node:
    return at(ability, path)


def _reach_of_may(node: ast.May, source: str) -> Iterator[Doubt]:
    """``you may A, then B``: B with "may", or whether A was done or not."""
    steps = node.body.steps if isinstance(node.body, ast.Sequence) else ()
    if any(isinstance(part, ast.Reference | ast.ThatMuch) for step in steps[1:] for _, part in walk(step)):
        # "You may banish one, then play it" leaves nothing open: there is nothing to play without the first.
        return
    for before, step in itertools.pairwise(steps):
        if before.span is None or step.span is None or node.span is None:
            continue
        between = source[before.span[0] : step.span[0]]
        if "then" in between.split()[-1:]:
            first = replace(node, body=steps[0])
            yield Doubt("may", node.span, node, ast.Sequence((first, *steps[1:])))
            return


def _reach_of_time(node: ast.Apply, source: str) -> Iterator[Doubt]:
    """``units you play this turn have +1``: played this turn, or having it this turn."""
    subject: Any = getattr(node.effect, "subject", None) or getattr(node.effect, "what", None)
    if node.duration != ast.ThisTurn() or not isinstance(subject, ast.Objects) or node.next_only:
        return
    for part in subject.filters:
        if not isinstance(part, ast.That) or part.window is not None or subject.span is None:
            continue
        if not source[slice(*subject.span)].endswith("this turn"):
            continue
        inner = replace(part, window=ast.ThisTurn())
        filters = tuple(inner if one is part else one for one in subject.filters)
        name = "subject" if hasattr(node.effect, "subject") else "what"
        effect: Any = replace(node.effect, **{name: replace(subject, filters=filters)})  # type: ignore[arg-type]
        yield Doubt("time", subject.span, node, replace(node, effect=effect, duration=None))


def _parts_of_cost(node: ast.Objects, source: str) -> Iterator[Doubt]:
    """``a unit with cost [3] or less``: one without Power, or with Energy cost ``[3]`` or less."""
    if node.span is None:
        return
    said = source[slice(*node.span)].lower()
    figures = [one for one in node.filters if isinstance(one, ast.StatIs) and one.stat in _PARTS]
    nothing = [one for one in figures if one.amount == ast.Number(0)]
    if len(figures) == 2 and len(nothing) == 1 and "energy" not in said and "power" not in said:
        other = tuple(one for one in node.filters if one is not nothing[0])
        yield Doubt("cost", node.span, node, replace(node, filters=other))


_PARTS = ("energy-cost", "power-cost")
