"""What a running game remembers of characteristics and abilities is what a game loaded at that moment finds."""

from collections.abc import Callable
from typing import Any

from engine.conftest import random_answers
from rulewright.engine import Game
from rulewright.engine.query import layers
from rulewright.engine.query.payment import activated
from rulewright.engine.query.reads import kind_of, may_be_replaced
from rulewright.engine.query.watchers import watchers
from rulewright.engine.run import Run
from rulewright.engine.state.objects import NOBODY, Frame, Scope, State

EVERY = 4
"""At how many decisions it is looked at: one in so many."""


def test_what_is_remembered_of_a_game_is_what_a_look_from_the_beginning_finds(
    new_game: Callable[..., Game],
) -> None:
    for seed in (21, 22):
        game = new_game(seed=seed, log=False)
        for number, answer in enumerate(random_answers(game, seed)):
            if number % EVERY == 0:
                run = game._run
                assert known(run) == known(Run(run.rules, State.from_data(run.state.to_data())))
            game.apply(answer)


def test_what_is_on_and_who_watches_is_among_what_the_texts_of_the_game_speak_of(
    new_game: Callable[..., Game],
) -> None:
    game = new_game(seed=23, log=False)
    for answer in random_answers(game, 23):
        run = game._run
        assert run.effect_sorts.issuperset(layers.active_effects(run))
        for verb in run.rules.events:
            assert not watchers(run, verb) or kind_of(run, verb).noticed
            assert not watchers(run, verb, "replacement") or may_be_replaced(run, verb)
        game.apply(answer)


def test_a_step_that_is_passed_over_would_find_nothing_to_do(new_game: Callable[..., Game]) -> None:
    game = new_game(seed=24, log=False)
    passed_over = set()
    for answer in random_answers(game, 24):
        run = Run(game.ruleset, game.state.copy())
        stamps = run.stamps()
        passed = [(at, *found) for at, steps in game._run.found_nothing.items() for found in steps.items()]
        for program, position, seen in passed:
            operation = game.ruleset.program(program).ops[position]
            if stamps[operation.looks_at] == seen:
                step, parameters = operation.node
                step(run, Frame(program, Scope(0, NOBODY, "")), parameters, operation.rules)
                assert (run.state.moment, run.state.winners) == (game.state.moment, game.state.winners)
                passed_over.add(operation.name)
        game.apply(answer)
    assert {"check-winner", "kill-damaged", "lose-control", "put-right", "stage", "uncontest"} <= passed_over


def known(run: Run) -> dict[str, Any]:
    """Give what texts and options are asked of: traits, abilities, effects, who watches, what can be used."""
    return {
        "traits": {ref: run.traits(ref).to_data() for ref in run.state.objects},
        "abilities": {
            ref: [(held.ability.key, held.this) for held in layers.own_abilities(run, ref)]
            for ref in run.state.objects
        },
        "effects": {
            str(sort): sorted((active.scope.source, active.path, active.on(run)) for active in actives)
            for sort, actives in layers.active_effects(run).items()
        },
        "watchers": {
            (verb, kind): [(ref, held.ability.key) for ref, held in watchers(run, verb, kind)]
            for verb in run.rules.events
            for kind in ("triggered", "replacement")
        },
        "used": [(ref, [held.ability.key for held in abilities]) for ref, abilities in activated(run)],
    }
