"""Breaks one thing of the rules or of a card's meaning at a time, and sees whether the scenarios notice.

A mutant is the game with one value of a table changed, one step of a procedure left out, one field of what a keyword
means altered, or one field of a kind of meaning misread in every text. A scenario notices it when it no longer holds.
What no scenario notices is either a rule that nothing proves, or a change that makes no difference.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import MISSING, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

from rulewright.data_files import Plain
from rulewright.engine import Ruleset
from rulewright.errors import RulewrightError
from rulewright.language import ast, tree
from rulewright.play.runner import run
from rulewright.play.scenario import Scenario, load
from rulewright.play.table import Table, load_table
from rulewright.rules import RulesDatabase
from rulewright.rules.entries import Entry

Sort = Literal["table", "procedure", "keyword", "field"]
"""What is broken: a table of facts, a procedure, the meaning of a keyword, a field of a kind wherever it stands."""

SORTS: tuple[Sort, ...] = get_args(Sort)

WORDING = frozenset({"rule", "rules", "say", "quiet", "title", "headings", "plural"})
"""Keys of tables that only name rules or say how and whether something is told; no game depends on them."""

OF_CARDS = frozenset({"card-parts", "tags"})
"""Tables by which cards are checked before any game; their own tests hold them."""

UNSAID: tuple[tuple[str, Any], ...] = (
    ("subject", {"kind": "Player", "which": "you"}),
    ("amount", {"kind": "Number", "value": 1}),
)
"""Fields that mean the same when they are not said: who acts is you, "a unit" is one."""

Steps = tuple[str | int, ...]
"""The keys and positions that lead to a value inside plain data."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value inside plain data that becomes another, or is left out."""

    path: Steps
    old: str
    new: Any = None
    drop: bool = False

    def __str__(self) -> str:
        where = ".".join(map(str, self.path))
        return f"{where}: without {self.old}" if self.drop else f"{where}: {self.old} becomes {self.new!r}"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a game.

    ``target`` is the number of the entry whose table or procedure it is, the key of a text, or a kind of meaning.
    """

    sort: Sort
    target: str
    change: Change

    def __str__(self) -> str:
        return f"{self.sort} {self.target}, {self.change}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant: the scenario that noticed it, nothing where none did; and how many were tried."""

    mutant: Mutant
    noticed_by: str | None
    tried: int


# --------------------------------------------------------------------------------------------- making mutants


def mutants(table: Table) -> Iterator[Mutant]:
    """Give every mutant of the rules of a game, in a fixed order."""
    ruleset = table.ruleset
    for entry in table.rules:
        if entry.table is not None and entry.table.name not in OF_CARDS:
            for change in _in_plain(entry.table.rows, ()):
                yield Mutant("table", entry.number, change)
        if entry.procedure is not None:
            for change in _in_procedure(entry):
                yield Mutant("procedure", entry.number, change)
        if entry.keyword is not None:
            for position in range(len(entry.keyword.means)):
                root = f"keyword:{entry.keyword.name.casefold()}/{position}"
                for change in _in_meaning(tree.to_json(ruleset.text(root))):
                    yield Mutant("keyword", root, change)
    yield from _of_fields(table)


def _of_fields(table: Table) -> Iterator[Mutant]:
    """Give the mutants of every field that some card of the game uses."""
    used: dict[tuple[str, str], set[Any]] = {}
    for card in table.pool:
        for words in (card.text, card.effect_text):
            if words.strip():
                for _, node in tree.walk(table.ruleset.parse(words, card)):
                    for slot in tree.slots(type(node)):
                        value = getattr(node, slot.name)
                        if value != slot.default and not slot.surface:
                            used.setdefault((type(node).__name__, slot.name), set()).add(type(value))
    for (kind, name), types in sorted(used.items(), key=lambda pair: pair[0]):
        slot = next(slot for slot in tree.slots(tree.kinds()[kind]) if slot.name == name)
        if bool in types:
            yield Mutant("field", kind, Change((name,), "a yes", False))
        elif int in types:
            yield Mutant("field", kind, Change((name,), "a number", "one more"))
        elif slot.default is not MISSING:
            yield Mutant("field", kind, Change((name,), "what it says", slot.default))
        elif tuple in types:
            yield Mutant("field", kind, Change((name,), "the last of several", drop=True))
        elif str in types and _next_word(slot.type, None) is not None:
            yield Mutant("field", kind, Change((name,), "a word", "the next word"))


