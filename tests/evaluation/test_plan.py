from __future__ import annotations

import pytest

from evaluation.plan import (
    objective_change,
)
from evaluation.script import Objective
from evaluation.units import Side


@pytest.mark.parametrize(
    ("held_by", "mover", "defender", "change"),
    [
        (None, True, False, 4.0),
        (None, False, True, 0.0),
        (None, True, True, 0.0),
        (None, False, False, 0.0),
        (Side.DEFENDER, True, False, 4.0),
        (Side.DEFENDER, True, True, 0.0),
        (Side.DEFENDER, False, False, 0.0),
        (Side.DEFENDER, False, True, 0.0),
        (Side.MOVER, True, False, 0.0),
        (Side.MOVER, True, True, 0.0),
        (Side.MOVER, False, False, 0.0),  # left empty it stays his
        (Side.MOVER, False, True, -4.0),
    ],
)
def test_when_an_objective_changes_hands(
    held_by: Side | None, mover: bool, defender: bool, change: float
) -> None:
    assert objective_change(Objective("hill", 4.0, held_by), mover, defender) == change
