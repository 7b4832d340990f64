"""Renderings of one card's text by several exports, compared by meaning: what each format keeps, and what it loses.

A rendering means the same as the card's text, or it is listed with a reason: it cannot be read, it says what the card
said before an erratum, its format does not tell which domain a Power is of, or its words mean something else.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from rulewright.language import ast
from rulewright.language.forest import parts_of
from rulewright.language.parse import reader_for
from rulewright.language.print import UnprintableError, describe_readings

if TYPE_CHECKING:
    from rulewright.language.reader import Reader

SAME, LAYOUT, DOMAIN, ERRATUM = "same", "layout", "domain", "erratum"
OTHER, UNREAD, NO_CARD = "other", "unread", "no card"
OUTCOMES = (SAME, LAYOUT, DOMAIN, ERRATUM, OTHER, UNREAD, NO_CARD)
"""What can come of a rendering; "same" is equal in meaning, all others are listed with their reason.

layout: the same where lines are broken and bullets set as on the card; the format lost them, and where they stood is
uncertain. domain: the same but for the domain of a Power, which the format does not tell: it is uncertain.
erratum: what the card said before an erratum. other: another meaning. unread: not read whole. no card: of no card.
"""

CARD_TEXTS = ("text", "effect_text", "printed_text")
"""The texts that a card's row may have: what it says, the other half of an Equipment, what it said in print."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """One rendering of a card's text and what came of it: the outcome, and the reason where it is not "same"."""

    card: str
    format: str
    outcome: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FormatCount:
    """How many renderings of one format came to each outcome."""

    format: str
    outcomes: Mapping[str, int]

    @property
    def rows(self) -> int:
        """How many renderings there are."""
        return sum(self.outcomes.values())

    @property
    def read(self) -> int:
        """How many of them are read whole."""
        return self.rows - self.outcomes.get(UNREAD, 0) - self.outcomes.get(NO_CARD, 0)


Row: TypeAlias = Mapping[str, Any]
"""A row of a list: ``name``, ``format`` and ``text`` of a rendering, ``name`` and ``text`` of a card."""


def renderings(variants: Iterable[Row], cards: Iterable[Row], game: str = "riftbound") -> Iterator[Rendering]:
    """Compare renderings with the texts of cards.

    A card row may have the other half of an Equipment (``effect_text``), the text that it was printed with
    (``printed_text``) and its ``domains``.
    """
    reader = reader_for(None, game)
    known = {row["name"]: row for row in cards}
    for row in variants:
        card = known.get(row["name"])
        if card is None:
            yield Rendering(row["name"], row["format"], NO_CARD, "there is no card of this name")
        else:
            yield _compared(reader, row, card)


def counted(found: list[Rendering]) -> list[FormatCount]:
    """Count renderings by their format, in the order of the formats' names."""
    by_format: dict[str, Counter[str]] = {}
    for one in found:
        by_format.setdefault(one.format, Counter())[one.outcome] += 1
    return [FormatCount(name, by_format[name]) for name in sorted(by_format)]


def _compared(reader: "Reader", row: Row, card: Row) -> Rendering:
    text = row["text"]
    made = reader.read(text, explain=False)
    meaning = None if made.text is None else _with_own_domain(made.text, card)
    now, effect = _meaning(reader, card, "text"), _meaning(reader, card, "effect_text")
    whole = None if now is None else ast.CardText((*now.abilities, *(effect.abilities if effect else ())))
    if meaning is not None and meaning in (now, whole):
        return Rendering(row["name"], row["format"], SAME)
    known = [one for one in (now, whole) if one is not None and one.abilities]
    if known and any(_with_own_domain(one, card) in known for one in _laid_out(reader, text)):
        reason = "a line break or a bullet is lost: with those of the card it means the same"
        return Rendering(row["name"], row["format"], LAYOUT, reason)
    if meaning is None:
        problem = reader.read(text).diagnostics[0]
        said = text[slice(*problem.span)].replace("\n", " / ")[:40]
        return Rendering(row["name"], row["format"], UNREAD, f"{problem.message} (at “{said}”)")
    if meaning == _meaning(reader, card, "printed_text"):
        return Rendering(row["name"], row["format"], ERRATUM, "this is what the card said before an erratum")
    if now is None:
        return Rendering(row["name"], row["format"], OTHER, "the card's own text is not read")
    if _without_domains(meaning) == _without_domains(now):
        reason = "it is not told of which domain a Power is, or another domain is told"
        return Rendering(row["name"], row["format"], DOMAIN, reason)
    return Rendering(row["name"], row["format"], OTHER, _difference(now, meaning))


