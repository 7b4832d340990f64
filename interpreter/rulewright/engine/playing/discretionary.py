"""Discretionary actions that use no chain: the standard move, and hiding a card (144, 420.3, 421, 811)."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import happen
from rulewright.engine.playing.options import hide_price, may_move
from rulewright.engine.playing.pay import ask_plan, pay_resources
from rulewright.engine.query import layers, select
from rulewright.engine.query.payment import can_pay
from rulewright.engine.query.price import Price, price_of
from rulewright.engine.run import Run, op
from rulewright.engine.state.objects import Event, Frame, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ops import Op


@op("standard-move")
def _standard_move(run: Run, frame: Frame, operation: "Op") -> int | None:
    """144.3: units that move together go to one destination, exhausting as the cost."""
    player, to = frame.scope.controller, frame.local["to"]
    first = frame.local["units"][0]
    others = [
        ref
        for ref in run.board()
        if ref != first
        and run.state.objects[ref].controller == player
        and not run.state.objects[ref].attached_to
        and run.fights(ref)
        and may_move(run, ref, to)
    ]
    joined = run.pick(
        player,
        others,
        0,
        len(others),
        "Which units move along?",
        "144.3",
        "join",
        refine=lambda taken: [ref for ref in others if _affordable(run, player, to, [first, *taken, ref])],
    )
    units = (first, *joined)
    price = move_price(run, player, to, list(units))
    if price.energy or price.total_power:
        plan = ask_plan(run, player, price, None, "204.4.b")
        if plan is None:
            run.note("the move cannot be paid", ("204.4.c",), player, "refuse")
            return None
        pay_resources(run, player, price, plan, None, "")
    you = player_ref(player)
    happen(run, [Event("exhaust", you, object=ref, rules=("144.2",)) for ref in units])
    happen(
        run,
        [
            Event(
                "move", you, object=ref, to=run.place_at(to), at=to, source=_place(run, ref), rules=("144.3",)
            )
            for ref in units
        ],
    )
    return None


def _place(run: Run, ref: int) -> tuple[str, int]:
    found = run.state.objects[ref]
    return (found.zone, found.at)


def _affordable(run: Run, player: int, to: int, units: list[int]) -> bool:
    price = move_price(run, player, to, units)
    return not (price.energy or price.total_power) or can_pay(run, player, price)


def move_price(run: Run, player: int, to: int, units: list[int]) -> Price:
    """Give the costs that effects apply to a move (204.4), such as one for each unit beyond the first."""
    price = Price()
    for active in layers.effects(run, ast.Require):
        action, cost = active.effect.action, active.effect.cost
        if action.verb != "move" or cost is None:
            continue
        least = action.object.quantity.amount if isinstance(action.object, ast.Objects) else None
        if least is not None and len(units) < (select.amount(run, least, active.scope) or 0):
            continue
        event = Event("move", player_ref(player), object=units[0], at=to, to=run.place_at(to))
        plain = ast.Action("move", action.subject, None, to=action.to)
        if not select.matches(run, plain, event, active.scope, f"{active.path}.action"):
            continue
        each = price_of(run, cost, active.scope, f"{active.path}.cost")
        price.add(each, _times(run, active, units))
    return price


def _times(run: Run, active: layers.Active, units: list[int]) -> int:
    """Give how often a move costs it: once, or for each of the moving units that the words count."""
    require: ast.Require = active.effect
    if require.per is None:
        return 1
    counted = require.per.what if isinstance(require.per, ast.CountOf) else None
    if not isinstance(counted, ast.Objects):
        return select.amount(run, require.per, active.scope, f"{active.path}.per") or 0
    beyond = tuple(
        part for part in counted.filters if isinstance(part, ast.HasState) and part.state == BEYOND
    )
    plain = replace(counted, filters=tuple(part for part in counted.filters if part not in beyond))
    count = sum(select.fits(run, ref, plain, active.scope, "") for ref in units)
    return max(0, count - 1) if beyond else count


BEYOND = "beyond-first"
"""The state of the units of a group but one: "for each unit beyond the first"."""


@op("hide-card")
def _hide_card(run: Run, frame: Frame, operation: "Op") -> int | None:
    """421.1, 811.1.b: pay, and put the card facedown at a battlefield; no chain opens (811.1.c.2)."""
    player, ref, at = frame.scope.controller, frame.local["card"], frame.local["at"]
    price = hide_price(run, player, ref)
    if price is None:
        return None
    plan = ask_plan(run, player, price, None, "811.1.b")
    if plan is None:
        return None
    pay_resources(run, player, price, plan, None, "")
    hide(run, player, ref, at)
    return None


def hide(run: Run, player: int, ref: int, at: int) -> None:
    """Put a card facedown at a battlefield."""
    place: Any = (run.facedown_zone(), at)
    happen(run, [Event("hide", player_ref(player), object=ref, to=place, at=at, rules=("421", "811.1.b"))])
