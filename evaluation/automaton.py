"""All that a set of moves can do to one group, as tables of numbers, and its coarsest partition.

Two local states are in one class when nothing that may still come can tell them apart: the same
questions get the same answers, the same shots may be declared and lead to the same classes, and
every attack costs the same and leads to the same classes with the same probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.chain import Attack
from evaluation.group import Aim, Group, State

Numbers = NDArray[np.intp]
Declared = tuple[int, int, int, bool]
"""Unit, weapon, leader, and whether in a final window: what a shot does to the firing side."""

POLL = 32
"""After so many states it is asked whether to go on."""
SAME = 12
"""Probabilities and losses that agree to so many digits are the same."""


@dataclass(frozen=True, slots=True)
class Events:
    """What some moves can do to a group, and ask of it."""

    shots: frozenset[Declared] = frozenset()
    attacks: frozenset[Attack] = frozenset()
    asks: frozenset[str] = frozenset()

    def __or__(self, other: Events) -> Events:
        return Events(
            self.shots | other.shots, self.attacks | other.attacks, self.asks | other.asks
        )

    def __bool__(self) -> bool:
        return bool(self.shots or self.attacks or self.asks)


def declared(aims: Iterable[Aim], *, final: bool) -> frozenset[Declared]:
    """What the aims of a window can declare."""
    return frozenset(
        (aim.unit, aim.weapon, leader, final) for aim in aims for leader, _ in aim.effects
    )


class Automaton:
    """A group under every event that a set of moves can bring. ``poll`` is called now and then
    while it is worked out, and may raise to stop that."""

    def __init__(
        self, group: Group, events: Events, poll: Callable[[], None] | None = None
    ) -> None:
        self.group = group
        self._shots = sorted(events.shots)
        self._attacks = sorted(events.attacks, key=lambda a: (a.strength, a.cover))
        self.states: list[State] = [group.start]
        self.index: dict[State, int] = {group.start: 0}
        after_shot: list[list[int]] = []
        after_attack: list[list[list[tuple[int, float]]]] = []
        at = 0
        while at < len(self.states):
            if poll is not None and at % POLL == 0:
                poll()
            state = self.states[at]
            after_shot.append([self._declare(state, shot) for shot in self._shots])
            after_attack.append(
                [
                    [(self._number(new), p) for new, p in group.strike(state, a.strength, a.cover)]
                    for a in self._attacks
                ]
            )
            at += 1
        size = len(self.states)
        self._next = np.array(after_shot, dtype=np.intp).reshape(size, len(self._shots))
        self._odds = np.zeros((len(self._attacks), size, size))
        for i, row in enumerate(after_attack):
            for j, outcomes in enumerate(row):
                for new, p in outcomes:
                    self._odds[j, i, new] += p
        loss = np.array([group.loss(state) for state in self.states])
        self._cost = np.array([odds @ loss - loss for odds in self._odds]).reshape(-1, size)
        self._answers = {
            "empty": np.array([group.is_empty(state) for state in self.states]),
            "target": np.array([group.is_target(state) for state in self.states]),
        }
        self._partitions: dict[tuple[Events, bytes], Numbers] = {}

    def _number(self, state: State) -> int:
        found = self.index.setdefault(state, len(self.states))
        if found == len(self.states):
            self.states.append(state)
        return found

    def _declare(self, state: State, shot: Declared) -> int:
        """The state after a shot, -1 where it may not be declared."""
        unit, weapon, leader, final = shot
        aim = Aim(unit, weapon, ((leader, 0),))
        for option, _, _ in self.group.options(state, [aim], final=final):
            return self._number(option.to)
        return -1

    def reach(self, events: Events) -> list[int]:
        """The states that some of the events can lead to, in the automaton's order."""
        shots = [i for i, shot in enumerate(self._shots) if shot in events.shots]
        attacks = [i for i, attack in enumerate(self._attacks) if attack in events.attacks]
        met = np.zeros(len(self.states), dtype=np.bool_)
        met[0] = True
        frontier = [0]
        while frontier:
            here = frontier.pop()
            following = {int(self._next[here, i]) for i in shots if self._next[here, i] >= 0}
            for i in attacks:
                following.update(np.flatnonzero(self._odds[i, here]).tolist())
            for new in sorted(following):
                if not met[new]:
                    met[new] = True
                    frontier.append(new)
        return [int(i) for i in np.flatnonzero(met)]

    def most_lost(self, attack: Attack) -> float:
        """The most worth that an attack can be expected to cost the group, in whatever state it
        meets it."""
        return float(self._cost[self._attacks.index(attack)].max())

    @property
    def most_left(self) -> float:
        """The most worth that the group can lose from the start on."""
        start = self.group.loss(self.group.start)
        return max(self.group.loss(state) for state in self.states) - start

    def partition(self, events: Events, ends: Numbers | None = None) -> Numbers:
        """The class of each state when only these events are still to come, and then at most the
        classes ``ends`` of states are told apart (None: none are); classes are numbered in the
        order of their first states."""
        key = (events, b"" if ends is None else ends.tobytes())
        found = self._partitions.get(key)
        if found is None:
            found = self._partitions[key] = self._refine(events, ends)
        return found

    def _refine(self, events: Events, ends: Numbers | None) -> Numbers:
        shots = [i for i, shot in enumerate(self._shots) if shot in events.shots]
        attacks = [i for i, attack in enumerate(self._attacks) if attack in events.attacks]
        size = len(self.states)
        fixed = [self._answers[ask].astype(np.float64) for ask in sorted(events.asks)]
        fixed += [np.round(self._cost[i], SAME) for i in attacks]
        if ends is not None:
            fixed.append(ends.astype(np.float64))
        classes = np.zeros(size, dtype=np.intp)
        count = 0
        while True:
            columns = [classes.astype(np.float64), *fixed]
            for i in shots:
                following = self._next[:, i]
                columns.append(np.where(following >= 0, classes[following], -1).astype(np.float64))
            member = np.zeros((size, int(classes.max()) + 1))
            member[np.arange(size), classes] = 1.0
            for i in attacks:
                columns.extend(np.round(self._odds[i] @ member, SAME).T)
            # -0.0 and 0.0 are one number but two patterns.
            table = np.column_stack(columns) + 0.0
            classes = _numbered([row.tobytes() for row in table])
            now = int(classes.max()) + 1
            if now == count:
                return classes
            count = now


def _numbered(keys: Sequence[Hashable]) -> Numbers:
    """Equal keys get equal numbers, counted from 0 in the order they first come."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)
