"""Intervals of a mean within a known range: they leave the true mean out no more often than they
say, however alike the figures are; and they get narrow."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import prod

import pytest

from planner.play.betting import BOLD, gained, mean_within, stakes
from planner.play.standing import CONFIDENCE

LEVEL = 1.0 - CONFIDENCE
Draw = Callable[[random.Random], float]

FIGURES: dict[str, tuple[Draw, float]] = {
    "even": (lambda drawn: drawn.uniform(-1.0, 1.0), 0.0),
    "won or lost": (lambda drawn: drawn.choice([-1.0, 1.0]), 0.0),
    "won mostly": (lambda drawn: 1.0 if drawn.random() < 0.9 else -1.0, 0.8),
    "nearly always the same": (lambda drawn: -1.0 if drawn.random() < 0.02 else 0.2, 0.176),
    "nearly the same, seldom far off": (
        lambda drawn: 1.0 if drawn.random() < 0.01 else drawn.uniform(-0.01, 0.01),
        0.01,
    ),
    "always the same": (lambda drawn: 0.3, 0.3),
    "always the most": (lambda drawn: 1.0, 1.0),
}
"""Figures within -1 and 1, and their mean."""


def ever_left_out(name: str, run: int, most: int, every: int) -> bool:
    """Whether the interval leaves the mean out at any of the numbers of figures looked at."""
    draw, mean = FIGURES[name]
    drawn = random.Random(f"{name}/{run}")
    figures = [draw(drawn) for _ in range(most)]
    for number in range(every, most + 1, every):
        low, high = mean_within(figures[:number], -1.0, 1.0, LEVEL)
        if not low - 1e-9 <= mean <= high + 1e-9:
            return True
    return False


@pytest.mark.parametrize("name", FIGURES)
def test_the_mean_is_within_at_every_look(name: str) -> None:
    assert sum(ever_left_out(name, run, 60, 12) for run in range(20)) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_the_mean_is_within_at_every_look_in_many_runs(name: str) -> None:
    """The capital that bets against the true mean tells at once whether it is left out."""
    draw, mean = FIGURES[name]
    runs, left_out = 2000, 0
    for run in range(runs):
        drawn = random.Random(f"{name}/many/{run}")
        parts = [(draw(drawn) + 1.0) / 2.0 for _ in range(200)]
        bets, at = stakes(parts, LEVEL), (mean + 1.0) / 2.0
        left_out += any(
            wins(side, bets, centre)
            for side, centre in ((parts, at), ([1 - p for p in parts], 1 - at))
        )
    print(f"{name}: left out in {100 * left_out / runs:.2f} % of the runs")
    assert left_out <= LEVEL * runs


def wins(parts: list[float], bets: list[float], mean: float) -> bool:
    """Whether the capital of one gambler ever comes to what rules the mean out."""
    if mean <= 0.0:
        return False
    capital = 0.5
    for part, bet in zip(parts, bets, strict=True):
        capital *= 1.0 + min(bet, BOLD / mean) * (part - mean)
        if capital >= 1.0 / LEVEL:
            return True
    return False


@pytest.mark.parametrize("name", FIGURES)
def test_an_interval_is_every_mean_that_the_capital_does_not_rule_out(name: str) -> None:
    """Against a grid of means, each with its capital multiplied out."""
    draw, _ = FIGURES[name]
    drawn = random.Random(f"{name}/grid")
    parts = [(draw(drawn) + 1.0) / 2.0 for _ in range(40)]
    bets = stakes(parts, LEVEL)

    def capital(side: list[float], mean: float) -> float:
        steps = zip(side, bets, strict=True)
        return prod(1.0 + min(bet, BOLD / mean) * (part - mean) for part, bet in steps) / 2.0

    turned = [1.0 - part for part in parts]
    low, high = mean_within(parts, 0.0, 1.0, LEVEL)
    for step in range(1, 400):
        mean = step / 400
        left = max(capital(parts, mean), capital(turned, 1.0 - mean)) < 1.0 / LEVEL
        assert left == (low < mean < high), mean


def test_what_is_won_falls_with_the_mean() -> None:
    parts = [0.1, 0.9, 0.5, 0.7, 1.0, 0.0]
    bets = stakes(parts, LEVEL)
    won = [gained(parts, bets, step / 50) for step in range(1, 51)]
    assert won == sorted(won, reverse=True)


@pytest.mark.parametrize("name", FIGURES)
def test_it_gets_narrow_and_never_to_nothing(name: str) -> None:
    draw, _ = FIGURES[name]
    drawn = random.Random(f"{name}/narrow")
    figures = [draw(drawn) for _ in range(640)]
    widths = []
    for number in (10, 40, 160, 640):
        low, high = mean_within(figures[:number], -1.0, 1.0, LEVEL)
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    assert 0.0 < widths[-1] < 0.4


def test_two_figures_by_hand() -> None:
    """The stakes are the roots of 2 log 40 / (0.25 log 2) and 2 log 40 / (0.3125 log 3); what one
    half becomes comes to 20 where (1 + 6.525 x) (1 + 4.636 x) = 40, x being 1 less the mean."""
    assert stakes([1.0, 1.0], LEVEL) == pytest.approx([6.525, 4.636], abs=1e-3)
    assert mean_within([1.0, 1.0], 0.0, 1.0, LEVEL) == pytest.approx((0.0341, 1.0), abs=1e-4)
    assert mean_within([1.0], 0.0, 1.0, LEVEL) == pytest.approx((0.0, 1.0))
    assert mean_within([], 0.0, 1.0, LEVEL) == pytest.approx((0.0, 1.0))


@pytest.mark.parametrize(
    ("figures", "low", "high"), [([1.1], 0.0, 1.0), ([-0.1], 0.0, 1.0), ([], 1.0, 1.0)]
)
def test_out_of_the_range(figures: list[float], low: float, high: float) -> None:
    with pytest.raises(ValueError, match="within"):
        mean_within(figures, low, high, LEVEL)
