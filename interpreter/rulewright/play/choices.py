"""Makes the choices that a scenario writes down: each line is one action, with all that it chooses.

An action answers the decisions that follow it from what the line says. What has one answer is answered, what the line
leaves open is answered in the plainest way where that loses nothing (an optional cost is not paid, a payment takes the
first way), and any other open choice is left to the next line.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulewright.engine import Decision, IllegalChoice, Option
from rulewright.errors import RulewrightError
from rulewright.play.position import PLAYER, PLENTY, Board, begin_next_game, name_fields, player_number
from rulewright.play.scenario import Line, Plain

FREE = ("action", "priority", "focus")
"""Kinds of decision at which a player is free to act; every other asks for part of something that is under way."""

PLAIN_ANSWERS = ("order",)
"""Kinds of decision with a plain answer, where the line says nothing."""

ADDITIONAL_COST = "additional-cost"
"""The kind of question that offers an optional additional cost (356.2.b)."""

LONGEST = 400
"""How many decisions a line may take; more is a game that does not come to rest."""


class ChoiceError(RulewrightError):
    """What a line says cannot be done there; the message says what is asked instead, or which options there are."""


def carry_out(board: Board, line: Line) -> None:
    """Carry one step out. Raises :class:`ChoiceError` with the place of the line where that is not possible."""
    try:
        check_assigned(board)
        step: Mapping[str, Plain] = line.said
        if "all" in step:
            _all(board, step["all"])
        else:
            (player, action), *_ = step.items()
            act(board, player_number(player), action)
        check_assigned(board)
    except ChoiceError as error:
        raise ChoiceError(error.message, place=line.place, help=error.help) from error


def act(board: Board, player: int, action: Plain) -> None:
    """Take one action of a player, with all the choices that it names. Raises :class:`ChoiceError`."""
    if action == "concede":
        board.game.concede(player)
        return
    decision = board.game.decision
    if decision is None:
        raise ChoiceError("the game is over")
    if decision.player != player:
        raise ChoiceError(f"it is P{decision.player + 1} who decides now: {decision.prompt}")
    said = {action: None} if isinstance(action, str) else dict(action)
    _Action(board, player, said).carry_out()


class _Action:
    """One action under way: what its line still has to say."""

    def __init__(self, board: Board, player: int, said: dict[str, Plain]) -> None:
        self.board = board
        self.player = player
        self.said = said
        self.choosing: list[Plain] = [*_listed(said.get("choosing")), *_listed(said.get("choose"))]
        self.to: list[Plain] = [*_listed(said.get("to")), *_listed(said.get("at"))]
        self.paid: list[Plain] = _listed(said.get("with"))
        self.modes: list[Plain] = _listed(said.get("mode"))
        self.pay: list[Plain] = _listed(said.get("pay"))
        self.numbers: list[Plain] = _listed(said.get("x"))
        self.joining: list[Plain] = []
        self.has_named = any(key in said for key in ("choosing", "choose", "mode"))
        self.happened = len(board.game.state.history)
        self.known = dict(board.names)
        self.older: frozenset[int] = frozenset()
        if next(iter(said)) in ("play", "activate"):
            # What an older item of the chain has chosen says nothing of what this play chooses.
            self.older = frozenset(item.id for item in board.game.state.chain)

    def carry_out(self) -> None:
        verb = next(iter(self.said))
        decision = _decision(self.board)
        begun = len(self.board.game.log)
        if verb == "move":
            self.joining = [*_listed(self.said["move"])[1:]]
        if verb in _OPENINGS:
            self._open(decision, verb)
        elif verb == "assign":
            self._assign()
        elif verb == "do":
            _answer(self.board, _worded(decision, self.said["do"]))
        elif verb == "choose" and not self._answered(decision):
            raise ChoiceError(f"nothing here answers what is asked: {_asked(decision)}")
        for _ in range(LONGEST):
            following = self.board.game.decision
            if following is None or following.player != self.player or following.kind in FREE:
                break
            if not self._answered(following):
                break
        undone = self.board.game.undone
        if undone is not None and any(record.verb == "undo" for record in self.board.game.log[begun:]):
            if not _is_or_below(undone.rule, _listed(self.said.get("undone"))):
                raise ChoiceError(f"the play is undone: {undone.reason} ({undone.rule})")
            return
        if "undone" in self.said:
            raise ChoiceError(f"the play is not undone: {_asked(_decision(self.board))}")
        self._check_that_all_was_said()

    def _open(self, decision: Decision, verb: str) -> None:
        kinds = _OPENINGS[verb]
        options = [option for option in decision.options if option.kind in kinds]
        named = _listed(self.said[verb])[:1]
        if named:
            refs = [find(self.board, name) for name in named]
            options = [option for option in options if self._fits(option, refs, named)]
        if "ability" in self.said:
            options = _ability(options, self.said["ability"])
        if not options:
            about = f" {', '.join(map(str, named))}" if named else ""
            raise ChoiceError(f"{verb}{about} is not possible now: {_asked(decision)}")
        option = self._best(options)
        if named:
            _go_by_name(self.board, option, named[0])
        _answer(self.board, option)

    def _fits(self, option: Option, refs: list[int], named: list[Plain]) -> bool:
        return option.ref in refs or _same_card(self.board, option.ref, refs)

    def _best(self, options: list[Option]) -> Option:
        """Of options that differ in the place, the one that the line names; none fits where it names another."""
        if self.to and any(_place_of(option) for option in options):
            place = place_ref(self.board, self.player, self.to[0])
            for option in options:
                if _place_of(option) == place:
                    self.to.pop(0)
                    return option
            raise ChoiceError(
                f"{self.to[0]} is not possible: {'; '.join(option.label for option in options)}"
            )
        return options[0]

    def _answered(self, decision: Decision) -> bool:
        option = self._answer_to(decision)
        if option is None:
            return False
        _answer(self.board, option)
        return True

    def _answer_to(self, decision: Decision) -> Option | None:
        """The option that the line means, or the plain one; nothing where the choice is left open."""
        if decision.kind == "join":
            return self._named(decision, self.joining) if self.joining else _of_kind(decision, "done")
        if decision.kind == "location" and self.to:
            return self._named(decision, self.to)
        if decision.kind == "mode" and self.modes:
            return _worded(decision, self.modes.pop(0))
        if decision.kind in ("number", "split") and self.numbers:
            return _numbered(decision, self.numbers.pop(0))
        if decision.kind == "pay":
            return self._named(decision, self.pay) if self.pay else decision.options[0]
        if any(option.kind == "yes" for option in decision.options):
            return self._optional(decision)
        if self.choosing:
            return self._chosen(decision)
        if self.to and any(option.ref < 0 or _place_of(option) for option in decision.options):
            return self._named(decision, self.to)
        if decision.kind in PLAIN_ANSWERS:
            return decision.options[0]
        return _of_kind_if_any(decision, "done") if self.has_named else None

    def _chosen(self, decision: Decision) -> Option | None:
        self._skip_taken(decision, self.choosing)
        first = self.choosing[0]
        if not isinstance(first, list):
            return self._named(decision, self.choosing)
        if not first:
            self.choosing.pop(0)
            return _of_kind_if_any(decision, "done") or self._answer_to(decision)
        option = self._named(decision, first)
        if not first and not any(each.kind == "done" for each in decision.options):
            self.choosing.pop(0)
        return option

    def _skip_taken(self, decision: Decision, names: list[Plain]) -> None:
        """What had one answer only was not asked for."""
        while (
            len(names) > 1
            and not isinstance(names[0], list)
            and not _is_offered(self.board, self.player, decision, names[0])
            and self._taken(names[0])
        ):
            names.pop(0)

    def _named(self, decision: Decision, names: list[Plain]) -> Option:
        self._skip_taken(decision, names)
        option = named_option(self.board, self.player, decision, names[0])
        _go_by_name(self.board, option, names.pop(0))
        return option

    def _optional(self, decision: Decision) -> Option | None:
        """An optional cost is paid where ``with`` names it, by words of the question.

        One that the line does not name is not paid; any other "may" is answered by ``choosing`` or left open.
        """
        if decision.kind == ADDITIONAL_COST:
            asked = decision.prompt.casefold()
            for said in self.paid:
                if str(said).casefold() in asked:
                    self.paid.remove(said)
                    return _of_kind(decision, "yes")
            return _of_kind(decision, "no")
        if self.choosing and isinstance(self.choosing[0], str) and self.choosing[0] in _ANSWERS:
            return _of_kind(decision, _ANSWERS[self.choosing.pop(0)])
        return None

    def _assign(self) -> None:
        """Damage is assigned unit by unit, in the order of the line; the shares are looked at when dealt."""
        wanted: dict[str, int] = dict(self.said["assign"])
        waiting = [name for name, amount in wanted.items() if amount]
        shares = {find(self.board, name): amount for name, amount in wanted.items()}
        self.board.assigned.append((self.player, shares, len(self.board.game.state.history)))
        while (decision := self.board.game.decision) is not None and decision.kind == "assign":
            if decision.player != self.player:
                break
            name = next(
                (each for each in waiting if _is_offered(self.board, self.player, decision, each)), None
            )
            if name is None:
                raise ChoiceError(f"the assignment is not possible: {_asked(decision)}")
            waiting.remove(name)
            _answer(self.board, named_option(self.board, self.player, decision, name))

    def _check_that_all_was_said(self) -> None:
        """What was not asked for must have been the only answer, and so have been taken without asking."""
        said = [name for each in self.choosing for name in (each if isinstance(each, list) else [each])]
        left = [name for name in said if not self._taken(name)]
        left += [place for place in self.to if not self._went(place)]
        left += [*self.paid, *self.modes, *self.numbers]
        left += [name for name in self.joining if not self._arrived(name)]
        if left:
            following = self.board.game.decision
            asked = "the game is over" if following is None else _asked(following)
            raise ChoiceError(f"{', '.join(map(str, left))} was never asked for: {asked}")

    def _taken(self, said: Plain) -> bool:
        """Whether something was chosen without a question: running texts are bound to it or were carried out on it."""
        if isinstance(said, str) and PLAYER.fullmatch(said):
            refs = {-1 - player_number(said)}
        elif said in self.board.places:
            refs = {self.board.places[said]}
        else:
            try:
                refs = {find(self.board, str(said)), self.known.get(str(said), 0)}
            except ChoiceError:
                return False
        state = self.board.game.state
        # An ability on the chain is named by what it is of.
        refs |= {item.id for item in state.chain if item.object == 0 and item.scope.source in refs}
        fresh = [item for item in state.chain if item.id not in self.older]
        scopes = [*(item.scope for item in fresh), *(frame.scope for frame in state.frames)]
        if any(_holds(value, refs) for scope in scopes for value in scope.bindings.values()):
            return True
        return any(item.object in refs for item in fresh) or any(
            event.agent == -1 - self.player and event.object in refs
            for event in state.history[self.happened :]
        )

    def _arrived(self, name: Plain) -> bool:
        """Whether a unit of a group move is where the line moves the group."""
        (to,) = _listed(self.said["to"])
        return _is_in(self.board, find(self.board, str(name)), place_ref(self.board, self.player, str(to)))

    def _went(self, said: Plain) -> bool:
        """Whether what the line plays or moves is at the place that it names."""
        place = place_ref(self.board, self.player, str(said))
        verb = next(iter(self.said))
        return any(_is_in(self.board, find(self.board, name), place) for name in _listed(self.said[verb]))


def _is_or_below(rule: str, expected: Sequence[str]) -> bool:
    return any(rule == each or rule.startswith(f"{each}.") for each in expected)


def _holds(value: Plain, refs: set[int]) -> bool:
    return any(_holds(part, refs) for part in value) if isinstance(value, (tuple, list)) else value in refs


def _is_in(board: Board, ref: int, place: int) -> bool:
    found = board.game.state.objects.get(ref)
    return found is not None and found.at == place


_ANSWERS = {"yes": "yes", "accept": "yes", "no": "no", "decline": "no"}

_OPENINGS: dict[str, tuple[str, ...]] = {
    "play": ("play",),
    "activate": ("use", "add"),
    "move": ("move",),
    "hide": ("hide",),
    "pass": ("pass",),
    "end turn": ("end",),
    "accept": ("yes",),
    "decline": ("no",),
}


def _all(board: Board, how: str) -> None:
    _TOGETHER[how](board)


def _pass_once(board: Board) -> None:
    if not _may_pass(board):
        raise ChoiceError(f"nobody can pass now: {_asked(_decision(board))}")
    before = _rest(board)
    for _ in range(board.players):
        if _may_pass(board) and _rest(board) == before:
            _pass(board)


def _resolve(board: Board) -> None:
    for _ in range(LONGEST):
        if not board.game.state.chain or not _may_pass(board):
            return
        _pass(board)


def _settle(board: Board) -> None:
    for _ in range(LONGEST):
        decision = board.game.decision
        if decision is None or decision.kind == "action" or not _may_pass(board):
            return
        _pass(board)


def _next_turn(board: Board) -> None:
    turn = board.game.state.turn
    for _ in range(LONGEST):
        decision = board.game.decision
        if decision is None or (board.game.state.turn != turn and decision.kind == "action"):
            return
        option = next((each for each in decision.options if each.kind in ("pass", "end")), None)
        if option is None:
            return
        _answer(board, option)


def _may_pass(board: Board) -> bool:
    decision = board.game.decision
    return decision is not None and any(option.kind == "pass" for option in decision.options)


def _next_game(board: Board) -> None:
    match = board.match
    if match is None:
        raise ChoiceError(
            "this is no match of several games", help="a match has decks, and a mode with matches"
        )
    won = match.won_by(match.wins_with(board.game))
    if won is not None:
        raise ChoiceError(f"P{won + 1} has won the match")
    begin_next_game(board, match)


_TOGETHER: dict[str, Callable[[Board], None]] = {
    "pass": _pass_once,
    "resolve": _resolve,
    "settle": _settle,
    "next turn": _next_turn,
    "next game": _next_game,
}


def _pass(board: Board) -> None:
    _answer(board, _of_kind(_decision(board), "pass"))


def _rest(board: Board) -> tuple[Any, ...]:
    state = board.game.state
    return tuple(item.id for item in state.chain), state.showdown, state.combat, state.phase


def _answer(board: Board, option: Option) -> None:
    """Answer, and follow the objects that became new ones by it."""
    board.game.apply(option.id)
    if board.decks and not board.places:
        name_fields(board)
    _follow(board)
    _refill(board)


def _refill(board: Board) -> None:
    """A pool with plenty has plenty again at every decision to act, though turns and payments empty it."""
    for player in board.plenty:
        decision = board.game.decision
        if decision is not None and decision.kind in FREE and not board.game.state.players[player].pool:
            board.game.give(player, **PLENTY)


def _follow(board: Board) -> None:
    """124: what changes zones becomes a new object; the scenario's name goes along, however often it did."""
    state = board.game.state
    gone = {ref: name for name, ref in board.names.items() if ref not in state.objects}
    if not gone:
        return
    heirs = {found.notes["was"]: ref for ref, found in state.objects.items() if "was" in found.notes}
    for ref, name in gone.items():
        last = ref
        while last in state.ghosts and last not in heirs and state.ghosts[last].successor:
            last = state.ghosts[last].successor
        if last in heirs:
            board.names[name] = heirs[last]


