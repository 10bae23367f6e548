"""The engine at work: requests in, one answer to each out, and a search that can be stopped.

Four threads: one reads lines; the one that calls `Server.run` takes requests, and answers at once
what need not wait; a third carries out the others one by one, searches included; a fourth writes
(`planner.interface.engine.writing`).
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from importlib.metadata import version
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from time import monotonic

from planner.game import shipped
from planner.game.document import DEPTH_LIMIT
from planner.game.pieces import Piece
from planner.interface.engine.desk import Desk
from planner.interface.engine.errors import Kind, RefusedError, refusal
from planner.interface.engine.ledger import Ledger, Ticket
from planner.interface.engine.options import Settings
from planner.interface.engine.reading import (
    LINE_LIMIT,
    BadLineError,
    LineCutter,
    Request,
    TooLong,
    read_params,
    read_request,
)
from planner.interface.engine.requests import PARAMS, PROTOCOL, PositionParams, SearchParams
from planner.interface.engine.results import HelloResult, Limits, Nothing, StopResult
from planner.interface.engine.search import Search
from planner.interface.engine.writing import Outbox
from planner.interface.refusals import ExitStatus
from planner.play.levels import LEVELS

MOST_WAITING = 100
"""Requests that may wait to be carried out."""
LINES_READ_AHEAD = 16
PATIENCE = 1.0
"""Seconds that a search may go on after the end of the input."""
MOST_PATIENCE = 10.0
"""Seconds after the end of the input when whatever still goes on is given up."""
DRAIN = 2.0
"""Seconds that the last lines get to be read by the client."""

LISTEN = 0.2
"""A Ctrl-C that comes just as waiting for requests begins is heard after so many seconds."""
HEAVY = (
    "planner.search.plan",
    "planner.play.bot",
    "planner.interface.forms",
    "ortools.sat.python.cp_model",
)
"""Loaded with the first position, so that no search, and no stop, has to wait for them."""


class _Sign(Enum):
    """What the thread that takes requests is told besides lines."""

    INPUT_ENDED = "the input has ended"
    QUIT = "the client wishes no answer, but the end"
    INTERRUPTED = "Ctrl-C"
    OUTPUT_FAILED = "nobody reads, or the output can't be written"


@dataclass(frozen=True, slots=True)
class _Job:
    """A request to be carried out in its turn; ``search`` for a ``go`` or a ``decide``."""

    ticket: Ticket
    method: str
    params: Piece
    search: Search | None = None


class Server:
    """An engine on two streams: ``read`` gives the next bytes, none at the end; ``write`` writes
    all it is given, or raises OSError."""

    def __init__(self, read: Callable[[], bytes], write: Callable[[bytes], None]) -> None:
        self._read = read
        self._events: SimpleQueue[bytes | TooLong | _Sign] = SimpleQueue()
        self._room = BoundedSemaphore(LINES_READ_AHEAD)
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self._outbox = Outbox(write, self._not_written)
        self._ledger = Ledger(self._outbox)
        self._settings = Settings()
        self._desk = Desk(self._settings)
        self._search: Search | None = None
        self._quitting: Ticket | None = None
        self._warm = False
        self.write_error: OSError | None = None
        self.is_idle = True

    def interrupt(self) -> None:
        """Ctrl-C: end soon. May be called in a signal handler."""
        self._events.put(_Sign.INTERRUPTED)

    def run(self) -> ExitStatus:
        """Serve until the client quits or goes away."""
        for work, name in ((self._read_lines, "input"), (self._carry_out_jobs, "work")):
            Thread(target=work, name=f"engine {name}", daemon=True).start()
        status = ExitStatus.DONE
        while self._quitting is None:
            try:
                event = self._events.get(timeout=LISTEN)
            except Empty:
                continue
            if isinstance(event, _Sign):
                status = self._end(event)
                break
            self._take(event)
            self._room.release()
        self._give_up()
        if self._quitting is not None:
            self._ledger.answer(self._quitting, Nothing())
        self._outbox.close(DRAIN)
        return status if self.write_error is None else _unwritten(self.write_error)

    # Reading.

    def _read_lines(self) -> None:
        cutter = LineCutter()
        while data := self._next_bytes():
            for line in cutter.feed(data):
                self._pass_on(line)
        for line in cutter.end():
            self._pass_on(line)
        self._events.put(_Sign.INPUT_ENDED)

    def _next_bytes(self) -> bytes:
        try:
            return self._read()
        except OSError:  # a terminal that is gone
            return b""

    def _pass_on(self, line: bytes | TooLong) -> None:
        if isinstance(line, TooLong) or line.strip():
            self._room.acquire()
            self._events.put(line)

    # Taking requests.

    def _take(self, line: bytes | TooLong) -> None:
        try:
            request = read_request(line)
        except BadLineError as error:
            self._ledger.complain(error.id, error.refused)
            return
        if request.id is None:
            self._take_notification(request)
            return
        ticket = self._ledger.open(request.id)
        if ticket is None:
            said = "a request of this id waits for its answer"
            self._ledger.complain(
                None, refusal(Kind.INVALID_REQUEST, "id", said, "another id for each request")
            )
            return
        try:
            self._begin(ticket, request.method, read_params(request))
        except RefusedError as refused:
            self._ledger.refuse(ticket, refused)

    def _take_notification(self, request: Request) -> None:
        """Only a stop and quit can be wished without an answer."""
        if request.params == {} and request.method in ("stop", "quit"):
            self._stop()
            if request.method == "quit":
                self._events.put(_Sign.QUIT)

    def _begin(self, ticket: Ticket, method: str, params: Piece) -> None:
        """Answer at once, or put the request with those that wait their turn."""
        match method:
            case "hello":
                self._ledger.answer(ticket, self._hello())
            case "ping":
                self._ledger.answer(ticket, Nothing())
            case "stop":
                self._ledger.answer(ticket, StopResult(stopped=self._stop()))
            case "quit":
                self._quitting = ticket
            case _:
                self._queue(ticket, method, params)

    def _queue(self, ticket: Ticket, method: str, params: Piece) -> None:
        if self._search is not None and not self._search.is_over:
            said = f"a search runs, for the {self._search.method} {self._search.ticket.id!r}"
            raise refusal(Kind.SEARCHING, "message", said, "a stop before, or its answer")
        if len(self._ledger.waiting()) > MOST_WAITING:
            said = f"{MOST_WAITING} requests wait"
            raise refusal(Kind.BUSY, "message", said, "to wait for answers")
        search = None
        if isinstance(params, SearchParams):
            search = self._search = Search(ticket, method, self._ledger)
        self._jobs.put(_Job(ticket, method, params, search))

    def _stop(self) -> bool:
        """End the search and have its answer sent; False when there is none."""
        search = self._search
        if search is None or search.is_over:
            return False
        search.stop()
        return True

    def _hello(self) -> HelloResult:
        return HelloResult(
            name="overrun-planner",
            version=version("overrun-planner"),
            protocol=PROTOCOL,
            methods=list(PARAMS),
            options=self._settings.told(),
            limits=Limits(line_bytes=LINE_LIMIT, depth=DEPTH_LIMIT, waiting=MOST_WAITING),
            levels=list(LEVELS),
            scenarios=list(shipped.scenario_names()),
            rules=list(shipped.rules_names()),
        )

    # Carrying out.

    def _carry_out_jobs(self) -> None:
        while True:
            job = self._jobs.get()
            self.is_idle = False
            try:
                self._carry_out(job)
            except RefusedError as refused:
                self._ledger.refuse(job.ticket, refused)
            except Exception as error:  # a bug must not end the engine, and has to be told
                traceback.print_exc(file=sys.stderr)
                said = f"{type(error).__name__} in {job.method}"
                told = refusal(Kind.INTERNAL, "message", said, "a report of this bug")
                self._ledger.refuse(job.ticket, told)
            self.is_idle = True

    def _carry_out(self, job: _Job) -> None:
        if job.ticket.answered.is_set():
            return
        if job.search is not None:
            params = job.params
            assert isinstance(params, SearchParams)
            job.search.run(lambda: self._desk.task(params))
            return
        result = self._desk.carry_out(job.params, job.method)
        if isinstance(job.params, PositionParams) and not self._warm:
            self._warm = True
            for module in HEAVY:
                import_module(module)
        self._ledger.answer(job.ticket, result)

    # The end.

    def _end(self, sign: _Sign) -> ExitStatus:
        if sign is _Sign.INPUT_ENDED:
            sign = self._finish() or sign
        return {
            _Sign.INPUT_ENDED: ExitStatus.DONE,
            _Sign.QUIT: ExitStatus.DONE,
            _Sign.INTERRUPTED: ExitStatus.STOPPED,
        }.get(sign, ExitStatus.WRONG)

    def _finish(self) -> _Sign | None:
        """Let what was asked for be done, a search for a while only; the sign that ends that."""
        ended = monotonic()
        while self._ledger.waiting() and monotonic() - ended < MOST_PATIENCE:
            try:
                event = self._events.get(timeout=0.02)
            except Empty:
                began = None if self._search is None else self._search.began
                if began is not None and monotonic() - max(ended, began) > PATIENCE:
                    self._stop()
                continue
            if isinstance(event, _Sign):
                return event
        return None

    def _give_up(self) -> None:
        """Stop the search, and answer all that still wait."""
        self._stop()
        for ticket in self._ledger.waiting():
            if ticket is not self._quitting:
                said, expected = "the engine ends", "to be asked for in time"
                self._ledger.refuse(ticket, refusal(Kind.STOPPED, "message", said, expected))

    def _not_written(self, error: OSError) -> None:
        self.write_error = error
        self._events.put(_Sign.OUTPUT_FAILED)


def _unwritten(error: OSError) -> ExitStatus:
    return ExitStatus.NO_READER if isinstance(error, ConnectionError) else ExitStatus.WRONG
