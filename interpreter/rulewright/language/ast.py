"""The meaning of card text: one frozen value per construct of the ability language.

Every ability that can be written on a card, in a rules entry or in a keyword's definition becomes a tree of
these values. Verbs, nouns, tags, keywords, zones and states are *data* (``grammar/lexicon`` and the rules
database): the tree names them by their lemma, and the vocabulary says which lemmas exist. A new verb or a new
keyword therefore needs no new class here.

Spans and surface forms (``compare=False``) never take part in equality: two texts mean the same when their
trees are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Span = tuple[int, int]
"""First and one-past-last character of the source text that a node was read from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What every part of a meaning has: the place in the source text it was read from."""

    span: Span | None = field(default=None, compare=False, repr=False)


# --------------------------------------------------------------------------------------------- amounts


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A plain number: ``3``."""

    value: int


@dataclass(frozen=True, slots=True)
class AnyAmount(Node):
    """An amount that a player chooses, from 0 up: ``any amount of``, ``any number of``."""

    form: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class CountOf(Node):
    """How many there are: ``the number of cards in your trash``, ``for each friendly unit``, ``for each opponent``."""

    what: Selector | Player


@dataclass(frozen=True, slots=True)
class StatOf(Node):
    """A figure of something: ``my Might``, ``its Energy cost``, ``your points``, ``my [Assault]``.

    stat: might, energy-cost, power-cost, cost, points, xp, base-might, might-bonus, a keyword's lower-case
    name ..., as the lexicon lists them.
    """

    stat: str
    of: Selector | Player


@dataclass(frozen=True, slots=True)
class Highest(Node):
    """The highest (or lowest) figure in a group: ``the highest Might among units you control``."""

    stat: str
    among: Selector
    lowest: bool = False


@dataclass(frozen=True, slots=True)
class TotalOf(Node):
    """The sum of a figure over a group: ``the total Might of enemy units there``."""

    stat: str
    of: Selector


@dataclass(frozen=True, slots=True)
class Times(Node):
    """An amount taken as often as another: ``1 for each friendly unit``, ``double its Might``."""

    amount: Amount
    times: Amount


@dataclass(frozen=True, slots=True)
class Plus(Node):
    """A sum or difference of amounts: ``up to 1 more than the killed unit's Might``."""

    left: Amount
    right: Amount
    minus: bool = False


@dataclass(frozen=True, slots=True)
class Beyond(Node):
    """What an amount is above a number, nothing where it is not: ``for each card in your hand beyond the third``."""

    amount: Amount
    first: Amount


@dataclass(frozen=True, slots=True)
class ThatMuch(Node):
    """The amount that an earlier instruction or the event produced: ``that much``, ``that many``."""

    antecedent: str | None = None


@dataclass(frozen=True, slots=True)
class AtLeast(Node):
    """An amount or more: ``if you assigned 3 or more excess damage``, ``if you spent [4] or more``."""

    amount: Amount


@dataclass(frozen=True, slots=True)
class EventCount(Node):
    """How often something happened in a window: ``for each card you've played this turn``."""

    event: Event
    window: Duration | None = None


@dataclass(frozen=True, slots=True)
class TagCount(Node):
    """How many of some tags a group has among them: ``each of the following tags among your units - Bird, Cat``."""

    among: Selector
    tags: tuple[str, ...]


# ------------------------------------------------------------------------------------- players and places


@dataclass(frozen=True, slots=True)
class Player(Node):
    """Who: ``you``, ``an opponent``, ``each player``, ``its controller``.

    which: you, opponent, opponents, each-opponent, player (any one), players, each-player, each-other-player,
    ally, controller, owner, they (see ``antecedent``), that-player, defender, attacker, next-player, turn-player.
    of: the object, for controller and owner. chosen: the controlling player picks one ("choose an opponent").
    antecedent: what "they" and "that player" refer to (filled in by ``references``).
    """

    which: str
    of: Selector | None = None
    antecedent: str | None = None


@dataclass(frozen=True, slots=True)
class Here(Node):
    """The place where the ability's source is: ``here``, ``this battlefield``, ``my location``."""

    form: str = field(default="here", compare=False)


@dataclass(frozen=True, slots=True)
class There(Node):
    """The place that was last spoken of: ``there``, ``that battlefield``, ``the same battlefield``."""

    antecedent: str | None = None
    form: str = field(default="there", compare=False)


@dataclass(frozen=True, slots=True)
class Zone(Node):
    """A zone or part of one: ``your trash``, ``the top 5 cards of your Main Deck``'s deck, ``its owner's hand``.

    name: a zone's lemma (hand, trash, main-deck, rune-deck, deck, base, banishment, champion-zone, board, chain,
    facedown, anywhere ...). of: whose; None for everybody's, and for a
    bare "to base" each one's own (its controller's). edge: top, bottom or None.
    negated: "anywhere other than your hand".
    """

    name: str
    of: Player | None = None
    edge: str | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class LocationOf(Node):
    """Where something is: ``its location``, ``my battlefield``, ``that enemy unit's battlefield``.

    original: the place it had before the instruction ("my original location"). kind: location, battlefield, base.
    """

    what: Selector
    kind: str = "location"
    original: bool = False


