"""Reminder text: what stands in parentheses behind a keyword is compared with what the keyword's rule means.

Reminders are no rules text, so that a wrong one changes nothing in a game, and misleads everybody. Compared are the
number that they repeat, and whether the words are rather those of another keyword.
"""

import re
from collections.abc import Iterator, Mapping

from rulewright.cards.checks.facts import GameFacts, KeywordFacts
from rulewright.cards.checks.findings import made
from rulewright.language.outcome import Diagnostic

_REMINDER = re.compile(r"\(([^()\n]*)\)")
_KEYWORD = re.compile(r"\[([A-Za-z][A-Za-z-]*)(?: (\d+))?\]")
_NUMBER = re.compile(r"(?<![\w:])[+-]?(\d+)(?!\d)")
_ANY_POWER = re.compile(r"(?:\[A\]|:rb_rune_rainbow:)+")
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
        "re",
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
    | {"with", "you", "your", "ll", "ve"}
)
"""Words that tell no keyword from another."""


def reminder_diagnostics(text: str, facts: GameFacts) -> Iterator[Diagnostic]:
    """Yield what is found in the reminders of a text."""
    known = {name.casefold(): keyword for name, keyword in facts.keywords.items()}
    for reminder in _REMINDER.finditer(text):
        line = text[text.rfind("\n", 0, reminder.start()) + 1 : reminder.start()]
        before = [
            (known[found.group(1).casefold()], found.group(2), line[found.end() :])
            for found in _KEYWORD.finditer(line)
            if found.group(1).casefold() in known
        ]
        yield from _of_reminder(reminder.group(1), reminder.span(1), before, facts.keywords)


def _of_reminder(
    said: str,
    span: tuple[int, int],
    before: list[tuple[KeywordFacts, str | None, str]],
    keywords: Mapping[str, KeywordFacts],
) -> Iterator[Diagnostic]:
    wrong = [(keyword, printed, _wrong_number(keyword, printed, said)) for keyword, printed, _ in before]
    about = [one for one in wrong if one[2] is not None]
    # One reminder can be that of several keywords: one of them that it is right about is enough.
    if about and all(reason for _, _, reason in about):
        keyword, printed, reason = about[-1]
        yield made("RW203", reason or "", span, rule=keyword.rule, help=_right(keyword, printed))
    elif not about and len(before) == 1 and not before[0][2].strip(" _"):
        keyword, printed, _ = before[0]
        other = _words_of_another(keyword, said, keywords)
        if other is not None:
            yield made("RW203", other, span, rule=keyword.rule, help=_right(keyword, printed))


def _wrong_number(keyword: KeywordFacts, printed: str | None, said: str) -> str | None:
    """Give what is wrong about a keyword's number: an empty text where it is right, None where none is told."""
    value = int(printed) if printed else keyword.default
    if not keyword.valued or value is None or not _telling(said) & _telling(" ".join(keyword.means)):
        return None
    numbers = {int(one) for one in _NUMBER.findall(said)}
    if any("[A]" in means for means in keyword.means):
        # A number of Power is written as so many symbols.
        numbers |= {
            run.group().count("[A]") or run.group().count(":") // 2 for run in _ANY_POWER.finditer(said)
        }
    if not numbers:
        return None
    told = ", ".join(str(one) for one in sorted(numbers))
    return "" if value in numbers else f"the reminder says {told}, and [{keyword.name}] here is {value}"


def _words_of_another(keyword: KeywordFacts, said: str, keywords: Mapping[str, KeywordFacts]) -> str | None:
    """Name another keyword whose meaning has telling words of the reminder, while this one's has none of them."""
    told = _telling(said)
    if not told or not keyword.means or told & _telling(" ".join((keyword.name, *keyword.means))):
        return None
    for other in keywords.values():
        if other is not keyword and told & _telling(" ".join(other.means)):
            return f"the reminder reads like that of [{other.name}]"
    return None


def _telling(text: str) -> set[str]:
    """The stems of the words that tell one keyword from another."""
    words = _WORDS.findall(re.sub(r"\[[^\]]*\]|:rb_\w+:", " ", text.lower()))
    return {word[:5] for word in words if word not in _COMMON and len(word) > 1}


def _right(keyword: KeywordFacts, printed: str | None) -> str | None:
    if not keyword.means:
        return None
    means = re.sub(r"\bX\b", printed or str(keyword.default or 1), " ".join(keyword.means))
    return f"the keyword means: {means}"
