"""What a player is, of either side: asked for one action at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from planner.game.actions import Action
from planner.game.play_state import Game
from planner.search.effort import Cancelled, Limit


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player does, and what it knows of it.

    ``value_to_mover``: what the rest of this Movement Phase is worth after the action to the side
    whose phase it is, counted from the moment of the decision (model page, "Payoff"); None where
    the player did not work it out. ``exact``: that value is the game tree's, not an estimate.
    ``reason``: why, in words for people. ``work``: work units spent, the same on any machine;
    ``seconds``: wall-clock time spent.
    """

    action: Action
    value_to_mover: float | None = None
    exact: bool = False
    reason: str = ""
    work: int = 0
    seconds: float = 0.0


class Player(Protocol):
    """Somebody who decides for a side: a bot, a baseline, a human at the keyboard.

    A player keeps no secret between decisions: the same game asked under the same limit of work
    gives the same action (what it remembers only saves time).
    """

    @property
    def name(self) -> str:
        """What the player is called in records and tables."""
        ...

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        """One legal action for the side that decides (`Game.decider`).

        ``cancelled`` is asked now and then; when it says yes the player answers at once, with the
        best that it knows.

        Raises:
            ValueError: nobody decides, the game is over.
        """
        ...