# ------------------------------------------------------------------------------------------- selectors


@dataclass(frozen=True, slots=True)
class Self(Node):
    """The object the ability is on: ``me``, ``I``, ``this``, ``this spell``."""

    form: str = field(default="me", compare=False)


@dataclass(frozen=True, slots=True)
class Quantity(Node):
    """How many of the matching objects.

    rule: exactly (amount), up-to (amount), at-least (amount), at-most (amount), exact (amount: "exactly 4"),
    any-number, all, each, any, none, both. ``a unit`` is exactly 1; a plural without a number ("friendly units") is
    all. A place that only describes ("a unit at a battlefield", "units at battlefields") has ``any``; a place that
    is chosen together with a group ("all units at a battlefield") has exactly 1.
    """

    rule: str
    amount: Amount | None = None
    form: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Objects(Node):
    """Game objects described: ``up to two other friendly units here with 3 Might or less``.

    nouns: kinds of object, any of which will do (unit, gear, spell, card, rune, legend, battlefield, location,
    permanent, token, ability, damage, cost, keyword, or a tag's own name, as "a Mech"). filters: all must hold.
    label: the name that later references use, given by the references pass ("a", "b", ... in reading order).
    """

    quantity: Quantity
    nouns: tuple[str, ...]
    filters: tuple[Filter, ...] = ()

    def __post_init__(self) -> None:
        _put_filters_in_order(self)


@dataclass(frozen=True, slots=True)
class Group(Node):
    """Several selectors taken together: ``a Bird from your trash or a gear``, ``me and that unit``.

    conjunction: and (all of them), or (one of them), and/or.
    """

    parts: tuple[Selector | Player | Zone, ...]
    conjunction: str = "and"


@dataclass(frozen=True, slots=True)
class TopOf(Node):
    """Cards at an edge of a deck: ``the top 5 cards of your Main Deck``. nouns: card, or rune for rune decks."""

    zone: Zone
    amount: Amount
    nouns: tuple[str, ...] = ("card",)


@dataclass(frozen=True, slots=True)
class TokenSpec(Node):
    """Tokens to be made: ``two ready 3 Might Sprite unit tokens with [Temporary]``.

    name: the token's lemma in the token table. might and types repeat what the text says; None where it does not.
    """

    quantity: Quantity
    name: str
    types: tuple[str, ...] = ()
    might: Amount | None = None
    keywords: tuple[Keyword, ...] = ()
    state: str | None = None


@dataclass(frozen=True, slots=True)
class Reference(Node):
    """A word that points at something spoken of before: ``it``, ``them``, ``that unit``, ``the rest``.

    role: it, them, that, those, one, both, rest, other, the (``the killed unit``), each-other.
    nouns: for "that unit", "the revealed cards". participle: killed, chosen, revealed ... for "the killed unit".
    antecedent: which selector it means: the dotted path of field names and indices from the ability to that
    selector ("body.steps.0.object"), "event.subject", or "self"; filled in by the references pass.
    filters: further description ("any you didn't banish").
    """

    role: str
    nouns: tuple[str, ...] = ()
    participle: str | None = None
    filters: tuple[Filter, ...] = ()
    antecedent: str | None = None

    def __post_init__(self) -> None:
        _put_filters_in_order(self)


