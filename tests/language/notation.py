"""The notation of ``gold.yaml``: meanings written by hand, short enough to check against the rules by eye.

A meaning is a Python expression. Every kind of node is a function of its own name whose arguments are helped into
place: a whole number becomes a ``Number`` where an amount is wanted, an action becomes an ``Event``, a single value
becomes a tuple of one, a list becomes a sequence of steps. Any other lower-case name is a verb of the lexicon:
``deal(3, to=a("unit"))`` is an action of "you", ``play(a("unit"), by=opponent)`` of somebody else, ``by=None`` a
passive. The short names below are all there is besides.
"""

from __future__ import annotations

import typing
from typing import Any

from rulewright.language import ast
from rulewright.language.ast import Action, CardText, Node
from rulewright.language.tree import kinds, slots

THIS_TURN = ast.ThisTurn()


def read(source: str) -> CardText:
    """Read the meaning of a whole text; several abilities are written as a tuple."""
    value = eval(source, {"__builtins__": {}}, _Names())
    abilities = value if isinstance(value, tuple) else (value,)
    return CardText(tuple(_into(ability, [ast.Ability], "ability") for ability in abilities))


def read_node(source: str) -> Node:
    """Read a part of a meaning."""
    node = eval(source, {"__builtins__": {}}, _Names())
    assert isinstance(node, Node)
    return node


class _Names(dict[str, Any]):
    """The names of the notation; unknown lower-case names are verbs."""

    def __init__(self) -> None:
        super().__init__(_SHORT)
        self.update({name: _maker(kind) for name, kind in kinds().items()})

    def __missing__(self, name: str) -> Any:
        if not name.islower():
            raise KeyError(name)
        return _verb(name.rstrip("_").replace("_", "-"))


def _maker(kind: type[Node]) -> Any:
    fields = [slot for slot in slots(kind) if slot.name != "span"]

    def make(*given: Any, **named: Any) -> Node:
        values = dict(zip((slot.name for slot in fields), given, strict=False)) | named
        wanted = {slot.name: slot.type for slot in fields}
        return kind(**{name: _into(value, [wanted[name]], name) for name, value in values.items()})

    return make


def _into(value: Any, wanted: list[Any], name: str) -> Any:
    """Help a value into the type that its place wants."""
    arms = [arm for part in wanted for arm in _arms(part)]
    many = next((arm for arm in arms if typing.get_origin(arm) is tuple), None)
    if many is not None and value is not None:
        parts = value if isinstance(value, tuple | list) else (value,)
        return tuple(_into(part, [typing.get_args(many)[0]], name) for part in parts)
    if type(value) is int and ast.Number in arms:
        return ast.Number(value)
    if isinstance(value, list):
        return ast.Sequence(tuple(_into(step, [ast.Instruction], name) for step in value))
    if isinstance(value, Node) and type(value) not in arms:
        for outer, inner in _WRAPPED.items():
            if outer in arms and isinstance(value, inner):
                return _maker(outer)(value)
    return value


_WRAPPED: dict[type[Node], Any] = {ast.Event: Action | ast.Moment, ast.Cost: ast.CostPart, ast.At: ast.Place}


def _arms(wanted: Any) -> list[Any]:
    if typing.get_origin(wanted) is tuple:
        return [wanted]
    inner = typing.get_args(wanted)
    return [arm for part in inner for arm in _arms(part)] if inner else [wanted]


def _verb(lemma: str) -> Any:
    def act(thing: Any = None, **roles: Any) -> Node:
        subject = roles.pop("by", YOU)
        if thing is not None:
            amount = isinstance(
                thing, int | ast.Number | ast.ThatMuch | ast.Times | ast.StatOf | ast.AnyAmount
            )
            roles["amount" if amount else "object"] = thing
        made = _maker(Action)(verb=lemma, subject=subject, **roles)
        assert isinstance(made, Node)
        return made

    return act


def _objects(rule: str, amount: int | None = None) -> Any:
    def describe(*parts: Any) -> ast.Objects:
        nouns = tuple(part for part in parts if isinstance(part, str))
        filters = tuple(_into(part, [ast.Filter], "filters") for part in parts if not isinstance(part, str))
        return ast.Objects(_quantity(rule, amount), nouns, filters)

    return describe


def _counted(rule: str) -> Any:
    def describe(amount: int, *parts: Any) -> ast.Objects:
        made = _objects(rule, amount)(*parts)
        assert isinstance(made, ast.Objects)
        return made

    return describe


def _quantity(rule: str, amount: int | None) -> ast.Quantity:
    return ast.Quantity(rule, None if amount is None else ast.Number(amount))


def _token(amount: int, name: str, might: int | None = None, *keywords: str, **more: Any) -> Node:
    types = more.pop("types", ("unit",))
    return ast.TokenSpec(
        _quantity("exactly", amount),
        name,
        types,
        None if might is None else ast.Number(might),
        tuple(ast.Keyword(keyword) for keyword in keywords),
        **more,
    )


def _keyword(name: str, value: int | None = None, cost: Any = None) -> ast.Keyword:
    return ast.Keyword(name, None if value is None else ast.Number(value), cost)


def _gains(name: str, value: int | None = None) -> ast.Gains:
    return ast.Gains(_keyword(name, value))


def _might(amount: Any, **more: Any) -> Node:
    made = _maker(ast.MightChange)(
        abs(amount) if isinstance(amount, int) else amount,
        minus=isinstance(amount, int) and amount < 0,
        **more,
    )
    assert isinstance(made, Node)
    return made