def find(board: Board, name: str) -> int:
    """Give the number of the object that a scenario names. Raises :class:`ChoiceError` where there is none."""
    state = board.game.state
    ref = board.names.get(name)
    if ref is not None and ref in state.objects:
        return ref
    card = board.cards.get(name, name)
    taken = {each for other, each in board.names.items() if other != name}
    found = [each for each in state.objects.values() if each.card == card and each.id not in taken]
    if not found:
        raise ChoiceError(f"there is no {name!r} in this game")
    return max(found, key=lambda each: each.id).id


def place_ref(board: Board, player: int, said: str) -> int:
    """Give the number of a place: a battlefield's letter, ``base`` or ``P2's base``."""
    if said in board.places:
        return board.places[said]
    owner, _, rest = said.rpartition("'s ")
    whose = player_number(owner) if owner else player
    if rest == "base":
        return -1 - whose
    raise ChoiceError(f"there is no place {said!r}")


def named_option(board: Board, player: int, decision: Decision, said: Plain) -> Option:
    """Give the option of a decision that a scenario names: an object, a player, a place, or words of it."""
    if decision.kind == "name":
        try:
            return board.game.option_meant(str(said))
        except IllegalChoice as error:
            raise ChoiceError(error.message, help=error.help) from error
    for option in decision.options:
        if _is_named(board, player, option, said):
            return option
    if isinstance(said, int):
        return _numbered(decision, said)
    if said in board.places or str(said).endswith("base"):
        raise ChoiceError(f"{said} cannot be chosen: {_asked(decision)}")
    return _worded(decision, said)


