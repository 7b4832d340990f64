"""How actions, events, conditions, effects, instructions and abilities are written in the house wording.

The house style: the condition comes first, every sentence has its subject or is an order, steps at the top of
an ability are sentences of their own, and steps inside "you may" or "if" are joined with ", then", so that the
reach of those words is plain.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from rulewright.language.ast import (
    Action,
    ActivatedAbility,
    AdditionalCost,
    AddsAlso,
    AllOf,
    Also,
    AnyAmount,
    AnyOf,
    Apply,
    AsLongAs,
    At,
    BecomesCopy,
    BonusDamage,
    BranchOn,
    BuffLimit,
    CardText,
    Case,
    ChooseMode,
    ChooseWord,
    Compare,
    Condition,
    Conditional,
    ControlledBy,
    Controls,
    Cost,
    CostChange,
    CostOptions,
    CountsAs,
    CreateAbility,
    DamageFactor,
    DidSo,
    Duration,
    During,
    Effect,
    Enters,
    Event,
    EventCount,
    Exists,
    Forbid,
    ForEach,
    From,
    Gains,
    Gated,
    GatedInstruction,
    GoalChange,
    Group,
    Happened,
    HasState,
    HasTag,
    Here,
    HostOf,
    InPhase,
    InPlaceOf,
    Instruction,
    InTurnOrder,
    Is,
    IsPlayer,
    Keyword,
    KeywordAbility,
    LethalAmount,
    May,
    MightChange,
    MightDoubled,
    MightSet,
    MightSwapped,
    Modify,
    Moment,
    Node,
    Number,
    Objects,
    PaidAdditionalCost,
    PassiveAbility,
    PayTo,
    Permit,
    Player,
    PlayersWho,
    PreventDamage,
    Quantity,
    Reference,
    Reflexive,
    ReplacementAbility,
    Require,
    Resource,
    Revise,
    Self,
    Sequence,
    SpellAbility,
    SpendLimit,
    StatFactor,
    StatOf,
    TagsAmong,
    That,
    There,
    ThisCombat,
    ThisTurn,
    Times,
    TriggerAgain,
    TriggeredAbility,
    Unless,
    UntilEvent,
    UseLimit,
    WithinPoints,
    Zone,
)
from rulewright.language.wording import english
from rulewright.language.wording.phrases import (
    MIGHT,
    at_place,
    bounded,
    choice_word,
    counted_event,
    described,
    each_one,
    figure,
    for_each,
    from_place,
    plain,
    stat_name,
    to_place,
)
from rulewright.language.wording.writer import (
    UnprintableError,
    Writer,
    agreement,
    is_imperative,
    is_plural,
    writes,
)

YOU = Player("you")
NOT = "n't"

# ------------------------------------------------------------------------------------------------ clauses


@writes(Action)
def _action(w: Writer, node: Action) -> str:
    """An action as an instruction or a plain statement: ``draw 1``, ``its controller draws 1``."""
    if is_imperative(node) and "must" not in node.manner:
        return order(w, node)
    return statement(w, node)


def order(w: Writer, action: Action) -> str:
    """Write what somebody is told to do, without a subject: ``draw 1``; also what follows "may" and "to"."""
    base = w.words.verb_words(action.verb).base
    return _joined("don't" if action.negated else "", base, predicate(w, action))


def statement(w: Writer, action: Action) -> str:
    """Write an action in the present tense with its subject: ``you play a unit``, ``a unit is played``."""
    if "must" in action.manner:
        return with_modal(w, _without(action, "must"), "must")
    verb = w.words.verb_words(action.verb)
    if _is_given(action):
        return _given(w, action)
    if action.subject is None and action.object is not None:
        patient = action.object
        if verb.ergative:
            return _joined(
                w.subject(patient),
                w.verb(action.verb, patient, negated=action.negated),
                predicate(w, action, without_object=True),
            )
        being = is_being(w, patient, negated=action.negated)
        return _joined(being, verb.participle, predicate(w, action, without_object=True))
    if "each" in action.manner and action.subject is not None:
        alone = statement(w, _without(action, "each"))
        who = w.subject(action.subject)
        return f"{who} each{alone.removeprefix(who)}"
    subject = action.subject
    written = w.subject(subject) if subject is not None else ""
    return _joined(written, w.verb(action.verb, subject, negated=action.negated), predicate(w, action))


def with_modal(w: Writer, action: Action, modal: str) -> str:
    """Write an action after "may", "can't", "must" or "would": ``units can't move``, ``I can't be readied``."""
    verb = w.words.verb_words(action.verb)
    if _is_given(action):
        assert action.to is not None
        given = predicate(w, replace(action, to=None))
        return _joined(w.subject(action.to), modal, "be", verb.participle, given)
    if action.subject is None and action.object is not None:
        rest = predicate(w, action, without_object=True)
        how = verb.base if verb.ergative else f"be {verb.participle}"
        return _joined(w.subject(action.object), modal, how, rest)
    subject = w.subject(action.subject) if action.subject is not None else ""
    rest = predicate(w, action)
    return _joined(subject, modal, verb.base, rest.removeprefix("all ") if modal == "can't" else rest)


def _is_given(action: Action) -> bool:
    """Whether damage is said to be given to somebody, by nobody named: ``it is dealt damage``."""
    return action.subject is None and action.to is not None and action.verb in {"deal", "assign"}


def _given(w: Writer, action: Action) -> str:
    assert action.to is not None
    being = is_being(w, action.to, negated=action.negated)
    return _joined(being, w.words.verb_words(action.verb).participle, predicate(w, replace(action, to=None)))


def _without(action: Action, manner: str) -> Action:
    return replace(action, manner=tuple(part for part in action.manner if part != manner))


def in_past(w: Writer, action: Action, *, negated: bool = False) -> str:
    """Write what happened: ``I died alone``, ``you didn't pay``, ``a unit was played``."""
    verb = w.words.verb_words(action.verb)
    if action.subject is None and action.object is not None and not verb.ergative:
        was = f"{'were' if agreement(action.object) == 'they' else 'was'}{NOT if negated else ''}"
        return _joined(
            w.subject(action.object), was, verb.participle, predicate(w, action, without_object=True)
        )
    doer = action.subject if action.subject is not None else action.object
    told = f"didn't {verb.base}" if negated else verb.past
    subject = w.subject(doer) if doer is not None else ""
    return _joined(subject, told, predicate(w, action, without_object=action.subject is None))


def in_perfect(w: Writer, action: Action, *, negated: bool = False) -> str:
    """Write what has happened by now: ``you've played a card``, ``a unit has died``."""
    verb = w.words.verb_words(action.verb)
    passive = action.subject is None and action.object is not None and not verb.ergative
    doer = action.subject if action.subject is not None else action.object
    if doer is None:
        raise UnprintableError("what has happened needs somebody who did it or something it was done to")
    subject, has = w.subject(doer), "has" if agreement(doer) == "it" else "have"
    if negated:
        has += "n't"
    elif subject in {"you", "they"}:
        subject, has = f"{subject}'ve", ""
    rest = predicate(w, action, without_object=action.subject is None)
    return _joined(subject, has, "been" if passive else "", verb.participle, rest)


