"""Checks of card sets: each kind of fault is found where it is, nothing else is, and what is safe is put right."""

import json
import re
from pathlib import Path

import pytest
import yaml

from rulewright.apps.check_game import checked_game
from rulewright.cards.canonical import WordingError
from rulewright.cards.checks import (
    Game,
    Page,
    Report,
    Settings,
    check_content,
    check_paths,
    fix_paths,
    page,
    pages,
)
from rulewright.cards.checks.cards import fact_findings, joint_findings
from rulewright.cards.checks.files import files_in, kind_of, read_file
from rulewright.cards.checks.findings import diagnostic_from_plain, diagnostic_to_plain
from rulewright.cards.checks.places import Layout, characters
from rulewright.cards.checks.settings import Accepted, find_settings
from rulewright.cards.checks.texts import check_text
from rulewright.data_files import parse
from rulewright.errors import UsageError
from rulewright.language import Diagnostic, Fix

BROKEN = Path(__file__).with_name("broken")
EXPECTED: dict[str, list[str]] = yaml.load(
    BROKEN.with_name("broken_expected.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
)
FINE = b"set: TST\nname: Test\ncards:\n- {name: Scholar, type: spell, energy: 2, text: Draw 1.}\n"
NO_TEXT: dict[str, tuple[bytes, bytes]] = {
    "RW401": (b"#" * 20_000_001, b"#" * 1_000_000 + b"\n" + FINE),
    "RW402": (FINE.replace(b"Scholar", b"Sch\xf6ler"), FINE.replace(b"Scholar", "Schöler".encode())),
}
"""A bad and a good file for the codes that no text can show."""

OWN_FAULTS = {
    "RW199": ("rulewright.language.parse", IndexError("no such part")),
    "RW207": ("rulewright.cards.canonical.canonical_wording", WordingError("it reads otherwise")),
}
"""What must fail inside Rulewright for the codes that tell its own faults."""


@pytest.fixture(scope="module")
def game() -> Game:
    return checked_game()


def as_set(cards: str) -> bytes:
    """An example of a page as a file: a list of cards becomes a set."""
    return (f"set: TST\nname: Test\ncards:\n{cards}" if cards.startswith("- {") else cards).encode()


def kind(example: str) -> str:
    """What an example of a page is: a deck, or else a set."""
    return "deck" if "\nparts:" in example else "set"


def codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings]


def check_card(game: Game, text: str, facts: str = "type: unit, energy: 2, might: 2") -> Report:
    return check_content(
        as_set(f"- {{name: Sample, {facts}, text: {json.dumps(text)}}}\n"), "sample.yaml", game
    )


# ------------------------------------------------------------------------------------------- every kind of fault


@pytest.mark.parametrize("name", EXPECTED)
def test_a_broken_card_is_told_by_its_code(name: str, game: Game) -> None:
    content = (BROKEN / f"{name}.yaml").read_bytes()
    assert codes(check_content(content, f"{name}.yaml", game)) == EXPECTED[name]


def test_every_broken_file_has_its_expected_codes_and_every_code_a_broken_file() -> None:
    assert {path.stem for path in BROKEN.glob("*.yaml")} == set(EXPECTED)
    assert len(EXPECTED) >= 50
    shown = {code for found in EXPECTED.values() for code in found}
    assert shown | set(NO_TEXT) | set(OWN_FAULTS) | {"RW416"} == set(pages())


@pytest.mark.parametrize("one", pages().values(), ids=lambda one: one.code)
def test_a_page_has_a_bad_example_that_is_found_and_a_good_one_that_is_not(one: Page, game: Game) -> None:
    assert re.fullmatch(r"RW[1-4]\d\d", one.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one.name)
    assert one.severity in ("error", "warning")
    assert one.fixable in ("always", "sometimes", "never")
    if one.code in OWN_FAULTS:
        return
    bad, good = NO_TEXT.get(one.code) or (as_set(one.bad), as_set(one.good))
    assert set(codes(check_content(bad, "bad.yaml", game, kind=kind(one.bad)))) == {one.code}
    assert codes(check_content(good, "good.yaml", game, kind=kind(one.good))) == []


