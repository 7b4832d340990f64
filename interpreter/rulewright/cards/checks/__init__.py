"""Validation as a craft: every text is read whole and in one way, every card can be one, and the set holds together.

``check_paths`` gives a :class:`Report` of :class:`Finding` values; each has a code with a page (``page``).
"""

from rulewright.cards.checks.facts import GameFacts, game_facts
from rulewright.cards.checks.findings import Finding, Page, Place, page, pages
from rulewright.cards.checks.run import Report, check_content, check_paths, fix_paths
from rulewright.cards.checks.settings import Settings, find_settings
from rulewright.cards.checks.surroundings import Game

__all__ = [
    "Finding",
    "Game",
    "GameFacts",
    "Page",
    "Place",
    "Report",
    "Settings",
    "check_content",
    "check_paths",
    "find_settings",
    "fix_paths",
    "game_facts",
    "page",
    "pages",
]
