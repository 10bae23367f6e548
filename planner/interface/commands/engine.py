"""``overrun engine``."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import click

from planner.interface.asked import Command
from planner.interface.refusals import ExitStatus, refuse_output

_CHUNK = 2**16
_SWITCH = 0.001


@click.command("engine", cls=Command)
@click.pass_context
def command(ctx: click.Context) -> None:
    """The planner for other programs: JSON-RPC 2.0, one message a line.

    Requests come on the standard input, answers go to the standard output: hello, position, go
    with limits, info on the way, stop, decide, evaluate, lines, why, legal, apply, quit. Their JSON
    Schema is `overrun schema engine`. It ends when its input does.
    """
    from planner.interface.engine.server import Server

    # A thread that computes lets the others in more often than usual, so that a stop is prompt.
    sys.setswitchinterval(_SWITCH)
    server = Server(_read, _own_output())
    with _interrupted_by_ctrl_c(server.interrupt):
        status = server.run()
    if status is ExitStatus.WRONG and server.write_error is not None:
        refuse_output(f"can't be written: {server.write_error.strerror}", as_json=False)
    if not server.is_idle:
        # A computation that can't be stopped goes on; the interpreter would come to harm by it.
        sys.stderr.flush()
        os._exit(status)
    ctx.exit(status)


def _read() -> bytes:
    """The next bytes of the standard input; unlike its stream, no lock is held while waiting."""
    return b"" if sys.stdin is None else os.read(sys.stdin.fileno(), _CHUNK)


def _own_output() -> Callable[[bytes], None]:
    """What writes to the standard output; whatever else is printed goes to standard error."""
    sys.stdout.flush()
    output = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def write(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(output, view) :]

    return write


@contextmanager
def _interrupted_by_ctrl_c(interrupt: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C asks the engine to end, a second one ends it; ignored, it stays so."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        yield
        return

    def ask(number: int, frame: FrameType | None) -> None:
        interrupt()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
