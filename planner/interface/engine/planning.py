"""The task of a ``go``: the best plans of a position, and what to do now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner.game.moves import PlannedMove
from planner.game.notation import format_move
from planner.game.position import Position
from planner.interface.engine.results import Follow, GoResult, NextMove, PlanInfo
from planner.search.effort import Cancelled, Limit, OnProgress, Progress, Wishes

if TYPE_CHECKING:  # heavy: loaded by the first search
    from planner.search.certify import PositionValue
    from planner.search.plan import PlanResult

STOP = "stop"
"""The move that is none: nothing is worth making."""


@dataclass(frozen=True, slots=True)
class Planning:
    """A plan to be searched for, and how far."""

    position: Position
    limit: Limit
    wishes: Wishes
    own_loss: float
    plans: int
    differ: str
    info_interval: float

    def run(self, on_progress: OnProgress, cancelled: Cancelled) -> GoResult:
        """Search; the answer."""
        from planner.search.plan import Differ, plan  # heavy

        found = plan(
            self.position,
            self.limit,
            self.wishes,
            self.own_loss,
            self.plans,
            on_progress,
            cancelled,
            Differ(self.differ),
        )
        return self._result(found, stopped=cancelled())

    def so_far(self, latest: Progress | None, seconds: float) -> GoResult | None:
        """The best plan that the search has told of."""
        if latest is None:
            return None
        moves, value = _texts(self.position, latest.moves), latest.value_to_mover
        first = moves[0] if moves else STOP
        best = PlanInfo(
            moves=moves,
            value=value,
            exact=True,
            value_high=value,
            status="feasible",
            proved=False,
            bound=latest.bound,
            proof_over=None,
        )
        return GoResult(
            next=NextMove(move=first, value=value, exact=False, value_high=None, then=[]),
            plans=[best],
            staying=None,
            ended="stopped",
            seconds=seconds,
            work=latest.work,
        )

    def _result(self, found: PlanResult, *, stopped: bool) -> GoResult:
        return GoResult(
            next=_next(self.position, found.position),
            plans=[
                PlanInfo.model_validate(
                    {
                        "moves": _texts(self.position, ranked.moves),
                        "value": ranked.value,
                        "exact": ranked.exact,
                        "value_high": ranked.value_high,
                        "status": ranked.status,
                        "proved": ranked.proved,
                        "bound": ranked.bound,
                        "proof_over": ranked.proof_over,
                    }
                )
                for ranked in found.plans
            ],
            staying=found.staying,
            ended="finished" if found.finished else "stopped" if stopped else "limit",
            seconds=found.seconds,
            work=found.work,
        )


def _texts(position: Position, moves: tuple[PlannedMove, ...]) -> list[str]:
    return [format_move(position, move) for move in moves]


def _text(position: Position, move: PlannedMove | None) -> str:
    return STOP if move is None else format_move(position, move)


def _next(position: Position, value: PositionValue) -> NextMove:
    return NextMove(
        move=_text(position, value.move),
        value=value.low,
        exact=value.exact,
        value_high=value.high,
        then=[
            Follow.model_validate(
                {
                    "if": list(follow.conditions),
                    "probability": min(1.0, max(0.0, follow.probability)),
                    "move": _text(position, follow.move),
                    "value": follow.value,
                }
            )
            for follow in value.then
        ],
    )
