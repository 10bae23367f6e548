"""Commands run from the shell, cold: how long they take and how much memory at most."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LAUNCHER = Path(__file__).parent / "launch.py"
ROOT = Path(__file__).parent.parent
OVERRUN = "from planner.interface.cli import main; main()"
"""What the installed ``overrun`` script does."""
IMPORTS = (
    "import planner.interface.commands.hint, planner.interface.show_hint, networkx, numpy, rich;"
    " from ortools.sat.python import cp_model"
)
"""The libraries a hint loads, and nothing done with them."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took and printed."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    status: int
    stdout: str
    stderr: str


def run_python(code: str, *arguments: str) -> Run:
    """Run ``python -c CODE ARGUMENT…`` in a new process."""
    command = [sys.executable, "-c", code, *arguments]
    launched = subprocess.run(
        [sys.executable, "-I", "-S", str(LAUNCHER), *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Run(**json.loads(launched.stdout))


def run_overrun(*arguments: str) -> Run:
    """Run ``overrun ARGUMENT…`` in a new process. Raises AssertionError when it is refused."""
    found = run_python(OVERRUN, *arguments)
    assert found.status in (0, 1), (arguments, found.stderr)
    return found
