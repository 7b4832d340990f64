"""Reads the files of a rules database: plain data with the line of every part, so that an error can point at it.

YAML reads some things silently that would lose a rule: a key written twice, a number that was meant as text
(``355.10``), a date. Here the first is an error, and dates stay text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import yaml

from rulewright.errors import RulewrightError
from rulewright.rules.entries import Plain


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in the rules database: ``place`` is ``file:line``, or the file, or a rule number."""

    place: str
    message: str
    help: str | None = None

    def __str__(self) -> str:
        hint = f" ({self.help})" if self.help else ""
        return f"{self.place}: {self.message}{hint}"


class RulesDataError(RulewrightError):
    """The files of a rules database do not hold together; ``problems`` has each of them."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        first, *rest = problems
        lines = [first.message, *(str(problem) for problem in rest[:20])]
        if len(rest) > 20:
            lines.append(f"... and {len(rest) - 20} more")
        super().__init__("\n".join(lines), place=first.place, help=first.help)
        self.problems = tuple(problems)


class _Loader(yaml.CSafeLoader):
    """Safe YAML in which a date is text."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


class _NumberLoader(_Loader):
    """Safe YAML in which a decimal number is text too: ``355.10`` is a rule and not ``355.1``."""


_NumberLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:float"]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True, slots=True)
class Source:
    """One file as it was read: what it holds, and the YAML nodes that know the lines."""

    file: str
    plain: Plain
    problems: tuple[Problem, ...]
    _node: yaml.Node | None = field(repr=False)

    def place(self, path: Sequence[str | int] = ()) -> str:
        """Give ``file:line`` of a part, found by the keys and positions that lead to it."""
        node, line = self._node, 1
        for step in (None, *path):
            node = node if step is None else _child(node, step)
            if node is None:
                break
            line = node.start_mark.line + 1
        return f"{self.file}:{line}"


def read(path: Path, file: str, *, decimals_are_text: bool = False) -> Source:
    """Read one YAML file; ``file`` is the name that errors call it by. Raises :class:`RulesDataError`."""
    return parse(path.read_bytes(), file, decimals_are_text=decimals_are_text)


def parse(content: bytes, file: str, *, decimals_are_text: bool = False) -> Source:
    """Read YAML from bytes; see :func:`read`."""
    try:
        loader = (_NumberLoader if decimals_are_text else _Loader)(content.decode())
        try:
            node = loader.get_single_node()
            problems = tuple(_key_problems(node, file)) if node is not None else ()
            plain = loader.construct_document(node) if node is not None and not problems else None
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise RulesDataError([Problem(f"{file}:{line}", f"this is not YAML: {error.problem}")]) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RulesDataError([Problem(file, f"this is not YAML in UTF-8: {error}")]) from error
    return Source(file, plain, problems, node)


def _key_problems(node: yaml.Node, file: str) -> Iterator[Problem]:
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _key_problems(item, file)
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            place = f"{file}:{key.start_mark.line + 1}"
            if key.tag != "tag:yaml.org,2002:str":
                yield Problem(place, f"the key {key.value!r} is not text", "put it in quotes")
            elif key.value in seen:
                yield Problem(place, f"the key {key.value!r} stands here twice")
            seen.add(str(key.value))
            yield from _key_problems(value, file)


def _child(node: yaml.Node | None, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
        return cast(yaml.Node, node.value[step])
    if isinstance(node, yaml.MappingNode):
        pairs = cast(list[tuple[Any, yaml.Node]], node.value)
        return next((value for key, value in pairs if key.value == step), None)
    return None
