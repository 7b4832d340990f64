"""Builds positions in which the abilities of one card can be used, from what its text speaks of.

What a text triggers on becomes a spell that does just that, what it describes becomes a card that fits the
description, what it counts is put there more than once. Each attempt is another stage: crowded or bare, on the one
player's turn or the other's, early or late in the turn, with the card in hand, on the board, attached or hidden.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rulewright.cards import CardDefinition
from rulewright.engine import Game, Position, Ruleset
from rulewright.engine.run import Run
from rulewright.language import ast
from rulewright.language.print import print_text
from rulewright.language.tree import walk
from rulewright.play.agents import RandomSource
from rulewright.play.needs import Needs, needs_of

CAUSES = (
    "Deal 2 to a unit.",
    "Kill a unit.",
    "Kill a gear.",
    "Stun a unit.",
    "Buff a unit.",
    "Ready a unit.",
    "Exhaust a unit.",
    "Heal a unit.",
    "Move a friendly unit.",
    "Move an enemy unit.",
    "Return a unit to its owner's hand.",
    "Banish a unit.",
    "Give a unit +3 [M] this turn.",
    "Discard 1. Draw 2.",
    "Counter a spell.",
    "Channel 1 rune exhausted.",
    "Gain 3 XP.",
    "You score 1 point.",
    "Play two 1 [M] Recruit unit tokens.",
    "Play a Gold gear token exhausted.",
    "Recycle a card from your trash.",
    "Attach an Equipment you control to a unit you control.",
    "Empower a friendly unit.",
    "Predict.",
    "Reveal the top 3 cards of your Main Deck. Recycle them.",
)
"""What many abilities wait for: each is a spell that both players have; one that a game cannot read is left out."""

STATES = {
    "mighty": "Give a unit +5 [M] this turn.",
    "stunned": "Stun a unit.",
    "ready": "Ready a unit.",
    "exhausted": "Exhaust a unit.",
    "buffed": "Buff a unit.",
}
"""What makes something become so."""

FLEETING = "Temporary"
"""The keyword of a unit that dies in the Beginning Phase."""

FAR = 40
"""The points that win on most stages, so that the game goes on."""

ANY_TIME = "[Reaction]"
"""The keyword with which a spell may be played at any time."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One position to try a card in: the game, and the run of it, which can be watched.

    ``calm`` says that the players should let happen what is set up, rather than do much besides.
    """

    game: Game
    run: Run
    calm: bool = False


@dataclass(slots=True)
class Company:
    """What is put on a stage besides the card: made from its text.

    ``spells`` cause what it waits for, ``people`` and ``things`` fit what it describes, ``cards`` defines them all.
    ``tokens`` are tokens of the game, ``needs`` what a position must have; ``hides`` tells that the card may be hidden.
    """

    cards: dict[str, CardDefinition] = field(default_factory=dict)
    spells: list[str] = field(default_factory=list)
    common: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    things: list[str] = field(default_factory=list)
    legends: list[str] = field(default_factory=list)
    heroes: list[str] = field(default_factory=list)
    fleeting: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    needs: Needs = field(default_factory=Needs)
    hides: bool = False

    def tags(self) -> set[str]:
        """The tags that its cards have."""
        return {tag for card in self.cards.values() for tag in card.tags}


def company_for(ruleset: Ruleset, card: str, more: Iterable[ast.Node] = ()) -> Company:
    """Make the cards that a stage for a card needs; ``more`` are abilities that it has by its keywords."""
    made = Company()
    meanings = [ruleset.text(f"card:{card}")]
    if ruleset.cards[card].effect_text:
        meanings.append(ruleset.text(f"effect:{card}"))
    nodes = [node for meaning in meanings for _, node in walk(meaning)]
    made.needs = needs_of([*nodes, *(node for ability in more for _, node in walk(ability))])
    words = [f"{ANY_TIME}\n{text}" for text in dict.fromkeys(_causes(nodes))]
    _add_spells(ruleset, made, made.spells, "Cause", words)
    if made.needs.cost or made.needs.power:
        _add(ruleset, made, made.spells, _dear_spell(made.needs))
    hiding = ruleset.table("hiding", {}).get("keyword", "")
    own = [node.keyword.name.casefold() for node in nodes if isinstance(node, ast.KeywordAbility)]
    made.hides = hiding.casefold() in own
    if made.needs.hiding and hiding:
        _add(ruleset, made, made.spells, _definition("Lurker", "unit", 2, f"[{hiding}]"))
    for kind in sorted(made.needs.swift):
        _add(ruleset, made, made.spells, _definition(f"Swift {kind}", kind, 2, ANY_TIME))
    _add_spells(ruleset, made, made.common, "Common", [f"{ANY_TIME}\n{text}" for text in CAUSES])
    if any(isinstance(node, ast.HasTag) and "named" in node.tags for node in nodes):
        tag = min(tag for known in ruleset.cards.values() for tag in known.tags)
        _add(ruleset, made, made.people, _definition("Namesake", "unit", 4, tags=(tag,)))
    for number, (tags, keywords) in enumerate(_descriptions(nodes)):
        for kind, named in (("unit", made.people), ("gear", made.things)):
            text = "\n".join(f"[{word}]" for word in keywords)
            _add(ruleset, made, named, _definition(f"Fitting {kind} {number}", kind, 3, text, tags))
    for node in nodes:
        if isinstance(node, ast.AbilityText):
            # "Conquer effects of units here": somebody has one, where the word is that of an event.
            _add(
                ruleset,
                made,
                made.people,
                _definition(f"One to {node.sort}", "unit", 3, f"When I {node.sort}, draw 1."),
            )
    for might in (1, 3, 6):
        _add(ruleset, made, made.people, _definition(f"Guard {might}", "unit", might))
    _add(ruleset, made, made.things, _definition("Lamp", "gear", 0))
    blade = dataclasses.replace(
        _definition("Blade", "gear", 0, "[Equip] [1]", ("Equipment",)),
        figures=(("energy", 1), ("might_bonus", 1)),
        effect_text="When I attack, draw 1.",
    )
    _add(ruleset, made, made.things, blade)
    _add(ruleset, made, made.legends, _definition("Elder", "legend", 0))
    _add(ruleset, made, made.heroes, _definition("Hero", "unit", 4))
    _add(ruleset, made, made.fleeting, _definition("Mayfly", "unit", 2, f"[{FLEETING}]"))
    tokens = sorted(one.name for one in ruleset.cards.values() if one.token and one.types == ("unit",))
    made.tokens = tokens[:1]
    return made


def _dear_spell(needs: Needs) -> CardDefinition:
    figures = (("energy", max(1, needs.cost)), ("power", max(1, needs.power)))
    return dataclasses.replace(_definition("Dear", "spell", 0, f"{ANY_TIME}\nDraw 1."), figures=figures)


def _definition(
    name: str, kind: str, might: int, text: str = "", tags: tuple[str, ...] = ()
) -> CardDefinition:
    figures: tuple[tuple[str, int], ...] = () if kind == "legend" else (("energy", 2),)
    if kind == "unit":
        figures = (("energy", max(1, might)), ("might", might))
    return CardDefinition(name, (kind,), domains=("order",), figures=figures, text=text, tags=tags)


def _add(ruleset: Ruleset, made: Company, to: list[str], card: CardDefinition) -> None:
    if _can_be_played(ruleset, card):
        made.cards[card.name] = card
        to.append(card.name)


def _add_spells(ruleset: Ruleset, made: Company, to: list[str], name: str, texts: list[str]) -> None:
    for number, text in enumerate(texts):
        _add(ruleset, made, to, _definition(f"{name} {number + 1}", "spell", 0, text))


def _can_be_played(ruleset: Ruleset, card: CardDefinition) -> bool:
    known = _JUDGED.get((ruleset.rules.digest, card))
    if known is None:
        try:
            known = ruleset.with_cards([card]).refused(card.name) is None
        except Exception:  # words made from a meaning need not be words that anybody would write
            known = False
        _JUDGED[ruleset.rules.digest, card] = known
    return known


_JUDGED: dict[tuple[str, CardDefinition], bool] = {}


# ----------------------------------------------------------------------------------- what a text waits for


def _causes(nodes: list[ast.Node]) -> Iterator[str]:
    """Give the texts of spells that do what is described: the events waited for, counted or replaced."""
    for node in nodes:
        if isinstance(node, ast.HasType) and node.type == "token":
            yield "Play a 1 [M] Recruit unit token."
        if isinstance(node, ast.Action) and node.verb == "ready" and isinstance(node.object, ast.Objects):
            # What is ready already cannot be readied: something tires it first.
            yield from (f"Exhaust a {noun}." for noun in node.object.nouns)
        action = node.action if isinstance(node, ast.Event | ast.Permit | ast.Forbid) else None
        if isinstance(action, ast.Action) and action.verb == "become" and action.state in STATES:
            yield STATES[action.state]
        elif isinstance(action, ast.Action) and action.verb != "hide":
            # A card is hidden by whoever holds it (421.2.a), no spell's work: there is one to be hidden instead.
            for instruction in _instructions(action):
                try:
                    yield print_text(ast.CardText((ast.SpellAbility(instruction),)))
                except Exception:  # not everything that happens can be told anybody to do
                    continue


def _instructions(action: ast.Action) -> Iterator[ast.Action]:
    """Turn what happens into what somebody may be told to do."""
    one = ast.Quantity("exactly", ast.Number(1))
    unit = ast.Objects(one, ("unit",))
    thing = action.object if isinstance(action.object, ast.Objects) else None
    described = dataclasses.replace(thing, quantity=one) if thing is not None else unit
    plain = ast.Objects(one, described.nouns)
    you = ast.Player("you")
    verb = {"die": "kill", "take": "deal"}.get(action.verb, action.verb)
    if isinstance(action.object, ast.Resource):
        yield ast.Action(verb, you, object=action.object)
        return
    amount = ast.Number(1) if action.amount is not None or verb == "deal" else None
    for object in (described, plain, unit, None):
        yield ast.Action(verb, you, object=object, amount=amount)


def _descriptions(nodes: list[ast.Node]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Give the tags and the keywords of cards that fit what a text describes, one set for each description."""
    seen: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
    for node in nodes:
        tags: tuple[str, ...] = ()
        words: tuple[str, ...] = ()
        if isinstance(node, ast.HasTag | ast.TagsAmong | ast.TagCount):
            tags = tuple(tag for tag in node.tags if tag != "named")
        elif isinstance(node, ast.Objects):
            tags = tuple(noun for noun in node.nouns if noun[:1].isupper())
        elif isinstance(node, ast.HasKeyword):
            words = (node.keyword.name,)
        elif isinstance(node, ast.AbilityText):
            words = (node.sort.title(),)
        for each in [(tags, words), *(((tag,), ()) for tag in tags)]:
            if any(each) and each not in seen:
                seen.add(each)
                yield each


