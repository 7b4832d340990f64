"""Reads public exports of cards into sets: finds the format, takes the facts and the text, tells what it left out.

Every row of an export becomes a card, another printing of one, or is left out for a reason that is told: the three
numbers add up to the rows, or nothing is given. Nothing is repaired silently.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.cards.card import CardDefinition
from rulewright.cards.export_files import ExportError, export_plain
from rulewright.cards.formats import Format, Imports, values
from rulewright.cards.markup import plain_lines
from rulewright.cards.pool import Pool
from rulewright.data_files import Plain


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row, or something of one, that is in no set file: what it is, and why."""

    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class Import:
    """What was made of an export.

    ``sets`` maps each set's code to its cards; ``rows`` counts the export's rows, ``printings`` those that only print
    a card again; ``left_out`` are the other rows that became no card; ``remarks`` is what else a reader should know.
    """

    format: str
    rows: int
    printings: int
    sets: Mapping[str, tuple[CardDefinition, ...]]
    set_names: Mapping[str, str]
    left_out: tuple[LeftOut, ...]
    remarks: tuple[LeftOut, ...]

    @property
    def cards(self) -> int:
        """How many cards the sets have."""
        return sum(len(cards) for cards in self.sets.values())


def read_export(
    content: bytes, file: str, imports: Imports, *, only_set: str | None = None, facts: Pool | None = None
) -> Import:
    """Read an export: JSON, JSON lines, CSV, or the saved page of the gallery.

    ``only_set`` keeps the cards of one set, and names the set of rows that name none. ``facts`` are cards from which
    the facts are taken where the format has only texts. Raises :class:`ExportError`.
    """
    parsed = export_plain(content, file)
    format_, rows = _detected(parsed, imports, file)
    _check_total(parsed, format_, rows, file)
    reader = _Reader(format_, imports, only_set, facts)
    for position, row in enumerate(rows, start=1):
        reader.take(row, f"row {position}")
    return reader.result(len(rows), file)


def plain_rows(content: bytes, file: str, fields: Sequence[str]) -> list[Mapping[str, Plain]]:
    """Give the rows of a list that all have some fields. Raises :class:`ExportError`."""
    parsed = export_plain(content, file)
    for rows in _lists([parsed] if isinstance(parsed, dict) else parsed):
        if all(isinstance(row, dict) and all(row.get(field) is not None for field in fields) for row in rows):
            return rows
    raise ExportError(f"this is no list of rows with {', '.join(fields)}", place=file)


# --------------------------------------------------------------------------------------- which format it is


def _detected(parsed: Plain, imports: Imports, file: str) -> tuple[Format, list[Plain]]:
    lists = list(_lists([parsed] if isinstance(parsed, dict) else parsed))
    for format_ in imports.formats:
        # A list belongs to a format where its first row fits; a row that does not fit is left out by name later.
        rows = [row for rows in lists if any(format_.fits(row) for row in rows[:3]) for row in rows]
        if rows:
            return format_, rows
    known = ", ".join(f"{format_.name} ({format_.about})" for format_ in imports.formats)
    raise ExportError("this is no export that is known", place=file, help=f"known are: {known}")


def _lists(parsed: Plain, depth: int = 0) -> Iterator[list[Plain]]:
    if depth > 12:
        return
    if isinstance(parsed, list):
        if parsed and isinstance(parsed[0], dict):
            yield parsed
        children: Iterable[Plain] = parsed
    else:
        children = parsed.values() if isinstance(parsed, dict) else ()
    for child in children:
        if isinstance(child, dict | list):
            yield from _lists(child, depth + 1)


def _check_total(parsed: Plain, format_: Format, rows: Sequence[Plain], file: str) -> None:
    if format_.total is None:
        return
    pages = parsed if isinstance(parsed, list) else [parsed]
    totals = [total for page in pages for total in values(page, format_.total)]
    if totals and max(totals) != len(rows):
        raise ExportError(
            f"the export says that it has {max(totals)} rows, and {len(rows)} are here",
            place=file,
            help="put all its pages into one file, as a list of pages",
        )


# ----------------------------------------------------------------------------------------- rows into cards


