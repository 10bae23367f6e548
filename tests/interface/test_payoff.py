from __future__ import annotations

import pytest

from planner.interface.payoff import bars, chance_below, mean, quantiles

EVEN = [(float(value), 0.05) for value in range(-10, 10)]


def test_mean_and_chance_below() -> None:
    assert mean(EVEN) == pytest.approx(-0.5)
    assert chance_below(EVEN, 0.0) == pytest.approx(0.5)
    assert chance_below([(-1e-12, 0.5), (1.0, 0.5)], 0.0) == 0.0


def test_quantiles() -> None:
    assert quantiles(EVEN) == {0.05: -10.0, 0.25: -6.0, 0.5: -1.0, 0.75: 4.0, 0.95: 8.0}


def test_few_payoffs_have_a_bar_each() -> None:
    assert bars([(-1.0, 0.2), (2.5, 0.8)], width=8) == [
        ("-1.00", 0.2, "##"),
        ("+2.50", 0.8, "########"),
    ]


@pytest.mark.parametrize(("most", "labels"), [(10, 10), (12, 10), (4, 4), (3, 2)])
def test_many_payoffs_share_ranges_that_meet_at_zero(most: int, labels: int) -> None:
    found = bars(EVEN, most)
    assert len(found) == labels
    assert sum(p for _, p, _ in found) == pytest.approx(1)
    assert sum(p for label, p, _ in found if label.startswith("-")) == pytest.approx(0.5)
    assert any(label.startswith("0 to +") for label, _, _ in found)


def test_a_payoff_on_a_bound_belongs_to_the_range_above() -> None:
    found = bars([(0.1 * index, 0.1) for index in range(10)], most=5)
    assert [(label, round(p, 9)) for label, p, _ in found] == [
        ("0 to +0.20", 0.2),
        ("+0.20 to +0.40", 0.2),
        ("+0.40 to +0.60", 0.2),
        ("+0.60 to +0.80", 0.2),
        ("+0.80 to +1", 0.2),
    ]
