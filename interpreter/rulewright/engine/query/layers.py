"""Characteristics of objects, computed from printed traits and every effect on them, in layers (473-480).

The result is kept on the object until something changes that it may depend on. Layers are applied again and again
until nothing new applies (476); each effect applies once in all of that.
"""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.compile import CompileError
from rulewright.engine.program.index import (
    ANYTHING,
    Kind,
    Template,
    alters_abilities,
    expand,
    flattened,
    given_kinds,
    index_of,
    is_of_tags,
    sorts,
    templates,
    type_of,
)
from rulewright.engine.program.ruleset import Script, add_keyword
from rulewright.engine.query import select
from rulewright.engine.query.reads import given_tags, watched_verbs
from rulewright.engine.state.objects import NOBODY, GameObject, Lasting, Scope, next_stamp
from rulewright.engine.state.traits import Held, Index, Sort, Traits
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run

ROUNDS = 12
"""How often the layers are gone through at most; no card's effects come near it."""


class Active:
    """An effect that may apply now: its meaning, scope, timestamp, and the conditions that it stands under.

    ``passive`` effects look for their objects anew and are not snapshotted (477.3.b); the others name the objects.
    ``gives`` tells that it gives abilities or takes them. ``held`` is the ability that it is of, nothing for what
    lasts. ``shared`` tells that it is one of those that may reach beyond their own object: whether it is on is then
    remembered until something changes.
    """

    __slots__ = (
        "affected",
        "amounts",
        "conditional",
        "conditions",
        "effect",
        "gates",
        "gives",
        "held",
        "key",
        "known",
        "known_at",
        "lasting",
        "once",
        "path",
        "play",
        "scope",
        "shared",
        "timestamp",
    )

    def __init__(
        self,
        effect: Any,
        scope: Scope,
        path: str,
        timestamp: int,
        held: Held | None = None,
        conditions: tuple[tuple[Any, str], ...] = (),
        affected: tuple[int, ...] | None = None,
        amounts: tuple[Any, ...] = (),
        lasting: int = 0,
        once: bool = False,
    ) -> None:
        self.once = once
        self.known = True
        self.known_at = -1
        self.shared = False
        self.play: ast.Action | None = None
        """The play that a permission is for, once that has been asked."""
        self.effect = effect
        self.gives = alters_abilities(effect)
        self.scope = scope
        self.path = path
        self.timestamp = timestamp
        self.held = held
        self.gates: tuple[ast.Keyword, ...] = held.ability.gates if held is not None else ()
        self.conditions = conditions
        self.affected = affected
        self.amounts = amounts
        self.lasting = lasting
        self.conditional = bool(self.gates or conditions) or (held is not None and held.ability.superseded)
        self.key = (scope.source, scope.ability, path, lasting, timestamp)
        """What makes it another effect than others: of those with one key, one applies."""

    def about(self, refs: tuple[int, ...]) -> "Active":
        """Give the effect with "it" in its words bound to some objects."""
        scope = self.scope.copy()
        scope.bindings["it"] = refs
        return Active(
            self.effect,
            scope,
            self.path,
            self.timestamp,
            self.held,
            self.conditions,
            self.affected,
            self.amounts,
            self.lasting,
            self.once,
        )

    def on(self, run: "Run") -> bool:
        """Tell whether its gates are open, its conditions hold, and nothing stands in for it."""
        if not self.conditional:
            return True
        version = run.state.version
        if self.known_at == version:
            return self.known
        held = self.held
        result = (
            all(gate_open(run, gate, self.scope) for gate in self.gates)
            and all(select.holds(run, condition, self.scope, path) for condition, path in self.conditions)
            and not (
                held is not None and held.ability.superseded and _superseded(run, held, self.scope.source)
            )
        )
        if self.shared and not run.computing:
            # In the middle of the layers the answer may still change.
            self.known, self.known_at = result, version
        return result


def gate_open(run: "Run", gate: ast.Keyword, scope: Scope) -> bool:
    """Tell whether a dependent keyword's condition is met for the card it is on (727.1.b); others never close."""
    condition = run.rules.gate_condition(gate.name)
    if condition is None:
        return True
    inner = Scope(scope.controller, scope.source, f"keyword:{gate.name.casefold()}/0#abilities.0", scope.item)
    inner.bindings = {"keyword": gate.name.casefold(), "value": run.rules.keyword_value(gate)}
    for name in ("nobody", "played"):
        if name in scope.bindings:
            inner.bindings[name] = scope.bindings[name]
    return select.holds(run, condition, inner, "condition")


def made_active(run: "Run", template: Template, ref: int, found: GameObject) -> Active:
    """Give the effect of a template for an object."""
    held, effect, path, conditions = template
    return Active(effect, run.scope_of(ref, held), path, found.timestamp, held, conditions)


def effects_of(run: "Run", held: Held, ref: int, found: GameObject) -> Iterator[Active]:
    """Yield the effects of a passive ability on an object."""
    for template in templates(held):
        yield made_active(run, template, ref, found)


