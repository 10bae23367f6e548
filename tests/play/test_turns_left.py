"""While turns are left the defender's bot counts AFVs for more; in the last turn it is as ever."""

from __future__ import annotations

import pytest

from planner.game.play_state import Game, new_game
from planner.play.bot import Bot
from planner.play.turns_left import LASTING, told, weight
from planner.search.effort import Limit
from tests.gaming import done
from tests.situations import two_tanks

WORK = Limit(work=300)
SAID = " (AFVs count 2 times, for there are turns left)"


def moment(turns: int, *, defends: bool) -> Game:
    """T2 is before the two guns, or has yet to move."""
    game = new_game(two_tanks().with_units(turns=turns))
    return done(game, "T2 0402", "fire B1:bazooka", dice=[12]) if defends else game


@pytest.mark.parametrize(
    ("turns", "defends", "factor"),
    [
        pytest.param(1, True, 1.0, id="last turn"),
        pytest.param(2, True, LASTING, id="one left"),
        pytest.param(9, True, LASTING, id="many left"),
        pytest.param(2, False, 1.0, id="the mover's choice"),
    ],
)
def test_by_how_much_afvs_count(turns: int, defends: bool, factor: float) -> None:
    assert weight(moment(turns, defends=defends), 0.75) == 0.75 * factor


@pytest.mark.parametrize("level", ["ace", "veteran", "recruit"])
@pytest.mark.parametrize("own_loss", [0.0, 0.5, 1.0])
def test_with_turns_left_it_decides_and_tells_as_by_that_weight(
    own_loss: float, level: str
) -> None:
    last, before = moment(1, defends=True), moment(2, defends=True)
    heavier = Bot(level, LASTING * own_loss).advise(last, WORK)
    advice = Bot(level, own_loss).advise(before, WORK)
    values = {option.action: option.value_to_mover for option in heavier.options}
    if level != "recruit":  # its mistakes hang on the position
        assert advice.action == heavier.action
    assert {option.action: option.value_to_mover for option in advice.options} == values
    assert advice.reason.endswith(SAID)
    assert Bot(level, own_loss).decide(before, WORK).reason.endswith(SAID)


@pytest.mark.parametrize(
    ("turns", "defends"), [(1, True), (1, False), (2, False)], ids=["last", "last, moves", "moves"]
)
def test_else_nothing_is_added_to_the_reason(turns: int, defends: bool) -> None:
    game = moment(turns, defends=defends)
    advice = Bot().advise(game, WORK)
    assert told(game, advice) == advice
    assert "AFVs count" not in advice.reason
