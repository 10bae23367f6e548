"""The game tree of one Movement Phase, solved exactly on arrays of situations."""
