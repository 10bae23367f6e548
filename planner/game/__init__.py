"""The position and its rules: hexes, map, units, rules files, scenarios, legality."""
