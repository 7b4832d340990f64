"""Checks set files whole: reads them, looks at every text and card, and puts right what is safe."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.cards.card import CardDefinition
from rulewright.cards.checks.cards import fact_findings, joint_findings
from rulewright.cards.checks.files import (
    CheckedCard,
    CheckedFile,
    TextOfCard,
    files_in,
    kind_of,
    read_file,
)
from rulewright.cards.checks.findings import Finding, made
from rulewright.cards.checks.kept import KeptFindings, Progress, text_key
from rulewright.cards.checks.places import characters
from rulewright.cards.checks.settings import Settings
from rulewright.cards.checks.surroundings import Game, Surroundings
from rulewright.cards.checks.texts import ROUNDS, check_text, fixed_text
from rulewright.cards.texts import PlacedText, changed_texts, put_back
from rulewright.data_files import content_of
from rulewright.language.outcome import Diagnostic

if TYPE_CHECKING:
    from rulewright.language import Vocabulary


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
    surroundings = Surroundings(before.files, game, settings)
    fixed = sum(_fix_file(file, surroundings, settings) for file in before.files if file.cards)
    if not fixed:
        return before
    after = check_paths(paths, game, settings, progress=progress)
    return Report(after.findings, after.files, after.cards, after.texts, after.read, fixed)


def _checked(
    files: Sequence[CheckedFile], game: Game, settings: Settings, jobs: int, progress: Progress | None
) -> Report:
    surroundings = Surroundings(files, game, settings)
    findings = [one for file in files for one in file.findings]
    texts = read = 0
    packs = KeptFindings(surroundings.key)
    found = packs.all_of(files, surroundings, jobs, progress)
    for file in files:
        for card in file.cards:
            findings += fact_findings(file.file, card, game.facts)
            for text in card.texts:
                texts += 1
                findings += [_placed(file, card, text, one) for one in found[text_key(card.card, text)]]
    read = packs.read
    findings += _unplayable(files, findings, surroundings)
    findings += joint_findings(files, surroundings.known, game.facts)
    cards = sum(len(file.cards) for file in files)
    return Report(settings.filtered(findings), tuple(files), cards, texts, read)


def _unplayable(
    files: Sequence[CheckedFile], findings: Sequence[Finding], surroundings: Surroundings
) -> Iterator[Finding]:
    """Yield what is read, and nothing else is wrong with, but no game could carry out."""
    if surroundings.game.refused is None:
        return
    faulty = {(one.file, one.card) for one in findings if one.is_error}
    sound = [
        (file, card) for file in files for card in file.cards if (file.file, card.card.name) not in faulty
    ]
    reasons = surroundings.game.refused([card.card for _, card in sound], surroundings.words)
    for file, card in sound:
        if card.card.name in reasons:
            key = card.texts[0].key if card.texts else "name"
            found = made("RW315", f"this is read, but cannot be played: {reasons[card.card.name]}")
            yield Finding(file.file, card.place(key), found, card.card.name, key)


def _placed(file: CheckedFile, card: CheckedCard, text: TextOfCard, one: Diagnostic) -> Finding:
    start, end = one.span
    places = characters(file.layout.source, text.scalar, text.text)
    last = len(places) - 1
    first = places[min(start, last)]
    behind = places[min(end - 1, last)] + 1 if end > start else first
    return Finding(file.file, file.layout.place(first, max(first, behind)), one, card.card.name, text.key)


# ------------------------------------------------------------------------------------------- putting right


def _fix_file(file: CheckedFile, surroundings: Surroundings, settings: Settings) -> int:
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

    put_back(Path(file.file), changed_texts(source, change, file.file))
    return len(wanted)


def _fixed(
    card: CardDefinition,
    text: TextOfCard,
    surroundings: Surroundings,
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
