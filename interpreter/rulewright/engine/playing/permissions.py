"""When and where something may be played or used: timing, permissions, places (308-310, 355.4, 806, 813)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.index import index_of
from rulewright.engine.program.ruleset import PERMITTING
from rulewright.engine.query import layers, select
from rulewright.engine.query.possible import forbidden
from rulewright.engine.query.targets import may_be_at
from rulewright.engine.state.objects import NOBODY, ChainItem, Event, player_ref
from rulewright.engine.state.traits import Held
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def can_play_somewhere(run: "Run", ref: int, player: int, facts: dict[str, Any]) -> bool:
    """Tell whether a permanent has a place to be played to: the first that will do tells."""
    return any(may_enter(run, ref, player, at) for at in _named_places(run, ref, player, facts))


def places_to_play(run: "Run", ref: int, player: int, facts: dict[str, Any]) -> list[int]:
    """Give the locations where a player may play a permanent (355.2.a-b)."""
    found = dict.fromkeys(_named_places(run, ref, player, facts))
    return [at for at in found if may_enter(run, ref, player, at)]


def _named_places(run: "Run", ref: int, player: int, facts: dict[str, Any]) -> Iterator[int]:
    """Yield the locations where a permanent may be played as far as nothing forbids it; one may come twice."""
    card = run.traits(ref)
    anywhere = run.rules.is_type(card.types, "anywhere")
    if "only-at" in facts:
        # 811.1.d.1: a hidden permanent is played where it was hidden.
        yield facts["only-at"]
    elif "to" in facts:
        found = [at for at in facts["to"] if anywhere or at == player_ref(player) or at > 0]
        if not anywhere:
            found = [at for at in found if at < 0] or found
        yield from found
    else:
        yield player_ref(player)
        if not anywhere:
            return
        permits = _permits_to_places(run, ref, player)
        for at in run.fields():
            if run.controller(at) == player or _permitting(run, permits, ref, player, at):
                yield at
        for at in run.bases() if permits else ():
            if at != player_ref(player) and _permitting(run, permits, ref, player, at):
                yield at


def place_permits(run: "Run", ref: int, player: int, at: int) -> list[layers.Active]:
    """Give the effects that permit playing a card to a location (355.2.b)."""
    return _permitting(run, _permits_to_places(run, ref, player), ref, player, at)


def _permitting(
    run: "Run", permits: list[layers.Active], ref: int, player: int, at: int
) -> list[layers.Active]:
    """Give those of the effects that permit playing a card to some places which do so for one location."""
    if not permits:
        return permits
    event = Event("play", agent=player_ref(player), object=ref, at=at, to=run.place_at(at))
    return [
        active
        for active in permits
        if _permit_matches(run, active, event) or _was_paid_there(run, active, ref, at)
    ]


def _permits_to_places(run: "Run", ref: int, player: int) -> list[layers.Active]:
    """Give the effects that permit playing a card to places that they name, at this time."""
    if layers.none_of(run, ast.Permit, ref, "play", "ambush"):
        return []
    found = [
        active
        for verb in ("play", "ambush")
        for active in layers.effects(run, ast.Permit, ref, verb)
        if active.effect.action.to is not None and active.effect.action.source is None
    ]
    if found and _is_untimely(run, ref, player):
        return [active for active in found if not gives_permission(run, active)]
    return found


def _is_untimely(run: "Run", ref: int, player: int) -> bool:
    """Tell whether a player may not use a keyword's permission to play a card at this time (822.1.d)."""
    narrowing = [
        active
        for verb in run.rules.placed
        for active in layers.effects(run, ast.Permit, NOBODY, verb)
        if active.effect.times is not None
        and player
        in select.players(run, active.effect.action.subject, active.scope, f"{active.path}.action.subject")
    ]
    if not narrowing:
        return False
    item = next((item for item in run.state.chain if item.object == ref), None)
    needed = _needed(run, item) if item is not None else permission_needed(run, player)
    times = {active.effect.times.name.casefold() for active in narrowing}
    return bool(needed) and not times <= set(needed)


def _was_paid_there(run: "Run", active: layers.Active, ref: int, at: int) -> bool:
    """ "You may [Ambush] me to its battlefield": where that was which was killed to pay for the card (359.3.e.13)."""
    to = active.effect.action.to
    if not isinstance(to, ast.LocationOf) or not isinstance(to.what, ast.Reference):
        return False
    return active.scope.source == ref and any(
        ghost.cause == ref and ghost.object.at == at for ghost in run.state.ghosts.values()
    )


def _permit_matches(run: "Run", active: layers.Active, event: Event) -> bool:
    if active.play is None:
        active.play = _play_permitted(active.effect.action)
    return select.matches(run, active.play, event, active.scope, f"{active.path}.action")


def _play_permitted(action: ast.Action) -> ast.Action:
    """Give the play that a permission is for."""
    if action.verb != "ambush" or action.object is not None:
        return ast.Action("play", action.subject, action.object, to=action.to, at=action.at)
    if isinstance(action.subject, ast.Player):
        return ast.Action("play", action.subject, ast.Self(), to=action.to)
    return ast.Action("play", None, action.subject, to=action.to)


