"""One game as plain data: objects, players, the chain, running frames, effects, and the random state.

Everything that a game is at one moment is a :class:`State`. It is copied cheaply (objects are shared between
copies until one of them is written), compared, hashed and saved. Nothing here knows a rule: the only module that
writes objects is :mod:`rulewright.engine.events.perform`.

References are whole numbers. An object, a chain item or an effect has a number above 0; player ``p`` is ``-1 - p``;
0 is nobody. A location is a reference too: a battlefield's number, or a player's for the base of that player.
"""

import hashlib
import json
import marshal
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from rulewright.engine.state.traits import Traits

Plain: TypeAlias = Any
"""Plain data: whole numbers, text, truth values, nothing, and tuples of these."""

Place: TypeAlias = tuple[str, int]
"""A zone's name, and whose or where: a player or a location; 0 where there is only one such zone."""

NOBODY = 0
FORMAT = 1
"""The version of the saved form; a state saved in another is refused."""

_stamps = iter(range(1, 1 << 62))
"""Numbers that say who may write an object, and what has changed since; never used twice in one process."""


def next_stamp() -> int:
    """Give a number that nothing in this process has been stamped with."""
    return next(_stamps)


def player_ref(player: int) -> int:
    """Give the reference of a player.

    >>> player_ref(0), player_ref(1)
    (-1, -2)
    """
    return -1 - player


def player_of(ref: int) -> int:
    """Give the player that a reference means; the inverse of :func:`player_ref`."""
    return -1 - ref


class GameObject:
    """A card, token, battlefield, legend or rune in some zone.

    ``card`` names the script that its printed traits come from. ``zone`` and ``at`` say where it is, ``states`` the
    statuses that it is in, ``counters`` what lies on it, ``damage`` the damage marked by each player. ``sent_by``
    is the object whose effect put it where it is, ``replaced`` the cards that it stands in for.
    """

    __slots__ = (
        "at",
        "attached_to",
        "cache",
        "cache_stamp",
        "card",
        "controller",
        "counters",
        "damage",
        "id",
        "notes",
        "owner",
        "replaced",
        "script",
        "sent_by",
        "stamp",
        "standing",
        "standing_stamp",
        "states",
        "timestamp",
        "zone",
    )

    def __init__(self, id: int, card: str, owner: int, controller: int, zone: str, at: int) -> None:
        self.id = id
        self.card = card
        self.owner = owner
        self.controller = controller
        self.zone = zone
        self.at = at
        self.states: frozenset[str] = frozenset()
        self.counters: dict[str, int] = {}
        self.damage: tuple[int, ...] = ()
        self.attached_to = NOBODY
        self.timestamp = 0
        self.sent_by = NOBODY
        self.replaced: tuple[int, ...] = ()
        self.notes: dict[str, Plain] = {}
        self.stamp = 0
        self.script: Any = None
        self.cache: Any = None
        self.cache_stamp = -1
        self.standing: Any = None
        """What is known of it as long as it stays in its zone; see :mod:`rulewright.engine.query.layers`."""
        self.standing_stamp = -1

    def copy(self) -> "GameObject":
        """Give a copy that may be written without the original's changing."""
        other = GameObject(self.id, self.card, self.owner, self.controller, self.zone, self.at)
        other.states = self.states
        other.counters = self.counters.copy()
        other.damage = self.damage
        other.attached_to = self.attached_to
        other.timestamp = self.timestamp
        other.sent_by = self.sent_by
        other.replaced = self.replaced
        other.notes = self.notes.copy()
        other.script = self.script
        other.standing, other.standing_stamp = self.standing, self.standing_stamp
        return other

    def put(self, place: Place) -> None:
        """Say in which zone it is now."""
        self.zone, self.at = place
        self.standing_stamp = -1

    def reprint(self) -> None:
        """Say that other traits are printed on it now: it is another card, or a copy of another one."""
        self.script = None
        self.standing_stamp = -1

    @property
    def total_damage(self) -> int:
        """The damage marked on the object, whoever marked it (142.2)."""
        return sum(self.damage)

    def to_data(self) -> Plain:
        """Give the object as plain data."""
        return (
            self.id,
            self.card,
            self.owner,
            self.controller,
            self.zone,
            self.at,
            tuple(sorted(self.states)),
            _pairs(self.counters),
            self.damage,
            self.attached_to,
            self.timestamp,
            self.sent_by,
            self.replaced,
            _pairs(self.notes),
        )

    @classmethod
    def from_data(cls, data: Plain) -> "GameObject":
        """Make an object from what :meth:`to_data` gave."""
        made = cls(*data[:6])
        made.states = frozenset(data[6])
        made.counters = dict(data[7])
        made.damage = data[8]
        made.attached_to, made.timestamp, made.sent_by = data[9:12]
        made.replaced = data[12]
        made.notes = dict(data[13])
        return made


