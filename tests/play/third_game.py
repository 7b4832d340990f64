"""A tiny game in a folder of its own, with nothing of the first game in it: The Orchard.

Two gardeners plant trees and score fruit; who first has five points wins. It has its own zones (satchel, seed bag,
orchard, compost, stack), two phases, one resource (water), a verb of its own (fell) and six cards.
"""

import shutil
from pathlib import Path

import yaml

GAME = "orchard"

RULES = """
- {rule: '1', gist: Two gardeners plant trees and whoever first has five points wins., status: heading}
- rule: '2'
  gist: The zones.
  status: table
  table:
    name: zones
    rows:
    - {name: orchard, per: player, board: true, location: true, rule: '2'}
    - {name: stack, per: none, rule: '2'}
    - {name: satchel, privacy: private, rule: '2'}
    - {name: seed-bag, privacy: secret, ordered: true, rule: '2'}
    - {name: compost, rule: '2'}
- rule: '3'
  gist: Trees stay in the orchard; weather passes.
  status: table
  table:
    name: types
    rows:
    - {name: tree, permanent: true, played: true, deck: seed-bag, rule: '3'}
    - {name: weather, played: true, deck: seed-bag, rule: '3'}
- rule: '4'
  gist: What the words mean here.
  status: table
  table:
    name: terms
    rows:
      chain: stack
      spent-zone: compost
      play-from: [satchel]
      zones: {hand: satchel, main-deck: seed-bag, deck: seed-bag, trash: compost}
      resources: {point: points, score: points}
- rule: '5'
  gist: Two gardeners play, to five points.
  status: table
  table: {name: modes, rows: [{name: duel, players: 2, goal: 5, rule: '5'}]}
- rule: '5.1'
  gist: What a plant costs is put together in this order.
  status: table
  table:
    name: cost-steps
    rows: [{step: base}, {step: additional}, {step: increases}, {step: discounts}, {step: total}]
- rule: '6'
  gist: How events are told.
  status: table
  table:
    name: events
    rows:
      draw: {say: '{agent} draws {object}'}
      choose: {quiet: true}
      play: {say: '{agent} has played {object}'}
      'start:turn': {quiet: true}
      'start:morning': {quiet: true}
      'start:market': {quiet: true}
      recycle: {say: '{object} is recycled'}
      fell: {say: '{object} is felled'}
      gain: {say: '{object} gains {amount} {word}'}
      add: {say: '{agent} draws {amount} water'}
      pay: {say: '{agent} pays {amount} water'}
      win-game: {say: '{object} wins'}
- rule: '7'
  gist: A deck is a seed bag of twelve cards or more.
  status: table
  table:
    name: deck-construction
    rows:
      parts:
        bag: {title: Seed Bag, headings: [bag], types: [tree, weather], size: {at_least: 12, rule: '7'}}
- rule: '10'
  gist: To begin, bags are shuffled and each gardener draws three.
  status: executable
  procedure:
    name: setup
    steps:
    - {do: lay-out, with: {zones: {bag: seed-bag}}, rule: '10'}
    - {do: shuffle, with: {zones: [seed-bag]}, rule: '10'}
    - {do: first-player, rule: '10'}
    - {do: draw, with: {amount: 3}, each: players, rule: '10'}
- rule: '11'
  gist: Turns follow one another until someone has won.
  status: executable
  procedure:
    name: game
    steps:
    - {procedure: setup, rule: '10'}
    - {name: turn, procedure: turn, rule: '11'}
    - {do: next-turn, rule: '11'}
    - {do: repeat, with: {from: turn}, rule: '11'}
- rule: '12'
  gist: A turn is a Morning and a Market.
  status: executable
  procedure:
    name: turn
    steps:
    - {do: begin-turn, rule: '12'}
    - {procedure: morning, rule: '13'}
    - {procedure: market, rule: '14'}
- rule: '13'
  gist: In the Morning old water is gone, the gardener draws one card and three water.
  status: executable
  procedure:
    name: morning
    steps:
    - {do: phase, with: {name: morning}, rule: '13'}
    - {do: empty-pools, rule: '13'}
    - {do: draw, with: {amount: 1}, rule: '13'}
    - {means: 'Add [3].', rule: '13'}
    - {procedure: settle, rule: '15'}
- rule: '14'
  gist: In the Market the gardener plays cards until they have enough of it.
  status: executable
  procedure:
    name: market
    steps:
    - {do: phase, with: {name: market}, rule: '14'}
    - {name: open, procedure: settle, rule: '15'}
    - {do: act, rule: '14'}
    - {do: repeat, with: {from: open}, rule: '14'}
- rule: '15'
  gist: After everything that happens see whether someone has won, then go through the stack.
  status: executable
  procedure:
    name: settle
    steps:
    - {name: tasks, do: order-triggers, rule: '15'}
    - {procedure: cleanup, when: cleanup-due, rule: '16'}
    - {do: finalize-oldest, when: pending, rule: '15'}
    - {do: resolve-newest, when: resolves-at-once, rule: '15'}
    - {do: repeat, with: {from: tasks}, when: pending, rule: '15'}
    - {do: priority, when: chain, rule: '15'}
    - {do: repeat, with: {from: tasks}, when: chain, rule: '15'}
    - {do: repeat, with: {from: tasks}, when: cleanup-due, rule: '15'}
- rule: '16'
  gist: Whoever has five points and more than the other has won.
  status: executable
  procedure:
    name: cleanup
    steps:
    - {do: begin-cleanup, rule: '16'}
    - {do: check-winner, rule: '16'}
- rule: '17'
  gist: Playing a card, step by step.
  status: executable
  procedure:
    name: finalize
    steps:
    - {do: accept, rule: '17'}
    - {do: choose-as-played, rule: '17'}
    - {do: choose-place, rule: '17'}
    - {do: choose-targets, rule: '17'}
    - {do: determine-cost, rule: '17'}
    - {do: pay, rule: '17'}
    - {do: check-legality, rule: '17'}
    - {do: finish, rule: '17'}
- rule: '18'
  gist: What is on the stack is carried out.
  status: executable
  procedure:
    name: resolve
    steps:
    - {do: execute, rule: '18'}
    - {do: finish-resolving, rule: '18'}
- {rule: '20', gist: A drawn card goes to the satchel., status: executable,
   procedure: {name: draw, steps: [{do: place, with: {zone: satchel}}]}}
- {rule: '21', gist: A felled tree goes to the compost., status: executable,
   procedure: {name: fell, steps: [{do: place, with: {zone: compost}}]}}
- {rule: '22', gist: Points are gained., status: executable,
   procedure: {name: gain, steps: [{do: change-resource}]}}
- {rule: '23', gist: Water is drawn from the well., status: executable,
   procedure: {name: add, steps: [{do: fill-pool}]}}
- {rule: '24', gist: Water is paid., status: executable,
   procedure: {name: pay, steps: [{do: drain-pool}]}}
- {rule: '25', gist: Old water is poured out., status: executable,
   procedure: {name: empty-pool, steps: [{do: empty-pool}]}}
- {rule: '26', gist: To play a card is to see it through., status: executable,
   procedure: {name: play, steps: [{do: come-in}]}}
- {rule: '27', gist: Whoever wins ends the game., status: executable,
   procedure: {name: win-game, steps: [{do: win-game}]}}
- {rule: '28', gist: An empty bag is filled from the compost and the other gardener scores., status: executable,
   procedure: {name: burn-out, steps: [{do: recycle-trash, with: {zone: compost}}, {do: burn-out-point}]}}
- {rule: '29', gist: To choose something changes nothing by itself., status: executable,
   procedure: {name: choose, steps: []}}
- {rule: '30', gist: A recycled card goes to the bottom of its bag., status: executable,
   procedure: {name: recycle, steps: [{do: place, with: {zone: seed-bag, edge: bottom}}]}}
"""

