"""Rule numbers as a game prints them (``809.1.c``, ``2.3``): their order, their parents, their shape.

A number is parts joined by full stops; each part is digits or letters. Nothing here knows how long a game's
numbers are.
"""

import re
from functools import lru_cache

NUMBER = re.compile(r"[0-9]+[a-z]?(?:\.(?:[0-9]+|[a-z]{1,2}))*")
"""The shape of one rule number."""

Key = tuple[tuple[int, int, str], ...]
"""What numbers are ordered by."""


def is_number(text: str) -> bool:
    """Say whether a text has the shape of a rule number.

    >>> is_number("809.1.c"), is_number("Deflect")
    (True, False)
    """
    return NUMBER.fullmatch(text) is not None


@lru_cache(maxsize=16384)
def sort_key(number: str) -> Key:
    """Give what a number is ordered by: part by part, digits by value, letters by the alphabet, digits first.

    >>> sorted(["809.10", "809.2", "809", "809.2.b", "809.2.1"], key=sort_key)
    ['809', '809.2', '809.2.1', '809.2.b', '809.10']
    """
    return tuple(_part_key(part) for part in number.split("."))


@lru_cache(maxsize=1024)
def _part_key(part: str) -> tuple[int, int, str]:
    digits = re.match(r"[0-9]*", part)
    assert digits is not None
    value = digits.group()
    return (0, int(value), part[len(value) :]) if value else (1, len(part), part)


def ancestors(number: str) -> tuple[str, ...]:
    """Give the numbers that a number stands under, the nearest first.

    >>> ancestors("809.1.c")
    ('809.1', '809')
    """
    parts = number.split(".")
    return tuple(".".join(parts[:length]) for length in range(len(parts) - 1, 0, -1))


def root(number: str) -> str:
    """Give the first part of a number.

    >>> root("809.1.c")
    '809'
    """
    return number.partition(".")[0]
