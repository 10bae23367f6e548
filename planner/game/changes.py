"""What actions change in a position: where units stand, their statuses, markers and weapons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from evaluation.units import Kind
from planner.game.hexes import Direction, Hex
from planner.game.position import Position, Unit
from planner.game.rules import Points


def carried_by(position: Position, carrier: Unit) -> Iterator[Unit]:
    """The units that it carries or tows and that are still there, passengers first."""
    return (unit for unit in _load(position, carrier) if not unit.status.removed)


def _load(position: Position, carrier: Unit) -> Iterator[Unit]:
    for name in (*carrier.passengers, *((carrier.towing,) if carrier.towing else ())):
        yield position.units[name]


def placed(
    position: Position, name: str, hex_: Hex, facing: Direction | None, points: Points
) -> Position:
    """The unit, and what it carries, in a hex with that facing, so many movement points spent."""
    unit = position.units[name]
    used = unit.movement_used + points
    return position.with_units(
        replace(unit, hex=hex_, facing=facing, movement_used=used),
        *(replace(carried, hex=hex_) for carried in _load(position, unit)),
    )


def fated(position: Position, unit: Unit, status: str) -> tuple[Unit, ...]:
    """The unit in another status, and what it carries as that leaves it: none of it changed unless
    the carrier is removed. The unit itself comes first."""
    combat = position.rules.combat
    after = combat.status(unit.kind, status)
    fate = (
        replace(carried, status=combat.status(carried.kind, combat.carried_fate))
        for carried in (carried_by(position, unit) if after.removed else ())
    )
    return (replace(unit, status=after), *fate)


def alighted(position: Position, name: str) -> Position:
    """The unit carried by nobody, in the hex where its carrier is."""
    unit = position.units[name]
    if unit.carrier is None:
        return position
    carrier = position.units[unit.carrier]
    left = replace(
        carrier,
        passengers=tuple(each for each in carrier.passengers if each != name),
        towing=None if carrier.towing == name else carrier.towing,
    )
    return position.with_units(left, replace(unit, carrier=None))


def boarded(position: Position, name: str, carrier_name: str) -> Position:
    """A unit that nobody carries carried by that one, a Gun towed."""
    unit, carrier = position.units[name], position.units[carrier_name]
    if unit.kind is Kind.GUN:
        carrier = replace(carrier, towing=name)
    else:
        carrier = replace(carrier, passengers=tuple(sorted((*carrier.passengers, name))))
    return position.with_units(carrier, replace(unit, carrier=carrier_name, hex=carrier.hex))


def spent(unit: Unit, weapons: Iterable[str]) -> Unit:
    """The unit with these once-weapons used up."""
    return replace(unit, spent=unit.spent | set(weapons))
