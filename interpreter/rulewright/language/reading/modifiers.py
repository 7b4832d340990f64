"""Modifiers and places: what narrows a noun from behind, and where things are.

A modifier belongs to the nearest noun that can take it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import Refused
from rulewright.language.reading.measures import MeasureBuilder, totals
from rulewright.language.reading.parts import (
    BareStat,
    Clause,
    Placed,
    Post,
    They,
)

PLACE_NOUNS = frozenset(("battlefield", "location", "destination"))


class ModifierBuilder(MeasureBuilder):
    """The callbacks of what stands behind a noun, and of places."""

    # ------------------------------------------------------------------------------ modifiers behind nouns

    def p_place(self, children: list[Any]) -> Post:
        return Post("place", children[0])

    def p_rel(self, children: list[Any]) -> Post:
        return Post("rel", children[0])

    def p_with(self, children: list[Any]) -> Post:
        return Post("with", children[0])

    def p_measure(self, children: list[Any]) -> Post:
        return Post("measure", children[0])

    def p_with_name(self, children: list[Any]) -> Post:
        # "Name" is a verb to the lexicon, and the one that is a noun as well.
        if children[0].text != "name":
            raise Refused("with what?")
        return Post("filter", ast.HasName())

    def p_keyword(self, children: list[Any]) -> Post:
        return Post("keyword", self._keyword(children[0]))

    def p_without(self, children: list[Any]) -> Post:
        return Post("without", self._keyword(children[0]))

    def p_costing(self, children: list[Any]) -> Post:
        return Post("measure", self.limited("cost", children[0]))

    def p_with_more(self, children: list[Any]) -> Post:
        how, what, than = children
        return Post("with-more", (">" if how == "more" else "<", what, than))

    def p_measures(self, children: list[Any]) -> Post:
        return Post("measure", (*children[0], *children[1]))

    def p_whose(self, children: list[Any]) -> Post:
        stat, _, limits = children
        return Post("measure", self.limited(stat, limits))

    def p_whose_total(self, children: list[Any]) -> Post:
        stat, _, limits = [child for child in children if child is not None]
        return Post("measure", totals(stat, self.limited(stat, limits)))

    def p_under(self, children: list[Any]) -> Post:
        possessor, verb = children
        if self._lemma(verb) != "control":
            raise Refused("under what?")
        who = ast.Player("they") if isinstance(possessor.of, They) else possessor.of
        if not isinstance(who, ast.Player):
            raise Refused("under whose control?")
        return Post("filter", ast.ControlledBy(who))

    def p_on(self, children: list[Any]) -> Post:
        return Post("on", children[0])

    def p_as(self, children: list[Any]) -> Post:
        return Post("as", children[0])

    def p_than(self, children: list[Any]) -> Post:
        return Post("than", children[0])

    def p_without_np(self, children: list[Any]) -> Post:
        return Post("without-np", children[0])

    def p_not_place(self, children: list[Any]) -> Post:
        if not isinstance(children[0], ast.At):
            raise Refused("not where?")
        return Post("filter", replace(children[0], negated=True))

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

    def p_beyond(self, children: list[Any]) -> Post:
        return Post("beyond", children[0])

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
            case "filter":
                return [value]
            case "without-np":
                had = self.had(value)
                if len(had) != 1:
                    raise Refused("without what?")
                return [denied(had[0])]
            case "other-than" if isinstance(value, ast.Objects):
                return _is_none_of(value, self.vocabulary.tags)
            case "other-than" if not is_place and isinstance(value, ast.Self | ast.Reference):
                return [ast.Other(value)]
            case "other-than" if is_place and isinstance(value, ast.Here | ast.There):
                return [ast.Other(value)]
            case "other-than" if (
                isinstance(value, ast.Reference) and value.role == "mine" and len(nouns) == 1
            ):
                return [ast.Other(ast.LocationOf(ast.Self(), nouns[0]))]
            case "with-measure":
                return [*(self._with(value[0]) or no_filter()), *value[1]]
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
            case "rel" if is_place and isinstance(value[1], Clause) and is_of_units(*value):
                raise Refused("no place is so")
            case "rel":
                return self._relative(value, nouns)
            case "with":
                if is_place and isinstance(value, ast.Objects):
                    # "A battlefield with an enemy unit": where there is one.
                    return [ast.Where(ast.Exists(value))]
                made = self._with(value)
                if made and is_place:
                    raise Refused("a place has no controller's share")
                return made
            case "with-more":
                raise Refused("only players have more")
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
        had = self.had(value)
        if had:
            return had
        if (
            isinstance(value, ast.Reference)
            and value.participle in ("named", "chosen")
            and value.nouns == ("tag",)
            and not value.filters
        ):
            return [ast.HasTag((value.participle,))]
        return None

    def had(self, value: Any) -> list[Any]:
        """Give what is said of something by what it has: a buff, damage, Equipment; nothing for other things."""
        none = False
        if isinstance(value, Placed) and isinstance(value.what, ast.Resource):
            rest = [post for post in value.posts if post not in _ON_IT]
            none = rest == [Post("none")]
            if rest and not none and rest != [Post("bare")]:
                return []
            value = value.what
        if isinstance(value, ast.Resource) and value.of is None and value.kind in ("buff", "damage"):
            # 702: what has a buff is buffed; 142: what has damage is damaged.
            if value.amount not in (ast.Number(1), ast.AnyAmount()):
                return []
            return [ast.HasState("buffed" if value.kind == "buff" else "damaged", negated=none)]
        if isinstance(value, ast.Objects):
            marks = [f for f in value.filters if f in _ATTACHED]
            if len(marks) == 1:
                kept = tuple(f for f in value.filters if f is not marks[0])
                return [ast.Bears(replace(value, filters=kept))]
        return []

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

    def place_on(self, children: list[Any]) -> Any:
        if children[0] != ast.Zone("board"):
            raise Refused("on what?")
        return ast.At(children[0])

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


def is_of_units(gap: str, clause: Clause) -> bool:
    """Tell whether a relative clause says what only units and the like can be: stunned, attacking, alone."""
    if gap == "participle":
        return True
    value = clause.predicate[1] if gap == "is" and clause.predicate is not None else None
    if isinstance(value, ast.HasState):
        return value.state not in _PLACE_STATES
    stated = ("stun", "buff", "exhaust", "ready", "attach", "kill")
    return gap == "object" and clause.voice == "passive" and clause.verbs[0].lemma in stated


_PLACE_STATES = ("open", "occupied", "uncontrolled", "empty")


def either(filters: tuple[Any, ...]) -> Any:
    """Give what holds where one of several filters does."""
    return filters[0] if len(filters) == 1 else ast.EitherOf(filters)


def denied(f: Any) -> Any:
    """Give a filter that holds where this one does not."""
    if isinstance(f, ast.Bears):
        if f.what.quantity.rule not in ("exactly", "all") or f.what.quantity.amount not in (None, _ONE):
            raise Refused("without how many?")
        return ast.Bears(replace(f.what, quantity=ast.Quantity("none")))
    return replace(f, negated=not f.negated)


_ONE = ast.Number(1)
_ON_IT = (Post("on", ast.Reference("it")), Post("on", They()))
_ATTACHED = (
    ast.HasState("attached"),
    ast.AttachedTo(ast.Reference("it")),
    ast.AttachedTo(ast.Reference("them")),
)


def _is_none_of(value: ast.Objects, tags: Mapping[str, str]) -> list[Any]:
    """``other than Dragons``, ``other than a unit``: what sort of thing it is not."""
    one = value.quantity == ast.Quantity("exactly", ast.Number(1))
    if not (one or value.quantity.form == "bare") or value.filters:
        raise Refused("other than which?")
    if all(noun in tags.values() for noun in value.nouns):
        return [ast.HasTag(value.nouns, negated=True)]
    if any(noun in tags.values() for noun in value.nouns):
        raise Refused("other than which?")
    return [ast.HasType(noun, negated=True) for noun in value.nouns]


def no_filter() -> list[Any]:
    """Refuse a modifier that describes nothing."""
    raise Refused("no such description")


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
