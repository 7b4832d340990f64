"""Measures: Might, costs and counts compared with figures and with each other."""

from __future__ import annotations

from typing import Any

from rulewright.language import ast
from rulewright.language.forest import Refused
from rulewright.language.reading.parts import Limit, MightFigure
from rulewright.language.reading.words import WordBuilder


class MeasureBuilder(WordBuilder):
    """The callbacks of measures: with 3 :rb_might: or more, costing no more than :rb_energy_2:."""

    # ------------------------------------------------------------------------------------------ measures

    def stat_word(self, children: list[Any]) -> str:
        return self._lemma(children[0])

    def m_limits(self, children: list[Any]) -> tuple[Any, ...]:
        stat, limits = [child for child in children if child is not None]
        return self.limited(stat, limits)

    def m_might(self, children: list[Any]) -> tuple[Any, ...]:
        return self.limited("might", (children[0],))

    def m_total(self, children: list[Any]) -> tuple[Any, ...]:
        stat, limits = [child for child in children if child is not None]
        return totals(stat, self.limited(stat, limits))

    def m_compared(self, children: list[Any]) -> tuple[Any, ...]:
        op, stat, than = [child for child in children if child is not None]
        return self.limited(stat, (Limit(op, than),))

    def m_not_compared(self, children: list[Any]) -> tuple[Any, ...]:
        op, stat, than = children
        return self.limited(stat, (Limit(_NOT[op], than),))

    def m_same(self, children: list[Any]) -> tuple[Any, ...]:
        stat, other = children
        return self.limited(stat, (Limit("=", other),))

    def comparative(self, children: list[Any]) -> str:
        return "<" if self._text(children) in ("less", "fewer", "lower") else ">"

    def superlative_high(self, _: list[Any]) -> bool:
        return False

    def superlative_low(self, _: list[Any]) -> bool:
        return True

    def m_highest(self, children: list[Any]) -> tuple[Any, ...]:
        lowest, stat = children
        return (ast.HasHighest(stat, lowest),)

    def m_highest_among(self, children: list[Any]) -> tuple[Any, ...]:
        lowest, stat, among = children
        if not isinstance(among, ast.Objects | ast.Reference):
            raise Refused("among which?")
        return (ast.StatIs(stat, "<=" if lowest else ">=", ast.Highest(stat, among, lowest)),)

    def m_highest_at(self, children: list[Any]) -> tuple[Any, ...]:
        lowest, stat, place = children
        if not isinstance(place, ast.At) or stat != "might" or _is_each(place.place):
            raise Refused("among which?")
        # Might is what units have (141).
        there = ast.Objects(ast.Quantity("all", form="bare"), ("unit",), (place,))
        return self.m_highest_among([lowest, stat, there])

    def limited(self, stat: str, limits: tuple[Limit, ...]) -> tuple[ast.StatIs, ...]:
        """Give what is said of a figure, or of both figures of a cost, as filters."""
        made = [one for limit in limits for one in _limit(stat, limit)]
        return tuple(_whole_cost(made) if stat == "cost" else made)

    def limits(self, children: list[Any]) -> tuple[Limit, ...]:
        return (children[0],)

    def limits_more(self, children: list[Any]) -> tuple[Limit, ...]:
        return (*children[0], children[1])

    def bound(self, children: list[Any]) -> str:
        words = [child if isinstance(child, str) else child.text.lower() for child in children]
        if words[0] == "no":
            return _NOT[words[1]]
        if "or" in words:
            return next(word for word in words if word in _NOT) + "="
        return {"exactly": "=", "equal": "=", "up": "<=", "at": "<=" if words[-1] == "most" else ">="}.get(
            words[0], words[0]
        )

    def limit_bound(self, children: list[Any]) -> Limit:
        op, value = children
        if isinstance(value, ast.Objects) and value.quantity.amount not in (None, ast.Number(1)):
            raise Refused("this is no amount")
        return Limit(op, value)

    def limit_or(self, children: list[Any]) -> Limit:
        value, op = children
        return Limit(f"{op}=", value)

    def limit_or_might(self, children: list[Any]) -> Limit:
        value, op, _ = children
        return self.limit_or([self.value_might([value]), op])

    def limit_exact(self, children: list[Any]) -> Limit:
        return Limit("=", children[0])

    def limit_more_than(self, children: list[Any]) -> Limit:
        """``up to 1 more than the killed unit``, ``at most [1] less than me``."""
        op, value, more, than = children
        if op not in ("<=", ">=", "="):
            raise Refused("by how much?")
        return Limit(op, than, value, minus=more == "<")

    def value_might(self, children: list[Any]) -> MightFigure:
        if not isinstance(children[0], ast.Number):
            raise Refused("Might is a number")
        return MightFigure(children[0])


