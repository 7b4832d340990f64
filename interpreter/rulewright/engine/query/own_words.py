"""What the text of an ability says of the ability itself: when it may be used, what it costs and what it may choose.

Such words stand behind the ability ("This ability can't choose units in a base") or behind the keyword that stands for
it ("[Equip] [1]. This ability has [Reaction]", 818.1.c.4-5).
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rulewright.engine.program.index import flattened
from rulewright.engine.query import layers, select
from rulewright.engine.state.objects import ChainItem
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.run import Run


def own_words(run: "Run", item: ChainItem) -> Iterator[layers.Active]:
    """Yield the effects that an ability's own text has on the ability, and that are on now."""
    key, before, told = _told(run, item)
    if not told:
        return
    scope = item.scope.copy()
    scope.ability = key
    if chosen := run.targets_of(item):
        # 818.1.c.4: "reduced by the Might of the unit you choose" speaks of what this item has chosen.
        scope.bindings["it"] = scope.bindings["choosing"] = chosen
    for position, effect in enumerate(told):
        for inner, where, under in flattened(effect, f"{before}effects.{position}", ()):
            active = layers.Active(inner, scope, where, 0, conditions=under)
            if active.on(run):
                yield active


def speaks_of_itself(run: "Run", item: ChainItem) -> bool:
    """Tell whether there are such words at all: few abilities have any."""
    return bool(_told(run, item)[2])


def _told(run: "Run", item: ChainItem) -> tuple[str, str, tuple[ast.Effect, ...]]:
    """Give the key of an ability, and the effects that stand behind it, with the path before them."""
    if "cost" not in item.facts:
        return "", "", ()
    key, path = item.facts["cost"]
    before = path.rpartition("cost")[0].removesuffix("keyword.")
    return key, before, getattr(run.rules.node(key, before.rstrip(".")), "effects", ())


def own_keywords(run: "Run", item: ChainItem) -> Iterator[ast.Keyword]:
    """Yield the keywords that an ability says that it has ("This ability has [Reaction]")."""
    for active in own_words(run, item):
        if isinstance(active.effect, ast.Modify):
            yield from (
                change.what
                for change in active.effect.changes
                if isinstance(change, ast.Gains) and isinstance(change.what, ast.Keyword)
            )


def own_choice_fits(run: "Run", item: ChainItem, ref: int) -> bool:
    """Tell whether an ability's own text lets it choose something: it is not among what it says that it can't."""
    for active in _of_choosing(run, item):
        named = _is_named(run, active, ref)
        if isinstance(active.effect, ast.Forbid):
            if named:
                return False
        elif active.effect.only and not named:
            return False
    return True


def own_choices(run: "Run", item: ChainItem, refs: Iterable[int], nouns: tuple[str, ...]) -> Iterator[int]:
    """Yield what an ability's own text lets it choose besides what it describes, as long as the sort is the same."""
    wider = [
        active
        for active in _of_choosing(run, item)
        if isinstance(active.effect, ast.Permit) and not active.effect.only
    ]
    for ref in refs if wider else ():
        if any(_is_named(run, active, ref) for active in wider) and any(
            select.is_noun(run, ref, noun, item.scope) for noun in nouns
        ):
            yield ref


def _of_choosing(run: "Run", item: ChainItem) -> Iterator[layers.Active]:
    for active in own_words(run, item):
        if isinstance(active.effect, ast.Permit | ast.Forbid) and active.effect.action.verb == "choose":
            yield active


def _is_named(run: "Run", active: layers.Active, ref: int) -> bool:
    words, path = active.effect.action.object, f"{active.path}.action.object"
    if isinstance(words, ast.Objects):
        return select.fits(run, ref, words, active.scope, path)
    return ref in select.refs(run, words, active.scope, path)
