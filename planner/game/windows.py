"""Windows of Opportunity Fire: which shots the map allows at an AFV in a hex (OVR-9, OVR-10).

Range, line of sight, field of fire and the aspect struck hang on the ground and on where the firer
stands, so they are kept with the board and the rules; who may fire at all is asked of the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from evaluation.rules import CombatRules
from evaluation.script import Enter, Shot
from evaluation.tables import Change, Effect
from evaluation.units import Aspect, Kind, Weapon
from planner.game.angles import aspect, in_arc
from planner.game.board import Board
from planner.game.hexes import Direction, Hex
from planner.game.position import Position, Unit
from planner.game.rules import Rules, UnitType
from planner.game.sight import sight

Bearing = tuple[int, Aspect] | None
"""Range and the aspect struck; None where the map allows no shot."""
_Bearings = dict[tuple[int, Hex, Direction | None, Hex, Direction], tuple[UnitType, Bearing]]
"""By the firer's type (its number in memory; the type is kept so that no other gets the same), hex
and facing, and the AFV's hex and facing."""


@dataclass(frozen=True, slots=True)
class _Firing:
    """What is remembered of one position: who may come to fire with what, and the windows by hex
    entered, facing and target hex left."""

    firers: tuple[tuple[Unit, tuple[Weapon, ...]], ...]
    bearings: _Bearings
    windows: dict[tuple[Hex, Direction, Hex | None], Enter] = field(default_factory=dict)


_firing: WeakKeyDictionary[Position, _Firing] = WeakKeyDictionary()
_bearings: WeakKeyDictionary[Board, WeakKeyDictionary[Rules, _Bearings]] = WeakKeyDictionary()
_able: WeakKeyDictionary[CombatRules, dict[tuple[Kind, str], bool]] = WeakKeyDictionary()


def window(position: Position, hex_: Hex, facing: Direction, target: Hex | None) -> Enter:
    """The window that opens when an AFV enters a hex with that facing (OVR-9); ``target``: the hex
    it has just overrun, in the last window (OVR-10).

    Its shots are in text order of firer and weapon. They are those which the map allows a unit of
    the defender that may fire now or may come to: a unit with a Fire marker or a spent weapon has
    lost its shot for the phase, and one whose status may not fire keeps it only if some result
    gives it a status that may. Whether a firer still may when the window opens is another question.

    Raises:
        KeyError: the hex is not on the map.
    """
    known = _firing.get(position)
    if known is None:
        known = _firing.setdefault(
            position, _Firing(tuple(_firers(position)), _bearings_on(position))
        )
    found = known.windows.get((hex_, facing, target))
    if found is None:
        shots = tuple(
            shot
            for unit, weapons in known.firers
            if unit.hex != target
            for shot in _shots(position, known.bearings, unit, weapons, hex_, facing)
        )
        found = Enter(hex_, at_cover(position, hex_), shots, target)
        known.windows[hex_, facing, target] = found
    return found


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


def _bearings_on(position: Position) -> _Bearings:
    by_rules = _bearings.get(position.board)
    if by_rules is None:
        by_rules = _bearings.setdefault(position.board, WeakKeyDictionary())
    found = by_rules.get(position.rules)
    if found is None:
        found = by_rules.setdefault(position.rules, {})
    return found


def _firers(position: Position) -> Iterator[tuple[Unit, tuple[Weapon, ...]]]:
    """The units that may make an AT shot in this phase, with the weapons for it, in text order."""
    rules = position.rules.combat
    for name in sorted(position.units):
        unit = position.units[name]
        if unit.side == position.to_move or not unit.stands or unit.fired:
            continue
        weapons = [
            weapon
            for weapon in unit.type.combat.weapons
            if weapon.at and weapon.name not in unit.spent
        ]
        if weapons and _may_come_to_fire(rules, unit.kind, unit.status.name):
            yield unit, tuple(sorted(weapons, key=lambda weapon: weapon.name))


def _may_come_to_fire(rules: CombatRules, kind: Kind, status: str) -> bool:
    """Whether the status may fire, or some AP results lead from it to one that may."""
    known = _able.get(rules)
    if known is None:
        known = _able.setdefault(rules, {})
    found = known.get((kind, status))
    if found is None:
        found = known[kind, status] = _leads_to_fire(rules, kind, status)
    return found


def _leads_to_fire(rules: CombatRules, kind: Kind, status: str) -> bool:
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


def _shots(
    position: Position,
    bearings: _Bearings,
    unit: Unit,
    weapons: tuple[Weapon, ...],
    hex_: Hex,
    facing: Direction,
) -> Iterator[Shot]:
    """The shots that the map allows one unit at an AFV in a hex with that facing."""
    reach = max(weapon.at[-1][0] for weapon in weapons)
    if unit.hex.distance(hex_) > reach:
        return  # no line of sight needs to be drawn
    bearing = _bearing(position, bearings, unit, hex_, facing)
    if bearing is not None:
        distance, struck = bearing
        for weapon in weapons:
            if weapon.at_rating(distance) is not None:
                yield Shot(unit.id, weapon.name, distance, struck)


def bearing_of(position: Position, unit: Unit, hex_: Hex, facing: Direction) -> Bearing:
    """Range and aspect of a shot at an AFV in a hex with that facing, if that is in the unit's
    field of fire and line of sight."""
    return _bearing(position, _bearings_on(position), unit, hex_, facing)


def _bearing(
    position: Position, bearings: _Bearings, unit: Unit, hex_: Hex, facing: Direction
) -> Bearing:
    key = (id(unit.type), unit.hex, unit.facing, hex_, facing)
    known = bearings.get(key)
    if known is None:
        found: Bearing = None
        if unseen(position, unit, hex_) is None:
            struck = aspect(position.rules, facing, hex_, unit.hex)
            found = unit.hex.distance(hex_), struck
        known = bearings[key] = (unit.type, found)
    return known[1]


def unseen(position: Position, unit: Unit, hex_: Hex) -> str | None:
    """Why the map allows a unit no shot into a hex, whatever the range; None when it does."""
    name = position.board.name
    if unit.hex == hex_:
        return f"{unit.id} is in {name(hex_)} itself"
    arc = unit.type.arc
    if arc is not None and (unit.facing is None or not in_arc(arc, unit.facing, unit.hex, hex_)):
        return f"{name(hex_)} is outside the field of fire of {unit.id}"
    looks = sight(position.board, position.rules, unit.hex, hex_)
    if not looks.clear:
        between = ", ".join(name(hex_) for hex_ in looks.blocking)
        return f"{between} blocks the line of sight from {name(unit.hex)} to {name(hex_)}"
    return None
