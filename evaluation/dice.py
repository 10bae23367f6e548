"""Dice as distributions: nothing here rolls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb


@dataclass(frozen=True)
class Dice:
    """The dice of a game: ``count`` dice of ``sides`` sides, added up.

    >>> Dice(2, 6).at_most(5)
    0.2777777777777778
    """

    count: int
    sides: int

    @property
    def combinations(self) -> int:
        """The number of equally likely throws."""
        return int(self.sides**self.count)

    @cached_property
    def ways(self) -> tuple[tuple[int, int], ...]:
        """``(total, number of ways to roll it)``, totals ascending."""
        return _ways(self.count, self.sides)

    @cached_property
    def distribution(self) -> tuple[tuple[int, float], ...]:
        """``(total, probability)``, totals ascending; the probabilities add up to 1."""
        return tuple((total, ways / self.combinations) for total, ways in self.ways)

    def at_most(self, limit: float) -> float:
        """The probability of a total at or below ``limit``."""
        below = sum(ways for total, ways in self.ways if total <= limit)
        return below / self.combinations


@lru_cache(maxsize=64)
def _ways(count: int, sides: int) -> tuple[tuple[int, int], ...]:
    """Number of ways for each total, by the inclusion-exclusion formula for equal dice."""
    result = []
    for total in range(count, count * sides + 1):
        rest = total - count
        ways = sum(
            (-1) ** k * comb(count, k) * comb(rest - sides * k + count - 1, count - 1)
            for k in range(rest // sides + 1)
            if k <= count
        )
        result.append((total, ways))
    return tuple(result)
