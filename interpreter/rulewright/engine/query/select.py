"""What words refer to: objects, players, places, amounts and conditions, evaluated in a running game.

Nothing here writes. A reference to something that is gone gives its last known information where that may still be
asked for (359.3.e.13), and nothing ("null", 359.3.e.12) otherwise.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulewright.engine.program.compile import action_verb, is_put, walk
from rulewright.engine.program.ruleset import Script
from rulewright.engine.query import select
from rulewright.engine.query.reads import is_given_tag
from rulewright.engine.state.objects import (
    NOBODY,
    ChainItem,
    Event,
    GameObject,
    Place,
    Scope,
    player_of,
    player_ref,
)
from rulewright.errors import RulewrightError
from rulewright.language import ast
from rulewright.language.references import participle_of

if TYPE_CHECKING:
    from rulewright.engine.run import Run

Refs = tuple[int, ...]


# --------------------------------------------------------------------------------------------- players


def players(run: "Run", node: Any, scope: Scope, path: str = "") -> tuple[int, ...]:
    """Give the players that words mean, in turn order where there are several."""
    bound = scope.bindings.get(path) if path else None
    if bound is not None:
        return tuple(player_of(ref) for ref in bound if ref < 0)
    if isinstance(node, ast.Group):
        found = [
            p for i, part in enumerate(node.parts) for p in players(run, part, scope, f"{path}.parts.{i}")
        ]
        return tuple(dict.fromkeys(found))
    return _PLAYERS[node.which](run, node, scope, path)


def _you(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    # 190.6.d: on a battlefield that nobody controls, "you" is no one.
    return () if scope.bindings.get("nobody") else (scope.controller,)


def _opponents(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return tuple(p for p in run.turn_order(scope.controller) if run.enemies(p, scope.controller))


def _everybody(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return run.turn_order(run.state.turn_player)


def _others(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return tuple(p for p in run.turn_order(scope.controller) if p != scope.controller)


def _allies(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return tuple(p for p in _others(run, node, scope, path) if not run.enemies(p, scope.controller))


def _controllers(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    if node.of is None:
        return (scope.controller,)
    found = (run.controller(ref) for ref in refs(run, node.of, scope, f"{path}.of"))
    return tuple(dict.fromkeys(p for p in found if p >= 0))


def _owners(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    if node.of is None:
        source = run.find(scope.source)
        return (source.owner,) if source is not None else ()
    found = (run.find(ref) for ref in refs(run, node.of, scope, f"{path}.of"))
    return tuple(dict.fromkeys(seen.owner for seen in found if seen is not None))


def _that_player(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    if node.antecedent is not None:
        bound = scope.bindings.get(node.antecedent)
        if bound is None and node.antecedent.startswith("event"):
            bound = scope.bindings.get("event.agent")
        if bound is not None:
            found = []
            for ref in bound:
                found.append(player_of(ref) if ref < 0 else run.controller(ref))
            return tuple(dict.fromkeys(found))
        spoken = run.antecedent(scope, node.antecedent)
        if isinstance(spoken, ast.Player):
            return players(run, spoken, scope, node.antecedent)
    for name in ("player", "event.agent", "event.subject"):
        bound = scope.bindings.get(name)
        if bound and bound[0] < 0:
            return (player_of(bound[0]),)
    return ()


def _in_combat(side: int) -> Callable[["Run", ast.Player, Scope, str], tuple[int, ...]]:
    def found(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
        return (run.state.combat[side],) if run.state.combat is not None else ()

    return found


def _next(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return run.turn_order(scope.controller)[1:2]


def _turn_player(run: "Run", node: ast.Player, scope: Scope, path: str) -> tuple[int, ...]:
    return (run.state.turn_player,)


_PLAYERS: dict[str, Callable[["Run", ast.Player, Scope, str], tuple[int, ...]]] = {
    "you": _you,
    "opponent": _opponents,
    "opponents": _opponents,
    "each-opponent": _opponents,
    "player": _everybody,
    "players": _everybody,
    "each-player": _everybody,
    "each-other-player": _others,
    "ally": _allies,
    "allies": _allies,
    "controller": _controllers,
    "owner": _owners,
    "they": _that_player,
    "that-player": _that_player,
    "attacker": _in_combat(0),
    "defender": _in_combat(1),
    "next-player": _next,
    "turn-player": _turn_player,
}


# ----------------------------------------------------------------------------------------------- places


def here(run: "Run", scope: Scope) -> int:
    """Give the location of a text's source: of the card it is on, or of the battlefield that it is."""
    this = scope.bindings.get("here")
    if this is not None:
        return int(this)
    return NOBODY if source_is_unknown(run, scope) else run.location(scope.source)


def source_is_unknown(run: "Run", scope: Scope) -> bool:
    """359.3.e.12: of a source that has left the board while its ability waited, nothing is known any more.

    An ability that triggers on that very leaving, or whose own cost or effect moves it, looks back (359.3.e.13).
    """
    ghost = run.state.ghosts.get(scope.source)
    if ghost is None or scope.source in run.state.objects or scope.item == NOBODY:
        return False
    if "left" in scope.bindings or not run.rules.zones[ghost.object.zone].board:
        return False
    return ghost.cause != scope.item


def locations(run: "Run", node: Any, scope: Scope, path: str = "") -> Refs:
    """Give the locations that a place means: battlefields by number, a base by its player's reference."""
    bound = scope.bindings.get(path) if path else None
    if bound is not None:
        return tuple(bound)
    if isinstance(node, ast.Here):
        found = here(run, scope)
        return (found,) if found else ()
    if isinstance(node, ast.There):
        return _there(run, node, scope)
    if isinstance(node, ast.Zone):
        if run.rules.zones.get(node.name) is not None and run.rules.zones[node.name].location:
            owners = (
                players(run, node.of, scope, f"{path}.of") if node.of else _everybody(run, _ANY, scope, "")
            )
            return tuple(player_ref(player) for player in owners)
        return ()
    if isinstance(node, ast.LocationOf):
        return _locations_of(run, node, scope, path)
    if isinstance(node, ast.Objects):
        return tuple(candidates(run, node, scope, path))
    if isinstance(node, ast.Reference | ast.Self | ast.Group):
        return tuple(
            dict.fromkeys(run.location(ref) for ref in refs(run, node, scope, path) if run.location(ref))
        )
    return ()


