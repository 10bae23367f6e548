"""``overrun lines SCENARIO``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from planner.game.legality import unit_bars
from planner.game.moves import points_text
from planner.game.position import Position
from planner.interface.asked import Asked, Command, json_option
from planner.interface.forms import line_form, reason_text
from planner.interface.printing import print_json
from planner.interface.refusals import ExitStatus
from planner.interface.words import kept_text, many
from planner.search.lines import Line, lines

if TYPE_CHECKING:
    from planner.search.candidates import Kept


@click.command("lines", cls=Command)
@click.argument("scenario")
@click.option("--unit", metavar="U", help="Only the lines of this AFV.")
@click.option(
    "--counts",
    is_flag=True,
    help="Count the moves on each line, and those of them that a search looks at.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context, scenario: str, unit: str | None, counts: bool, as_json: bool
) -> None:
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
    kept = _kept(position, unit) if counts and found else None
    if as_json:
        print_json([line_form(position, line, kept) for line in found])
    else:
        _show(position, found, unit, kept)
    if not found:
        ctx.exit(ExitStatus.NO)


def _kept(position: Position, unit: str | None) -> Kept:
    """The moves there are, of one AFV or of all, and those that a search looks at."""
    from planner.search.candidates import Survey
    from planner.search.effort import Wishes
    from planner.search.worth import Judge

    only = None if unit is None else frozenset({unit})
    return Survey(position, Judge(position), Wishes(only)).kept()


def _show(position: Position, found: tuple[Line, ...], unit: str | None, kept: Kept | None) -> None:
    from planner.interface.screen import say, show_table

    if not found:
        say(f"no legal overrun line for {unit or position.to_move}")
        for reason in unit_bars(position, position.units[unit]) if unit else ():
            say(f"  {reason_text(position, reason)}")
        return
    counted = [] if kept is None else ["kept", "of moves"]
    show_table(
        ["unit", "target", "direction", "exit", "MP", "of", *counted, "move"],
        [_row(position, line, kept) for line in found],
        right=[4, 5, *range(6, 6 + len(counted))],
        move=6 + len(counted),
    )
    say("MP: movement points that the overrun takes; of: those that the AFV has left.", "dim")
    if kept is not None:
        say(
            "kept: moves on the line that a search looks at, of all moves on it along simple paths "
            "and with every choice of weapons; for each left out one that is kept is as good.",
            "dim",
        )
        say(kept_text(kept), "dim")
    say(many(len(found), "line"))


def _row(position: Position, line: Line, kept: Kept | None) -> list[str]:
    form = line_form(position, line, kept)
    counted = []
    if kept is not None:
        moves = "too many" if form["moves"] is None else str(form["moves"])
        counted = [str(form["candidates"]), moves]
    return [
        line.unit,
        form["target"],
        form["direction"],
        form["exit"],
        points_text(line.movement_points),
        points_text(position.units[line.unit].movement_left),
        *counted,
        form["move"],
    ]
