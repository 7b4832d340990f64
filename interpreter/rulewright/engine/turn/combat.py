"""Primitive steps of combat: designations, damage assignment, result and end (459-466)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import becoming, happen, mights_watched
from rulewright.engine.program.primitives import step, write
from rulewright.engine.query import layers, select
from rulewright.engine.query.damage import damage_taken, factors, shields
from rulewright.engine.state.objects import NOBODY, Event, Frame, player_ref
from rulewright.engine.turn.flow import is_named, units_by_player
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run

Parameters = Mapping[str, Any]
Rules = tuple[str, ...]

ATTACKER, DEFENDER = "attacker", "defender"
_MARKS = frozenset({ATTACKER, DEFENDER})
_NONE: frozenset[str] = frozenset()


@step("designate", "464.2.c", "323.2")
def _designate(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Make attacker and defender of two players and of their units there; who gains it first attacks or defends."""
    state = run.state
    at = state.showdown
    if at == NOBODY or at not in state.objects:
        return None
    present = units_by_player(run, at)
    opening = state.combat is None
    if opening:
        if len(present) != 2 or not parameters.get("open"):
            return None
        contested = state.objects[at].notes.get("contested")
        attacker = contested if contested in present else next(iter(present))
        defender = next(p for p in present if p != attacker)
        state.combat = (attacker, defender)
        run.goes_on()
        state.facts["fought"] = ()
        state.facts["combat-chain"] = True
        state.facts["showdown-passes"] = 0
        own = state.own(at)
        own.notes.pop("staged", None)
        run.note(f"combat begins at {run.name(at)}", rules, attacker, "combat", at)
        happen(run, [Event("start:combat", subject=player_ref(attacker), object=at, at=at, rules=rules)])
    assert state.combat is not None
    _mark(run, at, state.combat, opening, rules)
    return None


def _mark(run: "Run", at: int, sides: tuple[int, int], opening: bool, rules: Rules) -> None:
    state = run.state
    due: list[tuple[int, frozenset[str]]] = []
    role = {player: frozenset({mark}) for player, mark in zip(sides, (ATTACKER, DEFENDER), strict=True)}
    for ref in run.board():
        found = state.objects[ref]
        marks = found.states & _MARKS
        if found.at != at and not marks:
            continue
        here = found.at == at and found.zone == run.rules.field and not found.attached_to
        wanted = role.get(found.controller, _NONE) if here and run.fights(ref) else _NONE
        if marks != wanted:
            due.append((ref, wanted))
    before = mights_watched(run) if due else {}
    for ref, wanted in due:
        own = state.own(ref)
        own.states = (own.states - _MARKS) | wanted
        state.facts["cleanup"] = True
    fresh = [(ref, mark) for ref, wanted in due for mark in wanted]
    if fresh:
        state.touch()
    _tell(run, at, sides, fresh, opening, rules, becoming(run, before))


def _tell(
    run: "Run",
    at: int,
    sides: tuple[int, int],
    fresh: list[tuple[int, str]],
    opening: bool,
    rules: Rules,
    become: list[Event],
) -> None:
    """383.4.e-f: attack and defend triggers are checked once in a combat, as each designation is first gained.

    What Assault or Shield makes Mighty becomes so at that moment (709).
    """
    state = run.state
    fought = state.facts.get("fought", ())
    events: list[Event] = []
    for ref, mark in fresh:
        if (ref, mark) in fought:
            continue
        fought = (*fought, (ref, mark))
        verb = "attack" if mark == ATTACKER else "defend"
        agent = player_ref(sides[0] if mark == ATTACKER else sides[1])
        events.append(Event(verb, agent, subject=ref, object=at, at=at, rules=rules))
    if opening:
        for player, verb in zip(sides, ("attack", "defend"), strict=True):
            you = player_ref(player)
            events.append(Event(verb, you, subject=you, object=at, at=at, rules=rules))
    state.facts["fought"] = fought
    events += become
    if events:
        happen(run, events)


