"""What players and objects do when instructions are carried out: each verb proposes events (412-444).

A verb that only does one thing to each object needs nothing here: it is proposed as it stands, and its procedure in
the rules says what it writes. The functions below are for verbs with amounts, places, decks and distributions.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rulewright.engine.events.happening import destination, happen
from rulewright.engine.events.perform import make
from rulewright.engine.playing.act import Act, objects_of
from rulewright.engine.playing.anew import can_remake, remake
from rulewright.engine.playing.by_effect import activate, hide_by_effect, play_by_effect
from rulewright.engine.playing.pay import ask_plan, pay_resources
from rulewright.engine.playing.tokens import play_instead, play_token, token_card, token_might
from rulewright.engine.program.compile import LOOKED, VERBS, needs_choice
from rulewright.engine.query import select
from rulewright.engine.query.damage import bonus_damage
from rulewright.engine.query.payment import can_pay, counters_held, is_limited, parts_payable
from rulewright.engine.query.price import equip_price, price_of
from rulewright.engine.query.targets import destinations, may_be_at
from rulewright.engine.run import EngineError, Run, op
from rulewright.engine.state.objects import NOBODY, Event, Frame, Option, Place, Scope, player_of, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ops import Op

Doer = Callable[["Act"], list[Event] | None]


# ------------------------------------------------------------------------------------- carrying out


@op("act")
def _act(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Carry out one action: the doers in turn order, each with their own choices, all at once."""
    node: ast.Action = operation.node
    scope = frame.scope
    events: list[Event] = []
    doers = doers_of(run, node, scope, operation.path)
    if not doers:
        scope.bindings["did"] = False
        return None
    if _is_for_later(run, node, scope):
        scope.bindings["did"] = True
        return None
    handler: Doer = VERBS.get(node.verb, plain)
    together: list[int] = []
    offered: list[int] = []
    short: list[tuple[int, int]] = []
    for player, subject in doers:
        act = Act(run, frame, node, operation.path, player, operation.rules)
        act.subject = subject
        if isinstance(node.subject, ast.Player):
            scope.bindings[f"{operation.path}.subject"] = (player_ref(player),)
            scope.bindings["player"] = (player_ref(player),)
        if len(doers) > 1:
            for name in [
                n for n in scope.bindings if n.startswith(f"{operation.path}.") and ".subject" not in n
            ]:
                del scope.bindings[name]
        if (lacking := beyond_deck(act)) is not None:
            short.append(lacking)
            continue
        made = handler(act)
        if made is None:
            return None
        # What is done to all of something is done once, whoever of several players is said to do it.
        done = {(event.verb, event.object) for event in events if event.object > 0}
        events += [event for event in made if (event.verb, event.object) not in done]
        together += scope.bindings.get(f"{operation.path}.object", ())
        offered += scope.bindings.get(f"{operation.path}.object:all", ())
    if isinstance(node.subject, ast.Player):
        scope.bindings[f"{operation.path}.subject"] = tuple(player_ref(player) for player, _ in doers)
    if len(doers) > 1 and together:
        scope.bindings[f"{operation.path}.object"] = tuple(dict.fromkeys(together))
    if len(doers) > 1 and offered:
        # "Each player chooses 2 units. Recycle the rest": what any of them could have chosen and nobody has.
        scope.bindings[f"{operation.path}.object:all"] = tuple(dict.fromkeys(offered))
    for player, wanted in reversed(short):
        take_on(run, scope, operation.path, player, wanted)
    scope.bindings["did"] = bool(short)
    if events or not short:
        happen(run, events, frame, operation.path)
    return None


def _is_for_later(run: Run, node: ast.Action, scope: Scope) -> bool:
    """390.3.a: "then recycle it", of a spell that the text plays, is done as the spell would leave the chain."""
    if not isinstance(node.object, ast.Reference) or node.verb not in run.rules.placing_verbs:
        return False
    antecedent = node.object.antecedent or ""
    spoken = run.antecedent(scope, antecedent.removesuffix(".object"))
    if not isinstance(spoken, ast.Action) or spoken.verb != "play" or not antecedent.endswith(".object"):
        return False
    played = [
        item
        for ref in scope.bindings.get(antecedent, ())
        for item in run.state.chain
        if item.object and ref in run.line_of(item.object)
        if not run.is_permanent(item.object)
    ]
    for item in played:
        item.facts["then"] = destination(run, Event(node.verb, object=item.object))
    return bool(played)


def doers_of(run: Run, node: ast.Action, scope: Scope, path: str) -> list[tuple[int, int]]:
    """Give who does an action: players, or objects with the players responsible for them (411, 417.6.b.4)."""
    subject = node.subject
    if subject is None:
        return [] if scope.bindings.get("nobody") else [(scope.controller, NOBODY)]
    if isinstance(subject, ast.Player):
        found = select.players(run, subject, scope, f"{path}.subject")
        if subject.which == "opponent" and len(found) > 1:
            bound = scope.bindings.get(f"{path}.subject")
            if bound is None:
                chosen = run.pick(
                    scope.controller, [player_ref(p) for p in found], 1, 1, "Choose an opponent"
                )
                return [(player_of(chosen[0]), NOBODY)]
        return [(player, NOBODY) for player in found]
    if isinstance(subject, ast.Group) and all(isinstance(part, ast.Player) for part in subject.parts):
        # "You and that player each draw 1": each does it, and a player who is both does it once.
        if bound := scope.bindings.get(f"{path}.subject"):
            # "You and each opponent may": whoever of them has just said so.
            return [(player_of(ref), NOBODY) for ref in bound]
        parts = enumerate(subject.parts)
        everyone = {
            p for i, part in parts for p in select.players(run, part, scope, f"{path}.subject.parts.{i}")
        }
        return [(player, NOBODY) for player in run.turn_order(scope.controller) if player in everyone]
    if node.verb == "move" or run.alias(node.verb).get("subject") == "object":
        return [(scope.controller, NOBODY)]
    refs = objects_of(run, scope, subject, f"{path}.subject", scope.controller, node.verb)
    return [(run.controller(ref) if run.controller(ref) >= 0 else scope.controller, ref) for ref in refs]


