"""The effort of one decision, shared out among what is done for it."""

from __future__ import annotations

from time import monotonic

from planner.search.effort import Cancelled, Limit
from planner.search.tally import OutOfEffortError, Tally
from planner.search.worth import Judge

RESERVED = 0.2
"""The share of the seconds that is kept for what can't be interrupted."""


class Spending:
    """What one decision may still spend: a share of a limit, counted from when it is made.

    Work is counted the same way whatever has been remembered, so that a limit of work alone gives
    the same decision on any machine.
    """

    def __init__(self, limit: Limit, cancelled: Cancelled, share: float = 1.0) -> None:
        self._started = monotonic()
        self._seconds = None if limit.seconds is None else limit.seconds * share * (1 - RESERVED)
        self._work = None if limit.work is None else int(limit.work * share)
        self._cancelled = cancelled
        self._tallies: list[Tally] = []
        self._other = 0

    @property
    def seconds(self) -> float:
        """Wall-clock seconds since the decision began."""
        return monotonic() - self._started

    @property
    def work(self) -> int:
        """Work units spent."""
        return self._other + sum(tally.work for tally in self._tallies)

    def tally(self, judge: Judge, until: float = 1.0) -> Tally:
        """A tally of plans' values that may spend up to a part of the whole."""
        seconds, work = None, None
        if self._seconds is not None:
            seconds = self._seconds * until - self.seconds
        if self._work is not None:
            work = max(0, int(self._work * until) - self.work)
        tally = Tally(judge, Limit(seconds, work), None, self._cancelled)
        self._tallies.append(tally)
        return tally

    def spend(self) -> None:
        """One unit of work is about to be done. Raises OutOfEffortError when none is left."""
        if self._work is not None and self.work >= self._work:
            raise OutOfEffortError
        self.poll()
        self._other += 1

    def poll(self) -> None:
        """Raises OutOfEffortError when the time is up or somebody stopped the decision."""
        if self._seconds is not None and self.seconds >= self._seconds:
            raise OutOfEffortError
        if self._cancelled():
            raise OutOfEffortError
