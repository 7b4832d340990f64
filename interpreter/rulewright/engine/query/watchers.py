"""Who watches for what: the triggered and replacing abilities of a game by the verb that they wait for (382-383)."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rulewright.engine.program.index import ANY_KIND, Kind
from rulewright.engine.query import layers
from rulewright.engine.state.traits import Held

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def watchers(run: "Run", verb: str, kind: str = "triggered") -> Sequence[tuple[int, Held]]:
    """Give the abilities of a sort, ``triggered`` or ``replacement``, that watch for events of a verb now.

    Those of what is on the board stay the same until something else watches there, or, where an effect may grant such
    abilities, until anything changes.
    """
    granted, watching = may_be_given(run, kind), run.watching()
    stamp = (True, run.state.version) if granted else (False, run.watching_stamp)
    known = run.watchers.get(kind)
    if known is None or known[0] != stamp:
        by_verb: dict[str, list[tuple[int, Held]]] = {}
        for ref, index in layers.lasting_indexes(run, sorted(granted.union(watching)), granted):
            for (sort, awaited), abilities in index.watching.items():
                if sort == kind:
                    by_verb.setdefault(awaited, []).extend((ref, held) for held in abilities)
        known = run.watchers[kind] = (stamp, by_verb)
    found: Sequence[tuple[int, Held]] = known[1].get(verb, ())
    if verb in run.far_verbs:
        return [*found, *_watching_elsewhere(run, verb, kind)]
    return found


def _watching_elsewhere(run: "Run", verb: str, kind: str) -> Iterator[tuple[int, Held]]:
    """Yield the abilities that watch from a zone beyond the board, because their words say so (366.1)."""
    for (name, _), refs in run.state.zones.items():
        if run.rules.zones[name].board or run.rules.zones[name].privacy == "secret":
            continue
        for ref in refs:
            for held in run.script_of(run.state.objects[ref]).elsewhere:
                ability = held.ability
                if ability.kind == kind and name in ability.zones and verb in ability.verbs:
                    yield ref, held


def may_be_given(run: "Run", kind: str) -> frozenset[int]:
    """Give the objects on the board to which effects may give abilities of a sort, so that these can change any time.

    The sort is one that is looked for on every object: ``triggered``, ``replacement`` or ``activated``.
    Whether such an effect is on may change with anything; what matters here is that there is one that may reach them.
    That changes with what is on the board and with the effects that last: with those objects alone that may be given
    some, and with what may reach them.
    """
    key = run.given_key
    if key[0] != run.state.layout or key[1] is not run.state.effects:
        run.given_key = (run.state.layout, run.state.effects)
        layers.active_effects(run)
        refs = run.granting() if run.reach.gives.isdisjoint(ANY_KIND) else run.board()
        if run.given_for != (run.reach.stamp, refs):
            run.given_for, run.given = (run.reach.stamp, refs), _given(run, refs)
    return run.given.get(kind, _NOBODY)


_NOBODY: frozenset[int] = frozenset()


def _given(run: "Run", refs: Sequence[int]) -> dict[Kind, frozenset[int]]:
    found: dict[Kind, set[int]] = {}
    for ref in refs:
        for kind in layers.standing(run, ref).given:
            found.setdefault(kind, set()).add(ref)
    return {kind: frozenset(members) for kind, members in found.items()}
