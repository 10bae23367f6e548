"""Proving a fixed plan: branch and bound over ordered beginnings, with V at their end.

A *beginning* is the first moves of a plan, in order. No plan that begins so is worth more than the
beginning made as planned and everything after it chosen with every result seen (`Adaptive.bound`):
there the mover is only freer, and the defender, who replies to the state, can do no better against
a plan that he knows. Beginnings are opened in order of that bound, the greatest first. When the
greatest bound is no more than the best plan found, that plan is proved best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush

from evaluation.adaptive import Adaptive
from evaluation.backward import TooManyStatesError
from planner.search.tally import OutOfEffortError

PROVED = 1e-6
"""Bound and value that are as near as this are one (model page, "Proof")."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proved: no plan is worth more than ``bound``. ``best`` is the best plan found, as the
    numbers of its moves in order, None when none better than the one known was found.
    ``cut_short``: there was no effort left before the bound met the plan. When it is not, the bound
    is above the best plan only if plans above that do not fit in memory."""

    bound: float
    best: tuple[int, ...] | None
    cut_short: bool


def prove(adaptive: Adaptive, known: float, value: Callable[[tuple[int, ...]], float]) -> Proof:
    """Look for a plan worth more than ``known`` until it is proved that there is none.

    ``value`` gives a plan's exact value; when it, or V, raises OutOfEffortError the search ends
    with the bound it has got to. Raises TooManyStatesError when V can't be had.
    """
    best: tuple[int, ...] | None = None
    heap: list[tuple[float, tuple[int, ...]]] = [(-adaptive.value(), ())]
    unknown = float("-inf")
    while heap and -heap[0][0] > known + PROVED:
        # It stays on the heap until it has been opened, so that its bound counts if we are stopped.
        _, beginning = heap[0]
        longer: list[tuple[float, tuple[int, ...]]] = []
        try:
            for number in _next_moves(adaptive, beginning):
                plan = (*beginning, number)
                try:
                    bound = adaptive.bound(plan)
                except TooManyStatesError:
                    # Then it is bounded by that of the shorter beginning alone.
                    bound = -heap[0][0]
                if bound <= known + PROVED:
                    continue
                made = value(plan)
                if made > known:
                    known, best = made, plan
                if len(plan) < len(adaptive.units):
                    longer.append((-bound, plan))
                elif made + PROVED < bound:
                    # Its states do not fit in memory: all that is known of it is the bound.
                    unknown = max(unknown, bound)
        except OutOfEffortError:
            return Proof(max(known, unknown, -heap[0][0]), best, cut_short=True)
        heappop(heap)
        for row in longer:
            if -row[0] > known + PROVED:
                heappush(heap, row)
    return Proof(max(known, unknown), best, cut_short=False)


def _next_moves(adaptive: Adaptive, beginning: tuple[int, ...]) -> list[int]:
    moved = {adaptive.moves[number].unit for number in beginning}
    return [number for number, move in enumerate(adaptive.moves) if move.unit not in moved]
