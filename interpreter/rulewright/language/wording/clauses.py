"""How actions, events, times and conditions are written in the house wording."""

from __future__ import annotations

from dataclasses import replace

from rulewright.language.ast import (
    Action,
    AllOf,
    AnyAmount,
    AnyOf,
    AsLongAs,
    At,
    Compare,
    Condition,
    ControlledBy,
    Cost,
    CostChange,
    CostOptions,
    CountOf,
    DidSo,
    Duration,
    During,
    Event,
    EventCount,
    Exists,
    Filter,
    From,
    Happened,
    HasState,
    Here,
    InPhase,
    Is,
    IsPlayer,
    Moment,
    Node,
    Number,
    Objects,
    PaidAdditionalCost,
    Player,
    Quantity,
    Reference,
    Resource,
    StatOf,
    TagsAmong,
    That,
    There,
    ThisCombat,
    ThisTurn,
    UntilEvent,
    WithinPoints,
    Zone,
)
from rulewright.language.wording import english
from rulewright.language.wording.phrases import (
    at_place,
    bounded,
    cost_bound,
    described,
    figure,
    for_each,
    from_place,
    plain,
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
    return joined("don't" if action.negated else "", base, predicate(w, action))


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
            return joined(
                w.subject(patient),
                w.verb(action.verb, patient, negated=action.negated),
                predicate(w, action, without_object=True),
            )
        being = is_being(w, patient, negated=action.negated)
        return joined(being, verb.participle, predicate(w, action, without_object=True))
    if "each" in action.manner and action.subject is not None:
        alone = statement(w, _without(action, "each"))
        who = w.subject(action.subject)
        return f"{who} each{alone.removeprefix(who)}"
    subject = action.subject
    written = w.subject(subject) if subject is not None else ""
    return joined(written, w.verb(action.verb, subject, negated=action.negated), predicate(w, action))


def with_modal(w: Writer, action: Action, modal: str) -> str:
    """Write an action after "may", "can't", "must" or "would": ``units can't move``, ``I can't be readied``."""
    verb = w.words.verb_words(action.verb)
    if _is_given(action):
        assert action.to is not None
        given = predicate(w, replace(action, to=None))
        return joined(w.subject(action.to), modal, "be", verb.participle, given)
    if action.subject is None and action.object is not None:
        rest = predicate(w, action, without_object=True)
        how = verb.base if verb.ergative else f"be {verb.participle}"
        return joined(w.subject(action.object), modal, how, rest)
    subject = w.subject(action.subject) if action.subject is not None else ""
    rest = predicate(w, action)
    return joined(subject, modal, verb.base, rest.removeprefix("all ") if modal == "can't" else rest)


def _is_given(action: Action) -> bool:
    """Whether damage is said to be given to somebody, by nobody named: ``it is dealt damage``."""
    return action.subject is None and action.to is not None and action.verb in {"deal", "assign"}


def _given(w: Writer, action: Action) -> str:
    assert action.to is not None
    being = is_being(w, action.to, negated=action.negated)
    return joined(being, w.words.verb_words(action.verb).participle, predicate(w, replace(action, to=None)))


def _without(action: Action, manner: str) -> Action:
    return replace(action, manner=tuple(part for part in action.manner if part != manner))


def in_past(w: Writer, action: Action, *, negated: bool = False) -> str:
    """Write what happened: ``I died alone``, ``you didn't pay``, ``a unit was played``."""
    verb = w.words.verb_words(action.verb)
    if action.subject is None and action.object is not None and not verb.ergative:
        was = f"{'were' if agreement(action.object) == 'they' else 'was'}{NOT if negated else ''}"
        return joined(
            w.subject(action.object), was, verb.participle, predicate(w, action, without_object=True)
        )
    doer = action.subject if action.subject is not None else action.object
    told = f"didn't {verb.base}" if negated else verb.past
    subject = w.subject(doer) if doer is not None else ""
    return joined(subject, told, predicate(w, action, without_object=action.subject is None))


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
    return joined(subject, has, "been" if passive else "", verb.participle, rest)


def happened(w: Writer, event: Event, window: Duration | None, *, negated: bool = False) -> str:
    """Write an event of history: in the perfect with a window of time, in the past without."""
    if isinstance(event.action, Moment):
        return w(event.action)
    w = w.describing()
    tell = in_perfect if (window is not None or event.window is not None) and not negated else in_past
    written = tell(w, event.action, negated=negated)
    return joined(written, *(w(part) for part in (event.window, window) if part is not None))


def joined(*parts: str) -> str:
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
    return joined(
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
    text = with_all(w, action.object)
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
        return f"to {with_all(w, action.to)}"
    return to_place(w, action.to)


def with_all(w: Writer, thing: Node) -> str:
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
    part = cost_part(cost.part) + ("s" if whose == "their" else "")
    if cost.change == "ignore" and cost.part == "any-cost":
        return ", ignoring any and all costs"
    if cost.change == "ignore":
        return f", ignoring {whose} {part}"
    if cost.change == "becomes" and cost.cost is not None:
        return f"for {w(cost.cost)}"
    if cost.cost is None:
        raise UnprintableError("a cost that becomes less or more needs the amount")
    word = "reducing" if cost.change == "less" else "increasing"
    return joined(f", {word} {whose} {part} by {change_amount(w, cost)}", *cost_tails(w, cost))


_COST_PARTS = {"cost": "cost", "energy-cost": "Energy cost", "power-cost": "Power cost", "any-cost": "cost"}


def cost_part(part: str) -> str:
    """Write which part of a cost changes: ``cost``, ``Energy cost``."""
    return _COST_PARTS[part]


def change_amount(w: Writer, change: CostChange) -> str:
    """Write by how much a cost changes: ``[2]``, ``[1] or [A]``."""
    if change.cost is None:
        raise UnprintableError("a change of cost needs the amount")
    return w(change.cost).replace(" / ", " or ")


def cost_tails(w: Writer, change: CostChange) -> list[str]:
    """Write what follows a change of cost: how often it is taken, and its minimum."""
    tails = []
    if change.per is not None:
        tails.append((for_each(w, change.per) or f" times {w(change.per)}").strip())
    if change.minimum is not None:
        tails.append(f", to a minimum of {w(change.minimum)}")
    return tails


# ------------------------------------------------------------------------------------------ events and times


@writes(Moment)
def _moment(w: Writer, node: Moment) -> str:
    which = f"{node.which} " if node.which not in (None, "the") else ""
    phase = w.words.displayed(node.phase)
    if node.which == "this":
        return f"at the {node.edge} of this {phase}"
    if node.whose is None and node.which is None and node.phase == "turn":
        return f"at the {node.edge} of each turn"
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
        return joined("when", once, "for the first time", w(event.window) if event.window else "")
    if event.ordinal is not None and isinstance(event.action, Action):
        own = _own_nth(w, event.action, event.ordinal)
        if own is not None:
            return joined("when", own, "in a turn")
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
            return joined(w.subject(doer), w.verb(action.verb, doer), noun, after)
    return None


def statement_of_event(w: Writer, event: Event) -> str:
    """Write an event as a plain statement: ``you play your second card in a turn``."""
    if isinstance(event.action, Moment):
        return w(event.action)
    return joined(statement(w, event.action), w(event.window) if event.window is not None else "")


@writes(ThisTurn)
def _this_turn(w: Writer, node: ThisTurn) -> str:
    return "each turn" if node.each else "this turn"


@writes(ThisCombat)
def _this_combat(w: Writer, node: ThisCombat) -> str:
    return "each combat" if node.each else "this combat"


@writes(AsLongAs)
def _as_long_as(w: Writer, node: AsLongAs) -> str:
    return f"for as long as {w(node.condition)}"


@writes(UntilEvent)
def _until_event(w: Writer, node: UntilEvent) -> str:
    return f"until {statement_of_event(w, node.event).removeprefix('at ')}"


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
    action = node.event.action
    # What is controlled now is no clause of its own; what was paid for is over.
    done = isinstance(action, Action) and (action.purpose is not None or action.verb in {"control", "own"})
    return relative(w, node, past=node.window is not None or node.this_way or node.negated or done)


def relative(w: Writer, node: That, *, past: bool) -> str:
    """Write a relative clause in the past, or in the present for what is still to come ("you play this turn")."""
    w = w.describing()
    action = node.event.action
    if isinstance(action, Moment):
        raise UnprintableError("a moment cannot describe an object")
    if action.verb == "do-so":
        return "who didn't" if node.negated else "who did"
    if node.gap == "was" and action.state is not None:
        return f"that was {w.words.displayed(action.state)}"
    verb = w.words.verb_words(action.verb)
    after = [w(node.window) if node.window is not None else "", "this way" if node.this_way else ""]
    if node.gap == "object" and action.subject is None:
        rest = predicate(w, action, without_object=True)
        return joined("that hasn't been" if node.negated else "", verb.participle, rest, *after)
    who = action.subject if node.gap == "object" else None
    if past:
        told = f"didn't {verb.base}" if node.negated else verb.past
    elif who is not None:
        told = w.verb(action.verb, who, negated=node.negated)
    else:
        told = f"doesn't {verb.base}" if node.negated else verb.third
    subject = w.subject(who) if who is not None else "that"
    return joined(subject, told, predicate(w, action, without_object=who is not None), *after)


# --------------------------------------------------------------------------------------------- conditions


@writes(Compare)
def _compare(w: Writer, node: Compare) -> str:
    match node.left:
        case StatOf(stat="xp" | "points" as stat, of=Player() as who) if isinstance(node.right, Number):
            noun = "XP" if stat == "xp" else "points"
            return f"{w.subject(who)} {w.verb('have', who)} {bounded(node.op, w(node.right))} {noun}"
    more = _has_more(w, node) or _is_nth(w, node)
    if more is not None:
        return more
    left = w(node.left)
    if isinstance(node.right, Number):
        return f"{left} is {bounded(node.op, w(node.right))}"
    words = {"<": "less than", "<=": "at most", "=": "equal to", ">=": "at least", ">": "greater than"}
    return f"{left} is {words[node.op]} {w(node.right)}"


def _is_nth(w: Writer, node: Compare) -> str | None:
    """Write that so many have been, this one among them: ``it's the second card you've played this turn``."""
    if not isinstance(node.left, EventCount) or not isinstance(node.right, Number) or node.op != "=":
        return None
    action = node.left.event.action
    what = action.object if isinstance(action, Action) else None
    if (
        not isinstance(action, Action)
        or not isinstance(what, Objects)
        or not isinstance(action.subject, Player)
    ):
        return None
    told = That(Event(replace(action, object=None)), "object", node.left.window)
    those = described(w, replace(what, filters=(*what.filters, told)), many=False)
    return f"it's the {english.ordinal(node.right.value)} {those}"


def _has_more(w: Writer, node: Compare) -> str | None:
    """Write two players' counts compared: ``an opponent controls more units than you``."""
    word = {">": "more", "<": "fewer"}.get(node.op)
    match node.left, node.right:
        case StatOf(stat="xp" | "points" as stat, of=Player() as who), StatOf(
            stat=other, of=Player() as whom
        ):
            if word is None or stat != other:
                return None
            things = "XP" if stat == "xp" else "points"
            return f"{w.subject(who)} {w.verb('have', who)} {word} {things} than {w(whom)}"
        case CountOf(what=Objects() as own), CountOf(what=Objects() as others) if word is not None:
            return _counts_more(w, word, own, others)
    return None


def _counts_more(w: Writer, word: str, own: Objects, others: Objects) -> str | None:
    for mine, theirs in zip(own.filters, others.filters, strict=False):
        match mine, theirs:
            case ControlledBy(player=Player() as who), ControlledBy(player=Player() as whom):
                rest = replace(own, filters=tuple(part for part in own.filters if part is not mine))
                told = described(w, rest, many=True)
                return f"{w.subject(who)} {w.verb('control', who)} {word} {told} than {w(whom)}"
            case From(place=Zone(of=Player() as who) as zone), From(place=Zone(of=Player() as whom)):
                # The zone is said once, as of whoever is named first; of each it is their own.
                own_zone = YOU if who == YOU else Player("they")
                yours = From(Zone(zone.name, own_zone, zone.edge, zone.negated))
                filters = tuple(yours if part is mine else part for part in own.filters)
                as_yours = replace(own, filters=filters)
                told = described(w, as_yours, many=True, counted=True)
                return f"{w.subject(who)} {w.verb('have', who)} {word} {told} than {w(whom)}"
    return None


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
    if owner != YOU:
        # Whose hand it is has been said.
        what = replace(what, filters=tuple(_theirs(part, owner) for part in what.filters))
    counted = described(w, what, many=is_plural(what), counted=True)
    quantity = w(what.quantity) if is_plural(what) else ""
    written = f"{quantity} {counted}" if quantity else english.with_article(counted)
    return f"{w.subject(owner)} {w.verb('have', owner, negated=node.negated)} {written}"


def _theirs(part: Filter, owner: Player) -> Filter:
    if isinstance(part, From) and isinstance(part.place, Zone) and part.place.of == owner:
        return replace(part, place=replace(part.place, of=Player("they")))
    return part


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
        many = agreement(node.what) == "they" and not isinstance(node.what, Player)
        noun = described(w, Objects(Quantity("exactly", Number(1)), node.nouns, rest), many=many)
        article = f"the only {noun}" if only in node.filters else noun if many else english.with_article(noun)
        return joined(being, "already" if node.already else "", article)
    if having and not described_as:
        cost = None if node.negated or node.already or node.past else cost_bound(w, node.filters)
        if cost is not None:
            return joined(subject, w.verb("cost", node.what), cost)
        had = " and ".join(w(part).removeprefix("with ") for part in having)
        return joined(subject, _having(w, node), had, "already" if node.already else "")
    already = "already" if node.already else ""
    if any(isinstance(part, At) for part in node.filters):
        return joined(being, described_as, already)
    return joined(being, already, described_as, *(w(part) for part in having))


def _having(w: Writer, node: Is) -> str:
    """Write the verb of what something has: ``has``, ``had``, ``doesn't have``."""
    if node.negated:
        return f"{'did' if node.past else 'does' if agreement(node.what) == 'it' else 'do'}n't have"
    if node.past:
        return "had"
    return w.verb("have", node.what)


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
        written = f"{written.removesuffix(window)} {times(w, node.count)}{window}"
    return written


def times(w: Writer, count: Node) -> str:
    """Write how often: ``twice``, ``3 times``."""
    return "twice" if count == Number(2) else f"{w(count)} times"


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
        return joined(being, english.listed([w(state) for state in states], "or"), *rest)
    return " or ".join(w(part) for part in node.conditions)


def _differs_in_state(first: Is, other: Condition) -> bool:
    if not isinstance(other, Is) or not (first.filters and other.filters):
        return False
    if not isinstance(first.filters[0], HasState) or not isinstance(other.filters[0], HasState):
        return False
    return replace(other, filters=(first.filters[0], *other.filters[1:])) == first
