"""The grammar refuses nonsense: the mutation test on a part of the texts (all of them: tests/benchmarks/mutants.py)."""

from pathlib import Path

from benchmarks.mutants import Mutant, is_another_card, measure, mutants, reading, texts_of
from rulewright.language.print import print_text

TEXTS = 60
MOST = 0.10


def test_a_text_has_mutants_of_each_kind_and_always_the_same() -> None:
    made = list(mutants("Deal 3 to a unit here.", ["draw", "gear"], 2))
    assert {mutant.kind for mutant in made} == {"delete", "double", "insert", "swap"}
    assert made == list(mutants("Deal 3 to a unit here.", ["draw", "gear"], 2))


def test_a_mutant_whose_change_shows_in_its_wording_is_another_card() -> None:
    other = Mutant("delete", "Kill an enemy unit.", "Kill an unit.")
    assert is_another_card(other, "Kill an enemy unit.", "Kill a unit.")


def test_a_mutant_that_lost_a_word_is_nonsense() -> None:
    lost = Mutant("insert", "Draw 1.", "Draw 1 gear.")
    assert not is_another_card(lost, "Draw 1.", "Draw 1.")
    assert not is_another_card(lost, "Draw 1.", None)


def test_one_mutant_of_ten_at_most_is_read_though_it_makes_no_sense(shared: Path) -> None:
    texts = texts_of(shared / "corpus" / "cards.jsonl")
    some = texts[:: max(1, len(texts) // TEXTS)]
    report = measure(some, reading(), print_text, each=1)
    assert report.made.total() > 100
    assert report.share <= MOST, report.table()
