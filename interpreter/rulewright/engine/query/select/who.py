"""Which players words mean: "you", "each opponent", "its controller", "that player"."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulewright.engine.query.select.words import players, refs
from rulewright.engine.state.objects import Scope, player_of
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def _you(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    # 190.6.d: on a battlefield that nobody controls, "you" is no one.
    return () if scope.bindings.get("nobody") else (scope.controller,)


def _opponents(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return tuple(p for p in run.turn_order(scope.controller) if run.enemies(p, scope.controller))


def _everybody(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return run.turn_order(run.state.turn_player)


def _others(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return tuple(p for p in run.turn_order(scope.controller) if p != scope.controller)


def _allies(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return tuple(p for p in _others(run, node, scope, path) if not run.enemies(p, scope.controller))


def _controllers(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    if node.of is None:
        return (scope.controller,)
    found = (run.controller(ref) for ref in refs(run, node.of, scope, f"{path}.of"))
    return tuple(dict.fromkeys(p for p in found if p >= 0))


def _owners(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    if node.of is None:
        source = run.find(scope.source)
        return (source.owner,) if source is not None else ()
    found = (run.find(ref) for ref in refs(run, node.of, scope, f"{path}.of"))
    return tuple(dict.fromkeys(seen.owner for seen in found if seen is not None))


def _that_player(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    if node.antecedent is not None:
        bound = scope.bindings.get(node.antecedent)
        if bound is None and node.antecedent.startswith("event"):
            bound = scope.bindings.get("event.agent")
        if bound is not None:
            found = []
            for ref in bound:
                found.append(player_of(ref) if ref < 0 else run.controller(ref))
            return tuple(dict.fromkeys(found))
        spoken = run.antecedent(scope, node.antecedent)
        if isinstance(spoken, ast.Player):
            return players(run, spoken, scope, node.antecedent)
    for name in ("player", "event.agent", "event.subject"):
        bound = scope.bindings.get(name)
        if bound and bound[0] < 0:
            return (player_of(bound[0]),)
    return ()


def _in_combat(side: int) -> Callable[["Run", ast.Player, Scope, str], tuple[int, ...]]:
    def found(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
        return (run.state.combat[side],) if run.state.combat is not None else ()

    return found


def _next(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return run.turn_order(scope.controller)[1:2]


def _turn_player(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return (run.state.turn_player,)


PLAYERS: dict[str, Callable[["Run", ast.Player, Scope, str], tuple[int, ...]]] = {
    "you": _you,
    "opponent": _opponents,
    "opponents": _opponents,
    "each-opponent": _opponents,
    "player": _everybody,
    "players": _everybody,
    "each-player": _everybody,
    "each-other-player": _others,
    "ally": _allies,
    "allies": _allies,
    "controller": _controllers,
    "owner": _owners,
    "they": _that_player,
    "that-player": _that_player,
    "attacker": _in_combat(0),
    "defender": _in_combat(1),
    "next-player": _next,
    "turn-player": _turn_player,
}
