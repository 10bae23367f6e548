"""The value of a plan by one backward pass over its events.

The state is the product of the classes of the groups that are *live* (between their first and their
last event), of the places of AFVs that a later move asks for, and, during a move, of the AFV's
status. Expectation over dice and the defender's choice are taken in place, on arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evaluation.chain import Choice, Link
from evaluation.effects import Effects
from evaluation.parts import Part, parts
from evaluation.plan import (
    Defence,
    Guard,
    Holding,
    LinkRef,
    Plan,
    StrikeStage,
    Turn,
    WindowStage,
    objective_change,
)
from evaluation.script import Place
from evaluation.sweep import Sweep, make_sweep
from evaluation.worth import Losses

Values = NDArray[np.float64]
MOST_STATES = 5_000_000
MOST_KNOWN = 100_000
"""So many values of parts of plans are remembered; then it begins anew."""
MOST_SWEEPS = 5_000
"""So many orders of windows are remembered; then it begins anew."""
TIE = 1e-12
STACK = -1
"""The axis of values that stand beside each other and have nothing to do with the state."""


class TooManyStatesError(ValueError):
    """The plan's live groups together have more states than are worth holding in memory."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """A window's values: ``value`` before its next shot, ``held`` if it closes now; one array axis
    for each of ``axes``, the AFV's status last."""

    axes: tuple[int, ...]
    value: Values
    held: Values


@dataclass(eq=False)
class _Table:
    """Values over the live axes, in the order of ``axes``.

    During a move ``made`` has the AFV's status as one more, last axis, and ``over``, what follows
    when the move has ended, has the AFV's place there if a later event asks for it.
    """

    axes: list[int]
    over: Values
    made: Values | None = None


Shots = Sequence[tuple[Choice, tuple[int, ...]]]
"""The shots that may be declared in a cell of a window's array, and the cell each leads to."""


Sweeps = dict[tuple[int, ...], tuple[Sweep, tuple[Link, ...]]]
"""Orders of windows that were worked out before, by the identity of their links."""


