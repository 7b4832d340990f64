"""Turns the meaning of texts, and the procedures of the rules, into flat programs.

Each ability with instructions has two programs. ``prepare`` makes the choices that are made while the item is
finalized (355: modes, targets, destinations); ``resolve`` carries the instructions out from top to bottom (359.3.d).
Both name what is chosen by its path in the ability, which is also what references point to.

A construct that has no operation here is refused with a :class:`CompileError`: nothing is ever skipped.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.ops import Op, Program
from rulewright.engine.program.primitives import PREDICATES, STEPS, Sight, tests
from rulewright.engine.state.traits import Ability
from rulewright.errors import RulewrightError
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ruleset import Ruleset


class CompileError(RulewrightError):
    """A text or a procedure that the engine cannot carry out; ``place`` says where it stands."""


# ------------------------------------------------------------------------------------------ abilities


def abilities_of(
    ruleset: "Ruleset",
    root: str,
    text: ast.CardText,
    keyword: ast.Keyword | None = None,
    base: str = "abilities",
) -> tuple[Ability, ...]:
    """Give the abilities of a text, ready to be used; ``root`` is the text's key, ``base`` the path in it."""
    return tuple(
        _ability(ruleset, f"{root}#{base}.{position}", node, keyword)
        for position, node in enumerate(text.abilities)
    )


def _ability(ruleset: "Ruleset", key: str, node: ast.Ability, keyword: ast.Keyword | None) -> Ability:
    gates: list[ast.Keyword] = []
    path: list[str] = []
    events: tuple[ast.Event, ...] = ()
    while isinstance(node, ast.Gated):
        gates.append(node.gate)
        events = events or ruleset.gate_events(node.gate.name)
        node = node.ability
        path.append("ability")
    node = _standing(ruleset, key, node)
    kind = _KINDS.get(type(node))
    if kind is None:
        raise CompileError(f"an ability of the sort {type(node).__name__} cannot be carried out", place=key)
    if isinstance(node, ast.UseLimit) and node.frequency is not None:
        raise CompileError("how often all abilities of a card are used together is not counted", place=key)
    if isinstance(node, ast.AdditionalCost) and node.what is not None:
        raise CompileError("a card cannot put an additional cost on others", place=key)
    if kind == "spell" and events:
        kind = "triggered"
    if isinstance(node, ast.TriggeredAbility):
        events = node.events
    elif isinstance(node, ast.ReplacementAbility):
        events = (node.event,)
    zones = _zones(ruleset, node)
    return Ability(
        key=key,
        kind=kind,
        node=node,
        gates=tuple(gates),
        keyword=keyword.name.casefold() if keyword else "",
        instance=node.keyword if isinstance(node, ast.KeywordAbility) else keyword,
        verbs=tuple(verb for event in events for verb in event_verbs(ruleset, event)),
        zones=zones,
        outward=isinstance(node, ast.PassiveAbility) and any(_is_outward(effect) for effect in node.effects),
        prefix=".".join(path),
        rules=_root_rules(ruleset, key),
        superseded=ruleset.has_instead(key),
        elsewhere=bool(events) and bool(zones) and not any(_speaks_of_itself(each) for each in events),
    )


def _speaks_of_itself(event: ast.Event) -> bool:
    return any(isinstance(part, ast.Self) for part in walk(event))


def _standing(ruleset: "Ruleset", key: str, node: Any) -> Any:
    """A statement of fact on a card that stays in play is a passive ability (364.2), even if it names no subject."""
    sort, _, name = key.partition("#")[0].partition(":")
    if sort != "card" or not isinstance(node, ast.SpellAbility) or not isinstance(node.body, ast.Apply):
        return node
    types = frozenset(ruleset.cards[name].types)
    if node.body.duration is not None or (
        ruleset.is_type(types, "played") and not ruleset.is_type(types, "permanent")
    ):
        return node
    return ast.PassiveAbility((node.body.effect,))


_KINDS: dict[type, str] = {
    ast.KeywordAbility: "keyword",
    ast.TriggeredAbility: "triggered",
    ast.ActivatedAbility: "activated",
    ast.PassiveAbility: "passive",
    ast.ReplacementAbility: "replacement",
    ast.SpellAbility: "spell",
    ast.AdditionalCost: "cost",
    ast.UseLimit: "limit",
    ast.SpendLimit: "spend",
}


def _root_rules(ruleset: "Ruleset", key: str) -> tuple[str, ...]:
    sort, _, name = key.partition("#")[0].partition(":")
    if sort == "keyword":
        return (ruleset.keyword(name.rpartition("/")[0]).number,)
    return (name.rpartition("/")[0],) if sort == "rule" else ()


def trigger_events(ruleset: "Ruleset", ability: Ability) -> tuple[ast.Event, ...]:
    """Give the events that a triggered or replacing ability watches for."""
    node = ability.node
    if isinstance(node, ast.TriggeredAbility):
        return node.events
    if isinstance(node, ast.ReplacementAbility):
        return (node.event,)
    for gate in ability.gates:
        if events := ruleset.gate_events(gate.name):
            return events
    return ()


def event_verb(ruleset: "Ruleset", event: ast.Event) -> str:
    """Give the key under which an event is watched: the verb as the kernel has it, or ``start:phase``."""
    action = event.action
    if isinstance(action, ast.Moment):
        return f"{action.edge}:{action.phase}"
    return action_verb(ruleset, action)


