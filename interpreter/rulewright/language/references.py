"""Finds what the pointing words of a text mean: "it", "that unit", "there", "they", by reading order and kind.

The reader gives such words without an antecedent. Here each gets the path of the words it points to, in the ability
that it stands in, or the role of the event that the ability watches. Words that already have one keep it.
"""

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from rulewright.language import ast
from rulewright.language.tree import walk


class Mention:
    """Something spoken of: the words, their path, where they stand, and the verb that they are the object of."""

    __slots__ = ("asked", "branch", "name", "nested", "node", "path", "role", "start", "verb")

    def __init__(self, path: str, node: Any, start: int, verb: str, role: str, nested: bool) -> None:
        self.path = path
        self.node = node
        self.start = start
        self.verb = verb
        self.role = role
        self.nested = nested
        self.name: str | None = None
        """What is meant, where the words are pointing words themselves."""
        self.asked = False
        """Whether it is only asked if there is such a thing: "if you control a Mech"."""
        self.branch = ""
        """The path of the branch of a condition that it stands in, if it stands in one."""


_SPOKEN = (ast.Objects, ast.Group, ast.TopOf, ast.TokenSpec)
_POINTING = (ast.Reference, ast.There, ast.Player)
_DONE_TO_PLACES = ("replace", "choose", "conquer", "hold", "score", "contest", "attack", "defend", "look-at")
"""What can be done to a battlefield: "it" as the object of another verb is no battlefield."""
_COPIED = re.compile(r"(?P<effect>.*)\.changes\.\d+\.of")


def with_antecedents(text: ast.CardText) -> ast.CardText:
    """Give a text whose pointing words say what they point to."""
    return replace(text, abilities=tuple(_ability(ability) for ability in text.abilities))


def candidates(ability: Any, pointer: str) -> tuple[str, ...]:
    """Give the paths of what a pronoun of an ability could mean by its number and kind, in reading order.

    Each thing is named once; what an event is about has no other path than its role.
    """
    mentions, pointers = _spoken_of(without_antecedents(ability))
    for path, node, start, *_ in pointers:
        if path != pointer:
            continue
        earlier = [
            m for m in mentions if m.start < start and not _inside(path, m.path) and _reaches(m.path, path)
        ]
        if path.endswith("condition.what"):
            earlier = [m for m in earlier if not _in_a_branch(m, path)]
        many = node.role == "them"
        fitting = [
            m
            for m in earlier
            if not m.nested
            and not isinstance(m.node, ast.Player)
            and _many(m.node) is many
            and _kind_fits(node, m)
            and not _is_event(m.path)
            and m.path != f"{path.rpartition('.')[0]}.object"
        ]
        return tuple(dict.fromkeys(m.path for m in fitting))
    return ()


def without_antecedents(node: Any) -> Any:
    """Give a node whose pointing words do not say what they point to: as they stand in the text."""
    changes: dict[str, Any] = {}
    for slot in fields(node):
        value = getattr(node, slot.name)
        if slot.name == "antecedent" and value is not None:
            changes[slot.name] = None
        elif isinstance(value, ast.Node):
            bare = without_antecedents(value)
            if bare is not value:
                changes[slot.name] = bare
        elif isinstance(value, tuple) and any(isinstance(part, ast.Node) for part in value):
            parts = tuple(without_antecedents(part) if isinstance(part, ast.Node) else part for part in value)
            if any(bare is not part for bare, part in zip(parts, value, strict=True)):
                changes[slot.name] = parts
    return replace(node, **changes) if changes else node


def _ability(ability: Any) -> Any:
    mentions, pointers = _spoken_of(ability)
    found: dict[str, str] = {}
    for path, node, start, role, verb in pointers:
        meant = _without_places(mentions) if _is_no_place(node, role, verb) else mentions
        antecedent = _antecedent(path, node, start, role, meant)
        if antecedent is not None and antecedent == found.get(_copying(path)):
            # "It becomes a copy of that unit": nothing becomes a copy of itself.
            others = [mention for mention in meant if mention.path != antecedent]
            antecedent = _antecedent(path, node, start, role, others) or antecedent
        if antecedent is not None:
            found[path] = antecedent
            _spoken_of_again(path, node, start, role, antecedent, mentions)
    for path, zone in _told_behind(ability, ""):
        found[path] = zone
    return _rebuilt(ability, "", found)


