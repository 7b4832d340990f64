"""What an object is right now, after all layers: name, types, tags, cost, Might, keywords and abilities (473-480).

A :class:`Traits` value is never changed after it is made; :mod:`rulewright.engine.query.layers` computes it.
"""

from dataclasses import dataclass, field
from typing import Any

from rulewright.language.ast import Ability as AbilityNode
from rulewright.language.ast import Keyword


@dataclass(frozen=True, slots=True, eq=False)
class Ability:
    """One ability, ready to be used: where it is written, its meaning, and the keywords that govern it.

    ``key`` is the text's key and the path in it, ``node`` the ability without its gates, ``keyword`` the name of
    the keyword it comes from, ``verbs`` the events that a triggered or replacing ability watches, ``zones`` where
    it works besides the board, and there alone if it is ``elsewhere``. ``outward`` tells that it changes other
    objects than its own. ``told`` is the keyword's own ability on the card, where more is said of it there.
    """

    key: str
    kind: str
    node: AbilityNode
    gates: tuple[Keyword, ...] = ()
    keyword: str = ""
    instance: Keyword | None = None
    verbs: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    outward: bool = False
    prefix: str = ""
    rules: tuple[str, ...] = ()
    superseded: bool = False
    elsewhere: bool = False
    told: "Ability | None" = None

    @property
    def path(self) -> str:
        """What stands before the path of a part of the ability, its gates passed over."""
        return f"{self.prefix}." if self.prefix else ""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """An ability as some object has it: ``this`` is the card that lends it (136.2.d), 0 where it is its own.

    ``bindings`` are those of the effect that granted it.
    """

    ability: Ability
    this: int = 0
    bindings: tuple[tuple[str, Any], ...] = ()


Sort = type | tuple[type, str]
"""What an effect is looked for by: its type, or that and the verb of the action that it speaks of."""


class Index:
    """The abilities of an object with what keywords stand for put in, by their sort; passives by their effects.

    ``effects`` maps the sort of an effect to its templates: the ability, the effect, its path, and the conditions
    that it stands under. ``keywords`` are those among the abilities. ``watching`` has what triggers on, or replaces,
    an event by the ability's sort and the verb.
    """

    __slots__ = ("activated", "by_kind", "effects", "expanded", "keywords", "own_changes", "watching")

    def __init__(self, expanded: tuple[Held, ...]) -> None:
        self.expanded = expanded
        self.activated: tuple[Held, ...] = ()
        self.by_kind: dict[str, tuple[Held, ...]] = {}
        self.effects: dict[Sort, tuple[Any, ...]] = {}
        self.watching: dict[tuple[str, str], tuple[Held, ...]] = {}
        self.keywords = frozenset(
            held.ability.instance.name.casefold()
            for held in expanded
            if held.ability.kind == "keyword" and held.ability.instance is not None
        )
        self.own_changes = False


@dataclass(slots=True)
class Traits:
    """The characteristics of one object.

    ``inactive`` are those of its abilities that are there to be found and do nothing (720): what is printed on a card
    that is attached.
    """

    name: str = ""
    types: frozenset[str] = frozenset()
    supertypes: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    domains: tuple[str, ...] = ()
    figures: dict[str, int] = field(default_factory=dict)
    base: dict[str, int] = field(default_factory=dict)
    keywords: dict[str, int] = field(default_factory=dict)
    instances: tuple[Keyword, ...] = ()
    abilities: tuple[Held, ...] = ()
    card: str = ""
    index: "Index | None" = None
    inactive: tuple[Held, ...] = ()

    def copy(self) -> "Traits":
        """Give a copy for the layers to work on."""
        return Traits(
            self.name,
            self.types,
            self.supertypes,
            self.tags,
            self.domains,
            self.figures.copy(),
            self.base,
            self.keywords.copy(),
            self.instances,
            self.abilities,
            self.card,
            inactive=self.inactive,
        )

    def has(self, word: str) -> bool:
        """Tell whether a word is one of its types, supertypes, tags, or its name."""
        return word in self.types or word in self.supertypes or word in self.tags or word == self.name

    def to_data(self) -> Any:
        """Give what is remembered of an object that is gone: all but its abilities, which its card tells."""
        return (
            self.name,
            tuple(sorted(self.types)),
            tuple(sorted(self.supertypes)),
            tuple(sorted(self.tags)),
            self.domains,
            tuple(sorted(self.figures.items())),
            tuple(sorted(self.base.items())),
            tuple(sorted(self.keywords.items())),
            self.card,
        )

    @classmethod
    def from_data(cls, data: Any) -> "Traits":
        """Make traits from what :meth:`to_data` gave."""
        return cls(
            data[0],
            frozenset(data[1]),
            frozenset(data[2]),
            frozenset(data[3]),
            data[4],
            dict(data[5]),
            dict(data[6]),
            dict(data[7]),
            card=data[8],
        )
