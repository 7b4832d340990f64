"""What playing something costs, in the six steps of 356, and how it is paid (201-206, 357, 429, 444).

Resources are paid from the pool; a plan says which abilities that add resources are used for what the pool lacks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.engine.query import layers, select
from rulewright.engine.state.objects import NOBODY, ChainItem, Event, Option, Scope, player_ref
from rulewright.engine.state.traits import Held
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run

MOST_PLANS = 6
"""How many different ways to pay are offered at most."""


class Price:
    """An amount of energy, and of power by domain: ``fury``, ``any``, or ``calm/chaos`` for either of them.

    ``parts`` are the non-standard costs, as the key of an ability and the path of a cost in it (356.7).
    """

    __slots__ = ("energy", "parts", "power")

    def __init__(self, energy: int = 0, power: Mapping[str, int] | None = None) -> None:
        self.energy = energy
        self.power: dict[str, int] = dict(power or {})
        self.parts: list[tuple[str, str]] = []

    def copy(self) -> "Price":
        """Give a copy."""
        other = Price(self.energy, self.power)
        other.parts = self.parts.copy()
        return other

    def add(self, other: "Price", times: int = 1) -> None:
        """Add another price, several times over."""
        self.energy += other.energy * times
        for domain, count in other.power.items():
            self.power[domain] = self.power.get(domain, 0) + count * times
        self.parts += other.parts

    def take(self, other: "Price", times: int = 1, minimum: "Price | None" = None) -> None:
        """Take a discount off; below 0 nothing is left (356.6), below a minimum of its own it does not go (356.4.e)."""
        least = minimum.energy if minimum is not None else 0
        if self.energy > least:
            self.energy = max(least, self.energy - other.energy * times)
        for domain, count in other.power.items():
            self._take_power(domain, count * times)

    def _take_power(self, domain: str, count: int) -> None:
        for own in sorted(self.power, key=lambda d: d != domain):
            if count > 0 and matches_domain(own, domain):
                taken = min(count, self.power[own])
                self.power[own] -= taken
                count -= taken

    @property
    def total_power(self) -> int:
        """The number of power symbols."""
        return sum(self.power.values())

    def to_data(self) -> Any:
        """Give the price as plain data."""
        return (self.energy, tuple(sorted((d, n) for d, n in self.power.items() if n)), tuple(self.parts))

    @classmethod
    def from_data(cls, data: Any) -> "Price":
        """Make a price from what :meth:`to_data` gave."""
        made = cls(data[0], dict(data[1]))
        made.parts = [tuple(part) for part in data[2]]
        return made

    def __str__(self) -> str:
        power = "".join(f"[{domain}]" * count for domain, count in sorted(self.power.items()))
        return (f"[{self.energy}]" if self.energy or not power else "") + power


def cost_of(price: Price) -> ast.Cost:
    """Give a price as the words for it."""
    energy = (ast.Energy(ast.Number(price.energy)),) if price.energy or not price.total_power else ()
    power = tuple(ast.Power(domain, ast.Number(count)) for domain, count in sorted(price.power.items()))
    return ast.Cost((*energy, *power))


def price_key(price: Price) -> str:
    """Give a key under which :meth:`Ruleset.node` gives the words of a price that is printed nowhere."""
    power = "+".join(domain for domain, count in sorted(price.power.items()) for _ in range(count))
    return f"price:{price.energy}:{power}"


def matches_domain(asked: str, offered: str) -> bool:
    """Tell whether power of one domain pays for what is asked; "any" is universal on both sides (163.2.b)."""
    return asked == "any" or offered == "any" or offered in asked.split("/") or asked in offered.split("/")


# ------------------------------------------------------------------------------------------- prices


def price_of(run: "Run", cost: Any, scope: Scope, path: str, own: Sequence[str] = ()) -> Price:
    """Give a cost as it is written; ``own`` are the domains that [C] stands for (135.2.e.6)."""
    made = Price()
    if isinstance(cost, ast.StatOf):
        return _figure_price(run, cost, scope, path)
    if isinstance(cost, ast.Highest):
        made.energy = select.amount(run, cost, scope, path) or 0
        return made
    if not isinstance(cost, ast.Cost):
        return made
    standard = True
    for position, part in enumerate(cost.parts):
        where = f"{path}.parts.{position}"
        if isinstance(part, ast.Energy):
            made.energy += select.amount(run, part.amount, scope, f"{where}.amount") or 0
        elif isinstance(part, ast.Power):
            domain = own_domain(run, own or domains_of(run, scope)) if part.domain == "own" else part.domain
            count = select.amount(run, part.amount, scope, f"{where}.amount") or 0
            made.power[domain] = made.power.get(domain, 0) + count
        elif isinstance(part, ast.StatOf):
            made.add(_figure_price(run, part, scope, where))
        else:
            standard = False
    if not standard:
        made.parts.append((scope.ability, path))
    return made


def _figure_price(run: "Run", node: ast.StatOf, scope: Scope, path: str) -> Price:
    """A cost equal to a figure: "equal to its cost", "1 less for each Energy it costs"."""
    made = Price()
    for ref in select.refs(run, node.of, scope, f"{path}.of") if not isinstance(node.of, ast.Player) else ():
        if node.stat in ("cost", "base-cost"):
            made.add(printed_price(run, ref))
        elif node.stat == "energy-cost":
            made.energy += run.stat(ref, "energy-cost") or 0
        elif node.stat == "power-cost":
            made.add(Price(0, printed_price(run, ref).power))
        elif node.stat == "equip-cost":
            made.add(keyword_price(run, ref, "equip"))
        else:
            made.energy += run.stat(ref, node.stat) or 0
    return made


def domains_of(run: "Run", scope: Scope) -> tuple[str, ...]:
    """Give the domains of the card that a text is on."""
    return run.traits(run.self_of(scope, ast.Self())).domains


def own_domain(run: "Run", domains: Sequence[str]) -> str:
    """Give what [C] stands for on a card of some domains: any power where it has none."""
    return "/".join(sorted(domains)) if domains else "any"


def printed_price(run: "Run", ref: int) -> Price:
    """Give the printed or copied cost of a card (206); a token's is 0 (185.3.a.1)."""
    traits = run.traits(ref)
    made = Price(traits.figures.get("energy", 0))
    power = traits.figures.get("power", 0)
    if power:
        made.power[own_domain(run, traits.domains)] = power
    return made


