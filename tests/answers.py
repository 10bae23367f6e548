"""Many ``overrun … --json`` commands in one new process: ``python -m tests.answers``.

Reads a JSON list of argument lists from standard input and prints a JSON object: ``hashed``, which
differs from one PYTHONHASHSEED to another, and ``answers``, for each an exit status and the exact
texts. The seconds that a search took are struck out.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
SECONDS = re.compile(r'"seconds": [0-9.e+-]+')


class Answer(NamedTuple):
    """What a command ended with, what it printed, and what it said besides (warnings)."""

    status: int
    text: str
    said: str


class Answers(NamedTuple):
    """Of one process: the hash of a word, and the answers in the order of the commands."""

    hashed: int
    answers: tuple[Answer, ...]


def without_seconds(text: str) -> str:
    """The text, whatever time it took."""
    return SECONDS.sub('"seconds": 0', text)


def ask(commands: Sequence[Sequence[str]], hash_seed: int) -> Answers:
    """Run the commands, each with ``--json``, one after the other in a new process."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.answers"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        input=json.dumps(commands),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return Answers(found["hashed"], tuple(Answer(*one) for one in found["answers"]))


def main() -> None:
    """Answer the commands on standard input."""
    from tests.interface.command import run

    answers = []
    for arguments in json.load(sys.stdin):
        result = run(*arguments, "--json")
        answers.append((result.exit_code, without_seconds(result.stdout), result.stderr))
    print(json.dumps({"hashed": hash("overrun"), "answers": answers}))


if __name__ == "__main__":
    main()
