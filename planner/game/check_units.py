"""The units of a scenario: who they are, where they stand, who carries whom.

Each check looks only at what could be read, so a fault of form elsewhere hides none of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluation.units import Kind
from planner.game.faults import Faults, Place, listed, shown
from planner.game.pieces import good_list, sound
from planner.game.read_map import MapReader
from planner.game.rules import Rules, UnitType
from planner.game.scenario_file import ScenarioFile, UnitFile

CARRIERS = (Kind.AFV, Kind.VEHICLE)
PASSENGERS = (Kind.INFANTRY, Kind.LEADER)


@dataclass(frozen=True, eq=False, slots=True)
class _Roll:
    """The units by id, and who carries whom: carried id to the places that name it."""

    units: list[UnitFile]
    rules: Rules | None
    faults: Faults
    index: dict[str, int] = field(default_factory=dict)
    carried: dict[str, list[tuple[int, Place]]] = field(default_factory=dict)

    def type_of(self, unit: UnitFile) -> UnitType | None:
        """The unit's type where it could be read and the rules have it."""
        if self.rules is None or not sound(unit.type):
            return None
        return self.rules.types.get(unit.type)

    def is_carried(self, unit: UnitFile) -> bool:
        """Whether some other unit names it as a passenger or towed Gun."""
        return sound(unit.id) and unit.id in self.carried

    def is_removed(self, unit: UnitFile) -> bool:
        """Whether the unit's status takes it off the map."""
        unit_type = self.type_of(unit)
        if self.rules is None or unit_type is None or not sound(unit.status) or not unit.status:
            return False
        status = self.rules.combat.statuses[unit_type.kind].get(unit.status)
        return status is not None and status.removed


def check_units(
    written: ScenarioFile, rules: Rules | None, map_: MapReader | None, faults: Faults
) -> None:
    """Note every fault of meaning in what could be read of the units."""
    if not sound(written.units):
        return
    roll = _Roll(written.units, rules, faults)
    for index, unit in enumerate(written.units):
        if sound(unit.id):
            first = roll.index.setdefault(unit.id, index)
            if first != index:
                said = f"{shown(unit.id)} is also units[{first}]"
                faults.add(("units", index, "id"), said, "every unit its own id")
        for where, id_ in _carries(unit, ("units", index)):
            if not (sound(unit.id) and id_ == unit.id):
                roll.carried.setdefault(id_, []).append((index, where))
    sides = {side.id for _, side in good_list(written.sides) if sound(side.id)}
    sides_known = sound(written.sides) and all(sound(side.id) for side in written.sides)
    for index, unit in enumerate(written.units):
        place: Place = ("units", index)
        if sides_known and sound(unit.side):
            faults.known((*place, "side"), "side", unit.side, sides)
        _check_stand(roll, unit, map_, place)
        _check_type(roll, unit, place)
        _check_load(roll, unit, place)
    _check_carried(roll)


def _carries(unit: UnitFile, place: Place) -> list[tuple[Place, str]]:
    found: list[tuple[Place, str]] = [
        ((*place, "passengers", index), id_) for index, id_ in good_list(unit.passengers)
    ]
    if sound(unit.towing) and unit.towing is not None:
        found.append(((*place, "towing"), unit.towing))
    return found


def _check_stand(roll: _Roll, unit: UnitFile, map_: MapReader | None, place: Place) -> None:
    """Its hex and facing."""
    faults = roll.faults
    if sound(unit.hex):
        if unit.hex is not None and roll.is_carried(unit):
            carrier = roll.units[roll.carried[unit.id][0][0]].id
            whom = shown(carrier) if sound(carrier) else "another"
            said = f"stands at a unit that {whom} carries"
            faults.add((*place, "hex"), said, "none: it is where its carrier is")
        elif unit.hex is None and sound(unit.id) and not roll.is_carried(unit):
            faults.add((*place, "hex"), "is missing", "the hex it stands in, as none carries it")
        elif unit.hex is not None and map_ is not None:
            map_.hex(unit.hex, (*place, "hex"))
    if map_ is None or map_.numbering is None or not sound(unit.facing):
        return
    names = map_.numbering.orientation.names
    if unit.facing is not None:
        if unit.facing not in names:
            expected = f"one of {', '.join(names)}"
            said = f"{shown(unit.facing)} is no direction on this map"
            faults.add((*place, "facing"), said, expected)
        return
    unit_type = roll.type_of(unit)
    if unit_type is None or roll.is_carried(unit) or roll.is_removed(unit):
        return
    if unit_type.kind is Kind.AFV or unit_type.arc is not None:
        what = "an AFV" if unit_type.kind is Kind.AFV else "a unit with a field of fire"
        faults.add((*place, "facing"), "is missing", f"{what} needs one of {', '.join(names)}")


