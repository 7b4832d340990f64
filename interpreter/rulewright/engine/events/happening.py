"""The one road of every change: proposed, replaced, performed, recorded, and watched by triggers (367-388).

Events proposed together are simultaneous (370.1.a.2). Replacements are applied to them one after the other, each at
most once to an event or to what stands in for it (370.2); then what is left is performed at once, and only then are
the conditions of triggers looked at (383.2.c).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.engine.events.perform import perform, take_out
from rulewright.engine.program.compile import trigger_events
from rulewright.engine.query import layers, select
from rulewright.engine.query.damage import damage_taken, factors, shields
from rulewright.engine.query.payment import payable
from rulewright.engine.query.possible import NEEDS_OBJECT, can_happen, is_linking
from rulewright.engine.query.reads import kind_of, may_be_replaced, watched_verbs
from rulewright.engine.query.watchers import watchers
from rulewright.engine.run import Run, op
from rulewright.engine.state.objects import (
    NOBODY,
    ChainItem,
    Event,
    Frame,
    Lasting,
    Option,
    Scope,
    player_of,
    player_ref,
)
from rulewright.engine.state.traits import Held
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ops import Op


def happen(run: Run, events: Sequence[Event], frame: Frame | None = None, result: str = "") -> None:
    """Let simultaneous events happen; ``result`` is the path under which the frame learns what came of them."""
    state = run.state
    batch = state.facts.get("batch", 0) + 1
    state.facts["batch"] = batch
    state.stir()
    possible, noticed = [], False
    for event in events:
        here = state.objects.get(event.object)
        if here is not None and not event.source:
            # What forbids or replaces an event may speak of where it begins.
            # What is detached is detached from the card that it was attached to.
            event.source = (here.zone, here.attached_to if event.verb == "detach" else here.at)
        if event.verb == "deal":
            adjust_damage(run, event)
        if not can_happen(run, event):
            continue
        possible.append(event)
        kind = kind_of(run, event.verb)
        noticed = noticed or kind.noticed
        if kind.sent_to and event.to is None:
            event.to = _goal(run, event)
        event.batch = batch
        event.phase = state.phase
        if frame is not None and "inherit" in frame.local:
            event.replaced = frame.local["inherit"]
    if not noticed:
        _perform_unnoticed(run, possible)
        if frame is not None:
            tell(frame.scope, possible, result)
        return
    if any(replacements(run, event) for event in possible):
        made = run.call("kernel:replace", Scope(state.turn_player, NOBODY, ""))
        made.events = tuple(possible)
        made.local["result"] = result
        made.local["depth"] = -1 if frame is None else state.frames.index(frame)
        return
    finish(run, possible, frame, result)


def finish(run: Run, events: Sequence[Event], frame: Frame | None, result: str) -> None:
    """Perform what is left of a batch and tell the frame that asked for it."""
    perform_all(run, events)
    if frame is not None:
        tell(frame.scope, events, result)


def tell(scope: Scope, events: Sequence[Event], result: str) -> None:
    """Bind what came of a batch: whether it was done, by whom, to what, and how much (359.3.e.14)."""
    bindings = scope.bindings
    bindings["did"] = bool(events)
    amount = sum(event.amount for event in events)
    bindings["much"] = amount if amount else len(events)
    bindings["did:who"] = tuple(dict.fromkeys(event.agent for event in events if event.agent))
    if result:
        bindings[f"{result}:done"] = tuple(event.object for event in events if event.object)
        bindings[f"{result}:much"] = bindings["much"]


def adjust_damage(run: Run, event: Event) -> None:
    """Multiply damage where an effect says so, and leave out what is prevented (437.2, 465.2.c.5)."""
    event.amount, used = damage_taken(run, event, _prevents_first(run, event))
    for key, amount in used:
        run.state.facts[key] = run.state.facts.get(key, 0) + amount


def _prevents_first(run: Run, event: Event) -> bool:
    """372: where damage is multiplied and prevented, whoever controls the unit says which comes first."""
    multiplying, preventing = factors(run, event), shields(run, event)
    if not multiplying or not preventing or damage_taken(run, event) == damage_taken(run, event, True):
        return False
    options = [
        Option(f"first:{sort}", "choose", f"{run.name(source)} first", sort, source, "372")
        for sort, source in (
            ("factor", multiplying[0].scope.source),
            ("shield", preventing[0].scope.source),
        )
    ]
    player = run.controller(event.object)
    answer = run.ask(player, "replace", "Which replacement is applied first?", options, "372")
    return bool(answer == "shield")


# ---------------------------------------------------------------------------------------- possibility


# -------------------------------------------------------------------------------------- replacement


class Replacement:
    """One way in which an event may be replaced: by an object's ability or by something lasting."""

    __slots__ = ("held", "key", "lasting", "ref", "scope")

    def __init__(self, key: str, ref: int, held: Held | None, lasting: Lasting | None, scope: Scope) -> None:
        self.key = key
        self.ref = ref
        self.held = held
        self.lasting = lasting
        self.scope = scope

    def node(self, run: Run) -> ast.ReplacementAbility:
        """Give its meaning."""
        if self.held is not None:
            found = self.held.ability.node
        else:
            assert self.lasting is not None
            found = run.rules.node(self.lasting.scope.ability, self.lasting.node)
            if isinstance(found, ast.CreateAbility):
                found = found.ability
        assert isinstance(found, ast.ReplacementAbility)
        return found

    def origin(self) -> int:
        """Give whose words it is: the attached card that lends it, else the object that has it (434.1.c)."""
        return (self.held.this if self.held is not None else NOBODY) or self.ref

    def path(self) -> str:
        """Give the path of its meaning in its ability."""
        if self.held is not None:
            return self.held.ability.prefix
        assert self.lasting is not None
        return f"{self.lasting.node}.ability"


