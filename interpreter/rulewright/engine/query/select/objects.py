"""Which objects words mean: one that is spoken of before, or all that fit a description.

A reference to something that is gone gives its last known information where that may still be asked for
(359.3.e.13), and nothing ("null", 359.3.e.12) otherwise.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.ruleset import Script
from rulewright.engine.query.reads import is_given_tag
from rulewright.engine.query.select.words import Refs, amount, locations, passes, players, refs
from rulewright.engine.state.objects import NOBODY, Scope, player_ref
from rulewright.language import ast
from rulewright.language.references import participle_of

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def _self(run: "Run", node: ast.Self, scope: Scope, path: str) -> Refs:
    if node.form == "this" and "this" in scope.bindings:
        return (scope.bindings["this"],)
    return (scope.source,)


def _objects(run: "Run", node: ast.Objects, scope: Scope, path: str) -> Refs:
    return tuple(candidates(run, node, scope, path))


def _group(run: "Run", node: ast.Group, scope: Scope, path: str) -> Refs:
    found: list[int] = []
    for position, part in enumerate(node.parts):
        found.extend(refs(run, part, scope, f"{path}.parts.{position}"))
    return tuple(dict.fromkeys(found))


def _reference(run: "Run", node: ast.Reference, scope: Scope, path: str) -> Refs:
    found = _referents(run, node, scope)
    if node.filters:
        found = tuple(
            ref for ref in found if all(passes(run, ref, part, scope, path) for part in node.filters)
        )
    return found


def _done_last(run: "Run", scope: Scope) -> Refs:
    """ "Discard 1. Deal its Energy cost": what the text has done something to, where its words do not name that."""
    return next(
        ((event.object,) for event in reversed(run.told(scope, this_way=True)) if event.object > 0), ()
    )


def _named(run: "Run", name: str, scope: Scope) -> Refs:
    """136.2.d: in effect text the attached card's name is that card, whatever the unit that has the text is called."""
    for ref in (scope.bindings.get("this", NOBODY), scope.source):
        found = run.find(ref)
        if found is not None and name in (found.card, run.printed(ref).name):
            return (ref,)
    return tuple(ref for ref in run.board() if run.printed(ref).name == name)


def _referents(run: "Run", node: ast.Reference, scope: Scope) -> Refs:
    antecedent = node.antecedent
    if node.role == "named":
        return _named(run, node.nouns[0], scope)
    if antecedent is None and node.participle is not None:
        # "The killed unit" is that one, also in what is said of another unit: it comes before what "it" is.
        found = _done_so(run, node, scope)
        if found is not None:
            return found
    if antecedent in ("self", None) and node.role in ("it", "that", "the") and "it" in scope.bindings:
        return tuple(scope.bindings["it"])
    if antecedent == "self":
        return (scope.source,)
    if antecedent is None:
        bound = (
            scope.bindings.get("it")
            or scope.bindings.get("event.object")
            or scope.bindings.get("event.subject")
            or _done_last(run, scope)
        )
        return tuple(bound) if bound else ()
    if antecedent not in scope.bindings and ".original." in antecedent:
        # 158.2: where the revised instruction was done, it is what the words after it speak of.
        revised = antecedent.replace(".original.", ".revised.")
        antecedent = revised if revised in scope.bindings else antecedent
    if antecedent in scope.bindings:
        chosen = tuple(scope.bindings[antecedent])
        spoken = run.antecedent(scope, antecedent)
        if node.role == "any" and f"{antecedent}:all" in scope.bindings:
            return tuple(scope.bindings[f"{antecedent}:all"])
        if node.role in ("rest", "other"):
            left = chosen
            if f"{antecedent}:all" in scope.bindings:
                left = tuple(ref for ref in scope.bindings[f"{antecedent}:all"] if ref not in chosen)
            if isinstance(spoken, ast.Zone):
                # "Reveal your hand. They choose a card from it. The rest": what was revealed and not chosen.
                picked = _picked_from(run, spoken, antecedent, scope)
                left = tuple(ref for ref in left if ref not in picked)
            # What was put somewhere else meanwhile is not among the rest.
            return tuple(ref for ref in left if ref in run.state.objects or run.state.item(ref) is not None)
        return tuple(run.legal_targets(spoken, scope, antecedent, chosen))
    if antecedent.startswith("event"):
        for name in _EVENT_ROLES.get(antecedent.rpartition(".")[2], ("event.object", "event.subject")):
            if bound := scope.bindings.get(name):
                return tuple(bound)
        return ()
    spoken = run.antecedent(scope, antecedent)
    if spoken is None or spoken is node:
        return ()
    done = f"{antecedent.removesuffix('.object')}:done"
    if isinstance(spoken, ast.TopOf) and done in scope.bindings:
        # 427.3.a: what was done to a deck's top card was done to that card, whatever lies there now.
        return tuple(scope.bindings[done])
    if isinstance(spoken, ast.TopOf) and ".body." in antecedent.removeprefix("body."):
        # "If you do, reveal the top card. If it's a spell, ...": where that was not done, it is no card at all.
        return ()
    if isinstance(spoken, ast.Player):
        return tuple(player_ref(player) for player in players(run, spoken, scope, antecedent))
    return refs(run, spoken, scope, antecedent)


