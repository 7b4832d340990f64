"""All cards of a game that are at hand: the sets together, each card found by its name or code, as of any day."""

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.cards.card import CardDefinition, card_from
from rulewright.cards.errata import Erratum, load_errata
from rulewright.cards.sets import CardSet, load_sets, set_files
from rulewright.data_files import DataFileError, Plain, Problem
from rulewright.days import checked_day
from rulewright.errors import RulewrightError, UsageError
from rulewright.paths import data_dir
from rulewright.rule_words import rule_words

if TYPE_CHECKING:
    from rulewright.language import Vocabulary

TOKENS = "TOK"
"""The code of the set of tokens that the rules name."""


class Pool:
    """The cards of some sets of a game. A card that two sets print is one card with two printings (132.1).

    Names are unique. Two texts of a card may be worded otherwise where they mean the same; the first is kept. Raises
    :class:`DataFileError` with both places where two cards of one name differ in more, or two cards have one code.
    """

    def __init__(self, sets: Iterable[CardSet], unknown: Iterable[str] = (), game: str = "riftbound") -> None:
        self.game = game
        """The game whose words the cards' texts are read with."""
        self.sets = tuple(sets)
        """The sets, in the order in which they were given."""
        self.unknown = tuple(unknown)
        """Cards of which it is not known what they said on the day of the pool; they are not in it."""
        self._by_name: dict[str, CardDefinition] = {}
        self._by_code: dict[str, str] = {}
        problems = [problem for one in self.sets for card in one.cards for problem in self._take(card)]
        if problems:
            raise DataFileError(problems)
        self._by_key = {**_titles(self._by_name), **{name_key(name): name for name in self._by_name}}

    def _take(self, card: CardDefinition) -> Iterator[Problem]:
        known = self._by_name.get(card.name)
        if known is None:
            self._by_name[card.name] = card
        elif known == card or self._says_the_same(known, card):
            self._by_name[card.name] = replace(
                known, printings=tuple(dict.fromkeys((*known.printings, card.code, *card.printings)))
            )
        else:
            yield Problem(
                card.place, f"{card.name}: another card has this name, and says something else", known.place
            )
            return
        for code in (card.code, *card.printings) if card.number else card.printings:
            other = self._by_code.setdefault(code.upper(), card.name)
            if other != card.name:
                yield Problem(card.place, f"{card.name}: {other} has the code {code} too")

    def __iter__(self) -> Iterator[CardDefinition]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> CardDefinition:
        """Give the card of exactly this name; raises ``KeyError``. See :meth:`find` for what a person writes."""
        return self._by_name[name]

    @cached_property
    def words(self) -> "Vocabulary | None":
        """The words with which the cards' texts are read; see :func:`rulewright.cards.reading.words_of`."""
        from rulewright.cards.reading import words_of

        return words_of((card for one in self.sets for card in one.cards), game=self.game)

    def find(self, said: str) -> CardDefinition:
        """Give the card that a person means: its name in any case and any dashes and accents, or one of its codes.

        The title alone ("Ember Captain") will do where no other card has it.

        Raises :class:`UsageError`, with the nearest names, where there is none.
        """
        name = self._by_name.get(said.strip()) or self._by_name.get(
            self._by_key.get(name_key(said)) or self._by_code.get(said.strip().upper()) or ""
        )
        if name is None:
            close = difflib.get_close_matches(name_key(said), self._by_key, n=3)
            near = dict.fromkeys(self._by_key[key] for key in close)
            hint = f"did you mean {' or '.join(repr(one) for one in near)}?" if near else None
            raise UsageError(f"there is no card {said.strip()!r}", help=hint)
        return name

    def as_of(self, day: str, errata: Iterable[Erratum]) -> "Pool":
        """Give the pool with each card as it was on a day: what was announced later is taken back.

        A card of which it is not known what it said then is left out, and named by :attr:`unknown`. Raises
        :class:`UsageError` where this is no day.
        """
        day = checked_day(day)
        before: dict[str, CardDefinition | None] = {}
        for erratum in sorted(errata, key=lambda one: one.date, reverse=True):
            if erratum.date > day and erratum.card in self:
                later = before.get(erratum.card, self[erratum.card])
                before[erratum.card] = erratum.taken_back(later) if later and erratum.is_known else None
        unknown = {name for name, card in before.items() if card is None}
        released = [one for one in self.sets if not one.released or one.released <= day]
        known = [
            replace(
                one, cards=tuple(_as_before(card, before) for card in one.cards if card.name not in unknown)
            )
            for one in released
        ]
        gone = sorted(card.name for one in released for card in one.cards if card.name in unknown)
        return Pool(known, gone, self.game)

    def with_tokens(self, rows: Iterable[Mapping[str, Plain]]) -> "Pool":
        """Give the pool with these rows for the tokens that the rules name, in place of those that it has."""
        printed = [one for one in self.sets if one.code != TOKENS]
        return Pool([*printed, *_tokens_of(rows, self.game)], self.unknown, self.game)

    def _says_the_same(self, one: CardDefinition, other: CardDefinition) -> bool:
        if replace(one, text="", effect_text="") != replace(other, text="", effect_text=""):
            return False
        from rulewright.cards.reading import same_meaning

        try:
            return same_meaning(one, other, self.words)
        except RulewrightError:
            return False


def _as_before(card: CardDefinition, before: Mapping[str, CardDefinition | None]) -> CardDefinition:
    earlier = before.get(card.name)
    if earlier is None:
        return card
    return replace(card, text=earlier.text, effect_text=earlier.effect_text)


def load_pool(game: str = "riftbound", root: Path | None = None, as_of: str | None = None) -> Pool:
    """Load all sets of a game from ``root``/cardtexts (by default the data folder's), as of a day where one is named.

    The tokens that the game's rules name (187) are in it too, whether a set prints them or not. Raises
    :class:`DataFileError` with everything that is wrong in the files.
    """
    where = data_dir() if root is None else root
    named = _tokens_of(rule_words(game, where).tokens.values(), game)
    sets = (*load_sets(set_files(game, root), root), *named)
    pool = Pool(sets, game=game)
    return pool if as_of is None else pool.as_of(as_of, load_errata(game, root))


def _tokens_of(rows: Iterable[Mapping[str, Plain]], game: str) -> Iterator[CardSet]:
    cards = tuple(
        card_from(
            {**{key: value for key, value in row.items() if key != "rule"}, "token": True},
            TOKENS,
            f"rule {row['rule']}",
        )
        for row in rows
    )
    if cards:
        yield CardSet(TOKENS, "Tokens of the rules", "", cards, f"rulesdb/{game}")


def _titles(names: Iterable[str]) -> dict[str, str]:
    # Exports and players name legends by what stands after the comma; a title of two cards names none.
    owners: dict[str, list[str]] = {}
    for name in names:
        _, comma, title = name.partition(", ")
        if comma:
            owners.setdefault(name_key(title), []).append(name)
    return {title: named[0] for title, named in owners.items() if len(named) == 1}


def name_key(name: str) -> str:
    """Give what is the same for all ways to write one name: no case, accents, dashes, quotes, punctuation.

    >>> name_key("Kai'Do, Wall of Stone") == name_key("KAI’DO - wall of stone")
    True
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = (char for char in plain if not unicodedata.combining(char) and char not in "'’‘`")
    return " ".join("".join(char if char.isalnum() else " " for char in letters).split())
