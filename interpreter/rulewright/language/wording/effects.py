"""How changes and continuous effects are written in the house wording."""

from __future__ import annotations

from dataclasses import replace

from rulewright.language.ast import (
    AddsAlso,
    Also,
    AnyAmount,
    BecomesCopy,
    BecomesType,
    BonusDamage,
    BuffLimit,
    CardText,
    Condition,
    Controls,
    Cost,
    CostChange,
    CostOptions,
    CountsAs,
    DamageFactor,
    DidSo,
    Effect,
    Enters,
    Forbid,
    Gains,
    GoalChange,
    Happened,
    HasDomain,
    HasTag,
    HostOf,
    Ignores,
    InPhase,
    Keyword,
    LethalAmount,
    Loses,
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
    Permit,
    Player,
    PreventDamage,
    Reference,
    Require,
    Self,
    Skip,
    StatFactor,
    StatOf,
    Times,
    TriggerAgain,
)
from rulewright.language.wording import english
from rulewright.language.wording.clauses import (
    YOU,
    change_amount,
    cost_part,
    cost_tails,
    is_being,
    joined,
    order,
    predicate,
    with_modal,
)
from rulewright.language.wording.phrases import (
    at_place,
    figure,
    for_each,
    might_symbol,
    plain,
    stat_name,
)
from rulewright.language.wording.writer import (
    UnprintableError,
    Writer,
    is_imperative,
    is_plural,
    writes,
)

# ------------------------------------------------------------------------------- changes and continuous effects


def might_change(w: Writer, change: MightChange) -> tuple[str, list[str]]:
    """Write a change of Might as what is given ("+2 [M]") and what follows the duration ("for each ...")."""
    sign = "-" if change.minus else "+"
    more = "an additional " if change.additional else ""
    split = figure(w, change.amount)
    tails = []
    if split is None:
        head = f"{more}{sign}{might_symbol(w)} equal to {w(change.amount)}"
    else:
        head = f"{more}{sign}{split[0]} {might_symbol(w)}"
        if split[1]:
            tails.append(split[1].strip())
    if change.minimum is not None:
        tails.append(f", to a minimum of {w(change.minimum)} {might_symbol(w)}")
    return head, tails


@writes(MightChange)
def _might_change(w: Writer, node: MightChange) -> str:
    head, tails = might_change(w, node)
    return joined(head, *tails)


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


@writes(Loses)
def _loses(w: Writer, node: Loses) -> str:
    return f"no longer {w(node.what)}"


@writes(HasDomain)
def _has_domain(w: Writer, node: HasDomain) -> str:
    raise UnprintableError("that something is a domain is said alone, of the domain that was named")


@writes(BecomesType)
def _becomes_type(w: Writer, node: BecomesType) -> str:
    raise UnprintableError("what things become is said of them alone")


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
    return joined(english.listed(heads), duration, *tails)


@writes(Modify)
def _modify(w: Writer, node: Modify) -> str:
    return has_changes(w, node, "")


