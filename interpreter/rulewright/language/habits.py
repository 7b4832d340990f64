"""What people write by habit, from other games or from memory, and what this game says: proposals, never readings.

The habits are data (``grammar/lexicon/habits.yaml``). They are looked for only in a text that is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulewright.language.outcome import Diagnostic, Fix

MOST_PROPOSED = 5
"""How many habits of a text are told."""


@dataclass(frozen=True, slots=True)
class Habit:
    """A way of saying that this game does not have: how it is known, what is said instead, and why.

    ``say`` is nothing where the game has no such thing.
    """

    wrote: re.Pattern[str]
    say: str | None
    because: str


@dataclass(frozen=True, slots=True)
class _Slip:
    """A habit at a place of a text, and what should stand there."""

    span: tuple[int, int]
    text: str | None
    because: str

    def note(self, text: str) -> str:
        """Tell it in a line."""
        wrote = f"“{text[slice(*self.span)].strip()}”: this game {self.because}"
        if self.text is None:
            return wrote
        return f"{wrote}; write “{self.text.strip()}”" if self.text.strip() else f"{wrote}; leave it out"


def habits_of(entries: Iterable[Mapping[str, Any]]) -> tuple[Habit, ...]:
    """Make habits of the entries of their file, in its order."""
    flags = re.IGNORECASE | re.MULTILINE
    return tuple(
        Habit(re.compile(entry["wrote"], flags), entry.get("say"), entry["because"]) for entry in entries
    )


def with_habits(
    text: str, found: tuple[Diagnostic, ...], habits: tuple[Habit, ...], reads: Callable[[str], bool]
) -> tuple[Diagnostic, ...]:
    """Give what was found in a text, with what should stand there instead of its habits.

    Where the text is read with all of them changed, that is proposed; nothing is safe.
    """
    slips = _slips(text, habits)
    if not slips or not found:
        return found
    notes: dict[int, list[str]] = {}
    for slip in slips:
        notes.setdefault(_nearest(text, slip.span, found), []).append(slip.note(text))
    # What was guessed for a word that a habit explains is a worse guess.
    told = [
        replace(one, help=None, fix=None) if any(_meet(one.span, slip.span) for slip in slips) else one
        for one in found
    ]
    for place, said in notes.items():
        said = list(dict.fromkeys(said))[:MOST_PROPOSED]
        told[place] = replace(told[place], notes=(*told[place].notes, *said))
    changed = _changed(text, slips)
    for whole in (changed, f"{changed.rstrip()}."):
        if reads(whole):
            first = _nearest(text, slips[0].span, found)
            meant = f"did you mean “{_line_at(whole, slips[0].span[0])}”?"
            told[first] = replace(told[first], help=meant, fix=Fix((0, len(text)), whole))
            break
    return tuple(told)


def _nearest(text: str, span: tuple[int, int], found: tuple[Diagnostic, ...]) -> int:
    """Give the place of the finding on the line of a stretch of the text, or of the first of all."""
    start, end = _line_bounds(text, *span)
    return next((place for place, one in enumerate(found) if start <= one.span[0] <= end), 0)


def _line_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    behind = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, behind if behind >= 0 else len(text)


def _slips(text: str, habits: tuple[Habit, ...]) -> list[_Slip]:
    taken: list[_Slip] = []
    for habit in habits:
        for found in habit.wrote.finditer(text):
            if any(_meet(found.span(), other.span) for other in taken):
                continue
            said = None if habit.say is None else _as_begun(found.expand(habit.say), text, found.start())
            taken.append(_Slip(found.span(), said, habit.because))
    return sorted(taken, key=lambda one: one.span)


def _as_begun(said: str, text: str, place: int) -> str:
    """Give words with a capital where a sentence begins."""
    before = text[:place].rstrip(" ")
    return said[:1].upper() + said[1:] if not before or before.endswith((".", "\n", "•")) else said


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _changed(text: str, slips: Sequence[_Slip]) -> str:
    for slip in reversed(slips):
        if slip.text is not None:
            text = text[: slip.span[0]] + slip.text + text[slip.span[1] :]
    return text


def _line_at(text: str, place: int) -> str:
    start, end = _line_bounds(text, place, place)
    return text[start:end]
