"""Bounds from a game in which the mover finds forgotten things as he likes them.

For each set R of AFVs yet to move there is one table over *coarse* situations: of each group of the
defender's it knows one of few classes of states (as it began, or not; more where there is room),
and nothing of where the AFVs stand that have moved. V̄(R, c) is the largest of what stopping is
worth and, over every move m of every AFV of R, the greatest value of m that any situation in c
allows, with V̄(R - a, .) at its end.

**V̄ is never below V** (`evaluation.adaptive`). By induction over R, let V̄(R - a, c') be at least
V(R - a, s') for every situation s' in the class c'. A move m valued from s against V̄(R - a, .) is
then worth at least what it is worth against V(R - a, .): expectation, the defender's least and
"skipped" all keep an order of what follows. The class c of s counts m at the most that any of its
situations allows, so at least at that; and so for the largest over all m. AFVs that have moved are
left out where room is counted, so that more moves are legal, never fewer.

**Nor is it below a plan**, nor are the bounds of `Relaxed.beginning`: the same induction with one
move instead of the largest over all. Only room needs care there: a plan's move that is skipped for
want of room may be worth more than if it is made. Where AFVs that have moved could stand in its
way, the greater of both counts. Objectives are left out of everything: what they are worth must be
added.

States that no move of the AFVs that have moved can have led to are in no class.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from evaluation.automaton import Events, Numbers
from evaluation.backward import Backward, Sweeps
from evaluation.build import build
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.histories import Histories
from evaluation.plan import Defence, Key, Plan, Space
from evaluation.script import Field, Move, Place
from evaluation.worth import Losses

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outline:
    """V̄(R, .): ``values`` over ``space``, and with one more, last axis ``made``, what each move of
    ``numbers`` is worth there at most. ``start[i]`` is the class of axis i as the field begins."""

    space: Space
    values: Values
    numbers: tuple[int, ...]
    made: Values
    start: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Beginning:
    """What is known of plans that begin with certain moves: none is worth more than ``bound``;
    the beginning alone is worth ``value`` (objectives counted as gained); and none that goes on
    with the move ``longer[i][1]`` is worth more than ``longer[i][0]``. ``skipped``: its last move
    is certainly skipped, so it is no other than the beginning without it."""

    bound: float
    value: float
    longer: tuple[tuple[float, int], ...]
    skipped: bool = False


class Relaxed:
    """Bounds on plans and positions of one field, for given moves of each AFV.

    ``most_cells`` bounds the situations of one table, unless its coarsest ones are more already.
    ``check`` is called for every move valued over a table, ``poll`` now and then in other work;
    both may raise to stop.
    """

    def __init__(
        self,
        field: Field,
        moves: Mapping[str, Sequence[Move]],
        own_loss: float = 1.0,
        most_cells: int = 4096,
        check: Callable[[], None] | None = None,
        poll: Callable[[], None] | None = None,
    ) -> None:
        self._field = replace(field, objectives=())
        self._own_loss = own_loss
        self._most_cells = most_cells
        self._check = check
        self._effects = Effects(field.rules)
        self._losses = Losses(field)
        self._compiler = Compiler(
            self._field, self._effects, self._losses, Defence.BEST, keep=False
        )
        self._sweeps: Sweeps = {}
        self._histories = Histories(self._field, self._compiler, moves, poll)
        self.units = self._histories.units
        self.moves = self._histories.moves
        self._own = [self._histories.brought(number) for number in range(len(self.moves))]
        self._tables: dict[tuple[str, ...], Outline] = {}
        self._without: dict[tuple[tuple[str, ...], tuple[str, ...]], Values] = {}
        self._fine: dict[Hashable, tuple[tuple[Hashable, ...], Numbers | None]] = {}
        self._colours: dict[Place, Numbers] = {}
        self._counts: dict[Hashable, int] = {}
        self._places: tuple[Place, ...] = tuple(
            sorted(
                dict.fromkeys(place for own in self._own for place in own),
                key=self._histories.first_unit,
            )
        )
        self._set_colours()

    # -- coarse situations -------------------------------------------------------------------

    def _set_colours(self) -> None:
        """Two classes of each group: as it began, and not; then more of those groups that may lose
        most, as long as no table gets more than ``most_cells`` situations."""
        levels = dict.fromkeys(self._places, 0)
        for place in self._places:
            self._colours[place] = self._coarse(place, 0)
        for level in (1, 2):
            for place in sorted(self._places, key=self._weight, reverse=True):
                before = self._colours[place]
                self._colours[place] = self._coarse(place, level)
                if self._largest() > self._most_cells:
                    self._colours[place] = before
                else:
                    levels[place] = level

    def _weight(self, place: Place) -> float:
        """How much a group's state matters: what it may lose, for each AFV that may strike it."""
        strikers = sum(1 for unit in self.units if self._histories.events([unit], place).attacks)
        return strikers * self._histories.automaton(place).most_left

    def _largest(self) -> int:
        """The situations of the largest table."""
        most = 0
        for count in range(len(self.units) + 1):
            for left in combinations(self.units, count):
                most = max(most, prod(self._sizes(left)))
        return most

    def _sizes(self, left: tuple[str, ...]) -> list[int]:
        return [self._size(place, left) for place in self._places]

    def _size(self, place: Place, left: tuple[str, ...]) -> int:
        key = (place, left, self._colours[place].tobytes())
        found = self._counts.get(key)
        if found is None:
            moved = tuple(unit for unit in self.units if unit not in left)
            past, coming = (self._histories.events(units, place) for units in (moved, left))
            found = 1
            if coming and (past.shots or past.attacks):
                reach = self._histories.automaton(place).reach(Events(past.shots, past.attacks))
                found = len(set(self._colours[place][reach].tolist()))
            self._counts[key] = found
        return found

    def _coarse(self, place: Place, level: int) -> Numbers:
        """The class of each state of a group."""
        automaton = self._histories.automaton(place)
        size = len(automaton.states)
        if level == 0:
            return np.array([int(i > 0) for i in range(size)], dtype=np.intp)
        start = automaton.group.start
        if level == 1:
            kinds: dict[Hashable, int] = {}
            key = [tuple(unit[0] for unit in state) for state in automaton.states]
            return np.array(
                [
                    kinds.setdefault((k == tuple(u[0] for u in start), i == 0), len(kinds))
                    for i, k in enumerate(key)
                ],
                dtype=np.intp,
            )
        return automaton.partition(self._histories.events(self.units, place))

    def _space(self, left: tuple[str, ...]) -> tuple[Space, tuple[int, ...]]:
        moved = tuple(unit for unit in self.units if unit not in left)
        members: dict[Key, tuple[Hashable, ...]] = {}
        classes: dict[Key, Mapping[Hashable, int]] = {}
        struck = []
        axes: list[Key] = []
        for place in self._places:
            past, coming = (self._histories.events(units, place) for units in (moved, left))
            if past.attacks:
                struck.append(place)
            if not coming or not (past.shots or past.attacks):
                continue
            automaton = self._histories.automaton(place)
            colours = self._colours[place]
            numbers: dict[int, int] = {}
            each: list[Hashable] = []
            for i in automaton.reach(Events(past.shots, past.attacks)):
                if int(colours[i]) not in numbers:
                    numbers[int(colours[i])] = len(each)
                    each.append(automaton.states[i])
            if len(each) < 2:
                continue
            key: Key = ("group", place)
            axes.append(key)
            members[key] = tuple(each)
            classes[key] = {
                state: numbers.get(int(colour), 0)
                for state, colour in zip(automaton.states, colours, strict=True)
            }
        for unit in moved:
            members["stand", unit] = (None,)
        start = tuple(classes[key][self._compiler.group(key[1]).start] for key in axes)
        return Space(tuple(axes), members, classes, frozenset(struck), moved), start

    def _apart(
        self, before: Space, after: Space, own: Mapping[Place, Events]
    ) -> tuple[Space, list[Numbers | None]]:
        """The situations before a move, those told apart that differ in what the move does to them
        or in the class after it; and for each axis where the members of each class begin, None
        where each class is one."""
        members = dict(before.members)
        begins: list[Numbers | None] = []
        for key in before.axes:
            events = own.get(key[1], Events())
            known = (id(before.classes[key]), id(after.classes.get(key)), events)
            found = self._fine.get(known)
            if found is None:
                found = self._fine[known] = self._make_fine(before, after, key, events)
            members[key] = found[0]
            begins.append(found[1])
        return Space(before.axes, members, before.classes, before.struck, before.moved), begins

    def _make_fine(
        self, before: Space, after: Space, key: Key, events: Events
    ) -> tuple[tuple[Hashable, ...], Numbers | None]:
        place = key[1]
        automaton = self._histories.automaton(place)
        colours = np.zeros(len(automaton.states), dtype=np.intp)
        if key in after.axes:
            colours = np.array([after.classes[key][s] for s in automaton.states], dtype=np.intp)
        apart = automaton.partition(events, colours)
        past = self._histories.events(before.moved, place)
        rows: dict[tuple[int, int], Hashable] = {}
        for i in automaton.reach(Events(past.shots, past.attacks)):
            state = automaton.states[i]
            rows.setdefault((before.classes[key][state], int(apart[i])), state)
        order = sorted(rows)
        size = len(before.members[key])
        first = np.searchsorted([row[0] for row in order], np.arange(size))
        return tuple(rows[row] for row in order), None if len(order) == size else first

    # -- tables ------------------------------------------------------------------------------

    def table(self, left: tuple[str, ...]) -> Outline:
        """V̄(R, .) for the AFVs left to move, in text order."""
        found = self._tables.get(left)
        if found is None:
            found = self._tables[left] = self._make_table(left)
        return found

    def _make_table(self, left: tuple[str, ...]) -> Outline:
        before, start = self._space(left)
        shape = before.shape
        numbers: list[int] = []
        rows: list[Values] = []
        values = np.zeros(shape)
        for unit in left:
            after = self.table(tuple(other for other in left if other != unit))
            for number in self._histories.of[unit]:
                if self._check is not None:
                    self._check()
                made = self._move(number, before, after)
                if made is None:
                    continue
                if self._may_be_crowded(number, left):
                    made = np.maximum(made, self._skipped(before, after))
                numbers.append(number)
                rows.append(made)
                np.maximum(values, made, out=values)
        made = np.stack(rows, axis=-1) if rows else np.zeros((*shape, 0))
        return Outline(before, values, tuple(numbers), made, start)

    def _move(self, number: int, before: Space, after: Outline) -> Values | None:
        fine, begins = self._apart(before, after.space, self._own[number])
        plan = build(self._compiler, (self.moves[number],), fine, after.space)
        if not plan.turns[0].stages:
            return None
        made = self._backward(plan).values(after.values, must_move=False)
        return self._most(made, begins, before)

    def _may_be_crowded(self, number: int, left: tuple[str, ...]) -> bool:
        """Whether AFVs that have moved could leave too little room where a move ends."""
        move = self.moves[number]
        place = move.steps[-1].place
        size = self._field.units[move.unit].size
        size += sum(
            unit.size
            for unit in self._compiler.movers_at(place)
            if unit.id != move.unit and (unit.id not in self.units or unit.id in left)
        )
        size += sum(
            self._field.units[unit].size
            for unit in self.units
            if unit not in left and place in self._histories.stands(unit)
        )
        return size > self._field.stacking_limit

    def _skipped(self, before: Space, after: Outline) -> Values:
        """What it is worth to be left without an AFV's move."""
        key = (before.moved, after.space.moved)
        found = self._without.get(key)
        if found is None:
            fine, begins = self._apart(before, after.space, {})
            plan = build(self._compiler, (), fine, after.space)
            found = self._backward(plan).values(after.values)
            found = self._without[key] = self._most(found, begins, before)
        return found

    def _most(self, made: Values, begins: Sequence[Numbers | None], before: Space) -> Values:
        """The most in each class of situations."""
        for axis, first in enumerate(begins):
            if first is not None and made.shape[axis] > 1:
                made = np.maximum.reduceat(made, first, axis=axis)
        return np.broadcast_to(made, before.shape)

    def _backward(self, plan: Plan) -> Backward:
        back = Backward(plan, self._effects, self._losses, self._own_loss, Defence.BEST)
        back.sweeps = self._sweeps
        return back

    # -- bounds ------------------------------------------------------------------------------

    def value(self) -> float:
        """A bound on V of the position."""
        return self.beginning(()).bound

    def beginning(self, prefix: Sequence[int]) -> Beginning:
        """What is known of plans that begin with these moves, in that order."""
        moved = {self.moves[number].unit for number in prefix}
        table = self.table(tuple(unit for unit in self.units if unit not in moved))
        touched = {
            place
            for number in prefix
            for place, events in self._own[number].items()
            if events.shots or events.attacks
        }
        kept = [key[1] in touched for key in table.space.axes]
        at = tuple(
            slice(None) if keep else start for keep, start in zip(kept, table.start, strict=True)
        )
        values = table.values[at]
        stack = np.concatenate(
            [values[..., None], np.zeros((*values.shape, 1)), table.made[at]], axis=-1
        )
        axes = tuple(key for key, keep in zip(table.space.axes, kept, strict=True) if keep)
        space = replace(table.space, axes=axes)
        plan = build(self._compiler, [self.moves[n] for n in prefix], None, space)
        found = self._backward(plan).stacked(stack)
        longer = zip(found[2:].tolist(), table.numbers, strict=True)
        skipped = bool(plan.turns) and not plan.turns[-1].stages
        return Beginning(float(found[0]), float(found[1]), tuple(longer), skipped)

    def over(self, left: tuple[str, ...], before: Space) -> dict[int, Values]:
        """What each move of the AFVs left is worth at most in each situation of a space of
        `evaluation.histories.Histories`, in an array of its axes. Moves that are certainly not
        legal there are not in it."""
        table = self.table(left)
        made: Values = table.made
        kept: list[Key] = []
        for at, (key, start) in reversed(
            [*enumerate(zip(table.space.axes, table.start, strict=True))]
        ):
            members = before.members.get(key)
            classes = table.space.classes[key]
            if members is None:
                made = np.asarray(made.take(start, axis=at))
            elif len(members) == 1:
                made = np.asarray(made.take(classes[members[0]], axis=at))
            else:
                made = made.take([classes[member] for member in members], axis=at)
                kept.append(key)
        kept.reverse()
        order = [kept.index(key) for key in before.axes if key in kept]
        made = made.transpose([len(order), *order])
        shape = [
            size if key in kept else 1 for key, size in zip(before.axes, before.shape, strict=True)
        ]
        return {number: row.reshape(shape) for number, row in zip(table.numbers, made, strict=True)}
