"""Faults of a move under way and of the end of a game, all at once and each in its place.

``T1`` has come from 0103 to 0203 by the road and a window is open, or it has overrun 0404 and
stands in 0505.
"""

from __future__ import annotations

from typing import Any

import pytest

from planner.game.read_scenario import parse_game
from tests.edits import CASES, base, edited, faults_in

Tables = dict[str, Any]


def moving(**changes: Any) -> Tables:
    raw = base("scenario")
    raw["under_way"] = {"unit": "T1", "route": ["0103", "0203"], "window": {}} | changes
    return raw


def leaving(**changes: Any) -> Tables:
    """In the last window, G1's final shot made with L1's help."""
    raw = edited(base("scenario"), "units[0].hex", "0505")
    window = {"target": "0404", "final_made": ["G1"], "final_leaders": ["L1"]} | changes
    raw["under_way"] = {"unit": "T1", "route": ["0304", "0404", "0505"], "window": window}
    return raw


@pytest.mark.parametrize("raw", [moving(), leaving(), moving(window=None)])
def test_what_is_right(raw: Tables) -> None:
    assert faults_in("scenario", raw) == []
    under_way = parse_game(raw, CASES).under_way
    assert under_way is not None
    assert under_way.unit == "T1"


@pytest.mark.parametrize(
    ("raw", "faults"),
    [
        (moving(unit="T9"), ['under_way.unit: "T9" is no unit (one of "B1", "G1"']),
        (
            moving(unit="G1"),
            [
                'under_way.unit: "G1" is of side "blue" (an AFV of "red", which moves)',
                'under_way.unit: "G1" is of kind gun (an AFV)',
                'under_way.route[1]: "0203" is not where it is ("0404", its hex)',
            ],
        ),
        (moving(route=["0203"]), ["under_way.route: has too few entries (at least 2)"]),
        (
            moving(route=["0103", "0104"]),
            ['under_way.route[1]: "0104" is not where it is ("0203", its hex)'],
        ),
        (
            moving(route=["0101", "0203"]),
            ['under_way.route[1]: "0203" is no neighbour of "0101" (a hex beside it: 0102, 0201)'],
        ),
        (moving(route=["0199", "0203"]), ['under_way.route[0]: "0199" is not on the map (']),
        (
            moving(window={"target": "0202"}),
            ['under_way.window.target: "0202" is not the hex it came from ("0103", or none)'],
        ),
        (
            moving(window={"final_made": ["G1"], "final_leaders": ["L9"]}),
            [
                "under_way.window.final_made[0]: stands in a window after no overrun (a window",
                'under_way.window.final_leaders[0]: "L9" is no unit (one of ',
            ],
        ),
        (
            leaving(final_made=["B1"]),
            ['under_way.window.final_made[0]: "B1" is not in the hex overrun (a unit in "0404")'],
        ),
        (
            leaving(target="0999"),
            [
                'under_way.window.target: "0999" is not on the map',
                'under_way.window.target: "0999" is not the hex it came from ("0404", or none)',
                'under_way.window.final_made[0]: "G1" is not in the hex overrun',
                'under_way.window.final_leaders[0]: "L1" is not in the hex overrun',
            ],
        ),
        (
            edited(moving(), "units[0].moved", True),
            ['under_way.unit: "T1" has moved (an AFV whose move has not ended)'],
        ),
        (
            edited(moving(), "units[0].status", "destroyed"),
            ['under_way.unit: "T1" is destroyed, which ends its move (an AFV that may go on)'],
        ),
        (
            edited(moving(window=None), "units[0].status", "immobilised"),
            ['under_way.unit: "T1" is immobilised, which ends its move (an AFV that may go on)'],
        ),
        (edited(moving(), "units[0].status", "immobilised"), []),  # the window is still open
        (moving(window=3), ["under_way.window: 3 is no table"]),
        (moving(by="me"), ["under_way.by: is no key here"]),
    ],
)
def test_faults_of_a_move_under_way(raw: Tables, faults: list[str]) -> None:
    found = faults_in("scenario", raw)
    assert len(found) == len(faults), found
    for got, want in zip(found, faults, strict=True):
        assert got.startswith(want)


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({"to_move": "blue"}, []),
        ({"to_move": "blue", "turns": 2}, ["over: stands in turn 1 of 2 (in the last turn only)"]),
        ({}, ['over: stands in the phase of "red" (in that of the second side, "blue")']),
        (
            {"under_way": {"unit": "T1", "route": ["0103", "0203"]}},
            [
                "over: stands beside a move under way (one of the two)",
                'over: stands in the phase of "red" (in that of the second side, "blue")',
            ],
        ),
        ({"over": "yes"}, ['over: "yes" is neither true nor false (true or false)']),
    ],
)
def test_faults_of_the_end_of_a_game(changes: Tables, faults: list[str]) -> None:
    assert faults_in("scenario", base("scenario") | {"over": True} | changes) == faults
