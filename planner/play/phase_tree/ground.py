"""Where one AFV may go hex by hex, and from where it can still do anything worth doing.

**Idle walks are cut.** From a hex where the AFV may halt, and where it does not matter that it
stands (no objective, room for all who may come), going on is of use only if some overrun, or an
objective, is still within its movement points. Otherwise the defender can hold in every window that
follows: then nothing has changed but where the AFV stands, and a place that matters is never better
for the mover than one that does not: an AFV standing in the way only takes moves away from others.
So halting at once is worth as much as any such walk, and walks that lead to no goal are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple
from weakref import WeakKeyDictionary

from planner.game.actions import Overrun
from planner.game.board import Board
from planner.game.entry import entry
from planner.game.hexes import DIRECTIONS, Direction, Hex
from planner.game.legality import faults
from planner.game.moves import cost
from planner.game.position import Position, Unit
from planner.game.rules import Points, Rules
from planner.game.weapons import weapon_choices
from planner.search.effort import Poll, nothing

Weapons = tuple[tuple[str, str], ...]
_Ways = tuple[tuple[Direction, Hex, Points], ...]


class Spot(NamedTuple):
    """Where an AFV under way is: hex, facing, movement points left, and, where the map has hexes
    that cost it nothing, those of them that it has been in (it may not go in rings, OVR-14)."""

    hex: Hex
    facing: Direction
    left: Points
    been: frozenset[Hex] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """An overrun from a hex: the direction of travel, target and exit hex, its movement points
    without the turn before it, and the choices of passengers' weapons."""

    approach: Hex
    facing: Direction
    target: Hex
    exit: Hex
    points: Points
    weapons: tuple[Weapons, ...]


@dataclass(frozen=True, slots=True)
class _Charts:
    """Of one movement class on one map: the hexes that some way into costs nothing, and the least
    points of any way."""

    free: frozenset[Hex]
    least: Points


POLL = 256
"""After so many hexes of the map it is asked whether to go on."""
_Around = tuple[dict[tuple[str, Hex], _Ways], dict[str, _Charts]]
_around: WeakKeyDictionary[Board, WeakKeyDictionary[Rules, _Around]] = WeakKeyDictionary()


