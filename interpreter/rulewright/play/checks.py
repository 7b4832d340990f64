"""An oracle that trusts nothing: what is true at every decision of every game, each with the rule that says so.

It looks at a game only from outside, through what the players may see of it, and knows nothing of how the engine
comes to its results. A rule that a game does not have is not checked in it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rulewright.engine import Game
from rulewright.errors import RulewrightError


class InvariantError(RulewrightError):
    """Something that the rules never allow was so at a decision of a game."""


@dataclass(slots=True)
class Oracle:
    """Watches one game. Call it at every decision; it raises :class:`InvariantError` with the rule that is broken."""

    cards: dict[int, int] = field(default_factory=dict)
    """How many cards each player brought, as they were counted at the first decision."""

    def __call__(self, game: Game) -> None:
        """Check a game as it is now."""
        seen = _Seen(game)
        for rule, invariant in INVARIANTS:
            if rule not in game.ruleset.rules:
                continue
            for wrong in invariant(self, seen):
                raise InvariantError(wrong, place=f"turn {game.state.turn}, rule {rule}")


class _Seen:
    """A game as all its players together see it: each object as it looks to whoever may read it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.views = [game.view(player) for player in range(len(game.state.players))]
        self.decision = game.decision
        self.objects: list[tuple[str, int, Any]] = []
        for zones in zip(*(view.zones for view in self.views), strict=True):
            for faces in zip(*(zone.objects for zone in zones), strict=True):
                face = next((face for face in faces if face.known), faces[0])
                self.objects.append((zones[0].name, zones[0].at, face))

    @property
    def is_open(self) -> bool:
        """Whether the turn player may act freely: a Neutral Open State in the Main Phase (310.1)."""
        return self.decision is not None and self.decision.kind == "action"

    def on_board(self) -> Iterator[tuple[str, int, Any]]:
        """The objects on the board whose face someone may read."""
        rules = self.game.ruleset.zones
        return ((zone, at, face) for zone, at, face in self.objects if rules[zone].board and face.known)

    def units(self) -> Iterator[tuple[int, Any]]:
        """The units on the board, with where they are."""
        return ((at, face) for _, at, face in self.on_board() if "unit" in face.traits.types)


def _cards_are_kept(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    counts: dict[int, int] = {}
    for _, _, face in seen.objects:
        if not (face.known and "token" in face.traits.supertypes):
            counts[face.owner] = counts.get(face.owner, 0) + 1
    oracle.cards = oracle.cards or counts
    if counts != oracle.cards:
        yield f"there are {counts} cards of the players, and there were {oracle.cards}"


def _what_may_not_be_read_is_not_shown(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for view in seen.views:
        for zone in view.zones:
            for face in zone.objects:
                if not face.known and (face.name or face.ref or face.traits is not None):
                    yield f"player {view.player} sees what a card in {zone.title} is"


def _tokens_are_on_the_board(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    rules = seen.game.ruleset
    for zone, _, face in seen.objects:
        is_token = face.known and "token" in face.traits.supertypes
        if is_token and not rules.zones[zone].board and zone != rules.chain:
            yield f"the token {face.name} is in {zone}"


def _only_units_have_damage(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for zone, _, face in seen.objects:
        if face.damage and not (
            face.known and "unit" in face.traits.types and seen.game.ruleset.zones[zone].board
        ):
            yield f"{face.name or 'a card'} in {zone} is no unit on the board and has damage"


def _nothing_is_left_with_lethal_damage(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for _, face in seen.units() if seen.is_open else ():
        if face.damage and face.damage >= face.traits.figures.get("might", 0):
            yield f"{face.name} has lethal damage and is still there"


def _one_buff_on_a_unit(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for _, face in seen.units():
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
        if (view.decision is not None) != (view.player == decision.player):
            yield f"the view of player {view.player} does not agree on who decides"
        elif view.decision is not None and view.decision.to_data() != decision.to_data():
            yield f"the view of player {view.player} has other answers"


def _control_needs_units(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    holders = {(at, face.controller) for at, face in seen.units()}
    for _, _, face in seen.on_board() if seen.is_open else ():
        if (
            "battlefield" in face.traits.types
            and face.controller >= 0
            and (face.ref, face.controller) not in holders
        ):
            yield f"player {face.controller} controls {face.name} without a unit there"


def _opponents_do_not_share_a_battlefield_in_peace(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    if not seen.is_open:
        return
    sides: dict[int, set[int]] = {}
    for at, face in seen.units():
        if at > 0:
            sides.setdefault(at, set()).add(face.controller)
    for at, players in sides.items():
        if len(players) > 1:
            yield f"units of players {sorted(players)} are at {seen.game.name(at)}, and there is no combat"


def _designations_end_with_the_combat(oracle: Oracle, seen: _Seen) -> Iterator[str]:
    for _, face in seen.units() if seen.is_open else ():
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