def plain(act: Act) -> list[Event] | None:
    """Do one thing to each object, as the verb's procedure says."""
    node = act.node.object if act.node.object is not None else act.node.subject
    role = "object" if act.node.object is not None else "subject"
    if isinstance(node, ast.Player | ast.Resource | ast.Cost | ast.Keyword):
        raise EngineError(f"to {act.node.verb} is not done to this", place=act.scope.ability)
    refs = act.living(act.objects(role, node))
    return [act.event(act.node.verb, object=ref) for ref in refs if ref > 0]


def verb(*names: str) -> Callable[[Doer], Doer]:
    """Register what verbs do."""

    def register(function: Doer) -> Doer:
        for name in names:
            VERBS[name] = function
        return function

    return register


for _name in (
    "kill",
    "banish",
    "ready",
    "exhaust",
    "stun",
    "buff",
    "heal",
    "empower",
    "disempower",
    "recall",
):
    VERBS[_name] = plain


# ------------------------------------------------------------------------------------------- cards


def top_cards(run: Run, player: int, deck: str, count: int) -> tuple[int, ...]:
    """Give the top cards of a player's deck, as many as there are."""
    return run.state.zone(run.zone_name(deck), player_ref(player))[:count]


@verb("draw")
def _draw(act: Act) -> list[Event] | None:
    """413: take cards from the top of the deck; where they run out, burn out in between (413.4)."""
    if act.node.object is not None:
        return [act.event("draw", object=ref) for ref in act.living(act.objects()) if ref > 0]
    return deck_events(act, act.player, act.amount(), "draw")


def deck_events(act: Act, player: int, count: int, verb_name: str) -> list[Event] | None:
    """Give the events of taking cards off a deck, or begin to take, burn out and take on where it is too small."""
    cards = top_cards(act.run, player, act.run.zone_name("deck"), count)
    if len(cards) < count and "burn-out" in act.run.rules.rules.procedures:
        take_on(act.run, act.scope, "", player, count, verb_name)
        act.scope.bindings["did"] = True
        return None
    return [act.event(verb_name, object=ref) for ref in cards]


def beyond_deck(act: Act) -> tuple[int, int] | None:
    """Give whose deck an action takes more cards from than it has, and how many it takes (431.1)."""
    run, node = act.run, act.node
    deck = run.zone_name("deck")
    if "burn-out" not in run.rules.rules.procedures:
        return None
    if isinstance(node.object, ast.TopOf):
        zone = node.object.zone
        whose = (
            select.players(run, zone.of, act.scope, f"{act.path}.object.zone.of")
            if zone.of
            else (act.player,)
        )
        # 431.1.c: whoever looks at cards or reveals them does not burn out.
        if node.verb in ("look-at", "reveal") or len(whose) != 1 or run.zone_name(zone.name) != deck:
            return None
        wanted = select.amount(run, node.object.amount, act.scope, f"{act.path}.object.amount") or 0
    elif node.verb in ("draw", "burn") and node.object is None:
        whose, wanted = (act.player,), act.amount()
    else:
        return None
    return (whose[0], wanted) if wanted > len(top_cards(run, whose[0], deck, wanted)) else None


def take_on(run: Run, scope: Scope, path: str, player: int, wanted: int, verb_name: str = "draw") -> None:
    """Begin to take more cards from a player's deck than it has, by the instruction that a path leads to.

    With no path it is the verb that takes them off the deck's top.
    """
    inner = scope.copy()
    inner.controller = player
    local = {"left": wanted, "path": path, "player": scope.controller, "verb": verb_name}
    run.call("kernel:take-on", inner, local=local)


@op("take-on")
def _take_on(run: Run, frame: Frame, operation: "Op") -> int | None:
    """431.1: take what cards there are, burn out, take the rest."""
    left, path, scope = frame.local["left"], frame.local["path"], frame.scope
    if left <= 0 or run.state.winners is not None:
        _tell_taken(run, frame)
        return None
    cards = top_cards(run, scope.controller, run.zone_name("deck"), left)
    frame.local["left"] = left - len(cards)
    if cards:
        node = run.rules.node(scope.ability, path) if path else ast.Action(str(frame.local["verb"]))
        act = Act(run, frame, node, path, frame.local["player"], ("431.1",))
        scope.bindings["at-most"] = len(cards)
        if isinstance(node.object, ast.TopOf):
            events = VERBS.get(node.verb, plain)(act) or []
        else:
            act.player = scope.controller
            events = [act.event(node.verb, object=ref) for ref in cards]
        frame.local["taken"] = (*frame.local.get("taken", ()), *cards)
        happen(run, events)
    if frame.local["left"]:
        burns = frame.local.get("burns", 0)
        frame.local["burns"] = burns + 1
        run.call("do:burn-out", Scope(scope.controller, NOBODY, ""), local={"again": burns > 0})
    return frame.position


def _tell_taken(run: Run, frame: Frame) -> None:
    """Let the instructions that follow speak of all that was taken, before and after the deck ran out."""
    path, taken = frame.local["path"], frame.local.get("taken", ())
    below = run.state.frames[run.state.frames.index(frame) - 1].scope.bindings
    if path:
        below[f"{path}:done"] = (*below.get(f"{path}:done", ()), *taken)
        below[f"{path}:much"] = len(below[f"{path}:done"])
    below["much"] = len(taken)


@verb("discard")
def _discard(act: Act) -> list[Event] | None:
    """422: the player chooses cards of their hand, as many as possible (422.4)."""
    run = act.run
    if act.node.object is not None:
        refs = act.living(act.objects())
        return [act.event("discard", object=ref) for ref in refs if ref > 0]
    hand = run.state.zone(run.zone_name("hand"), player_ref(act.player))
    count = min(act.amount(), len(hand))
    if act.node.amount is not None and isinstance(act.node.amount, ast.AnyAmount):
        count = min(count, len(hand))
    chosen = (
        run.pick(act.player, hand, count, count, "Choose what to discard", "422.1.a", "discard")
        if count
        else ()
    )
    act.scope.bindings[f"{act.path}.object"] = chosen
    return [act.event("discard", object=ref) for ref in chosen]


