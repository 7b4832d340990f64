"""Writes the log of a game as a judge would: what happened, by which words, and beside it the rules.

A log has a record for each step; here a play and its payment are one line with one below it, and a phase in which
nothing happened is left out. ``rulewright replay --steps`` shows every record.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rulewright.apps.cli.lines import Line, line

if TYPE_CHECKING:
    from rulewright.engine import LogRecord, Ruleset

COLUMN = 84
"""Where the rules stand, in characters from the left."""

PAYMENT = ("exhaust", "recycle", "add", "pay")
"""Verbs of records that tell how a play was paid for."""


def log_lines(
    records: "Iterable[LogRecord]", ruleset: "Ruleset", reader: int | None = None
) -> Iterator[Line]:
    """Give the lines of a log; ``reader`` is the player who reads it, nothing for one who may know all."""
    writer = _Writer(ruleset, reader)
    for record in records:
        yield from writer.take(record)
    yield from writer.rest()


def step_lines(records: "Iterable[LogRecord]") -> Iterator[Line]:
    """Give every record of a log as a line of its own, with its number."""
    for record in records:
        yield _ruled(f"{record.index:5}  {'  ' * record.depth}{record.text}", record.rules, 0)


class _Writer:
    """The log so far as it is not written yet: the heading that waits for a line, the play that is being paid."""

    def __init__(self, ruleset: "Ruleset", reader: int | None) -> None:
        self.ruleset = ruleset
        self.reader = reader
        self.turn: tuple[str, tuple[str, ...]] = ("", ())
        self.heading: Line | None = None
        self.play: LogRecord | None = None
        self.paid: list[LogRecord] = []
        self.readied: list[LogRecord] = []

    def take(self, record: "LogRecord") -> Iterator[Line]:
        if record.verb == "begin-turn":
            yield from self.rest()
            self.turn = record.text.replace(": ", ", "), record.rules
        elif record.verb == "phase":
            yield from self.rest()
            text, rules = self.turn
            self.turn = text, ()
            self.heading = _ruled(f"{text}, {record.text}", (*rules, *record.rules), 0, "bold")
        elif record.verb == "ready" and self.play is None:
            self.readied.append(record)
        elif record.verb == "put":
            yield from self.rest()
            self.play = record
        elif self.play is not None and record.verb in PAYMENT:
            self.paid.append(record)
        elif self.play is not None and record.verb == "finalize":
            yield from self._played(self.play, record)
        else:
            yield from self.rest()
            yield from self._written(record)

    def rest(self) -> Iterator[Line]:
        """Write what has been waiting: what was readied, and a play that did not come to its finalization."""
        readied, self.readied = self.readied, []
        if readied:
            names = [self._text(record).partition(" is ")[0] for record in readied]
            told = f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} readied"
            yield from self._line(told, readied[0].rules, readied[0].depth)
        waiting = ([] if self.play is None else [self.play]) + self.paid
        self.play, self.paid = None, []
        for record in waiting:
            yield from self._written(record)

    def _played(self, play: "LogRecord", finalized: "LogRecord") -> Iterator[Line]:
        paid, self.play, self.paid = self.paid, None, []
        chosen = self._text(finalized).partition(" is finalized")[2]
        yield from self._line(self._text(play) + chosen, (*play.rules, *finalized.rules), play.depth)
        if paid:
            rules = tuple(dict.fromkeys(rule for record in paid for rule in record.rules))
            yield from self._line(self._payment(paid), rules, play.depth + 1)

    def _payment(self, paid: "list[LogRecord]") -> str:
        prices = [self._text(record).partition(" pays ")[2] for record in paid if record.verb == "pay"]
        parts = [f"paid with {' and '.join(prices)}"] if prices else []
        for verb, told in (("exhaust", "exhausting"), ("recycle", "recycling")):
            names = [self._text(record).partition(" is ")[0] for record in paid if record.verb == verb]
            parts += [f"{told} {', '.join(names)}"] if names else []
        return ", ".join(parts)

    def _written(self, record: "LogRecord") -> Iterator[Line]:
        text = self._text(record)
        if record.verb in ("resolve", "trigger"):
            from rulewright.play.words import words_behind

            words = words_behind(record, self.ruleset)
            text += f': "{words}"' if words else ""
        if record.verb != "finalize" or ", choosing" in text:
            yield from self._line(text, record.rules, record.depth)

    def _line(self, text: str, rules: tuple[str, ...], depth: int) -> Iterator[Line]:
        if self.heading is not None:
            yield self.heading
            self.heading = None
        yield _ruled(text, rules, (2 if self.turn[0] else 0) + 2 * depth)

    def _text(self, record: "LogRecord") -> str:
        hidden = self.reader is not None and self.reader in record.secret_to
        return record.public_text if hidden else record.text


def _ruled(text: str, rules: tuple[str, ...], indent: int, style: str = "") -> Line:
    gap = max(2, COLUMN - indent - len(text))
    return line((text, style), " " * gap, ("  ".join(rules), "cyan"), indent=indent)
