"""Finalizing: the six steps that make a pending item one that can resolve (353-358, 402-404)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import happen
from rulewright.engine.playing.chain import current_item, keyword_cost_place, part_of
from rulewright.engine.playing.pay import ask_plan, pay_resources
from rulewright.engine.playing.permissions import places_to_play, timing_problem
from rulewright.engine.playing.wording import cost_words
from rulewright.engine.program.compile import body_of, leading_may, walk
from rulewright.engine.query import select
from rulewright.engine.query.payment import (
    affordable,
    can_pay,
    can_pay_with,
    counters_in_costs,
    part_payable,
    payable,
)
from rulewright.engine.query.price import (
    Price,
    additional_costs,
    choices_in_costs,
    cost_path,
    open_changes,
    price_of,
    total_price,
)
from rulewright.engine.query.reads import reads
from rulewright.engine.query.targets import still_legal
from rulewright.engine.run import IllegalPlay
from rulewright.engine.state.objects import NOBODY, ChainItem, Event, Frame, Option, Scope, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def accept(run: "Run", frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
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
    _pick_instance(run, item)
    inner, where, may = leading_may(node, path)
    costs = isinstance(inner, ast.PayTo) and _is_its_own(run, item, inner.who, f"{where}.who")
    if may is not None:
        found = select.players(run, may.who, item.scope, f"{where.removesuffix('.body')}.who")
        able = found and (not costs or payable(run, found[0], inner.cost, item.scope, f"{where}.cost", item))
        if not able or not run.yes(
            found[0], f"{run.name(item.scope.source)}: perform the ability?", rules[0]
        ):
            _decline(run, item)
            return "return"
        item.facts["accepted"] = True
        item.scope.bindings["did"] = True
        if isinstance(inner, ast.PayTo) and not costs:
            # Another player pays on resolution, and is not asked twice.
            item.facts["agreed"] = where
    if costs:
        item.facts["cost"] = (item.scope.ability, f"{where}.cost")
        item.facts["optional"] = True
    return None


def _is_its_own(run: "Run", item: ChainItem, who: Any, path: str) -> bool:
    """383.3.b: tell whether a cost that begins an effect is paid by the player who controls the ability."""
    return who is None or select.players(run, who, item.scope, path)[:1] == (item.scope.controller,)


def _pick_instance(run: "Run", item: ChainItem) -> None:
    """383.1.b: of several events at once that each were the Nth time, the controller picks the one meant."""
    instances = item.scope.bindings.get("instances", ())
    if instances and _speaks_of_event(run.rules.node(item.scope.ability)):
        options = [
            Option(f"instance:{at}", "choose", _named_instance(run, dict(about)), at, rule="383.1.b")
            for at, about in enumerate(instances)
        ]
        chosen = run.ask(item.scope.controller, "instance", "Which of them triggered it?", options, "383.1.b")
        item.scope.bindings.update(dict(instances[chosen]))
    item.scope.bindings.pop("instances", None)


def _speaks_of_event(ability: Any) -> bool:
    return any(
        isinstance(part, ast.ThatMuch)
        or (isinstance(part, ast.Reference) and str(part.antecedent).startswith("event"))
        for part in walk(ability)
    )


def _named_instance(run: "Run", about: Mapping[str, Any]) -> str:
    refs = about.get("event.object") or about.get("event.subject") or about.get("event.agent") or (NOBODY,)
    return run.name(refs[0]) if refs[0] else "that"


def _used_up(run: "Run", item: ChainItem, node: Any) -> bool:
    ability = run.rules.node(item.scope.ability)
    while isinstance(ability, ast.Gated):
        ability = ability.ability
    if getattr(ability, "frequency", None) != "once-each-turn":
        return False
    return bool(run.state.facts.get(f"used:{item.facts['once']}") == run.state.turn)


def _decline(run: "Run", item: ChainItem) -> None:
    """402.1.a: it is removed from the chain, and has not triggered."""
    if item in run.state.chain:
        run.state.chain.remove(item)
    run.state.facts["cleanup"] = True
    run.note(
        f"{run.name(item.scope.source)}'s ability is not performed",
        ("402.1.a",),
        item.scope.controller,
        "decline",
        item.id,
    )


def as_played(run: "Run", frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """355.1: choices made as the card is played: which additional costs are paid (355.1.a)."""
    item = current_item(run, frame)
    played = item.object or item.scope.source
    extra: list[tuple[str, str]] = []
    paid: list[str] = []
    for held, cost, optional in additional_costs(run, item):
        key = held.ability.key
        path = cost_path(held)
        scope = item.scope.copy()
        scope.ability = key
        if held.ability.keyword:
            # The cost printed after the keyword takes the place of the one in the keyword's own words (820.1.c.1).
            where = keyword_cost_place(run, played, held)
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
            prompt = f"Pay the additional cost of {run.name(played)}: {which}?"
            if not run.yes(item.scope.controller, prompt, rules[0], "additional-cost"):
                continue
        _choose_option(run, item, key, path, cost)
        extra.append((key, path))
        paid.append(held.ability.key)
    if item.object or paid:
        # What a trigger knows of its source's costs ("if you paid the additional cost") it keeps.
        item.facts["extra"] = tuple(extra)
        item.facts["paid"] = (*(item.facts.get("paid", ()) if not item.object else ()), *paid)
        item.scope.bindings["paid"] = item.facts["paid"]
    item.facts["repeated"] = sum(key.startswith("keyword:repeat") for key in paid)
    return None


def _choose_option(run: "Run", item: ChainItem, key: str, path: str, cost: Any) -> None:
    if isinstance(cost, ast.CostOptions):
        scope = item.scope
        options = [
            Option(f"cost:{i}", "choose", _words_of(run, option, scope, f"{path}.options.{i}"), i)
            for i, option in enumerate(cost.options)
        ]
        item.facts[f"option:{key}"] = run.ask(scope.controller, "cost", "Which cost?", options, "204.2")


def _words_of(run: "Run", cost: ast.Cost, scope: Scope, path: str) -> str:
    """Say what a cost asks for: symbols as the price that they come to, actions in words."""
    if any(isinstance(part, ast.Action) for part in cost.parts):
        return cost_words(cost)
    return str(price_of(run, cost, scope, path))


def _affordable_together(run: "Run", item: ChainItem, extra: list[tuple[str, str]]) -> bool:
    """Tell whether an item can be paid for together with some additional costs."""
    with item.supposing({"extra": tuple(extra), "paid": tuple(key for key, _ in extra)}):
        return affordable(run, item.scope.controller, item)


def choose_place(run: "Run", frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
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


def _timely_at(run: "Run", item: ChainItem, at: int) -> bool:
    """355.16: a place where the card may not be played at this time is no choice."""

    if "forced" in item.facts:
        return True
    with item.supposing({"place": at}):
        return timing_problem(run, item) is None


def prepare(run: "Run", frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """355.3-355.5: modes, destinations and targets, by the program of the item's text; once for each execution."""
    item = current_item(run, frame)
    if not item.scope.ability:
        return None
    done = frame.local.get("prepared", -1)
    if done >= 0:
        _keep_choices(item, done)
    if done >= item.facts.get("repeated", 0):
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


