"""What clauses mean: instructions, continuous effects, events, conditions and costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused, give_span
from rulewright.language.reading.clauses import EFFECTS, THINGS_DO, ClauseBuilder, ends_in_clause, is_single
from rulewright.language.reading.parts import (
    BareStat,
    Clause,
    Comp,
    Core,
    Next,
    Nth,
    OnlyOne,
    Placed,
    Seq,
    They,
)
from rulewright.language.reading.phrases import amount_from, any_place

Meaning = Any
"""An instruction or a continuous effect."""


class MeaningBuilder(ClauseBuilder):
    """Clauses read as what the sentence around them needs."""

    # ------------------------------------------------------------------------------------- one clause

    def meaning(self, clause: Clause) -> tuple[Meaning, ...]:
        """Give the instructions or effects that a clause states, one for each of its verbs."""
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
        duration, rest = _take(plain.comps, "duration")
        if duration == ast.ThisTurn() and plain.verbs[0].lemma == "play":
            return ast.Apply(ast.Permit(self.action(replace(plain, comps=rest))), duration)
        made = self._stated(plain)
        return ast.May(who, ast.Apply(made) if isinstance(made, ast.Enters) else made)

    def _stated(self, clause: Clause) -> Meaning:
        duration, moment, comps = None, None, []
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
        of, rest = _take(tuple(comps), "instead-of")
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
        elif isinstance(made, ast.Apply) and duration is not None:
            made = replace(made, duration=duration)
        elif duration is not None:
            raise Refused("this takes no time")
        if moment is not None:
            made = self._later(made, moment)
        return made

    def _timed(self, effect: Meaning, duration: Any, clause: Clause) -> Meaning:
        next_only, effect = _next_of(effect)
        if duration is None:
            hoisted, effect = _hoist_window(effect)
            duration = hoisted
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
            until, rest = _take(plain.comps, "until-moment")
            if until is not None and (not isinstance(until, ast.Moment) or until.which in (None, "next")):
                raise Refused("until when?")
            action = self.action(replace(plain, comps=rest), event=True)
            if until is not None:
                until = ast.Moment("start", until.phase, until.whose, until.which)
            return ast.Forbid(action, until)
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

    # ------------------------------------------------------------------------------ continuous effects

    def _have(self, clause: Clause) -> Meaning:
        if clause.aux == "can" and not clause.negated and clause.verbs[0].lemma == "have":
            return self._buff_limit(clause)
        if clause.verbs[0].lemma == "gain" and not any(comp.kind == "changes" for comp in clause.comps):
            return self._have_noun(clause)
        if clause.aux is not None or clause.negated or clause.voice != "active":
            raise Refused("no such effect")
        changes, rest = _take(clause.comps, "changes")
        per, rest = _take(rest, "per")
        minimum, rest = _take(rest, "minimum")
        if changes is None:
            return self._have_noun(clause)
        if clause.subject is None:
            raise Refused("who has this?")
        if clause.comps[0].kind == "place":
            raise Refused("a place stands behind what is had there")
        rest = tuple(comp for comp in rest if comp.kind != "each")
        subject = self._modified(clause.subject)
        places = [comp for comp in rest if comp.kind == "place" and isinstance(comp.value, ast.At)]
        if len(places) == 1 == len(rest) and isinstance(subject, ast.Objects):
            subject = replace(subject, filters=(*subject.filters, places[0].value))
            rest = ()
        if rest:
            raise Refused("no such effect")
        return ast.Modify(subject, self._adjusted(changes, per, minimum))

    def _have_noun(self, clause: Clause) -> Meaning:
        changed = self._have_changed(clause)
        if changed is not None:
            return changed
        if clause.verbs[0].lemma == "gain" and len(clause.comps) == 1:
            value = clause.comps[0].value
            if isinstance(value, ast.Reference) and value.nouns == ("tag",):
                return ast.Apply(ast.Modify(self._modified(clause.subject), (ast.Gains(value),)))
        if clause.verbs[0].lemma == "gain":
            return None
        if clause.verbs[0].lemma == "have" and len(clause.comps) == 1:
            value = clause.comps[0].value
            if isinstance(value, ast.AbilityText) and value.quantity == ast.Quantity("all"):
                return ast.Modify(self._modified(clause.subject), (ast.Gains(value),))
        raise Refused("having this is no effect")

    def _have_changed(self, clause: Clause) -> Meaning:
        """``Units here have their Might increased to 5``: the same as that their Might is increased."""
        value, rest = _take(clause.comps, "np")
        if rest or not isinstance(value, Placed) or not isinstance(value.what, ast.StatOf):
            return None
        post = value.posts[0]
        said = post.value[1] if post.kind == "rel" and len(value.posts) == 1 else None
        if not isinstance(said, Clause) or said.verbs[0].lemma not in ("increase", "reduce", "double"):
            raise Refused("no such effect")
        if value.what.of not in (ast.Reference("them"), ast.Reference("it"), clause.subject):
            raise Refused("whose figure is it?")
        duration, comps = _take(said.comps, "duration")
        subject = self._modified(clause.subject)
        if said.verbs[0].lemma == "double" and not comps and value.what.stat == "might":
            effect: Meaning = ast.Modify(subject, (ast.MightDoubled(),))
        else:
            stat = replace(value.what, of=subject)
            effect = self._changed_by(replace(said, subject=stat, comps=comps), said.verbs[0].lemma)
        return effect if duration is None else ast.Apply(effect, duration)

    def _buff_limit(self, clause: Clause) -> Meaning:
        values = [comp.value for comp in clause.comps]
        if len(values) == 1 and isinstance(values[0], ast.Resource) and values[0].kind == "buff":
            return ast.BuffLimit(self._modified(clause.subject), values[0].amount)
        raise Refused("no such effect")

    def _adjusted(self, changes: tuple[Any, ...], per: Any, minimum: Any) -> tuple[Any, ...]:
        made = []
        for change in changes:
            if isinstance(change, ast.MightChange):
                if per is not None:
                    change = replace(change, amount=ast.Times(change.amount, self.per_each(per)))
                if minimum is not None:
                    if not change.minus or isinstance(minimum, ast.Cost):
                        raise Refused("only what shrinks has a minimum")
                    change = replace(change, minimum=minimum)
            made.append(change)
        if (per is not None or minimum is not None) and not any(
            isinstance(c, ast.MightChange) for c in changes
        ):
            raise Refused("this has no number")
        if len(set(made)) != len(made):
            raise Refused("this is said twice")
        return tuple(made)

    def per_each(self, value: Any) -> Any:
        """Give how often something counts: once for each of what a phrase names."""
        if isinstance(value, ast.Objects) and value.quantity.rule == "each":
            return ast.CountOf(replace(value, quantity=ast.Quantity("all")))
        if isinstance(value, Placed) and isinstance(value.what, ast.Resource):
            return self._per_resource(value)
        if isinstance(value, ast.Reference) and value.role == "each":
            return ast.CountOf(value)
        if isinstance(value, ast.TagCount):
            return value
        if (
            isinstance(value, Placed)
            and isinstance(value.what, ast.Objects)
            and value.what.quantity.rule == "each"
        ) and [post.kind for post in value.posts] == ["beyond"]:
            beyond = ast.HasState("beyond-first")
            filters = (*value.what.filters, beyond)
            return ast.CountOf(replace(value.what, quantity=ast.Quantity("all"), filters=filters))
        raise Refused("for each of what?")

    def _per_resource(self, value: Placed) -> Any:
        resource, posts = value.what, value.posts
        if len(posts) != 1 or posts[0].kind != "rel" or resource.amount != ast.Number(1):
            raise Refused("for each of what?")
        gap, clause = posts[0].value
        verb = clause.verbs[0].lemma
        if resource.kind == "buff" and verb == "have" and not clause.comps:
            return ast.StatOf("buffs", self.selector(clause.subject))
        if resource.kind in ("energy", "power") and verb == "cost" and not clause.comps:
            return ast.StatOf(f"{resource.kind}-cost", self.selector(clause.subject))
        that = self._that(clause, gap)
        counted = replace(that.event.action, object=resource)
        return ast.EventCount(ast.Event(counted), that.window)

    def _modified(self, subject: Any) -> Any:
        """Give whose characteristics change."""
        if isinstance(subject, Next):
            return subject
        if subject is None or isinstance(
            subject, ast.Player | ast.StatOf | ast.Cost | ast.Resource | ast.Zone
        ):
            raise Refused("this has no such characteristic")
        if isinstance(subject, ast.Group) and any(isinstance(part, ast.Player) for part in subject.parts):
            raise Refused("this has no such characteristic")
        return self.selector(subject)

    def _give(self, clause: Clause) -> Meaning:
        if clause.mood != "imperative":
            return self._gives(clause)
        kinds = [comp.kind for comp in clause.comps]
        if "to" not in kinds and kinds[:1] == ["changes"]:
            raise Refused("give to whom?")
        changes, rest = _take(clause.comps, "changes")
        per, rest = _take(rest, "per")
        minimum, rest = _take(rest, "minimum")
        if changes is None and len(rest) == 2 and all(comp.kind == "np" for comp in rest):
            changes, rest = self._given_noun(rest)
        if changes is None:
            raise Refused("give what?")
        each = any(comp.kind == "each" for comp in rest)
        rest = tuple(comp for comp in rest if comp.kind != "each")
        to, rest = _take(rest, "to")
        target, rest = _take(rest, "np") if to is None else (to[1], rest)
        if rest or target is None or (to is not None and to[0] != "to"):
            raise Refused("give to whom?")
        target = self._modified(target)
        if isinstance(target, ast.Objects):
            many = target.quantity.rule in ("exactly", "up-to") and target.quantity.amount not in (
                None,
                ast.Number(1),
            )
            if (each and not many) or target.quantity.rule in ("at-least", "at-most", "none", "exact"):
                raise Refused("each of how many?")
        elif each and not isinstance(target, ast.Group):
            raise Refused("each of how many?")
        return ast.Modify(target, self._adjusted(changes, per, minimum))

    def _given_noun(self, rest: tuple[Comp, ...]) -> tuple[Any, tuple[Comp, ...]]:
        value = rest[1].value
        if isinstance(value, ast.Objects) and value.nouns == ("keyword",):
            return (ast.Gains(ast.AbilityText("keyword", value.filters[0].host)),), rest[:1]  # type: ignore[union-attr]
        raise Refused("give what?")

    def _gives(self, clause: Clause) -> Meaning:
        comps = tuple(comp for comp in clause.comps if comp.kind != "each")
        changes, rest = _take(comps, "changes")
        if changes is None and len(rest) == 1 and isinstance(rest[0].value, ast.Times):
            times = rest[0].value
            if isinstance(times.times, ast.StatOf):
                return ast.Modify(
                    self._modified(clause.subject), (ast.StatFactor(times.times.stat, times.amount),)
                )
        if changes is not None and not rest and clause.aux is None:
            return ast.Modify(ast.HostOf(self._modified(clause.subject)), changes)
        to, rest = _take(rest, "to")
        if changes is not None and to is not None and not rest and isinstance(clause.subject, Placed):
            bearer = self._modified(to[1])
            if clause.subject.what == ast.Resource("buff", ast.AnyAmount()) and isinstance(
                bearer, ast.Objects
            ):
                amount = ast.StatOf("buffs", bearer)
                first = changes[0]
                return ast.Modify(
                    bearer, (replace(first, amount=ast.Times(first.amount, amount)), *changes[1:])
                )
        raise Refused("no such effect")

    def _enter(self, clause: Clause) -> Meaning:
        if clause.aux is not None or clause.mood != "finite" or clause.voice != "active":
            raise Refused("no such effect")
        state, rest = _take(clause.comps, "state")
        place, rest = _take(rest, "place")
        if rest or (state is None and place is None):
            raise Refused("enters how?")
        if place is not None and not isinstance(place, ast.At):
            raise Refused("enters from nowhere")
        return ast.Enters(self._modified(clause.subject), state, place.place if place is not None else None)

    def _cost(self, clause: Clause) -> Meaning:
        less, rest = _take(clause.comps, "less")
        more, rest = _take(rest, "more")
        per, rest = _take(rest, "per")
        minimum, rest = _take(rest, "minimum")
        if rest or (less is None) == (more is None) or clause.aux is not None or clause.negated:
            raise Refused("costs how much?")
        if minimum is not None and (less is None or not isinstance(minimum, ast.Cost)):
            raise Refused("only what shrinks has a minimum")
        what = self._costly(clause.subject)
        change, cost = ("less", less) if less is not None else ("more", more)
        per_amount = None if per is None else self.per_each(per)
        return ast.CostChange(what, change, cost, "cost", per_amount, minimum)

    def _costly(self, subject: Any) -> Any:
        if (
            isinstance(subject, Placed)
            and isinstance(subject.what, ast.Objects)
            and "cost" in subject.what.nouns
        ):
            raise Refused("this costs nothing")
        return self._modified(subject)

    def _become(self, clause: Clause) -> Meaning:
        if isinstance(clause.subject, ast.StatOf):
            return self._becomes_figure(clause, clause.subject)
        if len(clause.comps) != 1 or clause.comps[0].kind != "np" or clause.mood != "finite":
            raise Refused("becomes what?")
        value = clause.comps[0].value
        if isinstance(value, ast.Objects) and value.nouns == ("copy",) and len(value.filters) == 1:
            of = value.filters[0]
            if isinstance(of, ast.CopyOf):
                return ast.Apply(ast.Modify(self._modified(clause.subject), (ast.BecomesCopy(of.what),)))
        raise Refused("becomes what?")

    def _becomes_figure(self, clause: Clause, stat: ast.StatOf) -> Meaning:
        """``Its Might becomes 1``, ``its Might becomes 4 [M]`` (477.1.a.1)."""
        comps = tuple(comp for comp in clause.comps if comp.value != BareStat("might"))
        if len(comps) != 1 or stat.stat != "might" or clause.aux is not None or clause.voice != "active":
            raise Refused("becomes what?")
        comp = comps[0]
        if comp.kind not in ("amount", "equal", "np"):
            raise Refused("becomes what?")
        return ast.Modify(self._modified(stat.of), (ast.MightSet(amount_from(comp.value)),))

    def _double(self, clause: Clause) -> Meaning:
        if len(clause.comps) != 1:
            raise Refused("double what?")
        value = clause.comps[0].value
        if isinstance(value, ast.StatOf) and value.stat == "might":
            return ast.Modify(self._modified(value.of), (ast.MightDoubled(),))
        if isinstance(value, Placed) and isinstance(value.what, ast.Resource):
            return self._double_damage(value)
        raise Refused("double what?")

    def _double_damage(self, value: Placed) -> Meaning:
        kinds = [post.kind for post in value.posts]
        if kinds != ["all", "rel"] or value.posts[0].value:
            raise Refused("double what?")
        gap, clause = value.posts[1].value
        if gap != "object" or clause.aux != "would" or clause.verbs[0].lemma != "deal":
            raise Refused("double what?")
        to, rest = _take(clause.comps, "to")
        duration, rest = _take(rest, "duration")
        if rest or to is None:
            raise Refused("dealt to what?")
        effect = ast.DamageFactor(self.selector(to[1]), ast.Number(2))
        return effect if duration is None else ast.Apply(effect, duration)

    def _ignore(self, clause: Clause) -> Meaning | None:
        doing, rest = _take(clause.comps, "while-doing")
        if doing is None:
            return None
        gains, rest = _take(rest, "changes")
        place, rest = _take(rest, "place")
        found = [change.what for change in gains or () if isinstance(change, ast.Gains)]
        keywords = tuple(keyword for keyword in found if isinstance(keyword, ast.Keyword))
        if rest or not keywords or len(keywords) != len(gains):
            raise Refused("ignore what?")
        who = YOU if clause.subject is None else self.player(clause.subject, "choose")
        verb, what = doing
        if not isinstance(who, ast.Player) or clause.aux is not None or clause.negated:
            raise Refused("who ignores it?")
        if verb == "pay" and isinstance(what, ast.StatOf) and what.stat == "cost" and place is None:
            if isinstance(what.of, ast.Player):
                raise Refused("players have no cost")
            return ast.Ignores(who, keywords, "pay", what.of)
        if verb == "assign" and isinstance(what, ast.Resource) and what.kind == "combat-damage":
            at = place.place if isinstance(place, ast.At) else None
            if (at is None) == (place is None):
                return ast.Ignores(who, keywords, "assign", None, at)
        raise Refused("while doing what?")

    def _skip(self, clause: Clause) -> Meaning:
        moment, rest = _take(clause.comps, "time")
        if (
            rest
            or not isinstance(moment, ast.Moment)
            or moment.which not in (None, "next")
            or clause.aux is not None
        ):
            raise Refused("skip what?")
        who = YOU if clause.subject is None else self.player(clause.subject, "choose")
        told = clause.mood == "imperative" or moment.which == "next"
        if not isinstance(who, ast.Player) or moment.whose not in (who, ast.Player("they")):
            raise Refused("whose is skipped?")
        if told != (moment.which == "next"):
            raise Refused("which one is skipped?")
        effect = ast.Skip(who, moment.phase, moment.which)
        return ast.Apply(effect) if told else effect

    def _swap(self, clause: Clause) -> Meaning:
        value = clause.comps[0].value if len(clause.comps) == 1 else None
        pair = value.of if isinstance(value, ast.StatOf) and value.stat == "might" else None
        if isinstance(pair, ast.Objects) and pair.quantity == ast.Quantity("exactly", ast.Number(2)):
            return ast.Modify(pair, (ast.MightSwapped(),))
        raise Refused("swap what?")

    def _increase(self, clause: Clause) -> Meaning:
        if clause.voice == "passive":
            return self._changed_by(clause, "increase")
        stat, rest = _take(clause.comps, "np")
        to, rest = _take(rest, "to")
        by, rest = _take(rest, "by")
        until, rest = _take(rest, "until")
        if rest or clause.mood != "imperative":
            raise Refused("increase what?")
        if isinstance(until, Clause) and to is None and by is None and isinstance(stat, ast.StatOf):
            # "Increase its Might until it equals the Might of another unit."
            goal = [comp.value for comp in until.comps]
            if until.verbs[0].lemma != "equal" or len(goal) != 1 or until.subject != ast.Reference("it"):
                raise Refused("until what?")
            to, until = ("to", goal[0]), None
        if until is not None:
            raise Refused("until what?")
        if isinstance(stat, ast.StatOf) and stat.stat == "might" and to is not None and by is None:
            return ast.Modify(self._modified(stat.of), (ast.MightSet(amount_from(to[1]), only_up=True),))
        if isinstance(stat, Placed) and by is not None and to is None:
            return self._goal(stat, by)
        raise Refused("increase what?")

    def _goal(self, points: Placed, by: Any) -> Meaning:
        if [post.kind for post in points.posts] == ["the", "rel"] and points.what.kind == "point":
            gap, clause = points.posts[1].value
            if gap == "needed" and clause.verbs[0].lemma == "need" and isinstance(by, ast.Number):
                goal = self.action(clause.purpose)
                if (
                    goal.verb == "win"
                    and isinstance(goal.object, ast.Objects)
                    and goal.object.nouns == ("game",)
                ):
                    return ast.GoalChange(by)
        raise Refused("increase what?")

    def _reduce(self, clause: Clause) -> Meaning:
        if clause.voice == "passive":
            return self._changed_by(clause, "reduce")
        stat, rest = _take(clause.comps, "np")
        by, rest = _take(rest, "by")
        per, rest = _take(rest, "per")
        if rest or by is None or not isinstance(stat, ast.StatOf) or clause.mood != "imperative":
            raise Refused("reduce what?")
        return self._cost_change(stat, "less", by, per, None)

    def _changed_by(self, clause: Clause, verb: str) -> Meaning:
        by, rest = _take(clause.comps, "by")
        minimum, rest = _take(rest, "minimum")
        per, rest = _take(rest, "per")
        to, rest = _take(rest, "to")
        stat = clause.subject
        if to is not None and by is None and minimum is None and per is None and not rest:
            # "My Might is increased to 5 Might."
            if (
                verb == "increase"
                and isinstance(stat, ast.StatOf)
                and stat.stat == "might"
                and clause.aux is None
            ):
                return ast.Modify(self._modified(stat.of), (ast.MightSet(amount_from(to[1]), only_up=True),))
            raise Refused("only Might is increased to something")
        if rest or by is None or not isinstance(stat, ast.StatOf) or clause.aux is not None or clause.negated:
            raise Refused("by how much?")
        if stat.stat == "might" and minimum is None and per is None:
            return ast.Modify(
                self._modified(stat.of), (ast.MightChange(amount_from(by), minus=verb == "reduce"),)
            )
        return self._cost_change(stat, "less" if verb == "reduce" else "more", by, per, minimum)

    def _cost_change(self, stat: ast.StatOf, change: str, by: Any, per: Any, minimum: Any) -> Meaning:
        if not stat.stat.endswith("cost"):
            raise Refused("only a cost is changed so")
        cost = by if isinstance(by, ast.Cost) else amount_from(by)
        if minimum is not None and not isinstance(minimum, ast.Cost):
            raise Refused("the minimum of a cost is a cost")
        per_amount = None if per is None else self.per_each(per)
        return ast.CostChange(self._modified(stat.of), change, cost, stat.stat, per_amount, minimum)

    def _lose(self, clause: Clause) -> Meaning:
        """``It loses [Tank] this turn`` (801.3.b); of what players lose nothing is said here."""
        changes, rest = _take(clause.comps, "changes")
        if changes is None:
            return None
        if rest or clause.subject is None or clause.aux is not None or clause.voice != "active":
            raise Refused("no such effect")
        made = []
        for change in changes:
            if not isinstance(change, ast.Gains) or not isinstance(change.what, ast.Keyword):
                raise Refused("only keywords are lost so")
            made.append(ast.Loses(change.what))
        return ast.Modify(self._modified(clause.subject), tuple(made))

    def _trigger(self, clause: Clause) -> Meaning:
        what = clause.subject
        filters: tuple[Any, ...] = ()
        if isinstance(what, Placed):
            what, filters = self._placed_ability(what)
        if not isinstance(what, ast.AbilityText) or clause.voice != "active":
            raise Refused("only abilities trigger")
        if filters:
            what = replace(what, filters=filters)
        if clause.negated and clause.aux == "do" and not clause.comps:
            return ast.TriggerAgain(what, ast.Number(0), never=True)
        if clause.aux is None and not clause.negated and clause.comps == (Comp("adverb", "additional-time"),):
            return ast.TriggerAgain(what, ast.Number(1))
        raise Refused("triggers how often?")

    def _placed_ability(self, placed: Placed) -> tuple[Any, tuple[Any, ...]]:
        filters = []
        for post in placed.posts:
            if post.kind == "place":
                filters.append(post.value)
            elif post.kind == "for-doing":
                # "for conquering here": the event of the ability, with its place.
                if any(comp.kind != "place" for comp in post.value.comps):
                    raise Refused("no such ability")
                filters.append(ast.That(ast.Event(self.action(post.value, event=True)), "for"))
            else:
                raise Refused("no such ability")
        return placed.what, tuple(filters)

    def _deal(self, clause: Clause) -> Meaning:
        values = [comp for comp in clause.comps if comp.kind == "np"]
        if len(values) != 1 or not isinstance(values[0].value, ast.Resource | Placed):
            return None
        resource = values[0].value
        if isinstance(resource, Placed) or resource.kind not in ("bonus-damage", "additional-bonus-damage"):
            return None
        if clause.voice != "active" or clause.aux is not None or clause.subject is None:
            raise Refused("no such effect")
        rest = tuple(comp for comp in clause.comps if comp is not values[0] and comp.kind != "each")
        to, rest = _take(rest, "to")
        per, rest = _take(rest, "per-event")
        if rest:
            raise Refused("no such effect")
        amount = resource.amount
        if isinstance(amount, ast.AnyAmount):
            raise Refused("how much Bonus Damage?")
        if per is not None:
            event = ast.Event(self.action(replace(per, past=False), event=True))
            amount = ast.Times(amount, ast.EventCount(event, _window_of(per)))
        target = None if to is None else self.selector(to[1])
        affected = _affected(clause.subject)
        if affected is not None and target is None:
            # "Spells affecting units here deal 1 Bonus Damage" to these.
            target, subject = affected
            return ast.BonusDamage(self.selector(subject), amount, target)
        source: Any = clause.subject if isinstance(clause.subject, Next) else self.selector(clause.subject)
        return ast.BonusDamage(source, amount, target)

    def _prevent(self, clause: Clause) -> Meaning:
        value, rest = _take(clause.comps, "np")
        if (
            isinstance(value, ast.Resource)
            and value.kind == "damage"
            and not rest
            and clause.mood == "imperative"
        ) and isinstance(value.of, ast.Objects):
            return ast.PreventDamage(value.of)
        if (
            isinstance(value, Placed)
            and isinstance(value.what, ast.Resource)
            and value.what.kind == "damage"
            and not rest
        ):
            return self._prevented(value)
        if isinstance(value, ast.Resource | Placed):
            raise Refused("prevent what?")
        return None

    def _prevented(self, value: Placed) -> Meaning:
        """``Prevent the next 3 damage that would be dealt to it``, ``Prevent all damage from spells``."""
        how, *posts = value.posts
        if how.kind not in ("next", "all") or (how.kind == "all" and how.value) or len(posts) != 1:
            raise Refused("prevent what?")
        amount = value.what.amount if how.kind == "next" else None
        post = posts[0]
        if (
            post.kind == "place"
            and isinstance(post.value, ast.From)
            and isinstance(post.value.place, ast.Objects)
        ):
            return ast.PreventDamage(post.value.place, None, amount)
        if post.kind == "rel" and isinstance(post.value[1], Clause):
            gap, clause = post.value
            to, rest = _take(clause.comps, "to")
            duration, rest = _take(rest, "duration")
            if (
                gap == "object"
                and clause.aux == "would"
                and clause.verbs[0].lemma == "deal"
                and to
                and not rest
            ):
                effect = ast.PreventDamage(None, self.selector(to[1]), amount)
                return effect if duration is None else ast.Apply(effect, duration)
        raise Refused("prevent what?")

    def _control(self, clause: Clause) -> Meaning:
        value, rest = _take(clause.comps, "np")
        until, rest = _take(rest, "until")
        if (
            rest
            or until is None
            or clause.subject is None
            or clause.aux is not None
            or clause.voice != "active"
        ):
            raise Refused("this tells something and does nothing")
        who = self.player(clause.subject, "control")
        events, conditions = self.events_of(until)
        if not isinstance(who, ast.Player) or len(events) != 1 or conditions:
            raise Refused("until when?")
        return ast.Apply(ast.Controls(who, self.selector(value)), ast.UntilEvent(events[0]))

    def _add(self, clause: Clause) -> Meaning:
        more, rest = _take(clause.comps, "additional-mana")
        if more is None:
            return None
        if (
            rest
            or not isinstance(clause.subject, ast.Objects)
            or clause.aux is not None
            or clause.voice != "active"
        ):
            raise Refused("adds what?")
        return ast.AddsAlso(clause.subject, more)

    def _choose_word(self, clause: Clause) -> Meaning:
        names, rest = _take(clause.comps, "names")
        who = None if clause.subject is None else self.player(clause.subject, "choose")
        if names is not None:
            if rest or names[1] != "or" or clause.voice != "active":
                raise Refused("choose what?")
            tags = set(names[0]) <= set(self.vocabulary.tags.values())
            return ast.ChooseWord("tag" if tags else "word", names[0], who)
        value, rest = _take(clause.comps, "np")
        if isinstance(value, ast.Group) and value.conjunction == "or" and not rest:
            words = [_word_of(part) for part in value.parts]
            if all(words):
                return ast.ChooseWord("word", tuple(str(word) for word in words), who)
        words = [_word_of(value)] if isinstance(value, ast.Objects) else []
        nouns = value.nouns if isinstance(value, ast.Objects) else ()
        if words and words[0] is None and len(nouns) > 1 and _bare(value) and not rest:
            return ast.ChooseWord("word", nouns, who)
        return None

    def _name(self, clause: Clause) -> Meaning:
        value, rest = _take(clause.comps, "np")
        if rest or not isinstance(value, ast.Objects) or value.nouns != ("tag",) or value.filters:
            raise Refused("name what?")
        if value.quantity != ast.Quantity("exactly", ast.Number(1)) or clause.mood != "imperative":
            raise Refused("name what?")
        return ast.ChooseWord("tag")

    def _copy(self, clause: Clause) -> Meaning:
        values, rest = _take(clause.comps, "np")
        to, rest = _take(rest, "to")
        if rest or to is None or clause.mood != "imperative":
            raise Refused("copy what?")
        if (
            not isinstance(values, ast.TextOf)
            or not isinstance(to[1], ast.TextOf)
            or to[1].part != "effect-text"
        ):
            raise Refused("copy what?")
        return ast.Modify(to[1].of, (ast.BecomesCopy(values.of, text_only=True),))

    def _being(self, clause: Clause) -> Meaning:
        kind, value = clause.predicate
        if kind == "np" and isinstance(value, ast.Objects) and not clause.negated and not clause.past:
            # "I'm a Dog", "Other friendly units are Dogs."
            one, several = ast.Quantity("exactly", ast.Number(1)), ast.Quantity("all", form="bare")
            many = isinstance(clause.subject, ast.Objects) and clause.subject.quantity.rule == "all"
            as_many = value.quantity == (several if many else one)
            if as_many and not value.filters and value.nouns[0].lower() in self.vocabulary.tags:
                return ast.Modify(self._modified(clause.subject), (ast.Gains(ast.HasTag(value.nouns)),))
        return self._enough(clause)

    def _enough(self, clause: Clause) -> Meaning:
        kind, value = clause.predicate
        subject = clause.subject
        if kind != "enough" or clause.negated or not isinstance(subject, ast.Resource) or subject.of is None:
            raise Refused("this tells something and does nothing")
        action = self.action(value)
        if action.verb != "kill" or subject.kind != "damage":
            raise Refused("enough for what?")
        target = action.object
        if not isinstance(target, ast.Objects):
            raise Refused("enough for what?")
        return ast.LethalAmount(subject.of, target)

    def _counts_as(self, clause: Clause) -> Meaning:
        what, other = clause.subject, clause.predicate
        if isinstance(what, ast.AbilityText) and isinstance(other, ast.AbilityText) and other.of is None:
            return ast.CountsAs(what, other.sort)
        raise Refused("also what?")

    # ------------------------------------------------------------------------------------------ events

    def events_of(self, clause: Clause) -> tuple[tuple[ast.Event, ...], tuple[Any, ...]]:
        """Give the events that a clause describes, and the conditions that it puts on them."""
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
            raise _EachTurn(ast.Event(action, batch=batch), conditions)
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
        if clause.voice == "passive" and not clause.past and clause.mood == "finite":
            return self._in_state(clause)
        if clause.past and clause.voice == "passive" and clause.mood == "finite" and not clause.comps:
            frame = self.vocabulary.frames[verb]
            if frame.state is not None:
                return ast.Is(
                    self._described(clause.subject),
                    (),
                    (ast.HasState(frame.state),),
                    clause.negated,
                    past=True,
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
        if kind in ("<", ">"):
            if not isinstance(subject, ast.StatOf) or clause.negated:
                raise Refused("nothing to compare")
            return ast.Compare(subject, kind, value)
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
            return ast.Is(self._described(subject), (), tuple(filters), clause.negated, clause.past, already)
        if kind == "np":
            return self._is_noun(subject, value, clause)
        raise Refused("this is no condition")

    def _is_noun(self, subject: Any, value: Any, clause: Clause) -> Any:
        if isinstance(value, ast.Moment) and subject == ast.Reference("it") and not clause.past:
            if value.whose is None:
                raise Refused("whose?")
            return ast.InPhase(value.phase, value.whose, clause.negated)
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
        if isinstance(value, ast.Group) and value.conjunction == "and":
            return ast.AllOf(tuple(self._has_objects(subject, part, negated, past) for part in value.parts))
        if isinstance(value, Placed) and isinstance(value.what, ast.Resource) and len(value.posts) == 1:
            op = {"at-most": "<=", "exact": "="}.get(value.posts[0].kind)
            if op is None or value.what.kind not in ("xp", "point") or not isinstance(subject, ast.Player):
                raise Refused("this is no condition")
            stat = "points" if value.what.kind == "point" else value.what.kind
            return ast.Compare(ast.StatOf(stat, subject), op, value.what.amount)
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
            return self._exists(value, negated)
        return self._exists(replace(value, filters=(ast.ControlledBy(subject), *value.filters)), negated)

    def _controls(self, clause: Clause) -> Any:
        values = [comp.value for comp in clause.comps]
        who = self.player(clause.subject, "control")
        if len(values) != 1 or not isinstance(who, ast.Player | ast.Group):
            raise Refused("controls what?")
        value = values[0]
        if isinstance(value, ast.Here | ast.There | ast.Self | ast.Reference):
            return ast.Is(value, (), (ast.ControlledBy(who),), clause.negated)
        if not isinstance(value, ast.Objects):
            raise Refused("controls what?")
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
            window, rest = _take(purpose.comps, "duration")
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
            from rulewright.language.reading.phrases import power_domain

            domain, count = power_domain(token), max(1, token.value)
            last = parts[-1] if parts else None
            if isinstance(last, ast.Power) and last.domain == domain and isinstance(last.amount, ast.Number):
                parts[-1] = ast.Power(domain, ast.Number(last.amount.value + count))
            else:
                parts.append(ast.Power(domain, ast.Number(count)))
        return ast.Cost(tuple(parts))

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
        form = clause.verbs[0].form
        if from_s(before) is not None and form == "base" and is_third(before):
            raise Refused("who does this?")
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
        instead, rest = _take(purpose.clauses[-1].comps, "instead-of")
        if not isinstance(instead, ast.Cost):
            return None
        first = clauses[0]
        if len(clauses) != 1 or first.aux != "may" or first.subject != YOU or len(purpose.clauses) != 1:
            raise Refused("instead of which cost?")
        cost = self.as_cost(replace(first, mood="imperative", aux=None, subject=None))
        action = self.action(replace(purpose.clauses[0], comps=rest))
        return ast.Permit(action, cost=cost, instead_of=instead)

    def _cost_to(self, clause: Clause, purpose: Seq) -> Meaning:
        made = self.meaning(clause)[0]
        if len(purpose.clauses) != 1 or purpose.clauses[0].mood != "imperative":
            raise Refused("costs more for what?")
        target = purpose.clauses[0]
        duration, rest = _take(target.comps, "duration")
        action = self.action(replace(target, comps=rest), gap="object")
        if isinstance(made, ast.CostChange):
            effect = replace(made, action=action)
            return effect if duration is None else ast.Apply(effect, duration)
        raise Refused("costs more for what?")


class Already(ast.Node):
    """``if they didn't already``."""