def _is_offered(board: Board, player: int, decision: Decision, said: Plain) -> bool:
    try:
        named_option(board, player, decision, said)
    except ChoiceError:
        return False
    return True


def _is_named(board: Board, player: int, option: Option, said: Plain) -> bool:
    if not isinstance(said, str):
        return False
    if said in board.places or said.endswith("base"):
        place = place_ref(board, player, said)
        return option.ref == place or _place_of(option) == place
    if option.ref < 0:
        return said == f"P{-option.ref}"
    if said not in board.names and said not in board.cards:
        found = board.game.state.objects.get(option.ref)
        return found is not None and found.card == said
    ref = board.names.get(said)
    return option.ref > 0 and (option.ref == ref or _same_card(board, option.ref, [ref or 0]))


def _same_card(board: Board, ref: int, refs: Sequence[int]) -> bool:
    """Equal options are offered once: another copy of the card in the same zone is as good."""
    objects = board.game.state.objects
    found = objects.get(ref)
    if found is None:
        return False
    others = [objects[each] for each in refs if each in objects]
    alike = ("hand", "main-deck")
    return any(
        other.card == found.card
        and other.zone == found.zone
        and other.zone in alike
        and other.owner == found.owner
        for other in others
    )


def _go_by_name(board: Board, option: Option, said: Plain) -> None:
    """Of equal cards one is offered for all: the one that is taken goes by the name that was said from then on."""
    ref = board.names.get(said) if isinstance(said, str) else None
    if ref is None or ref == option.ref or not _same_card(board, option.ref, [ref]):
        return
    other = next((name for name, each in board.names.items() if each == option.ref), None)
    board.names[str(said)] = option.ref
    if other is not None:
        board.names[other] = ref


