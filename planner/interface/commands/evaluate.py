"""``overrun evaluate SCENARIO MOVE…``."""

from __future__ import annotations

import click

from evaluation.backward import TooManyStatesError
from evaluation.plan import Defence
from planner.game.clauses import Clause
from planner.game.faults import Fault, FileFault, shown
from planner.game.legality import Reason, wrong
from planner.game.moves import PlannedMove
from planner.game.notation import NotationError, format_move, parse_move
from planner.game.position import Position
from planner.interface.asked import Asked, Command, json_option
from planner.interface.forms import evaluation_form, reason_form, reason_text
from planner.interface.printing import print_json
from planner.interface.refusals import COMMAND_LINE, ExitStatus, refuse
from planner.search.worth import evaluate

WrongMoves = list[tuple[PlannedMove, tuple[Reason, ...]]]


@click.command("evaluate", cls=Command)
@click.argument("scenario")
@click.argument("texts", metavar="MOVE...", nargs=-1, required=True)
@click.option(
    "--defender",
    type=click.Choice([defence.value for defence in Defence]),
    default=Defence.BEST.value,
    show_default=True,
    help="How the defender decides when to fire.",
)
@click.option(
    "--own-loss", metavar="W", help="Weight of the moving side's own losses (1 unless given)."
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    scenario: str,
    texts: tuple[str, ...],
    defender: str,
    own_loss: str | None,
    as_json: bool,
) -> None:
    """The exact value of moves made in that order.

    It holds whatever the defender does. Where it takes too many states, two certain ends between
    which it lies are given instead, and what can't be told is left out. Put each MOVE in quotes:
    "T1 0304x0404-0505". A move that units bar when its turn comes is skipped; one that is wrong
    whatever they do ends the command with exit status 1 and every clause that it breaks.
    """
    asked = Asked()
    weight = asked.own_loss(own_loss)
    position = asked.position(scenario)
    moves = _moves(asked, position, texts)
    asked.done()
    faulty = wrong_moves(position, moves)
    if faulty:
        _refuse(position, faulty, as_json)
        ctx.exit(ExitStatus.NO)
    try:
        found = evaluate(position, moves, weight, Defence(defender))
    except TooManyStatesError as error:
        said = f"by this rule of thumb the moves lead to {error}"
        fault = Fault("--defender", said, "best, or fewer moves at once")
        refuse(FileFault(COMMAND_LINE, [fault]), as_json=as_json)
        ctx.exit(ExitStatus.NO)
    if as_json:
        print_json(evaluation_form(position, found))
        return
    from planner.interface.show_evaluation import show_evaluation

    show_evaluation(position, moves, found, Defence(defender))


def _moves(asked: Asked, position: Position, texts: tuple[str, ...]) -> list[PlannedMove]:
    moves = []
    for index, text in enumerate(texts):
        try:
            moves.append(parse_move(position, text))
        except NotationError as error:
            expected = error.expected
            if len(texts) > 1 and len(text.split()) == 1:
                expected += "; put quotes round each move"
            asked.fault(f"MOVE[{index}]", f"{shown(text)}: {error.fault}", expected)
    return moves


def wrong_moves(position: Position, moves: list[PlannedMove]) -> WrongMoves:
    """Every move that can't be made whatever other units do, with the clauses it breaks; a second
    move of one AFV is wrong too (OVR-4)."""
    found = []
    for index, move in enumerate(moves):
        reasons = wrong(position, move)
        if any(before.unit == move.unit for before in moves[:index]):
            said = f"{move.unit} has two moves: an AFV moves once in a phase"
            reasons = (*reasons, Reason(Clause.OVR_4, said))
        if reasons:
            found.append((move, reasons))
    return found


def _refuse(position: Position, faulty: WrongMoves, as_json: bool) -> None:
    if as_json:
        forms = [
            {
                "move": format_move(position, move),
                "legal": False,
                "reasons": [reason_form(position, reason) for reason in reasons],
            }
            for move, reasons in faulty
        ]
        print_json({"legal": False, "moves": forms})
        return
    for move, reasons in faulty:
        click.echo(f"{format_move(position, move)} is not legal:")
        for reason in reasons:
            click.echo(f"  {reason_text(position, reason)}")