def happened(w: Writer, event: Event, window: Duration | None, *, negated: bool = False) -> str:
    """Write an event of history: in the perfect with a window of time, in the past without."""
    if isinstance(event.action, Moment):
        return w(event.action)
    w = w.describing()
    tell = in_perfect if (window is not None or event.window is not None) and not negated else in_past
    written = tell(w, event.action, negated=negated)
    return _joined(written, *(w(part) for part in (event.window, window) if part is not None))


def _joined(*parts: str) -> str:
    """Join the parts of a clause that are there; a part that begins with a comma takes no space before it."""
    text = ""
    for part in parts:
        if part:
            text += part if not text or part.startswith(",") else f" {part}"
    return text


def be(subject: Node, *, negated: bool = False, past: bool = False) -> str:
    """Write "to be" as it agrees with a subject."""
    person = agreement(subject)
    if past:
        form = "were" if person == "they" or subject == YOU else "was"
    else:
        form = {"I": "am", "it": "is", "they": "are"}[person]
    if not negated:
        return form
    return "am not" if form == "am" else f"{form}n't"


def is_being(w: Writer, subject: Node, *, negated: bool = False, past: bool = False) -> str:
    """Write a subject with "to be": ``I'm``, ``it's``, ``a unit is``, ``they weren't``."""
    written, being = w.subject(subject), be(subject, negated=negated, past=past)
    short = {("I", "am"): "I'm", ("it", "is"): "it's", ("I", "am not"): "I'm not"}.get((written, being))
    return short or f"{written} {being}"


# ---------------------------------------------------------------------------------------------- predicates


def _is_told_with_object(source: Node | None) -> bool:
    return isinstance(source, Zone) or source == Reference("them")


def predicate(w: Writer, action: Action, *, without_object: bool = False) -> str:
    """Write what follows the verb: object and amount, source, destination, place, means, manner, cost."""
    if isinstance(action.object, Objects) and _is_told_with_object(action.source) and not without_object:
        assert action.source is not None
        # Said with what is taken: "a unit from your trash that costs no more ...".
        taken = replace(action.object, filters=(*action.object.filters, From(action.source)))
        action = replace(action, object=taken, source=None)
    thing, tail = ("", "") if without_object else _object(w, action)
    many = action.object is not None and is_plural(action.object)
    return _joined(
        thing,
        w.words.displayed(action.state) if action.state is not None else "",
        from_place(w, action.source, many=many) if action.source is not None else "",
        _destination(w, action),
        at_place(w, action.at, many=many) if action.at is not None else "",
        f"with {w(action.using)}" if action.using is not None else "",
        *(_manner(w, manner) for manner in action.manner),
        tail,
        f"until {statement_of_event(w, action.until)}" if action.until is not None else "",
        f"to {order(w.describing(), action.purpose)}" if action.purpose is not None else "",
        _play_cost(w, action) if action.cost is not None else "",
    )


def _object(w: Writer, action: Action) -> tuple[str, str]:
    """What the verb is done to, and what follows at the end (" for each ...")."""
    if action.amount is not None:
        return _figure_object(w, action)
    if action.object is None:
        return "damage" if action.verb == "deal" else "", ""
    text = _all(w, action.object)
    if isinstance(action.object, Resource):
        split = figure(w, action.object.amount)
        if split is not None and split[1]:
            return text.removesuffix(split[1]), split[1].strip()
    return text, ""


def _figure_object(w: Writer, action: Action) -> tuple[str, str]:
    amount = action.amount
    assert amount is not None
    split = figure(w, amount)
    thing = f" {w(action.object)}" if action.object is not None else ""
    counted = w.words.verb_words(action.verb).counted
    if split is not None:
        head, tail = split
        if action.verb == "deal" and action.manner:
            thing = " damage"
        return head + thing, tail.strip()
    if isinstance(amount, AnyAmount):
        return (f"any number of {w.words.plural(counted)}" if counted else w(amount)), ""
    noun = "damage" if action.verb == "deal" else w.words.plural(counted or "card")
    return f"{noun} equal to {w(amount)}", ""


def _destination(w: Writer, action: Action) -> str:
    if action.to is None:
        return ""
    if "split" in action.manner:
        return f"split among {w(action.to)}"
    if "same-place" in action.manner and isinstance(action.to, Objects):
        return f"to the same {described(w, action.to, many=False)}"
    if "to-or-from" in action.manner:
        return f"to or from {w(action.to)}"
    goal = w.words.verb_words(action.verb).place_is_goal and not isinstance(action.object, Reference)
    if goal and isinstance(action.to, Here | There):
        return at_place(w, action.to)
    if isinstance(action.to, Player):
        return f"to {w(action.to)}"
    if isinstance(action.to, Objects) and action.to.quantity.rule == "all":
        return f"to {_all(w, action.to)}"
    return to_place(w, action.to)


def _all(w: Writer, thing: Node) -> str:
    """Write what an action is done to; where that is everything, "all" is said."""
    everything = isinstance(thing, Objects) and thing.quantity.rule == "all" and w.says_all
    return f"all {w(thing)}" if everything else w(thing)


_SAID_ELSEWHERE = frozenset({"split", "same-place", "must", "to-or-from"})
"""Manners that are said with the destination, or before the verb."""


def _manner(w: Writer, manner: str) -> str:
    if manner in _SAID_ELSEWHERE:
        return ""
    if manner.startswith("from-") and manner.removeprefix("from-") in {"hold", "conquer"}:
        return f"from {w.words.verb_words(manner.removeprefix('from-')).gerund}"
    return w.words.adverb(manner)


def _play_cost(w: Writer, action: Action) -> str:
    """How the cost of what is played changes: ``, ignoring its cost``, `` for [A]``."""
    cost = action.cost
    if isinstance(cost, Cost | CostOptions):
        return f"for {w(cost)}"
    assert cost is not None
    whose = "their" if action.object is not None and is_plural(action.object) else "its"
    part = _cost_part(cost.part) + ("s" if whose == "their" else "")
    if cost.change == "ignore" and cost.part == "any-cost":
        return ", ignoring any and all costs"
    if cost.change == "ignore":
        return f", ignoring {whose} {part}"
    if cost.change == "becomes" and cost.cost is not None:
        return f"for {w(cost.cost)}"
    if cost.cost is None:
        raise UnprintableError("a cost that becomes less or more needs the amount")
    word = "reducing" if cost.change == "less" else "increasing"
    return _joined(f", {word} {whose} {part} by {_change_amount(w, cost)}", *_cost_tails(w, cost))


_COST_PARTS = {"cost": "cost", "energy-cost": "Energy cost", "power-cost": "Power cost", "any-cost": "cost"}


def _cost_part(part: str) -> str:
    return _COST_PARTS[part]


