"""Branch and bound over beginnings, on small scripts with values known by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import pytest

from evaluation.backward import TooManyStatesError
from evaluation.relaxed import Beginning, Relaxed
from evaluation.script import Field, Move
from evaluation.value import Evaluator
from planner.search.proof import PROVED, Leaders, prove
from planner.search.tally import BETTER, OutOfEffortError
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


class Watched(Relaxed):
    """Counts the beginnings opened; those of ``too_large`` moves do not fit in memory."""

    def __init__(self, on: Field, moves: Sequence[Move], too_large: int | None = None) -> None:
        by_unit: dict[str, list[Move]] = {}
        for move in moves:
            by_unit.setdefault(move.unit, []).append(move)
        super().__init__(on, by_unit)
        self.asked: list[tuple[int, ...]] = []
        self.too_large = too_large

    def beginning(self, prefix: Sequence[int]) -> Beginning:
        self.asked.append(tuple(prefix))
        if self.too_large is not None and len(prefix) >= self.too_large:
            raise TooManyStatesError
        return super().beginning(prefix)


class Values:
    """Exact values of plans."""

    def __init__(self, on: Field, of: Relaxed) -> None:
        self.judge, self.of = Evaluator(on), of

    def __call__(self, plan: tuple[int, ...]) -> float:
        return self.judge.value([self.of.moves[i] for i in plan])


class Effort:
    """So many beginnings may be opened."""

    def __init__(self, effort: int) -> None:
        self.effort = effort
        self.told: list[float] = []

    def __call__(self, bound: float) -> None:
        if self.effort == 0:
            raise OutOfEffortError
        self.effort -= 1
        self.told.append(bound)


def all_plans(of: Relaxed) -> list[tuple[int, ...]]:
    by_unit = [[i for i, m in enumerate(of.moves) if m.unit == unit] for unit in of.units]
    return [
        plan
        for count in range(len(by_unit) + 1)
        for units in permutations(by_unit, count)
        for plan in product(*units)
    ]


def worth_listing(value: Values, of: Relaxed) -> list[tuple[int, ...]]:
    """The plans that are better than the same without any one of their moves."""
    return [
        plan
        for plan in all_plans(of)
        if all(value(tuple(i for i in plan if i != x)) < value(plan) - BETTER for x in plan)
    ]


@pytest.mark.parametrize("count", [1, 2, 4, 7])
@pytest.mark.parametrize("scripts", [door, crowd])
def test_the_best_plans_are_found_and_proved(scripts: object, count: int) -> None:
    on, moves = scripts()  # type: ignore[operator]
    of = Watched(on, moves)
    value = Values(on, of)
    every = sorted((value(plan) for plan in worth_listing(value, of)), reverse=True)
    leaders = Leaders(0.0, value, count)
    proof = prove(of, leaders)
    found = [v for v, _ in leaders.ranked()]
    assert found == pytest.approx([v for v in every[:count] if v >= 0][: len(found)], abs=1e-9)
    assert all(v <= leaders.threshold + PROVED for v in every[len(found) : count])
    assert not proof.cut_short
    assert proof.bound <= leaders.threshold + PROVED


def test_plans_of_one_key_count_once() -> None:
    on, moves = crowd()
    of = Watched(on, moves)
    value = Values(on, of)
    best: dict[frozenset[int], float] = {}
    for plan in worth_listing(value, of):
        key = frozenset(plan)
        best[key] = max(best.get(key, float("-inf")), value(plan))
    every = sorted((v for v in best.values() if v > 0), reverse=True)
    leaders = Leaders(0.0, value, 3, frozenset)
    prove(of, leaders)
    assert [v for v, _ in leaders.ranked()] == pytest.approx(every[:3])
    assert len({frozenset(plan) for _, plan in leaders.ranked()}) == len(leaders.ranked())


def test_the_door_by_hand() -> None:
    on, moves = door()
    of = Watched(on, moves)
    leaders = Leaders(0.0, Values(on, of))
    prove(of, leaders)
    ((value, plan),) = leaders.ranked()
    assert plan == (0, 1)
    assert value == pytest.approx(5 / 4 + 2 / 9)


def test_what_is_bounded_out_is_not_opened() -> None:
    on, moves = crowd()
    of = Watched(on, moves)
    value = Values(on, of)
    best = max(all_plans(of), key=value)
    leaders = Leaders(0.0, value)
    leaders.offer(best, value(best))
    prove(of, leaders)
    assert leaders.ranked() == [(value(best), best)]
    known_well = len(of.asked)
    assert 0 < known_well < len(all_plans(of)) - 1
    of.asked.clear()
    prove(of, Leaders(0.0, value))
    assert len(of.asked) >= known_well


@pytest.mark.parametrize("within", [0.5, 0.99, 3.0])
def test_what_is_better_by_less_than_the_tolerance_is_one(within: float) -> None:
    on, moves = door()
    of = Watched(on, moves)
    leaders = Leaders(5 / 4 + 2 / 9 - within * PROVED, Values(on, of))
    prove(of, leaders)
    assert of.value() == pytest.approx(5 / 4 + 2 / 9)
    assert [plan for _, plan in leaders.ranked()] == ([(0, 1)] if within > 1 else [])


@pytest.mark.parametrize("effort", range(8))
def test_without_effort_the_bound_still_holds(effort: int) -> None:
    on, moves = crowd()
    of = Watched(on, moves)
    value = Values(on, of)
    best = max(value(plan) for plan in all_plans(of))
    leaders, poll = Leaders(0.0, value), Effort(effort)
    proof = prove(of, leaders, poll=poll)
    assert max(proof.bound, leaders.threshold) >= best - 1e-12
    assert all(bound >= best - 1e-12 for bound in poll.told)
    assert poll.told == sorted(poll.told, reverse=True)
    assert all(v == pytest.approx(value(plan)) for v, plan in leaders.ranked())


@pytest.mark.parametrize("too_large", [1, 2, 3])
def test_beginnings_too_large_leave_the_bound_of_a_shorter_one(too_large: int) -> None:
    on, moves = crowd()
    of = Watched(on, moves, too_large)
    best = max(Values(on, of)(plan) for plan in all_plans(of))
    leaders = Leaders(0.0, Values(on, of))
    proof = prove(of, leaders)
    assert max(proof.bound, leaders.threshold) >= best - 1e-12
    assert proof.bound <= of.table(of.units).values.max() + 1e-12


def test_a_plan_too_large_to_value_is_not_proved_away() -> None:
    """The best plan's value can't be had: the bound stays above it, no other is proved best."""
    on, moves = door()
    of = Watched(on, moves)
    exact = Values(on, of)

    def value(plan: tuple[int, ...]) -> float:
        return float("-inf") if len(plan) == 2 else exact(plan)

    leaders = Leaders(0.0, value)
    proof = prove(of, leaders)
    assert [plan for _, plan in leaders.ranked()] == [(0,)]
    assert proof.bound == pytest.approx(5 / 4 + 2 / 9)


def test_what_is_left_out_is_added_to_every_bound() -> None:
    """Nothing is proved below the worth of objectives that the bounds leave out."""
    on, moves = door()
    of = Watched(on, moves)
    poll = Effort(100)
    prove(of, Leaders(0.0, Values(on, of)), gain=2.0, poll=poll)
    assert poll.told[1] >= 5 / 4 + 2 / 9 + 2.0 - 1e-12