_BREAKS = re.compile(r"(?<=[.)\]—:-])[ ]*\n*(?=[\[:{A-Z+]|\d+ (?:energy|[a-z]+ rune)|exhaust)")
"""Where a line may have been broken: behind the end of a sentence, a reminder, a keyword or the head of a list."""

_HALVES = re.compile(r"\s*Attached: \+\d+ Might\.?\s*")
"""What one format writes before the second half of an Equipment: its bonus, which is a figure of the card."""

_MOST_BREAKS, _MOST_PLACES = 3, 9
"""How many lost line breaks are looked for, among how many places."""


def _laid_out(reader: "Reader", text: str) -> Iterator[ast.CardText]:
    """Yield what a text means with line breaks put in where they may have been lost, or with bullets in its list."""
    text = _HALVES.sub("\n", text)
    places = [found.span() for found in _BREAKS.finditer(text)]
    tried = [_broken(text, places, "\n• ", range(start, len(places))) for start in range(len(places))]
    for count in range(_MOST_BREAKS + 1):
        for chosen in itertools.combinations(range(min(len(places), _MOST_PLACES)), count):
            tried.append(_broken(text, places, "\n", chosen))
    for one in tried:
        found = reader.read(one, explain=False, spans=False).text
        if found is not None:
            yield found


def _broken(text: str, places: list[tuple[int, int]], between: str, chosen: Iterable[int]) -> str:
    made, end = [], 0
    for place in chosen:
        start, behind = places[place]
        made += [text[end:start], between]
        end = behind
    return "".join([*made, text[end:]])


def _meaning(reader: "Reader", card: Mapping[str, Any], key: str) -> ast.CardText | None:
    text = card.get(key)
    if text is None and key != "text":
        return None
    read = reader.read(text or "").text
    return None if read is None else _with_own_domain(read, card)


def _with_own_domain(meaning: ast.CardText, card: Mapping[str, Any]) -> ast.CardText:
    """Give a meaning with ``[C]`` as the card's domain, where it has one: Power of its own domain is of that one."""
    domains = card.get("domains")
    if not isinstance(domains, list) or len(domains) != 1:
        return meaning
    made: ast.CardText = _changed(meaning, {"own": str(domains[0]).lower()})
    return made


def _without_domains(meaning: ast.CardText) -> ast.CardText:
    made: ast.CardText = _changed(meaning, None)
    return made


def _changed(node: Any, domains: Mapping[str, str] | None) -> Any:
    """Give a node with the domains of its Power exchanged; without a table all of them are "any"."""
    if isinstance(node, ast.Power):
        return replace(node, domain="any" if domains is None else domains.get(node.domain, node.domain))
    changes: dict[str, Any] = {}
    kind: Any = type(node)
    for name in parts_of(kind):
        value = getattr(node, name)
        if isinstance(value, ast.Node):
            made: Any = _changed(value, domains)
        elif isinstance(value, tuple):
            made = tuple(_changed(part, domains) if isinstance(part, ast.Node) else part for part in value)
        else:
            continue
        if made != value:
            changes[name] = made
    return replace(node, **changes) if changes else node


def _difference(card: ast.CardText, rendering: ast.CardText) -> str:
    try:
        one, other = describe_readings([card, rendering])
    except UnprintableError:
        return "it means something else"
    one, other = (text.replace("\n", " / ") for text in (one, other))
    return f"the card says “{one:.110}”, this “{other:.110}”"