def replacements(run: Run, event: Event) -> list[Replacement]:
    """Give what may replace an event and has not done so yet (370.2)."""
    if not may_be_replaced(run, event.verb):
        return []
    found = []
    for replacement in _all_replacements(run, event):
        if replacement.key in event.replaced:
            continue
        node = replacement.node(run)
        path = replacement.path()
        where = f"{path}.event" if path else "event"
        scope = replacement.scope
        bind_event(run, scope, event, node.event)
        if not select.matches_event(run, node.event, event, scope, where):
            continue
        if node.condition is not None and not select.holds(
            run, node.condition, scope, f"{path}.condition" if path else "condition"
        ):
            continue
        if node.frequency is not None and _used(run, replacement.key):
            continue
        found.append(replacement)
    return found


def _used(run: Run, key: str) -> bool:
    return bool(run.state.facts.get(f"used:{key}") == run.state.turn)


def _all_replacements(run: Run, event: Event) -> Iterator[Replacement]:
    for ref, held in watchers(run, event.verb, "replacement"):
        yield Replacement(f"{ref}:{held.ability.key}:{held.this}", ref, held, None, run.scope_of(ref, held))
    if is_linking(run, event):
        for held in layers.printed_of_kind(run, event.object, "replacement"):
            if event.verb in held.ability.verbs:
                ref = event.object
                yield Replacement(f"{ref}:{held.ability.key}", ref, held, None, run.scope_of(ref, held))
    patient = run.state.objects.get(event.object)
    if patient is not None and not run.rules.zones[patient.zone].board:
        for held in layers.own_abilities(run, event.object):
            if held.ability.kind == "replacement" and event.verb in held.ability.verbs:
                ref = event.object
                yield Replacement(f"{ref}:{held.ability.key}", ref, held, None, run.scope_of(ref, held))
    for lasting in run.state.effects:
        if lasting.kind == "replacement":
            scope = lasting.scope.copy()
            node = run.rules.node(scope.ability, f"{lasting.node}.ability")
            if event.verb == run.alias(getattr(node.event.action, "verb", "")).get(
                "verb", getattr(node.event.action, "verb", "")
            ):
                yield Replacement(f"lasting:{lasting.id}", scope.source, None, lasting, scope)


