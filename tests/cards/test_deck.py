"""Decks: files and pasted lists are read, and every breach of the rules of construction is named by its rule."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from rulewright.cards import (
    Deck,
    DeckRules,
    Pool,
    check_deck,
    check_team,
    deck_list,
    deck_rules,
    load_deck,
    load_pool,
    parse_deck_list,
)
from rulewright.cards.card import CardDefinition
from rulewright.cards.deck import deck_of
from rulewright.cards.sets import game_folder, parse_set
from rulewright.data_files import DataFileError
from rulewright.rules.load import load as load_rules

CARDS = "set: TST\nname: Test\ncards:\n" + "\n".join(
    [
        "- {name: Ana, number: '1', type: legend, domains: [fury, body], tags: [Ana]}",
        "- {name: 'Ana, First', number: '2', type: unit, supertypes: [champion], domains: [fury], tags: [Ana]}",
        "- {name: 'Bo, Second', number: '3', type: unit, supertypes: [champion], domains: [fury], tags: [Bo]}",
        *(f"- {{name: Wall {letter}, type: unit, domains: [body]}}" for letter in "ABCDEFGHIJKLM"),
        "- {name: Wave, type: spell, domains: [calm]}",
        "- {name: Both, type: spell, domains: [fury, calm]}",
        "- {name: Sign, type: spell, supertypes: [signature], domains: [fury], tags: [Ana]}",
        "- {name: Omen, type: gear, supertypes: [signature], domains: [fury], tags: [Bo]}",
        "- {name: Lone, type: unit, domains: [fury], text: '[Unique]'}",
        "- {name: Fury Rune, type: rune, domains: [fury]}",
        "- {name: Calm Rune, type: rune, domains: [calm]}",
        "- {name: Hill, type: battlefield}",
        "- {name: Vale, type: battlefield}",
        "- {name: Moor, type: battlefield}",
        "- {name: Imp, type: unit, token: true}",
    ]
)


@pytest.fixture(scope="module")
def rules() -> DeckRules:
    return deck_rules(load_rules().table("deck-construction"))


@pytest.fixture(scope="module")
def pool() -> Pool:
    return Pool([parse_set(CARDS.encode(), "test.yaml")])


LEGAL: Mapping[str, Mapping[str, int]] = {
    "legend": {"Ana": 1},
    "champion": {"Ana, First": 1},
    "main": {f"Wall {letter}": 3 for letter in "ABCDEFGHIJKLM"},
    "runes": {"Fury Rune": 12},
    "battlefields": {"Hill": 1, "Vale": 1, "Moor": 1},
}


def has_keyword(card: CardDefinition, keyword: str) -> bool:
    return f"[{keyword}]" in card.text


def changed(part: str, cards: Mapping[str, int], without: str = "Wall A") -> Deck:
    """The legal deck with some cards put into a part; in the main deck they replace another."""
    parts = {name: dict(kept) for name, kept in LEGAL.items()}
    parts[part] = {**parts[part], **cards} if part == "main" else dict(cards)
    if part == "main" and without not in cards:
        del parts[part][without]
    return deck_of("test", parts)


def test_a_legal_deck_breaks_no_rule(pool: Pool, rules: DeckRules) -> None:
    assert check_deck(deck_of("test", LEGAL), pool, rules, has_keyword=has_keyword, mode="duel") == ()


@pytest.mark.parametrize(
    ("part", "cards", "rule", "said"),
    [
        ("legend", {}, "103.1", "the Legend has 0 cards, not exactly 1"),
        ("legend", {"Hill": 1}, "103.1", "Hill is a battlefield; the Legend is of legend cards"),
        ("champion", {"Wall A": 1}, "103.2.a.2", "Wall A is no champion, which the Chosen Champion must be"),
        (
            "champion",
            {"Bo, Second": 1},
            "103.2.a.2",
            "Bo, Second shares no tag with the Legend, whose tag is Ana",
        ),
        (
            "main",
            {"Wall A": 2},
            "103.2",
            "the Main Deck with the Chosen Champion has 39 cards, not at least 40",
        ),
        ("main", {"Wall B": 6}, "103.2.b", "6 copies of Wall B, at most 3 allowed"),
        ("main", {"Ana, First": 3}, "103.2.b", "4 copies of Ana, First, at most 3 allowed"),
        ("main", {"Wave": 3}, "103.2.c", "Wave is of calm; the deck's identity is body and fury"),
        ("main", {"Both": 3}, "103.2.c", "Both is of calm; the deck's identity is body and fury"),
        ("main", {"Sign": 3, "Omen": 1}, "103.2.d.1", "4 signature cards, at most 3 allowed"),
        ("main", {"Omen": 3}, "103.2.d.2", "Omen shares no tag with the Legend, whose tag is Ana"),
        ("main", {"Lone": 3}, "825.3.a", "3 copies of Lone (Unique), at most 1 allowed"),
        ("main", {"Imp": 3}, "185", "Imp is a token, not a card"),
        (
            "main",
            {"Hill": 3},
            "103.2",
            "Hill is a battlefield; the Main Deck is of unit or gear or spell cards",
        ),
        ("runes", {"Fury Rune": 11}, "103.3.a", "the Rune Deck has 11 cards, not exactly 12"),
        ("runes", {"Fury Rune": 11, "Calm Rune": 1}, "103.3.a.1", "Calm Rune is of calm"),
        ("battlefields", {"Hill": 1, "Vale": 1}, "485.4.a", "the Battlefields has 2 cards, not exactly 3"),
        ("battlefields", {"Hill": 2, "Vale": 1}, "103.4.c", "2 copies of Hill, at most 1 allowed"),
    ],
)
def test_each_breach_is_named_by_its_rule(
    part: str, cards: Mapping[str, int], rule: str, said: str, pool: Pool, rules: DeckRules
) -> None:
    breaches = check_deck(changed(part, cards), pool, rules, has_keyword=has_keyword, mode="duel")
    assert rule in [breach.rule for breach in breaches]
    assert any(said in breach.message for breach in breaches), breaches


def test_every_rule_that_a_breach_can_name_exists(rules: DeckRules) -> None:
    database = load_rules()
    sizes = [size for _, sizes in rules.modes for _, size in sizes] + [part.size for part in rules.parts]
    named = [size.rule for size in sizes] + [limit.rule for limit in rules.limits]
    named += [part.needs_rule for part in rules.parts if part.needs_rule]
    named += [rule for _, rule in rules.identity.parts] if rules.identity else []
    assert [number for number in named if number not in {entry.number for entry in database.entries}] == []


def test_a_banned_card_is_a_breach_of_the_format(pool: Pool, rules: DeckRules) -> None:
    breaches = check_deck(deck_of("test", LEGAL), pool, rules, has_keyword=has_keyword, banned=["Hill"])
    assert [str(breach) for breach in breaches] == ["103.2.e: Hill is banned"]


PASTED = """
// from a forum
Legend:
1 Ana

