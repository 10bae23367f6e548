"""One overrun's AP attack, as it was asked for on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.odds import Reading, read_table
from evaluation.resolve import attack_outcomes, attack_strength
from evaluation.units import CombatType, Kind
from planner.game.position import Position, Unit
from planner.game.rules import Rules, UnitType
from planner.game.weapons import weapon_bar
from planner.game.windows import cover
from planner.interface.asked import Asked
from planner.interface.forms import Form
from planner.interface.odds_source import (
    MODIFIERS,
    Given,
    Source,
    Struck,
    on_map,
    reading_form,
    source,
    status_on_map,
    struck,
    struck_form,
)


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """An attack and its chances; ``own_strength`` is the AFV's share of the strength (OVR-16)."""

    source: Source
    afv: str
    own_strength: int
    reading: Reading
    units: tuple[Struck, ...]

    def form(self) -> Form:
        """The odds as JSON."""
        return {
            "afv": self.afv,
            "own_strength": self.own_strength,
            "passenger_strength": self.reading.strength - self.own_strength,
            **reading_form(self.reading),
            "roll_per": self.source.rules.combat.ap_roll_per.value,
            "units": [struck_form(unit) for unit in self.units],
        }


@dataclass(slots=True)
class _Attack:
    """The two sides of an attack, as `evaluation.resolve` wants them."""

    afv: CombatType
    spent: frozenset[str]
    passengers: list[tuple[CombatType, frozenset[str], bool]]
    chosen: list[tuple[int, str]]
    targets: list[tuple[str, UnitType, str]]
    cover: int


def attack_odds(
    asked: Asked, given: Given, passengers: Sequence[str], targets: Sequence[str]
) -> AttackOdds:
    """The odds of the attack asked for. Raises FileFault with all that is wrong with it.

    ``passengers`` are ``NAME`` or ``NAME:WEAPON,…``; ``targets`` are ``TYPE`` or ``TYPE:STATUS``,
    in a scenario one hex.
    """
    from_ = source(asked, given)
    covered = asked.whole("--cover", given["cover"], *MODIFIERS)
    afv = given["afv"] or ""
    if from_.position is None:
        attack = _of_types(asked, from_.rules, afv, passengers, targets)
    else:
        attack = _of_units(asked, from_.position, afv, passengers, targets)
    asked.done()
    assert attack is not None
    added = attack.cover if covered is None else covered
    rules = from_.rules.combat
    strength = attack_strength(rules, attack.afv, attack.spent, attack.passengers, attack.chosen)
    reading = read_table(rules.ap, strength, added, rules.dice)
    joint = attack_outcomes(
        rules, strength, added, [(type_.combat, status) for _, type_, status in attack.targets]
    )
    units = []
    for index, (name, type_, status) in enumerate(attack.targets):
        after: dict[str, float] = {}
        for statuses, probability in joint:
            after[statuses[index]] = after.get(statuses[index], 0.0) + probability
        effects = {
            found.result: rules.ap_effect(type_.kind, found.result) for found in reading.results
        }
        units.append(struck(rules, name, type_, status, effects, after))
    own = attack_strength(rules, attack.afv, attack.spent, (), ())
    return AttackOdds(from_, afv, own, reading, tuple(units))


def _of_types(
    asked: Asked, rules: Rules, afv: str, passengers: Sequence[str], targets: Sequence[str]
) -> _Attack | None:
    types = rules.types
    overruns = types[afv] if asked.known("--afv", "unit type", afv, types) else None
    if overruns is not None and overruns.kind is not Kind.AFV:
        asked.fault("--afv", f"{afv} is no AFV but {overruns.kind.value}", "an AFV (OVR-1)")
    riding: list[tuple[CombatType, frozenset[str], bool]] = []
    chosen: list[tuple[int, str]] = []
    room = 0
    for text in passengers:
        name, weapons = _parted(text)
        if asked.known("--passenger", "unit type", name, types):
            _check_passenger(asked, rules, types[name], weapons)
            chosen += [(len(riding), weapon) for weapon in weapons]
            riding.append((types[name].combat, frozenset(), True))
            room += types[name].size
    if overruns is not None and overruns.kind is Kind.AFV and room > overruns.capacity:
        fit = f"at most {overruns.capacity}, the capacity of {afv}"
        asked.fault("--passenger", f"those named take room {room}", fit)
    struck_ = []
    for text in targets:
        name, statuses = _parted(text)
        if not asked.known("--target", "unit type", name, types):
            continue
        kind = types[name].kind
        known = rules.combat.statuses[kind]
        what = f"status of {kind.value} units"
        if not kind.is_struck:
            asked.fault("--target", f"{name} is an AFV", "a unit that an overrun strikes (OVR-3)")
        for status in statuses:
            status_on_map(asked, "--target", what, status, known)
        if len(statuses) > 1:
            asked.fault("--target", f'"{text}" gives several statuses', "one for every unit")
        struck_.append((name, types[name], statuses[0] if statuses else next(iter(known))))
    if overruns is None:
        return None
    return _Attack(overruns.combat, frozenset(), riding, chosen, struck_, 0)


