"""The effort of one decision, shared out among what is done for it."""

from __future__ import annotations

from math import ceil
from time import monotonic

from planner.search.effort import Cancelled, Limit, Poll
from planner.search.tally import OutOfEffortError, Tally
from planner.search.worth import Judge

RESERVED = 0.2
"""The share of the seconds that is kept for what can't be interrupted."""
TREE = 80
"""So many operations on a solved tree (`planner.play.phase_tree.effort`) are one unit of work: they
take about as long as one plan (1 to 3 ms; an operation 10 to 50 microseconds)."""


class Spending:
    """What one decision may still spend: a share of a limit, counted from when it is made.

    Work is counted the same way whatever has been remembered, so that a limit of work alone gives
    the same decision on any machine. One unit is one plan evaluated or one move valued over a table
    (`planner.search.effort.Limit`), or `TREE` operations on a solved tree, which take as long.
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
        """A tally of plans' values that may spend up to a part of what is left."""
        seconds, work = None, None
        if self._seconds is not None:
            seconds = (self._seconds - self.seconds) * until
        if self._work is not None:
            work = max(0, int((self._work - self.work) * until))
        tally = Tally(judge, Limit(seconds, work), None, self._cancelled)
        self._tallies.append(tally)
        return tally

    def on_trees(self, part: float) -> int | None:
        """How many operations on solved trees a part of what is left allows; None: no limit."""
        if self._work is None:
            return None
        return int(max(0, self._work - self.work) * part) * TREE

    def book_trees(self, operations: int) -> None:
        """So many operations on solved trees were done. They are kept within limits by `on_trees`;
        here no more is counted than was left."""
        units = ceil(operations / TREE)
        if self._work is not None:
            units = min(units, max(0, self._work - self.work))
        self._other += units

    def part_poll(self, part: float) -> Poll:
        """A `poll` whose time is up when a part of what is left is gone."""
        seconds = self._seconds
        until = None if seconds is None else self.seconds + (seconds - self.seconds) * part

        def poll() -> None:
            if until is not None and self.seconds >= until:
                raise OutOfEffortError
            self.poll()

        return poll

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
