"""Words: from a number, a determiner, an adjective or a noun to the part of a phrase that it is."""

from __future__ import annotations

from typing import Any

from rulewright.language import ast
from rulewright.language.forest import Refused
from rulewright.language.lex import Token
from rulewright.language.reading.parts import (
    Adj,
    Det,
    Head,
    Noun,
    Possessor,
    They,
)
from rulewright.language.vocabulary import Vocabulary

OBJECT_KINDS = ("NOUN", "NAME")

EFFECT_NOUNS = frozenset(("ability", "effect"))

_SINGULAR = ("singular", "both")

_PLURAL = ("plural", "both")


class WordBuilder:
    """The callbacks of words: numbers, determiners, adjectives and single nouns."""

    vocabulary: Vocabulary

    # ---------------------------------------------------------------------------------- numbers, words

    def number(self, children: list[Any]) -> ast.Number:
        return ast.Number(children[0].value)

    def number_one(self, _: list[Any]) -> ast.Number:
        return ast.Number(1)

    def ordinal(self, children: list[Any]) -> int:
        return int(children[0].value)

    def ordinal_first(self, _: list[Any]) -> int:
        return 1

    def a(self, _: list[Any]) -> None:
        return None

    def _text(self, children: list[Any]) -> str:
        return " ".join(child.text.lower() for child in children if isinstance(child, Token))

    def _words(self, children: list[Any]) -> str:
        return self._text(children)

    to = aux = be = have = edge = amount_word = sign = _words

    def _lemma(self, token: Token) -> str:
        if token.type == "MIGHT":
            return "might"
        word = self.vocabulary.word(token.text)
        return token.text.lower() if word is None else word.lemma

    # ------------------------------------------------------------------------------------ determiners

    def det_a(self, _: list[Any]) -> Det:
        return Det("a")

    def det_another(self, _: list[Any]) -> Det:
        return Det("another")

    def det_the(self, _: list[Any]) -> Det:
        return Det("the")

    def det_next(self, _: list[Any]) -> Det:
        return Det("next")

    def det_next_number(self, children: list[Any]) -> Det:
        return Det("next-number", children[0])

    def det_first_number(self, children: list[Any]) -> Det:
        return Det("first-number", children[0])

    def det_nth(self, children: list[Any]) -> Det:
        return Det("nth", number=children[0])

    def det_that(self, _: list[Any]) -> Det:
        return Det("that")

    def det_those(self, _: list[Any]) -> Det:
        return Det("those")

    def det_this(self, _: list[Any]) -> Det:
        return Det("this")

    def det_that_much(self, _: list[Any]) -> Det:
        return Det("that-much")

    def det_no(self, _: list[Any]) -> Det:
        return Det("none")

    def det_quant(self, children: list[Any]) -> Det:
        return Det("quant", children[0])

    def det_poss(self, children: list[Any]) -> Det:
        return Det("poss", children[0].of)

    def det_all_poss(self, children: list[Any]) -> Det:
        return Det("poss", children[0].of, number=0)

    def det_poss_next(self, children: list[Any]) -> Det:
        return Det("poss-next", children[0].of)

    def det_poss_nth(self, children: list[Any]) -> Det:
        return Det("poss-nth", children[0].of, number=children[1])

    def q_exactly(self, children: list[Any]) -> ast.Quantity:
        return ast.Quantity("exactly", children[0])

    def q_exact(self, children: list[Any]) -> ast.Quantity:
        return ast.Quantity("exact", children[0])

    def q_up_to(self, children: list[Any]) -> ast.Quantity:
        return ast.Quantity("up-to", children[0])

    def q_or_more(self, children: list[Any]) -> ast.Quantity:
        return ast.Quantity("at-least", children[0], form="or-more")

    def q_more_than(self, children: list[Any]) -> ast.Quantity:
        return ast.Quantity("at-least", ast.Number(children[0].value + 1))

    def q_fewer_than(self, children: list[Any]) -> ast.Quantity:
        if children[0].value < 2:
            raise Refused("fewer than one is none")
        return ast.Quantity("at-most", ast.Number(children[0].value - 1))

    def q_at_least(self, children: list[Any]) -> ast.Quantity:
        return ast.Quantity("at-least", children[0])

    def q_at_most(self, children: list[Any]) -> ast.Quantity:
        return ast.Quantity("at-most", children[0])

    def q_any_number(self, _: list[Any]) -> ast.Quantity:
        return ast.Quantity("any-number")

    def q_any(self, _: list[Any]) -> ast.Quantity:
        return ast.Quantity("any")

    def q_all(self, children: list[Any]) -> ast.Quantity:
        if children and isinstance(children[0], ast.Number):
            return ast.Quantity("all", children[0])
        return ast.Quantity("all")

    def q_each(self, _: list[Any]) -> ast.Quantity:
        return ast.Quantity("each")

    def q_both(self, _: list[Any]) -> ast.Quantity:
        return ast.Quantity("both")

    def q_multiple(self, _: list[Any]) -> ast.Quantity:
        return ast.Quantity("at-least", ast.Number(2))

    def poss_my(self, _: list[Any]) -> Possessor:
        return Possessor(ast.Self("my"))

    def poss_your(self, _: list[Any]) -> Possessor:
        return Possessor(ast.Player("you"))

    def poss_its(self, _: list[Any]) -> Possessor:
        return Possessor(ast.Reference("it"))

    def poss_their(self, _: list[Any]) -> Possessor:
        return Possessor(They())

    def poss_our(self, _: list[Any]) -> Possessor:
        return Possessor(ast.Group((ast.Self(), ast.Reference("it")), "and"))

    def poss_of(self, children: list[Any]) -> Possessor:
        owner = children[0]
        if not isinstance(owner, ast.Objects | ast.Self | ast.Reference | ast.Player):
            raise Refused("this owns nothing")
        return Possessor(owner)

    # -------------------------------------------------------------------------------------- adjectives

    def a_side(self, children: list[Any]) -> Adj:
        return Adj("filter", ast.Side(children[0].text.lower()))

    def a_state(self, children: list[Any]) -> Adj:
        lemma = self._lemma(children[0])
        denied = self.vocabulary.denied.get(lemma)
        return Adj("filter", ast.HasState(denied or lemma, negated=denied is not None))

    def a_ready(self, _: list[Any]) -> Adj:
        return Adj("filter", ast.HasState("ready"))

    def a_keyword_state(self, children: list[Any]) -> Adj:
        return Adj("filter", ast.HasState(children[0].text.lower()))

    def a_keyword(self, children: list[Any]) -> Adj:
        return Adj("keyword", self._keyword(children[0]))

    def a_other(self, _: list[Any]) -> Adj:
        return Adj("filter", ast.Other())

    def a_same(self, _: list[Any]) -> Adj:
        return Adj("same")

    def a_only(self, _: list[Any]) -> Adj:
        return Adj("only")

    def a_remaining(self, _: list[Any]) -> Adj:
        return Adj("remaining")

    def a_additional(self, _: list[Any]) -> Adj:
        return Adj("additional")

    def a_highest(self, _: list[Any]) -> Adj:
        return Adj("highest")

    def a_lowest(self, _: list[Any]) -> Adj:
        return Adj("lowest")

    def quality_more(self, children: list[Any]) -> Adj:
        adjective: Adj = children[0]
        return adjective

    def a_either(self, children: list[Any]) -> Adj:
        if any(
            adjective.kind != "filter" or isinstance(adjective.value, ast.Other) for adjective in children
        ):
            raise Refused("these do not go together")
        filters = tuple(adjective.value for adjective in children)
        if len(set(filters)) < len(filters):
            raise Refused("this is said twice")
        return Adj("filter", ast.EitherOf(filters))

    def a_total(self, _: list[Any]) -> Adj:
        return Adj("total")

    def a_base(self, _: list[Any]) -> Adj:
        return Adj("base")

    def a_single(self, _: list[Any]) -> Adj:
        return Adj("single")

    def a_optional(self, _: list[Any]) -> Adj:
        return Adj("optional")

    def a_original(self, _: list[Any]) -> Adj:
        return Adj("original")

    def a_participle(self, children: list[Any]) -> Adj:
        word = self.vocabulary.word(children[0].text)
        assert word is not None
        frame = self.vocabulary.frames[word.lemma]
        state = frame.ing if word.form == "ing" else frame.state
        if state is not None:
            return Adj("filter", ast.HasState(state))
        if word.form == "ing":
            raise Refused("this is no state")
        return Adj("participle", children[0].text.lower())

    def a_non(self, children: list[Any]) -> Adj:
        token = children[0]
        if token.type == "NAME":
            return Adj("filter", ast.HasTag((self._lemma(token),), negated=True))
        if token.type == "NOUN":
            return Adj("filter", ast.HasType(self._lemma(token), negated=True))
        raise Refused("this cannot be denied")

    def a_non_state(self, children: list[Any]) -> Adj:
        return Adj("filter", ast.HasState(children[0].text.lower(), negated=True))

    def a_might(self, children: list[Any]) -> Adj:
        first = children[0]
        # An export has the Energy symbol where a token's Might is meant.
        return Adj("might", first if isinstance(first, ast.Number) else ast.Number(first.value))

    def _keyword(self, token: Token, cost: Any = None) -> ast.Keyword:
        takes = self.vocabulary.keywords[token.text]
        if token.value and not takes.get("value"):
            raise Refused(f"{token.text} takes no number")
        return ast.Keyword(token.text, ast.Number(token.value) if token.value else None, cost)

    # ------------------------------------------------------------------------------------------- nouns

    def noun_word(self, children: list[Any]) -> Token:
        token: Token = children[0]
        return token

    def noun(self, children: list[Any]) -> Noun:
        *before, last = children
        if last.type in ("TURN", "TURNS"):
            if before:
                raise Refused("no such noun")
            return Noun("PHASE", "turn", "singular" if last.type == "TURN" else "plural")
        if last.type == "MIGHT":
            lemma, form = "might", "any"
        else:
            word = self.vocabulary.word(last.text)
            assert word is not None
            lemma, form = word.lemma, word.form
        prefix = []
        for token in before:
            if token.type in ("MIGHT", "STAT"):
                raise Refused("no such noun")
            other = self.vocabulary.word(token.text)
            if other is None or token.type not in ("NOUN", "NAME") or other.form == "plural":
                raise Refused("no such noun")
            prefix.append((token.type, other.lemma))
        return Noun(last.type, lemma, form, tuple(prefix))

    def noun_effect(self, children: list[Any]) -> Noun:
        verb, noun = children
        word = self.vocabulary.word(noun.text)
        assert word is not None
        if word.lemma not in EFFECT_NOUNS:
            raise Refused("no such noun")
        return Noun("EFFECT", word.lemma, word.form, (("VERB", self._lemma(verb)),))

    def noun_base(self, _: list[Any]) -> Noun:
        return Noun("ZONE", "base", "singular")

    def noun_buff(self, _: list[Any]) -> Noun:
        return Noun("RESOURCE", "buff", "any")

    def noun_counter(self, _: list[Any]) -> Noun:
        return Noun("RESOURCE", "counter", "any")

    def noun_cost(self, _: list[Any]) -> Noun:
        return Noun("STAT", "cost", "any")

    def noun_score(self, _: list[Any]) -> Noun:
        return Noun("STAT", "score", "singular")

    def noun_copy(self, _: list[Any]) -> Noun:
        return Noun("NOUN", "copy", "singular")

    def noun_keyword(self, children: list[Any]) -> Noun:
        return Noun("KEYWORD", children[0].text, "singular")

    def noun_number(self, _: list[Any]) -> Noun:
        return Noun("NUMBER", "number", "singular")

    def head(self, children: list[Any]) -> Head:
        return Head((children[0],))

    def noun_more(self, children: list[Any]) -> Noun:
        noun: Noun = children[0]
        return noun

    def head_list(self, children: list[Any]) -> Head:
        nouns = [child for child in children if isinstance(child, Noun)]
        adjectives = tuple(child for child in children if isinstance(child, Adj))
        conjunction = next(child for child in children if isinstance(child, str))
        if adjectives:
            last = nouns[-1]
            nouns[-1] = Noun(last.kind, last.lemma, last.form, last.before, adjectives)
        if any(noun.kind != "ZONE" for noun in nouns) and any(
            noun.kind not in (*OBJECT_KINDS, "RESOURCE") for noun in nouns
        ):
            raise Refused("these do not go together")
        return Head(tuple(nouns), conjunction)