def totals(stat: str, limits: tuple[ast.StatIs, ...]) -> tuple[ast.TotalIs, ...]:
    """Give limits as limits of what a whole group has."""
    if stat == "cost":
        raise Refused("Energy cost or Power cost?")
    return tuple(ast.TotalIs(limit.stat, limit.op, limit.amount) for limit in limits)


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
    raise Refused("this is no amount")


def _is_each(place: Any) -> bool:
    return isinstance(place, ast.Objects) and place.quantity.rule == "each"


_NOT = {"<": ">=", ">": "<="}


def _limit(stat: str, limit: Limit) -> list[ast.StatIs]:
    value = limit.by if limit.by is not None else limit.value
    if isinstance(value, MightFigure):
        if stat != "might":
            raise Refused("a cost is compared with a cost")
        value = value.amount
    parts = _figures(stat, value)
    if stat == "cost" and not _orders_costs(limit, value, len(parts)):
        raise Refused("Energy cost or Power cost?")
    if limit.by is not None:
        return _beyond(stat, dict(parts), limit)
    if isinstance(value, ast.Cost | ast.Number):
        return parts_of_cost(parts, limit.op)
    compared = _BOTH if stat == "cost" else (stat,)
    return [ast.StatIs(part, limit.op, _figure_of(part, limit.value)) for part in compared]


def _beyond(stat: str, by: dict[str, Any], limit: Limit) -> list[ast.StatIs]:
    """Give ``up to [1] more than``: what is added to no part of a cost leaves that part as it is."""
    made = []
    for part in _BOTH if stat == "cost" else by:
        than = _figure_of(part, limit.value)
        amount = ast.Plus(by[part], than, limit.minus) if part in by else than
        made.append(ast.StatIs(part, limit.op, amount))
    return made


def _orders_costs(limit: Limit, value: Any, parts: int) -> bool:
    """Tell whether whole costs are compared: a number is no cost, and of two, each can have more of one part."""
    if isinstance(value, ast.StatOf):
        return value.stat == "cost" and limit.op in ("<=", "=", ">=")
    if not isinstance(value, ast.Cost | ast.Number | ast.Self | ast.Reference | ast.Objects):
        return False
    # What costs less than [3] has no Power and less Energy; no other two costs are told apart by one figure alone.
    return limit.op in ("<=", "=", ">=") or (limit.op == "<" and limit.by is None and parts == 1)


def _whole_cost(made: list[ast.StatIs]) -> list[ast.StatIs]:
    """Give limits of a cost with what they say of the part that they do not name.

    A cost is Energy and Power (131): what costs no more than ``[2]`` has no Power in its cost, what costs ``[2]`` or
    more may have any.
    """
    whole = list(made)
    for op, nothing in (("<", "<="), ("<=", "<="), ("=", "=")):
        named = {one.stat for one in made if one.op == op}
        if len(named) == 1:
            whole += (ast.StatIs(part, nothing, ast.Number(0)) for part in _BOTH if part not in named)
    return sorted(whole, key=lambda one: _BOTH.index(one.stat)) if len(whole) == 2 else whole


def parts_of_cost(parts: list[tuple[str, Any]], op: str) -> list[ast.StatIs]:
    """Give figures as filters that bound them."""
    return [ast.StatIs(stat, op, amount) for stat, amount in parts]


_BOTH = ("energy-cost", "power-cost")
"""A cost has two figures: Energy and Power."""


def _figures(stat: str, value: Any) -> list[tuple[str, Any]]:
    """Give the figures that a number or a cost names, each with its amount."""
    if isinstance(value, ast.Number):
        # A bare number where a cost is meant is of Energy, as some exports write it.
        return [("energy-cost" if stat == "cost" else stat, value)]
    made: list[tuple[str, Any]] = []
    for part in value.parts if isinstance(value, ast.Cost) else ():
        if isinstance(part, ast.Energy) and stat in ("cost", "energy-cost"):
            made.append(("energy-cost", part.amount))
        elif isinstance(part, ast.Power) and stat in ("cost", "power-cost") and part.domain == "any":
            made.append(("power-cost", part.amount))
        else:
            raise Refused("a cost is compared with a cost of its kind")
    return made


def _figure_of(stat: str, than: Any) -> Any:
    """Give the figure that something is compared with: its own of the same kind, where a thing is named."""
    if than == ast.Reference("mine"):
        # "Might less than mine" is less than my Might.
        return ast.StatOf(stat, ast.Self())
    if isinstance(than, ast.Self | ast.Reference | ast.Objects):
        return ast.StatOf(stat, than)
    if isinstance(than, ast.StatOf) and than.stat == "cost" and stat in _BOTH:
        return ast.StatOf(stat, than.of)
    return amount_from(than)