@dataclass(frozen=True, slots=True)
class AbilityText(Node):
    """Abilities as objects: ``your conquer effects``, ``activated ability of a gear``, ``its play effect``.

    sort: the event lemma (conquer, hold, play, deathknell, attack ...), a keyword's name, activated, or any.
    of: whose or which object's. filters narrow the objects.
    """

    sort: str
    of: Selector | Player | None = None
    quantity: Quantity | None = None
    filters: tuple[Filter, ...] = ()

    def __post_init__(self) -> None:
        _put_filters_in_order(self)


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A word that a player chooses: ``chooses Cards or Runes``, ``each player that chooses Cards``."""

    word: str


@dataclass(frozen=True, slots=True)
class HostOf(Node):
    """What something is attached to: ``Your Equipment each give [Assault]`` is about the units that bear them."""

    what: Selector


@dataclass(frozen=True, slots=True)
class TextOf(Node):
    """The text of something: ``that unit's text``. part: text (all of it) or effect-text (an Equipment's)."""

    of: Selector
    part: str = "text"


# --------------------------------------------------------------------------------------------- filters


@dataclass(frozen=True, slots=True)
class Side(Node):
    """``friendly`` or ``enemy``. side: friendly, enemy."""

    side: str


@dataclass(frozen=True, slots=True)
class ControlledBy(Node):
    """``you control``, ``your`` (units), ``that opponents control``; owned: ``you own``, ``your`` (cards)."""

    player: Player | Group
    owned: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Other(Node):
    """Not the source, nor what was already chosen: ``another``, ``other``, ``each other``, ``a different``."""

    than: Selector | Place | None = None


@dataclass(frozen=True, slots=True)
class HasType(Node):
    """``non-unit``, ``non-token``, ``unit token``: of a type, supertype or category, or not."""

    type: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class HasTag(Node):
    """Bears any of these tags: ``Bird, Cat, Dog, or Poro``, ``non-Recruit``; "named" for the named tag."""

    tags: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class HasName(Node):
    """``with that name``: has the name of the card that was named (761)."""


@dataclass(frozen=True, slots=True)
class HasState(Node):
    """In a state: ``stunned``, ``buffed``, ``ready``, ``attacking``, ``alone``, ``facedown``, ``[Mighty]``."""

    state: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class HasKeyword(Node):
    """``with [Hidden]``, ``without [Temporary]``."""

    keyword: Keyword
    negated: bool = False


@dataclass(frozen=True, slots=True)
class StatIs(Node):
    """A figure compared: ``with 3 Might or less``, ``with less Might than me``, ``that costs no more than 4``.

    op: <, <=, =, >=, >.
    """

    stat: str
    op: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class HasHighest(Node):
    """Has the highest (or lowest) figure of all that fit the rest of it: ``your unit with the highest Might``."""

    stat: str
    lowest: bool = False


@dataclass(frozen=True, slots=True)
class EitherOf(Node):
    """At least one of several descriptions holds: ``attacking or defending``, ``with [Tank] or [Shield]``."""

    filters: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class CopyOf(Node):
    """Has all that another thing has printed: ``a copy of that unit``, ``an additional copy of it``."""

    what: Selector


@dataclass(frozen=True, slots=True)
class TotalIs(Node):
    """A figure of the whole group compared: ``with total Might 4 or less``."""

    stat: str
    op: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class At(Node):
    """At a place: ``here``, ``at a battlefield``, ``in your base``, ``at the same battlefield`` (same=True)."""

    place: Place
    same: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class From(Node):
    """Taken from a zone: ``from your trash``, ``in your hand``, ``from among them``."""

    place: Place | Selector


@dataclass(frozen=True, slots=True)
class SameController(Node):
    """``with the same controller``, ``with different controllers`` (negated)."""

    negated: bool = False


@dataclass(frozen=True, slots=True)
class AttachedTo(Node):
    """``attached to me``; host None: attached to anything; negated: ``detached``."""

    host: Selector | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Chooses(Node):
    """A spell or ability that chooses something: ``that chooses a friendly unit``.

    only: "and no other ...", of what ``no_other`` describes.
    """

    what: Selector
    only: bool = False
    no_other: Selector | None = None


@dataclass(frozen=True, slots=True)
class That(Node):
    """A relative clause: ``you play``, ``that died this turn``, ``banished with this``, ``revealed this way``.

    event: the action with the described object left out of its slot: gap names the slot (subject or object).
    """

    event: Event
    gap: str
    window: Duration | None = None
    this_way: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Where(Node):
    """A place of which a condition holds: ``a battlefield where you have units``. "there" in it is that place."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Bears(Node):
    """Has so many of these attached: ``with a gear attached``, ``with no Equipment attached``."""

    what: Objects


@dataclass(frozen=True, slots=True)
class Alongside(Node):
    """Together with others: ``attacking with another unit``."""

    what: Selector


# ------------------------------------------------------------------------------------- keywords and costs


@dataclass(frozen=True, slots=True)
class Keyword(Node):
    """A keyword with what it takes: ``[Assault 2]``, ``[Equip] 1 Fury``, ``[Repeat] equal to its cost``."""

    name: str
    value: Amount | None = None
    cost: Cost | CostOptions | StatOf | None = None


@dataclass(frozen=True, slots=True)
class Energy(Node):
    """Energy in a cost or added: ``[2]``."""

    amount: Amount


@dataclass(frozen=True, slots=True)
class Power(Node):
    """Power in a cost or added: ``[fury]``, ``[A]``.

    domain: fury, calm, mind, body, chaos, order, any ([A]), own ([C]).
    """

    domain: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class ExhaustThis(Node):
    """The exhaust symbol: ``[E]``."""


@dataclass(frozen=True, slots=True)
class Resource(Node):
    """A countable thing players have: ``2 XP``, ``1 point``, ``a buff``.

    kind: xp, point, buff, damage, excess-damage, combat-damage, turn, additional-cost ...
    """

    kind: str
    amount: Amount
    of: Selector | Player | None = None


@dataclass(frozen=True, slots=True)
class Cost(Node):
    """What must be paid, all parts together: ``[1][C], [E], Kill this``; actions are costs that are done."""

    parts: tuple[CostPart, ...]


@dataclass(frozen=True, slots=True)
class CostOptions(Node):
    """Any one of several costs: ``[1] / [A] / [1][A]``, ``[1] or [A]``."""

    options: tuple[Cost, ...]


