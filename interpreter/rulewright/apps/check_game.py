"""What a check of card sets knows of a game: the rules' facts as plain values, and the game's own cards."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Optional

from rulewright.cards.card import CardDefinition
from rulewright.cards.checks.facts import TABLE, GameFacts, game_facts
from rulewright.cards.checks.surroundings import Game
from rulewright.cards.construction import TABLE as DECK_TABLE
from rulewright.cards.sets import load_sets, set_files
from rulewright.data_files import DataFileError
from rulewright.rules import RulesDatabase, UnknownRuleError, load

if TYPE_CHECKING:
    from rulewright.language import Vocabulary


@cache
def checked_game(game: str = "riftbound", root: Path | None = None) -> Game:
    """Give what a check knows of a game. Raises :class:`UsageError` where there is no such game."""
    rules = load(game, root)
    forms = tuple(
        (one.name, one.value is not None, one.cost, one.governs is not None)
        for one in (entry.keyword for entry in rules.keywords.values())
        if one is not None
    )
    return Game(_facts(rules), forms, _own_cards(game, root), game, root, partial(_refused, game, root))


def _refused(
    game: str, root: Path | None, cards: Sequence[CardDefinition], words: Optional["Vocabulary"]
) -> Mapping[str, str]:
    """Give the names of the cards that the engine cannot carry out, each with the reason."""
    from rulewright.engine import CompileError
    from rulewright.play.table import load_table, reader

    ruleset = load_table(game, root).ruleset.with_cards(cards, None if words is None else reader(words))
    found: dict[str, str] = {}
    for card in cards:
        try:
            ruleset.script(card.name)
        except CompileError as error:
            found[card.name] = error.message
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            found[card.name] = f"this failed inside Rulewright: {type(error).__name__}: {error}"
    return found


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
