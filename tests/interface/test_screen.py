from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

from planner.interface.screen import progress_shown
from tests.interface.command import TWO_TANKS

ARGUMENTS = [sys.executable, "-c", "from planner.interface.cli import main; main()"]
COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_a_terminal(*arguments: str, columns: int = 200, **environment: str) -> tuple[str, str]:
    """What a command shows on a terminal of so many columns: standard output and error."""
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    env |= {"TERM": "xterm", "COLUMNS": str(columns), **environment}
    ends = [pty.openpty() for _ in range(2)]
    with subprocess.Popen(
        [*ARGUMENTS, *arguments], stdout=ends[0][1], stderr=ends[1][1], env=env
    ) as running:
        for _, slave in ends:
            os.close(slave)
        shown = tuple(_read(master) for master, _ in ends)
    assert running.returncode == 0
    return shown[0], shown[1]


def _read(master: int) -> str:
    """Everything up to the end, which a terminal tells by an error."""
    found = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        found += part
    os.close(master)
    return found.decode().replace("\r\n", "\n")


def test_a_terminal_gets_colours_and_progress() -> None:
    shown, progress = on_a_terminal("hint", TWO_TANKS)
    assert COLOUR.search(shown)
    assert "T2 0402x0503-0603" in COLOUR.sub("", shown)
    assert "best so far" in COLOUR.sub("", progress)


def test_no_color_is_heeded() -> None:
    shown, _ = on_a_terminal("why", TWO_TANKS, "T1", "0404", "SE", NO_COLOR="1")
    assert "\x1b[3" not in shown


def letters(text: str) -> list[str]:
    """Every letter and digit shown, sorted: folding moves them about."""
    return sorted(re.findall(r"\w", COLOUR.sub("", text)))


@pytest.mark.parametrize("columns", [120, 80, 40, 34])
def test_a_narrow_terminal_folds_and_cuts_nothing(columns: int) -> None:
    wide, _ = on_a_terminal("lines", TWO_TANKS, columns=300)
    shown, _ = on_a_terminal("lines", TWO_TANKS, columns=columns)
    assert max(map(len, COLOUR.sub("", shown).splitlines())) <= columns
    assert letters(shown) == letters(wide)


@pytest.mark.parametrize("columns", [120, 80])
def test_a_move_stays_on_one_line_while_other_columns_can_give_way(columns: int) -> None:
    shown, _ = on_a_terminal("hint", TWO_TANKS, columns=columns)
    table = COLOUR.sub("", shown).partition("Best fixed plan")[2]
    assert "T1 0304x0404-0505 " in table
    assert max(map(len, table.splitlines())) <= columns


def test_json_has_no_colours_on_a_terminal() -> None:
    shown, _ = on_a_terminal("lines", TWO_TANKS, "--json")
    assert "\x1b" not in shown


def test_no_progress_but_on_a_terminal() -> None:
    with progress_shown() as on_progress:
        assert on_progress is None
