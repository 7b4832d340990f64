"""Breaks one thing of the rules or of a card's meaning at a time, and sees whether the scenarios notice.

A mutant is the game with one value of a table changed, one step of a procedure left out, one field of what a keyword
means altered, or one field of a kind of meaning misread in every text. A scenario notices it when it no longer holds.
What no scenario notices is a rule that nothing proves: a change that leaves all that the engine takes of a meaning as
it was is no mutant.
"""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import MISSING, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast, get_args

from rulewright.data_files import Plain, json_rows, text_of
from rulewright.engine import Ruleset
from rulewright.errors import RulewrightError, UsageError
from rulewright.language import ast, tree
from rulewright.language.print import print_text
from rulewright.language.references import with_antecedents
from rulewright.play.runner import run
from rulewright.play.scenario import Scenario, load
from rulewright.play.table import Table, load_table
from rulewright.rule_words import TOKENS
from rulewright.rules import RulesDatabase
from rulewright.rules.entries import Entry

Sort = Literal["table", "procedure", "keyword", "field"]
"""What is broken: a table of facts, a procedure, the meaning of a keyword, a field of a kind wherever it stands."""

SORTS: tuple[Sort, ...] = get_args(Sort)

WORDING = frozenset({"rule", "rules", "say", "quiet", "title", "headings", "not_in_deck", "plural"})
"""Keys of tables that only name rules, are read in lists of decks, or say how and whether something is told; no game
depends on them."""

OF_CARDS = frozenset({"card-parts", "tags"})
"""Tables by which cards are checked before any game; their own tests hold them."""

Steps = tuple[str | int, ...]
"""The keys and positions that lead to a value inside plain data."""


How = Literal["set", "drop", "unread", "raised", "shortened", "turned"]
"""What is done to a value: it becomes another or is left out; or, in a field wherever it stands, it is not read, one
more is read, all but the last is read, or the word after it of those that stand there on cards."""

_MISREADINGS: Mapping[How, str] = {
    "unread": "not read",
    "raised": "read as one more",
    "shortened": "read without the last",
    "turned": "read as the next word",
}


@dataclass(frozen=True, slots=True)
class Change:
    """One value that is changed: the path to it, what it was, how it changes, and what it becomes where it is set.

    For a field the path is its name, and what it was differs from text to text.
    """

    path: Steps
    old: str = ""
    new: Any = None
    how: How = "set"

    def __str__(self) -> str:
        where = ".".join(map(str, self.path))
        if self.how == "set":
            return f"{where}: {self.old} becomes {self.new!r}"
        return f"{where}: {_MISREADINGS.get(self.how, f'without {self.old}')}"


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
    used = _used(table)
    for entry in table.rules:
        if entry.table is not None and entry.table.name not in OF_CARDS:
            for change in _in_plain(entry.table.rows, ()):
                yield Mutant("table", entry.number, change)
        if entry.procedure is not None:
            for change in _in_procedure(entry):
                yield Mutant("procedure", entry.number, change)
        if entry.keyword is not None:
            yield from _of_keyword(table, entry, used)
    yield from _of_fields(used)


_Used = Mapping[tuple[str, str], set[Any]]
"""What stands in each field of each kind of meaning, on some card of the game: the words, and the types of all else."""


def _used(table: Table) -> _Used:
    used: dict[tuple[str, str], set[Any]] = {}
    for card in table.pool:
        for words in (card.text, card.effect_text):
            for _, node in tree.walk(table.ruleset.parse(words, card)) if words.strip() else ():
                for slot in _said(node):
                    value = getattr(node, slot.name)
                    kept = value if isinstance(value, str) else type(value)
                    used.setdefault((type(node).__name__, slot.name), set()).add(kept)
    return used


def _of_keyword(table: Table, entry: Entry, used: _Used) -> Iterator[Mutant]:
    assert entry.keyword is not None
    name = entry.keyword.name.casefold()
    for position in range(len(entry.keyword.means)):
        root = f"keyword:{name}/{position}"
        right = table.ruleset.text(root)
        for change in _in_meaning(tree.to_json(right), used):
            mutant = Mutant("keyword", root, change)
            if not _says_the_same(table, mutant, _taken(table.ruleset, entry, right), entry):
                yield mutant


def _says_the_same(table: Table, mutant: Mutant, right: Any, entry: Entry) -> bool:
    """Tell whether a changed keyword means to the engine what it did, as it stands or as its words would be read.

    "You draw 1" and "draw 1" are two trees and one meaning: what is printed of the one is read as the other.
    """
    try:
        wrong = _misdefined(table, mutant)
        if _taken(table.ruleset, entry, wrong) == right:
            return True
        words = print_text(wrong, table.words)
        return bool(_taken(table.ruleset, entry, with_antecedents(table.ruleset.parse(words, None))) == right)
    except Exception:  # what is no meaning any more, or cannot be said, is not the same
        return False


