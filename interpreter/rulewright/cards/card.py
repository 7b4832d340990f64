"""What a card is before any text is read: its facts, and the words printed on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulewright.data_files import Plain

FACTS = (
    "name",
    "number",
    "rarity",
    "type",
    "supertypes",
    "token",
    "domains",
    "tags",
    "text",
    "effect_text",
    "printings",
)
"""The keys of a card that every game has; any other key is a figure, such as a cost or a Might."""


@dataclass(frozen=True, slots=True)
class CardDefinition:
    """One card or token of a game.

    ``figures`` are the numbers printed on it, by their name in the set file's schema and sorted by it (energy,
    power, might, might_bonus ...): a game may have others. ``text`` is what the card says, a paragraph a line,
    empty where it says nothing; ``effect_text`` what it gives to a card that it is attached to. ``printings`` are
    other codes of the same card, ``place`` is where it was read. Where and how it is printed is no part of equality.
    """

    name: str
    types: tuple[str, ...]
    supertypes: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    figures: tuple[tuple[str, int], ...] = ()
    tags: tuple[str, ...] = ()
    text: str = ""
    effect_text: str = ""
    token: bool = False
    set: str = field(default="", compare=False)
    number: str = field(default="", compare=False)
    rarity: str = field(default="", compare=False)
    printings: tuple[str, ...] = field(default=(), compare=False)
    place: str = field(default="", compare=False, repr=False)

    @property
    def code(self) -> str:
        """The code of its first printing.

        >>> CardDefinition("Spark", ("spell",), set="RWS", number="012").code
        'RWS-012'
        """
        return f"{self.set}-{self.number}" if self.number else self.set

    def figure(self, name: str) -> int | None:
        """Give one of the numbers printed on it; nothing where it has none of this name.

        >>> CardDefinition("Guard", ("unit",), figures=(("might", 3),)).figure("might")
        3
        """
        return next((value for figure, value in self.figures if figure == name), None)

    def has_type(self, word: str) -> bool:
        """Tell whether this is one of its types or supertypes, or ``token`` and it is a token."""
        return word in self.types or word in self.supertypes or (word == "token" and self.token)

    def to_plain(self) -> dict[str, Plain]:
        """Give the mapping that a set file holds for it."""
        plain: dict[str, Plain] = {
            "name": self.name,
            "number": self.number,
            "rarity": self.rarity,
            "type": self.types[0] if len(self.types) == 1 else list(self.types),
            "supertypes": list(self.supertypes),
            "token": self.token,
            "domains": list(self.domains),
            "tags": list(self.tags),
            "text": self.text,
            "effect_text": self.effect_text,
            "printings": list(self.printings),
        }
        said = {key: value for key, value in plain.items() if value}
        return {**said, **dict(self.figures)}


def card_from(plain: Mapping[str, Plain], set_code: str = "", place: str = "") -> CardDefinition:
    """Make a card from the mapping that a set file holds; the mapping has passed the schema.

    >>> card_from({"name": "Guard", "type": "unit", "might": 3}).figures
    (('might', 3),)
    """
    types = plain["type"]
    return CardDefinition(
        name=plain["name"],
        types=(types,) if isinstance(types, str) else tuple(types),
        supertypes=tuple(plain.get("supertypes", ())),
        domains=tuple(plain.get("domains", ())),
        figures=tuple(sorted((key, value) for key, value in plain.items() if key not in FACTS)),
        tags=tuple(plain.get("tags", ())),
        text=plain.get("text", "").rstrip("\n"),
        effect_text=plain.get("effect_text", "").rstrip("\n"),
        token=plain.get("token", False),
        set=set_code,
        number=plain.get("number", ""),
        rarity=plain.get("rarity", ""),
        printings=tuple(plain.get("printings", ())),
        place=place,
    )
