"""What a game is played with: the rules, the cards and the decks of one game, loaded together."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rulewright.cards import CardDefinition, Pool, load_pool
from rulewright.cards.construction import TABLE, DeckRules, check_deck, deck_rules
from rulewright.cards.deck import Deck, load_deck
from rulewright.cards.reading import UnreadTextError, read, words_of
from rulewright.engine import CompileError, Game, Ruleset
from rulewright.errors import FindingError, RulewrightError, UsageError
from rulewright.language import Vocabulary
from rulewright.language.ast import CardText
from rulewright.paths import data_dir
from rulewright.rules import RulesDatabase
from rulewright.rules import load as load_rules


@dataclass(frozen=True)
class Table:
    """The rules and the cards of one game; ``root`` is the data root that they come from."""

    game: str
    rules: RulesDatabase
    pool: Pool
    root: Path

    @cached_property
    def ruleset(self) -> Ruleset:
        """Rules and cards, ready to play."""
        return Ruleset(self.rules, list(self.pool), parse=None if self.words is None else reader(self.words))

    @cached_property
    def words(self) -> Vocabulary | None:
        """The words of these cards and rules, nothing where they are those that the language has by itself."""
        return words_of(self.pool, game=self.game, root=None if self.root == data_dir() else self.root)

    def digest(self, decks: Iterable[Deck]) -> str:
        """Give a hash of what a game of these decks depends on: the rules, and the cards and tokens it may meet."""
        names = {name for deck in decks for part, _ in deck.parts for name in deck.cards(part)}
        met = [card for card in self.pool if card.name in names or card.token]
        text = "\n".join(
            [self.rules.digest, *(repr(card) for card in sorted(met, key=lambda card: card.name))]
        )
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def new_game(
        self,
        decks: Sequence[Deck],
        seed: int,
        mode: str = "duel",
        names: Sequence[str] = (),
        log: bool | Collection[str] = True,
    ) -> Game:
        """Set a game up; its first decision is the first that its rules ask for. ``log`` as in :meth:`Game.new`."""
        return Game.new(
            self.ruleset,
            decks=[sections(deck) for deck in decks],
            seed=seed,
            mode=mode,
            names=tuple(names) or tuple(f"P{number + 1}" for number in range(len(decks))),
            log=log,
        )

    def deck(self, path: Path) -> Deck:
        """Load a deck and hold it to the rules of construction.

        Raises :class:`RulewrightError` with the rule that it breaks, or the card whose text cannot be played.
        """
        if not path.is_file():
            raise UsageError("there is no such deck", place=str(path))
        deck = load_deck(path, self.pool, self.deck_rules.layout, self.root)
        self._check_texts(deck, path)
        for breach in check_deck(deck, self.pool, self.deck_rules, has_keyword=self.has_keyword):
            raise FindingError(f"{deck.name} is not legal: {breach}", place=str(path))
        return deck

    @cached_property
    def deck_rules(self) -> DeckRules:
        """The rules of deck construction."""
        return deck_rules(self.rules.table(TABLE))

    def has_keyword(self, card: CardDefinition, word: str) -> bool:
        """Tell whether a card's text gives it a keyword."""
        return word.casefold() in self.ruleset.script(card.name).traits.keywords

    def _check_texts(self, deck: Deck, path: Path) -> None:
        for part, _ in deck.parts:
            for name in dict.fromkeys(deck.cards(part)):
                refused = self.ruleset.refused(name)
                if refused is not None:
                    raise RulewrightError(f"{name} cannot be played: {refused}", place=str(path))


def reader(words: Vocabulary) -> Callable[[str, CardDefinition | None], CardText]:
    """Give what reads texts with some words: a set's own tags and tokens are words that its texts may use."""

    def parse(text: str, card: CardDefinition | None) -> CardText:
        try:
            return read(text, words)
        except UnreadTextError as error:
            raise CompileError(
                error.message, place=card.place or card.name if card is not None else None
            ) from error

    return parse


def load_table(game: str = "riftbound", root: Path | None = None) -> Table:
    """Load the rules and cards of a game from a data root, by default the one of the installation."""
    where = data_dir() if root is None else root
    return Table(game, load_rules(game, where), load_pool(game, where), where)


def starter_decks(game: str = "riftbound", root: Path | None = None) -> list[Path]:
    """Give the decks that come with a game, in the order of the alphabet."""
    where = data_dir() if root is None else root
    return sorted((where / "cardtexts" / game / "decks").glob("*.yaml"))


def sections(deck: Deck) -> Mapping[str, tuple[str, ...]]:
    """Give a deck as the engine takes it: for each part the names of its cards, each as often as it is there."""
    return {part: deck.cards(part) for part, _ in deck.parts}
