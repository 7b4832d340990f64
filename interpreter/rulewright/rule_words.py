"""The words that the rules of a game define: keywords (805-829), tags (763.1), named tokens (187), and more verbs.

Each stands once, in the entry that defines it; the language reads them there, as plain data, because a word is known
before any rule is looked up. What the grammar must know besides (which keyword is a verb, too) is in the lexicon.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from rulewright import cache as store
from rulewright.data_files import parse

TAGS, TOKENS = "tags", "tokens"
"""The names of the tables."""

_MAY_DEFINE = re.compile(rb"\b(?:keyword|verb):|\bname: *(?:tags|tokens)\b")


@dataclass(frozen=True, slots=True)
class RuleWords:
    """The words of one game's rules.

    ``keywords`` has, for each keyword, whether it takes a ``value`` or a ``cost`` and ``gates`` an ability that stands
    behind it; ``tokens`` the characteristics of each named token as a card set writes them; ``verbs`` the frames of
    verbs that the lexicon does not have, each with the procedure that carries it out.
    """

    keywords: Mapping[str, Mapping[str, Any]]
    tags: tuple[str, ...]
    tokens: Mapping[str, Mapping[str, Any]]
    verbs: Mapping[str, Mapping[str, Any]]


@cache
def rule_words(game: str, root: Path) -> RuleWords:
    """Read the words that the rules of a game under a data root define; none where it has no rules.

    Raises :class:`rulewright.data_files.DataFileError` where a file of the rules is no YAML.
    """
    folder = root / "rulesdb" / game
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.yaml"))
    }
    defining = {name: content for name, content in files.items() if _MAY_DEFINE.search(content)}
    key = store.content_key(
        "words and verbs", *(part for name, content in defining.items() for part in (name, content))
    )
    kept = store.load("rule-words", key)
    if kept is not None:
        return _from(json.loads(kept))
    keywords: dict[str, Any] = {}
    verbs: dict[str, Any] = {}
    groups: dict[str, list[str]] = {}
    tokens: list[Any] = []
    for name, content in defining.items():
        for entry in _entries(content, name):
            if isinstance(keyword := entry.get("keyword"), Mapping):
                keywords[keyword["name"]] = _form(keyword)
            if isinstance(procedure := entry.get("procedure"), Mapping) and "verb" in procedure:
                verbs[procedure["name"]] = procedure["verb"]
            # Several entries may hold rows of one table: what a set adds stands with the set's other rules.
            table = entry.get("table") or {}
            if table.get("name") == TAGS:
                for group, tags in table["rows"].items():
                    groups.setdefault(group, []).extend(tags)
            elif table.get("name") == TOKENS:
                tokens += table["rows"]
    found = {"keywords": keywords, "verbs": verbs, TAGS: groups, TOKENS: tokens}
    store.store("rule-words", key, json.dumps(found, ensure_ascii=False).encode())
    return _from(found)


def _entries(content: bytes, name: str) -> Iterator[Mapping[str, Any]]:
    try:
        plain = yaml.load(content, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        plain = parse(content, name).plain
    entries = plain.get("entries", ()) if isinstance(plain, Mapping) else plain or ()
    yield from (entry for entry in entries if isinstance(entry, Mapping))


def _form(keyword: Mapping[str, Any]) -> dict[str, bool]:
    form = {
        "value": "value" in keyword,
        "cost": bool(keyword.get("cost")),
        # A permissive keyword may stand before an ability, as "[Reaction][>]" does (135.2.e.7.a).
        "gates": "governs" in keyword or ("permissive" in keyword.get("kind", ()) and "means" not in keyword),
    }
    return {fact: True for fact, holds in form.items() if holds}


def _from(found: Mapping[str, Any]) -> RuleWords:
    tags: Sequence[str] = [tag for group in found.get(TAGS, {}).values() for tag in group]
    tokens = {row["name"]: row for row in found.get(TOKENS, ())}
    return RuleWords(found["keywords"], tuple(tags), tokens, found["verbs"])
