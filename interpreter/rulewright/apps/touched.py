"""Which rules a card's meaning touches: its keywords, what it does and watches for, its kinds of ability."""

from collections.abc import Iterator

from rulewright.language.ast import Action, HasState, Keyword, Node
from rulewright.language.tree import walk
from rulewright.rules import Entry, RulesDatabase

KINDS = {
    "ActivatedAbility": "activated ability",
    "TriggeredAbility": "triggered ability",
    "ReplacementAbility": "replacement effect",
    "PassiveAbility": "passive ability",
    "DelayedAbility": "delayed ability",
    "BonusDamage": "bonus damage",
}
"""The term under which the rules explain a kind of node."""


def words_of(node: Node) -> Iterator[str]:
    """Yield the terms of the rules that a meaning uses, in reading order, each as often as it stands there."""
    for _, part in walk(node):
        if isinstance(part, Keyword):
            yield part.name
        elif isinstance(part, Action):
            yield part.verb.replace("-", " ")
        elif isinstance(part, HasState):
            yield part.state.replace("-", " ")
        elif type(part).__name__ in KINDS:
            yield KINDS[type(part).__name__]


def rules_touched(node: Node, rules: RulesDatabase) -> tuple[Entry, ...]:
    """Give the rules that a meaning touches, in the order of the rules; words that no rule explains touch none."""
    numbers = {number for word in words_of(node) for number in rules.terms.get(word.casefold(), ())}
    return tuple(entry for entry in rules if entry.number in numbers)
