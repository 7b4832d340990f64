"""One game as a value: what must be decided, by whom, with which answers, and what has happened.

A game is a state and the rules it is played by. It is copied, hashed, saved and resumed at any decision; the same
seed and the same answers give the same game everywhere.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.engine import kernel  # noqa: F401 -- it registers all that a program may do
from rulewright.engine.events.perform import make, put_in, take_out
from rulewright.engine.log import LogRecord
from rulewright.engine.playing.refusals import why_not
from rulewright.engine.program.ops import Op
from rulewright.engine.program.ruleset import Ruleset
from rulewright.engine.run import NAMING_CARDS, Run
from rulewright.engine.state.objects import (
    NOBODY,
    Decision,
    Frame,
    Option,
    PlayerState,
    Scope,
    State,
    dumps,
    loads,
    player_ref,
)
from rulewright.engine.state.traits import Traits
from rulewright.engine.view import View
from rulewright.errors import RulewrightError


class IllegalChoice(RulewrightError):  # noqa: N818 -- the field's own word
    """An answer that is not among the legal options of the open decision."""


class SavedGameError(RulewrightError):
    """A saved game that this version, or these rules, cannot go on with."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something may not be done: a sentence, and the rule that says so."""

    reason: str
    rule: str


class Game:
    """A game in progress. See :meth:`new`; go on with :meth:`apply` until :attr:`decision` is nothing."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @classmethod
    def new(
        cls,
        ruleset: Ruleset,
        decks: Sequence[Any],
        seed: int = 0,
        mode: str = "duel",
        names: Sequence[str] | None = None,
        log: bool | Collection[str] = True,
        ask_passes: bool = False,
    ) -> "Game":
        """Begin a game and run to its first decision.

        ``decks`` map sections to names of cards, or are decks of :mod:`rulewright.cards`. For speed, ``log=False``
        keeps no log, and verbs keep the lines of these alone. With ``ask_passes`` a player who can do nothing but pass
        is asked all the same. Raises :class:`CompileError` where a card cannot enter a game, and
        :class:`RulewrightError` where the mode is not played by so many, or they are not told apart.
        """
        state = empty_state(ruleset, mode, seed, names or [f"Player {n + 1}" for n in range(len(decks))])
        if len(decks) != len(state.players):
            raise RulewrightError(f"{len(state.players)} players do not have {len(decks)} decks")
        for player, deck in enumerate(decks):
            sections = sections_of(deck)
            for cards in sections.values():
                for card in cards:
                    ruleset.script(card)
            state.facts[f"deck:{player}"] = tuple(sorted(sections.items()))
        if ask_passes:
            state.facts["ask-passes"] = True
        state.frames.append(Frame("do:game", Scope(0, NOBODY, "")))
        run = Run(ruleset, state)
        run.kept_lines = lines_kept(log)
        run.go()
        return cls(run)

    # ------------------------------------------------------------------------------------ looking

    @property
    def ruleset(self) -> Ruleset:
        """The rules and cards that it is played by."""
        return self._run.rules

    @property
    def state(self) -> State:
        """The whole position, as plain data; not to be written."""
        return self._run.state

    @property
    def decision(self) -> Decision | None:
        """What must be decided now; nothing when the game is over."""
        return self._run.state.decision

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The players who have won; nothing while the game goes on."""
        return self._run.state.winners

    @property
    def brought(self) -> Mapping[int, str]:
        """The battlefield that each player has brought to the game, by name; who brought none is left out."""
        facts, players = self._run.state.facts, range(len(self._run.state.players))
        return {player: facts[f"brought:{player}"] for player in players if f"brought:{player}" in facts}

    @property
    def log(self) -> list[LogRecord]:
        """What has happened, line by line."""
        return self._run.log

    @property
    def counters(self) -> Mapping[str, int]:
        """How much work was done: layer evaluations, events, option lists, copies."""
        return self._run.counters

    def traits(self, ref: int) -> Traits:
        """Give the characteristics of an object as they are now."""
        return self._run.traits(ref)

    def name(self, ref: int) -> str:
        """Give the name of an object or a player."""
        return self._run.name(ref)

    def watch(self, see: Callable[[Frame, Op], None] | None) -> None:
        """Let something see each operation before it is carried out; it must not change anything."""
        self._run.watch = see

    def view(self, player: int) -> "View":
        """Give what a player may know. Raises :class:`RulewrightError` where there is no such player."""
        self._must_play(player)
        return View(self._run, player)

    # ------------------------------------------------------------------------------------ going on

    def apply(self, option: str) -> None:
        """Answer the open decision with the id of an option, and run to the next one.

        Raises :class:`IllegalChoice` where that is no legal option; the game is then as it was.
        """
        decision = self._run.state.decision
        if decision is None:
            raise IllegalChoice("the game is over: there is nothing to decide")
        for candidate in decision.options:
            if candidate.id == option:
                break
        else:
            legal = ", ".join(candidate.id for candidate in decision.options)
            raise IllegalChoice(f"{option!r} is no legal option", help=f"legal are {legal}")
        self._run.state.decision = None
        self._run.state.frames[-1].answers = [*self._run.state.frames[-1].answers, candidate.value]
        self._run.go()

    def option_meant(self, words: str) -> Option:
        """Give the option of the open decision that a player's own words mean: where a card is named, its traits.

        Raises :class:`IllegalChoice` where the words are not enough to tell which (761.2), or mean none.
        """
        decision = self._run.state.decision
        options = decision.options if decision is not None else ()
        found = [option for option in options if option.label.casefold() == words.strip().casefold()]
        if not found and decision is not None and decision.rule == NAMING_CARDS:
            meant = {card.name for card in self._run.cards_named(words)}
            found = [option for option in options if option.value in meant]
        if len(found) == 1:
            return found[0]
        if not found:
            raise IllegalChoice(f"{words!r} is nothing that can be chosen")
        raise IllegalChoice(
            f"{words!r} may be any of {len(found)} cards (rule 761.2)",
            help=f"among them {', '.join(option.label for option in found[:5])}",
        )

    def give(self, player: int, **amounts: int) -> None:
        """Add to a player's pool from outside the rules, as a position does, and ask again what is open."""
        run = self._run
        held = run.state.players[player]
        for kind, amount in amounts.items():
            held.pool = run.merged(held.pool, kind, amount, "")
        run.state.touch()
        run.state.decision = None
        run.go()

    def concede(self, player: int) -> None:
        """Let a player concede (650); the last one left wins.

        Raises :class:`RulewrightError` where there is no such player, or nothing left to concede.
        """
        self._must_play(player)
        if self.decision is None:
            raise RulewrightError("the game is over: there is nothing to concede")
        run = self._run
        run.note(f"{run.name(player_ref(player))} concedes", ("650",), player, "concede")
        run.state.decision = None
        # What is under way is asked about anew: some of it may be gone.
        run.state.frames[-1].answers = []
        run.remove_player(player)
        if run.state.winners is None:
            run.go()

    def _must_play(self, player: int) -> None:
        among = len(self.state.players)
        if player not in range(among):
            raise RulewrightError(f"there is no player {player!r}: they are counted from 0 to {among - 1}")

    def why_not(self, verb: str, ref: int, player: int | None = None, **roles: Any) -> Refusal | None:
        """Say why a player may not play, use, move or hide something now; nothing where they may.

        ``to`` is a location for moves and hiding, ``target`` an object that would be chosen.
        """
        found = why_not(self._run, verb, ref, player, roles)
        return Refusal(*found) if found is not None else None

    @property
    def undone(self) -> Refusal | None:
        """Why the last play was undone whole (358.5); nothing where none was."""
        found = self._run.refusal
        return Refusal(*found) if found is not None else None

    # ------------------------------------------------------------------------------------ as a value

    def copy(self) -> "Game":
        """Give a copy that goes its own way from here."""
        run = Run(self._run.rules, self._run.state.copy())
        run.kept_lines = self._run.kept_lines
        run.log = list(self._run.log)
        run.causes = self._run.causes.copy()
        run.counters = dict(self._run.counters)
        return Game(run)

    def digest(self) -> str:
        """Give a hash of the position; equal on every machine for equal positions."""
        return self._run.state.digest()

    def to_json(self) -> str:
        """Give the game as text, to be loaded by :meth:`from_json` with the same rules."""
        saved = {"rules": self._run.rules.rules.digest, "state": json.loads(dumps(self._run.state))}
        return json.dumps(saved, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, ruleset: Ruleset, text: str) -> "Game":
        """Load a saved game. Raises :class:`SavedGameError` where it does not fit these rules or this version."""
        try:
            saved = json.loads(text)
            rules, state = saved.pop("rules"), saved.pop("state")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SavedGameError("this is not a saved game") from error
        if saved:
            raise SavedGameError(f"a saved game has no key {', '.join(map(repr, saved))}")
        if rules != ruleset.rules.digest:
            raise SavedGameError(
                "the game was saved under other rules", help="load it with the rules it was begun with"
            )
        try:
            return cls(Run(ruleset, loads(json.dumps(state))))
        except (ValueError, IndexError, TypeError) as error:
            raise SavedGameError(f"the saved game cannot be read: {error}") from error

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)


