"""``rulewright rule``: looks up a rule, a range, a keyword or a term."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.paths import data_dir
from rulewright.rules import Entry, RulesDatabase, Version, load
from rulewright.rules.lookup import Found, look_up

app = new_app()


@app.command()
def rule(
    references: Annotated[
        list[str],
        typer.Argument(metavar="REF...", help="Numbers, ranges (805-829), keywords or terms."),
    ],
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="DATE", help="The version whose numbers are meant, or a day."),
    ] = None,
    shown: Annotated[
        bool,
        typer.Option("--shown", help="Also list the cards that touch a rule and the scenarios that show it."),
    ] = False,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Look up rules: what they say, where they stand, what they refer to.

    \b
    Examples:
      rulewright rule 809.1.c
      rulewright rule 805-829 Deflect cleanup
      rulewright rule 316.2 --as-of 2026-03-30
      rulewright rule Deflect --shown
    """
    rules = load(game)
    version = rules.history.as_of(as_of) if as_of is not None else None
    found = [one for reference in references for one in look_up(rules, reference, version)]
    places = _shown_by(rules) if shown else None
    if output is OutputFormat.JSON:
        json.dump(_as_json(rules, version, found, places), sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
        return
    blocks = [_range_lines(one) if len(one.entries) > 2 else _lines(rules, one, places) for one in found]
    print_lines(one for number, block in enumerate(blocks) for one in ([line()] if number else []) + block)


Places = dict[str, Mapping[str, Sequence[str]]]
"""Where rules are met: ``cards`` and ``scenarios``, each by number."""

CARDS_IN_A_LINE = 12
"""How many cards are named; of others the count is told."""


def _shown_by(rules: RulesDatabase) -> Places:
    from rulewright.apps.touched import cards_by_rule
    from rulewright.cards import load_pool
    from rulewright.rules.coverage import scenarios_by_rule

    return {
        "cards": cards_by_rule(rules, load_pool(rules.game)),
        "scenarios": scenarios_by_rule(data_dir() / "tests" / "scenarios"),
    }


def _shown_lines(places: Places, number: str) -> list[Line]:
    cards, scenarios = (list(places[what].get(number, ())) for what in ("cards", "scenarios"))
    lines = []
    if cards:
        more = len(cards) - CARDS_IN_A_LINE
        named = "; ".join(cards[:CARDS_IN_A_LINE]) + (f"; and {more} more" if more > 0 else "")
        lines.append(line(("cards     ", "dim"), named, indent=2))
    return lines + [line(("shown in  ", "dim"), name, indent=2) for name in scenarios]


def _lines(rules: RulesDatabase, found: Found, places: Places | None) -> list[Line]:
    lines = [line((note, "yellow")) for note in found.notes]
    for position, entry in enumerate(found.entries):
        lines += ([line()] if position else []) + entry_lines(rules, entry)
        lines += _shown_lines(places, entry.number) if places is not None else []
    return lines


def _range_lines(found: Found) -> list[Line]:
    lines = [line((note, "yellow")) for note in found.notes]
    for entry in found.entries:
        indent = 2 * entry.number.count(".")
        lines.append(line((entry.number, "bold cyan"), "  ", entry.gist, indent=indent))
    return lines


def entry_lines(rules: RulesDatabase, entry: Entry) -> list[Line]:
    """Give what is shown of one rule: its gist, what it means, where it stands, what it refers to."""
    added = f", since {entry.since}" if entry.since else ""
    lines = [
        line((entry.number, "bold cyan"), "  ", (entry.gist, "bold")),
        line((entry.status + added, "dim"), indent=2),
    ]
    means = entry.keyword.means if entry.keyword and entry.keyword.means else entry.means
    lines += [line(("means     ", "dim"), (text, "green"), indent=2) for text in means]
    if carriers := rules.carriers(entry.number):
        lines.append(line(("done by   ", "dim"), ", ".join(map(str, carriers)), indent=2))
    lines += [
        line(("in        ", "dim"), (parent.number, "cyan"), "  ", parent.gist, indent=2)
        for parent in rules.parents(entry.number)
    ]
    lines += [
        line(("under it  ", "dim"), (child.number, "cyan"), "  ", child.gist, indent=2)
        for child in rules.children(entry.number)
    ]
    if entry.see:
        lines.append(line(("see       ", "dim"), (", ".join(entry.see), "cyan"), indent=2))
    if referring := rules.referring.get(entry.number):
        lines.append(line(("seen from ", "dim"), (", ".join(referring), "cyan"), indent=2))
    return lines


def _as_json(
    rules: RulesDatabase, version: Version | None, found: list[Found], places: Places | None
) -> dict[str, Any]:
    return {
        "game": rules.game,
        "version": rules.version.date if rules.version else None,
        "as_of": version.date if version else None,
        "found": [
            {
                "reference": one.reference,
                "notes": list(one.notes),
                "rules": [
                    entry_as_json(rules, entry) | _shown_as_json(places, entry.number)
                    for entry in one.entries
                ],
            }
            for one in found
        ],
    }


def _shown_as_json(places: Places | None, number: str) -> dict[str, list[str]]:
    return {what: list(found.get(number, ())) for what, found in (places or {}).items()}


def entry_as_json(rules: RulesDatabase, entry: Entry) -> dict[str, Any]:
    """Give one rule as plain data, with its surroundings and the number it had in each version."""
    keyword, table, procedure = entry.keyword, entry.table, entry.procedure
    return {
        "number": entry.number,
        "gist": entry.gist,
        "status": entry.status,
        "since": entry.since,
        "section": rules.section(entry.number),
        "parents": [_named(parent) for parent in rules.parents(entry.number)],
        "children": [_named(child) for child in rules.children(entry.number)],
        "see": list(entry.see),
        "seen_from": list(rules.referring.get(entry.number, ())),
        "by": [{"kind": one.kind, "name": one.name} for one in rules.carriers(entry.number)],
        "means": list(entry.means),
        "keyword": None
        if keyword is None
        else {
            "name": keyword.name,
            "kind": list(keyword.kinds),
            "value": None
            if keyword.value is None
            else {"default": keyword.value.default, "stacks": keyword.value.stacks},
            "cost": keyword.cost,
            "governs": keyword.governs,
            "instances": keyword.instances,
            "means": list(keyword.means),
        },
        "table": None if table is None else {"name": table.name, "rows": table.rows},
        "procedure": None if procedure is None else {"name": procedure.name, "steps": list(procedure.steps)},
        "was": {stage.version.date: stage.number for stage in rules.history.stages(entry.number)},
    }


def _named(entry: Entry) -> dict[str, str]:
    return {"number": entry.number, "gist": entry.gist}
