"""Counts of moves against the table in ``perft.toml``; what differs is told AFV by AFV."""

from __future__ import annotations

import pytest

from tests import perft
from tests.perft import Rows

LARGE = {"battalion-0"}
POSITIONS = [
    pytest.param(name, marks=[pytest.mark.slow] * (name in LARGE)) for name in perft.names()
]


def expect(name: str, got: Rows, *columns: str) -> None:
    """Compare these columns of a position with the table."""
    kept = {
        unit: {what: number for what, number in row.items() if what in columns}
        for unit, row in perft.table()[name].items()
    }
    difference = perft.split(kept, got)
    if difference:
        pytest.fail(
            f"{name}:\n{difference}\nIf this is meant: python -m tests.perft --write", pytrace=False
        )


@pytest.mark.parametrize("name", perft.names())
def test_lines_and_least_points(name: str) -> None:
    expect(name, perft.line_counts(name), "lines", "twice_points")


@pytest.mark.parametrize("name", POSITIONS)
def test_overruns_along_simple_paths(name: str) -> None:
    expect(name, perft.overrun_counts(name), "overruns")


@pytest.mark.parametrize("name", POSITIONS)
def test_candidates(name: str) -> None:
    expect(name, perft.candidate_counts(name), "candidates")


@pytest.mark.slow
@pytest.mark.parametrize("name", perft.names())
def test_the_slow_twin_counts_the_same(name: str) -> None:
    counted = {unit: row for unit, row in perft.table()[name].items() if "overruns" in row}
    columns = ("lines", "twice_points", "overruns")
    kept = {unit: {what: row[what] for what in columns} for unit, row in counted.items()}
    difference = perft.split(kept, perft.twin_counts(name, counted))
    assert not difference, f"{name}:\n{difference}"


def test_the_table_has_every_position_and_no_other() -> None:
    assert list(perft.table()) == perft.names()


def test_the_split_tells_each_afv_that_differs() -> None:
    kept: Rows = {"T1": {"lines": 3}, "T2": {"lines": 1}, "T3": {"lines": 0}}
    got: Rows = {"T1": {"lines": 2}, "T2": {"lines": 1}, "T4": {"lines": 5}}
    assert perft.split(kept, got).splitlines() == [
        "T1     lines         expected 3  got 2",
        "T3     lines         expected 0  got none",
        "T4     lines         expected none  got 5",
    ]
    assert perft.split(kept, kept) == ""
