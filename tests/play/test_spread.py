"""Where matches are played: processes end when they are no longer wanted, and hear no Ctrl-C."""

from __future__ import annotations

import os
import signal
from itertools import count
from multiprocessing import active_children
from time import monotonic, sleep

import pytest

from planner.play.spread import Processes

LONG = 300.0
SOON = 60.0
"""Far less than a long task takes, far more than a process needs to end."""


def nap(seconds: float) -> float:
    sleep(seconds)
    return seconds


def end_interrupted(number: int) -> int:
    """What a terminal does to every process when Ctrl-C is pressed."""
    os.kill(os.getpid(), signal.SIGINT)
    return number


def test_processes_hear_no_ctrl_c() -> None:
    results = Processes(1).results(end_interrupted, iter(range(3)), lambda: False)
    assert list(results) == [0, 1, 2]


@pytest.mark.parametrize("taken", [0, 1], ids=["at once", "after a result"])
def test_a_stop_does_not_wait_for_tasks_under_way(taken: int) -> None:
    before = set(active_children())
    began = monotonic()
    asked = count()
    tasks = iter([0.0] * taken + [LONG] * 3)
    results = Processes(1).results(nap, tasks, lambda: next(asked) > 20)
    assert list(results) == [0.0] * taken
    while set(active_children()) - before:
        assert monotonic() - began < SOON
        sleep(0.05)


def test_no_task_is_begun_after_a_stop() -> None:
    tasks = iter([0.0])
    assert list(Processes(1).results(nap, tasks, lambda: True)) == []
    assert list(tasks) == [0.0]
