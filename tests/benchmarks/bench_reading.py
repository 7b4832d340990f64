"""Print how long it takes to read all card texts: each for the first time, and as found again by another process.

The texts are those of the set files; where a corpus of published cards is beside the checkout, or in the folder that
RULEWRIGHT_SHARED names, its texts instead. Time is that of the processor, in one process.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rulewright.cards import load_pool
from rulewright.language import parse

CORPUS = Path(os.environ.get("RULEWRIGHT_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "corpus"


def texts() -> list[str]:
    """Give all texts that are read, each once."""
    if (CORPUS / "cards.jsonl").is_file():
        rows = map(json.loads, (CORPUS / "cards.jsonl").read_text("utf-8").splitlines())
        found = [row.get(field) for row in rows for field in ("text", "effect_text")]
    else:
        found = [words for card in load_pool() for words in (card.text, card.effect_text)]
    return [words for words in dict.fromkeys(found) if words]


def read_all() -> None:
    """Read every text and print how many there are and how long it took."""
    every = texts()
    began = time.process_time()
    for words in every:
        parse(words)
    print(len(every), time.process_time() - began)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for how, bar in (("cold", 10.0), ("from the cache", 0.1)):
            told = subprocess.run(
                [sys.executable, __file__, "--read"],
                check=True,
                capture_output=True,
                text=True,
                env={**os.environ, "RULEWRIGHT_CACHE": folder},
            ).stdout.split()
            print(f"{told[0]} texts read, {how:16}  {float(told[1]):8.2f} s   bar {bar} s")


if __name__ == "__main__":
    if "--read" in sys.argv:
        read_all()
    else:
        main()
