"""What a player may do now, computed from preconditions, and why not (338.1, 347, 349, 400, 410, 420.3, 421).

Nothing is tried out: every option listed can be begun. A refusal is a sentence with the rule that forbids it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulewright.engine.playing.chain import keyword_cost_place, put_ability, put_card
from rulewright.engine.playing.pay import use_source
from rulewright.engine.playing.permissions import (
    Refusal,
    can_play_somewhere,
    gives_permission,
    grants_now,
    has_permission,
    may_be_permitted,
    own_grants,
    permission_needed,
    place_permits,
    places_to_play,
)
from rulewright.engine.program.index import OF_ABILITIES
from rulewright.engine.query import layers, select
from rulewright.engine.query.own_words import own_keywords
from rulewright.engine.query.payment import (
    Source,
    activated,
    adds_only,
    affordable,
    can_pay,
    part_payable,
    payable,
    purse_of,
    sources,
)
from rulewright.engine.query.possible import changes, facedown_limit, forbidden
from rulewright.engine.query.price import (
    Price,
    additional_costs,
    costs_as_printed,
    keywords_given,
    may_be_cheaper,
    own_changes,
    price_of,
    printed_price,
    total_price,
)
from rulewright.engine.query.reads import forbidden_as
from rulewright.engine.query.select import bounds
from rulewright.engine.query.targets import has_options, may_be_at, mode_possible, options_for
from rulewright.engine.state.objects import NOBODY, ChainItem, Event, Frame, Option, Scope, player_ref
from rulewright.engine.state.traits import Held
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def legal_options(run: "Run", player: int, window: str) -> list[Option]:
    """Give what a player may begin in a window: ``action`` (316.5), ``focus`` (347) or ``priority`` (338).

    ``invited`` is that of a teammate whom the turn player has invited to act: spells and abilities (489.8.a).
    """
    run.counters["options"] += 1
    found: list[Option] = []
    found += play_options(run, player, window)
    found += use_options(run, player, window)
    found += add_options(run, player)
    if window == "action":
        found += hide_options(run, player)
        found += move_options(run, player)
        found += _invitations(run, player)
    elif window == "invited":
        found = [option for option in found if option.kind != "play" or not run.is_permanent(option.ref)]
    refused = run.state.facts.get("refused", ())
    return [option for option in found if option.id not in refused]


def _invitations(run: "Run", player: int) -> list[Option]:
    """316.5.b.1: a teammate may be invited to act; who has declined is not asked again while nothing happens."""
    if "teams" not in run.state.facts:
        return []
    declined = run.state.facts.get("declined", ())
    mates = [mate for mate in run.team(player) if mate != player and not run.is_out(mate)]
    return [
        Option(
            f"invite:{mate}",
            "invite",
            f"invite {run.name(player_ref(mate))}",
            ("invite", mate),
            rule="489.8.a",
        )
        for mate in mates
        if (mate, len(run.state.history)) not in declined
    ]


def act_on(run: "Run", frame: Frame, player: int, answer: Any) -> None:
    """Begin what a player has decided on."""
    kind = answer[0]
    run.refusal = None
    if kind in ("play", "use"):
        _remember(run, f"{kind}:{answer[1]}" + (f":{answer[2]}" if kind == "use" else ""))
    if kind == "play":
        facts = dict(answer[2]) if len(answer) > 2 else {}
        put_card(run, answer[1], player, facts)
    elif kind == "use":
        put_ability(run, answer[1], held_of(run, answer[1], answer[2]), player)
    elif kind == "add":
        use_source(run, player, answer[1], answer[2])
    elif kind == "hide":
        _hide(run, player, answer[1], answer[2])
    elif kind == "invite":
        run.call("kernel:invited", Scope(answer[1], NOBODY, ""))
    elif kind == "move":
        run.call(
            "kernel:standard-move",
            Scope(player, answer[1], ""),
            local={"units": (answer[1],), "to": answer[2]},
        )


def _remember(run: "Run", key: str) -> None:
    """Keep the state from before a play, so that an illegal one can be undone whole (358.5)."""
    state = run.state
    state.snapshot = None
    run.log_mark = len(run.log)
    answers, decision = state.frames[-1].answers, state.decision
    state.frames[-1].answers, state.decision = [], None
    kept = state.copy()
    run.counters["copies"] += 1
    kept.facts["playing"] = key
    state.frames[-1].answers, state.decision = answers, decision
    state.snapshot = kept


# --------------------------------------------------------------------------------------------- timing


# --------------------------------------------------------------------------------------------- playing


def play_options(run: "Run", player: int, window: str) -> list[Option]:
    """Give the cards that may be played now, equal ones once."""
    found: list[Option] = []
    needed = permission_needed(run, player)
    refs = playable_places(run, player)
    if needed:
        # While there is a chain or a showdown, most of a hand is left out here.
        refs = [ref for ref in refs if may_be_permitted(run, ref, needed)]
    for ref in run.distinct(refs):
        paid = _paid_as_printed(run, player, ref)
        if paid is not False and why_not_play(run, player, ref, told=False, paid=bool(paid)) is None:
            found.append(Option(f"play:{ref}", "play", f"play {run.name(ref)}", ("play", ref), ref, "349"))
    for ref, facts, words in permitted_plays(run, player):
        if why_not_play(run, player, ref, facts, told=False) is None:
            found.append(
                Option(
                    f"play:{ref}:{words}",
                    "play",
                    f"play {run.name(ref)} {words}",
                    ("play", ref, tuple(facts.items())),
                    ref,
                    "366.1",
                )
            )
    return found


def _paid_as_printed(run: "Run", player: int, ref: int) -> bool | None:
    """Tell at a glance whether a card can be paid for as it is printed; nothing where more has to be looked at."""
    if "facedown" in run.state.objects[ref].states:
        return None
    price, purse = printed_price(run, ref), purse_of(run, player)
    if not purse.covers(price):
        return None if may_be_cheaper(run, ref) else False
    return True if purse.tells(price) and costs_as_printed(run, ref) else None


def playable_places(run: "Run", player: int) -> list[int]:
    """Give the cards that a player may play by default: from hand and champion zone (419.1.a), or facedown."""
    found: list[int] = []
    for zone in run.rules.terms.get("play-from", ()):
        found.extend(run.state.zone(zone, player_ref(player)))
    everything, faceup = run.board(facedown=True), run.board()
    if len(everything) > len(faceup):
        found += [ref for ref in everything if _is_playable_facedown(run, player, ref)]
    return found


def _is_playable_facedown(run: "Run", player: int, ref: int) -> bool:
    """811.1.b: a hidden card can be played from the next turn on."""
    card = run.state.objects[ref]
    return (
        "facedown" in card.states
        and card.controller == player
        and card.notes.get("hidden-turn", 0) < run.state.turn
    )


def permitted_plays(run: "Run", player: int) -> list[tuple[int, dict[str, Any], str]]:
    """Give the cards that effects let a player play from elsewhere, or at another price, with the facts of the play."""
    found: list[tuple[int, dict[str, Any], str]] = []
    objects = run.state.objects
    you = player_ref(player)
    for zone in run.rules.hands:
        for ref in run.state.zone(zone, you):
            card = objects[ref]
            if not (card.script or run.script_of(card)).permits:
                continue
            for active in _own_permits(run, ref):
                facts = _permit_facts(run, active, ref, player)
                if facts is not None:
                    found.append((ref, facts, f"by permission {active.path}"))
    for active in layers.effects(run, ast.Permit, verb="play"):
        found += _lasting_plays(run, active, player)
    return found


def _own_permits(run: "Run", ref: int) -> list[layers.Active]:
    return list(layers.specific_effects(run, ref, (ast.Permit, "play")))


def _permit_facts(run: "Run", active: layers.Active, ref: int, player: int) -> dict[str, Any] | None:
    action = active.effect.action
    if not isinstance(action.object, ast.Self):
        return None
    who = action.subject
    if isinstance(who, ast.Player) and player not in select.players(
        run, who, active.scope, f"{active.path}.action.subject"
    ):
        return None
    found = run.state.objects[ref]
    if isinstance(action.source, ast.Zone):
        lies = (found.zone, found.at)
        if not select.is_zone(run, action.source, lies, active.scope, f"{active.path}.action.source"):
            return None
    elif (active.effect.cost is None and action.cost is None) or found.zone not in run.rules.terms.get(
        "play-from", ()
    ):
        return None
    facts: dict[str, Any] = {"permit": True}
    cost = active.effect.cost or action.cost
    where = f"{active.path}.cost" if active.effect.cost is not None else f"{active.path}.action.cost"
    if isinstance(cost, ast.Cost):
        facts["instead"] = price_of(run, cost, active.scope, where).to_data()
    elif isinstance(cost, ast.CostChange):
        if cost.change == "ignore":
            facts["ignore"] = (cost.part,)
        elif cost.cost is not None:
            facts["instead" if cost.change == "becomes" else "less"] = (
                price_of(run, cost.cost, active.scope, f"{where}.cost").to_data()
                if cost.change == "becomes"
                else (price_of(run, cost.cost, active.scope, f"{where}.cost").to_data(),)
            )
    if run.rules.has_keyword_cost(active.scope.bindings.get("keyword", "")):
        # "For [0]": there the cost stands that is printed after the keyword.
        place = None if cost is None else keyword_cost_place(run, ref, Held(_ability(run, active)))
        if place is not None:
            scope = Scope(player, ref, place[0])
            facts["instead"] = price_of(run, run.rules.node(*place), scope, place[1]).to_data()
        facts["then"] = run.rules.term("flow-zone")
    return facts


def _ability(run: "Run", active: layers.Active) -> Any:
    for held in layers.own_abilities(run, active.scope.source):
        if held.ability.key == active.scope.ability:
            return held.ability
    return None


def _lasting_plays(run: "Run", active: layers.Active, player: int) -> list[tuple[int, dict[str, Any], str]]:
    """ "You may play a gear from hand this turn, ignoring its Energy cost", once an effect has said so."""
    action = active.effect.action
    if not active.lasting or action.to is not None:
        return []
    if isinstance(action.subject, ast.Player):
        if player not in select.players(run, action.subject, active.scope, f"{active.path}.action.subject"):
            return []
    elif active.scope.controller != player:
        return []
    found = []
    path = f"{active.path}.action.object"
    refs: Iterable[int]
    if isinstance(action.object, ast.Objects) and path not in active.scope.bindings:
        # "Play a gear from your hand": the place that is named is where it is looked for.
        named = (ast.From(action.source),) if isinstance(action.source, ast.Zone) else ()
        words = replace(action.object, filters=(*action.object.filters, *named))
        refs = select.candidates(run, words, active.scope, path)
    else:
        refs = select.refs(run, action.object, active.scope, path)
    for ref in refs:
        now = run.current(ref, active.scope)
        if now not in run.state.objects or run.rules.zones[run.state.objects[now].zone].board:
            continue
        facts: dict[str, Any] = {"permit": True, "lasting": active.lasting}
        cost = action.cost or active.effect.cost
        where = f"{active.path}.action.cost" if action.cost is not None else f"{active.path}.cost"
        if isinstance(cost, ast.CostChange) and cost.change == "ignore":
            facts["ignore"] = (cost.part,)
        elif isinstance(cost, ast.Cost):
            facts["instead"] = price_of(run, cost, active.scope, where).to_data()
        found.append((now, facts, f"by effect {active.lasting}"))
    return found


def why_not_play(
    run: "Run",
    player: int,
    ref: int,
    facts: dict[str, Any] | None = None,
    told: bool = True,
    paid: bool = False,
) -> Refusal | None:
    """Say why a player may not begin to play a card now; nothing where they may.

    Where it is not ``told`` to anybody, a price that cannot be paid is not put into words; where it is known that it
    can be ``paid``, it is not asked for.
    """
    card = run.state.objects[ref]
    facts = facts or {}
    facedown = "facedown" in card.states
    if not run.rules.is_type(run.printed(ref).types, "played"):
        return f"{run.name(ref)} is of a type that is not played", "419.1"
    needed = permission_needed(run, player)
    if needed and not facedown and not _is_permitted(run, player, ref, needed, facts):
        return "only what has " + " or ".join(
            needed
        ) + " can be played now", "309.1.a" if run.state.chain else "308.1.a"
    if facedown:
        # 421.4: a facedown card that changes zones is revealed; what can't be revealed stays where it is.
        stopped = forbidden(run, Event("reveal", player_ref(player), object=ref, at=card.at))
        if stopped is not None:
            return f"{run.name(stopped.scope.source)} forbids revealing it", "421.4"
        facts = {**facts, "only-at": card.at, "ignore": ("cost",)}
    return why_not_card(run, player, ref, facts, told, paid)


def _is_permitted(run: "Run", player: int, ref: int, names: tuple[str, ...], facts: dict[str, Any]) -> bool:
    return (
        has_permission(run, ref, names)
        or _ambushes(run, ref, player)
        or _permitted_by_choosing(run, player, ref, names, facts)
    )


def _permitted_by_choosing(
    run: "Run", player: int, ref: int, names: tuple[str, ...], facts: dict[str, Any]
) -> bool:
    """806.4.a: a permission that depends on what is chosen counts if that can be chosen."""
    grants = own_grants(run, ref, names)
    if not grants:
        return False
    item = probe(run, player, ref, facts)
    run.probe = item
    try:
        return any(grants_now(run, ref, grant) for _ in _single_choices(run, item) for grant in grants)
    finally:
        run.probe = None


def _single_choices(run: "Run", item: ChainItem) -> Iterator[int]:
    """Let an item choose each thing that it may choose, one after the other."""
    program = run.rules.program(f"{item.scope.ability}>prepare") if item.scope.ability else None
    for operation in program.ops if program is not None else ():
        if operation.code == "target" and isinstance(operation.node, ast.Objects):
            for ref in options_for(run, operation.node, item.scope, operation.path):
                item.scope.bindings[operation.path], item.targets = (ref,), (operation.path,)
                yield ref
                del item.scope.bindings[operation.path]


def _ambushes(run: "Run", ref: int, player: int) -> bool:
    """806.4.a: a permission that depends on where it is played counts if such a place can be chosen."""
    if layers.none_of(run, ast.Permit, ref, "play", "ambush") or not any(
        gives_permission(run, active)
        for verb in ("play", "ambush")
        for active in layers.effects(run, ast.Permit, ref, verb)
    ):
        return False
    return any(
        any(gives_permission(run, active) for active in place_permits(run, ref, player, at))
        for at in places_to_play(run, ref, player, {})
        if at > 0
    )


def why_not_card(
    run: "Run", player: int, ref: int, facts: dict[str, Any], told: bool = True, paid: bool = False
) -> Refusal | None:
    """Say why a card cannot be played, timing apart: it is forbidden, unaffordable, or has no legal choices."""
    event = Event(
        "play",
        agent=player_ref(player),
        object=ref,
        source=(run.state.objects[ref].zone, run.state.objects[ref].at),
    )
    stopped = forbidden(run, event)
    if stopped is not None:
        return f"{run.name(stopped.scope.source)} forbids it", "002"
    item = probe(run, player, ref, facts)
    if not paid and not can_afford(run, player, item):
        return f"{total_price(run, item) if told else 'the price'} cannot be paid", "419.2.a"
    if run.is_permanent(ref):
        if not can_play_somewhere(run, ref, player, facts):
            return "there is no place where it may be played", "355.2.a"
    elif not has_targets(run, item):
        return "there are not enough legal targets", "355.8"
    return None


def probe(run: "Run", player: int, ref: int, facts: dict[str, Any]) -> ChainItem:
    """Make an item as it would be on the chain, to ask about its price and targets."""
    scope = Scope(player, ref, "", ref)
    spell = run.script_of(run.state.objects[ref]).spell
    if spell is not None:
        scope.ability = spell.key
    if "only-at" in facts:
        scope.bindings["only-at"] = facts["only-at"]
    item = ChainItem(ref, "card", ref, scope)
    item.facts.update(facts)
    item.facts.setdefault("from", (run.state.objects[ref].zone, run.state.objects[ref].at))
    return item


def can_afford(run: "Run", player: int, item: ChainItem) -> bool:
    """Tell whether a player can pay for an item, one way or another."""
    # 354: its price is determined when the card has left its zone, and no longer counts itself there.
    run.lifted = item.object
    try:
        return _affordable(run, player, item)
    finally:
        run.lifted = NOBODY


def _affordable(run: "Run", player: int, item: ChainItem) -> bool:
    for held, cost, optional in additional_costs(run, item):
        if not optional:
            scope = item.scope.copy()
            scope.ability = held.ability.key
            path = f"{held.ability.prefix}.cost" if held.ability.prefix else "cost"
            if not payable(run, player, cost, scope, path, item):
                return False
    if affordable(run, player, item) or _payable_by_choice(run, player, item):
        return True
    return _cheaper_if_paid(run, player, item)


def _cheaper_if_paid(run: "Run", player: int, item: ChainItem) -> bool:
    """An optional additional cost may reduce the price enough (356.2.b.1)."""
    extra: list[tuple[str, str]] = []
    for held, cost, optional in additional_costs(run, item):
        path = f"{held.ability.prefix}.cost" if held.ability.prefix else "cost"
        scope = item.scope.copy()
        scope.ability = held.ability.key
        if optional and held.ability.keyword == "" and payable(run, player, cost, scope, path, item):
            extra.append((held.ability.key, path))
    if not extra:
        return False
    item.scope.bindings["paid"] = True
    run.probe = item
    try:
        with item.supposing({"extra": tuple(extra), "paid": tuple(key for key, _ in extra)}):
            return affordable(run, player, item)
    finally:
        run.probe = None
        del item.scope.bindings["paid"]


def has_targets(run: "Run", item: ChainItem) -> bool:
    """Tell whether every target that an item's text demands has a legal choice (355.8)."""
    if not item.scope.ability:
        return True
    part = item.facts.get("part", "")
    key = f"{item.scope.ability}>prepare" + (f"@{part}" if part else "")
    ops = run.rules.program(key).ops
    position = 0
    while position < len(ops):
        op = ops[position]
        if op.code in ("test", "gate", "modes"):
            # What is behind a condition or a mode is not demanded of every play.
            if op.code == "modes":
                return _any_mode(run, item, op)
            position = op.jump
            continue
        if op.code == "jump":
            position = op.jump
            continue
        if op.code == "target" and not _enough(run, item, op.node, op.path):
            return False
        position += 1
    return True


