"""Which passengers' weapons are worth using in an overrun (OVR-17)."""

from __future__ import annotations

from collections.abc import Iterator

from evaluation.script import Strike
from planner.game.position import Position, Unit
from planner.game.weapons import usable_weapons
from planner.search.worth import Judge

Weapons = tuple[tuple[str, str], ...]
"""Passengers' weapons as ``(unit, weapon)``, in text order."""


def weapon_choices(position: Position, unit: Unit, judge: Judge) -> tuple[Weapons, ...]:
    """For each column of the AP Combat Table in reach, the weapons that get there at the least
    price; of equal ones the fewest, then in text order. Columns ascend, one below the first
    included.

    **Why no other choice is worth keeping.** An attack's outcome depends on its column alone, and a
    passenger's weapon does nothing else in a Movement Phase. Two choices that reach one column so
    differ in the price of the once-weapons they spend, which the payoff takes off the mover's with
    the own-loss weight, and that is never below 0: the cheaper is at least as good in every plan
    (at a weight of 0 they are alike).
    """
    best: dict[int, tuple[float, int, Weapons]] = {}
    for price, count, weapons in _cheapest_sums(position, unit):
        column, _ = judge.attack(unit.id, Strike(unit.hex, 0, weapons))
        key = -1 if column is None else column
        offer = (price, count, weapons)
        if key not in best or offer < best[key]:
            best[key] = offer
    return tuple(weapons for _, (_, _, weapons) in sorted(best.items()))


def _cheapest_sums(position: Position, unit: Unit) -> Iterator[tuple[float, int, Weapons]]:
    """For each APFP total that some weapons add up to, the least price, number and text.

    Weapon by weapon in text order: of two choices with one total the lesser stays so, whatever is
    added to both.
    """
    sums: dict[int, tuple[float, int, Weapons]] = {0: (0.0, 0, ())}
    for who in usable_weapons(position, unit):
        weapon = position.units[who[0]].type.combat.weapon(who[1])
        asked = weapon.price if weapon.once else 0.0
        for apfp, (price, count, weapons) in list(sums.items()):
            offer = (price + asked, count + 1, (*weapons, who))
            known = sums.get(apfp + weapon.apfp)
            if known is None or offer < known:
                sums[apfp + weapon.apfp] = offer
    yield from sums.values()
