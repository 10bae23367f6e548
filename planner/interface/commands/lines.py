"""``overrun lines SCENARIO``."""

from __future__ import annotations

import click

from planner.game.legality import unit_bars
from planner.game.moves import points_text
from planner.game.notation import format_move
from planner.game.position import Position
from planner.interface.asked import Asked, Command, json_option
from planner.interface.forms import line_form, reason_text
from planner.interface.printing import print_json
from planner.interface.refusals import ExitStatus
from planner.interface.words import many
from planner.search.lines import Line, lines


@click.command("lines", cls=Command)
@click.argument("scenario")
@click.option("--unit", metavar="U", help="Only the lines of this AFV.")
@json_option
@click.pass_context
def command(ctx: click.Context, scenario: str, unit: str | None, as_json: bool) -> None:
    """Every legal overrun line of the side to move.

    One for each AFV, target hex and direction of travel, at its least cost in movement points.
    Exit status 1 when there is none.
    """
    asked = Asked()
    position = asked.position(scenario)
    if unit is not None:
        asked.known("--unit", "unit", unit, position.units)
    asked.done()
    found = lines(position, unit)
    if as_json:
        print_json([line_form(position, line) for line in found])
    else:
        _show(position, found, unit)
    if not found:
        ctx.exit(ExitStatus.NO)


def _show(position: Position, found: tuple[Line, ...], unit: str | None) -> None:
    from planner.interface.screen import say, show_table

    if not found:
        say(f"no legal overrun line for {unit or position.to_move}")
        for reason in unit_bars(position, position.units[unit]) if unit else ():
            say(f"  {reason_text(position, reason)}")
        return
    board = position.board
    show_table(
        ["unit", "target", "direction", "exit", "MP", "of", "move"],
        [
            [
                line.unit,
                board.name(line.target),
                board.direction_name(line.direction),
                board.name(line.exit),
                points_text(line.movement_points),
                points_text(position.units[line.unit].movement_left),
                format_move(position, line.move),
            ]
            for line in found
        ],
        right=[4, 5],
        move=6,
    )
    say("MP: movement points that the overrun takes; of: those that the AFV has left.", "dim")
    say(many(len(found), "line"))
