"""The chain: putting cards and abilities on it, finalizing them in six steps, resolving them (327-340, 349-406)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import happen, replacements
from rulewright.engine.events.perform import (
    change_zone,
    leave_chain,
    place_after_chain,
    put_in,
    take_out,
)
from rulewright.engine.program.ops import Op
from rulewright.engine.program.primitives import write
from rulewright.engine.program.ruleset import given_key
from rulewright.engine.query import layers, select
from rulewright.engine.query.own_words import own_keywords
from rulewright.engine.query.payment import is_add_ability
from rulewright.engine.query.price import keywords_given, price_key, price_of
from rulewright.engine.run import EngineError, Run, op
from rulewright.engine.state.objects import (
    NOBODY,
    ChainItem,
    Event,
    Frame,
    GameObject,
    Place,
    Scope,
    player_ref,
)
from rulewright.engine.state.traits import Held
from rulewright.language import ast

if TYPE_CHECKING:
    pass


# --------------------------------------------------------------------------------- onto the chain


def put_card(run: Run, ref: int, player: int, facts: dict[str, Any] | None = None) -> ChainItem:
    """Put a card on the chain as a pending item (354)."""
    state = run.state
    old = state.objects[ref]
    origin: Place = (old.zone, old.at)
    facedown = old.notes.get("facedown-card") or "facedown" in old.states
    made = change_zone(run, ref, (run.rules.chain, NOBODY))
    card = state.own(made)
    card.controller = player
    scope = Scope(player, made, "", made)
    spell = run.script_of(card).spell
    if spell is not None:
        scope.ability = spell.key
    item = ChainItem(made, "card", made, scope)
    item.facts["from"] = origin
    if facedown:
        item.facts["facedown"] = True
        item.facts["only-at"] = origin[1]
        # 811.1.b: played from facedown, its base cost is ignored.
        item.facts["ignore"] = ("cost",)
        scope.bindings["only-at"] = origin[1]
    item.facts.update(facts or {})
    run.put_on_chain(item)
    state.facts["cleanup"] = True
    state.touch()
    run.note(
        f"{run.name(player_ref(player))} plays {run.name(made)} from {origin[0].replace('-', ' ')}",
        ("354",) if "forced" not in item.facts else ("354", "419.3"),
        player,
        "put",
        item.id,
        card=card.card,
    )
    return item


def put_ability(run: Run, ref: int, held: Held, player: int) -> ChainItem:
    """Put an activated ability on the chain as a pending item (401)."""
    state = run.state
    scope = run.scope_of(ref, held)
    scope.controller = player
    item = ChainItem(state.new_id(), "activated", NOBODY, scope)
    scope.item = item.id
    node = held.ability.node
    assert isinstance(node, ast.ActivatedAbility)
    prefix = f"{held.ability.prefix}." if held.ability.prefix else ""
    item.facts["cost"] = (held.ability.key, f"{prefix}cost")
    item.facts["part"] = ""
    item.facts["sort"] = held.ability.keyword or "activated"
    item.facts["once"] = f"{ref}:{(held.ability.told or held.ability).key}"
    if is_add_ability(node.body):
        item.facts["adds"] = True
    if held.ability.keyword:
        _keyword_cost(run, item, held)
    run.put_on_chain(item)
    gates = (*held.ability.gates, *own_keywords(run, item), *keywords_given(run, item))
    item.facts["gates"] = tuple(gate.name.casefold() for gate in gates)
    state.facts["cleanup"] = True
    run.note(
        f"{run.name(player_ref(player))} uses an ability of {run.name(ref)}",
        held.ability.rules or ("401",),
        player,
        "put",
        item.id,
        card=run.printed(ref).card,
        ability=held.ability.key,
        span=node.span,
    )
    return item


def _keyword_cost(run: Run, item: ChainItem, held: Held) -> None:
    """A keyword's ability costs what is printed after the keyword (818.1.c)."""
    where = keyword_cost_place(run, item.scope.source, held)
    if where is not None:
        item.facts["cost"] = where


