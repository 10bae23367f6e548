"""Every way that dice can fall, for anything that throws them one after the other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import TypeVar

from evaluation.dice import Dice

_T = TypeVar("_T", bound=Hashable)


class _NotThrownError(Exception):
    """The totals given are used up."""


def every_throw(
    dice: Dice, what: Callable[[Callable[[], int]], _T]
) -> Iterator[tuple[_T, Fraction]]:
    """What comes of each way the dice fall, with its probability. ``what`` is called with a
    function that throws the dice, again and again until every way has been tried."""
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        totals, chance = waiting.pop()
        left = iter(totals)

        def throw(left: Iterator[int] = left) -> int:
            total = next(left, None)
            if total is None:
                raise _NotThrownError
            return total

        try:
            yield what(throw), chance
        except _NotThrownError:
            waiting += [
                ((*totals, total), chance * Fraction(ways, dice.combinations))
                for total, ways in dice.ways
            ]


def frequencies(dice: Dice, what: Callable[[Callable[[], int]], _T]) -> dict[_T, Fraction]:
    """The probability of each thing that can come of it."""
    found: dict[_T, Fraction] = {}
    for came, chance in every_throw(dice, what):
        found[came] = found.get(came, Fraction(0)) + chance
    return found