# --------------------------------------------------------------------------------- actions and events


@dataclass(frozen=True, slots=True)
class Action(Node):
    """One clause: somebody or something does a verb of the lexicon, with roles: ``deal 3 to an enemy unit``.

    The same value is an instruction ("Kill a unit"), a cost ("Kill this"), the pattern of an event ("When you
    kill a unit"), of a permission or prohibition ("opponents can't play cards") and of history ("if a unit died").

    verb: a lemma of the verb frames. subject: who does it (you, where the text is an imperative).
    object: to what. amount: of what figure ("Deal 3", "Draw 2", "Discard 1"). to: destination or recipient.
    source: "from". at: where it happens. using: "with a spell". state: of what arrives ("exhausted", "ready",
    "facedown"). cost: how the cost of playing is changed. until: for "reveal ... until you reveal a unit".
    manner: closed adverbs as the frame lists them (split, to-each-other, any-order, again, alone, each ...); must:
    "must" is said, where a player would otherwise not be told to; to-or-from: "to or from its base".
    purpose: what was paid or spent for: "spent [4] or more to play a spell".
    """

    verb: str
    subject: Player | Selector | None = None
    object: Selector | Player | Place | Resource | Cost | Keyword | StatOf | None = None
    amount: Amount | None = None
    to: Place | Selector | Player | None = None
    source: Place | Selector | None = None
    at: Place | None = None
    using: Selector | None = None
    state: str | None = None
    cost: CostChange | CostOptions | Cost | None = None
    until: Event | None = None
    manner: tuple[str, ...] = ()
    negated: bool = False
    purpose: Action | None = None


@dataclass(frozen=True, slots=True)
class Moment(Node):
    """A point of the turn: ``at the start of your Beginning Phase``. edge: start, end. whose: None for any player's.

    phase: a lemma of the phase table (beginning-phase, main-phase, ending-phase, turn, showdown, combat ...).
    which: None, first, next, this.
    """

    edge: str
    phase: str
    whose: Player | None = None
    which: str | None = None


@dataclass(frozen=True, slots=True)
class Event(Node):
    """What a trigger watches for, an action or a moment, with how often: ``you play a unit``.

    ordinal: "the second card", "the third time" (with window). batch: "one or more". "When I attack or defend" is
    two events of one TriggeredAbility.
    """

    action: Action | Moment
    ordinal: int | None = None
    window: Duration | None = None
    batch: bool = False


# ------------------------------------------------------------------------------------------- durations


@dataclass(frozen=True, slots=True)
class ThisTurn(Node):
    """Until the end of this turn: ``this turn``; each: ``each turn``, ``in a turn``."""

    each: bool = False


@dataclass(frozen=True, slots=True)
class ThisCombat(Node):
    """Until the combat ends: ``this combat``, ``during combat``, ``in combat``; each: ``each combat``."""

    each: bool = False


@dataclass(frozen=True, slots=True)
class AsLongAs(Node):
    """While a condition holds: ``for as long as this is attached to it``."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class UntilEvent(Node):
    """Until something happens: ``until I leave the board``."""

    event: Event


@dataclass(frozen=True, slots=True)
class During(Node):
    """Within a phase: ``during your Beginning Phase this turn``."""

    phase: str
    whose: Player | None = None
    this_turn: bool = False


# ------------------------------------------------------------------------------------------ conditions


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """Two amounts compared: ``you have 8 or more runes``, ``my Might is greater than ...``."""

    left: Amount
    op: str
    right: Amount


@dataclass(frozen=True, slots=True)
class Exists(Node):
    """There is (quantity) such an object: ``you control a Mech``, ``there is a ready enemy unit here``."""

    what: Selector
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Is(Node):
    """Something satisfies a description: ``it is stunned``, ``I'm at a battlefield``, ``it's a spell``.

    past: it was so when last seen. already: it was so before this instruction began ("if it's already stunned").
    """

    what: Selector | Player | Place
    nouns: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    negated: bool = False
    past: bool = False
    already: bool = False

    def __post_init__(self) -> None:
        _put_filters_in_order(self)


@dataclass(frozen=True, slots=True)
class IsPlayer(Node):
    """One player is another by role: ``where you are the attacker``."""

    who: Player
    role: Player
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Happened(Node):
    """Something has happened: ``you've discarded a card this turn``, ``I died alone``.

    count: how often at least ("twice"); None for once.
    """

    event: Event
    window: Duration | None = None
    count: Amount | None = None
    negated: bool = False
    this_way: bool = False


@dataclass(frozen=True, slots=True)
class PaidAdditionalCost(Node):
    """``you paid the additional cost`` of playing this."""

    negated: bool = False


@dataclass(frozen=True, slots=True)
class DidSo(Node):
    """The instruction before was carried out: ``if you do``, ``if they do``; negated: ``if you can't``."""

    who: Player | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class WithinPoints(Node):
    """A score near the goal: ``an opponent's score is within 3 points of the Victory Score``."""

    whose: Player
    amount: Amount


