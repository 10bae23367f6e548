"""Dice that the player throws: each roll is asked for, and a total that can't be is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evaluation.dice import Dice
from evaluation.rules import CombatRules
from planner.game.chance import DiceError, Roll, checked_total
from planner.interface.playing.telling import roll_lines
from planner.interface.screen import say

Ask = Callable[[str], str]
"""Asks for a line, after a prompt. Raises EOFError when there are no more."""


@dataclass(frozen=True, slots=True)
class OwnDice:
    """The player's dice."""

    rules: CombatRules
    ask: Ask

    def roll(self, roll: Roll, dice: Dice) -> int:
        """The total that the player gives. Raises EOFError when he gives none and quits."""
        for line in roll_lines(self.rules, roll):
            say(line)
        while True:
            text = self.ask("dice> ")
            if text.strip().lower() == "quit":
                raise EOFError
            try:
                return read_total(text, dice)
            except DiceError as error:
                say(f"{error}. Give the total, or each die: 7 or 3 4; or quit.", "yellow")


def read_total(text: str, dice: Dice) -> int:
    """A total as it is typed: itself, or the dice one by one, with blanks, + or commas between.

    Raises:
        DiceError: the dice can't show it.
    """
    words = text.replace("+", " ").replace(",", " ").split()
    try:
        shown = [int(word) for word in words]
    except ValueError:
        raise DiceError(f"{text.strip()[:40]!r} is no throw of {_dice(dice)}") from None
    if len(shown) == 1:
        return checked_total(shown[0], dice)
    if len(shown) != dice.count:
        raise DiceError(f"{len(shown)} dice are not {_dice(dice)}")
    for each in shown:
        if not 1 <= each <= dice.sides:
            raise DiceError(f"a die of {dice.sides} sides does not show {each}")
    return sum(shown)


def _dice(dice: Dice) -> str:
    return f"{dice.count}d{dice.sides}"
