"""Card text to meaning and back: the lexer, the grammar, the typed AST, the printer, the diagnostics.

``parse`` reads a text and gives a :class:`Reading`; its ``text`` is the meaning, a value of
:mod:`rulewright.language.ast`.
"""

from typing import TYPE_CHECKING, Any

from rulewright.language.parse import Reading, parse
from rulewright.language.vocabulary import Vocabulary, default_vocabulary

if TYPE_CHECKING:
    from rulewright.language.diagnose import Diagnostic, Fix
    from rulewright.language.reader import Reader

__all__ = ["Diagnostic", "Fix", "Reader", "Reading", "Vocabulary", "default_vocabulary", "parse"]


def __getattr__(name: str) -> Any:
    # Reading a text that is kept needs no grammar, so the parts that need one are imported when they are asked for.
    if name in ("Diagnostic", "Fix"):
        from rulewright.language import diagnose

        return getattr(diagnose, name)
    if name == "Reader":
        from rulewright.language.reader import Reader

        return Reader
    raise AttributeError(name)