def _any_mode(run: "Run", item: ChainItem, op: Any) -> bool:

    return any(
        mode_possible(run, mode, item.scope, f"{op.path}.modes.{position}")
        for position, mode in enumerate(op.node.modes)
    )


def _enough(run: "Run", item: ChainItem, node: Any, path: str) -> bool:
    if isinstance(node, ast.Player):
        return bool(select.players(run, node, item.scope, ""))
    if isinstance(node, ast.Group):
        return any(_enough(run, item, part, f"{path}.parts.{i}") for i, part in enumerate(node.parts))
    low, _ = bounds(run, node, item.scope, path)
    return has_options(run, low, node, item.scope, path, item)


# --------------------------------------------------------------------------------------------- abilities


def use_options(run: "Run", player: int, window: str) -> list[Option]:
    """Give the activated abilities that may be used now, other than those that only add resources."""
    found: list[Option] = []
    counts: dict[tuple[int, str], int] = {}
    objects = run.state.objects
    needed = permission_needed(run, player)
    for ref, held in _used(run):
        if objects[ref].controller != player:
            continue
        key = held.ability.key
        before = counts.get((ref, key), 0)
        counts[ref, key] = before + 1
        if needed and not _is_timely(run, ref, held, needed):
            continue
        if why_not_use(run, player, ref, held) is None:
            # 818.4, 827.3: of a keyword that the object has several times, each is an ability of its own.
            which = f"{key}~{before}" if before else key
            found.append(
                Option(
                    f"use:{ref}:{which}",
                    "use",
                    f"use {run.name(ref)}: {ability_words(run, held)}",
                    ("use", ref, which),
                    ref,
                    "376",
                )
            )
    return found


