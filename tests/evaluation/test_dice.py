from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from evaluation.dice import Dice

TWO_DICE = [(2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6)]


def test_two_dice_fall_in_36_ways() -> None:
    dice = Dice(2, 6)
    assert dice.combinations == 36
    assert dice.ways == (*TWO_DICE, (8, 5), (9, 4), (10, 3), (11, 2), (12, 1))


@pytest.mark.parametrize(
    ("count", "sides"), [(1, 6), (1, 10), (2, 6), (2, 10), (3, 6), (4, 3), (5, 2)]
)
def test_ways_are_those_of_all_throws(count: int, sides: int) -> None:
    throws = Counter(map(sum, product(range(1, sides + 1), repeat=count)))
    dice = Dice(count, sides)
    assert dict(dice.ways) == throws
    assert [total for total, _ in dice.ways] == sorted(throws)
    assert dice.combinations == sides**count
    assert dict(dice.distribution) == {t: ways / sides**count for t, ways in throws.items()}


@pytest.mark.parametrize(
    ("limit", "ways"),
    [(1, 0), (2, 1), (5, 10), (6, 15), (7, 21), (7.5, 21), (11, 35), (12, 36), (13, 36)],
)
def test_at_most_counts_the_limit_itself(limit: float, ways: int) -> None:
    assert Dice(2, 6).at_most(limit) == ways / 36
