"""What words mean in a running game, asked by their kind: players, places, objects, filters, amounts, conditions.

Words contain each other to any depth: a filter holds a condition, that an amount, that a description of objects. So
each kind of words is asked here, by one function that looks up what reads this type of words, and the modules above
this one put their readers into its tables: none of them needs to know who reads the words within its own.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.engine.state.objects import Scope, player_of
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run

Refs = tuple[int, ...]
"""Objects, items of the chain, places and players by their references, in the order in which words list them."""

PLAYERS: dict[str, Callable[["Run", ast.Player, Scope, str], tuple[int, ...]]] = {}
PLACES: dict[type, Callable[["Run", Any, Scope, str], Refs]] = {}
REFS: dict[type, Callable[["Run", Any, Scope, str], Refs]] = {}
FILTERS: dict[type, Callable[["Run", int, Any, Scope, str, Sequence[int]], bool]] = {}
AMOUNTS: dict[type, Callable[["Run", Any, Scope, str], int | None]] = {}
CONDITIONS: dict[type, Callable[["Run", Any, Scope, str], bool]] = {}


def players(run: "Run", node: Any, scope: Scope, path: str = "") -> tuple[int, ...]:
    """Give the players that words mean, in turn order where there are several."""
    bound = scope.bindings.get(path) if path else None
    if bound is not None:
        return tuple(player_of(ref) for ref in bound if ref < 0)
    if isinstance(node, ast.Group):
        found = [
            p for i, part in enumerate(node.parts) for p in players(run, part, scope, f"{path}.parts.{i}")
        ]
        return tuple(dict.fromkeys(found))
    return PLAYERS[node.which](run, node, scope, path)


def locations(run: "Run", node: Any, scope: Scope, path: str = "") -> Refs:
    """Give the locations that a place means: battlefields by number, a base by its player's reference."""
    bound = scope.bindings.get(path) if path else None
    if bound is not None:
        return tuple(bound)
    reads = PLACES.get(type(node))
    return reads(run, node, scope, path) if reads is not None else ()


def refs(run: "Run", node: Any, scope: Scope, path: str = "") -> Refs:
    """Give what words refer to: what was chosen under their path, or all that fits."""
    if path:
        bound = scope.bindings.get(path)
        if bound is not None:
            return run.legal_targets(node, scope, path, tuple(bound))
    reads = REFS.get(type(node))
    return reads(run, node, scope, path) if reads is not None else ()


def passes(
    run: "Run", ref: int, part: ast.Filter, scope: Scope, path: str = "", others: Sequence[int] = ()
) -> bool:
    """Tell whether something passes one filter of a description."""
    return FILTERS[type(part)](run, ref, part, scope, path, others)


def amount(run: "Run", node: Any, scope: Scope, path: str = "") -> int | None:
    """Give an amount as a number; nothing where what it asks about is not known ("null")."""
    return AMOUNTS[type(node)](run, node, scope, path)


def holds(run: "Run", node: Any, scope: Scope, path: str = "") -> bool:
    """Tell whether a condition is true now."""
    return CONDITIONS[type(node)](run, node, scope, path)
