"""What a check of card sets knows of a game: the rules' facts as plain values, and the game's own cards."""

from functools import cache
from pathlib import Path

from rulewright.cards.card import CardDefinition
from rulewright.cards.checks.facts import TABLE, GameFacts, game_facts
from rulewright.cards.checks.surroundings import Game
from rulewright.cards.construction import TABLE as DECK_TABLE
from rulewright.cards.sets import load_sets, set_files
from rulewright.data_files import DataFileError
from rulewright.rules import RulesDatabase, UnknownRuleError, load


@cache
def checked_game(game: str = "riftbound", root: Path | None = None) -> Game:
    """Give what a check knows of a game. Raises :class:`UsageError` where there is no such game."""
    rules = load(game, root)
    forms = tuple(
        (one.name, one.value is not None, one.cost, one.governs is not None)
        for one in (entry.keyword for entry in rules.keywords.values())
        if one is not None
    )
    return Game(_facts(rules), forms, _own_cards(game, root), game, root)


def _facts(rules: RulesDatabase) -> GameFacts:
    keywords = {}
    for entry in rules.keywords.values():
        one = entry.keyword
        if one is not None:
            keywords[one.name] = {
                "means": one.means,
                "rule": entry.number,
                "redundant": one.instances == "redundant",
                "valued": one.value is not None,
                "default": one.value.default if one.value else None,
                "cost": one.cost,
                "governs": one.governs is not None,
            }
    try:
        return game_facts(rules.table(TABLE), rules.table(DECK_TABLE), keywords)
    except UnknownRuleError:
        # A game without the table is checked as far as the language and the schema go.
        return GameFacts()


def _own_cards(game: str, root: Path | None) -> tuple[CardDefinition, ...]:
    try:
        return tuple(card for one in load_sets(set_files(game, root), root) for card in one.cards)
    except DataFileError:
        # What is wrong in the game's own files is told where they are checked.
        return ()
