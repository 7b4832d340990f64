"""Looks at a game and says, for each expectation of a scenario, what was expected and what was."""

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.cards import CardDefinition
from rulewright.cards.construction import TABLE, Breach, check_deck, check_team, deck_rules
from rulewright.engine.log import NOTES
from rulewright.engine.view import ObjectView
from rulewright.play.choices import FREE, ChoiceError, act, check_assigned, find, named_option, place_ref
from rulewright.play.position import PLAYER, Board, player_number, pool_said, resource_words, zone_named
from rulewright.play.scenario import Line, Plain, ScenarioError


@dataclass(frozen=True, slots=True)
class Finding:
    """One expectation, judged: what was expected, what was, and the place of the line in its file."""

    place: str
    expected: str
    was: str
    holds: bool


def judge(board: Board, line: Line) -> list[Finding]:
    """Judge one line of ``then``; a line with several facts gives a finding for each.

    Raises :class:`ScenarioError` where the line asks for what the game does not have.
    """
    said: Mapping[str, Plain] = line.said
    for key in said:
        form = _FORMS.get("player" if PLAYER.fullmatch(key) else key)
        if form is not None:
            try:
                return [Finding(line.place, *each) for each in form(board, said, line.place)]
            except ChoiceError as error:
                return [Finding(line.place, _words(said), error.message, False)]
    raise ScenarioError(f"this expects nothing that is known: {', '.join(said)}", place=line.place)


Judged = Iterator[tuple[str, str, bool]]
"""What was expected, what was, and whether it holds."""


