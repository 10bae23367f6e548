"""CP-SAT on a thread of its own: the same answer each time, and a stop that is obeyed at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from planner.search.effort import Cancelled

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

LARGEST_ROW = 2**31 - 1
"""Coefficients of a row must not add up to more: beyond, wrong optima were certified (solver
notes)."""

POLL = 0.01
"""Seconds between two looks at whether to stop."""

GRACE = 0.05
"""Seconds that the solver gets to end after a stop; then the best so far is taken without it."""


class StoppedError(Exception):
    """Somebody stopped the search while a model was being made."""


@dataclass(frozen=True, slots=True)
class Solved:
    """What the solver found: the values asked for in the best solution (None: no solution was
    found), whether that is proven best, and whether it was stopped."""

    values: tuple[bool, ...] | None
    proven: bool
    stopped: bool


def solve(
    model: cp_model.CpModel,
    shown: Sequence[cp_model.LiteralT],
    cancelled: Cancelled,
    effort: float,
) -> Solved:
    """Solve a model; the values of the literals ``shown`` in its best solution.

    One worker, a fixed seed and at most ``effort`` deterministic seconds: the same answer on any
    machine, unless ``cancelled()`` (asked on the calling thread) becomes true. Our own record of
    the last solution is returned, so a stop loses nothing.
    """
    from ortools.sat.python import cp_model  # heavy: only where it is used

    class Record(cp_model.CpSolverSolutionCallback):
        def __init__(self) -> None:
            super().__init__()
            self.values: tuple[bool, ...] | None = None

        def on_solution_callback(self) -> None:
            self.values = tuple(self.boolean_value(literal) for literal in shown)

    solver = cp_model.CpSolver()
    # Or the solver would put the system's own handler of Ctrl-C in place of ours when it is done.
    solver.parameters.catch_sigint_signal = False
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = effort
    solver.parameters.presolve_inclusion_work_limit = 0
    solver.parameters.cp_model_probing_level = 0  # costs more than it saves on these models
    record = Record()
    ended: list[cp_model.CpSolverStatus | BaseException] = []

    def run() -> None:
        try:
            ended.append(solver.solve(model, record))
        except BaseException as error:
            ended.append(error)

    thread = Thread(target=run, name="cp-sat")
    thread.start()
    stopped = False
    try:
        while thread.is_alive():
            thread.join(POLL)
            if cancelled():
                stopped = True
                break
    finally:
        # A stop asked for before the solver has begun is lost: ask until it has ended.
        until = monotonic() + GRACE
        while thread.is_alive() and monotonic() < until:
            solver.stop_search()
            thread.join(POLL / 2)
    if ended and isinstance(ended[0], BaseException):
        raise ended[0]
    proven = not stopped and ended == [cp_model.OPTIMAL]
    return Solved(record.values, proven, stopped)
