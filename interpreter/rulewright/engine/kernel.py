"""The kernel's whole list of primitives: importing this module registers every step and condition.

The areas that define primitives import only the registry (:mod:`rulewright.engine.primitives`); whoever needs
them all imports them from here.
"""

from rulewright.engine import combat, flow  # noqa: F401 -- importing them registers their steps
from rulewright.engine.perform import WRITES
from rulewright.engine.primitives import PREDICATES, STEPS, tests

__all__ = ["PREDICATES", "STEPS", "catalogue", "tests"]


MECHANISMS: dict[str, tuple[tuple[str, ...], str]] = {
    "still_legal": (
        ("359.3.e.2", "359.3.e.5"),
        "Leave out targets that are no longer legal when their instruction is carried out.",
    ),
    "choose_destination": (("355.4",), "Offer the places that a move may end at."),
    "choose_modes": (("355.3",), "Offer the modes of a list that can be carried out."),
    "carry_out": (
        ("135.2.b", "340.1"),
        "Carry out one instruction as far as it is possible, with the choices that are made on resolution.",
    ),
    "test": (
        ("359.3.e.14", "383.2.a.1"),
        "Go on, or not, by a condition, a gate, or what the instruction before has done.",
    ),
    "may": (("371.2", "383.3.a"), "Ask a player whether they do what they may."),
    "pay_cost": (
        ("204.3", "357.2"),
        "Pay a cost within instructions, or the actions of a cost, in full or not at all.",
    ),
    "price": (
        ("356",),
        "Put a total cost together: base, additional, increases, discounts and their minimums.",
    ),
    "plan": (("357.1.a", "429.3"), "Find ways to add what a pool lacks by abilities that add resources."),
    "happen": (
        ("370.1", "373"),
        "Let simultaneous events be replaced, performed at once, recorded and watched.",
    ),
    "can_happen": (
        ("358.3.a", "414.1.c"),
        "Leave out events that something forbids or that would change nothing.",
    ),
    "replace": (
        ("367", "370.2", "372"),
        "Apply replacement effects one after the other, each at most once to an event.",
    ),
    "watch": (("382", "383.2.c"), "Put abilities whose condition an event has fulfilled onto the chain."),
    "begin_effect": (
        ("390", "477.3.b"),
        "Let a continuous effect or a delayed ability begin, with what it fixes.",
    ),
    "reflexive": (("387", "388"), "Put an ability onto the chain because an instruction says so."),
    "characteristics": (
        ("473", "476", "477"),
        "Compute what an object is from printed traits and effects, in layers.",
    ),
    "gate": (("727.1", "721.2"), "Tell whether an ability behind a dependent keyword is active."),
    "refer": (
        ("359.3.f", "740.1"),
        "Find what words mean: objects, players, places, amounts, the source and its last known information.",
    ),
    "legal_options": (
        ("338.1", "347", "410.1"),
        "List what a player may begin, by permissions, targets and cost.",
    ),
    "standard_move": (("144", "420.3"), "Move units together to one place, exhausting them as the cost."),
    "hide_card": (("421", "811.1.b"), "Put a card facedown at a battlefield for its price."),
    "play": (("354", "419.1"), "Put a card, token or ability onto the chain as a pending item."),
    "enter": (("359.2", "369.3"), "Let a permanent enter where and how it was chosen, said or replaced."),
    "undo": (
        ("358.5",),
        "Take an illegal play back whole, or an ability that cannot be finalized off the chain.",
    ),
    "view": (("128", "424.1"), "Show a player the objects that they may know, and no others."),
    "check_deck": (("101", "103"), "Tell what is wrong with a deck."),
}
"""What the kernel does besides steps and writes, by name, with the rules that define it."""


def catalogue() -> dict[str, tuple[tuple[str, ...], str]]:
    """Give every primitive of the kernel with its rules and what it does, as entries name it in ``by``."""
    found = {name: (made.rules, made.about) for name, made in STEPS.items()}
    for name, (function, rules) in WRITES.items():
        found[name] = (rules, (function.__doc__ or "").strip().splitlines()[0])
    found |= MECHANISMS
    return {name.replace("-", "_"): found[name] for name in sorted(found)}
