"""Paying: which plan a player follows, and the events that a payment consists of (357, 429.3)."""

from typing import TYPE_CHECKING

from rulewright.engine.events.happening import happen
from rulewright.engine.query.payment import Plan, Source, breadth, may_spend, plans, source_of
from rulewright.engine.query.price import Price, matches_domain
from rulewright.engine.query.reads import kind_of
from rulewright.engine.state.objects import NOBODY, ChainItem, Event, Option, player_ref
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def ask_plan(run: "Run", player: int, price: Price, item: ChainItem | None, rule: str) -> Plan | None:
    """Let a player choose how the resources are made; nothing where they cannot be."""
    found = plans(run, player, price, item)
    if not found:
        return None
    # Where there is no choice, or it has been made, nobody reads what the plans are.
    is_read = len(found) > 1 and not run.is_answered()
    options = [
        Option(f"plan:{position}", "plan", describe_plan(run, plan) if is_read else "", position, rule=rule)
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
    parts = sorted(plan, key=lambda part: _is_of_card(run, *part))
    uses = [_use(player, source_of(run, player, ref, key)) for ref, key in parts]
    if any(kind_of(run, event.verb).noticed for use in uses for event in use):
        for ref, key in parts:
            use_source(run, player, ref, key)
    elif uses:
        # One ability is used after the other; where nobody sees a difference they are used in one go.
        happen(run, [event for use in uses for event in use])
    events: list[Event] = []
    pool = list(run.state.players[player].pool)
    energy = price.energy
    needed = sorted((d for d, n in price.power.items() for _ in range(n)), key=breadth)
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


def _is_of_card(run: "Run", ref: int, key: str) -> bool:
    """Tell whether an object has an ability from its own card.

    What it has from another is used before: that other may be used up by its own ability, as Gold is.
    """
    script = run.script_of(run.state.objects[ref])
    return any(held.ability.key == key for held in script.traits.abilities)


def use_source(run: "Run", player: int, ref: int, key: str) -> None:
    """Use one ability that adds resources; it is finalized and resolves at once (429.3.a)."""
    use = _use(player, source_of(run, player, ref, key))
    for event in use:
        if event.verb != "add":
            happen(run, [event])
    happen(run, [event for event in use if event.verb == "add"])


def _use(player: int, source: Source) -> list[Event]:
    """Give what the use of a source consists of: what is done for its cost, and then what is added."""
    you, ref, key = player_ref(player), source.ref, source.held.ability.key
    node = source.held.ability.node
    assert isinstance(node, ast.ActivatedAbility)
    use = []
    for part in node.cost.parts:
        verb = "exhaust" if isinstance(part, ast.ExhaustThis) else getattr(part, "verb", "exhaust")
        use.append(Event(verb, agent=you, object=ref, using=ref, cause=key))
    energy = [(source.energy, "energy")] if source.energy else []
    for amount, kind in (*energy, *((1, domain) for domain in source.power)):
        word = f"{kind}|{source.limit}"
        added = Event("add", agent=you, object=you, amount=amount, word=word, using=ref, cause=key)
        added.rules = source.held.ability.rules
        use.append(added)
    return use
