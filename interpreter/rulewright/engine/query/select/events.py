"""Whether something that happened is what words describe, and what of that kind has happened this turn."""

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.compile import action_verb, is_put
from rulewright.engine.query.select.objects import fits
from rulewright.engine.query.select.places import at_place, is_zone
from rulewright.engine.query.select.words import amount, players, refs
from rulewright.engine.state.objects import NOBODY, Event, Place, Scope, player_of, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def happened(
    run: "Run", pattern: ast.Event, window: Any, scope: Scope, path: str, this_way: bool = False
) -> list[Event]:
    """Give the events of a window that match a pattern, oldest first."""
    found = []
    if isinstance(pattern.action, ast.Action):
        counted = counted_verb(run, pattern.action, this_way)
        if counted:
            return [
                event
                for event in run.told(scope)
                if event.verb == counted
                and in_window(run, window, event, scope)
                and matches(run, pattern.action, event, scope, f"{path}.action", verb=counted)
            ]
    wanted = _verbs_told(run, pattern)
    for event in run.told(scope, this_way):
        if (
            event.verb in wanted
            and in_window(run, window, event, scope)
            and matches_event(run, pattern, event, scope, path)
        ):
            found.append(event)
    if isinstance(pattern.action, ast.Action) and pattern.action.verb == "choose":
        found += [event for event in _being_chosen(run) if matches_event(run, pattern, event, scope, path)]
    return found


def _verbs_told(run: "Run", pattern: ast.Event) -> Container[str]:
    """Give the verbs of the events that a pattern may be about, so that the others of a turn need no look."""
    action = pattern.action
    if isinstance(action, ast.Moment):
        return (f"{action.edge}:{action.phase}",)
    verb = action_verb(run.rules, action)
    return {verb, *run.rules.placing_verbs} if is_put(action) else (verb,)


def counted_verb(run: "Run", action: ast.Action, this_way: bool = False) -> str:
    """419.4.b: what is no trigger counts cards as played when they are finalized; nothing for other actions."""
    return "" if this_way else str(run.alias(action.verb).get("counted") or "")


def _being_chosen(run: "Run") -> Iterator[Event]:
    """806.4.a: what an item chooses counts for its own conditions while it is finalized, or only thought of."""
    items = [item for item in run.state.chain if not item.finalized]
    for item in (*items, *([run.probe] if run.probe is not None else ())):
        for ref in dict.fromkeys(run.targets_of(item)):
            yield Event("choose", player_ref(item.scope.controller), object=ref, using=item.id)


def in_window(run: "Run", window: Any, event: Event, scope: Scope) -> bool:
    """Tell whether an event of this turn lies in a window; the history holds this turn only."""
    if isinstance(window, ast.During):
        if window.whose is not None and run.state.turn_player not in players(run, window.whose, scope):
            return False
        return event.phase == window.phase or run.within_phase(event.phase, window.phase)
    return True


def matches_event(run: "Run", pattern: ast.Event, event: Event, scope: Scope, path: str) -> bool:
    """Tell whether something that happened is what a pattern describes, without its ordinal."""
    action = pattern.action
    if isinstance(action, ast.Moment):
        if event.verb != f"{action.edge}:{action.phase}":
            return False
        return _moment(run, action, event, scope, f"{path}.action")
    return matches(run, action, event, scope, f"{path}.action")


def _moment(run: "Run", node: ast.Moment, event: Event, scope: Scope, path: str) -> bool:
    if node.whose is not None:
        whose = players(run, node.whose, scope, f"{path}.whose")
        if event.subject and player_of(event.subject) not in whose:
            return False
    if node.which == "first":
        turns: int = run.state.players[player_of(event.subject)].facts.get("turns", 1)
        return turns == 1
    return True


