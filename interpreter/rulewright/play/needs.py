"""What the abilities of a card need of a position before they can be used: read from their meaning, never from a card.

A text that speaks of combat needs one, a text that counts units needs as many, a text about the first Beginning Phase
needs a game that has only begun. What a text describes and what it waits for are made elsewhere (``stage``).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rulewright.language import ast
from rulewright.language.tree import walk

COMBAT = frozenset({"attack", "defend", "win", "conquer", "end", "assign"})
"""What happens in a combat or by one: a text with such a verb needs a combat."""

CARDS = ("card", "spell", "unit", "gear")
"""What may lie in a hand."""

PERMANENTS = ("unit", "gear")
"""What stays on the board once it is played."""


@dataclass(slots=True)
class Needs:
    """What a position must have: nothing that is not said.

    ``units`` and ``cards`` are how many of one's own units at battlefields and cards in hand there must be, and
    ``exact`` is whether neither more nor fewer will do. ``cost`` and ``power`` are what a card must cost at least,
    ``times`` is how often something has to happen; ``damaged`` asks for enemies that are, ``tie`` for a combat that
    nobody wins, ``hiding`` for a card that may be hidden. ``swift`` are the types of what has to be played during a
    showdown, which only a card with a keyword for that may be.
    """

    combat: bool = False
    hold: bool = False
    beginning: bool = False
    first: bool = False
    showdown: bool = False
    top: bool = False
    close: bool = False
    enemies: bool = False
    damaged: bool = False
    units: int = 0
    cards: int = 0
    exact: bool = False
    cost: int = 0
    power: int = 0
    times: int = 1
    tie: bool = False
    hiding: bool = False
    swift: frozenset[str] = frozenset()

    @property
    def any(self) -> bool:
        """Whether there is a need that calls for a position of its own."""
        return any(
            (self.combat, self.hold, self.beginning, self.first, self.showdown, self.top, self.close)
        ) or any((self.enemies, self.units, self.cards))


def needs_of(nodes: Iterable[ast.Node]) -> Needs:
    """Read what the parts of a text need."""
    needs = Needs()
    for node in nodes:
        read = _READERS.get(type(node))
        if read is not None:
            read(needs, node)
    return needs


def _action(needs: Needs, node: ast.Action) -> None:
    needs.hold = needs.hold or node.verb == "hold"
    needs.combat = needs.combat or node.verb in COMBAT
    needs.tie = needs.tie or "in-tie" in node.manner
    if node.verb in ("look-at", "reveal") and isinstance(node.object, ast.Self):
        needs.top = True
    if node.verb == "spend" and isinstance(node.object, ast.Cost):
        for part in node.object.parts:
            if isinstance(part, ast.Energy):
                needs.cost = max(needs.cost, _number(part.amount))


def _event(needs: Needs, node: ast.Event) -> None:
    needs.times = max(needs.times, node.ordinal or 1)
    if isinstance(node.action, ast.Action):
        hidden = node.action.verb == "hide" or "from-facedown" in node.action.manner
        needs.hiding = needs.hiding or hidden


def _triggered(needs: Needs, node: ast.TriggeredAbility) -> None:
    timed = [part for _, part in walk(node.condition)] if node.condition is not None else []
    if not any(isinstance(part, ast.InPhase) and part.phase == "showdown" for part in timed):
        return
    for event in node.events:
        action = event.action
        if (
            isinstance(action, ast.Action)
            and action.verb == "play"
            and isinstance(action.object, ast.Objects)
        ):
            needs.swift |= set(action.object.nouns) & set(PERMANENTS)


def _moment(needs: Needs, node: ast.Moment) -> None:
    needs.beginning = needs.beginning or (node.phase or "").startswith("beginning")
    needs.first = needs.first or node.which == "first"


def _during(needs: Needs, node: ast.During) -> None:
    needs.beginning = needs.beginning or (node.phase or "").startswith("beginning")


def _phase(needs: Needs, node: ast.InPhase) -> None:
    needs.combat = needs.combat or node.phase == "combat"
    needs.showdown = needs.showdown or node.phase == "showdown"
    needs.beginning = needs.beginning or (node.phase or "").startswith("beginning")


def _exists(needs: Needs, node: ast.Exists) -> None:
    what = node.what
    if not isinstance(what, ast.Objects):
        return
    count = _number(what.quantity.amount)
    zones = [
        part.place.name
        for part in what.filters
        if isinstance(part, ast.From) and isinstance(part.place, ast.Zone)
    ]
    placed = any(isinstance(part, ast.At) for part in what.filters)
    if "hand" in zones and set(what.nouns) & set(CARDS):
        needs.cards = max(needs.cards, count)
    elif placed and "unit" in what.nouns:
        needs.units = max(needs.units, count)
    else:
        return
    needs.exact = needs.exact or what.quantity.rule == "exact"


def _close(needs: Needs, node: ast.WithinPoints) -> None:
    needs.close = True


def _state(needs: Needs, node: ast.HasState) -> None:
    needs.showdown = needs.showdown or node.state == "in-showdown"
    needs.damaged = needs.damaged or (node.state == "damaged" and not node.negated)


def _objects(needs: Needs, node: ast.Objects) -> None:
    enemy = any(isinstance(part, ast.Side) and part.side == "enemy" for part in node.filters)
    here = any(isinstance(part, ast.At) and isinstance(part.place, ast.Here) for part in node.filters)
    needs.enemies = needs.enemies or (enemy and here)


def _stat(needs: Needs, node: ast.StatIs) -> None:
    if node.op in (">=", ">", "="):
        least = _number(node.amount) + (node.op == ">")
        if node.stat in ("energy-cost", "cost"):
            needs.cost = max(needs.cost, least)
        elif node.stat == "power-cost":
            needs.power = max(needs.power, least)


def _number(amount: object) -> int:
    if isinstance(amount, ast.AtLeast):
        return _number(amount.amount)
    return amount.value if isinstance(amount, ast.Number) else 0


_READERS: dict[type, Callable[[Needs, Any], None]] = {
    ast.Action: _action,
    ast.Event: _event,
    ast.TriggeredAbility: _triggered,
    ast.Moment: _moment,
    ast.During: _during,
    ast.InPhase: _phase,
    ast.Exists: _exists,
    ast.WithinPoints: _close,
    ast.HasState: _state,
    ast.Objects: _objects,
    ast.StatIs: _stat,
}
