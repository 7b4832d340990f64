"""How instructions and abilities are written in the house wording.

The house style: the condition comes first, every sentence has its subject or is an order, steps at the top of
an ability are sentences of their own, and steps inside "you may" or "if" are joined with ", then", so that the
reach of those words is plain.
"""

from __future__ import annotations

import itertools
from dataclasses import fields, replace
from typing import Any

from rulewright.language.ast import (
    Action,
    ActivatedAbility,
    AdditionalCost,
    AllOf,
    Apply,
    AtLeast,
    BecomesCopy,
    BecomesType,
    BranchOn,
    CardText,
    Case,
    ChooseMode,
    ChooseWord,
    Compare,
    Condition,
    Conditional,
    Controls,
    Cost,
    CostOptions,
    CreateAbility,
    Enters,
    Event,
    EventCount,
    ForEach,
    Gains,
    Gated,
    GatedInstruction,
    Group,
    HasTag,
    InPhase,
    InPlaceOf,
    Instruction,
    InTurnOrder,
    Keyword,
    KeywordAbility,
    Loses,
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
    PassiveAbility,
    PayTo,
    Player,
    PlayersWho,
    PreventDamage,
    Reference,
    Reflexive,
    ReplacementAbility,
    Revise,
    Sequence,
    SpellAbility,
    SpendLimit,
    StatFactor,
    StatOf,
    ThisTurn,
    Times,
    TriggeredAbility,
    Unless,
    UntilEvent,
    UseLimit,
    Where,
)
from rulewright.language.wording import english
from rulewright.language.wording.clauses import (
    YOU,
    event_opening,
    is_being,
    joined,
    order,
    predicate,
    statement_of_event,
    times,
    with_all,
    with_modal,
)
from rulewright.language.wording.effects import (
    changes,
    effects,
    has_changes,
    opening,
    prevented_of,
)
from rulewright.language.wording.phrases import (
    choice_word,
    counted_event,
    each_one,
)
from rulewright.language.wording.writer import (
    UnprintableError,
    Writer,
    writes,
)

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
        case Action(subject=doer) if doer is not None and who == YOU and "must" not in body.manner:
            return f"have {w(doer)} {order(w, body)}"
        case Apply(effect=Enters(with_=()) as coming, duration=None):
            return joined("have", w(coming.subject), order(w, Action("enter", state=coming.state)))
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
    if node.behind and not isinstance(node.body, Sequence):
        written = f"{w(node.body)} if {w(node.condition)}"
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
        if any(isinstance(part, Action) for option in cost.options for part in option.parts):
            return english.listed([paid(w, option) for option in cost.options], "or")
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
    elif isinstance(node.alternative, ChooseMode) and node.alternative.who == node.who:
        ways = [_way_out(w, way, node.who) for way in node.alternative.modes]
        alternative = english.listed(ways, "or")
    else:
        alternative = w(node.alternative)
        subject = ""
    return f"{w(node.body)} unless {joined(subject, alternative)}"


def _way_out(w: Writer, way: Instruction, who: Player) -> str:
    """Write one of the things that a player may do against something: ``pays [1]``, ``has you draw 1``."""
    if isinstance(way, Action) and way.subject == YOU:
        return f"{w.verb('have', who)} you {order(w, way)}"
    return w(way).removeprefix(f"{w.subject(who)} ")


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
    if node.count == AtLeast(Number(1)):
        count = "one or both" if len(node.modes) == 2 else "one or more"
    modes = "".join(f"\n• {english.capitalised(sentences(w, mode))}" for mode in node.modes)
    return f"{start} {count}{_MEMORY[node.memory]} —{modes}"


@writes(Case)
def _case(w: Writer, node: Case) -> str:
    value = english.capitalised(w.words.displayed(node.value))
    return f"{value} — {english.capitalised(sentences(w, node.body))}"


@writes(BranchOn)
def _branch_on(w: Writer, node: BranchOn) -> str:
    cases = [w(case) for case in node.cases]
    if node.attribute == "domain":
        bodies = [english.capitalised(sentences(w, case.body)) for case in node.cases]
        symbols = [w.words.symbol("POWER", case.value) for case in node.cases]
        cases = [f"{symbol} — {body}" for symbol, body in zip(symbols, bodies, strict=True)]
    listed = "".join(f"\n• {case}" for case in cases)
    return f"do one of the following based on {w.possessive(node.of)} {node.attribute}:{listed}"


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
    return " ".join([w(node.who), *(_of_player(w, node.who, part) for part in node.filters)])


