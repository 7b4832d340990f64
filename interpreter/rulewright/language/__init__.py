"""Card text to meaning and back: the lexer, the grammar, the typed AST, the printer, the diagnostics."""
