"""Decks of a scenario that begins with the setup: what is said of a part, and plain cards for what is not said.

The parts, their sizes and what they are made of are those of the game's table of deck construction (103 in
Riftbound).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.cards import CardDefinition
from rulewright.cards.construction import TABLE, DeckRules, Part, deck_rules
from rulewright.cards.deck import Deck, deck_of
from rulewright.engine import Ruleset
from rulewright.play.scenario import Plain, ScenarioError

_COUNTED = re.compile(r"(?:(?P<count>\d+) )?(?P<name>.+)")

_PLAIN = ("card", "cards")
"""How a deck names cards that do nothing: ``37 cards``."""


@dataclass(slots=True)
class DeckMaker:
    """Makes the decks of one scenario. ``made`` collects the plain cards that they need."""

    ruleset: Ruleset
    mode: str
    place: str
    known: Mapping[str, CardDefinition]
    made: dict[str, CardDefinition] = field(default_factory=dict)

    @property
    def rules(self) -> DeckRules:
        """The game's rules of deck construction."""
        return deck_rules(self.ruleset.rules.table(TABLE))

    def deck(self, player: str, said: Mapping[str, Sequence[Plain]]) -> Deck:
        """Give a player's deck: the parts that are said, and plain ones of the size that the mode asks for.

        Raises :class:`ScenarioError` where a part or a card is not known.
        """
        rules = self.rules
        names = [part.name for part in rules.parts]
        for name in said:
            if name not in names:
                help = f"the parts are {', '.join(names)}"
                raise ScenarioError(f"a deck has no part {name!r}", place=self.place, help=help)
        parts: dict[str, dict[str, int]] = {}
        for part in self._in_order(rules):
            lines = said.get(part.name, (f"{self._size(rules, part)} cards",))
            parts[part.name] = self._counts(player, part, lines, parts)
        return deck_of(player, {name: parts[name] for name in names})

    def _in_order(self, rules: DeckRules) -> list[Part]:
        """A part that must share a tag with another comes after it."""
        return sorted(rules.parts, key=lambda part: part.shares_tag_with is not None)

    def _size(self, rules: DeckRules, part: Part) -> int:
        size = rules.size(part, self.mode)
        others = sum(self._size(rules, other) for other in rules.parts if other.name in size.with_)
        return (size.exactly if size.exactly is not None else size.at_least or 0) - others

    def _counts(
        self, player: str, part: Part, lines: Sequence[Plain], before: Mapping[str, Mapping[str, int]]
    ) -> dict[str, int]:
        counts: dict[str, int] = {}
        for line in lines:
            match = _COUNTED.fullmatch(str(line))
            assert match is not None
            count = int(match["count"] or 1)
            if match["name"] in _PLAIN:
                counts |= dict.fromkeys(self._plain(player, part, count, before), 1)
                continue
            if match["name"] not in self.known:
                help = 'define it under "cards:"'
                raise ScenarioError(f"there is no card {match['name']!r}", place=self.place, help=help)
            counts[match["name"]] = counts.get(match["name"], 0) + count
        return counts

    def _plain(
        self, player: str, part: Part, count: int, before: Mapping[str, Mapping[str, int]]
    ) -> Iterator[str]:
        """Cards of a part that do nothing, each of another name: of no domain, with the tag that the part needs."""
        kind = part.types[0]
        tags: tuple[str, ...] = (player,) if part.name in self._linking() else ()
        for name in before.get(part.shares_tag_with or "", ()):
            tags = (self.known.get(name) or self.made[name]).tags
        has_might = self.ruleset.types.get(kind, {}).get("might")
        figures = (("energy", 1), ("might", 1)) if has_might else ()
        for number in range(1, count + 1):
            name = f"{player} {part.name} {number}"
            supertypes = () if part.supertype is None else (part.supertype,)
            self.made[name] = CardDefinition(name, (kind,), supertypes, figures=figures, tags=tags)
            yield name

    def _linking(self) -> set[str | None]:
        return {part.shares_tag_with for part in self.rules.parts}