def _is_timely(run: "Run", ref: int, held: Held, needed: tuple[str, ...]) -> bool:
    """Tell whether an ability has one of some permissive keywords, printed, by its own words or by an effect."""
    if any(gate.name.casefold() in needed for gate in held.ability.gates):
        return True
    told = getattr((held.ability.told or held.ability).node, "effects", ())
    if not told and not layers.effects(run, ast.Modify, verb=OF_ABILITIES):
        return False
    item = _planned(run, ref, held, run.scope_of(ref, held))[0]
    before, run.probe = run.probe, item
    try:
        words = (*own_keywords(run, item), *keywords_given(run, item))
    finally:
        run.probe = before
    return any(word.name.casefold() in needed for word in words)


def _used(run: "Run") -> list[tuple[int, Held]]:
    """Give the activated abilities that do more than to add resources, for as long as there are the same abilities."""
    abilities = activated(run)
    if run.used[0] is not abilities:
        used: list[tuple[int, Held]] = []
        for ref, owned in abilities:
            kept = run.uses_of.get(ref)
            if kept is None or kept[0] is not owned:
                uses = [(ref, held) for held in owned if not _is_plain_source(run, held)]
                kept = run.uses_of[ref] = (owned, uses)
            used += kept[1]
        run.used = (abilities, used)
    return run.used[1]


