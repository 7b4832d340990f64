"""How amounts, players, places, objects, filters and costs are written in the house wording."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rulewright.language.ast import (
    AbilityText,
    Action,
    Alongside,
    Amount,
    AnyAmount,
    At,
    AtLeast,
    AttachedTo,
    Bears,
    Beyond,
    Chooses,
    ControlledBy,
    CopyOf,
    Cost,
    CostOptions,
    CountOf,
    EitherOf,
    Energy,
    Event,
    EventCount,
    ExhaustThis,
    Filter,
    From,
    Group,
    HasHighest,
    HasKeyword,
    HasName,
    HasState,
    HasTag,
    HasType,
    Here,
    Highest,
    HostOf,
    Keyword,
    LocationOf,
    Node,
    Number,
    Objects,
    Other,
    Player,
    Plus,
    Power,
    Quantity,
    Reference,
    Resource,
    SameController,
    Self,
    Side,
    StatIs,
    StatOf,
    TagCount,
    TextOf,
    That,
    ThatMuch,
    There,
    Times,
    TokenSpec,
    TopOf,
    TotalIs,
    TotalOf,
    Where,
    Word,
    Zone,
)
from rulewright.language.wording import english
from rulewright.language.wording.writer import UnprintableError, Writer, is_plural, quantity_is_plural, writes

# ------------------------------------------------------------------------------------------------ amounts


@writes(Number)
def _number(w: Writer, node: Number) -> str:
    return str(node.value)


@writes(AnyAmount)
def _any_amount(w: Writer, node: AnyAmount) -> str:
    return "any amount of"


@writes(CountOf)
def _count_of(w: Writer, node: CountOf) -> str:
    return f"the number of {plain(w, node.what)}"


@writes(TagCount)
def _tag_count(w: Writer, node: TagCount) -> str:
    return f"the number of the following tags among {plain(w, node.among)} — {english.listed(node.tags)}"


@writes(StatOf)
def _stat_of(w: Writer, node: StatOf) -> str:
    figure = stat_name(w, node.stat)
    if w.possessive(node.of) in {"their", "our"}:
        return f"{w.possessive(node.of)} {w.words.plural(node.stat) if node.stat == 'might' else figure}"
    if isinstance(node.of, Group) or (
        isinstance(node.of, Objects) and (node.of.quantity.rule == "all" or len(w(node.of).split()) > 3)
    ):
        return f"the {figure} of {w(node.of)}"
    return f"{w.possessive(node.of)} {figure}"


@writes(Highest)
def _highest(w: Writer, node: Highest) -> str:
    edge = "lowest" if node.lowest else "highest"
    return f"the {edge} {stat_name(w, node.stat)} among {plain(w, node.among)}"


@writes(TotalOf)
def _total_of(w: Writer, node: TotalOf) -> str:
    return f"the total {stat_name(w, node.stat)} of {plain(w, node.of)}"


@writes(Times)
def _times(w: Writer, node: Times) -> str:
    tail = for_each(w, node.times)
    if tail is not None:
        return f"{w(node.amount)}{tail}"
    if node.amount == Number(2):
        return f"double {w(node.times)}"
    if node.times == Number(2):
        return f"double {w(node.amount)}"
    return f"{w(node.amount)} times {w(node.times)}"


@writes(Plus)
def _plus(w: Writer, node: Plus) -> str:
    if isinstance(node.left, Number):
        return f"{node.left.value} {'less' if node.minus else 'more'} than {w(node.right)}"
    return f"{w(node.left)} {'minus' if node.minus else 'plus'} {w(node.right)}"


@writes(Beyond)
def _beyond(w: Writer, node: Beyond) -> str:
    raise UnprintableError("what is beyond a number is said of one for each")


@writes(ThatMuch)
def _that_much(w: Writer, node: ThatMuch) -> str:
    return "that much"


@writes(AtLeast)
def _at_least(w: Writer, node: AtLeast) -> str:
    return f"{w(node.amount)} or more"


@writes(EventCount)
def _event_count(w: Writer, node: EventCount) -> str:
    from rulewright.language.wording.clauses import happened

    return f"the number of times {happened(w, node.event, node.window)}"


def for_each(w: Writer, times: Amount) -> str | None:
    """Write " for each ..." for what an amount is taken as often as; nothing where English has no such form."""
    match times:
        case CountOf():
            return f" for each {each_one(w, times.what)}"
        case EventCount():
            return f" for each {counted_event(w, times)}"
        case Beyond(amount=CountOf() as count, first=Number() as first):
            return f" for each {each_one(w, count.what)} beyond the {english.ordinal(first.value)}"
        case TagCount():
            return f" for each of the following tags among {plain(w, times.among)} — {english.listed(times.tags)}"
        case StatOf(stat="buffs"):
            return f" for each buff {w.subject(times.of)} {w.verb('have', times.of)}"
        case StatOf(stat="energy-cost" | "power-cost"):
            unit = "Energy" if times.stat == "energy-cost" else "Power"
            return f" for each {unit} {w.subject(times.of)} {w.verb('cost', times.of)}"
        case StatOf(stat="point" | "points" | "xp"):
            return f" for each of {w(times)}"
    return None


def counted_event(w: Writer, count: EventCount) -> str:
    """Write one of the times that something happened: ``buff you spent this turn``, ``time it has dealt damage``."""
    from rulewright.language.wording.clauses import happened, in_perfect, relative

    action = count.event.action
    if isinstance(action, Action) and isinstance(action.object, Resource) and action.subject is None:
        return f"{_RESOURCES[action.object.kind][0]} {w.words.verb_words(action.verb).participle}"
    if isinstance(action, Action) and action.object is None and count.window is None:
        return f"time {in_perfect(w.describing(), action)}"
    if isinstance(action, Action) and isinstance(action.object, Resource) and action.subject is not None:
        bare = Action(action.verb, action.subject, source=action.source, at=action.at, manner=action.manner)
        told = relative(w, That(Event(bare), "object", count.window), past=count.window is not None)
        return f"{_RESOURCES[action.object.kind][0]} {told}"
    return f"time {happened(w, count.event, count.window)}"


def figure(w: Writer, amount: Amount) -> tuple[str, str] | None:
    """Split an amount into what stands where a digit would ("2") and what follows at the end (" for each ...").

    Nothing where the amount can only be said as "equal to ...".
    """
    match amount:
        case Number() | ThatMuch() | AtLeast() | Plus(left=ThatMuch()):
            return w(amount), ""
        case Times():
            head, tail = figure(w, amount.amount), for_each(w, amount.times)
            if head is not None and tail is not None:
                return head[0], head[1] + tail
    return None


def might_symbol(w: Writer) -> str:
    """Write the symbol that stands behind a figure of Might."""
    return w.words.symbol("MIGHT")


def stat_name(w: Writer, stat: str) -> str:
    """Write the name of a figure: ``Might``, ``Energy cost``, ``[Assault]``."""
    return w.words.displayed(stat)


# ------------------------------------------------------------------------------------------------ players


_PLAYERS = {
    "you": "you",
    "opponent": "an opponent",
    "opponents": "opponents",
    "each-opponent": "each opponent",
    "player": "a player",
    "players": "players",
    "each-player": "each player",
    "each-other-player": "each other player",
    "ally": "an ally",
    "allies": "allies",
    "they": "they",
    "that-player": "that player",
    "defender": "the defender",
    "attacker": "the attacker",
    "next-player": "the next player",
    "turn-player": "the turn player",
}


@writes(Player)
def _player(w: Writer, node: Player) -> str:
    if node.which in {"controller", "owner"} and node.of is not None:
        many = "s" if node.of == Reference("them") else ""
        return f"{w.possessive(node.of)} {node.which}{many}"
    try:
        return _PLAYERS[node.which]
    except KeyError:
        raise UnprintableError(f"no words are known for the player {node.which!r}") from None


# ------------------------------------------------------------------------------------------------- places


@writes(Here)
def _here(w: Writer, node: Here) -> str:
    return "this battlefield"


@writes(There)
def _there(w: Writer, node: There) -> str:
    return "that battlefield"


_ZONES_WITHOUT_OWNER = frozenset({"board", "chain"})


@writes(Zone)
def _zone(w: Writer, node: Zone) -> str:
    name = w.words.displayed(node.name)
    if node.name == "anywhere":
        return name
    if node.of is None and node.name not in _ZONES_WITHOUT_OWNER:
        # Everybody's: "bases", "trashes".
        return w.words.plural(node.name)
    if node.of is None:
        whose = "the"
    elif node.of.which == "player" and node.name in {"base", "deck"}:
        whose = "a"
    else:
        whose = w.possessive(node.of)
        if node.of.of == Reference("them"):
            name = w.words.plural(node.name)
    edge = f"the {node.edge.replace('-', ' ')} of " if node.edge else ""
    return f"{edge}{whose} {name}"


@writes(LocationOf)
def _location_of(w: Writer, node: LocationOf) -> str:
    original = "original " if node.original else ""
    if isinstance(node.what, Reference) and any(isinstance(part, That) for part in node.what.filters):
        return f"the {original}{node.kind} of {w(node.what)}"
    return f"{w.possessive(node.what)} {original}{node.kind}"


def at_place(w: Writer, place: Node, *, many: bool = False) -> str:
    """Write where something is: ``here``, ``at a battlefield``, ``in your hand``; of several ``at battlefields``."""
    match place:
        case Objects() if place.quantity.rule == "any":
            return f"at {any_place(w, place, many=many)}"
        case Here():
            return "here"
        case There():
            return "there"
        case Zone(name="anywhere"):
            return "anywhere"
        case Zone():
            return f"{'on' if place.name == 'board' or place.edge else 'in'} {w(place)}"
    return f"at {w(place)}"


def to_place(w: Writer, place: Node) -> str:
    """Write where something goes: ``here``, ``to your base``, ``on the bottom of your Main Deck``."""
    if isinstance(place, Here):
        return "to here"
    if isinstance(place, Zone) and place.edge:
        return f"on {w(place)}"
    return f"to {w(place)}"


def from_place(w: Writer, place: Node, *, many: bool = False) -> str:
    """Write where something comes from: ``from your trash``, ``from anywhere other than your hand``.

    many: of several things, each may come from a place of its own ("from battlefields").
    """
    if isinstance(place, Objects) and place.quantity.rule == "any":
        return f"from {any_place(w, place, many=many)}"
    if isinstance(place, Here | There):
        return f"from {at_place(w, place)}"
    if isinstance(place, Zone) and place.negated:
        return f"from anywhere other than {w(place)}"
    return f"from {w(place)}"


# ------------------------------------------------------------------------------------------------ objects


@writes(Self)
def _self(w: Writer, node: Self) -> str:
    return "this" if node.form.startswith("this") else "me"


@writes(Quantity)
def _quantity(w: Writer, node: Quantity) -> str:
    """How many, before a noun; empty for "all" and for one, which takes an article."""
    count = english.number_word(node.amount.value) if isinstance(node.amount, Number) else None
    if count is None and node.amount is not None:
        count = w(node.amount).replace("that much", "that many")
    match node.rule:
        case "exactly":
            return count or "one"
        case "up-to":
            return f"up to {count}"
        case "at-least":
            return f"{count} or more"
        case "at-most":
            return f"{count} or fewer"
        case "exact":
            return f"exactly {count}"
        case "none":
            return "no"
        case "any-number":
            return "any number of"
        case "all" | "each" | "any" | "both":
            return node.rule
    raise UnprintableError(f"no words are known for the quantity {node.rule!r}")


@writes(Objects)
def _objects(w: Writer, node: Objects) -> str:
    if w.explicit and len(node.nouns) > 1:
        # Each noun with all that is said of it: "a unit from your trash or a gear from your trash".
        conjunction = "and" if node.quantity.rule in {"all", "any-number"} else "or"
        return english.listed([w(replace(node, nouns=(noun,))) for noun in node.nouns], conjunction)
    if node.nouns == ("any",):
        if node.quantity == Quantity("at-least", Number(1)):
            return "at least one of them"
        return f"{w(node.quantity).removesuffix(' of')} of them"
    body = described(w, node, many=quantity_is_plural(node.quantity), skip_other=True)
    number = _ordinal_of(node)
    if number is not None:
        return f"the {english.ordinal(number)} {body}"
    other = any(isinstance(part, Other) and part.than is None for part in node.filters)
    if node.quantity == Quantity("exactly", Number(1)):
        return f"another {body}" if other else english.with_article(body)
    quantity = "" if node.quantity.rule == "all" else w(node.quantity)
    return " ".join(filter(None, [quantity, "other" if other else "", body]))


def _ordinal_of(node: Objects) -> int | None:
    """Which of those that something happens to is meant: ``the first gear played each turn``."""
    for part in node.filters:
        if isinstance(part, That) and part.event.ordinal is not None:
            return part.event.ordinal
    return None


def plain(w: Writer, node: Node) -> str:
    """Write objects as a plain plural without a quantity: ``cards in your trash``."""
    if isinstance(node, Objects):
        return described(w, node, many=True, counted=True)
    return w(node)


def each_one(w: Writer, node: Node) -> str:
    """Write objects as one of them without an article, after "for each"."""
    if isinstance(node, Objects) and node.nouns == ("any",):
        return f"of {w(node.filters[0].place) if isinstance(node.filters[0], From) else 'them'}"
    if isinstance(node, Objects):
        return described(w, node, many=False, counted=True)
    if isinstance(node, Group):
        return english.listed([each_one(w, part) for part in node.parts], node.conjunction)
    if isinstance(node, Player) and node.which.startswith("each-"):
        return node.which.removeprefix("each-").replace("-", " ")
    if isinstance(node, Reference) and node.role == "each":
        return " ".join(filters_after(w, list(node.filters), many=False, counted=False))
    return f"of {w(node)}"


def described(
    w: Writer, node: Objects, *, many: bool, skip_other: bool = False, counted: bool = False
) -> str:
    """Write a description without its quantity: filters before the noun, the nouns, filters after it.

    Cards that are counted are "in" their zone, cards that are taken come "from" it.
    """
    before = sorted((part for part in node.filters if _stands_before(part)), key=_place_before)
    if node.nouns == ("cost",):
        return _costs_of_keyword(w, node)
    if skip_other:
        before = [part for part in before if not isinstance(part, Other)]
    after = sorted((part for part in node.filters if not _stands_before(part)), key=_place_after)
    words = [w(part) for part in before]
    words.append(_nouns(w, node.nouns, many=many, all_of_them=node.quantity.rule in {"all", "any-number"}))
    return " ".join([*words, *filters_after(w, after, many=many, counted=counted)])


def _costs_of_keyword(w: Writer, node: Objects) -> str:
    """Write costs that are themselves objects: ``friendly [Repeat] costs``."""
    words = [_of_costs(w, part) for part in node.filters]
    return " ".join([*words, "costs"])


def _of_costs(w: Writer, part: Filter) -> str:
    if isinstance(part, ControlledBy):
        return w.possessive(part.player)
    return w(part.keyword) if isinstance(part, HasKeyword) else w(part)


def filters_after(w: Writer, parts: list[Filter], *, many: bool, counted: bool) -> list[str]:
    """Write what follows the noun; limits on both parts of a cost are one phrase, two figures share their "with"."""
    written: list[str] = []
    costs = tuple(
        part for part in parts if isinstance(part, StatIs) and part.stat in {"energy-cost", "power-cost"}
    )
    whole = cost_bound(w, costs)
    plain = all(isinstance(part.amount, Number) for part in costs)
    if whole is not None:
        parts = [part for part in parts if part not in costs]
    if whole is not None and plain:
        written.append(f"with cost {whole}")
    for part in parts:
        text = _filter_after(w, part, many=many, counted=counted)
        joined = isinstance(part, StatIs | TotalIs) and bool(written) and written[-1].startswith("with ")
        written.append(f"and {text.removeprefix('with ')}" if joined else text)
    if whole is not None and not plain:
        written.append(f"with cost {whole}")
    return written


_WHOLE_COST = {
    "<=": ("no more than", "at most"),
    ">=": ("no less than", "at least"),
    "=": ("exactly", "exactly"),
}
"""How a cost is held against another one, and against one with something added to it."""


def cost_bound(w: Writer, figures: tuple[Filter, ...]) -> str | None:
    """Write two figures of a cost as a bound of the whole (131): ``no more than [2]``, ``at most [1] more than me``."""
    match figures:
        case (StatIs("energy-cost", "<", Number() as energy), StatIs("power-cost", "<=", Number(0))):
            return f"less than {cost_figure(w, 'energy-cost', energy)}"
        case (StatIs("energy-cost", op, energy), StatIs("power-cost", other, power)) if op == other:
            if isinstance(energy, Number) and isinstance(power, Number):
                return _bound_by_figures(w, op, energy, power)
            return _bound_by_another(w, op, energy, power)
    return None


def _bound_by_figures(w: Writer, op: str, energy: Number, power: Number) -> str | None:
    parts = [("energy-cost", energy), ("power-cost", power)]
    # A cost of nothing is written as no Energy.
    named = [part for part in parts if part[1] != Number(0)] or parts[:1]
    shown = [cost_figure(w, stat, amount) for stat, amount in named]
    if op == "=":
        return f"exactly {''.join(shown)}"
    return " and ".join(f"no more than {figure}" for figure in shown) if op == "<=" else None


def _bound_by_another(w: Writer, op: str, energy: Amount, power: Amount) -> str | None:
    first, second = _apart(w, "energy-cost", energy), _apart(w, "power-cost", power)
    if op not in _WHOLE_COST or first is None or second is None or first.than != second.than:
        return None
    plain, added = _WHOLE_COST[op]
    ways = {part.way for part in (first, second) if part.by}
    if not ways:
        return f"{plain} {first.than}" if op != "=" else None
    return f"{added} {first.by}{second.by} {ways.pop()} than {first.than}" if len(ways) == 1 else None


class _Apart(NamedTuple):
    """A figure of something taken apart: what is added to it, "more" or "less", and whose figure it is."""

    by: str
    way: str
    than: str


def _apart(w: Writer, stat: str, amount: Amount) -> _Apart | None:
    match amount:
        case StatOf(same, of) if same == stat:
            return _Apart("", "", w(of))
        case Plus(Number() as by, StatOf(same, of), minus) if same == stat:
            return _Apart(cost_figure(w, stat, by), "less" if minus else "more", w(of))
    return None


def _filter_after(w: Writer, part: Filter, *, many: bool, counted: bool) -> str:
    match part:
        case From(place=Zone() as zone) if counted and not zone.negated and zone.name != "anywhere":
            return at_place(w, zone)
        case Chooses() if many:
            return w(part).replace("that chooses", "that choose", 1)
        case At(place=Objects() as place) if not part.same and place.quantity.rule == "any":
            return f"{'not ' if part.negated else ''}at {any_place(w, place, many=many)}"
    return w(part)


def any_place(w: Writer, place: Objects, *, many: bool) -> str:
    """Write a place that only describes: ``a battlefield``, after a plural ``battlefields``."""
    if many:
        return described(w, place, many=True)
    return w(Objects(Quantity("exactly", Number(1)), place.nouns, place.filters))


def _nouns(w: Writer, nouns: tuple[str, ...], *, many: bool, all_of_them: bool) -> str:
    named = [w.words.plural(noun) if many else w.words.displayed(noun) for noun in nouns]
    return english.listed(named, "and" if all_of_them else "or")


_TOLD_TAGS = (("named",), ("chosen",))
"""Tags that the text has had a player name or choose."""

_STATES_AFTER = frozenset({"alone", "in-combat", "in-showdown", "beyond-first"})


def _stands_before(part: Filter) -> bool:
    if isinstance(part, HasTag):
        return part.tags not in _TOLD_TAGS
    if isinstance(part, Side | HasType):
        return True
    if isinstance(part, Other):
        return part.than is None
    if isinstance(part, HasState):
        return part.state not in _STATES_AFTER and not part.negated
    if isinstance(part, EitherOf):
        return all(_stands_before(one) for one in part.filters)
    return isinstance(part, AttachedTo) and part.host is None


_BEFORE = (Other, HasState, EitherOf, AttachedTo, Side, HasTag, HasType)
"""The order of adjectives: ``other stunned enemy token units``."""


def _place_before(part: Filter) -> int:
    return _BEFORE.index(type(part))


_AFTER = (
    CopyOf,
    HasState,
    EitherOf,
    ControlledBy,
    HasTag,
    AttachedTo,
    Bears,
    At,
    From,
    SameController,
    StatIs,
    HasName,
    HasKeyword,
    TotalIs,
    HasHighest,
    Chooses,
    That,
    Alongside,
    Where,
    Other,
)
"""The order of filters after the noun: a place before figures, a clause last, so that none can be misread."""


def _place_after(part: Filter) -> float:
    action = part.event.action if isinstance(part, That) and part.gap == "object" else None
    if isinstance(action, Action) and action.subject is not None:
        # "Spells opponents play that choose a unit": who does it stands right behind the noun.
        return _AFTER.index(Chooses) - 0.5
    return _AFTER.index(type(part))


@writes(Group)
def _group(w: Writer, node: Group) -> str:
    listed = english.listed([w(part) for part in node.parts], node.conjunction)
    return f"({listed})" if w.explicit else listed


@writes(TopOf)
def _top_of(w: Writer, node: TopOf) -> str:
    edge = node.zone.edge or "top"
    zone = w(Zone(node.zone.name, node.zone.of))
    if node.amount == Number(1):
        return f"the {edge} {_nouns(w, node.nouns, many=False, all_of_them=False)} of {zone}"
    return f"the {edge} {w(node.amount)} {_nouns(w, node.nouns, many=True, all_of_them=False)} of {zone}"


@writes(TokenSpec)
def _token_spec(w: Writer, node: TokenSpec) -> str:
    many = quantity_is_plural(node.quantity) and not isinstance(node.quantity.amount, Times)
    ready = "ready " if node.state == "ready" else ""
    might = f"{w(node.might)} {might_symbol(w)} " if node.might is not None else ""
    types = "".join(f"{w.words.displayed(kind)} " for kind in node.types)
    body = f"{ready}{might}{w.words.displayed(node.name)} {types}{'tokens' if many else 'token'}"
    if node.keywords:
        body += "".join(f" with {w(keyword)}" for keyword in node.keywords)
    if node.state is not None and node.state != "ready":
        body += f" {node.state}"
    if node.quantity == Quantity("exactly", Number(1)):
        return english.with_article(body)
    split = figure(w, node.quantity.amount) if node.quantity.amount is not None else None
    if split is not None and split[1] and node.quantity.rule == "exactly":
        # "a token for each": how often is said at the end.
        return f"{english.with_article(body)}{split[1]}"
    return f"{w(node.quantity)} {body}"


@writes(Reference)
def _reference(w: Writer, node: Reference) -> str:
    nouns = _nouns(w, node.nouns, many=node.role in {"those", "rest"}, all_of_them=False)
    text: str
    match node.role:
        case "it" | "them":
            text = node.role
        case "that" | "those" | "this":
            text = node.role
        case "one":
            text = "one of them"
        case "both":
            text = "both of them"
        case "rest":
            text = "the remaining" if nouns else "the rest"
        case "other":
            text = "the other"
        case "the":
            text = f"the {node.participle or ''}".rstrip()
        case "each-other":
            text = "each other"
        case "one-or-both":
            text = "one or both of them"
        case "one-or-more":
            text = "one or more"
        case "any" | "each":
            text = node.role
        case "named":
            return " ".join(node.nouns)
        case _:
            raise UnprintableError(f"no words are known for the reference {node.role!r}")
    before = [w(part) for part in sorted(filter(_stands_before, node.filters), key=_place_before)]
    after = [part for part in node.filters if not _stands_before(part)]
    words = [text, *before, nouns, *filters_after(w, after, many=False, counted=False)]
    return " ".join(word for word in words if word)


@writes(TextOf)
def _text_of(w: Writer, node: TextOf) -> str:
    return f"{w.possessive(node.of)} {node.part.replace('-', ' ')}"


@writes(Word)
def _word(w: Writer, node: Word) -> str:
    return choice_word(w, node.word)


def choice_word(w: Writer, word: str) -> str:
    """Write a word that a player chooses: a tag as it is, a kind of object in the plural (``Cards``)."""
    return word if word[:1].isupper() else english.capitalised(w.words.plural(word))


@writes(HostOf)
def _host_of(w: Writer, node: HostOf) -> str:
    return f"what {w(node.what)} {'are' if is_plural(node.what) else 'is'} attached to"


@writes(AbilityText)
def _ability_text(w: Writer, node: AbilityText) -> str:
    if node.sort == "exhaust" and node.of is not None:
        whose = f"all {w(node.of)}" if is_plural(node.of) else w(node.of)
        return f"all {w.words.symbol('EXHAUST')} abilities of {whose}"
    if node.sort == "keyword" and node.of is not None:
        return f"{w.possessive(node.of)} keywords"
    name = {"any": "", "activated": "activated "}.get(node.sort, f"{w.words.displayed(node.sort)} ")
    noun = "ability" if node.sort in {"any", "activated"} else "effect"
    many = node.quantity is None or quantity_is_plural(node.quantity)
    body = f"{name}{english.plural(noun) if many else noun}"
    if isinstance(node.of, Player | Self | Reference):
        return " ".join([w.possessive(node.of), body, *(_ability_filter(w, part) for part in node.filters)])
    if node.of is not None:
        body += f" of {w(node.of)}"
    if node.quantity is not None and node.quantity.rule == "all":
        body = f"the {body}"
    body = " ".join([body, *(_ability_filter(w, part) for part in node.filters)])
    return body if many else english.with_article(body)


def _ability_filter(w: Writer, part: Filter) -> str:
    from rulewright.language.wording.clauses import predicate

    if isinstance(part, That) and part.gap == "for" and isinstance(part.event.action, Action):
        verb = w.words.verb_words(part.event.action.verb)
        return f"for {verb.gerund} {predicate(w, part.event.action)}".rstrip()
    return w(part)


# ------------------------------------------------------------------------------------------------ filters


@writes(Side)
def _side(w: Writer, node: Side) -> str:
    return node.side


@writes(ControlledBy)
def _controlled_by(w: Writer, node: ControlledBy) -> str:
    verb = "own" if node.owned else "control"
    return f"{w.subject(node.player)} {w.verb(verb, node.player, negated=node.negated)}"


@writes(Other)
def _other(w: Writer, node: Other) -> str:
    if isinstance(node.than, LocationOf) and isinstance(node.than.what, Self):
        return "other than mine"
    return "other" if node.than is None else f"other than {w(node.than)}"


@writes(HasType)
def _has_type(w: Writer, node: HasType) -> str:
    return f"{'non-' if node.negated else ''}{w.words.displayed(node.type)}"


@writes(HasTag)
def _has_tag(w: Writer, node: HasTag) -> str:
    if node.tags in _TOLD_TAGS:
        return f"with the {node.tags[0]} tag"
    return f"{'non-' if node.negated else ''}{english.listed(node.tags, 'or')}"


@writes(HasName)
def _has_name(w: Writer, node: HasName) -> str:
    return "with that name"


@writes(HasState)
def _has_state(w: Writer, node: HasState) -> str:
    state = {"in-showdown": "in a showdown", "beyond-first": "beyond the first"}.get(node.state)
    state = state or w.words.displayed(node.state)
    return f"that isn't {state}" if node.negated else state


@writes(HasKeyword)
def _has_keyword(w: Writer, node: HasKeyword) -> str:
    return f"{'without' if node.negated else 'with'} {w(node.keyword)}"


@writes(StatIs)
def _stat_is(w: Writer, node: StatIs) -> str:
    return f"with {comparison(w, node)}"


@writes(TotalIs)
def _total_is(w: Writer, node: TotalIs) -> str:
    return f"with total {comparison(w, node)}"


_MORE_OR_LESS = {"<": "less", "<=": "no more", "=": "equal", ">=": "no less", ">": "more"}


def comparison(w: Writer, node: StatIs | TotalIs) -> str:
    """Write a figure compared: ``3 [M] or less``, ``less Might than me``, ``Energy cost [2] or less``."""
    name = stat_name(w, node.stat)
    amount = node.amount
    match amount:
        case Plus(left=Number() as more, right=StatOf(stat=node.stat, of=of)) if node.op == "<=":
            return f"{name} up to {more.value} more than {w(of)}"
    if isinstance(amount, StatOf) and amount.stat == node.stat and node.op != "=":
        return f"{_MORE_OR_LESS[node.op]} {name} than {w(amount.of)}"
    value = cost_figure(w, node.stat, amount)
    if node.stat == "might" and isinstance(node, StatIs) and isinstance(amount, Number):
        return bounded(node.op, f"{value} {might_symbol(w)}")
    if isinstance(amount, Number):
        return f"{name} {bounded(node.op, value)}"
    return f"{name} {_THAN[node.op]} {value}"


_THAN = {"<": "less than", "<=": "no more than", "=": "equal to", ">=": "no less than", ">": "greater than"}


def bounded(op: str, value: str) -> str:
    """Write a bound on a plain figure: ``3 or less``, ``exactly 3``, ``more than 3``."""
    match op:
        case "<=":
            return f"{value} or less"
        case ">=":
            return f"{value} or more"
        case "=":
            return f"exactly {value}"
        case "<":
            return f"less than {value}"
        case ">":
            return f"more than {value}"
    raise UnprintableError(f"no words are known for the comparison {op!r}")


def cost_figure(w: Writer, stat: str, amount: Amount) -> str:
    """Write a plain figure of a cost with its symbols (``[3]``, ``[A][A]``), any other amount as it is."""
    if isinstance(amount, Number) and stat in {"energy-cost", "cost"}:
        return w.words.symbol("ENERGY", amount.value)
    if isinstance(amount, Number) and stat == "power-cost":
        return w.words.symbol("POWER", "any") * amount.value or "0"
    return w(amount)


@writes(At)
def _at(w: Writer, node: At) -> str:
    if isinstance(node.place, Objects) and node.place.quantity.rule == "any" and not node.same:
        return f"{'not ' if node.negated else ''}at {any_place(w, node.place, many=False)}"
    if node.same and isinstance(node.place, Objects):
        return f"at the same {described(w, node.place, many=False)}"
    return f"{'not ' if node.negated else ''}{at_place(w, node.place)}"


@writes(From)
def _from(w: Writer, node: From) -> str:
    if node.place == Reference("them"):
        return "from among them"
    return from_place(w, node.place)


@writes(SameController)
def _same_controller(w: Writer, node: SameController) -> str:
    return "with different controllers" if node.negated else "with the same controller"


@writes(AttachedTo)
def _attached_to(w: Writer, node: AttachedTo) -> str:
    if node.host is None:
        return "detached" if node.negated else "attached"
    return f"{'not ' if node.negated else ''}attached to {w(node.host)}"


@writes(Chooses)
def _chooses(w: Writer, node: Chooses) -> str:
    others = f" and {w(node.no_other)}" if node.no_other is not None else ""
    others = ""
    if node.only:
        others = (
            f" and no {described(w, node.no_other, many=False)}" if isinstance(node.no_other, Objects) else ""
        )
    return f"that chooses {w(node.what)}{others}"


@writes(HasHighest)
def _has_highest(w: Writer, node: HasHighest) -> str:
    return f"with the {'lowest' if node.lowest else 'highest'} {stat_name(w, node.stat)}"


@writes(EitherOf)
def _either_of(w: Writer, node: EitherOf) -> str:
    if all(isinstance(part, HasKeyword) and not part.negated for part in node.filters):
        return f"with {english.listed([w(part).removeprefix('with ') for part in node.filters], 'or')}"
    if all(_stands_before(part) for part in node.filters):
        return english.listed([w(part) for part in node.filters], "or")
    return f"that is {english.listed([w(part) for part in node.filters], 'or')}"


@writes(Bears)
def _bears(w: Writer, node: Bears) -> str:
    return f"with {w(node.what)} attached"


@writes(CopyOf)
def _copy_of(w: Writer, node: CopyOf) -> str:
    return f"of {w(node.what)}"


@writes(Where)
def _where(w: Writer, node: Where) -> str:
    return f"where {w(node.condition)}"


@writes(Alongside)
def _alongside(w: Writer, node: Alongside) -> str:
    return f"with {w(node.what)}"


# --------------------------------------------------------------------------------------- keywords and costs


@writes(Keyword)
def _keyword(w: Writer, node: Keyword) -> str:
    value = f" {w(node.value)}" if isinstance(node.value, Number) else ""
    written = f"[{node.name}{value}]"
    if node.value is not None and not value:
        written += f" equal to {w(node.value)}"
    if isinstance(node.cost, StatOf):
        return f"{written} equal to {w(node.cost)}"
    if node.cost is not None:
        dash = "" if only_symbols(node.cost) else "— "
        return f"{written} {dash}{w(node.cost)}"
    return written


def only_symbols(cost: Cost | CostOptions) -> bool:
    """Tell whether a cost is written in symbols of energy and power alone."""
    if isinstance(cost, CostOptions):
        return False
    return all(isinstance(part, Energy | Power) and isinstance(part.amount, Number) for part in cost.parts)


@writes(Energy)
def _energy(w: Writer, node: Energy) -> str:
    if isinstance(node.amount, Number):
        return w.words.symbol("ENERGY", node.amount.value)
    if isinstance(node.amount, AtLeast):
        return f"{w(Energy(node.amount.amount))} or more"
    if isinstance(node.amount, ThatMuch | AnyAmount):
        return f"{w(node.amount)} Energy"
    return f"Energy equal to {w(node.amount)}"


@writes(Power)
def _power(w: Writer, node: Power) -> str:
    symbol = w.words.symbol("POWER", node.domain)
    if isinstance(node.amount, Number):
        return symbol * node.amount.value
    if isinstance(node.amount, AtLeast):
        return f"{w(Power(node.domain, node.amount.amount))} or more"
    if isinstance(node.amount, ThatMuch | AnyAmount):
        return f"{w(node.amount)} {symbol}"
    return f"{symbol} equal to {w(node.amount)}"


@writes(ExhaustThis)
def _exhaust_this(w: Writer, node: ExhaustThis) -> str:
    return w.words.symbol("EXHAUST")


_RESOURCES = {
    "xp": ("XP", "XP"),
    "point": ("point", "points"),
    "buff": ("buff", "buffs"),
    "counter": ("counter", "counters"),
    "turn": ("turn", "turns"),
}


@writes(Resource)
def _resource(w: Writer, node: Resource) -> str:
    one, many = _RESOURCES.get(node.kind, (w.words.displayed(node.kind), w.words.displayed(node.kind)))
    whose = w.possessive(node.of) if node.of is not None else ""
    if node.amount == Number(1) and node.kind in {"buff", "counter", "turn"}:
        return f"{whose} {one}" if whose else f"a {one}"
    if isinstance(node.amount, AnyAmount):
        # Only buffs and other counters are counted out by a player; damage, points and XP of no figure are just that.
        return f"any number of {many}" if node.kind in {"buff", "counter"} else many
    if isinstance(node.amount, Number | ThatMuch | AtLeast):
        return f"{w(node.amount)} {one if node.amount == Number(1) else many}"
    split = figure(w, node.amount)
    if split is not None:
        return f"{split[0]} {one if split[0] == '1' else many}{split[1]}"
    return f"{many} equal to {w(node.amount)}"


@writes(Cost)
def _cost(w: Writer, node: Cost) -> str:
    return ", ".join(cost_parts(w, node))


def cost_parts(w: Writer, cost: Cost) -> list[str]:
    """Write the parts of a cost, neighbouring symbols of energy and power joined as one: ``[1][fury]``."""
    parts: list[str] = []
    glue = False
    for part in cost.parts:
        symbol = isinstance(part, Energy | Power) and isinstance(part.amount, Number)
        text = w(part)
        if symbol and glue:
            parts[-1] += text
        else:
            parts.append(text)
        glue = symbol
    return parts


@writes(CostOptions)
def _cost_options(w: Writer, node: CostOptions) -> str:
    return " / ".join(w(option) for option in node.options)