def _picked_from(run: "Run", zone: ast.Zone, said_at: str, scope: Scope) -> frozenset[int]:
    """Give what a text has let somebody choose from a zone that it has spoken of."""
    found: set[int] = set()
    for path, bound in scope.bindings.items():
        if not path.endswith(".object") or not isinstance(bound, tuple):
            continue
        spoken = run.antecedent(scope, path)
        places = [f.place for f in getattr(spoken, "filters", ()) if isinstance(f, ast.From)]
        if any(
            place == zone or (isinstance(place, ast.Reference) and place.antecedent == said_at)
            for place in places
        ):
            found.update(bound)
    return frozenset(found)


def _done_so(run: "Run", node: ast.Reference, scope: Scope) -> Refs | None:
    """ "The killed unit", "the discarded card": what a cost was paid with, or what the text itself has done so."""
    if run.rules.speaks_of_payment(scope.ability):
        item = run.state.item(scope.item)
        return tuple(scope.bindings.get("paid-with") or (item.facts.get("paid-with") if item else ()) or ())
    for event in reversed(run.told(scope, this_way=True)):
        if event.object > 0 and participle_of(event.verb, str(node.participle)):
            return (event.object,)
    return None


_EVENT_ROLES = {
    "subject": ("event.subject", "event.object"),
    "object": ("event.object", "event.subject"),
    "at": ("event.at",),
    "to": ("event.at", "event.to"),
    "using": ("event.using",),
}


def _top(run: "Run", node: ast.TopOf, scope: Scope, path: str) -> Refs:
    count = amount(run, node.amount, scope, f"{path}.amount") or 0
    # 431.1: where a deck runs out, as many as there are, and the rest after that.
    count = min(count, scope.bindings.get("at-most", count))
    found: list[int] = []
    for owner in (
        players(run, node.zone.of, scope, f"{path}.zone.of") if node.zone.of else (scope.controller,)
    ):
        cards = run.state.zone(run.zone_name(node.zone.name), player_ref(owner))
        found.extend(cards[:count] if node.zone.edge != "bottom" else cards[len(cards) - count :])
    return tuple(found)


def _ability_text(run: "Run", node: ast.AbilityText, scope: Scope, path: str) -> Refs:
    return tuple(item.id for item in run.state.chain if item.object == NOBODY)


def _zone_cards(run: "Run", node: ast.Zone, scope: Scope, path: str) -> Refs:
    """ "Their hand" as a thing to be revealed is all cards in it (424.3.a)."""
    return tuple(lying_in(run, ast.From(node), scope, path.removesuffix(".place")))


def candidates(
    run: "Run", node: ast.Objects, scope: Scope, path: str = "", others: Sequence[int] = ()
) -> list[int]:
    """Give everything that fits a description, in the order of timestamps."""
    return list(each_candidate(run, node, scope, path, others))


def each_candidate(
    run: "Run", node: ast.Objects, scope: Scope, path: str = "", others: Sequence[int] = ()
) -> Iterator[int]:
    """Yield everything that fits a description, as it is found."""
    return (ref for ref in pool(run, node, scope, path) if fits(run, ref, node, scope, path, others))


