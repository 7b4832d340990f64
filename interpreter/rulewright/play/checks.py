"""Invariants: what is true at every decision of every game, each with the rule that says so.

The checks trust nothing of how the engine works: they look at the position and at the options.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from rulewright.engine import Game
from rulewright.errors import RulewrightError


class InvariantError(RulewrightError):
    """Something that the rules never allow was so at a decision of a game."""


def check(game: Game) -> None:
    """Check a game at a decision. Raises :class:`InvariantError` with the rule and what is wrong."""
    for rule, invariant in INVARIANTS:
        for wrong in invariant(game):
            raise InvariantError(wrong, place=f"turn {game.state.turn}, rule {rule}")


def _one_zone_each(game: Game) -> Iterator[str]:
    places: Counter[int] = Counter()
    for refs in game.state.zones.values():
        places.update(refs)
    for ref, times in places.items():
        if times > 1:
            yield f"object {ref} is in {times} zones"
        if ref not in game.state.objects:
            yield f"a zone holds object {ref}, which does not exist"


def _damage_on_units(game: Game) -> Iterator[str]:
    for ref, found in game.state.objects.items():
        if found.total_damage and "unit" not in game.traits(ref).types:
            yield f"{found.card} is no unit and has damage"


def _points_not_negative(game: Game) -> Iterator[str]:
    for number, player in enumerate(game.state.players):
        for name, amount in player.resources.items():
            if amount < 0:
                yield f"player {number} has {amount} {name}"


def _someone_can_answer(game: Game) -> Iterator[str]:
    decision = game.decision
    if decision is None:
        return
    if not decision.options:
        yield "a decision has no legal answer"
    ids = [option.id for option in decision.options]
    if len(set(ids)) < len(ids):
        yield "two options of a decision have one id"


def _nothing_pends_while_a_player_acts(game: Game) -> Iterator[str]:
    decision = game.decision
    if decision is None or decision.kind != "action":
        return
    if game.state.chain:
        yield "a player may act freely while the chain is not empty"
    if decision.player != game.state.turn_player:
        yield "a player may act freely in another's Main Phase"


def _view_and_game_agree(game: Game) -> Iterator[str]:
    decision = game.decision
    if decision is None:
        return
    for player in range(len(game.state.players)):
        seen = game.view(player).decision
        if (seen is not None) != (player == decision.player):
            yield f"the view of player {player} does not agree on who decides"
        elif seen is not None and [one.id for one in seen.options] != [one.id for one in decision.options]:
            yield f"the view of player {player} has other options"


INVARIANTS: tuple[tuple[str, Callable[[Game], Iterator[str]]], ...] = (
    ("128.1", _one_zone_each),
    ("142.2", _damage_on_units),
    ("194.4", _points_not_negative),
    ("335", _someone_can_answer),
    ("335", _nothing_pends_while_a_player_acts),
    ("128", _view_and_game_agree),
)
"""What is checked, with the rule that it rests on."""
