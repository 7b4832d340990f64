"""The page on the rules database knows every key of the schema."""

import json
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def test_every_key_of_an_entry_is_explained() -> None:
    page = (CHECKOUT / "docs" / "rules.md").read_text(encoding="utf-8")
    schema = json.loads((CHECKOUT / "rulesdb" / "rules.schema.json").read_text(encoding="utf-8"))
    definitions = schema["$defs"]
    explained = {
        key
        for part in ("entry", "keyword", "table", "procedure", "search")
        for key in definitions[part]["properties"]
    }
    assert {key for key in explained if f"`{key}`" not in page} == set()