def _superseded(run: "Run", held: Held, ref: int) -> bool:
    """ "I cost [4] less instead": while that applies, the passive ability before it on the card does not."""
    after = run.rules.instead_of(held.ability.key)
    if after is None:
        return False
    scope = run.scope_of(ref, Held(after, held.this, held.bindings))
    prefix = f"{after.prefix}." if after.prefix else ""
    condition = getattr(after.node, "condition", None)
    return all(gate_open(run, gate, scope) for gate in after.gates) and (
        condition is None or select.holds(run, condition, scope, f"{prefix}condition")
    )


def active_effects(run: "Run") -> dict[Sort, list[Active]]:
    """Give every effect that may reach beyond its own object, by its sort, oldest first.

    Which there are depends on what lies on the board under whose control, on what lasts, and on whose turn it is;
    whether one is on is asked of it.
    """
    state = run.state
    if run.effects_at == state.version:
        return run.effects_cache
    run.effects_at = state.version
    key = run.effects_key
    if key[0] != state.layout or key[1] is not state.effects or key[2] != state.turn_player:
        run.effects_key = (state.layout, state.effects, state.turn_player)
        everything = list(_all_active(run))
        if everything != run.all_effects:
            run.all_effects, run.effects_cache = everything, _by_sort(everything)
        modifying, tags = run.effects_cache.get(ast.Modify, []), given_tags(run)
        reach = run.reach
        if modifying != reach.modifying or tags != reach.given_tags or run.links != reach.links:
            run.reach = Reach(modifying, tags, run.links)
            run.reach.gives = frozenset(kind for active in modifying for kind in _given_by(run, active))
    return run.effects_cache


def _by_sort(everything: list[Active]) -> dict[Sort, list[Active]]:
    found: dict[Sort, list[Active]] = {}
    for active in sorted(everything, key=attrgetter("timestamp")):
        active.shared = True
        for sort in sorts(active.effect):
            found.setdefault(sort, []).append(active)
    return found


class Reach:
    """Which effects may change which objects: those that name them, and those that look for objects of a sort.

    What no noun of an effect can mean it never reaches: types and names are as printed, and so are tags that no text
    of the game gives. So for each card it is found once which effects may be on it, on the board or in a zone
    beyond it. ``links`` says what is attached to what. Other objects may come and go: it is the same as long as all
    these are, and so is the :class:`Standing` of an object that stays where it is. That is kept on the object, with
    the ``stamp`` of the reach that it was found with; no other reach ever has the same.
    """

    __slots__ = (
        "beyond",
        "by_script",
        "given_tags",
        "gives",
        "links",
        "modifying",
        "named",
        "seeking",
        "stamp",
        "to_hosts",
        "usual",
    )

    def __init__(self, modifying: list[Active], given_tags: frozenset[str], links: tuple[Any, ...]) -> None:
        self.stamp = next_stamp()
        self.links = links
        self.modifying = modifying
        self.gives: frozenset[Kind] = frozenset()
        """The sorts of abilities, and types of effects, that any gives to objects or takes from them."""
        self.seeking: list[Active] = []
        self.to_hosts: list[Active] = []
        """Those on whatever an attached card is attached to: on nothing else (718)."""
        for active in modifying:
            if active.affected is None:
                hosts = isinstance(active.effect.subject, ast.HostOf)
                (self.to_hosts if hosts else self.seeking).append(active)
        self.named: dict[int, list[Active]] = {}
        for active in modifying:
            for ref in dict.fromkeys(active.affected or ()):
                self.named.setdefault(ref, []).append(active)
        self.given_tags = given_tags
        self.by_script: dict[Script, list[Active]] = {}
        self.beyond: dict[tuple[Script, str], list[Active]] = {}
        self.usual: dict[tuple[Script, str], Standing] = {}
        """What is known of all objects of a card in a zone: of those that no effect names and that nothing is on."""

    def of(self, run: "Run", found: GameObject, script: Script) -> list[Active]:
        """Give the effects that may be on an object of a card, oldest first."""
        if not run.rules.zones[found.zone].board:
            return self._off_board(run, found.zone, script)
        looking = self._looking_for(run, script)
        named = self.named.get(found.id, [])
        worn = self.to_hosts if self.to_hosts and run.attached(found.id) else []
        if not named and not worn:
            return looking
        return sorted((*named, *looking, *worn), key=attrgetter("timestamp"))

    def _off_board(self, run: "Run", zone: str, script: Script) -> list[Active]:
        reaching = self.beyond.get((script, zone))
        if reaching is None:
            reaching = [active for active in self._looking_for(run, script) if _reaches(run, active, zone)]
            self.beyond[script, zone] = reaching
        return reaching

    def _looking_for(self, run: "Run", script: Script) -> list[Active]:
        looking = self.by_script.get(script)
        if looking is None:
            looking = [active for active in self.seeking if _may_mean(run, active, script)]
            self.by_script[script] = looking
        return looking


def _may_mean(run: "Run", active: Active, script: Script) -> bool:
    subject = active.effect.subject
    nouns = getattr(subject, "nouns", ())
    if not nouns and active.held is not None and isinstance(subject, ast.Reference):
        nouns = _nouns_before(run, subject, active.scope)
    return not nouns or any(select.may_mean(run, noun, script) for noun in nouns)


