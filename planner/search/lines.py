"""Every overrun line that is legal now, each with its cheapest move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from planner.game.hexes import Direction, Hex
from planner.game.legality import no_room, no_such_unit, unit_bars
from planner.game.moves import PlannedMove
from planner.game.position import Position, Unit
from planner.game.rules import Points
from planner.search.effort import Poll, nothing
from planner.search.graph import MovementGraph, movement_graph
from planner.search.routes import first_in_text_order


@dataclass(frozen=True, slots=True)
class Line:
    """One way to overrun one hex: who, what, travelling which way.

    ``movement_points`` is the least cost of all moves along the line (OVR-14), ``move`` the one of
    that cost which comes first in text order, without passengers' weapons.
    """

    unit: str
    target: Hex
    direction: Direction
    exit: Hex
    movement_points: Points
    move: PlannedMove


def lines(
    position: Position,
    unit: str | None = None,
    graphs: Mapping[str, MovementGraph] | None = None,
) -> tuple[Line, ...]:
    """Every legal overrun line of the side to move, or of one of its units.

    One for each unit, target hex and direction of travel, in text order of these three. ``graphs``
    are movement graphs by movement class to read instead of the position's own.

    Raises:
        ValueError: there is no unit of that id.
    """
    if unit is not None and unit not in position.units:
        raise ValueError(no_such_unit(position, unit))
    units = position.movers() if unit is None else iter((position.units[unit],))
    board = position.board
    return tuple(
        line
        for mover in units
        for line in sorted(
            lines_of(position, mover, graphs),
            key=lambda line: (board.name(line.target), board.direction_name(line.direction)),
        )
    )


def lines_of(
    position: Position,
    unit: Unit,
    graphs: Mapping[str, MovementGraph] | None = None,
    poll: Poll = nothing,
) -> list[Line]:
    """The legal overrun lines of one unit, in no order that means anything. ``poll`` is called now
    and then and may raise to stop."""
    if unit.facing is None or any(True for _ in unit_bars(position, unit)):
        return []
    movement = graph_for(position, unit, graphs, poll)
    poll()
    start = movement.codec.node(unit.hex, unit.facing)
    weights = movement.distances(start, unit.movement_left)
    found = []
    for end, weight in weights.items():
        place = movement.codec.read(end)
        if place.ended:
            poll()
        if place.ended and next(no_room(position, unit, place.hex), None) is None:
            points = movement.points(weight)
            found.append(_line(position, unit, movement, weights, start, end, points))
    return found


def graph_for(
    position: Position,
    unit: Unit,
    graphs: Mapping[str, MovementGraph] | None,
    poll: Poll = nothing,
) -> MovementGraph:
    """The movement graph that a unit moves on."""
    movement_class = unit.type.movement_class
    if graphs is not None and movement_class in graphs:
        return graphs[movement_class]
    return movement_graph(position, movement_class, unit.side, poll)


def _line(
    position: Position,
    unit: Unit,
    movement: MovementGraph,
    weights: Mapping[int, int],
    start: int,
    end: int,
    points: Points,
) -> Line:
    beyond, direction, _ = movement.codec.read(end)
    # Only one approach leads to an end state: the one straight behind it.
    ((approach, _, attributes),) = movement.graph.in_edges(end, data=True)
    target: Hex = attributes["target"]
    path = first_in_text_order(movement, position.board, weights, start, approach, target)
    move = PlannedMove(unit.id, (*path, target, beyond), target=len(path))
    return Line(unit.id, target, direction, beyond, points, move)
