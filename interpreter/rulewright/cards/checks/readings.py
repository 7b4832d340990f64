"""Texts that can be read in two ways: by the grammar, or by people where English has no settled habit.

The grammar takes what stands behind a list ("a unit or gear from your trash") to be said of all that the list names.
A reader may take it to be said of the last. Both are shown in plain words, and how to say either so that nobody asks.
What stands before a list ("a friendly unit or gear") is said of all of it by everybody.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rulewright.cards.checks.findings import made
from rulewright.language import ast
from rulewright.language.doubts import doubts, settled
from rulewright.language.outcome import Diagnostic
from rulewright.language.tree import walk

if TYPE_CHECKING:
    from rulewright.language import Vocabulary

_BEHIND = (
    ast.From,
    ast.At,
    ast.StatIs,
    ast.TotalIs,
    ast.HasKeyword,
    ast.Chooses,
    ast.That,
    ast.AttachedTo,
    ast.Alongside,
)
"""Filters that a text names behind the noun; others stand before it."""


_MESSAGES = {
    "antecedent": "this can mean two things that were spoken of before",
    "may": "“may” can reach over all of these steps, or over the first",
    "cost": "“cost” is Energy and Power together; it can be meant of one of them",
    "time": "the time can be that of the effect, or of what is described",
}
"""What is told of each kind of doubt."""


def reading_diagnostics(
    readings: tuple[ast.CardText, ...], text: str, words: "Vocabulary | None", card: str = ""
) -> Iterator[Diagnostic]:
    """Yield a warning for each place where a text has two readings.

    What is settled for a card by its name (``grammar/doubts.yaml``) is not told.
    """
    for doubt in doubts(readings[0], text):
        if card not in settled(doubt.kind):
            yield _two(text, doubt.span, doubt.taken, doubt.other, words, _MESSAGES[doubt.kind])
    if len(readings) > 1:
        yield _two(text, (0, len(text)), readings[0], readings[1], words, "this can be read in two ways")
        return
    for _, node in walk(readings[0]):
        if isinstance(node, ast.Objects) and len(node.nouns) > 1:
            behind = tuple(one for one in node.filters if _stands_behind(one, node, text))
            if behind:
                yield _list_with_tail(node, behind, text, words)


def _stands_behind(one: ast.Filter, node: ast.Objects, text: str) -> bool:
    if isinstance(one, ast.ControlledBy):
        said = text[slice(*node.span)] if node.span else ""
        return said.endswith(("control", "own"))
    return isinstance(one, _BEHIND)


def _list_with_tail(
    node: ast.Objects, behind: tuple[ast.Filter, ...], text: str, words: "Vocabulary | None"
) -> Diagnostic:
    before = tuple(one for one in node.filters if one not in behind)
    each = [replace(node, nouns=(noun,)) for noun in node.nouns]
    last_only = [*(replace(one, filters=before) for one in each[:-1]), each[-1]]
    conjunction = "or" if node.quantity.rule in ("exactly", "up-to", "any") else "and"
    return _two(
        text,
        node.span or (0, len(text)),
        ast.Group(tuple(each), conjunction),
        ast.Group(tuple(last_only), conjunction),
        words,
        "what stands behind the list can be said of all of it, or of the last",
    )


def _two(
    text: str,
    span: tuple[int, int],
    first: ast.Node,
    second: ast.Node,
    words: "Vocabulary | None",
    message: str,
) -> Diagnostic:
    one, other = _plainly(first, words), _plainly(second, words)
    notes = (f"1: {one} (this is how it is read)", f"2: {other}")
    help_text = f"write “{one}” for the first" if text[slice(*span)] != one else None
    return made("RW201", message, span, notes=notes, help=help_text)


def _plainly(node: ast.Node, words: "Vocabulary | None") -> str:
    from rulewright.language.print import UnprintableError, describe

    try:
        plain = describe(node, words)
        return plain[1:-1] if plain.startswith("(") and plain.endswith(")") else plain
    except UnprintableError:
        return "a reading that has no plain words"
