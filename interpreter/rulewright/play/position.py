"""Sets a scenario's position up: the cards made for it, the objects in their zones, whose turn it is.

What a scenario does not say is plain: battlefields with no text, decks of cards that do nothing, a pool with enough
of everything, the Main Phase.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from string import ascii_uppercase

from rulewright.cards import CardDefinition
from rulewright.cards.card import card_from
from rulewright.cards.deck import Deck
from rulewright.cards.reading import words_of
from rulewright.engine import Game, Position, Ruleset
from rulewright.language import default_vocabulary
from rulewright.play.decks import DeckMaker
from rulewright.play.match import Match, lengths_of
from rulewright.play.scenario import Piece, Plain, Scenario, ScenarioError, piece, resources
from rulewright.play.table import reader

PLAYER = re.compile(r"P([1-4])")
"""How a scenario names a player."""

PLENTY = {"energy": 20, "any": 20}
"""What is in a pool of which nothing is said."""

DECK = 12
"""How many cards a deck has of which nothing is said."""

CHOSEN = "chosen champion"
"""The key that names a player's chosen card (103.2.a)."""

DUEL = "duel"
"""The mode of play where nothing is said."""

FILLER = "Blank"
"""The name of a card that does nothing."""


@dataclass(slots=True)
class Board:
    """A game set up from a scenario, and what the scenario calls its objects and battlefields.

    ``names`` maps what the scenario calls an object to the object's number in the game; ``cards`` maps it to the
    name of its card, and ``places`` maps the letters of battlefields to their numbers. ``started`` is how long the
    log was when the scenario began, ``assigned`` the shares of damage that lines have assigned and that are not dealt
    yet: the player, the shares, and how long the history was. ``plenty`` are the players whose pools never run out.
    ``decks`` are those that a game was begun with from its setup, ``mode`` the mode of play, ``banned`` the cards that
    the format does not allow; ``match`` is the match that the game belongs to, where there is one, and
    ``seed`` that of its dice.
    """

    game: Game
    ruleset: Ruleset
    names: dict[str, int]
    cards: dict[str, str]
    places: dict[str, int]
    players: int
    started: int
    assigned: list[tuple[int, dict[int, int], int]] = field(default_factory=list)
    plenty: tuple[int, ...] = ()
    decks: tuple[Deck, ...] = ()
    mode: str = DUEL
    banned: tuple[str, ...] = ()
    match: Match | None = None
    seed: int = 1

    def copy(self) -> "Board":
        """Give a board whose game goes on apart from this one's."""
        return replace(self, game=self.game.copy(), names=dict(self.names), assigned=list(self.assigned))


def player_number(name: str) -> int:
    """Give the number, from 0, of a player as a scenario names it.

    >>> player_number("P2")
    1
    """
    return int(name[1:]) - 1


def set_up(scenario: Scenario, ruleset: Ruleset) -> Board:
    """Set a scenario's position up, with the cards of ``ruleset`` and those made for it.

    Raises :class:`ScenarioError` with the place of what cannot be set up.
    """
    return _Table(scenario, ruleset).board()


def prepared(ruleset: Ruleset) -> Ruleset:
    """Give a ruleset that has compiled what every game needs, so that all rulesets made of it share that."""
    Position(ruleset).start()
    return ruleset


