"""The reader: tokens, forest, meanings of each paragraph, put together to the meaning of a text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark.exceptions import UnexpectedInput

from rulewright.language import ast
from rulewright.language.belonging import with_belongings
from rulewright.language.diagnose import diagnose, unknown_words, unreadable
from rulewright.language.forest import ForestReader, Refused, TooAmbiguous
from rulewright.language.grammar import Grammar, load_grammar
from rulewright.language.habits import habits_of, with_habits
from rulewright.language.lex import Lexer, LexicalError, Limits, Token
from rulewright.language.lookahead import TooMuchWork
from rulewright.language.outcome import Diagnostic, Reading
from rulewright.language.reading.fold import Effects, Mark
from rulewright.language.reading.paragraphs import ParagraphBuilder
from rulewright.language.references import with_antecedents
from rulewright.language.vocabulary import Vocabulary, default_lexicon

Abilities = tuple[Any, ...]


class Reader:
    """Reads texts with one vocabulary and the grammar of its game; keeps what it knows about paragraphs it has seen."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        game = vocabulary.game
        self.vocabulary = vocabulary
        self.grammar: Grammar = load_grammar(game)
        self.lexer = Lexer(vocabulary, self.grammar.literals, Limits.of_lexicon(default_lexicon(game)))
        self._habits = habits_of(default_lexicon(game).get("habits", ()))
        self.callbacks = self.grammar.callbacks(ParagraphBuilder(vocabulary))
        self.beyond_the_filter = 0
        """How many paragraphs were read only without looking ahead: none, unless the filter is wrong."""
        self._paragraphs: dict[tuple[tuple[str, str, int], ...], Any] = {}

    def read(self, text: str, *, explain: bool = True, spans: bool = True) -> Reading:
        """Read one text.

        With ``explain=False`` a text that cannot be read gets no diagnostic, and the filter of the parser is trusted;
        with ``spans=False`` the spans of the meaning may be those of an equal paragraph that was read before: both
        are for reading many texts fast.
        """
        # Character for character, so that every place in the text stays where it was.
        text = text.translate(self.vocabulary.typography)
        try:
            paragraphs = self.lexer.paragraphs(text)
        except LexicalError as error:
            found = (unreadable(text, error),) if explain else ()
            return Reading(None, self._with_habits(text, found))
        choices: list[list[Abilities]] = []
        diagnostics: list[Diagnostic] = []
        for tokens in paragraphs:
            found = self.paragraph(tokens, spans)
            if explain and not isinstance(found, list):
                found = self._without_lookahead(tokens, found)
            if isinstance(found, list):
                choices.append(found)
            elif explain:
                diagnostics += diagnose(self, text, tokens, found)
            else:
                return Reading(None)
        if diagnostics:
            return Reading(None, self._with_habits(text, tuple(diagnostics)))
        return self._assembled(choices, text)

    def _with_habits(self, text: str, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        return with_habits(text, found, self._habits, lambda changed: self.read(changed, explain=False).ok)

    def paragraph(self, tokens: list[Token], spans: bool = True) -> Any:
        """Give the distinct meanings of a paragraph, or what stopped its reading."""
        if spans:
            return self._paragraph(tokens)
        key = tuple((token.type, token.text, token.value) for token in tokens)
        known = self._paragraphs.get(key)
        if known is None:
            known = self._paragraphs[key] = self._paragraph(tokens)
        return known

    def _paragraph(self, tokens: list[Token]) -> Any:
        try:
            forest = self.grammar.parser.forest(tokens)
        except UnexpectedInput as error:
            return error
        except TooMuchWork:
            return TooAmbiguous("this takes more work than a text is worth")
        return self._meanings(tokens, forest)

    def _meanings(self, tokens: list[Token], forest: Any) -> Any:
        reader = ForestReader(self.callbacks, tokens)
        try:
            found = reader.readings(forest)
        except TooAmbiguous as error:
            return error
        if not found:
            return _weightiest(reader.refusals)
        return found

    def _without_lookahead(self, tokens: list[Token], stopped: Any) -> Any:
        """Parse a paragraph that is not read once more without the filter: a fault of the filter refuses no text.

        Give its meanings, or what stopped it: an ``Attempt`` (where, and what was expected) where it is no sentence.
        """
        if isinstance(stopped, TooAmbiguous) or unknown_words(tokens):
            return stopped
        refused = isinstance(stopped, Refused)
        tried = self.grammar.unfiltered().attempt(
            tokens, most_work=self.grammar.limits["refused"] if refused else None
        )
        if tried.forest is None:
            return stopped if refused else tried
        found = self._meanings(tokens, tried.forest)
        if isinstance(found, list):
            self.beyond_the_filter += 1
            return found
        return stopped if refused else found

    def _assembled(self, choices: list[list[Abilities]], text: str) -> Reading:
        combinations: list[list[Abilities]] = [[]]
        for found in choices:
            combinations = [[*before, one] for before in combinations for one in found][:16]
        texts: dict[ast.CardText, None] = {}
        refusal: Refused | None = None
        for combination in combinations:
            try:
                made = with_antecedents(with_belongings(card_text(combination)))
            except Refused as error:
                refusal = error
                continue
            object.__setattr__(made, "span", (0, len(text)))
            texts[made] = None
        if not texts:
            reason = refusal.reason if refusal else "this means nothing"
            return Reading(None, (Diagnostic.at("RW105", reason, 0, len(text)),))
        readings = tuple(texts)
        return Reading(readings[0], (), readings)


def _weightiest(refusals: list[Refused]) -> Refused:
    """Give the refusal that covers most of the text: the others are of parts that were never meant so."""
    if not refusals:
        return Refused("this means nothing")
    return max(refusals, key=lambda one: one.span[1] - one.span[0] if one.span else 0)


def card_text(paragraphs: list[Abilities]) -> ast.CardText:
    """Put the abilities of all paragraphs together; the instructions of a spell become one ability (352)."""
    abilities: list[Any] = []
    spell: list[Any] = []
    place = 0
    for paragraph in paragraphs:
        for ability in paragraph:
            if isinstance(ability, ast.SpellAbility):
                body = ability.body
                if not spell:
                    place = len(abilities)
                spell.extend(body.steps if isinstance(body, ast.Sequence) else (body,))
            elif isinstance(ability, Mark):
                _join(ability, abilities, spell)
            else:
                abilities.append(ability)
    if spell:
        body = spell[0] if len(spell) == 1 else ast.Sequence(tuple(spell))
        abilities.insert(place, ast.SpellAbility(body))
    return ast.CardText(tuple(abilities))


def _limited(ability: Any, condition: Any, frequency: str | None) -> Any:
    """Give an activated ability, or a keyword with a cost, with a limit that stands on a line of its own."""
    if isinstance(ability, ast.Gated):
        return replace(ability, ability=_limited(ability.ability, condition, frequency))
    costs = isinstance(ability, ast.KeywordAbility) and ability.keyword.cost is not None
    if not costs and not isinstance(ability, ast.ActivatedAbility):
        raise Refused("what does this belong to?")
    if (condition and ability.restriction) or (frequency and ability.frequency):
        raise Refused("this is said twice")
    return replace(
        ability, restriction=condition or ability.restriction, frequency=frequency or ability.frequency
    )


def _join(mark: Mark, abilities: list[Any], spell: list[Any]) -> None:
    """Join a paragraph that revises or limits the one before it."""
    if mark.kind == "limit":
        abilities[-1:] = [_limited(abilities[-1] if abilities else None, *mark.value)]
        return
    if mark.kind != "revise":
        raise Refused("what does this belong to?")
    gate, revised = mark.value
    if isinstance(revised, Effects):
        last = abilities[-1] if abilities else None
        if not isinstance(gate, ast.Keyword) or not isinstance(last, ast.Gated):
            raise Refused("instead of what?")
        abilities.append(ast.Gated(gate, ast.PassiveAbility(tuple(revised), instead=True)))
        return
    if not spell:
        raise Refused("instead of what?")
    spell[-1] = ast.Revise(spell[-1], gate, revised)
