"""Where things lie: the data folders, the user's cache; and how a file is written whole or not at all."""

import os
import secrets
import shutil
from functools import cache
from pathlib import Path

from rulewright.errors import RulewrightError, UsageError

DATA_FOLDERS = ("grammar", "cardtexts", "rulesdb")
"""The folders that a data root holds."""

_PACKAGE = Path(__file__).resolve().parent


def data_dir() -> Path:
    """Give the folder that holds ``grammar``, ``cardtexts`` and ``rulesdb``.

    It is the one that the environment variable ``RULEWRIGHT_DATA`` names, else the data inside an installed
    wheel, else the root of the checkout. Raises :class:`UsageError` where none of them is there.

    >>> (data_dir() / "rulesdb").is_dir()
    True
    """
    named = os.environ.get("RULEWRIGHT_DATA")
    if named is None:
        return _own_data_dir()
    root = Path(named).expanduser().absolute()
    if not root.is_dir():
        raise UsageError("RULEWRIGHT_DATA does not name a folder", place=named)
    return root


@cache
def _own_data_dir() -> Path:
    for root in (_PACKAGE / "data", _PACKAGE.parents[1]):
        if all((root / folder).is_dir() for folder in DATA_FOLDERS):
            return root
    raise UsageError(
        f"the data folders {', '.join(DATA_FOLDERS)} are neither in the package nor beside it",
        place=str(_PACKAGE),
        help="install rulewright again, or name a folder that holds them in RULEWRIGHT_DATA",
    )


def shared_data(place: str, root: Path | None = None) -> Path:
    """Give a file or folder that every game uses: that of a data root (by default the data folder), or else ours.

    A game that lives in a folder of its own need not copy the schemas and the pages of diagnostics.

    >>> shared_data("grammar/diagnostics", Path("/nowhere")).is_dir()
    True
    """
    roots = (data_dir() if root is None else root, data_dir())
    return next((one / place for one in roots if (one / place).exists()), _own_data_dir() / place)


def cache_dir() -> Path:
    """Give the folder for what can be computed again: ``RULEWRIGHT_CACHE``, else the user's cache folder.

    It need not exist yet; whoever writes there makes it.
    """
    named = os.environ.get("RULEWRIGHT_CACHE")
    if named is not None:
        return Path(named).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_cache_dir("rulewright", appauthor=False))


def must_be_writable(path: Path) -> None:
    """Make sure that a file can be written at a place, and leave it as it is. Raises :class:`UsageError`."""
    folder = path.resolve().parent
    if path.is_dir():
        raise UsageError("cannot be written: this is a folder", place=str(path))
    if not folder.is_dir():
        raise UsageError("cannot be written: there is no such folder", place=str(folder))
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise UsageError("cannot be written: there is no permission", place=str(path))


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all: under a temporary name beside it, then moved into place.

    Text is written as UTF-8 with ``\\n`` line ends on every system. A file that is replaced keeps its mode, a
    symbolic link keeps pointing at the file that it names. Raises :class:`RulewrightError` where that fails.
    """
    target = path.resolve()
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    encoded = content.encode() if isinstance(content, str) else content
    try:
        with part.open("xb") as file:
            file.write(encoded)
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    except OSError as error:
        raise RulewrightError(f"cannot be written: {error.strerror or error}", place=str(path)) from error
    finally:
        part.unlink(missing_ok=True)