@dataclass(slots=True)
class _Table:
    scenario: Scenario
    printed: Ruleset
    made: dict[str, CardDefinition] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    cards: dict[str, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)

    def board(self) -> Board:
        given = self.scenario.given
        _check_players(self.scenario)
        self._make_cards()
        if "decks" in given:
            return self._from_setup(given)
        if "best of" in given:
            raise ScenarioError("a match begins with decks, and none are given", place=self.scenario.place)
        ruleset = self._ruleset()
        players = _players(self.scenario)
        position = Position(
            ruleset,
            mode=given.get("mode", DUEL),
            names=tuple(f"P{number + 1}" for number in range(players)),
            seed=given.get("seed", 1),
        )
        self._put_battlefields(position)
        for player in range(players):
            self._put_side(position, player, given.get(f"P{player + 1}", {}))
        turn = given.get("turn", "P1")
        turn = {"player": turn} if isinstance(turn, str) else turn
        game = position.start(
            turn_player=player_number(turn["player"]),
            turn=turn.get("number", 3),
            phase=phase_named(turn.get("phase", "main"), ruleset),
            winning=given.get("winning"),
            ask_passes=True,
        )
        board = Board(game, ruleset, self.names, self.cards, self.places, players, 0)
        for player in range(players):
            amounts = self._pool(given.get(f"P{player + 1}", {}))
            # 316.3 has emptied the pools on the way into the Main Phase.
            if amounts and game.decision is not None and game.decision.kind == "action":
                game.give(player, **amounts)
        board.plenty = tuple(
            player for player in range(players) if "pool" not in given.get(f"P{player + 1}", {})
        )
        return board

    def _from_setup(self, given: Mapping[str, Plain]) -> Board:
        """Begin a game with decks; its first decision is the first that the setup asks for."""
        mode = given.get("mode", DUEL)
        maker = DeckMaker(self.printed, mode, self.scenario.place, {**self.printed.cards, **self.made})
        said: Mapping[str, Plain] = given["decks"]
        names = [f"P{number + 1}" for number in range(_players(self.scenario))]
        decks = tuple(maker.deck(name, said.get(name, {})) for name in names)
        ruleset = self._ruleset(maker.made.values())
        seed, match = given.get("seed", 1), None
        if "best of" in given or len(lengths_of(ruleset, mode)) > 1:
            match = Match(ruleset, decks, mode, given.get("best of"))
            game = match.next_game(seed, ask_passes=True)
        else:
            game = Game.new(ruleset, decks, seed, mode, names, ask_passes=True)
        banned = tuple(given.get("banned", ()))
        board = Board(game, ruleset, {}, {}, {}, len(names), 0, decks=decks, mode=mode, banned=banned)
        board.match, board.seed = match, seed
        name_fields(board)
        return board

    def _ruleset(self, more: Iterable[CardDefinition] = ()) -> Ruleset:
        """The printed cards and those made for it; their tokens and tags are words that their texts may use."""
        made = [*self.made.values(), *more]
        spoken = "\n".join(f"{card.text}\n{card.effect_text}" for card in self.made.values())
        own = [
            card
            for card in self.made.values()
            if (card.token and card.name in spoken) or any(tag in spoken for tag in card.tags)
        ]
        words = words_of(own, game=self.scenario.game) if own else None
        return self.printed.with_cards(made, None if words is None else reader(words))

    def _make_cards(self) -> None:
        for name, facts in self.scenario.cards.items():
            self.made[name] = card_from({"name": name, **facts}, place=self.scenario.place)
        self.made[FILLER] = CardDefinition(FILLER, ("unit",), figures=(("energy", 1), ("might", 1)))
        for one in self._pieces(self.scenario.given):
            if one.might is not None and one.card not in self.made and not self._is_printed(one):
                self.made[one.card] = _unit(one)

    def _is_printed(self, one: Piece) -> bool:
        """Whether a unit with a Might is a card of the sets: it has that Might and nothing was added to it."""
        return (
            not one.keywords
            and one.card in self.printed.cards
            and self.printed.cards[one.card].figure("might") == one.might
        )

    def _pieces(self, given: Mapping[str, Plain]) -> Iterator[Piece]:
        sides = [part for key, part in given.items() if PLAYER.fullmatch(key)]
        fields = given.get("battlefields", {}).values()
        zones = [zone for side in sides for zone in side.values() if isinstance(zone, list)]
        zones += [units for field in fields for key, units in field.items() if PLAYER.fullmatch(key)]
        zones += [list(field.get("facedown", {}).values()) for field in fields]
        for zone in zones:
            for written in zone:
                one = piece(written, self.scenario.place)
                yield one
                yield from one.wearing

    def _put_battlefields(self, position: Position) -> None:
        fields: Mapping[str, Mapping[str, Plain]] = self.scenario.given.get("battlefields", {})
        for letter in sorted({"A", "B", *fields}):
            field = fields.get(letter, {})
            owners = [key for key in field if PLAYER.fullmatch(key) and field[key]]
            said = field.get("controller", owners[0] if len(owners) == 1 else "nobody")
            controller = None if said == "nobody" else player_number(said)
            place = position.battlefield(field.get("card"), controller=controller)
            self.places[letter] = place
            if "card" in field:
                self._name(field["card"], field["card"], place)
            for key in owners:
                for written in field[key]:
                    self._put(position, written, player_number(key), "battlefield", place)
            for key, written in field.get("facedown", {}).items():
                self._put(position, written, player_number(key), "facedown", place)

    def _put_side(self, position: Position, player: int, side: Mapping[str, Plain]) -> None:
        counters = {key: value for key, value in side.items() if isinstance(value, int) and key != "pool"}
        known = resource_words(position.ruleset)
        for key in counters:
            if key not in known:
                help = f"what a player can have are {', '.join(sorted(known))}"
                raise ScenarioError(f"a player has no {key!r}", place=self.scenario.place, help=help)
        position.resources(player, **counters)
        if amounts := self._pool(side):
            position.pool(player, **amounts)
        given: set[str] = set()
        for key, written in side.items():
            if isinstance(written, list):
                zone = zone_named(key, position.ruleset, self.scenario.place)
                given.add(zone)
                for each in written:
                    self._put(position, each, player, zone, None)
        self._fill_decks(position, player, given)
        if CHOSEN in side:
            cards = {each.card for each in position.state.objects.values() if each.owner == player}
            if side[CHOSEN] not in cards:
                help = "put it into a zone, such as champion zone, too"
                raise ScenarioError(
                    f"P{player + 1} has no card {side[CHOSEN]!r}", place=self.scenario.place, help=help
                )
            position.chosen(player, side[CHOSEN])

    def _pool(self, side: Mapping[str, Plain]) -> dict[str, int]:
        said = side.get("pool", "plenty")
        return dict(PLENTY) if said == "plenty" else pool_said(said, self.printed, self.scenario.place)

    def _fill_decks(self, position: Position, player: int, given: set[str]) -> None:
        """A deck of which nothing is said has cards that do nothing; one that is given is exactly that."""
        for zone, rule in position.ruleset.zones.items():
            filler = (
                position.ruleset.plain_card(zone) if rule.privacy == "secret" and zone not in given else None
            )
            for _ in range(DECK if filler is not None else 0):
                position.put(str(filler), player=player, zone=zone)

    def _put(self, position: Position, written: Plain, player: int, zone: str, at: int | None) -> int:
        return self._put_piece(position, piece(written, self.scenario.place), player, zone, at)

    def _put_piece(self, position: Position, one: Piece, player: int, zone: str, at: int | None) -> int:
        if not one.name:
            for _ in range(one.count):
                position.put(FILLER, player=player, zone=zone)
            return 0
        if one.card not in self.made and one.card not in self.printed.cards:
            close = difflib.get_close_matches(one.card, [*self.made, *self.printed.cards], n=1)
            meant = f"did you mean {close[0]!r}? Or " if close else ""
            raise ScenarioError(
                f"there is no card {one.card!r}",
                place=self.scenario.place,
                help=f'{meant}define it under "cards:", '
                f'or give it a Might to make a unit on the spot: "{one.card} 3"',
            )
        for state in one.states:
            if state not in position.ruleset.states:
                help = f"the states are {', '.join(sorted(position.ruleset.states))}"
                raise ScenarioError(
                    f"nothing is ever {state!r}: {one.name}", place=self.scenario.place, help=help
                )
        where = {} if at is None else {"at": at}
        states = tuple(state for state in one.states if state != "exhausted")
        ref = position.put(
            one.card,
            player=player if one.owner is None else player_number(one.owner),
            zone=zone,
            exhausted="exhausted" in one.states,
            damage=one.damage,
            counters={"buff": one.buffs} if one.buffs else {},
            states=states,
            copy_of=one.copy_of,
            **(
                {}
                if one.controller is None and one.owner is None
                else {"controller": self._controller(one, player)}
            ),
            **where,
        )
        self._name(one.name, one.card, ref)
        if one.copy_of is not None:
            position.copies(ref, one.copy_of)
        for worn in one.wearing:
            position.attach(self._put_piece(position, worn, player, zone, at), ref)
        return ref

    def _controller(self, one: Piece, player: int) -> int:
        return player if one.controller is None else player_number(one.controller)

    def _name(self, name: str, card: str, ref: int) -> None:
        self.cards[name] = card
        # Two objects of one name are one to the scenario until it has to tell them apart.
        self.names.setdefault(name, ref)