def _is_plain_source(run: "Run", held: Held) -> bool:
    """Tell whether an ability only adds resources at its own object's expense, so that plans use it."""
    known = run.rules.plain_sources.get(held.ability.key)
    if known is None:
        node = held.ability.node
        known = isinstance(node, ast.ActivatedAbility) and adds_only(node.body) and not _needs_more(node.cost)
        run.rules.plain_sources[held.ability.key] = known
    return known


def _needs_more(cost: ast.Cost) -> bool:
    return any(not isinstance(part, ast.ExhaustThis) and not _on_itself(part) for part in cost.parts)


def _on_itself(part: Any) -> bool:
    return isinstance(part, ast.Action) and isinstance(part.object, ast.Self)


def ability_words(run: "Run", held: Held) -> str:
    """Say which ability it is, for an option."""
    node = held.ability.node
    body = getattr(node, "body", None)
    steps = body.steps if isinstance(body, ast.Sequence) else (body,)
    return ", ".join(str(getattr(step, "verb", type(step).__name__.lower())) for step in steps)


def held_of(run: "Run", ref: int, key: str) -> Held:
    """Give an object's ability by its key; the second and later ones of the same key are counted from 1."""
    key, _, before = key.partition("~")
    same = [held for held in layers.own_abilities(run, ref) if held.ability.key == key]
    return same[int(before or 0)]


