from __future__ import annotations

import random

import pytest

from benchmarks.generated import position
from evaluation.apart import together
from evaluation.value import Evaluator
from planner.search.candidates import Survey
from planner.search.effort import Wishes
from planner.search.exposure import field, script
from planner.search.strategy import grouped
from planner.search.worth import Judge


@pytest.mark.parametrize(("size", "seed"), [("platoon", 0), ("company", 0), ("company", 8)])
def test_apart_or_together_a_plan_is_worth_the_same(size: str, seed: int) -> None:
    """What is told apart and put in another order beforehand, against the plan as it stands."""
    drawn = position(size, seed)
    judge = Judge(drawn)
    by_unit = grouped(Survey(drawn, judge, Wishes()).candidates)
    moves = {
        unit: [script(drawn, one.move) for one in options] for unit, options in by_unit.items()
    }
    evaluator = Evaluator(field(drawn))
    rng = random.Random(seed)
    reordered = 0
    for _ in range(40):
        units = rng.sample(sorted(moves), min(len(moves), rng.randint(2, 4)))
        plan = [rng.choice(moves[unit]) for unit in units]
        prepared = Evaluator(field(drawn)).evaluate(plan, payoff=False).value
        assert evaluator.value(plan) == pytest.approx(prepared, abs=1e-9)
        groups = list(together([evaluator._apart.footprint(move) for move in plan]))
        reordered += [one.move for group in groups for one in group] != plan
    assert reordered
