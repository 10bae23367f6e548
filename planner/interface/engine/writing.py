"""What is sent: messages as lines, written one after the other by a thread of their own.

So a client that does not read holds up neither a search nor a stop.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from threading import Condition, Thread

from planner.interface.engine.sent import Sent

MOST_UNSENT = 1000
"""So many lines wait to be written; then whoever has another one waits too."""


def line_of(message: Sent) -> bytes:
    """A message as it is sent: one line of ASCII."""
    form = message.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return json.dumps(form, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


class Outbox:
    """Lines on their way out. ``write`` writes all of a line, ``failed`` is told when it can't."""

    def __init__(self, write: Callable[[bytes], None], failed: Callable[[OSError], None]) -> None:
        self._write = write
        self._failed = failed
        self._changed = Condition()
        self._lines: deque[bytes] = deque()
        self._news: bytes | None = None
        self._writing = False
        self._closed = False
        Thread(target=self._run, name="engine output", daemon=True).start()

    def post(self, line: bytes) -> None:
        """Send a line; waits while too many wait before it."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._lines) < MOST_UNSENT)
            if self._news is not None:
                self._lines.append(self._news)
                self._news = None
            self._lines.append(line)
            self._changed.notify_all()

    def offer(self, line: bytes) -> None:
        """Send a line of news, or a later one in its place if the reader is slow."""
        with self._changed:
            self._news = line
            self._changed.notify_all()

    def close(self, patience: float) -> None:
        """Wait so many seconds at most until all is written; nothing is written afterwards."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or not (self._lines or self._news or self._writing), patience
            )
            self._closed = True
            self._changed.notify_all()

    def _run(self) -> None:
        while (line := self._next()) is not None:
            try:
                self._write(line)
            except OSError as error:
                with self._changed:
                    self._closed = True
                    self._changed.notify_all()
                self._failed(error)
                return

    def _next(self) -> bytes | None:
        with self._changed:
            self._writing = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closed or self._lines or self._news is not None)
            if self._closed:
                return None
            self._writing = True
            if self._lines:
                line = self._lines.popleft()
            else:
                assert self._news is not None
                line, self._news = self._news, None
            self._changed.notify_all()
            return line
