"""The chain: putting cards and abilities on it, finalizing them in six steps, resolving them (327-340, 349-406)."""

from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import happen, replacements
from rulewright.engine.events.perform import change_zone, put_in, take_out
from rulewright.engine.playing.costs import (
    Price,
    affordable,
    ask_plan,
    can_pay_with,
    choices_in_costs,
    is_add_ability,
    pay_resources,
    payable,
    price_key,
    price_of,
    total_price,
)
from rulewright.engine.playing.wording import cost_words
from rulewright.engine.program.compile import body_of, leading_may, needs_choice
from rulewright.engine.query import layers, select
from rulewright.engine.run import EngineError, IllegalPlay, Run
from rulewright.engine.state.objects import (
    NOBODY,
    ChainItem,
    Event,
    Frame,
    Option,
    Place,
    Scope,
    player_ref,
)
from rulewright.engine.state.traits import Held
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.instructions.verbs import Act


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
    item.facts["gates"] = tuple(gate.name.casefold() for gate in held.ability.gates)
    item.facts["once"] = f"{ref}:{held.ability.key}"
    if is_add_ability(node.body):
        item.facts["adds"] = True
    if held.ability.keyword:
        _keyword_cost(run, item, held)
    run.put_on_chain(item)
    state.facts["cleanup"] = True
    run.note(
        f"{run.name(player_ref(player))} uses an ability of {run.name(ref)}",
        held.ability.rules or ("401",),
        player,
        "put",
        card=run.traits(ref).card,
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
        return price_key(price_of(run, given, scope, "", run.traits(ref).domains)), ""
    return None


def play_by_effect(act: "Act") -> list[Event] | None:
    """Put the cards that an instruction plays on the chain, with what it says of their cost and place."""
    run, node, scope = act.run, act.node, act.scope
    path = f"{act.path}.object"
    if isinstance(node.object, ast.Objects) and path not in scope.bindings and needs_choice(node.object):
        options = [r for r in select.candidates(run, node.object, scope, path) if _playable_by_effect(act, r)]
        if not options:
            scope.bindings["did"] = False
            return None
        least = 0 if _private(run, node.object) else 1
        chosen = run.pick(act.player, options, least, 1, "Choose what to play", "419.3")
        scope.bindings[path] = chosen
        refs: list[int] = list(chosen)
    else:
        refs = [r for r in act.living(act.objects()) if r > 0 and _playable_by_effect(act, r)]
        if len({run.state.objects[ref].owner for ref in refs}) > 1:
            # Of the cards of several players each plays their own.
            refs = [ref for ref in refs if run.state.objects[ref].owner == act.player]
    for ref in refs:
        facts = _play_facts(act)
        if "inherit" in act.frame.local:
            # 370.2: what has stood in for a play does not apply again to the play in its place.
            facts["inherit"] = act.frame.local["inherit"]
        put_card(run, ref, act.player, facts)
    scope.bindings["did"] = bool(refs)
    scope.bindings["did:who"] = (player_ref(act.player),)
    return None


def _private(run: Run, node: ast.Objects) -> bool:
    for part in node.filters:
        if isinstance(part, ast.From) and isinstance(part.place, ast.Zone):
            zone = run.rules.zones.get(run.zone_name(part.place.name))
            return zone is not None and zone.privacy != "public"
    return False


def _play_facts(act: "Act") -> dict[str, Any]:
    run, node, scope = act.run, act.node, act.scope
    facts: dict[str, Any] = {"forced": True}
    cost = node.cost
    if isinstance(cost, ast.CostChange):
        where = f"{act.path}.cost"
        if cost.change == "ignore":
            if cost.part == "any-cost":
                facts["free"] = True
            facts["ignore"] = (cost.part,)
        elif cost.change == "less" and cost.cost is not None:
            price = price_of(run, cost.cost, scope, f"{where}.cost")
            times = 1 if cost.per is None else select.amount(run, cost.per, scope, f"{where}.per") or 0
            total = Price()
            total.add(price, times)
            facts["less"] = (total.to_data(),)
        elif cost.change == "becomes":
            facts["instead"] = price_of(run, cost.cost, scope, f"{where}.cost").to_data()
    elif isinstance(cost, ast.Cost):
        facts["instead"] = price_of(run, cost, scope, f"{act.path}.cost").to_data()
    facts.update(place_facts(act))
    return facts


def place_facts(act: "Act") -> dict[str, Any]:
    """Where an instruction lets something be played, and how it arrives (184)."""
    run, node, scope = act.run, act.node, act.scope
    facts: dict[str, Any] = {}
    if node.to is not None and not isinstance(node.to, ast.Player):
        places = select.locations(run, node.to, scope, f"{act.path}.to")
        facts["to"] = tuple(places)
    elif node.at is not None:
        facts["to"] = tuple(select.locations(run, node.at, scope, f"{act.path}.at"))
    if node.state is not None:
        facts["state"] = node.state
    if "only-at" in scope.bindings:
        # 811.1.d.3: what a hidden card plays is played where that card was hidden.
        facts["to"] = (scope.bindings["only-at"],)
    return facts


def _playable_by_effect(act: "Act", ref: int) -> bool:
    from rulewright.engine.playing.options import why_not_card

    if ref not in act.run.state.objects:
        return False
    return why_not_card(act.run, act.player, ref, _play_facts(act)) is None


def hide_by_effect(act: "Act") -> list[Event] | None:
    """Hide cards because an instruction says so."""
    run = act.run
    events = []
    for ref in act.living(act.objects()):
        fields = [at for at in run.fields() if run.controller(at) == act.player]
        if fields and ref > 0:
            chosen = run.pick(act.player, fields, 1, 1, "Choose where to hide it", "421.1", "location")
            events.append(act.event("hide", object=ref, to=(run.facedown_zone(), chosen[0]), at=chosen[0]))
    return events


def activate(act: "Act") -> None:
    """383.4.g: check the named abilities of objects as if the named part of their condition had been fulfilled."""
    from rulewright.engine.events.happening import put_trigger, sort_matches

    run, node = act.run, act.node
    what = node.object
    if not isinstance(what, ast.AbilityText):
        raise EngineError("only abilities can be activated", place=act.scope.ability)
    active = layers.Active(ast.TriggerAgain(what, ast.Number(1)), act.scope, f"{act.path}", 0)
    done = False
    for ref in run.board():
        for held in layers.own_abilities(run, ref):
            if held.ability.kind != "triggered":
                continue
            scope = run.scope_of(ref, held)
            at = run.location(ref)
            event = Event(what.sort, player_ref(scope.controller), subject=ref, object=ref, at=at)
            active.path = act.path
            probe = layers.Active(ast.TriggerAgain(what, ast.Number(1)), act.scope, act.path, 0)
            probe.effect = ast.TriggerAgain(what, ast.Number(1))
            if what.sort in held.ability.verbs and sort_matches(
                run, _object_active(probe, act), ref, held, event, scope
            ):
                condition = getattr(held.ability.node, "condition", None)
                prefix = f"{held.ability.prefix}." if held.ability.prefix else ""
                if condition is None or select.holds(run, condition, scope, f"{prefix}condition"):
                    event.batch = run.state.facts.get("batch", 0) + 1
                    scope.bindings["event.subject"] = (ref,)
                    scope.bindings["event.at"] = (at,)
                    put_trigger(run, ref, held, None, event, scope)
                    done = True
    run.state.facts["batch"] = run.state.facts.get("batch", 0) + 1
    act.scope.bindings["did"] = done


def _object_active(active: layers.Active, act: "Act") -> layers.Active:
    """The described abilities are the action's object: the paths lead through it."""
    active.path = act.path + ".object"
    return _Renamed(active)  # type: ignore[return-value]


class _Renamed:
    """An effect whose ``what`` stands at the path itself rather than below it."""

    def __init__(self, active: layers.Active) -> None:
        self.effect = active.effect
        self.scope = active.scope
        self.path = active.path.removesuffix(".object")


# ---------------------------------------------------------------------------------- off the chain


def leave_chain(run: Run, item: ChainItem, countered: bool = False, to: Place | None = None) -> None:
    """Take an item off the chain; a card goes to its owner's trash unless something sends it elsewhere."""
    state = run.state
    if item in state.chain:
        state.chain.remove(item)
    state.facts["cleanup"] = True
    if item.object and item.object in state.objects:
        found = state.objects[item.object]
        if run.is_token(item.object):
            take_out(run, item.object)
            del state.objects[item.object]
            return
        place = to or (run.rules.terms.get("spent-zone", "trash"), player_ref(found.owner))
        after = item.facts.get("then")
        if after is not None:
            # 829.1.b.1: banished instead, wherever the effect that took it off the chain would have put it.
            place = (after, player_ref(found.owner))
        change_zone(run, item.object, place, cause=item.id)


def pending(run: Run) -> ChainItem | None:
    """Give the oldest pending item (337.1)."""
    return next((item for item in run.state.chain if not item.finalized), None)


def current_item(run: Run, frame: Frame) -> ChainItem:
    """Give the item that a procedure is about. Raises where it is gone."""
    item = run.state.item(frame.local["item"])
    if item is None:
        raise EngineError("the item is no longer on the chain", place=frame.program)
    return item


# ------------------------------------------------------------------------------------ finalization


def accept(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """402.1: a trigger whose effect begins with "may" is declined or performed now."""
    item = current_item(run, frame)
    if item.object or item.kind == "activated":
        return None
    if item.facts.get("of") in run.state.objects and item.facts.get("sort") in ("kill", "deathknell"):
        # 808.1.d.1: the card was not sent to the trash after all.
        run.state.chain.remove(item)
        run.state.facts["cleanup"] = True
        return "return"
    node, path = body_of(run.rules, item.scope.ability, item.facts["part"])
    if "once" in item.facts and _used_up(run, item, node):
        run.state.chain.remove(item)
        return "return"
    inner, where, may = leading_may(node, path)
    costs = isinstance(inner, ast.PayTo) and inner.who is None
    if may is not None:
        found = select.players(run, may.who, item.scope, f"{where.removesuffix('.body')}.who")
        player = found[0] if found else item.scope.controller
        able = not costs or payable(run, player, inner.cost, item.scope, f"{where}.cost", item)
        if not able or not run.yes(player, f"{run.name(item.scope.source)}: perform the ability?", rules[0]):
            _decline(run, item)
            return "return"
        item.facts["accepted"] = True
        item.scope.bindings["did"] = True
    if costs:
        item.facts["cost"] = (item.scope.ability, f"{where}.cost")
        item.facts["optional"] = True
    return None


def _used_up(run: Run, item: ChainItem, node: Any) -> bool:
    ability = run.rules.node(item.scope.ability)
    while isinstance(ability, ast.Gated):
        ability = ability.ability
    if getattr(ability, "frequency", None) != "once-each-turn":
        return False
    return bool(run.state.facts.get(f"used:{item.facts['once']}") == run.state.turn)


def _decline(run: Run, item: ChainItem) -> None:
    """402.1.a: it is removed from the chain, and has not triggered."""
    if item in run.state.chain:
        run.state.chain.remove(item)
    run.state.facts["cleanup"] = True
    run.note(
        f"{run.name(item.scope.source)}'s ability is not performed",
        ("402.1.a",),
        item.scope.controller,
        "decline",
    )


def as_played(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """355.1: choices made as the card is played: which additional costs are paid (355.1.a)."""
    item = current_item(run, frame)
    if not item.object:
        return None
    extra: list[tuple[str, str]] = []
    paid: list[str] = []
    for held, cost, optional in additional_costs(run, item):
        key = held.ability.key
        path = _cost_path(run, held)
        scope = item.scope.copy()
        scope.ability = key
        if held.ability.keyword:
            # The cost printed after the keyword takes the place of the one in the keyword's own words (820.1.c.1).
            where = keyword_cost_place(run, item.object, held)
            if where is not None:
                key, path = where
                cost = run.rules.node(key, path)
            elif isinstance(cost, ast.StatOf) or cost is None:
                continue
        if optional:
            # What it takes of resources may be reduced, even to nothing (356.4.f): that is asked of the total.
            if not _can_be_done(run, item.scope.controller, cost, scope, path):
                continue
            if not _affordable_together(run, item, [*extra, (key, path)]):
                continue
            which = f"[{held.ability.keyword.title()}]" if held.ability.keyword else cost_words(cost)
            prompt = f"Pay the additional cost of {run.name(item.object)}: {which}?"
            if not run.yes(item.scope.controller, prompt, rules[0], "additional-cost"):
                continue
        _choose_option(run, item, key, path, cost)
        extra.append((key, path))
        paid.append(held.ability.key)
    item.facts["extra"] = tuple(extra)
    item.facts["paid"] = tuple(key for key in paid)
    item.scope.bindings["paid"] = tuple(paid)
    return None


def _choose_option(run: Run, item: ChainItem, key: str, path: str, cost: Any) -> None:
    if isinstance(cost, ast.CostOptions):
        scope = item.scope
        options = [
            Option(f"cost:{i}", "choose", str(price_of(run, option, scope, f"{path}.options.{i}")), i)
            for i, option in enumerate(cost.options)
        ]
        item.facts[f"option:{key}"] = run.ask(scope.controller, "cost", "Which cost?", options, "204.2")


def _affordable_together(run: Run, item: ChainItem, extra: list[tuple[str, str]]) -> bool:
    """Tell whether an item can be paid for together with some additional costs."""
    kept: dict[str, Any] = {name: item.facts[name] for name in ("extra", "paid") if name in item.facts}
    item.facts["extra"] = tuple(extra)
    item.facts["paid"] = tuple(key for key, _ in extra)
    try:
        return affordable(run, item.scope.controller, item)
    finally:
        del item.facts["extra"], item.facts["paid"]
        item.facts.update(kept)


def _cost_path(run: Run, held: Held) -> str:
    return f"{held.ability.prefix}.cost" if held.ability.prefix else "cost"


def additional_costs(run: Run, item: ChainItem) -> list[tuple[Held, Any, bool]]:
    """Give the additional costs of playing a card: its own, and those that others put on it (356.2)."""
    found: list[tuple[Held, Any, bool]] = []
    for held in layers.abilities_of_kind(run, item.object, "cost"):
        node = held.ability.node
        if isinstance(node, ast.AdditionalCost):
            scope = run.scope_of(item.object, held)
            scope.controller = item.scope.controller
            if node.condition is not None and not select.holds(run, node.condition, scope, "condition"):
                continue
            if all(layers.gate_open(run, gate, scope) for gate in held.ability.gates):
                found.append((held, node.cost, node.optional))
    return found


def choose_place(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """355.2: choose where a permanent will enter."""
    item = current_item(run, frame)
    if not item.object:
        return None
    card = run.traits(item.object)
    if not run.rules.is_type(card.types, "permanent"):
        return None
    places = [
        at
        for at in places_to_play(run, item.object, item.scope.controller, item.facts)
        if _timely_at(run, item, at)
    ]
    if not places:
        raise IllegalPlay(f"{card.name} has no place to be played to", rules[0])
    chosen = run.pick(item.scope.controller, places, 1, 1, "Choose where it is played", rules[0], "location")
    item.facts["place"] = chosen[0]
    item.scope.bindings["place"] = chosen
    return None


def _timely_at(run: Run, item: ChainItem, at: int) -> bool:
    """355.16: a place where the card may not be played at this time is no choice."""
    from rulewright.engine.playing.options import timing_problem

    if "forced" in item.facts:
        return True
    kept = item.facts.get("place")
    item.facts["place"] = at
    try:
        return timing_problem(run, item) is None
    finally:
        if kept is None:
            del item.facts["place"]
        else:
            item.facts["place"] = kept


def can_play_somewhere(run: Run, ref: int, player: int, facts: dict[str, Any]) -> bool:
    """Tell whether a permanent has a place to be played to."""
    return bool(places_to_play(run, ref, player, facts))


def places_to_play(run: Run, ref: int, player: int, facts: dict[str, Any]) -> list[int]:
    """Give the locations where a player may play a permanent (355.2.a-b)."""
    card = run.traits(ref)
    anywhere = run.rules.is_type(card.types, "anywhere")
    if "only-at" in facts:
        # 811.1.d.1: a hidden permanent is played where it was hidden.
        found = [facts["only-at"]]
    elif "to" in facts:
        found = [at for at in facts["to"] if anywhere or at == player_ref(player) or at > 0]
        if not anywhere:
            found = [at for at in found if at < 0] or found
    elif anywhere:
        found = [player_ref(player)]
        found += [
            at for at in run.fields() if run.controller(at) == player or permitted_at(run, ref, player, at)
        ]
        found += [at for at in run.bases() if at != player_ref(player) and permitted_at(run, ref, player, at)]
    else:
        found = [player_ref(player)]
    return [at for at in dict.fromkeys(found) if may_enter(run, ref, player, at)]


def permitted_at(run: Run, ref: int, player: int, at: int) -> bool:
    """Tell whether an effect permits playing a card to a location (355.2.b)."""
    return any(True for _ in place_permits(run, ref, player, at))


def place_permits(run: Run, ref: int, player: int, at: int) -> list[layers.Active]:
    """Give the effects that permit playing a card to a location."""
    if layers.none_of(run, ast.Permit, ref):
        return []
    event = Event("play", agent=player_ref(player), object=ref, at=at, to=run.place_at(at))
    return [
        active
        for active in layers.effects(run, ast.Permit, ref)
        if active.effect.action.verb in ("play", "ambush")
        and active.effect.action.to is not None
        and not _is_source_permit(active.effect.action)
        and _permit_matches(run, active, event)
    ]


def _is_source_permit(action: ast.Action) -> bool:
    return action.source is not None


def _permit_matches(run: Run, active: layers.Active, event: Event) -> bool:
    action = active.effect.action
    plain = ast.Action("play", action.subject, action.object, to=action.to, at=action.at)
    if action.verb == "ambush" and action.object is None:
        plain = (
            ast.Action("play", None, action.subject, to=action.to)
            if not isinstance(action.subject, ast.Player)
            else ast.Action("play", action.subject, ast.Self(), to=action.to)
        )
    return select.matches(run, plain, event, active.scope, f"{active.path}.action")


def may_enter(run: Run, ref: int, player: int, at: int) -> bool:
    """Tell whether nothing forbids a card to be played to a location."""
    from rulewright.engine.events.happening import forbidden
    from rulewright.engine.playing.targets import may_be_at

    event = Event("play", agent=player_ref(player), object=ref, at=at, to=run.place_at(at))
    if not layers.none_of(run, ast.Forbid, ref) and forbidden(run, event) is not None:
        return False
    for active in () if layers.none_of(run, ast.Permit, ref) else layers.effects(run, ast.Permit, ref):
        action = active.effect.action
        if active.effect.only and action.verb == "play" and (action.to is not None or action.at is not None):
            # "Can only be played to": whoever and whatever the words name may go nowhere else.
            whole = ast.Action("play", action.subject, action.object)
            path = f"{active.path}.action"
            if select.matches(run, whole, event, active.scope, path) and not select.matches(
                run, action, event, active.scope, path
            ):
                return False
    if at > 0:
        found = run.state.objects.get(ref)
        kept = found.controller if found is not None else player
        others = {run.controller(o) for o in run.at(at) if "unit" in run.traits(o).types} - {player}
        if run.state.showdown == at and run.state.combat is not None:
            others |= set(run.state.combat) - {player}
        return len(others) < 2 and kept is not None
    return may_be_at(run, ref, at)


def prepare(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """355.3-355.5: modes, destinations and targets, by the program of the item's text; once for each execution."""
    item = current_item(run, frame)
    if not item.scope.ability:
        return None
    done = frame.local.get("prepared", -1)
    if done >= 0:
        _keep_choices(item, done)
    repeats = len([key for key in item.facts.get("paid", ()) if key.startswith("keyword:repeat")])
    if done >= repeats:
        return None
    frame.local["prepared"] = done + 1
    scope = item.scope.copy()
    if done >= 0:
        scope.bindings = {
            k: v for k, v in scope.bindings.items() if not k.startswith(("body", "ability.", "targets"))
        }
        scope.bindings.pop("targets", None)
    taken = frame.local.get("modes-taken", ())
    made = run.call(f"{item.scope.ability}>prepare{part_of(item)}", scope, f"item:{item.id}")
    made.local["item"] = item.id
    made.local["modes-taken"] = taken
    return "again"


def _keep_choices(item: ChainItem, done: int) -> None:
    targets = item.scope.bindings.get("targets", ())
    item.targets = tuple(dict.fromkeys((*item.targets, *targets)))
    kept = tuple(sorted(item.scope.bindings.items()))
    item.repeats = (*item.repeats, kept) if done > 0 else item.repeats
    if done == 0:
        item.facts["first"] = kept


def part_of(item: ChainItem) -> str:
    """Give the suffix of the programs of an item: for a part of an ability, where the part is."""
    part = item.facts.get("part", "")
    return f"@{part}" if part else ""


def determine_cost(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """356: put together what the item costs."""
    item = current_item(run, frame)
    if "first" in item.facts:
        item.scope.bindings = dict(item.facts.pop("first"))
    _ask_amounts(run, item)
    _choose_for_costs(run, item)
    price = total_price(run, item)
    item.facts["price"] = price.to_data()
    return None


def _choose_for_costs(run: Run, item: ChainItem) -> None:
    """What an additional cost is paid with is chosen before the price where the price depends on it (356.2)."""
    player = item.scope.controller
    for key, path, words in choices_in_costs(run, item):
        scope = item.scope.copy()
        scope.ability = key
        found = list(select.candidates(run, words, scope, path))
        if words.quantity.rule == "any-number":
            chosen = run.pick(
                player,
                found,
                0,
                len(found),
                "Choose what to pay with",
                "356.2",
                enough=lambda taken: can_pay_with(run, player, item, tuple(taken)),
            )
        else:
            found = [ref for ref in found if can_pay_with(run, player, item, (ref,))]
            if not found:
                raise IllegalPlay("a cost cannot be paid", "358.2")
            chosen = run.pick(player, found, 1, 1, "Choose what to pay with", "356.2")
        item.facts[f"extra:{key}"] = (*item.facts.get(f"extra:{key}", ()), (path, chosen))
        item.facts["paid-with"] = chosen


def _ask_amounts(run: Run, item: ChainItem) -> None:
    """ "Any number of buffs": how many are spent is said before the cost is known (356.2)."""
    for key, path in item.facts.get("extra", ()):
        node = run.rules.node(key, path)
        for position, part in enumerate(getattr(node, "parts", ())):
            amount = getattr(part, "amount", None)
            if isinstance(part, ast.Resource) and isinstance(amount, ast.AnyAmount):
                from rulewright.engine.playing.costs import counter_holders

                scope = item.scope.copy()
                holders = counter_holders(run, item.scope.controller, part, scope, f"{path}.parts.{position}")
                options = [Option(f"amount:{n}", "number", str(n), n) for n in range(len(holders) + 1)]
                count = int(run.ask(item.scope.controller, "number", "How many?", options, "356.2"))
                item.facts[f"extra:{key}"] = (
                    (f"{path}.parts.{position}.object.amount", count),
                    ("much", count),
                )
                item.scope.bindings["much"] = count


def pay(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """357: pay the combined energy and power, then what else there is to pay."""
    item = current_item(run, frame)
    player = item.scope.controller
    price = Price.from_data(item.facts["price"])
    if frame.local.get("paying") is None:
        if item.facts.get("optional") and not item.facts.get("accepted"):
            key, path = item.facts["cost"]
            able = payable(run, player, run.rules.node(key, path), item.scope, path, item)
            if not able or not run.yes(
                player, f"Pay for {run.name(item.scope.source)}'s ability?", "404.2", "may"
            ):
                _decline(run, item)
                return "return"
        for key, path in price.parts:
            cost = run.rules.node(key, path)
            scope = item.scope.copy()
            scope.ability = key
            if not _parts_payable(run, player, cost, scope, path):
                raise IllegalPlay("a cost cannot be paid", "358.2")
        plan = ask_plan(run, player, price, item, rules[0])
        if plan is None:
            raise IllegalPlay(f"{price} cannot be paid", "358.2")
        pay_resources(run, player, price, plan, item, item.scope.ability)
        run.state.facts["spent"] = (
            *run.state.facts.get("spent", ()),
            (player, price.energy, price.total_power, item.id),
        )
        item.facts["spent-energy"] = price.energy
        item.facts["spent-power"] = price.total_power
        frame.local["paying"] = len(price.parts)
        frame.local["parts"] = tuple(price.parts)
    left = frame.local["paying"]
    if left == 0:
        return None
    key, path = frame.local["parts"][len(frame.local["parts"]) - left]
    frame.local["paying"] = left - 1
    scope = item.scope.copy()
    scope.ability = key
    scope.bindings.update(dict(item.facts.get(f"extra:{key}", ())))
    run.call(f"{key}>cost@{path}", scope, f"item:{item.id}")
    return "again"


def _can_be_done(run: Run, player: int, cost: Any, scope: Scope, path: str) -> bool:
    if isinstance(cost, ast.CostOptions):
        return any(
            _parts_payable(run, player, option, scope, f"{path}.options.{i}")
            for i, option in enumerate(cost.options)
        )
    return _parts_payable(run, player, cost, scope, path)


def _parts_payable(run: Run, player: int, cost: Any, scope: Scope, path: str) -> bool:
    from rulewright.engine.playing.costs import _part_payable

    return all(
        _part_payable(run, player, part, scope, f"{path}.parts.{position}")
        for position, part in enumerate(getattr(cost, "parts", ()))
        if not isinstance(part, ast.Energy | ast.Power)
    )


def check_legality(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """358: the targets are legal, and the item may be played at this time."""
    from rulewright.engine.playing.options import timing_problem
    from rulewright.engine.playing.targets import still_legal

    item = current_item(run, frame)
    for path in item.targets:
        bound = item.scope.bindings.get(path)
        node = run.antecedent(item.scope, path)
        if isinstance(bound, tuple) and isinstance(node, ast.Objects):
            kept = still_legal(run, node, item.scope, path, bound)
            if len(kept) < len(bound):
                raise IllegalPlay("a chosen target is not legal", "358.1")
    if item.object and "forced" not in item.facts:
        problem = timing_problem(run, item)
        if problem is not None:
            raise IllegalPlay(problem[0], problem[1])
    if "place" in item.facts:
        places = places_to_play(run, item.object, item.scope.controller, item.facts)
        if item.facts["place"] not in places:
            raise IllegalPlay("it may no longer be played there", "358.3")
    return None


def finish(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """359.1: the item is finalized; what was chosen is targeted now (383.4.b.2)."""
    item = current_item(run, frame)
    item.finalized = True
    state = run.state
    state.snapshot = None
    state.facts["refused"] = ()
    state.facts["cleanup"] = True
    state.facts["fepr"] = True
    state.facts.pop("playing", None)
    if "once" in item.facts:
        state.facts[f"used:{item.facts['once']}"] = state.turn
    player = state.players[item.scope.controller]
    if item.object:
        # 419.4.b: whether a card "has been played" is told by its finalization.
        state.history = (*state.history, _finalized(run, item))
        player.facts["played"] = player.facts.get("played", 0) + 1
    state.touch()
    _take_next(run, item)
    run.note(
        f"{run.name(item.id)} is finalized" + _targets_text(run, item),
        rules,
        item.scope.controller,
        "finalize",
        card=run.traits(item.scope.source).card,
        ability=item.scope.ability,
    )
    chosen = [ref for ref in run.targets_of(item) if ref > 0 or ref < 0]
    if chosen:
        you = player_ref(item.scope.controller)
        events = [
            Event("choose", you, object=ref, using=item.id, rules=("383.4.b",))
            # 383.4.b: a targeting effect triggers for each time that its object is chosen.
            for ref in chosen
        ]
        happen(run, events)
    return None


def _targets_text(run: Run, item: ChainItem) -> str:
    chosen = dict.fromkeys(run.targets_of(item))
    return f", choosing {', '.join(run.name(ref) for ref in chosen)}" if chosen else ""


def _finalized(run: Run, item: ChainItem) -> Event:
    event = Event(
        "finalize",
        agent=player_ref(item.scope.controller),
        object=item.object,
        source=item.facts.get("from"),
        using=item.id,
        rules=("419.4.b",),
    )
    if "place" in item.facts:
        event.at, event.to = item.facts["place"], run.place_at(item.facts["place"])
    event.phase = run.state.phase
    event.batch = run.state.facts.get("batch", 0)
    return event


def _take_next(run: Run, item: ChainItem) -> None:
    """Effects on "the next" card are used up by, or fixed to, the first that fits."""
    kept = []
    for lasting in run.state.effects:
        if lasting.kind != "effect" or not lasting.once or lasting.affected is not None or not item.object:
            kept.append(lasting)
            continue
        effect = run.rules.node(lasting.scope.ability, lasting.node)
        what = (
            getattr(effect, "what", None)
            or getattr(effect, "source", None)
            or getattr(effect, "subject", None)
        )
        role = next(
            name
            for name in ("what", "source", "subject", "effect")
            if hasattr(effect, name) or name == "effect"
        )
        path = f"{lasting.node}.{role}"
        fits = isinstance(what, ast.Objects) and select.fits(run, item.object, what, lasting.scope, path)
        if not fits or isinstance(effect, ast.Enters):
            kept.append(lasting)
        elif not isinstance(effect, ast.CostChange):
            fixed = type(lasting)(
                lasting.id,
                lasting.kind,
                lasting.node,
                lasting.scope,
                lasting.timestamp,
                lasting.until,
                (item.object,),
                False,
                lasting.amounts,
            )
            kept.append(fixed)
    run.state.effects = tuple(kept)
    run.state.touch()


# ---------------------------------------------------------------------------------------- resolution


def resolves_at_once(run: Run, item: ChainItem) -> bool:
    """337.2: units, gear and abilities that add resources resolve as soon as they are finalized."""
    if not item.object:
        return bool(item.facts.get("adds"))
    types = run.traits(item.object).types
    return run.rules.is_type(types, "permanent")


def execute(run: Run, frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """340.1: carry out the newest finalized item: a permanent enters, instructions are executed in full."""
    done = frame.local.get("executed", 0)
    if done and _has_left(run, frame):
        # 359.3.e.15: an item that leaves the chain while it resolves has finished resolving.
        return None
    item = current_item(run, frame)
    if item.object and resolves_at_once(run, item):
        enter(run, item)
        return "return"
    if done == 0:
        run.note(
            f"{run.name(item.id)} resolves",
            rules,
            item.scope.controller,
            "resolve",
            card=run.traits(item.scope.source).card,
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
    """359.2: a permanent leaves the chain and becomes a game object at the chosen location."""
    state = run.state
    ref = item.object
    player = item.scope.controller
    at = _entry_place(run, item)
    state_word = _entry_state(run, item, ref, at)
    notes = {
        "paid": tuple(item.facts.get("paid", ())),
        "from": item.facts.get("from"),
        "played-turn": state.turn,
    }
    might = state.objects[ref].notes.get("might")
    word = state.objects[ref].notes.get("word")
    state.chain.remove(item)
    made = change_zone(run, ref, run.place_at(at), cause=item.id)
    new = state.own(made)
    new.controller = player
    new.notes["paid"] = notes["paid"]
    new.notes["played-turn"] = state.turn
    new.notes["spent-energy"] = item.facts.get("spent-energy", 0)
    if might is not None:
        new.notes["might"] = might
    if word is not None:
        new.notes["word"] = word
    if item.facts.get("only-at"):
        new.notes["from-facedown"] = item.facts["only-at"]
    if state_word:
        new.states = new.states | {state_word}
    run.contest(made)
    state.touch()
    event = Event(
        "play",
        player_ref(player),
        object=made,
        word="token" if item.facts.get("token") else "",
        source=item.facts.get("from"),
        to=run.place_at(at),
        at=at,
        using=made,
        rules=("359.2",),
    )
    state.facts["paid-for"] = item.facts.get("spent-energy", 0)
    event.replaced = item.facts.get("inherit", ())
    if item.facts.get("token"):
        # 370.1.c: whether another event stands in for it was settled before the token was made.
        event.replaced = (*event.replaced, *(r.key for r in replacements(run, event) if not r.node(run).keep))
    happen(run, [event])


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
    types = run.traits(ref).types
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
    leave_chain(run, item)
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
    for ref, found in list(run.state.objects.items()):
        if "revealed" in found.states:
            run.state.own(ref).states = found.states - {"revealed"}


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
