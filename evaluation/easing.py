"""A plan in a game that is made easier by changes until its states fit in memory.

Which changes is a matter of how near the changed game's value comes, never of its being a bound:
`evaluation.restricted` and `evaluation.freed` say what a change is and prove what it does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import log

from evaluation.backward import Backward, Sweeps, TooManyStatesError
from evaluation.build import build
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.plan import Defence, Plan
from evaluation.script import Enter, Field, Move, Place, Step, Strike
from evaluation.size import Crowd, crowds
from evaluation.worth import Losses

TRIED = 6
"""So many ways to have fewer states are tried before the best of them is taken."""
LEAST = 1e-6
"""What a change counts for at least."""

Change = tuple[Place, int]
"""A hex of the defender's and a number: which change that is, each game says."""
Changes = frozenset[Change]


class Game(ABC):
    """A plan in a game that is made easier by changes until its states are few enough.

    ``left_out``: the last moves, where the plan had to be cut short.
    """

    def __init__(self, field: Field, own_loss: float, moves: Sequence[Move]) -> None:
        self.field = field
        self.moves = list(moves)
        self.left_out: list[Move] = []
        self._own_loss = own_loss
        self._effects = Effects(field.rules)
        self._losses = Losses(field)
        self._sweeps: Sweeps = {}
        self._scripts: dict[tuple[int, Hashable], Move] = {}
        self._alone: dict[Changes, float] = {}
        # Hexes that may fire at each move, in the order of the script.
        self.fired_at = [dict.fromkeys(self._firing(move)) for move in moves]
        self._plain = self._compiler(field)
        self._changed = self._plain

    def _compiler(self, field: Field) -> Compiler:
        return Compiler(field, self._effects, self._losses, Defence.BEST, keep=False)

    def _firing(self, move: Move) -> Iterator[Place]:
        for step in move.steps:
            if isinstance(step, Enter):
                yield from (self.field.units[shot.firer].place for shot in step.shots)
                if step.final_against is not None:
                    yield step.final_against

    def end(self, most: int) -> float:
        """The value in the changed game, when enough has been changed."""
        changes: Changes = frozenset()
        while True:
            plan = self._plan(changes)
            points = self._crowds(plan)
            worst = max(points, key=lambda one: one.states, default=None)
            if worst is None or worst.states <= most:
                return self._settled_worth(plan, changes)
            easier = self._easier(worst, _excess(points, most), plan, changes, most)
            if easier is None:
                self.left_out.insert(0, self.moves.pop())
                last = self._length()
                changes = frozenset(change for change in changes if change[1] < last)
            else:
                changes |= easier

    def _plan(self, changes: Changes) -> Plan:
        return build(self._changed, [self._script(i, changes) for i in range(len(self.moves))])

    def _worth(self, plan: Plan) -> float:
        back = Backward(plan, self._effects, self._losses, self._own_loss, Defence.BEST)
        back.sweeps = self._sweeps
        return back.value()

    def _crowds(self, plan: Plan) -> list[Crowd]:
        return list(crowds(plan, len(self._effects.statuses)))

    def _script(self, number: int, changes: Changes) -> Move:
        """A move as the changed game has it; the same object for the same."""
        change = self._change(number, changes)
        if change is None:
            return self.moves[number]
        what, make = change
        found = self._scripts.get((number, what))
        if found is None:
            found = self._scripts[number, what] = make()
        return found

    def _easier(
        self, worst: Crowd, excess: float, plan: Plan, changes: Changes, most: int
    ) -> Changes | None:
        """Changes after which there are fewer states too many, those that should matter least for
        what they take off them; None when there are none."""
        rows: list[tuple[float, int, Changes]] = []
        for axis, size in sorted(worst.axes.items()):
            if axis < len(plan.groups) and size > 1:
                place = self._original(plan.groups[axis].place)
                for way in self._ways(place, worst.turn, changes):
                    rows.append((self._cost(way, changes) / log(size), len(rows), way))
        best: tuple[float, int, Changes] | None = None
        tried = 0
        for _, number, way in sorted(rows, key=lambda row: row[:2]):
            left = _excess(self._crowds(self._plan(changes | way)), most)
            if left < excess - LEAST:
                price = self._cost(way, changes) / (excess - left)
                if best is None or (price, number) < best[:2]:
                    best = (price, number, way)
                tried += 1
                if tried == TRIED:
                    break
        return None if best is None else best[2]

    def _weight(self, place: Place, number: int) -> float:
        """What the fire of one hex takes from a move that is made alone."""
        without = self._valued(number, frozenset({(place, number)}))
        return max(0.0, without - self._valued(number, frozenset())) + LEAST

    def _valued(self, number: int, dropped: Changes) -> float:
        key = dropped | {(None, number)}
        if key not in self._alone:
            move = without_fire(self.field, self.moves[number], {place for place, _ in dropped})
            try:
                self._alone[key] = self._worth(build(self._plain, [move]))
            except TooManyStatesError:
                self._alone[key] = 0.0  # nobody knows
        return self._alone[key]

    def _settled_worth(self, plan: Plan, changes: Changes) -> float:
        return self._worth(plan)

    # -- what each game does in its own way ----------------------------------------------------

    def _original(self, place: Place) -> Place:
        """The hex that a hex of the changed game stands for."""
        return place

    def _length(self) -> int:
        """How many numbers changes may have."""
        return len(self.moves)

    @abstractmethod
    def _change(self, number: int, changes: Changes) -> tuple[Hashable, Callable[[], Move]] | None:
        """What the changes make of a move, and how; None when they let it be."""

    @abstractmethod
    def _ways(self, place: Place, turn: int, changes: Changes) -> Iterator[Changes]:
        """Changes that may make fewer states of a hex's units matter during a move."""

    @abstractmethod
    def _cost(self, way: Changes, changes: Changes) -> float:
        """How far they may move the value, as a guess."""


def _excess(points: Iterable[Crowd], most: int) -> float:
    """By how much there are too many states, in all."""
    return sum(log(one.states / most) for one in points if one.states > most)


def sorted_changes(changes: Changes) -> list[Change]:
    """Changes in the order of their moves; those of one move are of one hex or added up."""
    return sorted(changes, key=lambda change: (change[1], str(change[0])))


def without_fire(field: Field, move: Move, places: Collection[Place]) -> Move:
    """A move at which nobody fires from these places."""

    def quiet(step: Step) -> Step:
        if isinstance(step, Strike):
            return step
        shots = tuple(s for s in step.shots if field.units[s.firer].place not in places)
        final = None if step.final_against in places else step.final_against
        return replace(step, shots=shots, final_against=final)

    return replace(move, steps=tuple(quiet(step) for step in move.steps))
