"""Checks set files whole: reads them, looks at every text and card, keeps what was found, and puts right what is safe.

Only texts that are new, or whose reading something changed, are read again: what was found in a text is kept under a
hash of the text, of the card's facts, of all words, and of the grammar and the code that read it.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright import cache as kept
from rulewright.cards.card import CardDefinition
from rulewright.cards.checks.cards import fact_findings, identities_of, joint_findings
from rulewright.cards.checks.facts import GameFacts
from rulewright.cards.checks.files import (
    CheckedCard,
    CheckedFile,
    TextOfCard,
    content_of,
    files_in,
    kind_of,
    read_file,
)
from rulewright.cards.checks.findings import Finding, diagnostic_from_plain, diagnostic_to_plain
from rulewright.cards.checks.places import characters
from rulewright.cards.checks.settings import Settings
from rulewright.cards.checks.texts import ROUNDS, check_text, fixed_text
from rulewright.cards.reading import KeywordForm, words_of
from rulewright.cards.texts import PlacedText, placed_texts, replace_texts
from rulewright.data_files import Plain
from rulewright.errors import RulewrightError
from rulewright.language.diagnose import Diagnostic
from rulewright.paths import data_dir, write_atomically

if TYPE_CHECKING:
    from rulewright.language import Vocabulary

Progress = Callable[[int, int], None]
"""Is told how many texts are done, and of how many."""

WORTH_A_PROCESS = 60
"""How many texts a second process must have to read before it is worth its start."""


@dataclass(frozen=True, slots=True)
class Game:
    """What a check knows of the game: the facts of its rules, its keywords' forms, and the cards of its own sets."""

    facts: GameFacts
    keywords: tuple[KeywordForm, ...] = ()
    cards: tuple[CardDefinition, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found: the findings in the order of files and places, and what was looked at.

    ``read`` counts the texts that were read this time, ``texts`` all of them; ``fixed`` the texts that were changed.
    """

    findings: tuple[Finding, ...]
    files: tuple[CheckedFile, ...] = field(repr=False)
    cards: int = 0
    texts: int = 0
    read: int = 0
    fixed: int = 0

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(one.is_error for one in self.findings)

    @property
    def warnings(self) -> int:
        """How many findings are warnings."""
        return len(self.findings) - self.errors

    def line(self, file: str, number: int) -> str:
        """Give a line of a checked file; empty where there is none."""
        return next((one.layout.line(number) for one in self.files if one.file == file), "")


def check_paths(
    paths: Iterable[Path],
    game: Game,
    settings: Settings | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Report:
    """Check files, or all YAML files of folders. Raises :class:`UsageError` for what is not there.

    Sets, decks, errata and bans are told by where they lie: see :func:`rulewright.cards.checks.files.kind_of`.
    """
    settings = settings or Settings()
    named = dict.fromkeys(file for path in paths for file in files_in(path))
    files = [read_file(content_of(path), str(path), kind_of(path)) for path in named]
    return _checked(files, game, settings, jobs, progress)


def check_content(
    content: bytes, file: str, game: Game, settings: Settings | None = None, *, kind: str = "set"
) -> Report:
    """Check one file's bytes; ``file`` is the name that findings call it by."""
    return _checked([read_file(content, file, kind)], game, settings or Settings(), 1, None)


def fix_paths(
    paths: Iterable[Path], game: Game, settings: Settings | None = None, *, progress: Progress | None = None
) -> Report:
    """Put right what is safe in the texts of set files, and give what is left; see :func:`check_paths`.

    A file is written whole or not at all, and nothing in it changes but texts.
    """
    settings = settings or Settings()
    paths = list(paths)
    before = check_paths(paths, game, settings, progress=progress)
    surroundings = _Surroundings(before.files, game, settings)
    fixed = sum(_fix_file(file, surroundings, settings) for file in before.files if file.cards)
    if not fixed:
        return before
    after = check_paths(paths, game, settings, progress=progress)
    return Report(after.findings, after.files, after.cards, after.texts, after.read, fixed)


class _Surroundings:
    """What the texts of some files are read with: the words and the domains of all cards that are known."""

    def __init__(self, files: Iterable[CheckedFile], game: Game, settings: Settings) -> None:
        files = list(files)
        checked = [one.card for file in files for one in file.cards]
        codes = {file.set_code for file in files}
        others = [card for card in game.cards if card.set not in codes]
        beside = [card for path in settings.sets for card in _cards_beside(path) if card.set not in codes]
        self.facts = game.facts
        self.known = (*others, *beside)
        self.forms = game.keywords
        self.cards = (*checked, *self.known)
        self.identities = identities_of(self.cards, game.facts)

    @property
    def words(self) -> "Vocabulary | None":
        """The words of all cards."""
        return words_of(self.cards, self.forms)

    @property
    def key(self) -> str:
        """A hash of all that a finding in a text depends on besides the text and its card."""
        tags = sorted({tag for card in self.cards for tag in card.tags})
        tokens = sorted({(card.name, card.types[0]) for card in self.cards if card.token})
        identities = sorted(sorted(one) for one in self.identities)
        words = json.dumps([tags, tokens, sorted(self.forms), identities], ensure_ascii=False)
        return kept.content_key(_code_key(), words, repr(self.facts))


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


def _checked(
    files: Sequence[CheckedFile], game: Game, settings: Settings, jobs: int, progress: Progress | None
) -> Report:
    surroundings = _Surroundings(files, game, settings)
    findings = [one for file in files for one in file.findings]
    texts = read = 0
    packs = _Packs(surroundings.key)
    found = packs.all_of(files, surroundings, jobs, progress)
    for file in files:
        for card in file.cards:
            findings += fact_findings(file.file, card, game.facts)
            for text in card.texts:
                texts += 1
                findings += [_placed(file, card, text, one) for one in found[_text_key(card.card, text)]]
    read = packs.read
    findings += joint_findings(files, surroundings.known, game.facts)
    cards = sum(len(file.cards) for file in files)
    return Report(settings.filtered(findings), tuple(files), cards, texts, read)


def _placed(file: CheckedFile, card: CheckedCard, text: TextOfCard, one: Diagnostic) -> Finding:
    start, end = one.span
    places = characters(file.layout.source, text.scalar, text.text)
    last = len(places) - 1
    first = places[min(start, last)]
    behind = places[min(end - 1, last)] + 1 if end > start else first
    return Finding(file.file, file.layout.place(first, max(first, behind)), one, card.card.name, text.key)


# ------------------------------------------------------------------------------- what was found in texts, kept


def _text_key(card: CardDefinition, text: TextOfCard) -> str:
    facts = (card.types, card.supertypes, card.domains, card.figures, card.tags, card.token)
    return hashlib.blake2b(repr((facts, text.key, text.text)).encode(), digest_size=16).hexdigest()


class _Packs:
    """What was found in the texts of each file, kept in one cache file for each."""

    def __init__(self, surroundings_key: str) -> None:
        self._key = surroundings_key
        self.read = 0

    def all_of(
        self, files: Iterable[CheckedFile], surroundings: _Surroundings, jobs: int, progress: Progress | None
    ) -> dict[str, tuple[Diagnostic, ...]]:
        """Give the diagnostics of every text by its key, and keep those that are new."""
        files = [file for file in files if file.cards]
        packs = {file.file: self._load(file.file) for file in files}
        known = {key: plain for pack in packs.values() for key, plain in pack.items()}
        wanted = {
            _text_key(card.card, text): (card.card, text.key, text.text)
            for file in files
            for card in file.cards
            for text in card.texts
        }
        unread = {key: work for key, work in wanted.items() if key not in known}
        self.read = len(unread)
        known.update(_read(unread, surroundings, jobs, progress))
        for file in files:
            keys = [_text_key(card.card, text) for card in file.cards for text in card.texts]
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
    unread: dict[str, Work], surroundings: _Surroundings, jobs: int, progress: Progress | None
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
    unread: dict[str, Work], surroundings: _Surroundings, jobs: int, progress: Progress | None
) -> dict[str, Plain]:
    keys = list(unread)
    chunks = [keys[start : start + 16] for start in range(0, len(keys), 16)]
    # Only what words and domains are made of crosses to the other processes.
    bearers = [card for card in surroundings.cards if card.tags or card.token]
    found: dict[str, Plain] = {}
    with ProcessPoolExecutor(
        jobs,
        initializer=_start,
        initargs=(bearers, surroundings.forms, surroundings.facts, surroundings.identities),
    ) as pool:
        work = ([unread[key] for key in chunk] for chunk in chunks)
        for chunk, answers in zip(chunks, pool.map(_work, work), strict=True):
            found.update(zip(chunk, answers, strict=True))
            if progress is not None:
                progress(len(found), len(keys))
    return found