def has_changes(w: Writer, node: Modify, duration: str, *, told: bool = False) -> str:
    """Write a continuous change as a statement: ``other friendly units have +1 [M]``.

    ``told``: it is part of an instruction.
    """
    subject = w.subject(node.subject)
    match node.changes:
        case (MightChange(amount=Times(amount=head, times=StatOf(stat="buffs", of=bearer))) as change,) if (
            bearer == node.subject
        ):
            given = changes(w, replace(node, changes=(replace(change, amount=head),)), "")
            return joined("buffs give", given, f"to {w(node.subject)}", duration)
        case (BecomesCopy(text_only=True) as copy,):
            text, place = w.possessive(copy.of), w.possessive(node.subject)
            return joined(f"copy {text} text to {place} effect text", duration)
        case (BecomesCopy() as copy,):
            return joined(subject, w.verb("become", node.subject), _copies(w, node.subject, copy), duration)
        case (MightDoubled(),):
            might = w(StatOf("might", node.subject))
            return joined(f"double {might}", duration) if told else f"{might} is doubled"
        case (MightSwapped(),):
            pair = "both" if node.subject == Reference("both") else w(node.subject)
            return joined(f"swap the Might of {pair}", duration)
        case (MightSet() as change,):
            unit = f" {might_symbol(w)}" if isinstance(change.amount, Number) else ""
            if not change.only_up:
                return joined(
                    f"{w(StatOf('might', node.subject))} becomes {w(change.amount)}{unit}", duration
                )
            if not told:
                whose = "my Might" if isinstance(node.subject, Self) else f"the Might of {w(node.subject)}"
                return f"{whose} is increased to {w(change.amount)}{unit}"
            return joined(
                f"increase {w(StatOf('might', node.subject))} to {w(change.amount)}{unit}", duration
            )
        case (StatFactor(),):
            return joined(subject, w.verb("give", node.subject), w(node.changes[0]), duration)
        case (Loses(), *_) if all(isinstance(change, Loses) for change in node.changes):
            lost = english.listed([_lost(w, change) for change in node.changes if isinstance(change, Loses)])
            return joined(subject, w.verb("lose", node.subject), lost, duration)
        case (BecomesType() as sort,):
            if not isinstance(node.subject, Objects) or node.subject.quantity.rule != "all":
                raise UnprintableError("only things of a kind become things of another")
            *before, last = sort.types
            kinds = joined(*before, w.words.plural(last))
            return joined(subject, w.verb("become", node.subject), f"{w(sort.might)} [M]", kinds, duration)
        case (Gains(what=HasDomain(domain="named")),):
            return joined(is_being(w, node.subject), "that domain", duration)
        case (Gains(what=HasTag() as tag),):
            if isinstance(node.subject, Objects) and node.subject.quantity.rule == "all":
                tags = english.listed([w.words.plural(name) for name in tag.tags])
            else:
                tags = english.with_article(english.listed(tag.tags))
            return joined(is_being(w, node.subject), tags, duration)
        case (Gains(what=Reference() as named),):
            return joined(subject, w.verb("gain", node.subject), w(named), duration)
    if isinstance(node.subject, HostOf):
        bearer = node.subject.what
        return joined(w.subject(bearer), w.verb("give", bearer), changes(w, node, duration))
    return joined(subject, w.verb("have", node.subject), changes(w, node, duration))


def _lost(w: Writer, change: Loses) -> str:
    return w(change.what) if isinstance(change.what, Keyword) else "all keywords"


def _copies(w: Writer, subject: Node, copy: BecomesCopy) -> str:
    return f"copies of {w(copy.of)}" if is_plural(subject) else w(copy)


@writes(CostChange)
def _cost_change(w: Writer, node: CostChange) -> str:
    if node.what is None:
        raise UnprintableError("a change of cost needs the thing whose cost changes")
    subject = w.subject(node.what)
    purpose = f"to {order(w, node.action)}" if node.action is not None else ""
    if node.change == "ignore":
        return f"ignore {w.possessive(node.what)} {cost_part(node.part)}"
    if node.change == "becomes":
        return joined(subject, w.verb("cost", node.what), change_amount(w, node), purpose)
    if node.part in {"energy-cost", "power-cost"} or not isinstance(node.cost, Cost | CostOptions):
        word = "reduced" if node.change == "less" else "increased"
        by = f"by {change_amount(w, node)}"
        stat = w(StatOf(node.part, node.what))
        return joined(f"{stat} is {word} {by}", purpose, *cost_tails(w, node))
    how = f"{change_amount(w, node)} {node.change}"
    return joined(subject, w.verb("cost", node.what), how, purpose, *cost_tails(w, node))


@writes(Enters)
def _enters(w: Writer, node: Enters) -> str:
    place = at_place(w, node.at) if node.at is not None else ""
    states = [w.words.displayed(state) for state in (node.state, *node.with_) if state is not None]
    return joined(w.subject(node.subject), w.verb("enter", node.subject), english.listed(states), place)


