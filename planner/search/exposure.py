"""Exposure to fire: a position and its moves, as the yardstick reads them.

`evaluation` knows no map. A move becomes a script of windows and attacks here; which shots the map
allows in a window is `planner.game.windows`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from evaluation.script import Combatant, Field, Move, Objective, Step, Strike
from evaluation.units import Side
from planner.game.moves import PlannedMove, steps
from planner.game.notation import format_move
from planner.game.position import Position
from planner.game.windows import cover, window


def field(position: Position) -> Field:
    """Everybody in a position, as the fight sees them; the place of a unit is its `Hex`."""
    found = _fields.get(position)
    if found is None:
        found = _fields.setdefault(position, _field(position))
    return found


def script(position: Position, move: PlannedMove) -> Move:
    """What a move makes happen: a window in each hex entered (OVR-9), the strike in the target hex
    (OVR-19), the last window in the exit hex (OVR-10). A turn opens no window.

    The shots of a window are in text order of firer and weapon. They are those which the map allows
    a unit that may fire now or may come to: a unit with a Fire marker or a spent weapon has lost
    its shot for the phase, and one whose status may not fire keeps it only if some result gives it
    a status that may. Whether a firer still may when the window opens is the yardstick's question.

    Raises:
        KeyError: no such unit, or a hex off the map.
        ValueError: two hexes that follow each other are no neighbours.
    """
    return Move(move.unit, tuple(_steps(position, move)), format_move(position, move))


_fields: WeakKeyDictionary[Position, Field] = WeakKeyDictionary()


def _field(position: Position) -> Field:
    def side(name: str) -> Side:
        return Side.MOVER if name == position.to_move else Side.DEFENDER

    units = {
        unit.id: Combatant(
            id=unit.id,
            side=side(unit.side),
            type=unit.type.combat,
            status=unit.status.name,
            place=unit.hex,
            fired=unit.fired,
            spent=unit.spent,
            carrier=unit.carrier,
            size=unit.type.size,
        )
        for unit in position.units.values()
    }
    objectives = tuple(
        Objective(known.hex, known.worth, None if known.held_by is None else side(known.held_by))
        for known in position.objectives
    )
    return Field(position.rules.combat, units, position.rules.stacking_limit, objectives)


def _steps(position: Position, move: PlannedMove) -> Iterator[Step]:
    unit = position.units[move.unit]
    for index, step in enumerate(steps(unit, move)):
        if step.direction is None:
            names = " and ".join(position.board.name(h) for h in (step.from_hex, step.to_hex))
            raise ValueError(f"{names} are no neighbours")
        if index == move.target:
            yield Strike(step.to_hex, cover(position, step.to_hex), move.weapons)
        else:
            after = move.target is not None and index == move.target + 1
            yield window(position, step.to_hex, step.direction, step.from_hex if after else None)
