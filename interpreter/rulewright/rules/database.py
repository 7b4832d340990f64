"""The rules of one game, looked up by number, range, keyword, term or question."""

import difflib
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from rulewright.data_files import Plain
from rulewright.errors import RulewrightError
from rulewright.rules.entries import Carrier, Entry, Procedure, more_rows
from rulewright.rules.numbers import Key, ancestors, is_number, root, sort_key
from rulewright.rules.search import Document, Hit, Index, Words
from rulewright.rules.versions import History, Version

_RANGE = re.compile(r"(?P<first>[0-9][\w.]*)\s*(?:-|\u2013|\.\.)\s*(?P<last>[0-9][\w.]*)")
_PREFIX = re.compile(r"^(?:cr|rules?|regel|section)\s+(?=[0-9])", re.IGNORECASE)


class UnknownRuleError(RulewrightError):
    """A number, keyword or term that the rules do not have."""


class RulesDatabase:
    """The numbered rules of one game. Made by :func:`rulewright.rules.load`; nothing in it changes."""

    def __init__(
        self, game: str, entries: Iterable[Entry], versions: Iterable[Version], words: Words, digest: str
    ) -> None:
        """Take entries that have passed the checks. ``digest`` is a hash of all files they were read from."""
        self.game = game
        self.entries: tuple[Entry, ...] = tuple(sorted(entries, key=lambda entry: sort_key(entry.number)))
        self.digest = digest
        self.words = words
        self._by_number = {entry.number: entry for entry in self.entries}
        self._keys = [sort_key(entry.number) for entry in self.entries]
        self.history = History(versions, [entry.number for entry in self.base_entries])

    def __contains__(self, number: object) -> bool:
        return number in self._by_number

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    @property
    def version(self) -> Version | None:
        """The version whose numbers the entries carry; nothing where the game has no versions."""
        return self.history.base

    @property
    def base_entries(self) -> tuple[Entry, ...]:
        """The entries of the base version: all but those that a later version added."""
        return tuple(entry for entry in self.entries if entry.since is None)

    def entry(self, number: str) -> Entry:
        """Give the entry of a number. Raises :class:`UnknownRuleError` with what is near."""
        try:
            return self._by_number[number]
        except KeyError:
            raise self._unknown_number(number) from None

    def children(self, number: str) -> list[Entry]:
        """Give the entries directly under a number, in order; for a heading with none, the rules that it heads."""
        under = [entry for entry in self.subtree(number) if ancestors(entry.number)[:1] == (number,)]
        return under or [self._by_number[headed] for headed in self._headed.get(number, ())]

    def subtree(self, number: str) -> list[Entry]:
        """Give all entries under a number, without its own, in order."""
        start = bisect_left(self._keys, sort_key(number))
        below = number + "."
        found = []
        for entry in self.entries[start:]:
            if entry.number.startswith(below):
                found.append(entry)
            elif entry.number != number:
                break
        return found

    def is_leaf(self, number: str) -> bool:
        """Say whether a rule has no rules under it."""
        return not self.subtree(number)

    def parents(self, number: str) -> list[Entry]:
        """Give what a rule stands under, the nearest first: its own number's ancestors, then the headings above."""
        chain = [self._by_number[above] for above in ancestors(number) if above in self._by_number]
        return chain + [self._by_number[above] for above in self._headings[root(number)]]

    @cached_property
    def _headings(self) -> dict[str, list[str]]:
        """For each root number, the numbers of the headings above it, the nearest first.

        A heading without sub-rules heads what follows, up to the next such heading of its folder. Headings that
        begin a file head the other headings of the file, and those that begin a folder head the folder.
        """
        headings: dict[str, list[str]] = {}
        folder, nearest = "", None
        for entry in self.entries:
            number = root(entry.number)
            if number in headings:
                continue
            if folder != (folder := entry.file.rpartition("/")[0]):
                nearest = None
            is_head = self._is_head(number)
            above = [nearest] if nearest is not None and not is_head else []
            above += [head for head in _heads_of(entry.file) if self._is_head(head)]
            headings[number] = [head for head in dict.fromkeys(above) if head != number]
            nearest = number if is_head else nearest
        return headings

    @cached_property
    def _headed(self) -> dict[str, list[str]]:
        headed: dict[str, list[str]] = {}
        for number, above in self._headings.items():
            if above:
                headed.setdefault(above[0], []).append(number)
        return headed

    def _is_head(self, number: str) -> bool:
        return (
            number in self._by_number and self._by_number[number].status == "heading" and self.is_leaf(number)
        )

    def section(self, number: str) -> str:
        """Give the section of a rule: its file, without the ending."""
        return self.entry(number).file.removesuffix(".yaml")

    def range(self, first: str, last: str) -> list[Entry]:
        """Give the entries from one number to another, with all that stands under the last.

        Both ends need not exist; at least one entry must lie between. Raises :class:`UnknownRuleError`.
        """
        low, high = ascending(first, last)
        below = last + "."
        found = [
            entry
            for entry, key in zip(self.entries, self._keys, strict=True)
            if low <= key <= high or entry.number.startswith(below)
        ]
        if not found:
            raise UnknownRuleError(f"there are no rules from {first} to {last}", help=self._extent())
        return found

    def keyword(self, name: str) -> Entry:
        """Give the entry that defines a keyword, whatever its case. Raises :class:`UnknownRuleError`."""
        try:
            return self.keywords[name.casefold()]
        except KeyError:
            names = {entry.keyword.name for entry in self.keywords.values() if entry.keyword}
            raise UnknownRuleError(f"there is no keyword {name!r}", help=_close(name, names)) from None

    @cached_property
    def keywords(self) -> dict[str, Entry]:
        """The entries that define keywords, by the keyword's name in small letters."""
        return {entry.keyword.name.casefold(): entry for entry in self.entries if entry.keyword}

    def table(self, name: str) -> Plain:
        """Give the rows of a table: a tuple or a mapping, not to be changed. Raises :class:`UnknownRuleError`.

        Rows that other entries add to the table are among them.
        """
        number = self.table_entry(name).number
        return self._rows[number]

    @cached_property
    def _rows(self) -> dict[str, Plain]:
        """The rows of each table with all that is added to them, by the number of the entry that holds it."""
        found = {entry.number: entry.table.rows for entry in self.tables.values() if entry.table}
        for entry in self.entries:
            if entry.table is not None and entry.table.adds:
                number = self.table_entry(entry.table.name).number
                found[number] = more_rows(found[number], entry.table.rows)
        return found

    def table_entry(self, name: str) -> Entry:
        """Give the entry that holds a table. Raises :class:`UnknownRuleError`."""
        found = self.tables.get(name.casefold())
        if found is None:
            raise UnknownRuleError(f"there is no table {name!r}", help=_close(name, self.tables))
        return found

    @cached_property
    def tables(self) -> dict[str, Entry]:
        """The entries that hold tables, by the table's name in small letters."""
        return {
            entry.table.name.casefold(): entry
            for entry in self.entries
            if entry.table is not None and not entry.table.adds
        }

    def procedure(self, name: str) -> Procedure:
        """Give a procedure. Raises :class:`UnknownRuleError`."""
        found = self.procedures.get(name.casefold())
        if found is None or found.procedure is None:
            raise UnknownRuleError(f"there is no procedure {name!r}", help=_close(name, self.procedures))
        return found.procedure

    @cached_property
    def procedures(self) -> dict[str, Entry]:
        """The entries that hold procedures, by the procedure's name in small letters."""
        return {entry.procedure.name.casefold(): entry for entry in self.entries if entry.procedure}

    def carriers(self, number: str) -> tuple[Carrier, ...]:
        """Give what carries a rule out: its own blocks, what ``by`` names, and the tables and procedures that cite it.

        A row of a table or a step of a procedure that names a rule under ``rule`` is that rule as data.
        """
        return tuple(dict.fromkeys((*self.entry(number).carried_by, *self._citing.get(number, ()))))

    @cached_property
    def _citing(self) -> dict[str, list[Carrier]]:
        """For each number, the tables and procedures of which a row or step names it."""
        found: dict[str, list[Carrier]] = {}
        for entry in self.entries:
            if entry.table is not None:
                for number in _named_rules(entry.table.rows):
                    found.setdefault(number, []).append(Carrier("table", entry.table.name))
            if entry.procedure is not None:
                for number in _named_rules(entry.procedure.steps):
                    found.setdefault(number, []).append(Carrier("procedure", entry.procedure.name))
        return found

    @cached_property
    def referring(self) -> dict[str, tuple[str, ...]]:
        """For each number, the numbers of the rules that refer to it."""
        found: dict[str, list[str]] = {}
        for entry in self.entries:
            for target in entry.see:
                found.setdefault(target, []).append(entry.number)
        return {target: tuple(numbers) for target, numbers in found.items()}

    def resolve(self, reference: str) -> list[Entry]:
        """Give the entries that a text names: a number, a range, a keyword, a term, or several with commas between.

        Raises :class:`UnknownRuleError` with what was probably meant.
        """
        parts = [part.strip() for part in reference.split(",")]
        if len(parts) > 1 and all(parts):
            return list(dict.fromkeys(entry for part in parts for entry in self.resolve(part)))
        match named_numbers(reference):
            case (number,):
                return [self.entry(number)]
            case (first, last):
                return self.range(first, last)
        text = reference.strip().rstrip(".")
        if not text:
            raise UnknownRuleError(
                "nothing is named to look up", help="name a number, a range, a keyword or a term"
            )
        numbers = self.terms.get(_folded(text))
        if numbers is None:
            raise UnknownRuleError(
                f"no rule is called {text!r}",
                help=_close(text, self._spellings) or "search for it: rulewright rules search",
            )
        return [self._by_number[number] for number in numbers]

    @cached_property
    def terms(self) -> dict[str, list[str]]:
        """Every word or phrase that leads to rules: keywords, terms, titles, tables and procedures, in folded form."""
        named: dict[str, list[str]] = {}
        for entry in self.keywords.values():
            assert entry.keyword is not None
            head = root(entry.number)
            numbers = [head, entry.number] if head in self._by_number else [entry.number]
            named[_folded(entry.keyword.name)] = list(dict.fromkeys(numbers))
        for term, term_numbers in self.words.terms.items():
            named.setdefault(_folded(term), list(term_numbers))
        for entry in self.entries:
            if entry.status == "heading":
                named.setdefault(_folded(entry.title), [entry.number])
        for group in (self.tables, self.procedures):
            for name, entry in group.items():
                named.setdefault(_folded(name), [entry.number])
        return named

    @cached_property
    def _spellings(self) -> list[str]:
        names = [entry.keyword.name for entry in self.keywords.values() if entry.keyword]
        return list(dict.fromkeys([*names, *self.words.terms, *self.tables, *self.procedures]))

    def search(self, question: str, limit: int = 10) -> list[Hit]:
        """Give the rules that answer a question best, at most ``limit``, one of each group of sub-rules."""
        return self._index.search(question, limit)

    @cached_property
    def _index(self) -> Index:
        return Index.of(self._documents, self.words, self.digest)

    def _documents(self) -> Iterator[Document]:
        for entry in self.entries:
            above = self.parents(entry.number)
            inside = [parent for parent in above if root(parent.number) == root(entry.number)]
            heads = [parent for parent in above if root(parent.number) != root(entry.number)]
            yield Document(
                number=entry.number,
                gist=entry.gist,
                context=" ".join(parent.gist for parent in inside),
                headings=" ".join(parent.title for parent in heads),
                below=" ".join(child.gist for child in self.subtree(entry.number)),
            )

    def _unknown_number(self, number: str) -> UnknownRuleError:
        above = next((known for known in ancestors(number) if known in self._by_number), None)
        if above is not None:
            children = [child.number for child in self.children(above)]
            under = f"under {above} are {_listed(children)}" if children else f"{above} has no sub-rules"
            return UnknownRuleError(f"there is no rule {number}", help=under)
        return UnknownRuleError(
            f"there is no rule {number}", help=_close(number, self._by_number) or self._extent()
        )

    def _extent(self) -> str | None:
        if not self.entries:
            return None
        return f"the rules run from {self.entries[0].number} to {self.entries[-1].number}"


