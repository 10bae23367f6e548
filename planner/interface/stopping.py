"""Ctrl-C while a search runs: the first one asks it to stop, a second one ends the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from planner.search.effort import Cancelled, never


@contextmanager
def stoppable() -> Iterator[Cancelled]:
    """Whether the player has asked to stop; outside the main thread nobody can."""
    if threading.current_thread() is not threading.main_thread():
        yield never
        return
    stop = threading.Event()
    previous = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: FrameType | None) -> None:
        stop.set()
        # By an exception, so that what is shown of the search is taken off the screen.
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, ask)
    try:
        yield stop.is_set
    finally:
        signal.signal(signal.SIGINT, previous)