def _there(run: "Run", node: ast.There, scope: Scope) -> Refs:
    if node.antecedent is not None:
        bound = scope.bindings.get(node.antecedent)
        if bound is None and node.antecedent.startswith("event"):
            bound = scope.bindings.get("event.at")
        if bound is None:
            spoken = run.antecedent(scope, node.antecedent)
            if spoken is not None:
                return locations(run, spoken, scope, node.antecedent)
        if bound:
            return tuple(dict.fromkeys(run.location(ref) or ref for ref in bound))
    for name in ("there", "event.at"):
        if bound := scope.bindings.get(name):
            return tuple(bound)
    return ()


def _locations_of(run: "Run", node: ast.LocationOf, scope: Scope, path: str) -> Refs:
    found = []
    home = node.kind == run.rules.home
    for ref in refs(run, node.what, scope, f"{path}.what"):
        if home:
            # 107.1.c: "its base" is that of its controller, wherever it is now.
            found.append(player_ref(run.controller(ref)))
            continue
        if _is_unknown(run, node.what, ref, scope):
            continue
        origin = scope.bindings.get(f"origin:{ref}") if node.original else None
        at = origin[0] if origin else run.location(ref)
        if at and (node.kind != "battlefield" or at > 0):
            found.append(at)
    return tuple(dict.fromkeys(found))


def _is_unknown(run: "Run", words: Any, ref: int, scope: Scope) -> bool:
    """359.3.e.12: where something was that has left the board is not known, unless the text itself has moved it.

    What a trigger or a replacement speaks of is known as it was at that moment (359.3.f.3).
    """
    if isinstance(words, ast.Self):
        return source_is_unknown(run, scope)
    ghost = run.state.ghosts.get(ref)
    if ghost is None or ref in run.state.objects or not isinstance(words, ast.Reference):
        return False
    return ghost.cause != scope.item and not str(words.antecedent).startswith("event")


def zone_of(run: "Run", node: ast.Zone, scope: Scope, path: str = "", owner: int = -1) -> Place | None:
    """Give the place that a zone's words mean; ``owner`` is whose object goes there where nobody is named."""
    name = run.zone_name(node.name)
    per = run.rules.zones[name].per if name in run.rules.zones else "player"
    if per == "none":
        return (name, NOBODY)
    if node.of is not None:
        found = players(run, node.of, scope, f"{path}.of")
        return (name, player_ref(found[0])) if found else None
    return (name, player_ref(owner if owner >= 0 else scope.controller))


_ANY = ast.Player("each-player")


# -------------------------------------------------------------------------------------------- selectors


def refs(run: "Run", node: Any, scope: Scope, path: str = "") -> Refs:
    """Give what words refer to: what was chosen under their path, or all that fits."""
    if path:
        bound = scope.bindings.get(path)
        if bound is not None:
            return run.legal_targets(node, scope, path, tuple(bound))
    kind = _REFS.get(type(node))
    return kind(run, node, scope, path) if kind is not None else ()


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
    return tuple(_from(run, ast.From(node), scope, path.removesuffix(".place")))


_REFS: dict[type, Callable[["Run", Any, Scope, str], Refs]] = {
    ast.Self: _self,
    ast.Objects: _objects,
    ast.Group: _group,
    ast.Reference: _reference,
    ast.TopOf: _top,
    ast.AbilityText: _ability_text,
    ast.Zone: _zone_cards,
    ast.There: lambda run, node, scope, path: _there(run, node, scope),
}


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
            return _from(run, part, scope, f"{path}.filters.{position}.place")
    nouns = node.nouns
    found: list[int] = []
    if "spell" in nouns or "ability" in nouns:
        found.extend(item.id for item in run.state.chain if item.id != scope.item)
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


def _from(run: "Run", part: ast.From, scope: Scope, path: str) -> Iterable[int]:
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


# ---------------------------------------------------------------------------------------------- filters


def passes(
    run: "Run", ref: int, part: ast.Filter, scope: Scope, path: str = "", others: Sequence[int] = ()
) -> bool:
    """Tell whether something passes one filter of a description."""
    return _FILTERS[type(part)](run, ref, part, scope, path, others)


def _side(run: "Run", ref: int, part: ast.Side, scope: Scope, path: str, others: Sequence[int]) -> bool:
    controller = run.controller(ref)
    if controller < 0:
        return False
    return run.enemies(controller, scope.controller) == (part.side == "enemy")


