"""Writes set files and deck files as a person would: keys in the schema's order, a paragraph a line, no noise."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import yaml

from rulewright.cards.card import CardDefinition
from rulewright.cards.errata import Erratum
from rulewright.cards.sets import SCHEMA
from rulewright.data_files import Plain
from rulewright.paths import data_dir

WIDTH = 110
"""Where a long line is folded."""


_NUMERIC = re.compile(r"[0-9][0-9_.:-]*")


class _Dumper(yaml.SafeDumper):
    """Safe YAML with short lists on one line and paragraphs in blocks."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        """Put the items of a list under their key."""
        return super().increase_indent(flow, False)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    # Some readers of YAML take 094 for a number, others for a text.
    style = "|" if "\n" in text else "'" if _NUMERIC.fullmatch(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


def _list(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.Node:
    short = all(isinstance(item, str) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=short)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)


def set_text(
    code: str,
    name: str,
    cards: Iterable[CardDefinition],
    *,
    released: str = "",
    about: Iterable[str] = (),
    schema: str | None = None,
) -> str:
    """Give the content of a set file, its cards in the order given.

    ``about`` are comment lines at its head, ``schema`` the place of the schema for an editor's language server.
    """
    head = {"set": code, "name": name, **({"released": released} if released else {})}
    comments = [*about, *([f"yaml-language-server: $schema={schema}"] if schema else [])]
    lines = [*(f"# {line}" for line in comments), _dumped(head) + "cards:"]
    return "\n".join([*lines, *(_item(card.to_plain()) for card in cards)]).rstrip("\n") + "\n"


def errata_text(errata: Iterable[Erratum], *, about: Iterable[str] = (), schema: str | None = None) -> str:
    """Give the content of a file of dated changes; see :func:`set_text`."""
    comments = [*about, *([f"yaml-language-server: $schema={schema}#/$defs/errata"] if schema else [])]
    lines = [f"# {line}" for line in comments]
    for one in errata:
        texts = {"text": one.text, "effect_text": one.effect_text}
        before = {key: text or None for key, text in texts.items() if text is not None}
        plain = {
            "card": one.card,
            "date": one.date,
            "document": one.document,
            **({"before": before} if before else {}),
        }
        item = _dumped(plain).splitlines()
        lines += [f"- {item[0]}", *(f"  {line}".rstrip() for line in item[1:])]
    return "\n".join(lines) + "\n"


def _item(plain: Mapping[str, Plain]) -> str:
    order = _key_order()
    keys = sorted(plain, key=lambda key: order.get(key, order["tags"]))
    first, *rest = _dumped({key: plain[key] for key in keys}).splitlines()
    return "\n".join([f"- {first}", *(f"  {line}".rstrip() for line in rest)])


@cache
def _key_order() -> dict[str, int]:
    schema = json.loads((data_dir() / "cardtexts" / SCHEMA).read_bytes())
    return {key: position for position, key in enumerate(schema["$defs"]["card"]["properties"])}


def _dumped(plain: Plain) -> str:
    return yaml.dump(plain, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)
