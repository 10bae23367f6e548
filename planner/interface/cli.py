"""Where ``overrun`` starts.

Nothing but the system is loaded before Ctrl-C has its meaning, so that it has it from the first
moment on; the rest comes from `planner.interface.program`.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

_STOPPED = 130
"""`planner.interface.refusals.ExitStatus.STOPPED`, which is not loaded yet when this is needed."""


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as by nohup
        signal.signal(signal.SIGINT, _leave)
    if sys.stderr is None:
        # Nobody reads warnings and progress: that changes no answer.
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    from planner.interface.program import run

    run()


def _leave(number: int, frame: FrameType | None) -> None:
    """Ctrl-C outside a search. An exception would not do: libraries that are being loaded lose it
    or make another of it. Every answer is written out as it is printed, so none is lost."""
    try:
        os.write(2, b"stopped\n")
    finally:
        os._exit(_STOPPED)