def _place_of(option: Option) -> int:
    """The place that an option is about, where it is a move or a play to a place; 0 for none."""
    _, _, place = option.id.rpartition(">")
    return int(place) if place != option.id and place.lstrip("-").isdigit() else 0


def _ability(options: list[Option], said: Plain) -> list[Option]:
    if isinstance(said, int):
        return options[said - 1 : said]
    return [option for option in options if said.casefold() in option.label.casefold()]


def check_assigned(board: Board) -> None:
    """Hold the shares that lines have assigned against those of the game. Raises :class:`ChoiceError`."""
    decision = board.game.decision
    if not board.assigned or (decision is not None and decision.kind == "assign"):
        return
    for player, wanted, start in board.assigned:
        given = dict.fromkeys(wanted, 0)
        for event in board.game.state.history[start:]:
            if event.verb == "assign" and event.object in given and event.agent == -1 - player:
                given[event.object] += event.amount
        if given != wanted:
            raise ChoiceError(
                f"the assignment is not possible; assigned was {', '.join(map(str, given.values()))}"
            )
    board.assigned.clear()


def _numbered(decision: Decision, number: int) -> Option:
    for option in decision.options:
        if option.value == number or option.label == str(number):
            return option
    raise ChoiceError(f"{number} cannot be chosen: {_asked(decision)}")


