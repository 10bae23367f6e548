"""The slow twin of the lookahead: the tree of a Movement Phase walked as the rules of play give it,
with nothing left out and nothing merged but moments that are alike."""

from __future__ import annotations

from collections.abc import Hashable

from planner.game.actions import Action, EndPhase
from planner.game.choices import legal
from planner.game.play_state import Deciding, Game
from planner.game.resolution import outcomes
from planner.game.score import payoff
from planner.game.turns import with_objectives


class TooManyMomentsError(Exception):
    """The tree has more moments than the twin is given."""


class PhaseTwin:
    """Values of moments to the mover, counted from the moment to the end of the Movement Phase."""

    def __init__(self, own_loss: float = 1.0, most: int = 1_000_000) -> None:
        self.own_loss = own_loss
        self.most = most
        self.games: dict[Hashable, Game] = {}
        self._known: dict[Hashable, float] = {}

    def value(self, game: Game) -> float:
        """Under the best play of both sides."""
        found = self._known.get(game.key)
        if found is None:
            if len(self._known) >= self.most:
                raise TooManyMomentsError
            values = [value for _, value in self.options(game)]
            found = max(values) if game.deciding is Deciding.MOVER else min(values)
            self._known[game.key] = found
            self.games[game.key] = game
        return found

    def options(self, game: Game) -> list[tuple[Action, float]]:
        """Every legal action with the value after it."""
        return [(action, self.after(game, action)) for action in legal(game)]

    def after(self, game: Game, action: Action) -> float:
        """The value of an action."""
        side = game.position.to_move
        if isinstance(action, EndPhase):
            ended = with_objectives(game.position, [])
            return payoff(game.position, ended, side, self.own_loss)
        return sum(
            p * (payoff(game.position, after.position, side, self.own_loss) + self.value(after))
            for p, after in outcomes(game, action)
        )
