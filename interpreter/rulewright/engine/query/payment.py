"""Whether and how a cost can be paid: from the pool, by plans, and by actions that are costs (203, 357, 429).

Resources are paid from the pool; a plan says which abilities that add resources are used for what the pool lacks.
"""

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.compile import looked_for, walk
from rulewright.engine.query import layers, select
from rulewright.engine.query.possible import can_happen
from rulewright.engine.query.price import (
    Price,
    choices_in_costs,
    matches_domain,
    possible_prices,
    price_of,
    total_price,
)
from rulewright.engine.query.select import bounds
from rulewright.engine.query.watchers import may_be_given
from rulewright.engine.state.objects import ChainItem, Event, Option, Scope, player_ref
from rulewright.engine.state.traits import Held
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def _in_zone(run: "Run", zone: str, player: int) -> list[int]:
    """Give the cards of a zone; what is being played is on the chain by the time that its costs are paid (354)."""
    return [ref for ref in run.state.zone(zone, player_ref(player)) if ref != run.lifted]


def cost_candidates(
    run: "Run", player: int, part: ast.Action, scope: Scope, path: str
) -> tuple[list[int], int]:
    """Give what an action that is a cost may be done with, and how much of it is needed (203.3)."""
    if part.verb == "discard" and part.object is None:
        wanted = select.amount(run, part.amount, scope, f"{path}.amount") if part.amount is not None else 1
        return _in_zone(run, run.zone_name("hand"), player), wanted or 0
    if part.verb == "recycle" and part.object is None:
        zone = (
            run.zone_name(part.source.name) if isinstance(part.source, ast.Zone) else run.zone_name("trash")
        )
        wanted = select.amount(run, part.amount, scope, f"{path}.amount") if part.amount is not None else 1
        return _in_zone(run, zone, player), wanted or 0
    if part.verb == "spend" and isinstance(part.object, ast.Resource):
        wanted = select.amount(run, part.object.amount, scope, f"{path}.object.amount") or 0
        if run.rules.counter_sorts(part.object.kind):
            return counters_held(run, player, part.object, scope, f"{path}.object"), wanted
        return list(range(run.resource(player, part.object.kind))), wanted
    if part.object is None:
        return [scope.source], 1
    part = looked_for(part)
    if isinstance(part.object, ast.Objects):
        low, _ = bounds(run, part.object, scope, f"{path}.object")
        found = select.candidates(run, part.object, scope, f"{path}.object")
        return [ref for ref in found if _can_do(run, part.verb, ref, player)], low
    if isinstance(part.object, ast.Group):
        joined: list[int] = []
        for position, inner in enumerate(part.object.parts):
            if isinstance(inner, ast.Objects):
                joined.extend(select.candidates(run, inner, scope, f"{path}.object.parts.{position}"))
        return joined, 1
    if isinstance(part.object, ast.Resource | ast.Player | ast.Cost | ast.Keyword):
        return [scope.source], 1
    found = [run.current(ref, scope) for ref in select.refs(run, part.object, scope, f"{path}.object")]
    return [ref for ref in found if ref in run.state.objects and _can_do(run, part.verb, ref, player)], 1


def _can_do(run: "Run", verb_name: str, ref: int, player: int) -> bool:

    return can_happen(run, Event(verb_name, agent=player_ref(player), object=ref))


MOST_PLANS = 6
"""How many different ways to pay are offered at most."""


def parts_payable(run: "Run", player: int, price: Price, scope: Scope) -> bool:
    """Tell whether the actions and other things in a price can be done in full (203.3)."""
    for key, path in price.parts:
        inner = Scope(player, scope.source, key, scope.item)
        for position, part in enumerate(run.rules.node(key, path).parts):
            resource = isinstance(part, ast.Energy | ast.Power)
            if not resource and not part_payable(run, player, part, inner, f"{path}.parts.{position}"):
                return False
    return True


