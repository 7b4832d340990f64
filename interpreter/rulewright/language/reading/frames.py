"""Verb frames: from a clause to the action that it means.

The grammar lets any complement stand behind any verb; here the frame of the verb says which of them mean
something, what they are for, and what must not be missing. What a frame does not take is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused
from rulewright.language.reading.complements import ComplementBuilder
from rulewright.language.reading.nouns import number_of
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
)
from rulewright.language.vocabulary import VerbFrame

THINGS = frozenset(
    (
        "attack", "become", "conquer", "cost", "deal", "defend", "die", "enter", "gain", "get", "give", "have",
        "hold", "kill", "leave", "lose", "move", "take", "trigger", "win",
    )
)  # fmt: skip
"""What units, gear and the like do by themselves; the rest is done by players, spells and abilities."""


class ActionReader:
    """Reads one clause by one verb frame."""

    def __init__(
        self, builder: ComplementBuilder, frame: VerbFrame, clause: Clause, gap: str | None, event: bool
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
        they = ast.Player("they")
        theirs = isinstance(moved, ast.Objects) and ast.ControlledBy(they) in moved.filters
        if (
            theirs
            and self.roles.get("to") == ast.Zone("hand", YOU)
            and self.clause.subject not in (None, YOU)
        ):
            # "An opponent returns one of their units to hand": to their own.
            self.roles["to"] = ast.Zone("hand", they)
        if self.event or self.frame.lemma != "move" or "to" in self.roles or "source" in self.roles:
            return
        if isinstance(moved, ast.Objects) and moved.filters[-1:] == (ast.At(ast.There()),):
            self.roles["to"] = moved.filters[-1].place  # type: ignore[union-attr]
            self.roles["object"] = replace(moved, filters=moved.filters[:-1])

    def _unfolded(self) -> list[Comp]:
        comps: list[Comp] = []
        given = self.clause.comps
        if (
            len(given) > 1
            and given[0] == Comp("np", They())
            and given[1] == Comp("np", ast.Reference("both"))
        ):
            # "Stun them both."
            given = given[1:]
        for comp in given:
            value = comp.value
            if comp.kind == "np" and isinstance(value, Placed) and (self.event or self.frame.makes is None):
                value = there_already(value)
                if not isinstance(value, Placed):
                    comps.append(Comp("np", value))
                    continue
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
        named = isinstance(value, ast.Reference) and value.nouns in (("name",), ("tag",))
        if named or isinstance(value, ast.Resource | ast.StatOf | BareStat) or self.builder.had(value):
            raise Refused("this is said of the thing")
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
        if value == "as-well" and not self.event:
            # It only joins what is said to what was said before.
            return
        if value not in self.frame.takes:
            raise Refused(f"“{self.frame.lemma}” is not done so")
        self.manner.append(value)

    def on_each(self, _: Any) -> None:
        several = isinstance(self.clause.subject, ast.Group | ast.Objects | They | ast.Player)
        # "Their owners": one or several, as many as they are.
        theirs = getattr(self.clause.subject, "of", None) == ast.Reference("them")
        if (
            (is_single(self.clause.subject) is not False and not theirs)
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

    def on_under(self, value: Any) -> None:
        """Say who controls what comes: it is what the rules say anyway, or it is refused (191.1)."""
        owners = isinstance(value, ast.Player) and value.which == "owner" and self.frame.lemma == "return"
        if not owners and not (value == YOU and self.frame.lemma == "play" and not self.event):
            raise Refused(f"“{self.frame.lemma}” gives nobody control")

    def on_split(self, value: Any) -> None:
        if "split" not in self.frame.takes:
            raise Refused("only damage is split")
        if "damage" not in self.manner and self.roles.get("amount") is None:
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

    def on_more(self, value: Any) -> None:
        """``pay an additional [A]``: to pay it besides is to pay it."""
        if self.frame.lemma != "pay":
            raise Refused("additional to what?")
        self.set("object", value)

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
            bare = ast.Resource("damage", ast.AnyAmount())
            if frame.passive == "to" and clause.subject == bare and self.event and "to" in self.roles:
                # "When damage is dealt to me": I'm dealt damage.
                return
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
        for role in ("object", "to"):
            chosen = self.roles.get(role)
            if isinstance(chosen, ast.Objects) and not _may_choose(chosen.quantity.form, subject):
                raise Refused("who chooses?")
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
        counter = frame.lemma == "move" and isinstance(self.roles.get("object"), ast.Resource)
        if counter and not {"source", "to"} <= self.roles.keys():
            raise Refused("a counter is moved from one thing to another")
        untold = self.roles.get("amount") is None and self.roles.get("object") is None
        if frame.lemma == "deal" and untold and not (clause.negated or clause.aux or self.event or self.gap):
            raise Refused("how much?")


def _refuse_post(post: Post) -> Comp:
    raise Refused("no such description")


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


def there_already(value: Any) -> Any:
    """Read "a Recruit token", "an exhausted Recruit token", of which none is made, as one that is there."""
    if isinstance(value, ast.TokenSpec):
        return described(value)
    arrives = Post("arrives", "exhausted")
    token = isinstance(value, Placed) and isinstance(value.what, ast.TokenSpec)
    if not token or arrives not in value.posts:
        return value
    found = described(value.what)
    found = replace(found, filters=(*found.filters, ast.HasState("exhausted")))
    rest = tuple(post for post in value.posts if post != arrives)
    return Placed(found, rest) if rest else found


def _may_choose(form: str, subject: Any) -> bool:
    """Tell whether who does something is who is said to choose: "a unit of their choice"."""
    if form == "your choice":
        return subject == YOU or not isinstance(subject, ast.Player)
    return form != "their choice" or (isinstance(subject, ast.Player) and subject != YOU)


def described(spec: ast.TokenSpec) -> ast.Objects:
    """Give the tokens of a name that are there, for words that could make such a token: "kill a Recruit token"."""
    if spec.might is not None or spec.state is not None:
        raise Refused("tokens that are there are not described so")
    keywords = map(ast.HasKeyword, spec.keywords)
    name = ast.HasTag((spec.name,))
    if not spec.types:
        return ast.Objects(spec.quantity, ("token",), (name, *keywords))
    return ast.Objects(spec.quantity, spec.types, (name, ast.HasType("token"), *keywords))


_POSTS: dict[str, Callable[[Post], Comp]] = {
    "place": lambda post: Comp("hoisted-place", post.value),
    "with": lambda post: Comp("with", post.value),
    "for": lambda post: Comp("per", post.value),
    "arrives": lambda post: Comp("state", post.value),
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
    "under": ActionReader.on_under,
    "by": ActionReader.on_by,
    "until": ActionReader.on_until,
    "per": ActionReader.on_per,
    "additional-mana": ActionReader.on_more,
    "per-event": ActionReader.on_per,
    "as": ActionReader.on_as,
    "moment": ActionReader.on_moment,
    "to-or-from": ActionReader.on_to_or_from,
    "this-way": ActionReader.on_this_way,
}
