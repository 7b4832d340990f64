"""Phrases that are no plain noun phrase: lists, pronouns, "one of them", "the top card", "double its Might"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused
from rulewright.language.lex import Token
from rulewright.language.reading.nouns import NounBuilder, loosened, number_of
from rulewright.language.reading.parts import (
    OnlyOne,
    Placed,
    Post,
    They,
)


class PhraseBuilder(NounBuilder):
    """The callbacks of lists, pronouns and the other phrases that stand where a noun phrase does."""

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
            case "the rest" | "the others" | "all others" | "all the others":
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
        if isinstance(what, ast.Moment) and what.edge == "poss-all":
            if quantity.rule != "each":
                raise Refused("which of them?")
            # "Each of your turns": whenever it is your turn.
            return replace(what, edge="poss")
        if what == ast.Reference("it") and quantity.rule == "exactly" and quantity.amount is not None:
            return Placed(ast.Resource("damage", quantity.amount), (Post("of-it"),))
        if isinstance(what, ast.Objects) and what.quantity.rule == "all":
            if quantity.rule == "all" and what.quantity.form == "bare":
                return what
            if (
                any(isinstance(f, ast.ControlledBy | ast.AttachedTo) for f in what.filters)
                or quantity.rule == "any-number"
            ):
                if quantity.rule == "all":
                    return replace(what, quantity=quantity)
                return loosened(ast.Objects(quantity, what.nouns, what.filters))
            raise Refused("of which?")
        if isinstance(what, ast.Objects) and quantity.rule == "each" and what.quantity.rule == "up-to":
            return what
        several = isinstance(what, ast.Objects) and what.quantity.rule == "exactly"
        if several and quantity.rule == "each" and (number_of(what.quantity.amount) or 0) > 1:
            return what
        if isinstance(what, ast.StatOf) and what.stat in ("points", "xp") and quantity.rule == "each":
            return what
        bare_buffs = isinstance(what, Placed) and what.posts == (Post("bare"),)
        if bare_buffs and isinstance(what.what, ast.Resource) and quantity.rule == "any-number":
            return replace(what.what, amount=ast.AnyAmount())
        if _are_there(what) and quantity.rule != "all":
            return loosened(ast.Objects(quantity, what.nouns, what.filters))
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

    def other_number(self, children: list[Any]) -> Any:
        if children[0].value < 2:
            raise Refused("one word speaks of one, the other of many")
        return ast.Reference("rest")

    def double_of(self, children: list[Any]) -> Any:
        if children[0] == ast.Resource("damage", ast.AnyAmount()):
            return ast.Resource("double-damage", ast.AnyAmount())
        if not isinstance(children[0], _FIGURES):
            raise Refused("this cannot be doubled")
        return ast.Times(ast.Number(2), children[0])

    def half_of(self, _: list[Any]) -> Any:
        raise Refused("no rule says how a half is rounded")

    def sum_of(self, children: list[Any]) -> Any:
        if not all(isinstance(child, (*_FIGURES, ast.Number)) for child in children):
            raise Refused("these have no sum")
        return ast.Plus(children[0], children[1])

    def difference_of(self, children: list[Any]) -> Any:
        return replace(self.sum_of(children), minus=True)

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


_FIGURES = (ast.StatOf, ast.CountOf, ast.TotalOf, ast.Highest)


def _are_there(what: Any) -> bool:
    """Tell whether "the enemy units here" are those that there are, and none that were spoken of."""
    return (
        isinstance(what, ast.Reference)
        and what.role == "the"
        and what.participle is None
        and any(isinstance(f, ast.Side | ast.ControlledBy | ast.At | ast.From) for f in what.filters)
    )


def power_domain(token: Token) -> str:
    """Give the domain that a Power symbol names; the rainbow one is any, ``[C]`` the card's own."""
    for domain in ("fury", "calm", "mind", "body", "chaos", "order"):
        if domain in token.text.lower():
            return domain
    return "own" if token.text == "[C]" else "any"


def _is_one_list(parts: list[Any]) -> bool:
    """Tell whether things are named bare one after the other, with words only behind the last."""
    things = [part for part in parts if isinstance(part, ast.Objects) and part.quantity.form == "bare"]
    if len(things) < len(parts) or any(thing.filters for thing in things[:-1]):
        return False
    return any(isinstance(part, ast.ControlledBy | ast.At | ast.From) for part in things[-1].filters)
