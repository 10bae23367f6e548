"""The map on the screen, and what is in one hex."""

from __future__ import annotations

import sys
from shutil import get_terminal_size

from planner.game.hexes import DIRECTIONS, Hex
from planner.game.play_state import Game
from planner.interface.board_text import (
    ARROWS,
    View,
    draw,
    drawing,
    legend,
    numbering_of,
    stripes,
    view_around,
    view_text,
)
from planner.interface.playing.telling import unit_text
from planner.interface.screen import say, say_text
from planner.interface.words import listed

_SIZE = (80, 50)
"""Characters and lines where the output is no terminal."""
_REST = 9
"""Lines of a terminal that the map leaves to what is said below it."""
_LEAST = 11


def show_map(game: Game, focus: Hex | None = None, *, whole: bool = False) -> None:
    """Draw the map: the part around the focus (the action, if None), or all of it."""
    width, height = get_terminal_size(_SIZE) if sys.stdout.isatty() else _SIZE
    drawn = drawing(game, arrows=_has_arrows())
    board = game.position.board
    if whole:
        for view in stripes(board, drawn, width):
            _show(game, view, focus)
        return
    lines = max(_LEAST, height - _REST)
    view = view_around(board, drawn, focus or action(game), width, lines)
    _show(game, view, focus)


def _show(game: Game, view: View, focus: Hex | None) -> None:
    drawn = drawing(game, arrows=_has_arrows())
    for line in draw(game, drawn, view):
        say_text(line)
    part = view_text(game.position.board, view)
    if part:
        say(part, "dim")


def show_legend(game: Game) -> None:
    """What the map's marks mean."""
    drawn = drawing(game, arrows=_has_arrows())
    board = game.position.board
    width = len(board.ground) * drawn.width
    view = next(stripes(board, drawn, width))
    for line in legend(game, drawn, view):
        say(line, "dim")


def _has_arrows() -> bool:
    """Whether the screen can show arrows."""
    try:
        "".join(ARROWS.values()).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def action(game: Game) -> Hex:
    """Where the action is: the AFV under way, else the middle of the moving side's AFVs."""
    position = game.position
    if game.under_way is not None:
        return game.under_way.route[-1]
    numbering = numbering_of(position.board)
    units = list(position.movers()) or [u for u in position.units.values() if u.stands]
    cells = [numbering.cell_of(unit.hex) for unit in units] or [(0, 0)]
    columns, rows = (sorted(cell[axis] for cell in cells) for axis in (0, 1))
    return numbering.hex_at(columns[len(columns) // 2], rows[len(rows) // 2])


def show_hex(game: Game, hex_: Hex) -> None:
    """All that is in a hex and on its hexsides."""
    position = game.position
    board = position.board
    ground = board.ground[hex_]
    parts = [ground.terrain, f"level {ground.elevation}", *ground.features]
    say(f"{board.name(hex_)}: {', '.join(parts)}", "bold")
    for objective in position.objectives:
        if objective.hex == hex_:
            held = f"held by {objective.held_by}" if objective.held_by else "held by nobody"
            say(f"  objective worth {objective.worth:g}, {held}")
    for direction in DIRECTIONS:
        there = hex_.neighbour(direction)
        found = [*board.edges.get((hex_, there), ()), *board.paths.get((hex_, there), ())]
        if found:
            say(f"  {board.direction_name(direction)}: {listed(found)}")
    for unit in position.units.values():
        if unit.hex == hex_ and not unit.status.removed:
            say(f"  {unit_text(position, unit)}")


def show_units(game: Game) -> None:
    """Every unit on the map, side by side."""
    position = game.position
    for side in position.sides:
        say(side.name, "bold")
        for unit in position.units.values():
            if unit.side == side.id and not unit.status.removed:
                say(f"  {unit_text(position, unit)}")
        gone = [u.id for u in position.units.values() if u.side == side.id and u.status.removed]
        if gone:
            say(f"  off the map: {', '.join(gone)}")
