"""What something costs: printed and asked costs, and the total in its steps (201-206, 356)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.compile import CompileError, needs_choice
from rulewright.engine.program.index import OF_ABILITIES, speaks_of_abilities
from rulewright.engine.program.ruleset import Script
from rulewright.engine.query import layers, select
from rulewright.engine.query.own_words import own_words
from rulewright.engine.state.objects import NOBODY, ChainItem, Event, Scope, player_ref
from rulewright.engine.state.traits import Held, Traits
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


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
            domain = own_domain(own or domains_of(run, scope)) if part.domain == "own" else part.domain
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
    return run.printed(run.self_of(scope, ast.Self())).domains


def own_domain(domains: Sequence[str]) -> str:
    """Give what [C] stands for on a card of some domains: any power where it has none."""
    return "/".join(sorted(domains)) if domains else "any"


def printed_price(run: "Run", ref: int) -> Price:
    """Give the printed or copied cost of a card (206), which nobody may change; a token's is 0 (185.3.a.1)."""
    traits, found = run.traits(ref), run.state.objects.get(ref)
    script = run.script_of(found) if found is not None else None
    if script is None or traits is not script.traits:
        return _price_on(traits)
    if script.price is None:
        script.price = _price_on(traits)
    kept: Price = script.price
    return kept


def _price_on(traits: Traits) -> Price:
    made = Price(traits.figures.get("energy", 0))
    power = traits.figures.get("power", 0)
    if power:
        made.power[own_domain(traits.domains)] = power
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


def total_price(run: "Run", item: ChainItem) -> Price:
    """Give the total cost of an item on the chain with the choices made for it, in the steps of the rules (356)."""
    return _priced(run, item, list(cost_changes(run, item)))


def possible_prices(run: "Run", item: ChainItem) -> Iterator[Price]:
    """Yield the total cost for each choice that its changes leave (356.4): one where they leave none."""
    changes = list(cost_changes(run, item))
    left = _open_among(changes)
    if not left:
        yield _priced(run, item, changes)
        return
    for chosen in product(*(range(len(cost.options)) for _, cost, _ in left)):
        facts = {f"option:{key}": position for (key, _, _), position in zip(left, chosen, strict=True)}
        with item.supposing(facts):
            price = _priced(run, item, changes)
        yield price


def _priced(run: "Run", item: ChainItem, changes: "Changes") -> Price:
    if not run.rules.cost_steps:
        raise CompileError("the rules have no table 'cost-steps'", place=run.rules.rules.game)
    price = Price()
    for step in run.rules.cost_steps:
        price = _STEPS[step](run, item, price, changes)
    return price


Changes = list[tuple[layers.Active, int]]
"""What changes the cost of an item, and how many times over."""


def _base(run: "Run", item: ChainItem, price: Price, changes: Changes) -> Price:
    """356.1: add the base cost, which may be another one or be ignored."""
    base = base_price(run, item)
    for active, _ in changes:
        if active.effect.change == "ignore" and active.effect.part != "any-cost":
            _ignore(base, active.effect.part)
        elif active.effect.change == "becomes":
            base = _change_price(run, active, item)
    for part in (*item.facts.get("ignore", ()), *ignored_parts(run, item)):
        _ignore(base, part)
    price.add(base)
    return price


def base_price(run: "Run", item: ChainItem) -> Price:
    """Give the base cost of an item, before anything changes it: what is printed, or stands before the ":" (204.1)."""
    facts = item.facts
    if "instead" in facts:
        return Price.from_data(facts["instead"])
    if item.object:
        return printed_price(run, item.object).copy()
    if "cost" not in facts:
        return Price()
    key, path = facts["cost"]
    scope = item.scope.copy()
    scope.ability = key
    return price_of(run, run.rules.node(key, path), scope, path)


def _additional(run: "Run", item: ChainItem, price: Price, changes: Changes) -> Price:
    """356.2: add the additional costs."""
    for key, path in item.facts.get("extra", ()):
        price.add(_component(run, item, key, path))
    return price


