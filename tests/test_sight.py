from __future__ import annotations

import itertools
from typing import Any

import pytest

from planner.game.sight import sight
from tests.situations import OPEN, hexes, named, situation

Tables = dict[str, Any]


def looked(a: str, b: str, terrain: str, **more: Any) -> tuple[bool, str]:
    """Whether the line is clear, and what blocks it; the same from the other end."""
    position = situation(terrain=terrain, **more)
    start, end = hexes(position, f"{a} {b}")
    there = sight(position.board, position.rules, start, end)
    back = sight(position.board, position.rules, end, start)
    assert set(back.blocking) == set(there.blocking)
    assert set(back.crossed) == set(there.crossed)
    return there.clear, named(position, there.blocking)


WOODS_AHEAD = """
. . . . .
. . . . .
. . w . .
. . . . .
. . . . .
"""


@pytest.mark.parametrize(
    ("a", "b", "clear", "blocking"),
    [
        ("0302", "0304", False, "0303"),  # straight through
        ("0301", "0305", False, "0303"),
        ("0302", "0303", True, ""),  # an end hex never blocks
        ("0303", "0305", True, ""),
        ("0303", "0303", True, ""),
        ("0203", "0403", True, ""),  # along one hexside of it: the hex opposite is open
        ("0202", "0403", False, "0303"),
        ("0201", "0204", True, ""),
        ("0202", "0305", True, ""),  # beside it
        ("0103", "0503", False, "0303"),  # along hexsides, and through it between them
    ],
)
def test_one_wood_on_level_ground(a: str, b: str, clear: bool, blocking: str) -> None:
    assert looked(a, b, WOODS_AHEAD) == (clear, blocking)


@pytest.mark.parametrize(
    ("marks", "clear", "blocking"),
    [(". .", True, ""), ("w .", True, ""), (". w", True, ""), ("w w", False, "0202 0203")],
)
def test_along_a_hexside_both_hexes_must_block(marks: str, clear: bool, blocking: str) -> None:
    upper, lower = marks.split()
    terrain = f". . .\n. {upper} .\n. {lower} .\n. . ."
    # 0103 to 0303 runs along the hexside between 0202 and 0203.
    assert looked("0103", "0303", terrain) == (clear, blocking)


def test_off_the_map_is_open() -> None:
    """0101 to 0301 runs along the upper hexside of 0201; above it there is no hex."""
    assert looked("0101", "0301", ". w .\n. . .") == (True, "")


@pytest.mark.parametrize(
    ("end", "touched"), [("0205", "0104 0202"), ("0504", "0202 0402"), ("0602", "0301 0402")]
)
def test_a_corner_touched_does_not_count(end: str, touched: str) -> None:
    woods = [{"hex": name, "terrain": "woods"} for name in touched.split()]
    assert looked("0101", end, OPEN, hexes=woods) == (True, "")


@pytest.mark.parametrize(
    ("terrain", "clear"),
    [
        ("2 . w . .", True),  # the line passes at 1 over the wood's 1
        ("2 . . w .", False),  # at 0.5
        ("2 w . . .", True),
        ("1 . w . .", False),  # at 0.5
        ("1 . 1 . 1", True),  # a hill level with both ends
        ("1 . 2 . 1", False),
        ("1 . w . 1", True),
        ("1 . W . 1", False),
        ("3 . W . 1", True),  # at 2 over 1 and 1
        ("3 . W . .", False),  # at 1.5
        (". . 1 . 2", True),
        (". 1 . . 2", False),  # at 0.5
    ],
)
def test_height_against_the_slope_of_the_line(terrain: str, clear: bool) -> None:
    column = "\n".join(terrain.split())
    assert looked("0101", "0105", column)[0] == clear


def heights(charts: Tables) -> None:
    charts["terrain"]["woods"]["height"] = 0.5
    charts["features"]["foxholes"]["height"] = 1.5


@pytest.mark.parametrize(
    ("mark", "features", "ends", "clear"),
    [
        ("w", [], 0, False),  # the woods' own half level
        ("w", [], 1, True),
        ("w", ["foxholes"], 1, False),  # of two heights the higher
        (".", ["foxholes"], 1, False),
        (".", ["foxholes"], 2, True),
        (".", ["bunker"], 0, True),
    ],
)
def test_of_terrain_and_features_the_higher_counts(
    mark: str, features: list[str], ends: int, clear: bool
) -> None:
    end = "." if ends == 0 else str(ends)
    override = {"hex": "0102", "terrain": "woods" if mark == "w" else "clear"}
    terrain = f"{end}\n{mark}\n{end}"
    more = [override | {"features": features}]
    assert looked("0101", "0103", terrain, hexes=more, rules=heights)[0] == clear


def test_the_trace_of_a_line_is_in_order() -> None:
    position = situation()
    a, b = hexes(position, "0101 0604")
    found = sight(position.board, position.rules, a, b)
    assert named(position, found.crossed) == "0201 0302 0303 0402 0403 0504"
    distances = [a.distance(hex_) for hex_ in found.crossed]
    assert distances == sorted(distances)


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("offset", ["odd", "even"])
def test_every_line_crosses_hexes_that_join_its_ends(orientation: str, offset: str) -> None:
    """There is one at each range between."""
    position = situation(orientation=orientation, offset=offset)
    for a, b in itertools.combinations(sorted(position.board.ground), 2):
        crossed = sight(position.board, position.rules, a, b).crossed
        assert not {a, b} & set(crossed)
        assert {a.distance(hex_) for hex_ in crossed} >= set(range(1, a.distance(b)))


def test_a_hex_off_the_map_has_no_line() -> None:
    position = situation()
    (a,) = hexes(position, "0101")
    with pytest.raises(KeyError):
        sight(position.board, position.rules, a, a._replace(q=-1))
