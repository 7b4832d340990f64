"""What is told of a card or a price at a glance is what a whole look finds."""

from collections import Counter
from collections.abc import Callable
from itertools import product

from engine.conftest import random_answers
from rulewright.engine import Game
from rulewright.engine.playing.options import (
    _is_permitted,
    _paid_as_printed,
    can_afford,
    playable_places,
    probe,
)
from rulewright.engine.playing.permissions import may_be_permitted
from rulewright.engine.query.payment import can_pay, plans, purse_of
from rulewright.engine.query.price import Price, printed_price
from rulewright.engine.run import Run

ASKED = ("action", "reaction")
POWERS = ({}, {"any": 2}, {"fury": 1}, {"calm": 1, "any": 1}, {"calm/fury": 2}, {"calm/fury": 1, "fury": 1})
PRICES = [Price(energy, power) for energy, power in product((0, 1, 4), POWERS)]


def test_a_glance_at_a_hand_tells_what_can_be_played_and_paid_for_as_a_whole_look_does(
    new_game: Callable[..., Game],
) -> None:
    told: Counter[bool | None] = Counter()
    for seed in (31, 32):
        game = new_game(seed=seed, log=False)
        for answer in random_answers(game, seed):
            run, player = game._run, game.state.priority
            for ref in playable_places(run, player) if player >= 0 else ():
                if "facedown" not in run.state.objects[ref].states:
                    paid = _paid_as_printed(run, player, ref)
                    assert paid in (None, can_afford(run, player, probe(run, player, ref, {})))
                    assert may_be_permitted(run, ref, ASKED) or not _is_permitted(run, player, ref, ASKED, {})
                    told[paid] += 1
            game.apply(answer)
    assert min(told[True], told[False]) > 50


def test_a_price_can_be_paid_where_there_is_a_plan_for_it(new_game: Callable[..., Game]) -> None:
    for seed in (33, 34):
        game = new_game(seed=seed, log=False)
        for number, answer in enumerate(random_answers(game, seed)):
            for player, price in product((0, 1), PRICES if number % 4 == 0 else ()):
                run = game._run
                assert can_pay(run, player, price) == bool(plans(run, player, price))
                assert purse_of(run, player).covers(price) or not plans(run, player, price)
            game.apply(answer)


def test_a_purse_that_is_kept_is_what_a_look_from_the_beginning_counts(new_game: Callable[..., Game]) -> None:
    game = new_game(seed=35, log=False)
    for answer in random_answers(game, 35):
        fresh = Run(game._run.rules, game.state.copy())
        for player in (0, 1):
            kept, counted = purse_of(game._run, player), purse_of(fresh, player)
            assert (kept.energy, kept.power, kept.wild) == (counted.energy, counted.power, counted.wild)
        for ref in game.state.objects:
            assert printed_price(game._run, ref).to_data() == printed_price(fresh, ref).to_data()
        game.apply(answer)
