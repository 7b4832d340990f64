import json

import jsonschema
import pytest

from rulewright.language import ast, tree
from rulewright.language.ast import (
    Action,
    CardText,
    Number,
    Objects,
    Player,
    Quantity,
    Sequence,
    SpellAbility,
)
from rulewright.paths import data_dir

ONE = Quantity("exactly", Number(1))
KILL_AND_DRAW = CardText(
    (
        SpellAbility(
            Sequence(
                (
                    Action(
                        "kill", Player("you"), Objects(ONE, ("gear",), (ast.Side("enemy", span=(5, 10)),))
                    ),
                    Action("draw", Player("you"), amount=Number(2)),
                ),
                span=(0, 24),
            )
        ),
    )
)


def test_a_meaning_goes_to_json_and_back() -> None:
    assert tree.from_json(json.loads(json.dumps(tree.to_json(KILL_AND_DRAW)))) == KILL_AND_DRAW


def test_json_tells_the_kind_and_leaves_defaults_out() -> None:
    assert tree.to_json(Action("draw", Player("you"), amount=Number(2))) == {
        "kind": "Action",
        "verb": "draw",
        "subject": {"kind": "Player", "which": "you"},
        "amount": {"kind": "Number", "value": 2},
    }


def test_spans_are_written_only_on_request_and_come_back() -> None:
    assert "span" not in json.dumps(tree.to_json(KILL_AND_DRAW))
    written = tree.to_json(KILL_AND_DRAW, spans=True)
    assert written["abilities"][0]["body"]["span"] == [0, 24]
    body = tree.at(tree.from_json(written), "abilities.0.body")
    assert body.span == (0, 24)


def test_surface_forms_are_no_part_of_the_meaning() -> None:
    assert tree.to_json(ast.Here("this battlefield")) == {"kind": "Here"}
    assert tree.meaning_hash(ast.Here("this battlefield")) == tree.meaning_hash(ast.Here())
    assert tree.without_spans(ast.Here("this battlefield", span=(1, 2))).span is None


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ([], "tree: expected a node with a known kind"),
        ({"kind": "Nothing"}, "tree: expected a node with a known kind"),
        ({"kind": "Number"}, "tree: Number needs a field 'value'"),
        ({"kind": "Number", "value": True}, "value: expected a whole number, found True"),
        ({"kind": "Number", "value": 1, "colour": 2}, "tree: Number has no field 'colour'"),
        ({"kind": "CountOf", "what": {"kind": "Number", "value": 1}}, "what: Number has no place here"),
        ({"kind": "CountOf", "what": []}, "what: a list has no place here"),
        ({"kind": "HasTag", "tags": ["Cat", 3]}, "tags.1: expected a text, found 3"),
        ({"kind": "Here", "span": [1]}, "span: expected 2 values, found 1"),
    ],
)
def test_a_tree_that_is_not_one_is_refused_with_its_place(written: object, fault: str) -> None:
    with pytest.raises(tree.MalformedTreeError) as refused:
        tree.from_json(written)
    assert str(refused.value).startswith(fault)


def test_a_tree_nested_beyond_all_reason_is_refused() -> None:
    deep: dict[str, object] = {"kind": "Number", "value": 1}
    for _ in range(tree.DEEPEST + 5):
        deep = {"kind": "Times", "amount": deep, "times": {"kind": "Number", "value": 1}}
    with pytest.raises(tree.MalformedTreeError, match="nested deeper"):
        tree.from_json(deep)


def test_walking_gives_every_node_with_a_path_that_leads_back_to_it() -> None:
    found = dict(tree.walk(KILL_AND_DRAW))
    assert list(found)[:4] == ["", "abilities.0", "abilities.0.body", "abilities.0.body.steps.0"]
    assert found["abilities.0.body.steps.0.object.filters.0"] == ast.Side("enemy")
    assert all(tree.at(KILL_AND_DRAW, path) is node for path, node in found.items())


def test_replacing_at_a_path_changes_that_node_only() -> None:
    path = "abilities.0.body.steps.0.object.filters.0"
    changed = tree.replace(KILL_AND_DRAW, path, ast.Side("friendly"))
    assert tree.at(changed, path) == ast.Side("friendly")
    assert tree.replace(changed, path, ast.Side("enemy")) == KILL_AND_DRAW
    assert tree.replace(KILL_AND_DRAW, "", changed) is changed


@pytest.mark.parametrize("path", ["abilities.1", "nothing", "abilities.0.body.steps.0.verb", "abilities.x"])
def test_a_path_to_nothing_is_an_error(path: str) -> None:
    with pytest.raises(tree.MalformedTreeError):
        tree.replace(KILL_AND_DRAW, path, Number(1))


def test_the_hash_of_a_meaning_is_stable() -> None:
    assert tree.meaning_hash(KILL_AND_DRAW) == "08cfaff7674fe36ce631d4947b55bbe0"
    assert tree.meaning_hash(Number(3)) != tree.meaning_hash(Number(4))


def test_the_committed_schema_is_the_generated_one() -> None:
    committed = (data_dir() / "grammar" / tree.SCHEMA_FILE).read_text(encoding="utf-8")
    assert committed == tree.schema_text(), "write it again: rulewright schema ast --write"


def test_the_schema_is_a_schema_and_carries_its_version() -> None:
    schema = tree.json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["version"] == tree.AST_VERSION


@pytest.mark.parametrize("spans", [False, True])
def test_a_meaning_fits_the_schema(spans: bool) -> None:
    jsonschema.validate(tree.to_json(KILL_AND_DRAW, spans=spans), tree.json_schema())


def test_what_the_reader_refuses_does_not_fit_the_schema() -> None:
    wrong = {
        "kind": "CardText",
        "abilities": [{"kind": "SpellAbility", "body": {"kind": "Number", "value": 1}}],
    }
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, tree.json_schema())


def test_every_union_of_the_tree_is_named_in_the_schema() -> None:
    assert {"Amount", "Place", "Selector", "Filter", "Condition", "Effect", "Instruction", "Ability"} <= set(
        tree.json_schema()["$defs"]
    )