def _of_player(w: Writer, who: Player, part: Node) -> str:
    """Write what holds of each of some players: ``who controls a unit here``."""
    if not isinstance(part, Where):
        return w(part)
    told, start = w(_said_of(part.condition, who)), f"{w(who)} "
    if not told.startswith(start):
        raise UnprintableError("only what players do or have is said of them")
    said = told.removeprefix(start)
    compared = said.partition(" ")[2]
    if isinstance(part.condition, Compare) and compared.startswith(("more ", "fewer ")):
        # "Who has fewer points than you" and "who controls more units than you" are "with ..." alike.
        return f"with {compared}"
    return f"who {said}"


def _said_of(node: Any, who: Player) -> Any:
    """Give a condition with its player in the place of "they"."""
    if isinstance(node, Player):
        return who if node.which == "they" else node
    if isinstance(node, tuple):
        return tuple(_said_of(part, who) for part in node)
    if not isinstance(node, Node):
        return node
    changed = {f.name: _said_of(getattr(node, f.name), who) for f in fields(node) if f.name != "span"}
    return replace(node, **changed)


@writes(InTurnOrder)
def _in_turn_order(w: Writer, node: InTurnOrder) -> str:
    first = w(node.first) if node.first is not None else "the next player"
    return f"starting with {first}, {w(node.body)}"


@writes(Reflexive)
def _reflexive(w: Writer, node: Reflexive) -> str:
    often = "" if node.times is None else f" {times(w, node.times)}"
    return f"do this{often}: {english.capitalised(sentences(w, node.body))}"


@writes(Apply)
def _apply(w: Writer, node: Apply) -> str:
    duration = w(node.duration) if node.duration is not None else ""
    effect = node.effect
    if isinstance(effect, Modify):
        return _apply_changes(w, effect, duration, next_only=node.next_only)
    if isinstance(effect, PreventDamage) and effect.each:
        return prevented_of(w, effect, duration)
    if isinstance(effect, Controls) and isinstance(node.duration, ThisTurn):
        subject = "" if effect.who == YOU else w.subject(effect.who)
        take = "take" if effect.who == YOU else w.verb("take", effect.who)
        return joined(subject, f"{take} control of", w(effect.what), duration)
    if node.next_only:
        return _next(w, w(effect), duration, _whose(effect))
    return joined(w(effect), duration)


def _whose(effect: Node) -> Node | None:
    """Give what an effect is about."""
    found: Node | None = getattr(effect, "what", None) or getattr(effect, "subject", None)
    return found


def _next(w: Writer, text: str, duration: str, what: Node | None = None) -> str:
    """Write a change of the next of its kind only: "a spell you play costs" is "the next spell you play costs"."""
    said = w(what) if what is not None else text
    if said in text and not text.startswith(said):
        # "The cost of a spell you play is less": what is the next stands inside.
        return joined(text.replace(said, _next(w, said, ""), 1), duration)
    first, _, rest = text.partition(" ")
    if first not in {"a", "an"}:
        raise UnprintableError("only one thing can be the next")
    return joined("the next", rest, duration)


def _apply_changes(w: Writer, effect: Modify, duration: str, *, next_only: bool) -> str:
    single = effect.changes[0]
    if isinstance(single, MightChange) and isinstance(single.amount, Times):
        times = single.amount.times
        if isinstance(times, StatOf) and times.stat == "buffs" and times.of == effect.subject:
            return has_changes(w, effect, duration, told=True)
    if isinstance(
        single, BecomesCopy | BecomesType | Loses | MightDoubled | MightSwapped | MightSet | StatFactor
    ) or (isinstance(single, Gains) and isinstance(single.what, HasTag | Reference)):
        return has_changes(w, effect, duration, told=True)
    if any(isinstance(change, Gains) and isinstance(change.what, CardText) for change in effect.changes):
        # A quoted ability ends its sentence, so the time comes first.
        return joined(duration + "," if duration else "", has_changes(w, effect, ""))
    each = "each" if _is_several(effect.subject) else ""
    bearer = _next(w, w(effect.subject), "") if next_only else with_all(w, effect.subject)
    return joined("give", bearer, each, changes(w, effect, duration))


