"""The rules and the cards of one game, compiled once and shared by all its games.

A :class:`Ruleset` turns entries (tables, keyword meanings, procedures) and card texts into programs and traits. It
holds no state of any game. Texts are compiled when they are first asked for; a text that is not read whole, or that
holds something the engine cannot carry out, raises :class:`CompileError`: such a card cannot enter a game.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import fields, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

from rulewright.cards.card import CardDefinition
from rulewright.engine.program.compile import (
    CompileError,
    abilities_of,
    event_verb,
    procedure_program,
    text_programs,
    walk,
)
from rulewright.engine.program.gained import with_points_gained
from rulewright.engine.program.index import (
    Kind,
    alters_abilities,
    flattened,
    given_kinds,
    index_of,
    is_of_tags,
    sorts,
    speaks_of_abilities,
    templates,
    type_of,
)
from rulewright.engine.program.ops import Op, Program
from rulewright.engine.program.primitives import WRITES
from rulewright.engine.program.sense import nonsense
from rulewright.engine.program.standing import with_standing_replacements
from rulewright.engine.state.traits import Ability, Held, Index, Sort, Traits
from rulewright.errors import RulewrightError
from rulewright.language import ast, parse
from rulewright.language.references import with_antecedents
from rulewright.language.tree import from_json, to_json
from rulewright.rules.database import RulesDatabase
from rulewright.rules.entries import Entry

ADVERBS = frozenset(
    {
        "alone",
        "one-on-one",
        "after-attack",
        "from-facedown",
        "from-hold",
        "from-conquer",
        "this-way",
        "additional",
        "first",
        "last",
        "must",
        "at-same-time",
        "same-place",
    }
)
"""The adverbs of events, permissions and prohibitions that the engine has a test for, or that say what is so anyway."""

STATES_OF_GROUPS = frozenset({"additional", "optional", "beyond-first", "empty"})
"""States that are no question about one object: they are read where what they describe is."""

Parse = Callable[[str, CardDefinition | None], ast.CardText]
"""Reads a text as the meaning it has; the card tells facts that the words refer to, such as its name."""

Alter = Callable[[str, ast.CardText], ast.CardText]
"""Gives what a text is to mean instead, from its key and the meaning that it has; see :meth:`Ruleset.text`."""


COST_STEPS = ("base", "additional", "increases", "discounts", "total")
"""Every step in which a total cost is put together; see :mod:`rulewright.engine.query.price`."""

LAYERED = (
    "copy",
    "types",
    "might-assigned",
    "tags",
    "domains",
    "lent-text",
    "abilities",
    "bonus-factor",
    "base",
    "counters",
    "might-bonus",
    "might-more",
    "might-less",
)
"""Every word for what a layer may apply, for the rules' table of layers; see :mod:`rulewright.engine.query.layers`."""


ANY_COUNTER = "counter"
"""The word for a counter of whatever sort (745.1.a)."""


PERMITTING: frozenset[Sort] = frozenset({(ast.Permit, "play"), (ast.Permit, "ambush")})
"""What the effects are looked for by that permit playing a card."""


class Script:
    """One card as the engine plays it: printed traits and abilities, and what it lends when attached (136)."""

    __slots__ = (
        "abilities",
        "attached",
        "card",
        "elsewhere",
        "fights",
        "gives_itself",
        "idle",
        "inward",
        "kinds",
        "lent",
        "might_bonus",
        "outward",
        "permanent",
        "permits",
        "price",
        "reads",
        "replaced",
        "self_granting",
        "sorts",
        "spell",
        "standings",
        "timed",
        "traits",
        "verbs",
        "watches",
    )

    def __init__(
        self, card: CardDefinition, abilities: tuple[Ability, ...], lent: tuple[Ability, ...], traits: Traits
    ) -> None:
        self.card = card
        self.abilities = abilities
        self.lent = tuple(Held(ability) for ability in lent)
        self.traits = traits
        self.attached: Traits | None = None
        self.might_bonus = card.figure("might_bonus") or 0
        self.spell = next((ability for ability in abilities if ability.kind == "spell"), None)
        self.outward: tuple[Any, ...] = tuple(
            template for ability in abilities if ability.outward for template in templates(Held(ability))
        )
        self.idle = False
        """Whether its text neither watches for anything, nor reaches others, nor may give itself abilities."""
        self.inward = True
        self.gives_itself = True
        self.watches = True
        self.verbs: frozenset[str] = frozenset()
        self.replaced: frozenset[str] = frozenset()
        self.reads: frozenset[str] = frozenset()
        self.sorts: frozenset[Sort] = frozenset()
        """What all effects are looked for by that its words speak of, also those that they give or let begin."""
        self.permits = False
        """Whether its own text permits that a card is played; see :data:`PERMITTING`."""
        self.price: Any = None
        """What is printed on it as its cost, once that has been asked for."""
        self.timed: frozenset[str] = frozenset()
        """The permissive keywords that its own text may give it."""
        self.permanent = False
        self.fights = False
        self.elsewhere = tuple(Held(ability) for ability in abilities if ability.zones)
        self.standings: dict[bool, Any] = {}
        """What is known of an object with it, on the board and off it, where nothing else changes that object."""
        self.self_granting: frozenset[Kind] = frozenset()
        self.kinds: frozenset[Kind] = frozenset()

    def traits_attached(self) -> Traits:
        """Give the printed traits as they are while attached: the rules text is inactive (135.4)."""
        if self.attached is None:
            self.attached = self.traits.copy()
            self.attached.inactive = self.traits.abilities
        return self.attached


class ZoneRule:
    """One row of the zone table: where a zone is, who sees it, and whether its order counts (105-108)."""

    __slots__ = (
        "board",
        "holds",
        "keeps",
        "location",
        "locations",
        "name",
        "ordered",
        "per",
        "privacy",
        "room",
        "rules",
        "sole",
    )

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.name: str = row["name"]
        self.per: str = row.get("per", "player")
        self.board: bool = row.get("board", False)
        self.location: bool = row.get("location", False)
        self.ordered: bool = row.get("ordered", False)
        self.privacy: str = row.get("privacy", "public")
        self.holds: tuple[str, ...] = tuple(row.get("holds", ()))
        self.locations: bool = self.per == "none" and bool(self.holds)
        """Whether its objects are themselves locations."""
        self.sole: bool = row.get("sole", False)
        self.room: int | None = row.get("room")
        """How many cards there may be at most, where the rules limit it (107.3.b, 108.3.c.1)."""
        self.keeps: str = row.get("keeps", "")
        """What never leaves it: ``cards``, but tokens do (107.4.d)."""
        self.rules: tuple[str, ...] = (row["rule"],) if "rule" in row else ()


