"""Everything that may come of one move, however the defender replies, the best way or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evaluation.chain import Link
from evaluation.effects import Effects
from evaluation.plan import LinkRef, Plan, StrikeStage, WindowStage
from evaluation.script import Place

Ends = set[tuple[int, ...]]
_State = tuple[tuple[int, ...], int, Place | None, bool]
"""Classes of the axes, the AFV's status, where it stopped, and whether it is still on its way."""


def possible_ends(plan: Plan, effects: Effects) -> Ends:
    """Every joint class of the axes that a plan of one move, legal as it begins, can lead to."""
    (turn,) = plan.turns
    classes = tuple(start if isinstance(start, int) else 0 for start in plan.starts)
    states: set[_State] = {(classes, effects.index[turn.unit.status], None, True)}
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


def _link(plan: Plan, ref: LinkRef) -> Link:
    return plan.chains[ref.axis].links[ref.link]


def _passed(plan: Plan, classes: Sequence[int], refs: Iterable[LinkRef]) -> tuple[int, ...]:
    new = list(classes)
    for ref in refs:
        new[ref.axis] = int(_link(plan, ref).passes[new[ref.axis]])
    return tuple(new)


def _strike(plan: Plan, stage: StrikeStage, state: _State) -> Iterator[_State]:
    classes, status, place, moving = state
    if not moving:
        yield _passed(plan, classes, [stage.ref]), status, place, False
        return
    axis = stage.ref.axis
    for landing in _link(plan, stage.ref).landings[classes[axis]]:
        if landing.probability > 0.0:
            yield (*classes[:axis], landing.to, *classes[axis + 1 :]), status, place, True


def _window(
    plan: Plan, effects: Effects, stage: WindowStage, state: _State, *, last: bool
) -> Iterator[_State]:
    classes, status, place, moving = state
    if not moving:
        yield _passed(plan, classes, stage.fires), status, place, False
        return
    met = {(classes, status)}
    stack = [(classes, status)]
    while stack:
        now, rank = stack.pop()
        here = effects.statuses[rank]
        halts = last or not here.may_move or (stage.before_strike and not here.may_overrun)
        stopped = here.removed or halts
        yield _passed(plan, now, stage.fires), rank, stage.place if stopped else place, not stopped
        if here.removed:
            continue
        for ref in stage.fires:
            for choice in _link(plan, ref).choices[now[ref.axis]]:
                after = (*now[: ref.axis], choice.to, *now[ref.axis + 1 :])
                for new, p in enumerate(effects.matrix(choice.effect)[rank]):
                    if p > 0.0 and (after, new) not in met:
                        met.add((after, new))
                        stack.append((after, new))
