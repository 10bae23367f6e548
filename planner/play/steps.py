"""Decisions of a game being played: carried out, or still to be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from planner.game.actions import Action
from planner.game.events import Event
from planner.game.play_state import Game
from planner.play.player import Decision


@dataclass(frozen=True, slots=True)
class Step:
    """A decision carried out: its number in the record, whose it was, the game before it and after,
    and what happened. ``forced``: nobody was asked, for it was the only legal action.
    ``decision`` is what the player said of it, None where nobody said anything."""

    number: int
    side: str
    action: Action
    forced: bool
    before: Game
    after: Game
    events: tuple[Event, ...]
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """A decision that is not carried out yet, and the totals thrown for it so far."""

    number: int
    side: str
    action: Action
    forced: bool = False
    totals: tuple[int, ...] = ()
    decision: Decision | None = None


def last_asked(steps: Iterable[Step], pending: Pending | None, side: str) -> int | None:
    """The number of the last decision that a side was asked for; None when there is none."""
    asked = [step.number for step in steps if step.side == side and not step.forced]
    if pending is not None and pending.side == side and not pending.forced:
        return pending.number
    return asked[-1] if asked else None
