"""Why a player may not do something: the sentence and the rule behind every option that is not there."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulewright.engine.playing.options import (
    can_afford,
    hide_price,
    move_destinations,
    probe,
    room_facedown,
    why_not_move,
    why_not_play,
    why_not_use,
)
from rulewright.engine.playing.permissions import (
    Refusal,
    gives_permission,
    has_permission,
    permission_needed,
    place_permits,
    places_to_play,
)
from rulewright.engine.query import layers
from rulewright.engine.query.payment import can_pay
from rulewright.engine.query.possible import forbidden
from rulewright.engine.query.price import total_price
from rulewright.engine.query.targets import may_be_at, options_for, targetable
from rulewright.engine.state.objects import Event, player_ref

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def why_not(run: "Run", verb: str, ref: int, player: int | None, roles: Mapping[str, Any]) -> Refusal | None:
    """Say why not; nothing where it may be done. ``player`` is whoever must decide now, where none is given."""
    decision = run.state.decision
    if player is None:
        player = decision.player if decision is not None else run.state.turn_player
    if ref not in run.state.objects:
        return "it is not in the game as this object any more", "124"
    if decision is None or decision.player != player or decision.kind not in ("action", "focus", "priority"):
        return "the player has no priority", "312.1.b"
    return _REASONS[verb](run, player, ref, roles)


def _play(run: "Run", player: int, ref: int, roles: Mapping[str, Any]) -> Refusal | None:
    found = run.state.objects[ref]
    if found.owner != player and found.controller != player:
        return "it is another player's", "419.1.a"
    if found.zone not in run.rules.terms.get("play-from", ()) and "facedown" not in found.states:
        return f"cards are not played from the {found.zone.replace('-', ' ')}", "419.1.a"
    if "facedown" in found.states and found.notes.get("hidden-turn", 0) >= run.state.turn:
        return "a hidden card can be played from the next turn on", "811.1.b"
    refusal = why_not_play(run, player, ref)
    to, target = roles.get("to"), roles.get("target")
    permanent = run.is_permanent(ref)
    if refusal is None and to is not None and permanent:
        refusal = _place(run, player, ref, to)
    if refusal is None and target is not None:
        refusal = _target(run, player, ref, target)
    if refusal is None and to is not None and target is not None and not permanent:
        moves = target > 0 and run.rules.zones[run.state.objects[target].zone].location
        if moves and not may_be_at(run, target, to):
            return "units of two other players are there", "447.2"
    return refusal


def _place(run: "Run", player: int, ref: int, at: int) -> Refusal | None:
    found = run.state.objects[ref]
    hidden = "facedown" in found.states
    if at in places_to_play(run, ref, player, {"only-at": found.at} if hidden else {}):
        needed = permission_needed(run, player)
        if hidden or not needed or has_permission(run, ref, needed):
            return None
        if any(gives_permission(run, active) for active in place_permits(run, ref, player, at)):
            return None
        # 338.1.a.6: whether the time is right is looked at when the place has been chosen.
        closed = bool(run.state.chain)
        return "only what has " + " or ".join(needed) + " can be played there now", (
            "309.1.a" if closed else "308.1.a"
        )
    event = Event("play", player_ref(player), object=ref, at=at, to=run.place_at(at))
    stopped = forbidden(run, event)
    if stopped is not None:
        return f"{run.name(stopped.scope.source)} forbids it", "002"
    if hidden:
        return "a hidden card is played where it was hidden", "811.1.d.1"
    return "it may not be played there", "355.2.a" if run.fights(ref) else "149.2"


def _target(run: "Run", player: int, ref: int, target: int) -> Refusal | None:
    found = run.state.objects[ref]
    facts = {"only-at": found.at} if "facedown" in found.states else {}
    item = probe(run, player, ref, facts)
    if not targetable(run, target, item, item.scope):
        return "it can't be chosen", "757"
    ops = run.rules.program(f"{item.scope.ability}>prepare").ops if item.scope.ability else ()
    for op in ops:
        if (
            op.code == "target"
            and hasattr(op.node, "quantity")
            and target in options_for(run, op.node, item.scope, op.path)
        ):
            # 356.2.a.2: what is chosen may ask for more, as Deflect does.
            item.targets, item.scope.bindings[op.path] = (op.path,), (target,)
            run.probe = item
            try:
                if not can_afford(run, player, item):
                    return f"{total_price(run, item)} cannot be paid", "419.2.a"
            finally:
                run.probe = None
            return None
    if "only-at" in facts:
        return "a hidden card chooses only at the battlefield where it was hidden", "811.1.d.2"
    return "it is not a legal target", "355.9.b"


def _use(run: "Run", player: int, ref: int, roles: Mapping[str, Any]) -> Refusal | None:
    found = run.state.objects[ref]
    if found.controller != player:
        return "it is another player's", "191.4"
    works = any(found.zone in held.ability.zones for held in layers.own_abilities(run, ref))
    if not run.rules.zones[found.zone].board and not works:
        return "it is not on the board", "380"
    if found.attached_to and run.script_of(found).traits.abilities:
        return "the printed text of an attached card is inactive", "718.2"
    refusal: Refusal | None = ("it has no activated ability", "376")
    for held in layers.own_abilities(run, ref):
        if held.ability.kind == "activated":
            refusal = why_not_use(run, player, ref, held)
            if refusal is None:
                return None
    return refusal


def _move(run: "Run", player: int, ref: int, roles: Mapping[str, Any]) -> Refusal | None:
    found = run.state.objects[ref]
    if found.controller != player:
        return "it is another player's", "144"
    if not run.rules.zones[found.zone].location:
        return "it is at no location", "420.1"
    if found.attached_to:
        return "it goes where its unit goes", "718.5.c"
    if not run.fights(ref):
        return "only units have the standard move", "144"
    if run.state.chain or run.state.showdown:
        return "a standard move is made in a neutral open state", "144.1.b" if run.state.chain else "144.1.c"
    if run.state.turn_player != player:
        return "a standard move is made on one's own turn", "144.1.a"
    if "exhausted" in found.states:
        return "it is exhausted", "144.2"
    to = roles.get("to")
    if to is not None and to not in move_destinations(run, ref):
        return why_not_move(run, ref, to) or ("it may not move there with a standard move", "144.4")
    return None if move_destinations(run, ref) else ("it may move nowhere", "144.4")


def _hide(run: "Run", player: int, ref: int, roles: Mapping[str, Any]) -> Refusal | None:
    row = run.rules.table("hiding", {})
    found = run.state.objects[ref]
    if not row or row["keyword"] not in run.traits(ref).keywords:
        return "only a card with Hidden can be hidden", "421.2.a"
    if found.zone not in row["from"]:
        return "a card is hidden from hand or champion zone", "811.1.b"
    price = hide_price(run, player, ref)
    if price is None or not can_pay(run, player, price):
        return "the cost of hiding cannot be paid", "811.1.b"
    fields = [at for at in run.fields() if run.controller(at) == player]
    if roles.get("to") is not None:
        fields = [at for at in fields if at == roles["to"]]
    if not fields:
        return "its player does not control that battlefield", "107.3.c"
    if not any(room_facedown(run, at) for at in fields):
        return "there is no room in the facedown zone", "107.3.b"
    return None


_REASONS = {"play": _play, "use": _use, "move": _move, "hide": _hide}