@pytest.mark.parametrize("code", OWN_FAULTS)
def test_a_fault_of_rulewright_itself_is_told_and_no_traceback(
    code: str, game: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    where, error = OWN_FAULTS[code]

    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    assert codes(check_content(FINE, "good.yaml", game)) == []
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "other"))
    monkeypatch.setattr(where, fails)
    (found,) = check_content(FINE, "bad.yaml", game).findings
    assert (found.code, str(error) in found.diagnostic.message) == (code, True)
    assert found.diagnostic.severity == pages()[code].severity


def test_what_a_page_says_of_fixes_is_so(game: Game) -> None:
    """A safe fix puts right what it belongs to; whether there always, sometimes or never is one is what pages say."""
    fixed: dict[str, set[bool]] = {}
    files = [as_set(one.bad) for one in pages().values() if kind(one.bad) == "set"]
    files += [(BROKEN / f"{name}.yaml").read_bytes() for name in EXPECTED]
    for content in files:
        report = check_content(content, "bad.yaml", game)
        cards = {card.card.name: card for file in report.files for card in file.cards}
        for found in report.findings:
            safe = found.fix is not None and found.fix.safe
            fixed.setdefault(found.code, set()).add(safe)
            if safe and found.fix is not None:
                card = cards[found.card].card
                text = found.fix.applied(getattr(card, found.key))
                left = check_text(card, found.key, text, game.facts)
                assert len([one for one in left if one.code == found.code]) < codes(report).count(found.code)
    said = {"always": {True}, "sometimes": {True, False}, "never": {False}}
    wrong = {code: seen for code, seen in fixed.items() if not seen <= said[pages()[code].fixable]}
    assert wrong == {}
    # A page that promises a fix has an example of one.
    assert [
        one.code for one in pages().values() if one.fixable != "never" and True not in fixed[one.code]
    ] == []


def test_a_page_is_found_by_its_code_or_its_name() -> None:
    assert page("rw103") is page("Unknown-Word")
    with pytest.raises(UsageError) as caught:
        page("unknown-wrod")
    assert caught.value.help == "did you mean unknown-word or unknown-card?"


def test_a_deck_that_names_a_card_that_there_is_not_is_told(game: Game, tmp_path: Path) -> None:
    (tmp_path / "decks").mkdir()
    deck = "name: D\nparts:\n  main:\n    Ember Pap: 3\n    Ember Pup: 3\n"
    (tmp_path / "decks" / "d.yaml").write_text(deck, encoding="utf-8")
    (finding,) = check_paths([tmp_path], game).findings
    assert (finding.code, finding.place.line, finding.diagnostic.help) == (
        "RW416",
        4,
        "did you mean 'Ember Pup'?",
    )


# ---------------------------------------------------------------------------------------- places and messages


def test_a_finding_in_a_block_of_text_has_its_line_and_column(game: Game) -> None:
    source = (
        "set: TST\nname: Test\ncards:\n- name: Ember Fox\n  type: unit\n  energy: 2\n  might: 2\n"
        "  text: |-\n    [Assault]\n    When I attack, move an enemy unit here to another battlefeild.\n"
    )
    (finding,) = check_content(source.encode(), "fox.yaml", game).findings
    assert (finding.code, finding.card, finding.key) == ("RW103", "Ember Fox", "text")
    assert (finding.place.line, finding.place.column, finding.place.end_column) == (10, 55, 66)
    assert finding.diagnostic.help == "did you mean “battlefield”?"
    assert finding.fix is not None
    assert finding.fix.safe