# ------------------------------------------------------------------------------------------- the stage


def build(ruleset: Ruleset, company: Company, card: str, attempt: int) -> Stage:
    """Put a card on a stage; ``attempt`` says which of the many, and is all the chance there is in it."""
    if company.needs.any and attempt % 2:
        return _FittedBuilder(ruleset, company, card, attempt).stage()
    return _Builder(ruleset, company, card, attempt).stage()


class _Builder:
    def __init__(self, ruleset: Ruleset, company: Company, card: str, attempt: int) -> None:
        self.ruleset = ruleset
        self.company = company
        self.card = ruleset.cards[card]
        self.attempt = attempt
        self.random = RandomSource(attempt * 7919 + 1)
        self.crowd = (2, 1, 0)[attempt % 3]
        self.owner = 0
        self.position = Position(ruleset, seed=attempt + 1)
        self.zones = ruleset.zones
        self.counters = dict.fromkeys(ruleset.terms.get("counters", {}), 1)
        self.fields: list[int] = []

    def some(self, of: list[str]) -> str:
        return of[self.random.below(len(of))]

    def stage(self) -> Stage:
        self._locations()
        self._subject()
        for player in (0, 1):
            self._board(player)
            self._hand_and_decks(player)
            self._figures(player)
            self._champions(player)
        if self.card.has_type("unit") and self.random.below(2):
            self.position.chosen(self.owner, self.card.name)
        game = self.position.start(
            turn_player=(0, 0, 1)[self.random.below(3)],
            turn=6,
            phase=("main-phase", "main-phase", "awaken-phase", "beginning-phase")[self.random.below(4)],
            winning=12 if self.attempt % 5 == 4 else FAR,
            ask_passes=True,
        )
        return Stage(game, self.position.run)

    def _locations(self) -> None:
        field = self.card.name if "battlefield" in self.card.types else None
        holders = [0, 1, None]
        first = self.random.below(2) if field is not None else 0
        for place, holder in enumerate(holders):
            named = field if field is not None and place == first else None
            self.fields.append(self.position.battlefield(named, controller=holder))

    def _put(self, card: str, player: int, zone: str, **more: Any) -> int | None:
        if zone not in self.zones:
            return None
        return self.position.put(card, player=player, zone=zone, **more)

    def _subject(self) -> None:
        """Put the card where its sort may be, more than once where that does no harm."""
        name, types = self.card.name, self.card.types
        if "battlefield" in types:
            return
        if "legend" in types:
            self._put(name, self.owner, "legend-zone", exhausted=self.attempt % 3 == 2)
            return
        home, field = self.ruleset.home, self.ruleset.field
        if "rune" in types:
            self._put(name, self.owner, home)
            return
        where = self.random.below(4)
        if not self.card.token:
            self._put(name, self.owner, "hand")
            if where == 1:
                self._put(name, self.owner, "trash")
                self._put(name, self.owner, "champion-zone")
            if where == 2 and "facedown" in self.zones:
                self._put(name, self.owner, "facedown", at=self.fields[0])
        if "spell" in types:
            return
        state = self.random.below(3) == 0
        if "unit" in types and (where != 3 or self.card.token):
            at = {"zone": field, "at": self.fields[0]} if where != 1 else {"zone": home}
            ref = self.position.put(
                name,
                player=self.owner,
                exhausted=state,
                damage=1 if self.attempt % 7 == 6 else 0,
                counters=self.counters if self.random.below(3) == 0 else {},
                **at,
            )
            if self.random.below(2) and (
                gear := next((t for t in self.company.things if t == "Blade"), None)
            ):
                worn = self._put(gear, self.owner, home)
                if worn is not None:
                    self.position.attach(worn, ref)
        if "gear" in types and (where != 3 or self.card.token):
            worn = self._put(name, self.owner, home, exhausted=state)
            if worn is not None and (self.card.effect_text or self.card.figure("might_bonus")):
                host = self.position.put("Guard 6", self.owner, field, self.fields[0])
                if where != 1:
                    self.position.attach(worn, host)

    def _board(self, player: int) -> None:
        """Put people and things in a player's base and at their battlefield."""
        home, field = self.ruleset.home, self.ruleset.field
        count = (2, 4, 8)[self.crowd] if self.crowd or player != self.owner else self.random.below(3)
        for number in range(count):
            person = (
                self.company.people[number % len(self.company.people)]
                if self.crowd == 2
                else self.some(self.company.people)
            )
            afield = self.random.below(2)
            condition = self.random.below(6)
            self.position.put(
                person,
                player=player,
                zone=field if afield else home,
                at=self.fields[player] if afield else 0,
                exhausted=condition == 1,
                states=("stunned",) if condition == 2 else (),
                counters=self.counters if condition == 3 else {},
                damage=1 if condition == 4 and person not in ("Guard 1",) else 0,
            )
        for thing in (*self.company.things, *self.company.tokens) if self.crowd else ():
            self._put(thing, player, home, exhausted=self.random.below(3) == 0)
        for word in dict.fromkeys((*self.card.domains, "fury", "order")) if self.crowd < 2 or player else ():
            try:
                self.position.runes(player, word, 3)
            except StopIteration:
                continue

    def _champions(self, player: int) -> None:
        """Put a legend and a Chosen Champion where they may be."""
        if player != self.owner or "legend" not in self.card.types:
            for legend in self.company.legends:
                self._put(legend, player, "legend-zone", exhausted=self.random.below(2) == 0)
        for hero in self.company.heroes:
            self._put(hero, player, ("trash", "champion-zone")[self.attempt % 2])
            self.position.chosen(player, hero)

    def _hand_and_decks(self, player: int) -> None:
        company = self.company
        hand = company.spells * max(1, self.company.needs.times)
        hand += [self.some(company.common) for _ in range(3 if company.common else 0)]
        hand += [self.some(company.people), company.things[0]] if self.crowd or player else []
        for card in hand if self.crowd or self.attempt % 2 else hand[:3]:
            self._put(card, player, "hand")
        trash = [*company.people[:2], *company.things[:1], *(company.common[:1])]
        for card in trash if self.crowd else ():
            self._put(card, player, "trash")
        mixed = [*company.people, *company.things, *company.common[:2]]
        if player == self.owner and not self.card.token and set(self.card.types) & {"unit", "spell", "gear"}:
            mixed.append(self.card.name)
        for _ in range(14):
            self._put(self.some(mixed), player, "main-deck")
        filler = self.ruleset.plain_card("rune-deck") if "rune-deck" in self.zones else None
        for _ in range(8 if filler else 0):
            self._put(str(filler), player, "rune-deck")

    def _figures(self, player: int) -> None:
        points = self.random.below(4) if self.attempt % 5 != 4 else 9 + self.random.below(2)
        self.position.resources(player, points=points, xp=(0, 6, 20)[self.crowd])


