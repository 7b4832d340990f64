"""Playing tokens: what would be played is proposed first, so that another play can stand in for it (184-187, 375)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import replacements
from rulewright.engine.events.perform import make, take_out
from rulewright.engine.playing.act import Act
from rulewright.engine.playing.by_effect import place_facts
from rulewright.engine.playing.permissions import can_play_somewhere
from rulewright.engine.query import select
from rulewright.engine.run import EngineError, Run, op
from rulewright.engine.state.objects import NOBODY, ChainItem, Event, Frame, Scope
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ops import Op


def play_token(
    act: Act, spec: ast.TokenSpec, path: str, inherited: Mapping[str, Any] | None = None
) -> list[Event] | None:
    """Create tokens on the chain and play them from there (185.2.a, 439.2.c).

    ``inherited`` says how the token is played in whose place this one is (375).
    """
    run, scope = act.run, act.scope
    count = 1
    if spec.quantity.amount is not None:
        count = select.amount(run, spec.quantity.amount, scope, f"{path}.quantity.amount") or 0
    card = token_card(run, spec.name)
    facts = {**place_facts(act), **(inherited or {}), "forced": True, "token": True}
    if spec.state is not None:
        facts["state"] = spec.state
    notes: dict[str, Any] = {"spec": (scope.ability, path)}
    might = token_might(run, card, spec, scope, path)
    if might is not None:
        notes["might"] = might
    if inherited is None:
        scope.bindings[path] = ()
    scope.bindings["did"] = False
    _propose(act, [(card, notes)] * count, facts, path)
    return None


def _propose(
    act: Act, wanted: Sequence[tuple[str, Mapping[str, Any]]], facts: dict[str, Any], path: str
) -> None:
    """Make the tokens that would be played, and let what stands in for a play do so before it begins (370.1.c)."""
    run = act.run
    # 182-183: who is told to play it controls it, and whose effect it is owns it.
    owner = act.scope.controller if act.scope.controller >= 0 else act.player
    events = []
    for card, notes in wanted:
        ref = make(run, card, owner, (run.rules.chain, NOBODY), act.player)
        run.state.own(ref).notes.update(notes)
        event = act.event("play", object=ref, word="token")
        if not can_play_somewhere(run, ref, act.player, facts):
            # 358.3.a: an instruction that something prevents is skipped.
            _unmake(run, ref)
            continue
        kept = tuple(found.key for found in replacements(run, event) if found.node(run).keep)
        event.replaced = (*act.frame.local.get("inherit", ()), *kept)
        events.append(event)
    told, depth = _asked_for(act, path)
    plays = (tuple(sorted(facts.items())), told, depth)
    if not any(replacements(run, event) for event in events):
        _begin(run, events, plays)
        return
    waiting = run.call("kernel:play-tokens", Scope(run.state.turn_player, NOBODY, ""), local={"plays": plays})
    replacing = run.call("kernel:replace", Scope(run.state.turn_player, NOBODY, ""))
    replacing.events = tuple(events)
    replacing.local.update(result="", depth=run.state.frames.index(waiting), plays=plays)


@op("play-tokens")
def _play_tokens(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Begin the plays that nothing stands in for."""
    _begin(run, frame.events, frame.local["plays"])
    return None


def _asked_for(act: Act, path: str) -> tuple[str, int]:
    """Give the path and the frame of the instruction that is told what was played: the one that was replaced (375)."""
    played = act.scope.bindings.get("event.played")
    if played is not None and "inherit" in act.frame.local:
        return str(played[3]), int(played[4])
    return path, act.run.state.frames.index(act.frame)


def _begin(run: Run, events: Sequence[Event], plays: tuple[Any, str, int]) -> None:
    """Put the tokens that are played on the chain as pending items, and tell the instruction which they are."""
    facts, path, depth = plays
    for event in events:
        ref = event.object
        spell = run.script_of(run.state.objects[ref]).spell
        ability = spell.key if spell is not None else ""
        item = ChainItem(ref, "card", ref, Scope(run.state.objects[ref].controller, ref, ability, ref))
        item.facts.update(facts)
        run.put_on_chain(item)
        card, ability, span = run.words_of(event)
        run.note(
            f"{run.name(event.agent)} plays a {run.name(ref)} token",
            ("439.2.c", "185.2.a"),
            item.scope.controller,
            "put",
            item.id,
            card=card,
            ability=ability,
            span=span,
        )
    run.state.touch()
    run.state.facts["cleanup"] = True
    bindings = run.state.frames[depth].scope.bindings
    bindings[path] = (*bindings.get(path, ()), *(event.object for event in events))
    if events:
        bindings["did"] = True
        bindings["did:who"] = (events[0].agent,)


def play_instead(act: Act) -> None:
    """Play "that token", copies of it or other tokens in the place of one, with its modifications (375)."""
    card, notes, facts, _, _ = act.scope.bindings["event.played"]
    node = act.node.object
    parts = node.parts if isinstance(node, ast.Group) else (node,)
    for position, part in enumerate(parts):
        path = f"{act.path}.object" + (f".parts.{position}" if isinstance(node, ast.Group) else "")
        if isinstance(part, ast.TokenSpec):
            play_token(act, part, path, dict(facts))
            continue
        count = 1
        if isinstance(part, ast.Objects) and part.quantity.amount is not None:
            count = select.amount(act.run, part.quantity.amount, act.scope, f"{path}.quantity.amount") or 0
        _propose(act, [(card, dict(notes))] * count, dict(facts), path)


def _unmake(run: Run, ref: int) -> None:
    take_out(run, ref)
    del run.state.objects[ref]


def token_card(run: Run, name: str) -> str:
    """Give the card of a token's name. Raises where the rules know no such token (187)."""
    if name in run.rules.cards:
        return name
    folded = {known.casefold(): known for known in run.rules.tokens}
    if name.casefold() in folded:
        return folded[name.casefold()]
    raise EngineError(f"there is no token {name!r}", place="rule 187")


def token_might(run: Run, card: str, spec: ast.TokenSpec, scope: Scope, path: str) -> int | None:
    """A token's Might may be said by the effect that makes it (187); nothing where it is the printed one."""
    printed = run.rules.script(card).traits
    if not printed.types.issuperset(spec.types):
        raise EngineError(f"the token {spec.name} is no {' '.join(spec.types)}", place=scope.ability)
    for keyword in spec.keywords:
        if keyword.name.casefold() not in printed.keywords:
            raise EngineError(
                f"the token {spec.name} is made with [{keyword.name}], which is not printed on it",
                place=scope.ability,
            )
    if spec.might is None:
        return None
    might = select.amount(run, spec.might, scope, f"{path}.might")
    return might if might != printed.figures.get("might") else None
