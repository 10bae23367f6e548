"""One search for a ``go``: its limits, what it tells on the way, and its one answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from planner.game.moves import PlannedMove
from planner.game.notation import format_move
from planner.game.position import Position
from planner.interface.engine.errors import Kind, RefusedError, refusal
from planner.interface.engine.ledger import Ledger, Ticket
from planner.interface.engine.results import Follow, GoResult, Info, NextMove, PlanInfo
from planner.search.effort import Limit, Progress, Wishes

if TYPE_CHECKING:  # heavy: loaded by the first search
    from planner.search.certify import PositionValue
    from planner.search.plan import PlanResult

STOP = "stop"
"""The move that is none: nothing is worth making."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be searched, and how far."""

    position: Position
    limit: Limit
    wishes: Wishes
    own_loss: float
    plans: int
    info_interval: float


class Search:
    """A search that has been asked for. `run` is called on the thread that searches, `stop` on
    another; whichever comes first gives the answer."""

    def __init__(self, ticket: Ticket, ledger: Ledger) -> None:
        self.ticket = ticket
        self.began: float | None = None
        self._ledger = ledger
        self._stopped = Event()
        self._told_at: float | None = None
        self._task: Task | None = None
        self._latest: Progress | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has been answered."""
        return self.ticket.answered.is_set()

    def run(self, prepare: Callable[[], Task]) -> None:
        """Search and answer. Raises RefusedError when what was asked for can't be searched."""
        if self.is_over:  # stopped before its turn came
            return
        from planner.search.plan import plan  # heavy

        task = self._task = prepare()
        self.began = monotonic()
        found = plan(
            task.position,
            task.limit,
            task.wishes,
            task.own_loss,
            task.plans,
            self._progress,
            self._stopped.is_set,
        )
        self._ledger.answer(self.ticket, self._result(task.position, found))

    def stop(self, grace: float) -> None:
        """End the search. If it does not come to its end within ``grace`` seconds, the best that it
        has told of is its answer."""
        self._stopped.set()
        if self.ticket.answered.wait(grace):
            return
        task, latest = self._task, self._latest
        if task is None or latest is None:
            said = "the search was stopped before it had anything to say"
            expected = "a stop after the first info"
            self._ledger.refuse(self.ticket, refusal(Kind.STOPPED, "message", said, expected))
        else:
            self._ledger.answer(self.ticket, self._so_far(task.position, latest))

    def fail(self, refused: RefusedError) -> None:
        """Answer with an error."""
        self._ledger.refuse(self.ticket, refused)

    def _progress(self, progress: Progress) -> None:
        task = self._task
        assert task is not None
        self._latest = progress
        now = monotonic()
        if self._told_at is not None and now - self._told_at < task.info_interval:
            return
        self._told_at = now
        info = Info(
            go=self.ticket.id,
            phase=progress.phase,
            moves=_texts(task.position, progress.moves),
            value=progress.value_to_mover,
            bound=progress.bound,
            work=progress.work,
            seconds=self._seconds(),
        )
        self._ledger.inform(self.ticket, info)

    def _seconds(self) -> float:
        return 0.0 if self.began is None else monotonic() - self.began

    def _result(self, position: Position, found: PlanResult) -> GoResult:
        stopped = self._stopped.is_set()
        return GoResult(
            next=_next(position, found.position),
            plans=[
                PlanInfo.model_validate(
                    {
                        "moves": _texts(position, ranked.moves),
                        "value": ranked.value,
                        "status": ranked.status,
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

    def _so_far(self, position: Position, latest: Progress) -> GoResult:
        """The answer of a search that goes on for a while after it was stopped."""
        moves, value = _texts(position, latest.moves), latest.value_to_mover
        first = moves[0] if moves else STOP
        best = PlanInfo(
            moves=moves, value=value, status="feasible", bound=latest.bound, proof_over=None
        )
        return GoResult(
            next=NextMove(move=first, value=value, exact=False, value_high=None, then=[]),
            plans=[best],
            staying=None,
            ended="stopped",
            seconds=self._seconds(),
            work=latest.work,
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
