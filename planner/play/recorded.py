"""What happens in a game, as the events of its record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from math import isfinite

from planner.game.actions import format_action
from planner.game.chance import Roll
from planner.game.events import Event, Rolled
from planner.game.play_state import Game
from planner.game.score import score
from planner.game.write_rules import rules_document
from planner.game.write_scenario import document
from planner.play.event_form import event_form
from planner.play.record_file import RECORD_FORMAT, Came, Decided, Ended, Seat, Setup, Threw
from planner.play.steps import Pending


def setup_of(game: Game, seats: Sequence[Seat], seed: int | str | None) -> Setup:
    """The setup of a game that begins here.

    Raises:
        ValueError: the board's hexes have no names that a file can hold.
    """
    return Setup.model_validate(
        {
            "event": "setup",
            "format": RECORD_FORMAT,
            "seats": [seat.model_dump(exclude_defaults=True) for seat in seats],
            "seed": seed,
            "scenario": document(game),
            "rules": rules_document(game.position.rules),
        }
    )


def decided_of(game: Game, pending: Pending) -> Decided:
    """A decision in the game as it stands."""
    said = pending.decision
    value = None if said is None else said.value_to_mover
    return Decided(
        event="decision",
        number=pending.number,
        side=pending.side,
        action=format_action(game.position, pending.action),
        forced=pending.forced,
        value=value if value is not None and isfinite(value) else None,
        exact=said is not None and said.exact,
        reason="" if said is None else said.reason,
    )


def threw_of(roll: Roll, total: int) -> Threw:
    """A throw."""
    told = {field.name: getattr(roll, field.name) for field in fields(roll)}
    return Threw.model_validate(
        {"event": "dice", **told, "purpose": roll.purpose.value, "total": total}
    )


def came_of(game: Game, events: Sequence[Event]) -> Came:
    """What a decision in a game led to; throws have events of their own."""
    board = game.position.board
    told = [event_form(board, event) for event in events if not isinstance(event, Rolled)]
    return Came(event="result", happened=told)


def ended_of(game: Game) -> Ended:
    """The end of a game that is over."""
    return Ended(event="end", score=dict(score(game)))