def _nouns_before(run: "Run", subject: ast.Reference, scope: Scope) -> tuple[str, ...]:
    """Give the nouns of what "it" stands for in a passive ability: "while a friendly unit defends alone, it has"."""
    if subject.role != "it" or subject.antecedent in (None, "self") or subject.antecedent in scope.bindings:
        return ()
    spoken = run.antecedent(scope, subject.antecedent)
    return spoken.nouns if isinstance(spoken, ast.Objects) else ()


class Standing:
    """What is known of an object for as long as it stays in its zone and no effect on objects begins or ends.

    ``outside`` are the effects, beside its own, that may be on it. ``printed`` tells that nothing but counters and a
    Might that it was made with can make it another than its card. ``index`` are its abilities where no effect gives it
    any or takes one, ``given`` the kinds that effects may give or take, ``kinds`` all that it may have: nothing where
    these may be any.
    """

    __slots__ = ("given", "index", "kinds", "outside", "printed")

    def __init__(
        self,
        outside: list[Active],
        printed: bool,
        index: Index | None,
        given: frozenset[Kind],
        kinds: frozenset[Kind] | None,
    ) -> None:
        self.outside = outside
        self.printed = printed
        self.index = index
        self.given = given
        self.kinds = kinds


def standing(run: "Run", ref: int) -> Standing:
    """Give what is known of an object until it goes to another zone, or the effects or attachments change."""
    state = run.state
    if run.effects_at != state.version:
        active_effects(run)
    found = state.objects.get(ref)
    if found is None:
        return _ABSENT
    reach = run.reach
    if found.standing_stamp != reach.stamp:
        script = found.script or run.script_of(found)
        linked = bool(found.attached_to or run.attached(ref))
        if linked or ref in reach.named:
            known = _standing(run, found, script, linked)
        else:
            known = reach.usual.get((script, found.zone)) or _standing(run, found, script, linked)
            reach.usual[script, found.zone] = known
        found.standing, found.standing_stamp = known, reach.stamp
    kept: Standing = found.standing
    return kept


_ABSENT = Standing([], False, None, frozenset(), frozenset())
"""What is no object, or is gone: nothing is among its own abilities."""


def _standing(run: "Run", found: GameObject, script: Script, linked: bool) -> Standing:
    outside = run.reach.of(run, found, script)
    board = run.rules.zones[found.zone].board
    if outside or linked:
        return _standing_under(run, found, script, linked, outside, board)
    known: Standing | None = script.standings.get(board)
    if known is None:
        known = script.standings[board] = _standing_under(run, found, script, linked, outside, board)
    return known


def _standing_under(
    run: "Run", found: GameObject, script: Script, linked: bool, outside: list[Active], board: bool
) -> Standing:
    # 366.1: what its own abilities change works on the board alone.
    inward = script.inward and board
    giving = [active for active in outside if active.gives]
    lent = run.lent(found.id) if linked else ()
    lending = [
        given_kinds(run.rules, inner.ability.key, path, effect)
        for held in lent
        for inner in expand(run.rules, held)
        for _, effect, path, _ in templates(inner)
        if alters_abilities(effect)
    ]
    given = script.self_granting.union(*(_given_by(run, active) for active in giving), *lending)
    index = None
    if not (script.gives_itself or giving or lending):
        index = _index_with(run, script.traits_attached() if found.attached_to else script.traits, lent)
    kinds: frozenset[Kind] | None = script.kinds | given
    if linked:
        kinds = frozenset((*index.by_kind, *map(type_of, index.effects))) if index is not None else None
    return Standing(
        outside,
        not (inward or linked or outside),
        index,
        given,
        None if ANYTHING in given else kinds,
    )


def _index_with(run: "Run", printed: Traits, lent: tuple[Held, ...]) -> Index:
    """Give the abilities of a card with those that attached cards append to its text (477.2.c)."""
    if not lent:
        return index_of(run.rules, printed)
    made = printed.copy()
    made.abilities = (*made.abilities, *lent)
    return index_of(run.rules, made)


def _given_by(run: "Run", active: Active) -> frozenset[Kind]:
    return given_kinds(run.rules, active.scope.ability, active.path, active.effect)


def may_have(run: "Run", ref: int, kind: Kind) -> bool:
    """Tell whether an object may have abilities of a sort, or with an effect of a type, among its own."""
    kinds = standing(run, ref).kinds
    return kinds is None or kind in kinds


def _whose(run: "Run", found: GameObject) -> tuple[int, ...]:
    """Give what the scopes of an object's abilities depend on: its controller, and who acts for one that has none."""
    controller = run.controller(found.id)
    return (controller, found.timestamp, run.state.turn_player if controller < 0 else -1)


def _all_active(run: "Run") -> Iterator[Active]:
    state = run.state
    for ref in run.reaching():
        found = state.objects[ref]
        script = run.script_of(found)
        whose = _whose(run, found)
        kept = run.outward.get(ref)
        if kept is None or kept[0] is not script or kept[1] != whose:
            made = [made_active(run, template, ref, found) for template in script.outward]
            kept = run.outward[ref] = (script, whose, made)
        yield from kept[2]
    if state.facts.get("attachments") or state.effects:
        yield from _lent_and_granted(run)
    for lasting in state.effects:
        if lasting.kind == "effect":
            yield from _lasting(run, lasting)


