"""What could be done: the movement graph, overrun lines, exposure to fire, selection."""
