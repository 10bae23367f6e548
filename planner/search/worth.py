"""What moves of a position are worth: the position's moves put to the yardstick."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from evaluation.script import Enter, Move, Strike
from evaluation.value import Defence, Evaluation, Evaluator
from planner.game.moves import PlannedMove
from planner.game.position import Position
from planner.search.effort import Poll
from planner.search.exposure import field, script


class Judge:
    """Exact values of plans in one position; use one judge for many plans.

    ``own_loss`` is the own-loss weight of the payoff (model page), ``defence`` how the defender
    decides. Not for several threads at once.
    """

    def __init__(
        self, position: Position, own_loss: float = 1.0, defence: Defence = Defence.BEST
    ) -> None:
        self.position = position
        self._evaluator = Evaluator(field(position), own_loss, defence)
        self._scripts: dict[PlannedMove, Move] = {}

    def _script(self, move: PlannedMove) -> Move:
        """What a move makes happen: for the same move the same object, which the evaluator knows
        again."""
        found = self._scripts.get(move)
        if found is None:
            found = self._scripts[move] = script(self.position, move)
        return found

    def value(self, moves: Sequence[PlannedMove], poll: Poll | None = None) -> float:
        """The value of the moves in that order to the mover (model page, "Value of a plan").
        ``poll`` is called now and then and may raise to stop.

        Raises ValueError when a unit has two moves, and TooManyStatesError when the plan's live
        states do not fit in memory.
        """
        return self._evaluator.value([self._script(move) for move in moves], poll)

    def unhindered(self, move: PlannedMove) -> float:
        """The value of a move's overrun if the AFV got to its target hex unharmed and out of it
        under Final Opportunity Fire alone; of staying for a move without an overrun. An estimate
        of what others' help may make of the move, not a bound."""
        unit = self.position.units[move.unit]
        told = script(self.position, move).steps
        strike = next((step for step in told if isinstance(step, Strike)), None)
        if strike is None:
            return self.value([])
        out = told[-1]
        assert isinstance(out, Enter)
        # It comes back to where it stands: there it has room.
        back = Enter(unit.hex, out.at_cover, (), strike.place)
        return self._evaluator.value([Move(move.unit, (strike, back))])

    def threats(self, unit: str, step: Enter) -> frozenset[tuple[Hashable, Hashable]]:
        """The shots that a window offers against the AFV and that can do anything to it, each with
        the firer's hex."""
        return self._evaluator.threats(unit, step)

    def attack(self, unit: str, strike: Strike) -> tuple[int | None, float]:
        """The AP column an overrun uses (None: below the first), and what it spends."""
        return self._evaluator.attack(unit, strike)

    def evaluate(self, moves: Sequence[PlannedMove], *, payoff: bool = True) -> Evaluation:
        """The value with the chances of every unit's final status and, unless left out, the
        payoff's distribution. Raises as `value` does."""
        scripts = [self._script(move) for move in moves]
        return self._evaluator.evaluate(scripts, payoff=payoff)


def evaluate(
    position: Position,
    moves: Sequence[PlannedMove],
    own_loss: float = 1.0,
    defence: Defence = Defence.BEST,
) -> Evaluation:
    """What the moves are worth in that order, whatever the defender does (or as ``defence`` says).

    A move that is not legal when its turn comes is skipped; wrong moves (see
    `planner.game.legality.wrong`) are the caller's to refuse. Raises ValueError when a unit has two
    moves.
    """
    return Judge(position, own_loss, defence).evaluate(moves)
