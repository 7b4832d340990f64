"""Uses every ability of a card in positions made for it, and tells which of them did something and which did not.

A triggered, activated or replacing ability, and a spell, is used when its instructions are carried out; a passive one
applies when it is in force and, where it changes objects, an object is changed; an additional cost when it is paid.
Below the abilities there are *steps*, the operations they were compiled to: each mode, both ways of each choice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rulewright.engine import Game, Ruleset
from rulewright.engine.program.index import expand
from rulewright.engine.program.ops import Op
from rulewright.engine.query import layers
from rulewright.engine.state.objects import Decision, Frame, Option
from rulewright.engine.state.traits import Ability, Held
from rulewright.errors import RulewrightError
from rulewright.language import ast
from rulewright.play.agents import RandomSource
from rulewright.play.checks import InvariantError, Oracle
from rulewright.play.stage import Company, Stage, build, company_for

DECISIONS = 130
"""How many decisions an attempt takes at most."""

PLENTY = {"energy": 20, "any": 20}
"""What is kept in the pool of who decides, on most stages."""

LOOKS = 6
"""At every how many decisions the invariants are checked."""

_USED = ("triggered", "activated", "replacement", "spell")
"""The kinds of abilities with instructions: they are used when these are carried out."""

_DONE_BEFORE = ("ignore",)
"""Verbs of instructions whose work was done when the cost was determined (356.1.b)."""

_ORDINARY = ("play", "use", "add", "move")
"""What a player may do without a keyword; any other kind of option is what a keyword offers."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that went wrong while a card was tried: what, in which attempt, after which answers."""

    card: str
    attempt: int
    decisions: int
    error: str


@dataclass(slots=True)
class Exercise:
    """What came of trying one card.

    ``abilities`` maps each ability's key to what it is in words, ``fired`` are those that were used or applied,
    ``steps`` the operations of their programs and ``reached`` those that were carried out; ``busy`` are actions that
    made something happen, ``idle`` those that were carried out and never did.
    """

    card: str
    abilities: dict[str, str] = field(default_factory=dict)
    fired: set[str] = field(default_factory=set)
    steps: set[str] = field(default_factory=set)
    reached: set[str] = field(default_factory=set)
    busy: set[str] = field(default_factory=set)
    idle: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)
    attempts: int = 0

    @property
    def missing(self) -> dict[str, str]:
        """The abilities that could not be made to fire, by key."""
        return {key: words for key, words in self.abilities.items() if key not in self.fired}

    @property
    def executed(self) -> bool:
        """Whether every ability fired or applied at least once."""
        return not self.missing


def exercise(ruleset: Ruleset, card: str, attempts: int, thorough: bool = False) -> Exercise:
    """Try a card on one stage after the other until each of its abilities has been used, or the attempts are over.

    It goes on, too, while something that was carried out has made nothing happen on any stage. With ``thorough`` it
    goes on until each step has been reached. Never raises for what goes wrong in a game: faults are part of the
    result. Raises :class:`CompileError` where the card cannot enter a game.
    """
    found = Exercise(card)
    wanted = dict(_wanted(ruleset, card))
    found.abilities = {key: _words(one) for key, one in wanted.items()}
    found.steps = {step for one in wanted.values() for step in _steps(ruleset, one)}
    if not wanted:
        return found
    company = company_for(ruleset, card, (one.node for one in wanted.values()))
    staged = ruleset.with_cards(company.cards.values())
    for attempt in range(attempts):
        found.attempts = attempt + 1
        _Attempt(staged, company, found, wanted, attempt, thorough).run()
        if len(found.faults) >= MOST_FAULTS:
            break
        if _is_done(found, thorough):
            break
    return found


def _is_done(found: Exercise, thorough: bool) -> bool:
    """Tell whether all fired and nothing stayed without effect; if asked, that each step was reached."""
    return found.executed and not found.idle and not (thorough and found.steps - found.reached)


MOST_FAULTS = 3
"""After how many faults no more is tried with a card."""


def _wanted(ruleset: Ruleset, card: str) -> Iterator[tuple[str, Ability]]:
    """Give the abilities of a card that can be used or apply: its own, those it lends, those of its keywords."""
    script = ruleset.script(card)
    for ability in (*script.abilities, *(held.ability for held in script.lent)):
        if ability.kind != "keyword":
            yield ability.key, ability
            continue
        inner = expand(ruleset, Held(ability))
        for held in inner:
            yield f"{ability.key}>{held.ability.key}", held.ability
        if not inner:
            yield ability.key, ability


