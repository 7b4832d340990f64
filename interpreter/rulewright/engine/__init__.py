"""One game as a value: objects, events, tasks, layers, costs, choices and programs.

ruleset = Ruleset(rules.load(), cards)
game = Game.new(ruleset, [deck, other], seed=1)
while game.decision is not None:
    game.apply(game.decision.options[0].id)
"""

from rulewright.engine.game import Game, IllegalChoice, Position, Refusal, SavedGameError
from rulewright.engine.log import LogRecord
from rulewright.engine.program.compile import CompileError
from rulewright.engine.program.ruleset import Ruleset
from rulewright.engine.state.objects import Decision, Option, State
from rulewright.engine.state.traits import Traits

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
