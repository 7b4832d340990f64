"""Measures: Might, costs and counts compared with figures and with each other."""

from __future__ import annotations

from typing import Any

from rulewright.language import ast
from rulewright.language.forest import Refused
from rulewright.language.reading.parts import (
    Limit,
)
from rulewright.language.reading.words import WordBuilder


class MeasureBuilder(WordBuilder):
    """The callbacks of measures: with 3 :rb_might: or more, costing no more than :rb_energy_2:."""

    # ------------------------------------------------------------------------------------------ measures

    def stat_word(self, children: list[Any]) -> str:
        return self._lemma(children[0])

    def m_limits(self, children: list[Any]) -> tuple[Any, ...]:
        return self._limits(children[0], children[1])

    def m_total(self, children: list[Any]) -> tuple[Any, ...]:
        stat, limits = [child for child in children if child is not None]
        return tuple(ast.TotalIs(stat, limit.op, limit.value) for limit in limits)

    def m_less(self, children: list[Any]) -> tuple[Any, ...]:
        return self._compared("<", children)

    def m_greater(self, children: list[Any]) -> tuple[Any, ...]:
        return self._compared(">", children)

    def m_no_more(self, children: list[Any]) -> tuple[Any, ...]:
        return self._compared("<=", children)

    def m_no_less(self, children: list[Any]) -> tuple[Any, ...]:
        return self._compared(">=", children)

    def m_highest(self, children: list[Any]) -> tuple[Any, ...]:
        return (ast.HasHighest(children[0]),)

    def _compared(self, op: str, children: list[Any]) -> tuple[Any, ...]:
        stat, than = children
        if not isinstance(than, ast.Self | ast.Reference | ast.Objects):
            raise Refused("compared with what?")
        return (ast.StatIs(stat, op, ast.StatOf(stat, than)),)

    def m_than(self, children: list[Any]) -> tuple[Any, ...]:
        return self._than("<", children)

    def m_than_more(self, children: list[Any]) -> tuple[Any, ...]:
        return self._than(">", children)

    def _than(self, op: str, children: list[Any]) -> tuple[Any, ...]:
        stat, than = children
        if isinstance(than, ast.Self | ast.Reference):
            # "Might less than mine" is less than my Might.
            owner = ast.Self() if than == ast.Reference("mine") else than
            than = ast.StatOf(stat, owner)
        return (ast.StatIs(stat, op, amount_from(than)),)

    def m_might_most(self, children: list[Any]) -> tuple[Any, ...]:
        return (ast.StatIs("might", "<=", children[0]),)

    def m_might_least(self, children: list[Any]) -> tuple[Any, ...]:
        return (ast.StatIs("might", ">=", children[0]),)

    def _limits(self, stat: str, limits: tuple[Limit, ...], whole: bool = False) -> tuple[Any, ...]:
        made = []
        if stat == "cost" and not whole and len(limits) < 2 and isinstance(limits[0].value, ast.Cost):
            # A cost has two figures (130); a bound on one of them says which.
            raise Refused("Energy cost or Power cost?")
        for limit in limits:
            if isinstance(limit.value, ast.Cost):
                made.extend(_cost_limits(stat, limit))
            elif stat == "might":
                made.append(ast.StatIs(stat, limit.op, limit.value))
            else:
                raise Refused("a cost is compared with a cost")
        return tuple(made)

    def limits(self, children: list[Any]) -> tuple[Limit, ...]:
        return (children[0],)

    def limits_more(self, children: list[Any]) -> tuple[Limit, ...]:
        return (*children[0], children[1])

    def limit_most(self, children: list[Any]) -> Limit:
        return Limit("<=", children[0])

    def limit_least(self, children: list[Any]) -> Limit:
        return Limit(">=", children[0])

    limit_most_mana = limit_most
    limit_least_mana = limit_least

    def limit_up_to_more(self, children: list[Any]) -> Limit:
        value, than = children
        if isinstance(than, ast.Reference | ast.Self):
            than = ast.StatOf("might", than)
        return Limit("<=", ast.Plus(value, amount_from(than)))


def amount_from(value: Any) -> Any:
    """Give the amount that a phrase names, or refuse."""
    if isinstance(
        value,
        ast.StatOf
        | ast.CountOf
        | ast.Highest
        | ast.TotalOf
        | ast.Times
        | ast.Number
        | ast.Plus
        | ast.ThatMuch,
    ):
        return value
    if isinstance(value, ast.Objects):
        raise Refused("this is no amount")
    raise Refused("this is no amount")


def _cost_limits(stat: str, limit: Limit) -> list[Any]:
    made = []
    for part in limit.value.parts:
        if isinstance(part, ast.Energy) and stat in ("cost", "energy-cost"):
            made.append(ast.StatIs("energy-cost", limit.op, part.amount))
        elif isinstance(part, ast.Power) and stat in ("cost", "power-cost") and part.domain == "any":
            made.append(ast.StatIs("power-cost", limit.op, part.amount))
        else:
            raise Refused("a cost is compared with a cost of its kind")
    return made