_at_work: "list[tuple[GameFacts, Vocabulary | None, tuple[frozenset[str], ...]]]" = []


def _start(
    cards: list[CardDefinition],
    forms: tuple[KeywordForm, ...],
    facts: GameFacts,
    identities: tuple[frozenset[str], ...],
) -> None:
    _at_work[:] = [(facts, words_of(cards, forms), identities)]


def _work(chunk: list[Work]) -> list[Plain]:
    ((facts, words, identities),) = _at_work
    return [_diagnosed(work, facts, words, identities) for work in chunk]


# ------------------------------------------------------------------------------------------- putting right


def _fix_file(file: CheckedFile, surroundings: _Surroundings, settings: Settings) -> int:
    """Put the texts of one file right; give how many were changed."""
    words = surroundings.words
    source = file.layout.source
    wanted: dict[tuple[str, str, str], str] = {}
    for card in file.cards:
        for text in card.texts:
            fixed = _fixed(card.card, text, surroundings, settings, words)
            if fixed != text.text:
                wanted[card.card.name, text.key, text.text] = fixed
    if not wanted:
        return 0

    def change(found: PlacedText) -> str:
        return wanted.get((found.card, found.key, found.text.rstrip("\n")), found.text)

    changed = replace_texts(source, change)
    expected = [change(one).rstrip("\n") for one in placed_texts(source)]
    if [one.text.rstrip("\n") for one in placed_texts(changed)] != expected:
        raise RulewrightError("the fixes cannot be written into this file", place=file.file)
    path = Path(file.file)
    if b"\r\n" in path.read_bytes():
        changed = changed.replace("\n", "\r\n")
    write_atomically(path, changed.encode())
    return len(wanted)


def _fixed(
    card: CardDefinition,
    text: TextOfCard,
    surroundings: _Surroundings,
    settings: Settings,
    words: "Vocabulary | None",
) -> str:
    said = text.text
    for _ in range(ROUNDS):
        found = check_text(card, text.key, said, surroundings.facts, words, surroundings.identities)
        fixed = fixed_text(said, tuple(one for one in found if settings.wants(one.code)))
        if fixed == said:
            break
        said = fixed
    return said
