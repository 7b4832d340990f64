"""The words of a game as a value: which word is of which class, which lemma and form it is.

The grammar knows classes of words only (``NOUN``, ``VERB``, ``TAG``); the words themselves are data under
``grammar/lexicon``, and what the rules database or the card sets know (keywords, tags, tokens) can be given
in addition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from rulewright.paths import data_dir
from rulewright.rule_words import rule_words

Lexicon = Mapping[str, Any]

DEFAULT_GAME = "riftbound"
"""The game whose words and grammar are meant where none is named."""


@dataclass(frozen=True, slots=True)
class Word:
    """One surface form: its token class, its lemma and the form that it is.

    form: singular, plural or both for nouns; base, s, past, ing or base-past for verbs.
    """

    kind: str
    lemma: str
    form: str = ""
    value: int = 0


@dataclass(frozen=True, slots=True)
class VerbFrame:
    """What a verb takes: the entry of ``verbs.yaml``, with its defaults filled in."""

    lemma: str
    object: tuple[str, ...] | None = None
    amount: str | None = None
    resource: tuple[str, ...] = ()
    mana: bool = False
    needs: tuple[tuple[str, ...], ...] = ()
    takes: frozenset[str] = frozenset()
    at: str | None = None
    source: str | None = None
    to: tuple[str, ...] = ()
    moves: bool = False
    makes: str | None = None
    alone: bool = False
    change: bool = False
    passive: str | None = None
    state: str | None = None
    ing: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """All words of one game, the one whose grammar they are read with.

    words: every surface form in lower case, words of several parts with single spaces. keywords, tokens: the
    lexicon's entries by name. kinds: what each noun counts as.
    """

    words: Mapping[str, Word]
    frames: Mapping[str, VerbFrame]
    keywords: Mapping[str, Mapping[str, Any]]
    tokens: Mapping[str, Mapping[str, Any]]
    tags: Mapping[str, str]
    kinds: Mapping[str, frozenset[str]]
    symbols: tuple[tuple[str, str], ...]
    plain_names: Mapping[str, str] = field(default_factory=dict)
    verb_forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Each verb's base, third person, past, participle and -ing form, in its first spelling: for the printer."""
    written: Mapping[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)
    """How the house writes each symbol, and the names that values have in it: for the printer."""
    synonyms: Mapping[str, str] = field(default_factory=dict)
    """Words that say the same as a word of the grammar: "extra" for "additional"."""
    denied: Mapping[str, str] = field(default_factory=dict)
    """Words that say that something is not so, each with the state that is denied: "unbuffed" for "buffed"."""
    game: str = DEFAULT_GAME
    typography: Mapping[int, str] = field(default_factory=dict)
    """The plain character for each that stands for one, as ``str.translate`` takes it."""

    @classmethod
    def from_lexicon(
        cls,
        lexicon: Lexicon,
        *,
        game: str = DEFAULT_GAME,
        tags: Iterable[str] = (),
        tokens: Mapping[str, Mapping[str, Any]] | None = None,
        keywords: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Vocabulary:
        """Make a vocabulary from plain data: the lexicon's files by name, and words that others hold."""
        return _assemble(lexicon, game, tuple(tags), dict(tokens or {}), dict(keywords or {}))

    def word(self, surface: str) -> Word | None:
        """Give what a surface form is, in any case of letters."""
        return self.words.get(surface.lower())


def default_lexicon(game: str = DEFAULT_GAME) -> Lexicon:
    """Give the lexicon of a game as the data folder has it; see :func:`lexicon_of`."""
    return lexicon_of(game, data_dir())


@cache
def lexicon_of(game: str, root: Path) -> Lexicon:
    """Read ``grammar/lexicon`` under a data root whole, each file's content under its name, and the game's rules.

    Keywords, tags, tokens and more verbs come from the entries of the rules that define them.
    """
    folder = root / "grammar" / "lexicon"
    if not folder.is_dir():
        # A game in a folder of its own, with no grammar beside it, is read with ours.
        folder = data_dir() / "grammar" / "lexicon"
    lexicon = {
        path.stem: yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
        for path in sorted(folder.glob("*.yaml"))
    }
    defined = rule_words(game, root)
    facts, others = lexicon["keywords"]["defined"], lexicon["keywords"]["others"]
    keywords = {name: {**form, **facts.get(name, {})} for name, form in defined.keywords.items()}
    lexicon["keywords"] = {**keywords, **others}
    lexicon["verbs"] = {**lexicon["verbs"], **defined.verbs}
    lexicon["names"] = {**lexicon["names"], "tags": defined.tags, "tokens": defined.tokens}
    return lexicon


@cache
def default_vocabulary(game: str = DEFAULT_GAME) -> Vocabulary:
    """Give the vocabulary of a game as its lexicon has it."""
    return Vocabulary.from_lexicon(default_lexicon(game), game=game)


def _assemble(
    lexicon: Lexicon,
    game: str,
    more_tags: tuple[str, ...],
    more_tokens: dict[str, Mapping[str, Any]],
    more_keywords: dict[str, Mapping[str, Any]],
) -> Vocabulary:
    words: dict[str, Word] = {}
    kinds: dict[str, frozenset[str]] = {}
    _add_numbers(words, lexicon["numbers"])
    _add_nouns(words, kinds, lexicon["nouns"])
    _add_words(words, lexicon["words"])
    names = lexicon["names"]
    tags = {tag.lower(): tag for tag in (*names["tags"], *more_tags)}
    tokens = {**names["tokens"], **more_tokens}
    for name in (*tags.values(), *tokens):
        _add_name(words, name, name in names.get("same_plural", ()))
    keywords = {**lexicon["keywords"], **more_keywords}
    frames = {lemma: _frame(lemma, entry or {}) for lemma, entry in lexicon["verbs"].items()}
    for lemma, entry in lexicon["verbs"].items():
        _add_verb(words, lemma, entry or {})
    symbols = tuple(
        (entry["token"], pattern) for entry in lexicon["symbols"] for pattern in entry["patterns"]
    )
    forms = {lemma: _verb_forms(lemma, entry or {}) for lemma, entry in lexicon["verbs"].items()}
    written = {
        entry["token"]: (entry["written"], entry.get("names", {}))
        for entry in lexicon["symbols"]
        if "written" in entry
    }
    return Vocabulary(
        words,
        frames,
        keywords,
        tokens,
        tags,
        kinds,
        symbols,
        lexicon.get("plain_names", {}),
        forms,
        written,
        lexicon["words"].get("synonyms", {}),
        lexicon["words"].get("denied", {}),
        game,
        _typography(lexicon.get("typography", {})),
    )


FULL_WIDTH = range(0xFF01, 0xFF5F)
"""The letters, digits and signs of full width; each lies as far behind its plain one as the first behind "!"."""


def _typography(entries: Mapping[str, str]) -> dict[int, str]:
    plain = {ord(char): meant for meant, chars in entries.items() for char in chars}
    wide = {code: chr(code - FULL_WIDTH.start + ord("!")) for code in FULL_WIDTH} if plain else {}
    return {**wide, **plain}


def _add_numbers(words: dict[str, Word], numbers: Mapping[str, Mapping[str, int]]) -> None:
    for text, value in numbers["cardinals"].items():
        words[text] = Word("NUMBER", text, value=value)
    for text, value in numbers["ordinals"].items():
        words[text] = Word("ORDINAL", text, value=value)


_NOUN_CLASSES = {
    "objects": "NOUN",
    "zones": "ZONE",
    "players": "PLAYER",
    "phases": "PHASE",
    "stats": "STAT",
    "resources": "RESOURCE",
    "measures": "MIGHT",
}


def _add_nouns(words: dict[str, Word], kinds: dict[str, frozenset[str]], nouns: Lexicon) -> None:
    for section, kind in _NOUN_CLASSES.items():
        for lemma, entry in (nouns.get(section) or {}).items():
            plural = entry.get("plural")
            kinds[lemma] = frozenset((lemma, *entry.get("is", ())))
            for form in entry.get("forms", (lemma,)):
                words[form] = Word(kind, lemma, "both" if plural == form else "singular")
            if plural is not None and plural not in words:
                words[plural] = Word(kind, lemma, "plural")


def _add_words(words: dict[str, Word], entries: Lexicon) -> None:
    for lemma, entry in entries["states"].items():
        kind = "ARRIVING" if entry.get("after") else "STATE"
        for form in entry.get("forms", ()):
            words[form] = Word(kind, lemma)
        words[lemma] = Word(kind, lemma)
    for lemma in entries.get("denied", {}):
        words[lemma] = Word("STATE", lemma)
    for lemma in entries["sides"]:
        words[lemma] = Word("SIDE", lemma)
    for lemma, entry in entries["adverbs"].items():
        for form in entry.get("forms", (lemma,)):
            words[form] = Word("ADVERB", lemma)


def _add_name(words: dict[str, Word], name: str, same_plural: bool) -> None:
    lower = name.lower()
    if same_plural:
        words[lower] = Word("NAME", name, "both")
        return
    words[lower] = Word("NAME", name, "singular")
    plural = lower + ("es" if lower.endswith(("s", "x")) else "s")
    words.setdefault(plural, Word("NAME", name, "plural"))


def _frame(lemma: str, entry: Mapping[str, Any]) -> VerbFrame:
    return VerbFrame(
        lemma,
        object=tuple(entry["object"]) if "object" in entry else None,
        amount=entry.get("amount"),
        resource=tuple(entry.get("resource", ())),
        mana=entry.get("mana", False),
        needs=tuple(tuple(need.split("|")) for need in entry.get("needs", ())),
        takes=frozenset(entry.get("takes", ())),
        at=entry.get("at"),
        source=entry.get("from"),
        to=tuple(entry.get("to", ())),
        moves=entry.get("moves", False),
        makes=entry.get("makes"),
        alone=entry.get("alone", False),
        change=entry.get("change", False),
        passive=entry.get("passive"),
        state=entry.get("state"),
        ing=entry.get("ing"),
    )


def _add_verb(words: dict[str, Word], lemma: str, entry: Mapping[str, Any]) -> None:
    if entry.get("keyword"):
        return
    spellings = entry.get("words") or {lemma: entry.get("forms") or _regular_forms(lemma)}
    for base, (third, past, participle, ing) in spellings.items():
        _set_verb(words, base, lemma, "base")
        _set_verb(words, third, lemma, "s")
        for form in {past, participle}:
            _set_verb(words, form, lemma, "past")
        _set_verb(words, ing, lemma, "ing")


def _verb_forms(lemma: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    spellings = entry.get("words") or {lemma: entry.get("forms") or _regular_forms(lemma)}
    base, forms = next(iter(spellings.items()))
    return (base, *forms)


_VERB_KINDS = {"base": "VERB", "s": "VERB_S", "past": "VERB_ED", "ing": "VERB_ING"}


def _set_verb(words: dict[str, Word], surface: str, lemma: str, form: str) -> None:
    known = words.get(surface)
    if known is not None and known.kind in ("VERB", "VERB_S") and known.lemma == lemma:
        # "put", "cost": the base form serves as the past.
        words[surface] = Word("VERB", lemma, "base-past")
    elif known is None:
        words[surface] = Word(_VERB_KINDS[form], lemma, form)


def _regular_forms(base: str) -> tuple[str, str, str, str]:
    stem = base[:-1] if base.endswith("e") else base
    third = base + ("es" if base.endswith(("s", "x", "ch", "sh", "z")) else "s")
    return third, stem + "ed", stem + "ed", stem + "ing"