def _change_amount(w: Writer, change: CostChange) -> str:
    if change.cost is None:
        raise UnprintableError("a change of cost needs the amount")
    return w(change.cost).replace(" / ", " or ")


def _cost_tails(w: Writer, change: CostChange) -> list[str]:
    tails = []
    if change.per is not None:
        tails.append((for_each(w, change.per) or f" times {w(change.per)}").strip())
    if change.minimum is not None:
        tails.append(f", to a minimum of {w(change.minimum)}")
    return tails


# ------------------------------------------------------------------------------------------ events and times


@writes(Moment)
def _moment(w: Writer, node: Moment) -> str:
    which = f"{node.which} " if node.which is not None else ""
    phase = w.words.displayed(node.phase)
    if node.which == "this":
        return f"at the {node.edge} of this {phase}"
    whose = w.possessive(node.whose) if node.whose is not None else "the"
    return f"at the {node.edge} of {whose} {which}{phase}"


@writes(Event)
def _event(w: Writer, node: Event) -> str:
    return event_opening(w, node)


def event_opening(w: Writer, event: Event) -> str:
    """Write an event as the opening of a trigger: ``when you play a unit``, ``at the end of your turn``."""
    w = w.describing()
    if isinstance(event.action, Moment):
        return w(event.action)
    if event.ordinal == 1:
        # "The first time each turn" would limit the ability; here each of several may have a first time.
        once = statement_of_event(w, replace(event, window=None))
        return _joined("when", once, "for the first time", w(event.window) if event.window else "")
    if event.ordinal is not None and isinstance(event.action, Action):
        own = _own_nth(w, event.action, event.ordinal)
        if own is not None:
            return _joined("when", own, "in a turn")
        return f"the {english.ordinal(event.ordinal)} time {statement_of_event(w, event)}"
    return f"when {statement_of_event(w, event)}"


def _own_nth(w: Writer, action: Action, ordinal: int) -> str | None:
    """Write "you play your second card" where the object is said to be the doer's own."""
    match action:
        case Action(subject=Player() as doer, object=Objects() as what) if ControlledBy(doer) in what.filters:
            rest = replace(what, filters=tuple(part for part in what.filters if part != ControlledBy(doer)))
            number = english.ordinal(ordinal)
            after = predicate(w, replace(action, object=None))
            noun = f"{w.possessive(doer)} {number} {described(w, rest, many=False)}"
            return _joined(w.subject(doer), w.verb(action.verb, doer), noun, after)
    return None


def statement_of_event(w: Writer, event: Event) -> str:
    """Write an event as a plain statement: ``you play your second card in a turn``."""
    if isinstance(event.action, Moment):
        return w(event.action)
    return _joined(statement(w, event.action), w(event.window) if event.window is not None else "")


@writes(ThisTurn)
def _this_turn(w: Writer, node: ThisTurn) -> str:
    return "each turn" if node.each else "this turn"


@writes(ThisCombat)
def _this_combat(w: Writer, node: ThisCombat) -> str:
    return "this combat"


@writes(AsLongAs)
def _as_long_as(w: Writer, node: AsLongAs) -> str:
    return f"for as long as {w(node.condition)}"


@writes(UntilEvent)
def _until_event(w: Writer, node: UntilEvent) -> str:
    return f"until {statement_of_event(w, node.event)}"


@writes(During)
def _during(w: Writer, node: During) -> str:
    whose = f"{w.possessive(node.whose)} " if node.whose is not None else ""
    phase = w.words.displayed(node.phase)
    if not whose:
        phase = w.words.plural(node.phase)
    return f"during {whose}{phase}{' this turn' if node.this_turn else ''}"


# ------------------------------------------------------------------------------------------------ filters


@writes(That)
def _that(w: Writer, node: That) -> str:
    """A relative clause: ``you've played this turn``, ``that died this turn``, ``revealed this way``."""
    return relative(w, node, past=node.window is not None or node.this_way or node.negated)


def relative(w: Writer, node: That, *, past: bool) -> str:
    """Write a relative clause in the past, or in the present for what is still to come ("you play this turn")."""
    w = w.describing()
    action = node.event.action
    if isinstance(action, Moment):
        raise UnprintableError("a moment cannot describe an object")
    if action.verb == "do-so":
        return "who did"
    if node.gap == "was" and action.state is not None:
        return f"that was {w.words.displayed(action.state)}"
    verb = w.words.verb_words(action.verb)
    after = [w(node.window) if node.window is not None else "", "this way" if node.this_way else ""]
    if node.gap == "object" and action.subject is None:
        rest = predicate(w, action, without_object=True)
        return _joined("that hasn't been" if node.negated else "", verb.participle, rest, *after)
    who = action.subject if node.gap == "object" else None
    if past:
        told = f"didn't {verb.base}" if node.negated else verb.past
    elif who is not None:
        told = w.verb(action.verb, who, negated=node.negated)
    else:
        told = f"doesn't {verb.base}" if node.negated else verb.third
    subject = w.subject(who) if who is not None else "that"
    return _joined(subject, told, predicate(w, action, without_object=who is not None), *after)


# --------------------------------------------------------------------------------------------- conditions


@writes(Compare)
def _compare(w: Writer, node: Compare) -> str:
    match node.left:
        case StatOf(stat="xp" | "points" as stat, of=Player() as who) if isinstance(node.right, Number):
            noun = "XP" if stat == "xp" else "points"
            return f"{w.subject(who)} {w.verb('have', who)} {bounded(node.op, w(node.right))} {noun}"
    left = w(node.left)
    if isinstance(node.right, Number):
        return f"{left} is {bounded(node.op, w(node.right))}"
    words = {"<": "less than", "<=": "at most", "=": "equal to", ">=": "at least", ">": "greater than"}
    return f"{left} is {words[node.op]} {w(node.right)}"


@writes(Exists)
def _exists(w: Writer, node: Exists) -> str:
    what = node.what
    if isinstance(what, Objects):
        for part in what.filters:
            if isinstance(part, ControlledBy) and not part.owned and not part.negated:
                return _controls(w, node, what, part)
            if isinstance(part, From) and isinstance(part.place, Zone) and part.place.of is not None:
                return _has_cards(w, node, what, part.place.of)
    verb = "are" if is_plural(what) else "is"
    return f"there {verb}{NOT if node.negated else ''} {w(what)}"


def _has_cards(w: Writer, node: Exists, what: Objects, owner: Player) -> str:
    """Write that a player has cards in a zone: ``you have two or fewer cards in your hand``."""
    counted = described(w, what, many=is_plural(what), counted=True)
    quantity = w(what.quantity) if is_plural(what) else ""
    written = f"{quantity} {counted}" if quantity else english.with_article(counted)
    return f"{w.subject(owner)} {w.verb('have', owner, negated=node.negated)} {written}"


def _controls(w: Writer, node: Exists, what: Objects, control: ControlledBy) -> str:
    rest = Objects(what.quantity, what.nouns, tuple(part for part in what.filters if part is not control))
    verb = w.verb("control", control.player, negated=node.negated)
    return f"{w.subject(control.player)} {verb} {w(rest)}"


