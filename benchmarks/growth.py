"""How the cost grows with AFVs, lines, shooters and the size of the map: ``growth``.

Each seed is a generated battalion (`planner.play.generated`), changed in one respect at a time,
everything else as in the *base*: `BASE_AFVS` of its AFVs, all its enemy units, all movement points,
its map. Units are left out from the end of the list. Lines grow with the movement points that AFVs
have left, the map by clear ground around it. Processor time is measured, and shown as a multiple of
that of the base, which is measured in the same run, the median over the seeds.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rich.table import Table

from benchmarks.timing import time_once
from planner.game.position import Position
from planner.game.read_scenario import parse_scenario
from planner.play.generated import SHOOTERS, raw
from planner.search.candidates import Survey
from planner.search.effort import Limit, Wishes
from planner.search.lines import lines
from planner.search.plan import plan
from planner.search.worth import Judge

SIZE = "battalion"
SEEDS = (0, 1, 2)
BASE_AFVS = 6
PLANS = 300
"""So many plans are valued after the single moves."""

STAGES = ("lines", "candidates", "single values", "search, a plan")
"""What is measured: the overrun lines of a position just loaded; the moves worth having; the value
of each of them alone; and a search, by the plans it has valued."""

Scenario = dict[str, Any]
Change = Callable[[Scenario, int], Scenario]


@dataclass(frozen=True, slots=True)
class Axis:
    """Something that is changed, by the amounts ``steps``; ``counts`` says of a position how much
    of it there is."""

    name: str
    steps: tuple[int, ...]
    change: Change
    counts: Callable[[Position], int]


@dataclass(frozen=True, slots=True)
class Point:
    """One amount on one axis: what was there (medians over the seeds), and the seconds of processor
    time of each stage, by seed."""

    axis: str
    amount: float
    candidates: float
    seconds: dict[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Growth:
    """The base, and the points of every axis."""

    seeds: tuple[int, ...]
    base: Point
    points: tuple[Point, ...]

    def ratio(self, point: Point, stage: str) -> float:
        """How many times the base's time a stage takes: the median of the seeds' ratios."""
        pairs = zip(point.seconds[stage], self.base.seconds[stage], strict=True)
        return median(ours / base for ours, base in pairs)


def with_afvs(scenario: Scenario, count: int) -> Scenario:
    """Only so many AFVs, with their passengers."""
    afvs = [unit for unit in scenario["units"] if unit["side"] == "red" and "hex" in unit][:count]
    kept = {unit["id"] for unit in afvs}
    kept |= {name for unit in afvs for name in unit.get("passengers", ())}
    units = [u for u in scenario["units"] if u["side"] == "blue" or u["id"] in kept]
    return {**scenario, "units": units}


def with_shooters(scenario: Scenario, count: int) -> Scenario:
    """Only so many enemy units that can fire at AFVs; all others stay."""
    left = count
    units = []
    for unit in scenario["units"]:
        if unit["side"] == "blue" and any(word in unit["type"] for word in SHOOTERS):
            left -= 1
            if left < 0:
                continue
        units.append(unit)
    return {**scenario, "units": units}


def with_movement(scenario: Scenario, left: int) -> Scenario:
    """So many movement points left to each AFV, at most."""
    units = copy.deepcopy(scenario["units"])
    allowances = {unit.id: unit.type.movement for unit in parse_scenario(scenario).units.values()}
    for unit in units:
        if unit["side"] == "red" and "hex" in unit:
            unit["movement_used"] = max(0, int(allowances[unit["id"]]) - left)
    return {**scenario, "units": units}


def with_map(scenario: Scenario, times: int) -> Scenario:
    """A map of so many times the hexes, the new ones clear, below the old."""
    rows = scenario["map"]["terrain"].strip("\n").split("\n")
    columns = len(rows[0].split())
    more = [" ".join("." * columns)] * (len(rows) * (times - 1))
    terrain = "\n".join([*rows, *more])
    return {**scenario, "map": {**scenario["map"], "terrain": terrain}}


def _afvs(position: Position) -> int:
    return sum(1 for _ in position.movers())


def _shooters(position: Position) -> int:
    return sum(
        unit.side == position.defender and any(word in unit.type.name for word in SHOOTERS)
        for unit in position.units.values()
    )


AXES = (
    Axis("AFVs", (1, 2, 4, 8, 12), with_afvs, _afvs),
    Axis("lines", (5, 6, 8, 10, 12), with_movement, lambda position: len(lines(position))),
    Axis("shooters", (3, 6, 12, 24), with_shooters, _shooters),
    Axis("map", (1, 2, 3), with_map, lambda position: len(position.board.ground)),
)


def growth(
    seeds: Sequence[int] = SEEDS,
    axes: Sequence[Axis] = AXES,
    on_step: Callable[[str], None] = lambda step: None,
) -> Growth:
    """Measure the base, then every point of every axis."""
    whole = {seed: raw(SIZE, seed) for seed in seeds}
    bases = {seed: with_afvs(scenario, BASE_AFVS) for seed, scenario in whole.items()}
    on_step("warming up")
    _measure(parse_scenario(bases[seeds[0]]))  # libraries and compiled loops are loaded
    on_step("the base")
    base = _point("base", list(bases.values()), _afvs)
    points = []
    for axis in axes:
        for step in axis.steps:
            on_step(f"{axis.name}: {step}")
            # Of AFVs there may be more than the base has.
            from_ = whole if axis.change is with_afvs else bases
            changed = [axis.change(scenario, step) for scenario in from_.values()]
            points.append(_point(axis.name, changed, axis.counts))
    return Growth(tuple(seeds), base, tuple(points))


def _point(axis: str, scenarios: Sequence[Scenario], counts: Callable[[Position], int]) -> Point:
    amounts, found = [], []
    seconds: dict[str, list[float]] = {stage: [] for stage in STAGES}
    for scenario in scenarios:
        position = parse_scenario(scenario)
        candidates, took = _measure(position)
        amounts.append(counts(position))
        found.append(candidates)
        for stage, cpu in took.items():
            seconds[stage].append(cpu)
    told = {stage: tuple(times) for stage, times in seconds.items()}
    return Point(axis, median(amounts), median(found), told)


def _measure(position: Position) -> tuple[int, dict[str, float]]:
    """How many candidates there are, and each stage's processor time."""
    by_lines, _ = time_once(lambda: lines(position))
    judge = Judge(position)
    by_survey, survey = time_once(lambda: Survey(position, judge, Wishes()))
    moves = [candidate.move for candidate in survey.candidates]
    by_singles, _ = time_once(lambda: [judge.value([move]) for move in moves])
    work = 2 * len(moves) + PLANS
    by_plan, result = time_once(lambda: plan(position, Limit(work=work)))
    return len(moves), {
        "lines": by_lines.cpu,
        "candidates": by_survey.cpu,
        "single values": by_singles.cpu,
        "search, a plan": by_plan.cpu / max(1, result.work),
    }


