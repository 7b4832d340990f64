"""What the texts of a game watch for and look at: an event or a change that none of them asks about needs no look."""

from typing import TYPE_CHECKING

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
        run.watched, run.noticed = run.verbs, {}
    if run.lasting_verbs[0] is not run.state.effects:
        lasting = _lasting_verbs(run)
        if lasting != run.lasting_verbs[1]:
            run.watched, run.noticed = run.verbs | lasting, {}
        run.lasting_verbs = (run.state.effects, lasting)
    return run.watched


def may_be_replaced(run: "Run", verb: str) -> bool:
    """Tell whether any text of this game, or what lasts in it, may replace events of a verb."""
    return verb in watched_verbs(run) and (verb in run.replaced_verbs or verb in run.lasting_verbs[1])


def is_noticed(run: "Run", verb: str) -> bool:
    """Tell whether more may come of an event of a verb than the event: that something triggers, or an effect ends.

    That holds for what is watched for, for what may bring something that is watched for with it ("leave", "detach",
    and "become" where it may change a Might), and, where an ability may count as one of another sort (CountsAs), for
    all that happens.
    """
    if run.verbs_for < 0 or run.lasting_verbs[0] is not run.state.effects:
        watched_verbs(run)
    known = run.noticed.get(verb)
    if known is None:
        watched = run.watched
        known = run.noticed[verb] = (
            verb in watched
            or ast.CountsAs in run.effect_sorts
            or (
                not watched.isdisjoint(("leave", "detach"))
                and any(function.__name__ == "_place" for function, _ in run.performer(verb))
            )
            or ("become" in watched and run.alters(verb))
        )
    return known


def forbidden_as(run: "Run", verb: str) -> tuple[str, ...]:
    """Give the verbs with which texts of this game forbid an event of a verb; for most events there are none."""
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
