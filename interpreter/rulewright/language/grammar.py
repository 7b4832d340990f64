"""The grammar files and a vocabulary put together: text to forest.

``core.lark`` and the game's own file are one grammar; Lark reads it, and the parser of
:mod:`rulewright.language.lookahead` runs it over our tokens.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark, Tree
from lark.common import LexerConf
from lark.lexer import Lexer as LarkLexer
from lark.lexer import PatternStr
from lark.parse_tree_builder import ParseTreeBuilder

from rulewright.errors import UsageError
from rulewright.language.lookahead import LookaheadParser
from rulewright.language.vocabulary import default_lexicon
from rulewright.paths import data_dir


class _NoLexer(LarkLexer):
    """Stands where Lark wants a lexer: tokens come from our own."""

    def __init__(self, lexer_conf: LexerConf) -> None:
        del lexer_conf

    def lex(self, *_: Any) -> Any:
        raise TypeError("tokens come from rulewright.language.lex")


@cache
def grammar_text(game: str) -> str:
    """Give the text of a game's grammar: the shared sentences and the game's own.

    Raises :class:`UsageError` where there is no game of this name.
    """
    folder = data_dir() / "grammar"
    games = sorted(path.stem for path in folder.glob("*.lark") if path.stem != "core")
    if game not in games:
        raise UsageError(
            f"there is no grammar of a game {game!r}",
            place=str(folder),
            help=f"the games are {', '.join(games)}" if games else None,
        )
    return "\n".join((folder / f"{name}.lark").read_text("utf-8") for name in ("core", game))


class Grammar:
    """A game's grammar, ready to parse with: its literal words, its parser, its rules."""

    def __init__(self, game: str) -> None:
        lark = Lark(grammar_text(game), parser="earley", lexer=_NoLexer, ambiguity="explicit")
        self._parser_conf = lark.parser.parser_conf
        self._lexer_conf = lark.parser.lexer_conf
        self.rules = lark.rules
        _share_symbols(self.rules)
        self.literals = {
            terminal.pattern.value: terminal.name
            for terminal in lark.terminals
            if isinstance(terminal.pattern, PatternStr)
        }
        self.limits: dict[str, int] = default_lexicon(game)["limits"]
        self.parser = LookaheadParser(self._lexer_conf, self._parser_conf, self.limits["items"])
        self._unfiltered: LookaheadParser | None = None

    def callbacks(self, builder: object) -> dict[Any, Any]:
        """Give, for each rule, what the builder makes of its parts."""
        return ParseTreeBuilder(self.rules, Tree, False, False, False).create_callback(builder)

    def unfiltered(self) -> LookaheadParser:
        """Give the parser without look-ahead, for what is not read with it and what was expected where it stopped."""
        if self._unfiltered is None:
            most = self.limits["unfiltered"]
            self._unfiltered = LookaheadParser(self._lexer_conf, self._parser_conf, most, looks_ahead=False)
        return self._unfiltered


def _share_symbols(rules: list[Any]) -> None:
    """Let equal symbols be one object with a plain name: they are compared some millions of times."""
    shared: dict[tuple[bool, str, bool], Any] = {}

    def one(symbol: Any) -> Any:
        # A word may be kept in one rule and left out of the tree in another: these two are not one object.
        known = shared.setdefault(
            (symbol.is_term, str(symbol.name), getattr(symbol, "filter_out", False)), symbol
        )
        known.name = str(known.name)
        return known

    for rule in rules:
        rule.origin = one(rule.origin)
        rule.expansion = [one(symbol) for symbol in rule.expansion]


@cache
def load_grammar(game: str) -> Grammar:
    """Read and prepare a game's grammar, once."""
    return Grammar(game)
