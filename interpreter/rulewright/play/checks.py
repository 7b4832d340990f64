"""An oracle that trusts nothing: what is true at every decision of every game, each with the rule that says so.

It looks at a game only from outside, through what the players may see of it, and knows nothing of how the engine
comes to its results. A rule that a game does not have is not checked in it. What has been found right in a zone is not
looked at again before some player sees that zone otherwise.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulewright.engine import Game
from rulewright.engine.view import ZoneView
from rulewright.errors import RulewrightError


class InvariantError(RulewrightError):
    """Something that the rules never allow was so at a decision of a game."""


@dataclass(slots=True)
class Oracle:
    """Watches one game. Call it at every decision; it raises :class:`InvariantError` with the rule that is broken."""

    cards: dict[int, int] = field(default_factory=dict)
    """How many cards each player brought, as they were counted at the first decision."""

    seen: "_Seen | None" = None
    """The game as it was when it was last checked."""

    def __call__(self, game: Game) -> None:
        """Check a game as it is now."""
        seen = _Seen(game, self.seen)
        for rule, invariant in INVARIANTS:
            if rule not in game.ruleset.rules:
                continue
            for wrong in invariant(self, seen):
                raise InvariantError(wrong, place=f"turn {game.state.turn}, rule {rule}")
        # Only what has been found right need not be looked at again.
        self.seen = seen


class _Zone:
    """A zone as all players together see it: ``faces`` are its objects, each as it looks to whoever may read it."""

    __slots__ = ("at", "cards", "faces", "fields", "name", "units", "views")

    def __init__(self, views: tuple[ZoneView, ...], board: bool) -> None:
        self.views = views
        self.name, self.at = views[0].name, views[0].at
        self.faces: list[Any] = [
            next((face for face in faces if face.known), faces[0])
            for faces in zip(*(view.objects for view in views), strict=True)
        ]
        self.cards = Counter(face.owner for face in self.faces if not is_token(face))
        """How many cards of each player are in it."""
        known = [face for face in self.faces if face.known] if board else []
        self.units = [(self.at, face) for face in known if "unit" in face.types]
        """The units on the board that are in it, with where they are."""
        self.fields = [face for face in known if "battlefield" in face.types]
        """The battlefields that are in it."""


class _Seen:
    """A game as all its players together see it. A zone that everybody sees as before is the one checked before."""

    def __init__(self, game: Game, before: "_Seen | None") -> None:
        self.game = game
        self.views = [game.view(player) for player in range(len(game.state.players))]
        self.decision = game.decision
        self.shown = [view.zones for view in self.views]
        self.zones: dict[tuple[str, int], _Zone] = {}
        self.changed: list[_Zone] = []
        """The zones that somebody sees otherwise than at the decision before."""
        self.cards: dict[int, int] = {}
        """How many cards of each player there are."""
        if before is not None and all(
            now is then for now, then in zip(self.shown, before.shown, strict=True)
        ):
            self.zones, self.cards = before.zones, before.cards
        else:
            self._look(before.zones if before is not None else {})
        self.units = [unit for zone in self.zones.values() for unit in zone.units]
        """The units on the board whose face someone may read, with where they are."""

    def _look(self, before: Mapping[tuple[str, int], _Zone]) -> None:
        rules = self.game.ruleset.zones
        for views in zip(*self.shown, strict=True):
            place = (views[0].name, views[0].at)
            zone = before.get(place)
            if zone is None or any(now is not then for now, then in zip(views, zone.views, strict=True)):
                zone = _Zone(views, rules[place[0]].board)
                self.changed.append(zone)
            self.zones[place] = zone
            for owner, count in zone.cards.items():
                self.cards[owner] = self.cards.get(owner, 0) + count

    @property
    def is_open(self) -> bool:
        """Whether the turn player may act freely: a Neutral Open State in the Main Phase (310.1)."""
        return self.decision is not None and self.decision.kind == "action"


def is_token(face: Any) -> bool:
    """Tell whether an object is seen to be a token."""
    return face.known and "token" in face.supertypes


def _cards_are_kept(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    oracle.cards = oracle.cards or seen.cards
    if seen.cards != oracle.cards:
        yield f"there are {seen.cards} cards of the players, and there were {oracle.cards}"


def _what_may_not_be_read_is_not_shown(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for zone in seen.changed:
        for player, view in enumerate(zone.views):
            for face in view.objects:
                if not face.known and (face.name or face.ref or face.traits is not None):
                    yield f"player {player} sees what a card in {view.title} is"


def _tokens_are_on_the_board(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    rules = seen.game.ruleset
    for zone in seen.changed:
        if rules.zones[zone.name].board or zone.name == rules.chain:
            continue
        for face in zone.faces:
            if is_token(face):
                yield f"the token {face.name} is in {zone.name}"


def _only_units_have_damage(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for zone in seen.changed:
        for face in zone.faces:
            if face.damage and not (
                face.known and "unit" in face.types and seen.game.ruleset.zones[zone.name].board
            ):
                yield f"{face.name or 'a card'} in {zone.name} is no unit on the board and has damage"


def _nothing_is_left_with_lethal_damage(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for _, face in seen.units if seen.is_open else ():
        if face.damage and face.damage >= face.traits.figures.get("might", 0):
            yield f"{face.name} has lethal damage and is still there"


def _one_buff_on_a_unit(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for _, face in seen.units:
        # 702.3 gives way to a text that allows its unit more (002).
        if face.counters.get("buff", 0) > 1 and "any number of buffs" not in _text(seen, face):
            yield f"{face.name} has {face.counters['buff']} buffs"


def _text(seen: _Seen, face: Any) -> str:
    card = seen.game.ruleset.cards.get(face.traits.card)
    return "" if card is None else card.text


def _nothing_is_below_zero(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for player, resources in enumerate(seen.views[0].resources):
        for name, amount in resources.items():
            if amount < 0:
                yield f"player {player} has {amount} {name}"


def _a_player_acts_only_when_nothing_waits(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    decision = seen.decision
    if decision is None or not seen.is_open:
        return
    if seen.views[0].chain:
        yield "a player may act freely while the chain is not empty"
    if decision.player != seen.views[0].turn_player:
        yield "a player may act freely in another's turn"


def _every_decision_has_an_answer(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    ids = [option.id for option in seen.decision.options] if seen.decision is not None else []
    if seen.decision is not None and not ids:
        yield "a decision has no legal answer"
    if len(set(ids)) < len(ids):
        yield "two answers of a decision have one id"


def _only_who_decides_sees_the_answers(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    decision = seen.decision
    for view in seen.views if decision is not None else ():
        assert decision is not None
        shown = view.decision
        if (shown is not None) != (view.player == decision.player):
            yield f"the view of player {view.player} does not agree on who decides"
        elif shown is not None and shown is not decision and shown.to_data() != decision.to_data():
            yield f"the view of player {view.player} has other answers"


def _control_needs_units(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    holders = {(at, face.controller) for at, face in seen.units}
    fields = [face for zone in seen.zones.values() for face in zone.fields] if seen.is_open else []
    for face in fields:
        if face.controller >= 0 and (face.ref, face.controller) not in holders:
            yield f"player {face.controller} controls {face.name} without a unit there"


def _opponents_do_not_share_a_battlefield_in_peace(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    if not seen.is_open:
        return
    sides: dict[int, set[int]] = {}
    for at, face in seen.units:
        if at > 0:
            sides.setdefault(at, set()).add(face.controller)
    for at, players in sides.items():
        if len(players) > 1:
            yield f"units of players {sorted(players)} are at {seen.game.name(at)}, and there is no combat"


def _designations_end_with_the_combat(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for _, face in seen.units if seen.is_open else ():
        if {"attacker", "defender"} & set(face.states):
            yield f"{face.name} is still in a combat that is over"


Invariant = Callable[[Oracle, _Seen], Iterator[str]]

INVARIANTS: tuple[tuple[str, Invariant], ...] = (
    ("128.1", _cards_are_kept),
    ("128.4", _what_may_not_be_read_is_not_shown),
    ("185.1", _tokens_are_on_the_board),
    ("142.2", _only_units_have_damage),
    ("323.5", _nothing_is_left_with_lethal_damage),
    ("702.3", _one_buff_on_a_unit),
    ("194.4", _nothing_is_below_zero),
    ("310.1", _a_player_acts_only_when_nothing_waits),
    ("335", _every_decision_has_an_answer),
    ("312.1", _only_who_decides_sees_the_answers),
    ("323.6", _control_needs_units),
    ("323.9", _opponents_do_not_share_a_battlefield_in_peace),
    ("466.7", _designations_end_with_the_combat),
)
"""What is checked, with the rule that says so."""
