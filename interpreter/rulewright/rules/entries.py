"""What one numbered rule says, as a value: the entry, and the keyword, table or procedure that it may define."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from rulewright.data_files import Plain

Status: TypeAlias = Literal["executable", "definition", "table", "example", "tournament", "heading"]
"""What becomes of an entry; see :data:`STATUSES`."""

STATUSES: tuple[Status, ...] = ("executable", "definition", "table", "example", "tournament", "heading")
"""Every status: carried out in a game, a meaning of words, facts in rows, an example, for organisers, a title."""


CarrierKind: TypeAlias = Literal["keyword", "means", "table", "procedure", "primitive"]
"""What kind of thing carries a rule out; see :class:`Carrier`."""

CARRIER_KINDS: tuple[CarrierKind, ...] = ("keyword", "means", "table", "procedure", "primitive")
"""Every kind of carrier: what is data first, the kernel last."""


@dataclass(frozen=True, slots=True)
class Carrier:
    """What carries a rule out: a keyword's meaning, a text, a table, a procedure, or a primitive of the kernel.

    ``name`` is the keyword, table, procedure or primitive; for ``means`` the number of the entry that has the text.
    """

    kind: CarrierKind
    name: str

    def __str__(self) -> str:
        return self.name if self.kind == "primitive" else f"{self.kind} {self.name}"


def carrier_from(text: str) -> Carrier:
    """Make a carrier from one word of an entry's ``by``: ``table zones``, or a primitive's name alone.

    >>> carrier_from("keyword Deflect"), carrier_from("draw")
    (Carrier(kind='keyword', name='Deflect'), Carrier(kind='primitive', name='draw'))
    """
    kind, _, name = text.partition(" ")
    return Carrier(cast(CarrierKind, kind), name) if name else Carrier("primitive", text)


@dataclass(frozen=True, slots=True)
class KeywordValue:
    """The number that stands after a keyword, such as the 2 of "Assault 2".

    ``default`` is the number where none is printed; nothing where the keyword is never printed without one.
    ``stacks`` says whether several values on one object are added up.
    """

    default: int | None
    stacks: Literal["sum", "none"]


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word that stands for an ability, a permission or a condition.

    ``kinds`` are those of the rules (permissive, dependent, passive, ...), ``means`` is its meaning in the ability
    language, ``cost`` says whether a cost is printed after it, ``governs`` what stands after its [>], ``instances``
    whether several on one object do no more than one.
    """

    name: str
    kinds: tuple[str, ...]
    value: KeywordValue | None
    cost: bool
    governs: Literal["effect", "text"] | None
    instances: Literal["redundant", "separate"] | None
    means: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Facts in rows, read by the table's name. ``rows`` is a tuple or a mapping; not to be changed.

    ``adds`` says that the rows are more of a table that another entry holds.
    """

    name: str
    rows: Plain
    adds: bool = False


@dataclass(frozen=True, slots=True)
class Procedure:
    """A flat list of steps, run by the procedure's name. Each step is a mapping; not to be changed."""

    name: str
    steps: tuple[Mapping[str, Plain], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered rule.

    ``gist`` is the rule in our own words; ``since`` the version that brought it, where that is later than the one
    whose numbers are used; ``see`` the rules it refers to; ``by`` what carries it out that it does not hold itself
    (see :func:`carrier_from`); ``means``
    its meaning in the ability language; ``file`` the file that holds it, below the game's folder.
    """

    number: str
    gist: str
    status: Status
    file: str
    since: str | None = None
    see: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    keyword: Keyword | None = None
    means: tuple[str, ...] = ()
    table: Table | None = None
    procedure: Procedure | None = None

    def __hash__(self) -> int:
        # A table's rows may be a mapping, which has no hash.
        return hash((self.number, self.gist))

    @property
    def title(self) -> str:
        """The gist of a heading as a title: up to its colon, with no full stop.

        >>> Entry("809", "Deflect: opponents pay more.", "heading", "809.yaml").title
        'Deflect'
        """
        return self.gist.partition(":")[0].rstrip(".")

    @property
    def carried_by(self) -> tuple[Carrier, ...]:
        """What the entry itself says of what carries it out: its own blocks, then what ``by`` names.

        A table or a procedure may say more; see :meth:`RulesDatabase.carriers`.
        """
        own: list[Carrier] = []
        if self.keyword is not None and self.keyword.means:
            own.append(Carrier("keyword", self.keyword.name))
        if self.means:
            own.append(Carrier("means", self.number))
        if self.table is not None:
            own.append(Carrier("table", self.table.name))
        if self.procedure is not None:
            own.append(Carrier("procedure", self.procedure.name))
        return tuple(dict.fromkeys((*own, *map(carrier_from, self.by))))


def entry_from(plain: Mapping[str, Plain], file: str) -> Entry:
    """Make an entry from the mapping that a file holds; the mapping has passed the schema."""
    table, procedure = plain.get("table"), plain.get("procedure")
    return Entry(
        number=plain["rule"],
        gist=plain["gist"],
        status=cast(Status, plain["status"]),
        file=file,
        since=plain.get("since"),
        see=tuple(plain.get("see", ())),
        by=tuple(plain.get("by", ())),
        keyword=_keyword_from(plain["keyword"]) if "keyword" in plain else None,
        means=_texts(plain.get("means", ())),
        table=_table_from(table) if table else None,
        procedure=Procedure(procedure["name"], _frozen(procedure["steps"])) if procedure else None,
    )


def _table_from(plain: Mapping[str, Plain]) -> Table:
    return Table(plain["name"], _frozen(plain["rows"]), plain.get("adds", False))


def more_rows(rows: Plain, more: Plain) -> Plain:
    """Give the rows of a table with more of them: lists one after the other, mappings key by key.

    Raises ``ValueError`` with the key that both have, or where one is a list and the other is not.

    >>> more_rows({"a": (1,), "b": {"c": 1}}, {"a": (2,), "b": {"d": 2}})
    {'a': (1, 2), 'b': {'c': 1, 'd': 2}}
    """
    if isinstance(rows, Mapping) and isinstance(more, Mapping):
        made = dict(rows)
        for key, value in more.items():
            try:
                made[key] = more_rows(made[key], value) if key in made else value
            except ValueError as error:
                raise ValueError(f"{key}.{error}" if str(error) else str(key)) from error
        return made
    if isinstance(rows, list | tuple) and isinstance(more, list | tuple):
        return (*rows, *more)
    raise ValueError


def _keyword_from(plain: Mapping[str, Plain]) -> Keyword:
    value = plain.get("value")
    return Keyword(
        name=plain["name"],
        kinds=tuple(plain["kind"]),
        value=KeywordValue(value.get("default"), value["stacks"]) if value else None,
        cost=plain.get("cost", False),
        governs=plain.get("governs"),
        instances=plain.get("instances"),
        means=_texts(plain.get("means", ())),
    )


def _texts(plain: str | Sequence[str]) -> tuple[str, ...]:
    return (plain,) if isinstance(plain, str) else tuple(plain)


def _frozen(plain: Plain) -> Plain:
    if isinstance(plain, Mapping):
        return {key: _frozen(value) for key, value in plain.items()}
    if isinstance(plain, list | tuple):
        return tuple(_frozen(value) for value in plain)
    return plain
