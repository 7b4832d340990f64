"""What every test may ask for: the checkout, the command line, and the material that is not part of the project."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The root of the checkout."""
    return CHECKOUT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the corpus and the rules source, which are not ours to ship; skips where it is absent."""
    named = os.environ.get("RULEWRIGHT_SHARED")
    place = Path(named) if named else CHECKOUT.parent / "shared"
    if not (place / "corpus" / "cards.jsonl").is_file():
        pytest.skip(
            f"needs the corpus, which is not part of the project: no corpus/cards.jsonl under {place}"
        )
    return place


@pytest.fixture(scope="session")
def rulewright() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command line in a process of its own: ``rulewright("parse", "Draw 1.")``, ``input=`` for its input."""

    def run(
        *arguments: str, input: str | None = None, cwd: Path = CHECKOUT, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rulewright", *arguments],
            input=input,
            cwd=cwd,
            env={**os.environ, "COLUMNS": "110", "NO_COLOR": "1", **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    return run