def affordable(run: "Run", player: int, item: ChainItem) -> bool:
    """Tell whether an item can be paid for, with the best that its additional costs may be paid with."""
    for key, path, words in choices_in_costs(run, item):
        scope = item.scope.copy()
        scope.ability = key
        found = tuple(select.candidates(run, words, scope, path))
        if words.quantity.rule == "any-number":
            return can_pay_with(run, player, item, found)
        return any(can_pay_with(run, player, item, (ref,)) for ref in found)
    # Of several costs of counters the last counts, as when they are paid.
    spent = [len(holders) for _, _, holders in counters_in_costs(run, item)]
    with item.supposing({"spending": spent[-1]} if spent else {}):
        return any(can_pay(run, player, price, item) for price in possible_prices(run, item))


def counters_in_costs(run: "Run", item: ChainItem) -> Iterator[tuple[str, str, list[int]]]:
    """Yield where additional costs spend any number of counters: the ability, the path of the amount, who has them."""
    for key, path in item.facts.get("extra", ()):
        for position, part in enumerate(getattr(run.rules.node(key, path), "parts", ())):
            where = f"{path}.parts.{position}.object"
            spent = part.object if isinstance(part, ast.Action) and part.verb == "spend" else None
            if isinstance(spent, ast.Resource) and isinstance(spent.amount, ast.AnyAmount):
                scope = item.scope.copy()
                yield key, f"{where}.amount", counters_held(run, item.scope.controller, spent, scope, where)


def can_pay_with(run: "Run", player: int, item: ChainItem, refs: tuple[int, ...]) -> bool:
    """Tell whether an item can be paid for if its additional cost is paid with some objects."""
    with item.supposing({"paid-with": refs}):
        return can_pay(run, player, total_price(run, item), item)


class Source:
    """An ability that adds resources and can be used at once while a cost is paid (357.1.a, 429.3)."""

    __slots__ = ("dear", "energy", "exhausts", "held", "limit", "option", "power", "ref", "spends")

    def __init__(
        self, ref: int, held: Held, energy: int, power: tuple[str, ...], spends: str, limit: str
    ) -> None:
        self.ref = ref
        self.held = held
        self.energy = energy
        self.power = power
        self.spends = spends
        self.limit = limit
        self.exhausts = "exhaust" in spends
        self.dear = {"exhaust": 0, "recycle": 2}.get(spends, 3) + (1 if limit else 0)
        """How much it takes: what only tires is used before what is used up."""
        self.option: Option | None = None
        """How it is offered for use by itself, once it has been; what it says of the source never changes."""


Plan = tuple[tuple[int, str], ...]
"""Uses of abilities that add resources: the object, and the ability's key."""


def sources(run: "Run", player: int) -> list[Source]:
    """Give the abilities that a player may use to add resources while paying."""
    state = run.state
    key = (state.moment, player)
    if run.sources_key == key:
        return run.sources
    objects = state.objects
    found: list[Source] = []
    for source, plain in _possible_sources(run, player):
        if source.exhausts and "exhausted" in objects[source.ref].states:
            continue
        if plain:
            found.append(source)
        elif _is_usable(run, source):
            found.append(_with_more(run, source))
    run.sources_key, run.sources = key, found
    return found


def source_of(run: "Run", player: int, ref: int, key: str) -> Source:
    """Give the source that an ability of an object is now, which its player can use."""
    objects = run.state.objects
    for source, plain in _possible_sources(run, player):
        if not plain or source.ref != ref or source.held.ability.key != key:
            continue
        if not source.exhausts or "exhausted" not in objects[ref].states:
            return source
    return next(s for s in sources(run, player) if s.ref == ref and s.held.ability.key == key)


def _possible_sources(run: "Run", player: int) -> list[tuple[Source, bool]]:
    """Give the sources that a player has, usable or not; ``True`` for those that only being exhausted can hinder.

    They stay the same as long as the same abilities are there: who controls their objects and of which domains these
    are is as it was then.
    """
    used, more = activated(run), bool(layers.active_effects(run).get(ast.AddsAlso))
    known = run.possible_sources.get(player)
    if known is not None and known[0] is used and known[1] is more:
        return known[2]
    found: list[tuple[Source, bool]] = []
    objects = run.state.objects
    for ref, abilities in used:
        if objects[ref].controller == player:
            for source, conditional in _sources_of(run, ref, abilities):
                found.append((source, not more and not conditional))
    run.possible_sources[player] = (used, more, found)
    return found


