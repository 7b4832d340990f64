"""What clauses and sequences of clauses mean: an instruction or continuous effects."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused, give_span
from rulewright.language.reading.complements import ends_in_clause
from rulewright.language.reading.conditions import ConditionBuilder
from rulewright.language.reading.effects import EFFECTS, Meaning, take
from rulewright.language.reading.frames import is_single
from rulewright.language.reading.parts import (
    Clause,
    Comp,
    Core,
    Next,
    Placed,
    Seq,
    They,
    VerbForm,
)


class MeaningBuilder(ConditionBuilder):
    """Clauses read as what the sentence around them needs."""

    # ------------------------------------------------------------------------------------- one clause

    def meaning(self, clause: Clause) -> tuple[Meaning, ...]:
        """Give the instructions or effects that a clause states, one for each of its verbs."""
        who = clause.subject
        if isinstance(who, Placed) and isinstance(who.what, ast.Player) and who.what.which.startswith("each"):
            # "Each opponent who controls a unit discards 1": each of them for whom it is so.
            if clause.aux not in (None, "may") or clause.voice != "active":
                raise Refused("no such player")
            body = self.meaning(replace(clause, subject=They()))
            if any(isinstance(made, EFFECTS) for made in body):
                raise Refused("no such player")
            return (ast.ForEach(self.players_who(who), flat(body)),)
        if clause.voice == "is":
            return (self._being(clause),)
        if clause.voice == "also":
            return (self._counts_as(clause),)
        if clause.voice in ("there", "ellipsis", "progressive") or clause.mood == "perfect":
            raise Refused("this tells something and does nothing")
        if clause.past:
            raise Refused("this is past")
        meanings = [self._one(replace(clause, verbs=(verb,))) for verb in clause.verbs]
        if clause.span is not None:
            give_span(tuple(meanings), clause.span)
        if len(meanings) > 1 and not all(isinstance(made, EFFECTS) for made in meanings):
            return (ast.ChooseMode(ast.Number(1), tuple(meanings)),)
        # "Can't attack or defend": each of them holds.
        return tuple(meanings)

    def players_who(self, who: Placed) -> ast.PlayersWho:
        """Give the players of whom what stands behind them is true."""
        filters: list[Any] = []
        for post in who.posts:
            they = ast.Player("they")
            if post.kind == "rel" and post.value[0] in ("did", "did-not", "where"):
                filters.extend(self._relative(post.value, ("player",)))
                continue
            if post.kind == "rel" and post.value[0] == "subject":
                told = post.value[1]
                chosen = self.vocabulary.frames["choose"] if told.verbs[0].lemma == "choose" else None
                if chosen is not None and not told.past:
                    filters.extend(self._relative(post.value, ("player",)))
                    continue
                condition = self.condition_of(replace(told, subject=they))
            elif post.kind == "with-more":
                has = (VerbForm("have", "base"),)
                condition = self.condition_of(Clause(they, has, (Comp("compared", post.value),)))
            elif post.kind == "with":
                has = (VerbForm("have", "base"),)
                condition = self.condition_of(Clause(they, has, (Comp("np", post.value),)))
            else:
                raise Refused("no such player")
            filters.append(ast.Where(condition))
        return ast.PlayersWho(who.what, tuple(filters))

    def _one(self, clause: Clause) -> Meaning:
        if clause.aux == "may" and not clause.negated and clause.voice == "active":
            return self._may(clause)
        return self._stated(clause)

    def _may(self, clause: Clause) -> Meaning:
        if isinstance(clause.subject, ast.Self | ast.Objects):
            return ast.Permit(self.action(replace(clause, aux=None), event=True))
        who = self.player(clause.subject, "choose")
        if not isinstance(who, ast.Player | ast.Group):
            raise Refused("who may?")
        plain = replace(clause, aux=None, mood="imperative", subject=None if who == YOU else who)
        if clause.predicate is not None:
            # "You may have an opponent draw 1": somebody else does it.
            plain = replace(plain, subject=clause.predicate[1], mood="finite", predicate=None)
        duration, rest = take(plain.comps, "duration")
        if duration == ast.ThisTurn() and plain.verbs[0].lemma == "play":
            return ast.Apply(ast.Permit(self.action(replace(plain, comps=rest))), duration)
        made = self._stated(plain)
        return ast.May(who, ast.Apply(made) if isinstance(made, ast.Enters) else made)

    def _stated(self, clause: Clause) -> Meaning:
        duration, moment, comps = None, None, []
        counted = any(
            before.kind == "per-event" and comp.kind == "duration"
            for before, comp in itertools.pairwise(clause.comps)
        )
        if counted and clause.verbs[0].lemma != "deal":
            raise Refused("the time belongs to the clause before it")
        for comp in clause.comps:
            if comp.kind == "duration" and not isinstance(comp.value, str):
                if duration is not None:
                    raise Refused("the time is said twice")
                duration = comp.value
            elif comp.kind == "moment":
                if moment is not None:
                    raise Refused("the time is said twice")
                moment = comp.value
            else:
                comps.append(comp)
        of, rest = take(tuple(comps), "instead-of")
        if isinstance(of, Clause):
            body = self._stated(replace(clause, comps=rest))
            return ast.InPlaceOf(body, self.action(of))
        bare = replace(clause, comps=tuple(comps))
        if isinstance(clause.subject, Next) and clause.aux is not None:
            # "The next unit you play can be played here": an effect for one object only.
            effect = self._stated(replace(bare, subject=clause.subject.what))
            if isinstance(effect, EFFECTS):
                effect = ast.Apply(effect)
            if not isinstance(effect, ast.Apply):
                raise Refused("the next one of what?")
            return replace(effect, duration=duration or effect.duration, next_only=True)
        special = _CHANGES.get(clause.verbs[0].lemma)
        made = special(self, bare) if special is not None else None
        if made is None:
            made = self._action_meaning(bare)
        if isinstance(made, EFFECTS):
            made = self._timed(made, duration, clause)
        elif isinstance(made, ast.Apply | ast.CreateAbility) and duration is not None:
            if isinstance(made, ast.CreateAbility) and duration not in (ast.ThisTurn(), ast.ThisCombat()):
                raise Refused("until when?")
            made = replace(made, duration=duration)
        elif duration is not None:
            made = self._for_a_time(made, duration)
        if moment is not None:
            made = self._later(made, moment)
        return made

    def _for_a_time(self, made: Meaning, duration: Any) -> ast.Apply:
        """``Take control of a unit this turn``: it is controlled for that time."""
        control = isinstance(made, ast.Action) and made.verb == "take-control" and not made.manner
        if not control or not (duration == ast.ThisTurn() or isinstance(duration, ast.UntilEvent)):
            raise Refused("this takes no time")
        who = made.subject or YOU
        if not isinstance(who, ast.Player):
            raise Refused("who takes control?")
        return ast.Apply(ast.Controls(who, made.object), duration)

    def _timed(self, effect: Meaning, duration: Any, clause: Clause) -> Meaning:
        next_only, effect = _next_of(effect)
        if duration is None or next_only:
            # "The next unit you play this turn has [Tank] this turn": the next one was not played before it was said.
            hoisted, effect = _hoist_window(effect)
            duration = duration or hoisted
            if hoisted is not None and hoisted != duration:
                raise Refused("two times are said")
        if isinstance(duration, ast.ThisTurn) and duration.each:
            raise Refused("each turn?")
        if duration is None and not next_only:
            if clause.mood == "imperative" and clause.verbs[0].lemma in (
                "give",
                "double",
                "swap",
                "increase",
            ):
                return ast.Apply(effect)
            return effect
        return ast.Apply(effect, duration, next_only=next_only)

    def _later(self, made: Meaning, moment: ast.Moment) -> Meaning:
        if isinstance(made, EFFECTS):
            raise Refused("this takes no time")
        return ast.CreateAbility(ast.TriggeredAbility((ast.Event(moment),), made), once=True)

    def _action_meaning(self, clause: Clause) -> Meaning:
        aux = clause.aux
        plain = replace(clause, aux=None, negated=False)
        if clause.verbs[0].lemma == "recall" and aux is None and Comp("state", "exhausted") in clause.comps:
            return self._recalled_exhausted(plain, clause)
        if aux is None:
            if clause.negated:
                raise Refused("the auxiliary is missing")
            return self._checked(self.action(plain), clause)
        return self._with_modal(clause, plain, aux)

    def _recalled_exhausted(self, plain: Clause, clause: Clause) -> Meaning:
        """``Recall it exhausted``: two things are done to it (458: a recall leaves its state as it was)."""
        comps = tuple(comp for comp in plain.comps if comp != Comp("state", "exhausted"))
        recall = self._checked(self.action(replace(plain, comps=comps)), clause)
        if not isinstance(recall.object, ast.Reference | ast.Self):
            raise Refused("one thing is done to what is chosen")
        return flat((replace(recall, verb="exhaust"), recall))

    def _with_modal(self, clause: Clause, plain: Clause, aux: str) -> Meaning:
        if aux in ("may", "can") and not clause.negated:
            if aux == "may" and clause.voice == "passive" and isinstance(clause.subject, ast.Self):
                # "I may be moved with it": you may move me with it.
                active = replace(plain, voice="active", subject=None, mood="imperative")
                return ast.May(
                    YOU, self.action(replace(active, comps=(Comp("np", clause.subject), *clause.comps)))
                )
            return ast.Permit(self.action(plain, event=True))
        if aux in ("can", "do") and clause.negated:
            until, rest = take(plain.comps, "until-moment")
            if until is not None and (not isinstance(until, ast.Moment) or until.which in (None, "next")):
                raise Refused("until when?")
            action = self.action(replace(plain, comps=rest), event=True)
            if until is not None:
                until = ast.Moment("start", until.phase, until.whose, until.which)
            return ast.Forbid(action, until)
        times, rest = take(plain.comps, "times")
        if aux == "can-only" and times is not None:
            # "Opponents can only [Ambush] at any time they could play cards with [Action]": then, and at no other time.
            narrowed = self.action(replace(plain, comps=rest), event=True)
            return ast.Permit(narrowed, only=True, times=times)
        if aux == "can-only":
            return ast.Permit(self.action(plain, event=True), only=True)
        if aux == "must":
            action = self.action(plain, event=clause.voice == "passive")
            if clause.voice == "passive":
                return ast.Require(action)
            action = self._checked(action, clause)
            return replace(action, manner=tuple(sorted((*action.manner, "must"))))
        raise Refused("this auxiliary says nothing here")

    def _checked(self, action: ast.Action, clause: Clause) -> ast.Action:
        """Refuse as an instruction what only describes: bare plurals, things that do what players do."""
        if clause.voice == "passive":
            raise Refused("somebody must do it")
        if action.verb != "deal" and not isinstance(clause.subject, ast.Player | They | ast.Group | None):
            raise Refused("nobody is told to do this")
        amount = action.object.amount if isinstance(action.object, ast.Resource) else None
        untold = isinstance(amount, ast.AnyAmount) and amount.form == "bare"
        if untold and action.verb in ("gain", "score", "lose", "spend", "pay"):
            raise Refused("how much?")
        for target in (action.object, action.to):
            for part in target.parts if isinstance(target, ast.Group) else (target,):
                if isinstance(part, ast.Objects):
                    self._told(part, action)
        if action.verb in ("control", "have", "be", "own", "need"):
            raise Refused("this tells something and does nothing")
        if action.verb in (
            "attack",
            "defend",
            "die",
            "conquer",
            "hold",
            "trigger",
            "leave",
            "begin",
            "end",
            "enter",
            "become",
        ):
            raise Refused("nobody can be told to do this")
        return action

    def _told(self, target: ast.Objects, action: ast.Action) -> None:
        rule = target.quantity.rule
        owned = any(isinstance(f, ast.ControlledBy | ast.AttachedTo) for f in target.filters)
        free = owned or action.until is not None or "split" in action.manner
        if rule == "all" and target.quantity.form == "bare" and not free:
            raise Refused("it is not said how many")
        if rule in ("at-least", "at-most", "none", "exact") or (
            rule == "any" and action.verb not in ("choose", "play")
        ):
            raise Refused("no such number is done")

    # --------------------------------------------------------------------------------------- sequences

    def core(self, children: list[Any]) -> Core:
        return Core(children[0])

    def core_purpose(self, children: list[Any]) -> Core:
        comps = children[0].clauses[-1].comps
        if comps and ends_in_clause(comps[-1].value):
            raise Refused("this belongs to the clause before it")
        return Core(children[0], children[1])

    def seq(self, children: list[Any]) -> Seq:
        return Seq((children[0],))

    def seq_more(self, children: list[Any]) -> Seq:
        seq, separator, clause = children
        return Seq((*seq.clauses, clause), (*seq.separators, separator))

    def sep_comma(self, _: list[Any]) -> str:
        return ","

    def sep_and(self, _: list[Any]) -> str:
        return "and"

    def sep_then(self, _: list[Any]) -> str:
        return "then"

    def sep_or(self, _: list[Any]) -> str:
        return "or"

    def filled(self, seq: Seq, subject: Any = None, aux: str | None = None) -> tuple[Clause, ...]:
        """Give the clauses with what they leave out taken from the one before: subject, verb."""
        _check_separators(seq.separators)
        filled: list[Clause] = []
        for index, clause in enumerate(seq.clauses):
            if clause.mood == "caused":
                clause = replace(clause, mood="finite")
            if clause.mood == "goes-on":
                if not filled or is_single(filled[-1].subject) is not True:
                    raise Refused("who does this?")
                clause = replace(clause, subject=filled[-1].subject, mood="finite")
            elif clause.mood in ("gapped", "gapped-changes"):
                wanted = "then" if clause.mood == "gapped-changes" else "and"
                if not filled or seq.separators[index - 1] != wanted:
                    raise Refused("a verb is missing")
                clause = _ungapped(clause, filled[-1])
            elif (
                clause.mood == "imperative"
                and filled
                and filled[-1].mood == "finite"
                and filled[-1].subject is not None
            ):
                clause = self._inherits(clause, filled[-1])
            elif clause.mood == "imperative" and index == 0 and subject is not None and subject != YOU:
                clause = replace(clause, subject=subject, mood="finite")
            filled.append(clause)
        return tuple(filled)

    def _inherits(self, clause: Clause, before: Clause) -> Clause:
        subject = before.subject
        if before.aux in ("may", "must", "can"):
            if subject == YOU and before.aux == "may":
                return clause
            return replace(clause, subject=subject, mood="finite", aux=None)
        if before.voice != "active" or before.aux is not None:
            raise Refused("who does this?")
        if clause.verbs[0].form == "base" and is_third(before):
            # "It deals 2 to a unit, then exhaust it": the form of the verb tells that another does this, and it is you.
            return clause
        return replace(clause, subject=subject, mood="finite")

    def instruction(self, core: Core, subject: Any = None) -> Meaning:
        """Give the instruction or effects that the core of a sentence states."""
        if core.purpose is not None:
            return self._pay_to(core)
        clauses = self.filled(core.doing, subject)
        return self._joined(clauses, core.doing.separators)

    def _joined(self, clauses: tuple[Clause, ...], separators: tuple[str, ...]) -> Meaning:
        if not any(clause.mood == "finite" and clause.aux == "may" for clause in clauses):
            return self._sequence(clauses, separators)
        first = clauses[0]
        if first.aux != "may":
            for index, clause in enumerate(clauses):
                if clause.aux == "may":
                    head = self._sequence(clauses[:index], separators[: index - 1])
                    return flat((head, self._joined(clauses[index:], separators[index:])))
        made = self.meaning(first)
        if not isinstance(made[0], ast.May):
            return self._sequence(clauses, separators)
        who = made[0].who
        if len(clauses) == 1:
            return made[0]
        if separators[0] == "or":
            modes = (made[0].body, *(self._plain(clause) for clause in clauses[1:]))
            return ast.May(who, ast.ChooseMode(ast.Number(1), modes))
        rest = self._sequence(clauses[1:], separators[1:])
        return ast.May(who, flat((made[0].body, rest)))

    def _plain(self, clause: Clause) -> Meaning:
        made = self.meaning(clause)
        return made[0]

    def _sequence(self, clauses: tuple[Clause, ...], separators: tuple[str, ...]) -> Meaning:
        meanings = [meaning for clause in clauses for meaning in self.meaning(clause)]
        if "or" in separators:
            if set(separators) - {"or", ","}:
                raise Refused("and or or?")
            return ast.ChooseMode(ast.Number(1), tuple(meanings))
        if len(meanings) == 1:
            return meanings[0]
        last = meanings[-1]
        timed = (
            bool(clauses[-1].comps) and clauses[-1].comps[-1].kind == "moment" and "then" not in separators
        )
        if timed and isinstance(last, ast.CreateAbility) and isinstance(last.ability, ast.TriggeredAbility):
            # "Lose control of it and recall it at end of turn": the time is of both.
            body = flat((*meanings[:-1], last.ability.body))
            return replace(last, ability=replace(last.ability, body=body))
        if all(isinstance(meaning, EFFECTS) for meaning in meanings):
            return tuple(meanings)
        if any(isinstance(meaning, EFFECTS) for meaning in meanings):
            raise Refused("an effect and an instruction do not go together")
        return flat(meanings)

    def _pay_to(self, core: Core) -> Meaning:
        assert core.purpose is not None
        clauses = self.filled(core.doing)
        before = next((index for index, clause in enumerate(clauses) if clause.aux == "may"), 0)
        if before and "or" not in core.doing.separators:
            # "Stun it and you may pay [1] to draw 1": only what "may" stands before is paid.
            head = self._sequence(clauses[:before], core.doing.separators[: before - 1])
            rest = Seq(clauses[before:], core.doing.separators[before:])
            return flat((head, self._pay_to(Core(rest, core.purpose))))
        first = clauses[0]
        may = first.mood == "finite" and first.aux == "may"
        if len(clauses) == 1 and first.verbs and first.verbs[0].lemma == "cost":
            return self._cost_to(first, core.purpose)
        if len(clauses) == 1 and first.aux == "must" and first.verbs and first.verbs[0].lemma == "pay":
            return self._must_pay(first, core.purpose)
        hidden = self._other_cost(clauses, core.purpose)
        if hidden is not None:
            return hidden
        if not may and first.mood != "imperative" and first.aux != "must":
            raise Refused("what for?")
        who = first.subject if first.mood == "finite" else None
        parts: list[Any] = []
        for clause in clauses:
            if clause.mood == "finite" and clause.subject == who:
                clause = replace(clause, mood="imperative", aux=None, subject=None)
            parts.extend(self.as_cost(clause).parts)
        payer = None if who is None or who == YOU else self.player(who, "pay")
        body = self.instruction(Core(core.purpose), who)
        if isinstance(body, ast.Enters) and core.purpose.clauses[0].mood == "caused":
            body = ast.Apply(body)
        if isinstance(body, (tuple, *EFFECTS)):
            raise Refused("an effect is not paid for")
        made: Meaning = ast.PayTo(ast.Cost(tuple(parts)), body, payer)
        if may:
            return ast.May(payer or YOU, made)
        if first.aux == "must":
            raise Refused("must for what?")
        return made

    def _must_pay(self, clause: Clause, purpose: Seq) -> Meaning:
        """``Opponents must pay [A] for each unit beyond the first to move units to my battlefield``."""
        paid = self.action(replace(clause, aux=None))
        if len(purpose.clauses) != 1 or not isinstance(paid.object, ast.Cost):
            raise Refused("must for what?")
        target = replace(purpose.clauses[0], subject=clause.subject, mood="finite")
        return ast.Require(self.action(target), paid.object, paid.amount)

    def _other_cost(self, clauses: tuple[Clause, ...], purpose: Seq) -> Meaning:
        """``You may pay [1] to hide a card instead of [A]``: one cost may be paid for another."""
        instead, rest = take(purpose.clauses[-1].comps, "instead-of")
        if not isinstance(instead, ast.Cost):
            return None
        first = clauses[0]
        if len(clauses) != 1 or first.aux != "may" or first.subject != YOU or len(purpose.clauses) != 1:
            raise Refused("instead of which cost?")
        cost = self.as_cost(replace(first, mood="imperative", aux=None, subject=None))
        action = self.action(replace(purpose.clauses[0], comps=rest))
        return ast.Permit(action, cost=cost, instead_of=instead)

    def _cost_to(self, clause: Clause, purpose: Seq) -> Meaning:
        if len(purpose.clauses) != 1 or purpose.clauses[0].mood != "imperative":
            raise Refused("costs more for what?")
        target = purpose.clauses[0]
        # "Costs [1] less to play for each unit": the count is of the cost.
        counts = tuple(comp for comp in target.comps if comp.kind in ("per", "minimum"))
        target = replace(target, comps=tuple(comp for comp in target.comps if comp not in counts))
        made = self.meaning(replace(clause, comps=(*clause.comps, *counts)))[0]
        duration, rest = take(target.comps, "duration")
        action = self.action(replace(target, comps=rest), gap="object")
        if isinstance(made, ast.CostChange):
            effect = replace(made, action=action)
            return effect if duration is None else ast.Apply(effect, duration)
        raise Refused("costs more for what?")


def from_s(clause: Clause) -> str | None:
    """Give the form of a clause's first verb, where it has one."""
    return clause.verbs[0].form if clause.verbs else None