@writes(Is)
def _is(w: Writer, node: Is) -> str:
    match node.filters:
        case (ControlledBy(owned=False) as control,) if not node.nouns and not node.past:
            verb = w.verb("control", control.player, negated=node.negated)
            return f"{w.subject(control.player)} {verb} {w(node.what)}"
    subject = w.subject(node.what)
    being = is_being(w, node.what, negated=node.negated, past=node.past)
    having = [part for part in node.filters if w(part).startswith("with ")]
    others = [part for part in node.filters if part not in having]
    described_as = " ".join(w(part) for part in others)
    if node.nouns:
        only = HasState("only")
        rest = tuple(part for part in node.filters if part != only)
        noun = described(w, Objects(Quantity("exactly", Number(1)), node.nouns, rest), many=False)
        article = f"the only {noun}" if only in node.filters else english.with_article(noun)
        return _joined(being, "already" if node.already else "", article)
    if having and not described_as:
        has = (
            ("had" if node.past else w.words.verb_words("have").third)
            if agreement(node.what) == "it"
            else "have"
        )
        return f"{subject} {has} {' and '.join(w(part).removeprefix('with ') for part in having)}"
    already = "already" if node.already else ""
    if any(isinstance(part, At) for part in node.filters):
        return _joined(being, described_as, already)
    return _joined(being, already, described_as, *(w(part) for part in having))


@writes(IsPlayer)
def _is_player(w: Writer, node: IsPlayer) -> str:
    return f"{is_being(w, node.who, negated=node.negated)} {w(node.role)}"


@writes(Happened)
def _happened(w: Writer, node: Happened) -> str:
    written = happened(w, node.event, node.window, negated=node.negated)
    if node.this_way:
        written += " this way"
    if node.count is not None:
        window = f" {w(node.window)}" if node.window is not None else ""
        times = "twice" if node.count == Number(2) else f"{w(node.count)} times"
        written = f"{written.removesuffix(window)} {times}{window}"
    return written


@writes(PaidAdditionalCost)
def _paid(w: Writer, node: PaidAdditionalCost) -> str:
    pay = "didn't pay" if node.negated else "paid"
    return f"you {pay} the additional cost"


@writes(DidSo)
def _did_so(w: Writer, node: DidSo) -> str:
    who = node.who or YOU
    do = "does" if agreement(who) == "it" else "do"
    return f"{w.subject(who)} {do}{NOT if node.negated else ''}"


@writes(WithinPoints)
def _within(w: Writer, node: WithinPoints) -> str:
    return f"{w.possessive(node.whose)} score is within {w(node.amount)} points of the Victory Score"


@writes(InPhase)
def _in_phase(w: Writer, node: InPhase) -> str:
    whose = f"{w.possessive(node.whose)} " if node.whose is not None else "the "
    being = "it isn't" if node.negated else "it's"
    return f"{being} {whose}{w.words.displayed(node.phase)}"


@writes(TagsAmong)
def _tags_among(w: Writer, node: TagsAmong) -> str:
    if not node.tags:
        count = f" {w(node.count)}" if node.count is not None else ""
        return f"{plain(w, node.what)} have all{count} tags"
    tags = english.listed(node.tags)
    return f"{plain(w, node.what)} have all of the following tags among them — {tags}"


@writes(AllOf)
def _all_of(w: Writer, node: AllOf) -> str:
    return " and ".join(w(part) for part in node.conditions)


@writes(AnyOf)
def _any_of(w: Writer, node: AnyOf) -> str:
    first = node.conditions[0]
    if isinstance(first, Is) and all(_differs_in_state(first, part) for part in node.conditions):
        states = [part.filters[0] for part in node.conditions if isinstance(part, Is)]
        rest = [w(part) for part in first.filters[1:]]
        being = is_being(w, first.what, negated=first.negated, past=first.past)
        return _joined(being, english.listed([w(state) for state in states], "or"), *rest)
    return " or ".join(w(part) for part in node.conditions)


def _differs_in_state(first: Is, other: Condition) -> bool:
    if not isinstance(other, Is) or not (first.filters and other.filters):
        return False
    if not isinstance(first.filters[0], HasState) or not isinstance(other.filters[0], HasState):
        return False
    return replace(other, filters=(first.filters[0], *other.filters[1:])) == first


# ------------------------------------------------------------------------------- changes and continuous effects


def might_change(w: Writer, change: MightChange) -> tuple[str, list[str]]:
    """Write a change of Might as what is given ("+2 [M]") and what follows the duration ("for each ...")."""
    sign = "-" if change.minus else "+"
    more = "an additional " if change.additional else ""
    split = figure(w, change.amount)
    tails = []
    if split is None:
        head = f"{more}{sign}{MIGHT} equal to {w(change.amount)}"
    else:
        head = f"{more}{sign}{split[0]} {MIGHT}"
        if split[1]:
            tails.append(split[1].strip())
    if change.minimum is not None:
        tails.append(f", to a minimum of {w(change.minimum)} {MIGHT}")
    return head, tails


@writes(MightChange)
def _might_change(w: Writer, node: MightChange) -> str:
    head, tails = might_change(w, node)
    return _joined(head, *tails)


@writes(MightDoubled)
def _might_doubled(w: Writer, node: MightDoubled) -> str:
    return "double Might"


@writes(MightSwapped)
def _might_swapped(w: Writer, node: MightSwapped) -> str:
    return "swapped Might"


@writes(MightSet)
def _might_set(w: Writer, node: MightSet) -> str:
    return f"{'at least ' if node.only_up else ''}Might equal to {w(node.amount)}"


@writes(Gains)
def _gains(w: Writer, node: Gains) -> str:
    if isinstance(node.what, CardText):
        return f'"{w(node.what)}"'
    tail = " if they didn't already" if node.redundant else ""
    if isinstance(node.what, HasTag):
        return f"the {english.listed(node.what.tags)} tag{tail}"
    return f"{w(node.what)}{tail}"


@writes(BecomesCopy)
def _becomes_copy(w: Writer, node: BecomesCopy) -> str:
    return f"a copy of {w(node.of)}{chr(39) + 's text' if node.text_only else ''}"


@writes(StatFactor)
def _stat_factor(w: Writer, node: StatFactor) -> str:
    times = "double" if node.factor == Number(2) else f"{w(node.factor)} times"
    return f"{times} its {stat_name(w, node.stat)}"


def changes(w: Writer, node: Modify, duration: str) -> str:
    """Write all changes of an effect with its duration: ``+2 [M] and [Tank] this turn``."""
    heads: list[str] = []
    tails: list[str] = []
    for change in node.changes:
        if isinstance(change, MightChange):
            head, more = might_change(w, change)
            heads.append(head)
            tails += more
        else:
            heads.append(w(change))
    return _joined(english.listed(heads), duration, *tails)


