"""The oracle sees what is wrong in the zone where it is, at the decision at which it comes about, and not before."""

import re
from collections.abc import Callable

import pytest

from rulewright.cards.deck import Deck
from rulewright.engine import Game
from rulewright.engine.state.objects import GameObject
from rulewright.play.checks import InvariantError, Oracle
from rulewright.play.playthrough import play_out, random_agents
from rulewright.play.table import Table


def _damage_in_hand(found: GameObject) -> bool:
    found.damage = (1, 0)
    return found.zone == "hand"


def _another_owner(found: GameObject) -> bool:
    found.owner = 1 - found.owner
    return found.zone == "main-deck"


def _token_for_a_card(found: GameObject) -> bool:
    found.card, found.script = "Recruit", None
    return found.zone == "trash"


@pytest.mark.parametrize(
    ("tamper", "rule"),
    [(_damage_in_hand, "142.2"), (_another_owner, "128.1"), (_token_for_a_card, "128.1")],
)
def test_what_goes_wrong_in_the_middle_of_a_game_is_found_at_once(
    table: Table, decks: list[Deck], tamper: Callable[[GameObject], bool], rule: str
) -> None:
    game, oracle, seen = table.new_game(decks, 2), Oracle(), 0

    def watch(now: Game) -> None:
        nonlocal seen
        oracle(now)
        seen += 1
        if seen == 60:
            for ref in list(now.state.objects):
                if tamper(now.state.objects[ref].copy()):
                    tamper(now.state.own(ref))
                    now.state.touch()
                    break
            with pytest.raises(InvariantError, match=f"rule {re.escape(rule)}"):
                oracle(now)
            raise StopIteration

    with pytest.raises(StopIteration):
        play_out(game, random_agents(2, 2), watch=watch)
    assert seen == 60
