"""Deck construction: what a deck must and may hold, read from the game's rules; every breach is named by its rule.

The rules are the rows of the table ``deck-construction`` in the rules database (103 in Riftbound), as plain data.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rulewright.cards.card import CardDefinition
from rulewright.cards.deck import Deck, Layout
from rulewright.data_files import Plain
from rulewright.errors import RulewrightError

TABLE = "deck-construction"
"""The table of the rules database that holds the rules of construction."""


class Cards(Protocol):
    """Cards by their names: a pool, or a mapping."""

    def __getitem__(self, name: str, /) -> CardDefinition:
        """Give the card of exactly this name."""
        ...


HasKeyword = Callable[[CardDefinition, str], bool]
"""Tells whether a card's text gives it a keyword."""


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which a deck is not legal: the rule, what is wrong in one sentence, and the cards that it is about."""

    rule: str
    message: str
    cards: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"


@dataclass(frozen=True, slots=True)
class Size:
    """How many cards a part holds; the cards of the parts ``with_`` count as part of it."""

    rule: str
    exactly: int | None = None
    at_least: int | None = None
    at_most: int | None = None
    with_: tuple[str, ...] = ()

    def why_not(self, count: int) -> str | None:
        """Say what is expected of a part with this many cards; nothing where it is right."""
        if self.exactly is not None and count != self.exactly:
            return f"exactly {self.exactly}"
        if self.at_least is not None and count < self.at_least:
            return f"at least {self.at_least}"
        if self.at_most is not None and count > self.at_most:
            return f"at most {self.at_most}"
        return None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a deck: the types of card that it holds, the supertype and the shared tag that they need."""

    name: str
    title: str
    types: tuple[str, ...]
    size: Size
    supertype: str | None = None
    shares_tag_with: str | None = None
    needs_rule: str = ""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit over some parts of a deck; cards without the supertype or keyword that it names are not meant.

    ``copies`` limits the cards of one name, ``cards`` all of them together; ``shares_tag_with`` asks that each
    shares a tag with the card of that part.
    """

    rule: str
    parts: tuple[str, ...]
    copies: int | None = None
    cards: int | None = None
    supertype: str | None = None
    keyword: str | None = None
    shares_tag_with: str | None = None

    def means(self, card: CardDefinition, has_keyword: HasKeyword) -> bool:
        """Tell whether the limit is about a card."""
        if self.supertype is not None and not card.has_type(self.supertype):
            return False
        return self.keyword is None or has_keyword(card, self.keyword)


@dataclass(frozen=True, slots=True)
class Identity:
    """Which part's domains every card of the other ``parts`` must fit, with the rule for each of them."""

    of: str
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class DeckRules:
    """All rules of deck construction of a game; ``modes`` has the sizes that a mode of play asks for instead.

    ``apart`` are the parts of which teammates may have no card in common, each with its rule.
    """

    parts: tuple[Part, ...]
    limits: tuple[Limit, ...]
    identity: Identity | None
    modes: tuple[tuple[str, tuple[tuple[str, Size], ...]], ...]
    layout: Layout
    tokens_rule: str | None = None
    apart: tuple[tuple[str, str], ...] = ()

    def size(self, part: Part, mode: str | None) -> Size:
        """Give the size that a part must have in a mode of play."""
        sizes = next((sizes for name, sizes in self.modes if name == mode), ())
        return next((size for name, size in sizes if name == part.name), part.size)

    def titles(self) -> dict[str, str]:
        """Give each part's title, as lists write it."""
        return {part.name: part.title for part in self.parts}


