"""Which places words mean: "here", "there", a zone, where something is."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.engine.query.select.objects import candidates, fits
from rulewright.engine.query.select.words import Refs, locations, players, refs
from rulewright.engine.state.objects import NOBODY, Place, Scope, player_of, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def here(run: "Run", scope: Scope) -> int:
    """Give the location of a text's source: of the card it is on, or of the battlefield that it is."""
    this = scope.bindings.get("here")
    if this is not None:
        return int(this)
    return NOBODY if source_is_unknown(run, scope) else run.location(scope.source)


def source_is_unknown(run: "Run", scope: Scope) -> bool:
    """359.3.e.12: of a source that has left the board while its ability waited, nothing is known any more.

    An ability that triggers on that very leaving, or whose own cost or effect moves it, looks back (359.3.e.13).
    """
    ghost = run.state.ghosts.get(scope.source)
    if ghost is None or scope.source in run.state.objects or scope.item == NOBODY:
        return False
    if "left" in scope.bindings or not run.rules.zones[ghost.object.zone].board:
        return False
    return ghost.cause != scope.item


def _here(run: "Run", node: ast.Here, scope: Scope, path: str) -> Refs:
    found = here(run, scope)
    return (found,) if found else ()


def _there(run: "Run", node: ast.There, scope: Scope, path: str) -> Refs:
    if node.antecedent is not None:
        bound = scope.bindings.get(node.antecedent)
        if bound is None and node.antecedent.startswith("event"):
            bound = scope.bindings.get("event.at")
        if bound is None:
            spoken = run.antecedent(scope, node.antecedent)
            if spoken is not None:
                return locations(run, spoken, scope, node.antecedent)
        if bound:
            return tuple(dict.fromkeys(run.location(ref) or ref for ref in bound))
    for name in ("there", "event.at"):
        if bound := scope.bindings.get(name):
            return tuple(bound)
    return ()


def _bases(run: "Run", node: ast.Zone, scope: Scope, path: str) -> Refs:
    zone = run.rules.zones.get(node.name)
    if zone is None or not zone.location:
        return ()
    if node.of is not None:
        owners = players(run, node.of, scope, f"{path}.of")
    else:
        owners = run.turn_order(run.state.turn_player)
    return tuple(player_ref(player) for player in owners)


def _locations_of(run: "Run", node: ast.LocationOf, scope: Scope, path: str) -> Refs:
    found = []
    home = node.kind == run.rules.home
    for ref in refs(run, node.what, scope, f"{path}.what"):
        if home:
            # 107.1.c: "its base" is that of its controller, wherever it is now.
            found.append(player_ref(run.controller(ref)))
            continue
        if _is_unknown(run, node.what, ref, scope):
            continue
        origin = scope.bindings.get(f"origin:{ref}") if node.original else None
        at = origin[0] if origin else run.location(ref)
        if at and (node.kind != "battlefield" or at > 0):
            found.append(at)
    return tuple(dict.fromkeys(found))


def _described(run: "Run", node: ast.Objects, scope: Scope, path: str) -> Refs:
    return tuple(candidates(run, node, scope, path))


def _where_they_are(run: "Run", node: ast.Reference | ast.Self | ast.Group, scope: Scope, path: str) -> Refs:
    found = (run.location(ref) for ref in refs(run, node, scope, path))
    return tuple(dict.fromkeys(at for at in found if at))


def _is_unknown(run: "Run", words: Any, ref: int, scope: Scope) -> bool:
    """359.3.e.12: where something was that has left the board is not known, unless the text itself has moved it.

    What a trigger or a replacement speaks of is known as it was at that moment (359.3.f.3).
    """
    if isinstance(words, ast.Self):
        return source_is_unknown(run, scope)
    ghost = run.state.ghosts.get(ref)
    if ghost is None or ref in run.state.objects or not isinstance(words, ast.Reference):
        return False
    return ghost.cause != scope.item and not str(words.antecedent).startswith("event")


def zone_of(run: "Run", node: ast.Zone, scope: Scope, path: str = "", owner: int = -1) -> Place | None:
    """Give the place that a zone's words mean; ``owner`` is whose object goes there where nobody is named."""
    name = run.zone_name(node.name)
    per = run.rules.zones[name].per if name in run.rules.zones else "player"
    if per == "none":
        return (name, NOBODY)
    if node.of is not None:
        found = players(run, node.of, scope, f"{path}.of")
        return (name, player_ref(found[0])) if found else None
    return (name, player_ref(owner if owner >= 0 else scope.controller))


def at_place(run: "Run", at: int, place: Any, scope: Scope, path: str = "") -> bool:
    """Tell whether a location is the one, or one of those, that words mean."""
    if path and path in scope.bindings:
        return at in scope.bindings[path]
    if isinstance(place, ast.Objects):
        return fits(run, at, place, scope, path)
    if isinstance(place, ast.Zone) and place.name == "board":
        return True
    return at in locations(run, place, scope, path)


def is_zone(run: "Run", node: ast.Zone, place: Place, scope: Scope, path: str) -> bool:
    """Tell whether a zone is the one, or one of those, that words mean."""
    name = run.zone_name(node.name)
    if name == "anywhere":
        return True
    same = place[0] in run.rules.board_zones if name == "board" else place[0] == name
    if same and node.of is not None and place[1] < 0:
        same = player_of(place[1]) in players(run, node.of, scope, f"{path}.of")
    return same != node.negated


PLACES: dict[type, Callable[["Run", Any, Scope, str], Refs]] = {
    ast.Here: _here,
    ast.There: _there,
    ast.Zone: _bases,
    ast.LocationOf: _locations_of,
    ast.Objects: _described,
    ast.Reference: _where_they_are,
    ast.Self: _where_they_are,
    ast.Group: _where_they_are,
}

REFS: dict[type, Callable[["Run", Any, Scope, str], Refs]] = {ast.There: _there}
