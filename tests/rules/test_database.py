"""Rules are found by number, range, keyword and term, with what they stand under and refer to."""

from collections.abc import Callable

import pytest

from rulewright.rules import Carrier, RulesDatabase, UnknownRuleError

Game = Callable[..., RulesDatabase]


def test_numbers_are_in_the_order_of_their_parts(game: Game) -> None:
    one = game(
        **{
            "1-a.yaml": "\n".join(
                f"- {{rule: '{n}', gist: x, status: definition}}" for n in ("1", "1.2", "1.2.a", "1.10")
            )
        }
    )
    assert [entry.number for entry in one] == ["1", "1.2", "1.2.a", "1.10"]


def test_a_rule_stands_under_its_number_and_the_headings_above(rules: RulesDatabase) -> None:
    assert [entry.number for entry in rules.parents("308.1.a")] == ["308.1", "308", "307", "300"]
    assert [entry.number for entry in rules.parents("422.1")] == ["422", "412"]
    assert [entry.number for entry in rules.parents("809.1.c")] == ["809.1", "809", "804", "800"]


def test_children_are_the_rules_directly_under_a_number(rules: RulesDatabase) -> None:
    assert [entry.number for entry in rules.children("316.5")] == ["316.5.a", "316.5.b"]


def test_a_heading_without_sub_rules_heads_the_rules_after_it(rules: RulesDatabase) -> None:
    assert [entry.number for entry in rules.children("318")] == ["319", "320", "321", "322", "323", "324"]


def test_a_leaf_has_no_sub_rules(rules: RulesDatabase) -> None:
    assert rules.is_leaf("316.5.a")
    assert not rules.is_leaf("316.5")


def test_a_range_takes_all_that_stands_under_its_end(rules: RulesDatabase) -> None:
    found = [entry.number for entry in rules.range("828.1.b.2", "829.1")]
    assert (found[0], found[-1]) == ("828.1.b.2", "829.1.c.3")


def test_a_range_without_rules_is_refused(rules: RulesDatabase) -> None:
    with pytest.raises(UnknownRuleError, match="no rules from 490 to 500"):
        rules.range("490", "500")


@pytest.mark.parametrize(
    ("reference", "first"),
    [
        ("809", "809"),
        ("809.1.c", "809.1.c"),
        ("809.1.C.", "809.1.c"),
        ("rule 316.2", "316.2"),
        ("CR 316.2", "316.2"),
        ("805-829", "805"),
        ("805\u2013829", "805"),
        ("Deflect", "809"),
        ("quick draw", "819"),
        ("cleanup", "318"),
        ("Cleanups", "318"),
        ("the chain", "327"),
        ("burn out", "431"),
        ("809, 316", "809"),
    ],
)
def test_a_reference_leads_to_its_rules(rules: RulesDatabase, reference: str, first: str) -> None:
    assert rules.resolve(reference)[0].number == first


def test_a_keyword_leads_to_its_chapter_and_its_definition(rules: RulesDatabase) -> None:
    assert [entry.number for entry in rules.resolve("DEFLECT")] == ["809", "809.1.c"]


def test_several_references_are_told_once_each(rules: RulesDatabase) -> None:
    assert [entry.number for entry in rules.resolve("809.1.c, Deflect")] == ["809.1.c", "809"]


@pytest.mark.parametrize(
    ("reference", "message", "help"),
    [
        ("999.9", "there is no rule 999.9", "the rules run from 000 to 829.2"),
        ("316.2.z", "there is no rule 316.2.z", "316.2 has no sub-rules"),
        ("316.5.z", "there is no rule 316.5.z", "under 316.5 are 316.5.a, 316.5.b"),
        ("Deflekt", "no rule is called 'Deflekt'", "did you mean Deflect?"),
        ("clenaup", "no rule is called 'clenaup'", "did you mean cleanup?"),
        ("829-805", "a range runs upwards, and 829 stands after 805", "did you mean 805-829?"),
        ("", "nothing is named to look up", "name a number, a range, a keyword or a term"),
        ("xyzzy", "no rule is called 'xyzzy'", "search for it: rulewright rules search"),
    ],
)
def test_what_is_not_there_is_told_with_what_is_near(
    rules: RulesDatabase, reference: str, message: str, help: str
) -> None:
    with pytest.raises(UnknownRuleError) as refused:
        rules.resolve(reference)
    assert (refused.value.message, refused.value.help) == (message, help)


def test_an_unknown_keyword_is_told_with_the_nearest(rules: RulesDatabase) -> None:
    with pytest.raises(UnknownRuleError) as refused:
        rules.keyword("Asault")
    assert refused.value.help == "did you mean Assault?"


def test_every_term_leads_to_rules_that_are_there(rules: RulesDatabase) -> None:
    assert {number for numbers in rules.terms.values() for number in numbers} <= {
        entry.number for entry in rules
    }


def test_references_are_known_from_both_sides(rules: RulesDatabase) -> None:
    assert "356.2.a.2" in rules.entry("809.1.c").see
    assert "809.1.c" in rules.referring["356.2.a.2"]


def test_tables_and_procedures_are_found_by_name(game: Game) -> None:
    one = game(
        **{
            "1-a.yaml": """
- rule: '1'
  gist: The numbers of the game.
  status: table
  table: {name: Numbers, rows: {hand: 5, zones: [deck, hand]}}
- rule: '2'
  gist: What happens in a turn.
  status: executable
  procedure: {name: turn, steps: [{do: draw, rule: '2'}, {means: "Draw 1."}]}
"""
        }
    )
    assert one.table("numbers") == {"hand": 5, "zones": ("deck", "hand")}
    assert one.procedure("turn").steps == ({"do": "draw", "rule": "2"}, {"means": "Draw 1."})
    with pytest.raises(UnknownRuleError, match="no table 'nombers'"):
        one.table("nombers")
    with pytest.raises(UnknownRuleError, match="no procedure 'trun'"):
        one.procedure("trun")


def test_another_game_has_numbers_of_another_shape(game: Game) -> None:
    one = game(
        **{
            "2-actions/2.3-moving.yaml": """
- {rule: '2', gist: Actions., status: heading}
- {rule: '2.3', gist: Moving a piece., status: definition, keyword: {name: Leap, kind: [passive]}}
- {rule: '2.3.1', gist: A piece moves one square., status: executable, by: [move-object]}
"""
        }
    )
    assert [entry.number for entry in one.resolve("leap")] == ["2", "2.3"]
    assert [entry.number for entry in one.parents("2.3.1")] == ["2.3", "2"]
    assert one.entry("2.3.1").carried_by == (Carrier("primitive", "move-object"),)
    assert one.search("how far does a piece move")[0].number == "2.3.1"
    assert one.version is None
