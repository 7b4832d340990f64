"""Draws bars as a picture, SVG or PNG, with the standard library only: in each row a name, a bar and a figure."""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from rulewright.errors import UsageError

BAR = "#3b6ea5"
INK = "#222222"
PAPER = "#ffffff"

ROW = 18
"""How high a row is, in pixels."""

LETTER = 8
"""How wide a letter is, in pixels."""

LENGTH = 400
"""How long the longest bar is, in pixels."""


@dataclass(frozen=True, slots=True)
class Bars:
    """Some bars under a title: each a name and a figure that is not below zero."""

    title: str
    rows: tuple[tuple[str, int], ...]


def draw(charts: Sequence[Bars], file: Path) -> None:
    """Write charts, one under the other, to a file: its ending, ``.svg`` or ``.png``, says as what."""
    if file.suffix == ".svg":
        file.write_text(as_svg(charts), encoding="utf-8")
    elif file.suffix == ".png":
        file.write_bytes(as_png(charts))
    else:
        raise UsageError("a picture is .svg or .png", place=str(file))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a picture: its words, how long its bar is and the figure behind it, if it has one."""

    words: str
    bar: int = 0
    figure: str = ""


def _lines(charts: Sequence[Bars]) -> list[_Line]:
    lines: list[_Line] = []
    for chart in charts:
        lines.append(_Line(chart.title.upper()))
        most = max((figure for _, figure in chart.rows), default=0) or 1
        for name, figure in chart.rows:
            lines.append(_Line(name, round(LENGTH * figure / most), str(figure)))
        lines.append(_Line(""))
    return lines


def _sizes(lines: list[_Line]) -> tuple[int, int, int]:
    left = LETTER * (2 + max((len(line.words) for line in lines if line.figure), default=0))
    figures = LETTER * (2 + max((len(line.figure) for line in lines), default=0))
    widest = LETTER * (2 + max((len(line.words) for line in lines), default=0))
    return left, max(left + LENGTH + figures, widest), ROW * (len(lines) + 1)


def as_svg(charts: Sequence[Bars]) -> str:
    """Give charts as the text of an SVG picture."""
    lines = _lines(charts)
    left, width, height = _sizes(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="monospace" font-size="12" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    for number, line in enumerate(lines):
        top = ROW * number + ROW // 2
        if line.words:
            parts.append(f'<text x="{LETTER}" y="{top + 12}">{escape(line.words)}</text>')
        if line.figure:
            parts.append(
                f'<rect x="{left}" y="{top + 2}" width="{line.bar}" height="{ROW - 6}" fill="{BAR}"/>'
            )
            parts.append(f'<text x="{left + line.bar + 4}" y="{top + 12}">{line.figure}</text>')
    return "\n".join([*parts, "</svg>", ""])


def as_png(charts: Sequence[Bars]) -> bytes:
    """Give charts as the bytes of a PNG picture; letters are drawn as dots, all of them as capitals."""
    lines = _lines(charts)
    left, width, height = _sizes(lines)
    paper, ink, bar = (bytes.fromhex(colour[1:]) for colour in (PAPER, INK, BAR))
    rows = [bytearray(paper * width) for _ in range(height)]

    def fill(x: int, y: int, wide: int, high: int, colour: bytes) -> None:
        for row in rows[y : y + high]:
            row[3 * x : 3 * (x + wide)] = colour * wide

    def write(x: int, y: int, words: str) -> None:
        for place, letter in enumerate(words.upper()):
            for dot, mark in enumerate(_LETTERS.get(letter, _LETTERS["?"])):
                if mark == "#":
                    fill(x + LETTER * place + 2 * (dot % 3), y + 2 * (dot // 3), 2, 2, ink)

    for number, line in enumerate(lines):
        top = ROW * number + ROW // 2
        write(LETTER, top + 3, line.words)
        if line.figure:
            fill(left, top + 2, line.bar, ROW - 6, bar)
            write(left + line.bar + 4, top + 3, line.figure)
    return _png(width, height, b"".join(b"\0" + bytes(row) for row in rows))


def _png(width: int, height: int, pixels: bytes) -> bytes:
    def chunk(kind: bytes, held: bytes) -> bytes:
        return struct.pack(">I", len(held)) + kind + held + struct.pack(">I", zlib.crc32(kind + held))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


_DOTS = """
A .#.#.#####.##.#  B ##.#.###.#.###.  C .###..#..#...##  D ##.#.##.##.###.  E ####..##.#..###
F ####..##.#..#..  G .###..#.##.#.##  H #.##.#####.##.#  I ###.#..#..#.###  J ..#..#..##.#.#.
K #.##.###.#.##.#  L #..#..#..#..###  M #.#####.##.##.#  N ##.#.##.##.##.#  O .#.#.##.##.#.#.
P ##.#.###.#..#..  Q .#.#.##.###..##  R ##.#.###.#.##.#  S .###...#...###.  T ###.#..#..#..#.
U #.##.##.##.####  V #.##.##.##.#.#.  W #.##.##.#####.#  X #.##.#.#.#.##.#  Y #.##.#.#..#..#.
Z ###..#.#.#..###  0 ####.##.##.####  1 .#.##..#..#.###  2 ##...#.#.#..###  3 ##...#.#...###.
4 #.##.####..#..#  5 ####..##...###.  6 .###..####.####  7 ###..#.#..#..#.  8 ####.#####.####
9 ####.####..###.  . .............#.  , ..........#.#..  ' .#..#..........  - ......###......
% #.#..#.#.#..#.#  ( ..#.#..#..#...#  ) #...#..#..#.#..  : ....#.....#....  ? ##...#.#.....#.
"""

_LETTERS = {" ": "." * 15} | dict(
    zip(_DOTS.split()[::2], _DOTS.split()[1::2], strict=True)  # each letter, and its five rows of three dots
)
