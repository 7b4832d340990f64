"""Earley parsing that looks one token ahead: a rule that cannot begin with the next token is never tried.

Lark's parser predicts every rule; most die at the next token. Three tests against FIRST and FOLLOW, made where
an item is predicted, advanced or completed, leave them out: the forest is the same (a test compares both), in an
eighth of the time. This reaches into ``lark.parsers.earley``, so Lark's minor version is pinned; and no person is told
that a text cannot be read before the parser without look-ahead has been asked as well (``Reader.read``).
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from lark.exceptions import UnexpectedEOF, UnexpectedToken
from lark.parsers.earley import Parser
from lark.parsers.earley_common import Item
from lark.parsers.grammar_analysis import GrammarAnalyzer

END = "$END"


class TooMuchWork(Exception):  # noqa: N818 - no error: the text is left out
    """A paragraph that would take more items than the limit allows."""


class Attempt(NamedTuple):
    """How far tokens were read: the forest of a sentence, or where it stops and the symbols that it waits for there.

    The symbols are those of the sentence as read so far, not all that these may begin with. The position is behind
    the last token for tokens that are a sentence, or the beginning of one.
    """

    position: int
    expected: list[str]
    forest: Any = None


class LookaheadParser(Parser):
    """Lark's Earley parser over a list of tokens, which are objects with a ``type``; gives the forest's root."""

    def __init__(
        self, lexer_conf: Any, parser_conf: Any, most_work: int, *, looks_ahead: bool = True
    ) -> None:
        super().__init__(
            lexer_conf, parser_conf, _matches, resolve_ambiguity=False, tree_class=None, ordered_sets=True
        )
        analysis = GrammarAnalyzer(parser_conf)
        self._looks_ahead = looks_ahead
        self._most_work = most_work
        self._work = 0
        self._types: list[str] = []
        self._waiting_by_column: dict[int, dict[Any, list[Any]]] = {}
        self._follow = {symbol: {t.name for t in terms} for symbol, terms in analysis.FOLLOW.items()}
        for symbol, terms in analysis.FOLLOW.items():
            if any(t.name == "$END" for t in terms):
                self._follow[symbol].add(END)
        self._starts = {
            symbol: {t.name for t in terms}
            for symbol, terms in analysis.FIRST.items()
            if symbol not in self.NULLABLE
        }
        self._rules: dict[Any, list[Any]] = {}
        for rule in parser_conf.rules:
            self._rules.setdefault(rule.origin, []).append(rule)
        self._by_next: dict[tuple[Any, str], list[Any]] = {}

    def forest(self, tokens: list[Any], start: str = "start") -> Any:
        """Parse tokens.

        Raises Lark's ``UnexpectedInput`` where they are no sentence, :class:`TooMuchWork` past the limit.
        """
        self._work = 0
        self._types = [token.type for token in tokens] + [END]
        self._waiting_by_column = {}
        return self.parse(_Tokens(tokens), start)

    def attempt(self, tokens: list[Any], start: str = "start", most_work: int | None = None) -> Attempt:
        """Parse tokens as far as they are a sentence; past the limit (``most_work``, if given) they stop there."""
        limit = self._most_work
        self._columns: Any = []
        waiting: Any = ()
        try:
            self._most_work = limit if most_work is None else most_work
            return Attempt(len(tokens), [], self.forest(tokens, start))
        except UnexpectedToken as error:
            position, waiting = len(self._columns) - 2, error.considered_rules or ()
        except TooMuchWork:
            return Attempt(len(self._columns) - 1, [])
        except UnexpectedEOF:
            position, waiting = len(tokens), self._last
        finally:
            self._most_work = limit
        column = self._columns[position]
        begun = [
            item for item in (*waiting, *column) if item.expect and (item.start < position or not position)
        ]
        return Attempt(position, sorted({item.expect.name for item in begun}))

    def _parse(self, lexer: Any, columns: Any, to_scan: Any, start_symbol: Any = None) -> Any:
        self._columns = columns
        self._last = super()._parse(lexer, columns, to_scan, start_symbol)
        return self._last

    def _waiting(self, columns: Any, start: int) -> dict[Any, list[Any]]:
        """Give the items of a finished column by the symbol that they wait for."""
        known = self._waiting_by_column.get(start)
        if known is None:
            known = {}
            for item in columns[start]:
                if item.expect is not None:
                    known.setdefault(item.expect, []).append(item)
            self._waiting_by_column[start] = known
        return known

    def _predicted(self, symbol: Any, next_type: str) -> list[Any]:
        key = (symbol, next_type)
        found = self._by_next.get(key)
        if found is None:
            found = [rule for rule in self._rules[symbol] if self._can_begin(rule, next_type)]
            self._by_next[key] = found
        return found

    def _can_begin(self, rule: Any, next_type: str) -> bool:
        for symbol in rule.expansion:
            if symbol.is_term:
                return bool(symbol.name == next_type)
            if next_type in {t.name for t in self.FIRST[symbol]}:
                return True
            if symbol not in self.NULLABLE:
                return False
        return True

    def predict_and_complete(
        self, i: int, to_scan: Any, columns: Any, transitives: Any, node_cache: Any
    ) -> None:
        """Do what Lark's method of this name does, for the items that the next token allows."""
        if self._work > self._most_work:
            raise TooMuchWork
        if not self._looks_ahead:
            super().predict_and_complete(i, to_scan, columns, transitives, node_cache)
            self._work += len(columns[i])
            return
        next_type = self._types[i]
        starts, follow, terminals = self._starts, self._follow, self.TERMINALS
        held: dict[Any, Any] = {}
        column = columns[i]
        items = deque(column)
        predicted: set[Any] = set()

        def keep(item: Any) -> None:
            expect = item.expect
            if expect in terminals:
                if expect.name == next_type:
                    to_scan.add(item)
            elif item not in column:
                column.add(item)
                items.append(item)

        def possible(item: Any) -> bool:
            expect = item.expect
            if expect is None:
                return next_type in follow[item.s] or item.s.name == "start"
            if expect.is_term:
                return bool(expect.name == next_type)
            first = starts.get(expect)
            return first is None or next_type in first

        def advanced(item: Any, start: int, left: Any, right: Any, link_start: int) -> Any:
            new = item.advance()
            if not possible(new):
                return None
            label = (new.s, start, i)
            node = node_cache.get(label)
            if node is None:
                node = node_cache[label] = self.SymbolNode(*label)
            new.node = node
            node.add_family(new.s, new.rule, link_start, left, right)
            return new

        while items:
            self._work += 1
            item = items.pop()
            if item.is_complete:
                if item.node is None:
                    label = (item.s, item.start, i)
                    node = node_cache.get(label)
                    if node is None:
                        node = node_cache[label] = self.SymbolNode(*label)
                    item.node = node
                    node.add_family(item.s, item.rule, item.start, None, None)
                if item.start == i:
                    held[item.rule.origin] = item.node
                    waiting = [other for other in columns[i] if other.expect == item.s]
                else:
                    waiting = self._waiting(columns, item.start).get(item.s, [])
                for other in waiting:
                    new = advanced(other, other.start, other.node, item.node, i)
                    if new is not None:
                        keep(new)
            elif item.expect in self.NON_TERMINALS:
                if item.expect not in predicted:
                    predicted.add(item.expect)
                    for rule in self._predicted(item.expect, next_type):
                        keep(Item(rule, 0, i))
                if item.expect in held:
                    new = advanced(item, item.start, item.node, held[item.expect], item.start)
                    if new is not None:
                        keep(new)


class _Tokens:
    """The lexer that Lark's parser asks: it hands over tokens that are there already."""

    def __init__(self, tokens: list[Any]) -> None:
        self._tokens = tokens

    def lex(self, _expects: Any) -> list[Any]:
        return self._tokens


def _matches(terminal: Any, token: Any) -> bool:
    return bool(terminal.name == token.type)