@writes(Modify)
def _modify(w: Writer, node: Modify) -> str:
    return has_changes(w, node, "")


def has_changes(w: Writer, node: Modify, duration: str) -> str:
    """Write a continuous change as a statement: ``other friendly units have +1 [M]``."""
    subject = w.subject(node.subject)
    match node.changes:
        case (MightChange(amount=Times(amount=head, times=StatOf(stat="buffs", of=bearer))) as change,) if (
            bearer == node.subject
        ):
            given = changes(w, replace(node, changes=(replace(change, amount=head),)), "")
            return _joined("buffs give", given, f"to {w(node.subject)}", duration)
        case (BecomesCopy(text_only=True) as copy,):
            text, place = w.possessive(copy.of), w.possessive(node.subject)
            return _joined(f"copy {text} text to {place} effect text", duration)
        case (BecomesCopy() as copy,):
            return _joined(subject, w.verb("become", node.subject), _copies(w, node.subject, copy), duration)
        case (MightDoubled(),):
            return _joined(f"double {w.possessive(node.subject)} Might", duration)
        case (MightSwapped(),):
            return _joined(f"swap the Might of {w(node.subject)}", duration)
        case (MightSet() as change,):
            word = "increase" if change.only_up else "set"
            return _joined(f"{word} {w.possessive(node.subject)} Might to {w(change.amount)}", duration)
        case (StatFactor(),):
            return _joined(subject, w.verb("give", node.subject), w(node.changes[0]), duration)
        case (Gains(what=HasTag() as tag),):
            return _joined(
                is_being(w, node.subject), english.with_article(english.listed(tag.tags)), duration
            )
        case (Gains(what=Reference() as named),):
            return _joined(subject, w.verb("gain", node.subject), w(named), duration)
    if isinstance(node.subject, HostOf):
        bearer = node.subject.what
        return _joined(w.subject(bearer), w.verb("give", bearer), changes(w, node, duration))
    return _joined(subject, w.verb("have", node.subject), changes(w, node, duration))


def _copies(w: Writer, subject: Node, copy: BecomesCopy) -> str:
    return f"copies of {w(copy.of)}" if is_plural(subject) else w(copy)


@writes(CostChange)
def _cost_change(w: Writer, node: CostChange) -> str:
    if node.what is None:
        raise UnprintableError("a change of cost needs the thing whose cost changes")
    subject = w.subject(node.what)
    purpose = f"to {order(w, node.action)}" if node.action is not None else ""
    if node.change == "ignore":
        return f"ignore {w.possessive(node.what)} {_cost_part(node.part)}"
    if node.change == "becomes":
        return _joined(subject, w.verb("cost", node.what), _change_amount(w, node), purpose)
    if node.part in {"energy-cost", "power-cost"} or not isinstance(node.cost, Cost | CostOptions):
        word = "reduced" if node.change == "less" else "increased"
        by = f"by {_change_amount(w, node)}"
        stat = w(StatOf(node.part, node.what))
        return _joined(f"{stat} is {word} {by}", purpose, *_cost_tails(w, node))
    how = f"{_change_amount(w, node)} {node.change}"
    return _joined(subject, w.verb("cost", node.what), how, purpose, *_cost_tails(w, node))


@writes(Enters)
def _enters(w: Writer, node: Enters) -> str:
    place = at_place(w, node.at) if node.at is not None else ""
    return _joined(w.subject(node.subject), w.verb("enter", node.subject), node.state or "", place)


@writes(Permit)
def _permit(w: Writer, node: Permit) -> str:
    """What stands allowed is "can"; "may" is a choice when something is done."""
    cost = f"for {w(node.cost)}" if node.cost is not None else ""
    even = f", even if {w(node.even_if)}" if node.even_if is not None else ""
    w = w.describing()
    if node.instead_of is not None and node.cost is not None:
        todo = order(w, node.action)
        return f"you may pay {w(node.cost)} to {todo} instead of {w(node.instead_of)}"
    if node.only and is_imperative(node.action) and isinstance(node.action.object, Self):
        verb = w.words.verb_words(node.action.verb).base
        rest = predicate(w, replace(node.action, object=None))
        return _joined(verb, w(node.action.object), "only", rest, cost, even)
    return _joined(with_modal(w, node.action, "can only" if node.only else "can"), cost, even)


@writes(Forbid)
def _forbid(w: Writer, node: Forbid) -> str:
    return _joined(with_modal(w.describing(), node.action, "can't"), _until(w, node.until))


def _until(w: Writer, moment: Moment | None) -> str:
    """Write when a prohibition ends: ``until their third turn``."""
    if moment is None:
        return ""
    which = moment.which or ""
    if which.isdecimal():
        which = english.ordinal(int(which))
    whose = w.possessive(moment.whose) if moment.whose is not None else "the"
    return _joined("until", whose, which, w.words.displayed(moment.phase))


@writes(Require)
def _require(w: Writer, node: Require) -> str:
    if node.cost is not None:
        doer = node.action.subject or YOU
        per = (for_each(w, node.per) or "") if node.per is not None else ""
        return f"{w.subject(doer)} must pay {w(node.cost)}{per} to {order(w.describing(), node.action)}"
    return with_modal(w, node.action, "must")


@writes(BonusDamage)
def _bonus_damage(w: Writer, node: BonusDamage) -> str:
    to = f" to {w(node.to)}" if node.to is not None else ""
    split = figure(w, node.amount)
    if split is None:
        raise UnprintableError("Bonus Damage is a figure")
    head, tail = split
    return f"{w.subject(node.source)} {w.verb('deal', node.source)} {head} Bonus Damage{to}{tail}"


@writes(DamageFactor)
def _damage_factor(w: Writer, node: DamageFactor) -> str:
    times = "double" if node.factor == Number(2) else f"{w(node.factor)} times"
    return f"{times} all damage that would be dealt to {w(node.to)}"


@writes(TriggerAgain)
def _trigger_again(w: Writer, node: TriggerAgain) -> str:
    subject = w.subject(node.what)
    if node.never:
        return f"{subject} {w.verb('trigger', node.what, negated=True)}"
    times = "an additional time" if node.times == Number(1) else f"{w(node.times)} additional times"
    return f"{subject} {w.verb('trigger', node.what)} {times}"


@writes(CountsAs)
def _counts_as(w: Writer, node: CountsAs) -> str:
    also = f"{w.subject(node.what)} are also {w.words.displayed(node.as_)} effects"
    return f"{also}, and vice versa" if node.mutual else also


@writes(PreventDamage)
def _prevent_damage(w: Writer, node: PreventDamage) -> str:
    if isinstance(node.source, Objects):
        return f"prevent all {english.listed([w.words.displayed(noun) for noun in node.source.nouns])} damage"
    head = "all damage" if node.amount is None else f"the next {w(node.amount)} damage"
    if node.to is not None:
        return f"prevent {head} that would be dealt to {w(node.to)}"
    return f"prevent {head}" if node.source is None else f"prevent {head} from {w(node.source)}"


