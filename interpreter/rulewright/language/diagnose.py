"""Why a text could not be read: the place, what was expected there, what might have been meant, a repair.

Each diagnostic has a code whose page is data (``grammar/diagnostics``). Names of the grammar's symbols never reach
a person: ``grammar/lexicon/plain_names.yaml`` says what each is called.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Protocol

from rulewright.language.forest import Refused, TooAmbiguous
from rulewright.language.grammar import Grammar
from rulewright.language.lex import LexicalError, Token
from rulewright.language.lookahead import Attempt
from rulewright.language.outcome import Diagnostic, Fix, Reading
from rulewright.language.repair import Repair, repair
from rulewright.language.vocabulary import Vocabulary

MOST_EXPECTED = 8
"""How many names of what was expected are told."""

MOST_TRIED = 4
"""For how many unknown words of a paragraph it is told what was expected and what may have been meant."""


class Reads(Protocol):
    """What reads texts, as far as it is asked here: whether a repaired text is read, and what could have followed."""

    vocabulary: Vocabulary
    grammar: Grammar

    def read(self, text: str, *, explain: bool = True, spans: bool = True) -> Reading:
        """Read one text."""


def unreadable(text: str, error: LexicalError) -> Diagnostic:
    """Say what in a raw text cannot be taken apart."""
    made = Diagnostic.at(error.code, error.message, error.start, error.end)
    if error.code == "RW106":
        found = text[error.start : error.end]
        return replace(made, fix=Fix(made.span, found[:1].upper() + found[1:], safe=True))
    if error.code == "RW102" and text[error.start : error.start + 1] in ("(", "[", "_"):
        return replace(made, code="RW112", help="close it, or leave it out")
    char = text[error.start : error.end]
    plain = unicodedata.normalize("NFKC", char)
    if error.code == "RW102" and char and not char.isprintable():
        return replace(made, fix=Fix(made.span, "", safe=True))
    if error.code == "RW102" and plain != char and plain.isascii():
        # A ligature is its letters; what else looks like other characters is only proposed.
        fix = Fix(made.span, plain, safe=plain.isalpha())
        return replace(made, help=f"did you mean “{plain}”?", fix=fix)
    return made


def unknown_words(tokens: list[Token]) -> list[int]:
    """Give the places of words that no sentence of the game has."""
    return [place for place, token in enumerate(tokens) if token.type in ("UNKNOWN", "PROPER")]


def diagnose(reader: Reads, text: str, tokens: list[Token], stopped: Any) -> tuple[Diagnostic, ...]:
    """Say why a paragraph could not be read."""
    unknown = unknown_words(tokens)
    if unknown:
        return _unknown_words(reader, text, tokens, unknown)
    if isinstance(stopped, TooAmbiguous):
        whole = Diagnostic.at(
            "RW111", "this is too long, or can be read in too many ways", tokens[0].start, tokens[-1].end
        )
        return (replace(whole, help="say it in two sentences"),)
    if misused := _keyword_misuse(reader, text, tokens):
        return misused
    if isinstance(stopped, Refused):
        return (_refused(reader, text, tokens, stopped),)
    return (_stopped(reader, text, tokens, stopped),)


# ------------------------------------------------------------------------------------------- unknown words


def _unknown_words(
    reader: Reads, text: str, tokens: list[Token], unknown: list[int]
) -> tuple[Diagnostic, ...]:
    found = [
        _unknown_word(reader, text, tokens, place, thorough=tried < MOST_TRIED)
        for tried, place in enumerate(unknown)
    ]
    if len(found) == 1 or not all(one.fix for one in found):
        return tuple(found)
    repaired = text
    for one in reversed(found):
        repaired = one.fix.applied(repaired) if one.fix else repaired
    safe = _reads(reader, repaired)
    return tuple(replace(one, fix=replace(one.fix, safe=safe)) for one in found if one.fix)


def _unknown_word(reader: Reads, text: str, tokens: list[Token], place: int, *, thorough: bool) -> Diagnostic:
    token = tokens[place]
    vocabulary = reader.vocabulary
    if text[token.start : token.start + 1] == "[":
        verbs = [word for word, known in vocabulary.words.items() if known.kind == "VERB"]
        code, what, known = "RW107", "is no keyword", [*vocabulary.keywords, *verbs]
    elif _names_a_token(tokens, place):
        code, what, known = "RW109", "is no token", [*vocabulary.tokens]
    elif token.type == "PROPER":
        known = [*vocabulary.tags.values(), *vocabulary.tokens, *vocabulary.words]
        code, what = "RW108", "is no tag, no token and no word of this game"
    else:
        known = [*vocabulary.words, *reader.grammar.literals]
        code, what = "RW103", "is not a word of this game"
    expected = _expected(reader, tokens, place) if code == "RW103" and thorough else ()
    made = Diagnostic(code, "error", (token.start, token.end), f"“{token.text}” {what}", expected)
    if not thorough:
        return made
    start = text.index(token.text, token.start)
    fixes = [
        Fix((start, start + len(token.text)), _as_written(one, token.text))
        for one in closest(token.text, known)
    ]
    if not fixes:
        return made
    reading = [one for one in fixes if _reads(reader, one.applied(text))]
    fix = replace(reading[0], safe=len(reading) == 1) if reading else fixes[0]
    return replace(made, help=f"did you mean “{fix.text}”?", fix=fix)


def closest(word: str, known: Iterable[str], at_most: int = 3) -> list[str]:
    """Give the known words that are nearest to an unknown one, the nearest first, in any case of letters.

    >>> closest("battlefeild", ["battlefield", "base"])
    ['battlefield']
    """
    spellings: dict[str, str] = {}
    for one in known:
        spellings.setdefault(one.lower(), one)
    stem, ending = _without_ending(word)
    return [f"{spellings[one]}{ending}" for one in get_close_matches(stem.lower(), spellings, at_most, 0.72)]


def _without_ending(word: str) -> tuple[str, str]:
    """Take off what the lexer takes for a word of its own: "owner's", "haven't"."""
    ending = next((one for one in ("'s", "’s", "n't", "n’t") if word.endswith(one)), "")
    return word.removesuffix(ending), ending


def _names_a_token(tokens: list[Token], place: int) -> bool:
    behind = [token.text.lower() for token in tokens[place + 1 : place + 3]]
    return any(word in ("token", "tokens") for word in behind)


def _as_written(close: str, found: str) -> str:
    return close[:1].upper() + close[1:] if found[:1].isupper() and close.islower() else close


# --------------------------------------------------------------------------------------- keywords misused


def _keyword_misuse(reader: Reads, text: str, tokens: list[Token]) -> tuple[Diagnostic, ...]:
    """Say which keywords have a number or a cost that they do not take, or lack the one that they need."""
    found: list[Diagnostic] = []
    for place, token in enumerate(tokens):
        if token.type != "KEYWORD" or not text.startswith("[", token.start):
            continue
        behind = tokens[place + 1].type if place + 1 < len(tokens) else ""
        entry = reader.vocabulary.keywords[token.text]
        at = (token.start, token.end)
        if token.value and not entry.get("value"):
            fix = Fix(at, f"[{token.text}]")
            found.append(Diagnostic("RW302", "error", at, f"[{token.text}] takes no number", fix=fix))
        elif entry.get("value") and entry.get("gates") and not token.value and behind in ("_GATE", "_DASH"):
            help_text = f"write it inside the brackets: “[{token.text} 3]”"
            found.append(Diagnostic("RW301", "error", at, f"[{token.text}] lacks its number", help=help_text))
        elif entry.get("cost") and not _begins_a_cost(behind) and not _is_spoken_of(tokens, place):
            help_text = f"write the cost behind it: “[{token.text}] [1]”"
            found.append(Diagnostic("RW303", "error", at, f"[{token.text}] lacks its cost", help=help_text))
        elif not entry.get("cost") and behind in ("ENERGY", "POWER"):
            at = (tokens[place + 1].start, tokens[place + 1].end)
            found.append(Diagnostic("RW304", "error", at, f"[{token.text}] takes no cost"))
    return tuple(found)


def _begins_a_cost(kind: str) -> bool:
    return kind in ("ENERGY", "POWER", "EXHAUST", "_DASH") or kind.startswith("VERB")


def _is_spoken_of(tokens: list[Token], place: int) -> bool:
    """Whether a keyword is only spoken of, as in "your [Equip] abilities"."""
    before = tokens[place - 1].type if place else ""
    return before not in ("", "_COMMA", "_QUOTE", "_BULLET", "_GATE")


# --------------------------------------------------------------------------- where reading stopped, or refused


def _stopped(reader: Reads, text: str, tokens: list[Token], stopped: Attempt) -> Diagnostic:
    position = stopped.position
    expected = _named(reader, stopped.expected)
    found = repair(tokens, position, text, reader.vocabulary, lambda words: _reads(reader, words))
    if position >= len(tokens):
        end = tokens[-1].end
        made = Diagnostic("RW104", "error", (end, end), "the text ends too early", expected)
    else:
        token = tokens[position]
        said = text[token.start : token.end] or token.text
        made = Diagnostic("RW104", "error", (token.start, token.end), f"“{said}” does not fit here", expected)
    return _with_repair(made, found, text)


def _refused(reader: Reads, text: str, tokens: list[Token], refusal: Refused) -> Diagnostic:
    start, end = refusal.span or (tokens[0].start, tokens[-1].end)
    inside = [place for place, token in enumerate(tokens) if start <= token.start < end]
    last = inside[-1] if inside else len(tokens) - 1
    found = repair(
        tokens, last, text, reader.vocabulary, lambda words: _reads(reader, words), reach=len(inside) + 1
    )
    about = "the words are known, but nothing in the game means this"
    made = Diagnostic("RW105", "error", (start, end), f"{about}: {refusal.reason}")
    return _with_repair(made, found, text)


def _with_repair(made: Diagnostic, found: Repair | None, text: str) -> Diagnostic:
    if found is None:
        return made
    fix = Fix(found.span, found.text, found.safe)
    repaired = fix.applied(text)
    line_start = repaired.rfind("\n", 0, fix.span[0]) + 1
    line_end = repaired.find("\n", fix.span[0])
    meant = repaired[line_start : line_end if line_end >= 0 else len(repaired)]
    return replace(made, help=f"did you mean “{meant}”?", fix=fix)


def _reads(reader: Reads, text: str) -> bool:
    return reader.read(text, explain=False).ok


def _expected(reader: Reads, tokens: list[Token], place: int) -> tuple[str, ...]:
    stopped = reader.grammar.unfiltered().attempt(tokens[: place + 1])
    return _named(reader, stopped.expected) if stopped.position == place else ()


def _named(reader: Reads, symbols: list[str]) -> tuple[str, ...]:
    """Give the plain names of grammar symbols, the most telling first."""
    waiting = set(symbols)
    names = (name for symbol, name in reader.vocabulary.plain_names.items() if symbol in waiting)
    return tuple(dict.fromkeys(names))[:MOST_EXPECTED]
