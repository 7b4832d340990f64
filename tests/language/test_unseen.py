"""Made-up cards in wording that no official card has: each set was written before it was known what is read."""

from pathlib import Path

import pytest
import yaml

from rulewright.language import parse
from rulewright.language.print import print_text

FOLDER = Path(__file__).parent / "unseen"


def texts_of_set(path: Path) -> list[str]:
    """Give the texts of one set."""
    if path.suffix == ".yaml":
        return [card["text"] for card in yaml.safe_load(path.read_text(encoding="utf-8"))]
    blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    return [block for block in blocks if not block.startswith("#")]


SETS = sorted(FOLDER.glob("set_*"))
UNREAD = {
    line.strip()
    for line in (FOLDER / "unread").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
}
"""A line of each of the texts that are not read, with its reason above it."""


@pytest.mark.parametrize("path", SETS, ids=[path.stem for path in SETS])
def test_texts_in_new_wording_are_read_and_printed(path: Path) -> None:
    texts = texts_of_set(path)
    assert len(texts) == 40
    unread, changed, doubtful = [], [], []
    for text in texts:
        reading = parse(text)
        if reading.text is None:
            unread.append(text)
        elif parse(print_text(reading.text)).text != reading.text:
            changed.append(text)
        elif len(reading.readings) > 1:
            doubtful.append(text)
    assert unread == [text for text in texts_of_set(path) if UNREAD.intersection(text.splitlines())]
    assert changed == []
    assert doubtful == []