@writes(Controls)
def _controls_for_a_time(w: Writer, node: Controls) -> str:
    return f"{w.subject(node.who)} {w.verb('control', node.who)} {w(node.what)}"


@writes(AddsAlso)
def _adds_also(w: Writer, node: AddsAlso) -> str:
    return f"{w.subject(node.what)} {w.verb('add', node.what)} an additional {w(node.more)}"


@writes(LethalAmount)
def _lethal_amount(w: Writer, node: LethalAmount) -> str:
    return f"any amount of {w.possessive(node.source)} damage is enough to kill {plain(w, node.to)}"


@writes(GoalChange)
def _goal_change(w: Writer, node: GoalChange) -> str:
    return f"increase the points needed to win the game by {w(node.amount)}"


@writes(BuffLimit)
def _buff_limit(w: Writer, node: BuffLimit) -> str:
    number = "any number of" if isinstance(node.amount, AnyAmount) else f"up to {w(node.amount)}"
    return f"{w.subject(node.subject)} can have {number} buffs"


@writes(Also)
def _also(w: Writer, node: Also) -> str:
    return f"{opening(w, node.condition)}, {effects(w, node.effects)}"


def effects(w: Writer, parts: tuple[Effect, ...]) -> str:
    """Write effects together; a subject that does not change is said once."""
    written: list[str] = []
    last: Node | None = None
    for part in parts:
        text = w(part)
        who = getattr(part, "subject", getattr(part, "what", None))
        if written and who is not None and who == last:
            text = text.removeprefix(f"{w.subject(who)} ")
        written.append(text)
        last = who
    return english.listed(written)


def opening(w: Writer, condition: Condition) -> str:
    """Write a condition before what it governs: a state lasts ("while"), a deed has been done ("if")."""
    word = "if" if isinstance(condition, Happened | PaidAdditionalCost | DidSo) else "while"
    return f"{word} {w(condition)}"


# ------------------------------------------------------------------------------------------- instructions


def sentences(w: Writer, body: Instruction) -> str:
    """Write an instruction at the top of an ability: each step a sentence of its own, the first uncapitalised."""
    if not isinstance(body, Sequence):
        return _ended(w(body))
    text = _ended(w(body.steps[0]))
    for before, step in itertools.pairwise(body.steps):
        apart = "\n" if _is_gated(step) or _is_gated(before) or isinstance(before, ChooseMode) else " "
        text += apart + english.capitalised(_ended(w(step)))
    return text


def _is_gated(step: Instruction) -> bool:
    """A gate stands at the head of a paragraph and governs all of it."""
    return isinstance(step, GatedInstruction) or (
        isinstance(step, Revise) and isinstance(step.condition, Keyword)
    )


def _ended(sentence: str) -> str:
    done = sentence.endswith((".", '."')) or "\n•" in sentence
    return sentence if done else f"{sentence}."


@writes(Sequence)
def _sequence(w: Writer, node: Sequence) -> str:
    steps = ", then ".join(w(step) for step in node.steps)
    return f"({steps})" if w.explicit else steps


def told(w: Writer, body: Instruction, who: Player | Group | None) -> str:
    """Write an instruction after "you may" or "to": orders without a subject where the doer is the same."""
    match body:
        case Action(subject=doer) if who is not None and doer == who:
            return order(w, body)
        case Sequence():
            steps = ", then ".join(told(w, step, who) for step in body.steps)
            return f"({steps})" if w.explicit else steps
        case PayTo() if body.who is None or body.who == who:
            return _pay(w, body, who)
        case ChooseMode(memory=None, count=Number(value=1)) if all(_is_clause(mode) for mode in body.modes):
            return english.listed([told(w, mode, who) for mode in body.modes], "or")
    return w(body)


def _is_clause(body: Instruction) -> bool:
    return isinstance(body, Action | Apply)


@writes(May)
def _may(w: Writer, node: May) -> str:
    return f"{w.subject(node.who)} may {told(w, node.body, node.who)}"


@writes(Conditional)
def _conditional(w: Writer, node: Conditional) -> str:
    written = f"if {w(node.condition)}, {w(node.body)}"
    if node.otherwise is not None:
        written += f". Otherwise, {w(node.otherwise)}"
    return written


@writes(Revise)
def _revise(w: Writer, node: Revise) -> str:
    first = english.capitalised(_ended(w(node.original)))
    first = first[:1].lower() + first[1:] if first[:1].isalpha() else first
    if isinstance(node.condition, Keyword):
        return f"{first}\n{w(node.condition)}[>] {english.capitalised(w(node.revised))} instead"
    return f"{first} If {w(node.condition)}, {w(node.revised)} instead"


@writes(PayTo)
def _pay_to(w: Writer, node: PayTo) -> str:
    return _pay(w, node, node.who or YOU)


def _pay(w: Writer, node: PayTo, who: Player | Group | None) -> str:
    payer = node.who or YOU
    pay = paid(w, node.cost)
    if who is None or (payer != who and payer != YOU):
        return f"{w.subject(payer)} {pay} to {told(w, node.body, payer)}"
    return f"{pay} to {told(w, node.body, payer)}"


def paid(w: Writer, cost: Cost | CostOptions) -> str:
    """Write a cost as what one does: ``pay [1] and exhaust me``."""
    if isinstance(cost, CostOptions):
        return f"pay {english.listed([w(option) for option in cost.options], 'or')}"
    parts: list[str] = []
    for action, group in itertools.groupby(cost.parts, key=lambda part: isinstance(part, Action)):
        if action:
            parts += [order(w, part) for part in group if isinstance(part, Action)]
        else:
            parts.append(f"pay {w(Cost(tuple(group)))}")
    return english.listed(parts)


@writes(InPlaceOf)
def _in_place_of(w: Writer, node: InPlaceOf) -> str:
    doing = w.words.verb_words(node.of.verb).gerund
    return f"{w(node.body)} instead of {doing} {predicate(w, node.of)}"


@writes(Unless)
def _unless(w: Writer, node: Unless) -> str:
    subject = w.subject(node.who)
    if isinstance(node.alternative, Cost):
        alternative = f"{w.verb('pay', node.who)} {w(node.alternative)}"
    elif isinstance(node.alternative, Action) and node.alternative.subject == YOU:
        alternative = f"{w.verb('have', node.who)} you {order(w, node.alternative)}"
    else:
        alternative = w(node.alternative)
        subject = ""
    return f"{w(node.body)} unless {_joined(subject, alternative)}"


_MEMORY = {
    None: "",
    "this-turn": " that hasn't been chosen this turn",
    "ever": " you haven't already chosen",
}


@writes(ChooseMode)
def _choose_mode(w: Writer, node: ChooseMode) -> str:
    who = node.who or YOU
    start = "choose" if who == YOU else f"{w.subject(who)} {w.verb('choose', who)}"
    count = english.number_word(node.count.value) if isinstance(node.count, Number) else w(node.count)
    modes = "".join(f"\n• {english.capitalised(sentences(w, mode))}" for mode in node.modes)
    return f"{start} {count}{_MEMORY[node.memory]} —{modes}"