@dataclass(frozen=True, slots=True)
class InPhase(Node):
    """It is some phase or turn: ``it's your Beginning Phase``, ``on your turn``, ``on an opponent's turn``."""

    phase: str
    whose: Player | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class TagsAmong(Node):
    """A group has all the tags between them: ``your units have all of the following tags among them``.

    No tags are listed where the card has listed them before ("while your units have all 4 tags").
    """

    what: Selector
    tags: tuple[str, ...] = ()
    count: Amount | None = None


@dataclass(frozen=True, slots=True)
class AllOf(Node):
    """Every one of several conditions: ``A and B``."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf(Node):
    """At least one of several conditions: ``A or B``."""

    conditions: tuple[Condition, ...]


# ------------------------------------------------------------------- changes and continuous effects


@dataclass(frozen=True, slots=True)
class MightChange(Node):
    """``+2 Might`` or ``-1 Might, to a minimum of 1``. amount is never negative; minus tells the sign."""

    amount: Amount
    minus: bool = False
    additional: bool = False
    minimum: Amount | None = None


@dataclass(frozen=True, slots=True)
class MightDoubled(Node):
    """``Double a friendly unit's Might`` (432)."""


@dataclass(frozen=True, slots=True)
class MightSwapped(Node):
    """``Swap the Might of two units`` (433): the subject is the pair."""


@dataclass(frozen=True, slots=True)
class MightSet(Node):
    """A Might that becomes an amount: ``increase its Might to the Might of another friendly unit``."""

    amount: Amount
    only_up: bool = False


@dataclass(frozen=True, slots=True)
class BecomesType(Node):
    """The types that something has from now on, and its Might then: ``Gear become 1 [M] gear units``."""

    types: tuple[str, ...]
    might: Amount


@dataclass(frozen=True, slots=True)
class HasDomain(Node):
    """A domain that something is: ``All units are that domain``; "named" for the one that was named."""

    domain: str


@dataclass(frozen=True, slots=True)
class Gains(Node):
    """A keyword, tag, domain or quoted ability that something has: ``[Tank]``, ``"When I conquer, ..."``.

    redundant: "if they didn't already" is said.
    """

    what: Keyword | CardText | HasTag | HasDomain | AbilityText | Reference
    redundant: bool = False


@dataclass(frozen=True, slots=True)
class Loses(Node):
    """What something no longer has: a keyword (``it loses [Tank] this turn``, 801.3.b), or all of them."""

    what: Keyword | AbilityText


@dataclass(frozen=True, slots=True)
class BecomesCopy(Node):
    """``becomes a copy of that unit``; text_only: only its text is copied."""

    of: Selector
    text_only: bool = False


@dataclass(frozen=True, slots=True)
class StatFactor(Node):
    """A figure counted several times: ``gives double its base Might bonus``."""

    stat: str
    factor: Amount


@dataclass(frozen=True, slots=True)
class Modify(Node):
    """Objects have changes: ``Other friendly units here have +1 Might and [Shield]``."""

    subject: Selector
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class CostChange(Node):
    """Costs more or less: ``This costs [2] less``, ``reducing its cost by [5]``, ``ignoring its Energy cost``.

    what: the spells, cards or abilities whose cost changes (None inside an Action, where it is the object's).
    change: less, more, ignore (all of ``part``), or becomes ("for [A]": ``cost`` is the whole new cost).
    part: cost, energy-cost, power-cost, any-cost. per: taken once for each. minimum: binds this step only.
    paid_by/for_: a cost to do something named by ``action`` ("cost 1 more to play", "for each time they choose me").
    """

    what: Selector | AbilityText | None
    change: str
    cost: Cost | CostOptions | StatOf | Highest | None = None
    part: str = "cost"
    per: Amount | None = None
    minimum: Cost | None = None
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Enters(Node):
    """How objects come onto the board: ``Friendly units enter ready``.

    state: ready, exhausted. at: "I enter there". with_: what they are besides (buffed, stunned).
    """

    subject: Selector
    state: str | None = None
    at: Place | None = None
    with_: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Permit(Node):
    """Something may be done that the rules do not allow by themselves: ``You may play me to an open battlefield``.

    instead_of: the cost that ``cost`` may be paid for ("instead of [A]").
    even_if: a condition that would stand in the way and does not ("even if you don't have units there").
    only: the permission is the only way ("Play me only to ..."). cost: what using it costs ("for [3]").
    times: the keyword at whose times alone ("at any time they could play cards with [Action]").
    """

    action: Action
    only: bool = False
    cost: Cost | None = None
    even_if: Condition | None = None
    instead_of: Cost | None = None
    times: Keyword | None = None


@dataclass(frozen=True, slots=True)
class Forbid(Node):
    """Something can't be done or doesn't happen: ``Units can't move to base``, ``I don't deal combat damage``."""

    action: Action
    until: Moment | None = None


