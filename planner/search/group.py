"""AFVs that bear on each other: what is known of their plans and of what they can do.

The bounds are those of a relaxed game (`evaluation.relaxed`), where its tables are few enough, else
a ceiling (`planner.search.ceiling`). V is worked out by dynamic programming where its tables fit
(`evaluation.adaptive`); where they do not, V over a few good moves of each AFV is what can be
attained at least. The best plans are proved by branch and bound (`planner.search.proof`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from evaluation.adaptive import Adaptive
from evaluation.backward import TooManyStatesError
from evaluation.relaxed import Relaxed
from evaluation.script import Move
from planner.game.moves import PlannedMove
from planner.search.candidates import Candidate
from planner.search.ceiling import ceiling, objectives_to_gain
from planner.search.exposure import field, script
from planner.search.follow import branches
from planner.search.proof import PROVED, Leaders, Numbers, prove
from planner.search.tally import BETTER, Order, OutOfEffortError, Tally
from planner.search.worth import Judge

MOST_STATES = 250_000
"""Situations of one table of V: 3 MB with the best moves, and up to 40 times that for the values
by AFV status while it is made."""
MOST_IN_ALL = 8_000_000
"""Situations of all tables: 96 MB."""
MOST_RELAXED = 8
"""Up to so many AFVs there is a table of the relaxed game for each set of them that is left."""
MOST_CELLS = 2_000
"""Situations of one table of the relaxed game, where its coarsest ones are not more already."""
PLANS_TRIED = 20
"""So many of the best plans known give their moves to what is attained at least."""
MOST_ATTAINED = 200_000
"""Situations of all tables of what is attained at least."""


@dataclass(frozen=True, slots=True)
class Follow:
    """What to do after the next move, if all ``conditions`` are met: ``move`` (None: stop).
    ``probability`` of that, and the ``value`` that is then still to come on average."""

    conditions: tuple[str, ...]
    probability: float
    move: PlannedMove | None
    value: float


class Group:
    """AFVs that bear on each other, their candidates, and what has been found out about them.

    All above staying: ``low`` is attained by a course of action, ``high`` a bound on V (None: not
    known yet), ``ranked`` the best plans known with their values, the best first.
    """

    def __init__(
        self, judge: Judge, tally: Tally, own_loss: float, found: Sequence[Candidate]
    ) -> None:
        self._position = judge.position
        self._field = field(self._position)
        self._tally = tally
        self._own_loss = own_loss
        self._candidates = {candidate.text: candidate for candidate in found}
        self._scripts: dict[str, list[Move]] = {}
        for candidate in found:
            own = self._scripts.setdefault(candidate.move.unit, [])
            own.append(script(self._position, candidate.move))
        self.units = tuple(sorted(self._scripts))
        self._has_relaxed = len(self.units) <= MOST_RELAXED
        self._gain = objectives_to_gain(self._position)
        self._adaptive = self._over(self._scripts, MOST_IN_ALL)
        self._course: Adaptive | None = None
        self._firsts: list[int] = []
        self._numbers = {move.label: i for i, move in enumerate(self._adaptive.moves)}
        self.low: float | None = None
        self.high: float | None = None
        self.ranked: list[tuple[float, Order]] = [(0.0, ())]
        self._bound: float | None = None
        self._complete = False

    def _over(self, moves: dict[str, list[Move]], most_in_all: int) -> Adaptive:
        """V over some moves."""
        whole = moves is self._scripts and not self._field.objectives and self._has_relaxed
        return Adaptive(
            self._field,
            moves,
            self._own_loss,
            MOST_STATES,
            most_in_all,
            self._tally.spend,
            self._tally.poll,
            (lambda: self._relaxed) if whole else None,
        )

    @cached_property
    def _relaxed(self) -> Relaxed:
        """The relaxed game; made when it is first needed, as that takes as long as many plans."""
        tally = self._tally
        return Relaxed(
            self._field, self._scripts, self._own_loss, MOST_CELLS, tally.spend, tally.poll
        )

    # -- bounds ------------------------------------------------------------------------------

    def put_ceiling(self) -> None:
        """Bound the group by what it could bring if nobody fired, if there is no better bound."""
        if self.high is None:
            self.high = self._bound = ceiling(self._adaptive, objectives=self._gain)

    def tighten(self) -> None:
        """Bound the group by the relaxed game, if its tables are few enough. Raises
        OutOfEffortError."""
        if not self._has_relaxed:
            return
        with suppress(TooManyStatesError):
            self._lower(self._relaxed.value() + self._gain)

    def _lower(self, high: float) -> None:
        """A bound on V, and so on every plan; the lowest counts."""
        self.high = high if self.high is None else min(self.high, high)
        self._bound = self.high if self._bound is None else min(self._bound, self.high)

    def bounds(self, count: int) -> list[float] | None:
        """Bounds on the values of the best plans, rank by rank, as many as there can be; None:
        there is none."""
        if self._bound is None:
            return None
        values = [max(value, self._bound) for value, _ in self.ranked[:count]]
        if not self._complete:
            values += [max(0.0, self._bound)] * (count - len(values))
        return values

    @property
    def proved(self) -> bool:
        """Whether no plan of the group is better than the best known."""
        return self._bound is not None and self._bound <= self.ranked[0][0] + PROVED

    # -- V -----------------------------------------------------------------------------------

    def work_out_value(self) -> None:
        """Find V. Raises TooManyStatesError and OutOfEffortError."""
        value = self._adaptive.value() - self._tally.staying
        self._take(self._adaptive, value)
        self._lower(value)

    def _take(self, course: Adaptive, value: float) -> None:
        """What attains ``low`` from now on, and the moves that it may begin with."""
        firsts: list[int] = []
        if value > BETTER:
            firsts = course.best_first_moves(value + self._tally.staying - BETTER)
        self._course, self._firsts, self.low = course, firsts, value

    def find_course(self) -> None:
        """Find something that is attained at least where V is not known: V over the moves of the
        best plans known, as many as fit. Raises OutOfEffortError."""
        if self._course is self._adaptive:
            return
        kept: dict[str, list[Move]] = {}
        for order in self._good_plans():
            wider = {unit: list(own) for unit, own in kept.items()}
            for candidate in order:
                move = self._adaptive.moves[self._numbers[candidate.text]]
                own = wider.setdefault(candidate.move.unit, [])
                if move not in own:
                    own.append(move)
            if wider == kept:
                continue
            course = self._over(wider, MOST_ATTAINED)
            try:
                value = course.value() - self._tally.staying
                if self.low is None or value > self.low + BETTER:
                    self._take(course, value)
            except TooManyStatesError:
                continue
            kept = wider

    def _good_plans(self) -> list[Order]:
        rows = [
            row
            for row in self._tally.values.values()
            if row[1] and all(c.text in self._numbers for c in row[1])
        ]
        rows.sort(key=lambda row: (-round(row[0], 9), len(row[1]), [c.text for c in row[1]]))
        best = [order for _, order in self.ranked if order]
        return [*best, *(order for _, order in rows[:PLANS_TRIED])]

    # -- plans -------------------------------------------------------------------------------

    def prove_plans(
        self,
        known: Iterable[tuple[Order, float]],
        most: int = 1,
        key: Callable[[Order], Hashable] = tuple,
    ) -> None:
        """Find the best plans and prove them, beginning with those that are known, as far as the
        effort goes. Raises OutOfEffortError when there is none left."""
        tally = self._tally
        leaders = Leaders(
            tally.staying,
            lambda plan: tally.value(self._order(plan)),
            most,
            lambda plan: key(self._order(plan)),
        )
        for order, value in known:
            if any(candidate.text not in self._numbers for candidate in order):
                continue  # of the first look, before all moves were found
            leaders.offer(tuple(self._numbers[c.text] for c in order), value)
        self._rank(leaders)
        if not self._has_relaxed:
            return

        def poll(bound: float) -> None:
            self._lower_plans(bound)
            tally.spend()

        proof = prove(self._relaxed, leaders, self._gain, poll)
        self._rank(leaders)
        self._complete = not proof.cut_short and proof.bound <= leaders.threshold + PROVED
        self._lower_plans(max(proof.bound, leaders.threshold))
        if proof.cut_short:
            raise OutOfEffortError

    def _lower_plans(self, bound: float) -> None:
        bound -= self._tally.staying
        self._bound = bound if self._bound is None else min(self._bound, bound)

    def _rank(self, leaders: Leaders) -> None:
        staying = self._tally.staying
        self.ranked = [(value - staying, self._order(plan)) for value, plan in leaders.ranked()]

    def _order(self, plan: Numbers) -> Order:
        return tuple(self._candidate(number) for number in plan)

    def _candidate(self, number: int) -> Candidate:
        return self._candidates[self._adaptive.moves[number].label]

    # -- the next move -----------------------------------------------------------------------

    def next_move(
        self, planned: Sequence[PlannedMove]
    ) -> tuple[PlannedMove | None, tuple[Follow, ...]]:
        """The next move that attains ``low``, and what follows it. Of equally good moves the best
        plan's first, then in text order; none when stopping is as good."""
        course = self._course
        if course is None or not self._firsts:
            return None, ()
        attained = [self._candidates[course.moves[n].label] for n in self._firsts]
        ours = [move for move in planned if move.unit in self.units][:1]
        best = min(attained, key=lambda c: (c.move not in ours, c.text))
        number = next(n for n, move in enumerate(course.moves) if move.label == best.text)
        follows = tuple(
            Follow(
                tuple(str(condition) for condition in branch.conditions),
                branch.probability,
                None
                if branch.move is None
                else self._candidates[course.moves[branch.move].label].move,
                branch.value,
            )
            for branch in branches(self._position, course, number)
        )
        return best.move, follows
