"""What was asked for on the command line: read and checked, with every fault at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import isfinite
from typing import Any

import click

from planner.game.faults import Faults, FileFault, Place, shown
from planner.game.hexes import Direction, Hex
from planner.game.numbering import HexNameError
from planner.game.position import Position
from planner.game.read_scenario import load
from planner.interface.refusals import COMMAND_LINE

json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print the answer as JSON."
)


def warn(warnings: Iterable[str]) -> None:
    """Say what is odd but no fault."""
    for warning in warnings:
        click.echo(f"warning: {warning}", err=True)


class Asked:
    """Reads options and arguments. What can't be read is noted, and something that harms nobody
    returned; `done` refuses when anything was noted."""

    def __init__(self) -> None:
        self._faults = Faults()

    def done(self) -> None:
        """Raises FileFault when anything is wrong, with all of it."""
        self._faults.raise_any(COMMAND_LINE, {})

    def fault(self, place: str, fault: str, expected: str) -> None:
        """Note a fault in an option or argument."""
        self._faults.add(_place(place), fault, expected)

    def position(self, scenario: str) -> Position:
        """The position in a scenario; its warnings are printed.

        Raises FileFault with the faults of the file and those noted so far.
        """
        try:
            position = load(scenario)
        except FileFault as error:
            found = (*self._faults.in_order({}), *error.faults)
            raise FileFault(error.file, found) from None
        warn(position.warnings)
        return position

    def whole(self, place: str, text: str | None, least: int | None = None) -> int | None:
        """A whole number of at least ``least``; None when none was given."""
        if text is None:
            return None
        expected = "a whole number" if least is None else f"a whole number of at least {least}"
        try:
            number = int(text)
        except ValueError:
            self.fault(place, f"{shown(text)} is no whole number", expected)
            return None
        if least is not None and number < least:
            self.fault(place, f"{number} is too small", expected)
            return None
        return number

    def number(self, place: str, text: str | None, *, zero: bool) -> float | None:
        """A number above 0, or from 0 on with ``zero``; None when none was given."""
        if text is None:
            return None
        expected = "a number of at least 0" if zero else "a number above 0"
        try:
            number = float(text)
        except ValueError:
            self.fault(place, f"{shown(text)} is no number", expected)
            return None
        if not isfinite(number):
            self.fault(place, f"{shown(text)} is no number to reckon with", expected)
        elif number < 0 or (number == 0 and not zero):
            self.fault(place, f"{text} is too small", expected)
        return number

    def known(self, place: str, what: str, name: str, known: Collection[str]) -> bool:
        """Whether a name stands for something."""
        return self._faults.known(_place(place), what, name, known)

    def names(
        self, place: str, what: str, texts: Iterable[str], known: Collection[str]
    ) -> frozenset[str]:
        """Names, several in one text divided by commas."""
        return frozenset(name for name in _divided(texts) if self.known(place, what, name, known))

    def hex(self, place: str, name: str, position: Position) -> Hex | None:
        """A hex of the map."""
        try:
            return position.board.numbering.parse(name)
        except HexNameError as error:
            board = position.board
            guess = self._faults.guess(name, [board.name(hex_) for hex_ in board.ground])
            self.fault(place, error.fault, error.expected + guess)
            return None

    def hexes(self, place: str, texts: Iterable[str], position: Position) -> frozenset[Hex]:
        """Hexes of the map, several in one text divided by commas."""
        found = [self.hex(place, name, position) for name in _divided(texts)]
        return frozenset(hex_ for hex_ in found if hex_ is not None)

    def direction(self, place: str, name: str, position: Position) -> Direction | None:
        """A direction on the map, in capitals or not."""
        orientation = position.board.orientation
        if self.known(place, "direction on this map", name.upper(), orientation.names):
            return orientation.direction(name.upper())
        return None


def _place(place: str) -> Place:
    """An option's or argument's place; of one that may be given several times: ``MOVE[0]``."""
    name, bracket, index = place.removesuffix("]").partition("[")
    return (name, int(index)) if bracket else (name,)


def _divided(texts: Iterable[str]) -> list[str]:
    return [name for text in texts for name in (part.strip() for part in text.split(",")) if name]
