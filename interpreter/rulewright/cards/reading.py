"""What a card's words mean, by the language: read once for each text, whichever card has it."""

import dataclasses
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rulewright.cards.card import CardDefinition
from rulewright.errors import RulewrightError
from rulewright.language import ast
from rulewright.language.tree import replace, walk
from rulewright.paths import data_dir

if TYPE_CHECKING:
    from rulewright.language import Diagnostic, Vocabulary

OWN = "own"
"""The domain of Power that is the card's own."""

READ_AT_ONCE = 4096
"""How many texts stay read."""


class UnreadTextError(RulewrightError):
    """A text that is not read whole; ``diagnostics`` say where and why."""

    def __init__(self, text: str, diagnostics: tuple["Diagnostic", ...]) -> None:
        errors = [one for one in diagnostics if one.severity == "error"]
        first = errors[0] if errors else None
        where = text[slice(*first.span)] if first is not None else text
        reason = first.message if first is not None else "this means nothing"
        message = f"{reason}: {where[:60]!r}" if where else reason
        super().__init__(message, help=first.help if first is not None else None)
        self.diagnostics = diagnostics


def meanings(card: CardDefinition, words: "Vocabulary | None" = None) -> tuple[ast.CardText, ast.CardText]:
    """Give the meaning of a card's text, and of what it gives to a card that it is attached to.

    ``words`` are those that the texts may use, by default those of the language. Some exports write ``[C]`` for the
    card's own domain: on a card of one domain it is that domain. Raises :class:`UnreadTextError` where one of the
    texts is not read whole.
    """
    return read_on(card, card.text, words), read_on(card, card.effect_text, words)


def read_on(card: CardDefinition, text: str, words: "Vocabulary | None" = None) -> ast.CardText:
    """Give the meaning that a text has on a card; see :func:`meanings`."""
    meaning = read(text, words)
    if "[C]" not in text or len(card.domains) != 1:
        return meaning
    (domain,) = card.domains
    own = [(path, node) for path, node in walk(meaning) if isinstance(node, ast.Power) and node.domain == OWN]
    for path, power in own:
        meaning = cast(ast.CardText, replace(meaning, path, dataclasses.replace(power, domain=domain)))
    return meaning


@lru_cache(maxsize=READ_AT_ONCE)
def read(text: str, words: "Vocabulary | None" = None) -> ast.CardText:
    """Give the meaning of a text; one without words means nothing. Raises :class:`UnreadTextError`."""
    if not text:
        return ast.CardText(())
    from rulewright.language import parse

    reading = parse(text, words)
    if reading.text is None:
        raise UnreadTextError(text, reading.diagnostics)
    return reading.text


def has_keyword(card: CardDefinition, name: str, words: "Vocabulary | None" = None) -> bool:
    """Tell whether a card's own text gives it a keyword. Raises :class:`UnreadTextError` where it may."""
    if name.casefold() not in card.text.casefold():
        return False
    return any(
        isinstance(ability, ast.KeywordAbility) and ability.keyword.name == name
        for ability in read(card.text, words).abilities
    )


KeywordForm = tuple[str, bool, bool, bool]
"""A keyword's name, and whether it takes a number, takes a cost, stands before an ability that it governs."""


def words_of(
    cards: Iterable[CardDefinition],
    keywords: Iterable[KeywordForm] = (),
    game: str = "riftbound",
    root: Path | None = None,
) -> "Vocabulary | None":
    """Give the words with which the texts of some cards are read: their own tags and tokens are words too.

    ``keywords`` are more of them than the rules define. Nothing where the language knows all words by itself: those of
    the game that it reads where none is named, under the data folder.
    """
    from rulewright.language.vocabulary import DEFAULT_GAME, default_vocabulary

    known = default_vocabulary(game) if root is None else _vocabulary((), (), (), game, root)
    cards = tuple(cards)
    tags = {tag for card in cards for tag in card.tags if tag.lower() not in known.tags}
    tokens = {(card.name, card.types[0]) for card in cards if card.token and card.name not in known.tokens}
    more = tuple(sorted(form for form in keywords if form[0] not in known.keywords))
    if not (tags or tokens or more):
        return None if root is None and game == DEFAULT_GAME else known
    return _vocabulary(tuple(sorted(tags)), tuple(sorted(tokens)), more, game, root)


@cache
def _vocabulary(
    tags: tuple[str, ...],
    tokens: tuple[tuple[str, str], ...],
    keywords: tuple[KeywordForm, ...],
    game: str,
    root: Path | None,
) -> "Vocabulary":
    from rulewright.language.vocabulary import Vocabulary, lexicon_of

    return Vocabulary.from_lexicon(
        lexicon_of(game, data_dir() if root is None else root),
        game=game,
        tags=tags,
        tokens={name: {"type": type_} for name, type_ in tokens},
        keywords={
            name: {"value": value, "cost": cost, "gates": gates} for name, value, cost, gates in keywords
        },
    )


def same_meaning(one: CardDefinition, other: CardDefinition, words: "Vocabulary | None" = None) -> bool:
    """Tell whether two cards with the same facts say the same, however they are worded."""
    return meanings(one, words) == meanings(other, words)