class Scope:
    """What the words of a running text refer to: who "you" is, what "this" is, and what has been chosen.

    ``bindings`` holds references and numbers under the path of the words that made them; see
    :class:`rulewright.language.ast.Reference`. ``item`` is the chain item whose text it is, ``ability`` the key of
    the ability.
    """

    __slots__ = ("ability", "bindings", "controller", "item", "source")

    def __init__(
        self,
        controller: int,
        source: int,
        ability: str,
        item: int = NOBODY,
        bindings: dict[str, Plain] | None = None,
    ) -> None:
        self.controller = controller
        self.source = source
        self.ability = ability
        self.item = item
        self.bindings: dict[str, Plain] = {} if bindings is None else bindings

    def holders(self) -> tuple[int, ...]:
        """Give what the ability is of: the object that has it, and the card whose effect text gave it (411.6.a)."""
        lender = self.bindings.get("this")
        return (self.source,) if lender is None else (self.source, int(lender))

    def copy(self) -> "Scope":
        """Give a copy with bindings of its own."""
        return Scope(self.controller, self.source, self.ability, self.item, self.bindings.copy())

    def to_data(self) -> Plain:
        """Give the scope as plain data."""
        return (self.controller, self.source, self.ability, self.item, _pairs(self.bindings))

    @classmethod
    def from_data(cls, data: Plain) -> "Scope":
        """Make a scope from what :meth:`to_data` gave."""
        return cls(data[0], data[1], data[2], data[3], dict(data[4]))


class Event:
    """One thing that happens or has happened, in the roles of a clause (370.1.a).

    ``agent`` is the player responsible (411), ``subject`` who or what does it, ``object`` to what, ``amount`` how
    much, ``word`` of what sort (a resource, a state, a domain). ``to`` and ``source`` are places, ``at`` the
    location where it happens, ``using`` the chain item or object that it is done with. ``cause`` is the key of the
    ability or procedure, ``rules`` the numbers that an explanation cites, ``batch`` tells simultaneous events.
    """

    __slots__ = (
        "agent",
        "amount",
        "at",
        "batch",
        "cause",
        "object",
        "phase",
        "replaced",
        "rules",
        "source",
        "subject",
        "to",
        "using",
        "verb",
        "word",
    )

    def __init__(
        self,
        verb: str,
        agent: int = NOBODY,
        subject: int = NOBODY,
        object: int = NOBODY,
        amount: int = 0,
        word: str = "",
        to: Place | None = None,
        source: Place | None = None,
        at: int = NOBODY,
        using: int = NOBODY,
        cause: str = "",
        rules: tuple[str, ...] = (),
        batch: int = 0,
        replaced: tuple[Plain, ...] = (),
        phase: str = "",
    ) -> None:
        self.verb = verb
        self.agent = agent
        self.subject = subject
        self.object = object
        self.amount = amount
        self.word = word
        self.to = to
        self.source = source
        self.at = at
        self.using = using
        self.cause = cause
        self.rules = rules
        self.batch = batch
        self.replaced = replaced
        self.phase = phase

    def copy(self) -> "Event":
        """Give a copy of the event."""
        return Event(*(getattr(self, name) for name in _EVENT_FIELDS))

    def to_data(self) -> Plain:
        """Give the event as plain data."""
        return tuple(getattr(self, name) for name in _EVENT_FIELDS)

    @classmethod
    def from_data(cls, data: Plain) -> "Event":
        """Make an event from what :meth:`to_data` gave."""
        return cls(*data)

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in _EVENT_FIELDS[1:10] if getattr(self, name))
        return f"Event({self.verb!r}, {', '.join(shown)})"


_EVENT_FIELDS = (
    "verb",
    "agent",
    "subject",
    "object",
    "amount",
    "word",
    "to",
    "source",
    "at",
    "using",
    "cause",
    "rules",
    "batch",
    "replaced",
    "phase",
)