def _increases(run: "Run", item: ChainItem, price: Price, changes: Changes) -> Price:
    """356.3: add what makes it cost more."""
    for active, times in changes:
        if active.effect.change == "more":
            price.add(_change_price(run, active, item), times)
    return price


def _discounts(run: "Run", item: ChainItem, price: Price, changes: Changes) -> Price:
    """356.4: take off what makes it cost less."""
    _discount(
        run, item, price, [(active, times) for active, times in changes if active.effect.change == "less"]
    )
    for plain in item.facts.get("less", ()):
        price.take(Price.from_data(plain))
    return price


def _total(run: "Run", item: ChainItem, price: Price, changes: Changes) -> Price:
    """356.5.a: where any and all costs are ignored nothing is left of it."""
    ignored = any(
        active.effect.change == "ignore" and active.effect.part == "any-cost" for active, _ in changes
    )
    return Price() if ignored or item.facts.get("free") else price


_STEPS: dict[str, Callable[["Run", ChainItem, Price, Changes], Price]] = {
    "base": _base,
    "additional": _additional,
    "increases": _increases,
    "discounts": _discounts,
    "total": _total,
}
"""What the steps of the rules' table do to a price (356)."""


def ignored_parts(run: "Run", item: ChainItem) -> list[str]:
    """Give the costs that an item's own text says to ignore: "If you paid the additional cost, ignore this's cost"."""
    if not item.object or not item.scope.ability:
        return []
    return [
        stat
        for stat, condition, path in run.rules.ignoring(item.scope.ability)
        if condition is None or select.holds(run, condition, item.scope, path)
    ]


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
    _discount(run, item, price, [(active, _times(run, active)) for active in matching])
    return price


def _discount(
    run: "Run", item: ChainItem, price: Price, discounts: Sequence[tuple[layers.Active, int]]
) -> None:
    """Take discounts off a price, each so many times.

    356.4.c.1, 356.4.d.1: in any order; those with a minimum of their own first leave the payer best off.
    """
    if not discounts:
        return
    for active, times in sorted(discounts, key=lambda pair: pair[0].effect.minimum is None):
        price.take(_change_price(run, active, item), times, _minimum(run, active))


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


def _change_price(run: "Run", active: layers.Active, item: ChainItem) -> Price:
    cost = active.effect.cost
    path = f"{active.path}.cost"
    if isinstance(cost, ast.CostOptions):
        # Until its player has chosen, the first of several counts.
        chosen = item.facts.get(f"option:{change_key(active)}", 0)
        return price_of(run, cost.options[chosen], active.scope, f"{path}.options.{chosen}")
    return price_of(run, cost, active.scope, path) if cost is not None else Price()


def change_key(active: layers.Active) -> str:
    """Give the key under which an item keeps which of several changes of its cost its player has chosen."""
    return f"{active.scope.source}:{active.scope.ability}|{active.path}"


def open_changes(run: "Run", item: ChainItem) -> list[tuple[str, ast.CostOptions, layers.Active]]:
    """Give the changes of an item's cost that leave a choice: "[1] or [A] less"; each by its key (356.4)."""
    return _open_among(cost_changes(run, item))


def _open_among(
    changes: Iterable[tuple[layers.Active, int]],
) -> list[tuple[str, ast.CostOptions, layers.Active]]:
    return [
        (change_key(active), active.effect.cost, active)
        for active, _ in changes
        if isinstance(active.effect.cost, ast.CostOptions)
    ]


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


def cost_path(held: Held) -> str:
    """Give where the cost is in the meaning of an ability."""
    return f"{held.ability.prefix}.cost" if held.ability.prefix else "cost"