def event_verbs(ruleset: "Ruleset", event: ast.Event) -> tuple[str, ...]:
    """Give all keys under which an event is watched: "is put into your trash" is told of by whatever puts it there."""
    if isinstance(event.action, ast.Action) and is_put(event.action):
        return tuple(sorted(ruleset.placing_verbs))
    return (event_verb(ruleset, event),)


def is_put(action: ast.Action) -> bool:
    """Tell whether a clause is about something being put somewhere, by whatever action (427.1, 428.1, 422.1)."""
    return action.verb == "put" and action.to is not None


def action_verb(ruleset: "Ruleset", action: ast.Action) -> str:
    """Give the event that a clause speaks of: its verb's own, or another by its manner or by what it is done to."""
    alias: Mapping[str, Any] = ruleset.events.get(action.verb, {})
    for manner in action.manner:
        if manner in alias.get("manners", {}):
            return str(alias["manners"][manner])
    things = alias.get("things")
    if things is not None and isinstance(action.subject, ast.Objects):
        # "A combat begins" and "a showdown begins" are two events.
        return str(next((things[noun] for noun in action.subject.nouns if noun in things), alias["verb"]))
    if action.state in alias.get("states", {}):
        # "Becomes ready" is told of by what makes it so (805.6.a, 827.2.a).
        return str(alias["states"][action.state])
    if isinstance(action.object, ast.Resource) and action.object.kind in ruleset.terms.get("counters", {}):
        # A counter is spent from an object: that is an event of its own (702.2.b).
        counted = f"{action.verb}-{action.object.kind}"
        if counted in ruleset.events:
            return counted
    return str(alias.get("verb", action.verb))


def _zones(ruleset: "Ruleset", node: ast.Ability) -> tuple[str, ...]:
    """Zones besides the board where an ability works, because its words say so (366.1, 385.2).

    A place on the board that they speak of ("if I'm in your base") is where it works anyway.
    """
    words = ruleset.terms.get("zones", {})
    found: list[str] = []
    for part in walk(node):
        if isinstance(part, ast.Action) and isinstance(part.object, ast.Self | ast.Reference):
            place = part.source
            if isinstance(part.object, ast.Self) and isinstance(place, ast.Zone):
                found.append(place.name)
        elif isinstance(part, ast.Is) and isinstance(part.what, ast.Self):
            at = [f.place for f in part.filters if isinstance(f, ast.At)]
            found += [place.name for place in at if isinstance(place, ast.Zone)]
    return tuple(dict.fromkeys(name for name in found if words.get(name, name) not in ruleset.board_zones))


def _is_outward(effect: ast.Effect) -> bool:
    if isinstance(effect, ast.Modify | ast.Enters | ast.BuffLimit):
        return not isinstance(effect.subject, ast.Self)
    if isinstance(effect, ast.Also):
        return any(_is_outward(inner) for inner in effect.effects)
    return True


def walk(node: Any) -> Any:
    """Yield a node and every node in it, outermost first."""
    yield node
    if isinstance(node, ast.Node):
        for slot in fields(node):
            value = getattr(node, slot.name)
            if isinstance(value, ast.Node):
                yield from walk(value)
            elif isinstance(value, tuple):
                for part in value:
                    if isinstance(part, ast.Node):
                        yield from walk(part)


# ------------------------------------------------------------------------------------------- choices


def needs_choice(selector: Any) -> bool:
    """Tell whether words ask for particular objects to be chosen (355.5), rather than all that fit."""
    if isinstance(selector, ast.Objects):
        return selector.quantity.rule in ("exactly", "up-to", "any-number", "at-least", "both")
    if isinstance(selector, ast.Group):
        return any(needs_choice(part) for part in selector.parts)
    return False


def _is_the_game(object_: Any) -> bool:
    return object_ is None or (isinstance(object_, ast.Objects) and object_.nouns == ("game",))


def is_private(ruleset: "Ruleset", selector: Any) -> bool:
    """Tell whether words speak of objects in a zone that is not public (355.10.a), or among looked-at cards."""
    if isinstance(selector, ast.Objects):
        for part in selector.filters:
            if isinstance(part, ast.That) and part.this_way:
                # 355.17: nothing is revealed or killed "this way" before the item resolves.
                return True
            if isinstance(part, ast.From):
                if isinstance(part.place, ast.Zone):
                    name = part.place.name
                    zone = ruleset.zones.get(ruleset.terms.get("zones", {}).get(name, name))
                    # 355.10.a.1: the zones of the board are public, whatever lies facedown in them.
                    return zone is not None and not zone.board and zone.privacy != "public"
                return True
    return False


LOOKED = "looked:"
"""What stands before the path of an action where it is about the look that the action begins with (436.1)."""


class Emitter:
    """Writes operations one after the other, with jumps that are filled in later."""

    def __init__(self, key: str, rules: tuple[str, ...]) -> None:
        self.key = key
        self.rules = rules
        self.ops: list[Op] = []

    def emit(
        self,
        code: str,
        node: Any = None,
        path: str = "",
        jump: int = 0,
        name: str = "",
        looks_at: Sight = "anything",
    ) -> int:
        """Add an operation; give its position."""
        span = node.span if isinstance(node, ast.Node) else None
        self.ops.append(Op(code, node, path, jump, self.rules, span, name, looks_at))
        return len(self.ops) - 1

    def patch(self, position: int) -> None:
        """Let the operation at a position jump to here."""
        self.ops[position] = replace(self.ops[position], jump=len(self.ops))

    def program(self) -> Program:
        """Give what was written."""
        return Program(self.key, tuple(self.ops))


