"""Changes what the cards of a set file say, and leaves every other character of the file as it is.

A formatter must not disturb a person's comments, order and spacing, so the file is not written again from its
content: the place of each text is taken from the YAML parser, and only texts that change are replaced.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from rulewright.data_files import content_of
from rulewright.errors import RulewrightError
from rulewright.paths import write_atomically

TEXT_KEYS = ("text", "effect_text")
"""The keys of a card under which it says something."""


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text of a card: the card's name, the key, what it says, its line, and where its scalar lies in the file."""

    card: str
    key: str
    text: str
    line: int
    start: int
    end: int
    indent: int
    flow: bool


def placed_texts(source: str) -> list[PlacedText]:
    """Give every text of a set file's cards with its place, in the order of the file.

    >>> [(found.card, found.line) for found in placed_texts("cards:\\n- name: A\\n  text: Draw 1.\\n")]
    [('A', 3)]
    """
    root = yaml.compose(source, Loader=yaml.CSafeLoader)
    cards = dict(_entries(root)).get("cards")
    if not isinstance(cards, yaml.SequenceNode):
        return []
    return [found for card in cards.value for found in _texts_of(card)]


def replace_texts(source: str, change: Callable[[PlacedText], str]) -> str:
    """Give the file with each text as ``change`` wants it; equal texts leave the file equal.

    >>> replace_texts("cards:\\n- {name: A, text: draw 1}  # kept\\n", lambda found: "Draw 1.")
    'cards:\\n- {name: A, text: "Draw 1."}  # kept\\n'
    """
    for found in reversed(placed_texts(source)):
        wanted = change(found)
        if wanted != found.text:
            source = source[: found.start] + _scalar(found, wanted, source) + source[found.end :]
    return source


def changed_texts(source: str, change: Callable[[PlacedText], str], file: str) -> str:
    """Give the file with its texts changed; see :func:`replace_texts`.

    Raises :class:`RulewrightError` where the changed file would not hold the texts that were wanted.
    """
    wanted = [(found, change(found)) for found in placed_texts(source)]
    texts = iter([text for _, text in reversed(wanted)])
    changed = replace_texts(source, lambda _: next(texts))
    if [one.text.rstrip("\n") for one in placed_texts(changed)] != [text.rstrip("\n") for _, text in wanted]:
        raise RulewrightError("the changed texts cannot be written into this file", place=file)
    return changed


def put_back(path: Path, changed: str) -> None:
    """Write a changed file whole or not at all, with the line ends and the byte order mark that it had."""
    before = content_of(path)
    if b"\r\n" in before:
        changed = changed.replace("\n", "\r\n")
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    write_atomically(path, mark + changed.encode())


def _texts_of(card: yaml.Node) -> Iterator[PlacedText]:
    if not isinstance(card, yaml.MappingNode):
        return
    entries = _entries(card)
    name = next((str(value.value) for key, value in entries if key == "name"), "")
    for (key, value), (key_node, _) in zip(entries, card.value, strict=True):
        if key in TEXT_KEYS and isinstance(value, yaml.ScalarNode):
            yield PlacedText(
                name,
                key,
                value.value,
                key_node.start_mark.line + 1,
                value.start_mark.index,
                value.end_mark.index,
                key_node.start_mark.column,
                bool(card.flow_style),
            )


def _entries(node: yaml.Node | None) -> list[tuple[str, yaml.Node]]:
    if not isinstance(node, yaml.MappingNode):
        return []
    return [(str(key.value), value) for key, value in node.value]


def _scalar(place: PlacedText, text: str, source: str) -> str:
    """Write a text as a scalar: a block for several paragraphs, one line otherwise."""
    behind = source[place.end :].split("\n", 1)[0].strip()
    if place.flow or (behind and "\n" in text and not source[: place.end].endswith("\n")):
        # Inside braces, or with a comment behind it, a text stays on its line.
        return json.dumps(text, ensure_ascii=False)
    if "\n" in text:
        lines = "".join(f"\n{' ' * (place.indent + 2)}{line}" for line in text.split("\n"))
        written = f"|-{lines}"
    else:
        dumped = yaml.dump(text, Dumper=yaml.SafeDumper, allow_unicode=True, width=float("inf"))
        written = dumped.removesuffix("...\n").rstrip("\n")
    # A block scalar's place ends behind its last line break.
    return written + "\n" if source[place.start : place.end].endswith("\n") else written
