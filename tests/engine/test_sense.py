"""A meaning that leaves out what it needs is refused with the reason, and every text of the game has what it needs."""

import pytest

from rulewright.engine.program.sense import nonsense
from rulewright.language import ast, parse
from rulewright.language.tree import at, replace


def meaning(text: str) -> ast.CardText:
    reading = parse(text)
    assert reading.text is not None, text
    return reading.text


@pytest.mark.parametrize(
    ("text", "path", "changes", "reason"),
    [
        (
            "The third time I move each turn, draw 1.",
            "abilities.0.events.0",
            {"window": None},
            "counted in each turn",
        ),
        (
            "While you've discarded a card this turn, I have [Tank].",
            "abilities.0.condition",
            {"window": None},
            "since when",
        ),
        (
            "I cost [1] less for each point you scored this turn.",
            "abilities.0.effects.0.per",
            {"window": None},
            "since when",
        ),
        (
            "If a friendly unit has died during your Beginning Phase this turn, I enter ready.",
            "abilities.0.condition.window",
            {"this_turn": False},
            "phase of another turn",
        ),
        (
            "I can move from a battlefield to another battlefield.",
            "abilities.0.effects.0.action.source.quantity.amount",
            {"value": 2},
            "at one place",
        ),
        (
            "You may play me to a battlefield where you control units.",
            "abilities.0.effects.0.action.to.quantity",
            {"rule": "none"},
            "several or none",
        ),
        (
            "While you've played another card this turn, I have [Tank].",
            "abilities.0.condition.event.action.object.quantity",
            {"rule": "none"},
            "is not done",
        ),
        (
            "When I conquer, play a unit from your hand, reducing its cost by [2].",
            "abilities.0.body.cost",
            {"change": "more"},
            "not dearer",
        ),
        (
            "Reveal the top 2 cards of your Main Deck.",
            "abilities.0.body.object.zone",
            {"edge": None},
            "which end",
        ),
        (
            "When you hold here, activate the conquer effects of units here.",
            "abilities.0.body.object",
            {"quantity": None},
            "which of several",
        ),
        (
            "I must be assigned combat damage first.",
            "abilities.0.effects.0.action",
            {"object": None},
            "only combat damage",
        ),
    ],
)
def test_a_meaning_without_what_it_needs_is_refused(
    text: str, path: str, changes: dict[str, object], reason: str
) -> None:
    right = meaning(text)
    assert nonsense(right) is None
    (name, value), *_ = changes.items()
    node = at(right, path)
    fields = {slot: getattr(node, slot) for slot in type(node).__slots__}
    wrong = replace(right, path, type(node)(**{**fields, name: value}))
    assert isinstance(wrong, ast.CardText)
    assert reason in str(nonsense(wrong))


def test_what_a_keyword_does_has_to_do_with_its_own_object() -> None:
    assert nonsense(meaning("Your units have +1 [M]."), is_keyword=True) is not None
    assert nonsense(meaning("Your units have +1 [M].")) is None
    assert nonsense(meaning("I have +1 [M]."), is_keyword=True) is None
