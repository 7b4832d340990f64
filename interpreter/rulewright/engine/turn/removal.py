"""Taking a player out of a game that goes on (651-652): the steps of the rules' own procedure."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import happen
from rulewright.engine.events.perform import take_out
from rulewright.engine.program.primitives import step
from rulewright.engine.state.objects import Event, Frame, player_ref

if TYPE_CHECKING:
    from rulewright.engine.run import Run

Parameters = Mapping[str, Any]
Rules = tuple[str, ...]


@step("banish-possessions", "652.1")
def _banish_possessions(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Banish all permanents, runes and facedown cards that the player controls or owns."""
    player = frame.scope.controller
    refs = [
        ref
        for ref in run.board(facedown=True)
        if player in (run.state.objects[ref].controller, run.state.objects[ref].owner)
        and not run.rules.zones[run.state.objects[ref].zone].holds
    ]
    happen(run, [Event("banish", player_ref(player), object=ref, rules=rules) for ref in refs], frame)
    return None


@step("bare-locations", "652.2")
def _bare_locations(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Replace the battlefields that the player brought with token battlefields that have no abilities."""
    player = frame.scope.controller
    fields = [at for at in run.fields() if run.state.objects[at].owner == player]
    name = run.rules.bare_location() if fields else ""
    you = player_ref(player)
    happen(run, [Event("replace", you, object=at, word=name, rules=rules) for at in fields], frame)
    for at in fields:
        field = run.state.own(at)
        if field.controller == player:
            field.controller = -1
    return None


@step("remove-cards", "652.3")
def _remove_cards(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Remove every card that the player owns from the game; what is a place stays one."""
    state, player = run.state, frame.scope.controller
    for ref in [ref for ref, found in state.objects.items() if found.owner == player]:
        if not run.rules.types_in(state.objects[ref].zone):
            take_out(run, ref)
            del state.objects[ref]
    gone = {item.id for item in state.chain if item.object and item.object not in state.objects}
    state.chain = [item for item in state.chain if item.id not in gone]
    _stop(run, frame, gone)
    state.touch()
    return None


@step("counter-all", "652.4")
def _counter_all(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Counter all spells and abilities that the player controls; what they left waiting ends."""
    state, player = run.state, frame.scope.controller
    state.effects = tuple(e for e in state.effects if e.kind == "effect" or e.scope.controller != player)
    items = [item.id for item in state.chain if item.scope.controller == player]
    _stop(run, frame, set(items))
    happen(run, [Event("counter", player_ref(player), object=ref, rules=rules) for ref in items], frame)
    return None


BEGUN = ("kernel:standard-move", "kernel:hide-card", "kernel:take-on")
"""What is carried out for a player and no chain item."""


def _stop(run: "Run", frame: Frame, items: set[int]) -> None:
    """End what is being carried out for the player, and for items that are gone, with all that it has begun."""
    frames, player = run.state.frames, frame.scope.controller
    first = next(
        (
            at
            for at, other in enumerate(frames)
            if items & {other.local.get("item"), other.scope.item}
            or (other.program in BEGUN and other.scope.controller == player)
        ),
        None,
    )
    if first is not None:
        run.state.frames = [*frames[:first], *(other for other in frames[first:] if other is frame)]


@step("pass-on", "652.5")
def _pass_on(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let the next player have the focus or priority that the removed one had; what they had passed does not count."""
    state, player = run.state, frame.scope.controller
    if state.focus >= 0:
        state.focus = _handed_on(run, player, state.focus, "showdown-passes")
    if state.priority >= 0:
        state.priority = _handed_on(run, player, state.priority, "passes")
    state.facts["cleanup"] = True
    return None


def _handed_on(run: "Run", player: int, holder: int, counted: str) -> int:
    count = len(run.state.players)
    order = [p for p in ((holder + n) % count for n in range(count)) if p == player or not run.is_out(p)]
    passes = run.state.facts.get(counted, 0)
    if passes and player in order[-passes:]:
        run.state.facts[counted] = passes - 1
    return order[1] if holder == player and len(order) > 1 else holder
