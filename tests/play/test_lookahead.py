"""The lookahead against the slow twin, moment by moment; what it is worth above moves chosen
beforehand; and its limits."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from planner.game.actions import Action
from planner.game.play_state import Deciding, new_game
from planner.play.lookahead import Lookahead, TooLarge
from tests.play.phase_twin import PhaseTwin, TooManyMomentsError
from tests.play.small_phases import ALONE, NAMED, QUICK, Small, drawn, named
from tests.situations import two_tanks

EXACT = 1e-9
FAST = tuple(dict.fromkeys((*QUICK, *ALONE[:6])))
SLOW = range(1_000, 1_100)


def compare(one: Small, every: int) -> None:
    """One lookahead for all moments, asked in the order that the twin met them in."""
    look, twin = Lookahead(one.own_loss, 1_000_000), one.twin
    assert look.value(one.game) == pytest.approx(twin.value(one.game), abs=EXACT)
    for at, game in enumerate(list(twin.games.values())):
        if at % every:
            continue
        value = twin.value(game)
        assert look.value(game) == pytest.approx(value, abs=EXACT), game.under_way
        if at % (7 * every) == 0:
            want = twin.options(game)
            got = look.options(game)
            assert [action for action, _ in got] == [action for action, _ in want]
            assert [v for _, v in got] == pytest.approx([v for _, v in want], abs=EXACT)
            action, best = look.best(game)
            assert best == pytest.approx(value, abs=EXACT)
            assert dict(want)[action] == pytest.approx(value, abs=EXACT)


@pytest.mark.parametrize("number", FAST)
def test_every_moment_is_worth_what_the_twin_says(number: int) -> None:
    compare(named(number), 11)


@pytest.mark.slow
@pytest.mark.parametrize("number", NAMED)
def test_every_moment_of_many_phases_is_worth_what_the_twin_says(number: int) -> None:
    compare(named(number), 13)


@pytest.mark.slow
def test_phases_worth_nothing_much_are_worth_what_the_twin_says_too() -> None:
    walked = 0
    for number in SLOW:
        game, own_loss = drawn(number)
        twin = PhaseTwin(own_loss, 3_000)
        try:
            want = twin.value(game)
        except TooManyMomentsError:
            continue
        assert Lookahead(own_loss).value(game) == pytest.approx(want, abs=EXACT), number
        walked += 1
    assert walked > 50


def test_the_same_moment_asked_by_itself_or_on_the_way_gets_the_same_answer() -> None:
    for one in map(named, QUICK):
        look = Lookahead(one.own_loss)
        look.value(one.game)
        for game in list(one.twin.games.values())[::97]:
            alone: tuple[Action, float] = Lookahead(one.own_loss).best(game)
            assert look.best(game)[0] == alone[0]


def test_the_case_of_the_model_page_is_worth_no_less_than_its_best_plan() -> None:
    game = new_game(two_tanks())
    assert Lookahead().value(game) >= 0.434992


@pytest.mark.parametrize("weight", [0.25, 1.0, 3.0])
def test_own_loss_weighs(weight: float) -> None:
    one = named(QUICK[0])
    assert Lookahead(weight).value(one.game) == pytest.approx(
        PhaseTwin(weight).value(one.game), abs=EXACT
    )


def test_what_takes_more_work_than_the_budget_is_refused() -> None:
    game = new_game(two_tanks())
    full = Lookahead()
    full.value(game)
    assert math.isfinite(Lookahead(budget=full.work).value(game))
    with pytest.raises(TooLarge):
        Lookahead(budget=full.work - 1).value(game)


def test_it_can_be_stopped() -> None:
    class Stopped(Exception):  # noqa: N818
        pass

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        Lookahead(poll=stop).value(new_game(two_tanks()))


def test_a_game_that_is_over_has_no_value() -> None:
    game = replace(new_game(two_tanks()), over=True)
    assert game.deciding is Deciding.NOBODY
    with pytest.raises(ValueError, match="over"):
        Lookahead().value(game)
