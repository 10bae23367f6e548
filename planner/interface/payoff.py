"""A payoff's distribution in short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor

from planner.interface.words import percent, signed

Payoff = Sequence[tuple[float, float]]
"""``(payoff, probability)``, payoffs ascending."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""As far from the one end as from the other."""
_SLACK = 1e-9


def mean(payoff: Payoff) -> float:
    """The expected payoff."""
    return sum(value * p for value, p in payoff)


def chance_below(payoff: Payoff, limit: float) -> float:
    """The chance of a payoff below ``limit``."""
    return sum(p for value, p in payoff if value < limit - _SLACK)


def quantiles(payoff: Payoff) -> dict[float, float]:
    """For each share the least payoff that is not exceeded with at least that chance.

    >>> quantiles([(-5.0, 0.5), (3.0, 0.5)])
    {0.05: -5.0, 0.25: -5.0, 0.5: -5.0, 0.75: 3.0, 0.95: 3.0}
    """
    found = {}
    for share in QUANTILES:
        total = 0.0
        for value, p in payoff:
            total += p
            if total >= share - _SLACK:
                found[share] = value
                break
        else:
            found[share] = payoff[-1][0]
    return found


def quantile_texts(payoff: Payoff) -> list[str]:
    """The quantiles in words: how bad the bad cases are, and how good the good ones.

    >>> for line in quantile_texts([(-5.0, 0.5), (3.0, 0.5)]):
    ...     print(line)
    in the worst 5 % of cases -5.00 or less, in the worst 25 % -5.00 or less
    in the middle case -5.00
    in the best 25 % +3.00 or more, in the best 5 % +3.00 or more
    """
    found = quantiles(payoff)
    low, lower, middle, upper, high = (signed(found[share]) for share in QUANTILES)
    few, many, *_ = map(percent, QUANTILES)
    return [
        f"in the worst {few} of cases {low} or less, in the worst {many} {lower} or less",
        f"in the middle case {middle}",
        f"in the best {many} {upper} or more, in the best {few} {high} or more",
    ]


def bars(payoff: Payoff, most: int = 12, width: int = 40) -> list[tuple[str, float, str]]:
    """At most so many rows ``(payoffs, chance, bar)``: each payoff by itself when there are few,
    else ranges of one round width, zero between two of them; a range holds its lower end and not
    its upper one. The longest bar has ``width`` marks."""
    if len(payoff) <= most:
        rows = [(signed(value), p) for value, p in payoff]
    else:
        rows = _ranges(payoff, most)
    longest = max(p for _, p in rows)
    return [(label, p, "#" * round(width * p / longest)) for label, p in rows]


def _ranges(payoff: Payoff, most: int) -> list[tuple[str, float]]:
    step = next(step for step in _round_steps() if _count(payoff, step) <= most)
    first = _index(payoff[0][0], step)
    chances = [0.0] * _count(payoff, step)
    for value, p in payoff:
        chances[_index(value, step) - first] += p
    return [
        (f"{_whole(step * (first + index))} to {_whole(step * (first + index + 1))}", p)
        for index, p in enumerate(chances)
    ]


def _round_steps() -> Iterator[Fraction]:
    power = Fraction(1, 100)
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _index(value: float, step: Fraction) -> int:
    return floor(value / float(step) + _SLACK)


def _count(payoff: Payoff, step: Fraction) -> int:
    return _index(payoff[-1][0], step) - _index(payoff[0][0], step) + 1


def _whole(value: Fraction) -> str:
    return signed(float(value), 0 if value.denominator == 1 else 2)
