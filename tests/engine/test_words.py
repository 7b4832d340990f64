"""A text with a word that nothing in the engine reads is refused: the word would be lost and the card be stronger."""

from rulewright.cards import CardDefinition
from rulewright.engine import Position, Ruleset
from rulewright.language import ast
from rulewright.play.table import load_table


def refused(meaning: ast.Ability, kind: str = "unit") -> str | None:
    table = load_table()

    def parse(text: str, card: CardDefinition | None) -> ast.CardText:
        return (
            ast.CardText((meaning,)) if card is not None and card.name == "Trial" else whole.parse(text, card)
        )

    whole = table.ruleset
    card = CardDefinition("Trial", (kind,), figures=(("might", 1),), text="as it is")
    return Ruleset(table.rules, [*table.pool, card], parse=parse).refused("Trial")


def test_a_state_that_nothing_reads_is_refused() -> None:
    subject = ast.Objects(ast.Quantity("all"), ("unit",), (ast.HasState("asleep"),))
    change = ast.Modify(subject, (ast.MightChange(ast.Number(1)),))
    assert "asleep" in str(refused(ast.PassiveAbility((change,))))


def test_an_adverb_of_an_event_that_nothing_reads_is_refused() -> None:
    event = ast.Event(ast.Action("move", object=ast.Self("i"), manner=("slowly",)))
    body = ast.Action("draw", ast.Player("you"), amount=ast.Number(1))
    assert "slowly" in str(refused(ast.TriggeredAbility((event,), body)))


def test_only_a_game_can_be_won_by_an_instruction() -> None:
    combat = ast.Objects(ast.Quantity("exactly", ast.Number(1)), ("combat",))
    told = refused(ast.SpellAbility(ast.Action("win", ast.Player("you"), object=combat)), "spell")
    assert "only a game" in str(told)


def test_whose_damage_cannot_be_prevented_is_said_of_players_only() -> None:
    def told(whose: ast.Player | ast.Self) -> str | None:
        damage = ast.Resource("damage", ast.Number(1), whose)
        return refused(ast.PassiveAbility((ast.Forbid(ast.Action("prevent", object=damage)),)))

    assert told(ast.Player("you")) is None
    assert "prevented" in str(told(ast.Self("i")))


def test_words_on_the_cost_of_this_ability_stand_with_an_ability_that_has_one() -> None:
    cheaper = ast.CostChange(
        ast.Reference("this", ("ability",)), "less", ast.Cost((ast.Energy(ast.Number(1)),))
    )
    assert "that speak of it" in str(refused(ast.PassiveAbility((cheaper,))))


THIS_ABILITY = ast.Reference("this", ("ability",))


def test_what_an_ability_says_of_itself_stands_with_an_ability_and_is_of_its_time_or_its_choices() -> None:
    def equip(effect: ast.Effect) -> str | None:
        cost = ast.Cost((ast.Energy(ast.Number(1)),))
        return refused(ast.KeywordAbility(ast.Keyword("Equip", cost=cost), (effect,)), "gear")

    swift = ast.Modify(THIS_ABILITY, (ast.Gains(ast.Keyword("Reaction")),))
    assert equip(swift) is None
    assert "that speak of it" in str(refused(ast.PassiveAbility((swift,))))
    assert "no more than times" in str(equip(ast.Modify(THIS_ABILITY, (ast.Gains(ast.Keyword("Tank")),))))
    mechs = ast.Objects(ast.Quantity("all"), ("Mech",))
    assert equip(ast.Forbid(ast.Action("choose", THIS_ABILITY, mechs))) is None
    assert "what it can choose" in str(equip(ast.Forbid(ast.Action("kill", THIS_ABILITY, mechs))))


def test_only_the_use_of_an_activated_keyword_is_narrowed() -> None:
    cost = ast.Cost((ast.Energy(ast.Number(1)),))
    once = "once-each-turn"
    assert refused(ast.KeywordAbility(ast.Keyword("Equip", cost=cost), frequency=once), "gear") is None
    repeat = ast.KeywordAbility(ast.Keyword("Repeat", cost=cost), frequency=once)
    assert "nothing is used by [Repeat]" in str(refused(repeat, "spell"))


def test_a_permission_that_is_the_only_one_is_to_play_something_and_names_a_place() -> None:
    base = ast.Zone("base")
    play, attach = (
        ast.Action("play", object=ast.Self("i")),
        ast.Action("attach", object=ast.Self("i"), to=base),
    )
    for action in (play, attach):
        assert "names a place" in str(refused(ast.PassiveAbility((ast.Permit(action, only=True),))))


def test_cards_of_one_name_in_two_rulesets_do_not_know_of_each_other() -> None:
    rules = load_table().ruleset
    adds, draws = (
        rules.with_cards([CardDefinition("Lamp", ("gear",), text=text)])
        for text in ("[Reaction][>] [E]: Add [1].", "[1], [E]: Draw 1.")
    )
    for ruleset, offered in ((adds, False), (draws, True)):
        position = Position(ruleset)
        position.put("Lamp")
        position.fill_decks()
        game = position.start()
        game.give(0, energy=1)
        assert game.decision is not None
        assert any(option.kind == "use" for option in game.decision.options) is offered


def test_only_a_word_that_a_text_of_the_game_gives_as_a_tag_is_looked_for_in_the_layers() -> None:
    """What a noun means is looked up for every object on the board: a type is as printed, whatever tags are given."""
    giver = "Other units you control are Dogs."
    table = load_table()
    card = CardDefinition("Kennel", ("unit",), figures=(("might", 1),), text=giver)
    position = Position(Ruleset(table.rules, [*table.pool, card], parse=table.ruleset.parse))
    position.put("Kennel")
    pal = position.put("Recruit")
    run = position.run
    assert run.is_word(pal, "Dog")
    layers = run.counters["layers"]
    position.state.touch()
    assert [run.is_word(pal, word) for word in ("unit", "spell", "Bird")] == [True, False, False]
    assert run.counters["layers"] == layers