def why_not_use(run: "Run", player: int, ref: int, held: Held) -> Refusal | None:
    """Say why a player may not use an activated ability now."""
    node = held.ability.node
    assert isinstance(node, ast.ActivatedAbility)
    scope = run.scope_of(ref, held)
    needed = permission_needed(run, player)
    if needed and not _is_timely(run, ref, held, needed):
        names = {gate.name.casefold() for gate in held.ability.gates}
        # 381 is of abilities with no permission; one that has another is told of the state that asks for more.
        permits = {name for row in run.rules.table("timing", {}).values() for name in row}
        rule = ("309.1.a" if run.state.chain else "308.1.a") if names & permits else "381"
        return "only abilities with " + " or ".join(needed) + " can be used now", rule
    if not all(layers.gate_open(run, gate, scope) for gate in held.ability.gates):
        return "the ability is inactive", "727.1.b"
    if not _own_limit_allows(run, ref, held):
        return "its condition does not hold", "377.2.b"
    if _is_used_up(run, ref, held):
        return "it has been used this turn", "377.2.b"
    if not _limits_allow(run, ref, scope):
        return "the card limits the use of its abilities", "377.2.b"
    if held.ability.keyword == "empower" and not changes(run, Event("empower", object=ref)):
        return "it is empowered already", "827.1.c.1"
    item, cost, where, cost_scope = _planned(run, ref, held, scope)
    if not _cost_met(run, player, item, cost, cost_scope, where):
        exhausts = any(isinstance(part, ast.ExhaustThis) for part in getattr(cost, "parts", ()))
        if exhausts and "exhausted" in run.state.objects[ref].states:
            return "it is exhausted already", "414.4"
        return "its cost cannot be paid", "404"
    item.facts["part"] = ""
    if not has_targets(run, item):
        return "there are not enough legal targets", "402.3"
    return None


