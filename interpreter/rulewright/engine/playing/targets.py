"""Choosing while an item is finalized: modes, targets, destinations; and what is still legal later (355, 359.3.e)."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.engine.playing.costs import affordable_with
from rulewright.engine.playing.wording import mode_words, phrase
from rulewright.engine.query import layers, select
from rulewright.engine.run import IllegalPlay, Run, op
from rulewright.engine.state.objects import (
    NOBODY,
    ChainItem,
    Event,
    Frame,
    Option,
    Scope,
    player_of,
    player_ref,
)
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ops import Op


def targetable(run: Run, ref: int, item: ChainItem | None, scope: Scope) -> bool:
    """Tell whether something may be chosen by an item's controller (757): nothing says that it can't."""
    event = Event(
        "choose",
        agent=player_ref(scope.controller),
        object=ref,
        using=item.id if item is not None else scope.source,
    )
    return not _untargetable(run, ref, event)


def _untargetable(run: Run, ref: int, event: Event) -> bool:
    for active in layers.effects(run, ast.Forbid, ref if ref > 0 else NOBODY):
        action = active.effect.action
        if action.verb == "choose" and select.matches(
            run, action, event, active.scope, f"{active.path}.action"
        ):
            return True
    return False


def still_legal(run: Run, node: Any, scope: Scope, path: str, bound: Sequence[int]) -> tuple[int, ...]:
    """Give the targets that are legal as the item resolves: the same object, still fitting, still choosable."""
    kept: list[int] = []
    for ref in bound:
        if ref < 0:
            kept.append(ref)
        elif isinstance(node, ast.Objects):
            alive = ref in run.state.objects or run.state.item(ref) is not None
            if (
                alive
                and _fits_now(run, ref, node, scope, path, kept)
                and targetable(run, ref, _item(run, scope), scope)
            ):
                kept.append(ref)
        elif ref in run.state.objects or run.state.item(ref) is not None:
            kept.append(ref)
    return tuple(kept)


def _fits_now(run: Run, ref: int, node: ast.Objects, scope: Scope, path: str, others: Sequence[int]) -> bool:
    # What was chosen is not "other" than itself: the filter looks at what else was chosen.
    filters = tuple(part for part in node.filters if not isinstance(part, ast.Other))
    plain = ast.Objects(node.quantity, node.nouns, filters)
    if not select.fits(run, ref, plain, scope, "", others):
        return False
    return in_reach(run, ref, scope, node)


def in_reach(run: Run, ref: int, scope: Scope, node: Any = None) -> bool:
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


def _item(run: Run, scope: Scope) -> ChainItem | None:
    return run.state.item(scope.item)


# ------------------------------------------------------------------------------------- the operations


@op("target")
def _target(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Choose the targets of one description (355.5-355.14)."""
    scope, path = frame.scope, operation.path
    node = operation.node
    if isinstance(node, ast.Player):
        _choose_player(run, frame, node, path)
        return None
    if isinstance(node, ast.Group):
        return _choose_group(run, frame, node, path)
    least, most = bounds(run, node, scope, path)
    options = options_for(run, node, scope, path)
    if operation.name == "split":
        most = min(most, _to_split(run, scope, path, options))
    if len(options) < least:
        _too_few(run, frame, node)
        return None
    chosen = run.pick(
        scope.controller,
        options,
        least,
        min(most, len(options)),
        f"Choose {words_of(node)}",
        "355.5",
        "target",
        refine=lambda taken: _refined(run, node, scope, path, options, taken, least),
        enough=lambda taken: group_ok(run, node, scope, path, taken),
    )
    if least and not group_ok(run, node, scope, path, list(chosen)):
        raise IllegalPlay("the chosen group does not meet the requirements together", "355.11.a")
    bind_targets(run, frame, path, chosen)
    return None


def _to_split(run: Run, scope: Scope, path: str, options: Sequence[int]) -> int:
    """Give the damage that there is to split, with its bonus (715.3): no more targets may be chosen (355.14.c)."""
    from rulewright.engine.instructions.verbs import bonus_damage

    where = path.removesuffix(".to")
    action = run.antecedent(scope, where)
    if not isinstance(action, ast.Action) or action.amount is None:
        return 0
    amount = max(0, select.amount(run, action.amount, scope, f"{where}.amount") or 0)
    if not amount or not options:
        return amount
    sources = select.refs(run, action.subject, scope, f"{where}.subject")
    probe = Event(
        "deal",
        player_ref(scope.controller),
        subject=next(iter(sources), NOBODY),
        object=options[0],
        using=scope.item,
        amount=amount,
    )
    return amount + bonus_damage(run, probe, scope)


