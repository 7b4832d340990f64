"""One game as a value: objects, events, tasks, layers, costs, choices and programs."""
