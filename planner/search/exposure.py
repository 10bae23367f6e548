"""Exposure to fire: a position and its moves, as the yardstick reads them.

`evaluation` knows no map. Here each window of Opportunity Fire gets the shots that the map allows
in it (range, line of sight, field of fire), each with the range and the aspect it strikes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from weakref import WeakKeyDictionary

from evaluation.rules import CombatRules
from evaluation.script import Combatant, Enter, Field, Move, Objective, Shot, Step, Strike
from evaluation.tables import Change, Effect
from evaluation.units import Kind, Side, Weapon
from planner.game.angles import aspect, in_arc
from planner.game.hexes import Direction, Hex
from planner.game.moves import PlannedMove, steps
from planner.game.notation import format_move
from planner.game.position import Position, Unit
from planner.game.sight import sight


def field(position: Position) -> Field:
    """Everybody in a position, as the fight sees them; the place of a unit is its `Hex`."""
    return _exposure(position).field


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


@dataclass(frozen=True, slots=True)
class _Exposure:
    """What is remembered of one position: windows by hex entered, facing and target hex left."""

    field: Field
    firers: tuple[tuple[Unit, tuple[Weapon, ...]], ...]
    windows: dict[tuple[Hex, Direction, Hex | None], Enter] = dataclass_field(default_factory=dict)


_exposures: WeakKeyDictionary[Position, _Exposure] = WeakKeyDictionary()


def _exposure(position: Position) -> _Exposure:
    found = _exposures.get(position)
    if found is None:
        found = _exposures.setdefault(
            position, _Exposure(_field(position), tuple(_firers(position)))
        )
    return found


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


def _firers(position: Position) -> Iterator[tuple[Unit, tuple[Weapon, ...]]]:
    """The units that may make an AT shot in this phase, with the weapons for it, in text order."""
    for name in sorted(position.units):
        unit = position.units[name]
        if unit.side == position.to_move or not unit.stands or unit.fired:
            continue
        weapons = tuple(
            sorted(
                (
                    weapon
                    for weapon in unit.type.combat.weapons
                    if weapon.at and weapon.name not in unit.spent
                ),
                key=lambda weapon: weapon.name,
            )
        )
        if weapons and _may_come_to_fire(position.rules.combat, unit.kind, unit.status.name):
            yield unit, weapons


def _may_come_to_fire(rules: CombatRules, kind: Kind, status: str) -> bool:
    """Whether the status may fire, or some AP results lead from it to one that may."""
    met, frontier = {status}, [status]
    while frontier:
        here = rules.status(kind, frontier.pop())
        if here.may_fire and not here.removed:
            return True
        following = {
            new
            for effect in rules.ap_effects.get(kind, {}).values()
            for new in _leads_to(effect, here.name)
        }
        frontier += sorted(following - met)
        met |= following
    return False


def _leads_to(effect: Effect, status: str) -> Iterator[str]:
    if isinstance(effect, Change):
        yield effect.to.get(status, status)
    else:
        yield from _leads_to(effect.passed, status)
        yield from _leads_to(effect.failed, status)


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


def window(position: Position, hex_: Hex, facing: Direction, target: Hex | None) -> Enter:
    """The window that opens when an AFV enters a hex with that facing (OVR-9); ``target``: the hex
    it has just overrun, in the last window (OVR-10)."""
    known = _exposure(position)
    found = known.windows.get((hex_, facing, target))
    if found is None:
        shots = tuple(
            shot
            for unit, weapons in known.firers
            if unit.hex != target
            for shot in _shots(position, unit, weapons, hex_, facing)
        )
        found = Enter(hex_, at_cover(position, hex_), shots, target)
        known.windows[hex_, facing, target] = found
    return found


def _shots(
    position: Position, unit: Unit, weapons: tuple[Weapon, ...], hex_: Hex, facing: Direction
) -> Iterator[Shot]:
    """The shots that the map allows one unit at an AFV in a hex with that facing."""
    distance = unit.hex.distance(hex_)
    reaching = [weapon for weapon in weapons if weapon.at_rating(distance) is not None]
    if not reaching or distance == 0 or not _bears(position, unit, hex_):
        return
    struck = aspect(position.rules, facing, hex_, unit.hex)
    for weapon in reaching:
        yield Shot(unit.id, weapon.name, distance, struck)


def _bears(position: Position, unit: Unit, hex_: Hex) -> bool:
    """Whether a hex is in the unit's field of fire and line of sight."""
    arc = unit.type.arc
    if arc is not None and (unit.facing is None or not in_arc(arc, unit.facing, unit.hex, hex_)):
        return False
    return sight(position.board, position.rules, unit.hex, hex_).clear


def cover(position: Position, hex_: Hex) -> int:
    """What the ground of a hex adds to the AP roll (OVR-18)."""
    ground, rules = position.board.ground[hex_], position.rules
    features = sum(rules.features[name].cover for name in ground.features)
    return rules.terrain[ground.terrain].cover + features


def at_cover(position: Position, hex_: Hex) -> int:
    """What the ground of a hex adds to the roll of AT shots into it."""
    ground, rules = position.board.ground[hex_], position.rules
    features = sum(rules.features[name].at_cover for name in ground.features)
    return rules.terrain[ground.terrain].at_cover + features
