"""A position: the board, the units on it, and whose Movement Phase it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from evaluation.units import Kind, Status
from planner.game.board import Board
from planner.game.hexes import Direction, Hex
from planner.game.rules import Points, Rules, UnitType


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit. A carried unit (``carrier`` set) has its carrier's hex; it does not count for
    stacking, is not struck itself and never fires."""

    id: str
    side: str
    type: UnitType
    hex: Hex
    status: Status
    facing: Direction | None = None
    fired: bool = False
    moved: bool = False
    movement_used: Points = 0
    passengers: tuple[str, ...] = ()
    towing: str | None = None
    spent: frozenset[str] = frozenset()
    carrier: str | None = None

    @property
    def kind(self) -> Kind:
        """The kind of unit."""
        return self.type.kind

    @property
    def stands(self) -> bool:
        """Whether it stands in its hex: on the map and not carried."""
        return self.carrier is None and not self.status.removed

    @property
    def movement_left(self) -> Points:
        """Movement points it may still spend in this Movement Phase (OVR-14), at least 0."""
        return max(0, self.type.movement - self.movement_used)


@dataclass(frozen=True, slots=True)
class Objective:
    """A hex worth something to whoever holds it; ``held_by`` is a side's id or None."""

    hex: Hex
    worth: float
    held_by: str | None = None


@dataclass(frozen=True, slots=True)
class SideName:
    """One of the two sides."""

    id: str
    name: str


@dataclass(frozen=True, eq=False)
class Position:
    """A whole position, units sorted by id. Compared by identity."""

    title: str
    notes: str
    rules: Rules
    rules_ref: str
    board: Board
    sides: tuple[SideName, SideName]
    to_move: str
    units: Mapping[str, Unit]
    objectives: tuple[Objective, ...] = ()
    turn: int = 1
    turns: int = 1
    warnings: tuple[str, ...] = ()

    @property
    def defender(self) -> str:
        """Id of the side that does not move."""
        return next(side.id for side in self.sides if side.id != self.to_move)

    @cached_property
    def standing(self) -> Mapping[Hex, tuple[Unit, ...]]:
        """The units that stand in each hex (not carried, not removed), sorted by id."""
        found: dict[Hex, list[Unit]] = {}
        for unit in self.units.values():
            if unit.stands:
                found.setdefault(unit.hex, []).append(unit)
        return {hex_: tuple(units) for hex_, units in found.items()}

    def with_units(self, *changed: Unit, **others: Any) -> Position:
        """The position with these units instead of those of the same ids, and other fields changed.

        What is known of who stands where is taken over, as far as it still holds.

        Raises:
            KeyError: there is no unit of such an id.
        """
        units = dict(self.units)
        moved: set[Hex] = set()
        for unit in changed:
            old = units[unit.id]
            units[unit.id] = unit
            if old is not unit and (old.stands or unit.stands):
                moved |= {old.hex, unit.hex}
        following = replace(self, units=units, **others)
        if "standing" in self.__dict__:
            standing = dict(self.standing)
            for hex_ in moved:
                standing.pop(hex_, None)
            for unit in units.values() if moved else ():
                if unit.hex in moved and unit.stands:
                    standing[unit.hex] = (*standing.get(unit.hex, ()), unit)
            following.__dict__["standing"] = standing
        return following

    def enemies_in(self, hex_: Hex) -> tuple[Unit, ...]:
        """The defender's units that stand in a hex."""
        return tuple(u for u in self.standing.get(hex_, ()) if u.side != self.to_move)

    def movers(self) -> Iterator[Unit]:
        """The moving side's AFVs that stand on the map, sorted by id."""
        for unit in self.units.values():
            if unit.side == self.to_move and unit.kind is Kind.AFV and unit.stands:
                yield unit