def _top(
    amount: int, of: ast.Player | None = None, nouns: str = "card", zone: str = "main-deck"
) -> ast.TopOf:
    return ast.TopOf(ast.Zone(zone, of or YOU, "top"), ast.Number(amount), (nouns,))


def _give(subject: Any, *changes: Any, during: Any = THIS_TURN) -> ast.Apply:
    return ast.Apply(ast.Modify(subject, changes), during)


def _spell(*steps: Any) -> ast.SpellAbility:
    body = steps[0] if len(steps) == 1 else list(steps)
    return ast.SpellAbility(_into(body, [ast.Instruction], "body"))


def _when(events: Any, *steps: Any, **more: Any) -> Node:
    body = steps[0] if len(steps) == 1 else list(steps)
    made = _maker(ast.TriggeredAbility)(events, body, **more)
    assert isinstance(made, Node)
    return made


def _have(subject: Any, *changes: Any) -> ast.Modify:
    return ast.Modify(subject, changes)


def _always(*effects: Any, **more: Any) -> Node:
    made = _maker(ast.PassiveAbility)(effects, **more)
    assert isinstance(made, Node)
    return made


def _use(cost: Any, *steps: Any, **more: Any) -> Node:
    body = steps[0] if len(steps) == 1 else list(steps)
    made = _maker(ast.ActivatedAbility)(cost, body, **more)
    assert isinstance(made, Node)
    return made


def _reference(role: str) -> Any:
    def refer(*nouns: str, **more: Any) -> ast.Reference:
        return ast.Reference(role, nouns, **more)

    return refer


YOU = ast.Player("you")
ANY_BATTLEFIELD = ast.Objects(ast.Quantity("any"), ("battlefield",))

_SHORT: dict[str, Any] = {
    "True": True,
    "False": False,
    "None": None,
    # players
    "you": YOU,
    **{
        name.replace("-", "_"): ast.Player(name)
        for name in ("opponent", "opponents", "each-opponent", "each-player", "each-other-player", "they")
    },
    **{
        name.replace("-", "_"): ast.Player(name)
        for name in ("a-player", "that-player", "defender", "attacker")
    },
    "someone": ast.Player("player"),
    "controller": lambda of: ast.Player("controller", of),
    "owner": lambda of: ast.Player("owner", of),
    # objects
    "me": ast.Self(),
    "this": ast.Self("this"),
    "it": ast.Reference("it"),
    "them": ast.Reference("them"),
    "rest": ast.Reference("rest"),
    "that": _reference("that"),
    "those": _reference("those"),
    "the": lambda participle, *nouns: ast.Reference("the", nouns, participle),
    "a": _objects("exactly", 1),
    "every": _objects("all"),
    "each": _objects("each"),
    "any_": _objects("any"),
    "some": _objects("any-number"),
    "n": _counted("exactly"),
    "up_to": _counted("up-to"),
    "at_least": _counted("at-least"),
    "at_most": _counted("at-most"),
    "top": _top,
    "token": _token,
    # filters
    "friendly": ast.Side("friendly"),
    "enemy": ast.Side("enemy"),
    "other": ast.Other(),
    "yours": ast.ControlledBy(YOU),
    "state": lambda name, negated=False: ast.HasState(name, negated),
    "tagged": lambda *tags: ast.HasTag(tags),
    "with_": lambda name: ast.HasKeyword(ast.Keyword(name)),
    "without": lambda name: ast.HasKeyword(ast.Keyword(name), negated=True),
    "stat": _maker(ast.StatIs),
    "at": ast.At,
    "out_of": ast.From,
    # places
    "here": ast.Here(),
    "there": ast.There(),
    "battlefield": ANY_BATTLEFIELD,
    "at_a_battlefield": ast.At(ANY_BATTLEFIELD),
    "my": lambda zone: ast.Zone(zone, YOU),
    "hand": lambda of=YOU: ast.Zone("hand", of),
    "trash": lambda of=YOU: ast.Zone("trash", of),
    "base": lambda of=YOU: ast.Zone("base", of),
    # times
    "turn": ast.ThisTurn(),
    "each_turn": ast.ThisTurn(each=True),
    "start": lambda phase, whose=YOU, which=None: ast.Moment("start", phase, whose, which),
    "end": lambda phase, whose=YOU, which=None: ast.Moment("end", phase, whose, which),
    # costs
    "energy": _maker(ast.Energy),
    "power": lambda domain, amount=1: ast.Power(domain, ast.Number(amount)),
    "tap": ast.ExhaustThis(),
    "cost": lambda *parts: ast.Cost(parts),
    "xp": lambda amount: ast.Resource("xp", ast.Number(amount)),
    "points": lambda amount: ast.Resource("point", ast.Number(amount)),
    "buff_of": lambda of=None: ast.Resource("buff", ast.Number(1), of),
    # amounts and changes
    "might_of": lambda of: ast.StatOf("might", of),
    "count": lambda what: ast.CountOf(what),
    "per": lambda amount, what: ast.Times(ast.Number(amount), ast.CountOf(what)),
    "might": _might,
    "gains": _gains,
    "keyword": _keyword,
    # abilities and instructions
    "Spell": _spell,
    "When": _when,
    "Always": _always,
    "Use": _use,
    "give": _give,
    "have": _have,
}