@dataclass(eq=False)
class Backward:
    """One backward pass. ``windows[(turn, stage)]`` are kept when ``record`` is set.

    ``sweeps`` may be shared by passes over plans whose chains come from one compiler, and
    ``known``, the values of parts of plans, by passes with one own-loss weight over plans that are
    made of the same `Move` objects. ``poll`` is called before each window and attack, and may raise
    to stop.
    """

    plan: Plan
    effects: Effects
    losses: Losses
    own_loss: float
    defence: Defence
    record: bool = False
    windows: dict[tuple[int, int], Recorded] = field(default_factory=dict)
    sweeps: Sweeps = field(default_factory=dict)
    known: dict[Hashable, float] = field(default_factory=dict)
    poll: Callable[[], None] | None = None

    def value(self) -> float:
        """The expected payoff to the mover. Raises TooManyStatesError.

        Moves that have nothing to do with each other are worked out apart; their values add."""
        total = self.plan.constant
        for part in parts(self.plan):
            key = _key(self.plan, part)
            value = self.known.get(key)
            if value is None or self.record:
                value = float(self._run(self._end(part.holdings), part.turns).over)
                if len(self.known) >= MOST_KNOWN:
                    self.known.clear()
                self.known[key] = value
            total += value
        return total

    def values(self, after: Values | None = None, *, must_move: bool = True) -> Values:
        """The expected payoff from each situation of the space before the plan, when what follows
        it is worth ``after`` in those of the space after it (None: the phase ends). Where the first
        move is not legal: minus infinity if the mover ``must_move``, else it is skipped. Raises
        TooManyStatesError."""
        table = _Table(list(self.plan.after), np.zeros(()) if after is None else after)
        if after is None:
            table = self._end(self.plan.holdings)
        table = self._run(table, range(len(self.plan.turns)), must_move=must_move)
        over = table.over + self.plan.constant
        wanted = [axis for axis in self.plan.before if axis is not None]
        over = over.transpose([table.axes.index(axis) for axis in wanted])
        missing = [i for i, axis in enumerate(self.plan.before) if axis is None]
        return np.asarray(np.expand_dims(over, tuple(missing)))

    def stacked(self, after: Values) -> Values:
        """The expected payoffs of a plan that begins with the field as it is, one for each number
        along the last axis of ``after``: what follows is worth that much in the situations of the
        space after it. A move that is not legal is skipped. Raises TooManyStatesError."""
        table = self._run(_Table([*self.plan.after, STACK], after), range(len(self.plan.turns)))
        return table.over + self.plan.constant

    def _run(self, table: _Table, turns: Sequence[int], *, must_move: bool = False) -> _Table:
        for number in reversed(turns):
            turn = self.plan.turns[number]
            if turn.stages:
                self._turn(table, number, turn, must_move=must_move and number == 0)
        # Axes of the values after the plan that no event of it concerns.
        untouched = [
            axis for axis in table.axes if axis != STACK and not self.plan.chains[axis].links
        ]
        self._start(table, [LinkRef(axis, 0) for axis in untouched])
        return table

    # -- axes --------------------------------------------------------------------------------

    def _pull(self, table: _Table, ref: LinkRef) -> Link:
        """Bring all values from after an event to before it, where it leaves the state alone."""
        link = self.plan.link(ref)
        if ref.axis in table.axes:
            at = table.axes.index(ref.axis)
            if not (link.is_level and table.over.shape[at] == link.size):
                table.over = table.over.take(link.passes, axis=at)
                if table.made is not None:
                    table.made = table.made.take(link.passes, axis=at)
        else:
            table.axes.insert(0, ref.axis)
            table.over = _repeat(table.over, link.size)
            if table.made is not None:
                table.made = _repeat(table.made, link.size)
        return link

    def _start(self, table: _Table, refs: Sequence[LinkRef]) -> None:
        """Before its first event an axis is as it begins: in one class, and then it goes, or in
        one for each class of the space before the plan."""
        for ref in refs:
            start = self.plan.starts[ref.axis]
            if ref.link != 0 or start is None:
                continue
            at = table.axes.index(ref.axis)
            table.over = np.asarray(table.over.take(start, axis=at))
            if table.made is not None:
                table.made = np.asarray(table.made.take(start, axis=at))
            if isinstance(start, int):
                table.axes.remove(ref.axis)

    def _answer(self, table: _Table, ref: LinkRef) -> NDArray[np.bool_]:
        """The answer to a question, shaped to stand beside the table's values."""
        answer = self.plan.link(ref).answer
        assert answer is not None
        shape = [1] * len(table.axes)
        shape[table.axes.index(ref.axis)] = len(answer)
        return answer.reshape(shape)

    # -- the end of the Movement Phase -------------------------------------------------------

    def _end(self, holdings: Sequence[Holding]) -> _Table:
        """Objectives: what the end of the phase is worth, by who stands where."""
        table = _Table([], np.zeros(()))
        # An AFV's place answers for one objective after the other; here the last comes first.
        for holding in reversed(holdings):
            defenders = (holding.defender,) if holding.defender else ()
            for ref in (*defenders, *holding.movers):
                self._pull(table, ref)
            theirs = np.array(holding.defender_there)
            for ref in defenders:
                theirs = ~self._answer(table, ref)
            mine = np.array(holding.mover_there)
            for ref in holding.movers:
                mine = mine | self._answer(table, ref)
            for we in (False, True):
                for they in (False, True):
                    change = objective_change(holding.objective, we, they)
                    if change:
                        table.over = table.over + change * ((mine == we) & (theirs == they))
            self._start(table, (*defenders, *holding.movers))
        return table

    # -- one move ----------------------------------------------------------------------------

    def _turn(self, table: _Table, number: int, turn: Turn, *, must_move: bool) -> None:
        if turn.stand is not None:
            at = table.axes.index(turn.stand)
            table.axes.remove(turn.stand)
            table.over = np.moveaxis(table.over, at, -1)
        booked = [
            -self.own_loss * self.losses.change(turn.unit, status)
            for status in self.effects.statuses
        ]
        for at in reversed(range(len(turn.stages))):
            stage = turn.stages[at]
            if self.poll is not None:
                self.poll()
            if isinstance(stage, StrikeStage):
                self._strike(table, stage)
            else:
                self._stop_here(table, turn, stage, booked, at == len(turn.stages) - 1)
                self._window(table, stage, (number, at))
        assert table.made is not None
        made = table.made[..., self.effects.index[turn.unit.status]]
        if must_move:
            skipped = np.full_like(made, -np.inf)
        else:
            skipped = self._over_at(table, turn, turn.unit.place)
        table.made = None
        table.over = made
        if turn.guard is not None:
            self._guard(table, turn.guard, skipped)

    def _over_at(self, table: _Table, turn: Turn, place: Place) -> Values:
        """What follows when the move has ended with the AFV in that place (None: removed)."""
        if turn.stand is None:
            return table.over
        # A place in which the AFV can't be left has no class, and nothing reads the value then.
        return table.over[..., self.plan.chains[turn.stand].entry.get(place, 0)]

    def _stop_here(
        self, table: _Table, turn: Turn, stage: WindowStage, booked: Sequence[float], last: bool
    ) -> None:
        """The values when a window closes: those of going on, but for statuses that stop in this
        hex those of the move's end."""
        here = self._over_at(table, turn, stage.place)
        gone = self._over_at(table, turn, None)
        # A copy: the next window's recorded values must stay as they are.
        made = np.empty((*here.shape, len(booked))) if table.made is None else table.made.copy()
        for i, status in enumerate(self.effects.statuses):
            if status.removed:
                made[..., i] = gone + booked[i]
            elif last or stage.halts(status):
                made[..., i] = here + booked[i]
        table.made = made

    def _guard(self, table: _Table, guard: Guard, skipped: Values) -> None:
        """Made where every question is answered yes and there is room, otherwise skipped."""
        table.made = np.stack([table.over, skipped], axis=-1)
        others = guard.room.others if guard.room else ()
        for ref in (*guard.asks, *(ref for ref, _ in others)):
            self._pull(table, ref)
        holds: NDArray[np.bool_] = np.array(True)
        for ref in guard.asks:
            holds = holds & self._answer(table, ref)
        if guard.room:
            taken = np.array(0)
            for ref, size in others:
                taken = taken + size * self._answer(table, ref)
            holds = holds & (taken <= guard.room.left)
        table.over = np.where(holds, table.made[..., 0], table.made[..., 1])
        table.made = None
        self._start(table, (*guard.asks, *(ref for ref, _ in others)))

    def _strike(self, table: _Table, stage: StrikeStage) -> None:
        """The attack: each class of the group goes over into what the dice make of it."""
        made, table.made = table.made, None
        assert made is not None
        at = table.axes.index(stage.ref.axis) if stage.ref.axis in table.axes else None
        link = self._pull(table, stage.ref)
        assert link.matrix is not None
        assert link.loss is not None
        if at is None:
            at = 0
            made = np.repeat(made[np.newaxis], link.size, axis=0)
        else:
            made = np.moveaxis(np.tensordot(link.matrix, made, (1, at)), 0, at)
        gain = link.loss - self.own_loss * stage.price
        table.made = made + gain.reshape([link.size if i == at else 1 for i in range(made.ndim)])
        self._start(table, [stage.ref])

    # -- one window --------------------------------------------------------------------------

    def _window(self, table: _Table, stage: WindowStage, key: tuple[int, int]) -> None:
        """Opportunity Fire: shot by shot, each result seen before the next is declared."""
        if not stage.fires:
            return
        links = [self._pull(table, ref) for ref in stage.fires]
        assert table.made is not None
        held = table.made
        at = [table.axes.index(ref.axis) for ref in stage.fires]
        order = [*at, *(axis for axis in range(held.ndim) if axis not in at)]
        front = held.transpose(order)
        sizes = front.shape[: len(at)]
        values = np.array(front, order="C").reshape(math.prod(sizes), -1, held.shape[-1])
        if self.defence is Defence.BEST:
            self._sweep(links).run(values, self.effects)
        else:
            self._by_rule(values.reshape((*sizes, *values.shape[1:])), links)
        back = [0] * held.ndim
        for axis, was in enumerate(order):
            back[was] = axis
        made = values.reshape(front.shape).transpose(back)
        for i in self.effects.removed:
            made[..., i] = held[..., i]
        table.made = made
        if self.record:
            self.windows[key] = Recorded(tuple(table.axes), made, held)
        self._start(table, stage.fires)

    def _sweep(self, links: Sequence[Link]) -> Sweep:
        key = tuple([id(link.shots) for link in links])
        found = self.sweeps.get(key)
        if found is None:
            if len(self.sweeps) >= MOST_SWEEPS:
                self.sweeps.clear()
            # The links are kept with it, so that no other shots can get the same id.
            found = self.sweeps[key] = (make_sweep(links), tuple(links))
        return found[0]

    def _by_rule(self, values: Values, links: Sequence[Link]) -> None:
        """A rule of thumb, cell by cell: every shot leads to a cell of a lower number."""
        for cell in np.ndindex(*(link.size for link in links)):
            shots = [
                (choice, (*cell[:i], choice.to, *cell[i + 1 :]))
                for i, link in enumerate(links)
                for choice in link.choices[cell[i]]
            ]
            if shots:
                self._rule(values, cell, shots)

    def _rule(self, front: Values, cell: tuple[int, ...], shots: Shots) -> None:
        """A rule of thumb: the shot expected to cost the AFV most, labels breaking ties."""
        for status, shot in enumerate(rule_of_thumb(self.effects, [c for c, _ in shots])):
            if shot is not None:
                choice, after = shots[shot]
                row = self.effects.matrix(choice.effect)[status]
                front[cell][..., status] = front[after] @ row + choice.price


