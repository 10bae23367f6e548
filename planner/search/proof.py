"""Proving the best fixed plans: branch and bound over ordered beginnings.

A *beginning* is the first moves of a plan, in order. No plan that begins so is worth more than the
beginning made as planned, exactly, with a bound on all that may follow at its end
(`evaluation.relaxed`): there the mover is only freer, and the defender, who replies to the state,
can do no better against a plan that he knows. One pass over a beginning bounds it, values it as a
plan of its own, and bounds every beginning that is one move longer. Beginnings are opened in order
of their bounds, the greatest first. When the greatest bound is no more than the last of the plans
that are looked for, no other plan belongs among them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush

from evaluation.backward import TooManyStatesError
from evaluation.relaxed import Beginning, Relaxed
from planner.search.tally import BETTER, OutOfEffortError

PROVED = 1e-6
"""Bound and value that are as near as this are one (model page, "Proof")."""

Numbers = tuple[int, ...]
"""A plan, or the beginning of one: the numbers of its moves in order."""


class Leaders:
    """The best plans known, as many as are looked for, those that ``key`` makes one only once, and
    none that is worth as much without one of its moves.

    ``floor``: plans that are worth less are not looked for. ``value`` gives a plan's exact value.
    """

    def __init__(
        self,
        floor: float,
        value: Callable[[Numbers], float],
        most: int = 1,
        key: Callable[[Numbers], Hashable] = lambda plan: plan,
    ) -> None:
        self._value = value
        self._floor = floor
        self._most = most
        self._key = key
        self._best: dict[Hashable, tuple[float, Numbers]] = {}
        self._threshold = floor

    def offer(self, plan: Numbers, value: float) -> None:
        """A plan and its exact value. Raises as ``value`` does."""
        if value < self._floor or (len(self._best) == self._most and value <= self._threshold):
            return
        key = self._key(plan)
        known = self._best.get(key)
        if known is not None and known[0] >= value:
            return
        shorter = (self._value((*plan[:i], *plan[i + 1 :])) for i in range(len(plan)))
        if any(worth >= value - BETTER for worth in shorter):
            return
        self._best[key] = (value, plan)
        if len(self._best) > self._most:
            del self._best[min(self._best, key=lambda k: (self._best[k][0], self._best[k][1]))]
        if len(self._best) == self._most:
            self._threshold = min(value for value, _ in self._best.values())

    def value(self, plan: Numbers) -> float:
        """A plan's exact value."""
        return self._value(plan)

    @property
    def threshold(self) -> float:
        """What a plan must be worth more than to be among the best."""
        return self._threshold

    def ranked(self) -> list[tuple[float, Numbers]]:
        """Values and plans, the best first."""
        return sorted(self._best.values(), key=lambda row: (-row[0], len(row[1]), row[1]))


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proved: no plan that is not among the leaders is worth more than the last of them,
    or than ``bound``. ``cut_short``: there was no effort left to bring the bound down to that. When
    there was, it is higher only if there are plans above it that do not fit in memory."""

    bound: float
    cut_short: bool


class _Longer:
    """Beginnings one move longer than another, the most promising first."""

    def __init__(self, prefix: Numbers, longer: Iterable[tuple[float, int]]) -> None:
        self._prefix = prefix
        self._rows = sorted(longer, key=lambda row: (-row[0], row[1]))
        self._next = 0

    def push(self, heap: list[tuple[float, Numbers, _Longer]], threshold: float) -> None:
        """Put the next of them on the heap, if it is worth opening."""
        if self._next < len(self._rows):
            bound, number = self._rows[self._next]
            if bound > threshold + PROVED:
                self._next += 1
                heappush(heap, (-bound, (*self._prefix, number), self))


def prove(
    relaxed: Relaxed,
    leaders: Leaders,
    gain: float = 0.0,
    poll: Callable[[float], None] = lambda bound: None,
) -> Proof:
    """Look for plans that belong among the leaders until it is proved that there are no more.

    ``gain`` is what ``relaxed`` leaves out at most (the worth of objectives that can be gained).
    ``poll`` is told the bound before each beginning is opened; when it, or the value of a plan,
    raises OutOfEffortError the search ends with the bound it has got to.
    """
    unknown = float("-inf")
    root = _Longer((), ())
    heap: list[tuple[float, Numbers, _Longer]] = [(float("-inf"), (), root)]
    while heap and -heap[0][0] > leaders.threshold + PROVED:
        # It stays on the heap until it has been opened, so that its bound counts if we are stopped.
        minus, prefix, siblings = heap[0]
        try:
            poll(max(unknown, -minus, leaders.threshold))
            opened = _open(relaxed, prefix, gain)
            if opened is not None and not opened.skipped and opened.value > leaders.threshold:
                made = leaders.value(prefix)
                leaders.offer(prefix, made)
                if made == float("-inf"):
                    unknown = max(unknown, opened.value)
        except OutOfEffortError:
            return Proof(max(unknown, -minus), cut_short=True)
        heappop(heap)
        siblings.push(heap, leaders.threshold)
        if opened is None:
            # Its states do not fit in memory: all that is known of it is the bound.
            unknown = max(unknown, -minus)
            continue
        if opened.skipped:
            continue  # the plans that begin so are those of the beginning without its last move
        bound = min(-minus, opened.bound)
        if bound > leaders.threshold + PROVED:
            longer = _Longer(prefix, ((min(bound, b), n) for b, n in opened.longer))
            longer.push(heap, leaders.threshold)
    return Proof(unknown, cut_short=False)


def _open(relaxed: Relaxed, prefix: Numbers, gain: float) -> Beginning | None:
    """What is known of a beginning, with all that is left out of it; None: it can't be had."""
    try:
        found = relaxed.beginning(prefix)
    except TooManyStatesError:
        return None
    return Beginning(
        found.bound + gain,
        found.value + gain,
        tuple((bound + gain, number) for bound, number in found.longer),
        found.skipped,
    )
