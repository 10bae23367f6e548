"""Rules files: read, checked and made into `Rules`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from evaluation.dice import Dice
from evaluation.rules import CombatRules, RollPer
from evaluation.tables import Change, Check, CombatTable, Effect
from evaluation.units import Aspect, CombatType, Kind, Status, Weapon
from planner.game import rules, rules_file, shipped
from planner.game.check_rules import STRUCK, check_rules
from planner.game.document import Form, parse_document, plain, read_document
from planner.game.faults import Faults
from planner.game.pieces import note_faults
from planner.game.rules import MovementClass, Rules, UnitType
from planner.game.rules_file import CheckFile, EffectFile, Effects, RulesFile, TypeFile


def read_rules(path: str | Path) -> Rules:
    """The rules in a file, TOML or JSON by its ending. Raises FileFault with all its faults."""
    return parse_rules(read_document(Path(path)), file=str(path))


@lru_cache
def shipped_rules(name: str) -> Rules:
    """Rules that come with the program. Raises KeyError when there are none of that name."""
    file = f"{name}.toml"
    return parse_rules(parse_document(shipped.rules_text(name), file, Form.TOML), file=file)


def parse_rules(raw: Mapping[str, Any], file: str = "rules") -> Rules:
    """The rules in the tables of a rules file; ``file`` is its name in messages.

    Raises FileFault with every fault of form and of meaning.
    """
    tables = plain(raw, file)
    written = RulesFile.model_validate(tables)
    faults = Faults()
    note_faults(written, (), faults)
    check_rules(written, faults)
    faults.raise_any(file, tables)
    return _rules(written)


def _rules(written: RulesFile) -> Rules:
    return Rules(
        name=written.name,
        combat=_combat(written),
        overrun_cost=written.overrun.movement_points,
        stacking_limit=written.stacking.limit,
        front=Fraction(written.aspects.front),
        rear=Fraction(written.aspects.rear),
        classes={
            name: MovementClass(name, found.turn, found.uphill, found.max_climb)
            for name, found in written.classes.items()
        },
        terrain={
            name: rules.Terrain(
                name, found.cost, found.cover, found.at_cover, found.height, found.building
            )
            for name, found in written.terrain.items()
        },
        edges={
            name: rules.Edge(name, found.cost, frozenset(found.bars))
            for name, found in written.edges.items()
        },
        paths={name: rules.Path(name, found.cost) for name, found in written.paths.items()},
        features={
            name: rules.Feature(
                name,
                found.cost,
                found.cover,
                found.at_cover,
                found.height,
                frozenset(found.bars),
                found.bunker,
            )
            for name, found in written.features.items()
        },
        types={name: _unit_type(name, found) for name, found in written.types.items()},
        recovery={kind: getattr(written.recovery, kind.value) for kind in Kind},
    )


def _combat(written: RulesFile) -> CombatRules:
    return CombatRules(
        dice=Dice(written.dice.count, written.dice.sides),
        ap=_table(written.ap),
        ap_roll_per=RollPer(written.ap.roll_per),
        ap_effects={Kind(kind): _effects(getattr(written.ap.effects, kind)) for kind in STRUCK},
        at=_table(written.at),
        at_effects=_effects(written.at.effects.afv),
        statuses={kind: _statuses(getattr(written.status, kind.value)) for kind in Kind},
        carried_fate=written.passengers.on_destroyed,
        afv_multiplier=written.overrun.afv_multiplier,
        passenger_weapons=frozenset(written.overrun.passenger_weapons),
    )


def _table(written: rules_file.ApFile | rules_file.AtFile) -> CombatTable:
    cells = tuple(tuple(row) for row in written.table)
    return CombatTable(tuple(written.columns), tuple(written.rolls), cells)


def _effects(written: Effects) -> Mapping[str, Effect]:
    return {result: _effect(effect) for result, effect in written.items()}


def _effect(written: EffectFile) -> Effect:
    if isinstance(written, CheckFile):
        passed, failed = _effect(written.passed), _effect(written.failed)
        return Check(written.check, written.modifier, passed, failed)
    return Change(written)


def _statuses(written: rules_file.Statuses) -> Mapping[str, Status]:
    return {
        name: Status(
            name,
            found.loss,
            found.removed,
            found.may_fire,
            found.may_move,
            found.may_move if found.may_overrun is None else found.may_overrun,
        )
        for name, found in written.items()
    }


def _armour(written: rules_file.ArmourFile) -> Mapping[Aspect, int]:
    return {Aspect.FRONT: written.front, Aspect.SIDE: written.side, Aspect.REAR: written.rear}


def _unit_type(name: str, written: TypeFile) -> UnitType:
    combat = CombatType(
        name=name,
        kind=Kind(written.kind),
        worth=written.worth,
        weapons=tuple(
            Weapon(
                name=weapon.name,
                apfp=weapon.apfp,
                at=tuple((reach, rating) for reach, rating in weapon.at),
                weapon_class=weapon.weapon_class,
                once=weapon.once,
                price=weapon.price,
            )
            for weapon in written.weapons
        ),
        armour=None if written.armour is None else _armour(written.armour),
        leadership=written.leadership,
        ratings=written.ratings,
    )
    return UnitType(
        name=name,
        combat=combat,
        movement_class=written.movement_class,
        movement=written.movement,
        capacity=written.capacity,
        size=written.size,
        arc=None if written.arc is None else Fraction(written.arc),
    )