def _paid_for(node: ast.PayTo) -> ast.Instruction:
    """Give what is paid for; "pay [fury] to play me" plays it for that, in place of its base cost (356.1.a)."""
    body, parts = node.body, getattr(node.cost, "parts", ())
    if not isinstance(body, ast.Action) or body.verb != "play" or body.cost is not None or not parts:
        return body
    if isinstance(body.object, ast.TokenSpec) or not all(
        isinstance(p, ast.Energy | ast.Power) for p in parts
    ):
        return body
    return replace(body, cost=ast.CostChange(None, "ignore"))


def is_chosen_first(node: ast.Action) -> bool:
    """Tell whether what an instruction is about is chosen while its item is finalized (355.5), not on resolution."""
    # 355.10.e-f: other players' choices, and what a player "must" do, are made on resolution; 416.6 and 422.1.a:
    # what is recycled from a zone or discarded is no target.
    if isinstance(node.subject, ast.Player) and node.subject.which != "you":
        return False
    # 430.1: what is channeled comes from the top of the rune deck.
    if "must" in node.manner or node.verb in ("discard", "spend", "assign", "name", "win", "channel"):
        return False
    return not (node.verb == "recycle" and (node.source is not None or _is_from_zone(node.object)))


class _Body:
    """Compiles one body of instructions into its two programs."""

    def __init__(self, ruleset: "Ruleset", key: str, rules: tuple[str, ...]) -> None:
        self.ruleset = ruleset
        self.key = key
        self.prepare = Emitter(f"{key}>prepare", rules)
        self.resolve = Emitter(f"{key}>resolve", rules)
        self.late = 0
        self.in_turns = 0
        self.reveals = False
        self.is_cost = False
        self.settled: frozenset[str] = frozenset()
        self.goal = "event.at"

    def refuse(self, node: Any, why: str) -> CompileError:
        return CompileError(f"{type(node).__name__}: {why}", place=self.key)

    def compile(self, node: ast.Instruction, path: str) -> None:
        if path in self.settled and isinstance(node, ast.May | ast.PayTo):
            self.compile(_paid_for(node) if isinstance(node, ast.PayTo) else node.body, f"{path}.body")
            return
        rule = _INSTRUCTIONS.get(type(node))
        if rule is None:
            raise self.refuse(node, "this instruction cannot be carried out")
        rule(self, node, path)

    # Choices ----------------------------------------------------------------------------------

    def choose(self, selector: Any, path: str, role: str = "object") -> None:
        """Let a selector be chosen while the item is finalized, where the rules say so."""
        if self.late or selector is None:
            return
        if isinstance(selector, ast.Group) and selector.conjunction == "and":
            for position, part in enumerate(selector.parts):
                self.choose(part, f"{path}.parts.{position}", role)
            return
        if isinstance(selector, ast.Group) and any(map(needs_choice, selector.parts)):
            # "A unit at a battlefield or a gear": one target, of either description (355.5).
            if not any(is_private(self.ruleset, part) for part in selector.parts):
                self.prepare.emit("target", selector, path, name=role)
            return
        if isinstance(selector, ast.Player):
            if selector.which in ("opponent", "player") and role == "choose":
                self.prepare.emit("target", selector, path, name=role)
            elif selector.of is not None:
                self.choose(selector.of, f"{path}.of", role)
            return
        if isinstance(selector, ast.Objects):
            if role == "choose" and selector.quantity.rule == "any":
                # "Choose any enemy unit": one of them, whichever.
                selector = replace(selector, quantity=ast.Quantity("exactly", ast.Number(1)))
            if needs_choice(selector):
                if self._is_the_only_one(selector):
                    return
                if not is_private(self.ruleset, selector) or self._is_of_tokens(selector):
                    self.prepare.emit("target", selector, path, name=role)
                return
            # "All units at a battlefield" chooses the battlefield (355.10.b).
            for position, described in enumerate(selector.filters):
                inner = described.place if isinstance(described, ast.At) else None
                if inner is not None and needs_choice(inner):
                    self.prepare.emit("target", inner, f"{path}.filters.{position}.place", name="at")
        elif isinstance(selector, ast.LocationOf):
            self.choose(selector.what, f"{path}.what", role)

    def _is_the_only_one(self, selector: ast.Objects) -> bool:
        """355.10.d.1: of what a player has only one of ("your legend") there can never be a choice."""
        nouns = frozenset(selector.nouns)
        return (
            bool(nouns)
            and nouns <= self.ruleset.sole_types
            and any(
                isinstance(part, ast.ControlledBy) and part.player == ast.Player("you")
                for part in selector.filters
            )
        )

    def _is_of_tokens(self, selector: ast.Objects) -> bool:
        """ "Two of them" is chosen while finalizing where "they" are tokens on the board (388)."""
        places = [part.place for part in selector.filters if isinstance(part, ast.From)]
        return any(
            isinstance(place, ast.Reference)
            and place.antecedent is not None
            and not place.antecedent.startswith("event")
            and isinstance(self.ruleset.node(self.key, place.antecedent), ast.TokenSpec)
            for place in places
        )

    def action(self, node: ast.Action, path: str) -> None:
        """Choices of an action while finalizing, then the action itself."""
        if node.verb not in VERBS and node.verb not in self.ruleset.verb_rules:
            raise self.refuse(node, f"the verb {node.verb!r} cannot be carried out")
        if node.subject is None and not self.is_cost and node != ast.Action(node.verb):
            # 443.2: "skip" alone is what becomes of an event, and nobody does it.
            raise self.refuse(node, "nothing says who does it")
        if node.verb == "win" and not _is_the_game(node.object):
            raise self.refuse(node, "only a game can be won by an instruction")
        node = _split_among_chosen(looked_for(node))
        if (
            node.verb == "choose"
            and isinstance(node.object, ast.Objects)
            and node.object.quantity.rule == "any"
        ):
            # "Choose any enemy unit": one, whichever.
            one = ast.Quantity("exactly", ast.Number(1))
            node = replace(node, object=replace(node.object, quantity=one))
        if node.verb == "play":
            node = _played_from_hand(node)
        if node.verb == "move" and node.to is None and isinstance(node.using, ast.Reference):
            # "You may move me with it": to where that has moved (359.3.f.3).
            event = (node.using.antecedent or "").startswith("event.")
            node = replace(
                node, to=ast.There("event.at") if event else ast.LocationOf(node.using), using=None
            )
        if "same-place" in node.manner:
            # "To the same battlefield": where the text itself goes before, or where the event was that it waits for.
            node = replace(node, to=ast.There(self.goal))
        elif node.verb == "move" and isinstance(node.to, ast.Objects):
            self.goal = f"{path}.to"
        if self._chosen_now(node):
            if isinstance(node.subject, ast.Objects | ast.Group):
                self.choose(node.subject, f"{path}.subject", "subject")
            role = "choose" if node.verb == "choose" else "object"
            self.choose(node.object, f"{path}.object", role)
            if node.verb == "move" and isinstance(node.object, ast.Resource):
                # 746: what a counter is moved from and to is chosen, the counter is not.
                self.choose(node.source, f"{path}.source")
                self.choose(node.to, f"{path}.to")
            elif node.verb != "play":
                if node.verb == "move" and (node.to is None or needs_choice(node.to)):
                    self.prepare.emit("destination", node, f"{path}.to")
                elif not isinstance(node.to, ast.Player):
                    self.choose(node.to, f"{path}.to", "split" if "split" in node.manner else "to")
            self.choose(node.at, f"{path}.at", "at")
            self.choose(node.using, f"{path}.using", "using")
            if isinstance(node.amount, ast.Node):
                self.amount_choices(node.amount, f"{path}.amount")
        if node.verb == "predict":
            # 436.1: to predict is to look first, and what is looked at may be replaced.
            yours = isinstance(node.subject, ast.Player) and node.subject.which == "you"
            whose = ast.Player("you" if yours else "they")
            top = ast.TopOf(ast.Zone("deck", whose, "top"), node.amount or ast.Number(1), ("card",))
            looks = ast.Action("look-at", node.subject, object=top, span=node.span)
            self.resolve.emit("act", looks, LOOKED + path, name="look-at")
        self.resolve.emit("act", node, path, name=node.verb)

    def _chosen_now(self, node: ast.Action) -> bool:
        return not self.late and is_chosen_first(node)

    def amount_choices(self, amount: Any, path: str) -> None:
        """Choices inside an amount: "damage equal to the Might of a friendly unit"."""
        for name in ("of", "among", "what", "left", "right", "amount", "times"):
            inner = getattr(amount, name, None)
            if isinstance(inner, ast.Objects | ast.Group):
                if isinstance(inner, ast.Objects) and inner.quantity.rule == "exactly":
                    self.choose(inner, f"{path}.{name}")
            elif isinstance(inner, ast.Node):
                self.amount_choices(inner, f"{path}.{name}")

    # Instructions -----------------------------------------------------------------------------

    def sequence(self, node: ast.Sequence, path: str) -> None:
        for position, step in enumerate(node.steps):
            if _limits_this_way(step):
                # "You don't kill a unit this way": it is about what was said before, and holds for that.
                self.compile(step, f"{path}.steps.{position}")
        for position, step in enumerate(node.steps):
            if _limits_this_way(step):
                continue
            after = node.steps[position + 1] if position + 1 < len(node.steps) else None
            if isinstance(after, ast.InPlaceOf) and isinstance(step, ast.Action):
                # "Counter a spell. Return it to hand instead of putting it in the trash": one action with a goal.
                step = self._with_goal(step, after)
            if position > 0 and _price_of_play(
                node.steps[position - 1], step, f"{path}.steps.{position - 1}"
            ):
                continue
            change = _price_of_play(step, after, f"{path}.steps.{position}") if after is not None else None
            if change is not None:
                # "Play a unit. Reduce its cost by ...": one action at a price, which is known before it is paid.
                step = _priced(step, change)
            if not isinstance(step, ast.InPlaceOf):
                self.compile(step, f"{path}.steps.{position}")

    def _with_goal(self, step: ast.Action, after: ast.InPlaceOf) -> ast.Action:
        if (
            not isinstance(after.body, ast.Action)
            or after.body.to is None
            or after.of.verb != "put"
            or step.verb not in ("counter", "kill")
        ):
            raise self.refuse(after, "only where something goes can be put in place of another place")
        return replace(step, to=after.body.to)

    def spend_limit(self, node: ast.SpendLimit, path: str) -> None:
        """What the resources may be spent on is asked when they are (see :func:`costs.may_spend`)."""

    def may(self, node: ast.May, path: str) -> None:
        if _is_for_each_player(node) and not self.in_turns:
            # Each of them is asked, one after the other, and what they choose is chosen then.
            turns = ast.InTurnOrder(node, ast.Player("turn-player"))
            self.resolve.emit("turns", turns, path)
            start = self.resolve.emit("next", turns, path, name="itself")
            self.late, self.in_turns = self.late + 1, self.in_turns + 1
            self._may_once(node, path)
            self.late, self.in_turns = self.late - 1, self.in_turns - 1
            self.resolve.emit("jump", jump=start)
            self.resolve.patch(start)
            return
        self._may_once(node, path)

    def _may_once(self, node: ast.May, path: str) -> None:
        jump = self.resolve.emit("may", node, path)
        self.compile(node.body, f"{path}.body")
        self.resolve.patch(jump)

    def conditional(self, node: ast.Conditional, path: str) -> None:
        if node.otherwise is None and _is_awaited(node):
            self.resolve.emit("await", node, path)
            return
        if _asks_too_early(node):
            # 323.5: units with lethal damage are killed in the cleanup that follows the text.
            raise CompileError("what this does not kill is not known before its text is over", place=path)
        # Targets behind a cost that was not paid are not chosen; other conditions are not known yet (355.5).
        known = _known_while_finalizing(node.condition)
        skip = self.prepare.emit("test", node.condition, f"{path}.condition") if known else -1
        jump = self.resolve.emit("test", node.condition, f"{path}.condition")
        self.compile(node.body, f"{path}.body")
        if node.otherwise is None:
            self.resolve.patch(jump)
            if known:
                self.prepare.patch(skip)
            return
        end = self.resolve.emit("jump")
        self.resolve.patch(jump)
        stop = self.prepare.emit("jump") if known else -1
        if known:
            self.prepare.patch(skip)
        self.compile(node.otherwise, f"{path}.otherwise")
        self.resolve.patch(end)
        if known:
            self.prepare.patch(stop)

    def revise(self, node: ast.Revise, path: str) -> None:
        """158.2: under the condition the second is done instead of the first, and nothing of the first is left."""
        known = isinstance(node.condition, ast.Keyword) or _known_while_finalizing(node.condition)
        code = "gate" if isinstance(node.condition, ast.Keyword) else "test"
        # What the second speaks of ("it") the first has chosen, whichever of them will be done.
        shared = not known or _speaks_of(node.revised, f"{path}.original")
        if shared:
            self._targets_only(node.original, f"{path}.original")
        skip = self.prepare.emit(code, node.condition, f"{path}.condition") if known else -1
        jump = self.resolve.emit(code, node.condition, f"{path}.condition")
        self.compile(node.revised, f"{path}.revised")
        end = self.resolve.emit("jump")
        self.resolve.patch(jump)
        stop = self.prepare.emit("jump") if known else -1
        if known:
            self.prepare.patch(skip)
        if shared:
            self._instructions_only(node.original, f"{path}.original")
        else:
            self.compile(node.original, f"{path}.original")
        self.resolve.patch(end)
        if known:
            self.prepare.patch(stop)

    def _targets_only(self, node: ast.Instruction, path: str) -> None:
        kept = self.resolve
        self.resolve = Emitter(kept.key, kept.rules)
        self.compile(node, path)
        self.resolve = kept

    def _instructions_only(self, node: ast.Instruction, path: str) -> None:
        kept = self.prepare
        self.prepare = Emitter(kept.key, kept.rules)
        self.compile(node, path)
        self.prepare = kept

    def pay_to(self, node: ast.PayTo, path: str) -> None:
        jump = self.resolve.emit("pay", node, path)
        self.compile(_paid_for(node), f"{path}.body")
        self.resolve.patch(jump)

    def unless(self, node: ast.Unless, path: str) -> None:
        """The player may do the alternative; the body is done where they do not."""
        jump = self.resolve.emit("unless", node, path)
        if isinstance(node.alternative, ast.Cost | ast.CostOptions):
            out = self.resolve.emit("pay-alternative", node, path)
        else:
            self.late += 1
            self.compile(node.alternative, f"{path}.alternative")
            self.late -= 1
            out = self.resolve.emit("jump")
        self.resolve.patch(jump)
        self.compile(node.body, f"{path}.body")
        self.resolve.patch(out)

    def modes(self, node: ast.ChooseMode, path: str) -> None:
        if self.late:
            self.resolve.emit("modes", node, path)
        else:
            self.prepare.emit("modes", node, path)
        for position, mode in enumerate(node.modes):
            skip = -1 if self.late else self.prepare.emit("mode", node, path, name=str(position))
            jump = self.resolve.emit("mode", node, path, name=str(position))
            self.compile(mode, f"{path}.modes.{position}")
            self.resolve.patch(jump)
            if skip >= 0:
                self.prepare.patch(skip)

    def branch(self, node: ast.BranchOn, path: str) -> None:
        ends: list[int] = []
        for position, case in enumerate(node.cases):
            jump = self.resolve.emit("case", node, path, name=case.value)
            self.late += 1
            self.compile(case.body, f"{path}.cases.{position}.body")
            self.late -= 1
            ends.append(self.resolve.emit("jump"))
            self.resolve.patch(jump)
        for end in ends:
            self.resolve.patch(end)

    def for_each(self, node: ast.ForEach, path: str) -> None:
        if _is_awaited(node):
            self.resolve.emit("await", node, path)
            return
        self.resolve.emit("each", node, path)
        self._loop(node, path)

    def in_turn_order(self, node: ast.InTurnOrder, path: str) -> None:
        self.resolve.emit("turns", node, path)
        self.in_turns += 1
        self._loop(node, path)
        self.in_turns -= 1

    def _loop(self, node: ast.ForEach | ast.InTurnOrder, path: str) -> None:
        """The body once for each that the operation before has listed; what it chooses is chosen then."""
        start = self.resolve.emit("next", node, path)
        self.late += 1
        self.compile(node.body, f"{path}.body")
        self.late -= 1
        self.resolve.emit("jump", jump=start)
        self.resolve.patch(start)

    def reflexive(self, node: ast.Reflexive, path: str) -> None:
        if node.times is not None and not isinstance(node.times, ast.Number):
            raise CompileError("how often this is done must be a number", place=path)
        for _ in range(1 if node.times is None else node.times.value):
            # 387.1.a: one chain item for each time.
            self.resolve.emit("reflexive", node, path)

    def apply(self, node: ast.Apply, path: str) -> None:
        if not node.next_only:
            # What is next is not known yet, and nobody chooses it.
            self.effect_choices(node.effect, f"{path}.effect")
        self.resolve.emit("apply", node, path)

    def effect_choices(self, effect: ast.Effect, path: str) -> None:
        if isinstance(effect, ast.Modify):
            self.choose(effect.subject, f"{path}.subject")
            for position, change in enumerate(effect.changes):
                where = f"{path}.changes.{position}"
                if isinstance(change, ast.BecomesCopy):
                    self.choose(change.of, f"{where}.of")
                for name in ("amount", "minimum"):
                    amount = getattr(change, name, None)
                    if isinstance(amount, ast.Node):
                        self.amount_choices(amount, f"{where}.{name}")
        elif isinstance(effect, ast.DamageFactor | ast.PreventDamage):
            self.choose(effect.to, f"{path}.to")
        elif isinstance(effect, ast.Controls):
            self.choose(effect.what, f"{path}.what")
        elif isinstance(effect, ast.Forbid):
            # "A unit can't move this turn": it is one unit, which is chosen; what players can't do is any of its kind.
            for name in ("subject", "object"):
                about = getattr(effect.action, name)
                if isinstance(about, ast.Objects) and (name == "subject" or effect.action.subject is None):
                    self.choose(about, f"{path}.action.{name}")
        elif isinstance(effect, ast.Also):
            for position, inner in enumerate(effect.effects):
                self.effect_choices(inner, f"{path}.effects.{position}")

    def create(self, node: ast.CreateAbility, path: str) -> None:
        self.resolve.emit("create", node, path)

    def gated(self, node: ast.GatedInstruction, path: str) -> None:
        skip = self.prepare.emit("gate", node.gate, f"{path}.gate")
        jump = self.resolve.emit("gate", node.gate, f"{path}.gate")
        self.compile(node.body, f"{path}.body")
        self.resolve.patch(jump)
        self.prepare.patch(skip)

    def word(self, node: ast.ChooseWord, path: str) -> None:
        self.resolve.emit("word", node, path)