def may_enter(run: "Run", ref: int, player: int, at: int) -> bool:
    """Tell whether nothing forbids a card to be played to a location."""

    event = Event("play", agent=player_ref(player), object=ref, at=at, to=run.place_at(at))
    if forbidden(run, event) is not None:
        return False
    for active in layers.effects(run, ast.Permit, ref, "play"):
        action = active.effect.action
        if active.effect.only and (action.to is not None or action.at is not None):
            # "Can only be played to": whoever and whatever the words name may go nowhere else.
            whole = ast.Action("play", action.subject, action.object)
            path = f"{active.path}.action"
            if select.matches(run, whole, event, active.scope, path) and not select.matches(
                run, action, event, active.scope, path
            ):
                return False
    if at > 0:
        found = run.state.objects.get(ref)
        kept = found.controller if found is not None else player
        others = {run.controller(o) for o in run.at(at) if run.fights(o)} - {player}
        if run.state.showdown == at and run.state.combat is not None:
            others |= set(run.state.combat) - {player}
        return len(others) < 2 and kept is not None
    return may_be_at(run, ref, at)


Refusal = tuple[str, str]
"""Why something may not be done: a sentence, and the number of the rule."""


def _acting(run: "Run") -> tuple[int, ...]:
    """Give who may act in a neutral open state: the turn player, and whom they have invited (316.5.b.1)."""
    return (run.state.turn_player, run.state.facts.get("invited", -1))


def permission_needed(run: "Run", player: int) -> tuple[str, ...]:
    """Give the permissive keywords of which something played now needs one; empty in a neutral open state (310.1)."""
    state = run.state
    if state.chain or (player not in _acting(run) and not state.showdown):
        return run.rules.timing.get("closed", ())
    return run.rules.timing.get("showdown", ()) if state.showdown else ()


def may_be_permitted(run: "Run", ref: int, names: tuple[str, ...]) -> bool:
    """Tell at a glance whether a card may be played where one of some permissive keywords is needed.

    Most of a hand may not: its text names none of them, and nothing gives it any or permits to play it. What lies
    facedown needs none (811.1.b).
    """
    found = run.state.objects[ref]
    script = run.script_of(found)
    return (
        not script.timed.isdisjoint(names)
        or script.permits
        or "facedown" in found.states
        or not layers.standing(run, ref).printed
        or not layers.active_effects(run).keys().isdisjoint(PERMITTING)
    )


def has_permission(run: "Run", ref: int, names: tuple[str, ...]) -> bool:
    """Tell whether a card has one of the permissive keywords, by itself or by what another keyword stands for."""
    traits = run.traits(ref)
    index = index_of(run.rules, traits)
    if any(name in traits.keywords or name in index.keywords for name in names):
        return True
    return ast.Modify in index.effects and any(
        grants_now(run, ref, grant) for grant in own_grants(run, ref, names)
    )


Grant = tuple[Held, tuple[tuple[Any, str], ...]]
"""A passive ability that gives its own card a permission, and the conditions that it stands under."""


def own_grants(run: "Run", ref: int, names: tuple[str, ...]) -> list[Grant]:
    """Give a card's own passive abilities that may give it one of some permissive keywords (806.4)."""
    return [
        (held, conditions)
        for held, effect, path, conditions in index_of(run.rules, run.traits(ref)).effects.get(ast.Modify, ())
        if any(_grants(change, names) for change in effect.changes)
        and ref in select.refs(run, effect.subject, run.scope_of(ref, held), f"{path}.subject")
    ]


def grants_now(run: "Run", ref: int, grant: Grant) -> bool:
    """Tell whether what gives a permission does so now: its gates are open and its conditions hold."""
    held, conditions = grant
    scope = run.scope_of(ref, held)
    return all(layers.gate_open(run, gate, scope) for gate in held.ability.gates) and all(
        select.holds(run, words, scope, path) for words, path in conditions
    )


def _grants(change: Any, names: tuple[str, ...]) -> bool:
    what = change.what if isinstance(change, ast.Gains) else None
    return isinstance(what, ast.Keyword) and what.name.casefold() in names


def timing_problem(run: "Run", item: ChainItem) -> Refusal | None:
    """Say why an item that is being finalized may not be played at this time (358.4)."""
    needed = _needed(run, item)
    if not needed:
        return None
    if item.facts.get("facedown") or has_permission(run, item.object, needed):
        return None
    place = item.facts.get("place")
    if place is not None and any(
        gives_permission(run, active)
        for active in place_permits(run, item.object, item.scope.controller, place)
    ):
        return None
    return "it does not have the permission to be played at this time", "358.4"


def _needed(run: "Run", item: ChainItem) -> tuple[str, ...]:
    """Give the permissive keywords of which an item on the chain needs one, by what was there before it (310.1)."""
    state = run.state
    others = [other for other in state.chain if other is not item and other.id != item.id]
    if any(state.chain.index(other) < state.chain.index(item) for other in others):
        return run.rules.timing.get("closed", ())
    if state.showdown:
        return run.rules.timing.get("showdown", ())
    return run.rules.timing.get("closed", ()) if item.scope.controller not in _acting(run) else ()


def gives_permission(run: "Run", active: layers.Active) -> bool:
    """Tell whether a card that is played to a place by this permission may be played at any time, too (822.1.b)."""
    words = {active.effect.action.verb, active.scope.bindings.get("keyword")}
    return not words.isdisjoint(run.rules.placed)