def _check_passenger(asked: Asked, rules: Rules, type_: UnitType, weapons: list[str]) -> None:
    if type_.kind not in (Kind.INFANTRY, Kind.LEADER):
        said = f"{type_.name} is no infantry but {type_.kind.value}"
        asked.fault("--passenger", said, "infantry (OVR-17)")
    may_add = [
        weapon.name
        for weapon in type_.combat.weapons
        if weapon.weapon_class in rules.combat.passenger_weapons
    ]
    for weapon in weapons:
        asked.known("--passenger", f"weapon that {type_.name} may add (OVR-17)", weapon, may_add)
    _check_once(asked, [(type_.name, weapon) for weapon in weapons])


def _check_once(asked: Asked, chosen: list[tuple[str, str]]) -> None:
    """Note every weapon that a passenger is to use twice."""
    for (name, weapon), count in Counter(chosen).items():
        if count > 1:
            said = f"{name}:{weapon} is named {'twice' if count == 2 else f'{count} times'}"
            asked.fault("--passenger", said, "every weapon of a passenger once")


def _of_units(
    asked: Asked, position: Position, afv: str, passengers: Sequence[str], targets: Sequence[str]
) -> _Attack | None:
    units = position.units
    overruns = units[afv] if asked.known("--afv", "unit", afv, units) else None
    if overruns is not None and overruns.kind is not Kind.AFV:
        asked.fault("--afv", f"{afv} is no AFV but {overruns.kind.value}", "an AFV (OVR-1)")
        overruns = None
    if overruns is not None and not on_map(asked, "--afv", overruns, "an AFV on the map"):
        overruns = None
    where = asked.hex("--target", targets[0], position)
    if len(targets) > 1:
        asked.fault("--target", "is given more than once", "one hex of the scenario")
    enemies: list[Unit] = []
    if overruns is not None and where is not None:
        there = position.standing.get(where, ())
        enemies = [unit for unit in there if unit.side != overruns.side and unit.kind.is_struck]
        if not enemies:
            said = f"no unit that {afv} could strike stands in {targets[0]}"
            asked.fault("--target", said, "a hex with enemy units (OVR-2)")
    if overruns is None or where is None:
        return None
    riders = [
        units[name]
        for name in overruns.passengers
        if units[name].kind in (Kind.INFANTRY, Kind.LEADER)
    ]
    chosen = []
    named: list[tuple[str, str]] = []
    for text in passengers:
        name, weapons = _parted(text)
        named += [(name, weapon) for weapon in weapons]
        if not asked.known("--passenger", f"passenger of {afv}", name, overruns.passengers):
            continue
        for weapon in weapons:
            bar = weapon_bar(position, overruns, name, weapon)
            if bar is not None:
                asked.fault("--passenger", bar, "a weapon that it may add (OVR-17)")
            else:
                chosen.append(([rider.id for rider in riders].index(name), weapon))
    _check_once(asked, named)
    riding = [
        (rider.type.combat, rider.spent, rider.status.may_fire and not rider.status.removed)
        for rider in riders
    ]
    struck_ = [(unit.id, unit.type, unit.status.name) for unit in enemies]
    afv_type = overruns.type.combat
    return _Attack(afv_type, overruns.spent, riding, chosen, struck_, cover(position, where))


def _parted(text: str) -> tuple[str, list[str]]:
    """``NAME:A,B`` taken apart."""
    name, _, rest = text.partition(":")
    return name.strip(), [part.strip() for part in rest.split(",") if part.strip()]