def _limits_this_way(step: Any) -> bool:
    return isinstance(step, ast.Apply) and any(
        isinstance(part, ast.Forbid) and "this-way" in part.action.manner for part in walk(step.effect)
    )


def _price_of_play(step: Any, after: Any, path: str) -> ast.CostChange | None:
    """Give the change that a sentence makes to the cost of what the sentence before it plays."""
    if not isinstance(after, ast.Apply) or after.duration is not None or after.next_only:
        return None
    change = after.effect
    if not isinstance(change, ast.CostChange) or not isinstance(change.what, ast.Reference):
        return None
    found = _play_in(step, path)
    return change if found is not None and change.what.antecedent == f"{found}.object" else None


def _play_in(step: Any, path: str) -> str | None:
    while isinstance(step, ast.May | ast.PayTo):
        step, path = step.body, f"{path}.body"
    if isinstance(step, ast.Action) and step.verb == "play" and step.cost is None:
        return path
    return None


def _priced(step: Any, change: ast.CostChange) -> Any:
    if isinstance(step, ast.May | ast.PayTo):
        return replace(step, body=_priced(step.body, change))
    return replace(step, cost=change)


def looked_for(node: ast.Action) -> ast.Action:
    """Say where an action looks for its object, where the words leave that to the verb (355.9.a).

    "Play a card from your hand": where something comes from is also where it is looked for. "Discard a spell": what
    is discarded is in the hand of who discards it (422.1).
    """
    if not isinstance(node.object, ast.Objects) or _is_from_zone(node.object):
        return node
    place = node.source
    if node.verb == "discard" and place is None:
        who = node.subject if isinstance(node.subject, ast.Player) else ast.Player("you")
        place = ast.Zone("hand", who)
    if not isinstance(place, ast.Zone):
        return node
    return replace(node, object=replace(node.object, filters=(*node.object.filters, ast.From(place))))


