"""What may have happened before a move of an adaptive plan, and the situations it leaves.

A `History` says which AFVs are left to move and what the others may have done; a space has the
classes of situations that may have come of it, as far as the AFVs left can tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.automaton import Automaton, Events, declared
from evaluation.compiler import Compiler
from evaluation.plan import Key, Space
from evaluation.script import Enter, Field, Move, Place, Strike

_Classed = tuple[tuple[Hashable, ...], Mapping[Hashable, int]]


@dataclass(frozen=True, slots=True)
class History:
    """What has happened, as far as it bounds the situations that may have come of it: the AFVs
    ``left`` to move, what may have been done (``past``) to each group that still matters, and for
    each AFV that has moved the places where it may have ``stood`` still and where that matters."""

    left: tuple[str, ...]
    past: tuple[tuple[Place, Events], ...]
    stood: tuple[tuple[str, tuple[Place, ...]], ...]


class Histories:
    """The histories of some AFVs' moves on one field, and the spaces of situations.

    ``units`` are the AFVs in text order, ``moves`` all their moves, ``of[unit]`` the numbers of
    each one's. ``poll`` is called now and then and may raise to stop.
    """

    def __init__(
        self,
        field: Field,
        compiler: Compiler,
        moves: Mapping[str, Sequence[Move]],
        poll: Callable[[], None] | None = None,
    ) -> None:
        self._field = field
        self._compiler = compiler
        self._poll = poll
        self.units = tuple(sorted(unit for unit, own in moves.items() if own))
        self.moves: tuple[Move, ...] = tuple(m for unit in self.units for m in moves[unit])
        self.of = {
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
            unit: self._bring(own) for unit, own in self.of.items()
        }
        self._ends: dict[str, frozenset[Place]] = {
            unit: frozenset(self.moves[i].steps[-1].place for i in own if self.moves[i].steps)
            for unit, own in self.of.items()
        }
        self._objectives = frozenset(objective.place for objective in field.objectives)
        self._automata: dict[Place, Automaton] = {}
        self._spaces: dict[History, Space] = {}
        self._classed: dict[tuple[Place, Events, Events], _Classed] = {}
        self._short: dict[Place, bool] = {}
        self._all_stands: dict[str, tuple[Hashable, ...]] = {
            unit: self._stands(unit, self.of[unit]) for unit in self.units
        }

    # -- what moves can do -------------------------------------------------------------------

    def _of_same_target(self, number: int) -> tuple[int, ...]:
        """The moves of the same AFV against the same place."""
        same = self.of[self.moves[number].unit]
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

    def brought(self, number: int) -> dict[Place, Events]:
        """What one move can do to each group, and ask of it."""
        return self._bring([number])

    def events(self, units: Sequence[str], place: Place) -> Events:
        """What the moves of some AFVs can do to a group, and ask of it."""
        events = Events()
        for unit in units:
            events = events | self._events[unit].get(place, Events())
        return events

    def automaton(self, place: Place) -> Automaton:
        """The group of a place under everything that the moves can do to it."""
        found = self._automata.get(place)
        if found is None:
            group = self._compiler.group(place)
            events = self.events(self.units, place)
            found = self._automata[place] = Automaton(group, events, self._poll)
        return found

    # -- situations --------------------------------------------------------------------------

    def begun(self) -> History:
        """Before anybody has moved."""
        return History(self.units, (), ())

    def after(self, history: History, number: int) -> History:
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
            tuple((place, past[place]) for place in sorted(matters, key=self.first_unit)),
            tuple(
                (other, tuple(place for place in places if place in asked))
                for other, places in sorted(stood)
            ),
        )

    def first_unit(self, place: Place) -> str:
        """What places are sorted by."""
        return self._compiler.group(place).units[0].id

    def _coming(self, left: Sequence[str], place: Place, past: Events) -> Events:
        """What can still be done to a group, and asked of it."""
        coming = self.events(left, place)
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
            automaton = self.automaton(place)
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
            most = sum(u.size for u in self._compiler.movers_at(place) if u.id not in self.of)
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

    def stands(self, unit: str) -> tuple[Hashable, ...]:
        """Everywhere an AFV may stand when it has moved; None: removed."""
        return self._all_stands[unit]

    def apart(self, space: Space, move: Move) -> tuple[Space, list[NDArray[np.intp]]]:
        """The same situations with every state that the move can bring about told apart, and for
        each axis the class that each of them has in the space."""
        touched = self._events[move.unit]
        members = dict(space.members)
        classes = dict(space.classes)
        coarse = []
        for key in space.axes:
            kind, what = key
            if kind == "group" and what in touched:
                automaton = self.automaton(what)
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
