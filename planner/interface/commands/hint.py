"""``overrun hint SCENARIO``."""

from __future__ import annotations

import click

from planner.game.position import Position
from planner.interface.asked import (
    MOST_PLANS,
    MOST_SECONDS,
    MOST_WORK,
    Asked,
    Command,
    json_option,
)
from planner.interface.printing import print_json
from planner.interface.refusals import ExitStatus
from planner.interface.screen import progress_shown
from planner.interface.show_hint import hint_form, show_hint
from planner.interface.stopping import stoppable
from planner.play.hint import hint
from planner.search.effort import Limit, Wishes
from planner.search.plan import Differ

USUAL_SECONDS = 10.0
"""How long a search may take when nothing is said of it."""


@click.command("hint", cls=Command)
@click.argument("scenario")
@click.option("--plans", metavar="N", default="1", show_default=True, help="How many plans.")
@click.option(
    "--differ",
    type=click.Choice([differ.value for differ in Differ]),
    default=Differ.OVERRUNS.value,
    show_default=True,
    help="What plans of the list must differ in: the overruns made (AFV, target hex, direction), "
    "so that a detour, another weapon or order makes no new plan; or any move.",
)
@click.option(
    "--seconds",
    metavar="S",
    help=f"Stop after so many seconds ({USUAL_SECONDS:g} unless this or --work is given).",
)
@click.option(
    "--work", metavar="W", help="Stop after so many plans valued: the same answer everywhere."
)
@click.option(
    "--own-loss", metavar="W", help="Weight of the moving side's own losses (1 unless given)."
)
@click.option("--only", metavar="U,...", multiple=True, help="Only these AFVs may move.")
@click.option("--stay", metavar="U,...", multiple=True, help="These AFVs stay.")
@click.option("--target", metavar="HEX", help="Overrun this hex and no other.")
@click.option("--avoid", metavar="HEX,...", multiple=True, help="Enter none of these hexes.")
@click.option("--counts", is_flag=True, help="Count all moves there are, kept or not.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    scenario: str,
    plans: str,
    differ: str,
    seconds: str | None,
    work: str | None,
    own_loss: str | None,
    only: tuple[str, ...],
    stay: tuple[str, ...],
    target: str | None,
    avoid: tuple[str, ...],
    counts: bool,
    as_json: bool,
) -> None:
    """What to do now; best plans with the chances of every outcome.

    Every value is exact and holds whatever the defender does. The search stops after 10 s unless
    --seconds or --work says otherwise; Ctrl-C stops it sooner. Either way the best so far is given.
    Exit status 1 when no overrun is legal and nothing else is worth doing.
    """
    asked = Asked()
    count = asked.whole("--plans", plans, 1, MOST_PLANS)
    limit = Limit(
        asked.number("--seconds", seconds, zero=False, high=MOST_SECONDS),
        asked.whole("--work", work, 1, MOST_WORK),
    )
    if seconds is None and work is None:
        limit = Limit(USUAL_SECONDS)
    weight = asked.own_loss(own_loss)
    position = asked.position(scenario)
    wishes = _wishes(asked, position, only, stay, target, avoid)
    asked.done()
    with progress_shown() as on_progress, stoppable() as cancelled:
        found = hint(
            position,
            limit,
            wishes,
            own_loss=weight,
            plans=count or 1,
            on_progress=on_progress,
            cancelled=cancelled,
            differ=Differ(differ),
            counts=counts,
        )
    if as_json:
        print_json(hint_form(position, found))
    else:
        show_hint(position, found)
    if found.next.move is None and found.result.lines == 0:
        ctx.exit(ExitStatus.NO)


def _wishes(
    asked: Asked,
    position: Position,
    only: tuple[str, ...],
    stay: tuple[str, ...],
    target: str | None,
    avoid: tuple[str, ...],
) -> Wishes:
    afvs = [unit.id for unit in position.movers()]
    what = f"AFV of {position.to_move}"
    moving = asked.names("--only", what, only, afvs) if only else None
    staying = asked.names("--stay", what, stay, afvs)
    struck = None if target is None else asked.hex("--target", target, position)
    avoided = asked.hexes("--avoid", avoid, position)
    for name in sorted((moving or frozenset()) & staying):
        asked.fault("--stay", f'"{name}" is in --only too', "an AFV in one of the two")
    if struck is not None and struck in avoided:
        said = f'"{target}" is the --target'
        asked.fault("--avoid", said, "other hexes than the one to overrun")
    return Wishes(moving, staying, struck, avoided)