@verb("channel")
def _channel(act: Act) -> list[Event] | None:
    """430: put runes from the top of the rune deck onto the board, as many as there are."""
    run, node = act.run, act.node
    count = act.amount()
    if isinstance(node.object, ast.Objects) and node.object.quantity.amount is not None:
        count = (
            select.amount(run, node.object.quantity.amount, act.scope, f"{act.path}.object.quantity.amount")
            or 0
        )
    cards = top_cards(run, act.player, "rune-deck", count)
    made = [act.event("channel", object=ref, word=node.state or "") for ref in cards]
    act.scope.bindings[f"{act.path}:wanted"] = count
    if len(cards) < count:
        act.scope.bindings["short"] = True
    return made


@verb("recycle")
def _recycle(act: Act) -> list[Event] | None:
    """416: put cards on the bottom of their decks; several at once in a random order (416.5)."""
    run, node = act.run, act.node
    if node.object is not None:
        refs = act.living(act.objects())
    else:
        count = act.amount()
        place = node.source
        zone = run.zone_name(place.name) if isinstance(place, ast.Zone) else run.zone_name("trash")
        row = run.state.zone(zone, player_ref(act.player))
        count = min(count, len(row))
        refs = (
            list(run.pick(act.player, row, count, count, "Choose what to recycle", "416.6")) if count else []
        )
        act.scope.bindings[f"{act.path}.object"] = tuple(refs)
    return [act.event("recycle", object=ref) for ref in recycling_order(run, refs) if ref > 0]


def recycling_order(run: Run, refs: Sequence[int]) -> tuple[int, ...]:
    """Give the order in which several cards go under their decks: at random, or as the owner says (416.5)."""
    chosen = [ref for ref in refs if run.rules.is_type(run.printed(ref).types, "recycled-in-order")]
    rest = [ref for ref in refs if ref not in chosen]
    order = run.state.shuffled(rest) if len(rest) > 1 else tuple(rest)
    if len({run.find(ref).card for ref in chosen if run.find(ref) is not None}) > 1:  # type: ignore[union-attr]
        owner = run.find(chosen[0])
        assert owner is not None
        arranged = run.pick(
            owner.owner, chosen, len(chosen), len(chosen), "In which order?", "416.5.a", "order"
        )
        # Equal cards are one option: whichever of them is meant makes no difference.
        return (*order, *arranged, *(ref for ref in chosen if ref not in arranged))
    return (*order, *chosen)


@verb("burn")
def _burn(act: Act) -> list[Event] | None:
    """440: move cards from the top of the deck to the trash; where they run out, burn out in between (440.4)."""
    return deck_events(act, act.player, act.amount(), "burn")


@verb("return", "put", "place")
def _return(act: Act) -> list[Event] | None:
    """108: move objects to a zone that the words name: a hand, a deck's top or bottom, the trash, the champion zone."""
    run, node = act.run, act.node
    if node.object is None:
        refs = _from_looked(act)
    elif isinstance(node.object, ast.TopOf):
        refs = list(select.refs(run, node.object, act.scope, f"{act.path}.object"))
    else:
        refs = act.living(act.objects())
    events = []
    for ref in refs:
        if ref < 0:
            continue
        place, edge = _goal_zone(act, ref)
        if place is None:
            continue
        if run.rules.zones[place[0]].location or (place[0] in run.rules.board_zones and place[1] > 0):
            events.append(act.event("move", object=ref, to=place, at=place[1]))
        else:
            events.append(act.event("return", object=ref, to=place, word=edge))
    return events


def _from_looked(act: Act) -> list[int]:
    """ "Put 1 into your hand": of the cards looked at."""
    run = act.run
    looked = [ref for ref in act.scope.bindings.get("looked", ()) if ref in run.state.objects]
    if not looked:
        looked = list(run.state.zone(run.zone_name("hand"), player_ref(act.player)))
    count = min(act.amount(), len(looked))
    chosen = run.pick(act.player, looked, count, count, "Choose a card", "424.4.a") if count else ()
    act.scope.bindings[f"{act.path}.object"] = chosen
    act.scope.bindings[f"{act.path}.object:all"] = tuple(looked)
    act.scope.bindings["taken"] = (*act.scope.bindings.get("taken", ()), *chosen)
    return list(chosen)


def _goal_zone(act: Act, ref: int) -> tuple[Place | None, str]:
    run, node = act.run, act.node
    to = node.to
    found = run.state.objects.get(ref)
    if found is None:
        item = run.state.item(ref)
        if item is None:
            return None, ""
    owner = run.find(ref).owner if run.find(ref) is not None else act.player  # type: ignore[union-attr]
    if to is None and "back" in node.manner:
        return (run.zone_name("deck"), player_ref(owner)), "top"
    if isinstance(to, ast.Zone):
        name = run.zone_name(to.name)
        edge = to.edge or ""
        if edge in ("top-or-bottom", "either") or (edge == "" and run.rules.zones[name].ordered):
            edge = _ask_edge(act, ref)
        place = select.zone_of(run, to, act.scope, f"{act.path}.to", owner)
        # 108: a card only ever goes to its owner's zones off the board.
        if place is not None and not run.rules.zones[place[0]].board:
            place = (place[0], player_ref(owner))
        return place, edge
    where = select.locations(run, to, act.scope, f"{act.path}.to") if to is not None else ()
    if not where:
        return None, ""
    return run.place_at(where[0]), ""


def _ask_edge(act: Act, ref: int) -> str:
    options = [Option("top", "choose", "the top", "top"), Option("bottom", "choose", "the bottom", "bottom")]
    return str(act.run.ask(act.player, "edge", f"Where does {act.run.name(ref)} go?", options))


