"""A move as a player plans it: which hexes, which target, which last facing, which weapons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from planner.game.entry import Entry, entry
from planner.game.hexes import Direction, Hex
from planner.game.position import Position, Unit
from planner.game.rules import Points


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """One AFV's move.

    ``path``: the hexes it enters in order, without the one it starts in; ``target``: index in
    ``path`` of the target hex, None for a move without an overrun; ``facing``: a last turn in the
    last hex, None when it faces as it moved; ``weapons``: the passengers' weapons that it uses
    (OVR-17), as ``(unit, weapon)`` in text order. An empty path without a facing: it stays.
    """

    unit: str
    path: tuple[Hex, ...] = ()
    target: int | None = None
    facing: Direction | None = None
    weapons: tuple[tuple[str, str], ...] = ()

    @property
    def stays(self) -> bool:
        """Whether it neither enters a hex nor turns."""
        return not self.path and self.facing is None

    @property
    def target_hex(self) -> Hex | None:
        """The hex overrun, None for a move without an overrun."""
        return None if self.target is None else self.path[self.target]


@dataclass(frozen=True, slots=True)
class Step:
    """One hex entered: from where, in which direction (None when the two are not neighbours), and
    the facing before it turns that way (None where that is not known)."""

    from_hex: Hex
    to_hex: Hex
    direction: Direction | None
    facing: Direction | None


def steps(unit: Unit, move: PlannedMove) -> Iterator[Step]:
    """The hexes that a move enters, one after the other."""
    here, facing = unit.hex, unit.facing
    for there in move.path:
        direction = here.direction_to(there)
        yield Step(here, there, direction, facing)
        here, facing = there, direction


def final_hex(unit: Unit, move: PlannedMove) -> Hex:
    """The hex where the move ends, if nothing stops it."""
    return move.path[-1] if move.path else unit.hex


def final_facing(unit: Unit, move: PlannedMove) -> Direction | None:
    """The facing at the end of the move; None when the path says none."""
    if move.facing is not None:
        return move.facing
    return faced_by_path(unit, move.path)


def faced_by_path(unit: Unit, path: tuple[Hex, ...]) -> Direction | None:
    """The facing when the last hex has just been entered; None when the last step is none."""
    if not path:
        return unit.facing
    before = path[-2] if len(path) > 1 else unit.hex
    return before.direction_to(path[-1])


def step_entry(position: Position, unit: Unit, step: Step) -> Entry:
    """What the ground asks of the AFV for one step."""
    return entry(
        position.rules, position.board, unit.type.movement_class, step.from_hex, step.to_hex
    )


def cost(position: Position, move: PlannedMove) -> Points | None:
    """Movement points of the move (OVR-14): hexes, turns, and the overrun's own.

    None when it can't be counted: a hex that the AFV may not enter or that is no neighbour. Units
    in the way are not looked at.

    Raises:
        KeyError: no such unit.
    """
    unit = position.units[move.unit]
    turn = position.rules.classes[unit.type.movement_class].turn
    total: Points = 0 if move.target is None else position.rules.overrun_cost
    for step in steps(unit, move):
        points = step_entry(position, unit, step).cost
        if points is None or step.direction is None or step.facing is None:
            return None
        total += points + turn * step.facing.turns_to(step.direction)
    if move.facing is not None:
        faced = faced_by_path(unit, move.path)
        if faced is None:
            return None
        total += turn * faced.turns_to(move.facing)
    return total


def points_text(points: Points) -> str:
    """Movement points as a player writes them.

    >>> points_text(Fraction(5, 2)), points_text(Fraction(1, 3)), points_text(4)
    ('2.5', '1/3', '4')
    """
    exact = Fraction(points)
    if exact.denominator == 1:
        return str(exact.numerator)
    rest = exact.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    if rest > 1:
        return str(exact)
    return str(Decimal(exact.numerator) / Decimal(exact.denominator))
