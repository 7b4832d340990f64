"""Playing, hiding and using because an instruction says so, and tokens that are played (349, 401, 421)."""

from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import put_trigger, sort_matches
from rulewright.engine.playing.act import Act
from rulewright.engine.playing.chain import put_card
from rulewright.engine.playing.options import why_not_card
from rulewright.engine.program.compile import needs_choice, trigger_events
from rulewright.engine.query import layers, select
from rulewright.engine.query.price import Price, price_of
from rulewright.engine.run import EngineError
from rulewright.engine.state.objects import Event, Scope, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run
    from rulewright.engine.state.traits import Held


def play_by_effect(act: Act) -> list[Event] | None:
    """Put the cards that an instruction plays on the chain, with what it says of their cost and place."""
    run, node, scope = act.run, act.node, act.scope
    path = f"{act.path}.object"
    if isinstance(node.object, ast.Objects) and path not in scope.bindings and needs_choice(node.object):
        options = [r for r in select.candidates(run, node.object, scope, path) if _playable_by_effect(act, r)]
        if not options:
            scope.bindings["did"] = False
            return None
        least = 0 if _private(run, node.object) else 1
        chosen = run.pick(act.player, options, least, 1, "Choose what to play", "419.3")
        scope.bindings[path] = chosen
        refs: list[int] = list(chosen)
    else:
        said = act.objects()
        meant = act.living(said)
        waiting = [
            item
            for item in run.state.chain
            if item.object and not item.finalized and set(run.line_of(item.object)[1:]) & set(said)
        ]
        refs = [r for r in meant if r > 0 and _playable_by_effect(act, r)]
        if waiting and not refs:
            # "Play it. If it's a unit, you may play it to here": the same play, to a place of its own.
            for item in waiting:
                item.facts.update(place_facts(act))
            scope.bindings["did"] = True
            return None
        if len({run.state.objects[ref].owner for ref in refs}) > 1:
            # Of the cards of several players each plays their own.
            refs = [ref for ref in refs if run.state.objects[ref].owner == act.player]
    for ref in refs:
        facts = _play_facts(act)
        if "inherit" in act.frame.local:
            # 370.2: what has stood in for a play does not apply again to the play in its place.
            facts["inherit"] = act.frame.local["inherit"]
        position = act.frame.position
        put_card(run, ref, act.player, facts)
        if "again" in node.manner:
            # 002: "Play this again. If they do, ..." goes on, though it leaves the chain for that (359.3.e.15).
            act.frame.position = position
    scope.bindings["did"] = bool(refs)
    scope.bindings["did:who"] = (player_ref(act.player),)
    return None


def _private(run: "Run", node: ast.Objects) -> bool:
    for part in node.filters:
        if isinstance(part, ast.From) and isinstance(part.place, ast.Zone):
            zone = run.rules.zones.get(run.zone_name(part.place.name))
            return zone is not None and zone.privacy != "public"
    return False


def _play_facts(act: Act) -> dict[str, Any]:
    run, node, scope = act.run, act.node, act.scope
    facts: dict[str, Any] = {"forced": True}
    cost = node.cost
    if isinstance(cost, ast.CostChange):
        where = f"{act.path}.cost"
        if cost.change == "ignore":
            if cost.part == "any-cost":
                facts["free"] = True
            facts["ignore"] = (cost.part,)
        elif cost.change == "less" and cost.cost is not None:
            price = price_of(run, cost.cost, scope, f"{where}.cost")
            times = 1 if cost.per is None else select.amount(run, cost.per, scope, f"{where}.per") or 0
            total = Price()
            total.add(price, times)
            facts["less"] = (total.to_data(),)
        elif cost.change == "becomes":
            facts["instead"] = price_of(run, cost.cost, scope, f"{where}.cost").to_data()
    elif isinstance(cost, ast.Cost):
        facts["instead"] = price_of(run, cost, scope, f"{act.path}.cost").to_data()
    facts.update(place_facts(act))
    return facts


def _in_others_combat(run: "Run", player: int, at: int) -> bool:
    """Tell whether a combat of two other players is staged or goes on at a location (462.2.a)."""
    field = run.state.objects.get(at)
    if field is None:
        return False
    if run.state.showdown == at and run.state.combat is not None:
        return player not in run.state.combat
    staged = field.notes.get("staged", (False, False))
    present = {run.controller(ref) for ref in run.at(at) if run.fights(ref)}
    return bool(staged[1]) and player not in present


