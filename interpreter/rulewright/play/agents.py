"""Who answers the decisions of a game: agents.

An agent sees what its player may see (a view) and the decision, and gives the id of one option. The random agent has
an integer generator of its own, so that a seed gives the same answers on every machine.
"""

from typing import Any, Protocol

_MASK = (1 << 64) - 1


class Agent(Protocol):
    """Answers decisions for one player."""

    def choose(self, view: Any, decision: Any) -> str:
        """Give the id of one of the decision's options; ``view`` is what this player may know of the game."""
        ...


class RandomSource:
    """A small generator of integers (SplitMix64): the same numbers from the same seed, everywhere.

    >>> RandomSource(1).below(1000), RandomSource(1).below(1000)
    (465, 465)
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        """Give the next number of 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """Give a number from 0 up to, not including, ``bound``; every one is as likely."""
        limit = (1 << 64) - (1 << 64) % bound
        number = self.next()
        while number >= limit:
            number = self.next()
        return number % bound


class RandomAgent:
    """Answers each decision with any of its options, each as likely as the others.

    Only what merely adds resources is taken seldom: payments add what they need by themselves, and what is added
    without need is lost.
    """

    def __init__(self, seed: int) -> None:
        self.random = RandomSource(seed)

    def choose(self, view: Any, decision: Any) -> str:
        """Give the id of an option picked at random."""
        weights = [1 if option.kind == "add" else SELDOM for option in decision.options]
        number = self.random.below(sum(weights))
        for option, weight in zip(decision.options, weights, strict=True):
            number -= weight
            if number < 0:
                return str(option.id)
        raise AssertionError("the weights add up to more than any number below their sum")


class EagerAgent:
    """A random agent that leans to what is worth seeing: reactions, cards it has not played yet, doing before ending.

    Each option keeps some chance, so that in enough games every choice is made.
    """

    def __init__(self, seed: int) -> None:
        self.random = RandomSource(seed)
        self.played: set[str] = set()

    def choose(self, view: Any, decision: Any) -> str:
        """Give the id of an option, picked at random by these leanings."""
        weights = [self._weight(decision, option) for option in decision.options]
        number = self.random.below(sum(weights))
        for option, weight in zip(decision.options, weights, strict=True):
            number -= weight
            if number < 0:
                if option.kind in ("play", "use"):
                    self.played.add(_name(option))
                return str(option.id)
        raise AssertionError("the weights add up to more than any number below their sum")

    def _weight(self, decision: Any, option: Any) -> int:
        if option.kind == "add":
            return 1
        if option.kind in ("play", "use"):
            reaction = decision.kind in ("priority", "focus")
            return (60 if reaction else 40) * (3 if _name(option) not in self.played else 1)
        if option.kind in ("move", "hide"):
            return 40
        # Ending a turn, passing and declining let go what else could be seen.
        return 10 if option.id in ("end", "pass", "no") else SELDOM


def _name(option: Any) -> str:
    """Give the words of an option: two copies of a card have the same."""
    return str(option.label)


SELDOM = 20
"""How many times as likely as an option that only adds resources any other option is."""
