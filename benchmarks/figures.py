"""What is reported: figures, the baselines they stand against, and the aims."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from benchmarks.instances import Scale
from benchmarks.timing import Times


class Unit(Enum):
    """What a figure counts."""

    SECONDS = "s"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class Baseline:
    """Another way to the same answer, measured in the same run; ``figure`` None: not run, and
    ``note`` says why. ``against``: what of ours it is held against (the median unless given)."""

    name: str
    figure: float | None
    note: str = ""
    against: float | None = None


@dataclass(frozen=True, slots=True)
class Aim:
    """What a figure should be below, in the positions of one scale (None: of all)."""

    measure: str
    scale: Scale | None
    below: float


AIMS = (
    Aim("hint from the shell", Scale.SKIRMISH, 2.0),
    Aim("all lines, once loaded", Scale.BATTALION, 0.5),
    Aim("one single-move evaluation", Scale.COMPANY, 0.002),
    Aim("peak memory of the hint", None, 400e6),
)
"""The aims of the project's plan, each for a median."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing measured in one position. ``note`` says on what, and whether it was cut short."""

    measure: str
    times: Times
    baselines: tuple[Baseline, ...] = ()
    note: str = ""
    unit: Unit = Unit.SECONDS

    def ratio(self, baseline: Baseline) -> float | None:
        """How many times our figure the baseline's is; above 1 ours is the smaller."""
        ours = self.times.median if baseline.against is None else baseline.against
        return None if baseline.figure is None or ours == 0 else baseline.figure / ours

    def aim(self, scale: Scale) -> Aim | None:
        """The aim for this figure, if there is one for such positions."""
        return next(
            (a for a in AIMS if a.measure == self.measure and a.scale in (None, scale)), None
        )


def verdict(figure: Figure, aim: Aim) -> str:
    """Met or missed, and by how much."""
    found, cpu = figure.times.median, figure.times.median_cpu
    if found < aim.below:
        return f"met: {found / aim.below:.0%} of the aim"
    own = "" if cpu is None else f" ({cpu / aim.below:.0%} of it in processor time)"
    return f"missed: {found / aim.below:.2f} times the aim{own}"


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of one position."""

    name: str
    origin: str
    scale: Scale
    size: dict[str, int]
    figures: list[Figure] = field(default_factory=list)