def _lent_and_granted(run: "Run") -> Iterator[Active]:
    """Yield what attached cards and effects have given to objects and reaches beyond these."""
    named = {
        ref for lasting in run.state.effects if lasting.kind == "effect" for ref in lasting.affected or ()
    }
    concerned = named.union(run.hosts())
    for ref in run.board():
        if ref not in concerned:
            continue
        worn, found = run.attached(ref), run.state.objects[ref]
        lent = run.lent(ref) if worn else ()
        for held in (*lent, *run.granted_outward(ref)):
            if held.ability.outward:
                yield from effects_of(run, held, ref, found)


def _lasting(run: "Run", lasting: Lasting) -> list[Active]:
    """Give the effects that last: made once for as long as they do."""
    kept = run.lasting_effects.get(lasting.id)
    if kept is None or kept[0] is not lasting:
        kept = run.lasting_effects[lasting.id] = (lasting, list(_made_of(run, lasting)))
    return kept[1]


def _made_of(run: "Run", lasting: Lasting) -> Iterator[Active]:
    effect = run.rules.node(lasting.scope.ability, lasting.node)
    conditions: tuple[tuple[Any, str], ...] = ()
    if lasting.until.startswith("while:"):
        path = f"{lasting.until[6:]}.condition"
        conditions = ((run.rules.node(lasting.scope.ability, path), path),)
    for inner, path, under in flattened(effect, lasting.node, conditions):
        yield Active(
            inner,
            lasting.scope,
            path,
            lasting.timestamp,
            None,
            under,
            lasting.affected,
            lasting.amounts,
            lasting.id,
            lasting.once,
        )


def own_effects(run: "Run", ref: int, found: GameObject, index: Index) -> dict[Sort, list[Active]]:
    """Give the effects of an object's own abilities, by their sort; ``index`` are these abilities.

    They are made once for as long as it has these abilities under this controller.
    """
    kept = run.own_effects.get(ref)
    whose = _whose(run, found)
    if kept is not None and kept[0] is index and kept[1] == whose:
        return kept[2]
    one = {
        id(template): made_active(run, template, ref, found)
        for group in index.effects.values()
        for template in group
    }
    made = {sort: [one[id(template)] for template in group] for sort, group in index.effects.items()}
    run.own_effects[ref] = (index, whose, made)
    return made


# --------------------------------------------------------------------------------------------- traits


def traits(run: "Run", ref: int) -> Traits:
    """Give the characteristics of an object as they are now."""
    state = run.state
    found = state.objects.get(ref)
    if found is None:
        return _of_absent(run, ref)
    if found.cache_stamp == state.version:
        kept: Traits = found.cache
        return kept
    if not found.counters and standing(run, ref).printed and "might" not in found.notes:
        printed = (found.script or run.script_of(found)).traits
        found.cache, found.cache_stamp = printed, state.version
        return printed
    if run.computing:
        working = run.computing.get(ref) or run.partial.get(ref)
        if working is None:
            # In the middle of another object's layers an answer may still change: it is kept until they are done.
            working = run.partial[ref] = compute(run, found)
        return working
    made = compute(run, found)
    run.partial.clear()
    found.cache = made
    found.cache_stamp = state.version
    return made


def _of_absent(run: "Run", ref: int) -> Traits:
    ghost = run.state.ghosts.get(ref)
    if ghost is not None:
        remembered: Traits = ghost.traits
        return remembered
    item = run.state.item(ref)
    if item is not None:
        source = run.traits(item.scope.source) if item.scope.source != ref else Traits()
        return Traits(name=source.name, types=frozenset({"ability"}), card=source.card)
    return _NOTHING


_NOTHING = Traits()


def _as_made(found: GameObject, printed: Traits) -> Traits:
    """187: a token whose Might the effect that made it has told has that one as its printed Might."""
    might = found.notes.get("might")
    if might is None or might == printed.figures.get("might"):
        return printed
    made = printed.copy()
    made.index = printed.index
    made.figures["might"] = might
    made.base = made.figures
    return made


def compute(run: "Run", found: GameObject) -> Traits:
    """Go through the layers for one object, until no effect is left that newly applies."""
    run.counters["layers"] += 1
    script = run.script_of(found)
    base = _as_made(found, script.traits_attached() if found.attached_to else script.traits)
    outside = standing(run, found.id).outside
    if not run.rules.zones[found.zone].board:
        return _layered(run, found, base, outside, (), own=False) if outside else base
    attached = run.attached(found.id)
    lent = run.lent(found.id) if attached else ()
    if not outside and not attached and not found.counters and not script.inward:
        return base
    return _layered(run, found, base, outside, lent)


