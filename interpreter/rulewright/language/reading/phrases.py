"""Noun phrases, places, amounts and limits: from the parts of a phrase to selectors, players, zones and figures.

A modifier belongs to the nearest noun that can take it; a determiner must agree with its noun; a noun without a
determiner must be a plural or a mass noun. What breaks this is refused.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused
from rulewright.language.lex import Token
from rulewright.language.reading.parts import (
    Adj,
    BareStat,
    Clause,
    Det,
    Head,
    Limit,
    Next,
    Noun,
    Nth,
    OnlyOne,
    Placed,
    Possessor,
    Post,
    They,
)
from rulewright.language.vocabulary import Vocabulary

OBJECT_KINDS = ("NOUN", "NAME")
PLACE_NOUNS = frozenset(("battlefield", "location", "destination"))
EFFECT_NOUNS = frozenset(("ability", "effect"))
_SINGULAR = ("singular", "both")
_PLURAL = ("plural", "both")


def number_of(amount: Any) -> int | None:
    """Give the plain number of an amount, where it is one."""
    return amount.value if isinstance(amount, ast.Number) else None


class PhraseBuilder:
    """The callbacks of the grammar's noun phrases; the method names are the grammar's."""

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
        return Adj("filter", ast.HasState(self._lemma(children[0])))

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
        if last.type == "TURN":
            if before:
                raise Refused("no such noun")
            return Noun("PHASE", "turn", "singular")
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

    # -------------------------------------------------------------------------------------- full phrase

    def full(self, children: list[Any]) -> Any:
        det = children[0] if isinstance(children[0], Det) else None
        adjectives = [child for child in children if isinstance(child, Adj)]
        posts = [child for child in children if isinstance(child, Post)]
        head = next(child for child in children if isinstance(child, Head))
        _check_nearest(posts)
        last = head.nouns[-1]
        if last.kind in OBJECT_KINDS and last.lemma in EFFECT_NOUNS:
            found = self._ability(det, adjectives, head, posts)
            if found is not None:
                return found
        makers = {
            "NOUN": self._objects,
            "NAME": self._objects,
            "PLAYER": self._player,
            "ZONE": self._zone,
            "STAT": self._stat,
            "MIGHT": self._stat,
            "RESOURCE": self._resource,
            "PHASE": self._phase,
            "EFFECT": self._effect,
            "KEYWORD": self._keyword_stat,
            "NUMBER": self._count,
        }
        return makers[last.kind](det, adjectives, head, posts)

    def _objects(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        nouns, filters = self._nouns(head)
        kinds = {noun.form for noun in head.nouns if noun.kind != "NAME"} or {
            noun.form for noun in head.nouns
        }
        plural = "plural" in kinds
        if det is not None and det.kind == "poss":
            place = _location_of(det.value, nouns, adjectives, posts)
            if place is not None:
                return place
            if (
                len(nouns) == 1
                and not adjectives
                and not posts
                and not isinstance(det.value, ast.Player | They)
            ):
                if nouns[0] in ("text", "effect-text"):
                    return ast.TextOf(det.value, nouns[0])
                if nouns[0] in ("domain", "type"):
                    return ast.StatOf(nouns[0], det.value)
        if (
            det is not None
            and det.kind == "the"
            and nouns == ("location",)
            and [p.kind for p in posts] == ["of"]
        ):
            return _location_of(posts[0].value, nouns, adjectives, [])
        token = self._token(det, adjectives, head, posts)
        if token is not None:
            return token
        special: list[Adj] = []
        for adjective in adjectives:
            if adjective.kind == "filter":
                filters.append(adjective.value)
            elif adjective.kind == "keyword":
                if not self.vocabulary.keywords[adjective.value.name].get("adjective"):
                    raise Refused("this keyword stands behind its noun")
                filters.append(ast.HasKeyword(adjective.value))
            elif adjective.kind == "might":
                raise Refused("only a token is described by its Might alone")
            else:
                special.append(adjective)
        rest: list[Post] = []
        for post in posts:
            made = self._filter(post, nouns)
            if made is None:
                rest.append(post)
            else:
                filters.extend(made)
        if len(set(filters)) != len(filters):
            raise Refused("this is said twice")
        what = _loosened(
            self._determined(det, special, nouns, tuple(filters), plural, "singular" in kinds, head)
        )
        return Placed(what, tuple(rest)) if rest else what

    def _nouns(self, head: Head) -> tuple[tuple[str, ...], list[Any]]:
        """Split the nouns of a phrase into kinds of object and what narrows them."""
        names: list[str] = []
        nouns: list[str] = []
        filters: list[Any] = []
        for noun in head.nouns:
            if noun.adjectives:
                if [adjective.value for adjective in noun.adjectives] != [ast.HasState("facedown")]:
                    raise Refused("an adjective stands before the first of several nouns")
                nouns.append(f"facedown-{noun.lemma}")
                continue
            before = list(noun.before)
            if noun.kind == "NAME":
                if before:
                    raise Refused("no such noun")
                names.append(noun.lemma)
                continue
            lemma = noun.lemma
            if lemma == "token" and before and before[-1][0] == "NOUN":
                lemma = before.pop()[1]
                filters.append(ast.HasType("token"))
            for kind, value in before:
                if kind == "NAME":
                    names.append(value)
                elif value == "token":
                    filters.append(ast.HasType("token"))
                elif lemma in EFFECT_NOUNS and len(head.nouns) == 1:
                    filters.append(ast.HasType(value))
                else:
                    raise Refused("no such noun")
            nouns.append(lemma)
        if not nouns:
            return tuple(names), filters
        if names:
            filters.insert(0, ast.HasTag(tuple(names)))
        return tuple(nouns), filters

    def _determined(
        self,
        det: Det | None,
        special: list[Adj],
        nouns: tuple[str, ...],
        filters: tuple[Any, ...],
        plural: bool,
        singular: bool,
        head: Head,
    ) -> Any:
        kind = "bare" if det is None else det.kind
        participle = next((adjective.value for adjective in special if adjective.kind == "participle"), None)
        words = {adjective.kind for adjective in special}
        if kind == "the" and words == {"participle"}:
            return ast.Reference("the", nouns, participle, filters)
        if kind == "the" and words == {"remaining"}:
            return ast.Reference("rest", nouns, None, filters)
        if kind == "the" and words == {"only"} and not plural:
            return OnlyOne(ast.Objects(ast.Quantity("exactly", ast.Number(1)), nouns, filters))
        if kind == "the" and words == {"same"} and not plural:
            return Placed(
                ast.Objects(ast.Quantity("exactly", ast.Number(1)), nouns, filters), (Post("same"),)
            )
        if kind == "a" and words in ({"single"}, {"additional"}) and not plural:
            state = ast.HasState(words.pop())
            return ast.Objects(ast.Quantity("exactly", ast.Number(1)), nouns, (state, *filters))
        if words:
            raise Refused("no such description")
        if kind == "bare":
            if singular:
                raise Refused("one thing needs a word before it")
            return ast.Objects(ast.Quantity("all", form="bare"), nouns, filters)
        assert det is not None
        if kind in ("a", "another", "next", "that", "this", "poss-next", "nth", "poss-nth") and plural:
            raise Refused("one word speaks of one, the other of many")
        if kind == "those" and not plural and singular:
            raise Refused("one word speaks of many, the other of one")
        return self._with_determiner(det, nouns, filters, plural, singular)

    def _with_determiner(
        self, det: Det, nouns: tuple[str, ...], filters: tuple[Any, ...], plural: bool, singular: bool
    ) -> Any:
        one = ast.Quantity("exactly", ast.Number(1))
        match det.kind:
            case "a":
                return ast.Objects(one, nouns, filters)
            case "another":
                return ast.Objects(one, nouns, (ast.Other(), *filters))
            case "the":
                return ast.Reference("the", nouns, None, filters)
            case "that" | "those" if len(nouns) == 1:
                if nouns[0] in PLACE_NOUNS and det.kind == "that" and not filters:
                    return ast.There(form=f"that {nouns[0]}")
                return ast.Reference(det.kind, nouns, None, filters)
            case "that-much":
                return ast.Objects(ast.Quantity("exactly", ast.ThatMuch()), nouns, filters)
            case "this":
                if filters:
                    raise Refused("this one needs no description")
                if nouns == ("battlefield",):
                    return ast.Here(form="this battlefield")
                if nouns[0] in ("ability", "cost"):
                    return ast.Reference("this", nouns)
                return ast.Self(form=f"this {nouns[0]}")
            case "none":
                return ast.Objects(ast.Quantity("none"), nouns, filters)
            case "next":
                return Next(ast.Objects(one, nouns, filters))
            case "nth" if any(
                isinstance(f, ast.That) and f.window == ast.ThisTurn(each=True) for f in filters
            ):
                counted = tuple(_counted(f, det.number or 1) for f in filters)
                return ast.Objects(ast.Quantity("each"), nouns, counted)
            case "nth":
                return Nth(ast.Objects(one, nouns, filters), det.number or 1)
            case "poss-next":
                return Next(ast.Objects(one, nouns, (self._owned(det.value, nouns), *filters)))
            case "poss-nth":
                return Nth(
                    ast.Objects(one, nouns, (self._owned(det.value, nouns), *filters)), det.number or 1
                )
            case "poss":
                quantity = one if singular and not plural else ast.Quantity("all")
                owned = self._owned(det.value, nouns)
                if singular and nouns[0] in self.vocabulary.tokens:
                    quantity = ast.Quantity("all")
                elif (
                    quantity == one
                    and not filters
                    and nouns[0] in ("unit", "gear", "spell", "card")
                    and isinstance(owned, ast.ControlledBy)
                ):
                    # "your unit" without more is one that was spoken of; "your legend" is the only one there is.
                    return ast.Reference("the", nouns, None, (owned,))
                of_thing = isinstance(det.value, ast.Reference | ast.Self | ast.Objects)
                if of_thing and nouns not in (("Equipment",), ("keyword",)):
                    raise Refused("things own no such things")
                return ast.Objects(quantity, nouns, (owned, *filters))
            case "quant":
                _check_agreement(det.value, plural, singular)
                return ast.Objects(det.value, nouns, filters)
        raise Refused("no such description")

    def _owned(self, of: Any, nouns: tuple[str, ...]) -> Any:
        if isinstance(of, They):
            of = ast.Player("they")
        if isinstance(of, ast.Player):
            return ast.ControlledBy(of)
        return ast.AttachedTo(of)

    def _token(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        """A phrase that describes tokens to be made, if it is one."""
        noun = head.nouns[0]
        if len(head.nouns) != 1 or noun.kind != "NOUN" or noun.lemma != "token":
            return None
        names = [value for kind, value in noun.before if kind == "NAME"]
        types = tuple(value for kind, value in noun.before if kind == "NOUN")
        if not names:
            return None
        if (
            len(names) != 1
            or noun.before[0][0] != "NAME"
            or names[0] not in self.vocabulary.tokens
            or len(types) > 1
        ):
            raise Refused("there is no such token")
        # A text need not say what type a token is: the table of tokens does.
        known = str(self.vocabulary.tokens[names[0]].get("type"))
        if types and types[0] != known:
            raise Refused(f"the {names[0]} token is a {known}")
        plural = noun.form == "plural"
        made = [adjective for adjective in adjectives if adjective.kind == "might"]
        ready = [adjective for adjective in adjectives if adjective.value == ast.HasState("ready")]
        if len(made) > 1 or len(ready) > 1 or len(made) + len(ready) < len(adjectives):
            return None
        if det is not None and (
            (det.kind == "a" and not plural) or (det.kind == "the" and not plural and known == "battlefield")
        ):
            quantity = ast.Quantity("exactly", ast.Number(1))
        elif det is not None and det.kind == "quant":
            _check_agreement(det.value, plural, not plural)
            quantity = det.value
        else:
            # "Your Recruit tokens": those that are there.
            return None
        might = made[0].value if made else None
        state = "ready" if ready else None
        keywords = tuple(post.value for post in posts if post.kind == "keyword")
        if any(post.kind not in ("keyword", "place") for post in posts):
            raise Refused("tokens are not described so")
        rest = tuple(post for post in posts if post.kind != "keyword")
        spec = ast.TokenSpec(quantity, names[0], types, might, keywords, state)
        return Placed(spec, rest) if rest else spec

    def _player(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        noun = head.nouns[0]
        lemma, plural = noun.lemma, noun.form == "plural"
        if (
            det is not None
            and det.kind == "the"
            and [a.kind for a in adjectives] == ["same"]
            and lemma == "controller"
        ):
            return Placed(ast.Player("controller"), (Post("same"), *posts))
        other = [adjective.value for adjective in adjectives] == [ast.Other()]
        if (adjectives and not other) or noun.before or len(head.nouns) > 1:
            raise Refused("no such player")
        player = self._which_player(det, lemma, plural, other)
        if posts:
            return Placed(player, tuple(posts))
        return player

    def _which_player(self, det: Det | None, lemma: str, plural: bool, other: bool) -> ast.Player:
        kind = "bare" if det is None else det.kind
        if kind == "poss":
            assert det is not None
            if lemma in ("controller", "owner"):
                of = ast.Reference("them") if isinstance(det.value, They) else det.value
                if plural and of != ast.Reference("them"):
                    raise Refused("one word speaks of one, the other of many")
                return ast.Player(lemma, of=of)
            if lemma == "opponent" and det.value == YOU:
                return ast.Player("opponents" if plural else "opponent")
            raise Refused("no such player")
        if lemma in ("controller", "owner"):
            raise Refused("it is not said whose")
        if lemma in ("defender", "attacker"):
            if kind == "the" and not plural and not other:
                return ast.Player(lemma)
            raise Refused("no such player")
        if kind == "bare" and plural and not other:
            return ast.Player({"opponent": "opponents", "player": "players", "ally": "allies"}[lemma])
        if kind == "quant" and det is not None and det.value.rule == "each" and not plural:
            return ast.Player(f"each-other-{lemma}" if other else f"each-{lemma}")
        if plural or other:
            raise Refused("no such player")
        if kind == "a":
            return ast.Player(lemma)
        if kind == "that":
            return ast.Player("that-player")
        if kind == "next" and lemma == "player":
            return ast.Player("next-player")
        raise Refused("no such player")

    def _zone(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        noun = head.nouns[0]
        if len(head.nouns) > 1:
            if det is None or head.conjunction == "and/or":
                raise Refused("it is not said whose")
            zones = tuple(self._zone(det, adjectives, Head((one,)), posts) for one in head.nouns)
            return ast.Group(zones, str(head.conjunction))
        if adjectives or noun.before or len(head.nouns) > 1 or posts:
            raise Refused("no such zone")
        plural = noun.form == "plural"
        if det is None:
            if plural:
                return ast.Zone(noun.lemma)
            if noun.lemma == "base":
                return ast.Zone("base")
            if noun.lemma == "hand":
                return ast.Zone("hand", YOU)
            raise Refused("it is not said whose")
        if det.kind == "poss":
            if isinstance(det.value, They):
                return ast.Zone(noun.lemma, ast.Player("they"))
            if isinstance(det.value, ast.Player):
                return ast.Zone(noun.lemma, det.value)
            if noun.lemma == "base" and not plural:
                return ast.LocationOf(det.value, "base")
            if noun.lemma == "trash" and isinstance(det.value, ast.Reference):
                return ast.Zone("trash", ast.Player("owner", of=det.value))
            raise Refused("things have no zones")
        if det.kind == "the" and noun.lemma in ("board", "chain") and not plural:
            return ast.Zone(noun.lemma)
        if det.kind == "a" and not plural and noun.lemma in ("base", "deck"):
            return ast.Zone(noun.lemma, ast.Player("player"))
        raise Refused("no such zone")

    def _stat(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        noun = head.nouns[0]
        words = [adjective.kind for adjective in adjectives]
        if noun.before or len(head.nouns) > 1:
            raise Refused("no such figure")
        stat = noun.lemma
        if "base" in words:
            words.remove("base")
            stat = f"base-{stat}"
        keyword = next((adjective.value for adjective in adjectives if adjective.kind == "keyword"), None)
        if keyword is not None and stat == "cost":
            return self._keyword_costs(det, adjectives, keyword, posts)
        if "additional" in words and stat == "cost":
            return self._additional_cost(det, adjectives, posts)
        changed = [post.kind for post in posts] == ["rel"] and stat.endswith("might")
        if det is not None and det.kind == "poss" and (not posts or changed) and not words:
            of = ast.Reference("them") if isinstance(det.value, They) else det.value
            if isinstance(of, ast.Player) and stat != "score":
                raise Refused("players have no such figure")
            found = ast.StatOf("points" if stat == "score" else stat, of)
            return Placed(found, tuple(posts)) if posts else found
        if det is not None and det.kind == "the" and len(posts) == 1:
            post = posts[0]
            if words == ["highest"] and post.kind == "among":
                return ast.Highest(stat, post.value)
            if words == ["total"] and post.kind == "of":
                return ast.TotalOf(stat, post.value)
            if not words and post.kind in ("of", "for") and not isinstance(post.value, ast.Player):
                return ast.StatOf(stat, post.value)
            raise Refused("no such figure")
        if det is not None and det.kind == "the" and stat == "victory-score" and not posts and not words:
            return BareStat("victory-score")
        if det is None and not words and not posts:
            return BareStat(stat)
        raise Refused("no such figure")

    def _keyword_costs(
        self, det: Det | None, adjectives: list[Adj], keyword: ast.Keyword, posts: list[Post]
    ) -> Any:
        filters = tuple(adjective.value for adjective in adjectives if adjective.kind == "filter")
        if det is not None and det.kind == "poss" and isinstance(det.value, ast.Player):
            filters = (ast.ControlledBy(det.value), *filters)
        elif det is not None:
            raise Refused("no such cost")
        if posts or len(adjectives) != len([f for f in filters if not isinstance(f, ast.ControlledBy)]) + 1:
            raise Refused("no such cost")
        return ast.Objects(ast.Quantity("all"), ("cost",), (*filters, ast.HasKeyword(keyword)))

    def _additional_cost(self, det: Det | None, adjectives: list[Adj], posts: list[Post]) -> Any:
        kinds = [adjective.kind for adjective in adjectives]
        if det is None and kinds == ["optional", "additional"]:
            filters: list[Any] = [ast.HasState("optional")]
            for post in posts:
                filters.extend(self._filter(post, ("cost",)) or _no_filter())
            return ast.Objects(ast.Quantity("all"), ("additional-cost",), tuple(filters))
        if posts or len(adjectives) > 1:
            raise Refused("no such cost")
        if (det is not None and det.kind == "the") or (
            det is not None and det.kind == "poss" and isinstance(det.value, ast.Self)
        ):
            return ast.Resource("additional-cost", ast.Number(1))
        if det is not None and det.kind == "a":
            return ast.Resource("an-additional-cost", ast.Number(1))
        raise Refused("no such cost")

    def _resource(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        noun = head.nouns[-1]
        words = [adjective.kind for adjective in adjectives]
        kind = "bare" if det is None else det.kind
        if kind == "quant" and det is not None and det.value.rule == "all" and noun.lemma == "damage":
            return self._all_damage(head, posts)
        if noun.before or len(head.nouns) > 1 or (words and words != ["additional"]):
            raise Refused("no such thing to count")
        lemma = f"additional-{noun.lemma}" if words else noun.lemma
        if kind == "poss":
            assert det is not None
            if posts:
                raise Refused("no such thing to count")
            of = ast.Reference("them") if isinstance(det.value, They) else det.value
            if noun.lemma in ("point", "xp"):
                return ast.StatOf("points" if noun.lemma == "point" else "xp", of)
            return ast.Resource(lemma, ast.Number(1), of)
        bound = None
        if kind == "quant" and det is not None and det.value.rule in ("at-most", "exact"):
            bound, amount = Post(det.value.rule), det.value.amount
        elif kind in ("bare", "a", "each") or (kind == "quant" and det is not None):
            amount = _amount_of(det)
        elif kind == "that-much":
            amount = ast.ThatMuch()
        elif kind == "this" and noun.lemma in ("energy", "power"):
            return ast.Reference("this", (noun.lemma,))
        elif kind == "next-number" and det is not None and noun.lemma == "damage":
            return Placed(ast.Resource("damage", det.value), (Post("next"), *posts))
        elif kind == "the" and noun.lemma in ("point", "damage"):
            return Placed(ast.Resource(lemma, ast.AnyAmount()), (Post("the"), *posts))
        else:
            raise Refused("no such thing to count")
        resource = ast.Resource(lemma, amount)
        if bound is not None:
            return Placed(resource, (bound, *posts))
        if kind == "bare" and noun.lemma == "buff":
            return Placed(resource, (Post("bare"), *posts))
        return Placed(resource, tuple(posts)) if posts else resource

    def _all_damage(self, head: Head, posts: list[Post]) -> Any:
        sources = tuple(noun.lemma for noun in head.nouns[:-1])
        before = tuple(value for _, value in head.nouns[-1].before)
        kinds = (*sources, *before)
        if kinds and not posts:
            source = ast.Objects(ast.Quantity("all"), kinds)
            return ast.Resource("damage", ast.AnyAmount(), source)
        return Placed(ast.Resource("damage", ast.AnyAmount()), (Post("all", kinds), *posts))

    def _phase(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        noun = head.nouns[0]
        which = None
        if (
            any(adjective.kind != "filter" for adjective in adjectives)
            or adjectives
            or noun.before
            or len(head.nouns) > 1
        ):
            raise Refused("no such phase")
        kind = "bare" if det is None else det.kind
        if (
            noun.lemma in ("combat", "game", "showdown")
            and kind in ("a", "the")
            and not adjectives
            and not noun.before
        ):
            filters: list[Any] = []
            for post in posts:
                filters.extend(
                    (self._filter(post, ("contest",)) if post.kind == "rel" else None) or _no_filter()
                )
            return ast.Objects(ast.Quantity("exactly", ast.Number(1)), (noun.lemma,), tuple(filters))
        if noun.lemma == "turn" and kind == "a" and not posts and not adjectives:
            return ast.Resource("turn", ast.Number(1))
        whose = det.value if det is not None and kind.startswith("poss") else None
        if kind == "poss-next":
            which = "next"
        elif kind == "poss-nth" and det is not None:
            which = "first" if det.number == 1 else str(det.number)
        elif kind in ("this", "the"):
            which = kind
        elif kind not in ("poss", "a", "bare") and not (
            kind == "quant" and det is not None and det.value.rule == "each"
        ):
            raise Refused("no such phase")
        if isinstance(whose, They):
            whose = ast.Player("they")
        if whose is not None and not isinstance(whose, ast.Player):
            raise Refused("things have no turns")
        moment = ast.Moment(kind, noun.lemma, whose, which)
        return Placed(moment, tuple(posts)) if posts else moment

    def _effect(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        noun = head.nouns[0]
        return self._ability_text(noun.before[0][1], det, adjectives, noun, posts)

    def _ability(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        """``[Deathknell] effects``, ``an activated ability of a gear``: abilities by their sort."""
        if len(head.nouns) > 1:
            return None
        if (
            (
                not adjectives
                and not posts
                and det is not None
                and det.kind == "poss"
                and isinstance(det.value, ast.Self)
            )
            and head.nouns[0].form == "plural"
            and not head.nouns[0].before
        ):
            return ast.AbilityText("any", det.value)
        if not adjectives:
            return None
        noun = head.nouns[0]
        keyword = next((adjective for adjective in adjectives if adjective.kind == "keyword"), None)
        if keyword is not None and not noun.before:
            rest = [adjective for adjective in adjectives if adjective is not keyword]
            return self._ability_text(keyword.value.name.lower(), det, rest, noun, posts)
        if [adjective.kind for adjective in adjectives] == ["participle"] and adjectives[
            0
        ].value == "activated":
            return self._ability_text("activated", det, [], noun, posts)
        return None

    def _ability_text(
        self, sort: str, det: Det | None, adjectives: list[Adj], noun: Noun, posts: list[Post]
    ) -> Any:
        if adjectives:
            raise Refused("no such ability")
        of: Any = None
        quantity = None
        kind = "bare" if det is None else det.kind
        rest = []
        for post in posts:
            if post.kind == "of" and of is None:
                of = post.value
            else:
                rest.append(post)
        if kind == "poss" and det is not None and of is None:
            of = det.value
        elif kind == "a" and noun.form == "singular":
            quantity = ast.Quantity("exactly", ast.Number(1))
        elif kind == "the" and of is not None and noun.form == "plural":
            quantity = ast.Quantity("all")
        elif kind != "bare" or noun.form == "singular":
            raise Refused("no such ability")
        text = ast.AbilityText(sort, of, quantity)
        return Placed(text, tuple(rest)) if rest else text

    def _keyword_stat(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        if (
            det is None
            or det.kind != "poss"
            or adjectives
            or posts
            or not isinstance(det.value, ast.Self | ast.Reference)
        ):
            raise Refused("a keyword is no thing")
        return ast.StatOf(head.nouns[0].lemma.lower(), det.value)

    def _count(self, det: Det | None, adjectives: list[Adj], head: Head, posts: list[Post]) -> Any:
        if det is None or det.kind != "the" or adjectives or [post.kind for post in posts] != ["of"]:
            raise Refused("it is not said what is counted")
        what = posts[0].value
        if not isinstance(what, ast.Objects) or what.quantity.rule != "all":
            raise Refused("this cannot be counted")
        return ast.CountOf(what)

    # ------------------------------------------------------------------------------ modifiers behind nouns

    def p_place(self, children: list[Any]) -> Post:
        return Post("place", children[0])

    def p_rel(self, children: list[Any]) -> Post:
        return Post("rel", children[0])

    def p_with(self, children: list[Any]) -> Post:
        return Post("with", children[0])

    def p_measure(self, children: list[Any]) -> Post:
        return Post("measure", children[0])

    def p_keyword(self, children: list[Any]) -> Post:
        return Post("keyword", self._keyword(children[0]))

    def p_without(self, children: list[Any]) -> Post:
        return Post("without", self._keyword(children[0]))

    def p_costing(self, children: list[Any]) -> Post:
        return Post("measure", self._limits("cost", children[0], whole=True))

    def p_of(self, children: list[Any]) -> Post:
        return Post("of", children[0])

    def p_among(self, children: list[Any]) -> Post:
        return Post("among", children[0])

    def p_for(self, children: list[Any]) -> Post:
        return Post("for", children[0])

    def p_for_doing(self, children: list[Any]) -> Post:
        return Post("for-doing", children[0])

    def p_with_measure(self, children: list[Any]) -> Post:
        return Post("with-measure", (children[0], children[1]))

    def p_other_than(self, children: list[Any]) -> Post:
        return Post("other-than", children[0])

    def p_adverb(self, children: list[Any]) -> Post:
        if self._lemma(children[0]) != "alone":
            raise Refused("no such description")
        return Post("adverb")

    def p_beyond(self, _: list[Any]) -> Post:
        return Post("beyond")

    def _filter(self, post: Post, nouns: tuple[str, ...]) -> list[Any] | None:
        """Give the filters that a modifier is for these nouns; None where only a verb can take it."""
        value = post.value
        is_place = any(noun in PLACE_NOUNS for noun in nouns)
        match post.kind:
            case "place":
                if is_place:
                    raise Refused("a place is not in a place")
                if isinstance(value, ast.At) and _off_board(value.place):
                    return [ast.From(value.place)]
                return [value]
            case "adverb":
                return [ast.HasState("alone")]
            case "other-than" if (
                isinstance(value, ast.Reference) and value.role == "mine" and len(nouns) == 1
            ):
                return [ast.Other(ast.LocationOf(ast.Self(), nouns[0]))]
            case "with-measure":
                return [*(self._with(value[0]) or _no_filter()), *value[1]]
            case "measure":
                if is_place:
                    raise Refused("a place has no such figure")
                return list(value)
            case "keyword":
                if is_place:
                    raise Refused("a place has no keywords")
                return [ast.HasKeyword(value)]
            case "without":
                return [ast.HasKeyword(value, negated=True)]
            case "rel":
                return self._relative(value, nouns)
            case "with":
                made = self._with(value)
                if made and is_place:
                    raise Refused("a place has no controller's share")
                return made
            case "for":
                raise Refused("no such description")
            case "of" if isinstance(value, ast.Objects | ast.Reference | ast.Self) and nouns == ("copy",):
                return [ast.CopyOf(value)]
        return None

    @abstractmethod
    def _relative(self, value: Any, nouns: tuple[str, ...]) -> list[Any]:
        """Read a relative clause as filters; the clauses do."""

    def _with(self, value: Any) -> list[Any] | None:
        if value == Placed(ast.Player("controller"), (Post("same"),)):
            return [ast.SameController()]
        if isinstance(value, Placed) and isinstance(value.what, BareStat):
            return None
        if (
            isinstance(value, ast.Reference)
            and value.participle in ("named", "chosen")
            and value.nouns == ("tag",)
            and not value.filters
        ):
            return [ast.HasTag((value.participle,))]
        return None

    # -------------------------------------------------------------------------------------------- places

    def place_here(self, _: list[Any]) -> Any:
        return ast.At(ast.Here())

    def place_there(self, _: list[Any]) -> Any:
        return ast.At(ast.There())

    def place_at(self, children: list[Any]) -> Any:
        return at_place(children[0])

    def place_in_phase(self, children: list[Any]) -> Any:
        if self._lemma(children[0]) != "combat":
            raise Refused("in what?")
        return ast.HasState("in-combat")

    def place_from(self, children: list[Any]) -> Any:
        where = children[0]
        if isinstance(where, ast.Objects | ast.Reference | ast.Zone | ast.There | ast.Here | ast.LocationOf):
            return ast.From(_any_place(where))
        if isinstance(where, ast.Self | ast.Group):
            return ast.From(where)
        raise Refused("nothing comes from there")

    def place_from_here(self, _: list[Any]) -> Any:
        return ast.From(ast.Here())

    def place_from_there(self, _: list[Any]) -> Any:
        return ast.From(ast.There())

    def place_from_among(self, children: list[Any]) -> Any:
        if not isinstance(children[0], They):
            raise Refused("among what?")
        return ast.From(ast.Reference("them"))

    def place_from_anywhere(self, _: list[Any]) -> Any:
        return ast.From(ast.Zone("anywhere"))

    def place_from_other(self, children: list[Any]) -> Any:
        zone = children[0]
        if not isinstance(zone, ast.Zone):
            raise Refused("no such zone")
        return ast.From(ast.Zone(zone.name, zone.of, negated=True))

    def place_anywhere(self, _: list[Any]) -> Any:
        return ast.At(ast.Zone("anywhere"))

    # ------------------------------------------------------------------------------------ other phrases

    def one(self, children: list[Any]) -> Any:
        return children[0]

    def np_more(self, children: list[Any]) -> Any:
        return children[0]

    def np_list(self, children: list[Any]) -> Any:
        conjunction = next(child for child in children if isinstance(child, str))
        parts = [child for child in children if not isinstance(child, str)]
        for part in parts[1:]:
            if isinstance(part, ast.Reference) and part.role == "both":
                raise Refused("these do not go together")
            if isinstance(part, ast.Objects) and part.quantity.rule == "all" and not part.filters:
                raise Refused("the second of two needs a word before it")
        if _is_one_list(parts):
            # "Spells and abilities you control": what stands behind is said of all of them.
            raise Refused("these are one list")
        if all(isinstance(part, ast.Player) for part in parts):
            return ast.Group(tuple(parts), conjunction)
        if any(isinstance(part, ast.Player) for part in parts):
            raise Refused("players and things do not go together")
        allowed = (
            ast.Objects,
            ast.Self,
            ast.Reference,
            ast.Zone,
            ast.Player,
            ast.TokenSpec,
            They,
            ast.Resource,
            OnlyOne,
        )
        if not all(isinstance(part, allowed) for part in parts):
            raise Refused("these do not go together")
        if any(isinstance(part, They) for part in parts):
            parts = [ast.Reference("them") if isinstance(part, They) else part for part in parts]
        return ast.Group(tuple(parts), conjunction)

    def conj(self, children: list[Any]) -> str:
        words = [child.text for child in children]
        return "and/or" if len(words) == 3 else words[0].lower()

    def pronoun(self, children: list[Any]) -> Any:
        text = self._text(children)
        match text:
            case "i" | "me":
                return ast.Self(form=text)
            case "this":
                return ast.Self(form="this")
            case "it":
                return ast.Reference("it")
            case "they" | "them":
                return They()
            case "you":
                return ast.Player("you")
            case "we" | "us":
                return ast.Group((ast.Self(), ast.Reference("it")), "and")
            case "the rest":
                return ast.Reference("rest")
            case "the other":
                return ast.Reference("other")
            case "each other":
                return ast.Reference("each-other")
            case "one or both of them" | "one or both":
                return ast.Reference("one-or-both")
            case "one or more":
                return ast.Reference("one-or-more")
            case "one of the following":
                return ast.Reference("following")
        return ast.Reference(text)

    def mine(self, _: list[Any]) -> Any:
        return ast.Reference("mine")

    def proper_name(self, children: list[Any]) -> Any:
        return ast.Reference("named", (children[0].text,))

    def of_one(self, children: list[Any]) -> Any:
        quantity, what = children
        if isinstance(what, ast.Objects) and what.quantity.rule == "all":
            if (
                any(isinstance(f, ast.ControlledBy | ast.AttachedTo) for f in what.filters)
                or quantity.rule == "any-number"
            ):
                if quantity.rule == "all":
                    raise Refused("no such number")
                return ast.Objects(quantity, what.nouns, what.filters)
            raise Refused("of which?")
        if isinstance(what, ast.Objects) and quantity.rule == "each" and what.quantity.rule == "up-to":
            return what
        bare_buffs = isinstance(what, Placed) and what.posts == (Post("bare"),)
        if bare_buffs and isinstance(what.what, ast.Resource) and quantity.rule == "any-number":
            return replace(what.what, amount=ast.AnyAmount())
        if (
            isinstance(what, ast.Reference)
            and what.role in ("those", "the")
            and quantity.rule in ("up-to", "exactly", "at-least", "any-number")
        ):
            return ast.Objects(quantity, what.nouns or ("any",), (ast.From(what),))
        if isinstance(what, They):
            if quantity.rule == "exactly" and number_of(quantity.amount) == 1:
                return ast.Reference("one")
            if quantity.rule == "both":
                return ast.Reference("both")
            if quantity.rule == "any":
                # "You may recycle any of them": as many as one likes.
                quantity = ast.Quantity("any-number")
            if quantity.rule in ("all", "exact"):
                raise Refused("of which?")
            return ast.Objects(quantity, ("any",), (ast.From(ast.Reference("them")),))
        raise Refused("of which?")

    def top_of(self, children: list[Any]) -> Any:
        edge = children[0]
        amount = children[1] if isinstance(children[1], ast.Number) else ast.Number(1)
        noun, zone = children[-2], children[-1]
        word = self.vocabulary.word(noun.text)
        assert word is not None
        if not isinstance(zone, ast.Zone) or "deck" not in zone.name:
            raise Refused("only a deck has a top")
        plural = word.form == "plural"
        if plural != (number_of(amount) != 1) or word.lemma != (
            "rune" if zone.name == "rune-deck" else "card"
        ):
            raise Refused("no such cards")
        return ast.TopOf(ast.Zone(zone.name, zone.of, edge=edge), amount, (word.lemma,))

    def edge_of(self, children: list[Any]) -> Any:
        edge, zone = children
        if not isinstance(zone, ast.Zone) or "deck" not in zone.name:
            raise Refused("only a deck has a top")
        return ast.Zone(zone.name, zone.of, edge=edge)

    def edges_of(self, children: list[Any]) -> Any:
        first, second, zone = children
        if not isinstance(zone, ast.Zone) or "deck" not in zone.name or first == second:
            raise Refused("only a deck has a top")
        return ast.Zone(zone.name, zone.of, edge=f"{first}-or-{second}")

    def side_edge(self, children: list[Any]) -> str:
        return str(children[0].text.lower())

    def double_of(self, children: list[Any]) -> Any:
        if not isinstance(children[0], ast.StatOf):
            raise Refused("this cannot be doubled")
        return ast.Times(ast.Number(2), children[0])

    def any_amount_of(self, children: list[Any]) -> Any:
        what = children[0]
        if isinstance(what, ast.Resource) and what.kind == "energy":
            return ast.Cost((ast.Energy(ast.AnyAmount()),))
        if isinstance(what, ast.Resource) and what.kind == "damage" and what.of is not None:
            return ast.Resource("damage", ast.AnyAmount(), what.of)
        raise Refused("of this no amount is chosen")

    def any_amount_of_power(self, children: list[Any]) -> Any:
        return ast.Cost((ast.Power(power_domain(children[0]), ast.AnyAmount()),))

    def exhaust_abilities(self, children: list[Any]) -> Any:
        _, noun, of = children
        if self._lemma(noun) != "ability" or not isinstance(of, ast.Objects) or of.quantity.form == "bare":
            raise Refused("no such ability")
        return ast.AbilityText("exhaust", of, ast.Quantity("all"))

    def following_tags(self, children: list[Any]) -> Any:
        quantity, noun, among, *names = children
        if self._lemma(noun) != "tag" or quantity.rule not in ("each", "all"):
            raise Refused("following what?")
        tags = names[0][0] if names else ()
        if names and names[0][1] != "and":
            raise Refused("and or or?")
        if not set(tags) <= set(self.vocabulary.tags.values()):
            raise Refused("which tags?")
        if quantity.rule == "each":
            if not tags:
                raise Refused("which tags?")
            return ast.TagCount(among, tags)
        if not isinstance(among, They):
            raise Refused("among whom?")
        return ast.TagsAmong(ast.Reference("them"), tags)

    def names(self, children: list[Any]) -> tuple[tuple[str, ...], str]:
        tags = tuple(self._lemma(child) for child in children if isinstance(child, Token))
        conjunction = next(child for child in children if isinstance(child, str))
        if len(set(tags)) != len(tags):
            raise Refused("a tag is said twice")
        return tags, conjunction

    def word(self, children: list[Any]) -> Token:
        token: Token = children[0]
        return token

    def name_more(self, children: list[Any]) -> Token:
        token: Token = children[0]
        return token

    def each_that(self, children: list[Any]) -> Any:
        return ast.Reference("each", filters=tuple(self._relative(children[0], ("permanent",))))

    def one_that(self, children: list[Any]) -> Any:
        return ast.Reference("one", filters=tuple(self._relative(children[0], ("mode",))))

    def top_alone(self, children: list[Any]) -> Any:
        edge, noun = children
        word = self.vocabulary.word(noun.text)
        if word is None or word.lemma not in ("card", "rune") or word.form == "plural":
            raise Refused("no such cards")
        return ast.TopOf(ast.Zone("deck", None, edge=edge), ast.Number(1), (word.lemma,))

    def those_not(self, children: list[Any]) -> Any:
        subject, aux = children
        if subject != YOU or aux != "do not":
            raise Refused("which?")
        return ast.Reference("rest")

    def something_else(self, children: list[Any]) -> Any:
        adjective = children[-1]
        if adjective.kind != "filter":
            raise Refused("no such state")
        one = ast.Quantity("exactly", ast.Number(1))
        return ast.Objects(one, ("permanent",), (ast.Other(), adjective.value))

    def any_that(self, children: list[Any]) -> Any:
        return ast.Reference("any", filters=tuple(self._relative(children[0], ("card",))))

    def those_that(self, children: list[Any]) -> Any:
        return ast.Reference("those", filters=tuple(self._relative(children[0], ("card",))))

    # ------------------------------------------------------------------------------------------ measures

    def stat_word(self, children: list[Any]) -> str:
        return self._lemma(children[0])

    def m_limits(self, children: list[Any]) -> tuple[Any, ...]:
        return self._limits(children[0], children[1])

    def m_total(self, children: list[Any]) -> tuple[Any, ...]:
        stat, limits = [child for child in children if child is not None]
        return tuple(ast.TotalIs(stat, limit.op, limit.value) for limit in limits)

    def m_less(self, children: list[Any]) -> tuple[Any, ...]:
        return self._compared("<", children)

    def m_greater(self, children: list[Any]) -> tuple[Any, ...]:
        return self._compared(">", children)

    def m_no_more(self, children: list[Any]) -> tuple[Any, ...]:
        return self._compared("<=", children)

    def m_no_less(self, children: list[Any]) -> tuple[Any, ...]:
        return self._compared(">=", children)

    def m_highest(self, children: list[Any]) -> tuple[Any, ...]:
        return (ast.HasHighest(children[0]),)

    def _compared(self, op: str, children: list[Any]) -> tuple[Any, ...]:
        stat, than = children
        if not isinstance(than, ast.Self | ast.Reference | ast.Objects):
            raise Refused("compared with what?")
        return (ast.StatIs(stat, op, ast.StatOf(stat, than)),)

    def m_than(self, children: list[Any]) -> tuple[Any, ...]:
        return self._than("<", children)

    def m_than_more(self, children: list[Any]) -> tuple[Any, ...]:
        return self._than(">", children)

    def _than(self, op: str, children: list[Any]) -> tuple[Any, ...]:
        stat, than = children
        if isinstance(than, ast.Self | ast.Reference):
            # "Might less than mine" is less than my Might.
            owner = ast.Self() if than == ast.Reference("mine") else than
            than = ast.StatOf(stat, owner)
        return (ast.StatIs(stat, op, amount_from(than)),)

    def m_might_most(self, children: list[Any]) -> tuple[Any, ...]:
        return (ast.StatIs("might", "<=", children[0]),)

    def m_might_least(self, children: list[Any]) -> tuple[Any, ...]:
        return (ast.StatIs("might", ">=", children[0]),)

    def _limits(self, stat: str, limits: tuple[Limit, ...], whole: bool = False) -> tuple[Any, ...]:
        made = []
        if stat == "cost" and not whole and len(limits) < 2 and isinstance(limits[0].value, ast.Cost):
            # A cost has two figures (130); a bound on one of them says which.
            raise Refused("Energy cost or Power cost?")
        for limit in limits:
            if isinstance(limit.value, ast.Cost):
                made.extend(_cost_limits(stat, limit))
            elif stat == "might":
                made.append(ast.StatIs(stat, limit.op, limit.value))
            else:
                raise Refused("a cost is compared with a cost")
        return tuple(made)

    def limits(self, children: list[Any]) -> tuple[Limit, ...]:
        return (children[0],)

    def limits_more(self, children: list[Any]) -> tuple[Limit, ...]:
        return (*children[0], children[1])

    def limit_most(self, children: list[Any]) -> Limit:
        return Limit("<=", children[0])

    def limit_least(self, children: list[Any]) -> Limit:
        return Limit(">=", children[0])

    limit_most_mana = limit_most
    limit_least_mana = limit_least

    def limit_up_to_more(self, children: list[Any]) -> Limit:
        value, than = children
        if isinstance(than, ast.Reference | ast.Self):
            than = ast.StatOf("might", than)
        return Limit("<=", ast.Plus(value, amount_from(than)))


def _no_filter() -> list[Any]:
    raise Refused("no such description")


def power_domain(token: Token) -> str:
    """Give the domain that a Power symbol names; the rainbow one is any, ``[C]`` the card's own."""
    for domain in ("fury", "calm", "mind", "body", "chaos", "order"):
        if domain in token.text.lower():
            return domain
    return "own" if token.text == "[C]" else "any"


