"""Branch and bound over beginnings, on small scripts with values known by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import pytest

from evaluation.adaptive import Adaptive
from evaluation.backward import TooManyStatesError
from evaluation.script import Field, Move
from evaluation.value import Evaluator
from planner.search.proof import PROVED, prove
from planner.search.tally import OutOfEffortError
from tests.evaluation.fights import (
    SQUAD,
    TRUCK,
    at,
    drive,
    enter,
    field,
    mine,
    overrun,
    rocket_team,
    theirs,
)


def door() -> tuple[Field, list[Move]]:
    """T opens the door (5/4), and in a third of cases U drives through it at a truck (2/3)."""
    on = field(mine("T"), mine("U"), theirs("S", SQUAD, "door"), theirs("V", TRUCK))
    return on, [
        overrun("T", target="door", exit_="far"),
        overrun("U", enter("door"), exit_="other"),
    ]


def crowd() -> tuple[Field, list[Move]]:
    """Three AFVs, seven moves, two guns and a rocket: many plans, few of them good."""
    on = field(
        mine("T"),
        mine("U"),
        mine("W", place="gate"),
        theirs("G"),
        theirs("H", place="hill"),
        theirs("R", rocket_team(), "wood"),
        theirs("V", TRUCK, "wood"),
        limit=1,
    )
    return on, [
        overrun("T", enter("lane", at("G")), exit_="far"),
        overrun("T", target="wood", exit_="gate", shots=[at("G")]),
        overrun("U", enter("lane", at("G"), at("H")), exit_="gate"),
        overrun("U", enter("nest"), target="wood", exit_="far"),
        drive("W", enter("lane", at("G"))),
        overrun("W", enter("wood"), exit_="far"),
        overrun("W", target="hill", exit_="gate", shots=[at("R", "tube", 2)]),
    ]


class Watched(Adaptive):
    """Counts the bounds asked for; ``too_large`` beginnings can't be bounded."""

    def __init__(self, on: Field, moves: Sequence[Move], too_large: int | None = None) -> None:
        by_unit: dict[str, list[Move]] = {}
        for move in moves:
            by_unit.setdefault(move.unit, []).append(move)
        super().__init__(on, by_unit)
        self.asked: list[tuple[int, ...]] = []
        self.too_large = too_large

    def bound(self, prefix: Sequence[int]) -> float:
        self.asked.append(tuple(prefix))
        if self.too_large is not None and len(prefix) >= self.too_large:
            raise TooManyStatesError
        return super().bound(prefix)


class Values:
    """Exact values of plans, as often as there is effort."""

    def __init__(self, on: Field, of: Adaptive, effort: int | None = None) -> None:
        self.judge, self.of, self.effort = Evaluator(on), of, effort

    def __call__(self, plan: tuple[int, ...]) -> float:
        if self.effort is not None:
            if self.effort == 0:
                raise OutOfEffortError
            self.effort -= 1
        return self.judge.value([self.of.moves[i] for i in plan])


def all_plans(of: Adaptive) -> list[tuple[int, ...]]:
    by_unit = [[i for i, m in enumerate(of.moves) if m.unit == unit] for unit in of.units]
    return [
        plan
        for count in range(len(by_unit) + 1)
        for units in permutations(by_unit, count)
        for plan in product(*units)
    ]


@pytest.mark.parametrize("scripts", [door, crowd])
def test_the_best_plan_is_found_and_proved(scripts: object) -> None:
    on, moves = scripts()  # type: ignore[operator]
    of = Watched(on, moves)
    value = Values(on, of)
    best = max(value(plan) for plan in all_plans(of))
    proof = prove(of, value(()), value)
    assert proof.best is not None
    assert value(proof.best) == pytest.approx(best, abs=1e-12)
    assert proof.bound == pytest.approx(best, abs=PROVED)
    assert proof.bound >= best - 1e-12
    assert not proof.cut_short


def test_the_door_by_hand() -> None:
    on, moves = door()
    of = Watched(on, moves)
    proof = prove(of, 0.0, Values(on, of))
    assert proof.best == (0, 1)
    assert proof.bound == pytest.approx(5 / 4 + 2 / 9)


def test_a_plan_known_to_be_best_is_not_found_again() -> None:
    on, moves = crowd()
    of = Watched(on, moves)
    value = Values(on, of)
    best = max(value(plan) for plan in all_plans(of))
    proof = prove(of, best, value)
    assert proof.best is None
    assert proof.bound == best
    assert not proof.cut_short


def test_what_is_bounded_out_is_not_opened() -> None:
    on, moves = crowd()
    of = Watched(on, moves)
    value = Values(on, of)
    best = max(value(plan) for plan in all_plans(of))
    prove(of, best, value)
    assert 0 < len(of.asked) < len(all_plans(of)) - 1
    known_well = len(of.asked)
    of.asked.clear()
    prove(of, 0.0, value)
    assert len(of.asked) >= known_well


def test_v_itself_met_asks_for_no_bound() -> None:
    on, moves = door()
    of = Watched(on, moves)
    proof = prove(of, of.value(), Values(on, of))
    assert of.asked == []
    assert proof.best is None


@pytest.mark.parametrize("within", [0.5, 0.99])
def test_what_is_better_by_less_than_the_tolerance_is_one(within: float) -> None:
    on, moves = door()
    of = Watched(on, moves)
    proof = prove(of, of.value() - within * PROVED, Values(on, of))
    assert proof.best is None
    assert prove(of, of.value() - 3 * PROVED, Values(on, of)).best == (0, 1)


@pytest.mark.parametrize("effort", range(6))
def test_without_effort_the_bound_still_holds(effort: int) -> None:
    on, moves = crowd()
    of = Watched(on, moves)
    value = Values(on, of)
    best = max(value(plan) for plan in all_plans(of))
    proof = prove(of, 0.0, Values(on, of, effort))
    assert proof.cut_short
    assert best - 1e-12 <= proof.bound <= of.value() + 1e-12
    if proof.best is not None:
        assert 0 < value(proof.best) <= best + 1e-12


def test_more_effort_never_loosens_the_bound() -> None:
    on, moves = crowd()
    of = Watched(on, moves)
    bounds = [prove(of, 0.0, Values(on, of, effort)).bound for effort in range(8)]
    assert bounds == sorted(bounds, reverse=True)
    assert len(set(bounds)) > 1


@pytest.mark.parametrize("too_large", [1, 2, 3])
def test_beginnings_too_large_to_bound_leave_the_bound_of_a_shorter_one(too_large: int) -> None:
    on, moves = crowd()
    of = Watched(on, moves, too_large)
    value = Values(on, of)
    best = max(value(plan) for plan in all_plans(of))
    proof = prove(of, 0.0, value)
    assert proof.best is not None
    assert value(proof.best) == pytest.approx(best)
    assert best - 1e-12 <= proof.bound <= of.value() + 1e-12


def test_a_plan_too_large_to_value_is_not_proved_away() -> None:
    """The best plan's value can't be had: the bound stays above it, no other is proved best."""
    on, moves = door()
    of = Watched(on, moves)
    exact = Values(on, of)

    def value(plan: tuple[int, ...]) -> float:
        return float("-inf") if len(plan) == 2 else exact(plan)

    proof = prove(of, 0.0, value)
    assert proof.best == (0,)
    assert proof.bound == pytest.approx(5 / 4 + 2 / 9)
