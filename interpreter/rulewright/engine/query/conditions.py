"""States and manners that are told from the position rather than marked: alone, mighty, equipped, occupied.

Which word means what is data: the ``terms`` table of the rules names, for each such state, the test below and what it
looks at.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rulewright.engine.query import select
from rulewright.engine.state.objects import NOBODY, Event, Scope, player_of
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def in_state(run: "Run", ref: int, state: str, scope: Scope) -> bool:
    """Tell whether something is in a state; a state without a row in the table is a mark on the object."""
    told = run.named_states().get(state)
    found = run.find(ref)
    if told is None:
        return found is not None and state in found.states
    if found is None:
        return False
    return all(_TESTS[name](run, ref, value, scope) for name, value in told.items())


def _marked(run: "Run", ref: int, value: Any, scope: Scope) -> bool:
    found = run.find(ref)
    return found is not None and value in found.states


def _unmarked(run: "Run", ref: int, value: Any, scope: Scope) -> bool:
    return not _marked(run, ref, value, scope)


def _counter(run: "Run", ref: int, value: Any, scope: Scope) -> bool:
    found = run.find(ref)
    return found is not None and found.counters.get(value, 0) > 0


def _damaged(run: "Run", ref: int, value: Any, scope: Scope) -> bool:
    found = run.find(ref)
    return found is not None and (found.total_damage > 0) == value


def _figure(run: "Run", ref: int, value: Mapping[str, Any], scope: Scope) -> bool:
    return all((run.stat(ref, name) or 0) >= least for name, least in value.items())


def _has_attached(run: "Run", ref: int, value: str, scope: Scope) -> bool:
    return any(run.traits(other).has(value) for other in run.attached(ref))


def _attached(run: "Run", ref: int, value: bool, scope: Scope) -> bool:
    found = run.find(ref)
    return found is not None and (found.attached_to != NOBODY) == value


def _occupied(run: "Run", ref: int, value: bool, scope: Scope) -> bool:
    return any(run.fights(other) for other in run.at(ref)) == value


def _controlled(run: "Run", ref: int, value: bool, scope: Scope) -> bool:
    return (run.controller(ref) >= 0) == value


def _alone(run: "Run", ref: int, value: bool, scope: Scope) -> bool:
    return is_alone(run, ref) == value


def is_alone(run: "Run", ref: int) -> bool:
    """740.2.a: no other friendly unit is at the same location."""
    at, mine = run.location(ref), run.controller(ref)
    return not any(
        other != ref and run.fights(other) and not run.enemies(run.controller(other), mine)
        for other in run.at(at)
    )


def one_on_one(run: "Run", ref: int) -> bool:
    """740.2.b: it and the enemy unit at its location are both alone."""
    at, mine = run.location(ref), run.controller(ref)
    foes = [o for o in run.at(at) if run.fights(o) and run.enemies(run.controller(o), mine)]
    return is_alone(run, ref) and len(foes) == 1


def _in_combat(run: "Run", ref: int, value: bool, scope: Scope) -> bool:
    """740.2.c: it is where the combat is, and on one of its sides."""
    found = run.find(ref)
    fighting = run.state.combat is not None and run.location(ref) == run.state.showdown
    return (found is not None and fighting and bool({"attacker", "defender"} & found.states)) == value


def _in_showdown(run: "Run", ref: int, value: bool, scope: Scope) -> bool:
    at = run.location(ref)
    return (at > 0 and at == run.state.showdown) == value


def _only(run: "Run", ref: int, value: bool, scope: Scope) -> bool:
    """The only unit that its controller has where it is."""
    mine = run.controller(ref)
    return value != any(
        other != ref and run.fights(other) and run.controller(other) == mine
        for other in run.at(run.location(ref))
    )


_TESTS: dict[str, Callable[["Run", int, Any, Scope], bool]] = {
    "marked": _marked,
    "unmarked": _unmarked,
    "counter": _counter,
    "damaged": _damaged,
    "figure": _figure,
    "has-attached": _has_attached,
    "attached": _attached,
    "occupied": _occupied,
    "controlled": _controlled,
    "alone": _alone,
    "in-combat": _in_combat,
    "in-showdown": _in_showdown,
    "only": _only,
}


def manner(run: "Run", word: str, event: Event, scope: Scope) -> bool:
    """Tell whether something happened in a manner that an adverb says."""
    test = MANNERS.get(word)
    return test(run, event, scope) if test is not None else True


def _event_alone(run: "Run", event: Event, scope: Scope) -> bool:
    ref = event.subject if event.subject > 0 else event.object
    if "alone" in event.word.split():
        return True
    return is_alone(run, ref)


def _event_duel(run: "Run", event: Event, scope: Scope) -> bool:
    ref = event.subject if event.subject > 0 else event.object
    return one_on_one(run, ref)


def _after_attack(run: "Run", event: Event, scope: Scope) -> bool:
    return run.state.combat is not None and event.agent < 0 and run.state.combat[0] == player_of(event.agent)


def _facedown_source(run: "Run", event: Event, scope: Scope) -> bool:
    return event.source is not None and event.source[0] == run.facedown_zone()


def _held(run: "Run", event: Event, scope: Scope) -> bool:
    return _scored_by(run, event, "hold")


def _conquered(run: "Run", event: Event, scope: Scope) -> bool:
    return _scored_by(run, event, "conquer")


def _scored_by(run: "Run", event: Event, how: str) -> bool:
    """468: a battlefield is scored by holding or by conquering it, and both are told at once."""
    if event.verb == "gain":
        return event.source is not None and event.source[0] == how
    return any(
        other.verb == how and other.batch == event.batch and other.object == event.object
        for other in run.state.history
    )


def _this_way(run: "Run", event: Event, scope: Scope) -> bool:
    return scope.item != NOBODY and event.using == scope.item


MANNERS: dict[str, Callable[["Run", Event, Scope], bool]] = {
    "alone": _event_alone,
    "one-on-one": _event_duel,
    "after-attack": _after_attack,
    "from-facedown": _facedown_source,
    "from-hold": _held,
    "from-conquer": _conquered,
    "this-way": _this_way,
}
"""What an adverb asks of an event."""


def told_of(run: "Run", node: ast.Objects, scope: Scope, path: str) -> list[int]:
    """Give what the events of a relative clause were about, as they are now: "cards revealed this way"."""
    found: list[int] = []
    for position, part in enumerate(node.filters):
        if not isinstance(part, ast.That) or isinstance(part.event.action, ast.Moment):
            continue
        where = f"{path}.filters.{position}.event.action"
        counted = select.counted_verb(run, part.event.action, part.this_way)
        for event in run.told(scope, part.this_way):
            if select.matches(run, part.event.action, event, scope, where, gap=part.gap, verb=counted):
                patient = event.object if part.gap == "object" or event.subject <= 0 else event.subject
                found.append(_now(run, patient))
    # "Banished with this": linked abilities look at all that the source has sent there (397).
    for ref, other in run.state.objects.items():
        linked = other.sent_by and other.sent_by in run.line_of(scope.source) and ref not in found
        if linked and any(select.links(run, part, other.zone) for part in node.filters):
            found.append(ref)
    return list(dict.fromkeys(ref for ref in found if ref in run.state.objects))


def _now(run: "Run", ref: int) -> int:
    for _ in range(8):
        ghost = run.state.ghosts.get(ref)
        if ghost is None or not ghost.successor:
            return ref
        ref = ghost.successor
    return ref
