"""The entries hold every number of the Core Rules, in our own words."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.rules import RulesDatabase

RUN = 7
"""So many words in a row, shared with the source, are the source's sentence and not ours."""


@pytest.fixture(scope="module")
def source(shared: Path) -> dict[str, str]:
    """The published text of each number, examples included; not part of the project."""
    path = shared / "rules-source" / "core-rules-2026-07-16.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["number"]: " ".join([row["text"], *row["examples"]]) for row in rows}


def test_there_is_one_entry_for_every_number(rules: RulesDatabase, source: dict[str, str]) -> None:
    assert [entry.number for entry in rules.base_entries] == list(source)


def test_no_gist_shares_a_sentence_with_the_source(rules: RulesDatabase, source: dict[str, str]) -> None:
    shared_runs = {
        entry.number: sorted(run)
        for entry in rules.base_entries
        if (run := _runs(entry.gist) & _runs(source[entry.number]))
    }
    assert shared_runs == {}


def _runs(text: str) -> set[str]:
    words = re.findall(r"[a-z0-9'+-]+", text.lower())
    return {" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1)}


def test_a_heading_has_rules_under_it(rules: RulesDatabase) -> None:
    bare = [
        entry.number
        for entry in rules.entries
        if entry.status == "heading"
        and not rules.children(entry.number)
        and not _heads_a_file(rules, entry.number)
    ]
    assert bare == []


def _heads_a_file(rules: RulesDatabase, number: str) -> bool:
    # The title of a section whose rules have a first part of their own: 649 is followed by 650.
    return rules.section(number).rpartition("/")[2].startswith(number)


def test_every_keyword_is_defined_once_with_its_kind(rules: RulesDatabase) -> None:
    chapters = {entry.number: entry.title for entry in rules.range("805", "829") if "." not in entry.number}
    defined = {entry.number.partition(".")[0]: entry.keyword for entry in rules.keywords.values()}
    assert {number: keyword.name for number, keyword in defined.items() if keyword} == chapters


def test_keywords_with_a_number_say_what_it_is_when_none_is_printed(rules: RulesDatabase) -> None:
    values = {
        keyword.name: (keyword.value.default, keyword.value.stacks)
        for entry in rules.keywords.values()
        if (keyword := entry.keyword) is not None and keyword.value is not None
    }
    assert values == {
        "Assault": (1, "sum"),
        "Deflect": (1, "sum"),
        "Hunt": (1, "sum"),
        "Level": (None, "none"),
        "Shield": (1, "sum"),
    }


def _texts(rules: RulesDatabase) -> Iterator[str]:
    for entry in rules.entries:
        yield entry.gist


def test_gists_are_sentences(rules: RulesDatabase) -> None:
    assert [gist for gist in _texts(rules) if gist[-1] not in ".!?\"')"] == []