def is_third(clause: Clause) -> bool:
    """Tell whether a clause's verb is in the third person."""
    return from_s(clause) == "s"


def flat(meanings: Any) -> Meaning:
    """Join instructions to one sequence, never nested."""
    steps: list[Any] = []
    for meaning in meanings:
        if isinstance(meaning, (tuple, *EFFECTS)):
            raise Refused("an effect and an instruction do not go together")
        if isinstance(meaning, ast.Sequence):
            steps.extend(meaning.steps)
        else:
            steps.append(meaning)
    return steps[0] if len(steps) == 1 else ast.Sequence(tuple(steps))


def _next_of(effect: Any) -> tuple[bool, Any]:
    for name in ("subject", "what", "source"):
        value = getattr(effect, name, None)
        if isinstance(value, Next):
            return True, replace(effect, **{name: value.what})
    return False, effect


def _hoist_window(effect: Any) -> tuple[Any, Any]:
    """Take "this turn" from "units you play this turn": it is how long the effect lasts."""
    if isinstance(effect, ast.Permit) and isinstance(effect.action.object, ast.Objects):
        window, bare = _without_window(effect.action.object)
        return window, replace(effect, action=replace(effect.action, object=bare))
    for name in ("subject", "what", "source"):
        value = getattr(effect, name, None)
        if isinstance(value, ast.Objects):
            window, bare = _without_window(value)
            if window is not None:
                return window, replace(effect, **{name: bare})
    return None, effect


