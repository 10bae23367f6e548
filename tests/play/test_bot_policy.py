"""The bot's own policy on the game tree: of what is at stake it gives away at most a hundredth, on
either side, to an opponent who knows it and replies best."""

from __future__ import annotations

import pytest

from planner.game.actions import EndPhase
from planner.game.play_state import Deciding, Game
from planner.play.bot import Bot
from planner.play.lookahead import Lookahead
from planner.play.player import Decision
from planner.search.effort import Cancelled, Limit
from tests.play.policy_value import Decides, PolicyValue
from tests.play.small_phases import NAMED, QUICK, Small, small

SIDES = (Deciding.MOVER, Deciding.DEFENDER)
WORK = 200
SHARE = 0.01


class BestOfTree:
    """Decides by the lookahead alone."""

    def __init__(self, own_loss: float) -> None:
        self._look = Lookahead(own_loss)

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        """The best action."""
        action, value = self._look.best(game)
        return Decision(action, value, exact=True)


def given_away(one: Small, player: Decides, of: Deciding) -> float:
    """What a policy gives away, as a share of the worth at stake."""
    value = PolicyValue(player, of, Limit(work=WORK), one.own_loss).value(one.game)
    best = one.twin.value(one.game)
    lost = best - value if of is Deciding.MOVER else value - best
    assert lost >= -1e-9, "more than the best"
    return lost / one.at_stake


def phase(number: int) -> Small:
    """The phase of that number."""
    one = small(number)
    assert one is not None, "the phase is not worth playing any more: name another"
    return one


@pytest.mark.parametrize("of", SIDES)
@pytest.mark.parametrize("number", QUICK)
def test_the_bot_gives_away_next_to_nothing(number: int, of: Deciding) -> None:
    one = phase(number)
    assert given_away(one, Bot(own_loss=one.own_loss), of) <= SHARE


@pytest.mark.slow
@pytest.mark.parametrize("number", NAMED)
def test_the_bot_gives_away_next_to_nothing_in_many_phases(number: int) -> None:
    one = phase(number)
    for of in SIDES:
        assert given_away(one, Bot(own_loss=one.own_loss), of) <= SHARE


@pytest.mark.parametrize("of", SIDES)
@pytest.mark.parametrize("number", QUICK)
def test_who_decides_by_the_lookahead_gives_away_nothing(number: int, of: Deciding) -> None:
    one = phase(number)
    assert given_away(one, BestOfTree(one.own_loss), of) == pytest.approx(0.0, abs=1e-9)


def test_a_policy_that_never_moves_is_worth_the_end_of_the_phase() -> None:
    class Still:
        """Ends the phase at once."""

        def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
            """End it."""
            return Decision(EndPhase())

    one = phase(QUICK[0])
    ended = one.twin.after(one.game, EndPhase())
    got = PolicyValue(Still(), Deciding.MOVER, Limit(work=1), one.own_loss).value(one.game)
    assert got == pytest.approx(ended)
    assert one.twin.value(one.game) > got
