"""Finds cards by what they mean: a small selector language over the nodes of a meaning, in the manner of CSS.

    Gated[gate.name=Deathknell] Action[verb=draw]        a Deathknell that draws, however deep the drawing is
    TriggeredAbility > Event Action[verb=conquer]        triggered by conquering (``>``: directly inside)
    Objects[nouns~=unit]:has(Side[side=enemy])           an enemy unit is described
    Action[verb=deal][amount>=4], Action[verb=kill]      either of two selectors
    KeywordAbility:not(:has(Number))                     a keyword without a number

Kinds and fields are those of :mod:`rulewright.language.ast`. A field may be a path (``gate.name``); ``[field]`` asks
that it is there, ``=`` and ``!=`` compare without regard to case, ``~=`` looks into a list, ``< <= > >=`` compare
numbers. A number in the meaning counts as its value. Inside ``:has()`` a selector may begin with ``>``.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from rulewright.errors import UsageError
from rulewright.language.ast import Node, Number
from rulewright.language.tree import children, kinds, slots

Test: TypeAlias = Callable[[Node], bool]

_TOKEN = re.compile(
    r"""\s*(?P<comma>,)\s* | \s*(?P<child>>)\s* | (?P<space>\s+) | :(?P<pseudo>has|not)\( | (?P<close>\s*\))
      | \[\s*(?P<field>[a-z_0-9.]+)\s*
          (?:(?P<op>=|!=|~=|<=|>=|<|>)\s*(?P<value>"[^"]*"|'[^']*'|[^\]\s"'=<>~!][^\]\s]*)\s*)?\]
      | (?P<kind>[A-Z][A-Za-z]*|\*)""",
    re.VERBOSE,
)


class SelectorError(UsageError):
    """A selector that cannot be read: an unknown kind or field, a bracket that is not closed."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A word that a selector asks for in a field of nodes of a kind, of any kind where none is named."""

    kind: type[Node] | None
    path: tuple[str, ...]
    word: str

    def words_in(self, root: Node) -> Iterator[str]:
        """Yield the words that stand in such a field of a tree."""
        for node, _ in _with_ancestors(root, ()):
            if self.kind is None or isinstance(node, self.kind):
                found = _value(node, self.path)
                yield from map(_said, found if isinstance(found, tuple) else (found,))


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector that was read; ``text`` is how it was written, ``asked`` the words that it asks for."""

    text: str
    chains: tuple["Chain", ...]
    asked: tuple[Asked, ...] = ()

    def found_in(self, root: Node) -> Iterator[Node]:
        """Yield every node of a tree that the selector is about, outermost first."""
        return (node for node, above in _with_ancestors(root, ()) if self.matches(node, above))

    def matches(self, node: Node, above: Sequence[Node] = ()) -> bool:
        """Tell whether the selector is about a node; ``above`` are the nodes that it lies in, outermost first."""
        return any(chain.matches(node, above) for chain in self.chains)


@dataclass(frozen=True, slots=True)
class Chain:
    """Tests of a node and of those above it: ``links`` says for each but the last whether the next is a child."""

    tests: tuple[Test, ...]
    links: tuple[bool, ...]
    at_top: bool = False
    """Whether what passes the first test must lie directly in the node that was begun with."""

    def matches(self, node: Node, above: Sequence[Node]) -> bool:
        """Tell whether a node passes the last test, and the nodes above it the others, in order."""
        return self._matches(len(self.tests) - 1, node, above)

    def _matches(self, position: int, node: Node, above: Sequence[Node]) -> bool:
        if not self.tests[position](node):
            return False
        if position == 0:
            return not self.at_top or len(above) == 1
        reach = range(len(above) - 1, -1, -1)
        nearest = list(reach[:1]) if self.links[position - 1] else list(reach)
        return any(self._matches(position - 1, above[place], above[:place]) for place in nearest)


def read_selector(text: str) -> Selector:
    """Read a selector. Raises :class:`SelectorError` with the place in it.

    >>> from rulewright.language.ast import Action, May, Player
    >>> meaning = May(Player("you"), Action("draw", amount=Number(2)))
    >>> [node.verb for node in read_selector("May Action[amount=2]").found_in(meaning)]
    ['draw']
    """
    reader = _Reader(text)
    selector = Selector(text, reader.chains(), tuple(reader.asked))
    if reader.position < len(text):
        raise reader.error("something more is here than a selector")
    return selector


def _with_ancestors(node: Node, above: tuple[Node, ...]) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    yield node, above
    inner = (*above, node)
    for _, child in children(node):
        yield from _with_ancestors(child, inner)


@dataclass(slots=True)
class _Reader:
    text: str
    position: int = 0
    asked: list[Asked] = field(default_factory=list)

    def chains(self, *, inside: bool = False) -> tuple[Chain, ...]:
        self._skip_space()
        chains = [self._chain(inside)]
        while self._peek("comma"):
            self._take()
            chains.append(self._chain(inside))
        return tuple(chains)

    def error(self, message: str, help: str | None = None) -> SelectorError:
        return SelectorError(
            f"{message}: {self.text[self.position :][:30]!r}",
            place=f"selector:{self.position + 1}",
            help=help,
        )

    def _chain(self, inside: bool) -> Chain:
        at_top = inside and self._peek("child") is not None
        if at_top:
            self._take()
        tests, links = [self._compound()], []
        while True:
            self._skip_end(inside)
            if self._peek("child"):
                self._take()
                links.append(True)
            elif self._peek("space"):
                self._take()
                links.append(False)
            else:
                return Chain(tuple(tests), tuple(links), at_top)
            tests.append(self._compound())

    def _skip_end(self, inside: bool) -> None:
        # Space before the end, a comma or a bracket joins nothing.
        rest = self.text[self.position :]
        if not rest.strip() or (inside and rest.lstrip().startswith(")")):
            self.position += len(rest) - len(rest.lstrip())

    def _compound(self) -> Test:
        kind: type[Node] | None = None
        tests: list[Test] = []
        start = self.position
        if named := self._peek("kind"):
            kind = None if named["kind"] == "*" else self._kind(named["kind"])
            self._take()
        while found := self._peek("field") or self._peek("pseudo"):
            if found["field"] is not None:
                tests.append(self._field(found, kind))
                self._take()
            else:
                tests.append(self._pseudo(found["pseudo"]))
        self._check_end()
        if self.position == start:
            raise self.error("a kind of node is expected")
        return _all_of(kind, tests)

    def _check_end(self) -> None:
        """Refuse what begins as a test of a node and is none."""
        rest = self.text[self.position :]
        if rest.startswith("["):
            tests = (
                "[field], [field=value], and !=, ~=, <, <=, >, >= for =; a value with spaces stands in quotes"
            )
            raise self.error(
                "this is no test of a field" if "]" in rest else "a bracket is not closed", tests
            )
        if rest.startswith(":"):
            raise self.error("behind “:” stands has(...) or not(...)")

    def _kind(self, name: str) -> type[Node]:
        known = kinds()
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise self.error(f"there is no kind {name}", f"did you mean {near[0]}?" if near else None)
        return known[name]

    def _field(self, found: re.Match[str], kind: type[Node] | None) -> Test:
        path = found["field"].split(".")
        if kind is not None and path[0] not in {slot.name for slot in slots(kind)}:
            names = ", ".join(slot.name for slot in slots(kind))
            raise self.error(f"{kind.__name__} has no field {path[0]}", f"its fields are {names}")
        if found["op"] is None:
            return lambda node: _value(node, path) not in (None, (), False, "")
        op, value = found["op"], found["value"].strip("\"'")
        if op in ("<", "<=", ">", ">=") and not re.fullmatch(r"-?\d{1,9}", value):
            raise self.error(f"a number is expected behind {op}")
        if op in ("=", "~="):
            self.asked.append(Asked(kind, tuple(path), value.casefold()))
        return _comparison(path, op, value)

    def _pseudo(self, name: str) -> Test:
        self._take()
        inner = Selector("", self.chains(inside=True))
        if not self._peek("close"):
            raise self.error("a closing bracket is expected")
        self._take()
        if name == "has":
            return lambda node: any(found is not node for found in inner.found_in(node))
        return lambda node: not inner.matches(node)

    def _match(self) -> re.Match[str] | None:
        return _TOKEN.match(self.text, self.position)

    def _peek(self, group: str) -> re.Match[str] | None:
        found = self._match()
        return found if found is not None and found[group] is not None else None

    def _take(self) -> None:
        found = self._match()
        assert found is not None
        self.position = found.end()

    def _skip_space(self) -> None:
        while self.text[self.position : self.position + 1].isspace():
            self.position += 1


def _all_of(kind: type[Node] | None, tests: list[Test]) -> Test:
    return lambda node: (kind is None or isinstance(node, kind)) and all(test(node) for test in tests)


def _value(node: object, path: Sequence[str]) -> object:
    found = node
    for step in path:
        if isinstance(found, tuple) and step.isdigit():
            found = found[int(step)] if int(step) < len(found) else None
        else:
            found = getattr(found, step, None)
    return found.value if isinstance(found, Number) else found


def _said(found: object) -> str:
    return str(found.value if isinstance(found, Number) else found).casefold()


def unmet(selector: Selector, meanings: Iterable[Node]) -> Iterator[tuple[str, str | None]]:
    """Yield each word that a selector asks for and that stands in no such field of these meanings, with the nearest."""
    meanings = list(meanings)
    for asked in selector.asked:
        known = {word for meaning in meanings for word in asked.words_in(meaning)} - {"none"}
        if asked.word not in known:
            near = difflib.get_close_matches(asked.word, known, n=1)
            yield f"{'.'.join(asked.path)}={asked.word}", near[0] if near else None


def _comparison(path: Sequence[str], op: str, value: str) -> Test:
    wanted = value.casefold()

    def compare(node: Node) -> bool:
        found = _value(node, path)
        if op == "=":
            return _said(found) == wanted
        if op == "!=":
            return _said(found) != wanted
        if op == "~=":
            return isinstance(found, tuple) and wanted in map(_said, found)
        if not isinstance(found, int):
            return False
        number = int(value)
        return {"<": found < number, "<=": found <= number, ">": found > number, ">=": found >= number}[op]

    return compare
