"""Finds the words behind a line of a log: the part of a card's or a keyword's text that made it happen."""

from rulewright.engine import LogRecord, Ruleset
from rulewright.language.ast import Node


def words_behind(record: LogRecord, ruleset: Ruleset) -> str:
    """Give the words that a line names as its cause; empty where it follows from the rules alone."""
    if not record.ability:
        return ""
    root, _, _ = record.ability.partition("#")
    text = _text(root, ruleset)
    node = ruleset.node(record.ability)
    span = record.span or (node.span if isinstance(node, Node) else None)
    return " ".join(text[slice(*span)].split()) if span is not None else " ".join(text.split())


def _text(root: str, ruleset: Ruleset) -> str:
    sort, _, name = root.partition(":")
    if sort in ("card", "effect") and name in ruleset.cards:
        card = ruleset.cards[name]
        return card.text if sort == "card" else card.effect_text
    name, _, position = name.rpartition("/")
    if sort == "keyword":
        keyword = ruleset.rules.keyword(name).keyword
        return keyword.means[int(position)] if keyword is not None else ""
    return ""