def keyword_price(run: "Run", ref: int, name: str) -> Price:
    """Give the cost printed after a keyword of an object."""
    traits = run.traits(ref)
    for held in traits.abilities:
        instance = held.ability.instance
        if instance is not None and instance.name.casefold() == name and isinstance(instance.cost, ast.Cost):
            scope = run.scope_of(ref, held)
            prefix = f"{held.ability.prefix}." if held.ability.prefix else ""
            return price_of(run, instance.cost, scope, f"{prefix}keyword.cost")
    return Price()


def equip_price(run: "Run", gear: int, unit: int) -> Price | None:
    """Give what a card's Equip ability would cost for a unit (821.1.c.2); nothing where it has no such cost."""
    for held in run.traits(gear).abilities:
        instance = held.ability.instance
        if instance is not None and instance.name.casefold() == "equip" and instance.cost is not None:
            prefix = f"{held.ability.prefix}." if held.ability.prefix else ""
            item = ChainItem(NOBODY, "activated", NOBODY, run.scope_of(gear, held))
            item.scope.bindings["it"] = (unit,)
            item.facts["cost"] = (held.ability.key, f"{prefix}keyword.cost")
            return total_price(run, item)
    return None


def parts_payable(run: "Run", player: int, price: Price, scope: Scope) -> bool:
    """Tell whether the actions and other things in a price can be done in full (203.3)."""
    for key, path in price.parts:
        inner = Scope(player, scope.source, key, scope.item)
        for position, part in enumerate(run.rules.node(key, path).parts):
            resource = isinstance(part, ast.Energy | ast.Power)
            if not resource and not _part_payable(run, player, part, inner, f"{path}.parts.{position}"):
                return False
    return True


def total_price(run: "Run", item: ChainItem) -> Price:
    """Give the total cost of an item on the chain with the choices made for it (356)."""
    price = _base(run, item)
    for key, path in item.facts.get("extra", ()):
        price.add(_component(run, item, key, path))
    changes = list(cost_changes(run, item))
    for active, times in changes:
        if active.effect.change == "more":
            price.add(_change_price(run, active), times)
    _discount(run, price, [(active, times) for active, times in changes if active.effect.change == "less"])
    for plain in item.facts.get("less", ()):
        price.take(Price.from_data(plain))
    if item.facts.get("free"):
        return Price()
    return price


