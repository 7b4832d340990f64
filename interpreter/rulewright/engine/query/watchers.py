"""Who watches for what: the triggered and replacing abilities of a game by the verb that they wait for (382-383)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.engine.program.compile import awaited_event, event_verb
from rulewright.engine.program.index import given_kinds
from rulewright.engine.query import layers
from rulewright.engine.state.traits import Held
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def watched_verbs(run: "Run") -> frozenset[str]:
    """Give the verbs that any card in this game may watch for; what is not among them needs no look."""
    if run.verbs_for < 0:
        found: set[str] = set()
        words = set(run.rules.keyword_reads())
        # Every card that is or was in the game; tokens may come at any time.
        cards = dict.fromkeys(obj.card for obj in run.state.objects.values())
        cards.update(
            dict.fromkeys(obj.notes["copy"] for obj in run.state.objects.values() if "copy" in obj.notes)
        )
        for card in (*cards, *run.rules.tokens):
            script = run.rules.script(card)
            found |= script.verbs
            words |= script.reads
        found |= run.rules.keyword_verbs()
        run.verbs = frozenset(found)
        run.read_words = frozenset(words)
        run.known_cards = frozenset((*cards, *run.rules.tokens))
        run.far_verbs = frozenset(
            verb
            for card in run.known_cards
            for held in run.rules.script(card).elsewhere
            for verb in held.ability.verbs
        )
        run.verbs_for = 0
    if run.lasting_verbs[0] is not run.state.effects:
        run.lasting_verbs = (run.state.effects, _lasting_verbs(run))
    return run.verbs | run.lasting_verbs[1] if run.lasting_verbs[1] else run.verbs


def reads(run: "Run") -> frozenset[str]:
    """Give the states and verbs that any passive ability in this game looks at."""
    if run.verbs_for < 0:
        watched_verbs(run)
    return run.read_words


def _lasting_verbs(run: "Run") -> frozenset[str]:
    found: set[str] = set()
    for lasting in run.state.effects:
        if lasting.kind in ("trigger", "replacement"):
            node = run.rules.node(lasting.scope.ability, lasting.node)
            awaited = awaited_event(node)
            if awaited is not None:
                found.add(event_verb(run.rules, awaited))
                continue
            node = node.ability
            events = node.events if isinstance(node, ast.TriggeredAbility) else (node.event,)
            found.update(event_verb(run.rules, event) for event in events)
        if lasting.until.startswith("until:"):
            found.add(event_verb(run.rules, run.rules.node(lasting.scope.ability, lasting.until[6:]).event))
    return frozenset(found)


def watchers(run: "Run", verb: str, kind: str = "triggered") -> list[tuple[int, Held]]:
    """Give the abilities of a sort, ``triggered`` or ``replacement``, that watch for events of a verb now.

    Those of what is on the board stay the same until something else lies there, or, where an effect may grant such
    abilities, until anything changes.
    """
    granting = kind in granted_kinds(run)
    stamp = run.state.version if granting else run.state.layout
    known = run.watchers.get((kind, verb))
    if known is None or known[0] != stamp:
        found = [
            (ref, held)
            for ref in (run.board() if granting else run.watching())
            for held in layers.lasting_index(run, ref, granting).watching.get((kind, verb), ())
        ]
        known = run.watchers[kind, verb] = (stamp, found)
    if verb in run.far_verbs:
        return [*known[1], *_watching_elsewhere(run, verb, kind)]
    return known[1]


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


def granted_kinds(run: "Run") -> frozenset[str]:
    """Give the sorts of abilities that effects may give to objects, so that who has them can change at any time.

    Whether such an effect is on may change with anything; what matters here is that there is one. That changes with
    what is on the board and with the effects that last.
    """
    key = (run.state.layout, run.state.effects)
    if run.granting_key is None or run.granting_key[0] != key[0] or run.granting_key[1] is not key[1]:
        run.granting_key = key
        found: set[str] = set()
        for active in layers.active_effects(run).get(ast.Modify, ()):
            found |= given_kinds(run.rules, active.scope.ability, active.path, active.effect)
        for ref in run.board():
            found |= run.script_of(run.state.objects[ref]).self_granting
        run.granted = frozenset(found)
    return run.granted
