"""The errors that end a piece of work with a message a person can act on.

Areas derive their own errors from :class:`RulewrightError`; the command line prints any of them as
``error: place: message`` with the help below it, and ends with the error's exit code.
"""

from typing import ClassVar


class RulewrightError(Exception):
    """Something that was given cannot be worked with: a file, a text, a number, a choice.

    ``message`` says what was expected and what was found, ``place`` where (``cards.yaml:14:31``, a rule
    number, a card), ``help`` what to do about it.

    >>> str(RulewrightError("there is no rule 999.9", place="duel.yaml:3"))
    'duel.yaml:3: there is no rule 999.9'
    """

    exit_code: ClassVar[int] = 2

    def __init__(self, message: str, *, place: str | None = None, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.help = help

    def __str__(self) -> str:
        return self.message if self.place is None else f"{self.place}: {self.message}"

    def __reduce__(self) -> tuple[object, ...]:
        # The default pickling loses keyword-only parts, and a simulation's errors cross process borders.
        return _restore, (type(self), self.__dict__)


class UsageError(RulewrightError):
    """A command was asked for something it cannot do: a missing file, a wrong option, a wrong folder."""


class FindingError(RulewrightError):
    """A check did its work and what it looked at does not hold; the command ends with exit code 1."""

    exit_code: ClassVar[int] = 1


def _restore(kind: type[RulewrightError], parts: dict[str, object]) -> RulewrightError:
    error = kind.__new__(kind)
    error.__dict__.update(parts)
    error.args = (parts["message"],)
    return error
