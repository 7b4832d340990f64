"""What happened, why, and by which rule: one record for each line of a log, and what each line follows from.

What follows from what is remembered beside the log, never in the state: a game that keeps no log is the same game.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from rulewright.language.ast import Span

if TYPE_CHECKING:
    from rulewright.engine.state.objects import Frame

_Key = TypeVar("_Key")

NOTES = frozenset(
    {
        "apply",
        "begin-turn",
        "choose-anew",
        "concede",
        "control",
        "decline",
        "expire",
        "lose-control",
        "name",
        "pass",
        "phase",
        "put",
        "refuse",
        "remove",
        "skip",
        "trigger",
        "undo",
    }
)
"""The verbs of lines that tell of no event of the rules: what the game does between them."""


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One line: what happened in words, the rules that say so, and the card's words that made it happen.

    ``index`` counts the lines of the game, ``depth`` is for indentation, ``player`` who did it or -1, ``card`` and
    ``ability`` name the text and ``span`` the characters in it, ``cause`` is the line that this one follows from.
    ``secret_to`` lists the players who may only read ``public_text``.
    """

    index: int
    turn: int
    phase: str
    depth: int
    player: int
    verb: str
    text: str
    rules: tuple[str, ...]
    card: str = ""
    ability: str = ""
    span: Span | None = None
    cause: int | None = None
    secret_to: tuple[int, ...] = ()
    public_text: str = ""

    def line(self, width: int = 72) -> str:
        """Give the line with its citations on the right."""
        return f"{'  ' * self.depth}{self.text}".ljust(width) + "  " + "  ".join(self.rules)


class Causes:
    """Which line everything under way goes back to.

    ``items`` has for each chain item its latest line (put, finalized, resolving), ``bodies`` for the depth of a frame
    the line of the replacement that it carries out, ``marks`` for an object or location the latest line that changed
    it, ``stages`` for a procedure the latest line of it, ``phase`` the line of the phase.
    """

    __slots__ = ("because", "bodies", "items", "marks", "phase", "stages")

    def __init__(self) -> None:
        self.items: dict[int, int] = {}
        self.bodies: dict[int, int] = {}
        self.marks: dict[int, int] = {}
        self.stages: dict[str, int] = {}
        self.phase: int | None = None
        self.because: int | None = None

    def copy(self) -> "Causes":
        """Give a copy that goes its own way."""
        made = Causes()
        made.items, made.bodies = self.items.copy(), self.bodies.copy()
        made.marks, made.stages = self.marks.copy(), self.stages.copy()
        made.phase = self.phase
        return made

    @contextmanager
    def following(self, line: int | None) -> Iterator[None]:
        """Let what happens meanwhile follow from a line."""
        before, self.because = self.because, line
        try:
            yield
        finally:
            self.because = before

    def of(self, frames: "Sequence[Frame]", verb: str, about: int) -> int | None:
        """Give the line that a new one follows from; nothing for what a player chose to do."""
        if self.because is not None:
            return self.because
        if verb in _OF_ITEMS and about in self.items:
            return self.items[about]
        for depth in range(len(frames) - 1, -1, -1):
            frame = frames[depth]
            if "inherit" in frame.local and depth in self.bodies:
                return self.bodies[depth]
            item = frame.local.get("item")
            if item in self.items:
                return self.items[item]
            if frame.program == "do:cleanup" and verb in _IN_CLEANUPS and about in self.marks:
                return self.marks[about]
            if frame.program in self.stages and _STAGES.get(verb) != frame.program:
                return None if verb in _CHOSEN else self._stage(frame.program, verb, about)
        if verb in _CHOSEN or any(frame.program in _FREE_ACTS for frame in frames[-1:]):
            return None
        return self._stage("do:showdown", verb, about) if verb == "showdown" else self.phase

    def _stage(self, program: str, verb: str, about: int) -> int | None:
        """Give the line of a procedure: a combat's while its showdown is one, that of who came for what begins."""
        line = self.stages.get(program)
        if program == "do:showdown":
            line = self.stages.get("do:combat", line)
        if verb not in _STAGES or not about:
            return line
        came = self.marks.get(about, self.phase)
        return came if line is None or verb == "showdown" or (came or 0) > line else line

    def told(self, line: int, verb: str, about: int) -> None:
        """Take note of a new line, for those that will follow from it."""
        if verb in _OF_ITEMS:
            self.items[about] = line
        elif verb == "phase" or verb == "begin-turn":
            self.phase = line
        elif verb in _STAGES:
            self.stages[_STAGES[verb]] = line
            if verb == "showdown":
                self._told_showdown(line, about)
        if about and verb not in _OF_ITEMS:
            self.marks[about] = line

    def _told_showdown(self, line: int, began_at: int) -> None:
        """A showdown that begins has no combat yet; with one that closes its combat goes on."""
        if began_at:
            self.stages.pop("do:combat", None)
        elif "do:combat" in self.stages:
            self.stages["do:combat"] = line

    def forget(self, length: int) -> None:
        """Forget lines that were taken back with a play that was undone (358.5)."""
        self.items, self.bodies = _before(self.items, length), _before(self.bodies, length)
        self.marks, self.stages = _before(self.marks, length), _before(self.stages, length)


def _before(lines: dict[_Key, int], length: int) -> dict[_Key, int]:
    return {key: line for key, line in lines.items() if line < length}


_OF_ITEMS = frozenset(("put", "trigger", "finalize", "resolve", "decline", "remove"))
"""Verbs of lines about a chain item."""

_IN_CLEANUPS = frozenset(("kill", "replace", "lose-control", "recall", "showdown"))
"""Verbs of what a cleanup does because of how an object or a location has become."""

_STAGES = {"showdown": "do:showdown", "combat": "do:combat", "burn-out": "do:burn-out"}
"""Verbs of lines that stand for a procedure, with its program."""

_CHOSEN = frozenset(("put", "pass", "end", "phase", "begin-turn"))
"""Verbs of what a player does of their own choice, where nothing that is under way makes them, and of the turn."""

_FREE_ACTS = frozenset(("kernel:standard-move", "kernel:hide-card"))
"""Programs of what a player does of their own choice."""