class Ruleset:
    """All that a game is played by: the rules database and the pool of cards."""

    def __init__(
        self,
        rules: RulesDatabase,
        cards: Iterable[CardDefinition] = (),
        parse: Parse | None = None,
        alter: Alter | None = None,
    ) -> None:
        """Take the rules, every card and token that may enter a game, and what reads their texts.

        With ``alter`` texts mean something else than they say.
        """
        self.rules = rules
        self.alter = alter
        self.cards: dict[str, CardDefinition] = {card.name: card for card in cards}
        self.parse: Parse = parse or partial(_parse, rules.game)
        self._scripts: dict[str, Script] = {}
        self._copies: dict[tuple[str, bool], Script] = {}
        self._texts: dict[str, ast.CardText] = {}
        self.programs: dict[str, Program] = {}
        """The programs that have been asked for."""
        self._nodes: dict[tuple[str, str], Any] = {}
        self._held: dict[tuple[str, str], tuple[Held, ...]] = {}
        self._conditions: dict[str, ast.Condition | None] = {}
        self._performers: dict[str, tuple[tuple[Any, Mapping[str, Any]], ...]] = {}
        self._sent_to: dict[str, str] = {}
        self._told_as: dict[str, tuple[str, ...]] = {}
        self._quoted: dict[tuple[str, str], tuple[Ability, ...]] = {}
        self.sources: dict[tuple[str, tuple[str, ...]], Any] = {}
        """What abilities that add resources spend and add, by ability and domains; see :mod:`costs`."""
        self.plain_sources: dict[str, bool] = {}
        self.given: dict[tuple[str, str], frozenset[Kind]] = {}
        """What sorts of abilities effects give, by the places of their words; see :func:`given_kinds`."""
        self._type_facts: dict[tuple[frozenset[str], str], bool] = {}
        self._payment_words: dict[str, bool] = {}
        self._ignoring: dict[str, tuple[tuple[str, Any, str], ...]] = {}
        self._instead: dict[str, Ability | None] = {}
        self._read_tables()

    def with_cards(self, cards: Iterable[CardDefinition], parse: Parse | None = None) -> "Ruleset":
        """Give a ruleset with more cards, sharing what is compiled; a card of a known name replaces it.

        ``parse`` reads texts from now on, where the new ones need other words.
        """
        other = copy(self)
        other.parse = parse or self.parse
        fresh = {card.name: card for card in cards}
        other.cards = {**self.cards, **fresh}
        other.tokens = tuple(name for name, card in other.cards.items() if card.token)
        # What is known of a card that is replaced is not shared.
        for name in (
            "_scripts",
            "_texts",
            "programs",
            "_nodes",
            "_quoted",
            "_instead",
            "_payment_words",
            "_ignoring",
        ):
            setattr(other, name, dict(getattr(self, name)))
        other.sources = dict(self.sources)
        other.plain_sources = dict(self.plain_sources)
        other.given = dict(self.given)
        other._copies = {}
        for card in fresh.keys() & self.cards.keys():
            other._forget(card)
        return other

    @property
    def texts_met(self) -> Mapping[str, ast.CardText]:
        """The texts that games with it have needed so far, by their keys; see :meth:`text`."""
        return MappingProxyType(self._texts)

    @property
    def procedures_met(self) -> frozenset[str]:
        """The names of the procedures that games with it have needed so far."""
        programs = (key.removeprefix("do:") for key in self.programs if key.startswith("do:"))
        return frozenset((*programs, *self._performers))

    @property
    def keywords_met(self) -> frozenset[str]:
        """The keywords, in small letters, that games with it have needed the meaning of so far."""
        return frozenset((*(name for name, _ in self._held), *self._conditions))

    def _forget(self, card: str) -> None:
        self._scripts.pop(card, None)
        roots = (f"card:{card}", f"effect:{card}")
        begins = tuple(f"{root}#" for root in roots)
        by_key: tuple[dict[str, Any], ...] = (
            self._texts,
            self.programs,
            self._instead,
            self._payment_words,
            self._ignoring,
            self.plain_sources,
        )
        for store in by_key:
            for key in [key for key in store if key in roots or key.startswith(begins)]:
                del store[key]
        by_pair: tuple[dict[Any, Any], ...] = (self._nodes, self._quoted, self.sources, self.given)
        for pairs in by_pair:
            for pair in [pair for pair in pairs if pair[0].startswith(begins)]:
                del pairs[pair]

    # ------------------------------------------------------------------------------------------- tables

    def _read_tables(self) -> None:
        self.zones: dict[str, ZoneRule] = {row["name"]: ZoneRule(row) for row in self.table("zones")}
        self.board_zones = tuple(name for name, zone in self.zones.items() if zone.board)
        self.off_board = frozenset(self.zones) - frozenset(self.board_zones)
        self.hands = tuple(
            name
            for name, zone in self.zones.items()
            if not zone.board and zone.privacy != "secret" and zone.per == "player"
        )
        """The zones off the board whose cards a player sees and may be permitted to play: hand, trash and others."""
        self.sole_types = frozenset(held for zone in self.zones.values() if zone.sole for held in zone.holds)
        self.home = next((n for n, z in self.zones.items() if z.location and z.per == "player"), "")
        self.field = next((n for n, z in self.zones.items() if z.location and z.per == "location"), "")
        self.types: dict[str, Mapping[str, Any]] = {row["name"]: row for row in self.table("types")}
        self.terms: Mapping[str, Any] = self.table("terms", {})
        self.timing = {name: tuple(words) for name, words in self.table("timing", {}).items()}
        self.events: Mapping[str, Any] = self.table("events", {})
        self.tokens = tuple(name for name, card in self.cards.items() if card.token)
        self.layers: tuple[tuple[str, ...], ...] = tuple(
            tuple(row["applies"]) for row in self.table("layers", ())
        )
        """For each layer, in the order in which they are gone through, what it applies (477)."""
        timing: Mapping[str, Any] = self.table("timing", {})
        self.answering = frozenset(timing.get("closed", ()))
        """The permissive keywords with which something may be played or used while there is a chain (309.1.a)."""
        self.placed = frozenset(timing.get("placed", ()))
        """The keywords whose permission to be played to a place is one for the time too (822.1.b)."""
        self.domains: tuple[str, ...] = tuple(
            self.table("card-parts", {}).get("domains", {}).get("words", ())
        )
        self.cost_steps = tuple(str(row["step"]) for row in self.table("cost-steps", ()))
        """The steps in which a total cost is put together, in order (356)."""
        self._check_words("cost-steps", list(self.cost_steps), COST_STEPS)
        self._check_words("layers", [word for layer in self.layers for word in layer], LAYERED)
        self.verb_rules: dict[str, tuple[str, ...]] = {}
        self.verb_steps: dict[str, tuple[tuple[str, Mapping[str, Any]], ...]] = {}
        self.verb_actors: dict[str, Mapping[str, Any]] = {}
        for name, entry in self.rules.procedures.items():
            procedure = entry.procedure
            assert procedure is not None
            numbers = tuple(
                dict.fromkeys(
                    (entry.number, *(n for step in procedure.steps for n in _numbers(step.get("rule"))))
                )
            )
            self.verb_rules[name] = numbers
        for verb, row in self.events.items():
            if "done" in row:
                self.verb_rules[verb] = (str(row["rule"]), *self.verb_rules[row["done"]])

    def table(self, name: str, default: Any = None) -> Any:
        """Give a table's rows; ``default`` where the game has no such table."""
        if name.casefold() not in self.rules.tables:
            if default is None:
                raise CompileError(
                    f"the rules of {self.rules.game} have no table {name!r}", place=self.rules.game
                )
            return default
        return self.rules.table(name)

    def term(self, name: str) -> str:
        """Give the game's own word for what the kernel needs a name of, such as the zone that is the chain.

        Raises :class:`CompileError` where the rules do not say it.
        """
        if name not in self.terms:
            raise CompileError(
                f"the rules of {self.rules.game} do not say what the {name} is",
                place=self.rules.game,
                help="it belongs in their table of terms",
            )
        return str(self.terms[name])

    @cached_property
    def chain(self) -> str:
        """The zone of what is being played (108.1)."""
        return self.term("chain")

    def _check_words(self, table: str, words: list[str], known: Sequence[str]) -> None:
        """Refuse a table of words that the kernel does not know, that come twice, or of which one is missing."""
        if words and sorted(words) != sorted(known):
            odd = sorted({word for word in words if word not in known or words.count(word) > 1})
            gone = sorted(set(known) - set(words))
            raise CompileError(
                f"the table {table!r} names {', '.join(odd) or 'too little'}"
                + (f" and leaves out {', '.join(gone)}" if gone else ""),
                place=f"rule {self.rules.table_entry(table).number}",
                help=f"it has to name each of these once: {', '.join(known)}",
            )

    def mode(self, name: str) -> Mapping[str, Any]:
        """Give the facts of a mode of play (481-485)."""
        for row in self.table("modes"):
            if row["name"] == name:
                return dict(row)
        raise RulewrightError(
            f"there is no mode of play {name!r}",
            help="the modes are " + ", ".join(row["name"] for row in self.table("modes")),
        )

    def rules_of(self, verb: str) -> tuple[str, ...]:
        """Give the rules that a game action or procedure of this name carries out."""
        return self.verb_rules.get(verb, ())

    def is_type(self, types: frozenset[str], fact: str) -> bool:
        """Tell whether a fact of the type table holds for any of some types (178.1)."""
        known = self._type_facts.get((types, fact))
        if known is None:
            known = any(bool(self.types[word].get(fact)) for word in types if word in self.types)
            self._type_facts[types, fact] = known
        return known

    def types_in(self, zone: str) -> bool:
        """Tell whether the objects of a zone are themselves locations, as battlefields are (198.1)."""
        return self.zones[zone].locations

    @cached_property
    def location_zone(self) -> str:
        """The zone whose objects are locations, nothing where there is none."""
        return next((zone for zone in self.zones if self.types_in(zone)), "")

    @cached_property
    def placing_verbs(self) -> frozenset[str]:
        """The events that put an object into a zone."""
        return frozenset(
            name
            for name, entry in self.rules.procedures.items()
            if entry.procedure is not None
            and any(step.get("do") == "place" for step in entry.procedure.steps)
        )

    def counter_sorts(self, kind: str) -> tuple[str, ...]:
        """Give the sorts of counter that a word means: one, or all where no type is said (745.1.a)."""
        known: Mapping[str, Any] = self.terms.get("counters", {})
        if kind == ANY_COUNTER:
            return tuple(sorted(known))
        return (kind,) if kind in known else ()

    def adding_verbs(self, sort: str) -> tuple[str, ...]:
        """Give the actions that put a counter of a sort on something."""
        return tuple(
            name
            for name, entry in self.rules.procedures.items()
            if entry.procedure is not None
            and any(
                step.get("do") == "add-counter" and dict(step.get("with", {})).get("counter") == sort
                for step in entry.procedure.steps
            )
        )

    @cached_property
    def leaving_verbs(self) -> frozenset[str]:
        """The events that put an object into a zone off the board, as the rules say for each."""
        return frozenset(
            verb
            for verb in self.placing_verbs
            for _, parameters in self.performer(verb)
            if parameters.get("zone") is not None and parameters["zone"] not in self.board_zones
        )

    def sent_to(self, verb: str) -> str:
        """Give the zone that an event of a verb puts its object into, where the rules name one; nothing where not."""
        zone = self._sent_to.get(verb)
        if zone is None:
            zone = self._sent_to[verb] = next(
                (
                    str(parameters["zone"])
                    for function, parameters in self.performer(verb)
                    if function.__name__ == "_place" and "zone" in parameters
                ),
                "",
            )
        return zone

    def performer(self, verb: str) -> tuple[tuple[Any, Mapping[str, Any]], ...]:
        """Give the writes that an event of a verb consists of, from the procedure of its name."""
        found = self._performers.get(verb)
        if found is None:
            # What is done in one way may be told of by a verb of its own, as a buff that is spent.
            name = str(self.events.get(verb, {}).get("done", verb)).casefold()
            if name != verb.casefold():
                found = self._performers[verb] = self.performer(name)
                return found
            entry = self.rules.procedures.get(name)
            if entry is None or entry.procedure is None:
                # Moments of the turn, and what only marks that something took place.
                found = ()
                if not verb.partition(":")[2] and verb not in self.events:
                    raise CompileError(f"the rules do not say what it is to {verb}", place=self.rules.game)
            else:
                for step in entry.procedure.steps:
                    if step.get("do") not in WRITES:
                        raise CompileError(
                            f"{step.get('do')!r} is no write",
                            place=f"rule {entry.number}",
                            help=", ".join(WRITES),
                        )
                found = tuple(
                    (WRITES[step["do"]][0], dict(step.get("with", {}))) for step in entry.procedure.steps
                )
            self._performers[verb] = found
        return found

    def told_as(self, verb: str) -> tuple[str, ...]:
        """Give the verbs of texts that speak of an event."""
        found = self._told_as.get(verb)
        if found is None:
            found = self._told_as[verb] = tuple(
                word
                for word in dict.fromkeys((verb, *self.events))
                if self.events.get(word, {}).get("verb", word) == verb
            )
        return found

    def quoted(self, key: str, path: str, text: ast.CardText) -> tuple[Ability, ...]:
        """Give the abilities of a text in quotation marks, which an effect grants."""
        found = self._quoted.get((key, path))
        if found is None:
            inside = key.partition("#")[2]
            base = ".".join(filter(None, (inside, path, "abilities")))
            found = self._quoted[key, path] = abilities_of(self, key.partition("#")[0], text, base=base)
        return found

    def has_instead(self, key: str) -> bool:
        """Tell whether the ability after one stands in for it while it applies ("... instead")."""
        root, _, path = key.partition("#")
        base, _, number = path.rpartition(".")
        if base != "abilities" or not number.isdigit():
            return False
        abilities = self.text(root).abilities
        after = abilities[int(number) + 1] if int(number) + 1 < len(abilities) else None
        while isinstance(after, ast.Gated):
            after = after.ability
        return isinstance(after, ast.PassiveAbility) and after.instead

    def instead_of(self, key: str) -> Ability | None:
        """Give the passive ability that stands in for the one before it ("... instead"), where the next is one."""
        if key not in self._instead:
            root, _, path = key.partition("#")
            base, _, number = path.rpartition(".")
            found: Ability | None = None
            if number.isdigit() and base == "abilities":
                following = abilities_of(self, root, self.text(root))
                place = int(number) + 1
                if place < len(following) and getattr(following[place].node, "instead", False):
                    found = following[place]
            self._instead[key] = found
        return self._instead[key]

    @cached_property
    def _keyword_texts(self) -> tuple[ast.CardText, ...]:
        """The meanings of all keywords."""
        return tuple(
            self.text(f"keyword:{name}/{position}")
            for name, entry in self.rules.keywords.items()
            for position in range(len(entry.keyword.means) if entry.keyword is not None else 0)
        )

    @cached_property
    def keyword_verbs(self) -> frozenset[str]:
        """The events that the meanings of keywords watch for, to trigger or to replace them."""
        return frozenset(
            verb
            for text in self._keyword_texts
            for verb in self._awaited_in(text, ast.TriggeredAbility, ast.ReplacementAbility)
        )

    @cached_property
    def keyword_replaced(self) -> frozenset[str]:
        """The events that the meanings of keywords replace."""
        return frozenset(
            verb for text in self._keyword_texts for verb in self._awaited_in(text, ast.ReplacementAbility)
        )

    @cached_property
    def keyword_reads(self) -> frozenset[str]:
        """The states and verbs that the meanings of keywords look at."""
        return frozenset(word for text in self._keyword_texts for word in self._words_read(text))

    @cached_property
    def sorts_of_rules(self) -> frozenset[Sort]:
        """What the effects are looked for by that the meanings of keywords, and the words of procedures, speak of."""
        procedures = (
            self.text(f"rule:{entry.number}/{position}")
            for entry in self.rules.procedures.values()
            for position, step in enumerate(entry.procedure.steps if entry.procedure is not None else ())
            if "means" in step
        )
        return frozenset(sort for text in (*self._keyword_texts, *procedures) for sort in _sorts_in(text))

    def blank_location(self) -> str:
        """Give the name of a location without text, for positions that name none."""
        return self._plain(
            next(name for name, zone in self.zones.items() if self.types_in(name)), "Plain Field"
        )

    def bare_location(self) -> str:
        """Give the name of a token location without abilities, which stands where a player's own was (652.2.a)."""
        zone = next(name for name in self.zones if self.types_in(name))
        name = f"Bare {self.zones[zone].holds[0].title()}"
        self.cards.setdefault(name, CardDefinition(name, (self.zones[zone].holds[0],), token=True))
        return name

    def plain_card(self, zone: str) -> str | None:
        """Give the name of a card without text that belongs in a deck's zone; nothing where no type goes there."""
        for word, row in self.types.items():
            if row.get("deck") == zone:
                real = next(
                    (c.name for c in self.cards.values() if c.types == (word,) and "basic" in c.supertypes),
                    None,
                )
                return real or self._plain(zone, f"Plain {word.title()}", word)
        return None

    def _plain(self, zone: str, name: str, word: str = "") -> str:
        if name not in self.cards:
            kind = word or self.zones[zone].holds[0]
            figures = (("might", 1),) if self.types.get(kind, {}).get("might") else ()
            self.cards[name] = CardDefinition(name, (kind,), figures=figures)
        return name

    # ------------------------------------------------------------------------------------------- keywords

    def keyword(self, name: str) -> Entry:
        """Give the entry that defines a keyword."""
        return self.rules.keyword(name)

    def keyword_kinds(self, name: str) -> tuple[str, ...]:
        """Give what sort of keyword it is; empty for a word that is no keyword of this game."""
        entry = self.rules.keywords.get(name.casefold())
        return entry.keyword.kinds if entry is not None and entry.keyword is not None else ()

    def has_keyword_cost(self, name: str) -> bool:
        """Tell whether a cost is printed after a keyword."""
        entry = self.rules.keywords.get(name)
        return entry is not None and entry.keyword is not None and entry.keyword.cost

    def keyword_value(self, keyword: ast.Keyword) -> int:
        """Give the number of a keyword as printed, or its default."""
        if isinstance(keyword.value, ast.Number):
            return keyword.value.value
        entry = self.rules.keywords.get(keyword.name.casefold())
        value = entry.keyword.value if entry is not None and entry.keyword is not None else None
        return value.default or 0 if value is not None else 0

    def keyword_sums(self, name: str) -> bool:
        """Tell whether the values of several instances are added up (807.2) or one counts."""
        entry = self.rules.keywords.get(name.casefold())
        value = entry.keyword.value if entry is not None and entry.keyword is not None else None
        return value is not None and value.stacks == "sum"

    def keyword_repeats(self, name: str) -> bool:
        """Tell whether each instance is an ability of its own (817.2, 818.4)."""
        entry = self.rules.keywords.get(name.casefold())
        return entry is not None and entry.keyword is not None and entry.keyword.instances == "separate"

    def keyword_abilities(self, instance: ast.Keyword) -> tuple[Held, ...]:
        """Give the abilities that a keyword stands for, from the ``means`` of its entry."""
        name = instance.name.casefold()
        key = (name, repr(instance.cost))
        found = self._held.get(key)
        if found is None:
            entry = self.rules.keywords.get(name)
            texts = entry.keyword.means if entry is not None and entry.keyword is not None else ()
            made: list[Held] = []
            for position in range(len(texts)):
                root = f"keyword:{name}/{position}"
                for ability in abilities_of(self, root, self.text(root), keyword=instance):
                    made.append(Held(ability))
            found = self._held[key] = tuple(made)
        return found

    def gate_condition(self, name: str) -> ast.Condition | None:
        """Give the condition of a dependent keyword (727), or nothing for one that only permits."""
        name = name.casefold()
        if name not in self._conditions:
            condition: ast.Condition | None = None
            if "dependent" in self.keyword_kinds(name):
                text = self.text(f"keyword:{name}/0")
                for ability in text.abilities:
                    if isinstance(ability, ast.PassiveAbility):
                        condition = ability.condition
            self._conditions[name] = condition
        return self._conditions[name]

    def gate_events(self, name: str) -> tuple[ast.Event, ...]:
        """Give the events of a keyword that stands before an effect, as Deathknell does (808.1.c)."""
        if "triggered" not in self.keyword_kinds(name):
            return ()
        for ability in self.text(f"keyword:{name.casefold()}/0").abilities:
            if isinstance(ability, ast.TriggeredAbility):
                return ability.events
        return ()

    # ---------------------------------------------------------------------------------------------- texts

    def text(self, root: str) -> ast.CardText:
        """Give the meaning of a text by its key: ``card:Name``, ``effect:Name``, ``keyword:name/0``, ``rule:1.2/0``."""
        found = self._texts.get(root)
        if found is None:
            found = self._read(root)
            if self.alter is not None:
                found = self.alter(root, found)
            if (why := nonsense(found, root.startswith("keyword:"))) is not None:
                raise CompileError(why, place=root)
            self._texts[root] = found
        return found

    def _read(self, root: str) -> ast.CardText:
        sort, _, name = root.partition(":")
        card: CardDefinition | None = None
        if sort in ("card", "effect"):
            card = self.cards[name]
            words = card.text if sort == "card" else card.effect_text
        elif sort == "keyword":
            name, _, position = name.rpartition("/")
            keyword = self.rules.keyword(name).keyword
            if keyword is None or int(position) >= len(keyword.means):
                raise CompileError(f"the rules do not say what {name} means", place=root)
            words = keyword.means[int(position)]
        else:
            name, _, position = name.rpartition("/")
            words = self._rule_text(name, int(position))
        if not words.strip():
            return ast.CardText(())
        try:
            if sort == "keyword":
                meaning = with_antecedents(self.parse(re.sub(r"\bX\b", str(VALUE), words), None))
                made: ast.CardText = _with_value(meaning, name)
                return made
            made = with_points_gained(with_antecedents(self.parse(words, card)))
            if sort == "card" and card is not None and self.is_type(frozenset(card.types), "permanent"):
                made = with_standing_replacements(made, self.leaving_verbs)
            self._know_words(made, root)
            return made
        except CompileError:
            raise
        except RulewrightError as error:
            raise CompileError(
                f"the text is not read: {error.message}", place=root, help=error.help
            ) from error

    def _know_words(self, text: ast.CardText, root: str) -> None:
        """Refuse a text with a state or an adverb that nothing reads: the card would do more or less than it says."""
        own = {id(effect) for node in walk(text) for effect in self._own_words(node, root)}
        for node in walk(text):
            if isinstance(node, ast.HasState) and node.state not in self.states:
                raise CompileError(f"nothing says when something is {node.state}", place=root)
            if isinstance(node, ast.PassiveAbility | ast.Apply) and any(
                map(
                    _is_of_this_ability,
                    node.effects if isinstance(node, ast.PassiveAbility) else (node.effect,),
                )
            ):
                raise CompileError("no ability stands with the words that speak of it", place=root)
            if id(node) in own:
                continue
            if isinstance(node, ast.Modify) and not self._may_be_given(node):
                raise CompileError(
                    "an ability can be given nothing but times, and what is paid for as it is used, such as [Repeat]",
                    place=root,
                )
            action = node.action if isinstance(node, ast.Event | ast.Permit | ast.Forbid) else None
            if not isinstance(action, ast.Action):
                continue
            if isinstance(action.object, ast.Resource) and (
                action.object.kind == ANY_COUNTER
                or (action.verb == "move" and self.counter_sorts(action.object.kind))
            ):
                raise CompileError("nothing watches for counters of any sort, or for their moves", place=root)
            if isinstance(node, ast.Permit) and node.times is not None:
                self._know_times(node, node.times, root)
            elif isinstance(node, ast.Permit) and node.only and not _says_where_played(action):
                raise CompileError(
                    "a permission that is the only one is to play something, and names a place",
                    place=root,
                    help="say when it can't be done: \"I can't be played on your turn.\"",
                )
            if (
                isinstance(node, ast.Forbid)
                and action.verb == "prevent"
                and not _forbids_prevention(node, action)
            ):
                raise CompileError(
                    "only damage, all or a player's, can be said not to be prevented", place=root
                )
            for adverb in action.manner:
                known = self.events.get(action.verb, {}).get("manners", {})
                if adverb not in known and adverb not in ADVERBS:
                    raise CompileError(f"nothing says what {action.verb} {adverb} is", place=root)

    def _own_words(self, ability: ast.Node, root: str) -> list[ast.Node]:
        """Give what an ability says of itself, and refuse what it cannot say (818.1.c.4-5)."""
        if not isinstance(ability, ast.KeywordAbility | ast.ActivatedAbility):
            return []
        told = [inner for effect in ability.effects for inner, _, _ in flattened(effect, "", ())]
        changed = [effect for effect in told if not isinstance(effect, ast.CostChange)]
        if isinstance(ability, ast.KeywordAbility):
            more = changed or ability.restriction or ability.frequency
            if more and "activated" not in self.keyword_kinds(ability.keyword.name):
                raise CompileError(
                    f"nothing is used by [{ability.keyword.name}], so nothing narrows or widens its use",
                    place=root,
                )
        for effect in changed:
            if isinstance(effect, ast.Modify) and not all(map(self._gives_time, effect.changes)):
                raise CompileError(
                    "an ability has no more than times for itself: [Action], [Reaction]", place=root
                )
            if isinstance(effect, ast.Permit | ast.Forbid) and not _is_choice(effect):
                raise CompileError("an ability may only say of itself what it can choose", place=root)
        return changed

    def _gives_time(self, change: ast.Change) -> bool:
        known = {name for names in self.timing.values() for name in names}
        what = change.what if isinstance(change, ast.Gains) else None
        return isinstance(what, ast.Keyword) and what.name.casefold() in known

    def _know_times(self, permit: ast.Permit, times: ast.Keyword, root: str) -> None:
        """822.1.d: the times of a permissive keyword narrow what is played with the permissions of a keyword."""
        known = {name for names in self.timing.values() for name in names}
        if times.name.casefold() not in known or permit.action.verb not in self.placed:
            raise CompileError(
                f"nothing says when {permit.action.verb} is permitted at the times of {times.name}",
                place=root,
            )
        if not isinstance(permit.action.subject, ast.Player) or permit.action.to is not None:
            raise CompileError("times narrow what a player may do at all", place=root)

    def _may_be_given(self, effect: ast.Modify) -> bool:
        """Tell whether a change is none of abilities, or gives them costs to pay (820.1.a) or times (806.5, 813.5)."""
        parts = effect.subject.parts if isinstance(effect.subject, ast.Group) else (effect.subject,)
        if not any(map(speaks_of_abilities, parts)):
            return True
        timely = all(isinstance(part, ast.AbilityText) for part in parts)
        given = [change.what for change in effect.changes if isinstance(change, ast.Gains)]
        return len(given) == len(effect.changes) and all(
            (timely and self._gives_time(change))
            or (
                isinstance(what, ast.Keyword)
                and not isinstance(what.cost, ast.StatOf)
                and {held.ability.kind for held in self.keyword_abilities(what)} == {"cost"}
            )
            for what, change in zip(given, effect.changes, strict=True)
        )

    @cached_property
    def states(self) -> frozenset[str]:
        """The states that something may be in: those that the rules describe, and those that a procedure sets."""
        procedures = [entry.procedure for entry in self.rules.procedures.values()]
        steps = [step.get("with", {}) for procedure in procedures if procedure for step in procedure.steps]
        set_ = {str(part["state"]) for part in steps if "state" in part}
        return frozenset({*self.terms.get("states", {}), *set_, *STATES_OF_GROUPS, "exhausted"})

    def _rule_text(self, number: str, position: int) -> str:
        entry = self.rules.entry(number)
        if entry.procedure is not None and position < len(entry.procedure.steps):
            means = entry.procedure.steps[position].get("means")
            if means is not None:
                return means if isinstance(means, str) else "\n".join(means)
        return entry.means[position]

    def node(self, key: str, path: str = "") -> Any:
        """Give a part of a meaning: ``key`` is an ability's, ``path`` the fields that lead to the part."""
        found = self._nodes.get((key, path))
        if found is None:
            root, _, inside = key.partition("#")
            node: Any = _words_of_key(key) or self.text(root)
            for step in (*filter(None, inside.split(".")), *filter(None, path.split("."))):
                node = node[int(step)] if step.isdigit() else getattr(node, step)
            found = self._nodes[key, path] = node
        return found

    def speaks_of_payment(self, key: str) -> bool:
        """Tell whether an ability's text speaks of what an additional cost was paid with: "the killed unit"."""
        known = self._payment_words.get(key)
        if known is None:
            known = self._payment_words[key] = (
                bool(key)
                and self._has_additional_cost(key)
                and any(
                    isinstance(node, ast.Reference)
                    and node.participle is not None
                    and node.antecedent is None
                    for node in walk(self.node(key))
                )
            )
        return known

    def ignoring(self, key: str) -> tuple[tuple[str, Any, str], ...]:
        """Give the costs that a spell says to ignore for itself, each with its condition and the path of that."""
        known = self._ignoring.get(key)
        if known is None:
            body = getattr(self.node(key), "body", None)
            found: list[tuple[str, Any, str]] = []
            for position, step in enumerate(body.steps if isinstance(body, ast.Sequence) else (body,)):
                path = f"body.steps.{position}" if isinstance(body, ast.Sequence) else "body"
                condition = step.condition if isinstance(step, ast.Conditional) else None
                inner = step.body if isinstance(step, ast.Conditional) else step
                if (
                    isinstance(inner, ast.Action)
                    and inner.verb == "ignore"
                    and isinstance(inner.object, ast.StatOf)
                ):
                    found.append((inner.object.stat, condition, f"{path}.condition"))
            known = self._ignoring[key] = tuple(found)
        return known

    def _has_additional_cost(self, key: str) -> bool:
        return any(
            isinstance(part, ast.AdditionalCost) for part in self.text(key.partition("#")[0]).abilities
        )

    # ----------------------------------------------------------------------------------------- programs

    def program(self, key: str) -> Program:
        """Give a program by its key: ``do:name`` for a procedure, else an ability's key with ``>`` and a part."""
        found = self.programs.get(key)
        if found is None:
            if key.startswith("kernel:"):
                found = self.programs[key] = Program(key, (Op(key.removeprefix("kernel:")),))
            elif key.startswith("do:"):
                found = procedure_program(self, key)
                self.programs[key] = found
            else:
                self.programs.update(text_programs(self, key))
                found = self.programs[key]
        return found

    def script(self, name: str) -> Script:
        """Give a card ready to be played. Raises :class:`CompileError` where it cannot enter a game."""
        found = self._scripts.get(name)
        if found is None:
            found = self._scripts[name] = self._script(name)
        return found

    def copied_script(self, name: str, token: bool) -> Script:
        """Give a card as a copy of it is: a token stays a token and a card a card, whatever they copy (185.1.a-b)."""
        script = self.script(name)
        if ("token" in script.traits.supertypes) is token:
            return script
        found = self._copies.get((name, token))
        if found is None:
            found = self._copies[name, token] = copy(script)
            found.standings = {}
            found.traits = script.traits.copy()
            found.traits.supertypes ^= {"token"}
            found.traits.index, found.attached = script.traits.index, None
        return found

    def refused(self, name: str) -> str | None:
        """Say why a card cannot enter a game; nothing where it can."""
        try:
            self.script(name)
        except CompileError as error:
            return str(error)
        return None

    def _script(self, name: str) -> Script:
        card = self.cards.get(name)
        if card is None:
            raise CompileError(f"there is no card {name!r} in the pool", place=name)
        abilities = abilities_of(self, f"card:{name}", self.text(f"card:{name}"))
        self._check_place_of_instructions(card, abilities)
        abilities += self._type_abilities(card)
        lent = abilities_of(self, f"effect:{name}", self.text(f"effect:{name}")) if card.effect_text else ()
        for ability in (*abilities, *lent):
            self.check(ability)
        script = Script(card, abilities, lent, self._printed(card, abilities))
        script.verbs = frozenset(self._verbs((*abilities, *lent)))
        script.replaced = frozenset(self._replaced((*abilities, *lent)))
        script.reads = frozenset(
            word for ability in (*abilities, *lent) for word in self._words_read(ability.node)
        )
        script.sorts = frozenset(sort for ability in (*abilities, *lent) for sort in _sorts_in(ability.node))
        script.self_granting = frozenset(
            kind
            for held, effect, path, _ in index_of(self, script.traits).effects.get(ast.Modify, ())
            for kind in given_kinds(self, held.ability.key, path, effect)
        )
        script.fights = self.is_type(script.traits.types, "fights")
        script.permanent = any(self.types.get(word, {}).get("permanent") for word in card.types)
        printed = index_of(self, script.traits)
        script.kinds = frozenset((*printed.by_kind, *map(type_of, printed.effects), *script.self_granting))
        script.gives_itself = any(
            alters_abilities(effect)
            for _, effect, _, _ in index_of(self, script.traits).effects.get(ast.Modify, ())
        )
        script.permits = not PERMITTING.isdisjoint(printed.effects)
        script.timed = self._permissive(script.traits, printed)
        script.inward = printed.own_changes
        script.watches = bool(printed.watching)
        script.idle = not (script.watches or script.outward or script.self_granting)
        return script

    def _permissive(self, traits: Traits, printed: Index) -> frozenset[str]:
        """Give the permissive keywords that a card has, or may give to itself (806.4)."""
        changes = (
            change for _, effect, _, _ in printed.effects.get(ast.Modify, ()) for change in effect.changes
        )
        given = (change.what for change in changes if isinstance(change, ast.Gains))
        names = {what.name.casefold() for what in given if isinstance(what, ast.Keyword)}
        known = {name for row in self.timing.values() for name in row}
        return frozenset(known & {*traits.keywords, *printed.keywords, *names})

    def _words_read(self, node: Any) -> Iterable[str]:
        """Yield what characteristics, and whether an effect is on, depend on: states, zones, verbs, the phase.

        More than needed does no harm. What else an effect speaks of is looked at whenever it is asked for.
        """
        for part in walk(node):
            if isinstance(part, ast.PassiveAbility):
                yield from self._looked_at(part.condition)
                for effect in part.effects:
                    yield from self._kept_of(effect)
            elif isinstance(part, ast.Apply):
                yield from self._looked_at(part.duration)
                yield from self._kept_of(part.effect)

    def _kept_of(self, effect: Any) -> Iterable[str]:
        if isinstance(effect, ast.Modify):
            yield from self._looked_at(effect)
            for change in effect.changes:
                if isinstance(change, ast.Gains) and is_of_tags(change.what):
                    tags = change.what.tags if isinstance(change.what, ast.HasTag) else ("named",)
                    yield from (f"{TAGS}{tag}" for tag in tags)
                elif isinstance(change, ast.BecomesType):
                    yield OTHER_TRAITS
                    yield from (f"{TAGS}{word}" for word in change.types)
                elif isinstance(change, ast.Gains) and isinstance(change.what, ast.HasDomain):
                    yield OTHER_TRAITS
        elif isinstance(effect, ast.Also):
            yield from self._looked_at(effect.condition)
            for inner in effect.effects:
                yield from self._kept_of(inner)

    def _looked_at(self, node: Any) -> Iterable[str]:
        states = self.terms.get("states", {})
        parts = tuple(walk(node))
        # What an event was about is known: it is looked for nowhere.
        told = {
            id(inner)
            for part in parts
            if isinstance(part, ast.Happened | ast.EventCount | ast.That)
            for inner in walk(part.event)
        }
        for part in parts:
            if isinstance(part, ast.Zone):
                yield f"zone:{self.terms.get('zones', {}).get(part.name, part.name)}"
            elif isinstance(part, ast.Objects) and "card" in part.nouns and id(part) not in told:
                # "Cards you have": wherever they are.
                yield from (f"zone:{name}" for name, zone in self.zones.items() if not zone.board)
            elif isinstance(part, ast.HasState):
                yield part.state
                for test, value in states.get(part.state, {}).items():
                    if test == "in-combat":
                        yield PHASE
                    if isinstance(value, str):
                        yield value
            elif (isinstance(part, ast.InPhase | ast.During) and part.phase != "turn") or (
                isinstance(part, ast.Player) and part.which in ("attacker", "defender")
            ):
                yield PHASE
            elif isinstance(part, ast.Happened | ast.EventCount | ast.That):
                # What has happened this turn: each such event may change the answer.
                for inner in walk(part.event):
                    if isinstance(inner, ast.Action):
                        alias = self.events.get(inner.verb, {})
                        yield from (alias.get("verb", inner.verb), alias.get("counted", inner.verb))
                        if inner.verb == "spend":
                            yield "pay"

    def _verbs(self, abilities: Iterable[Ability]) -> Iterable[str]:
        for ability in abilities:
            yield from ability.verbs
            yield from self._awaited_in(ability.node, ast.TriggeredAbility, ast.ReplacementAbility)

    def _replaced(self, abilities: Iterable[Ability]) -> Iterable[str]:
        for ability in abilities:
            if ability.kind == "replacement":
                yield from ability.verbs
            yield from self._awaited_in(ability.node, ast.ReplacementAbility)

    def _awaited_in(
        self, node: ast.Node, *kinds: type[ast.TriggeredAbility] | type[ast.ReplacementAbility]
    ) -> Iterable[str]:
        """Yield the events that abilities of some sorts in a text watch for, also those that it gives or makes."""
        for part in walk(node):
            if isinstance(part, kinds):
                events = part.events if isinstance(part, ast.TriggeredAbility) else (part.event,)
                yield from (event_verb(self, event) for event in events)

    def _type_abilities(self, card: CardDefinition) -> tuple[Ability, ...]:
        """Abilities that a type or name has by the rules, as basic runes have (164.2)."""
        found: list[Ability] = []
        for row in self.table("inherent-abilities", ()):
            if row["type"] in card.types and row.get("supertype", "") in ("", *card.supertypes):
                root = f"rule:{row['rule']}/0"
                found.extend(abilities_of(self, root, self.text(root)))
        return tuple(found)

    def _check_place_of_instructions(self, card: CardDefinition, abilities: tuple[Ability, ...]) -> None:
        """135.2.b.1: instructions stand on spells and in abilities; nothing would carry out any other."""
        rows = [self.types.get(word, {}) for word in card.types]
        resolves = any(row.get("played") and not row.get("permanent") for row in rows)
        if not resolves and any(ability.kind == "spell" for ability in abilities):
            raise CompileError(
                f"an instruction stands by itself on a {' '.join(card.types)}, and nothing would carry it out",
                place=card.name,
                help="write when it is carried out, or what is paid for it",
            )

    def check(self, ability: Ability) -> None:
        """Compile every program of an ability, so that what cannot be carried out is found before a game."""
        if ability.kind in ("triggered", "activated", "replacement", "spell"):
            self.program(f"{ability.key}>prepare")

    def _printed(self, card: CardDefinition, abilities: tuple[Ability, ...]) -> Traits:
        figures = dict(card.figures)
        keywords: dict[str, int] = {}
        instances: list[ast.Keyword] = []
        for ability in abilities:
            # 806.5.c, 813.5.c: the time of an activated ability is no characteristic of its card.
            instances.extend(
                gate
                for gate in ability.gates
                if ability.kind != "activated" or "permissive" not in self.keyword_kinds(gate.name)
            )
            instances.extend([ability.instance] if ability.instance else [])
        for keyword in instances:
            add_keyword(self, keywords, keyword)
        supertypes = frozenset((*card.supertypes, *(("token",) if card.token else ())))
        return Traits(
            name=card.name,
            types=frozenset(card.types),
            supertypes=supertypes,
            tags=frozenset(card.tags),
            domains=card.domains,
            figures=figures,
            base=dict(figures),
            keywords=keywords,
            instances=tuple(a.instance for a in abilities if a.instance is not None),
            abilities=tuple(Held(ability) for ability in abilities),
            card=card.name,
        )


