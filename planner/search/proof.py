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

PROVED = 1e-6
"""Bound and value that are as near as this are one (model page, "Proof")."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proved: no plan is worth more than ``bound``. ``best`` is the best plan found, as the
    numbers of its moves in order, None when none better than the one known was found."""

    bound: float
    best: tuple[int, ...] | None
    value: float
    opened: int


def prove(
    adaptive: Adaptive,
    known: float,
    value: Callable[[tuple[int, ...]], float],
    enough: Callable[[], bool],
) -> Proof:
    """Look for a plan worth more than ``known`` until it is proved that there is none.

    ``value`` is the exact value of a plan; as soon as ``enough()`` is true the search stops with
    the bound it has. Raises TooManyStatesError when V can't be had, and whatever ``value`` raises.
    """
    best: tuple[int, ...] | None = None
    heap: list[tuple[float, tuple[int, ...]]] = [(-adaptive.value(), ())]
    opened = 0
    while heap and -heap[0][0] > known + PROVED:
        if enough():
            return Proof(-heap[0][0], best, known, opened)
        _, beginning = heappop(heap)
        opened += 1
        for number in _next_moves(adaptive, beginning):
            longer = (*beginning, number)
            bound = adaptive.bound(longer)
            if bound <= known + PROVED:
                continue
            made = value(longer)
            if made > known:
                known, best = made, longer
            if len(longer) < len(adaptive.units) and bound > known + PROVED:
                heappush(heap, (-bound, longer))
    return Proof(known, best, known, opened)


def _next_moves(adaptive: Adaptive, beginning: tuple[int, ...]) -> list[int]:
    moved = {adaptive.moves[number].unit for number in beginning}
    return [number for number, move in enumerate(adaptive.moves) if move.unit not in moved]
