"""Rules written as a rules file, which reads back to the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from evaluation.tables import Change, CombatTable, Effect
from evaluation.units import Aspect, CombatType, Kind, Status, Weapon
from planner.game.rules import Points, Rules, UnitType
from planner.game.rules_file import RULES_FORMAT


def rules_document(rules: Rules) -> dict[str, Any]:
    """The tables of a rules file with these rules; what a reader takes for granted is left out.

    Notes for the reader are not kept by `Rules`, so there are none.
    """
    combat = rules.combat
    return {
        "format": RULES_FORMAT,
        "name": rules.name,
        "dice": {"count": combat.dice.count, "sides": combat.dice.sides},
        "overrun": {
            "movement_points": _number(rules.overrun_cost),
            "afv_multiplier": combat.afv_multiplier,
            "passenger_weapons": sorted(combat.passenger_weapons),
        },
        "stacking": {"limit": rules.stacking_limit},
        "passengers": {"on_destroyed": combat.carried_fate},
        "aspects": {"front": _number(rules.front), "rear": _number(rules.rear)},
        "classes": {name: _plain(asdict(found)) for name, found in rules.classes.items()},
        "terrain": {name: _given(asdict(found)) for name, found in rules.terrain.items()},
        "edges": {name: _given(asdict(found)) for name, found in rules.edges.items()},
        "paths": {name: _given(asdict(found)) for name, found in rules.paths.items()},
        "features": {name: _given(asdict(found)) for name, found in rules.features.items()},
        "status": {
            kind.value: {name: _status(found) for name, found in combat.statuses[kind].items()}
            for kind in Kind
        },
        "recovery": {kind.value: dict(to) for kind, to in rules.recovery.items() if to},
        "ap": {
            "roll_per": combat.ap_roll_per.value,
            **_table(combat.ap),
            "effects": {
                kind.value: _effects(effects) for kind, effects in combat.ap_effects.items()
            },
        },
        "at": {**_table(combat.at), "effects": {Kind.AFV.value: _effects(combat.at_effects)}},
        "types": {name: _type(found) for name, found in rules.types.items()},
    }


def _number(points: Points) -> int | float:
    """A number that a file gives with at most six decimals, which a float keeps."""
    exact = Fraction(points)
    return exact.numerator if exact.denominator == 1 else float(exact)


def _real(number: float) -> int | float:
    return int(number) if float(number).is_integer() else number


def _plain(table: Mapping[str, Any]) -> dict[str, Any]:
    """A noun's fields but its name, which is the key that it stands under."""
    return {key: _value(value) for key, value in table.items() if key != "name"}


def _given(table: Mapping[str, Any]) -> dict[str, Any]:
    """The same without what is nothing anyway; costs are always told."""
    return {key: value for key, value in _plain(table).items() if value or key == "cost"}


def _value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _value(inner) for key, inner in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return _number(value) if isinstance(value, Fraction) else value


def _status(status: Status) -> dict[str, Any]:
    written: dict[str, Any] = {"loss": _real(status.loss)}
    if status.removed:
        written["removed"] = True
    if not status.may_fire:
        written["may_fire"] = False
    if not status.may_move:
        written["may_move"] = False
    if status.may_overrun != status.may_move:
        written["may_overrun"] = status.may_overrun
    return written


def _table(table: CombatTable) -> dict[str, Any]:
    return {
        "columns": list(table.columns),
        "rolls": list(table.rolls),
        "table": [list(row) for row in table.cells],
    }


def _effects(effects: Mapping[str, Effect]) -> dict[str, Any]:
    return {result: _effect(effect) for result, effect in effects.items()}


def _effect(effect: Effect) -> dict[str, Any]:
    if isinstance(effect, Change):
        return dict(effect.to)
    return {
        "check": effect.rating,
        "modifier": effect.modifier,
        "pass": _effect(effect.passed),
        "fail": _effect(effect.failed),
    }


def _type(unit_type: UnitType) -> dict[str, Any]:
    combat = unit_type.combat
    written: dict[str, Any] = {
        "kind": combat.kind.value,
        "class": unit_type.movement_class,
        "movement": _number(unit_type.movement),
        "worth": _real(combat.worth),
        "capacity": unit_type.capacity,
        "size": unit_type.size,
        "arc": None if unit_type.arc is None else _number(unit_type.arc),
        "armour": _armour(combat),
        "leadership": combat.leadership,
        "ratings": dict(combat.ratings or {}),
        "weapons": [_weapon(weapon) for weapon in combat.weapons],
    }
    return {key: value for key, value in written.items() if _USUAL.get(key, _NEVER) != value}


_USUAL: Mapping[str, object] = {
    "capacity": 0,
    "size": 1,
    "arc": None,
    "armour": None,
    "leadership": 0,
    "ratings": {},
    "weapons": [],
}
_NEVER = object()


def _armour(combat: CombatType) -> dict[str, int] | None:
    if combat.armour is None:
        return None
    return {aspect.value: combat.armour[aspect] for aspect in Aspect}


def _weapon(weapon: Weapon) -> dict[str, Any]:
    written: dict[str, Any] = {
        "name": weapon.name,
        "apfp": weapon.apfp,
        "at": [list(band) for band in weapon.at],
        "class": weapon.weapon_class,
        "once": weapon.once,
        "price": _real(weapon.price),
    }
    return {key: value for key, value in written.items() if value}