def additional_costs(run: "Run", item: ChainItem) -> list[tuple[Held, Any, bool]]:
    """Give the additional costs of an item: a card's own, and those that effects have given to it (356.2)."""
    found: list[tuple[Held, Any, bool]] = []
    if not item.object:
        # 820.1.a: an ability has what effects say that it has.
        return [
            (held, held.ability.node.cost, held.ability.node.optional)
            for held in _given_to_ability(run, item)
            if isinstance(held.ability.node, ast.AdditionalCost)
        ]
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


def _given_to_ability(run: "Run", item: ChainItem) -> Iterator[Held]:
    """Yield the abilities of the keywords that effects give to an ability: "My abilities have [Repeat] [1]"."""
    for keyword in keywords_given(run, item):
        yield from run.rules.keyword_abilities(keyword)


def keywords_given(run: "Run", item: ChainItem) -> Iterator[ast.Keyword]:
    """Yield the keywords that effects give to an ability on the chain, or to the one that is thought of."""
    for active in layers.effects(run, ast.Modify, verb=OF_ABILITIES):
        subject, path = active.effect.subject, f"{active.path}.subject"
        parts = subject.parts if isinstance(subject, ast.Group) else (subject,)
        where = [f"{path}.parts.{i}" for i in range(len(parts))] if isinstance(subject, ast.Group) else [path]
        if not any(
            speaks_of_abilities(part) and _fits(run, part, item, active, place)
            for part, place in zip(parts, where, strict=True)
        ):
            continue
        for change in active.effect.changes:
            if isinstance(change, ast.Gains) and isinstance(change.what, ast.Keyword):
                yield change.what


def choices_in_costs(run: "Run", item: ChainItem) -> list[tuple[str, str, ast.Objects]]:
    """Give what must be chosen for additional costs before the price is known, because the price depends on it.

    Each is the key of the cost's ability, the path of the words that choose, and the words.
    """
    if not item.facts.get("extra"):
        return []
    own = layers.specific_effects(run, item.object, ast.CostChange)
    if not run.rules.speaks_of_payment(item.scope.ability) and not any(
        _on_what_is_paid(active.effect.per) for active in own
    ):
        return []
    return list(_chosen_as_payment(run, item.facts["extra"]))


def _chosen_as_payment(
    run: "Run", costs: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str, ast.Objects]]:
    for key, path in costs:
        for position, part in enumerate(getattr(run.rules.node(key, path), "parts", ())):
            if (
                isinstance(part, ast.Action)
                and isinstance(part.object, ast.Objects)
                and needs_choice(part.object)
            ):
                yield key, f"{path}.parts.{position}.object", part.object


def possible_payments(run: "Run", item: ChainItem) -> list[tuple[int, ...]]:
    """Give what the additional costs of a card that must be paid may be paid with, one possibility after the other."""
    costs = [(held.ability.key, cost_path(held)) for held, _, free in additional_costs(run, item) if not free]
    found: list[tuple[int, ...]] = []
    for key, path, words in _chosen_as_payment(run, costs):
        scope = item.scope.copy()
        scope.ability = key
        found.extend((ref,) for ref in select.candidates(run, words, scope, path))
    return found


def _on_what_is_paid(per: Any) -> bool:
    of = per.of if isinstance(per, ast.StatOf) else per.what if isinstance(per, ast.CountOf) else None
    return isinstance(of, ast.Reference)


def cost_changes(run: "Run", item: ChainItem) -> Iterator[tuple[layers.Active, int]]:
    """Yield what changes the cost of an item, and how many times over."""
    ref = item.object or item.scope.source
    paid_with = item.facts.get("paid-with")
    for active in layers.effects(run, ast.CostChange, item.object):
        if changes_item(run, active, item, ref):
            if paid_with is not None and active.scope.source == item.object and not active.lasting:
                # "Less for each Energy it costs": it is what the additional cost is paid with.
                active = active.about(paid_with)
                if isinstance(active.effect.per, ast.CountOf) and _on_what_is_paid(active.effect.per):
                    yield active, len(paid_with)
                    continue
            if "spending" in item.facts and active.scope.source == item.object and _is_of_spending(active):
                yield active, item.facts["spending"]
                continue
            yield active, _times(run, active)
    if not item.object:
        yield from ((active, _times(run, active)) for active in own_changes(run, item))
    chosen = run.targets_of(item)
    for target in dict.fromkeys(chosen):
        if target <= 0 or target not in run.state.objects:
            continue
        for active in layers.specific_effects(run, target, ast.CostChange):
            if active.scope.bindings.get("keyword") in ignored_in_paying(run, item):
                continue
            if changes_item(run, active, item, ref):
                # 809.1.c: once for each time it is chosen.
                yield active, chosen.count(target) * _times(run, active)


