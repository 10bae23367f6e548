"""The exact value of a plan: the yardstick's front door."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.apart import Apart, together
from evaluation.backward import Backward, Sweeps
from evaluation.build import build
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.forward import Forward, StageTrace
from evaluation.group import Aim
from evaluation.plan import Defence
from evaluation.script import Enter, Field, Move, Place, Strike
from evaluation.worth import Losses

MOST_TOGETHER = 1_000_000
"""So many values of moves that touch are remembered; then it begins anew."""

__all__ = ["Defence", "Evaluation", "Evaluator", "StageTrace"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a plan is worth to the mover, and what it leads to.

    ``made[i]``: the probability that the i-th move is made when its turn comes (otherwise it is
    skipped). ``outcomes[unit][status]``: the chance of each unit's final status. ``payoff``: the
    payoff's distribution, ascending, ``(payoff, probability)``. ``objectives[place]``: the chances
    that the mover gains it and that he loses it. ``stages[i]``: how the i-th move is
    expected to go, stage by stage.
    """

    value: float
    moves: tuple[Move, ...]
    made: tuple[float, ...]
    outcomes: Mapping[str, Mapping[str, float]]
    payoff: tuple[tuple[float, float], ...]
    objectives: Mapping[Place, tuple[float, float]]
    stages: tuple[tuple[StageTrace, ...], ...]


class Evaluator:
    """Exact values of plans on one field.

    ``own_loss`` is the own-loss weight *w* of the payoff, ``defence`` how the defender decides.
    Keeps what several plans share, so use one for many plans. Not for several threads at once.
    """

    def __init__(
        self, field: Field, own_loss: float = 1.0, defence: Defence = Defence.BEST
    ) -> None:
        self.field = field
        self.own_loss = own_loss
        self.defence = defence
        self._effects = Effects(field.rules)
        self._losses = Losses(field)
        self._fast = Compiler(field, self._effects, self._losses, defence, keep=False)
        self._telling: Compiler | None = None
        self._sweeps: Sweeps = {}
        # It keeps the moves that values of parts are known of, so that no other can get their ids.
        self._apart = Apart(self._fast)
        self._known: dict[Hashable, float] = {}
        self._together: dict[tuple[int, ...], float] = {}
        self._staying = self._value([])

    def value(self, moves: Sequence[Move]) -> float:
        """The plan's value to the mover (model page, "Value of a plan").

        Raises ValueError when a move's unit can't move or has two moves, and TooManyStatesError
        when the plan's live states do not fit in memory.
        """
        if self._apart.is_full:
            self._apart = Apart(self._fast)
            self._known.clear()
            self._together.clear()
        prints = [self._apart.footprint(move) for move in moves]
        if len({move.unit for move in moves}) < len(moves):
            build(self._fast, moves)  # raises: a unit has two moves
        total = self._staying
        for group in together(prints):
            key = tuple([one.number for one in group])
            gain = self._together.get(key)
            if gain is None:
                if len(self._together) >= MOST_TOGETHER:
                    self._together.clear()
                gain = self._value([one.move for one in group]) - self._staying
                self._together[key] = gain
            total += gain
        return total

    def _value(self, moves: Sequence[Move]) -> float:
        back = self._pass(self._fast, moves, record=False)
        back.known = self._known
        return back.value()

    def evaluate(self, moves: Sequence[Move], *, payoff: bool = True) -> Evaluation:
        """The plan's value with the chance of every final status, and the payoff's distribution.

        Without ``payoff`` that distribution is left out, which is much quicker for long plans.
        Raises as `value` does.
        """
        if self._telling is None:
            self._telling = Compiler(
                self.field, self._effects, self._losses, self.defence, keep=True
            )
        back = self._pass(self._telling, moves, record=True)
        value = back.value()
        forward = Forward(self.field, back, payoff)
        forward.run()
        return Evaluation(
            value,
            tuple(moves),
            tuple(forward.made),
            forward.outcomes,
            tuple(forward.payoff) if payoff else (),
            forward.held,
            tuple(forward.traces),
        )

    def _pass(self, compiler: Compiler, moves: Sequence[Move], *, record: bool) -> Backward:
        plan = build(compiler, moves)
        back = Backward(plan, self._effects, self._losses, self.own_loss, self.defence, record)
        back.sweeps = self._sweeps
        return back

    def threats(self, unit: str, step: Enter) -> frozenset[tuple[Place, Aim]]:
        """The shots that a window offers against the AFV and that can do anything to it."""
        target = self.field.units[unit]
        return frozenset(
            (place, aim)
            for place, fire in self._fast.fires(step, target).items()
            for aim in fire.aims
        )

    def attack(self, unit: str, strike: Strike) -> tuple[int | None, float]:
        """The column of the AP Combat Table that an overrun uses (None: below the first), and the
        price of the once-weapons it spends."""
        attack, price = self._fast.attack(self.field.units[unit], strike)
        return self.field.rules.ap.column(attack.strength), price
