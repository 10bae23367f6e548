"""The search's book: every plan valued once, work counted, limits kept, the best remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from evaluation.backward import TooManyStatesError
from planner.search.candidates import Candidate
from planner.search.effort import Cancelled, Limit, OnProgress, Poll, Progress
from planner.search.worth import Judge

Order = tuple[Candidate, ...]
"""A plan in the making: candidates of different AFVs in the order they move."""

BETTER = 1e-9
"""Values closer than this are equal (values are exact to 1e-9)."""
PROGRESS_EVERY = 0.1


class OutOfEffortError(Exception):
    """The limit is reached or somebody stopped the search."""


class Tally:
    """Values plans, keeps them all, and ends the search when its limit is reached.

    The plan of staying is valued first, so there is always an answer. ``bound()``: what no plan is
    worth more than, told with the progress; None while none is derived. ``within``: what is called
    in the middle of a plan too, and may raise to stop (`poll`).
    """

    def __init__(
        self, judge: Judge, limit: Limit, on_progress: OnProgress | None, cancelled: Cancelled
    ) -> None:
        self._judge = judge
        self._limit = limit
        self._on_progress = on_progress
        self._cancelled = cancelled
        self._started = monotonic()
        self._told = self._started
        self._phase = ""
        self._done = 0
        self._total: int | None = None
        self.values: dict[tuple[str, ...], tuple[float, Order]] = {}
        self.too_large = 0
        self.work = 0
        self.best: Order = ()
        self.staying = judge.value([])
        self.values[()] = (self.staying, ())
        self.best_value = self.staying
        self.bound: Callable[[], float | None] = _none_derived
        self.within: Poll | None = None

    @property
    def seconds(self) -> float:
        """Wall-clock seconds since the search began."""
        return monotonic() - self._started

    def phase(self, name: str, total: int | None = None) -> None:
        """The search turns to something else; ``total``: steps that it will take, if known."""
        self._phase, self._done, self._total = name, 0, total
        self._tell()

    def step(self) -> None:
        """One step of the phase is done. Raises OutOfEffortError when there is no time for more."""
        self._done += 1
        self.poll()
        if monotonic() - self._told >= PROGRESS_EVERY:
            self._tell()

    def poll(self) -> None:
        """Raises OutOfEffortError when the time is up or somebody stopped the search."""
        if self._limit.seconds is not None and self.seconds >= self._limit.seconds:
            raise OutOfEffortError
        if self._cancelled():
            raise OutOfEffortError

    def is_over(self) -> bool:
        """Whether the time is up or somebody stopped the search."""
        try:
            self.poll()
        except OutOfEffortError:
            return True
        return False

    def spend(self) -> None:
        """One unit of work is about to be done. Raises OutOfEffortError when none is left."""
        if self._limit.work is not None and self.work >= self._limit.work:
            raise OutOfEffortError
        self.step()
        self.work += 1

    def value(self, plan: Sequence[Candidate]) -> float:
        """The plan's value; minus infinity for one whose states do not fit in memory.

        Raises OutOfEffortError when the limit is reached.
        """
        key = tuple(candidate.text for candidate in plan)
        known = self.values.get(key)
        if known is not None:
            return known[0]
        self.spend()
        return self._valued(key, plan)

    def anyway(self, plan: Sequence[Candidate]) -> float:
        """The plan's value as `value` tells it, but whether the limit is reached or not; no more
        work is counted than the limit allows."""
        key = tuple(candidate.text for candidate in plan)
        known = self.values.get(key)
        if known is not None:
            return known[0]
        if self._limit.work is None or self.work < self._limit.work:
            self.work += 1
        return self._valued(key, plan)

    def _valued(self, key: tuple[str, ...], plan: Sequence[Candidate]) -> float:
        try:
            value = self._judge.value([candidate.move for candidate in plan], self.within)
        except TooManyStatesError:
            self.too_large += 1
            value = float("-inf")
        self.values[key] = (value, tuple(plan))
        if value > self.best_value + BETTER:
            self.best, self.best_value = tuple(plan), value
            self._tell()
        return value

    def _tell(self) -> None:
        self._told = monotonic()
        if self._on_progress is not None:
            bound = self.bound()
            self._on_progress(
                Progress(
                    self._phase,
                    self._done,
                    self._total,
                    self.best_value,
                    self.work,
                    tuple(candidate.move for candidate in self.best),
                    None if bound is None else max(bound, self.best_value),
                )
            )


def _none_derived() -> float | None:
    """What bounds the plans' values before a bound is derived."""
    return None
