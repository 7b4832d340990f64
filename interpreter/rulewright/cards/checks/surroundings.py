"""What the texts of some files are read with: the game, and the words and the domains of all cards that are known."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Optional, TypeAlias

from rulewright import cache as kept
from rulewright.cards.card import CardDefinition
from rulewright.cards.checks.cards import identities_of
from rulewright.cards.checks.facts import GameFacts
from rulewright.cards.checks.files import CheckedFile, files_in, kind_of, read_file
from rulewright.cards.checks.settings import Settings
from rulewright.cards.reading import KeywordForm, words_of
from rulewright.data_files import content_of
from rulewright.paths import data_dir

if TYPE_CHECKING:
    from rulewright.language import Vocabulary

Refused: TypeAlias = Callable[[Sequence[CardDefinition], Optional["Vocabulary"]], Mapping[str, str]]
"""Gives the names of those of some cards that no game could play, each with the reason."""


@dataclass(frozen=True, slots=True)
class Game:
    """What a check knows of the game: the facts of its rules, its keywords' forms, the cards of its own sets, its name.

    The name says whose grammar and words the texts are read with; ``root`` is the data root that holds them, nothing
    for the data folder. ``refused`` asks whoever plays the game; without it what is read is taken to be playable.
    """

    facts: GameFacts
    keywords: tuple[KeywordForm, ...] = ()
    cards: tuple[CardDefinition, ...] = ()
    name: str = "riftbound"
    root: Path | None = None
    refused: Refused | None = None

    def words(self, cards: Iterable[CardDefinition]) -> "Vocabulary | None":
        """Give the words with which texts are read where these cards are known; see :func:`words_of`."""
        return words_of(cards, self.keywords, self.name, self.root)


class Surroundings:
    """What the texts of some files are read with: the words and the domains of all cards that are known."""

    def __init__(self, files: Iterable[CheckedFile], game: Game, settings: Settings) -> None:
        files = list(files)
        checked = [one.card for file in files for one in file.cards]
        codes = {file.set_code for file in files}
        others = [card for card in game.cards if card.set not in codes]
        beside = [card for path in settings.sets for card in _cards_beside(path) if card.set not in codes]
        self.facts = game.facts
        self.known = (*others, *beside)
        self.game = game
        self.cards = (*checked, *self.known)
        self.identities = identities_of(self.cards, game.facts)

    @property
    def words(self) -> "Vocabulary | None":
        """The words of all cards."""
        return self.game.words(self.cards)

    @property
    def key(self) -> str:
        """A hash of all that a finding in a text depends on besides the text and its card."""
        tags = sorted({tag for card in self.cards for tag in card.tags})
        tokens = sorted({(card.name, card.types[0]) for card in self.cards if card.token})
        identities = sorted(sorted(one) for one in self.identities)
        words = json.dumps([tags, tokens, sorted(self.game.keywords), identities], ensure_ascii=False)
        return kept.content_key(_code_key(), self.game.name, str(self.game.root), words, repr(self.facts))


@cache
def _code_key() -> str:
    """Hash what reads and checks texts: the grammar, the lexicon, the pages, and the code itself."""
    package = Path(__file__).resolve().parents[2]
    sources = [
        *(data_dir() / "grammar").rglob("*.*"),
        *(package / "language").rglob("*.py"),
        *(package / "cards").rglob("*.py"),
    ]
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _cards_beside(path: Path) -> list[CardDefinition]:
    files = [read_file(content_of(file), str(file), kind_of(file)) for file in files_in(path)]
    return [one.card for file in files for one in file.cards]
