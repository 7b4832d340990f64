"""Whether an object passes one filter of a description: whose it is, what it is, where, what happened to it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulewright.engine.query.select.amounts import compares, enough
from rulewright.engine.query.select.events import counted_verb, matches
from rulewright.engine.query.select.objects import fits, is_noun, lying_in
from rulewright.engine.query.select.places import at_place
from rulewright.engine.query.select.words import amount, holds, locations, passes, players, refs
from rulewright.engine.state.objects import NOBODY, ChainItem, Event, Scope, player_ref
from rulewright.errors import RulewrightError
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def _side(run: "Run", ref: int, part: ast.Side, scope: Scope, path: str, others: Sequence[int]) -> bool:
    controller = run.controller(ref)
    if controller < 0:
        return False
    return run.enemies(controller, scope.controller) == (part.side == "enemy")


def _controlled(
    run: "Run", ref: int, part: ast.ControlledBy, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    if part.owned or not run.on_board_or_chain(ref):
        found = run.find(ref)
        whose = found.owner if found is not None else -1
    else:
        whose = run.controller(ref)
    return (whose in players(run, part.player, scope, f"{path}.player")) != part.negated


def _other(run: "Run", ref: int, part: ast.Other, scope: Scope, path: str, others: Sequence[int]) -> bool:
    if ref in others:
        return False
    if part.than is not None:
        if isinstance(part.than, ast.LocationOf | ast.Here | ast.There):
            return ref not in locations(run, part.than, scope, f"{path}.than")
        return ref not in refs(run, part.than, scope, f"{path}.than")
    if ref in run.line_of(scope.source) or ref == run.current(scope.source, scope):
        # What died is not "another" in its trash for what triggered on that: it is still what the text calls itself.
        return False
    if ref == run.location(scope.source) and scope.source in run.state.objects:
        # "Another location" is another than the one where the source is.
        return False
    # "another unit" is not one that was chosen before by the same text.
    return not any(
        ref in bound or any(run.current(other, scope) == ref for other in bound if isinstance(other, int))
        for where, bound in scope.bindings.items()
        if where.startswith("body")
        # What stands behind a colon is about a choice: all that there was to choose from, for one.
        and ":" not in where
        and isinstance(bound, tuple)
        and not (ref < 0 and where.endswith(".subject"))
    )


def _type(run: "Run", ref: int, part: ast.HasType, scope: Scope, path: str, others: Sequence[int]) -> bool:
    # A "unit ability" is an ability of a unit.
    of = run.holders_of(ref) or (ref,)
    return is_noun(run, of[0], part.type, scope) != part.negated


def _tag(run: "Run", ref: int, part: ast.HasTag, scope: Scope, path: str, others: Sequence[int]) -> bool:
    traits = run.traits(ref)
    for tag in part.tags:
        word = run.named_word(scope) if tag == "named" else tag
        if word in traits.tags or word == traits.name:
            return not part.negated
    return part.negated


def _name(run: "Run", ref: int, part: ast.HasName, scope: Scope, path: str, others: Sequence[int]) -> bool:
    return run.printed(ref).name == run.named_word(scope)


def _state(run: "Run", ref: int, part: ast.HasState, scope: Scope, path: str, others: Sequence[int]) -> bool:
    return run.in_state(ref, part.state, scope) != part.negated


def _keyword(
    run: "Run", ref: int, part: ast.HasKeyword, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    name = part.keyword.name.casefold()
    item = run.state.item(ref)
    if item is not None and not item.object:
        # 806.5.c, 813.5.c: an ability has the keywords that stand before it, and the one that it comes from.
        known = name in item.facts.get("gates", ()) or name == item.facts.get("sort")
        return known != part.negated
    return (name in run.traits(ref).keywords) != part.negated


def _stat(run: "Run", ref: int, part: ast.StatIs, scope: Scope, path: str, others: Sequence[int]) -> bool:
    return compares(run.stat(ref, part.stat), part.op, amount(run, part.amount, scope, f"{path}.amount"))


def _total(run: "Run", ref: int, part: ast.TotalIs, scope: Scope, path: str, others: Sequence[int]) -> bool:
    # Asked for one object, with those already chosen: an upper bound holds for the group so far (355.11).
    if part.op not in ("<", "<="):
        return True
    total = sum(run.stat(chosen, part.stat) or 0 for chosen in (*others, ref))
    return compares(total, part.op, amount(run, part.amount, scope, f"{path}.amount"))


def _at(run: "Run", ref: int, part: ast.At, scope: Scope, path: str, others: Sequence[int]) -> bool:
    if isinstance(part.place, ast.Zone) and part.place.name == "anywhere":
        return not part.negated
    if isinstance(part.place, ast.Zone) and run.zone_name(part.place.name) in run.rules.off_board:
        return (ref in lying_in(run, ast.From(part.place), scope, f"{path}.place")) != part.negated
    at = run.location(ref)
    if part.same and any(run.location(other) != at for other in others):
        return False
    if not at:
        return part.negated
    return at_place(run, at, part.place, scope, f"{path}.place" if path else "") != part.negated


def _from_place(run: "Run", ref: int, part: ast.From, scope: Scope, path: str, others: Sequence[int]) -> bool:
    among = lying_in(run, part, scope, f"{path}.place")
    found = run.state.objects.get(ref)
    # "That Equipment from that unit": what is attached to it (718).
    return ref in among or (found is not None and found.attached_to > 0 and found.attached_to in among)


def _same_controller(
    run: "Run", ref: int, part: ast.SameController, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    mine = run.controller(ref)
    others = others or scope.bindings.get("same-as", ())
    return all((run.controller(other) == mine) != part.negated for other in others if other != ref)


def _attached(
    run: "Run", ref: int, part: ast.AttachedTo, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    found = run.find(ref)
    host = found.attached_to if found is not None else NOBODY
    if part.host is None:
        return (host != NOBODY) != part.negated
    return (host in refs(run, part.host, scope, f"{path}.host")) != part.negated


def _chooses(run: "Run", ref: int, part: ast.Chooses, scope: Scope, path: str, others: Sequence[int]) -> bool:
    item = run.state.item(ref)
    if item is None and run.probe is not None and run.probe.id == ref:
        item = run.probe
    if item is None:
        return False
    # 359.3.e.9.a: what has left for another zone is no longer counted among what is chosen.
    chosen = [
        target
        for target in run.targets_of(item)
        if target < 0 or target in run.state.objects or run.state.item(target) is not None
    ]
    if isinstance(part.what, ast.Objects):
        fitting = [target for target in chosen if fits(run, target, part.what, scope, f"{path}.what")]
        if f"{path}.what" in scope.bindings:
            fitting = [target for target in chosen if target in scope.bindings[f"{path}.what"]]
    else:
        named = refs(run, part.what, scope, f"{path}.what")
        fitting = [target for target in chosen if target in named]
    if not fitting:
        return False
    if not part.only:
        return True
    # A repeated spell that chooses it twice still chooses no other (359.3.e.9.a).
    if len(set(fitting)) != 1 or not isinstance(part.no_other, ast.Objects):
        return len(set(fitting)) == 1
    described = tuple(one for one in part.no_other.filters if not isinstance(one, ast.Other))
    no_other = replace(part.no_other, filters=described)
    return not any(t > 0 and t not in fitting and fits(run, t, no_other, scope) for t in chosen)


def _that(run: "Run", ref: int, part: ast.That, scope: Scope, path: str, others: Sequence[int]) -> bool:
    line = run.line_of(ref)
    if isinstance(part.event.action, ast.Moment):
        return part.negated
    if part.event.action.verb == "be":
        return _was(run, ref, part.event.action, scope) != part.negated
    if part.event.action.verb == "choose" and ref in scope.bindings.get("choosing", ()):
        return not part.negated
    item = run.state.item(ref)
    if (
        item is not None
        and item.object == ref
        and part.gap == "object"
        and _is_playing(run, part, item, scope, path)
    ):
        return not part.negated
    counted = counted_verb(run, part.event.action, part.this_way)
    for event in run.told(scope, part.this_way):
        patient = event.object if part.gap == "object" else event.subject
        if part.gap == "subject" and run.alias(part.event.action.verb).get("subject") == "object":
            patient = event.object
        if patient == NOBODY and part.gap == "subject":
            # "A spell that chose me": what does it is what it is done with (411.5).
            patient = event.using
        if patient in line and matches(
            run, part.event.action, event, scope, f"{path}.event.action", gap=part.gap, verb=counted
        ):
            return not part.negated
    found = run.state.objects.get(ref)
    if found is not None and found.sent_by and links(run, part, found.zone):
        # Linked abilities look at all that their source has sent there, on whatever turn (397).
        return (found.sent_by in run.line_of(scope.source)) != part.negated
    return part.negated


def links(run: "Run", part: Any, zone: str) -> bool:
    """Tell whether a filter speaks of what its own object has sent to a zone ("banished with this", 397)."""
    if not isinstance(part, ast.That) or not isinstance(part.event.action, ast.Action):
        return False
    if not isinstance(part.event.action.using, ast.Self | ast.Reference):
        return False
    for function, parameters in run.performer(part.event.action.verb):
        if function.__name__ == "_place":
            return bool(parameters.get("zone") == zone)
    return False


def _was(run: "Run", ref: int, action: ast.Action, scope: Scope) -> bool:
    """ "That was uncontrolled": the state that the object was in just before what is told of it (469.1)."""
    found = run.find(ref)
    told = run.named_states().get(action.state or "", {})
    if "controlled" not in told:
        raise RulewrightError(f"a former state {action.state!r} is not remembered", place=scope.ability)
    if found is not None and scope.bindings.get("activated"):
        # 383.4.g.1: nothing was conquered, and just before it was as it is now.
        return (found.controller >= 0) == bool(told["controlled"])
    return (
        found is not None and "before" in found.notes and (found.notes["before"] >= 0) == told["controlled"]
    )


def _is_playing(run: "Run", part: ast.That, item: ChainItem, scope: Scope, path: str) -> bool:
    """Tell whether a card on the chain is one that somebody plays, which is not over yet (350)."""
    event = Event(
        "play", player_ref(item.scope.controller), object=item.object, source=item.facts.get("from")
    )
    action = part.event.action
    return isinstance(action, ast.Action) and matches(
        run, action, event, scope, f"{path}.event.action", gap="object"
    )


def _where(run: "Run", ref: int, part: ast.Where, scope: Scope, path: str, others: Sequence[int]) -> bool:
    """A place of which a condition holds: what the condition speaks of is looked for there."""
    inner = Scope(
        scope.controller,
        scope.source,
        scope.ability,
        scope.item,
        {**scope.bindings, "where": ref, "there": (ref,)},
    )
    return holds(run, part.condition, inner, f"{path}.condition" if path else "")


def _alongside(
    run: "Run", ref: int, part: ast.Alongside, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    found = run.find(ref)
    if found is None or not isinstance(part.what, ast.Objects):
        return False
    marks = found.states & {"attacker", "defender"}
    return any(
        other != ref
        and bool(marks & run.state.objects[other].states)
        and run.controller(other) == run.controller(ref)
        and all(is_noun(run, other, noun, scope) for noun in part.what.nouns)
        for other in run.at(run.location(ref))
    )


def _copy_of(run: "Run", ref: int, part: ast.CopyOf, scope: Scope, path: str, others: Sequence[int]) -> bool:
    """A copy has what the other has printed: they are the same card to whoever looks (477.1.b)."""
    card = run.printed(ref).card
    return any(run.printed(other).card == card for other in refs(run, part.what, scope, "") if other > 0)


def _either(run: "Run", ref: int, part: ast.EitherOf, scope: Scope, path: str, others: Sequence[int]) -> bool:
    return any(
        passes(run, ref, one, scope, f"{path}.filters.{position}" if path else "", others)
        for position, one in enumerate(part.filters)
    )


def _bears(run: "Run", ref: int, part: ast.Bears, scope: Scope, path: str, others: Sequence[int]) -> bool:
    inner = f"{path}.what" if path else ""
    borne = sum(
        run.state.objects[other].attached_to == ref and fits(run, other, part.what, scope, inner)
        for other in run.board()
    )
    return enough(run, part.what, borne, scope, inner)


FILTERS: dict[type, Callable[["Run", int, Any, Scope, str, Sequence[int]], bool]] = {
    ast.Side: _side,
    ast.ControlledBy: _controlled,
    ast.Other: _other,
    ast.HasType: _type,
    ast.HasTag: _tag,
    ast.HasName: _name,
    ast.HasState: _state,
    ast.HasKeyword: _keyword,
    ast.StatIs: _stat,
    ast.TotalIs: _total,
    ast.At: _at,
    ast.From: _from_place,
    ast.SameController: _same_controller,
    ast.AttachedTo: _attached,
    ast.Chooses: _chooses,
    ast.That: _that,
    ast.Where: _where,
    ast.Alongside: _alongside,
    ast.CopyOf: _copy_of,
    ast.EitherOf: _either,
    ast.Bears: _bears,
}