def _planned(run: "Run", ref: int, held: Held, scope: Scope) -> tuple[ChainItem, Any, str, Scope]:
    """Give an ability as the item it would be, with its cost, where that is written, and for whom it is read."""
    item = ChainItem(NOBODY, "activated", NOBODY, scope)
    item.facts["sort"] = held.ability.keyword or "activated"
    place = keyword_cost_place(run, ref, held) if held.ability.keyword else None
    if place is None:
        where = f"{held.ability.path}cost"
        item.facts["cost"] = (held.ability.key, where)
        assert isinstance(held.ability.node, ast.ActivatedAbility)
        return item, held.ability.node.cost, where, scope
    item.facts["cost"] = place
    cost_scope = scope.copy()
    cost_scope.ability = place[0]
    return item, run.rules.node(*place), place[1], cost_scope


def _own_limit_allows(run: "Run", ref: int, held: Held) -> bool:
    """Tell whether "use only while ..." holds, said of the ability or of the keyword that it comes from (818.1.c.5)."""
    for ability in (held.ability, held.ability.told):
        condition = getattr(ability.node, "restriction", None) if ability is not None else None
        if ability is not None and condition is not None:
            scope = run.scope_of(ref, Held(ability, held.this, held.bindings))
            if not select.holds(run, condition, scope, f"{ability.path}restriction"):
                return False
    return True


def _is_used_up(run: "Run", ref: int, held: Held) -> bool:
    """Tell whether an ability that may be used once each turn has been used."""
    limited = held.ability.told or held.ability
    often = getattr(limited.node, "frequency", None) or getattr(held.ability.node, "frequency", None)
    return often is not None and run.state.facts.get(f"used:{ref}:{limited.key}") == run.state.turn