Champion
1x ana, first
MainDeck (3):
3 Wall A (TST-004)
Wall B x2
1 TST-2
Sideboard:
3 Wave
Runes (12)
12 Fury Rune
"""


def test_runes_stand_under_any_of_their_headings(pool: Pool, rules: DeckRules) -> None:
    for heading in ("Runes", "Rune Deck", "Rune Pool:"):
        deck = parse_deck_list(f"{heading}\n12 Fury Rune", pool, rules.layout)
        assert dict(deck.parts) == {"runes": (("Fury Rune", 12),)}


def test_a_list_is_read_as_players_paste_it(pool: Pool, rules: DeckRules) -> None:
    deck = parse_deck_list(PASTED, pool, rules.layout)
    assert dict(deck.parts) == {
        "legend": (("Ana", 1),),
        "champion": (("Ana, First", 1),),
        "main": (("Wall A", 3), ("Wall B", 2), ("Ana, First", 1)),
        "runes": (("Fury Rune", 12),),
    }


def test_without_headings_cards_go_where_their_type_belongs(pool: Pool, rules: DeckRules) -> None:
    deck = parse_deck_list("Ana\n3 Wall A\n12 Fury Rune\nHill", pool, rules.layout)
    assert [part for part, _ in deck.parts] == ["legend", "main", "runes", "battlefields"]


def test_unknown_cards_of_a_list_are_told_with_their_lines(pool: Pool, rules: DeckRules) -> None:
    with pytest.raises(DataFileError) as caught:
        parse_deck_list("Ana\n3 Wal A\n2 Nonsense", pool, rules.layout, file="list.txt")
    assert [problem.place for problem in caught.value.problems] == ["list.txt:2", "list.txt:3"]


@pytest.mark.parametrize("path", sorted(game_folder().glob("decks/*.yaml")), ids=lambda path: path.stem)
def test_the_decks_to_begin_with_are_legal_and_survive_a_list(path: Path, rules: DeckRules) -> None:
    ours = load_pool()
    deck = load_deck(path, ours, rules.layout)
    assert check_deck(deck, ours, rules, has_keyword=has_keyword, mode="duel") == ()
    assert parse_deck_list(deck_list(deck, rules.titles()), ours, rules.layout).parts == deck.parts


@pytest.mark.parametrize(
    "line",
    [
        "3 Wall B",
        "3x Wall B",
        "3× wall b",
        "Wall B x3",
        "Wall B (3)",
        "- 3 Wall B",
        "• 3x Wall B",
        "3\tWall\u00a0B",
        '3,"Wall B"',
        '"3";"Wall B"',
        "３ Wall B",
        "3 Wall B\u200b",
        "count,name\n3,Wall B",
        "```\n3 Wall B\n```",
        "3 Wall B\nSB: 2 Wall A",
    ],
)
def test_a_card_and_its_count_are_read_however_they_are_pasted(
    line: str, pool: Pool, rules: DeckRules
) -> None:
    deck = parse_deck_list(line, pool, rules.layout)
    assert deck.parts == (("main", (("Wall B", 3),)),)


@pytest.mark.parametrize("line", ["a" * 300, "3 Wall\x00B", "3 Wall B\x1b[31m"])
def test_what_is_no_line_of_a_list_is_told_with_its_place(line: str, pool: Pool, rules: DeckRules) -> None:
    with pytest.raises(DataFileError, match=r"^deck:2: this is no line of a list of cards"):
        parse_deck_list(f"1 Wall A\n{line}", pool, rules.layout)


def test_teammates_share_neither_legend_nor_battlefields() -> None:
    rules = deck_rules(load_rules().table("deck-construction"))
    one = deck_of(
        "One", {"legend": {"Ana": 1}, "battlefields": {"Hill": 1, "Vale": 1}, "main": {"Wall A": 3}}
    )
    two = deck_of("Two", {"legend": {"Bo": 1}, "battlefields": {"Moor": 1, "Vale": 1}, "main": {"Wall A": 3}})
    assert [(breach.rule, breach.cards) for breach in check_team([one, two], rules)] == [
        ("489.8.i", ("Vale",))
    ]
    assert [breach.rule for breach in check_team([one, one], rules)] == ["489.8.h", "489.8.i", "489.8.i"]
