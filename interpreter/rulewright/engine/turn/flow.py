"""Primitive steps of setup, turns, cleanups, the chain and showdowns (110-118, 301-348, 467-472)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import became, end_lasting, happen, mights_watched, perform_all
from rulewright.engine.events.perform import make, take_out
from rulewright.engine.instructions.verbs import deck_events
from rulewright.engine.playing import chain, finalize
from rulewright.engine.playing.act import Act
from rulewright.engine.playing.options import act_on, legal_options
from rulewright.engine.program.primitives import holds, step
from rulewright.engine.query import layers, select
from rulewright.engine.query.possible import facedown_limit, forbidden
from rulewright.engine.run import EngineError, op
from rulewright.engine.state.objects import (
    NOBODY,
    ChainItem,
    Event,
    Frame,
    Option,
    Scope,
    player_of,
    player_ref,
)
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ops import Op
    from rulewright.engine.run import Run

Parameters = Mapping[str, Any]
Rules = tuple[str, ...]

# ----------------------------------------------------------------------------------------------- setup


@step("lay-out", "111", "112", "113", "114")
def _lay_out(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Put each player's cards into the zones that their deck's sections belong to."""
    state = run.state
    for player in range(len(state.players)):
        deck = dict(state.facts[f"deck:{player}"])
        for section, zone in parameters["zones"].items():
            per = run.rules.zones[zone].per
            for card in deck.get(section, ()):
                ref = make(run, card, player, (zone, player_ref(player) if per == "player" else NOBODY))
                if section == parameters.get("chosen"):
                    state.own(ref).notes["chosen"] = True
        run.note(f"{run.name(player_ref(player))} lays out a deck", rules, player, "setup")
    return None