def _sources_of(run: "Run", ref: int, abilities: tuple[Held, ...]) -> list[tuple[Source, bool]]:
    """Give an object's sources, and whether they stand under conditions: made once for as long as it has these."""
    kept = run.sources_of.get(ref)
    if kept is not None and kept[0] is abilities:
        return kept[1]
    made: list[tuple[Source, bool]] = []
    for held in abilities:
        gives = _plain_source(run, ref, held)
        if gives is not None:
            spends, energy, power, limit = gives
            made.append((Source(ref, held, energy, power, spends, limit), _is_conditional(run, held)))
    run.sources_of[ref] = (abilities, made)
    return made


def activated(run: "Run") -> list[tuple[int, tuple[Held, ...]]]:
    """Give the objects on the board with their activated abilities (380).

    It is the same list as long as the same objects have the same abilities and controllers. Where no effect may give
    such abilities at any time, only what comes, goes or changes its controller makes it another.
    """
    state = run.state
    granted = may_be_given(run, "activated")
    stamp = state.version if granted else state.layout
    if run.activated_key != stamp:
        run.activated_key = stamp
        board, objects = run.board(), state.objects
        made_for = (run.reach.stamp, board, [objects[ref].controller for ref in board])
        if granted or run.activated_for != made_for:
            found = [
                (ref, index.activated)
                for ref, index in layers.lasting_indexes(run, board, granted)
                if index.activated
            ]
            if found != run.activated or run.activated_for[1:] != made_for[1:]:
                run.activated = found
            run.activated_for = made_for
    return run.activated


def _is_conditional(run: "Run", held: Held) -> bool:
    return getattr(held.ability.node, "restriction", None) is not None or any(
        run.rules.gate_condition(gate.name) for gate in held.ability.gates
    )


def _is_usable(run: "Run", source: Source) -> bool:
    """Tell whether the gates of a source's ability are open and its restriction holds."""
    held = source.held
    node = held.ability.node
    assert isinstance(node, ast.ActivatedAbility)
    scope = run.scope_of(source.ref, held)
    return all(layers.gate_open(run, gate, scope) for gate in held.ability.gates) and (
        node.restriction is None or select.holds(run, node.restriction, scope, "restriction")
    )


def _with_more(run: "Run", source: Source) -> Source:
    """Give a source with what effects let it add besides."""
    energy, power = source.energy, source.power
    for active in layers.effects(run, ast.AddsAlso):
        what, where = active.effect.what, f"{active.path}.what"
        if isinstance(what, ast.Objects) and select.fits(run, source.ref, what, active.scope, where):
            more = price_of(run, active.effect.more, active.scope, f"{active.path}.more")
            energy += more.energy
            power = (*power, *(domain for domain, count in more.power.items() for _ in range(count)))
    return Source(source.ref, source.held, energy, power, source.spends, source.limit)


Gives = tuple[str, int, tuple[str, ...], str]
"""What a source spends, the energy and power that it adds, and the limit on these."""


def _plain_source(run: "Run", ref: int, held: Held) -> Gives | None:
    """Give what an ability that adds resources spends and adds, which its text and the card's domains tell."""
    key = (held.ability.key, run.printed(ref).domains)
    if key in run.rules.sources:
        known: Gives | None = run.rules.sources[key]
        return known
    node = held.ability.node
    assert isinstance(node, ast.ActivatedAbility)
    made = None
    spends = _self_cost(node.cost)
    if (
        spends is not None
        and adds_only(node.body)
        and any(gate.name.casefold() in run.rules.answering for gate in held.ability.gates)
    ):
        scope = run.scope_of(ref, held)
        prefix = f"{held.ability.prefix}." if held.ability.prefix else ""
        energy, power = _added(run, node.body, scope, f"{prefix}body")
        made = (spends, energy, power, spend_limit(run, ref, held))
    run.rules.sources[key] = made
    return made


