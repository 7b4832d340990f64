"""Rulewright: card text read as a program, played under numbered rules that are data.

The areas, from the outside in, each of which may import only what comes after it:
``apps`` -> ``play`` -> ``engine`` -> ``cards`` and ``rules`` -> ``language``.
"""

__version__ = "0.1.0"