@dataclass(frozen=True, slots=True)
class Require(Node):
    """Something must be done so: ``I must be assigned combat damage last``; unless paid: ``must pay [A] to move``."""

    action: Action
    cost: Cost | None = None
    per: Amount | None = None


@dataclass(frozen=True, slots=True)
class BonusDamage(Node):
    """``Your spells and abilities deal 1 Bonus Damage`` (712). source: what deals it; to: None for anything."""

    source: Selector | AbilityText
    amount: Amount
    to: Selector | None = None


@dataclass(frozen=True, slots=True)
class TriggerAgain(Node):
    """``Your [Deathknell] effects trigger an additional time``; times 0 with never: ``don't trigger``."""

    what: AbilityText
    times: Amount
    never: bool = False


@dataclass(frozen=True, slots=True)
class CountsAs(Node):
    """Abilities that also are of another sort: ``My hold effects are also conquer effects, and vice versa``."""

    what: AbilityText
    as_: str
    mutual: bool = False


@dataclass(frozen=True, slots=True)
class LethalAmount(Node):
    """``Any amount of your damage is enough to kill enemy units``."""

    source: Selector | Player
    to: Selector


@dataclass(frozen=True, slots=True)
class GoalChange(Node):
    """``Increase the points needed to win the game by 1``."""

    amount: Amount


@dataclass(frozen=True, slots=True)
class Skip(Node):
    """``Skip your next Draw Phase`` (443): a turn or a part of one does not take place for a player.

    phase: a lemma of the phase table, or turn. which: next; None for each of them.
    """

    who: Player
    phase: str
    which: str | None = None


@dataclass(frozen=True, slots=True)
class Ignores(Node):
    """``You ignore [Backline] while assigning combat damage here`` (765): keywords are inactive for that.

    doing: pay (what: whose costs) or assign (at: the place, or None for any).
    """

    who: Player
    keywords: tuple[Keyword, ...]
    doing: str
    what: Selector | None = None
    at: Place | None = None


@dataclass(frozen=True, slots=True)
class BuffLimit(Node):
    """``I can have any number of buffs``."""

    subject: Selector
    amount: Amount


@dataclass(frozen=True, slots=True)
class DamageFactor(Node):
    """Damage is taken several times: ``Double all damage that would be dealt to it``, ``Spells deal double damage``.

    to: to what; None for anything. source: by what; None for anything.
    """

    to: Selector | None
    factor: Amount
    source: Selector | None = None


@dataclass(frozen=True, slots=True)
class PreventDamage(Node):
    """Damage is not dealt (437): ``Prevent all spell and ability damage``, ``Prevent the next 3 damage``.

    source: by what; None for anything. to: to what; None for anything. amount: how much in all; None for all of it.
    window: a time, each of which has an amount of its own ("the first 3 damage ... each combat").
    each: so much of the damage every time that some is dealt ("deal 1 less damage").
    """

    source: Selector | None = None
    to: Selector | None = None
    amount: Amount | None = None
    window: ThisTurn | ThisCombat | None = None
    each: bool = False


@dataclass(frozen=True, slots=True)
class Controls(Node):
    """A player controls something for a time: ``You control it until I leave the board``."""

    who: Player
    what: Selector


@dataclass(frozen=True, slots=True)
class AddsAlso(Node):
    """What adds resources adds more: ``your Gold [Add] an additional [1]``."""

    what: Selector
    more: Cost


@dataclass(frozen=True, slots=True)
class Also(Node):
    """Continuous effects under a condition, inside a longer ability: ``If you do, I cost [2] less``."""

    condition: Condition
    effects: tuple[Effect, ...]


# ---------------------------------------------------------------------------------------- instructions


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """Instructions one after the other: ``Discard 1, then draw 1``. Never nested in itself, never of one step."""

    steps: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class May(Node):
    """``you may`` (who: the player who may)."""

    who: Player | Group
    body: Instruction


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """``If A, do B. Otherwise, do C.``

    behind: the condition stands last in the sentence, so that no word before it points to what it speaks of.
    """

    condition: Condition
    body: Instruction
    otherwise: Instruction | None = None
    behind: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Revise(Node):
    """``Deal 2 to it. If A, deal 4 to it instead.``: under the condition the second is done, otherwise the first.

    condition is a Condition, or the Keyword of a gate ("[Level 6][>] Give it +3 instead").
    """

    original: Instruction
    condition: Condition | Keyword
    revised: Instruction


@dataclass(frozen=True, slots=True)
class PayTo(Node):
    """A cost inside an instruction: ``pay [1] to draw 1``, ``exhaust this to ready it``."""

    cost: Cost | CostOptions
    body: Instruction
    who: Player | None = None


@dataclass(frozen=True, slots=True)
class Unless(Node):
    """``Counter a spell unless its controller pays [2]``: body is not done where the player does ``alternative``."""

    body: Instruction
    who: Player
    alternative: Instruction | Cost


