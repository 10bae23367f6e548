"""The commands, one module each, under the names by which they are called."""