def _worded(decision: Decision, said: Plain) -> Option:
    words = str(said).casefold()
    found = [option for option in decision.options if words in option.label.casefold()]
    exact = [option for option in found if option.label.casefold() == words]
    if not found:
        raise ChoiceError(f"{said} cannot be chosen: {_asked(decision)}")
    return (exact or found)[0]


def _of_kind_if_any(decision: Decision, kind: str) -> Option | None:
    return next((option for option in decision.options if option.kind == kind), None)


def _of_kind(decision: Decision, kind: str) -> Option:
    for option in decision.options:
        if option.kind == kind:
            return option
    raise ChoiceError(f"there is no answer {kind!r} here: {_asked(decision)}")


def _decision(board: Board) -> Decision:
    decision = board.game.decision
    if decision is None:
        raise ChoiceError("the game is over")
    return decision


def _asked(decision: Decision) -> str:
    options = "; ".join(option.label for option in decision.options[:12])
    more = f"; and {len(decision.options) - 12} more" if len(decision.options) > 12 else ""
    return f"P{decision.player + 1} is asked ({decision.kind}) {decision.prompt}: {options}{more}"


def _listed(said: Plain) -> list[Plain]:
    if said is None:
        return []
    if isinstance(said, list):
        return [list(each) if isinstance(each, list) else each for each in said]
    return [said]