@dataclass(frozen=True, slots=True)
class InPlaceOf(Node):
    """An instruction done in place of what the rules would do: ``Return it to hand instead of putting it in trash``."""

    body: Instruction
    of: Action


@dataclass(frozen=True, slots=True)
class ChooseMode(Node):
    """``Choose one - ...``. memory: None, this-turn ("not chosen this turn"), ever ("not already chosen")."""

    count: Amount
    modes: tuple[Instruction, ...]
    memory: str | None = None
    who: Player | None = None


@dataclass(frozen=True, slots=True)
class Case(Node):
    """One branch of a BranchOn: ``Spell - Draw 1``. value: a domain, type, or the name that was chosen."""

    value: str
    body: Instruction


@dataclass(frozen=True, slots=True)
class BranchOn(Node):
    """``Do one of the following based on its domain: ...``. attribute: domain, type."""

    attribute: str
    of: Selector
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """``For each friendly unit, ...``: the body is done once for each, "it" being that one."""

    what: Selector | Player | PlayersWho | EventCount | Resource
    body: Instruction


@dataclass(frozen=True, slots=True)
class PlayersWho(Node):
    """Players of whom something holds: ``for each opponent who did``, ``each player that chooses Cards``."""

    who: Player
    filters: tuple[Filter, ...]

    def __post_init__(self) -> None:
        _put_filters_in_order(self)


@dataclass(frozen=True, slots=True)
class InTurnOrder(Node):
    """``Starting with the next player, each other player ...``: one player after the other."""

    body: Instruction
    first: Player | None = None


