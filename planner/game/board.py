"""The board: what lies in each hex and on each hexside, and how hexes are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from planner.game.hexes import Direction, Hex, Orientation


class Numbering(Protocol):
    """Names of hexes on a map, both ways."""

    def name(self, hex_: Hex) -> str:
        """What the hex is called."""
        ...

    def parse(self, name: str) -> Hex:
        """The hex of that name. Raises ValueError (saying what would be right) when none is."""
        ...

    @property
    def pattern(self) -> str:
        """A regular expression for one whole name, by which move notation is taken apart."""
        ...


@dataclass(frozen=True, slots=True)
class Ground:
    """What is in one hex: names into the rules' terrain and features."""

    terrain: str
    elevation: int = 0
    features: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Board:
    """The map. ``edges`` and ``paths`` are keyed by ``(hex, neighbour)`` and hold both orders.

    Compared by identity; a board never changes in play.
    """

    orientation: Orientation
    numbering: Numbering
    ground: Mapping[Hex, Ground]
    edges: Mapping[tuple[Hex, Hex], tuple[str, ...]]
    paths: Mapping[tuple[Hex, Hex], tuple[str, ...]]

    def __contains__(self, hex_: Hex) -> bool:
        return hex_ in self.ground

    def name(self, hex_: Hex) -> str:
        """What the hex is called on this map."""
        return self.numbering.name(hex_)

    def direction_name(self, direction: Direction) -> str:
        """What the direction is called on this map."""
        return self.orientation.name_of(direction)
