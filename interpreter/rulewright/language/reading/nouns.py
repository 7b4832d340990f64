"""Noun phrases: from the parts of a phrase to selectors, players, zones and figures.

A determiner must agree with its noun; a noun without a determiner must be a plural or a mass noun. What breaks this
is refused.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused
from rulewright.language.reading.modifiers import PLACE_NOUNS, ModifierBuilder, is_of_units, no_filter
from rulewright.language.reading.parts import (
    Adj,
    BareStat,
    Clause,
    Det,
    Head,
    Next,
    Noun,
    Nth,
    OnlyOne,
    Placed,
    Post,
    They,
)
from rulewright.language.reading.words import EFFECT_NOUNS, OBJECT_KINDS


class NounBuilder(ModifierBuilder):
    """The callbacks of whole noun phrases: what determiner, adjectives, nouns and modifiers mean together."""

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
        same = _same_place(det, nouns, adjectives, posts)
        if same is not None:
            return same
        chooser, posts = _chooser(posts)
        token = self._token(det, adjectives, head, posts)
        if token is not None:
            return token
        if det is not None and det.value == ast.Player("opponent") and len(head.nouns) == 1 and not plural:
            # "An opponent's unit": any one of theirs.
            det = Det("a")
            filters.append(ast.ControlledBy(ast.Player("opponent")))
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
        if any(isinstance(f, ast.HasHighest) for f in filters) and any(map(_is_at_each, filters)):
            raise Refused("the highest of which?")
        what = loosened(
            self._determined(det, special, nouns, tuple(filters), plural, "singular" in kinds, head)
        )
        if chooser is not None:
            what = _chosen_by(what, chooser)
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
            case "the" if singular and not plural and any(isinstance(f, ast.HasHighest) for f in filters):
                # "The unit with the highest Might": one of those that have it, which is chosen where there are more.
                return ast.Objects(one, nouns, filters)
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
                if det.number == 0 and singular and not plural:
                    raise Refused("one word speaks of one, the other of many")
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
        tired = [adjective for adjective in adjectives if adjective.value == ast.HasState("exhausted")]
        states = len(ready) + len(tired)
        if len(made) > 1 or states > 1 or len(made) + states < len(adjectives):
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
        if tired:
            # What arrives exhausted: it is the playing that says so, where tokens are made.
            rest = (*rest, Post("arrives", "exhausted"))
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
        chooser, posts = _chooser(posts)
        player = self._which_player(det, lemma, plural, other)
        if chooser is not None and (chooser != YOU or player.which not in ("opponent", "player")):
            raise Refused("who chooses?")
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
        if kind == "quant" and det is not None and det.value == ast.Quantity("all") and plural and not other:
            return ast.Player({"opponent": "opponents", "player": "players"}.get(lemma, lemma))
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
            # A hand and a trash are said to be a player's: no text leaves open whose cards they are.
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
            if words in (["highest"], ["lowest"]) and post.kind == "among":
                return ast.Highest(stat, post.value, words == ["lowest"])
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
                filters.extend(self._filter(post, ("cost",)) or no_filter())
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
        if kind == "poss-next" and det is not None and noun.lemma == "point" and not posts:
            whose = ast.Player("they") if isinstance(det.value, They) else det.value
            return Placed(ast.Resource("point", ast.Number(1), whose), (Post("next"),))
        bound = None
        if kind == "quant" and det is not None and det.value.rule in ("at-most", "exact"):
            bound, amount = Post(det.value.rule), det.value.amount
        elif kind in ("bare", "a", "each") or (kind == "quant" and det is not None):
            amount = _amount_of(det)
        elif kind == "that-much":
            amount = ast.ThatMuch()
        elif kind == "this" and noun.lemma in ("energy", "power"):
            return ast.Reference("this", (noun.lemma,))
        elif kind in ("next-number", "first-number") and det is not None and noun.lemma == "damage":
            return Placed(ast.Resource("damage", det.value), (Post(kind.removesuffix("-number")), *posts))
        elif kind == "none":
            return Placed(ast.Resource(lemma, ast.AnyAmount()), (Post("none"), *posts))
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
        if noun.form == "plural" and noun.lemma == "turn":
            if kind != "poss" or posts:
                raise Refused("which of them?")
            kind = "poss-all"
        if (
            noun.lemma in ("combat", "game", "showdown")
            and kind in ("a", "the")
            and not adjectives
            and not noun.before
        ):
            filters: list[Any] = []
            for post in posts:
                filters.extend(
                    (self._filter(post, ("contest",)) if post.kind == "rel" else None) or no_filter()
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
        elif kind not in ("poss", "poss-all", "a", "bare") and not (
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
        if isinstance(what, Placed) and isinstance(what.what, ast.Resource):
            figure = figure_had(what)
            if figure is not None:
                return figure
        if not isinstance(what, ast.Objects) or what.quantity.rule != "all":
            raise Refused("this cannot be counted")
        return ast.CountOf(what)


def _is_at_each(f: Any) -> bool:
    place = f.place if isinstance(f, ast.At) else None
    return isinstance(place, ast.Objects) and place.quantity.rule == "each"


def _same_place(det: Det | None, nouns: tuple[str, ...], adjectives: list[Adj], posts: list[Post]) -> Any:
    """``the same battlefield as me``, ``a different location than it``: a place told by what is there."""
    if (
        len(posts) != 1
        or posts[0].kind not in ("as", "than")
        or len(nouns) != 1
        or nouns[0] not in PLACE_NOUNS
    ):
        return None
    of = ast.Reference("them") if isinstance(posts[0].value, They) else posts[0].value
    if not isinstance(of, ast.Self | ast.Reference | ast.Objects) or det is None:
        raise Refused("as what?")
    place = ast.LocationOf(of, nouns[0])
    words = [adjective.kind for adjective in adjectives]
    if det.kind == "the" and words == ["same"] and posts[0].kind == "as":
        return place
    if det.kind == "a" and adjectives == [Adj("filter", ast.Other())] and posts[0].kind == "than":
        one = ast.Quantity("exactly", ast.Number(1))
        return ast.Objects(one, nouns, (ast.Other(place),))
    raise Refused("as what?")


def _chooser(posts: list[Post]) -> tuple[Any, list[Post]]:
    """Take "of your choice", "of their choice" out of what stands behind a noun."""
    for post in posts:
        value = post.value
        if post.kind == "of" and isinstance(value, ast.Objects) and value.nouns == ("choice",):
            by = value.filters[0] if len(value.filters) == 1 else None
            if isinstance(by, ast.ControlledBy):
                return by.player, [other for other in posts if other is not post]
    return None, posts


def _chosen_by(what: Any, chooser: Any) -> Any:
    """Give a thing whose text says who chooses it: whoever does the clause, which its verb checks."""
    placed = what.what if isinstance(what, Placed) else what
    if not isinstance(placed, ast.Objects) or placed.quantity.rule not in ("exactly", "up-to", "any-number"):
        raise Refused("nothing is chosen")
    if chooser not in (YOU, ast.Player("they")):
        raise Refused("who chooses?")
    form = "your choice" if chooser == YOU else "their choice"
    made = replace(placed, quantity=replace(placed.quantity, form=form))
    return replace(what, what=made) if isinstance(what, Placed) else made


def figure_had(value: Placed) -> ast.StatOf | None:
    """Give the figure of "points you have", "each XP they have"; nothing for other things."""
    stat = {"point": "points", "xp": "xp"}.get(value.what.kind)
    post = next((post for post in value.posts if post.kind != "bare"), None)
    if stat is None or post is None or post.kind != "rel" or post.value[0] != "object":
        return None
    clause = post.value[1]
    who = ast.Player("they") if isinstance(clause.subject, They) else clause.subject
    if clause.verbs[0].lemma != "have" or clause.comps or clause.past or not isinstance(who, ast.Player):
        return None
    return ast.StatOf(stat, who)


def number_of(amount: Any) -> int | None:
    """Give the plain number of an amount, where it is one."""
    return amount.value if isinstance(amount, ast.Number) else None


def loosened(what: Any) -> Any:
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


def _check_nearest(posts: list[Post]) -> None:
    """Refuse a modifier that the noun inside the phrase before it could take."""
    for before, after in itertools.pairwise(posts):
        if after.kind in ("place", "with", "adverb") and _takes_places(before):
            raise Refused("a place belongs to the clause before it")
        if after.kind == "rel" and _is_had(before) and after.value[0] in ("object", "participle"):
            raise Refused("“have” belongs to the participle behind it")
        inner = _innermost(before)
        if inner is None:
            continue
        units = isinstance(after.value, ast.Objects) and "unit" in after.value.nouns
        if after.kind == "with" and units and before.kind == "place" and isinstance(inner, ast.Objects):
            # "At a battlefield with an enemy unit": the unit is at the battlefield.
            raise Refused("a modifier belongs to the nearest noun")
        if after.kind == "place" and before.kind in ("measure", "with") and isinstance(inner, ast.Objects):
            raise Refused("a place belongs to the nearest noun")
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
    return not clause.verbs or clause.verbs[0].lemma not in ("control", "own", "have")


def _is_had(post: Post) -> bool:
    """Tell whether a modifier is "you have" with nothing behind it, as "cards you have played" begins."""
    clause = post.value[1] if post.kind == "rel" else None
    return isinstance(clause, Clause) and bool(clause.verbs) and clause.verbs[0].lemma == "have"


def _innermost(post: Post) -> Any:
    if post.kind == "measure":
        amount = post.value[-1].amount if isinstance(post.value[-1], ast.StatIs | ast.TotalIs) else None
        return next(
            (getattr(amount, name) for name in ("what", "of", "among") if hasattr(amount, name)), None
        )
    if post.kind in ("with", "other-than"):
        return post.value
    if post.kind in ("of", "among"):
        return post.value
    if post.kind == "place" and isinstance(post.value, ast.At | ast.From):
        return post.value.place
    return None


def _could_take(inner: Any, post: Post) -> bool:
    """Tell whether a relative clause can be said of what stands before it: no place is stunned."""
    gap, clause = post.value
    if not isinstance(clause, Clause) or not set(getattr(inner, "nouns", ())) <= PLACE_NOUNS:
        return True
    return not is_of_units(gap, clause)