def sections_of(deck: Any) -> dict[str, tuple[str, ...]]:
    """Give a deck as sections with the names of their cards, each as often as it is in it."""
    if isinstance(deck, Mapping):
        return {section: tuple(cards) for section, cards in deck.items()}
    return {part: deck.cards(part) for part, _ in deck.parts}


def lines_kept(log: bool | Collection[str]) -> Collection[str] | None:
    """Give the verbs whose lines a log keeps, nothing for all, as a game is told what to keep."""
    if isinstance(log, bool):
        return None if log else ()
    return frozenset(log)


def empty_state(ruleset: Ruleset, mode: str, seed: int, names: Sequence[str]) -> State:
    """Give a state with players and nothing else."""
    state = State()
    row = ruleset.mode(mode)
    if len(names) != row["players"]:
        raise RulewrightError(f"{mode} is a game of {row['players']} players, not of {len(names)}")
    if any(not name.strip() for name in names) or len(set(names)) < len(names):
        raise RulewrightError(f"each player has a name of their own, not {', '.join(map(repr, names))}")
    if not isinstance(seed, int):
        raise RulewrightError(f"a seed is a whole number, not {seed!r}")
    state.random = seed & 0xFFFFFFFFFFFFFFFF
    state.players = [PlayerState() for _ in names]
    state.facts["names"] = tuple(names)
    state.facts["mode"] = _frozen(row)
    state.facts["goal"] = int(row.get("goal", 0))
    if "teams" in row:
        state.facts["teams"] = tuple(row["teams"])
    return state


