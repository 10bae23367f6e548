"""Where dice come from. Nothing in the game rolls by itself: whoever plays hands in the dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from typing import Protocol

from evaluation.dice import Dice


class Purpose(Enum):
    """What is rolled for: a shot on the AT table, an attack on the AP table, or a check that a
    result calls for."""

    SHOT = "shot"
    ATTACK = "attack"
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class Roll:
    """One throw of the game's dice, as far as it can be told before it is thrown.

    ``turn``, ``side`` (whose Movement Phase it is), ``afv`` (the AFV under way) and ``step`` (the
    number of hexes it has entered, the one in question included) say when; ``unit`` is the firer of
    a shot, the unit struck by an attack (None where one roll counts for the hex) or the unit that
    makes a check, ``check`` the check's number (0 for other rolls), ``by`` the firer whose shot
    called for it (None after an attack).

    For people: ``hex`` names where the AFV is shot at or the target hex; ``modifier`` is added to
    the dice; ``column`` is the column's heading on the chart, and ``rating`` what a check is passed
    at or below, modifier included.
    """

    purpose: Purpose
    turn: int
    side: str
    afv: str
    step: int
    unit: str | None
    check: int = 0
    by: str | None = None
    hex: str = ""
    modifier: int = 0
    column: int | None = None
    rating: int | None = None

    @property
    def key(self) -> str:
        """What the luck of a keyed throw hangs on: turn, side, AFV, window, purpose, units."""
        parts = (self.turn, self.side, self.afv, self.step, self.purpose.value)
        rest = (self.unit or "", self.check, self.by or "")
        return "|".join(str(part) for part in (*parts, *rest))


class DiceSource(Protocol):
    """Whoever throws the dice."""

    def roll(self, roll: Roll, dice: Dice) -> int:
        """The total of the dice, unmodified."""
        ...


@dataclass(frozen=True, slots=True)
class KeyedDice:
    """Dice whose luck hangs on the seed and on what is rolled for, and on nothing else: two games
    with one seed meet the same luck in the same window, whatever was rolled before."""

    seed: int | str

    def roll(self, roll: Roll, dice: Dice) -> int:
        """The total that seed and key fix."""
        total = dice.count
        for die in range(dice.count):
            # A word of 64 bits is so long that no side of a die is favoured measurably.
            text = f"{self.seed}|{die}|{roll.key}".encode()
            total += int.from_bytes(blake2b(text, digest_size=8).digest()) % dice.sides
        return total


class DiceError(ValueError):
    """Dice that can't be used: a total they can't show, or none left."""


class ForcedDice:
    """Totals given beforehand, used one after the other."""

    def __init__(self, totals: Iterable[int]) -> None:
        self._totals = iter(tuple(totals))

    def roll(self, roll: Roll, dice: Dice) -> int:
        """The next total. Raises DiceError when there is none, or the dice can't show it."""
        total = next(self._totals, None)
        if total is None:
            raise DiceError(f"no total is left for the {roll.purpose.value} of {roll.unit}")
        return checked_total(total, dice)


def checked_total(total: int, dice: Dice) -> int:
    """A total of the dice. Raises DiceError when they can't show it."""
    low, high = dice.count, dice.count * dice.sides
    if not low <= total <= high:
        raise DiceError(
            f"{dice.count} dice of {dice.sides} sides show {low} to {high}, not {total}"
        )
    return total