def _without_window(value: ast.Objects) -> tuple[Any, ast.Objects]:
    for index, f in enumerate(value.filters):
        if isinstance(f, ast.That) and f.window == ast.ThisTurn() and f.gap == "object" and not f.negated:
            filters = (*value.filters[:index], replace(f, window=None), *value.filters[index + 1 :])
            return ast.ThisTurn(), replace(value, filters=filters)
    return None, value


def _check_separators(separators: tuple[str, ...]) -> None:
    """A comma alone stands only in a list that ends with a word."""
    pending = 0
    for separator in separators:
        if separator == ",":
            pending += 1
        else:
            pending = 0
    if pending:
        raise Refused("a comma does not end a list")


def _own_place(comp: Comp, before: Clause) -> Comp:
    """Read "mine" as my place, where a place stood in the clause before: "me to its location and it to mine"."""
    if comp.kind != "to" or comp.value[1] != ast.Reference("mine"):
        return comp
    for other in before.comps:
        if other.kind == "to" and isinstance(other.value[1], ast.LocationOf):
            return Comp("to", (comp.value[0], replace(other.value[1], what=ast.Self())))
    raise Refused("mine what?")


def _ungapped(clause: Clause, before: Clause) -> Clause:
    """Fill in the verb of "a unit +2 this turn and another unit -2 this turn"."""
    loose = {"duration", "minimum", "instead", "adverb"}
    kinds = [comp.kind for comp in clause.comps if comp.kind not in loose]
    wanted = [comp.kind for comp in before.comps if comp.kind not in loose]
    if kinds != wanted or not before.verbs:
        raise Refused("a verb is missing")
    comps = tuple(_own_place(comp, before) for comp in clause.comps)
    if not any(comp.kind == "duration" for comp in comps):
        comps = (*comps, *(comp for comp in before.comps if comp.kind == "duration"))
    return replace(before, comps=comps, aux=None if before.aux == "may" else before.aux)


_CHANGES: dict[str, Callable[[MeaningBuilder, Clause], Meaning]] = {
    "have": MeaningBuilder._have,
    "get": MeaningBuilder._have,
    "gain": MeaningBuilder._have,
    "give": MeaningBuilder._give,
    "enter": MeaningBuilder._enter,
    "cost": MeaningBuilder._cost,
    "become": MeaningBuilder._become,
    "double": MeaningBuilder._double,
    "skip": MeaningBuilder._skip,
    "ignore": MeaningBuilder._ignore,
    "swap": MeaningBuilder._swap,
    "increase": MeaningBuilder._increase,
    "reduce": MeaningBuilder._reduce,
    "lose": MeaningBuilder._lose,
    "trigger": MeaningBuilder._trigger,
    "deal": MeaningBuilder._deal,
    "copy": MeaningBuilder._copy,
    "prevent": MeaningBuilder._prevent,
    "control": MeaningBuilder._control,
    "add": MeaningBuilder._add,
    "choose": MeaningBuilder._choose_word,
    "name": MeaningBuilder._name,
}