def _layered(
    run: "Run",
    found: GameObject,
    base: Traits,
    outside: list[Active],
    lent: tuple[Held, ...],
    own: bool = True,
) -> Traits:
    now = base
    applied: list[Active] = []
    seen: set[Any] = set()
    counted = bool(lent or found.counters or run.might_bonus(found.id))
    run.computing[found.id] = base
    try:
        for _ in range(ROUNDS):
            fresh = left = False
            for active in (*outside, *_own(run, found, now, lent)) if own else outside:
                if active.key in seen:
                    continue
                if not applies(run, active, found):
                    left = True
                    continue
                seen.add(active.key)
                applied.append(active)
                fresh = True
            # 476.2: what counters and attached cards add may let more apply, as every effect may.
            if not fresh and not (left and counted and now is base):
                break
            now = _apply_all(run, found, base, applied, lent)
            run.computing[found.id] = now
        if not applied:
            return _apply_all(run, found, base, applied, lent) if counted and now is base else now
        kept = [active for active in applied if applies(run, active, found)]
        if len(kept) != len(applied):
            # 476.3: what is disqualified in the end is taken away, once.
            now = _apply_all(run, found, base, kept, lent)
    finally:
        del run.computing[found.id]
    return now


def _own(run: "Run", found: GameObject, now: Traits, lent: tuple[Held, ...]) -> list[Active]:
    """Give the effects of the object's abilities that change itself, as its abilities are at this point."""
    index = index_of(run.rules, now)
    own = [
        active
        for active in own_effects(run, found.id, found, index).get(ast.Modify, ())
        if active.held is not None and not active.held.ability.outward
    ]
    if lent and index is run.script_of(found).traits.index:
        for held in lent:
            for inner in expand(run.rules, held):
                for template in templates(inner):
                    if isinstance(template[1], ast.Modify) and not inner.ability.outward:
                        own.append(made_active(run, template, found.id, found))
    return own


def applies(run: "Run", active: Active, found: GameObject) -> bool:
    """Tell whether an effect applies to an object: conditions, and being one of those it speaks of."""
    if not active.on(run):
        return False
    if active.affected is not None:
        return found.id in active.affected
    subject = active.effect.subject
    path = f"{active.path}.subject"
    if isinstance(subject, ast.Self):
        return run.self_of(active.scope, subject) == found.id
    if isinstance(subject, ast.Objects):
        if active.once and run.rules.zones[found.zone].board:
            # "The next unit you play": what is there already is not the next one.
            return False
        if not _where(run, subject, found):
            return False
        return select.fits(run, found.id, subject, active.scope, path)
    if isinstance(subject, ast.HostOf):
        # What an Equipment gives, it gives to what it is attached to (718).
        worn = run.attached(found.id)
        what, where = subject.what, f"{path}.what"
        if isinstance(what, ast.Objects):
            return any(select.fits(run, ref, what, active.scope, where) for ref in worn)
        return bool(set(worn) & set(select.refs(run, what, active.scope, where)))
    return found.id in select.refs(run, subject, active.scope, path)


def _where(run: "Run", subject: ast.Objects, found: GameObject) -> bool:
    """An effect on "units" is on those on the board; "everywhere" and named zones say otherwise."""
    if any(isinstance(part, ast.From) for part in subject.filters):
        return True
    if run.rules.zones[found.zone].board:
        return "facedown" not in found.states
    return _speaks_of(run, subject, found.zone)


def _reaches(run: "Run", active: Active, zone: str) -> bool:
    """Tell whether an effect may be on an object in a zone that is not on the board."""
    subject = active.effect.subject
    return isinstance(subject, ast.Objects) and _speaks_of(run, subject, zone)


def _speaks_of(run: "Run", subject: ast.Objects, zone: str) -> bool:
    """Tell whether words reach a zone beyond the board: "everywhere", or what is being played from somewhere."""
    if zone == run.rules.chain and "spell" in subject.nouns:
        # 355.9.a.2: a spell is on the chain unless the words say otherwise.
        return True
    for part in subject.filters:
        if isinstance(part, ast.At) and isinstance(part.place, ast.Zone) and part.place.name == "anywhere":
            return True
        played = part.event.action if isinstance(part, ast.That) else None
        if isinstance(played, ast.Action) and played.verb == "play" and zone == run.rules.chain:
            return True
    return False


def _apply_all(
    run: "Run", found: GameObject, base: Traits, actives: list[Active], lent: tuple[Held, ...]
) -> Traits:
    """Apply the layers in the order that the rules' table gives them (477)."""
    made = base.copy()
    made.index = base.index
    made.base = made.figures
    kinds: dict[str, list[tuple[Active, Any, int]]] = {}
    for active in actives:
        for position, change in enumerate(active.effect.changes):
            kind = _KINDS[type(change)]
            name = kind if isinstance(kind, str) else kind(active, change, position, found)
            if not run.rules.layers:
                raise CompileError("the rules have no table of layers", place=run.rules.rules.game)
            kinds.setdefault(name, []).append((active, change, position))
    for layer in run.rules.layers:
        changes: list[tuple[Active, Any, int]] = []
        for name in layer:
            constant = _CONSTANTS.get(name)
            if constant is not None:
                constant(run, made, found, lent)
            elif name in kinds:
                changes += kinds[name]
        # 479: what depends on the result of others in its layer is applied after them.
        for active, change, position in sorted(changes, key=_depends) if len(changes) > 1 else changes:
            _CHANGES[type(change)](run, made, found, active, change, position)
    return made


def _depends(applied: tuple[Active, Any, int]) -> bool:
    """Tell whether the outcome of a change is another one where others have been applied before (478.1.c)."""
    change = applied[1]
    return isinstance(change, ast.MightSet) or getattr(change, "minimum", None) is not None