def _cost_met(run: "Run", player: int, item: ChainItem, cost: Any, scope: Scope, path: str) -> bool:

    if isinstance(cost, ast.CostOptions):
        return any(
            _cost_met(run, player, item, o, scope, f"{path}.options.{i}") for i, o in enumerate(cost.options)
        )
    parts = getattr(cost, "parts", ())
    if any(isinstance(part, ast.ExhaustThis) for part in parts):
        item.facts["exhausts"] = (scope.source,)
    price = _price_for(run, item, cost, scope, path)
    if not can_pay(run, player, price, item) and not _payable_by_choice(run, player, item):
        return False
    return all(part_payable(run, player, part, scope, f"{path}.parts.{i}") for i, part in enumerate(parts))


def _payable_by_choice(run: "Run", player: int, item: ChainItem) -> bool:
    """Tell whether an item that costs less by what it chooses can be paid for with some choice (356.4, 818.1.c.4)."""
    if not item.scope.ability or not _cheaper_by_choice(run, item):
        return False
    trial, before = item.copy(), run.probe
    trial.targets = ("would-choose",)
    choices = [
        ref
        for operation in run.rules.program(f"{item.scope.ability}>prepare").ops
        if operation.code == "target" and isinstance(operation.node, ast.Objects)
        for ref in options_for(run, operation.node, item.scope, operation.path)
    ]
    run.probe = trial
    try:
        for ref in choices:
            trial.scope.bindings["would-choose"] = (ref,)
            if affordable(run, player, trial):
                return True
    finally:
        run.probe = before
    return False


def _cheaper_by_choice(run: "Run", item: ChainItem) -> bool:
    if not item.object and any(isinstance(one.effect.cost, ast.StatOf) for one in own_changes(run, item)):
        return True
    if item.object and any(_asks_for_choice(held) for held in layers.own_abilities(run, item.object)):
        return True
    return any(
        active.effect.change == "less"
        and any(isinstance(part, ast.Chooses) for part in getattr(active.effect.what, "filters", ()))
        for active in layers.effects(run, ast.CostChange, item.object)
    )


def _asks_for_choice(held: Held) -> bool:
    """ "If you chose a Poro, this costs [2] less": whether that is so is not known before something is chosen."""
    node = held.ability.node
    condition = node.condition if isinstance(node, ast.PassiveAbility) else None
    action = condition.event.action if isinstance(condition, ast.Happened) else None
    return (
        isinstance(node, ast.PassiveAbility)
        and isinstance(action, ast.Action)
        and action.verb == "choose"
        and any(isinstance(effect, ast.CostChange) for effect in node.effects)
    )


def _price_for(run: "Run", item: ChainItem, cost: Any, scope: Scope, path: str) -> Price:
    try:
        return total_price(run, item)
    except KeyError:
        return price_of(run, cost, scope, path)


def _limits_allow(run: "Run", ref: int, scope: Scope) -> bool:
    for other in run.traits(ref).abilities:
        node = other.ability.node
        if isinstance(node, ast.UseLimit) and node.condition is not None:
            inner = scope.copy()
            inner.ability = other.ability.key
            if not select.holds(run, node.condition, inner, "condition"):
                return False
    return True


def add_options(run: "Run", player: int) -> list[Option]:
    """Give the abilities that add resources which may be used now (429)."""
    if run.state.priority != player and permission_needed(run, player):
        return []
    seen: set[Any] = set()
    found: list[Option] = []
    for source in sources(run, player):
        card = run.state.objects[source.ref]
        likeness = (card.card, source.held.ability.key, card.states)
        if likeness in seen:
            continue
        seen.add(likeness)
        if source.option is None:
            source.option = _add_option(run, source)
        found.append(source.option)
    return found


def _add_option(run: "Run", source: Source) -> Option:
    what = "".join(([f"[{source.energy}]"] if source.energy else []) + [f"[{d}]" for d in source.power])
    key = source.held.ability.key
    return Option(
        f"add:{source.ref}:{key}",
        "add",
        f"add {what}: {source.spends} {run.name(source.ref)}",
        ("add", source.ref, key),
        source.ref,
        "429",
    )


# ------------------------------------------------------------------------------------------------ hiding


def hide_options(run: "Run", player: int) -> list[Option]:
    """Give the cards that may be hidden, and where (421, 811.1.b)."""
    found: list[Option] = []
    row = run.rules.table("hiding", {})
    if not row:
        return found
    for zone in row["from"]:
        hidden = (
            ref
            for ref in run.state.zone(zone, player_ref(player))
            if row["keyword"] in run.traits(ref).keywords
        )
        for ref in run.distinct(hidden):
            price = hide_price(run, player, ref)
            if price is None or not can_pay(run, player, price):
                continue
            for at in run.fields():
                if run.controller(at) == player and room_facedown(run, at):
                    found.append(
                        Option(
                            f"hide:{ref}>{at}",
                            "hide",
                            f"hide {run.name(ref)} at {run.name(at)}",
                            ("hide", ref, at),
                            ref,
                            "421",
                        )
                    )
    return found