def _base(run: "Run", item: ChainItem) -> Price:
    facts = item.facts
    if "instead" in facts:
        price = Price.from_data(facts["instead"])
    elif item.object:
        price = printed_price(run, item.object)
    elif "cost" in facts:
        key, path = facts["cost"]
        scope = item.scope.copy()
        scope.ability = key
        price = price_of(run, run.rules.node(key, path), scope, path)
    else:
        price = Price()
    for active, _ in cost_changes(run, item):
        if active.effect.change == "ignore" and active.effect.part != "any-cost":
            _ignore(price, active.effect.part)
        elif active.effect.change == "becomes":
            price = _change_price(run, active)
    for part in facts.get("ignore", ()):
        _ignore(price, part)
    for part in ignored_parts(run, item):
        _ignore(price, part)
    return price


def ignored_parts(run: "Run", item: ChainItem) -> list[str]:
    """Give the costs that an item's own text says to ignore: "If you paid the additional cost, ignore this's cost"."""
    if not item.object or not item.scope.ability:
        return []
    found = []
    ability = run.rules.node(item.scope.ability)
    body = getattr(ability, "body", None)
    for position, step in enumerate(body.steps if isinstance(body, ast.Sequence) else (body,)):
        path = f"body.steps.{position}" if isinstance(body, ast.Sequence) else "body"
        inner = step.body if isinstance(step, ast.Conditional) else step
        if isinstance(inner, ast.Action) and inner.verb == "ignore" and isinstance(inner.object, ast.StatOf):
            holds = not isinstance(step, ast.Conditional) or select.holds(
                run, step.condition, item.scope, f"{path}.condition"
            )
            if holds:
                found.append(inner.object.stat)
    return found


def _ignore(price: Price, part: str) -> None:
    """356.1.b: set the named base costs to zero."""
    if part in ("cost", "energy-cost", "any-cost", "costs"):
        price.energy = 0
    if part in ("cost", "power-cost", "any-cost", "costs"):
        price.power.clear()


def _component(run: "Run", item: ChainItem, key: str, path: str) -> Price:
    """An additional cost, with the discounts that are for this component only (356.4.c)."""
    scope = item.scope.copy()
    scope.ability = key
    scope.bindings = {**item.scope.bindings, **dict(item.facts.get(f"extra:{key}", ()))}
    node = run.rules.node(key, path)
    if isinstance(node, ast.CostOptions):
        node = node.options[item.facts.get(f"option:{key}", 0)]
        path = f"{path}.options.{item.facts.get(f'option:{key}', 0)}"
    price = price_of(run, node, scope, path)
    changes = layers.effects(run, ast.CostChange, item.object or NOBODY)
    matching = [active for active in changes if component_matches(run, active, item, key)]
    _discount(run, price, [(active, _times(run, active)) for active in matching])
    return price


def _discount(run: "Run", price: Price, discounts: Sequence[tuple[layers.Active, int]]) -> None:
    """Take discounts off a price, each so many times.

    356.4.c.1, 356.4.d.1: in any order; those with a minimum of their own first leave the payer best off.
    """
    for active, times in sorted(discounts, key=lambda pair: pair[0].effect.minimum is None):
        price.take(_change_price(run, active), times, _minimum(run, active))


def component_matches(run: "Run", active: layers.Active, item: ChainItem, key: str) -> bool:
    """Tell whether a discount is for one component of a cost, and for this one."""
    what = active.effect.what
    if not isinstance(what, ast.Objects) or active.effect.change != "less":
        return False
    if not set(what.nouns) <= {"cost", "additional-cost"}:
        return False
    for position, part in enumerate(what.filters):
        if isinstance(part, ast.HasKeyword) and not _is_of_keyword(run, item, key, part.keyword.name):
            return False
        if isinstance(part, ast.Side) and run.enemies(item.scope.controller, active.scope.controller) != (
            part.side == "enemy"
        ):
            return False
        if isinstance(part, ast.That) and isinstance(part.event.action, ast.Action):
            subject = part.event.action.subject
            path = f"{active.path}.what.filters.{position}.event.action.subject"
            if isinstance(subject, ast.Player) and item.scope.controller not in select.players(
                run, subject, active.scope, path
            ):
                return False
    return True


