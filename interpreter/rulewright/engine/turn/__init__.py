"""The course of a game: setup, turns, cleanups, showdowns, combat, scoring and the end."""
