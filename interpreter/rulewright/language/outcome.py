"""What comes of reading a text: its meaning, or diagnostics with their places and fixes."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.language import ast


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of the text that puts a finding right: the characters that are replaced, and by what.

    safe: it may be made unasked, because nobody can have meant anything else. Others are proposals.
    """

    span: tuple[int, int]
    text: str
    safe: bool = False

    def applied(self, text: str) -> str:
        """Give the text with the change made.

        >>> Fix((5, 6), "2").applied("Draw 1.")
        'Draw 2.'
        """
        return text[: self.span[0]] + self.text + text[self.span[1] :]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing found in a text.

    code: as ``rulewright explain`` knows it. severity: error or warning. span: the characters meant. expected: what
    could have stood there, in plain English, at most eight names. help: what to do. rule: the number of the rule
    that says so. fix: a change that puts it right. notes: more lines, such as the readings of a text that has two.
    """

    code: str
    severity: str
    span: tuple[int, int]
    message: str
    expected: tuple[str, ...] = ()
    help: str | None = None
    rule: str | None = None
    fix: Fix | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def at(cls, code: str, message: str, start: int, end: int) -> Diagnostic:
        """Make an error at a place."""
        return cls(code, "error", (start, end), message)


SHOWN = 140
"""How many characters of a line are shown around a place, so that what is meant is seen on a screen."""

_BEFORE = 70
"""How many of them stand before the place."""


def pointed_at(line: str, start: int, width: int) -> tuple[str, str]:
    """Give the part of a line that is shown for a place in it, and the line of carets below.

    What has no shape of its own, or would steer the terminal, is shown as �.

    >>> pointed_at("Draw x.", 5, 1)
    ('Draw x.', '     ^')
    """
    cut = max(0, start - _BEFORE)
    shown = "".join(
        char if char.isprintable() else "�" for char in line[cut : cut + SHOWN].replace("\t", " ")
    )
    marks = "^" * max(1, min(width, len(shown) - (start - cut)))
    indent = ("   " if cut else "") + " " * (start - cut)
    return ("..." if cut else "") + shown + ("..." if len(line) > cut + SHOWN else ""), indent + marks


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a text.

    text: its meaning, None where it could not be read whole. readings: all meanings that were possible, the chosen
    one first. diagnostics: errors (the text was not read) and warnings (it was, and should be looked at).
    """

    text: ast.CardText | None
    diagnostics: tuple[Diagnostic, ...] = ()
    readings: tuple[ast.CardText, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the text was read whole."""
        return self.text is not None