@verb("look-at", "reveal")
def _look(act: Act) -> list[Event] | None:
    """424: show cards, or look at them alone; they stay where they are."""
    run, node = act.run, act.node
    if node.until is not None:
        refs = _until(act)
    elif isinstance(node.object, ast.TopOf):
        refs = list(select.refs(run, node.object, act.scope, f"{act.path}.object"))
    else:
        refs = act.living(act.objects())
    act.scope.bindings[f"{act.path}.object"] = tuple(refs)
    act.scope.bindings["looked"] = tuple(refs)
    act.scope.bindings["looked:by"] = (player_ref(act.player),)
    if node.verb == "reveal":
        return [act.event("reveal", object=ref) for ref in refs if ref > 0]
    run.show(refs, act.player)
    act.scope.bindings["did"] = bool(refs)
    run.note(
        f"{run.name(player_ref(act.player))} looks at {len(refs)} cards",
        run.rules.rules_of("look-at") or ("128.4",),
        act.player,
        "look-at",
    )
    return [] if not refs else [act.event("look-at", object=ref) for ref in refs if ref > 0]


def _until(act: Act) -> list[int]:
    run, node = act.run, act.node
    assert node.until is not None
    wanted = node.until.action
    deck = run.state.zone(run.zone_name("deck"), player_ref(act.player))
    shown: list[int] = []
    for ref in deck:
        shown.append(ref)
        if isinstance(wanted, ast.Action) and isinstance(wanted.object, ast.Objects):
            plain_object = ast.Objects(wanted.object.quantity, wanted.object.nouns, wanted.object.filters)
            if select.fits(run, ref, plain_object, act.scope):
                act.scope.bindings[f"{act.path}.until.action.object"] = (ref,)
                break
    act.scope.bindings[f"{act.path}.until.action.object:all"] = tuple(shown)
    return shown


@verb("predict")
def _predict(act: Act) -> list[Event] | None:
    """436: look at the top cards, recycle any of them, put the rest back in any order."""
    run = act.run
    deck = run.state.zone(run.zone_name("deck"), player_ref(act.player))
    # What was put elsewhere as it was looked at is not there to be recycled or put back.
    looked = act.scope.bindings.get(f"{LOOKED}{act.path}.object", ())
    cards = tuple(ref for ref in looked if ref in deck)
    sent = (
        run.pick(act.player, cards, 0, len(cards), "Choose what to recycle", "436.1", "predict")
        if cards
        else ()
    )
    kept = [ref for ref in cards if ref not in sent]
    if len(kept) > 1:
        first = run.pick(
            act.player, kept, len(kept), len(kept), "Put back, the top first", "436.1.a", "order"
        )
        rest = run.state.zone(run.zone_name("deck"), player_ref(act.player))
        run.reorder(
            (run.zone_name("deck"), player_ref(act.player)), (*first, *(r for r in rest if r not in first))
        )
    act.scope.bindings[f"{act.path}.object"] = cards
    order = run.state.shuffled(sent) if len(sent) > 1 else sent
    you = player_ref(act.player)
    return [
        act.event("predict", object=you, amount=len(cards)),
        *(act.event("recycle", object=r) for r in order),
    ]


@verb("choose")
def _choose(act: Act) -> list[Event] | None:
    """355.17: choose something on resolution; what was chosen while finalizing is chosen already."""
    run, node = act.run, act.node
    path = f"{act.path}.object"
    if path in act.scope.bindings:
        refs = select.refs(run, node.object, act.scope, path)
    elif isinstance(node.object, ast.Player):
        found = select.players(run, node.object, act.scope, "")
        refs = (
            run.pick(act.player, [player_ref(p) for p in found], 1, 1, "Choose a player", "355.17")
            if found
            else ()
        )
        act.scope.bindings[path] = refs
    elif isinstance(node.object, ast.Objects) and isinstance(node.source, ast.Zone | ast.Reference):
        selector = ast.Objects(
            node.object.quantity, node.object.nouns, (*node.object.filters, ast.From(node.source))
        )
        refs = objects_of(run, act.scope, selector, path, act.player, "choose")
    elif isinstance(node.object, ast.Objects | ast.Group | ast.Reference | ast.Self | ast.TopOf):
        refs = objects_of(run, act.scope, node.object, path, act.player, "choose")
        if isinstance(node.object, ast.Group) and node.object.conjunction == "and":
            parts = [f"{path}.parts.{position}:all" for position in range(len(node.object.parts))]
            act.scope.bindings[f"{path}:all"] = tuple(
                dict.fromkeys(ref for part in parts for ref in act.scope.bindings.get(part, ()))
            )
            act.scope.bindings[path] = refs
    else:
        raise EngineError("this cannot be chosen", place=act.scope.ability)
    act.scope.bindings["did"] = bool(refs)
    act.scope.bindings["it"] = tuple(refs)
    return [act.event("choose", object=ref, word="on-resolution") for ref in refs] if refs else []


# ------------------------------------------------------------------------------------------- damage


@verb("deal")
def _deal(act: Act) -> list[Event] | None:
    """417: mark damage, with bonus damage (712), from the source that the words name (417.6)."""
    run, node = act.run, act.node
    if "to-each-other" in node.manner:
        return _duel(act)
    amount = act.amount(0)
    if isinstance(node.object, ast.Resource):
        amount = select.amount(run, node.object.amount, act.scope, f"{act.path}.object.amount") or 0
    targets = [ref for ref in act.living(act.objects("to", prompt="deal damage to")) if ref > 0]
    if node.amount is not None and select.amount(run, node.amount, act.scope, f"{act.path}.amount") is None:
        # 359.3.e.12: an amount that is not known makes the instruction do nothing.
        return []
    if "split" in node.manner:
        return _split(act, amount, targets)
    return [damage(act, act.subject, ref, amount) for ref in targets]


