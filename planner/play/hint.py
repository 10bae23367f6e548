"""The hint: what to do now, and the best plans, with the reasons."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.value import Evaluation
from planner.game.moves import PlannedMove
from planner.game.position import Position
from planner.search.effort import Cancelled, Limit, OnProgress, Wishes, never
from planner.search.plan import RankedPlan, plan
from planner.search.worth import Judge


@dataclass(frozen=True, slots=True)
class NextMove:
    """What to do now. ``move`` None: stop, nothing is worth making. ``value`` is attained by going
    on with the best plan; whether more can be had by deciding anew is not known (``exact`` False).
    """

    move: PlannedMove | None
    value: float
    exact: bool
    value_high: float | None


@dataclass(frozen=True, slots=True)
class Hint:
    """The next move, the best plans (best first) each with its evaluation, what staying is worth,
    and what finding them took (see `planner.search.plan.PlanResult`)."""

    next: NextMove
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

    The next move is the first of the best plan; its value is what that plan is worth. Arguments as
    of `planner.search.plan.plan`.
    """
    result = plan(position, limit, wishes, own_loss, plans, on_progress, cancelled)
    judge = Judge(position, own_loss)
    evaluations = tuple(judge.evaluate(ranked.moves, payoff=False) for ranked in result.plans)
    best = result.plans[0]
    next_ = NextMove(best.moves[0] if best.moves else None, best.value, False, None)
    return Hint(
        next_,
        result.plans,
        evaluations,
        result.staying,
        result.lines,
        result.candidates,
        result.seconds,
        result.work,
        result.finished,
    )