def growth_table(found: Growth) -> Table:
    """A row for each point, the base first."""
    base = found.base
    stated = ", ".join(f"{s} {1000 * median(base.seconds[s]):.3g} ms" for s in STAGES)
    table = Table(
        "axis", "amount", "moves", *STAGES, title="Growth", title_justify="left",
        caption=f"{SIZE} seeds {', '.join(map(str, found.seeds))}, medians; processor time as a "
        f"multiple of the base's ({base.amount:g} AFVs, {base.candidates:g} moves): {stated}",
        caption_justify="left",
    )  # fmt: skip
    for point in found.points:
        ratios = [f"{found.ratio(point, stage):.2f}" for stage in STAGES]
        table.add_row(point.axis, f"{point.amount:g}", f"{point.candidates:g}", *ratios)
    return table


def growth_form(found: Growth) -> dict[str, Any]:
    """All of it for machines."""

    def form(point: Point) -> dict[str, Any]:
        return {
            "axis": point.axis,
            "amount": point.amount,
            "candidates": point.candidates,
            "cpu_seconds": {stage: list(times) for stage, times in point.seconds.items()},
            "ratio": {stage: found.ratio(point, stage) for stage in STAGES},
        }

    return {
        "size": SIZE,
        "seeds": list(found.seeds),
        "base": form(found.base),
        "points": [form(point) for point in found.points],
    }


def draw(found: Growth, file: Path) -> None:
    """A plot for each axis, both scales logarithmic. Needs matplotlib; raises ValueError for a kind
    of file that it can't write."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys(point.axis for point in found.points))
    figure, panels = pyplot.subplots(1, len(names), figsize=(4 * len(names), 4), sharey=True)
    for name, panel in zip(names, panels if len(names) > 1 else [panels], strict=True):
        for stage in STAGES:
            amounts, ratios = zip(*_curve(found, name, stage), strict=True)
            panel.plot(amounts, ratios, marker="o", label=stage)
        panel.set(xscale="log", yscale="log", xlabel=name)
        panel.axhline(1.0, linewidth=0.5, color="grey")
    figure.axes[0].set_ylabel("processor time, times the base's")
    figure.axes[0].legend()
    figure.tight_layout()
    figure.savefig(file)
    pyplot.close(figure)


def _curve(found: Growth, axis: str, stage: str) -> Iterator[tuple[float, float]]:
    rows = [(p.amount, found.ratio(p, stage)) for p in found.points if p.axis == axis]
    yield from sorted(rows)