def add_keyword(
    ruleset: Ruleset, keywords: dict[str, int], keyword: ast.Keyword, value: int | None = None
) -> None:
    """Add an instance of a keyword to those of an object: values are summed where its entry says so (807.2)."""
    name = keyword.name.casefold()
    amount = ruleset.keyword_value(keyword) if value is None else value
    if ruleset.keyword_sums(name):
        keywords[name] = keywords.get(name, 0) + amount
    else:
        keywords[name] = max(keywords.get(name, 0), amount)


def _numbers(rule: Any) -> tuple[str, ...]:
    return () if rule is None else (rule,) if isinstance(rule, str) else tuple(rule)


TAGS = "tags:"
"""Among what is read: that an effect of the game gives tags, so that they are not always as printed."""

OTHER_TRAITS = "traits:"
"""Among what is read: that an effect of the game alters types or domains, so that they are not always as printed."""

PHASE = "phase:"
"""Among what is read: the phase, showdown or combat that is under way."""

VALUE = 97
"""The number that stands for X, a keyword's own value, while its meaning is read (807.1.b.1)."""


def _sorts_in(node: ast.Node) -> Iterable[Sort]:
    """Yield what each effect in some words is looked for by."""
    for part in walk(node):
        if isinstance(part, ast.Effect):
            yield from sorts(part)


