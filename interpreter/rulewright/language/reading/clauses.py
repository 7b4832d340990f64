"""Clauses: subject, verb and complements put together, predicates, and the clauses that narrow a noun."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused
from rulewright.language.lex import Token
from rulewright.language.reading.complements import ComplementBuilder, nearest
from rulewright.language.reading.frames import ActionReader, is_single
from rulewright.language.reading.modifiers import denied, either
from rulewright.language.reading.parts import (
    Adj,
    BareStat,
    Clause,
    Comp,
    Det,
    Head,
    Next,
    They,
    VerbForm,
)


class ClauseBuilder(ComplementBuilder):
    """The callbacks of clauses: subjects with their verbs, predicates and relative clauses."""

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

    def finite_costs(self, children: list[Any]) -> Clause:
        """``if it costs [3] or less``."""
        subject, limits = children[0], children[-1]
        if is_single(subject) is False and subject != They():
            raise Refused("subject and verb do not agree")
        return Clause(subject, (), voice="is", predicate=("measure", self.limited("cost", limits)))

    def finite_compared(self, children: list[Any]) -> Clause:
        """``an opponent controls more units than you``."""
        subject, verbs, how, what, than = children[:5]
        self._agrees(subject, verbs)
        comps = (Comp("compared", (">" if how == "more" else "<", what, than)),)
        return Clause(subject, verbs, comps, past=verbs[0].form == "past")

    def finite_there_compared(self, children: list[Any]) -> Clause:
        """``if there are more enemy units than friendly units here``."""
        _, how, what, than = children
        return Clause(what, (), voice="is", predicate=("more", (">" if how == "more" else "<", than)))

    def more_or_less(self, children: list[Any]) -> str:
        return self._text(children)

    def finite_be_ellipsis(self, children: list[Any]) -> Clause:
        """``If it isn't, ...``: not what was asked before."""
        subject, be = children
        _be_agrees(subject, be)
        return Clause(subject, (), voice="ellipsis", aux="be", negated=True, past=be in ("was", "were"))

    def finite_this_turn(self, children: list[Any]) -> Clause:
        """``your next spell this turn costs [1] less``."""
        subject, verbs, *comps = children
        if not isinstance(subject, Next):
            raise Refused("the time stands behind what is said")
        return self.finite([subject, verbs, *comps, Comp("duration", ast.ThisTurn())])

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

    def is_under(self, children: list[Any]) -> tuple[str, Any]:
        return ("filter", self.p_under(children).value)

    def is_adverb(self, children: list[Any]) -> tuple[str, Any]:
        lemma = self._lemma(children[0])
        if lemma != "alone":
            raise Refused("nothing is so")
        return ("filter", ast.HasState("alone"))

    def is_alone_at(self, children: list[Any]) -> tuple[str, Any]:
        return ("filters", (self.is_adverb(children)[1], children[1]))

    def is_limits(self, children: list[Any]) -> tuple[str, Any]:
        return ("limits", children[0])

    def is_both(self, children: list[Any]) -> tuple[str, Any]:
        first, conjunction, second = children
        filters = [self.is_adjective([first])[1], second.value if isinstance(second, Adj) else second]
        if conjunction == "and":
            return ("filters", tuple(filters))
        if conjunction != "or" or isinstance(second, Adj):
            raise Refused("and or or?")
        return ("filter", ast.EitherOf(tuple(filters)))

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
        past = be in ("was", "were")
        if verbs[0].form == "ing":
            return ("participle", Clause(None, verbs, nearest(comps), voice="progressive", past=past))
        return ("object", Clause(None, verbs, nearest(comps), voice="passive", past=past))

    def gap(self, children: list[Any]) -> Any:
        return children[0]

    def rel_that_been(self, children: list[Any]) -> tuple[str, Clause]:
        verbs, *comps = [child for child in children if not isinstance(child, str)]
        return ("object", Clause(None, verbs, nearest(comps), voice="passive", past=True))

    def rel_that_perfect(self, children: list[Any]) -> tuple[str, Clause]:
        _, verbs, *comps = children
        return ("subject", Clause(None, verbs, nearest(comps), past=True, mood="perfect"))

    def rel_that_perfect_not(self, children: list[Any]) -> tuple[str, Clause]:
        kind, clause = self.rel_that_perfect(children)
        return (kind, _changed(clause, negated=True))

    def rel_that_been_not(self, children: list[Any]) -> tuple[str, Clause]:
        kind, clause = self.rel_that_been(children)
        return (kind, _changed(clause, negated=True))

    def rel_costs(self, children: list[Any]) -> tuple[str, Any]:
        return ("limits", self.limited("cost", children[-1]))

    def rel_participle(self, children: list[Any]) -> tuple[str, Any]:
        form, *comps = children
        if form.form != "ing" and self.vocabulary.frames[form.lemma].state is not None and not comps:
            if form.lemma == "attach":
                return ("is", Clause(None, (), voice="is", predicate=("filter", ast.HasState("attached"))))
            raise Refused("a state stands before its noun")
        if form.form == "ing":
            return ("participle", Clause(None, (form,), nearest(comps), voice="progressive"))
        return ("object", Clause(None, (form,), nearest(comps), voice="passive", past=True))

    def rel_participle_not(self, children: list[Any]) -> tuple[str, Any]:
        """``each unit not chosen this way``."""
        kind, clause = self.rel_participle(children)
        return (kind, _changed(clause, negated=True))

    def rel_gap_to(self, children: list[Any]) -> tuple[str, Any]:
        *rest, purpose = children
        _, clause = self.rel_gap(rest)
        if not clause.past:
            raise Refused("what for?")
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
        if gap == "participle":
            return self._participle(clause)
        if len(clause.verbs) > 1:
            raise Refused("one thing is said of a thing")
        if gap == "object" and verb in ("control", "own", "have") and not clause.comps and not clause.past:
            return [self._whose(clause, verb)]
        state = self.vocabulary.frames[verb].state
        if gap == "object" and clause.voice == "passive" and not clause.past and not clause.comps and state:
            # "That are stunned": what they are, not what was done to them.
            return [ast.HasState(state, clause.negated)]
        if (
            gap == "object"
            and verb in ("control", "own")
            and clause.voice == "passive"
            and not clause.negated
        ):
            by = clause.comps[0] if len(clause.comps) == 1 else None
            if by is None or by.kind != "by" or not isinstance(by.value, ast.Player):
                raise Refused("by whom?")
            return [ast.ControlledBy(by.value, owned=verb == "own")]
        if gap == "subject" and verb == "have" and not clause.past and clause.aux in (None, "do"):
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

    def _whose(self, clause: Clause, verb: str) -> ast.ControlledBy:
        """Read ``units you control``, and ``units you have``: players have what they control."""
        who = self.player(clause.subject, "control")
        if clause.aux not in (None, "do"):
            raise Refused("no such description")
        if verb == "have" and not isinstance(who, ast.Player | ast.Group):
            raise Refused("only players have something")
        return ast.ControlledBy(who, owned=verb == "own", negated=clause.negated)

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
        if clause.negated:
            raise Refused("what something does not do is said of it with “that”")
        frames = [self.vocabulary.frames[form.lemma] for form in clause.verbs]
        if frames[0].lemma == "affect":
            return [
                ast.That(ast.Event(self.action(_changed(clause, voice="active"), gap="subject")), "subject")
            ]
        if any(frame.ing is None for frame in frames) or clause.past:
            raise Refused("no such description")
        states = tuple(ast.HasState(str(frame.ing)) for frame in frames)
        filters: list[Any] = [either(states)]
        for comp in clause.comps:
            if comp.kind == "place" and isinstance(comp.value, ast.At):
                filters.append(comp.value)
            elif comp == Comp("adverb", "alone"):
                filters.append(ast.HasState("alone"))
            elif comp.kind == "with" and isinstance(comp.value, ast.Objects):
                filters.append(ast.Alongside(comp.value))
            else:
                raise Refused("no such description")
        return filters

    def _has(self, clause: Clause) -> list[Any]:
        if len(clause.comps) != 1:
            raise Refused("no such description")
        comp = clause.comps[0]
        if comp.kind == "measure" and not clause.negated:
            return list(comp.value)
        if comp.kind == "changes":
            # "that has [Temporary]": the same as "with [Temporary]".
            found = [change.what for change in comp.value if isinstance(change, ast.Gains)]
            keywords = [keyword for keyword in found if isinstance(keyword, ast.Keyword)]
            if len(keywords) == len(comp.value):
                return [ast.HasKeyword(keyword, clause.negated) for keyword in keywords]
        if comp.kind == "np":
            had = self.had(comp.value)
            if len(had) == 1:
                return [denied(had[0])] if clause.negated else had
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

    def action(self, clause: Clause, *, gap: str | None = None, event: bool = False) -> ast.Action:
        """Read a clause as one action by the frame of its first verb."""
        if len(clause.verbs) != 1:
            raise Refused("one action at a time")
        clause = _buffing(_attaching(clause))
        lemma = clause.verbs[0].lemma
        frame = self.vocabulary.frames[lemma]
        return ActionReader(self, frame, clause, gap, event).read()


