"""Renderings of card texts by other exports: what means the same, and why the rest does not."""

import json
from pathlib import Path

from typer.testing import CliRunner

from rulewright.apps.cli import app
from rulewright.cards.variants import OUTCOMES, SAME, Rendering, counted, renderings

CARDS = [
    {"name": "Bolt", "text": "Deal 3 to a unit.", "printed_text": "Deal 2 to a unit.", "domains": ["Fury"]},
    {"name": "Wall", "text": "[Shield]\n[Tank]", "domains": ["Body"]},
    {"name": "Seal", "text": "[E]: [Reaction] — [Add] [fury].", "domains": ["Fury"]},
    {"name": "Twin Seal", "text": "[E]: [Reaction] — [Add] [fury].", "domains": ["Fury", "Mind"]},
    {"name": "Blade", "text": "[Equip] [A]", "effect_text": "[Tank]", "domains": ["Body"]},
    {"name": "Two", "text": "When I attack, draw 1.\nWhen I hold, draw 2.", "domains": ["Mind"]},
]
VARIANTS = [
    ("Bolt", "Deal 3 to a unit.", "same"),
    ("Bolt", "Deal 2 to a unit.", "erratum"),
    ("Bolt", "Deal 4 to a unit.", "other"),
    ("Bolt", "Deals 3 to a unit.", "unread"),
    ("Nobody", "Draw 1.", "no card"),
    ("Seal", "[E]: [Reaction] — [Add] [C].", "same"),
    ("Twin Seal", "[E]: [Reaction] — [Add] [C].", "domain"),
    ("Blade", "[Equip] [A]\n[Tank]", "same"),
    ("Two", "When I attack, draw 1. When I hold, draw 2.", "layout"),
]


def _found() -> list[Rendering]:
    rows = [{"name": name, "format": "x", "text": text} for name, text, _ in VARIANTS]
    return list(renderings(rows, CARDS))


def _lines(rows: list[dict[str, object]]) -> str:
    return "\n".join(json.dumps(row) for row in rows)


def _variants() -> str:
    return _lines([{"name": name, "format": "x", "text": text} for name, text, _ in VARIANTS])


def test_a_rendering_means_the_same_or_is_listed_with_the_reason() -> None:
    found = _found()
    assert [one.outcome for one in found] == [outcome for _, _, outcome in VARIANTS]
    assert all(one.reason for one in found if one.outcome != SAME)
    assert "deal 4" in found[2].reason


def test_renderings_are_counted_by_format() -> None:
    (one,) = counted(_found())
    assert (one.rows, one.read) == (9, 7)
    assert {word: one.outcomes.get(word, 0) for word in OUTCOMES}["same"] == 3


def test_the_command_prints_a_table_and_fails_under_the_wanted_share(tmp_path: Path) -> None:
    variants, cards = tmp_path / "variants.jsonl", tmp_path / "cards.jsonl"
    variants.write_text(_variants(), encoding="utf-8")
    cards.write_text(_lines(CARDS), encoding="utf-8")
    told = CliRunner().invoke(app, ["sets", "variants", str(variants), "--cards", str(cards), "--all"])
    assert told.exit_code == 0, told.output
    assert "9 renderings: 7 are read, 3 mean the same as their card" in told.output
    assert "x: Two: layout: a line break or a bullet is lost" in told.output
    failed = CliRunner().invoke(
        app, ["sets", "variants", str(variants), "--cards", str(cards), "--least", "0.5"]
    )
    assert failed.exit_code == 1
