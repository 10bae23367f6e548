from __future__ import annotations

import pytest

from benchmarks.generated import position
from planner.search.candidates import Survey
from planner.search.effort import Limit, Wishes, never
from planner.search.interactions import Interactions
from planner.search.restarts import Restarts
from planner.search.strategy import grouped
from planner.search.tally import BETTER, Tally
from planner.search.worth import Judge


def begun(seed: int) -> tuple[Tally, Restarts]:
    judge = Judge(position("platoon", seed))
    found = Survey(judge.position, judge, Wishes()).candidates
    tally = Tally(judge, Limit(work=4_000), None, never)
    return tally, Restarts(tally, grouped(found), Interactions(judge, found).bearing())


@pytest.mark.parametrize("seed", [0, 5])
def test_no_single_change_makes_a_climbed_plan_better(seed: int) -> None:
    tally, restarts = begun(seed)
    plan = restarts.climb(())
    value = tally.value(plan)
    for unit, options in restarts.by_unit.items():
        rest = tuple(one for one in plan if one.move.unit != unit)
        others = [rest]
        others += [(*rest[:i], c, *rest[i:]) for c in options for i in range(len(rest) + 1)]
        assert all(tally.value(other) <= value + BETTER for other in others)


@pytest.mark.parametrize("seed", [0, 5])
def test_the_same_plans_each_time(seed: int) -> None:
    seen = []
    for _ in range(2):
        tally, restarts = begun(seed)
        restarts.run(idle=3)
        seen.append(list(tally.values))
    assert seen[0] == seen[1]


def test_only_the_cluster_changes() -> None:
    tally, restarts = begun(0)
    whole = restarts.climb(())
    assert whole
    kept = whole[0].move.unit
    others = [unit for unit in restarts.by_unit if unit != kept]
    plan = restarts.climb(whole[:1], others)
    assert whole[0] in plan
    assert tally.value(plan) >= tally.value(whole[:1])


def test_afvs_that_bear_on_nobody_are_not_begun_anew() -> None:
    tally, restarts = begun(0)
    alone = Restarts(tally, restarts.by_unit, {})
    work = tally.work
    alone.run(idle=3)
    assert tally.work == work
