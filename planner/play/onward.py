"""What courses of action are worth from a moment of a game on, a move under way or not.

With a move under way a course begins with the rest of that move, told by the hexes still to be
entered (none: the AFV halts), and with the shots that the open window still has, if one is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluation.apart import Apart
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.first_window import FirstWindow, FirstWindows
from evaluation.plan import Defence
from evaluation.script import Enter, Field, Move
from evaluation.value import Evaluator
from evaluation.worth import Losses
from planner.game.moves import PlannedMove
from planner.game.play_state import Game, UnderWay
from planner.game.windows import at_cover, window
from planner.search.effort import Poll, nothing
from planner.search.exposure import field
from planner.search.worth import Judge


class Onward(Judge):
    """Exact values of courses of action from a moment of a game, counted from it.

    The first move of a course is that of the AFV under way, if one is. A unit that has made its
    Final Opportunity Fire in the open window is taken to make none again in the phase: the one
    thing that is not exact (another AFV may overrun the same hex later).
    """

    def __init__(self, game: Game, own_loss: float = 1.0) -> None:
        super().__init__(game.position, own_loss)
        self.game = game
        self.own_loss = own_loss
        self.field = _field(game)
        if self.field is not field(game.position):
            self._evaluator = Evaluator(self.field, own_loss)
        self._windows: FirstWindows | None = None
        self._apart: Apart | None = None

    def script(self, move: PlannedMove) -> Move:
        """What a move makes happen; for the same move the same object."""
        return self._script(move)

    def _script(self, move: PlannedMove) -> Move:
        known = self._scripts.get(move)
        if known is not None:
            return known
        told = super()._script(move)
        under_way = self.game.under_way
        if under_way is not None and under_way.unit == move.unit:
            begins = self._begins(under_way)
            # A window without shots makes halting a move like any other.
            if begins.shots or begins.final_against is not None or not told.steps:
                told = replace(told, steps=(begins, *told.steps))
                self._scripts[move] = told
        return told

    def _begins(self, under_way: UnderWay) -> Enter:
        """The window that is open, as far as it still is; one without shots if none is."""
        position = self.position
        unit = position.units[under_way.unit]
        if under_way.window is None or unit.facing is None:
            return Enter(unit.hex, at_cover(position, unit.hex), ())
        return window(position, unit.hex, unit.facing, under_way.window.target)

    def first_window(self, moves: Sequence[PlannedMove]) -> FirstWindow | None:
        """The window that a course begins with. Raises TooManyStatesError."""
        if self._windows is None:
            self._windows = FirstWindows(self.field, self.own_loss)
        return self._windows.read([self._script(move) for move in moves])

    def components(
        self, moves: Sequence[PlannedMove], poll: Poll = nothing
    ) -> list[tuple[str, ...]]:
        """The AFVs of some moves in groups of which none has to do with another. ``poll`` is called
        for each move and may raise to stop."""
        if self._apart is None:
            rules = self.field.rules
            self._apart = Apart(
                Compiler(self.field, Effects(rules), Losses(self.field), Defence.BEST, keep=False)
            )
        prints = []
        for move in moves:
            poll()
            prints.append(self._apart.footprint(self._script(move)))
        groups: list[tuple[set[str], list[int]]] = []
        for i, one in enumerate(prints):
            together = [
                group
                for group in groups
                if one.move.unit in group[0] or any(one.touches(prints[j]) for j in group[1])
            ]
            units, members = {one.move.unit}, [i]
            for group in together:
                units |= group[0]
                members += group[1]
            groups = [group for group in groups if group not in together]
            groups.append((units, members))
        return sorted(tuple(sorted(units)) for units, _ in groups)


def _field(game: Game) -> Field:
    """Everybody, but that units which have made their Final Opportunity Fire in the open window
    have no AT weapon left."""
    found = field(game.position)
    under_way = game.under_way
    if under_way is None or under_way.window is None or not under_way.window.final_made:
        return found
    units = dict(found.units)
    for name in sorted(under_way.window.final_made):
        unit = units[name]
        kept = tuple(replace(weapon, at=()) for weapon in unit.type.weapons)
        units[name] = replace(unit, type=replace(unit.type, weapons=kept))
    return replace(found, units=units)