@pytest.mark.parametrize(
    "written",
    [
        "Draw 1, it''s é here.",
        "'Draw 1, it''s é here.'",
        '"Draw 1, it\'s \\xe9 here."',
        '"Draw 1,\n    it\'s é\n    here."',
        "'Draw 1,\n    it''s é\n    here.'",
        "Draw 1,\n    it's é\n    here.",
        "|-\n    Draw 1, it's é here.",
        ">-\n    Draw 1,\n    it's é here.",
    ],
)
def test_characters_are_found_in_every_style_of_yaml(written: str) -> None:
    source = f"a: {written}\nb: 1\n"
    read = parse(source.encode(), "a.yaml")
    scalar, text = read.scalar(["a"]), read.plain["a"]
    assert scalar is not None
    places = characters(source, scalar, text)
    assert len(places) == len(text) + 1
    for letter in "D,hre.":
        assert source[places[text.index(letter)]] == letter
    assert Layout(source).position(places[0]) == (
        (1, 4) if "|" not in written and ">" not in written else (2, 5)
    ) or (written[0] in "'\"")


def test_a_stop_tells_what_was_expected_in_plain_names(game: Game) -> None:
    (finding,) = check_card(game, "When I attack, move an enemy unit here to another.").findings
    assert finding.code == "RW104"
    assert finding.diagnostic.expected == ("a noun, such as “unit” or “card”",)
    assert len(check_card(game, "Deal 3 to a unit").findings[0].diagnostic.expected) == 8


def test_two_readings_are_shown_in_plain_words(game: Game) -> None:
    report = check_card(game, "Return a unit or gear from your trash to your hand.", "type: spell, energy: 2")
    (finding,) = report.findings
    assert finding.diagnostic.notes == (
        "1: a unit from your trash or a gear from your trash (this is how it is read)",
        "2: a unit or a gear from your trash",
    )
    assert finding.diagnostic.help == "write “a unit from your trash or a gear from your trash” for the first"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[Assault 2] (+2 [M] while I'm an attacker.)", False),
        ("[Assault] (+1 [M] while I'm an attacker.)", False),
        ("[Assault] (+2 [M] while I'm an attacker.)", True),
        ("[Assault 2]\n[Shield] (+1 [M] while I'm a defender.)", False),
        ("When I conquer, give a unit [Assault 3] this turn. (+4 [M] while it's an attacker.)", True),
        ("[Deflect 2] (Opponents pay [A][A] to choose me.)", False),
        ("[Deflect 2] (Opponents pay [A] to choose me.)", True),
        ("[Level 3][>] I have +1 [M]. (While you have 3+ XP.)", False),
        ("[Level 3][>] I have +1 [M]. (While you have 6+ XP.)", True),
        ("[Tank] (I can move from battlefield to battlefield.)", True),
        ("[Tank] (I am assigned combat damage first.)", False),
        ("When I conquer, draw 1. (From your deck, 3 times.)", False),
    ],
)
def test_a_reminder_is_held_to_its_keyword(text: str, wrong: bool, game: Game) -> None:
    assert ("RW203" in codes(check_card(game, text))) == wrong


def test_no_name_of_the_grammar_reaches_a_person(game: Game) -> None:
    for name in EXPECTED:
        for finding in check_content((BROKEN / f"{name}.yaml").read_bytes(), name, game).findings:
            said = " ".join(
                [finding.diagnostic.message, *finding.diagnostic.expected, finding.diagnostic.help or ""]
            )
            ours = re.sub(r"YAML|'[A-Z]+'", "", said)
            assert not re.search(r"\b_[A-Z]+\b|__|[a-z]_[a-z]+_[a-z]|[A-Z]{4,}", ours), said


def test_a_diagnostic_is_the_same_after_it_was_json() -> None:
    one = Diagnostic(
        "RW103", "error", (1, 4), "m", ("a", "b"), "h", "1.2", Fix((1, 2), "x", safe=True), ("n",)
    )
    assert diagnostic_from_plain(json.loads(json.dumps(diagnostic_to_plain(one)))) == one


# ---------------------------------------------------------------------------------------------- putting right


SLIPS = """# A set with slips.
set: TST
name: Test
cards:
- {name: Fox, type: unit, energy: 2, might: 2, text: "When I attack, move an enemy unit to another battlefeild."} # it
- name: Owl
  type: unit
  energy: 2
  might: 2
  text: |-
    [Tank]
    when I conquer, you darw 1.
- {name: Cat, type: spell, energy: 2, text: "Stun a card in your hand."}
"""


