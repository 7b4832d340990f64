"""Which alternatives of the grammar are used: what only one official card needs has a reason that is written down."""

import json
from pathlib import Path

from typer.testing import CliRunner

from rulewright.apps.cli import app
from rulewright.language.usage import justified, size, usage


def test_only_what_led_to_the_meaning_is_used() -> None:
    found = usage([("A", "Draw 1."), ("B", "When I attack, draw 1.")])
    assert found.cards["imperative"] == ("A", "B")
    assert found.cards["lead_when"] == ("B",)
    assert found.cards["tail_unless"] == ()
    assert found.unread == ()


def test_a_text_that_is_not_read_is_told() -> None:
    assert usage([("A", "Draw draw.")]).unread == ("A",)


def test_each_alternative_that_one_official_card_uses_has_a_reason(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "corpus" / "cards.jsonl").read_text("utf-8").splitlines()]
    texts = [(row["name"], row[key]) for row in rows for key in ("text", "effect_text") if row.get(key)]
    found = usage(texts)
    single = {name for name, cards in found.cards.items() if len(cards) == 1}
    assert found.unread == ()
    assert single - set(justified()) == set()
    assert set(justified()) - set(found.cards) == set()


def test_the_size_of_the_grammar_is_counted() -> None:
    large = size()
    assert 80 <= large.symbols <= 100
    assert 350 <= large.alternatives <= 480
    assert large.frames > 70


def test_the_command_fails_for_what_one_card_uses_without_a_reason(tmp_path: Path) -> None:
    cards = tmp_path / "cards.jsonl"
    cards.write_text('{"name": "A", "text": "Draw 1."}\n', encoding="utf-8")
    told = CliRunner().invoke(app, ["grammar", "usage", str(cards)])
    assert told.exit_code == 1
    assert "verb frames" in told.output
