"""What the rules of a game say that a check of cards asks for, as plain values: cards know no rules database."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulewright.data_files import Plain

TABLE = "card-parts"
"""The rules table that says what a card of each type has printed on it."""


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """One type of card: the figures it needs and may have, what can never happen to it, and the rule.

    ``activates`` says whether an activated ability on it can ever be used.
    """

    name: str
    needs: tuple[str, ...]
    figures: tuple[str, ...]
    activates: bool
    never: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class KeywordFacts:
    """One keyword: the types of card that can have it (none named: any), its meaning, and the rule.

    ``redundant`` says that having it twice does no more than once; ``default`` is the number that it has where none
    is printed, nothing where it takes none or always has one.
    """

    name: str
    types: tuple[str, ...] = ()
    types_rule: str | None = None
    means: tuple[str, ...] = ()
    rule: str | None = None
    redundant: bool = False
    valued: bool = False
    default: int | None = None
    cost: bool = False
    governs: bool = False


@dataclass(frozen=True, slots=True)
class GameFacts:
    """All that a check of cards knows of the rules of a game; the defaults know nothing, and find nothing."""

    types: Mapping[str, TypeFacts] = field(default_factory=dict)
    supertypes: Mapping[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    domains: tuple[str, ...] = ()
    domains_rule: str | None = None
    half_tag: str = ""
    half_types: tuple[str, ...] = ()
    half_gives_to: str = ""
    half_figure: str = ""
    half_rule: str | None = None
    identity: str = ""
    payment_rule: str | None = None
    runes: int | None = None
    runes_rule: str | None = None
    keywords: Mapping[str, KeywordFacts] = field(default_factory=dict)

    def types_of_keyword(self, name: str) -> tuple[str, ...]:
        """Give the types that can have a keyword; none where any can."""
        known = self.keywords.get(name)
        return known.types if known else ()


def game_facts(
    parts: Mapping[str, Plain], deck: Mapping[str, Plain], keywords: Mapping[str, Mapping[str, Plain]]
) -> GameFacts:
    """Make the facts from two tables of the rules and their keywords as plain mappings.

    ``parts`` is the table :data:`TABLE`, ``deck`` the one of deck construction, ``keywords`` has for each name
    ``means``, ``rule``, ``redundant``, ``valued``, ``default``, ``cost`` and ``governs``.
    """
    limits = {row["keyword"]: row for row in parts["keywords"]}
    halves, payment = parts["halves"], parts["payment"]
    size = deck["parts"][payment["runes"]]["size"]
    return GameFacts(
        types={row["type"]: _type(row) for row in parts["types"]},
        supertypes={row["name"]: (tuple(row.get("types", ())), row["rule"]) for row in parts["supertypes"]},
        domains=tuple(parts["domains"]["words"]),
        domains_rule=parts["domains"]["rule"],
        half_tag=halves["tag"],
        half_types=tuple(halves["types"]),
        half_gives_to=halves["gives_to"],
        half_figure=halves.get("figure", ""),
        half_rule=halves["rule"],
        identity=payment["identity"],
        payment_rule=payment["rule"],
        runes=size.get("exactly"),
        runes_rule=size.get("rule"),
        keywords={name: _keyword(name, plain, limits.get(name, {})) for name, plain in keywords.items()},
    )


def _type(row: Mapping[str, Plain]) -> TypeFacts:
    return TypeFacts(
        row["type"],
        tuple(row["needs"]),
        tuple(row["figures"]),
        row["activates"],
        tuple(row["never"]),
        row["rule"],
    )


def _keyword(name: str, plain: Mapping[str, Plain], limit: Mapping[str, Plain]) -> KeywordFacts:
    return KeywordFacts(
        name=name,
        types=tuple(limit.get("types", ())),
        types_rule=limit.get("rule"),
        means=tuple(plain.get("means", ())),
        rule=plain.get("rule"),
        redundant=plain.get("redundant", False),
        valued=plain.get("valued", False),
        default=plain.get("default"),
        cost=plain.get("cost", False),
        governs=plain.get("governs", False),
    )
