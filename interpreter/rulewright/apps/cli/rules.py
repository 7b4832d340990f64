"""``rulewright rules``: searches the rules, compares their versions, counts and checks them."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.errors import FindingError, UsageError
from rulewright.paths import data_dir
from rulewright.rules import Difference, RulesDatabase, Stage, Version, load

app = new_app(no_args_is_help=True)
cite = new_app(no_args_is_help=True)
app.add_typer(cite, name="cite")


@app.callback()
def rules() -> None:
    """Search, compare and check the rules database.

    \b
    Examples:
      rulewright rules search "can I play an action on my opponent's turn"
      rulewright rules coverage
    """


@cite.callback()
def citations() -> None:
    """Hold the citations of rules in code and scenarios to what the rules said when they were written.

    \b
    Example: rulewright rules cite check
    """


@app.command()
def search(
    question: Annotated[list[str], typer.Argument(metavar="QUESTION...", help="A question in plain words.")],
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many rules are shown.")] = 10,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Find the rules that answer a question, the best first; one for each group of sub-rules.

    \b
    Example: rulewright rules search "what happens when both players control units at a battlefield"
    """
    database = load(game)
    hits = database.search(" ".join(question), limit)
    if output is OutputFormat.JSON:
        rows = [
            {"number": hit.number, "score": hit.score, "gist": database.entry(hit.number).gist}
            for hit in hits
        ]
        _write_json({"game": game, "question": " ".join(question), "found": rows})
    elif not hits:
        raise FindingError("no rule has any of these words", help="ask with other words, or look a term up")
    else:
        print_lines(one for hit in hits for one in _hit_lines(database, hit.number))


def _hit_lines(database: RulesDatabase, number: str) -> list[Line]:
    entry = database.entry(number)
    above = " > ".join(f"{parent.number} {parent.title}" for parent in reversed(database.parents(number)))
    lines = [line((number, "bold cyan"), "  ", entry.gist)]
    return [*lines, line((above, "dim"), indent=4)] if above else lines