def _is_of_keyword(run: "Run", item: ChainItem, key: str, name: str) -> bool:
    """Tell whether an additional cost is the one printed after a keyword (820.1.c.1)."""
    node = run.rules.node(key)
    while isinstance(node, ast.Gated):
        node = node.ability
    return isinstance(node, ast.KeywordAbility) and node.keyword.name.casefold() == name.casefold()


def _change_price(run: "Run", active: layers.Active) -> Price:
    cost = active.effect.cost
    path = f"{active.path}.cost"
    if isinstance(cost, ast.CostOptions):
        prices = [
            price_of(run, option, active.scope, f"{path}.options.{i}")
            for i, option in enumerate(cost.options)
        ]
        return max(prices, key=lambda p: p.energy)
    return price_of(run, cost, active.scope, path) if cost is not None else Price()


def _minimum(run: "Run", active: layers.Active) -> Price | None:
    if active.effect.minimum is None:
        return None
    return price_of(run, active.effect.minimum, active.scope, f"{active.path}.minimum")


def _times(run: "Run", active: layers.Active) -> int:
    if active.effect.per is None:
        keyword = active.scope.bindings.get("keyword")
        if keyword is not None and run.rules.keyword_sums(keyword):
            # 809.1.c: what a keyword adds to a cost is added as often as its value says.
            return run.traits(active.scope.source).keywords.get(keyword, 0)
        return 1
    return select.amount(run, active.effect.per, active.scope, f"{active.path}.per") or 0


def choices_in_costs(run: "Run", item: ChainItem) -> list[tuple[str, str, ast.Objects]]:
    """Give what must be chosen for additional costs before the price is known, because the price depends on it.

    Each is the key of the cost's ability, the path of the words that choose, and the words.
    """
    from rulewright.engine.program.compile import needs_choice

    own = layers.specific_effects(run, item.object, ast.CostChange)
    if not any(_on_what_is_paid(active.effect.per) for active in own):
        return []
    found = []
    for key, path in item.facts.get("extra", ()):
        for position, part in enumerate(getattr(run.rules.node(key, path), "parts", ())):
            if (
                isinstance(part, ast.Action)
                and isinstance(part.object, ast.Objects)
                and needs_choice(part.object)
            ):
                found.append((key, f"{path}.parts.{position}.object", part.object))
    return found


def _on_what_is_paid(per: Any) -> bool:
    of = per.of if isinstance(per, ast.StatOf) else per.what if isinstance(per, ast.CountOf) else None
    return isinstance(of, ast.Reference)


def affordable(run: "Run", player: int, item: ChainItem) -> bool:
    """Tell whether an item can be paid for, with the best that its additional costs may be paid with."""
    for key, path, words in choices_in_costs(run, item):
        scope = item.scope.copy()
        scope.ability = key
        found = tuple(select.candidates(run, words, scope, path))
        if words.quantity.rule == "any-number":
            return can_pay_with(run, player, item, found)
        return any(can_pay_with(run, player, item, (ref,)) for ref in found)
    return can_pay(run, player, total_price(run, item), item)


def can_pay_with(run: "Run", player: int, item: ChainItem, refs: tuple[int, ...]) -> bool:
    """Tell whether an item can be paid for if its additional cost is paid with some objects."""
    item.facts["paid-with"] = refs
    try:
        return can_pay(run, player, total_price(run, item), item)
    finally:
        del item.facts["paid-with"]


def cost_changes(run: "Run", item: ChainItem) -> Iterator[tuple[layers.Active, int]]:
    """Yield what changes the cost of an item, and how many times over."""
    ref = item.object or item.scope.source
    paid_with = item.facts.get("paid-with")
    for active in layers.effects(run, ast.CostChange, item.object):
        if changes_item(run, active, item, ref):
            if paid_with is not None and active.scope.source == item.object and not active.lasting:
                # "Less for each Energy it costs": it is what the additional cost is paid with.
                active.scope = active.scope.copy()
                active.scope.bindings["it"] = paid_with
                if isinstance(active.effect.per, ast.CountOf) and _on_what_is_paid(active.effect.per):
                    yield active, len(paid_with)
                    continue
            yield active, _times(run, active)
    if not item.object:
        yield from ((active, _times(run, active)) for active in own_changes(run, item))
    chosen = run.targets_of(item)
    for target in dict.fromkeys(chosen):
        if target <= 0 or target not in run.state.objects:
            continue
        for active in layers.specific_effects(run, target, ast.CostChange):
            if changes_item(run, active, item, ref):
                # 809.1.c: once for each time it is chosen.
                yield active, chosen.count(target) * _times(run, active)


