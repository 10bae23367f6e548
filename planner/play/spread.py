"""Where the pairs of a match are played: in this process, in several, or on a cluster.

Each gives the results in the order of the tasks, whoever is ready first, and has only so many under
way that a stop throws little away. Processes of this machine do not hear Ctrl-C, which a terminal
sends to all: who asked for the results does, and they end when he has heard enough, wherever they
are in their task.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Protocol, TypeVar

from planner.search.effort import Cancelled

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 2
"""So many tasks are under way for each process."""
PATIENCE = 0.1
"""After so many seconds of waiting the player is asked whether to go on."""


class Spread(Protocol):
    """Somewhere to do work."""

    def results(
        self, do: Callable[[T], R], tasks: Iterator[T], cancelled: Cancelled
    ) -> Generator[R, None, None]:
        """What ``do`` makes of each task, in their order; fewer once ``cancelled`` says yes."""
        ...


class Alone:
    """In this process, one after the other."""

    def results(
        self, do: Callable[[T], R], tasks: Iterator[T], cancelled: Cancelled
    ) -> Generator[R, None, None]:
        """See `Spread`."""
        for task in tasks:
            if cancelled():
                return
            yield do(task)


class Processes:
    """In so many processes of this machine."""

    def __init__(self, count: int) -> None:
        self.count = count

    def results(
        self, do: Callable[[T], R], tasks: Iterator[T], cancelled: Cancelled
    ) -> Generator[R, None, None]:
        """See `Spread`. Raises what ``do`` raises."""
        # Forked processes would inherit threads of solvers half way.
        context = get_context("spawn")
        # Closed, not sent to: no process that has ended already needs to hear of it.
        wanted, unwanted = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(self.count, context, _begin_work, (wanted,))

        def submit(task: T) -> Future[R]:
            with _not_interrupted():
                return pool.submit(do, task)

        try:
            yield from _in_order(submit, tasks, self.count, cancelled)
        finally:
            # The pool calls off what it has not begun; futures called off before would confuse it
            # when its processes end.
            pool.shutdown(wait=False, cancel_futures=True)
            unwanted.close()
            wanted.close()


def _begin_work(wanted: Connection) -> None:
    """In a new process: it ends as soon as the other end of that is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end() -> None:
        with suppress(EOFError, OSError):
            wanted.recv_bytes()
        os._exit(0)

    threading.Thread(target=end, daemon=True).start()


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Ctrl-C is heard afterwards, and by no process that is begun meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Cluster:
    """On a Dask cluster whose scheduler is at ``address``. Needs the extra ``cluster``."""

    def __init__(self, address: str) -> None:
        self.address = address

    def results(
        self, do: Callable[[T], R], tasks: Iterator[T], cancelled: Cancelled
    ) -> Generator[R, None, None]:
        """See `Spread`.

        Raises:
            ModuleNotFoundError: the extra is not installed.
            OSError: nobody answers at the address.
        """
        from distributed import Client  # heavy, and an extra

        with Client(self.address) as client:  # type: ignore[no-untyped-call]
            threads = max(1, sum(client.nthreads().values()))

            def submit(task: T) -> Any:
                return client.submit(do, task, pure=False)

            yield from _in_order(submit, tasks, threads, cancelled, lambda future: future.cancel())


def _in_order(
    submit: Callable[[T], Any],
    tasks: Iterator[T],
    workers: int,
    cancelled: Cancelled,
    call_off: Callable[[Any], object] = lambda future: None,
) -> Generator[Any, None, None]:
    """The results of what is submitted, in its order; what is left over is called off."""
    under_way: deque[Future[Any]] = deque()
    try:
        while True:
            while len(under_way) < AHEAD * workers and not cancelled():
                task = next(tasks, None)
                if task is None:
                    break
                under_way.append(submit(task))
            if not under_way:
                return
            while True:
                if cancelled():
                    return
                with suppress(TimeoutError):
                    found = under_way[0].result(timeout=PATIENCE)
                    break
            under_way.popleft()
            yield found
    finally:
        for future in under_way:
            call_off(future)
