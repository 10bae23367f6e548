"""One shot and one attack: strength, modifiers and the chance of every new status.

This is the only place where a combat table meets a unit; play, plans and odds all come here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from evaluation.rules import CombatRules, RollPer
from evaluation.tables import effect_outcomes
from evaluation.units import Aspect, CombatType, Weapon

Outcomes = tuple[tuple[str, float], ...]


def shot_strength(weapon: Weapon, distance: int, target: CombatType, aspect: Aspect) -> int | None:
    """The weapon's AT rating at the range less the armour of the aspect struck.

    None when the weapon does not reach. Raises ValueError for a target without armour.
    """
    if target.armour is None:
        raise ValueError(f"{target.name} has no armour: only AFVs are shot at")
    rating = weapon.at_rating(distance)
    return None if rating is None else rating - target.armour[aspect]


def shot_outcomes(
    rules: CombatRules, target: CombatType, status: str, strength: int, modifier: int
) -> Outcomes:
    """What one shot makes of an AFV in ``status``: ``(new status, probability)`` in text order.

    ``modifier`` is added to the roll: the at_cover of the AFV's hex plus the leader's leadership.
    """
    chance: dict[str, float] = {}
    for result, p in rules.at.results(strength, modifier, rules.dice):
        for new, q in effect_outcomes(
            rules.at_effect(result), status, target.ratings or {}, rules.dice
        ):
            chance[new] = chance.get(new, 0.0) + p * q
    return tuple(sorted(chance.items()))


def attack_strength(
    rules: CombatRules,
    afv: CombatType,
    afv_spent: Iterable[str],
    passengers: Iterable[tuple[CombatType, Iterable[str], bool]],
    chosen: Iterable[tuple[int, str]],
) -> int:
    """The APFP an overrun is made with (OVR-16, OVR-17).

    ``passengers`` are ``(type, spent once-weapons, may fire)``; ``chosen`` are ``(index of the
    passenger, weapon name)`` of the weapons that the player wishes to use besides the passengers'
    own.
    """
    used_up = set(afv_spent)
    own = sum(weapon.apfp for weapon in afv.weapons if weapon.name not in used_up)
    wished = set(chosen)
    added = 0
    for index, (type_, spent, may_fire) in enumerate(passengers):
        if not may_fire:
            continue
        gone = set(spent)
        for weapon in type_.weapons:
            counts = weapon.weapon_class is None or (index, weapon.name) in wished
            if counts and weapon.name not in gone:
                added += weapon.apfp
    return rules.afv_multiplier * own + added


def attack_spends(
    afv: CombatType,
    afv_spent: Iterable[str],
    passengers: Iterable[tuple[CombatType, Iterable[str], bool]],
    chosen: Iterable[tuple[int, str]],
) -> tuple[tuple[int | None, Weapon], ...]:
    """The once-weapons that such an attack uses up, arguments as of `attack_strength`: ``(index of
    the passenger, weapon)``, None for the AFV's own.

    What counts anyway is used only if it adds something: an AT weapon stays unspent.
    """
    used_up = set(afv_spent)
    spends: list[tuple[int | None, Weapon]] = [
        (None, weapon)
        for weapon in afv.weapons
        if weapon.once and weapon.apfp and weapon.name not in used_up
    ]
    wished = set(chosen)
    for index, (type_, spent, may_fire) in enumerate(passengers):
        gone = set(spent)
        for weapon in type_.weapons if may_fire else ():
            own = weapon.weapon_class is None and weapon.apfp
            used = own or (index, weapon.name) in wished
            if weapon.once and used and weapon.name not in gone:
                spends.append((index, weapon))
    return tuple(spends)


def attack_outcomes(
    rules: CombatRules, strength: int, cover: int, struck: Sequence[tuple[CombatType, str]]
) -> tuple[tuple[tuple[str, ...], float], ...]:
    """What one AP attack makes of all the units it strikes together (OVR-2, OVR-16 to OVR-19).

    ``struck`` are ``(type, status)``; the answer lists every joint outcome, the new statuses in the
    same order, with its probability, in text order.
    """
    results = rules.ap.results(strength, cover, rules.dice)
    joint: dict[tuple[str, ...], float] = {}
    if rules.ap_roll_per is RollPer.HEX:
        for result, p in results:
            each = [_after(rules, unit, status, ((result, 1.0),)) for unit, status in struck]
            _spread(joint, each, p)
    else:
        _spread(joint, [_after(rules, unit, status, results) for unit, status in struck], 1.0)
    return tuple(sorted(joint.items()))


def _after(rules: CombatRules, unit: CombatType, status: str, results: Outcomes) -> Outcomes:
    """One unit's statuses after a roll whose results have these chances."""
    chance: dict[str, float] = {}
    for result, p in results:
        effect = rules.ap_effect(unit.kind, result)
        for new, q in effect_outcomes(effect, status, unit.ratings or {}, rules.dice):
            chance[new] = chance.get(new, 0.0) + p * q
    return tuple(sorted(chance.items()))


def _spread(joint: dict[tuple[str, ...], float], each: Sequence[Outcomes], weight: float) -> None:
    """Add the product of independent outcomes to the joint distribution."""
    for combination in product(*each):
        p = weight
        for _, q in combination:
            p *= q
        if p > 0.0:
            names = tuple(name for name, _ in combination)
            joint[names] = joint.get(names, 0.0) + p
