"""What cards mean: their texts are read once, and compared and written by meaning."""

import pytest

from rulewright.cards import Pool
from rulewright.cards.canonical import canonical_cards, canonical_text
from rulewright.cards.card import CardDefinition, card_from
from rulewright.cards.diff import card_changes, diff_pools
from rulewright.cards.errata import Erratum
from rulewright.cards.errata_import import read_errata
from rulewright.cards.formats import load_imports
from rulewright.cards.reading import UnreadTextError, has_keyword, read
from rulewright.cards.sets import CardSet


def card(name: str, text: str = "", **facts: object) -> CardDefinition:
    return card_from(
        {"name": name, "type": "unit", "might": 2, **({"text": text} if text else {}), **facts}, "TST"
    )


def pool(*cards: CardDefinition, released: str = "") -> Pool:
    return Pool([CardSet("TST", "Test", released, cards, "test.yaml")])


def test_a_text_that_is_not_read_whole_is_told_with_its_words() -> None:
    with pytest.raises(UnreadTextError) as caught:
        read("Draw 1 and flibber.")
    assert "flibber" in str(caught.value)


def test_a_card_has_the_keywords_that_its_own_text_gives_it() -> None:
    assert has_keyword(card("A", "[Tank]\nDraw 1."), "Tank")
    assert not has_keyword(card("B", "Give a unit [Tank] this turn."), "Tank")


def test_a_text_is_written_in_the_canonical_wording() -> None:
    assert canonical_text("[Tank] (I must be assigned damage first.)<br>"[:6]) == "[Tank]"
    assert canonical_text("When you play me, draw 1. (From your deck.)") == "When you play me, draw 1."


def test_a_card_that_is_not_read_whole_is_left_out_with_the_reason() -> None:
    made = canonical_cards([card("A", "Draw 1."), card("B", "Draw 1 and flibber."), card("C")])
    assert [one.name for one in made.cards] == ["A", "C"]
    assert [one.what.partition(" (")[0] for one in made.left_out] == ["B"]


def test_a_rewording_is_silent_and_a_change_is_told() -> None:
    old = pool(card("A", "Draw 1."), card("B", "Draw 1."), card("C"), card("D", "Flib."), card("E"))
    new = pool(
        card("A", "Draw 1. (A card.)"),
        card("B", "Draw 2."),
        card("C", energy=3),
        card("D", "Flob."),
        card("F"),
    )
    found = diff_pools(old, new)
    assert (found.added, found.removed, found.reworded, found.same) == (("F",), ("E",), ("A",), 0)
    told = [
        (one.name, change.what, change.kind, change.old, change.new)
        for one in found.changed
        for change in one.changes
    ]
    assert told == [
        ("B", "text", "meaning", "Draw 1.", "Draw 2."),
        ("C", "energy", "fact", "none", "3"),
        ("D", "text", "unread", "Flib.", "Flob."),
    ]


def test_a_card_is_what_it_was_on_a_day() -> None:
    now = pool(card("A", "Draw 3."), released="2025-10")
    errata = [Erratum("A", "2026-01-14", "Second", "Draw 2."), Erratum("A", "2025-11-01", "First", "Draw 1.")]
    texts = {
        day: [one.text for one in now.as_of(day, errata)]
        for day in ("2025-09", "2025-10-30", "2025-12", "2026-02")
    }
    assert texts == {"2025-09": [], "2025-10-30": ["Draw 1."], "2025-12": ["Draw 2."], "2026-02": ["Draw 3."]}


def test_a_card_whose_text_of_then_is_not_known_is_left_out_and_named() -> None:
    now = pool(card("A", "Draw 3."), card("B", "Draw 1."))
    then = now.as_of("2025-12-01", [Erratum("A", "2026-01-14", "Second")])
    assert ([one.name for one in then], then.unknown) == (["B"], ("A",))
    found = diff_pools(then, now)
    assert (found.added, found.changed, found.unknown, found.same) == ((), (), ("A",), 1)


def test_a_list_of_errata_gives_changes_of_meaning_alone() -> None:
    rows = "\n".join(
        f'{{"card": "{name}", "errata_post": "origins", "old_text": "{old}", "new_text": "{new}"}}'
        for name, old, new in [
            ("A", "Draw 1. (One.)", "Draw 2."),
            ("B", "Draw 2. (Two.)", "Draw 2."),
            ("C", "Draw 1.", "Draw 3."),
            ("D", "Flib.", "Draw 2."),
            ("E", "Draw 1.", "Draw 2."),
        ]
    )
    cards = pool(*(card(name, "Draw 2.") for name in "ABCD"))
    made = read_errata(rows.encode(), "errata.jsonl", load_imports(), cards)
    assert [(one.card, one.date, one.text, one.is_known) for one in made.errata] == [
        ("A", "2025-10-28", "Draw 1.", True),
        ("D", "2025-10-28", None, False),
    ]
    assert [one.what for one in made.left_out] == ["B", "C", "D", "E"]


def test_the_own_domain_of_a_card_of_one_domain_is_that_domain() -> None:
    said = card("A", "When I conquer, you may pay [C] to draw 1.", domains=["fury"])
    meant = card("A", "When I conquer, you may pay [fury] to draw 1.", domains=["fury"])
    assert list(card_changes(said, meant)) == []
    one, other = (card("A", each.text, domains=["fury", "calm"]) for each in (said, meant))
    assert [change.kind for change in card_changes(one, other)] == ["meaning"]


def test_the_tags_and_tokens_of_a_set_are_words_of_its_texts() -> None:
    owl = card("Owl", tags=["Lynx"])
    wisp = card("Wispling", token=True)
    keeper = card(
        "Keeper",
        "When you play me, play a 2 [M] Wispling unit token to your base.\nOther Lynxes you control have [Tank].",
    )
    with pytest.raises(UnreadTextError):
        read(keeper.text)
    assert pool(owl, wisp, keeper).words is not None
    made = canonical_cards([owl, wisp, keeper])
    assert (made.left_out, made.cards[2]) == ((), keeper)
