"""The numbered rules: load, check, cite, search and compare them.

>>> from rulewright.rules import load
>>> rules = load("riftbound")
>>> rules.entry("809").title
'Deflect'
"""

from rulewright.rules.database import RulesDatabase, UnknownRuleError
from rulewright.rules.entries import Carrier, Entry, Keyword, KeywordValue, Procedure, Table
from rulewright.rules.load import games, load
from rulewright.rules.search import Hit
from rulewright.rules.versions import Difference, Heir, Stage, Version

__all__ = [
    "Carrier",
    "Difference",
    "Entry",
    "Heir",
    "Hit",
    "Keyword",
    "KeywordValue",
    "Procedure",
    "RulesDatabase",
    "Stage",
    "Table",
    "UnknownRuleError",
    "Version",
    "games",
    "load",
]
