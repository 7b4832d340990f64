"""Card text to meaning and back: the lexer, the grammar, the typed AST, the printer, the diagnostics.

``parse`` reads a text and gives a :class:`Reading`; its ``text`` is the meaning, a value of
:mod:`rulewright.language.ast`.
"""

from rulewright.language.outcome import Diagnostic, Fix, Reading
from rulewright.language.parse import parse
from rulewright.language.vocabulary import Vocabulary, default_vocabulary

__all__ = ["Diagnostic", "Fix", "Reading", "Vocabulary", "default_vocabulary", "parse"]
