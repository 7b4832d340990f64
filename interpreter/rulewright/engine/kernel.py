"""The kernel's whole list of primitives: importing this module registers every step and condition.

Primitives are what is left when all that is data is data. Steps, conditions, writes and verbs are registered where
they are defined; what is at work all the time (layers, replacement, choices) is listed here with the function that
does it. The entries of the rules name primitives in ``by`` and in their procedures.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rulewright.engine.events import happening, perform
from rulewright.engine.instructions import interpret, verbs
from rulewright.engine.playing import chain, discretionary, targets
from rulewright.engine.program.compile import VERBS
from rulewright.engine.program.primitives import PREDICATES, STEPS, WRITES, tests
from rulewright.engine.turn import combat, flow, removal

__all__ = ["KINDS", "MECHANISMS", "PREDICATES", "STEPS", "Primitive", "catalogue", "tests"]

REGISTERED = (chain, combat, discretionary, flow, happening, interpret, perform, removal, targets, verbs)
"""The modules that register operations, steps, conditions, writes and verbs when they are imported."""

_NUMBER = re.compile(r"\b[0-9]{3}(?:\.[0-9a-z]{1,2})*\b")

KINDS = ("step", "condition", "write", "verb", "mechanism")
"""What a primitive can be: a step of a procedure, what a step depends on, a change of the state, what an instruction
does, or something that is at work all the time."""


@dataclass(frozen=True, slots=True)
class Primitive:
    """One primitive of the kernel. Its name may be that of a step and of a verb: then both do the same thing."""

    name: str
    kinds: tuple[str, ...]
    rules: tuple[str, ...]
    about: str


MECHANISMS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "still-legal": (
        "query.targets.still_legal",
        ("359.3.e.2", "359.3.e.5"),
        "Leave out targets that are no longer legal when their instruction is carried out.",
    ),
    "choose-destination": (
        "query.targets.destinations",
        ("355.4", "449.2"),
        "Offer the places that a move may end at, and tell where a unit may be.",
    ),
    "choose-modes": (
        "query.targets.mode_possible",
        ("355.3",),
        "Offer the modes of a list that can be carried out.",
    ),
    "carry-out": (
        "instructions.verbs.doers_of",
        ("135.2.b", "340.1"),
        "Carry out one instruction as far as it is possible, with the choices that are made on resolution.",
    ),
    "test": (
        "query.select.holds",
        ("359.3.e.14", "383.2.a.1"),
        "Go on, or not, by a condition, a gate, or what the instruction before has done.",
    ),
    "run-out": (
        "instructions.verbs.take_on",
        ("431.1", "440.4"),
        "Take more cards than a deck has: what there are, a burn out, the rest.",
    ),
    "skip": (
        "instructions.interpret.skipped",
        ("443.1", "443.4"),
        "Leave out a turn, or a part of one, that an effect says to skip.",
    ),
    "may": (
        "instructions.interpret._may",
        ("371.2", "383.3.a"),
        "Ask a player whether they do what they may.",
    ),
    "name-word": (
        "instructions.interpret._word",
        ("760", "763"),
        "Let a player name a card, a type or a tag.",
    ),
    "pay-cost": (
        "instructions.interpret.pay_cost",
        ("204.3", "357.2"),
        "Pay a cost within instructions, or the actions of a cost, in full or not at all.",
    ),
    "price": (
        "query.price.total_price",
        ("356",),
        "Put a total cost together: base, additional, increases, discounts and their minimums.",
    ),
    "plan": (
        "query.payment.plans",
        ("357.1.a", "429.3"),
        "Find ways to add what a pool lacks by abilities that add resources.",
    ),
    "happen": (
        "events.happening.happen",
        ("370.1", "373"),
        "Let simultaneous events be replaced, performed at once, recorded and watched.",
    ),
    "can-happen": (
        "query.possible.can_happen",
        ("358.3.a", "414.1.c"),
        "Leave out events that something forbids or that would change nothing.",
    ),
    "replacements": (
        "events.happening.replacements",
        ("367", "370.2", "372"),
        "Apply replacement effects one after the other, each at most once to an event.",
    ),
    "watch": (
        "events.happening.put_trigger",
        ("382", "383.2.c"),
        "Put abilities whose condition an event has fulfilled onto the chain.",
    ),
    "begin-effect": (
        "run.Run.add_lasting",
        ("390", "477.3.b"),
        "Let a continuous effect or a delayed ability begin, with what it fixes.",
    ),
    "reflexive": (
        "instructions.interpret._reflexive",
        ("387", "388"),
        "Put an ability onto the chain because an instruction says so.",
    ),
    "characteristics": (
        "query.layers.traits",
        ("473", "476", "477"),
        "Compute what an object is from printed traits and effects, in layers.",
    ),
    "gate": (
        "query.layers.gate_open",
        ("727.1", "721.2"),
        "Tell whether an ability behind a dependent keyword is active.",
    ),
    "refer": (
        "query.select.refs",
        ("359.3.f", "740.1"),
        "Find what words mean: objects, players, places, amounts, the source and its last known information.",
    ),
    "legal-options": (
        "playing.options.legal_options",
        ("338.1", "347", "410.1"),
        "List what a player may begin, by permissions, targets and cost.",
    ),
    "timing": (
        "playing.permissions.permission_needed",
        ("308.1", "309.1", "310.1"),
        "Tell which permission something needs to be played or used in the state of the turn.",
    ),
    "standard-move": (
        "playing.discretionary._standard_move",
        ("144", "420.3"),
        "Move units together to one place, exhausting them as the cost.",
    ),
    "hide-card": (
        "playing.discretionary.hide",
        ("421", "811.1.b"),
        "Put a card facedown at a battlefield for its price.",
    ),
    "put-on-chain": (
        "playing.chain.put_card",
        ("354", "401"),
        "Put a card, token or ability onto the chain as a pending item.",
    ),
    "leave-chain": (
        "events.perform.leave_chain",
        ("319.5", "359.3.d"),
        "Take an item off the chain; its card goes to its owner's trash, or where something sends it.",
    ),
    "enter": (
        "playing.chain.enter",
        ("359.2", "369.3"),
        "Let a permanent enter where and how it was chosen, said or replaced.",
    ),
    "undo": (
        "playing.chain.undo",
        ("358.5", "402.4"),
        "Take an illegal play back whole, or an ability that cannot be finalized off the chain.",
    ),
    "score-battlefields": (
        "turn.flow.score",
        ("470", "471"),
        "Score battlefields: at most once each turn, for a point or, short of the last one, a card.",
    ),
    "view": (
        "view.may_read",
        ("128", "424.1"),
        "Show a player the objects that they may know, and no others.",
    ),
    "play-match": (
        "play.match.Match",
        ("486.5", "486.6"),
        "Play a match of several games, with the battlefields that may still be brought.",
    ),
    "check-team": (
        "cards.construction.check_team",
        ("489.8.h", "489.8.i"),
        "Tell what the decks of one team have in common and may not.",
    ),
    "check-deck": ("cards.construction.check_deck", ("101", "103"), "Tell what is wrong with a deck."),
}
"""What is at work all the time, by name: the function that does it, the rules that define it, and what it does.