def matches(
    run: "Run", action: ast.Action, event: Event, scope: Scope, path: str = "", gap: str = "", verb: str = ""
) -> bool:
    """Tell whether an event is what a clause describes; ``gap`` names a role that is not looked at."""
    alias = run.alias(action.verb)
    if (
        isinstance(action.object, ast.Resource)
        and action.object.kind == "combat-damage"
        and event.word != "combat"
    ):
        # 417.7: damage is part of a combat, or it is not.
        return False
    if event.verb != (verb or action_verb(run.rules, action)) and not (
        is_put(action) and event.verb in run.rules.placing_verbs
    ):
        return False
    subject, object_ = alias.get("subject", "subject"), alias.get("object", "object")
    if gap != "subject" and action.subject is not None:
        if not _role(run, action.subject, event, subject, scope, f"{path}.subject"):
            return False
    elif gap != "subject" and alias.get("by") == "object" and event.subject < 0:
        return False
    if gap != "object" and is_players_move(action):
        # "When an opponent moves": one or more units of theirs do.
        if run.controller(event.object) not in players(run, action.object, scope, f"{path}.object"):
            return False
    elif (
        gap != "object"
        and action.object is not None
        and not _role(run, action.object, event, object_, scope, f"{path}.object")
    ):
        return False
    if action.amount is not None and not _amount_fits(run, action, event, scope, path):
        return False
    if action.at is not None and not _place_fits(run, action.at, event.at, event.to, scope, f"{path}.at"):
        return False
    if action.to is not None and alias.get("to") == "object":
        # "Deal 3 to it": what stands after "to" is what the event is about.
        if gap != "object" and not _role(run, action.to, event, "object", scope, f"{path}.to"):
            return False
    elif action.to is not None and not _place_fits(run, action.to, event.at, event.to, scope, f"{path}.to"):
        return False
    if action.source is not None and not _source_fits(run, action.source, event, scope, f"{path}.source"):
        return False
    if action.using is not None and not _using_fits(run, action.using, event, scope, f"{path}.using"):
        return False
    if (
        action.state is not None
        and event.word != action.state
        and action.state not in alias.get("states", {})
    ):
        return False
    return all(run.manner(word, event, scope) for word in action.manner)


def is_players_move(action: Any) -> bool:
    """Tell whether a clause speaks of a player who moves, with however many units at the same time."""
    return (
        isinstance(action, ast.Action)
        and action.verb == "move"
        and action.subject is None
        and isinstance(action.object, ast.Player)
    )


def _role(run: "Run", node: Any, event: Event, role: str, scope: Scope, path: str) -> bool:
    if isinstance(node, ast.Player):
        who = event.agent if role in ("subject", "agent") else event.object
        if role == "subject" and event.subject < 0:
            who = event.subject
        elif role == "subject" and event.subject > 0 and run.player_events(event.verb):
            return False
        if who >= 0:
            return False
        # 489.8.d.3: what a team shares, each of the team gains or loses.
        shared = event.word in dict(run.state.facts["mode"]).get("shared", ())
        team = run.team(player_of(who)) if shared else (player_of(who),)
        return not set(team).isdisjoint(players(run, node, scope, path))
    if isinstance(node, ast.Resource):
        if node.of is not None and not isinstance(node.of, ast.Player):
            found = refs(run, node.of, scope, f"{path}.of")
            if event.object not in found:
                return False
        kind = run.rules.terms.get("resources", {}).get(node.kind, node.kind)
        if event.word not in ("", kind, node.kind) and node.kind != "damage":
            return False
        if isinstance(node.amount, ast.AnyAmount):
            return True
        return event.amount >= (amount(run, node.amount, scope, f"{path}.amount") or 0)
    if isinstance(node, ast.Word):
        return event.word.casefold().startswith(node.word.casefold())
    if isinstance(node, ast.Cost | ast.Keyword):
        return True
    if isinstance(node, ast.Zone):
        # "Leaves the board": the zone is where the object comes from.
        return event.source is not None and is_zone(run, node, event.source, scope, path)
    patient = event.object if role == "object" else event.subject
    if patient == NOBODY and role == "subject" and isinstance(node, ast.Self):
        # "This kills": what is done by no object is done by the spell or ability it is done with (411.5).
        return bool(set(run.line_of(scope.source)) & set(run.means_of(event.using)))
    if patient == NOBODY and not (role == "subject" and isinstance(node, ast.Objects)):
        return False
    if isinstance(node, ast.AbilityText):
        return run.is_ability_of(patient, node, scope, path)
    if isinstance(node, ast.Objects):
        if role == "subject" and set(node.nouns) & {"spell", "ability"} and event.subject <= 0:
            # "Spells and abilities can't ready ...": what does it is what it is done with.
            return any(fits(run, ref, node, scope, path) for ref in run.means_of(event.using)[:1])
        if path in scope.bindings:
            # 355.5: one that was chosen is meant, not any of its kind.
            return not set(run.line_of(patient)).isdisjoint(refs(run, node, scope, path))
        return fits(run, patient, node, scope, path)
    if isinstance(node, ast.Group):
        return any(
            _role(run, part, event, role, scope, f"{path}.parts.{i}") for i, part in enumerate(node.parts)
        )
    found = refs(run, node, scope, path)
    ghost = run.state.ghosts.get(patient) if isinstance(node, ast.Self) else None
    if ghost is not None and ghost.object.zone not in run.rules.board_zones:
        # "When you discard me": what went from hand to trash is known by what it has become there (422.1.b).
        patient = ghost.successor or patient
    if isinstance(node, ast.Reference):
        # 124, 390.5: what has been elsewhere meanwhile is another object, unless the text itself has put it there.
        return any(patient in (ref, run.current(ref, scope)) for ref in found)
    return bool(set(run.line_of(patient)) & set(found))


