"""What was asked for on the command line: read and checked, with every fault at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from math import isfinite
from typing import Any

import click

from planner.game.faults import Faults, FileFault, Place, listed, shown
from planner.game.hexes import Direction, Hex
from planner.game.numbering import HexNameError
from planner.game.play_state import Game
from planner.game.position import Position
from planner.game.read_scenario import load, load_game
from planner.interface.printing import say_aside
from planner.interface.refusals import COMMAND_LINE

json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print the answer as JSON."
)


def warn(warnings: Iterable[str]) -> None:
    """Say what is odd but no fault."""
    for warning in warnings:
        say_aside(f"warning: {warning}")


class Command(click.Command):
    """A command that refuses an option given several times, unless it gathers its values."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments. Raises FileFault when one of them would silently win."""
        typed = list(args)
        rest = super().parse_args(ctx, args)
        _, _, order = self.make_parser(ctx).parse_args(args=typed)
        faults = Faults()
        for option, count in Counter(order).items():
            if isinstance(option, click.Option) and not (option.multiple or option.is_flag):
                name = option.opts[0]
                if count > 1:
                    times = "twice" if count == 2 else f"{count} times"
                    faults.add((name,), f"is given {times}", f"{name} once")
        faults.raise_any(COMMAND_LINE, {})
        return rest


MOST_OWN_LOSS = 10_000
MOST_SECONDS = 1_000_000
MOST_WORK = 10**12
MOST_PLANS = 100
"""What --own-loss, --seconds, --work and --plans may be at most."""


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
            raise self._joined(error) from None
        warn(position.warnings)
        return position

    def game(self, scenario: str) -> Game:
        """The game in a scenario, in the middle of a move or over as it may be; otherwise as
        `position`."""
        try:
            game = load_game(scenario)
        except FileFault as error:
            raise self._joined(error) from None
        warn(game.position.warnings)
        return game

    def _joined(self, error: FileFault) -> FileFault:
        return FileFault(error.file, (*self._faults.in_order({}), *error.faults))

    def whole(
        self, place: str, text: str | None, low: int | None = None, high: int | None = None
    ) -> int | None:
        """A whole number between bounds, both inclusive; None when none was given."""
        if text is None:
            return None
        expected = f"a whole number{_bounds(low, high)}"
        try:
            number = int(text)
        except ValueError:
            self.fault(place, f"{shown(text)} is no whole number", expected)
            return None
        if low is not None and number < low:
            self.fault(place, f"{shown(number)} is too small", expected)
            return None
        if high is not None and number > high:
            self.fault(place, f"{shown(number)} is too large", expected)
            return None
        return number

    def number(self, place: str, text: str | None, *, zero: bool, high: int) -> float | None:
        """A number above 0, or from 0 on with ``zero``, up to ``high``; None when none was
        given."""
        if text is None:
            return None
        expected = f"a number{_bounds(0, high)}" if zero else f"a number above 0, at most {high}"
        try:
            number = float(text)
        except ValueError:
            self.fault(place, f"{shown(text)} is no number", expected)
            return None
        if not isfinite(number):
            self.fault(place, f"{shown(text)} is no number to reckon with", expected)
        elif number < 0 or (number == 0 and not zero):
            self.fault(place, f"{number:.12g} is too small", expected)
        elif number > high:
            self.fault(place, f"{number:.12g} is too large", expected)
        return number

    def own_loss(self, text: str | None) -> float:
        """The weight of the moving side's own losses: 1 unless given."""
        weight = self.number("--own-loss", text, zero=True, high=MOST_OWN_LOSS)
        return 1.0 if weight is None else weight

    def known(self, place: str, what: str, name: str, known: Collection[str]) -> bool:
        """Whether a name stands for something."""
        return self._faults.known(_place(place), what, name, known)

    def names(
        self, place: str, what: str, texts: Iterable[str], known: Collection[str]
    ) -> frozenset[str]:
        """Names, several in one text divided by commas."""
        said = "names nobody"
        found = self._divided(place, texts, said, f"{what}: {listed(known)}")
        return frozenset(name for name in found if self.known(place, what, name, known))

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
        names = self._divided(place, texts, "names no hex", "hexes divided by commas")
        found = [self.hex(place, name, position) for name in names]
        return frozenset(hex_ for hex_ in found if hex_ is not None)

    def _divided(self, place: str, texts: Iterable[str], said: str, expected: str) -> Sequence[str]:
        """The names in texts with commas; what is said of a text that has none."""
        found: list[str] = []
        for text in texts:
            names = [name for part in text.split(",") if (name := part.strip())]
            if not names:
                self.fault(place, f"{shown(text)} {said}", expected)
            found += names
        return found

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


def _bounds(low: int | None, high: int | None) -> str:
    """Bounds in words, with a blank in front."""
    if low is None:
        return "" if high is None else f" of at most {high}"
    return f" of at least {low}" if high is None else f" from {low} to {high}"
