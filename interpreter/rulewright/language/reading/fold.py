"""The fold: the sentences of a text in order, each joined to what it belongs to.

What follows a triggered or activated ability's first sentence belongs to its body, "Otherwise" to the condition before
it, "instead" to what it revises.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import Refused
from rulewright.language.reading.meanings import flat

Step = Any
"""What one sentence came to: an ability, an instruction, effects, or a mark that the fold understands."""

ABILITIES = (
    ast.TriggeredAbility,
    ast.ActivatedAbility,
    ast.PassiveAbility,
    ast.ReplacementAbility,
    ast.AdditionalCost,
    ast.UseLimit,
    ast.KeywordAbility,
    ast.Gated,
    ast.SpellAbility,
)


class Effects(tuple[Any, ...]):
    """Continuous effects that a sentence states, with nothing said of how long."""

    __slots__ = ()


class Several(tuple[Any, ...]):
    """Abilities that one sentence states together: "As you look at or reveal me, ..."."""

    __slots__ = ()


class Mark(tuple[Any, ...]):
    """Something that belongs to the sentence before it: kind and value."""

    __slots__ = ()

    def __new__(cls, kind: str, value: Any) -> Mark:
        return super().__new__(cls, (kind, value))

    @property
    def kind(self) -> str:
        """What it is: otherwise, is-not, instead, revise, also, limit, spend."""
        return str(self[0])

    @property
    def value(self) -> Any:
        """What it says."""
        return self[1]


class Fold:
    """Instructions in order, with what follows joined to what it belongs to."""

    def __init__(self) -> None:
        self.steps: list[Any] = []

    def add(self, step: Step) -> None:
        """Join one more sentence."""
        if self.steps and isinstance(self.steps[-1], ast.Reflexive):
            # 387.1: "do this:" covers all that follows it in the text.
            self._inside(self.steps[-1].body, step)
            return
        if isinstance(step, Mark):
            self._mark(step)
            return
        if isinstance(step, Effects):
            arriving = _arriving(self.steps[-1], step) if self.steps else None
            if arriving is not None:
                self.steps[-1] = arriving
                return
            step = _rider(step)
        made = as_instruction(step)
        if isinstance(made, ast.Sequence):
            self.steps.extend(made.steps)
        else:
            self.steps.append(made)

    def _inside(self, body: Any, step: Step) -> None:
        inner = Fold()
        inner.steps.extend(body.steps if isinstance(body, ast.Sequence) else (body,))
        inner.add(step)
        self.steps[-1] = replace(self.steps[-1], body=inner.instruction())

    def _mark(self, mark: Mark) -> None:
        if not self.steps:
            raise Refused("what does this belong to?")
        last = self.steps[-1]
        if mark.kind == "otherwise":
            if isinstance(last, ast.Conditional) and last.otherwise is None:
                self.steps[-1] = replace(last, otherwise=mark.value)
                return
            raise Refused("otherwise than what?")
        if mark.kind == "is-not":
            what, made = mark.value
            asked = last.condition if isinstance(last, ast.Conditional) and last.otherwise is None else None
            if not isinstance(asked, ast.Is) or asked.negated or asked.what != what:
                raise Refused("is not what?")
            self.steps[-1] = replace(last, otherwise=made)
            return
        if mark.kind == "revise":
            condition, revised = mark.value
            if isinstance(revised, Effects):
                raise Refused("it is not said how long")
            self.steps[-1] = ast.Revise(last, condition, revised)
            return
        if mark.kind == "spend":
            self.steps.append(mark.value)
            return
        if mark.kind == "also":
            condition, effects = mark.value
            self.steps.append(ast.Apply(ast.Also(condition, tuple(effects))))
            return
        raise Refused("what does this belong to?")

    def instruction(self) -> Any:
        """Give all of it as one instruction."""
        return flat(self.steps)


def _arriving(last: Any, effects: Effects) -> Any:
    """ "Play a Gold gear token. It enters exhausted.": how what was just played arrives; nothing for other effects."""
    effect = effects[0] if len(effects) == 1 else None
    if not isinstance(effect, ast.Enters) or effect.subject != ast.Reference("it"):
        return None
    if effect.at is not None or effect.with_:
        # What is played can arrive ready or exhausted, and no other way.
        return None
    if isinstance(last, ast.May | ast.PayTo):
        body = _arriving(last.body, effects)
        return None if body is None else replace(last, body=body)
    if not isinstance(last, ast.Action) or last.verb != "play" or last.state is not None:
        return None
    if isinstance(last.object, ast.TokenSpec) and last.object.state is not None:
        return None
    return replace(last, state=effect.state)


def _rider(effects: Effects) -> Any:
    """A change to the cost of what an instruction before it plays: "Reduce its Energy cost by ..."."""
    if (
        len(effects) == 1
        and isinstance(effects[0], ast.CostChange)
        and isinstance(effects[0].what, ast.Reference)
    ):
        return ast.Apply(effects[0])
    return _lasting(effects)


def _lasting(effects: Effects) -> Any:
    """801.3.a.3, 801.3.b.2: keywords are given and taken for good where it is not said how long."""
    if len(effects) == 1 and isinstance(effects[0], ast.Modify):
        changes = effects[0].changes
        if all(
            isinstance(one, ast.Gains | ast.Loses) and isinstance(one.what, ast.Keyword) for one in changes
        ):
            return ast.Apply(effects[0])
    raise Refused("it is not said how long")


def as_instruction(made: Step) -> Any:
    """Give a step as an instruction, or refuse."""
    if isinstance(made, ast.TriggeredAbility):
        return ast.CreateAbility(made, None, once=False)
    if isinstance(made, Effects):
        return _lasting(made)
    if isinstance(made, (ABILITIES, Mark)):
        raise Refused("an ability does not stand inside another")
    return made
