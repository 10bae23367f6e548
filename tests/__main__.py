"""Everything a change must pass: ``python -m tests``.

Format, lint, types, import contracts, then the tests with the examples in README.md and in the
docstrings. All steps run even when one fails; the exit status is 1 when any did. ``--all`` runs the
slow tests too; other arguments go to pytest, which uses all cores.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
IMPORT_CONTRACTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"

CHECKS: dict[str, Sequence[str]] = {
    "format": (PYTHON, "-m", "ruff", "format", "--check", "."),
    "lint": (PYTHON, "-m", "ruff", "check", "."),
    "types": (PYTHON, "-m", "mypy"),
    "import contracts": (PYTHON, "-c", IMPORT_CONTRACTS, "--no-logo"),
}


def check(name: str, command: Sequence[str]) -> bool:
    """Run one check; its output is shown only when it fails."""
    started = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    passed = done.returncode == 0
    print(
        f"{name}: {'ok' if passed else 'FAILED'} ({time.monotonic() - started:.1f} s)", flush=True
    )
    if not passed:
        print(done.stdout + done.stderr, flush=True)
    return passed


def run_tests(arguments: Sequence[str]) -> tuple[int, str]:
    """Run pytest, its output passed on as it comes: exit status and last line."""
    command = (PYTHON, "-m", "pytest", "-q", "--numprocesses", "auto", *arguments)
    last = ""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            print(line, end="", flush=True)
            last = line if line.strip() else last
    return running.returncode, last


def counted(summary: str, *words: str) -> int:
    """The sum of the numbers before these words in pytest's last line.

    >>> counted("1 failed, 12 passed, 2 errors in 0.10s", "failed", "errors?")
    3
    """
    found = (re.search(rf"(\d+) {word}\b", summary) for word in words)
    return sum(int(match.group(1)) for match in found if match)


def main(arguments: Sequence[str]) -> int:
    """Run all steps. The last line counts what passed and failed."""
    failed = [name for name, command in CHECKS.items() if not check(name, command)]
    passed_on = [argument for argument in arguments if argument != "--all"]
    if "--all" in arguments:
        passed_on += ["-m", ""]
    status, summary = run_tests(passed_on)
    if failed:
        print(f"failed besides the tests: {', '.join(failed)}")
        passing = counted(summary, "passed")
        print(f"{passing} passed, {counted(summary, 'failed', 'errors?') + len(failed)} failed")
    return 1 if failed or status else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