@op("replace")
def _replace(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Apply one replacement to one event of the batch, or perform the batch where none applies any more."""
    ended = frame.local.get("sequences", ())
    pairs = [
        (position, replacement)
        for position, event in enumerate(frame.events)
        for replacement in replacements(run, event)
        if replacement.key not in ended
    ]
    if not pairs:
        _settle(run, frame)
        return None
    position, replacement = _which(run, frame, _as_one(run, pairs))
    event = frame.events[position]
    node = replacement.node(run)
    player = replacement.scope.controller
    done = (*event.replaced, replacement.key)
    together = [position]
    if node.event.batch:
        together = [at for at, other in pairs if other.key == replacement.key]
        event = event.copy()
        event.amount = sum(frame.events[at].amount for at in together) or len(together)
    bind_event(run, replacement.scope, event, node.event)
    who = _asked(run, node, replacement)
    applies = _payable(run, replacement, node, who) and (
        not _is_optional(node) or _wanted(run, who, replacement, event)
    )
    kept = list(frame.events)
    for at in together:
        kept[at] = kept[at].copy()
        kept[at].replaced = (*kept[at].replaced, replacement.key)
    if not applies:
        frame.events = tuple(kept)
        return frame.position
    if node.frequency is not None:
        run.state.facts[f"used:{replacement.key}"] = run.state.turn
    last = frame.local.get("sequence", replacement.key)
    if last != replacement.key:
        # 373.2: a replacement is applied to simultaneous events in one uninterrupted sequence.
        frame.local["sequences"] = (*ended, last)
    frame.local["sequence"] = replacement.key
    skips = node.body == ast.Action("skip")
    does = "lets nothing come of" if skips else "replaces"
    told = f"{run.name(replacement.origin())} {does}: {describe_short(run, event)}"
    if not node.keep:
        kept = [each for at, each in enumerate(kept) if at not in together]
        if "plays" in frame.local:
            _set_aside(run, event, frame, replacement.scope)
    frame.events = tuple(kept)
    rules = replacement.held.ability.rules if replacement.held is not None else ()
    line = run.note(
        told,
        rules or (("443.1",) if skips else ("370.1.b",)),
        player,
        "replace",
        event.object,
        card=run.printed(replacement.ref).card,
        ability=replacement.scope.ability,
        span=node.span,
    )
    lasts = isinstance(node.body, ast.Apply) and node.body.duration is not None
    if node.keep and lasts and len(pairs) == len(kept) == 1:
        # 383.2.c: what begins to hold as an event happens is not there yet when its triggers are evaluated.
        depth = frame.local["depth"]
        finish(run, frame.events, run.state.frames[depth] if depth >= 0 else None, frame.local["result"])
        _begin(run, replacement, node, event, done, line)
        return None
    _begin(run, replacement, node, event, done, line)
    return frame.position


def _as_one(run: Run, pairs: list[tuple[int, Replacement]]) -> list[tuple[int, Replacement]]:
    """ "If you would draw one or more cards": it stands in for all of a batch, and is one replacement."""
    once: set[str] = set()
    kept = []
    for position, replacement in pairs:
        if not replacement.node(run).event.batch:
            kept.append((position, replacement))
        elif replacement.key not in once:
            once.add(replacement.key)
            kept.append((position, replacement))
    return kept


def _settle(run: Run, frame: Frame) -> None:
    """Let what is left of a batch happen; plays that were only proposed are handed to the frame that begins them."""
    if "plays" in frame.local:
        run.state.frames[frame.local["depth"]].events = frame.events
        return
    depth = frame.local["depth"]
    finish(run, frame.events, run.state.frames[depth] if depth >= 0 else None, frame.local["result"])


def _set_aside(run: Run, event: Event, frame: Frame, scope: Scope) -> None:
    """Take away the token whose play is replaced; the words that stand in for it may speak of it (375)."""
    found = run.state.objects[event.object]
    scope.bindings["event.played"] = (found.card, tuple(sorted(found.notes.items())), *frame.local["plays"])
    take_out(run, event.object)
    del run.state.objects[event.object]


def _which(run: Run, frame: Frame, pairs: list[tuple[int, Replacement]]) -> tuple[int, Replacement]:
    """Let the right player say what is applied first, where it can matter (372, 373)."""
    if len(pairs) == 1:
        return pairs[0]
    by_event: dict[int, list[Replacement]] = {}
    for position, replacement in pairs:
        by_event.setdefault(position, []).append(replacement)
    if all(
        len(group) == 1 and (group[0].lasting is not None or group[0].ref == frame.events[position].object)
        for position, group in by_event.items()
    ):
        # Each only stands in for what would happen to its own object: their order changes nothing.
        return pairs[0]
    deciders = {
        position: _decider(run, frame.events[position], group) for position, group in by_event.items()
    }
    order = run.turn_order(run.state.turn_player)
    # 373.1: those of several players are put in order in turn order.
    player = min(deciders.values(), key=lambda each: order.index(each) if each in order else len(order))
    pairs = [(position, replacement) for position, replacement in pairs if deciders[position] == player]
    options = [
        Option(
            f"replace:{replacement.ref}:{frame.events[position].object}:{index}",
            "choose",
            f"{run.name(replacement.origin())} for {describe_short(run, frame.events[position])}",
            index,
            replacement.origin(),
            "373",
        )
        for index, (position, replacement) in enumerate(pairs)
    ]
    return pairs[int(run.ask(player, "replace", "Which replacement is applied first?", options, "372"))]


def _decider(run: Run, event: Event, group: Sequence[Replacement]) -> int:
    """Give who orders the replacements of one event: who controls what is acted on, or who is acted on (372)."""
    if len(group) == 1:
        return group[0].scope.controller
    who = run.controller(event.object) if event.object else player_of(event.agent) if event.agent < 0 else -1
    return who if who >= 0 else run.state.turn_player


def _is_optional(node: ast.ReplacementAbility) -> bool:
    """371.2: it is applied or not as a player chooses: its controller, or whoever the words say."""
    return node.optional or isinstance(node.body, ast.May)


def _asked(run: Run, node: ast.ReplacementAbility, replacement: Replacement) -> int:
    """Give who chooses whether it is applied, and pays for it."""
    body = node.body
    if isinstance(body, ast.May):
        path = f"{replacement.path()}.body" if replacement.path() else "body"
        found = select.players(run, body.who, replacement.scope, f"{path}.who")
        if found:
            return found[0]
    return replacement.scope.controller


def _wanted(run: Run, who: int, replacement: Replacement, event: Event) -> bool:
    return run.yes(
        who, f"Replace: {describe_short(run, event)} ({run.name(replacement.ref)})?", "371.2", "replace"
    )


def _payable(run: Run, replacement: Replacement, node: ast.ReplacementAbility, who: int) -> bool:
    body: Any = node.body
    path = f"{replacement.path()}.body" if replacement.path() else "body"
    body, where = (body.body, f"{path}.body") if isinstance(body, ast.May) else (body, path)
    if isinstance(body, ast.PayTo):
        return payable(run, who, body.cost, replacement.scope, f"{where}.cost")
    return True


def _begin(
    run: Run,
    replacement: Replacement,
    node: ast.ReplacementAbility,
    event: Event,
    done: tuple[Any, ...],
    line: int | None,
) -> None:
    scope = replacement.scope
    bind_event(run, scope, event, node.event)
    scope.item = event.using if scope.item == NOBODY else scope.item
    if replacement.lasting is not None and replacement.lasting.once:
        run.state.effects = tuple(e for e in run.state.effects if e.id != replacement.lasting.id)
        run.state.touch()
    path = replacement.path()
    suffix = f"@{path}" if path and replacement.held is None else ""
    scope.bindings["event.batch"] = event.batch
    made = run.call(f"{scope.ability}>resolve{suffix}", scope)
    made.local["inherit"] = done
    if line is not None:
        run.causes.bodies[len(run.state.frames) - 1] = line
    if _is_optional(node):
        # 371.2: whoever has chosen to apply it has chosen to do what it says and to pay what it asks.
        made.local["agreed"] = made.local["chosen"] = True


def bind_event(run: Run, scope: Scope, event: Event, described: ast.Event | None = None) -> None:
    """Let the words of a trigger or replacement point at what happened (359.3.f.3), in the roles they give it.

    What they call the subject may be what the event is done to: a unit that dies, not the unit that kills it.
    """
    bindings = scope.bindings
    verb = getattr(described.action, "verb", "") if described is not None else ""
    subject = run.alias(verb).get("subject", "subject")
    for name, role in (("subject", subject), *((role, role) for role in ("object", "agent", "at", "using"))):
        value = getattr(event, role)
        if value:
            bindings[f"event.{name}"] = (value,)
    bindings["event.amount"] = event.amount
    if event.word:
        bindings["event.word"] = event.word
    if event.to is not None and event.to[1]:
        bindings["event.to"] = (event.to[1],)
    if event.source is not None and event.source[1]:
        bindings["event.source"] = (event.source[1],)
    # What the event has put somewhere is known there; what leaves the board after another event is not (124).
    moved = event.verb in run.rules.placing_verbs
    bindings["follow"] = tuple(
        ref for ref in (event.object, event.subject) if ref > 0 and (moved or not run.on_board_or_chain(ref))
    )


# ------------------------------------------------------------------------------------- performing


def became(run: Run, before: Mapping[int, int | None]) -> None:
    """Tell of states that a change of figures made come true, such as becoming Mighty (709)."""
    events = becoming(run, before)
    if events:
        happen(run, events)


def becoming(run: Run, before: Mapping[int, int | None]) -> list[Event]:
    """Say of what has a figure now that makes it what it was not before, such as Mighty, that it becomes so."""
    return [
        Event("become", subject=ref, object=ref, word=name, rules=("709",))
        for name, told in run.named_states().items()
        for figure, least in told.get("figure", {}).items()
        for ref, old in before.items()
        if old is not None and old < least <= (run.stat(ref, figure) or 0)
    ]


def mights_watched(run: Run) -> dict[int, int | None]:
    """Give the Might of all units on the board before something happens, if what they become by it is watched."""
    if "become" not in watched_verbs(run) or not (
        "become" in run.lasting_verbs[1] or watchers(run, "become")
    ):
        return {}
    return {ref: run.stat(ref, "might") for ref in run.board() if "unit" in run.traits(ref).types}


def perform_all(run: Run, events: Sequence[Event]) -> None:
    """Perform simultaneous events, record them, and put what they trigger on the chain."""
    if not events:
        return
    state = run.state
    state.facts["cleanup"] = True
    watched = watched_verbs(run)
    own = [found for event in events if event.verb in watched for found in _own_end(run, event)]
    leaving = _leaving(run, events) if "leave" in watched else []
    own_leaving = [found for event in leaving for found in _own_fired(run, event)]
    detaching = _detaching(run, events) if "detach" in watched else []
    mights = mights_watched(run) if any(kind_of(run, event.verb).alters for event in events) else {}
    lines: dict[int, int] = {}
    for event in events:
        line = _take_place(run, event)
        if line is not None:
            lines[id(event)] = lines[-event.object] = line
    gone = [event for event in leaving if event.object not in state.objects]
    gone += [event for event in detaching if not _is_attached(run, event.object)]
    state.history = (*state.history, *gone)
    own += [found for found in own_leaving if found[3] in gone]
    # 709: whatever changes the Might of a unit may make it Mighty: a counter, a gear, who stands beside it.
    now = (
        becoming(run, {ref: might for ref, might in mights.items() if ref in state.objects}) if mights else []
    )
    state.history = (*state.history, *now)
    gone += now
    fired = [*own, *_fired(run, [*events, *gone], own)]
    for ref, held, lasting, event, scope in fired:
        line = lines.get(id(event), lines.get(-event.object))
        with run.causes.following(run.causes.because if line is None else line):
            put_trigger(run, ref, held, lasting, event, scope)
    _end_effects(run, [*events, *gone])


def _perform_unnoticed(run: Run, events: Sequence[Event]) -> None:
    """Perform simultaneous events of which nothing more comes: no text replaces them, or watches for any of them."""
    if events:
        run.state.facts["cleanup"] = True
    for event in events:
        _take_place(run, event)


def _take_place(run: Run, event: Event) -> int | None:
    """Perform one event and record it; give the number of its line in the log, if it has one."""
    state = run.state
    here = state.objects.get(event.object)
    if here is not None:
        event.at = event.at or run.location(event.object)
        event.source = event.source or (here.zone, here.at)
    elif event.object > 0 and _is_gone(run, event):
        # What happened together with it, or stood in for something, has taken it away.
        return None
    line = tell_log(run, event)
    if line is None:
        perform(run, event)
    else:
        with run.causes.following(line):
            perform(run, event)
    state.history = (*state.history, event)
    run.counters["events"] += 1
    return line


def _leaving(run: Run, events: Sequence[Event]) -> list[Event]:
    """Say of what may leave the board in a batch that it leaves, for those who watch for that."""
    found = []
    for event in events:
        if event.object > 0 and _leaves(run, event):
            here = run.state.objects[event.object]
            told = Event(
                "leave", event.agent, object=event.object, source=(here.zone, here.at), using=event.using
            )
            told.at, told.batch, told.phase = run.location(event.object), event.batch, event.phase
            found.append(told)
    return found


def _detaching(run: Run, events: Sequence[Event]) -> list[Event]:
    """Say of what is attached to something that may leave the board that it detaches (719.5)."""
    found = []
    for event in events:
        for ref in run.attached(event.object) if event.object > 0 and _leaves(run, event) else ():
            # 719.5.a: whoever controls what leaves says in which order, so of the triggers too.
            orders = player_ref(run.controller(event.object))
            told = Event("detach", orders, object=ref, source=_host(run, ref), word="left", using=event.using)
            told.at, told.batch, told.phase = run.location(ref), event.batch, event.phase
            found.append(told)
    return found


def _host(run: Run, ref: int) -> tuple[str, int]:
    found = run.state.objects[ref]
    return (found.zone, found.attached_to)


def _is_attached(run: Run, ref: int) -> bool:
    return ref in run.state.objects and run.state.objects[ref].attached_to != NOBODY


def _end_effects(run: Run, events: Sequence[Event]) -> None:
    """Let effects end that last until something that has happened now (391)."""
    ended = []
    for lasting in run.state.effects:
        if lasting.until.startswith("until:"):
            path = lasting.until[6:]
            pattern = run.rules.node(lasting.scope.ability, path).event
            if any(
                select.matches_event(run, pattern, e, lasting.scope.copy(), f"{path}.event") for e in events
            ):
                ended.append(lasting)
    if ended:
        end_lasting(run, ended)


def end_lasting(run: Run, ended: Sequence[Lasting]) -> None:
    """Take effects away; who controls what they were about is looked at anew: the latest effect left (480.3)."""
    state = run.state
    numbers = {lasting.id for lasting in ended}
    for key in [
        key for key in state.facts if key.startswith("prevented:") and int(key.split(":")[1]) in numbers
    ]:
        del state.facts[key]
    state.effects = tuple(lasting for lasting in state.effects if lasting.id not in numbers)
    state.facts["cleanup"] = True
    state.touch()
    back: list[Event] = []
    for lasting in ended:
        for ref in controlled_by(run, lasting):
            claims = [(*state.objects[ref].notes.get("taken", (0, state.objects[ref].owner)),)]
            for other in state.effects:
                if ref in controlled_by(run, other):
                    effect = run.rules.node(other.scope.ability, other.node)
                    who = select.players(run, effect.who, other.scope, f"{other.node}.who")
                    claims += [(other.timestamp, player) for player in who[:1]]
            now = max(claims)[1]
            if now != state.objects[ref].controller:
                back.append(Event("take-control", player_ref(now), object=ref, word="again", rules=("391",)))
    if back:
        happen(run, back)


def controlled_by(run: Run, lasting: Lasting) -> tuple[int, ...]:
    """Give the objects that an effect gives somebody control of (191.3)."""
    if lasting.kind != "effect":
        return ()
    effect = run.rules.node(lasting.scope.ability, lasting.node)
    if not isinstance(effect, ast.Controls):
        return ()
    refs = select.refs(run, effect.what, lasting.scope, f"{lasting.node}.what")
    return tuple(ref for ref in (run.current(ref, lasting.scope) for ref in refs) if ref in run.state.objects)


def _is_gone(run: Run, event: Event) -> bool:
    if event.object in run.state.objects or run.state.item(event.object) is not None:
        return False
    return any(function.__name__ in NEEDS_OBJECT for function, _ in run.performer(event.verb))


Fired = tuple[int, Held | None, Lasting | None, Event, Scope]


def _own_end(run: Run, event: Event) -> Iterator[Fired]:
    """428.1.a.1.b: abilities that trigger on their own object's leaving are looked at before it leaves."""
    if event.object > 0 and _leaves(run, event):
        yield from _own_fired(run, event)


def _own_fired(run: Run, event: Event) -> Iterator[Fired]:
    for held in layers.own_abilities(run, event.object):
        ability = held.ability
        if ability.kind == "triggered" and not ability.elsewhere and event.verb in ability.verbs:
            yield from _fires(run, event.object, held, None, event, run.scope_of(event.object, held))


def _leaves(run: Run, event: Event) -> bool:
    found = run.state.objects.get(event.object)
    if found is None or not run.rules.zones[found.zone].board:
        return False
    return any(function.__name__ == "_place" for function, _ in run.performer(event.verb))


def _fired(run: Run, events: Sequence[Event], own: Sequence[Fired]) -> Iterator[Fired]:
    seen = {(ref, held.ability.key, held.this) for ref, held, _, _, _ in own if held is not None}
    instances: dict[tuple[int, str, int], list[Scope]] = {}
    verbs = watched_verbs(run)
    for event in events:
        if event.verb not in verbs:
            continue
        for ref, held in _watching(run, event):
            if held.this and _is_just_copied(run, held, event):
                continue
            key = (ref, held.ability.key, held.this)
            told = key in seen and _once_for_batch(run, held)
            for fired in _fires(run, ref, held, None, event, run.scope_of(ref, held)):
                if _is_nth(run, held):
                    instances.setdefault(key, []).append(fired[4])
                if not told:
                    seen.add(key)
                    yield fired
        yield from _lasting_triggers(run, event)
    yield from _fired_as_another(run, events)
    for scopes in instances.values():
        told_of = tuple(dict.fromkeys(_about_event(scope) for scope in scopes))
        for scope in scopes if len(told_of) > 1 else ():
            # 383.1.b: which of them it was is picked by its controller, when the trigger is finalized.
            scope.bindings["instances"] = told_of


def _is_nth(run: Run, held: Held) -> bool:
    """Tell whether an ability triggers the Nth time that something happens."""
    nth = any(event.ordinal for event in trigger_events(run.rules, held.ability))
    return nth or getattr(held.ability.node, "frequency", None) == "first-time-each-turn"


def _about_event(scope: Scope) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (name, value)
        for name, value in scope.bindings.items()
        if name.startswith("event.") or name == "follow"
    )