def pool(run: "Run", node: ast.Objects, scope: Scope, path: str = "") -> Iterable[int]:
    """Give where a description looks: a named zone, or the usual one of its nouns (355.9.a)."""
    for position, part in enumerate(node.filters):
        if isinstance(part, ast.From):
            return lying_in(run, part, scope, f"{path}.filters.{position}.place")
    nouns = node.nouns
    found: list[int] = []
    if "spell" in nouns or "ability" in nouns:
        found.extend(item.id for item in run.state.chain if item.id != scope.item)
    if any(noun.startswith(FACEDOWN) for noun in nouns):
        # 355.9.a.3: beside what lies openly on the board, a card in a Facedown Zone.
        found.extend(ref for ref in run.board(facedown=True) if "facedown" in run.state.objects[ref].states)
        found.extend(run.meant(tuple(noun for noun in nouns if not noun.startswith(FACEDOWN))))
        return found
    if "location" in nouns:
        found.extend(run.bases())
        found.extend(run.fields())
    if "player" in nouns:
        found.extend(player_ref(player) for player in run.turn_order(run.state.turn_player))
    if any(
        isinstance(part, ast.HasState) and part.state == "facedown" and not part.negated
        for part in node.filters
    ):
        found.extend(ref for ref in run.board(facedown=True) if "facedown" in run.state.objects[ref].states)
    elif any(isinstance(part, ast.That) and not part.negated for part in node.filters) and set(nouns) <= {
        "card",
        "unit",
        "gear",
        "spell",
    }:
        found.extend(run.told_of(node, scope, path))
    elif not found or any(noun not in ("spell", "ability", "location", "player") for noun in nouns):
        found.extend(run.meant(nouns) if nouns else run.board())
    if "chosen-champion" in nouns:
        found.extend(ref for ref in run.state.objects if run.state.objects[ref].notes.get("chosen"))
    return found


def lying_in(run: "Run", part: ast.From, scope: Scope, path: str) -> Iterable[int]:
    """Give all that is where a description says that things come from: a zone, or what is spoken of before."""
    node = part.place
    if isinstance(node, ast.Zone):
        name = run.zone_name(node.name)
        if name == "anywhere":
            return tuple(run.state.objects)
        if name == "board":
            return run.board()
        if node.of is None:
            owners: Iterable[int] = run.turn_order(run.state.turn_player)
        else:
            owners = players(run, node.of, scope, f"{path}.of")
        found: list[int] = []
        if name in run.rules.zones and run.rules.zones[name].per == "none":
            # A zone that is nobody's, as the chain: there a player has what that player controls.
            there = run.state.zone(name)
            found.extend(ref for owner in owners for ref in there if run.controller(ref) == owner)
        for owner in owners:
            found.extend(run.state.zone(name, player_ref(owner)))
        if run.lifted in found:
            found.remove(run.lifted)
        return found
    # What the same text has put into play is another object by now (124).
    return [run.current(ref, scope) for ref in refs(run, node, scope, path)]


def fits(
    run: "Run", ref: int, node: ast.Objects, scope: Scope, path: str = "", others: Sequence[int] = ()
) -> bool:
    """Tell whether something is of a described kind and passes every filter."""
    for noun in node.nouns:
        if is_noun(run, ref, noun, scope):
            break
    else:
        if node.nouns:
            return False
    for position, part in enumerate(node.filters):
        if isinstance(part, ast.HasHighest):
            if not _is_highest(run, ref, part, node, scope):
                return False
        elif not passes(run, ref, part, scope, f"{path}.filters.{position}" if path else "", others):
            return False
    return True


def _is_highest(run: "Run", ref: int, part: ast.HasHighest, node: ast.Objects, scope: Scope) -> bool:
    """Tell whether nothing else on the board that fits the rest of a description has a higher (lower) figure."""
    rest = replace(node, filters=tuple(other for other in node.filters if other is not part))
    figures = [run.stat(other, part.stat) or 0 for other in run.board() if fits(run, other, rest, scope)]
    own = run.stat(ref, part.stat) or 0
    return all(own <= figure if part.lowest else figure <= own for figure in figures)


FACEDOWN = "facedown-"
"""How a noun begins that means cards in a Facedown Zone only: "gear, unit, or facedown card"."""


