"""Card text to its meaning: the one function that everybody calls, and what it gives.

A text is read paragraph by paragraph, whole or not at all: there is no meaning with a hole in it. What was read
once is kept (:mod:`rulewright.language.remember`), so that a text that is known needs no grammar.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from rulewright.language import remember
from rulewright.language.outcome import Reading
from rulewright.language.vocabulary import DEFAULT_GAME, Vocabulary, default_vocabulary

if TYPE_CHECKING:
    from rulewright.language.reader import Reader

READ_AT_ONCE = 4096
"""How many texts' readings a process keeps."""


@lru_cache(maxsize=READ_AT_ONCE)
def parse(text: str, vocabulary: Vocabulary | None = None, *, game: str = DEFAULT_GAME) -> Reading:
    """Read a card text.

    ``vocabulary`` has the words that it may use, and knows whose they are; without one, those of the game's lexicon.

    >>> parse("Draw 1.").ok
    True
    """
    game = game if vocabulary is None else vocabulary.game
    key = remember.key_of(text, vocabulary, game)
    known = remember.recalled(key)
    if known is not None:
        return Reading(known, (), (known,))
    reading = reader_for(vocabulary, game).read(text)
    if reading.text is not None and len(reading.readings) == 1 and not reading.diagnostics:
        remember.kept(key, reading.text)
    return reading


@cache
def reader_for(vocabulary: Vocabulary | None, game: str) -> Reader:
    """Give the reader for a vocabulary, made once."""
    from rulewright.language.reader import Reader

    return Reader(vocabulary or default_vocabulary(game))


__all__ = ["Reading", "parse", "reader_for"]