def own_changes(run: "Run", item: ChainItem) -> Iterator[layers.Active]:
    """Yield the changes that an ability's own text makes to its cost ("This ability costs 1 less for each ...")."""
    if "cost" not in item.facts:
        return
    key, path = item.facts["cost"]
    node = run.rules.node(key, path.rpartition("cost")[0].rstrip(".").removesuffix("keyword").rstrip("."))
    prefix = path.rpartition("cost")[0].removesuffix("keyword.")
    scope = item.scope.copy()
    scope.ability = key
    if chosen := run.targets_of(item):
        # 818.1.c.4: "reduced by the Might of the unit you choose" speaks of what this item has chosen.
        scope.bindings["it"] = scope.bindings["choosing"] = chosen
    for position, effect in enumerate(getattr(node, "effects", ())):
        if isinstance(effect, ast.CostChange):
            yield layers.Active(effect, scope, f"{prefix}effects.{position}", 0)


def changes_item(run: "Run", active: layers.Active, item: ChainItem, ref: int) -> bool:
    """Tell whether a change of costs is for this item."""
    effect = active.effect
    what = effect.what
    path = f"{active.path}.what"
    if effect.action is not None and not _action_fits(run, active, item):
        return False
    if isinstance(what, ast.AbilityText):
        if item.object or what.of is None:
            return False
        return run.is_ability_of(item.id, what, active.scope, path)
    if isinstance(what, ast.Self):
        return bool(item.object) and active.scope.source in run.line_of(item.object)
    if isinstance(what, ast.Group):
        return any(_fits(run, part, item, active, f"{path}.parts.{i}") for i, part in enumerate(what.parts))
    return _fits(run, what, item, active, path)


def _fits(run: "Run", what: Any, item: ChainItem, active: layers.Active, path: str) -> bool:
    if isinstance(what, ast.AbilityText):
        return not item.object and run.is_ability_of(item.id, what, active.scope, path)
    if isinstance(what, ast.Objects):
        if "ability" in what.nouns and not item.object:
            return select.fits(run, item.id, what, active.scope, path)
        if not item.object:
            return False
        if active.affected is not None:
            return item.object in active.affected
        return all(
            _is_played_by(run, part, item, active, f"{path}.filters.{position}")
            if isinstance(part, ast.That) and _is_play(part)
            else select.passes(run, item.object, part, active.scope, f"{path}.filters.{position}")
            for position, part in enumerate(what.filters)
        ) and any(select.is_noun(run, item.object, noun, active.scope) for noun in what.nouns)
    if isinstance(what, ast.Reference):
        return bool(set(run.line_of(item.object)) & set(select.refs(run, what, active.scope, path)))
    return what is None and bool(item.object) and active.scope.source in run.line_of(item.object)


def _is_play(part: Any) -> bool:
    """Tell whether a filter is "you play", as in "the next spell you play": the item is being played just now."""
    return (
        isinstance(part, ast.That)
        and part.gap == "object"
        and isinstance(part.event.action, ast.Action)
        and part.event.action.verb == "play"
    )


def _is_played_by(run: "Run", part: ast.That, item: ChainItem, active: layers.Active, path: str) -> bool:
    action = part.event.action
    assert isinstance(action, ast.Action)
    event = Event(
        "play", agent=player_ref(item.scope.controller), object=item.object, source=item.facts.get("from")
    )
    return select.matches(run, action, event, active.scope, f"{path}.event.action", gap="object")


