"""What a check finds: a diagnostic with its place in a file, the card it is about, and how it is put right."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Literal, TypeAlias

from rulewright.data_files import DataFileError, Plain, Problem, parse
from rulewright.errors import UsageError
from rulewright.language.outcome import Diagnostic, Fix
from rulewright.paths import shared_data

Severity: TypeAlias = Literal["error", "warning"]
"""How bad a finding is: with an error a card cannot be used, a warning should be looked at."""


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a file: first line and column, and the line and column behind its end, all counted from 1."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found in a file.

    ``diagnostic`` says what, with a span in the card's text where it is about a text; ``place`` where in the file;
    ``card`` and ``key`` which card's which key, empty where it is about the file.
    """

    file: str
    place: Place
    diagnostic: Diagnostic
    card: str = ""
    key: str = ""

    @property
    def code(self) -> str:
        """The code of the diagnostic."""
        return self.diagnostic.code

    @property
    def is_error(self) -> bool:
        """Whether the severity is that of an error."""
        return self.diagnostic.severity == "error"

    @property
    def fix(self) -> Fix | None:
        """The change that puts it right, where one is known."""
        return self.diagnostic.fix


@dataclass(frozen=True, slots=True)
class Page:
    """The page of a code: what it means, a bad and a good example, how to put it right.

    ``bad`` and ``good`` are files or lists of cards in YAML, empty where no text can show it.
    ``fixable`` says whether ``--fix`` puts it right: always, sometimes or never.
    """

    code: str
    name: str
    severity: Severity
    title: str
    about: str
    bad: str
    good: str
    repair: str
    fixable: Literal["always", "sometimes", "never"]
    rule: str | None = None


FOLDER = "grammar/diagnostics"
"""The folder of the pages, in the data folder."""


@cache
def pages() -> Mapping[str, Page]:
    """Give the page of every code, in the order of the codes."""
    found: dict[str, Page] = {}
    for path in sorted(shared_data(FOLDER).glob("*.yaml")):
        for plain in parse(path.read_bytes(), path.name).plain:
            page = Page(**{"bad": "", "good": "", **plain})
            if page.code in found:
                raise DataFileError([Problem(path.name, f"the code {page.code} has two pages")])
            found[page.code] = page
    return found


def page(code: str) -> Page:
    """Give the page of a code or of its name, in any case of letters; raises :class:`UsageError` with the nearest."""
    from difflib import get_close_matches

    known = pages()
    wanted = code.strip().casefold()
    for one in known.values():
        if wanted in (one.code.casefold(), one.name):
            return one
    names = {name.casefold(): name for one in known.values() for name in (one.code, one.name)}
    close = get_close_matches(wanted, names, 2, 0.5)
    hint = f"did you mean {' or '.join(names[one] for one in close)}?" if close else None
    raise UsageError(f"there is no diagnostic {code!r}", help=hint or "rulewright explain lists them all")


def made(code: str, message: str, span: tuple[int, int] = (0, 0), **parts: Plain) -> Diagnostic:
    """Make a diagnostic with the severity that its page says."""
    return Diagnostic(code, pages()[code].severity, span, message, **parts)


def diagnostic_to_plain(one: Diagnostic) -> dict[str, Plain]:
    """Give a diagnostic as plain data; see :func:`diagnostic_from_plain`."""
    return asdict(one)


def diagnostic_from_plain(plain: Mapping[str, Plain]) -> Diagnostic:
    """Make a diagnostic from what :func:`diagnostic_to_plain` gave, also after it was JSON."""
    fix = plain["fix"]
    return Diagnostic(
        **{
            **plain,
            "span": tuple(plain["span"]),
            "expected": tuple(plain["expected"]),
            "notes": tuple(plain["notes"]),
            "fix": Fix(tuple(fix["span"]), fix["text"], fix["safe"]) if fix else None,
        }
    )
