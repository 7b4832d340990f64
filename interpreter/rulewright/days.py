"""Days as people write them: 2026-07-24, or 2026-07 for a month, as the oldest documents are dated."""

import datetime
import re

from rulewright.errors import UsageError

FORM = re.compile(r"\d{4}-\d{2}(-\d{2})?")
"""What a day or a month looks like."""


def is_day(text: str) -> bool:
    """Tell whether a text is a day of the calendar, or a month.

    >>> [is_day(text) for text in ("2026-02-28", "2026-02", "2026-02-30", "today")]
    [True, True, False, False]
    """
    if FORM.fullmatch(text) is None:
        return False
    try:
        datetime.date.fromisoformat(text if len(text) > len("2025-10") else f"{text}-01")
    except ValueError:
        return False
    return True


def checked_day(text: str) -> str:
    """Give a day or a month as it was written. Raises :class:`UsageError` where it is none."""
    if not is_day(text):
        raise UsageError(
            f"{text[:40]!r} is no day of the calendar", help="write it like 2026-07-24, a month like 2026-07"
        )
    return text
