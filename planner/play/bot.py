"""The bot: it plays either side, and advises a human on either."""

from __future__ import annotations

from dataclasses import replace

from planner.game.actions import EndPhase, Halt
from planner.game.choices import forced
from planner.game.play_state import Deciding, Game
from planner.play.advice import Advice, Option
from planner.play.defender_bot import decide_defender
from planner.play.exactly import Exactly
from planner.play.levels import BEST, Level
from planner.play.levels import level as level_named
from planner.play.mover_bot import decide_mover, purposeful
from planner.play.player import Decision
from planner.play.remembered import Remembered, remember
from planner.play.spending import Spending
from planner.play.turns_left import LASTING, told, weight
from planner.search.effort import Cancelled, Limit, never

SECONDS = 1.0
"""Time for a decision unless a limit is given."""


class Bot:
    """A player that works out what its choices are worth.

    ``level``: its strength (`planner.play.levels`), by name or one of your own; ``own_loss``: the
    own-loss weight by which it moves, and which it takes the other side to move by. Under a limit
    of work alone the same game gives the same decision anywhere, whatever it was asked before; with
    a limit of time it begins with what it found last, as far as that still goes on. Not for several
    threads at once.
    """

    def __init__(self, level: str | Level = BEST, own_loss: float = 1.0) -> None:
        """Raises ValueError: there is no such level."""
        self._level = level_named(level) if isinstance(level, str) else level
        self.own_loss = own_loss
        self._known: Remembered | None = None
        self._exactly = {w: Exactly(w) for w in (own_loss, LASTING * own_loss)}

    @property
    def name(self) -> str:
        """What the bot is called in records and tables."""
        return f"bot:{self._level.name}"

    def decide(
        self, game: Game, limit: Limit | None = None, cancelled: Cancelled = never
    ) -> Decision:
        """One legal action for the side that decides.

        Without a limit it takes `SECONDS` at most. Raises ValueError when the game is over.
        """
        limit = _limit(limit)
        spending = self._spending(limit, cancelled)
        advice = told(game, self._advise(game, limit, spending, every=False))
        return Decision(
            advice.action,
            advice.value_to_mover,
            advice.exact,
            advice.reason,
            advice.work,
            spending.seconds,
        )

    def advise(
        self, game: Game, limit: Limit | None = None, cancelled: Cancelled = never
    ) -> Advice:
        """Every legal action for the side that decides, with its value as far as it is known, what
        the bot would do, and why. Raises ValueError when the game is over."""
        limit = _limit(limit)
        advice = self._advise(game, limit, self._spending(limit, cancelled), every=True)
        return told(game, advice)

    def _spending(self, limit: Limit, cancelled: Cancelled) -> Spending:
        return Spending(limit, cancelled, self._level.share)

    def _advise(self, game: Game, limit: Limit, spending: Spending, *, every: bool) -> Advice:
        if game.deciding is Deciding.NOBODY:
            raise ValueError("the game is over: nobody decides")
        only = forced(game)
        if only is not None and not every:
            return Advice((Option(only, None),), only, None, False, "nothing else is legal")
        own_loss = weight(game, self.own_loss)
        if self._level.exact:
            exact = self._exactly[own_loss].decide(game, spending, every=every)
            if exact is not None:
                return self._with_purpose(game, exact, spending)
        timed = limit.seconds is not None
        known = [*self._known.going_on(game)] if timed and self._known is not None else []
        if game.deciding is Deciding.DEFENDER:
            advice = decide_defender(game, self._level, own_loss, spending, known)
        else:
            advice = decide_mover(game, self._level, self.own_loss, spending, known, every=every)
        if timed:
            self._known = remember(game, advice.courses)
        return advice

    def _with_purpose(self, game: Game, exact: Advice, spending: Spending) -> Advice:
        """Where stopping is best in this phase: a plain move with a purpose, if there is one."""
        if not isinstance(exact.action, EndPhase | Halt):
            return exact
        moved = purposeful(game, self.own_loss, spending)
        if moved is None:
            return exact
        action, payoff, reason = moved
        value = None if exact.value_to_mover is None else exact.value_to_mover + payoff
        return replace(exact, action=action, value_to_mover=value, exact=False, reason=reason)


def _limit(limit: Limit | None) -> Limit:
    if limit is None or (limit.seconds is None and limit.work is None):
        return Limit(seconds=SECONDS)
    return limit