@step("assign-damage", "465.1", "465.2.c")
def _assign(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let each side, the attacker first, assign damage equal to its summed Might among the other's units.

    Where only one side is left there are none to assign it among (465.1).
    """
    state = run.state
    assert state.combat is not None
    present = units_by_player(run, state.showdown)
    shares: list[tuple[int, int, int]] = []
    dealers: list[tuple[int, ...]] = []
    for player, foe in (state.combat, state.combat[::-1]):
        mights = {ref: combat_might(run, ref) for ref in present.get(player, ())}
        dealers.append((player, *(ref for ref, might in mights.items() if might)))
        total = sum(mights.values())
        given, excess = _shares(run, player, total, present.get(foe, []), rules)
        shares += [(player, ref, amount) for ref, amount in given]
        state.facts[f"excess:{player}"] = excess
    frame.local["shares"] = tuple(shares)
    frame.local["dealers"] = tuple(dealers)
    # 465.2.c.1: assigning is not dealing; it is remembered as what it is.
    state.history = (
        *state.history,
        *(
            Event("assign", player_ref(player), object=ref, amount=amount, word="combat", rules=rules)
            for player, ref, amount in shares
        ),
    )
    return None


def combat_might(run: "Run", ref: int) -> int:
    """Give what a unit contributes to combat damage: nothing if it is stunned (423.1.b) or deals none."""
    if "stunned" in run.state.objects[ref].states:
        return 0
    event = Event("deal", subject=ref, word="combat")
    for active in layers.effects(run, ast.Forbid, ref, "deal"):
        if _about(run, active, active.effect.action.subject, ref):
            return 0
    return max(0, run.stat(event.subject, "might") or 0)


def _about(run: "Run", active: layers.Active, subject: Any, ref: int) -> bool:
    path = f"{active.path}.action.subject"
    if isinstance(subject, ast.Objects):
        return select.fits(run, ref, subject, active.scope, path)
    return subject is not None and ref in select.refs(run, subject, active.scope, path)


def _shares(
    run: "Run", player: int, total: int, targets: list[int], rules: Rules
) -> tuple[list[tuple[int, int]], int]:
    """Assign damage unit by unit: lethal to each before the next (465.2.c.3), in the order that is demanded."""
    given: list[tuple[int, int]] = []
    left = total
    remaining = [ref for ref in targets if can_be_damaged(run, ref)]
    if not remaining:
        return [], 0
    begun = False
    ignored = ignored_in_assigning(run, player)
    lethal = {ref: lethal_amount(run, ref, player) for ref in remaining}
    while left > 0 and remaining:
        allowed = first_in_line(run, remaining, begun, ignored)
        needed = [lethal[ref] for ref in remaining]
        if len(set(needed)) == 1 and left >= sum(needed):
            ref = allowed[0]
        else:
            options = [run.object_option(ref, "assign", rules[0]) for ref in allowed]
            ref = int(run.ask(player, "assign", f"Assign damage ({left} left)", options, rules[0]))
        amount = min(left, lethal[ref])
        given.append((ref, amount))
        left -= amount
        remaining.remove(ref)
        begun = begun or "first" not in _rank(run, ref, ignored)
    if left > 0 and given:
        ref, amount = given[-1]
        given[-1] = (ref, amount + left)
    return given, max(0, left)


def can_be_damaged(run: "Run", ref: int) -> bool:
    """465.2.c.10: a unit that cannot be dealt damage is left out of mandatory assignment."""
    forbidding = layers.effects(run, ast.Forbid, ref, "take")
    return not any(_about(run, active, active.effect.action.subject, ref) for active in forbidding)


def lethal_amount(run: "Run", ref: int, player: int) -> int:
    """Give the least damage that is lethal to a unit once it is multiplied or prevented in part (465.2.c.5)."""
    need = _lethal(run, ref, player)
    one = Event("deal", player_ref(player), object=ref, amount=1, word="combat")
    if not factors(run, one) and not shields(run, one):
        return min(need, BEYOND_ANY_MIGHT)
    for amount in range(1, BEYOND_ANY_MIGHT):
        event = Event("deal", player_ref(player), object=ref, amount=amount, word="combat")
        if damage_taken(run, event)[0] >= need:
            return amount
    # 437.5.b: where all of it is prevented, no amount is lethal.
    return BEYOND_ANY_MIGHT


BEYOND_ANY_MIGHT = 400
"""An amount of damage that no unit's Might and prevention together come near."""


def _lethal(run: "Run", ref: int, player: int) -> int:
    """Give the least damage that, once dealt, kills a unit, with what is marked on it already (142.4)."""
    found = run.state.objects[ref]
    for active in layers.effects(run, ast.LethalAmount):
        source = active.effect.source
        if isinstance(source, ast.Player) and player not in select.players(
            run, source, active.scope, f"{active.path}.source"
        ):
            continue
        if is_named(run, active, ref):
            return 1
    return max(1, (run.stat(ref, "might") or 0) - found.total_damage)


def ignored_in_assigning(run: "Run", player: int) -> frozenset[str]:
    """765: give the keywords that are inactive while a player assigns the damage of the combat that goes on."""
    found: set[str] = set()
    here = run.state.showdown
    for active in layers.effects(run, ast.Ignores):
        effect, scope = active.effect, active.scope
        if effect.doing != "assign" or player not in select.players(run, effect.who, scope):
            continue
        if effect.at is None or select.at_place(run, here, effect.at, scope, f"{active.path}.at"):
            found.update(keyword.name.casefold() for keyword in effect.keywords)
    return frozenset(found)


def first_in_line(
    run: "Run", refs: list[int], begun: bool = False, ignored: frozenset[str] = frozenset()
) -> list[int]:
    """Give the units that may be assigned damage next: those that must be first, else all that must not be last.

    A unit that must be both may be taken either way, but not in between (465.2.c.8): ``begun`` tells whether a unit
    that need not be first was assigned damage already.
    """
    ranks = {ref: _rank(run, ref, ignored) for ref in refs}
    first, plain, last = (
        [ref for ref, rank in ranks.items() if rank == only] for only in (("first",), ("",), ("last",))
    )
    both = [ref for ref, rank in ranks.items() if len(rank) == 2]
    if first:
        return first + both
    if plain:
        return plain if begun else both + plain
    return both + last


def _rank(run: "Run", ref: int, ignored: frozenset[str] = frozenset()) -> tuple[str, ...]:
    found: set[str] = set()
    for active in layers.effects(run, ast.Require, ref):
        action = active.effect.action
        if action.verb == "assign" and active.scope.bindings.get("keyword") not in ignored:
            about = action.to if action.to is not None else action.subject or action.object
            role = "to" if action.to is not None else "subject" if action.subject else "object"
            path = f"{active.path}.action.{role}"
            named = (
                select.fits(run, ref, about, active.scope, path)
                if isinstance(about, ast.Objects)
                else ref in select.refs(run, about, active.scope, path)
            )
            if named:
                found.update(word for word in action.manner if word in ("first", "last"))
    return tuple(sorted(found)) or ("",)


@step("deal-assigned", "465.2.d", "417.6.c")
def _deal_assigned(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Deal all assigned damage at the same time; its sources are the units of the side that deals it (417.6.c.1)."""
    dealers: tuple[tuple[int, ...], ...] = frame.local.get("dealers", ())
    means = {player: run.state.new_id() for player, *_ in dealers}
    run.state.facts["dealers"] = tuple((means[player], *refs) for player, *refs in dealers)
    events = [
        Event(
            "deal",
            player_ref(player),
            object=ref,
            amount=amount,
            word="combat",
            using=means[player],
            rules=rules,
        )
        for player, ref, amount in frame.local.get("shares", ())
        if amount > 0
    ]
    happen(run, events, frame)
    return None


@step("recall-attackers", "466.1.a.2")
def _recall_attackers(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Recall the attackers if defenders are still present."""
    state = run.state
    if state.combat is None:
        return None
    attacker, defender = state.combat
    present = units_by_player(run, state.showdown)
    if defender not in present or attacker not in present:
        return None
    state.facts["tie"] = True
    at = state.showdown
    happen(run, [Event("tie", object=at, at=at, rules=rules)], frame)
    return None


@write("recall-attackers", "466.1.a.2", "740.3.a")
def _send_back(run: "Run", event: Event, parameters: Parameters) -> None:
    """Recall the attackers of a combat that ends in a tie."""
    if run.state.combat is None:
        return
    present = units_by_player(run, event.object).get(run.state.combat[0], [])
    home = {ref: run.place_at(player_ref(run.controller(ref))) for ref in present}
    happen(run, [Event("recall", object=ref, to=place, rules=event.rules) for ref, place in home.items()])


@step("combat-result", "466.3")
def _result(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Determine who has won and lost the combat; with units of both left, it is staged again (466.3.d.1)."""
    state = run.state
    if state.combat is None:
        return None
    at = state.showdown
    present = units_by_player(run, at)
    there = [player for player in state.combat if player in present]
    if len(there) == 2:
        own = state.own(at)
        own.notes["contested"] = own.notes.get("contested", state.combat[0])
        own.notes["staged"] = (True, True)
    if len(there) != 1 or state.facts.pop("tie", False):
        run.note("the combat has no result", rules, -1, "combat")
        return None
    winner = there[0]
    loser = state.combat[1] if winner == state.combat[0] else state.combat[0]
    you = player_ref(winner)
    run.note(f"{run.name(you)} wins the combat at {run.name(at)}", rules, winner, "combat")
    events = [Event("win", you, subject=you, object=at, at=at, word="combat", rules=rules)]
    events += [
        Event("win", you, subject=ref, object=at, at=at, word="combat", rules=rules)
        for ref in present[winner]
    ]
    events.append(
        Event("lose-combat", player_ref(loser), subject=player_ref(loser), at=at, word="combat", rules=rules)
    )
    happen(run, events)
    return None


@step("end-combat", "466.7")
def _end(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """End the combat: designations are removed, and what watches for its end triggers."""
    state = run.state
    at = state.showdown
    for ref in run.board():
        if state.objects[ref].states & _MARKS:
            own = state.own(ref)
            own.states = own.states - _MARKS
    for player in state.combat or ():
        state.facts.pop(f"excess:{player}", None)
    for key in [key for key in state.facts if key.startswith("first:combat:")]:
        # 437.5.a: what is prevented of each combat's damage begins anew with the next.
        del state.facts[key]
    run.note("the combat ends", rules, -1, "combat")
    happen(run, [Event("end:combat", object=at, at=at, rules=rules)])
    state.combat = None
    state.showdown = NOBODY
    state.focus = -1
    state.facts["cleanup"] = True
    state.facts["combat-chain"] = False
    state.facts.pop("tie", None)
    state.touch()
    return None
