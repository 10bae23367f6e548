from __future__ import annotations

import pytest

from planner.game.hexes import DIRECTIONS, STEPS, Direction, Hex, Orientation

CENTRE = Hex(3, -2)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_neighbour_lies_in_its_direction_and_back(direction: Direction) -> None:
    there = CENTRE.neighbour(direction)
    assert CENTRE.distance(there) == 1
    assert CENTRE.direction_to(there) is direction
    assert there.direction_to(CENTRE) is direction.opposite
    assert there.neighbour(direction.opposite) == CENTRE


def test_directions_are_drawn_clockwise() -> None:
    """Two neighbouring directions are 60 degrees apart: their neighbours are neighbours."""
    for direction in DIRECTIONS:
        after = CENTRE.neighbour(direction.turned(1))
        assert CENTRE.neighbour(direction).direction_to(after) is direction.turned(2)
    assert sum(q for q, _ in STEPS) == sum(r for _, r in STEPS) == 0


@pytest.mark.parametrize(
    ("other", "distance"),
    [
        (Hex(3, -2), 0),
        (Hex(4, -2), 1),
        (Hex(4, -4), 2),
        (Hex(5, -3), 2),
        (Hex(4, -1), 2),
        (Hex(8, -2), 5),
        (Hex(0, 2), 4),
        (Hex(-4, -5), 10),
    ],
)
def test_distance_is_the_number_of_steps(other: Hex, distance: int) -> None:
    assert CENTRE.distance(other) == other.distance(CENTRE) == distance


@pytest.mark.parametrize("other", [CENTRE, Hex(5, -2), Hex(4, -1), Hex(2, -3)])
def test_there_is_no_direction_to_a_hex_that_is_no_neighbour(other: Hex) -> None:
    assert CENTRE.direction_to(other) is None


@pytest.mark.parametrize(
    ("before", "after", "hexsides"),
    [(0, 0, 0), (0, 1, 1), (0, 5, 1), (1, 4, 3), (4, 1, 3), (5, 1, 2), (2, 0, 2), (3, 5, 2)],
)
def test_turning_takes_the_shorter_way_round(before: int, after: int, hexsides: int) -> None:
    assert Direction(before).turns_to(Direction(after)) == hexsides


@pytest.mark.parametrize(
    ("orientation", "names"),
    [(Orientation.FLAT, "N NE SE S SW NW"), (Orientation.POINTY, "NW NE E SE SW W")],
)
def test_names_of_directions_both_ways(orientation: Orientation, names: str) -> None:
    for direction, name in zip(DIRECTIONS, names.split(), strict=True):
        assert orientation.name_of(direction) == name
        assert orientation.direction(name) is direction


@pytest.mark.parametrize(
    ("orientation", "name"),
    [(Orientation.FLAT, "E"), (Orientation.POINTY, "N"), (Orientation.FLAT, "ne")],
)
def test_a_direction_of_the_other_orientation_is_unknown(
    orientation: Orientation, name: str
) -> None:
    with pytest.raises(
        ValueError, match=f"'{name}' is no direction.*one of {orientation.names[0]}"
    ):
        orientation.direction(name)
