"""Which alternatives of the grammar texts use: what many cards share, and what only one card needs.

An alternative is known by its name, the one that the builder has for it. Only derivations that lead to the meaning
that was taken are counted, not those that the builder refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from lark.exceptions import UnexpectedInput
from lark.parsers.earley_forest import TokenNode

from rulewright.language import tree
from rulewright.language.forest import ForestReader, Refused
from rulewright.language.grammar import load_grammar
from rulewright.language.lex import Token
from rulewright.language.parse import reader_for
from rulewright.paths import data_dir

Used = frozenset[str]


@dataclass(frozen=True, slots=True)
class GrammarSize:
    """How large a game's language is: symbols and named alternatives of its grammar, verb frames, kinds of node."""

    symbols: int
    alternatives: int
    forms: int
    frames: int
    kinds: int


@dataclass(frozen=True, slots=True)
class Usage:
    """The cards that use each alternative, by its name; names that no card uses have none. unread: texts not read."""

    cards: Mapping[str, tuple[str, ...]]
    unread: tuple[str, ...]

    def used_by_at_most(self, number: int) -> dict[str, tuple[str, ...]]:
        """Give the alternatives that so few cards use."""
        return {name: cards for name, cards in self.cards.items() if len(cards) <= number}


def size(game: str = "riftbound") -> GrammarSize:
    """Count what a game's language is made of; ``forms`` counts alternatives with their optional parts spelled out."""
    rules = [rule for rule in load_grammar(game).rules if not rule.origin.name.startswith("_")]
    return GrammarSize(
        symbols=len({rule.origin.name for rule in rules}),
        alternatives=len({_name(rule) for rule in rules}),
        forms=len(rules),
        frames=len(reader_for(None, game).vocabulary.frames),
        kinds=len(tree.kinds()),
    )


def usage(texts: Iterable[tuple[str, str]], game: str = "riftbound") -> Usage:
    """Find which alternatives the texts of cards use; a text is a card's name and what it says."""
    reader = reader_for(None, game)
    found: dict[str, dict[str, None]] = {
        _name(rule): {} for rule in load_grammar(game).rules if not rule.origin.name.startswith("_")
    }
    unread = []
    callbacks = reader.callbacks
    for card, text in texts:
        for tokens in reader.lexer.paragraphs(text):
            try:
                forest = reader.grammar.parser.forest(tokens)
            except UnexpectedInput:
                unread.append(card)
                continue
            meanings = _Tracing(callbacks, tokens).traced(forest)
            if not meanings:
                unread.append(card)
                continue
            for name in next(iter(meanings.values())):
                found[name][card] = None
    return Usage({name: tuple(cards) for name, cards in sorted(found.items())}, tuple(unread))


def justified(game: str = "riftbound") -> Mapping[str, str]:
    """Give why an alternative that few cards use is there, by its name (``grammar/single_use.yaml``)."""
    written = yaml.load(
        (data_dir() / "grammar" / "single_use.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    return {str(name): str(why) for reasons in written.values() for name, why in reasons.items()}


def _name(rule: Any) -> str:
    return str(rule.alias or rule.origin.name)


class _Tracing(ForestReader):
    """Reads a forest as any reader does, and keeps by which alternatives each meaning was made."""

    def __init__(self, callbacks: Any, tokens: list[Token]) -> None:
        super().__init__(callbacks, tokens)
        self._traced: dict[int, dict[Any, Used]] = {}

    def traced(self, node: Any) -> dict[Any, Used]:
        """Give the meanings of a node, each with the names of the alternatives it was made by."""
        if isinstance(node, TokenNode):
            return {node.token: frozenset()}
        known = self._traced.get(id(node))
        if known is None:
            known = self._traced[id(node)] = {}
            for packed in node.children:
                own = packed.rule.origin.name.startswith("_")
                for children, used in self._with_used(packed):
                    try:
                        value = self._callbacks[packed.rule](self.own(children))
                    except Refused:
                        continue
                    known.setdefault(value, used if own else used | {_name(packed.rule)})
        return known

    def _with_used(self, packed: Any) -> list[tuple[list[Any], Used]]:
        if packed.right is None:
            return [([], frozenset())]
        lefts: list[tuple[list[Any], Used]] = [([], frozenset())]
        if packed.left is not None:
            lefts = [one for part in packed.left.children for one in self._with_used(part)]
        rights = self.traced(packed.right)
        return [([*left, right], used | more) for left, used in lefts for right, more in rights.items()]
