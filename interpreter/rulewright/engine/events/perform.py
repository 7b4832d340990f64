"""The only module that writes objects, zones, players and effects: one performer for each event (370.1).

What a game action does is data: the procedure of its name in the rules lists the writes below, with their
parameters, and they are carried out together as one event. Each write names the rules that define it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.primitives import write
from rulewright.engine.query.reads import kind_of
from rulewright.engine.state.objects import (
    NOBODY,
    ChainItem,
    Event,
    GameObject,
    Ghost,
    Lasting,
    Place,
    player_of,
    player_ref,
)

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def perform(run: "Run", event: Event) -> None:
    """Carry out one event that nothing replaces any more."""
    kind = kind_of(run, event.verb)
    for function, parameters in kind.writes:
        function(run, event, parameters)
    if kind.matters:
        run.state.touch()
    else:
        run.state.stir()


# --------------------------------------------------------------------------------------------- zones


def take_out(run: "Run", ref: int) -> None:
    """Take an object out of the zone that it is in."""
    state = run.state
    found = state.objects[ref]
    key = (found.zone, found.at)
    row = state.zones.get(key, ())
    if ref in row:
        at = row.index(ref)
        state.arrange(key, row[:at] + row[at + 1 :], run.is_seen(found.zone))


def put_in(run: "Run", ref: int, place: Place, edge: str = "bottom") -> None:
    """Put an object into a zone; the first in a zone is on its top."""
    state = run.state
    row = state.zones.get(place, ())
    state.arrange(place, (ref, *row) if edge == "top" else (*row, ref), run.is_seen(place[0]))
    found = state.own(ref)
    found.put(place)


def change_zone(run: "Run", ref: int, place: Place, edge: str = "bottom", cause: int = NOBODY) -> int:
    """Move an object to another zone; give its number there, which is new to or from a non-board zone (124)."""
    state, zones = run.state, run.rules.zones
    old = state.objects[ref]
    leaves, enters = zones[old.zone].board, zones[place[0]].board
    if leaves and enters:
        take_out(run, ref)
        put_in(run, ref, place, edge)
        return ref
    if leaves:
        detach_all(run, ref)
    if old.attached_to:
        state.own(ref).attached_to = NOBODY
    if old.zone == run.rules.chain:
        run.stop_executing(ref)
    remembered = run.traits(ref)
    take_out(run, ref)
    del state.objects[ref]
    token = run.rules.cards[old.card].token
    successor = NOBODY
    if not token or zones[place[0]].board or place[0] == run.rules.chain:
        # 124.1: damage, counters, statuses and granted words are not tracked on the new object.
        made = GameObject(state.new_id(), old.card, old.owner, old.owner, *place)
        made.timestamp = run.timestamp()
        made.stamp = state.stamp
        played_token = token and enters and old.zone == run.rules.chain
        kept = ("chosen", "copy") if played_token else ("chosen",)
        made.notes = {name: old.notes[name] for name in kept if name in old.notes}
        made.notes["was"] = ref
        made.replaced = ()
        if old.notes.get("facedown-card") and not enters:
            made.notes["hidden-from"] = old.at
        state.objects[made.id] = made
        put_in(run, made.id, place, edge)
        successor = made.id
        if enters and old.zone == run.rules.chain:
            _keep_modifications(run, ref, successor, token)
    state.ghosts[ref] = Ghost(old, remembered, successor, cause)
    return successor


def _keep_modifications(run: "Run", before: int, after: int, token: bool) -> None:
    """184.3, 185.2.a: what the effect that creates a token has given it goes along when it enters the board.

    370.1.b: so does what a card has given itself as it was played, and what is given to "the next" that is played.
    """

    def is_kept(lasting: Lasting) -> bool:
        own = token or lasting.once or lasting.scope.source == before
        return own and before in (lasting.affected or ())

    if any(map(is_kept, run.state.effects)):
        run.state.effects = tuple(
            lasting.now_of(before, after) if is_kept(lasting) else lasting for lasting in run.state.effects
        )


def detach_all(run: "Run", ref: int) -> None:
    """Let everything attached to an object that leaves the board stay where it was (719.5)."""
    for other in run.attached(ref):
        gear = run.state.own(other)
        gear.attached_to = NOBODY
        gear.timestamp = run.timestamp()
        run.state.arrange((gear.zone, gear.at), run.state.zone(gear.zone, gear.at))


def leave_chain(run: "Run", item: ChainItem, countered: bool = False, to: Place | None = None) -> None:
    """Take an item off the chain; a card goes to its owner's trash unless something sends it elsewhere."""
    state = run.state
    if item in state.chain:
        state.chain.remove(item)
    state.facts["cleanup"] = True
    if item.object == NOBODY:
        # 428.5.d: what dies of it in the next cleanup has died of the object that it comes from as well.
        state.facts["left"] = (item.id, *item.scope.holders())
        state.facts["abilities"] = (*state.facts.get("abilities", ()), state.facts["left"])
    if item.object and item.object in state.objects:
        if run.is_token(item.object):
            take_out(run, item.object)
            del state.objects[item.object]
            return
        change_zone(run, item.object, place_after_chain(run, item, to), cause=item.id)