@writes(Permit)
def _permit(w: Writer, node: Permit) -> str:
    """What stands allowed is "can"; "may" is a choice when something is done."""
    cost = f"for {w(node.cost)}" if node.cost is not None else ""
    even = f", even if {w(node.even_if)}" if node.even_if is not None else ""
    w = w.describing()
    if node.instead_of is not None and node.cost is not None:
        act = order(w, node.action)
        return f"you may pay {w(node.cost)} to {act} instead of {w(node.instead_of)}"
    if node.only and is_imperative(node.action) and isinstance(node.action.object, Self):
        verb = w.words.verb_words(node.action.verb).base
        rest = predicate(w, replace(node.action, object=None))
        return joined(verb, w(node.action.object), "only", rest, cost, even)
    times = ""
    if node.times is not None:
        who = node.action.subject
        if not node.only or not isinstance(who, Player):
            raise UnprintableError("times narrow what a player may do")
        times = f"at any time {'you' if who == YOU else 'they'} could play cards with {w(node.times)}"
    return joined(with_modal(w, node.action, "can only" if node.only else "can"), times, cost, even)


@writes(Forbid)
def _forbid(w: Writer, node: Forbid) -> str:
    return joined(with_modal(w.describing(), node.action, "can't"), _until(w, node.until))


def _until(w: Writer, moment: Moment | None) -> str:
    """Write when a prohibition ends: ``until their third turn``."""
    if moment is None:
        return ""
    which = moment.which or ""
    if which.isdecimal():
        which = english.ordinal(int(which))
    whose = w.possessive(moment.whose) if moment.whose is not None else "the"
    return joined("until", whose, which, w.words.displayed(moment.phase))


@writes(Require)
def _require(w: Writer, node: Require) -> str:
    thing = node.action.subject if node.action.subject is not None else node.action.object
    if node.cost is not None and thing is not None and not isinstance(thing, Player):
        denied = with_modal(w.describing(), node.action, "can't")
        whose = "their controller pays" if is_plural(thing) else "its controller pays"
        return joined(denied, "unless", whose, w(node.cost), *_how_often(w, node))
    if node.cost is not None:
        doer = node.action.subject or YOU
        per = (for_each(w, node.per) or "") if node.per is not None else ""
        return f"{w.subject(doer)} must pay {w(node.cost)}{per} to {order(w.describing(), node.action)}"
    return with_modal(w, node.action, "must")


def _how_often(w: Writer, node: Require) -> list[str]:
    return [(for_each(w, node.per) or "").strip()] if node.per is not None else []


@writes(BonusDamage)
def _bonus_damage(w: Writer, node: BonusDamage) -> str:
    to = f" to {w(node.to)}" if node.to is not None else ""
    deals = f"{w.subject(node.source)} {w.verb('deal', node.source)}"
    split = figure(w, node.amount)
    if split is None:
        return f"{deals} Bonus Damage{to} equal to {w(node.amount)}"
    head, tail = split
    return f"{deals} {head} Bonus Damage{to}{tail}"


@writes(DamageFactor)
def _damage_factor(w: Writer, node: DamageFactor) -> str:
    times = "double" if node.factor == Number(2) else f"{w(node.factor)} times"
    if node.source is not None:
        to = f"to {w(node.to)}" if node.to is not None else ""
        return joined(w.subject(node.source), w.verb("deal", node.source), times, "damage", to)
    if node.to is None:
        raise UnprintableError("damage is doubled to something or by something")
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
    if node.each:
        return prevented_of(w, node, "")
    if isinstance(node.source, Objects):
        return f"prevent all {english.listed([w.words.displayed(noun) for noun in node.source.nouns])} damage"
    head = "all damage" if node.amount is None else f"the next {w(node.amount)} damage"
    if node.window is not None:
        if node.amount is None or node.to is None:
            raise UnprintableError("the first damage of a time needs its amount, and to whom it is dealt")
        head = f"the first {w(node.amount)} damage"
        return f"prevent {head} that would be dealt to {w(node.to)} {w(node.window)}"
    if node.to is not None:
        return f"prevent {head} that would be dealt to {w(node.to)}"
    return f"prevent {head}" if node.source is None else f"prevent {head} from {w(node.source)}"


