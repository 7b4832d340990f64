"""Card sets and decks: load them, import public exports, check decks, read and write deck codes."""
