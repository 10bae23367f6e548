"""Hexes in axial coordinates, the one system used inside the program.

``q`` counts columns (flat-top) and ``r`` runs down the hexside that is vertical in a flat-top map.
The six directions are the same six steps in both orientations; only their names differ::

    flat-top                      pointy-top

          N=0                     NW=0   NE=1
     NW=5     NE=1
          hex                   W=5   hex   E=2
     SW=4     SE=2
          S=3                     SW=4   SE=3

Everything here is exact integer arithmetic.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import NamedTuple


class Hex(NamedTuple):
    """A hex by its axial coordinates."""

    q: int
    r: int

    def neighbour(self, direction: Direction) -> Hex:
        """The hex beyond the hexside in that direction."""
        dq, dr = STEPS[direction]
        return Hex(self.q + dq, self.r + dr)

    def distance(self, other: Hex) -> int:
        """Range in hexes: the least number of steps from one to the other."""
        dq, dr = self.q - other.q, self.r - other.r
        return max(abs(dq), abs(dr), abs(dq + dr))

    def direction_to(self, other: Hex) -> Direction | None:
        """The direction of an adjacent hex, or None when the two are not neighbours."""
        return _DIRECTION_OF.get((other.q - self.q, other.r - self.r))


class Direction(IntEnum):
    """One of the six directions (and hexsides), clockwise; the name is ``Orientation.names``'s."""

    D0 = 0
    D1 = 1
    D2 = 2
    D3 = 3
    D4 = 4
    D5 = 5

    @property
    def opposite(self) -> Direction:
        """The direction straight back."""
        return DIRECTIONS[(self + 3) % 6]

    def turned(self, hexsides: int) -> Direction:
        """The direction after turning that many hexsides clockwise (negative: the other way)."""
        return DIRECTIONS[(self + hexsides) % 6]

    def turns_to(self, other: Direction) -> int:
        """The least number of hexsides turned from this facing to the other, 0 to 3."""
        clockwise = (other - self) % 6
        return min(clockwise, 6 - clockwise)


DIRECTIONS = tuple(Direction)
STEPS: tuple[tuple[int, int], ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_DIRECTION_OF = {step: Direction(index) for index, step in enumerate(STEPS)}


class Orientation(Enum):
    """How the map's hexes lie."""

    FLAT = "flat"
    POINTY = "pointy"

    @property
    def names(self) -> tuple[str, ...]:
        """The directions' names, by their number."""
        return _NAMES[self]

    def name_of(self, direction: Direction) -> str:
        """The direction's name on such a map.

        >>> Orientation.POINTY.name_of(Direction.D2)
        'E'
        """
        return _NAMES[self][direction]

    def direction(self, name: str) -> Direction:
        """The direction of that name. Raises ValueError when there is none on such a map."""
        try:
            return DIRECTIONS[_NAMES[self].index(name)]
        except ValueError:
            known = ", ".join(_NAMES[self])
            raise ValueError(f"{name!r} is no direction on this map (one of {known})") from None


_NAMES = {
    Orientation.FLAT: ("N", "NE", "SE", "S", "SW", "NW"),
    Orientation.POINTY: ("NW", "NE", "E", "SE", "SW", "W"),
}


class Offset(Enum):
    """Which columns (flat) are shoved half a hex down, or rows (pointy) half a hex right, counted
    from 0."""

    ODD = "odd"
    EVEN = "even"
