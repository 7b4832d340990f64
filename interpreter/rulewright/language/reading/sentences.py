"""Sentences: leads, cores, lists and tails put together.

A sentence is read from the outside in: each lead ("When ...,", "If ...,", "For each ...,") wraps what the rest means.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused, give_span
from rulewright.language.reading.conditions import Already, EachTurn, IsNot
from rulewright.language.reading.effects import EFFECTS, take
from rulewright.language.reading.fold import Effects, Mark, Several, Step, as_instruction
from rulewright.language.reading.frames import is_single
from rulewright.language.reading.meanings import MeaningBuilder
from rulewright.language.reading.parts import (
    Clause,
    Comp,
    Core,
    Item,
    Lead,
    Placed,
    Sentence,
    Seq,
    Tail,
)
from rulewright.language.reading.phrases import power_domain
from rulewright.language.vocabulary import Vocabulary

_OPPOSITES = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class SentenceBuilder(MeaningBuilder):
    """The callbacks of sentences: leads, cores, tails and lists."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    # ------------------------------------------------------------------------------------- the pieces

    def lead_then(self, _: list[Any]) -> Lead:
        return Lead("then")

    def lead_otherwise(self, _: list[Any]) -> Lead:
        return Lead("otherwise")

    def lead_if(self, children: list[Any]) -> Lead:
        return Lead("if", children[0])

    def lead_while(self, children: list[Any]) -> Lead:
        return Lead("while", children[0])

    def lead_when(self, children: list[Any]) -> Lead:
        return Lead("when", children[0])

    def lead_after(self, children: list[Any]) -> Lead:
        return Lead("when", (("clause", children[0], None),))

    def lead_as(self, children: list[Any]) -> Lead:
        return Lead("as", children[0])

    def lead_additional_cost(self, children: list[Any]) -> Lead:
        return Lead("additional-cost", next(child for child in children if child is not None))

    def lead_next_time(self, children: list[Any]) -> Lead:
        return Lead("next-time", children[0])

    def lead_nth_time(self, children: list[Any]) -> Lead:
        return Lead("nth-time", tuple(children))

    def lead_nth_time_each_turn(self, children: list[Any]) -> Lead:
        """``The first time each turn you play a spell``."""
        number, clause = children
        each = Comp("duration", ast.ThisTurn(each=True))
        return Lead("nth-time", (number, replace(clause, comps=(*clause.comps, each))))

    def lead_moment(self, children: list[Any]) -> Lead:
        return Lead("moment", children[0])

    def lead_once(self, _: list[Any]) -> Lead:
        return Lead("once")

    def lead_for(self, children: list[Any]) -> Lead:
        return Lead("for", children[0])

    def lead_duration(self, children: list[Any]) -> Lead:
        return Lead("duration", children[0])

    def lead_starting(self, children: list[Any]) -> Lead:
        if children[0] not in (ast.Player("next-player"), YOU):
            raise Refused("starting with whom?")
        return Lead("starting", children[0])

    def lead_do_this(self, _: list[Any]) -> Lead:
        return Lead("do-this")

    def lead_do_this_often(self, children: list[Any]) -> Lead:
        return Lead("do-this", children[0])

    def lead_instead(self, _: list[Any]) -> Lead:
        return Lead("instead")

    def tail_if(self, children: list[Any]) -> Tail:
        return Tail("if", children[-1])

    def tail_even_if(self, children: list[Any]) -> Tail:
        return Tail("even-if", children[-1])

    def tail_while(self, children: list[Any]) -> Tail:
        return Tail("while", children[-1])

    def tail_unless(self, children: list[Any]) -> Tail:
        return Tail("unless", children[0])

    def tail_unless_has(self, children: list[Any]) -> Tail:
        return Tail("unless-has", tuple(children))

    def tail_unless_or_has(self, children: list[Any]) -> Tail:
        return Tail("unless-or-has", tuple(children))

    def tail_next_time(self, children: list[Any]) -> Tail:
        return Tail("next-time", children[0])

    def tail_as(self, children: list[Any]) -> Tail:
        return Tail("as", children[0])

    def tail_while_doing(self, children: list[Any]) -> Tail:
        word = self.vocabulary.word(children[0].text)
        state = self.vocabulary.frames[word.lemma].ing if word is not None else None
        if state is None:
            raise Refused("while doing what?")
        return Tail("while-doing", ast.HasState(state))

    def tail_after(self, children: list[Any]) -> Tail:
        return Tail("after", children[0])

    def tail_vice_versa(self, _: list[Any]) -> Tail:
        return Tail("vice-versa")

    def event(self, children: list[Any]) -> tuple[Any, ...]:
        return (("clause", children[0], None),)

    def event_while(self, children: list[Any]) -> tuple[Any, ...]:
        return (("clause", self._during(children), None),)

    def event_while_doing(self, children: list[Any]) -> tuple[Any, ...]:
        """``when you win a combat while defending``: who does it is what the participle says then."""
        finite, form = children
        state = self.vocabulary.frames[self._lemma(form)].ing
        roles = {"attacking": "attacker", "defending": "defender"}
        if state not in roles or not isinstance(finite, Clause):
            raise Refused("while doing what?")
        if isinstance(finite.subject, ast.Player):
            told = Clause(finite.subject, (), voice="is", predicate=("np", ast.Player(roles[state])))
        else:
            told = Clause(finite.subject, (), voice="is", predicate=("filter", ast.HasState(state)))
        return self.event_while([finite, told])

    def event_moment(self, children: list[Any]) -> tuple[Any, ...]:
        return (("moment", children[0], None),)

    def events(self, children: list[Any]) -> tuple[Any, ...]:
        events: tuple[Any, ...] = children[0]
        return events

    def events_more(self, children: list[Any]) -> tuple[Any, ...]:
        return (*children[0], *children[-1])

    def condition(self, children: list[Any]) -> Any:
        clause: Clause = children[0]
        # What would happen is no condition: it is replaced, which the sentence around it says.
        if clause.aux == "would" or self._may_yet_happen(clause):
            return clause
        return self.condition_of(clause)

    def _may_yet_happen(self, clause: Clause) -> bool:
        """Tell whether a clause speaks of what may come later: ``if it dies this turn``."""
        if clause.past or clause.mood != "finite" or clause.aux is not None or clause.negated:
            return False
        if clause.voice not in ("active", "passive") or Comp("duration", ast.ThisTurn()) not in clause.comps:
            return False
        verb = clause.verbs[0].lemma
        return verb not in ("have", "control", "own") and not self._habitual(clause)

    def condition_while(self, children: list[Any]) -> Any:
        clause = self._during(children)
        if clause.aux != "would":
            raise Refused("if or while?")
        return clause

    def condition_or(self, children: list[Any]) -> Any:
        """``if you didn't conquer or play a spell this turn``: what the second leaves out is in the first."""
        first, second = children
        if first.aux == "would" or first.voice != "active" or len(second.verbs) != 1:
            raise Refused("this is no condition")
        other = replace(first, verbs=second.verbs, comps=second.comps)
        window, _ = take(second.comps, "duration")
        if window is not None and not any(comp.kind == "duration" for comp in first.comps):
            first = replace(first, comps=(*first.comps, Comp("duration", window)))
        made = (self.condition_of(first), self.condition_of(other))
        return ast.AllOf(made) if first.negated else ast.AnyOf(made)

    def condition_purpose(self, children: list[Any]) -> Any:
        clause, purpose = children
        if clause.voice != "active" or not clause.past:
            raise Refused("what for?")
        return self.condition_of(replace(clause, purpose=purpose))

    def _during(self, children: list[Any]) -> Clause:
        clause, other = children
        made: Clause = replace(clause, comps=(*clause.comps, Comp("while", other)))
        return made

    def condition_either(self, children: list[Any]) -> Any:
        first, clause = children
        if isinstance(first, Clause):
            raise Refused("this is no condition")
        second = self.condition_of(clause)
        if isinstance(first, ast.AllOf):
            raise Refused("and or or?")
        return ast.AnyOf((*(first.conditions if isinstance(first, ast.AnyOf) else (first,)), second))

    def condition_and(self, children: list[Any]) -> Any:
        first, clause = children
        if isinstance(first, Clause):
            raise Refused("this is no condition")
        second = self.condition_of(clause)
        return ast.AllOf((*(first.conditions if isinstance(first, ast.AllOf) else (first,)), second))

    def listing(self, children: list[Any]) -> tuple[Item, ...]:
        return tuple(children)

    def item(self, children: list[Any]) -> Item:
        return Item(children[0])

    def option(self, children: list[Any]) -> Item:
        """One of "draw 1; or buff a unit": a sentence of a list that stands in its line."""
        return Item((self.sentence(children),))

    def option_more(self, children: list[Any]) -> Item:
        item: Item = children[-1]
        return item

    def case_item(self, children: list[Any]) -> Item:
        return Item(children[1], children[0])

    def case(self, children: list[Any]) -> str:

        token = children[0]
        return power_domain(token) if token.type == "POWER" else self._lemma(token)

    def sentence(self, children: list[Any]) -> Sentence:
        leads = tuple(child for child in children if isinstance(child, Lead))
        tails = tuple(child for child in children if isinstance(child, Tail))
        core = next(child for child in children if isinstance(child, Core))
        return Sentence(leads, core, tails)

    def sentence_with_list(self, children: list[Any]) -> Sentence:
        items = next(child for child in children if isinstance(child, tuple))
        made = self.sentence(children)
        return replace(made, items=items)

    def list_alone(self, children: list[Any]) -> Sentence:
        raise Refused("it is not said what the list is for")

    def sentences(self, children: list[Any]) -> tuple[Sentence, ...]:
        return tuple(children)

    # -------------------------------------------------------------------------------------- one sentence

    def step(self, sentence: Sentence, first: bool = True) -> Step:
        """Read one sentence; ``first`` tells whether it stands at the head of an ability."""
        made = self._lead(sentence.leads, sentence, first)
        if sentence.span is not None:
            give_span(made, sentence.span)
        return made

    def _lead(self, leads: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        if not leads:
            return self._tailed(sentence, first)
        lead, rest = leads[0], leads[1:]
        handler = _LEADS[lead.kind]
        return handler(self, lead, rest, sentence, first)

    def _inner(self, rest: tuple[Lead, ...], sentence: Sentence) -> Any:
        """Read what a lead wraps as an instruction."""
        made = self._lead(rest, sentence, False)
        return as_instruction(made)

    def _on_then(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        if rest and rest[0].kind == "then":
            raise Refused("this is said twice")
        made = self._lead(rest, sentence, False)
        if first:
            raise Refused("then, after what?")
        return made

    def _on_otherwise(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        if first:
            raise Refused("otherwise than what?")
        return Mark("otherwise", self._inner(rest, sentence))

    def _on_if(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        value = lead.value
        if isinstance(value, Clause) and value.aux is None:
            # "Deal 3 to a unit. If it dies this turn, draw 1": when it does.
            if first:
                raise Refused("if what happens?")
            events, conditions = self.events_of(value)
            return self._triggered(events, _all(conditions), rest, sentence, first)
        if isinstance(value, Clause):
            return self._replacement(value, rest, sentence, first)
        made = self._lead(rest, sentence, first=False)
        if isinstance(made, Mark) and made.kind == "instead":
            if first and isinstance(value, ast.Happened) and value.window is None and not value.negated:
                # "If a combat ends in a tie, ... instead": what happens is replaced (367).
                return ast.ReplacementAbility(value.event, made.value)
            return Mark("revise", (value, made.value))
        if isinstance(value, Already):
            raise Refused("if what?")
        if isinstance(value, IsNot):
            return Mark("is-not", (value.what, as_instruction(made)))
        if isinstance(made, Mark) and made.kind == "revise":
            raise Refused("instead of what?")
        if isinstance(made, Effects):
            if value == ast.DidSo() or not first:
                return Mark("also", (value, made))
            return ast.PassiveAbility(tuple(made), value)
        if isinstance(made, ast.AdditionalCost):
            if not made.optional:
                raise Refused("only a cost that may be paid hangs on something")
            return replace(made, condition=_both(value, made.condition))
        if isinstance(made, ast.PassiveAbility):
            return replace(made, condition=_both(value, made.condition))
        permit = standing_permission(made) if first else None
        if permit is not None:
            return ast.PassiveAbility((permit,), value)
        return ast.Conditional(value, _once_known(value, as_instruction(made)))

    def _replacement(self, clause: Clause, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        events, conditions = self.events_of(clause)
        if len(events) != 1:
            raise Refused("one event is replaced")
        condition = _all(conditions)
        if rest and rest[0].kind == "if" and not isinstance(rest[0].value, Clause):
            condition = _both(condition, rest[0].value)
            rest = rest[1:]
        made = self._lead(rest, sentence, first=False)
        partly = _partly_prevented(made)
        if partly is not None:
            return self._prevented_of(partly, events[0], condition)
        body, optional = self._instead(made, events[0])
        event = replace(events[0], window=None) if events[0].window == ast.ThisTurn() else events[0]
        ability = ast.ReplacementAbility(event, body, condition, optional)
        if events[0].window == ast.ThisTurn() and not first:
            return ast.CreateAbility(ability, ast.ThisTurn())
        if events[0].window is not None and event.window is None:
            return ast.CreateAbility(ability, events[0].window)
        return ability

    def _prevented_of(self, partly: ast.PreventDamage, event: ast.Event, condition: Any) -> Step:
        """``If I would be dealt damage, prevent 2 of it``: so much less is dealt, each time."""
        action = event.action
        if not isinstance(action, ast.Action) or action.verb != "deal" or action.to is None or action.amount:
            raise Refused("prevent how much of what?")
        source = action.subject
        if source is not None and not (isinstance(source, ast.Objects) and _is_magic(source)):
            raise Refused("what units deal in combat is not told one by one")
        to: Any = action.to
        effect = replace(partly, source=source, to=to)
        if event.window is None:
            return ast.PassiveAbility((effect,), condition)
        if event.window != ast.ThisTurn() or condition is not None:
            raise Refused("for how long?")
        return ast.Apply(effect, event.window)

    def _instead(self, made: Step, event: ast.Event) -> tuple[Any, bool]:
        """Give the body of a replacement, which must say "instead" or prevent the event."""
        if isinstance(made, Mark) and made.kind == "instead":
            body = made.value
            if isinstance(body, Effects):
                raise Refused("it is not said how long")
            if isinstance(body, ast.May) and body.who == YOU:
                return body.body, True
            return body, False
        if _prevents(made):
            if isinstance(made, ast.May) and made.who == YOU:
                return made.body, True
            return made, False
        if isinstance(made, ast.Action) and made.verb == "look-at" and "first" in made.manner:
            return made, False
        raise Refused("what would happen is replaced with something: instead is missing")

    def _on_while(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        made = self._lead(rest, sentence, first)
        if isinstance(made, Effects):
            return ast.PassiveAbility(tuple(made), lead.value)
        if isinstance(made, ast.TriggeredAbility | ast.ReplacementAbility | ast.PassiveAbility):
            return replace(made, condition=_both(lead.value, made.condition))
        if first and isinstance(made, ast.CreateAbility) and _is_moment(made.ability):
            # "While I'm at a battlefield, ready a rune at the end of your turn."
            return replace(made.ability, condition=_both(lead.value, made.ability.condition))
        if isinstance(made, (ast.May, ast.Permit)):
            raise Refused("while what?")
        raise Refused("while does not govern this")

    def _triggers(self, value: tuple[Any, ...]) -> tuple[tuple[ast.Event, ...], Any]:
        events: list[ast.Event] = []
        conditions: list[Any] = []
        for kind, what, extra in value:
            if kind == "moment":
                events.append(_begins_or_ends(what))
                continue
            try:
                found, more = self.events_of(what)
            except EachTurn:
                raise Refused("each turn, how often?") from None
            events.extend(found)
            conditions.extend(condition for condition in more if condition not in conditions)
            if extra is not None:
                conditions.append(extra)
        return tuple(events), _all(conditions)

    def _on_when(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        what = lead.value[0][1]
        if len(lead.value) == 1 and isinstance(what, Clause) and what.voice == "ellipsis" and not first:
            return self._when_done(what, self._inner(rest, sentence))
        if any(isinstance(one[1], Clause) and one[1].aux == "would" for one in lead.value):
            # "When it would die, ... instead" replaces, whatever word it begins with (367).
            if len(lead.value) != 1:
                raise Refused("one event is replaced")
            return self._replacement(what, rest, sentence, first)
        events, condition = self._triggers(lead.value)
        return self._triggered(events, condition, rest, sentence, first)

    def _when_done(self, clause: Clause, body: Any) -> ast.Conditional:
        """``When you do, ...`` behind an instruction: a reflexive trigger with its condition (387.2)."""
        condition = self.condition_of(clause)
        if not isinstance(condition, ast.DidSo) or condition.negated:
            raise Refused("when who does what?")
        return ast.Conditional(condition, ast.Reflexive(body))

    def _triggered(
        self,
        events: tuple[ast.Event, ...],
        condition: Any,
        rest: tuple[Lead, ...],
        sentence: Sentence,
        first: bool,
    ) -> Step:
        if any(event.action == ast.Action("do-so") for event in events):
            raise Refused("nothing happens there")
        if rest and rest[0].kind == "if" and not isinstance(rest[0].value, Clause):
            condition = _both(condition, rest[0].value)
            rest = rest[1:]
        body = self._inner(rest, sentence)
        windows = {event.window for event in events}
        if windows == {ast.ThisTurn()}:
            bare = tuple(replace(event, window=None) for event in events)
            return ast.CreateAbility(ast.TriggeredAbility(bare, body, condition), ast.ThisTurn())
        if ast.ThisTurn() in windows:
            raise Refused("this turn is said of one event only")
        ability = ast.TriggeredAbility(events, body, condition)
        return ability if first else ast.CreateAbility(ability)

    def _on_as(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        events, conditions = self.events_of(lead.value)
        if not first:
            raise Refused("an ability does not stand inside another")
        made = self._lead(rest, sentence, first=False)
        event = events[0]
        if isinstance(made, ast.AdditionalCost):
            if event.action != ast.Action("play", YOU, ast.Self()):
                raise Refused("only playing has additional costs")
            return made
        return self._as_events(events, conditions, made)

    def _as_events(self, events: tuple[ast.Event, ...], conditions: tuple[Any, ...], made: Step) -> Step:
        if isinstance(made, ast.Modify):
            made = ast.Apply(made)
        if isinstance(made, Effects):
            if len(made) != 1:
                raise Refused("it is not said how long")
            made = ast.Apply(made[0])
        body = as_instruction(made)
        optional = isinstance(body, ast.May) and body.who == YOU
        if optional:
            body = body.body
        condition = _all(conditions)
        made = tuple(ast.ReplacementAbility(event, body, condition, optional, keep=True) for event in events)
        return made[0] if len(made) == 1 else Several(made)

    def _on_additional_cost(
        self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool
    ) -> Step:
        if rest or sentence.tails or sentence.core is None:
            raise Refused("an additional cost is one thing")
        what = self._played(lead.value)
        made = self.instruction(sentence.core)
        optional = isinstance(made, ast.May) and made.who == YOU
        return self._additional(made.body if isinstance(made, ast.May) and optional else made, optional, what)

    def _played(self, seq_or_clause: Any) -> Any:
        clause = seq_or_clause.clauses[0] if isinstance(seq_or_clause, Seq) else seq_or_clause
        action = self.action(clause)
        if action != ast.Action("play", YOU, ast.Self()):
            raise Refused("only playing has additional costs")
        return None

    def _additional(self, made: Any, optional: bool, what: Any) -> ast.AdditionalCost:
        if isinstance(made, ast.ChooseMode) and made.count == ast.Number(1) and made.who is None:
            # "Discard 1 or pay [2]": one of them is paid.
            ways = tuple(_as_cost(mode) for mode in made.modes)
            return ast.AdditionalCost(ast.CostOptions(ways), optional, what)
        return ast.AdditionalCost(_as_cost(made), optional, what)

    def _on_next_time(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        clause = lead.value
        events, conditions = self.events_of(clause)
        return self._next_time(events, _all(conditions), clause, self._lead(rest, sentence, first=False))

    def _next_time(self, events: tuple[ast.Event, ...], condition: Any, clause: Clause, made: Step) -> Step:
        if len(events) != 1:
            raise Refused("one event at a time")
        event = replace(events[0], window=None)
        if clause.aux == "would" or (isinstance(made, Mark) and made.kind == "instead"):
            body, optional = self._instead(made, event)
            ability: Any = ast.ReplacementAbility(event, body, condition, optional)
        else:
            ability = ast.TriggeredAbility((event,), as_instruction(made), condition)
        return ast.CreateAbility(ability, events[0].window, once=True)

    def _on_nth_time(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        number, clause = lead.value
        try:
            found, extra = self.events_of(_with_number(clause, number))
        except EachTurn as each:
            found, extra = (each.event,), tuple(each.conditions)
        conditions = _all(extra)
        event = found[0]
        if len(found) != 1:
            raise Refused("one event at a time")
        if clause.aux == "would":
            return self._nth_replaced(number, clause, rest, sentence)
        made = self._triggered(
            (replace(event, ordinal=None, window=None),), conditions, rest, sentence, first
        )
        if not isinstance(made, ast.TriggeredAbility):
            raise Refused("an ability does not stand inside another")
        if number == 1:
            return replace(made, frequency="first-time-each-turn")
        return replace(made, events=(replace(event, ordinal=number, window=ast.ThisTurn(each=True)),))

    def _nth_replaced(
        self, number: int, clause: Clause, rest: tuple[Lead, ...], sentence: Sentence
    ) -> ast.ReplacementAbility:
        """``The first time a friendly unit would die each turn, ... instead``."""
        window, comps = take(clause.comps, "duration")
        if number != 1 or window != ast.ThisTurn(each=True):
            raise Refused("counted over what time?")
        made = self._replacement(replace(clause, comps=comps), rest, sentence, True)
        if not isinstance(made, ast.ReplacementAbility):
            raise Refused("one event is replaced")
        return replace(made, frequency="first-time-each-turn")

    def _on_moment(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        # "At the end of this turn" is said once, of the turn in which it is said: no ability of a card has it.
        standing = first and lead.value.which != "this"
        made = self._triggered((_begins_or_ends(lead.value),), None, rest, sentence, standing)
        if isinstance(made, ast.CreateAbility):
            return replace(made, once=True)
        return made

    def _on_once(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        made = self._lead(rest, sentence, first)
        if isinstance(made, ast.TriggeredAbility | ast.ReplacementAbility) and made.frequency is None:
            return replace(made, frequency="once-each-turn")
        raise Refused("only abilities are limited so")

    def _on_for(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        what = lead.value
        body = self._inner(rest, sentence)
        return ast.ForEach(self._each_of(what), body)

    def _each_of(self, what: Any) -> Any:

        if (
            isinstance(what, Placed)
            and isinstance(what.what, ast.Player)
            and what.what.which.startswith("each")
        ):
            return self.players_who(what)
        if isinstance(what, Placed) and isinstance(what.what, ast.Resource):
            return self._per_resource(what)
        if isinstance(what, ast.Player) and what.which.startswith("each"):
            return what
        if isinstance(what, ast.Objects) and what.quantity.rule == "each":
            return replace(what, quantity=ast.Quantity("all"))
        raise Refused("for each of what?")

    def _on_duration(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        if isinstance(lead.value, ast.During):
            made = self._lead(rest, sentence, first)
            if not isinstance(made, Effects) or not first:
                raise Refused("no such time")
            return ast.PassiveAbility(tuple(made), ast.InPhase(lead.value.phase, lead.value.whose))
        if not isinstance(
            lead.value, ast.ThisTurn | ast.ThisCombat | ast.UntilEvent
        ) or lead.value == ast.ThisTurn(each=True):
            raise Refused("no such time")
        made = self._lead(rest, sentence, first=False)
        if isinstance(made, ast.Apply) and made.duration is None:
            return replace(made, duration=lead.value)
        if isinstance(made, ast.CreateAbility) and made.duration is None and not made.once:
            return replace(made, duration=lead.value)
        if isinstance(made, Effects) and len(made) == 1:
            return ast.Apply(made[0], lead.value)
        raise Refused("this takes no time")

    def _on_starting(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        return ast.InTurnOrder(self._inner(rest, sentence), lead.value)

    def _on_do_this(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        return ast.Reflexive(self._inner(rest, sentence), lead.value)

    def _on_instead(self, lead: Lead, rest: tuple[Lead, ...], sentence: Sentence, first: bool) -> Step:
        made = self._lead(rest, sentence, first=False)
        if isinstance(made, Mark):
            raise Refused("instead is said twice")
        return Mark("instead", as_instruction(made))

    # -------------------------------------------------------------------------------------------- tails

    def _tailed(self, sentence: Sentence, first: bool) -> Step:
        tails = sentence.tails
        if not tails:
            return self._core(sentence, first)
        tail, rest = tails[-1], tails[:-1]
        inner = replace(sentence, tails=rest)
        if tail.kind == "as" and not rest and first and _offers_more(sentence.core):
            # "You may pay an additional [1] as you play me."
            lead = Lead("as", tail.value)
            return self._on_as(lead, (), replace(inner, leads=(lead,)), first)
        if tail.kind == "while" and not rest:
            limit = self._limit(sentence.core, tail.value)
            if limit is not None:
                return limit
        if tail.kind == "if" and not rest:
            limit = self._limit(sentence.core, tail.value)
            if limit is not None:
                return limit
        if tail.kind == "next-time" and not rest and _only_skips(sentence.core):
            return self._skipped(tail.value)
        made = self._tailed(inner, first)
        core = sentence.core
        then_last = core is not None and core.purpose is None and core.doing.separators[-1:] == ("then",)
        if tail.kind == "if" and isinstance(made, ast.Sequence) and then_last:
            # "A, then B if C": the condition is of the last step only.
            last = _TAILS["if"](self, tail, made.steps[-1])
            return ast.Sequence((*made.steps[:-1], last))
        return _TAILS[tail.kind](self, tail, made)

    def _skipped(self, clause: Clause) -> ast.CreateAbility:
        """``Skip the next time that unit would move this turn``: the event is replaced with nothing (443.1)."""
        events, conditions = self.events_of(clause)
        if clause.aux != "would" or len(events) != 1:
            raise Refused("skip what?")
        event = replace(events[0], window=None)
        ability = ast.ReplacementAbility(event, ast.Action("skip"), _all(conditions))
        return ast.CreateAbility(ability, events[0].window, once=True)

    def _tail_if(self, tail: Tail, made: Step) -> Step:
        if isinstance(tail.value, Already):
            return _redundant(made)
        if isinstance(tail.value, Clause):
            raise Refused("if what would happen?")
        if isinstance(made, Effects):
            placed = _at_the_place(made, tail.value)
            return placed or ast.PassiveAbility(tuple(made), tail.value)
        if isinstance(made, Mark):
            raise Refused("a condition stands first here")
        return ast.Conditional(tail.value, _once_known(tail.value, as_instruction(made)), behind=True)

    def _tail_while(self, tail: Tail, made: Step) -> Step:
        if isinstance(made, Effects):
            return ast.PassiveAbility(tuple(made), tail.value)
        raise Refused("while does not govern this")

    def _tail_as(self, tail: Tail, made: Step) -> Step:
        events, conditions = self.events_of(tail.value)
        return self._as_events(events, conditions, made)

    def _tail_after(self, tail: Tail, made: Step) -> Step:
        """``Recycle that spell after you play it``: it is done when that has happened, once."""
        events, conditions = self.events_of(tail.value)
        if len(events) != 1 or conditions:
            raise Refused("after what?")
        ability = ast.TriggeredAbility(events, as_instruction(made))
        return ast.CreateAbility(ability, once=True)

    def _tail_while_doing(self, tail: Tail, made: Step) -> Step:
        """``Your units have +1 [M] while attacking``: only those that attack, and only as long as they do."""
        effect = made[0] if isinstance(made, Effects) and len(made) == 1 else None
        if isinstance(effect, ast.Modify) and isinstance(effect.subject, ast.Objects):
            subject = replace(effect.subject, filters=(*effect.subject.filters, tail.value))
            return Effects((replace(effect, subject=subject),))
        if isinstance(effect, ast.Modify) and isinstance(effect.subject, ast.Self):
            return ast.PassiveAbility((effect,), ast.Is(effect.subject, (), (tail.value,)))
        raise Refused("who does what meanwhile?")

    def _tail_unless(self, tail: Tail, made: Step) -> Step:
        clause: Clause = tail.value
        asked = self._stands_in_the_way(clause)
        if asked is not None:
            condition = denied(asked)
            if isinstance(made, Effects):
                return ast.PassiveAbility(tuple(made), condition)
            return ast.Conditional(condition, as_instruction(made))
        if clause.past and clause.voice == "active" and clause.aux is None and not clause.negated:
            # "unless I died alone": what is told is not done where that has happened.
            condition = self.condition_of(clause)
            if isinstance(condition, ast.Happened):
                return ast.Conditional(replace(condition, negated=True), as_instruction(made))
        who = self.player(clause.subject, "pay")
        if (
            isinstance(made, Effects)
            and len(made) == 1
            and isinstance(made[0], ast.Forbid)
            and made[0].until is None
        ):
            return self._forbidden_unless(made[0], who, clause)
        if (
            not isinstance(who, ast.Player)
            or clause.past
            or clause.aux
            or clause.voice != "active"
            or not clause.verbs
        ):
            raise Refused("unless who does what?")
        action = self.action(replace(clause, subject=who))
        if action.verb == "pay" and isinstance(action.object, ast.Cost):
            return ast.Unless(as_instruction(made), who, action.object)
        return ast.Unless(as_instruction(made), who, action)

    def _stands_in_the_way(self, clause: Clause) -> Any:
        """Give what "unless" asks where it is a state of things, not something that a player may do against it."""
        verb = clause.verbs[0].lemma if clause.verbs else None
        state = clause.voice in ("is", "there", "progressive") or verb in ("have", "control")
        if not state and clause.mood != "perfect":
            return None
        return self.condition_of(clause)

    def _forbidden_unless(self, forbid: ast.Forbid, who: Any, clause: Clause) -> Step:
        """``Units can't move here unless their controller pays [A] for each of them``."""
        if not isinstance(who, ast.Player) or clause.past or clause.aux or clause.voice != "active":
            raise Refused("unless who does what?")
        paid = self.action(replace(clause, subject=who))
        if paid.verb != "pay" or not isinstance(paid.object, ast.Cost):
            raise Refused("unless who does what?")
        return Effects((ast.Require(forbid.action, paid.object, paid.amount),))

    def _tail_unless_has(self, tail: Tail, made: Step) -> Step:
        who, other, clause = tail.value
        if not isinstance(who, ast.Player) or not isinstance(other, ast.Player):
            raise Refused("unless who has whom do what?")
        action = self.action(replace(clause, subject=other, mood="finite"))
        return ast.Unless(as_instruction(made), who, action)

    def _tail_unless_or_has(self, tail: Tail, made: Step) -> Step:
        clause, other, do = tail.value
        first = self._tail_unless(Tail("unless", clause), made)
        second = self._tail_unless_has(Tail("unless-has", (clause.subject, other, do)), made)
        if not isinstance(first, ast.Unless) or not isinstance(second, ast.Unless):
            raise Refused("unless who does what?")
        paid: Any = first.alternative
        if isinstance(paid, ast.Cost):
            paid = ast.Action("pay", first.who, paid)
        other_way: Any = second.alternative
        choice = ast.ChooseMode(ast.Number(1), (paid, other_way), who=first.who)
        return replace(first, alternative=choice)

    def _tail_next_time(self, tail: Tail, made: Step) -> Step:
        clause: Clause = tail.value
        events, conditions = self.events_of(clause)
        if clause.aux == "would":
            raise Refused("instead of what?")
        return self._next_time(events, _all(conditions), clause, made)

    def _tail_vice_versa(self, tail: Tail, made: Step) -> Step:
        if isinstance(made, Effects) and len(made) == 1 and isinstance(made[0], ast.CountsAs):
            return Effects((replace(made[0], mutual=True),))
        raise Refused("vice versa of what?")

    def _tail_even_if(self, tail: Tail, made: Step) -> Step:
        permit = standing_permission(made)
        effects = made if permit is None else Effects((permit,))
        if isinstance(effects, Effects | tuple) and len(effects) == 1 and isinstance(effects[0], ast.Permit):
            return Effects((replace(effects[0], even_if=tail.value),))
        raise Refused("even if?")

    # --------------------------------------------------------------------------------------------- core

    def _core(self, sentence: Sentence, first: bool) -> Step:
        core = sentence.core
        if core is None:
            raise Refused("nothing is said")
        if sentence.items:
            return self._list(core, sentence.items)
        limit = self._limit(core, None)
        if limit is not None:
            return limit
        additional = self._additional_clause(core, any(lead.kind == "as" for lead in sentence.leads))
        if additional is not None:
            return additional
        core, instead = _without_instead(core)
        redirected = self._redirected(core) if instead else None
        if redirected is not None:
            return redirected
        made = self.instruction(core)
        if instead:
            if isinstance(made, (tuple, *EFFECTS)):
                return Mark("instead", Effects(made if isinstance(made, tuple) else (made,)))
            return Mark("instead", made)
        if isinstance(made, tuple):
            return Effects(made)
        phase, effect = out_of_phase(made)
        if phase is not None and first:
            return ast.PassiveAbility((effect,), phase)
        if isinstance(made, EFFECTS):
            return Effects((made,))
        if first:
            permit = standing_permission(made)
            if permit is not None:
                return Effects((permit,))
        return made

    def _redirected(self, core: Core) -> Step | None:
        """``Damage that would be dealt to me is dealt to another unit here instead``: that much is dealt to it."""
        clause = core.doing.clauses[0]
        damage = clause.subject
        if len(core.doing.clauses) > 1 or core.purpose is not None or not isinstance(damage, Placed):
            return None
        told = [post.value for post in damage.posts if post.kind == "rel"]
        if damage.what != ast.Resource("damage", ast.AnyAmount()) or len(told) != 1:
            return None
        gap, would = told[0]
        to, rest = take(clause.comps, "to")
        duration, rest = take(rest, "duration")
        passive = clause.voice == "passive" and clause.aux is None and not clause.negated
        if gap != "object" or not isinstance(would, Clause) or would.aux != "would" or not passive:
            return None
        if to is None or rest or [form.lemma for form in clause.verbs] != ["deal"]:
            raise Refused("dealt to what?")
        events, conditions = self.events_of(replace(would, subject=ast.Resource("damage", ast.AnyAmount())))
        dealt = ast.Action("deal", YOU, amount=ast.ThatMuch(), to=self.selector(to[1]))
        duration = duration or events[0].window
        ability = ast.ReplacementAbility(replace(events[0], window=None), dealt, _all(conditions))
        if duration is None:
            return ability
        if duration != ast.ThisTurn():
            raise Refused("for how long?")
        return ast.CreateAbility(ability, duration)

    def _additional_clause(self, core: Core, as_played: bool) -> Step | None:
        """``you may discard 1 as an additional cost to play me``."""
        mark = Comp("as", ast.Resource("an-additional-cost", ast.Number(1)))
        last = core.doing.clauses[-1]
        if as_played and _offers_more(core):
            more, rest = take(last.comps, "additional-mana")
            last = replace(last, comps=(*rest, Comp("np", more), mark))
            core = replace(core, doing=replace(core.doing, clauses=(last,)))
        if mark not in last.comps:
            return None
        if (core.purpose is None) == (not as_played):
            raise Refused("an additional cost of what?")
        what = self._played(core.purpose) if core.purpose is not None else None
        bare = replace(last, comps=tuple(comp for comp in last.comps if comp != mark))
        doing = replace(core.doing, clauses=(*core.doing.clauses[:-1], bare))
        made = self.instruction(Core(doing))
        optional = isinstance(made, ast.May) and made.who == YOU
        return self._additional(made.body if isinstance(made, ast.May) and optional else made, optional, what)

    def _limit(self, core: Core | None, condition: Any) -> Step | None:
        """``Use this ability only while ...``, ``Use only to play spells``, ``Use only once per turn``."""
        if core is None or len(core.doing.clauses) != 1:
            return None
        clause = core.doing.clauses[0]
        only = [comp for comp in clause.comps if comp.kind == "only"]
        if not only or clause.mood != "imperative":
            return None
        if len(only) > 1 or len(clause.verbs) > 1:
            raise Refused("this is said twice")
        rest = tuple(comp for comp in clause.comps if comp.kind != "only")
        lemma = clause.verbs[0].lemma
        duration, rest = take(rest, "duration")
        what, others = take(rest, "np")
        if (
            lemma == "play"
            and what == ast.Self()
            and core.purpose is None
            and condition is None
            and duration is None
        ):
            action = self.action(replace(clause, comps=rest))
            return Effects((ast.Permit(action, only=True),))
        if others:
            raise Refused("only what?")
        if lemma == "use":
            return self._use_limit(what, duration, core.purpose, condition)
        if lemma == "spend" and isinstance(what, ast.Reference) and what.role == "this" and condition is None:
            return self._spend_limit(duration, core.purpose, what.nouns[0])
        raise Refused("only what?")

    def _use_limit(self, what: Any, duration: Any, purpose: Seq | None, condition: Any) -> Step:
        if purpose is not None:
            if condition is not None or duration is not None or what is not None:
                raise Refused("only what?")
            return self._spend_limit(None, purpose, None)
        frequency = duration if isinstance(duration, str) else None
        if isinstance(duration, ast.During) and condition is None:
            condition, duration = ast.InPhase(duration.phase, duration.whose), None
        if frequency is None and duration is not None:
            raise Refused("only when?")
        if condition is None and frequency is None:
            raise Refused("only when?")
        if what is None or (
            isinstance(what, ast.Reference) and what.role == "this" and what.nouns == ("ability",)
        ):
            return Mark("limit", (condition, frequency))
        if isinstance(what, ast.AbilityText) and what == ast.AbilityText("any", ast.Self()):
            return ast.UseLimit(condition, frequency)
        raise Refused("only what?")

    def _spend_limit(self, duration: Any, purpose: Seq | None, kind: str | None) -> Step:
        if (duration is None) == (purpose is None):
            raise Refused("only what for?")
        if duration is not None:
            return Mark("spend", ast.SpendLimit((), duration, kind))
        assert purpose is not None
        actions = [self.action(clause, event=True) for clause in self.filled(purpose)]
        if len(actions) > 1 and set(purpose.separators) != {"or"}:
            raise Refused("only what for?")
        target: Any = actions[0] if len(actions) == 1 else tuple(actions)
        return Mark("spend", ast.SpendLimit(target if isinstance(target, tuple) else (target,), None, kind))

    # --------------------------------------------------------------------------------------------- lists

    @abstractmethod
    def body(self, sentences: tuple[Sentence, ...]) -> Any:
        """Give what sentences mean one after another; paragraphs do."""

    def _list(self, core: Core, items: tuple[Item, ...]) -> Step:
        clause = core.doing.clauses[-1]
        before = core.doing.clauses[:-1]
        told = clause.mood == "imperative" or (clause.aux is None and clause.voice == "active")
        if core.purpose is not None or not told or len(clause.verbs) != 1 or before:
            raise Refused("a list of what?")
        who = None if clause.mood == "imperative" else self.player(clause.subject, "choose")
        if who is not None and (clause.verbs[0].lemma != "choose" or not _is_one_other(who)):
            raise Refused("who chooses?")
        if any(item.case is not None for item in items):
            return self._branches(clause, items)
        if clause.verbs[0].lemma != "choose":
            raise Refused("a list of what?")
        modes = tuple(self.body(item.sentences) for item in items)
        count, memory = self._chosen(clause)
        if len(modes) < 2:
            raise Refused("one is no choice")
        return ast.ChooseMode(count, modes, memory, who)

    def _chosen(self, clause: Clause) -> tuple[Any, str | None]:
        values = [comp.value for comp in clause.comps]
        if values == [ast.Reference("one")]:
            return ast.Number(1), None
        if values in ([ast.Reference("one-or-both")], [ast.Reference("one-or-more")]):
            return ast.AtLeast(ast.Number(1)), None
        if len(values) == 1 and isinstance(values[0], ast.Number) and clause.comps[0].kind == "amount":
            return values[0], None
        if len(values) == 1 and isinstance(values[0], ast.Reference) and values[0].role == "one":
            that = values[0].filters[0]
            action = that.event.action if isinstance(that, ast.That) and that.negated else None
            if isinstance(action, ast.Action) and action.verb == "choose" and isinstance(that, ast.That):
                return ast.Number(1), "this-turn" if that.window == ast.ThisTurn() else "ever"
        raise Refused("choose how many?")

    def _branches(self, clause: Clause, items: tuple[Item, ...]) -> Step:
        values = [comp for comp in clause.comps if comp.kind == "based-on"]
        if clause.verbs[0].lemma != "do" or len(values) != 1 or len(clause.comps) != 1:
            raise Refused("a list of what?")
        value = values[0].value
        cases = []
        for item in items:
            if item.case is None:
                raise Refused("a list has one form")
            cases.append(ast.Case(item.case, self.body(item.sentences)))
        if not isinstance(value, ast.StatOf) or value.stat not in ("domain", "type"):
            raise Refused("based on what?")
        return ast.BranchOn(value.stat, value.of, tuple(cases))  # type: ignore[arg-type]


def out_of_phase(effect: Any) -> tuple[Any, Any]:
    """Take "on your turn" from an effect: the condition that it is that turn, and the effect without it."""
    if isinstance(effect, ast.Apply) and isinstance(effect.duration, ast.During) and not effect.next_only:
        phase = effect.duration
        return ast.InPhase(phase.phase, phase.whose), effect.effect
    for name in ("subject", "what", "source"):
        value = getattr(effect, name, None)
        if not isinstance(value, ast.Objects):
            continue
        for f in value.filters:
            if isinstance(f, ast.That) and isinstance(f.window, ast.During) and f.gap == "object":
                filters = tuple(replace(g, window=None) if g is f else g for g in value.filters)
                bare = replace(effect, **{name: replace(value, filters=filters)})
                return ast.InPhase(f.window.phase, f.window.whose), bare
    return None, effect


def _at_the_place(effects: Effects, condition: Any) -> Any:
    """Read "can be played to a battlefield if a unit is alone there" as a description of the battlefield."""
    if len(effects) != 1 or not isinstance(effects[0], ast.Permit) or not _speaks_of_there(condition):
        return None
    action = effects[0].action
    if not isinstance(action.to, ast.Objects):
        return None
    to = replace(action.to, filters=(*action.to.filters, ast.Where(condition)))
    return Effects((replace(effects[0], action=replace(action, to=to)),))


def _speaks_of_there(node: Any) -> bool:
    if isinstance(node, ast.There):
        return True
    if isinstance(node, ast.Node):
        return any(_speaks_of_there(getattr(node, f.name)) for f in fields(node))
    return isinstance(node, tuple) and any(_speaks_of_there(part) for part in node)


def _only_skips(core: Core | None) -> bool:
    """Tell whether a sentence says no more than "skip", before it is said what."""
    if core is None or core.purpose is not None or len(core.doing.clauses) != 1:
        return False
    clause = core.doing.clauses[0]
    return clause.mood == "imperative" and not clause.comps and [v.lemma for v in clause.verbs] == ["skip"]


def _begins_or_ends(moment: ast.Moment) -> ast.Event:
    """Give "at the start of combat" as that a combat begins: there are many of them."""
    if moment.phase not in ("combat", "showdown") or moment.whose is not None or moment.which is not None:
        return ast.Event(moment)
    one = ast.Objects(ast.Quantity("exactly", ast.Number(1)), (moment.phase,))
    return ast.Event(ast.Action("begin" if moment.edge == "start" else "end", one))


def _is_moment(ability: Any) -> bool:
    return isinstance(ability, ast.TriggeredAbility) and isinstance(ability.events[0].action, ast.Moment)


def _prevents(made: Any) -> bool:
    """Tell whether an instruction prevents what would happen, whatever it does besides."""
    while isinstance(made, ast.May | ast.PayTo | ast.Sequence):
        made = made.steps[0] if isinstance(made, ast.Sequence) else made.body
    return isinstance(made, ast.Action) and made.verb == "prevent"


def _once_known(condition: Any, body: Any) -> Any:
    """ "If this kills it, draw 1": what a text's damage kills is known when the text is over (323.5, 428.5.c).

    What it says to do then is a reflexive trigger, with the words "do this:" or without them (387).
    """
    told = condition.event.action if isinstance(condition, ast.Happened) else None
    if not isinstance(told, ast.Action) or told.verb != "kill" or not isinstance(told.subject, ast.Self):
        return body
    if condition.negated or condition.window is not None or condition.count is not None:
        return body
    return body if isinstance(body, ast.Reflexive) else ast.Reflexive(body)


def _redundant(made: Step) -> Step:
    """Mark changes as given only where they are not there already."""
    effect = made[0] if isinstance(made, Effects) and len(made) == 1 else None
    if isinstance(effect, ast.Modify):
        gains = [change for change in effect.changes if isinstance(change, ast.Gains)]
        if len(gains) == len(effect.changes):
            changes = tuple(replace(change, redundant=True) for change in gains)
            return Effects((replace(effect, changes=changes),))
    raise Refused("already what?")


def _both(first: Any, second: Any) -> Any:
    if first is None:
        return second
    if second is None:
        return first
    parts: list[Any] = []
    for condition in (first, second):
        parts.extend(condition.conditions if isinstance(condition, ast.AllOf) else (condition,))
    return ast.AllOf(tuple(parts))


def denied(condition: Any) -> Any:
    """Give a condition that holds where another does not."""
    if (
        isinstance(condition, ast.Compare)
        and condition.op in ("<=", ">=")
        and isinstance(condition.right, ast.Number)
    ):
        step = 1 if condition.op == "<=" else -1
        op = ">=" if condition.op == "<=" else "<="
        return replace(condition, op=op, right=ast.Number(condition.right.value + step))
    if isinstance(condition, ast.Compare) and condition.op in _OPPOSITES:
        return replace(condition, op=_OPPOSITES[condition.op])
    if isinstance(condition, ast.AllOf | ast.AnyOf):
        kind = ast.AnyOf if isinstance(condition, ast.AllOf) else ast.AllOf
        return kind(tuple(denied(part) for part in condition.conditions))
    if hasattr(condition, "negated"):
        return replace(condition, negated=not condition.negated)
    raise Refused("unless what?")


def _all(conditions: Any) -> Any:
    made = None
    for condition in conditions:
        made = _both(made, condition)
    return made


def _with_number(clause: Clause, number: int) -> Clause:
    del number
    return clause


def _partly_prevented(made: Step) -> ast.PreventDamage | None:
    """Give what prevents a part of the damage that is spoken of, if a step is that."""
    effect = made[0] if isinstance(made, Effects) and len(made) == 1 else None
    if isinstance(effect, ast.PreventDamage) and effect.each and effect.to is None and effect.source is None:
        return effect
    return None


def _is_magic(source: ast.Objects) -> bool:
    return set(source.nouns) <= {"spell", "ability", "effect"}


def _as_cost(made: Any) -> ast.Cost:
    """Give instructions as what is paid, one after the other."""
    parts: list[Any] = []
    for step in made.steps if isinstance(made, ast.Sequence) else (made,):
        if not isinstance(step, ast.Action):
            raise Refused("this is no cost")
        if step.verb == "pay" and isinstance(step.object, ast.Cost):
            parts.extend(step.object.parts)
        else:
            parts.append(step)
    return ast.Cost(tuple(parts))


def _is_one_other(who: Any) -> bool:
    """Tell whether a player is one other than you: "an opponent", or "they" of whom was spoken."""
    if not isinstance(who, ast.Player) or who == YOU or who.which.startswith("each"):
        return False
    return who.which == "they" or is_single(who) is not False


def _offers_more(core: Core | None) -> bool:
    """Tell whether a sentence says that more may be paid: ``you may pay an additional [1]``."""
    if core is None or core.purpose is not None or len(core.doing.clauses) != 1:
        return False
    clause = core.doing.clauses[0]
    pays = bool(clause.verbs) and clause.verbs[0].lemma == "pay"
    return pays and any(comp.kind == "additional-mana" for comp in clause.comps)


def _without_instead(core: Core) -> tuple[Core, bool]:
    """Take the one "instead" out of a sentence."""
    found = False
    seqs: list[Seq | None] = []
    for seq in (core.doing, core.purpose):
        if seq is None:
            seqs.append(None)
            continue
        clauses = []
        for clause in seq.clauses:
            comps = tuple(comp for comp in clause.comps if comp.kind != "instead")
            if len(comps) != len(clause.comps):
                if found or len(clause.comps) - len(comps) > 1:
                    raise Refused("instead is said twice")
                found = True
                clause = replace(clause, comps=comps)
            clauses.append(clause)
        seqs.append(replace(seq, clauses=tuple(clauses)))
    doing = seqs[0]
    assert doing is not None
    return Core(doing, seqs[1]), found


def standing_permission(made: Any) -> Any:
    """``You may play me to an open battlefield`` allows what the rules do not; it tells nobody to do it."""
    if not isinstance(made, ast.May) or made.who != YOU or not isinstance(made.body, ast.Action):
        return None
    action = made.body
    if action.verb == "play" and action.object == ast.Self():
        return ast.Permit(action)
    if action.verb in ("hide", "ambush"):
        return ast.Permit(action)
    return None


_LEADS: dict[str, Callable[..., Step]] = {
    "then": SentenceBuilder._on_then,
    "otherwise": SentenceBuilder._on_otherwise,
    "if": SentenceBuilder._on_if,
    "while": SentenceBuilder._on_while,
    "when": SentenceBuilder._on_when,
    "as": SentenceBuilder._on_as,
    "additional-cost": SentenceBuilder._on_additional_cost,
    "next-time": SentenceBuilder._on_next_time,
    "nth-time": SentenceBuilder._on_nth_time,
    "moment": SentenceBuilder._on_moment,
    "once": SentenceBuilder._on_once,
    "for": SentenceBuilder._on_for,
    "duration": SentenceBuilder._on_duration,
    "starting": SentenceBuilder._on_starting,
    "do-this": SentenceBuilder._on_do_this,
    "instead": SentenceBuilder._on_instead,
}


_TAILS: dict[str, Callable[[SentenceBuilder, Tail, Step], Step]] = {
    "if": SentenceBuilder._tail_if,
    "even-if": SentenceBuilder._tail_even_if,
    "after": SentenceBuilder._tail_after,
    "as": SentenceBuilder._tail_as,
    "while-doing": SentenceBuilder._tail_while_doing,
    "while": SentenceBuilder._tail_while,
    "unless": SentenceBuilder._tail_unless,
    "unless-has": SentenceBuilder._tail_unless_has,
    "unless-or-has": SentenceBuilder._tail_unless_or_has,
    "next-time": SentenceBuilder._tail_next_time,
    "vice-versa": SentenceBuilder._tail_vice_versa,
}
