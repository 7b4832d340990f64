"""Paragraphs: sentences folded to abilities, costs before a colon, quotes, and lines of keywords."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulewright.language import ast
from rulewright.language.forest import YOU, Refused
from rulewright.language.reading.fold import Effects, Fold, Mark, Several
from rulewright.language.reading.meanings import flat
from rulewright.language.reading.parts import (
    Sentence,
)
from rulewright.language.reading.sentences import SentenceBuilder, standing_permission


class Keywords(tuple[Any, ...]):
    """The abilities of a line of keywords."""

    __slots__ = ()


class ActivatedParts(tuple[Any, ...]):
    """Cost, inner gates and sentences of an activated ability."""

    __slots__ = ()


class Limits:
    """What is said of when, and how often, an ability may be used; each once."""

    def __init__(self) -> None:
        self.restriction: ast.Condition | None = None
        self.frequency: str | None = None

    def add(self, condition: ast.Condition | None, frequency: str | None) -> None:
        """Add a limit. Raises where the same is said twice."""
        if (condition and self.restriction) or (frequency and self.frequency):
            raise Refused("this is said twice")
        self.restriction, self.frequency = condition or self.restriction, frequency or self.frequency


class ParagraphBuilder(SentenceBuilder):
    """The callbacks of paragraphs and lines of keywords; :meth:`start` gives the abilities of one paragraph."""

    # --------------------------------------------------------------------------------------- paragraphs

    def body(self, sentences: tuple[Sentence, ...]) -> Any:
        """Read sentences as one instruction."""
        folded = Fold()
        for index, sentence in enumerate(sentences):
            folded.add(self.step(sentence, first=index == 0))
        return folded.instruction()

    def paragraph(self, children: list[Any]) -> tuple[Any, ...]:
        if len(children) == 1 and isinstance(children[0], Keywords):
            return tuple(children[0])
        gates = children[0] if len(children) > 1 else ()
        ability = children[-1]
        abilities = (
            self._activated(ability, gates)
            if isinstance(ability, ActivatedParts)
            else self._abilities(ability)
        )
        for gate in reversed(gates):
            abilities = tuple(self._gated(gate, ability) for ability in abilities)
        return abilities

    def _gated(self, gate: ast.Keyword, ability: Any) -> Any:
        if isinstance(ability, ast.SpellAbility) and gate.name not in ("Deathknell", "Flow"):
            return ast.SpellAbility(ast.GatedInstruction(gate, ability.body))
        if isinstance(ability, Mark) and ability.kind == "instead":
            return Mark("revise", (gate, ability.value))
        return ast.Gated(gate, ability)

    def paragraph_of_line(self, children: list[Any]) -> tuple[Any, ...]:
        # Keywords whose line break was lost: each is an ability of its own, as on a line of its own.
        keywords = [child for child in children if isinstance(child, ast.Keyword)]
        rest = self.paragraph(children[len(keywords) :])
        return (*(ast.KeywordAbility(keyword) for keyword in keywords), *rest)

    def paragraph_glued(self, children: list[Any]) -> tuple[Any, ...]:
        # A keyword that lost its line break: it is an ability of its own.
        *rest, token = children
        return (*self.paragraph(rest), ast.KeywordAbility(self.k_plain([token])))

    def start(self, children: list[Any]) -> tuple[Any, ...]:
        abilities: tuple[Any, ...] = children[0]
        return abilities

    def _abilities(self, sentences: tuple[Sentence, ...]) -> tuple[Any, ...]:
        first = self.step(sentences[0], first=True)
        rest = sentences[1:]
        if isinstance(first, ast.TriggeredAbility):
            return (self._extended(first, rest),)
        if isinstance(first, ast.ReplacementAbility):
            told = next((at for at, each in enumerate(rest) if first.keep and self._is_standing(each)), None)
            if told is not None:
                # "As you play this, choose a domain. All units are that domain": a choice, and what follows from it.
                return (
                    self._extended(first, rest[:told]),
                    *self._passives(self.step(rest[told]), rest[told + 1 :]),
                )
            return (self._extended(first, rest),)
        if isinstance(first, Several):
            return tuple(self._extended(ability, rest) for ability in first)
        if isinstance(first, ast.AdditionalCost):
            return self._after_cost(first, rest)
        if isinstance(first, Effects | ast.PassiveAbility | ast.UseLimit):
            return self._passives(first, rest)
        if isinstance(first, Mark) and not rest:
            return (first,)
        fold = Fold()
        fold.add(first)
        more: tuple[Any, ...] = ()
        for index, sentence in enumerate(rest):
            step = self.step(sentence, first=False)
            if isinstance(step, ast.PassiveAbility):
                raise Refused("an effect stands among instructions")
            del index
            fold.add(step)
        return (ast.SpellAbility(fold.instruction()), *more)

    def _is_standing(self, sentence: Sentence) -> bool:
        """Tell whether a sentence states an effect, where it could not be an instruction that may be done."""
        try:
            step = self.step(sentence, first=False)
        except Refused:
            return False
        return isinstance(step, Effects) and not any(
            isinstance(effect, ast.CostChange) and isinstance(effect.what, ast.Reference) for effect in step
        )

    def _extended(self, ability: Any, rest: tuple[Sentence, ...]) -> Any:
        if not rest:
            return ability
        fold = Fold()
        ability = self._divided(ability, rest[0])
        fold.add(ability.body)
        optional = isinstance(ability, ast.ReplacementAbility) and ability.optional
        for sentence in rest:
            fold.add(self.step(sentence, first=False))
        body = fold.instruction()
        if optional:
            body = _with_first(body, lambda step: ast.May(YOU, step))
            return replace(ability, body=body, optional=False)
        return replace(ability, body=body)

    def _divided(self, ability: Any, following: Sentence) -> Any:
        """An "if" right behind the event that is followed by "Otherwise" divides the body: it fires either way."""
        otherwise = following.leads and following.leads[0].kind == "otherwise"
        if not otherwise or ability.condition is None or isinstance(ability.body, ast.Conditional):
            return ability
        if isinstance(ability.condition, ast.AllOf):
            raise Refused("otherwise than what?")
        return replace(ability, body=ast.Conditional(ability.condition, ability.body), condition=None)

    def _after_cost(self, cost: ast.AdditionalCost, rest: tuple[Sentence, ...]) -> tuple[Any, ...]:
        """Read what depends on an additional cost: "If you do" is whether it was paid."""
        if not rest:
            return (cost,)
        passives: list[Any] = []
        fold = Fold()
        fold.steps.append(None)
        for sentence in rest:
            step = self.step(sentence, first=False)
            if isinstance(step, Mark) and step.kind == "also":
                condition, effects = step.value
                if condition != ast.DidSo():
                    raise Refused("under which condition?")
                passives.append(ast.PassiveAbility(tuple(effects), ast.PaidAdditionalCost()))
            elif isinstance(step, Effects):
                passives.append(ast.PassiveAbility(tuple(step)))
            elif standing_permission(step) is not None:
                passives.append(ast.PassiveAbility((standing_permission(step),)))
            elif isinstance(step, ast.Conditional) and step.condition == ast.DidSo():
                fold.steps.append(replace(step, condition=ast.PaidAdditionalCost()))
            elif isinstance(step, Mark) and step.kind == "otherwise":
                fold.add(step)
            else:
                raise Refused("what has this to do with the cost?")
        steps = fold.steps[1:]
        spells = (ast.SpellAbility(flat(steps)),) if steps else ()
        return (cost, *passives, *spells)

    def _passives(self, first: Any, rest: tuple[Sentence, ...]) -> tuple[Any, ...]:
        made = [_passive(first)]
        for index, sentence in enumerate(rest):
            step = self.step(sentence, first=True)
            if isinstance(step, ast.TriggeredAbility | ast.ReplacementAbility):
                # A new ability begins on the same line, and the rest of the line is its body.
                return (*made, self._extended(step, rest[index + 1 :]))
            if not isinstance(step, Effects | ast.PassiveAbility | ast.UseLimit):
                # What is told behind them is the spell's; a line break was lost between.
                return (*made, *self._abilities(rest[index:]))
            made.append(_passive(step))
        return tuple(made)

    def activated(self, children: list[Any]) -> ActivatedParts:
        gates = children[1] if len(children) > 2 else ()
        return ActivatedParts((children[0], gates, children[-1]))

    def _activated(self, parts: ActivatedParts, gates: tuple[ast.Keyword, ...]) -> tuple[Any, ...]:
        cost, inner, sentences = parts
        fold = Fold()
        limits = Limits()
        effects: list[Any] = []
        for index, sentence in enumerate(sentences):
            step = self.step(sentence, first=False)
            if isinstance(step, Mark) and step.kind == "limit" and index:
                limits.add(*step.value)
            elif isinstance(step, Effects) and index and all(_of_this_ability(effect) for effect in step):
                effects.extend(step)
            else:
                fold.add(step)
        body = fold.instruction()
        outer = [gate for gate in inner if gate.name in ("Action", "Reaction")]
        for gate in reversed([gate for gate in inner if gate.name not in ("Action", "Reaction")]):
            body = ast.GatedInstruction(gate, body)
        ability: Any = ast.ActivatedAbility(cost, body, limits.restriction, limits.frequency)
        if effects:
            ability = replace(ability, effects=tuple(effects))
        for gate in reversed(outer):
            ability = ast.Gated(gate, ability)
        return (ability,)

    def ch_quote(self, children: list[Any]) -> Any:
        abilities = children[0]
        if any(isinstance(ability, Mark | ast.SpellAbility) for ability in abilities):
            raise Refused("this is no ability")
        return ast.Gains(ast.CardText(tuple(abilities)))

    # ------------------------------------------------------------------------------------------ keywords

    def gates(self, children: list[Any]) -> tuple[ast.Keyword, ...]:
        gates = [gate for child in children for gate in (child if isinstance(child, tuple) else (child,))]
        return tuple(gate for gate in gates if gate is not None)

    def gate(self, children: list[Any]) -> ast.Keyword:
        keyword = self._keyword(children[0])
        entry = self.vocabulary.keywords[keyword.name]
        if not entry.get("gates"):
            raise Refused(f"{keyword.name} governs no ability")
        if entry.get("value") and keyword.value is None:
            raise Refused(f"{keyword.name} needs its number")
        return keyword

    def gate_bare(self, children: list[Any]) -> ast.Keyword:
        """A keyword that governs what follows, without the sign between them, which some exports leave out."""
        keyword = self.gate(children)
        if keyword.name in ("Action", "Reaction"):
            raise Refused(f"{keyword.name} stands for itself")
        return keyword

    def gate_two(self, children: list[Any]) -> tuple[ast.Keyword, ...]:
        return tuple(self.gate([child]) for child in children)

    def gate_nested(self, _: list[Any]) -> None:
        return None

    def k_plain(self, children: list[Any]) -> ast.Keyword:
        keyword = self._keyword(children[0])
        entry = self.vocabulary.keywords[keyword.name]
        if entry.get("cost"):
            raise Refused("this keyword lacks its cost")
        if entry.get("gates") and keyword.name not in ("Action", "Reaction"):
            raise Refused(f"{keyword.name} governs something")
        return keyword

    def k_cost(self, children: list[Any]) -> ast.Keyword:
        token, cost = children
        if not self.vocabulary.keywords[token.text].get("cost"):
            raise Refused("this keyword takes no cost")
        return self._keyword(token, cost)

    k_options = k_cost

    def cost_options(self, children: list[Any]) -> ast.CostOptions:
        return ast.CostOptions(tuple(children))

    def cost_options_more(self, children: list[Any]) -> ast.CostOptions:
        return ast.CostOptions((*children[0].options, children[1]))

    def keyword_item(self, children: list[Any]) -> Any:
        return children[0]

    def keywords_list(self, children: list[Any]) -> tuple[ast.Keyword, ...]:
        return (children[0],)

    def keywords_list_more(self, children: list[Any]) -> tuple[ast.Keyword, ...]:
        return (*children[0], children[1])

    def keywords(self, children: list[Any]) -> Keywords:
        return Keywords((ast.KeywordAbility(children[0]),))

    def keywords_more(self, children: list[Any]) -> Keywords:
        return Keywords(ast.KeywordAbility(keyword) for keyword in (*children[0], children[1]))

    def keywords_then(self, children: list[Any]) -> Keywords:
        keyword, sentences = children
        effects: list[Any] = []
        limits = Limits()
        for sentence in sentences:
            step = self.step(sentence, first=True)
            if isinstance(step, Mark) and step.kind == "limit":
                limits.add(*step.value)
                continue
            if isinstance(step, ast.PassiveAbility) and step.condition is not None:
                step = (
                    Effects((ast.Also(step.condition, step.effects),)) if _all_of_this(step.effects) else step
                )
            if not isinstance(step, Effects) or not all(_of_this_ability(effect) for effect in step):
                raise Refused("what has this to do with the keyword?")
            effects.extend(step)
        return Keywords((ast.KeywordAbility(keyword, tuple(effects), limits.restriction, limits.frequency),))


def _passive(step: Any) -> Any:
    return ast.PassiveAbility(tuple(step)) if isinstance(step, Effects) else step


def _of_this_ability(effect: Any) -> bool:
    if isinstance(effect, ast.Also):
        return _all_of_this(effect.effects)
    if isinstance(effect, ast.CostChange):
        return effect.what == _THIS_ABILITY
    if isinstance(effect, ast.Modify):
        return effect.subject == _THIS_ABILITY
    # "This ability can't choose units here", "You can choose enemy units with this ability".
    return isinstance(effect, ast.Permit | ast.Forbid) and _THIS_ABILITY in (
        effect.action.subject,
        effect.action.using,
    )


_THIS_ABILITY = ast.Reference("this", ("ability",))


def _all_of_this(effects: Any) -> bool:
    return all(_of_this_ability(effect) for effect in effects)


def _with_first(body: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(body, ast.Sequence):
        return ast.Sequence((change(body.steps[0]), *body.steps[1:]))
    return change(body)
