"""Set files: what is read from them, and that every mistake in one is told with its file, line, card and reason."""

from pathlib import Path

import pytest

from rulewright.cards import Pool, load_pool, load_set, set_files
from rulewright.cards.card import card_from
from rulewright.cards.sets import parse_set
from rulewright.cards.write import set_text
from rulewright.data_files import DataFileError
from rulewright.errors import UsageError

HEAD = "set: TST\nname: Test\ncards:\n"
GUARD = HEAD + "- name: Guard\n  number: '001'\n  type: unit\n  might: 3\n"


def problem(text: str) -> str:
    with pytest.raises(DataFileError) as caught:
        parse_set(text.encode(), "test.yaml")
    return str(caught.value.problems[0])


def test_a_card_has_its_facts_its_text_and_its_place() -> None:
    text = (
        HEAD
        + "- name: Fox\n  number: 007\n  type: unit\n  supertypes: [champion]\n  domains: [fury]\n  energy: 2\n"
        + "  might: 0\n  tags: [Dog]\n  text: |\n    [Tank]\n    Draw 1.\n"
    ).replace("007", "'007'")
    card = parse_set(text.encode(), "test.yaml").cards[0]
    assert (card.name, card.code, card.place) == ("Fox", "TST-007", "test.yaml:4")
    assert (card.types, card.supertypes, card.domains, card.tags) == (
        ("unit",),
        ("champion",),
        ("fury",),
        ("Dog",),
    )
    assert (card.figure("energy"), card.figure("might"), card.figure("power")) == (2, 0, None)
    assert card.text == "[Tank]\nDraw 1."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GUARD + "  migth: 3\n", "test.yaml:8: Guard: unknown key 'migth' (did you mean 'might'?)"),
        (GUARD + "- name: Guard\n  type: gear\n", "test.yaml:8: Guard: the name Guard is here a second time"),
        (
            GUARD + "- name: Wall\n  number: '001'\n  type: gear\n",
            "test.yaml:8: Wall: the number 001 is here",
        ),
        (HEAD + "- name: Guard\n", "test.yaml:4: Guard: the key 'type' is missing"),
        (HEAD + "- type: unit\n", "test.yaml:4: the key 'name' is missing"),
        (HEAD + "- name: 7\n  type: unit\n", "test.yaml:4: name: 7 is not text (put it in quotes)"),
        (
            HEAD + "- name: Guard\n  type: Unit\n",
            "test.yaml:5: Guard: type: 'Unit' is not right here; expected: a lower-case word",
        ),
        (GUARD + "  might: 4\n", "test.yaml:8: the key 'might' stands here twice"),
        (GUARD + "  text: ''\n", "test.yaml:8: Guard: text: '' should be non-empty"),
        ("set: TST\nname: Test\ncards: []\n", "test.yaml:3: cards: [] should be non-empty"),
        ("set: TST\nname: [", "test.yaml:3: this is not YAML"),
        ("a: &x [1]\nb: *x\n", "test.yaml:1: an anchor is used again here"),
        ("[" * 60 + "]" * 60, "parts lie more than 40 deep"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_reason(text: str, said: str) -> None:
    assert said in problem(text)


def test_a_file_in_another_encoding_is_refused() -> None:
    with pytest.raises(DataFileError, match="not text in UTF-8"):
        parse_set(GUARD.replace("Guard", "Gu\u00e4rd").encode("latin-1"), "test.yaml")


def test_a_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.yaml: cannot be read"):
        load_set(tmp_path / "none.yaml")


def test_what_is_written_is_what_is_read() -> None:
    card = card_from(
        {"name": "Fox", "type": "unit", "might": 0, "text": "One.\nTwo.", "tags": ["Yes", "007"]}, "TST"
    )
    text = set_text("TST", "Test", [card], released="2026-01", about=["A test."])
    written = parse_set(text.encode(), "test.yaml")
    assert (written.cards, written.released) == ((card,), "2026-01")


def test_every_set_in_the_data_folder_is_sound() -> None:
    assert [path.name for path in set_files()] != []
    assert len(load_pool()) > 40


def pool_of(*texts: str) -> Pool:
    return Pool(parse_set(text.encode(), f"{position}.yaml") for position, text in enumerate(texts, start=1))


def test_a_card_is_found_by_its_name_in_any_dress_and_by_its_code() -> None:
    pool = pool_of(
        HEAD + "- {name: \"Kai'Do, Wall of Stone\", number: '002', type: unit, printings: [PRM-009]}\n"
    )
    for said in (
        "Kai'Do, Wall of Stone",
        "KAI’DO - wall of stone",
        "kaido wall of stone",
        "tst-002",
        "PRM-009",
    ):
        assert pool.find(said).name == "Kai'Do, Wall of Stone"


def test_an_unknown_card_is_answered_with_the_nearest_names() -> None:
    with pytest.raises(UsageError) as caught:
        pool_of(GUARD).find("Gaurd")
    assert (str(caught.value), caught.value.help) == ("there is no card 'Gaurd'", "did you mean 'Guard'?")


def test_a_card_printed_in_two_sets_is_one_card() -> None:
    pool = pool_of(GUARD, GUARD.replace("TST", "TSU"))
    assert (len(pool), pool["Guard"].printings) == (1, ("TSU-001",))


def test_two_cards_of_one_name_are_refused_with_both_places() -> None:
    with pytest.raises(DataFileError, match=r"2\.yaml:4: Guard: another card has this name") as caught:
        pool_of(GUARD, GUARD.replace("TST", "TSU").replace("might: 3", "might: 4"))
    assert caught.value.help == "1.yaml:4"


def test_a_title_alone_names_a_card_where_no_other_has_it() -> None:
    cards = "- {name: 'Ana, Wall', type: legend}\n- {name: 'Bo, Wall', type: unit}\n- {name: 'Bo, Sea', type: unit}\n"
    pool = pool_of(HEAD + cards)
    assert pool.find("sea").name == "Bo, Sea"
    with pytest.raises(UsageError):
        pool.find("Wall")
