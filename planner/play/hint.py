"""The hint: what to do now, and the best plans, with the reasons."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.value import Evaluation
from planner.game.position import Position
from planner.search.certify import PositionValue
from planner.search.effort import Cancelled, Limit, OnProgress, Wishes, never
from planner.search.plan import RankedPlan, plan
from planner.search.worth import Judge


@dataclass(frozen=True, slots=True)
class Hint:
    """The next move, the best plans (best first) each with its evaluation, what staying is worth,
    and what finding them took (see `planner.search.plan.PlanResult`)."""

    next: PositionValue
    plans: tuple[RankedPlan, ...]
    evaluations: tuple[Evaluation, ...]
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
    evaluations = tuple(judge.evaluate(ranked.moves, payoff=False) for ranked in result.plans)
    return Hint(
        result.position,
        result.plans,
        evaluations,
        result.staying,
        result.lines,
        result.candidates,
        result.seconds,
        result.work,
        result.finished,
    )
