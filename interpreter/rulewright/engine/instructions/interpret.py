"""The operations that texts are made of, besides actions: may, if, costs, loops, modes, effects that begin.

Importing this module registers them with the loop in :mod:`rulewright.engine.run`.
"""

from typing import TYPE_CHECKING, Any

from rulewright.engine.events.happening import became, happen
from rulewright.engine.playing.act import objects_of
from rulewright.engine.playing.anew import can_remake
from rulewright.engine.playing.pay import ask_plan, pay_resources
from rulewright.engine.query import layers, select
from rulewright.engine.query.payment import action_payable, can_pay, payable
from rulewright.engine.query.price import Price, price_of
from rulewright.engine.run import NAMING_CARDS, EngineError, Run, op
from rulewright.engine.state.objects import (
    NOBODY,
    ChainItem,
    Event,
    Frame,
    Option,
    Scope,
    player_of,
    player_ref,
)
from rulewright.language import ast

if TYPE_CHECKING:
    from rulewright.engine.program.ops import Op


# ------------------------------------------------------------------------------------- going on or not


@op("test")
def _test(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Go on if a condition holds."""
    return None if select.holds(run, operation.node, frame.scope, operation.path) else operation.jump


@op("gate")
def _gate(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Go on if the condition of a dependent keyword is met (727.1)."""
    return None if layers.gate_open(run, operation.node, frame.scope) else operation.jump


@op("may")
def _may(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Ask a player whether they do something; a cost that cannot be paid is no choice."""
    node: ast.May = operation.node
    scope = frame.scope
    if frame.local.pop("chosen", False):
        return None
    found = select.players(run, node.who, scope, f"{operation.path}.who")
    scope.bindings["did"] = False
    if not found:
        return operation.jump
    player = found[0]
    if isinstance(node.body, ast.PayTo):
        if not payable(
            run, player, node.body.cost, scope, f"{operation.path}.body.cost", run.state.item(scope.item)
        ):
            return operation.jump
        frame.local["agreed"] = True
    elif isinstance(node.body, ast.Action) and node.body.verb == "remake-choices":
        # 753.2: nobody may choose to make new choices where there are none.
        refs = select.refs(run, node.body.object, scope, f"{operation.path}.body.object")
        items = [run.state.item(ref) for ref in refs]
        if not any(item is not None and can_remake(run, item) for item in items):
            return operation.jump
    elif (
        isinstance(node.body, ast.Action)
        and node.body.verb
        in (
            "pay",
            "spend",
            "discard",
            "exhaust",
            "kill",
        )
        and not action_payable(run, player, node.body, scope, f"{operation.path}.body")
    ):
        return operation.jump
    if not run.yes(player, f"{run.name(scope.source)}: do it?", "383.3.a.3"):
        frame.local.pop("agreed", None)
        return operation.jump
    frame.local["offered"] = f"{operation.path}.body"
    scope.bindings["did:who"] = (player_ref(player),)
    scope.bindings["did:all"] = (*scope.bindings.get("did:all", ()), player_ref(player))
    return None


@op("pay")
def _pay(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Pay a cost within instructions to get what follows (204.3)."""
    node: ast.PayTo = operation.node
    scope, path = frame.scope, f"{operation.path}.cost"
    player = scope.controller
    if node.who is not None:
        found = select.players(run, node.who, scope, f"{operation.path}.who")
        player = found[0] if found else player
    item = run.state.item(scope.item)
    if item is not None and item.facts.get("cost") == (scope.ability, path):
        # 383.3.b: it was the cost of the ability, and has been paid.
        return None
    scope.bindings["did"] = False
    if not payable(run, player, node.cost, scope, path, item):
        return operation.jump
    agreed = frame.local.get("agreed") or (item is not None and item.facts.get("agreed") == operation.path)
    if not agreed and not run.yes(player, f"{run.name(scope.source)}: pay?", "204.3.b", "may"):
        return operation.jump
    if not pay_cost(run, frame, player, node.cost, path, item):
        return operation.jump
    frame.local.pop("agreed", None)
    scope.bindings["did"] = True
    scope.bindings["did:who"] = (player_ref(player),)
    return None


def pay_cost(run: Run, frame: Frame, player: int, cost: Any, path: str, item: ChainItem | None) -> bool:
    """Pay a cost now: resources by a plan, and the actions in it as a program of their own."""
    scope = frame.scope
    if isinstance(cost, ast.CostOptions):
        options = [
            Option(f"cost:{i}", "choose", str(price_of(run, option, scope, f"{path}.options.{i}")), i)
            for i, option in enumerate(cost.options)
            if payable(run, player, option, scope, f"{path}.options.{i}", item)
        ]
        chosen = int(run.ask(player, "cost", "Which cost?", options, "204"))
        cost, path = cost.options[chosen], f"{path}.options.{chosen}"
    _any_amounts(run, player, cost, scope, path)
    price = price_of(run, cost, scope, path)
    plan = ask_plan(run, player, price, item, "357.1")
    if plan is None:
        return False
    pay_resources(run, player, price, plan, item, scope.ability)
    if price.parts:
        made = scope.copy()
        made.controller = player
        run.call(f"{scope.ability}>cost@{path}", made, "scope")
    return True


def _any_amounts(run: Run, player: int, cost: Any, scope: Scope, path: str) -> None:
    """ "Pay any amount": the player says how much, as far as they can pay (204.3.b)."""
    for position, part in enumerate(cost.parts if isinstance(cost, ast.Cost) else ()):
        where = f"{path}.parts.{position}.amount"
        if isinstance(part, ast.Energy | ast.Power) and isinstance(part.amount, ast.AnyAmount):
            most = 0
            while most < 40:
                tried = Price(most + 1) if isinstance(part, ast.Energy) else Price(0, {part.domain: most + 1})
                if not can_pay(run, player, tried, run.state.item(scope.item)):
                    break
                most += 1
            options = [Option(f"amount:{n}", "number", str(n), n) for n in range(most + 1)]
            paid = int(run.ask(player, "number", "Pay how much?", options, "204.3.b"))
            scope.bindings[where] = paid
            scope.bindings["much"] = paid
            scope.bindings[f"{path}:much"] = paid
            scope.bindings[f"{path}.parts.{position}:much"] = paid


@op("unless")
def _unless(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Let a player do something to keep the body from being done."""
    node: ast.Unless = operation.node
    scope = frame.scope
    found = select.players(run, node.who, scope, f"{operation.path}.who")
    if not found:
        return operation.jump
    player = found[0]
    cost = node.alternative
    if isinstance(cost, ast.Cost | ast.CostOptions) and not payable(
        run, player, cost, scope, f"{operation.path}.alternative", run.state.item(scope.item)
    ):
        return operation.jump
    if not run.yes(player, f"{run.name(scope.source)}: prevent it?", "204.3.b", "unless"):
        return operation.jump
    frame.local["payer"] = player
    frame.local["offered"] = f"{operation.path}.alternative"
    return None


@op("pay-alternative")
def _pay_alternative(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Pay the cost that keeps something from being done."""
    player = frame.local["payer"]
    path = f"{operation.path}.alternative"
    item = run.state.item(frame.scope.item)
    if pay_cost(run, frame, player, operation.node.alternative, path, item):
        return operation.jump
    return None


# --------------------------------------------------------------------------------------------- loops


@op("each")
def _each(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Find what a body is done for, once for each."""
    node: ast.ForEach = operation.node
    scope, path = frame.scope, f"{operation.path}.what"
    what = node.what
    found: tuple[int, ...]
    if isinstance(what, ast.PlayersWho):
        found = tuple(
            player_ref(p)
            for p in select.players(run, what.who, scope, f"{path}.who")
            if _is_who(run, what, p, scope, path)
        )
    elif isinstance(what, ast.Player):
        found = tuple(player_ref(p) for p in select.players(run, what, scope, path))
    elif isinstance(what, ast.EventCount):
        found = (NOBODY,) * (select.amount(run, what, scope, path) or 0)
    elif isinstance(what, ast.Resource):
        bound = scope.bindings.get(path) or scope.bindings.get("much", 0)
        found = (NOBODY,) * (bound if isinstance(bound, int) else 0)
    elif isinstance(what, ast.Objects):
        found = (
            select.refs(run, what, scope, path)
            if path in scope.bindings
            else tuple(select.candidates(run, what, scope, path))
        )
    else:
        found = objects_of(run, scope, what, path, scope.controller, "go through")
    frame.local[f"left:{operation.path}"] = found
    return None


def _is_who(run: Run, what: ast.PlayersWho, player: int, scope: Scope, path: str) -> bool:
    """Tell whether a player is one who chose a word, did what was offered, or of whom a condition holds."""
    for position, part in enumerate(what.filters):
        if isinstance(part, ast.Where):
            theirs = {**scope.bindings, "player": (player_ref(player),), f"{path}.who": (player_ref(player),)}
            inner = Scope(scope.controller, scope.source, scope.ability, scope.item, theirs)
            if not select.holds(run, part.condition, inner, f"{path}.filters.{position}.condition"):
                return False
            continue
        if not isinstance(part, ast.That) or not isinstance(part.event.action, ast.Action):
            return False
        action = part.event.action
        if action.verb == "do-so":
            doers: tuple[int, ...] = scope.bindings.get("did:all") or scope.bindings.get("did:who") or ()
            if (player_ref(player) in doers) == part.negated:
                return False
        elif isinstance(action.object, ast.Word):
            said = str(scope.bindings.get(f"word:{player}", ""))
            if said.casefold().startswith(action.object.word.casefold()) == part.negated:
                return False
        else:
            raise EngineError(f"players who {action.verb!r} are not known")
    return True


@op("turns")
def _turns(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Let each player do a body in turn order, from one of them on."""
    node: ast.InTurnOrder = operation.node
    first = frame.scope.controller
    if node.first is not None:
        found = select.players(run, node.first, frame.scope, f"{operation.path}.first")
        first = found[0] if found else first
    order = run.turn_order(first)
    named = _named_doers(node)
    if named:
        # "Each other player chooses": who says so is not among them.
        among = {player for each in named for player in select.players(run, each, frame.scope, "")}
        order = tuple(player for player in order if player in among)
    frame.scope.bindings.pop("did:all", None)
    frame.local[f"left:{operation.path}"] = tuple(player_ref(player) for player in order)
    return None


def _named_doers(loop: ast.InTurnOrder) -> tuple[ast.Player, ...]:
    """Give the players that the words in a loop name, where they are who does it."""
    body = loop.body
    who = body.subject if isinstance(body, ast.Action) else body.who if isinstance(body, ast.May) else None
    parts = who.parts if isinstance(who, ast.Group) else (who,)
    return tuple(part for part in parts if isinstance(part, ast.Player))


@op("next")
def _next(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Go on with the next object or player of a loop, or past it."""
    key = f"left:{operation.path}"
    left = frame.local[key]
    bindings = frame.scope.bindings
    # The body of a loop that its own words make ("each player may ...") has the path of the loop.
    inside = operation.path if operation.name == "itself" else f"{operation.path}.body"
    chosen = f"{inside}.object" if _chooses(operation.node) else ""
    if chosen:
        # "Those": what each of them chose.
        every = f"chosen:{operation.path}"
        frame.local[every] = (*frame.local.get(every, ()), *bindings.get(chosen, ()))
    if not left:
        bindings.pop("it", None)
        if chosen:
            bindings[chosen] = frame.local[every]
        return operation.jump
    frame.local[key] = left[1:]
    for name in [n for n in bindings if n.startswith(inside)]:
        del bindings[name]
    if left[0]:
        bindings["it"] = (left[0],)
        if isinstance(operation.node, ast.ForEach):
            bindings[f"{operation.path}.what"] = (left[0],)
        if left[0] < 0:
            bindings["player"] = (left[0],)
            if isinstance(getattr(operation.node, "what", None), ast.PlayersWho):
                bindings[f"{operation.path}.what.who"] = (left[0],)
            _bind_doer(operation.node, inside, bindings, left[0])
    return None


def _chooses(loop: Any) -> bool:
    body = getattr(loop, "body", None)
    return isinstance(body, ast.Action) and body.verb == "choose"


def _bind_doer(loop: Any, inside: str, bindings: dict[str, Any], player: int) -> None:
    """ "Starting with the next player, each player plays ...": it is done by one player after the other."""
    body = getattr(loop, "body", None)
    if isinstance(loop, ast.InTurnOrder) and isinstance(body, ast.Action | ast.May):
        name = "subject" if isinstance(body, ast.Action) else "who"
        if isinstance(getattr(body, name), ast.Player | ast.Group):
            bindings[f"{inside}.{name}"] = (player,)
        if isinstance(body, ast.May) and getattr(body.body, "subject", None) == body.who:
            # Who may do it is who does it, and who the rest of the sentence calls "they".
            bindings[f"{inside}.body.subject"] = (player,)


@op("case")
def _case(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Go on with the branch that fits an attribute."""
    node: ast.BranchOn = operation.node
    word = operation.name.casefold()
    for ref in select.refs(run, node.of, frame.scope, f"{operation.path}.of"):
        printed = run.printed(ref)
        values = printed.domains if node.attribute == "domain" else tuple(printed.types)
        if word in (value.casefold() for value in values):
            return None
    return operation.jump


# ----------------------------------------------------------------------------- effects that begin


@op("apply")
def _apply(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Let a continuous effect begin: its objects and amounts are fixed now, where it names them (477.3.b)."""
    node: ast.Apply = operation.node
    scope = frame.scope
    path = f"{operation.path}.effect"
    until = duration_of(node.duration, f"{operation.path}.duration")
    effect = node.effect
    if _is_over(run, node.duration, scope):
        scope.bindings["did"] = False
        return None
    if isinstance(effect, ast.Modify):
        return _modify(run, frame, effect, path, until, node.next_only)
    if isinstance(effect, ast.Controls):
        _take_control(run, scope, effect, path)
    if isinstance(effect, ast.Skip):
        who = select.players(run, effect.who, scope, f"{path}.who")
        if effect.who.which == "opponent" and len(who) > 1:
            who = tuple(
                player_of(ref)
                for ref in run.pick(
                    scope.controller, [player_ref(p) for p in who], 1, 1, "Choose an opponent", "443.3"
                )
            )
        scope.bindings[f"{path}.who"] = tuple(player_ref(player) for player in who)
    if isinstance(effect, ast.Permit) and node.duration is None:
        until = "turn"
    run.add_lasting("effect", path, scope, until, once=node.next_only or _is_of_its_entry(effect))
    scope.bindings["did"] = True
    run.note(
        f"{run.name(scope.source)} begins an effect",
        operation.rules or ("390",),
        scope.controller,
        "apply",
        card=run.printed(scope.source).card,
        ability=scope.ability,
        span=node.span,
    )
    return None


def _is_of_its_entry(effect: Any) -> bool:
    """Tell whether an effect is about how its own source enters, which it does once."""
    inner = effect.effects if isinstance(effect, ast.Also) else (effect,)
    return all(isinstance(part, ast.Enters) and isinstance(part.subject, ast.Self) for part in inner)


def _is_over(run: Run, duration: Any, scope: Scope) -> bool:
    """359.3.e.16: "until I leave the board" is over where the source has left it already."""
    if not isinstance(duration, ast.UntilEvent) or not isinstance(duration.event.action, ast.Action):
        return False
    action = duration.event.action
    if action.verb != "leave" or not isinstance(action.subject, ast.Self):
        return False
    source = run.state.objects.get(run.current(scope.source, scope))
    return source is None or not run.rules.zones[source.zone].board


def _take_control(run: Run, scope: Scope, effect: ast.Controls, path: str) -> None:
    """A player controls something for a time; 359.3.e.16: not even for a moment where the time is over already."""
    who = select.players(run, effect.who, scope, f"{path}.who")
    refs = [run.current(ref, scope) for ref in select.refs(run, effect.what, scope, f"{path}.what")]
    if who:
        you = player_ref(who[0])
        there = [ref for ref in refs if ref in run.state.objects]
        happen(
            run, [Event("take-control", you, object=ref, word="for-now", using=scope.item) for ref in there]
        )


def _modify(run: Run, frame: Frame, effect: ast.Modify, path: str, until: str, next_only: bool) -> int | None:
    scope = frame.scope
    if next_only:
        run.add_lasting("effect", path, scope, until, once=True)
        scope.bindings["did"] = True
        return None
    if any(layers.own_count(effect.subject, change) for change in effect.changes):
        # "Buffs give an additional +1": whatever has a buff while it lasts, not only what has one now.
        run.add_lasting("effect", path, scope, until)
        scope.bindings["did"] = True
        run.state.facts["cleanup"] = True
        return None
    refs = objects_of(run, scope, effect.subject, f"{path}.subject", scope.controller, "change")
    affected = tuple(
        ref
        for ref in (run.current(ref, scope) for ref in refs)
        if ref in run.state.objects or run.state.item(ref)
    )
    if any(isinstance(part, ast.BecomesCopy) for part in effect.changes):
        return _become_copies(run, frame, effect, path, affected)
    amounts = tuple(
        snapshot(run, scope, effect, change, f"{path}.changes.{position}", affected)
        for position, change in enumerate(effect.changes)
    )
    scope.bindings["did"] = bool(affected)
    if not affected:
        return None
    before = {ref: run.stat(ref, "might") for ref in affected}
    run.add_lasting("effect", path, scope, until, affected, False, amounts)
    for ref in affected:
        now = run.stat(ref, "might")
        changed = f": {before[ref]} to {now} Might" if now != before[ref] else ""
        run.note(
            f"{run.name(ref)} is changed by {run.name(scope.source)}{changed}",
            frame_rules(run, scope) or ("474",),
            scope.controller,
            "apply",
            ref,
            card=run.printed(scope.source).card,
            ability=scope.ability,
            span=effect.span,
        )
    became(run, before)
    run.state.facts["cleanup"] = True
    return None


def frame_rules(run: Run, scope: Scope) -> tuple[str, ...]:
    """Give the rules that an ability comes from, where it is a keyword's or a rule's own."""
    sort, _, name = scope.ability.partition("#")[0].partition(":")
    if sort == "keyword":
        return (run.rules.keyword(name.rpartition("/")[0]).number,)
    return (name.rpartition("/")[0],) if sort == "rule" else ()


def snapshot(
    run: Run, scope: Scope, effect: ast.Modify, change: Any, path: str, affected: tuple[int, ...]
) -> Any:
    """Give by how much each object's Might is changed from now on, where the change has an amount."""
    if (
        isinstance(change, ast.Gains)
        and isinstance(change.what, ast.AbilityText)
        and change.what.sort == "keyword"
    ):
        return layers.keywords_of(run, change.what, scope, f"{path}.what")
    made = []
    for ref in affected:
        now = run.traits(ref).figures.get("might", 0)
        if isinstance(change, ast.MightChange):
            scope.bindings["it"] = (ref,)
            made.append((ref, layers.might_by(run, now, scope, path, change)))
        elif isinstance(change, ast.MightDoubled):
            # 477.3.c: a number below 0 is not doubled.
            made.append((ref, max(0, now)))
        elif isinstance(change, ast.MightSwapped):
            other = next((o for o in affected if o != ref), ref)
            made.append((ref, run.traits(other).figures.get("might", 0) - now))
        elif isinstance(change, ast.MightSet):
            value = select.amount(run, change.amount, scope, f"{path}.amount")
            if value is None:
                made.append((ref, 0 if change.only_up else now))
            else:
                made.append((ref, max(0, value - now) if change.only_up else value))
        else:
            return None
    scope.bindings.pop("it", None)
    return tuple(made)


def _become_copies(
    run: Run, frame: Frame, effect: ast.Modify, path: str, affected: tuple[int, ...]
) -> int | None:
    """477.1.b: the object's printed traits are those of another from now on."""
    scope = frame.scope
    for position, change in enumerate(effect.changes):
        if not isinstance(change, ast.BecomesCopy):
            continue
        where = f"{path}.changes.{position}.of"
        found = objects_of(run, scope, change.of, where, scope.controller, "copy")
        # 359.3.e.12: what has left by now has no text that could be looked at.
        models = [run.state.objects.get(run.current(ref, scope)) for ref in found]
        if not models or models[0] is None:
            scope.bindings["did"] = False
            continue
        card = models[0].notes.get("copy", models[0].card)
        for ref in affected:
            if ref in run.state.objects and change.text_only:
                # 136.2.c, 719.1: a copied text is appended to what the card is attached to, while it is.
                run.state.own(ref).notes["copied-text"] = card
                run.state.own(ref).notes["copied-in"] = scope.bindings.get("event.batch", 0)
                run.note(
                    f"{run.name(ref)} copies the text of {card}", ("477.1.b",), scope.controller, "apply"
                )
            elif ref in run.state.objects:
                own = run.state.own(ref)
                own.notes["copy"] = card
                own.reprint()
                run.new_card(card)
                run.note(
                    f"{run.name(ref)} becomes a copy",
                    ("477.1.b",),
                    scope.controller,
                    "apply",
                    span=effect.span,
                )
        scope.bindings["did"] = bool(affected)
    run.state.reshape()
    return None


def duration_of(duration: Any, path: str) -> str:
    """Give how long something lasts, as a lasting thing keeps it."""
    if duration is None:
        return ""
    if isinstance(duration, ast.ThisTurn):
        return "turn"
    if isinstance(duration, ast.ThisCombat) and not duration.each:
        return "combat"
    if isinstance(duration, ast.AsLongAs):
        return f"while:{path}"
    if isinstance(duration, ast.UntilEvent):
        return f"until:{path}"
    if isinstance(duration, ast.During):
        return "turn"
    raise EngineError(f"a duration of the sort {type(duration).__name__} is not known")


@op("create")
def _create(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Make a delayed ability (389-392); where its time is over already it is not made (359.3.e.16)."""
    node: ast.CreateAbility = operation.node
    kind = "trigger" if isinstance(node.ability, ast.TriggeredAbility) else "replacement"
    until = duration_of(node.duration, f"{operation.path}.duration")
    once = node.once
    if kind == "trigger":
        assert isinstance(node.ability, ast.TriggeredAbility)
        moments = [e.action for e in node.ability.events if isinstance(e.action, ast.Moment)]
        if moments:
            once = True
            if any(run.is_over(moment) for moment in moments):
                return None
            if not until and all(moment.which in (None, "this") for moment in moments):
                until = ""
    else:
        assert isinstance(node.ability, ast.ReplacementAbility)
        window = node.ability.event.window
        if not until and window is not None:
            until = duration_of(window, "")
    run.add_lasting(kind, operation.path, _followed(run, frame.scope), until, once=once)
    frame.scope.bindings["did"] = True
    return None


def _followed(run: Run, scope: Scope) -> Scope:
    """390.5.c.1: what the text itself has put elsewhere is known to the ability that it leaves behind."""
    made = scope.copy()
    for name, bound in scope.bindings.items():
        if isinstance(bound, tuple) and all(isinstance(ref, int) for ref in bound):
            made.bindings[name] = tuple(run.current(ref, scope) for ref in bound)
    return made


@op("await")
def _await(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Let a reflexive trigger wait this turn for what its source does, unless that has been done (387.2-3)."""
    node = operation.node
    if isinstance(node, ast.Conditional):
        if select.holds(run, node.condition, frame.scope, f"{operation.path}.condition"):
            put_reflexive(run, frame.scope, f"{operation.path}.body", operation.span)
            return None
    else:
        for _ in select.candidates(run, node.what, frame.scope, f"{operation.path}.what"):
            put_reflexive(run, frame.scope, f"{operation.path}.body", operation.span)
    run.add_lasting("trigger", operation.path, frame.scope, "turn", once=isinstance(node, ast.Conditional))
    return None


@op("reflexive")
def _reflexive(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Put a new item on the chain when the words are reached (386-388)."""
    put_reflexive(run, frame.scope, operation.path, operation.span)
    return None


def put_reflexive(run: Run, origin_scope: Scope, path: str, span: Any) -> None:
    """Put the item of a reflexive trigger on the chain (388.1)."""
    scope = origin_scope.copy()
    item = ChainItem(run.state.new_id(), "reflexive", NOBODY, scope)
    origin = scope.item
    scope.bindings.pop("targets", None)
    # 359.3.e.12: it knows where the text before it has put something, and not where others have put it since.
    scope.bindings["follow-of"] = (*scope.bindings.get("follow-of", ()), origin)
    scope.item = item.id
    item.facts["part"] = path
    item.facts["origin"] = origin
    source = run.state.item(origin)
    if source is not None and "paid" in source.facts:
        item.facts["paid"] = source.facts["paid"]
    run.put_on_chain(item)
    run.note(
        f"{run.name(scope.source)} adds an ability to the chain",
        ("388.1",),
        scope.controller,
        "trigger",
        item.id,
        card=run.printed(scope.source).card,
        ability=scope.ability,
        span=span,
    )


@op("word")
def _word(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Let a player name a word (759-763) or pick one of several."""
    node: ast.ChooseWord = operation.node
    scope = frame.scope
    doers = [scope.controller]
    if node.who is not None:
        doers = list(select.players(run, node.who, scope, f"{operation.path}.who"))
    words = node.options or run.words_for(node.what)
    said: dict[int, str] = {}
    for player in doers:
        options = [Option(f"word:{word}", "choose", word, word) for word in words]
        rule = NAMING_CARDS if node.what == "card" else "760"
        said[player] = str(run.ask(player, "name", f"Name a {node.what}", options, rule))
    for player, word in said.items():
        scope.bindings[f"word:{player}"] = word
        scope.bindings["word"] = word
    scope.bindings[f"{operation.path}:words"] = tuple(sorted((player_ref(p), w) for p, w in said.items()))
    source = run.current(scope.source, scope)
    if source in run.state.objects:
        run.state.own(source).notes["word"] = scope.bindings["word"]
        run.state.touch()
    run.note(f"{', '.join(said.values())} is named", ("760",), doers[0] if doers else -1, "name")
    return None


# ------------------------------------------------------------------------------------- procedures


@op("players")
def _players(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Find the players that a step is for."""
    order = run.turn_order(run.state.turn_player)
    if operation.node == "opponents":
        order = tuple(p for p in order if run.enemies(p, frame.scope.controller))
    frame.local["players"] = tuple(player_ref(p) for p in order)
    frame.local["before"] = frame.scope.controller
    return None


@op("next-player")
def _next_player(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Go on with the next player of a step."""
    left = frame.local["players"]
    if not left:
        frame.scope.controller = frame.local["before"]
        return operation.jump
    frame.local["players"] = left[1:]
    frame.scope.controller = player_of(left[0])
    return None


def skipped(run: Run, name: str) -> bool:
    """443: tell whether a turn, phase or step does not take place for the turn player, and use up what says so."""
    for active in layers.effects(run, ast.Skip):
        effect = active.effect
        who = select.players(run, effect.who, active.scope, f"{active.path}.who")
        if effect.phase != name or run.state.turn_player not in who:
            continue
        player = player_ref(run.state.turn_player)
        text = f"{run.name(player)} skips the {name.replace('-', ' ').title()}"
        run.note(text, ("443.1",), run.state.turn_player, "skip")
        if effect.which is not None:
            run.state.effects = tuple(e for e in run.state.effects if e.id != active.lasting)
            run.state.touch()
        return True
    return False


@op("call")
def _call(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Begin another procedure, unless it is skipped."""
    if skipped(run, operation.name):
        return None
    scope = Scope(frame.scope.controller, frame.scope.source, "", frame.scope.item)
    local = run.call(f"do:{operation.name}", scope).local
    for name in ("item", "at"):
        if name in frame.local:
            local[name] = frame.local[name]
    local.update(operation.node)
    return None


@op("text")
def _text(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Carry out words of the rules."""
    scope = Scope(frame.scope.controller, frame.scope.source, operation.name)
    run.call(f"{operation.name}>resolve", scope)
    return None


@op("return")
def _return(run: Run, frame: Frame, operation: "Op") -> int | None:
    """End the procedure."""
    return 1 << 30


@op("do")
def _do(run: Run, frame: Frame, operation: "Op") -> int | None:
    """Carry out a primitive step; where it finds nothing to do, it is remembered what it has looked at."""
    function, parameters = operation.node
    if operation.looks_at == "anything":
        outcome = function(run, frame, parameters, operation.rules)
    else:
        before = run.state.moment
        outcome = function(run, frame, parameters, operation.rules)
        if run.state.moment == before:
            run.found_nothing[frame.program][frame.position] = run.looked_at
    if outcome == "return":
        return 1 << 30
    if outcome == "again":
        return frame.position
    return None
