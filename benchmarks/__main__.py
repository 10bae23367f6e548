"""How long everything takes, and how it compares: ``python -m benchmarks``."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.status import Status

from benchmarks import fingerprint as fingerprints
from benchmarks import matches
from benchmarks.baselines import SEED
from benchmarks.figures import Figure
from benchmarks.generated import SIZES
from benchmarks.growth import BASE_AFVS, SEEDS, SIZE, draw, growth, growth_form, growth_table
from benchmarks.instances import Instance, drawn, instances, shipped_instances
from benchmarks.interest import interest, interest_form, interest_table
from benchmarks.measures import FULL, QUICK, measure
from benchmarks.plans import NAMED, averages, compare
from benchmarks.report import report_form, show_report, shown
from benchmarks.show_matches import matches_form, matches_table, row_text, sanity_lines
from benchmarks.show_plans import averages_table, plans_form, plans_table
from planner.interface.stopping import stoppable
from planner.play.players import UnknownPlayerError, player
from planner.play.spread import Alone, Processes

SCENARIOS, FINGERPRINT, PLANS, GROWTH = "scenarios", "fingerprint", "plans", "growth"
MATCHES = "matches"
LIMITS, QUICK_LIMITS = (1.0, 5.0, 30.0), (1.0,)
"""Seconds of the searches that are compared."""


def _seeds(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Seeds as 0-7 or 0,2,5-6."""
    if value is None:
        return None
    found: list[int] = []
    for part in value.split(","):
        first, dash, last = part.strip().partition("-")
        ends = (first, last if dash else first)
        if not all(end.isascii() and end.isdigit() for end in ends) or int(ends[0]) > int(ends[1]):
            raise click.BadParameter(f"{value!r}: seeds are written as 0-7 or 0,2,5-6.")
        found += range(int(ends[0]), int(ends[1]) + 1)
    return tuple(dict.fromkeys(found))


def _limits(_: click.Context, __: click.Parameter, value: str | None) -> tuple[float, ...] | None:
    """Seconds as 1,5,30; in rising order."""
    if value is None:
        return None
    try:
        found = {float(part) for part in value.split(",")}
    except ValueError:
        found = {0.0}
    if not all(0 < one < float("inf") for one in found):
        raise click.BadParameter(f"{value!r}: limits are numbers above 0, written as 1,5,30.")
    return tuple(sorted(found))


