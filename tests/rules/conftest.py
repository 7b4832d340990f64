"""What the tests of the rules database share: the rules themselves, and small games written into a folder."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.rules import RulesDatabase, load


@pytest.fixture(scope="session")
def rules() -> RulesDatabase:
    """The rules of Riftbound."""
    return load("riftbound")


@pytest.fixture
def game(tmp_path: Path) -> Callable[..., RulesDatabase]:
    """Write the files of a game into a folder of their own and load it: ``game(**{"1.yaml": "- rule: ..."})``."""

    def write(**files: str) -> RulesDatabase:
        folder = tmp_path / "rulesdb" / "tiny"
        shutil.rmtree(folder, ignore_errors=True)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return load("tiny", tmp_path)

    return write
