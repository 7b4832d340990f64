"""Nothing assumes Riftbound: a tiny game, made of some lines of rules and six cards, is played by the same kernel."""

from pathlib import Path

import pytest

from engine.conftest import play_out
from rulewright import rules
from rulewright.cards import CardDefinition
from rulewright.engine import Game, Ruleset
from rulewright.language import ast, parse

RULES = """\
# Pond: frogs are played onto lily pads until somebody has five flies.
- rule: '1'
  gist: The zones of the game.
  status: table
  table: {name: zones, rows: [
    {name: pad, board: true, location: true, rule: '1'}, {name: reeds, privacy: private},
    {name: pond, privacy: secret, ordered: true}, {name: mud}, {name: air, per: none}]}
- rule: '2'
  gist: Units stay on the pad when they are played, spells do not.
  status: table
  table: {name: types, rows: [
    {name: unit, permanent: true, played: true, anywhere: true, deck: pond}, {name: spell, played: true, deck: pond}]}
- rule: '3'
  gist: Where the words of the cards lead.
  status: table
  table: {name: terms, rows: {chain: air, spent-zone: mud, play-from: [reeds],
    zones: {hand: reeds, trash: mud, deck: pond, base: pad}, resources: {point: flies, points: flies}, figures: {energy-cost: energy}}}
- rule: '4'
  gist: What happens by itself or is only told of.
  status: table
  table: {name: events, rows: {play: {say: '{agent} plays {object}', counted: finalize}, die: {verb: kill, subject: object},
    choose: {quiet: true}, finalize: {quiet: true}, 'start:dawn': {quiet: true}, 'start:day': {quiet: true}}}
- rule: '5'
  gist: Two players, five flies.
  status: table
  table: {name: modes, rows: [{name: duel, players: 2, goal: 5}]}
- rule: '6'
  gist: A game is laid out and then played turn by turn.
  status: executable
  procedure: {name: game, steps: [
    {do: lay-out, with: {zones: {cards: pond}}}, {do: shuffle, with: {zones: [pond]}}, {do: first-player},
    {do: draw, with: {amount: 2}, each: players}, {name: turn, procedure: turn}, {do: next-turn}, {do: repeat, with: {from: turn}}]}
- rule: '7'
  gist: A turn is dawn and day.
  status: executable
  procedure: {name: turn, steps: [{do: begin-turn}, {procedure: dawn}, {procedure: day}]}
- rule: '7.1'
  gist: At dawn a player draws a card and gets two energy.
  status: executable
  procedure: {name: dawn, steps: [{do: empty-pools}, {do: phase, with: {name: dawn}}, {means: Draw 1.}, {means: 'Add [2].'}, {procedure: settle}]}
- rule: '7.2'
  gist: By day they act as often as they like.
  status: executable
  procedure: {name: day, steps: [{do: phase, with: {name: day}}, {name: open, procedure: settle}, {do: act}, {do: repeat, with: {from: open}}]}
- {rule: '8', gist: What is to be done is done before anything else., status: executable, procedure: {name: settle, steps: [
    {name: tasks, do: order-triggers}, {procedure: cleanup, when: cleanup-due}, {do: finalize-oldest, when: pending},
    {do: resolve-newest, when: resolves-at-once}, {do: repeat, with: {from: tasks}, when: cleanup-due},
    {do: repeat, with: {from: tasks}, when: pending}, {do: priority, when: chain}, {do: repeat, with: {from: tasks}, when: chain}]}}
- {rule: '8.1', gist: Whoever leads with five flies wins; a beaten unit is killed., status: executable,
   procedure: {name: cleanup, steps: [{do: begin-cleanup}, {do: check-winner}, {do: kill-damaged}]}}
- {rule: '8.2', gist: A card is finalized., status: executable, procedure: {name: finalize, steps: [{do: accept}, {do: choose-place},
    {do: choose-targets}, {do: determine-cost}, {do: pay}, {do: check-legality}, {do: finish}]}}
- {rule: '8.3', gist: A card resolves., status: executable, procedure: {name: resolve, steps: [{do: execute}, {do: finish-resolving}]}}
- {rule: '9.1', gist: To draw is to take into the reeds., status: executable, procedure: {name: draw, steps: [{do: place, with: {zone: reeds}}]}}
- {rule: '9.2', gist: To kill is to put into the mud., status: executable, procedure: {name: kill, steps: [{do: place, with: {zone: mud}}]}}
- {rule: '9.3', gist: To deal is to mark damage., status: executable, procedure: {name: deal, steps: [{do: mark-damage}]}}
- {rule: '9.4', gist: To gain is to have more., status: executable, procedure: {name: gain, steps: [{do: change-resource}]}}
- {rule: '9.5', gist: To add fills the pool., status: executable, procedure: {name: add, steps: [{do: fill-pool}]}}
- {rule: '9.6', gist: To pay drains the pool., status: executable, procedure: {name: pay, steps: [{do: drain-pool}]}}
- {rule: '9.7', gist: The pool empties at dawn., status: executable, procedure: {name: empty-pool, steps: [{do: empty-pool}]}}
"""

CARDS = [
    CardDefinition(
        "Frog", ("unit",), figures=(("energy", 1), ("might", 2)), text="When you play me, gain 1 point."
    ),
    CardDefinition(
        "Toad", ("unit",), figures=(("energy", 2), ("might", 3)), text="When I die, gain 2 points."
    ),
    CardDefinition(
        "Newt", ("unit",), figures=(("energy", 1), ("might", 1)), text="When you play me, draw 1."
    ),
    CardDefinition("Heron", ("spell",), figures=(("energy", 1),), text="Deal 2 to a unit."),
    CardDefinition("Swarm", ("spell",), figures=(("energy", 2),), text="Gain 1 point. Draw 1."),
    CardDefinition(
        "Reeds", ("spell",), figures=(("energy", 1),), text="Kill a friendly unit. If you do, gain 2 points."
    ),
]


def read(text: str, card: CardDefinition | None) -> ast.CardText:
    found = parse(text).text
    assert found is not None
    return found


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    root: Path = tmp_path_factory.mktemp("pond")
    folder = root / "rulesdb" / "pond"
    folder.mkdir(parents=True)
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    return Ruleset(rules.load("pond", root=root), CARDS, read)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_of_thirty_lines_of_rules_is_played_to_its_end(pond: Ruleset, seed: int) -> None:
    cards = {"cards": tuple(card.name for card in CARDS for _ in range(8))}
    game = Game.new(pond, [cards, cards], seed=seed, names=("Frog", "Heron"))
    play_out(game, seed)
    assert game.winners is not None
    assert game.state.players[game.winners[0]].resources["flies"] >= 5
    assert {number for record in game.log for number in record.rules} >= {"7.1", "8.1", "9.1", "9.4"}


def test_a_step_taken_out_of_the_rules_is_not_in_the_game(pond: Ruleset, tmp_path: Path) -> None:
    folder = tmp_path / "rulesdb" / "pond"
    folder.mkdir(parents=True)
    (folder / "rules.yaml").write_text(RULES.replace("{means: Draw 1.}, ", ""), encoding="utf-8")
    cards = {"cards": ("Frog",) * 20}
    fewer = Ruleset(rules.load("pond", root=tmp_path), CARDS, read)
    games = [Game.new(ruleset, [cards, cards], seed=1) for ruleset in (pond, fewer)]
    hands = [len(game.state.zone("reeds", -1 - game.state.turn_player)) for game in games]
    assert hands == [3, 2]
