"""The slow twin's geometry and entry costs, in cases that can be checked with a pencil."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.random_rules import TINY
from tests.twin.ground import Ground

# Geometry, in all four layouts. The tables are written for flat tops with odd columns shoved down;
# even: the same ground one column further on; pointy: with columns and rows exchanged.


def _even(name: str) -> str:
    return f"{int(name[:2]) + 1:02d}{name[2:]}"


def _pointy(name: str) -> str:
    return name[2:] + name[:2]


LAYOUTS: dict[str, tuple[str, str, Callable[[str], str]]] = {
    "flat-odd": ("flat", "odd", str),
    "flat-even": ("flat", "even", _even),
    "pointy-odd": ("pointy", "odd", _pointy),
    "pointy-even": ("pointy", "even", lambda name: _pointy(_even(name))),
}
# Directions of the flat layout, as they are called with columns and rows exchanged.
TURNED = {"N": "W", "NE": "SW", "SE": "SE", "S": "E", "SW": "NE", "NW": "NW"}


class Board:
    """Clear ground of 8 columns and 7 rows in one layout, with some hexes changed."""

    def __init__(self, layout: str, hexes: dict[str, dict[str, Any]], **drawn: Any) -> None:
        orientation, offset, self.rename = LAYOUTS[layout]
        self.pointy = orientation == "pointy"
        width = 8 + (offset == "even")
        # Even layouts have one column more at the left; it would be on the map of no table.
        columns, rows = (7, width) if self.pointy else (width, 7)
        rules = copy.deepcopy(TINY)
        rules["features"] |= {"smoke": {"height": 2}, "mud": {"cost": {"tracked": 1}}}
        rules["edges"]["hedge"] = {"cost": {"wheeled": 1}}
        rules["paths"]["trail"] = {"cost": {"tracked": 2}}
        self.rules = rules
        self.scenario: dict[str, Any] = {
            "map": {
                "orientation": orientation,
                "offset": offset,
                "terrain": "\n".join(" ".join("." * columns) for _ in range(rows)),
                "legend": {".": "clear"},
                "hexes": [{"hex": self.rename(n)} | what for n, what in hexes.items()],
            }
            | {
                key: [
                    entry | {"hexes": [self.rename(n) for n in entry["hexes"]]} for entry in entries
                ]
                for key, entries in drawn.items()
            }
        }
        self.ground = Ground(self.scenario, rules)

    def heading(self, direction: str) -> str:
        return TURNED[direction] if self.pointy else direction


WOODS = {"terrain": "woods"}
HILL = {"elevation": 1}
PEAK = {"elevation": 2}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("a", "b", "hexes", "open_line"),
    [
        ("0301", "0305", {}, True),
        ("0302", "0303", {"0302": WOODS, "0303": WOODS}, True),  # neighbours always see
        ("0301", "0305", {"0301": PEAK, "0305": WOODS}, True),  # the ends never block
        ("0301", "0305", {"0303": WOODS}, False),
        ("0301", "0305", {"0203": WOODS, "0403": WOODS}, True),  # beside the line, not on it
        ("0301", "0305", {"0303": HILL}, False),
        ("0301", "0305", {"0303": {"features": ["foxholes"]}}, True),
        ("0301", "0305", {"0303": {"features": ["smoke"]}}, False),
        # From one level to another: the line stands at 3/4, 1/2 and 1/4 of the way.
        ("0301", "0305", {"0301": HILL, "0302": WOODS}, False),
        ("0301", "0305", {"0301": PEAK, "0302": WOODS}, True),  # 1 under 3/2
        ("0301", "0305", {"0301": PEAK, "0303": WOODS}, True),  # 1 at 1: not above
        ("0301", "0305", {"0301": PEAK, "0304": WOODS}, False),  # 1 over 1/2
        ("0301", "0305", {"0305": PEAK, "0303": WOODS}, True),
        ("0301", "0305", {"0305": PEAK, "0302": WOODS}, False),
        # The higher of terrain and feature counts, not their sum.
        (
            "0301",
            "0305",
            {"0301": PEAK, "0305": PEAK, "0303": WOODS | {"features": ["smoke"]}},
            True,
        ),
        # Along a hexside: both hexes beside it must block; one off the map never does.
        ("0102", "0302", {"0201": WOODS}, True),
        ("0102", "0302", {"0202": WOODS}, True),
        ("0102", "0302", {"0201": WOODS, "0202": WOODS}, False),
        ("0102", "0302", {"0201": WOODS, "0202": HILL}, False),
        ("0102", "0502", {"0201": WOODS, "0402": WOODS}, True),  # one each on two hexsides
        ("0102", "0502", {"0302": WOODS}, False),
        ("0101", "0301", {"0201": WOODS}, True),
        # 0101-0504 crosses 0201, 0302, 0303 and 0403; it only touches corners of 0202 and 0402.
        ("0101", "0504", {"0202": WOODS, "0402": WOODS}, True),
        ("0101", "0504", {"0201": WOODS}, False),
        ("0101", "0504", {"0302": WOODS}, False),
        ("0101", "0504", {"0303": WOODS}, False),
        ("0101", "0504", {"0403": WOODS}, False),
    ],
)
def test_line_of_sight(
    layout: str, a: str, b: str, hexes: dict[str, dict[str, Any]], open_line: bool
) -> None:
    board = Board(layout, hexes)
    assert board.ground.sees(board.rename(a), board.rename(b)) is open_line
    assert board.ground.sees(board.rename(b), board.rename(a)) is open_line


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("firer", "front", "rear", "aspect"),
    [
        ("0302", 30, 30, "front"),  # 0 degrees
        ("0401", 30, 30, "front"),  # 30
        ("0201", 30, 30, "front"),
        ("0401", 29, 30, "side"),
        ("0402", 30, 30, "side"),  # 60
        ("0402", 60, 30, "front"),
        ("0402", 59.5, 30, "side"),
        ("0503", 30, 30, "side"),  # 90
        ("0403", 30, 30, "side"),  # 120
        ("0403", 30, 60, "rear"),
        ("0403", 30, 59, "side"),
        ("0404", 30, 30, "rear"),  # 150
        ("0404", 30, 29, "side"),
        ("0305", 30, 30, "rear"),  # 180
        ("0501", 40, 30, "side"),  # tangent (root of 3) / 2: 40.9 degrees
        ("0501", 41, 30, "front"),
    ],
)
def test_aspect_of_an_afv_in_0303_facing_north(
    layout: str, firer: str, front: float, rear: float, aspect: str
) -> None:
    board = Board(layout, {})
    board.rules["aspects"] = {"front": front, "rear": rear}
    afv = board.rename("0303")
    assert board.ground.aspect(afv, board.heading("N"), board.rename(firer)) == aspect


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("target", "arc", "inside"),
    [
        ("0305", 0, True),
        ("0403", 60, True),  # SE of a unit facing S
        ("0403", 59, False),
        ("0402", 119, False),
        ("0402", 120, True),
        ("0301", 179, False),
        ("0301", 180, True),
    ],
)
def test_field_of_fire_from_0303_facing_south(
    layout: str, target: str, arc: int, inside: bool
) -> None:
    board = Board(layout, {})
    here, there = board.rename("0303"), board.rename(target)
    assert board.ground.in_arc(here, board.heading("S"), there, arc) is inside


@pytest.mark.parametrize("layout", LAYOUTS)
def test_range_is_the_least_number_of_steps(layout: str) -> None:
    ground = Board(layout, {}).ground
    for start in ground.hexes:
        reached, frontier, steps = {start: 0}, [start], 0
        while frontier:
            steps += 1
            beyond = {ground.neighbour(name, d) for name in frontier for d in ground.directions}
            frontier = sorted(name for name in beyond if name is not None and name not in reached)
            reached |= dict.fromkeys(frontier, steps)
        assert reached == {name: ground.distance(start, name) for name in ground.hexes}


STREAM = {"hexes": ["0302", "0303"], "edge": "stream"}
HEDGE = {"hexes": ["0303", "0302"], "edge": "hedge"}
CLIFF = {"hexes": ["0302", "0303"], "edge": "cliff"}
ROAD = {"hexes": ["0301", "0302", "0303"], "path": "road"}
TRAIL = {"hexes": ["0303", "0302"], "path": "trail"}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("movement_class", "hexes", "drawn", "cost", "bars"),
    [
        ("tracked", {}, {}, 1, ()),
        ("wheeled", {}, {}, 2, ()),
        ("tracked", {"0303": WOODS}, {}, 3, ()),
        ("wheeled", {"0303": WOODS}, {}, None, ("terrain",)),
        ("tracked", {"0303": {"terrain": "building"}}, {}, None, ("terrain",)),
        ("tracked", {}, {"edges": [STREAM]}, 2, ()),
        ("tracked", {}, {"edges": [STREAM, STREAM]}, 2, ()),  # the same one counts once
        ("wheeled", {}, {"edges": [STREAM, HEDGE]}, 5, ()),  # different ones add up
        ("tracked", {}, {"edges": [STREAM, HEDGE]}, 2, ()),  # not named: pays nothing
        ("tracked", {}, {"edges": [CLIFF]}, None, ("edge",)),
        ("tracked", {"0303": HILL}, {}, 2, ()),
        ("wheeled", {"0303": HILL}, {}, 4, ()),
        ("tracked", {"0302": HILL}, {}, 1, ()),  # downhill is free
        ("tracked", {"0303": PEAK}, {}, None, ("climb",)),
        ("tracked", {"0302": PEAK}, {}, None, ("climb",)),
        ("foot", {"0303": PEAK}, {}, 3, ()),
        ("tracked", {"0303": WOODS}, {"paths": [ROAD]}, 1, ()),
        ("wheeled", {"0303": WOODS | PEAK}, {"paths": [ROAD], "edges": [CLIFF]}, 1, ()),
        ("tracked", {}, {"paths": [TRAIL]}, 2, ()),  # a path binds even where dearer
        ("wheeled", {}, {"paths": [TRAIL]}, 2, ()),  # and not a class it does not name
        ("tracked", {}, {"paths": [TRAIL, ROAD]}, 1, ()),  # the cheapest of several
        ("tracked", {"0303": {"features": ["mud"]}}, {"paths": [ROAD]}, 2, ()),
        ("tracked", {"0303": {"features": ["blaze"]}}, {"paths": [ROAD]}, None, ("feature",)),
        ("tracked", {"0303": {"features": ["blaze"]} | PEAK}, {}, None, ("feature", "climb")),
    ],
)
def test_entry_from_0302_into_0303(
    layout: str,
    movement_class: str,
    hexes: dict[str, dict[str, Any]],
    drawn: dict[str, Any],
    cost: int | None,
    bars: tuple[str, ...],
) -> None:
    board = Board(layout, hexes, **drawn)
    entry = board.ground.entry(movement_class, board.rename("0302"), board.rename("0303"))
    assert entry.bars == bars
    if cost is not None:
        assert entry.cost == cost


def test_directions_follow_the_page() -> None:
    flat, pointy = Board("flat-odd", {}).ground, Board("pointy-odd", {}).ground
    assert [flat.neighbour("0203", d) for d in ("N", "NE", "SE", "S", "SW", "NW")] == [
        "0202", "0303", "0304", "0204", "0104", "0103",
    ]  # fmt: skip
    assert [pointy.neighbour("0302", d) for d in ("NE", "E", "SE", "SW", "W", "NW")] == [
        "0401", "0402", "0403", "0303", "0202", "0301",
    ]  # fmt: skip