def _lent_text(run: "Run", made: Traits, found: GameObject, lent: tuple[Held, ...]) -> None:
    """477.2.c: the effect texts of attached cards are appended."""
    if lent:
        made.index = standing(run, found.id).index
        made.abilities = (*made.abilities, *lent)
        for held in lent:
            if held.ability.instance is not None:
                add_keyword(run.rules, made.keywords, held.ability.instance)


def _base(run: "Run", made: Traits, found: GameObject, lent: tuple[Held, ...]) -> None:
    """What the figures are before anything is counted to them is their base."""
    made.base = made.figures.copy()
    if found.id in run.computing:
        # What follows may ask for the object's own keywords ("+X Might", 807.1.c): as they are by now.
        run.computing[found.id] = made


def _counters(run: "Run", made: Traits, found: GameObject, lent: tuple[Held, ...]) -> None:
    """702.1: each counter on an object adds to a figure."""
    if found.counters:
        for name, counter in run.rules.terms.get("counters", {}).items():
            held = found.counters.get(name, 0)
            if held:
                figure = counter["figure"]
                made.figures[figure] = made.figures.get(figure, 0) + held * counter["each"]


def _might_bonus(run: "Run", made: Traits, found: GameObject, lent: tuple[Held, ...]) -> None:
    """477.3.d: the Might Bonuses of attached cards are counted."""
    bonus = run.might_bonus(found.id)
    if bonus and "might" in made.figures:
        made.figures["might"] += bonus


# --------------------------------------------------------------------------------------------- changes


def _might(
    run: "Run", made: Traits, found: GameObject, active: Active, change: ast.MightChange, at: int
) -> None:
    if "might" not in made.figures:
        return
    if active.amounts and at < len(active.amounts) and active.amounts[at] is not None:
        made.figures["might"] += dict(active.amounts[at]).get(found.id, 0)
        return
    path = f"{active.path}.changes.{at}"
    scope = scope_of_each(active.scope, active.effect.subject, change, path, found.id)
    made.figures["might"] += might_by(run, made.figures["might"], scope, path, change)


def scope_of_each(scope: Scope, subject: Any, change: ast.MightChange, path: str, ref: int) -> Scope:
    """Where an amount is counted on the very objects that are changed, each is changed by what is on itself."""
    where = own_count(subject, change)
    if where is None:
        return scope
    inner = scope.copy()
    inner.bindings[f"{path}.{where}"] = (ref,)
    return inner


def own_count(subject: Any, change: Any) -> str | None:
    """Give where a change's amount speaks of the objects that are changed ("for each buff on them")."""
    if not isinstance(change, ast.MightChange) or not isinstance(subject, ast.Objects):
        return None
    for name in ("times", "amount"):
        part = getattr(change.amount, name, None) if isinstance(change.amount, ast.Times) else None
        if isinstance(part, ast.StatOf) and part.of == subject:
            return f"amount.{name}.of"
    return None


def might_by(run: "Run", now: int, scope: Scope, path: str, change: ast.MightChange) -> int:
    """Give by how much a change alters a Might that is now so and so; limits are held to (477.3.b)."""
    by = select.amount(run, change.amount, scope, f"{path}.amount") or 0
    if not change.minus:
        return max(0, by)
    if change.minimum is not None:
        least = select.amount(run, change.minimum, scope, f"{path}.minimum") or 0
        by = min(by, max(0, now - least))
    return -max(0, by)


def _fixed(run: "Run", made: Traits, found: GameObject, active: Active, change: Any, at: int) -> None:
    """Doubling and swapping made amounts when they happened (432.1.a, 433.1.b)."""
    if active.amounts and at < len(active.amounts) and active.amounts[at] is not None:
        made.figures["might"] = made.figures.get("might", 0) + dict(active.amounts[at]).get(found.id, 0)


def _might_set(
    run: "Run", made: Traits, found: GameObject, active: Active, change: ast.MightSet, at: int
) -> None:
    if "might" not in made.figures:
        return
    if active.amounts and at < len(active.amounts) and active.amounts[at] is not None:
        fixed = dict(active.amounts[at]).get(found.id, 0)
        # 477.1.a.1: an assigned Might is kept as it is, an increase by how much it was.
        made.figures["might"] = made.figures["might"] + fixed if change.only_up else fixed
        return
    value = select.amount(run, change.amount, active.scope, f"{active.path}.changes.{at}.amount")
    if value is not None and (not change.only_up or value > made.figures["might"]):
        made.figures["might"] = value