class Frame:
    """A running text: the program, the position in it, and the scope.

    ``answers`` are those already given to the operation at ``position``; ``events`` the batch that the frame
    carries out; ``result`` the path under which the frame below learns what came of it; ``local`` what the
    operations of the frame keep between decisions.
    """

    __slots__ = ("answers", "events", "local", "position", "program", "result", "scope")

    def __init__(self, program: str, scope: Scope) -> None:
        self.program = program
        self.position = 0
        self.scope = scope
        self.answers: list[Plain] = []
        self.events: tuple[Event, ...] = ()
        self.result = ""
        self.local: dict[str, Plain] = {}

    def copy(self) -> "Frame":
        """Give a copy that runs on its own."""
        other = Frame(self.program, self.scope.copy())
        other.position = self.position
        other.answers = self.answers.copy()
        other.events = self.events
        other.result = self.result
        other.local = self.local.copy()
        return other

    def to_data(self) -> Plain:
        """Give the frame as plain data."""
        return (
            self.program,
            self.position,
            self.scope.to_data(),
            tuple(self.answers),
            tuple(event.to_data() for event in self.events),
            self.result,
            _pairs(self.local),
        )

    @classmethod
    def from_data(cls, data: Plain) -> "Frame":
        """Make a frame from what :meth:`to_data` gave."""
        made = cls(data[0], Scope.from_data(data[2]))
        made.position = data[1]
        made.answers = list(data[3])
        made.events = tuple(Event.from_data(event) for event in data[4])
        made.result = data[5]
        made.local = dict(data[6])
        return made


class Supposing:
    """A chain item that has some facts for as long as something is asked about it; see :meth:`ChainItem.supposing`."""

    # What `contextlib.contextmanager` makes takes three times as long, and each card in hand is asked about.
    __slots__ = ("facts", "item", "kept")

    def __init__(self, item: "ChainItem", facts: Mapping[str, Any]) -> None:
        self.item = item
        self.facts = facts
        self.kept = item.facts

    def __enter__(self) -> None:
        self.kept = self.item.facts
        self.item.facts = {**self.kept, **self.facts}

    def __exit__(self, *_: object) -> None:
        self.item.facts = self.kept


class ChainItem:
    """A card or an ability on the chain (328): pending until its finalization is complete (329).

    ``object`` is the card's object, or 0 for an ability; ``scope`` what was chosen for it; ``facts`` what is
    remembered of how it was played (costs paid, origin, additional costs); ``targets`` the paths in the bindings
    that are targets (355.7); ``repeats`` the bindings of additional executions (820).
    """

    __slots__ = ("facts", "finalized", "id", "kind", "object", "repeats", "scope", "targets")

    def __init__(self, id: int, kind: str, object: int, scope: Scope) -> None:
        self.id = id
        self.kind = kind
        self.object = object
        self.scope = scope
        self.finalized = False
        self.targets: tuple[str, ...] = ()
        self.repeats: tuple[tuple[tuple[str, Plain], ...], ...] = ()
        self.facts: dict[str, Plain] = {}

    def supposing(self, facts: Mapping[str, Any]) -> "Supposing":
        """Let it have some facts while something is asked; afterwards it has those that it had."""
        return Supposing(self, facts)

    def copy(self) -> "ChainItem":
        """Give a copy of the item."""
        other = ChainItem(self.id, self.kind, self.object, self.scope.copy())
        other.finalized = self.finalized
        other.targets = self.targets
        other.repeats = self.repeats
        other.facts = self.facts.copy()
        return other

    def to_data(self) -> Plain:
        """Give the item as plain data."""
        return (
            self.id,
            self.kind,
            self.object,
            self.scope.to_data(),
            self.finalized,
            self.targets,
            self.repeats,
            _pairs(self.facts),
        )

    @classmethod
    def from_data(cls, data: Plain) -> "ChainItem":
        """Make an item from what :meth:`to_data` gave."""
        made = cls(data[0], data[1], data[2], Scope.from_data(data[3]))
        made.finalized = data[4]
        made.targets = data[5]
        made.repeats = data[6]
        made.facts = dict(data[7])
        return made


def _amounts_of(kept: Plain, before: int, after: int) -> Plain:
    """Give what was snapshotted for a change with another object in the place of one; it may be no list of these."""
    if not isinstance(kept, tuple) or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in kept):
        return kept
    return tuple((after, pair[1]) if pair[0] == before else pair for pair in kept)