def choose(every: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Choose as many mutants, as evenly from every sort as there are; the same for the same seed."""
    by_sort = {sort: [one for one in every if one.sort == sort] for sort in SORTS}
    chance = random.Random(seed)
    for group in by_sort.values():
        chance.shuffle(group)
    picked: list[Mutant] = []
    while len(picked) < count and any(by_sort.values()):
        picked += [group.pop() for group in by_sort.values() if group]
    return picked[:count]


def _in_plain(value: Plain, path: Steps) -> Iterator[Change]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in WORDING:
                yield from _in_plain(inner, (*path, key))
    elif isinstance(value, bool):
        yield Change(path, str(value), not value)
    elif isinstance(value, int):
        yield Change(path, str(value), value + 1)
    elif isinstance(value, str):
        # A row without its name is no row.
        if path and path[-1] != "name":
            yield Change(path, repr(value), drop=True)
    elif isinstance(value, Sequence):
        # Of a list of words, each is as good as another.
        words = all(isinstance(inner, str) for inner in value)
        for position, inner in enumerate(value[:1] if words else value):
            yield from _in_plain(inner, (*path, position))


def _in_procedure(entry: Entry) -> Iterator[Change]:
    assert entry.procedure is not None
    for position, step in enumerate(entry.procedure.steps):
        does = next((f"{key} {step[key]}" for key in step if key not in ("rule", "name", "when")), "")
        yield Change((position,), f"step {does!r}", drop=True)
        if "when" in step:
            yield Change((position, "when"), f"when {step['when']}", drop=True)


def _in_meaning(written: Any, path: Steps = ()) -> Iterator[Change]:
    """Give every change of one field of a meaning that is given as JSON."""
    slots = {slot.key: slot for slot in tree.slots(tree.kinds()[written["kind"]])}
    for key, value in written.items():
        if key == "kind":
            continue
        here = (*path, key)
        optional = slots[key].default is not MISSING
        if isinstance(value, dict):
            yield from _in_meaning(value, here)
            if optional and (key, value) not in UNSAID:
                yield Change(here, value["kind"], drop=True)
        elif isinstance(value, list):
            for position, inner in enumerate(value):
                told = inner["kind"] if isinstance(inner, dict) else repr(inner)
                if isinstance(inner, dict):
                    yield from _in_meaning(inner, (*here, position))
                if len(value) > 1 or optional:
                    yield Change((*here, position), told, drop=True)
        elif isinstance(value, bool):
            yield Change(here, str(value), not value)
        elif isinstance(value, int):
            # A 0 stands where the cost that is printed with a keyword is put.
            if value:
                yield Change(here, str(value), value + 1)
        elif (other := _next_word(slots[key].type, value)) is not None:
            yield Change(here, repr(value), other)


def _next_word(wanted: Any, value: str | None) -> str | None:
    """Give the word that stands after one (or first) among those that a field may hold; nothing if it may hold any."""
    for arm in (wanted, *get_args(wanted)):
        if get_origin(arm) is Literal:
            words = get_args(arm)
            if len(words) > 1:
                return str(words[(words.index(value) + 1) % len(words) if value in words else 0])
    return None


# ---------------------------------------------------------------------------------------- playing with a mutant


def broken(table: Table, mutant: Mutant) -> Ruleset:
    """Give the rules and cards of a game with one thing changed.

    Raises :class:`RulewrightError` where what is left is no longer a game: that counts as noticed.
    """
    rules, cards, parse = table.rules, list(table.pool), table.ruleset.parse
    if mutant.sort == "field":
        return Ruleset(rules, cards, lambda words, card: _misread(parse(words, card), mutant))
    if mutant.sort == "keyword":
        right = tree.to_json(table.ruleset.text(mutant.target))
        wrong = tree.from_json(_changed(right, mutant.change.path, mutant.change))
        return Ruleset(rules, cards, parse, {mutant.target: cast(ast.CardText, wrong)})
    changed = _changed_entry(rules.entry(mutant.target), mutant)
    entries = [changed if entry.number == changed.number else entry for entry in rules]
    versions = rules.history.versions
    return Ruleset(RulesDatabase(rules.game, entries, versions, rules.words, rules.digest), cards, parse)


def _misread(text: ast.CardText, mutant: Mutant) -> ast.CardText:
    """Give a meaning with a field of one kind changed wherever it stands."""
    name = str(mutant.change.path[0])
    wrong: ast.Node = text
    # The inner ones first, so that paths stay true.
    for path, node in reversed(list(tree.walk(text))):
        if type(node).__name__ == mutant.target:
            here = tree.at(wrong, path)
            wrong = tree.replace(wrong, path, replace(here, **{name: _other(here, name, mutant.change)}))
    return cast(ast.CardText, wrong)


def _other(node: ast.Node, name: str, change: Change) -> Any:
    value = getattr(node, name)
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        # A number that stands for the X of a keyword is no number yet.
        return value + 1 if abs(value) < 1000 else value
    if change.drop:
        return value[:-1]
    if change.new == "the next word":
        slot = next(slot for slot in tree.slots(type(node)) if slot.name == name)
        return _next_word(slot.type, value)
    return change.new


def _changed_entry(entry: Entry, mutant: Mutant) -> Entry:
    path, change = mutant.change.path, mutant.change
    if mutant.sort == "table":
        assert entry.table is not None
        return replace(entry, table=replace(entry.table, rows=_changed(entry.table.rows, path, change)))
    assert entry.procedure is not None
    return replace(
        entry, procedure=replace(entry.procedure, steps=_changed(entry.procedure.steps, path, change))
    )


def _changed(here: Any, path: Steps, change: Change) -> Any:
    """Give plain data with one value in it changed; all that is not on the way stays as it is."""
    key, rest = path[0], path[1:]
    if isinstance(here, Mapping):
        if rest:
            return {**here, key: _changed(here[str(key)], rest, change)}
        kept = {name: inner for name, inner in here.items() if name != key}
        return kept if change.drop else {**kept, key: change.new}
    parts = list(here)
    if rest:
        parts[int(key)] = _changed(parts[int(key)], rest, change)
    elif change.drop:
        del parts[int(key)]
    else:
        parts[int(key)] = change.new
    return parts if isinstance(here, list) else tuple(parts)


class Trial:
    """The scenarios against mutants of one game."""

    def __init__(self, table: Table, scenarios: Sequence[Scenario]) -> None:
        """Take the game and the scenarios that must notice; all of them hold as long as nothing is broken."""
        self.table = table
        self.scenarios = [one for one in scenarios if one.game == table.game]
        self.met = [self._met(one) for one in self.scenarios]

    def _met(self, scenario: Scenario) -> frozenset[str]:
        """Give what a scenario meets in its course: names of procedures and keywords, kinds of meanings."""
        rules, pool, parse = self.table.rules, list(self.table.pool), self.table.ruleset.parse
        ruleset = run(scenario, Ruleset(rules, pool, parse)).ruleset
        if ruleset is None:
            raise RulewrightError("the scenario does not run before anything is broken", place=scenario.place)
        kinds = {type(node).__name__ for text in ruleset.texts_met.values() for _, node in tree.walk(text)}
        return frozenset((*ruleset.procedures_met, *ruleset.keywords_met, *kinds))

    def verdict(self, mutant: Mutant) -> Verdict:
        """Run the scenarios on a mutant until one notices: those first that are about the rule that is broken.

        A scenario that never meets what is broken cannot notice it and is left out.
        """
        try:
            ruleset = broken(self.table, mutant)
        except Exception as fault:  # a game that cannot even be made is no game: that is noticed
            return Verdict(mutant, f"it cannot be made: {fault}", 0)
        order = self._order(mutant)
        for tried, scenario in enumerate(order, 1):
            if not run(scenario, ruleset).passed:
                return Verdict(mutant, scenario.title, tried)
        return Verdict(mutant, None, len(order))

    def _order(self, mutant: Mutant) -> list[Scenario]:
        about, needed = mutant.target, mutant.target
        if mutant.sort == "keyword":
            needed = about.partition(":")[2].partition("/")[0]
            about = self.table.rules.keyword(needed).number
        elif mutant.sort == "procedure":
            procedure = self.table.rules.entry(about).procedure
            assert procedure is not None
            needed = procedure.name
        elif mutant.sort == "table":
            needed = ""
        able = [one for one, met in zip(self.scenarios, self.met, strict=True) if not needed or needed in met]
        root = about.partition(".")[0]
        return sorted(able, key=lambda one: all(number.partition(".")[0] != root for number in one.rules))


def verdicts(
    game: str, root: Path, paths: Sequence[Path], tried: Sequence[Mutant], workers: int = 1
) -> Iterator[Verdict]:
    """Try mutants, in the order given; what comes out does not depend on the number of ``workers``."""
    jobs = ((game, root, tuple(paths), one) for one in tried)
    if workers == 1:
        yield from map(_job, jobs)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(_job, jobs, chunksize=4)


def _job(job: tuple[str, Path, tuple[Path, ...], Mutant]) -> Verdict:
    game, root, paths, mutant = job
    return _trial(game, root, paths).verdict(mutant)


@cache
def _trial(game: str, root: Path, paths: tuple[Path, ...]) -> Trial:
    return Trial(load_table(game, root), [one for path in paths for one in load(path)])