def _players(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Names of players."""
    for name in value:
        try:
            player(name)
        except UnknownPlayerError as error:
            raise click.BadParameter(str(error)) from None
    return value


@click.command("benchmarks")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the figures to this file too.")  # fmt: skip
@click.option(
    "--quick", is_flag=True, help="Fewer runs, shorter searches, baselines given up soon."
)
@click.option(
    "--write",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With fingerprint: write it and its parts to this TOML file.",
)
@click.option("--size", "sizes", type=click.Choice(list(SIZES)), multiple=True,
              help="With plans or matches: generated positions of this size; may be "
              "repeated.")  # fmt: skip
@click.option("--seeds", callback=_seeds,
              help="With plans, matches or growth: of these seeds, as 0-7.")  # fmt: skip
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path),
              help="With growth: draw it into this file (PNG, SVG or PDF).")  # fmt: skip
@click.option("--seconds", callback=_limits, help="With plans: limits of searches, as 1,5,30.")
@click.option("--baseline", "baselines", callback=_players, multiple=True,
              help="With matches: a player the bot meets (as overrun match names them); may be "
              "repeated.")  # fmt: skip
@click.option("--pairs", type=click.IntRange(1), help="With matches: at most so many pairs each.")
@click.option("--work", type=click.IntRange(1), help="With matches: work units for a decision.")
@click.option("--jobs", type=click.IntRange(1), help="With matches: play in so many processes.")
def main(
    names: tuple[str, ...],
    file: Path | None,
    quick: bool,
    write: Path | None,
    sizes: tuple[str, ...],
    seeds: tuple[int, ...] | None,
    seconds: tuple[float, ...] | None,
    plot: Path | None,
    baselines: tuple[str, ...],
    pairs: int | None,
    work: int | None,
    jobs: int | None,
) -> None:
    """Measure positions by NAME (all unless given), each figure against baselines of the same run.

    The NAME "scenarios" shows instead what makes each shipped scenario a problem, "fingerprint" one
    hash over many answers, which shows any change of behaviour, "plans" how good the plans are
    after so many seconds, against plain ways and the best known, "growth" how the cost grows with
    AFVs, lines, shooters and the size of the map, and "matches" how the bot fares against plain
    players, on both sides.
    """
    if names == (FINGERPRINT,):
        _fingerprint(file, write)
        return
    console = Console(width=None if Console().is_terminal else 160)
    if MATCHES in names:
        if seconds or plot or PLANS in names:
            raise click.UsageError('"matches" goes alone, without --seconds and --plot.')
        asked = [name for name in names if name != MATCHES]
        grounds = matches.grounds(_chosen(asked, sizes, seeds, quick, matches.SIZES))
        usual = matches.QUICK if quick else matches.FULL
        settings = matches.asked_for(usual, work, pairs)
        _matches(console, grounds, baselines or matches.BASELINES, settings, jobs, file)
        return
    if baselines or pairs or work or jobs:
        raise click.UsageError('--baseline, --pairs, --work and --jobs go with "matches".')
    if names == (GROWTH,):
        if sizes or seconds:
            raise click.UsageError('--size and --seconds go with "plans".')
        _growth(console, seeds or (SEEDS[:1] if quick else SEEDS), file, plot)
        return
    if GROWTH in names or plot is not None:
        raise click.UsageError('"growth" goes alone, and --plot with it.')
    if PLANS in names:
        asked = [name for name in names if name != PLANS]
        chosen_plans = _chosen(asked, sizes, seeds, quick, NAMED)
        _plans(console, chosen_plans, seconds or (QUICK_LIMITS if quick else LIMITS), file)
        return
    if sizes or seeds or seconds:
        raise click.UsageError('--size, --seeds and --seconds go with "plans" or "matches".')
    # Scenario names first: they say what else there is.
    known = instances()
    asked = [name for name in names if name != SCENARIOS]
    unknown = [name for name in asked if name not in known]
    if unknown:
        there = ", ".join((*known, SCENARIOS, FINGERPRINT, PLANS, GROWTH, MATCHES))
        raise click.UsageError(f"There is no {', '.join(unknown)}; there are {there}.")
    if SCENARIOS in names:
        chosen = [known[name] for name in asked] or list(shipped_instances().values())
        _scenarios(console, chosen, QUICK.hint_seconds if quick else FULL.hint_seconds, file)
    else:
        _measures(console, [known[name] for name in asked or known], quick, file)


def _fingerprint(file: Path | None, toml: Path | None) -> None:
    found = fingerprints.parts()
    click.echo(fingerprints.whole(found))
    _write(file, {"fingerprint": fingerprints.whole(found), "parts": found})
    if toml is not None:
        toml.write_text(fingerprints.written(found), "utf-8")


def _scenarios(console: Console, chosen: list[Instance], seconds: float, file: Path | None) -> None:
    rows = []
    for instance in chosen:
        with console.status(f"{instance.name}: looking for its best plans"):
            rows.append(interest(instance, seconds))
    console.print(interest_table(rows, seconds))
    _write(file, {"seconds": seconds, "scenarios": [interest_form(row) for row in rows]})


def _chosen(
    names: list[str],
    sizes: tuple[str, ...],
    seeds: tuple[int, ...] | None,
    quick: bool,
    usual: Iterable[str],
) -> list[tuple[str, Instance]]:
    """The positions asked for, each with what it is put together with: unless some are named, all
    shipped and the named generated ones of the ``usual`` sizes; of each size only the first when
    it is to be quick."""
    known = shipped_instances()
    unknown = [name for name in names if name not in known]
    if unknown:
        there = ", ".join(known)
        raise click.UsageError(f"There is no {', '.join(unknown)}; there are {there}.")
    if seeds is not None and not sizes:
        raise click.UsageError("--seeds goes with --size.")
    if not names and not sizes:
        names, sizes = list(known), tuple(usual)
    found = [("shipped", known[name]) for name in names]
    for size in sizes:
        chosen = NAMED[size] if seeds is None else seeds
        found += [(size, drawn(size, seed)) for seed in (chosen[:1] if quick else chosen)]
    return found


def _plans(
    console: Console,
    chosen: list[tuple[str, Instance]],
    limits: tuple[float, ...],
    file: Path | None,
) -> None:
    from benchmarks.machine import Clock  # psutil, of the extra `benchmark`

    about = _about(console, {"limits": limits})
    started = Clock.now()
    rows = []
    for kind, instance in chosen:
        with console.status(instance.name) as status:
            rows.append(compare(instance, kind, limits, partial(_step, status, instance.name)))
    busy = Clock.now().others_since(started)
    console.print(plans_table(rows))
    console.print(averages_table(averages(rows)))
    console.print(f"Meanwhile other programs kept {busy:.2f} cores busy.")
    _write(file, {**about, "other_programs_cores": busy, **plans_form(rows)})


def _matches(
    console: Console,
    grounds: list[matches.Ground],
    baselines: tuple[str, ...],
    settings: matches.Settings,
    jobs: int | None,
    file: Path | None,
) -> None:
    about = _about(console, asdict(settings))
    count = jobs or os.cpu_count() or 1
    rows: list[matches.Row] = []
    with console.status("matches") as status, stoppable() as cancelled:
        spread = Alone() if count == 1 else Processes(count)
        hall = matches.Hall(spread, status.update, cancelled)
        for ground, baseline in product(grounds, baselines):
            row = matches.compare(ground, baseline, settings, hall)
            if row.whole.pairs:
                rows.append(row)
                console.print(row_text(row), style="dim")
                _write(file, {**about, **matches_form(rows, settings, None)})
        itself = matches.sanity(grounds, settings, hall)
    console.print(matches_table(rows))
    for line in sanity_lines(itself):
        console.print(line)
    _write(file, {**about, **matches_form(rows, settings, itself)})
    if not itself.holds:
        raise click.ClickException("The bot against itself is not even: nothing here holds.")


def _growth(console: Console, seeds: tuple[int, ...], file: Path | None, plot: Path | None) -> None:
    from benchmarks.machine import Clock  # psutil, of the extra `benchmark`

    about = _about(console, {"size": SIZE, "seeds": seeds, "base AFVs": BASE_AFVS})
    started = Clock.now()
    with console.status("growth") as status:
        found = growth(seeds, on_step=partial(_step, status, "growth"))
    busy = Clock.now().others_since(started)
    console.print(growth_table(found))
    console.print(f"Meanwhile other programs kept {busy:.2f} cores busy.")
    _write(file, {**about, "other_programs_cores": busy, **growth_form(found)})
    if plot is not None:
        try:
            draw(found, plot)
        except (ImportError, OSError, ValueError) as error:
            raise click.ClickException(f"No plot: {error}") from None


def _step(status: Status, name: str, step: str) -> None:
    status.update(f"{name}: {step}")


def _about(console: Console, settings: dict[str, Any]) -> dict[str, Any]:
    """Where the figures come from: said, and for the file."""
    from benchmarks.machine import machine, versions  # psutil, of the extra `benchmark`

    about = {"machine": machine(), "versions": versions(), "settings": settings}
    for what, found in about.items():
        console.print(f"{what}: " + ", ".join(f"{k} {v}" for k, v in found.items()), style="dim")
    return about


def _measures(console: Console, chosen: list[Instance], quick: bool, file: Path | None) -> None:
    from benchmarks.machine import Clock  # psutil, of the extra `benchmark`

    settings = QUICK if quick else FULL
    about = _about(console, {**asdict(settings), "seed": SEED})
    started = Clock.now()
    reports = []
    for instance in chosen:
        with console.status(f"{instance.name}: loading") as status:
            report = measure(instance, settings, partial(_tell, status, instance.name))
        show_report(console, report)
        reports.append(report_form(report))
    busy = Clock.now().others_since(started)
    console.print(
        "Ratio: the baseline's figure over ours; above 1 ours is the smaller."
        f" Meanwhile other programs kept {busy:.2f} cores busy."
    )
    _write(file, {**about, "other_programs_cores": busy, "positions": reports})


def _tell(status: Status, name: str, figure: Figure) -> None:
    status.update(f"{name}: {figure.measure} {shown(figure.times.median, figure.unit)}")


def _write(file: Path | None, form: dict[str, Any]) -> None:
    if file is not None:
        file.write_text(json.dumps(form, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
