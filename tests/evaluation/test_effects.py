from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evaluation.effects import NO_EFFECT, Effects
from evaluation.tables import Change
from tests.evaluation.fights import RULES, SHAKY, TANK


def test_a_matrix_holds_every_status_before_and_after() -> None:
    effects = Effects(RULES)
    assert [status.name for status in effects.statuses] == ["ready", "shaken", "stopped", "dead"]
    matrix = effects.matrix(effects.number(TANK, 2, 0)) * 6
    expected = [
        [3, 0, 2, 1],
        [0, 3, 2, 1],
        [0, 0, 5, 1],
        [0, 0, 0, 6],  # a wreck stays one
    ]
    assert matrix == pytest.approx(np.array(expected, dtype=float))


@pytest.mark.parametrize(
    ("strength", "modifier"), [(-1, 0), (-9, -9), (0, 2), (2, 3), (4, 4)]
)  # below the first column, or no roll is low enough
def test_shots_that_change_nothing_have_no_number(strength: int, modifier: int) -> None:
    assert Effects(RULES).number(TANK, strength, modifier) == NO_EFFECT


@pytest.mark.parametrize(("strength", "modifier"), [(0, 1), (2, 2), (4, 3)])
def test_the_least_shot_that_can_do_anything_has_one(strength: int, modifier: int) -> None:
    assert Effects(RULES).number(TANK, strength, modifier) != NO_EFFECT


def test_shots_that_do_the_same_share_a_number() -> None:
    effects = Effects(RULES)
    number = effects.number(TANK, 2, 0)
    assert effects.number(TANK, 3, 0) == number  # the same column
    assert effects.number(replace(TANK, name="other"), 2, 0) == number
    assert effects.number(TANK, 2, 1) != number
    assert effects.number(TANK, 4, 0) != number


def test_shares_of_worth_that_a_shot_is_expected_to_cost() -> None:
    effects = Effects(RULES)
    inflicted = effects.inflicted(effects.number(TANK, 2, 0))
    assert inflicted == pytest.approx(
        [
            (2 * 0.5 + 1) / 6,
            (2 * 0.3 + 0.8) / 6,
            0.5 / 6,
            -np.inf,
        ]
    )


def test_a_shot_that_can_change_nothing_more_is_told_apart_from_one_that_costs_nothing() -> None:
    effects = Effects(SHAKY)
    assert effects.inflicted(effects.number(TANK, 0, 0)) == pytest.approx(
        [0.2 * 4 / 6, -np.inf, -np.inf, -np.inf]
    )
    mended = Effects(replace(SHAKY, at_effects={"S": Change({"shaken": "ready"})}))
    assert mended.inflicted(mended.number(TANK, 0, 0)) == pytest.approx(
        [-np.inf, -0.2 * 4 / 6, -np.inf, -np.inf]
    )


def test_all_effects_one_above_the_other() -> None:
    effects = Effects(RULES)
    numbers = [effects.number(TANK, strength, 0) for strength in (0, 2)]
    assert len(effects.all_transposed()) == 2
    numbers.append(effects.number(TANK, 4, 0))  # one that turns up later
    stack = effects.all_transposed()
    assert len(stack) == 3
    for number in numbers:
        assert np.array_equal(stack[number], effects.matrix(number).T)


def test_a_wreck_stays_a_wreck_whatever_the_chart_says() -> None:
    raising = Effects(replace(RULES, at_effects={"M": Change({"dead": "ready"})}))
    assert raising.number(TANK, 0, 0) == NO_EFFECT
