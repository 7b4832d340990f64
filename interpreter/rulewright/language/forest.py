"""From a shared forest to meanings: every derivation is built, equal meanings fall together.

The forest that Earley parsing gives holds all derivations of a text without writing any of them out. Each node
is built once, from all combinations of what its parts mean; a combination that the builder refuses is dropped,
with the reason kept for diagnostics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from lark import Tree
from lark.parsers.earley_forest import SymbolNode, TokenNode

from rulewright.language.ast import Node, Player
from rulewright.language.lex import Token

YOU = Player("you")
"""The player whom an instruction speaks to without saying so: one value, which stands nowhere in the text."""

MOST_READINGS = 48
"""More readings than this of one phrase end the work: such a text is refused as hopelessly ambiguous."""


class Refused(Exception):  # noqa: N818 - no error: a reading that is left out
    """A derivation that means nothing: the words are known, the sentence is one, and no game can do it."""

    def __init__(self, reason: str, span: tuple[int, int] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


class TooAmbiguous(Exception):  # noqa: N818 - no error: a reading that is left out
    """A phrase with more readings than :data:`MOST_READINGS`."""


def _own(child: Any) -> Any:
    # Lark's callbacks grow the list of a helper rule's children in place, and a node here has many readers.
    return Tree(child.data, list(child.children)) if type(child) is Tree else child


def give_span(value: Any, span: tuple[int, int]) -> None:
    """Let a new node, and the parts of it that no rule of their own made, have the place of the whole."""
    if isinstance(value, tuple):
        for part in value:
            give_span(part, span)
    elif isinstance(value, Node) and value.span is None and value is not YOU:
        object.__setattr__(value, "span", span)
        kind: Any = type(value)
        for name in parts_of(kind):
            give_span(getattr(value, name), span)


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """Give the fields of a kind of node that may hold nodes."""
    return tuple(
        f.name for f in fields(kind) if f.type not in ("str", "int", "bool", "str | None", "int | None")
    )


class ForestReader:
    """Reads one forest with the callbacks of the grammar's rules."""

    def __init__(self, callbacks: Mapping[Any, Callable[[list[Any]], Any]], tokens: Sequence[Token]) -> None:
        self._callbacks = callbacks
        self._tokens = tokens
        self._memo: dict[int, list[Any]] = {}
        self.refusals: list[Refused] = []
        self.derivations = 0

    @staticmethod
    def own(children: Sequence[Any]) -> list[Any]:
        """Give parts as a callback may have them: Lark's callbacks change lists in place."""
        return [_own(child) for child in children]

    def readings(self, node: Any) -> list[Any]:
        """Give the distinct meanings of a node, in the order of the grammar's rules."""
        if isinstance(node, TokenNode):
            return [node.token]
        known = self._memo.get(id(node))
        if known is None:
            known = self._memo[id(node)] = list(self._build(node))
        return known

    def _build(self, node: SymbolNode) -> dict[Any, None]:
        results: dict[Any, None] = {}
        span = self._span(node)
        for packed in node.children:
            callback = self._callbacks[packed.rule]
            for children in self._sequences(packed):
                self.derivations += 1
                try:
                    value = callback(self.own(children))
                except Refused as refusal:
                    if refusal.span is None:
                        refusal.span = span
                    self.refusals.append(refusal)
                    continue
                if span is not None:
                    give_span(value, span)
                results[value] = None
                if len(results) > MOST_READINGS:
                    raise TooAmbiguous(f"{node.s} {list(results)[:3]}")
        return results

    def _sequences(self, packed: Any) -> list[list[Any]]:
        if packed.right is None:
            return [[]]
        lefts = [[]] if packed.left is None else self._partial(packed.left)
        rights = self.readings(packed.right)
        return [[*left, right] for left in lefts for right in rights]

    def _partial(self, node: Any) -> list[list[Any]]:
        known = self._memo.get(id(node))
        if known is None:
            known = [sequence for packed in node.children for sequence in self._sequences(packed)]
            self._memo[id(node)] = known
        return known

    def _span(self, node: SymbolNode) -> tuple[int, int] | None:
        if node.start >= node.end:
            return None
        return self._tokens[node.start].start, self._tokens[node.end - 1].end
