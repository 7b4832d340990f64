"""Whole games: agents, matches, replays, simulation."""
