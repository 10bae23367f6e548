"""How long everything takes, and how it compares: ``python -m benchmarks``."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.status import Status

from benchmarks import fingerprint as fingerprints
from benchmarks.baselines import SEED
from benchmarks.figures import Figure
from benchmarks.instances import Instance, instances, shipped_instances
from benchmarks.interest import interest, interest_form, interest_table
from benchmarks.measures import FULL, QUICK, measure
from benchmarks.report import report_form, show_report, shown

SCENARIOS, FINGERPRINT = "scenarios", "fingerprint"


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
def main(names: tuple[str, ...], file: Path | None, quick: bool, write: Path | None) -> None:
    """Measure positions by NAME (all unless given), each figure against baselines of the same run.

    The NAME "scenarios" shows instead what makes each shipped scenario a problem, "fingerprint" one
    hash over many answers, which shows any change of behaviour.
    """
    if names == (FINGERPRINT,):
        _fingerprint(file, write)
        return
    console = Console(width=None if Console().is_terminal else 160)
    # Scenario names first: they say what else there is.
    known = instances()
    asked = [name for name in names if name != SCENARIOS]
    unknown = [name for name in asked if name not in known]
    if unknown:
        there = ", ".join((*known, SCENARIOS, FINGERPRINT))
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


def _measures(console: Console, chosen: list[Instance], quick: bool, file: Path | None) -> None:
    from benchmarks.machine import Clock, machine, versions  # psutil, of the extra `benchmark`

    settings = QUICK if quick else FULL
    about: dict[str, Any] = {
        "machine": machine(),
        "versions": versions(),
        "settings": {**asdict(settings), "seed": SEED},
    }
    for what, found in about.items():
        console.print(f"{what}: " + ", ".join(f"{k} {v}" for k, v in found.items()), style="dim")
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