def hide_price(run: "Run", player: int, ref: int) -> Price | None:
    """Give what hiding costs a player now: the least of what the rules and effects ask for."""
    row = run.rules.table("hiding")
    price = Price(int(row.get("energy", 0)), dict(row.get("power", {})))
    for active in layers.effects(run, ast.Permit, verb="hide"):
        action = active.effect.action
        event = Event("hide", player_ref(player), object=ref)
        plain = ast.Action("hide", action.subject, action.object)
        if not select.matches(run, plain, event, active.scope, f"{active.path}.action"):
            continue
        cost = active.effect.cost or action.cost
        where = f"{active.path}.cost" if active.effect.cost is not None else f"{active.path}.action.cost"
        if isinstance(cost, ast.Cost) and _is_asked(run, active, price):
            other = price_of(run, cost, active.scope, where)
            if not can_pay(run, player, price) or other.total_power < price.total_power:
                price = other if can_pay(run, player, other) else price
        elif isinstance(cost, ast.CostChange) and cost.change == "ignore":
            price = Price()
    return price


def _is_asked(run: "Run", active: layers.Active, price: Price) -> bool:
    """ "Instead of [A]": a cost may be paid for another where that other is what is asked for."""
    for_what = active.effect.instead_of
    return (
        for_what is not None
        and price_of(run, for_what, active.scope, f"{active.path}.instead_of").to_data() == price.to_data()
    )


def room_facedown(run: "Run", at: int) -> bool:
    """Tell whether a battlefield's facedown zone has room for another card (107.3.b)."""
    return len(run.state.zone(run.facedown_zone(), at)) < facedown_limit(run, at)


def _hide(run: "Run", player: int, ref: int, at: int) -> None:
    run.call("kernel:hide-card", Scope(player, ref, ""), local={"card": ref, "at": at})


# ------------------------------------------------------------------------------------------ standard move


def move_options(run: "Run", player: int) -> list[Option]:
    """Give the standard moves: a ready unit and a destination; more units may join (144)."""
    found: list[Option] = []
    objects = run.state.objects
    for ref in run.board():
        card = objects[ref]
        if card.controller != player or "exhausted" in card.states or card.attached_to or not run.fights(ref):
            continue
        who = run.name(ref)
        for at in move_destinations(run, ref):
            words = f"move {who} to {run.name(at) if at > 0 else 'base'}"
            found.append(Option(f"move:{ref}>{at}", "move", words, ("move", ref, at), ref, "144"))
    return found


def move_destinations(run: "Run", ref: int) -> list[int]:
    """Give where a unit may move with its standard move (144.4)."""
    if not run.rules.field:
        return []
    home = player_ref(run.state.objects[ref].controller)
    return [at for at in (*run.fields(), home) if may_move(run, ref, at)]


def may_move(run: "Run", ref: int, at: int) -> bool:
    """Tell whether a unit may move to a location with its standard move (144.4)."""
    card = run.state.objects[ref]
    if "exhausted" in card.states:
        return False
    here = run.location(ref)
    # 144.4.a-c: from a battlefield to its base; to another battlefield only with a permission such as Ganking.
    if at == here or (here <= 0 and at < 0) or (here > 0 and at > 0 and not _gank(run, ref, at)):
        return False
    return why_not_move(run, ref, at) is None


def _standard_move(run: "Run", ref: int, at: int) -> Event:
    """Give the event that a unit's standard move to a location would be."""
    return Event(
        "move",
        player_ref(run.controller(ref)),
        object=ref,
        at=at,
        to=run.place_at(at),
        source=run.place_at(run.location(ref)),
    )


def _gank(run: "Run", ref: int, at: int) -> bool:
    permits = layers.effects(run, ast.Permit, ref, "move")
    if not permits:
        return False
    event = _standard_move(run, ref, at)
    return any(
        select.matches(run, active.effect.action, event, active.scope, f"{active.path}.action")
        for active in permits
    )


def why_not_move(run: "Run", ref: int, at: int) -> Refusal | None:
    """Say why a unit may not move to a location with its standard move."""
    if not may_be_at(run, ref, at):
        return "units of two other players are there", "144.4.a.1"
    stopped = forbidden(run, _standard_move(run, ref, at)) if forbidden_as(run, "move") else None
    if stopped is not None:
        return f"{run.name(stopped.scope.source)} forbids it", "002"
    return None