def is_noun(run: "Run", ref: int, noun: str, scope: Scope) -> bool:
    """Tell whether something is what a noun says: a type, a tag, a token's name, or one of the general nouns."""
    if ref < 0:
        return noun in ("player", "location", "base")
    if noun == "ability":
        item = run.state.item(ref)
        # 428.5.d: the ability that dealt lethal damage is off the chain when the cleanup kills.
        return run.has_left(ref) if item is None else item.object == NOBODY
    general = _NOUNS.get(noun)
    if general is not None:
        return general(run, ref, scope)
    if noun.startswith(FACEDOWN):
        found = run.find(ref)
        hidden = found is not None and "facedown" in found.states
        return hidden and is_noun(run, ref, noun.removeprefix(FACEDOWN), scope)
    return run.is_word(ref, noun)


def may_mean(run: "Run", noun: str, script: Script) -> bool:
    """Tell whether a noun may mean objects of a card: by what is printed on it, or by what may come to it."""
    general = noun in _NOUNS or noun == "ability"
    return general or script.traits.has(noun) or is_given_tag(run, noun)


def _is_card(run: "Run", ref: int, scope: Scope) -> bool:
    """052: in a text, a card is one of the Main Deck; runes, legends and battlefields are none, nor are tokens."""
    printed = run.rules.cards.get(run.printed(ref).card)
    if printed is None or run.is_token(ref):
        return False
    return run.rules.is_type(frozenset(printed.types), "played")


def _is_permanent(run: "Run", ref: int, scope: Scope) -> bool:
    return run.is_permanent(ref)


def _is_token(run: "Run", ref: int, scope: Scope) -> bool:
    return run.is_token(ref)


def _is_location(run: "Run", ref: int, scope: Scope) -> bool:
    return ref < 0 or ref in run.fields()


def _is_chosen(run: "Run", ref: int, scope: Scope) -> bool:
    found = run.find(ref)
    return found is not None and bool(found.notes.get("chosen"))


def _is_showdown(run: "Run", ref: int, scope: Scope) -> bool:
    return ref == run.state.showdown


def _is_combat(run: "Run", ref: int, scope: Scope) -> bool:
    return ref == run.state.showdown and run.state.combat is not None


_NOUNS: dict[str, Callable[["Run", int, Scope], bool]] = {
    "card": _is_card,
    "permanent": _is_permanent,
    "token": _is_token,
    "location": _is_location,
    "chosen-champion": _is_chosen,
    # A showdown or a combat is told by the battlefield where it goes on.
    "showdown": _is_showdown,
    "combat": _is_combat,
    "object": lambda run, ref, scope: True,
    "something": lambda run, ref, scope: True,
    "any": lambda run, ref, scope: True,
    "copy": lambda run, ref, scope: True,
}


def at_each(node: ast.Objects) -> ast.Objects | None:
    """Give the locations of "one unit at each location": so many are chosen at each of them."""
    for part in node.filters:
        place = part.place if isinstance(part, ast.At) else None
        if isinstance(place, ast.Objects) and place.quantity.rule == "each":
            return place
    return None


def bounds(run: "Run", node: ast.Objects, scope: Scope, path: str) -> tuple[int, int]:
    """Give the least and the greatest number of objects that a description asks for."""
    if (places := at_each(node)) is not None:
        least, most = bounds(run, replace(node, filters=()), scope, path)
        return least, most * len(locations(run, places, scope, ""))
    rule = node.quantity.rule
    wanted = 1
    if node.quantity.amount is not None:
        wanted = amount(run, node.quantity.amount, scope, f"{path}.quantity.amount") or 0
    if rule == "exactly":
        return wanted, wanted
    if rule in ("up-to", "at-most"):
        return 0, wanted
    if rule in ("exact", "both"):
        return (wanted, wanted) if rule == "exact" else (2, 2)
    if rule == "at-least":
        return wanted, 1 << 30
    return 0, 1 << 30


REFS: dict[type, Callable[["Run", Any, Scope, str], Refs]] = {
    ast.Self: _self,
    ast.Objects: _objects,
    ast.Group: _group,
    ast.Reference: _reference,
    ast.TopOf: _top,
    ast.AbilityText: _ability_text,
    ast.Zone: _zone_cards,
}
