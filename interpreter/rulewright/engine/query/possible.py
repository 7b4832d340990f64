"""Whether an event could take place: nothing forbids it, and it would change something (358.3.a, 414.1.c)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.engine.query import layers, select
from rulewright.engine.query.reads import forbidden_as, kind_of
from rulewright.engine.state.objects import NOBODY, Event, GameObject, player_of, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


NEEDS_OBJECT = frozenset(
    (
        "_set_state",
        "_clear_state",
        "_add_counter",
        "_take_counter",
        "_mark_damage",
        "_clear_damage",
        "_attach",
        "_detach",
        "_relocate",
        "_place",
        "_note",
        "_stand_in",
    )
)


def can_happen(run: "Run", event: Event) -> bool:
    """Tell whether an event is possible: nothing forbids it and it would change something."""
    return changes(run, event) and not forbidden(run, event)


def forbidden(run: "Run", event: Event) -> layers.Active | None:
    """Give the effect that forbids an event, if one does."""
    verbs = forbidden_as(run, event.verb)
    if not verbs:
        return None
    ref = event.object if event.object > 0 else NOBODY
    linking = is_linking(run, event)
    if not linking and layers.none_of(run, ast.Forbid, ref, *verbs):
        return None
    for verb in verbs:
        forbidding = layers.effects(run, ast.Forbid, ref, verb)
        if linking:
            # 725: the text of an attached card is there for its own attaching and detaching.
            forbidding.extend(layers.printed_effects(run, ref, (ast.Forbid, verb)))
        for active in forbidding:
            if not _is_past(run, active, event) and select.matches(
                run, active.effect.action, event, active.scope, f"{active.path}.action"
            ):
                return active
    return None


def is_linking(run: "Run", event: Event) -> bool:
    """Tell whether an event attaches an attached card, or detaches it (725)."""
    found = run.state.objects.get(event.object)
    return (
        found is not None
        and found.attached_to != NOBODY
        and any(function.__name__ in ("_attach", "_detach") for function, _ in run.performer(event.verb))
    )


def _is_unit_in_play(run: "Run", ref: int) -> bool:
    return run.rules.zones[run.state.objects[ref].zone].board and "unit" in run.traits(ref).types


def _is_past(run: "Run", active: layers.Active, event: Event) -> bool:
    """Tell whether the time is over until which an effect forbids something: "until their third turn"."""
    until = active.effect.until
    if not isinstance(until, ast.Moment) or until.which is None or not until.which.isdigit():
        return False
    if until.phase != "turn" or event.agent >= 0:
        return False
    begun: int = run.state.players[player_of(event.agent)].facts.get("turns", 1)
    return begun >= int(until.which)


def changes(run: "Run", event: Event) -> bool:
    """Tell whether an event would change anything: an exhausted object cannot be exhausted again (414.1.b)."""
    found = run.state.objects.get(event.object)
    for function, parameters in kind_of(run, event.verb).writes:
        name = function.__name__
        if found is None:
            if name in NEEDS_OBJECT:
                return False
            continue
        test = _CHANGES.get(name)
        if test is not None and not test(run, event, found, parameters):
            return False
        if "only" in parameters and not run.rules.is_type(
            run.printed(event.object).types, parameters["only"]
        ):
            return False
    return True


def _enters_state(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    return parameters["state"] not in found.states or _again(run, event)


def _leaves_state(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    return parameters["state"] in found.states


def _has_room(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    if "limit" not in parameters:
        return True
    return found.counters.get(parameters["counter"], 0) < _limit(run, event.object, parameters)


def _has_counter(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    return bool(found.counters.get(event.word, 0))


def _is_damaged(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    # 142.2, 417.1, 417.1.e: damage is dealt to units on the board only, and never less than 1.
    return event.amount > 0 and _is_unit_in_play(run, event.object)


def _has_damage(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    return bool(found.damage)


def _is_attached(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    return found.attached_to != NOBODY


def _changes_host(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    return event.to is None or found.attached_to != event.to[1]


def _goes_elsewhere(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    # 170.4, 174.4: what is at no location, as a legend or a battlefield, does not move.
    return (found.zone, found.at) != event.to and run.rules.zones[found.zone].location


def _again(run: "Run", event: Event) -> bool:
    """441.1.c.1: tell whether an effect lets something happen again to what it has happened to already."""
    return any(
        active.effect.even_if is not None
        and select.matches(run, active.effect.action, event, active.scope, f"{active.path}.action")
        for active in layers.effects(run, ast.Permit, event.object)
    )


def _admitted(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    """Tell whether an object may leave its zone, and be in the one that it is put into (107.4.d, 108.3.c.1)."""
    zones = run.rules.zones
    name = str(parameters["zone"]) if "zone" in parameters else event.to[0] if event.to is not None else ""
    if name not in zones or name == found.zone:
        return True
    if zones[found.zone].keeps == "cards" and not run.is_token(found.id):
        return False
    rows = (run.rules.types.get(word, {}) for word in run.printed(found.id).types)
    if any(name not in row.get("only-in", (name,)) for row in rows):
        return False
    room = zones[name].room
    if room is None or zones[name].board:
        return True
    return len(run.state.zone(name, player_ref(found.owner))) < room


def _has_room_for_counter(run: "Run", event: Event, found: GameObject, parameters: Any) -> bool:
    """Tell whether an object can have one more counter of a sort, by the rule that puts such counters on objects."""
    for name in run.rules.adding_verbs(event.word):
        for _, adding in run.performer(name):
            if "limit" in adding and found.counters.get(event.word, 0) >= _limit(run, event.object, adding):
                return False
    return True


def _limit(run: "Run", ref: int, parameters: Any) -> int:
    for active in layers.effects(run, ast.BuffLimit, ref):
        subject = active.effect.subject
        if ref in select.refs(run, subject, active.scope, f"{active.path}.subject"):
            if isinstance(active.effect.amount, ast.AnyAmount):
                return 1 << 30
            return select.amount(run, active.effect.amount, active.scope, f"{active.path}.amount") or 1
    return int(parameters["limit"])


_CHANGES: dict[str, Callable[["Run", Event, GameObject, Any], bool]] = {
    "_set_state": _enters_state,
    "_clear_state": _leaves_state,
    "_add_counter": _has_room,
    "_move_counter": _has_room_for_counter,
    "_take_counter": _has_counter,
    "_mark_damage": _is_damaged,
    "_clear_damage": _has_damage,
    "_detach": _is_attached,
    "_attach": _changes_host,
    "_relocate": _goes_elsewhere,
    "_place": _admitted,
}
"""By what a write does, whether it would change its object; what is not here always does."""


def facedown_limit(run: "Run", at: int) -> int:
    """Give how many cards a battlefield's facedown zone may hold, as effects have changed it (107.3.b)."""
    most = run.rules.zones[run.facedown_zone()].room or 0
    for active in layers.effects(run, ast.Permit, verb="hide"):
        action = active.effect.action
        if "additional" in action.manner:
            if action.at is None or select.at_place(
                run, at, action.at, active.scope, f"{active.path}.action.at"
            ):
                most += 1
        elif action.at is not None and isinstance(action.object, ast.Objects):
            # "An additional card": one more than the zone holds otherwise.
            more = any(isinstance(part, ast.Other | ast.HasState) for part in action.object.filters)
            if more and select.at_place(run, at, action.at, active.scope, f"{active.path}.action.at"):
                most += 1
    return most