def keyword_cost_place(run: Run, ref: int, held: Held) -> tuple[str, str] | None:
    """Give where the cost printed after a keyword stands, as an ability's key and a path in it."""
    if (told := held.ability.told) is not None:
        # What is said of a keyword's ability stands with its own cost: another of the same cost has its own words.
        return told.key, f"{told.path}keyword.cost"
    for other in run.traits(ref).abilities:
        instance = other.ability.instance
        if (
            instance is not None
            and instance.name.casefold() == held.ability.keyword
            and instance.cost is not None
        ):
            if held.ability.instance is not None and instance.cost != held.ability.instance.cost:
                continue
            prefix = f"{other.ability.prefix}." if other.ability.prefix else ""
            return other.ability.key, f"{prefix}keyword.cost"
    given = held.ability.instance.cost if held.ability.instance is not None else None
    if isinstance(given, ast.Cost) and all(isinstance(part, ast.Energy | ast.Power) for part in given.parts):
        # A keyword that an effect has given, with its cost: printed nowhere on this card.
        scope = Scope(run.controller(ref), ref, "")
        return price_key(price_of(run, given, scope, "", run.printed(ref).domains)), ""
    if isinstance(given, ast.Cost | ast.CostOptions):
        return given_key(given), ""
    return None


# ---------------------------------------------------------------------------------- off the chain


def pending(run: Run) -> ChainItem | None:
    """Give the oldest pending item (337.1)."""
    return next((item for item in run.state.chain if not item.finalized), None)


def part_of(item: ChainItem) -> str:
    """Give the suffix of the programs of an item: for a part of an ability, where the part is."""
    part = item.facts.get("part", "")
    return f"@{part}" if part else ""


def current_item(run: Run, frame: Frame) -> ChainItem:
    """Give the item that a procedure is about. Raises where it is gone."""
    item = run.state.item(frame.local["item"])
    if item is None:
        raise EngineError("the item is no longer on the chain", place=frame.program)
    return item


# ------------------------------------------------------------------------------------ finalization


# ---------------------------------------------------------------------------------------- resolution


def resolves_at_once(run: Run, item: ChainItem) -> bool:
    """337.2: units, gear and abilities that add resources resolve as soon as they are finalized."""
    if not item.object:
        return bool(item.facts.get("adds"))
    return run.is_permanent(item.object)


