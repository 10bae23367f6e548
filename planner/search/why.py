"""Whether one overrun is legal, and if not, every clause it breaks and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from planner.game.clauses import Clause
from planner.game.entry import Entry, entry
from planner.game.hexes import DIRECTIONS, Direction, Hex
from planner.game.legality import (
    Reason,
    enemy_in_the_way,
    in_order,
    no_room,
    no_such_unit,
    target_ground,
    target_units,
    too_dear,
    unit_bars,
)
from planner.game.moves import PlannedMove
from planner.game.position import Position, Unit
from planner.game.rules import Points
from planner.search.graph import movement_graph
from planner.search.lines import lines_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an overrun is legal now: its cheapest move, or all the reasons why it is not."""

    reasons: tuple[Reason, ...]
    move: PlannedMove | None

    @property
    def legal(self) -> bool:
        """Whether no clause is broken."""
        return not self.reasons


def why(position: Position, unit: str, target: Hex | str, direction: Direction | str) -> Verdict:
    """Whether a unit may overrun a hex travelling in a direction, now.

    ``target`` and ``direction`` may be given by their names on the map. The move of a legal overrun
    is the one that `lines` lists. Reasons come once each, by the clauses' numbers; OVR-14 counts
    what is known of the cost, so an overrun that is barred on the way may be too dear besides.

    Raises:
        ValueError: there is no such unit, hex or direction; the message says what there is.
    """
    mover = position.units.get(unit)
    if mover is None:
        raise ValueError(no_such_unit(position, unit))
    heading = (
        position.board.orientation.direction(direction) if isinstance(direction, str) else direction
    )
    struck = position.board.numbering.parse(target) if isinstance(target, str) else target
    if struck not in position.board:
        raise ValueError(f"{tuple(struck)} is not on the map")
    reasons = in_order(list(_reasons(position, mover, struck, heading)))
    if reasons:
        return Verdict(reasons, None)
    line = next(
        line
        for line in lines_of(position, mover)
        if line.target == struck and line.direction is heading
    )
    return Verdict((), line.move)


def _reasons(position: Position, unit: Unit, target: Hex, direction: Direction) -> Iterator[Reason]:
    board = position.board
    approach, beyond = target.neighbour(direction.opposite), target.neighbour(direction)
    yield from unit_bars(position, unit)
    yield from target_units(position, unit, target)
    yield from target_ground(position, target)
    known: Points = position.rules.overrun_cost
    complete = True

    way = _way_to(position, unit, approach, direction)
    if way is None:
        yield from _no_way_to(position, unit, approach, direction, target)
        complete = False
    else:
        known += way

    through = _entry(position, unit, approach, target)
    into = _entry(position, unit, target, beyond)
    for hex_, entered in ((target, through), (beyond, into)):
        for bar in entered.bars:
            if hex_ in board:
                text = f"{board.name(hex_)} can't be entered: {bar}"
                yield Reason(Clause.OVR_7, text, hex_)
        if entered.cost is None:
            complete = False
        else:
            known += entered.cost
    if beyond not in board:
        yield _off_the_map(position, "exit", target, direction)
    else:
        yield from enemy_in_the_way(position, unit, beyond)
        yield from no_room(position, unit, beyond)

    if known > unit.movement_left:
        end = beyond if beyond in board else target
        yield too_dear(unit, known, end, "" if complete else "at least ")


def _entry(position: Position, unit: Unit, from_hex: Hex, to_hex: Hex) -> Entry:
    """Entering a hex; nothing is known of it from off the map."""
    if from_hex not in position.board:
        return Entry(None)
    return entry(position.rules, position.board, unit.type.movement_class, from_hex, to_hex)


def _way_to(position: Position, unit: Unit, approach: Hex, direction: Direction) -> Points | None:
    """Least movement points for facing the target hex from the approach hex, however many the unit
    has; None when there is no way."""
    if approach not in position.board or unit.facing is None or not unit.stands:
        return None
    movement = movement_graph(position, unit.type.movement_class, unit.side)
    weights = movement.distances(movement.codec.node(unit.hex, unit.facing))
    weight = weights.get(movement.codec.node(approach, direction))
    return None if weight is None else movement.points(weight)


def _no_way_to(
    position: Position, unit: Unit, approach: Hex, direction: Direction, target: Hex
) -> Iterator[Reason]:
    """Why the approach hex can't be reached (OVR-7): what bars it from every side, who is in it, or
    else just that no way leads there."""
    board = position.board
    if approach not in board:
        yield _off_the_map(position, "approach", target, direction)
        return
    if unit.facing is None or not unit.stands or unit.hex == approach:
        return
    name = board.name(approach)
    sides = [
        set(_entry(position, unit, side, approach).bars)
        for side in map(approach.neighbour, DIRECTIONS)
        if side in board
    ]
    found = [
        Reason(Clause.OVR_7, f"{name} can't be entered: {bar}", approach)
        for bar in sorted(set.intersection(*sides) if sides else set())
    ]
    found += enemy_in_the_way(position, unit, approach)
    yield from found or [Reason(Clause.OVR_7, f"{unit.id} has no way to {name}", approach)]


def _off_the_map(position: Position, which: str, target: Hex, direction: Direction) -> Reason:
    board = position.board
    side = direction if which == "exit" else direction.opposite
    text = f"the {which} hex, {board.direction_name(side)} of {board.name(target)}, is off the map"
    return Reason(Clause.OVR_7, text)
