"""Choices of the defender that are equally good against the best play."""

from __future__ import annotations

from collections.abc import Sequence

from planner.game.actions import Fire, Hold, format_action
from planner.game.play_state import Game
from planner.play.advice import EQUALLY_GOOD, Option
from planner.play.baselines import expected_losses


def soonest(game: Game, equal: Sequence[Option]) -> Option:
    """Of equally good choices the shot that is expected to cost the AFV most now; to hold where
    none costs it anything, else the first.

    Against the best play it is all one whether such a shot is made now or a later one as good as
    it; a mover who errs may never give that later one.
    """
    shots = [option.action for option in equal if isinstance(option.action, Fire)]
    costs = [
        (-loss, format_action(game.position, shot), shot)
        for loss, shot in expected_losses(game, shots)
        if loss > EQUALLY_GOOD
    ]
    if costs:
        _, _, now = min(costs, key=lambda one: (round(one[0], 9), one[1]))
        return next(option for option in equal if option.action == now)
    return next((o for o in equal if isinstance(o.action, Hold)), equal[0])
