"""What is proved of a position: its value V, the best next move, and the best fixed plan.

AFVs whose moves do not bear on each other are dealt with apart, and their values add
(`planner.search.interactions`). For each such group V is worked out by dynamic programming where
its tables fit (`evaluation.adaptive`), and then the best plan is proved by branch and bound
(`planner.search.proof`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from evaluation.adaptive import Adaptive
from evaluation.backward import TooManyStatesError
from evaluation.script import Move
from planner.game.moves import PlannedMove
from planner.search.candidates import Candidate
from planner.search.ceiling import ceiling, objectives_to_gain
from planner.search.exposure import field, script
from planner.search.follow import branches
from planner.search.proof import PROVED, prove
from planner.search.tally import BETTER, Order, OutOfEffortError, Tally
from planner.search.worth import Judge

MOST_STATES = 250_000
"""Situations of one table of V: 3 MB with the best moves, and up to 40 times that for the values
by AFV status while it is made."""
MOST_IN_ALL = 8_000_000
"""Situations of all tables: 96 MB."""


@dataclass(frozen=True, slots=True)
class Follow:
    """What to do after the next move, if all ``conditions`` are met: ``move`` (None: stop).
    ``probability`` of that, and the ``value`` that is then still to come on average."""

    conditions: tuple[str, ...]
    probability: float
    move: PlannedMove | None
    value: float


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


class Group:
    """AFVs that bear on each other, their candidates, and what has been found out about them.

    All above staying: ``value`` is V (None: not known), ``high`` a bound on V, ``bound`` one on
    every plan's value (None: none yet). ``best`` is the best plan known, ``proved`` whether none is
    better.
    """

    def __init__(
        self, judge: Judge, tally: Tally, own_loss: float, found: Sequence[Candidate]
    ) -> None:
        self._position = judge.position
        self._tally = tally
        self._candidates = {candidate.text: candidate for candidate in found}
        moves: dict[str, list[Move]] = {}
        for candidate in found:
            moves.setdefault(candidate.move.unit, []).append(script(self._position, candidate.move))
        self.units = tuple(sorted(moves))
        self._adaptive = Adaptive(
            field(self._position),
            moves,
            own_loss,
            MOST_STATES,
            MOST_IN_ALL,
            tally.spend,
            tally.poll,
        )
        self.value: float | None = None
        self.high: float | None = None
        self.bound: float | None = None
        self.best: Order = ()
        self.proved = False

    def _candidate(self, number: int) -> Candidate:
        return self._candidates[self._adaptive.moves[number].label]

    def work_out_value(self) -> None:
        """Find V. Raises TooManyStatesError and OutOfEffortError."""
        self.value = self._adaptive.value() - self._tally.staying
        self.bound = self.high = self.value

    def put_ceiling(self) -> None:
        """Bound the group by what it could bring if nobody fired, if there is no better bound."""
        if self.bound is None:
            gain = objectives_to_gain(self._position)
            self.bound = self.high = ceiling(self._adaptive, objectives=gain)

    def prove_plan(self, known: Order) -> None:
        """Find the best plan and prove it, beginning with one that is known, as far as the effort
        goes. Raises OutOfEffortError when there is none left."""
        self.best = known

        def worth(numbers: tuple[int, ...]) -> float:
            return self._tally.value([self._candidate(number) for number in numbers])

        proof = prove(self._adaptive, self._tally.value(known), worth)
        if proof.best is not None:
            self.best = tuple(self._candidate(number) for number in proof.best)
        self.bound = proof.bound - self._tally.staying
        self.proved = proof.bound <= self._tally.value(self.best) + PROVED
        if proof.cut_short:
            raise OutOfEffortError

    def next_move(
        self, planned: Sequence[PlannedMove]
    ) -> tuple[PlannedMove | None, tuple[Follow, ...]]:
        """The next move that attains V, which must be known, and what follows it. Of equally good
        moves the best plan's first, then in text order; none when stopping is as good."""
        assert self.value is not None
        if self.value <= BETTER:
            return None, ()
        firsts = self._adaptive.first_moves()
        attained = [n for v, n in firsts if v >= self.value + self._tally.staying - BETTER]
        ours = [move for move in planned if move.unit in self.units][:1]
        number = min(
            attained,
            key=lambda n: (self._candidate(n).move not in ours, self._candidate(n).text),
        )
        follows = tuple(
            Follow(
                tuple(str(condition) for condition in branch.conditions),
                branch.probability,
                None if branch.move is None else self._candidate(branch.move).move,
                branch.value,
            )
            for branch in branches(self._position, self._adaptive, number)
        )
        return self._candidate(number).move, follows


class Certifier:
    """Everything that is proved of one position, group by group."""

    def __init__(
        self,
        judge: Judge,
        tally: Tally,
        own_loss: float,
        found: Sequence[Candidate],
        components: Iterable[Sequence[str]],
    ) -> None:
        self._tally = tally
        self.groups = [
            Group(judge, tally, own_loss, [c for c in found if c.move.unit in set(units)])
            for units in components
        ]

    def run(self) -> None:
        """Find V of every group, then the best plan of every group, as far as the effort goes;
        small groups first. Raises OutOfEffortError when there is none left."""
        self.groups.sort(key=lambda group: (len(group.units), group.units))
        for group in self.groups:
            with suppress(TooManyStatesError):
                group.work_out_value()
        for group in self.groups:
            if group.value is not None:
                group.prove_plan(self._known(group))
        self._put_together()

    def put_ceilings(self) -> None:
        """Bound every group that has no better bound, so that there is always one."""
        for group in self.groups:
            group.put_ceiling()

    def _known(self, group: Group) -> Order:
        """The moves of the group in the best plan known."""
        return tuple(c for c in self._tally.best if c.move.unit in group.units)

    def _put_together(self) -> None:
        """The groups' best plans one after the other; it is valued like any other plan."""
        self._tally.value(tuple(candidate for group in self.groups for candidate in group.best))

    @property
    def bound(self) -> float | None:
        """A bound on the value of every plan; None while a group has none."""
        return self._sum([group.bound for group in self.groups])

    def _sum(self, parts: Sequence[float | None]) -> float | None:
        """The groups' parts and what staying is worth, added up; None when one is not known."""
        known = [part for part in parts if part is not None]
        return self._tally.staying + sum(known) if len(known) == len(parts) else None

    def position_value(self, planned: Sequence[PlannedMove] = ()) -> PositionValue:
        """The value of the position and the next move, as far as they are known; ``planned`` is the
        best plan."""
        value = self._sum([group.value for group in self.groups])
        if value is None:
            high = self._sum([group.high for group in self.groups])
            move = planned[0] if planned else None
            return PositionValue(self._tally.best_value, high, False, move)
        # The best plan's first move tells which group goes first where several could.
        first = planned[0].unit if planned else ""
        for group in sorted(self.groups, key=lambda g: (first not in g.units, g.units)):
            move, then = group.next_move(planned)
            if move is not None:
                return PositionValue(value, value, True, move, then)
        return PositionValue(value, value, True, None)
