"""Finds one edit that makes a text readable: a full stop, a doubled word, another form of a word, a word more or less.

The edits that are tried lie near the place where reading stopped. How many are tried is limited by the length of
the paragraph, so that a long text is answered as fast as a short one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from rulewright.language.lex import Token
from rulewright.language.vocabulary import Vocabulary

WORK = 1200
"""Tokens that are read while edits are tried: 60 edits of a sentence of twenty words, 12 of one of a hundred."""

INSERTED = ("a", "the", ",", "to", "and", "is", "you", "this turn")
"""What is put between two words that do not go together, one of them at a time."""


@dataclass(frozen=True, slots=True)
class Repair:
    """An edit after which a text is read: the characters it replaces, and by what; safe where it changes no word."""

    span: tuple[int, int]
    text: str
    safe: bool = False


def repair(
    tokens: list[Token],
    place: int,
    text: str,
    vocabulary: Vocabulary,
    reads: Callable[[str], bool],
    *,
    reach: int = 3,
) -> Repair | None:
    """Give the first edit near a token's place after which ``reads`` holds of the text; nothing where none does."""
    tries = WORK // max(20, len(tokens))
    seen: set[str] = {text}
    for edit in _edits(tokens, place, text, vocabulary, reach):
        changed = text[: edit.span[0]] + edit.text + text[edit.span[1] :]
        if changed in seen or not changed.strip():
            continue
        if tries <= 0:
            return None
        tries -= 1
        seen.add(changed)
        if reads(changed):
            return edit
    return None


def _edits(
    tokens: list[Token], place: int, text: str, vocabulary: Vocabulary, reach: int
) -> Iterator[Repair]:
    end = tokens[-1].end
    if tokens[-1].type != "_STOP":
        yield Repair((end, end), ".", safe=True)
    near = [at for at in range(place, place - reach, -1) if 0 <= at < len(tokens)]
    for at in near:
        if at and tokens[at].text.lower() == tokens[at - 1].text.lower():
            yield Repair((tokens[at - 1].end, tokens[at].end), "", safe=True)
    for at in near:
        yield from _other_forms(tokens[at], text, vocabulary)
    for at in near[:3]:
        yield from _insertions(tokens[at], text)
    for at in near[:3]:
        yield from _misspelt(tokens[at], text, vocabulary)
    for at in near[:2]:
        start = tokens[at - 1].end if at else tokens[at].start
        yield Repair((start, tokens[at].end), "")


def _other_forms(token: Token, text: str, vocabulary: Vocabulary) -> Iterator[Repair]:
    word = vocabulary.word(token.text)
    if word is None or word.kind == "NAME":
        return
    for surface, other in vocabulary.words.items():
        if other.lemma == word.lemma and surface != token.text.lower() and _alike(other.kind, word.kind):
            yield Repair((token.start, token.end), _cased(surface, text[token.start : token.end]))


def _alike(one: str, other: str) -> bool:
    return one == other or (one.startswith("VERB") and other.startswith("VERB"))


def _insertions(token: Token, text: str) -> Iterator[Repair]:
    for word in INSERTED:
        if word == ",":
            before = len(text[: token.start].rstrip())
            yield Repair((before, before), ",")
        elif token.start:
            yield Repair((token.start, token.start), f"{word} ")


def _misspelt(token: Token, text: str, vocabulary: Vocabulary) -> Iterator[Repair]:
    """A word of the game that another was meant for: "form" for "from"."""
    said = token.text.lower()
    if not said.isalpha() or len(said) < 2:
        return
    plain = [word for word, known in vocabulary.words.items() if known.kind != "NAME"]
    for close in get_close_matches(said, [*plain, *_FUNCTION_WORDS], 4, 0.66):
        if close != said:
            yield Repair((token.start, token.end), _cased(close, text[token.start : token.end]))


_FUNCTION_WORDS = (
    "from",
    "to",
    "of",
    "if",
    "at",
    "in",
    "on",
    "with",
    "when",
    "while",
    "then",
    "than",
    "their",
    "there",
)


def _cased(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like[:1].isupper() else word
