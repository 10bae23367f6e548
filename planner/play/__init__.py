"""The player's side of it: hints."""
