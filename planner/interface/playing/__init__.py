"""A game played at the terminal: the map, the decisions, the dice, and what comes of them."""
