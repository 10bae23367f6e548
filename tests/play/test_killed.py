"""Games whose process is killed at moments drawn from a seed: every finished event is there, and
the game goes on to the end that it has when nobody kills it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")


def killed(folder: Path, seed: int, kills: int) -> dict[str, Any]:
    """What `tests.play.killed` found. It runs by itself: to fork is safe with one thread only."""
    command = [sys.executable, "-m", "tests.play.killed", str(folder), str(seed), str(kills)]
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_ten_kills(tmp_path: Path) -> None:
    found = killed(tmp_path, 1, 10)
    assert (found["wrong"], found["kills"]) == ([], 10)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
def test_two_hundred_kills(seed: int, tmp_path: Path) -> None:
    found = killed(tmp_path, seed, 200)
    assert (found["wrong"], found["kills"]) == ([], 200)
    # Kills came between a decision and its result, and between decisions.
    assert min(found["last"].get(kind, 0) for kind in ("Decided", "Came")) >= 20
