"""How good the plans are: plain ways, and ours after so many seconds, held against the best known.

Every search is a process of its own, one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from benchmarks import shell
from benchmarks.instances import Instance
from benchmarks.interest import largest_group, shooters
from benchmarks.plan_run import COMMAND, Plain, Search
from planner.game.position import Position
from planner.search.candidates import Survey
from planner.search.effort import Wishes
from planner.search.lines import lines
from planner.search.worth import Judge

NAMED = {
    "section": (0, 2, 3, 4, 6, 7, 9),
    "platoon": (0, 2, 3, 5, 7, 8, 9, 10),
    "company": (0, 1, 2, 4, 5, 6, 7, 8),
    "battalion": (0, 1, 2, 3),
    "regiment": (0, 1),
}
"""Seeds of `benchmarks.generated` by size: the first where some plan is better than staying."""
SAME = 1e-6
"""Values as near as this are one."""


@dataclass(frozen=True, slots=True)
class Limited:
    """Our search with its limit in seconds, its process's peak memory, and the cores that other
    programs kept busy meanwhile."""

    limit: float
    found: Search
    peak_bytes: int
    others: float


@dataclass(frozen=True, slots=True)
class Row:
    """One position. ``kind``: what it is put together with in the summary. ``group``: AFVs of the
    largest interacting group and the enemy units through which they bear on each other.
    ``shooters``: enemy units that can hurt an AFV on some move. ``stake``: worth at stake."""

    name: str
    kind: str
    afvs: int
    enemy_units: int
    group: tuple[int, int]
    shooters: int
    stake: float
    plain: tuple[Plain, ...]
    searches: tuple[Limited, ...]

    @property
    def staying(self) -> float:
        """What making no move is worth."""
        return self.searches[0].found.staying

    @property
    def best_known(self) -> float:
        """The best value of any plan of this run."""
        plain = [one.value for one in self.plain if one.value is not None]
        return max([*plain, *(one.found.value for one in self.searches)])

    def share(self, value: float) -> float | None:
        """What part of the best known gain over staying a value has; None when there is none."""
        gain = self.best_known - self.staying
        return (value - self.staying) / gain if gain > SAME else None

    def gap(self, found: Search) -> float | None:
        """(bound - value) / worth at stake (model page); None without a bound."""
        if found.bound is None:
            return None
        return (found.bound - found.value) / self.stake if self.stake else 0.0


@dataclass(frozen=True, slots=True)
class Average:
    """All positions of a kind after one limit: ``share`` and ``least``, of those where something
    can be gained; ``proven`` plans; ``exact`` values of the position; ``over``, by what part of the
    best known gain V stands above it at least, where it is exact; ``slowest_first``: the longest
    wait for a first answer after the moves were listed; ``late``: the longest time that a search
    went on after its limit."""

    kind: str
    limit: float
    positions: int
    share: float | None
    least: float | None
    greedy: float | None
    additive: float | None
    proven: int
    exact: int
    over: float | None
    gap: float | None
    slowest_first: float | None
    late: float
    peak_bytes: int


def worth_at_stake(position: Position) -> float:
    """The worth of enemy units that some legal line strikes, with those they carry, and of the
    AFVs that have a line (model page, "Proof")."""
    found = lines(position)
    struck = {u.id for line in found for u in position.enemies_in(line.target)}
    struck |= {unit.id for unit in position.units.values() if unit.carrier in struck}
    counted = struck | {line.unit for line in found}
    return sum(position.units[name].type.combat.worth for name in sorted(counted))


def compare(
    instance: Instance, kind: str, limits: Sequence[float], on_step: Callable[[str], None]
) -> Row:
    """Search one position with each limit, and in the plain ways.

    Raises AssertionError when a bound is below a value: then nothing here is worth anything.
    """
    position = instance.position
    judge = Judge(position)
    found = Survey(position, judge, Wishes()).candidates
    size = instance.size()
    with TemporaryDirectory() as folder:
        source = instance.named(Path(folder))
        on_step("plain ways")
        plain = tuple(
            Plain(**{**one, "moves": tuple(one["moves"])})
            for one in json.loads(_run(source).stdout)
        )
        row = Row(
            instance.name,
            kind,
            size["afvs"],
            size["enemy_units"],
            largest_group(position, judge, found),
            len(shooters(position, judge, (one.move for one in found))),
            worth_at_stake(position),
            plain,
            tuple(_searches(source, limits, on_step)),
        )
    check(row)
    return row


def _searches(
    source: str, limits: Sequence[float], on_step: Callable[[str], None]
) -> Iterator[Limited]:
    from benchmarks.machine import Clock  # psutil, of the extra `benchmark`

    for limit in limits:
        on_step(f"{limit:g} s")
        started = Clock.now()
        run = _run(source, f"{limit:g}")
        form = json.loads(run.stdout)
        found = Search(**{**form, "moves": tuple(form["moves"])})
        yield Limited(limit, found, run.peak_bytes, Clock.now().others_since(started))


def _run(*arguments: str) -> shell.Run:
    run = shell.run_python(COMMAND, *arguments)
    assert run.status == 0, (arguments, run.stderr)
    return run


def check(row: Row) -> None:
    """No bound is below a value, and no low end above a high one. Raises AssertionError."""
    for one in row.searches:
        found = one.found
        for high in (found.bound, found.high):
            assert high is None or high >= row.best_known - SAME, (row.name, one.limit, high)
        assert found.high is None or found.low <= found.high + SAME, (row.name, one.limit)
        assert found.low >= found.value - SAME, (row.name, one.limit)


def averages(rows: Sequence[Row]) -> Iterator[Average]:
    """Each kind of position and each limit, in the order they come."""
    for kind in dict.fromkeys(row.kind for row in rows):
        own = [row for row in rows if row.kind == kind]
        for i, limit in enumerate(one.limit for one in own[0].searches):
            yield _average(kind, limit, own, [row.searches[i] for row in own])


def _average(kind: str, limit: float, rows: Sequence[Row], runs: Sequence[Limited]) -> Average:
    both = list(zip(rows, (run.found for run in runs), strict=True))
    shares = _known(row.share(found.value) for row, found in both)
    above = _known(row.share(found.low) for row, found in both if found.exact)
    waits = _known(
        None if found.first is None or found.listed is None else found.first - found.listed
        for _, found in both
    )
    return Average(
        kind,
        limit,
        len(rows),
        _mean(shares),
        min(shares, default=None),
        _mean(_known(_plain_share(row, "greedy") for row in rows)),
        _mean(_known(_plain_share(row, "additive") for row in rows)),
        sum(found.proven for _, found in both),
        sum(found.exact for _, found in both),
        _mean([share - 1 for share in above]),
        _mean(_known(row.gap(found) for row, found in both)),
        max(waits, default=None),
        max(max(0.0, found.seconds - limit) for _, found in both),
        max(run.peak_bytes for run in runs),
    )


def _plain_share(row: Row, name: str) -> float | None:
    """The share of the best of the plain ways whose names begin so."""
    values = _known(one.value for one in row.plain if one.name.startswith(name))
    return row.share(max(values)) if values else None


def _known(given: Iterable[float | None]) -> list[float]:
    return [one for one in given if one is not None]


def _mean(given: Sequence[float]) -> float | None:
    return fmean(given) if given else None
