"""How many moves there are, whatever they are worth: each simple path counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from planner.game.hexes import Direction, Hex
from planner.game.position import Position
from planner.game.weapons import usable_weapons
from planner.search.movers import Mover
from planner.search.openings import Openings
from planner.search.stacking import Stacking

MOST_STEPS = 400_000
"""Strides looked at before the counting is given up (about a second)."""


class _TooManyError(Exception):
    pass


MoveLine = tuple[str, Hex | None, Direction | None]
"""AFV, target hex and direction of travel; both None for all its plain moves together."""


def moves_by_line(
    position: Position,
    movers: Sequence[Mover],
    openings: Openings,
    stacking: Stacking,
    most_steps: int = MOST_STEPS,
) -> Counter[MoveLine] | None:
    """The number of moves along simple paths that are legal or may become so, line by line:
    overruns with every choice of passengers' weapons, and the plain moves in question. None after
    ``most_steps``."""
    counter = _Counter(position, openings, stacking, most_steps)
    try:
        for mover in movers:
            counter.add(mover)
    except _TooManyError:
        return None
    return counter.found


class _Counter:
    def __init__(
        self, position: Position, openings: Openings, stacking: Stacking, most: int
    ) -> None:
        self._position = position
        self._openings = openings
        self._stacking = stacking
        self._left = most
        self.found: Counter[MoveLine] = Counter()

    def add(self, mover: Mover) -> None:
        """Count the moves of one AFV."""
        name = mover.unit.id
        plain = self._stacking.plain(name)
        rest = self._stacking.rest[name]
        choices = 2 ** len(usable_weapons(self._position, mover.unit))
        may_take = mover.taking(self._openings.allowed(name))
        possible: dict[frozenset[Hex], bool] = {}

        def go_on(node: int, weight: int, path: tuple[Hex, ...], needs: frozenset[Hex]) -> None:
            for stride in mover.strides.of(node):
                self._left -= 1
                if self._left < 0:
                    raise _TooManyError
                further = weight + stride.weight
                left = rest.get(stride.node)
                leads_on = plain or (left is not None and further + left <= mover.cutoff)
                if further > mover.cutoff or not leads_on or not may_take(stride):
                    continue
                needed = needs if stride.needs is None else needs | {stride.needs}
                if needed not in possible:
                    possible[needed] = self._openings.possible(name, needed)
                if not possible[needed]:
                    continue
                if stride.target is not None:
                    if stride.target not in needed:
                        direction = stride.target.direction_to(stride.hex)
                        self.found[name, stride.target, direction] += choices
                elif stride.hex not in path:
                    if plain and stride.hex not in mover.closed:
                        self.found[name, None, None] += 1
                    go_on(stride.node, further, (*path, stride.hex), needed)

        go_on(mover.start, 0, (mover.unit.hex,), frozenset())
