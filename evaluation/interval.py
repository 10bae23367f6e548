"""Between which two figures a plan's value lies when its states do not fit in memory.

The high end is its value against a restricted defender (`evaluation.restricted`), the low end that
against a freed one (`evaluation.freed`), each changed until its states are few enough.

Where no change makes them so, the plan is cut short: its first moves are bounded in that way, and
whatever the others do costs or brings no more than the worth at stake in them (`_Rest`). For the
high end: from there on the defender may hold his fire, so that nothing but strikes and objectives
can bring anything. For the low end: whatever he does in the first moves leaves the mover their
value at least, and the others cost no more than all that they can cost.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.freed import Freed
from evaluation.plan import Defence
from evaluation.restricted import Restricted
from evaluation.script import Field, Move, Strike
from evaluation.units import Kind
from evaluation.worth import Losses


def bounds(
    field: Field, own_loss: float, moves: Sequence[Move], most_states: int
) -> tuple[float, float]:
    """A low and a high end between which the value of a plan lies, the defender replying best;
    neither needs more than ``most_states`` states at once."""
    rest = _Rest(field, own_loss)
    freed, restricted = Freed(field, own_loss, moves), Restricted(field, own_loss, moves)
    low, high = freed.end(most_states), restricted.end(most_states)
    return low - rest.cost(freed.left_out), high + rest.gain(restricted.left_out)


class _Rest:
    """What the last moves of a plan can cost or bring at most, whatever the others come to.

    A hex struck: the worth between the best and the worst that its units can come to. An AFV: what
    it loses in the worst status that it can come to. An objective that they touch: its worth. And
    the weapons that an attack spends.
    """

    def __init__(self, field: Field, own_loss: float) -> None:
        self._field = field
        self._own_loss = own_loss
        self._losses = Losses(field)
        self._compiler = Compiler(field, Effects(field.rules), self._losses, Defence.BEST, False)

    def cost(self, moves: Sequence[Move]) -> float:
        """What they can cost the mover."""
        statuses = self._field.rules.statuses[Kind.AFV].values()
        afvs = [self._field.units[move.unit] for move in moves]
        own = sum(max(self._losses.change(unit, status) for status in statuses) for unit in afvs)
        spent = sum(
            self._compiler.attack(self._field.units[move.unit], step)[1]
            for move in moves
            for step in move.steps
            if isinstance(step, Strike)
        )
        return self._stakes(moves) + self._own_loss * (own + spent)

    def gain(self, moves: Sequence[Move]) -> float:
        """What they can bring him when nobody fires at them."""
        return self._stakes(moves)

    def _stakes(self, moves: Sequence[Move]) -> float:
        struck = {step.place for move in moves for step in move.steps if isinstance(step, Strike)}
        touched = {step.place for move in moves for step in move.steps}
        touched |= {self._field.units[move.unit].place for move in moves}
        total = sum(abs(one.worth) for one in self._field.objectives if one.place in touched)
        for place in struck:
            for unit in self._compiler.group(place).units:
                statuses = self._field.rules.statuses[unit.type.kind].values()
                worths = [self._losses.of(unit, status) for status in statuses]
                total += max(worths) - min(worths)
        return total
