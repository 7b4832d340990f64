"""The kernel's primitives by name: what the steps of a procedure may do, ask for and depend on.

A procedure of the rules (``procedure: {name, steps}``) is made of these; they, and the writes that
an event consists of, are all that is not data. Each names the rules that define it.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from rulewright.engine.run import Run
    from rulewright.engine.state.objects import Event, Frame

Function = Callable[["Run", "Frame", Mapping[str, Any], tuple[str, ...]], str | None]
"""A step: gives nothing to go on, ``"return"`` to end the procedure, ``"again"`` to be carried out again."""


Sight = Literal["anything", "board", "places"]
"""What a step looks at: ``places`` are where the cards of the board lie, under whose control, attached to what and
with which printed words, the marks on locations, and the showdown or combat under way; the ``board`` is that with
characteristics, damage and points."""


class Step:
    """A primitive step: its function and the rules that define it."""

    __slots__ = ("function", "looks_at", "name", "rules")

    def __init__(self, name: str, function: Function, rules: tuple[str, ...], looks_at: Sight) -> None:
        self.name = name
        self.function = function
        self.rules = rules
        self.looks_at = looks_at

    @property
    def about(self) -> str:
        """What it does, in a sentence."""
        return (self.function.__doc__ or "").strip().splitlines()[0]


STEPS: dict[str, Step] = {}
"""Every primitive step by name."""

PREDICATES: dict[str, Callable[["Run", "Frame", Any], bool]] = {}
"""Every condition that a step may stand under, by name."""


def step(name: str, *rules: str, looks_at: Sight = "anything") -> Callable[[Function], Function]:
    """Register a primitive step under a name, with the rules that define it.

    It is not carried out again while what it looks at is as it was when it found nothing to do.
    """

    def register(function: Function) -> Function:
        STEPS[name] = Step(name, function, rules, looks_at)
        return function

    return register


def holds(
    name: str,
) -> Callable[[Callable[["Run", "Frame", Any], bool]], Callable[["Run", "Frame", Any], bool]]:
    """Register a condition under a name."""

    def register(function: Callable[["Run", "Frame", Any], bool]) -> Callable[["Run", "Frame", Any], bool]:
        PREDICATES[name] = function
        return function

    return register


Test = tuple[Callable[["Run", "Frame", Any], bool], bool, Any]
"""A condition as it is tested: the predicate, what it must give, and the value it is asked about."""


def tests(words: Any) -> tuple[Test, ...]:
    """Give the tests of a condition: a name, ``not`` and a name, a name with a value, or several that all must hold."""
    pairs = {words: None} if isinstance(words, str) else dict(words)
    return tuple(
        (PREDICATES[name.removeprefix("not ")], not name.startswith("not "), value)
        for name, value in pairs.items()
    )


Write = Callable[["Run", "Event", Mapping[str, Any]], None]

WRITES: dict[str, tuple[Write, tuple[str, ...]]] = {}
"""Every write by name, with the rules that define it."""


def write(name: str, *rules: str) -> Callable[[Write], Write]:
    """Register a write under a name, with the rules that define it."""

    def register(function: Write) -> Write:
        WRITES[name] = (function, rules)
        return function

    return register
