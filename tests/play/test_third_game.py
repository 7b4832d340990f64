"""Another game is data: The Orchard lies in a temporary folder and is played by the same kernel."""

from pathlib import Path

import pytest

from play import third_game
from rulewright.apps.check_game import checked_game
from rulewright.cards.checks import check_paths
from rulewright.play.playthrough import play_out, random_agents, recorded_game
from rulewright.play.table import Table, load_table, starter_decks


@pytest.fixture
def orchard(tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    third_game.write(tmp_path, checkout)
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    return load_table(third_game.GAME)


def test_the_third_game_is_small(orchard: Table) -> None:
    assert len(orchard.pool) == 6
    assert len(orchard.rules) <= 32


def test_the_third_game_is_played_to_its_goal(orchard: Table) -> None:
    (deck,) = [orchard.deck(file) for file in starter_decks(third_game.GAME)]
    for seed in range(1, 6):
        game, _ = recorded_game(orchard, [deck, deck], seed)
        assert game.winners is not None
        winner, other = (
            game.state.players[each].resources["points"] for each in (*game.winners, 1 - game.winners[0])
        )
        assert winner >= 5
        assert winner > other


def test_the_third_game_has_its_own_zones_phases_and_verbs(orchard: Table) -> None:
    (deck,) = [orchard.deck(file) for file in starter_decks(third_game.GAME)]
    game = orchard.new_game([deck, deck], 2, names=("Ida", "Jon"))
    zones: set[str] = set()
    phases: set[str] = set()

    def watch(_: object) -> None:
        zones.update(found.zone for found in game.state.objects.values())
        phases.add(game.state.phase)

    play_out(game, random_agents(2, 2), watch=watch)
    assert zones <= {"orchard", "stack", "satchel", "seed-bag", "compost"}
    assert phases <= {"morning", "market"}
    assert any(record.verb == "fell" for record in game.log)
    assert any(record.text.endswith("3 water") for record in game.log)


def test_its_log_cites_its_own_rules(orchard: Table) -> None:
    (deck,) = [orchard.deck(file) for file in starter_decks(third_game.GAME)]
    game, _ = recorded_game(orchard, [deck, deck], 3)
    cited = {rule for record in game.log for rule in record.rules}
    assert [record.text for record in game.log if not record.rules] == []
    assert sorted(rule for rule in cited if rule not in orchard.rules) == []


def test_the_same_seed_gives_the_same_third_game(orchard: Table) -> None:
    (deck,) = [orchard.deck(file) for file in starter_decks(third_game.GAME)]
    assert recorded_game(orchard, [deck, deck], 4)[1] == recorded_game(orchard, [deck, deck], 4)[1]


def test_taking_a_step_out_changes_the_game(
    tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    third_game.write(tmp_path, checkout)
    rules = tmp_path / "rulesdb" / third_game.GAME / "rules.yaml"
    text = rules.read_text(encoding="utf-8")
    without = text.replace("    - {do: draw, with: {amount: 1}, rule: '13'}\n", "")
    assert without != text
    rules.write_text(without, encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    dry = load_table(third_game.GAME)
    (deck,) = [dry.deck(file) for file in starter_decks(third_game.GAME)]
    game = dry.new_game([deck, deck], 1)
    assert not any(record.verb == "draw" and record.turn == 1 for record in game.log)


def test_its_sets_are_checked_in_its_own_words_and_with_its_own_grammar(
    orchard: Table, tmp_path: Path
) -> None:
    game = checked_game(third_game.GAME)
    folder = tmp_path / "cardtexts" / third_game.GAME
    assert [one for one in check_paths([folder], game).findings if one.is_error] == []
    path = folder / "cards.yaml"
    source = path.read_text("utf-8")
    for text, code in (
        ("Fell an enemy tree.", ""),
        ("Channel 1 rune.", "RW103"),
        ("Give a tree +2 [M] this turn.", "RW104"),
    ):
        path.write_text(source.replace("Draw 2.", text), encoding="utf-8")
        found = {one.code for one in check_paths([folder], game).findings if one.is_error}
        assert found == ({code} - {""})
