"""The exact value of what is left of a Movement Phase, every decision of it left open: the mover
decides hex by hex, the defender shot by shot, each seeing every result before.

The tree is solved on arrays (`planner.play.phase_tree`), backwards and only where asked for, and
kept: the later decisions of the phase are read from the same tables. How much may be solved is
counted in operations (`planner.play.phase_tree.effort`), so the same moments asked in the same
order are solved or too large on any machine.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from planner.game.actions import Action, EndPhase, Enter, Halt, Hold, Overrun
from planner.game.choices import legal
from planner.game.play_state import Deciding, Game
from planner.game.resolution import outcomes
from planner.game.score import payoff
from planner.play.phase_tree.effort import Effort, TooLarge
from planner.play.phase_tree.solved import NotCoveredError, Solved
from planner.play.phase_tree.walks import find_walks
from planner.search.effort import Poll, nothing

__all__ = ["BUDGET", "TIE", "Lookahead", "TooLarge"]

BUDGET = 4_000
"""Operations that one solved tree may take unless another number is given."""
TIE = 1e-9
"""Values no further apart are equal."""
MOST_TREES = 32
"""So many trees are kept; then the oldest goes."""


class Lookahead:
    """Exact values of moments of Movement Phases that are small enough.

    ``own_loss`` is the own-loss weight of the payoff, ``budget`` the operations that one tree may
    take, ``in_all`` those of all trees together (None: any number), ``poll`` is called now and then
    and may raise to stop. Used for all decisions of a phase it solves most only once; but then it
    may know a moment that it would have found too large by itself. Not for several threads at once.

    Values are to the mover: what the rest of this Movement Phase is worth from the moment on, up to
    its end and before any recovery (model page, "Payoff").
    """

    def __init__(
        self,
        own_loss: float = 1.0,
        budget: int = BUDGET,
        poll: Poll = nothing,
        in_all: int | None = None,
    ) -> None:
        self.own_loss = own_loss
        self.budget = budget
        self.poll = poll
        self._whole = Effort(in_all)
        self._trees: list[Solved] = []
        self._refused: dict[Hashable, str] = {}

    @property
    def work(self) -> int:
        """Operations spent so far, on all trees."""
        return self._whole.spent

    def value(self, game: Game) -> float:
        """The value of a moment under the best play of both sides.

        Raises:
            TooLarge: it takes more work than the budget allows.
            ValueError: nobody decides, the game is over.
        """
        if game.deciding is Deciding.NOBODY:
            raise ValueError("the game is over: nobody decides")
        if _in_last_window(game):
            if not any(tree.covers(game) for tree in self._trees):
                self._grown(game)
            return self._last_window(game, {})
        found = self._known(game)
        return self._grown(game).value(game) if found is None else found

    def options(self, game: Game) -> list[tuple[Action, float]]:
        """Every legal action, in text order, with the value after it under the best play of both
        sides. Raises as `value` does."""
        self.value(game)
        return [(action, self._after(game, action)) for action in legal(game)]

    def after(self, game: Game, action: Action) -> float:
        """The value after a legal action under the best play of both sides. Raises as `value`."""
        return self._after(game, action)

    def best(self, game: Game) -> tuple[Action, float]:
        """The best action for the side that decides, and the value.

        Of equal ones (`TIE`) those come first that stop, end or hold, then in text order; a step
        from which the AFV could do nothing any more comes last. Raises as `value` does.
        """
        value = self.value(game)
        stopping = [a for a in legal(game) if isinstance(a, EndPhase | Halt | Hold)]
        others = [a for a in legal(game) if a not in stopping]
        # To turn in the last hex is worth no more than to halt as one is.
        stopping.sort(key=lambda action: isinstance(action, Halt) and action.facing is not None)
        idle: list[Action] = []
        for action in (*stopping, *others):
            try:
                after = self._after(game, action, grow=False)
            except NotCoveredError:
                continue
            if abs(after - value) <= TIE:
                if isinstance(action, Enter) and self._is_idle(game, action):
                    idle.append(action)
                    continue
                return action, value
        if idle:
            return idle[0], value
        sign = 1.0 if game.deciding is Deciding.MOVER else -1.0
        return max(self.options(game), key=lambda option: sign * option[1])

    # -- trees -------------------------------------------------------------------------------

    def _known(self, game: Game) -> float | None:
        """The value from a tree that holds the moment, None when there is none."""
        for tree in reversed(self._trees):
            try:
                return tree.value(game)
            except (NotCoveredError, TooLarge):
                continue
        return None

    def _effort(self) -> Effort:
        return Effort(self.budget, self.poll, self._whole)

    def _grown(self, game: Game) -> Solved:
        """A tree from this moment on."""
        known = self._refused.get(game.key)
        if known is not None:
            raise TooLarge(known)
        try:
            tree = Solved(game, self.own_loss, self._effort())
            if not _in_last_window(game):
                tree.value(game)
        except TooLarge as error:
            self._refused[game.key] = str(error)
            raise
        self._trees = [*self._trees[1 - MOST_TREES :], tree]
        return tree

    def _after(self, game: Game, action: Action, *, grow: bool = True) -> float:
        """The value of an action: what it brings at once, and the value after it. Unless trees may
        ``grow``, it raises NotCoveredError for what the known ones do not hold."""
        side = game.position.to_move
        if isinstance(action, EndPhase):
            for tree in reversed(self._trees):
                try:
                    return tree.end(game)
                except (NotCoveredError, TooLarge):
                    continue
            return self._grown(game).end(game)
        if isinstance(action, Enter | Overrun):
            for tree in reversed(self._trees):
                try:
                    return tree.after(game, action)
                except (NotCoveredError, TooLarge):
                    continue
        total = 0.0
        for p, after in outcomes(game, action):
            gain = payoff(game.position, after.position, side, self.own_loss)
            if grow or _in_last_window(after):
                total += p * (gain + self.value(after))
            else:
                found = self._known(after)
                if found is None:
                    raise NotCoveredError(str(action))
                total += p * (gain + found)
        return total

    def _last_window(self, game: Game, known: dict[Hashable, float]) -> float:
        """The value in the last window of an overrun, shot by shot: few can fire in it."""
        found = known.get(game.key)
        if found is None:
            found = known[game.key] = min(self._shots(game, known))
        return found

    def _shots(self, game: Game, known: dict[Hashable, float]) -> Iterator[float]:
        side = game.position.to_move
        for action in legal(game):
            total = 0.0
            for p, after in outcomes(game, action):
                gain = payoff(game.position, after.position, side, self.own_loss)
                last = _in_last_window(after)
                follows = self._last_window(after, known) if last else self.value(after)
                total += p * (gain + follows)
            yield total

    def _is_idle(self, game: Game, action: Enter) -> bool:
        """Whether the AFV could do nothing any more after a step, as the units stand now."""
        unit = game.position.units[action.unit]
        walk = find_walks(game.position, game.under_way, [unit], self._effort())[unit.id]
        steps = (spot for spot in walk.ground.steps(walk.start) if spot.hex == action.hex)
        return not any(walk.useful(spot) for spot in steps)


def _in_last_window(game: Game) -> bool:
    window = None if game.under_way is None else game.under_way.window
    return window is not None and window.target is not None
