"""Puts imported sets into a folder: all of them or none, and never a worse file in the place of a better one."""

from collections.abc import Mapping
from pathlib import Path

from rulewright.cards.importing import Import
from rulewright.cards.pool import Pool
from rulewright.cards.sets import load_set, parse_set
from rulewright.cards.write import set_text
from rulewright.data_files import DataFileError
from rulewright.errors import RulewrightError
from rulewright.paths import write_atomically


def keep_sets(
    made: Import, folder: Path, released: Mapping[str, str], *, replace: bool = False
) -> dict[Path, int]:
    """Write each set of an import to ``folder/<code>.yaml`` and give the files with the number of their cards.

    Everything is checked before the first file is written. A file that is no set, or has a card that the new one has
    not, is only replaced where ``replace`` says so. Raises :class:`RulewrightError`; then nothing has been written.
    """
    texts: dict[Path, str] = {}
    fresh = []
    for code, cards in made.sets.items():
        path = folder / f"{code.lower()}.yaml"
        name = made.set_names[code]
        about = [
            f"{name}, from a public export ({made.format}): facts, and the texts as that export has them."
        ]
        texts[path] = set_text(code, name, cards, released=released.get(code, ""), about=about)
        # Its lines are those of a file that is not there yet.
        fresh.append(parse_set(texts[path].encode(), f"{path} (not written)"))
        if path.exists() and not replace:
            check_kept(path, {card.name for card in cards})
    Pool(fresh)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RulewrightError(f"cannot be made: {error.strerror or error}", place=str(folder)) from error
    for path, text in texts.items():
        write_atomically(path, text)
    return {path: len(one.cards) for path, one in zip(texts, fresh, strict=True)}


def check_kept(path: Path, names: set[str]) -> None:
    """Raise :class:`RulewrightError` where a set file stands that has cards which are not among these."""
    help_ = "name another folder, or say --replace"
    try:
        old = load_set(path)
    except DataFileError as error:
        raise RulewrightError("a file that is no set stands here", place=str(path), help=help_) from error
    lost = [card.name for card in old.cards if card.name not in names]
    if lost:
        more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
        raise RulewrightError(
            f"the set that stands here has cards that the new one has not: {', '.join(lost[:3])}{more}",
            place=str(path),
            help=help_,
        )
