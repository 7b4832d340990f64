"""Playing and using: what a player may begin, what it targets and costs, and its way over the chain."""
