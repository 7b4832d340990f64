"""From a forest to a meaning: the phrases, clauses and sentences that the grammar found, built and checked."""