def damage(act: Act, source: int, target: int, amount: int, bonus: bool = True) -> Event:
    """Give the event of dealing damage to one unit."""
    run = act.run
    event = act.event("deal", subject=source, object=target, amount=amount)
    if source > 0 and run.controller(source) >= 0:
        event.agent = player_ref(run.controller(source))
    if bonus and amount > 0:
        event.amount += bonus_damage(run, event, act.scope)
    return event


def _duel(act: Act) -> list[Event] | None:
    """Two units deal damage equal to their Mights to each other, at the same time."""
    run, node = act.run, act.node
    refs = objects_of(run, act.scope, node.subject, f"{act.path}.subject", act.player, "deal damage")
    pair = [ref for ref in act.living(refs) if ref > 0]
    if len(pair) == 1:
        pair += _spoken_of_before(act, pair[0])
    if len(pair) != 2:
        return []
    if act.subject == pair[1]:
        # Both are doers of one action; it is proposed once, for the first of them.
        return []
    one, other = pair
    events = []
    for source, target in ((one, other), (other, one)):
        might = run.stat(source, "might")
        if might:
            events.append(damage(act, source, target, might))
    return events


def _spoken_of_before(act: Act, ref: int) -> list[int]:
    """ "Choose another unit. They ...": they are that one and the one that it is another than.

    "Do something to a unit. Choose a unit. They ...": they are the two that the text has chosen.
    """
    subject = act.node.subject
    if not isinstance(subject, ast.Reference) or subject.antecedent is None:
        return []
    spoken = act.run.antecedent(act.scope, subject.antecedent)
    if not any(isinstance(part, ast.Other) for part in getattr(spoken, "filters", ())):
        paths = act.scope.bindings.get("targets", ())
        chosen = dict.fromkeys(other for path in paths for other in act.scope.bindings[path])
        return [other for other in act.living(chosen) if other > 0 and other != ref]
    before = (
        bound
        for where, bound in act.scope.bindings.items()
        if where.startswith("body") and where.endswith(".object") and isinstance(bound, tuple)
    )
    found = dict.fromkeys(other for bound in before for other in bound)
    return [other for other in act.living(found) if other > 0 and other != ref]


def _split(act: Act, amount: int, targets: list[int]) -> list[Event] | None:
    """355.14: divide damage among the targets, at least 1 for each; too many targets drop out (355.14.h)."""
    run = act.run
    if targets and amount > 0:
        probe = act.event("deal", subject=act.subject, object=targets[0], amount=amount)
        amount += bonus_damage(run, probe, act.scope)
    while len(targets) > max(0, amount):
        dropped = run.pick(act.player, targets, 1, 1, "Choose what is no longer a target", "355.14.h")
        targets = [ref for ref in targets if ref not in dropped]
    events = []
    left = amount
    for position, ref in enumerate(targets):
        rest = len(targets) - position - 1
        most = left - rest
        if rest == 0:
            share = left
        else:
            options = [Option(f"amount:{n}", "number", str(n), n) for n in range(1, most + 1)]
            share = int(run.ask(act.player, "split", f"Damage to {run.name(ref)}", options, "355.14.e"))
        left -= share
        events.append(damage(act, act.subject, ref, share, bonus=False))
    return events


@verb("prevent")
def _prevent(act: Act) -> list[Event] | None:
    """437: as the body of a replacement it stands for nothing at all; alone it begins to replace damage."""
    if "event.object" in act.scope.bindings or act.frame.local.get("inherit"):
        return []
    act.run.add_lasting("prevent", act.path, act.scope, "turn")
    act.scope.bindings["did"] = True
    return []


@verb("skip")
def _skip(act: Act) -> list[Event] | None:
    """443.1: as the body of a replacement: the event is replaced with nothing."""
    return []


# ------------------------------------------------------------------------------------------- movement


@verb("move")
def _move(act: Act) -> list[Event] | None:
    """420: units change locations; all that one instruction moves do so at once."""
    run, node = act.run, act.node
    if isinstance(node.object, ast.Resource):
        return _move_counters(act, node.object)
    role = "object" if node.object is not None else "subject"
    moved = [ref for ref in act.living(act.objects(role)) if ref > 0]
    path = f"{act.path}.to"
    where = _move_places(act, moved, path)
    events = []
    for ref in moved:
        at = where(ref)
        if at and at != run.location(ref):
            act.scope.bindings.setdefault(f"origin:{ref}", (run.location(ref),))
            events.append(move_event(act, ref, at))
    return events


def move_event(act: Act, ref: int, at: int) -> Event:
    """Give the event of moving one object; 447.2.c: where it may not be, it is recalled instead."""

    run = act.run
    if not may_be_at(run, ref, at):
        return act.event("recall", object=ref, to=run.place_at(player_ref(run.controller(ref))))
    return act.event("move", object=ref, to=run.place_at(at), at=at)


def _move_places(act: Act, moved: Sequence[int], path: str) -> Callable[[int], int]:
    run, node, scope = act.run, act.node, act.scope
    if path in scope.bindings:
        bound = scope.bindings[path]
        return lambda ref: bound[0] if bound else NOBODY
    if (
        isinstance(node.to, ast.LocationOf)
        and isinstance(node.to.what, ast.Reference)
        and node.to.what.role == "other"
        and len(moved) == 2
    ):
        # "Move each to the other's location": they change places.
        swapped = {moved[0]: run.location(moved[1]), moved[1]: run.location(moved[0])}
        return lambda ref: swapped[ref]
    if isinstance(node.to, ast.Zone):
        zone = node.to

        def home(ref: int) -> int:
            if zone.of is None:
                return player_ref(run.controller(ref))
            found = select.locations(run, zone, scope, path)
            own = player_ref(run.controller(ref))
            return own if own in found or not found else found[0]

        return home
    if node.to is None or needs_choice(node.to):
        found = destinations(run, node, scope, path, moved)
        chosen = (
            run.pick(act.player, found, 1, 1, "Choose where it moves to", "355.4", "location")
            if found
            else ()
        )
        scope.bindings[path] = chosen
        return lambda ref: chosen[0] if chosen else NOBODY
    places = select.locations(run, node.to, scope, path)
    what = node.to.what if isinstance(node.to, ast.LocationOf) else None
    if isinstance(what, ast.Group) or (isinstance(what, ast.Reference) and what.role == "other"):
        # "Each to the other's location": of the places of both the one where it is not.
        return lambda ref: next((at for at in places if at != run.location(ref)), NOBODY)
    return lambda ref: places[0] if places else NOBODY