def test_what_is_safe_is_put_right_and_nothing_else_is_touched(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "tst.yaml"
    path.write_text(SLIPS, encoding="utf-8")
    report = fix_paths([path], game)
    assert (report.fixed, codes(report)) == (2, ["RW105"])
    right = SLIPS.replace("battlefeild", "battlefield").replace(
        "when I conquer, you darw 1.", "When I conquer, draw 1."
    )
    assert path.read_text("utf-8") == right
    assert fix_paths([path], game).fixed == 0
    assert [one.name for one in tmp_path.iterdir()] == ["tst.yaml"]


def test_a_fix_that_is_not_asked_for_is_not_made(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "tst.yaml"
    path.write_text(SLIPS, encoding="utf-8")
    fix_paths([path], game, Settings(ignore=("RW103",)))
    assert path.read_text("utf-8") == SLIPS


def test_line_ends_are_kept(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "tst.yaml"
    path.write_bytes(SLIPS.replace("\n", "\r\n").encode())
    assert fix_paths([path], game).fixed == 2
    written = path.read_bytes()
    assert b"battlefield" in written
    assert written.count(b"\r\n") == written.count(b"\n") == SLIPS.count("\n")


# ----------------------------------------------------------------------------------------- what is remembered


def test_only_changed_texts_are_read_again(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "tst.yaml"
    path.write_text(SLIPS, encoding="utf-8")
    first = check_paths([path], game)
    again = check_paths([path], game)
    path.write_text(SLIPS.replace("Stun a card", "Kill a card"), encoding="utf-8")
    changed = check_paths([path], game)
    assert (first.texts, first.read, again.read, changed.read) == (3, 3, 0, 1)
    assert again.findings == first.findings


def test_other_words_are_another_reading(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "tst.yaml"
    text = "set: TST\nname: T\ncards:\n- {name: A, type: spell, energy: 1, text: 'Give a Zorblax +2 [M] this turn.'}\n"
    path.write_text(text, encoding="utf-8")
    assert codes(check_paths([path], game)) == ["RW108"]
    path.write_text(
        text + "- {name: B, type: unit, energy: 1, might: 1, tags: [Zorblax]}\n", encoding="utf-8"
    )
    assert codes(check_paths([path], game)) == []


# -------------------------------------------------------------------------------------------------- settings


def test_settings_are_those_of_the_nearest_file(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.rulewright]\nignore = ["house-wording"]\n', encoding="utf-8"
    )
    inner = tmp_path / "sets"
    inner.mkdir()
    assert find_settings(inner).ignore == ("RW202",)
    accept = '[[accept]]\ncard = "A"\ncode = "RW201"\nbecause = "it is meant"\n'
    (inner / "rulewright.toml").write_text(f'strict = true\nsets = ["more"]\n{accept}', encoding="utf-8")
    settings = find_settings(inner / "a.yaml")
    assert (settings.strict, settings.sets) == (True, (inner / "more",))
    assert settings.accept == (Accepted("A", "RW201", "it is meant"),)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("selekt = []", "unknown key 'selekt'"),
        ('select = ["RW999"]', "there is no diagnostic 'RW999'"),
        ("select = 3", "select is a list of texts"),
        ('[[accept]]\ncard = "A"\ncode = "RW201"', "a card, a code and a reason"),
        ("= 3", "this is no TOML"),
    ],
)
def test_settings_that_are_wrong_are_told(written: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "rulewright.toml").write_text(written, encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(told)):
        find_settings(tmp_path)


def test_codes_are_chosen_and_left_out_and_findings_accepted(game: Game) -> None:
    content = as_set(
        '- {name: A, type: spell, energy: 1, text: "[1]: Draw 1."}\n- {name: B, type: spell, text: Draw 1.}\n'
    )

    def found(**chosen: object) -> list[str]:
        return codes(check_content(content, "a.yaml", game, Settings(**chosen)))  # type: ignore[arg-type]

    assert found() == ["RW204", "RW310"]
    assert found(select=("RW3",)) == ["RW310"]
    assert found(ignore=("RW2",)) == ["RW310"]
    assert found(ignore=("RW",), select=("RW204",)) == ["RW204"]
    assert found(accept=(Accepted("A", "RW204", "meant"),)) == ["RW310"]


# ------------------------------------------------------------------------------------- a game of another kind


def test_without_facts_of_rules_a_set_is_checked_by_its_texts_and_the_schema() -> None:
    from rulewright.cards.checks import GameFacts

    content = as_set('- {name: A, type: creature, cost: 1, text: "[Tank]\\nFlib."}\n')
    assert codes(check_content(content, "a.yaml", Game(GameFacts()))) == ["RW103"]


# ---------------------------------------------------------------------------------------------- the real cards


def test_the_facts_of_the_sets_that_come_with_rulewright_are_in_order(game: Game, checkout: Path) -> None:
    paths = files_in(checkout / "cardtexts")
    files = [read_file(path.read_bytes(), str(path), kind_of(path)) for path in paths]
    own = [finding for file in files for finding in file.findings]
    facts = [
        one for file in files for card in file.cards for one in fact_findings(file.file, card, game.facts)
    ]
    assert [*own, *facts, *joint_findings(files, (), game.facts)] == []
    assert sum(len(file.cards) for file in files) > 800


@pytest.mark.slow
def test_no_text_that_comes_with_rulewright_has_a_finding(game: Game, checkout: Path) -> None:
    folder = checkout / "cardtexts"
    assert check_paths([folder], game, find_settings(folder)).findings == ()


@pytest.mark.slow
def test_no_card_of_the_corpus_is_an_error(game: Game, shared: Path, tmp_path: Path) -> None:
    from rulewright.cards.formats import load_imports
    from rulewright.cards.importing import read_export
    from rulewright.cards.write import set_text

    path = shared / "corpus" / "cards.jsonl"
    made = read_export(path.read_bytes(), path.name, load_imports())
    for code, cards in made.sets.items():
        text = set_text(code, made.set_names[code], cards)
        (tmp_path / f"{code.lower()}.yaml").write_text(text, encoding="utf-8")
    report = check_paths([tmp_path], game)
    assert [finding for finding in report.findings if finding.is_error] == []
    assert report.texts > 700


def test_what_was_put_right_stays_so_and_means_the_same(game: Game, tmp_path: Path) -> None:
    for name in EXPECTED:
        path = tmp_path / f"{name}.yaml"
        path.write_bytes((BROKEN / path.name).read_bytes())
        before = check_paths([path], game)
        fix_paths([path], game)
        after = fix_paths([path], game)
        assert after.fixed == 0, name
        assert after.errors <= before.errors, name
        assert not [one for one in after.findings if one.fix is not None and one.fix.safe], name


@pytest.mark.parametrize(
    ("card", "message", "help_text"),
    [
        ("type: Unit", "type: 'Unit' is not right here", "did you mean 'unit'?"),
        ("type: unit, domains: fury", "domains: 'fury' is not a list", "write [fury]"),
        ("type: unit, domains: [Fury]", "domains: 'Fury' is not right here", "did you mean 'fury'?"),
        ("type: unit, might: '2'", "might: '2' is not a whole number", "write 2, without quotes"),
        ("type: unit, might: -1", "might: -1 is less than 0", None),
        ("type: unit, text: [Tank]", "text: ['Tank'] is not text", "put it in quotes"),
        (
            "type: unit, text: ",
            "text: nothing stands here",
            "leave the key out where there is nothing to say",
        ),
        ("type: unit, token: false", "token: False is not true", "leave the key out where it is not so"),
        ("type: unit, number: 012/298", "number: '012/298' is not right here", "did you mean '012'?"),
        (
            "type: unit, rarity: Very Rare",
            "rarity: 'Very Rare' is not right here",
            "did you mean 'very-rare'?",
        ),
    ],
)
def test_a_wrong_value_is_told_in_plain_words(
    card: str, message: str, help_text: str | None, game: Game
) -> None:
    (found,) = check_content(as_set(f"- {{name: A, {card}}}\n"), "a.yaml", game).findings
    assert found.diagnostic.message.startswith(f"A: {message}")
    assert found.diagnostic.help == help_text