def _taken(ruleset: Ruleset, entry: Entry, text: ast.CardText) -> Any:
    """Give what the engine takes of what a keyword means: where it governs others, only what it puts before them."""
    assert entry.keyword is not None
    if entry.keyword.governs is None:
        return text
    name = entry.keyword.name
    root = f"keyword:{name.casefold()}/0"
    told = Ruleset(ruleset.rules, (), ruleset.parse, lambda key, read: text if key == root else read)
    return told.gate_condition(name), told.gate_events(name)


def _of_fields(used: _Used) -> Iterator[Mutant]:
    """Give the mutants of every field that some card of the game uses."""
    for (kind, name), found in sorted(used.items(), key=lambda pair: pair[0]):
        slot = next(slot for slot in tree.slots(tree.kinds()[kind]) if slot.name == name)
        how = _misreading(slot, found)
        if how is not None:
            words = sorted(each for each in found if isinstance(each, str)) if how == "turned" else None
            yield Mutant("field", kind, Change((name,), new=words, how=how))


def _said(node: ast.Node) -> Iterator[tree.Slot]:
    """Give the fields of a node that say something."""
    for slot in tree.slots(type(node)):
        if not slot.surface and getattr(node, slot.name) != slot.default:
            yield slot


def _misreading(slot: tree.Slot, found: set[Any]) -> How | None:
    """Give how a field is misread that holds words and values of some types; nothing where there is no way."""
    if bool not in found and int in found:
        return "raised"
    if slot.default is not MISSING:
        return "unread"
    if tuple in found:
        return "shortened"
    return "turned" if sum(isinstance(each, str) for each in found) > 1 else None


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
            yield Change(path, repr(value), how="drop")
    elif isinstance(value, Sequence):
        # Of a list of words, each is as good as another.
        words = all(isinstance(inner, str) for inner in value)
        for position, inner in enumerate(value[:1] if words else value):
            yield from _in_plain(inner, (*path, position))


def _in_procedure(entry: Entry) -> Iterator[Change]:
    assert entry.procedure is not None
    for position, step in enumerate(entry.procedure.steps):
        does = next((f"{key} {step[key]}" for key in step if key not in ("rule", "name", "when")), "")
        yield Change((position,), f"step {does!r}", how="drop")
        if "when" in step:
            yield Change((position, "when"), f"when {step['when']}", how="drop")


def _in_meaning(written: Any, used: _Used, path: Steps = ()) -> Iterator[Change]:
    """Give every change of one field of a meaning that is given as JSON."""
    slots = {slot.key: slot for slot in tree.slots(tree.kinds()[written["kind"]])}
    for key, value in written.items():
        if key == "kind":
            continue
        here = (*path, key)
        optional = slots[key].default is not MISSING
        if isinstance(value, dict):
            yield from _in_meaning(value, used, here)
            if optional:
                yield Change(here, value["kind"], how="drop")
        elif isinstance(value, list):
            for position, inner in enumerate(value):
                told = inner["kind"] if isinstance(inner, dict) else repr(inner)
                if isinstance(inner, dict):
                    yield from _in_meaning(inner, used, (*here, position))
                if len(value) > 1 or optional:
                    yield Change((*here, position), told, how="drop")
        elif isinstance(value, bool):
            yield Change(here, str(value), not value)
        elif isinstance(value, int):
            # A 0 stands where the cost that is printed with a keyword is put.
            if value:
                yield Change(here, str(value), value + 1)
        else:
            words = used.get((written["kind"], slots[key].name), set())
            others = sorted(each for each in words if isinstance(each, str) and each != value)
            if others:
                yield Change(here, repr(value), _next_word(others, value))


def _next_word(words: Sequence[str], word: str) -> str:
    """Give the word that stands after one, the first after the last."""
    return next((each for each in words if each > word), words[0])


# ---------------------------------------------------------------------------------------- playing with a mutant


def broken(table: Table, mutant: Mutant) -> Ruleset:
    """Give the rules and cards of a game with one thing changed.

    Raises :class:`RulewrightError` where what is left is no longer a game: that counts as noticed.
    """
    rules, cards, parse = table.rules, list(table.pool), table.ruleset.parse
    if mutant.sort == "field":
        return Ruleset(rules, cards, parse, lambda _, text: _misread(text, mutant))
    if mutant.sort == "keyword":
        wrong = _misdefined(table, mutant)
        return Ruleset(rules, cards, parse, lambda key, text: wrong if key == mutant.target else text)
    changed = _changed_entry(rules.entry(mutant.target), mutant)
    entries = [changed if entry.number == changed.number else entry for entry in rules]
    versions = rules.history.versions
    if mutant.sort == "table" and changed.table is not None and changed.table.name == TOKENS:
        cards = list(table.pool.with_tokens(changed.table.rows))
    return Ruleset(RulesDatabase(rules.game, entries, versions, rules.words, rules.digest), cards, parse)


