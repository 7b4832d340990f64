import json
from pathlib import Path

import pytest

from benchmarks.mutants import texts_of
from language.notation import read, read_node
from rulewright.errors import RulewrightError
from rulewright.language import ast, parse
from rulewright.language.print import UnprintableError, describe, describe_readings, outline, print_text
from rulewright.language.tree import from_json, kinds, to_json
from rulewright.language.wording.writer import WRITERS

CANONICAL = [
    # condition first
    ("Always(have(me, might(2)), condition=Is(me, filters=state('buffed')))", "While I'm buffed, I have +2 [M]."),
    (
        "Always(Enters(me, 'ready'), condition=Happened(play(a('spell')), turn))",
        "If you've played a spell this turn, I enter ready.",
    ),
    # a sentence of its own for each step, and a plain reach for "may"
    ("Spell(draw(2), discard(1))", "Draw 2. Discard 1."),
    ("Spell(May(you, [draw(2), discard(1)]))", "You may draw 2, then discard 1."),
    ("Spell(May(you, draw(2)), discard(1))", "You may draw 2. Discard 1."),
    # one spelling per symbol
    ("Use(cost(energy(1), power('any', 2), tap, kill(this)), draw(1))", "[1][A][A], [E], kill this: Draw 1."),
    ("Gated(keyword('Level', 3), Gated(keyword('Reaction'), Use(tap, add(cost(energy(2))))))",
     "[Level 3][>] [Reaction][>] [E]: Add [2]."),
    # subjects agree with their verbs
    ("Spell(draw(2, by=each_player))", "Each player draws 2."),
    ("Spell(draw(2, by=opponents))", "Opponents draw 2."),
    ("When(die(by=at_least(1, 'unit', enemy)), ready(me))", "When one or more enemy units die, ready me."),
    ("Always(Forbid(ready(me, by=None)))", "I can't be readied."),
    ("Always(Enters(this, 'exhausted'))", "This enters exhausted."),
    # everything is "all" only where something is done to it
    ("Spell(kill(every('unit', friendly)))", "Kill all friendly units."),
    ("Always(have(every('unit', friendly, other, at(here)), gains('Tank')))", "Other friendly units here have [Tank]."),
    # amounts
    ("Spell(give(a('unit'), might(-3, minimum=1)))", "Give a unit -3 [M] this turn, to a minimum of 1 [M]."),
    ("Spell(give(me, might(per(1, every('unit', enemy, at(here))))))",
     "Give me +1 [M] this turn for each enemy unit here."),
    ("Spell(deal(might_of(me), to=a('unit')))", "Deal damage equal to my Might to a unit."),
    ("Spell(PayTo(Power('any', AnyAmount()), deal(ThatMuch(), to=a('unit'))))",
     "Pay any amount of [A] to deal that much to a unit."),
    # filters before and after the noun
    (
        "Spell(kill(up_to(2, 'unit', enemy, other, state('stunned'), at(here), stat('might', '<=', 3))))",
        "Kill up to two other stunned enemy units here with 3 [M] or less.",
    ),
    ("Spell(kill(a('unit', enemy, stat('might', '<', might_of(me)))))", "Kill an enemy unit with less Might than me."),
    # modes and gates stand on lines of their own
    ("Spell(ChooseMode(1, (draw(2), ready(me))))", "Choose one —\n• Draw 2.\n• Ready me."),
    (
        "Spell(give(a('unit'), might(2)), GatedInstruction(keyword('Level', 4), draw(1)), ready(me))",
        "Give a unit +2 [M] this turn.\n[Level 4][>] Draw 1.\nReady me.",
    ),
    # quoted abilities end the sentence around them
    ("Always(have(every('unit', at(here)), Gains(CardText(Use(tap, draw(1))))))", 'Units here have "[E]: Draw 1."'),
]  # fmt: skip


@pytest.mark.parametrize(("meaning", "text"), CANONICAL, ids=[text for _, text in CANONICAL])
def test_a_meaning_has_one_wording(meaning: str, text: str) -> None:
    assert print_text(read(meaning)) == text


def test_every_kind_of_node_has_a_writer() -> None:
    assert set(WRITERS) == set(kinds().values())


def test_an_unknown_value_is_an_error_and_not_left_out() -> None:
    with pytest.raises(UnprintableError, match="whoever"):
        print_text(read("Spell(draw(1, by=Player('whoever')))"))
    with pytest.raises(UnprintableError, match="no verb 'levitate'"):
        print_text(read("Spell(levitate(me))"))


def test_an_unknown_kind_of_node_is_an_error() -> None:
    class Stranger(ast.Node):
        pass

    with pytest.raises(RulewrightError, match="Stranger"):
        print_text(ast.CardText((ast.SpellAbility(Stranger()),)))  # type: ignore[arg-type]


def test_a_part_is_described_in_plain_words() -> None:
    assert describe(read_node("up_to(2, 'unit', friendly, at_a_battlefield)")) == (
        "up to two friendly units at battlefields"
    )
    assert describe(read_node("Exists(a('Dog', yours))")) == "you control a Dog"


def test_an_outline_shows_a_node_a_line() -> None:
    assert outline(read_node("deal(3, to=a('unit', enemy))")).splitlines() == [
        "Action deal",
        "  subject: Player you",
        "  amount: Number 3",
        "  to: Objects unit",
        "    quantity: Quantity exactly",
        "      amount: Number 1",
        "    filters 1: Side enemy",
    ]


def round_trip_texts() -> list[str]:
    lines = Path(__file__).with_name("round_trip.txt").read_text(encoding="utf-8").splitlines()
    return [line.replace(" // ", "\n") for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("text", round_trip_texts())
def test_what_is_printed_is_read_again_with_the_same_meaning(text: str) -> None:
    reading = parse(text)
    assert reading.text is not None, [problem.message for problem in reading.diagnostics]
    printed = print_text(reading.text)
    again = parse(printed)
    assert again.text == reading.text, printed
    assert print_text(again.text) == printed
    assert from_json(json.loads(json.dumps(to_json(reading.text)))) == reading.text


def test_every_official_text_is_printed_and_read_again(shared: Path) -> None:
    lost = []
    for text in texts_of(shared / "corpus" / "cards.jsonl"):
        found = parse(text).text
        if found is not None and parse(print_text(found)).text != found:
            lost.append(text)
    assert lost == []


READINGS = [
    (
        "Spell(return_(a('unit', 'gear', out_of(trash())), to=hand()))",
        "Spell(return_(Group((a('unit'), a('gear', out_of(trash()))), 'or'), to=hand()))",
        ("a unit from your trash or a gear from your trash", "(a unit or a gear from your trash)"),
    ),
    (
        "When(attack(by=me), May(you, [draw(1), discard(1)]))",
        "When(attack(by=me), May(you, draw(1)), discard(1))",
        ("you may (draw 1, then discard 1)", "(you may draw 1, then discard 1)"),
    ),
    (
        "Spell(deal(1, to=a('unit', enemy)), draw(1))",
        "Spell(deal(1, to=a('unit', friendly)), draw(1))",
        ("an enemy unit", "a friendly unit"),
    ),
]


@pytest.mark.parametrize(("one", "other", "told"), READINGS)
def test_readings_are_told_apart_by_the_smallest_part_in_which_they_differ(
    one: str, other: str, told: tuple[str, str]
) -> None:
    assert describe_readings([read(one), read(other)]) == told
