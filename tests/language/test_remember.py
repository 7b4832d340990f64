"""What was read once is found again by every process."""

import subprocess
import sys

KEY = """
from rulewright.language import remember
from rulewright.language.vocabulary import Vocabulary, default_lexicon
print(remember.key_of("Draw 1.", Vocabulary.from_lexicon(default_lexicon(), tags=["Gnome"]), "riftbound"))
"""


def test_the_key_of_a_text_is_the_same_in_every_process() -> None:
    keys = {
        subprocess.run(
            [sys.executable, "-c", KEY],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(keys) == 1
