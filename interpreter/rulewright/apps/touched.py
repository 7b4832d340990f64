"""Which rules a card's meaning touches: its keywords, what it does and watches for, its kinds of ability."""

import json
from collections.abc import Iterator, Mapping, Sequence

from rulewright import cache
from rulewright.cards import Pool
from rulewright.cards.reading import UnreadTextError, meanings
from rulewright.language import remember
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


def cards_by_rule(rules: RulesDatabase, pool: Pool) -> Mapping[str, Sequence[str]]:
    """Give, for each number, the names of the cards whose texts touch the rule, in the order of the alphabet.

    Kept between runs under all that it depends on. A card whose text is not read whole touches nothing.
    """
    cards = sorted(pool, key=lambda card: card.name)
    texts = repr([(card.name, card.text, card.effect_text, card.domains) for card in cards])
    key = cache.content_key(rules.digest, texts, remember.key_of("", pool.words, rules.game))
    kept = cache.load("touched", key)
    if kept is not None:
        found: dict[str, list[str]] = json.loads(kept)
        return found
    found = {}
    for card in cards:
        try:
            both = meanings(card, pool.words)
        except UnreadTextError:
            continue
        for number in {entry.number for meaning in both for entry in rules_touched(meaning, rules)}:
            found.setdefault(number, []).append(card.name)
    cache.store("touched", key, json.dumps(found, ensure_ascii=False).encode())
    return found
