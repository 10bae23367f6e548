"""Plans made better from many beginnings: climbs over few candidates of each AFV, begun anew.

The best plans often send in every AFV at once, and every one of their parts alone loses: no climb
that begins with few moves gets there, as each step towards them makes the plan worse. A climb that
begins with all AFVs on the move does. So each restart draws a move for every AFV of a *cluster* (a
few AFVs that bear on each other; in a small group all of them) and an order, and climbs from there
by the exact value of the whole plan, changing the moves of the cluster only.

What is drawn comes from a generator with a fixed seed: the same plans on any machine.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

from planner.search.candidates import Candidate
from planner.search.tally import BETTER, Order, Tally

SEED = 1
CLUSTER = 6
"""AFVs whose moves are drawn anew at once."""
SMALLEST = 2
"""AFVs of the smallest cluster."""


class Restarts:
    """Climbs from drawn beginnings.

    ``by_unit``: the candidates of each AFV that take part; ``bearing``: for each AFV the others
    that it bears on, in text order.
    """

    def __init__(
        self,
        tally: Tally,
        by_unit: Mapping[str, Sequence[Candidate]],
        bearing: Mapping[str, Sequence[str]],
    ) -> None:
        self._tally = tally
        self.by_unit = {unit: tuple(by_unit[unit]) for unit in sorted(by_unit)}
        self._units = [unit for unit in self.by_unit if bearing.get(unit)]
        self._bearing = bearing
        self._drawn = random.Random(SEED)
        self.first = 0

    def run(self, idle: int, most: int | None = None) -> None:
        """Begin anew until that did not help ``idle`` times in a row, or ``most`` times."""
        tally = self._tally
        without = done = 0
        while self._units and without < idle and (most is None or done < most):
            before = tally.best_value
            self.begin_anew()
            done += 1
            without = 0 if tally.best_value > before + BETTER else without + 1

    def begin_anew(self) -> Order:
        """Draw moves for a cluster of AFVs and climb; the plan found."""
        cluster = self._cluster()
        kept = [one for one in self._tally.best if one.move.unit not in cluster]
        for unit in self._drawn.sample(sorted(cluster), len(cluster)):
            kept.insert(self._drawn.randint(0, len(kept)), self._drawn.choice(self.by_unit[unit]))
        return self.climb(tuple(kept), cluster)

    def _cluster(self) -> frozenset[str]:
        """AFVs that bear on each other, one drawn after the other; those drawn first take turns."""
        largest = self._drawn.randint(SMALLEST, CLUSTER) if len(self._units) > CLUSTER else CLUSTER
        found = [self._units[self.first % len(self._units)]]
        self.first += 1
        while len(found) < largest:
            beside = {
                other
                for unit in found
                for other in self._bearing[unit]
                if other in self.by_unit and other not in found
            }
            if not beside:
                break
            found.append(self._drawn.choice(sorted(beside)))
        return frozenset(found)

    def climb(self, plan: Order, units: Collection[str] | None = None) -> Order:
        """Take every step that makes the plan better until none does, in an order drawn for each
        round: a move of one of the ``units`` (all unless given) put anywhere, in place of the
        AFV's own if it has one, or left out."""
        tally, drawn = self._tally, self._drawn
        chosen = [unit for unit in self.by_unit if units is None or unit in units]
        options: list[tuple[str, Candidate | None]] = [
            (unit, candidate) for unit in chosen for candidate in (None, *self.by_unit[unit])
        ]
        value = tally.value(plan)
        improved = True
        while improved:
            improved = False
            steps = [
                (unit, candidate, place)
                for unit, candidate in options
                for place in (range(len(plan) + 1) if candidate is not None else (0,))
            ]
            drawn.shuffle(steps)
            for unit, candidate, place in steps:
                rest = tuple([one for one in plan if one.move.unit != unit])
                if place > len(rest):
                    continue
                other = rest if candidate is None else (*rest[:place], candidate, *rest[place:])
                made = tally.value(other)
                if made > value + BETTER:
                    plan, value, improved = other, made, True
        return plan
