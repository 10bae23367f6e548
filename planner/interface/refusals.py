"""Saying no: exit statuses, and faults on the standard error stream in words or as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import click

from planner.game.faults import Fault, FileFault
from planner.interface.printing import json_text


class ExitStatus(IntEnum):
    """How a command ends."""

    DONE = 0
    NO = 1
    """The files were read and the answer is no: an illegal move, no legal line."""
    WRONG = 2
    """The command or a file is wrong."""
    STOPPED = 130
    NO_READER = 141


def fault_forms(faults: Iterable[Fault]) -> list[dict[str, str]]:
    """Faults as JSON."""
    return [
        {"place": fault.place, "fault": fault.fault, "expected": fault.expected} for fault in faults
    ]


def refuse(fault: FileFault, *, as_json: bool) -> None:
    """Say everything that is wrong with a file or with what was asked."""
    if as_json:
        form: dict[str, Any] = {"file": fault.file, "faults": fault_forms(fault.faults)}
        click.echo(json_text(form), err=True)
    else:
        click.echo(f"overrun: {fault}", err=True)


def refuse_usage(error: click.UsageError) -> None:
    """Say as JSON what is wrong with a command."""
    usage = error.ctx.get_usage() if error.ctx else "overrun --help"
    fault = Fault(COMMAND_LINE, error.format_message(), " ".join(usage.split()))
    refuse(FileFault(COMMAND_LINE, [fault]), as_json=True)


COMMAND_LINE = "command line"
