"""Reads lists of errata (card, post, old text, new text) into the layer of dated changes, in the canonical wording.

An entry is kept where the text before and the card of today mean different things; without what the card said where
that is not read. Each other one is told: the new wording says the same, or the card of today does not say what the
list's new text says.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rulewright.cards.canonical import canonical_wording
from rulewright.cards.card import CardDefinition
from rulewright.cards.errata import Erratum
from rulewright.cards.formats import Imports
from rulewright.cards.importing import LeftOut, plain_rows
from rulewright.cards.pool import Pool
from rulewright.cards.reading import UnreadTextError, read_on
from rulewright.errors import RulewrightError, UsageError


@dataclass(frozen=True, slots=True)
class ErrataImport:
    """What was made of a list: the changes by date and card, and the entries that are no change, with the reason."""

    errata: tuple[Erratum, ...]
    left_out: tuple[LeftOut, ...]


def read_errata(content: bytes, file: str, imports: Imports, pool: Pool) -> ErrataImport:
    """Read a list of errata; raises :class:`ExportError` where it is none."""
    errata: list[Erratum] = []
    left_out: list[LeftOut] = []
    for row in plain_rows(content, file, ("card", "errata_post", "old_text", "new_text")):
        try:
            errata.append(_erratum(row, imports, pool))
        except UnreadTextError as error:
            # The day of the change is known, what it changed is not: the card is unknown as of a day before.
            errata.append(_unknown(row, imports, pool))
            left_out.append(LeftOut(str(row["card"]), f"what it said before is not read: {error.message}"))
        except RulewrightError as error:
            left_out.append(LeftOut(str(row["card"]), error.message))
    return ErrataImport(tuple(sorted(errata, key=lambda one: (one.date, one.card))), tuple(left_out))


def _unknown(row: Mapping[str, str], imports: Imports, pool: Pool) -> Erratum:
    card = _card(row["card"], imports.variants, pool)
    post = imports.errata_posts.get(row["errata_post"])
    if post is None:
        raise UsageError(f"nothing is known about the post {row['errata_post']!r}")
    return Erratum(card.name, post["date"], post["document"])


def _erratum(row: Mapping[str, str], imports: Imports, pool: Pool) -> Erratum:
    erratum = _unknown(row, imports, pool)
    card = pool[erratum.card]
    before, today = read_on(card, row["old_text"]), read_on(card, card.text)
    if before == today:
        raise UsageError("the new wording means the same")
    if read_on(card, row["new_text"]) != today:
        raise UsageError("the card of today does not say what the list's new text says")
    return replace(erratum, text=canonical_wording(before))


def _card(said: str, variants: Iterable[str], pool: Pool) -> CardDefinition:
    plain = re.sub(rf",\s*(?:{'|'.join(map(re.escape, variants))})$", "", said)
    return pool.find(plain)