def adds_only(body: Any) -> bool:
    """Tell whether instructions only add resources (429)."""
    steps = [
        step
        for step in (body.steps if isinstance(body, ast.Sequence) else (body,))
        if not isinstance(step, ast.SpendLimit)
    ]
    return bool(steps) and all(
        isinstance(step, ast.Action) and step.verb == "add" and isinstance(step.object, ast.Cost)
        for step in steps
    )


def is_add_ability(body: Any) -> bool:
    """Tell whether an ability adds resources at all, so that it resolves as soon as it is finalized (429.2)."""

    return any(
        isinstance(part, ast.Action) and part.verb == "add" and isinstance(part.object, ast.Cost)
        for part in walk(body)
    )


def _self_cost(cost: ast.Cost) -> str | None:
    """Give what a cost takes from its own object, in words for grouping; nothing where it asks for more."""
    words: list[str] = []
    for part in cost.parts:
        if isinstance(part, ast.ExhaustThis):
            words.append("exhaust")
        elif isinstance(part, ast.Action) and isinstance(part.object, ast.Self):
            words.append(part.verb)
        else:
            return None
    return "+".join(words)


def _added(run: "Run", body: Any, scope: Scope, path: str) -> tuple[int, tuple[str, ...]]:
    energy = 0
    power: list[str] = []
    steps = body.steps if isinstance(body, ast.Sequence) else (body,)
    for position, step in enumerate(steps):
        if isinstance(step, ast.SpendLimit):
            continue
        where = f"{path}.steps.{position}" if isinstance(body, ast.Sequence) else path
        price = price_of(run, step.object, scope, f"{where}.object")
        energy += price.energy
        for domain, count in sorted(price.power.items()):
            power += [domain] * count
    return energy, tuple(power)


def spend_limit(run: "Run", ref: int, held: Held) -> str:
    """Give the key of the words that say what the added resources may be spent on; empty where nothing does."""
    prefix = f"{held.ability.prefix}." if held.ability.prefix else ""
    body = getattr(held.ability.node, "body", None)
    for position, step in enumerate(body.steps if isinstance(body, ast.Sequence) else ()):
        if isinstance(step, ast.SpendLimit):
            return f"{held.ability.key}@{prefix}body.steps.{position}"
    return ""


def is_limited(run: "Run", limit: str, kind: str) -> bool:
    """Tell whether words that limit what added resources may be spent on are about a kind: energy, or a domain."""
    if not limit:
        return False
    key, _, path = limit.partition("@")
    node = run.rules.node(key, path)
    if not isinstance(node, ast.SpendLimit) or node.resource is None:
        return True
    return node.resource == ("energy" if kind == "energy" else "power")


def _unlimited(run: "Run", source: Source) -> Source | None:
    """Give a source with only what it adds without a limit, or nothing where that is nothing."""
    energy = 0 if is_limited(run, source.limit, "energy") else source.energy
    power = () if is_limited(run, source.limit, "power") else source.power
    if not energy and not power:
        return None
    return Source(source.ref, source.held, energy, power, source.spends, "")


def may_spend(run: "Run", limit: str, player: int, item: ChainItem | None) -> bool:
    """Tell whether a restricted resource may pay for an item."""
    if not limit:
        return True
    key, _, path = limit.partition("@")
    node = run.rules.node(key, path)
    if isinstance(node, ast.SpendLimit):
        if isinstance(node.during, ast.During) and not run.in_phase(node.during.phase):
            return False
        if not node.purpose:
            return True
        return item is not None and any(_serves(run, part, key, player, item) for part in node.purpose)
    return True


