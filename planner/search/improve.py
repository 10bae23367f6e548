"""Making a plan better: orders, and steps that insert, replace, drop or move one of its moves.

Every step is judged by the exact value of the whole plan, so a decoy that loses by itself is taken
in as soon as it helps the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heapreplace
from itertools import permutations
from typing import Protocol

from planner.search.candidates import Candidate
from planner.search.tally import BETTER, Order, Tally

EVERY_ORDER = 4
"""Up to so many moves every order is tried; longer plans are put together move by move."""


class Book(Protocol):
    """Values of plans, and the best of them: a `Tally`, or what stands for a part of one."""

    @property
    def best(self) -> Order:
        """The best plan so far."""
        ...

    @property
    def best_value(self) -> float:
        """Its value."""
        ...

    def value(self, plan: Sequence[Candidate]) -> float:
        """A plan's value."""
        ...


def best_order(tally: Tally, moves: Sequence[Candidate]) -> Order:
    """The moves in the best order found: every order of a few, else each put where it is worth
    most, those of the greatest single value first."""
    if len(moves) <= EVERY_ORDER:
        orders = sorted(permutations(moves), key=lambda order: [c.text for c in order])
        return max(orders, key=tally.value)
    plan: Order = ()
    for move in sorted(moves, key=lambda c: (-tally.value((c,)), c.text)):
        places = [(*plan[:i], move, *plan[i:]) for i in range(len(plan) + 1)]
        plan = max(places, key=tally.value)
    return plan


def greedy(tally: Tally, moves: Iterable[Candidate]) -> Order:
    """Each AFV's best move by itself, the best first, put where the whole plan is worth most; those
    that make it no better are left out."""
    best: dict[str, Candidate] = {}
    for move in sorted(moves, key=lambda c: (-tally.value((c,)), c.text)):
        best.setdefault(move.move.unit, move)
    plan: Order = ()
    for move in best.values():
        longer = max(((*plan[:i], move, *plan[i:]) for i in range(len(plan) + 1)), key=tally.value)
        if tally.value(longer) > tally.value(plan) + BETTER:
            plan = longer
    return plan


def move_by_move(tally: Tally, by_unit: Mapping[str, Sequence[Candidate]]) -> Order:
    """Whatever move makes the whole plan worth most is added at its end, as long as one does."""
    plan: Order = ()
    while True:
        used = {candidate.move.unit for candidate in plan}
        left = [c for unit, options in by_unit.items() if unit not in used for c in options]
        longer = max(((*plan, candidate) for candidate in left), key=tally.value, default=plan)
        if tally.value(longer) <= tally.value(plan) + BETTER:
            return plan
        plan = longer


def most_promising_first(
    tally: Tally, by_unit: Mapping[str, Sequence[Candidate]], bearing: Mapping[str, Collection[str]]
) -> Order:
    """Much the same with far fewer plans valued, for many AFVs.

    What a move adds to the plan is taken to be what it added when it was last tried, first of all
    by itself; the move that promises most is tried again if an AFV that bears on its own
    (``bearing``) was added since, and is added if it still promises most. When no move promises to
    help all are tried once more, so that none that helps is missed at the end.
    """
    plan: Order = ()
    value = tally.staying
    moves = {c.text: c for options in by_unit.values() for c in options}
    heap = [(value - tally.value((c,)), text) for text, c in moves.items()]
    heapify(heap)
    stale: set[str] = set()
    while heap:
        minus, text = heap[0]
        move = moves[text]
        if -minus > BETTER:
            gained = tally.value((*plan, move)) - value
            stale.discard(text)
            if gained < -minus - BETTER:  # not what it promised: others come first now
                heapreplace(heap, (-gained, text))
                continue
            plan, value = (*plan, move), value + gained
            heap = [row for row in heap if moves[row[1]].move.unit != move.move.unit]
            heapify(heap)
            near = bearing[move.move.unit]
            stale = {text for _, text in heap if text in stale or moves[text].move.unit in near}
            continue
        if not stale:
            return plan
        tried = {text: tally.value((*plan, moves[text])) - value for text in sorted(stale)}
        stale = set()
        heap = [(-tried[text] if text in tried else minus, text) for minus, text in heap]
        heapify(heap)
    return plan


def climb(tally: Book, plan: Order, by_unit: Mapping[str, Sequence[Candidate]]) -> Order:
    """Take every step that makes the plan better until none does."""
    value = tally.value(plan)
    improved = True
    while improved:
        improved = False
        for neighbour in _neighbours(plan, by_unit):
            other = tally.value(neighbour)
            if other > value + BETTER:
                plan, value, improved = neighbour, other, True
                break
    return plan


def _neighbours(plan: Order, by_unit: Mapping[str, Sequence[Candidate]]) -> Iterator[Order]:
    """Plans one step away: dropped, moved to another place, replaced, inserted."""
    used = {candidate.move.unit for candidate in plan}
    for i in range(len(plan)):
        yield (*plan[:i], *plan[i + 1 :])
    for i in range(len(plan)):
        rest = (*plan[:i], *plan[i + 1 :])
        for j in range(len(rest) + 1):
            if j != i:
                yield (*rest[:j], plan[i], *rest[j:])
    for unit, options in by_unit.items():
        if unit not in used:
            for candidate in options:
                for j in range(len(plan) + 1):
                    yield (*plan[:j], candidate, *plan[j:])
    for i, old in enumerate(plan):
        for candidate in by_unit[old.move.unit]:
            if candidate is not old:
                yield (*plan[:i], candidate, *plan[i + 1 :])