def at_place(where: Any) -> Any:
    """Give the filter for being at a place."""
    if isinstance(where, Placed) and where.posts == (Post("same"),) and isinstance(where.what, ast.Objects):
        return ast.At(_any_place(where.what), same=True)
    if isinstance(where, ast.Zone):
        return ast.At(where)
    if isinstance(where, ast.Group) and all(isinstance(part, ast.Zone) for part in where.parts):
        return ast.At(where)
    if isinstance(where, ast.Objects) and where.nouns in (("showdown",), ("combat",)) and not where.filters:
        return ast.HasState(f"in-{where.nouns[0]}")
    if isinstance(where, ast.Objects | ast.Reference):
        if not all(noun in PLACE_NOUNS for noun in where.nouns):
            raise Refused("this is no place")
        return ast.At(_any_place(where))
    if isinstance(where, ast.LocationOf | ast.There | ast.Here):
        return ast.At(where)
    raise Refused("this is no place")


def _off_board(where: Any) -> bool:
    if isinstance(where, ast.Group):
        return any(_off_board(part) for part in where.parts)
    return isinstance(where, ast.Zone) and where.name not in ("base", "board", "anywhere")


def _any_place(where: Any) -> Any:
    """A place that describes: "at battlefields" is at any of them; "at a battlefield" stays one for now."""
    if isinstance(where, ast.Objects) and where.quantity == ast.Quantity("all"):
        return ast.Objects(ast.Quantity("any"), where.nouns, where.filters)
    return where


