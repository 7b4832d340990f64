"""One game as a value: objects, events, tasks, layers, costs, choices and programs.

ruleset = Ruleset(rules.load(), cards)
game = Game.new(ruleset, [deck, other], seed=1)
while game.decision is not None:
    game.apply(game.decision.options[0].id)
"""

from rulewright.engine.compile import CompileError
from rulewright.engine.game import Game, IllegalChoice, Position, Refusal, SavedGameError
from rulewright.engine.log import LogRecord
from rulewright.engine.ruleset import Ruleset
from rulewright.engine.state import Decision, Option, State
from rulewright.engine.traits import Traits

__all__ = [
    "CompileError",
    "Decision",
    "Game",
    "IllegalChoice",
    "LogRecord",
    "Option",
    "Position",
    "Refusal",
    "Ruleset",
    "SavedGameError",
    "State",
    "Traits",
]