def _choose_group(run: Run, frame: Frame, node: ast.Group, path: str) -> int | None:
    """One of several descriptions: "a unit at a battlefield or a gear"."""
    scope = frame.scope
    found: list[int] = []
    for position, part in enumerate(node.parts):
        if isinstance(part, ast.Objects):
            found.extend(options_for(run, part, scope, f"{path}.parts.{position}"))
    found = list(dict.fromkeys(found))
    counts = [bounds(run, part, scope, path) for part in node.parts if isinstance(part, ast.Objects)]
    least, most = min(low for low, _ in counts), max(high for _, high in counts)
    if len(found) < least:
        _too_few(run, frame, node)
        return None
    chosen = run.pick(scope.controller, found, least, most, f"Choose {words_of(node)}", "355.5", "target")
    bind_targets(run, frame, path, chosen)
    return None


def _too_few(run: Run, frame: Frame, node: Any) -> None:
    # 402.4: a trigger without legal choices leaves the chain; 402.3, 355.8: anything else is not legal.
    raise IllegalPlay(f"there is no legal choice for {words_of(node)}", "355.8")


def bind_targets(run: Run, frame: Frame, path: str, chosen: tuple[int, ...]) -> None:
    """Remember what was chosen, and that these are targets."""
    bindings = frame.scope.bindings
    bindings[path] = chosen
    bindings["targets"] = (*bindings.get("targets", ()), path)


def _choose_player(run: Run, frame: Frame, node: ast.Player, path: str) -> None:
    found = select.players(run, node, frame.scope, "")
    chosen = run.pick(
        frame.scope.controller,
        [player_ref(p) for p in found],
        1,
        1,
        f"Choose a {node.which}",
        "355.5",
        "target",
    )
    bind_targets(run, frame, path, chosen)


def bounds(run: Run, node: ast.Objects, scope: Scope, path: str) -> tuple[int, int]:
    """Give the least and the greatest number of objects that a description asks for."""
    rule = node.quantity.rule
    wanted = 1
    if node.quantity.amount is not None:
        wanted = select.amount(run, node.quantity.amount, scope, f"{path}.quantity.amount") or 0
    if rule == "exactly":
        return wanted, wanted
    if rule in ("up-to", "at-most"):
        return 0, wanted
    if rule in ("exact", "both"):
        return (wanted, wanted) if rule == "exact" else (2, 2)
    if rule == "at-least":
        return wanted, 1 << 30
    return 0, 1 << 30


def options_for(run: Run, node: ast.Objects, scope: Scope, path: str) -> list[int]:
    """Give all that may be chosen for a description by this item."""
    item = _item(run, scope)
    found = [
        ref
        for ref in select.candidates(run, node, scope, path)
        if in_reach(run, ref, scope, node) and targetable(run, ref, item, scope)
    ]
    if item is not None and not item.finalized:
        found = [ref for ref in found if affordable_with(run, item, scope, ref)]
    return found


def _refined(
    run: Run, node: ast.Objects, scope: Scope, path: str, options: Iterable[int], taken: list[int], least: int
) -> list[int]:
    if not taken:
        if least > 1 and any(_couples(part) for part in node.filters):
            return [ref for ref in options if _has_mates(run, node, scope, path, options, ref, least)]
        return list(options)
    return [
        ref
        for ref in options
        if ref not in taken and all(_joins(run, ref, p, scope, path, taken) for p in node.filters)
    ]


def _couples(part: Any) -> bool:
    return isinstance(part, ast.SameController) or (isinstance(part, ast.At) and part.same)


def _joins(run: Run, ref: int, part: Any, scope: Scope, path: str, taken: Sequence[int]) -> bool:
    if isinstance(part, ast.At | ast.SameController | ast.TotalIs):
        return select.passes(run, ref, part, scope, "", taken)
    return True


def _has_mates(
    run: Run, node: ast.Objects, scope: Scope, path: str, options: Iterable[int], ref: int, least: int
) -> bool:
    return len(_refined(run, node, scope, path, options, [ref], 1)) >= least - 1


