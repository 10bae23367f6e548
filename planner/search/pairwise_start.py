"""A good ordered plan by pairwise gain, at once: where the solver starts, and what it must beat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from planner.search.effort import Cancelled
from planner.search.pairwise_problem import Problem

STARTS = 4
"""Pairs of options from which the climb starts, besides staying."""

BETTER = 1e-9


def start(problem: Problem, options: Sequence[int], cancelled: Cancelled) -> tuple[int, ...]:
    """The best of the plans reached by steepest climb (insert, replace, drop, move one option) from
    staying and from the best pairs; ties to the start and the step that come first.

    Stops when ``cancelled()`` and then gives the best so far.
    """
    worth = [
        (-problem.gains[i] - problem.gains[j] - synergy, i, j)
        for (i, j), synergy in problem.synergies.items()
        if i in set(options)
    ]
    pairs = [(i, j) for _, i, j in sorted(worth) if problem.fits((i, j))]
    best: tuple[int, ...] = ()
    for first in ((), *pairs[:STARTS]):
        plan = _climb(problem, options, first, cancelled)
        if problem.gain(plan) > problem.gain(best) + BETTER:
            best = plan
    return problem.canonical(best)


def beside(
    problem: Problem, options: Sequence[int], found: Sequence[tuple[int, ...]]
) -> tuple[int, ...] | None:
    """The best plan one step from any of those found and none of them; None if there is none."""
    known = set(found)
    steps = [
        (gain + problem.gain(plan), other)
        for plan in found
        for gain, other in _steps(problem, options, plan)
    ]
    for _, other in sorted(steps, key=lambda step: -step[0]):
        standing = problem.canonical(other)
        if standing not in known and problem.fits(standing):
            return standing
    return None


def _climb(
    problem: Problem, options: Sequence[int], plan: tuple[int, ...], cancelled: Cancelled
) -> tuple[int, ...]:
    while not cancelled():
        steps = sorted(_steps(problem, options, plan), key=lambda step: -step[0])
        better = (other for gain, other in steps if gain > BETTER and problem.fits(other))
        following = next(better, None)
        if following is None:
            return plan
        plan = following
    return plan


def _steps(
    problem: Problem, options: Sequence[int], plan: tuple[int, ...]
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Plans one step away, with what the step adds to the gain."""
    synergy = problem.synergies
    place = {problem.units[option]: at for at, option in enumerate(plan)}
    loss: dict[int, float] = {}
    for at in range(len(plan)):
        rest = (*plan[:at], *plan[at + 1 :])
        loss[at] = problem.gain(rest) - problem.gain(plan)
        yield loss[at], rest
    for option in options:
        at = place.get(problem.units[option], len(plan))
        rest = (*plan[:at], *plan[at + 1 :])
        gain = problem.gains[option] + loss.get(at, 0.0)
        # Put first, then past one after the other.
        gain += sum(synergy.get((option, other), 0.0) for other in rest)
        for to in range(len(rest) + 1):
            if option not in plan or to != at:
                yield gain, (*rest[:to], option, *rest[to:])
            if to < len(rest):
                other = rest[to]
                gain += synergy.get((other, option), 0.0) - synergy.get((option, other), 0.0)