def _loosened(what: Any) -> Any:
    """Read "a unit at a battlefield" as at any battlefield; "all units at a battlefield" is at one, which is chosen."""
    if not isinstance(what, ast.Objects) or not what.filters:
        return what
    quantity = what.quantity
    single = quantity.rule in ("any", "each", "none") or (
        quantity.rule in ("exactly", "up-to") and number_of(quantity.amount) == 1
    )
    if not single:
        return what
    return ast.Objects(quantity, what.nouns, tuple(any_place(f) for f in what.filters))


def any_place(f: Any) -> Any:
    """Give a filter with "at a battlefield" as at any battlefield."""
    place = f.place if isinstance(f, ast.At | ast.From) else None
    one = ast.Quantity("exactly", ast.Number(1))
    if isinstance(place, ast.Objects) and place.quantity == one and not getattr(f, "same", False):
        place = ast.Objects(ast.Quantity("any"), place.nouns, place.filters)
        return ast.At(place, negated=f.negated) if isinstance(f, ast.At) else ast.From(place)
    return f


def amount_from(value: Any) -> Any:
    """Give the amount that a phrase names, or refuse."""
    if isinstance(
        value,
        ast.StatOf
        | ast.CountOf
        | ast.Highest
        | ast.TotalOf
        | ast.Times
        | ast.Number
        | ast.Plus
        | ast.ThatMuch,
    ):
        return value
    if isinstance(value, ast.Objects):
        raise Refused("this is no amount")
    raise Refused("this is no amount")


