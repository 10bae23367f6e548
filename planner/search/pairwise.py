"""Selection and order by OR-Tools, with what every two moves are worth together.

The *pairwise gain* of an ordered plan is the sum of its moves' own gains, negative ones kept, and
of the synergy of every two of them in the order they stand. It is exact for two moves and an
estimate for more; the yardstick judges the plans found. CP-SAT takes at most one move of each AFV
and one order of the AFVs, with room in every exit hex, so that the gain is greatest; asked again
without the plans found, it gives the next best. AFVs that share no synergy and no exit hex are
solved apart.

The solver runs on a thread of its own, so that a stop is obeyed at once with the best so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import networkx as nx

from planner.search.candidates import Candidate
from planner.search.effort import Cancelled, never
from planner.search.interactions import Interactions
from planner.search.pairwise_model import PairwiseModel
from planner.search.pairwise_problem import Problem, pairwise_problem
from planner.search.pairwise_start import beside, start
from planner.search.solving import StoppedError, solve

EFFORT = 1.0
"""The solver's deterministic seconds for one plan of one group of AFVs."""


@dataclass(frozen=True, slots=True)
class PairwisePlan:
    """Options in order, and their pairwise gain; ``proven``: none of those still to come has a
    greater one (as far as the whole numbers of the solver tell)."""

    order: tuple[int, ...]
    gain: float
    proven: bool


def ordered_selections(
    interactions: Interactions,
    gains: Mapping[str, float],
    synergies: Mapping[tuple[str, str], float],
    most: int,
    cancelled: Cancelled = never,
    moves: int | None = None,
) -> Iterator[tuple[Candidate, ...]]:
    """Up to ``most`` ordered selections of candidates with the greatest pairwise gain, best first.

    ``gains``: what each candidate alone is worth above staying; ``synergies`` as
    `planner.search.interactions.synergies` gives them. ``moves``: so many at most of AFVs that have
    to do with each other; selections of few moves are estimated best, so ask for 2, 3 and more.
    Stopping as in `pairwise_plans`.
    """
    problem, options = pairwise_problem(interactions, gains, synergies, moves=moves)
    for plan in pairwise_plans(problem, most, cancelled):
        yield tuple(options[i] for i in plan.order)


def pairwise_plans(
    problem: Problem, most: int, cancelled: Cancelled = never, effort: float = EFFORT
) -> Iterator[PairwisePlan]:
    """Up to ``most`` ordered plans of the greatest pairwise gain, best first; staying is one of
    them.

    Two plans of the same options count as one when they differ only in the order of options whose
    order makes no difference; such options stand in the order of their numbers. ``effort``: the
    solver's deterministic seconds for each plan and part; where they do not suffice for a proof, a
    later plan can be better. The same answer on any machine, unless
    ``cancelled()`` becomes true: then what has been found is given, and no more.
    """
    parts = [_Part(problem, units, cancelled, effort) for units in _parts(problem)]
    queue: list[tuple[float, tuple[int, ...]]] = []
    seen: set[tuple[int, ...]] = set()

    def put(ranks: tuple[int, ...]) -> None:
        if ranks in seen:
            return
        seen.add(ranks)
        chosen = [part.plan(rank) for part, rank in zip(parts, ranks, strict=True)]
        gains = [plan.gain for plan in chosen if plan is not None]
        if len(gains) == len(parts):
            heappush(queue, (-sum(gains), ranks))

    put((0,) * len(parts))
    for _ in range(most):
        if not queue:
            return
        _, ranks = heappop(queue)
        plans = [part.known(rank) for part, rank in zip(parts, ranks, strict=True)]
        order = tuple(option for plan in plans for option in plan.order)
        yield PairwisePlan(order, problem.gain(order), all(plan.proven for plan in plans))
        for at in range(len(ranks)):
            put((*ranks[:at], ranks[at] + 1, *ranks[at + 1 :]))


def _parts(problem: Problem) -> list[tuple[str, ...]]:
    """AFVs in groups that share no synergy and no room; groups and AFVs in text order."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(problem.units)
    graph.add_edges_from((problem.units[i], problem.units[j]) for i, j in problem.synergies)
    for room in problem.rooms:
        users = [problem.units[i] for i in (*room.moves, *room.arriving)]
        nx.add_path(graph, [*users, *room.leaving])
    return sorted(tuple(sorted(group)) for group in nx.connected_components(graph))


class _Part:
    """One group of AFVs: its plans, best first, found when they are asked for."""

    def __init__(
        self, problem: Problem, units: Sequence[str], cancelled: Cancelled, effort: float
    ) -> None:
        self._problem = problem
        self._options = [i for i, unit in enumerate(problem.units) if unit in units]
        self._cancelled = cancelled
        self._effort = effort
        self._plans: list[PairwisePlan] = []
        self._model: PairwiseModel | None = None
        self._over = False

    def plan(self, rank: int) -> PairwisePlan | None:
        """The plan of that rank from 0, None when there are not so many (or no time for them)."""
        while len(self._plans) <= rank and not self._over:
            self._next()
        return self._plans[rank] if rank < len(self._plans) else None

    def known(self, rank: int) -> PairwisePlan:
        """The plan of a rank that has been found."""
        return self._plans[rank]

    def _next(self) -> None:
        """Find the next best plan: never worse than the one where the solver starts."""
        problem, cancelled = self._problem, self._cancelled
        orders = [plan.order for plan in self._plans]
        if orders:
            begun = beside(problem, self._options, orders)
        else:
            begun = start(problem, self._options, cancelled)
        order, proven = begun, False
        try:
            if self._model is None:
                self._model = PairwiseModel(problem, self._options, cancelled)
            if orders:
                self._model.cut(orders[-1])
            if begun is not None:
                self._model.hint(begun)
            found = solve(self._model.model, self._model.shown, cancelled, self._effort)
        except StoppedError:
            self._over = True
        else:
            self._over = found.stopped
            if found.values is not None:
                order, proven = self._model.order(found.values), found.proven
        if order is None:
            self._over = True
            return
        if begun is not None and problem.gain(begun) > problem.gain(order):
            order = begun
        self._plans.append(PairwisePlan(order, problem.gain(order), proven))
