"""The map's colours: a background for what lies in a hex, a counter's colour for its side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from planner.game.board import Board, Ground
from planner.game.rules import Rules

FIRST_SIDE = "bold white on #a02020"
SECOND_SIDE = "bold white on #2040a0"
UNDER_WAY = "bold black on #ffd700"
"""Counters of the side that the scenario lists first, of the other, and of the AFV under way."""

_OPEN = ("#d8e4b8", "#d0c898", "#c0b080", "#a89868")
_BUILT = "#b0a8a0"
_HIGH = "#80b070"
_COVER = "#c8cc70"
_OTHER = ("#9cc4d4", "#c4b4d4", "#d4b494", "#b4d4c4")


def commonest(board: Board) -> str:
    """The terrain that most hexes have; of equals the first in text order."""
    counts = Counter(ground.terrain for ground in board.ground.values())
    return min(counts, key=lambda name: (-counts[name], name))


def backgrounds(board: Board, rules: Rules) -> Mapping[str, str]:
    """The background of each terrain on the map but the commonest: buildings grey, what hides the
    sight green, what gives cover yellow, others in colours of their own."""
    usual = commonest(board)
    found: dict[str, str] = {}
    others = 0
    for name in sorted({ground.terrain for ground in board.ground.values()} - {usual}):
        terrain = rules.terrain[name]
        if terrain.building:
            found[name] = _BUILT
        elif terrain.height > 0:
            found[name] = _HIGH
        elif terrain.cover or terrain.at_cover:
            found[name] = _COVER
        else:
            found[name] = _OTHER[others % len(_OTHER)]
            others += 1
    return found


def ground_style(ground: Ground, known: Mapping[str, str]) -> str:
    """How a hex is drawn: the commonest terrain by its level, others by what they are."""
    level = min(max(ground.elevation, 0), len(_OPEN) - 1)
    return f"black on {known.get(ground.terrain, _OPEN[level])}"
