"""The outsides of Rulewright: each thin, each over the same public functions."""