class Lasting:
    """Something that an effect left behind: a continuous effect or a delayed ability (389-392).

    ``node`` is the path from the scope's ability to its meaning. ``affected`` are the objects fixed when it began;
    ``None`` where it looks for them anew. ``until`` is the sort of duration, ``amounts`` what was snapshotted
    (477.3.b). Never changed once made: a change is a new value.
    """

    __slots__ = ("affected", "amounts", "id", "kind", "node", "once", "scope", "timestamp", "until")

    def __init__(
        self,
        id: int,
        kind: str,
        node: str,
        scope: Scope,
        timestamp: int,
        until: str = "",
        affected: tuple[int, ...] | None = None,
        once: bool = False,
        amounts: tuple[Plain, ...] = (),
    ) -> None:
        self.id = id
        self.kind = kind
        self.node = node
        self.scope = scope
        self.timestamp = timestamp
        self.until = until
        self.affected = affected
        self.once = once
        self.amounts = amounts

    def now_of(self, before: int, after: int) -> "Lasting":
        """Give it with another object in the place of one that it affects; itself where it does not affect that."""
        if before not in (self.affected or ()):
            return self
        affected = tuple(after if ref == before else ref for ref in self.affected or ())
        return Lasting(
            self.id,
            self.kind,
            self.node,
            self.scope,
            self.timestamp,
            self.until,
            affected,
            self.once,
            tuple(_amounts_of(each, before, after) for each in self.amounts),
        )

    def to_data(self) -> Plain:
        """Give it as plain data."""
        scope = self.scope.to_data()
        return (
            self.id,
            self.kind,
            self.node,
            scope,
            self.timestamp,
            self.until,
            self.affected,
            self.once,
            self.amounts,
        )

    @classmethod
    def from_data(cls, data: Plain) -> "Lasting":
        """Make it from what :meth:`to_data` gave."""
        return cls(data[0], data[1], data[2], Scope.from_data(data[3]), *data[4:])


class Ghost:
    """What is remembered of an object that left its zone (359.3.e.13): how it was, and what became of it."""

    __slots__ = ("cause", "object", "successor", "traits")

    def __init__(self, object: GameObject, traits: Any, successor: int, cause: int) -> None:
        self.object = object
        self.traits = traits
        self.successor = successor
        self.cause = cause


class PlayerState:
    """What a player has: points, other resources, the pool of what was added (165), and facts about the turn."""

    __slots__ = ("facts", "lost", "pool", "resources")

    def __init__(self) -> None:
        self.resources: dict[str, int] = {}
        self.pool: tuple[tuple[str, int, str], ...] = ()
        self.facts: dict[str, Plain] = {}
        self.lost = False

    def copy(self) -> "PlayerState":
        """Give a copy."""
        other = PlayerState()
        other.resources = self.resources.copy()
        other.pool = self.pool
        other.facts = self.facts.copy()
        other.lost = self.lost
        return other

    def to_data(self) -> Plain:
        """Give it as plain data."""
        return (_pairs(self.resources), self.pool, _pairs(self.facts), self.lost)

    @classmethod
    def from_data(cls, data: Plain) -> "PlayerState":
        """Make it from what :meth:`to_data` gave."""
        made = cls()
        made.resources = dict(data[0])
        made.pool = data[1]
        made.facts = dict(data[2])
        made.lost = data[3]
        return made


class Option:
    """One legal answer: a stable ``id``, what it is in words, and the rule that allows it.

    ``value`` is what the engine goes on with; ``kind`` sorts options (play, move, use, add, pass, choose ...);
    ``ref`` is the object or player that it is about, 0 for none.
    """

    __slots__ = ("id", "kind", "label", "ref", "rule", "value")

    def __init__(
        self, id: str, kind: str, label: str, value: Plain, ref: int = NOBODY, rule: str = ""
    ) -> None:
        self.id = id
        self.kind = kind
        self.label = label
        self.value = value
        self.ref = ref
        self.rule = rule

    def to_data(self) -> Plain:
        """Give the option as plain data."""
        return (self.id, self.kind, self.label, self.value, self.ref, self.rule)

    def __repr__(self) -> str:
        return f"Option({self.id!r}, {self.label!r})"


class Decision:
    """What must be decided now: by whom, of what kind, and the legal answers; never empty."""

    __slots__ = ("kind", "options", "player", "prompt", "rule")

    def __init__(
        self, player: int, kind: str, prompt: str, options: tuple[Option, ...], rule: str = ""
    ) -> None:
        self.player = player
        self.kind = kind
        self.prompt = prompt
        self.options = options
        self.rule = rule

    def to_data(self) -> Plain:
        """Give the decision as plain data."""
        return (self.player, self.kind, self.prompt, tuple(o.to_data() for o in self.options), self.rule)

    @classmethod
    def from_data(cls, data: Plain) -> "Decision":
        """Make a decision from what :meth:`to_data` gave."""
        return cls(data[0], data[1], data[2], tuple(Option(*option) for option in data[3]), data[4])

    def __repr__(self) -> str:
        return f"Decision(player {self.player}, {self.kind}: {', '.join(o.id for o in self.options)})"