def execute(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """340.1: carry out the newest finalized item: a permanent enters, instructions are executed in full."""
    done = frame.local.get("executed", 0)
    if done and _has_left(run, frame):
        # 359.3.e.15: an item that leaves the chain while it resolves has finished resolving.
        return None
    item = current_item(run, frame)
    if item.object and resolves_at_once(run, item):
        if done:
            # Something else has taken the place of its being played.
            return_unplayed(run, item)
            return "return"
        frame.local["executed"] = 1
        enter(run, item)
        return "again"
    if done == 0:
        run.note(
            f"{run.name(item.id)} resolves",
            rules,
            item.scope.controller,
            "resolve",
            item.id,
            card=run.printed(item.scope.source).card,
            ability=item.scope.ability,
        )
    if item.scope.ability and done <= len(item.repeats):
        frame.local["executed"] = done + 1
        scope = item.scope.copy()
        if done:
            scope.bindings = dict(item.repeats[done - 1])
        scope.bindings["began"] = len(run.state.history)
        scope.bindings["spent-energy"] = item.facts.get("spent-energy", 0)
        run.call(f"{item.scope.ability}>resolve{part_of(item)}", scope)
        return "again"
    return None


def _has_left(run: Run, frame: Frame) -> bool:
    """Tell whether an item, or the card that it is, is no longer on the chain."""
    item = run.state.item(frame.local["item"])
    return item is None or (item.object != NOBODY and item.object not in run.state.objects)


def enter(run: Run, item: ChainItem) -> None:
    """359.2: a permanent has been played, unless something stands in for that before it is there (370.1.c)."""
    at = _entry_place(run, item)
    event = Event(
        "play",
        player_ref(item.scope.controller),
        object=item.object,
        word="token" if item.facts.get("token") else "",
        source=item.facts.get("from"),
        to=run.place_at(at),
        at=at,
        using=item.id,
        rules=("359.2",),
    )
    run.state.facts["paid-for"] = item.facts.get("spent-energy", 0)
    event.replaced = item.facts.get("inherit", ())
    if item.facts.get("token"):
        # 370.1.c: whether another event stands in for it was settled before the token was made.
        event.replaced = (*event.replaced, *(r.key for r in replacements(run, event) if not r.node(run).keep))
    happen(run, [event])


@write("come-in", "359.2")
def _come_in(run: Run, event: Event, parameters: Mapping[str, Any]) -> None:
    """Let a permanent that has been played leave the chain and become a game object; a spell has left it before."""
    item = next((item for item in run.state.chain if item.object == event.object), None)
    if item is not None:
        _become_object(run, item, event)


def _become_object(run: Run, item: ChainItem, event: Event) -> None:
    state = run.state
    ref = item.object
    player = item.scope.controller
    at = event.at = _entry_place(run, item)
    event.to = run.place_at(at)
    _use_up_entry(run, ref)
    state_word = _entry_state(run, item, ref, at)
    others = _entry_states(run, ref)
    notes: dict[str, Any] = {
        "paid": tuple(item.facts.get("paid", ())),
        "played-turn": state.turn,
        "spent-energy": item.facts.get("spent-energy", 0),
    }
    kept = state.objects[ref].notes
    notes.update({name: kept[name] for name in ("might", "word") if kept.get(name) is not None})
    if item.facts.get("only-at"):
        notes["from-facedown"] = item.facts["only-at"]
    state.chain.remove(item)
    made = change_zone(run, ref, run.place_at(at), cause=item.id)
    new = state.own(made)
    new.controller = player
    new.notes.update(notes)
    if state_word:
        new.states = new.states | {state_word}
    _mark(run, new, others)
    run.contest(made)
    state.touch()
    event.object = event.using = made


def _use_up_entry(run: Run, ref: int) -> None:
    """What was said of how one card enters is done with once it has."""
    used = [
        active.lasting
        for active in layers.effects(run, ast.Enters, ref)
        if active.once and active.effect.at is not None and _enters(run, active, ref)
    ]
    if used:
        run.state.effects = tuple(effect for effect in run.state.effects if effect.id not in used)
        run.state.touch()


def _entry_place(run: Run, item: ChainItem) -> int:
    for active in layers.effects(run, ast.Enters, item.object):
        if active.effect.at is not None and _enters(run, active, item.object):
            found = select.locations(run, active.effect.at, active.scope, f"{active.path}.at")
            if found:
                return found[0]
    return int(item.facts["place"])


def _enters(run: Run, active: layers.Active, ref: int) -> bool:
    subject = active.effect.subject
    path = f"{active.path}.subject"
    if isinstance(subject, ast.Self):
        return active.scope.source in run.line_of(ref)
    if isinstance(subject, ast.Objects):
        return select.fits(run, ref, subject, active.scope, path)
    return bool(set(run.line_of(ref)) & set(select.refs(run, subject, active.scope, path)))


def _entry_state(run: Run, item: ChainItem, ref: int, at: int) -> str:
    """143.4, 149.1: how it enters, as its type says, changed by what replaces that (369.3)."""
    types = run.printed(ref).types
    state = ""
    for word in types:
        if word in run.rules.types and run.rules.types[word].get("enters"):
            state = run.rules.types[word]["enters"]
    if any(word in run.rules.types and run.rules.types[word].get("enters") for word in types) is False:
        state = ""
    item.scope.bindings["event.at"] = (at,)
    used: list[int] = []
    for active in layers.effects(run, ast.Enters, ref):
        if active.effect.state is not None and _enters(run, active, ref):
            state = active.effect.state
            if active.once:
                used.append(active.lasting)
    if used:
        run.state.effects = tuple(e for e in run.state.effects if e.id not in used)
        run.state.touch()
    state = _paid_state(run, item) or state
    if "state" in item.facts:
        state = item.facts["state"]
    return "" if state == "ready" else state


def _entry_states(run: Run, ref: int) -> tuple[str, ...]:
    """Give what something enters with besides being ready or exhausted: buffed, stunned (369.3)."""
    entering = [active for active in layers.effects(run, ast.Enters, ref) if _enters(run, active, ref)]
    return tuple(dict.fromkeys(state for active in entering for state in active.effect.with_))


def _mark(run: Run, found: GameObject, states: tuple[str, ...]) -> None:
    """Let an object that enters be so; a state that a counter makes is that counter (702.2.a)."""
    for state in states:
        counter = run.rules.terms["states"].get(state, {}).get("counter")
        if counter:
            found.counters[counter] = found.counters.get(counter, 0) + 1
        else:
            found.states = found.states | {state}


def _paid_state(run: Run, item: ChainItem) -> str:
    """805.2.b: what paying a keyword's cost does to how a card enters stands, though the keyword may be gone since."""
    for key in item.facts.get("paid", ()):
        sort, _, name = key.partition("#")[0].partition(":")
        if sort != "keyword":
            continue
        for held in run.rules.keyword_abilities(ast.Keyword(name.partition("/")[0])):
            node = held.ability.node
            if isinstance(node, ast.PassiveAbility) and isinstance(node.condition, ast.PaidAdditionalCost):
                for effect in node.effects:
                    if isinstance(effect, ast.Enters) and effect.state is not None:
                        return str(effect.state)
    return ""


def finish_resolving(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """359.3.d: the item leaves the chain; a spell has been played now (419.4.a)."""
    item = run.state.item(frame.local["item"])
    if item is None:
        return None
    _forget_shown(run)
    player = item.scope.controller
    spell = item.object
    using = item.id
    you = player_ref(player)
    if item.kind == "activated":
        # While it is on the chain still, so that it is known whose ability it is.
        happen(
            run, [Event("use", you, object=using, subject=item.scope.source, using=using, rules=("377.2.a",))]
        )
    _put_away(run, item)
    run.state.facts["paid-for"] = item.facts.get("spent-energy", 0)
    if spell:
        event = Event(
            "play", you, object=spell, source=item.facts.get("from"), using=using, rules=("359.3.d",)
        )
        event.amount = item.facts.get("spent-energy", 0)
        happen(run, [event])
    return None


def _forget_shown(run: Run) -> None:
    """424.1.a.3: what was revealed stays so until the item that revealed it has resolved."""
    objects = run.state.objects
    for ref in [ref for ref, found in objects.items() if "revealed" in found.states]:
        run.state.own(ref).states = objects[ref].states - {"revealed"}


def _put_away(run: Run, item: ChainItem) -> None:
    """359.3.d: the card goes to its owner's trash, unless something replaces that."""
    if item.object in run.state.objects and not run.is_token(item.object):
        event = Event("return", object=item.object, to=place_after_chain(run, item), using=item.id)
        if replacements(run, event):
            run.state.chain.remove(item)
            run.state.facts["cleanup"] = True
            happen(run, [event])
            return
    leave_chain(run, item)


def return_unplayed(run: Run, item: ChainItem) -> None:
    """Put a card that an instruction could not play after all back where it was (358.5)."""
    origin: Place = item.facts.get("from", ("", NOBODY))
    if item in run.state.chain:
        run.state.chain.remove(item)
    if item.object in run.state.objects:
        if item.facts.get("token") or not origin[0]:
            take_out(run, item.object)
            del run.state.objects[item.object]
        else:
            take_out(run, item.object)
            put_in(run, item.object, origin, "top")
    run.state.facts["cleanup"] = True
    run.state.touch()


@op("undo")
def undo(run: Run, frame: Frame, operation: Op) -> int | None:
    """Take back what cannot be finalized: a trigger leaves the chain (402.4), a play is undone whole (358.5)."""
    state, illegal = run.state, run.illegal
    assert illegal is not None
    finalizing = next((f for f in reversed(state.frames) if f.program == "do:finalize"), None)
    item = state.item(finalizing.local["item"]) if finalizing is not None else None
    if (
        finalizing is not None
        and item is not None
        and (item.kind not in ("card", "activated") or "forced" in item.facts)
    ):
        del state.frames[state.frames.index(finalizing) :]
        return_unplayed(run, item)
        rule = "402.4" if item.kind != "card" else illegal.rule
        run.note(
            f"{run.name(item.scope.source)}: {illegal.reason}",
            (rule,),
            item.scope.controller,
            "remove",
            item.id,
        )
        return None
    if state.snapshot is None:
        raise EngineError(f"an illegal play cannot be undone: {illegal.reason}", place=f"rule {illegal.rule}")
    state.become(state.snapshot.copy())
    run.refusal = (illegal.reason, illegal.rule)
    key = state.facts.pop("playing", "")
    if key:
        state.facts["refused"] = (*state.facts.get("refused", ()), key)
    del run.log[run.log_mark :]
    run.causes.forget(run.log_mark)
    run.note(f"the play is undone: {illegal.reason}", (illegal.rule, "358.5"), -1, "undo")

    # ------------------------------------------------------------------------------------- asking
    return None
