"""What the texts of a game watch for and look at: an event or a change that none of them asks about needs no look."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.compile import awaited_event, event_verb
from rulewright.engine.program.ruleset import OTHER_TRAITS, TAGS
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def watched_verbs(run: "Run") -> frozenset[str]:
    """Give the verbs that any card in this game may watch for; what is not among them needs no look."""
    if run.verbs_for < 0:
        found: set[str] = set()
        replaced = set(run.rules.keyword_replaced)
        words = set(run.rules.keyword_reads)
        sorts = set(run.rules.sorts_of_rules)
        # Every card that is or was in the game; tokens may come at any time.
        cards = dict.fromkeys(obj.card for obj in run.state.objects.values())
        cards.update(
            dict.fromkeys(obj.notes["copy"] for obj in run.state.objects.values() if "copy" in obj.notes)
        )
        for card in (*cards, *run.rules.tokens):
            script = run.rules.script(card)
            found |= script.verbs
            replaced |= script.replaced
            words |= script.reads
            sorts |= script.sorts
        found |= run.rules.keyword_verbs
        run.verbs = frozenset(found)
        run.read_words = frozenset(words)
        run.replaced_verbs = frozenset(replaced)
        run.effect_sorts = frozenset(sorts)
        run.forbidden_as = {}
        run.given_tags = frozenset(word[len(TAGS) :] for word in words if word.startswith(TAGS))
        run.given_traits = OTHER_TRAITS in words
        run.known_cards = frozenset((*cards, *run.rules.tokens))
        run.far_verbs = frozenset(
            verb
            for card in run.known_cards
            for held in run.rules.script(card).elsewhere
            for verb in held.ability.verbs
        )
        run.verbs_for = 0
        run.lasting_verbs = ((), frozenset())
        run.watched, run.event_kinds = run.verbs, {}
    if run.lasting_verbs[0] is not run.state.effects:
        lasting = _lasting_verbs(run)
        if lasting != run.lasting_verbs[1]:
            run.watched, run.event_kinds = run.verbs | lasting, {}
        run.lasting_verbs = (run.state.effects, lasting)
    return run.watched


class EventKind:
    """What is known of all events of a verb, as long as the same cards and lasting abilities are in the game.

    ``writes`` is what they consist of, ``sent_to`` the zone that they put their object into where the rules say one.
    ``matters`` tells that characteristics may depend on what they change, and ``noticed`` that more may come of them
    than the event itself: something replaces them or triggers, or an effect ends.
    """

    __slots__ = ("alters", "matters", "noticed", "sent_to", "writes")

    def __init__(self, run: "Run", verb: str) -> None:
        watched, rules = run.watched, run.rules
        self.writes: tuple[tuple[Any, Mapping[str, Any]], ...] = rules.performer(verb)
        names = {function.__name__ for function, _ in self.writes}
        self.sent_to = rules.sent_to(verb)
        self.matters = verb in run.read_words or any(
            _changes_what_is_read(function.__name__, parameters, run.read_words)
            for function, parameters in self.writes
        )
        self.alters = self.matters or not names.isdisjoint(("_place", "_come_in"))
        """Whether characteristics may be others afterwards, by what they change or put somewhere else."""
        self.noticed = (
            verb in watched
            # An ability may count as one of another sort.
            or ast.CountsAs in run.effect_sorts
            # What they take away leaves, and what is attached to it detaches.
            or ("_place" in names and not watched.isdisjoint(("leave", "detach")))
            # 709: whatever changes the Might of a unit may make it Mighty.
            or ("become" in watched and self.alters)
        )


def _changes_what_is_read(write: str, parameters: Mapping[str, Any], read: frozenset[str]) -> bool:
    if write in ("_set_state", "_clear_state"):
        return parameters["state"] in read
    # Of a change of zones, the zones themselves take note.
    return write not in ("_fill_pool", "_drain_pool", "_empty_pool", "_nothing", "_place", "_come_in")


def kind_of(run: "Run", verb: str) -> EventKind:
    """Give what is known of all events of a verb in this game."""
    if run.verbs_for < 0 or run.lasting_verbs[0] is not run.state.effects:
        watched_verbs(run)
    known = run.event_kinds.get(verb)
    if known is None:
        known = run.event_kinds[verb] = EventKind(run, verb)
    return known


def may_be_replaced(run: "Run", verb: str) -> bool:
    """Tell whether any text of this game, or what lasts in it, may replace events of a verb."""
    return verb in watched_verbs(run) and (verb in run.replaced_verbs or verb in run.lasting_verbs[1])


def forbidden_as(run: "Run", verb: str) -> tuple[str, ...]:
    """Give the verbs with which texts of this game forbid what a verb says; for most there are none."""
    if run.verbs_for < 0:
        watched_verbs(run)
    known = run.forbidden_as.get(verb)
    if known is None:
        known = run.forbidden_as[verb] = tuple(
            word for word in run.rules.told_as(verb) if (ast.Forbid, word) in run.effect_sorts
        )
    return known


def reads(run: "Run") -> frozenset[str]:
    """Give the states and verbs that any passive ability in this game looks at."""
    if run.verbs_for < 0:
        watched_verbs(run)
    return run.read_words


def alters_traits(run: "Run") -> bool:
    """Tell whether a text of this game may alter the types or domains of what has others printed (477.1.a)."""
    if run.verbs_for < 0:
        watched_verbs(run)
    return run.given_traits


def is_given_tag(run: "Run", word: str) -> bool:
    """Tell whether a word is a tag, or a type, that a text of this game may give to what does not have it printed."""
    given = given_tags(run)
    # A tag that is named can be any; no type is a tag.
    return word in given or ("named" in given and word not in run.rules.types)


def given_tags(run: "Run") -> frozenset[str]:
    """Give the tags and types that texts of this game may give; "named" among them stands for any tag."""
    if run.verbs_for < 0:
        watched_verbs(run)
    return run.given_tags


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
