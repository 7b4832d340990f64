"""``rulewright demo``: the guided tour: a card is read, a rule is looked up, a duel is played."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, GameOption, new_app
from rulewright.apps.cli.game_log import log_lines
from rulewright.apps.cli.lines import Line, line, print_lines

if TYPE_CHECKING:
    from rulewright.cards import CardDefinition
    from rulewright.engine import LogRecord, Ruleset
    from rulewright.play.table import Table

app = new_app()


@app.command()
def demo(
    seed: Annotated[int, typer.Option("--seed", help="Another seed is another duel.")] = 1,
    whole: Annotated[bool, typer.Option("--all", help="Print the whole log of the duel.")] = False,
    game: GameOption = DEFAULT_GAME,
) -> None:
    """Read a card and show its meaning, look a rule up, play a duel and show why everything happened.

    \b
    Example: rulewright demo
    """
    from rulewright.play.playthrough import recorded_game
    from rulewright.play.table import load_table, starter_decks

    table = load_table(game)
    decks = [table.deck(file) for file in starter_decks(game)[:2]]
    card = _telling_card(
        table, [name for deck in decks for part, _ in deck.parts for name in deck.cards(part)]
    )
    print_lines(_card_lines(card, game))
    print_lines(_rule_lines(table, card))
    print_lines(_title("3. A duel is played, and every line of its log has its rules"))
    played, _ = recorded_game(table, decks, seed, players=("Ana", "Bo"))
    first, second = decks[0].name, decks[1].name
    print_lines(
        [line(f"Ana plays {first}, Bo plays {second}; both choose at random, from seed {seed}."), line()]
    )
    print_lines(_shown_log(played.log, table.ruleset, whole))
    winners = played.winners or ()
    won = " and ".join(played.name(-1 - winner) for winner in winners) or "nobody"
    print_lines([line(), line((f"{won} won in turn {played.state.turn}.", "bold"))])


def _title(text: str) -> list[Line]:
    return [line(), line((text, "bold green")), line()]


def _telling_card(table: "Table", names: list[str]) -> "CardDefinition":
    """A card with something to show: a keyword, and a text that is not only keywords."""
    cards = [table.pool[name] for name in dict.fromkeys(names)]
    with_both = [
        card for card in cards if card.text.startswith("[") and "\n" in card.text and "unit" in card.types
    ]
    return max(with_both or cards, key=lambda card: len(card.text))


def _card_lines(card: "CardDefinition", game: str) -> list[Line]:
    from rulewright.language import parse
    from rulewright.language.print import outline

    lines = _title("1. A card's text is read as a program")
    lines.append(line((card.name, "bold"), f", a {' '.join((*card.supertypes, *card.types))}"))
    lines += [line((text, "green"), indent=2) for text in card.text.splitlines()]
    lines.append(line())
    meaning = parse(card.text, game=game).text
    return lines + [
        line(text, indent=2) for text in ("" if meaning is None else outline(meaning)).splitlines()
    ]


def _rule_lines(table: "Table", card: "CardDefinition") -> list[Line]:
    import re

    from rulewright.apps.cli.rule import entry_lines

    lines = _title("2. Its words are rules, and rules are data")
    words = re.findall(r"\[([A-Za-z-]+)", card.text)
    keyword = next((word for word in words if word.casefold() in table.rules.keywords), None)
    if keyword is not None:
        entry = table.rules.keyword(keyword)
        lines += entry_lines(table.rules, entry)
    return lines


def _shown_log(log: "list[LogRecord]", ruleset: "Ruleset", whole: bool) -> Iterator[Line]:
    if whole:
        yield from log_lines(log, ruleset)
        return
    last = log[-1].turn
    yield from log_lines((record for record in log if record.turn <= 3), ruleset)
    yield from [line(), line(("... (rulewright demo --all prints all of it)", "dim")), line()]
    yield from log_lines((record for record in log if record.turn >= last - 1), ruleset)
