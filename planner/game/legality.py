"""What is wrong with a move, and what stands in its way now: every clause, every place.

A move is *wrong* when it breaks what no other unit can change; it is *blocked* by units that stand
where they stand now, which an earlier move may change (formats page, "Move notation").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.units import Kind
from planner.game.clauses import Clause as Clause
from planner.game.hexes import Hex
from planner.game.moves import (
    PlannedMove,
    cost,
    faced_by_path,
    final_hex,
    points_text,
    step_entry,
    steps,
)
from planner.game.position import Position, Unit
from planner.game.rules import Points
from planner.game.weapons import weapon_bar


@dataclass(frozen=True, slots=True)
class Reason:
    """One clause that a move breaks: what in this case, and where (None: no hex on the map)."""

    clause: Clause
    text: str
    hex: Hex | None = None


def wrong(position: Position, move: PlannedMove) -> tuple[Reason, ...]:
    """Everything that is wrong with a move and that no other unit can change, by clause.

    Empty for a move that can be made once nothing stands in its way.
    """
    return in_order(list(faults(position, move)))


def faults(position: Position, move: PlannedMove) -> Iterator[Reason]:
    """What `wrong` tells, as it is found: the first will do to know that a move can't be made."""
    unit = position.units.get(move.unit)
    if unit is None:
        yield Reason(Clause.OVR_1, no_such_unit(position, move.unit))
        return
    yield from unit_bars(position, unit, overruns=move.target is not None, stays=move.stays)
    if not move.stays and unit.stands:
        yield from _ground(position, unit, move)
        yield from _shape(position, unit, move)
        yield from _budget(position, unit, move)
    yield from _weapons(position, unit, move)


def blocked(position: Position, move: PlannedMove) -> tuple[Reason, ...]:
    """What other units do to a move that is not wrong, as they stand now, by clause.

    Raises:
        KeyError: no such unit.
    """
    return in_order([*in_the_way(position, move), *no_room_at_its_end(position, move)])


def in_the_way(position: Position, move: PlannedMove) -> Iterator[Reason]:
    """What `blocked` tells of the enemy's units."""
    unit = position.units[move.unit]
    if move.target_hex is not None:
        yield from target_units(position, unit, move.target_hex)
    for index, hex_ in enumerate(move.path):
        if index != move.target:
            yield from enemy_in_the_way(position, unit, hex_)


def no_room_at_its_end(position: Position, move: PlannedMove) -> Iterator[Reason]:
    """What `blocked` tells of the units of one's own side."""
    if move.path:
        unit = position.units[move.unit]
        yield from no_room(position, unit, final_hex(unit, move))


def in_order(reasons: list[Reason]) -> tuple[Reason, ...]:
    """Each reason once, by the clauses' numbers, else as found."""
    return tuple(sorted(dict.fromkeys(reasons), key=lambda reason: reason.clause.number))


def no_such_unit(position: Position, name: str) -> str:
    """What to say of a unit that is not there."""
    known = ", ".join(unit.id for unit in position.movers()) or "none"
    return f"there is no unit {name} (AFVs of {position.to_move}: {known})"


def unit_bars(
    position: Position, unit: Unit, *, overruns: bool = True, stays: bool = False
) -> Iterator[Reason]:
    """What the unit itself breaks: OVR-1, OVR-4 and, if it ``overruns``, OVR-8.

    One that ``stays`` need not be able to move. The place is the unit's hex.
    """
    here = None if unit.status.removed else unit.hex
    if unit.kind is not Kind.AFV:
        yield Reason(Clause.OVR_1, f"{unit.id} is no AFV but {unit.kind.value}", here)
    if unit.side != position.to_move:
        yield Reason(Clause.OVR_4, f"this is the Movement Phase of {position.to_move}", here)
    if stays:
        return
    if unit.status.removed:
        yield Reason(Clause.OVR_4, f"{unit.id} is {unit.status.name} and off the map")
    elif unit.carrier is not None:
        yield Reason(Clause.OVR_4, f"{unit.id} is carried by {unit.carrier}", here)
    elif not unit.status.may_move:
        yield Reason(Clause.OVR_4, f"{unit.id} is {unit.status.name} and may not move", here)
    elif overruns and not unit.status.may_overrun:
        yield Reason(Clause.OVR_4, f"{unit.id} is {unit.status.name} and may not overrun", here)
    if unit.moved:
        yield Reason(Clause.OVR_4, f"{unit.id} has moved in this phase", here)
    if overruns and unit.towing is not None:
        yield Reason(Clause.OVR_8, f"{unit.id} is towing {unit.towing}", here)


def target_ground(position: Position, target: Hex) -> Iterator[Reason]:
    """What the ground of a target hex breaks: OVR-5 and OVR-6."""
    name = position.board.name(target)
    ground = position.board.ground[target]
    if position.rules.terrain[ground.terrain].building:
        yield Reason(Clause.OVR_5, f"the target hex {name} is a building hex", target)
    if any(position.rules.features[feature].bunker for feature in ground.features):
        yield Reason(Clause.OVR_6, f"the target hex {name} holds a Bunker", target)


def target_units(position: Position, unit: Unit, target: Hex) -> Iterator[Reason]:
    """What the units in a target hex break: OVR-2 and OVR-3."""
    name = position.board.name(target)
    enemies = enemies_of(position, unit, target)
    if not any(enemy.kind.is_struck for enemy in enemies):
        yield Reason(
            Clause.OVR_2, f"no enemy infantry, unarmoured vehicle or Gun stands in {name}", target
        )
    afvs = [enemy.id for enemy in enemies if enemy.kind is Kind.AFV]
    if afvs:
        yield Reason(Clause.OVR_3, f"an enemy AFV is in {name}: {', '.join(afvs)}", target)


