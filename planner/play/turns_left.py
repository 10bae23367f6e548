"""What an AFV counts for in the turns to come, to who is moved against.

The payoff ends with the Movement Phase, a scenario often does not. At the end of the turn Fire
markers come off, so a shot that was kept is gone, and an AFV that it would have stopped goes on
overrunning in the next. So while turns are left the defender's bot takes the mover's losses to
weigh more: with the payoff's own weight it keeps shots too long.
"""

from __future__ import annotations

from dataclasses import replace

from planner.game.play_state import Deciding, Game
from planner.play.advice import Advice

LASTING = 2.0
"""So many times an AFV counts while turns are left. Chosen by games on Ponyri against a plain
mover; against the best mover the few small games played were a little worse with it."""


def lasts(game: Game) -> bool:
    """Whether the defender decides, and the side to move has a Movement Phase after this one."""
    position = game.position
    return game.deciding is Deciding.DEFENDER and position.turn < position.turns


def weight(game: Game, own_loss: float) -> float:
    """The own-loss weight by which to decide."""
    return own_loss * LASTING if lasts(game) else own_loss


def told(game: Game, advice: Advice) -> Advice:
    """Advice with a word on what its figures count, where that is not the payoff's own weight."""
    if not lasts(game) or all(option.value_to_mover is None for option in advice.options):
        return advice
    said = f"(AFVs count {LASTING:g} times, for there are turns left)"
    return replace(advice, reason=f"{advice.reason} {said}")