def _fired_as_another(run: Run, events: Sequence[Event]) -> Iterator[Fired]:
    """Abilities of one sort that count as of another too are looked at as if their own event had happened."""
    for active in layers.effects(run, ast.CountsAs):
        what, where = active.effect.what, f"{active.path}.what.of"
        sorts = [(active.effect.as_, what.sort)]
        if active.effect.mutual:
            sorts.append((what.sort, active.effect.as_))
        if not any(event.verb == verb for verb, _ in sorts for event in events):
            continue
        holders = [
            (ref, held)
            for ref in select.refs(run, what.of, active.scope, where)
            for held in layers.own_abilities(run, ref)
            if held.ability.kind == "triggered"
        ]
        for verb, sort in sorts:
            for event in events:
                if event.verb != verb:
                    continue
                told = event.copy()
                told.verb = sort
                for ref, held in holders:
                    if sort in held.ability.verbs and verb not in held.ability.verbs:
                        yield from _fires(run, ref, held, None, told, run.scope_of(ref, held))


def _is_just_copied(run: Run, held: Held, event: Event) -> bool:
    """What an Equipment copies as it is attached is not there yet for the attaching itself (370.1.b.1)."""
    gear = run.state.objects.get(held.this)
    return gear is not None and event.object == held.this and gear.notes.get("copied-in") == event.batch


