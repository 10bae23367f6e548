"""Which passengers' weapons are worth using."""

from __future__ import annotations

from itertools import combinations

import pytest

from evaluation.script import Strike
from planner.game.position import Position
from planner.game.weapons import usable_weapons
from planner.search.armament import weapon_choices
from planner.search.worth import Judge
from tests.situations import Tables, red, situation


def _position(*passengers: Tables, columns: list[int] | None = None) -> Position:
    def rules(charts: Tables) -> None:
        charts["types"]["tank"]["capacity"] = 4
        if columns is not None:
            charts["ap"]["columns"] = columns
            charts["ap"]["table"] = [[mark] * len(columns) for mark in ("K", "S", "-", "-")]

    names = [passenger["id"] for passenger in passengers]
    return situation(red("T1", "tank", "0303", "SE", passengers=names), *passengers, rules=rules)


SQUAD, OTHER = red("S1", "squad"), red("S2", "squad")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        # The tank's six and the rifles' two are 8; the LMG adds 2, the satchel 3 at a price.
        ([1, 4, 8], [()]),
        ([1, 9], [(), ("LMG",)]),
        ([1, 10], [(), ("LMG",)]),
        ([1, 11], [(), ("satchel",)]),
        ([1, 12], [(), ("LMG", "satchel")]),
        ([1, 9, 11], [(), ("LMG",), ("satchel",)]),
        ([1, 14], [()]),
        ([9], [(), ("LMG",)]),  # below the first column is an attack too
    ],
)
def test_ovr_17_the_cheapest_into_each_column(
    columns: list[int], said: list[tuple[str, ...]]
) -> None:
    position = _position(SQUAD, columns=columns)
    found = weapon_choices(position, position.units["T1"], Judge(position))
    assert [tuple(weapon for _, weapon in choice) for choice in found] == said


@pytest.mark.parametrize("columns", [[1, 4, 8], [5, 11, 12, 13, 15], [1, 12, 14, 16, 17, 20]])
@pytest.mark.parametrize("passengers", [(), (SQUAD,), (SQUAD, OTHER)])
def test_no_other_choice_is_cheaper(columns: list[int], passengers: tuple[Tables, ...]) -> None:
    position = _position(*passengers, columns=columns)
    unit, judge = position.units["T1"], Judge(position)

    def attack(weapons: tuple[tuple[str, str], ...]) -> tuple[int, float]:
        column, price = judge.attack("T1", Strike(unit.hex, 0, weapons))
        return -1 if column is None else column, price

    usable = usable_weapons(position, unit)
    every = [w for n in range(len(usable) + 1) for w in combinations(usable, n)]
    best: dict[int, tuple[float, int, tuple[tuple[str, str], ...]]] = {}
    for weapons in every:
        column, price = attack(weapons)
        best[column] = min(best.get(column, (price, 99, ())), (price, len(weapons), weapons))
    assert weapon_choices(position, unit, judge) == tuple(best[c][2] for c in sorted(best))