def _frozen(row: Mapping[str, Any]) -> Any:
    return tuple(sorted(row.items()))


class Position:
    """A game that begins in the middle: objects are put where they are wanted, then it starts at some phase."""

    def __init__(
        self,
        ruleset: Ruleset,
        mode: str = "duel",
        names: Sequence[str] = ("A", "B"),
        seed: int = 1,
        log: bool | Collection[str] = True,
    ) -> None:
        self.run = Run(ruleset, empty_state(ruleset, mode, seed, names))
        self.run.kept_lines = lines_kept(log)
        self.ruleset = ruleset
        self.state = self.run.state

    def put(
        self,
        card: str,
        player: int = 0,
        zone: str = "base",
        at: int = NOBODY,
        exhausted: bool = False,
        damage: int = 0,
        counters: Mapping[str, int] | None = None,
        states: Sequence[str] = (),
        hidden_on_turn: int = 0,
        controller: int | None = None,
        copy_of: str | None = None,
    ) -> int:
        """Put a card somewhere; give its number. ``at`` is a location's number for zones of locations."""
        rule = self.ruleset.zones.get(zone)
        if rule is None:
            raise RulewrightError(
                f"there is no zone {zone!r}", help="the zones are " + ", ".join(self.ruleset.zones)
            )
        self.ruleset.script(card)
        place = at if rule.per == "location" else NOBODY if rule.per == "none" else player_ref(player)
        ref = make(self.run, card, player, (zone, place), controller)
        found = self.state.own(ref)
        if exhausted:
            found.states = found.states | {"exhausted"}
        found.states = found.states | frozenset(states)
        if damage:
            found.damage = tuple(damage if p != player else 0 for p in range(len(self.state.players)))
        found.counters.update(counters or {})
        if copy_of is not None:
            self.ruleset.script(copy_of)
            found.notes["copy"] = copy_of
            found.reprint()
        if zone == self.run.facedown_zone():
            found.states = found.states | {"facedown"}
            found.notes["facedown-card"] = True
            found.notes["hidden-turn"] = hidden_on_turn
        self.state.touch()
        return ref

    def battlefield(self, card: str | None = None, controller: int | None = None, owner: int = 0) -> int:
        """Put a battlefield into play; one without a name has no text."""
        zone = next(name for name, rule in self.ruleset.zones.items() if self.ruleset.types_in(name))
        name = card if card is not None else self.ruleset.blank_location()
        self.ruleset.script(name)
        ref = make(self.run, name, owner, (zone, NOBODY), -1 if controller is None else controller)
        self.state.touch()
        return ref

    def copies(self, ref: int, card: str) -> None:
        """Let an object be a copy of a card (477.1.b)."""
        self.ruleset.script(card)
        found = self.state.own(ref)
        found.notes["copy"] = card
        found.reprint()
        self.run.new_card(card)
        self.state.reshape()

    def attach(self, gear: int, host: int) -> None:
        """Attach one card to another."""
        self.state.facts["attachments"] = True
        found = self.state.own(gear)
        take_out(self.run, gear)
        top = self.state.objects[host]
        put_in(self.run, gear, (top.zone, top.at))
        found.attached_to = host
        self.state.touch()

    def resources(self, player: int, **amounts: int) -> None:
        """Give a player points, XP and other countable things."""
        self.state.players[player].resources.update(amounts)

    def pool(self, player: int, **amounts: int) -> None:
        """Fill a player's pool: ``energy=2, fury=1``; power of any domain is ``any``."""
        for kind, amount in amounts.items():
            held = self.state.players[player]
            held.pool = self.run.merged(held.pool, kind, amount, "")

    def runes(self, player: int, domain: str, count: int, exhausted: bool = False) -> list[int]:
        """Put runes of a domain into a player's base."""
        card = next(
            c.name for c in self.ruleset.cards.values() if "rune" in c.types and tuple(c.domains) == (domain,)
        )
        return [self.put(card, player, self.ruleset.home, exhausted=exhausted) for _ in range(count)]

    def chosen(self, player: int, card: str) -> None:
        """Mark the cards of a name as a player's chosen champion (103.2.a)."""
        for ref, found in list(self.state.objects.items()):
            if found.owner == player and found.card == card:
                self.state.own(ref).notes["chosen"] = True

    def fill_decks(
        self, card: str | None = None, count: int = 10, players: Sequence[int] | None = None
    ) -> None:
        """Put plain cards under what lies in players' decks, so that nobody runs out by accident."""
        for name, rule in self.ruleset.zones.items():
            if rule.privacy != "secret":
                continue
            filler = card or self.ruleset.plain_card(name)
            if filler is None:
                continue
            for player in range(len(self.state.players)) if players is None else players:
                for _ in range(count):
                    self.put(filler, player, name)

    def start(
        self,
        turn_player: int = 0,
        turn: int = 4,
        phase: str = "main-phase",
        winning: int | None = None,
        ask_passes: bool = False,
    ) -> Game:
        """Begin play at a phase of some turn, and run to the first decision.

        With ``ask_passes`` a player who can do nothing but pass is asked all the same.
        """
        state = self.state
        if ask_passes:
            state.facts["ask-passes"] = True
        state.turn = turn
        state.turn_player = turn_player
        state.touch()
        state.facts["turn-base"] = turn_player
        players = len(state.players)
        first = (turn_player - (turn - 1)) % players
        state.facts["first"] = first
        if winning is not None:
            state.facts["goal"] = winning
        for number, player in enumerate(state.players):
            # How many turns the player has begun, if all have taken turns in order from the first one on.
            since = turn - 1 - (number - first) % players
            player.facts["turns"] = since // players + 1 if since >= 0 else 0
        state.frames.append(Frame("do:game", Scope(turn_player, NOBODY, "")))
        state.frames[-1].position = _position_of(self.ruleset, "do:game", "turn") + 1
        turn_frame = Frame("do:turn", Scope(turn_player, NOBODY, ""))
        turn_frame.position = _position_of(self.ruleset, "do:turn", phase)
        state.frames.append(turn_frame)
        state.facts["attachments"] = any(found.attached_to for found in state.objects.values())
        self.run.go()
        return Game(self.run)


def _position_of(ruleset: Ruleset, program: str, name: str) -> int:
    ops = ruleset.program(program).ops
    for position, op in enumerate(ops):
        if op.code == "call" and op.name == name:
            return position
    raise RulewrightError(f"{program.removeprefix('do:')} has no step {name!r}")