def _players(scenario: Scenario) -> int:
    """How many players take part: two, or as many as the position has a side or a deck for."""
    given = scenario.given
    return max(
        [2, *(player_number(key) + 1 for key in [*given, *given.get("decks", {})] if PLAYER.fullmatch(key))]
    )


def _check_players(scenario: Scenario) -> None:
    """Raise :class:`ScenarioError` at the first line that names a player who does not take part."""
    players = _players(scenario)
    parts = [
        (scenario.given, scenario.place),
        *((line.said, line.place) for line in (*scenario.when, *scenario.then)),
    ]
    for part, place in parts:
        for name in _players_named(part):
            if player_number(name) >= players:
                help = f"the players are P1 to P{players}; more take part where given has a side for them"
                raise ScenarioError(f"there is no player {name} in this game", place=place, help=help)


def _players_named(part: Plain) -> Iterator[str]:
    if isinstance(part, str):
        name, _, _ = part.partition("'s ")
        if PLAYER.fullmatch(name):
            yield name
    elif isinstance(part, Mapping):
        for key, value in part.items():
            yield from _players_named(key)
            yield from _players_named(value)
    elif isinstance(part, list):
        for each in part:
            yield from _players_named(each)


def begin_next_game(board: Board, match: Match) -> None:
    """Let the next game of a match begin; one that is not over yet counts as one that nobody won."""
    match.record(board.game)
    board.game = match.next_game(board.seed, ask_passes=True)
    board.names, board.cards, board.places = {}, {}, {}
    name_fields(board)


