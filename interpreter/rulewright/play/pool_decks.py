"""Makes decks over a whole pool of cards, each legal by the rules of construction, so that every card gets played.

Deck ``n`` depends only on the rules, the pool, the seed and ``n``. Legends take turns. Of the cards that a legend's
deck may hold, those come first that were meant for the fewest decks before it, and each brings a card that it goes
with: an Equipment a unit that wants one, a card that waits for something one that does it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

from rulewright.cards import CardDefinition
from rulewright.cards.construction import Part, check_deck
from rulewright.cards.deck import Deck
from rulewright.errors import RulewrightError
from rulewright.play.agents import RandomSource
from rulewright.play.pairing import SCALE, Pairing
from rulewright.play.seeds import derived
from rulewright.play.table import Table

COPIES = 2
"""How many copies of a card a deck takes where it may have more: more cards are seen that way."""

ALONE = SCALE // 2
"""How often a card brings no other, as to the strength of all its bonds."""

PARTNERS = 1
"""How many cards each card brings with it that it goes with."""


class PoolDecks(Sequence[Deck]):
    """As many decks as are asked for, by number."""

    def __init__(self, table: Table, seed: int) -> None:
        """Take the rules and cards of a game; cards whose texts cannot be played are left out."""
        self.table = table
        self.seed = seed
        self.rules = table.deck_rules
        self.cards = [
            card for card in table.pool if not card.token and table.ruleset.refused(card.name) is None
        ]
        self.first = next((part for part in self.rules.parts if part.size.exactly == 1), self.rules.parts[0])
        self.leaders = [card for card in self._of(self.first) if self._can_lead(card)]
        if not self.leaders:
            raise RulewrightError(f"no deck can be made of the cards of {table.game}")
        self.bonds = Pairing(table.ruleset, self.cards)
        self._made = cache(self._make)
        self._known = cache(self._shuffled)
        self._meant: list[dict[str, tuple[CardDefinition, ...]]] = []
        self._decks: Counter[tuple[str, str]] = Counter()

    def __len__(self) -> int:
        """Tell how many decks it takes until each card that any deck may hold has been in one, at most."""
        return len(self.leaders) * len(self.cards)

    def __getitem__(self, number: int) -> Deck:  # type: ignore[override]
        """Give a deck by its number."""
        return self._made(number)

    def pairing(self, number: int) -> tuple[int, int]:
        """Give the decks that play a game, by number: each deck sits first once, and leaders meet all others in turn.

        The decks of game ``n`` are the ``n``-th, and one that is led by another card.
        """
        turn, place = divmod(number, len(self.leaders))
        others = len(self.leaders) - 1
        other = (place + 1 + turn % others) % len(self.leaders) if others else place
        return number, turn * len(self.leaders) + other

    def _of(self, part: Part) -> list[CardDefinition]:
        return [
            card
            for card in self.cards
            if set(card.types) <= set(part.types)
            and (part.supertype is None or card.has_type(part.supertype))
        ]

    def _can_lead(self, leader: CardDefinition) -> bool:
        return all(self._fitting(part, leader) for part in self.rules.parts if part is not self.first)

    def _fitting(self, part: Part, leader: CardDefinition) -> list[CardDefinition]:
        """Give the cards that a part may hold behind a leader: its domains, and its tag where that is asked for."""
        identity = self.rules.identity
        bound = identity is not None and any(name == part.name for name, _ in identity.parts)
        return [
            card
            for card in self._of(part)
            if (not bound or set(card.domains) <= set(leader.domains))
            and (part.shares_tag_with is None or set(card.tags) & set(leader.tags))
            and self._may_follow(part, card, leader)
        ]

    def _may_follow(self, part: Part, card: CardDefinition, leader: CardDefinition) -> bool:
        limits = (limit for limit in self.rules.limits if part.name in limit.parts and limit.shares_tag_with)
        return all(
            set(card.tags) & set(leader.tags) for limit in limits if limit.means(card, self.table.has_keyword)
        )

    def _make(self, number: int) -> Deck:
        turn, place = divmod(number, len(self.leaders))
        leader = self.leaders[place]
        while len(self._meant) <= number:
            self._meant.append(self._choose(self.leaders[len(self._meant) % len(self.leaders)]))
        held: dict[str, dict[str, int]] = {self.first.name: {leader.name: 1}}
        for part in self.rules.parts:
            if part is not self.first:
                held[part.name] = self._fill(part, leader, held, turn, self._meant[number][part.name])
        parts = tuple((name, tuple(cards.items())) for name, cards in held.items())
        deck = Deck(f"{leader.name} {turn + 1}", parts)
        for breach in check_deck(deck, self.table.pool, self.rules, has_keyword=self.table.has_keyword):
            raise RulewrightError(f"no legal deck can be made for {leader.name}: {breach}")
        return deck

    def _choose(self, leader: CardDefinition) -> dict[str, tuple[CardDefinition, ...]]:
        """Choose the cards that the next deck is meant for: for each part those that had the fewest decks so far."""
        chosen: dict[str, tuple[CardDefinition, ...]] = {}
        for part in self.rules.parts:
            if part is self.first:
                continue
            names = max(1, -(-self._wanted(part, {}) // self._most(part)))
            if self._has_copies(part):
                # There is room left for what only this leader may have, and for partners of what is held already.
                names = max(1, (names - len(self.rules.parts)) // (1 + PARTNERS))
            cards = sorted(self._known(part, leader), key=lambda card: self._decks[part.name, card.name])[
                :names
            ]
            self._decks.update((part.name, card.name) for card in cards)
            chosen[part.name] = tuple(cards)
        return chosen

    def _wanted(self, part: Part, held: dict[str, dict[str, int]]) -> int:
        size = self.rules.size(part, None)
        wanted = size.exactly or size.at_least or 1
        return wanted - sum(sum(held[name].values()) for name in size.with_ if name in held)

    def _fill(
        self,
        part: Part,
        leader: CardDefinition,
        held: dict[str, dict[str, int]],
        turn: int,
        meant: Sequence[CardDefinition],
    ) -> dict[str, int]:
        """Take cards until a part is full: those that it is meant for, then any that the leader allows."""
        wanted = self._wanted(part, held)
        cards = self._known(part, leader)
        order: Iterable[CardDefinition] = meant
        if self._has_copies(part):
            order = self._with_partners(part, cards, held, turn, meant)
        found: Counter[str] = Counter()
        for card in chain(order, _turned(cards, turn * self._most(part))):
            room = wanted - sum(found.values())
            if room <= 0:
                break
            found[card.name] += min(room, self._room(part, card, held, found))
        return {name: count for name, count in found.items() if count}

    def _with_partners(
        self,
        part: Part,
        cards: Sequence[CardDefinition],
        held: dict[str, dict[str, int]],
        turn: int,
        meant: Sequence[CardDefinition],
    ) -> Iterator[CardDefinition]:
        """Give one that only this leader may have, partners of what is held, then what is meant, with partners."""
        bound = [limit for limit in self.rules.limits if part.name in limit.parts and limit.shares_tag_with]
        own = [card for card in cards if any(limit.means(card, self.table.has_keyword) for limit in bound)]
        yield from _turned(own, turn)
        random = RandomSource(
            derived(self.seed, f"{part.name} {next(iter(held[self.first.name]))}", turn + 1)
        )
        for name in (name for names in held.values() for name in names):
            yield from self._partners(name, cards, random)
        for card in meant:
            yield card
            yield from self._partners(card.name, cards, random)

    def _partners(
        self, name: str, cards: Sequence[CardDefinition], random: RandomSource
    ) -> Iterator[CardDefinition]:
        """Pick cards that go with one, the best the most often; seldom any where nothing suits."""
        strengths = [(card, self.bonds.strength(name, card.name)) for card in cards]
        total = sum(strength for _, strength in strengths)
        for _ in range(PARTNERS):
            number = random.below(total + ALONE)
            for card, strength in strengths:
                number -= strength
                if number < 0:
                    yield card
                    break

    def _has_copies(self, part: Part) -> bool:
        return any(part.name in limit.parts and (limit.copies or 0) > 1 for limit in self.rules.limits)

    def _shuffled(self, part: Part, leader: CardDefinition) -> list[CardDefinition]:
        cards = sorted(self._fitting(part, leader), key=lambda card: card.name)
        random = RandomSource(derived(self.seed, f"{leader.name} {part.name}", 0))
        for place in range(len(cards) - 1, 0, -1):
            other = random.below(place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        return cards

    def _most(self, part: Part) -> int:
        """Tell how many copies of a card a part takes: few, so that many cards are in it, or its fair share."""
        limits = [limit.copies for limit in self.rules.limits if part.name in limit.parts and limit.copies]
        plain = [copies for copies in limits if copies > 1]
        return min(*plain, COPIES) if plain else 1 if limits else 6

    def _room(
        self, part: Part, card: CardDefinition, held: dict[str, dict[str, int]], found: Counter[str]
    ) -> int:
        room = self._most(part)
        for limit in self.rules.limits:
            if part.name not in limit.parts or not limit.means(card, self.table.has_keyword):
                continue
            counts = Counter(found)
            for name in limit.parts:
                if name != part.name:
                    counts.update(held.get(name, {}))
            if limit.copies is not None:
                room = min(room, limit.copies - counts[card.name])
            if limit.cards is not None:
                meant = (n for n in counts if limit.means(self.table.pool[n], self.table.has_keyword))
                room = min(room, limit.cards - sum(counts[name] for name in meant))
        return max(0, room)


def _turned(cards: Sequence[CardDefinition], start: int) -> Iterator[CardDefinition]:
    """Give each card once, beginning at a place that may lie beyond their number."""
    for offset in range(len(cards)):
        yield cards[(start + offset) % len(cards)]