@app.command()
def history(
    reference: Annotated[str, typer.Argument(metavar="NUMBER", help="A number of today's rules.")],
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Show which number a rule had in each version, and when it was added or reworded.

    \b
    Example: rulewright rules history 316.5
    """
    database = load(game)
    entry = database.resolve(reference)[0]
    stages = database.history.stages(entry.number)
    if output is OutputFormat.JSON:
        rows = [
            {"version": stage.version.date, "name": stage.version.name, **_stage_facts(stage)}
            for stage in stages
        ]
        _write_json({"game": game, "number": entry.number, "versions": rows})
        return
    lines = [line((entry.number, "bold cyan"), "  ", entry.gist)]
    for stage in stages:
        what = ", ".join(key for key in ("added", "renumbered", "reworded") if _stage_facts(stage)[key])
        shown = f"{stage.number or '-':16}"
        lines.append(
            line(
                f"{stage.version.date:10}  ",
                (shown, "cyan"),
                f"{what:22}",
                (_name(stage.version), "dim"),
                indent=2,
            )
        )
    print_lines(lines)


def _stage_facts(stage: Stage) -> dict[str, Any]:
    return {
        "number": stage.number,
        "added": stage.added,
        "renumbered": stage.renumbered,
        "reworded": stage.reworded,
    }


@app.command()
def diff(
    earlier: Annotated[str, typer.Argument(metavar="EARLIER", help="A version's date, or a day.")],
    later: Annotated[str, typer.Argument(metavar="LATER", help="A version's date, or a day.")],
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Show what changed between two versions of the rules.

    \b
    Example: rulewright rules diff 2026-03-30 2026-07-16
    """
    database = load(game)
    difference = database.history.diff(database.history.as_of(earlier), database.history.as_of(later))
    if output is OutputFormat.JSON:
        _write_json(_difference_as_json(game, difference))
    else:
        print_lines(_difference_lines(database, difference))


def _difference_as_json(game: str, difference: Difference) -> dict[str, Any]:
    return {
        "game": game,
        "earlier": difference.earlier.date,
        "later": difference.later.date,
        "changes": list(difference.changes),
        "added": list(difference.added),
        "removed": list(difference.removed),
        "renumbered": [{"earlier": old, "later": new} for old, new in difference.renumbered],
        "reworded": [{"earlier": old, "later": new} for old, new in difference.reworded],
    }


def _difference_lines(database: RulesDatabase, difference: Difference) -> list[Line]:
    lines = [line((f"{_titled(difference.earlier)} -> {_titled(difference.later)}", "bold"))]
    lines += [line(f"- {change}", indent=2) for change in difference.changes]
    pairs = {"renumbered": difference.renumbered, "reworded": difference.reworded}
    lines.append(line())
    lines += [
        line(
            f"{len(difference.added)} added, {len(difference.removed)} removed, "
            f"{len(difference.renumbered)} renumbered, {len(difference.reworded)} reworded"
        )
    ]
    lines += [
        _changed("added", "green", number, _today(database, difference.later, number))
        for number in difference.added
    ]
    lines += [
        _changed("removed", "red", number, _today(database, difference.earlier, number))
        for number in difference.removed
    ]
    for what, both in pairs.items():
        lines += [
            _changed(
                what,
                "yellow",
                old if old == new else f"{old} -> {new}",
                _today(database, difference.later, new),
            )
            for old, new in both
        ]
    return lines


def _changed(what: str, colour: str, numbers: str, says: str) -> Line:
    return line((f"{what:12}", colour), numbers, f"  {says}" if says else "", indent=2)


def _titled(version: Version) -> str:
    return f"{version.date} ({_name(version)})"


def _name(version: Version) -> str:
    return f"{version.name}, known in part" if version.partial else version.name


def _today(database: RulesDatabase, version: Version, number: str) -> str:
    """Give what a version's rule says today, with its number of today where that is another; nothing if it is gone."""
    heirs = [heir.number for heir in database.history.heirs(version, number) if heir.number is not None]
    if not heirs:
        return ""
    gist = database.entry(heirs[0]).gist
    return gist if heirs[0] == number else f"({heirs[0]} today) {gist}"


@app.command()
def coverage(
    scenarios: Annotated[
        Path | None, typer.Option("--scenarios", help="The folder of scenarios; by default the checkout's.")
    ] = None,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Count the rules by what becomes of them: statuses, what carries them out, which are shown by a scenario.

    \b
    Example: rulewright rules coverage --format json
    """
    from rulewright.rules.coverage import Counts, count, scenarios_by_rule

    if scenarios is not None and not scenarios.is_dir():
        raise UsageError("this is no folder of scenarios", place=str(scenarios))
    database = load(game)
    shown_by = scenarios_by_rule(scenarios or data_dir() / "tests" / "scenarios")
    total, sections = count(database, shown_by)

    def as_json(counts: Counts) -> dict[str, Any]:
        return {
            **asdict(counts),
            "executable_leaves": counts.executable_leaves,
            "carried_out": counts.carried_out,
            "shown": counts.shown,
        }

    if output is OutputFormat.JSON:
        version = database.version
        _write_json(
            {
                "game": game,
                "version": version.date if version else None,
                "later_entries": len(database) - len(database.base_entries),
                "total": as_json(total),
                "sections": [as_json(counts) for counts in sections],
            }
        )
        return
    head = f"{'section':52}{'rules':>7}{'leaves':>8}{'executable':>12}{'carried out':>13}{'shown':>7}"
    lines = [line((head, "bold"))]
    for counts in [*sections, total]:
        rules_and_leaves = f"{counts.section:52}{counts.entries:7}{counts.leaves:8}"
        executable = f"{counts.executable_leaves:12}{counts.carried_out:13}{counts.shown:7}"
        lines.append(line(rules_and_leaves, executable))
    lines.append(line())
    lines.append(line("statuses of all rules: ", _counted(total.statuses)))
    lines.append(line("executable leaves carried out by: ", _counted(total.carried_by)))
    print_lines(lines)


@app.command()
def primitives(output: FormatOption = OutputFormat.TEXT) -> None:
    """List the primitives of the kernel: what is carried out by code and not by data, with the rules it carries out.

    \b
    Example: rulewright rules primitives
    """
    from rulewright.engine.kernel import KINDS, catalogue

    found = catalogue()
    counts = {kind: sum(kind in one.kinds for one in found.values()) for kind in KINDS}
    if output is OutputFormat.JSON:
        _write_json(
            {"count": len(found), "kinds": counts, "primitives": [asdict(one) for one in found.values()]}
        )
        return
    lines = [
        line((f"{one.name:20}", "bold cyan"), (f"{', '.join(one.kinds):14}", "dim"), " ", one.about)
        for one in found.values()
    ]
    lines += [line(), line(f"{len(found)} primitives: ", _counted(counts))]
    print_lines(lines)


def _counted(counts: Any) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())


@cite.command()
def check(
    root: Annotated[Path | None, typer.Option("--root", help="The checkout; by default this one.")] = None,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Check that every cited rule is there, and says what it said when its citations were last read.

    \b
    Example: rulewright rules cite check
    """
    from rulewright.rules import citations as cited

    folder = root or data_dir()
    database = load(game, folder)
    found = cited.find(database, folder)
    lock = folder / "rulesdb" / game / cited.LOCK
    problems = cited.check(database, found, cited.read_lock(lock))
    if output is OutputFormat.JSON:
        _write_json(
            {"game": game, "citations": len(found), "problems": [asdict(problem) for problem in problems]}
        )
        raise typer.Exit(1 if problems else 0)
    for problem in problems:
        typer.echo(str(problem))
    numbers = len({citation.number for citation in found})
    if problems:
        raise FindingError(
            f"{len(problems)} of {len(found)} citations do not hold",
            help="read them against the rules, then: rulewright rules cite bless",
        )
    typer.echo(f"{len(found)} citations of {numbers} rules hold")


@cite.command()
def bless(
    root: Annotated[Path | None, typer.Option("--root", help="The checkout; by default this one.")] = None,
    game: GameOption = DEFAULT_GAME,
) -> None:
    """Lock every cited rule at what it says now; a citation of a rule that is not there is refused.

    \b
    Example: rulewright rules cite bless
    """
    from rulewright.rules import citations as cited

    folder = root or data_dir()
    database = load(game, folder)
    found = cited.find(database, folder)
    count = cited.write_lock(folder / "rulesdb" / game / cited.LOCK, database, found)
    typer.echo(f"{count} rules locked, cited in {len(found)} places")


def _write_json(content: dict[str, Any] | Sequence[Any]) -> None:
    json.dump(content, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