def _watching(run: Run, event: Event) -> Iterator[tuple[int, Held]]:
    watching = watchers(run, event.verb)
    yield from watching
    if is_linking(run, event):
        # 725.1: what is attached has its own text for that.
        for held in layers.printed_of_kind(run, event.object, "triggered"):
            if event.verb in held.ability.verbs:
                yield event.object, held
    # An ability on a card that the event itself concerns works wherever that card now is ("When you discard me").
    ref = event.object
    ghost = run.state.ghosts.get(ref)
    if (
        ghost is not None
        and not run.rules.zones[ghost.object.zone].board
        and ghost.successor in run.state.objects
    ):
        known = {other for other, _ in watching}
        if ghost.successor not in known:
            for held in layers.own_abilities(run, ghost.successor):
                if held.ability.kind == "triggered" and event.verb in held.ability.verbs:
                    yield ghost.successor, held


def _once_for_batch(run: Run, held: Held) -> bool:
    events = trigger_events(run.rules, held.ability)
    frequency = getattr(held.ability.node, "frequency", None)
    return frequency is not None or any(
        event.batch or event.ordinal or select.is_players_move(event.action) for event in events
    )


def _lasting_triggers(run: Run, event: Event) -> Iterator[Fired]:
    for lasting in run.state.effects:
        if lasting.kind != "trigger":
            continue
        waiting = run.rules.node(lasting.scope.ability, lasting.node)
        if not isinstance(waiting, ast.CreateAbility):
            scope = lasting.scope.copy()
            if _is_awaited_event(run, waiting, event, scope, lasting.node):
                bind_event(run, scope, event)
                if lasting.once:
                    run.state.effects = tuple(e for e in run.state.effects if e.id != lasting.id)
                yield scope.source, None, lasting, event, scope
            continue
        node: Any = waiting.ability
        for position, pattern in enumerate(node.events):
            scope = lasting.scope.copy()
            path = f"{lasting.node}.ability"
            if select.matches_event(run, pattern, event, scope, f"{path}.events.{position}"):
                bind_event(run, scope, event, pattern)
                if node.condition is None or select.holds(run, node.condition, scope, f"{path}.condition"):
                    if lasting.once:
                        run.state.effects = tuple(e for e in run.state.effects if e.id != lasting.id)
                    yield scope.source, None, lasting, event, scope
                    break


