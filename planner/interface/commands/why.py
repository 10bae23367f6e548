"""``overrun why SCENARIO UNIT TARGET DIRECTION``."""

from __future__ import annotations

import click

from planner.game.moves import cost, points_text
from planner.game.notation import format_move
from planner.game.position import Position
from planner.interface.asked import Asked, Command, json_option
from planner.interface.forms import reason_text, verdict_form
from planner.interface.printing import print_json
from planner.interface.refusals import ExitStatus
from planner.search.why import Verdict, why


@click.command("why", cls=Command)
@click.argument("scenario")
@click.argument("unit")
@click.argument("target")
@click.argument("direction")
@json_option
@click.pass_context
def command(
    ctx: click.Context, scenario: str, unit: str, target: str, direction: str, as_json: bool
) -> None:
    """Whether one overrun is legal, and every clause it breaks if not.

    UNIT is to overrun the hex TARGET travelling in DIRECTION (N, NE, ...). Exit status 1 when it
    may not.
    """
    asked = Asked()
    position = asked.position(scenario)
    asked.known("UNIT", "unit", unit, position.units)
    struck = asked.hex("TARGET", target, position)
    heading = asked.direction("DIRECTION", direction, position)
    asked.done()
    assert struck is not None
    assert heading is not None
    verdict = why(position, unit, struck, heading)
    if as_json:
        print_json(verdict_form(position, verdict))
    else:
        _show(position, verdict)
    if not verdict.legal:
        ctx.exit(ExitStatus.NO)


def _show(position: Position, verdict: Verdict) -> None:
    from planner.interface.screen import say, say_move

    if verdict.move is not None:
        points = cost(position, verdict.move)
        assert points is not None
        left = points_text(position.units[verdict.move.unit].movement_left)
        said = f"{points_text(points)} of {left} movement points"
        say_move("legal: ", format_move(position, verdict.move), f" ({said})", "green")
        return
    say("not legal:", "red")
    for reason in verdict.reasons:
        say(f"  {reason_text(position, reason)}")
        say(f"    {reason.clause.text}", "dim")