class _FittedBuilder(_Builder):
    """Sets up just what a text needs: a combat about to begin, a battlefield to hold, a first Beginning Phase."""

    def __init__(self, ruleset: Ruleset, company: Company, card: str, attempt: int) -> None:
        super().__init__(ruleset, company, card, attempt)
        needs = company.needs
        scenes = {
            "attack": needs.combat or needs.showdown or needs.units,
            "defend": needs.combat or needs.enemies,
            "hold": needs.hold or (needs.units and not needs.beginning),
            "begin": needs.beginning or needs.first,
            "open": needs.top or needs.close or needs.cards,
        }
        self.needs = needs
        self.variant, which = divmod(attempt // 2, sum(map(bool, scenes.values())))
        self.scene = [scene for scene, wanted in scenes.items() if wanted][which]
        self.might, self.against = ((6, 1), (3, 3), (1, 6))[self.variant % 3]

    def stage(self) -> Stage:
        self._locations()
        if self.scene == "attack" and "battlefield" in self.card.types:
            self.fields.reverse()
        self._subject()
        for player in (0, 1):
            self._sides(player)
            self._hand_and_decks(player)
            self._figures(player)
            self._champions(player)
        turn, goal = (1, FAR) if self.needs.first else (6, FAR)
        if self.needs.close:
            goal = 9
        game = self.position.start(
            turn_player=1 if self.scene == "defend" else self.owner,
            turn=turn,
            phase="awaken-phase" if self.scene in ("hold", "begin") else "main-phase",
            winning=goal,
            ask_passes=True,
        )
        return Stage(game, self.position.run, calm=True)

    def _locations(self) -> None:
        """Give the owner the first battlefield and the other player the last; a card that is one is where it counts."""
        field = self.card.name if "battlefield" in self.card.types else None
        contested = 2 if self.scene == "attack" else 0
        holders = (0, None, 1) if self.variant % 2 == 0 else (0, 1, None)
        for place, holder in enumerate(holders):
            named = field if place == contested else None
            self.fields.append(self.position.battlefield(named, controller=holder))

    def _subject(self) -> None:
        name, types, home = self.card.name, self.card.types, self.ruleset.home
        if not self.card.token and set(types) & {"unit", "gear", "spell"}:
            if self.needs.top:
                for _ in range(3):
                    self._put(name, self.owner, "main-deck")
            if not self.needs.exact:
                self._put(name, self.owner, "hand")
        if "legend" in types:
            self._put(name, self.owner, "legend-zone")
        elif "rune" in types:
            self._put(name, self.owner, home)
        if self.company.hides and self.scene == "defend":
            # 811.1.d.1: from facedown it is played where it lies, which is where the fight is.
            self._put(name, self.owner, "facedown", at=self.fields[0])
        if "unit" in types and self.variant % 4 != 3:
            self._stand(name, self.owner)
        elif "gear" in types:
            worn = self._put(name, self.owner, home)
            if worn is not None and (self.card.effect_text or self.card.figure("might_bonus")):
                self.position.attach(worn, self._stand(f"Guard {self.might}", self.owner))

    def _stand(self, name: str, player: int) -> int:
        """Put a unit where the scene wants it: ready to attack, or at the battlefield that is held."""
        afield = self.scene in ("hold", "begin") or (self.scene == "defend") == (player == self.owner)
        stunned = self.needs.tie or (self.needs.enemies and player != self.owner)
        states = ("stunned",) if stunned else ()
        zone, at = (self.ruleset.field, self._post(player)) if afield else (self.ruleset.home, 0)
        hurt = 1 if self.needs.damaged and player != self.owner and name != "Guard 1" else 0
        return self.position.put(name, player, zone, at, states=states, damage=hurt)

    def _post(self, player: int) -> int:
        if self.scene == "attack":
            return self.fields[-1] if player != self.owner else self.fields[0]
        if self.scene == "defend":
            return self.fields[0]
        return self.fields[0] if player == self.owner else self.fields[1 if self.variant % 2 else 2]

    def _sides(self, player: int) -> None:
        mine = player == self.owner
        guard = f"Guard {self.might if mine else self.against}"
        standing = "unit" in self.card.types and self.variant % 4 != 3
        count = self.needs.units - standing if mine and self.needs.units else 1
        if mine and standing and not self.needs.units and self.variant % 2 == 0:
            count = 0
        for _ in range(max(0, count)):
            self._stand(guard, player)
        for fleeting in self.company.fleeting if self.scene == "begin" and not self.needs.exact else ():
            self._put(fleeting, player, self.ruleset.home)

    def _hand_and_decks(self, player: int) -> None:
        company = self.company
        hand = [*company.spells, *(self.some(company.common) for _ in range(2 if company.common else 0))]
        if player == self.owner and self.needs.cards:
            hand = [self.some(company.people) for _ in range(self.needs.cards)]
        if self.needs.top:
            hand += company.common[-2:] * 2
        for card in hand:
            self._put(card, player, "hand")
        for _ in range(10):
            self._put(self.some(company.people), player, "main-deck")
        filler = self.ruleset.plain_card("rune-deck") if "rune-deck" in self.zones else None
        for _ in range(8 if filler else 0):
            self._put(str(filler), player, "rune-deck")

    def _figures(self, player: int) -> None:
        points = 7 if self.needs.close and player != self.owner else 0
        self.position.resources(player, points=points, xp=6)