@dataclass(slots=True)
class _Reader:
    """Takes the rows of one export, one after the other."""

    format: Format
    imports: Imports
    only_set: str | None
    facts: Pool | None
    cards: dict[str, CardDefinition] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    set_names: dict[str, str] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    remarks: list[LeftOut] = field(default_factory=list)
    fields: set[str] = field(default_factory=set)
    printings: int = 0

    def take(self, row: Plain, where: str) -> None:
        """Make a row a card, a printing of one, or something left out."""
        flat = self._flat(row)
        self.fields.update(map(str, flat) if isinstance(flat, dict) else ())
        try:
            card, is_variant = self._card(flat, where)
        except _UnusedRowError as reason:
            self.left_out.append(LeftOut(reason.what or where, reason.why))
            return
        if self.only_set is not None and card.set != self.only_set:
            self.left_out.append(
                LeftOut(f"{card.name} ({card.code})", f"it is not of the set {self.only_set}")
            )
            return
        known = self.cards.get(card.name)
        if known is None:
            self.cards[card.name] = card
            self._note_code(card)
        else:
            self._print_again(known, card, is_variant)

    def result(self, rows: int, file: str) -> Import:
        """Give what was made of all rows; raises where the numbers do not fit."""
        sets: dict[str, list[CardDefinition]] = {}
        for card in self.cards.values():
            sets.setdefault(card.set, []).append(card)
        made = Import(
            format=self.format.name,
            rows=rows,
            printings=self.printings,
            sets={code: tuple(sorted(cards, key=_by_number)) for code, cards in sorted(sets.items())},
            set_names={
                code: self.imports.set_names.get(code, self.set_names.get(code, code)) for code in sets
            },
            left_out=tuple(self.left_out),
            remarks=(*self._absent(), *self.remarks),
        )
        accounted = made.cards + made.printings + len(made.left_out)
        if accounted != rows:
            raise ExportError(f"of {rows} rows {accounted} are accounted for", place=file)
        if not made.cards:
            reasons = Counter(one.reason for one in made.left_out).most_common(3)
            why = "; ".join(f"{count} rows: {reason}" for reason, count in reasons)
            raise ExportError(f"no card could be made of the {rows} rows", place=file, help=why or None)
        return made

    def _absent(self) -> Iterator[LeftOut]:
        for fact, reason in self.format.lacks.items():
            if fact == "type" or not any(card.figure(fact) is not None for card in self.cards.values()):
                yield LeftOut(f"{fact} of every card", reason)
        used = {re.split(r"[.\[]", path)[0] for paths in self.format.fields.values() for path in paths}
        used |= {self.format.named_values["in"]} if self.format.named_values else set()
        for name in sorted(self.fields - used):
            yield LeftOut(
                f"field {name}", self.format.left_out.get(name, "nothing is known about this field")
            )

    def _flat(self, row: Plain) -> Plain:
        named = self.format.named_values
        if named is None or not isinstance(row, dict):
            return row
        pairs = row.get(named["in"], ())
        return {
            **row,
            **{pair.get(named["name"]): pair.get(named["value"]) for pair in pairs if isinstance(pair, dict)},
        }

    def _card(self, row: Plain, where: str) -> tuple[CardDefinition, bool]:
        if not isinstance(row, dict):
            raise _UnusedRowError("it is not a row with fields", where)
        said, variant = self._name(row)
        if not said:
            raise _UnusedRowError("it has no name", where)
        where = f"{where}, {said}"
        code, number = self._code(row, where)
        text = self._text(row, "text", said)
        types, supertypes, token = self._kind(row)
        if not types:
            known = self.facts[said] if self.facts is not None and said in self.facts else None
            if known is None:
                raise _UnusedRowError("it does not say what type of card it is", where)
            return replace(known, set=code, number=number, printings=(), text=text), variant
        tags = self._words(row, "tags", lower=False)
        if self.format.title_only in types and tags and "," not in said:
            said = f"{tags[0]}, {said}"
        domains = self._words(row, "domains")
        card = CardDefinition(
            name=said,
            types=types,
            supertypes=supertypes,
            domains=tuple(domain for domain in domains if domain not in self.imports.colourless),
            figures=self._figures(row, where),
            tags=tuple(tags),
            text=text,
            effect_text=self._text(row, "effect_text", said),
            token=token,
            set=code,
            number=number,
            rarity="-".join(next(iter(self._words(row, "rarity")), "").split()),
            printings=tuple(self._words(row, "printings", lower=False)),
        )
        self._check_halves(card, where)
        return card, variant

    def _check_halves(self, card: CardDefinition, where: str) -> None:
        tag, figure = self.imports.half_tag, self.imports.half_figure
        if tag in card.tags and figure is not None and card.figure(figure) is None:
            raise _UnusedRowError(f"it is {tag}, and this export does not say what it gives", where)

    def _name(self, row: Plain) -> tuple[str, bool]:
        said = str(self._first(row, "name") or "").strip()
        said, variant = self._without_variant(said)
        subtitle = str(self._first(row, "subtitle") or "").strip()
        if subtitle and subtitle.casefold() not in said.casefold():
            said = f"{said}, {subtitle}"
        # "Champion - Title" is how several lists write "Champion, Title" (132.4).
        return re.sub(r"\s+[-–—]\s+", ", ", said, count=1), variant

    def _without_variant(self, said: str) -> tuple[str, bool]:
        variant = False
        while found := re.search(r"\s*\(([^()]*)\)$", said):
            if found[1].strip() not in self.imports.variants and not re.fullmatch(r"\d+[a-z]?\*?", found[1]):
                break
            said, variant = said[: found.start()], True
        return said, variant

    def _code(self, row: Plain, where: str) -> tuple[str, str]:
        code, number = "", ""
        for fact in ("set", "number"):
            said = str(self._first(row, fact) or "").strip()
            split = _split_code(said)
            if split is not None:
                code, number = code or split[0], split[1] if fact == "number" else number
            elif fact == "set":
                code = self._set_code(said)
            elif number_said := re.match(r"[A-Z]{0,3}\d+[a-z]?\*?", said):
                number = number_said[0]
        label = str(self._first(row, "set_name") or "").strip()
        code = code or self._set_code(label) or self.only_set or ""
        if not code:
            raise _UnusedRowError(
                f"its set {label!r} is not known" if label else "it does not say its set", where
            )
        if label and self._set_code(label) != label:
            self.set_names.setdefault(code, label)
        return code, number

    def _set_code(self, said: str) -> str:
        known = self.imports.set_codes.get(said.casefold())
        if known is None and re.fullmatch(r"[A-Za-z0-9]{2,6}", said):
            return said.upper()
        return known or ""

    def _kind(self, row: Plain) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
        said = [*self._words(row, "supertypes"), *self._words(row, "type")]
        words = list(dict.fromkeys(word for words in said for word in words.split()))
        types = tuple(word for word in words if word in self.imports.types)
        others = tuple(word for word in words if word not in types and word != self.imports.token)
        return types, others, self.imports.token in words

    def _figures(self, row: Plain, where: str) -> tuple[tuple[str, int], ...]:
        figures: dict[str, int] = {}
        for fact in ("energy", "might", "might_bonus", "power"):
            said = self._first(row, fact)
            if said is None or str(said).strip() in ("", "-", "—"):
                continue
            number = re.fullmatch(r"\+?(\d+)(?:\.0)?", str(said).strip())
            if number is None:
                raise _UnusedRowError(f"its {fact} {said!r} is no number", where)
            figures[fact] = int(number[1])
        return tuple(figures.items())

    def _words(self, row: Plain, fact: str, *, lower: bool = True) -> list[str]:
        found: list[Plain] = []
        for path in self.format.fields.get(fact, ()):
            found = [
                item
                for value in values(row, path)
                for item in (value if isinstance(value, list) else [value])
            ]
            if found:
                break
        words = [
            word.strip() for item in found if item is not None for word in re.split(r"[;,/|]", str(item))
        ]
        return list(dict.fromkeys(word.lower() if lower else word for word in words if word))

    def _text(self, row: Plain, fact: str, name: str) -> str:
        said = str(self._first(row, fact) or "")
        text = plain_lines(said) if self.format.html else said.strip()
        for fixup in self.imports.fixups:
            if fixup.card == name and fixup.find in text:
                text = text.replace(fixup.find, fixup.put)
                self.remarks.append(LeftOut(f"{name}: {fixup.find!r} is read as {fixup.put!r}", fixup.reason))
        return text

    def _first(self, row: Plain, fact: str) -> Plain:
        found = (value for path in self.format.fields.get(fact, ()) for value in values(row, path))
        return next((value for value in found if value not in (None, "")), None)

    def _note_code(self, card: CardDefinition) -> None:
        other = self.codes.setdefault(card.code, card.name)
        if card.number and other != card.name:
            raise ExportError(f"{card.name} and {other} have one number, {card.code}", place=self.format.name)

    def _print_again(self, known: CardDefinition, card: CardDefinition, is_variant: bool) -> None:
        self.printings += 1
        if card.code == known.code or card.code in known.printings:
            self.remarks.append(LeftOut(f"{card.name} ({card.code})", "the same printing stands here twice"))
        elif card.number:
            self._note_code(card)
        first, again = (card, known) if _is_later(known, card) and not is_variant else (known, card)
        printings = dict.fromkeys(
            (*first.printings, *again.printings, *([again.code] if again.number else []))
        )
        printings.pop(first.code, None)
        self.cards[card.name] = replace(first, printings=tuple(printings))
        if (first.text, first.effect_text) != (again.text, again.effect_text):
            self.remarks.append(
                LeftOut(f"{again.name} ({again.code})", f"worded otherwise than {first.code}, not used")
            )
        if replace(first, text="", effect_text="") != replace(again, text="", effect_text=""):
            self.remarks.append(
                LeftOut(f"{again.name} ({again.code})", f"other facts than {first.code}, not used")
            )


class _UnusedRowError(Exception):
    """A row becomes no card: ``why`` is the reason, ``what`` names the row."""

    def __init__(self, why: str, what: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.what = what


_CODE = re.compile(r"^([A-Za-z][A-Za-z0-9]{1,5})-([A-Za-z]{0,3}\d+[a-z]?\*?)(?:[-/].*)?$")


def _split_code(said: str) -> tuple[str, str] | None:
    """Split ``OGN-007a/298`` or ``ogn-007a-298`` into set and number."""
    found = _CODE.match(said)
    if found is None:
        return None
    number = re.sub(r"^[a-z]+", lambda letters: letters[0].upper(), found[2])
    return found[1].upper(), number


def _by_number(card: CardDefinition) -> tuple[str, int, str]:
    letters, digits, rest = re.fullmatch(r"([A-Z]*)(\d*)(.*)", card.number).groups()  # type: ignore[union-attr]
    return letters, int(digits or 0), rest or card.name


def _is_later(known: CardDefinition, card: CardDefinition) -> bool:
    """Tell whether the known card is a variant printing (``007a``, ``299*``) of one whose number is plain."""
    return known.set == card.set and not known.number.isdigit() and card.number.isdigit()