def deck_rules(rows: Mapping[str, Plain]) -> DeckRules:
    """Make the rules from the rows of the table. Raises :class:`RulewrightError` where they do not hold together."""
    try:
        parts = tuple(_part(name, part) for name, part in rows["parts"].items())
        limits = tuple(Limit(**{**limit, "parts": tuple(limit["parts"])}) for limit in rows.get("limits", ()))
        identity = rows.get("identity")
        modes = {
            mode: tuple((part, _size(size)) for part, size in sizes.items())
            for mode, sizes in rows.get("modes", {}).items()
        }
        return DeckRules(
            parts=parts,
            limits=limits,
            identity=Identity(identity["of"], tuple(identity["parts"].items())) if identity else None,
            modes=tuple(modes.items()),
            layout=_layout(rows),
            tokens_rule=rows.get("no_tokens"),
            apart=tuple(rows.get("apart", {}).items()),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise RulewrightError(f"the table has a part missing or too many: {error}", place=TABLE) from error


def _part(name: str, plain: Mapping[str, Plain]) -> Part:
    needs = plain.get("needs", {})
    return Part(
        name=name,
        title=plain["title"],
        types=tuple(plain["types"]),
        size=_size(plain["size"]),
        supertype=needs.get("supertype"),
        shares_tag_with=needs.get("shares_tag_with"),
        needs_rule=needs.get("rule", ""),
    )


def _size(plain: Mapping[str, Plain]) -> Size:
    figures = {key: value for key, value in plain.items() if key != "with"}
    return Size(**figures, with_=tuple(plain.get("with", ())))


def _layout(rows: Mapping[str, Plain]) -> Layout:
    parts = rows["parts"]
    headings = {heading: name for name, part in parts.items() for heading in part.get("headings", ())}
    kinds = {kind: name for name, part in parts.items() for kind in part["types"] if not part.get("needs")}
    aside: dict[str, str | None] = dict.fromkeys(rows.get("not_in_deck", ()))
    return Layout(tuple(parts), tuple({**headings, **aside}.items()), tuple(kinds.items()))


def check_deck(
    deck: Deck,
    pool: Cards,
    rules: DeckRules,
    *,
    has_keyword: HasKeyword,
    mode: str | None = None,
    banned: Iterable[str] = (),
    format_rule: str = "103.2.e",
) -> tuple[Breach, ...]:
    """Give every breach of the rules of construction in a deck, none where it is legal.

    All names of the deck are in the pool (:func:`load_deck` sees to that). ``mode`` is the mode of play, whose sizes
    hold; ``banned`` are cards that the format does not allow.
    """
    check = _Check(deck, pool, rules, has_keyword, mode)
    forbidden = set(banned)
    listed = dict.fromkeys(name for _, cards in deck.parts for name, _ in cards)
    bans = (Breach(format_rule, f"{name} is banned", (name,)) for name in listed if name in forbidden)
    return (*check.sizes(), *check.types(), *check.identity(), *check.limits(), *bans)


def check_team(decks: Sequence[Deck], rules: DeckRules) -> tuple[Breach, ...]:
    """Give every card that the decks of one team have in common and may not (489.8.h, 489.8.i)."""
    found = []
    for part, rule in rules.apart:
        holders = Counter(name for deck in decks for name, _ in deck.part(part))
        for name in (name for name, count in holders.items() if count > 1):
            message = f"{holders[name]} decks of the team have {name} as {rules.titles()[part]}"
            found.append(Breach(rule, message, (name,)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Check:
    """One deck held against the rules."""

    deck: Deck
    pool: Cards
    rules: DeckRules
    has_keyword: HasKeyword
    mode: str | None

    def sizes(self) -> Iterator[Breach]:
        """Yield the parts that hold too few or too many cards."""
        for part in self.rules.parts:
            size = self.rules.size(part, self.mode)
            count = sum(len(self.deck.cards(name)) for name in (part.name, *size.with_))
            expected = size.why_not(count)
            if expected:
                with_ = (
                    f" with the {' and '.join(self._title(name) for name in size.with_)}"
                    if size.with_
                    else ""
                )
                yield Breach(size.rule, f"the {part.title}{with_} has {_cards(count)}, not {expected}")

    def types(self) -> Iterator[Breach]:
        """Yield the cards that are not what their part is made of."""
        for part in self.rules.parts:
            for card in self._cards(part.name):
                if not set(card.types) <= set(part.types):
                    allowed = " or ".join(part.types)
                    said = f"{card.name} is a {' '.join(card.types)}; the {part.title} is of {allowed} cards"
                    yield Breach(part.size.rule, said, (card.name,))
                elif card.token and self.rules.tokens_rule:
                    yield Breach(self.rules.tokens_rule, f"{card.name} is a token, not a card", (card.name,))
                elif part.supertype is not None and not card.has_type(part.supertype):
                    said = f"{card.name} is no {part.supertype}, which the {part.title} must be"
                    yield Breach(part.needs_rule, said, (card.name,))
                elif part.shares_tag_with is not None:
                    yield from self._tag(card, part.shares_tag_with, part.needs_rule)

    def identity(self) -> Iterator[Breach]:
        """Yield the cards whose domains the deck's identity does not have."""
        if self.rules.identity is None:
            return
        source = self.rules.identity.of
        domains = {domain for card in self._cards(source) for domain in card.domains}
        if not self.deck.part(source):
            return
        for part, rule in self.rules.identity.parts:
            for card in self._cards(part):
                foreign = [domain for domain in card.domains if domain not in domains]
                if foreign:
                    has = " and ".join(sorted(domains)) or "no domain"
                    said = f"{card.name} is of {' and '.join(foreign)}; the deck's identity is {has}"
                    yield Breach(rule, said, (card.name,))

    def limits(self) -> Iterator[Breach]:
        """Yield what there is too much of."""
        for limit in self.rules.limits:
            counts = Counter(name for part in limit.parts for name in self.deck.cards(part))
            # A text is only read where it matters: a single copy is never one too many.
            least = limit.copies if limit.copies is not None else 0
            about = [name for name in counts if counts[name] > least]
            meant = [name for name in about if limit.means(self.pool[name], self.has_keyword)]
            yield from self._over(limit, counts, meant)
            if limit.shares_tag_with is not None:
                for name in meant:
                    yield from self._tag(self.pool[name], limit.shares_tag_with, limit.rule)

    def _over(self, limit: Limit, counts: Counter[str], meant: list[str]) -> Iterator[Breach]:
        named = next((word for word in (limit.supertype, limit.keyword) if word is not None), None)
        for name in meant:
            if limit.copies is not None and counts[name] > limit.copies:
                why = f" ({named})" if named else ""
                said = f"{counts[name]} copies of {name}{why}, at most {limit.copies} allowed"
                yield Breach(limit.rule, said, (name,))
        total = sum(counts[name] for name in meant)
        if limit.cards is not None and total > limit.cards:
            yield Breach(
                limit.rule, f"{total} {named or ''} cards, at most {limit.cards} allowed", tuple(meant)
            )

    def _tag(self, card: CardDefinition, part: str, rule: str) -> Iterator[Breach]:
        tags = {tag for other in self._cards(part) for tag in other.tags}
        if self.deck.part(part) and not tags & set(card.tags):
            wanted = " or ".join(sorted(tags)) or "none"
            said = f"{card.name} shares no tag with the {self._title(part)}, whose tag is {wanted}"
            yield Breach(rule, said, (card.name,))

    def _cards(self, part: str) -> Iterator[CardDefinition]:
        return (self.pool[name] for name, _ in self.deck.part(part))

    def _title(self, part: str) -> str:
        return self.rules.titles()[part]


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"
