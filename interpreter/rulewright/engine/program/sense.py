"""Refuses meanings that leave out what they need: who does something, since when something counts, in how many places.

A field that a text must fill is never guessed at: without it the card would do more or less than it says.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rulewright.engine.program.compile import walk
from rulewright.language import ast


def nonsense(text: ast.CardText, is_keyword: bool = False) -> str | None:
    """Say what a meaning lacks that nothing may be carried out without; nothing where it lacks nothing."""
    if is_keyword and any(map(_is_beyond, text.abilities)):
        # What a keyword does is looked for on the object that has it.
        return "what a keyword does always has to do with its own object, and this does not speak of it"
    return next((why for node in walk(text) if (test := _TESTS.get(type(node))) for why in test(node)), None)


def _is_beyond(ability: ast.Ability) -> bool:
    return isinstance(ability, ast.PassiveAbility) and not all(
        any(isinstance(part, ast.Self) for part in walk(effect)) for effect in ability.effects
    )


def _trigger(node: ast.TriggeredAbility) -> Iterator[str]:
    for event in node.events:
        each = isinstance(event.window, ast.During) or event.window == ast.ThisTurn(each=True)
        if event.ordinal is not None and not each:
            yield "what happens for the nth time is counted in each turn, and this does not say so"


def _passive(node: ast.PassiveAbility | ast.AdditionalCost) -> Iterator[str]:
    # What has happened is known of this turn only, so words that look back must say that they speak of it.
    for part in walk(node):
        if isinstance(part, ast.Happened) and part.window is None and not _is_of_this_play(part.event.action):
            yield "nothing says since when it counts what has happened"
        if isinstance(part, ast.EventCount) and part.window is None and not _is_paid(part.event.action):
            yield "nothing says since when it counts how often something has happened"
        counted = (
            part.what.filters if isinstance(part, ast.CountOf) and isinstance(part.what, ast.Objects) else ()
        )
        if any(isinstance(each, ast.That) and _is_open(each) for each in counted):
            yield "nothing says since when what something has happened to is counted"


def _is_open(part: ast.That) -> bool:
    return part.window is None and not part.this_way


def _is_of_this_play(action: Any) -> bool:
    """ "If you played me to a battlefield", "if you chose a Poro": it is about how the card is played."""
    return isinstance(action, ast.Action) and (action.verb == "choose" or isinstance(action.object, ast.Self))


def _is_paid(action: Any) -> bool:
    return isinstance(action, ast.Action) and action.verb == "spend"


def _told(node: ast.Happened | ast.EventCount) -> Iterator[str]:
    if isinstance(node.window, ast.During) and not node.window.this_turn:
        yield "what happened in a phase of another turn is not known"


def _clause(node: ast.Event | ast.Permit | ast.Forbid) -> Iterator[str]:
    action = node.action
    if isinstance(action, ast.Action):
        for place in (action.to, action.source, action.at):
            if isinstance(place, ast.Objects) and not _may_be_one(place.quantity):
                yield "something is at one place, and this names several or none"
        for role in (action.subject, action.object):
            if isinstance(role, ast.Objects) and role.quantity.rule == "none":
                yield "nothing is done by nothing or to nothing: it has to say that it is not done"
        yield from _price(node.cost if isinstance(node, ast.Permit) else None)


def _may_be_one(quantity: ast.Quantity) -> bool:
    return quantity.rule != "none" and (quantity.rule != "exactly" or quantity.amount == ast.Number(1))


def _price(cost: Any) -> Iterator[str]:
    if isinstance(cost, ast.CostChange) and cost.change == "more":
        yield "what is told to be done can be made cheaper by the same words, not dearer"


def _require(node: ast.Require) -> Iterator[str]:
    damage = node.action.object
    about = isinstance(damage, ast.Resource) and damage.kind == "combat-damage"
    if node.action.verb == "assign" and node.action.manner and not about:
        yield "only combat damage is assigned in an order"


def _gains(node: ast.Gains) -> Iterator[str]:
    if isinstance(node.what, ast.AbilityText) and node.what.sort != "keyword" and not _is_all(node.what):
        yield "nothing says which of several abilities is gained"


def _action(node: ast.Action) -> Iterator[str]:
    yield from _price(node.cost)
    if node.verb == "activate" and isinstance(node.object, ast.AbilityText) and not _is_all(node.object):
        yield "nothing says which of several effects is activated"


def _is_all(node: ast.AbilityText) -> bool:
    return node.quantity is not None and node.quantity.rule == "all"


def _sequence(node: ast.Sequence) -> Iterator[str]:
    for step in node.steps[1:]:
        asked = step.condition if isinstance(step, ast.Conditional) else None
        if isinstance(asked, ast.Is) and asked.already:
            yield "what is already so is asked before something is done, and this asks it afterwards"


def _tags(node: ast.TagsAmong) -> Iterator[str]:
    if not node.tags and node.count is None:
        yield "nothing says how many of the tags there must be"


def _top(node: ast.TopOf) -> Iterator[str]:
    if node.zone.edge not in ("top", "bottom"):
        yield "nothing says from which end of a deck cards are taken"


_TESTS: Mapping[type, Callable[[Any], Iterator[str]]] = {
    ast.TriggeredAbility: _trigger,
    ast.PassiveAbility: _passive,
    ast.AdditionalCost: _passive,
    ast.Happened: _told,
    ast.EventCount: _told,
    ast.Event: _clause,
    ast.Permit: _clause,
    ast.Forbid: _clause,
    ast.Require: _require,
    ast.Gains: _gains,
    ast.Action: _action,
    ast.Sequence: _sequence,
    ast.TagsAmong: _tags,
    ast.TopOf: _top,
}
"""What is asked of each kind of meaning."""