def _not(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    """Another expectation that must not hold."""
    findings = judge(board, Line(said["not"], place))
    was = "; ".join(finding.was for finding in findings)
    yield f"{_words(said['not'])} does not hold", was, not all(finding.holds for finding in findings)


def _object(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    name = said["the"]
    if said.get("exists") is False:
        try:
            there = find(board, name)
        except ChoiceError:
            there = 0
        yield (
            f"{name} is nowhere",
            f"{name} is {_whereabouts(board, there)}" if there else "it is nowhere",
            not there,
        )
        return
    ref = find(board, name)
    if "seen by" in said:
        yield from _seen(board, ref, said, place)
        return
    for key, expected in said.items():
        if key in ("the", "cited", "exists"):
            continue
        if key == "at":
            yield f"{name} is at {expected}", _whereabouts(board, ref), _is_at(board, ref, expected, place)
        elif key in ("has", "lacks"):
            yield from _keywords(board, ref, name, key, _listed(expected), place)
        else:
            was = _fact(board, ref, key)
            yield f"{name}: {key} {_shown(expected)}", _shown(was), was == expected
    if "cited" in said:
        yield from _cited(board, said["cited"], [name], f"a rule about {name}")


def _seen(board: Board, ref: int, said: Mapping[str, Plain], place: str) -> Judged:
    """What a player may know of an object: whether they may read it, and what they see of it (128)."""
    name, who = said["the"], said["seen by"]
    face = _face(board, ref, player_number(who))
    for key, expected in said.items():
        if key == "known":
            yield f"{who} may read {name}: {_shown(expected)}", _shown(face.known), face.known == expected
        elif key not in ("the", "seen by"):
            if key not in _SEEN:
                help = f"what is seen are known, {', '.join(_SEEN)}"
                raise ScenarioError(f"nothing tells whether {key!r} is seen", place=place, help=help)
            was = _SEEN[key](face)
            yield f"{who} sees {name}: {key} {_shown(expected)}", _shown(was), was == expected


def _face(board: Board, ref: int, player: int) -> ObjectView:
    found = board.game.state.objects[ref]
    for zone in board.game.view(player).zones:
        if (zone.name, zone.at) == (found.zone, found.at):
            return zone.objects[board.game.state.zone(zone.name, zone.at).index(ref)]
    raise ChoiceError(f"{board.game.name(ref)} is in no zone that can be looked at")


def _might_seen(face: ObjectView) -> Plain:
    return face.traits.figures.get("might") if face.traits is not None else None


_SEEN: dict[str, Callable[[ObjectView], Plain]] = {
    "might": _might_seen,
    "damage": lambda face: face.damage,
    "buffs": lambda face: face.counters.get("buff", 0),
    "exhausted": lambda face: "exhausted" in face.states,
    "stunned": lambda face: "stunned" in face.states,
    "facedown": lambda face: "facedown" in face.states,
    "controller": lambda face: _player_name(face.controller),
    "owner": lambda face: _player_name(face.owner),
}
"""What is seen of an object, by the keys of the expectation."""


def _deck(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    """The rules of construction that a deck breaks, which are all that are named."""
    if not board.decks:
        raise ScenarioError("no decks are given, so there is none to judge", place=place)
    deck = board.decks[player_number(said["deck"])]
    scripts = board.ruleset

    def has_keyword(card: CardDefinition, word: str) -> bool:
        return word.casefold() in scripts.script(card.name).traits.keywords

    breaches = check_deck(
        deck,
        board.ruleset.cards,
        deck_rules(board.ruleset.rules.table(TABLE)),
        has_keyword=has_keyword,
        mode=board.mode,
        banned=board.banned,
    )
    yield from _breaks(f"{said['deck']}'s deck breaks", said, breaches)


def _team(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    """The rules that the decks of some players break together, as those of one team."""
    if not board.decks:
        raise ScenarioError("no decks are given, so there is none to judge", place=place)
    decks = [board.decks[player_number(player)] for player in said["team"]]
    breaches = check_team(decks, deck_rules(board.ruleset.rules.table(TABLE)))
    yield from _breaks(f"the decks of {_list(said['team'])} break together", said, breaches)


def _breaks(told: str, said: Mapping[str, Plain], breaches: Sequence[Breach]) -> Judged:
    was = "; ".join(map(str, breaches)) or "none"
    expected = _listed(said["breaks"])
    broken = {breach.rule for breach in breaches}
    yield f"{told} {_list(expected)}", was, broken == set(expected)
    if "cards" in said:
        about = {card for breach in breaches for card in breach.cards}
        yield f"that is about {_list(said['cards'])}", was, about == set(said["cards"])


def _fact(board: Board, ref: int, key: str) -> Plain:
    found = board.game.state.objects[ref]
    if key == "damage":
        return found.total_damage
    if key == "buffs":
        return found.counters.get("buff", 0)
    if key in ("controller", "owner"):
        return _player_name(getattr(found, key))
    if key == "wearing":
        return sorted(each.card for each in board.game.state.objects.values() if each.attached_to == ref)
    if key == "domains":
        return list(board.game.traits(ref).domains)
    if key in ("might", "energy"):
        return board.game.traits(ref).figures.get(key, 0)
    if key == "facedown":
        return found.zone == "facedown" or "facedown" in found.states
    return key in found.states


def _keywords(board: Board, ref: int, name: str, key: str, expected: list[str], place: str) -> Judged:
    has: dict[str, Any] = board.game.traits(ref).keywords
    was = ", ".join(f"{word} {value}".strip() for word, value in has.items()) or "no keywords"
    for each in expected:
        word, _, value = each.casefold().rpartition(" ")
        if not value.isdigit() or not word:
            word, value = each.casefold(), ""
        if word not in board.ruleset.rules.keywords:
            raise ScenarioError(f"there is no keyword {each!r}", place=place)
        there = word in has and (not value or str(has[word]) == value)
        yield f"{name} {key} {each}", was, there is (key == "has")


def _is_at(board: Board, ref: int, said: str, place: str) -> bool:
    state = board.game.state
    found = state.objects[ref]
    if said in board.places:
        return bool(found.at == board.places[said])
    if any(each.card == said and found.at == number for number, each in state.objects.items()):
        return True
    if said in board.ruleset.cards:
        return False
    owner, _, zone = said.rpartition("'s ")
    if zone_named(zone, board.ruleset, place) != found.zone:
        return False
    return not owner or _whose(board, ref) == player_number(owner)


def _whose(board: Board, ref: int) -> int:
    """The player whose zone an object is in: a base and a hand are a player's, so is the trash of its owner."""
    found = board.game.state.objects[ref]
    return int(-1 - found.at) if found.at < 0 else int(found.owner)


def _whereabouts(board: Board, ref: int) -> str:
    found = board.game.state.objects[ref]
    for letter, place in board.places.items():
        if found.at == place:
            return f"{found.zone} {letter}"
    return f"P{_whose(board, ref) + 1}'s {found.zone}"


def _player(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    (who, facts), *_ = said.items()
    player = player_number(who)
    for key, expected in facts.items():
        if key == "pool":
            wanted = pool_said(expected, board.ruleset, place)
            pool = _pool(board, player)
            yield f"{who}'s pool is {_amounts(wanted)}", _amounts(pool), pool == wanted
        elif key == "drew":
            drawn = _drawn(board, player)
            yield f"{who} drew {expected}", str(drawn), drawn == expected
        elif isinstance(expected, list):
            held = _held(board, player, zone_named(key, board.ruleset, place))
            want, shown = _compared(key, [_card_of(board, each) for each in expected], held)
            yield f"{who}'s {key}: {_list(expected)}", _list(shown), want
        else:
            was = _count(board, player, key, place)
            yield f"{who}'s {key}: {expected}", str(was), was == expected


def _compared(key: str, expected: list[str], held: list[str]) -> tuple[bool, list[str]]:
    # The order of a deck counts from the top as far as it is said; elsewhere only what is there.
    if key.endswith("deck"):
        return held[: len(expected)] == expected, held[: len(expected)]
    return sorted(held) == sorted(expected), sorted(held)


def _card_of(board: Board, name: str) -> str:
    return board.cards.get(name, name)


def _held(board: Board, player: int, zone: str) -> list[str]:
    state = board.game.state
    refs = state.zone(zone, player) or state.zone(zone, -1 - player)
    return [state.objects[ref].card for ref in refs]


def _count(board: Board, player: int, key: str, place: str) -> int:
    known = board.game.state.players[player].resources
    if key in known or key.replace(" ", "-") in known:
        return int(known.get(key, known.get(key.replace(" ", "-"), 0)))
    if key in resource_words(board.ruleset):
        return 0
    return len(_held(board, player, zone_named(key, board.ruleset, place)))


def _pool(board: Board, player: int) -> dict[str, int]:
    amounts: dict[str, int] = {}
    for kind, amount, _ in board.game.state.players[player].pool:
        if amount:
            amounts[kind] = amounts.get(kind, 0) + amount
    return amounts


def _drawn(board: Board, player: int) -> int:
    return sum(record.player == player for record in _events(board, "draw"))


def _events(board: Board, verb: str) -> list[Any]:
    return [record for record in board.game.log[board.started :] if record.verb == verb]


def _battlefield(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    letter = said["battlefield"]
    if letter not in board.places:
        help = f"the battlefields are {', '.join(board.places)}"
        raise ScenarioError(f"there is no battlefield {letter!r}", place=place, help=help)
    state = board.game.state
    ref = board.places[letter]
    field = state.objects[ref]
    for key, expected in said.items():
        if key == "controller":
            yield (
                f"{letter} is controlled by {expected}",
                _player_name(field.controller),
                (_player_name(field.controller) == expected),
            )
        elif key == "contested":
            was = "contested" in field.notes
            yield f"{letter}: contested {_shown(expected)}", _shown(was), was == expected
        elif key == "showdown":
            was = state.showdown == ref
            yield f"{letter}: showdown {_shown(expected)}", _shown(was), was == expected
        elif key == "combat":
            was = state.showdown == ref and state.combat is not None
            yield f"{letter}: combat {_shown(expected)}", _shown(was), was == expected
        elif key == "card":
            yield f"{letter} is {expected}", field.card, field.card == expected
        elif key == "holds":
            there = sorted(
                each.card for each in state.objects.values() if each.at == ref and each.zone != "facedown"
            )
            yield (
                f"{letter} holds {_list(expected)}",
                _list(there),
                there == sorted(_card_of(board, e) for e in expected),
            )


def _chain(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    items = [_source_card(board, item.object or item.scope.source) for item in board.game.state.chain]
    expected = [_card_of(board, each) for each in said["chain"]]
    yield f"the chain is {_list(said['chain'])}", _list(items), items == expected
    if "cited" in said:
        yield from _cited(board, said["cited"], [], "a rule about the chain")


def _source_card(board: Board, ref: int) -> str:
    """The card that an item on the chain is or comes from, which may be gone by now."""
    state = board.game.state
    found = state.objects.get(ref)
    return found.card if found is not None else state.ghosts[ref].object.card


def _moment(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    state, decision = board.game.state, board.game.decision
    was: dict[str, Plain] = {
        "turn": f"P{state.turn_player + 1}",
        "phase": state.phase,
        "open": not state.chain,
        "showdown": state.showdown != 0,
        "winner": _winner(board),
        "priority": _player_name(state.priority),
        "focus": _player_name(state.focus),
        "decides": "nobody" if decision is None else f"P{decision.player + 1}",
    }
    for key, expected in said.items():
        yield f"{key}: {_shown(expected)}", _shown(was[key]), was[key] == expected


def _winner(board: Board) -> str:
    winners = board.game.winners
    return _player_name(winners[0]) if winners else "nobody"


def _match(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    """Who has won the match that the game belongs to, and how many of its games each player has won."""
    if board.match is None:
        raise ScenarioError("this is no match of several games", place=place)
    wins = board.match.wins_with(board.game)
    won = board.match.won_by(wins)
    name = _player_name(-1 if won is None else won)
    yield f"the match is won by {said['match']}", name, name == said["match"]
    for key, expected in said.items():
        if key != "match":
            was = wins[player_number(key)]
            yield f"{key} has won {expected} games", str(was), was == expected


def _legal(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    why = _refusal(board, said["legal"])
    yield f"{_words(said['legal'])} is legal", "it is" if why is None else why, why is None


def _illegal(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    yield from _asked_so_far(board, said["illegal"])
    why = _refusal(board, said["illegal"])
    yield f"{_words(said['illegal'])} is illegal", "it is legal" if why is None else why, why is not None
    if "because" in said and why is not None:
        rules = _reasons(board, said["illegal"])
        expected = _listed(said["because"])
        yield (
            f"because of {', '.join(expected)}",
            ", ".join(rules) or "no rule is named",
            any(_is_or_below(rule, each) for rule in rules for each in expected),
        )


def _asked_so_far(board: Board, said: Mapping[str, Plain]) -> Judged:
    """An answer is illegal where one is asked for, and by the last of its names: the others can be chosen."""
    (who, action), *_ = said.items()
    if isinstance(action, str) or "choose" not in action:
        return
    decision = board.game.decision
    is_asked = decision is not None and decision.kind not in FREE and f"P{decision.player + 1}" == who
    yield f"{who} is asked for a choice", "nothing is asked" if not is_asked else "so it is", is_asked
    *before, _ = _listed(action["choose"])
    if before:
        why = _refusal(board, {who: {**action, "choose": before}})
        yield f"{_list(before)} can be chosen", "so it is" if why is None else why, why is None


def _refusal(board: Board, said: Mapping[str, Plain]) -> str | None:
    """Why an action cannot be made, tried on a copy of the game; nothing where it can."""
    (who, action), *_ = said.items()
    try:
        tried = board.copy()
        act(tried, player_number(who), action)
        check_assigned(tried)
    except ChoiceError as error:
        return error.message
    return None


def _reasons(board: Board, said: Mapping[str, Plain]) -> list[str]:
    """The rules by which the game refuses an action."""
    (who, action), *_ = said.items()
    if isinstance(action, str):
        return []
    verb = next(iter(action))
    named = action[verb]
    where = action.get("to", action.get("at"))
    more: dict[str, Any] = {}
    if isinstance(where, str):
        more["to"] = place_ref(board, player_number(who), where)
    if "choosing" in action and isinstance(action["choosing"], str) and action["choosing"] in board.names:
        more["target"] = find(board, action["choosing"])
    refusal = board.game.why_not(
        {"activate": "use"}.get(verb, verb),
        find(board, named if isinstance(named, str) else named[0]),
        player=player_number(who),
        **more,
    )
    return [] if refusal is None else [refusal.rule]


def _offer(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    decision = board.game.decision
    asked = "nobody" if decision is None else f"P{decision.player + 1}"
    yield f"{said['asks']} is asked", asked, asked == said["asks"]
    if decision is None or asked != said["asks"]:
        return
    labels = "; ".join(option.label for option in decision.options)
    for key, wanted in (("offers", True), ("without", False)):
        for each in said.get(key, ()):
            yield (
                f"{'offered' if wanted else 'not offered'}: {each}",
                labels,
                _is_offered(board, each) is wanted,
            )


def _is_offered(board: Board, said: Plain) -> bool:
    decision = board.game.decision
    if decision is None:
        return False
    try:
        named_option(board, decision.player, decision, said)
    except ChoiceError:
        return False
    return True


def _event(board: Board, said: Mapping[str, Plain], place: str) -> Judged:
    verb = said["event"]
    if verb not in (known := {*board.ruleset.verb_rules, *board.ruleset.events, *NOTES}):
        close = difflib.get_close_matches(verb, known, n=1)
        help = f"did you mean {close[0]!r}?" if close else None
        raise ScenarioError(f"no line of a log tells of {verb!r}", place=place, help=help)
    found = _events(board, verb)
    if "player" in said:
        found = [event for event in found if event.player == player_number(said["player"])]
    if "the" in said:
        card = _card_of(board, said["the"])
        found = [event for event in found if card in event.text]
    about = " ".join(str(said[key]) for key in ("player", "event", "the") if key in said)
    if "times" in said:
        yield f"{about}: {said['times']} times", f"{len(found)} times", len(found) == said["times"]
    else:
        yield f"{about} happened", f"{len(found)} times", bool(found)
    if "cited" in said and found:
        rules = [rule for event in found for rule in event.rules]
        for each in _listed(said["cited"]):
            yield (
                f"citing {each}",
                ", ".join(dict.fromkeys(rules)),
                any(_is_or_below(rule, each) for rule in rules),
            )


def _cited(board: Board, said: Plain, words: list[str], about: str) -> Judged:
    records = [
        record for record in board.game.log[board.started :] if all(word in record.text for word in words)
    ]
    rules = list(dict.fromkeys(rule for record in records for rule in record.rules))
    for each in _listed(said):
        yield (
            f"the log cites {each} for {about}",
            ", ".join(rules),
            any(_is_or_below(rule, each) for rule in rules),
        )


def _is_or_below(rule: str, expected: str) -> bool:
    return rule == expected or rule.startswith(f"{expected}.")


def _player_name(number: int) -> str:
    return f"P{number + 1}" if number >= 0 else "nobody"


def _listed(said: Plain) -> list[Plain]:
    return list(said) if isinstance(said, list) else [said]


def _shown(value: Plain) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _list(value) if isinstance(value, list) else str(value)


def _list(values: list[Plain]) -> str:
    return ", ".join(map(str, values)) or "nothing"


def _amounts(pool: dict[str, int]) -> str:
    return " ".join(f"{amount} {kind}" for kind, amount in pool.items()) or "empty"


def _words(said: Plain) -> str:
    if isinstance(said, Mapping):
        return ", ".join(
            f"{key}: {_words(value)}" if value is not None else str(key) for key, value in said.items()
        )
    return _list([_words(each) for each in said]) if isinstance(said, list) else str(said)


_FORMS: dict[str, Callable[[Board, Mapping[str, Plain], str], Judged]] = {
    "the": _object,
    "player": _player,
    "battlefield": _battlefield,
    "chain": _chain,
    "legal": _legal,
    "illegal": _illegal,
    "asks": _offer,
    "event": _event,
    "deck": _deck,
    "team": _team,
    "match": _match,
    "not": _not,
    **dict.fromkeys(("turn", "phase", "open", "showdown", "winner", "priority", "focus", "decides"), _moment),
}
