"""What is proved of a position, whatever effort there was: never a bound below a value."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.backward import TooManyStatesError
from evaluation.relaxed import Beginning, Relaxed
from planner.game.notation import format_move
from planner.game.position import Position
from planner.search import group
from planner.search.candidates import Candidate, candidates
from planner.search.certify import Certifier, PositionValue
from planner.search.effort import Limit, Wishes, never
from planner.search.interactions import Interactions
from planner.search.plan import PlanResult, plan
from planner.search.tally import OutOfEffortError, Tally
from planner.search.worth import Judge
from tests.situations import blue, red, situation, two_tanks

TWO_TANKS = 0.4349922840


class Proving:
    """A certifier with all that it takes."""

    def __init__(
        self,
        position: Position,
        limit: Limit | None = None,
        own_loss: float = 1.0,
        plans: int = 1,
    ) -> None:
        judge = Judge(position, own_loss)
        self.found: Sequence[Candidate] = candidates(position, judge, Wishes())
        self.tally = Tally(judge, limit or Limit(), None, never)
        groups = Interactions(judge, self.found).components()
        self.certifier = Certifier(judge, self.tally, own_loss, self.found, groups, plans)


def apart() -> Position:
    """Two AFVs far from each other, each next to a truck of its own; nobody can fire."""
    return situation(
        red("T1", "tank", "0102", "S"),
        blue("V1", "truck", "0103"),
        red("T2", "tank", "0802", "S"),
        blue("V2", "truck", "0803"),
        terrain="\n".join([". . . m m . . ."] * 6),
    )


def text(position: Position, value: PositionValue) -> str | None:
    return None if value.move is None else format_move(position, value.move)


def test_two_tanks() -> None:
    position = two_tanks()
    proving = Proving(position)
    proving.certifier.run()
    value = proving.certifier.position_value()
    assert proving.certifier.bound == pytest.approx(TWO_TANKS, abs=1e-6)
    assert proving.tally.best_value == pytest.approx(TWO_TANKS)
    assert [c.text for c in proving.tally.best] == ["T2 0402x0503-0603", "T1 0304x0404-0505"]
    assert all(group.proved for group in proving.certifier.groups)
    assert value.exact
    assert value.low == value.high
    assert value.low >= TWO_TANKS - 1e-9
    assert text(position, value) == "T2 0402x0503-0603"


def test_nothing_is_known_before_anything_is_done() -> None:
    proving = Proving(two_tanks())
    assert proving.certifier.bound is None
    assert proving.certifier.position_value() == PositionValue(0.0, None, False, None)


def test_afvs_that_do_not_bear_on_each_other_add_up() -> None:
    position = apart()
    proving = Proving(position)
    assert [group.units for group in proving.certifier.groups] == [("T1",), ("T2",)]
    proving.certifier.run()
    alone = [
        plan(position, wishes=Wishes(only=frozenset({unit}))).plans[0].value
        for unit in ("T1", "T2")
    ]
    assert min(alone) > 0.1
    assert proving.certifier.bound == pytest.approx(sum(alone))
    assert proving.certifier.position_value().low == pytest.approx(sum(alone))
    assert proving.tally.best_value == pytest.approx(sum(alone))


def test_nobody_to_move_is_proved_at_once() -> None:
    proving = Proving(situation(red("F1", "squad", "0101"), blue("S1", "squad", "0404")))
    proving.certifier.run()
    assert proving.certifier.bound == 0
    assert proving.certifier.position_value() == PositionValue(0.0, 0.0, True, None)


def test_stopping_is_as_good_and_so_nothing_is_to_be_done() -> None:
    """To a player who minds his losses so much the line only loses."""
    position = situation(
        red("T1", "light_tank", "0403", "S", movement_used=6),
        blue("G1", "at_gun", "0602", "SW"),
        blue("B1", "bazooka_team", "0404"),
    )
    proving = Proving(position, own_loss=50.0)
    assert proving.found
    proving.certifier.run()
    assert proving.certifier.position_value() == PositionValue(0.0, 0.0, True, None)


def _all_work(position: Position) -> int:
    return plan(position).work


WORKS = (1, 5, 12, 20, 28, 33)
BEFORE_ANY_BOUND = 5
"""With so little work the search does not get to a bound, and then tells none."""


@pytest.mark.parametrize("work", WORKS)
def test_cut_short_the_bound_holds_and_low_is_attained(work: int) -> None:
    position = two_tanks()
    assert work < _all_work(position)
    found = plan(position, Limit(work=work))
    full = plan(position)
    assert not found.finished
    first = found.plans[0]
    assert found.position.low <= full.position.low + 1e-9
    if work <= BEFORE_ANY_BOUND:
        assert (first.bound, found.position.high) == (None, None)
    else:
        assert first.bound is not None
        assert first.bound >= TWO_TANKS - 1e-9
        assert found.position.high is not None
        assert found.position.high >= full.position.low - 1e-9
        assert found.position.low <= found.position.high
    judge = Judge(position)
    assert judge.value(first.moves) == pytest.approx(first.value)
    assert found.position.low >= first.value - 1e-9


def test_more_work_makes_no_answer_worse() -> None:
    found = [plan(besieged(), Limit(work=work)) for work in (1, 2, 5, 20, 30, 45, 90)]
    values = [one.plans[0].value for one in found]
    bounds = [one.plans[0].bound for one in found if one.plans[0].bound is not None]
    assert values == sorted(values)
    assert bounds == sorted(bounds, reverse=True)
    assert len(set(values)) > 1
    assert len(set(bounds)) > 1
    assert found[-1].finished


def test_tables_too_large_leave_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    full = plan(two_tanks())
    monkeypatch.setattr(group, "MOST_STATES", 2)
    found = plan(two_tanks())
    assert found.position.high is not None
    assert found.position.low <= full.position.low <= found.position.high + 1e-9
    assert found.position.exact == (found.position.high <= found.position.low + 1e-6)
    assert found.plans[0].status == "optimal"


def test_too_many_afvs_leave_the_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    full = plan(two_tanks())
    monkeypatch.setattr(group, "MOST_RELAXED", 1)
    monkeypatch.setattr(group, "MOST_STATES", 2)
    found = plan(two_tanks())
    assert not found.position.exact
    assert found.position.high is not None
    assert found.position.low <= full.position.low <= found.position.high
    assert found.plans[0].bound is not None
    assert found.plans[0].bound >= TWO_TANKS
    assert found.plans[0].status == "feasible"


@pytest.mark.parametrize("most", [0, 400_000])
def test_what_is_attained_at_least_begins_with_its_move(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """V itself does not fit, V over the moves of good plans does (or not even that)."""
    full = plan(two_tanks())
    real = group.Group.work_out_value

    def too_large(self: group.Group) -> None:
        monkeypatch.setattr(group, "MOST_ATTAINED", most)
        raise TooManyStatesError

    assert real is not too_large
    monkeypatch.setattr(group.Group, "work_out_value", too_large)
    found = plan(two_tanks())
    assert found.plans[0].value <= found.position.low <= full.position.low + 1e-9
    assert text(two_tanks(), found.position) == "T2 0402x0503-0603"
    assert bool(found.position.then) == bool(most)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_the_best_plans_are_all_proved(count: int) -> None:
    position = two_tanks()
    proving = Proving(position, plans=count)
    proving.certifier.run()
    every = sorted((v for v, _ in every_plan(proving)), reverse=True)
    for rank in range(1, count + 1):
        bound = proving.certifier.bound_of_rank(rank)
        assert bound is not None
        value = every[rank - 1] if rank <= len(every) else 0.0
        assert bound == pytest.approx(max(value, 0.0), abs=1e-6), rank


def every_plan(proving: Proving) -> list[tuple[float, tuple[Candidate, ...]]]:
    """All plans of two AFVs that are not worse than staying."""
    judge = Judge(two_tanks())
    plans: list[tuple[Candidate, ...]] = [(), *((c,) for c in proving.found)]
    plans += [(a, b) for a in proving.found for b in proving.found if a.move.unit != b.move.unit]
    rows = [(judge.value([c.move for c in order]), order) for order in plans]
    return [row for row in rows if row[0] >= 0.0]


def test_a_beginning_whose_states_do_not_fit_proves_nothing_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """V can be had, but nothing of any beginning: the bound is V, no plan is proved."""
    real = Relaxed.beginning

    def too_large(self: Relaxed, prefix: Sequence[int]) -> Beginning:
        if prefix:
            raise TooManyStatesError
        return real(self, prefix)

    monkeypatch.setattr(Relaxed, "beginning", too_large)
    found = plan(two_tanks())
    assert found.position.exact
    assert found.position.low >= TWO_TANKS - 1e-9
    assert found.plans[0].bound == pytest.approx(found.position.low)
    assert found.plans[0].status == "feasible"


def besieged() -> Position:
    """The mover holds the hex where the enemy stands, and loses it if he does nothing."""
    return situation(
        red("T1", "tank", "0404", "SE"),
        red("T2", "tank", "0504", "S"),
        blue("S1", "squad", "0405"),
        scenario={"objectives": [{"hex": "0405", "worth": 9, "held_by": "red"}]},
    )


@pytest.mark.parametrize("work", [1, 2, 5, 20])
def test_an_objective_lost_by_staying_may_be_gained(work: int) -> None:
    """A bound that left it out once called plans of half the value optimal."""
    full = plan(besieged())
    assert full.staying == -9
    assert full.position.low > -5
    found = plan(besieged(), Limit(work=work))
    assert_bounds(found, full)


def assert_bounds(found: PlanResult, full: PlanResult) -> None:
    first = found.plans[0]
    assert first.bound is None or first.bound >= full.plans[0].value - 1e-9
    assert found.position.high is None or found.position.high >= full.position.low - 1e-9
    if first.status == "optimal":
        assert first.value == pytest.approx(full.plans[0].value, abs=1e-6)


def test_no_effort_left_is_said() -> None:
    proving = Proving(two_tanks(), Limit(work=3))
    with pytest.raises(OutOfEffortError):
        proving.certifier.run()
    assert proving.certifier.bound is None
    proving.certifier.put_ceilings()
    assert proving.certifier.bound is not None
    assert proving.certifier.bound >= TWO_TANKS
