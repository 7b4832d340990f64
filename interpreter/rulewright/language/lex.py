"""Card text to tokens: one type for each surface form, with the place in the raw text.

The lexer reads the text as it was given: reminder text in parentheses is trivia, every spelling of a symbol is
a variant of one token, contractions are two tokens ("can't": can, not), and a word that the vocabulary does not
know becomes an UNKNOWN token, so that it can be reported with close matches. Nothing is rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulewright.language.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Token:
    """A word, symbol or mark: its type, its text and where it stands. value: the number it says, where it says one."""

    type: str
    text: str
    start: int
    end: int
    value: int = 0


@dataclass(frozen=True, slots=True)
class LexicalError(Exception):
    """Something in the raw text that cannot be taken apart."""

    code: str
    message: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Limits:
    """How much text is looked at: the longest text and the largest number of tokens in a paragraph."""

    characters: int
    paragraph_tokens: int

    @classmethod
    def of_lexicon(cls, lexicon: Mapping[str, Any]) -> Limits:
        """Give the limits that a lexicon sets."""
        return cls(lexicon["limits"]["characters"], lexicon["limits"]["paragraph_tokens"])


_SPLITS = {
    # What stands behind a word and is a token of its own.
    "'m": "am",
    "'re": "are",
    "'ve": "have",
    "'ll": "will",
    "'d": "would",
    "n't": "not",
}
_MEANINGS = frozenset((*_SPLITS.values(), "is"))
_IS_AFTER = frozenset(("it", "that", "there", "what", "who"))
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*(?:-[A-Za-z'’]+)*")
_BRACKET = re.compile(r"\[([A-Za-z][A-Za-z' -]*?)(?: (\d+))?\]")
_ALONE = re.compile(r"[ \t]*(?:$|\n|\(|_\(|:rb_)")
_QUOTE_MARK = re.compile(r"[\"“”]|&quot;")
_GLUE = re.compile(r"[).](?=[A-Z\[•]|:rb_)")
MOST_DIGITS = 6
"""How many digits a number has at most."""

_NUMBER = re.compile(r"\d+")
_SPACE = re.compile(r"[ \t\r\u00a0]+")
_CAPITALISED = re.compile(r"[A-Z][A-Za-z'’-]*(?: [A-Z][A-Za-z'’-]*)*")


class Lexer:
    """Takes texts apart with the words of one vocabulary and the literal words of one grammar."""

    def __init__(self, vocabulary: Vocabulary, literals: Mapping[str, str], limits: Limits) -> None:
        self._vocabulary = vocabulary
        self._literals = literals
        self._limits = limits
        self._symbols = [(kind, re.compile(pattern)) for kind, pattern in vocabulary.symbols]
        phrases: dict[str, list[str]] = {}
        for word in (*vocabulary.words, *literals):
            if " " in word:
                phrases.setdefault(word.split(" ", 1)[0], []).append(word)
        self._phrases = {first: sorted(rest, key=len, reverse=True) for first, rest in phrases.items()}

    def paragraphs(self, text: str) -> list[list[Token]]:
        """Give the tokens of each paragraph; list items belong to the paragraph before them.

        Raises :class:`LexicalError` for a text that is too long, an open parenthesis or quote, or a character
        that no token has.
        """
        if len(text) > self._limits.characters:
            raise LexicalError("RW101", "the text is too long", self._limits.characters, len(text))
        paragraphs: list[list[Token]] = [[]]
        position = 0
        while position < len(text):
            if text[position] == "\n":
                if paragraphs[-1]:
                    paragraphs.append([])
                position += 1
                continue
            position = self._next(text, position, paragraphs[-1])
            if paragraphs[-1] and paragraphs[-1][-1].type == "_LINE":
                paragraphs[-1].pop()
                paragraphs.append([])
            elif _is_glued(text, position, paragraphs[-1]):
                paragraphs.append([])
        joined: list[list[Token]] = []
        for paragraph in paragraphs:
            if joined and paragraph and (paragraph[0].type == "_BULLET" or joined[-1][-1].type == "_COLON"):
                # A list, or what "do this:" at the end of a line is about.
                joined[-1].extend(paragraph)
            elif paragraph:
                joined.append(paragraph)
        for paragraph in joined:
            _check_capitals(paragraph)
            if len(paragraph) > self._limits.paragraph_tokens:
                raise LexicalError(
                    "RW101", "the paragraph is too long", paragraph[0].start, paragraph[-1].end
                )
        return joined

    def _next(self, text: str, position: int, tokens: list[Token]) -> int:
        """Read one token (or trivia) at a position; give the position behind it."""
        if space := _SPACE.match(text, position):
            return space.end()
        char = text[position]
        if char == "(" or text.startswith("_(", position):
            return _end_of_reminder(text, position)
        for kind, pattern in self._symbols:
            if found := pattern.match(text, position):
                if kind != "_SKIP":
                    tokens.append(Token(kind, found.group(), position, found.end(), _figure(kind, found)))
                return found.end()
        if char == "[":
            return self._bracket(text, position, tokens)
        if mark := _QUOTE_MARK.match(text, position):
            return self._quote(text, mark, tokens)
        if number := _NUMBER.match(text, position):
            if len(number.group()) > MOST_DIGITS:
                message = f"no number of a card has more than {MOST_DIGITS} digits"
                raise LexicalError("RW102", message, position, number.end())
            tokens.append(Token("NUMBER", number.group(), position, number.end(), int(number.group())))
            return number.end()
        if _WORD.match(text, position):
            return self._word(text, position, tokens)
        # A letter of another script looks like one of ours: its number tells them apart.
        number_of_it = "" if char.isascii() else f" (U+{ord(char):04X})"
        said = f"“{char}”{number_of_it} has no meaning here"
        if not char.isprintable():
            said = f"an invisible character, U+{ord(char):04X}"
        raise LexicalError("RW102", said, position, position + 1)

    def _bracket(self, text: str, position: int, tokens: list[Token]) -> int:
        found = _BRACKET.match(text, position)
        if found is None:
            raise LexicalError("RW102", "a bracket that names no keyword", position, position + 1)
        name, number = found.group(1), found.group(2)
        keyword = self.keyword(name)
        if keyword is not None:
            kind = "KEYWORD_STATE" if self._vocabulary.keywords[keyword].get("state") else "KEYWORD"
            tokens.append(Token(kind, keyword, position, found.end(), int(number[:6]) if number else 0))
            return found.end()
        word_kind = self._kind(name.lower())
        if word_kind is None or not (
            word_kind.startswith("VERB") or name.lower() in ("buff", "counter", "ready", "repeat")
        ):
            tokens.append(Token("UNKNOWN", name, position, found.end()))
            return found.end()
        middle = found.end(1) + 1
        tokens.append(Token(word_kind, name, position, middle if number else found.end()))
        if number:
            tokens.append(Token("NUMBER", number, middle, found.end(), int(number[:6])))
        return found.end()

    def keyword(self, name: str) -> str | None:
        """Give a keyword's name as the rules write it, from any spelling of it."""
        lower = name.lower()
        return next((keyword for keyword in self._vocabulary.keywords if keyword.lower() == lower), None)

    def _quote(self, text: str, mark: re.Match[str], tokens: list[Token]) -> int:
        kinds = [token.type for token in tokens]
        end = mark.end()
        if kinds.count("_QUOTE") == kinds.count("_UNQUOTE"):
            tokens.append(Token("_QUOTE", mark.group(), mark.start(), end))
            return end
        ends_sentence = kinds[-1] == "_STOP"
        tokens.append(Token("_UNQUOTE", mark.group(), mark.start(), end))
        # A full stop before the closing quote ends the sentence around it as well.
        if ends_sentence and not re.match(r"\s*[.,a-z]", text[end : end + 3]):
            tokens.append(Token("_STOP", "", end, end))
        return end

    def _kind(self, surface: str) -> str | None:
        surface = self._vocabulary.synonyms.get(surface, surface)
        literal = self._literals.get(surface)
        if literal is not None:
            return literal
        word = self._vocabulary.words.get(surface)
        return None if word is None else word.kind

    def _word(self, text: str, position: int, tokens: list[Token]) -> int:
        found = _WORD.match(text, position)
        assert found is not None
        for phrase in self._phrases.get(found.group().lower().replace("’", "'"), ()):
            end = position + len(phrase)
            if text[position:end].lower() == phrase and not text[end : end + 1].isalpha():
                return self._add(tokens, phrase, text, position, end)
        word = found.group()
        if not tokens and word in self._vocabulary.keywords and _ALONE.match(text, found.end()):
            # Some exports leave the brackets of a keyword at the start of a line out.
            tokens.append(Token("KEYWORD", word, position, found.end()))
            return found.end()
        plain = word.replace("’", "'")
        lower = plain.lower()
        if self._kind(lower) is not None:
            return self._add(tokens, lower, text, position, found.end())
        for prefix in ("non-", "non"):
            if lower.startswith(prefix) and self._kind(lower[len(prefix) :]) is not None:
                end = position + len(prefix)
                tokens.append(Token("_NON", text[position:end], position, end))
                return end
        for suffix, meaning in _SPLITS.items():
            if lower.endswith(suffix) and (stem := self._stem(lower, suffix)) is not None:
                cut = found.end() - len(suffix)
                kind = self._kind(stem) or "UNKNOWN"
                tokens.append(Token(kind, stem, position, cut))
                return self._add(tokens, meaning, text, cut, found.end())
        for suffix in ("'s", "'"):
            if lower.endswith(suffix) and self._kind(lower[: -len(suffix)]) is not None:
                cut = found.end() - len(suffix)
                self._add(tokens, lower[: -len(suffix)], text, position, cut)
                if suffix == "'s" and lower[:-2] in _IS_AFTER:
                    return self._add(tokens, "is", text, cut, found.end())
                tokens.append(Token("_POSS", text[cut : found.end()], cut, found.end()))
                return found.end()
        return self._unknown(text, position, found.end(), tokens)

    def _stem(self, lower: str, suffix: str) -> str | None:
        # "can't" has lost an n.
        for stem in (lower[: -len(suffix)], lower[: -len(suffix)] + "n"):
            if self._kind(stem) is not None:
                return stem
        return None

    def _add(self, tokens: list[Token], surface: str, text: str, start: int, end: int) -> int:
        kind = self._kind(surface) or "UNKNOWN"
        meant = self._vocabulary.synonyms.get(surface)
        word = self._vocabulary.words.get(surface)
        tokens.append(
            Token(
                kind,
                surface if surface in _MEANINGS else meant or text[start:end],
                start,
                end,
                word.value if word else 0,
            )
        )
        return end

    def _unknown(self, text: str, position: int, end: int, tokens: list[Token]) -> int:
        word = text[position:end]
        keyword = self.keyword(word)
        if keyword is not None:
            # Some exports leave the brackets of a keyword out.
            kind = "KEYWORD_STATE" if self._vocabulary.keywords[keyword].get("state") else "KEYWORD"
            tokens.append(Token(kind, keyword, position, end))
            return end
        name = _CAPITALISED.match(text, position)
        if name is not None and tokens and tokens[-1].type not in ("_STOP", "_COLON", "_BULLET", "_DASH"):
            tokens.append(Token("PROPER", name.group(), position, name.end()))
            return name.end()
        tokens.append(Token("UNKNOWN", word, position, end))
        return end


