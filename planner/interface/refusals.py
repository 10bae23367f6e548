"""Saying no: exit statuses, and faults on the standard error stream in words or as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import click

from planner.game.faults import Fault, FileFault
from planner.interface.printing import json_text, say_aside


class ExitStatus(IntEnum):
    """How a command ends."""

    DONE = 0
    NO = 1
    """The files were read and the answer is no: an illegal move, no legal line."""
    WRONG = 2
    """The command or a file is wrong."""
    STOPPED = 130
    """Stopped by Ctrl-C."""
    NO_READER = 141
    """The reader of the output went away."""


def fault_forms(faults: Iterable[Fault]) -> list[dict[str, str]]:
    """Faults as JSON."""
    return [
        {"place": fault.place, "fault": fault.fault, "expected": fault.expected} for fault in faults
    ]


def refuse(fault: FileFault, *, as_json: bool) -> None:
    """Say everything that is wrong with a file or with what was asked."""
    if as_json:
        form: dict[str, Any] = {"file": fault.file, "faults": fault_forms(fault.faults)}
        say_aside(json_text(form))
    else:
        say_aside(f"overrun: {fault}")


def refuse_usage(error: click.UsageError) -> None:
    """Say as JSON what is wrong with a command."""
    usage = error.ctx.get_usage() if error.ctx else "overrun --help"
    fault = Fault(COMMAND_LINE, error.format_message(), " ".join(usage.split()))
    refuse(FileFault(COMMAND_LINE, [fault]), as_json=True)


def refuse_output(said: str, *, as_json: bool) -> None:
    """Say that the answer can't be written."""
    fault = Fault("standard output", said, "a place that takes the answer")
    refuse(FileFault(COMMAND_LINE, [fault]), as_json=as_json)


COMMAND_LINE = "command line"
