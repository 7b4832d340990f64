"""Complements: what may stand behind a verb, each kept with its kind until the frame of the verb is asked."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import Refused
from rulewright.language.lex import Token
from rulewright.language.reading.measures import amount_from
from rulewright.language.reading.modifiers import PLACE_NOUNS
from rulewright.language.reading.parts import (
    BareStat,
    Clause,
    Comp,
    Next,
    Nth,
    OnlyOne,
    Placed,
    Post,
    They,
    VerbForm,
)
from rulewright.language.reading.phrases import PhraseBuilder, power_domain

THINGS_DO = frozenset(
    ("deal", "have", "get", "become", "enter", "die", "cost", "trigger", "attack", "defend")
)
"""Verbs whose "they" are objects; of all others they are players."""


class ComplementBuilder(PhraseBuilder):
    """The callbacks of complements, durations and changes."""

    # ------------------------------------------------------------------------------------- complements

    def c_np(self, children: list[Any]) -> Comp:
        if isinstance(children[0], ast.Moment):
            if children[0].edge == "bare":
                raise Refused("which time?")
            # Only skipping is done to a time; every other verb refuses it.
            return Comp("time", children[0])
        return Comp("np", children[0])

    def c_number(self, children: list[Any]) -> Comp:
        return Comp("amount", self.number(children))

    def c_that_much(self, _: list[Any]) -> Comp:
        return Comp("amount", ast.ThatMuch())

    def plus_or_minus(self, children: list[Any]) -> str:
        return self._text(children)

    def c_that_much_more(self, children: list[Any]) -> Comp:
        sign, number = children
        return Comp("amount", ast.Plus(ast.ThatMuch(), self.number([number]), minus=sign == "minus"))

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

    def c_at_times(self, children: list[Any]) -> Comp:
        """``at any time they could play cards with [Action]``: when that keyword permits a play."""
        who, verbs, what = children
        keywords = [f.keyword for f in getattr(what, "filters", ()) if isinstance(f, ast.HasKeyword)]
        plain = isinstance(what, ast.Objects) and what.nouns == ("card",) and len(what.filters) == 1
        if not (isinstance(who, They) or who == ast.Player("you")) or not plain:
            raise Refused("at what time?")
        if [form.lemma for form in verbs] != ["play"] or what.quantity.rule != "all" or not keywords:
            raise Refused("at what time?")
        return Comp("times", keywords[0])

    def c_each_phase(self, children: list[Any]) -> Comp:
        return Comp("each-phase", replace(self.this_combat(children), each=True))

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

    def c_states(self, children: list[Any]) -> Comp:
        """``ready and buffed``, ``exhausted and with a buff``."""
        buff = ast.Resource("buff", ast.Number(1))
        values = ["buffed" if comp == Comp("with", buff) else comp.value for comp in children]
        if not all(isinstance(value, str) for value in values) or children[0].kind == "with":
            raise Refused("nothing is so")
        return Comp("states", tuple(values))

    def c_adverb(self, children: list[Any]) -> Comp:
        return Comp("adverb", self._lemma(children[0]))

    def c_first(self, _: list[Any]) -> Comp:
        return Comp("adverb", "first")

    def c_last(self, _: list[Any]) -> Comp:
        return Comp("adverb", "last")

    def c_each(self, _: list[Any]) -> Comp:
        return Comp("each")

    def c_under(self, children: list[Any]) -> Comp:
        """``under its owner's control``."""
        possessor, verb = children
        if self._lemma(verb) != "control":
            raise Refused("under what?")
        return Comp("under", possessor.of)

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
        one = (ast.Quantity("exactly", ast.Number(1)), ast.Quantity("each"))
        if isinstance(what, ast.Objects) and what.quantity in one and not what.filters:
            # "At the end of each combat."
            if what.nouns not in (("combat",), ("showdown",)):
                raise Refused("of what?")
            return ast.Moment(edge, what.nouns[0])
        if not isinstance(what, ast.Moment):
            raise Refused("of what?")
        if what.edge == "poss-all":
            raise Refused("of which?")
        if what.edge == "bare" and what.phase not in ("turn", "combat", "showdown"):
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

    # ------------------------------------------------------------------------------------- who and what

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

    def _plural(self, token: Token) -> bool:
        word = self.vocabulary.word(token.text)
        return word is not None and word.form == "plural"

    @abstractmethod
    def action(self, clause: Clause, *, gap: str | None = None, event: bool = False) -> ast.Action:
        """Read a clause as one action by the frame of its first verb; clauses do."""

    @abstractmethod
    def condition_of(self, clause: Any) -> Any:
        """Read a clause as a condition; the sentences do."""

    @abstractmethod
    def per_each(self, value: Any) -> Any:
        """Read "for each ..."; the sentences do."""


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
        if comp.kind == "with" and _ends_in_place(before.value) and _is_unit(comp.value):
            raise Refused("this is what is at the place before it")
        if comp.kind == "duration" and before.kind != "np" and ends_in_clause(before.value):
            raise Refused("the time belongs to the clause before it")
    return tuple(comps)


def _ends_in_place(value: Any) -> bool:
    """Tell whether a phrase ends in a place that units may be at."""
    if isinstance(value, tuple) and len(value) == 2:
        value = value[1]
    if isinstance(value, ast.Objects) and set(value.nouns) <= PLACE_NOUNS:
        return True
    return isinstance(value, ast.Objects) and any(
        isinstance(part, ast.At) and isinstance(part.place, ast.Objects) for part in value.filters
    )


def _is_unit(value: Any) -> bool:
    return isinstance(value, ast.Objects) and "unit" in value.nouns


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
    if isinstance(value, ast.Objects) and value.nouns == ("combat",):
        # A combat is no thing that is somewhere: "win a combat here" is won there.
        return False
    return comp.kind in ("np", "to", "with", "split", "per") and (
        isinstance(value, ast.Objects | Placed | ast.TokenSpec)
        or (isinstance(value, ast.Reference) and bool(value.nouns))
    )
