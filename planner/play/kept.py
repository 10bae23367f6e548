"""What a shot that is not made now is kept for: at which AFV's move its unit fires later.

On a solved tree both sides are followed as they play best after the window is held; else the reply
to one written course of the mover's is. Nothing is guessed: where the unit does not fire later in
what is followed, nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from heapq import heappop, heappush

from evaluation.backward import TooManyStatesError
from evaluation.script import Enter
from planner.game.actions import Action, EndPhase, Fire, Hold
from planner.game.moves import PlannedMove
from planner.game.play_state import Deciding, Game
from planner.game.resolution import outcomes
from planner.play.lookahead import Lookahead, TooLarge
from planner.play.onward import Onward

MOMENTS = 16
"""So many moments of a tree are followed, the likeliest first."""
SELDOM = 0.05
"""What happens less often than this is not worth saying."""
CERTAIN = 1.0 - 1e-9
BETTER_BY = 0.01
"""Holding is better by at least so much."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The AFV at whose move a unit fires most often later, with the chance of it; ``followed`` of
    all that may happen was looked at, so that the chance may be more where that is below one."""

    firer: str
    afv: str
    chance: float
    followed: float = 1.0

    @property
    def told(self) -> str:
        """In words and figures."""
        about = "" if self.followed >= CERTAIN else "at least "
        return (
            f"{self.firer} is kept for {self.afv}, at which it fires later "
            f"with {about}{100 * self.chance:.0f} %"
        )


def held_back(game: Game, values: Mapping[Action, float]) -> str | None:
    """The unit whose shot now would be the best, where holding is better by more than is rounded
    away. None for Final Opportunity Fire, which can't be kept (OVR-11)."""
    held = next((value for action, value in values.items() if isinstance(action, Hold)), None)
    fires = [(value, a.firer) for a, value in values.items() if isinstance(a, Fire)]
    if held is None or not fires:
        return None
    value, firer = min(fires)
    return None if is_final(game, firer) or value < held + BETTER_BY else firer


def is_final(game: Game, firer: str) -> bool:
    """Whether a unit's shot now would be Final Opportunity Fire: it has been overrun (OVR-11)."""
    window = None if game.under_way is None else game.under_way.window
    return window is not None and window.target == game.position.units[firer].hex


def kept_on_tree(look: Lookahead, held: Game, firer: str, check: Callable[[], None]) -> Kept | None:
    """What a unit's shot is kept for when the window has been held and both sides play best.

    ``check`` is called for each moment followed, and may raise to stop.
    """
    chances: dict[str, float] = {}
    followed = 0.0
    ahead: list[tuple[float, int, Game]] = [(-1.0, 0, held)]
    met = looked = 0
    while ahead and looked < MOMENTS:
        weight, _, game = heappop(ahead)
        unit = game.position.units[firer]
        if game.deciding is Deciding.NOBODY or unit.fired or not unit.status.can_fire:
            followed -= weight
            continue
        looked += 1
        check()
        try:
            action, _ = look.best(game)
        except TooLarge:
            continue
        if isinstance(action, EndPhase):
            followed -= weight
            continue
        if isinstance(action, Fire) and action.firer == firer and not is_final(game, firer):
            assert game.under_way is not None
            chances[game.under_way.unit] = chances.get(game.under_way.unit, 0.0) - weight
            followed -= weight
            continue
        for p, after in outcomes(game, action):
            met += 1
            heappush(ahead, (weight * p, met, after))
    return _most(firer, chances, followed)


def kept_in_course(judge: Onward, moves: Sequence[PlannedMove], firer: str) -> Kept | None:
    """What a unit's shot is kept for in the best reply to a course of the mover's, which begins
    with the rest of the move under way and its open window."""
    with suppress(TooManyStatesError):
        told = judge.evaluate(moves, payoff=False)
        chances: dict[str, float] = {}
        place = judge.field.units[firer].place
        for number, (move, stages) in enumerate(zip(told.moves, told.stages, strict=True)):
            for at, (step, stage) in enumerate(zip(move.steps, stages, strict=False)):
                if (number, at) == (0, 0):
                    continue  # the window that is held
                if isinstance(step, Enter) and step.final_against == place:
                    continue  # Final Opportunity Fire: it has that whether it fired before or not
                shots = sum(p for label, p in stage.shots if label[0] == firer)
                chances[move.unit] = chances.get(move.unit, 0.0) + stage.reached * shots
        return _most(firer, chances, 1.0)
    return None


def _most(firer: str, chances: dict[str, float], followed: float) -> Kept | None:
    """The AFV that is fired at most often, equal ones in the order of their ids."""
    afv = min(chances, key=lambda name: (-round(chances[name], 9), name), default=None)
    if afv is None or chances[afv] < SELDOM:
        return None
    return Kept(firer, afv, chances[afv], followed)
