"""Output for people: tables and text, coloured on a terminal and plain everywhere else."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import wrap

import click
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len as _cell_width
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from planner.interface.words import signed
from planner.search.effort import OnProgress
from planner.search.effort import Progress as SearchProgress

# Wide enough for any row: a pipe has no edge that cells would have to be cut or folded for.
_PIPE_WIDTH = 10_000


def say(text: str = "", style: str = "") -> None:
    """Print a line; on a terminal it goes on below at a word, but never within what is `held`."""
    console = _console()
    if console.is_terminal:
        console.print(Text("\n".join(_wrapped(text, console.width)), style))
    else:
        click.echo(text.replace(_NO_BREAK, " "))


def held(text: str) -> str:
    """Text for `say` that stays on one line."""
    return text.replace(" ", _NO_BREAK)


def say_text(text: Text) -> None:
    """Print a line with its own colours, just as it is."""
    console = _console()
    if console.is_terminal:
        console.print(text, no_wrap=True, crop=False, overflow="ignore")
    else:
        click.echo(text.plain.rstrip())


def say_move(before: str, move: str, after: str = "", style: str = "") -> None:
    """Print a line with a move in it. On a terminal too narrow for the line what comes after the
    move stands below it, and what comes before it above it if need be: the move is never broken, so
    that it can be copied."""
    console = _console()
    if not console.is_terminal or _cell_width(before + move + after) <= console.width:
        say(before + move + after, style)
        return
    indent = " " * (len(before) - len(before.lstrip()) + 2)
    if _cell_width(before + move) <= console.width:
        say(before + move, style)
    else:
        if before.strip():
            say(before.rstrip(), style)
        _say_whole(indent + move, style)
    if after.strip():
        say(indent + after.strip(), style)


def _say_whole(text: str, style: str = "") -> None:
    """Print a line that the terminal itself goes on with below, if it must."""
    _console().print(Text(text, style), soft_wrap=True)


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, each as long as fits, on with the indent that it begins with. A number
    and its per cent sign stay together."""
    found: list[str] = []
    for line in _held_together(text).split("\n"):
        indent = " " * (len(line) - len(line.lstrip(" ")))
        found += wrap(
            line,
            max(width, len(indent) + 1),
            subsequent_indent=indent,
            break_on_hyphens=False,
        ) or [""]
    return [line.replace(_NO_BREAK, " ") for line in found]


def _held_together(text: str) -> str:
    return text.replace(" %", f"{_NO_BREAK}%")


_NO_BREAK = "\xa0"


def show_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    right: Iterable[int] = (),
    folding: Iterable[int] = (),
    indent: int = 0,
    move: int | None = None,
) -> None:
    """Print a table; ``right`` are the columns set to the right. A cell may hold several lines.

    On a terminal too narrow for it the ``folding`` columns go over several lines, at words. Where
    that is not enough each row becomes a list of its cells, beginning with its ``move`` (a column)
    on a line of its own, which is never broken. Nothing is cut off.
    """
    console = _console()
    cells = [list(columns), *map(list, rows)]
    numbers, foldable = set(right), set(folding)
    if console.is_terminal:
        widths = _widths(cells, foldable, console.width - indent)
        if widths is None:
            _show_list(cells, foldable, move, indent)
        else:
            table = _table(cells, numbers, widths)
            console.print(Padding(table, (0, 0, 0, indent)))
        return
    with console.capture() as capture:
        console.print(_table(cells, numbers, None))
    for line in capture.get().splitlines():
        click.echo((" " * indent + line).rstrip())


def _table(cells: Sequence[Sequence[str]], right: set[int], widths: Sequence[int] | None) -> Table:
    """A table of the first row's columns; without ``widths`` for a pipe, which has no edge."""
    terminal = widths is not None
    table = Table(
        box=SIMPLE_HEAD if terminal else None,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1 if terminal else 2, 0, 0),
        header_style="bold",
    )
    for index, column in enumerate(cells[0]):
        table.add_column(
            Text(column),
            justify="right" if index in right else "left",
            overflow="fold",
            no_wrap=not terminal,
            width=None if widths is None else widths[index],
        )
    for row in cells[1:]:
        if widths is not None:
            row = ["\n".join(_wrapped(*cell)) for cell in zip(row, widths, strict=True)]
        table.add_row(*map(Text, row))
    return table


_BETWEEN = 2
"""What stands between two columns on a terminal."""
_LONGEST = 16
"""Words longer than that, and bars, are broken before a table is given up."""


def _widths(cells: Sequence[Sequence[str]], folding: set[int], room: int) -> list[int] | None:
    """How wide each column is, those that fold as narrow as they must be and no narrower than
    their longest word. None when there is not room enough."""
    columns = list(zip(*cells, strict=True))
    wanted = [max(_cell_width(line) for cell in c for line in cell.split("\n")) for c in columns]
    least = [
        min(_LONGEST, max(_cell_width(word) for cell in column for word in _words(cell)))
        if index in folding
        else wanted[index]
        for index, column in enumerate(columns)
    ]
    left = room - _BETWEEN * (len(columns) - 1)
    # Those that fold share what is left evenly, but none gets more than it wants.
    for level in range(max(wanted), -1, -1):
        found = [max(low, min(most, level)) for low, most in zip(least, wanted, strict=True)]
        if sum(found) <= left:
            return found
    return None


def _words(cell: str) -> list[str]:
    return re.split(r"[ \n]", _held_together(cell))


def _show_list(
    cells: Sequence[Sequence[str]], folding: set[int], move: int | None, indent: int
) -> None:
    """Each row as a list of its cells with their columns' names: the short ones in one line."""
    for row in cells[1:]:
        nameless = [cell for name, cell in zip(cells[0], row, strict=True) if cell and not name]
        named = [
            (index, f"{name}: {cell}")
            for index, (name, cell) in enumerate(zip(cells[0], row, strict=True))
            if cell and name and index != move
        ]
        if move is not None:
            _say_whole(" " * indent + "  ".join((*nameless, row[move])))
        inner = " " * (indent + 2)
        short = [text for index, text in named if index not in folding]
        say(inner + "  ".join(short if move is not None else (*nameless, *short)))
        for text in (text for index, text in named if index in folding):
            say(inner + text.replace("\n", "\n  " + inner))


def _console() -> Console:
    terminal = sys.stdout.isatty()
    return Console(
        file=sys.stdout,
        width=None if terminal else _PIPE_WIDTH,
        force_terminal=None if terminal else False,
        no_color=None if terminal else True,
        markup=False,
        emoji=False,
        highlight=False,
    )


@contextmanager
def progress_shown() -> Iterator[OnProgress | None]:
    """Show on the standard error stream how a search gets on, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[found]}"),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr, markup=False),
        transient=True,
    )
    with bar:
        task = bar.add_task("starting", total=None, found="")

        def on_progress(progress: SearchProgress) -> None:
            shown = bar.tasks[0]
            # Not through `update`, to which no total means the one before; and a phase that is
            # through must not stop the clock.
            shown.total = progress.total
            bar.update(
                task,
                description=progress.phase,
                completed=progress.done,
                found=f"best {signed(progress.value_to_mover)} (Ctrl-C takes it)",
            )
            shown.finished_time = None

        yield on_progress
