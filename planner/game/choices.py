"""What may be done now: every legal action, and all that bars one that is not.

One AFV moves at a time, and once it has begun it is moved to its end before another begins. Every
bar is one of `planner.game.legality` or `planner.game.shots`; here is only what makes a move step
by step different from one written down beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from planner.game.actions import (
    Action,
    EndPhase,
    Enter,
    Fire,
    Halt,
    Hold,
    Overrun,
    format_action,
)
from planner.game.changes import placed
from planner.game.hexes import DIRECTIONS, Direction, Hex
from planner.game.legality import (
    Clause,
    Reason,
    blocked,
    faults,
    in_order,
    in_the_way,
    no_room,
    no_room_at_its_end,
    unit_bars,
)
from planner.game.moves import PlannedMove, cost
from planner.game.play_state import Deciding, Game
from planner.game.position import Position, Unit
from planner.game.rules import Points
from planner.game.shots import declarable, fire_bars
from planner.game.weapons import weapon_choices


def legal(game: Game) -> tuple[Action, ...]:
    """Every legal action, in text order; none when the game is over.

    Of choices of passengers' weapons that come to the same, in APFP and in once-weapons used up,
    only the one with fewest weapons is listed (of those the first in text order); `bars` lets the
    others pass.
    """
    return tuple(sorted(_legal(game), key=lambda action: format_action(game.position, action)))


def forced(game: Game) -> Action | None:
    """The only legal action, when there is just one: nobody need be asked."""
    found = _legal(game)
    first = next(found, None)
    return None if first is None or next(found, None) is not None else first


def bars(game: Game, action: Action) -> tuple[Reason, ...]:
    """Everything that bars an action now, by clause; nothing for a legal one."""
    return in_order(list(_bars(game, action)))


def _legal(game: Game) -> Iterator[Action]:
    deciding = game.deciding
    if deciding is Deciding.NOBODY:
        return
    if deciding is Deciding.DEFENDER:
        yield Hold()
        yield from declarable(game)
        return
    position = game.position
    if game.under_way is None:
        yield EndPhase()
        units = [
            unit
            for unit in position.movers()
            if next(unit_bars(position, unit, overruns=False), None) is None
        ]
    else:
        units = [position.units[game.under_way.unit]]
    for unit in units:
        for action in _of_unit(position, unit, begun=game.under_way is not None):
            if next(_bars(game, action), None) is None:
                yield action


def _of_unit(position: Position, unit: Unit, *, begun: bool) -> Iterator[Action]:
    """What one AFV might do."""
    if begun:
        yield Halt(unit.id)
    for direction in DIRECTIONS:
        if direction is not unit.facing:
            yield Halt(unit.id, direction)
    for action in _ahead(position, unit):
        yield action
        if isinstance(action, Overrun):
            for weapons in weapon_choices(position, unit)[1:]:
                yield replace(action, weapons=weapons)


def _ahead(position: Position, unit: Unit) -> Iterator[Enter | Overrun]:
    """The ways out of its hex: the hexes beside it, and overruns of those that hold enemies."""
    for direction in DIRECTIONS:
        there = unit.hex.neighbour(direction)
        yield Enter(unit.id, there)
        if any(other.side != unit.side for other in position.standing.get(there, ())):
            yield Overrun(unit.id, there, there.neighbour(direction))


def _bars(game: Game, action: Action) -> Iterator[Reason]:
    """What bars an action, as it is found."""
    deciding = game.deciding
    if deciding is Deciding.NOBODY:
        yield Reason(Clause.OVR_4, "the game is over")
    elif isinstance(action, Fire | Hold):
        if deciding is not Deciding.DEFENDER:
            yield Reason(Clause.OVR_9, "no window of Opportunity Fire is open")
        elif isinstance(action, Fire):
            yield from fire_bars(game, action)
    elif deciding is Deciding.DEFENDER:
        assert game.under_way is not None
        text = f"a window is open: the defender fires at {game.under_way.unit} or holds"
        yield Reason(Clause.OVR_9, text, game.under_way.route[-1])
    elif isinstance(action, EndPhase):
        if game.under_way is not None:
            text = f"the move of {game.under_way.unit} has not ended"
            yield Reason(Clause.OVR_4, text, game.under_way.route[-1])
    elif game.under_way is not None and game.under_way.unit != action.unit:
        text = f"the move of {game.under_way.unit} has not ended"
        yield Reason(Clause.OVR_4, text, game.under_way.route[-1])
    elif isinstance(action, Halt):
        yield from _halt_bars(game, action)
    else:
        yield from _way_bars(game.position, action, game.under_way.route if game.under_way else ())


def _way_bars(
    position: Position, action: Enter | Overrun, route: tuple[Hex, ...]
) -> Iterator[Reason]:
    """What bars going on. A hex without room may be entered if there is a way out of it."""
    move = action.planned()
    barred = False
    for reason in faults(position, move):
        barred = True
        yield reason
    unit = position.units.get(action.unit)
    if unit is None:
        return
    for reason in in_the_way(position, move):
        barred = True
        yield reason
    full = tuple(no_room_at_its_end(position, move))
    if isinstance(action, Overrun):
        yield from full
    elif not barred:
        if action.hex in (*route, unit.hex) and cost(position, move) == 0:
            text = (
                f"{unit.id} has been in {position.board.name(action.hex)}: it would move in a ring"
            )
            yield Reason(Clause.OVR_14, text, action.hex)
        if full and not _can_end(_entered(position, unit, move), unit.id, {}):
            yield from full


def _halt_bars(game: Game, action: Halt) -> Iterator[Reason]:
    """What bars ending the move here. Where there is no room it ends only if it can't go on, or was
    to overrun from here and may not any more."""
    position = game.position
    if action.facing is None and game.under_way is None:
        text = f"{action.unit} has not begun to move, so that it stays as it is"
        yield Reason(Clause.OVR_4, text)
        return
    yield from faults(position, action.planned())
    unit = position.units.get(action.unit)
    if unit is None:
        return
    if action.facing is unit.facing:
        yield Reason(Clause.OVR_4, f"{unit.id} has that facing", unit.hex)
    if game.under_way is not None:
        full = tuple(no_room(position, unit, unit.hex))
        if full and not _lost_its_overrun(position, unit) and _can_go_on(position, unit, {}):
            yield from full


def _lost_its_overrun(position: Position, unit: Unit) -> bool:
    """Whether only its status keeps the AFV from an overrun from this hex: it stops in the hex
    before the target hex, full or not."""
    if unit.status.may_overrun:
        return False
    fresh = next(iter(position.rules.combat.statuses[unit.kind].values()))
    before = position.with_units(replace(unit, status=fresh))
    return any(
        isinstance(action, Overrun)
        and next(faults(before, action.planned()), None) is None
        and not blocked(before, action.planned())
        for action in _ahead(before, unit)
    )


_Tried = dict[tuple[Hex, Direction | None], Points]
"""From where, with how many movement points left, no way has been found."""


def _can_end(position: Position, name: str, tried: _Tried) -> bool:
    """Whether an AFV under way could still end its move where stacking allows it."""
    unit = position.units[name]
    if next(no_room(position, unit, unit.hex), None) is None:
        return True
    return _can_go_on(position, unit, tried)


def _can_go_on(position: Position, unit: Unit, tried: _Tried) -> bool:
    """Whether some way out of its hex leads to where the AFV may end its move."""
    here = (unit.hex, unit.facing)
    if tried.get(here, -1) >= unit.movement_left:
        return False
    tried[here] = unit.movement_left
    for action in _ahead(position, unit):
        move = action.planned()
        if next(faults(position, move), None) or next(in_the_way(position, move), None):
            continue
        if next(no_room_at_its_end(position, move), None) is None:
            return True
        if isinstance(action, Enter) and _can_end(_entered(position, unit, move), unit.id, tried):
            return True
    return False


def _entered(position: Position, unit: Unit, move: PlannedMove) -> Position:
    """The position with the AFV in the hex it enters."""
    points = cost(position, move)
    assert points is not None
    return placed(position, unit.id, move.path[0], unit.hex.direction_to(move.path[0]), points)


def expand(move: PlannedMove) -> tuple[Action, ...]:
    """A written move as the actions it is made of, if nothing stops it; none if it stays.

    Raises:
        ValueError: there is no exit hex after the target hex.
    """
    actions: list[Action] = []
    for index, hex_ in enumerate(move.path):
        if index == move.target:
            if index + 1 == len(move.path):
                raise ValueError("an overrun needs an exit hex")
            actions.append(Overrun(move.unit, hex_, move.path[index + 1], move.weapons))
            return tuple(actions)
        actions.append(Enter(move.unit, hex_))
    if not move.stays:
        actions.append(Halt(move.unit, move.facing))
    return tuple(actions)


def following(game: Game, move: PlannedMove) -> Action | None:
    """The action by which a written move begins or goes on, None when it is over or may not be
    made.

    It may not begin when the whole move is barred as the game stands. An AFV that may not overrun
    any more halts before the target hex. While a window is open the defender decides, and it is
    None too.
    """
    if game.deciding is not Deciding.MOVER:
        return None
    under_way = game.under_way
    position = game.position
    if under_way is None:
        if next(faults(position, move), None) or blocked(position, move):
            return None
        actions = expand(move)
        return actions[0] if actions else None
    if under_way.unit != move.unit or under_way.route[1:] != move.path[: len(under_way.route) - 1]:
        return None
    action = expand(move)[len(under_way.route) - 1]
    if isinstance(action, Overrun) and not position.units[move.unit].status.may_overrun:
        return Halt(move.unit)
    return action
