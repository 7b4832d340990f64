"""Whether a condition is true now."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.compile import walk
from rulewright.engine.query.select.amounts import compares, enough
from rulewright.engine.query.select.events import happened
from rulewright.engine.query.select.objects import fits, is_noun
from rulewright.engine.query.select.words import Refs, amount, holds, locations, players, refs
from rulewright.engine.state.objects import Scope, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def _compare(run: "Run", node: ast.Compare, scope: Scope, path: str) -> bool:
    left = amount(run, node.left, scope, f"{path}.left")
    return compares(left, node.op, amount(run, node.right, scope, f"{path}.right"))


def _exists(run: "Run", node: ast.Exists, scope: Scope, path: str) -> bool:
    referents = refs(run, node.what, scope, f"{path}.what")
    where = scope.bindings.get("where")
    if where is not None:
        referents = tuple(ref for ref in referents if run.location(ref) == where)
    found = len(referents)
    return enough(run, node.what, found, scope, path) != node.negated


def _is(run: "Run", node: ast.Is, scope: Scope, path: str) -> bool:
    if isinstance(node.what, ast.Reference) and node.what.antecedent is not None:
        spoken = run.antecedent(scope, node.what.antecedent)
        if isinstance(spoken, ast.TokenSpec) and node.what.antecedent not in scope.bindings:
            # The token that would be added: it is there where there is one of its name.
            there = any(is_noun(run, ref, spoken.name, scope) for ref in run.board())
            return there != node.negated
    if isinstance(node.what, ast.Here | ast.There | ast.LocationOf | ast.Zone):
        found: Refs = locations(run, node.what, scope, f"{path}.what")
    elif isinstance(node.what, ast.Player):
        found = tuple(player_ref(p) for p in players(run, node.what, scope, f"{path}.what"))
    else:
        found = refs(run, node.what, scope, f"{path}.what")
        if isinstance(node.what, ast.Objects) and "where" in scope.bindings:
            # "Where an enemy unit is alone": it is looked for at that place.
            found = tuple(ref for ref in found if run.location(ref) == scope.bindings["where"])
    empty = next(
        (part for part in node.filters if isinstance(part, ast.HasState) and part.state == "empty"), None
    )
    if empty is not None:
        # Of a zone: there is nothing in it.
        return (not found) != (node.negated != empty.negated)
    totals = [(i, part) for i, part in enumerate(node.filters) if isinstance(part, ast.TotalIs)]
    for position, part in totals:
        # "If other units you control have total Might 5 or more": it is asked of all of them together.
        total = sum(run.stat(ref, part.stat) or 0 for ref in found)
        if not compares(total, part.op, amount(run, part.amount, scope, f"{path}.filters.{position}.amount")):
            return node.negated
    if totals and len(totals) == len(node.filters) and not node.nouns:
        return not node.negated
    described = ast.Objects(ast.Quantity("any"), node.nouns, node.filters)
    fitting = sum(
        (run.find(ref) is not None or ref < 0) and fits(run, ref, described, scope, path) for ref in found
    )
    return (bool(found) and _as_many(run, node.what, fitting, len(found), scope, path)) != node.negated


def _as_many(run: "Run", what: Any, fitting: int, among: int, scope: Scope, path: str) -> bool:
    """ "If a unit is": some unit is; "if at least two of them are": as many; "if they are": each of them is."""
    if isinstance(what, ast.Objects) and what.quantity.rule in ("exactly", "at-least", "exact"):
        least = 1
        if what.quantity.amount is not None:
            least = amount(run, what.quantity.amount, scope, f"{path}.what.quantity.amount") or 0
        return fitting == least if what.quantity.rule == "exact" else fitting >= least
    return fitting == among


def _happened(run: "Run", node: ast.Happened, scope: Scope, path: str) -> bool:
    action = node.event.action
    if (
        isinstance(action, ast.Action)
        and action.verb in ("spend", "pay")
        and isinstance(action.object, ast.Cost)
    ):
        return run.has_spent(action, node.window, scope, path) != node.negated
    if isinstance(action, ast.Action) and action.verb == "assign" and isinstance(action.object, ast.Resource):
        return _assigned(run, action, scope, f"{path}.event.action") != node.negated
    if isinstance(action, ast.Action) and node.count is None and node.event.ordinal is None:
        return _happened_enough(run, node, action, scope, f"{path}.event") != node.negated
    found = happened(run, node.event, node.window, scope, f"{path}.event", node.this_way)
    wanted = 1 if node.count is None else amount(run, node.count, scope, f"{path}.count") or 0
    if node.event.ordinal is not None:
        wanted = max(wanted, node.event.ordinal)
    return (len(found) >= wanted) != node.negated


def _happened_enough(run: "Run", node: ast.Happened, action: ast.Action, scope: Scope, path: str) -> bool:
    """Tell whether as much has happened as is said, in one event or in several: "two or more cards", "3 XP"."""
    pattern, resource = node.event, action.object
    if isinstance(resource, ast.Resource) and not isinstance(resource.amount, ast.AnyAmount):
        any_of_it = replace(action, object=replace(resource, amount=ast.AnyAmount()))
        whole = replace(pattern, action=any_of_it)
        found = happened(run, whole, node.window, scope, path, node.this_way)
        said = amount(run, resource.amount, scope, f"{path}.action.object.amount") or 0
        return bool(found) and sum(event.amount for event in found) >= said
    for role in ("object", "subject"):
        what = getattr(action, role)
        if isinstance(what, ast.Objects) and what.quantity.amount is not None:
            found = happened(run, pattern, node.window, scope, path, node.this_way)
            said = amount(run, what.quantity.amount, scope, f"{path}.action.{role}.quantity.amount") or 0
            if what.quantity.rule == "at-most":
                return len(found) <= said
            return len(found) == said if what.quantity.rule == "exact" else len(found) >= said
    return bool(happened(run, pattern, node.window, scope, path, node.this_way))


def told_much(run: "Run", condition: Any, scope: Scope, path: str) -> int | None:
    """Give how much "that much" is after a condition that speaks of an amount: "if you assigned 5 or more"."""
    action = condition.event.action if isinstance(condition, ast.Happened) else None
    if not isinstance(action, ast.Action) or not isinstance(action.object, ast.Resource):
        return None
    if action.verb == "assign":
        return _excess(run, action, scope, f"{path}.event.action")
    return None


def _assigned(run: "Run", action: ast.Action, scope: Scope, path: str) -> bool:
    """Tell whether somebody assigned so much beyond what was lethal, in the combat that goes on (465.2.c.4)."""
    assert isinstance(action.object, ast.Resource)
    wanted = amount(run, action.object.amount, scope, f"{path}.object.amount") or 0
    return _excess(run, action, scope, path) >= wanted


def _excess(run: "Run", action: ast.Action, scope: Scope, path: str) -> int:
    """Give the most that one of the players spoken of has assigned beyond what was lethal."""
    who = action.subject
    found = players(run, who, scope, f"{path}.subject") if isinstance(who, ast.Player) else ()
    return max((run.state.facts.get(f"excess:{player}", 0) for player in found), default=0)


def _paid(run: "Run", node: ast.PaidAdditionalCost, scope: Scope, path: str) -> bool:
    return run.paid_additional(scope) != node.negated


def _did_so(run: "Run", node: ast.DidSo, scope: Scope, path: str) -> bool:
    done = scope.bindings.get("did", False)
    if node.who is not None and isinstance(scope.bindings.get("did:who"), tuple):
        who = players(run, node.who, scope, f"{path}.who")
        done = any(player_ref(player) in scope.bindings["did:who"] for player in who)
    return bool(done) != node.negated


def _within(run: "Run", node: ast.WithinPoints, scope: Scope, path: str) -> bool:
    margin = amount(run, node.amount, scope, f"{path}.amount") or 0
    goal = run.goal()
    return any(
        run.resource(p, "points") >= goal - margin for p in players(run, node.whose, scope, f"{path}.whose")
    )


def _in_phase(run: "Run", node: ast.InPhase, scope: Scope, path: str) -> bool:
    true = run.in_phase(node.phase)
    if true and node.whose is not None:
        true = run.state.turn_player in players(run, node.whose, scope, f"{path}.whose")
    return true != node.negated


def _tags_among(run: "Run", node: ast.TagsAmong, scope: Scope, path: str) -> bool:
    found = [run.traits(ref).tags for ref in refs(run, node.what, scope, f"{path}.what")]
    tags = node.tags or _listed_tags(run, scope)
    there = sum(any(tag in held for held in found) for tag in tags)
    wanted = len(tags) if node.count is None else amount(run, node.count, scope, f"{path}.count") or 0
    return there >= wanted


def _listed_tags(run: "Run", scope: Scope) -> tuple[str, ...]:
    """Give the tags that the card has listed before, where it speaks of "all 4 tags"."""

    for part in walk(run.rules.text(scope.ability.partition("#")[0])):
        if isinstance(part, ast.TagCount | ast.TagsAmong) and part.tags:
            return part.tags
    return ()


def _is_player(run: "Run", node: ast.IsPlayer, scope: Scope, path: str) -> bool:
    who = players(run, node.who, scope, f"{path}.who")
    role = players(run, node.role, scope, f"{path}.role")
    return bool(who and role and who[0] in role) != node.negated


def _all_of(run: "Run", node: ast.AllOf, scope: Scope, path: str) -> bool:
    return all(holds(run, c, scope, f"{path}.conditions.{i}") for i, c in enumerate(node.conditions))


def _any_of(run: "Run", node: ast.AnyOf, scope: Scope, path: str) -> bool:
    return any(holds(run, c, scope, f"{path}.conditions.{i}") for i, c in enumerate(node.conditions))


CONDITIONS: dict[type, Callable[["Run", Any, Scope, str], bool]] = {
    ast.Compare: _compare,
    ast.Exists: _exists,
    ast.Is: _is,
    ast.IsPlayer: _is_player,
    ast.Happened: _happened,
    ast.PaidAdditionalCost: _paid,
    ast.DidSo: _did_so,
    ast.WithinPoints: _within,
    ast.InPhase: _in_phase,
    ast.TagsAmong: _tags_among,
    ast.AllOf: _all_of,
    ast.AnyOf: _any_of,
}
