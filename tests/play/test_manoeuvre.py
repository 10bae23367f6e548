"""Plain movement with a purpose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from planner.game.actions import Enter
from planner.game.chance import KeyedDice
from planner.game.legality import blocked, wrong
from planner.game.play_state import Game, new_game
from planner.game.read_scenario import load
from planner.game.resolution import apply
from planner.play.manoeuvre import manoeuvre
from planner.play.prospects import Prospects, next_phase
from planner.search.tally import OutOfEffortError
from planner.search.worth import Judge
from tests.random_positions import random_scenario, write_files
from tests.situations import blue, hexes, red, situation

LONG = "\n".join([". " * 16] * 5)
"""Sixteen columns of clear ground: a tank of 8 movement points does not cross it in a turn."""
BOLD = 0.1
"""An own-loss weight at which a gun does not keep a tank from a squad."""
TURNS = {"turn": 1, "turns": 4}


def squad_far_away(scenario: dict[str, Any]) -> Game:
    """A tank, and a squad without an AT weapon that it can't reach this turn."""
    position = situation(
        red("T1", "tank", "0103", "SE"),
        blue("S1", "squad", "1403"),
        terrain=LONG,
        scenario=scenario,
    )
    return new_game(position)


def test_it_nears_what_it_will_overrun_next_turn() -> None:
    game = squad_far_away(scenario=TURNS)
    position = game.position
    found = manoeuvre(game)
    assert found is not None
    assert not wrong(position, found.move)
    assert found.promise.value > found.staying > 0.0
    (target,) = hexes(position, "1403")
    assert found.promise.aim.target == target
    start = position.units["T1"].hex
    assert found.move.path[-1].distance(target) < start.distance(target) - 4


@pytest.mark.parametrize(
    ("turn", "turns", "moves"),
    [(1, 1, False), (4, 4, False), (3, 4, True), (1, 4, True)],
)
def test_it_moves_for_the_turns_to_come_only_if_there_are_any(
    turn: int, turns: int, moves: bool
) -> None:
    game = squad_far_away(scenario={"turn": turn, "turns": turns})
    assert (manoeuvre(game) is not None) is moves


def test_what_can_not_be_reached_in_the_turns_left_moves_nobody() -> None:
    far = "\n".join([". " * 40] * 3)
    units = (red("T1", "tank", "0102", "SE"), blue("S1", "squad", "3802"))
    for turns, moves in ((2, False), (8, True)):
        position = situation(*units, terrain=far, scenario={"turn": 1, "turns": turns})
        assert (manoeuvre(new_game(position)) is not None) is moves


def test_objective_is_gone_for() -> None:
    scenario = TURNS | {"objectives": [{"hex": "1403", "worth": 5.0, "held_by": "blue"}]}
    position = situation(
        red("T1", "tank", "0103", "SE"),
        blue("S1", "squad", "1601"),
        terrain=LONG,
        scenario=scenario,
    )
    game = new_game(position)
    found = manoeuvre(game)
    assert found is not None
    assert found.promise.aim.objective == hexes(position, "1403")[0]


def test_own_objective_is_no_aim() -> None:
    scenario = TURNS | {"objectives": [{"hex": "1403", "worth": 5.0, "held_by": "red"}]}
    position = situation(red("T1", "tank", "0103", "SE"), terrain=LONG, scenario=scenario)
    assert manoeuvre(new_game(position)) is None


def test_payoff_is_the_exact_value_of_the_plain_move() -> None:
    position = situation(
        red("T1", "tank", "0103", "SE"),
        blue("S1", "squad", "1403"),
        blue("G1", "at_gun", "1303", "NW"),
        terrain=LONG,
        scenario=TURNS,
    )
    found = manoeuvre(new_game(position), BOLD)
    assert found is not None
    judge = Judge(position, BOLD)
    assert found.payoff == pytest.approx(judge.value([found.move]) - judge.value([]))
    assert found.gain == pytest.approx(found.payoff + found.promise.value - found.staying)
    assert found.gain > 0.0


def test_it_keeps_out_of_fire_where_it_can() -> None:
    """A ridge of woods hides one half of the map from the gun: the way is on the other side."""
    terrain = "\n".join([". " * 14] * 2 + [". . . w w w w w w w w w . ."] + [". " * 14] * 2)
    units = (red("T1", "tank", "0202", "SE"), blue("S1", "squad", "1303"))
    gun = blue("G1", "at_gun", "0901", "SW")
    open_to_fire = situation(*units, terrain=terrain, scenario=TURNS)
    under_fire = situation(*units, gun, terrain=terrain, scenario=TURNS)
    found = manoeuvre(new_game(under_fire), BOLD)
    free = manoeuvre(new_game(open_to_fire), BOLD)
    assert found is not None
    assert free is not None
    judge = Judge(under_fire, BOLD)
    assert judge.value([found.move]) > judge.value([free.move])


def test_fire_markers_count_now_and_are_off_next_turn() -> None:
    """A gun that has fired is no danger now; the way is judged with its shot for next turn."""

    def told(fired: bool) -> tuple[float, float]:
        position = situation(
            red("T1", "tank", "0103", "SE"),
            blue("S1", "squad", "1403"),
            blue("G1", "at_gun", "0601", "SW", fired=fired),
            terrain=LONG,
            scenario=TURNS,
        )
        found = manoeuvre(new_game(position), BOLD)
        assert found is not None
        return found.payoff, found.staying

    (fresh_payoff, fresh_staying), (payoff, staying) = told(False), told(True)
    assert payoff == 0.0
    assert fresh_payoff <= payoff
    assert fresh_staying == staying


def test_the_afv_under_way_goes_on_and_no_other() -> None:
    position = situation(
        red("T1", "tank", "0103", "SE"),
        red("T2", "tank", "0105", "SE"),
        blue("S1", "squad", "1403"),
        terrain=LONG,
        scenario=TURNS,
    )
    game, _ = apply(new_game(position), Enter("T2", hexes(position, "0205")[0]), KeyedDice(1))
    found = manoeuvre(game)
    assert found is not None
    assert found.move.unit == "T2"


def test_alike_afvs_share_their_prospects_and_both_move() -> None:
    position = situation(
        red("T1", "tank", "0103", "SE"),
        red("T2", "tank", "0104", "SE", moved=True),
        red("T3", "tank", "0102", "SE"),
        blue("S1", "squad", "1403"),
        terrain=LONG,
        scenario=TURNS,
    )
    found = manoeuvre(new_game(position))
    assert found is not None
    assert found.move.unit in ("T1", "T3")


def test_a_stop_gives_the_best_so_far() -> None:
    game = squad_far_away(scenario=TURNS)

    def stop() -> None:
        raise OutOfEffortError

    assert manoeuvre(game, poll=stop) is None


@pytest.mark.parametrize("seed", range(25))
def test_moves_are_legal_on_random_positions(seed: int, tmp_path: Path) -> None:
    drawn = load(write_files(*random_scenario(seed), tmp_path))
    position = drawn.with_units(turn=1, turns=5)
    found = manoeuvre(new_game(position))
    if found is not None:
        assert not wrong(position, found.move)
        assert not blocked(position, found.move)
        assert found.gain > 0.0
        following = next_phase(position)
        assert following is not None
        unit = position.units[found.move.unit]
        hopes = Prospects(following, unit, 1.0, 4)
        assert all(aim.gain > 0.0 for aim in hopes.aims)
        assert found.promise.value <= hopes.aims[0].gain
