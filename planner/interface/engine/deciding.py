"""The task of a ``decide``: what the bot does at this moment, whoever decides."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Literal

from planner.game.actions import EndPhase, Halt, Hold, format_action
from planner.game.choices import legal
from planner.game.play_state import Game
from planner.game.position import Position
from planner.interface.engine.action_info import action_info
from planner.interface.engine.results import ChoiceInfo, DecideResult
from planner.play.player import Decision
from planner.search.effort import Cancelled, Limit, OnProgress, Progress

if TYPE_CHECKING:  # heavy: loaded with the first position
    from planner.play.advice import Advice, Option
    from planner.play.bot import Bot


@dataclass(frozen=True, slots=True)
class Deciding:
    """A decision for a bot. ``every``: the value of every legal action is wanted too. There are no
    infos, for a bot tells nothing on the way."""

    game: Game
    bot: Bot
    limit: Limit
    every: bool
    info_interval: float

    @property
    def position(self) -> Position:
        """Where."""
        return self.game.position

    def run(self, on_progress: OnProgress, cancelled: Cancelled) -> DecideResult:
        """What the bot does, and what it knows of it."""
        began = monotonic()
        if not self.every:
            decision = self.bot.decide(self.game, self.limit, cancelled)
            return self._result(decision, monotonic() - began, stopped=cancelled())
        advice = self.bot.advise(self.game, self.limit, cancelled)
        found = self._result(advice, monotonic() - began, stopped=cancelled())
        return found.model_copy(update={"choices": [self._choice(o) for o in advice.options]})

    def so_far(self, latest: Progress | None, seconds: float) -> DecideResult:
        """Stopping, ending or holding, unjudged: the bot has not come to its end."""
        choices = legal(self.game)
        stops = (a for a in choices if isinstance(a, EndPhase | Hold) or a == self._halt)
        action = next(stops, choices[0])
        text = format_action(self.position, action)
        unjudged = Decision(action, reason=f"{text}: there was no time to judge")
        return self._result(unjudged, seconds, stopped=True)

    @property
    def _halt(self) -> Halt | None:
        under_way = self.game.under_way
        return None if under_way is None else Halt(under_way.unit)

    def _result(self, found: Decision | Advice, seconds: float, *, stopped: bool) -> DecideResult:
        ended: Literal["decided", "stopped"] = "stopped" if stopped else "decided"
        decider = self.game.decider
        assert decider is not None
        return DecideResult(
            action=format_action(self.position, found.action),
            parts=action_info(self.position, found.action),
            deciding=self.game.deciding.value,
            decider=decider,
            value=_finite(found.value_to_mover),
            value_to=self.position.to_move,
            exact=found.exact,
            reason=found.reason,
            ended=ended,
            seconds=seconds,
            work=found.work,
        )

    def _choice(self, option: Option) -> ChoiceInfo:
        return ChoiceInfo(
            action=format_action(self.position, option.action), value=_finite(option.value_to_mover)
        )


def _finite(value: float | None) -> float | None:
    """A value that can be sent; minus infinity is that of what could not be valued."""
    return value if value is not None and isfinite(value) else None