def named_numbers(reference: str) -> tuple[str] | tuple[str, str] | None:
    """Give the number, or the two ends of the range, that a reference is; nothing where it is words.

    >>> named_numbers("Rule 809.1.C."), named_numbers("805 - 829"), named_numbers("Deflect")
    (('809.1.c',), ('805', '829'), None)
    """
    text = _PREFIX.sub("", reference.strip()).rstrip(".").lower()
    if match := _RANGE.fullmatch(text):
        return match["first"].rstrip("."), match["last"].rstrip(".")
    return (text,) if is_number(text) else None


def ascending(first: str, last: str) -> tuple[Key, Key]:
    """Give what the ends of a range are ordered by. Raises :class:`UnknownRuleError` where it runs downwards."""
    low, high = sort_key(first), sort_key(last)
    if low > high:
        raise UnknownRuleError(
            f"a range runs upwards, and {first} stands after {last}", help=f"did you mean {last}-{first}?"
        )
    return low, high


def _named_rules(plain: Plain) -> Iterator[str]:
    """Yield the numbers that rows or steps have under ``rule``."""
    if isinstance(plain, Mapping):
        for key, value in plain.items():
            if key == "rule":
                yield from (value,) if isinstance(value, str) else value
            else:
                yield from _named_rules(value)
    elif isinstance(plain, tuple):
        for value in plain:
            yield from _named_rules(value)


def _heads_of(file: str) -> Iterator[str]:
    """Yield the numbers that begin the names of a file and of the folders it is in, the innermost first."""
    for name in reversed(file.removesuffix(".yaml").split("/")):
        number = name.partition("-")[0]
        if is_number(number):
            yield number


def _folded(text: str) -> str:
    """Fold spellings of one term together: case, hyphens and spaces, a leading article, a plural's s."""
    words = re.sub(r"[\W_]+", " ", text.casefold()).split()
    if len(words) > 1 and words[0] in ("the", "a", "an"):
        words = words[1:]
    joined = "".join(words)
    return joined[:-1] if len(joined) > 3 and joined.endswith("s") and not joined.endswith("ss") else joined


def _close(name: str, known: Iterable[str]) -> str | None:
    spellings = {spelling.casefold(): spelling for spelling in known}
    close = difflib.get_close_matches(name.casefold(), spellings, n=2, cutoff=0.7)
    if not close:
        return None
    return "did you mean " + " or ".join(spellings[match] for match in close) + "?"


def _listed(numbers: Sequence[str], at_most: int = 8) -> str:
    if len(numbers) <= at_most:
        return ", ".join(numbers)
    return f"{numbers[0]} to {numbers[-1]}"
