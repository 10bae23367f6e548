"""One search, for a ``go`` or a ``decide``: what it tells on the way, and its one answer."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from time import monotonic
from typing import Protocol

from planner.game.notation import format_move
from planner.game.position import Position
from planner.interface.engine.errors import Kind, refusal
from planner.interface.engine.ledger import Ledger, Ticket
from planner.interface.engine.results import Info
from planner.interface.engine.sent import Sent
from planner.search.effort import Cancelled, OnProgress, Progress

GRACE = 0.04
"""Seconds that a stopped search gets to end by itself."""
SILENT_GRACE = 0.5
"""Seconds for one that has told nothing yet: it may still wait for the end of a search stopped
before, and bots tell nothing on the way."""


class Task(Protocol):
    """What is to be searched."""

    @property
    def position(self) -> Position:
        """Where."""
        ...

    @property
    def info_interval(self) -> float:
        """Seconds between two infos, at least."""
        ...

    def run(self, on_progress: OnProgress, cancelled: Cancelled) -> Sent:
        """Search; the answer. ``cancelled`` is asked now and then whether to come to an end."""
        ...

    def so_far(self, latest: Progress | None, seconds: float) -> Sent | None:
        """The answer of a search that goes on for a while after it was stopped, from the ``latest``
        that it has told (None: nothing yet); None when there is nothing to say."""
        ...


class Search:
    """A search that has been asked for. `run` is called on the thread that searches, `stop` on
    another; whichever comes first gives the answer."""

    def __init__(self, ticket: Ticket, method: str, ledger: Ledger) -> None:
        self.ticket = ticket
        self.method = method
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
        task = self._task = prepare()
        self.began = monotonic()
        self._ledger.answer(self.ticket, task.run(self._progress, self._stopped.is_set))

    def stop(self) -> None:
        """End the search. If it does not come to its end soon, the best that it has told of is its
        answer."""
        self._stopped.set()
        if self.ticket.answered.wait(GRACE):
            return
        if self._latest is None and self.ticket.answered.wait(SILENT_GRACE - GRACE):
            return
        task = self._task
        answer = None if task is None else task.so_far(self._latest, self._seconds())
        if answer is None:
            said = "the search was stopped before it had anything to say"
            expected = "a stop after the first info"
            self._ledger.refuse(self.ticket, refusal(Kind.STOPPED, "message", said, expected))
        else:
            self._ledger.answer(self.ticket, answer)

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
            moves=[format_move(task.position, move) for move in progress.moves],
            value=progress.value_to_mover,
            bound=progress.bound,
            work=progress.work,
            seconds=self._seconds(),
        )
        self._ledger.inform(self.ticket, info)

    def _seconds(self) -> float:
        return 0.0 if self.began is None else monotonic() - self.began