def _check_type(roll: _Roll, unit: UnitFile, place: Place) -> None:
    """Its type, and what depends on it: status, movement, spent weapons."""
    faults, rules = roll.faults, roll.rules
    if rules is None or not sound(unit.type):
        return
    if not faults.known((*place, "type"), "unit type", unit.type, rules.types):
        return
    unit_type = rules.types[unit.type]
    if sound(unit.status) and unit.status is not None:
        what = f"status of kind {unit_type.kind.value}"
        faults.known((*place, "status"), what, unit.status, rules.combat.statuses[unit_type.kind])
    if sound(unit.movement_used) and unit.movement_used > unit_type.movement:
        said = f"{float(unit.movement_used):g} is more than the unit has"
        expected = f"0 to {float(unit_type.movement):g}"
        faults.add((*place, "movement_used"), said, expected)
    once = {weapon.name for weapon in unit_type.combat.weapons if weapon.once}
    seen: set[str] = set()
    for index, name in good_list(unit.spent):
        where = (*place, "spent", index)
        faults.known(where, f"once-weapon of {shown(unit.type)}", name, once)
        if name in seen:
            faults.add(where, f"{shown(name)} stands twice", "every weapon once")
        seen.add(name)


def _check_load(roll: _Roll, unit: UnitFile, place: Place) -> None:
    """Whether it may carry and tow what it does."""
    faults = roll.faults
    carrier_type = roll.type_of(unit)
    room = 0
    for where, id_ in _carries(unit, place):
        if sound(unit.id) and id_ == unit.id:
            faults.add(where, f"{shown(id_)} carries itself", "another unit")
            continue
        if id_ not in roll.index:
            expected = listed(roll.index) + faults.guess(id_, roll.index)
            faults.add(where, f"there is no unit {shown(id_)}", expected)
            continue
        other = roll.units[roll.index[id_]]
        if sound(unit.side, other.side) and unit.side != other.side:
            said = f"{shown(id_)} is of side {shown(other.side)}"
            faults.add(where, said, f"a unit of side {shown(unit.side)}")
        other_type = roll.type_of(other)
        if other_type is not None:
            towed = where[-1] == "towing"
            fits = other_type.kind is Kind.GUN if towed else other_type.kind in PASSENGERS
            if not fits:
                said = f"{shown(id_)} is of kind {other_type.kind.value}"
                faults.add(where, said, "a Gun" if towed else "infantry or a leader")
            room += 0 if towed else other_type.size
    if carrier_type is None:
        return
    for key, given in (("passengers", unit.passengers), ("towing", unit.towing)):
        if sound(given) and given and carrier_type.kind not in CARRIERS:
            said = f"stands at a unit of kind {carrier_type.kind.value}"
            faults.add((*place, key), said, "for AFVs and vehicles only")
    if carrier_type.kind in CARRIERS and room > carrier_type.capacity:
        said = f"take room {room}"
        expected = f"at most {carrier_type.capacity}, the capacity of {shown(carrier_type.name)}"
        faults.add((*place, "passengers"), said, expected)


def _check_carried(roll: _Roll) -> None:
    """Every carried unit by one carrier only, which is not carried in its turn."""
    for id_, places in roll.carried.items():
        for _, where in places[1:]:
            said = f"{shown(id_)} is carried twice"
            roll.faults.add(where, said, "one carrier for every carried unit")
    carrier_of = {id_: roll.units[places[0][0]] for id_, places in roll.carried.items()}
    for id_, places in roll.carried.items():
        carrier = carrier_of[id_]
        if not sound(carrier.id) or carrier.id == id_ or carrier.id not in carrier_of:
            continue
        where = places[0][1]
        ring = _ring(id_, carrier_of)
        if ring:
            said = "units carry each other in a ring: " + ", ".join(shown(one) for one in ring)
            roll.faults.add(where, said, "carriers that are not carried")
        else:
            said = f"{shown(carrier.id)} is carried itself"
            roll.faults.add(where, said, "carriers that are not carried")


def _ring(id_: str, carrier_of: Mapping[str, UnitFile]) -> list[str]:
    """The units round from a carried one back to itself, none when it is in no ring."""
    ring = [id_]
    here = carrier_of[id_].id
    while sound(here) and here not in ring and here in carrier_of and len(ring) < 8:
        ring.append(here)
        here = carrier_of[here].id
    return ring if here == id_ else []
