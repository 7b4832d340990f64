"""Which cards belong together: what the text of one asks for, and what another is or does.

A text asks for what it waits for, counts, describes or spends: an event, a tag, a keyword, a counter. A card gives
its types, tags and keywords and what its instructions do. What few cards give binds more than what many give.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import ge, gt, le, lt

from rulewright.cards import CardDefinition
from rulewright.engine import Ruleset
from rulewright.engine.program.index import expand
from rulewright.engine.state.traits import Held
from rulewright.language import ast
from rulewright.language.tree import children, walk

SCALE = 1000
"""What a bond counts that only one card gives; one that ``n`` cards give counts the ``n``-th part."""

_COMPARED = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": ge}
"""How a figure that a text speaks of is compared: to have more than is asked for is close enough to the very figure."""

_FIGURES = {"energy-cost": "energy", "cost": "energy", "power-cost": "power", "might": "might"}
"""The printed figures behind the characteristics that texts compare."""

_DONE_BY = {"die": "kill", "take": "deal"}
"""What has to be done for something to happen, where the words differ."""


@dataclass(frozen=True, slots=True)
class Bonds:
    """What one card asks of others, and what it gives to them, as words that are only compared."""

    asks: frozenset[str]
    gives: frozenset[str]


class Pairing:
    """How well the cards of a pool go together."""

    def __init__(self, ruleset: Ruleset, cards: Iterable[CardDefinition]) -> None:
        """Read the texts of some cards."""
        pool = list(cards)
        nodes = {card.name: tuple(_nodes(ruleset, card)) for card in pool}
        asked = {name: frozenset(_asks(parts)) for name, parts in nodes.items()}
        every = frozenset().union(*asked.values())
        self.bonds: Mapping[str, Bonds] = {
            card.name: Bonds(
                asked[card.name], every & frozenset(_gives(ruleset, card, nodes[card.name], every))
            )
            for card in pool
        }
        self.common = Counter(word for bonds in self.bonds.values() for word in bonds.gives)

    def strength(self, one: str, other: str) -> int:
        """Tell how much two cards are for each other: more for what few cards give."""
        if one == other:
            return 0
        first, second = self.bonds[one], self.bonds[other]
        shared = (first.asks & second.gives) | (second.asks & first.gives)
        return sum(SCALE // self.common[word] for word in shared)


def _nodes(ruleset: Ruleset, card: CardDefinition) -> Iterator[ast.Node]:
    """Give the abilities of a card with those of its keywords, and the conditions of what they depend on."""
    script = ruleset.script(card.name)
    for held in (*map(Held, script.abilities), *script.lent):
        yield held.ability.node
        for gate in held.ability.gates:
            condition = ruleset.gate_condition(gate.name)
            if condition is not None:
                yield condition
        if held.ability.kind == "keyword":
            yield from (inner.ability.node for inner in expand(ruleset, held))


def _asks(abilities: Iterable[ast.Node]) -> Iterator[str]:
    for ability in abilities:
        for _, node in walk(ability):
            if isinstance(node, ast.Event):
                yield from _waited_for(node)
            elif isinstance(node, ast.HasTag | ast.TagsAmong | ast.TagCount):
                yield from (f"tag {tag}" for tag in node.tags)
            elif isinstance(node, ast.Objects):
                yield from (f"tag {noun}" for noun in node.nouns if noun[:1].isupper())
            elif isinstance(node, ast.HasKeyword):
                yield f"keyword {node.keyword.name.casefold()}"
            elif isinstance(node, ast.HasType):
                yield f"type {node.type}"
            elif isinstance(node, ast.HasState):
                yield f"state {node.state}"
            elif (
                isinstance(node, ast.StatIs) and node.stat in _FIGURES and isinstance(node.amount, ast.Number)
            ):
                yield f"figure {node.stat} {node.op} {node.amount.value}"
            elif isinstance(node, ast.StatOf):
                yield f"get {node.stat}"
            elif isinstance(node, ast.Cost):
                yield from _spent(node)


def _waited_for(event: ast.Event) -> Iterator[str]:
    action = event.action
    if not isinstance(action, ast.Action):
        return
    if "from-facedown" in action.manner:
        yield "do hide"
    if action.verb == "become":
        yield f"state {action.state}"
    elif action.verb != "play":
        yield f"do {_DONE_BY.get(action.verb, action.verb)}"
    elif isinstance(action.object, ast.Objects):
        yield from (f"type {noun}" for noun in action.object.nouns if noun != "unit")


def _spent(cost: ast.Cost) -> Iterator[str]:
    for part in cost.parts:
        spent = part.object if isinstance(part, ast.Action) and part.verb in ("spend", "pay") else part
        if isinstance(spent, ast.Resource):
            yield f"get {spent.kind}"


def _gives(
    ruleset: Ruleset, card: CardDefinition, abilities: Iterable[ast.Node], every: Iterable[str]
) -> Iterator[str]:
    """Give what a card is and does; ``every`` are the words that are asked for at all."""
    yield from (f"type {word}" for word in card.types)
    yield from (f"tag {tag}" for tag in card.tags)
    for word in every:
        if word.startswith("figure "):
            _, stat, op, amount = word.split()
            if _COMPARED[op](card.figure(_FIGURES[stat]) or 0, int(amount)):
                yield word
    hiding = ruleset.table("hiding", {}).get("keyword", "").casefold()
    for node in (part for ability in abilities for part in _done(ability)):
        if isinstance(node, ast.KeywordAbility):
            name = node.keyword.name.casefold()
            yield f"keyword {name}"
            if name == hiding:
                yield "do hide"
        elif isinstance(node, ast.TokenSpec):
            yield "type token"
            yield from (f"tag {tag}" for tag in _token_tags(ruleset, node.name))
        elif isinstance(node, ast.Action):
            yield from _worked(node)


def _worked(action: ast.Action) -> Iterator[str]:
    """Give what an instruction brings about: the doing, the counters it gives and the states it leads to."""
    yield f"do {action.verb}"
    yield f"get {action.verb}"
    yield from (f"state {state}" for state in (_STATES.get(action.verb), action.state) if state)
    if isinstance(action.object, ast.Resource) and action.verb not in ("spend", "pay"):
        yield f"get {action.object.kind}"


_STATES = {
    "buff": "buffed",
    "stun": "stunned",
    "ready": "ready",
    "exhaust": "exhausted",
    "empower": "empowered",
}
"""What something becomes by being told to."""


def _token_tags(ruleset: Ruleset, name: str) -> tuple[str, ...]:
    return next((card.tags for card in ruleset.cards.values() if card.token and card.name == name), (name,))


def _done(node: ast.Node) -> Iterator[ast.Node]:
    """Give the parts of an ability that are carried out: not what it waits for or asks about."""
    yield node
    for _, child in children(node):
        if not isinstance(child, ast.Event | ast.Where | ast.That):
            yield from _done(child)
