"""Meanings written as text: the canonical wording, a plain description, and a tree to look at.

The canonical wording is the project's own house style, documented in ``CONTRIBUTING.md``: reading it gives the
meaning that was printed. Printing the same meaning twice gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as ListOf
from dataclasses import replace
from functools import lru_cache, reduce
from typing import TYPE_CHECKING

from rulewright.language.ast import CardText, Conditional, Node, Self, SpellAbility
from rulewright.language.references import with_antecedents, without_antecedents
from rulewright.language.tree import at, children, slots, walk
from rulewright.language.tree import replace as replaced
from rulewright.language.vocabulary import Vocabulary, default_vocabulary

# The two modules fill the table of writers when they are imported.
from rulewright.language.wording import abilities, clauses, effects, phrases  # noqa: F401
from rulewright.language.wording.english import plural
from rulewright.language.wording.writer import UnprintableError, VerbWords, Writer

if TYPE_CHECKING:
    from rich.tree import Tree

__all__ = ["UnprintableError", "describe", "describe_readings", "outline", "print_text", "rich_tree"]


def print_text(card_text: CardText, vocabulary: Vocabulary | None = None) -> str:
    """Give the canonical text of a card's meaning, one ability a line.

    Raises :class:`UnprintableError` where a kind of node, or a value that a node holds, has no words.
    """
    return _writer(vocabulary, card_text)(_with_conditions_placed(without_antecedents(card_text), card_text))


def _with_conditions_placed(told: CardText, meant: CardText) -> CardText:
    """Let each condition stand first, as the house has it, unless a word behind it would then point to it."""
    places = [path for path, node in walk(told) if isinstance(node, Conditional) and node.otherwise is None]
    if not places:
        return told
    first = _all_placed(told, places, behind=False)
    if with_antecedents(first) == meant:
        return first
    last = _all_placed(told, places, behind=True)
    return last if with_antecedents(last) == meant else first


def _all_placed(text: CardText, places: ListOf[str], *, behind: bool) -> CardText:
    return reduce(lambda made, path: _placed(made, path, behind), places, text)


def _placed(text: CardText, path: str, behind: bool) -> CardText:
    conditional = at(text, path)
    assert isinstance(conditional, Conditional)
    changed = replaced(text, path, replace(conditional, behind=behind))
    assert isinstance(changed, CardText)
    return changed


def describe(node: Node, vocabulary: Vocabulary | None = None) -> str:
    """Give any part of a meaning in plain English, with the reach of its words shown.

    What several nouns share is said with each of them, and steps that belong together stand in parentheses.
    """
    return replace(_writer(vocabulary, node), explicit=True)(without_antecedents(node))


def describe_readings(readings: ListOf[CardText], vocabulary: Vocabulary | None = None) -> tuple[str, ...]:
    """Give, for each of several readings of one text, the smallest part in which it differs, in plain English.

    >>> from rulewright.language.ast import Action, Number, Player, SpellAbility
    >>> one, two = (CardText((SpellAbility(Action("draw", Player("you"), amount=Number(n))),)) for n in (1, 2))
    >>> describe_readings([one, two])
    ('draw 1', 'draw 2')
    """
    paths = [_where_they_part(list(readings))]
    while paths[-1]:
        paths.append(_parent(paths[-1]))
    for path in paths:
        told = tuple(describe(at(reading, path), vocabulary) for reading in readings)
        # A single word says too little of how a text was read.
        if len(set(told)) == len(told) and all(" " in text for text in told):
            return told
    return tuple(describe(reading, vocabulary) for reading in readings)


def _parent(path: str) -> str:
    """The path of the node that holds the one at a path."""
    above, _, last = path.rpartition(".")
    return above.rpartition(".")[0] if last.isdecimal() else above


def _where_they_part(readings: list[Node], path: str = "") -> str:
    """The longest path to a part that all readings have, outside which they are equal."""
    first = readings[0]
    if any(type(reading) is not type(first) for reading in readings):
        return path
    steps = [dict(children(reading)) for reading in readings]
    if any(set(found) != set(steps[0]) for found in steps):
        return path
    apart = [step for step in steps[0] if len({found[step] for found in steps}) > 1]
    if len(apart) != 1:
        return path
    below = f"{path}.{apart[0]}" if path else apart[0]
    return _where_they_part([found[apart[0]] for found in steps], below)


def _writer(vocabulary: Vocabulary | None, node: Node) -> Writer:
    words = _words(vocabulary if vocabulary is not None else default_vocabulary())
    # A spell speaks of itself as "this", a unit or a legend as "me".
    usual = "this" if isinstance(node, CardText) and any(map(_is_spell, node.abilities)) else "me"
    form = next((part.form for _, part in walk(node) if isinstance(part, Self)), usual)
    return Writer(words, "this" if form.startswith("this") else "me")


def _is_spell(ability: Node) -> bool:
    return isinstance(ability, SpellAbility)


@lru_cache(maxsize=8)
def _words(vocabulary: Vocabulary) -> VocabularyWords:
    return VocabularyWords(vocabulary)


class VocabularyWords:
    """The printer's view of a vocabulary: from a lemma to how it is written."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._nouns: dict[tuple[str, str], str] = {}
        self._kinds: dict[str, str] = {}
        for surface, word in vocabulary.words.items():
            self._nouns.setdefault((word.lemma, word.form), surface)
            self._kinds.setdefault(word.lemma, word.kind)

    def verb_words(self, lemma: str) -> VerbWords:
        """Give the forms of a verb; raises :class:`UnprintableError` where the lexicon has no such verb."""
        for name, entry in self._vocabulary.keywords.items():
            if entry.get("verb") == lemma:
                bracketed = f"[{name}]"
                return VerbWords(bracketed, bracketed, bracketed, bracketed, bracketed)
        forms = self._vocabulary.verb_forms.get(lemma)
        frame = self._vocabulary.frames.get(lemma)
        if forms is None or frame is None:
            raise UnprintableError(f"the lexicon has no verb {lemma!r}")
        base, third, told, participle, gerund = forms
        counted = frame.amount or ""
        return VerbWords(base, third, told, participle, gerund, frame.moves, counted, frame.at == "to")

    def plural(self, noun: str) -> str:
        """Give the plural of a noun, a tag or a token's name."""
        for form in ("plural", "both"):
            if (noun, form) in self._nouns:
                return self._cased(noun, self._nouns[noun, form])
        return plural(self.displayed(noun))

    def symbol(self, token: str, value: object = "") -> str:
        """Give the house's spelling of a symbol; raises :class:`UnprintableError` where the lexicon has none."""
        if token not in self._vocabulary.written:
            raise UnprintableError(f"the lexicon has no symbol {token!r}")
        template, names = self._vocabulary.written[token]
        return template.format(names.get(str(value), value))

    def adverb(self, lemma: str) -> str:
        """Give how an adverb is written: ``in any order``."""
        return self._nouns.get((lemma, ""), lemma.replace("-", " "))

    def displayed(self, lemma: str) -> str:
        """Give a lemma as a card shows it: ``Main Deck``, ``Energy cost``, ``[Mighty]``, ``facedown``."""
        for name in self._vocabulary.keywords:
            if name.lower() == lemma.lower():
                return f"[{name}]"
        return self._cased(lemma, lemma.replace("-", " "))

    def _cased(self, lemma: str, surface: str) -> str:
        kind = self._kinds.get(lemma)
        if kind == "NAME":
            # Names keep their own capitals; what the plural adds stays small.
            return lemma + surface[len(lemma) :]
        if kind in {"ZONE", "PHASE"} and "-" in lemma:
            return surface.title()
        for small, large in _CAPITALS.items():
            surface = surface.replace(small, large)
        return surface