def prevented_of(w: Writer, node: PreventDamage, duration: str) -> str:
    """Write that so much of any damage is prevented: ``enemy spells deal 1 less damage to me``."""
    if node.amount is None:
        raise UnprintableError("less damage needs to be said how much")
    if node.source is not None:
        to = f"to {w(node.to)}" if node.to is not None else ""
        deal = w.verb("deal", node.source)
        return joined(w.subject(node.source), deal, w(node.amount), "less damage", to, duration)
    if node.to is None:
        raise UnprintableError("less damage by what, or to what?")
    dealt = joined(w.subject(node.to), "would be dealt damage", duration)
    return f"if {dealt}, prevent {w(node.amount)} of it"


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


@writes(Skip)
def _skip(w: Writer, node: Skip) -> str:
    which = f"{node.which} " if node.which is not None else ""
    phase = f"{which}{w.words.displayed(node.phase)}"
    if node.who == Player("you"):
        return f"skip your {phase}" if node.which is not None else f"you skip your {phase}"
    return f"{w.subject(node.who)} {w.verb('skip', node.who)} their {phase}"


@writes(Ignores)
def _ignores(w: Writer, node: Ignores) -> str:
    keywords = english.listed([w(keyword) for keyword in node.keywords])
    if node.doing == "pay":
        assert node.what is not None
        doing = f"while paying {w(StatOf('cost', node.what))}"
    else:
        doing = joined("while assigning combat damage", at_place(w, node.at) if node.at is not None else "")
    return f"{w.subject(node.who)} {w.verb('ignore', node.who)} {keywords} {doing}"


@writes(BuffLimit)
def _buff_limit(w: Writer, node: BuffLimit) -> str:
    number = "any number of" if isinstance(node.amount, AnyAmount) else f"up to {w(node.amount)}"
    return f"{w.subject(node.subject)} can have {number} buffs"


@writes(Also)
def _also(w: Writer, node: Also) -> str:
    # Among instructions a state is asked about once, and is an "if" too.
    return f"if {w(node.condition)}, {effects(w, node.effects)}"


def effects(w: Writer, parts: tuple[Effect, ...]) -> str:
    """Write effects together; a subject that does not change is said once."""
    denied = _denied_together(w, parts)
    if denied is not None:
        return denied
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


def _denied_together(w: Writer, parts: tuple[Effect, ...]) -> str | None:
    """Write prohibitions that differ in their verbs only as one: ``units here can't attack or defend alone``."""
    denied = [part for part in parts if isinstance(part, Forbid) and part.until is None]
    first = denied[0].action if denied else None
    if first is None or len(denied) != len(parts) or len(parts) < 2:
        return None
    if any(replace(part.action, verb=first.verb) != first for part in denied):
        return None
    words = [w.words.verb_words(part.action.verb) for part in denied]
    active = first.subject is not None or words[0].ergative
    verbs = [word.base if active else word.participle for word in words]
    start = "can't " if active else "can't be "
    return w(denied[0]).replace(f"{start}{verbs[0]}", start + english.listed(verbs, "or"), 1)


def opening(w: Writer, condition: Condition) -> str:
    """Write a condition before what it governs: a state lasts ("while"), a deed has been done ("if")."""
    if isinstance(condition, InPhase) and condition.whose is None and not condition.negated:
        return f"during {w.words.plural(condition.phase)}"
    word = "if" if isinstance(condition, Happened | PaidAdditionalCost | DidSo) else "while"
    return f"{word} {w(condition)}"
