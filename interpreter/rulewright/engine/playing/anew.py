"""Making new choices for an item that is finalized already (750-755): targets, destinations and modes.

The item's own program is gone through again with what it had chosen at hand. Each choice may be replaced by one that
the item had not made before, or stay as it is.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import happen
from rulewright.engine.playing.chain import part_of
from rulewright.engine.playing.wording import mode_words
from rulewright.engine.query import select
from rulewright.engine.query.targets import destinations, mode_possible, moved_by, options_for
from rulewright.engine.run import Run, op
from rulewright.engine.state.objects import ChainItem, Event, Frame, Option, Scope, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ops import Op

OLD = "old:"
"""What stands before the path of a choice where what had been chosen is kept while new choices are made."""


def remake(run: Run, item: ChainItem, player: int) -> None:
    """Let a player make new choices for an item: any of them, also none (753)."""
    scope = item.scope.copy()
    bindings = scope.bindings
    for path in item.targets:
        bindings[OLD + path] = bindings.pop(path, ())
        bindings.pop(f"{path}:legal", None)
    program = _choices_of(item)
    for operation in run.rules.program(program).ops:
        if operation.code in ("destination", "modes") and operation.path in bindings:
            bindings[OLD + operation.path] = bindings.pop(operation.path)
    bindings.pop("targets", None)
    bindings["chooser"] = player
    before = tuple(run.targets_of(item))
    run.call(
        "kernel:chosen-anew", Scope(player, item.scope.source, ""), local={"item": item.id, "old": before}
    )
    run.call(program, scope, f"item:{item.id}")


def _choices_of(item: ChainItem) -> str:
    return f"{item.scope.ability}>prepare{part_of(item)}"


@op("chosen-anew")
def _chosen_anew(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Tell of what is targeted now and was not before (754); costs that this would have made are ignored (755)."""
    item = run.state.item(frame.local["item"])
    if item is None:
        return None
    bindings = item.scope.bindings
    for name in [name for name in bindings if name.startswith(OLD) or name == "chooser"]:
        del bindings[name]
    item.targets = tuple(dict.fromkeys(bindings.get("targets", ())))
    old = frame.local["old"]
    new = [ref for ref in run.targets_of(item) if ref not in old]
    if new:
        named = ", ".join(run.name(ref) for ref in new)
        run.note(
            f"{run.name(item.id)} now chooses {named}", ("751.1",), frame.scope.controller, "choose-anew"
        )
        you = player_ref(item.scope.controller)
        happen(run, [Event("choose", you, object=ref, using=item.id, rules=("754",)) for ref in new])
    return None


def kept(scope: Scope, path: str) -> tuple[int, ...] | None:
    """Give what had been chosen here before, while new choices are made; nothing in a first choice."""
    found: tuple[int, ...] | None = scope.bindings.get(OLD + path)
    return found


def anew(run: Run, scope: Scope, old: Sequence[int], options: Sequence[int], prompt: str) -> tuple[int, ...]:
    """Let a player replace some of what was chosen by what was not (751.1, 753)."""
    chosen = list(old)
    fresh = [ref for ref in options if ref not in old]
    for position, before in enumerate(old):
        left = [ref for ref in fresh if ref not in chosen]
        other = [run.object_option(ref, "target", "751.1") for ref in run.distinct(left)]
        keep = Option("keep", "keep", f"keep {run.name(before)}", before, rule="753")
        chosen[position] = run.ask(int(scope.bindings["chooser"]), "target", prompt, (*other, keep), "751.1")
    return tuple(chosen)


def modes_anew(
    run: Run, node: ast.ChooseMode, scope: Scope, path: str, old: Sequence[int]
) -> tuple[int, ...]:
    """Let a player replace modes that were chosen by others that can be carried out (752.1)."""
    chosen = list(old)
    for position, before in enumerate(old):
        other = [
            Option(f"mode:{at}", "choose", mode_words(node.modes[at]), at, rule="752.1")
            for at in range(len(node.modes))
            if at not in chosen and mode_possible(run, node.modes[at], scope, f"{path}.modes.{at}")
        ]
        keep = Option("keep", "keep", "no other", before, rule="753")
        chosen[position] = run.ask(
            int(scope.bindings["chooser"]), "mode", "Choose another?", (*other, keep), "752.1"
        )
    return tuple(chosen)


def can_remake(run: Run, item: ChainItem) -> bool:
    """Tell whether any choice of an item can be made anew (753.2)."""
    if not item.scope.ability:
        return False
    scope = item.scope
    return any(
        _has_other(run, operation, scope, scope.bindings.get(operation.path, ()))
        for operation in run.rules.program(_choices_of(item)).ops
        if operation.path in scope.bindings
    )


def _has_other(run: Run, operation: "Op", scope: Scope, old: Any) -> bool:
    node, path = operation.node, operation.path
    # What is bound to a path is what its words mean: here they are asked anew.
    scope = scope.copy()
    del scope.bindings[path]
    found: Sequence[int] = ()
    if operation.code == "target" and isinstance(node, ast.Player):
        found = [player_ref(player) for player in select.players(run, node, scope, "")]
    elif operation.code == "target":
        parts = [(node, path)]
        if isinstance(node, ast.Group):
            parts = [(part, f"{path}.parts.{position}") for position, part in enumerate(node.parts)]
        found = [ref for part, where in parts for ref in options_for(run, part, scope, where)]
    elif operation.code == "destination":
        found = destinations(run, node, scope, path, moved_by(run, node, scope, path.removesuffix(".to")))
    elif operation.code == "modes":
        places = range(len(node.modes))
        found = [at for at in places if mode_possible(run, node.modes[at], scope, f"{path}.modes.{at}")]
    return any(ref not in old for ref in found)
