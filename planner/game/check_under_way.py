"""The move under way in a scenario: whose it is, where it has been, and the window open in it."""

from __future__ import annotations

from evaluation.units import Kind
from planner.game.faults import Faults, Place, shown
from planner.game.hexes import Hex
from planner.game.pieces import good_list, sound
from planner.game.read_map import MapReader
from planner.game.rules import Rules
from planner.game.scenario_file import ScenarioFile, UnderWayFile, UnitFile, WindowFile

_PLACE: Place = ("under_way",)


def check_under_way(
    written: ScenarioFile, rules: Rules | None, map_: MapReader | None, faults: Faults
) -> None:
    """Note every fault of meaning in what could be read of the move under way, and of the end of
    the game."""
    _check_over(written, faults)
    under_way = written.under_way
    if not sound(under_way) or under_way is None or not sound(written.units):
        return
    units = {unit.id: unit for unit in written.units if sound(unit.id)}
    afv: UnitFile | None = None
    name = under_way.unit
    if sound(name) and faults.known((*_PLACE, "unit"), "unit", name, units):
        afv = units[name]
        _check_afv(written, afv, rules, under_way, faults)
    _check_route(under_way, map_, faults)
    if afv is not None:
        _check_where(under_way, afv, map_, faults)
    if sound(under_way.window) and under_way.window is not None:
        _check_window(written, under_way, under_way.window, map_, faults)


def _check_over(written: ScenarioFile, faults: Faults) -> None:
    if not sound(written.over) or not written.over:
        return
    if sound(written.under_way) and written.under_way is not None:
        faults.add(("over",), "stands beside a move under way", "one of the two")
    if sound(written.turn, written.turns) and written.turn != written.turns:
        said = f"stands in turn {written.turn} of {written.turns}"
        faults.add(("over",), said, "in the last turn only")
    if sound(written.sides, written.to_move) and len(written.sides) == 2:
        second = written.sides[1]
        if sound(second) and sound(second.id) and written.to_move != second.id:
            said = f"stands in the phase of {shown(written.to_move)}"
            faults.add(("over",), said, f"in that of the second side, {shown(second.id)}")


def _check_afv(
    written: ScenarioFile,
    afv: UnitFile,
    rules: Rules | None,
    under_way: UnderWayFile,
    faults: Faults,
) -> None:
    """Whether the unit can be one whose move is under way."""
    place = (*_PLACE, "unit")
    if sound(afv.side, written.to_move) and afv.side != written.to_move:
        said = f"{shown(afv.id)} is of side {shown(afv.side)}"
        faults.add(place, said, f"an AFV of {shown(written.to_move)}, which moves")
    if sound(afv.moved) and afv.moved:
        faults.add(place, f"{shown(afv.id)} has moved", "an AFV whose move has not ended")
    if rules is None or not sound(afv.type) or afv.type not in rules.types:
        return
    kind = rules.types[afv.type].kind
    if kind is not Kind.AFV:
        faults.add(place, f"{shown(afv.id)} is of kind {kind.value}", "an AFV")
        return
    if not sound(afv.status) or afv.status is None or not sound(under_way.window):
        return
    status = rules.combat.statuses[kind].get(afv.status)
    stopped = status is not None and not status.may_move and under_way.window is None
    if status is not None and (status.removed or stopped):
        said = f"{shown(afv.id)} is {afv.status}, which ends its move"
        faults.add(place, said, "an AFV that may go on")


def _check_route(under_way: UnderWayFile, map_: MapReader | None, faults: Faults) -> None:
    """Each hex of the route is on the map and beside the one before."""
    before: tuple[int, Hex] | None = None
    for index, name in good_list(under_way.route):
        place = (*_PLACE, "route", index)
        hex_ = map_.hex(name, place) if map_ is not None else None
        if hex_ is None or map_ is None:
            continue
        if before is not None and before[0] == index - 1 and before[1].direction_to(hex_) is None:
            said = f"{shown(name)} is no neighbour of {shown(under_way.route[index - 1])}"
            faults.add(place, said, f"a hex beside it: {map_.beside(before[1])}")
        before = (index, hex_)


def _check_where(
    under_way: UnderWayFile, afv: UnitFile, map_: MapReader | None, faults: Faults
) -> None:
    """The route ends where the AFV stands."""
    if not sound(afv.hex, under_way.route) or afv.hex is None:
        return
    last = under_way.route[-1]
    known = map_ is not None and map_.numbering is not None and map_.numbering.has(afv.hex)
    if sound(last) and known and last != afv.hex:
        place = (*_PLACE, "route", len(under_way.route) - 1)
        faults.add(place, f"{shown(last)} is not where it is", f"{shown(afv.hex)}, its hex")


def _check_window(
    written: ScenarioFile,
    under_way: UnderWayFile,
    window: WindowFile,
    map_: MapReader | None,
    faults: Faults,
) -> None:
    """The hex overrun is the last but one of the route, and only units in it have fired finally."""
    place = (*_PLACE, "window")
    if not sound(window.target):
        return
    if window.target is not None:
        if map_ is not None:
            map_.hex(window.target, (*place, "target"))
        if sound(under_way.route) and len(under_way.route) >= 2:
            before = under_way.route[-2]
            if sound(before) and before != window.target:
                said = f"{shown(window.target)} is not the hex it came from"
                faults.add((*place, "target"), said, f"{shown(before)}, or none")
    units = {unit.id: unit for unit in written.units if sound(unit.id)}
    for key in ("final_made", "final_leaders"):
        for index, name in good_list(getattr(window, key)):
            where = (*place, key, index)
            if not faults.known(where, "unit", name, units):
                continue
            unit = units[name]
            if window.target is None:
                faults.add(where, "stands in a window after no overrun", "a window with a target")
            elif sound(unit.hex) and unit.hex != window.target:
                said = f"{shown(name)} is not in the hex overrun"
                faults.add(where, said, f"a unit in {shown(window.target)}")
