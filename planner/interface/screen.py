"""Output for people: tables and text, coloured on a terminal and plain everywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import click
from rich.box import SIMPLE_HEAD
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
    """Print a line."""
    console = _console()
    if console.is_terminal:
        console.print(Text(text, style))
    else:
        click.echo(text)


def show_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    right: Iterable[int] = (),
    folding: Iterable[int] = (),
    indent: int = 0,
) -> None:
    """Print a table; ``right`` are the columns set to the right. A cell may hold several lines.

    On a terminal too narrow for it the ``folding`` columns go over several lines, and all columns
    where that is not enough; nothing is cut off.
    """
    console = _console()
    terminal = console.is_terminal
    cells = [list(columns), *map(list, rows)]
    numbers, foldable = set(right), set(folding)
    whole = not terminal or _room(cells, foldable) + indent <= console.width
    table = Table(
        box=SIMPLE_HEAD if terminal else None,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1 if terminal else 2, 0, 0),
        header_style="bold",
    )
    for index, column in enumerate(columns):
        table.add_column(
            Text(column),
            justify="right" if index in numbers else "left",
            overflow="fold",
            no_wrap=whole and (not terminal or index not in foldable),
        )
    for row in cells[1:]:
        table.add_row(*map(Text, row))
    if terminal:
        console.print(Padding(table, (0, 0, 0, indent)))
        return
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        click.echo((" " * indent + line).rstrip())


_NARROWEST = 12


def _room(cells: Sequence[Sequence[str]], folding: set[int]) -> int:
    """How wide a table has to be for its other columns to stay whole."""
    widths = [
        max(len(line) for cell in column for line in cell.split("\n"))
        for column in zip(*cells, strict=True)
    ]
    return sum(
        2 + (min(width, _NARROWEST) if index in folding else width)
        for index, width in enumerate(widths)
    )


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
        BarColumn(),
        TextColumn("{task.fields[found]}"),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr, markup=False),
        transient=True,
    )
    with bar:
        task = bar.add_task("starting", total=None, found="")

        def on_progress(progress: SearchProgress) -> None:
            bar.update(
                task,
                description=progress.phase,
                completed=progress.done,
                total=progress.total,
                found=f"best so far {signed(progress.value_to_mover)} (Ctrl-C takes it)",
            )

        yield on_progress
