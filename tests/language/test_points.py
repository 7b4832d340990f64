"""Words that point, against what they mean (points.yaml, written by hand)."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from language.pointing import pointers
from rulewright.language import parse

POINTS: list[dict[str, Any]] = yaml.load(
    Path(__file__).with_name("points.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)


@pytest.mark.parametrize("entry", POINTS, ids=[entry["text"] for entry in POINTS])
def test_a_word_points_to_what_an_english_reader_takes_it_for(entry: dict[str, Any]) -> None:
    reading = parse(entry["text"])
    assert reading.text is not None, [problem.message for problem in reading.diagnostics]
    assert pointers(reading.text) == entry["points"]