def _is_awaited_event(run: Run, node: Any, event: Event, scope: Scope, path: str) -> bool:
    """Tell whether an event is what a reflexive trigger waits for: "if this kills it", "for each unit this kills"."""
    if isinstance(node, ast.Conditional):
        return isinstance(node.condition, ast.Happened) and select.matches_event(
            run, node.condition.event, event, scope, f"{path}.condition.event"
        )
    if not isinstance(node.what, ast.Objects) or not any(
        select.is_noun(run, event.object, noun, scope) for noun in node.what.nouns
    ):
        return False
    for position, part in enumerate(node.what.filters):
        where = f"{path}.what.filters.{position}"
        if isinstance(part, ast.That):
            action = part.event.action
            if not isinstance(action, ast.Action):
                return False
            if _killed_by_text(run, action, event, scope):
                continue
            if not select.matches(run, action, event, scope, f"{where}.event.action", gap=part.gap):
                return False
        elif not select.passes(run, event.object, part, scope, where):
            return False
    return True


def _killed_by_text(run: Run, action: ast.Action, event: Event, scope: Scope) -> bool:
    """ "For each unit this kills": also those killed by damage that the same text let a unit deal (428.5)."""
    if action.verb != "kill" or event.verb != "kill" or not isinstance(action.subject, ast.Self):
        return False
    found = run.find(event.object)
    return found is not None and found.notes.get("dealt-by", (NOBODY, NOBODY))[1] == scope.item != NOBODY


