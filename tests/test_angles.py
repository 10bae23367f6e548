from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.units import Aspect
from planner.game.angles import aspect, in_arc
from planner.game.hexes import DIRECTIONS, Direction, Hex
from tests.situations import situation

HERE = Hex(2, 5)
SLIVER = Fraction(1, 10**40)
# Vectors in steps along a facing and along the next one clockwise, with their angle to the facing.
EXACT = [
    ((1, 0), 0),
    ((4, 0), 0),
    ((1, 1), 30),
    ((3, 3), 30),
    ((0, 2), 60),
    ((-1, 2), 90),
    ((-1, 1), 120),
    ((-2, 1), 150),
    ((-1, 0), 180),
]
# The angle of (2, 1) is the arc tangent of √3/5; its first forty decimals.
BETWEEN = Fraction(191066053508690943945174747401300822349760, 10**40)


def seen(facing: Direction, vector: tuple[int, int], mirrored: bool = False) -> Hex:
    """The hex so many steps along the facing and along the next direction to one side."""
    there = HERE
    for steps, direction in zip(
        vector, (facing, facing.turned(-1 if mirrored else 1)), strict=True
    ):
        for _ in range(abs(steps)):
            there = there.neighbour(direction if steps > 0 else direction.opposite)
    return there


@pytest.mark.parametrize("facing", DIRECTIONS)
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(("vector", "degrees"), EXACT)
def test_an_arc_includes_its_bound(
    facing: Direction, mirrored: bool, vector: tuple[int, int], degrees: int
) -> None:
    there = seen(facing, vector, mirrored)
    assert in_arc(Fraction(degrees), facing, HERE, there)
    assert in_arc(degrees + SLIVER, facing, HERE, there)
    assert degrees == 0 or not in_arc(degrees - SLIVER, facing, HERE, there)


@pytest.mark.parametrize("facing", DIRECTIONS)
def test_between_the_multiples_of_thirty_a_bound_is_narrowed_until_it_decides(
    facing: Direction,
) -> None:
    there = seen(facing, (2, 1))
    assert not in_arc(BETWEEN, facing, HERE, there)
    assert in_arc(BETWEEN + SLIVER, facing, HERE, there)


def test_no_arc_is_all_round() -> None:
    assert all(in_arc(None, facing, HERE, Hex(2, 6)) for facing in DIRECTIONS)


@given(
    st.integers(-30, 30),
    st.integers(-30, 30),
    st.sampled_from(DIRECTIONS),
    st.fractions(0, 180, max_denominator=50),
)
def test_arcs_agree_with_trigonometry(q: int, r: int, facing: Direction, arc: Fraction) -> None:
    if (q, r) == (0, 0):
        return
    bearing = math.degrees(math.atan2(r + q / 2, q * math.sqrt(3) / 2)) + 90 - 60 * facing
    angle = abs((bearing + 180) % 360 - 180)
    if abs(angle - arc) > 1e-9:
        assert in_arc(arc, facing, HERE, Hex(HERE.q + q, HERE.r + r)) == (angle < arc)


@pytest.mark.parametrize(
    ("front", "rear", "vector", "expected"),
    [
        (30, 30, (1, 0), Aspect.FRONT),
        (30, 30, (1, 1), Aspect.FRONT),
        (29.99, 30, (1, 1), Aspect.SIDE),
        (31, 30, (1, 1), Aspect.FRONT),
        (30, 30, (4, 5), Aspect.SIDE),
        (30, 30, (5, 4), Aspect.FRONT),
        (30, 30, (0, 1), Aspect.SIDE),
        (60, 30, (0, 1), Aspect.FRONT),
        (30, 30, (-1, 2), Aspect.SIDE),
        (30, 30, (-1, 1), Aspect.SIDE),
        (30, 60, (-1, 1), Aspect.REAR),
        (30, 59.9, (-1, 1), Aspect.SIDE),
        (30, 30, (-2, 1), Aspect.REAR),
        (30, 29.99, (-2, 1), Aspect.SIDE),
        (30, 31, (-2, 1), Aspect.REAR),
        (30, 0, (-1, 0), Aspect.REAR),
        (90, 90, (-1, 2), Aspect.FRONT),
    ],
)
@pytest.mark.parametrize("facing", DIRECTIONS)
def test_aspect_below_at_and_above_its_bounds(
    front: float, rear: float, vector: tuple[int, int], expected: Aspect, facing: Direction
) -> None:
    rules = situation(rules=lambda charts: charts["aspects"].update(front=front, rear=rear)).rules
    assert aspect(rules, facing, HERE, seen(facing, vector)) is expected
    assert aspect(rules, facing, HERE, seen(facing, vector, mirrored=True)) is expected
