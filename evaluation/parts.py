"""Which moves of a plan have nothing to do with each other: what happens to them is independent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.plan import Holding, LinkRef, Plan, StrikeStage, Turn


@dataclass(frozen=True, slots=True)
class Part:
    """Moves that share groups, places or objectives, directly or through others: the numbers of
    the turns, in order, the axes they concern, and the objectives they may change."""

    turns: tuple[int, ...]
    axes: frozenset[int]
    holdings: tuple[Holding, ...]


def parts(plan: Plan) -> tuple[Part, ...]:
    """The plan's parts. No two concern one axis, so the state of a plan is the product of theirs,
    its payoff the sum, and the defender's best replies in one part do not depend on the others."""
    if len(plan.turns) == 1:
        return (Part((0,), frozenset(range(len(plan.chains))), plan.holdings),)
    whole: list[tuple[set[int], set[int], list[Holding]]] = []

    def add(turns: set[int], axes: set[int], holdings: list[Holding]) -> None:
        for other in [one for one in whole if one[1] & axes]:
            whole.remove(other)
            turns, axes, holdings = turns | other[0], axes | other[1], other[2] + holdings
        whole.append((turns, axes, holdings))

    for number, turn in enumerate(plan.turns):
        add({number}, {ref.axis for ref in _refs(turn)} | _own(turn), [])
    for holding in plan.holdings:
        refs = [*([holding.defender] if holding.defender else []), *holding.movers]
        add(set(), {ref.axis for ref in refs}, [holding])
    # Objectives are asked about in the order of the field, whatever part they were put in.
    order = {id(holding): i for i, holding in enumerate(plan.holdings)}
    return tuple(
        Part(
            tuple(sorted(turns)),
            frozenset(axes),
            tuple(sorted(holdings, key=lambda holding: order[id(holding)])),
        )
        for turns, axes, holdings in sorted(whole, key=lambda one: min(one[0], default=-1))
    )


def _own(turn: Turn) -> set[int]:
    return set() if turn.stand is None else {turn.stand}


def _refs(turn: Turn) -> Iterator[LinkRef]:
    for stage in turn.stages:
        if isinstance(stage, StrikeStage):
            yield stage.ref
        else:
            yield from stage.fires
    if turn.guard is not None:
        yield from turn.guard.asks
        if turn.guard.room is not None:
            yield from (ref for ref, _ in turn.guard.room.others)
