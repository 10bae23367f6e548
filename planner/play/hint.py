"""The hint: what to do now, and the best plans, with the chances of every outcome."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.backward import TooManyStatesError
from evaluation.value import Evaluation
from planner.game.position import Position
from planner.search.certify import PositionValue
from planner.search.effort import Cancelled, Limit, OnProgress, Wishes, never
from planner.search.plan import RankedPlan, plan
from planner.search.worth import Judge


@dataclass(frozen=True, slots=True)
class Hint:
    """The next move, the best plans (best first) each with its evaluation (None where telling every
    status apart takes too many states), what staying is worth, and what finding them took (see
    `planner.search.plan.PlanResult`)."""

    next: PositionValue
    plans: tuple[RankedPlan, ...]
    evaluations: tuple[Evaluation | None, ...]
    staying: float
    lines: int
    candidates: int
    seconds: float
    work: int
    finished: bool


def hint(
    position: Position,
    limit: Limit | None = None,
    wishes: Wishes | None = None,
    own_loss: float = 1.0,
    plans: int = 1,
    on_progress: OnProgress | None = None,
    cancelled: Cancelled = never,
) -> Hint:
    """The best next move and the best fixed plans of the side to move.

    Arguments as of `planner.search.plan.plan`.
    """
    result = plan(position, limit, wishes, own_loss, plans, on_progress, cancelled)
    judge = Judge(position, own_loss)
    return Hint(
        result.position,
        result.plans,
        tuple(_told(judge, ranked) for ranked in result.plans),
        result.staying,
        result.lines,
        result.candidates,
        result.seconds,
        result.work,
        result.finished,
    )


def _told(judge: Judge, ranked: RankedPlan) -> Evaluation | None:
    """What a plan leads to; None where telling every status apart takes too many states."""
    try:
        return judge.evaluate(ranked.moves, payoff=False)
    except TooManyStatesError:
        return None
