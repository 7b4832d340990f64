"""Events: how they are replaced, carried out, recorded and watched, and the writes that they consist of."""
