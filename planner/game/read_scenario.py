"""Scenario files: read, checked and made into a `Position`, or into the `Game` under way in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from planner.game import shipped
from planner.game.board import Board
from planner.game.check_under_way import check_under_way
from planner.game.check_units import check_units
from planner.game.document import (
    Form,
    is_there,
    named_path,
    parse_document,
    plain,
    read_document,
)
from planner.game.faults import Faults, FileFault, listed, shown
from planner.game.pieces import good_list, note_faults, sound
from planner.game.play_state import Game, OpenWindow, UnderWay
from planner.game.position import Objective, Position, SideName, Unit
from planner.game.position_warnings import warnings_of
from planner.game.read_map import MapReader, read_map
from planner.game.read_rules import read_rules, shipped_rules
from planner.game.rules import Rules
from planner.game.scenario_file import ScenarioFile, UnitFile


def load(source: str | Path) -> Position:
    """The position in a scenario file, TOML or JSON by its ending, or in the shipped scenario of
    that name (a `Path` is always a file).

    A file saved in the middle of an AFV's move, or after the last turn, holds no position that
    whole moves begin from; `load_game` reads it.

    Raises FileFault with every fault of form and of meaning.
    """
    game, file = _loaded(source)
    return _whole(game, file)


def load_game(source: str | Path) -> Game:
    """The game in a scenario file, as of `load`; it may be in the middle of a move, or over.

    Raises FileFault with every fault of form and of meaning.
    """
    return _loaded(source)[0]


def _loaded(source: str | Path) -> tuple[Game, str]:
    if isinstance(source, str) and source in shipped.scenario_names():
        raw = parse_document(shipped.scenario_text(source), source, Form.TOML)
        return parse_game(raw, None, source), source
    if isinstance(source, str):
        names = shipped.scenario_names()
        expected = "a file, or a shipped scenario: " + listed(names) + Faults().guess(source, names)
        path = named_path(source, expected)
    else:
        path = source
    return parse_game(read_document(path), path.parent, file=str(path)), str(path)


def read_from_text(
    data: bytes | str, base_dir: Path | None = None, form: Form = Form.TOML, file: str = "scenario"
) -> Position:
    """The position in the text of a scenario file. See `parse_scenario`."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return parse_scenario(parse_document(raw, file, form), base_dir, file)


def parse_scenario(
    raw: Mapping[str, Any], base_dir: Path | None = None, file: str = "scenario"
) -> Position:
    """The position in the tables of a scenario file, as of `load`; otherwise as `parse_game`."""
    return _whole(parse_game(raw, base_dir, file), file)


def _whole(game: Game, file: str) -> Position:
    """The position of a game in which no move is under way. Raises FileFault for any other."""
    faults = Faults()
    if game.under_way is not None:
        said = f"the move of {game.under_way.unit} has not ended"
        expected = (
            "a position between moves; overrun play goes on with the move, and gives hints in it"
        )
        faults.add(("under_way",), said, expected)
    if game.over:
        faults.add(("over",), "the last turn has been played", "a game that goes on")
    faults.raise_any(file, {})
    return game.position


def parse_game(
    raw: Mapping[str, Any],
    base_dir: Path | None = None,
    file: str = "scenario",
    rules: Rules | None = None,
) -> Game:
    """The game in the tables of a scenario file; ``file`` is its name in messages.

    ``base_dir`` is where relative paths of rules files start; without it only shipped rules are
    known. With ``rules`` those count, whatever the scenario calls its own. Raises FileFault with
    every fault of form and of meaning, those of the rules included.
    """
    tables = plain(raw, file)
    written = ScenarioFile.model_validate(tables)
    faults = Faults()
    note_faults(written, (), faults)
    if rules is None:
        rules = _rules(written, base_dir, faults)
    map_: MapReader | None = None
    board: Board | None = None
    if sound(written.map):
        map_, board = read_map(written.map, rules, faults)
    _check_sides(written, faults)
    check_units(written, rules, map_, faults)
    check_under_way(written, rules, map_, faults)
    _check_objectives(written, map_, faults)
    faults.raise_any(file, tables)
    if rules is None or board is None:
        raise AssertionError("a scenario without rules or map has a fault")
    position = _position(written, rules, board)
    return Game(position, position, _under_way(written, board), written.over)


def _under_way(written: ScenarioFile, board: Board) -> UnderWay | None:
    if written.under_way is None:
        return None
    name = board.numbering.parse
    window = written.under_way.window
    opened = None
    if window is not None:
        target = None if window.target is None else name(window.target)
        opened = OpenWindow(target, frozenset(window.final_made), frozenset(window.final_leaders))
    route = tuple(name(hex_) for hex_ in written.under_way.route)
    return UnderWay(written.under_way.unit, route, opened)


