"""Meanings kept between runs: a text that was read once is not read again until something it depends on changes.

The key is a hash of the text and of all that reading it depends on: the grammar and lexicon files, the words
added to them, and the code of this package. A meaning is kept as JSON with its spans.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, cast

from rulewright import cache as store
from rulewright.language import ast
from rulewright.language.tree import kinds, slots, to_json
from rulewright.language.vocabulary import Vocabulary
from rulewright.paths import data_dir
from rulewright.rule_words import rule_words

_KIND = "meaning"


def key_of(text: str, vocabulary: Vocabulary | None, game: str) -> str:
    """Give the key under which a text's meaning is kept."""
    words = "" if vocabulary is None else _words(vocabulary)
    return store.content_key(_code(), _data(data_dir()), _defined(game, data_dir()), words, game, text)


def recalled(key: str) -> ast.CardText | None:
    """Give a meaning that is kept, or nothing."""
    content = store.load(_KIND, key)
    return None if content is None else cast(ast.CardText, _revived(json.loads(content)))


def kept(key: str, meaning: ast.CardText) -> None:
    """Keep a meaning."""
    tree = to_json(meaning, spans=True)
    store.store(_KIND, key, json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode())


@cache
def _code() -> str:
    package = Path(__file__).resolve().parent
    return store.content_key(*(path.read_bytes() for path in sorted(package.rglob("*.py"))))


@cache
def _data(root: Path) -> str:
    grammar = root / "grammar"
    files = sorted((*grammar.glob("*.lark"), *(grammar / "lexicon").glob("*.yaml")))
    return store.content_key(*(path.read_bytes() for path in files))


@cache
def _defined(game: str, root: Path) -> str:
    return store.content_key(repr(rule_words(game, root)))


@cache
def _words(vocabulary: Vocabulary) -> str:
    # Sets are sorted: the order in which they come differs from one process to the next.
    frames = {lemma: asdict(frame) for lemma, frame in vocabulary.frames.items()}
    parts = (vocabulary.words, vocabulary.keywords, vocabulary.tokens, vocabulary.tags)
    return store.content_key(
        *(repr(sorted(part.items())) for part in parts), json.dumps(frames, sort_keys=True, default=sorted)
    )


@cache
def _shapes() -> dict[str, tuple[Any, dict[str, str]]]:
    return {name: (kind, {slot.key: slot.name for slot in slots(kind)}) for name, kind in kinds().items()}


def _revived(value: Any) -> Any:
    """Build nodes from our own JSON, which needs no checks: the cache vouches for its files."""
    if isinstance(value, dict):
        kind, names = _shapes()[value["kind"]]
        return kind(**{names[key]: _revived(part) for key, part in value.items() if key != "kind"})
    return tuple(_revived(part) for part in value) if isinstance(value, list) else value
