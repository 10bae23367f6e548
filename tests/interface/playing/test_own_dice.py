from __future__ import annotations

import pytest

from evaluation.dice import Dice
from planner.game.chance import DiceError, Purpose, Roll
from planner.game.read_scenario import load_game
from planner.interface.playing.own_dice import OwnDice, read_total
from tests.interface.command import TWO_TANKS

TWO = Dice(2, 6)


@pytest.mark.parametrize(
    ("text", "total"),
    [("2", 2), ("7", 7), ("12", 12), ("3 4", 7), ("1 1", 2), ("6+6", 12), (" 5, 2 ", 7)],
)
def test_totals_that_two_dice_show(text: str, total: int) -> None:
    assert read_total(text, TWO) == total


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1", "show 2 to 12, not 1"),
        ("13", "show 2 to 12, not 13"),
        ("-3", "not -3"),
        ("0 7", "does not show 0"),
        ("7 0", "does not show 7"),
        ("1 2 3", "3 dice are not 2d6"),
        ("", "0 dice are not 2d6"),
        ("seven", "'seven' is no throw of 2d6"),
        ("3.5", "'3.5' is no throw"),
    ],
)
def test_totals_that_they_do_not_show(text: str, said: str) -> None:
    with pytest.raises(DiceError, match=said):
        read_total(text, TWO)


@pytest.mark.parametrize(("text", "total"), [("1", 1), ("10", 10)])
def test_one_die(text: str, total: int) -> None:
    assert read_total(text, Dice(1, 10)) == total


SHOT = Roll(Purpose.SHOT, 1, "red", "T1", 1, "G1", hex="0304", modifier=1, column=3)
ATTACK = Roll(Purpose.ATTACK, 1, "red", "T2", 2, None, hex="0404", modifier=2, column=4)
CHECK = Roll(Purpose.CHECK, 1, "red", "T2", 2, "L1", check=1, hex="0404", rating=8)


@pytest.mark.parametrize(
    ("roll", "words"),
    [
        (SHOT, ["2d6: the shot of G1 at T1 in 0304; column 3, +1 to the roll", "needed"]),
        (ATTACK, ["2d6: the overrun of T2 on 0404; column 4, +2 to the roll", "needed"]),
        (CHECK, ["2d6: the check of L1; 8 or less passes"]),
    ],
)
def test_it_says_what_is_rolled_for_and_asks_until_it_can_be(
    roll: Roll, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = iter(["13", "what", "4 4"])
    dice = OwnDice(load_game(TWO_TANKS).position.rules.combat, lambda prompt: next(given))
    assert dice.roll(roll, TWO) == 8
    shown = capsys.readouterr().out
    assert all(word in shown for word in words)
    assert shown.count("Give the total, or each die") == 2
