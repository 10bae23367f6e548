"""A script of moves made ready for evaluation: what is asked, when, of which group.

What is certain beforehand (a hex that no earlier move strikes stays as it is) has been settled by
`evaluation.build`; what the dice may change is a question to a group or to the place where an AFV
stands.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from evaluation.chain import Chain, Link
from evaluation.group import Group
from evaluation.script import Combatant, Move, Objective, Place
from evaluation.units import Side, Status


class Defence(Enum):
    """How the defender decides. ``BEST`` is the best reply; the others are rules of thumb.

    ``FIRE_AT_ONCE`` declares, in every window, whatever shot can still change the AFV's status, the
    one first that is expected to cost it most; ``HOLD`` makes only Final Opportunity Fire, and so.
    """

    BEST = "best"
    FIRE_AT_ONCE = "fire-at-once"
    HOLD = "hold"


Key = tuple[str, Hashable]
"""What an axis stands for: ``("group", place)`` or ``("stand", AFV)``."""


@dataclass(frozen=True, eq=False)
class Space:
    """The situations between two moves, as classes that what follows can tell apart.

    ``members[key]`` has one state (or place) of each class, ``classes[key]`` the class of every
    one; ``axes`` are the keys with more than one class, in the order of a value array's axes.
    ``struck`` are the places that may have been struck before, ``moved`` the AFVs that have moved.
    """

    axes: tuple[Key, ...]
    members: Mapping[Key, tuple[Hashable, ...]]
    classes: Mapping[Key, Mapping[Hashable, int]]
    struck: frozenset[Place]
    moved: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an array of values over the situations."""
        return tuple(len(self.members[key]) for key in self.axes)


@dataclass(frozen=True, slots=True)
class LinkRef:
    """A link of a chain: the axis and the link's number in its chain."""

    axis: int
    link: int


@dataclass(frozen=True, slots=True)
class Room:
    """Whether there is room where a move ends: sizes that may still be taken, and the AFVs that
    moved before and may stand there, with their sizes."""

    left: int
    others: tuple[tuple[LinkRef, int], ...]


@dataclass(frozen=True, slots=True)
class Guard:
    """What must hold when the move's turn comes: every question answered yes, and room."""

    asks: tuple[LinkRef, ...]
    room: Room | None


@dataclass(frozen=True, slots=True)
class WindowStage:
    """The AFV enters a place and the window there; ``before_strike``: the overrun comes next."""

    place: Place
    fires: tuple[LinkRef, ...]
    before_strike: bool

    def halts(self, status: Status) -> bool:
        """Whether an AFV in this status stops in the place just entered."""
        stuck = self.before_strike and not status.may_overrun
        return status.removed or not status.may_move or stuck


@dataclass(frozen=True, slots=True)
class StrikeStage:
    """The attack on a group; ``price`` is that of the mover's once-weapons it spends."""

    place: Place
    ref: LinkRef
    price: float


Stage = WindowStage | StrikeStage


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of the plan. ``impossible``: it will certainly be skipped. ``stand`` is the axis of
    the place where it then stands, when something later asks for it."""

    unit: Combatant
    move: Move
    stages: tuple[Stage, ...] = ()
    guard: Guard | None = None
    impossible: bool = False
    stand: int | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """An objective as the plan can change it: who is certainly there, and who may be."""

    objective: Objective
    defender_there: bool
    defender: LinkRef | None
    mover_there: bool
    movers: tuple[LinkRef, ...]


Start = int | NDArray[np.intp] | None
"""Where an axis begins: in one class; in one for each class of the space before the plan; or (None,
for the place of an AFV of the plan) nowhere before its own move."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan ready for evaluation: ``chains[axis]`` and ``starts[axis]``.

    ``holdings`` are the objectives that the dice may change, ``settled`` those whose change is
    certain, with the worth of it. The first axes are those of ``groups``, the others AFVs' places.
    ``after`` are the axes of the values that the plan leads to (none: it ends the Movement Phase),
    ``before`` those of its own values; None there for an axis that the plan has nothing to do with.
    """

    turns: tuple[Turn, ...]
    groups: tuple[Group, ...]
    chains: tuple[Chain[Hashable], ...]
    starts: tuple[Start, ...]
    holdings: tuple[Holding, ...]
    settled: tuple[tuple[Objective, float], ...]
    after: tuple[int, ...] = ()
    before: tuple[int | None, ...] = ()

    def link(self, ref: LinkRef) -> Link:
        """The event as the classes of its axis see it."""
        return self.chains[ref.axis].links[ref.link]

    def passed(self, classes: Sequence[int], refs: Iterable[LinkRef]) -> tuple[int, ...]:
        """The classes of all axes after events that leave the state alone."""
        new = list(classes)
        for ref in refs:
            new[ref.axis] = int(self.link(ref).passes[new[ref.axis]])
        return tuple(new)

    @property
    def first_classes(self) -> tuple[int, ...]:
        """The class that each axis begins in; the place of an AFV of the plan has none before its
        own move."""
        return tuple(start if isinstance(start, int) else 0 for start in self.starts)

    @property
    def constant(self) -> float:
        """The worth of the changes that are certain."""
        return sum(change for _, change in self.settled)


def objective_change(objective: Objective, mover_there: bool, defender_there: bool) -> float:
    """Worth of an objective gained (or, below 0, lost) when the Movement Phase ends so."""
    if mover_there and not defender_there and objective.held_by is not Side.MOVER:
        return objective.worth
    if defender_there and not mover_there and objective.held_by is Side.MOVER:
        return -objective.worth
    return 0.0
