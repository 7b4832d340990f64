"""Results kept between runs, found by the content they were computed from.

A result is plain bytes (JSON, a grammar table), never a pickle: reading a cache file runs nothing. Its key is
a hash of all that it was computed from, so that a changed input is simply not found, and each file carries a
hash of itself, so that a torn or foreign file is ignored. Losing the cache costs time and nothing else.
"""

import hashlib
from contextlib import suppress
from pathlib import Path

from rulewright import __version__
from rulewright.errors import RulewrightError
from rulewright.paths import cache_dir, write_atomically

_FORMAT = b"rulewright-cache-1 "
_DIGEST_LENGTH = 64


def content_key(*parts: str | bytes) -> str:
    """Hash all that a result depends on into a key: the inputs, and the version of what computes it.

    The parts are kept apart, and the version of Rulewright is one of them.

    >>> content_key("ab", "c") == content_key("a", "bc")
    False
    """
    digest = hashlib.sha256(__version__.encode())
    for part in parts:
        # An argument of the command line may hold bytes that are no text; they come as halves of letters.
        encoded = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(encoded))
        digest.update(encoded)
    return digest.hexdigest()


def load(kind: str, key: str) -> bytes | None:
    """Give what was stored under this key, or nothing where it is absent, torn or not ours."""
    try:
        stored = _place(kind, key).read_bytes()
    except OSError:
        return None
    head = len(_FORMAT) + _DIGEST_LENGTH + 1
    content = stored[head:]
    return content if stored[:head] == _header(kind, key, content) else None


def store(kind: str, key: str, content: bytes) -> None:
    """Keep a result; a cache folder that cannot be written is no error, the next run computes it again."""
    place = _place(kind, key)
    with suppress(OSError, RulewrightError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(place, _header(kind, key, content) + content)


def _place(kind: str, key: str) -> Path:
    return cache_dir() / kind / key


def _header(kind: str, key: str, content: bytes) -> bytes:
    # The place is part of the hash: a file copied to another key is foreign there.
    digest = hashlib.sha256(f"{kind}/{key}\n".encode() + content).hexdigest()
    return _FORMAT + digest.encode() + b"\n"