CARDS = """
set: ORCH
name: The Orchard
cards:
- {name: Apple Tree, type: tree, energy: 2, text: 'When you play me, score 1 point.'}
- {name: Pear Tree, type: tree, energy: 3, text: 'When you play me, score 1 point, then draw 1.'}
- {name: Cherry Tree, type: tree, energy: 1, text: 'When you play me, draw 1.'}
- {name: Rain, type: weather, energy: 1, text: 'Draw 2.'}
- {name: Storm, type: weather, energy: 2, text: 'Fell an enemy tree. Draw 1.'}
- {name: Harvest, type: weather, energy: 3, text: 'Score 1 point for each tree you control.'}
"""

DECK = """
name: A Seed Bag
parts:
  bag: {Apple Tree: 3, Pear Tree: 3, Cherry Tree: 3, Rain: 3, Storm: 3, Harvest: 2}
"""

NOUNS = {
    "objects": {
        "tree": {"plural": "trees", "is": ["permanent", "card"]},
        "weather": {"plural": "weather", "is": ["card", "effect"]},
        "card": {"plural": "cards", "is": ["card", "plain-card", "permanent"]},
    },
    "zones": {"satchel": {}, "compost": {}},
    "players": {"opponent": {"plural": "opponents"}, "player": {"plural": "players"}},
    "phases": {"morning": {}, "market": {}},
    "stats": {},
    "resources": {"point": {"plural": "points"}},
    "measures": {},
}
NAMES = {"tags": [], "tokens": {}}
VERBS = {
    "fell": {"forms": ["fells", "felled", "felled", "felling"], "object": ["permanent"], "needs": ["object"]}
}


def write(folder: Path, ours: Path) -> None:
    """Write the whole game into a data root; the shared grammar and the schemas come from ``ours``."""
    _write_language(folder / "grammar", ours / "grammar")
    for schema in ("rulesdb/rules.schema.json", "cardtexts/cards.schema.json"):
        (folder / schema).parent.mkdir(parents=True)
        shutil.copy(ours / schema, folder / schema)
    for place, text in (
        (folder / "rulesdb" / GAME / "rules.yaml", RULES),
        (folder / "cardtexts" / GAME / "cards.yaml", CARDS),
        (folder / "cardtexts" / GAME / "decks" / "bag.yaml", DECK),
    ):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def _write_language(here: Path, shared: Path) -> None:
    lexicon = here / "lexicon"
    lexicon.mkdir(parents=True)
    shutil.copy(shared / "core.lark", here / "core.lark")
    (here / f"{GAME}.lark").write_text(OWN_GRAMMAR, encoding="utf-8")
    for name in ("numbers", "symbols", "words", "plain_names", "limits"):
        shutil.copy(shared / "lexicon" / f"{name}.yaml", lexicon / f"{name}.yaml")
    verbs = yaml.load((shared / "lexicon" / "verbs.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    for name, words in (
        ("nouns", NOUNS),
        ("names", NAMES),
        ("keywords", {"defined": {}, "others": {}}),
        ("verbs", {**verbs, **VERBS}),
    ):
        (lexicon / f"{name}.yaml").write_text(yaml.safe_dump(words), encoding="utf-8")


OWN_GRAMMAR = """
// The Orchard's own phrases: water is the only cost.
%declare ENERGY POWER EXHAUST MIGHT _GATE _NESTED
mana: ENERGY+
gates: KEYWORD _GATE
sign: PLUS | MINUS
%extend cost_part: mana   -> cost_mana
%extend complement: mana  -> c_mana
"""
