"""Lines found at once, for a decision that has no time.

However large the map, an AFV's lines lie within its reach; only that is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from planner.game.legality import unit_bars
from planner.game.moves import cost
from planner.game.position import Position, Unit
from planner.search.approaches import Approach
from planner.search.armament import weapon_choices
from planner.search.candidates import Candidate, armed
from planner.search.graph import graph_over, within_reach
from planner.search.lines import lines_of
from planner.search.worth import Judge


def lines_at_once(position: Position, judge: Judge, unit: Unit) -> list[Candidate]:
    """The cheapest move to each line of one AFV of the side to move that is legal now, with every
    choice of weapons worth having: what `planner.search.candidates.first_candidates` finds of this
    AFV, but the cheapest first."""
    if next(unit_bars(position, unit), None) is not None:
        return []
    reach = within_reach(position, unit)
    if not any(position.enemies_in(hex_) for hex_ in reach):
        return []
    graphs = {unit.type.movement_class: graph_over(position, unit, reach)}
    weapons = weapon_choices(position, unit, judge)
    return cheapest_first(
        position,
        (
            candidate
            for line in lines_of(position, unit, graphs)
            for candidate in armed(position, Approach(line.move, frozenset()), weapons)
        ),
    )


def cheapest_first(position: Position, found: Iterable[Candidate]) -> list[Candidate]:
    """Moves by their movement points (OVR-14), the fewest first; equal ones in text order."""

    def rank(candidate: Candidate) -> tuple[Fraction, str]:
        points = cost(position, candidate.move)
        assert points is not None
        return Fraction(points), candidate.text

    return sorted(found, key=rank)
