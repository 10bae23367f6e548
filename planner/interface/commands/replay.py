"""``overrun replay FILE``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from planner.game.actions import format_action
from planner.game.events import Rolled
from planner.game.faults import Fault, FileFault
from planner.game.score import score
from planner.game.write_scenario import document
from planner.interface.asked import Asked, Command, json_option
from planner.interface.playing.dialogue import how_to_resume, typed
from planner.interface.playing.map_shown import show_map
from planner.interface.playing.own_dice import OwnDice
from planner.interface.playing.table import play_out, player_text, seated
from planner.interface.playing.telling import (
    decision_lines,
    score_text,
    situation_lines,
    step_lines,
)
from planner.interface.printing import print_json
from planner.interface.refusals import ExitStatus, fault_forms
from planner.interface.screen import say
from planner.interface.words import many, side_name
from planner.play.event_form import event_form
from planner.play.players import UnknownPlayerError
from planner.play.replay import Back, Replay, replay
from planner.play.session import Session
from planner.play.steps import Pending, Step

_MOST = 10**15


@click.command("replay", cls=Command)
@click.argument("file")
@click.option("--to", metavar="N", help="Play back up to the decision of that number.")
@click.option("--resume", is_flag=True, help="Go on with the game where the record ends.")
@json_option
@click.pass_context
def command(ctx: click.Context, file: str, to: str | None, resume: bool, as_json: bool) -> None:
    """A record played back, checked against the rules, or gone on with.

    Every decision must be legal, every throw one that the rules call for and the dice (and their
    seed) can show, every result what the rules make of it; what is not is told with its line. What
    a crash left of a last line is passed over. --resume goes on where the record ends, with the
    same players. Exit status 1 when anything breaks the rules.
    """
    asked = Asked()
    last = asked.whole("--to", to, 0, _MOST)
    if not file:
        asked.fault("FILE", "names no file", "the record of a game")
    if resume and to is not None:
        asked.fault("--to", "stands beside --resume", "one of the two")
    asked.done()
    found = replay(Path(file), last)
    if resume and not found.faults:
        session, found = _resumed(file, found)
        ctx.exit(play_out(session, found.setup.seats, as_json=as_json))
    if as_json:
        print_json(_form(found))
    else:
        _show(found, file, last)
    if found.faults:
        ctx.exit(ExitStatus.NO)


def _resumed(file: str, found: Replay) -> tuple[Session, Replay]:
    """The session gone on with. Raises FileFault when it can't be."""
    rules = found.start.position.rules.combat
    dice = OwnDice(rules, typed) if found.setup.seed is None else None
    try:
        return Session.resume(Path(file), seated, dice)
    except UnknownPlayerError as error:
        expected = "a record whose players this version knows"
        raise FileFault(file, [Fault("line 1: seats", str(error), expected)]) from None
    except OSError as error:
        reason = f"can't be written: {error.strerror or error}"
        raise FileFault(file, [Fault("file", reason, "a file that can be written to")]) from None


def _show(found: Replay, file: str, last: int | None) -> None:
    """Tell it as far as it was asked for; ``last``: up to that decision."""
    game = found.start
    say(game.position.title or "untitled", "bold")
    for seat in found.setup.seats:
        say(f"{side_name(game.position, seat.side)}: {player_text(seat)}")
    for item in found.told:
        if isinstance(item, Back):
            say(f"decision {item.number} is taken back, and what came after it", "yellow")
            continue
        first, *rest = step_lines(item)
        say(f"{item.number}  {first}", "bold")
        for line in rest:
            say(f"  {line}")
    say()
    game = found.game
    show_map(game)
    if not game.over:
        for line in situation_lines(game):
            say(line, "bold")
    if found.pending is not None:
        first, *rest = decision_lines(game, found.pending)
        say(f"{found.pending.number}  {first}", "bold")
        for line in (*rest, f"  {_thrown(found.pending)}"):
            say(f"  {line}")
    say(score_text(game), "bold")
    if found.record.torn:
        say("The last line is torn: what was written of it is passed over.", "yellow")
    if found.faults:
        say(f"{many(len(found.faults), 'fault')}:", "bold red")
        for fault in found.faults:
            say(f"  {fault}")
        return
    count = many(found.decisions, "decision")
    say(f"{count}, all as the rules have it.", "green")
    if last is not None and last < found.written:
        say(f"The record goes on to decision {found.written}.")
    elif game.over:
        say("The game is over.")
    else:
        say(f"Go on with:  {how_to_resume(Path(file))}")


def _thrown(pending: Pending) -> str:
    """How far a decision that is not carried out has come."""
    if not pending.totals:
        return "not carried out yet"
    return f"not carried out yet; thrown so far: {', '.join(map(str, pending.totals))}"


def _form(found: Replay) -> dict[str, Any]:
    """A record played back, as JSON."""
    game = found.game
    standing = {step.number for step in found.steps}
    pending = found.pending
    return {
        "file": found.record.file,
        "faults": fault_forms(found.faults),
        "torn": found.record.torn,
        "decisions": found.decisions,
        "steps": [
            _step_form(step, taken_back=step.number not in standing)
            for step in found.told
            if isinstance(step, Step)
        ],
        "pending": pending and format_action(game.position, pending.action),
        "over": game.over,
        "decider": game.decider,
        "score": dict(score(game)),
        "scenario": document(game),
    }


def _step_form(step: Step, *, taken_back: bool) -> dict[str, Any]:
    board = step.before.position.board
    return {
        "number": step.number,
        "side": step.side,
        "action": format_action(step.before.position, step.action),
        "forced": step.forced,
        "taken_back": taken_back,
        "dice": [event.total for event in step.events if isinstance(event, Rolled)],
        "happened": [
            event_form(board, event) for event in step.events if not isinstance(event, Rolled)
        ],
    }
