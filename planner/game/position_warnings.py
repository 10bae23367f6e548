"""What is odd about a position but no fault: where units start is not questioned (rules page,
"What an AFV may do besides")."""

from __future__ import annotations

from collections.abc import Mapping

from planner.game.board import Board
from planner.game.hexes import DIRECTIONS, Hex
from planner.game.position import Unit
from planner.game.rules import Rules


def warnings_of(rules: Rules, board: Board, units: Mapping[str, Unit]) -> tuple[str, ...]:
    """Everything odd about where units are, by unit and then by hex and side, in text order."""
    found = []
    room: dict[tuple[str, str], int] = {}
    for unit in units.values():
        carried = (*unit.passengers, *((unit.towing,) if unit.towing else ()))
        there = ", ".join(name for name in carried if not units[name].status.removed)
        if unit.status.removed and there:
            found.append(f"{unit.id} is {unit.status.name} and still carries {there}")
        if not unit.stands:
            continue
        if unit.type.movement > 0 and not _may_be_in(rules, board, unit):
            found.append(
                f"{unit.id} starts in {board.name(unit.hex)}, where its class "
                f"({unit.type.movement_class}) may not enter"
            )
        place = (board.name(unit.hex), unit.side)
        room[place] = room.get(place, 0) + unit.type.size
    for (name, side), size in sorted(room.items()):
        if size > rules.stacking_limit:
            limit = rules.stacking_limit
            found.append(f"units of {side} in {name} take room {size}, more than {limit}")
    return tuple(found)


def _may_be_in(rules: Rules, board: Board, unit: Unit) -> bool:
    """Whether its class may enter its hex by some way, a road included (OVR-7)."""
    ground = board.ground[unit.hex]
    class_ = unit.type.movement_class
    if any(class_ in rules.features[name].bars for name in ground.features):
        return False
    return class_ in rules.terrain[ground.terrain].cost or _on_road(rules, board, unit.hex, class_)


def _on_road(rules: Rules, board: Board, hex_: Hex, class_: str) -> bool:
    return any(
        class_ in rules.paths[name].cost
        for direction in DIRECTIONS
        for name in board.paths.get((hex_, hex_.neighbour(direction)), ())
    )