@step("bring-locations", "113.1", "485.5")
def _bring_locations(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let each player bring as many locations as the mode says: picked at random, or chosen."""
    state = run.state
    zone = str(parameters["zone"])
    picked: list[tuple[int, str]] = []
    for player in range(len(state.players)):
        cards = dict(state.facts[f"deck:{player}"]).get(parameters["section"], ())
        if not cards:
            continue
        how = mode_fact(run, "locations")
        if how == "chosen":
            options = [Option(f"card:{n}", "choose", card, card) for n, card in enumerate(cards)]
            picked.append(
                (player, str(run.ask(player, "battlefield", "Choose a battlefield", options, rules[0])))
            )
        elif how == "random":
            picked.append((player, cards[state.rand(len(cards))]))
        else:
            raise EngineError(
                f"no mode finds its locations so: {how}", place=f"rule {rules[0]}", help="random or chosen"
            )
    for player, card in picked:
        make(run, card, player, (zone, NOBODY), controller=-1)
        state.facts[f"brought:{player}"] = card
        run.note(f"{run.name(player_ref(player))} brings {card}", rules, player, "setup")
    return None


@step("shuffle", "114")
def _shuffle(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Shuffle zones of every player."""
    for player in range(len(run.state.players)):
        for zone in parameters["zones"]:
            place = (zone, player_ref(player))
            run.reorder(place, run.state.shuffled(run.state.zone(*place)))
    run.note("the decks are shuffled", rules, -1, "setup")
    return None


@step("first-player", "115")
def _first_player(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Determine at random who goes first, and with it the turn order."""
    state = run.state
    state.turn_player = state.rand(len(state.players))
    state.facts["first"] = state.turn_player
    frame.scope.controller = state.turn_player
    run.note(f"{run.name(player_ref(state.turn_player))} goes first", rules, state.turn_player, "setup")
    return None


def mode_fact(run: "Run", name: str, default: Any = None) -> Any:
    """Give a fact of the mode of play (483)."""
    return dict(run.state.facts["mode"]).get(name, default)


@holds("first-brings")
def _first_brings(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether the player who goes first brings a battlefield too (485.5, 488.4.b)."""
    return bool(mode_fact(run, "first-brings", True))


@step("leave-out-locations", "488.4.b", "489.5.b")
def _leave_out_locations(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Take out of the game the locations of the player who goes first."""
    first = int(run.state.facts.get("first", 0))
    for ref in run.state.zone(str(parameters["zone"])):
        if run.state.objects[ref].owner == first:
            take_out(run, ref)
            del run.state.objects[ref]
    run.note(f"{run.name(player_ref(first))} brings no battlefield", rules, first, "setup")
    return None


@holds("draws-this-turn")
def _draws_this_turn(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether the turn player draws in this turn's Draw Phase: not on the first turn of some modes (487.7)."""
    player = run.state.turn_player
    first = player == run.state.facts.get("first") and run.state.players[player].facts.get("turns", 1) == 1
    return not first or bool(mode_fact(run, "first-draws", True))


@step("draw", "116", "413")
def _draw(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let the step's player draw cards."""
    count = parameters.get("amount", 0) or frame.local.get("set-aside", 0)
    _draw_for(run, frame, frame.scope.controller, int(count), rules)
    return None


def _draw_for(run: "Run", frame: Frame, player: int, count: int, rules: Rules) -> None:
    if run.is_out(player):
        return
    act = Act(run, frame, ast.Action("draw"), "", player, rules)
    events = deck_events(act, player, count, "draw")
    if events:
        happen(run, events, frame)


@step("set-aside", "117.1")
def _set_aside(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let a player set aside cards of their hand, to be recycled later."""
    player = frame.scope.controller
    hand = run.state.zone(str(parameters["zone"]), player_ref(player))
    chosen = run.pick(
        player, hand, 0, int(parameters["most"]), "Set aside up to two cards", rules[0], "mulligan"
    )
    for ref in chosen:
        take_out(run, ref)
        # Set aside: in no zone until it is recycled.
        run.state.own(ref).at = NOBODY
    frame.local["set-aside"] = len(chosen)
    frame.local["aside"] = chosen
    run.note(f"{run.name(player_ref(player))} sets {len(chosen)} cards aside", rules, player, "mulligan")
    return None


@step("recycle-aside", "117.3", "416")
def _recycle_aside(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Recycle the cards that were set aside."""
    player = frame.scope.controller
    refs = run.state.shuffled(frame.local.get("aside", ()))
    you = player_ref(player)
    events = [Event("recycle", you, object=ref, rules=rules) for ref in refs]
    for ref in refs:
        found = run.state.own(ref)
        found.at = you
        run.state.arrange((found.zone, you), (*run.state.zone(found.zone, you), ref))
    happen(run, events, frame)
    return None


# ------------------------------------------------------------------------------------------- the turn


@step("begin-turn", "301", "304")
def _begin_turn(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Begin the turn player's turn: what was counted for the last one is forgotten."""
    state = run.state
    state.turn += 1
    state.history = ()
    state.facts.pop("abilities", None)
    state.facts["spent"] = ()
    player = state.players[state.turn_player]
    player.facts["turns"] = player.facts.get("turns", 0) + 1
    for everyone in state.players:
        everyone.facts.pop("scored", None)
        everyone.facts.pop("played", None)
    for name in [n for n in state.facts if n.startswith("modes:") and not n.endswith(":ever")]:
        del state.facts[name]
    if not state.chain and len(state.frames) <= 2:
        state.ghosts = {}
    state.phase = ""
    state.touch()
    frame.scope.controller = state.turn_player
    run.note(
        f"Turn {state.turn}: {run.name(player_ref(state.turn_player))}",
        rules,
        state.turn_player,
        "begin-turn",
    )
    happen(run, [Event("start:turn", subject=player_ref(state.turn_player), rules=rules)])
    return None


@step("phase", "314", "319.2")
def _phase(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Enter a phase; effects that watch for its start trigger."""
    state = run.state
    name = str(parameters["name"])
    state.phase = name
    run.goes_on()
    frame.scope.controller = state.turn_player
    state.facts["cleanup"] = True
    run.note(name.replace("-", " ").title(), rules, state.turn_player, "phase")
    if parameters.get("silent"):
        return None
    happen(run, [Event(f"start:{name}", subject=player_ref(state.turn_player), rules=rules)])
    return None


@step("end-of", "317.1.a")
def _end_of(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let effects that watch for the end of something trigger."""
    state = run.state
    happen(run, [Event(f"end:{parameters['name']}", subject=player_ref(state.turn_player), rules=rules)])
    return None


@step("ready-all", "315.1.b")
def _ready_all(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Ready everything the turn player controls."""
    state = run.state
    player = state.turn_player
    # 415.1: to ready is to take out of a state; what is in none stays as it is.
    mine = [ref for ref in run.board() if state.objects[ref].controller == player]
    refs = [ref for ref in mine if state.objects[ref].states]
    happen(run, [Event("ready", player_ref(player), object=ref, rules=rules) for ref in refs], frame)
    return None


@step("hold-all", "315.2.b.2", "469.2")
def _hold_all(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let the turn player hold, and score, every battlefield that they control."""
    player = run.state.turn_player
    fields = [at for at in run.fields() if run.controller(at) == player]
    allies = set(run.team(player)) - {player}
    # 489.8.b: what a teammate controls now is not scored by this team this turn.
    run.state.facts["ally-held"] = tuple(at for at in run.fields() if run.controller(at) in allies)
    score(run, player, [at for at in fields if may_score(run, player, at)], "hold", rules, frame)
    return None


@step("channel", "315.3.b", "485.7")
def _channel(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let the turn player channel runes; more on a first turn if the mode says so."""
    state = run.state
    player = state.turn_player
    count = int(parameters["amount"])
    order = run.turn_order(state.facts.get("first", 0))
    extra = dict(state.facts["mode"]).get("first-turn-runes", ())
    if (
        state.players[player].facts.get("turns", 1) == 1
        and player in order
        and order.index(player) < len(extra)
    ):
        count += extra[order.index(player)]
    deck = (str(parameters["zone"]), player_ref(player))
    refs = state.zone(*deck)[:count]
    happen(run, [Event("channel", player_ref(player), object=ref, rules=rules) for ref in refs], frame)
    return None


@step("empty-pools", "167")
def _empty_pools(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Empty every player's pool; what was not spent is lost."""
    events = [
        Event("empty-pool", object=player_ref(p), rules=rules)
        for p, player in enumerate(run.state.players)
        if player.pool
    ]
    happen(run, events, frame)
    return None


@step("next-turn", "317.3", "736")
def _next_turn(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let the next player in the queue of turns be the turn player."""
    state = run.state
    state.turns = tuple(player for player in state.turns if not run.is_out(player))
    if state.turns:
        state.turn_player, state.turns = state.turns[0], state.turns[1:]
    else:
        base = state.facts.get("turn-base", state.turn_player)
        state.turn_player = run.turn_order((base + 1) % len(state.players))[0]
        state.facts["turn-base"] = state.turn_player
    state.touch()
    return None


# --------------------------------------------------------------------------------------- tasks and chain


@holds("cleanup-due")
def _cleanup_due(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether a cleanup is outstanding, or triggers that still need an order (319)."""
    return bool(run.state.facts.get("cleanup")) or is_unordered(run)


@holds("unordered")
def _unordered(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether triggers that happened together are not in order yet (383.3.d)."""
    return is_unordered(run)


@holds("pending")
def _pending(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether an item on the chain is not finalized yet (329)."""
    return chain.pending(run) is not None


@holds("chain")
def _chain(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether there is a chain: an item is on it (330)."""
    return bool(run.state.chain)


@holds("showdown")
def _showdown(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether a showdown or a combat is under way (308.1)."""
    return run.state.showdown != NOBODY


@holds("combat")
def _combat(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether a combat is under way (316.7)."""
    return run.state.combat is not None


@holds("special")
def _special(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether the cleanup under way is the special one of this name (324)."""
    return bool(frame.local.get("special") == value)


@holds("neutral-open")
def _neutral_open(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether there is neither a chain nor a showdown (310.1)."""
    return not run.state.chain and run.state.showdown == NOBODY


@holds("open")
def _open(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether there is no chain (309.2)."""
    return not run.state.chain


@holds("resolving")
def _resolving(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether an item is in the middle of resolving (321)."""
    return any(other.program == "do:resolve" for other in run.state.frames)


@holds("fepr")
def _fepr(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether any item has gone through the chain since that was last forgotten (317.2.f)."""
    return bool(run.state.facts.get("fepr"))


@step("begin-cleanup", "322")
def _begin_cleanup(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Begin a cleanup; what happens from here on may ask for another (322)."""
    run.state.facts["cleanup"] = False
    return None


@step("forget", "317.2.f")
def _forget(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Take note that from here on it counts whether any item goes through the chain."""
    run.state.facts[str(parameters["fact"])] = False
    return None


def unordered(run: "Run") -> dict[tuple[int, int], list[int]]:
    """Give the pending triggers that happened together and are not in order yet, by player (383.3.d)."""
    groups: dict[tuple[int, int], list[int]] = {}
    for item in run.state.chain:
        if _waits_for_order(item):
            who = item.facts.get("orders", item.scope.controller)
            groups.setdefault((item.facts.get("batch", 0), who), []).append(item.id)
    return groups


def is_unordered(run: "Run") -> bool:
    """Tell whether any trigger on the chain is not in order yet."""
    return bool(run.state.chain) and any(_waits_for_order(item) for item in run.state.chain)


def _waits_for_order(item: ChainItem) -> bool:
    return not item.finalized and item.kind == "triggered" and not item.facts.get("ordered")


@step("order-triggers", "383.3.d")
def _order_triggers(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let each player order their triggers that happened together, the turn player's first (383.3.d.1)."""
    state = run.state
    groups = unordered(run)
    if not groups:
        return None
    batch = min(batch for batch, _ in groups)
    order = _trigger_order(run)
    players = [p for p in order if (batch, p) in groups]
    arranged: list[int] = []
    for player in players:
        ids = groups[batch, player]
        arranged += _arranged(run, player, ids, rules)
    here = [i for i, item in enumerate(state.chain) if item.id in arranged]
    by_id = {item.id: item for item in state.chain}
    for position, ref in zip(here, arranged, strict=True):
        state.chain[position] = by_id[ref]
        state.chain[position].facts["ordered"] = True
    return "again" if is_unordered(run) else None


def _trigger_order(run: "Run") -> tuple[int, ...]:
    if run.state.combat is not None and run.state.facts.get("combat-chain"):
        # 464.2.e.1: the attacker first, the defender last.
        attacker, defender = run.state.combat
        order = run.turn_order(attacker)
        return (*(p for p in order if p != defender), defender)
    return run.turn_order(run.state.turn_player)


def _arranged(run: "Run", player: int, ids: list[int], rules: Rules) -> list[int]:
    """Ask for an order only where it can matter: the same ability of the same object twice is no question."""
    kinds = {(run.state.item(i).scope.ability, _same_words(run, i)) for i in ids}  # type: ignore[union-attr]
    if len(ids) < 2 or len(kinds) < 2:
        return ids
    left = list(ids)
    arranged: list[int] = []
    while len(left) > 1:
        options = [Option(f"trigger:{i}", "choose", run.name(i), i, i, rules[0]) for i in left]
        arranged.append(
            run.ask(player, "order", "Which trigger goes onto the chain first?", options, rules[0])
        )
        left.remove(arranged[-1])
    return arranged + left


def _same_words(run: "Run", ref: int) -> Any:
    item = run.state.item(ref)
    assert item is not None
    card = run.printed(item.scope.source).card
    # A copy of its own words that something attached has appended says the same as these.
    lent = item.scope.bindings.get("this") and not item.scope.ability.startswith(f"card:{card}#")
    return item.scope.source if lent else card


@step("finalize-oldest", "337.1")
def _finalize_oldest(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let the controller of the oldest pending item complete the steps of playing it."""
    item = chain.pending(run)
    assert item is not None
    run.call("do:finalize", Scope(item.scope.controller, item.scope.source, ""), local={"item": item.id})
    return None


@holds("resolves-at-once")
def _at_once(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether the newest finalized item resolves without anybody having priority (337.2)."""
    items = [item for item in run.state.chain if item.finalized]
    return bool(items) and chain.resolves_at_once(run, items[-1])


@step("resolve-newest", "340.1")
def _resolve_newest(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Resolve the newest finalized item."""
    items = [item for item in run.state.chain if item.finalized]
    item = items[-1]
    state = run.state
    state.priority = -1
    state.facts["passes"] = 0
    item.facts["last"] = len(state.chain) == 1
    run.call("do:resolve", Scope(item.scope.controller, item.scope.source, ""), local={"item": item.id})
    return None


for _name, _function, _rule in (
    ("accept", finalize.accept, "402.1"),
    ("choose-as-played", finalize.as_played, "355.1"),
    ("choose-place", finalize.choose_place, "355.2"),
    ("choose-targets", finalize.prepare, "355.5"),
    ("determine-cost", finalize.determine_cost, "356"),
    ("pay", finalize.pay, "357"),
    ("check-legality", finalize.check_legality, "358"),
    ("finish", finalize.finish, "359.1"),
    ("execute", chain.execute, "340.1"),
    ("finish-resolving", chain.finish_resolving, "359.3.d"),
):
    step(_name, _rule)(_function)


def _window(run: "Run", player: int, kind: str, prompt: str, last: Option, rule: str) -> Any:
    """Ask what a player does in a window; a pass where nothing else can be done is taken without asking."""
    if run.is_answered():
        # The options were computed when the question was asked.
        return run.ask(player, kind, prompt, (last,), rule)
    options = legal_options(run, player, kind)
    options.append(last)
    if len(options) == 1 and kind != "action" and not run.state.facts.get("ask-passes"):
        return last.value
    return run.ask(player, kind, prompt, options, rule)


@step("priority", "312", "338")
def _priority(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Give priority on the chain: its holder plays something or passes; when all have passed, the newest resolves."""
    state = run.state
    if not any(item.finalized for item in state.chain):
        # Whose items they were has left the game (652.4).
        return None
    if state.priority < 0:
        state.priority = state.chain[-1].scope.controller
        state.facts["passes"] = 0
    if state.facts.get("passes", 0) >= len(run.turn_order(state.priority)):
        # 652.5.c.2: whoever has not passed has left the game.
        _resolve_newest(run, frame, parameters, ("340.1",))
        return None
    last = Option("pass", "pass", "pass", ("pass",), rule="338.1.b")
    answer = _window(run, state.priority, "priority", "Play something or pass", last, "338.1")
    if answer[0] != "pass":
        state.facts["passes"] = 0
        actor = state.priority
        state.priority = -1
        act_on(run, frame, actor, answer)
        return None
    run.note(f"{run.name(player_ref(state.priority))} passes", ("338.1.b",), state.priority, "pass")
    state.facts["passes"] = state.facts.get("passes", 0) + 1
    order = run.turn_order(state.priority)
    if state.facts["passes"] >= len(order):
        _resolve_newest(run, frame, parameters, ("340.1",))
    else:
        state.priority = order[1]
    return None


@step("act", "316.5", "335")
def _act(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let the turn player take a discretionary action, or end the phase."""
    state = run.state
    player = state.turn_player
    if run.is_out(player):
        # 652.5.a.1: play goes on with the next player.
        return "return"
    state.facts.pop("invited", None)
    state.priority = player
    last = Option("end", "end", "end the turn", ("end",), rule="316.9")
    answer = _window(run, player, "action", "Take an action or end the turn", last, "316.5")
    state.priority = -1
    if answer[0] == "end":
        run.note(f"{run.name(player_ref(player))} ends the turn", ("316.9",), player, "end")
        return "return"
    act_on(run, frame, player, answer)
    return None


@op("invited")
def _invited(run: "Run", frame: Frame, operation: "Op") -> int | None:
    """Let a teammate whom the turn player has invited play a spell or use an ability, or decline (316.5.b.1)."""
    state, player = run.state, frame.scope.controller
    state.facts["invited"] = player
    last = Option("decline", "decline", "decline", ("decline",), rule="316.5.b.1")
    answer = _window(run, player, "invited", "Play a spell or use an ability", last, "316.5.b.1")
    if answer[0] == "decline":
        del state.facts["invited"]
        state.facts["declined"] = (*state.facts.get("declined", ())[-3:], (player, len(state.history)))
        return None
    act_on(run, frame, player, answer)
    return None


# ------------------------------------------------------------------------------------------- showdowns


@step("stage", "323.8", "323.9", looks_at="places")
def _stage(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Mark showdowns and combats as staged at contested battlefields, and take the mark away where it is due."""
    for at in run.fields():
        field = run.state.objects[at]
        if "contested" not in field.notes:
            continue
        present = units_by_player(run, at)
        contestant = field.notes["contested"]
        showdown = contestant in present
        combat = showdown and len(present) == 2
        if field.notes.get("staged") != (showdown, combat):
            own = run.state.own(at)
            own.notes["staged"] = (showdown, combat)
    return None


def units_by_player(run: "Run", at: int) -> dict[int, list[int]]:
    """Give the units at a location by their controllers."""
    found: dict[int, list[int]] = {}
    for ref in run.at(at):
        unit = run.state.objects[ref]
        if not unit.attached_to and "facedown" not in unit.states and run.fights(ref):
            found.setdefault(unit.controller, []).append(ref)
    return found


@step("uncontest", "323.11", looks_at="places")
def _uncontest(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Take away the contested status where its cause is gone, and apply it anew where others are present (323.11.a)."""
    state = run.state
    for at in run.fields():
        field = state.objects[at]
        if "contested" not in field.notes or state.showdown == at:
            continue
        present = units_by_player(run, at)
        if field.notes["contested"] in present:
            continue
        own = state.own(at)
        own.notes.pop("contested")
        own.notes.pop("staged", None)
        others = [p for p in present if p != field.controller]
        if others:
            own.notes["contested"] = others[0]
            state.facts["cleanup"] = True
    return None


def staged(run: "Run", combat: bool) -> list[int]:
    """Give the battlefields where a showdown, or a combat, is staged."""
    found = []
    for at in run.fields():
        mark = run.state.objects[at].notes.get("staged")
        if mark is not None and mark[0] and mark[1] == combat:
            found.append(at)
    return found


@holds("staged-showdown")
def _staged_showdown(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether a showdown is staged where no combat is (323.12)."""
    return bool(staged(run, combat=False))


@holds("staged-combat")
def _staged_combat(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether a combat is staged (323.13)."""
    return bool(staged(run, combat=True))


@step("open-showdown", "323.12", "323.13", "344", "345")
def _open_showdown(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let the turn player choose one of the battlefields where a showdown or combat is staged, and begin it there."""
    state = run.state
    fields = staged(run, bool(parameters.get("combat")))
    player = run.turn_order(state.turn_player)[0]
    chosen = run.pick(player, fields, 1, 1, "Where does the showdown begin?", rules[0], "showdown")
    at = chosen[0]
    state.showdown = at
    state.facts["passes"] = 0
    state.facts["showdown-passes"] = 0
    state.focus = state.objects[at].notes["contested"]
    state.facts["opened"] = None
    run.goes_on()
    run.note(f"a showdown begins at {run.name(at)}", rules, state.focus, "showdown", at)
    happen(run, [Event("start:showdown", subject=player_ref(state.focus), at=at, object=at, rules=rules)])
    run.call("do:showdown", Scope(state.focus, at, ""), local={"at": at})
    return None


@holds("shown")
def _shown(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether all players have passed focus in a row (347.2.a)."""
    return bool(run.state.facts.get("showdown-passes", 0) >= len(run.turn_order(0)))


@step("focus", "313", "347")
def _focus(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let the player with focus play something or pass; focus goes on when a chain they opened has closed (346)."""
    state = run.state
    opened = state.facts.get("opened")
    state.facts["opened"] = None
    if opened is not None and opened in ("card", "activated"):
        state.focus = (
            run.turn_order(state.focus)[1:2][0] if len(run.turn_order(state.focus)) > 1 else state.focus
        )
    if _shown(run, frame, None):
        # 652.5.b.2: whoever has not passed has left the game.
        return None
    player = state.focus
    state.priority = player
    last = Option("pass", "pass", "pass", ("pass",), rule="347.2")
    answer = _window(run, player, "focus", "Play something or pass", last, "347")
    state.priority = -1
    if answer[0] == "pass":
        state.facts["showdown-passes"] = state.facts.get("showdown-passes", 0) + 1
        run.note(f"{run.name(player_ref(player))} passes focus", ("347.2",), player, "pass")
        order = run.turn_order(player)
        state.focus = order[1] if len(order) > 1 else player
        return None
    state.facts["showdown-passes"] = 0
    act_on(run, frame, player, answer)
    return None


@step("close-showdown", "348")
def _close_showdown(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Close a showdown."""
    state = run.state
    state.focus = -1
    state.facts["opened"] = None
    if not parameters.get("combat"):
        at = state.showdown
        run.note(f"the showdown at {run.name(at)} closes", rules, -1, "showdown")
        happen(run, [Event("end:showdown", object=at, at=at, rules=rules)])
    return None


@step("establish-control", "190.4", "348.2", "466.5")
def _establish(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Give control of the battlefield to the only player with units there, which conquers it if not yet scored."""
    state = run.state
    at = frame.local["at"]
    if at not in state.objects:
        state.showdown = NOBODY
        run.goes_on()
        return None
    field = state.own(at)
    present = units_by_player(run, at)
    if parameters.get("combat") and field.notes.get("staged", (False, False))[0] and len(present) > 1:
        return None
    field.notes.pop("contested", None)
    field.notes.pop("staged", None)
    state.facts["cleanup"] = True
    if not parameters.get("combat"):
        state.showdown = NOBODY
        run.goes_on()
    if len(present) == 1:
        player = next(iter(present))
        if field.controller != player:
            field.notes["before"] = field.controller
            field.controller = player
            state.reshape()
            told = run.note(
                f"{run.name(player_ref(player))} takes control of {run.name(at)}",
                rules,
                player,
                "control",
                at,
            )
            if may_score(run, player, at):
                with run.causes.following(told):
                    score(run, player, [at], "conquer", ("469.1", *rules), frame)
    elif not present:
        field.controller = -1
        state.reshape()
    return None


# --------------------------------------------------------------------------------------------- scoring


def may_score(run: "Run", player: int, at: int) -> bool:
    """Tell whether a player may score a battlefield: once each turn (470), and nothing forbids it."""
    if at in run.state.players[player].facts.get("scored", ()):
        return False
    if at in run.state.facts.get("ally-held", ()) and player in run.team(run.state.turn_player):
        return False
    event = Event("score", player_ref(player), subject=player_ref(player), object=at, at=at)
    return forbidden(run, event) is None


def score(run: "Run", player: int, fields: list[int], how: str, rules: Rules, frame: Frame) -> None:
    """Score battlefields: gain points, the last one only if every battlefield was scored (471), and tell of it."""
    state = run.state
    you = player_ref(player)
    told: list[Event] = []
    line: int | None = None
    for at in fields:
        facts = state.players[player].facts
        facts["scored"] = (*facts.get("scored", ()), at)
        line = run.note(f"{run.name(you)} {how}s {run.name(at)}", rules, player, how, at)
        last = how == "conquer" and run.resource(player, "points") >= run.goal() - 1
        # 489.8.g.1: what an ally held in the Scoring Step is left out of account.
        wanted = set(run.fields()) - set(state.facts.get("ally-held", ()))
        gained = not last or wanted <= set(facts["scored"])
        with run.causes.following(line):
            if not gained:
                _draw_for(run, frame, player, 1, ("471.1.b.1",))
            else:
                gain = Event("gain", you, object=you, amount=1, word="points", at=at, rules=("471.1",))
                # How it is come by is told with it: "their next point from conquering".
                gain.source = (how, at)
                happen(run, [gain], frame)
        told.append(Event(how, you, subject=you, object=at, at=at, rules=rules))
        for ref in units_by_player(run, at).get(player, ()):
            told.append(Event(how, you, subject=ref, object=at, at=at, rules=rules))
        told.append(Event("score", you, subject=you, object=at, amount=int(gained), at=at, rules=rules))
    if told:
        with run.causes.following(line):
            happen(run, told)


# ---------------------------------------------------------------------------------------- cleanup steps


@step("check-winner", "194.2", "323.1", "472", looks_at="board")
def _check_winner(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let a player win who has reached the goal and is ahead of everybody else."""
    state = run.state
    goal = run.goal()
    totals = {p: run.resource(p, "points") for p in run.turn_order(state.turn_player)}
    best = max(totals.values(), default=0)
    if best < goal:
        return None
    leaders = [p for p, points in totals.items() if points == best]
    if all(not run.enemies(leaders[0], other) for other in leaders):
        run.note(f"{run.name(player_ref(leaders[0]))} wins with {best} points", rules, leaders[0], "win")
        state.winners = run.team(leaders[0])
    return None


@step("kill-damaged", "323.4", "323.5", "142.4", looks_at="board")
def _kill_damaged(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Kill all units with lethal damage, together; abilities on their own death are noted first."""
    events = []
    objects = run.state.objects
    for ref in [ref for ref in run.board() if objects[ref].damage]:
        if is_lethal(run, ref):
            agent, using, subject = objects[ref].notes.get("dealt-by", (NOBODY, NOBODY, NOBODY))
            if subject > 0:
                # 417.6.b.3: damage that a unit deals is that unit's, not that of the spell that made it deal it.
                using = NOBODY
            events.append(Event("kill", agent, subject, ref, using=using, rules=rules, at=run.location(ref)))
    if events:
        happen(run, events, frame)
    return None


def is_lethal(run: "Run", ref: int) -> bool:
    """Tell whether a unit has lethal damage: not none, and as much as its Might or what an effect says (142.4)."""
    found = run.state.objects[ref]
    if not found.damage or not run.fights(ref):
        return False
    total = found.total_damage
    if total <= 0:
        return False
    if total >= (run.stat(ref, "might") or 0):
        return True
    for active in layers.effects(run, ast.LethalAmount):
        source = active.effect.source
        if isinstance(source, ast.Player):
            whose = select.players(run, source, active.scope, f"{active.path}.source")
            if not any(player < len(found.damage) and found.damage[player] for player in whose):
                continue
        if is_named(run, active, ref):
            return True
    return False


def is_named(run: "Run", active: layers.Active, ref: int) -> bool:
    """Tell whether an effect is about an object that it names."""
    to = active.effect.to
    if isinstance(to, ast.Objects):
        return select.fits(run, ref, to, active.scope, f"{active.path}.to")
    return ref in select.refs(run, to, active.scope, f"{active.path}.to")


@step("heal-all", "317.2.b", "466.1.a.1", "143.3.b")
def _heal_all(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Heal all units."""
    refs = [ref for ref in run.board() if run.state.objects[ref].damage]
    happen(run, [Event("heal", object=ref, rules=rules) for ref in refs], frame)
    return None


@step("expire", "317.2.c", "466.7.c")
def _expire(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let effects end that last for this turn, or this combat, all together; states that do so end too."""
    state = run.state
    what = str(parameters["what"])
    ended = [effect for effect in state.effects if effect.until == what]
    if ended:
        run.note(f"effects that last for this {what} end", rules, -1, "expire")
        before = mights_watched(run)
        end_lasting(run, ended)
        became(run, before)
    for mark in parameters.get("states", ()):
        for ref in run.board():
            if mark in state.objects[ref].states:
                own = state.own(ref)
                own.states = own.states - {mark}
    state.touch()
    return None


@step("lose-control", "323.6", "190.4.c", looks_at="places")
def _lose_control(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let players lose control of battlefields where they have no units, if the state is open."""
    state = run.state
    for at in run.fields():
        field = state.objects[at]
        if (
            field.controller >= 0
            and state.showdown != at
            and field.controller not in units_by_player(run, at)
        ):
            own = state.own(at)
            run.note(
                f"{run.name(player_ref(field.controller))} loses control of {run.name(at)}",
                rules,
                field.controller,
                "lose-control",
                at,
            )
            own.controller = -1
            state.facts["cleanup"] = True
            state.reshape()
    return None


@step("put-right", "323.7", "149.3", "107.3.d", looks_at="places")
def _put_right(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Recall what may not be where it is, and put hidden cards into the trash whose battlefield was lost."""
    state = run.state
    recalls, lost = [], []
    for ref in run.board(facedown=True):
        found = state.objects[ref]
        if found.zone == run.rules.home:
            # 323.7: only what is in another player's base than its controller's is looked at there.
            if found.attached_to or found.controller == player_of(found.at) or found.controller < 0:
                continue
            recalls.append(ref)
        elif found.zone == run.rules.field:
            if found.attached_to:
                continue
            if not run.rules.is_type(run.printed(ref).types, "anywhere"):
                recalls.append(ref)
        elif "facedown" in found.states:
            field = state.objects.get(found.at)
            if field is not None and field.controller != found.controller:
                lost.append(ref)
    if recalls:
        happen(
            run,
            [
                Event(
                    "recall",
                    object=ref,
                    to=run.place_at(player_ref(run.controller(ref))),
                    rules=rules,
                )
                for ref in recalls
            ],
            frame,
        )
    _to_trash(run, frame, lost, rules)
    return None


@holds("facedown")
def _facedown(run: "Run", frame: Frame, value: Any) -> bool:
    """Tell whether any card lies facedown on the board (107.3)."""
    return len(run.board(facedown=True)) > len(run.board())


@step("keep-limit", "107.3.b.2")
def _keep_limit(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let players give up facedown cards where fewer may be than there are."""
    found: list[int] = []
    for at in run.fields():
        here = run.state.zone(run.facedown_zone(), at)
        excess = len(here) - facedown_limit(run, at) if here else 0
        if excess > 0:
            prompt = "Which hidden cards go to the trash?"
            found += run.pick(run.controller(at), here, excess, excess, prompt, rules[0])
    _to_trash(run, frame, found, rules)
    return None


def _to_trash(run: "Run", frame: Frame, refs: list[int], rules: Rules) -> None:
    if not refs:
        return
    trash, objects = run.rules.term("spent-zone"), run.state.objects
    places = [(trash, player_ref(objects[ref].owner)) for ref in refs]
    events = [
        Event("return", object=ref, to=place, rules=rules) for ref, place in zip(refs, places, strict=True)
    ]
    happen(run, events, frame)


@step("burn-out-point", "431.2.c", "431.3")
def _burn_out(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Let an opponent, chosen by the player who burns out, gain a point; a repeated burn out may win at once."""
    player = frame.scope.controller
    foes = [player_ref(p) for p in run.turn_order(player) if run.enemies(p, player)]
    chosen = run.pick(player, foes, 1, 1, "Who gains 1 point?", rules[0])
    if not chosen:
        return None
    gain = Event("gain", player_ref(player), object=chosen[0], amount=1, word="points", rules=rules)
    if frame.local.get("again"):
        # 431.3.b: it can neither be replaced nor prevented; 431.3.c.1: no cleanup is waited for.
        perform_all(run, [gain])
        _check_winner(run, frame, parameters, ("431.3.c",))
    else:
        happen(run, [gain], frame)
    return None


@step("recycle-trash", "431.2.b")
def _recycle_trash(run: "Run", frame: Frame, parameters: Parameters, rules: Rules) -> str | None:
    """Recycle a player's trash into their deck, in a random order."""
    player = frame.scope.controller
    refs = run.state.shuffled(run.state.zone(str(parameters["zone"]), player_ref(player)))
    run.note(f"{run.name(player_ref(player))} burns out", ("431.2",), player, "burn-out")
    happen(run, [Event("recycle", player_ref(player), object=ref, rules=rules) for ref in refs], frame)
    return None