def _location_of(of: Any, nouns: tuple[str, ...], adjectives: list[Adj], posts: list[Post]) -> Any:
    if isinstance(of, They):
        of = ast.Reference("them")
    if len(nouns) != 1 or nouns[0] not in PLACE_NOUNS or isinstance(of, ast.Player):
        return None
    if posts:
        raise Refused("no such place")
    words = [adjective.kind for adjective in adjectives]
    if words == ["original"] or not words:
        return ast.LocationOf(of, nouns[0], original=bool(words))
    raise Refused("no such place")


def _counted(f: Any, number: int) -> Any:
    if isinstance(f, ast.That) and f.window == ast.ThisTurn(each=True):
        return replace(f, event=replace(f.event, ordinal=number))
    return f


def _check_agreement(quantity: ast.Quantity, plural: bool, singular: bool) -> None:
    count = number_of(quantity.amount)
    many = quantity.rule in ("all", "any-number", "both", "at-least") or (count is not None and count != 1)
    if quantity.rule in ("each", "any"):
        many = False
    if quantity.rule == "at-least" or quantity.rule == "at-most":
        many = True
    if many and singular and not plural:
        raise Refused("the number speaks of many, the noun of one")
    if not many and plural and quantity.rule != "any":
        raise Refused("the number speaks of one, the noun of many")


