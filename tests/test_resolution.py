"""Actions carried out: what happens, told in order; dice and distribution agree throw by throw."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import pytest

from planner.game import events
from planner.game.actions import Action
from planner.game.chance import Purpose, Roll
from planner.game.choices import legal
from planner.game.play_state import Game, new_game
from planner.game.read_scenario import load_game
from planner.game.resolution import IllegalActionError, apply, outcomes
from tests.every_throw import frequencies
from tests.gaming import (
    NO_DICE,
    action,
    choices,
    done,
    from_tables,
    played_out,
    statuses,
    told,
    where,
)
from tests.random_positions import random_scenario
from tests.situations import blue, red, situation, two_tanks

Tables = dict[str, Any]


def game(*units: Tables, **keys: Any) -> Game:
    return new_game(situation(*units, **keys))


def names(log: list[events.Event]) -> list[str]:
    return [type(event).__name__ for event in log]


def test_a_barred_action_is_refused_with_every_reason() -> None:
    start = game(red("T1", "tank", "0303", "N", moved=True), blue("S1", "squad", "0302"))
    for carry_out in (
        lambda: apply(start, action(start, "T1 0302"), NO_DICE),
        lambda: outcomes(start, action(start, "T1 0302")),
    ):
        with pytest.raises(IllegalActionError) as caught:
            carry_out()
        assert [reason.clause.value for reason in caught.value.reasons] == ["OVR-4", "OVR-7"]
        assert str(caught.value) == (
            "OVR-4: T1 has moved in this phase; OVR-7: 0302 holds S1 of the enemy"
        )


def test_entering_a_hex_turns_pays_and_opens_a_window() -> None:
    start = game(red("T1", "tank", "0303", "N"), blue("G1", "at_gun", "0404", "NW"))
    after, log = told(start, "T1 0403")
    unit = after.position.units["T1"]
    assert where(after, "T1") == "0403/SE"
    assert (unit.movement_used, unit.moved) == (3, False)  # two hexsides and the hex
    assert names(log) == ["Entered", "WindowOpened"]
    assert after.under_way is not None
    assert [after.position.board.name(h) for h in after.under_way.route] == ["0303", "0403"]
    assert where(start, "T1") == "0303/N"  # what was stays as it was


def test_a_window_without_a_shot_is_passed_over() -> None:
    after, log = told(game(red("T1", "tank", "0303", "N")), "T1 0302")
    assert names(log) == ["Entered"]
    assert after.under_way is not None
    assert after.under_way.window is None


def test_what_is_carried_goes_along() -> None:
    start = game(
        red("T1", "tank", "0303", "N", passengers=["S1"], towing="P1"),
        red("S1", "squad"),
        red("P1", "at_gun", facing="N"),
    )
    after = done(start, "T1 0302")
    assert {after.position.units[name].hex for name in ("T1", "S1", "P1")} == {
        after.position.units["T1"].hex
    }


def test_halting_with_a_turn_ends_the_move() -> None:
    after, log = told(game(red("T1", "tank", "0303", "N")), "T1 0302", "T1 halt/SE")
    assert where(after, "T1") == "0302/SE"
    assert after.position.units["T1"].movement_used == 3
    assert after.position.units["T1"].moved
    assert after.under_way is None
    assert names(log) == ["Entered", "Turned", "MoveEnded"]


def test_holding_closes_the_window() -> None:
    start = game(red("T1", "tank", "0302", "S"), blue("G1", "at_gun", "0304", "N"))
    after, log = told(start, "T1 0303", "hold")
    assert names(log)[-1] == "WindowClosed"
    assert choices(after, "T1 halt")
    assert not after.position.units["G1"].fired


@pytest.mark.parametrize(
    ("total", "status", "goes_on"),
    [(6, "ready", True), (5, "immobilised", False)],
)
def test_a_shot_marks_and_the_afv_goes_on_or_stops(total: int, status: str, goes_on: bool) -> None:
    start = game(red("T1", "tank", "0302", "S"), blue("G1", "at_gun", "0304", "N"))
    after, log = told(start, "T1 0303", "fire G1:gun", dice=[total])
    assert statuses(after, "T1") == [status]
    assert after.position.units["G1"].fired
    assert (after.under_way is not None) is goes_on
    assert after.position.units["T1"].moved is not goes_on
    ended = [] if goes_on else ["MoveEnded"]
    assert names(log)[2:] == ["Fired", "Rolled", "Resulted", "WindowClosed", *ended]


def test_the_window_goes_on_after_a_result_that_stops_the_afv() -> None:
    start = game(
        red("T1", "tank", "0302", "S"),
        blue("G1", "at_gun", "0304", "N"),
        blue("G2", "at_gun", "0503", "SW"),
    )
    stopped = done(start, "T1 0303", "fire G1:gun", dice=[5])
    assert statuses(stopped, "T1") == ["immobilised"]
    assert choices(stopped) == ["fire G2:gun", "hold"]  # strength 4, at its side
    for text, dice, status in (("fire G2:gun", [5], "destroyed"), ("hold", [], "immobilised")):
        ended = done(stopped, text, dice=dice)
        assert (ended.under_way, statuses(ended, "T1")) == (None, [status])


def test_destroyed_it_takes_along_what_it_carries_and_the_window_closes() -> None:
    side = game(
        red("T2", "tank", "0402", "NW", passengers=["S1"]),
        red("S1", "squad"),
        blue("G1", "at_gun", "0503", "NW"),
        blue("G2", "at_gun", "0504", "NW"),
    )
    after, log = told(side, "T2 0302", "fire G1:gun", dice=[2])
    assert statuses(after, "T2", "S1") == ["destroyed", "eliminated"]
    told_of = [(e.unit, e.result, e.after) for e in log if isinstance(e, events.Resulted)]
    assert told_of == [("T2", "D", "destroyed"), ("S1", None, "eliminated")]
    assert after.under_way is None
    assert after.position.standing.get(after.position.units["T2"].hex) is None


def test_ovr_10_ovr_15_the_last_window_is_at_the_exit_and_ends_the_move() -> None:
    start = done(new_game(two_tanks()), "T1 0304", "hold")
    after, log = told(start, "T1 x0404-0505", dice=[12, 5])
    rolled = ["Attacked", "Rolled", "Rolled", "Resulted", "Resulted"]
    assert names(log) == [*rolled, "Entered", "WindowOpened"]
    assert where(after, "T1") == "0505/SE"
    assert after.position.units["T1"].movement_used == 5  # 1, then 2 and 1 and 1
    assert after.under_way is not None
    assert after.under_way.window is not None
    assert after.position.board.name(after.under_way.window.target) == "0404"  # type: ignore[arg-type]
    ended, log = told(after, "hold")
    assert names(log) == ["WindowClosed", "MoveEnded"]
    assert ended.under_way is None
    assert ended.position.units["T1"].moved


def test_ovr_16_ovr_17_the_attack_and_what_it_uses_up() -> None:
    """Twice 3, the squad's rifles 2, its LMG 2 and satchel 3; foxholes add 2 to the roll."""
    near = done(new_game(two_tanks()), "T1 0304", "hold")
    after, log = told(near, "T1 x0404-0505 +S1:LMG +S1:satchel", dice=[7, 5])
    (attack,) = [e for e in log if isinstance(e, events.Attacked)]
    assert (attack.strength, attack.cover, attack.struck) == (13, 2, ("G1", "L1"))
    assert [e for e in log if isinstance(e, events.Spent)] == [events.Spent("S1", "satchel")]
    assert after.position.units["S1"].spent == {"satchel"}