def _split_among_chosen(node: ast.Action) -> ast.Action:
    """355.14.a-b: what damage is split among is chosen: as many of those described as the controller likes."""
    if "split" not in node.manner or not isinstance(node.to, ast.Objects) or node.to.quantity.rule != "all":
        return node
    return replace(node, to=replace(node.to, quantity=ast.Quantity("any-number")))


def _is_awaited(node: ast.Conditional | ast.ForEach) -> bool:
    """ "If this kills it, do this": a reflexive trigger whose condition may be met after the text is over (387.2-3)."""
    return isinstance(node.body, ast.Reflexive) and awaited_event(node) is not None


def _asks_too_early(node: ast.Conditional) -> bool:
    """ "If this doesn't kill it", "otherwise": asked in the text itself, before its damage has killed anything."""
    told = node.condition
    if not isinstance(told, ast.Happened) or (node.otherwise is None and not told.negated):
        return False
    action = told.event.action
    return isinstance(action, ast.Action) and action.verb == "kill" and isinstance(action.subject, ast.Self)


def awaited_event(node: Any) -> ast.Event | None:
    """Give the event that such a trigger waits for: something that the text's own source does."""
    event: Any = None
    if isinstance(node, ast.Conditional) and isinstance(node.condition, ast.Happened):
        told = node.condition
        event = told.event if not told.negated and told.window is None and told.count is None else None
    elif isinstance(node, ast.ForEach) and isinstance(node.what, ast.Objects):
        event = next((p.event for p in node.what.filters if isinstance(p, ast.That) and not p.negated), None)
    action = getattr(event, "action", None)
    return event if isinstance(action, ast.Action) and isinstance(action.subject, ast.Self) else None


