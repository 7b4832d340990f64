from pathlib import Path

import pytest

from rulewright.language import ast_page
from rulewright.language.ast import Node
from rulewright.language.tree import kinds


def test_the_committed_page_is_the_generated_one(checkout: Path) -> None:
    committed = (checkout / "docs" / ast_page.PAGE).read_text(encoding="utf-8")
    assert committed == ast_page.page(), "write it again: rulewright schema ast --write"


@pytest.mark.parametrize("kind", kinds().values(), ids=kinds())
def test_every_kind_is_shown_by_an_example(kind: type[Node]) -> None:
    assert ast_page.example(kind)
    assert f"\n### {kind.__name__}\n" in ast_page.page()
