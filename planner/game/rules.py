"""A rules file as the program holds it: every chart of the game, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from evaluation.rules import CombatRules
from evaluation.units import CombatType, Kind

Points = int | Fraction
"""Movement points, exact: whole where they can be (charts with half points exist)."""


@dataclass(frozen=True, slots=True)
class MovementClass:
    """How a class of units moves: cost per hexside turned, per level climbed, and the steepest
    climb or descent in levels."""

    name: str
    turn: Points
    uphill: Points
    max_climb: int


@dataclass(frozen=True, slots=True)
class Terrain:
    """A terrain; a movement class that ``cost`` does not name may not enter."""

    name: str
    cost: Mapping[str, Points]
    cover: int = 0
    at_cover: int = 0
    height: Points = 0
    building: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """A kind of hexside; ``cost`` is added to that of the hex entered."""

    name: str
    cost: Mapping[str, Points]
    bars: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Path:
    """A kind of road; along it ``cost`` is the whole cost, for the classes it names."""

    name: str
    cost: Mapping[str, Points]


@dataclass(frozen=True, slots=True)
class Feature:
    """Something in a hex: foxholes, a bunker, a blaze."""

    name: str
    cost: Mapping[str, Points]
    cover: int = 0
    at_cover: int = 0
    height: Points = 0
    bars: frozenset[str] = frozenset()
    bunker: bool = False


@dataclass(frozen=True, slots=True)
class UnitType:
    """A type of unit: what it is in a fight, and how it moves, carries and takes room.

    ``arc`` is the field of fire in degrees to each side of the facing, None for all round.
    """

    name: str
    combat: CombatType
    movement_class: str
    movement: Points
    capacity: int = 0
    size: int = 1
    arc: Fraction | None = None

    @property
    def kind(self) -> Kind:
        """The kind of unit."""
        return self.combat.kind


@dataclass(frozen=True, eq=False)
class Rules:
    """A whole rules file. Compared by identity.

    ``front`` and ``rear`` are the aspect angles in degrees; ``recovery[kind]`` maps statuses at the
    end of a turn; ``overrun_cost`` is the overrun's own movement points (OVR-14).
    """

    name: str
    combat: CombatRules
    overrun_cost: Points
    stacking_limit: int
    front: Fraction
    rear: Fraction
    classes: Mapping[str, MovementClass]
    terrain: Mapping[str, Terrain]
    edges: Mapping[str, Edge]
    paths: Mapping[str, Path]
    features: Mapping[str, Feature]
    types: Mapping[str, UnitType]
    recovery: Mapping[Kind, Mapping[str, str]]
