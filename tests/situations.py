"""Small positions for tests, put together in a line or two and read by the program's own reader.

The rules are those of ``cases/tiny-rules.toml`` with a few more types, or a changed copy of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from planner.game.hexes import Hex
from planner.game.position import Position
from planner.game.read_scenario import load
from tests.random_positions import write_files
from tests.random_rules import MORE_TYPES, TINY

CASES = Path(__file__).parent / "cases"
OPEN = "\n".join([". " * 8] * 6)
"""Eight columns and six rows of clear ground."""
LEGEND: dict[str, Any] = {
    ".": "clear",
    "w": "woods",
    "b": "building",
    "m": "marsh",
    "1": {"terrain": "clear", "elevation": 1},
    "2": {"terrain": "clear", "elevation": 2},
    "3": {"terrain": "clear", "elevation": 3},
    "W": {"terrain": "woods", "elevation": 1},
    "x": {"terrain": "clear", "features": ["blaze"]},
    "B": {"terrain": "clear", "features": ["bunker"]},
}

Tables = dict[str, Any]


def two_tanks() -> Position:
    """The case file of that name."""
    return load(CASES / "two-tanks.toml")


def red(
    name: str, type_: str, hex_: str | None = None, facing: str | None = "SE", **more: Any
) -> Tables:
    """A unit of the side to move."""
    return _unit(name, "red", type_, hex_, facing, more)


def blue(
    name: str, type_: str, hex_: str | None = None, facing: str | None = None, **more: Any
) -> Tables:
    """A unit of the defender."""
    return _unit(name, "blue", type_, hex_, facing, more)


def _unit(
    name: str, side: str, type_: str, hex_: str | None, facing: str | None, more: Tables
) -> Tables:
    given = {"hex": hex_, "facing": facing if hex_ else None}
    kept = {key: value for key, value in given.items() if value is not None}
    return {"id": name, "side": side, "type": type_} | kept | more


def situation(
    *units: Tables,
    terrain: str = OPEN,
    orientation: str = "flat",
    offset: str = "odd",
    rules: Callable[[Tables], None] | None = None,
    scenario: Tables | None = None,
    **map_keys: Any,
) -> Position:
    """A position, red to move.

    ``rules`` changes the tables of the rules file; ``scenario`` holds more keys of the scenario
    file, ``map_keys`` of its map.
    """
    charts = copy.deepcopy(TINY)
    charts["types"] |= copy.deepcopy(MORE_TYPES)
    if rules is not None:
        rules(charts)
    marks = set(terrain.split())
    written: Tables = {
        "format": "overrun-scenario/1",
        "title": "A situation",
        "rules": "rules.toml",
        "to_move": "red",
        "map": {
            "orientation": orientation,
            "offset": offset,
            "terrain": terrain,
            "legend": {mark: meaning for mark, meaning in LEGEND.items() if mark in marks},
            **map_keys,
        },
        "sides": [{"id": "red"}, {"id": "blue"}],
        "units": list(units),
        **(scenario or {}),
    }
    with TemporaryDirectory() as directory:
        return load(write_files(written, charts, Path(directory)))


def hexes(position: Position, names: str) -> tuple[Hex, ...]:
    """The hexes of those names, parted by blanks."""
    return tuple(position.board.numbering.parse(name) for name in names.split())


def named(position: Position, found: Sequence[Hex]) -> str:
    """The hexes' names, parted by blanks."""
    return " ".join(position.board.name(hex_) for hex_ in found)