def name_fields(board: Board) -> None:
    """Give the battlefields of a game that began with its setup their letters, in the order of the players."""
    zone = next(name for name in board.ruleset.zones if board.ruleset.types_in(name))
    board.places.update(zip(ascii_uppercase, board.game.state.zone(zone), strict=False))


def pool_said(said: Plain, ruleset: Ruleset, place: str) -> dict[str, int]:
    """Read a pool. Raises :class:`ScenarioError` where it has what no pool of the game can have."""
    amounts = resources(str(said), place)
    known = {*PLENTY, *(domain for card in ruleset.cards.values() for domain in card.domains)}
    for kind in amounts:
        if kind not in known:
            help = f"a pool has {', '.join(sorted(known))}"
            raise ScenarioError(f"there is no {kind!r} in a pool", place=place, help=help)
    return amounts


def resource_words(ruleset: Ruleset) -> set[str]:
    """Give the words for what a player can have an amount of: points, XP."""
    words = default_vocabulary(ruleset.rules.game).words.values()
    named = {word.lemma for word in words if word.kind == "RESOURCE"}
    return named | set(ruleset.terms.get("resources", {}).values())


def phase_named(said: str, ruleset: Ruleset) -> str:
    """Give the step of a turn that a scenario means: ``main`` or ``main phase`` is ``main-phase``."""
    word = said.replace(" ", "-").casefold()
    return word if word.endswith("-phase") else f"{word}-phase"


def zone_named(said: str, ruleset: Ruleset, place: str) -> str:
    """Give the zone that a scenario means: by its name, or by the beginning or end of one (``legend``, ``deck``)."""
    zones: list[str] = list(ruleset.zones)
    wanted = said.replace(" ", "-")
    if wanted in zones:
        return wanted
    near = [zone for zone in zones if zone.startswith(wanted + "-") or zone.endswith("-" + wanted)]
    if not near:
        raise ScenarioError(
            f"there is no zone {said!r}", place=place, help=f"the zones are {', '.join(sorted(zones))}"
        )
    return near[0]


def _unit(one: Piece) -> CardDefinition:
    return CardDefinition(one.card, ("unit",), figures=(("might", one.might or 0),), text=one.keywords)
