"""Pictures of figures: rows with bars as long as their figures, as SVG and as PNG."""

import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.errors import UsageError
from rulewright.play.chart import LENGTH, Bars, as_png, as_svg, draw

CHARTS = [Bars("Games won", (("The Drowned <Choir>", 4), ("Ember Company", 1), ("Nobody", 0)))]


def test_bars_are_as_long_as_their_figures() -> None:
    picture = ElementTree.fromstring(as_svg(CHARTS))
    name = "{http://www.w3.org/2000/svg}"
    bars = [int(bar.attrib["width"]) for bar in picture.iter(f"{name}rect") if "x" in bar.attrib]
    assert bars == [LENGTH, LENGTH // 4, 0]
    texts = [text.text for text in picture.iter(f"{name}text")]
    assert texts == ["GAMES WON", "The Drowned <Choir>", "4", "Ember Company", "1", "Nobody", "0"]


def test_a_png_has_the_pixels_that_it_says() -> None:
    picture = as_png(CHARTS)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    start = picture.index(b"IDAT")
    (length,) = struct.unpack(">I", picture[start - 4 : start])
    pixels = zlib.decompress(picture[start + 4 : start + 4 + length])
    assert len(pixels) == height * (1 + 3 * width)


def test_a_picture_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.svg or \.png"):
        draw(CHARTS, tmp_path / "figures.gif")
