"""What a unit is to a fight: kinds, statuses, weapons, ratings. No map in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The kinds of unit the rules text tells apart (OVR-1 to OVR-3)."""

    AFV = "afv"
    VEHICLE = "vehicle"
    GUN = "gun"
    INFANTRY = "infantry"
    LEADER = "leader"

    @property
    def is_struck(self) -> bool:
        """Whether an overrun strikes units of this kind (OVR-2, OVR-3)."""
        return self is not Kind.AFV


class Side(Enum):
    """The two sides of a Movement Phase."""

    MOVER = "mover"
    DEFENDER = "defender"


class Aspect(Enum):
    """The face of an AFV that a shot strikes."""

    FRONT = "front"
    SIDE = "side"
    REAR = "rear"


@dataclass(frozen=True, slots=True)
class Status:
    """A state a unit can be in.

    ``loss`` is the share of the unit's worth that counts as lost (0 to 1); ``removed`` means that
    the unit is off the map.
    """

    name: str
    loss: float
    removed: bool = False
    may_fire: bool = True
    may_move: bool = True
    may_overrun: bool = True

    @property
    def can_fire(self) -> bool:
        """Whether a unit in it is there and may fire."""
        return self.may_fire and not self.removed


@dataclass(frozen=True, slots=True)
class Weapon:
    """One weapon of a unit type.

    ``at`` holds ``(range, rating)`` pairs, ranges ascending: the rating holds up to that range, and
    the weapon does not reach beyond the last. ``weapon_class`` is None for the unit's own armament.
    ``price`` is what spending a ``once`` weapon costs its side, in worth.
    """

    name: str
    apfp: int = 0
    at: tuple[tuple[int, int], ...] = ()
    weapon_class: str | None = None
    once: bool = False
    price: float = 0.0

    def at_rating(self, distance: int) -> int | None:
        """The AT rating at a range in hexes, or None when the weapon has none there."""
        for reach, rating in self.at:
            if distance <= reach:
                return rating
        return None


@dataclass(frozen=True, slots=True)
class CombatType:
    """The fighting side of a unit type: what the combat tables need to know."""

    name: str
    kind: Kind
    worth: float
    weapons: tuple[Weapon, ...] = ()
    armour: Mapping[Aspect, int] | None = None
    leadership: int = 0
    ratings: Mapping[str, int] | None = None

    def weapon(self, name: str) -> Weapon:
        """The weapon of that name. Raises KeyError when the type has none."""
        for weapon in self.weapons:
            if weapon.name == name:
                return weapon
        raise KeyError(name)
