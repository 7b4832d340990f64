"""Texts and procedures as flat programs of small operations, which a frame can stop in and resume anywhere.

A program has no state: it is made once for each ability and each procedure of the rules, and shared by all games.
"""

from dataclasses import dataclass
from typing import Any

from rulewright.engine.program.primitives import Sight
from rulewright.language.ast import Span


@dataclass(frozen=True, slots=True)
class Op:
    """One operation: what to do (``code``), to which part of the meaning (``node`` and its ``path``), and jumps.

    ``rules`` are the numbers that the operation carries out, ``span`` the characters it was read from.
    """

    code: str
    node: Any = None
    path: str = ""
    jump: int = 0
    rules: tuple[str, ...] = ()
    span: Span | None = None
    name: str = ""
    looks_at: Sight = "anything"
    """What a step looks at; it is passed over while that is as it was when it found nothing to do."""

    def __str__(self) -> str:
        parts = [self.code, self.name, self.path, f"-> {self.jump}" if self.jump else ""]
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Program:
    """Operations in order, under the key by which frames name it."""

    key: str
    ops: tuple[Op, ...]

    def __str__(self) -> str:
        lines = (f"{position:3} {op}" for position, op in enumerate(self.ops))
        return "\n".join((self.key, *lines))
