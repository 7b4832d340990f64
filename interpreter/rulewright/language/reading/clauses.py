"""Clauses: subject, verb and complements, read by the verb frames as instructions, events, conditions or effects.

The grammar lets any complement stand behind any verb; here the frame of the verb says which of them mean
something, what they are for, and what must not be missing. What a frame does not take is refused.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused
from rulewright.language.lex import Token
from rulewright.language.reading.parts import (
    BareStat,
    Clause,
    Comp,
    Det,
    Head,
    Next,
    Nth,
    OnlyOne,
    Placed,
    Post,
    Seq,
    They,
    VerbForm,
)
from rulewright.language.reading.phrases import (
    PLACE_NOUNS,
    PhraseBuilder,
    amount_from,
    number_of,
    power_domain,
)
from rulewright.language.vocabulary import VerbFrame

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
THINGS = frozenset(
    (
        "attack", "become", "conquer", "cost", "deal", "defend", "die", "enter", "gain", "get", "give", "have",
        "hold", "kill", "leave", "lose", "move", "take", "trigger", "win",
    )
)  # fmt: skip
"""What units, gear and the like do by themselves; the rest is done by players, spells and abilities."""

THINGS_DO = frozenset(
    ("deal", "have", "get", "become", "enter", "die", "cost", "trigger", "attack", "defend")
)
"""Verbs whose "they" are objects; of all others they are players."""


class ClauseBuilder(PhraseBuilder):
    """The callbacks of the grammar's clauses and complements."""

    # ------------------------------------------------------------------------------------------- verbs

    def verb(self, children: list[Any]) -> VerbForm:
        token: Token = children[0]
        if token.type == "KEYWORD":
            lemma = self.vocabulary.keywords[token.text].get("verb")
            if lemma is None:
                raise Refused("this keyword is no verb")
            return VerbForm(lemma, "base")
        if token.type == "ARRIVING":
            return self.participle(children)
        if token.type in ("SCORE", "COPY"):
            return VerbForm(token.type.lower(), "base")
        word = self.vocabulary.word(token.text)
        assert word is not None
        return VerbForm(word.lemma, word.form)

    def participle(self, children: list[Any]) -> VerbForm:
        token: Token = children[0]
        if token.type == "ARRIVING":
            if token.text.lower() != "exhausted":
                raise Refused("this is no participle")
            return VerbForm("exhaust", "past")
        word = self.vocabulary.word(token.text)
        assert word is not None
        if word.form not in ("past", "ing", "base-past", "s-past") and word.lemma != "become":
            raise Refused("this is no participle")
        return VerbForm(word.lemma, "past" if word.form != "ing" else "ing")

    def verbs(self, children: list[Any]) -> tuple[VerbForm, ...]:
        return tuple(children)

    def verb_more(self, children: list[Any]) -> VerbForm:
        form: VerbForm = children[0]
        return form

    verb_more_ed = verb_more

    def verbs_or(self, children: list[Any]) -> tuple[VerbForm, ...]:
        if len({form.form for form in children}) > 1 and not {form.form for form in children} <= {
            "base",
            "base-past",
        }:
            raise Refused("verbs that are joined have one form")
        return tuple(children)

    verbs_and = verbs_or
    participles = verbs
    participles_or = verbs_or

    # ----------------------------------------------------------------------------------------- clauses

    def imperative(self, children: list[Any]) -> Clause:
        verbs, comps = children[0], nearest(children[1:])
        if all(form.form == "s" for form in verbs):
            # "Each player discards their hand, then draws 4": what goes on from a clause before it.
            return Clause(None, verbs, comps, mood="goes-on")
        if any(form.form not in ("base", "base-past") for form in verbs):
            raise Refused("an instruction has the plain form of its verb")
        return Clause(None, verbs, comps, mood="imperative")

    def imperative_have(self, children: list[Any]) -> Clause:
        """``have each opponent discard 1``: somebody else does it, because you say so."""
        subject, verbs, *comps = children
        if subject == YOU or any(form.form not in ("base", "base-past") for form in verbs):
            raise Refused("have whom do what?")
        return Clause(subject, verbs, nearest(comps), mood="caused")

    def branch(self, children: list[Any]) -> Clause:
        return Clause(None, (VerbForm("do", "base"),), (Comp("based-on", children[0]),), mood="imperative")

    def branch_one(self, children: list[Any]) -> Clause:
        return replace(self.branch(children), aux=None)

    def gapped_changes(self, children: list[Any]) -> Clause:
        comps = (Comp("np", ast.Reference("it")), Comp("changes", children[0]), *children[1:])
        return Clause(None, (), comps, mood="gapped-changes")

    def gapped_number(self, children: list[Any]) -> Clause:
        return Clause(None, (), (Comp("amount", children[0]), *children[1:]), mood="gapped")

    def gapped_less(self, children: list[Any]) -> Clause:
        return Clause(None, (), (Comp("less", children[0]), *children[1:]), mood="gapped")

    def gapped(self, children: list[Any]) -> Clause:
        if not any(comp.kind in ("changes", "to") for comp in children[1:]):
            raise Refused("a verb is missing")
        return Clause(None, (), (Comp("np", children[0]), *children[1:]), mood="gapped")

    def finite(self, children: list[Any]) -> Clause:
        subject, verbs, *comps = children
        self._agrees(subject, verbs)
        past = verbs[0].form == "past"
        return Clause(subject, verbs, nearest(comps), past=past)

    def _agrees(self, subject: Any, verbs: tuple[VerbForm, ...]) -> None:
        single = is_single(subject)
        for form in verbs:
            if form.form == "ing":
                raise Refused("the verb lacks its auxiliary")
            if (form.form == "base" and single is True) or (form.form == "s" and single is False):
                raise Refused("subject and verb do not agree")

    def finite_aux(self, children: list[Any]) -> Clause:
        subject, aux, verbs, *comps = children
        if any(form.form not in ("base", "base-past") for form in verbs):
            raise Refused("an auxiliary has the plain form behind it")
        return self._with_aux(Clause(subject, verbs, nearest(comps)), aux)

    def finite_aux_have(self, children: list[Any]) -> Clause:
        """``you may have an opponent draw 1``."""
        subject, aux, other, verbs, *comps = children
        caused = self.imperative_have([other, verbs, *comps])
        if aux != "may":
            raise Refused("the auxiliary says nothing here")
        return Clause(subject, verbs, caused.comps, aux="may", predicate=("caused", other))

    def _with_aux(self, clause: Clause, aux: str) -> Clause:
        word, _, rest = aux.partition(" ")
        negated = rest == "not"
        past = word in ("did", "could")
        if word in ("do", "does", "did") and not negated:
            raise Refused("the auxiliary says nothing here")
        single = is_single(clause.subject)
        if (word == "do" and single is True) or (word == "does" and single is False):
            raise Refused("subject and verb do not agree")
        name = {"could": "can", "does": "do", "did": "do"}.get(word, word)
        return _changed(clause, aux=f"{name}-only" if rest == "only" else name, negated=negated, past=past)

    def finite_ellipsis(self, children: list[Any]) -> Clause:
        subject, aux = children
        word, _, rest = aux.partition(" ")
        if word not in ("do", "does", "did", "can", "could"):
            raise Refused("the verb is missing")
        return Clause(subject, (), voice="ellipsis", aux=word, negated=rest == "not", past=word == "did")

    def finite_adverb(self, children: list[Any]) -> Clause:
        """``if it already had a buff``."""
        subject, adverb, *rest = children
        if self._lemma(adverb) != "already":
            raise Refused("nothing is so")
        return self.finite([subject, *rest, Comp("adverb", "already")])

    def finite_compared(self, children: list[Any]) -> Clause:
        """``an opponent controls more units than you``."""
        subject, verbs, how, what, than = children
        self._agrees(subject, verbs)
        comps = (Comp("compared", (">" if how == "more" else "<", what, than)),)
        return Clause(subject, verbs, comps, past=verbs[0].form == "past")

    def more_or_less(self, children: list[Any]) -> str:
        return self._text(children)

    def finite_be_ellipsis(self, children: list[Any]) -> Clause:
        """``If it isn't, ...``: not what was asked before."""
        subject, be = children
        _be_agrees(subject, be)
        return Clause(subject, (), voice="ellipsis", aux="be", negated=True, past=be in ("was", "were"))

    def finite_each(self, children: list[Any]) -> Clause:
        subject, verbs, *comps = children
        return self.finite([subject, verbs, Comp("each"), *comps])

    def finite_ellipsis_adverb(self, children: list[Any]) -> Clause:
        subject, aux, adverb = children
        if self._lemma(adverb) != "already" or aux not in ("did not", "do not", "does not"):
            raise Refused("the verb is missing")
        return Clause(subject, (), (Comp("adverb", "already"),), voice="ellipsis", aux="do", negated=True)

    def finite_be_adverb(self, children: list[Any]) -> Clause:
        subject, be, adverb, verbs, *comps = children
        if self._lemma(adverb) != "already":
            raise Refused("nothing is so")
        return self.finite_be([subject, be, verbs, *comps, Comp("adverb", "already")])

    def finite_is_not_adverb(self, children: list[Any]) -> Clause:
        subject, be, predicate, adverb = children
        if self._lemma(adverb) != "already":
            raise Refused("nothing is so")
        clause = self.finite_is_not([subject, be, predicate])
        return replace(clause, comps=(Comp("adverb", "already"),))

    def finite_aux_passive(self, children: list[Any]) -> Clause:
        subject, aux, verbs, *comps = children
        if any(form.form == "ing" for form in verbs):
            raise Refused("no such form")
        return self._with_aux(Clause(subject, verbs, nearest(comps), voice="passive"), aux)

    def finite_be(self, children: list[Any]) -> Clause:
        subject, be, *rest = children
        verbs, comps = rest[0], rest[1:]
        _be_agrees(subject, be)
        voice = "progressive" if verbs[0].form == "ing" else "passive"
        return Clause(subject, verbs, nearest(comps), voice=voice, past=be in ("was", "were"))

    def finite_be_not(self, children: list[Any]) -> Clause:
        return _changed(self.finite_be(children), negated=True)

    def finite_is(self, children: list[Any]) -> Clause:
        subject, be, predicate = children
        _be_agrees(subject, be)
        return Clause(subject, (), voice="is", past=be in ("was", "were"), predicate=predicate)

    def finite_is_not(self, children: list[Any]) -> Clause:
        return _changed(self.finite_is(children), negated=True)

    def finite_also(self, children: list[Any]) -> Clause:
        subject, be, other = children
        _be_agrees(subject, be)
        return Clause(subject, (), voice="also", predicate=other)

    def finite_perfect(self, children: list[Any]) -> Clause:
        subject, have, verbs, *comps = children
        _have_agrees(subject, have)
        return Clause(subject, verbs, nearest(comps), voice="active", past=True, mood="perfect")

    def finite_perfect_not(self, children: list[Any]) -> Clause:
        return _changed(self.finite_perfect(children), negated=True)

    def finite_perfect_passive(self, children: list[Any]) -> Clause:
        subject, have, verbs, *comps = children
        _have_agrees(subject, have)
        return Clause(subject, verbs, nearest(comps), voice="passive", past=True, mood="perfect")

    def finite_perfect_passive_not(self, children: list[Any]) -> Clause:
        return _changed(self.finite_perfect_passive(children), negated=True)

    def finite_there(self, children: list[Any]) -> Clause:
        be, what = children
        if is_single(what) is (be in ("are", "were")):
            raise Refused("subject and verb do not agree")
        return Clause(what, (), voice="there", past=be in ("was", "were"))

    def finite_there_not(self, children: list[Any]) -> Clause:
        return _changed(self.finite_there(children), negated=True)

    # -------------------------------------------------------------------------------------- predicates

    def is_np(self, children: list[Any]) -> tuple[str, Any]:
        return ("np", children[0])

    def is_adjective(self, children: list[Any]) -> tuple[str, Any]:
        adjective = children[0]
        if adjective.kind != "filter" or isinstance(adjective.value, ast.Other):
            raise Refused("nothing is so")
        return ("filter", adjective.value)

    def is_place(self, children: list[Any]) -> tuple[str, Any]:
        return ("filter", children[0])

    def is_adverb(self, children: list[Any]) -> tuple[str, Any]:
        lemma = self._lemma(children[0])
        if lemma != "alone":
            raise Refused("nothing is so")
        return ("filter", ast.HasState("alone"))

    def is_alone_at(self, children: list[Any]) -> tuple[str, Any]:
        return ("filters", (self.is_adverb(children)[1], children[1]))

    def is_greater(self, children: list[Any]) -> tuple[str, Any]:
        return (">", amount_from(children[0]))

    def is_less(self, children: list[Any]) -> tuple[str, Any]:
        return ("<", amount_from(children[0]))

    def is_within(self, children: list[Any]) -> tuple[str, Any]:
        points, goal = children
        if (
            goal != BareStat("victory-score")
            or not isinstance(points, ast.Resource)
            or points.kind != "point"
        ):
            raise Refused("within what?")
        return ("within", points.amount)

    def is_enough(self, children: list[Any]) -> tuple[str, Any]:
        return ("enough", children[0])

    # ------------------------------------------------------------------------------------- complements

    def c_np(self, children: list[Any]) -> Comp:
        if isinstance(children[0], ast.Moment):
            # Only skipping is done to a time; every other verb refuses it.
            return Comp("time", children[0])
        return Comp("np", children[0])

    def c_number(self, children: list[Any]) -> Comp:
        return Comp("amount", self.number(children))

    def c_that_much(self, _: list[Any]) -> Comp:
        return Comp("amount", ast.ThatMuch())

    def c_twice_that_much(self, _: list[Any]) -> Comp:
        return Comp("amount", ast.Times(ast.Number(2), ast.ThatMuch()))

    def c_changes(self, children: list[Any]) -> Comp:
        return Comp("changes", children[0])

    def c_to(self, children: list[Any]) -> Comp:
        return Comp("to", (children[0], children[1]))

    def c_while_doing(self, children: list[Any]) -> Comp:
        return Comp("while-doing", (self._lemma(children[0]), children[1]))

    def c_while_paying(self, children: list[Any]) -> Comp:
        return Comp("while-doing", ("pay", children[0]))

    def c_to_might(self, children: list[Any]) -> Comp:
        return Comp("to", ("to", children[0]))

    def c_to_here(self, _: list[Any]) -> Comp:
        return Comp("to", ("to", ast.Here()))

    def c_to_number(self, children: list[Any]) -> Comp:
        return Comp("to", ("to", self.number(children)))

    def c_to_or_from(self, children: list[Any]) -> Comp:
        return Comp("to-or-from", children[0])

    def c_measure(self, children: list[Any]) -> Comp:
        return Comp("measure", children[0])

    def c_names(self, children: list[Any]) -> Comp:
        return Comp("names", children[0])

    def c_name(self, children: list[Any]) -> Comp:
        return Comp("word", self._lemma(children[0]))

    def c_from_doing(self, children: list[Any]) -> Comp:
        return Comp("adverb", f"from-{self._lemma(children[0])}")

    def c_from_keyword(self, children: list[Any]) -> Comp:
        if children[0].text != "Hidden":
            raise Refused("nothing comes from there")
        return Comp("adverb", "from-facedown")

    def c_after_this(self, _: list[Any]) -> Comp:
        return Comp("adverb", "after-this-one")

    def c_keyword_state(self, children: list[Any]) -> Comp:
        return Comp("state", children[0].text.lower())

    def c_until_np(self, children: list[Any]) -> Comp:
        return Comp("until-moment", children[0])

    def c_instead_of_doing(self, children: list[Any]) -> Comp:
        form, *comps = children
        word = self.vocabulary.word(form.text)
        assert word is not None
        return Comp(
            "instead-of", Clause(None, (VerbForm(word.lemma, "base"),), nearest(comps), mood="imperative")
        )

    def p_for_doing(self, children: list[Any]) -> Post:
        form, *comps = children
        word = self.vocabulary.word(form.text)
        assert word is not None
        return Post(
            "for-doing", Clause(None, (VerbForm(word.lemma, "base"),), nearest(comps), mood="imperative")
        )

    def c_place(self, children: list[Any]) -> Comp:
        return Comp("place", children[0])

    def c_duration(self, children: list[Any]) -> Comp:
        return Comp("duration", children[0])

    def c_moment(self, children: list[Any]) -> Comp:
        return Comp("moment", children[0])

    def c_equal(self, children: list[Any]) -> Comp:
        return Comp("equal", amount_from(children[0]))

    def c_for(self, children: list[Any]) -> Comp:
        return Comp("per", children[0])

    def c_each_time(self, children: list[Any]) -> Comp:
        return Comp("per-event", children[0])

    def c_by(self, children: list[Any]) -> Comp:
        return Comp("by", children[0])

    def c_price(self, children: list[Any]) -> Comp:
        return Comp("price", children[0])

    def c_with(self, children: list[Any]) -> Comp:
        return Comp("with", children[0])

    def c_instead(self, _: list[Any]) -> Comp:
        return Comp("instead")

    def c_instead_of(self, children: list[Any]) -> Comp:
        return Comp("instead-of", children[0])

    def c_state(self, children: list[Any]) -> Comp:
        return Comp("state", self._lemma(children[0]))

    def c_ready(self, _: list[Any]) -> Comp:
        return Comp("state", "ready")

    def c_adverb(self, children: list[Any]) -> Comp:
        return Comp("adverb", self._lemma(children[0]))

    def c_first(self, _: list[Any]) -> Comp:
        return Comp("adverb", "first")

    def c_last(self, _: list[Any]) -> Comp:
        return Comp("adverb", "last")

    def c_each(self, _: list[Any]) -> Comp:
        return Comp("each")

    def c_only(self, _: list[Any]) -> Comp:
        return Comp("only")

    def c_this_way(self, _: list[Any]) -> Comp:
        return Comp("this-way")

    def c_split(self, children: list[Any]) -> Comp:
        return Comp("split", children[0])

    def c_until(self, children: list[Any]) -> Comp:
        return Comp("until", children[0])

    def c_as(self, children: list[Any]) -> Comp:
        return Comp("as", children[0])

    def c_become(self, children: list[Any]) -> Comp:
        """``becomes buffed``: the state that a verb's participle names."""
        word = self.vocabulary.word(children[0].text)
        state = self.vocabulary.frames[word.lemma].state if word is not None else None
        if state is None:
            raise Refused("nothing becomes so")
        return Comp("become", state)

    def c_times(self, children: list[Any]) -> Comp:
        return Comp("times", children[0])

    def times(self, children: list[Any]) -> ast.Number:
        number: ast.Number = children[0]
        if number.value < 2:
            raise Refused("once is not said so")
        return number

    def times_twice(self, _: list[Any]) -> ast.Number:
        return ast.Number(2)

    def c_first_time(self, _: list[Any]) -> Comp:
        return Comp("first-time")

    def c_mana(self, children: list[Any]) -> Comp:
        return Comp("np", children[0])

    def c_mana_more(self, children: list[Any]) -> Comp:
        return Comp("additional-mana", next(child for child in children if child is not None))

    def c_mana_least(self, children: list[Any]) -> Comp:
        parts = tuple(
            ast.Energy(ast.AtLeast(part.amount))
            if isinstance(part, ast.Energy)
            else ast.Power(part.domain, ast.AtLeast(part.amount))
            for part in children[0].parts
        )
        return Comp("np", ast.Cost(parts))

    def c_mana_less(self, children: list[Any]) -> Comp:
        return Comp("less", children[0])

    def c_energy_less(self, children: list[Any]) -> Comp:
        """A bare number where a cost is meant is of Energy, as some exports write it."""
        return Comp("less", self.energy(children[0]))

    def c_energy_more(self, children: list[Any]) -> Comp:
        return Comp("more", self.energy(children[0]))

    def energy(self, number: Token) -> ast.Cost:
        """Give a bare number as a cost in Energy."""
        return ast.Cost((ast.Energy(ast.Number(number.value)),))

    def c_mana_more_cost(self, children: list[Any]) -> Comp:
        return Comp("more", children[0])

    def mana_options(self, children: list[Any]) -> Any:
        return children[0] if len(children) == 1 else ast.CostOptions(tuple(children))

    def c_for_mana(self, children: list[Any]) -> Comp:
        return Comp("price", children[0])

    def c_by_number(self, children: list[Any]) -> Comp:
        return Comp("by", self.number(children))

    def c_by_mana(self, children: list[Any]) -> Comp:
        return Comp("by", children[0])

    def c_minimum(self, children: list[Any]) -> Comp:
        return Comp("minimum", next(child for child in children if child is not None))

    def minimum(self, children: list[Any]) -> Any:
        return children[0]

    def c_that_much_power(self, children: list[Any]) -> Comp:
        return Comp("np", ast.Cost((ast.Power(power_domain(children[0]), ast.ThatMuch()),)))

    def c_reducing(self, children: list[Any]) -> Comp:
        stat, cost = children
        part = self._cost_part(stat)
        return Comp("price", ast.CostChange(None, "less", cost, part))

    def c_reducing_by(self, children: list[Any]) -> Comp:
        stat, amount = children
        return Comp("price", ast.CostChange(None, "less", amount_from(amount), self._cost_part(stat)))

    def c_no_more_than(self, children: list[Any]) -> Comp:
        first, second, than = children
        stats = [f"{self._lemma(token)}-cost" for token in (first, second)]
        if stats != ["energy-cost", "power-cost"] or not isinstance(than, ast.Reference | ast.Self):
            raise Refused("compared with what?")
        return Comp("limits", tuple(ast.StatIs(stat, "<=", ast.StatOf(stat, than)) for stat in stats))

    def _cost_part(self, stat: Any) -> str:
        if isinstance(stat, ast.StatOf) and stat.stat.endswith("cost"):
            return stat.stat
        if isinstance(stat, BareStat) and stat.stat.endswith("cost"):
            return stat.stat
        raise Refused("only a cost is changed so")

    def ignoring(self, children: list[Any]) -> ast.CostChange:
        return ast.CostChange(None, "ignore", None, self._cost_part(children[0]))

    def ignoring_all(self, _: list[Any]) -> ast.CostChange:
        return ast.CostChange(None, "ignore", None, "any-cost")

    # --------------------------------------------------------------------------------------- durations

    def this_turn(self, _: list[Any]) -> ast.ThisTurn:
        return ast.ThisTurn()

    def each_turn(self, _: list[Any]) -> ast.ThisTurn:
        return ast.ThisTurn(each=True)

    def once_per_turn(self, _: list[Any]) -> str:
        return "once-each-turn"

    def this_combat(self, children: list[Any]) -> ast.ThisCombat:
        if self._lemma(children[0]) != "combat":
            raise Refused("no such time")
        return ast.ThisCombat()

    def during(self, children: list[Any]) -> Any:
        moment = children[0]
        if isinstance(moment, ast.Objects) and moment.nouns == ("showdown",) and not moment.filters:
            return ast.During("showdown")
        if not isinstance(moment, ast.Moment) or moment.which is not None:
            raise Refused("during what?")
        return ast.During(moment.phase, moment.whose)

    def as_long_as(self, children: list[Any]) -> ast.AsLongAs:
        return ast.AsLongAs(children[0])

    def until_turn(self, children: list[Any]) -> ast.UntilEvent:
        moment = children[0]
        if not isinstance(moment, ast.Moment) or moment.which != "next" or moment.whose is None:
            raise Refused("until when?")
        return ast.UntilEvent(ast.Event(ast.Moment("start", moment.phase, moment.whose, moment.which)))

    def until_edge(self, children: list[Any]) -> Any:
        moment = self.moment(children)
        if moment == ast.Moment("end", "turn", None, "this"):
            return ast.ThisTurn()
        return ast.UntilEvent(ast.Event(moment))

    def on_turn(self, children: list[Any]) -> Any:
        moment = children[0]
        if (
            not isinstance(moment, ast.Moment)
            or moment.phase != "turn"
            or moment.whose is None
            or moment.which
        ):
            raise Refused("on what?")
        return ast.During("turn", moment.whose)

    def moment(self, children: list[Any]) -> ast.Moment:
        edge, what = children
        if not isinstance(what, ast.Moment):
            raise Refused("of what?")
        if what.edge == "bare" and what.phase != "turn":
            raise Refused("of which?")
        whose = what.whose
        if what.edge == "this" or (what.edge in ("bare", "the") and what.phase == "turn"):
            return ast.Moment(edge, "turn", None, "this")
        if isinstance(whose, ast.Player) and whose.which == "each-player":
            whose = ast.Player("each-player")
        return ast.Moment(edge, what.phase, whose, what.which)

    # ----------------------------------------------------------------------------------------- changes

    def changes(self, children: list[Any]) -> tuple[Any, ...]:
        return (children[0],)

    def change_more(self, children: list[Any]) -> Any:
        return children[0]

    def changes_more(self, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    def ch_keyword(self, children: list[Any]) -> Any:
        token = children[0]
        if self.vocabulary.keywords[token.text].get("cost"):
            raise Refused("this keyword lacks its cost")
        return ast.Gains(self._keyword(token))

    def ch_keywords(self, children: list[Any]) -> Any:
        possessor, noun = children
        if self._lemma(noun) != "keyword" or not self._plural(noun) or not isinstance(possessor.of, ast.Self):
            raise Refused("this is no change")
        return ast.Gains(ast.AbilityText("keyword", possessor.of))

    def ch_keyword_equal(self, children: list[Any]) -> Any:
        token, amount = children
        entry = self.vocabulary.keywords[token.text]
        amount = amount_from(amount)
        if entry.get("cost") and isinstance(amount, ast.StatOf) and amount.stat.endswith("cost"):
            return ast.Gains(ast.Keyword(token.text, None, amount))
        if entry.get("value") and not token.value:
            return ast.Gains(ast.Keyword(token.text, amount))
        raise Refused("this keyword takes no such amount")

    def ch_keyword_cost(self, children: list[Any]) -> Any:
        token, cost = children
        if not self.vocabulary.keywords[token.text].get("cost"):
            raise Refused("this keyword takes no cost")
        return ast.Gains(self._keyword(token, cost))

    @abstractmethod
    def ch_quote(self, children: list[Any]) -> Any:
        """Read a quoted ability that something gains; the sentences of :mod:`reading.sentences` do."""

    def ch_might(self, children: list[Any]) -> Any:
        sign, amount, _ = children
        return ast.MightChange(amount, minus=sign != "+")

    def ch_might_more(self, children: list[Any]) -> Any:
        sign, amount, _ = [child for child in children if child is not None]
        return ast.MightChange(amount, minus=sign != "+", additional=True)

    def ch_might_equal(self, children: list[Any]) -> Any:
        sign, _, amount = children
        return ast.MightChange(amount_from(amount), minus=sign != "+")

    # ----------------------------------------------------------------------------------- relative clauses

    def rel_subject(self, children: list[Any]) -> Any:
        text = self._text(children)
        first = text.split()[0]
        if first in ("a", "an", "that", "your"):
            return self._player(_DETERMINERS[first], [], Head((self.noun(children[1:]),)), [])
        if first == "you":
            if len(children) == 1:
                return YOU
            if self._lemma(children[2]) != "ally" or self._plural(children[2]) is False:
                raise Refused("no such player")
            return ast.Group((YOU, ast.Player("allies")), "or")
        if first == "they":
            return They()
        if first == "it":
            return ast.Reference("it")
        if first == "i":
            return ast.Self("I")
        if first == "this":
            return ast.Self("this") if len(children) == 1 else ast.Self(f"this {self._lemma(children[1])}")
        if not self._plural(children[0]) or self._lemma(children[0]) not in ("opponent", "player"):
            raise Refused("no such player")
        return ast.Player("opponents" if self._lemma(children[0]) == "opponent" else "players")

    def _plural(self, token: Token) -> bool:
        word = self.vocabulary.word(token.text)
        return word is not None and word.form == "plural"

    def rel_gap(self, children: list[Any]) -> tuple[str, Clause]:
        subject, verbs, *comps = children
        self._agrees(subject, verbs)
        return ("object", Clause(subject, verbs, nearest(comps), past=verbs[0].form == "past"))

    def rel_gap_aux(self, children: list[Any]) -> tuple[str, Clause]:
        subject, aux, verbs, *comps = children
        return ("object", self._with_aux(Clause(subject, verbs, nearest(comps)), aux))

    def rel_gap_ing(self, children: list[Any]) -> tuple[str, Clause]:
        subject, _be, form, *comps = children
        word = self.vocabulary.word(form.text)
        assert word is not None
        return (
            "object",
            Clause(subject, (VerbForm(word.lemma, "ing"),), nearest(comps), voice="progressive"),
        )

    def rel_gap_perfect(self, children: list[Any]) -> tuple[str, Clause]:
        subject, _, verbs, *comps = children
        return ("object", Clause(subject, verbs, nearest(comps), past=True, mood="perfect"))

    def rel_gap_perfect_not(self, children: list[Any]) -> tuple[str, Clause]:
        kind, clause = self.rel_gap_perfect(children)
        return (kind, _changed(clause, negated=True))

    def rel_gap_perfect_not_adverb(self, children: list[Any]) -> tuple[str, Clause]:
        subject, have, adverb, verbs, *comps = children
        if self._lemma(adverb) != "already":
            raise Refused("nothing is so")
        return self.rel_gap_perfect_not([subject, have, verbs, *comps, Comp("adverb", "already")])

    def rel_that(self, children: list[Any]) -> tuple[str, Clause]:
        verbs, *comps = children
        return ("subject", Clause(None, verbs, nearest(comps), past=verbs[0].form == "past"))

    def rel_that_aux(self, children: list[Any]) -> tuple[str, Clause]:
        aux, verbs, *comps = children
        return ("subject", self._with_aux(Clause(None, verbs, nearest(comps)), aux))

    def rel_that_did(self, children: list[Any]) -> tuple[str, Any]:
        return ("did", None)

    def rel_that_did_not(self, _: list[Any]) -> tuple[str, Any]:
        return ("did-not", None)

    def rel_that_aux_passive(self, children: list[Any]) -> tuple[str, Clause]:
        aux, verbs, *comps = children
        return ("object", self._with_aux(Clause(None, verbs, nearest(comps), voice="passive"), aux))

    def rel_is(self, children: list[Any]) -> tuple[str, Clause]:
        be, predicate = children
        return ("is", Clause(None, (), voice="is", past=be in ("was", "were"), predicate=predicate))

    def rel_is_not(self, children: list[Any]) -> tuple[str, Clause]:
        gap, clause = self.rel_is(children)
        return (gap, _changed(clause, negated=True))

    def rel_that_be(self, children: list[Any]) -> tuple[str, Clause]:
        be, verbs, *comps = children
        voice = "progressive" if verbs[0].form == "ing" else "passive"
        return ("object", Clause(None, verbs, nearest(comps), voice=voice, past=be in ("was", "were")))

    def rel_that_been(self, children: list[Any]) -> tuple[str, Clause]:
        _, verbs, *comps = children
        return ("object", Clause(None, verbs, nearest(comps), voice="passive", past=True))

    def rel_that_been_not(self, children: list[Any]) -> tuple[str, Clause]:
        kind, clause = self.rel_that_been(children)
        return (kind, _changed(clause, negated=True))

    def rel_costs(self, children: list[Any]) -> tuple[str, Any]:
        return ("limits", self._limits("cost", children[0], whole=True))

    def rel_participle(self, children: list[Any]) -> tuple[str, Any]:
        form, *comps = children
        if form.form != "ing" and self.vocabulary.frames[form.lemma].state is not None and not comps:
            raise Refused("a state stands before its noun")
        if form.form == "ing":
            return ("participle", Clause(None, (form,), nearest(comps), voice="progressive"))
        return ("object", Clause(None, (form,), nearest(comps), voice="passive", past=True))

    def rel_gap_to(self, children: list[Any]) -> tuple[str, Any]:
        *rest, purpose = children
        _, clause = self.rel_gap(rest)
        return ("object", replace(clause, purpose=purpose))

    def rel_participle_to(self, children: list[Any]) -> tuple[str, Any]:
        form, purpose = children
        return ("needed", replace(Clause(None, (form,), voice="passive", past=True), purpose=purpose))

    def rel_where(self, children: list[Any]) -> tuple[str, Any]:
        return ("where", children[0])

    def _relative(self, value: Any, nouns: tuple[str, ...]) -> list[Any]:
        gap, clause = value
        if gap == "limits":
            return list(clause)
        if gap in ("did", "did-not"):
            return [ast.That(ast.Event(ast.Action("do-so")), "subject", negated=gap == "did-not")]
        if gap == "is":
            return self._relative_is(clause)
        if gap == "where":
            return [ast.Where(self.condition_of(clause))]
        if gap == "needed":
            raise Refused("no such description")
        verb = clause.verbs[0].lemma
        if len(clause.verbs) > 1:
            raise Refused("one thing is said of a thing")
        if gap == "participle":
            return self._participle(clause)
        if gap == "object" and verb in ("control", "own") and not clause.comps and not clause.past:
            if clause.aux not in (None, "do"):
                raise Refused("no such description")
            who = self.player(clause.subject, "control")
            return [ast.ControlledBy(who, owned=verb == "own", negated=clause.negated)]
        if gap == "subject" and verb == "have" and not clause.past and clause.aux is None:
            return self._has(clause)
        if gap == "subject" and verb == "choose" and not clause.past and clause.aux is None:
            what = [comp.value for comp in clause.comps]
            one = what[0] if len(what) == 1 else None
            bare = isinstance(one, ast.Objects) and one.quantity.form == "bare" and not one.filters
            if isinstance(one, ast.Objects) and bare and len(one.nouns) == 1:
                return [ast.That(ast.Event(ast.Action("choose", object=ast.Word(one.nouns[0]))), "subject")]
            if len(what) == 1 and clause.comps[0].kind == "np":
                return [self._chooses(what[0])]
        bare = clause.voice == "active" and not any(comp.kind == "np" for comp in clause.comps)
        if gap == "subject" and bare and self.vocabulary.frames[verb].moves:
            # "Units that moved": they are moved, whoever moves them.
            gap, clause = "object", _changed(clause, voice="passive")
        if gap == "object" and verb == "attach" and clause.voice == "passive" and len(clause.comps) == 1:
            comp = clause.comps[0]
            if comp.kind == "to" and comp.value[0] == "to":
                return [ast.AttachedTo(self.selector(comp.value[1]))]
        if gap == "subject" and verb == "cost":
            limits = [comp.value for comp in clause.comps if comp.kind == "limits"]
            if len(limits) == 1 == len(clause.comps):
                return list(limits[0])
            raise Refused("no such cost")
        return [self._that(clause, gap)]

    def _that(self, clause: Clause, gap: str) -> ast.That:
        this_way = False
        window = None
        comps = []
        for comp in clause.comps:
            if comp.kind == "this-way" or (
                comp.kind == "per" and comp.value == ast.Self() and comp.value.form != "this"
            ):
                this_way = True
                continue
            if comp.kind == "duration" and isinstance(comp.value, ast.ThisTurn | ast.During):
                window = comp.value
                continue
            comps.append(comp)
        if clause.aux not in (None, "do", "would"):
            raise Refused("no such description")
        if clause.verbs[0].lemma == "have":
            raise Refused("what is had is not said so")
        if clause.verbs[0].lemma in ("control", "own") and not clause.past:
            raise Refused("what is controlled is so without a time")
        event = ast.Event(
            self.action(_changed(clause, comps=nearest(comps), aux=None, negated=False), gap=gap)
        )
        if gap == "object" and getattr(event.action, "object", None) is not None:
            raise Refused("this is said twice")
        if clause.aux == "would":
            gap = f"would-{gap}"
        return ast.That(event, gap, window, this_way, clause.negated)

    def _relative_is(self, clause: Clause) -> list[Any]:
        kind, value = clause.predicate
        if kind == "np" and not clause.past:
            return self._of_type(value, clause.negated)
        if kind == "filter" and clause.negated:
            if clause.past or not isinstance(value, ast.HasState | ast.At | ast.HasTag | ast.HasType):
                raise Refused("no such description")
            return [replace(value, negated=True)]
        if kind == "filter":
            if clause.past:
                return [ast.That(ast.Event(ast.Action("be", object=None, state=_state(value))), "was")]
            return [value]
        raise Refused("no such description")

    def _of_type(self, value: Any, negated: bool) -> list[Any]:
        """``a card that isn't a unit``: what sort of thing it is, or not."""
        one = ast.Quantity("exactly", ast.Number(1))
        if (
            not isinstance(value, ast.Objects)
            or value.quantity != one
            or value.filters
            or len(value.nouns) > 1
        ):
            raise Refused("no such description")
        (noun,) = value.nouns
        if noun in self.vocabulary.tags.values():
            return [ast.HasTag((noun,), negated)]
        return [ast.HasType(noun, negated)]

    def _participle(self, clause: Clause) -> list[Any]:
        frame = self.vocabulary.frames[clause.verbs[0].lemma]
        if frame.lemma == "affect":
            return [
                ast.That(ast.Event(self.action(_changed(clause, voice="active"), gap="subject")), "subject")
            ]
        if frame.ing is None:
            raise Refused("no such description")
        filters: list[Any] = [ast.HasState(frame.ing)]
        for comp in clause.comps:
            if comp.kind == "place" and isinstance(comp.value, ast.At):
                filters.append(comp.value)
            else:
                raise Refused("no such description")
        return filters

    def _has(self, clause: Clause) -> list[Any]:
        if len(clause.comps) != 1:
            raise Refused("no such description")
        comp = clause.comps[0]
        if comp.kind == "measure":
            return list(comp.value)
        raise Refused("no such description")

    def _chooses(self, what: Any) -> ast.Chooses:
        if isinstance(what, ast.Group) and what.conjunction == "and" and len(what.parts) == 2:
            first, second = what.parts
            if isinstance(second, ast.Objects) and second.quantity.rule == "none":
                if ast.Other() not in second.filters or not isinstance(first, ast.Reference):
                    raise Refused("none but which?")
                return ast.Chooses(first, only=True, no_other=second)
        return ast.Chooses(self.selector(what))

    # ---------------------------------------------------------------------------------------- the action

    def player(self, value: Any, verb: str) -> Any:
        """Give who does something: "they" are players, except with verbs that things do."""
        if isinstance(value, They):
            return ast.Reference("them") if verb in THINGS_DO else ast.Player("they")
        if isinstance(value, Placed | Next | Nth | BareStat | OnlyOne):
            raise Refused("this does nothing")
        return value

    def selector(self, value: Any) -> Any:
        """Give a thing that something is done to; refuse phrases that no verb has taken."""
        if isinstance(value, They):
            return ast.Reference("them")
        if isinstance(value, ast.Reference) and value.role in ("mine", "one-or-more"):
            raise Refused(f"{value.role} what?")
        if isinstance(value, Placed | Next | Nth | BareStat | OnlyOne | ast.Moment):
            raise Refused("no verb takes this")
        if isinstance(value, ast.Group):
            return ast.Group(tuple(self.selector(part) for part in value.parts), value.conjunction)
        return value

    def action(self, clause: Clause, *, gap: str | None = None, event: bool = False) -> ast.Action:
        """Read a clause as one action by the frame of its first verb."""
        if len(clause.verbs) != 1:
            raise Refused("one action at a time")
        lemma = clause.verbs[0].lemma
        frame = self.vocabulary.frames[lemma]
        return ActionReader(self, frame, clause, gap, event).read()

    @abstractmethod
    def condition_of(self, clause: Any) -> Any:
        """Read a clause as a condition; the sentences do."""

    @abstractmethod
    def per_each(self, value: Any) -> Any:
        """Read "for each ..."; the sentences do."""


class ActionReader:
    """Reads one clause by one verb frame."""

    def __init__(
        self, builder: ClauseBuilder, frame: VerbFrame, clause: Clause, gap: str | None, event: bool
    ) -> None:
        self.builder = builder
        self.frame = frame
        self.clause = clause
        self.gap = gap
        self.event = event
        self.roles: dict[str, Any] = {}
        self.manner: list[str] = []
        self.removed: list[str] = []

    def read(self) -> ast.Action:
        """Give the action, or refuse what the frame does not take or misses."""
        clause, frame = self.clause, self.frame
        for comp in self._unfolded():
            handler = _COMPLEMENTS.get(comp.kind)
            if handler is None:
                raise Refused(f"“{frame.lemma}” takes no such phrase")
            handler(self, comp.value)
        self._subject()
        self._goal()
        self._check()
        return ast.Action(
            frame.lemma,
            manner=tuple(sorted(self.manner)),
            negated=clause.negated,
            span=clause.span,
            purpose=None if clause.purpose is None else self.builder.action(clause.purpose),
            **self.roles,
        )

    def _goal(self) -> None:
        """ "Move a unit you control there": "there" is where it goes, where no other goal is said."""
        moved = self.roles.get("object")
        if self.event or self.frame.lemma != "move" or "to" in self.roles or "source" in self.roles:
            return
        if isinstance(moved, ast.Objects) and moved.filters[-1:] == (ast.At(ast.There()),):
            self.roles["to"] = moved.filters[-1].place  # type: ignore[union-attr]
            self.roles["object"] = replace(moved, filters=moved.filters[:-1])

    def _unfolded(self) -> list[Comp]:
        comps: list[Comp] = []
        for comp in self.clause.comps:
            value = comp.value
            if comp.kind == "np" and isinstance(value, Placed):
                comps.append(Comp("np", value.what))
                for post in value.posts:
                    comps.append(_POSTS.get(post.kind, _refuse_post)(post))
            elif comp.kind == "to" and isinstance(value[1], Placed):
                comps.append(Comp("to", (value[0], value[1].what)))
                for post in value[1].posts:
                    if post.kind == "same":
                        comps.append(Comp("same"))
                    else:
                        comps.append(_POSTS.get(post.kind, _refuse_post)(post))
            else:
                comps.append(comp)
        return comps

    def set(self, role: str, value: Any) -> None:
        """Fill a role, once."""
        if self.roles.get(role) is not None:
            raise Refused(f"“{self.frame.lemma}” has this said twice")
        if isinstance(value, ast.TokenSpec) and (self.event or role != self.frame.makes):
            value = described(value)
        self.roles[role] = value

    # ------------------------------------------------------------------------------------- complements

    def on_np(self, value: Any) -> None:
        frame = self.frame
        if isinstance(value, Nth | Next) and not self.event and isinstance(value, Nth):
            raise Refused("only events are counted")
        if isinstance(value, Nth | Next):
            self.roles["counted"] = value
            value = value.what
        if isinstance(value, ast.Cost | ast.CostOptions):
            if not frame.mana:
                raise Refused(f"“{frame.lemma}” is not done to a cost")
            self.set("object", value)
            return
        if isinstance(value, ast.Resource):
            self._resource(value)
            return
        if frame.lemma == "deal" and isinstance(value, ast.StatOf):
            self.set("object", value)
            return
        if frame.object is None:
            raise Refused(f"“{frame.lemma}” is done to nothing")
        if self.clause.voice == "passive" and frame.passive is None:
            raise Refused("this is said twice")
        if self.roles.get("amount") is not None and frame.amount is not None:
            raise Refused(f"“{frame.lemma}” has this said twice")
        value = self.builder.selector(value)
        self._kind(value)
        self.set("object", self._hoisted(value))

    def _resource(self, value: ast.Resource) -> None:
        if value.kind in ("energy", "power") and self.frame.mana:
            part = ast.Energy(value.amount) if value.kind == "energy" else ast.Power("any", value.amount)
            self.set("object", ast.Cost((part,)))
            return
        if self.frame.lemma == "deal" and value.kind == "damage" and value.of is None:
            if value.amount != ast.AnyAmount():
                self.set("amount", value.amount)
            self.manner.append("damage")
            return
        if value.kind not in self.frame.resource:
            raise Refused(f"“{self.frame.lemma}” is not done to this")
        self.set("object", value)

    def _kind(self, value: Any) -> None:
        wanted = self.frame.object
        if not wanted:
            return
        for part in value.parts if isinstance(value, ast.Group) else (value,):
            if isinstance(part, ast.Player | ast.StatOf):
                raise Refused(f"“{self.frame.lemma}” is not done to this")
            nouns = getattr(part, "nouns", ()) if not isinstance(part, ast.TopOf) else part.nouns
            for noun in nouns:
                known = self.builder.vocabulary.kinds.get(noun.removeprefix("facedown-"))
                if known is not None and not known.intersection(wanted):
                    raise Refused(f"“{self.frame.lemma}” is not done to a {noun}")
                if known is None and not {"permanent", "card", "unit"}.intersection(wanted):
                    raise Refused(f"“{self.frame.lemma}” is not done to this")
            if isinstance(part, ast.Here | ast.There) and "place" not in wanted:
                raise Refused(f"“{self.frame.lemma}” is not done to a place")
            if isinstance(part, ast.Zone | ast.LocationOf) and not {"zone", "place"}.intersection(wanted):
                raise Refused(f"“{self.frame.lemma}” is not done to a zone")

    def _hoisted(self, value: Any) -> Any:
        """Move a place phrase on the object to the role that the frame gives it."""
        frame = self.frame
        if not isinstance(value, ast.Objects):
            return value
        kept = []
        for f in value.filters:
            if isinstance(f, ast.At) and frame.at not in (None, "object") and not f.same:
                self.set(str(frame.at), f.place)
            elif isinstance(f, ast.From) and frame.source is not None:
                self.set("source", f.place)
            else:
                kept.append(f)
        return (
            ast.Objects(value.quantity, value.nouns, tuple(kept))
            if len(kept) != len(value.filters)
            else value
        )

    def on_amount(self, value: Any) -> None:
        frame = self.frame
        if frame.mana and frame.lemma == "pay" and isinstance(value, ast.Number):
            self.set("object", ast.Cost((ast.Energy(value),)))
            return
        if frame.amount is None:
            raise Refused(f"“{frame.lemma}” is not done to a number")
        if "damage" in self.manner or self.roles.get("object") is not None:
            raise Refused(f"“{frame.lemma}” has this said twice")
        self.set("amount", value)

    def on_to(self, value: tuple[str, Any]) -> None:
        preposition, where = value
        if "to" not in self.frame.takes:
            raise Refused(f"“{self.frame.lemma}” has no place that it leads to")
        if preposition == "on" and not (isinstance(where, ast.Zone) and where.edge):
            raise Refused("on what?")
        if preposition == "to" and isinstance(where, ast.Zone) and where.edge:
            raise Refused("one puts things on the top")
        if isinstance(where, ast.Moment | ast.Number | ast.StatOf | BareStat | Nth | Next):
            raise Refused("this is no place")
        if where == ast.Reference("each-other"):
            self.on_adverb("to-each-other")
            return
        imperative = self.clause.subject in (None, YOU) and self.clause.voice == "active"
        if self.frame.moves and imperative and where == ast.Zone("base", ast.Player("they")):
            # "Move any number of units to their base": each to its own.
            where = ast.LocationOf(ast.Reference("them"), "base")
        self.set("to", self.builder.selector(where))

    def on_same(self, _: Any) -> None:
        self.manner.append("same-place")

    def on_place(self, value: Any) -> None:
        frame = self.frame
        if isinstance(value, ast.At):
            if self.roles.get("amount") is not None and "object" not in self.roles and frame.amount:
                raise Refused("no such place")
            role = frame.at if frame.at not in (None, "object") else "at"
            if (role not in frame.takes and role != "at") or "at" not in frame.takes:
                raise Refused(f"“{frame.lemma}” takes no place")
            self.set(str(role), value.place)
        elif isinstance(value, ast.From):
            if "source" not in frame.takes:
                raise Refused(f"“{frame.lemma}” is from nowhere")
            self.set("source", value.place)

    def on_with(self, value: Any) -> None:
        if "using" not in self.frame.takes:
            raise Refused(f"“{self.frame.lemma}” is done with nothing")
        self.set("using", self.builder.selector(value))

    def on_equal(self, value: Any) -> None:
        if self._as_many(value):
            return
        if "damage" not in self.manner or self.roles.get("amount") is not None:
            raise Refused("equal to what?")
        self.set("amount", value)

    def _as_many(self, value: Any) -> bool:
        """``Draw cards equal to ...``, ``gain XP equal to ...``: as many as that."""
        what = self.roles.get("object")
        if isinstance(what, ast.Resource) and what.amount == ast.AnyAmount():
            self.roles["object"] = replace(what, amount=value)
            return True
        if not isinstance(what, ast.Objects) or what.quantity.form != "bare" or what.filters:
            return False
        if self.frame.amount is not None and what.nouns == (self.frame.amount or "card",):
            del self.roles["object"]
            self.set("amount", value)
        else:
            self.roles["object"] = replace(what, quantity=ast.Quantity("exactly", value))
        return True

    def on_state(self, value: str) -> None:
        if "state" not in self.frame.takes:
            raise Refused(f"“{self.frame.lemma}” leaves nothing so")
        behind = (
            self.frame.lemma in ("become", "enter") or self.gap is not None or self.clause.voice != "active"
        )
        if self.frame.object is not None and "object" not in self.roles and not behind:
            raise Refused("a state stands behind what is so")
        self.set("state", value)

    def on_become(self, value: str) -> None:
        if self.frame.lemma != "become":
            raise Refused(f"“{self.frame.lemma}” leaves nothing so")
        self.set("state", value)

    def on_adverb(self, value: str) -> None:
        if value not in self.frame.takes:
            raise Refused(f"“{self.frame.lemma}” is not done so")
        self.manner.append(value)

    def on_each(self, _: Any) -> None:
        several = isinstance(self.clause.subject, ast.Group | ast.Objects | They | ast.Player)
        if (
            is_single(self.clause.subject) is not False
            or not several
            or self.event
            or self.clause.voice != "active"
        ):
            raise Refused("each of whom?")
        self.manner.append("each")

    def on_price(self, value: Any) -> None:
        if "cost" not in self.frame.takes:
            raise Refused(f"“{self.frame.lemma}” has no cost")
        self.set("cost", value)

    def on_split(self, value: Any) -> None:
        if "split" not in self.frame.takes:
            raise Refused("only damage is split")
        if "damage" not in self.manner:
            raise Refused("split what?")
        self.manner.append("split")
        self.set("to", self.builder.selector(value))

    def on_by(self, value: Any) -> None:
        if self.clause.voice != "passive" or not isinstance(
            value, ast.Objects | ast.Player | ast.Group | ast.Self
        ):
            raise Refused("by what?")
        self.set("subject", value)

    def on_until(self, value: Any) -> None:
        if "until" not in self.frame.takes:
            raise Refused("until when?")
        self.set("until", ast.Event(self.builder.action(value, event=True)))

    def on_per(self, value: Any) -> None:
        if self.frame.lemma == "pay" and isinstance(value, ast.Reference) and value.role == "this":
            self.set("object", value)
            return
        if self.frame.lemma == "pay" and self.roles.get("object") is not None:
            self.roles["amount"] = self.builder.per_each(value)
            return
        times = self.builder.per_each(value)
        amount, what = self.roles.get("amount"), self.roles.get("object")
        if amount is not None:
            self.roles["amount"] = ast.Times(amount, times)
        elif isinstance(what, ast.Resource):
            self.roles["object"] = replace(what, amount=ast.Times(what.amount, times))
        elif isinstance(what, ast.TokenSpec | ast.Objects) and what.quantity.rule == "exactly":
            assert what.quantity.amount is not None
            quantity = replace(what.quantity, amount=ast.Times(what.quantity.amount, times))
            self.roles["object"] = replace(what, quantity=quantity)
        else:
            raise Refused("for each of what?")

    def on_as(self, value: Any) -> None:
        if self.frame.lemma == "deal" and value == ast.Resource("damage", ast.AnyAmount()):
            stat = self.roles.pop("object", None)
            if not isinstance(stat, ast.StatOf):
                raise Refused("as damage?")
            self.set("amount", stat)
            self.manner.append("damage")
            return
        raise Refused("as what?")

    def on_to_or_from(self, value: Any) -> None:
        if "to-or-from" not in self.frame.takes:
            raise Refused(f"“{self.frame.lemma}” has no place that it leads to")
        self.manner.append("to-or-from")
        self.set("to", self.builder.selector(value))

    def on_this_way(self, _: Any) -> None:
        if "this-way" not in self.frame.takes:
            raise Refused(f"“{self.frame.lemma}” is not done so")
        self.manner.append("this-way")

    def on_moment(self, value: Any) -> None:
        raise Refused("the time does not belong here")

    # ------------------------------------------------------------------------------------------ checks

    def _subject(self) -> None:
        clause, frame = self.clause, self.frame
        self.roles.pop("counted", None)
        self.removed = [word for word in self.manner if word == "damage"]
        if self.removed:
            self.manner.remove("damage")
        if clause.voice == "passive":
            if self.frame.passive is not None and (
                "damage" in self.removed or self.roles.get("object") is not None
            ):
                if not self.gap:
                    self.set(self.frame.passive, self.builder.selector(clause.subject))
            elif not self.gap:
                if frame.passive is not None and clause.mood != "rel" and self.roles.get("amount") is None:
                    raise Refused(f"“{frame.lemma}” misses what")
                value = self.builder.selector(clause.subject)
                self._kind(value)
                self.set("object", self._hoisted(value))
            return
        if self.gap == "subject":
            return
        subject = YOU if clause.subject is None else self.builder.player(clause.subject, frame.lemma)
        if isinstance(subject, ast.StatOf | ast.Cost | ast.Resource | ast.Zone | ast.AbilityText) and not (
            frame.lemma == "trigger"
        ):
            raise Refused("this does nothing")
        self._can_do(subject)
        if frame.moves and "object" not in self.roles and self.gap != "object":
            if clause.mood == "imperative":
                raise Refused("move what?")
            self.set("object", ast.Reference("them") if isinstance(clause.subject, They) else subject)
            return
        self.set("subject", subject)

    def _can_do(self, subject: Any) -> None:
        """Refuse things as doers of what only players and effects do."""
        nouns = getattr(subject, "nouns", ()) if isinstance(subject, ast.Objects) else ()
        for noun in nouns:
            if noun in ("combat", "showdown", "game", "cost", "tag"):
                if self.frame.lemma not in ("begin", "end"):
                    raise Refused("a time does nothing")
            elif self.frame.lemma in ("begin", "end"):
                raise Refused("only times begin and end")
            elif noun not in ("spell", "ability", "effect", "card") and self.frame.lemma not in THINGS:
                raise Refused(f"a {noun} does not “{self.frame.lemma}”")
        moves_other = self.frame.moves and self.roles.get("object") is not None
        if nouns and moves_other and not {"spell", "ability", "effect"}.intersection(nouns):
            raise Refused("things move only themselves")

    def _check(self) -> None:
        frame, clause = self.frame, self.clause
        if self.gap == "object" and "object" not in self.roles:
            return
        if clause.voice == "passive":
            return
        if frame.alone and not self.roles.get("object"):
            return
        for need in frame.needs:
            if not any(name in self.roles or name in self.manner for name in need):
                if self.event and need != ("object",):
                    continue
                if self.event and frame.lemma == "deal":
                    continue
                raise Refused(f"“{frame.lemma}” misses {' or '.join(need)}")
        untold = self.roles.get("amount") is None and self.roles.get("object") is None
        if frame.lemma == "deal" and untold and not (clause.negated or clause.aux or self.event or self.gap):
            raise Refused("how much?")


def _refuse_post(post: Post) -> Comp:
    raise Refused("no such description")


_POSTS: dict[str, Callable[[Post], Comp]] = {
    "place": lambda post: Comp("hoisted-place", post.value),
    "with": lambda post: Comp("with", post.value),
    "for": lambda post: Comp("per", post.value),
}

_COMPLEMENTS: dict[str, Callable[[ActionReader, Any], None]] = {
    "np": ActionReader.on_np,
    "amount": ActionReader.on_amount,
    "to": ActionReader.on_to,
    "same": ActionReader.on_same,
    "place": ActionReader.on_place,
    "hoisted-place": ActionReader.on_place,
    "with": ActionReader.on_with,
    "equal": ActionReader.on_equal,
    "state": ActionReader.on_state,
    "become": ActionReader.on_become,
    "adverb": ActionReader.on_adverb,
    "each": ActionReader.on_each,
    "price": ActionReader.on_price,
    "split": ActionReader.on_split,
    "by": ActionReader.on_by,
    "until": ActionReader.on_until,
    "per": ActionReader.on_per,
    "as": ActionReader.on_as,
    "moment": ActionReader.on_moment,
    "to-or-from": ActionReader.on_to_or_from,
    "this-way": ActionReader.on_this_way,
}


_DETERMINERS = {"a": Det("a"), "an": Det("a"), "that": Det("that"), "your": Det("poss", YOU)}
"""Determiners of the doer of a relative clause."""


def ends_in_clause(value: Any) -> bool:
    """Tell whether a phrase ends in a relative clause, which takes what follows."""
    if isinstance(value, tuple) and len(value) == 2:
        value = value[1]
    if isinstance(value, Placed):
        if not value.posts or value.posts[-1].kind != "rel":
            return False
        _gap, clause = value.posts[-1].value
        return isinstance(clause, Clause) and not any(comp.kind == "duration" for comp in clause.comps)
    if isinstance(value, ast.LocationOf):
        return ends_in_clause(value.what)
    if isinstance(value, ast.Objects | ast.Reference) and value.filters:
        last = value.filters[-1]
        return isinstance(last, ast.That) and last.window is None
    return False


def nearest(comps: list[Comp]) -> tuple[Comp, ...]:
    """Give complements; refuse one that belongs to the phrase before it."""
    for before, comp in itertools.pairwise(comps):
        if (
            comp.kind == "place"
            and _is_full(before)
            and not (isinstance(comp.value, ast.From) and _is_place(before))
        ):
            raise Refused("a place belongs to the noun before it")
        if comp.kind == "with" and ends_in_clause(before.value):
            raise Refused("this belongs to the clause before it")
        if comp.kind == "duration" and before.kind != "np" and ends_in_clause(before.value):
            raise Refused("the time belongs to the clause before it")
    return tuple(comps)


def _is_place(comp: Comp) -> bool:
    value = comp.value[1] if comp.kind == "to" else comp.value
    return (
        comp.kind == "to"
        and isinstance(value, ast.Objects)
        and all(noun in PLACE_NOUNS for noun in value.nouns)
    )


def _is_full(comp: Comp) -> bool:
    value = comp.value[1] if comp.kind == "to" else comp.value
    if isinstance(value, ast.Group):
        value = value.parts[-1]
    return comp.kind in ("np", "to", "with", "split", "per") and (
        isinstance(value, ast.Objects | Placed | ast.TokenSpec)
        or (isinstance(value, ast.Reference) and bool(value.nouns))
    )


def _state(value: Any) -> str:
    if isinstance(value, ast.HasState):
        return value.state
    raise Refused("no such state")


def _changed(clause: Clause, **fields: Any) -> Clause:
    return replace(clause, **fields)


def is_single(subject: Any) -> bool | None:
    """Tell whether a subject is one (its verb has an s); None where both are heard."""
    match subject:
        case ast.Player():
            many = ("you", "opponents", "players", "allies", "they")
            if subject.of == ast.Reference("them"):
                return None
            return subject.which not in many
        case ast.Self():
            return subject.form.lower() != "i"
        case They():
            return False
        case ast.Reference():
            if subject.role in ("it", "one", "this", "that", "other", "named"):
                return True
            return None
        case ast.Group():
            return None if subject.conjunction == "or" else False
        case ast.Objects():
            rule = subject.quantity.rule
            if subject.nouns == ("any",) and number_of(subject.quantity.amount) == 1:
                return not subject.quantity.form
            if rule in ("all", "any-number", "both", "at-least", "at-most"):
                return None if "gear" in subject.nouns or subject.nouns == ("Equipment",) else False
            if rule in ("any", "none"):
                return None
            if rule == "each":
                return True
            return number_of(subject.quantity.amount) == 1
        case Placed() | Nth() | Next() | OnlyOne():
            return is_single(subject.what)
    return None


def _be_agrees(subject: Any, be: str) -> None:
    if be == "be":
        raise Refused("the verb lacks its auxiliary")
    if isinstance(subject, ast.Self) and subject.form.lower() == "i":
        if be not in ("am", "was"):
            raise Refused("subject and verb do not agree")
        return
    if be == "am":
        raise Refused("subject and verb do not agree")
    single = is_single(subject)
    if (single is True and be in ("are", "were")) or (single is False and be in ("is", "was")):
        raise Refused("subject and verb do not agree")


def _have_agrees(subject: Any, have: str) -> None:
    single = is_single(subject)
    if (single is True and have == "have") or (single is False and have == "has"):
        raise Refused("subject and verb do not agree")


__all__ = ["EFFECTS", "ClauseBuilder", "Seq"]


def described(spec: ast.TokenSpec) -> ast.Objects:
    """Give the tokens of a name that are there, for words that could make such a token: "kill a Recruit token"."""
    if spec.might is not None or spec.state is not None:
        raise Refused("tokens that are there are not described so")
    keywords = map(ast.HasKeyword, spec.keywords)
    name = ast.HasTag((spec.name,))
    if not spec.types:
        return ast.Objects(spec.quantity, ("token",), (name, *keywords))
    return ast.Objects(spec.quantity, spec.types, (name, ast.HasType("token"), *keywords))
