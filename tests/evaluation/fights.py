"""Scripts put together by hand: one die, tables small enough to work out every value on paper.

The AP table at the tank's strength of 6 kills on 1-2 and suppresses on 3-4. An AT shot of strength
2 destroys on 1 and stops on 2-3, one of strength 0 stops on 1-2, one of strength 4 destroys on 1-3
and stops on 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from evaluation.dice import Dice
from evaluation.rules import CombatRules, RollPer
from evaluation.script import Combatant, Enter, Field, Move, Objective, Place, Shot, Strike
from evaluation.tables import Change, Check, CombatTable
from evaluation.units import Aspect, CombatType, Kind, Side, Status, Weapon

AP = CombatTable(
    (1, 4, 8),
    (1, 3, 5),
    (
        ("S", "K", "K"),  # 2 or less
        ("-", "S", "K"),  # 3, 4
        ("-", "-", "S"),  # 5 or more
    ),
)
AT = CombatTable(
    (0, 2, 4),
    (1, 2, 3, 4, 5),
    (
        ("M", "D", "D"),
        ("M", "M", "D"),
        ("-", "M", "D"),
        ("-", "-", "M"),
        ("-", "-", "-"),
    ),
)
SHAKING = CombatTable((0,), (1, 2, 5), (("S",), ("S",), ("-",)))
"""An AT table on which every shot shakes on 4 or less and does nothing else."""


def _statuses(*statuses: Status) -> Mapping[str, Status]:
    return {status.name: status for status in statuses}


_FOOT = _statuses(
    Status("ready", 0.0),
    Status("down", 0.25, may_fire=False),
    Status("dead", 1.0, removed=True),
)
STATUSES = {
    Kind.AFV: _statuses(
        Status("ready", 0.0),
        Status("shaken", 0.2, may_fire=False, may_overrun=False),
        Status("stopped", 0.5, may_move=False, may_overrun=False),
        Status("dead", 1.0, removed=True),
    ),
    Kind.VEHICLE: _statuses(Status("ready", 0.0), Status("dead", 1.0, removed=True)),
    Kind.GUN: _FOOT,
    Kind.INFANTRY: _FOOT,
    Kind.LEADER: _FOOT,
}
_HURT = {"S": Change({"ready": "down"}), "K": Change({"ready": "dead", "down": "dead"})}
RULES = CombatRules(
    dice=Dice(1, 6),
    ap=AP,
    ap_roll_per=RollPer.HEX,
    ap_effects={
        Kind.GUN: _HURT,
        Kind.INFANTRY: _HURT,
        Kind.LEADER: _HURT
        | {"S": Check("morale", 0, passed=Change({}), failed=Change({"ready": "down"}))},
        Kind.VEHICLE: {"K": Change({"ready": "dead"})},
    },
    at=AT,
    at_effects={
        "S": Change({"ready": "shaken"}),
        "M": Change({"ready": "stopped", "shaken": "stopped"}),
        "D": Change({"ready": "dead", "shaken": "dead", "stopped": "dead"}),
    },
    statuses=STATUSES,
    carried_fate="dead",
    afv_multiplier=2,
    passenger_weapons=frozenset({"light"}),
)
PER_UNIT = replace(RULES, ap_roll_per=RollPer.UNIT)
SHAKY = replace(RULES, at=SHAKING)

ARMOUR = {Aspect.FRONT: 4, Aspect.SIDE: 2, Aspect.REAR: 2}
TANK = CombatType(
    "tank", Kind.AFV, 10.0, (Weapon("gun", apfp=2), Weapon("coax", apfp=1)), armour=ARMOUR
)
GUN = CombatType("gun", Kind.GUN, 12.0, (Weapon("gun", apfp=1, at=((3, 6), (6, 4))),))
SQUAD = CombatType(
    "squad",
    Kind.INFANTRY,
    3.0,
    (
        Weapon("rifles", apfp=1),
        Weapon("lmg", apfp=2, weapon_class="light"),
        Weapon("charge", apfp=3, weapon_class="light", once=True, price=0.5),
    ),
)
LEADER = CombatType("leader", Kind.LEADER, 2.0, leadership=-1, ratings={"morale": 4})
TRUCK = CombatType("truck", Kind.VEHICLE, 2.0)


def rocket_team(price: float = 0.5, rating: int = 4, name: str = "team") -> CombatType:
    """Infantry with one once-weapon that reaches two hexes."""
    tube = Weapon("tube", at=((2, rating),), once=True, price=price)
    return CombatType(name, Kind.INFANTRY, 2.0, (tube,))


def mine(id_: str, type_: CombatType = TANK, place: Place = "start", **more: object) -> Combatant:
    """A unit of the mover."""
    return replace(Combatant(id_, Side.MOVER, type_, "ready", place), **more)  # type: ignore[arg-type]


def theirs(id_: str, type_: CombatType = GUN, place: Place = "nest", **more: object) -> Combatant:
    """A unit of the defender."""
    return replace(Combatant(id_, Side.DEFENDER, type_, "ready", place), **more)  # type: ignore[arg-type]


def field(
    *units: Combatant,
    rules: CombatRules = RULES,
    limit: int = 2,
    objectives: Iterable[Objective] = (),
) -> Field:
    """A field with these units."""
    return Field(rules, {unit.id: unit for unit in units}, limit, tuple(objectives))


def at(firer: str, weapon: str = "gun", distance: int = 3, aspect: Aspect = Aspect.FRONT) -> Shot:
    """One shot; as it stands, a gun's at 3 hexes at the front, of strength 2."""
    return Shot(firer, weapon, distance, aspect)


def enter(
    place: Place, *shots: Shot, at_cover: int = 0, final_against: Place | None = None
) -> Enter:
    """The AFV enters a place."""
    return Enter(place, at_cover, shots, final_against)


def overrun(
    unit: str,
    *before: Enter,
    target: Place = "nest",
    exit_: Place = "exit",
    shots: Iterable[Shot] = (),
    at_cover: int = 0,
    cover: int = 0,
    weapons: tuple[tuple[str, str], ...] = (),
) -> Move:
    """A move with an overrun; ``shots`` are those of the last window by units elsewhere."""
    last = Enter(exit_, at_cover, tuple(shots), target)
    return Move(unit, (*before, Strike(target, cover, weapons), last))


def drive(unit: str, *steps: Enter) -> Move:
    """A move without an overrun."""
    return Move(unit, steps)
