"""Questions put to a running game, none of which changes it: what words mean, what objects are, what holds."""