def _serves(run: "Run", purpose: Any, limit: str, player: int, item: ChainItem) -> bool:
    scope = Scope(player, item.scope.source, limit, item.id)
    if purpose.verb == "play":
        return (
            bool(item.object)
            and isinstance(purpose.object, ast.Objects)
            and select.fits(run, item.object, purpose.object, scope)
        )
    if item.object:
        return False
    if isinstance(purpose.object, ast.AbilityText):
        return run.is_ability_of(item.id or item.scope.item, purpose.object, scope, "") or not item.id
    if isinstance(purpose.object, ast.Objects):
        source = run.traits(item.scope.source)
        return any(
            source.has(noun) for noun in purpose.object.nouns if noun != "ability"
        ) or purpose.object.nouns == ("ability",)
    return True


def plans(
    run: "Run", player: int, price: Price, item: ChainItem | None = None, most: int = MOST_PLANS
) -> list[Plan]:
    """Give different ways to add what the pool lacks for a price; an empty plan where it lacks nothing."""
    energy, needed = _lacking(run, player, price, item)
    if energy <= 0 and not needed:
        return [()]
    found: dict[Any, Plan] = {}
    for order in _orders(run, _usable(run, player, item)):
        plan = _fill(order, energy, needed)
        if plan is not None:
            found.setdefault(plan_likeness(run, plan), plan)
            if len(found) >= most:
                break
    return list(found.values())


def _usable(run: "Run", player: int, item: ChainItem | None) -> list[Source]:
    """Give the sources that may be used for an item, the cheapest first."""
    usable: list[Source] = []
    for source in sources(run, player):
        free = source
        if source.limit and not may_spend(run, source.limit, player, item):
            part = _unlimited(run, source)
            if part is None:
                continue
            free = part
        usable.append(free)
    if item is not None and item.facts.get("exhausts"):
        usable = [s for s in usable if s.ref not in item.facts["exhausts"]]
    return sorted(usable, key=_rank)


_rank = attrgetter("dear", "ref")


def plan_likeness(run: "Run", plan: Plan) -> Any:
    """Give what makes one plan a different choice from another: cards and abilities, not which of equal runes."""
    return tuple(sorted((run.state.objects[ref].card, key) for ref, key in plan))


def _lacking(run: "Run", player: int, price: Price, item: ChainItem | None) -> tuple[int, list[str]]:
    energy = price.energy
    needed = [domain for domain, count in price.power.items() for _ in range(count)]
    for kind, count, limit in run.state.players[player].pool:
        if not may_spend(run, limit, player, item):
            continue
        if kind == "energy":
            energy -= count
            continue
        for _ in range(count):
            match = next((d for d in sorted(needed, key=breadth) if matches_domain(d, kind)), None)
            if match is not None:
                needed.remove(match)
    return energy, sorted(needed, key=breadth)


def breadth(domain: str) -> int:
    """Give how many domains a cost of power takes, so that the pickiest is paid first."""
    return 99 if domain == "any" else domain.count("/")


def _orders(run: "Run", ranked: list[Source]) -> Iterator[list[Source]]:
    """Yield the sources in different orders of preference: cheap ones first, then one sort of card before others."""
    yield ranked
    objects = run.state.objects
    cards = list(dict.fromkeys(objects[source.ref].card for source in ranked))
    if len(cards) > 1:
        for card in cards:
            first = [source for source in ranked if objects[source.ref].card == card]
            yield [*first, *(source for source in ranked if objects[source.ref].card != card)]


def _fill(order: Sequence[Source], energy: int, needed: Sequence[str]) -> Plan | None:
    """Give a plan that uses sources in an order, as few as will do; nothing where all are not enough."""
    used: list[Source] = []
    gone: set[int] = set()
    tired: set[int] = set()

    def use(source: Source) -> None:
        used.append(source)
        if source.exhausts:
            tired.add(source.ref)
        if source.spends != "exhaust":
            gone.add(source.ref)

    for domain in needed:
        for source in order:
            if source.ref in gone or (source.exhausts and source.ref in tired):
                continue
            if any(matches_domain(domain, offered) for offered in source.power):
                break
        else:
            return None
        use(source)
        energy -= source.energy
    if used:
        # A rune that is recycled anyway is exhausted for energy first.
        giving = {source.ref for source in used}
        order = [
            *(source for source in order if source.ref in giving),
            *(source for source in order if source.ref not in giving),
        ]
    for source in order:
        if energy <= 0:
            break
        ready = source.energy and source.ref not in tired
        if ready and (source.ref not in gone or source.spends == "exhaust"):
            use(source)
            energy -= source.energy
    if energy > 0:
        return None
    used.sort(key=lambda source: not source.exhausts)
    return tuple((source.ref, source.held.ability.key) for source in used)


