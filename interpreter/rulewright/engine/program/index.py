"""The abilities of an object in the order in which the engine asks for them: keywords expanded, passives by effect."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulewright.engine.state.traits import Held, Index, Sort, Traits
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ruleset import Ruleset

Template = tuple[Held, Any, str, tuple[tuple[Any, str], ...]]
"""A passive effect as an ability has it: the ability, the effect, its path, and its conditions with their paths."""


def templates(held: Held) -> Iterator[Template]:
    """Yield the effects of a passive ability, each with the conditions that it stands under."""
    node = held.ability.node
    if not isinstance(node, ast.PassiveAbility):
        return
    where = f"{held.ability.prefix}." if held.ability.prefix else ""
    conditions: tuple[tuple[Any, str], ...] = ()
    if node.condition is not None:
        conditions = ((node.condition, f"{where}condition"),)
    for position, effect in enumerate(node.effects):
        for inner, path, under in flattened(effect, f"{where}effects.{position}", conditions):
            yield held, inner, path, under


def flattened(
    effect: Any, path: str, conditions: tuple[tuple[Any, str], ...]
) -> Iterator[tuple[Any, str, tuple[tuple[Any, str], ...]]]:
    """Yield an effect, or those under a further condition, with paths and conditions."""
    if isinstance(effect, ast.Also):
        conditions = (*conditions, (effect.condition, f"{path}.condition"))
        for position, inner in enumerate(effect.effects):
            yield from flattened(inner, f"{path}.effects.{position}", conditions)
    else:
        yield effect, path, conditions


def expand(rules: "Ruleset", held: Held) -> tuple[Held, ...]:
    """Give an ability, or the abilities that the keyword stands for."""
    if held.ability.kind != "keyword" or held.ability.instance is None:
        return (held,)
    inner = rules.keyword_abilities(held.ability.instance)
    gates, node = held.ability.gates, held.ability.node
    more = isinstance(node, ast.KeywordAbility) and (node.effects or node.restriction or node.frequency)
    if not gates and not more:
        return inner
    told = held.ability if more else None
    return tuple(
        Held(
            replace(other.ability, gates=(*gates, *other.ability.gates), told=told), held.this, held.bindings
        )
        for other in inner
    )


def extra_instances(now: Traits) -> tuple[ast.Keyword, ...]:
    """Give the keywords that an object has been given, besides its printed ones."""
    given = list(now.instances)
    for held in now.inactive:
        # 135.4.b: the same keyword given to an attached card is active, the printed one is not.
        if held.ability.instance in given:
            given.remove(held.ability.instance)
    return tuple(keyword for keyword in given if keyword not in _printed(now))


def _printed(now: Traits) -> tuple[ast.Keyword, ...]:
    return tuple(
        held.ability.instance
        for held in now.abilities
        if held.ability.instance is not None and held not in now.inactive
    )


def sorts(effect: Any) -> tuple[Sort, ...]:
    """Give what an effect is looked for by: its type, and the verb of what it permits, forbids or changes."""
    action = getattr(effect, "action", None)
    kind = type(effect)
    if isinstance(effect, ast.Modify):
        parts = effect.subject.parts if isinstance(effect.subject, ast.Group) else (effect.subject,)
        return (kind, (kind, OF_ABILITIES)) if any(map(speaks_of_abilities, parts)) else (kind,)
    return (kind, (kind, action.verb)) if isinstance(action, ast.Action) else (kind,)


OF_ABILITIES = "ability"
"""What stands in the place of a verb for changes of abilities: "Your [Equip] abilities have [Reaction]"."""


def speaks_of_abilities(what: Any) -> bool:
    """Tell whether words describe abilities on the chain, not objects."""
    return isinstance(what, ast.AbilityText) or (isinstance(what, ast.Objects) and "ability" in what.nouns)


def type_of(sort: Sort) -> type:
    """Give the type of the effects of a sort."""
    return sort[0] if isinstance(sort, tuple) else sort


Kind = str | type
"""A sort of abilities, or the type of an effect that passive ones have."""

ANY_KIND: frozenset[Kind] = frozenset(("triggered", "replacement", "activated"))
"""The sorts of abilities that are looked for on every object: what watches for events, and what can be used."""

ANYTHING = object
"""Among the kinds that are given: that they may be any, as those that other objects have."""


def given_kinds(rules: "Ruleset", key: str, path: str, effect: Any) -> frozenset[Kind]:
    """Give the sorts of abilities that an effect may give to objects or take from them.

    ``key`` and ``path`` say where the effect's words are.
    """
    if not isinstance(effect, ast.Modify):
        return _NO_KIND
    found = rules.given.get((key, path))
    if found is None:
        found = rules.given[key, path] = _given_by(rules, key, path, effect)
    return found


_NO_KIND: frozenset[Kind] = frozenset()


def _given_by(rules: "Ruleset", key: str, path: str, effect: ast.Modify) -> frozenset[Kind]:
    found: set[Kind] = set()
    for position, change in enumerate(effect.changes):
        what = change.what if isinstance(change, ast.Gains) else None
        if isinstance(what, ast.Keyword):
            found |= _kinds(rules, rules.keyword_abilities(what))
        elif isinstance(what, ast.CardText):
            quoted = rules.quoted(key, f"{path}.changes.{position}.what", what)
            found |= _kinds(rules, [inner for one in quoted for inner in expand(rules, Held(one))])
        elif isinstance(change, ast.Loses):
            # What a keyword governs: any that there are.
            found |= ANY_KIND
        elif what is not None and not is_of_tags(what):
            # Keywords and abilities that others have.
            found |= {*ANY_KIND, ANYTHING}
    return frozenset(found)


def is_of_tags(what: Any) -> bool:
    """Tell whether what something gains are tags: "I'm a Cat", "I gain that tag"."""
    return isinstance(what, ast.HasTag) or (isinstance(what, ast.Reference) and what.nouns == ("tag",))


def alters_abilities(effect: Any) -> bool:
    """Tell whether an effect gives objects abilities or keywords, or takes them: not Might and tags alone."""
    return isinstance(effect, ast.Modify) and any(
        isinstance(change, ast.Loses) or (isinstance(change, ast.Gains) and not is_of_tags(change.what))
        for change in effect.changes
    )


def _kinds(rules: "Ruleset", abilities: Collection[Held]) -> set[Kind]:
    found: set[Kind] = {held.ability.kind for held in abilities}
    for held in abilities:
        for _, effect, path, _ in templates(held):
            found.add(type(effect))
            found |= given_kinds(rules, held.ability.key, path, effect)
    return found


def index_of(rules: "Ruleset", now: Traits) -> Index:
    """Give the abilities that traits come with, sorted; what keywords stand for is put in."""
    found = now.index
    if found is None:
        found = now.index = _indexed(tuple(_expanded(rules, now)))
    return found


def _expanded(rules: "Ruleset", now: Traits) -> Iterator[Held]:
    printed: set[str] = set()
    for held in now.abilities:
        if held in now.inactive:
            continue
        instance = held.ability.instance
        if held.ability.kind == "keyword" and instance is not None and not held.ability.gates:
            # 816.2.a, 819.2: printed twice, a keyword is still one ability where its entry says no more.
            if instance.name.casefold() in printed and not rules.keyword_repeats(instance.name):
                continue
            printed.add(instance.name.casefold())
        yield from expand(rules, held)
    extra = extra_instances(now)
    if not extra:
        return
    counted: set[str] = {keyword.name.casefold() for keyword in _printed(now)}
    for instance in extra:
        name = instance.name.casefold()
        if name in counted and not rules.keyword_repeats(name):
            continue
        counted.add(name)
        yield from rules.keyword_abilities(instance)


def _indexed(expanded: tuple[Held, ...]) -> Index:
    made = Index(expanded)
    kinds: dict[str, list[Held]] = {}
    effects: dict[Sort, list[Template]] = {}
    watching: dict[tuple[str, str], list[Held]] = {}
    for held in expanded:
        kinds.setdefault(held.ability.kind, []).append(held)
        # 366.1, 385.2: what speaks of another zone as its own works there and not on the board.
        for verb in () if held.ability.elsewhere else held.ability.verbs:
            watching.setdefault((held.ability.kind, verb), []).append(held)
        for template in templates(held):
            for sort in sorts(template[1]):
                effects.setdefault(sort, []).append(template)
            if isinstance(template[1], ast.Modify) and not held.ability.outward:
                made.own_changes = True
    made.by_kind = {kind: tuple(group) for kind, group in kinds.items()}
    made.activated = made.by_kind.get("activated", ())
    made.effects = {sort: tuple(group) for sort, group in effects.items()}
    made.watching = {key: tuple(group) for key, group in watching.items()}
    return made
