"""A combat table read for one throw: which rolls give which result, in whole chances.

What the results then do to units is `evaluation.resolve`'s answer; here it is only written as a
fraction of equally likely throws.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.dice import Dice
from evaluation.tables import Change, CombatTable, Effect


@dataclass(frozen=True, slots=True)
class ResultOdds:
    """One result of a throw: the totals of the dice that give it, before any modifier, as
    ``(lowest, highest)`` of each run, and in how many of all equally likely throws."""

    result: str
    rolls: tuple[tuple[int, int], ...]
    ways: int
    combinations: int

    @property
    def probability(self) -> float:
        """The chance of the result."""
        return self.ways / self.combinations


@dataclass(frozen=True, slots=True)
class Reading:
    """A combat table at one strength and modifier.

    ``column`` is the heading of the column used, None below the first one. ``results`` hold every
    result that can be rolled, ``"-"`` included, by their lowest roll.
    """

    strength: int
    modifier: int
    column: int | None
    results: tuple[ResultOdds, ...]


def read_table(table: CombatTable, strength: int, modifier: int, dice: Dice) -> Reading:
    """What each roll gives on the table; ``modifier`` is added to the roll."""
    runs: dict[str, list[tuple[int, int]]] = {}
    ways: dict[str, int] = {}
    for total, count in dice.ways:
        result = table.result(strength, total + modifier)
        found = runs.setdefault(result, [])
        if found and found[-1][1] == total - 1:
            found[-1] = (found[-1][0], total)
        else:
            found.append((total, total))
        ways[result] = ways.get(result, 0) + count
    index = table.column(strength)
    return Reading(
        strength,
        modifier,
        None if index is None else table.columns[index],
        tuple(
            ResultOdds(result, tuple(rolls), ways[result], dice.combinations)
            for result, rolls in runs.items()
        ),
    )


def throws(effects: Iterable[Effect]) -> int:
    """How many throws settle a result and the longest chain of checks that it calls for."""
    return 1 + max((_checks(effect) for effect in effects), default=0)


def _checks(effect: Effect) -> int:
    if isinstance(effect, Change):
        return 0
    return 1 + max(_checks(effect.passed), _checks(effect.failed))


_EXACT_UP_TO = 10**9


def whole_chance(probability: float, dice: Dice, most_throws: int) -> tuple[int, int] | None:
    """A probability settled by so many throws as ``(ways, combinations)``, of the fewest throws
    that it is a whole number of ways of; None where floats are too coarse to tell.

    >>> whole_chance(7 / 12, Dice(2, 6), 1)
    (21, 36)
    """
    for count in range(1, most_throws + 1):
        combinations = dice.combinations**count
        if combinations > _EXACT_UP_TO:
            return None
        ways = probability * combinations
        if abs(ways - round(ways)) < 1e-6:
            return round(ways), combinations
    return None