def _buffing(clause: Clause) -> Clause:
    """Read "put a buff on a unit" as "buff a unit" (702.2.a)."""
    if clause.verbs[0].lemma != "put" or clause.voice != "active" or len(clause.comps) != 2:
        return clause
    what, where = clause.comps
    buff = what.value if what.kind == "np" else None
    if buff != ast.Resource("buff", ast.Number(1)) or where.kind != "to" or where.value[0] != "on":
        return clause
    verbs = (VerbForm("buff", clause.verbs[0].form),)
    return replace(clause, verbs=verbs, comps=(Comp("np", where.value[1]),))


def _attaching(clause: Clause) -> Clause:
    """Read "becomes attached to a unit" as "is attached to a unit"."""
    attached = Comp("become", "attached")
    if clause.verbs[0].lemma != "become" or attached not in clause.comps or clause.voice != "active":
        return clause
    comps = tuple(comp for comp in clause.comps if comp != attached)
    return replace(clause, verbs=(VerbForm("attach", "past"),), comps=comps, voice="passive")


def _state(value: Any) -> str:
    if isinstance(value, ast.HasState):
        return value.state
    raise Refused("no such state")


def _changed(clause: Clause, **fields: Any) -> Clause:
    return replace(clause, **fields)


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


_DETERMINERS = {"a": Det("a"), "an": Det("a"), "that": Det("that"), "your": Det("poss", YOU)}
"""Determiners of the doer of a relative clause."""
