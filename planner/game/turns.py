"""The sequence of a turn: both sides' Movement Phases, then recovery, and markers come off.

The side that the scenario lists first moves first. An objective changes hands at the end of a
Movement Phase when units of one side and none of the other stand in its hex.
"""

from __future__ import annotations

from dataclasses import replace

from planner.game.events import (
    Event,
    GameEnded,
    ObjectiveTaken,
    PhaseEnded,
    Recovered,
    TurnEnded,
)
from planner.game.play_state import Game
from planner.game.position import Objective, Position, Unit


def after_phase(game: Game, log: list[Event]) -> Game:
    """The game when the Movement Phase has ended: the other side's phase, the next turn or over.

    The last turn is counted before its recovery.
    """
    position = with_objectives(game.position, log)
    log.append(PhaseEnded(position.to_move))
    first, second = (side.id for side in position.sides)
    if position.to_move == first:
        return replace(game, position=position.with_units(to_move=second))
    if position.turn >= position.turns:
        log.append(GameEnded())
        return replace(game, position=position, over=True)
    log.append(TurnEnded(position.turn))
    units = (_recovered(position, unit, log) for unit in position.units.values())
    following = position.with_units(*units, to_move=first, turn=position.turn + 1)
    return replace(game, position=following)


def with_objectives(position: Position, log: list[Event]) -> Position:
    """The position with every objective in the hands it is in at the end of a Movement Phase."""
    if not position.objectives:
        return position
    held: list[Objective] = []
    for objective in position.objectives:
        sides = {unit.side for unit in position.standing.get(objective.hex, ())}
        holder = sides.pop() if len(sides) == 1 else objective.held_by
        if holder is not None and holder != objective.held_by:
            log.append(ObjectiveTaken(objective.hex, holder, objective.held_by))
        held.append(replace(objective, held_by=holder))
    return position.with_units(objectives=tuple(held))


def _recovered(position: Position, unit: Unit, log: list[Event]) -> Unit:
    """The unit at the start of the next turn. What is off the map stays there."""
    status = unit.status
    if not status.removed:
        name = position.rules.recovery.get(unit.kind, {}).get(status.name, status.name)
        status = position.rules.combat.status(unit.kind, name)
        if status is not unit.status:
            log.append(Recovered(unit.id, unit.status.name, name))
    elif not (unit.fired or unit.moved or unit.movement_used):
        return unit
    return replace(unit, status=status, fired=False, moved=False, movement_used=0)
