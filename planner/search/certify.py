"""What is proved of a position: its value V, the best next move, and the best fixed plans.

AFVs whose moves do not bear on each other are dealt with apart, and their values add
(`planner.search.interactions`; `planner.search.group` is one such group of AFVs).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from heapq import nlargest

from evaluation.backward import TooManyStatesError
from planner.game.moves import PlannedMove
from planner.search.candidates import Candidate
from planner.search.group import Follow, Group
from planner.search.proof import PROVED
from planner.search.tally import BETTER, Order, Tally
from planner.search.worth import Judge

__all__ = ["Certifier", "Follow", "PositionValue"]


@dataclass(frozen=True, slots=True)
class PositionValue:
    """The value of the position to the mover (model page), as far as it is known.

    ``low`` is attained, by the next move and what follows it, or by the best plan; no course of
    action is worth more than ``high`` (None: no such bound was derived). ``exact`` when both are
    one. ``move`` is the next move that attains ``low`` (None: to stop), ``then`` what follows it,
    as far as that depends on AFVs that bear on the one that moves.
    """

    low: float
    high: float | None
    exact: bool
    move: PlannedMove | None
    then: tuple[Follow, ...] = ()


class Certifier:
    """Everything that is proved of one position, group by group.

    ``plans``: how many plans are looked for and proved, those that ``key`` makes one only once.
    """

    def __init__(
        self,
        judge: Judge,
        tally: Tally,
        own_loss: float,
        found: Sequence[Candidate],
        components: Iterable[Sequence[str]],
        plans: int = 1,
        key: Callable[[Order], Hashable] = tuple,
    ) -> None:
        self._tally = tally
        self._plans = plans
        self.groups = [
            Group(judge, tally, own_loss, [c for c in found if c.move.unit in set(units)])
            for units in components
        ]
        self._key = key

    def run(self) -> None:
        """Bound every group and find its V, or what is attained at least where V does not fit, then
        its best plans, as far as the effort goes; small groups first. Raises OutOfEffortError when
        there is none left."""
        self.groups.sort(key=lambda group: (len(group.units), group.units))
        for group in self.groups:
            group.tighten()
            with suppress(TooManyStatesError):
                group.work_out_value()
        for group in self.groups:
            group.find_course()
        for group in self.groups:
            known = [
                (order, value)
                for value, order in self._tally.values.values()
                if all(c.move.unit in group.units for c in order)
            ]
            known.append((self._known(group), self._tally.value(self._known(group))))
            group.prove_plans(known, self._plans, self._key)
        self._put_together()
        for group in self.groups:
            group.find_course()  # once more: better plans may be known by now

    def put_ceilings(self) -> None:
        """Bound every group that has no better bound, so that there is always one."""
        for group in self.groups:
            group.put_ceiling()

    def _known(self, group: Group) -> Order:
        """The moves of the group in the best plan known."""
        return tuple(c for c in self._tally.best if c.move.unit in group.units)

    def _put_together(self) -> None:
        """The best plans of all groups, one after the other; they are valued like any other."""
        rows: list[tuple[float, Order]] = [(0.0, ())]
        for group in self.groups:
            both = ((a + b, (*x, *y)) for a, x in rows for b, y in group.ranked)
            rows = nlargest(self._plans, both, key=lambda row: row[0])
        for _, order in rows:
            self._tally.value(order)

    @property
    def bound(self) -> float | None:
        """A bound on the value of every plan; None while a group has none."""
        return self.bound_of_rank(1)

    def bound_of_rank(self, rank: int) -> float | None:
        """A bound on the value of the plan of that rank, of those that ``key`` tells apart: it is
        met when no plan is missing above it. None while a group has no bound."""
        parts = [group.bounds(max(rank, 1)) for group in self.groups]
        sums = [0.0]
        for part in parts:
            if part is None:
                return None
            sums = nlargest(rank, (a + b for a in sums for b in part))
        return self._tally.staying + (sums[rank - 1] if rank <= len(sums) else 0.0)

    def _sum(self, parts: Sequence[float | None]) -> float | None:
        """The groups' parts and what staying is worth, added up; None when one is not known."""
        known = [part for part in parts if part is not None]
        return self._tally.staying + sum(known) if len(known) == len(parts) else None

    def position_value(self, planned: Sequence[PlannedMove] = ()) -> PositionValue:
        """The value of the position and the next move, as far as they are known; ``planned`` is the
        best plan."""
        high = self._sum([group.high for group in self.groups])
        low = self._sum([group.low for group in self.groups])
        if low is None or low < self._tally.best_value - BETTER:
            # What the best plan is worth is attained by that plan, if by nothing else.
            low = self._tally.best_value
            exact = high is not None and high <= low + PROVED
            return PositionValue(low, high, exact, planned[0] if planned else None)
        exact = high is not None and high <= low + PROVED
        # The best plan's first move tells which group goes first where several could.
        first = planned[0].unit if planned else ""
        for group in sorted(self.groups, key=lambda g: (first not in g.units, g.units)):
            move, then = group.next_move(planned)
            if move is not None:
                return PositionValue(low, high, exact, move, then)
        return PositionValue(low, high, exact, None)
