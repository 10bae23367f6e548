"""The bound by what moves could bring if nobody fired."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.adaptive import Adaptive
from evaluation.script import Move
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.search.candidates import candidates
from planner.search.ceiling import ceiling, objectives_to_gain
from planner.search.effort import Wishes
from planner.search.exposure import field, script
from planner.search.worth import Judge
from tests.random_positions import random_scenario, write_files


def adaptive_of(position: Position, own_loss: float = 1.0) -> tuple[Adaptive, float]:
    judge = Judge(position, own_loss)
    moves: dict[str, list[Move]] = {}
    for candidate in candidates(position, judge, Wishes()):
        moves.setdefault(candidate.move.unit, []).append(script(position, candidate.move))
    return Adaptive(field(position), moves, own_loss), judge.value([])


def test_two_tanks_by_hand(cases: Path) -> None:
    """Each tank's best attack if nobody fires: both on gun and sergeant, who are in foxholes."""
    adaptive, _ = adaptive_of(load(cases / "two-tanks.toml"))
    gains, most = adaptive.unopposed()
    by_label = dict(zip([move.label for move in adaptive.moves], gains, strict=True))
    _, strong = by_label["T1 0304x0404-0505"]
    _, weak = by_label["T2 0402x0503-0603"]
    assert strong == pytest.approx(6.4837962963, abs=1e-9)  # cases/README.md, worked by hand
    # 4 APFP: K on 5 or less (10 of 36), S on 6 to 9 (20 of 36); worth 2, loss 1 or a quarter.
    assert weak == pytest.approx(10 / 36 * 2 + 20 / 36 * 0.5, abs=1e-9)
    # T2 on the gun's hex, foxholes add 2: K on 3 or less (3 of 36), S on 4 to 7 (18 of 36), when
    # the sergeant fails his check with 9 or more (10 of 36).
    better = 3 / 36 * 15 + 18 / 36 * (0.25 * 12 + 10 / 36 * 0.25 * 3)
    assert sorted(most.values()) == [2.0, 15.0]
    assert ceiling(adaptive) == pytest.approx(strong + better, abs=1e-5)


@pytest.mark.parametrize("seed", range(30))
def test_it_is_never_below_the_value_of_the_position(seed: int, tmp_path: Path) -> None:
    scenario, rules = random_scenario(
        seed, orientation=("flat", "pointy")[seed % 2], afvs=2, enemies=4, min_lines=2
    )
    position = load(write_files(scenario, rules, tmp_path))
    own_loss = (0.0, 0.5, 1.0, 2.0)[seed % 4]
    adaptive, staying = adaptive_of(position, own_loss)
    bound = ceiling(adaptive, objectives=objectives_to_gain(position))
    assert adaptive.value() - staying <= bound


def test_no_hex_counts_for_more_than_it_holds(tmp_path: Path) -> None:
    """Many AFVs on one truck: its worth once, however many attacks there are."""
    scenario, rules = random_scenario(3, afvs=3, enemies=1, min_lines=3)
    position = load(write_files(scenario, rules, tmp_path))
    adaptive, _ = adaptive_of(position)
    _, most = adaptive.unopposed()
    assert ceiling(adaptive) <= sum(most.values()) + 1e-5