_DOMAINS = frozenset({"fury", "calm", "mind", "body", "chaos", "order"})


@writes(Case)
def _case(w: Writer, node: Case) -> str:
    value = (
        f"[{node.value}]" if node.value in _DOMAINS else english.capitalised(w.words.displayed(node.value))
    )
    return f"{value} — {english.capitalised(sentences(w, node.body))}"


@writes(BranchOn)
def _branch_on(w: Writer, node: BranchOn) -> str:
    cases = "".join(f"\n• {w(case)}" for case in node.cases)
    return f"do one of the following based on {w.possessive(node.of)} {node.attribute}:{cases}"


@writes(ForEach)
def _for_each(w: Writer, node: ForEach) -> str:
    match node.what:
        case Objects():
            each = f"for each {each_one(w, node.what)}"
        case EventCount():
            each = f"for each {counted_event(w, node.what)}"
        case Player() | PlayersWho():
            each = f"for {w(node.what)}"
        case _:
            each = f"for each {w(node.what)}"
    return f"{each}, {w(node.body)}"


@writes(PlayersWho)
def _players_who(w: Writer, node: PlayersWho) -> str:
    return " ".join([w(node.who), *(w(part) for part in node.filters)])


@writes(InTurnOrder)
def _in_turn_order(w: Writer, node: InTurnOrder) -> str:
    first = w(node.first) if node.first is not None else "the next player"
    return f"starting with {first}, {w(node.body)}"


@writes(Reflexive)
def _reflexive(w: Writer, node: Reflexive) -> str:
    return f"do this: {english.capitalised(sentences(w, node.body))}"


@writes(Apply)
def _apply(w: Writer, node: Apply) -> str:
    duration = w(node.duration) if node.duration is not None else ""
    effect = node.effect
    if isinstance(effect, Modify):
        return _apply_changes(w, effect, duration, next_only=node.next_only)
    if node.next_only:
        return _next(w, w(effect), duration)
    return _joined(w(effect), duration)


def _next(w: Writer, text: str, duration: str) -> str:
    """Write a change of the next of its kind only: "a spell you play costs" is "the next spell you play costs"."""
    first, _, rest = text.partition(" ")
    if first not in {"a", "an"}:
        raise UnprintableError("only one thing can be the next")
    return _joined("the next", rest, duration)


def _apply_changes(w: Writer, effect: Modify, duration: str, *, next_only: bool) -> str:
    single = effect.changes[0]
    if isinstance(single, MightChange) and isinstance(single.amount, Times):
        times = single.amount.times
        if isinstance(times, StatOf) and times.stat == "buffs" and times.of == effect.subject:
            return has_changes(w, effect, duration)
    if isinstance(single, BecomesCopy | MightDoubled | MightSwapped | MightSet | StatFactor) or (
        isinstance(single, Gains) and isinstance(single.what, HasTag | Reference)
    ):
        return has_changes(w, effect, duration)
    if any(isinstance(change, Gains) and isinstance(change.what, CardText) for change in effect.changes):
        # A quoted ability ends its sentence, so the time comes first.
        return _joined(duration + "," if duration else "", has_changes(w, effect, ""))
    each = "each" if _is_several(effect.subject) else ""
    bearer = _next(w, w(effect.subject), "") if next_only else _all(w, effect.subject)
    return _joined("give", bearer, each, changes(w, effect, duration))


def _is_several(subject: Node) -> bool:
    """Several objects that are chosen one by one are given something each."""
    if not isinstance(subject, Objects) or subject.quantity.rule not in {"exactly", "up-to"}:
        return False
    return subject.quantity.amount not in {None, Number(1)}


@writes(CreateAbility)
def _create_ability(w: Writer, node: CreateAbility) -> str:
    duration = w(node.duration) if node.duration is not None else ""
    ability = node.ability
    if isinstance(ability, TriggeredAbility) and node.once and isinstance(ability.body, Action):
        moment = ability.events[0].action
        if isinstance(moment, Moment) and ability.condition is None:
            return f"{w(ability.body)} {w(moment)}"
    if isinstance(ability, ReplacementAbility):
        return _replacement(w, ability, duration, once=node.once)
    return _trigger(w, ability, duration, once=node.once, ended=False)


@writes(GatedInstruction)
def _gated_instruction(w: Writer, node: GatedInstruction) -> str:
    return f"{w(node.gate)}[>] {english.capitalised(w(node.body))}"


@writes(ChooseWord)
def _choose_word(w: Writer, node: ChooseWord) -> str:
    who = node.who or YOU
    verb = "choose" if node.options else "name"
    start = verb if who == YOU else f"{w.subject(who)} {w.words.verb_words(verb).third}"
    what = (
        english.listed([choice_word(w, option) for option in node.options], "or")
        if node.options
        else english.with_article(node.what)
    )
    return f"{start} {what}"


# ---------------------------------------------------------------------------------------------- abilities


@writes(KeywordAbility)
def _keyword_ability(w: Writer, node: KeywordAbility) -> str:
    more = "".join(f" {english.capitalised(w(effect))}." for effect in node.effects)
    return f"{w(node.keyword)}.{more}" if more else w(node.keyword)


_FREQUENCIES = {"once-each-turn": "once each turn, ", "first-time-each-turn": ""}


@writes(TriggeredAbility)
def _triggered(w: Writer, node: TriggeredAbility) -> str:
    return english.capitalised(_trigger(w, node, "", once=False, ended=True))


def _trigger(w: Writer, node: TriggeredAbility, duration: str, *, once: bool, ended: bool) -> str:
    start = _events(w, node.events)
    if node.frequency == "first-time-each-turn":
        start = start.replace("when ", "the first time ", 1) + " each turn"
    elif node.frequency == "once-each-turn":
        start = f"once each turn, {start}"
    if once:
        start = start.replace("when ", "the next time ", 1)
    phases, rest = _phases(node.condition)
    during = [_during_phase(w, phase) for phase in phases]
    condition = f" if {w(rest)}," if rest is not None else ""
    body = _body(w, node.body, ended=ended)
    return f"{_joined(start, *during, duration)},{condition} {body}"


def _body(w: Writer, body: Instruction, *, ended: bool) -> str:
    """Write the body of a trigger: an "if" right behind the event would be the trigger's own (383.2.a)."""
    first = body.steps[0] if isinstance(body, Sequence) else body
    written = sentences(w, body) if ended else w(body)
    if not isinstance(first, Conditional):
        return written
    late = f"{w(first.body)} if {w(first.condition)}"
    if first.otherwise is not None:
        late += f". Otherwise, {w(first.otherwise)}"
    return late + written.removeprefix(w(first))