@dataclass(frozen=True, slots=True)
class IsNot(ast.Node):
    """``if it isn't``: what was asked of it in the sentence before is not so."""

    what: Any


class _EachTurn(Exception):  # noqa: N818 - no error: a reading that is left out
    """An event with "each turn" behind it: only "the first time" can say so."""

    def __init__(self, event: ast.Event, conditions: list[Any]) -> None:
        super().__init__()
        self.event = event
        self.conditions = conditions


def _affected(subject: Any) -> Any:
    """Give what spells and abilities are said to affect, and these without it."""
    if isinstance(subject, ast.Group) and any(_affected(part) for part in subject.parts):
        raise Refused("what stands behind a list is said of all of it")
    filters = subject.filters if isinstance(subject, ast.Objects) else ()
    for f in filters:
        action = f.event.action if isinstance(f, ast.That) else None
        if isinstance(action, ast.Action) and action.verb == "affect":
            rest = tuple(part for part in filters if part is not f)
            return action.object, replace(subject, filters=rest)
    return None


def _how_many(subject: Any) -> ast.Quantity:
    """How many a noun must speak of that tells what something is: "both are Poros", "it's a Poro"."""
    if is_single(subject) is False or subject in (ast.Reference("both"), ast.Reference("those")):
        return ast.Quantity("all")
    return ast.Quantity("exactly", ast.Number(1))


def _bare(value: Any) -> bool:
    return isinstance(value, ast.Objects) and value.quantity.form == "bare" and not value.filters


def _word_of(value: Any) -> str | None:
    return value.nouns[0] if _bare(value) and len(value.nouns) == 1 else None


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


def _take(comps: tuple[Comp, ...], kind: str) -> tuple[Any, tuple[Comp, ...]]:
    """Take the one complement of a kind out; refuse two."""
    found = [comp for comp in comps if comp.kind == kind]
    if len(found) > 1:
        raise Refused("this is said twice")
    if not found:
        return None, comps
    return found[0].value, tuple(comp for comp in comps if comp is not found[0])


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


def _without_window(value: ast.Objects) -> tuple[Any, ast.Objects]:
    for index, f in enumerate(value.filters):
        if isinstance(f, ast.That) and f.window == ast.ThisTurn() and f.gap == "object" and not f.negated:
            filters = (*value.filters[:index], replace(f, window=None), *value.filters[index + 1 :])
            return ast.ThisTurn(), replace(value, filters=filters)
    return None, value


def _window_of(clause: Clause) -> Any:
    window, _ = _take(clause.comps, "duration")
    return window


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

__all__ = ["THINGS_DO", "Meaning", "MeaningBuilder", "flat"]
