"""The yardstick: what a script of moves is worth, whatever the defender does. Knows no map."""
