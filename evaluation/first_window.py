"""The window that a plan begins with: what holding leaves the mover, and every result of each shot.

One recorded backward pass values the plan from every state that its first window can come to: with
any shots of it made, and in any status of the AFV. So what the defender may do now, and what each
result of it would be worth, is read off one pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from evaluation.backward import Backward
from evaluation.build import build
from evaluation.chain import Label
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.plan import Defence, WindowStage
from evaluation.script import Field, Move
from evaluation.worth import Losses


@dataclass(frozen=True, slots=True)
class After:
    """One result of a shot: the AFV's status, its probability, and the value to the mover from
    there on, the window still open; prices and losses since the plan's start counted."""

    status: str
    probability: float
    value: float


@dataclass(frozen=True, slots=True)
class FirstWindow:
    """``held``: the value to the mover if the window closes now. ``shots``: what may come of each
    shot that may be declared now, by firer, weapon and leader ("" for none), statuses in the rules'
    order."""

    held: float
    shots: Mapping[Label, tuple[After, ...]]

    def plus(self, more: float) -> FirstWindow:
        """The same with so much more to come whatever happens."""
        shots = {
            label: tuple(After(one.status, one.probability, one.value + more) for one in results)
            for label, results in self.shots.items()
        }
        return FirstWindow(self.held + more, shots)


def read_first_window(back: Backward, total: float) -> FirstWindow | None:
    """Read it off a recorded pass that gave the value ``total``; None where the first move is not
    made or begins with no window."""
    turn = back.plan.turns[0]
    stage = turn.stages[0] if turn.stages else None
    if not isinstance(stage, WindowStage) or total == -inf:
        return None
    if not stage.fires:
        return FirstWindow(total, {})
    recorded = back.windows[0, 0]
    classes = back.plan.first_classes
    status = back.effects.index[turn.unit.status]
    cell = tuple(classes[axis] for axis in recorded.axes)
    # Parts of the plan that have nothing to do with the window, and what is certain.
    apart = total - float(recorded.value[(*cell, status)])
    shots: dict[Label, tuple[After, ...]] = {}
    for ref in stage.fires:
        for choice in back.plan.link(ref).choices[classes[ref.axis]]:
            there = tuple(
                choice.to if axis == ref.axis else classes[axis] for axis in recorded.axes
            )
            row = back.effects.matrix(choice.effect)[status]
            shots[choice.label] = tuple(
                After(
                    new.name,
                    float(row[i]),
                    apart + choice.price + float(recorded.value[(*there, i)]),
                )
                for i, new in enumerate(back.effects.statuses)
                if row[i] > 0.0
            )
    return FirstWindow(apart + float(recorded.held[(*cell, status)]), shots)


class FirstWindows:
    """First windows of plans on one field; use one for many plans. Not for several threads at
    once."""

    def __init__(self, field: Field, own_loss: float = 1.0) -> None:
        self._effects = Effects(field.rules)
        self._losses = Losses(field)
        self._own_loss = own_loss
        self._compiler = Compiler(
            field, self._effects, self._losses, Defence.BEST, keep=False, labelled=True
        )

    def read(self, moves: Sequence[Move]) -> FirstWindow | None:
        """The first window of a plan; None where its first move is not made or begins with no
        window.

        Raises as `evaluation.value.Evaluator.value` does.
        """
        plan = build(self._compiler, moves)
        back = Backward(plan, self._effects, self._losses, self._own_loss, Defence.BEST, True)
        return read_first_window(back, back.value())