def determine_cost(run: "Run", frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """356: put together what the item costs."""
    item = current_item(run, frame)
    if "first" in item.facts:
        item.scope.bindings = dict(item.facts.pop("first"))
    _ask_amounts(run, item)
    _choose_for_costs(run, item)
    _choose_changes(run, item)
    price = total_price(run, item)
    item.facts["price"] = price.to_data()
    return None


def _choose_changes(run: "Run", item: ChainItem) -> None:
    """356.4: "[1] or [A] less" is one or the other, as the player of the item chooses among those that can be paid."""
    player = item.scope.controller
    for key, cost, active in open_changes(run, item):
        options = []
        for position, option in enumerate(cost.options):
            with item.supposing({f"option:{key}": position}):
                able = can_pay(run, player, total_price(run, item), item)
            if able:
                words = str(price_of(run, option, active.scope, f"{active.path}.cost.options.{position}"))
                options.append(Option(f"cost:{position}", "choose", words, position))
        if options:
            prompt = f"Which change of the cost, by {run.name(active.scope.source)}?"
            item.facts[f"option:{key}"] = run.ask(player, "cost", prompt, options, "356.4")


def _choose_for_costs(run: "Run", item: ChainItem) -> None:
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
            found = [
                ref
                for ref in found
                if can_pay_with(run, player, item, (ref,)) and _targets_fit(run, item, (ref,))
            ]
            if not found:
                raise IllegalPlay("a cost cannot be paid", "358.2")
            chosen = run.pick(player, found, 1, 1, "Choose what to pay with", "356.2")
        item.facts[f"extra:{key}"] = (*item.facts.get(f"extra:{key}", ()), (path, chosen))
        item.facts["paid-with"] = chosen


def _targets_fit(run: "Run", item: ChainItem, paid: tuple[int, ...]) -> bool:
    """355.16: nothing is paid with that would make a target illegal that was chosen with an eye to it."""
    if not run.rules.speaks_of_payment(item.scope.ability):
        return True
    with item.supposing({"paid-with": paid}):
        return _illegal_target(run, item) is None


def _ask_amounts(run: "Run", item: ChainItem) -> None:
    """ "Any number of buffs": how many are spent is said before the cost is known (356.2)."""
    for key, path, holders in counters_in_costs(run, item):
        options = [Option(f"amount:{n}", "number", str(n), n) for n in range(len(holders) + 1)]
        item.facts["spending"] = 0
        count = int(run.ask(item.scope.controller, "number", "How many?", options, "356.2"))
        item.facts[f"extra:{key}"] = ((path, count), ("much", count))
        item.facts["spending"] = item.scope.bindings["much"] = count


def pay(run: "Run", frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
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


def _can_be_done(run: "Run", player: int, cost: Any, scope: Scope, path: str) -> bool:
    if isinstance(cost, ast.CostOptions):
        return any(
            _parts_payable(run, player, option, scope, f"{path}.options.{i}")
            for i, option in enumerate(cost.options)
        )
    return _parts_payable(run, player, cost, scope, path)


def _parts_payable(run: "Run", player: int, cost: Any, scope: Scope, path: str) -> bool:

    return all(
        part_payable(run, player, part, scope, f"{path}.parts.{position}")
        for position, part in enumerate(getattr(cost, "parts", ()))
        if not isinstance(part, ast.Energy | ast.Power)
    )


def check_legality(run: "Run", frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
    """358: the targets are legal, and the item may be played at this time."""
    item = current_item(run, frame)
    if _illegal_target(run, item) is not None:
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


def _illegal_target(run: "Run", item: ChainItem) -> str | None:
    """Give the path of the first description of which a chosen target does not fit."""
    for path in item.targets:
        bound = item.scope.bindings.get(path)
        node = run.antecedent(item.scope, path)
        if not isinstance(bound, tuple) or not isinstance(node, ast.Objects):
            continue
        if len(still_legal(run, node, item.scope, path, bound)) < len(bound):
            return path
    return None


def finish(run: "Run", frame: Frame, parameters: Any, rules: tuple[str, ...]) -> str | None:
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
        if "finalize" in reads(run):
            state.touch()
        else:
            state.stir()
    _take_next(run, item)
    run.note(
        f"{run.name(item.id)} is finalized" + _targets_text(run, item),
        rules,
        item.scope.controller,
        "finalize",
        item.id,
        card=run.printed(item.scope.source).card,
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


def _targets_text(run: "Run", item: ChainItem) -> str:
    chosen = dict.fromkeys(run.targets_of(item))
    return f", choosing {', '.join(run.name(ref) for ref in chosen)}" if chosen else ""


def _finalized(run: "Run", item: ChainItem) -> Event:
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


def _take_next(run: "Run", item: ChainItem) -> None:
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
                # What is on a permanent goes along when it enters the board.
                isinstance(effect, ast.Modify),
                lasting.amounts,
            )
            kept.append(fixed)
    if kept != list(run.state.effects):
        run.state.effects = tuple(kept)
        run.state.touch()
