"""What clauses mean as continuous effects: modifications, permissions, costs, prevention and the like."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused
from rulewright.language.reading.clauses import ClauseBuilder
from rulewright.language.reading.measures import amount_from
from rulewright.language.reading.nouns import figure_had
from rulewright.language.reading.parts import (
    BareStat,
    Clause,
    Comp,
    Next,
    Placed,
    Post,
)

EFFECTS = (
    ast.Modify,
    ast.CostChange,
    ast.Enters,
    ast.Permit,
    ast.Forbid,
    ast.Require,
    ast.BonusDamage,
    ast.TriggerAgain,
    ast.CountsAs,
    ast.LethalAmount,
    ast.GoalChange,
    ast.Skip,
    ast.Ignores,
    ast.BuffLimit,
    ast.DamageFactor,
    ast.PreventDamage,
    ast.Controls,
    ast.AddsAlso,
    ast.Also,
)

_ORIENTATIONS = ("ready", "exhausted", "facedown", "empowered")
"""How something may enter, one of which it does; what else it enters with comes besides."""

_NAMED = (("tag",), ("domain",), ("card",))
"""What a player may be told to name."""

Meaning = Any
"""An instruction or a continuous effect."""


class EffectBuilder(ClauseBuilder):
    """Clauses read as continuous effects."""

    # ------------------------------------------------------------------------------ continuous effects

    def _have(self, clause: Clause) -> Meaning:
        if clause.aux == "can" and not clause.negated and clause.verbs[0].lemma == "have":
            return self._buff_limit(clause)
        if clause.verbs[0].lemma == "gain" and not any(comp.kind == "changes" for comp in clause.comps):
            return self._have_noun(clause)
        if clause.aux is not None or clause.negated or clause.voice != "active":
            raise Refused("no such effect")
        changes, rest = take(_with_times(clause.comps), "changes")
        per, rest = take(rest, "per")
        minimum, rest = take(rest, "minimum")
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
        value, rest = take(clause.comps, "np")
        if rest or not isinstance(value, Placed) or not isinstance(value.what, ast.StatOf):
            return None
        post = value.posts[0]
        said = post.value[1] if post.kind == "rel" and len(value.posts) == 1 else None
        if not isinstance(said, Clause) or said.verbs[0].lemma not in ("increase", "reduce", "double"):
            raise Refused("no such effect")
        if value.what.of not in (ast.Reference("them"), ast.Reference("it"), clause.subject):
            raise Refused("whose figure is it?")
        duration, comps = take(said.comps, "duration")
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
        if isinstance(value, Clause):
            return self.per_event(value)
        if isinstance(value, ast.Objects) and value.quantity.rule == "each":
            return ast.CountOf(replace(value, quantity=ast.Quantity("all")))
        if isinstance(value, Placed) and isinstance(value.what, ast.Resource):
            return self._per_resource(value)
        if isinstance(value, ast.Reference) and value.role == "each":
            return ast.CountOf(value)
        if isinstance(value, ast.Player) and value.which in (
            "each-opponent",
            "each-player",
            "each-other-player",
        ):
            return ast.CountOf(value)
        if isinstance(value, ast.TagCount):
            return value
        if isinstance(value, ast.StatOf) and value.stat in ("points", "xp"):
            # "For each of your points."
            return value
        if (
            isinstance(value, Placed)
            and isinstance(value.what, ast.Objects)
            and value.what.quantity.rule == "each"
        ) and [post.kind for post in value.posts] == ["beyond"]:
            counted = replace(value.what, quantity=ast.Quantity("all"))
            number = value.posts[0].value
            if number > 1:
                return ast.Beyond(ast.CountOf(counted), ast.Number(number))
            beyond = ast.HasState("beyond-first")
            return ast.CountOf(replace(counted, filters=(*counted.filters, beyond)))
        raise Refused("for each of what?")

    def per_event(self, clause: Clause) -> ast.EventCount:
        """Give how often something has happened: ``for each time you drew a card this turn``."""
        window, comps = take(clause.comps, "duration")
        if window is not None and not isinstance(window, ast.ThisTurn | ast.ThisCombat):
            raise Refused("counted over what time?")
        if clause.aux is not None or clause.negated or not clause.past:
            raise Refused("each time that what happened?")
        told = replace(clause, comps=comps, past=False, mood="finite")
        return ast.EventCount(ast.Event(self.action(told, event=True)), window)

    def _per_resource(self, value: Placed) -> Any:
        figure = figure_had(value)
        if figure is not None:
            return figure
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
        changes, rest = take(_with_times(clause.comps), "changes")
        per, rest = take(rest, "per")
        minimum, rest = take(rest, "minimum")
        if changes is None and len(rest) == 2 and all(comp.kind == "np" for comp in rest):
            changes, rest = self._given_noun(rest)
        if changes is None:
            raise Refused("give what?")
        each = any(comp.kind == "each" for comp in rest)
        rest = tuple(comp for comp in rest if comp.kind != "each")
        to, rest = take(rest, "to")
        target, rest = take(rest, "np") if to is None else (to[1], rest)
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
        changes, rest = take(comps, "changes")
        if changes is None and len(rest) == 1 and isinstance(rest[0].value, ast.Times):
            times = rest[0].value
            if isinstance(times.times, ast.StatOf):
                return ast.Modify(
                    self._modified(clause.subject), (ast.StatFactor(times.times.stat, times.amount),)
                )
        if changes is not None and not rest and clause.aux is None:
            return ast.Modify(ast.HostOf(self._modified(clause.subject)), changes)
        to, rest = take(rest, "to")
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
        states, rest = self._entry_states(clause.comps)
        place, rest = take(rest, "place")
        if rest or (not states and place is None):
            raise Refused("enters how?")
        state = next((one for one in states if one in _ORIENTATIONS), None)
        others = tuple(one for one in states if one not in _ORIENTATIONS)
        if len(states) > 1 + len(others) or len(set(states)) < len(states):
            raise Refused("enters how?")
        if place is not None and not isinstance(place, ast.At):
            raise Refused("enters from nowhere")
        at = place.place if place is not None else None
        return ast.Enters(self._modified(clause.subject), state, at, others)

    def _entry_states(self, comps: tuple[Comp, ...]) -> tuple[list[str], tuple[Comp, ...]]:
        """Give how something enters: ``exhausted``, ``ready and buffed``, ``with a buff``."""
        states: list[str] = []
        rest: list[Comp] = []
        for comp in comps:
            if comp.kind in ("state", "become"):
                states.append(comp.value)
            elif comp.kind == "states":
                states.extend(comp.value)
            elif comp.kind == "with" and comp.value == ast.Resource("buff", ast.Number(1)):
                states.append("buffed")
            else:
                rest.append(comp)
        if not set(states) <= {*_ORIENTATIONS, "buffed", "stunned"}:
            raise Refused("enters how?")
        return states, tuple(rest)

    def _cost(self, clause: Clause) -> Meaning:
        less, rest = take(clause.comps, "less")
        more, rest = take(rest, "more")
        per, rest = take(rest, "per")
        minimum, rest = take(rest, "minimum")
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
        told = clause.mood == "finite" and clause.aux is None and not clause.negated
        if told and len(clause.comps) == 1 and clause.comps[0].kind in ("state", "become"):
            return self._made_so(clause.subject, clause.comps[0].value)
        if [comp.kind for comp in clause.comps[:1]] == ["amount"] and clause.mood == "finite":
            return self._becomes_type(clause)
        if len(clause.comps) != 1 or clause.comps[0].kind != "np" or clause.mood != "finite":
            raise Refused("becomes what?")
        value = clause.comps[0].value
        if isinstance(value, ast.Objects) and value.nouns == ("copy",) and len(value.filters) == 1:
            of = value.filters[0]
            if isinstance(of, ast.CopyOf):
                return ast.Apply(ast.Modify(self._modified(clause.subject), (ast.BecomesCopy(of.what),)))
        raise Refused("becomes what?")

    def _made_so(self, subject: Any, state: str) -> ast.Action:
        """``I become ready``: it is done to me what makes it so."""
        doing = "ready" if state == "ready" else None
        for lemma, frame in self.vocabulary.frames.items():
            if frame.state == state and frame.object and frame.needs == (("object",),):
                doing = lemma
        if doing is None or isinstance(subject, ast.Player | ast.StatOf | ast.Resource | Next):
            raise Refused("becomes what?")
        return ast.Action(doing, YOU, self.selector(subject))

    def _becomes_type(self, clause: Clause) -> Meaning:
        """``Gear you control become 1 [M] gear units``: each has these types and that Might (477.1.a)."""
        figure, unit, *named = (comp.value for comp in clause.comps)
        several = ast.Quantity("all", form="bare")
        subject = self._modified(clause.subject)
        if not isinstance(subject, ast.Objects) or subject.quantity.rule != "all" or not named:
            raise Refused("becomes what?")
        types = tuple(noun for each in named for noun in getattr(each, "nouns", ()))
        if unit != BareStat("might") or named != [ast.Objects(several, (word,)) for word in types]:
            raise Refused("becomes what?")
        if "unit" not in types or not set(types) <= {"unit", "gear", "spell", "rune"}:
            raise Refused("only units have Might")
        return ast.Modify(subject, (ast.BecomesType(types, amount_from(figure)),))

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
        if clause.voice == "passive" and not clause.comps and clause.aux is None and not clause.negated:
            # "The Might of units here is doubled."
            stat = clause.subject
            if isinstance(stat, ast.StatOf) and stat.stat == "might":
                return ast.Modify(self._modified(stat.of), (ast.MightDoubled(),))
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
        to, rest = take(clause.comps, "to")
        duration, rest = take(rest, "duration")
        if rest or to is None:
            raise Refused("dealt to what?")
        effect = ast.DamageFactor(self.selector(to[1]), ast.Number(2))
        return effect if duration is None else ast.Apply(effect, duration)

    def _ignore(self, clause: Clause) -> Meaning | None:
        doing, rest = take(clause.comps, "while-doing")
        if doing is None:
            return None
        gains, rest = take(rest, "changes")
        place, rest = take(rest, "place")
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
        point, left = take(clause.comps, "np")
        if isinstance(point, Placed) and point.posts == (Post("next"),):
            return self._skip_points(clause, point.what, left)
        moment, rest = take(clause.comps, "time")
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

    def _skip_points(self, clause: Clause, point: Any, rest: tuple[Comp, ...]) -> ast.CreateAbility:
        """``They skip their next point from conquering this turn``: the point is not gained, once (443.1)."""
        how, rest = take(rest, "adverb")
        who = YOU if clause.subject is None else self.player(clause.subject, "choose")
        if rest or clause.aux is not None or not isinstance(point, ast.Resource) or point.kind != "point":
            raise Refused("skip what?")
        if not isinstance(who, ast.Player) or point.of not in (who, ast.Player("they")):
            raise Refused("whose is skipped?")
        if how not in (None, "from-conquer", "from-hold"):
            raise Refused("from what?")
        manner = () if how is None else (how,)
        scored = ast.Action("score", who, ast.Resource("point", ast.Number(1)), manner=manner)
        ability = ast.ReplacementAbility(ast.Event(scored), ast.Action("skip"))
        return ast.CreateAbility(ability, once=True)

    def _swap(self, clause: Clause) -> Meaning:
        value = clause.comps[0].value if len(clause.comps) == 1 else None
        pair = value.of if isinstance(value, ast.StatOf) and value.stat == "might" else None
        two = ast.Quantity("exactly", ast.Number(2))
        both = isinstance(pair, ast.Group) and pair.conjunction == "and" and len(pair.parts) == 2
        if both or (isinstance(pair, ast.Objects) and pair.quantity == two) or pair == ast.Reference("both"):
            return ast.Modify(self._modified(pair), (ast.MightSwapped(),))
        raise Refused("swap what?")

    def _increase(self, clause: Clause) -> Meaning:
        if clause.voice == "passive":
            return self._changed_by(clause, "increase")
        stat, rest = take(clause.comps, "np")
        to, rest = take(rest, "to")
        by, rest = take(rest, "by")
        until, rest = take(rest, "until")
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
        stat, rest = take(clause.comps, "np")
        by, rest = take(rest, "by")
        per, rest = take(rest, "per")
        if rest or by is None or not isinstance(stat, ast.StatOf) or clause.mood != "imperative":
            raise Refused("reduce what?")
        return self._cost_change(stat, "less", by, per, None)

    def _changed_by(self, clause: Clause, verb: str) -> Meaning:
        by, rest = take(clause.comps, "by")
        minimum, rest = take(rest, "minimum")
        per, rest = take(rest, "per")
        to, rest = take(rest, "to")
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
        changes, rest = take(clause.comps, "changes")
        if changes is None:
            return self._lose_all(clause)
        if rest or clause.subject is None or clause.aux is not None or clause.voice != "active":
            raise Refused("no such effect")
        made = []
        for change in changes:
            if not isinstance(change, ast.Gains) or not isinstance(change.what, ast.Keyword):
                raise Refused("only keywords are lost so")
            made.append(ast.Loses(change.what))
        return ast.Modify(self._modified(clause.subject), tuple(made))

    def _lose_all(self, clause: Clause) -> Meaning:
        """``It loses all keywords``: what else is lost is no effect."""
        value, rest = take(clause.comps, "np")
        if isinstance(value, ast.Objects) and value.nouns == ("ability",):
            raise Refused("of abilities only keywords are lost")
        if not isinstance(value, ast.Objects) or value.nouns != ("keyword",):
            return None
        bare = ast.Quantity("all"), ast.Quantity("all", form="bare")
        if rest or value.filters or value.quantity not in bare or value.quantity.form:
            raise Refused("loses which?")
        if clause.aux is not None or clause.voice != "active" or clause.negated or clause.subject is None:
            raise Refused("no such effect")
        lost = ast.Loses(ast.AbilityText("keyword", quantity=ast.Quantity("all")))
        return ast.Modify(self._modified(clause.subject), (lost,))

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
        if not isinstance(resource, Placed) and resource.kind in ("damage", "double-damage"):
            return self._deal_otherwise(clause, resource)
        if isinstance(resource, Placed) or resource.kind not in ("bonus-damage", "additional-bonus-damage"):
            return None
        if clause.voice != "active" or clause.aux is not None or clause.subject is None:
            raise Refused("no such effect")
        rest = tuple(comp for comp in clause.comps if comp is not values[0] and comp.kind != "each")
        to, rest = take(rest, "to")
        per, rest = take(rest, "per-event")
        amount: Any = resource.amount
        if isinstance(amount, ast.AnyAmount):
            amount, rest = take(rest, "equal")
            if amount is None:
                raise Refused("how much Bonus Damage?")
        if rest:
            raise Refused("no such effect")
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

    def _deal_otherwise(self, clause: Clause, resource: ast.Resource) -> Meaning | None:
        """``Your spells deal double damage``, ``Enemy spells deal 1 less damage to me``."""
        rest = tuple(comp for comp in clause.comps if comp.kind != "np")
        less, rest = take(rest, "less")
        to, rest = take(rest, "to")
        if resource.kind == "damage" and less is None:
            return None
        source = clause.subject
        nouns = source.nouns if isinstance(source, ast.Objects) else ()
        if rest or clause.aux is not None or clause.negated or clause.voice != "active" or clause.past:
            raise Refused("no such effect")
        if not nouns or not set(nouns) <= {"spell", "ability", "effect"}:
            raise Refused("what units deal in combat is not told one by one")
        target = None if to is None else self.selector(to[1])
        if resource.kind == "double-damage" and less is None:
            return ast.DamageFactor(target, ast.Number(2), source)
        figure = less.parts[0] if isinstance(less, ast.Cost) and len(less.parts) == 1 else None
        if resource.kind != "damage" or not isinstance(figure, ast.Energy):
            raise Refused("how much less?")
        return ast.PreventDamage(source, target, figure.amount, each=True)

    def _prevent(self, clause: Clause) -> Meaning:
        value, rest = take(clause.comps, "np")
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
        if [post.kind for post in value.posts] == ["of-it"]:
            # "If I would be dealt damage, prevent 2 of it": the sentence around it says of what.
            return ast.PreventDamage(None, None, value.what.amount, each=True)
        how, *posts = value.posts
        if how.kind not in ("next", "first", "all") or (how.kind == "all" and how.value) or len(posts) != 1:
            raise Refused("prevent what?")
        amount = None if how.kind == "all" else value.what.amount
        post = posts[0]
        if how.kind == "first" and (post.kind != "rel" or not isinstance(post.value[1], Clause)):
            raise Refused("the first of which time?")
        if (
            post.kind == "place"
            and isinstance(post.value, ast.From)
            and isinstance(post.value.place, ast.Objects)
        ):
            return ast.PreventDamage(post.value.place, None, amount)
        if post.kind == "rel" and isinstance(post.value[1], Clause):
            gap, clause = post.value
            to, rest = take(clause.comps, "to")
            duration, rest = take(rest, "duration")
            if duration is None:
                duration, rest = take(rest, "each-phase")
            taken = to[1] if to and clause.verbs[0].lemma == "deal" else None
            if taken is None and not to and clause.verbs[0].lemma == "take":
                # "The first 3 damage I would take" is what would be dealt to me.
                taken = clause.subject
            if gap == "object" and clause.aux == "would" and taken is not None and not rest:
                effect = ast.PreventDamage(None, self.selector(taken), amount)
                each = duration in (ast.ThisTurn(each=True), ast.ThisCombat(each=True))
                if each != (how.kind == "first"):
                    raise Refused("the first of which time?")
                if each:
                    return replace(effect, window=duration)
                return effect if duration is None else ast.Apply(effect, duration)
        raise Refused("prevent what?")

    def _control(self, clause: Clause) -> Meaning:
        value, rest = take(clause.comps, "np")
        until, rest = take(rest, "until")
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
        more, rest = take(clause.comps, "additional-mana")
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
        names, rest = take(clause.comps, "names")
        who = None if clause.subject is None else self.player(clause.subject, "choose")
        if names is not None:
            if rest or names[1] != "or" or clause.voice != "active":
                raise Refused("choose what?")
            tags = set(names[0]) <= set(self.vocabulary.tags.values())
            return ast.ChooseWord("tag" if tags else "word", names[0], who)
        value, rest = take(clause.comps, "np")
        if isinstance(value, ast.Group) and value.conjunction == "or" and not rest:
            words = [_word_of(part) for part in value.parts]
            if all(words):
                return ast.ChooseWord("word", tuple(str(word) for word in words), who)
        words = [_word_of(value)] if isinstance(value, ast.Objects) else []
        nouns = value.nouns if isinstance(value, ast.Objects) else ()
        if (
            nouns == ("domain",)
            and value == ast.Objects(ast.Quantity("exactly", ast.Number(1)), nouns)
            and not rest
        ):
            return ast.ChooseWord("domain", who=who)
        if words and words[0] is None and len(nouns) > 1 and _bare(value) and not rest:
            return ast.ChooseWord("word", nouns, who)
        return None

    def _name(self, clause: Clause) -> Meaning:
        value, rest = take(clause.comps, "np")
        nouns = value.nouns if isinstance(value, ast.Objects) else ()
        one = ast.Objects(ast.Quantity("exactly", ast.Number(1)), nouns)
        if rest or value != one or nouns not in _NAMED or clause.mood != "imperative":
            raise Refused("name what?")
        return ast.ChooseWord(nouns[0])

    def _copy(self, clause: Clause) -> Meaning:
        values, rest = take(clause.comps, "np")
        to, rest = take(rest, "to")
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
        if kind == "np" and value == ast.Reference("that", ("domain",)) and not clause.negated:
            if clause.past or clause.subject is None:
                raise Refused("what is it?")
            # "All units are that domain": the one that the text has named.
            return ast.Modify(self._modified(clause.subject), (ast.Gains(ast.HasDomain("named")),))
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

    @abstractmethod
    def events_of(self, clause: Clause) -> tuple[tuple[ast.Event, ...], tuple[Any, ...]]:
        """Read a clause as events, with the conditions that stand in it."""


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


def _bare(value: Any) -> bool:
    return isinstance(value, ast.Objects) and value.quantity.form == "bare" and not value.filters


def _word_of(value: Any) -> str | None:
    return value.nouns[0] if _bare(value) and len(value.nouns) == 1 else None


def take(comps: tuple[Comp, ...], kind: str) -> tuple[Any, tuple[Comp, ...]]:
    """Take the one complement of a kind out; refuse two."""
    found = [comp for comp in comps if comp.kind == kind]
    if len(found) > 1:
        raise Refused("this is said twice")
    if not found:
        return None, comps
    return found[0].value, tuple(comp for comp in comps if comp is not found[0])


def _with_times(comps: tuple[Comp, ...]) -> tuple[Comp, ...]:
    """Let "for each time ..." stand where "for each ..." does."""
    return tuple(Comp("per", comp.value) if comp.kind == "per-event" else comp for comp in comps)


def _window_of(clause: Clause) -> Any:
    window, _ = take(clause.comps, "duration")
    return window
