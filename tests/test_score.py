from __future__ import annotations

from typing import Any

import pytest

from planner.game.play_state import Game, new_game
from planner.game.read_scenario import load
from planner.game.score import payoff, score
from planner.game.turns import with_objectives
from tests.gaming import done, played_out
from tests.situations import blue, red, situation, two_tanks

Tables = dict[str, Any]


def test_nothing_has_happened() -> None:
    assert score(new_game(two_tanks())) == {"red": 0.0, "blue": 0.0}


def test_worth_lost_and_once_weapons_by_hand() -> None:
    """The gun (12) is suppressed, a quarter of it lost, the satchel (0.5) spent."""
    near = done(new_game(two_tanks()), "T1 0304", "hold")
    after = done(near, "T1 x0404-0505 +S1:satchel", dice=[12, 5])
    assert score(after) == {"red": pytest.approx(3 - 0.5), "blue": pytest.approx(0.5 - 3)}
    cautious = score(after, own_loss=2.0)
    assert cautious == {"red": pytest.approx(3 - 1), "blue": pytest.approx(0.5 - 6)}


def test_what_is_carried_counts_with_its_carrier() -> None:
    """A tank of 10 with a squad of 3."""
    start = new_game(
        situation(
            red("T2", "tank", "0402", "NW", passengers=["S1"]),
            red("S1", "squad"),
            blue("G1", "at_gun", "0503", "NW"),
        )
    )
    after = done(start, "T2 0302", "fire G1:gun", dice=[2])
    assert score(after) == {"red": -13.0, "blue": 13.0}


def test_recovery_gives_back_what_was_lost_for_a_while() -> None:
    start = new_game(
        situation(
            red("T1", "tank", "0303", "N"), blue("S1", "squad", "0302"), scenario={"turns": 2}
        )
    )
    suppressed = done(start, "T1 x0302-0301", dice=[8])
    assert score(suppressed)["red"] == pytest.approx(0.75)
    assert score(done(suppressed, "end", "end"))["red"] == 0.0


@pytest.mark.parametrize(
    ("held", "there", "red_gets", "payoff_to_red"),
    [
        ("blue", "red", 4.0, 4.0),  # gained: once, not twice
        (None, "red", 4.0, 4.0),
        ("red", "blue", -4.0, -4.0),
        (None, "blue", -4.0, 0.0),  # the payoff of red's phase knows no such loss
        ("red", None, 0.0, 0.0),
    ],
)
def test_objectives(
    held: str | None, there: str | None, red_gets: float, payoff_to_red: float
) -> None:
    unit: list[Tables] = []
    if there == "red":
        unit = [red("X", "squad", "0202")]
    elif there == "blue":
        unit = [blue("X", "squad", "0202")]
    objective = {"hex": "0202", "worth": 4} | ({"held_by": held} if held else {})
    position = situation(
        red("T1", "tank", "0303", "N"), *unit, scenario={"objectives": [objective]}
    )
    start = new_game(position)
    after = done(start, "end")
    assert score(after) == {"red": red_gets, "blue": -red_gets}
    assert payoff(position, after.position, "red") == payoff_to_red
    assert payoff(position, with_objectives(position, []), "red") == payoff_to_red


@pytest.mark.parametrize("name", ["steamroller", "carentan"])
def test_zero_sum_at_every_moment(name: str) -> None:
    last: Game | None = None
    for game in played_out(new_game(load(name)), 5):
        assert sum(score(game).values()) == pytest.approx(0.0, abs=1e-9)
        last = game
    assert last is not None
    assert any(score(last).values())
