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

from evaluation.automaton import Automaton, Events, declared
from evaluation.backward import Backward, Sweeps, TooManyStatesError
from evaluation.build import build
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.forward import Forward
from evaluation.group import Group
from evaluation.plan import Defence, Key, Plan, Space
from evaluation.possible import possible_ends
from evaluation.script import Enter, Field, Move, Place, Strike
from evaluation.worth import Losses

Values = NDArray[np.float64]
STOP = -1


_Classed = tuple[tuple[Hashable, ...], Mapping[Hashable, int]]


@dataclass(frozen=True, slots=True)
class History:
    """What has happened, as far as it bounds the situations that may have come of it: the AFVs
    ``left`` to move, what may have been done (``past``) to each group that still matters, and for
    each AFV that has moved the places where it may have ``stood`` still and where that matters."""

    left: tuple[str, ...]
    past: tuple[tuple[Place, Events], ...]
    stood: tuple[tuple[str, tuple[Place, ...]], ...]


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
    ) -> None:
        self._field = field
        self._own_loss = own_loss
        self._most_states = most_states
        self._room_left = most_in_all
        self._check = check
        self._poll = poll
        self._effects = Effects(field.rules)
        self._losses = Losses(field)
        self._compiler = Compiler(field, self._effects, self._losses, Defence.BEST, keep=False)
        self._telling: Compiler | None = None
        self._sweeps: Sweeps = {}
        self.units = tuple(sorted(unit for unit, own in moves.items() if own))
        self.moves: tuple[Move, ...] = tuple(m for unit in self.units for m in moves[unit])
        self._of = {
            unit: [i for i, move in enumerate(self.moves) if move.unit == unit]
            for unit in self.units
        }
        self._target = [
            next((step.place for step in move.steps if isinstance(step, Strike)), None)
            for move in self.moves
        ]
        self._like = [self._of_same_target(number) for number in range(len(self.moves))]
        self._brought: dict[tuple[int, ...], dict[Place, Events]] = {
            numbers: self._bring(numbers) for numbers in dict.fromkeys(self._like)
        }
        self._events: dict[str, dict[Place, Events]] = {
            unit: self._bring(own) for unit, own in self._of.items()
        }
        self._ends: dict[str, frozenset[Place]] = {
            unit: frozenset(self.moves[i].steps[-1].place for i in own if self.moves[i].steps)
            for unit, own in self._of.items()
        }
        self._objectives = frozenset(objective.place for objective in field.objectives)
        self._automata: dict[Place, Automaton] = {}
        self._tables: dict[History, Table] = {}
        self._spaces: dict[History, Space] = {}
        self._classed: dict[tuple[Place, Events, Events], _Classed] = {}
        self._short: dict[Place, bool] = {}
        self._all_stands: dict[str, tuple[Hashable, ...]] = {
            unit: self._stands(unit, self._of[unit]) for unit in self.units
        }

    # -- what moves can do -------------------------------------------------------------------

    def _of_same_target(self, number: int) -> tuple[int, ...]:
        """The moves of the same AFV against the same place."""
        same = self._of[self.moves[number].unit]
        return tuple(other for other in same if self._target[other] == self._target[number])

    def _bring(self, numbers: Sequence[int]) -> dict[Place, Events]:
        """What moves of one AFV can do to each group, and ask of it."""
        afv = self._field.units[self.moves[numbers[0]].unit]
        found: dict[Place, Events] = {}

        def add(place: Place, events: Events) -> None:
            found[place] = found.get(place, Events()) | events

        for i in numbers:
            for step in self.moves[i].steps:
                group = self._compiler.group(step.place)
                if isinstance(step, Strike):
                    attack, _ = self._compiler.attack(afv, step)
                    add(step.place, Events(attacks=frozenset([attack]), asks=frozenset(["target"])))
                    continue
                if group.units:
                    add(step.place, Events(asks=frozenset(["empty"])))
                for place, fire in self._compiler.fires(step, afv).items():
                    add(place, Events(shots=declared(fire.aims, final=fire.final)))
        return found

    def _all_events(self, units: Sequence[str], place: Place) -> Events:
        events = Events()
        for unit in units:
            events = events | self._events[unit].get(place, Events())
        return events

    def _automaton(self, place: Place) -> Automaton:
        found = self._automata.get(place)
        if found is None:
            group = self._compiler.group(place)
            events = self._all_events(self.units, place)
            found = self._automata[place] = Automaton(group, events, self._poll)
        return found

    # -- situations --------------------------------------------------------------------------

    def _begun(self) -> History:
        return History(self.units, (), ())

    def _after(self, history: History, number: int) -> History:
        """What matters of what has happened once a move has been made."""
        unit = self.moves[number].unit
        left = tuple(other for other in history.left if other != unit)
        past = dict(history.past)
        for place, events in self._brought[self._like[number]].items():
            done = Events(events.shots, events.attacks)
            past[place] = past.get(place, Events()) | done
        matters = {
            place for place in past if past[place] and self._coming(left, place, past[place])
        }
        stood = (*history.stood, (unit, self._stands(unit, self._like[number])))
        asked = self._asked(left)
        return History(
            left,
            tuple((place, past[place]) for place in sorted(matters, key=self._first_unit)),
            tuple(
                (other, tuple(place for place in places if place in asked))
                for other, places in sorted(stood)
            ),
        )

    def _first_unit(self, place: Place) -> str:
        """What places are sorted by."""
        return self._compiler.group(place).units[0].id

    def _coming(self, left: Sequence[str], place: Place, past: Events) -> Events:
        """What can still be done to a group, and asked of it."""
        coming = self._all_events(left, place)
        if place in self._objectives and past.attacks:
            coming = coming | Events(asks=frozenset(["empty"]))
        return coming

    def space(self, history: History) -> Space:
        """The situations that a history may have led to, as far as the AFVs left can tell them
        apart."""
        found = self._spaces.get(history)
        if found is None:
            found = self._spaces[history] = self._make_space(history)
        return found

    def _make_space(self, history: History) -> Space:
        left = history.left
        moved = tuple(unit for unit in self.units if unit not in left)
        members: dict[Key, tuple[Hashable, ...]] = {}
        classes: dict[Key, Mapping[Hashable, int]] = {}
        for place, past in history.past:
            coming = self._coming(left, place, past)
            members["group", place], classes["group", place] = self._class(place, past, coming)
        for unit, asked in history.stood:
            # None stands for every place that nothing asks for, and for no place at all.
            each = (*asked, None)
            members["stand", unit] = each
            classes["stand", unit] = {
                place: each.index(place if place in asked else None)
                for place in self._all_stands[unit]
            }
        axes = tuple(key for key, each in members.items() if len(each) > 1)
        struck = frozenset(place for place, past in history.past if past.attacks)
        return Space(axes, members, classes, struck, moved)

    def _class(self, place: Place, past: Events, coming: Events) -> _Classed:
        """The classes of a group's states that past events may have led to; the same objects for
        the same question, so that chains are shared."""
        found = self._classed.get((place, past, coming))
        if found is None:
            automaton = self._automaton(place)
            numbers = automaton.partition(coming)
            renumbered: dict[int, int] = {}
            each: list[Hashable] = []
            for i in automaton.reach(past):
                if int(numbers[i]) not in renumbered:
                    renumbered[int(numbers[i])] = len(each)
                    each.append(automaton.states[i])
            known: dict[Hashable, int] = {
                state: renumbered[int(n)]
                for state, n in zip(automaton.states, numbers, strict=True)
                if int(n) in renumbered
            }
            found = (tuple(each), known)
            self._classed[place, past, coming] = found
        return found

    def _asked(self, left: Sequence[str]) -> frozenset[Place]:
        """The places whose room or holder still matters."""
        ends = frozenset[Place]().union(*(self._ends[unit] for unit in left))
        return self._objectives | {place for place in ends if self._may_be_short(place)}

    def _may_be_short(self, place: Place) -> bool:
        """Whether a place could ever be too full for one more AFV to end its move there."""
        found = self._short.get(place)
        if found is None:
            most = sum(u.size for u in self._compiler.movers_at(place) if u.id not in self._of)
            most += sum(
                self._field.units[unit].size
                for unit in self.units
                if place in self._all_stands[unit]
            )
            found = self._short[place] = most > self._field.stacking_limit
        return found

    def _stands(self, unit: str, numbers: Sequence[int]) -> tuple[Hashable, ...]:
        """Everywhere an AFV may stand when it has made one of these moves; None: removed."""
        own = self._field.units[unit].place
        entered = [
            step.place for i in numbers for step in self.moves[i].steps if isinstance(step, Enter)
        ]
        return tuple(dict.fromkeys([own, *entered, None]))

    # -- values ------------------------------------------------------------------------------

    def _table(self, history: History) -> Table:
        """V after a history. Raises TooManyStatesError."""
        found = self._tables.get(history)
        if found is None:
            found = self._tables[history] = self._make_table(history)
        return found

    def group(self, place: Place) -> Group:
        """The defender's units of a place, which a situation's local state is of."""
        return self._compiler.group(place)

    def value(self) -> float:
        """V of the position: nobody has moved. Raises TooManyStatesError."""
        return float(self._table(self._begun()).values)

    def first_moves(self) -> list[tuple[float, int]]:
        """Each move's value as the next move, with its number; minus infinity if not legal."""
        begun = self._begun()
        before = self.space(begun)
        return [
            (float(self._move(number, before, self._table(self._after(begun, number)))), number)
            for number in range(len(self.moves))
        ]

    def follow_ups(self, number: int) -> tuple[FollowUp, ...]:
        """What may come of making a move now, and what is best then, the likeliest first.

        Every situation is there that some reply of the defender's can bring about; the
        probabilities are those under his best replies, 0 for what only worse ones lead to.

        Raises ValueError when the move is not legal now, and TooManyStatesError.
        """
        move = self.moves[number]
        after = self._table(self._after(self._begun(), number))
        if self._telling is None:
            self._telling = Compiler(
                self._field, self._effects, self._losses, Defence.BEST, keep=True
            )
        fine, coarse = self._apart(after.space, move)
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

    def _apart(self, space: Space, move: Move) -> tuple[Space, list[NDArray[np.intp]]]:
        """The same situations with every state that the move can bring about told apart, and for
        each axis the class that each of them has in the space."""
        touched = self._events[move.unit]
        members = dict(space.members)
        classes = dict(space.classes)
        coarse = []
        for key in space.axes:
            kind, what = key
            if kind == "group" and what in touched:
                automaton = self._automaton(what)
                states = [automaton.states[i] for i in automaton.reach(touched[what])]
                members[key] = tuple(state for state in states if state in space.classes[key])
            elif kind == "group":
                members[key] = (self._compiler.group(what).start,)
            else:
                members[key] = self._all_stands[str(what)]
            classes[key] = {member: i for i, member in enumerate(members[key])}
            coarse.append(
                np.array([space.classes[key][member] for member in members[key]], dtype=np.intp)
            )
        return Space(space.axes, members, classes, space.struck, space.moved), coarse

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
                    most = self._automaton(step.place).most_lost(attack)
                    gain = (step.place, most - self._own_loss * price)
            gains.append(gain)
        struck = dict.fromkeys(place for place, _ in gains if place is not None)
        return gains, {place: self._automaton(place).most_left for place in struck}

    def bound(self, prefix: Sequence[int]) -> float:
        """The value of making these moves in that order and going on as is best, every result
        seen: no plan that begins so is worth more. A move that is not legal when its turn comes is
        skipped. Raises TooManyStatesError."""
        history = self._begun()
        for number in prefix:
            history = self._after(history, number)
        after = self._table(history)
        plan = build(self._compiler, [self.moves[n] for n in prefix], None, after.space)
        return float(self._backward(plan).values(after.values, must_move=False))

    def _make_table(self, history: History) -> Table:
        before = self.space(history)
        size = np.prod(before.shape, dtype=np.float64)
        if size > self._most_states:
            raise TooManyStatesError(f"more than {self._most_states:,} situations")
        if size > self._room_left:
            raise TooManyStatesError("more situations than there is room for")
        self._room_left -= int(size)
        values = self._stop(before)
        best = np.full(values.shape, STOP, dtype=np.int32)
        for unit in history.left:
            for number in self._of[unit]:
                if self._check is not None:
                    self._check()
                made = self._move(number, before, self._table(self._after(history, number)))
                better = made > values
                best[better] = number
                np.maximum(values, made, out=values)
        return Table(before, values, best)

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
