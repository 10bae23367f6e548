"""The search's book: what is counted, what ends it, what is told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.backward import TooManyStatesError
from planner.game.moves import PlannedMove
from planner.game.position import Position
from planner.search import tally as tally_module
from planner.search.candidates import Candidate, candidates
from planner.search.effort import Limit, Poll, Progress, Wishes, never
from planner.search.tally import OutOfEffortError, Tally
from planner.search.worth import Judge
from tests.situations import two_tanks

FIRST, SECOND = "T2 0402x0503-0603", "T1 0304x0404-0505"
BOTH = 0.4349922840


class Clock:
    """A clock that goes on by a step with each look."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


class Book:
    """A tally on the two tanks, with its candidates by text."""

    def __init__(self, limit: Limit | None = None, judge: Judge | None = None) -> None:
        self.position: Position = two_tanks()
        self.judge = judge or Judge(self.position)
        self.moves: dict[str, Candidate] = {
            c.text: c for c in candidates(self.position, Judge(self.position), Wishes())
        }
        self.told: list[Progress] = []
        self.stopped = False
        self.tally = Tally(self.judge, limit or Limit(), self.told.append, lambda: self.stopped)

    def value(self, *texts: str) -> float:
        return self.tally.value([self.moves[text] for text in texts])


def test_staying_is_valued_at_once() -> None:
    book = Book()
    assert book.tally.staying == book.tally.best_value == 0
    assert book.tally.best == ()
    assert book.tally.work == 0
    assert book.value() == 0
    assert book.tally.work == 0


def test_a_plan_is_valued_once() -> None:
    book = Book()
    assert book.value(FIRST, SECOND) == pytest.approx(BOTH)
    assert book.tally.work == 1
    assert book.value(FIRST, SECOND) == pytest.approx(BOTH)
    assert book.tally.work == 1
    assert book.value(SECOND, FIRST) == pytest.approx(-0.2024284122)
    assert book.tally.work == 2
    assert len(book.tally.values) == 3


def test_the_best_is_remembered() -> None:
    book = Book()
    book.value(SECOND)
    assert not book.tally.best
    book.value(FIRST, SECOND)
    assert [c.text for c in book.tally.best] == [FIRST, SECOND]
    book.value(SECOND, FIRST)
    assert book.tally.best_value == pytest.approx(BOTH)


@pytest.mark.parametrize(
    ("more", "taken"), [(0.5e-9, False), (2e-9, True)], ids=["equal", "better"]
)
def test_what_is_better_by_rounding_only_is_not_better(more: float, taken: bool) -> None:
    class Level(Judge):
        def value(self, moves: Sequence[PlannedMove], poll: Poll | None = None) -> float:
            return more * len(moves)

    book = Book(judge=Level(two_tanks()))
    book.value(FIRST)
    assert bool(book.tally.best) == taken


@pytest.mark.parametrize("work", [1, 2, 3])
def test_work_is_spent_to_the_last_unit_and_no_further(work: int) -> None:
    book = Book(Limit(work=work))
    for text in list(book.moves)[:work]:
        book.value(text)
    assert book.tally.work == work
    book.value(next(iter(book.moves)))  # known: free
    with pytest.raises(OutOfEffortError):
        book.value(list(book.moves)[work])
    assert book.tally.work == work


@pytest.mark.parametrize(("work", "counted"), [(0, 0), (1, 1), (5, 2), (None, 2)])
def test_a_plan_valued_anyway(work: int | None, counted: int) -> None:
    """Whatever the limit; and never counted beyond it."""
    book = Book(Limit(work=work))
    plans = [[book.moves[text] for text in texts] for texts in ((FIRST, SECOND), (SECOND,))]
    assert book.tally.anyway(plans[0]) == pytest.approx(BOTH)
    assert book.tally.best_value == pytest.approx(BOTH)
    book.tally.anyway(plans[1])
    assert book.tally.work == counted
    assert book.tally.anyway(plans[0]) == book.tally.value(plans[0])
    assert book.tally.work == counted