def _gains(run: "Run", made: Traits, found: GameObject, active: Active, change: ast.Gains, at: int) -> None:
    made.index = None
    what = change.what
    path = f"{active.path}.changes.{at}.what"
    if isinstance(what, ast.Keyword):
        if change.redundant and what.name.casefold() in made.keywords:
            return
        value = None
        if what.value is not None and not isinstance(what.value, ast.Number):
            value = select.amount(run, what.value, active.scope, f"{path}.value") or 0
        add_keyword(run.rules, made.keywords, what, value)
        made.instances = (*made.instances, run.known_cost(what, found.id))
    elif isinstance(what, ast.HasTag):
        tags = tuple(run.named_word(active.scope) if tag == "named" else tag for tag in what.tags)
        made.tags = made.tags | frozenset(tags)
    elif is_of_tags(what):
        # "Choose Bird or Cat. I gain that tag."
        made.tags = made.tags | {run.named_word(active.scope)}
    elif isinstance(what, ast.HasDomain):
        # 185.3.b.1: it is appended to those that there are.
        domain = run.named_word(active.scope) if what.domain == "named" else what.domain
        made.domains = made.domains if not domain or domain in made.domains else (*made.domains, domain)
    elif isinstance(what, ast.CardText):
        giver = tuple(sorted(active.scope.bindings.items()))
        for ability in run.rules.quoted(active.scope.ability, path, what):
            made.abilities = (*made.abilities, Held(ability, active.scope.source, giver))
            if ability.instance is not None:
                add_keyword(run.rules, made.keywords, ability.instance)
    elif isinstance(what, ast.AbilityText) and what.sort == "keyword":
        kept = active.amounts[at] if at < len(active.amounts) else None
        for name, keyword_value in kept if kept is not None else keywords_of(run, what, active.scope, path):
            _gain_keyword(run, made, name, keyword_value)
    elif isinstance(what, ast.AbilityText):
        made.abilities = (*made.abilities, *run.borrowed(what, active.scope, path))
    elif isinstance(what, ast.Reference):
        for ref in select.refs(run, what, active.scope, path):
            _gain_keywords(run, made, run.traits(ref))


def _loses(run: "Run", made: Traits, found: GameObject, active: Active, change: ast.Loses, at: int) -> None:
    """801.3.b: all instances of the keyword are gone, with the abilities that it is or governs."""
    made.index = None
    if isinstance(change.what, ast.AbilityText):
        # "Loses all keywords": what is no keyword, and governed by none, stays.
        made.keywords, made.instances = {}, ()
        made.abilities = tuple(held for held in made.abilities if not _keywords_on(held))
        return
    name = change.what.name.casefold()
    made.keywords.pop(name, None)
    made.instances = tuple(keyword for keyword in made.instances if keyword.name.casefold() != name)
    made.abilities = tuple(held for held in made.abilities if name not in _keywords_on(held))


def _keywords_on(held: Held) -> set[str]:
    own = (held.ability.instance,) if held.ability.instance is not None else ()
    return {keyword.name.casefold() for keyword in (*held.ability.gates, *own)}


def _gain_keywords(run: "Run", made: Traits, other: Traits) -> None:
    for name, value in other.keywords.items():
        _gain_keyword(run, made, name, value)


def _gain_keyword(run: "Run", made: Traits, name: str, value: int) -> None:
    keyword = ast.Keyword(name.title() if "-" not in name else name, ast.Number(value) if value else None)
    add_keyword(run.rules, made.keywords, keyword)
    made.instances = (*made.instances, keyword)


def keywords_of(run: "Run", what: ast.AbilityText, scope: Scope, path: str) -> tuple[tuple[str, int], ...]:
    """Give the keywords that "my keywords" means now, with their values (359.3.f.2)."""
    refs = select.refs(run, what.of, scope, f"{path}.of") if what.of is not None else ()
    return tuple((name, value) for ref in refs for name, value in run.traits(ref).keywords.items())


def _copy(
    run: "Run", made: Traits, found: GameObject, active: Active, change: ast.BecomesCopy, at: int
) -> None:
    """Copying is carried out when it happens (477.1.b): the object's printed traits are then the copied ones."""


def _types(
    run: "Run", made: Traits, found: GameObject, active: Active, change: ast.BecomesType, at: int
) -> None:
    """477.1.a: its types are others, and its Might is what the words say."""
    made.types = frozenset(change.types)
    made.figures["might"] = (
        select.amount(run, change.might, active.scope, f"{active.path}.changes.{at}.might") or 0
    )


def _factor(
    run: "Run", made: Traits, found: GameObject, active: Active, change: ast.StatFactor, at: int
) -> None:
    """A factor on a might bonus is counted where the bonus is (477.3.d)."""
    factor = select.amount(run, change.factor, active.scope, f"{active.path}.changes.{at}.factor") or 1
    name = change.stat.replace("-", "_")
    if name in made.figures:
        made.figures[name] *= factor
    made.figures[f"{name}:factor"] = made.figures.get(f"{name}:factor", 1) * factor


def _sign(active: Active, change: Any, at: int, found: GameObject) -> str:
    """433.1.b: of a swap the one side is an increase and the other a decrease."""
    amounts = active.amounts[at] if at < len(active.amounts) else None
    return "might-less" if amounts is not None and dict(amounts).get(found.id, 0) < 0 else "might-more"


_TRAITS_GAINED: dict[type, str] = {ast.HasDomain: "domains"}

_KINDS: dict[type, Any] = {
    ast.MightChange: lambda active, change, at, found: "might-less" if change.minus else "might-more",
    ast.MightDoubled: "might-more",
    ast.MightSwapped: _sign,
    ast.MightSet: lambda active, change, at, found: "might-more" if change.only_up else "might-assigned",
    ast.Gains: lambda active, change, at, found: (
        "tags" if is_of_tags(change.what) else _TRAITS_GAINED.get(type(change.what), "abilities")
    ),
    ast.Loses: "abilities",
    ast.BecomesCopy: "copy",
    ast.BecomesType: "types",
    ast.StatFactor: "bonus-factor",
}
"""What a change is called in the rules' table of layers: a word, or what gives it."""