def place_after_chain(run: "Run", item: ChainItem, to: Place | None = None) -> Place:
    """Give where a card goes as it leaves the chain: to its owner's trash, or where something sends it."""
    owner = player_ref(run.state.objects[item.object].owner)
    after = item.facts.get("then")
    if after is not None:
        # 390.3.a, 829.1.b.1: instead, wherever the effect that takes it off the chain would put it.
        return (after, owner)
    return to or (run.rules.term("spent-zone"), owner)


def _target_place(run: "Run", event: Event, parameters: Mapping[str, Any]) -> Place:
    if "zone" not in parameters:
        assert event.to is not None
        return event.to
    found = run.state.objects[event.object]
    name = str(parameters["zone"])
    if name == "home-deck":
        name = run.home_deck(event.object)
    whose = found.controller if parameters.get("of") == "controller" else found.owner
    if parameters.get("of") == "agent":
        whose = player_of(event.agent)
    return (name, player_ref(whose))


@write("place", "124", "128.1")
def _place(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Put the object into a zone: the one named, or where the event says."""
    if event.object not in run.state.objects:
        return
    hidden = run.state.objects[event.object]
    if "facedown" in hidden.states:
        # 421.4: a facedown card that changes zones is revealed.
        run.note(f"{run.name(event.object)} is revealed", ("421.4",), hidden.owner, "reveal")
    edge = event.word if event.word in ("top", "bottom") else str(parameters.get("edge", "bottom"))
    made = change_zone(run, event.object, _target_place(run, event, parameters), edge, run.cause_item(event))
    if made and made in run.state.objects:
        found = run.state.own(made)
        found.sent_by = run.source_of(event)
        if "state" in parameters or event.word == "exhausted":
            found.states = frozenset(found.states | {str(parameters.get("state", "exhausted"))})
        if "facedown" in found.states:
            # 811.1.b: it may be played from the turn after this one on.
            found.notes |= {"facedown-card": True, "hidden-turn": run.state.turn}


@write("relocate", "446.3", "455", "719.3")
def _relocate(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Put a permanent at another location, with what is attached to it."""
    assert event.to is not None
    for ref in (event.object, *run.attached(event.object)):
        take_out(run, ref)
        put_in(run, ref, event.to)


@write("contest", "190.3.a", "450")
def _contest(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Mark the battlefield where a unit becomes present as contested by its controller, if it is not theirs."""
    run.contest(event.object)


# ------------------------------------------------------------------------------------ states and counters


@write("set-state", "124.2", "414.1", "423.1", "441.1")
def _set_state(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Put the object into a state."""
    found = run.state.own(event.object)
    found.states = found.states | {str(parameters["state"])}


@write("clear-state", "415.1", "442.1")
def _clear_state(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Take the object out of a state."""
    found = run.state.own(event.object)
    found.states = found.states - {str(parameters["state"])}


@write("add-counter", "426.1", "702.2", "742")
def _add_counter(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Put counters on the object."""
    _count(run, event.object, str(parameters["counter"]), max(1, event.amount))


@write("take-counter", "702.2.b", "745.1", "745.1.a")
def _take_counter(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Take a counter of the event's own sort from the object."""
    _count(run, event.object, event.word, -1)


@write("move-counter", "746")
def _move_counter(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Take a counter from one object and put it on another, at once."""
    _count(run, event.subject, event.word, -1)
    _count(run, event.object, event.word, 1)


def _count(run: "Run", ref: int, counter: str, by: int) -> None:
    """Change how many counters of a sort an object has."""
    found = run.state.own(ref)
    count = found.counters.get(counter, 0) + by
    if count > 0:
        found.counters[counter] = count
    else:
        found.counters.pop(counter, None)


@write("mark-damage", "142.3", "417.1.b")
def _mark_damage(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Mark damage on the object, as the damage of the player responsible."""
    found = run.state.own(event.object)
    marked = list(found.damage or (0,) * len(run.state.players))
    player = player_of(event.agent) if event.agent < 0 else run.state.turn_player
    marked[player] += event.amount
    found.damage = tuple(marked)
    # 428.5.c: a kill in the next cleanup is attributed to what dealt the damage.
    found.notes["dealt-by"] = (event.agent, event.using, event.subject)


@write("clear-damage", "418.1")
def _clear_damage(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Clear all damage from the object."""
    found = run.state.own(event.object)
    found.damage = ()
    found.notes.pop("dealt-by", None)


# ---------------------------------------------------------------------------------------- resources


@write("change-resource", "194.1", "730")
def _change_resource(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Give a player a countable resource, or take it; never below 0 (194.4)."""
    sign = -1 if parameters.get("less") else 1
    kind = str(parameters.get("resource", event.word))
    whose = player_of(event.object)
    # 489.8.d: what a mode lets a team share, each of the team has.
    shared = kind in dict(run.state.facts["mode"]).get("shared", ())
    for number in run.team(whose) if shared else (whose,):
        player = run.state.players[number]
        player.resources[kind] = max(0, player.resources.get(kind, 0) + sign * event.amount)


@write("fill-pool", "166", "429.1")
def _fill_pool(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Add a resource to a player's pool; ``word`` is the resource, with what it may be spent on."""
    player = run.state.players[player_of(event.object)]
    kind, _, limit = event.word.partition("|")
    player.pool = run.merged(player.pool, kind, event.amount, limit)


@write("drain-pool", "166.2", "444.1")
def _drain_pool(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Take a resource out of a player's pool."""
    player = run.state.players[player_of(event.object)]
    kind, _, limit = event.word.partition("|")
    player.pool = run.merged(player.pool, kind, -event.amount, limit)


@write("empty-pool", "167")
def _empty_pool(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Empty a player's pool."""
    run.state.players[player_of(event.object)].pool = ()


# -------------------------------------------------------------------------------- control and attachment


@write("set-controller", "190.4", "191.3")
def _set_controller(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Give control of the object, or of the item on the chain, to a player; ``amount`` -1 gives it to nobody."""
    item = run.state.item(event.object)
    new = -1 if event.amount < 0 else player_of(event.agent)
    if item is not None:
        item.scope.controller = new
    if event.object in run.state.objects:
        own = run.state.own(event.object)
        own.controller = new
        run.state.reshape()
        if event.verb == "take-control" and event.word == "":
            # 480.1: taken for good; what is taken for a time is told by the effect that says so.
            own.notes["taken"] = (run.timestamp(), new)
        if item is None and not parameters.get("quiet"):
            run.contest(event.object)


@write("attach", "434.1", "434.4")
def _attach(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Attach the object to another card; its location becomes that card's."""
    assert event.to is not None
    host = run.state.objects[event.to[1]]
    gear = run.state.own(event.object)
    gear.attached_to = host.id
    gear.timestamp = run.timestamp()
    gear.notes["attached-turn"] = run.state.turn
    take_out(run, event.object)
    put_in(run, event.object, (host.zone, host.at))


@write("detach", "435.1", "435.4")
def _detach(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Detach the object; it stays where it is."""
    gear = run.state.own(event.object)
    gear.attached_to = NOBODY
    # 480.2: its text, which is active again, applies as of now.
    gear.timestamp = run.timestamp()
    run.state.arrange((gear.zone, gear.at), run.state.zone(gear.zone, gear.at))


# ---------------------------------------------------------------------------------- creation and the game


@write("create", "439.1", "180")
def _create(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Make a token where the event says; ``word`` is its name."""
    assert event.to is not None
    owner = player_of(event.agent)
    event.object = make(run, event.word.partition("|")[0], owner, event.to)


def make(run: "Run", card: str, owner: int, place: Place, controller: int | None = None) -> int:
    """Bring a new object into the game; give its number."""
    state = run.state
    made = GameObject(state.new_id(), card, owner, owner if controller is None else controller, *place)
    made.timestamp = run.timestamp()
    made.stamp = state.stamp
    state.objects[made.id] = made
    state.arrange(place, (*state.zones.get(place, ()), made.id))
    run.new_card(card)
    return made.id


@write("stand-in", "438.1", "438.5", "438.7")
def _stand_in(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Put a token in the place of the object, which keeps its number, states and effects; ``word`` is its name.

    An empty word swaps back to what it replaced.
    """
    found = run.state.own(event.object)
    if event.word:
        found.replaced = (*found.replaced, *_banished_card(run, found))
        found.card = event.word
        found.reprint()
        run.new_card(event.word)
    elif found.replaced:
        *kept, back = found.replaced
        old = run.state.objects[back]
        found.card = old.card
        found.reprint()
        take_out(run, back)
        del run.state.objects[back]
        found.replaced = tuple(kept)
    run.state.reshape()


def _banished_card(run: "Run", found: GameObject) -> tuple[int, ...]:
    # 438.5: what is replaced is put into banishment; 438.6: a token stops existing there.
    if run.is_token(found.id):
        return ()
    zone = run.rules.term("replaced-zone")
    kept = make(run, found.card, found.owner, (zone, player_ref(found.owner)))
    run.state.own(kept).states = frozenset({"replaced"})
    return (kept,)


@write("negate", "425.1.a")
def _negate(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Clear an item from the chain; its card goes to the trash, or where the event says."""
    item = run.state.item(event.object)
    if item is None:
        return
    leave_chain(run, item, countered=True, to=event.to)


@write("win-game", "195", "196")
def _win(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Let a player win the game."""
    run.state.winners = run.team(player_of(event.subject))


@write("lose-game", "195.1", "651")
def _lose(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Remove a player from the game; the last one left wins."""
    run.remove_player(player_of(event.subject))


@write("queue-turn", "735", "738")
def _queue_turn(run: "Run", event: Event, parameters: Mapping[str, Any]) -> None:
    """Insert an additional turn of a player after this one."""
    run.state.turns = (player_of(event.object), *run.state.turns)
