"""Which passengers' weapons a player may add to an overrun (OVR-17)."""

from __future__ import annotations

from evaluation.units import Kind
from planner.game.position import Position, Unit


def usable_weapons(position: Position, unit: Unit) -> tuple[tuple[str, str], ...]:
    """Every ``(passenger, weapon)`` that may be added to the AFV's overrun, in text order."""
    usable = [
        (passenger, weapon.name)
        for passenger in unit.passengers
        for weapon in position.units[passenger].type.combat.weapons
        if weapon_bar(position, unit, passenger, weapon.name) is None
    ]
    return tuple(sorted(usable, key=":".join))


def weapon_choices(position: Position, unit: Unit) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Choices of weapons for the AFV's overrun, none first: of those alike in APFP and in
    once-weapons used up the one with fewest weapons, of equal ones the first in text order."""
    best: dict[tuple[int, tuple[tuple[str, str], ...]], tuple[tuple[str, str], ...]] = {(0, ()): ()}
    for who in usable_weapons(position, unit):
        weapon = position.units[who[0]].type.combat.weapon(who[1])
        for (apfp, used), weapons in list(best.items()):
            key = (apfp + weapon.apfp, (*used, who) if weapon.once else used)
            offer = (*weapons, who)
            known = best.get(key)
            if known is None or (len(offer), offer) < (len(known), known):
                best[key] = offer
    return tuple(sorted(best.values(), key=lambda weapons: (len(weapons), weapons)))


def weapon_bar(position: Position, unit: Unit, passenger: str, weapon: str) -> str | None:
    """Why a weapon can't be added to the AFV's overrun; None when it can."""
    if passenger not in unit.passengers:
        known = ", ".join(sorted(unit.passengers)) or "none"
        return f"{passenger} is no passenger of {unit.id} (passengers: {known})"
    carried = position.units[passenger]
    if carried.kind not in (Kind.INFANTRY, Kind.LEADER):
        return f"{passenger} is no infantry but {carried.kind.value}"
    known_weapons = {known.name: known for known in carried.type.combat.weapons}
    found = known_weapons.get(weapon)
    if found is None:
        names = ", ".join(sorted(known_weapons)) or "none"
        return f"{passenger} has no weapon {weapon} (weapons: {names})"
    allowed = position.rules.combat.passenger_weapons
    if found.weapon_class is None:
        return f"{passenger}:{weapon} is the unit's own armament and counts anyway"
    if found.weapon_class not in allowed:
        classes = ", ".join(sorted(allowed)) or "none"
        return f"{passenger}:{weapon} is of class {found.weapon_class} (allowed: {classes})"
    if weapon in carried.spent:
        return f"{passenger}:{weapon} is spent"
    if carried.status.removed or not carried.status.may_fire:
        return f"{passenger} is {carried.status.name} and may not fire"
    return None
