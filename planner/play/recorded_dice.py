"""What a record has of dice and results, held against what the rules ask for and give."""

from __future__ import annotations

from evaluation.dice import Dice
from planner.game.chance import DiceError, KeyedDice, Roll, checked_total
from planner.game.faults import Fault
from planner.play.record import Line
from planner.play.record_file import Threw
from planner.play.recorded import threw_of


class MissingThrowError(Exception):
    """A throw that the record does not have."""

    def __init__(self, roll: Roll) -> None:
        self.text = f"{roll.purpose.value} of {roll.unit or roll.afv}"
        super().__init__(self.text)


class RecordedDice:
    """The throws of a record in place of dice. What is wrong with them is noted, and the game goes
    on with the totals that the record has."""

    def __init__(self, throws: list[tuple[Line, Threw]], seed: int | str | None) -> None:
        self.left = list(throws)
        self.faults: list[Fault] = []
        self._seed = seed

    def roll(self, roll: Roll, dice: Dice) -> int:
        """The next total of the record."""
        if not self.left:
            raise MissingThrowError(roll)
        line, event = self.left.pop(0)
        place = f"line {line.number}"
        right = threw_of(roll, event.total)
        if event != right:
            keys = type(event).keys()
            differs = [key for key in keys if getattr(event, key) != getattr(right, key)]
            told = ", ".join(f"{key} {getattr(event, key)}" for key in differs)
            expected = ", ".join(f"{key} {getattr(right, key)}" for key in differs)
            self.faults.append(Fault(place, f"is a throw for something else: {told}", expected))
        try:
            checked_total(event.total, dice)
        except DiceError as error:
            lowest, highest = dice.count, dice.count * dice.sides
            self.faults.append(Fault(place, str(error), f"a total from {lowest} to {highest}"))
            return event.total
        if self._seed is not None:
            fixed = KeyedDice(self._seed).roll(roll, dice)
            if event.total != fixed:
                said = f"the dice show {event.total}, and the seed fixes them"
                self.faults.append(Fault(place, said, f"{fixed}"))
        return event.total


def difference(told: list[dict[str, object]], right: list[dict[str, object]]) -> tuple[str, str]:
    """Where a result first differs from what the rules give."""
    for index in range(max(len(told), len(right))):
        here = told[index] if index < len(told) else None
        there = right[index] if index < len(right) else None
        if here != there:
            said = "nothing" if here is None else _event_text(here)
            expected = "nothing more" if there is None else _event_text(there)
            return f"happened[{index}] is {said}, which is not what the rules give", expected
    raise AssertionError("the two are the same")


def _event_text(event: dict[str, object]) -> str:
    rest = ", ".join(f"{key} {value}" for key, value in event.items() if key != "event")
    return f"{event.get('event')} ({rest})"[:300]
