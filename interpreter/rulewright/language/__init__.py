"""Card text to meaning and back: the lexer, the grammar, the typed AST, the printer, the diagnostics.

``parse`` reads a text and gives a :class:`Reading`; its ``text`` is the meaning, a value of
:mod:`rulewright.language.ast`.
"""

from rulewright.language.diagnose import Diagnostic, Fix
from rulewright.language.parse import Reader, Reading, parse
from rulewright.language.vocabulary import Vocabulary, default_vocabulary

__all__ = ["Diagnostic", "Fix", "Reader", "Reading", "Vocabulary", "default_vocabulary", "parse"]
