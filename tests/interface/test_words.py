from __future__ import annotations

import pytest

from evaluation.units import Status
from planner.interface.words import chance_removed, percent, signed, statuses_text

STATUSES = {
    "ready": Status("ready", 0.0),
    "down": Status("down", 0.2, may_fire=False),
    "gone": Status("gone", 1.0, removed=True),
    "burnt": Status("burnt", 1.0, removed=True),
}


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0.0, "0 %"),
        (1e-13, "0 %"),
        (1e-6, "<1 %"),
        (0.00499, "<1 %"),
        (0.005, "<1 %"),
        (0.0051, "1 %"),
        (0.125, "12 %"),
        (0.994, "99 %"),
        (0.995, ">99 %"),
        (1 - 1e-6, ">99 %"),
        (1 - 1e-13, "100 %"),
        (1.0, "100 %"),
    ],
)
def test_percent(probability: float, text: str) -> None:
    assert percent(probability) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.004, "0.00"), (0.006, "+0.01"), (-0.004, "0.00"), (-0.006, "-0.01")]
)
def test_a_value_that_rounds_to_nothing_has_no_sign(value: float, text: str) -> None:
    assert signed(value) == text


def test_statuses_come_in_the_order_of_the_rules() -> None:
    chances = {"gone": 0.25, "ready": 0.5, "down": 0.25, "burnt": 0.0}
    assert statuses_text(chances, STATUSES) == "ready 50 %, down 25 %, gone 25 %"


def test_the_chance_to_be_off_the_map_adds_up() -> None:
    assert chance_removed({"gone": 0.25, "ready": 0.5, "burnt": 0.125}, STATUSES) == 0.375