def _fires(
    run: Run, ref: int, held: Held, lasting: Lasting | None, event: Event, scope: Scope
) -> Iterator[Fired]:
    """Yield a trigger where an event fulfils its condition, with gates, the adjoining "if" and its frequency."""
    ability = held.ability
    node = ability.node
    prefix = f"{ability.prefix}." if ability.prefix else ""
    for position, pattern in enumerate(trigger_events(run.rules, ability)):
        path = f"{prefix}events.{position}"
        if not select.matches_event(run, pattern, event, scope, path):
            continue
        bind_event(run, scope, event, pattern)
        if not all(layers.gate_open(run, gate, scope) for gate in ability.gates):
            return
        if not _often_enough(run, pattern, event, scope, path):
            continue
        if isinstance(node, ast.TriggeredAbility):
            if node.condition is not None and not select.holds(
                run, node.condition, scope, f"{prefix}condition"
            ):
                return
            told = select.told_much(run, node.condition, scope, f"{prefix}condition")
            if told is not None:
                scope.bindings["much"] = told
            if node.frequency == "once-each-turn" and _used(run, f"{ref}:{ability.key}"):
                return
            if node.frequency == "first-time-each-turn" and not _first(run, pattern, event, scope, path):
                return
        for _ in range(_times(run, ref, held, event, scope)):
            yield ref, held, lasting, event, scope.copy()
        return


def _often_enough(run: Run, pattern: ast.Event, event: Event, scope: Scope, path: str) -> bool:
    if pattern.ordinal is None:
        return True
    alike = [
        other.batch
        for other in run.state.history
        if other.batch <= event.batch and select.matches_event(run, pattern, other, scope, path)
    ]
    before = sum(batch < event.batch for batch in alike)
    # 383.1.b: of several at once each may be the Nth.
    return before < pattern.ordinal <= len(alike)


def _first(run: Run, pattern: ast.Event, event: Event, scope: Scope, path: str) -> bool:
    return not any(
        other.batch < event.batch and select.matches_event(run, pattern, other, scope, path)
        for other in run.state.history
    )


def _times(run: Run, ref: int, held: Held, event: Event, scope: Scope) -> int:
    """Give how often an ability triggers on one event (TriggerAgain)."""
    times = 1
    for active in layers.effects(run, ast.TriggerAgain, ref):
        if sort_matches(run, active, ref, held, event, scope):
            if active.effect.never:
                return 0
            times += select.amount(run, active.effect.times, active.scope, f"{active.path}.times") or 0
    return times


def sort_matches(run: Run, active: layers.Active, ref: int, held: Held, event: Event, scope: Scope) -> bool:
    """Tell whether an ability is of the sort, and of the object or player, that an effect speaks of."""
    what = active.effect.what
    sorts = {event.verb, *(gate.name.casefold() for gate in held.ability.gates), held.ability.keyword}
    if what.sort.casefold() not in sorts and what.sort not in ("any", "triggered"):
        return False
    path = f"{active.path}.what.of"
    if not _narrowed(run, active, ref, event):
        return False
    if isinstance(what.of, ast.Player):
        return scope.controller in select.players(run, what.of, active.scope, path)
    if what.of is not None:
        if isinstance(what.of, ast.Objects):
            return select.fits(run, ref, what.of, active.scope, path)
        return ref in select.refs(run, what.of, active.scope, path)
    return True


def _narrowed(run: Run, active: layers.Active, ref: int, event: Event) -> bool:
    """Tell whether an ability is one of those that a text narrows itself to: "for conquering here"."""
    for position, part in enumerate(active.effect.what.filters):
        path = f"{active.path}.what.filters.{position}"
        if isinstance(part, ast.That) and part.gap == "for" and isinstance(part.event.action, ast.Action):
            # Whoever does it, the object that has the ability or its player: it is asked how and where.
            where = f"{path}.event.action"
            if not select.matches(run, part.event.action, event, active.scope, where, gap="subject"):
                return False
        elif not select.passes(run, ref, part, active.scope, path):
            return False
    return True


