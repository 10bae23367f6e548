"""A session at the terminal from its first word to its last: who sits where, and how it ends."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any

from planner.game.score import score
from planner.interface.playing.dialogue import Dialogue, how_to_resume
from planner.interface.printing import print_json, say_aside
from planner.interface.refusals import ExitStatus
from planner.interface.screen import say
from planner.interface.words import side_name
from planner.play.player import Player
from planner.play.players import player
from planner.play.record_file import HUMAN, Seat
from planner.play.session import Session
from planner.search.effort import Limit

HINT_SECONDS = 5.0
"""How long a hint may take where the bots' work is not limited."""


def seated(seat: Seat) -> Player | None:
    """The player of a seat; None for one who sits at the keyboard.

    Raises:
        UnknownPlayerError: there is none of that name.
    """
    return None if seat.player == HUMAN else player(seat.player, seat.own_loss)


@contextmanager
def _interrupts() -> Iterator[None]:
    """Ctrl-C ends the talk and nothing else."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def play_out(session: Session, seats: Sequence[Seat], *, as_json: bool) -> ExitStatus:
    """Play a session until it is over or the player stops. The record is safe at every moment, and
    how to go on with it is said. With ``as_json`` all talk goes to the standard error stream."""
    if not as_json:
        return _played(session, seats)
    with redirect_stdout(sys.stderr):
        status = _played(session, seats)
    print_json(_form(session))
    return status


def _played(session: Session, seats: Sequence[Seat]) -> ExitStatus:
    humans = frozenset(seat.side for seat in seats if seat.player == HUMAN)
    bots = [seat for seat in seats if seat.player != HUMAN]
    work = next((seat.work for seat in bots if seat.work is not None), None)
    limit = Limit(work=work) if work is not None else Limit(HINT_SECONDS)
    own_loss = seats[0].own_loss
    dialogue = Dialogue(session, humans, limit, own_loss)
    status = ExitStatus.DONE
    position = session.game.position
    say(position.title or "untitled", "bold")
    for seat in seats:
        name = side_name(position, seat.side)
        called = name if name == seat.side else f"{name} ({seat.side})"
        say(f"{called}: {player_text(seat)}")
    if session.path is not None:
        say(f"record: {session.path}")
    if humans:
        say("help tells what may be typed")
    over = False
    with session:
        try:
            with _interrupts():
                over = dialogue.run()
        except KeyboardInterrupt:
            say()
            status = ExitStatus.STOPPED
        except BrokenPipeError:
            raise
        except OSError as error:
            reason = error.strerror or str(error)
            say_aside(f"overrun: {session.path}: can't be written: {reason}; the game stops here")
            status = ExitStatus.WRONG
    if over:
        say("The game is over.")
    elif session.path is not None:
        say(f"The game is kept. Go on with:  {how_to_resume(session.path)}")
    return status


def player_text(seat: Seat) -> str:
    """Who sits there, with which limits."""
    if seat.player == HUMAN:
        return "you"
    limits = [f"{seat.seconds:g} s a decision"] if seat.seconds is not None else []
    limits += [f"{seat.work} units of work a decision"] if seat.work is not None else []
    return ", ".join([f"the bot ({seat.player})", *limits])


def _form(session: Session) -> dict[str, Any]:
    """How the game stands, for programs."""
    game = session.game
    return {
        "record": None if session.path is None else str(session.path),
        "over": game.over,
        "turn": game.position.turn,
        "to_move": game.position.to_move,
        "decider": game.decider,
        "decisions": len(session.steps),
        "score": dict(score(game)),
    }
