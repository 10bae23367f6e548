"""Making a plan better: orders, and steps that insert, replace, drop or move one of its moves.

Every step is judged by the exact value of the whole plan, so a decoy that loses by itself is taken
in as soon as it helps the rest.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Protocol

from planner.search.candidates import Candidate
from planner.search.tally import BETTER, Order, Tally

SEED = 1
SHAKES = 30
KEPT = 0.7
"""How likely a move of the best plan is to stay in a changed one."""
ADDED = 2
"""Moves drawn for a changed plan."""
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


def move_by_move(
    tally: Tally,
    by_unit: Mapping[str, Sequence[Candidate]],
    bearing: Mapping[str, Collection[str]] | None = None,
) -> Order:
    """Whatever move makes the whole plan worth most is added at its end, as long as one does.

    ``bearing``: the AFVs that each AFV bears on. A move is then valued again only when one of
    another AFV that bears on it was added; what it adds to the plan is taken to be unchanged
    otherwise.
    """
    plan: Order = ()
    gains: dict[str, float] = {}
    stale = set(by_unit)
    while True:
        used = {candidate.move.unit for candidate in plan}
        value = tally.value(plan)
        left = [c for unit, options in by_unit.items() if unit not in used for c in options]
        for candidate in left:
            if candidate.move.unit in stale:
                gains[candidate.text] = tally.value((*plan, candidate)) - value
        best = max(left, key=lambda c: gains[c.text], default=None)
        if best is None or gains[best.text] <= BETTER:
            return plan
        longer = (*plan, best)
        gained = tally.value(longer) - value
        if gained < gains[best.text] - BETTER:  # not what it was taken to be: choose anew
            gains[best.text] = gained
            stale = set()
            continue
        plan = longer
        stale = set(by_unit) if bearing is None else set(bearing[best.move.unit])


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


def shake(tally: Book, by_unit: Mapping[str, Sequence[Candidate]]) -> None:
    """Take the best plan, change it in a few places at once, and make it better again; as often as
    `SHAKES` times in a row without a better plan. What is changed is drawn from a generator with a
    fixed seed: the same plans on any machine."""
    drawn = random.Random(SEED)
    units = sorted(by_unit)
    idle = 0
    while idle < SHAKES and units:
        before = tally.best_value
        kept = [c for c in tally.best if drawn.random() < KEPT]
        for unit in drawn.sample(units, min(len(units), ADDED)):
            kept = [candidate for candidate in kept if candidate.move.unit != unit]
            kept.insert(drawn.randint(0, len(kept)), drawn.choice(by_unit[unit]))
        climb(tally, tuple(kept), by_unit)
        idle = 0 if tally.best_value > before + BETTER else idle + 1


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
