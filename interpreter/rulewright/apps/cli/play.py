"""``rulewright play``: a duel in the terminal, against an agent."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, GameOption, new_app
from rulewright.apps.cli.game_log import log_lines
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.errors import UsageError
from rulewright.paths import must_be_writable

if TYPE_CHECKING:
    from rulewright.engine import Decision, Game

app = new_app()

YOU = 0
"""The seat of the person."""


@app.command()
def play(
    deck: Annotated[
        Path | None, typer.Option("--deck", metavar="FILE", help="Your deck; else one of the game's.")
    ] = None,
    against: Annotated[Path | None, typer.Option("--against", metavar="FILE", help="The other deck.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Where the random numbers begin.")] = 1,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Keep the game there.")
    ] = None,
    game: GameOption = DEFAULT_GAME,
) -> None:
    """Play a duel against an agent that plays at random; answer with a number, ``?`` for the board, ``q`` to give up.

    \b
    Example: rulewright play --record duel.json
    """
    from rulewright.play.agents import RandomAgent
    from rulewright.play.playthrough import record as record_of
    from rulewright.play.replay import CONCEDES, save
    from rulewright.play.seeds import derived
    from rulewright.play.table import load_table, starter_decks

    if record is not None:
        # Before a duel is played, and not when it is over: can it be kept there?
        must_be_writable(record)
    table = load_table(game)
    files = [*(file for file in (deck, against) if file is not None), *starter_decks(game)]
    if len(files) < 2:
        raise UsageError("two decks are needed", help="name them with --deck and --against")
    decks = [table.deck(file) for file in files[:2]]
    names = ("Ana", "Bo")
    duel = table.new_game(decks, seed, names=names)
    print_lines([line(("You are Ana, Bo plays at random.", "bold"))])
    other = RandomAgent(derived(seed, "agent", 1))
    answers: list[str] = []
    shown = 0
    while (decision := duel.decision) is not None:
        if decision.player != YOU:
            answer: str | None = other.choose(duel.view(decision.player), decision)
        else:
            print_lines(log_lines(duel.log[shown:], table.ruleset, YOU))
            shown = len(duel.log)
            answer = _asked(duel, decision)
        if answer is None:
            duel.concede(YOU)
            answers.append(f"{CONCEDES}{YOU}")
            break
        duel.apply(answer)
        answers.append(answer)
    print_lines(log_lines(duel.log[shown:], table.ruleset, YOU))
    winners = duel.winners or ()
    print_lines([line((f"{' and '.join(names[each] for each in winners) or 'Nobody'} won.", "bold"))])
    if record is not None:
        save(record_of(table, duel, decks, seed, "duel", names, answers), record)


def _asked(game: "Game", decision: "Decision") -> str | None:
    """The person's answer: an option's id, or nothing for giving up."""
    from rulewright.engine import IllegalChoice

    print_lines([line((decision.prompt, "bold yellow"))])
    print_lines(
        line(f"{number:3} ", option.label, indent=2) for number, option in enumerate(decision.options, 1)
    )
    while True:
        sys.stdout.write("> ")
        sys.stdout.flush()
        try:
            said = sys.stdin.readline()
        except KeyboardInterrupt:
            # The duel ends, and is kept as far as it was played.
            return None
        if not said or said.strip() == "q":
            return None
        if said.strip() == "?":
            print_lines(_board(game))
        elif said.strip().isdigit() and 1 <= int(said) <= len(decision.options):
            return decision.options[int(said) - 1].id
        elif decision.kind == "name":
            try:
                return game.option_meant(said).id
            except IllegalChoice as error:
                print_lines([line((str(error), "red"))])
        else:
            print_lines([line((f"answer with a number from 1 to {len(decision.options)}, ? or q", "red"))])


def _board(game: "Game") -> list[Line]:
    """What the person may know: the zones of the view, with what is visible in them."""
    lines = []
    for zone in game.view(YOU).zones:
        lines.append(line((f"{zone.title:<24}", "bold"), ", ".join(zone.words) or "-", indent=2))
    return lines