class Purse:
    """What a player could pay at most, by counting: energy, power by domain, and power that may be of any.

    Where counting is ``exact`` what is covered can be paid: what one source pays takes nothing from another, as with
    basic runes. Otherwise plans have to be made. ``refs`` are the objects whose abilities are counted, with what these
    give.
    """

    __slots__ = ("energy", "exact", "power", "refs", "total", "wild")

    def __init__(self) -> None:
        self.energy = 0
        self.power: dict[str, int] = {}
        self.wild = 0
        self.total = 0
        self.exact = True
        self.refs: dict[int, int] = {}

    def put(self, domain: str, count: int = 1) -> None:
        """Add power; what may be of several domains counts as if it could be of any."""
        self.total += count
        if domain == "any" or "/" in domain:
            self.wild += count
            self.exact = False
        else:
            self.power[domain] = self.power.get(domain, 0) + count

    def covers(self, price: Price) -> bool:
        """Tell whether there is enough for a price; power of any domain is what the others leave over."""
        if price.energy > self.energy:
            return False
        missing = asked = 0
        for domain, count in price.power.items():
            asked += count
            if domain != "any":
                missing += max(0, count - sum(self.power.get(part, 0) for part in domain.split("/")))
        return missing <= self.wild and asked <= self.total

    def tells(self, price: Price, item: ChainItem | None = None) -> bool:
        """Tell whether what it covers can be paid for sure.

        Not where two parts of a price may want the same power, or where the item exhausts what would pay for it.
        """
        return (
            self.exact
            and (len(price.power) < 2 or not any("/" in domain for domain in price.power))
            and (item is None or self.refs.keys().isdisjoint(item.facts.get("exhausts", ())))
        )


def purse_of(run: "Run", player: int) -> Purse:
    """Give what a player could pay at most, until anything changes."""
    key = (run.state.moment, player)
    if run.purse_key != key or run.purse is None:
        run.purse_key, run.purse = key, _counted(run, player)
    return run.purse


def _counted(run: "Run", player: int) -> Purse:
    purse = Purse()
    for kind, count, limit in run.state.players[player].pool:
        if kind == "energy":
            purse.energy += count
        else:
            purse.put(kind, count)
        if limit:
            purse.exact = False
    refs, alone = purse.refs, set()
    for source in sources(run, player):
        ref, energy = source.ref, source.energy
        purse.energy += energy
        for domain in source.power:
            purse.put(domain)
        # A basic rune is exhausted for energy and then recycled for power; no other two abilities go together.
        gives = _ENERGY if energy else _POWER
        if source.limit or (source.power if energy else len(source.power) != 1) or refs.get(ref, 0) & gives:
            purse.exact = False
        refs[ref] = refs.get(ref, 0) | gives
        if source.spends != "exhaust" if energy else source.exhausts:
            alone.add(ref)
    if any(refs[ref] == _ENERGY | _POWER for ref in alone):
        purse.exact = False
    return purse


_ENERGY, _POWER = 1, 2
"""What the counted sources of an object give, as bits."""


def can_pay(run: "Run", player: int, price: Price, item: ChainItem | None = None) -> bool:
    """Tell whether a player has or can add the resources of a price."""
    if not price.energy and not price.power:
        return True
    purse = purse_of(run, player)
    if not purse.covers(price):
        return False
    return purse.tells(price, item) or bool(plans(run, player, price, item, 1))


