"""The figures as tables for people and as JSON for machines."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.figures import Baseline, Figure, Report, Unit, verdict

Form = dict[str, Any]


def shown(amount: float, unit: Unit) -> str:
    """An amount with three figures and its unit."""
    if unit is Unit.BYTES:
        return f"{amount / 1e6:.3g} MB"
    for size, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if amount >= size or name == "µs":
            number = f"{amount / size:.3g}" if amount < 1000 * size else f"{amount / size:.0f}"
            return f"{number} {name}"
    raise AssertionError


def show_report(console: Console, report: Report) -> None:
    """A table of one position's figures."""
    counts = ", ".join(f"{n} {what.replace('_', ' ')}" for what, n in report.size.items())
    table = Table(
        "measured", "median", "p95", "processor", "runs", "baseline", "its figure", "ratio", "aim",
        title=f"{report.name}: {counts} ({report.origin})", title_justify="left",
    )  # fmt: skip
    for figure in report.figures:
        aim = figure.aim(report.scale)
        aimed = ""
        if aim is not None:
            aimed = f"< {shown(aim.below, figure.unit)}\n{verdict(figure, aim)}"
        table.add_row(
            f"{figure.measure}\n[dim]{figure.note}[/dim]",
            shown(figure.times.median, figure.unit),
            shown(figure.times.p95, figure.unit),
            "" if figure.times.median_cpu is None else shown(figure.times.median_cpu, figure.unit),
            str(len(figure.times.seconds)),
            "\n".join(baseline.name for baseline in figure.baselines),
            "\n".join(_figure(figure, baseline) for baseline in figure.baselines),
            "\n".join(_ratio(figure, baseline) for baseline in figure.baselines),
            aimed,
        )
    console.print(table)


def _figure(figure: Figure, baseline: Baseline) -> str:
    if baseline.figure is None:
        return baseline.note
    note = f" ({baseline.note})" if baseline.note else ""
    return shown(baseline.figure, figure.unit) + note


def _ratio(figure: Figure, baseline: Baseline) -> str:
    ratio = figure.ratio(baseline)
    return "" if ratio is None else f"{ratio:.3g}"


def report_form(report: Report) -> Form:
    """One position's figures as JSON."""
    return {
        "name": report.name,
        "origin": report.origin,
        "scale": report.scale.value,
        **report.size,
        "figures": [_figure_form(report, figure) for figure in report.figures],
    }


def _figure_form(report: Report, figure: Figure) -> Form:
    aim = figure.aim(report.scale)
    return {
        "measure": figure.measure,
        "unit": figure.unit.value,
        "median": figure.times.median,
        "p95": figure.times.p95,
        "least": figure.times.least,
        "median_cpu": figure.times.median_cpu,
        "runs": len(figure.times.seconds),
        "note": figure.note,
        "baselines": [
            {
                "name": baseline.name,
                "figure": baseline.figure,
                "against": figure.times.median if baseline.against is None else baseline.against,
                "ratio": figure.ratio(baseline),
                "note": baseline.note,
            }
            for baseline in figure.baselines
        ],
        "aim": None
        if aim is None
        else {
            "below": aim.below,
            "met": figure.times.median < aim.below,
            "times_the_aim": figure.times.median / aim.below,
        },
    }
