"""The grammar files: no word that says something may be left out, and every alternative is one the builder knows."""

from rulewright.language.grammar import load_grammar
from rulewright.language.reading.paragraphs import ParagraphBuilder

DENIALS = {"NOT", "NO"}
PASSED_ON = {"ability", "adjective", "clause", "np", "rel", "value"}
"""Rules that hand on what they hold."""


def test_no_denial_is_lost_on_the_way_to_the_builder() -> None:
    # Two forms of one alternative that differ in "not" alone reach the builder as the same thing.
    forms: dict[str, list[list[str]]] = {}
    for rule in load_grammar("riftbound").rules:
        if rule.alias and not rule.options.keep_all_tokens:
            forms.setdefault(rule.alias, []).append([symbol.name for symbol in rule.expansion])
    lost = [
        alias
        for alias, found in forms.items()
        for form in found
        if DENIALS & set(form) and [word for word in form if word not in DENIALS] in found
    ]
    assert lost == []


def test_every_alternative_is_known_to_the_builder() -> None:
    names = {rule.alias or rule.origin.name for rule in load_grammar("riftbound").rules}
    own = {name for name in names if not name.startswith("_")} - PASSED_ON
    assert [name for name in sorted(own) if not hasattr(ParagraphBuilder, name)] == []
