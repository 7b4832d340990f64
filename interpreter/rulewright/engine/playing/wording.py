"""Words for prompts: what a description asks for, as the printer of the language writes it."""

from functools import lru_cache
from typing import Any

from rulewright.language.print import describe


def cost_words(node: Any) -> str:
    """Give a cost in the words of a card text."""
    return describe(node)


@lru_cache(maxsize=1024)
def mode_words(node: Any) -> str:
    """Give what a mode does in the words of a card text, in one line."""
    from rulewright.language.print import describe

    return " ".join(describe(node).split())


def phrase(node: Any) -> str:
    """Give a description in words; a plain "something" where the printer has none for it."""
    nouns = getattr(node, "nouns", None)
    if nouns:
        return " or ".join(str(noun) for noun in nouns)
    parts = getattr(node, "parts", None)
    if parts:
        return " or ".join(phrase(part) for part in parts)
    return "something"
