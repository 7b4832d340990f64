"""What a game is between two operations: its objects and players, and what an object is at present."""
