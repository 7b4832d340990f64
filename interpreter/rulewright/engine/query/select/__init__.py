"""What words refer to: objects, players, places, amounts and conditions, evaluated in a running game.

Nothing here writes. The modules stand on each other: ``words`` asks what something means, ``who``, ``objects`` and
``places`` tell what is referred to, ``events`` what has happened, ``amounts`` how much, ``filters`` and
``conditions`` what is true. Each of them reads some types of words; their readers are put together here.
"""

from rulewright.engine.query.select import amounts, conditions, filters, objects, places, who, words
from rulewright.engine.query.select.amounts import compares
from rulewright.engine.query.select.conditions import told_much
from rulewright.engine.query.select.events import (
    counted_verb,
    is_players_move,
    matches,
    matches_event,
)
from rulewright.engine.query.select.filters import links
from rulewright.engine.query.select.objects import (
    at_each,
    bounds,
    candidates,
    each_candidate,
    fits,
    is_noun,
    may_mean,
)
from rulewright.engine.query.select.places import at_place, is_zone, zone_of
from rulewright.engine.query.select.words import amount, holds, locations, passes, players, refs

words.PLAYERS.update(who.PLAYERS)
words.PLACES.update(places.PLACES)
words.REFS.update(objects.REFS)
words.REFS.update(places.REFS)
words.FILTERS.update(filters.FILTERS)
words.AMOUNTS.update(amounts.AMOUNTS)
words.CONDITIONS.update(conditions.CONDITIONS)

__all__ = [
    "amount",
    "at_each",
    "at_place",
    "bounds",
    "candidates",
    "compares",
    "counted_verb",
    "each_candidate",
    "fits",
    "holds",
    "is_noun",
    "is_players_move",
    "is_zone",
    "links",
    "locations",
    "matches",
    "matches_event",
    "may_mean",
    "passes",
    "players",
    "refs",
    "told_much",
    "zone_of",
]
