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
    """A random agent that leans to what is worth seeing: reactions, what it has not used yet, dear cards.

    Where a player may act it picks first what to do (play, use, move, hide, pass), then one option of that sort, so
    that having many units does not mean that they only move. Each option keeps some chance, so that in enough games
    every choice is made.
    """

    def __init__(self, seed: int) -> None:
        self.random = RandomSource(seed)
        self.used: set[str] = set()
        self.acts = TEMPERS[self.random.below(len(TEMPERS))]

    def choose(self, view: Any, decision: Any) -> str:
        """Give the id of an option, picked at random by these leanings."""
        if decision.kind not in ACTING:
            # Declining lets go what else could be seen.
            return str(
                self._pick([(option, 1 if option.id == "no" else 3) for option in decision.options]).id
            )
        sorts: dict[str, list[Any]] = {}
        for option in decision.options:
            sorts.setdefault(option.kind, []).append(option)
        sort = self._pick([(sort, self.acts.get(sort, PASSING)) for sort in sorts])
        found = self._pick([(option, self._lean(view, option)) for option in sorts[sort]])
        if found.kind in ("play", "use"):
            self.used.add(str(found.label))
        return str(found.id)

    def _pick(self, weighted: list[tuple[Any, int]]) -> Any:
        number = self.random.below(sum(weight for _, weight in weighted))
        for found, weight in weighted:
            number -= weight
            if number < 0:
                return found
        raise AssertionError("the weights add up to more than any number below their sum")

    def _lean(self, view: Any, option: Any) -> int:
        """Tell how much an option is preferred to others of its sort; two copies of a card have the same label."""
        if option.kind not in ("play", "use"):
            return 1
        fresh = 3 if str(option.label) not in self.used else 1
        return fresh * (1 + view.energy_cost(option.ref)) if option.kind == "play" else fresh


ACTING = ("action", "priority", "focus")
"""The kinds of decisions in which a player may do one of many things, or let them be."""

PASSING = 30
"""How often a player ends a turn or passes, as to the weights of the tempers."""

TEMPERS: tuple[dict[str, int], ...] = (
    {"play": 300, "use": 200, "move": 200, "hide": 150, "add": 1},
    {"play": 300, "use": 200, "move": 30, "hide": 150, "add": 1},
)
"""How often each sort of act is picked, by temper: some go to battle at once, some gather first."""

SELDOM = 20
"""How many times as likely as an option that only adds resources any other option is."""
