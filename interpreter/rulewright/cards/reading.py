"""What a card's words mean, by the language: read once for each text, whichever card has it."""

from functools import lru_cache

from rulewright.cards.card import CardDefinition
from rulewright.language import ast

READ_AT_ONCE = 4096
"""How many texts stay read."""


def meanings(card: CardDefinition) -> tuple[ast.CardText, ast.CardText]:
    """Give the meaning of a card's text, and of what it gives to a card that it is attached to.

    Raises the language's error, with the card as its place, where a text is not read whole.
    """
    return read(card.text), read(card.effect_text)


@lru_cache(maxsize=READ_AT_ONCE)
def read(text: str) -> ast.CardText:
    """Give the meaning of a text; one without words means nothing. Raises the language's error."""
    if not text:
        return ast.CardText(())
    from rulewright.language import parse

    return parse(text)


def has_keyword(card: CardDefinition, name: str) -> bool:
    """Tell whether a card's own text gives it a keyword. Raises the language's error where it may, and is not read."""
    if name.casefold() not in card.text.casefold():
        return False
    return any(
        isinstance(ability, ast.KeywordAbility) and ability.keyword.name == name
        for ability in read(card.text).abilities
    )


def same_meaning(one: CardDefinition, other: CardDefinition) -> bool:
    """Tell whether two cards with the same facts say the same, however they are worded."""
    return meanings(one) == meanings(other)
