"""How much words mean: a number, a count, a figure of something, "that much"."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.engine.query.select.events import happened
from rulewright.engine.query.select.places import source_is_unknown
from rulewright.engine.query.select.words import amount, players, refs
from rulewright.engine.state.objects import Scope
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def _number(run: "Run", node: ast.Number, scope: Scope, path: str) -> int | None:
    return node.value


def _any_amount(run: "Run", node: ast.AnyAmount, scope: Scope, path: str) -> int | None:
    found = scope.bindings.get(path)
    return found if isinstance(found, int) else 0


def _count(run: "Run", node: ast.CountOf, scope: Scope, path: str) -> int | None:
    if isinstance(node.what, ast.Player):
        return len(players(run, node.what, scope, f"{path}.what"))
    return len(refs(run, node.what, scope, f"{path}.what"))


def _stat_of(run: "Run", node: ast.StatOf, scope: Scope, path: str) -> int | None:
    if isinstance(node.of, ast.Player):
        found = players(run, node.of, scope, f"{path}.of")
        return run.resource(found[0], node.stat) if found else None
    keyword = run.own_keyword(scope, node)
    if keyword is not None:
        return keyword
    if isinstance(node.of, ast.Self) and source_is_unknown(run, scope):
        return None
    referents = refs(run, node.of, scope, f"{path}.of")
    values = [run.stat(ref, node.stat) for ref in referents if ref > 0]
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _highest(run: "Run", node: ast.Highest, scope: Scope, path: str) -> int | None:
    values = [run.stat(ref, node.stat) for ref in refs(run, node.among, scope, f"{path}.among")]
    known = [value for value in values if value is not None]
    return (min(known) if node.lowest else max(known)) if known else 0


def _total_of(run: "Run", node: ast.TotalOf, scope: Scope, path: str) -> int | None:
    return sum(run.stat(ref, node.stat) or 0 for ref in refs(run, node.of, scope, f"{path}.of"))


def _times(run: "Run", node: ast.Times, scope: Scope, path: str) -> int | None:
    left = amount(run, node.amount, scope, f"{path}.amount")
    right = amount(run, node.times, scope, f"{path}.times")
    return None if left is None or right is None else left * right


def _plus(run: "Run", node: ast.Plus, scope: Scope, path: str) -> int | None:
    left = amount(run, node.left, scope, f"{path}.left")
    right = amount(run, node.right, scope, f"{path}.right")
    if left is None or right is None:
        return None
    return left - right if node.minus else left + right


def _beyond(run: "Run", node: ast.Beyond, scope: Scope, path: str) -> int | None:
    whole = amount(run, node.amount, scope, f"{path}.amount")
    first = amount(run, node.first, scope, f"{path}.first")
    return None if whole is None or first is None else max(0, whole - first)


def _that_much(run: "Run", node: ast.ThatMuch, scope: Scope, path: str) -> int | None:
    if node.antecedent is not None:
        for name in (f"{node.antecedent}:much", node.antecedent):
            found = scope.bindings.get(name)
            if isinstance(found, int):
                return found
    for name in ("much", "event.amount"):
        found = scope.bindings.get(name)
        if isinstance(found, int):
            return found
    return None


def _event_count(run: "Run", node: ast.EventCount, scope: Scope, path: str) -> int | None:
    return len(happened(run, node.event, node.window, scope, f"{path}.event"))


def _at_least(run: "Run", node: ast.AtLeast, scope: Scope, path: str) -> int | None:
    return amount(run, node.amount, scope, f"{path}.amount")


def _tag_count(run: "Run", node: ast.TagCount, scope: Scope, path: str) -> int | None:
    found = [run.traits(ref).tags for ref in refs(run, node.among, scope, f"{path}.among")]
    return sum(any(tag in tags for tags in found) for tag in node.tags)


AMOUNTS: dict[type, Callable[["Run", Any, Scope, str], int | None]] = {
    ast.Number: _number,
    ast.AnyAmount: _any_amount,
    ast.CountOf: _count,
    ast.StatOf: _stat_of,
    ast.Highest: _highest,
    ast.TotalOf: _total_of,
    ast.Times: _times,
    ast.Plus: _plus,
    ast.Beyond: _beyond,
    ast.ThatMuch: _that_much,
    ast.AtLeast: _at_least,
    ast.TagCount: _tag_count,
    ast.EventCount: _event_count,
}


def compares(left: int | None, op: str, right: int | None) -> bool:
    """Compare two amounts; anything compared with "null" is false (359.3.e.12)."""
    if left is None or right is None:
        return False
    return _OPERATORS[op](left, right)


_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "=": lambda a, b: a == b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


def enough(run: "Run", what: Any, found: int, scope: Scope, path: str) -> bool:
    """Tell whether so many were found as are asked for: "a unit", "two or more units", "no units"."""
    if isinstance(what, ast.Objects) and what.quantity.amount is not None:
        wanted = amount(run, what.quantity.amount, scope, f"{path}.quantity.amount") or 0
        rule = what.quantity.rule
        if rule in ("up-to", "at-most"):
            return found <= wanted
        if rule == "exact":
            return found == wanted
        if rule == "exactly" and wanted != 1 and not isinstance(what.quantity.amount, ast.Number):
            return found == wanted
        return found >= wanted
    if isinstance(what, ast.Objects) and what.quantity.rule == "none":
        return found == 0
    return found > 0