def _amount_fits(run: "Run", action: ast.Action, event: Event, scope: Scope, path: str) -> bool:
    if isinstance(action.amount, ast.AnyAmount):
        return True
    return event.amount >= (amount(run, action.amount, scope, f"{path}.amount") or 0)


def _place_fits(run: "Run", node: Any, at: int, to: Place | None, scope: Scope, path: str) -> bool:
    if isinstance(node, ast.Zone) and to is not None and not run.is_location_zone(node.name):
        return is_zone(run, node, to, scope, path)
    if isinstance(node, ast.Player):
        return False
    if not at and to is not None and to[1] > 0:
        # "Attached to a unit": what something is put on is not a place (434.1).
        if isinstance(node, ast.Objects):
            return fits(run, to[1], node, scope, path)
        return bool(set(run.line_of(to[1])) & set(refs(run, node, scope, path)))
    return bool(at) and at_place(run, at, node, scope, path)


def _source_fits(run: "Run", node: Any, event: Event, scope: Scope, path: str) -> bool:
    if isinstance(node, ast.Zone):
        return event.source is not None and is_zone(run, node, event.source, scope, path)
    if event.source is None or not run.is_location_zone(event.source[0]):
        return False
    return at_place(run, event.source[1], node, scope, path)


def _using_fits(run: "Run", node: Any, event: Event, scope: Scope, path: str) -> bool:
    if not event.using and event.subject < 0 and event.at > 0 and isinstance(node, ast.Objects):
        # "When you conquer here with a unit": with any of those that the player has there.
        mine = [ref for ref in run.at(event.at) if run.controller(ref) == player_of(event.subject)]
        return any(fits(run, ref, node, scope, path) for ref in mine)
    if event.using == NOBODY and event.at and isinstance(node, ast.Objects):
        # "When you conquer here with one or more Mighty units": with the player's units at that place.
        doer = player_of(event.agent)
        there = [ref for ref in run.at(event.at) if run.controller(ref) == doer]
        least = amount(run, node.quantity.amount, scope, path) if node.quantity.amount is not None else 1
        return sum(fits(run, ref, node, scope, path) for ref in there) >= (least or 1)
    for ref in run.means_of(event.using):
        if isinstance(node, ast.Objects) and fits(run, ref, node, scope, path):
            return True
        if isinstance(node, ast.AbilityText) and run.is_ability_of(ref, node, scope, path):
            return True
        if isinstance(node, ast.Group) and any(
            _using_fits(run, part, event, scope, f"{path}.parts.{i}") for i, part in enumerate(node.parts)
        ):
            return True
        if isinstance(node, ast.Self | ast.Reference) and ref in refs(run, node, scope, path):
            return True
    return False