def test_an_afv_s_own_once_weapon_is_used_up() -> None:
    start = game(red("T1", "flame_tank", "0303", "N"), blue("S1", "squad", "0302"))
    after = done(start, "T1 x0302-0301", dice=[12])
    assert after.position.units["T1"].spent == {"flame"}


def test_a_truck_destroyed_takes_along_its_load() -> None:
    start = game(
        red("T1", "tank", "0303", "N"),
        blue("V1", "truck", "0302", "N", passengers=["B1"]),
        blue("B1", "bazooka_team"),
    )
    after = done(start, "T1 x0302-0301", dice=[2])
    assert statuses(after, "V1", "B1") == ["destroyed", "eliminated"]


# -- what is rolled for ----------------------------------------------------------------------------


def test_rolls_say_what_they_are_for() -> None:
    start = new_game(two_tanks())
    _, log = told(
        start,
        "T1 0304",
        "fire G1:gun with L1",
        "hold",
        "T1 x0404-0505",
        "hold",
        dice=[12, 6, 9],
    )
    rolls = [event.roll for event in log if isinstance(event, events.Rolled)]
    assert rolls == [
        Roll(Purpose.SHOT, 1, "red", "T1", 1, "G1", hex="0304", modifier=-1, column=0),
        Roll(Purpose.ATTACK, 1, "red", "T1", 2, None, hex="0404", modifier=2, column=8),
        Roll(Purpose.CHECK, 1, "red", "T1", 2, "L1", 1, None, hex="0404", rating=8),
    ]
    assert len({roll.key for roll in rolls}) == 3


def test_each_unit_rolls_by_itself_where_the_rules_say_so() -> None:
    def per_unit(charts: Tables) -> None:
        charts["ap"]["roll_per"] = "unit"

    start = game(
        red("T1", "tank", "0303", "N"),
        blue("S1", "squad", "0302"),
        blue("S2", "squad", "0302"),
        rules=per_unit,
    )
    after, log = told(start, "T1 x0302-0301", dice=[2, 12])
    assert statuses(after, "S1", "S2") == ["eliminated", "ready"]
    units = [event.roll.unit for event in log if isinstance(event, events.Rolled)]
    assert units == ["S1", "S2"]


# -- dice and distribution -------------------------------------------------------------------------


class _Thrown:
    """Dice thrown by a function."""

    def __init__(self, throw: Callable[[], int]) -> None:
        self._throw = throw

    def roll(self, roll: Roll, dice: object) -> int:
        return self._throw()


@pytest.mark.parametrize("seed", range(12))
def test_every_way_the_dice_fall_gives_the_distribution(seed: int, tmp_path: Path) -> None:
    """Every shot and overrun on the way of a random game, by apply with all totals and by
    outcomes; what does not roll has one outcome, the same."""
    scenario, rules = random_scenario(seed, min_lines=1, enemies=3)
    start = load_game(from_tables(scenario, rules, tmp_path))
    dice = start.position.rules.combat.dice
    for here in played_out(start, seed):
        for what in legal(here):
            want = {after.key: p for p, after in outcomes(here, what)}

            def come(throw: Callable[[], int], here: Game = here, what: Action = what) -> Hashable:
                return apply(here, what, _Thrown(throw))[0].key

            got = {key: float(p) for key, p in frequencies(dice, come).items()}
            assert set(got) == set(want)
            assert all(got[key] == pytest.approx(want[key], abs=1e-12) for key in got)
