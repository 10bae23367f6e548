"""How many states a plan's evaluation holds at once, told before it is done.

The backward pass (`evaluation.backward`) keeps one array axis for each group or place between its
last and its first event. Here the same axes come and go, but only their sizes are multiplied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import prod

from evaluation.parts import Part, parts
from evaluation.plan import LinkRef, Plan, StrikeStage


@dataclass(frozen=True, slots=True)
class Crowd:
    """The states held at once at one point: in which move (``turn``; the number of moves for the
    end of the phase), how many, and the sizes of the axes."""

    turn: int
    states: int
    axes: Mapping[int, int]


def crowds(plan: Plan, statuses: int) -> Iterator[Crowd]:
    """Every point of a plan's evaluation, backward; ``statuses``: how many an AFV can have. For a
    plan that begins as the field is and ends the phase."""
    for part in parts(plan):
        yield from crowds_of_part(plan, part, statuses)


def crowds_of_part(plan: Plan, part: Part, statuses: int) -> Iterator[Crowd]:
    """The same for one part of a plan."""
    axes: dict[int, int] = {}

    def before(refs: Iterable[LinkRef], turn: int, rows: int) -> Iterator[Crowd]:
        """The axes of an event are there before it; those it is the first of, no longer then."""
        for ref in refs:
            axes[ref.axis] = plan.link(ref).size
        yield Crowd(turn, prod(axes.values()) * rows, dict(axes))
        for ref in refs:
            if ref.link == 0 and plan.starts[ref.axis] is not None:
                axes.pop(ref.axis, None)

    for holding in reversed(part.holdings):
        refs = (*([holding.defender] if holding.defender else []), *holding.movers)
        yield from before(refs, len(plan.turns), 1)
    for number in reversed(part.turns):
        turn = plan.turns[number]
        if not turn.stages:
            continue
        # What follows, by where the AFV stands, is kept beside the values by its status.
        places = 1 if turn.stand is None else axes.pop(turn.stand, 1)
        rows = max(statuses, places)
        yield Crowd(number, prod(axes.values()) * rows, dict(axes))
        for stage in reversed(turn.stages):
            refs = (stage.ref,) if isinstance(stage, StrikeStage) else stage.fires
            yield from before(refs, number, rows)
        if turn.guard is not None:
            others = turn.guard.room.others if turn.guard.room else ()
            asked = (*turn.guard.asks, *(ref for ref, _ in others))
            yield from before(asked, number, max(rows, 2))
