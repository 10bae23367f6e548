"""Which moves of a plan can have nothing to do with each other, told before the plan is made ready.

Two moves *touch* when they share a group that may fire at them or is struck, when one enters what
the other strikes, when one may end where the other may have come to stand or has left, or when both
may change the same objective. What is not so in any plan is not so in this one: moves that do not
touch, directly or through others, are independent, their values above staying add
(`evaluation.parts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.compiler import Compiler, ReadyStrike
from evaluation.script import Move, Place

MOST_MOVES = 100_000
"""So many moves are remembered; then it begins anew."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a move may have to do with the rest of any plan, as bit masks over places.

    ``groups``: those that may fire in its windows or are struck; ``struck``; ``entered``;
    ``stands``: where its AFV starts and may come to stand; ``end``: where the move ends;
    ``objectives`` that it may change. ``number``: moves in the order met.
    """

    number: int
    move: Move
    groups: int
    struck: int
    entered: int
    stands: int
    end: int
    objectives: int

    def touches(self, other: Footprint) -> bool:
        """Whether two moves may have to do with each other."""
        return bool(
            self.groups & other.groups
            or self.struck & other.entered
            or self.entered & other.struck
            or self.end & other.stands
            or self.stands & other.end
            or self.objectives & other.objectives
        )


class Apart:
    """Footprints of moves on one field."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler
        self._places: dict[Place, int] = {}
        self._prints: dict[int, Footprint] = {}
        self._objectives = 0
        for objective in compiler.field.objectives:
            self._objectives |= self._bit(objective.place)

    @property
    def is_full(self) -> bool:
        """Whether so many moves are known that it is time to begin anew."""
        return len(self._prints) >= MOST_MOVES

    def footprint(self, move: Move) -> Footprint:
        """The footprint of a move, remembered. Raises ValueError as `Compiler.mover` does."""
        found = self._prints.get(id(move))
        if found is None:
            # The move is kept with it, so that no other can get the same id.
            found = self._prints[id(move)] = self._make(move)
        return found

    def _bit(self, place: Place) -> int:
        return self._places.setdefault(place, 1 << len(self._places))

    def _make(self, move: Move) -> Footprint:
        ready = self._compiler.ready(move)
        start = end = stands = self._bit(ready.unit.place)
        groups = struck = entered = 0
        fired_at = False
        for step in ready.steps:
            here = self._bit(step.place)
            if isinstance(step, ReadyStrike):
                struck |= here
                continue
            entered |= here
            end = here
            for place, _ in step.fires:
                groups |= self._bit(place)
                fired_at = True
            if fired_at:
                stands |= here
        stands |= end
        return Footprint(
            len(self._prints),
            move,
            groups | struck,
            struck,
            entered,
            stands,
            end if end != start or ready.steps else 0,
            (stands | struck) & self._objectives,
        )


def together(prints: Sequence[Footprint]) -> Iterator[tuple[Footprint, ...]]:
    """The moves of a plan in groups that do not touch each other, each in the order that stands for
    all that are worth the same for certain.

    Two neighbours may change places when neither touches the other, not even through moves that
    come after both: then what follows is worth a sum, one part of it after each of the two, and the
    defender's best reply in one does not depend on what came of the other. (Moves that come after
    and touch both make it depend: the later of the two is fired at with the other's result known.)
    Of those that may come next the lowest number is put first.
    """
    before = [0] * len(prints)
    masks: list[int] = []
    for i in reversed(range(len(prints))):
        mask, rest = 1 << i, []
        for other in masks:
            if any(other >> j & 1 and prints[i].touches(prints[j]) for j in range(len(prints))):
                mask |= other
            else:
                rest.append(other)
        masks = [*rest, mask]
        for j in range(i + 1, len(prints)):
            if mask >> j & 1:
                before[j] |= 1 << i
    for mask in sorted(masks, key=lambda m: m & -m):
        order: list[Footprint] = []
        left = [i for i in range(len(prints)) if mask >> i & 1]
        while left:
            ready = [i for i in left if not before[i] & mask]
            at = min(ready, key=lambda i: prints[i].number)
            left.remove(at)
            mask &= ~(1 << at)
            order.append(prints[at])
        yield tuple(order)
