"""Nothing assumes Riftbound: a tiny game, made of some lines of rules and six cards, is played by the same kernel."""

from pathlib import Path

import pytest

from engine.conftest import play_out
from rulewright import rules
from rulewright.cards import CardDefinition
from rulewright.engine import Game, Ruleset
from rulewright.language import ast, parse

RULES = (Path(__file__).parent / "pond.yaml").read_text(encoding="utf-8")

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
