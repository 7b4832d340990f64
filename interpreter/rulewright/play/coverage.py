"""How far each card is carried: read, printed back, compiled, executed, proved by a scenario; and the ledger of that.

The ledger is a committed file with one line for each card. A change of a card's meaning, or a card that is carried
less far than before, shows as a change of its line, and is accepted on purpose.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.cards import CardDefinition
from rulewright.cards.reading import meanings, read_on
from rulewright.data_files import text_of
from rulewright.engine import CompileError
from rulewright.errors import RulewrightError
from rulewright.language import ast
from rulewright.language.print import print_text
from rulewright.language.tree import meaning_hash
from rulewright.play.exercise import Exercise, Fault, exercise
from rulewright.play.scenario import load, piece
from rulewright.play.table import Table, load_table

ATTEMPTS = 24
"""On how many stages a card is tried at most."""

STAGES = ("read", "printed", "compiled", "executed")
"""How far a card can be carried, in this order; each is a word in its line of the ledger."""

HASH_LENGTH = 16
"""How many characters of the hash of a meaning the ledger keeps."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far one card is carried.

    ``meaning`` is the hash of what it says, empty where it is not read. ``executed`` is nothing where it was not
    tried. ``missing`` maps the abilities that could not be made to fire to what they are, ``reason`` says why the
    card is not read, printed or compiled.
    """

    card: str
    sets: tuple[str, ...]
    meaning: str = ""
    read: bool = False
    printed: bool = False
    compiled: bool = False
    executed: bool | None = None
    proved: bool = False
    abilities: int = 0
    fired: int = 0
    steps: int = 0
    reached: int = 0
    reason: str = ""
    missing: dict[str, str] = field(default_factory=dict)
    unreached: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def is_finding(self) -> bool:
        """Whether something is wrong with it: not carried through, or a fault met while it was tried."""
        return (
            not (self.read and self.printed and self.compiled) or self.executed is False or bool(self.faults)
        )

    def to_plain(self) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        plain: dict[str, Any] = {"card": self.card, "sets": list(self.sets), "meaning": self.meaning}
        plain |= {name: getattr(self, name) for name in (*STAGES, "proved")}
        if self.executed is not None:
            plain |= {name: getattr(self, name) for name in ("abilities", "fired", "steps", "reached")}
        optional = {
            "reason": self.reason,
            "missing": self.missing,
            "unreached": list(self.unreached),
            "idle": list(self.idle),
            "faults": [
                {"attempt": one.attempt, "decisions": one.decisions, "error": one.error}
                for one in self.faults
            ],
        }
        return plain | {name: value for name, value in optional.items() if value}


def coverage(
    table: Table,
    cards: Sequence[CardDefinition],
    proved: Iterable[str] = (),
    attempts: int = 0,
    thorough: bool = False,
    workers: int = 1,
) -> Iterator[Coverage]:
    """Tell of each card how far it is carried, in the order given; with ``attempts`` each is tried in games too.

    ``proved`` are the cards that scenarios name. The result does not depend on the number of ``workers``.
    """
    named = frozenset(proved)
    if workers == 1 or not attempts:
        for card in cards:
            yield _covered(table, card, named, attempts, thorough)
        return
    with ProcessPoolExecutor(workers) as pool:
        jobs = ((table.game, table.root, card.name, card.name in named, attempts, thorough) for card in cards)
        yield from pool.map(_job, jobs, chunksize=2)


def _job(job: tuple[str, Path, str, bool, int, bool]) -> Coverage:
    game, root, name, proved, attempts, thorough = job
    table = _table(game, root)
    return _covered(table, table.pool[name], frozenset([name] if proved else ()), attempts, thorough)


@cache
def _table(game: str, root: Path) -> Table:
    return load_table(game, root)


def _covered(
    table: Table, card: CardDefinition, proved: frozenset[str], attempts: int, thorough: bool
) -> Coverage:
    found = Coverage(card.name, sets_of(card), proved=card.name in proved)
    try:
        texts = meanings(card, table.words)
    except RulewrightError as error:
        return replace(found, reason=str(error))
    found = replace(
        found, read=True, meaning="+".join(_hash(text) for text in texts if text.abilities) or "-"
    )
    try:
        printed = all(_is_printed_back(table, card, text) for text in texts)
    except RulewrightError as error:
        return replace(found, reason=f"printed, it is not read: {error}")
    found = replace(found, printed=printed, reason="" if printed else "printed, it means something else")
    try:
        table.ruleset.script(card.name)
        found = replace(found, compiled=True)
        return (
            found if not attempts else _tried(found, exercise(table.ruleset, card.name, attempts, thorough))
        )
    except CompileError as error:
        return replace(found, reason=str(error), executed=False if attempts else None)


def _tried(found: Coverage, tried: Exercise) -> Coverage:
    return replace(
        found,
        executed=tried.executed,
        abilities=len(tried.abilities),
        fired=len(tried.fired & tried.abilities.keys()),
        steps=len(tried.steps),
        reached=len(tried.steps & tried.reached),
        missing=tried.missing,
        unreached=tuple(sorted(tried.steps - tried.reached)),
        idle=tuple(sorted(tried.idle)),
        faults=tuple(tried.faults),
    )


def sets_of(card: CardDefinition) -> tuple[str, ...]:
    """Give the codes of the sets that print a card."""
    codes = (card.set, *(code.partition("-")[0] for code in card.printings))
    return tuple(dict.fromkeys(code for code in codes if code))


def _hash(text: ast.CardText) -> str:
    return meaning_hash(text)[:HASH_LENGTH]


def _is_printed_back(table: Table, card: CardDefinition, text: ast.CardText) -> bool:
    return not text.abilities or read_on(card, print_text(text, table.words), table.words) == text


def named_in(scenarios: Path, table: Table) -> frozenset[str]:
    """Give the cards of a game that the scenarios of a folder put into play."""
    found: set[str] = set()
    for scenario in load(scenarios):
        made = set(scenario.cards)
        for words in _texts(scenario.given):
            found |= {
                name for name in _names(words, scenario.place) if name in table.pool and name not in made
            }
    return frozenset(found)


def _texts(said: Any) -> Iterator[str]:
    if isinstance(said, str):
        yield said
    elif isinstance(said, dict):
        for key, value in said.items():
            yield str(key)
            yield from _texts(value)
    elif isinstance(said, list | tuple):
        for part in said:
            yield from _texts(part)


def _names(words: str, place: str) -> Iterator[str]:
    yield words
    try:
        yield piece(words, place).card
    except RulewrightError:
        return


# ----------------------------------------------------------------------------------------- the ledger


def ledger_line(found: Coverage) -> str:
    """Give a card's line: its name, the hash of its meaning, and how far it is carried.

    >>> ledger_line(Coverage("Spark", ("RWS",), "0a1b", read=True, printed=True, compiled=True))
    'Spark | 0a1b | read printed compiled'
    """
    carried = " ".join(stage for stage in STAGES if getattr(found, stage))
    return f"{found.card} | {found.meaning or '-'} | {carried or '-'}"


def ledger_text(lines: Iterable[str]) -> str:
    """Give a ledger as the text of its file: sorted lines."""
    return "".join(f"{line}\n" for line in sorted(lines))


def read_ledger(path: Path) -> dict[str, str]:
    """Give the lines of a ledger by card; nothing where there is no such file."""
    if not path.exists():
        return {}
    lines = text_of(path).splitlines()
    return {line.partition(" | ")[0]: line for line in lines}


def blessed(found: Iterable[Coverage], known: dict[str, str]) -> str:
    """Give the ledger of some cards; what was executed stays so where the meaning is the same and it was not tried."""
    return ledger_text(ledger_line(as_in_ledger(one, known.get(one.card, ""))) for one in found)


def as_in_ledger(found: Coverage, line: str) -> Coverage:
    """Give a card that was not tried as executed where its line in the ledger says so of the same meaning."""
    same = f" | {found.meaning} | " in line and line.endswith("executed")
    return replace(found, executed=True) if found.executed is None and same else found


def ledger_changes(found: Iterable[Coverage], known: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Give the cards whose line is another one now, as the line that is kept and the line that would be."""
    seen: set[str] = set()
    for one in found:
        seen.add(one.card)
        line, now = known.get(one.card, ""), ledger_line(as_in_ledger(one, known.get(one.card, "")))
        if line != now:
            yield line, now
    for card in sorted(known.keys() - seen):
        yield known[card], ""