def payable(
    run: "Run", player: int, cost: Any, scope: Scope, path: str, item: ChainItem | None = None
) -> bool:
    """Tell whether a player can pay a cost within instructions, or the cost of an ability."""
    if isinstance(cost, ast.CostOptions):
        return any(
            payable(run, player, option, scope, f"{path}.options.{i}", item)
            for i, option in enumerate(cost.options)
        )
    if isinstance(cost, ast.StatOf):
        return can_pay(run, player, price_of(run, cost, scope, path), item)
    if not isinstance(cost, ast.Cost):
        return False
    if not can_pay(run, player, price_of(run, cost, scope, path), item):
        return False
    return all(
        part_payable(run, player, part, scope, f"{path}.parts.{position}")
        for position, part in enumerate(cost.parts)
    )


def part_payable(run: "Run", player: int, part: Any, scope: Scope, path: str) -> bool:
    """Tell whether a player can pay a part of a cost that is not resources."""
    if isinstance(part, ast.ExhaustThis):
        found = run.state.objects.get(run.self_of(scope, ast.Self()))
        return found is not None and "exhausted" not in found.states
    if isinstance(part, ast.Resource):
        return _resource_payable(run, player, part, scope, path)
    if isinstance(part, ast.Action):
        return action_payable(run, player, part, scope, path)
    return True


def _resource_payable(run: "Run", player: int, part: ast.Resource, scope: Scope, path: str) -> bool:
    wanted = select.amount(run, part.amount, scope, f"{path}.amount") or 0
    if run.rules.counter_sorts(part.kind):
        return len(counters_held(run, player, part, scope, path)) >= wanted
    return run.resource(player, part.kind) >= wanted


def counter_holders(run: "Run", player: int, part: ast.Resource, scope: Scope, path: str) -> list[int]:
    """Give the objects from which a player may spend a counter (702.2.b, 745.2)."""
    if part.of is not None and not isinstance(part.of, ast.Player):
        pool: Iterable[int] = select.refs(run, part.of, scope, f"{path}.of")
    else:
        pool = run.board()
    sorts = run.rules.counter_sorts(part.kind)
    return [
        ref
        for ref in pool
        if ref in run.state.objects
        and any(run.state.objects[ref].counters.get(sort) for sort in sorts)
        and run.controller(ref) == player
    ]


def counters_held(run: "Run", player: int, part: ast.Resource, scope: Scope, path: str) -> list[int]:
    """Give the objects from which a player may spend counters, each once for every counter on it (745.1)."""
    sorts = run.rules.counter_sorts(part.kind)
    return [
        ref
        for ref in counter_holders(run, player, part, scope, path)
        for sort in sorts
        for _ in range(run.state.objects[ref].counters.get(sort, 0))
    ]


def action_payable(run: "Run", player: int, part: ast.Action, scope: Scope, path: str) -> bool:
    """Tell whether an action that is a cost can be done in full (203.3)."""

    if part.verb == "pay" and isinstance(part.object, ast.Cost):
        return can_pay(run, player, price_of(run, part.object, scope, f"{path}.object"))
    if part.verb in ("pay", "spend") and isinstance(part.object, ast.Resource):
        return _resource_payable(run, player, part.object, scope, f"{path}.object")
    found, wanted = cost_candidates(run, player, part, scope, path)
    return len(found) >= wanted


def affordable_with(run: "Run", item: ChainItem, scope: Scope, ref: int) -> bool:
    """Tell whether an item's controller could still pay if it chose this too (809.1.d)."""
    if ref <= 0 or ref not in run.state.objects or not run.enemies(run.controller(ref), scope.controller):
        return True
    if not any(
        active.effect.change == "more" for active in layers.specific_effects(run, ref, ast.CostChange)
    ):
        return True
    kept = item.scope.bindings, item.targets, item.repeats
    item.scope.bindings = {**scope.bindings, "would-choose": (ref,)}
    item.targets = tuple(dict.fromkeys((*item.targets, *scope.bindings.get("targets", ()), "would-choose")))
    if "first" in item.facts:
        # 820.2: what was chosen for the execution before is paid for together with this one.
        item.repeats = (*item.repeats, item.facts["first"])
    try:
        return can_pay(run, scope.controller, total_price(run, item), item)
    finally:
        item.scope.bindings, item.targets, item.repeats = kept
