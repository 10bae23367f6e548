from __future__ import annotations

import subprocess
import sys

import pytest

import planner
from planner.game.read_scenario import load
from planner.play.hint import hint
from planner.search.plan import plan


def test_every_name_is_found_and_listed() -> None:
    assert set(planner.__all__) <= set(dir(planner))
    assert all(getattr(planner, name).__doc__ for name in planner.__all__)
    assert (planner.load, planner.hint, planner.plan) == (load, hint, plan)


@pytest.mark.parametrize("name", planner.__all__)
def test_every_name_is_explained(name: str) -> None:
    assert f"    {name} " in (planner.__doc__ or "")


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'solve'"):
        _ = planner.solve  # type: ignore[attr-defined]


def test_nothing_is_loaded_before_it_is_used() -> None:
    code = (
        "import sys, planner; before = 'numpy' in sys.modules; planner.lines;"
        "print(before, 'networkx' in sys.modules, 'ortools' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "False"]
