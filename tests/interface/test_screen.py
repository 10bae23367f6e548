from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest
from rich.console import Console

from planner.interface import screen
from planner.interface.screen import progress_shown, say_move, show_table
from tests.interface.command import TWO_TANKS, answer, run, variant

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
    assert "best +" in COLOUR.sub("", progress)


def test_no_color_is_heeded() -> None:
    shown, _ = on_a_terminal("why", TWO_TANKS, "T1", "0404", "SE", NO_COLOR="1")
    assert "\x1b[3" not in shown


def plain(shown: str) -> list[str]:
    """The lines that are shown, without colours."""
    return [line.rstrip() for line in COLOUR.sub("", shown).splitlines()]


def on_a_screen(columns: int, show: Callable[[], object]) -> list[str]:
    """The lines that are shown on a terminal of so many columns."""
    out = StringIO()
    console = Console(file=out, width=columns, force_terminal=True, no_color=True)
    with patch.object(screen, "_console", lambda: console):
        show()
    return plain(out.getvalue())


def command_on_a_screen(columns: int, *arguments: str) -> list[str]:
    """The lines that a command shows on a terminal of so many columns."""
    return on_a_screen(columns, lambda: run(*arguments))


WIDTHS = (120, 100, 80, 60, 40, 34)
EVALUATED = ("evaluate", TWO_TANKS, "T2 0402x0503-0603", "T1 0304x0404-0505")
PASSENGER = "C1 0308-0407x0406-0405 +S1:Bren"
SKIRMISH = ("hint", "steamroller", "--work", "300")


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(
    "arguments",
    [("lines", TWO_TANKS), ("hint", TWO_TANKS), EVALUATED, ("why", TWO_TANKS, "T1", "0404", "SE")],
    ids=lambda arguments: arguments[0],
)
def test_a_narrow_terminal_goes_on_at_words_and_cuts_nothing(
    arguments: tuple[str, ...], columns: int
) -> None:
    wide = command_on_a_screen(400, *arguments)
    shown = command_on_a_screen(columns, *arguments)
    assert max(map(len, shown)) <= columns
    # Every word is there whole; in a list a move needs no title.
    assert words(wide) - words(shown) <= {"move"}
    # A number's per cent sign is on its line.
    assert [line for line in shown if line.lstrip().startswith("%")] == []


def words(lines: list[str]) -> set[str]:
    """Words and moves."""
    found = (word.rstrip(":") for line in lines for word in line.split())
    return {word for word in found if re.search(r"[a-z]", word)}


def test_a_command_shows_the_same_on_a_real_terminal() -> None:
    shown, _ = on_a_terminal("lines", TWO_TANKS, columns=60)
    assert plain(shown) == command_on_a_screen(60, "lines", TWO_TANKS)


@pytest.mark.parametrize("columns", WIDTHS)
def test_moves_of_lines_can_be_copied_at_any_width(columns: int) -> None:
    moves = [line["move"] for line in answer("lines", TWO_TANKS)]
    shown = command_on_a_screen(columns, "lines", TWO_TANKS)
    assert [move for line in shown for move in moves if line.endswith(move)] == moves


@pytest.mark.parametrize("columns", [100, 80, 60, 40])
def test_moves_of_a_hint_can_be_copied_at_any_width(columns: int) -> None:
    shown = command_on_a_screen(columns, *SKIRMISH)
    copied = [found for line in shown for found in MOVE.findall(line)]
    found = answer(*SKIRMISH)
    following = [follow["move"] for follow in found["next"]["then"] if follow["move"] != "stop"]
    wanted = [found["next"]["move"], *following, *found["plans"][0]["moves"]]
    assert PASSENGER in wanted
    assert copied == wanted
    assert answer("evaluate", "steamroller", *copied[-3:])["moves"] == copied[-3:]


MOVE = re.compile(r"\b[A-Z]\d [-x\d]+(?: \+\w+:\w+)*")


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        # All of it, then what follows below, then the move on a line of its own, whole.
        (52, [f"Do now:  {PASSENGER}   worth +1"]),
        (51, [f"Do now:  {PASSENGER}   worth +1"]),
        (50, [f"Do now:  {PASSENGER}", "  worth +1"]),
        (40, [f"Do now:  {PASSENGER}", "  worth +1"]),
        (39, ["Do now:", f"  {PASSENGER}", "  worth +1"]),
        (20, ["Do now:", f"  {PASSENGER}", "  worth +1"]),
    ],
)
def test_a_line_with_a_move(columns: int, lines: list[str]) -> None:
    assert on_a_screen(columns, lambda: say_move("Do now:  ", PASSENGER, "   worth +1")) == lines


ROWS = [["T1 0304x0404-0505", "7 of 8", "out 11 %, suppressed 35 %"]]


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        (52, ["T1 0304x0404-0505  7 of 8  out 11 %, suppressed 35 %"]),
        (
            51,
            ["T1 0304x0404-0505  7 of 8  out 11 %, suppressed", f"{'':27}35 %"],
        ),
        (
            37,
            ["T1 0304x0404-0505  7 of 8  out 11 %,", f"{'':27}suppressed", f"{'':27}35 %"],
        ),
        (
            36,
            ["T1 0304x0404-0505", "  MP: 7 of 8", "  units: out 11 %, suppressed 35 %"],
        ),
        (
            30,
            ["T1 0304x0404-0505", "  MP: 7 of 8", "  units: out 11 %, suppressed", "  35 %"],
        ),
        (
            14,
            [
                *("T1 0304x0404-0505", "  MP: 7 of 8"),
                *("  units: out", "  11 %,", "  suppressed", "  35 %"),
            ],
        ),
    ],
)
def test_the_move_stays_whole_and_the_others_fold(columns: int, lines: list[str]) -> None:
    shown = on_a_screen(
        columns, lambda: show_table(["move", "MP", "units"], ROWS, folding=[2], move=0)
    )
    assert shown[-len(lines) :] == lines


def test_json_has_no_colours_on_a_terminal() -> None:
    shown, _ = on_a_terminal("lines", TWO_TANKS, "--json")
    assert "\x1b" not in shown


def test_no_progress_but_on_a_terminal() -> None:
    with progress_shown() as on_progress:
        assert on_progress is None


def test_faults_go_on_below_at_a_word(tmp_path: Path) -> None:
    path = variant(tmp_path, ('type = "at_gun"', 'type = "at_gum"'), ('hex = "0503"', 'hex = "9"'))
    text = run("validate", path).stdout
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "50"}
    master, slave = pty.openpty()
    with subprocess.Popen([*ARGUMENTS, "validate", path], stdout=slave, env=env) as running:
        os.close(slave)
        shown = COLOUR.sub("", _read(master))
    assert running.returncode == 2
    lines = shown.splitlines()
    assert len(lines) > len(text.splitlines())
    assert max(map(len, lines)) <= 50
    # Below a fault it goes on with the fault's indent; no word but the file's name is broken.
    faults = [line for line in lines if line.startswith("  ")]
    wanted = text.partition("faults\n")[2]
    assert " ".join(" ".join(faults).split()) == " ".join(wanted.split())