def _is_from_zone(selector: Any) -> bool:
    return isinstance(selector, ast.Objects) and any(isinstance(part, ast.From) for part in selector.filters)


def _played_from_hand(node: ast.Action) -> ast.Action:
    """419.1.a: what is played is in the player's hand, where the words say of no other place."""
    what = node.object
    if not isinstance(what, ast.Objects) or not needs_choice(what) or node.source is not None:
        return node
    if any(
        isinstance(part, ast.From | ast.At | ast.That | ast.CopyOf | ast.HasType) for part in what.filters
    ):
        return node
    hand = ast.From(ast.Zone("hand", ast.Player("you")))
    return replace(node, object=replace(what, filters=(*what.filters, hand)))


def _speaks_of(node: ast.Node, path: str) -> bool:
    """Tell whether words refer to something that was said at a path or below it."""
    return any(
        isinstance(part, ast.Reference) and str(part.antecedent).startswith(path) for part in walk(node)
    )


def _known_while_finalizing(condition: Any) -> bool:
    return isinstance(condition, ast.PaidAdditionalCost)


_INSTRUCTIONS: dict[type, Callable[[_Body, Any, str], None]] = {
    ast.Action: _Body.action,
    ast.Sequence: _Body.sequence,
    ast.May: _Body.may,
    ast.Conditional: _Body.conditional,
    ast.Revise: _Body.revise,
    ast.PayTo: _Body.pay_to,
    ast.Unless: _Body.unless,
    ast.ChooseMode: _Body.modes,
    ast.BranchOn: _Body.branch,
    ast.ForEach: _Body.for_each,
    ast.InTurnOrder: _Body.in_turn_order,
    ast.Reflexive: _Body.reflexive,
    ast.Apply: _Body.apply,
    ast.CreateAbility: _Body.create,
    ast.GatedInstruction: _Body.gated,
    ast.ChooseWord: _Body.word,
    ast.SpendLimit: _Body.spend_limit,
}