def may_be_cheaper(run: "Run", ref: int) -> bool:
    """Tell at a glance whether anything may let a card that nobody plays yet cost less than is printed on it."""
    if not layers.standing(run, ref).printed or _may_ignore_costs(run, ref):
        return True
    return any(effect.change != "more" for effect in _changes_near(run, ref))


def costs_as_printed(run: "Run", ref: int) -> bool:
    """Tell at a glance that a card that nobody plays yet costs what is printed on it, and nothing else must be paid."""
    return not (
        _changes_near(run, ref)
        or _may_ignore_costs(run, ref)
        or any(
            isinstance(held.ability.node, ast.AdditionalCost) and not held.ability.node.optional
            for held in layers.abilities_of_kind(run, ref, "cost")
        )
    )


def _may_ignore_costs(run: "Run", ref: int) -> bool:
    """Tell whether a card's own text says that its costs are ignored, under a condition or none."""
    spell = run.script_of(run.state.objects[ref]).spell
    return spell is not None and bool(run.rules.ignoring(spell.key))


def _changes_near(run: "Run", ref: int) -> list[ast.CostChange]:
    """Give what may change the cost of a card, now or never: what no noun of a change can mean it is not for."""
    script = run.script_of(run.state.objects[ref])
    found = [
        active.effect
        for active in layers.active_effects(run).get(ast.CostChange, ())
        if _may_mean(run, active.effect.what, script)
        and (not isinstance(active.effect.what, ast.Self) or active.scope.source in run.line_of(ref))
    ]
    if layers.may_have(run, ref, ast.CostChange):
        own = layers.abilities_now(run, ref).effects.get(ast.CostChange, ())
        found += [effect for _, effect, _, _ in own if _may_mean(run, effect.what, script)]
    return found


def _may_mean(run: "Run", what: Any, script: Script) -> bool:
    """Tell at a glance whether the words for what costs more or less may mean a card: a card is no ability."""
    if isinstance(what, ast.Objects):
        # What changes a component of a cost leaves the card's own cost as it is.
        return any(noun != "ability" and select.may_mean(run, noun, script) for noun in what.nouns)
    return not isinstance(what, ast.AbilityText)


def _is_of_spending(active: layers.Active) -> bool:
    """ "Less for each buff you spend": as many as its additional cost will be paid with."""
    per = active.effect.per
    action = per.event.action if isinstance(per, ast.EventCount) else None
    return isinstance(action, ast.Action) and action.verb == "spend"


def ignored_in_paying(run: "Run", item: ChainItem) -> frozenset[str]:
    """765: give the keywords that are inactive while the costs of an item are paid."""
    found: set[str] = set()
    for active in layers.effects(run, ast.Ignores, item.object):
        effect, scope = active.effect, active.scope
        if effect.doing == "pay" and item.scope.controller in select.players(run, effect.who, scope):
            own = isinstance(effect.what, ast.Self) and scope.source == item.object
            if own or item.object in select.refs(run, effect.what, scope, f"{active.path}.what"):
                found.update(keyword.name.casefold() for keyword in effect.keywords)
    return frozenset(found)


def own_changes(run: "Run", item: ChainItem) -> Iterator[layers.Active]:
    """Yield the changes that an ability's own text makes to its cost ("This ability costs 1 less for each ...")."""
    return (active for active in own_words(run, item) if isinstance(active.effect, ast.CostChange))


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