@dataclass(frozen=True, slots=True)
class Reflexive(Node):
    """``do this: ...``: makes a new chain item when it is reached (386-388).

    times: how many such items, where it is said ("do this twice:", 387.1.a).
    """

    body: Instruction
    times: Amount | None = None


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A continuous effect begins: ``Give a unit +2 Might this turn``, ``Opponents can't play cards this turn``.

    next_only: only for the next matching object or event ("the next spell you play this turn costs [5] less").
    """

    effect: Effect
    duration: Duration | None = None
    next_only: bool = False


@dataclass(frozen=True, slots=True)
class CreateAbility(Node):
    """A delayed ability is made: ``When it dies this turn, ...``, ``The next time it would die, ... instead``.

    once: it is used up when it has happened ("the next time").
    """

    ability: TriggeredAbility | ReplacementAbility
    duration: Duration | None = None
    once: bool = False


@dataclass(frozen=True, slots=True)
class GatedInstruction(Node):
    """An instruction behind a keyword: ``[Level 6][>] Stun an enemy unit.`` in a spell."""

    gate: Keyword
    body: Instruction


@dataclass(frozen=True, slots=True)
class ChooseWord(Node):
    """A word is picked: ``name a tag``, ``choose Bird, Cat, Dog, or Poro``, ``chooses Cards or Runes``.

    what: tag, name, type, word. options: empty for any.
    """

    what: str
    options: tuple[str, ...] = ()
    who: Player | None = None


# ------------------------------------------------------------------------------------------- abilities


@dataclass(frozen=True, slots=True)
class KeywordAbility(Node):
    """A keyword standing for itself: ``[Assault 2]``, ``[Equip] [1][C]``.

    effects: what is said of its ability ("This ability's Energy cost is reduced by ...", "This ability has
    [Reaction]", "This ability can't choose Mechs"). restriction and frequency as for activated abilities.
    """

    keyword: Keyword
    effects: tuple[Effect, ...] = ()
    restriction: Condition | None = None
    frequency: str | None = None


@dataclass(frozen=True, slots=True)
class TriggeredAbility(Node):
    """``When I attack, if ..., draw 1`` (382). events: any of them fires it. condition: the adjoining "if" (383.2.a).

    frequency: once-each-turn, first-time-each-turn or None.
    """

    events: tuple[Event, ...]
    body: Instruction
    condition: Condition | None = None
    frequency: str | None = None


@dataclass(frozen=True, slots=True)
class ActivatedAbility(Node):
    """``[1], [E]: Draw 1.`` (376). restriction: "Use only while ..."; frequency: once-each-turn.

    effects: what is said of the ability itself ("This ability costs [1] less for each ...").
    """

    cost: Cost
    body: Instruction
    restriction: Condition | None = None
    frequency: str | None = None
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class PassiveAbility(Node):
    """``While I'm at a battlefield, ...``, ``Other friendly units have +1 Might`` (363).

    instead: while this applies, the passive ability before it on the card does not ("I cost [4] less instead").
    """

    effects: tuple[Effect, ...]
    condition: Condition | None = None
    instead: bool = False


@dataclass(frozen=True, slots=True)
class ReplacementAbility(Node):
    """``If a friendly unit would die, kill this instead.`` (367). keep: "as you play me, ..." adds to the event.

    optional: "you may". frequency as for triggered abilities.
    """

    event: Event
    body: Instruction
    condition: Condition | None = None
    optional: bool = False
    keep: bool = False
    frequency: str | None = None


@dataclass(frozen=True, slots=True)
class SpellAbility(Node):
    """What a spell (or a rules entry) tells a player to do: ``Draw 2.``"""

    body: Instruction


@dataclass(frozen=True, slots=True)
class AdditionalCost(Node):
    """``As an additional cost to play me, ...`` (356). optional: "you may". then: effects where it was paid."""

    cost: Cost | CostOptions
    optional: bool = False
    what: Selector | None = None
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Gated(Node):
    """A keyword that governs an ability: ``[Legion] - ...``, ``[Level 6][>] ...``, ``[Deathknell][>] ...``."""

    gate: Keyword
    ability: Ability


@dataclass(frozen=True, slots=True)
class UseLimit(Node):
    """A limit on all abilities of the card: ``Use my abilities only while I'm at a battlefield.``"""

    condition: Condition | None = None
    frequency: str | None = None


@dataclass(frozen=True, slots=True)
class SpendLimit(Node):
    """What added resources may be spent on: ``Use only to play spells.``, ``Spend this Energy only during showdowns.``

    It stands in a Sequence behind the action that adds. purpose: any of these actions. resource: energy or power,
    where it is said of one of them only.
    """

    purpose: tuple[Action, ...] = ()
    during: Duration | None = None
    resource: str | None = None


@dataclass(frozen=True, slots=True)
class CardText(Node):
    """All that a card says, in order: ``[Tank]`` and then ``When I attack, draw 1.``"""

    abilities: tuple[Ability, ...]


# ---------------------------------------------------------------------------------------- the unions

Amount = (
    Number
    | AnyAmount
    | CountOf
    | StatOf
    | Highest
    | TotalOf
    | Times
    | Plus
    | Beyond
    | ThatMuch
    | AtLeast
    | EventCount
    | TagCount
)

Place = Here | There | Zone | LocationOf | Objects | Reference | Group
"""Where: a zone, a referent, or an ``Objects`` whose noun is a battlefield or location."""

Selector = Self | Objects | Group | TopOf | TokenSpec | Reference | AbilityText | HostOf | TextOf | Word

Filter = (
    Side
    | ControlledBy
    | Other
    | HasType
    | HasTag
    | HasName
    | HasState
    | HasKeyword
    | StatIs
    | TotalIs
    | At
    | From
    | SameController
    | AttachedTo
    | Chooses
    | That
    | Where
    | Alongside
    | HasHighest
    | CopyOf
    | EitherOf
    | Bears
)

CostPart = Energy | Power | ExhaustThis | Resource | Action | StatOf

Duration = ThisTurn | ThisCombat | AsLongAs | UntilEvent | During

Condition = (
    Compare
    | Exists
    | Is
    | IsPlayer
    | Happened
    | PaidAdditionalCost
    | DidSo
    | WithinPoints
    | InPhase
    | TagsAmong
    | AllOf
    | AnyOf
)

Change = (
    MightChange
    | MightDoubled
    | MightSwapped
    | MightSet
    | Gains
    | Loses
    | BecomesCopy
    | BecomesType
    | StatFactor
)

Effect = (
    Modify
    | CostChange
    | Enters
    | Permit
    | Forbid
    | Require
    | BonusDamage
    | TriggerAgain
    | CountsAs
    | LethalAmount
    | GoalChange
    | Skip
    | Ignores
    | BuffLimit
    | DamageFactor
    | PreventDamage
    | Controls
    | AddsAlso
    | Also
)

Instruction = (
    Action
    | Sequence
    | May
    | Conditional
    | Revise
    | PayTo
    | Unless
    | InPlaceOf
    | ChooseMode
    | BranchOn
    | ForEach
    | InTurnOrder
    | Reflexive
    | Apply
    | CreateAbility
    | GatedInstruction
    | ChooseWord
    | SpendLimit
)

Ability = (
    KeywordAbility
    | TriggeredAbility
    | ActivatedAbility
    | PassiveAbility
    | ReplacementAbility
    | SpellAbility
    | AdditionalCost
    | Gated
    | UseLimit
)


_FILTERS_IN_ORDER: tuple[type[Node], ...] = (
    Other,
    Side,
    ControlledBy,
    HasTag,
    HasType,
    HasState,
    EitherOf,
    AttachedTo,
    Bears,
    Alongside,
    At,
    From,
    SameController,
    StatIs,
    HasHighest,
    HasName,
    HasKeyword,
    TotalIs,
    CopyOf,
    Chooses,
    That,
    Where,
)
_FILTER_PLACES = {kind: place for place, kind in enumerate(_FILTERS_IN_ORDER)}


def _put_filters_in_order(node: Objects | Reference | AbilityText | Is | PlayersWho) -> None:
    """All filters hold at once: in whatever order a text names them, they are kept in one."""
    if len(node.filters) > 1:
        ordered = tuple(sorted(node.filters, key=lambda part: _FILTER_PLACES[type(part)]))
        object.__setattr__(node, "filters", ordered)
