"""The bot's own policy on the game tree: of what is at stake it gives away at most a hundredth, on
either side, to an opponent who knows it and replies best; with its lookahead and without."""

from __future__ import annotations

from dataclasses import replace

import pytest

from planner.game.actions import EndPhase
from planner.game.play_state import Deciding, Game
from planner.play.bot import Bot
from planner.play.levels import BEST, level
from planner.play.lookahead import Lookahead
from planner.play.player import Decision
from planner.search.effort import Cancelled, Limit
from tests.play.policy_value import PolicyValue, given_away
from tests.play.small_phases import ALONE, NAMED, QUICK, TOGETHER, named

SIDES = (Deciding.MOVER, Deciding.DEFENDER)
ACE = level(BEST)
LEVELS = {"lookahead": ACE, "no lookahead": replace(ACE, exact=False)}
SHARE = 0.01


class BestOfTree:
    """Decides by the lookahead alone."""

    def __init__(self, own_loss: float) -> None:
        self._look = Lookahead(own_loss)

    def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
        """The best action."""
        action, value = self._look.best(game)
        return Decision(action, value, exact=True)


def test_the_phases_are_many_and_most_have_two_afvs_that_share_enemy_units() -> None:
    shares = ", ".join(f"{name} {len(numbers)}" for name, numbers in TOGETHER.items())
    print(f"{len(NAMED)} phases; one AFV {len(ALONE)}; two that share {shares}")
    assert len({*NAMED}) == len(NAMED) >= 100
    assert sum(map(len, TOGETHER.values())) >= 60
    assert all(len(numbers) >= 10 for numbers in TOGETHER.values())


@pytest.mark.parametrize("of", SIDES)
@pytest.mark.parametrize("which", LEVELS)
@pytest.mark.parametrize("number", QUICK)
def test_the_bot_gives_away_next_to_nothing(number: int, which: str, of: Deciding) -> None:
    one = named(number)
    assert given_away(one, Bot(LEVELS[which], one.own_loss), of) <= SHARE


@pytest.mark.slow
@pytest.mark.parametrize("number", NAMED)
def test_the_bot_gives_away_next_to_nothing_in_many_phases(number: int) -> None:
    one = named(number)
    lost = {
        (which, of): given_away(one, Bot(each, one.own_loss), of)
        for which, each in LEVELS.items()
        for of in SIDES
    }
    told = ", ".join(f"{of.value} {100 * share:.2f} % ({w})" for (w, of), share in lost.items())
    shared = "; ".join(
        f"{what}: {' '.join(sorted(units))}"
        for what, units in one.shared._asdict().items()
        if units
    )
    print(f"phase {number}: {len(one.twin.games)} moments, given away {told}; shared {shared}")
    assert max(lost.values()) <= SHARE


@pytest.mark.parametrize("of", SIDES)
@pytest.mark.parametrize("number", QUICK)
def test_who_decides_by_the_lookahead_gives_away_nothing(number: int, of: Deciding) -> None:
    one = named(number)
    assert given_away(one, BestOfTree(one.own_loss), of) == pytest.approx(0.0, abs=1e-9)


def test_a_policy_that_never_moves_is_worth_the_end_of_the_phase() -> None:
    class Still:
        """Ends the phase at once."""

        def decide(self, game: Game, limit: Limit, cancelled: Cancelled) -> Decision:
            """End it."""
            return Decision(EndPhase())

    one = named(QUICK[0])
    ended = one.twin.after(one.game, EndPhase())
    got = PolicyValue(Still(), Deciding.MOVER, Limit(work=1), one.own_loss).value(one.game)
    assert got == pytest.approx(ended)
    assert one.twin.value(one.game) > got