def rule_of_thumb(effects: Effects, choices: Sequence[Choice]) -> list[int | None]:
    """For each AFV status the index of the shot that the rules of thumb declare: the one expected
    to cost the AFV most of those that can change its status, labels in text order breaking ties;
    None when there is none."""
    order = sorted(range(len(choices)), key=lambda i: choices[i].label)
    inflicted = np.array([effects.inflicted(choices[i].effect) for i in order])
    picks: list[int | None] = []
    for column in inflicted.T:
        most = column.max()
        picks.append(None if most == -np.inf else order[int(np.argmax(column >= most - TIE))])
    return picks


def _key(plan: Plan, part: Part) -> Hashable:
    """What the value of a part depends on: its moves in order, and what is certain of them."""
    turns = []
    for number in part.turns:
        turn = plan.turns[number]
        guard: Hashable = None
        if turn.guard is not None:
            room = turn.guard.room
            sizes = () if room is None else (room.left, *(size for _, size in room.others))
            guard = (len(turn.guard.asks), sizes)
        turns.append((id(turn.move), turn.impossible, guard))
    holdings = tuple(
        (one.objective, one.defender_there, one.defender is None, one.mover_there, len(one.movers))
        for one in part.holdings
    )
    return (tuple(turns), holdings)


def _repeat(values: Values, size: int) -> Values:
    """The same values for every class of a group that was not live: a new first axis."""
    if values.size * size > MOST_STATES:
        raise TooManyStatesError(f"more than {MOST_STATES:,} joint states")
    return np.repeat(values[np.newaxis], size, axis=0)
