"""The shapes of public exports as data: ``cardtexts/<game>/imports.yaml`` says how each is known and read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.cards.sets import game_folder, read_definition
from rulewright.data_files import Plain
from rulewright.errors import UsageError


@dataclass(frozen=True, slots=True)
class Format:
    """One shape of export.

    ``known_by`` are fields that every row has; ``fields`` says for each fact the paths at which it may lie (the first
    that is there counts); ``lacks`` the facts that it never has, ``left_out`` the fields that are not used, each with
    the reason. ``total`` is where it says how many rows there should be.
    """

    name: str
    about: str
    known_by: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]]
    left_out: Mapping[str, str]
    lacks: Mapping[str, str]
    html: bool = False
    total: str | None = None
    title_only: str | None = None
    named_values: Mapping[str, str] | None = None

    def fits(self, row: Plain) -> bool:
        """Tell whether a row has the fields by which the format is known."""
        return isinstance(row, dict) and all(any(True for _ in values(row, path)) for path in self.known_by)


@dataclass(frozen=True, slots=True)
class Fixup:
    """A slip of an export in one card: ``find`` becomes ``put`` in its text, for a reason that the report tells."""

    card: str
    find: str
    put: str
    reason: str


@dataclass(frozen=True, slots=True)
class Imports:
    """All that reading a game's exports needs to know: its formats, its words, the slips that are known."""

    formats: tuple[Format, ...]
    types: tuple[str, ...]
    token: str
    colourless: tuple[str, ...]
    set_codes: Mapping[str, str]
    set_names: Mapping[str, str]
    released: Mapping[str, str]
    variants: tuple[str, ...]
    errata_posts: Mapping[str, Mapping[str, str]]
    half_tag: str | None
    half_figure: str | None
    fixups: tuple[Fixup, ...]


def load_imports(game: str = "riftbound", root: Path | None = None) -> Imports:
    """Load what is known about a game's exports. Raises :class:`UsageError` where nothing is."""
    path = game_folder(game, root) / "imports.yaml"
    if not path.is_file():
        raise UsageError(f"no export of {game} is known", place=str(path))
    plain = read_definition(path, "imports", root)
    halves = plain.get("halves", {})
    return Imports(
        formats=tuple(_format(one) for one in plain["formats"]),
        types=tuple(plain["types"]),
        token=plain["token"],
        colourless=tuple(plain.get("colourless", ())),
        set_codes={name.casefold(): code for name, code in plain.get("set_codes", {}).items()},
        set_names=plain.get("set_names", {}),
        released=plain.get("released", {}),
        variants=tuple(plain.get("variants", ())),
        errata_posts=plain.get("errata_posts", {}),
        half_tag=halves.get("tag"),
        half_figure=halves.get("figure"),
        fixups=tuple(Fixup(**fixup) for fixup in plain.get("fixups", ())),
    )


def _format(plain: Mapping[str, Plain]) -> Format:
    return Format(
        name=plain["name"],
        about=plain["about"],
        known_by=tuple(plain["known_by"]),
        fields={fact: tuple(paths) for fact, paths in plain["fields"].items()},
        left_out=plain.get("left_out", {}),
        lacks=plain.get("lacks", {}),
        html=plain.get("markup") == "html",
        total=plain.get("total"),
        title_only=plain.get("title_only"),
        named_values=plain.get("named_values"),
    )


def values(row: Plain, path: str) -> Iterator[Plain]:
    """Yield what lies at a path such as ``domain.values[].label``: none, one value, or one for each item of a list.

    >>> list(values({"domain": {"values": [{"label": "Fury"}, {"label": "Calm"}]}}, "domain.values[].label"))
    ['Fury', 'Calm']
    """
    first, _, rest = path.partition(".")
    many = first.endswith("[]")
    key = first.removesuffix("[]")
    if not isinstance(row, dict) or key not in row:
        return
    found = row[key]
    if many and isinstance(found, list):
        for item in found:
            yield from values(item, rest) if rest else (item,)
    elif rest:
        yield from values(found, rest)
    else:
        yield found
