"""Scenario files become values, or an error that names file, line and reason."""

from pathlib import Path

import pytest

from rulewright.errors import UsageError
from rulewright.play.scenario import ScenarioError, load, piece, resources

GOOD = """
- name: A bolt hits
  rules: [417.1]
  cards: {Bolt: {type: spell, text: "Deal 3 to a unit."}}
  given:
    turn: P1
    P1: {hand: [Bolt], points: 3}
    battlefields:
      A: {controller: P2, P2: [Guard 4]}
  when:
  - P1: {play: Bolt, choosing: Guard}
  - all: resolve
  then:
  - {the: Guard, at: A, damage: 3}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "some.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_scenario_is_read_with_the_place_of_each_line(tmp_path: Path) -> None:
    (scenario,) = load(write(tmp_path, GOOD))
    assert scenario.name == "A bolt hits"
    assert scenario.when[0].said == {"P1": {"play": "Bolt", "choosing": "Guard"}}
    assert scenario.when[0].place.endswith("some.yaml:11")
    assert scenario.then[0].place.endswith("some.yaml:14")


def test_each_variant_is_a_run_with_the_common_parts(tmp_path: Path) -> None:
    varied = GOOD + (
        "  variants:\n"
        "  - name: at three\n"
        "    given: {battlefields: {A: {P2: [Guard 3]}}}\n"
        "    then: [{the: Guard, at: trash}]\n"
        "  - name: at four\n"
    )
    three, four = load(write(tmp_path, varied))
    assert three.title == "A bolt hits (at three)"
    assert three.given["battlefields"] == {"A": {"controller": "P2", "P2": ["Guard 3"]}}
    assert [line.said["the"] for line in three.then] == ["Guard", "Guard"]
    assert four.given["battlefields"]["A"]["P2"] == ["Guard 4"]


@pytest.mark.parametrize(
    ("good", "bad", "line", "reason"),
    [
        ("choosing:", "chosing:", 11, "unknown key 'chosing'"),
        ("damage: 3", "damaged: 3", 14, "unknown key 'damaged'"),
        ("rules: [417.1]", "rules: [four]", 3, "'four' does not match"),
        ("    turn:", "    trun:", 6, "unknown key 'trun'"),
        ("all: resolve", "all: resolved", 12, "'resolved' is not one of"),
        ("type: spell", "typ: spell", 4, "unknown key 'typ'"),
        ("points: 3", "points: {}", 7, "{}"),
    ],
)
def test_a_mistake_is_shown_where_it_stands(
    tmp_path: Path, good: str, bad: str, line: int, reason: str
) -> None:
    with pytest.raises(ScenarioError) as found:
        load(write(tmp_path, GOOD.replace(good, bad)))
    assert found.value.place is not None
    assert found.value.place.endswith(f"some.yaml:{line}")
    assert reason in found.value.message


def test_text_that_is_not_yaml_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"some\.yaml:\d+: .*not YAML"):
        load(write(tmp_path, GOOD + "  - [\n"))


def test_a_folder_without_scenarios_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no scenarios"):
        load(tmp_path)
    with pytest.raises(UsageError, match="no such scenario file"):
        load(tmp_path / "absent.yaml")


@pytest.mark.parametrize(
    ("written", "name", "might", "keywords", "states", "damage"),
    [
        ("Guard 3", "Guard", 3, "", (), 0),
        ("Guard 3 [Tank], [Shield 2]", "Guard", 3, "[Tank], [Shield 2]", (), 0),
        ("Fury Rune (exhausted)", "Fury Rune", None, "", ("exhausted",), 0),
        ("R1 1 (damage 1, stunned)", "R1", 1, "", ("stunned",), 1),
    ],
)
def test_an_object_is_written_in_short(
    written: str, name: str, might: int | None, keywords: str, states: tuple[str, ...], damage: int
) -> None:
    read = piece(written, "here")
    assert (read.name, read.might, read.keywords, read.states, read.damage) == (
        name,
        might,
        keywords,
        states,
        damage,
    )


def test_an_object_that_is_not_read_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"here: .* is not read as an object"):
        piece("[Tank]", "here")


def test_a_pool_is_read_as_amounts_of_resources() -> None:
    assert resources("2 energy 1 fury 1 any", "here") == {"energy": 2, "fury": 1, "any": 1}
    assert resources("0", "here") == {}
    with pytest.raises(ScenarioError, match=r"here: .* is not read"):
        resources("lots", "here")
