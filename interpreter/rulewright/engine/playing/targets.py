"""Choosing while an item is finalized: modes, targets, destinations; and what is still legal later (355, 359.3.e)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulewright.engine.playing.anew import anew, kept, modes_anew
from rulewright.engine.playing.wording import mode_words, phrase
from rulewright.engine.query import select
from rulewright.engine.query.damage import bonus_damage
from rulewright.engine.query.select import at_each, bounds
from rulewright.engine.query.targets import (
    couples,
    destinations,
    group_ok,
    mode_memory,
    mode_possible,
    moved_by,
    one_place,
    options_for,
)
from rulewright.engine.run import IllegalPlay, Run, op
from rulewright.engine.state.objects import NOBODY, Event, Frame, Option, Scope, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ops import Op


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
    if (old := kept(scope, path)) is not None:
        fitting = [ref for ref in options if group_ok(run, node, scope, path, [ref])]
        bind_targets(run, frame, path, anew(run, scope, old, fitting, f"Choose {words_of(node)}"))
        return None
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
    if at_each(node) is not None:
        scope.bindings[f"{path}:where"] = tuple((ref, run.location(ref)) for ref in chosen)
    return None


def _to_split(run: Run, scope: Scope, path: str, options: Sequence[int]) -> int:
    """Give the damage that there is to split, with its bonus (715.3): no more targets may be chosen (355.14.c)."""

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
    if (old := kept(scope, path)) is not None:
        bind_targets(run, frame, path, anew(run, scope, old, found, f"Choose {words_of(node)}"))
        return None
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
    found = [player_ref(player) for player in select.players(run, node, frame.scope, "")]
    if (old := kept(frame.scope, path)) is not None:
        bind_targets(run, frame, path, anew(run, frame.scope, old, found, f"Choose a {node.which}"))
        return
    chosen = run.pick(
        frame.scope.controller,
        found,
        1,
        1,
        f"Choose a {node.which}",
        "355.5",
        "target",
    )
    bind_targets(run, frame, path, chosen)


def _refined(
    run: Run, node: ast.Objects, scope: Scope, path: str, options: Iterable[int], taken: list[int], least: int
) -> list[int]:
    if not taken:
        if least > 1 and any(couples(part) or one_place(part) for part in node.filters):
            return [ref for ref in options if _has_mates(run, node, scope, path, options, ref, least)]
        return list(options)
    return [
        ref
        for ref in options
        if ref not in taken
        and all(_joins(run, ref, p, scope, path, taken) for p in node.filters)
        and _is_wanted_there(run, node, scope, path, ref, taken)
    ]


def _is_wanted_there(
    run: Run, node: ast.Objects, scope: Scope, path: str, ref: int, taken: Sequence[int]
) -> bool:
    """Tell whether one more may be chosen at a location of "up to one unit at each location"."""
    if at_each(node) is None:
        return True
    _, most = bounds(run, replace(node, filters=()), scope, path)
    return sum(run.location(other) == run.location(ref) for other in taken) < most


def _joins(run: Run, ref: int, part: Any, scope: Scope, path: str, taken: Sequence[int]) -> bool:
    if one_place(part) and any(run.location(other) != run.location(ref) for other in taken):
        return False
    if isinstance(part, ast.At | ast.SameController | ast.TotalIs):
        return select.passes(run, ref, part, scope, "", taken)
    return True


def _has_mates(
    run: Run, node: ast.Objects, scope: Scope, path: str, options: Iterable[int], ref: int, least: int
) -> bool:
    return len(_refined(run, node, scope, path, options, [ref], 1)) >= least - 1


@op("destination")
def _destination(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Choose where a move goes (355.4): a location other than where the units are, and where they may be."""
    scope, node, path = frame.scope, operation.node, operation.path
    moved = tuple(
        ref for ref in moved_by(run, node, scope, path.removesuffix(".to")) if ref in run.state.objects
    )
    found = destinations(run, node, scope, path, moved)
    if (old := kept(scope, path)) is not None:
        scope.bindings[path] = anew(run, scope, old, found, "Choose where it moves to")
        return None
    if not found:
        if not moved:
            bind_targets(run, frame, path, ())
            return None
        raise IllegalPlay("there is nowhere to move to", "355.4.a")
    chosen = run.pick(scope.controller, found, 1, 1, "Choose where it moves to", "355.4", "location")
    frame.scope.bindings[path] = chosen
    return None


NO_MODE = -1
"""The answer that no further mode is chosen."""


@op("modes")
def _modes(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Choose the modes of a bulleted list (355.3); those chosen before may be barred."""
    scope, node, path = frame.scope, operation.node, operation.path
    if (old := kept(scope, path)) is not None:
        scope.bindings[path] = modes_anew(run, node, scope, path, old)
        return None
    player = scope.controller
    if node.who is not None:
        found = select.players(run, node.who, scope, f"{path}.who")
        if not found:
            # 359.3.e.6: with nobody there to choose, nothing is chosen, and no mode is carried out.
            scope.bindings[path] = ()
            return None
        player = found[0]
    count = select.amount(run, node.count, scope, f"{path}.count") or 1
    memory = mode_memory(run, scope, path)
    barred = run.state.facts.get(memory, ()) if node.memory is not None else ()
    if node.memory == "ever" and scope.item:
        barred = (*barred, *frame.local.get("modes-taken", ()))
    taken: list[int] = []
    # "Choose one or both" asks for at least so many.
    most = len(node.modes) if isinstance(node.count, ast.AtLeast) else count
    while len(taken) < most:
        options = [
            Option(f"mode:{position}", "choose", mode_words(node.modes[position]), position, rule="355.3")
            for position in range(len(node.modes))
            if position not in taken
            and position not in barred
            and mode_possible(run, node.modes[position], scope, f"{path}.modes.{position}")
        ]
        if not options:
            break
        if len(taken) >= count:
            options.append(Option("done", "done", "no more", NO_MODE, rule="355.3"))
        answer = run.ask(player, "mode", "Choose one", options, "355.3")
        if answer == NO_MODE:
            break
        taken.append(answer)
    if not taken and count:
        raise IllegalPlay("no mode can be chosen", "355.3")
    scope.bindings[path] = tuple(taken)
    if node.memory is not None:
        run.state.facts[memory] = (*barred, *taken)
    return None


@op("mode")
def _mode(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Go on with a mode if it was chosen."""
    return None if int(operation.name) in frame.scope.bindings.get(operation.path, ()) else operation.jump


def words_of(node: Any) -> str:
    """Say what a description asks for, for a prompt."""

    return phrase(node)
