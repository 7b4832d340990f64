"""Deck codes of Piltover Archive, both ways: a deck in one short word that players share.

A code is base 32 over bytes: format and version, then the cards by how many of each there are (12 down to 1), each
group by set and variant; since version 2 a sideboard (3 down to 1), since version 3 the chosen champion. Numbers are
written seven bits a byte, the low ones first. The public reference is the npm package
``@piltoverarchive/riftbound-deck-codes``; which number a set has is data (``cardtexts/<game>/deck-codes.yaml``).
"""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from rulewright.cards.card import CardDefinition
from rulewright.cards.deck import Copies, Deck, Layout, deck_of
from rulewright.cards.pool import Pool
from rulewright.cards.sets import game_folder, read_definition
from rulewright.errors import RulewrightError, UsageError

FORMAT = 1
"""The only format of codes that there is."""

VERSION = 3
"""The version that is written; codes of the versions before are read too."""

MOST_MAIN, MOST_SIDEBOARD = 12, 3
"""The most copies of one card that a code can hold in the deck, and in its sideboard."""

_CARD = re.compile(r"^([A-Z0-9]{2,6})-(\d+)([a-z*]?)$")
_FORM = re.compile(r"^[A-Z2-7]+$")


class DeckCodeError(RulewrightError):
    """A code that cannot be read, or a deck that no code can be written for."""


@dataclass(frozen=True, slots=True)
class CodeNumbers:
    """The numbers by which codes name sets and variants, and the part of a deck that is the chosen champion."""

    sets: Mapping[str, int]
    variants: Mapping[str, int]
    same_variant: Mapping[str, str]
    champion: str


@dataclass(frozen=True, slots=True)
class CodedDeck:
    """What a code holds: codes of cards with their counts, and the code of the chosen champion, one of ``main``."""

    main: Copies
    sideboard: Copies = ()
    champion: str | None = None


def load_code_numbers(game: str = "riftbound", root: Path | None = None) -> CodeNumbers:
    """Load the numbers of a game's codes. Raises :class:`UsageError` where the game has none."""
    path = game_folder(game, root) / "deck-codes.yaml"
    if not path.is_file():
        raise UsageError(f"there are no deck codes for {game}", place=str(path))
    plain = read_definition(path, "deck-codes", root)
    return CodeNumbers(plain["sets"], plain["variants"], plain.get("same_variant", {}), plain["champion"])


# ------------------------------------------------------------------------------------------- codes of cards


def encode(deck: CodedDeck, numbers: CodeNumbers) -> str:
    """Write the code of a deck. Raises :class:`DeckCodeError` where it has no form for a card or a count."""
    written = bytearray([FORMAT << 4 | VERSION])
    written += _groups(deck.main, MOST_MAIN, numbers)
    written += _groups(deck.sideboard, MOST_SIDEBOARD, numbers)
    written.append(0 if deck.champion is None else 1)
    if deck.champion is not None:
        for number in _numbers_of(deck.champion, numbers):
            written += _varint(number)
    return base64.b32encode(bytes(written)).decode().rstrip("=")


def decode(code: str, numbers: CodeNumbers) -> CodedDeck:
    """Read a code of any version. Raises :class:`DeckCodeError` with what is wrong in it.

    >>> decode("CMAAAAAAAAAQCAAAA4AAAAAAAAAAAAAAAA", load_code_numbers()).main
    (('OGN-007', 7),)
    """
    said = code.strip().upper().rstrip("=")
    if not _FORM.match(said):
        raise DeckCodeError(
            "a deck code is of the letters A to Z and the digits 2 to 7", place=code.strip()[:40] or None
        )
    try:
        content = base64.b32decode(said + "=" * (-len(said) % 8))
    except binascii.Error as error:
        raise DeckCodeError("this deck code has lost some of its letters") from error
    reader = _Bytes(content)
    head = reader.byte()
    if head >> 4 != FORMAT or not 1 <= head & 15 <= VERSION:
        raise DeckCodeError(f"a deck code of format {head >> 4}, version {head & 15} is not known")
    main = tuple(_read_groups(reader, MOST_MAIN, numbers))
    sideboard = tuple(_read_groups(reader, MOST_SIDEBOARD, numbers)) if head & 15 >= 2 else ()
    champion = _read_card(reader, numbers) if head & 15 >= 3 and reader.byte() else None
    if not reader.at_end():
        raise DeckCodeError("this deck code goes on after its end")
    return CodedDeck(main, sideboard, champion)


def _groups(copies: Copies, most: int, numbers: CodeNumbers) -> bytes:
    counts: dict[tuple[int, int, int], int] = {}
    for card, count in copies:
        key = _numbers_of(card, numbers)
        counts[key] = counts.get(key, 0) + count
        if not 1 <= counts[key] <= most:
            raise DeckCodeError(f"a deck code cannot hold {counts[key]} of {card}, at most {most}")
    written = bytearray()
    for count in range(most, 0, -1):
        held = sorted(key for key, many in counts.items() if many == count)
        kinds = [
            (kind, [card for _, _, card in cards]) for kind, cards in groupby(held, key=lambda key: key[:2])
        ]
        # By set and variant, as the reference writes them; its description has them by length, its code has not.
        written += _varint(len(kinds))
        for (set_, variant), cards in kinds:
            for number in (len(cards), set_, variant, *cards):
                written += _varint(number)
    return bytes(written)