def _is_no_place(node: Any, role: str, verb: str) -> bool:
    """ "When a unit attacks a battlefield, give it -1 [M]": what is given Might or stunned is no battlefield."""
    if not isinstance(node, ast.Reference) or node.nouns or role not in ("subject", "object"):
        return False
    return verb not in _DONE_TO_PLACES


def _without_places(mentions: list[Mention]) -> list[Mention]:
    return [mention for mention in mentions if not _is_place(mention.node)]


def _spoken_of_again(
    path: str, node: Any, start: int, role: str, antecedent: str, mentions: list[Mention]
) -> None:
    """ "Kill a gear. If you do, heal that unit and exhaust it": it is the unit, which was spoken of last."""
    if not isinstance(node, ast.Reference) or role not in ("object", "subject") or not node.nouns:
        return
    meant = next((m for m in mentions if _name(m) == antecedent), None)
    if meant is not None:
        again = Mention(path, meant.node, start, meant.verb, role, nested=False)
        again.name = antecedent
        again.branch = meant.branch
        mentions.append(again)
        mentions.sort(key=lambda mention: mention.start)


def _copying(path: str) -> str:
    """Give the path of what becomes a copy, for the path of what it becomes a copy of; empty for any other path."""
    change = _COPIED.fullmatch(path)
    return f"{change['effect']}.subject" if change is not None else ""


def _told_behind(node: Any, path: str) -> Iterator[tuple[str, str]]:
    """ "Return it to a zone if it is empty": what stands behind may speak of where that puts something."""
    if not isinstance(node, ast.Node) or isinstance(node, ast.CardText):
        return
    if isinstance(node, ast.Conditional) and isinstance(node.condition, ast.Is):
        empty = any(
            isinstance(part, ast.HasState) and part.state == "empty" for part in node.condition.filters
        )
        step, where = node.body, f"{path}.body"
        while isinstance(step, ast.May | ast.PayTo):
            step, where = step.body, f"{where}.body"
        if empty and isinstance(step, ast.Action) and isinstance(step.to, ast.Zone):
            yield f"{path}.condition.what", f"{where}.to"
        if node.condition.already and isinstance(step, ast.Action) and isinstance(step.object, ast.TokenSpec):
            # "Add a token to the board if it isn't there already": it is the token.
            yield f"{path}.condition.what", f"{where}.object"
    for name in _order(node):
        value = getattr(node, name)
        inner = f"{path}.{name}" if path else name
        for position, part in enumerate(value if isinstance(value, tuple) else (value,)):
            yield from _told_behind(part, f"{inner}.{position}" if isinstance(value, tuple) else inner)


def _collect(
    node: Any,
    path: str,
    verb: str,
    role: str,
    nested: bool,
    mentions: list[Mention],
    pointers: list[tuple[str, Any, int, str, str]],
    clock: list[int],
) -> None:
    """Walk in reading order: events before bodies, costs before effects, subjects before objects."""
    clock[0] += 1
    now = clock[0]
    if isinstance(node, ast.Where) and role == "filters" and verb == "players":
        # "Each player who ...": "they" in it is each of them.
        return
    if isinstance(node, ast.CardText):
        # A quoted ability stands for itself: nothing in it points out of it.
        return
    if (
        isinstance(node, _SPOKEN)
        or (isinstance(node, ast.Player) and node.which not in ("you", "they", "that-player"))
        or (isinstance(node, ast.Zone) and role == "object")
    ):
        mentions.append(Mention(path, node, now, verb, role, nested))
    points = isinstance(node, _POINTING) and getattr(node, "antecedent", None) is None
    if points and (not isinstance(node, ast.Player) or node.which in ("they", "that-player")):
        pointers.append((path, node, now, role, verb))
    for name in _order(node):
        value = getattr(node, name)
        where = f"{path}.{name}" if path else name
        inner_verb = node.verb if isinstance(node, ast.Action) else verb
        if isinstance(node, ast.PlayersWho):
            inner_verb = "players"
        deeper = nested or (
            name in ("filters", "of", "what")
            and not isinstance(node, ast.Exists | ast.Modify | ast.Is | ast.ForEach | ast.Controls)
        )
        if isinstance(value, ast.Node):
            _collect(value, where, inner_verb, name, deeper, mentions, pointers, clock)
        elif isinstance(value, tuple):
            for position, part in enumerate(value):
                if isinstance(part, ast.Node):
                    _collect(part, f"{where}.{position}", inner_verb, name, deeper, mentions, pointers, clock)