def _action_fits(run: "Run", active: layers.Active, item: ChainItem) -> bool:
    """ "To play from anywhere other than your hand", "to choose me": what the item does or is done with."""
    action = active.effect.action
    path = f"{active.path}.action"
    if action.verb == "play":
        if action.source is not None:
            origin = item.facts.get("from")
            if origin is None:
                found = run.state.objects.get(item.object)
                origin = (found.zone, found.at) if found is not None else None
            event = Event("play", agent=player_ref(item.scope.controller), object=item.object, source=origin)
            return select.matches(run, action, event, active.scope, path)
        return True
    if action.verb == "choose":
        for target in run.targets_of(item):
            event = Event("choose", agent=player_ref(item.scope.controller), object=target, using=item.id)
            if select.matches(run, action, event, active.scope, path):
                return True
        return False
    return True


# ------------------------------------------------------------------------------------ paying resources


class Source:
    """An ability that adds resources and can be used at once while a cost is paid (357.1.a, 429.3)."""

    __slots__ = ("energy", "held", "kind", "limit", "power", "ref", "spends")

    def __init__(
        self, ref: int, held: Held, energy: int, power: tuple[str, ...], spends: str, limit: str
    ) -> None:
        self.ref = ref
        self.held = held
        self.energy = energy
        self.power = power
        self.spends = spends
        self.limit = limit
        self.kind = ""


Plan = tuple[tuple[int, str], ...]
"""Uses of abilities that add resources: the object, and the ability's key."""


def sources(run: "Run", player: int) -> list[Source]:
    """Give the abilities that a player may use to add resources while paying."""
    key = (run.state.moment, player)
    if run.sources_key == key:
        return run.sources
    found: list[Source] = []
    for ref, held in activated(run):
        if run.state.objects[ref].controller == player:
            source = _source(run, player, ref, held)
            if source is not None:
                found.append(source)
    run.sources_key, run.sources = key, found
    return found


def activated(run: "Run") -> tuple[tuple[int, Held], ...]:
    """Give the activated abilities of all objects on the board (380), until something changes them."""
    from rulewright.engine.events.happening import is_granting

    granting = is_granting(run)
    stamp = run.state.version if granting else run.state.layout
    if run.activated_key != stamp:
        run.activated = tuple(
            (ref, held)
            for ref in run.board()
            if not run.state.objects[ref].attached_to
            for held in layers.lasting_abilities(run, ref, "activated", granting)
        )
        run.activated_key = stamp
    return run.activated


def _source(run: "Run", player: int, ref: int, held: Held) -> Source | None:
    known = _plain_source(run, ref, held)
    if known is None:
        return None
    spends, energy, power, limit = known
    if "exhaust" in spends and "exhausted" in run.state.objects[ref].states:
        return None
    node = held.ability.node
    assert isinstance(node, ast.ActivatedAbility)
    if node.restriction is not None or any(
        run.rules.gate_condition(gate.name) for gate in held.ability.gates
    ):
        scope = run.scope_of(ref, held)
        if not all(layers.gate_open(run, gate, scope) for gate in held.ability.gates):
            return None
        if node.restriction is not None and not select.holds(run, node.restriction, scope, "restriction"):
            return None
    for active in layers.effects(run, ast.AddsAlso):
        what = active.effect.what
        if isinstance(what, ast.Objects) and select.fits(run, ref, what, active.scope, f"{active.path}.what"):
            more = price_of(run, active.effect.more, active.scope, f"{active.path}.more")
            energy += more.energy
            power = (*power, *(domain for domain, count in more.power.items() for _ in range(count)))
    return Source(ref, held, energy, power, spends, limit)