def _numbers_of(card: str, numbers: CodeNumbers) -> tuple[int, int, int]:
    found = _CARD.match(card)
    if found is None:
        raise DeckCodeError(f"{card} has no form in a deck code, which is like OGN-007a")
    set_, number, variant = found.groups()
    if set_ not in numbers.sets:
        raise DeckCodeError(
            f"deck codes have no number for the set {set_} of {card}", help=_numbered(numbers)
        )
    variant = numbers.same_variant.get(variant, variant)
    if variant not in numbers.variants:
        raise DeckCodeError(f"deck codes have no number for the variant {variant!r} of {card}")
    return numbers.sets[set_], numbers.variants[variant], int(number)


def _numbered(numbers: CodeNumbers) -> str:
    return f"they have {', '.join(sorted(numbers.sets))}"


def _read_groups(reader: "_Bytes", most: int, numbers: CodeNumbers) -> Iterator[tuple[str, int]]:
    for count in range(most, 0, -1):
        for _ in range(reader.varint()):
            many, set_, variant = reader.varint(), reader.varint(), reader.varint()
            for _ in range(many):
                yield _card_code(set_, variant, reader.varint(), numbers), count


def _read_card(reader: "_Bytes", numbers: CodeNumbers) -> str:
    return _card_code(reader.varint(), reader.varint(), reader.varint(), numbers)


def _card_code(set_: int, variant: int, number: int, numbers: CodeNumbers) -> str:
    sets = {value: key for key, value in numbers.sets.items()}
    variants = {value: key for key, value in numbers.variants.items()}
    if set_ not in sets or variant not in variants:
        what = f"set {set_}" if set_ not in sets else f"variant {variant}"
        raise DeckCodeError(f"this deck code has a card of {what}, which is not known")
    return f"{sets[set_]}-{number:03}{variants[variant]}"


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*written, number])


@dataclass(slots=True)
class _Bytes:
    """Reads numbers from bytes, one after the other."""

    content: bytes
    position: int = 0

    def byte(self) -> int:
        if self.position >= len(self.content):
            raise DeckCodeError("this deck code ends too early")
        self.position += 1
        return self.content[self.position - 1]

    def varint(self) -> int:
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7
            if shift > 28:
                raise DeckCodeError("this deck code has a number that is too large")

    def at_end(self) -> bool:
        return not any(self.content[self.position :])


# --------------------------------------------------------------------------------------------- codes of decks


def deck_code(deck: Deck, pool: Pool, numbers: CodeNumbers) -> str:
    """Write the code of a deck; each card by the first of its printings that codes have a number for.

    Raises :class:`DeckCodeError`, which names every card whose set has no number.
    """
    copies: dict[str, int] = {}
    unnumbered: dict[str, dict[str, None]] = {}
    for _, cards in deck.parts:
        for name, count in cards:
            code = _printing(pool[name], numbers)
            copies[code] = copies.get(code, 0) + count
            found = _CARD.match(code)
            if found is not None and found[1] not in numbers.sets:
                unnumbered.setdefault(found[1], {})[f"{name} ({code})"] = None
    if unnumbered:
        told = [f"the set {set_} of {'; '.join(names)}" for set_, names in unnumbered.items()]
        raise DeckCodeError(
            f"deck codes have no number for {', nor for '.join(told)}", help=_numbered(numbers)
        )
    champions = deck.cards(numbers.champion)
    if len(champions) > 1:
        raise DeckCodeError(f"a deck code holds one {numbers.champion}, this deck has {len(champions)}")
    champion = _printing(pool[champions[0]], numbers) if champions else None
    return encode(CodedDeck(tuple(copies.items()), champion=champion), numbers)


def _printing(card: CardDefinition, numbers: CodeNumbers) -> str:
    for code in (card.code, *card.printings):
        found = _CARD.match(code)
        if found is not None and found[1] in numbers.sets:
            return code
    return card.code


def deck_from_code(code: str, pool: Pool, layout: Layout, numbers: CodeNumbers, name: str = "deck") -> Deck:
    """Read a code into a deck, without its sideboard. Raises :class:`DeckCodeError`, also for unknown cards."""
    coded = decode(code, numbers)
    parts: dict[str, dict[str, int]] = {part: {} for part in layout.parts}
    for card_code, count in coded.main:
        card = _known(card_code, pool)
        part = layout.part_for(card)
        if part is None:
            raise DeckCodeError(f"{card.name} ({card_code}) is a {' '.join(card.types)}, which is in no deck")
        parts[part][card.name] = parts[part].get(card.name, 0) + count
    if coded.champion is not None:
        champion = _known(coded.champion, pool)
        home = parts[layout.part_for(champion) or numbers.champion]
        if champion.name not in home:
            raise DeckCodeError(f"the chosen champion {champion.name} is not in the deck")
        home[champion.name] -= 1
        parts[numbers.champion] = {champion.name: 1}
    kept = {part: {card: count for card, count in cards.items() if count} for part, cards in parts.items()}
    return deck_of(name, {part: cards for part, cards in kept.items() if cards})


def _known(code: str, pool: Pool) -> CardDefinition:
    # A variant that the pool does not list is still its card: the letter only tells the art.
    plain = code.rstrip("abs*")
    for said in (code, plain, *(f"{plain}{letter}" for letter in ("*",) if code.endswith("s"))):
        try:
            return pool.find(said)
        except UsageError:
            continue
    raise DeckCodeError(f"no card with the code {code} is in the sets at hand")