def _figure(kind: str, found: re.Match[str]) -> int:
    """Give the number that a symbol carries: "2 energy", "3 fury runes"."""
    if kind == "ENERGY":
        return int(found.group(1)[:6])
    number = _NUMBER.match(found.group()) if kind == "POWER" else None
    return int(number.group()[:2]) if number else 0


def _is_glued(text: str, position: int, tokens: list[Token]) -> bool:
    """Tell whether a line break was lost here: some exports write "(...)When" and "1.Draw"."""
    if not _GLUE.match(text, position - 1) or not tokens:
        return False
    quotes = sum({"_QUOTE": 1, "_UNQUOTE": -1}.get(token.type, 0) for token in tokens)
    return quotes == 0 and (text[position - 1] == ")" or tokens[-1].type == "_STOP")


def _check_capitals(paragraph: list[Token]) -> None:
    """Refuse a sentence behind another that begins in its middle: what stood there is lost."""
    starts = False
    for index, token in enumerate(paragraph):
        if (
            starts
            and token.text[:1].islower()
            and not (token.type == "KEYWORD" and index == len(paragraph) - 1)
        ):
            raise LexicalError("RW106", "a sentence begins with a capital letter", token.start, token.end)
        starts = token.type == "_STOP"


def _end_of_reminder(text: str, position: int) -> int:
    depth = 0
    for index in range(position, len(text)):
        if text[index] == "(":
            depth += 1
        elif text[index] == ")":
            depth -= 1
            if depth == 0:
                # Markdown sources write reminder text as _( ... )_.
                return (
                    index + 2
                    if text.startswith("_(", position) and text[index + 1 : index + 2] == "_"
                    else index + 1
                )
    raise LexicalError("RW102", "a parenthesis that is never closed", position, position + 1)
