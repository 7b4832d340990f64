"""What one player may know of a game: public objects, their own private ones, and what they have been shown (128)."""

from typing import TYPE_CHECKING

from rulewright.engine.state.objects import NOBODY, Decision, player_of, player_ref

if TYPE_CHECKING:
    from rulewright.engine.log import LogRecord
    from rulewright.engine.run import Run
    from rulewright.engine.state.traits import Traits


class ZoneView:
    """One zone as a player sees it: a title, how many objects are in it, and those that may be read."""

    __slots__ = ("at", "count", "name", "objects", "title")

    def __init__(self, name: str, at: int, title: str, objects: tuple["ObjectView", ...]) -> None:
        self.name = name
        self.at = at
        self.title = title
        self.objects = objects
        self.count = len(objects)

    @property
    def words(self) -> list[str]:
        """What a player sees of each object, in words."""
        return [seen.words for seen in self.objects]


class ObjectView:
    """One object as a player sees it; a card whose face they may not read has no name and no traits."""

    __slots__ = (
        "_run",
        "controller",
        "counters",
        "damage",
        "known",
        "name",
        "owner",
        "ref",
        "states",
        "supertypes",
        "types",
    )

    def __init__(self, run: "Run", ref: int, known: bool) -> None:
        found = run.state.objects[ref]
        self.known = known
        self.owner = found.owner
        self.controller = found.controller
        self.states = tuple(sorted(found.states))
        self.counters = dict(found.counters)
        self.damage = found.total_damage
        self.ref, self.name = 0, ""
        self.types: frozenset[str] = frozenset()
        self.supertypes: frozenset[str] = frozenset()
        self._run: Run | None = None
        if known:
            printed = run.printed(ref)
            self.ref, self.name = ref, printed.name
            self.types, self.supertypes = printed.types, printed.supertypes
            self._run = run

    @property
    def traits(self) -> "Traits | None":
        """Its characteristics as they are at the moment when this is asked; nothing where the face is not known."""
        return self._run.traits(self.ref) if self._run is not None else None

    @property
    def words(self) -> str:
        """What a player sees of the object, in words."""
        traits = self.traits
        if traits is None:
            return "a card"
        parts = [self.name]
        if "might" in traits.figures:
            parts.append(f"{max(0, traits.figures['might'])} Might")
        if self.damage:
            parts.append(f"{self.damage} damage")
        parts += self.states
        parts += [f"{count} {name}" for name, count in self.counters.items()]
        return ", ".join(parts)


class View:
    """A player's knowledge of a game at one moment: zones, resources, the chain, and the decision if it is theirs."""

    def __init__(self, run: "Run", player: int) -> None:
        self._run = run
        self.player = player

    @property
    def decision(self) -> Decision | None:
        """The open decision, if this player makes it."""
        decision = self._run.state.decision
        return decision if decision is not None and decision.player == self.player else None

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return self._run.state.turn

    @property
    def turn_player(self) -> int:
        """Whose turn it is."""
        return self._run.state.turn_player

    @property
    def phase(self) -> str:
        """The phase it is."""
        return self._run.state.phase

    @property
    def resources(self) -> tuple[dict[str, int], ...]:
        """The points and other countable things of each player, which are public (729.2)."""
        return tuple(dict(player.resources) for player in self._run.state.players)

    @property
    def pools(self) -> tuple[tuple[tuple[str, int, str], ...], ...]:
        """The pools of each player."""
        return tuple(player.pool for player in self._run.state.players)

    @property
    def zones(self) -> tuple[ZoneView, ...]:
        """Every zone that is not empty, with what this player may read in it.

        A zone in which nothing has changed since it was last looked at is the very same :class:`ZoneView` again.
        """
        run, state = self._run, self._run.state
        seen = run.seen_zones.get(self.player)
        if seen is None or seen[0] != state.moment:
            zones = tuple(
                self._zone(name, at, refs) for (name, at), refs in sorted(state.zones.items()) if refs
            )
            # Whatever is written gives the state another moment.
            seen = run.seen_zones[self.player] = (state.moment, zones)
        return seen[1]

    def _zone(self, name: str, at: int, refs: tuple[int, ...]) -> ZoneView:
        run, key = self._run, (self.player, name, at)
        # All that a view holds is told by the objects of the zone, each write of which gives the zone another stamp,
        # and by the name of the battlefield that it is at, which is another only where that is written.
        battlefields = (run.rules.location_zone, NOBODY)
        written = (run.state.written[name, at], run.state.written.get(battlefields) if at > 0 else None)
        face = run.faces.get(key)
        if face is None or face[0] != written:
            objects = tuple(ObjectView(run, ref, may_read(run, ref, self.player)) for ref in refs)
            face = run.faces[key] = (written, ZoneView(name, at, title_of(run, name, at), objects))
        return face[1]

    def energy_cost(self, ref: int) -> int:
        """Give the Energy cost of a card that this player may read; 0 for any other, and where it has none."""
        if ref not in self._run.state.objects or not may_read(self._run, ref, self.player):
            return 0
        return self._run.traits(ref).figures.get("energy", 0)

    @property
    def chain(self) -> tuple[str, ...]:
        """What is on the chain, the newest last; it is public (108.1.b)."""
        return tuple(self._run.name(item.id) for item in self._run.state.chain)

    @property
    def log(self) -> list[tuple[str, "LogRecord"]]:
        """The lines of the log as this player may read them."""
        return [
            (record.public_text if self.player in record.secret_to else record.text, record)
            for record in self._run.log
        ]


def title_of(run: "Run", name: str, at: int) -> str:
    """Give a zone's name with whose or where it is."""
    words = name.replace("-", " ")
    if at < 0:
        return f"{run.name(player_ref(player_of(at)))}'s {words}"
    return f"{words} at {run.name(at)}" if at > 0 else words


def may_read(run: "Run", ref: int, player: int) -> bool:
    """Tell whether a player may read the face of a card (128.3-128.5)."""
    found = run.state.objects[ref]
    if player in found.notes.get("seen", ()) or "revealed" in found.states:
        return True
    zone = run.rules.zones[found.zone]
    if zone.privacy == "public":
        return True
    # 128.4: who controls it may read what is private on the board, whose card it is what is so elsewhere.
    whose = found.controller if zone.board else found.owner
    return zone.privacy == "private" and whose == player