_CAPITALS = {
    "might": "Might",
    "energy": "Energy",
    "power": "Power",
    "chosen champion": "Chosen Champion",
    "victory score": "Victory Score",
}
"""Terms of the rules that are written with capitals."""


# ------------------------------------------------------------------------------------------- the readable tree


def outline(node: Node) -> str:
    """Give a meaning as an indented tree, one node a line, plain values beside the kind.

    >>> from rulewright.language.ast import Action, Number, Player
    >>> print(outline(Action("draw", Player("you"), amount=Number(2))))
    Action draw
      subject: Player you
      amount: Number 2
    """
    return "\n".join(f"{'  ' * depth}{label}" for depth, label in _lines(node, "", 0))


def rich_tree(node: Node) -> Tree:
    """Give the outline as a tree for a terminal."""
    from rich.text import Text
    from rich.tree import Tree

    def grow(part: Node, name: str) -> Tree:
        label = Text(f"{name}: ", style="dim") if name else Text()
        label.append(type(part).__name__, style="bold cyan").append(_plain_values(part), style="green")
        tree = Tree(label, guide_style="dim")
        for step, child in children(part):
            tree.add(grow(child, _step_name(step)))
        return tree

    return grow(node, "")


def _lines(node: Node, name: str, depth: int) -> Iterator[tuple[int, str]]:
    label = f"{name}: " if name else ""
    yield depth, f"{label}{type(node).__name__}{_plain_values(node)}"
    for step, child in children(node):
        yield from _lines(child, _step_name(step), depth + 1)


def _step_name(step: str) -> str:
    name, _, index = step.partition(".")
    return f"{name} {int(index) + 1}" if index else name


def _plain_values(node: Node) -> str:
    """The plain values of a node, those at their defaults left out: `` draw``, `` beginning-phase which=first``."""
    written = []
    for slot in slots(type(node)):
        value = getattr(node, slot.name)
        if slot.surface or value == slot.default or isinstance(value, Node):
            continue
        if isinstance(value, tuple):
            if not value or any(isinstance(part, Node) for part in value):
                continue
            value = ", ".join(map(str, value))
        if value is True:
            written.append(slot.name)
        elif slot.default is None or isinstance(slot.default, str | tuple):
            written.append(f"{slot.name}={value}")
        else:
            written.append(str(value))
    return f" {' '.join(written)}" if written else ""