def _words(ability: Ability) -> str:
    name = ability.instance.name if ability.instance is not None else ""
    verbs = " or ".join(ability.verbs)
    effects = getattr(ability.node, "effects", ())
    changed = ", ".join(type(effect).__name__ for effect in effects)
    gates = ", ".join(gate.name for gate in ability.gates)
    told = verbs or changed
    words = f"{ability.kind}{f' [{name}]' if name else ''}{f': {told}' if told else ''}"
    return f"[{gates}] {words}" if gates else words


def _steps(ruleset: Ruleset, ability: Ability) -> Iterator[str]:
    if ability.kind in _USED:
        key = f"{ability.key}>resolve"
        for position, op in enumerate(ruleset.program(key).ops):
            if op.code != "jump":
                yield f"{key}:{position}"


class _Attempt:
    """One card on one stage."""

    def __init__(
        self,
        ruleset: Ruleset,
        company: Company,
        found: Exercise,
        wanted: dict[str, Ability],
        attempt: int,
        thorough: bool,
    ) -> None:
        self.thorough = thorough
        self.ruleset = ruleset
        self.company = company
        self.found = found
        self.wanted = wanted
        self.attempt = attempt
        self.random = RandomSource(attempt + 17)
        self.inner: dict[str, list[str]] = {}
        for key, ability in wanted.items():
            self.inner.setdefault(ability.key, []).append(key)
        self.acting: list[tuple[int, str, tuple[int, ...]]] = []
        self.taken = 0
        self.engine: Any = None
        self.calm = False

    def run(self) -> None:
        try:
            stage = build(self.ruleset, self.company, self.found.card, self.attempt)
            self.engine = stage.run
            self.calm = stage.calm
            stage.run.watch = self._see
            self._play(stage)
        except InvariantError as error:
            self._fault(f"{error}")
        except RulewrightError as error:
            self._fault(f"{type(error).__name__}: {error}")
        except Exception as error:  # a fault of the engine is a finding about the card that met it
            place = _place_of(error)
            self._fault(f"{type(error).__name__}: {error} ({place})")
        finally:
            self.found.idle -= self.found.busy

    def _fault(self, error: str) -> None:
        made = next((name for name in self.company.spells if f":{name}#" in error), None)
        if made is not None:
            # What a text describes need not be what anybody can be told to do: "gain me".
            self.company.spells.remove(made)
            return
        self.found.faults.append(Fault(self.found.card, self.attempt, self.taken, error))

    def _play(self, stage: Stage) -> None:
        game, oracle = stage.game, Oracle()
        lean = self.attempt % 4 == 3
        while (decision := game.decision) is not None and self.taken < DECISIONS:
            if self.taken % LOOKS == 0:
                oracle(game)
            self._look(game)
            self.found.idle -= self.found.busy
            if _is_done(self.found, self.thorough):
                return
            if not lean and decision.kind in ("action", "priority", "focus") and self._is_poor(game):
                game.give(decision.player, **PLENTY)
                continue
            chosen = self._choice(game, decision)
            self._permitted(game, chosen)
            game.apply(chosen.id)
            self.taken += 1
        if game.decision is None:
            oracle(game)

    def _is_poor(self, game: Game) -> bool:
        assert game.decision is not None
        return sum(part[1] for part in game.state.players[game.decision.player].pool) < 12

    # ------------------------------------------------------------------------------------- choosing

    def _choice(self, game: Game, decision: Decision) -> Option:
        if decision.kind == "name":
            weights = [self._names(option) for option in decision.options]
        else:
            weights = [self._weight(game, decision, option) for option in decision.options]
        number = self.random.below(sum(weights))
        for option, weight in zip(decision.options, weights, strict=True):
            number -= weight
            if number < 0:
                return option
        raise AssertionError("the weights add up to more than any number below their sum")

    def _weight(self, game: Game, decision: Decision, option: Option) -> int:
        """Prefer the card that is tried, then what makes its abilities fire, then whatever moves the game on."""
        card = self._card(game, option.ref)
        if option.kind == "add":
            return 20 if card == self.found.card and not self.found.executed else 1
        if card == self.found.card:
            return 60 if option.kind in ("play", "use", "hide", "move") else 30
        if self.calm and option.kind not in ("play", "use"):
            # What was set up is let happen: units go to battle together, and the players pass.
            if decision.kind == "join" and option.id == "done":
                return 1
            return 60 if option.kind == "move" or option.id == "pass" else 20
        if option.kind == "hide" and card in self.company.spells:
            return 60
        if option.kind in ("play", "use"):
            return 16 if card in self.company.spells else 5
        if option.kind == "move":
            return 8
        if option.id in ("pass", "end"):
            return 12
        return 10

    def _names(self, option: Option) -> int:
        """Prefer naming what is there to be named."""
        return 50 * len(self.wanted) if str(option.value) in self.company.tags() else 1

    def _card(self, game: Game, ref: int) -> str:
        found = game.state.objects.get(ref)
        return found.card if found is not None else ""

    def _permitted(self, game: Game, option: Option) -> None:
        """See what a word without a meaning of its own is for: playing at a time, hiding, adding at once."""
        if self._card(game, option.ref) != self.found.card:
            return
        assert game.decision is not None
        if option.kind == "add":
            self._fire(option.value[2])
        early = game.decision.kind in ("focus", "priority") and option.kind in ("play", "use")
        for key, ability in self.wanted.items():
            if ability.kind == "keyword" and ability.instance is not None:
                permits = "permissive" in game.ruleset.keyword_kinds(ability.instance.name)
                if early if permits else option.kind not in _ORDINARY:
                    self.found.fired.add(key)

    # ------------------------------------------------------------------------------------- watching

    def _see(self, frame: Frame, op: Op) -> None:
        run = self.engine
        depth = len(run.state.frames)
        while self.acting and self.acting[-1][0] >= depth:
            _, step, before = self.acting.pop()
            (self.found.busy if _moved(run) != before else self.found.idle).add(step)
        key, _, part = frame.program.partition(">")
        if key not in self.inner:
            self._see_costs(run)
            return
        step = f"{frame.program}:{frame.position}"
        ours = not frame.program.startswith("keyword:") or self._is_ours(run, frame.scope.source)
        if ours and part == "resolve":
            self._fire(key)
            self.found.reached.add(step)
            if op.code == "act" and op.name not in _DONE_BEFORE:
                self.acting.append((depth, step, _moved(run)))

    def _see_costs(self, run: Any) -> None:
        for item in run.state.chain:
            if item.facts.get("paid") and self._is_ours(run, item.object or item.scope.source):
                for key in item.facts["paid"]:
                    self._fire(key)

    def _is_ours(self, run: Any, ref: int) -> bool:
        found = run.find(ref)
        if found is not None and found.card == self.found.card:
            return True
        # What an Equipment lends is an ability of the unit that wears it (718).
        worn = run.attached(ref) if ref > 0 else ()
        return any(run.state.objects[other].card == self.found.card for other in worn)

    def _fire(self, key: str) -> None:
        self.found.fired.update(self.inner.get(key, ()))

    def _look(self, game: Game) -> None:
        """See which abilities without instructions are in force."""
        quiet = {
            key: one
            for key, one in self.wanted.items()
            if key not in self.found.fired and one.kind not in _USED and one.kind != "cost"
        }
        if not quiet:
            return
        run = self.engine
        for ref, found in game.state.objects.items():
            if found.card != self.found.card and not (
                run.attached(ref) and any(self._is_ours(run, other) for other in run.attached(ref))
            ):
                continue
            for held in layers.own_abilities(run, ref):
                keys = [key for key in self.inner.get(held.ability.key, ()) if key in quiet]
                keys = [key for key in keys if not self._waits(quiet[key])]
                if keys and self._applies(run, held, ref, found):
                    self.found.fired.update(keys)

    def _waits(self, ability: Ability) -> bool:
        """Tell whether a keyword is seen to work by what is done with it."""
        if ability.kind != "keyword" or ability.instance is None:
            return False
        kinds = self.ruleset.keyword_kinds(ability.instance.name)
        return "permissive" in kinds or "discretionary action" in kinds

    def _applies(self, run: Any, held: Held, ref: int, found: Any) -> bool:
        node = held.ability.node
        if not isinstance(node, ast.PassiveAbility):
            return True
        for active in layers.effects_of(run, held, ref, found):
            if not active.on(run):
                continue
            if not isinstance(active.effect, ast.Modify):
                return True
            if any(layers.applies(run, active, other) for other in list(run.state.objects.values())):
                return True
        return False


def _moved(run: Any) -> tuple[int, ...]:
    """Give figures of which one changes with whatever happens."""
    state = run.state
    known = sum(len(item.facts) for item in state.chain)
    return run.counters["events"], len(run.log), len(state.effects), len(state.chain), known, state.random


def _place_of(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    code = trace.tb_frame.f_code
    return f"{code.co_name}, line {trace.tb_lineno}"
