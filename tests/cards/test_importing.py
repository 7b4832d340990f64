"""Public exports: every shape is known by its fields and read to the same cards; what does not fit changes nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.cards import load_set
from rulewright.cards.card import card_from
from rulewright.cards.formats import load_imports
from rulewright.cards.importing import ExportError, Import, read_export
from rulewright.cards.keep import keep_sets
from rulewright.errors import RulewrightError

IMPORTS = load_imports()

FOX = card_from(
    {
        "name": "Ro, Quick Fox",
        "type": "unit",
        "supertypes": ["champion"],
        "domains": ["fury", "calm"],
        "energy": 3,
        "power": 1,
        "might": 0,
        "tags": ["Ro", "Dog"],
        "text": "[Tank] (Hit me first.)\nWhen I conquer, draw 1.",
    }
)

CORPUS = {
    "id": "TST-007",
    "name": "Ro, Quick Fox",
    "set": "TST",
    "collector": "007",
    "type": "Unit",
    "supertypes": ["Champion"],
    "domains": ["Fury", "Calm"],
    "energy": 3,
    "power": 1,
    "might": 0,
    "tags": ["Ro", "Dog"],
    "rarity": "Epic",
    "text": "[Tank] (Hit me first.)\nWhen I conquer, draw 1.",
    "source": "made up",
    "printings": ["TST-007a"],
}

GALLERY = {
    "id": "tst-007-100",
    "publicCode": "TST-007/100",
    "name": "Ro",
    "subtitle": "Quick Fox",
    "set": {"value": {"id": "TST", "label": "Test"}},
    "cardType": {"type": [{"label": "Unit"}], "superType": [{"label": "Champion"}]},
    "rarity": {"value": {"label": "Epic"}},
    "domain": {"values": [{"label": "Fury"}, {"label": "Calm"}]},
    "energy": {"value": {"label": "3"}},
    "power": {"value": {"label": "1"}},
    "might": {"value": {"label": "0"}},
    "tags": {"tags": ["Ro", "Dog"]},
    "text": {"richText": {"body": "<p>[Tank] <em>(Hit me first.)</em><br />When I conquer, draw 1.</p>"}},
    "cardImage": {"url": "x"},
}

RIFTCODEX = {
    "id": "abc",
    "name": "Ro - Quick Fox",
    "riftbound_id": "tst-007-100",
    "attributes": {"energy": 3, "might": 0, "power": 1},
    "classification": {"type": "Unit", "supertype": "Champion", "rarity": "Epic", "domain": ["Fury", "Calm"]},
    "text": {"rich": "<p>[Tank] (Hit me first.)</p><p>When I conquer, draw 1.</p>", "plain": "glued"},
    "set": {"set_id": "TST", "label": "Test"},
    "tags": ["Ro", "Dog"],
}

CONTENT = {
    "id": "1",
    "collectorNumber": "007",
    "set": "TST",
    "name": "Ro, Quick Fox",
    "description": "[Tank] (Hit me first.)<br>When I conquer, draw 1.",
    "type": "Champion Unit",
    "rarity": "Epic",
    "faction": "Fury, Calm",
    "stats": {"energy": 3, "might": 0, "power": 1, "cost": 3},
    "tags": ["Ro", "Dog"],
}

DOTGG = {
    "id": "TST-007",
    "name": "Ro - Quick Fox",
    "effect": "[Tank] (Hit me first.)<br />When I conquer, draw 1.",
    "color": ["Fury", "Calm"],
    "cost": "3",
    "type": "Unit",
    "supertype": "Champion",
    "might": "0",
    "tags": "Ro, Dog",
    "set_name": "Test",
    "rarity": "Epic",
}

TCGCSV = {
    "productId": 1,
    "name": "Ro - Quick Fox",
    "extendedData": [
        {"name": "Number", "value": "TST-007"},
        {"name": "Card Type", "value": "Champion Unit"},
        {"name": "Domain", "value": "Fury;Calm"},
        {"name": "Energy Cost", "value": "3"},
        {"name": "Power Cost", "value": "1"},
        {"name": "Might", "value": "0"},
        {"name": "Tag", "value": "Ro;Dog"},
        {"name": "Description", "value": "[Tank] (Hit me first.)<br>\r\nWhen I conquer, draw 1."},
    ],
}

CSV = (
    "Game,Set,Card Number,Card Name,Energy,Power,Might,Domain,Card Type,Tags,Ability,Rarity,Artist,Image URL\n"
    'Riftbound,TST,007,"Ro, Quick Fox",3,1,0,"Fury, Calm",Champion Unit,"Ro, Dog","[Tank] (Hit me first.)\n'
    'When I conquer, draw 1.",Epic,,\n'
)

PAGE = '<html><script id="__NEXT_DATA__" type="application/json">{"props": {"a": [%s]}}</script></html>'

EXPORTS: dict[str, str] = {
    "corpus": json.dumps(CORPUS) + "\n",
    "gallery": json.dumps({"pageProps": {"page": {"cards": {"items": [GALLERY]}}}}),
    "riftcodex": json.dumps({"items": [RIFTCODEX], "total": 1, "page": 1, "size": 50, "pages": 1}),
    "content-api": json.dumps({"game": "riftbound", "sets": [{"id": "TST", "cards": [CONTENT]}]}),
    "dotgg": json.dumps([DOTGG]),
    "tcgcsv": json.dumps({"results": [TCGCSV]}),
    "spreadsheet": CSV,
}


def read(text: str, **options: Any) -> Import:
    return read_export(text.encode(), "export", IMPORTS, **options)


def rows(*parts: dict[str, Any]) -> str:
    return json.dumps([{**CORPUS, "printings": [], **part} for part in parts])


@pytest.mark.parametrize("name", EXPORTS)
def test_every_shape_of_export_reads_to_the_same_card(name: str) -> None:
    made = read(EXPORTS[name])
    (card,) = made.sets["TST"]
    assert (made.format, made.rows, made.cards, made.left_out) == (name, 1, 1, ())
    assert (card.set, card.number) == ("TST", "007")
    if name == "dotgg":
        assert ("power of every card", "it does not say the Power in a cost") in [
            (r.what, r.reason) for r in made.remarks
        ]
        assert card.figures == (("energy", 3), ("might", 0))
    else:
        assert card == FOX


def test_a_saved_page_of_the_gallery_is_read() -> None:
    assert read(PAGE % json.dumps(GALLERY)).sets["TST"] == (FOX,)


def test_a_legend_of_the_gallery_gets_its_champion_before_its_title() -> None:
    legend = {**GALLERY, "name": "Quick Fox", "subtitle": None, "cardType": {"type": [{"label": "Legend"}]}}
    assert read(json.dumps([legend])).sets["TST"][0].name == "Ro, Quick Fox"


def test_what_equipment_gives_is_kept() -> None:
    blade = {
        **GALLERY,
        "name": "Blade",
        "subtitle": None,
        "cardType": {"type": [{"label": "Gear"}]},
        "tags": {"tags": ["Equipment"]},
        "mightBonus": {"value": {"label": "+2"}},
        "effect": {"richText": {"body": "<p>[Tank]</p>"}},
    }
    (card,) = read(json.dumps([blade])).sets["TST"]
    assert (card.figure("might_bonus"), card.effect_text) == (2, "[Tank]")


def test_equipment_without_what_it_gives_is_left_out() -> None:
    blade = {**RIFTCODEX, "name": "Blade", "tags": ["Equipment"]}
    made = read(json.dumps({"items": [RIFTCODEX, blade], "total": 2}))
    assert [one.reason for one in made.left_out] == [
        "it is Equipment, and this export does not say what it gives"
    ]


def test_printings_are_one_card_and_the_numbers_fit() -> None:
    again = {**RIFTCODEX, "name": "Ro - Quick Fox (Alternate Art)", "riftbound_id": "tst-007a-100"}
    promo = {**RIFTCODEX, "riftbound_id": "opp-001-100", "set": {"set_id": "OPP", "label": "Promos"}}
    made = read(json.dumps({"items": [again, RIFTCODEX, promo], "total": 3}))
    (card,) = made.sets["TST"]
    assert (made.rows, made.cards, made.printings) == (3, 1, 2)
    assert (card.number, set(card.printings)) == ("007", {"TST-007a", "OPP-001"})


def test_a_printing_that_says_something_else_is_told() -> None:
    made = read(rows({}, {"collector": "008", "text": "Draw 2.", "printings": []}))
    assert ("Ro, Quick Fox (TST-008)", "worded otherwise than TST-007, not used") in [
        (one.what, one.reason) for one in made.remarks
    ]


def test_every_row_that_becomes_no_card_has_its_reason() -> None:
    made = read(rows({}, {"name": ""}, {"name": "A", "type": None}, {"name": "B", "might": "many"}))
    assert made.rows == made.cards + made.printings + len(made.left_out)
    assert [(one.what, one.reason) for one in made.left_out] == [
        ("row 2", "it has no name"),
        ("row 3, A", "it does not say what type of card it is"),
        ("row 4, B", "its might 'many' is no number"),
    ]


def test_a_field_that_nothing_is_known_about_is_told() -> None:
    assert ("field frame", "nothing is known about this field") in [
        (one.what, one.reason) for one in read(rows({"frame": "gold"})).remarks
    ]


def test_texts_alone_are_given_the_facts_of_known_cards() -> None:
    from rulewright.cards import Pool
    from rulewright.cards.sets import parse_set
    from rulewright.cards.write import set_text

    facts = Pool([parse_set(set_text("TST", "Test", [FOX]).encode(), "tst.yaml")])
    product = {
        "name": "Ro - Quick Fox",
        "number": "007/100",
        "set": "TST",
        "rarity": "Epic",
        "description": "Draw 3.",
    }
    (card,) = read(json.dumps([product]), facts=facts).sets["TST"]
    assert (card.figures, card.text) == (FOX.figures, "Draw 3.")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "export: this is empty"),
        (b'[{"name": "Ro', "export:1:11: this is not whole JSON"),
        (json.dumps(CORPUS).encode() + b'\n{"name": ', "export:2:9: this is not whole JSON"),
        ("Gr\u00fc\u00dfe".encode("latin-1"), "export:1: this is not text in UTF-8"),
        (b"[" * 100_000, "export:1: this is JSON with parts too deep"),
        (b'[{"a": 1}]', "export: this is no export that is known"),
        (
            b"<html><script>alert(1)</script></html>",
            "export: this is a web page without the data of its cards",
        ),
        (b"a,b\n1,2,3\n", "export: row 2: this row has not as many cells"),
        (b" " * 20_000_001, "export: this is larger than 20 MB"),
        (rows({"type": None}).encode(), "export: no card could be made of the 1 rows"),
        (rows({}, {"name": "Other"}).encode(), "Other and Ro, Quick Fox have one number, TST-007"),
        (
            json.dumps({"items": [RIFTCODEX], "total": 1451}).encode(),
            "export: the export says that it has 1451 rows, and 1 are here",
        ),
    ],
)
def test_what_cannot_be_read_is_told(content: bytes, said: str) -> None:
    with pytest.raises(ExportError) as caught:
        read_export(content, "export", IMPORTS)
    assert said in str(caught.value)


def test_a_page_with_scripts_gives_only_what_is_shown() -> None:
    body = "<p>[Tank]<script>alert('x')</script><br/>Draw 1.<style>p {}</style></p>"
    (card,) = read(json.dumps([{**GALLERY, "text": {"richText": {"body": body}}}])).sets["TST"]
    assert card.text == "[Tank]\nDraw 1."


def test_a_known_slip_is_put_right_and_told() -> None:
    for fixup in IMPORTS.fixups:
        made = read(rows({"name": fixup.card, "text": f"Draw 1.{fixup.find}"}))
        assert made.sets["TST"][0].text == f"Draw 1.{fixup.put}"
        assert fixup.reason in [one.reason for one in made.remarks]


def test_sets_are_written_and_read_back(tmp_path: Path) -> None:
    written = keep_sets(read(EXPORTS["corpus"]), tmp_path / "new", {"TST": "2026-01"})
    assert written == {tmp_path / "new" / "tst.yaml": 1}
    one = load_set(tmp_path / "new" / "tst.yaml")
    assert (one.cards, one.released, one.cards[0].printings) == ((FOX,), "2026-01", ("TST-007a",))


def test_a_good_file_is_not_replaced_by_one_with_fewer_cards(tmp_path: Path) -> None:
    keep_sets(read(rows({}, {"name": "Other", "collector": "008"})), tmp_path, {})
    before = (tmp_path / "tst.yaml").read_bytes()
    with pytest.raises(RulewrightError, match="has cards that the new one has not: Other"):
        keep_sets(read(rows({})), tmp_path, {})
    assert (tmp_path / "tst.yaml").read_bytes() == before
    keep_sets(read(rows({})), tmp_path, {}, replace=True)
    assert len(load_set(tmp_path / "tst.yaml").cards) == 1


def test_one_broken_set_keeps_all_from_being_written(tmp_path: Path) -> None:
    (tmp_path / "tsu.yaml").write_text("my notes", encoding="utf-8")
    both = read(rows({}, {"name": "Other", "set": "TSU"}))
    with pytest.raises(RulewrightError, match="a file that is no set stands here"):
        keep_sets(both, tmp_path, {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tsu.yaml"]


def test_the_corpus_is_imported_whole(shared: Path, tmp_path: Path, rulewright: Callable[..., Any]) -> None:
    result = rulewright(
        "import", str(shared / "corpus" / "cards.jsonl"), "--to", str(tmp_path), "--format", "json"
    )
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert (told["rows"], told["cards"], told["printings"], told["left_out"]) == (769, 769, 0, [])
    texts = {card.name: card.text for path in tmp_path.iterdir() for card in load_set(path).cards}
    for line in (shared / "corpus" / "cards.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["name"] not in {fixup.card for fixup in IMPORTS.fixups}:
            assert texts[row["name"]] == (row["text"] or "")


def test_the_command_writes_nothing_where_the_export_is_broken(
    tmp_path: Path, rulewright: Callable[..., Any]
) -> None:
    export = tmp_path / "export.json"
    export.write_text('[{"name": "Ro', encoding="utf-8")
    result = rulewright("import", str(export), "--to", str(tmp_path / "sets"))
    assert (result.returncode, (tmp_path / "sets").exists()) == (2, False)
    assert "this is not whole JSON" in result.stderr
