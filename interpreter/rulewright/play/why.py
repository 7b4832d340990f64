"""Explains one line of a game's log: what it follows from, the words behind it, and what followed from it."""

from dataclasses import dataclass

from rulewright.engine import Game, LogRecord
from rulewright.errors import UsageError
from rulewright.play.words import words_behind


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why something happened.

    ``because`` are the lines that it goes back to, the nearest first; the last is what a player chose to do, or a
    phase. ``words`` are the card's words behind it. Of what followed from it, ``triggered`` are the abilities that
    triggered, ``replaced`` the events that did not happen because something else stood in for them, ``then`` the rest.
    """

    record: LogRecord
    because: tuple[LogRecord, ...]
    words: str
    triggered: tuple[LogRecord, ...]
    replaced: tuple[LogRecord, ...]
    then: tuple[LogRecord, ...]


def explain(game: Game, number: int) -> Explanation:
    """Explain the line of a number. Raises :class:`UsageError` where the log has no such line."""
    lines = {record.index: record for record in game.log}
    if number not in lines:
        last = game.log[-1].index if game.log else 0
        raise UsageError(f"the log has no line {number}; its lines are 0 to {last}")
    record = lines[number]
    because = []
    cause = record.cause
    while cause is not None and cause in lines:
        because.append(lines[cause])
        cause = lines[cause].cause
    followed = [each for each in game.log if each.cause == number]
    return Explanation(
        record,
        tuple(because),
        words_behind(record, game.ruleset),
        tuple(each for each in followed if each.verb == "trigger"),
        tuple(each for each in followed if each.verb == "replace"),
        tuple(each for each in followed if each.verb not in ("trigger", "replace")),
    )
