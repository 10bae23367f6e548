from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from planner.game.entry import Entry, entry
from planner.game.hexes import Direction
from planner.game.position import Position
from tests.situations import hexes, situation

Tables = dict[str, Any]
TERRAIN = """
. 1 2 . w
. . . . .
b m x . .
"""


def more_roads(charts: Tables) -> None:
    charts["paths"]["trail"] = {"cost": {"tracked": 2, "foot": 0.5}}
    charts["paths"]["footpath"] = {"cost": {"foot": 1}}
    charts["features"]["rubble"] = {"cost": {"tracked": 1.5}}


def entered(way: str, movement_class: str = "tracked", **map_keys: Any) -> Entry:
    """Entering the second of two hexes from the first."""
    position = situation(terrain=TERRAIN, rules=more_roads, **map_keys)
    from_hex, to_hex = hexes(position, way)
    return entry(position.rules, position.board, movement_class, from_hex, to_hex)


def edge(*names: str) -> list[Tables]:
    return [{"hexes": ["0402", "0502"], "edge": name} for name in names]


def path(*names: str, along: str = "0402 0502") -> list[Tables]:
    return [{"path": name, "hexes": along.split()} for name in names]


@pytest.mark.parametrize(
    ("way", "movement_class", "cost"),
    [
        ("0402 0502", "tracked", 1),
        ("0402 0502", "wheeled", 2),
        ("0502 0501", "tracked", 3),
        ("0102 0101", "tracked", 1),
        ("0202 0201", "tracked", 2),  # a level up
        ("0202 0201", "wheeled", 4),
        ("0201 0301", "tracked", 2),
        ("0201 0101", "tracked", 1),  # a level down costs nothing
        ("0301 0401", "foot", 1),
        ("0401 0301", "foot", 3),
    ],
)
def test_cost_of_terrain_and_climb(way: str, movement_class: str, cost: int) -> None:
    assert entered(way, movement_class) == Entry(cost)


@pytest.mark.parametrize(
    ("way", "movement_class", "edges", "bars"),
    [
        ("0102 0103", "tracked", (), ["building bars tracked units"]),
        ("0202 0203", "wheeled", (), ["marsh bars wheeled units"]),
        ("0302 0303", "tracked", (), ["blaze bars tracked units"]),
        ("0402 0502", "tracked", ("cliff",), ["the cliff hexside bars tracked units"]),
        (
            "0302 0301",
            "tracked",
            (),
            ["the climb of 2 is too steep for tracked units (at most 1)"],
        ),
        (
            "0301 0302",
            "tracked",
            (),
            ["the drop of 2 is too steep for tracked units (at most 1)"],
        ),
        ("0402 0502", "towed", (), ["clear bars towed units"]),
        (
            "0402 0502",
            "towed",
            ("cliff",),
            ["clear bars towed units"],
        ),
        (
            "0502 0501",
            "wheeled",
            (),
            ["woods bars wheeled units"],
        ),
    ],
)
def test_ovr_07_what_bars_a_hex(
    way: str, movement_class: str, edges: tuple[str, ...], bars: list[str]
) -> None:
    assert entered(way, movement_class, edges=edge(*edges)) == Entry(None, tuple(bars))


def test_ovr_07_every_bar_is_named() -> None:
    ground = [{"hex": "0502", "terrain": "marsh", "elevation": 3, "features": ["blaze"]}]
    found = entered("0402 0502", edges=edge("cliff"), hexes=ground)
    assert found == Entry(
        None,
        (
            "marsh bars tracked units",
            "the cliff hexside bars tracked units",
            "the climb of 3 is too steep for tracked units (at most 1)",
            "blaze bars tracked units",
        ),
    )


def test_ovr_07_off_the_map() -> None:
    position: Position = situation(terrain=TERRAIN)
    (corner,) = hexes(position, "0101")
    off = corner.neighbour(Direction.D0)
    assert entry(position.rules, position.board, "tracked", corner, off) == Entry(
        None, ("off the map",)
    )


@pytest.mark.parametrize(("edges", "cost"), [(("stream",), 2), (("stream", "stream"), 2), ((), 1)])
def test_a_hexside_adds_to_the_cost_once(edges: tuple[str, ...], cost: int) -> None:
    assert entered("0402 0502", edges=edge(*edges)) == Entry(cost)
    assert entered("0502 0402", edges=edge(*edges)) == Entry(cost)


@pytest.mark.parametrize(
    ("way", "movement_class", "paths", "expected"),
    [
        ("0402 0502", "wheeled", path("road"), 1),
        ("0502 0402", "wheeled", path("road"), 1),
        ("0402 0502", "tracked", path("trail"), 2),  # it binds even where dearer
        ("0402 0502", "tracked", path("road", "trail"), 1),  # of several the cheapest
        ("0402 0502", "foot", path("road", "trail"), Fraction(1, 2)),
        ("0402 0502", "wheeled", path("trail"), 2),  # and not a class it does not name
        ("0402 0502", "tracked", path("footpath"), 1),
        ("0302 0301", "tracked", path("road", along="0302 0301"), 1),  # lifts the climb
        ("0301 0302", "tracked", path("road", along="0302 0301"), 1),
        ("0102 0103", "tracked", path("road", along="0102 0103"), 1),  # lifts the terrain
        ("0302 0402", "tracked", path("road", along="0102 0202 0302 0402"), 1),
    ],
)
def test_a_path_is_the_whole_cost(
    way: str, movement_class: str, paths: list[Tables], expected: int | Fraction
) -> None:
    assert entered(way, movement_class, paths=paths) == Entry(expected)


def test_a_path_lifts_a_hexside_but_no_feature() -> None:
    assert entered("0402 0502", edges=edge("cliff", "stream"), paths=path("road")) == Entry(1)
    blazing = [{"hex": "0502", "features": ["blaze"]}]
    assert entered("0402 0502", hexes=blazing, paths=path("road")) == Entry(
        None, ("blaze bars tracked units",)
    )


@pytest.mark.parametrize(
    ("movement_class", "paths", "cost"),
    [
        ("tracked", [], Fraction(5, 2)),
        ("tracked", path("road"), Fraction(5, 2)),
        ("wheeled", [], 2),  # a feature costs nothing to a class it does not name
    ],
)
def test_a_feature_adds_to_the_cost(
    movement_class: str, paths: list[Tables], cost: int | Fraction
) -> None:
    rubble = [{"hex": "0502", "features": ["rubble"]}]
    assert entered("0402 0502", movement_class, hexes=rubble, paths=paths) == Entry(cost)
