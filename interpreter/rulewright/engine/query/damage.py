"""How much damage is dealt and taken: bonus damage, prevention, and what changes either (437, 713-715)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulewright.engine.query import layers, select
from rulewright.engine.state.objects import NOBODY, Event, Scope, player_of
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def damage_taken(run: "Run", event: Event, prevents_first: bool = False) -> tuple[int, list[tuple[str, int]]]:
    """Give how much damage would be dealt, and how much of which limited prevention that uses up (437.3)."""
    if prevents_first:
        left, used = _prevented(run, event, event.amount)
        return _multiplied(run, event, left), used
    return _prevented(run, event, _multiplied(run, event, event.amount))


def factors(run: "Run", event: Event) -> list[layers.Active]:
    """Give the effects that multiply the damage of an event."""
    return [
        active
        for active in layers.effects(run, ast.DamageFactor)
        if (active.effect.to is None or _about(run, active, active.effect.to, event.object, "to"))
        and (active.effect.source is None or _dealt_by(run, active, event))
    ]


def shields(run: "Run", event: Event) -> list[layers.Active]:
    """Give the effects that prevent damage of an event."""
    if _is_unpreventable(run, event):
        return []
    return [
        active
        for active in layers.effects(run, ast.PreventDamage)
        if (active.effect.to is None or _about(run, active, active.effect.to, event.object, "to"))
        and (active.effect.source is None or _dealt_by(run, active, event))
    ]


def _is_unpreventable(run: "Run", event: Event) -> bool:
    """Tell whether an effect says that this damage can't be prevented; a player's is what that player deals (142.3)."""
    dealing = player_of(event.agent) if event.agent < 0 else run.state.turn_player
    for active in layers.effects(run, ast.Forbid, NOBODY, "prevent"):
        damage = active.effect.action.object
        if damage.kind == "combat-damage" and event.word != "combat":
            continue
        whose = damage.of
        if whose is None or dealing in select.players(
            run, whose, active.scope, f"{active.path}.action.object.of"
        ):
            return True
    return False


def _multiplied(run: "Run", event: Event, damage: int) -> int:
    for active in factors(run, event):
        effect: ast.DamageFactor = active.effect
        damage *= select.amount(run, effect.factor, active.scope, f"{active.path}.factor") or 1
    return damage


def _prevented(run: "Run", event: Event, damage: int) -> tuple[int, list[tuple[str, int]]]:
    left = damage
    used: list[tuple[str, int]] = []
    for active in shields(run, event):
        effect: ast.PreventDamage = active.effect
        if effect.amount is None:
            left = 0
            continue
        if effect.each:
            left -= min(left, select.amount(run, effect.amount, active.scope, f"{active.path}.amount") or 0)
            continue
        key = f"prevented:{active.lasting}:{event.object}"
        if effect.window is not None:
            during = _spell_of_time(run, effect.window, event)
            if during is None:
                continue
            key = f"first:{during}:{active.scope.source}:{active.scope.ability}:{active.path}:{event.object}"
        value = select.amount(run, effect.amount, active.scope, f"{active.path}.amount") or 0
        taken = min(left, max(0, value - run.state.facts.get(key, 0)))
        if taken:
            left -= taken
            used.append((key, taken))
    return left, used


def _spell_of_time(run: "Run", window: ast.ThisTurn | ast.ThisCombat, event: Event) -> str | None:
    """Give the name of the turn or combat that an event is in, nothing where it is in none (437.5.a)."""
    if isinstance(window, ast.ThisTurn):
        return f"turn {run.state.turn}"
    fights = run.state.combat is not None and run.location(event.object) == run.state.showdown
    return "combat" if fights else None


def _dealt_by(run: "Run", active: layers.Active, event: Event) -> bool:
    source = active.effect.source
    if not isinstance(source, ast.Objects) or event.word == "combat":
        return False
    dealt_by = (event.subject,) if event.subject > 0 else run.means_of(event.using)
    path = f"{active.path}.source"
    return any(select.fits(run, ref, source, active.scope, path) for ref in dealt_by)


def _about(run: "Run", active: layers.Active, node: Any, ref: int, name: str) -> bool:
    path = f"{active.path}.{name}"
    if isinstance(node, ast.Objects) and path not in active.scope.bindings:
        return select.fits(run, ref, node, active.scope, path)
    return bool(set(run.line_of(ref)) & set(select.refs(run, node, active.scope, path)))


def bonus_damage(run: "Run", event: Event, scope: Scope) -> int:
    """Give the bonus damage of a deal action (713-714), all instances summed."""
    total = 0
    item = run.state.item(event.using)
    for active in layers.effects(run, ast.BonusDamage):
        effect = active.effect
        source = effect.source
        path = f"{active.path}.source"
        if event.subject > 0:
            fitting = _deals(run, source, (event.subject,), active, path)
        else:
            fitting = _deals(run, source, run.means_of(event.using), active, path)
        if not fitting or (effect.to is not None and not _is_to(run, effect.to, event.object, active)):
            continue
        total += select.amount(run, effect.amount, active.scope, f"{active.path}.amount") or 0
    if item is not None:
        total += int(item.facts.get("bonus", 0))
    return max(0, total)


def _deals(run: "Run", source: Any, refs: Sequence[int], active: layers.Active, path: str) -> bool:
    if isinstance(source, ast.AbilityText):
        return any(run.is_ability_of(ref, source, active.scope, path) for ref in refs)
    if isinstance(source, ast.Group):
        return any(
            _deals(run, part, refs, active, f"{path}.parts.{i}") for i, part in enumerate(source.parts)
        )
    if isinstance(source, ast.Objects):
        if active.affected is not None:
            return any(ref in active.affected for ref in refs)
        # "The next spell": it is known which one when it is finalized.
        return not active.once and any(select.fits(run, ref, source, active.scope, path) for ref in refs)
    meant = select.refs(run, source, active.scope, path)
    if isinstance(source, ast.Self):
        # "Play this again. If they do, this deals Bonus Damage": it is the card as it is played then.
        return any(ref in meant for each in refs for ref in run.line_of(each)[:2])
    return any(ref in meant for ref in refs)


def _is_to(run: "Run", to: Any, ref: int, active: layers.Active) -> bool:
    if isinstance(to, ast.Objects):
        return select.fits(run, ref, to, active.scope, f"{active.path}.to")
    return ref in select.refs(run, to, active.scope, f"{active.path}.to")
