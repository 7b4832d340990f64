"""What was found in texts, kept between runs, so that only texts are read that are new, or whose reading changed.

What was found in a text is kept under a hash of the text, of the card's facts, of all words, and of the grammar and the
code that read it.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright import cache as kept
from rulewright.cards.card import CardDefinition
from rulewright.cards.checks.facts import GameFacts
from rulewright.cards.checks.files import CheckedFile, TextOfCard
from rulewright.cards.checks.findings import diagnostic_from_plain, diagnostic_to_plain
from rulewright.cards.checks.surroundings import Game, Surroundings
from rulewright.cards.checks.texts import check_text
from rulewright.data_files import Plain
from rulewright.language.outcome import Diagnostic

if TYPE_CHECKING:
    from rulewright.language import Vocabulary

Progress = Callable[[int, int], None]
"""Is told how many texts are done, and of how many."""

WORTH_A_PROCESS = 60
"""How many texts a second process must have to read before it is worth its start."""


def text_key(card: CardDefinition, text: TextOfCard) -> str:
    """Give the key of what is found in a text of a card, as far as it depends on the two."""
    facts = (card.types, card.supertypes, card.domains, card.figures, card.tags, card.token)
    return hashlib.blake2b(repr((facts, text.key, text.text)).encode(), digest_size=16).hexdigest()


class KeptFindings:
    """What was found in the texts of each file, kept in one cache file for each."""

    def __init__(self, surroundings_key: str) -> None:
        self._key = surroundings_key
        self.read = 0

    def all_of(
        self, files: Iterable[CheckedFile], surroundings: Surroundings, jobs: int, progress: Progress | None
    ) -> dict[str, tuple[Diagnostic, ...]]:
        """Give the diagnostics of every text by its key, and keep those that are new."""
        files = [file for file in files if file.cards]
        packs = {file.file: self._load(file.file) for file in files}
        known = {key: plain for pack in packs.values() for key, plain in pack.items()}
        wanted = {
            text_key(card.card, text): (card.card, text.key, text.text)
            for file in files
            for card in file.cards
            for text in card.texts
        }
        unread = {key: work for key, work in wanted.items() if key not in known}
        self.read = len(unread)
        known.update(_read(unread, surroundings, jobs, progress))
        for file in files:
            keys = [text_key(card.card, text) for card in file.cards for text in card.texts]
            pack = {key: known[key] for key in keys}
            if pack != packs[file.file]:
                self._store(file.file, pack)
        return {key: tuple(diagnostic_from_plain(one) for one in known[key]) for key in wanted}

    def _load(self, file: str) -> dict[str, Plain]:
        stored = kept.load("checks", self._place(file))
        return json.loads(stored) if stored is not None else {}

    def _store(self, file: str, pack: dict[str, Plain]) -> None:
        content = json.dumps(pack, ensure_ascii=False, separators=(",", ":"))
        kept.store("checks", self._place(file), content.encode())

    def _place(self, file: str) -> str:
        return kept.content_key(self._key, str(Path(file).absolute()))


Work = tuple[CardDefinition, str, str]
"""A card, the key of one of its texts, and the text."""


def _read(
    unread: dict[str, Work], surroundings: Surroundings, jobs: int, progress: Progress | None
) -> dict[str, Plain]:
    if jobs > 1 and len(unread) > WORTH_A_PROCESS:
        return _read_in_processes(unread, surroundings, jobs, progress)
    words = surroundings.words
    found: dict[str, Plain] = {}
    for key, work in unread.items():
        found[key] = _diagnosed(work, surroundings.facts, words, surroundings.identities)
        if progress is not None:
            progress(len(found), len(unread))
    return found


def _diagnosed(
    work: Work, facts: GameFacts, words: "Vocabulary | None", identities: tuple[frozenset[str], ...]
) -> Plain:
    card, key, text = work
    found = check_text(card, key, text, facts, words, identities)
    # Through JSON, so that what is found now and what was kept are the same.
    return json.loads(json.dumps([diagnostic_to_plain(one) for one in found]))


def _read_in_processes(
    unread: dict[str, Work], surroundings: Surroundings, jobs: int, progress: Progress | None
) -> dict[str, Plain]:
    keys = list(unread)
    chunks = [keys[start : start + 16] for start in range(0, len(keys), 16)]
    # Only what words and domains are made of crosses to the other processes.
    bearers = [card for card in surroundings.cards if card.tags or card.token]
    found: dict[str, Plain] = {}
    with ProcessPoolExecutor(
        jobs,
        initializer=_start,
        initargs=(replace(surroundings.game, cards=tuple(bearers)), surroundings.identities),
    ) as pool:
        work = ([unread[key] for key in chunk] for chunk in chunks)
        for chunk, answers in zip(chunks, pool.map(_work, work), strict=True):
            found.update(zip(chunk, answers, strict=True))
            if progress is not None:
                progress(len(found), len(keys))
    return found


_at_work: "list[tuple[GameFacts, Vocabulary | None, tuple[frozenset[str], ...]]]" = []


def _start(game: Game, identities: tuple[frozenset[str], ...]) -> None:
    _at_work[:] = [(game.facts, game.words(game.cards), identities)]


def _work(chunk: list[Work]) -> list[Plain]:
    ((facts, words, identities),) = _at_work
    return [_diagnosed(work, facts, words, identities) for work in chunk]