_CONSTANTS: dict[str, Any] = {
    "lent-text": _lent_text,
    "base": _base,
    "counters": _counters,
    "might-bonus": _might_bonus,
}
"""What else the layers apply: no effect's changes, but what an object always has to it."""

_CHANGES: dict[type, Any] = {
    ast.MightChange: _might,
    ast.MightDoubled: _fixed,
    ast.MightSwapped: _fixed,
    ast.MightSet: _might_set,
    ast.Gains: _gains,
    ast.Loses: _loses,
    ast.BecomesCopy: _copy,
    ast.BecomesType: _types,
    ast.StatFactor: _factor,
}

CHANGES = frozenset(_CHANGES)
"""The sorts of change that the layers know."""


def abilities_now(run: "Run", ref: int) -> Index:
    """Give the abilities that an object has now, sorted.

    Where no effect gives or takes any they are those of its card, and no layers are gone through for them.
    """
    return standing(run, ref).index or index_of(run.rules, run.traits(ref))


def own_abilities(run: "Run", ref: int) -> tuple[Held, ...]:
    """Give all abilities that an object has now, with those its keywords stand for."""
    return abilities_now(run, ref).expanded


def abilities_of_kind(run: "Run", ref: int, kind: str) -> tuple[Held, ...]:
    """Give the abilities of one sort that an object has now."""
    if ref in run.state.objects and not may_have(run, ref, kind):
        return ()
    return abilities_now(run, ref).by_kind.get(kind, ())


def lasting_indexes(run: "Run", refs: Iterable[int], granting: frozenset[int]) -> Iterator[tuple[int, Index]]:
    """Yield objects with the abilities that each has until its place or attachments change.

    ``granting`` are those to which some effect may give abilities at any time: theirs are looked up as they are now.
    """
    active_effects(run)
    objects, stamp = run.state.objects, run.reach.stamp
    for ref in refs:
        found = objects[ref]
        known = found.standing if found.standing_stamp == stamp else standing(run, ref)
        if known.index is not None:
            yield ref, known.index
            continue
        if ref in granting or found.attached_to or run.attached(ref):
            yield ref, abilities_now(run, ref)
        else:
            yield ref, index_of(run.rules, run.script_of(found).traits)


def specific_effects(run: "Run", ref: int, sort: Sort) -> Iterator[Active]:
    """Yield the effects of one sort that an object's own abilities have and that speak of itself."""
    if not may_have(run, ref, type_of(sort)):
        return
    index = abilities_now(run, ref)
    found = run.state.objects.get(ref)
    if found is None or sort not in index.effects:
        return
    on_board = run.rules.zones[found.zone].board
    for active in own_effects(run, ref, found, index)[sort]:
        assert active.held is not None
        ability = active.held.ability
        # What reaches beyond its own object is found by active_effects, while that object is on the board.
        if ability.outward and on_board and not ability.keyword:
            continue
        if active.on(run):
            yield active


def effects(run: "Run", kind: type, ref: int = NOBODY, verb: str = "") -> list[Active]:
    """Give the effects of one sort that are on now: everybody's, and those of one object's own abilities.

    With a verb, those whose action has that verb.
    """
    sort = (kind, verb) if verb else kind
    if run.verbs_for < 0:
        watched_verbs(run)
    if sort not in run.effect_sorts:
        return []
    if run.effects_at != run.state.version:
        active_effects(run)
    found = run.effects_cache.get(sort)
    result = [active for active in found if active.on(run)] if found else []
    if ref and may_have(run, ref, kind):
        result.extend(specific_effects(run, ref, sort))
    return result


def printed_of_kind(run: "Run", ref: int, kind: str) -> tuple[Held, ...]:
    """Give the abilities of one sort that are printed on an object, also where its text is inactive (725)."""
    return index_of(run.rules, run.script_of(run.state.objects[ref]).traits).by_kind.get(kind, ())


def printed_effects(run: "Run", ref: int, sort: Sort) -> Iterator[Active]:
    """Yield the effects of one sort that are printed on an object, also where its text is inactive (725)."""
    found = run.state.objects[ref]
    for template in index_of(run.rules, run.script_of(found).traits).effects.get(sort, ()):
        active = made_active(run, template, ref, found)
        if active.on(run):
            yield active


def none_of(run: "Run", kind: type, ref: int, *verbs: str) -> bool:
    """Tell at a glance that no effect of a sort can apply, an object's own or another; with verbs, none with these."""
    asked: list[Sort] = [(kind, verb) for verb in verbs] if verbs else [kind]
    if run.verbs_for < 0:
        watched_verbs(run)
    if run.effect_sorts.isdisjoint(asked):
        return True
    if not active_effects(run).keys().isdisjoint(asked):
        return False
    if ref == NOBODY or not may_have(run, ref, kind):
        return True
    return abilities_now(run, ref).effects.keys().isdisjoint(asked)
