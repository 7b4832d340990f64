"""Why a text could not be read: the place, what was expected there, and what might have been meant."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from rulewright.language.forest import Refused
from rulewright.language.lex import Token

if TYPE_CHECKING:
    from rulewright.language.parse import Reader


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing found in a text.

    code: as ``rulewright explain`` knows it. severity: error or warning. span: the characters meant. expected: what
    could have stood there, in plain English, at most eight names. help: what to do.
    """

    code: str
    severity: str
    span: tuple[int, int]
    message: str
    expected: tuple[str, ...] = ()
    help: str | None = None

    @classmethod
    def at(cls, code: str, message: str, start: int, end: int) -> Diagnostic:
        """Make an error at a place."""
        return cls(code, "error", (start, end), message)


def diagnose(reader: Reader, text: str, tokens: list[Token], stopped: Any) -> tuple[Diagnostic, ...]:
    """Say why a paragraph could not be read."""
    unknown = [token for token in tokens if token.type == "UNKNOWN"]
    if unknown:
        return tuple(_unknown_word(reader, token) for token in unknown)
    if isinstance(stopped, Refused):
        start, end = stopped.span or (tokens[0].start, tokens[-1].end)
        return (Diagnostic.at("RW105", stopped.reason, start, end),)
    token = getattr(stopped, "token", None)
    if isinstance(token, Token):
        return (Diagnostic.at("RW104", f"“{token.text}” does not fit here", token.start, token.end),)
    return (Diagnostic.at("RW104", "the text ends too early", tokens[-1].end, tokens[-1].end),)


def _unknown_word(reader: Reader, token: Token) -> Diagnostic:
    words = [*reader.vocabulary.words, *reader.grammar.literals]
    close = get_close_matches(token.text.lower(), words, 1, 0.75)
    help_text = f"did you mean “{close[0]}”?" if close else None
    return Diagnostic(
        "RW103", "error", (token.start, token.end), f"“{token.text}” is not a word of this game", (), help_text
    )
