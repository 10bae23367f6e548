"""Ways of putting plans together and of making them better."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.generated import position as generated
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.search.candidates import Candidate, candidates
from planner.search.effort import Limit, Wishes, never
from planner.search.improve import climb, greedy, most_promising_first, move_by_move
from planner.search.strategy import grouped
from planner.search.tally import Tally
from planner.search.worth import Judge


def begun(position: Position) -> tuple[Tally, dict[str, list[Candidate]]]:
    judge = Judge(position)
    found = candidates(position, judge, Wishes())
    return Tally(judge, Limit(), None, never), grouped(found)


def test_no_move_alone_pays_so_none_is_added(cases: Path) -> None:
    tally, by_unit = begun(load(cases / "two-tanks.toml"))
    assert move_by_move(tally, by_unit) == ()
    assert greedy(tally, [c for own in by_unit.values() for c in own]) == ()


@pytest.mark.parametrize("seed", [0, 2, 7])
def test_move_by_move_adds_the_best_each_time_until_none_helps(seed: int) -> None:
    tally, by_unit = begun(generated("platoon", seed))
    plan = move_by_move(tally, by_unit)
    assert plan
    for length in range(len(plan) + 1):
        moved = {c.move.unit for c in plan[:length]}
        others = [c for unit, own in by_unit.items() if unit not in moved for c in own]
        best = max((tally.value((*plan[:length], c)) for c in others), default=float("-inf"))
        if length < len(plan):
            assert tally.value(plan[: length + 1]) == best > tally.value(plan[:length])
        else:
            assert best <= tally.value(plan) + 1e-9


@pytest.mark.parametrize("seed", [0, 2, 7])
def test_climbing_makes_no_plan_worse(seed: int) -> None:
    tally, by_unit = begun(generated("platoon", seed))
    start = greedy(tally, [c for own in by_unit.values() for c in own])
    assert tally.value(climb(tally, start, by_unit)) >= tally.value(start)


@pytest.mark.parametrize("seed", [0, 2, 7, 8])
def test_most_promising_first_misses_no_move_that_helps_at_the_end(seed: int) -> None:
    tally, by_unit = begun(generated("platoon", seed))
    everything = {unit: list(by_unit) for unit in by_unit}
    plan = most_promising_first(tally, by_unit, everything)
    assert plan
    for length in range(len(plan)):
        assert tally.value(plan[: length + 1]) > tally.value(plan[:length])
    moved = {c.move.unit for c in plan}
    left = [c for unit, own in by_unit.items() if unit not in moved for c in own]
    assert all(tally.value((*plan, c)) <= tally.value(plan) + 1e-9 for c in left)


def test_most_promising_first_values_fewer_plans() -> None:
    worked = []
    for lazily in (False, True):
        tally, by_unit = begun(generated("company", 6))
        everything = {unit: list(by_unit) for unit in by_unit}
        begin = tally.work
        plan = (
            most_promising_first(tally, by_unit, everything)
            if lazily
            else move_by_move(tally, by_unit)
        )
        worked.append((tally.work - begin, tally.value(plan)))
    (fully, greedy_value), (promising, value) = worked
    assert promising < fully
    assert value > 0.8 * greedy_value > 0


def test_most_promising_first_adds_nothing_where_no_move_pays(cases: Path) -> None:
    tally, by_unit = begun(load(cases / "two-tanks.toml"))
    everything = {unit: list(by_unit) for unit in by_unit}
    assert most_promising_first(tally, by_unit, everything) == ()
