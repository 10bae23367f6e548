"""``overrun play SCENARIO``."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

from planner.game.chance import DiceSource
from planner.game.faults import shown
from planner.game.play_state import Game
from planner.interface.asked import MOST_SECONDS, MOST_WORK, Asked, Command, json_option
from planner.interface.playing.dialogue import typed
from planner.interface.playing.own_dice import OwnDice
from planner.interface.playing.places import new_record
from planner.interface.playing.table import play_out, seated
from planner.play.levels import BEST
from planner.play.players import UnknownPlayerError, player
from planner.play.record import holds_record
from planner.play.record_file import HUMAN, Seat
from planner.play.session import Session

USUAL_SECONDS = 1.0
"""How long a bot may take for a decision when nothing is said of it."""


@click.command("play", cls=Command)
@click.argument("scenario")
@click.option(
    "--side",
    "sides",
    metavar="ID",
    multiple=True,
    help="The side that you play (the side to move unless given); twice for both.",
)
@click.option("--bot-both", is_flag=True, help="The bot plays both sides, and you watch.")
@click.option(
    "--level",
    metavar="LEVEL",
    default=BEST,
    show_default=True,
    help="How strong the bot is: recruit, regular, veteran or ace; or a plain player of `match`.",
)
@click.option(
    "--seconds",
    metavar="S",
    help=f"A bot's time for a decision ({USUAL_SECONDS:g} unless this or --work is given).",
)
@click.option("--work", metavar="W", help="A bot's work for a decision: the same game everywhere.")
@click.option(
    "--dice",
    type=click.Choice(["program", "own"]),
    default="program",
    show_default=True,
    help="Who throws: the program, or you, who are asked for each roll.",
)
@click.option("--seed", metavar="N", help="Seed of the program's dice (drawn unless given).")
@click.option(
    "--record",
    metavar="FILE",
    help="A new file for the record (in your own data folder unless given).",
)
@click.option("--own-loss", metavar="W", help="Weight that a bot gives its own losses (1).")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    scenario: str,
    sides: tuple[str, ...],
    bot_both: bool,
    level: str,
    seconds: str | None,
    work: str | None,
    dice: str,
    seed: str | None,
    record: str | None,
    own_loss: str | None,
    as_json: bool,
) -> None:
    """Play a scenario against the bot, or watch it play.

    Every decision, throw and result is written to the record before the game goes on, so that a
    game broken off at any moment is gone on with by `overrun replay FILE --resume`. The record goes
    to a new file in your own data folder, which is told, unless --record names one. Decisions are
    read from the standard input; help tells what may be typed. With --json the talk goes to the
    standard error stream, and how the game stands at the end is printed as JSON.
    """
    asked = Asked()
    limits = (
        asked.number("--seconds", seconds, zero=False, high=MOST_SECONDS),
        asked.whole("--work", work, 1, MOST_WORK),
    )
    if seconds is None and work is None:
        limits = (USUAL_SECONDS, None)
    weight = asked.own_loss(own_loss)
    number = asked.whole("--seed", seed)
    if dice == "own" and seed is not None:
        asked.fault("--seed", "stands beside --dice own", "one of the two")
    try:
        player(level, weight)
    except UnknownPlayerError as error:
        asked.fault("--level", str(error), "a level of the bot, or a plain player")
    if bot_both and sides:
        asked.fault("--side", "stands beside --bot-both", "one of the two")
    if holds_record(Path(scenario)):
        said = f"{shown(scenario)} is the record of a game"
        asked.fault("SCENARIO", said, "a scenario; overrun replay FILE --resume goes on with one")
        asked.done()
    game = asked.game(scenario)
    humans = _humans(asked, game, sides, bot_both=bot_both)
    if game.over:
        asked.fault("SCENARIO", f"{shown(scenario)} is over", "a game that goes on")
    if record is not None and not record:
        asked.fault("--record", "names no file", "a new file")
    asked.done()
    seats = [
        Seat(side=side.id, player=HUMAN, own_loss=weight)
        if side.id in humans
        else Seat(side=side.id, player=level, seconds=limits[0], work=limits[1], own_loss=weight)
        for side in game.position.sides
    ]
    source: DiceSource | None = None
    if dice == "own":
        source = OwnDice(game.position.rules.combat, typed)
    elif number is None:
        number = secrets.randbelow(2**32)
    session = _begun(asked, game, seats, scenario, record, number, source)
    ctx.exit(play_out(session, seats, as_json=as_json))


def _humans(asked: Asked, game: Game, sides: tuple[str, ...], *, bot_both: bool) -> frozenset[str]:
    known = [side.id for side in game.position.sides]
    if bot_both:
        return frozenset()
    if not sides:
        return frozenset([game.position.to_move])
    return asked.names("--side", "side", sides, known)


def _begun(
    asked: Asked,
    game: Game,
    seats: list[Seat],
    scenario: str,
    record: str | None,
    seed: int | None,
    dice: DiceSource | None,
) -> Session:
    """The session in its new record. Raises FileFault when that can't be made."""
    players = {seat.side: found for seat in seats if (found := seated(seat)) is not None}

    def begin(path: Path) -> Session:
        return Session.begin(game, seats, players, path, seed=seed, dice=dice)

    try:
        return _in_new_file(scenario, begin) if record is None else begin(Path(record))
    except (OSError, ValueError) as error:
        if record is not None and isinstance(error, FileExistsError):
            said = f"{shown(record)} is there already"
            expected = "a new file; overrun replay FILE --resume goes on with one"
        else:
            reason = getattr(error, "strerror", None) or str(error)
            where = record or getattr(error, "filename", None)
            said = f"the record {where or ''}".rstrip() + f" can't be written: {reason}"
            expected = "a new file in a folder that can be written to"
        asked.fault("--record", said, expected)
    asked.done()
    raise AssertionError("something was noted")


def _in_new_file(scenario: str, begin: Callable[[Path], Session]) -> Session:
    """The session in a new file of the player's own. Raises OSError."""
    while True:
        path = new_record(scenario)
        # Another game may have been begun in it at this moment.
        with suppress(FileExistsError):
            return begin(path)