def group_ok(run: Run, node: ast.Objects, scope: Scope, path: str, taken: Sequence[int]) -> bool:
    """Tell whether chosen objects meet the requirements that are for all of them together (355.11)."""
    for part in node.filters:
        if isinstance(part, ast.TotalIs):
            total = sum(run.stat(ref, part.stat) or 0 for ref in taken)
            if not select.compares(total, part.op, select.amount(run, part.amount, scope, "")):
                return False
    return True


@op("destination")
def _destination(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Choose where a move goes (355.4): a location other than where the units are, and where they may be."""
    scope, node, path = frame.scope, operation.node, operation.path
    moved = tuple(
        ref for ref in moved_by(run, node, scope, path.removesuffix(".to")) if ref in run.state.objects
    )
    found = destinations(run, node, scope, path, moved)
    if not found:
        if not moved:
            bind_targets(run, frame, path, ())
            return None
        raise IllegalPlay("there is nowhere to move to", "355.4.a")
    chosen = run.pick(scope.controller, found, 1, 1, "Choose where it moves to", "355.4", "location")
    frame.scope.bindings[path] = chosen
    return None


def moved_by(run: Run, node: ast.Action, scope: Scope, path: str) -> tuple[int, ...]:
    """Give the objects that a move action moves."""
    return (
        select.refs(run, node.object, scope, f"{path}.object") if node.object is not None else (scope.source,)
    )


def destinations(run: Run, node: ast.Action, scope: Scope, path: str, moved: Sequence[int]) -> list[int]:
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


def may_be_at(run: Run, ref: int, at: int) -> bool:
    """Tell whether a unit may become present at a location: never the third player's at a battlefield (449.2)."""
    if at < 0:
        return True
    mine = run.controller(ref)
    others = {run.controller(o) for o in run.at(at) if "unit" in run.traits(o).types} - {mine}
    if run.state.showdown == at and run.state.combat is not None:
        others |= set(run.state.combat) - {mine}
    # 447.2.b: nor is a battlefield that a teammate occupies a destination.
    return len(others) < 2 and all(run.enemies(mine, other) for other in others)


@op("modes")
def _modes(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Choose the modes of a bulleted list (355.3); those chosen before may be barred."""
    scope, node, path = frame.scope, operation.node, operation.path
    player = scope.controller
    if node.who is not None:
        found = select.players(run, node.who, scope, f"{path}.who")
        player = found[0] if found else player
    count = select.amount(run, node.count, scope, f"{path}.count") or 1
    memory = mode_memory(run, scope, path)
    barred = run.state.facts.get(memory, ()) if node.memory is not None else ()
    if node.memory == "ever" and scope.item:
        barred = (*barred, *frame.local.get("modes-taken", ()))
    taken: list[int] = []
    while len(taken) < count:
        options = [
            Option(f"mode:{position}", "choose", mode_words(node.modes[position]), position, rule="355.3")
            for position in range(len(node.modes))
            if position not in taken
            and position not in barred
            and mode_possible(run, node.modes[position], scope, f"{path}.modes.{position}")
        ]
        if not options:
            break
        taken.append(run.ask(player, "mode", "Choose one", options, "355.3"))
    if not taken and count:
        raise IllegalPlay("no mode can be chosen", "355.3")
    scope.bindings[path] = tuple(taken)
    if node.memory is not None:
        run.state.facts[memory] = (*barred, *taken)
    return None


def mode_memory(run: Run, scope: Scope, path: str) -> str:
    """Give the name under which the modes that were chosen before are remembered."""
    return f"modes:{scope.source}:{scope.ability}:{path}"


def mode_possible(run: Run, node: Any, scope: Scope, path: str) -> bool:
    """Tell whether a mode has legal targets for what it needs."""
    from rulewright.engine.program.compile import needs_choice

    steps = node.steps if isinstance(node, ast.Sequence) else (node,)
    for position, step in enumerate(steps):
        where = f"{path}.steps.{position}" if isinstance(node, ast.Sequence) else path
        if (
            isinstance(step, ast.Action)
            and isinstance(step.object, ast.Objects)
            and needs_choice(step.object)
        ):
            low, _ = bounds(run, step.object, scope, f"{where}.object")
            if low and len(options_for(run, step.object, scope, f"{where}.object")) < low:
                return False
    return True


@op("mode")
def _mode(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Go on with a mode if it was chosen."""
    return None if int(operation.name) in frame.scope.bindings.get(operation.path, ()) else operation.jump


def words_of(node: Any) -> str:
    """Say what a description asks for, for a prompt."""
    return phrase(node)