class State:
    """All of one game at one moment. Equal states have equal :meth:`digest`; copies change apart from each other."""

    __slots__ = (
        "chain",
        "combat",
        "decision",
        "effects",
        "facts",
        "focus",
        "frames",
        "ghosts",
        "history",
        "layout",
        "moment",
        "next_id",
        "objects",
        "phase",
        "players",
        "priority",
        "random",
        "showdown",
        "snapshot",
        "stamp",
        "turn",
        "turn_player",
        "turns",
        "version",
        "winners",
        "written",
        "zones",
    )

    def __init__(self) -> None:
        self.objects: dict[int, GameObject] = {}
        self.zones: dict[Place, tuple[int, ...]] = {}
        self.players: list[PlayerState] = []
        self.chain: list[ChainItem] = []
        self.frames: list[Frame] = []
        self.effects: tuple[Lasting, ...] = ()
        self.history: tuple[Event, ...] = ()
        self.ghosts: dict[int, Ghost] = {}
        self.turn = 0
        self.turn_player = 0
        self.turns: tuple[int, ...] = ()
        self.phase = ""
        self.showdown = NOBODY
        self.combat: tuple[int, int] | None = None
        self.focus = -1
        self.priority = -1
        self.random = 0
        self.next_id = 1
        self.facts: dict[str, Plain] = {}
        self.winners: tuple[int, ...] | None = None
        self.decision: Decision | None = None
        self.snapshot: State | None = None
        self.stamp = next(_stamps)
        self.version = next(_stamps)
        self.layout = next(_stamps)
        self.moment = next(_stamps)
        self.written: dict[Place, int] = {}
        """For each zone the stamp of the last change to it or to an object in it; a stamp never comes again."""

    def new_id(self) -> int:
        """Give a number that nothing in this game has had."""
        number = self.next_id
        self.next_id = number + 1
        return number

    def own(self, ref: int) -> GameObject:
        """Give an object for writing; only performers may ask for one."""
        found = self.objects[ref]
        if found.stamp != self.stamp:
            found = found.copy()
            found.stamp = self.stamp
            self.objects[ref] = found
        self.moment = self.written[found.zone, found.at] = next(_stamps)
        return found

    def touch(self) -> None:
        """Say that something changed that traits may depend on."""
        self.version = self.moment = next(_stamps)

    def reshape(self) -> None:
        """Say that something on the board has another controller, or another card's words."""
        self.layout = self.version = self.moment = next(_stamps)

    def stir(self) -> None:
        """Say that something changed that no characteristic depends on."""
        self.moment = next(_stamps)

    def arrange(self, place: Place, refs: tuple[int, ...], seen: bool = True) -> None:
        """Say which objects are in a zone, in order; ``seen`` tells that characteristics may depend on it."""
        self.zones[place] = refs
        self.moment = self.written[place] = next(_stamps)
        if seen:
            self.layout = self.version = self.moment

    def copy(self) -> "State":
        """Give a copy; objects are shared until either is written."""
        other = State()
        other.objects = self.objects.copy()
        other.zones = self.zones.copy()
        other.players = [player.copy() for player in self.players]
        other.chain = [item.copy() for item in self.chain]
        other.frames = [frame.copy() for frame in self.frames]
        other.effects = self.effects
        other.history = self.history
        other.ghosts = self.ghosts.copy()
        other.turn = self.turn
        other.turn_player = self.turn_player
        other.turns = self.turns
        other.phase = self.phase
        other.showdown = self.showdown
        other.combat = self.combat
        other.focus = self.focus
        other.priority = self.priority
        other.random = self.random
        other.next_id = self.next_id
        other.facts = self.facts.copy()
        other.winners = self.winners
        other.decision = self.decision
        other.snapshot = self.snapshot
        other.version = self.version
        other.layout = self.layout
        other.moment = self.moment
        other.written = self.written.copy()
        self.stamp = next(_stamps)
        return other

    def become(self, other: "State") -> None:
        """Take on all of another state, as when an illegal play is undone (358.5)."""
        for name in State.__slots__:
            setattr(self, name, getattr(other, name))
        self.stamp = next(_stamps)
        self.version = self.layout = self.moment = next(_stamps)
        self.written = dict.fromkeys(self.zones, self.moment)

    def zone(self, name: str, at: int = NOBODY) -> tuple[int, ...]:
        """Give the objects in a zone, in order."""
        return self.zones.get((name, at), ())

    def item(self, ref: int) -> ChainItem | None:
        """Give the chain item of a number, or nothing where it is no longer on the chain."""
        for item in self.chain:
            if item.id == ref:
                return item
        return None

    def rand(self, below: int) -> int:
        """Give a random whole number below a bound; the same on every machine."""
        # SplitMix64: one whole number of state, and no platform in it.
        self.random = (self.random + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = self.random
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return (mixed ^ (mixed >> 31)) % below

    def shuffled(self, refs: Iterable[int]) -> tuple[int, ...]:
        """Give references in a random order."""
        order = list(refs)
        for last in range(len(order) - 1, 0, -1):
            other = self.rand(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    def to_data(self) -> Plain:
        """Give the whole state as plain data."""
        return (
            FORMAT,
            tuple(self.objects[ref].to_data() for ref in sorted(self.objects)),
            tuple(
                (name, at, self.zones[name, at]) for name, at in sorted(self.zones) if self.zones[name, at]
            ),
            tuple(player.to_data() for player in self.players),
            tuple(item.to_data() for item in self.chain),
            tuple(frame.to_data() for frame in self.frames),
            tuple(effect.to_data() for effect in self.effects),
            tuple(event.to_data() for event in self.history),
            tuple(_ghost_data(self.ghosts[ref]) for ref in sorted(self.ghosts)),
            self.turn,
            self.turn_player,
            self.turns,
            self.phase,
            self.showdown,
            self.combat,
            self.focus,
            self.priority,
            self.random,
            self.next_id,
            _pairs(self.facts),
            self.winners,
            None if self.decision is None else self.decision.to_data(),
            None if self.snapshot is None else self.snapshot.to_data(),
        )

    @classmethod
    def from_data(cls, data: Plain) -> "State":
        """Make a state from what :meth:`to_data` gave. Raises ``ValueError`` for another format."""
        if not data or data[0] != FORMAT:
            raise ValueError(f"this is not a game saved in form {FORMAT}")
        made = cls()
        made.objects = {row[0]: GameObject.from_data(row) for row in data[1]}
        made.zones = {(name, at): refs for name, at, refs in data[2]}
        made.written = dict.fromkeys(made.zones, made.moment)
        made.players = [PlayerState.from_data(row) for row in data[3]]
        made.chain = [ChainItem.from_data(row) for row in data[4]]
        made.frames = [Frame.from_data(row) for row in data[5]]
        made.effects = tuple(Lasting.from_data(row) for row in data[6])
        made.history = tuple(Event.from_data(row) for row in data[7])
        made.ghosts = {row[0][0]: _ghost_from(row) for row in data[8]}
        made.turn, made.turn_player, made.turns, made.phase, made.showdown, made.combat = data[9:15]
        made.focus, made.priority, made.random, made.next_id = data[15:19]
        made.facts = dict(data[19])
        made.winners = data[20]
        made.decision = None if data[21] is None else Decision.from_data(data[21])
        made.snapshot = None if data[22] is None else cls.from_data(data[22])
        return made

    def digest(self) -> str:
        """Give a hash of all that the state is: equal on every machine for equal states."""
        # marshal version 2 keeps no reference numbers, so that equal values give equal bytes.
        return hashlib.blake2b(marshal.dumps(self.to_data(), 2), digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.to_data() == other.to_data()

    def __hash__(self) -> int:
        return int(self.digest(), 16)


def dumps(state: State) -> str:
    """Give a state as JSON text."""
    return json.dumps(state.to_data(), ensure_ascii=False, separators=(",", ":"))


def loads(text: str) -> State:
    """Make a state from what :func:`dumps` gave."""
    return State.from_data(_tuples(json.loads(text)))


def _tuples(value: Plain) -> Plain:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value


def _pairs(mapping: dict[str, Plain]) -> tuple[tuple[str, Plain], ...]:
    return tuple(sorted(mapping.items(), key=lambda pair: pair[0]))


def _ghost_data(ghost: Ghost) -> Plain:
    return (ghost.object.to_data(), ghost.traits.to_data(), ghost.successor, ghost.cause)


def _ghost_from(data: Plain) -> Ghost:
    return Ghost(GameObject.from_data(data[0]), Traits.from_data(data[1]), data[2], data[3])