VERBS: dict[str, Any] = {}
"""The verbs that the engine carries out; filled by :mod:`rulewright.engine.instructions.verbs`."""


def body_of(ruleset: "Ruleset", ability: str, path: str) -> tuple[Any, str]:
    """Give the instructions that a program runs, and their path in the ability."""
    node = ruleset.node(ability, path)
    steps = [path] if path else []
    while isinstance(node, ast.Gated):
        node = node.ability
        steps.append("ability")
    if isinstance(
        node, ast.TriggeredAbility | ast.ActivatedAbility | ast.ReplacementAbility | ast.SpellAbility
    ):
        steps.append("body")
        return node.body, ".".join(steps)
    if isinstance(node, ast.Reflexive):
        steps.append("body")
        return node.body, ".".join(steps)
    return node, ".".join(steps)


def text_programs(ruleset: "Ruleset", key: str) -> dict[str, Program]:
    """Compile the programs of a body; ``key`` is ``ability>prepare@path`` or ``ability>resolve@path``."""
    ability, _, part = key.partition(">")
    sort, _, path = part.partition("@")
    if sort == "cost":
        return {key: _cost_program(ruleset, key, ability, path)}
    node, where = body_of(ruleset, ability, path)
    compiler = _Body(ruleset, ability, _root_rules(ruleset, ability))
    if _is_trigger(ruleset, ability, path):
        compiler.settled = _settled_before(node, where)
    compiler.compile(node, where)
    made = {"prepare": compiler.prepare.program(), "resolve": compiler.resolve.program()}
    suffix = f"@{path}" if path else ""
    return {
        f"{ability}>{name}{suffix}": Program(f"{ability}>{name}{suffix}", program.ops)
        for name, program in made.items()
    }


