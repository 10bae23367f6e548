"""Phases, turns, recovery, objectives and the end; and that every game comes to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from planner.game import events
from planner.game.choices import forced, legal
from planner.game.play_state import Deciding, Game, new_game
from planner.game.read_scenario import load, load_game
from planner.game.turns import with_objectives
from tests.gaming import choices, done, from_tables, played_out, statuses, told
from tests.random_positions import random_scenario
from tests.situations import blue, red, situation

Tables = dict[str, Any]
T1 = red("T1", "tank", "0303", "N")
E1 = blue("E1", "tank", "0806", "N")


def game(*units: Tables, turns: int = 3, **keys: Any) -> Game:
    return new_game(situation(*units, scenario={"turns": turns, **keys}))


def test_both_sides_move_in_turn_the_first_listed_first() -> None:
    here = game(T1, E1)
    seen = []
    while not here.over:
        seen.append((here.position.turn, here.position.to_move, choices(here)[0].split()[0]))
        here = done(here, "end")
    assert seen == [
        (t, side, unit) for t in (1, 2, 3) for side, unit in (("red", "T1"), ("blue", "E1"))
    ]


def test_a_scenario_may_begin_with_the_second_side() -> None:
    here = game(T1, E1, to_move="blue", turn=2)
    after, log = told(here, "end")
    assert (after.position.turn, after.position.to_move) == (3, "red")
    assert log == [events.PhaseEnded("blue"), events.TurnEnded(2)]


def test_the_last_phase_of_the_last_turn_is_the_end() -> None:
    here = game(T1, E1, turns=1)
    middle = done(here, "end")
    assert not middle.over
    over, log = told(middle, "end")
    assert over.over
    assert over.deciding is Deciding.NOBODY
    assert log == [events.PhaseEnded("blue"), events.GameEnded()]
    assert (over.position.turn, over.position.to_move) == (1, "blue")


def test_a_side_without_afvs_has_its_phase_all_the_same() -> None:
    here = game(T1, turns=1)
    middle = done(here, "end")
    assert [type(action).__name__ for action in legal(middle)] == ["EndPhase"]
    assert forced(middle) is not None


@pytest.mark.parametrize(
    ("unit", "after"),
    [
        (red("X", "tank", "0101", "N", status="shaken"), "ready"),
        (red("X", "tank", "0101", "N", status="immobilised"), "immobilised"),
        (red("X", "tank", "0101", "N", status="destroyed"), "destroyed"),
        (blue("X", "squad", "0101", status="suppressed"), "ready"),
        (blue("X", "at_gun", "0101", "N", status="suppressed"), "ready"),
        (blue("X", "sergeant", "0101", status="suppressed"), "ready"),
        (blue("X", "squad", "0101", status="eliminated"), "eliminated"),
    ],
)
def test_recovery_at_the_end_of_a_turn(unit: Tables, after: str) -> None:
    here = game(T1, E1, unit)
    before = unit["status"]
    assert statuses(done(here, "end"), "X") == [before]  # the turn has not ended
    ended, log = told(here, "end", "end")
    assert statuses(ended, "X") == [after]
    told_of = [event for event in log if isinstance(event, events.Recovered)]
    assert told_of == ([events.Recovered("X", before, after)] if before != after else [])


def test_what_is_carried_recovers_too() -> None:
    here = game(
        red("T1", "tank", "0303", "N", passengers=["P1"]), red("P1", "squad", status="suppressed")
    )
    assert statuses(done(here, "end", "end"), "P1") == ["ready"]


def test_no_recovery_after_the_last_turn() -> None:
    here = game(T1, E1, blue("S1", "squad", "0101", status="suppressed"), turns=1)
    assert statuses(done(here, "end", "end"), "S1") == ["suppressed"]


def test_recovery_is_one_step_and_a_removed_status_is_for_good() -> None:
    def charts(tables: Tables) -> None:
        tables["status"]["infantry"]["pinned"] = {"loss": 0.1}
        tables["recovery"]["infantry"] = {
            "suppressed": "pinned",
            "pinned": "ready",
            "eliminated": "ready",
        }

    here = new_game(
        situation(
            T1,
            blue("S1", "squad", "0101", status="suppressed"),
            blue("S2", "squad", "0102", status="eliminated"),
            rules=charts,
            scenario={"turns": 9},
        )
    )
    one = done(here, "end", "end")
    assert statuses(one, "S1", "S2") == ["pinned", "eliminated"]
    assert statuses(done(one, "end", "end"), "S1", "S2") == ["ready", "eliminated"]


def test_markers_come_off_at_the_end_of_the_turn_and_not_before() -> None:
    here = game(red("T1", "tank", "0302", "S"), blue("G1", "at_gun", "0304", "N"))
    moved = done(here, "T1 0303", "fire G1:gun", "T1 halt", "end", dice=[12])
    assert moved.position.to_move == "blue"
    assert moved.position.units["G1"].fired
    assert moved.position.units["T1"].moved
    assert moved.position.units["T1"].movement_used == 1
    ended = done(moved, "end")
    assert not ended.position.units["G1"].fired
    assert not ended.position.units["T1"].moved
    assert ended.position.units["T1"].movement_used == 0
    assert choices(ended, "T1 0")


def test_once_weapons_stay_spent() -> None:
    here = game(T1, blue("B1", "bazooka_team", "0101", spent=["bazooka"]))
    assert done(here, "end", "end").position.units["B1"].spent == {"bazooka"}


# -- objectives ------------------------------------------------------------------------------------

AT = {"hex": "0302", "worth": 4}


@pytest.mark.parametrize(
    ("units", "before", "after"),
    [
        ([], None, None),
        ([], "blue", "blue"),  # nobody there: as it was
        ([red("T2", "tank", "0302", "N")], "blue", "red"),
        ([red("T2", "tank", "0302", "N")], None, "red"),
        ([red("S2", "squad", "0302")], "blue", "red"),  # any unit
        ([blue("S1", "squad", "0302")], None, "blue"),  # the other side's too
        (
            [blue("S1", "squad", "0302"), red("S2", "squad", "0302")],
            "red",
            "red",
        ),  # both: as it was
        ([red("T2", "tank", "0302", "N", status="destroyed")], "blue", "blue"),  # a wreck is none
        ([blue("S1", "squad", "0302", status="suppressed")], "red", "blue"),
    ],
)
def test_objectives_change_hands_at_the_end_of_a_phase(
    units: list[Tables], before: str | None, after: str | None
) -> None:
    held = {"held_by": before} if before else {}
    here = game(T1, E1, *units, objectives=[AT | held])
    ended, log = told(here, "end")
    assert [objective.held_by for objective in ended.position.objectives] == [after]
    taken = [event for event in log if isinstance(event, events.ObjectiveTaken)]
    assert [(event.side, event.before) for event in taken] == (
        [(after, before)] if after != before else []
    )


def test_driving_through_takes_nothing() -> None:
    here = game(T1, objectives=[AT])
    through = done(here, "T1 0302", "T1 0301", "T1 halt", "end")
    assert through.position.objectives[0].held_by is None
    stayed = done(here, "T1 0302", "T1 halt")
    assert stayed.position.objectives[0].held_by is None  # not before the phase ends
    assert with_objectives(stayed.position, []).objectives[0].held_by == "red"
    assert done(stayed, "end").position.objectives[0].held_by == "red"


# -- never stuck -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["steamroller", "carentan", "ponyri"])
@pytest.mark.parametrize("seed", range(2))
def test_games_played_at_random_end(name: str, seed: int) -> None:
    """There is something to do until the last turn's last phase is over, and then nothing; both
    sides have had a phase in every turn."""
    start = new_game(load(name))
    phases, last = set(), start
    for here in played_out(start, seed):
        assert bool(legal(here)) is not here.over
        phases.add((here.position.turn, here.position.to_move))
        last = here
    assert last.over
    assert last.under_way is None
    turns = range(start.position.turn, start.position.turns + 1)
    sides = {side.id for side in start.position.sides}
    first = {(start.position.turn, side) for side in sides}
    assert phases | first == {(turn, side) for turn in turns for side in sides}


@pytest.mark.parametrize("seed", range(6))
def test_games_end_where_moving_costs_nothing(seed: int, tmp_path: Path) -> None:
    scenario, rules = random_scenario(seed)
    scenario["turns"] = 2
    for moves in rules["classes"].values():
        moves |= {"turn": 0, "uphill": 0}
    for kind in ("terrain", "edges", "paths", "features"):
        for thing in rules[kind].values():
            thing["cost"] = dict.fromkeys(thing.get("cost", {}), 0)
    start = load_game(from_tables(scenario, rules, tmp_path))
    hexes, most = len(start.position.board.ground), 0
    for here in played_out(start, seed):
        if here.under_way is not None:
            route = here.under_way.route
            most = max(most, len(route))
            if here.under_way.window is None or here.under_way.window.target is None:
                assert len(set(route)) == len(route)
    assert most <= hexes + 2  # an exit hex may be one it came through