def _misdefined(table: Table, mutant: Mutant) -> ast.CardText:
    right = tree.to_json(table.ruleset.text(mutant.target))
    return cast(ast.CardText, tree.from_json(_changed(right, mutant.change.path, mutant.change)))


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
    slot = next(slot for slot in tree.slots(type(node)) if slot.name == name)
    if change.how == "unread":
        return slot.default
    if change.how == "raised":
        return value + 1 if isinstance(value, int) else value
    return value[:-1] if change.how == "shortened" else _next_word(change.new, value)


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
        return kept if change.how == "drop" else {**kept, key: change.new}
    parts = list(here)
    if rest:
        parts[int(key)] = _changed(parts[int(key)], rest, change)
    elif change.how == "drop":
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
        self.runs = [self._run(one) for one in self.scenarios]

    def _run(self, scenario: Scenario) -> "_Run":
        rules, pool, parse = self.table.rules, list(self.table.pool), self.table.ruleset.parse
        outcome = run(scenario, Ruleset(rules, pool, parse))
        ruleset = outcome.ruleset
        if ruleset is None or not outcome.passed:
            reason = outcome.report()
            raise RulewrightError(
                f"it does not hold before anything is broken: {reason}", place=scenario.place
            )
        fields = {
            f"{type(node).__name__}.{slot.name}"
            for key, text in ruleset.texts_met.items()
            if not key.startswith("keyword:") or _keyword_of(key) in ruleset.keywords_met
            for _, node in tree.walk(text)
            for slot in _said(node)
        }
        met = frozenset((*ruleset.procedures_met, *ruleset.keywords_met, *fields))
        return _Run(scenario, met, len(outcome.log))

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
        about, needed = mutant.target, ""
        if mutant.sort == "field":
            needed = f"{mutant.target}.{mutant.change.path[0]}"
        elif mutant.sort == "keyword":
            needed = _keyword_of(mutant.target)
            about = self.table.rules.keyword(needed).number
        elif mutant.sort == "procedure":
            procedure = self.table.rules.entry(about).procedure
            assert procedure is not None
            needed = procedure.name
        able = [one for one in self.runs if not needed or needed in one.met]
        root = about.partition(".")[0]
        able.sort(
            key=lambda one: (all(rule.partition(".")[0] != root for rule in one.scenario.rules), one.length)
        )
        return [one.scenario for one in able]


@dataclass(frozen=True, slots=True)
class _Run:
    """A scenario as it runs with nothing broken: what it meets, and how long its log is.

    What it meets are names of procedures and keywords, and fields of meanings that say something (``Zone.edge``).
    """

    scenario: Scenario
    met: frozenset[str]
    length: int


def _keyword_of(key: str) -> str:
    return key.partition(":")[2].rpartition("/")[0]


def verdicts(
    game: str,
    root: Path,
    paths: Sequence[Path],
    tried: Sequence[Mutant],
    workers: int = 1,
    kept: Path | None = None,
) -> Iterator[Verdict]:
    """Try mutants, in the order given; what comes out does not depend on the number of ``workers``.

    Every verdict is added to the file ``kept``, and one that stands there already is not found anew. Raises
    :class:`UsageError` where that file is about other rules, cards or scenarios.
    """
    known = {} if kept is None else _known(kept, _digest(game, root, paths))
    jobs = [(game, root, tuple(paths), one) for one in tried if str(one) not in known]
    with ProcessPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        found = map(_job, jobs) if pool is None else pool.map(_job, jobs, chunksize=2)
        for mutant in tried:
            if str(mutant) in known:
                by, count = known[str(mutant)]
                yield Verdict(mutant, by, count)
                continue
            verdict = next(found)
            if kept is not None:
                _append(
                    kept, {"mutant": str(mutant), "noticed by": verdict.noticed_by, "tried": verdict.tried}
                )
            yield verdict


def _known(kept: Path, digest: str) -> dict[str, tuple[str | None, int]]:
    """Read the verdicts of a file; a new one begins with what it is about."""
    if not kept.exists():
        _append(kept, {"about": digest})
        return {}
    about, *rows = json_rows(text_of(kept), str(kept), optional=["about", "mutant", "noticed by"])
    if about.get("about") != digest:
        raise UsageError(
            "these verdicts are about other rules, cards or scenarios",
            place=str(kept),
            help="name a new file",
        )
    return {str(row.get("mutant")): (row.get("noticed by"), row.get("tried", 0)) for row in rows}


def _append(kept: Path, row: Plain) -> None:
    try:
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    except OSError as error:
        raise UsageError(
            f"verdicts cannot be kept here: {error.strerror or error}", place=str(kept)
        ) from error


def _digest(game: str, root: Path, paths: Sequence[Path]) -> str:
    table = load_table(game, root)
    parts = [table.rules.digest, *map(repr, table.pool), *(repr(one) for path in paths for one in load(path))]
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def _job(job: tuple[str, Path, tuple[Path, ...], Mutant]) -> Verdict:
    game, root, paths, mutant = job
    return _trial(game, root, paths).verdict(mutant)


@cache
def _trial(game: str, root: Path, paths: tuple[Path, ...]) -> Trial:
    return Trial(load_table(game, root), [one for path in paths for one in load(path)])
