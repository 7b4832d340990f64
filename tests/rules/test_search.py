"""Questions in plain words find the rules that answer them."""

import pytest

from rulewright.rules import RulesDatabase
from rulewright.rules.search import Words, concepts, group

WORDS = Words(
    terms={"burn out": ("431",), "unit": ("140",)},
    stop_words=frozenset({"the", "my"}),
    synonyms={"in response": ("reaction",), "dies": ("killed",), "the end": ("ending step",)},
    asked={},
)


@pytest.mark.parametrize(
    ("question", "group_of_answer"),
    [
        ("can I play an action on my opponent's turn", "806.1"),
        ("how many copies of one card may my deck have", "103.2"),
        ("what happens when my main deck is empty", "431.1"),
        ("does Ganking exhaust the unit", "810.1"),
        ("the unit wearing an equipment leaves the board", "719.5"),
        ("when do I win", "194.2"),
        ("does a unit with 0 might die", "142.4"),
        ("chanell runes", "430.1"),
        ("reccycle a rune for power", "164.2"),
        ("weapon master discount", "821.1"),
        ("what does quickdraw do", "819.1"),
        ("do I pay deflect for each target", "809.1"),
        ("can they respond to resources being added", "429.2"),
    ],
)
def test_a_question_finds_its_rule_among_the_first_five(
    rules: RulesDatabase, question: str, group_of_answer: str
) -> None:
    assert group_of_answer in [group(hit.number) for hit in rules.search(question, 5)]


def test_each_group_of_sub_rules_is_told_once_the_best_first(rules: RulesDatabase) -> None:
    hits = rules.search("when does a hidden card get revealed", 20)
    groups = [group(hit.number) for hit in hits]
    assert len(groups) == len(set(groups)) == 20
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_words_that_no_rule_has_find_nothing(rules: RulesDatabase) -> None:
    assert rules.search("xyzzy plugh") == []
    assert rules.search("") == []


def test_signs_of_the_query_language_are_words_like_others(rules: RulesDatabase) -> None:
    assert rules.search('deflect AND ( OR "gist: NOT *') != []


def test_a_phrase_is_one_concept_and_comes_before_its_words() -> None:
    assert concepts("In response, my unit dies at the end", WORDS) == [
        ["in response", "reaction"],
        ["unit"],
        ["dies", "killed"],
        ["at"],
        ["the end", "ending step"],
    ]


def test_a_term_of_several_words_is_one_concept() -> None:
    assert concepts("the unit can burn out", WORDS) == [["unit"], ["can"], ["burn out"]]


def test_numbers_say_nothing() -> None:
    assert concepts("a 5 might unit", WORDS) == [["a"], ["might"], ["unit"]]


def test_the_same_question_has_the_same_answer(rules: RulesDatabase) -> None:
    assert rules.search("combat damage") == rules.search("combat damage")
