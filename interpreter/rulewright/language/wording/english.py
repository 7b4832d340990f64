"""The little English grammar that the printer needs: numbers, lists, articles, plurals, possessives.

The forms of verbs and irregular plurals come with the word from ``grammar/lexicon``.
"""

from __future__ import annotations

from collections.abc import Sequence

NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
)  # fmt: skip
"""How many objects there are is written as a word up to ten; amounts are written in digits."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def number_word(number: int) -> str:
    """Give a count as a word up to ten, in digits beyond.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else str(number)


def ordinal(number: int) -> str:
    """Give ``first``, ``second`` ... and ``11th`` beyond ten.

    >>> ordinal(2), ordinal(22)
    ('second', '22nd')
    """
    if 1 <= number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def listed(parts: Sequence[str], conjunction: str = "and") -> str:
    """Join parts as a list with a comma before the conjunction.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b, or c')
    """
    if len(parts) < 3:
        return f" {conjunction} ".join(parts)
    return f"{', '.join(parts[:-1])}, {conjunction} {parts[-1]}"


def with_article(phrase: str) -> str:
    """Put ``a`` or ``an`` before a phrase, by how its first word sounds.

    >>> with_article("unit"), with_article("enemy unit"), with_article("8 [M] unit")
    ('a unit', 'an enemy unit', 'an 8 [M] unit')
    """
    bare = phrase.lstrip("[\"'").lower()
    vowel = bare[:1] in "aeiou" and not bare.startswith(("unit", "uni", "use", "one", "once"))
    return f"{'an' if vowel or bare.startswith(('8', '11 ', '18')) or bare == '11' else 'a'} {phrase}"


def plural(noun: str) -> str:
    """Give the regular plural of a noun (of its last word).

    >>> plural("unit"), plural("ability"), plural("Sandglass")
    ('units', 'abilities', 'Sandglasses')
    """
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def possessive(phrase: str) -> str:
    """Put the mark of possession after a phrase.

    >>> possessive("an opponent"), possessive("opponents")
    ("an opponent's", "opponents'")
    """
    return phrase + ("'" if phrase.endswith("s") else "'s")


def capitalised(text: str) -> str:
    """Begin a sentence: the first letter large, a bracket or digit left as it is.

    >>> capitalised("draw 1"), capitalised("[E]: draw 1"), capitalised('"draw')
    ('Draw 1', '[E]: draw 1', '"Draw')
    """
    if text[:1] in {'"', "'"}:
        return text[0] + capitalised(text[1:])
    return text[:1].upper() + text[1:]
