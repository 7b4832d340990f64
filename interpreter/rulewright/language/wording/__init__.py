"""How a meaning is written as text: English, the table of writers, phrases and clauses."""
