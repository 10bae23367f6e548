"""One judge for many plans gives what a new judge gives for each."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.generated import position as generated
from planner.game.moves import PlannedMove
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.search.candidates import candidates
from planner.search.effort import Wishes
from planner.search.worth import Judge
from tests.random_positions import random_scenario, write_files


def plans_of(position: Position, seed: int, count: int) -> list[list[PlannedMove]]:
    """Plans that share moves: in other orders, with a move left out or changed for another."""
    drawn = random.Random(f"worth/{seed}")
    by_unit: dict[str, list[PlannedMove]] = {}
    for candidate in candidates(position, Judge(position), Wishes()):
        by_unit.setdefault(candidate.move.unit, []).append(candidate.move)
    few = {unit: drawn.sample(own, min(3, len(own))) for unit, own in by_unit.items()}
    plans = []
    for _ in range(count):
        units = drawn.sample(sorted(few), drawn.randint(0, len(few)))
        plans.append([drawn.choice(few[unit]) for unit in units])
    return plans


def compare(position: Position, seed: int, count: int) -> None:
    judge = Judge(position)
    for plan in plans_of(position, seed, count):
        assert judge.value(plan) == pytest.approx(Judge(position).value(plan), abs=1e-11)


@pytest.mark.parametrize("seed", range(20))
def test_small_positions(seed: int, tmp_path: Path) -> None:
    scenario, rules = random_scenario(
        seed,
        orientation=("flat", "pointy")[seed % 2],
        afvs=3,
        min_lines=2,
        objectives=seed % 3 == 0,
    )
    compare(load(write_files(scenario, rules, tmp_path)), seed, 30)


@pytest.mark.parametrize(("size", "seed"), [("platoon", 0), ("company", 0), ("company", 2)])
def test_generated_positions(size: str, seed: int) -> None:
    compare(generated(size, seed), seed, 40)
