"""Measuring time: repeated runs, and runs that are given up when they take too long."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter, process_time
from types import FrameType
from typing import TypeVar

T = TypeVar("T")


class TooSlowError(Exception):
    """A run did not end in the time it was given."""


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds that one run took: on the clock, and of processor time (all threads). On a machine
    that does other things as well the second is the steadier."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of repeated runs; ``cpu``: their processor times (none for what is no time)."""

    seconds: tuple[float, ...]
    cpu: tuple[float, ...] = ()

    @classmethod
    def of(cls, runs: Iterable[Took]) -> Times:
        """The times of some runs."""
        took = tuple(runs)
        return cls(tuple(one.wall for one in took), tuple(one.cpu for one in took))

    @property
    def median_cpu(self) -> float | None:
        """The median of the processor times."""
        return median(self.cpu) if self.cpu else None

    @property
    def median(self) -> float:
        """Half of the runs took no longer."""
        return median(self.seconds)

    @property
    def p95(self) -> float:
        """19 of 20 runs took no longer (nearest rank)."""
        ranked = sorted(self.seconds)
        return ranked[min(len(ranked) - 1, -(-len(ranked) * 95 // 100) - 1)]

    @property
    def least(self) -> float:
        """The quickest run."""
        return min(self.seconds)


def time_once(run: Callable[[], T]) -> tuple[Took, T]:
    """What a run took, and what it gave. Rubbish is collected before, not during."""
    gc.collect()
    gc.disable()
    try:
        cpu, wall = process_time(), perf_counter()
        found = run()
        return Took(perf_counter() - wall, process_time() - cpu), found
    finally:
        gc.enable()


def time_each(run: Callable[[T], object], given: Iterable[T]) -> Times:
    """A run for each thing given, in order."""
    return Times.of(time_once(partial(run, one))[0] for one in given)


def time_repeated(prepare: Callable[[], T], run: Callable[[T], object], repeats: int) -> Times:
    """``repeats`` runs, each on something prepared anew outside the measured time."""
    return time_each(run, (prepare() for _ in range(repeats)))


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give up what is done inside after so many seconds. Main thread only, and not on Windows.

    Raises TooSlowError when the time is over.
    """

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
