"""``rulewright coverage``: how far each card is carried, and the ledger that holds it."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.apps.cli.progress import with_progress
from rulewright.errors import FindingError, UsageError

if TYPE_CHECKING:
    from rulewright.cards import CardDefinition
    from rulewright.play.coverage import Coverage
    from rulewright.play.table import Table

app = new_app()

LEDGER = Path("tests") / "ledger" / "cards.txt"
SCENARIOS = Path("tests") / "scenarios"

SHOWN = 40
"""How many findings of each sort are told in a text."""


@app.command()
def coverage(
    sets: Annotated[
        list[str] | None, typer.Argument(metavar="[SET...]", help="Codes of sets; all without one.")
    ] = None,
    execute: Annotated[
        bool, typer.Option("--execute", help="Use each ability of each card in games made for it.")
    ] = False,
    cards: Annotated[
        list[str] | None, typer.Option("--card", metavar="NAME", help="Only this card; may be repeated.")
    ] = None,
    attempts: Annotated[
        int | None, typer.Option("--attempts", min=1, help="On how many stages a card is tried at most.")
    ] = None,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Go on until each step has been reached, too.")
    ] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, help="How many processes work.")] = 1,
    scenarios: Annotated[
        Path, typer.Option("--scenarios", metavar="PATH", help="Where the scenarios are.")
    ] = SCENARIOS,
    bless: Annotated[bool, typer.Option("--bless", help="Write the ledger.")] = False,
    ledger: Annotated[Path, typer.Option("--ledger", metavar="FILE", help="The ledger.")] = LEDGER,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Tell for each set and card: read, printed back equal, compiled, executed, proved by a scenario.

    A card is executed when each of its abilities fired or applied at least once, in positions made from its text.
    What could not be made to fire, and each fault met on the way, is a finding. Without --execute the ledger tells
    which cards were executed, of those that still mean the same.

    \b
    Examples:
      rulewright coverage
      rulewright coverage RWS --execute
      rulewright coverage --execute --workers 2 --bless
    """
    from rulewright.paths import write_atomically
    from rulewright.play.coverage import ATTEMPTS, as_in_ledger, blessed, named_in, read_ledger
    from rulewright.play.coverage import coverage as measured
    from rulewright.play.table import load_table

    if bless and (sets or cards):
        raise UsageError("the ledger is of all cards", help="leave the names of sets and cards out")
    if not execute and (attempts is not None or thorough):
        raise UsageError("nothing is tried without --execute", help="leave --attempts and --thorough out")
    if scenarios != SCENARIOS and not scenarios.exists():
        raise UsageError("there are no scenarios here", place=str(scenarios))
    known = read_ledger(ledger)
    table = load_table(game)
    chosen = _chosen(table, sets or [], cards or [])
    proved = named_in(scenarios, table) if scenarios.exists() else frozenset()
    tries = (attempts or ATTEMPTS) if execute else 0
    rows = list(
        with_progress(measured(table, chosen, proved, tries, thorough, workers), "cards", len(chosen))
    )
    if not execute:
        rows = [as_in_ledger(row, known.get(row.card, "")) for row in rows]
    if output is OutputFormat.JSON:
        plain: dict[str, Any] = {"game": game, "total": _totals(rows), "sets": _by_set(rows)}
        plain["cards"] = [row.to_plain() for row in rows]
        json.dump(plain, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        print_lines(_told(rows))
    if bless:
        ledger.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(ledger, blessed(rows, known))
    wrong = sum(row.is_finding for row in rows)
    if wrong:
        raise FindingError(f"{wrong} of {len(rows)} cards have findings")


def _chosen(table: "Table", sets: list[str], cards: list[str]) -> "list[CardDefinition]":
    from rulewright.play.coverage import sets_of

    wanted = {code.upper() for code in sets}
    known = {code for card in table.pool for code in sets_of(card)}
    if unknown := sorted(wanted - known):
        raise UsageError(f"there is no set {unknown[0]!r}", help=f"the sets are {', '.join(sorted(known))}")
    if cards:
        return [table.pool.find(name) for name in cards]
    return [card for card in table.pool if not wanted or wanted & set(sets_of(card))]


def _totals(rows: "list[Coverage]") -> dict[str, Any]:
    totals: dict[str, Any] = {"cards": len(rows)}
    totals |= {name: sum(getattr(row, name) for row in rows) for name in ("read", "printed", "compiled")}
    if any(row.executed is not None for row in rows):
        totals["executed"] = sum(bool(row.executed) for row in rows)
    if any(row.abilities for row in rows):
        totals |= {
            name: sum(getattr(row, name) for row in rows)
            for name in ("abilities", "fired", "steps", "reached")
        }
    totals["proved"] = sum(row.proved for row in rows)
    totals["faults"] = sum(len(row.faults) for row in rows)
    return totals


def _by_set(rows: "list[Coverage]") -> dict[str, dict[str, Any]]:
    codes = dict.fromkeys(code for row in rows for code in row.sets)
    return {code: _totals([row for row in rows if code in row.sets]) for code in codes}


def _told(rows: "list[Coverage]") -> list[Line]:
    lines = [line((f"{code:<6}", "cyan"), _figures(totals)) for code, totals in _by_set(rows).items()]
    lines.append(line((f"{'all':<6}", "bold"), _figures(_totals(rows))))
    unread = [(row.card, row.reason) for row in rows if row.reason]
    silent = [
        (row.card, f"{words}, ability {key.partition('#')[2]}")
        for row in rows
        for key, words in row.missing.items()
    ]
    faults = [
        (row.card, f"{one.error} (attempt {one.attempt}, after {one.decisions} decisions)")
        for row in rows
        for one in row.faults
    ]
    idle = [(row.card, ", ".join(row.idle)) for row in rows if row.idle]
    for title, found in (
        ("not carried through", unread),
        ("could not be made to fire", silent),
        ("faults", faults),
        ("steps that nothing came of", idle),
    ):
        if found:
            lines.append(line((f"{title}: {len(found)}", "bold")))
            lines += [line((card, "cyan"), f": {why}", indent=2) for card, why in found[:SHOWN]]
            if len(found) > SHOWN:
                lines.append(line(f"... and {len(found) - SHOWN} more (--format json has them)", indent=2))
    return lines


def _figures(totals: dict[str, Any]) -> str:
    parts = [f"{totals['cards']:>4} cards"]
    parts += [
        f"{totals[name]:>4} {name}" for name in ("read", "printed", "compiled", "executed") if name in totals
    ]
    parts.append(f"{totals['proved']:>4} proved")
    if totals.get("abilities"):
        parts.append(f"abilities {totals['fired']}/{totals['abilities']}")
        parts.append(f"steps {totals['reached']}/{totals['steps']}")
    return ", ".join(parts)
