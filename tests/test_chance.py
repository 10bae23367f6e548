from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest

from evaluation.dice import Dice
from planner.game.chance import DiceError, ForcedDice, KeyedDice, Purpose, Roll, checked_total

TWO = Dice(2, 6)
SHOT = Roll(Purpose.SHOT, 3, "red", "T1", 2, "G1", hex="0304", modifier=1, column=3)


def test_one_seed_one_luck_whatever_was_thrown_before() -> None:
    dice = KeyedDice(7)
    first = dice.roll(SHOT, TWO)
    dice.roll(replace(SHOT, unit="G2"), TWO)
    assert dice.roll(SHOT, TWO) == first == KeyedDice(7).roll(SHOT, TWO)


def test_the_luck_is_the_same_on_any_machine_and_hash_seed() -> None:
    """Totals written down once: a change of them changes every recorded game."""
    assert [KeyedDice(seed).roll(SHOT, TWO) for seed in range(8)] == TOTALS
    code = (
        "from tests.test_chance import *;"
        "print([KeyedDice(seed).roll(SHOT, TWO) for seed in range(8)])"
    )
    for seed in ("0", "4711"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        found = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        )
        assert found.stdout.strip() == str(TOTALS)


TOTALS = [5, 5, 7, 8, 5, 6, 9, 3]


@pytest.mark.parametrize(
    "other",
    [
        replace(SHOT, turn=4),
        replace(SHOT, side="blue"),
        replace(SHOT, afv="T2"),
        replace(SHOT, step=3),
        replace(SHOT, purpose=Purpose.ATTACK),
        replace(SHOT, unit="G2"),
        replace(SHOT, check=1),
        replace(SHOT, by="G2"),
    ],
)
def test_the_luck_hangs_on_turn_unit_and_window(other: Roll) -> None:
    seeds = range(50)
    assert SHOT.key != other.key
    assert [KeyedDice(s).roll(SHOT, TWO) for s in seeds] != [
        KeyedDice(s).roll(other, TWO) for s in seeds
    ]


@pytest.mark.parametrize(
    "other",
    [
        replace(SHOT, hex="0305"),
        replace(SHOT, modifier=0),
        replace(SHOT, column=None),
        replace(SHOT, rating=7),
    ],
)
def test_the_luck_does_not_hang_on_the_ground(other: Roll) -> None:
    assert SHOT.key == other.key


@pytest.mark.parametrize("dice", [Dice(1, 6), TWO, Dice(3, 10)])
def test_keyed_dice_fall_as_dice_do(dice: Dice) -> None:
    """Chi-square over 6,000 seeds, far below the value that honest dice pass once in a million."""
    thrown = Counter(KeyedDice(seed).roll(SHOT, dice) for seed in range(6000))
    assert set(thrown) <= {total for total, _ in dice.ways}
    expected = {total: 6000 * ways / dice.combinations for total, ways in dice.ways}
    chi_square = sum((thrown[t] - e) ** 2 / e for t, e in expected.items())
    freedom = len(expected) - 1
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5


def test_forced_dice_fall_in_their_order() -> None:
    dice = ForcedDice([2, 12])
    assert [dice.roll(SHOT, TWO), dice.roll(SHOT, TWO)] == [2, 12]
    with pytest.raises(DiceError, match="no total is left for the shot of G1"):
        dice.roll(SHOT, TWO)


@pytest.mark.parametrize(("total", "right"), [(1, False), (2, True), (12, True), (13, False)])
def test_totals_the_dice_can_show(total: int, right: bool) -> None:
    if right:
        assert checked_total(total, TWO) == ForcedDice([total]).roll(SHOT, TWO) == total
        return
    with pytest.raises(DiceError, match=f"2 dice of 6 sides show 2 to 12, not {total}"):
        checked_total(total, TWO)
    with pytest.raises(DiceError):
        ForcedDice([total]).roll(SHOT, TWO)