def enemy_in_the_way(position: Position, unit: Unit, hex_: Hex) -> Iterator[Reason]:
    """OVR-7 for a hex that an enemy unit is in."""
    enemies = enemies_of(position, unit, hex_)
    if enemies:
        names = ", ".join(enemy.id for enemy in enemies)
        yield Reason(Clause.OVR_7, f"{position.board.name(hex_)} holds {names} of the enemy", hex_)


def no_room(position: Position, unit: Unit, hex_: Hex) -> Iterator[Reason]:
    """OVR-7 for a hex where the AFV would break the stacking limit by ending its move there."""
    others = sum(
        other.type.size
        for other in position.standing.get(hex_, ())
        if other.side == unit.side and other.id != unit.id
    )
    limit = position.rules.stacking_limit
    if others + unit.type.size > limit:
        name = position.board.name(hex_)
        yield Reason(
            Clause.OVR_7,
            f"no room in {name}: stacking {others} and {unit.type.size} more, limit {limit}",
            hex_,
        )


def enemies_of(position: Position, unit: Unit, hex_: Hex) -> tuple[Unit, ...]:
    """The units of the other side that stand in a hex."""
    return tuple(other for other in position.standing.get(hex_, ()) if other.side != unit.side)


def _ground(position: Position, unit: Unit, move: PlannedMove) -> Iterator[Reason]:
    """Each hex must be a neighbour (OVR-13) that the AFV may enter (OVR-7); the target hex must be
    fit for an overrun (OVR-5, OVR-6)."""
    board = position.board
    for index, step in enumerate(steps(unit, move)):
        if step.to_hex not in board:
            yield Reason(Clause.OVR_7, "the path leaves the map")
            return
        name = board.name(step.to_hex)
        if step.direction is None:
            text = f"{board.name(step.from_hex)} and {name} are not neighbours"
            if move.target is not None and index == move.target + 1:
                text += _right_exit(position, unit, move)
            yield Reason(Clause.OVR_13, text, step.to_hex)
            continue
        for bar in step_entry(position, unit, step).bars:
            yield Reason(Clause.OVR_7, f"{name} can't be entered: {bar}", step.to_hex)
    if move.target_hex is not None:
        yield from target_ground(position, move.target_hex)


def _shape(position: Position, unit: Unit, move: PlannedMove) -> Iterator[Reason]:
    """An overrun goes straight through (OVR-13) and ends there as it came (OVR-15)."""
    if move.target is None:
        return
    target = move.path[move.target]
    beyond = move.path[move.target + 1 :]
    if not beyond:
        text = "an overrun ends in the exit hex: none is given"
        yield Reason(Clause.OVR_15, text + _right_exit(position, unit, move), target)
        return
    approach = _approach(unit, move, move.target)
    way_in, way_out = approach.direction_to(target), target.direction_to(beyond[0])
    on_map = approach in position.board and target in position.board
    straight = way_in is way_out or way_in is None or way_out is None
    if on_map and beyond[0] in position.board and not straight:
        names = ", ".join(position.board.name(h) for h in (approach, target, beyond[0]))
        text = f"{names} do not lie in one line" + _right_exit(position, unit, move)
        yield Reason(Clause.OVR_13, text, beyond[0])
    if len(beyond) > 1:
        end = position.board.name(beyond[0])
        yield Reason(Clause.OVR_15, f"an overrun ends in the exit hex {end}", beyond[1])
    if move.facing is not None and move.facing is not faced_by_path(unit, move.path):
        yield Reason(Clause.OVR_15, "the facing stays as it is in the exit hex", move.path[-1])


def _approach(unit: Unit, move: PlannedMove, target: int) -> Hex:
    """The hex from which the AFV enters the target hex."""
    return move.path[target - 1] if target else unit.hex


def _right_exit(position: Position, unit: Unit, move: PlannedMove) -> str:
    """What the exit hex has to be; nothing where the target hex is not entered from beside it."""
    board = position.board
    assert move.target is not None
    target = move.path[move.target]
    approach = _approach(unit, move, move.target)
    way_in = approach.direction_to(target)
    if way_in is None or approach not in board or target not in board:
        return ""
    right = target.neighbour(way_in)
    there = board.name(right) if right in board else "off the map"
    return f"; the exit hex of {board.name(approach)}x{board.name(target)} is {there}"


def _budget(position: Position, unit: Unit, move: PlannedMove) -> Iterator[Reason]:
    """The move's cost against what the AFV has left (OVR-14)."""
    if any(hex_ not in position.board for hex_ in move.path):
        return
    points = cost(position, move)
    if points is not None and points > unit.movement_left:
        yield too_dear(unit, points, final_hex(unit, move))


def too_dear(unit: Unit, points: Points, hex_: Hex, least: str = "") -> Reason:
    """OVR-14, with what the move needs and what the unit has left."""
    return Reason(
        Clause.OVR_14,
        f"needs {least}{points_text(points)} movement points, "
        f"{unit.id} has {points_text(unit.movement_left)}",
        hex_,
    )


def _weapons(position: Position, unit: Unit, move: PlannedMove) -> Iterator[Reason]:
    """The passengers' weapons that the player wishes to use (OVR-17)."""
    for passenger, weapon in move.weapons:
        if move.target is None:
            yield Reason(Clause.OVR_17, f"{passenger}:{weapon} is of use in an overrun only")
        bar = weapon_bar(position, unit, passenger, weapon)
        if bar is not None:
            yield Reason(Clause.OVR_17, bar)
