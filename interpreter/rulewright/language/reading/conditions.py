"""What clauses mean as events, as conditions and as costs."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused, give_span
from rulewright.language.reading.effects import EffectBuilder, take
from rulewright.language.reading.frames import is_single, there_already
from rulewright.language.reading.measures import amount_from
from rulewright.language.reading.nouns import any_place
from rulewright.language.reading.parts import (
    BareStat,
    Clause,
    Comp,
    Limit,
    MightFigure,
    Next,
    Nth,
    OnlyOne,
    Placed,
    They,
    VerbForm,
)
from rulewright.language.reading.phrases import power_domain


class Already(ast.Node):
    """``if they didn't already``."""


@dataclass(frozen=True, slots=True)
class IsNot(ast.Node):
    """``if it isn't``: what was asked of it in the sentence before is not so."""

    what: Any


class EachTurn(Exception):  # noqa: N818 - no error: a reading that is left out
    """An event with "each turn" behind it: only "the first time" can say so."""

    def __init__(self, event: ast.Event, conditions: list[Any]) -> None:
        super().__init__()
        self.event = event
        self.conditions = conditions


class ConditionBuilder(EffectBuilder):
    """Clauses read as events, conditions and costs."""

    # ------------------------------------------------------------------------------------------ events

    def _undone(self, clause: Clause) -> Clause:
        """``When this is unattached``: where a verb says so, it is an event that makes it so, and not how it is."""
        kind, value = clause.predicate if clause.voice == "is" else ("", None)
        if kind != "filter" or not isinstance(value, ast.HasState) or not value.negated or clause.past:
            return clause
        words = [word for word, state in self.vocabulary.denied.items() if state == value.state]
        verbs = [lemma for lemma, forms in self.vocabulary.verb_forms.items() if forms[3] in words]
        if not verbs or clause.negated:
            return clause
        return replace(clause, verbs=(VerbForm(verbs[0], "past"),), voice="passive", predicate=None)

    def events_of(self, clause: Clause) -> tuple[tuple[ast.Event, ...], tuple[Any, ...]]:
        """Give the events that a clause describes, and the conditions that it puts on them."""
        clause = self._undone(clause)
        if clause.voice in ("is", "there", "ellipsis", "also") or clause.past or clause.mood == "perfect":
            raise Refused("nothing happens there")
        if clause.aux not in (None, "would") or clause.negated or clause.voice == "progressive":
            raise Refused("nothing happens there")
        if clause.mood != "finite":
            raise Refused("nothing happens there")
        events: list[ast.Event] = []
        conditions: list[Any] = []
        for verb in clause.verbs:
            event, extra = self._event(replace(clause, verbs=(verb,), aux=None))
            events.append(event)
            conditions.extend(condition for condition in extra if condition not in conditions)
        return tuple(events), tuple(conditions)

    def _event(self, clause: Clause) -> tuple[ast.Event, list[Any]]:
        window, ordinal, conditions, comps = None, None, [], []
        for comp in clause.comps:
            if (
                comp.kind == "duration"
                and isinstance(comp.value, ast.ThisTurn | ast.ThisCombat)
                and window is None
            ):
                window = comp.value
            elif comp.kind == "duration" and isinstance(comp.value, ast.During):
                conditions.append(ast.InPhase(comp.value.phase, comp.value.whose))
            elif comp.kind == "first-time":
                ordinal = 1
            elif comp.kind == "while":
                conditions.append(self.condition_of(comp.value))
            elif comp.kind == "place" and isinstance(comp.value, ast.HasState):
                conditions.append(ast.InPhase(comp.value.state.removeprefix("in-")))
            else:
                comps.append(comp)
        for comp in comps:
            if comp.kind == "np" and isinstance(comp.value, Nth):
                ordinal = comp.value.ordinal
        verb = clause.verbs[0].lemma
        if verb in ("control", "have", "own", "cost", "need", "reduce", "increase", "do"):
            raise Refused("this does not happen at a moment")
        if verb == "give":
            raise Refused("nothing happens there")
        action = self.action(replace(clause, comps=tuple(comps)), event=True)
        batch = any(
            isinstance(part, ast.Objects) and part.quantity.rule == "at-least"
            for part in (action.object, action.subject)
        )
        if ordinal is not None and (not isinstance(window, ast.ThisTurn) or not window.each):
            raise Refused("counted over what time?")
        if ordinal is None and isinstance(window, ast.ThisTurn) and window.each:
            raise EachTurn(ast.Event(action, batch=batch), conditions)
        return ast.Event(action, ordinal, window, batch, span=clause.span), conditions

    # -------------------------------------------------------------------------------------- conditions

    def condition_of(self, clause: Clause) -> Any:
        """Give the condition that a clause states."""
        made = self._condition(clause)
        if clause.span is not None:
            give_span(made, clause.span)
        return made

    def _condition(self, clause: Clause) -> Any:
        if clause.voice == "ellipsis":
            return self._did_so(clause)
        if clause.voice == "is":
            return self._is(clause)
        if clause.voice == "there":
            return self._exists(clause.subject, clause.negated)
        if clause.voice == "progressive":
            return self._doing(clause)
        if clause.mood not in ("finite", "perfect") or clause.voice == "also":
            raise Refused("this is no condition")
        if any(comp.kind == "while" for comp in clause.comps):
            raise Refused("while what?")
        if clause.aux not in (None, "do", "can") or (clause.aux == "can" and not clause.negated):
            raise Refused("this is no condition")
        verb = clause.verbs[0].lemma
        if verb == "equal" and clause.voice == "active" and clause.aux is None and len(clause.comps) == 1:
            # "My Might equals its Might."
            told = replace(clause, voice="is", verbs=(), comps=())
            return self._compared(clause.subject, (Limit("=", clause.comps[0].value),), told)
        if clause.comps and clause.comps[0].kind == "compared":
            return self._has_more(clause, *clause.comps[0].value)
        if verb == "have" and clause.mood == "finite" and clause.voice == "active":
            return self._has_condition(clause)
        if (
            verb in ("attack", "defend")
            and not clause.past
            and clause.voice == "active"
            and not clause.negated
        ):
            return self._doing(clause)
        if verb == "control" and not clause.past and clause.voice == "active":
            return self._controls(clause)
        if verb == "pay" and clause.past:
            values = [comp.value for comp in clause.comps]
            if values == [ast.Resource("additional-cost", ast.Number(1))] and clause.subject == YOU:
                return ast.PaidAdditionalCost(negated=clause.negated)
        this_way = any(comp.kind == "this-way" for comp in clause.comps)
        if clause.voice == "passive" and not clause.past and clause.mood == "finite" and not this_way:
            return self._in_state(clause)
        already = clause.comps == (Comp("adverb", "already"),)
        stood = already or not clause.comps
        if clause.past and clause.voice == "passive" and clause.mood == "finite" and stood:
            frame = self.vocabulary.frames[verb]
            if frame.state is not None:
                return ast.Is(
                    self._described(clause.subject),
                    (),
                    (ast.HasState(frame.state),),
                    clause.negated,
                    past=True,
                    already=already,
                )
        return self._happened(clause)

    def _did_so(self, clause: Clause) -> Any:
        who = clause.subject
        if clause.aux == "be":
            return IsNot(self._described(who))
        if clause.comps:
            return Already()
        if isinstance(who, They):
            who = ast.Player("they")
        if not isinstance(who, ast.Player):
            raise Refused("who does?")
        if clause.aux in ("can", "could") and not clause.negated:
            raise Refused("who can?")
        return ast.DidSo(None if who == YOU else who, negated=clause.negated)

    def _described(self, value: Any) -> Any:
        if isinstance(value, They):
            return ast.Reference("them")
        if isinstance(value, Placed | Next | Nth | BareStat | OnlyOne):
            raise Refused("nothing is said of this")
        return value

    def _is(self, clause: Clause) -> Any:
        kind, value = clause.predicate
        subject = clause.subject
        if kind == "limits":
            return self._compared(subject, value, clause)
        if kind == "more":
            op, than = value
            whole = [self._counted(one) for one in (subject, than)]
            return ast.Compare(whole[0], op, whole[1])
        if kind == "measure":
            return ast.Is(self._described(subject), (), value, clause.negated, clause.past)
        if kind == "within":
            if not isinstance(subject, ast.StatOf) or subject.stat != "points" or clause.negated:
                raise Refused("within what?")
            return ast.WithinPoints(subject.of, value)  # type: ignore[arg-type]
        if kind in ("filter", "filters"):
            filters = value if kind == "filters" else (value,)
            if isinstance(subject, ast.StatOf | ast.Cost | ast.Player):
                raise Refused("nothing is so")
            already = bool(clause.comps)
            filters = tuple(any_place(f) for f in filters)
            if len(filters) == 1 and isinstance(filters[0], ast.EitherOf):
                if clause.negated:
                    raise Refused("neither of them?")
                what = self._described(subject)
                parts = tuple(ast.Is(what, (), (f,), False, clause.past, already) for f in filters[0].filters)
                return ast.AnyOf(parts)
            return ast.Is(self._described(subject), (), tuple(filters), clause.negated, clause.past, already)
        if kind == "np":
            return self._is_noun(subject, value, clause)
        raise Refused("this is no condition")

    def _is_nth(self, subject: Any, value: Nth, negated: bool) -> Any:
        """``it's the second card you've played this turn``: as many have been, with this one."""
        one = ast.Reference("it"), ast.Self()
        told = [f for f in value.what.filters if isinstance(f, ast.That)]
        if subject not in one or len(told) != 1 or negated or told[0].window != ast.ThisTurn():
            raise Refused("which of them?")
        that = told[0]
        if that.gap != "object" or that.negated or not isinstance(that.event.action, ast.Action):
            raise Refused("which of them?")
        rest = tuple(f for f in value.what.filters if f is not that)
        done = replace(that.event.action, object=replace(value.what, filters=rest))
        count = ast.EventCount(ast.Event(done), that.window)
        return ast.Compare(count, "=", ast.Number(value.ordinal))

    def _counted(self, what: Any) -> ast.CountOf:
        if not isinstance(what, ast.Objects) or what.quantity.form != "bare":
            raise Refused("more of what?")
        return ast.CountOf(what)

    def _compared(self, subject: Any, limits: tuple[Any, ...], clause: Clause) -> Any:
        """``my Might is 5 or more``, ``its cost is less than [3]``: a figure compared."""
        if clause.negated or clause.past or clause.comps:
            raise Refused("nothing to compare")
        if isinstance(subject, ast.StatOf) and isinstance(subject.of, ast.Player):
            made = tuple(ast.Compare(subject, limit.op, self._plain_amount(limit)) for limit in limits)
        elif isinstance(subject, ast.StatOf):
            made = tuple(
                ast.Compare(replace(subject, stat=bound.stat), bound.op, bound.amount)
                for bound in self.limited(subject.stat, limits)
            )
        elif isinstance(subject, ast.CountOf | ast.TotalOf | ast.Highest):
            made = tuple(ast.Compare(subject, limit.op, self._plain_amount(limit)) for limit in limits)
        else:
            raise Refused("nothing to compare")
        return made[0] if len(made) == 1 else ast.AllOf(made)

    def _plain_amount(self, limit: Limit) -> Any:
        value = limit.value.amount if isinstance(limit.value, MightFigure) else limit.value
        if limit.by is not None:
            return ast.Plus(amount_from(limit.by), amount_from(value), limit.minus)
        return amount_from(value)

    def _is_noun(self, subject: Any, value: Any, clause: Clause) -> Any:
        if isinstance(value, ast.Group) and value.conjunction == "or" and not clause.negated:
            return ast.AnyOf(tuple(self._is_noun(subject, part, clause) for part in value.parts))
        if isinstance(value, ast.Moment) and subject == ast.Reference("it") and not clause.past:
            if value.whose is None:
                raise Refused("whose?")
            return ast.InPhase(value.phase, value.whose, clause.negated)
        if isinstance(value, Nth) and not clause.past:
            return self._is_nth(subject, value, clause.negated)
        if isinstance(value, OnlyOne) and not clause.negated:
            return ast.Is(
                self._described(subject), value.what.nouns, (*value.what.filters, ast.HasState("only"))
            )
        if isinstance(subject, ast.Player | ast.StatOf) and not isinstance(value, ast.Player):
            raise Refused("nobody is so")
        if isinstance(value, ast.Player) and isinstance(subject, ast.Player):
            return ast.IsPlayer(subject, value, clause.negated)
        if isinstance(value, ast.Objects) and value.quantity == _how_many(subject):
            return ast.Is(self._described(subject), value.nouns, value.filters, clause.negated, clause.past)
        raise Refused("this is no condition")

    def _exists(self, what: Any, negated: bool) -> Any:
        if isinstance(what, ast.Group) and what.conjunction == "and":
            return ast.AllOf(tuple(self._exists(part, negated) for part in what.parts))
        if not isinstance(what, ast.Objects):
            raise Refused("this is no condition")
        if what.quantity.rule == "any" and negated:
            what = replace(what, quantity=ast.Quantity("all", form="bare"))
        if what.quantity.rule in ("up-to", "any-number", "each", "any", "both"):
            raise Refused("how many?")
        return ast.Exists(what, negated)

    def _doing(self, clause: Clause) -> Any:
        filters: list[Any] = []
        places: list[Any] = []
        for comp in clause.comps:
            if comp.kind == "adverb" and comp.value == "alone":
                places.append(ast.HasState("alone"))
            elif comp.kind == "place" and isinstance(comp.value, ast.At):
                places.append(comp.value)
            elif comp.kind == "with" and isinstance(comp.value, ast.Objects):
                places.append(ast.Alongside(comp.value))
            else:
                raise Refused("nothing is so")
        for verb in clause.verbs:
            ing = self.vocabulary.frames[verb.lemma].ing
            if ing is None:
                raise Refused("nothing is so")
            filters.append(ast.HasState(ing))
        what = self._described(clause.subject)
        made = tuple(ast.Is(what, (), (f, *places), clause.negated, clause.past) for f in filters)
        return made[0] if len(made) == 1 else ast.AnyOf(made)

    def _has_condition(self, clause: Clause) -> Any:
        subject, comps = clause.subject, clause.comps
        if len(comps) == 2 and comps[1] == Comp("adverb", "already"):
            made = self._has_condition(replace(clause, comps=comps[:1]))
            if isinstance(made, ast.Is):
                return replace(made, already=True)
        if len(comps) != 1 or (clause.negated and clause.aux != "do"):
            return self._has_placed(clause)
        comp = comps[0]
        if comp.kind == "measure":
            return ast.Is(self._described(subject), (), tuple(comp.value), clause.negated, clause.past)
        if comp.kind == "changes" and len(comp.value) == 1 and isinstance(comp.value[0], ast.Gains):
            keyword = comp.value[0].what
            if isinstance(keyword, ast.Keyword):
                return ast.Is(
                    self._described(subject), (), (ast.HasKeyword(keyword),), clause.negated, clause.past
                )
        if comp.kind == "np" and isinstance(comp.value, ast.TagsAmong):
            return replace(comp.value, what=self._described(subject))
        if comp.kind == "np" and isinstance(comp.value, ast.Objects) and comp.value.nouns == ("tag",):
            quantity = comp.value.quantity
            if quantity.rule == "all" and quantity.amount is not None and not comp.value.filters:
                return ast.TagsAmong(self._described(subject), (), quantity.amount)
            raise Refused("this is no condition")
        if comp.kind == "np":
            return self._has_objects(subject, comp.value, clause.negated, clause.past)
        raise Refused("this is no condition")

    def _has_more(self, clause: Clause, op: str, what: Any, than: Any) -> ast.Compare:
        """``an opponent controls more units than you``: two counts compared."""
        verb = clause.verbs[0].lemma
        who = self.player(clause.subject, "control")
        other = ast.Player("they") if isinstance(than, They) else than
        if not isinstance(who, ast.Player) or not isinstance(other, ast.Player) or clause.past:
            raise Refused("more than who?")
        if verb not in ("have", "control") or clause.aux is not None:
            raise Refused("more of what?")
        return ast.Compare(self._number_of(who, what), op, self._number_of(other, what))

    def _number_of(self, who: ast.Player, what: Any) -> Any:
        if isinstance(what, ast.Resource) and what.kind in ("xp", "point"):
            return ast.StatOf("points" if what.kind == "point" else "xp", who)
        if not isinstance(what, ast.Objects) or what.quantity.form != "bare":
            raise Refused("more of what?")
        if any(isinstance(f, ast.ControlledBy) for f in what.filters):
            raise Refused("it is said twice whose they are")
        zones = [f for f in what.filters if isinstance(f, ast.From)]
        if not zones:
            return ast.CountOf(replace(what, filters=(ast.ControlledBy(who), *what.filters)))
        place = zones[0].place
        if not isinstance(place, ast.Zone) or place.of not in (YOU, ast.Player("they")):
            raise Refused("more of what?")
        own = ast.From(replace(place, of=who))
        return ast.CountOf(replace(what, filters=tuple(own if f is zones[0] else f for f in what.filters)))

    def _has_placed(self, clause: Clause) -> Any:
        raise Refused("this is no condition")

    def _has_objects(self, subject: Any, value: Any, negated: bool, past: bool = False) -> Any:
        if isinstance(subject, They) and isinstance(value, ast.Objects) and not self.had(value):
            subject = ast.Player("they")
        if isinstance(value, ast.Group) and value.conjunction == "and":
            return ast.AllOf(tuple(self._has_objects(subject, part, negated, past) for part in value.parts))
        if isinstance(value, Placed) and isinstance(value.what, ast.Resource) and len(value.posts) == 1:
            op = {"at-most": "<=", "exact": "=", "none": "="}.get(value.posts[0].kind)
            if op is None or value.what.kind not in ("xp", "point") or not isinstance(subject, ast.Player):
                raise Refused("this is no condition")
            stat = "points" if value.what.kind == "point" else value.what.kind
            none = value.posts[0].kind == "none"
            return ast.Compare(ast.StatOf(stat, subject), op, ast.Number(0) if none else value.what.amount)
        if (
            isinstance(value, ast.Resource)
            and isinstance(subject, ast.Player)
            and value.kind in ("xp", "point")
        ):
            stat = "points" if value.kind == "point" else value.kind
            amount = value.amount
            if isinstance(amount, ast.AtLeast):
                return ast.Compare(ast.StatOf(stat, subject), ">=", amount.amount)
            raise Refused("this is no condition")
        if isinstance(value, ast.Resource) and value.kind == "buff" and value.amount == ast.Number(1):
            # 702: what has a buff is buffed.
            if isinstance(subject, ast.Player | ast.StatOf | ast.Resource) or value.of is not None:
                raise Refused("who has a buff?")
            return ast.Is(self._described(subject), (), (ast.HasState("buffed"),), negated, past)
        had = [] if isinstance(subject, ast.Player) else self.had(value)
        if had:
            return ast.Is(self._described(subject), (), tuple(had), negated, past)
        if isinstance(subject, ast.Self) and isinstance(value, ast.Objects):
            # "While I have two or more Equipment attached to me".
            if ast.AttachedTo(ast.Self()) not in value.filters:
                value = replace(value, filters=(ast.AttachedTo(ast.Self()), *value.filters))
            return self._exists(value, negated)
        if not isinstance(subject, ast.Player) or not isinstance(value, ast.Objects):
            raise Refused("this is no condition")
        if any(isinstance(f, ast.ControlledBy) for f in value.filters):
            raise Refused("it is said twice whose they are")
        in_zone = any(isinstance(f, ast.From) for f in value.filters)
        if in_zone:
            # "An opponent has no cards in hand": in their own.
            filters = tuple(_in_own_zone(f, subject) for f in value.filters)
            return self._exists(replace(value, filters=filters), negated)
        return self._exists(replace(value, filters=(ast.ControlledBy(subject), *value.filters)), negated)

    def _controls(self, clause: Clause) -> Any:
        values = [comp.value for comp in clause.comps]
        who = self.player(clause.subject, "control")
        if len(values) != 1 or not isinstance(who, ast.Player | ast.Group):
            raise Refused("controls what?")
        value = there_already(values[0])
        if isinstance(value, ast.Here | ast.There | ast.Self | ast.Reference):
            return ast.Is(value, (), (ast.ControlledBy(who),), clause.negated)
        if isinstance(value, ast.Group) and not clause.negated and value.conjunction in ("and", "or"):
            parts = tuple(self._controls(replace(clause, comps=(Comp("np", part),))) for part in value.parts)
            return ast.AllOf(parts) if value.conjunction == "and" else ast.AnyOf(parts)
        if not isinstance(value, ast.Objects):
            raise Refused("controls what?")
        if value.quantity.rule in ("all", "each", "both") and value.quantity.form != "bare":
            # "You control both battlefields": of each of them it is so.
            whole = replace(value, quantity=ast.Quantity("each"))
            return ast.Is(whole, (), (ast.ControlledBy(who),), clause.negated)
        return self._exists(replace(value, filters=(ast.ControlledBy(who), *value.filters)), clause.negated)

    def _in_state(self, clause: Clause) -> Any:
        filters = []
        for verb in clause.verbs:
            state = self.vocabulary.frames[verb.lemma].state
            if state is None:
                raise Refused("nothing is so")
            if clause.comps:
                filters.append(self._attached(verb.lemma, clause.comps))
            else:
                filters.append(ast.HasState(state))
        what = self._described(clause.subject)
        already = clause.comps == (Comp("adverb", "already"),)
        made = tuple(ast.Is(what, (), (f,), clause.negated, already=already) for f in filters)
        return made[0] if len(made) == 1 else ast.AnyOf(made)

    def _attached(self, verb: str, comps: tuple[Comp, ...]) -> Any:
        if verb == "attach" and len(comps) == 1 and comps[0].kind == "to" and comps[0].value[0] == "to":
            return ast.AttachedTo(self.selector(comps[0].value[1]))
        if verb == "attach":
            raise Refused("attached to what?")
        if len(comps) == 1 and comps == (Comp("adverb", "already"),):
            return ast.HasState(self.vocabulary.frames[verb].state or "")
        raise Refused("nothing is so")

    def _happened(self, clause: Clause) -> Any:
        window, count, this_way, comps = None, None, False, []
        purpose = clause.purpose
        if purpose is not None:
            window, rest = take(purpose.comps, "duration")
            purpose = replace(purpose, comps=rest)
        if clause.verbs[0].lemma == "choose" and len(clause.comps) == 1 and clause.comps[0].kind == "word":
            chosen = ast.Action(
                "choose", self.player(clause.subject, "choose"), ast.Word(clause.comps[0].value)
            )
            return ast.Happened(ast.Event(chosen), negated=clause.negated)
        for comp in clause.comps:
            if (
                comp.kind == "duration"
                and isinstance(comp.value, ast.ThisTurn | ast.During)
                and window is None
            ):
                window = comp.value
            elif comp.kind == "duration" and isinstance(window, ast.During) and comp.value == ast.ThisTurn():
                window = replace(window, this_turn=True)
            elif comp.kind == "times" and count is None:
                count = comp.value
            elif comp.kind == "this-way":
                this_way = True
            else:
                comps.append(comp)
        if isinstance(window, ast.ThisTurn) and window.each:
            raise Refused("each turn?")
        if not clause.past and clause.aux is None and clause.voice == "active" and not self._habitual(clause):
            raise Refused("this has not happened")
        if len(clause.verbs) > 1:
            raise Refused("one thing happened")
        plain = replace(clause, comps=tuple(comps), aux=None, negated=False, purpose=purpose)
        action = self.action(plain, event=True)
        return ast.Happened(ast.Event(action), window, count, clause.negated, this_way)

    def _habitual(self, clause: Clause) -> bool:
        return clause.verbs[0].lemma in ("kill", "choose", "play", "reveal", "conquer", "move", "end")

    # ------------------------------------------------------------------------------------------- costs

    def cost(self, children: list[Any]) -> ast.Cost:
        cost: ast.Cost = children[0]
        return cost

    def cost_more(self, children: list[Any]) -> ast.Cost:
        return ast.Cost((*children[0].parts, *children[1].parts))

    def cost_part(self, children: list[Any]) -> Any:
        return children[0]

    def cost_mana(self, children: list[Any]) -> ast.Cost:
        cost: ast.Cost = children[0]
        return cost

    def cost_exhaust(self, _: list[Any]) -> ast.Cost:
        return ast.Cost((ast.ExhaustThis(),))

    def cost_action(self, children: list[Any]) -> ast.Cost:
        return self.as_cost(children[0])

    def as_cost(self, clause: Clause) -> ast.Cost:
        """Read an instruction as something that is paid."""
        if (
            clause.mood != "imperative"
            or len(clause.verbs) != 1
            or any(comp.kind == "as" for comp in clause.comps)
        ):
            raise Refused("this is no cost")
        if clause.verbs[0].lemma == "pay":
            action = self.action(clause)
            if isinstance(action.object, ast.Cost):
                return action.object
        made = self.meaning(clause)
        if len(made) != 1 or not isinstance(made[0], ast.Action):
            raise Refused("this is no cost")
        return ast.Cost((made[0],))

    def mana(self, children: list[Any]) -> ast.Cost:
        parts: list[Any] = []
        for token in children:
            if token.type == "ENERGY":
                if any(isinstance(part, ast.Energy) for part in parts):
                    raise Refused("Energy is one number")
                parts.append(ast.Energy(ast.Number(token.value)))
                continue

            domain, count = power_domain(token), max(1, token.value)
            last = parts[-1] if parts else None
            if isinstance(last, ast.Power) and last.domain == domain and isinstance(last.amount, ast.Number):
                parts[-1] = ast.Power(domain, ast.Number(last.amount.value + count))
            else:
                parts.append(ast.Power(domain, ast.Number(count)))
        return ast.Cost(tuple(parts))

    @abstractmethod
    def meaning(self, clause: Clause) -> tuple[Any, ...]:
        """Read a clause as an instruction or as continuous effects."""


def _in_own_zone(f: Any, who: ast.Player) -> Any:
    place = f.place if isinstance(f, ast.From) else None
    if isinstance(place, ast.Zone) and place.of in (YOU, ast.Player("they")) and who != YOU:
        return ast.From(replace(place, of=who))
    return f


def _how_many(subject: Any) -> ast.Quantity:
    """How many a noun must speak of that tells what something is: "both are Poros", "it's a Poro"."""
    if is_single(subject) is False or subject in (ast.Reference("both"), ast.Reference("those")):
        return ast.Quantity("all")
    return ast.Quantity("exactly", ast.Number(1))