def place_facts(act: Act) -> dict[str, Any]:
    """Where an instruction lets something be played, and how it arrives (184)."""
    run, node, scope = act.run, act.node, act.scope
    facts: dict[str, Any] = {}
    if node.to is not None and not isinstance(node.to, ast.Player):
        places = select.locations(run, node.to, scope, f"{act.path}.to")
        facts["to"] = tuple(places)
    elif node.at is not None:
        facts["to"] = tuple(select.locations(run, node.at, scope, f"{act.path}.at"))
    if facts.get("to") and all(_in_others_combat(run, act.player, at) for at in facts["to"]):
        # 462.2: it is played to base instead, and from here on the words mean that.
        facts["to"] = (player_ref(act.player),)
        scope.bindings["here"] = player_ref(act.player)
    if node.state is not None:
        facts["state"] = node.state
    if "only-at" in scope.bindings:
        # 811.1.d.3: what a hidden card plays is played where that card was hidden.
        facts["to"] = (scope.bindings["only-at"],)
    return facts


def _playable_by_effect(act: Act, ref: int) -> bool:

    if ref not in act.run.state.objects:
        return False
    return why_not_card(act.run, act.player, ref, _play_facts(act)) is None


def hide_by_effect(act: Act) -> list[Event] | None:
    """Hide cards because an instruction says so."""
    run = act.run
    events = []
    for ref in act.living(act.objects()):
        fields = [at for at in run.fields() if run.controller(at) == act.player]
        if fields and ref > 0:
            chosen = run.pick(act.player, fields, 1, 1, "Choose where to hide it", "421.1", "location")
            events.append(act.event("hide", object=ref, to=(run.facedown_zone(), chosen[0]), at=chosen[0]))
    return events


def _rest_holds(run: "Run", held: "Held", event: Event, scope: Scope) -> bool:
    """383.4.g.1: what a condition says besides its named part ("that was uncontrolled") has to be true."""
    scope.bindings["activated"] = True
    for position, pattern in enumerate(trigger_events(run.rules, held.ability)):
        action = pattern.action
        if not isinstance(action, ast.Action) or action.verb != event.verb:
            continue
        where = f"{f'{held.ability.prefix}.' if held.ability.prefix else ''}events.{position}.action"
        for about in (event.object, event.at):
            told = Event(event.verb, event.agent, subject=event.subject, object=about, at=event.at)
            if select.matches(run, action, told, scope, where, gap="subject"):
                return True
    return False


def activate(act: Act) -> None:
    """383.4.g: check the named abilities of objects as if the named part of their condition had been fulfilled."""

    run, node = act.run, act.node
    what = node.object
    if not isinstance(what, ast.AbilityText):
        raise EngineError("only abilities can be activated", place=act.scope.ability)
    active = layers.Active(ast.TriggerAgain(what, ast.Number(1)), act.scope, act.path, 0)
    done = False
    gone = (
        (act.scope.source,) if isinstance(what.of, ast.Self) and act.scope.source not in run.board() else ()
    )
    for ref in (*run.board(), *gone):
        for held in layers.own_abilities(run, ref):
            if held.ability.kind != "triggered":
                continue
            scope = run.scope_of(ref, held)
            at = run.location(ref)
            event = Event(what.sort, player_ref(scope.controller), subject=ref, object=ref, at=at)
            if what.sort in held.ability.verbs and sort_matches(run, active, ref, held, event, scope):
                condition = getattr(held.ability.node, "condition", None)
                prefix = f"{held.ability.prefix}." if held.ability.prefix else ""
                if not _rest_holds(run, held, event, scope):
                    continue
                if condition is None or select.holds(run, condition, scope, f"{prefix}condition"):
                    event.batch = run.state.facts.get("batch", 0) + 1
                    scope.bindings["event.subject"] = (ref,)
                    scope.bindings["event.at"] = (at,)
                    put_trigger(run, ref, held, None, event, scope)
                    done = True
    run.state.facts["batch"] = run.state.facts.get("batch", 0) + 1
    act.scope.bindings["did"] = done
