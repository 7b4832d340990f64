"""Where each character of a text stands in the file that it was read from, whatever YAML style it is written in."""

import re
from bisect import bisect_right
from functools import cached_property

from rulewright.cards.checks.findings import Place
from rulewright.data_files import Scalar

_SPACE = re.compile(r"[ \t\r\n]+")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\r?\n[ \t]*|.)", re.S)


class Layout:
    """The lines of a file's text, to turn characters counted from 0 into lines and columns counted from 1."""

    def __init__(self, source: str) -> None:
        self.source = source

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.source))]

    def position(self, character: int) -> tuple[int, int]:
        """Give the line and the column of a character.

        >>> Layout("ab\\ncd").position(4)
        (2, 2)
        """
        line = bisect_right(self._starts, character)
        return line, character - self._starts[line - 1] + 1

    def place(self, start: int, end: int) -> Place:
        """Give the place of the characters from ``start`` to before ``end``."""
        return Place(*self.position(start), *self.position(max(start, end)))

    def line(self, number: int) -> str:
        """Give a line without its end; empty where there is none of this number."""
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        end = self.source.find("\n", start)
        return self.source[start : end if end >= 0 else len(self.source)].rstrip("\r")


def characters(source: str, scalar: Scalar, text: str) -> list[int]:
    """Give for each character of a text, and for its end, where it stands in the source.

    >>> characters("a: 'it''s'", Scalar(3, 10, "'"), "it's")
    [4, 5, 6, 8, 9]
    """
    if scalar.style == "|":
        return _of_literal(source, scalar, text)
    return _of_folded(source, scalar, text)


def _of_literal(source: str, scalar: Scalar, text: str) -> list[int]:
    position = source.find("\n", scalar.start, scalar.end) + 1
    indent = _indent(source, position, scalar)
    places: list[int] = []
    for line in text.split("\n"):
        end = source.find("\n", position)
        end = len(source) if end < 0 else end
        start = min(position + indent, end)
        places += range(start, start + len(line) + 1)
        position = end + 1
    return [min(place, len(source)) for place in places[: len(text) + 1]]


def _indent(source: str, position: int, scalar: Scalar) -> int:
    for line in source[position : scalar.end].split("\n"):
        if line.strip():
            return len(line) - len(line.lstrip(" "))
    return 0


def _of_folded(source: str, scalar: Scalar, text: str) -> list[int]:
    position = scalar.start + (1 if scalar.style in ("'", '"') else 0)
    if scalar.style == ">":
        position = source.find("\n", scalar.start, scalar.end) + 1
        position += len(source[position:]) - len(source[position:].lstrip(" "))
    places: list[int] = []
    index = 0
    while index < len(text):
        escape = _ESCAPE.match(source, position) if scalar.style == '"' else None
        if escape is not None:
            position = escape.end()
            if "\n" not in escape.group():
                places.append(escape.start())
                index += 1
            continue
        run = _SPACE.match(source, position)
        if run is not None and "\n" in run.group() and (blank := _SPACE.match(text, index)):
            places += [run.start()] * (blank.end() - index)
            index, position = blank.end(), run.end()
            continue
        places.append(position)
        position += 2 if scalar.style == "'" and source.startswith("''", position) else 1
        index += 1
    return [min(place, scalar.end) for place in [*places, position]]