A function is named below :mod:`rulewright.engine`, or below :mod:`rulewright` where it stands in another package.
"""


def catalogue() -> dict[str, Primitive]:
    """Give every primitive of the kernel by the name under which entries name it, in the order of the alphabet."""
    found: dict[str, Primitive] = {}
    for one in (*_steps(), *_conditions(), *_writes(), *_verbs(), *_mechanisms()):
        known = found.get(one.name, one)
        found[one.name] = Primitive(
            one.name,
            tuple(dict.fromkeys((*known.kinds, *one.kinds))),
            tuple(dict.fromkeys((*known.rules, *one.rules))),
            known.about,
        )
    return dict(sorted(found.items()))


def _steps() -> Iterable[Primitive]:
    return (Primitive(name, ("step",), made.rules, _sentence(made.function)) for name, made in STEPS.items())


def _conditions() -> Iterable[Primitive]:
    return (
        Primitive(name, ("condition",), _rules(test), _sentence(test)) for name, test in PREDICATES.items()
    )


def _writes() -> Iterable[Primitive]:
    return (
        Primitive(name, ("write",), rules, _sentence(function)) for name, (function, rules) in WRITES.items()
    )


def _verbs() -> Iterable[Primitive]:
    """Yield what verbs do, under the first of the verbs that do it; verbs that only propose their event are left out.

    Those are made by their procedures: to kill, buff or stun is what the rules' own steps say.
    """
    first: dict[Any, str] = {}
    for name, function in VERBS.items():
        if function is not verbs.plain and function.__doc__:
            first.setdefault(function, name)
    return (Primitive(name, ("verb",), _rules(made), _sentence(made)) for made, name in first.items())


def _mechanisms() -> Iterable[Primitive]:
    return (Primitive(name, ("mechanism",), rules, about) for name, (_, rules, about) in MECHANISMS.items())


def _rules(function: Any) -> tuple[str, ...]:
    """Give the rules that a function names in what it says of itself."""
    return tuple(dict.fromkeys(_NUMBER.findall(function.__doc__ or "")))


def _sentence(function: Any) -> str:
    """Give the first line of what a function says of itself, without the rule that it begins with."""
    first = (function.__doc__ or "").strip().splitlines()[:1]
    head, colon, rest = (first or [""])[0].partition(": ")
    words = rest if colon and head[:1].isdigit() else (first or [""])[0]
    return words[:1].upper() + words[1:]