def _phases(condition: Condition | None) -> tuple[list[InPhase], Condition | None]:
    """Split what a trigger's condition says of the time from the rest of it."""
    parts = condition.conditions if isinstance(condition, AllOf) else (condition,) if condition else ()
    phases = [part for part in parts if isinstance(part, InPhase) and not part.negated]
    rest = tuple(part for part in parts if part not in phases)
    return phases, AllOf(rest) if len(rest) > 1 else rest[0] if rest else None


def _during_phase(w: Writer, node: InPhase) -> str:
    """Write the time of an event: ``on your turn``, ``during a showdown``."""
    phase = w.words.displayed(node.phase)
    if node.phase == "combat":
        return "in combat"
    if node.whose is None:
        return f"during {english.with_article(phase)}"
    return f"{'on' if node.phase == 'turn' else 'during'} {w.possessive(node.whose)} {phase}"


def _events(w: Writer, events: tuple[Event, ...]) -> str:
    """Write the events of a trigger; a subject shared by plain verbs is said once: ``when I attack or defend``."""
    first = events[0]
    if len(events) > 1 and all(_differs_in_verb(first, event) for event in events):
        return f"when {_verbs_shared(w.describing(), events)}"
    return " or ".join(event_opening(w, event) for event in events)


def _differs_in_verb(first: Event, other: Event) -> bool:
    if not isinstance(first.action, Action) or not isinstance(other.action, Action):
        return False
    same_but_verb = replace(other.action, verb=first.action.verb) == first.action
    return same_but_verb and (first.ordinal, first.window) == (other.ordinal, other.window)


def _verbs_shared(w: Writer, events: tuple[Event, ...]) -> str:
    """Write events that differ in their verbs only: ``I attack or defend alone``, ``this is played or killed``."""
    actions = [event.action for event in events if isinstance(event.action, Action)]
    first = actions[0]
    passive = first.subject is None and not w.words.verb_words(first.verb).ergative
    doer = first.subject if first.subject is not None else first.object
    if doer is None:
        raise UnprintableError("an event needs somebody who does it or something it is done to")
    words = [w.words.verb_words(action.verb).participle for action in actions]
    if not passive:
        words = [w.verb(action.verb, doer) for action in actions]
    opening_words = is_being(w, doer) if passive else w.subject(doer)
    rest = predicate(w, first, without_object=first.subject is None)
    window = w(events[0].window) if events[0].window is not None else ""
    return _joined(opening_words, english.listed(words, "or"), rest, window)


@writes(ActivatedAbility)
def _activated(w: Writer, node: ActivatedAbility) -> str:
    cost = english.capitalised(w(node.cost))
    body = english.capitalised(sentences(w, node.body))
    limit = _limit(w, node.restriction, node.frequency)
    use = f" Use {limit}." if limit else ""
    more = "".join(f" {english.capitalised(w(effect))}." for effect in node.effects)
    return f"{cost}: {body}{use}{more}"


def _limit(w: Writer, condition: Condition | None, frequency: str | None) -> str:
    """Write a limit on use: ``only once per turn while I'm at a battlefield``."""
    if condition is None and frequency is None:
        return ""
    often = "once per turn" if frequency is not None else ""
    return _joined("only", often, opening(w, condition) if condition is not None else "")


@writes(PassiveAbility)
def _passive(w: Writer, node: PassiveAbility) -> str:
    body = effects(w, node.effects) + (" instead" if node.instead else "")
    if node.condition is not None:
        body = f"{opening(w, node.condition)}, {body}"
    return english.capitalised(_ended(body))


@writes(ReplacementAbility)
def _replacement_ability(w: Writer, node: ReplacementAbility) -> str:
    return english.capitalised(_ended(_replacement(w, node, "", once=False)))


def _replacement(w: Writer, node: ReplacementAbility, duration: str, *, once: bool) -> str:
    action = node.event.action
    if isinstance(action, Moment):
        raise UnprintableError("a moment cannot be replaced")
    phases, rest = _phases(node.condition)
    during = [_during_phase(w, phase) for phase in phases]
    condition = f" if {w(rest)}," if rest is not None else ""
    if node.keep:
        start = f"as {statement_of_event(w.describing(), node.event)}"
        return f"{start},{condition} {_instead(w, node, '')}"
    window = w(node.event.window) if node.event.window is not None else ""
    event = _joined(with_modal(w.describing(), action, "would"), window, *during, duration)
    start = "the next time" if once else "if"
    if node.frequency == "once-each-turn":
        start = f"once each turn, {start}"
    elif node.frequency == "first-time-each-turn":
        start, event = "the first time", f"{event} each turn"
    return f"{start} {event},{condition} {_instead(w, node, ' instead')}"


def _instead(w: Writer, node: ReplacementAbility, instead: str) -> str:
    """Write what happens instead: one sentence where the steps are plain, the rest of them after it otherwise."""
    may = "you may " if node.optional else ""
    body = node.body
    first = body.steps[0] if isinstance(body, Sequence) else body
    if isinstance(first, Action) and (first.verb == "prevent" or "first" in first.manner):
        # Preventing, or looking first, already tells that the event is changed.
        instead = ""
    if not isinstance(body, Sequence):
        return f"{may}{told(w, body, YOU)}{instead}"
    if instead and all(_is_clause(step) for step in body.steps):
        return f"{may}{told(w, body, YOU)}{instead}"
    rest = sentences(w, body).removeprefix(w(first))
    if isinstance(first, Conditional) and first.otherwise is None:
        return f"{told(w, first.body, YOU)} if {w(first.condition)}{instead}{rest}"
    return f"{may}{told(w, first, YOU)}{instead}{rest}"


@writes(SpellAbility)
def _spell(w: Writer, node: SpellAbility) -> str:
    return english.capitalised(sentences(w, node.body))


@writes(AdditionalCost)
def _additional_cost(w: Writer, node: AdditionalCost) -> str:
    played = w(node.what) if node.what is not None else w.self_word
    if node.optional:
        offered = f"you may {paid(w, node.cost)} as an additional cost to play {played}."
        condition = f"if {w(node.condition)}, " if node.condition is not None else ""
        return english.capitalised(condition + offered)
    return f"As an additional cost to play {played}, {paid(w, node.cost)}."


@writes(Gated)
def _gated(w: Writer, node: Gated) -> str:
    return f"{w(node.gate)}[>] {w(node.ability)}"


@writes(UseLimit)
def _use_limit(w: Writer, node: UseLimit) -> str:
    return f"Use my abilities {_limit(w, node.condition, node.frequency)}."


@writes(SpendLimit)
def _spend_limit(w: Writer, node: SpendLimit) -> str:
    start = f"spend this {w.words.displayed(node.resource)}" if node.resource is not None else "use"
    if node.purpose:
        purposes = [order(w.describing(), action) for action in node.purpose]
        return f"{start} only to {english.listed(purposes, 'or')}"
    if node.during is None:
        raise UnprintableError("a limit on spending needs a purpose or a time")
    return f"{start} only {w(node.during)}"


@writes(CardText)
def _card_text(w: Writer, node: CardText) -> str:
    return "\n".join(w(ability) for ability in node.abilities)
