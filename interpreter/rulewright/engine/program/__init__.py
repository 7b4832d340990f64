"""Rules and texts made into programs: operations, the compiler, the primitives, and all that a game is played by."""