VERBS["recall"] = lambda act: [
    act.event("recall", object=ref, to=act.run.place_at(player_ref(act.run.controller(ref))))
    for ref in act.living(act.objects("object" if act.node.object is not None else "subject"))
    if ref > 0
]


# -------------------------------------------------------------------------------- resources and counters


@verb("gain", "score", "lose", "spend", "take")
def _resource(act: Act) -> list[Event] | None:
    """Give or take points, XP and other countable things; counters are taken from objects (745)."""
    run, node = act.run, act.node
    resource = node.object
    if node.verb == "score" and resource is None:
        resource = ast.Resource("point", node.amount or ast.Number(1))
    if not isinstance(resource, ast.Resource):
        if node.verb == "lose" and isinstance(resource, ast.Objects) and resource.nouns == ("game",):
            # 195.1: whoever is told to lose the game is removed from it.
            return [act.event("lose-game", subject=player_ref(act.player))]
        if node.verb == "lose" and isinstance(resource, ast.Objects | ast.Reference):
            return _lose_control(act)
        raise EngineError(f"to {node.verb} this cannot be carried out", place=act.scope.ability)
    amount = _resource_amount(act, resource)
    if resource.kind == "turn":
        return [act.event("take-turn", object=player_ref(act.player), amount=1)]
    if run.rules.counter_sorts(resource.kind):
        return _spend_counters(act, resource, amount)
    verb_name = {"score": "gain", "take": "gain", "pay": "spend"}.get(node.verb, node.verb)
    if verb_name == "spend" and run.resource(act.player, resource.kind) < amount:
        return []
    if verb_name == "lose" and not run.resource(act.player, resource.kind):
        return []
    kind = str(run.rules.terms.get("resources", {}).get(resource.kind, resource.kind))
    return [act.event(verb_name, object=player_ref(act.player), amount=amount, word=kind)]


def _resource_amount(act: Act, resource: ast.Resource) -> int:
    run = act.run
    if isinstance(resource.amount, ast.AnyAmount):
        path = f"{act.path}.object.amount"
        if path not in act.scope.bindings:
            most = _most(act, resource)
            options = [Option(f"amount:{n}", "number", str(n), n) for n in range(most + 1)]
            act.scope.bindings[path] = run.ask(act.player, "number", f"How many {resource.kind}?", options)
        return int(act.scope.bindings[path])
    return select.amount(run, resource.amount, act.scope, f"{act.path}.object.amount") or 0


def _most(act: Act, resource: ast.Resource) -> int:
    if act.run.rules.counter_sorts(resource.kind):
        return len(counters_held(act.run, act.player, resource, act.scope, f"{act.path}.object"))
    return act.run.resource(act.player, resource.kind)


def _spend_counters(act: Act, resource: ast.Resource, amount: int) -> list[Event] | None:
    """745.1: take so many counters off objects of the player, of the sort that is said or of any (745.1.a)."""
    run = act.run
    left = counters_held(run, act.player, resource, act.scope, f"{act.path}.object")
    amount = min(amount, len(left))
    if len(set(left)) == len(left):
        chosen = (
            run.pick(act.player, left, amount, amount, f"Spend a {resource.kind} of", "702.2.b")
            if amount
            else ()
        )
    else:
        chosen = ()
        for _ in range(amount):
            one = run.pick(act.player, dict.fromkeys(left), 1, 1, f"Spend a {resource.kind} of", "745.1")
            left.remove(one[0])
            chosen += one
    taken: list[Event] = []
    for ref in chosen:
        spent = [event.word for event in taken if event.object == ref]
        sort = _sort_of_counter(act, ref, resource, spent)
        # A sort of counter whose rules tell nothing of its being spent is taken off all the same.
        name = f"spend-{sort}" if f"spend-{sort}" in run.rules.events else "spend-counter"
        taken.append(act.event(name, object=ref, amount=1, word=sort))
    return taken


def _sort_of_counter(act: Act, ref: int, resource: ast.Resource, taken: Sequence[str]) -> str:
    """745.1.a: of several sorts on one object the player says which."""
    sorts = _sorts_left(act.run, ref, resource, taken)
    options = [Option(f"counter:{sort}", "choose", sort, sort, ref, "745.1.a") for sort in sorts]
    return str(act.run.ask(act.player, "counter", "Which counter?", options, "745.1.a"))


def _sorts_left(run: Run, ref: int, resource: ast.Resource, taken: Sequence[str]) -> list[str]:
    """Give the sorts of counter that an object has more of than are taken from it."""
    here = run.state.objects[ref].counters
    return [sort for sort in run.rules.counter_sorts(resource.kind) if here.get(sort, 0) > taken.count(sort)]


def _move_counters(act: Act, resource: ast.Resource) -> list[Event] | None:
    """746: counters go from one object to another, and are on the one or the other at every moment."""
    run = act.run
    source = next((ref for ref in act.living(act.objects("source")) if ref > 0), NOBODY)
    goal = next((ref for ref in act.living(act.objects("to")) if ref > 0), NOBODY)
    if not source or not goal or source == goal:
        act.scope.bindings["did"] = False
        return []
    events: list[Event] = []
    for _ in range(_resource_amount(act, resource)):
        taken = [event.word for event in events]
        if not _sorts_left(run, source, resource, taken):
            break
        sort = _sort_of_counter(act, source, resource, taken)
        events.append(act.event("move-counter", subject=source, object=goal, amount=1, word=sort))
    return events