def _is_of_this_ability(effect: Any) -> bool:
    """Tell whether an effect is about the ability that it stands with: "this ability costs [1] less"."""
    if isinstance(effect, ast.Also):
        return any(map(_is_of_this_ability, effect.effects))
    if isinstance(effect, ast.Permit | ast.Forbid):
        return _is_this(effect.action.subject) or _is_this(effect.action.using)
    if isinstance(effect, ast.CostChange):
        return _is_this(effect.what)
    return isinstance(effect, ast.Modify) and _is_this(effect.subject)


def _is_this(what: Any) -> bool:
    return isinstance(what, ast.Reference) and what.role == "this" and what.nouns == ("ability",)


def _is_choice(effect: ast.Permit | ast.Forbid) -> bool:
    """Tell whether words say what may be chosen or may not, and nothing else."""
    action = effect.action
    plain = ast.Action("choose", action.subject, action.object, using=action.using)
    return action.object is not None and action == plain


def _says_where_played(action: ast.Action) -> bool:
    return action.verb == "play" and (action.to is not None or action.at is not None)


def _forbids_prevention(node: ast.Forbid, action: ast.Action) -> bool:
    """Tell whether words say what a game can look for: that damage, all of it or a player's, can't be prevented."""
    damage = action.object
    return (
        isinstance(damage, ast.Resource)
        and damage.kind in ("damage", "combat-damage")
        and isinstance(damage.of, ast.Player | None)
        and action == ast.Action("prevent", object=damage)
        and node.until is None
    )


