"""What a permanent says of the next time that something would happen: a replacement that stands while it is there.

On a spell "the next time a friendly unit would die" makes a delayed ability as the spell resolves (390). On a permanent
nobody carries it out: it replaces as long as the permanent is in play (364.2, 369.1). That it replaces once only is
kept by its own words, which must take the permanent away; where they do not, nothing would count the times, and the
text stays the instruction that a permanent cannot have.
"""

from dataclasses import replace

from rulewright.language import ast
from rulewright.language.references import with_antecedents, without_antecedents


def with_standing_replacements(text: ast.CardText, leaving: frozenset[str]) -> ast.CardText:
    """Give a permanent's text with such sentences as replacements; ``leaving`` verbs take their object away."""
    abilities = tuple(_standing(ability, leaving) for ability in text.abilities)
    if abilities == text.abilities:
        return text
    return with_antecedents(replace(text, abilities=abilities))


def _standing(ability: ast.Ability, leaving: frozenset[str]) -> ast.Ability:
    made = ability.body if isinstance(ability, ast.SpellAbility) else None
    if not isinstance(made, ast.CreateAbility) or not made.once or made.duration is not None:
        return ability
    inner = made.ability
    if not isinstance(inner, ast.ReplacementAbility):
        return ability
    steps = inner.body.steps if isinstance(inner.body, ast.Sequence) else (inner.body,)
    goes = any(
        isinstance(step, ast.Action) and step.verb in leaving and isinstance(step.object, ast.Self)
        for step in steps
    )
    if not goes:
        return ability
    bare: ast.ReplacementAbility = without_antecedents(inner)
    return bare