@verb("add")
def _add(act: Act) -> list[Event] | None:
    """429: put resources into the pool; or put a token onto the board without playing it (439.5)."""

    run, node = act.run, act.node
    if isinstance(node.object, ast.TokenSpec):
        return _create(act)
    if isinstance(node.object, ast.Resource):
        amount = _resource_amount(act, node.object)
        kind = "energy" if node.object.kind == "energy" else node.object.kind
        return [act.event("add", object=player_ref(act.player), amount=amount, word=f"{kind}|")]
    price = price_of(run, node.object, act.scope, f"{act.path}.object")
    limit = run.limit_of(act.scope)
    you = player_ref(act.player)
    events = []
    added = [("energy", price.energy)] if price.energy else []
    for kind, count in (*added, *sorted(price.power.items())):
        only = limit if is_limited(run, limit, kind) else ""
        events.append(act.event("add", object=you, amount=count, word=f"{kind}|{only}"))
    return events


@verb("pay")
def _pay(act: Act) -> list[Event] | None:
    """444: take resources out of the pool, if the player wants to and can (444.2)."""
    run, node = act.run, act.node
    if isinstance(node.object, ast.Resource):
        return _resource(act)
    price = price_of(run, node.object, act.scope, f"{act.path}.object")
    item = run.state.item(act.scope.item)
    if not _is_settled(act) and (
        not can_pay(run, act.player, price, item)
        # 444.2: whoever is told to pay may leave it, also where they have agreed to perform the ability (402.1).
        or not run.yes(act.player, f"{run.name(act.scope.source)}: pay {price}?", "444.2", "pay-or-not")
    ):
        act.scope.bindings["did"] = False
        return None
    plan = ask_plan(run, act.player, price, item, "444.2")
    act.scope.bindings["did"] = plan is not None
    if plan is not None:
        pay_resources(run, act.player, price, plan, run.state.item(act.scope.item), act.scope.ability)
        act.scope.bindings["did"] = True
        act.scope.bindings["did:who"] = (player_ref(act.player),)
    return None


def _is_settled(act: Act) -> bool:
    """Tell whether it is settled already that this is paid: as part of a cost (444.2.a), or as it was offered."""
    if ">cost@" in act.frame.program:
        return True
    offered = act.frame.local.get("offered")
    return offered is not None and f"{act.path}.".startswith(f"{offered}.")


@verb("pay-to-equip")
def _pay_to_equip(act: Act) -> list[Event] | None:
    """821.1.c: pay the cost of a card's Equip ability without activating it; without one, nothing is paid."""
    run, node = act.run, act.node
    act.scope.bindings["did"] = False
    gear = next((ref for ref in act.living(act.objects()) if ref > 0), NOBODY)
    price = equip_price(run, gear, act.scope.source) if gear else None
    if price is None:
        return None
    if isinstance(node.cost, ast.CostChange) and node.cost.cost is not None:
        price.take(price_of(run, node.cost.cost, act.scope, f"{act.path}.cost.cost"))
    if not parts_payable(run, act.player, price, act.scope):
        return None
    charged = price.energy or price.total_power or price.parts
    # 444.2.b: nobody has to pay.
    if charged and not run.yes(act.player, f"Pay {price} to equip {run.name(gear)}?", "444.2", "pay-or-not"):
        return None
    plan = ask_plan(run, act.player, price, None, "357.1")
    if plan is None:
        return None
    pay_resources(run, act.player, price, plan, None, act.scope.ability)
    for key, path in price.parts:
        run.call(f"{key}>cost@{path}", Scope(act.player, gear, key, act.scope.item))
    act.scope.bindings["did"] = True
    act.scope.bindings["did:who"] = (player_ref(act.player),)
    return None


# ------------------------------------------------------------------------------ control and attachment


@verb("attach")
def _attach(act: Act) -> list[Event] | None:
    """434: link cards; the one attached goes where its new top-most card is."""
    run = act.run
    gear = [ref for ref in act.living(act.objects()) if ref > 0]
    hosts = [ref for ref in act.living(act.objects("to")) if ref > 0]
    if not hosts:
        return []
    run.state.facts["attachments"] = True
    zone = run.state.objects[hosts[0]].zone
    return [
        act.event("attach", object=ref, to=(zone, hosts[0]), subject=hosts[0])
        for ref in gear
        if ref != hosts[0]
    ]


@verb("detach", "unattach")
def _detach(act: Act) -> list[Event] | None:
    """435: unlink a card from its top-most card."""
    return [act.event("detach", object=ref) for ref in act.living(act.objects()) if ref > 0]


@verb("take-control", "control")
def _take_control(act: Act) -> list[Event] | None:
    """191.3: give the player control of objects or of items on the chain."""
    return [act.event("take-control", object=ref) for ref in act.living(act.objects()) if ref > 0]


@verb("lose-control")
def _lose_control(act: Act) -> list[Event] | None:
    """191.3: give control back to the owner."""
    events = []
    for ref in act.living(act.objects()):
        found = act.run.find(ref)
        if found is not None:
            event = act.event("take-control", object=ref)
            event.agent = player_ref(found.owner)
            events.append(event)
    return events


@verb("counter")
def _counter(act: Act) -> list[Event] | None:
    """425: negate an item on the chain; nothing is paid back."""
    run, _node = act.run, act.node
    events = []
    for ref in act.living(act.objects()):
        if run.state.item(ref) is not None:
            place = None
            if isinstance(act.node.to, ast.Zone):
                found = run.find(ref)
                place = select.zone_of(
                    run, act.node.to, act.scope, f"{act.path}.to", found.owner if found else 0
                )
            events.append(act.event("counter", object=ref, to=place))
    return events


# ----------------------------------------------------------------------------------------- playing