def _is_several(subject: Node) -> bool:
    """Several objects that are chosen one by one are given something each."""
    if not isinstance(subject, Objects) or subject.quantity.rule not in {"exactly", "up-to"}:
        return False
    return subject.quantity.amount not in {None, Number(1)}


@writes(CreateAbility)
def _create_ability(w: Writer, node: CreateAbility) -> str:
    duration = w(node.duration) if node.duration is not None else ""
    ability = node.ability
    if isinstance(node.duration, UntilEvent) and isinstance(ability, TriggeredAbility) and not node.once:
        return f"{duration}, {_trigger(w, ability, '', once=False, ended=False)}"
    if isinstance(ability, TriggeredAbility) and node.once and isinstance(ability.body, Action):
        moment = ability.events[0].action
        if isinstance(moment, Moment) and ability.condition is None:
            return f"{w(ability.body)} {w(moment)}"
    if isinstance(ability, ReplacementAbility):
        if ability.body == Action("skip"):
            return _skipping(w, node, duration)
        return _replacement(w, ability, duration, once=node.once)
    return _trigger(w, ability, duration, once=node.once, ended=False)


def _skipping(w: Writer, node: CreateAbility, duration: str) -> str:
    """Write what replaces an event with nothing: ``skip the next time that unit would move this turn``."""
    ability = node.ability
    if isinstance(ability, TriggeredAbility) or isinstance(ability.event.action, Moment) or not node.once:
        raise UnprintableError("what is skipped is the next of its kind")
    if ability.condition is not None or ability.optional or ability.frequency is not None:
        raise UnprintableError("what is skipped has no condition")
    event = with_modal(w.describing(), ability.event.action, "would")
    return joined("skip the next time", event, duration)


@writes(GatedInstruction)
def _gated_instruction(w: Writer, node: GatedInstruction) -> str:
    return f"{w(node.gate)}[>] {english.capitalised(w(node.body))}"


@writes(ChooseWord)
def _choose_word(w: Writer, node: ChooseWord) -> str:
    who = node.who or YOU
    verb = "choose" if node.options else "name"
    start = verb if who == YOU else f"{w.subject(who)} {w.verb(verb, who)}"
    what = (
        english.listed([choice_word(w, option) for option in node.options], "or")
        if node.options
        else english.with_article(node.what)
    )
    return f"{start} {what}"


# ---------------------------------------------------------------------------------------------- abilities


@writes(KeywordAbility)
def _keyword_ability(w: Writer, node: KeywordAbility) -> str:
    more = _said_of_ability(w, node)
    return f"{w(node.keyword)}.{more}" if more else w(node.keyword)


def _said_of_ability(w: Writer, node: KeywordAbility | ActivatedAbility) -> str:
    """Write what is said of an ability itself, behind what it does: when it may be used, what it costs."""
    limit = _limit(w, node.restriction, node.frequency)
    use = f" Use {limit}." if limit else ""
    return use + "".join(f" {english.capitalised(w(effect))}." for effect in node.effects)


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
    return f"{joined(start, *during, duration)},{condition} {body}"


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
    return joined(opening_words, english.listed(words, "or"), rest, window)


@writes(ActivatedAbility)
def _activated(w: Writer, node: ActivatedAbility) -> str:
    cost = english.capitalised(w(node.cost))
    body = english.capitalised(sentences(w, node.body))
    return f"{cost}: {body}{_said_of_ability(w, node)}"


def _limit(w: Writer, condition: Condition | None, frequency: str | None) -> str:
    """Write a limit on use: ``only once per turn while I'm at a battlefield``."""
    if condition is None and frequency is None:
        return ""
    often = "once per turn" if frequency is not None else ""
    return joined("only", often, opening(w, condition) if condition is not None else "")


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
    event = joined(with_modal(w.describing(), action, "would"), window, *during, duration)
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
    if node.condition is not None:
        raise UnprintableError("a cost that must be paid has no condition before it")
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
