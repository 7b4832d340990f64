"""A game while it runs: the state, the rules it is played by, and the loop that steps frames until a decision.

The loop takes the topmost frame, carries out the operation at its position, and goes on until a player must choose
or the game is over. An operation that needs an answer raises :class:`Waiting` after it has asked; when the answer is
there the operation is run again from its beginning with the answers given so far, so that nothing but plain data is
kept between decisions.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from rulewright.cards.card import CardDefinition
from rulewright.cards.naming import cards_meant
from rulewright.engine.log import Causes, LogRecord
from rulewright.engine.program.index import Kind
from rulewright.engine.program.ops import Op
from rulewright.engine.program.ruleset import PHASE, Ruleset, Script
from rulewright.engine.query import layers, select
from rulewright.engine.query.conditions import in_state, manner, told_of
from rulewright.engine.query.payment import Purse, spend_limit
from rulewright.engine.query.price import base_price, cost_of, printed_price
from rulewright.engine.query.reads import EventKind, alters_traits, given_tags, is_given_tag, reads
from rulewright.engine.query.targets import still_legal
from rulewright.engine.state.objects import (
    NOBODY,
    ChainItem,
    Decision,
    Event,
    Frame,
    GameObject,
    Ghost,
    Lasting,
    Option,
    Scope,
    State,
    player_of,
    player_ref,
)
from rulewright.engine.state.traits import Held, Sort, Traits
from rulewright.errors import RulewrightError
from rulewright.language import ast

LONGEST = 50_000
"""How many operations may follow each other without a decision: what goes on longer goes on for ever."""

NAMING_CARDS = "761"
"""The rule that a question for the name of a card cites: it may be answered in words that fit one card only."""

PAST_THE_END = 1 << 30
"""A position behind every program: a frame that is put there has ended."""


class Waiting(Exception):  # noqa: N818 -- it is no error: it hands control back until an answer is there
    """A decision has been asked and must be answered before the operation can be carried out."""


class IllegalPlay(Exception):  # noqa: N818 -- caught where the play began, which is undone whole (358.5)
    """A play that fails its legality check; ``reason`` says which check, ``rule`` by which rule."""

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule


class EngineError(RulewrightError):
    """The engine met something that the rules and texts it was given do not provide for."""


Handler = Callable[["Run", Frame, Op], int | None]

OPS: dict[str, Handler] = {}
"""What each operation code does; a handler gives the next position, or nothing for the one after."""


def op(code: str) -> Callable[[Handler], Handler]:
    """Register the handler of an operation code."""

    def register(handler: Handler) -> Handler:
        OPS[code] = handler
        return handler

    return register


class Run:
    """One game in motion. Holds no truth of its own besides the state: the rest is caches and the log."""

    def __init__(self, rules: Ruleset, state: State) -> None:
        self.rules = rules
        self.state = state
        self.log: list[LogRecord] = []
        self.causes = Causes()
        self.cursor = 0
        self.answering: list[Any] = []
        self.computing: dict[int, Traits] = {}
        self.partial: dict[int, Traits] = {}
        self.effects_at = -1
        self.effects_key: tuple[Any, ...] = (-1, None, -1)
        self.outward: dict[int, tuple[Script, Any, list[layers.Active]]] = {}
        self.lasting_effects: dict[int, tuple[Lasting, list[layers.Active]]] = {}
        self.own_effects: dict[int, tuple[Any, Any, dict[Sort, list[layers.Active]]]] = {}
        self.effects_cache: dict[Sort, list[layers.Active]] = {}
        self.all_effects: list[layers.Active] = []
        self.reach = layers.Reach([], frozenset(), ())
        self.given_key: tuple[Any, Any] = (-1, None)
        self.given_for: tuple[int, Sequence[int]] = (-1, ())
        self.given: dict[Kind, frozenset[int]] = {}
        self.activated_key: Any = None
        self.activated: list[tuple[int, tuple[Held, ...]]] = []
        self.activated_for: tuple[int, Sequence[int], list[int]] = (-1, (), [])
        self.used: tuple[Any, list[tuple[int, Held]]] = ((), [])
        self.purse_key: Any = None
        self.purse: Purse | None = None
        self.watchers: dict[str, tuple[tuple[bool, int], dict[str, list[tuple[int, Held]]]]] = {}
        """For each sort of ability who watches for which verb; see :mod:`rulewright.engine.query.watchers`."""
        self.far_verbs: frozenset[str] = frozenset()
        self.lasting_verbs: tuple[Any, frozenset[str]] = ((), frozenset())
        self.verbs_for: int = -1
        self.verbs: frozenset[str] = frozenset()
        self.replaced_verbs: frozenset[str] = frozenset()
        self.watched: frozenset[str] = frozenset()
        self.event_kinds: dict[str, EventKind] = {}
        """What is known of events by their verbs; see :func:`~rulewright.engine.query.reads.kind_of`."""
        self.board_version = -1
        self.board_cache: tuple[int, ...] = ()
        self.all_board: tuple[int, ...] = ()
        self.field_cache: tuple[int, ...] = ()
        self.reaching_cache: tuple[int, ...] = ()
        self.links: tuple[Any, ...] = ()
        self.watching_cache: tuple[int, ...] = ()
        self.watching_key: Any = None
        self.watching_stamp = -1
        """Changes with the objects that may watch for something, their cards, and what is attached to what."""
        self.granting_cache: tuple[int, ...] = ()
        self.meant_cache: dict[tuple[str, ...], tuple[int, ...]] = {}
        self.cards_meant: dict[tuple[tuple[str, ...], frozenset[str]], dict[Script, bool]] = {}
        """Which cards some nouns may mean, with the tags that texts may give."""
        self.attached_cache: dict[int, tuple[int, ...]] = {}
        self.read_words: frozenset[str] = frozenset()
        self.forbidden_as: dict[str, tuple[str, ...]] = {}
        self.effect_sorts: frozenset[Sort] = frozenset()
        """What the effects are looked for by that any text of this game has, gives or lets begin."""
        self.given_tags: frozenset[str] = frozenset()
        self.given_traits = False
        self.known_cards: frozenset[str] = frozenset()
        self.counters: dict[str, int] = {"layers": 0, "events": 0, "options": 0, "copies": 0}
        self.looked_at: Any = None
        """The stamp of what the step under way looks at."""
        self.found_nothing: dict[str, dict[int, Any]] = {}
        """Of the steps that do not look at everything, the stamp of what they have last found nothing to do with."""
        self.stamped_at: Any = None
        self.stamped: Mapping[str, Any] = {}
        self.lifted = NOBODY
        self.sources_key: Any = None
        self.sources: list[Any] = []
        self.possible_sources: dict[int, tuple[Any, bool, list[Any]]] = {}
        self.faces: dict[tuple[int, str, int], tuple[Any, Any]] = {}
        """The zones as each player has last seen them, each with its stamp; see :mod:`rulewright.engine.view`."""
        self.sources_of: dict[int, tuple[tuple[Held, ...], list[Any]]] = {}
        self.uses_of: dict[int, tuple[tuple[Held, ...], list[tuple[int, Held]]]] = {}
        self.seen_zones: dict[int, tuple[int, tuple[Any, ...]]] = {}
        """All of them together, with the moment at which they were looked at."""
        self.kept_lines: Collection[str] | None = None
        """The verbs of the lines that the log keeps; nothing where it keeps all."""
        self.log_mark = 0
        self.refusal: tuple[str, str] | None = None
        self.illegal: IllegalPlay | None = None
        """Why the play that is being taken back was illegal."""
        self.watch: Callable[[Frame, Op], None] | None = None
        """Who is told of each operation before it is carried out, if anybody; it may not change the game."""
        self.probe: ChainItem | None = None
        """An item that is only thought of, while it is asked what playing it would cost."""

    # ------------------------------------------------------------------------------------- the loop

    def go(self) -> None:
        """Run until a decision is open or the game is over.

        Raises :class:`EngineError` where neither ever comes, as with a trigger that sets itself off.
        """
        state = self.state
        left = LONGEST
        running: Frame | None = None
        ops: Sequence[Op] = ()
        while state.decision is None and state.winners is None:
            frame = state.frames[-1]
            left -= 1
            if not left:
                source = state.chain[-1].scope.source if state.chain else frame.scope.source
                raise EngineError(
                    "what happens goes on for ever, with nothing to decide",
                    place=self.name(source),
                    help="something sets itself off again: give it a limit, a choice or a cost",
                )
            if frame is not running:
                programs = self.rules.programs
                program = programs.get(frame.program) or self.rules.program(frame.program)
                running, ops = frame, program.ops
            operation = self._next(frame, ops)
            if operation is None:
                self.leave(frame)
                continue
            if self.watch is not None:
                self.watch(frame, operation)
            self.cursor = 0
            self.answering = frame.answers
            bindings, local = frame.scope.bindings.copy(), frame.local.copy()
            try:
                following = OPS[operation.code](self, frame, operation)
            except Waiting:
                # It is carried out again from its beginning: what it has bound so far is bound anew.
                frame.scope.bindings, frame.local = bindings, local
                return
            except IllegalPlay as illegal:
                self.illegal = illegal
                OPS["undo"](self, frame, operation)
                continue
            frame.answers = []
            frame.position = frame.position + 1 if following is None else following

    def _next(self, frame: Frame, ops: Sequence[Op]) -> Op | None:
        """Go on to the next operation that does something, and give it; nothing at the end.

        Jumps, and the conditions that the steps of procedures stand under, neither ask nor bind anything: they need
        nothing of what an operation is given that may wait for an answer. Most steps of a cleanup are passed over:
        they find nothing again where all that they look at is as it was when they found nothing.
        """
        position, end, back = frame.position, len(ops), 0
        found: dict[int, Any] | None = None
        while position < end:
            operation = ops[position]
            if operation.code == "unless-holds":
                for test, wanted, value in operation.node:
                    if test(self, frame, value) != wanted:
                        position = operation.jump
                        break
                else:
                    position += 1
            elif operation.code == "jump":
                back += operation.jump <= position
                if back > LONGEST:
                    raise EngineError(
                        "a procedure goes round for ever, and nothing is done in it",
                        place=frame.program,
                        help="a step is missing that makes its condition another",
                    )
                position = operation.jump
            else:
                if operation.looks_at != "anything":
                    if found is None:
                        # Nothing that is done here is a change.
                        found, stamps = self.found_nothing.setdefault(frame.program, {}), self.stamps()
                    self.looked_at = stamps[operation.looks_at]
                    if found.get(position) == self.looked_at:
                        position += 1
                        continue
                frame.position = position
                return operation
        frame.position = position
        return None

    def stamps(self) -> Mapping[str, Any]:
        """Give, for what steps may look at (:data:`Sight`), a value that is another whenever that has changed.

        Points, damage and all that characteristics depend on change the version; what lies where, under whose control
        and facedown or not, changes the layout, but for what texts make of a card's types; marks on locations change
        when these were last written.
        """
        state = self.state
        now = (state.moment, state.showdown, state.combat)
        if self.stamped_at != now:
            marks = (state.showdown, state.combat, state.written.get((self.rules.location_zone, NOBODY)))
            places = state.version if alters_traits(self) else state.layout
            self.stamped_at, self.stamped = now, {"board": (state.version, marks), "places": (places, marks)}
        return self.stamped

    def leave(self, frame: Frame) -> None:
        """End a frame, and let the one below know what came of it."""
        self.state.frames.remove(frame)
        if not frame.result:
            return
        if frame.result.startswith("item:"):
            item = self.state.item(int(frame.result[5:]))
            if item is not None:
                item.scope.bindings.update(frame.scope.bindings)
        elif frame.result == "scope" and self.state.frames:
            # What a cost was paid with can be spoken of afterwards ("the killed unit").
            did = self.state.frames[-1].scope.bindings.get("did")
            self.state.frames[-1].scope.bindings.update(frame.scope.bindings)
            self.state.frames[-1].scope.bindings["did"] = did
        elif self.state.frames:
            below = self.state.frames[-1]
            for name in ("did", "much", "did:who"):
                if name in frame.scope.bindings:
                    below.scope.bindings[name] = frame.scope.bindings[name]

    def call(
        self, program: str, scope: Scope, result: str = "", local: Mapping[str, Any] | None = None
    ) -> Frame:
        """Begin a program on top of the running ones."""
        frame = Frame(program, scope)
        frame.result = result
        if local:
            frame.local = dict(local)
        self.state.frames.append(frame)
        return frame

    def stop_executing(self, ref: int) -> None:
        """359.3.e.15: a card that leaves the chain while it resolves has no further instructions to carry out.

        One that waits there is no item of the chain any more.
        """
        leaving = {item.id for item in self.state.chain if item.object == ref}
        under_way = {id for frame in self.state.frames for id in (frame.local.get("item"), frame.scope.item)}
        if not leaving <= under_way:
            self.state.chain = [item for item in self.state.chain if item.id not in leaving - under_way]
            self.state.facts["cleanup"] = True
        for frame in self.state.frames:
            if frame.scope.item in leaving and ">resolve" in frame.program:
                frame.position = PAST_THE_END

    def ask(self, player: int, kind: str, prompt: str, options: Sequence[Option], rule: str = "") -> Any:
        """Give the answer to a question; raises :class:`Waiting` until there is one. One option is no question."""
        if self.cursor < len(self.answering):
            answer = self.answering[self.cursor]
            self.cursor += 1
            return answer
        unique: dict[str, Option] = {}
        for option in options:
            unique.setdefault(option.id, option)
        if not unique:
            raise EngineError(f"there is nothing to choose from: {prompt}", place=f"rule {rule}")
        if len(unique) == 1 and kind not in ("action", "priority", "focus"):
            answer = next(iter(unique.values())).value
            self.answering.append(answer)
            self.cursor += 1
            return answer
        self.state.decision = Decision(player, kind, prompt, tuple(unique.values()), rule)
        raise Waiting

    def is_answered(self) -> bool:
        """Tell whether the answer to the next question is there already."""
        return self.cursor < len(self.answering)

    def yes(self, player: int, prompt: str, rule: str, kind: str = "may") -> bool:
        """Ask a player whether they do something."""
        options = (Option("yes", "yes", "yes", True, rule=rule), Option("no", "no", "no", False, rule=rule))
        return bool(self.ask(player, kind, prompt, options, rule))

    def pick(
        self,
        player: int,
        refs: Iterable[int],
        least: int,
        most: int,
        prompt: str,
        rule: str = "",
        kind: str = "choose",
        refine: Callable[[list[int]], Iterable[int]] | None = None,
        enough: Callable[[list[int]], bool] | None = None,
    ) -> tuple[int, ...]:
        """Let a player choose objects one after the other; ``refine`` gives what may still be added to a choice."""
        chosen: list[int] = []
        everything = list(refs)
        if refine is None and enough is None and kind != "order" and least >= len(everything):
            # All there is has to be taken: nobody has anything to choose.
            return tuple(everything)
        while len(chosen) < most:
            left = [ref for ref in (refine(chosen) if refine else everything) if ref not in chosen]
            options = [self.object_option(ref, kind, rule) for ref in self.distinct(left)]
            done = len(chosen) >= least and (enough is None or enough(chosen))
            if not left:
                break
            if done:
                options.append(Option("done", "done", "no more", 0, rule=rule))
            answer = self.ask(player, kind, prompt, options, rule)
            if answer == 0 and done:
                break
            chosen.append(answer)
        return tuple(chosen)

    def object_option(self, ref: int, kind: str, rule: str = "") -> Option:
        """Give the option that names one object, player or location."""
        return Option(f"{kind}:{ref}", "choose", self.name(ref), ref, ref, rule)

    def distinct(self, refs: Iterable[int]) -> list[int]:
        """Leave out what is equal to something listed before: two equal cards in one hand are one option."""
        seen: set[Any] = set()
        kept: list[int] = []
        for ref in refs:
            key = self.likeness(ref)
            if key not in seen:
                seen.add(key)
                kept.append(ref)
        return kept

    def likeness(self, ref: int) -> Any:
        """Give what makes an object a different choice from another: all of it on the board, its card elsewhere."""
        found = self.state.objects.get(ref)
        if found is None:
            return ref
        if self.rules.zones[found.zone].board and not (found.zone == self.rules.home and self.is_rune(ref)):
            return ref
        return (
            found.zone,
            found.at,
            found.card,
            found.states,
            found.owner,
            found.notes.get("chosen"),
            found.controller,
        )

    def is_rune(self, ref: int) -> bool:
        """Tell whether an object is only there to produce resources, so that equal ones are alike."""
        found = self.state.objects[ref]
        resource = self.rules.is_type(self.script_of(found).traits.types, "resource")
        return not found.damage and not found.counters and resource

    def fights(self, ref: int) -> bool:
        """Tell whether an object moves, is damaged and fights: one of its types does, as units do (143)."""
        found = self.state.objects.get(ref)
        if found is None or alters_traits(self):
            return self.rules.is_type(self.traits(ref).types, "fights")
        script: Script = found.script or self.script_of(found)
        return script.fights

    # ------------------------------------------------------------------------------------- players

    def turn_order(self, first: int) -> tuple[int, ...]:
        """Give the players who are in the game, in turn order from one of them on."""
        players = self.state.players
        count = len(players)
        first %= count
        order = (*range(first, count), *range(first))
        return tuple([player for player in order if not players[player].lost])

    def enemies(self, one: int, other: int) -> bool:
        """Tell whether two players are opponents."""
        if one < 0 or other < 0 or one == other:
            return False
        teams = self.state.facts.get("teams")
        return teams is None or teams[one] != teams[other]

    def team(self, player: int) -> tuple[int, ...]:
        """Give a player and their teammates."""
        return tuple(p for p in range(len(self.state.players)) if not self.enemies(p, player))

    def resource(self, player: int, kind: str) -> int:
        """Give how much of something a player has; the words for it are the rules' own."""
        kind = str(self.rules.terms.get("resources", {}).get(kind, kind))
        return self.state.players[player].resources.get(kind, 0)

    def goal(self) -> int:
        """Give the points that a player needs to win (194.3), as effects have changed them."""
        goal = int(self.state.facts["goal"])
        for active in layers.effects(self, ast.GoalChange):
            goal += select.amount(self, active.effect.amount, active.scope, f"{active.path}.amount") or 0
        return goal

    # ------------------------------------------------------------------------------------- objects

    def find(self, ref: int) -> GameObject | None:
        """Give an object, or how it was when it was last known; nothing for players and abilities."""
        found = self.state.objects.get(ref)
        if found is None:
            ghost = self.state.ghosts.get(ref)
            return ghost.object if ghost is not None else None
        return found

    def current(self, ref: int, scope: Scope | None = None) -> int:
        """Follow an object to where the running text itself, or its trigger's event, has put it (390.5, 428.1)."""
        seen = 0
        while ref > 0 and ref not in self.state.objects and seen < 8:
            ghost = self.state.ghosts.get(ref)
            if ghost is None or not ghost.successor:
                return ref
            from_chain = ghost.object.zone == self.rules.chain
            follows = from_chain or (
                scope is not None
                and (
                    ghost.cause == scope.item
                    or ref in scope.bindings.get("follow", ())
                    or self._is_followed(ghost, scope.bindings.get("follow-of", ()))
                )
            )
            if not follows:
                return ref
            ref = ghost.successor
            seen += 1
        return ref

    def _is_followed(self, ghost: Ghost, items: Sequence[int]) -> bool:
        """Tell whether one of some items has put an object elsewhere, or has let it be played from off the board."""
        return bool(items) and (ghost.cause in items or not self.rules.zones[ghost.object.zone].board)

    def line_of(self, ref: int) -> tuple[int, ...]:
        """Give all numbers that the same card has had, as far as is remembered."""
        line = [ref]
        found = self.find(ref)
        while found is not None and "was" in found.notes and len(line) < 12:
            line.append(found.notes["was"])
            found = self.find(found.notes["was"])
        return tuple(line)

    def is_token(self, ref: int) -> bool:
        """Tell whether an object is a token: whatever it is a copy of, it never ceases to be one (185.1.a-b)."""
        found = self.find(ref)
        return found is not None and self.rules.cards[found.card].token

    def script_of(self, found: GameObject) -> Script:
        """Give the script whose printed traits an object has: its card's, or the copied one's (477.1.b)."""
        script: Script | None = found.script
        if script is None:
            script = self.rules.script(found.card)
            copied = found.notes.get("copy")
            if copied is not None:
                script = self.rules.copied_script(copied, "token" in script.traits.supertypes)
            found.script = script
        return script

    def traits(self, ref: int) -> Traits:
        """Give the characteristics of an object."""
        found = self.state.objects.get(ref)
        if found is not None and found.cache_stamp == self.state.version:
            kept: Traits = found.cache
            return kept
        return layers.traits(self, ref)

    def printed(self, ref: int) -> Traits:
        """Give the traits in which an object's name, types and domains are found without going through the layers.

        Where no text of the game alters them (477.1.a), they are as printed, or as they last were where it is gone.
        """
        found = self.state.objects.get(ref)
        if found is None or alters_traits(self):
            return self.traits(ref)
        script: Script = found.script or self.script_of(found)
        return script.traits

    def is_permanent(self, ref: int) -> bool:
        """Tell whether an object is of a type that stays on the board when it is played."""
        return self.rules.is_type(self.printed(ref).types, "permanent")

    def is_word(self, ref: int, word: str) -> bool:
        """Tell whether a word is a type, supertype, tag or the name of an object.

        Those are as printed, and no layers are gone through for them, but for what a text of the game may give.
        """
        found = self.state.objects.get(ref)
        if found is None or alters_traits(self):
            return self.traits(ref).has(word)
        return self.script_of(found).traits.has(word) or (
            is_given_tag(self, word) and word in self.traits(ref).tags
        )

    def controller(self, ref: int) -> int:
        """Give who controls something: the controller on the board and the chain, the owner elsewhere; -1 nobody."""
        if ref < 0:
            return player_of(ref)
        found = self.state.objects.get(ref)
        if found is not None and self.rules.zones[found.zone].board:
            return found.controller
        item = self.state.item(ref)
        if item is not None:
            return item.scope.controller
        found = self.find(ref)
        if found is None:
            return -1
        return found.controller if self.rules.zones[found.zone].board else found.owner

    def location(self, ref: int) -> int:
        """Give where something is: a battlefield's number or a base; a location is where it is (199.1)."""
        if ref < 0:
            return ref
        found = self.find(ref)
        if found is None:
            return NOBODY
        zone = self.rules.zones[found.zone]
        if zone.location or zone.per == "location":
            return found.at
        return ref if self.rules.types_in(found.zone) else NOBODY

    def _lay_out(self) -> None:
        """Remember what is where, until an object changes its place."""
        state, objects = self.state, self.state.objects
        found: list[int] = []
        fields: list[int] = []
        zones = self.rules.zones
        for (name, _), refs in state.zones.items():
            if refs and zones[name].board:
                found.extend(refs)
                if zones[name].locations:
                    fields.extend(refs)
        self.all_board = tuple(sorted(found))
        self.field_cache = tuple(sorted(fields))
        self._link()
        board: list[int] = []
        granting: list[int] = []
        reaching: list[int] = []
        watching: list[tuple[int, Script]] = []
        for ref in self.all_board:
            here = objects[ref]
            if "facedown" in here.states:
                continue
            board.append(ref)
            script = here.script or self.script_of(here)
            worn = ref in self.attached_cache
            if script.idle and not worn and not here.attached_to:
                continue
            if script.self_granting or worn:
                granting.append(ref)
            if script.outward and not here.attached_to:
                reaching.append(ref)
            if script.watches or worn or here.attached_to:
                watching.append((ref, script))
        self.board_cache, self.granting_cache = tuple(board), tuple(granting)
        self.reaching_cache = tuple(reaching)
        self.meant_cache.clear()
        if (watching, self.links) != self.watching_key:
            self.watching_key, self.watching_stamp = (watching, self.links), state.layout
            self.watching_cache = tuple(ref for ref, _ in watching)
        self.board_version = state.layout

    def _link(self) -> None:
        """Remember what is attached to what, and what the attached cards are."""
        objects = self.state.objects
        attached: dict[int, list[int]] = {}
        for ref in [ref for ref in self.all_board if objects[ref].attached_to]:
            attached.setdefault(objects[ref].attached_to, []).append(ref)
        self.attached_cache = {
            host: tuple(sorted(refs, key=lambda ref: objects[ref].timestamp))
            for host, refs in attached.items()
        }
        self.links = tuple(
            (ref, host, self.script_of(objects[ref]), objects[ref].notes.get("copied-text"))
            for host, refs in self.attached_cache.items()
            for ref in refs
        )

    def board(self, facedown: bool = False) -> tuple[int, ...]:
        """Give all objects on the board, oldest first; cards that lie facedown only if asked for."""
        if self.board_version != self.state.layout:
            self._lay_out()
        return self.all_board if facedown else self.board_cache

    def meant(self, nouns: tuple[str, ...]) -> tuple[int, ...]:
        """Give the objects on the board that some nouns may mean, oldest first: most are of another type."""
        board = self.board()
        found = self.meant_cache.get(nouns)
        if found is None:
            objects = self.state.objects
            known = self.cards_meant.setdefault((nouns, given_tags(self)), {})
            kept = []
            for ref in board:
                script = self.script_of(objects[ref])
                if script not in known:
                    known[script] = any(select.may_mean(self, noun, script) for noun in nouns)
                if known[script]:
                    kept.append(ref)
            found = self.meant_cache[nouns] = tuple(kept)
        return found

    def granting(self) -> tuple[int, ...]:
        """Give the objects on the board that may have abilities by their own text, or by what is attached to them."""
        if self.board_version != self.state.layout:
            self._lay_out()
        return self.granting_cache

    def reaching(self) -> tuple[int, ...]:
        """Give the objects on the board whose text may change others; what is attached has none (135.4)."""
        if self.board_version != self.state.layout:
            self._lay_out()
        return self.reaching_cache

    def watching(self) -> tuple[int, ...]:
        """Give the objects on the board whose text, or what is attached to them, may watch for something or be used."""
        if self.board_version != self.state.layout:
            self._lay_out()
        return self.watching_cache

    def on_board_or_chain(self, ref: int) -> bool:
        """Tell whether something is on the board or the chain, where it has a controller."""
        found = self.state.objects.get(ref) or self.find(ref)
        return found is None or self.rules.zones[found.zone].board or self.state.item(ref) is not None

    def fields(self) -> tuple[int, ...]:
        """Give the locations that are objects: battlefields."""
        if self.board_version != self.state.layout:
            self._lay_out()
        return self.field_cache

    def bases(self) -> tuple[int, ...]:
        """Give the locations that belong to players."""
        return (
            tuple(player_ref(player) for player in self.turn_order(self.state.turn_player))
            if self.rules.home
            else ()
        )

    def at(self, location: int) -> tuple[int, ...]:
        """Give the objects at a location, without the location itself."""
        zone = self.rules.home if location < 0 else self.rules.field
        return self.state.zone(zone, location)

    def attached(self, ref: int) -> tuple[int, ...]:
        """Give what is attached to an object, in the order of timestamps."""
        if self.board_version != self.state.layout:
            self._lay_out()
        return self.attached_cache.get(ref, ())

    def hosts(self) -> Iterable[int]:
        """Give the objects that something is attached to."""
        if self.board_version != self.state.layout:
            self._lay_out()
        return self.attached_cache

    def is_seen(self, zone: str) -> bool:
        """Tell whether characteristics may depend on what is in a zone."""
        return self.rules.zones[zone].board or f"zone:{zone}" in reads(self)

    def goes_on(self) -> None:
        """Take note that another phase, showdown or combat is under way, if characteristics may depend on that."""
        if PHASE in reads(self):
            self.state.touch()

    def lent(self, ref: int) -> tuple[Held, ...]:
        """Give the abilities that attached cards append to an object's text (719.1)."""
        found: list[Held] = []
        for other in self.attached(ref):
            gear = self.state.objects[other]
            for held in self.script_of(gear).lent:
                found.append(Held(held.ability, other))
            copied = gear.notes.get("copied-text")
            if copied:
                found.extend(Held(h.ability, other) for h in self.rules.script(copied).traits.abilities)
        return tuple(found)

    def might_bonus(self, ref: int) -> int:
        """Give the sum of the Might bonuses of what is attached to an object (477.3.d)."""
        total = 0
        for other in self.attached(ref):
            bonus = self.script_of(self.state.objects[other]).might_bonus
            if bonus:
                total += bonus * self._bonus_factor(other)
        return total

    def _bonus_factor(self, gear: int) -> int:
        factor = 1
        for active in layers.active_effects(self).get(ast.Modify, ()):
            for position, change in enumerate(active.effect.changes):
                if isinstance(change, ast.StatFactor) and layers.applies(
                    self, active, self.state.objects[gear]
                ):
                    path = f"{active.path}.changes.{position}.factor"
                    factor *= select.amount(self, change.factor, active.scope, path) or 1
        return factor

    def granted_outward(self, ref: int) -> tuple[Held, ...]:
        """Give abilities granted by effects that reach beyond the object they are granted to."""
        found: list[Held] = []
        for lasting in self.state.effects:
            if lasting.kind != "effect" or lasting.affected is None or ref not in lasting.affected:
                continue
            effect = self.rules.node(lasting.scope.ability, lasting.node)
            if not isinstance(effect, ast.Modify):
                continue
            for position, change in enumerate(effect.changes):
                if isinstance(change, ast.Gains) and isinstance(change.what, ast.CardText):
                    path = f"{lasting.node}.changes.{position}.what"
                    giver = tuple(sorted(lasting.scope.bindings.items()))
                    for ability in self.rules.quoted(lasting.scope.ability, path, change.what):
                        if ability.outward:
                            found.append(Held(ability, lasting.scope.source, giver))
        return tuple(found)

    # ------------------------------------------------------------------------------------- scopes and words

    def scope_of(self, ref: int, held: Held, item: int = NOBODY) -> Scope:
        """Give the scope in which an ability of an object is read."""
        controller = self.controller(ref)
        scope = Scope(controller, ref, held.ability.key, item)
        if held.bindings:
            scope.bindings.update(held.bindings)
        if held.this:
            scope.bindings["this"] = held.this
        if held.ability.keyword:
            scope.bindings["keyword"] = held.ability.keyword
        if controller < 0:
            # 190.6.b: the turn player is responsible for what a battlefield without a controller does.
            scope.controller = self.state.turn_player
            scope.bindings["nobody"] = True
        return scope

    def self_of(self, scope: Scope, node: ast.Self) -> int:
        """Give the object that "me" or "this" is."""
        if node.form == "this" and "this" in scope.bindings:
            return int(scope.bindings["this"])
        return scope.source

    def antecedent(self, scope: Scope, path: str) -> Any:
        """Give the words that a reference points to; nothing where the path leads nowhere."""
        try:
            return self.rules.node(scope.ability, path)
        except (AttributeError, IndexError, TypeError, ValueError):
            return None

    def own_keyword(self, scope: Scope, node: ast.StatOf) -> int | None:
        """Give the number of the keyword whose meaning is being read (807.1.b), as the object has it in all."""
        keyword = scope.bindings.get("keyword")
        if keyword is None or node.stat != keyword or not isinstance(node.of, ast.Self):
            return None
        if "value" in scope.bindings:
            return int(scope.bindings["value"])
        return self.traits(scope.source).keywords.get(keyword, 0)

    def known_cost(self, keyword: ast.Keyword, ref: int) -> ast.Keyword:
        """Give a keyword as an object has it: a cost that is "equal to its cost" is that object's own (206)."""
        if not isinstance(keyword.cost, ast.StatOf) or keyword.cost.stat not in ("cost", "base-cost"):
            return keyword
        if not isinstance(keyword.cost.of, ast.Reference):
            return keyword
        return ast.Keyword(keyword.name, keyword.value, cost_of(printed_price(self, ref)))

    def named_word(self, scope: Scope) -> str:
        """Give the word that was named for the source of a text."""
        found = self.find(scope.source)
        bound = scope.bindings.get("word")
        return str(bound if bound is not None else found.notes.get("word", "") if found is not None else "")

    def alias(self, verb: str) -> Mapping[str, str]:
        """Give which event, and which of its roles, a verb of texts speaks of."""
        found: Mapping[str, str] = self.rules.events.get(verb, {})
        return found

    def player_events(self, verb: str) -> bool:
        """Tell whether an event of objects is told again of their player, so that "you" means that one (383.4)."""
        return bool(self.rules.events.get(verb, {}).get("players"))

    def zone_name(self, word: str) -> str:
        """Give the zone that a word means; "deck" and the like are words for one of them."""
        return str(self.rules.terms.get("zones", {}).get(word, word))

    def is_location_zone(self, word: str) -> bool:
        """Tell whether a zone's word means a location on the board."""
        zone = self.rules.zones.get(self.zone_name(word))
        return zone is not None and zone.location

    def home_deck(self, ref: int) -> str:
        """Give the deck that an object is recycled to: its type says (416.1, 185.2.e).

        Of several types, the one that the table has first says it: a rune goes to the Rune Deck (178.1.a.2).
        """
        types = self.printed(ref).types
        for word, row in self.rules.types.items():
            if word in types and "deck" in row:
                return str(row["deck"])
        raise EngineError(f"{self.name(ref)} is of no type that goes to a deck", place="416.1")

    def in_phase(self, word: str) -> bool:
        """Tell whether it is some phase, turn, showdown or combat now."""
        if word == "turn":
            return True
        if word == "showdown":
            return self.state.showdown != NOBODY
        if word == "combat":
            return self.state.combat is not None
        return self.within_phase(self.state.phase, word)

    def within_phase(self, phase: str, word: str) -> bool:
        """Tell whether a phase or step is, or is part of, the phase that a word names."""
        return phase == word or self.rules.terms.get("phases", {}).get(phase) == word

    def named_states(self) -> Mapping[str, Any]:
        """Give the states that are told by something else than a mark."""
        found: Mapping[str, Any] = self.rules.terms.get("states", {})
        return found

    def in_state(self, ref: int, state: str, scope: Scope) -> bool:
        """Tell whether something is in a state, marked or derived."""
        return in_state(self, ref, state, scope)

    def manner(self, word: str, event: Event, scope: Scope) -> bool:
        """Tell whether something happened in a manner."""
        return manner(self, word, event, scope)

    def stat(self, ref: int, name: str) -> int | None:
        """Give a figure of an object; nothing where it has none or is gone (359.3.e.12)."""
        if ref < 0:
            return self.resource(player_of(ref), name)
        figure = str(self.rules.terms.get("figures", {}).get(name, name))
        if figure == "damage":
            found = self.find(ref)
            return found.total_damage if found is not None else None
        if figure in self.rules.terms.get("counted", {}):
            found = self.find(ref)
            return found.counters.get(self.rules.terms["counted"][figure], 0) if found is not None else None
        item = self.state.item(ref)
        if item is not None and item.object == NOBODY:
            # 206.1: an ability has no figures but its cost, which is its base cost for whatever asks.
            base = base_price(self, item)
            return {"energy": base.energy, "power": base.total_power}.get(figure, 0)
        traits = self.traits(ref)
        if figure.startswith("base:"):
            return traits.base.get(figure[5:])
        if figure in traits.figures:
            # 143.2.b: below 0 it is treated as 0 when referred to.
            return max(0, traits.figures[figure])
        if name in traits.keywords:
            return traits.keywords[name]
        if figure in self.rules.terms.get("absent-is-zero", ()):
            return 0
        return 0 if name in self.rules.rules.keywords else None

    # ------------------------------------------------------------------------------------- chain

    def targets_of(self, item: ChainItem) -> tuple[int, ...]:
        """Give everything that an item has chosen as targets."""
        if not item.targets:
            return ()
        found: list[int] = []
        for bindings in (item.scope.bindings, *(dict(repeat) for repeat in item.repeats)):
            for path in item.targets:
                bound = bindings.get(path)
                if isinstance(bound, tuple):
                    found.extend(bound)
        return tuple(found)

    def means_of(self, using: int) -> tuple[int, ...]:
        """Give what an action is done with: the chain item, and the object that its ability is on (428.5.d)."""
        item = self.state.item(using)
        if item is not None and item.object == NOBODY:
            return (using, *item.scope.holders())
        left, *holders = self.state.facts.get("left", (NOBODY,))
        if using and using == left:
            return (using, *holders)
        if holders_then := self.holders_of(using):
            return (using, *holders_then)
        for dealt, *dealers in self.state.facts.get("dealers", ()) if using else ():
            # 428.5.c.2: what was dealt in combat was dealt by all units of that side.
            if using == dealt:
                return (using, *dealers)
        return (using,) if using else ()

    def holders_of(self, ref: int) -> tuple[int, ...]:
        """Give what an ability is or was of, which is on the chain or has been there this turn; nothing for a card."""
        item = self.state.item(ref)
        if item is not None:
            return item.scope.holders() if item.object == NOBODY else ()
        known = self.state.facts.get("abilities", ()) if ref > 0 and ref not in self.state.objects else ()
        return next((tuple(holders) for left, *holders in reversed(known) if left == ref), ())

    def has_left(self, ref: int) -> bool:
        """Tell whether something is an ability that was on the chain this turn, and is there no more."""
        if not ref:
            return False
        return ref == self.state.facts.get("left", (NOBODY,))[0] or bool(self.holders_of(ref))

    def is_ability_of(self, ref: int, node: ast.AbilityText, scope: Scope, path: str) -> bool:
        """Tell whether a chain item is an ability of the described sort."""
        item = self.state.item(ref)
        if item is None and self.probe is not None and self.probe.id == ref:
            item = self.probe
        if item is None or item.object != NOBODY:
            return False
        if node.sort == "activated" and item.kind != "activated":
            return False
        if node.sort not in ("activated", "any", "ability") and item.facts.get("sort") != node.sort:
            return False
        for position, part in enumerate(node.filters):
            if not select.passes(self, item.scope.source, part, scope, f"{path}.filters.{position}"):
                return False
        if node.of is None:
            return True
        if isinstance(node.of, ast.Player):
            return item.scope.controller in select.players(self, node.of, scope, f"{path}.of")
        if isinstance(node.of, ast.Objects):
            return select.fits(self, item.scope.source, node.of, scope, f"{path}.of")
        return item.scope.source in select.refs(self, node.of, scope, f"{path}.of")

    def has_spent(self, action: ast.Action, window: Any, scope: Scope, path: str) -> bool:
        """Tell whether a player has spent so much: this turn in all, for one purpose, or for what the event played."""
        energy, power = self._asked(action.object, scope, f"{path}.event.action.object")
        who = (
            select.players(self, action.subject, scope, "") if isinstance(action.subject, ast.Player) else ()
        )
        spent = [entry for entry in self.state.facts.get("spent", ()) if entry[0] in who]
        if action.purpose is not None:
            purpose = action.purpose.object
            return any(
                entry[1] >= energy
                and entry[2] >= power
                and isinstance(purpose, ast.Objects)
                and all(select.is_noun(self, entry[3], noun, scope) for noun in purpose.nouns)
                for entry in spent
            )
        if window is None:
            using = scope.bindings.get("event.using", (scope.item,))[0]
            spent = [entry for entry in spent if entry[3] == using or using in self.line_of(entry[3])]
        return sum(e[1] for e in spent) >= energy and sum(e[2] for e in spent) >= power and bool(spent)

    def _asked(self, cost: Any, scope: Scope, path: str) -> tuple[int, int]:
        energy = power = 0
        for position, part in enumerate(cost.parts):
            amount = select.amount(self, part.amount, scope, f"{path}.parts.{position}.amount") or 0
            if isinstance(part, ast.Energy):
                energy += amount
            else:
                power += amount
        return energy, power

    def paid_additional(self, scope: Scope) -> bool:
        """Tell whether the optional additional cost of playing the source was paid (356.4.f.1)."""
        paid: Any = None
        for ref in (scope.item, scope.source):
            item = self.state.item(ref)
            if item is None and self.probe is not None and self.probe.id == ref:
                item = self.probe
            if item is not None and "paid" in item.facts:
                paid = item.facts["paid"]
                break
        else:
            found = self.find(scope.source)
            paid = scope.bindings.get("paid", found.notes.get("paid") if found is not None else None)
        if not isinstance(paid, tuple):
            return bool(paid)
        # "If you do" speaks of the cost in the same text, not of one that another text or keyword asks for.
        text = scope.ability.partition("#")[0]
        return any(key.partition("#")[0] == text for key in paid)

    def legal_targets(self, node: Any, scope: Scope, path: str, bound: tuple[int, ...]) -> tuple[int, ...]:
        """Give those of the chosen targets that are legal when they are first looked at (359.3.e.2)."""
        if path not in scope.bindings.get("targets", ()):
            return bound
        kept = scope.bindings.get(f"{path}:legal")
        if kept is None:
            kept = still_legal(self, node, scope, path, bound)
            scope.bindings[f"{path}:legal"] = kept
        return tuple(kept)

    # ------------------------------------------------------------------------------------- history

    def told(self, scope: Scope, this_way: bool = False) -> tuple[Event, ...]:
        """Give what has happened this turn, or in the running text."""
        if this_way:
            start = scope.bindings.get("began", 0)
            return tuple(
                e for e in self.state.history[start:] if e.using == scope.item or e.using == scope.source
            )
        return self.state.history

    def told_of(self, node: ast.Objects, scope: Scope, path: str) -> list[int]:
        """Give what the events of a relative clause were about: "cards revealed this way"."""
        return told_of(self, node, scope, path)

    # ------------------------------------------------------------------------------------- writing help

    def performer(self, verb: str) -> tuple[tuple[Any, Mapping[str, Any]], ...]:
        """Give the writes that an event of a verb consists of."""
        return self.rules.performer(verb)

    def timestamp(self) -> int:
        """Give the next timestamp (480.1)."""
        return self.state.new_id()

    def merged(
        self, pool: tuple[tuple[str, int, str], ...], kind: str, by: int, limit: str
    ) -> tuple[tuple[str, int, str], ...]:
        """Give a pool with some of a resource added or taken."""
        amounts = {(held, only): count for held, count, only in pool}
        amounts[kind, limit] = amounts.get((kind, limit), 0) + by
        return tuple((held, count, only) for (held, only), count in sorted(amounts.items()) if count > 0)

    def place_at(self, location: int) -> tuple[str, int]:
        """Give the zone and place of a location."""
        return (self.rules.home if location < 0 else self.rules.field, location)

    def reorder(self, place: tuple[str, int], refs: tuple[int, ...]) -> None:
        """Put the cards of a zone into another order."""
        self.state.arrange(place, refs)

    def show(self, refs: Iterable[int], player: int) -> None:
        """Remember that a player has seen cards where they lie."""
        for ref in refs:
            if ref in self.state.objects:
                found = self.state.own(ref)
                found.notes["seen"] = tuple(sorted({*found.notes.get("seen", ()), player}))

    def facedown_zone(self) -> str:
        """Give the zone for cards that lie facedown at a location; no zone in a game that has none."""
        return str(self.rules.terms.get("facedown-zone", ""))

    def words_for(self, what: str) -> tuple[str, ...]:
        """Give the words that may be named (762, 763): the tags, types or names of the cards of the pool."""
        # 763.1: the tags of the rules, and those that a later set has.
        listed = self.rules.table("tags", {}) if what == "tag" else {}
        found = {word for group in listed.values() for word in group}
        for card in self.rules.cards.values():
            if what == "tag":
                found.update(card.tags)
            elif what == "domain":
                # 134.2: a card's domains are among those of the rules.
                found.update(self.rules.domains)
            elif what == "type":
                found.update(card.types)
            elif not card.token:
                found.add(card.name)
        return tuple(sorted(found))

    def cards_named(self, words: str) -> tuple[CardDefinition, ...]:
        """Give the cards of the pool that words fit; a token cannot be meant (761, 762.2)."""
        domains, figures = self.rules.table("domain-words", {}), self.rules.table("figure-words", {})
        cards = (card for card in self.rules.cards.values() if not card.token)
        return cards_meant(words, cards, domains, figures)

    def is_over(self, moment: ast.Moment) -> bool:
        """Tell whether a point of this turn has passed already (359.3.e.16)."""
        if moment.edge == "end" and moment.phase == "turn":
            return bool(self.state.facts.get("ending"))
        return False

    def borrowed(self, what: ast.AbilityText, scope: Scope, path: str) -> tuple[Held, ...]:
        """Give the abilities of others that an effect lends ("all [E] abilities of friendly legends")."""
        found: list[Held] = []
        for ref in self.board():
            if ref == scope.source or ref in self.computing:
                continue
            of = what.of
            if isinstance(of, ast.Objects) and not select.fits(self, ref, of, scope, f"{path}.of"):
                continue
            if isinstance(of, ast.Group) and not any(
                isinstance(part, ast.Objects) and select.fits(self, ref, part, scope, f"{path}.of.parts.{i}")
                for i, part in enumerate(of.parts)
            ):
                continue
            for held in self.script_of(self.state.objects[ref]).traits.abilities:
                node = held.ability.node
                if isinstance(node, ast.ActivatedAbility) and any(
                    isinstance(part, ast.ExhaustThis) for part in node.cost.parts
                ):
                    found.append(held)
        return tuple(found)

    def add_lasting(
        self,
        kind: str,
        node: str,
        scope: Scope,
        until: str,
        affected: tuple[int, ...] | None = None,
        once: bool = False,
        amounts: tuple[Any, ...] = (),
    ) -> Lasting:
        """Let an effect or ability begin that goes on after the text that made it (390-392)."""
        made = Lasting(
            self.state.new_id(), kind, node, scope.copy(), self.timestamp(), until, affected, once, amounts
        )
        self.state.effects = (*self.state.effects, made)
        self.state.touch()
        return made

    def limit_of(self, scope: Scope) -> str:
        """Give the key of the words that say what resources added by a text may be spent on."""
        for held in self.traits(scope.source).abilities:
            if held.ability.key == scope.ability:
                return spend_limit(self, scope.source, held)
        return ""

    def words_of(self, event: Event) -> tuple[str, str, Any]:
        """Give the card, the ability and the span of the words that made an event happen."""
        ability, _, path = event.cause.partition("|")
        root = ability.partition("#")[0]
        card = root.partition(":")[2] if root.startswith(("card:", "effect:")) else ""
        if not ability or "#" not in ability:
            return card, ability, None
        try:
            node = self.rules.node(ability, path)
        except (AttributeError, IndexError, TypeError, ValueError):
            return card, ability, None
        return card, ability, getattr(node, "span", None)

    def cause_item(self, event: Event) -> int:
        """Give the chain item whose text did something, for following what it moved."""
        item = self.state.item(event.using)
        doer = event.cause.partition("#")[0]
        if item is not None and doer.startswith("card:"):
            own = item.scope.ability.partition("#")[0]
            if not own and item.object in self.state.objects:
                # A permanent has no text to resolve: what it is paid with is moved by its own words all the same.
                own = f"card:{self.state.objects[item.object].card}"
            if doer != own:
                # What another card's replacement effect moves is not followed by the text it interceded in.
                return NOBODY
        return event.using

    def source_of(self, event: Event) -> int:
        """Give the object whose effect did something."""
        item = self.state.item(event.using)
        return item.scope.source if item is not None else event.using

    def contest(self, ref: int) -> None:
        """Let a unit that becomes present contest a battlefield that its controller does not control (190.3.a.1)."""
        found = self.state.objects.get(ref)
        if (
            found is None
            or found.zone != self.rules.field
            or found.attached_to
            or found.at not in self.state.objects
        ):
            return
        if not self.fights(ref):
            return
        field = self.state.objects[found.at]
        if field.controller != found.controller and "contested" not in field.notes:
            self.state.own(found.at).notes["contested"] = found.controller

    def new_card(self, card: str) -> None:
        """Take note that a card has come into the game, whose abilities may watch for events."""
        if card not in self.known_cards:
            self.verbs_for = -1

    def put_on_chain(self, item: ChainItem) -> None:
        """Add an item to the chain; the first one tells later whether focus passes when the chain closes (346.1)."""
        if not self.state.chain:
            self.state.facts["opened"] = "adds" if item.facts.get("adds") else item.kind
        self.state.chain.append(item)
        self.state.facts["cleanup"] = True

    def is_out(self, player: int) -> bool:
        """Tell whether a player is no longer in the game."""
        return self.state.players[player].lost

    def remove_player(self, player: int) -> None:
        """Take a player out of the game, with their teammates (651, 489.6.a); who is left may have won."""
        team = [other for other in self.team(player) if not self.is_out(other)]
        for other in team:
            self.state.players[other].lost = True
        self.state.touch()
        left = self.turn_order(0)
        if len(left) == 1 or all(not self.enemies(left[0], other) for other in left):
            self.state.winners = self.team(left[0])
        elif "remove-player" in self.rules.rules.procedures:
            for other in reversed(team):
                self.call("do:remove-player", Scope(other, NOBODY, ""))

    # ------------------------------------------------------------------------------------- telling

    def name(self, ref: int) -> str:
        """Give the name of an object or player, as a log line has it."""
        if ref < 0:
            return str(self.state.facts["names"][player_of(ref)])
        item = self.state.item(ref) if ref not in self.state.objects else None
        if item is not None and item.object == NOBODY:
            return f"{self.name(item.scope.source)}'s ability"
        return self.printed(ref).name or "nothing"

    def tells(self, verb: str) -> bool:
        """Tell whether the log keeps lines of a verb."""
        return self.kept_lines is None or verb in self.kept_lines

    def note(
        self,
        text: str,
        rules: tuple[str, ...],
        player: int = -1,
        verb: str = "",
        about: int = NOBODY,
        **more: Any,
    ) -> int | None:
        """Write a line of the log; ``about`` is the chain item, object or location that it tells of.

        Gives the number of the line, nothing where it is not kept.
        """
        if not self.tells(verb):
            return None
        state = self.state
        number = self.log[-1].index + 1 if self.log else 0
        depth = sum(1 for frame in state.frames if frame.program == "do:resolve")
        cause = self.causes.of(state.frames, verb, about)
        self.causes.told(number, verb, about)
        self.log.append(
            LogRecord(
                number,
                state.turn,
                state.phase,
                depth,
                player,
                verb,
                text,
                self.cited(rules),
                cause=cause,
                **more,
            )
        )
        return number

    def cited(self, rules: tuple[str, ...]) -> tuple[str, ...]:
        """Give those of some rules that this game has; if it has none of them, the rule of the step under way.

        The kernel names the rules that its primitives carry out in one game; another game's steps have their own.
        """
        known = tuple(rule for rule in rules if rule in self.rules.rules)
        for frame in () if known else reversed(self.state.frames):
            ops = self.rules.program(frame.program).ops
            step = ops[min(frame.position, len(ops) - 1)].rules
            known = tuple(rule for rule in step if rule in self.rules.rules)
            if known:
                break
        return known