def _cost_program(ruleset: "Ruleset", key: str, ability: str, path: str) -> Program:
    """Compile the non-standard parts of a cost: actions whose choices are made while they are paid (357.2)."""
    compiler = _Body(ruleset, ability, _root_rules(ruleset, ability))
    compiler.late = 1
    # A cost is paid by who pays it.
    compiler.is_cost = True
    cost = ruleset.node(ability, path)
    if not isinstance(cost, ast.Cost):
        raise CompileError(f"{type(cost).__name__} is no cost that can be paid", place=ability)
    for position, part in enumerate(cost.parts):
        where = f"{path}.parts.{position}"
        if isinstance(part, ast.ExhaustThis):
            compiler.compile(ast.Action("exhaust", object=ast.Self(), span=part.span), where)
        elif isinstance(part, ast.Resource):
            compiler.compile(ast.Action("spend", object=part, span=part.span), where)
        elif isinstance(part, ast.Action):
            compiler.compile(part, where)
    return Program(key, tuple(compiler.resolve.ops))


def _is_trigger(ruleset: "Ruleset", ability: str, path: str) -> bool:
    node = ruleset.node(ability, path)
    while isinstance(node, ast.Gated):
        if ruleset.gate_events(node.gate.name):
            return True
        node = node.ability
    return isinstance(node, ast.TriggeredAbility | ast.Reflexive)


def leading_may(node: Any, path: str) -> tuple[Any, str, ast.May | None]:
    """Give what stands at the head of a trigger's effect, with its path, and the "may" around it if there is one."""
    if isinstance(node, ast.Sequence) and node.steps:
        node, path = node.steps[0], f"{path}.steps.0"
    if isinstance(node, ast.Conditional) and node.otherwise is None and isinstance(node.body, ast.May):
        # "You may ... if it is empty": the condition stands behind, and is looked at on resolution.
        node, path = node.body, f"{path}.body"
    if isinstance(node, ast.May) and not _is_for_each_player(node):
        return node.body, f"{path}.body", node
    return node, path, None


def _is_for_each_player(node: ast.May) -> bool:
    """Tell whether each player is asked, as it resolves: that is not whether the ability is performed (383.3.a.3)."""
    if isinstance(node.who, ast.Group):
        # "You and each opponent may": each of them says so.
        return all(isinstance(part, ast.Player) for part in node.who.parts)
    return node.who.which in ("each-player", "each-opponent")


def _settled_before(node: Any, path: str) -> frozenset[str]:
    """Give the paths of the "may" and the cost at the head of a trigger's effect, which finalizing deals with."""
    inner, where, may = leading_may(node, path)
    found = {where.removesuffix(".body")} if may is not None else set()
    if isinstance(inner, ast.PayTo) and inner.who is None:
        found.add(where)
    return frozenset(found)


# ---------------------------------------------------------------------------------------- procedures


def procedure_program(ruleset: "Ruleset", key: str) -> Program:
    """Compile a procedure of the rules: each step a primitive, a text, or another procedure."""
    name = key.removeprefix("do:")
    entry = ruleset.rules.procedures.get(name.casefold())
    if entry is None or entry.procedure is None:
        raise CompileError(f"there is no procedure {name!r}", place=ruleset.rules.game)
    emitter = Emitter(key, (entry.number,))
    named: dict[str, int] = {}
    for position, step in enumerate(entry.procedure.steps):
        place = f"rule {entry.number}, step {position + 1}"
        rule = step.get("rule", entry.number)
        emitter.rules = (rule,) if isinstance(rule, str) else tuple(rule)
        if "name" in step:
            named[step["name"]] = len(emitter.ops)
        for condition in _conditions(step.get("when", ())):
            if condition not in PREDICATES:
                raise CompileError(f"there is no condition {condition!r}", place=place)
        jumps = [emitter.emit("unless-holds", tests(step["when"]))] if "when" in step else []
        loop = emitter.emit("players", step["each"]) if "each" in step else -1
        start = emitter.emit("next-player") if loop >= 0 else -1
        _step(ruleset, emitter, step, entry.number, position, named, STEPS, place)
        if start >= 0:
            emitter.emit("jump", jump=start)
            emitter.patch(start)
        for jump in jumps:
            emitter.patch(jump)
    _lead_past(emitter.ops)
    return emitter.program()


def _lead_past(ops: list[Op]) -> None:
    """Let a condition that fails lead past those right behind its step that are the same: they would fail as well."""
    for position in reversed(range(len(ops))):
        operation = ops[position]
        if operation.code == "unless-holds" and operation.jump < len(ops):
            behind = ops[operation.jump]
            if behind.code == "unless-holds" and behind.node == operation.node:
                ops[position] = replace(operation, jump=behind.jump)


def _conditions(words: Any) -> list[str]:
    return [str(name).removeprefix("not ") for name in ([words] if isinstance(words, str) else words)]


def _step(
    ruleset: "Ruleset",
    emitter: Emitter,
    step: Mapping[str, Any],
    number: str,
    position: int,
    named: Mapping[str, int],
    steps: Mapping[str, Any],
    place: str,
) -> None:
    if "procedure" in step:
        emitter.emit("call", dict(step.get("with", {})), name=step["procedure"])
    elif "means" in step:
        emitter.emit("text", name=f"rule:{number}/{position}#abilities.0")
    elif step.get("do") == "repeat":
        emitter.emit("jump", jump=named.get(dict(step.get("with", {})).get("from", ""), 0))
    elif step.get("do") == "return":
        emitter.emit("return")
    elif step.get("do") in steps:
        primitive = steps[step["do"]]
        carried_out = (primitive.function, dict(step.get("with", {})))
        emitter.emit("do", carried_out, name=step["do"], looks_at=primitive.looks_at)
    else:
        raise CompileError(f"there is no primitive {step.get('do')!r}", place=place)
