"""Checks one text of one card: it is read whole and in one way, makes sense there, and is worded as the house does."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.cards.card import CardDefinition
from rulewright.cards.checks.facts import GameFacts
from rulewright.cards.checks.findings import made
from rulewright.cards.checks.meaning import bearer_of, domains_of_costs, meaning_diagnostics
from rulewright.cards.checks.readings import reading_diagnostics
from rulewright.cards.checks.reminders import reminder_diagnostics
from rulewright.errors import RulewrightError
from rulewright.language import ast
from rulewright.language.outcome import Diagnostic, Fix

if TYPE_CHECKING:
    from rulewright.language import Vocabulary

ROUNDS = 5
"""How often a text is looked at again after fixes: a spelling put right may leave a wording to be put right."""

_REMINDER = re.compile(r"[ \t]*_?\([^()]*\)_?")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
_LINE_ENDS = ("\x0b", "\x0c", "\x85", "\u2028", "\u2029")


def check_text(
    card: CardDefinition,
    key: str,
    text: str,
    facts: GameFacts,
    words: "Vocabulary | None" = None,
    identities: tuple[frozenset[str], ...] = (),
) -> tuple[Diagnostic, ...]:
    """Give all that is found in a text that stands under a key of a card, in the order of the text.

    ``identities`` are the domains of each card that fixes a deck's domains; none given: costs in a text are not held
    to them.
    """
    if found := tuple(_CONTROL.finditer(text)):
        return tuple(map(_invisible, found))
    if not text.strip():
        return (made("RW206", "the text is blank", (0, len(text)), help="leave the key out"),)
    from rulewright.language import parse

    try:
        reading = parse(text, words)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        message = f"reading this text failed inside Rulewright: {type(error).__name__}: {error}"
        return (made("RW199", message, (0, len(text))),)
    found_here = [*reading.diagnostics]
    if reading.text is not None:
        found_here += _of_meaning(card, key, text, reading.text, reading.readings, facts, words, identities)
    found_here += reminder_diagnostics(text, facts)
    return tuple(sorted(dict.fromkeys(found_here), key=lambda one: (one.span, one.code)))


def _invisible(found: re.Match[str]) -> Diagnostic:
    fix = Fix(found.span(), "\n" if found.group() in _LINE_ENDS else "", safe=True)
    return made("RW102", f"an invisible character, U+{ord(found.group()):04X}", found.span(), fix=fix)


def _of_meaning(
    card: CardDefinition,
    key: str,
    text: str,
    meaning: ast.CardText,
    readings: tuple[ast.CardText, ...],
    facts: GameFacts,
    words: "Vocabulary | None",
    identities: tuple[frozenset[str], ...],
) -> Iterator[Diagnostic]:
    if not meaning.abilities:
        yield made("RW206", "the text is only reminder text, and means nothing", (0, len(text)))
        return
    yield from meaning_diagnostics(meaning, text, bearer_of(card, key, meaning, facts))
    yield from reading_diagnostics(readings, text, words, card.name)
    yield from _payable_domains(card, meaning, text, facts, identities)
    yield from _wording(meaning, text, words)


def _payable_domains(
    card: CardDefinition,
    meaning: ast.CardText,
    text: str,
    facts: GameFacts,
    identities: tuple[frozenset[str], ...],
) -> Iterator[Diagnostic]:
    """103.1.b.4: a card's domains, and those of which its costs take Power, lie within the domains of one deck."""
    asked = domains_of_costs(meaning, text)
    own = asked.pop("own", None)
    if own is not None and not card.domains and not card.token:
        message = "[C] is Power of the card's own domain, and it has none"
        yield made("RW306", message, own, rule=facts.payment_rule)
    needed = {*card.domains, *asked}
    if asked and identities and not any(needed <= identity for identity in identities):
        span = min(asked.values())
        message = f"no legend has the domains {', '.join(sorted(needed))}, so that no deck pays this"
        yield made("RW306", message, span, rule=facts.payment_rule)


def _wording(meaning: ast.CardText, text: str, words: "Vocabulary | None") -> Iterator[Diagnostic]:
    from rulewright.cards.canonical import canonical_wording

    try:
        canonical = canonical_wording(meaning, words)
    except RulewrightError as error:
        yield made("RW207", f"the house wording cannot be written: {error.message:.120}", (0, len(text)))
        return
    bare = _REMINDER.sub("", text)
    if canonical not in (text, bare.strip()):
        span = _difference(text, canonical)
        fix = Fix((0, len(text)), canonical, safe=bare == text)
        shown = canonical if "\n" not in canonical else _line_at(canonical, span[0])
        yield made("RW202", "this is not the house wording", span, help=f"write “{shown}”", fix=fix)


def _difference(text: str, other: str) -> tuple[int, int]:
    """Give the stretch of a text outside which it equals another, whole words taken."""
    start = 0
    while start < min(len(text), len(other)) and text[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(text), len(other)) - start and text[-1 - end] == other[-1 - end]:
        end += 1
    while start and text[start - 1].isalnum():
        start -= 1
    stop = len(text) - end
    while stop < len(text) and text[stop].isalnum():
        stop += 1
    return start, max(stop, start)


def _line_at(text: str, place: int) -> str:
    start = text.rfind("\n", 0, min(place, len(text))) + 1
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)]


def fixed_text(text: str, diagnostics: tuple[Diagnostic, ...]) -> str:
    """Give a text with the safe fixes of its diagnostics made; where two overlap, the first in the text is made."""
    fixes = [one.fix for one in diagnostics if one.fix is not None and one.fix.safe]
    last = len(text) + 1
    for fix in sorted(fixes, key=lambda one: one.span, reverse=True):
        if fix.span[1] <= last:
            text, last = fix.applied(text), fix.span[0]
    return text
