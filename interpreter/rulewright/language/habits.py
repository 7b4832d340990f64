"""What people write by habit, from other games or from memory, and what this game says: proposals, never readings.

The habits are data (``grammar/lexicon/habits.yaml``). They are looked for only in a text that is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulewright.language.diagnose import Diagnostic, Fix

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
        return wrote if self.text is None else f"{wrote}; write “{self.text.strip()}”"


def habits_of(entries: Iterable[Mapping[str, Any]]) -> tuple[Habit, ...]:
    """Make habits of the entries of their file, in its order."""
    flags = re.IGNORECASE | re.MULTILINE
    return tuple(
        Habit(re.compile(entry["wrote"], flags), entry.get("say"), entry["because"]) for entry in entries
    )


def with_habits(
    text: str,
    found: tuple[Diagnostic, ...],
    stretch: tuple[int, int],
    habits: tuple[Habit, ...],
    reads: Callable[[str], bool],
) -> tuple[Diagnostic, ...]:
    """Give what was found in a stretch of a text, with what should stand there instead of its habits.

    Where the text is read with all of them changed, the first finding proposes that; nothing is safe.
    """
    slips = _slips(text, stretch, habits)
    if not slips or not found:
        return found
    notes = dict.fromkeys(slip.note(text) for slip in slips)
    # What was guessed for a word that a habit explains is a worse guess.
    rest = [
        replace(one, help=None, fix=None) if any(_meet(one.span, slip.span) for slip in slips) else one
        for one in found
    ]
    first = replace(rest[0], notes=(*rest[0].notes, *list(notes)[:MOST_PROPOSED]))
    changed = _changed(text, slips)
    for whole in (changed, f"{changed.rstrip()}."):
        if reads(whole):
            fix = Fix(stretch, whole[stretch[0] : len(whole) - (len(text) - stretch[1])])
            shown = _line_at(whole, slips[0].span[0])
            first = replace(first, help=f"did you mean “{shown}”?", fix=fix)
            break
    return (first, *rest[1:])


def line_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Give the bounds of the lines that a stretch of a text lies in."""
    behind = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, behind if behind >= 0 else len(text)


def _slips(text: str, stretch: tuple[int, int], habits: tuple[Habit, ...]) -> list[_Slip]:
    taken: list[_Slip] = []
    for habit in habits:
        for found in habit.wrote.finditer(text, *stretch):
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
    start, end = line_bounds(text, place, place)
    return text[start:end]