def _amount_of(det: Det | None) -> Any:
    if det is None:
        return ast.AnyAmount(form="bare")
    if det.kind == "a":
        return ast.Number(1)
    rule, amount = det.value.rule, det.value.amount
    if rule == "exactly":
        return amount
    if rule == "at-least":
        return ast.AtLeast(amount)
    if rule in ("any-number", "each"):
        return ast.AnyAmount() if rule == "any-number" else ast.Number(1)
    raise Refused("no such amount")


def _cost_limits(stat: str, limit: Limit) -> list[Any]:
    made = []
    for part in limit.value.parts:
        if isinstance(part, ast.Energy) and stat in ("cost", "energy-cost"):
            made.append(ast.StatIs("energy-cost", limit.op, part.amount))
        elif isinstance(part, ast.Power) and stat in ("cost", "power-cost") and part.domain == "any":
            made.append(ast.StatIs("power-cost", limit.op, part.amount))
        else:
            raise Refused("a cost is compared with a cost of its kind")
    return made


def _check_nearest(posts: list[Post]) -> None:
    """Refuse a modifier that the noun inside the phrase before it could take."""
    for before, after in itertools.pairwise(posts):
        if after.kind in ("place", "with", "adverb") and _takes_places(before):
            raise Refused("a place belongs to the clause before it")
        inner = _innermost(before)
        if inner is None:
            continue
        named = isinstance(inner, ast.Objects) or (isinstance(inner, ast.Reference) and bool(inner.nouns))
        if after.kind == "rel" and named and _could_take(inner, after):
            raise Refused("a modifier belongs to the nearest noun")


def _takes_places(post: Post) -> bool:
    """Tell whether what stands behind a modifier belongs to its verb ("banished with this")."""
    if post.kind == "for-doing":
        return True
    if post.kind != "rel" or not isinstance(post.value[1], Clause):
        return False
    clause = post.value[1]
    return not clause.verbs or clause.verbs[0].lemma not in ("control", "own")


def _innermost(post: Post) -> Any:
    if post.kind in ("of", "among"):
        return post.value
    if post.kind == "place" and isinstance(post.value, ast.At | ast.From):
        return post.value.place
    return None


def _could_take(inner: Any, post: Post) -> bool:
    del inner, post
    return True


__all__ = ["PhraseBuilder", "amount_from", "at_place", "number_of", "power_domain"]


def _is_one_list(parts: list[Any]) -> bool:
    """Tell whether things are named bare one after the other, with words only behind the last."""
    things = [part for part in parts if isinstance(part, ast.Objects) and part.quantity.form == "bare"]
    if len(things) < len(parts) or any(thing.filters for thing in things[:-1]):
        return False
    return any(isinstance(part, ast.ControlledBy | ast.At | ast.From) for part in things[-1].filters)
