"""Meanings written by hand from the rules (gold.yaml, read by notation.py) against what the grammar reads."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from language.notation import read
from rulewright.language import parse
from rulewright.language.print import outline
from rulewright.language.references import without_antecedents

GOLD: dict[str, Any] = yaml.load(
    Path(__file__).with_name("gold.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)


def meaning(text: str) -> Any:
    reading = parse(text)
    assert reading.text is not None, [problem.message for problem in reading.diagnostics]
    return without_antecedents(reading.text)


@pytest.mark.parametrize("entry", GOLD["meanings"], ids=[entry["text"] for entry in GOLD["meanings"]])
def test_a_text_has_the_meaning_that_the_rules_give_it(entry: dict[str, str]) -> None:
    wanted = read(entry["means"])
    found = meaning(entry["text"])
    assert outline(found) == outline(wanted)
    assert found == wanted


@pytest.mark.parametrize("pair", GOLD["same"], ids=[" = ".join(pair) for pair in GOLD["same"]])
def test_two_wordings_of_one_meaning_are_equal(pair: list[str]) -> None:
    assert meaning(pair[0]) == meaning(pair[1])


@pytest.mark.parametrize("pair", GOLD["different"], ids=[" / ".join(pair) for pair in GOLD["different"]])
def test_two_meanings_are_not_equal(pair: list[str]) -> None:
    assert meaning(pair[0]) != meaning(pair[1])


def test_there_are_enough_of_them() -> None:
    assert len(GOLD["meanings"]) >= 120
    assert len(GOLD["same"]) + len(GOLD["different"]) >= 60
