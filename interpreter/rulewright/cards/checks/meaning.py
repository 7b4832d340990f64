"""Checks over what a text means: words that point at nothing, effects that never happen, keywords out of place, costs.

A text that is read has a meaning that a game can carry out; what is found here is meaning that makes no sense on this
card, or at all.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

from rulewright.cards.card import CardDefinition
from rulewright.cards.checks.facts import GameFacts
from rulewright.cards.checks.findings import made
from rulewright.language import ast
from rulewright.language.ast import Node
from rulewright.language.outcome import Diagnostic, Fix
from rulewright.language.tree import walk


@dataclass(frozen=True, slots=True)
class Bearer:
    """What bears a text: the types that it works on (an Equipment's half works on units), and the facts of the game.

    ``pays_extra`` says whether the card has an additional cost that its text may speak of.
    """

    types: tuple[str, ...]
    facts: GameFacts
    pays_extra: bool = False


def bearer_of(card: CardDefinition, key: str, meaning: ast.CardText, facts: GameFacts) -> Bearer:
    """Give what bears one of a card's texts."""
    gives = key != "text" and facts.half_gives_to
    extra = any(
        isinstance(node, ast.AdditionalCost)
        or (isinstance(node, ast.KeywordAbility) and _costs_more(node, facts))
        for _, node in walk(meaning)
    )
    return Bearer((facts.half_gives_to,) if gives else card.types, facts, extra)


def _costs_more(ability: ast.KeywordAbility, facts: GameFacts) -> bool:
    known = facts.keywords.get(ability.keyword.name)
    return known is not None and any("additional cost" in text for text in known.means)


def meaning_diagnostics(meaning: ast.CardText, text: str, bearer: Bearer) -> Iterator[Diagnostic]:
    """Yield all that is found in what a text means on what bears it."""
    whole = (0, len(text))
    for ability in meaning.abilities:
        yield from _pointing_at_nothing(ability, whole, bearer)
        yield from _on_this_card(ability, whole, bearer)
    yield from _said_twice(meaning, text, bearer)
    for check in (_never_happens, _given_to_the_wrong_type, _unpayable):
        for node, around in _with_spans(meaning, whole):
            yield from check(node, around, bearer)


Check = Callable[[Node, tuple[int, int], Bearer], Iterator[Diagnostic]]
"""Looks at one part of a meaning, with the characters that it or what it is part of was read from."""


def _with_spans(node: Node, around: tuple[int, int]) -> Iterator[tuple[Node, tuple[int, int]]]:
    here = node.span or around
    yield node, here
    for child in _parts(node):
        yield from _with_spans(child, here)


def _parts(node: Node) -> Iterator[Node]:
    for name in _in_reading_order(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (part for part in value if isinstance(part, Node))


_FIRST = (
    "events",
    "event",
    "original",
    "condition",
    "cost",
    "who",
    "subject",
    "object",
    "amount",
    "source",
    "to",
)
"""The fields that a text says before others: what fires an ability, its condition and cost, the subject of a clause."""


def _in_reading_order(kind: type[Node]) -> list[str]:
    names = [one.name for one in fields(kind) if one.name != "span"]
    return sorted(names, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))


# --------------------------------------------------------------------------------- words that point at nothing

_THINGS = (
    ast.Objects,
    ast.Group,
    ast.TopOf,
    ast.TokenSpec,
    ast.Self,
    ast.AbilityText,
    ast.Zone,
    ast.HostOf,
    ast.Here,
)
_PLACES = (ast.Zone, ast.Here, ast.LocationOf)
_POINTS_BY_ITSELF = ("mine", "named", "following", "each-other", "other")
"""Roles of references that need nothing before them: what a card has named or chosen stands in another ability."""


def _pointing_at_nothing(ability: Node, around: tuple[int, int], bearer: Bearer) -> Iterator[Diagnostic]:
    """359.3.f: "it", "there", "they", "that much", "if you do" mean what was spoken of before them in the ability."""
    yield from _Spoken(bearer).look(ability, around)


class _Spoken:
    """Goes through an ability in reading order, and knows what was spoken of, and what was done, before each word."""

    def __init__(self, bearer: Bearer) -> None:
        self._bearer = bearer
        self._things = False
        self._places = False
        self._deeds = False

    def look(self, node: Node, around: tuple[int, int]) -> Iterator[Diagnostic]:
        """Yield the words in a part of a meaning that point at nothing."""
        span = node.span or around
        word = self._pointing(node)
        if word is not None:
            yield _points_at_nothing(word, span)
        if isinstance(node, _THINGS) or (isinstance(node, ast.Player) and node.which not in ("you", "they")):
            self._things = True
        if isinstance(node, _PLACES) or (isinstance(node, ast.Objects) and "battlefield" in node.nouns):
            self._places = True
        for child in _parts(node):
            yield from self.look(child, span)
        # What is done in a clause is spoken of behind it: "Discard 1. Deal damage equal to its Energy cost."
        if isinstance(node, _DEEDS):
            self._deeds = True

    def _pointing(self, node: Node) -> str | None:
        """Give the word by which a node points, where nothing is there that it could mean."""
        anything = self._things or self._deeds
        match node:
            case ast.Reference() if not (anything or node.participle or node.filters):
                return None if node.role in _POINTS_BY_ITSELF else _word(node)
            case ast.Reference(role="that" | "those", antecedent=None) if node.nouns and not self._deeds:
                # The card itself is spoken of as it, never as that unit.
                return None if node.participle or node.filters else _word(node)
            case ast.There() if not (self._places or self._deeds):
                return "there"
            case ast.Player(which="they" | "that-player") if not anything:
                return node.which.replace("-", " ")
            case ast.ThatMuch() if not self._deeds:
                return "that much"
            case ast.DidSo() if not self._deeds:
                return "if you do"
            case ast.PaidAdditionalCost() if not self._bearer.pays_extra:
                return "the additional cost"
        return None


_DEEDS = (ast.Action, ast.Moment, ast.Keyword, ast.Modify, ast.ChooseWord, ast.Cost)
"""What can be spoken of as done or had, or has a thing that it was done to."""


def _word(node: ast.Reference) -> str:
    nouns = " or ".join(node.nouns)
    return f"{node.role} {nouns}".strip() if node.role in ("that", "those", "the") else node.role


def _points_at_nothing(word: str, span: tuple[int, int]) -> Diagnostic:
    message = f"“{word}” has nothing to refer to"
    return made("RW110", message, span, help="say first what is meant", rule="359.3.f")


# -------------------------------------------------------------------------------- what never happens on this card


def _on_this_card(ability: Node, around: tuple[int, int], bearer: Bearer) -> Iterator[Diagnostic]:
    span = ability.span or around
    if isinstance(ability, ast.Gated):
        yield from _misplaced(ability.gate, ability.gate.span or span, bearer, alone=False)
        yield from _on_this_card(ability.ability, span, bearer)
        return
    if isinstance(ability, ast.KeywordAbility):
        yield from _misplaced(ability.keyword, ability.keyword.span or span, bearer, alone=True)
        return
    types = [bearer.facts.types[name] for name in bearer.types if name in bearer.facts.types]
    if len(types) != len(bearer.types) or not types:
        return
    named = " and ".join(bearer.types)
    if isinstance(ability, ast.ActivatedAbility) and not any(one.activates for one in types):
        message = f"an ability of a {named} is never activated: it is not on the board"
        yield made("RW204", message, span, rule=types[0].rule)
    if isinstance(ability, ast.TriggeredAbility | ast.ReplacementAbility):
        for event in ability.events if isinstance(ability, ast.TriggeredAbility) else (ability.event,):
            verb = _own_verb(event)
            if verb is not None and all(verb in one.never for one in types):
                message = f"a {named} can never {verb}"
                yield made("RW204", message, event.span or span, rule=types[0].rule)


def _own_verb(event: ast.Event) -> str | None:
    """The verb of an event that happens to the card itself."""
    action = event.action
    if not isinstance(action, ast.Action):
        return None
    patient = action.object if action.subject is None else action.subject
    return action.verb if isinstance(patient, ast.Self) else None


def _misplaced(
    keyword: ast.Keyword, span: tuple[int, int], bearer: Bearer, *, alone: bool
) -> Iterator[Diagnostic]:
    known = bearer.facts.keywords.get(keyword.name)
    # A permissive keyword before an ability says when that ability is used; any card can have one.
    if known is None or not known.types or not (alone or known.governs) or not bearer.types:
        return
    if set(bearer.types).isdisjoint(known.types):
        who = " and ".join(bearer.types)
        message = f"[{keyword.name}] is of no use on a {who}"
        help_text = f"it is for {_listed(known.types)}"
        yield made("RW305", message, span, help=help_text, rule=known.types_rule)


def _given_to_the_wrong_type(node: Node, span: tuple[int, int], bearer: Bearer) -> Iterator[Diagnostic]:
    if not isinstance(node, ast.Modify) or not isinstance(node.subject, ast.Objects):
        return
    nouns = node.subject.nouns
    if not nouns or any(noun not in bearer.facts.types for noun in nouns):
        return
    receiver = Bearer(nouns, bearer.facts)
    for change in node.changes:
        if isinstance(change, ast.Gains) and isinstance(change.what, ast.Keyword):
            yield from _misplaced(change.what, change.what.span or span, receiver, alone=True)


def _listed(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _said_twice(meaning: ast.CardText, text: str, bearer: Bearer) -> Iterator[Diagnostic]:
    seen: dict[object, Node] = {}
    for ability in meaning.abilities:
        span = ability.span or (0, len(text))
        if isinstance(ability, ast.KeywordAbility):
            known = bearer.facts.keywords.get(ability.keyword.name)
            if known is not None and known.redundant and known.name in seen:
                message = f"[{known.name}] stands here twice, and does no more than once"
                fix = _without_line(text, span)
                yield made("RW205", message, ability.keyword.span or span, rule=known.rule, fix=fix)
            seen[ability.keyword.name] = ability


def _without_line(text: str, span: tuple[int, int]) -> Fix | None:
    """Give the change that takes a stretch out with its line, where it is all that stands there."""
    start, end = span
    alone = text[start - 1 : start] == "\n" and text[end : end + 1] in ("", "\n")
    return Fix((start - 1, end), "", safe=True) if alone else None


# ------------------------------------------------------------------------------------------ what never happens

_BOTH_WAYS = (
    ("ready", "exhausted"),
    ("attacking", "defending"),
    ("open", "occupied"),
    ("attached", "detached"),
)
"""States that nothing is in at once."""


def _never_happens(node: Node, span: tuple[int, int], bearer: Bearer) -> Iterator[Diagnostic]:
    del bearer
    for reason in _reasons(node):
        yield made("RW204", reason, span)


def _reasons(node: Node) -> Iterator[str]:
    if isinstance(node, ast.Action) and node.amount == ast.Number(0):
        yield f"to {node.verb} 0 does nothing"
    if isinstance(node, ast.MightChange) and node.amount == ast.Number(0):
        yield "a change of Might by 0 does nothing"
    if isinstance(node, ast.Quantity) and node.amount == ast.Number(0) and node.rule != "at-most":
        yield "nothing is chosen: the number is 0"
    if isinstance(node, ast.Objects | ast.Reference | ast.AbilityText | ast.Is):
        nouns = () if isinstance(node, ast.AbilityText) else node.nouns
        yield from _contradictions(nouns, node.filters)
    if isinstance(node, ast.AllOf) and len(set(node.conditions)) < len(node.conditions):
        yield "a condition is said twice"


def _contradictions(nouns: tuple[str, ...], filters: tuple[ast.Filter, ...]) -> Iterator[str]:
    sides = {one.side for one in filters if isinstance(one, ast.Side)}
    if len(sides) > 1:
        yield "nothing is friendly and enemy at once"
    states = {one.state for one in filters if isinstance(one, ast.HasState) and not one.negated}
    without = {one.state for one in filters if isinstance(one, ast.HasState) and one.negated}
    for state, opposite in _BOTH_WAYS:
        if state in states and opposite in states:
            yield f"nothing is {state} and {opposite} at once"
    for state in sorted(states & without):
        yield f"nothing is {state} and not {state} at once"
    for one in filters:
        if isinstance(one, ast.HasType) and one.negated and nouns == (one.type,):
            yield f"no {one.type} is a non-{one.type}"
        if (
            isinstance(one, ast.HasTag)
            and one.negated
            and any(
                isinstance(other, ast.HasTag) and not other.negated and set(other.tags) <= set(one.tags)
                for other in filters
            )
        ):
            yield f"nothing is {one.tags[0]} and non-{one.tags[0]} at once"
    yield from _empty_ranges([one for one in filters if isinstance(one, ast.StatIs)])


def _empty_ranges(limits: list[ast.StatIs]) -> Iterator[str]:
    bounds: dict[str, tuple[int, int]] = {}
    for one in limits:
        if not isinstance(one.amount, ast.Number):
            continue
        low, high = bounds.get(one.stat, (0, 10**9))
        value = one.amount.value
        low = max(low, {"=": value, ">=": value, ">": value + 1}.get(one.op, low))
        high = min(high, {"=": value, "<=": value, "<": value - 1}.get(one.op, high))
        bounds[one.stat] = (low, high)
    for stat, (low, high) in bounds.items():
        if low > high:
            yield f"no {stat.replace('-', ' ')} is at least {low} and at most {high}"


# -------------------------------------------------------------------------------------------------- costs


def _unpayable(node: Node, span: tuple[int, int], bearer: Bearer) -> Iterator[Diagnostic]:
    """A cost in a text of more Power than there are runes; domains are looked at with the card's own."""
    runes = bearer.facts.runes
    cost = _own_cost(node)
    if cost is None or runes is None:
        return
    power = sum(
        part.amount.value
        for part in cost.parts
        if isinstance(part, ast.Power) and isinstance(part.amount, ast.Number)
    )
    taken = power + sum(_recycled_runes(part) for part in cost.parts)
    if taken > runes:
        message = f"a deck has {runes} runes, and this takes {taken}"
        yield made("RW306", message, cost.span or span, rule=bearer.facts.runes_rule)


def _own_cost(node: Node) -> ast.Cost | None:
    """The cost that the card's own player pays for what a node is; costs of others, and what is added, are none."""
    pays = isinstance(node, ast.ActivatedAbility | ast.Keyword | ast.AdditionalCost)
    if not pays and not (isinstance(node, ast.PayTo) and node.who in (None, ast.Player("you"))):
        return None
    cost = getattr(node, "cost", None)
    return cost if isinstance(cost, ast.Cost) else None


def _recycled_runes(part: ast.CostPart) -> int:
    if not isinstance(part, ast.Action) or part.verb != "recycle" or not isinstance(part.object, ast.Objects):
        return 0
    amount = part.object.quantity.amount
    return amount.value if part.object.nouns == ("rune",) and isinstance(amount, ast.Number) else 0


def domains_of_costs(meaning: ast.CardText, text: str) -> dict[str, tuple[int, int]]:
    """Give the domains of which the costs in a text ask Power, each with the place of one that does."""
    found: dict[str, tuple[int, int]] = {}
    for node, span in _with_spans(meaning, (0, len(text))):
        cost = _own_cost(node)
        for part in cost.parts if cost is not None else ():
            if isinstance(part, ast.Power) and part.domain != "any":
                found.setdefault(part.domain, part.span or span)
    return found
