"""What a match says about two players, with honest intervals that may be looked at all the time.

A match is looked at after every pair of games and may be stopped at any of them, so ordinary
intervals would be too narrow: they hold for one look. Those here are *confidence sequences*: with
the stated probability they hold at every number of pairs at once (Robbins 1970, "Statistical
methods related to the law of the iterated logarithm"). That of the mean difference does so without
a doubt where it is known how far differences go (`planner.play.betting`). Else it holds in the
limit (Waudby-Smith et al. 2021, "Time-uniform central limit theory and asymptotic confidence
sequences"), and there is none as long as all pairs are alike: no spread seen is no certainty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma, log, sqrt

from planner.play.betting import mean_within

CONFIDENCE = 0.95
SAME = 1e-9
"""Payoffs closer than this are equal: a drawn pair."""
PRIOR_PAIRS = 50
"""The number of pairs at which the interval of the mean is to be narrowest for its kind."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with the range that it lies in with the stated confidence."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Standing:
    """How the first player stands after so many pairs.

    ``wins``, ``draws``, ``losses`` count pairs: a pair is won by the player whose payoffs in its
    two games add up to more. ``share``: the share of wins among pairs not drawn (None: all were).
    ``margin``: the mean difference of the payoffs of a pair. ``evidence``: how much likelier what
    was seen is under some other share of wins than under one half (a Bayes factor whose inverse is
    a p-value at any time). ``most``: how far the difference of a pair goes either way, if that is
    known; then the margin's interval holds without a doubt, else in the limit.
    """

    pairs: int
    wins: int
    draws: int
    losses: int
    share: Interval | None
    margin: Interval
    evidence: float
    most: float | None = None

    @property
    def decided(self) -> bool:
        """Whether one of the two is the better with the stated confidence."""
        return self.evidence >= 1.0 / (1.0 - CONFIDENCE)


def standing(differences: Sequence[float], most: float | None = None) -> Standing:
    """The standing after pairs with these differences of payoff, the first player's less the
    other's. ``most``: how far a difference goes either way, if that is known.

    Raises:
        ValueError: a difference is greater than ``most``.
    """
    wins = sum(1 for d in differences if d > SAME)
    losses = sum(1 for d in differences if d < -SAME)
    return Standing(
        len(differences),
        wins,
        len(differences) - wins - losses,
        losses,
        _share(wins, losses),
        _margin(differences) if most is None else _bounded_margin(differences, most),
        exp(min(700.0, _log_evidence(wins, losses, 0.5))),
        most,
    )


def _log_evidence(wins: int, losses: int, share: float) -> float:
    """The logarithm of the mixture likelihood of the wins, over all shares (Jeffreys' prior), to
    that under one share."""

    def beta(a: float, b: float) -> float:
        return lgamma(a) + lgamma(b) - lgamma(a + b)

    mixed = beta(wins + 0.5, losses + 0.5) - beta(0.5, 0.5)
    return mixed - wins * log(share) - losses * log(1.0 - share)


def _share(wins: int, losses: int) -> Interval | None:
    """The share of wins, with all shares that the evidence does not speak against."""
    if wins + losses == 0:
        return None
    value = wins / (wins + losses)
    limit = -log(1.0 - CONFIDENCE)

    def edge(inside: float, outside: float) -> float:
        for _ in range(60):
            middle = (inside + outside) / 2.0
            if _log_evidence(wins, losses, middle) < limit:
                inside = middle
            else:
                outside = middle
        return outside

    within = min(max(value, 1e-12), 1.0 - 1e-12)
    low = 0.0 if wins == 0 else edge(within, 0.0)
    high = 1.0 if losses == 0 else edge(within, 1.0)
    return Interval(value, low, high)


def _margin(differences: Sequence[float]) -> Interval:
    """The mean difference, with an interval that holds at all numbers of pairs, asymptotically;
    without one as long as all are alike."""
    n = len(differences)
    mean = sum(differences) / max(1, n)
    if n == 0 or max(differences) - min(differences) <= SAME:
        return Interval(mean, -inf, inf)
    variance = sum((d - mean) ** 2 for d in differences) / (n - 1)
    alpha = 1.0 - CONFIDENCE
    rho = _rho(alpha)
    scaled = n * rho**2 + 1.0
    half = sqrt(variance * 2.0 * scaled / (n**2 * rho**2) * log(sqrt(scaled) / alpha))
    return Interval(mean, mean - half, mean + half)


def _bounded_margin(differences: Sequence[float], most: float) -> Interval:
    """The mean difference, with an interval that holds at all numbers of pairs."""
    mean = sum(differences) / max(1, len(differences))
    if not most > 0.0:
        if any(differences):
            raise ValueError("a difference is greater than the most that there can be")
        return Interval(0.0, 0.0, 0.0)
    # By rounding a difference may be a little more than is possible.
    held = [min(most, max(-most, d)) if abs(d) <= most + SAME else d for d in differences]
    low, high = mean_within(held, -most, most, 1.0 - CONFIDENCE)
    return Interval(mean, min(low, mean), max(high, mean))


def _rho(alpha: float) -> float:
    """The mixture's width that is best at `PRIOR_PAIRS` (Waudby-Smith et al. 2021)."""
    spread = -2.0 * log(alpha) + log(-2.0 * log(alpha)) + 1.0
    return sqrt(spread / PRIOR_PAIRS)
