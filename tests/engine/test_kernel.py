"""The kernel is small, and is all that is not data: its primitives name their rules, and the rules name them."""

from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from typing import Any

from rulewright.engine import Ruleset
from rulewright.engine.kernel import KINDS, MECHANISMS, catalogue


def test_the_kernel_has_few_primitives_and_each_names_its_rules(ruleset: Ruleset) -> None:
    primitives = catalogue()
    assert 40 <= len(primitives) <= 160
    for one in primitives.values():
        assert set(one.kinds) <= set(KINDS), one
        assert one.about.endswith("."), one
        assert one.rules, one
        assert [number for number in one.rules if number not in ruleset.rules] == [], one


def test_each_mechanism_is_a_function_of_the_project() -> None:
    for name, (where, _, _) in MECHANISMS.items():
        assert callable(_found(where)), name


def _found(where: str) -> Any:
    for package in ("rulewright.engine", "rulewright"):
        steps = where.split(".")
        for end in range(len(steps) - 1, 0, -1):
            try:
                module = import_module(".".join([package, *steps[:end]]))
            except ModuleNotFoundError:
                continue
            return reduce(getattr, steps[end:], module)
    raise AssertionError(where)


def test_what_an_entry_is_carried_out_by_is_a_primitive_of_the_kernel(ruleset: Ruleset) -> None:
    primitives = catalogue()
    named = {
        (entry.number, carrier.name)
        for entry in ruleset.rules
        for carrier in entry.carried_by
        if carrier.kind == "primitive"
    }
    assert {pair for pair in named if pair[1] not in primitives} == set()


def test_each_primitive_is_used_by_a_procedure_or_named_by_an_entry(ruleset: Ruleset) -> None:
    used = {
        carrier.name for entry in ruleset.rules for carrier in entry.carried_by if carrier.kind == "primitive"
    }
    for entry in ruleset.rules:
        for step in entry.procedure.steps if entry.procedure is not None else ():
            used.update(_used(step))
    assert sorted(catalogue().keys() - used) == []


def _used(step: Any) -> Iterator[str]:
    if "do" in step:
        yield step["do"]
    for key in ("when", "until"):
        words = step.get(key, ())
        yield from (word.removeprefix("not ") for word in ([words] if isinstance(words, str) else words))


def test_each_meaning_of_the_rules_is_read(ruleset: Ruleset) -> None:
    for name, entry in ruleset.rules.keywords.items():
        assert entry.keyword is not None
        for position in range(len(entry.keyword.means)):
            assert ruleset.text(f"keyword:{name}/{position}").abilities, entry.number
    for entry in ruleset.rules:
        for position in range(len(entry.means)):
            assert ruleset.text(f"rule:{entry.number}/{position}").abilities, entry.number