def put_trigger(
    run: Run, ref: int, held: Held | None, lasting: Lasting | None, event: Event, scope: Scope
) -> None:
    """Put a triggered ability on the chain as a pending item (383.3, 401.1)."""
    state = run.state
    item = ChainItem(state.new_id(), "triggered", NOBODY, scope)
    scope.item = item.id
    item.facts["batch"] = event.batch
    item.facts["sort"] = event.verb
    if ref not in state.objects:
        # 808.1.d.3: what triggers on its own source's leaving speaks of it as it was.
        scope.bindings["left"] = True
    if event.word == "left":
        item.facts["orders"] = player_of(event.agent)
    if held is not None:
        item.facts["part"] = ""
        item.facts["once"] = f"{ref}:{held.ability.key}"
        node: Any = held.ability.node
        scope.bindings["part"] = ""
        for gate in held.ability.gates:
            if run.rules.gate_events(gate.name):
                item.facts["sort"] = gate.name.casefold()
    else:
        assert lasting is not None
        # What the text before chose is no target of the trigger that it left behind (355.5.b).
        scope.bindings.pop("targets", None)
        node = run.rules.node(scope.ability, lasting.node)
        item.facts["part"] = f"{lasting.node}.{'ability' if isinstance(node, ast.CreateAbility) else 'body'}"
        node = run.rules.node(scope.ability, item.facts["part"])
    _responsible(run, item, node, event)
    run.put_on_chain(item)
    if event.verb == "play" and event.object == ref and ref in state.objects:
        # 811.1.d.2: the play effect of a hidden permanent chooses where that permanent was hidden.
        hidden_at = state.objects[ref].notes.get("from-facedown")
        if hidden_at is not None:
            scope.bindings["only-at"] = hidden_at
    found = run.state.ghosts.get(ref)
    if event.object == ref and event.verb in ("kill",) and found is None:
        # 808.1.d.1: it goes when the card is not sent to the trash after all.
        item.facts["of"] = ref
    run.note(
        f"{run.name(ref)} triggers",
        (held.ability.rules if held is not None and held.ability.rules else ("383.3",)),
        scope.controller,
        "trigger",
        item.id,
        card=run.printed(ref).card,
        ability=scope.ability,
        span=getattr(node, "span", None),
    )


def _responsible(run: Run, item: ChainItem, node: Any, event: Event) -> None:
    """190.6.c: where a battlefield's ability says who chooses, that player controls it."""
    body = getattr(node, "body", None)
    first = body.steps[0] if isinstance(body, ast.Sequence) else body
    who = first.who if isinstance(first, ast.May) else getattr(first, "subject", None)
    if isinstance(who, ast.Player) and who.which in ("they", "that-player", "controller", "owner"):
        found = select.players(run, who, item.scope)
        source = run.find(item.scope.source)
        if found and source is not None and run.rules.types_in(source.zone):
            item.scope.controller = found[0]
            item.scope.bindings.pop("nobody", None)


# --------------------------------------------------------------------------------------- watching


# ------------------------------------------------------------------------------------------ telling


def describe_short(run: Run, event: Event) -> str:
    """Say in a few words what an event is."""
    parts = {
        "agent": run.name(event.agent) if event.agent else "",
        "subject": run.name(event.subject) if event.subject else "",
        "object": run.name(event.object) if event.object else "",
        "amount": str(event.amount),
        "word": _counted(run, event.word.partition("|")[0], event.amount),
        "at": run.name(event.at) if event.at > 0 else "base" if event.at < 0 else "",
        "to": _place_name(run, event.to),
        "using": run.name(event.using) if event.using else "",
    }
    template = run.rules.events.get(event.verb, {}).get("say")
    if template is None:
        template = "{object} {verb}" if event.object else "{agent} {verb}"
    return str(template).format(verb=event.verb, **parts).strip()


def _counted(run: Run, word: str, amount: int) -> str:
    """A resource is named by its plural; of one there is the singular."""
    names = run.rules.terms.get("resources", {}).items() if amount == 1 else ()
    return next((one for one, many in names if many == word), word)


def _place_name(run: Run, place: tuple[str, int] | None) -> str:
    if place is None:
        return ""
    name, at = place
    if at > 0:
        return run.name(at)
    return name.replace("-", " ")


def tell_log(run: Run, event: Event) -> int | None:
    """Write the line of an event, with the card's words and the rules that it comes from; give its number."""
    if not run.tells(event.verb) or run.rules.events.get(event.verb, {}).get("quiet"):
        return None
    rules = tuple(dict.fromkeys((*run.rules.rules_of(event.verb), *event.rules)))
    card, ability, span = run.words_of(event)
    secret, public = _secrecy(run, event)
    line = run.note(
        describe_short(run, event),
        rules or ("370.1.a",),
        -1 - event.agent if event.agent < 0 else -1,
        event.verb,
        event.object,
        card=card,
        ability=ability,
        span=span,
        secret_to=secret,
        public_text=public,
    )
    if line is not None:
        # Who is where may contest a location or leave it to nobody.
        for at in (event.at, event.to[1] if event.to is not None else NOBODY):
            if at > 0:
                run.causes.marks[at] = line
    return line


def _secrecy(run: Run, event: Event) -> tuple[tuple[int, ...], str]:
    found = run.state.objects.get(event.object)
    if found is None:
        return (), ""
    there = event.to[0] if event.to is not None else destination(run, event)
    hidden = run.rules.zones[found.zone].privacy != "public" and (
        not there or run.rules.zones[there].privacy != "public"
    )
    if event.verb == "reveal" or not hidden:
        return (), ""
    others = tuple(p for p in range(len(run.state.players)) if p != found.owner)
    public = describe_short(run, event).replace(run.name(event.object), "a card")
    return others, public


def _goal(run: Run, event: Event) -> tuple[str, int] | None:
    """Give where an event puts its object, where the rules say that: "when you recycle cards to your Main Deck"."""
    found = run.state.objects.get(event.object)
    name = destination(run, event) if found is not None else ""
    return (name, player_ref(found.owner)) if found is not None and name else None


def destination(run: Run, event: Event) -> str:
    """Give the zone that an event puts its object into, where the rules say one; nothing where they do not."""
    name = run.rules.sent_to(event.verb)
    return run.home_deck(event.object) if name == "home-deck" else name


def owner_ref(run: Run, ref: int) -> int:
    """Give the owner of an object as a reference."""
    found = run.find(ref)
    return player_ref(found.owner) if found is not None else NOBODY