_FIRST = (
    "events",
    "event",
    "condition",
    "cost",
    "who",
    "subject",
    "original",
    "object",
    "amount",
    "source",
    "to",
)


def _order(node: Any) -> list[str]:
    if not isinstance(node, ast.Node):
        return []
    names = [f.name for f in fields(node) if f.name != "span"]
    if isinstance(node, ast.Revise):
        # "Stun it. If it's already stunned, return it instead": the condition comes after what it may revise.
        return sorted(names, key=("original", "condition", "revised").index)
    if isinstance(node, ast.Conditional) and node.behind:
        # "Give it +2 [M] if an enemy unit is here": it was spoken of before.
        return sorted(names, key=("body", "condition", "otherwise", "behind").index)
    if isinstance(node, ast.Unless):
        # "Counter a spell unless its controller pays": what is done is said before who may stop it.
        return sorted(names, key=("body", "who", "alternative").index)
    return sorted(names, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))


def _is_given_other(mention: Mention, path: str) -> bool:
    """ "Kill a unit. Give another unit +[M] equal to its Might": its is that of the unit spoken of before."""
    if not mention.path.endswith(".subject") or not isinstance(mention.node, ast.Objects):
        return False
    if not path.startswith(f"{mention.path.removesuffix('subject')}changes."):
        return False
    return any(isinstance(part, ast.Other) for part in mention.node.filters)


def _antecedent(path: str, node: Any, start: int, role: str, mentions: list[Mention]) -> str | None:
    earlier = [
        m for m in mentions if m.start < start and not _inside(path, m.path) and _reaches(m.path, path)
    ]
    earlier = [m for m in earlier if not _is_given_other(m, path)] or earlier
    if path.endswith("condition.what"):
        # "If it was A, make a token. If it was B, ...": both ask of the same thing, not of what one of them made.
        earlier = [m for m in earlier if not _in_a_branch(m, path)] or earlier
    if role in ("to", "source") and not (isinstance(node, ast.Reference) and node.nouns):
        # "Detach an Equipment from it": what is detached is not what it is detached from.
        apart = [m for m in earlier if m.path != f"{path.rpartition('.')[0]}.object"]
        earlier = _wearers(path, apart) or apart or earlier
    if path.endswith(".to.what"):
        # "Its controller plays a token to its location": what is made there was nowhere before.
        made = f"{path.removesuffix('.to.what')}.object"
        earlier = [m for m in earlier if not (m.path == made and isinstance(m.node, ast.TokenSpec))]
    if isinstance(node, ast.Player):
        return _person(node, earlier)
    if isinstance(node, ast.There):
        # "A battlefield where a unit is alone there" points to the battlefield that is being described.
        described = any(path.startswith(f"{m.path}.filters.") and _is_place(m.node) for m in mentions)
        return None if described else _spot(earlier)
    return _thing(node, earlier)


def _in_a_branch(mention: Mention, pointer: str) -> bool:
    """Tell whether something is spoken of only in a branch that the pointing word stands outside of."""
    return bool(mention.branch) and not _inside(pointer, mention.branch)


def _spoken_of(ability: Any) -> tuple[list[Mention], list[tuple[str, Any, int, str, str]]]:
    """Give what an ability speaks of, and its pointing words, in reading order."""
    mentions: list[Mention] = []
    pointers: list[tuple[str, Any, int, str, str]] = []
    _collect(ability, "", "", "", False, mentions, pointers, [0])
    branches, asked = [], []
    for path, node in walk(ability):
        # "If you do, reveal a card. If it's a spell, ...": what follows is about what was done there.
        if isinstance(node, ast.Conditional) and not isinstance(node.condition, ast.DidSo):
            branches.append(f"{path}.body")
        elif isinstance(node, ast.Exists):
            asked.append(path)
    for mention in mentions:
        mention.asked = any(_inside(mention.path, one) for one in asked)
        mention.branch = next((one for one in branches if _inside(mention.path, one)), "")
    return mentions, pointers


def _wearers(path: str, earlier: list[Mention]) -> list[Mention]:
    """What Equipment is detached from is what was said to be equipped, where something was."""
    if not path.endswith(".source"):
        return []
    equipped = ast.HasState("equipped")
    return [m for m in earlier if isinstance(m.node, ast.Objects) and equipped in m.node.filters]


