from __future__ import annotations

import pytest

from evaluation.dice import Dice
from evaluation.odds import read_table, throws, whole_chance
from evaluation.tables import Change, Check, CombatTable, Effect

TABLE = CombatTable((1, 4), (2, 6, 8), (("K", "K"), ("-", "S"), ("-", "K")))


@pytest.mark.parametrize(
    ("strength", "modifier", "column", "results"),
    [
        (0, 0, None, [("-", ((2, 12),), 36)]),
        (1, 0, 1, [("K", ((2, 5),), 10), ("-", ((6, 12),), 26)]),
        (3, 1, 1, [("K", ((2, 4),), 6), ("-", ((5, 12),), 30)]),
        (4, 0, 4, [("K", ((2, 5), (8, 12)), 25), ("S", ((6, 7),), 11)]),
        (9, -6, 4, [("K", ((2, 11),), 35), ("S", ((12, 12),), 1)]),
    ],
)
def test_a_reading_counts_ways(
    strength: int,
    modifier: int,
    column: int | None,
    results: list[tuple[str, tuple[tuple[int, int], ...], int]],
) -> None:
    reading = read_table(TABLE, strength, modifier, Dice(2, 6))
    assert (reading.strength, reading.modifier, reading.column) == (strength, modifier, column)
    assert [(r.result, r.rolls, r.ways) for r in reading.results] == results
    assert sum(r.ways for r in reading.results) == 36
    assert sum(r.probability for r in reading.results) == pytest.approx(1.0)


HURT = Change({"ready": "down"})
ONE = Check("morale", 0, HURT, Change({}))


@pytest.mark.parametrize(
    ("effects", "count"),
    [([], 1), ([HURT], 1), ([HURT, ONE], 2), ([Check("morale", 0, HURT, ONE)], 3)],
)
def test_throws_that_settle_a_result(effects: list[Effect], count: int) -> None:
    assert throws(effects) == count


@pytest.mark.parametrize(
    ("probability", "most_throws", "chance"),
    [
        (0.0, 1, (0, 36)),
        (1.0, 1, (36, 36)),
        (10 / 36, 2, (10, 36)),  # of the fewest throws
        (10 / 36 * 26 / 36, 2, (260, 1296)),
        (10 / 36 * 26 / 36, 1, None),
        (0.123456789, 2, None),
    ],
)
def test_chances_in_whole_ways(
    probability: float, most_throws: int, chance: tuple[int, int] | None
) -> None:
    assert whole_chance(probability, Dice(2, 6), most_throws) == chance


def test_no_whole_chance_where_floats_are_too_coarse() -> None:
    assert whole_chance(1 / 3, Dice(3, 1000), 2) is None
