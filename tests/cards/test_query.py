"""Selectors over meanings: each form finds what it should, and a mistake in one is told with its place."""

import re
from pathlib import Path

import pytest

from rulewright.cards import load_pool
from rulewright.cards.query import SelectorError, read_selector, unmet
from rulewright.cards.reading import meanings
from rulewright.language.ast import (
    Action,
    At,
    CardText,
    Event,
    Gated,
    Keyword,
    KeywordAbility,
    May,
    Number,
    Objects,
    Player,
    Quantity,
    Self,
    Sequence,
    Side,
    SpellAbility,
    TriggeredAbility,
)

YOU = Player("you")
ENEMY_THERE = Objects(
    Quantity("exactly", Number(1)),
    ("unit",),
    (Side("enemy"), At(Objects(Quantity("any"), ("battlefield",)))),
)
DYING = CardText(
    (
        KeywordAbility(Keyword("Assault", Number(2))),
        KeywordAbility(Keyword("Tank")),
        TriggeredAbility(
            (Event(Action("conquer", subject=Self())),),
            May(YOU, Action("draw", subject=YOU, amount=Number(1))),
        ),
        Gated(
            Keyword("Deathknell"),
            SpellAbility(
                Sequence((Action("kill", subject=YOU, object=ENEMY_THERE), Action("draw", amount=Number(2))))
            ),
        ),
    )
)


@pytest.mark.parametrize(
    ("selector", "count"),
    [
        ("Action", 4),
        ("Action[verb=draw]", 2),
        ("Action[verb=DRAW][amount>=2]", 1),
        ("Action[verb!=draw]", 2),
        ("Action[amount<2]", 1),
        ("Action[object]", 1),
        ("Gated[gate.name=Deathknell] Action[verb=draw]", 1),
        ("Gated[gate.name='Deathknell'] > Action", 0),
        ("May > Action[verb=draw]", 1),
        ("TriggeredAbility Action[verb=conquer], Action[verb=kill]", 2),
        ("Objects[nouns~=unit]:has(Side[side=enemy])", 1),
        ("Objects[nouns~=unit]:has(At > Objects[nouns~=battlefield])", 1),
        ("Objects[nouns~=gear]", 0),
        ("KeywordAbility:not(:has(Number))", 1),
        ("KeywordAbility:has(Number[value=2])", 1),
        ("*[name=Tank]", 1),
        ("[verb=draw]", 2),
        ("TriggeredAbility:has(> Event) Action[verb=draw]", 1),
        ("Gated:has(> SpellAbility)", 1),
        ("Gated:has(> Action)", 0),
        ("Gated:has(> SpellAbility Action[verb=kill])", 1),
        ("Sequence[steps.1.verb=draw]", 1),
    ],
)
def test_a_selector_finds_its_nodes(selector: str, count: int) -> None:
    assert len(list(read_selector(selector).found_in(DYING))) == count


@pytest.mark.parametrize(
    ("selector", "said", "help_"),
    [
        ("", "selector:1: a kind of node is expected", None),
        ("Acton", "selector:1: there is no kind Acton", "did you mean Action?"),
        ("May > Action[werb=draw]", "Action has no field werb", "its fields are verb, subject"),
        ("Action[verb", "selector:7: a bracket is not closed", "[field], [field=value]"),
        ("Action[verb==draw]", "selector:7: this is no test of a field", "[field], [field=value]"),
        ("Action[verb='draw]", "selector:7: this is no test of a field", "[field], [field=value]"),
        ("Action:hsa(Number)", "selector:7: behind “:” stands has(...) or not(...)", None),
        ("Action[amount>=two]", "selector:7: a number is expected behind >=", None),
        ("> Action", "selector:1: a kind of node is expected", None),
        ("Action:has(Number", "a closing bracket is expected", None),
        ("Action >", "a kind of node is expected", None),
        ("Action]", "selector:7: something more is here", None),
    ],
)
def test_a_mistake_is_told_with_its_place(selector: str, said: str, help_: str | None) -> None:
    with pytest.raises(SelectorError) as caught:
        read_selector(selector)
    assert said in str(caught.value)
    assert help_ is None or help_ in (caught.value.help or "")


def test_a_word_that_no_card_has_is_told_with_the_nearest() -> None:
    selector = read_selector("Action[verb=drwa], Objects[nouns~=unit][nouns~=creature]")
    assert list(unmet(selector, [DYING])) == [("verb=drwa", "draw"), ("nouns=creature", None)]


@pytest.mark.slow
def test_every_selector_of_the_page_finds_cards(checkout: Path) -> None:
    page = (checkout / "docs" / "selectors.md").read_text("utf-8")
    rows = re.findall(r"^\|(?:[^|`]*\|)? `([A-Z*][^`]*)`", page, re.MULTILINE)
    selectors = [read_selector(one) for one in rows]
    assert len(selectors) >= 14
    pool = load_pool()
    all_meanings = [meaning for card in pool for meaning in meanings(card, pool.words)]
    found = {
        selector.text: any(True for meaning in all_meanings for _ in selector.found_in(meaning))
        for selector in selectors
    }
    assert [text for text, any_card in found.items() if not any_card] == []
