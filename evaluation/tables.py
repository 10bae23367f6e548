"""Combat tables and what their results do: the charts, read exactly as a player reads them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.dice import Dice

NO_EFFECT = "-"


@dataclass(frozen=True, slots=True)
class CombatTable:
    """The AP or the AT Combat Table (formats page, "Combat table").

    ``columns`` and ``rolls`` ascend; ``cells[row][column]`` is a result's name or ``"-"``.
    """

    columns: tuple[int, ...]
    rolls: tuple[int, ...]
    cells: tuple[tuple[str, ...], ...]

    def column(self, strength: float) -> int | None:
        """Index of the greatest column not above ``strength``; None below the first column."""
        index = bisect_right(self.columns, strength) - 1
        return index if index >= 0 else None

    def row(self, modified_roll: float) -> int:
        """Index of the greatest row not above the roll; the first row below the first entry."""
        return max(0, bisect_right(self.rolls, modified_roll) - 1)

    def result(self, strength: float, modified_roll: float) -> str:
        """The result of one roll, ``"-"`` for none."""
        column = self.column(strength)
        return NO_EFFECT if column is None else self.cells[self.row(modified_roll)][column]

    def results(self, strength: float, modifier: int, dice: Dice) -> tuple[tuple[str, float], ...]:
        """Every result's probability, ``"-"`` included, in text order."""
        chance: dict[str, int] = {}
        for total, ways in dice.ways:
            result = self.result(strength, total + modifier)
            chance[result] = chance.get(result, 0) + ways
        return tuple((result, chance[result] / dice.combinations) for result in sorted(chance))


@dataclass(frozen=True, slots=True)
class Change:
    """A result's effect: old status to new. A status it does not name stays."""

    to: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Check:
    """A result that calls for a check: the dice against a rating, passed at or below
    rating + modifier."""

    rating: str
    modifier: int
    passed: Effect
    failed: Effect


Effect = Change | Check
NOTHING = Change({})


def effect_outcomes(
    effect: Effect, status: str, ratings: Mapping[str, int], dice: Dice
) -> tuple[tuple[str, float], ...]:
    """What a result makes of a unit in ``status``: ``(new status, probability)``, in text order.

    Raises KeyError when the unit has no rating that a check asks for.
    """
    if isinstance(effect, Change):
        return ((effect.to.get(status, status), 1.0),)
    pass_chance = dice.at_most(ratings[effect.rating] + effect.modifier)
    chance: dict[str, float] = {}
    for branch, weight in ((effect.passed, pass_chance), (effect.failed, 1.0 - pass_chance)):
        if weight > 0.0:
            for new, p in effect_outcomes(branch, status, ratings, dice):
                chance[new] = chance.get(new, 0.0) + weight * p
    return tuple(sorted(chance.items()))
