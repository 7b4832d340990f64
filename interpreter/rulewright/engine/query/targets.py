"""What may be chosen as a target, and whether it still is legal on resolution (355.5-355.14, 359.3.e)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.compile import is_chosen_first, needs_choice
from rulewright.engine.query import layers, select
from rulewright.engine.query.own_words import own_choice_fits, own_choices, speaks_of_itself
from rulewright.engine.query.payment import affordable_with
from rulewright.engine.query.price import possible_payments
from rulewright.engine.query.select import bounds
from rulewright.engine.state.objects import NOBODY, ChainItem, Event, Scope, player_of, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def targetable(run: "Run", ref: int, item: ChainItem | None, scope: Scope) -> bool:
    """Tell whether something may be chosen by an item's controller (757): nothing says that it can't."""
    if layers.none_of(run, ast.Forbid, max(ref, NOBODY), "choose"):
        return True
    event = Event(
        "choose",
        agent=player_ref(scope.controller),
        object=ref,
        using=item.id if item is not None else scope.source,
    )
    return not _untargetable(run, ref, event)


def _untargetable(run: "Run", ref: int, event: Event) -> bool:
    forbidding = layers.effects(run, ast.Forbid, ref if ref > 0 else NOBODY, "choose")
    return any(
        select.matches(run, active.effect.action, event, active.scope, f"{active.path}.action")
        for active in forbidding
    )


def still_legal(run: "Run", node: Any, scope: Scope, path: str, bound: Sequence[int]) -> tuple[int, ...]:
    """Give the targets that are legal as the item resolves: the same object, still fitting, still choosable."""
    kept: list[int] = []
    item = _item(run, scope)
    for ref in bound:
        if ref < 0:
            kept.append(ref)
        elif isinstance(node, ast.Objects):
            alive = ref in run.state.objects or run.state.item(ref) is not None
            if (
                alive
                and (item is None or own_choice_fits(run, item, ref))
                and _fits_now(run, ref, node, scope, path, kept)
                and targetable(run, ref, item, scope)
            ):
                kept.append(ref)
        elif ref in run.state.objects or run.state.item(ref) is not None:
            kept.append(ref)
    return tuple(kept)


def _fits_now(
    run: "Run", ref: int, node: ast.Objects, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    where = dict(scope.bindings.get(f"{path}:where", ()))
    if where.get(ref, run.location(ref)) != run.location(ref):
        # 359.3.e.2: what was chosen for one location is not a choice for another.
        return False
    item = _item(run, scope)
    if item is not None and any(own_choices(run, item, (ref,), node.nouns)):
        return in_reach(run, ref, scope, node)
    # What was chosen is not "other" than itself: the filter looks at what else was chosen.
    filters = tuple(part for part in node.filters if not isinstance(part, ast.Other))
    plain = ast.Objects(node.quantity, node.nouns, filters)
    if not select.fits(run, ref, plain, scope, "", others):
        return False
    return in_reach(run, ref, scope, node)


def in_reach(run: "Run", ref: int, scope: Scope, node: Any = None) -> bool:
    """811.1.d.2: what is played from facedown chooses only at the battlefield where it was hidden."""
    only = scope.bindings.get("only-at")
    if only is None or ref < 0 or run.state.item(ref) is not None or _speaks_of_elsewhere(node):
        return True
    at = run.location(ref)
    return not at or at == only


def _speaks_of_elsewhere(node: Any) -> bool:
    """811.1.d.2: words that ask for what is in a base or at another location cannot be met where the card was."""
    for part in getattr(node, "filters", ()):
        place = part.place if isinstance(part, ast.At) else None
        if isinstance(place, ast.Objects) and any(isinstance(inner, ast.Other) for inner in place.filters):
            return True
        if isinstance(place, ast.Zone) and place.name == "base":
            return True
    return False


def _item(run: "Run", scope: Scope) -> ChainItem | None:
    return run.state.item(scope.item)


def options_for(
    run: "Run", node: ast.Objects, scope: Scope, path: str, planned: ChainItem | None = None
) -> list[int]:
    """Give all that may be chosen for a description by an item: the one on the chain, or one that is planned."""
    return list(_choosable(run, node, scope, path, planned))


def has_options(
    run: "Run", least: int, node: ast.Objects, scope: Scope, path: str, planned: ChainItem | None = None
) -> bool:
    """Tell whether at least so many may be chosen; no more of them are looked for."""
    return sum(1 for _ in islice(_choosable(run, node, scope, path, planned), least)) == least


def _choosable(
    run: "Run", node: ast.Objects, scope: Scope, path: str, planned: ChainItem | None
) -> Iterator[int]:
    item = _item(run, scope)
    pending = item if item is not None and not item.finalized else None
    group = _Group(run, scope, path) if ".parts." in path else None
    by = item or planned
    limited = by if by is not None and speaks_of_itself(run, by) else None
    for ref in _candidates(run, node, scope, path, by):
        if (
            in_reach(run, ref, scope, node)
            and (group is None or group.admits(node, ref))
            and (limited is None or own_choice_fits(run, limited, ref))
            and targetable(run, ref, item, scope)
            and (pending is None or affordable_with(run, pending, scope, ref))
        ):
            yield ref


class _Group:
    """The descriptions that a choice is one of, where words hold for all: "a unit and a gear at the same location"."""

    def __init__(self, run: "Run", scope: Scope, path: str) -> None:
        self.run = run
        self.scope = scope
        base, _, number = path.rpartition(".parts.")
        said = run.antecedent(scope, base) if number.isdigit() else None
        parts = said.parts if isinstance(said, ast.Group) and said.conjunction == "and" else ()
        before = [f"{base}.parts.{place}" for place in range(int(number) if parts else 0)]
        self.chosen = tuple(ref for where in before for ref in scope.bindings.get(where, ()))
        self.later = [
            (part, f"{base}.parts.{place}")
            for place, part in enumerate(parts)
            if place > len(before) and isinstance(part, ast.Objects) and any(map(couples, part.filters))
        ]

    def admits(self, node: ast.Objects, ref: int) -> bool:
        """Tell whether something goes with what was chosen before, and leaves a choice for what comes after."""
        if self.chosen and not self._goes_with(node, ref, self.chosen):
            return False
        return all(
            any(
                other != ref and self._goes_with(part, other, (ref,))
                for other in select.each_candidate(self.run, part, self.scope, where)
            )
            for part, where in self.later
        )

    def _goes_with(self, node: ast.Objects, ref: int, others: Sequence[int]) -> bool:
        return all(
            select.passes(self.run, ref, part, self.scope, "", others)
            for part in filter(couples, node.filters)
        )


def couples(part: Any) -> bool:
    """Tell whether a filter is about several chosen objects: the same controller, the same place."""
    return isinstance(part, ast.SameController) or (isinstance(part, ast.At) and part.same)


def _candidates(
    run: "Run", node: ast.Objects, scope: Scope, path: str, item: ChainItem | None
) -> Iterable[int]:
    """Give what fits a description; where it speaks of what a cost is paid with, what fits with any payment."""
    if item is not None and (wider := tuple(own_choices(run, item, run.board(), node.nouns))):
        return dict.fromkeys((*select.each_candidate(run, node, scope, path), *wider))
    if (
        item is None
        or item.finalized
        or "paid-with" in item.facts
        or not run.rules.speaks_of_payment(item.scope.ability)
    ):
        return select.each_candidate(run, node, scope, path)
    found: list[int] = []
    for paid in possible_payments(run, item):
        inner = scope.copy()
        inner.bindings["paid-with"] = paid
        found.extend(select.candidates(run, node, inner, path))
    return dict.fromkeys(found)


def group_ok(run: "Run", node: ast.Objects, scope: Scope, path: str, taken: Sequence[int]) -> bool:
    """Tell whether chosen objects meet the requirements that are for all of them together (355.11)."""
    for part in node.filters:
        if isinstance(part, ast.TotalIs):
            total = sum(run.stat(ref, part.stat) or 0 for ref in taken)
            if not select.compares(total, part.op, select.amount(run, part.amount, scope, "")):
                return False
        elif (one_place(part) and len({run.location(ref) for ref in taken}) > 1) or (
            couples(part)
            and not all(
                select.passes(run, ref, part, scope, "", [other for other in taken if other != ref])
                for ref in taken
            )
        ):
            return False
    return True


def one_place(part: Any) -> bool:
    """Tell whether a filter puts all that it describes at one battlefield: "units at a battlefield" (355.11)."""
    if not isinstance(part, ast.At) or part.negated or not isinstance(part.place, ast.Objects):
        return False
    quantity = part.place.quantity
    return (
        part.place.nouns == ("battlefield",)
        and quantity.rule == "exactly"
        and quantity.amount == ast.Number(1)
    )


def moved_by(run: "Run", node: ast.Action, scope: Scope, path: str) -> tuple[int, ...]:
    """Give the objects that a move action moves."""
    return (
        select.refs(run, node.object, scope, f"{path}.object") if node.object is not None else (scope.source,)
    )


def destinations(run: "Run", node: ast.Action, scope: Scope, path: str, moved: Sequence[int]) -> list[int]:
    """Give the locations that objects may be moved to by an effect."""
    if node.to is None:
        found: list[int] = [*run.fields()]
        found.extend(player_ref(p) for p in dict.fromkeys(run.controller(ref) for ref in moved) if p >= 0)
    else:
        inner = scope
        if any(isinstance(part, ast.Where) for part in getattr(node.to, "filters", ())):
            inner = scope.copy()
            inner.bindings["same-as"] = tuple(moved)
        found = list(select.locations(run, node.to, inner, path))
    kept = []
    for at in found:
        if at < 0 and any(run.controller(ref) != player_of(at) for ref in moved):
            continue
        if moved and all(run.location(ref) == at for ref in moved):
            continue
        if all(may_be_at(run, ref, at) for ref in moved):
            kept.append(at)
    return kept


def may_be_at(run: "Run", ref: int, at: int) -> bool:
    """Tell whether a unit may become present at a location: never the third player's at a battlefield (449.2)."""
    if at < 0:
        return True
    mine = run.controller(ref)
    others = {run.controller(o) for o in run.at(at) if run.fights(o)} - {mine}
    if run.state.showdown == at and run.state.combat is not None:
        others |= set(run.state.combat) - {mine}
    # 447.2.b: nor is a battlefield that a teammate occupies a destination.
    return len(others) < 2 and all(run.enemies(mine, other) for other in others)


def mode_memory(run: "Run", scope: Scope, path: str) -> str:
    """Give the name under which the modes that were chosen before are remembered."""
    return f"modes:{scope.source}:{scope.ability}:{path}"


def mode_possible(run: "Run", node: Any, scope: Scope, path: str) -> bool:
    """Tell whether a mode has legal targets for what it needs."""

    steps = node.steps if isinstance(node, ast.Sequence) else (node,)
    for position, step in enumerate(steps):
        where = f"{path}.steps.{position}" if isinstance(node, ast.Sequence) else path
        if (
            isinstance(step, ast.Action)
            and is_chosen_first(step)
            and isinstance(step.object, ast.Objects)
            and needs_choice(step.object)
        ):
            low, _ = bounds(run, step.object, scope, f"{where}.object")
            if not has_options(run, low, step.object, scope, f"{where}.object"):
                return False
    return True
