"""A move made on a real table, with dice that nobody here saw, brought into the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from planner.game.actions import Overrun
from planner.game.attack import attack_of
from planner.game.changes import alighted, boarded, fated, placed, spent
from planner.game.hexes import Hex
from planner.game.legality import (
    Clause,
    Reason,
    faults,
    in_order,
    in_the_way,
    no_room_at_its_end,
)
from planner.game.moves import PlannedMove, cost, faced_by_path
from planner.game.play_state import Game
from planner.game.position import Position
from planner.game.results import Boarded, Fate, Holding, Marked, Marker, Result, WeaponUse


def cut_short(move: PlannedMove, stopped: Hex | None) -> PlannedMove | None:
    """The part of a move that was made when the AFV was stopped in a hex (None: nothing stopped
    it). None when the move does not stop there: it is no hex that it enters, or the target hex."""
    if stopped is None or (move.path and stopped == move.path[-1]):
        return move
    ends = [index for index, hex_ in enumerate(move.path) if hex_ == stopped]
    if not ends or ends[-1] == move.target:
        return None
    return PlannedMove(move.unit, move.path[: ends[-1] + 1])


def table_bars(game: Game, move: PlannedMove, stopped: Hex | None) -> tuple[Reason, ...]:
    """Everything that bars a move, or the part of it that was made, as the game stands."""
    position = game.position
    made = cut_short(move, stopped)
    if made is None:
        raise ValueError(f"the move does not stop in {stopped}")
    if game.over:
        return (Reason(Clause.OVR_4, "the game is over"),)
    under_way = game.under_way
    if under_way is not None and under_way.unit != move.unit:
        text = f"the move of {under_way.unit} has not ended"
        return (Reason(Clause.OVR_4, text, under_way.route[-1]),)
    found = list(faults(position, made))
    if move.unit in position.units:
        found += in_the_way(position, made)
        if made == move:
            found += no_room_at_its_end(position, made)
    return in_order(found)


def moved_at_table(game: Game, move: PlannedMove, stopped: Hex | None) -> Game:
    """The game after a move that nothing bars: where the AFV is, what it has spent. What the dice
    did to anybody is told by results."""
    position = game.position
    made = cut_short(move, stopped)
    points = None if made is None else cost(position, made)
    if made is None or points is None:
        raise ValueError("the move can't be made")
    unit = position.units[move.unit]
    if made.target is not None:
        overrun = Overrun(unit.id, made.path[made.target], made.path[-1], made.weapons)
        for owner, weapon in attack_of(position, overrun).spends:
            position = position.with_units(spent(position.units[owner.id], [weapon.name]))
    facing = made.facing if made.facing is not None else faced_by_path(unit, made.path)
    where = made.path[-1] if made.path else unit.hex
    position = placed(position, unit.id, where, facing, points)
    position = position.with_units(replace(position.units[unit.id], moved=True))
    return replace(game, position=position, under_way=None)


def with_results(game: Game, results: Sequence[Result]) -> Game:
    """The game after these things have happened, in their order. A move under way ends when they
    move its AFV or keep it from moving."""
    position = game.position
    for result in results:
        position = after_result(position, result)
    after = replace(game, position=position)
    under_way = after.under_way
    if under_way is None:
        return after
    unit = position.units[under_way.unit]
    stopped = unit.status.removed or (not unit.status.may_move and under_way.window is None)
    if stopped or unit.moved or unit.hex != under_way.route[-1]:
        ended = position.with_units(replace(unit, moved=True))
        return replace(after, position=ended, under_way=None)
    return after


def after_result(position: Position, result: Result) -> Position:
    """The position after one thing has happened."""
    if isinstance(result, Holding):
        return position.with_units(
            objectives=tuple(
                replace(known, held_by=result.side) if known.hex == result.hex else known
                for known in position.objectives
            )
        )
    unit = position.units[result.unit]
    if isinstance(result, Boarded):
        position = alighted(position, unit.id)
        return boarded(position, unit.id, result.carrier)
    if isinstance(result, Marked):
        if result.marker is Marker.FIRED:
            return position.with_units(replace(unit, fired=result.there))
        return position.with_units(replace(unit, moved=result.there))
    if isinstance(result, WeaponUse):
        if result.spent:
            return position.with_units(spent(unit, [result.weapon]))
        return position.with_units(replace(unit, spent=unit.spent - {result.weapon}))
    return _with_fate(position, result)


def _with_fate(position: Position, fate: Fate) -> Position:
    unit = position.units[fate.unit]
    if fate.status is not None and fate.status != unit.status.name:
        position = position.with_units(*fated(position, unit, fate.status))
        unit = position.units[fate.unit]
    if fate.hex is None:
        return position
    position = alighted(position, unit.id)
    facing = unit.facing if fate.facing is None else fate.facing
    return placed(position, unit.id, fate.hex, facing, 0)