def _inside(path: str, other: str) -> bool:
    return path.startswith(f"{other}.") or path == other


def _reaches(mention: str, pointer: str) -> bool:
    """An event's roles are spoken of in its own ability only; a condition of another branch is not spoken of."""
    for mark in (".ability.events.", ".ability.event."):
        if mark in mention:
            return pointer.startswith(mention.partition(mark)[0])
    return True


def _event_role(path: str) -> str | None:
    """Give the role of an event that a path stands for: ``event.object``; nothing for a path outside events."""
    parts = path.split(".")
    for position, part in enumerate(parts):
        rest = parts[position:]
        if part == "events" and len(rest) >= 4 and rest[2] == "action":
            return f"event.{rest[3]}" if len(rest) == 4 or rest[3] in ("at", "to", "source") else None
        if part == "event" and len(rest) >= 3 and rest[1] == "action":
            inside_filter = "filters" in parts[:position]
            if inside_filter:
                return None
            return f"event.{rest[2]}" if len(rest) == 3 or rest[2] in ("at", "to", "source") else None
    return None


def _is_event(path: str) -> bool:
    parts = path.split(".")
    return "events" in parts or ("event" in parts and "filters" not in parts and "condition" not in parts)


def _name(mention: Mention) -> str | None:
    if mention.name is not None:
        return mention.name
    if _is_event(mention.path):
        role = _event_role(mention.path)
        if role == "event.subject" and isinstance(mention.node, ast.Player):
            return "event.agent"
        return role
    return mention.path


def _person(node: ast.Player, earlier: list[Mention]) -> str | None:
    for mention in reversed(earlier):
        if isinstance(mention.node, ast.Player):
            name = _name(mention)
            if name is not None:
                return name
    return None


def _is_place(node: Any) -> bool:
    return isinstance(node, ast.Objects) and bool(set(node.nouns) & {"battlefield", "location", "base"})


def _spot(earlier: list[Mention]) -> str | None:
    for mention in reversed(earlier):
        if _is_place(mention.node):
            name = _name(mention)
            if name is not None:
                return name
    for mention in reversed(earlier):
        if isinstance(mention.node, ast.TokenSpec) and "battlefield" in mention.node.types:
            return mention.path
    for mention in reversed(earlier):
        if isinstance(mention.node, ast.Objects | ast.Group) and not mention.nested:
            name = _name(mention)
            if name is not None:
                return name
    return None


def _thing(node: ast.Reference, earlier: list[Mention]) -> str | None:
    things = [m for m in earlier if not isinstance(m.node, ast.Player)]
    if node.participle is not None:
        said = [
            m
            for m in things
            if m.verb and participle_of(m.verb, node.participle) and m.role in ("object", "subject")
        ]
        if node.participle in ("looked-at", "revealed", "drawn", "remaining"):
            said = said or [m for m in things if m.verb in ("look-at", "reveal")]
        fitting = [m for m in said if _kind_fits(node, m)] or said
        if fitting:
            return _name(fitting[-1])
        # No words of this ability name what that was done to: "Discard 1" does it, or a cost that was paid.
        return None
    told = [
        part.event.action.verb
        for part in node.filters
        if isinstance(part, ast.That) and not part.negated and isinstance(part.event.action, ast.Action)
    ]
    if told and node.role == "the":
        # "The unit you recycled" is what the text has recycled.
        done_to = [m for m in things if m.verb in told and m.role == "object"]
        if done_to:
            return _name(done_to[-1])
    if node.role in ("rest", "other"):
        looked = [
            m for m in things if m.verb in ("look-at", "reveal", "choose") and m.role in ("object", "until")
        ]
        if looked:
            return _name(looked[0] if node.role == "rest" else looked[-1])
    heads = [m for m in things if not m.nested]
    fitting = [m for m in heads if _kind_fits(node, m)]
    if node.role == "each":
        # "If one of them is ..., move each": each of them, not of the one.
        fitting = [m for m in fitting if not _is_part_of_them(m.node)] or fitting
    if node.role in ("them", "those", "both", "each") and fitting:
        plural = [m for m in fitting if _many(m.node)]
        if plural:
            return _name(plural[-1])
    if node.role in ("it", "that") and fitting:
        single = [m for m in fitting if not _many(m.node)]
        if single:
            # "Stun a unit. If you control a Mech, return it": the unit, and not what is only asked about.
            return _first_named([m for m in single if not m.asked] or single)
    if fitting:
        return _first_named(fitting)
    nested = [m for m in things if m.nested and node.nouns and _kind_fits(node, m)]
    return _first_named(nested) if nested else None


