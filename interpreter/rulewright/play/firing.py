"""Which abilities of the cards were used in a game: those with instructions, when these are carried out.

An ability that adds resources is mostly used within a payment, with no operation of its own (429.3): the log tells of
it. Each ability has a place in one sorted list of all that the cards of a game have, so that a result can hold many.
"""

from collections.abc import Iterable
from functools import cache

from rulewright.engine import Ruleset
from rulewright.engine.log import LogRecord
from rulewright.engine.program.ops import Op
from rulewright.engine.state.objects import Frame

USED = ("triggered", "activated", "replacement", "spell")
"""The kinds of abilities with instructions."""

ADDS = "add"
"""The verb of what an ability that adds resources does."""


class Firing:
    """Watches a game and notes the abilities whose instructions begin to be carried out."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.wanted = _places(ruleset)
        self.seen: set[str] = set()

    def __call__(self, frame: Frame, op: Op) -> None:
        """See one operation."""
        self.seen.add(frame.program)

    def places(self, log: Iterable[LogRecord]) -> tuple[int, ...]:
        """Give the places of the abilities that were used in the game that has this log."""
        keys = {program.partition(">")[0] for program in self.seen if ">resolve" in program}
        keys.update(line.ability for line in log if line.verb == ADDS)
        return tuple(sorted(self.wanted[key] for key in keys if key in self.wanted))


def instructed(ruleset: Ruleset) -> tuple[str, ...]:
    """Give the keys of all abilities with instructions of the cards that may be played, sorted."""
    return tuple(_places(ruleset))


@cache
def _places(ruleset: Ruleset) -> dict[str, int]:
    keys: set[str] = set()
    for name in ruleset.cards:
        if ruleset.refused(name) is None:
            script = ruleset.script(name)
            held = (*script.abilities, *(lent.ability for lent in script.lent))
            keys.update(ability.key for ability in held if ability.kind in USED)
    return {key: place for place, key in enumerate(sorted(keys))}
