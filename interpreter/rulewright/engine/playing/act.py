"""One instruction that is being carried out: who does it, and the objects that it speaks of (355.17)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from rulewright.engine.program.compile import needs_choice
from rulewright.engine.query import select
from rulewright.engine.query.possible import forbidden
from rulewright.engine.query.select import bounds
from rulewright.engine.query.targets import couples, group_ok, in_reach, one_place, still_legal
from rulewright.engine.run import Run
from rulewright.engine.state.objects import NOBODY, Event, Frame, Option, Scope, player_ref
from rulewright.language import ast


class Act:
    """One action that is being carried out: the words, who does it, and the frame that it belongs to."""

    __slots__ = ("frame", "node", "path", "player", "rules", "run", "scope", "subject")

    def __init__(
        self, run: Run, frame: Frame, node: ast.Action, path: str, player: int, rules: tuple[str, ...]
    ) -> None:
        self.run = run
        self.frame = frame
        self.node = node
        self.path = path
        self.player = player
        self.scope = frame.scope
        self.rules = rules
        self.subject = NOBODY

    def event(self, verb: str, **roles: Any) -> Event:
        """Make an event of this action."""
        made = Event(verb, agent=player_ref(self.player), using=self.scope.item or self.scope.source, **roles)
        made.cause = f"{self.scope.ability}|{self.path}"
        made.rules = self.rules
        return made

    def amount(self, default: int = 1) -> int:
        """Give the amount that the words say; a default where they say none."""
        if self.node.amount is None:
            return default
        if isinstance(self.node.amount, ast.AnyAmount):
            return self.any_amount()
        return select.amount(self.run, self.node.amount, self.scope, f"{self.path}.amount") or 0

    def any_amount(self) -> int:
        """Let the player choose an amount, as far as the objects for it go."""
        path = f"{self.path}.amount"
        if path not in self.scope.bindings:
            options = [Option(f"amount:{n}", "number", str(n), n) for n in range(21)]
            self.scope.bindings[path] = self.run.ask(self.player, "number", "Choose an amount", options)
        return int(self.scope.bindings[path])

    def objects(self, role: str = "object", node: Any = None, prompt: str = "") -> tuple[int, ...]:
        """Give the objects in a role: those chosen before, all that fit, or those the player now chooses."""
        selector = getattr(self.node, role) if node is None else node
        path = f"{self.path}.{role}"
        # 203.3: a cost is paid in full; what may be ignored of an instruction (128.6) may not of a cost.
        cost = ">cost@" in self.frame.program
        return objects_of(self.run, self.scope, selector, path, self.player, prompt or self.node.verb, cost)

    def living(self, refs: Iterable[int]) -> list[int]:
        """Follow what the text itself has moved, and leave out what is gone."""
        found = (self.run.current(ref, self.scope) for ref in refs)
        return [
            ref
            for ref in found
            if ref < 0 or ref in self.run.state.objects or self.run.state.item(ref) is not None
        ]


def objects_of(
    run: Run, scope: Scope, selector: Any, path: str, player: int, prompt: str, must: bool = False
) -> tuple[int, ...]:
    """Give the objects that a selector means; what is not chosen yet is chosen now, on resolution (355.17)."""
    if selector is None:
        return ()
    if path in scope.bindings:
        _narrow(run, scope, selector, path)
        return select.refs(run, selector, scope, path)
    if isinstance(selector, ast.Group):
        return _group_objects(run, scope, selector, path, player, prompt)
    if isinstance(selector, ast.Objects) and needs_choice(selector):
        return _choose_now(run, scope, selector, path, player, prompt, must)
    if isinstance(selector, ast.Reference) and selector.role == "one" and selector.antecedent is not None:
        return _one_of_them(run, scope, selector, path, player, prompt)
    return select.refs(run, selector, scope, path)


def _one_of_them(
    run: Run, scope: Scope, selector: ast.Reference, path: str, player: int, prompt: str
) -> tuple[int, ...]:
    """ "One" of what was spoken of: chosen now, and from here on the words before mean the chosen one (359.3.e.14).

    Of what several players looked at, each takes one of their own.
    """
    spoken = str(selector.antecedent)
    everything = scope.bindings.get(f"{spoken}:all") or select.refs(run, selector, scope, path)
    before = scope.bindings.get(f"{spoken}:taken", ())
    left = [ref for ref in everything if ref in run.state.objects and ref not in before]
    owners = {run.state.objects[ref].owner for ref in left}
    if len(owners) > 1:
        left = [ref for ref in left if run.state.objects[ref].owner == player]
    if not left:
        return ()
    chosen = run.pick(player, left, 1, 1, f"Choose what to {prompt}", "355.17")
    scope.bindings[f"{spoken}:all"] = everything
    scope.bindings[f"{spoken}:taken"] = (*before, *chosen)
    scope.bindings[spoken] = (*before, *chosen)
    scope.bindings[path] = chosen
    return chosen


def _narrow(run: Run, scope: Scope, selector: Any, path: str) -> None:
    """355.11.b: of targets that no longer meet a requirement together, a part that does is chosen on resolution."""

    if path not in scope.bindings.get("targets", ()) or f"{path}:legal" in scope.bindings:
        return
    if not isinstance(selector, ast.Objects):
        return
    if not any(
        isinstance(part, ast.TotalIs) or one_place(part) or couples(part) for part in selector.filters
    ):
        return
    kept = list(still_legal(run, _for_each(selector), scope, path, scope.bindings[path]))
    if not group_ok(run, selector, scope, path, kept):
        kept = list(
            run.pick(
                scope.controller,
                kept,
                0,
                len(kept),
                "Choose those that are affected",
                "355.11.b",
                "target",
                refine=lambda taken: _addable(run, selector, scope, path, kept, taken),
            )
        )
    scope.bindings[f"{path}:legal"] = tuple(kept)


def _for_each(selector: ast.Objects) -> ast.Objects:
    """Give a description without what it asks of several objects together."""
    return replace(
        selector,
        filters=tuple(
            replace(part, same=False) if isinstance(part, ast.At) else part
            for part in selector.filters
            if not isinstance(part, ast.TotalIs | ast.SameController)
        ),
    )


def _narrow_group(run: Run, scope: Scope, selector: ast.Group, path: str) -> None:
    """355.11.b for "a unit and a gear with the same controller": the words that couple them hold for all of them."""
    parts = {
        f"{path}.parts.{position}": part
        for position, part in enumerate(selector.parts)
        if isinstance(part, ast.Objects)
    }
    coupling = [each for part in parts.values() for each in part.filters if couples(each)]
    targets = scope.bindings.get("targets", ())
    if not coupling or not all(
        where in targets and f"{where}:legal" not in scope.bindings for where in parts
    ):
        return

    def together(taken: Sequence[int]) -> bool:
        return all(
            select.passes(run, ref, each, scope, "", [other for other in taken if other != ref])
            for ref in taken
            for each in coupling
        )

    legal = {
        where: still_legal(run, _for_each(part), scope, where, scope.bindings[where])
        for where, part in parts.items()
    }
    chosen: Sequence[int] = [ref for refs in legal.values() for ref in refs if together([ref])]
    if not together(chosen):
        among = chosen
        chosen = run.pick(
            scope.controller,
            among,
            0,
            len(among),
            "Choose those that are affected",
            "355.11.b",
            "target",
            refine=lambda taken: [ref for ref in among if ref not in taken and together([*taken, ref])],
        )
    for where, refs in legal.items():
        scope.bindings[f"{where}:legal"] = tuple(ref for ref in refs if ref in chosen)


def _group_objects(
    run: Run, scope: Scope, selector: ast.Group, path: str, player: int, prompt: str
) -> tuple[int, ...]:
    found: list[int] = []
    if selector.conjunction == "or" and needs_choice(selector):
        for position, part in enumerate(selector.parts):
            found.extend(select.candidates(run, part, scope, f"{path}.parts.{position}"))  # type: ignore[arg-type]
        if not found:
            return ()
        chosen = run.pick(player, dict.fromkeys(found), 1, 1, f"Choose what to {prompt}", "355.17")
        scope.bindings[path] = chosen
        return chosen
    _narrow_group(run, scope, selector, path)
    for position, part in enumerate(selector.parts):
        found.extend(objects_of(run, scope, part, f"{path}.parts.{position}", player, prompt))
    return tuple(dict.fromkeys(found))


def _is_barred(run: Run, scope: Scope, player: int, verb: str, ref: int) -> bool:
    return forbidden(run, Event(verb, player_ref(player), object=ref, using=scope.item)) is not None


def _choose_now(
    run: Run, scope: Scope, selector: ast.Objects, path: str, player: int, prompt: str, must: bool = False
) -> tuple[int, ...]:

    chooser = Scope(scope.controller, scope.source, scope.ability, scope.item, scope.bindings)
    options = [
        ref for ref in select.candidates(run, selector, chooser, path) if in_reach(run, ref, scope, selector)
    ]
    if options and all(_is_barred(run, scope, player, prompt, ref) for ref in options):
        # Nobody is asked for what they may not do.
        return ()
    least, most = bounds(run, selector, scope, path)
    if must:
        options = _harmless(run, scope, path, options, least)
    elif _may_ignore(run, selector, options):
        least = 0
    least, most = min(least, len(options)), min(most, len(options))
    chosen = (
        run.pick(
            player,
            options,
            least,
            most,
            f"Choose what to {prompt}",
            "355.17",
            enough=lambda taken: group_ok(run, selector, scope, path, taken),
            refine=lambda taken: _addable(run, selector, scope, path, options, taken),
        )
        if most
        else ()
    )
    scope.bindings[path] = chosen
    scope.bindings[f"{path}:all"] = tuple(options)
    return chosen


def _harmless(run: Run, scope: Scope, path: str, options: list[int], least: int) -> list[int]:
    """357.3: what the item has chosen is not given up for its cost, unless there is nothing else to pay with."""
    item, action = run.state.item(scope.item), run.antecedent(scope, path.rpartition(".")[0])
    if item is None or not isinstance(action, ast.Action) or action.verb not in run.rules.rules.procedures:
        return options
    if not any(function.__name__ == "_place" for function, _ in run.performer(action.verb)):
        return options
    others = [ref for ref in options if ref not in run.targets_of(item)]
    return others if len(others) >= least else options


def _addable(
    run: Run, selector: ast.Objects, scope: Scope, path: str, options: Sequence[int], taken: list[int]
) -> list[int]:
    shared = [
        p
        for p in selector.filters
        if isinstance(p, ast.TotalIs | ast.SameController) or getattr(p, "same", False)
    ]
    together = any(one_place(part) for part in selector.filters)
    return [
        ref
        for ref in options
        if all(select.passes(run, ref, part, scope, "", taken) for part in shared)
        and not (together and any(run.location(other) != run.location(ref) for other in taken))
    ]


def _may_ignore(run: Run, selector: ast.Objects, options: Sequence[int]) -> bool:
    """128.6: nobody can be made to show that a private zone holds a card of some quality."""
    for part in selector.filters:
        if isinstance(part, ast.From) and isinstance(part.place, ast.Zone):
            zone = run.rules.zones.get(run.zone_name(part.place.name))
            if zone is not None and zone.privacy != "public":
                return selector.nouns != ("card",) or len(selector.filters) > 1
    return False