class Ground:
    """What the ground, and enemies that nobody can drive out, let one AFV do.

    ``clearable``: hexes that hold enemies who may come to be gone; ``position`` has the AFV where
    it begins or stands in its move. Units of its own side are not looked at. ``poll`` is called now
    and then while the map is read and may raise to stop that.
    """

    def __init__(
        self, position: Position, unit: Unit, clearable: frozenset[Hex], poll: Poll = nothing
    ) -> None:
        self._poll = poll
        self.position = position
        self.unit = unit
        self.clearable = clearable
        self._turn = position.rules.classes[unit.type.movement_class].turn
        self._held = frozenset(
            hex_
            for hex_, units in position.standing.items()
            if any(other.side != unit.side for other in units)
        )
        by_rules = _around.setdefault(position.board, WeakKeyDictionary())
        self._around, self._known = by_rules.setdefault(position.rules, ({}, {}))
        assert unit.facing is not None
        self.lines: dict[Hex, list[Line]] = {}
        for line in self._lines():
            self.lines.setdefault(line.approach, []).append(line)
        self.start = Spot(
            unit.hex, unit.facing, unit.movement_left, self._marks(frozenset(), unit.hex)
        )

    def _lines(self) -> Iterator[Line]:
        """Every overrun that the ground allows, units apart, in the order of the hexes."""
        position, unit = self.position, self.unit
        statuses = position.rules.combat.statuses[unit.kind].values()
        fresh = next((status for status in statuses if status.may_overrun), None)
        if fresh is None:
            return
        least = self._charts.least
        weapons = weapon_choices(position, unit)
        for target in sorted(self.clearable):
            for direction in DIRECTIONS:
                approach, beyond = target.neighbour(direction.opposite), target.neighbour(direction)
                if approach not in position.board or beyond in self._held - self.clearable:
                    continue
                if least * approach.distance(unit.hex) > unit.movement_left:
                    continue
                there = replace(
                    unit,
                    hex=approach,
                    facing=direction,
                    movement_used=0,
                    moved=False,
                    status=fresh,
                )
                move = Overrun(unit.id, target, beyond).planned()
                probe = position.with_units(there)
                if next(faults(probe, move), None) is None:
                    points = cost(probe, move)
                    assert points is not None
                    yield Line(approach, direction, target, beyond, points, weapons)

    def _ways(self, hex_: Hex) -> _Ways:
        """The hexes that the ground lets it enter from a hex, with their points, turns apart."""
        class_ = self.unit.type.movement_class
        found = self._around.get((class_, hex_))
        if found is None:
            board, rules = self.position.board, self.position.rules
            ways = []
            for direction in DIRECTIONS:
                there = hex_.neighbour(direction)
                points = entry(rules, board, class_, hex_, there).cost
                if points is not None:
                    ways.append((direction, there, points))
            found = self._around[class_, hex_] = tuple(ways)
        return found

    @cached_property
    def _charts(self) -> _Charts:
        """What holds of all ways on the map for its movement class."""
        class_ = self.unit.type.movement_class
        found = self._known.get(class_)
        if found is None:
            ways: list[tuple[Direction, Hex, Points]] = []
            for number, hex_ in enumerate(self.position.board.ground):
                if number % POLL == 0:
                    self._poll()
                ways += self._ways(hex_)
            free = frozenset(there for _, there, points in ways if points == 0)
            least = min((points for *_, points in ways), default=0)
            found = self._known[class_] = _Charts(free, least)
        return found

    def _marks(self, been: frozenset[Hex], hex_: Hex) -> frozenset[Hex]:
        return been | {hex_} if hex_ in self._charts.free else been

    def at(self, unit: Unit, route: tuple[Hex, ...]) -> Spot:
        """The spot of the AFV as it is in a game, having been in these hexes."""
        assert unit.facing is not None
        been = (*route, unit.hex)
        return Spot(unit.hex, unit.facing, unit.movement_left, frozenset(been) & self._charts.free)

    def steps(self, spot: Spot) -> Iterator[Spot]:
        """Where it may be after entering one more hex, if nobody is in the way."""
        for direction, there, points in self._ways(spot.hex):
            paid = points + self._turn * spot.facing.turns_to(direction)
            if paid > spot.left or (there in self._held and there not in self.clearable):
                continue
            if paid == 0 and (there in spot.been or there == spot.hex):
                continue
            yield Spot(there, direction, spot.left - paid, self._marks(spot.been, there))

    def overruns(self, spot: Spot) -> Iterator[Line]:
        """The overruns from a spot that its movement points allow."""
        for line in self.lines.get(spot.hex, ()):
            if line.points + self._turn * spot.facing.turns_to(line.facing) <= spot.left:
                yield line

    def needs(
        self, objectives: frozenset[Hex], gone: frozenset[Hex] = frozenset()
    ) -> dict[tuple[Hex, Direction], Points]:
        """The least movement points from which on, by hex and facing, an overrun or an objective is
        within reach (at most those it begins with); ``gone``: targets that are none any more."""
        found: dict[tuple[Hex, Direction], Points] = {}
        heap: list[tuple[Points, Hex, Direction]] = [
            (line.points + self._turn * facing.turns_to(line.facing), hex_, facing)
            for hex_, lines in self.lines.items()
            for line in lines
            if line.target not in gone
            for facing in DIRECTIONS
        ]
        heap += [(0, hex_, facing) for hex_ in objectives for facing in DIRECTIONS]
        heap.sort()
        while heap:
            points, hex_, facing = heappop(heap)
            if (hex_, facing) in found or points > self.start.left:
                continue
            found[hex_, facing] = points
            before = hex_.neighbour(facing.opposite)
            if before not in self.position.board:
                continue
            if hex_ in self._held and hex_ not in self.clearable:
                continue
            for direction, _, paid in self._ways(before):
                if direction is facing:
                    for earlier in DIRECTIONS:
                        if (before, earlier) not in found:
                            turn = self._turn * earlier.turns_to(facing)
                            heappush(heap, (points + paid + turn, before, earlier))
        return found