def _is_part_of_them(node: Any) -> bool:
    return isinstance(node, ast.Objects) and any(
        isinstance(part, ast.From) and isinstance(part.place, ast.Reference) for part in node.filters
    )


def _first_named(mentions: list[Mention]) -> str | None:
    for mention in reversed(mentions):
        name = _name(mention)
        if name is not None:
            return name
    return None


def participle_of(verb: str, participle: str) -> bool:
    """Tell whether a participle is that of a verb: "killed" of "kill", "drawn" of "draw"."""
    plain = participle.replace("-", "")
    stem = verb.replace("-", "")
    if plain.startswith(stem[: max(3, len(stem) - 1)]):
        return True
    return (verb, participle) in {
        ("choose", "chosen"),
        ("draw", "drawn"),
        ("deal", "dealt"),
        ("bring", "brought"),
    }


def _kind_fits(node: ast.Reference, mention: Mention) -> bool:
    spoken = mention.node
    if isinstance(spoken, ast.TokenSpec):
        words: set[str] = {*spoken.types, "token", "unit", "gear", "permanent", spoken.name}
        return not node.nouns or bool(words & set(node.nouns))
    if isinstance(spoken, ast.Group):
        return (
            any(_kind_fits(node, Mention("", part, 0, "", "", False)) for part in spoken.parts)
            or not node.nouns
        )
    if isinstance(spoken, ast.TopOf):
        return not node.nouns or bool({"card", "rune", "unit", "spell", "gear"} & set(node.nouns))
    if isinstance(spoken, ast.Zone):
        # "They reveal their hand. Choose a card from it."
        return not node.nouns or spoken.name in node.nouns
    if not isinstance(spoken, ast.Objects):
        return False
    sides = {part.side for part in node.filters if isinstance(part, ast.Side)}
    if sides and {part.side for part in spoken.filters if isinstance(part, ast.Side)} - sides:
        # "That enemy unit" is not the friendly unit spoken of last.
        return False
    nouns = set(spoken.nouns)
    if not node.nouns:
        places = nouns <= {"battlefield", "location", "base"}
        return not places or mention.role == "object"
    if nouns & set(node.nouns):
        return True
    if "card" in nouns and set(node.nouns) & {"unit", "spell", "gear", "rune"}:
        return True
    if set(node.nouns) & {"card"} and nouns & {"unit", "gear", "spell"}:
        return True
    return bool(set(node.nouns) & {"unit"}) and not nouns & {
        "gear",
        "Equipment",
        "spell",
        "battlefield",
        "legend",
        "rune",
        "location",
    }


def _many(node: Any) -> bool:
    if isinstance(node, ast.Objects | ast.TokenSpec):
        quantity = node.quantity
        if quantity.rule in ("all", "each", "any-number", "both", "any"):
            return True
        amount = quantity.amount
        return isinstance(amount, ast.Number) and amount.value != 1
    if isinstance(node, ast.TopOf):
        return not (isinstance(node.amount, ast.Number) and node.amount.value == 1)
    return isinstance(node, ast.Group) and node.conjunction == "and"


def _rebuilt(node: Any, path: str, found: dict[str, str]) -> Any:
    changes: dict[str, Any] = {}
    if path in found:
        changes["antecedent"] = found[path]
    for slot in fields(node):
        value = getattr(node, slot.name)
        where = f"{path}.{slot.name}" if path else slot.name
        if isinstance(value, ast.CardText):
            changes[slot.name] = with_antecedents(value)
        elif isinstance(value, ast.Node):
            made = _rebuilt(value, where, found)
            if made is not value:
                changes[slot.name] = made
        elif isinstance(value, tuple) and any(isinstance(part, ast.Node) for part in value):
            parts = tuple(
                _rebuilt(part, f"{where}.{i}", found) if isinstance(part, ast.Node) else part
                for i, part in enumerate(value)
            )
            if any(new is not old for new, old in zip(parts, value, strict=True)):
                changes[slot.name] = parts
    return replace(node, **changes) if changes else node
