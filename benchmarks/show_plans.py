"""Plans compared: the tables for people and the JSON for machines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from benchmarks.figures import Unit
from benchmarks.plans import Average, Limited, Row, averages
from benchmarks.report import shown

CAPTION = """\
share: of the best gain over staying that any plan of this run has (best known)
bound: no plan is worth more; gap: (bound - value) / worth at stake
V: the value of the position, or what it is at least and at most
listed, first, best: seconds until there were moves to value, a plan better than staying, the plan
ended: seconds until it ended, with "proven" if no plan is better
memory: largest resident set of the process
group: AFVs that bear on each other + enemy units through which they do"""
AVERAGES = """\
share, least: of the best known, average and least; greedy: the better greedy plan's, additive alike
V over plan: by what part of the best known gain V stands above it, where V is exact
first: longest wait for a plan better than staying, after the moves were listed
late: longest time that a search went on after its limit"""


def plans_table(rows: Iterable[Row]) -> Table:
    """A block of lines for each position: the plain ways, then ours after each limit."""
    table = Table(
        "position", "answer", "value", "share", "bound", "gap", "V", "listed", "first", "best",
        "ended", "memory", title="Plans compared", title_justify="left",
        caption=CAPTION, caption_justify="left",
    )  # fmt: skip
    for row in rows:
        lines = [*_plain_lines(row), *(_search_line(row, one) for one in row.searches)]
        head = [
            f"{row.name}: {row.afvs} × {row.enemy_units}",
            f"group {row.group[0]} + {row.group[1]}",
            f"{row.shooters} AT shooters",
            f"at stake {row.stake:g}",
            f"best known {row.best_known:+.4f}",
        ]
        height = max(len(head), len(lines))
        head += [""] * (height - len(head))
        lines += [[]] * (height - len(lines))
        for i, (left, line) in enumerate(zip(head, lines, strict=True)):
            table.add_row(left, *line, end_section=i == height - 1)
    return table


def _plain_lines(row: Row) -> list[list[str]]:
    return [
        [
            one.name,
            "given up" if one.value is None else f"{one.value:+.4f}",
            "" if one.value is None else _percent(row.share(one.value)),
            *[""] * 6,
            _seconds(one.seconds),
            "",
        ]
        for one in row.plain
    ]


def _search_line(row: Row, one: Limited) -> list[str]:
    found = one.found
    return [
        f"ours, {one.limit:g} s",
        f"{found.value:+.4f}",
        _percent(row.share(found.value)),
        "none" if found.bound is None else f"{found.bound:+.4f}",
        _percent(row.gap(found)),
        value_text(found.low, found.high, exact=found.exact),
        _seconds(found.listed),
        _seconds(found.first),
        _seconds(found.best),
        f"{found.seconds:.2f}{' proven' if found.proven else ''}",
        shown(one.peak_bytes, Unit.BYTES),
    ]


def value_text(low: float, high: float | None, *, exact: bool) -> str:
    """The value of the position, or the ends between which it lies."""
    if exact:
        return f"{low:+.4f}"
    return f"[{low:+.4f}, {'?' if high is None else f'{high:+.4f}'}]"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.2f}"


def averages_table(found: Iterable[Average]) -> Table:
    """A line for each kind of position and each limit."""
    table = Table(
        "positions", "ours", "share", "least", "greedy", "additive", "proven", "V exact",
        "V over plan", "gap", "first", "late", "memory", title="On average", title_justify="left",
        caption=AVERAGES, caption_justify="left",
    )  # fmt: skip
    for one in found:
        table.add_row(
            f"{one.positions} {one.kind}",
            f"{one.limit:g} s",
            _percent(one.share),
            _percent(one.least),
            _percent(one.greedy),
            _percent(one.additive),
            f"{one.proven} of {one.positions}",
            f"{one.exact} of {one.positions}",
            _percent(one.over),
            _percent(one.gap),
            "" if one.slowest_first is None else f"{one.slowest_first:.3f}",
            _seconds(one.late),
            shown(one.peak_bytes, Unit.BYTES),
        )
    return table


def plans_form(rows: Sequence[Row]) -> dict[str, Any]:
    """All of it for machines."""
    return {
        "positions": [
            {
                **asdict(row),
                "best_known": row.best_known,
                "plain": [
                    {**asdict(one), "share": None if one.value is None else row.share(one.value)}
                    for one in row.plain
                ],
                "searches": [
                    {
                        **asdict(one),
                        "share": row.share(one.found.value),
                        "gap": row.gap(one.found),
                        "proven": one.found.proven,
                    }
                    for one in row.searches
                ],
            }
            for row in rows
        ],
        "averages": [asdict(one) for one in averages(rows)],
    }
