"""Reminder text: what stands in parentheses behind a keyword is compared with what the keyword's rule means.

Reminders are no rules text, so that a wrong one changes nothing in a game, and misleads everybody. Compared are the
number that they repeat, and whether the words are rather those of another keyword.
"""

import re
from collections.abc import Iterator, Mapping

from rulewright.cards.checks.facts import GameFacts, KeywordFacts
from rulewright.cards.checks.findings import made
from rulewright.language.diagnose import Diagnostic

_KEYWORD = re.compile(
    r"\[([A-Za-z][A-Za-z-]*)(?: (\d+))?\](?:\[>\])?"
    r"(?P<cost>[^(\n\[]*(?:\[[^\]]+\][^(\n\[]*)*)\((?P<said>[^()\n]*)\)"
)
_NUMBER = re.compile(r"(?<![\w:])[+-]?(\d+)(?!\d)")
_WORDS = re.compile(r"[a-z]+")
_COMMON = frozenset(
    {
        "a",
        "an",
        "and",
        "another",
        "any",
        "as",
        "at",
        "be",
        "by",
        "can",
        "card",
        "cards",
        "each",
        "for",
        "from",
        "has",
    }
    | {
        "have",
        "if",
        "in",
        "is",
        "it",
        "its",
        "may",
        "me",
        "my",
        "of",
        "on",
        "one",
        "or",
        "other",
        "own",
        "play",
    }
    | {
        "second",
        "spell",
        "that",
        "the",
        "their",
        "them",
        "they",
        "this",
        "to",
        "turn",
        "until",
        "when",
        "while",
    }
    | {"with", "you", "your"}
)
"""Words that tell no keyword from another."""


def reminder_diagnostics(text: str, facts: GameFacts) -> Iterator[Diagnostic]:
    """Yield what is found in reminders that stand directly behind a keyword."""
    known = {name.casefold(): keyword for name, keyword in facts.keywords.items()}
    for found in _KEYWORD.finditer(text):
        keyword = known.get(found.group(1).casefold())
        if keyword is None or (found.group("cost").strip(" _") and not keyword.cost):
            continue
        span = (found.start("said"), found.end("said"))
        reason = _wrong_number(keyword, found.group(2), found.group("said")) or _words_of_another(
            keyword, found.group("said"), facts.keywords
        )
        if reason is not None:
            yield made("RW203", reason, span, rule=keyword.rule, help=_right(keyword, found.group(2)))


def _wrong_number(keyword: KeywordFacts, printed: str | None, said: str) -> str | None:
    if not keyword.valued:
        return None
    value = int(printed) if printed else keyword.default
    numbers = {int(one) for one in _NUMBER.findall(said)}
    if value is None or not numbers or value in numbers:
        return None
    told = ", ".join(str(one) for one in sorted(numbers))
    return f"the reminder says {told}, and the keyword {value}"


def _words_of_another(keyword: KeywordFacts, said: str, keywords: Mapping[str, KeywordFacts]) -> str | None:
    """Name another keyword whose meaning has telling words of the reminder, while this one's has none of them."""
    told = _telling(said)
    if not told or not keyword.means or told & _telling(" ".join((keyword.name, *keyword.means))):
        return None
    for other in keywords.values():
        if other is not keyword and len(told & _telling(" ".join(other.means))) >= 1 and other.means:
            return f"the reminder reads like that of [{other.name}]"
    return None


def _telling(text: str) -> set[str]:
    """The stems of the words that tell one keyword from another."""
    words = _WORDS.findall(re.sub(r"\[[^\]]*\]|:rb_\w+:", " ", text.lower()))
    return {word[:5] for word in words if word not in _COMMON and len(word) > 2}


def _right(keyword: KeywordFacts, printed: str | None) -> str | None:
    if not keyword.means:
        return None
    means = " ".join(keyword.means).replace("X", printed or str(keyword.default or 1))
    return f"the keyword means: {means}"