def _controlled(
    run: "Run", ref: int, part: ast.ControlledBy, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    if part.owned or not run.on_board_or_chain(ref):
        found = run.find(ref)
        whose = found.owner if found is not None else -1
    else:
        whose = run.controller(ref)
    return (whose in players(run, part.player, scope, f"{path}.player")) != part.negated


def _other(run: "Run", ref: int, part: ast.Other, scope: Scope, path: str, others: Sequence[int]) -> bool:
    if ref in others:
        return False
    if part.than is not None:
        if isinstance(part.than, ast.LocationOf | ast.Here | ast.There):
            return ref not in locations(run, part.than, scope, f"{path}.than")
        return ref not in refs(run, part.than, scope, f"{path}.than")
    if ref in run.line_of(scope.source):
        return False
    if ref == run.location(scope.source) and scope.source in run.state.objects:
        # "Another location" is another than the one where the source is.
        return False
    # "another unit" is not one that was chosen before by the same text.
    return not any(
        ref in bound or any(run.current(other, scope) == ref for other in bound if isinstance(other, int))
        for where, bound in scope.bindings.items()
        if where.startswith("body")
        # What stands behind a colon is about a choice: all that there was to choose from, for one.
        and ":" not in where
        and isinstance(bound, tuple)
        and not (ref < 0 and where.endswith(".subject"))
    )


def _type(run: "Run", ref: int, part: ast.HasType, scope: Scope, path: str, others: Sequence[int]) -> bool:
    return is_noun(run, ref, part.type, scope) != part.negated


def _tag(run: "Run", ref: int, part: ast.HasTag, scope: Scope, path: str, others: Sequence[int]) -> bool:
    traits = run.traits(ref)
    for tag in part.tags:
        word = run.named_word(scope) if tag == "named" else tag
        if word in traits.tags or word == traits.name:
            return not part.negated
    return part.negated


def _name(run: "Run", ref: int, part: ast.HasName, scope: Scope, path: str, others: Sequence[int]) -> bool:
    return run.printed(ref).name == run.named_word(scope)


def _state(run: "Run", ref: int, part: ast.HasState, scope: Scope, path: str, others: Sequence[int]) -> bool:
    return run.in_state(ref, part.state, scope) != part.negated


def _keyword(
    run: "Run", ref: int, part: ast.HasKeyword, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    name = part.keyword.name.casefold()
    item = run.state.item(ref)
    if item is not None and not item.object:
        # 806.5.c, 813.5.c: an ability has the keywords that stand before it, and the one that it comes from.
        known = name in item.facts.get("gates", ()) or name == item.facts.get("sort")
        return known != part.negated
    return (name in run.traits(ref).keywords) != part.negated


def _stat(run: "Run", ref: int, part: ast.StatIs, scope: Scope, path: str, others: Sequence[int]) -> bool:
    return compares(run.stat(ref, part.stat), part.op, amount(run, part.amount, scope, f"{path}.amount"))


def _total(run: "Run", ref: int, part: ast.TotalIs, scope: Scope, path: str, others: Sequence[int]) -> bool:
    # Asked for one object, with those already chosen: an upper bound holds for the group so far (355.11).
    if part.op not in ("<", "<="):
        return True
    total = sum(run.stat(chosen, part.stat) or 0 for chosen in (*others, ref))
    return compares(total, part.op, amount(run, part.amount, scope, f"{path}.amount"))


def _at(run: "Run", ref: int, part: ast.At, scope: Scope, path: str, others: Sequence[int]) -> bool:
    if isinstance(part.place, ast.Zone) and part.place.name == "anywhere":
        return not part.negated
    if isinstance(part.place, ast.Zone) and run.zone_name(part.place.name) in run.rules.off_board:
        return (ref in _from(run, ast.From(part.place), scope, f"{path}.place")) != part.negated
    at = run.location(ref)
    if part.same and any(run.location(other) != at for other in others):
        return False
    if not at:
        return part.negated
    return at_place(run, at, part.place, scope, f"{path}.place" if path else "") != part.negated


def at_place(run: "Run", at: int, place: Any, scope: Scope, path: str = "") -> bool:
    """Tell whether a location is the one, or one of those, that words mean."""
    if path and path in scope.bindings:
        return at in scope.bindings[path]
    if isinstance(place, ast.Objects):
        return fits(run, at, place, scope, path)
    if isinstance(place, ast.Zone) and place.name == "board":
        return True
    return at in locations(run, place, scope, path)


def _from_place(run: "Run", ref: int, part: ast.From, scope: Scope, path: str, others: Sequence[int]) -> bool:
    among = _from(run, part, scope, f"{path}.place")
    found = run.state.objects.get(ref)
    # "That Equipment from that unit": what is attached to it (718).
    return ref in among or (found is not None and found.attached_to > 0 and found.attached_to in among)


def _same_controller(
    run: "Run", ref: int, part: ast.SameController, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    mine = run.controller(ref)
    others = others or scope.bindings.get("same-as", ())
    return all((run.controller(other) == mine) != part.negated for other in others if other != ref)


def _attached(
    run: "Run", ref: int, part: ast.AttachedTo, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    found = run.find(ref)
    host = found.attached_to if found is not None else NOBODY
    if part.host is None:
        return (host != NOBODY) != part.negated
    return (host in refs(run, part.host, scope, f"{path}.host")) != part.negated


def _chooses(run: "Run", ref: int, part: ast.Chooses, scope: Scope, path: str, others: Sequence[int]) -> bool:
    item = run.state.item(ref)
    if item is None and run.probe is not None and run.probe.id == ref:
        item = run.probe
    if item is None:
        return False
    # 359.3.e.9.a: what has left for another zone is no longer counted among what is chosen.
    chosen = [
        target
        for target in run.targets_of(item)
        if target < 0 or target in run.state.objects or run.state.item(target) is not None
    ]
    if isinstance(part.what, ast.Objects):
        fitting = [target for target in chosen if fits(run, target, part.what, scope, f"{path}.what")]
        if f"{path}.what" in scope.bindings:
            fitting = [target for target in chosen if target in scope.bindings[f"{path}.what"]]
    else:
        named = refs(run, part.what, scope, f"{path}.what")
        fitting = [target for target in chosen if target in named]
    if not fitting:
        return False
    if not part.only:
        return True
    # A repeated spell that chooses it twice still chooses no other (359.3.e.9.a).
    if len(set(fitting)) != 1 or not isinstance(part.no_other, ast.Objects):
        return len(set(fitting)) == 1
    described = tuple(one for one in part.no_other.filters if not isinstance(one, ast.Other))
    no_other = replace(part.no_other, filters=described)
    return not any(t > 0 and t not in fitting and fits(run, t, no_other, scope) for t in chosen)


def _that(run: "Run", ref: int, part: ast.That, scope: Scope, path: str, others: Sequence[int]) -> bool:
    line = run.line_of(ref)
    if isinstance(part.event.action, ast.Moment):
        return part.negated
    if part.event.action.verb == "be":
        return _was(run, ref, part.event.action, scope) != part.negated
    if part.event.action.verb == "choose" and ref in scope.bindings.get("choosing", ()):
        return not part.negated
    item = run.state.item(ref)
    if (
        item is not None
        and item.object == ref
        and part.gap == "object"
        and _is_playing(run, part, item, scope, path)
    ):
        return not part.negated
    counted = counted_verb(run, part.event.action, part.this_way)
    for event in run.told(scope, part.this_way):
        patient = event.object if part.gap == "object" else event.subject
        if part.gap == "subject" and run.alias(part.event.action.verb).get("subject") == "object":
            patient = event.object
        if patient == NOBODY and part.gap == "subject":
            # "A spell that chose me": what does it is what it is done with (411.5).
            patient = event.using
        if patient in line and matches(
            run, part.event.action, event, scope, f"{path}.event.action", gap=part.gap, verb=counted
        ):
            return not part.negated
    found = run.state.objects.get(ref)
    if found is not None and found.sent_by and links(run, part, found.zone):
        # Linked abilities look at all that their source has sent there, on whatever turn (397).
        return (found.sent_by in run.line_of(scope.source)) != part.negated
    return part.negated


def links(run: "Run", part: Any, zone: str) -> bool:
    """Tell whether a filter speaks of what its own object has sent to a zone ("banished with this", 397)."""
    if not isinstance(part, ast.That) or not isinstance(part.event.action, ast.Action):
        return False
    if not isinstance(part.event.action.using, ast.Self | ast.Reference):
        return False
    for function, parameters in run.performer(part.event.action.verb):
        if function.__name__ == "_place":
            return bool(parameters.get("zone") == zone)
    return False


def _was(run: "Run", ref: int, action: ast.Action, scope: Scope) -> bool:
    """ "That was uncontrolled": the state that the object was in just before what is told of it (469.1)."""
    found = run.find(ref)
    told = run.named_states().get(action.state or "", {})
    if "controlled" not in told:
        raise RulewrightError(f"a former state {action.state!r} is not remembered", place=scope.ability)
    if found is not None and scope.bindings.get("activated"):
        # 383.4.g.1: nothing was conquered, and just before it was as it is now.
        return (found.controller >= 0) == bool(told["controlled"])
    return (
        found is not None and "before" in found.notes and (found.notes["before"] >= 0) == told["controlled"]
    )


def _is_playing(run: "Run", part: ast.That, item: ChainItem, scope: Scope, path: str) -> bool:
    """Tell whether a card on the chain is one that somebody plays, which is not over yet (350)."""
    event = Event(
        "play", player_ref(item.scope.controller), object=item.object, source=item.facts.get("from")
    )
    action = part.event.action
    return isinstance(action, ast.Action) and matches(
        run, action, event, scope, f"{path}.event.action", gap="object"
    )


def _where(run: "Run", ref: int, part: ast.Where, scope: Scope, path: str, others: Sequence[int]) -> bool:
    """A place of which a condition holds: what the condition speaks of is looked for there."""
    inner = Scope(
        scope.controller,
        scope.source,
        scope.ability,
        scope.item,
        {**scope.bindings, "where": ref, "there": (ref,)},
    )
    return holds(run, part.condition, inner, f"{path}.condition" if path else "")


def _alongside(
    run: "Run", ref: int, part: ast.Alongside, scope: Scope, path: str, others: Sequence[int]
) -> bool:
    found = run.find(ref)
    if found is None or not isinstance(part.what, ast.Objects):
        return False
    marks = found.states & {"attacker", "defender"}
    return any(
        other != ref
        and bool(marks & run.state.objects[other].states)
        and run.controller(other) == run.controller(ref)
        and all(is_noun(run, other, noun, scope) for noun in part.what.nouns)
        for other in run.at(run.location(ref))
    )


def _copy_of(run: "Run", ref: int, part: ast.CopyOf, scope: Scope, path: str, others: Sequence[int]) -> bool:
    """A copy has what the other has printed: they are the same card to whoever looks (477.1.b)."""
    card = run.printed(ref).card
    return any(run.printed(other).card == card for other in refs(run, part.what, scope, "") if other > 0)


def _either(run: "Run", ref: int, part: ast.EitherOf, scope: Scope, path: str, others: Sequence[int]) -> bool:
    return any(
        passes(run, ref, one, scope, f"{path}.filters.{position}" if path else "", others)
        for position, one in enumerate(part.filters)
    )


def _bears(run: "Run", ref: int, part: ast.Bears, scope: Scope, path: str, others: Sequence[int]) -> bool:
    inner = f"{path}.what" if path else ""
    borne = sum(
        run.state.objects[other].attached_to == ref and fits(run, other, part.what, scope, inner)
        for other in run.board()
    )
    return _enough(run, part.what, borne, scope, inner)


_FILTERS: dict[type, Callable[["Run", int, Any, Scope, str, Sequence[int]], bool]] = {
    ast.Side: _side,
    ast.ControlledBy: _controlled,
    ast.Other: _other,
    ast.HasType: _type,
    ast.HasTag: _tag,
    ast.HasName: _name,
    ast.HasState: _state,
    ast.HasKeyword: _keyword,
    ast.StatIs: _stat,
    ast.TotalIs: _total,
    ast.At: _at,
    ast.From: _from_place,
    ast.SameController: _same_controller,
    ast.AttachedTo: _attached,
    ast.Chooses: _chooses,
    ast.That: _that,
    ast.Where: _where,
    ast.Alongside: _alongside,
    ast.CopyOf: _copy_of,
    ast.EitherOf: _either,
    ast.Bears: _bears,
}


# ---------------------------------------------------------------------------------------------- amounts


def amount(run: "Run", node: Any, scope: Scope, path: str = "") -> int | None:
    """Give an amount as a number; nothing where what it asks about is not known ("null")."""
    return _AMOUNTS[type(node)](run, node, scope, path)


def _number(run: "Run", node: ast.Number, scope: Scope, path: str) -> int | None:
    return node.value


def _any_amount(run: "Run", node: ast.AnyAmount, scope: Scope, path: str) -> int | None:
    found = scope.bindings.get(path)
    return found if isinstance(found, int) else 0


def _count(run: "Run", node: ast.CountOf, scope: Scope, path: str) -> int | None:
    if isinstance(node.what, ast.Player):
        return len(players(run, node.what, scope, f"{path}.what"))
    return len(refs(run, node.what, scope, f"{path}.what"))


def _stat_of(run: "Run", node: ast.StatOf, scope: Scope, path: str) -> int | None:
    if isinstance(node.of, ast.Player):
        found = players(run, node.of, scope, f"{path}.of")
        return run.resource(found[0], node.stat) if found else None
    keyword = run.own_keyword(scope, node)
    if keyword is not None:
        return keyword
    if isinstance(node.of, ast.Self) and source_is_unknown(run, scope):
        return None
    referents = refs(run, node.of, scope, f"{path}.of")
    values = [run.stat(ref, node.stat) for ref in referents if ref > 0]
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _highest(run: "Run", node: ast.Highest, scope: Scope, path: str) -> int | None:
    values = [run.stat(ref, node.stat) for ref in refs(run, node.among, scope, f"{path}.among")]
    known = [value for value in values if value is not None]
    return (min(known) if node.lowest else max(known)) if known else 0


def _total_of(run: "Run", node: ast.TotalOf, scope: Scope, path: str) -> int | None:
    return sum(run.stat(ref, node.stat) or 0 for ref in refs(run, node.of, scope, f"{path}.of"))


def _times(run: "Run", node: ast.Times, scope: Scope, path: str) -> int | None:
    left = amount(run, node.amount, scope, f"{path}.amount")
    right = amount(run, node.times, scope, f"{path}.times")
    return None if left is None or right is None else left * right


def _plus(run: "Run", node: ast.Plus, scope: Scope, path: str) -> int | None:
    left = amount(run, node.left, scope, f"{path}.left")
    right = amount(run, node.right, scope, f"{path}.right")
    if left is None or right is None:
        return None
    return left - right if node.minus else left + right


def _beyond(run: "Run", node: ast.Beyond, scope: Scope, path: str) -> int | None:
    whole = amount(run, node.amount, scope, f"{path}.amount")
    first = amount(run, node.first, scope, f"{path}.first")
    return None if whole is None or first is None else max(0, whole - first)


def _that_much(run: "Run", node: ast.ThatMuch, scope: Scope, path: str) -> int | None:
    if node.antecedent is not None:
        for name in (f"{node.antecedent}:much", node.antecedent):
            found = scope.bindings.get(name)
            if isinstance(found, int):
                return found
    for name in ("much", "event.amount"):
        found = scope.bindings.get(name)
        if isinstance(found, int):
            return found
    return None


def _event_count(run: "Run", node: ast.EventCount, scope: Scope, path: str) -> int | None:
    return len(happened(run, node.event, node.window, scope, f"{path}.event"))


def _at_least(run: "Run", node: ast.AtLeast, scope: Scope, path: str) -> int | None:
    return amount(run, node.amount, scope, f"{path}.amount")


def _tag_count(run: "Run", node: ast.TagCount, scope: Scope, path: str) -> int | None:
    found = [run.traits(ref).tags for ref in refs(run, node.among, scope, f"{path}.among")]
    return sum(any(tag in tags for tags in found) for tag in node.tags)


_AMOUNTS: dict[type, Callable[["Run", Any, Scope, str], int | None]] = {
    ast.Number: _number,
    ast.AnyAmount: _any_amount,
    ast.CountOf: _count,
    ast.StatOf: _stat_of,
    ast.Highest: _highest,
    ast.TotalOf: _total_of,
    ast.Times: _times,
    ast.Plus: _plus,
    ast.Beyond: _beyond,
    ast.ThatMuch: _that_much,
    ast.AtLeast: _at_least,
    ast.TagCount: _tag_count,
    ast.EventCount: _event_count,
}


def compares(left: int | None, op: str, right: int | None) -> bool:
    """Compare two amounts; anything compared with "null" is false (359.3.e.12)."""
    if left is None or right is None:
        return False
    return _OPERATORS[op](left, right)


_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "=": lambda a, b: a == b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


# ------------------------------------------------------------------------------------------- conditions


def holds(run: "Run", node: Any, scope: Scope, path: str = "") -> bool:
    """Tell whether a condition is true now."""
    return _CONDITIONS[type(node)](run, node, scope, path)


def _compare(run: "Run", node: ast.Compare, scope: Scope, path: str) -> bool:
    left = amount(run, node.left, scope, f"{path}.left")
    return compares(left, node.op, amount(run, node.right, scope, f"{path}.right"))


def _exists(run: "Run", node: ast.Exists, scope: Scope, path: str) -> bool:
    referents = refs(run, node.what, scope, f"{path}.what")
    where = scope.bindings.get("where")
    if where is not None:
        referents = tuple(ref for ref in referents if run.location(ref) == where)
    found = len(referents)
    return _enough(run, node.what, found, scope, path) != node.negated


def _enough(run: "Run", what: Any, found: int, scope: Scope, path: str) -> bool:
    if isinstance(what, ast.Objects) and what.quantity.amount is not None:
        wanted = amount(run, what.quantity.amount, scope, f"{path}.quantity.amount") or 0
        rule = what.quantity.rule
        if rule in ("up-to", "at-most"):
            return found <= wanted
        if rule == "exact":
            return found == wanted
        if rule == "exactly" and wanted != 1 and not isinstance(what.quantity.amount, ast.Number):
            return found == wanted
        return found >= wanted
    if isinstance(what, ast.Objects) and what.quantity.rule == "none":
        return found == 0
    return found > 0


def _is(run: "Run", node: ast.Is, scope: Scope, path: str) -> bool:
    if isinstance(node.what, ast.Reference) and node.what.antecedent is not None:
        spoken = run.antecedent(scope, node.what.antecedent)
        if isinstance(spoken, ast.TokenSpec) and node.what.antecedent not in scope.bindings:
            # The token that would be added: it is there where there is one of its name.
            there = any(is_noun(run, ref, spoken.name, scope) for ref in run.board())
            return there != node.negated
    if isinstance(node.what, ast.Here | ast.There | ast.LocationOf | ast.Zone):
        found: Refs = locations(run, node.what, scope, f"{path}.what")
    elif isinstance(node.what, ast.Player):
        found = tuple(player_ref(p) for p in players(run, node.what, scope, f"{path}.what"))
    else:
        found = refs(run, node.what, scope, f"{path}.what")
        if isinstance(node.what, ast.Objects) and "where" in scope.bindings:
            # "Where an enemy unit is alone": it is looked for at that place.
            found = tuple(ref for ref in found if run.location(ref) == scope.bindings["where"])
    empty = next(
        (part for part in node.filters if isinstance(part, ast.HasState) and part.state == "empty"), None
    )
    if empty is not None:
        # Of a zone: there is nothing in it.
        return (not found) != (node.negated != empty.negated)
    described = ast.Objects(ast.Quantity("any"), node.nouns, node.filters)
    fitting = sum(
        (run.find(ref) is not None or ref < 0) and fits(run, ref, described, scope, path) for ref in found
    )
    return (bool(found) and _as_many(run, node.what, fitting, len(found), scope, path)) != node.negated


def _as_many(run: "Run", what: Any, fitting: int, among: int, scope: Scope, path: str) -> bool:
    """ "If a unit is": some unit is; "if at least two of them are": as many; "if they are": each of them is."""
    if isinstance(what, ast.Objects) and what.quantity.rule in ("exactly", "at-least", "exact"):
        least = 1
        if what.quantity.amount is not None:
            least = amount(run, what.quantity.amount, scope, f"{path}.what.quantity.amount") or 0
        return fitting == least if what.quantity.rule == "exact" else fitting >= least
    return fitting == among


def _happened(run: "Run", node: ast.Happened, scope: Scope, path: str) -> bool:
    action = node.event.action
    if (
        isinstance(action, ast.Action)
        and action.verb in ("spend", "pay")
        and isinstance(action.object, ast.Cost)
    ):
        return run.has_spent(action, node.window, scope, path) != node.negated
    if isinstance(action, ast.Action) and action.verb == "assign" and isinstance(action.object, ast.Resource):
        return _assigned(run, action, scope, f"{path}.event.action") != node.negated
    if isinstance(action, ast.Action) and node.count is None and node.event.ordinal is None:
        return _happened_enough(run, node, action, scope, f"{path}.event") != node.negated
    found = happened(run, node.event, node.window, scope, f"{path}.event", node.this_way)
    wanted = 1 if node.count is None else amount(run, node.count, scope, f"{path}.count") or 0
    if node.event.ordinal is not None:
        wanted = max(wanted, node.event.ordinal)
    return (len(found) >= wanted) != node.negated


def _happened_enough(run: "Run", node: ast.Happened, action: ast.Action, scope: Scope, path: str) -> bool:
    """Tell whether as much has happened as is said, in one event or in several: "two or more cards", "3 XP"."""
    pattern, resource = node.event, action.object
    if isinstance(resource, ast.Resource) and not isinstance(resource.amount, ast.AnyAmount):
        any_of_it = replace(action, object=replace(resource, amount=ast.AnyAmount()))
        whole = replace(pattern, action=any_of_it)
        found = happened(run, whole, node.window, scope, path, node.this_way)
        said = amount(run, resource.amount, scope, f"{path}.action.object.amount") or 0
        return bool(found) and sum(event.amount for event in found) >= said
    for role in ("object", "subject"):
        what = getattr(action, role)
        if isinstance(what, ast.Objects) and what.quantity.amount is not None:
            found = happened(run, pattern, node.window, scope, path, node.this_way)
            said = amount(run, what.quantity.amount, scope, f"{path}.action.{role}.quantity.amount") or 0
            if what.quantity.rule == "at-most":
                return len(found) <= said
            return len(found) == said if what.quantity.rule == "exact" else len(found) >= said
    return bool(happened(run, pattern, node.window, scope, path, node.this_way))


def told_much(run: "Run", condition: Any, scope: Scope, path: str) -> int | None:
    """Give how much "that much" is after a condition that speaks of an amount: "if you assigned 5 or more"."""
    action = condition.event.action if isinstance(condition, ast.Happened) else None
    if not isinstance(action, ast.Action) or not isinstance(action.object, ast.Resource):
        return None
    if action.verb == "assign":
        return _excess(run, action, scope, f"{path}.event.action")
    return None


def _assigned(run: "Run", action: ast.Action, scope: Scope, path: str) -> bool:
    """Tell whether somebody assigned so much beyond what was lethal, in the combat that goes on (465.2.c.4)."""
    assert isinstance(action.object, ast.Resource)
    wanted = amount(run, action.object.amount, scope, f"{path}.object.amount") or 0
    return _excess(run, action, scope, path) >= wanted


def _excess(run: "Run", action: ast.Action, scope: Scope, path: str) -> int:
    """Give the most that one of the players spoken of has assigned beyond what was lethal."""
    who = action.subject
    found = players(run, who, scope, f"{path}.subject") if isinstance(who, ast.Player) else ()
    return max((run.state.facts.get(f"excess:{player}", 0) for player in found), default=0)


def _paid(run: "Run", node: ast.PaidAdditionalCost, scope: Scope, path: str) -> bool:
    return run.paid_additional(scope) != node.negated


def _did_so(run: "Run", node: ast.DidSo, scope: Scope, path: str) -> bool:
    done = scope.bindings.get("did", False)
    if node.who is not None and isinstance(scope.bindings.get("did:who"), tuple):
        who = players(run, node.who, scope, f"{path}.who")
        done = any(player_ref(player) in scope.bindings["did:who"] for player in who)
    return bool(done) != node.negated


def _within(run: "Run", node: ast.WithinPoints, scope: Scope, path: str) -> bool:
    margin = amount(run, node.amount, scope, f"{path}.amount") or 0
    goal = run.goal()
    return any(
        run.resource(p, "points") >= goal - margin for p in players(run, node.whose, scope, f"{path}.whose")
    )


def _in_phase(run: "Run", node: ast.InPhase, scope: Scope, path: str) -> bool:
    true = run.in_phase(node.phase)
    if true and node.whose is not None:
        true = run.state.turn_player in players(run, node.whose, scope, f"{path}.whose")
    return true != node.negated


def _tags_among(run: "Run", node: ast.TagsAmong, scope: Scope, path: str) -> bool:
    found = [run.traits(ref).tags for ref in refs(run, node.what, scope, f"{path}.what")]
    tags = node.tags or _listed_tags(run, scope)
    there = sum(any(tag in held for held in found) for tag in tags)
    wanted = len(tags) if node.count is None else amount(run, node.count, scope, f"{path}.count") or 0
    return there >= wanted


def _listed_tags(run: "Run", scope: Scope) -> tuple[str, ...]:
    """Give the tags that the card has listed before, where it speaks of "all 4 tags"."""

    for part in walk(run.rules.text(scope.ability.partition("#")[0])):
        if isinstance(part, ast.TagCount | ast.TagsAmong) and part.tags:
            return part.tags
    return ()


def _is_player(run: "Run", node: ast.IsPlayer, scope: Scope, path: str) -> bool:
    who = players(run, node.who, scope, f"{path}.who")
    role = players(run, node.role, scope, f"{path}.role")
    return bool(who and role and who[0] in role) != node.negated


def _all_of(run: "Run", node: ast.AllOf, scope: Scope, path: str) -> bool:
    return all(holds(run, c, scope, f"{path}.conditions.{i}") for i, c in enumerate(node.conditions))


def _any_of(run: "Run", node: ast.AnyOf, scope: Scope, path: str) -> bool:
    return any(holds(run, c, scope, f"{path}.conditions.{i}") for i, c in enumerate(node.conditions))


_CONDITIONS: dict[type, Callable[["Run", Any, Scope, str], bool]] = {
    ast.Compare: _compare,
    ast.Exists: _exists,
    ast.Is: _is,
    ast.IsPlayer: _is_player,
    ast.Happened: _happened,
    ast.PaidAdditionalCost: _paid,
    ast.DidSo: _did_so,
    ast.WithinPoints: _within,
    ast.InPhase: _in_phase,
    ast.TagsAmong: _tags_among,
    ast.AllOf: _all_of,
    ast.AnyOf: _any_of,
}


# ----------------------------------------------------------------------------------------------- events


def happened(
    run: "Run", pattern: ast.Event, window: Any, scope: Scope, path: str, this_way: bool = False
) -> list[Event]:
    """Give the events of a window that match a pattern, oldest first."""
    found = []
    if isinstance(pattern.action, ast.Action):
        counted = counted_verb(run, pattern.action, this_way)
        if counted:
            return [
                event
                for event in run.told(scope)
                if event.verb == counted
                and in_window(run, window, event, scope)
                and matches(run, pattern.action, event, scope, f"{path}.action", verb=counted)
            ]
    wanted = _verbs_told(run, pattern)
    for event in run.told(scope, this_way):
        if (
            event.verb in wanted
            and in_window(run, window, event, scope)
            and matches_event(run, pattern, event, scope, path)
        ):
            found.append(event)
    if isinstance(pattern.action, ast.Action) and pattern.action.verb == "choose":
        found += [event for event in _being_chosen(run) if matches_event(run, pattern, event, scope, path)]
    return found


def _verbs_told(run: "Run", pattern: ast.Event) -> Container[str]:
    """Give the verbs of the events that a pattern may be about, so that the others of a turn need no look."""
    action = pattern.action
    if isinstance(action, ast.Moment):
        return (f"{action.edge}:{action.phase}",)
    verb = action_verb(run.rules, action)
    return {verb, *run.rules.placing_verbs} if is_put(action) else (verb,)


def counted_verb(run: "Run", action: ast.Action, this_way: bool = False) -> str:
    """419.4.b: what is no trigger counts cards as played when they are finalized; nothing for other actions."""
    return "" if this_way else str(run.alias(action.verb).get("counted") or "")


def _being_chosen(run: "Run") -> Iterator[Event]:
    """806.4.a: what an item chooses counts for its own conditions while it is finalized, or only thought of."""
    items = [item for item in run.state.chain if not item.finalized]
    for item in (*items, *([run.probe] if run.probe is not None else ())):
        for ref in dict.fromkeys(run.targets_of(item)):
            yield Event("choose", player_ref(item.scope.controller), object=ref, using=item.id)


def in_window(run: "Run", window: Any, event: Event, scope: Scope) -> bool:
    """Tell whether an event of this turn lies in a window; the history holds this turn only."""
    if isinstance(window, ast.During):
        if window.whose is not None and run.state.turn_player not in players(run, window.whose, scope):
            return False
        return event.phase == window.phase or run.within_phase(event.phase, window.phase)
    return True


def matches_event(run: "Run", pattern: ast.Event, event: Event, scope: Scope, path: str) -> bool:
    """Tell whether something that happened is what a pattern describes, without its ordinal."""
    action = pattern.action
    if isinstance(action, ast.Moment):
        if event.verb != f"{action.edge}:{action.phase}":
            return False
        return _moment(run, action, event, scope, f"{path}.action")
    return matches(run, action, event, scope, f"{path}.action")


def _moment(run: "Run", node: ast.Moment, event: Event, scope: Scope, path: str) -> bool:
    if node.whose is not None:
        whose = players(run, node.whose, scope, f"{path}.whose")
        if event.subject and player_of(event.subject) not in whose:
            return False
    if node.which == "first":
        turns: int = run.state.players[player_of(event.subject)].facts.get("turns", 1)
        return turns == 1
    return True


def matches(
    run: "Run", action: ast.Action, event: Event, scope: Scope, path: str = "", gap: str = "", verb: str = ""
) -> bool:
    """Tell whether an event is what a clause describes; ``gap`` names a role that is not looked at."""
    alias = run.alias(action.verb)
    if (
        isinstance(action.object, ast.Resource)
        and action.object.kind == "combat-damage"
        and event.word != "combat"
    ):
        # 417.7: damage is part of a combat, or it is not.
        return False
    if event.verb != (verb or action_verb(run.rules, action)) and not (
        is_put(action) and event.verb in run.rules.placing_verbs
    ):
        return False
    subject, object_ = alias.get("subject", "subject"), alias.get("object", "object")
    if gap != "subject" and action.subject is not None:
        if not _role(run, action.subject, event, subject, scope, f"{path}.subject"):
            return False
    elif gap != "subject" and alias.get("by") == "object" and event.subject < 0:
        return False
    if gap != "object" and is_players_move(action):
        # "When an opponent moves": one or more units of theirs do.
        if run.controller(event.object) not in players(run, action.object, scope, f"{path}.object"):
            return False
    elif (
        gap != "object"
        and action.object is not None
        and not _role(run, action.object, event, object_, scope, f"{path}.object")
    ):
        return False
    if action.amount is not None and not _amount_fits(run, action, event, scope, path):
        return False
    if action.at is not None and not _place_fits(run, action.at, event.at, event.to, scope, f"{path}.at"):
        return False
    if action.to is not None and alias.get("to") == "object":
        # "Deal 3 to it": what stands after "to" is what the event is about.
        if gap != "object" and not _role(run, action.to, event, "object", scope, f"{path}.to"):
            return False
    elif action.to is not None and not _place_fits(run, action.to, event.at, event.to, scope, f"{path}.to"):
        return False
    if action.source is not None and not _source_fits(run, action.source, event, scope, f"{path}.source"):
        return False
    if action.using is not None and not _using_fits(run, action.using, event, scope, f"{path}.using"):
        return False
    if (
        action.state is not None
        and event.word != action.state
        and action.state not in alias.get("states", {})
    ):
        return False
    return all(run.manner(word, event, scope) for word in action.manner)


def is_players_move(action: Any) -> bool:
    """Tell whether a clause speaks of a player who moves, with however many units at the same time."""
    return (
        isinstance(action, ast.Action)
        and action.verb == "move"
        and action.subject is None
        and isinstance(action.object, ast.Player)
    )


def _role(run: "Run", node: Any, event: Event, role: str, scope: Scope, path: str) -> bool:
    if isinstance(node, ast.Player):
        who = event.agent if role in ("subject", "agent") else event.object
        if role == "subject" and event.subject < 0:
            who = event.subject
        elif role == "subject" and event.subject > 0 and run.player_events(event.verb):
            return False
        if who >= 0:
            return False
        # 489.8.d.3: what a team shares, each of the team gains or loses.
        shared = event.word in dict(run.state.facts["mode"]).get("shared", ())
        team = run.team(player_of(who)) if shared else (player_of(who),)
        return not set(team).isdisjoint(players(run, node, scope, path))
    if isinstance(node, ast.Resource):
        if node.of is not None and not isinstance(node.of, ast.Player):
            found = refs(run, node.of, scope, f"{path}.of")
            if event.object not in found:
                return False
        kind = run.rules.terms.get("resources", {}).get(node.kind, node.kind)
        if event.word not in ("", kind, node.kind) and node.kind != "damage":
            return False
        if isinstance(node.amount, ast.AnyAmount):
            return True
        return event.amount >= (amount(run, node.amount, scope, f"{path}.amount") or 0)
    if isinstance(node, ast.Word):
        return event.word.casefold().startswith(node.word.casefold())
    if isinstance(node, ast.Cost | ast.Keyword):
        return True
    if isinstance(node, ast.Zone):
        # "Leaves the board": the zone is where the object comes from.
        return event.source is not None and is_zone(run, node, event.source, scope, path)
    patient = event.object if role == "object" else event.subject
    if patient == NOBODY and role == "subject" and isinstance(node, ast.Self):
        # "This kills": what is done by no object is done by the spell or ability it is done with (411.5).
        return bool(set(run.line_of(scope.source)) & set(run.means_of(event.using)))
    if patient == NOBODY and not (role == "subject" and isinstance(node, ast.Objects)):
        return False
    if isinstance(node, ast.AbilityText):
        return run.is_ability_of(patient, node, scope, path)
    if isinstance(node, ast.Objects):
        if role == "subject" and set(node.nouns) & {"spell", "ability"} and event.subject <= 0:
            # "Spells and abilities can't ready ...": what does it is what it is done with.
            return any(fits(run, ref, node, scope, path) for ref in run.means_of(event.using)[:1])
        if path in scope.bindings:
            # 355.5: one that was chosen is meant, not any of its kind.
            return not set(run.line_of(patient)).isdisjoint(refs(run, node, scope, path))
        return fits(run, patient, node, scope, path)
    if isinstance(node, ast.Group):
        return any(
            _role(run, part, event, role, scope, f"{path}.parts.{i}") for i, part in enumerate(node.parts)
        )
    found = refs(run, node, scope, path)
    ghost = run.state.ghosts.get(patient) if isinstance(node, ast.Self) else None
    if ghost is not None and ghost.object.zone not in run.rules.board_zones:
        # "When you discard me": what went from hand to trash is known by what it has become there (422.1.b).
        patient = ghost.successor or patient
    if isinstance(node, ast.Reference):
        # 124, 390.5: what has been elsewhere meanwhile is another object, unless the text itself has put it there.
        return any(patient in (ref, run.current(ref, scope)) for ref in found)
    return bool(set(run.line_of(patient)) & set(found))


def _amount_fits(run: "Run", action: ast.Action, event: Event, scope: Scope, path: str) -> bool:
    if isinstance(action.amount, ast.AnyAmount):
        return True
    return event.amount >= (amount(run, action.amount, scope, f"{path}.amount") or 0)


def _place_fits(run: "Run", node: Any, at: int, to: Place | None, scope: Scope, path: str) -> bool:
    if isinstance(node, ast.Zone) and to is not None and not run.is_location_zone(node.name):
        return is_zone(run, node, to, scope, path)
    if isinstance(node, ast.Player):
        return False
    if not at and to is not None and to[1] > 0:
        # "Attached to a unit": what something is put on is not a place (434.1).
        if isinstance(node, ast.Objects):
            return fits(run, to[1], node, scope, path)
        return bool(set(run.line_of(to[1])) & set(refs(run, node, scope, path)))
    return bool(at) and at_place(run, at, node, scope, path)


def is_zone(run: "Run", node: ast.Zone, place: Place, scope: Scope, path: str) -> bool:
    """Tell whether a zone is the one, or one of those, that words mean."""
    name = run.zone_name(node.name)
    if name == "anywhere":
        return True
    same = place[0] in run.rules.board_zones if name == "board" else place[0] == name
    if same and node.of is not None and place[1] < 0:
        same = player_of(place[1]) in players(run, node.of, scope, f"{path}.of")
    return same != node.negated


def _source_fits(run: "Run", node: Any, event: Event, scope: Scope, path: str) -> bool:
    if isinstance(node, ast.Zone):
        return event.source is not None and is_zone(run, node, event.source, scope, path)
    if event.source is None or not run.is_location_zone(event.source[0]):
        return False
    return at_place(run, event.source[1], node, scope, path)


def _using_fits(run: "Run", node: Any, event: Event, scope: Scope, path: str) -> bool:
    if not event.using and event.subject < 0 and event.at > 0 and isinstance(node, ast.Objects):
        # "When you conquer here with a unit": with any of those that the player has there.
        mine = [ref for ref in run.at(event.at) if run.controller(ref) == player_of(event.subject)]
        return any(fits(run, ref, node, scope, path) for ref in mine)
    if event.using == NOBODY and event.at and isinstance(node, ast.Objects):
        # "When you conquer here with one or more Mighty units": with the player's units at that place.
        doer = player_of(event.agent)
        there = [ref for ref in run.at(event.at) if run.controller(ref) == doer]
        least = amount(run, node.quantity.amount, scope, path) if node.quantity.amount is not None else 1
        return sum(fits(run, ref, node, scope, path) for ref in there) >= (least or 1)
    for ref in run.means_of(event.using):
        if isinstance(node, ast.Objects) and fits(run, ref, node, scope, path):
            return True
        if isinstance(node, ast.AbilityText) and run.is_ability_of(ref, node, scope, path):
            return True
        if isinstance(node, ast.Group) and any(
            _using_fits(run, part, event, scope, f"{path}.parts.{i}") for i, part in enumerate(node.parts)
        ):
            return True
        if isinstance(node, ast.Self | ast.Reference) and ref in refs(run, node, scope, path):
            return True
    return False


def object_of(run: "Run", ref: int) -> GameObject | None:
    """Give an object as it is, or as it was last known."""
    return run.find(ref)


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
        wanted = select.amount(run, node.quantity.amount, scope, f"{path}.quantity.amount") or 0
    if rule == "exactly":
        return wanted, wanted
    if rule in ("up-to", "at-most"):
        return 0, wanted
    if rule in ("exact", "both"):
        return (wanted, wanted) if rule == "exact" else (2, 2)
    if rule == "at-least":
        return wanted, 1 << 30
    return 0, 1 << 30