def test_no_work_at_all() -> None:
    book = Book(Limit(work=0))
    with pytest.raises(OutOfEffortError):
        book.value(FIRST)
    assert book.value() == 0


def test_without_a_limit_there_is_none() -> None:
    book = Book()
    for _ in range(1000):
        book.tally.spend()
    assert book.tally.work == 1000


@pytest.mark.parametrize(("seconds", "steps"), [(10.0, 9), (20.0, 19)])
def test_seconds_end_it(monkeypatch: pytest.MonkeyPatch, seconds: float, steps: int) -> None:
    clock = Clock(0.0)
    monkeypatch.setattr(tally_module, "monotonic", clock)
    book = Book(Limit(seconds=seconds))
    for _ in range(steps):
        clock.now += 1
        book.tally.step()
    clock.now += 1
    with pytest.raises(OutOfEffortError):
        book.tally.step()
    assert book.tally.seconds == seconds


def test_a_step_costs_no_work_but_ends_when_it_must() -> None:
    book = Book(Limit(work=0))
    book.tally.step()
    assert book.tally.work == 0
    book.stopped = True
    with pytest.raises(OutOfEffortError):
        book.tally.step()


def test_a_stop_is_obeyed_before_the_next_value() -> None:
    book = Book()
    book.value(SECOND)
    book.stopped = True
    assert book.value(SECOND) == pytest.approx(-0.1619191529)  # known
    with pytest.raises(OutOfEffortError):
        book.value(FIRST, SECOND)
    assert book.tally.best_value == 0


def test_a_plan_too_large_is_worth_least_of_all() -> None:
    class Small(Judge):
        def value(self, moves: Sequence[PlannedMove], poll: Poll | None = None) -> float:
            if len(moves) > 1:
                raise TooManyStatesError
            return super().value(moves, poll)

    book = Book(judge=Small(two_tanks()))
    assert book.value(FIRST, SECOND) == float("-inf")
    assert book.tally.too_large == 1
    assert book.value(FIRST, SECOND) == float("-inf")
    assert book.tally.too_large == 1
    assert book.tally.best == ()


def test_phases_and_improvements_are_told_at_once() -> None:
    book = Book()
    book.tally.phase("valuing single moves", 10)
    assert book.told[-1] == Progress("valuing single moves", 0, 10, 0.0, 0)
    book.value(FIRST, SECOND)
    assert book.told[-1].value_to_mover == pytest.approx(BOTH)
    assert (book.told[-1].done, book.told[-1].work) == (1, 1)
    book.tally.phase("proving")
    assert (book.told[-1].phase, book.told[-1].done, book.told[-1].total) == ("proving", 0, None)


@pytest.mark.parametrize(
    ("step", "told"), [(0.0, 0), (0.2, 5)], ids=["hardly-any-time", "a-while-each"]
)
def test_between_improvements_it_is_told_now_and_then(
    monkeypatch: pytest.MonkeyPatch, step: float, told: int
) -> None:
    clock = Clock(0.0)
    monkeypatch.setattr(tally_module, "monotonic", clock)
    book = Book()
    before = len(book.told)
    for _ in range(5):
        clock.now += step
        book.tally.spend()
    assert len(book.told) - before == told


def test_nobody_need_listen() -> None:
    judge = Judge(two_tanks())
    tally = Tally(judge, Limit(), None, never)
    tally.phase("proving")
    tally.step()
    assert tally.best_value == 0


def test_a_stop_is_heard_in_the_middle_of_a_plan() -> None:
    """Asked before each window and attack: the second time is in the middle of the first plan."""
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 1

    book = Book()
    tally = Tally(book.judge, Limit(), None, cancelled)
    tally.within = tally.poll
    with pytest.raises(OutOfEffortError):
        tally.value([book.moves[FIRST]])
    assert asked == 2
    assert tally.values.keys() == {()}