def _plain_source(run: "Run", ref: int, held: Held) -> tuple[str, int, tuple[str, ...], str] | None:
    """Give what an ability that adds resources spends and adds, which its text and the card's domains tell."""
    domains = run.traits(ref).domains
    key = (held.ability.key, domains)
    if key in run.rules.sources:
        known: tuple[str, int, tuple[str, ...], str] | None = run.rules.sources[key]
        return known
    node = held.ability.node
    assert isinstance(node, ast.ActivatedAbility)
    made = None
    spends = _self_cost(node.cost)
    if (
        spends is not None
        and adds_only(node.body)
        and "reaction" in {g.name.casefold() for g in held.ability.gates}
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
    from rulewright.engine.program.compile import walk

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
    usable = [s for s in sources(run, player) if may_spend(run, s.limit, player, item)]
    if item is not None and item.facts.get("exhausts"):
        usable = [s for s in usable if s.ref not in item.facts["exhausts"]]
    found: dict[Any, Plan] = {}
    for order in _orders(run, usable, energy, needed):
        plan = _fill(run, order, energy, list(needed))
        if plan is not None:
            found.setdefault(plan_likeness(run, plan), plan)
            if len(found) >= most:
                break
    return list(found.values())


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
            match = next((d for d in sorted(needed, key=_breadth) if matches_domain(d, kind)), None)
            if match is not None:
                needed.remove(match)
    return energy, sorted(needed, key=_breadth)


def _breadth(domain: str) -> int:
    return 99 if domain == "any" else domain.count("/")


def _orders(run: "Run", usable: list[Source], energy: int, needed: list[str]) -> Iterator[list[Source]]:
    """Yield the sources in different orders of preference: cheap ones first, then one sort of card before others."""
    ranked = sorted(usable, key=lambda s: (_dear(s), s.ref))
    yield ranked
    cards = list(dict.fromkeys(run.state.objects[s.ref].card for s in ranked))
    if len(cards) > 1:
        for card in cards:
            yield sorted(ranked, key=lambda s: (run.state.objects[s.ref].card != card, _dear(s)))


def _dear(source: Source) -> int:
    return {"exhaust": 0, "recycle": 2}.get(source.spends, 3) + (1 if source.limit else 0)


def _fill(run: "Run", order: Sequence[Source], energy: int, needed: list[str]) -> Plan | None:
    used: list[tuple[int, str]] = []
    gone: set[int] = set()
    tired: set[int] = set()
    power_refs: list[int] = []

    def use(source: Source) -> None:
        used.append((source.ref, source.held.ability.key))
        if "exhaust" in source.spends:
            tired.add(source.ref)
        if source.spends not in ("exhaust",):
            gone.add(source.ref)

    for domain in list(needed):
        source = _power_source(run, order, domain, gone, tired, bool(energy > 0))
        if source is None:
            return None
        use(source)
        power_refs.append(source.ref)
        needed.remove(domain)
        energy -= source.energy
    # A rune that is recycled anyway is exhausted for energy first.
    for source in sorted(order, key=lambda s: s.ref not in power_refs):
        if energy <= 0:
            break
        if (
            source.energy
            and source.ref not in tired
            and (source.ref not in gone or source.spends == "exhaust")
        ):
            use(source)
            energy -= source.energy
    if energy > 0:
        return None
    return tuple(sorted(used, key=lambda pair: "exhaust" not in _spends(order, pair)))


def _spends(order: Sequence[Source], pair: tuple[int, str]) -> str:
    return next(s.spends for s in order if s.ref == pair[0] and s.held.ability.key == pair[1])


def _power_source(
    run: "Run", order: Sequence[Source], domain: str, gone: set[int], tired: set[int], wants_energy: bool
) -> Source | None:
    for source in order:
        if source.ref in gone or ("exhaust" in source.spends and source.ref in tired):
            continue
        if any(matches_domain(domain, offered) for offered in source.power):
            return source
    return None


def can_pay(run: "Run", player: int, price: Price, item: ChainItem | None = None) -> bool:
    """Tell whether a player has or can add the resources of a price."""
    if not price.energy and not price.total_power:
        return True
    if run.payable_key != (run.state.moment, player):
        run.payable_key, run.payable = (run.state.moment, player), {}
        restricted = any(source.limit for source in sources(run, player))
        run.payable["restricted"] = restricted or any(limit for _, _, limit in run.state.players[player].pool)
    if run.payable["restricted"] or (item is not None and item.facts.get("exhausts")):
        return bool(plans(run, player, price, item, 1))
    key = (price.energy, *sorted(price.power.items()))
    known = run.payable.get(key)
    if known is None:
        known = run.payable[key] = bool(plans(run, player, price, item, 1))
    return known


def ask_plan(run: "Run", player: int, price: Price, item: ChainItem | None, rule: str) -> Plan | None:
    """Let a player choose how the resources are made; nothing where they cannot be."""
    found = plans(run, player, price, item)
    if not found:
        return None
    options = [
        Option(f"plan:{position}", "plan", describe_plan(run, plan), position, rule=rule)
        for position, plan in enumerate(found)
    ]
    return found[int(run.ask(player, "pay", f"Pay {price}", options, rule))]


def describe_plan(run: "Run", plan: Plan) -> str:
    """Say what a plan uses."""
    if not plan:
        return "from the pool"
    words: dict[str, int] = {}
    for ref, key in plan:
        node = run.rules.node(key)
        while isinstance(node, ast.Gated):
            node = node.ability
        spends = " and ".join(
            "exhaust" if isinstance(part, ast.ExhaustThis) else getattr(part, "verb", "use")
            for part in node.cost.parts
        )
        text = f"{spends} {run.name(ref)}"
        words[text] = words.get(text, 0) + 1
    return ", ".join(f"{text} x{count}" if count > 1 else text for text, count in words.items())


def pay_resources(
    run: "Run", player: int, price: Price, plan: Plan, item: ChainItem | None, cause: str
) -> None:
    """Use the abilities of a plan and take the price out of the pool (357.1, 444.1)."""
    from rulewright.engine.events.happening import happen

    for ref, key in plan:
        use_source(run, player, ref, key)
    events: list[Event] = []
    pool = list(run.state.players[player].pool)
    energy = price.energy
    needed = sorted((d for d, n in price.power.items() for _ in range(n)), key=_breadth)
    spent: dict[str, int] = {}
    for kind, count, limit in sorted(pool, key=lambda entry: (not entry[2], entry[0] == "any")):
        if not may_spend(run, limit, player, item):
            continue
        if kind == "energy":
            taken = min(count, energy)
            energy -= taken
        else:
            taken = 0
            for _ in range(count):
                match = next((d for d in needed if matches_domain(d, kind)), None)
                if match is not None:
                    needed.remove(match)
                    taken += 1
        if taken:
            spent[f"{kind}|{limit}"] = taken
    for word, taken in spent.items():
        events.append(
            Event("pay", agent=player_ref(player), object=player_ref(player), amount=taken, word=word)
        )
    for event in events:
        event.using = item.id if item is not None else NOBODY
        event.cause = cause
    if events:
        happen(run, events)


def use_source(run: "Run", player: int, ref: int, key: str) -> None:
    """Use one ability that adds resources; it is finalized and resolves at once (429.3.a)."""
    from rulewright.engine.events.happening import happen

    source = next(s for s in sources(run, player) if s.ref == ref and s.held.ability.key == key)
    you = player_ref(player)
    node = source.held.ability.node
    assert isinstance(node, ast.ActivatedAbility)
    for part in node.cost.parts:
        verb = "exhaust" if isinstance(part, ast.ExhaustThis) else getattr(part, "verb", "exhaust")
        happen(run, [Event(verb, agent=you, object=ref, cause=key, using=ref)])
    rules = source.held.ability.rules
    events = []
    if source.energy:
        events.append(
            Event("add", you, object=you, amount=source.energy, word=f"energy|{source.limit}", rules=rules)
        )
    for domain in source.power:
        events.append(Event("add", you, object=you, amount=1, word=f"{domain}|{source.limit}", rules=rules))
    for event in events:
        event.cause = key
        event.using = ref
    happen(run, events)


# ------------------------------------------------------------------------------------ non-standard costs


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
        _part_payable(run, player, part, scope, f"{path}.parts.{position}")
        for position, part in enumerate(cost.parts)
    )


def _part_payable(run: "Run", player: int, part: Any, scope: Scope, path: str) -> bool:
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
    if part.kind in run.rules.terms.get("counters", {}):
        return len(counter_holders(run, player, part, scope, path)) >= wanted
    return run.resource(player, part.kind) >= wanted


def counter_holders(run: "Run", player: int, part: ast.Resource, scope: Scope, path: str) -> list[int]:
    """Give the objects from which a player may spend a counter (702.2.b, 745.2)."""
    if part.of is not None and not isinstance(part.of, ast.Player):
        pool: Iterable[int] = select.refs(run, part.of, scope, f"{path}.of")
    else:
        pool = run.board()
    return [
        ref
        for ref in pool
        if ref in run.state.objects
        and run.state.objects[ref].counters.get(part.kind)
        and run.controller(ref) == player
    ]


def action_payable(run: "Run", player: int, part: ast.Action, scope: Scope, path: str) -> bool:
    """Tell whether an action that is a cost can be done in full (203.3)."""
    from rulewright.engine.instructions.verbs import cost_candidates

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
