"""The value of a position: every AFV's moves may be chosen after seeing what came of the last.

V(R, s), with R the AFVs yet to move and s the situation, is the larger of what stopping is worth
and, over every AFV a of R and every move m of a that is legal in s, the value of m against the
defender's best reply with V(R - a, .) at its end (model page, "Value of a position"). It is worked
out on arrays over situations: one array for each `History`, that is for each R and each set of
targets of the others, over the states which these can have brought about, as far as the AFVs in R
can tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.backward import Backward, Sweeps, TooManyStatesError
from evaluation.build import build
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.first_window import FirstWindow, read_first_window
from evaluation.forward import Forward
from evaluation.group import Group
from evaluation.histories import Histories, History
from evaluation.plan import Defence, Key, Plan, Space
from evaluation.possible import possible_ends
from evaluation.relaxed import Relaxed
from evaluation.script import Field, Move, Place, Strike
from evaluation.worth import Losses

Values = NDArray[np.float64]
STOP = -1


@dataclass(frozen=True, eq=False)
class Table:
    """V(R, .) after one history: ``values`` over ``space``, and ``best``, the number of the move
    that attains them (`STOP`: to stop)."""

    space: Space
    values: Values
    best: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class FollowUp:
    """One thing that may come of a move.

    ``probability`` if the defender replies best; the ``situation``: the local state of each group
    and the place of each AFV that still matter; the number of the move that is ``best`` then (None:
    to stop); and the ``value`` of the position then, what has been booked before left out.
    """

    probability: float
    situation: Mapping[Key, Hashable]
    best: int | None
    value: float


class Adaptive:
    """Values of positions on one field, for given moves of each AFV.

    ``moves`` are the moves that are chosen from; the value is exact over them. ``most_states``
    bounds the situations of one table, ``most_in_all`` those of all together. ``check`` is called
    for every move valued over a table, ``poll`` now and then in other work; both may raise to stop.
    ``relaxed()`` has bounds for the same moves: one that they show not to be better than others in
    any situation of a table is left out there. For fields without objectives.
    """

    def __init__(
        self,
        field: Field,
        moves: Mapping[str, Sequence[Move]],
        own_loss: float = 1.0,
        most_states: int = 1_000_000,
        most_in_all: int = 20_000_000,
        check: Callable[[], None] | None = None,
        poll: Callable[[], None] | None = None,
        relaxed: Callable[[], Relaxed] | None = None,
    ) -> None:
        self._field = field
        self._relaxed = relaxed
        self._own_loss = own_loss
        self._most_states = most_states
        self._room_left = most_in_all
        self._check = check
        self._effects = Effects(field.rules)
        self._losses = Losses(field)
        self._compiler = Compiler(field, self._effects, self._losses, Defence.BEST, keep=False)
        self._telling: Compiler | None = None
        self._labelling: Compiler | None = None
        self._sweeps: Sweeps = {}
        self._histories = Histories(field, self._compiler, moves, poll)
        self.units = self._histories.units
        self.moves = self._histories.moves
        self._tables: dict[History, Table] = {}

    # -- values ------------------------------------------------------------------------------

    def _table(self, history: History) -> Table:
        """V after a history. Raises TooManyStatesError."""
        found = self._tables.get(history)
        if found is None:
            found = self._tables[history] = self._make_table(history)
        return found

    def _following(self, history: History, number: int) -> Table:
        """V after one more move."""
        return self._table(self._histories.after(history, number))

    def group(self, place: Place) -> Group:
        """The defender's units of a place, which a situation's local state is of."""
        return self._compiler.group(place)

    def value(self) -> float:
        """V of the position: nobody has moved. Raises TooManyStatesError."""
        return float(self._table(self._histories.begun()).values)

    def first_moves(self) -> list[tuple[float, int]]:
        """Each move's value as the next move, with its number; minus infinity if not legal."""
        return [(self.first_move(number), number) for number in range(len(self.moves))]

    def best_first_moves(self, wanted: float) -> list[int]:
        """The numbers of the moves that are worth at least so much as the next move."""
        begun = self._histories.begun()
        rows = self._promising(begun, self._histories.space(begun))
        return [
            number
            for number, bound in rows
            if (bound is None or float(bound) >= wanted) and self.first_move(number) >= wanted
        ]

    def first_move(self, number: int) -> float:
        """A move's value as the next move; minus infinity if not legal. Raises
        TooManyStatesError."""
        begun = self._histories.begun()
        before = self._histories.space(begun)
        return float(self._move(number, before, self._following(begun, number)))

    def first_window(self, number: int) -> FirstWindow | None:
        """The window that a move begins with, the position going on as is best after the move;
        None where the move is not legal now or begins with no window. Raises TooManyStatesError."""
        after = self._following(self._histories.begun(), number)
        if self._labelling is None:
            self._labelling = Compiler(
                self._field, self._effects, self._losses, Defence.BEST, keep=False, labelled=True
            )
        plan = build(self._labelling, [self.moves[number]], None, after.space)
        back = self._backward(plan, record=True)
        return read_first_window(back, float(back.values(after.values)))

    def follow_ups(self, number: int) -> tuple[FollowUp, ...]:
        """What may come of making a move now, and what is best then, the likeliest first.

        Every situation is there that some reply of the defender's can bring about; the
        probabilities are those under his best replies, 0 for what only worse ones lead to.

        Raises ValueError when the move is not legal now, and TooManyStatesError.
        """
        move = self.moves[number]
        after = self._following(self._histories.begun(), number)
        if self._telling is None:
            self._telling = Compiler(
                self._field, self._effects, self._losses, Defence.BEST, keep=True
            )
        fine, coarse = self._histories.apart(after.space, move)
        plan = build(self._telling, [move], None, fine)
        back = self._backward(plan, record=True)
        values = after.values[np.ix_(*coarse)]
        if not plan.turns[0].stages or back.values(values) == -np.inf:
            raise ValueError(f"{move.label or move.unit}: the move is not legal now")
        chances: dict[tuple[int, ...], float] = {}
        for classes in possible_ends(plan, self._effects):
            chances.setdefault(tuple(classes[axis] for axis in plan.after), 0.0)
        for classes, p in Forward(self._field, back, with_payoff=False).ends():
            cell = tuple(classes[axis] for axis in plan.after)
            chances[cell] += p
        rows = []
        for cell, p in sorted(chances.items()):
            known = tuple(int(numbers[at]) for numbers, at in zip(coarse, cell, strict=True))
            situation = {
                key: fine.members[key][at] for key, at in zip(fine.axes, cell, strict=True)
            }
            best = None if after.best[known] == STOP else int(after.best[known])
            rows.append(FollowUp(p, situation, best, float(after.values[known])))
        return tuple(sorted(rows, key=lambda row: (-row.probability, str(row.situation))))

    def unopposed(self) -> tuple[list[tuple[Place | None, float]], dict[Place, float]]:
        """What the moves could bring if nobody fired at them: for each move the place it strikes
        (None: none) and the most that its attack can be worth in any situation, weapons paid for;
        and for each place struck the most that there is to lose."""
        gains: list[tuple[Place | None, float]] = []
        for move in self.moves:
            gain: tuple[Place | None, float] = (None, 0.0)
            for step in move.steps:
                if isinstance(step, Strike):
                    attack, price = self._compiler.attack(self._field.units[move.unit], step)
                    most = self._histories.automaton(step.place).most_lost(attack)
                    gain = (step.place, most - self._own_loss * price)
            gains.append(gain)
        struck = dict.fromkeys(place for place, _ in gains if place is not None)
        return gains, {place: self._histories.automaton(place).most_left for place in struck}

    def bound(self, prefix: Sequence[int]) -> float:
        """The value of making these moves in that order and going on as is best, every result
        seen: no plan that begins so is worth more. A move that is not legal when its turn comes is
        skipped. Raises TooManyStatesError."""
        history = self._histories.begun()
        for number in prefix:
            history = self._histories.after(history, number)
        after = self._table(history)
        plan = build(self._compiler, [self.moves[n] for n in prefix], None, after.space)
        return float(self._backward(plan).values(after.values, must_move=False))

    def _make_table(self, history: History) -> Table:
        before = self._histories.space(history)
        size = np.prod(before.shape, dtype=np.float64)
        if size > self._most_states:
            raise TooManyStatesError(f"more than {self._most_states:,} situations")
        if size > self._room_left:
            raise TooManyStatesError("more situations than there is room for")
        self._room_left -= int(size)
        values = self._stop(before)
        best = np.full(values.shape, STOP, dtype=np.int32)
        for number, bound in self._promising(history, before):
            if self._check is not None:
                self._check()
            if bound is not None and not (bound > values).any():
                continue
            made = self._move(number, before, self._following(history, number))
            better = made > values
            best[better] = number
            np.maximum(values, made, out=values)
        return Table(before, values, best)

    def _promising(self, history: History, before: Space) -> list[tuple[int, Values | None]]:
        """The moves of the AFVs that are left, and what each is worth at most in each situation;
        those that can bring most come first."""
        numbers = [number for unit in history.left for number in self._histories.of[unit]]
        if self._relaxed is None:
            return [(number, None) for number in numbers]
        bounds = self._relaxed().over(history.left, before)
        most = {number: float(bound.max()) for number, bound in bounds.items()}
        order = sorted(most, key=lambda number: (-most[number], number))
        return [(number, bounds[number]) for number in order]

    def _stop(self, before: Space) -> Values:
        """What stopping is worth: the objectives as they are held."""
        plan = build(self._compiler, (), before, None)
        return np.broadcast_to(self._backward(plan).values(), before.shape).copy()

    def _move(self, number: int, before: Space, after: Table) -> Values:
        """What a move is worth in each situation, with V after it."""
        plan = build(self._compiler, (self.moves[number],), before, after.space)
        if not plan.turns[0].stages:
            return np.full(before.shape, -np.inf)
        return np.broadcast_to(self._backward(plan).values(after.values), before.shape)

    def _backward(self, plan: Plan, *, record: bool = False) -> Backward:
        back = Backward(plan, self._effects, self._losses, self._own_loss, Defence.BEST, record)
        back.sweeps = self._sweeps
        return back
