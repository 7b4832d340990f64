"""The kernel's whole list of primitives: importing this module registers every step and condition.

The areas that define primitives import only the registry (:mod:`rulewright.engine.primitives`); whoever needs
them all imports them from here.
"""

from rulewright.engine import combat, flow  # noqa: F401 -- importing them registers their steps
from rulewright.engine.perform import WRITES
from rulewright.engine.primitives import PREDICATES, STEPS, tests

__all__ = ["PREDICATES", "STEPS", "catalogue", "tests"]


def catalogue() -> dict[str, tuple[tuple[str, ...], str]]:
    """Give every primitive of the kernel with its rules and what it does: steps and writes."""
    found = {name: (made.rules, made.about) for name, made in STEPS.items()}
    for name, (function, rules) in WRITES.items():
        found[name] = (rules, (function.__doc__ or "").strip().splitlines()[0])
    return dict(sorted(found.items()))