@verb("play")
def _play(act: Act) -> list[Event] | None:
    """419.3: put cards on the chain to be played, as the instruction says; tokens are made there (439.2.c)."""
    node = act.node
    if "event.played" in act.scope.bindings and not isinstance(node.object, ast.Objects):
        play_instead(act)
        return None
    if isinstance(node.object, ast.TokenSpec):
        return play_token(act, node.object, f"{act.path}.object")
    if isinstance(node.object, ast.Group) and all(isinstance(p, ast.TokenSpec) for p in node.object.parts):
        for position, part in enumerate(node.object.parts):
            assert isinstance(part, ast.TokenSpec)
            play_token(act, part, f"{act.path}.object.parts.{position}")
        return None
    return play_by_effect(act)


@verb("create")
def _create(act: Act) -> list[Event] | None:
    """439: make tokens where the words say, or where their type belongs, without playing them."""
    run, spec = act.run, act.node.object
    assert isinstance(spec, ast.TokenSpec)
    types = frozenset(run.rules.script(token_card(run, spec.name)).card.types)
    if run.rules.is_type(types, "played") and not run.rules.is_type(types, "permanent"):
        # 439.2.b.2: a spell is created on the chain, from where it is played.
        return play_token(act, spec, f"{act.path}.object")
    count = 1
    if spec.quantity.amount is not None:
        count = select.amount(run, spec.quantity.amount, act.scope, f"{act.path}.object.quantity.amount") or 0
    places = [_birthplace(act, types) for _ in range(count)]
    events = []
    for place in places:
        if place is None or (run.rules.zones[place[0]].per == "none" and _is_there(run, spec.name, place)):
            continue
        nobody = -1 if run.rules.types_in(place[0]) else None
        made = make(run, spec.name, act.player, place, nobody)
        might = token_might(run, spec.name, spec, act.scope, f"{act.path}.object")
        if might is not None:
            run.state.own(made).notes["might"] = might
        if spec.state is not None:
            run.state.own(made).states = frozenset({spec.state} - {"ready"})
        events.append(act.event("create", object=made, to=place, at=place[1], word=spec.name))
    act.scope.bindings["did"] = bool(events)
    made_now = tuple(event.object for event in events)
    act.scope.bindings[f"{act.path}.object"] = made_now
    if fields := tuple(ref for ref in made_now if ref in run.fields()):
        act.scope.bindings["there"] = fields
    run.state.touch()
    return events


def _is_there(run: Run, name: str, place: Place) -> bool:
    return any(run.printed(ref).name == name for ref in run.state.zone(*place))


def _birthplace(act: Act, types: frozenset[str]) -> Place | None:
    """439.2: the place that the words name; else the one for the type, which for a permanent may be one of several."""
    run, to = act.run, act.node.to
    held = next((name for name, zone in run.rules.zones.items() if types & set(zone.holds)), None)
    if held is not None:
        return (held, NOBODY) if run.rules.zones[held].per == "none" else (held, player_ref(act.player))
    if isinstance(to, ast.Zone) and not run.is_location_zone(to.name):
        return select.zone_of(run, to, act.scope, f"{act.path}.to", act.player)
    here = player_ref(act.player)
    if to is not None:
        places = list(select.locations(run, to, act.scope, f"{act.path}.to"))
    elif run.rules.is_type(types, "anywhere"):
        places = [here, *(at for at in run.fields() if run.controller(at) == act.player)]
    else:
        places = [here]
    if not places:
        return None
    at = run.pick(act.player, places, 1, 1, "Where is it created?", "439.2.b.1", "location")[0]
    return run.place_at(at)


@verb("replace")
def _stand_in(act: Act) -> list[Event] | None:
    """438: put a token in the place of something, or swap back to what it replaced (438.7)."""
    run, node = act.run, act.node
    refs = [ref for ref in act.living(act.objects()) if ref > 0]
    word = node.using.name if isinstance(node.using, ast.TokenSpec) else ""
    if not word:
        refs = [ref for ref in refs if run.state.objects[ref].replaced]
    return [act.event("replace", object=ref, word=word) for ref in refs]


@verb("win")
def _win(act: Act) -> list[Event] | None:
    """195: an effect lets a player win."""
    return [act.event("win-game", subject=player_ref(act.player))]


@verb("activate", "repeat")
def _activate(act: Act) -> list[Event] | None:
    """383.4.g: let named triggered abilities trigger, if the rest of their conditions hold."""

    activate(act)
    return None


@verb("ignore")
def _ignore(act: Act) -> list[Event] | None:
    """356.1.b: costs that a spell's own text ignores are left out when its cost is determined."""
    act.scope.bindings["did"] = True
    return []


@verb("remake-choices")
def _remake(act: Act) -> list[Event] | None:
    """750: make new choices for an item on the chain, if it has legal ones."""

    run = act.run
    items = [run.state.item(ref) for ref in act.living(act.objects())]
    remakable = [item for item in items if item is not None and can_remake(run, item)]
    for item in remakable:
        remake(run, item, act.player)
    act.scope.bindings["did"] = bool(remakable)
    return None


@verb("copy")
def _copy(act: Act) -> list[Event] | None:
    """477.1.b: copy an object's printed text to what the words say, for as long as they say."""
    run = act.run
    node = act.node.object.of if isinstance(act.node.object, ast.TextOf) else act.node.object
    path = f"{act.path}.object.of" if isinstance(act.node.object, ast.TextOf) else f"{act.path}.object"
    for ref in act.living(objects_of(run, act.scope, node, path, act.player, "copy")):
        gear = run.self_of(act.scope, ast.Self(form="this"))
        if gear in run.state.objects:
            notes = run.state.own(gear).notes
            notes["copied-text"] = run.state.objects[ref].notes.get("copy", run.state.objects[ref].card)
            notes["copied-in"] = act.scope.bindings.get("event.batch", 0)
    run.state.reshape()
    return []


@verb("hide")
def _hide(act: Act) -> list[Event] | None:
    """421: put a card facedown at a battlefield that its player controls."""

    return hide_by_effect(act)


# --------------------------------------------------------------------------------- actions that are costs