def _with_value(node: Any, name: str) -> Any:
    """Put the keyword's value, as the object has it in all, where its meaning says X."""
    if node == ast.Number(VALUE):
        return ast.StatOf(name.casefold(), ast.Self())
    changes: dict[str, Any] = {}
    for slot in fields(node):
        value = getattr(node, slot.name)
        if isinstance(value, ast.Node):
            changes[slot.name] = _with_value(value, name)
        elif isinstance(value, tuple) and any(isinstance(part, ast.Node) for part in value):
            changes[slot.name] = tuple(_with_value(p, name) if isinstance(p, ast.Node) else p for p in value)
    return replace(node, **changes)


def _parse(game: str, text: str, card: CardDefinition | None) -> ast.CardText:
    reading = parse(text, game=game)
    if reading.text is None or not reading.ok:
        first = reading.diagnostics[0] if reading.diagnostics else None
        raise CompileError(
            first.message if first is not None else "the text is not read",
            place=card.place or card.name if card is not None else None,
            help=first.help if first is not None else None,
        )
    return reading.text


def given_key(cost: ast.Cost | ast.CostOptions) -> str:
    """Give a key under which :meth:`Ruleset.node` gives a cost that an effect has given and that is printed nowhere."""
    return f"given:{json.dumps(to_json(cost), separators=(',', ':'), sort_keys=True).encode().hex()}"


def _words_of_key(key: str) -> ast.Node | None:
    """Give the words of a key that holds them itself; nothing for the key of a text."""
    sort, _, words = key.partition(":")
    if sort == "price":
        return _price_words(key)
    if sort == "given":
        return from_json(json.loads(bytes.fromhex(words)))
    return None


def _price_words(key: str) -> ast.Cost:
    """Give the words of a price that is printed nowhere: ``price:2:fury+fury``."""
    _, energy, power = key.split(":")
    parts: list[Any] = [ast.Power(domain, ast.Number(1)) for domain in power.split("+") if domain]
    if int(energy) or not parts:
        parts.insert(0, ast.Energy(ast.Number(int(energy))))
    return ast.Cost(tuple(parts))
