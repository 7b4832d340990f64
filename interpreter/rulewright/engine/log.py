"""What happened, why, and by which rule: one record for each line of a log."""

from dataclasses import dataclass

from rulewright.language.ast import Span


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
