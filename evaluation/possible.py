"""Everything that may come of one move, however the defender replies, the best way or not."""

from __future__ import annotations

from collections.abc import Iterator

from evaluation.effects import Effects
from evaluation.plan import Plan, StrikeStage, WindowStage
from evaluation.script import Place

Ends = set[tuple[int, ...]]
_State = tuple[tuple[int, ...], int, Place | None, bool]
"""Classes of the axes, the AFV's status, where it stopped, and whether it is still on its way."""


def possible_ends(plan: Plan, effects: Effects) -> Ends:
    """Every joint class of the axes that a plan of one move, legal as it begins, can lead to."""
    (turn,) = plan.turns
    states: set[_State] = {(plan.first_classes, effects.index[turn.unit.status], None, True)}
    for at, stage in enumerate(turn.stages):
        last = at == len(turn.stages) - 1
        states = {
            new
            for state in states
            for new in (
                _strike(plan, stage, state)
                if isinstance(stage, StrikeStage)
                else _window(plan, effects, stage, state, last=last)
            )
        }
    ends: Ends = set()
    for classes, status, place, _ in states:
        if turn.stand is not None:
            stands = None if effects.statuses[status].removed else place
            entry = plan.chains[turn.stand].entry[stands]
            classes = (*classes[: turn.stand], entry, *classes[turn.stand + 1 :])
        ends.add(classes)
    return ends


def _strike(plan: Plan, stage: StrikeStage, state: _State) -> Iterator[_State]:
    classes, status, place, moving = state
    if not moving:
        yield plan.passed(classes, [stage.ref]), status, place, False
        return
    axis = stage.ref.axis
    for landing in plan.link(stage.ref).landings[classes[axis]]:
        if landing.probability > 0.0:
            yield (*classes[:axis], landing.to, *classes[axis + 1 :]), status, place, True


def _window(
    plan: Plan, effects: Effects, stage: WindowStage, state: _State, *, last: bool
) -> Iterator[_State]:
    classes, status, place, moving = state
    if not moving:
        yield plan.passed(classes, stage.fires), status, place, False
        return
    met = {(classes, status)}
    stack = [(classes, status)]
    while stack:
        now, rank = stack.pop()
        here = effects.statuses[rank]
        stopped = last or stage.halts(here)
        yield plan.passed(now, stage.fires), rank, stage.place if stopped else place, not stopped
        if here.removed:
            continue
        for ref in stage.fires:
            for choice in plan.link(ref).choices[now[ref.axis]]:
                after = (*now[: ref.axis], choice.to, *now[ref.axis + 1 :])
                for new, p in enumerate(effects.matrix(choice.effect)[rank]):
                    if p > 0.0 and (after, new) not in met:
                        met.add((after, new))
                        stack.append((after, new))
