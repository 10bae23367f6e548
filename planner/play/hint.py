"""The hint: what to do now, and the best plans, with the chances of every outcome."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.value import Evaluation
from planner.game.position import Position
from planner.search.certify import PositionValue
from planner.search.effort import Cancelled, Limit, OnProgress, Wishes, never
from planner.search.plan import Differ, PlanResult, RankedPlan, plan
from planner.search.worth import Judge


@dataclass(frozen=True, slots=True)
class Hint:
    """What the search found (`planner.search.plan.PlanResult`), and for each of its plans what the
    plan leads to, as far as that can be told."""

    result: PlanResult
    evaluations: tuple[Evaluation, ...]

    @property
    def next(self) -> PositionValue:
        """The next move, what follows it, and what the position is worth."""
        return self.result.position

    @property
    def plans(self) -> tuple[RankedPlan, ...]:
        """The best fixed plans, best first."""
        return self.result.plans


def hint(
    position: Position,
    limit: Limit | None = None,
    wishes: Wishes | None = None,
    own_loss: float = 1.0,
    plans: int = 1,
    on_progress: OnProgress | None = None,
    cancelled: Cancelled = never,
    differ: Differ = Differ.OVERRUNS,
    counts: bool = False,
) -> Hint:
    """The best next move and the best fixed plans of the side to move.

    Arguments as of `planner.search.plan.plan`.
    """
    result = plan(
        position, limit, wishes, own_loss, plans, on_progress, cancelled, differ, counts=counts
    )
    judge = Judge(position, own_loss)
    told = (judge.evaluate(ranked.moves, payoff=False) for ranked in result.plans)
    return Hint(result, tuple(told))
