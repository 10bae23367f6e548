"""The mean of figures of which nothing is known but their range, told with honest certainty
however many there are.

The *hedged capital process* of Waudby-Smith and Ramdas, "Estimating means of bounded random
variables by betting" (Journal of the Royal Statistical Society B 86, 2024; theorem 3 and the stakes
of section 4). For each mean that is thought possible two gamblers begin with one half each; the one
bets that every next figure is above it, the other that it is below, with stakes that hang on the
figures before alone. If that is the mean, neither can expect to gain; so the capital of either ever
comes to ``1 / level`` with a probability of at most ``level`` (Ville's inequality). Those means
where it has not are left: with a probability of ``1 - level`` the true one is among them at every
number of figures at once. Nothing is asymptotic, and figures that are all alike are no certainty:
one that is rare and far off may just not have come yet.

What is taken for granted: whatever came before, each next figure has the same mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt

BOLD = 0.75
"""The part of its capital that a gambler risks at most."""
HALVINGS = 40


def mean_within(
    figures: Sequence[float], low: float, high: float, level: float
) -> tuple[float, float]:
    """The ends of the means that are left of those between ``low`` and ``high``, the range that no
    figure leaves. The same figures in another order may leave others.

    Raises:
        ValueError: a figure is out of the range, or the range is empty.
    """
    if not low < high or not all(low <= figure <= high for figure in figures):
        raise ValueError(f"figures are to lie within {low} and {high}")
    span = high - low
    parts = [(figure - low) / span for figure in figures]
    bets = stakes(parts, level)
    limit = log(2.0 / level)
    above = _edge(parts, bets, limit)
    below = _edge([1.0 - part for part in parts], bets, limit)
    return low + span * above, high - span * below


def stakes(parts: Sequence[float], level: float) -> list[float]:
    """How much is bet on each figure, before the truncation that no gambler can lose more than
    `BOLD` of his capital: what is best for the mean and variance of the figures before."""
    found = []
    mean, squares, total = 0.5, 0.25, 0.5
    for number, part in enumerate(parts, start=1):
        variance = squares / number
        found.append(sqrt(2.0 * log(2.0 / level) / (variance * number * log(1.0 + number))))
        total += part
        mean = total / (number + 1)
        squares += (part - mean) ** 2
    return found


def _edge(parts: Sequence[float], bets: Sequence[float], limit: float) -> float:
    """The greatest mean, of those below all that are left, that is ruled out because too much is
    won by betting on more. What is won falls with the mean."""
    outside, inside = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2.0
        if gained(parts, bets, middle) >= limit:
            outside = middle
        else:
            inside = middle
    return outside


def gained(parts: Sequence[float], bets: Sequence[float], mean: float) -> float:
    """The logarithm of what one unit of capital has become by betting that figures are above this
    mean, which is above 0."""
    most = BOLD / mean
    return sum(
        log(1.0 + min(bet, most) * (part - mean)) for part, bet in zip(parts, bets, strict=True)
    )
