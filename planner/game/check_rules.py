"""What must agree inside a rules file: names that stand for something, charts with their shape.

Each check looks only at what could be read, so a fault of form elsewhere hides none of these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from planner.game.faults import Faults, Place, shown
from planner.game.pieces import Bad, good_items, good_list, sound
from planner.game.rules_file import (
    ApFile,
    AtFile,
    CheckFile,
    Costs,
    EffectFile,
    Effects,
    RulesFile,
    StatusFile,
    TypeFile,
)
from planner.game.scalars import check_keys

KINDS = ("afv", "vehicle", "gun", "infantry", "leader")
STRUCK = ("vehicle", "gun", "infantry", "leader")
CARRIED = ("gun", "infantry", "leader")
CHECK_DEPTH = 4
NO_EFFECT = "-"


def check_rules(file: RulesFile, faults: Faults) -> None:
    """Note every fault of meaning in what could be read of a rules file."""
    for table in ("classes", "terrain", "edges", "paths", "features", "types"):
        check_keys(getattr(file, table), (table,), faults)
    _check_aspects(file, faults)
    _check_classes(file, faults)
    _check_statuses(file, faults)
    _check_table(file.ap, ("ap",), faults)
    _check_table(file.at, ("at",), faults)
    _check_effects(file, faults)
    for name, unit_type in good_items(file.types):
        _check_type(unit_type, ("types", name), faults)


def _check_aspects(file: RulesFile, faults: Faults) -> None:
    front, rear = file.aspects.front, file.aspects.rear
    if sound(front, rear) and front + rear > 180:
        faults.add(
            ("aspects",), f"front and rear make {float(front + rear):g} degrees", "at most 180"
        )


def _check_classes(file: RulesFile, faults: Faults) -> None:
    if not sound(file.classes):
        return
    classes = file.classes

    def names(place: Place, found: Collection[tuple[int | str, str]]) -> None:
        for step, name in found:
            faults.known((*place, step), "movement class", name, classes)

    def costs(place: Place, cost: Costs) -> None:
        if sound(cost):
            for name in cost:
                faults.known((*place, "cost", name), "movement class", name, classes)

    for table in ("terrain", "edges", "paths", "features"):
        for name, thing in good_items(getattr(file, table)):
            costs((table, name), thing.cost)
            bars = getattr(thing, "bars", [])
            names((table, name, "bars"), list(good_list(bars)))
    for name, unit_type in good_items(file.types):
        if sound(unit_type.movement_class):
            place = ("types", name, "class")
            faults.known(place, "movement class", unit_type.movement_class, classes)


def statuses_of(file: RulesFile, kind: str) -> Mapping[str, StatusFile] | None:
    """The statuses of a kind, or None when they could not be read."""
    table: Mapping[str, StatusFile] | Bad = getattr(file.status, kind)
    return None if isinstance(table, Bad) else table


def _check_statuses(file: RulesFile, faults: Faults) -> None:
    for kind in KINDS:
        statuses = statuses_of(file, kind)
        if statuses is None:
            continue
        place = ("status", kind)
        check_keys(statuses, place, faults)
        if not statuses:
            faults.add(place, "has no status", "at least the fresh one")
        for index, (name, status) in enumerate(statuses.items()):
            if name == "check":
                faults.add((*place, name), "is a word of the effects", "another name")
            fresh = not (sound(status.loss) and status.loss > 0) and status.removed is not True
            if index == 0 and not fresh:
                faults.add(
                    (*place, name), "is the first and so the fresh one", "loss = 0, not removed"
                )
        for old, new in getattr(file.recovery, kind).items() if _readable(file, kind) else ():
            faults.known(("recovery", kind, old), f"status of kind {kind}", old, statuses)
            if sound(new):
                faults.known(("recovery", kind, old), f"status of kind {kind}", new, statuses)
    fate = file.passengers.on_destroyed
    for kind in CARRIED if sound(fate) else ():
        statuses = statuses_of(file, kind)
        if statuses is not None:
            faults.known(("passengers", "on_destroyed"), f"status of kind {kind}", fate, statuses)


def _readable(file: RulesFile, kind: str) -> bool:
    return sound(getattr(file.recovery, kind))


def _check_table(table: ApFile | AtFile, place: Place, faults: Faults) -> None:
    for key in ("columns", "rolls"):
        numbers = list(good_list(getattr(table, key)))
        for (_, before), (index, number) in pairwise(numbers):
            if number <= before:
                expected = "numbers that ascend"
                faults.add((*place, key, index), f"{number} stands after {before}", expected)
    if not sound(table.table):
        return
    if sound(table.rolls) and len(table.table) != len(table.rolls):
        faults.add(
            (*place, "table"), f"has {len(table.table)} rows", f"{len(table.rolls)}, one per roll"
        )
    if sound(table.columns):
        wide = len(table.columns)
        for index, row in good_list(table.table):
            if len(row) != wide:
                expected = f"{wide}, one per column"
                faults.add((*place, "table", index), f"has {len(row)} cells", expected)


def _check_effects(file: RulesFile, faults: Faults) -> None:
    for part, table, kinds in (("ap", file.ap, STRUCK), ("at", file.at, ("afv",))):
        results = {cell for _, row in good_list(table.table) for _, cell in good_list(row)}
        shows = results - {NO_EFFECT} if sound(table.table) else None
        for kind in kinds:
            effects: Effects = getattr(table.effects, kind)
            for result, effect in good_items(effects):
                place = (part, "effects", kind, result)
                if shows is not None and result not in shows:
                    faults.unknown(place, "result in the table", result, shows)
                _check_effect(file, kind, effect, place, faults)
        _check_cells(table, part, kinds, faults)


def _check_cells(table: ApFile | AtFile, part: str, kinds: Collection[str], faults: Faults) -> None:
    """Note every cell whose result nothing is said of; not when the effects can't all be read, nor
    when there are none at all (a chart that is there to do nothing)."""
    effects = [getattr(table.effects, kind) for kind in kinds]
    if not table.effects.is_there or not sound(*effects) or not any(effects):
        return
    named = {NO_EFFECT}.union(*effects)
    for row, cells in good_list(table.table):
        for column, cell in good_list(cells):
            if cell not in named:
                place = (part, "table", row, column)
                faults.unknown(place, f"result that {part}.effects names", cell, named)


def _check_effect(
    file: RulesFile, kind: str, effect: EffectFile, place: Place, faults: Faults, depth: int = 1
) -> None:
    statuses = statuses_of(file, kind)
    if not isinstance(effect, CheckFile):
        for old, new in effect.items() if statuses is not None else ():
            faults.known((*place, old), f"status of kind {kind}", old, statuses or ())
            if sound(new):
                faults.known((*place, old), f"status of kind {kind}", new, statuses or ())
        return
    if depth > CHECK_DEPTH:
        faults.add(place, "is a check too deep in checks", f"at most {CHECK_DEPTH}")
        return
    if sound(effect.check):
        for name, unit_type in _types_of(file, kind):
            if sound(unit_type.ratings) and effect.check not in unit_type.ratings:
                where = ("types", name, "ratings", effect.check)
                faults.add(where, "is missing", "a rating that checks in the effects ask for")
    for branch, inner in (("pass", effect.passed), ("fail", effect.failed)):
        if sound(inner):
            _check_effect(file, kind, inner, (*place, branch), faults, depth + 1)


def _types_of(file: RulesFile, kind: str) -> Iterator[tuple[str, TypeFile]]:
    for name, unit_type in good_items(file.types):
        if unit_type.kind == kind:
            yield name, unit_type


def _check_type(unit_type: TypeFile, place: Place, faults: Faults) -> None:
    kind = unit_type.kind
    check_keys(unit_type.ratings, (*place, "ratings"), faults)
    if sound(kind):
        if kind == "afv" and unit_type.armour is None:
            faults.add((*place, "armour"), "is missing", "armour = { front, side, rear } of an AFV")
        if kind != "afv" and unit_type.armour is not None:
            faults.add((*place, "armour"), f"stands at a unit of kind {kind}", "for AFVs only")
        if kind != "leader" and sound(unit_type.leadership) and unit_type.leadership:
            where = (*place, "leadership")
            faults.add(where, f"stands at a unit of kind {kind}", "for leaders only")
        if kind not in ("afv", "vehicle") and sound(unit_type.capacity) and unit_type.capacity:
            where = (*place, "capacity")
            faults.add(where, f"stands at a unit of kind {kind}", "for AFVs and vehicles only")
    seen: dict[str, int] = {}
    for index, weapon in good_list(unit_type.weapons):
        at = (*place, "weapons", index)
        if sound(weapon.name):
            first = seen.setdefault(weapon.name, index)
            if first != index:
                said = f"{shown(weapon.name)} is also weapons[{first}]"
                faults.add((*at, "name"), said, "every weapon of a type its own name")
        if weapon.once is False and sound(weapon.price) and weapon.price:
            faults.add((*at, "price"), "stands at a weapon that is not spent", "with once = true")
        _check_bands(weapon.at, (*at, "at"), faults)


def _check_bands(bands: list[list[int]], place: Place, faults: Faults) -> None:
    before = 0
    for index, (reach, _) in good_list(bands):
        if reach < 1:
            faults.add((*place, index), f"range {reach}", "a range of 1 or more")
        elif reach <= before:
            faults.add(
                (*place, index), f"range {reach} stands after {before}", "ranges that ascend"
            )
        before = max(before, reach)