def _rules(written: ScenarioFile, base_dir: Path | None, faults: Faults) -> Rules | None:
    name = written.rules
    if not sound(name):
        return None
    names = shipped.rules_names()
    place = ("rules",)
    try:
        if name in names:
            return shipped_rules(name)
        absolute = Path(name).is_absolute()
        if base_dir is not None and not absolute and is_there(base_dir / name):
            return read_rules(base_dir / name)
        expected = "shipped rules or a path from the scenario's folder; shipped: "
        expected += ", ".join(shown(known) for known in names) + faults.guess(name, names)
        said = "is an absolute path" if absolute else "is not found"
        faults.add(place, f"{shown(name)} {said}", expected)
        return None
    except FileFault as error:
        for fault in error.faults:
            faults.add(place, f"{shown(name)}: {fault.place}: {fault.fault}", fault.expected)
        return None


def _check_sides(written: ScenarioFile, faults: Faults) -> None:
    ids: dict[str, int] = {}
    if sound(written.sides) and len(written.sides) != 2:
        count = len(written.sides)
        faults.add(("sides",), f"there {'is' if count == 1 else 'are'} {count}", "exactly two")
    for index, side in good_list(written.sides):
        if sound(side.id):
            first = ids.setdefault(side.id, index)
            if first != index:
                said = f"{shown(side.id)} is also sides[{first}]"
                faults.add(("sides", index, "id"), said, "two sides with different ids")
    known = sound(written.sides) and all(sound(side.id) for side in written.sides)
    if known and sound(written.to_move):
        faults.known(("to_move",), "side", written.to_move, ids)
    if known:
        for index, objective in good_list(written.objectives):
            if sound(objective.held_by) and objective.held_by is not None:
                faults.known(("objectives", index, "held_by"), "side", objective.held_by, ids)
    if sound(written.turn, written.turns) and written.turn > written.turns:
        faults.add(("turn",), f"{written.turn} is after the last turn", f"at most {written.turns}")


def _check_objectives(written: ScenarioFile, map_: MapReader | None, faults: Faults) -> None:
    seen: dict[str, int] = {}
    for index, objective in good_list(written.objectives):
        if not sound(objective.hex):
            continue
        place = ("objectives", index, "hex")
        first = seen.setdefault(objective.hex, index)
        if first != index:
            said = f"{shown(objective.hex)} is also objectives[{first}]"
            faults.add(place, said, "every hex once")
        if map_ is not None:
            map_.hex(objective.hex, place)


def _position(written: ScenarioFile, rules: Rules, board: Board) -> Position:
    first, second = (SideName(side.id, side.name or side.id) for side in written.sides)
    units = _units(written, rules, board)
    return Position(
        title=" ".join(written.title.split()),
        notes=written.notes,
        rules=rules,
        rules_ref=written.rules,
        board=board,
        sides=(first, second),
        to_move=written.to_move,
        units=units,
        objectives=tuple(
            Objective(board.numbering.parse(found.hex), found.worth, found.held_by)
            for found in sorted(written.objectives, key=lambda objective: objective.hex)
        ),
        turn=written.turn,
        turns=written.turns,
        warnings=warnings_of(rules, board, units),
    )


def _units(written: ScenarioFile, rules: Rules, board: Board) -> dict[str, Unit]:
    """All units, sorted by id; a carried one gets its carrier's hex."""
    found = {unit.id: unit for unit in written.units}
    carrier_of = {
        id_: unit.id
        for unit in written.units
        for id_ in (*unit.passengers, *((unit.towing,) if unit.towing else ()))
    }
    return {
        id_: _unit(found[id_], found[carrier_of.get(id_, id_)], carrier_of.get(id_), rules, board)
        for id_ in sorted(found)
    }


def _unit(
    written: UnitFile, stands_as: UnitFile, carrier: str | None, rules: Rules, board: Board
) -> Unit:
    unit_type = rules.types[written.type]
    statuses = rules.combat.statuses[unit_type.kind]
    status = statuses[written.status] if written.status else next(iter(statuses.values()))
    return Unit(
        id=written.id,
        side=written.side,
        type=unit_type,
        hex=board.numbering.parse(stands_as.hex or ""),
        status=status,
        facing=board.orientation.direction(written.facing) if written.facing else None,
        fired=written.fired,
        moved=written.moved,
        movement_used=written.movement_used,
        passengers=tuple(sorted(written.passengers)),
        towing=written.towing,
        spent=frozenset(written.spent),
        carrier=carrier,
    )
