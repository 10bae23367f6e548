"""Equally good choices of the defender: a shot that costs the AFV something is made now."""

from __future__ import annotations

import pytest

from planner.game.actions import Fire, Hold, format_action
from planner.game.chance import KeyedDice
from planner.game.choices import legal
from planner.game.play_state import Game, new_game
from planner.game.position import Position
from planner.game.resolution import apply
from planner.play.advice import EQUALLY_GOOD, Option
from planner.play.bot import Bot
from planner.play.generated import position as generated
from planner.play.ties import soonest
from planner.search.effort import Limit
from tests.situations import blue, red, situation


def after(position: Position, *texts: str) -> Game:
    game = new_game(position)
    for text in texts:
        action = next(a for a in legal(game) if format_action(game.position, a) == text)
        game, _ = apply(game, action, KeyedDice(1))
    return game


FAR_AND_NEAR = situation(
    red("T1", "tank", "0203", "SE"),
    blue("A1", "at_gun", "0805", "NW"),
    blue("S1", "squad", "0304"),
    blue("B1", "bazooka_team", "0303"),
)


@pytest.mark.parametrize(
    ("equal", "chosen"),
    [
        (["hold", "fire A1:gun", "fire B1:bazooka"], "fire B1:bazooka"),
        (["hold", "fire A1:gun"], "fire A1:gun"),
        (["hold"], "hold"),
    ],
    ids=["the nearer costs more", "the far one alone", "no shot is as good"],
)
def test_of_equals_the_shot_that_costs_most(equal: list[str], chosen: str) -> None:
    game = after(FAR_AND_NEAR, "T1 0204")
    options = {format_action(game.position, a): Option(a, 1.0) for a in legal(game)}
    for order in (equal, equal[::-1]):
        assert soonest(game, [options[text] for text in order]) == options[chosen]


def test_a_shot_as_good_later_is_made_now() -> None:
    """Whether the gun fires now or when T01 goes on is all one against the best play; a mover who
    halts T01 here would never be shot at."""
    game = after(generated("platoon", 8), "T01 0208")
    advice = Bot().advise(game, Limit(work=300))
    value = {type(option.action): option.value_to_mover for option in advice.options}
    assert value[Hold] == pytest.approx(value[Fire], abs=EQUALLY_GOOD)
    assert isinstance(advice.action, Fire)
