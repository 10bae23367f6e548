"""The CP-SAT model of a selection by pairs: which options, in which order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import networkx as nx

from planner.search.effort import Cancelled
from planner.search.pairwise_problem import Problem, Room
from planner.search.solving import LARGEST_ROW, StoppedError

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

FINEST = 1_000_000
"""Gains are whole numbers to the solver: at best millionths, coarser where a row of coefficients
would come near 2**31 (solver notes). The yardstick gives the values that count."""

CHECK_EVERY = 200
"""Pairs written into a model between two looks at whether to stop."""


class PairwiseModel:
    """The CP-SAT model of one group of AFVs."""

    def __init__(self, problem: Problem, options: Sequence[int], cancelled: Cancelled) -> None:
        from ortools.sat.python import cp_model  # heavy: only where it is used

        self.model = cp_model.CpModel()
        self._problem = problem
        self._cancelled = cancelled
        self._take = {i: self.model.new_bool_var(f"take {i}") for i in options}
        self._of: dict[str, list[int]] = {}
        for i in options:
            self._of.setdefault(problem.units[i], []).append(i)
        for mine in self._of.values():
            self.model.add_at_most_one(self._take[i] for i in mine)
        if problem.moves is not None:
            self.model.add(sum(self._take.values()) <= problem.moves)
        self._earlier: dict[tuple[str, str], cp_model.IntVar] = {}
        self._before: dict[tuple[str, str], cp_model.LiteralT] = {}
        # What follows from the others: the variable, two options, and whether it stands for both
        # being taken (None) or for the second going first (True) or last (False) as well.
        self._derived: list[tuple[cp_model.IntVar, tuple[int, int], bool | None]] = []
        self._rooms = [room for room in problem.rooms if problem.units[room.moves[0]] in self._of]
        self._order()
        self._objective()
        for room in self._rooms:
            self._room(room)
        self._pairs = list(self._before)
        shown = [self._before[pair] for pair in self._pairs]
        self.shown: list[cp_model.LiteralT] = [*self._take.values(), *shown]

    def _order(self) -> None:
        """One order of the AFVs whose order can make a difference."""
        problem = self._problem
        graph: nx.Graph[str] = nx.Graph()
        for i, j in problem.synergies:
            if i in self._take and problem.sensitive(i, j):
                graph.add_edge(problem.units[i], problem.units[j])
        for room in self._rooms:
            mine = problem.units[room.moves[0]]
            graph.add_edges_from((mine, problem.units[i]) for i in room.arriving)
            graph.add_edges_from((mine, unit) for unit in room.leaving)
        for group in nx.connected_components(graph):
            for a, b in combinations(sorted(group), 2):
                before = self.model.new_bool_var(f"{a} before {b}")
                self._earlier[a, b] = before
                self._before[a, b], self._before[b, a] = before, ~before
            for a, b, c in combinations(sorted(group), 3):
                round_ = (self._before[a, b], self._before[b, c], self._before[c, a])
                self.model.add_bool_or(~x for x in round_)
                self.model.add_bool_or(round_)

    def _objective(self) -> None:
        problem, model, take = self._problem, self.model, self._take
        pairs = sorted({(min(p), max(p)) for p in problem.synergies if p[0] in take})
        largest = sum(abs(problem.gains[i]) for i in take)
        for i, j in pairs:
            both = (problem.synergies.get((i, j), 0.0), problem.synergies.get((j, i), 0.0))
            largest += abs(max(both)) + abs(both[0] - both[1])
        scale = float(FINEST)
        while scale * largest + len(take) + 3 * len(pairs) > LARGEST_ROW:
            scale /= 10
        terms = [round(problem.gains[i] * scale) * take[i] for i in take]
        shared: dict[tuple[int, str], list[cp_model.LiteralT]] = {}
        for number, (i, j) in enumerate(pairs):
            if number % CHECK_EVERY == 0 and self._cancelled():
                raise StoppedError
            first = round(problem.synergies.get((i, j), 0.0) * scale)
            second = round(problem.synergies.get((j, i), 0.0) * scale)
            better = max(first, second)
            if better:
                both_taken = model.new_bool_var("")
                self._derived.append((both_taken, (i, j), None))
                terms.append(better * both_taken)
                if better > 0:
                    shared.setdefault((i, problem.units[j]), []).append(both_taken)
                    shared.setdefault((j, problem.units[i]), []).append(both_taken)
                else:
                    model.add_bool_or(~take[i], ~take[j], both_taken)
            if first != second:
                wrong = model.new_bool_var("")
                terms.append(-abs(first - second) * wrong)
                a, b = problem.units[i], problem.units[j]
                against = self._before[(b, a) if first > second else (a, b)]
                model.add_bool_or(~take[i], ~take[j], ~against, wrong)
                self._derived.append((wrong, (i, j), first > second))
        # At most one option of an AFV stands beside option i, and none without i: tighter than pair
        # by pair.
        for (i, _), literals in shared.items():
            model.add(sum(literals) <= take[i])
        model.maximize(sum(terms))

    def _room(self, room: Room) -> None:
        """Who arrived before takes room, who left before makes some (`Problem.fits`)."""
        problem, model, take = self._problem, self.model, self._take
        mine = problem.units[room.moves[0]]
        terms: list[cp_model.LinearExprT] = []
        most = 0
        by_unit: dict[str, list[int]] = {}
        for option in room.arriving:
            by_unit.setdefault(problem.units[option], []).append(option)
        for unit, options in by_unit.items():
            size = room.arriving[options[0]]
            most += size
            there = model.new_bool_var("")
            terms.append(size * there)
            for arriving in options:
                for option in room.moves:
                    if problem.counts(room, arriving, option):
                        earlier = self._before[unit, mine]
                        model.add_bool_or(~take[arriving], ~take[option], ~earlier, there)
        for unit, size in room.leaving.items():
            gone = model.new_bool_var("")
            terms.append(-size * gone)
            model.add_implication(gone, self._before[unit, mine])
            model.add(sum(take[i] for i in self._of.get(unit, ())) >= gone)
        ends = sum(take[i] for i in room.moves)
        model.add(sum(terms) <= room.left + max(0, most - room.left) * (1 - ends))

    def order(self, values: Sequence[bool]) -> tuple[int, ...]:
        """The options taken, in order, from the values of ``shown``; the order that stands for all
        that make no difference."""
        chosen = [i for i, taken in zip(self._take, values, strict=False) if taken]
        truth = dict(zip(self._pairs, values[len(self._take) :], strict=True))
        units = self._problem.units
        # AFVs whose order never matters have none.
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(chosen)
        graph.add_edges_from(
            (i, j) for i, j in permutations(chosen, 2) if truth.get((units[i], units[j]))
        )
        return self._problem.canonical(tuple(nx.lexicographical_topological_sort(graph)))

    def hint(self, order: Sequence[int]) -> None:
        """Let the solver begin near a plan."""
        self.model.clear_hints()  # type: ignore[no-untyped-call]
        for i, take in self._take.items():
            self.model.add_hint(take, i in order)
        place = {self._problem.units[option]: at for at, option in enumerate(order)}
        for (a, b), before in self._earlier.items():
            if a in place and b in place:
                self.model.add_hint(before, place[a] < place[b])
        at = {option: place[self._problem.units[option]] for option in order}
        for variable, (i, j), second_first in self._derived:
            both = i in at and j in at
            self.model.add_hint(
                variable, both and (second_first is None or (at[j] < at[i]) is second_first)
            )

    def cut(self, order: Sequence[int]) -> None:
        """Forbid a plan that was found: these options and no others, those whose order makes a
        difference in this order."""
        take, units = self._take, self._problem.units
        literals: list[cp_model.LiteralT] = [~take[i] for i in order]
        literals += [take[i] for i in take if i not in order]
        literals += [
            ~self._before[units[i], units[j]]
            for i, j in combinations(order, 2)
            if self._problem.matters(i, j)
        ]
        self.model.add_bool_or(literals)
