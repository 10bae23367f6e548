"""What a policy is worth, worked out on the game tree and not by sampling: one side decides by it,
the other replies best, knowing it; dice are exact."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol

from planner.game.actions import Action, EndPhase
from planner.game.choices import forced, legal
from planner.game.play_state import Deciding, Game
from planner.game.resolution import outcomes
from planner.game.score import payoff
from planner.game.turns import with_objectives
from planner.play.player import Decision
from planner.search.effort import Cancelled, Limit, never
from tests.play.small_phases import Small

WORK = Limit(work=200)


class Decides(Protocol):
    """The part of `planner.play.player.Player` that is asked."""

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        """One legal action."""
        ...


class PolicyValue:
    """Values to the mover when ``player`` decides for the side ``of`` and the other side replies
    best. The player is asked once for every moment that its own policy can lead to, and not where
    there is no choice."""

    def __init__(self, player: Decides, of: Deciding, limit: Limit, own_loss: float = 1.0) -> None:
        self._player = player
        self._of = of
        self._limit = limit
        self._own_loss = own_loss
        self._known: dict[Hashable, float] = {}
        self.decisions = 0

    def value(self, game: Game) -> float:
        """From a moment to the end of its Movement Phase, before any recovery."""
        found = self._known.get(game.key)
        if found is None:
            found = self._known[game.key] = self._look(game)
        return found

    def _look(self, game: Game) -> float:
        if game.deciding is self._of:
            action = forced(game)
            if action is None:
                self.decisions += 1
                action = self._player.decide(game, self._limit, never).action
            return self._after(game, action)
        values = [self._after(game, action) for action in legal(game)]
        return max(values) if game.deciding is Deciding.MOVER else min(values)

    def _after(self, game: Game, action: Action) -> float:
        side = game.position.to_move
        if isinstance(action, EndPhase):
            ended = with_objectives(game.position, [])
            return payoff(game.position, ended, side, self._own_loss)
        return sum(
            p * (payoff(game.position, after.position, side, self._own_loss) + self.value(after))
            for p, after in outcomes(game, action)
        )


def given_away(one: Small, player: Decides, of: Deciding, limit: Limit = WORK) -> float:
    """What a policy gives away to an opponent who knows it and replies best, as a share of the
    worth at stake."""
    value = PolicyValue(player, of, limit, one.own_loss).value(one.game)
    best = one.twin.value(one.game)
    lost = best - value if of is Deciding.MOVER else value - best
    assert lost >= -1e-9, "more than the best"
    return lost / one.at_stake
