"""The exact value of a plan: the yardstick's front door."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from evaluation import backward
from evaluation.apart import Apart, together
from evaluation.backward import Backward, Sweeps, TooManyStatesError
from evaluation.build import build
from evaluation.compiler import Compiler
from evaluation.effects import Effects
from evaluation.forward import StageTrace
from evaluation.group import Aim
from evaluation.interval import bounds
from evaluation.parts import Part, parts
from evaluation.plan import Defence
from evaluation.script import Enter, Field, Move, Place, Strike
from evaluation.size import crowds_of_part
from evaluation.telling import Teller
from evaluation.worth import Losses

SAME = 1e-9
"""Ends of an interval that are as near as this are one value."""
MOST_TOGETHER = 1_000_000
"""So many values of moves that touch are remembered; then it begins anew."""

__all__ = ["Defence", "Evaluation", "Evaluator", "StageTrace"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a plan is worth to the mover, and what it leads to.

    The value is ``value`` when it is ``exact``; otherwise its states do not fit in memory, and it
    lies between ``value`` and ``value_high`` (`evaluation.interval`).

    ``made[i]``: the probability that the i-th move is made when its turn comes (otherwise it is
    skipped). ``outcomes[unit][status]``: the chance of each unit's final status. ``payoff``: the
    payoff's distribution, ascending, ``(payoff, probability)``. ``objectives[place]``: the chances
    that the mover gains it and that he loses it. ``stages[i]``: how the i-th move is
    expected to go, stage by stage.

    What takes too many states to tell is left out: a move's chance to be made is None then and its
    stages are none, units are not in ``outcomes``, objectives are ``untold``, the payoff is empty.
    """

    value: float
    moves: tuple[Move, ...]
    made: tuple[float | None, ...]
    outcomes: Mapping[str, Mapping[str, float]]
    payoff: tuple[tuple[float, float], ...]
    objectives: Mapping[Place, tuple[float, float]]
    stages: tuple[tuple[StageTrace, ...], ...]
    value_high: float
    untold: frozenset[Place] = frozenset()

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.value_high <= self.value


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
        self._teller: Teller | None = None
        self._sweeps: Sweeps = {}
        # It keeps the moves that values of parts are known of, so that no other can get their ids.
        self._apart = Apart(self._fast)
        self._known: dict[Hashable, float] = {}
        self._together: dict[tuple[int, ...], float] = {}
        self._staying = self._value([])

    def value(self, moves: Sequence[Move], poll: Callable[[], None] | None = None) -> float:
        """The plan's value to the mover (model page, "Value of a plan"). ``poll`` is called now and
        then and may raise to stop.

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
                gain = self._value([one.move for one in group], poll) - self._staying
                self._together[key] = gain
            total += gain
        return total

    def _value(self, moves: Sequence[Move], poll: Callable[[], None] | None = None) -> float:
        back = self._pass(self._fast, moves, record=False)
        back.poll = poll
        back.known = self._known
        return back.value()

    def evaluate(self, moves: Sequence[Move], *, payoff: bool = True) -> Evaluation:
        """The plan's value with the chance of every final status, and the payoff's distribution.

        Without ``payoff`` that distribution is left out, which is much quicker for long plans. When
        the plan's states do not fit in memory, between what the value lies, and what can be told.

        Raises ValueError when a move's unit can't move or has two moves, and TooManyStatesError
        when they do not fit and the defender goes by a rule of thumb.
        """
        known = [frozenset(part.turns) for part in self._parts(moves)]
        try:
            low = high = self.value(moves)
        except TooManyStatesError:
            if self.defence is not Defence.BEST:
                raise
            low, high = bounds(self.field, self.own_loss, moves, backward.MOST_STATES)
            if high - low > SAME:
                known = [frozenset(p.turns) for p in self._parts(moves, backward.MOST_STATES)]
            else:
                low = high = max(low, high)
        if self._teller is None:
            self._teller = Teller(
                self.field, self._effects, self._losses, self.own_loss, self.defence
            )
        told = self._teller.tell(moves, known, payoff=payoff)
        return Evaluation(
            low,
            tuple(moves),
            tuple(told.made),
            told.outcomes,
            told.payoff,
            told.objectives,
            tuple(told.stages),
            high,
            told.untold,
        )

    def _parts(self, moves: Sequence[Move], most: int | None = None) -> list[Part]:
        """The parts of a plan, of no more than so many states."""
        plan, statuses = build(self._fast, moves), len(self._effects.statuses)
        return [
            part
            for part in parts(plan)
            if part.turns
            and (
                most is None
                or all(one.states <= most for one in crowds_of_part(plan, part, statuses))
            )
        ]

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
